// The way to a device: a sound server of its own with a null sink, recorded from the sink's monitor, and no server at all.

#include <QElapsedTimer>
#include <QMediaDevices>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "app/sound/qt_output.h"
#include "engine/audio/rate_converter.h"

#include <atomic>
#include <cmath>
#include <memory>
#include <numbers>

using namespace sbx;

namespace {

constexpr double Rate = 48000.0;

// A sine; never rises above 0.3.
struct Tone {
    std::atomic<std::int64_t> frames{0};
    void operator()(std::span<float> out) {
        std::int64_t n = frames.load();
        for (std::size_t i = 0; i + 1 < out.size(); i += 2, ++n)
            out[i] = out[i + 1] = static_cast<float>(0.3 * std::sin(2.0 * std::numbers::pi * 440.0 * static_cast<double>(n) / Rate));
        frames = n;
    }
};

} // namespace

class TestOutput : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<QProcess> m_server;

    bool call(const QStringList& arguments) {
        QProcess process;
        process.start(QStringLiteral("pactl"), arguments);
        return process.waitForFinished(10000) && process.exitCode() == 0;
    }
    static bool wait(const std::function<bool()>& until, int ms = 20000) {
        QElapsedTimer clock;
        clock.start();
        while (!until() && clock.elapsed() < ms)
            QTest::qWait(20);
        return until();
    }

private slots:
    void initTestCase() {
        m_dir = std::make_unique<QTemporaryDir>();
        qputenv("XDG_RUNTIME_DIR", m_dir->path().toLocal8Bit());
        qputenv("HOME", m_dir->path().toLocal8Bit());
        qputenv("XDG_CONFIG_HOME", m_dir->path().toLocal8Bit());
        qunsetenv("PULSE_SERVER");
    }
    void cleanupTestCase() {
        if (m_server) {
            m_server->terminate();
            m_server->waitForFinished(5000);
        }
    }

    // A tone through another rate is the same tone.
    void rateConverterKeepsTheTone_data() {
        QTest::addColumn<double>("rate");
        for (const double rate : {44100.0, 88200.0, 96000.0, 192000.0})
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

    // No server, no device: said, and time goes on at its rate.
    void withoutADeviceItMeasures() {
        if (!QMediaDevices::audioOutputs().isEmpty())
            QSKIP("this machine has a sound device");
        Tone tone;
        app::QtOutput output;
        QVERIFY(output.open({}, Rate, std::ref(tone)).ok());
        QVERIFY(wait([&] { return output.status().state == audio::OutputState::Measuring; }));
        QVERIFY(output.status().message.find("measuring only") != std::string::npos);
        const std::int64_t from = tone.frames;
        QElapsedTimer clock;
        clock.start();
        QTest::qWait(600);
        const double expected = static_cast<double>(clock.elapsed()) * 1e-3 * Rate;
        const double got = static_cast<double>(tone.frames - from);
        QVERIFY2(std::abs(got - expected) < 0.35 * expected, qPrintable(QStringLiteral("%1 of %2").arg(got).arg(expected)));
        output.close();
        const std::int64_t end = tone.frames;
        QTest::qWait(50);
        QCOMPARE(tone.frames.load(), end);
        QCOMPARE(output.status().state, audio::OutputState::Closed);
    }

    // Through a null sink: what is recorded is the tone, without a gap while this thread does nothing for 300 ms.
    void throughADevice() {
        if (QStandardPaths::findExecutable(QStringLiteral("pulseaudio")).isEmpty()
            || QStandardPaths::findExecutable(QStringLiteral("parec")).isEmpty())
            QSKIP("pulseaudio is not installed");
        m_server = std::make_unique<QProcess>();
        m_server->start(QStringLiteral("pulseaudio"),
                        {QStringLiteral("-n"), QStringLiteral("--daemonize=no"), QStringLiteral("--exit-idle-time=-1"),
                         QStringLiteral("--use-pid-file=no"), QStringLiteral("--high-priority=no"), QStringLiteral("-L"),
                         QStringLiteral("module-native-protocol-unix"), QStringLiteral("-L"),
                         QStringLiteral("module-null-sink sink_name=null rate=48000 channels=2")});
        QVERIFY(m_server->waitForStarted(10000));
        if (!wait([&] { return call({QStringLiteral("info")}); }))
            QSKIP("no sound server can run here");
        // Qt looks for a server when the program starts, so the player is another process.
        QProcess player;
        player.start(QCoreApplication::applicationFilePath(), {QStringLiteral("play")});
        QVERIFY(player.waitForStarted(10000));
        QByteArray said;
        QVERIFY(wait([&] {
            player.waitForReadyRead(10);
            said += player.readAllStandardOutput();
            return said.contains("running");
        }));
        QTest::qWait(2500); // an idle null sink keeps its first stream waiting
        QProcess recorder;
        recorder.start(QStringLiteral("parec"), {QStringLiteral("-d"), QStringLiteral("null.monitor"), QStringLiteral("--format=float32le"),
                                                 QStringLiteral("--rate=48000"), QStringLiteral("--channels=2"), QStringLiteral("--raw")});
        QVERIFY(recorder.waitForStarted(10000));
        QByteArray recorded;
        QVERIFY(wait([&] {
            recorder.waitForReadyRead(10);
            recorded += recorder.readAllStandardOutput();
            return recorded.size() >= qsizetype(3 * 48000 * 8);
        }, 30000));
        recorder.terminate();
        recorder.waitForFinished(5000);
        player.write("end\n");
        QVERIFY(player.waitForFinished(10000));
        said += player.readAllStandardOutput();
        qInfo("%s", said.constData());
        const auto* samples = reinterpret_cast<const float*>(recorded.constData());
        const auto count = static_cast<std::size_t>(recorded.size()) / 8;
        // From where the recording holds sound, every sample continues the sine.
        std::size_t from = 0;
        while (from < count && std::abs(samples[from * 2]) < 0.05F)
            ++from;
        from += 4800;
        QVERIFY(from + 48000 < count);
        const double step = 2.0 * std::numbers::pi * 440.0 / Rate;
        std::size_t broken = 0;
        double peak = 0.0;
        for (std::size_t n = from + 1; n + 1 < count; ++n) {
            const double off = static_cast<double>(samples[(n - 1) * 2]) + static_cast<double>(samples[(n + 1) * 2])
                               - 2.0 * std::cos(step) * static_cast<double>(samples[n * 2]);
            broken += std::abs(off) > 1e-3 ? 1 : 0;
            peak = std::max(peak, static_cast<double>(std::abs(samples[n * 2])));
        }
        const double decibel = 20.0 * std::log10(peak / 0.3);
        qInfo("recorded %zu frames, %zu breaks, level %.3f dB", count - from, broken, decibel);
        if (!said.contains("underruns 0"))
            QSKIP("the machine is too busy to keep a device fed");
        QCOMPARE(broken, std::size_t{0});
        QVERIFY(std::abs(decibel) < 0.1);
    }
};

// "play": opens the device, says so, stalls its own event loop again and again, and ends when told.
static int play(QCoreApplication& application) {
    Tone tone;
    app::QtOutput output;
    static_cast<void>(output.open({}, Rate, std::ref(tone)));
    QElapsedTimer clock;
    clock.start();
    while (output.status().state != audio::OutputState::Running && clock.elapsed() < 20000)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    std::printf("running %s\n", output.status().device.c_str());
    std::fflush(stdout);
    QFile input;
    static_cast<void>(input.open(stdin, QIODevice::ReadOnly));
    std::atomic<bool> done{false};
    const std::unique_ptr<QThread> reader(QThread::create([&] {
        static_cast<void>(input.readLine());
        done = true;
    }));
    reader->start();
    const std::uint64_t before = output.status().underruns;
    while (!done) {
        QThread::msleep(300); // a stalled window
        application.processEvents();
    }
    reader->wait();
    std::printf("underruns %llu\n", static_cast<unsigned long long>(output.status().underruns - before));
    output.close();
    return 0;
}

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    if (application.arguments().value(1) == QLatin1String("play"))
        return play(application);
    TestOutput test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_output.moc"
