// The audio probe's panel over a session and a renderer that run: what it shows is what is heard, and what is done in it is heard.

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QTabBar>
#include <QTableView>
#include <QTabWidget>
#include <QThreadPool>
#include <QToolButton>
#include <QUndoStack>

#include "engine/audio/binaural_meter.h"
#include "engine/audio/loudness_meter.h"
#include "engine/audio/sound_file.h"
#include "engine/audio/sound_marks.h"
#include "tests/probe/probe_fixture.h"
#include "tests/soundstage/recorded_sound.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/number_field.h"
#include "widgets/probe/curve_view.h"
#include "widgets/probe/head_quiz.h"
#include "widgets/probe/place_view.h"
#include "widgets/probe/sound_legend.h"
#include "widgets/probe/sound_overlay.h"
#include "widgets/probe/voice_model.h"
#include "widgets/probe/why_view.h"

using namespace sbx;
using namespace sbx::probe_test;

namespace {

constexpr double Degree = std::numbers::pi / 180.0;

std::span<const float> newest(const Fixture& f, double seconds) {
    return std::span<const float>(f.heard).last(static_cast<std::size_t>(seconds * Rate) * 2);
}

using Heard = sound_test::LengthAndPitch;
Heard heardSince(const Fixture& f, std::size_t from) {
    return sound_test::lengthAndPitch(std::span<const float>(f.heard).subspan(from));
}

double loudness(std::span<const float> samples) {
    audio::LoudnessMeter meter(Rate);
    meter.add(samples);
    return meter.integrated().value_or(-200.0);
}

} // namespace

class TestPanel : public QObject {
    Q_OBJECT
private slots:
    void allSoundsAreAroundTheHead() {
        Fixture f;
        QCOMPARE(f.view().sounds.size(), std::size_t(4)); // three, and the probe's own
        QCOMPARE(f.view().earName, std::string("head"));
        QVERIFY(std::abs(f.sound("hum").place.azimuth - 90.0 * Degree) < 1e-5);
        QVERIFY(std::abs(f.sound("hum").place.distance - 3.0) < 1e-5);
        QVERIFY(std::abs(f.sound("click").place.azimuth) < 1e-5);
        QVERIFY(std::abs(f.sound("broken").place.azimuth + 90.0 * Degree) < 1e-5);
        QVERIFY(!f.sound("broken").fault.empty());
        auto* place = f.child<ui::PlaceView>("probe.place");
        const QPointF head = place->topPoint(f.view().ear.position);
        QVERIFY(place->topPoint(f.sound("hum").position).x() > head.x() + 10.0);
        QVERIFY(place->topPoint(f.sound("click").position).y() < head.y() - 10.0);
        // The list has all of them, and why each is silent.
        auto* table = f.child<QTableView>("probe.voices");
        QCOMPARE(table->model()->rowCount(), 3);
        QStringList states;
        for (int row = 0; row < 3; ++row)
            states << table->model()->index(row, ui::VoiceModel::State).data().toString();
        QVERIFY(states[0].contains(QStringLiteral("nowhere.wav"))); // broken, click, hum
        QCOMPARE(states[1], QStringLiteral("Waits for PlaySound"));
        QCOMPARE(states[2], QStringLiteral("Starts with the world"));
    }

    // What hides all sounds is said, and undone by one button. Without any sound there is a button to make one; the window gives it
    // its action.
    void anEmptyListOfVoicesLeadsOn() {
        Fixture f;
        auto* hidden = f.child<ui::EmptyState>("probe.noMatch");
        auto* none = f.child<ui::EmptyState>("probe.noSound");
        QVERIFY(!hidden->isVisible() && !none->isVisible());
        f.child<QToolButton>("probe.heardOnly")->setChecked(true);
        QVERIFY(hidden->isVisible());
        QTest::mouseClick(&hidden->button(), Qt::LeftButton);
        QVERIFY(!hidden->isVisible() && !f.child<QToolButton>("probe.heardOnly")->isChecked());
        for (const char* name : {"hum", "click", "broken"})
            f.session.world().destroy(f.session.world().find(name).id());
        f.run(0.1);
        f.run(static_cast<double>(ui::VoiceModel::KeptMs) / 1000.0);
        QVERIFY(none->isVisible() && !hidden->isVisible());
    }

    void draggingTheProbesSourceIsHeard() {
        Fixture f;
        f.place(0.0, 0.0, 2.0);
        QVERIFY(f.figures().itd.has_value());
        QVERIFY(std::abs(*f.figures().itd) < 15e-6);
        auto* place = f.child<ui::PlaceView>("probe.place");
        const QPoint from = place->topPoint(fromHeadPlace(f.view().ear, {0.0, 0.0, 2.0})).toPoint();
        const QPoint to = place->topPoint(fromHeadPlace(f.view().ear, {90.0 * Degree, 0.0, 2.0})).toPoint();
        QTest::mousePress(place, Qt::LeftButton, {}, from);
        QTest::mouseMove(place, (from + to) / 2);
        QTest::mouseMove(place, to);
        QTest::mouseRelease(place, Qt::LeftButton, {}, to);
        f.settle();
        const ProbeSound& own = f.view().sounds.back();
        QVERIFY(std::abs(own.place.azimuth - 90.0 * Degree) < 2.0 * Degree);
        QVERIFY(std::abs(own.place.distance - 2.0) < 0.1);
        // The sphere at 90 degrees: a / c (theta + sin theta) is 661 us for high frequencies, half as much again at low ones.
        QVERIFY(*f.figures().itd > 600e-6 && *f.figures().itd < 1000e-6);
        QVERIFY(*f.figures().ild > 4.0);
        // Keys go by degrees, the wheel raises.
        place->setFocus();
        const double before = f.view().sounds.back().place.azimuth;
        QTest::keyClick(place, Qt::Key_Left);
        f.run(0.2);
        QVERIFY(std::abs(f.view().sounds.back().place.azimuth - before + Degree) < 0.1 * Degree);
        QTest::keyClick(place, Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(place, Qt::Key_Up, Qt::ShiftModifier);
        f.run(0.2);
        QVERIFY(std::abs(f.view().sounds.back().place.azimuth - before + 11.0 * Degree) < 0.1 * Degree);
        QVERIFY(std::abs(f.view().sounds.back().place.elevation - 10.0 * Degree) < 0.1 * Degree);
        // Numbers can be typed.
        auto* azimuth = f.child<ui::NumberField>("probe.azimuth");
        azimuth->setFocus();
        azimuth->selectAll();
        QTest::keyClicks(azimuth, QStringLiteral("-45"));
        QTest::keyClick(azimuth, Qt::Key_Return);
        f.run(0.3);
        QVERIFY(std::abs(f.view().sounds.back().place.azimuth + 45.0 * Degree) < 0.2 * Degree);
    }

    // The probe's own source waits ahead of the listener, a little to the right. A place that was typed still holds when it
    // plays for the first time, and a field opens with what was typed there.
    void aTypedPlaceSurvivesTheFirstPlay() {
        Fixture f;
        f.panel->setCurrent({});
        f.run(0.1);
        auto* azimuth = f.child<ui::NumberField>("probe.azimuth");
        auto* distance = f.child<ui::NumberField>("probe.distance");
        QCOMPARE(azimuth->text(), QStringLiteral("30.0"));
        QCOMPARE(distance->text(), QStringLiteral("2.00"));
        const auto type = [&](ui::NumberField* field, const QString& text) {
            QTest::mouseClick(field, Qt::LeftButton, {}, QPoint(field->width() / 2, field->height() / 2));
            QTest::keyClicks(field, text);
            QTest::keyClick(field, Qt::Key_Return);
            QVERIFY(!field->hasFocus());
            f.run(0.1);
        };
        type(azimuth, QStringLiteral("-45"));
        type(distance, QStringLiteral("3.5"));
        f.child<QToolButton>("probe.play")->click();
        f.run(0.3);
        const ProbeSound& own = f.view().sounds.back();
        QVERIFY(own.tried);
        QVERIFY2(std::abs(own.place.azimuth + 45.0 * Degree) < 1e-4,
                 qPrintable(QString::number(own.place.azimuth / Degree)));
        QVERIFY2(std::abs(own.place.distance - 3.5) < 1e-4, qPrintable(QString::number(own.place.distance)));
        azimuth->setFocus();
        QCOMPARE(azimuth->text(), QStringLiteral("-45.0"));
        distance->setFocus();
        QCOMPARE(distance->text(), QStringLiteral("3.5"));
    }

    // Too loud: the lamp is on and says by how much both ears are lowered; switched off, that is said and full scale is reached.
    void theLimiterShows() {
        Fixture f;
        f.place(30.0, 0.0, 2.0);
        auto* meters = f.child<ui::EarMeters>("probe.meters");
        QVERIFY(!meters->limits());
        QVERIFY(f.session.execute("audio.volume 4").ok);
        ProbeSource source = f.panel->source();
        source.gain = 100.0F;
        f.panel->setSource(source);
        f.run(0.5);
        QVERIFY2(meters->limits() && meters->reductionDb() < -12.0,
                 qPrintable(QString::number(meters->reductionDb())));
        QVERIFY(meters->accessibleDescription().contains(QStringLiteral("limiter")));
        QVERIFY(!meters->clipped(0) && !meters->clipped(1));
        QVERIFY(f.session.execute("audio.limiter 0").ok);
        f.run(0.5);
        QVERIFY(!meters->limits());
        QVERIFY(meters->accessibleDescription().contains(QStringLiteral("limiter off")));
        QVERIFY(meters->clipped(0) || meters->clipped(1));
    }

    // The head's own figure is what the meters read of its output, to what the signal's spectrum weighs.
    void theHeadsDelayIsTheMeasuredOne_data() {
        QTest::addColumn<double>("azimuth");
        for (const double azimuth : {-90.0, -30.0, 0.0, 60.0, 120.0})
            QTest::addRow("%g", azimuth) << azimuth;
    }
    void theHeadsDelayIsTheMeasuredOne() {
        QFETCH(double, azimuth);
        Fixture f;
        f.place(azimuth, 0.0, 2.0);
        QVERIFY(f.figures().itd.has_value());
        const Vec3 to = fromHeadPlace(Pose{}, {azimuth * Degree, 0.0, 1.0});
        const auto told = static_cast<double>(audio::measuredItd(*f.view().hrtf, to));
        QVERIFY2(std::abs(told - *f.figures().itd) < 40e-6,
                 qPrintable(
                     QStringLiteral("%1 us told, %2 measured").arg(told * 1e6).arg(*f.figures().itd * 1e6)));
    }

    // A voice's level is what reaches the head: gains count once. It stands where it is seen at any width.
    void voicesShowLevels() {
        Fixture f;
        f.session.play();
        f.run(0.5);
        auto* table = f.child<QTableView>("probe.voices");
        const auto* model = table->model();
        int row = 0;
        while (model->index(row, ui::VoiceModel::Entity).data().toString() != QStringLiteral("hum"))
            ++row;
        // 3 m of 1 to 40, linear: 0.949.
        const double level =
            model->index(row, ui::VoiceModel::Level).data(ui::VoiceModel::SortRole).toDouble();
        QVERIFY2(std::abs(level - (1.0 - 2.0 / 39.0)) < 0.002, qPrintable(QString::number(level)));
        const QHeaderView& header = *table->horizontalHeader();
        QVERIFY(header.sectionViewportPosition(ui::VoiceModel::Level)
                    + header.sectionSize(ui::VoiceModel::Level)
                <= 260);
    }

    // A row keeps its place while its sound comes and goes; under the pointer none goes or moves. Names are in natural order.
    void rowsOfVoicesStayUnderThePointer() {
        QByteArray scene = Scene;
        for (const char* name : {"ball_10", "ball_2"})
            scene += QByteArray("\n[[entity]]\ntype = \"Click\"\nname = \"") + name + "\"\n";
        Fixture f(scene);
        f.session.play();
        f.run(0.5);
        auto* table = f.child<QTableView>("probe.voices");
        const auto names = [table] {
            QStringList out;
            for (int row = 0; row < table->model()->rowCount(); ++row)
                out << table->model()->index(row, ui::VoiceModel::Entity).data().toString();
            return out.join(QLatin1Char(' '));
        };
        const auto rowOf = [table](const char* name) {
            int row = 0;
            while (row < table->model()->rowCount()
                   && table->model()->index(row, ui::VoiceModel::Entity).data().toString() != QLatin1String(name))
                ++row;
            return table->model()->index(row, ui::VoiceModel::State);
        };
        const QString all = QStringLiteral("ball_2 ball_10 broken click hum");
        QCOMPARE(names(), all);
        // Gone, its row stays a moment, and nothing in it can be clicked; back in time, it has the row again.
        QVERIFY(f.session.execute("destroy ball_10").ok);
        f.run(0.5);
        QCOMPARE(names(), all);
        QVERIFY(!rowOf("ball_10").flags().testFlag(Qt::ItemIsEnabled));
        QVERIFY(f.session.execute("spawn Click ball_10").ok);
        f.run(0.5);
        QCOMPARE(names(), all);
        QVERIFY(rowOf("ball_10").flags().testFlag(Qt::ItemIsEnabled));
        // Under the pointer it stays for as long as that is there, and what comes stands at the end.
        QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
        QApplication::sendEvent(table->viewport(), &enter);
        QVERIFY(f.session.execute("destroy ball_2").ok);
        QVERIFY(f.session.execute("spawn Click ant").ok);
        f.run(8.0);
        QCOMPARE(names(), all + QStringLiteral(" ant"));
        // A click there does nothing to others.
        const QPoint solo = table->visualRect(table->model()->index(0, ui::VoiceModel::Solo)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, solo);
        f.run(0.2);
        QVERIFY(std::none_of(f.view().sounds.begin(), f.view().sounds.end(), [](const ProbeSound& sound) { return sound.solo; }));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(table->viewport(), &leave);
        f.run(0.5);
        QCOMPARE(names(), QStringLiteral("ant ball_10 broken click hum"));
    }

    // What a recording says of itself comes and goes, and moves nothing.
    void theLineOfARecordingMovesNothing_data() {
        QTest::addColumn<int>("height");
        QTest::newRow("usual") << 360;
        QTest::newRow("low") << 168;
    }
    void theLineOfARecordingMovesNothing() {
        QFETCH(int, height);
        Fixture f;
        f.panel->resize(1280, height);
        f.run(0.2);
        auto* split = f.child<QWidget>("probe.split");
        const QRect before = split->geometry();
        const auto* bar = f.child<QWidget>("probe.bar");
        QCOMPARE(before.top(), bar->geometry().bottom() + 1); // nor is a row kept free
        f.panel->record(f.path("out.wav"));
        f.run(0.3);
        auto* line = f.child<QWidget>("probe.line");
        QVERIFY(line->isVisible());
        QVERIFY(f.panel->rect().contains(QRect(line->mapTo(f.panel.get(), QPoint(0, 0)), line->size())));
        QCOMPARE(split->geometry(), before);
        f.panel->stopRecording();
        f.run(0.2);
        QCOMPARE(split->geometry(), before);
    }

    void movingAnEntityEditsTheSceneUndoably() {
        Fixture f;
        const std::string before = f.scene();
        auto* place = f.child<ui::PlaceView>("probe.place");
        const QPoint from = place->topPoint(f.sound("hum").position).toPoint();
        const QPoint to = place->topPoint(Vec3(-2.0F, 1.0F, 0.0F)).toPoint();
        QTest::mousePress(place, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 4; ++i) {
            QTest::mouseMove(place, from + (to - from) * i / 4);
            f.run(0.05);
        }
        QTest::mouseRelease(place, Qt::LeftButton, {}, to);
        f.run(0.2);
        QCOMPARE(f.shown().current(), (SoundKey{"hum", 0}));
        QCOMPARE(f.selection.primary(), std::string("hum"));
        QVERIFY(std::abs(f.sound("hum").position.x + 2.0F) < 0.1F);
        QVERIFY(f.scene() != before);
        QVERIFY(f.scene().find("# the hum") != std::string::npos);
        QCOMPARE(f.document.undoStack().count(), 1);
        f.document.undoStack().undo();
        f.run(0.2);
        QVERIFY(f.scene() == before);
        QVERIFY(std::abs(f.sound("hum").position.x - 3.0F) < 1e-3F);
    }

    // The figures are read off the output: a second analysis of the same samples says the same, and when the output is changed behind
    // the renderer's back, the figures change and its own numbers do not.
    void figuresComeFromTheOutput_data() {
        QTest::addColumn<double>("azimuth");
        for (const double azimuth : {-90.0, -30.0, 0.0, 45.0, 60.0, 120.0})
            QTest::addRow("%g", azimuth) << azimuth;
    }
    void figuresComeFromTheOutput() {
        QFETCH(double, azimuth);
        Fixture f;
        f.place(azimuth, 0.0, 2.0);
        const auto compare = [&] {
            const Second second = secondLook(newest(f, 0.34));
            const auto& figures = f.figures();
            QVERIFY(figures.itd.has_value() && figures.ild.has_value());
            QVERIFY2(std::abs(*figures.itd - second.itd) < 15e-6,
                     qPrintable(QStringLiteral("%1 us, second look %2 us")
                                    .arg(*figures.itd * 1e6)
                                    .arg(second.itd * 1e6)));
            for (std::size_t band = 0; band < 5; ++band)
                QVERIFY2(figures.bands[band] && std::abs(*figures.bands[band] - second.ild[band]) < 0.7,
                         qPrintable(QStringLiteral("band %1: %2 dB, second look %3 dB")
                                        .arg(band)
                                        .arg(*figures.bands[band])
                                        .arg(second.ild[band])));
            QVERIFY(std::abs(*figures.ild - second.ildAll) < 0.5);
        };
        compare();
        const ui::FiguresView::Figures plain = f.figures();
        const float told = f.view().stateOf({})->itd;
        audio::EarMix ears;
        ears.swap = true;
        f.panel->probe().setEars(ears);
        f.settle();
        compare();
        QVERIFY(std::abs(*f.figures().itd + *plain.itd) < 10e-6);
        QVERIFY(std::abs(*f.figures().ild + *plain.ild) < 0.7);
        QVERIFY(std::abs(f.view().stateOf({})->itd - told) < 1e-6F);
        ears.swap = false;
        ears.gain = {1.0F, 0.5011872F}; // the right ear 6 dB down
        f.panel->probe().setEars(ears);
        f.settle();
        compare();
        QVERIFY(std::abs(*f.figures().ild - *plain.ild + 6.0) < 0.5);
        for (std::size_t band = 0; band < 5; ++band)
            QVERIFY(std::abs(*f.figures().bands[band] - *plain.bands[band] + 6.0) < 0.7);
        QVERIFY(std::abs(*f.figures().itd - *plain.itd) < 10e-6);
    }

    void modesAreEquallyLoud() {
        Fixture f;
        f.place(30.0, 0.0, 2.0);
        QTRY_VERIFY_WITH_TIMEOUT((f.run(0.05), f.view().totals.masterGain > 0.0F), 5000);
        QThreadPool::globalInstance()->waitForDone();
        f.run(0.1);
        std::array<double, 4> levels{};
        const std::array modes = {audio::Mode::Hrtf, audio::Mode::Pan, audio::Mode::Mono, audio::Mode::Plain};
        for (std::size_t i = 0; i < modes.size(); ++i) {
            f.panel->setMode(modes[i]);
            f.run(0.4);
            const std::size_t at = f.heard.size();
            f.run(3.0);
            levels[i] = loudness(std::span<const float>(f.heard).subspan(at));
            QCOMPARE(f.view().soundMode, modes[i]);
        }
        for (const double level : levels)
            QVERIFY2(std::abs(level - levels[0]) < 1.5,
                     qPrintable(QStringLiteral("%1 and %2 LUFS").arg(level).arg(levels[0])));
        // B goes to and fro between binaural and the last other.
        QVERIFY(f.actions.trigger(QStringLiteral("probe.ab")).ok());
        f.run(0.2);
        QCOMPARE(f.view().soundMode, audio::Mode::Hrtf);
        QVERIFY(f.actions.trigger(QStringLiteral("probe.ab")).ok());
        f.run(0.2);
        QCOMPARE(f.view().soundMode, audio::Mode::Plain);
    }

    void soundsPlayInPlaceWithoutTheWorld() {
        Fixture f;
        f.panel->setCurrent({"click", 0});
        const std::uint64_t tick = f.session.world().tickCount();
        f.child<QToolButton>("probe.play")->click();
        f.run(0.2);
        QVERIFY(f.sound("click").tried);
        QVERIFY(f.view().stateOf({"click", 0}) != nullptr);
        QCOMPARE(f.view().stateOf({"click", 0})->reason, audio::SilentReason::Heard);
        QVERIFY(f.sound("click").position_s > 0.05);
        // Another beside it.
        f.panel->setCurrent({"hum", 0});
        f.child<QToolButton>("probe.play")->click();
        f.run(0.1);
        QVERIFY(f.sound("click").tried && f.sound("hum").tried);
        f.child<QToolButton>("probe.stop")->click();
        f.run(2.5); // half a second long, and its way
        QVERIFY(!f.sound("hum").tried);
        QVERIFY(!f.sound("click").tried);
        // In a loop, from the middle.
        f.panel->setCurrent({"click", 0});
        f.child<QToolButton>("probe.loop")->click();
        auto* seek = f.child<QSlider>("probe.seek");
        seek->setSliderDown(true);
        seek->setValue(500);
        seek->setSliderDown(false);
        f.run(0.1);
        QVERIFY(f.sound("click").position_s > 0.25);
        f.run(3.0);
        QVERIFY(f.sound("click").tried && f.sound("click").loop);
        f.child<QToolButton>("probe.stop")->click();
        f.run(0.2);
        QVERIFY(!f.sound("click").tried);
        QCOMPARE(f.session.world().tickCount(), tick);
        // A file that is not there is said, not silent.
        f.panel->setCurrent({"broken", 0});
        f.panel->playCurrent();
        QVERIFY(f.child<QLabel>("probe.said")->text().contains(QStringLiteral("nowhere.wav")));
    }

    // What is tried out is what the world would play: as high and as long.
    void aTrialIsTheSoundItself_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<double>("hertz"); // 0: no tone
        QTest::newRow("file at twice the pitch") << QStringLiteral("Chirp") << 0.25 << 2.0 * 0.05 * Rate / (2.0 * std::numbers::pi);
        QTest::newRow("tone") << QStringLiteral("Beep") << 0.5 / 1.5 << 450.0;
        QTest::newRow("signal") << QStringLiteral("Hiss") << 0.4 << 0.0;
    }
    void aTrialIsTheSoundItself() {
        QFETCH(QString, type);
        QFETCH(double, seconds);
        QFETCH(double, hertz);
        Fixture f("[scene]\nname = \"S\"\n[[entity]]\ntype = \"Head\"\nname = \"head\"\n[[entity]]\ntype = \"" + type.toUtf8()
                  + "\"\nname = \"it\"\nposition = [0.0, 0.0, -1.0]\n");
        const auto is = [&](const Heard& heard) {
            return std::abs(heard.seconds - seconds) < 0.02 && (hertz == 0.0 || std::abs(heard.hertz / hertz - 1.0) < 0.03);
        };
        f.panel->setCurrent({"it", 0});
        std::size_t from = f.heard.size();
        f.panel->playCurrent();
        f.run(0.2);
        const double pitch = static_cast<double>(f.sound("it").pitch);
        QVERIFY(std::abs(f.sound("it").position_s - 0.2 * pitch) < 0.06 * pitch);
        f.run(0.9);
        const Heard tried = heardSince(f, from);
        QVERIFY2(is(tried), qPrintable(QStringLiteral("%1 s, %2 Hz").arg(tried.seconds).arg(tried.hertz)));
        f.run(1.5);
        QVERIFY(!f.sound("it").tried);
        f.session.play();
        f.run(0.1);
        from = f.heard.size();
        QVERIFY(f.session.execute("send PlaySound it").ok);
        f.run(1.0);
        QVERIFY(is(heardSince(f, from)));
    }

    // The message that is selected in the window: the voice that it started is lit, and its sound is the one that is looked at.
    void theVoiceOfTheSelectedMessageIsLit() {
        Fixture f;
        const auto reader = f.session.recorder().addReader();
        f.session.recorder().setEnabled(true);
        f.session.play();
        f.run(0.1);
        QVERIFY(f.session.execute("send PlaySound click").ok);
        f.run(0.1);
        f.session.recorder().seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        std::uint64_t sequence = 0;
        for (const auto& segment : segments)
            segment->forEach([&](const RecordView& record) {
                if (record.type() == messageIdOf<PlaySound>())
                    sequence = record.sequence();
            });
        QVERIFY(sequence != 0);
        const auto* const table = f.child<QTableView>("probe.voices");
        const auto lit = [&] {
            QStringList entities;
            for (int row = 0; row < table->model()->rowCount(); ++row)
                if (const QModelIndex index = table->model()->index(row, ui::VoiceModel::Entity);
                    index.data(ui::VoiceModel::LitRole).toBool())
                    entities << index.data().toString();
            return entities;
        };
        f.panel->setCurrent({"hum", 0}, false);
        f.panel->followMessage(sequence + 1000); // it started none
        f.run(0.1);
        QCOMPARE(lit(), QStringList());
        QCOMPARE(f.panel->current(), (SoundKey{"hum", 0}));
        f.panel->followMessage(sequence);
        f.run(0.1);
        QCOMPARE(lit(), QStringList{QStringLiteral("click")});
        QCOMPARE(f.panel->current(), (SoundKey{"click", 0}));
        // Who looks at another sound then goes on looking at it.
        f.panel->setCurrent({"hum", 0}, false);
        f.run(0.1);
        QCOMPARE(f.panel->current(), (SoundKey{"hum", 0}));
        f.panel->followMessage(0);
        f.run(0.1);
        QCOMPARE(lit(), QStringList());
    }

    // From the middle on half of it is heard; one that loops goes on until it is told otherwise.
    void aTrialFromTheMiddleAndALoop() {
        Fixture f("[scene]\nname = \"S\"\n[[entity]]\ntype = \"Head\"\nname = \"head\"\n[[entity]]\ntype = \"Chirp\"\nname = \"it\"\n"
                  "position = [0.0, 0.0, -1.0]\n[[entity]]\ntype = \"Round\"\nname = \"round\"\nposition = [0.0, 0.0, -1.0]\n");
        f.panel->setCurrent({"it", 0});
        QVERIFY(!f.child<QToolButton>("probe.loop")->isChecked());
        auto* seek = f.child<QSlider>("probe.seek");
        const std::size_t from = f.heard.size();
        seek->setSliderDown(true);
        seek->setValue(500);
        seek->setSliderDown(false);
        f.run(0.5);
        QVERIFY2(std::abs(heardSince(f, from).seconds - 0.125) < 0.02, qPrintable(QString::number(heardSince(f, from).seconds)));
        f.panel->setCurrent({"round", 0});
        f.run(0.1);
        QVERIFY(f.child<QToolButton>("probe.loop")->isChecked());
        f.panel->playCurrent();
        f.run(1.0);
        QVERIFY(heardSince(f, f.heard.size() - 9600).seconds > 0.09);
        f.child<QToolButton>("probe.loop")->click();
        f.run(1.0);
        QCOMPARE(heardSince(f, f.heard.size() - 9600).seconds, 0.0);
    }

    void muteAndSolo() {
        Fixture f;
        f.session.play();
        f.run(0.5);
        QCOMPARE(f.view().stateOf({"hum", 0})->reason, audio::SilentReason::Heard);
        f.panel->setCurrent({"hum", 0});
        f.panel->toggleMuted();
        f.run(0.3);
        QVERIFY(f.sound("hum").muted);
        QCOMPARE(f.view().stateOf({"hum", 0})->reason, audio::SilentReason::Muted);
        const auto silent = newest(f, 0.1);
        QVERIFY(std::all_of(silent.begin(), silent.end(), [](float v) { return std::abs(v) < 1e-5F; }));
        f.panel->toggleMuted();
        // Another one's solo silences it, though that one does not sound.
        f.panel->setCurrent({"click", 0});
        f.panel->toggleSolo();
        f.run(0.3);
        QCOMPARE(f.view().stateOf({"hum", 0})->reason, audio::SilentReason::Muted);
        f.panel->setCurrent({"hum", 0});
        f.run(0.2);
        auto* why = f.child<ui::WhyView>("probe.why");
        QVERIFY(!why->steps()[5].passed);
        QCOMPARE(why->steps()[5].fix, QStringLiteral("End solo"));
        emit why->fixRequested(ui::HearingStep::What::Bus);
        f.run(0.3);
        QCOMPARE(f.view().stateOf({"hum", 0})->reason, audio::SilentReason::Heard);
        // It survives the end of the run, by name.
        f.panel->toggleMuted();
        f.run(0.1);
        f.session.stop();
        f.run(0.2);
        QVERIFY(f.sound("hum").muted);
    }

    void handlesOfTheCurveWriteTheScene() {
        Fixture f;
        const std::string before = f.scene();
        f.panel->setCurrent({"hum", 0});
        f.child<QTabWidget>("probe.tabs")->setCurrentIndex(2);
        f.run(0.1);
        auto* curve = f.child<ui::CurveView>("probe.curve");
        QCOMPARE(curve->maximum(), 40.0);
        const int y = curve->height() / 2;
        QTest::mousePress(curve, Qt::LeftButton, {}, {static_cast<int>(std::lround(curve->xOf(40.0))), y});
        QTest::mouseMove(curve, {static_cast<int>(std::lround(curve->xOf(25.0))), y});
        QTest::mouseMove(curve, {static_cast<int>(std::lround(curve->xOf(20.0))), y});
        QTest::mouseRelease(curve, Qt::LeftButton, {}, {static_cast<int>(std::lround(curve->xOf(20.0))), y});
        f.run(0.2);
        QVERIFY(std::abs(f.sound("hum").settings.maximumDistance - 20.0F) < 1.0F);
        QVERIFY(f.scene().find("maximum") != std::string::npos);
        QCOMPARE(f.document.undoStack().count(), 1);
        f.document.undoStack().undo();
        f.run(0.2);
        QVERIFY(f.scene() == before);
        QCOMPARE(f.sound("hum").settings.maximumDistance, 40.0F);
        QCOMPARE(curve->maximum(), 40.0);
    }

    // The picture's handle is the curve's.
    void handlesInThePicture() {
        Fixture f;
        f.panel->setCurrent({"hum", 0});
        f.run(0.1);
        QWidget picture;
        picture.resize(800, 600);
        ui::SoundOverlay overlay(f.theme, *f.panel);
        // From high above, looking down: x to the right, z towards the person.
        render::CameraView camera;
        camera.pose.position = Vec3(3.0F, 101.0F, 0.0F);
        camera.pose.rotation = fromEulerDegrees(Vec3(-90.0F, 0.0F, 0.0F));
        const double perMetre = 300.0 / (100.0 * std::tan(static_cast<double>(camera.fovY) / 2.0));
        const auto rayAt = [&](const QPointF& place) {
            const Vec3 target(3.0F + static_cast<float>((place.x() - 400.0) / perMetre), 1.0F,
                              static_cast<float>((place.y() - 300.0) / perMetre));
            return render::Ray{camera.pose.position, glm::normalize(target - camera.pose.position)};
        };
        overlay.attach(picture, rayAt, [&] { return camera; });
        QCOMPARE(*overlay.handle(true), Vec3(3.0F - 40.0F, 1.0F, 0.0F));
        const auto pixel = [&](double metres) {
            return QPoint(400 - static_cast<int>(std::lround(metres * perMetre)), 300);
        };
        QTest::mousePress(&picture, Qt::LeftButton, {}, pixel(40.0));
        QVERIFY(overlay.isDragging());
        QTest::mouseMove(&picture, pixel(32.0));
        // A console line meanwhile: its step comes after the drag's.
        ui::UndoOrder& order = f.document.undoOrder();
        order.answer(order.expect(), std::make_unique<QUndoCommand>(QStringLiteral("line")));
        QTest::mouseMove(&picture, pixel(30.0));
        QTest::mouseRelease(&picture, Qt::LeftButton, {}, pixel(30.0));
        f.run(0.2);
        QCOMPARE(f.document.undoStack().count(), 2);
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("line"));
        f.document.undoStack().undo();
        QVERIFY(std::abs(f.sound("hum").settings.maximumDistance - 30.0F) < 0.5F);
        f.document.undoStack().undo();
        f.run(0.2);
        QCOMPARE(f.sound("hum").settings.maximumDistance, 40.0F);
        // The other: the reference distance.
        const auto right = [&](double metres) { return QPoint(400 + static_cast<int>(std::lround(metres * perMetre)), 300); };
        QCOMPARE(*overlay.handle(false), Vec3(4.0F, 1.0F, 0.0F));
        QTest::mousePress(&picture, Qt::LeftButton, {}, right(1.0));
        QVERIFY(overlay.isDragging());
        QTest::mouseMove(&picture, right(4.0));
        QTest::mouseMove(&picture, right(5.0));
        QTest::mouseRelease(&picture, Qt::LeftButton, {}, right(5.0));
        f.run(0.2);
        QVERIFY(std::abs(f.sound("hum").settings.referenceDistance - 5.0F) < 0.3F);
        QCOMPARE(f.sound("hum").settings.maximumDistance, 40.0F);
        QCOMPARE(f.document.undoStack().index(), 1);
        f.document.undoStack().undo();
        f.run(0.2);
        QCOMPARE(f.sound("hum").settings.referenceDistance, 1.0F);
        render::View view;
        view.camera = camera;
        overlay.draw(view);
        QVERIFY(!view.debug.lines.empty());
        using Line = ui::SoundLegend::Line;
        QCOMPARE(overlay.legend()->lines(), (std::vector<Line>{Line::Open, Line::Reference, Line::Maximum}));
        overlay.setShown(false);
        QVERIFY(overlay.legend()->lines().empty());
    }

    // The blocked way to the ear says what blocks it, and a click on it selects that; so does the note beside the sound.
    void aClickOnTheWaySelectsWhatBlocksIt() {
        Fixture f(QByteArray(Scene)
                  + "\n[[entity]]\ntype = \"Wall\"\nname = \"wall\"\nposition = [0.0, 1.0, -2.0]\n");
        f.panel->setCurrent({"click", 0});
        f.settle();
        QWidget picture;
        picture.resize(800, 600);
        ui::SoundOverlay overlay(f.theme, *f.panel);
        render::CameraView camera; // from above; the way goes up the picture
        camera.pose.position = Vec3(0.0F, 11.0F, 0.0F);
        camera.pose.rotation = fromEulerDegrees(Vec3(-90.0F, 0.0F, 0.0F));
        const double perMetre = 300.0 / (10.0 * std::tan(static_cast<double>(camera.fovY) / 2.0));
        const auto rayAt = [&](const QPointF& place) {
            const Vec3 target(static_cast<float>((place.x() - 400.0) / perMetre), 1.0F, static_cast<float>((place.y() - 300.0) / perMetre));
            return render::Ray{camera.pose.position, glm::normalize(target - camera.pose.position)};
        };
        overlay.attach(picture, rayAt, [&] { return camera; });
        QStringList picked;
        connect(&overlay, &ui::SoundOverlay::obstaclePicked, this, [&](const QString& entity) { picked << entity; });
        const QPoint on(400, 300 - static_cast<int>(std::lround(3.0 * perMetre)));
        QTest::mouseClick(&picture, Qt::LeftButton, {}, on + QPoint(30, 0));
        QVERIFY(picked.isEmpty());
        QTest::mouseClick(&picture, Qt::LeftButton, {}, on);
        QCOMPARE(picked, QStringList{QStringLiteral("wall")});
        QCOMPARE(overlay.legend()->lines().front(), ui::SoundLegend::Line::Blocked);
        auto* note = f.child<QLabel>("probe.note");
        QVERIFY2(note->text().contains(QStringLiteral("wall")), qPrintable(note->text()));
        emit note->linkActivated(QStringLiteral("wall"));
        QCOMPARE(f.selection.primary(), std::string("wall"));
        // Open, there is nothing to select.
        QVERIFY(f.session.execute("audio.occlusion 0").ok);
        f.run(0.3);
        QTest::mouseClick(&picture, Qt::LeftButton, {}, on);
        QCOMPARE(picked.size(), 1);
    }

    // As a client of the session hears it: what was told to the server alone is not heard there.
    void hearsAsAClient() {
        Fixture f;
        QVERIFY(f.child<QToolButton>("probe.client")->isHidden());
        QVERIFY(f.session.execute("net.host 2").ok);
        f.run(2.0);
        auto* client = f.child<QToolButton>("probe.client");
        QVERIFY(!client->isHidden());
        const auto hums = [&] {
            const audio::SourceState* state = f.view().stateOf({"hum", 0});
            return state != nullptr && state->playing;
        };
        QVERIFY(hums());
        QVERIFY(f.session.execute("send StopSound hum").ok);
        f.run(0.5);
        QVERIFY(!hums());
        auto* menu = f.child<QMenu>("probe.clientMenu");
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 3);
        menu->actions()[2]->trigger();
        f.run(0.5);
        QCOMPARE(client->text(), QStringLiteral("Client 2"));
        QVERIFY(hums());
        QVERIFY(std::abs(f.sound("hum").place.azimuth - 90.0 * Degree) < 0.01); // from the same head
        f.panel->hearAs(0);
        f.run(0.5);
        QVERIFY(!hums());
        f.session.stop();
        f.run(0.3);
        QVERIFY(client->isHidden());
    }

    // As low as the panel is in a small window when nothing was arranged: nothing is squashed or cut, and all of it can be reached.
    void fitsLowPlaces_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("low");
        QTest::newRow("1280 x 720") << QSize(1280, 168) << true;
        QTest::newRow("1600 x 900") << QSize(1600, 200) << true;
        QTest::newRow("1280 x 720, layout Sound") << QSize(1280, 300) << false;
    }
    void fitsLowPlaces() {
        QFETCH(QSize, size);
        QFETCH(bool, low);
        Fixture f;
        f.panel->setCurrent({});
        f.panel->resize(size);
        f.run(0.2);
        QCOMPARE(f.panel->height(), size.height());
        auto* tabs = f.child<QTabWidget>("probe.tabs");
        QStringList names;
        for (int i = 0; i < tabs->count(); ++i)
            names << tabs->tabText(i);
        QCOMPARE(names.contains(QStringLiteral("Waves")), low);
        // Each has the height that it asks for, and lies within the panel.
        for (int i = 0; i < tabs->count(); ++i) {
            tabs->setCurrentIndex(i);
            f.run(0.1);
            for (const QWidget* each : f.panel->findChildren<QWidget*>()) {
                if (!each->isVisible() || each->objectName().isEmpty()
                    || !each->objectName().startsWith(QStringLiteral("probe."))
                    || each->objectName() == QStringLiteral("probe.why")) // it scrolls
                    continue;
                const QRect at(each->mapTo(f.panel.get(), QPoint(0, 0)), each->size());
                QVERIFY2(f.panel->rect().contains(at), qPrintable(each->objectName()));
                QVERIFY2(each->height() >= each->minimumSizeHint().height(),
                         qPrintable(QStringLiteral("%1: %2 of %3")
                                        .arg(each->objectName())
                                        .arg(each->height())
                                        .arg(each->minimumSizeHint().height())));
            }
        }
        // Rows of voices are seen.
        tabs->setCurrentIndex(0);
        f.run(0.1);
        auto* table = f.child<QTableView>("probe.voices");
        QVERIFY2(table->viewport()->height() >= 3 * table->rowHeight(0),
                 qPrintable(QString::number(table->viewport()->height())));
        // And back.
        f.panel->resize(1280, 360);
        f.run(0.1);
        QVERIFY(f.child<QWidget>("probe.wave")->isVisible() && f.child<QWidget>("probe.filter")->isVisible());
    }

    // Beside other docks of a small window too: nothing is cut off, and the meters are a tab.
    void fitsNarrowPlaces() {
        Fixture f;
        f.panel->resize(600, 320);
        f.run(0.2);
        QVERIFY2(f.panel->minimumSizeHint().width() <= 600, qPrintable(QString::number(f.panel->minimumSizeHint().width())));
        auto* tabs = f.child<QTabWidget>("probe.tabs");
        QCOMPARE(tabs->tabText(0), QStringLiteral("Places"));
        QVERIFY(f.child<ui::PlaceView>("probe.place")->isVisible());
        tabs->setCurrentIndex(1);
        QVERIFY(f.child<ui::EarMeters>("probe.meters")->isVisible());
        QVERIFY(f.child<ui::FiguresView>("probe.figures")->width() >= f.child<ui::FiguresView>("probe.figures")->minimumSizeHint().width());
        QVERIFY(tabs->mapTo(f.panel.get(), tabs->rect().bottomRight()).x() < f.panel->width());
        QVERIFY2(tabs->width() > f.panel->width() - 260, qPrintable(QString::number(tabs->width()))); // all that the hands leave
        const auto fits = [&](const char* name) {
            const auto* area = f.child<QWidget>(name);
            for (const QWidget* each : area->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                if (each->isVisible() && each->geometry().right() >= area->width())
                    return false;
            return true;
        };
        QVERIFY(fits("probe.bar"));
        QVERIFY(fits("probe.hands"));
        const QString narrow = f.child<QToolButton>("probe.device")->toolTip();
        QVERIFY2(narrow.contains(QStringLiteral("No device")), qPrintable(narrow));
        f.panel->resize(1280, 360);
        f.run(0.2);
        QCOMPARE(tabs->tabText(0), QStringLiteral("Voices"));
        QVERIFY(f.child<ui::EarMeters>("probe.meters")->isVisible());
        QVERIFY(f.child<ui::PlaceView>("probe.place")->isVisible());
        QVERIFY(fits("probe.bar"));
        // The places are the largest part, the meters have no more than they need, and the tabs' names stand there whole.
        const QTabBar& bar = *tabs->tabBar();
        QCOMPARE(bar.elideMode(), Qt::ElideNone);
        if (bar.sizeHint().width() <= tabs->width()) // else it scrolls: the font is a wide one
            QVERIFY2(bar.tabRect(bar.count() - 1).right() < tabs->width(), qPrintable(QString::number(bar.tabRect(bar.count() - 1).right())));
        const int places = f.child<ui::PlaceView>("probe.place")->width();
        QVERIFY2(places > 280, qPrintable(QString::number(places)));
        QVERIFY(f.child<ui::EarMeters>("probe.meters")->width() < 400);
    }

    void reflectionsLeaveTheWallsAsLightDoes() {
        audio::Room room;
        room.present = true;
        room.centre = {1.0, 2.0, 3.0};
        room.rotation = glm::angleAxis(0.4F, Vec3(0.0F, 1.0F, 0.0F));
        const Vec3 ear(0.5F, 2.2F, 2.0F);
        const Vec3 sound(2.0F, 1.5F, 4.5F);
        const std::vector<Vec3> points = ui::firstReflections(room, ear, sound);
        QCOMPARE(points.size(), std::size_t(6));
        for (std::size_t i = 0; i < 6; ++i) {
            Vec3 normal(0.0F);
            normal[static_cast<int>(i / 2)] = 1.0F;
            normal = room.rotation * normal;
            const Vec3 in = glm::normalize(points[i] - ear);
            const Vec3 out = glm::normalize(sound - points[i]);
            // Mirrored at the wall.
            QVERIFY(glm::length(in - 2.0F * glm::dot(in, normal) * normal - out) < 1e-4F);
        }
        QVERIFY(ui::firstReflections(room, Vec3(50.0F), sound).empty());
    }

    void listenersAreSwitchedWithoutAClick() {
        Fixture f;
        f.session.play();
        f.run(0.5);
        f.panel->setCurrent({"hum", 0});
        const auto roughest = [&](double seconds) {
            float most = 0.0F;
            const auto samples = newest(f, seconds);
            for (std::size_t n = 4; n < samples.size(); ++n)
                most = std::max(most, std::abs(samples[n] - 2.0F * samples[n - 2] + samples[n - 4]));
            return most;
        };
        const float steady = roughest(0.3);
        auto* listener = f.child<QComboBox>("probe.listener");
        f.selection.setEntity("click", QStringLiteral("test"));
        f.child<QToolButton>("probe.pick")->click();
        f.run(0.3);
        QCOMPARE(f.view().earName, std::string("click"));
        QCOMPARE(listener->currentText(), QStringLiteral("click"));
        QVERIFY(std::abs(f.sound("hum").place.distance - 5.0) < 1e-3);
        QVERIFY2(roughest(0.3) < 3.0F * steady,
                 qPrintable(QStringLiteral("%1, steady %2").arg(roughest(0.3)).arg(steady)));
        // A camera.
        Pose camera;
        camera.position = Vec3(3.0F, 1.0F, 2.0F);
        f.panel->setCamera([&] { return camera; });
        listener->setCurrentIndex(1);
        emit listener->activated(1);
        f.run(0.3);
        QVERIFY(std::abs(f.sound("hum").place.distance - 2.0) < 1e-3);
        // Staying where it is, though the camera goes.
        listener->setCurrentIndex(2);
        emit listener->activated(2);
        camera.position = Vec3(0.0F);
        f.run(0.3);
        QVERIFY(std::abs(f.sound("hum").place.distance - 2.0) < 1e-3);
        emit listener->activated(0);
        f.run(0.3);
        QCOMPARE(f.view().earName, std::string("head"));
        QVERIFY(std::abs(f.view().stateOf({"hum", 0})->distance - 3.0F) < 0.05F);
    }

    void aWallIsToldAndHeard() {
        Fixture f(QByteArray(Scene)
                  + "\n[[entity]]\ntype = \"Wall\"\nname = \"wall\"\nposition = [0.0, 1.0, -2.0]\n");
        QVERIFY(f.sound("click").hidden);
        QCOMPARE(f.sound("click").obstacle, std::string("wall"));
        QVERIFY(std::abs(f.sound("click").hit.z + 1.9F) < 0.05F);
        f.panel->setCurrent({"click", 0});
        f.panel->playCurrent();
        f.run(0.2);
        QVERIFY(f.view().stateOf({"click", 0})->occlusionGain < 0.9F);
        QVERIFY(f.session.execute("audio.occlusion 0").ok);
        f.run(0.2);
        QVERIFY(f.view().stateOf({"click", 0})->occlusionGain > 0.99F);
        QVERIFY(f.child<QLabel>("probe.note")->text().contains(QStringLiteral("taken for open")));
    }

    void oneKeyStartsAFlyBy() {
        Fixture f;
        QVERIFY(f.actions.trigger(QStringLiteral("probe.flyBy")).ok());
        double highest = 0.0;
        double lowest = 10.0;
        double nearest = 1e9;
        for (int i = 0; i < 80; ++i) {
            f.run(0.05);
            if (const audio::SourceState* state = f.view().stateOf({}); state != nullptr && state->playing) {
                highest = std::max(highest, static_cast<double>(state->dopplerRatio));
                lowest = std::min(lowest, static_cast<double>(state->dopplerRatio));
                nearest = std::min(nearest, static_cast<double>(state->distance));
            }
        }
        // 20 m/s: c / (c -+ v).
        QVERIFY(std::abs(highest - 340.29 / 320.29) < 0.003);
        QVERIFY(std::abs(lowest - 340.29 / 360.29) < 0.003);
        QVERIFY(nearest < 3.0);
        QVERIFY(!f.shown().source().on); // it was off before
        QCOMPARE(f.shown().source().path, ProbeSource::Path::Still);
    }

    void headsAreExchanged() {
        Fixture f;
        f.place(60.0, 0.0, 2.0);
        f.child<QTabWidget>("probe.tabs")->setCurrentIndex(3);
        f.run(0.2);
        auto* response = f.child<ui::SpectrumView>("probe.response");
        const std::vector<float> before = response->curve(1);
        QVERIFY(!before.empty());
        // A sphere lifts what reaches its near side by up to 6 dB, and the far ear hears less.
        QVERIFY(before.back() > response->curve(0).back() + 3.0F);
        const QString bad = f.path("bad.sofa");
        write(bad, "no SOFA file");
        f.panel->loadHrtf(bad);
        QTRY_VERIFY_WITH_TIMEOUT(
            (f.run(0.02),
             f.child<QLabel>("probe.said")->text().contains(QStringLiteral("bad.sofa"))
                 && !f.child<QLabel>("probe.said")->text().startsWith(QStringLiteral("Reading"))),
            10000);
        QVERIFY(response->curve(1) == before);
        // Another, half as large: the ears are closer.
        f.panel->probe().setHrtf(audio::HrtfSet::sphere(Rate, 0.045), "small");
        const double wide = *f.figures().itd;
        f.settle();
        QVERIFY(*f.figures().itd < 0.65 * wide);
    }

    // Who always answers rightly has ten of ten; who answers "left" to everything has as many as there were.
    void theQuizScoresHeads() {
        Fixture f;
        f.child<QTabWidget>("probe.tabs")->setCurrentIndex(3);
        f.run(0.2);
        auto* quiz = f.child<ui::HeadQuiz>("probe.quiz");
        double asked = 0.0;
        connect(quiz, &ui::HeadQuiz::soundRequested, this, [&](double azimuth) { asked = azimuth; });
        f.child<QToolButton>("probe.quiz.start")->click();
        for (int i = 0; i < ui::HeadQuiz::Trials; ++i) {
            QVERIFY(quiz->isRunning());
            f.run(0.1);
            const ProbeSound& own = f.view().sounds.back();
            QVERIFY(own.tried
                    && std::abs(std::remainder(own.place.azimuth - asked * Degree, 2.0 * std::numbers::pi))
                           < 0.01);
            const int side = asked < 0.0 ? 0 : asked == 90.0 ? 1 : asked == 0.0 ? 2 : 3;
            quiz->findChild<QToolButton*>(QStringLiteral("probe.quiz.answer%1").arg(side))->click();
        }
        QVERIFY(!quiz->isRunning());
        QCOMPARE(quiz->scores().size(), 1);
        QCOMPARE(quiz->scores().first(), 10);
        f.run(0.2);
        QVERIFY(!f.shown().source().on);
        f.panel->probe().setHrtf(audio::HrtfSet::sphere(Rate, 0.045), "small");
        f.run(0.3);
        f.child<QToolButton>("probe.quiz.start")->click();
        int lefts = 0;
        for (int i = 0; i < ui::HeadQuiz::Trials; ++i) {
            lefts += asked < 0.0 ? 1 : 0;
            quiz->answer(ui::HeadQuiz::Side::Left);
        }
        QCOMPARE(quiz->scores().size(), 2);
        QCOMPARE(quiz->scores()[QStringLiteral("small")], lefts);
        if (lefts < 10)
            QVERIFY(!f.child<QLabel>("probe.quiz.text")->text().contains(QStringLiteral("small suits you")));
    }

    void recordsWhatIsHeard() {
        Fixture f;
        f.place(-40.0, 0.0, 1.5);
        const QString file = f.path("out.wav");
        f.panel->record(file);
        QVERIFY(f.shown().isRecording());
        f.run(1.5);
        QVERIFY(f.child<QLabel>("probe.said")->text().contains(QStringLiteral("LUFS")));
        f.panel->stopRecording();
        const auto read = audio::inspectSound(file.toStdString());
        QVERIFY(read.ok());
        QCOMPARE(read->channels, 2);
        QVERIFY(std::abs(read->seconds - 1.5) < 0.1);
        // Sample for sample what was rendered.
        QFile wav(file);
        QVERIFY(wav.open(QIODevice::ReadOnly));
        const QByteArray bytes = sound_test::samplesOf(wav.readAll());
        std::vector<float> samples(static_cast<std::size_t>(bytes.size()) / sizeof(float));
        std::memcpy(samples.data(), bytes.constData(), samples.size() * sizeof(float));
        QVERIFY(samples.size() > 100000);
        const auto found =
            std::search(f.heard.begin(), f.heard.end(), samples.begin(), samples.begin() + 4096);
        QVERIFY(found != f.heard.end());
        QVERIFY(std::equal(samples.begin(), samples.begin() + 100000, found));
        // And the second look at it says what the panel says.
        const Second second =
            secondLook(std::span<const float>(samples).last(static_cast<std::size_t>(0.34 * Rate) * 2));
        QVERIFY(std::abs(second.itd - *f.figures().itd) < 20e-6);
        QVERIFY(second.itd < -200e-6);
    }

    // What begins to sound while it is recorded is a cue point, named by the message that started it.
    void recordingsHaveCuePoints() {
        Fixture f;
        f.session.play();
        f.run(0.5);
        QVERIFY(f.session.execute("send StopSound hum").ok);
        f.run(0.5);
        const QString file = f.path("cues.wav");
        f.panel->record(file);
        f.run(0.5);
        QVERIFY(f.session.execute("send PlaySound click").ok);
        f.run(1.0);
        f.panel->stopRecording();
        const auto marks = audio::marksOf(file.toStdString());
        QVERIFY(marks.ok());
        QCOMPARE(marks->size(), std::size_t(1));
        QVERIFY2(marks->front().text.starts_with("#") && marks->front().text.ends_with(" click: click.wav"), marks->front().text.c_str());
        const auto sound = audio::inspectSound(file.toStdString());
        QVERIFY(sound.ok() && std::abs(sound->seconds - 1.5) < 0.1);
        // There the silence ends.
        QFile wav(file);
        QVERIFY(wav.open(QIODevice::ReadOnly));
        const QByteArray bytes = sound_test::samplesOf(wav.readAll());
        std::int64_t first = 0;
        float sample = 0.0F;
        while (std::abs(sample) < 1e-4F && first * 8 + 8 <= bytes.size())
            std::memcpy(&sample, bytes.constData() + first++ * 8, sizeof sample);
        QVERIFY2(std::abs(first - marks->front().at) < 96, qPrintable(QStringLiteral("heard at %1, marked at %2").arg(first).arg(marks->front().at)));
    }

    void whyItIsNotHeard() {
        Fixture f;
        f.panel->setCurrent({"hum", 0});
        f.run(0.1);
        auto* why = f.child<ui::WhyView>("probe.why");
        QCOMPARE(why->steps().size(), std::size_t(7));
        QVERIFY(!why->steps()[0].passed);
        QCOMPARE(why->steps()[0].fix, QStringLiteral("Play here"));
        QVERIFY(!why->steps()[2].reached);
        QVERIFY(!why->steps()[6].passed); // the test is no device
        emit why->fixRequested(ui::HearingStep::What::Played);
        f.run(0.2);
        QVERIFY(why->steps()[0].passed && why->steps()[2].passed);
        // Beyond its maximum.
        f.panel->setField(QStringLiteral("maximum"), 2.0, true);
        f.run(0.4);
        QVERIFY(!why->steps()[2].passed);
        QCOMPARE(f.view().stateOf({"hum", 0})->reason, audio::SilentReason::Distance);
        auto* table = f.child<QTableView>("probe.voices");
        bool said = false;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            said = said
                   || table->model()->index(row, ui::VoiceModel::State).data().toString()
                          == QStringLiteral("Silent: beyond 2 m");
        QVERIFY(said);
        emit why->fixRequested(ui::HearingStep::What::Distance);
        f.run(0.4);
        QVERIFY(why->steps()[2].passed);
    }

    void saysWhatItIsWithoutDeviceOrSound() {
        Fixture f;
        QCOMPARE(f.child<QToolButton>("probe.device")->text(), QStringLiteral("No device (measuring only)"));
        Fixture silent(Scene, false);
        QVERIFY(!silent.view().ready);
        QVERIFY(!silent.child<QWidget>("probe.bar")->isVisible());
    }

    void hiddenItLetsGo() {
        Fixture f;
        QVERIFY(f.session.idleTurn()); // watched
        f.panel->hide();
        f.run(0.1);
        f.session.runPosted();
        f.run(3.0);
        QVERIFY(!f.session.idleTurn());
    }
};

QTEST_MAIN(TestPanel)
#include "tst_panel.moc"
