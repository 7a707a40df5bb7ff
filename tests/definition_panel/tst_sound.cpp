// A sound can be played where its definition stands: by itself, as high and as long as it says, without the world.

#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>

#include "engine/audio/hrtf_set.h"
#include "engine/audio/renderer.h"
#include "engine/soundstage/sound_stage.h"
#include "tests/definition_panel/panel_fixture.h"
#include "tests/soundstage/recorded_sound.h"
#include "widgets/common/sound_transport.h"

#include <cmath>
#include <numbers>

using namespace sbx;
using namespace sbx::ui;

namespace {

constexpr double Rate = 48000.0;
constexpr std::size_t TickFrames = 800;

const std::string Sounds = Entities
                           + "\n[Bell]\n[Bell.Sound]\nfile = \"bell.wav\" # rings\npitch = 2.0\n"
                             "\n[Pair]\n[[Pair.Sound]]\nsource = \"tone\"\nfrequency = 300.0\nlength = 0.5\n"
                             "\n[[Pair.Sound]]\nsource = \"tone\"\nfrequency = 900.0\nlength = 0.5\n"
                             "\n[Gone]\n[Gone.Sound]\nfile = \"nowhere.wav\"\n"
                             "\n[Horn]\nextends = \"Bell\"\n[Horn.Sound]\nloop = true\n";

// The panel's project, with ears: the test is the session's thread and the sound device.
struct Heard : PanelFixture {
    std::unique_ptr<audio::Renderer> renderer;
    std::unique_ptr<SoundStage> stage;
    std::vector<float> samples;
    SoundTransport* transport = nullptr;

    explicit Heard(const std::string& text = Sounds) : PanelFixture(text) {
        std::vector<float> bell(2 * 24000); // half a second of 400 Hz
        for (std::size_t n = 0; n < 24000; ++n)
            bell[2 * n] = bell[2 * n + 1] = 0.2F * static_cast<float>(std::sin(2.0 * std::numbers::pi * 400.0 * static_cast<double>(n) / Rate));
        if (!audio::writeWav((folder.path() + QStringLiteral("/yard/bell.wav")).toStdString(), bell, Rate))
            qFatal("no sound file");
        audio::RendererSettings settings;
        settings.sampleRate = Rate;
        settings.maximumSources = 16;
        auto made = audio::Renderer::create(settings, audio::HrtfSet::sphere(Rate));
        if (!made)
            qFatal("%s", made.error().toString().c_str());
        renderer = std::move(*made);
        stage = std::make_unique<SoundStage>(*renderer, SoundStage::Clock::Device);
        session.sound().setStage(stage.get());
        panel->activateWindow();
        panel->editor().setFocus(); // without it a caret that moves is not drawn, and not told of
        transport = panel->findChild<SoundTransport*>(QStringLiteral("transport"));
    }
    ~Heard() {
        panel.reset();
        session.runPosted();
        session.sound().setStage(nullptr);
    }
    void run(double seconds) {
        for (int i = 0; i < static_cast<int>(std::lround(seconds * 60.0)); ++i) {
            transport->refresh();
            live();
            if (!stage->held()) {
                samples.resize(samples.size() + TickFrames * 2);
                renderer->render(std::span(samples).last(TickFrames * 2));
            }
            QCoreApplication::processEvents();
        }
        transport->refresh();
    }
    // The caret there, and all that follows from it.
    void goTo(const std::string& what) {
        QSignalSpy moved(&panel->editor(), &CodeView::caretMoved);
        caretBehind(what);
        panel->binding().reveal(panel->binding().caret());
        if (moved.isEmpty()) // the text tells of it as it is drawn
            moved.wait(5000);
        run(0.1);
    }
    // What was heard since `from`.
    [[nodiscard]] sound_test::LengthAndPitch since(std::size_t from) const {
        return sound_test::lengthAndPitch(std::span<const float>(samples).subspan(from));
    }
    template <typename T> T* part(const char* name) const { return transport->findChild<T*>(QLatin1String(name)); }
};

} // namespace

class TestSound : public QObject {
    Q_OBJECT
private slots:
    void isThereWhereASoundIs() {
        Heard f;
        f.goTo("shape = ");
        QVERIFY(!f.transport->isVisibleTo(f.panel.get()));
        f.goTo("bell.wav");
        QVERIFY(f.transport->isVisibleTo(f.panel.get()));
        QCOMPARE(f.transport->subject().type, std::string("Bell"));
        f.goTo("frequency = 300");
        QCOMPARE(f.transport->subject().type, std::string("Pair"));
        QCOMPARE(f.transport->subject().index, 0);
        f.goTo("frequency = 900");
        QCOMPARE(f.transport->subject().index, 1);
        f.goTo("maximum = ");
        QVERIFY(!f.transport->isVisibleTo(f.panel.get()));
    }

    void playsItInPlace() {
        Heard f;
        f.goTo("bell.wav");
        const std::uint64_t tick = f.session.world().tickCount();
        QVERIFY(f.part<QToolButton>("transport.play")->isEnabled());
        std::size_t from = f.samples.size();
        f.part<QToolButton>("transport.play")->click();
        f.run(0.1);
        QVERIFY(f.part<QToolButton>("transport.stop")->isEnabled());
        f.run(0.9);
        sound_test::LengthAndPitch heard = f.since(from);
        QVERIFY2(std::abs(heard.seconds - 0.25) < 0.02 && std::abs(heard.hertz / 800.0 - 1.0) < 0.03,
                 qPrintable(QStringLiteral("%1 s, %2 Hz").arg(heard.seconds).arg(heard.hertz)));
        for (std::size_t n = from; n < f.samples.size(); n += 2)
            QVERIFY(std::abs(f.samples[n] - f.samples[n + 1]) < 1e-5F); // both ears alike
        QVERIFY(!f.part<QToolButton>("transport.stop")->isEnabled());
        QCOMPARE(f.session.world().tickCount(), tick);
        QCOMPARE(f.session.mode(), Mode::Edit);
        // As it is written now.
        f.change("pitch = 2.0", "pitch = 1.0");
        f.settle();
        f.run(0.1);
        from = f.samples.size();
        f.transport->play();
        f.run(1.0);
        heard = f.since(from);
        QVERIFY2(std::abs(heard.seconds - 0.5) < 0.02 && std::abs(heard.hertz / 400.0 - 1.0) < 0.03, qPrintable(QString::number(heard.seconds)));
        // The second of two.
        f.goTo("frequency = 900");
        f.run(0.1);
        from = f.samples.size();
        f.transport->play();
        f.run(1.0);
        heard = f.since(from);
        QVERIFY2(std::abs(heard.seconds - 0.5) < 0.02 && std::abs(heard.hertz / 900.0 - 1.0) < 0.03, qPrintable(QString::number(heard.hertz)));
    }

    void seeksLoopsAndStops() {
        Heard f;
        f.goTo("bell.wav");
        std::size_t from = f.samples.size();
        auto* seek = f.part<QSlider>("transport.seek");
        seek->setSliderDown(true);
        seek->setValue(500);
        seek->setSliderDown(false);
        f.run(0.5);
        QVERIFY2(std::abs(f.since(from).seconds - 0.125) < 0.02, qPrintable(QString::number(f.since(from).seconds)));
        // One that loops by itself does so here.
        f.goTo("loop = ");
        f.run(0.1);
        QVERIFY(f.part<QToolButton>("transport.loop")->isChecked());
        f.transport->play();
        f.run(1.0);
        QVERIFY(f.since(f.samples.size() - 9600).seconds > 0.09);
        f.part<QToolButton>("transport.stop")->click();
        f.run(0.2);
        from = f.samples.size();
        f.run(0.2);
        QCOMPARE(f.since(from).seconds, 0.0);
        // Elsewhere what plays ends.
        f.transport->play();
        f.run(0.2);
        f.goTo("shape = ");
        f.run(0.2);
        from = f.samples.size();
        f.run(0.2);
        QCOMPARE(f.since(from).seconds, 0.0);
    }

    // A sound that is taken out is no sound, and does not stand for its neighbour; nor does the blank line behind one.
    void whatIsTakenOutIsNotPlayed() {
        Heard f(Sounds
                + "\n[Three]\n[[Three.Sound]]\nsource = \"tone\"\nfrequency = 310.0\nenabled = false\n"
                  "\n[[Three.Sound]]\nsource = \"tone\"\nfrequency = 620.0\nlength = 0.5\n\n"
                  "\n[[Three.Sound]]\nsource = \"tone\"\nfrequency = 930.0\nlength = 0.5\n"
                  "\n[Mute]\nextends = \"Bell\"\n[Mute.Sound]\nenabled = false # for now\n");
        const auto hertz = [&] {
            const std::size_t from = f.samples.size();
            f.transport->play();
            f.run(1.0);
            return f.since(from).hertz;
        };
        f.goTo("frequency = 310");
        QVERIFY(!f.transport->isVisibleTo(f.panel.get()));
        f.goTo("frequency = 620");
        QVERIFY(std::abs(hertz() / 620.0 - 1.0) < 0.03);
        f.goTo("frequency = 620.0\nlength = 0.5\n");
        QVERIFY(std::abs(hertz() / 620.0 - 1.0) < 0.03);
        f.goTo("frequency = 930");
        QVERIFY(std::abs(hertz() / 930.0 - 1.0) < 0.03);
        f.goTo("enabled = false # for");
        QVERIFY(!f.transport->isVisibleTo(f.panel.get()));
    }

    // Where a sound file is named outside a sound, the file itself: as it is.
    void aFileThatIsNamedElsewhereIsPlayed() {
        Heard f(Sounds
                + "\n[Note]\ndoc = \"bell.wav\"\n"
                  "\n[Mute]\nextends = \"Bell\"\n[Mute.Sound]\nenabled = false\nfile = \"bell.wav\"\n");
        for (const char* place : {"doc = \"bell", "enabled = false\nfile = \"bell"}) {
            f.goTo(place);
            QVERIFY2(f.transport->isVisibleTo(f.panel.get()), place);
            QCOMPARE(f.transport->subject().file, std::string("bell.wav"));
            const std::size_t from = f.samples.size();
            f.transport->play();
            f.run(1.0);
            const auto [seconds, hertz] = f.since(from);
            QVERIFY2(std::abs(seconds - 0.5) < 0.02 && std::abs(hertz / 400.0 - 1.0) < 0.03, qPrintable(QString::number(hertz)));
        }
        f.goTo("doc = ");
        QVERIFY(!f.transport->isVisibleTo(f.panel.get()));
    }

    void saysWhatCannotBePlayed() {
        Heard f;
        f.goTo("nowhere.wav");
        f.run(0.2);
        auto* play = f.part<QToolButton>("transport.play");
        QVERIFY(!play->isEnabled());
        QVERIFY2(play->toolTip().contains(QStringLiteral("nowhere.wav")), qPrintable(play->toolTip()));
        // While the world is paused all sound is.
        f.goTo("bell.wav");
        f.session.play();
        f.session.pause();
        f.run(0.2);
        QVERIFY(!play->isEnabled());
        f.session.stop();
        f.run(0.2);
        QVERIFY(play->isEnabled());
    }

    // An instance of the scene plays as it is.
    void anInstanceIsPlayedAsItIs() {
        Heard f;
        f.change("type = \"Heavy\"\nname = \"box_2\"\n",
                 "type = \"Bell\"\nname = \"loud\"\n[entity.Sound]\npitch = 0.5\n", "yard.scene.toml");
        f.settle();
        f.panel->setFile(QStringLiteral("yard.scene.toml"));
        f.goTo("pitch = 0.");
        QCOMPARE(f.transport->subject().entity, std::string("loud"));
        f.run(0.1);
        const std::size_t from = f.samples.size();
        f.transport->play();
        f.run(1.5);
        const auto [seconds, hertz] = f.since(from);
        QVERIFY2(std::abs(seconds - 1.0) < 0.03 && std::abs(hertz / 200.0 - 1.0) < 0.03, qPrintable(QString::number(seconds)));
    }
};

QTEST_MAIN(TestSound)
#include "tst_sound.moc"
