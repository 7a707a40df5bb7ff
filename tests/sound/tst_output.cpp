// The way to a device: a sound server of its own with null sinks, recorded from their monitors, and no server at all. Qt looks for a
// server when a program begins, so whoever plays is this program once more, with other arguments.

#include <QAudioDevice>
#include <QFile>
#include <QMediaDevices>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QThread>
#include <QtTest>

#include "app/common/hrtf_file.h"
#include "app/sound/live_sound.h"
#include "app/sound/output_worker.h"
#include "engine/audio/rate_converter.h"
#include "engine/commands/console_commands.h"
#include "engine/session/simulation_thread.h"
#include "engine/soundstage/sound_recorder.h"
#include "tests/soundstage/recorded_sound.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <numbers>

using namespace sbx;

namespace {

constexpr double Rate = app::LiveSound::SampleRate;
// When so many have been rendered, a device that falls behind is said to run dry.
constexpr auto SettledFrames = static_cast<qint64>(3.5 * Rate);

// A sine; never rises above 0.3.
struct Tone {
    double rate = Rate;
    std::atomic<std::int64_t> frames{0};
    std::atomic<bool> held{false}; // renders nothing until it is not
    void operator()(std::span<float> out) {
        held.wait(true);
        std::int64_t n = frames.load();
        for (std::size_t i = 0; i + 1 < out.size(); i += 2, ++n)
            out[i] = out[i + 1] = static_cast<float>(0.3 * std::sin(2.0 * std::numbers::pi * 440.0 * static_cast<double>(n) / rate));
        frames = n;
    }
};

// Noise to the right and ahead of whoever listens: the two ears differ, and every sample is another.
const char* const Definitions = R"(
[Head]
[Head.Listener]
[Hiss]
[Hiss.Sound]
source = "noise"
length = 0.0
when = "start"
gain = 0.2
)";
const char* const Scene = R"(
[scene]
name = "S"
[[entity]]
type = "Head"
name = "head"
[[entity]]
type = "Hiss"
name = "hiss"
position = [2.0, 0.5, -1.5]
)";

std::vector<float> floatsOf(const QByteArray& data) {
    std::vector<float> out(static_cast<std::size_t>(data.size()) / sizeof(float));
    std::memcpy(out.data(), data.constData(), out.size() * sizeof(float));
    return out;
}

// Frame of `whole` at which `part` begins, found by some of its left samples; nothing if it is nowhere.
std::optional<std::size_t> placeOf(const std::vector<float>& part, const std::vector<float>& whole) {
    constexpr std::size_t Some = 192;
    double own = 0.0;
    for (std::size_t i = 0; i < Some; ++i)
        own += static_cast<double>(part[i * 2] * part[i * 2]);
    for (std::size_t at = 0; at + part.size() / 2 <= whole.size() / 2; ++at) {
        float sum = 0.0F;
        for (std::size_t i = 0; i < Some; ++i)
            sum += part[i * 2] * whole[(at + i) * 2];
        if (static_cast<double>(sum) > 0.95 * own && static_cast<double>(sum) < 1.05 * own)
            return at;
    }
    return std::nullopt;
}

double rms(const std::vector<float>& samples, std::size_t ear, std::size_t from, std::size_t count) {
    double sum = 0.0;
    for (std::size_t n = from; n < from + count; ++n)
        sum += static_cast<double>(samples[n * 2 + ear]) * static_cast<double>(samples[n * 2 + ear]);
    return std::sqrt(sum / static_cast<double>(count));
}

} // namespace

// This program once more, which plays something and answers questions.
class Player {
public:
    explicit Player(const QStringList& arguments) {
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(QCoreApplication::applicationFilePath(), arguments);
    }
    ~Player() {
        if (m_process.state() != QProcess::NotRunning) {
            m_process.kill();
            m_process.waitForFinished(10000);
        }
    }
    // Of all that it has said since forget(). Its window has a turn whenever it is looked at, and stands still otherwise.
    bool says(const char* what) {
        return QTest::qWaitFor(
            [&] {
                m_process.write("turn\n");
                read();
                return m_said.contains(what);
            },
            30000);
    }
    void forget() { m_said.clear(); }
    [[nodiscard]] const char* said() const { return m_said.constData(); }
    // Asks, and reads the number that is answered.
    qint64 ask(const char* what) {
        m_said.clear();
        m_process.write(QByteArray(what) + '\n');
        const QByteArray key = QByteArray(what) + '=';
        const auto end = [&] {
            const auto at = m_said.indexOf(key);
            return at < 0 ? -1 : m_said.indexOf('\n', at);
        };
        if (!QTest::qWaitFor([&] { read(); return end() >= 0; }, 30000))
            return -1;
        const auto at = m_said.indexOf(key) + key.size();
        return m_said.mid(at, end() - at).trimmed().toLongLong();
    }
    // It ends as it should.
    bool finish() {
        m_process.write("end\n");
        return m_process.waitForFinished(30000) && m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 0;
    }

private:
    void read() {
        m_process.waitForReadyRead(10);
        m_said += m_process.readAll();
    }
    QProcess m_process;
    QByteArray m_said;
};

class TestOutput : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<QProcess> m_server;
    QMap<QString, QString> m_modules; // by sink

    bool call(const QStringList& arguments, QByteArray* answer = nullptr) {
        QProcess process;
        process.start(QStringLiteral("pactl"), arguments);
        const bool fine = process.waitForFinished(20000) && process.exitCode() == 0;
        if (answer != nullptr)
            *answer = process.readAllStandardOutput().trimmed();
        return fine;
    }
    static bool wait(const std::function<bool()>& until, int ms = 30000) {
        return QTest::qWaitFor(until, ms);
    }
    void write(const QString& name, const char* text) {
        QFile file(m_dir->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    bool sink(const char* name, int rate) {
        QByteArray number;
        const QString called = QLatin1String(name);
        const bool made = call({QStringLiteral("load-module"), QStringLiteral("module-null-sink"), QStringLiteral("sink_name=%1").arg(called),
                                QStringLiteral("sink_properties=device.description=%1").arg(called), QStringLiteral("rate=%1").arg(rate),
                                QStringLiteral("channels=2"), QStringLiteral("format=float32le")},
                               &number);
        m_modules[called] = QString::fromLatin1(number);
        return made;
    }
    bool unplug(const char* name) { return call({QStringLiteral("unload-module"), m_modules[QLatin1String(name)]}); }
    // Listens to a sink until it has what it wants.
    bool listen(const char* sink, int rate, const std::function<bool(const std::vector<float>&)>& enough) {
        QProcess recorder;
        recorder.start(QStringLiteral("parec"), {QStringLiteral("-d"), QStringLiteral("%1.monitor").arg(QLatin1String(sink)),
                                                 QStringLiteral("--format=float32le"), QStringLiteral("--rate=%1").arg(rate),
                                                 QStringLiteral("--channels=2"), QStringLiteral("--raw")});
        QByteArray heard;
        const bool got = wait([&] {
            heard += recorder.readAllStandardOutput();
            return enough(floatsOf(heard.first(heard.size() / 8 * 8)));
        });
        recorder.terminate();
        recorder.waitForFinished(10000);
        return got;
    }
    // What is played to a sink, from its first sound on: an idle null sink keeps its first stream waiting.
    std::vector<float> record(const char* sink, int rate, double seconds) {
        const auto wanted = static_cast<std::size_t>(seconds * rate) * 2;
        std::vector<float> sounding;
        listen(sink, rate, [&](const std::vector<float>& heard) {
            const auto first = std::find_if(heard.begin(), heard.end(), [](float sample) { return sample != 0.0F; });
            const auto from = static_cast<std::size_t>(first - heard.begin()) / 2 * 2;
            if (heard.size() < from + wanted)
                return false;
            sounding.assign(heard.begin() + static_cast<std::ptrdiff_t>(from), heard.begin() + static_cast<std::ptrdiff_t>(from + wanted));
            return true;
        });
        return sounding;
    }
    // A tenth of a second in which nothing is played to the sink.
    bool fallsSilent(const char* sink, int rate) {
        return listen(sink, rate, [&](const std::vector<float>& heard) {
            const auto tenth = static_cast<std::ptrdiff_t>(rate / 10) * 2;
            return heard.end() - heard.begin() > tenth && std::all_of(heard.end() - tenth, heard.end(), [](float sample) { return sample == 0.0F; });
        });
    }
    // The samples a session's file has.
    std::vector<float> rendered(double seconds) {
        Log log;
        Session session(log, addConsoleCommands);
        Diagnostics faults;
        session.open(loadContent(m_dir->path().toStdString(), "", session.catalog().schema, faults));
        const std::string file = m_dir->filePath(QStringLiteral("offline.wav")).toStdString();
        auto recorder = SoundRecorder::create(file, app::defaultHrtf(Rate, log));
        session.sound().setStage(&(*recorder)->stage());
        session.play();
        for (int i = 0; i < static_cast<int>(seconds * session.tickRate()); ++i) {
            session.tick();
            static_cast<void>((*recorder)->ticked());
        }
        static_cast<void>((*recorder)->close());
        session.sound().setStage(nullptr);
        QFile wav(QString::fromStdString(file));
        if (!wav.open(QIODevice::ReadOnly))
            return {};
        const QByteArray data = wav.readAll();
        return floatsOf(sound_test::samplesOf(data));
    }
    bool server() {
        if (QStandardPaths::findExecutable(QStringLiteral("pulseaudio")).isEmpty()
            || QStandardPaths::findExecutable(QStringLiteral("parec")).isEmpty()
            || QStandardPaths::findExecutable(QStringLiteral("pactl")).isEmpty())
            return false;
        if (m_server)
            return true;
        m_server = std::make_unique<QProcess>();
        m_server->setStandardErrorFile(m_dir->filePath(QStringLiteral("server.log")));
        m_server->start(QStringLiteral("pulseaudio"),
                        {QStringLiteral("-n"), QStringLiteral("--daemonize=no"), QStringLiteral("--exit-idle-time=-1"),
                         QStringLiteral("--use-pid-file=no"), QStringLiteral("--high-priority=no"), QStringLiteral("--disable-shm=yes"),
                         QStringLiteral("-L"), QStringLiteral("module-native-protocol-unix")});
        if (!m_server->waitForStarted(20000) || !wait([&] { return call({QStringLiteral("info")}); }))
            qFatal("the sound server does not run");
        return true;
    }
    // Is it the offline sound, gapless, at the level it should have?
    bool holds(const std::vector<float>& recorded, const std::vector<float>& offline, const char* what) {
        constexpr std::size_t Skip = 4800; // the recorder joins
        if (recorded.size() < 3 * Skip * 2)
            return false;
        const std::vector<float> part(recorded.begin() + Skip * 2, recorded.end());
        const auto at = placeOf(part, offline);
        if (!at) {
            qInfo("%s: not found in what was rendered", what);
            return false;
        }
        const std::size_t count = part.size() / 2;
        double worst = 0.0;
        for (std::size_t i = 0; i < part.size(); ++i)
            worst = std::max(worst, std::abs(static_cast<double>(part[i] - offline[*at * 2 + i])));
        double level[2];
        for (const std::size_t ear : {0U, 1U})
            level[ear] = 20.0 * std::log10(rms(part, ear, 0, count) / rms(offline, ear, *at, count));
        qInfo("%s: %zu frames from %.3f s on, levels %+.4f and %+.4f dB, largest difference %.2g", what, count,
              static_cast<double>(*at) / Rate, level[0], level[1], worst);
        return worst < 1e-3 && std::abs(level[0]) < 0.1 && std::abs(level[1]) < 0.1;
    }

private slots:
    void initTestCase() {
        m_dir = std::make_unique<QTemporaryDir>();
        for (const char* name : {"XDG_RUNTIME_DIR", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            qputenv(name, m_dir->path().toLocal8Bit());
        qunsetenv("PULSE_SERVER");
        qputenv("PULSE_CLIENTCONFIG", m_dir->filePath(QStringLiteral("client.conf")).toLocal8Bit());
        write(QStringLiteral("client.conf"), "autospawn = no\n");
        write(QStringLiteral("project.toml"), "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n");
        write(QStringLiteral("e.toml"), Definitions);
        write(QStringLiteral("s.scene.toml"), Scene);
    }
    void cleanupTestCase() {
        if (m_server) {
            m_server->terminate();
            m_server->waitForFinished(10000);
        }
    }
    void cleanup() {
        if (m_server)
            call({QStringLiteral("unload-module"), QStringLiteral("module-null-sink")});
    }

    // A tone through another rate is the same tone.
    void rateConverterKeepsTheTone_data() {
        QTest::addColumn<double>("rate");
        for (const double rate : {44100.0, 88200.0, 96000.0, 176400.0, 192000.0})
            QTest::addRow("%.0f", rate) << rate;
    }
    void rateConverterKeepsTheTone() {
        QFETCH(double, rate);
        Tone tone;
        audio::RateConverter converter(Rate, rate);
        std::vector<float> out;
        for (const std::size_t piece : {256U, 100U, 777U, 5000U, 64U, 9000U}) {
            std::vector<float> part(piece * 2);
            converter.pull(part, std::ref(tone));
            out.insert(out.end(), part.begin(), part.end());
        }
        double most = 0.0;
        const double step = 2.0 * std::numbers::pi * 440.0 / rate;
        for (std::size_t n = 400; n + 1 < out.size() / 2; ++n) {
            // A sine of that frequency, whatever its phase: x[n-1] + x[n+1] = 2 cos(step) x[n].
            const double before = static_cast<double>(out[(n - 1) * 2]);
            const double here = static_cast<double>(out[n * 2]);
            const double after = static_cast<double>(out[(n + 1) * 2]);
            most = std::max(most, std::abs(before + after - 2.0 * std::cos(step) * here));
            QCOMPARE(out[n * 2], out[n * 2 + 1]);
        }
        QVERIFY2(most < 2e-5, qPrintable(QString::number(most)));
        double peak = 0.0;
        for (std::size_t n = 400; n < out.size() / 2; ++n)
            peak = std::max(peak, static_cast<double>(std::abs(out[n * 2])));
        QVERIFY(std::abs(peak - 0.3) < 1e-3);
    }

    // Without a device time goes on at its rate: by the worker's clock, which is the test's here.
    void byTheClockItMeasuresAtItsRate() {
        Tone tone;
        qint64 ms = 0;
        app::OutputWorker worker({}, "no device here", [] { return false; });
        worker.setClock([&ms] { return ms; });
        worker.open({}, Rate, std::ref(tone));
        QCOMPARE(worker.status().state, audio::OutputState::Measuring);
        QCOMPARE(worker.status().message, std::string("no device here"));
        const auto goesRound = [&worker] {
            const std::uint64_t turns = worker.turns();
            QTRY_VERIFY(worker.turns() >= turns + 2);
        };
        constexpr std::int64_t Piece = 256; // what is rendered at a time
        for (const qint64 step : {0, 1, 5, 20, 100, 200, 3, 200}) {
            ms += step;
            goesRound();
            const auto owed = static_cast<std::int64_t>(static_cast<double>(ms) * 1e-3 * Rate);
            QCOMPARE(tone.frames.load(), owed / Piece * Piece);
        }
        // A machine that slept does not catch up: a quarter of a second at most.
        const std::int64_t before = tone.frames;
        ms += 10'000;
        goesRound();
        QVERIFY(tone.frames - before <= static_cast<std::int64_t>(0.25 * Rate));
        QVERIFY(tone.frames - before > static_cast<std::int64_t>(0.25 * Rate) - Piece);
        worker.close();
        QCOMPARE(worker.status().state, audio::OutputState::Closed);
    }

    // No server, no device: said, and time goes on; closed, it stands still, whatever else the thread of all outputs does.
    void withoutADeviceItMeasures() {
        if (!QMediaDevices::audioOutputs().isEmpty())
            QSKIP("this machine has a sound device");
        Tone tone;
        app::QtOutput output;
        QVERIFY(output.open({}, Rate, std::ref(tone)).ok());
        QVERIFY(wait([&] { return output.status().state == audio::OutputState::Measuring; }));
        QVERIFY(output.status().message.find("measuring only") != std::string::npos);
        const std::int64_t from = tone.frames;
        QVERIFY(wait([&] { return tone.frames >= from + 4800; }));
        output.close();
        const std::int64_t end = tone.frames;
        QCOMPARE(output.status().state, audio::OutputState::Closed);
        Tone another;
        app::QtOutput other;
        QVERIFY(other.open({}, Rate, std::ref(another)).ok());
        QVERIFY(wait([&] { return another.frames >= 4800; }));
        QCOMPARE(tone.frames.load(), end);
        other.close();
    }

    // A server that starts after the program is found.
    void aServerThatComesLateIsFound() {
        if (QStandardPaths::findExecutable(QStringLiteral("pulseaudio")).isEmpty())
            QSKIP("pulseaudio is not installed");
        if (m_server)
            QSKIP("a server runs already");
        Player player({QStringLiteral("tone")});
        QVERIFY2(player.says("no sound server answers: measuring only"), player.said());
        if (!server())
            QSKIP("parec and pactl are not both installed");
        QVERIFY(sink("late", 48000));
        QVERIFY2(player.says("running on late"), player.said());
        QVERIFY(player.finish());
        QVERIFY(unplug("late"));
    }

    // A session through a null sink: what is recorded is, sample by sample, what is rendered offline, though the player's window stands
    // still all the while. The device goes: the sound goes on unheard. Another comes: it is heard there.
    void recordedIsRendered() {
        if (!server())
            QSKIP("pulseaudio, parec and pactl are not all installed");
        QVERIFY(sink("first", 48000));
        Player player({QStringLiteral("session"), m_dir->path()});
        QVERIFY2(player.says("running on first"), player.said());
        const std::vector<float> offline = rendered(90.0);
        // A machine that is too busy may starve the device; then the count says so, and only then. A device may wake as slowly as it
        // likes: gaps of its first seconds are nobody's.
        bool fine = false;
        for (int attempt = 0; attempt < 6 && !fine; ++attempt) {
            const bool settled = player.ask("frames") > SettledFrames;
            const qint64 before = player.ask("underruns");
            const std::vector<float> recorded = record("first", 48000, 2.5);
            fine = holds(recorded, offline, "through a device");
            const qint64 counted = player.ask("underruns") - before;
            qInfo("under-runs meanwhile: %lld", static_cast<long long>(counted));
            if (!fine && settled)
                QVERIFY2(counted > 0, "a gap that nobody counted");
        }
        QVERIFY(fine);

        player.forget();
        QVERIFY(unplug("first"));
        QVERIFY2(player.says("measuring only"), player.said());
        const qint64 lost = player.ask("frames");
        QVERIFY(wait([&] { return player.ask("frames") > lost + 24000; }));

        player.forget();
        QVERIFY(sink("second", 48000));
        QVERIFY2(player.says("running on second"), player.said());
        fine = false;
        for (int attempt = 0; attempt < 4 && !fine; ++attempt)
            fine = holds(record("second", 48000, 1.0), offline, "after its return");
        QVERIFY(fine);

        // Chosen by its id; gone, the system's takes its place and that is said; back, it is used again.
        QVERIFY(sink("third", 44100));
        QCOMPARE(player.ask("use third"), 1);
        QVERIFY2(player.says("running on third"), player.said());
        player.forget();
        QVERIFY(unplug("third"));
        QVERIFY2(player.says("running on second: the chosen device is not there"), player.said());
        player.forget();
        QVERIFY(sink("third", 44100));
        QVERIFY2(player.says("running on third"), player.said());
        QVERIFY(player.finish());
        QVERIFY(unplug("second") && unplug("third"));
    }

    // What audio.latency asks of the device's buffer and what the device gives are both shown; without a device nothing is given.
    void theLatencyAskedForAndGivenAreShown() {
        if (!server())
            QSKIP("pulseaudio, parec and pactl are not all installed");
        QVERIFY(sink("first", 48000));
        Player player({QStringLiteral("session"), m_dir->path()});
        QVERIFY2(player.says("running on first"), player.said());
        QVERIFY(wait([&] { return player.ask("asked") == 200; }));
        const qint64 given = player.ask("given"); // microseconds
        QVERIFY2(given >= 20'000 && given <= 400'000, qPrintable(QString::number(given)));
        QVERIFY(wait([&] { return player.ask("shown") == given; }));
        QCOMPARE(player.ask("latency 60"), 1);
        QVERIFY(wait([&] { return player.ask("asked") == 60; }));
        QVERIFY(wait([&] { return player.ask("given") > 0 && player.ask("given") < given; }));
        QVERIFY(wait([&] { return player.ask("shown") == player.ask("given"); }));
        QVERIFY(unplug("first"));
        QVERIFY(wait([&] { return player.ask("shown") == 0; }));
        QVERIFY(player.finish());
    }

    // No device is chosen: it plays on the system's, goes over to another when the system does, and back when that one is gone.
    void followsTheSystemsChoice() {
        if (!server())
            QSKIP("pulseaudio, parec and pactl are not all installed");
        QVERIFY(sink("desk", 48000) && sink("phones", 48000));
        QVERIFY(call({QStringLiteral("set-default-sink"), QStringLiteral("desk")}));
        Player player({QStringLiteral("tone")});
        QVERIFY2(player.says("running on desk"), player.said());
        QVERIFY(call({QStringLiteral("set-default-sink"), QStringLiteral("phones")}));
        QVERIFY2(player.says("running on phones"), player.said());
        player.forget();
        QVERIFY(unplug("phones"));
        QVERIFY2(player.says("running on desk"), player.said());
        QVERIFY(player.finish());
        QVERIFY(unplug("desk"));
    }

    // Devices of other rates play the same tone, side by side; a renderer that is late is counted.
    void otherRates() {
        if (!server())
            QSKIP("pulseaudio, parec and pactl are not all installed");
        struct Other {
            int rate;
            QByteArray name;
            std::unique_ptr<Player> player;
        };
        std::vector<Other> others;
        for (const int rate : {44100, 88200, 96000, 176400, 192000}) {
            const QByteArray name = "at" + QByteArray::number(rate);
            QVERIFY(sink(name.constData(), rate));
            others.push_back({rate, name, std::make_unique<Player>(QStringList{QStringLiteral("tone"), QString::fromLatin1(name)})});
        }
        for (const auto& [rate, name, player] : others) {
            QVERIFY2(player->says("running on " + name + ':'), player->said());
            const double step = 2.0 * std::numbers::pi * 440.0 / rate;
            double peak = 0.0;
            std::size_t broken = 1;
            for (int attempt = 0; attempt < 4 && broken != 0; ++attempt) {
                const std::vector<float> out = record(name.constData(), rate, 1.0);
                const auto from = static_cast<std::size_t>(rate / 10);
                broken = out.size() / 2 > 2 * from ? 0 : 1;
                peak = 0.0;
                for (std::size_t n = from; n + 1 < out.size() / 2; ++n) {
                    const double off = static_cast<double>(out[(n - 1) * 2]) + static_cast<double>(out[(n + 1) * 2])
                                       - 2.0 * std::cos(step) * static_cast<double>(out[n * 2]);
                    broken += std::abs(off) > 1e-4 ? 1U : 0U;
                    peak = std::max(peak, static_cast<double>(std::abs(out[n * 2])));
                }
            }
            QVERIFY2(broken == 0, (name + ": " + QByteArray::number(static_cast<qulonglong>(broken))).constData());
            QVERIFY2(std::abs(20.0 * std::log10(peak / 0.3)) < 0.1, (name + ": " + QByteArray::number(peak)).constData());
        }
        for (const auto& [rate, name, player] : others) {
            // By now it is held against the clock: a device may wake as slowly as it likes.
            QVERIFY(wait([&, &player = player] { return player->ask("frames") > SettledFrames; }));
            const qint64 before = player->ask("underruns");
            QCOMPARE(player->ask("hold"), 1);
            QVERIFY2(fallsSilent(name.constData(), rate), name.constData()); // it ran dry
            QCOMPARE(player->ask("release"), 1);
            QVERIFY2(wait([&, &player = player] { return player->ask("underruns") > before; }), name.constData());
            QVERIFY2(player->finish(), player->said());
            QVERIFY(unplug(name.constData()));
        }
    }
};

// Answers lines on its input until "end"; in between its event loop stands still, as that of a window may. "turn" has no answer.
template <typename Answer> static void answer(QCoreApplication& application, Answer&& number) {
    std::mutex mutex;
    std::condition_variable asked;
    std::deque<QByteArray> lines;
    const std::unique_ptr<QThread> reader(QThread::create([&] {
        QFile input;
        static_cast<void>(input.open(stdin, QIODevice::ReadOnly));
        for (bool over = false; !over;) {
            const QByteArray line = input.readLine().trimmed();
            over = line.isEmpty() || line == "end";
            const std::lock_guard lock(mutex);
            lines.push_back(line);
            asked.notify_one();
        }
    }));
    reader->start();
    while (true) {
        QByteArray line;
        {
            std::unique_lock lock(mutex);
            asked.wait(lock, [&] { return !lines.empty(); });
            line = lines.front();
            lines.pop_front();
        }
        application.processEvents();
        if (line.isEmpty() || line == "end")
            break;
        if (line != "turn")
            std::printf("%s=%lld\n", line.constData(), static_cast<long long>(number(line)));
        std::fflush(stdout);
    }
    reader->wait();
}

static void tell(const audio::OutputStatus& status) {
    if (status.state == audio::OutputState::Running)
        std::printf("running on %s: %s\n", status.device.c_str(), status.message.c_str());
    else
        std::printf("state: %s\n", status.message.c_str());
    std::fflush(stdout);
}

// On that device; without a name on the system's.
static int playTone(QCoreApplication& application, const QString& device) {
    Tone tone;
    app::QtOutput output(&tell);
    audio::OutputRequest request;
    request.device = device.toStdString();
    request.latencyMs = 150.0;
    static_cast<void>(output.open(request, Rate, std::ref(tone)));
    answer(application, [&](const QByteArray& line) -> qint64 {
        if (line == "hold" || line == "release") {
            tone.held = line == "hold";
            tone.held.notify_all();
            return 1;
        }
        return line == "frames" ? static_cast<qint64>(tone.frames) : static_cast<qint64>(output.status().underruns);
    });
    tone.held = false;
    tone.held.notify_all();
    output.close();
    return 0;
}

static int playSession(QCoreApplication& application, const QString& folder) {
    Log log;
    Session session(log, addConsoleCommands);
    Diagnostics faults;
    session.open(loadContent(folder.toStdString(), "", session.catalog().schema, faults));
    static_cast<void>(session.execute("audio.latency 200")); // room for a busy machine; the window stands still for longer
    app::LiveSound sound(session, log);
    QObject::connect(&sound, &app::LiveSound::statusChanged, &sound, [&] { tell(sound.status()); });
    SimulationThread thread(session);
    session.post([](Session& s) { s.play(); });
    const auto microseconds = [](double ms) { return static_cast<qint64>(std::lround(ms * 1000.0)); };
    answer(application, [&](const QByteArray& line) -> qint64 {
        const bool device = line.startsWith("use ");
        if (device || line.startsWith("latency ")) {
            const std::string said = (device ? "audio.device " : "audio.latency ") + line.mid(line.indexOf(' ') + 1).toStdString();
            session.post([said](Session& s) { static_cast<void>(s.execute(said)); });
            return 1;
        }
        if (line == "asked")
            return std::lround(sound.status().askedMs);
        if (line == "given")
            return microseconds(sound.status().latencyMs);
        if (line == "shown")
            return microseconds(static_cast<double>(session.sound().deviceLatency().get()));
        return line == "frames" ? static_cast<qint64>(sound.heard().written()) : static_cast<qint64>(sound.status().underruns);
    });
    thread.stop();
    return 0;
}

static int run(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const QStringList arguments = application.arguments();
    if (arguments.value(1) == QLatin1String("tone"))
        return playTone(application, arguments.value(2));
    if (arguments.value(1) == QLatin1String("session"))
        return playSession(application, arguments.value(2));
    TestOutput test;
    return QTest::qExec(&test, argc, argv);
}

int main(int argc, char** argv) { app::leaveProgram(run(argc, argv)); }

#include "tst_output.moc"
