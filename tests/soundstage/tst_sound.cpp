// Sounds of a session: what components say to each other about them, and what is heard of it in the recorded file.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/components/sound_messages.h"
#include "engine/session/local_clients.h"
#include "tests/soundstage/recorded_sound.h"

#include <glm/geometric.hpp>

#include <cmath>
#include <complex>
#include <numbers>

using namespace sbx;
using namespace sbx::sound_test;

namespace {

const char* const Definitions = R"(
[Ears]
[Ears.Listener]

[Click]
[Click.Sound]
file = "click.wav"
name = "click"

[Endless]
extends = "Click"
[Endless.Sound]
loop = true
name = "endless"

[Beep]
[Beep.Sound]
source = "tone"
length = 0.5
name = "beep"

[Drone]
[Drone.Sound]
source = "tone"
frequency = 400.0
length = 0.0
when = "start"
distance = "none"
gain = 0.2

[Flyer]
extends = "Drone"
[Flyer.Body]
shape = "sphere"
radius = 0.2
velocity = [0.0, 0.0, 20.0]
linearDamping = 0.0
[Flyer.Sound]
frequency = 1000.0

[Slab]
[Slab.Body]
shape = "box"
size = [20.0, 20.0, 0.3]
motion = "static"
[Slab.Mesh]
material = "plaster"

[Planks]
extends = "Slab"
[Planks.Mesh]
material = "wood"

[Sheet]
extends = "Slab"
[Sheet.Mesh]
material = "metal"

[Hall]
[Hall.Room]
size = [12.0, 5.0, 9.0]
decay = [1.0, 1.0, 1.0]

[Cabin]
[Cabin.Room]
size = [4.0, 3.0, 4.0]
decay = [0.2, 0.2, 0.2]

[Speaker]
[Speaker.Sound]
source = "speech"
length = 0.5
when = "start"
gain = 2.0

[Knocker]
[Knocker.Body]
shape = "box"
size = [1.0, 1.0, 1.0]
[Knocker.Sound]
source = "noise"
length = 0.2
when = "contact"
full = 5.0

[Ground]
[Ground.Body]
shape = "box"
size = [20.0, 1.0, 20.0]
motion = "static"

[Loud]
[Loud.Sound]
file = "loud.wav"
distance = "none"

[Mute]
[Mute.Sound]
file = "absent.wav"
when = "start"
)";

struct Witness {
    World& world;
    std::vector<std::pair<std::uint64_t, std::string>> finished;
    void hear(const SoundFinished& m) { finished.emplace_back(world.tickCount(), m.sound.string()); }
};

} // namespace

class TestSound : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;

    void write(const QString& name, const std::string& text) {
        QFile file(m_dir.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
    }
    QByteArray bytes(const QString& name) {
        QFile file(m_dir.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<Stage> stage(const std::string& scene, std::size_t hostBlock = 0) {
        write(QStringLiteral("s.scene.toml"), "[scene]\nname = \"S\"\n" + scene);
        auto made = std::make_unique<Stage>();
        Diagnostics faults;
        const auto content = loadContent(m_dir.path().toStdString(), "", made->session.catalog().schema, faults);
        for (const Diagnostic& fault : faults.items)
            if (fault.severity == Severity::Error)
                qWarning("%s", fault.toString().c_str());
        if (!content)
            qFatal("no content");
        made->session.open(content);
        if (hostBlock != 0) {
            auto recorder = SoundRecorder::create(m_dir.filePath(QStringLiteral("out.wav")).toStdString(),
                                                  audio::HrtfSet::sphere(Rate), hostBlock);
            if (!recorder)
                qFatal("%s", recorder.error().toString().c_str());
            made->recorder = std::move(*recorder);
            made->session.sound().setStage(&made->recorder->stage());
        }
        made->session.play();
        return made;
    }
    Stereo heard(Stage& stage) {
        return sound_test::heard(*stage.recorder, m_dir.filePath(QStringLiteral("out.wav")));
    }
    static std::string entity(const char* type, const char* name, const char* position) {
        return std::string("[[entity]]\ntype = \"") + type + "\"\nname = \"" + name + "\"\nposition = " + position + "\n";
    }

private slots:
    void initTestCase() {
        write(QStringLiteral("project.toml"),
              "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n[cvars]\n\"sim.gravity\" = 0.0\n");
        write(QStringLiteral("e.toml"), Definitions);
        std::vector<float> click(2 * 24000);
        click[0] = click[1] = 0.5F;
        QVERIFY(audio::writeWav(m_dir.filePath(QStringLiteral("click.wav")).toStdString(), click, Rate).ok());
    }

    // Half a second at 60 Hz is 30 ticks; at twice the pitch 15; what is stopped or replaced says nothing.
    void finishedAtTheTickComputed() {
        auto s = stage(entity("Click", "c", "[0.0, 0.0, 0.0]") + entity("Beep", "b", "[0.0, 0.0, 0.0]")
                       + entity("Endless", "e", "[0.0, 0.0, 0.0]"));
        World& world = s->session.world();
        Witness witness{world, {}};
        const Subscription hears = world.listeners().listen<&Witness::hear>(witness);
        auto& finished = witness.finished;
        s->run(10);
        QVERIFY(s->say("send PlaySound c"));
        QVERIFY(s->say("send PlaySound b pitch=2"));
        QVERIFY(s->say("send PlaySound e")); // a loop has no end
        const std::uint64_t begun = world.tickCount();
        s->run(60);
        QCOMPARE(finished.size(), std::size_t{2});
        QCOMPARE(finished[0].second, std::string("beep"));
        QCOMPARE(finished[0].first, begun + 15);
        QCOMPARE(finished[1].second, std::string("click"));
        QCOMPARE(finished[1].first, begun + 30);
        finished.clear();
        QVERIFY(s->say("send PlaySound c"));
        s->run(10);
        QVERIFY(s->say("send PlaySound c")); // takes the place of the first
        s->run(10);
        QVERIFY(s->say("send PlaySound b sound=beep"));
        QVERIFY(s->say("send PlaySound b sound=other"));
        s->run(2);
        QVERIFY(s->say("send StopSound b"));
        s->run(60);
        QCOMPARE(finished.size(), std::size_t{1});
        QCOMPARE(finished[0].second, std::string("click"));
    }

    void sameBytesForAnyHostBlock_data() {
        QTest::addColumn<int>("block");
        for (const int block : {1, 37, 441, 4096})
            QTest::addRow("%d", block) << block;
    }
    void sameBytesForAnyHostBlock() {
        QFETCH(int, block);
        bool said = true;
        const auto run = [&](std::size_t hostBlock) {
            auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", "[3.0, 1.0, 0.0]")
                               + entity("Flyer", "f", "[2.0, 0.0, -10.0]") + entity("Click", "c", "[-2.0, 0.0, 1.0]"),
                           hostBlock);
            s->run(20);
            said = said && s->say("send PlaySound c gain=0.5");
            s->run(20);
            said = said && s->say("set d Sound.gain 0.1");
            s->run(10);
            said = said && s->say("send StopSound d");
            s->run(23);
            static_cast<void>(heard(*s));
            return bytes(QStringLiteral("out.wav"));
        };
        const QByteArray once = run(512);
        QCOMPARE(samplesOf(once).size(), static_cast<qsizetype>(73 * 800 * 8));
        QVERIFY(run(static_cast<std::size_t>(block)) == once);
        QVERIFY(said);
    }

    // Nothing of the sound enters the simulation.
    void theSimulationDoesNotHear() {
        const std::string scene = entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Flyer", "f", "[2.0, 0.0, -10.0]")
                                  + entity("Click", "c", "[-2.0, 0.0, 1.0]");
        const auto run = [&](std::size_t hostBlock) {
            auto s = stage(scene, hostBlock);
            s->run(5);
            s->say("send PlaySound c");
            s->run(40);
            return s->session.simulation().digestLine();
        };
        QCOMPARE(run(512), run(0));
    }

    // A click from the right, 34.029 m away: a tenth of a second later, at the right ear first, and louder there.
    void soundTakesItsTime() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Click", "c", "[34.029, 0.0, 0.0]"), 512);
        s->run(30);
        QVERIFY(s->say("send PlaySound c gain=20"));
        s->run(60);
        const Stereo out = heard(*s);
        QCOMPARE(out.frames(), std::size_t{90 * 800});
        const double itd = 0.0875 / SpeedOfSound * (std::numbers::pi / 2.0 + 1.0) * Rate; // Woodworth's, frames
        const double due = 30.0 * 800.0 + 4800.0;
        QVERIFY2(std::abs(static_cast<double>(out.onset(1)) - (due - 0.5 * itd)) <= 4.0,
                 qPrintable(QString::number(out.onset(1))));
        QVERIFY2(std::abs(static_cast<double>(out.onset(0)) - (due + 0.5 * itd)) <= 8.0,
                 qPrintable(QString::number(out.onset(0))));
        QVERIFY(out.rms(28000, 30000, 1) > 1.5 * out.rms(28000, 30000, 0));
    }

    // A body that passes at 20 m/s: f c / (c -+ v).
    void bodiesThatPass() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Flyer", "f", "[0.5, 0.0, -60.0]"), 512);
        s->run(360);
        const Stereo out = heard(*s);
        const double coming = out.frequency(24000, 24000, 1062.0);
        const double going = out.frequency(48000 * 5, 24000, 944.0);
        QVERIFY2(std::abs(coming / (1000.0 * SpeedOfSound / (SpeedOfSound - 20.0)) - 1.0) < 5e-4,
                 qPrintable(QString::number(coming)));
        QVERIFY2(std::abs(going / (1000.0 * SpeedOfSound / (SpeedOfSound + 20.0)) - 1.0) < 5e-4,
                 qPrintable(QString::number(going)));
    }

    void wallsMuffle() {
        const std::string open = entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", "[0.0, 0.0, -4.0]");
        auto free = stage(open, 512);
        free->run(60);
        const double loud = heard(*free).rms(24000, 40000, 0);
        auto behind = stage(open + entity("Slab", "s", "[0.0, 0.0, -2.0]"), 512);
        behind->run(60);
        const double quiet = heard(*behind).rms(24000, 40000, 0);
        const double decibel = 20.0 * std::log10(quiet / loud);
        QVERIFY2(decibel < -18.0 && decibel > -26.0, qPrintable(QString::number(decibel))); // a tenth, less the low-pass at 400 Hz
        auto off = stage(open + entity("Slab", "s", "[0.0, 0.0, -2.0]"), 512);
        QVERIFY(off->say("audio.occlusion 0"));
        off->run(60);
        QVERIFY(std::abs(heard(*off).rms(24000, 40000, 0) / loud - 1.0) < 0.01);
    }

    // audio.temperature and audio.humidity reach what sounds already: 8 kHz over 80 m by the numbers of ISO 9613-1.
    void airSwallows() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", "[0.0, 0.0, -80.0]"), 512);
        QVERIFY(s->say("set d Sound.frequency 8000"));
        QVERIFY(s->say("send StopSound d"));
        QVERIFY(s->say("send PlaySound d"));
        s->run(60);
        QVERIFY(s->say("audio.temperature 10"));
        QVERIFY(s->say("audio.humidity 70"));
        s->run(60);
        const Stereo out = heard(*s);
        const double got = 20.0 * std::log10(out.rms(48000 + 30000, 48000 + 46000, 0) / out.rms(30000, 46000, 0));
        const double expected = -(118.0 - 105.0) * 0.08;
        QVERIFY2(std::abs(got - expected) < 0.25, qPrintable(QStringLiteral("%1 of %2 dB").arg(got).arg(expected)));
    }

    // Colder air is slower, by the root of its temperature; unset, and in the mode plain, it is the published method's 340.29 m/s.
    void temperatureSetsTheSpeedOfSound_data() {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<QByteArray>("temperature");
        QTest::addColumn<double>("speed");
        QTest::newRow("unset") << QByteArray("hrtf") << QByteArray() << SpeedOfSound;
        QTest::newRow("freezing") << QByteArray("hrtf") << QByteArray("0") << 331.3;
        QTest::newRow("hot") << QByteArray("pan") << QByteArray("40")
                             << 331.3 * std::sqrt(1.0 + 40.0 / 273.15);
        QTest::newRow("plain") << QByteArray("plain") << QByteArray("0") << SpeedOfSound;
    }
    void temperatureSetsTheSpeedOfSound() {
        QFETCH(QByteArray, mode);
        QFETCH(QByteArray, temperature);
        QFETCH(double, speed);
        const auto arrival = [&](const char* position) {
            auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Click", "c", position), 512);
            const bool said =
                s->say(("audio.mode " + mode).constData())
                && (temperature.isEmpty() || s->say(("audio.temperature " + temperature).constData()))
                && s->say("send PlaySound c");
            if (!said)
                qFatal("not said");
            s->run(30);
            return static_cast<double>(heard(*s).onset(0));
        };
        // The way from 2 m to 42 m; what head and limiter add is the same for both.
        const double frames = arrival("[0.0, 0.0, -42.0]") - arrival("[0.0, 0.0, -2.0]");
        QVERIFY2(std::abs(frames - 40.0 / speed * Rate) < 3.0,
                 qPrintable(QString::number(40.0 * Rate / frames)));
    }

    // Set while a sound plays, the speed of sound glides to its new value: no sample jumps, and the reported delay follows.
    void aSpeedThatChangesGlides() {
        auto s =
            stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", "[0.0, 0.0, -40.0]"), 512);
        s->run(30);
        QVERIFY(s->say("audio.temperature 35"));
        s->run(90);
        const auto reply = s->session.execute("audio.voices");
        const QString json = QString::fromStdString(reply.lines.at(0));
        const double told =
            json.section(QStringLiteral("\"delayMs\":"), 1).section(QLatin1Char(','), 0, 0).toDouble();
        QVERIFY2(std::abs(told - 40.0e3 / (331.3 * std::sqrt(1.0 + 35.0 / 273.15))) < 0.01, qPrintable(json));
        const Stereo out = heard(*s);
        double ideal = 0.0; // of 400 Hz at that level
        double worst = 0.0;
        for (std::size_t n = 12000; n + 2 < out.frames(); ++n) {
            const double bend = std::abs(out.at(n, 0) - 2.0 * out.at(n + 1, 0) + out.at(n + 2, 0));
            (n < 22000 ? ideal : worst) = std::max(n < 22000 ? ideal : worst, bend);
        }
        QVERIFY2(worst < 1.3 * ideal, qPrintable(QStringLiteral("%1 of %2").arg(worst).arg(ideal)));
    }

    // Exponential is what its name says: with its usual rolloff the level falls by 12 dB with each doubling, inverse by 6.
    void exponentialIsSteeperThanInverse() {
        const auto level = [&](const char* model, const char* rolloff, const char* position) {
            auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", position), 512);
            if (!s->say(model) || !s->say(rolloff))
                qFatal("not said");
            s->run(60);
            return 20.0 * std::log10(heard(*s).rms(24000, 40000, 0));
        };
        const auto fall = [&](const char* model, const char* rolloff) {
            return level(model, rolloff, "[0.0, 0.0, -4.0]") - level(model, rolloff, "[0.0, 0.0, -8.0]");
        };
        const double inverse = fall("set d Sound.distance inverse", "set d Sound.rolloff 0");
        const double exponential = fall("set d Sound.distance exponential", "set d Sound.rolloff 0");
        const double flat = fall("set d Sound.distance exponential", "set d Sound.rolloff 0.5");
        QVERIFY2(std::abs(inverse - 6.02) < 0.1, qPrintable(QString::number(inverse)));
        QVERIFY2(std::abs(exponential - 12.04) < 0.1, qPrintable(QString::number(exponential)));
        QVERIFY2(std::abs(flat - 3.01) < 0.1, qPrintable(QString::number(flat)));
    }

    // Nothing passes full scale: not with the limiter, not without it, and not what a broken file holds. The fault of the file is logged.
    void nothingPassesFullScale_data() {
        QTest::addColumn<QByteArray>("limiter");
        QTest::addColumn<double>("highest");
        QTest::newRow("limited") << QByteArray("audio.limiter 1") << 0.8913;
        QTest::newRow("not limited") << QByteArray("audio.limiter 0") << 1.0;
    }
    void nothingPassesFullScale() {
        QFETCH(QByteArray, limiter);
        QFETCH(double, highest);
        std::vector<float> broken(2 * 24000);
        for (std::size_t n = 0; n < broken.size(); ++n)
            broken[n] = n / 2 % 5 == 0    ? 1e30F
                        : n / 2 % 7 == 0  ? std::nanf("")
                        : n / 2 % 11 == 0 ? -INFINITY
                                          : 0.1F;
        QVERIFY(audio::writeWav(m_dir.filePath(QStringLiteral("loud.wav")).toStdString(), broken, Rate).ok());
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Loud", "l", "[0.0, 0.0, -1.0]")
                           + entity("Drone", "d", "[1.0, 0.0, 0.0]"),
                       512);
        QVERIFY(s->say(limiter.constData()));
        QVERIFY(s->say("set d Sound.gain 40"));
        QVERIFY(s->say("send PlaySound l"));
        s->run(60);
        const QString voices = QString::fromStdString(s->session.execute("audio.voices").lines.at(0));
        QVERIFY2(voices.contains(limiter.endsWith('1') ? QStringLiteral("\"limiterOn\":true")
                                                       : QStringLiteral("\"limiterOn\":false")),
                 qPrintable(voices));
        const Stereo out = heard(*s);
        double peak = 0.0;
        for (const float sample : out.samples) {
            QVERIFY(std::isfinite(sample));
            peak = std::max(peak, std::abs(static_cast<double>(sample)));
        }
        QVERIFY2(peak <= highest && peak > 0.5, qPrintable(QString::number(peak)));
        const std::vector<LogRecord> records = s->log.since(0);
        QVERIFY(std::any_of(records.begin(), records.end(), [](const auto& record) {
            return record.text.find("loud.wav") != std::string::npos
                   && record.text.find("24 dB above full scale") != std::string::npos;
        }));
    }

    // A cardioid beside its axis is 6 dB down, behind it silent; squared, 12 dB.
    void directivityIsHeard() {
        const auto level = [&](const char* rotation, const char* more) {
            const std::string drone = entity("Drone", "d", "[0.0, 0.0, -4.0]") + rotation;
            auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + drone, 512);
            if (!s->say("set d Sound.directivity 0.5") || !s->say(more))
                qFatal("not said");
            s->run(60);
            return 20.0 * std::log10(std::max(heard(*s).rms(24000, 40000, 0), 1e-9));
        };
        const double towards = level("rotation = [0.0, 180.0, 0.0]\n", "set d Sound.sharpness 1");
        const double beside = level("rotation = [0.0, 90.0, 0.0]\n", "set d Sound.sharpness 1");
        const double narrow = level("rotation = [0.0, 90.0, 0.0]\n", "set d Sound.sharpness 2");
        const double away = level("", "set d Sound.sharpness 1");
        QVERIFY2(std::abs(beside - towards + 6.02) < 0.1, qPrintable(QString::number(beside - towards)));
        QVERIFY2(std::abs(narrow - towards + 12.04) < 0.1, qPrintable(QString::number(narrow - towards)));
        QVERIFY2(away < towards - 80.0, qPrintable(QString::number(away - towards)));
    }

    // Each reason has its own word.
    void silenceHasAReason() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", "[0.0, 0.0, -4.0]"), 512);
        const auto voices = [&] {
            s->run(30);
            const auto reply = s->session.execute("audio.voices");
            return reply.lines.empty() ? QString() : QString::fromStdString(reply.lines.front());
        };
        QVERIFY(voices().contains(QStringLiteral("\"silent\":\"\"")));
        QVERIFY(s->say("audio.volume 0"));
        QVERIFY(voices().contains(QStringLiteral("\"silent\":\"bus\"")));
        QVERIFY(s->say("audio.volume 1"));
        QVERIFY(s->say("set d Sound.gain 0"));
        QVERIFY(voices().contains(QStringLiteral("\"silent\":\"muted\"")));
    }

    // What gets through by material, at 400 Hz: its gain, and a low-pass of first order.
    void materialsMuffleInTheirWay_data() {
        QTest::addColumn<QString>("wall");
        QTest::addColumn<double>("gain");
        QTest::addColumn<double>("hertz");
        QTest::newRow("plaster") << "Slab" << 0.10 << 400.0;
        QTest::newRow("wood") << "Planks" << 0.30 << 1200.0;
        QTest::newRow("metal") << "Sheet" << 0.15 << 700.0;
    }
    void materialsMuffleInTheirWay() {
        QFETCH(QString, wall);
        QFETCH(double, gain);
        QFETCH(double, hertz);
        const std::string open = entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", "[0.0, 0.0, -4.0]");
        const auto level = [&](const std::string& scene) {
            auto s = stage(scene, 512);
            s->run(50);
            return heard(*s).rms(24000, 36000, 0);
        };
        const double got = 20.0 * std::log10(level(open + entity(wall.toUtf8().constData(), "s", "[0.0, 0.0, -2.0]")) / level(open));
        const double expected = 20.0 * std::log10(gain / std::sqrt(1.0 + std::pow(400.0 / hertz, 2.0)));
        QVERIFY2(std::abs(got - expected) < 0.3, qPrintable(QStringLiteral("%1 of %2 dB").arg(got).arg(expected)));
    }

    // A click in a hall rings; in a cabin within it hardly, and outside not at all.
    void roomsRing() {
        const auto tail = [&](const std::string& scene, const char* more) {
            auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Click", "c", "[1.0, 0.0, -1.0]") + scene, 512);
            s->run(20);
            if (*more != 0 && !s->say(more))
                qFatal("not said");
            s->run(10);
            if (!s->say("send PlaySound c"))
                qFatal("not said");
            s->run(60);
            const Stereo out = heard(*s);
            return out.rms(30 * 800 + 12000, 30 * 800 + 24000, 0) + out.rms(30 * 800 + 12000, 30 * 800 + 24000, 1);
        };
        const std::string hall = entity("Hall", "hall", "[0.0, 0.0, 0.0]");
        const std::string cabin = entity("Cabin", "cabin", "[0.0, 0.0, 0.0]");
        const double rings = tail(hall, "");
        QVERIFY(rings > 1e-5);
        QCOMPARE(tail("", ""), 0.0);
        QVERIFY(tail(hall + cabin, "") < 0.03 * rings); // the smaller counts
        QCOMPARE(tail(entity("Hall", "hall", "[0.0, 0.0, 20.0]"), ""), 0.0);
        QVERIFY(std::abs(tail(entity("Cabin", "hall", "[0.0, 0.0, 0.0]"), "set hall Room.decay [1.0, 1.0, 1.0]") / rings - 1.0) < 3.0);
        QCOMPARE(tail(hall, "destroy hall"), 0.0);
    }

    // What is no file ends at its length too; a file's name is not needed for a signal.
    void signalsEndAtTheirLength() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Speaker", "p", "[0.0, 0.0, -1.0]")
                           + entity("Beep", "b", "[0.0, 0.0, -1.0]"),
                       512);
        s->run(60);
        QVERIFY(s->say("send PlaySound b"));
        s->run(60);
        const Stereo out = heard(*s);
        QVERIFY(out.rms(4000, 23000, 0) > 1e-3);
        QVERIFY(out.rms(26000, 46000, 0) == 0.0);
        QVERIFY(out.rms(49600, 71000, 0) > 1e-3);
        QVERIFY(out.rms(74000, 94000, 0) == 0.0);
    }

    // Mute and solo are of entities, whenever they sound.
    void mutedAndSoloEntities() {
        const std::string scene = entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", "[0.0, 0.0, -2.0]")
                                  + entity("Beep", "b", "[0.0, 0.0, -2.0]");
        auto s = stage(scene, 512);
        const EntityId drone = s->session.world().find("d").id();
        const EntityId beep = s->session.world().find("b").id();
        SoundStage& sounds = s->recorder->stage();
        s->run(30);
        sounds.setMute(drone, true);
        s->run(30);
        sounds.setMute(drone, false);
        s->run(30);
        sounds.setSolo(beep, true);
        s->run(10);
        QVERIFY(s->say("send PlaySound b"));
        s->run(40);
        const Stereo out = heard(*s);
        QVERIFY(out.rms(8000, 23000, 0) > 0.01);
        QVERIFY(out.rms(30000, 46000, 0) == 0.0);
        QVERIFY(out.rms(54000, 70000, 0) > 0.01);
        // While the beep is solo it alone is heard, and then nothing.
        QVERIFY(std::abs(out.frequency(84000, 8000, 440.0) - 440.0) < 0.5);
        QVERIFY(out.rms(106000, 111000, 0) == 0.0);
    }

    void knocksByImpulse() {
        const auto peak = [&](const char* height) {
            auto s = stage(entity("Ears", "ears", "[0.0, 1.0, 3.0]") + entity("Ground", "g", "[0.0, -0.5, 0.0]")
                               + entity("Knocker", "k", height),
                           512);
            s->say("sim.gravity 10");
            s->run(90);
            const Stereo out = heard(*s);
            return out.rms(0, out.frames(), 0);
        };
        const double low = peak("[0.0, 0.6, 0.0]");
        const double high = peak("[0.0, 1.2, 0.0]");
        QVERIFY2(high > 1.5 * low && low > 0.0, qPrintable(QStringLiteral("%1 %2").arg(low).arg(high)));
    }

    // Nothing plays: what is asked for sounds all the same, to its end, and the world stands still.
    void triedOutInEdit() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Click", "c", "[0.0, 0.0, -2.0]")
                           + entity("Drone", "d", "[0.0, 0.0, -1.0]"),
                       512);
        s->session.stop();
        const auto turn = [&](int count) {
            int sounding = 0;
            for (int i = 0; i < count; ++i) {
                sounding += s->session.idleTurn() ? 1 : 0;
                QVERIFY2(s->recorder->ticked().ok(), "written");
            }
            QCOMPARE(sounding, count);
        };
        QVERIFY(!s->session.idleTurn());
        QVERIFY(s->say("send PlaySound c gain=2"));
        turn(40);
        QVERIFY(s->say("send PlaySound d"));
        turn(60);
        const QString report = QString::fromStdString(s->session.execute("audio.voices").lines.front());
        QVERIFY2(report.contains(QLatin1String("\"entity\":\"d\",\"sound\":\"\",\"file\":\"tone\"")), qPrintable(report));
        QVERIFY(s->say("send StopSound d"));
        turn(60);
        int more = 0;
        while (s->session.idleTurn() && more < 1000)
            ++more;
        QVERIFY(more < 200); // what was emitted last dies away
        QCOMPARE(s->session.world().tickCount(), std::uint64_t{0});
        const Stereo out = heard(*s);
        const std::size_t peak = out.onset(0);
        QVERIFY(peak < 4000);
        QVERIFY(out.rms(16000, 30000, 0) < 1e-6);
        QVERIFY(out.rms(60000, 78000, 0) > 0.05);
        QVERIFY(out.rms(84000, 100000, 0) < 1e-6);
    }

    // Largest second difference of a tone, over that of the tone itself.
    static double roughness(const Stereo& out, std::size_t from, std::size_t to, double frequency, double amplitude) {
        const double ideal = 4.0 * std::pow(std::sin(std::numbers::pi * frequency / Rate), 2.0) * amplitude;
        double most = 0.0;
        for (std::size_t n = from + 1; n + 1 < to; ++n)
            for (const int ear : {0, 1})
                most = std::max(most, std::abs(out.at(n + 1, ear) - 2.0 * out.at(n, ear) + out.at(n - 1, ear)));
        return most / ideal;
    }

    // Another listens, or from another place, without a click; the entity that is gone leaves the ear to the world's.
    void listeningElsewhere() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Knocker", "k", "[10.0, 0.0, -3.0]")
                           + entity("Drone", "d", "[5.0, 0.0, 0.0]"),
                       512);
        s->run(60);
        QVERIFY(!s->say("audio.listen nobody"));
        QVERIFY(s->say("audio.listen k"));
        s->run(60);
        QCOMPARE(s->session.sound().report(s->session.simulation()).listenerName, std::string("k"));
        Pose place;
        place.position = Vec3(5.0F, 0.0F, 2.0F);
        s->recorder->stage().listen({Listening::From::Place, "", place});
        s->run(60);
        s->recorder->stage().listen({Listening::From::Entity, "k", {}});
        s->run(30);
        QVERIFY(s->say("destroy k"));
        s->run(60);
        QCOMPARE(s->session.sound().report(s->session.simulation()).listenerName, std::string("ears"));
        const Stereo out = heard(*s);
        const auto side = [&](std::size_t from) { return out.rms(from, from + 8000, 1) / out.rms(from, from + 8000, 0); };
        QVERIFY(side(36000) > 1.2);         // to the right of the first
        QVERIFY(side(48000 + 36000) < 0.8); // to the left of the second
        QVERIFY(std::abs(side(96000 + 36000) - 1.0) < 0.05);
        QVERIFY(side(48000 * 3 + 24000 + 36000) > 1.2);
        const double steady = roughness(out, 30000, 46000, 400.0, 1.0);
        const double all = roughness(out, 30000, out.frames() - 2000, 400.0, 1.0);
        QVERIFY2(all < 3.0 * steady, qPrintable(QStringLiteral("%1 of %2").arg(all).arg(steady)));
    }

    // A stage follows one simulation, then another, and comes back when that one ends.
    void hearingAnotherSimulation() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", "[5.0, 0.0, 0.0]"), 512);
        auto other = stage(entity("Ears", "theirs", "[0.0, 0.0, 0.0]") + entity("Drone", "e", "[-5.0, 0.0, 0.0]"));
        SoundStage& sound = s->recorder->stage();
        s->session.sound().setStage(nullptr); // followed here
        Simulation* played = &s->session.simulation();
        const auto hear = [&](Simulation& next) {
            sound.leave();
            played = &next;
        };
        const auto run = [&](int ticks) {
            for (int i = 0; i < ticks; ++i) {
                s->session.tick();
                if (other)
                    other->session.tick();
                sound.follow(*played, 1.0);
                QVERIFY(s->recorder->ticked().ok());
            }
        };
        run(60);
        hear(other->session.simulation());
        run(60);
        QVERIFY(sound.followed() == played);
        QCOMPARE(sound.report(*played).listenerName, std::string("theirs"));
        hear(s->session.simulation());
        run(60);
        hear(other->session.simulation());
        run(60);
        hear(s->session.simulation());
        other.reset();
        run(60);
        QCOMPARE(sound.report(*played).listenerName, std::string("ears"));
        const Stereo out = heard(*s);
        for (std::size_t second = 0; second < 5; ++second) {
            const std::size_t from = second * 48000 + 36000;
            const double side = out.rms(from, from + 8000, 1) / out.rms(from, from + 8000, 0);
            QVERIFY2(second % 2 == 0 ? side > 1.2 : side < 0.8, qPrintable(QStringLiteral("%1: %2").arg(second).arg(side)));
        }
        const double steady = roughness(out, 30000, 46000, 400.0, 1.0);
        const double all = roughness(out, 30000, out.frames() - 2000, 400.0, 1.0);
        QVERIFY2(all < 3.0 * steady, qPrintable(QStringLiteral("%1 of %2").arg(all).arg(steady)));
    }

    // Every client hears a world of its own.
    void hearingAsAClient() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", "[5.0, 0.0, 0.0]"), 512);
        s->session.addClients({.count = 2, .link = *net::parseLink("latency=20ms")});
        const auto run = [&](int ticks) {
            for (int i = 0; i < ticks; ++i) {
                s->session.tick();
                QVERIFY(s->recorder->ticked().ok());
            }
        };
        run(120);
        QVERIFY(s->session.clients()->simulation(1).world().find("d"));
        QVERIFY(s->say("send StopSound d"));
        run(60); // second 2: silence
        QVERIFY(s->say("audio.hear 2"));
        run(60); // second 3: the client was told nothing of that
        QVERIFY(!s->say("audio.hear 3"));
        QVERIFY(s->say("@client2 send StopSound d"));
        run(60); // second 4: silence
        QVERIFY(s->say("audio.hear 1"));
        run(60); // second 5
        s->session.endClients();
        run(60); // second 6: the server's again
        QVERIFY(!s->say("audio.hear 1"));
        const Stereo out = heard(*s);
        const bool sounds[] = {true, true, false, true, false, true, false};
        for (std::size_t second = 1; second < 7; ++second) {
            const double level = out.rms(second * 48000 + 30000, second * 48000 + 46000, 1);
            QVERIFY2(sounds[second] ? level > 0.05 : level < 1e-6, qPrintable(QStringLiteral("%1: %2").arg(second).arg(level)));
        }
    }

    // Whose world is shown is heard.
    void whatIsSeenIsHeard() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", "[5.0, 0.0, 0.0]"), 512);
        QVERIFY(s->say("net.host 2"));
        s->run(120);
        QVERIFY(s->say("send StopSound d"));
        s->run(60);
        QVERIFY(s->say("net.view 2"));
        s->run(60);
        QVERIFY(s->say("net.view 0"));
        s->run(60);
        QVERIFY(s->say("net.view 1"));
        s->run(30);
        s->session.stop(); // the clients end with the run
        QVERIFY(s->recorder->ticked().ok());
        const Stereo out = heard(*s);
        const bool sounds[] = {true, true, false, true, false};
        for (std::size_t second = 1; second < 5; ++second) {
            const double level = out.rms(second * 48000 + 30000, second * 48000 + 46000, 1);
            QVERIFY2(sounds[second] ? level > 0.05 : level < 1e-6, qPrintable(QStringLiteral("%1: %2").arg(second).arg(level)));
        }
    }

    // Devices take sound in pieces: what moves does not stutter for it.
    void devicesTakePieces_data() {
        QTest::addColumn<int>("piece");
        for (const int piece : {256, 1024, 4800})
            QTest::addRow("%d", piece) << piece;
    }
    void devicesTakePieces() {
        QFETCH(int, piece);
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Flyer", "f", "[0.5, 0.0, -150.0]"));
        audio::RendererSettings settings;
        settings.sampleRate = Rate;
        auto renderer = audio::Renderer::create(settings, audio::HrtfSet::sphere(Rate));
        QVERIFY(renderer.ok());
        SoundStage live(**renderer, SoundStage::Clock::Device);
        s->session.sound().setStage(&live);
        Stereo out;
        std::vector<float> block(static_cast<std::size_t>(piece) * 2);
        double due = 0.0;
        for (int i = 0; i < 360; ++i) {
            s->session.tick();
            for (due += Rate / 60.0 * 1.0002; due >= piece; due -= piece) { // no two clocks go alike
                (*renderer)->render(block);
                out.samples.insert(out.samples.end(), block.begin(), block.end());
            }
        }
        s->session.sound().setStage(nullptr);
        const double wanted = 1000.0 * SpeedOfSound / (SpeedOfSound - 20.0);
        double worst = 0.0;
        for (std::size_t from = 96000; from + 13000 < out.frames(); from += 4000)
            worst = std::max(worst, std::abs(out.frequency(from, 12000, wanted) / wanted - 1.0));
        const double rough = roughness(out, 96000, out.frames() - 100, wanted, 0.2);
        qInfo("frequency off by at most %.2g, roughness %.4f", worst, rough);
        QVERIFY2(worst < 2e-3, qPrintable(QString::number(worst)));
        QVERIFY2(rough < 1.6, qPrintable(QString::number(rough)));
    }

    // audio.record beside the whole run: the same samples, from the tick on at which it was asked for.
    void takes() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Drone", "d", "[5.0, 0.0, 0.0]"), 512);
        s->run(60);
        int done = 0;
        const std::string file = m_dir.filePath(QStringLiteral("take.wav")).toStdString();
        QVERIFY(s->recorder->record(file, 0.25, [&](const Result<void>& written) { done += written ? 1 : 100; }).ok());
        s->run(30);
        QCOMPARE(done, 1);
        s->run(10);
        const QByteArray take = bytes(QStringLiteral("take.wav"));
        const QByteArray samples = samplesOf(take);
        QCOMPARE(samples.size(), qsizetype(12000 * 8));
        static_cast<void>(heard(*s));
        const QByteArray whole = bytes(QStringLiteral("out.wav"));
        QVERIFY(samplesOf(whole).mid(48000 * 8, samples.size()) == samples);
    }

    // Each sound that begins is a cue point where it reaches the ears, named by the message that started it, as the trace counts it.
    void onsetsAreCuePoints() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Click", "c", "[0.0, 0.0, -17.0]")
                           + entity("Beep", "b", "[0.0, 0.0, -1.0]"),
                       512);
        QVERIFY(s->say("trace.enabled true"));
        auto reader = s->session.recorder().addReader();
        s->run(20);
        QVERIFY(s->say("send PlaySound c"));
        s->run(10);
        const std::string file = m_dir.filePath(QStringLiteral("take.wav")).toStdString();
        QVERIFY(s->recorder->record(file, 0.5, {}).ok());
        QVERIFY(s->say("send PlaySound b"));
        s->run(20);
        QVERIFY(s->say("send PlaySound c"));
        s->run(40);
        s->session.recorder().seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        std::vector<std::pair<std::string, std::uint64_t>> asked; // of the trace: who, and the message's number
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i)
                if (const RecordView record = (*segment)[i]; messageType(record.envelope().type).name == "PlaySound")
                    asked.emplace_back(s->session.recorder().names().name(record.receiverName()), record.envelope().sequence);
        QCOMPARE(asked.size(), std::size_t(3));
        const Stereo out = heard(*s);
        const auto marks = audio::marksOf(m_dir.filePath(QStringLiteral("out.wav")).toStdString());
        QVERIFY(marks.ok());
        QCOMPARE(marks->size(), std::size_t(3));
        const double way = 17.0 / SpeedOfSound * Rate;
        const std::array<double, 3> expected = {20 * 800 + way, 30 * 800 + 1.0 / SpeedOfSound * Rate, 50 * 800 + way};
        for (std::size_t i = 0; i < 3; ++i) {
            const audio::SoundMark& mark = (*marks)[i];
            QCOMPARE(mark.text, "#" + std::to_string(asked[i].second) + " " + asked[i].first + (asked[i].first == "c" ? ": click" : ": beep"));
            QVERIFY2(std::abs(static_cast<double>(mark.at) - expected[i]) < 810.0, qPrintable(QString::number(mark.at)));
        }
        // There it is heard: a click is an impulse.
        std::size_t first = 0;
        while (first < out.frames() && std::abs(out.at(first, 0)) < 1e-3)
            ++first;
        QVERIFY2(std::abs(static_cast<double>(first) - static_cast<double>((*marks)[0].at)) < 48.0,
                 qPrintable(QStringLiteral("heard at %1, marked at %2").arg(first).arg((*marks)[0].at)));
        const auto ofTake = audio::marksOf(file);
        QVERIFY(ofTake.ok());
        QCOMPARE(ofTake->size(), std::size_t(2));
        QCOMPARE((*ofTake)[0].text, (*marks)[1].text);
        QCOMPARE((*ofTake)[0].at, (*marks)[1].at - 30 * 800);
    }

    // Said once, and nothing else is the worse for it.
    void missingFilesAreSaid() {
        auto s = stage(entity("Ears", "ears", "[0.0, 0.0, 0.0]") + entity("Mute", "m", "[0.0, 0.0, -1.0]")
                           + entity("Drone", "d", "[0.0, 0.0, -1.0]"),
                       512);
        s->run(30);
        s->say("send PlaySound m");
        s->run(30);
        int said = 0;
        for (const LogRecord& record : s->log.since(0))
            said += record.text.find("absent.wav") != std::string::npos ? 1 : 0;
        QCOMPARE(said, 1);
        QVERIFY(heard(*s).rms(24000, 40000, 0) > 0.01);
    }
};

QTEST_GUILESS_MAIN(TestSound)
#include "tst_sound.moc"
