// The entity browser's sounds: a file of the project, which nothing need use, and a type that sounds are played where they stand in the
// list. The test is the session's thread and the sound device.

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSlider>
#include <QToolButton>
#include <QtTest>

#include "engine/audio/hrtf_set.h"
#include "engine/audio/renderer.h"
#include "engine/audio/sound_file.h"
#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "engine/soundstage/sound_stage.h"
#include "tests/soundstage/recorded_sound.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/sound_transport.h"
#include "widgets/common/theme.h"
#include "widgets/outliner/entity_browser.h"

#include <cmath>
#include <memory>
#include <numbers>

using namespace sbx;
using namespace sbx::ui;

namespace {

constexpr double Rate = 48000.0;
constexpr std::size_t TickFrames = 800;

struct Fixture {
    QTemporaryDir dir;
    Log log;
    Session session{log, addConsoleCommands};
    Theme theme;
    SessionFeed feed{session};
    Document document{dir.filePath(QStringLiteral("state"))};
    ProjectModel project{document, feed};
    std::unique_ptr<audio::Renderer> renderer;
    std::unique_ptr<SoundStage> stage;
    std::unique_ptr<EntityBrowser> browser;
    SoundTransport* transport = nullptr;
    std::vector<float> samples;

    Fixture() {
        write("project.toml", "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n");
        write("e.toml", "[Crate]\n[Crate.Health]\n\n[Bell]\n[Bell.Sound]\nfile = \"sounds/used.wav\"\npitch = 2.0\n");
        write("s.scene.toml", "[scene]\nname = \"S\"\n");
        tone("sounds/used.wav", 400.0);
        tone("sounds/spare.wav", 600.0);
        audio::RendererSettings settings;
        settings.sampleRate = Rate;
        settings.maximumSources = 16;
        auto made = audio::Renderer::create(settings, audio::HrtfSet::sphere(Rate));
        if (!made)
            qFatal("%s", made.error().toString().c_str());
        renderer = std::move(*made);
        stage = std::make_unique<SoundStage>(*renderer, SoundStage::Clock::Device);
        session.sound().setStage(stage.get());
        theme.apply(*qApp);
        browser = std::make_unique<EntityBrowser>(theme, project, feed);
        browser->resize(240, 300);
        browser->show();
        if (const Result<void> opened = project.open(dir.filePath(QStringLiteral("p"))); !opened)
            qFatal("%s", opened.error().toString().c_str());
        transport = browser->findChild<SoundTransport*>(QStringLiteral("transport"));
        run(0.1);
    }
    ~Fixture() {
        browser.reset();
        session.runPosted();
        session.sound().setStage(nullptr);
    }
    [[nodiscard]] QString path(const char* name) const { return dir.filePath(QStringLiteral("p/") + QLatin1String(name)); }
    void write(const char* name, const QByteArray& text) {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", name);
    }
    // Half a second.
    void tone(const char* name, double hertz) {
        QDir().mkpath(QFileInfo(path(name)).path());
        std::vector<float> out(2 * 24000);
        for (std::size_t n = 0; n < 24000; ++n)
            out[2 * n] = out[2 * n + 1] = 0.2F * static_cast<float>(std::sin(2.0 * std::numbers::pi * hertz * static_cast<double>(n) / Rate));
        if (!audio::writeWav(path(name).toStdString(), out, Rate))
            qFatal("no sound file");
    }
    void run(double seconds) {
        for (int i = 0; i < static_cast<int>(std::lround(seconds * 60.0)); ++i) {
            transport->refresh();
            session.runPosted();
            session.publish();
            feed.poll();
            samples.resize(samples.size() + TickFrames * 2);
            renderer->render(std::span(samples).last(TickFrames * 2));
            QCoreApplication::processEvents();
        }
        transport->refresh();
    }
    [[nodiscard]] sound_test::LengthAndPitch since(std::size_t from) const {
        return sound_test::lengthAndPitch(std::span<const float>(samples).subspan(from));
    }
    [[nodiscard]] QModelIndex row(const char* name) const {
        const QAbstractItemModel& model = *browser->view().model();
        for (int i = 0; i < model.rowCount(); ++i)
            if (model.index(i, 0).data().toString() == QLatin1String(name))
                return model.index(i, 0);
        return {};
    }
    [[nodiscard]] QStringList names() const {
        QStringList out;
        for (int i = 0; i < browser->view().model()->rowCount(); ++i)
            out << browser->view().model()->index(i, 0).data().toString();
        return out;
    }
    void choose(const char* name) {
        browser->view().setCurrentIndex(row(name));
        run(0.1);
    }
    template <typename T> T* part(const char* name) const { return transport->findChild<T*>(QLatin1String(name)); }
};

} // namespace

class TestBrowserSound : public QObject {
    Q_OBJECT
private slots:
    // Without another program coming to the front and back.
    void aFileThatComesIsListed() {
        Fixture f;
        const QAbstractItemModel& rows = *f.browser->view().model();
        const auto listed = [&](const char* name) {
            return !rows.match(rows.index(0, 0), Qt::DisplayRole, QString::fromUtf8(name), 1,
                               Qt::MatchExactly)
                        .isEmpty();
        };
        QVERIFY(listed("sounds/spare.wav") && !listed("sounds/late.wav"));
        f.tone("sounds/late.wav", 500.0);
        QTRY_VERIFY_WITH_TIMEOUT(listed("sounds/late.wav"), 10'000);
        QVERIFY(QFile::remove(f.path("sounds/late.wav")));
        QTRY_VERIFY_WITH_TIMEOUT(!listed("sounds/late.wav"), 10'000);
    }

    void filesStandBelowTheTypes() {
        Fixture f;
        const QAbstractItemModelTester tester(f.browser->view().model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(f.names(), QStringList({"This project", "Crate", "Bell", "Built in", "Empty", "Box", "Sphere", "Capsule", "Cylinder",
                                         "Plane", "Mesh", "Light", "Camera", "Sound", "Trigger", "Sound files", "sounds/spare.wav",
                                         "sounds/used.wav"}));
        // A file is no type: it is not dragged into the picture, and nothing is made of it.
        QVERIFY(!(f.row("sounds/spare.wav").flags() & Qt::ItemIsDragEnabled));
        QVERIFY(f.row("Bell").flags() & Qt::ItemIsDragEnabled);
        f.choose("sounds/spare.wav");
        QCOMPARE(f.browser->currentType(), QString());
        QSignalSpy created(f.browser.get(), &EntityBrowser::createRequested);
        emit f.browser->view().doubleClicked(f.row("sounds/spare.wav"));
        QCOMPARE(created.count(), 0);
        emit f.browser->view().doubleClicked(f.row("Crate"));
        QCOMPARE(created.count(), 1);
    }

    // A text finds types and files by name and description; a group without any is not headed. A heading is nothing to make or drag.
    void groupsAreHeadedAndSearched() {
        Fixture f;
        const QModelIndex heading = f.row("Built in");
        QCOMPARE(heading.flags(), Qt::ItemFlags(Qt::NoItemFlags));
        QSignalSpy created(f.browser.get(), &EntityBrowser::createRequested);
        emit f.browser->view().doubleClicked(heading);
        QCOMPARE(created.count(), 0);
        auto* find = f.browser->findChild<QLineEdit*>(QStringLiteral("entities.filter"));
        auto* count = f.browser->findChild<QLabel*>(QStringLiteral("entities.count"));
        QVERIFY(find != nullptr && count != nullptr);
        const auto search = [&](const char* text) {
            find->setText(QString::fromUtf8(text));
            QTest::keyClick(find, Qt::Key_Return);
            return f.names();
        };
        QCOMPARE(search("LAMP"), QStringList({"Built in", "Light"}));
        QCOMPARE(search("bel"), QStringList({"This project", "Bell"}));
        QCOMPARE(search("spare"), QStringList({"Sound files", "sounds/spare.wav"}));
        QVERIFY2(count->text().startsWith(QLatin1Char('1')), qPrintable(count->text()));
        QVERIFY2(count->text().contains(QStringLiteral("15")), qPrintable(count->text()));
        QCOMPARE(search("").size(), qsizetype{18});
        // The project's own type takes the place of the built-in one.
        QVERIFY(f.document.setText("e.toml", f.document.text("e.toml") + "\n[Light]\ndoc = \"Ours.\"\n", QStringLiteral("type")).ok());
        f.project.refresh();
        QCOMPARE(f.names().mid(0, 4), QStringList({"This project", "Crate", "Bell", "Light"}));
        QCOMPARE(f.names().count(QStringLiteral("Light")), 1);
    }

    void whatSoundsIsPlayed_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<double>("hertz");
        QTest::addColumn<double>("seconds");
        QTest::newRow("a file that nothing uses") << QByteArray("sounds/spare.wav") << 600.0 << 0.5;
        QTest::newRow("a file, at its own pitch") << QByteArray("sounds/used.wav") << 400.0 << 0.5;
        QTest::newRow("a type, as it is defined") << QByteArray("Bell") << 800.0 << 0.25;
    }
    void whatSoundsIsPlayed() {
        QFETCH(QByteArray, name);
        QFETCH(double, hertz);
        QFETCH(double, seconds);
        Fixture f;
        f.choose("Crate");
        QVERIFY(!f.transport->isVisibleTo(f.browser.get()));
        f.choose(name.constData());
        QVERIFY(f.transport->isVisibleTo(f.browser.get()));
        std::size_t from = f.samples.size();
        f.part<QToolButton>("transport.play")->click();
        f.run(1.0);
        const sound_test::LengthAndPitch heard = f.since(from);
        QVERIFY2(std::abs(heard.seconds - seconds) < 0.02 && std::abs(heard.hertz / hertz - 1.0) < 0.03,
                 qPrintable(QStringLiteral("%1 s, %2 Hz").arg(heard.seconds).arg(heard.hertz)));
        QCOMPARE(f.session.mode(), Mode::Edit);
        QCOMPARE(f.session.world().tickCount(), std::uint64_t{0});
        // From the middle; over and over; until it is stopped.
        from = f.samples.size();
        auto* seek = f.part<QSlider>("transport.seek");
        seek->setSliderDown(true);
        seek->setValue(seek->maximum() / 2);
        seek->setSliderDown(false);
        f.run(1.0);
        QVERIFY2(std::abs(f.since(from).seconds - seconds / 2.0) < 0.02, qPrintable(QString::number(f.since(from).seconds)));
        f.part<QToolButton>("transport.loop")->click();
        f.transport->play();
        f.run(1.5);
        QVERIFY(f.since(f.samples.size() - 9600).seconds > 0.09);
        f.part<QToolButton>("transport.stop")->click();
        f.run(0.2);
        from = f.samples.size();
        f.run(0.2);
        QCOMPARE(f.since(from).seconds, 0.0);
    }

    // One that came while another program was in front; one that is gone says so.
    void filesComeAndGo() {
        Fixture f;
        f.tone("late.wav", 500.0);
        QVERIFY(QFile::remove(f.path("sounds/spare.wav")));
        f.choose("sounds/spare.wav");
        QVERIFY(!f.part<QToolButton>("transport.play")->isEnabled());
        QVERIFY2(f.part<QToolButton>("transport.play")->toolTip().contains(QStringLiteral("spare.wav")),
                 qPrintable(f.part<QToolButton>("transport.play")->toolTip()));
        f.choose("Bell");
        qApp->setActiveWindow(nullptr);
        qApp->setActiveWindow(f.browser.get());
        f.run(0.1);
        QVERIFY(f.row("late.wav").isValid());
        QVERIFY(!f.row("sounds/spare.wav").isValid());
        QCOMPARE(f.browser->currentType(), QStringLiteral("Bell"));
    }
};

QTEST_MAIN(TestBrowserSound)
#include "tst_browser_sound.moc"
