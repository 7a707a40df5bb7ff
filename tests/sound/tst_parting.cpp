// A sound server that goes away while it is played to: killed, and back with other devices. Whoever plays says so, goes on by the clock,
// finds the new devices, and ends as it should, whether the server is there then or not. Qt looks for a server when a program begins, so
// whoever plays is this program once more.

#include <QProcess>
#include <QSocketNotifier>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "app/sound/qt_output.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <csignal>
#include <numbers>
#include <string_view>

using namespace sbx;

namespace {

constexpr int Patience = 30000; // ms
const char* const Playing = "playing";

QStringList words(std::initializer_list<const char*> list) {
    QStringList out;
    for (const char* word : list)
        out << QLatin1String(word);
    return out;
}

} // namespace

class TestParting : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    QProcess m_server;
    QProcess m_player;
    QByteArray m_said;

    bool call(const QStringList& arguments) {
        QProcess process;
        process.start(QStringLiteral("pactl"), arguments);
        return process.waitForFinished(Patience) && process.exitCode() == 0;
    }
    // A server with one sink of that name.
    bool serve(const char* sink) {
        m_server.start(
            QStringLiteral("pulseaudio"),
            words({"-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--high-priority=no",
                   "--disable-shm=yes", "-L", "module-native-protocol-unix", "-L"})
                << QStringLiteral("module-null-sink sink_name=%1 sink_properties=device.description=%1")
                       .arg(QLatin1String(sink)));
        return m_server.waitForStarted(Patience)
               && QTest::qWaitFor([&] { return call(words({"info"})); }, Patience);
    }
    void killServer() {
        m_server.kill();
        m_server.waitForFinished(Patience);
    }
    bool says(const char* what) {
        const bool said = QTest::qWaitFor(
            [&] {
                m_said += m_player.readAll();
                return m_said.contains(what);
            },
            Patience);
        if (!said)
            qInfo("waited for \"%s\", was told: %s", what, m_said.constData());
        m_said.clear();
        return said;
    }
    void begin() {
        m_said.clear();
        m_player.setProcessChannelMode(QProcess::MergedChannels);
        m_player.start(QCoreApplication::applicationFilePath(), words({Playing}));
        QVERIFY(m_player.waitForStarted(Patience));
    }
    void end() {
        m_player.write("end\n");
        QVERIFY(m_player.waitForFinished(Patience));
        m_said += m_player.readAll();
        QVERIFY2(m_player.exitStatus() == QProcess::NormalExit, m_said.constData());
        QCOMPARE(m_player.exitCode(), 0);
    }

private slots:
    void initTestCase() {
        for (const char* program : {"pulseaudio", "pactl"})
            if (QStandardPaths::findExecutable(QLatin1String(program)).isEmpty())
                QSKIP("pulseaudio and pactl are not both installed");
        for (const char* name : {"XDG_RUNTIME_DIR", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            qputenv(name, m_dir.path().toLocal8Bit());
        qunsetenv("PULSE_SERVER");
        const QString config = m_dir.filePath(QStringLiteral("client.conf"));
        QFile file(config);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("autospawn = no\n") > 0);
        qputenv("PULSE_CLIENTCONFIG", config.toLocal8Bit());
        m_server.setStandardErrorFile(m_dir.filePath(QStringLiteral("server.log")));
    }
    void cleanup() {
        for (QProcess* process : {&m_player, &m_server})
            if (process->state() != QProcess::NotRunning) {
                process->kill();
                process->waitForFinished(Patience);
            }
    }

    // One that does not answer when it is first asked, or while it is played to: that is said, long before anybody would give up, and
    // the sound goes on by the clock; when it answers, it is played to.
    void theServerIsSlow_data() {
        QTest::addColumn<bool>("fromTheStart");
        QTest::newRow("from the start") << true;
        QTest::newRow("while it plays") << false;
    }
    void theServerIsSlow() {
        QFETCH(bool, fromTheStart);
        QVERIFY(serve("first"));
        const auto server = static_cast<pid_t>(m_server.processId());
        if (!fromTheStart) {
            begin();
            QVERIFY(says("running on first"));
        }
        QCOMPARE(::kill(server, SIGSTOP), 0);
        if (fromTheStart)
            begin();
        QVERIFY(says("slow to answer: measuring only"));
        m_player.write("frames\n");
        QVERIFY(says("more frames"));
        QCOMPARE(::kill(server, SIGCONT), 0);
        QVERIFY(says("running on first"));
        end();
    }
    // It ends while the server still keeps it waiting.
    void theServerIsSlowToTheEnd() {
        QVERIFY(serve("first"));
        QCOMPARE(::kill(static_cast<pid_t>(m_server.processId()), SIGSTOP), 0);
        begin();
        QVERIFY(says("slow to answer: measuring only"));
        end();
    }

    void theServerStays() {
        QVERIFY(serve("first"));
        for (int i = 0; i < 3; ++i) {
            begin();
            QVERIFY(says("running on first"));
            end();
        }
    }

    // It ends right after the server, and some time after it.
    void theServerIsKilled_data() {
        QTest::addColumn<bool>("noticed");
        QTest::newRow("at once") << false;
        QTest::newRow("when it was noticed") << true;
    }
    void theServerIsKilled() {
        QFETCH(bool, noticed);
        for (int i = 0; i < 10; ++i) {
            QVERIFY(serve("first"));
            begin();
            QVERIFY(says("running on first"));
            killServer();
            if (noticed)
                QVERIFY(says("measuring only"));
            end();
        }
    }

    void theServerComesBack() {
        QVERIFY(serve("first"));
        begin();
        QVERIFY(says("running on first"));
        for (int i = 0; i < 3; ++i) {
            killServer();
            QVERIFY(says("measuring only"));
            QVERIFY(serve("first"));
            QVERIFY(says("running on first"));
        }
        end();
    }

    // It is away for longer than Qt waits before it connects again: the sound goes on by the clock, and the server is found
    // whenever it is back.
    void theServerIsAwayForLong() {
        QVERIFY(serve("first"));
        begin();
        QVERIFY(says("running on first"));
        for (const char* back : {"second", "third"}) {
            killServer();
            QVERIFY(says("no sound server answers: measuring only"));
            m_player.write("long\n");
            QVERIFY(says("five seconds more"));
            QVERIFY(serve(back));
            QVERIFY(says(QByteArray("running on ").append(back).constData()));
        }
        end();
    }
};

static void tell(const audio::OutputStatus& status) {
    if (status.state == audio::OutputState::Running)
        std::printf("running on %s: %s\n", status.device.c_str(), status.message.c_str());
    else
        std::printf("state: %s\n", status.message.c_str());
    std::fflush(stdout);
}

// Plays a tone until "end" is written to it; "frames": says when there are more of them; "long": when there are five seconds more.
static int play() {
    std::atomic<std::int64_t> frame{0};
    app::QtOutput output(&tell);
    static_cast<void>(output.open({}, 48000.0, [&](std::span<float> out) {
        std::int64_t at = frame;
        for (std::size_t i = 0; i + 1 < out.size(); i += 2, ++at)
            out[i] = out[i + 1] =
                static_cast<float>(0.1 * std::sin(2.0 * std::numbers::pi * 440.0 * static_cast<double>(at) / 48000.0));
        frame = at;
    }));
    QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, qApp, [&] {
        std::array<char, 64> line{};
        const bool read = ::read(STDIN_FILENO, line.data(), line.size() - 1) > 0;
        const std::string_view asked(line.data());
        if (!read || (asked != "frames\n" && asked != "long\n")) {
            QCoreApplication::quit();
            return;
        }
        const std::int64_t from = frame + (asked == "long\n" ? 5 * 48000 : 1);
        if (QTest::qWaitFor([&] { return frame >= from; }, Patience))
            std::printf(asked == "long\n" ? "five seconds more\n" : "more frames\n");
        std::fflush(stdout);
    });
    return QCoreApplication::exec();
}

int main(int argc, char** argv) {
    int status = 0;
    {
        QCoreApplication application(argc, argv);
        if (application.arguments().value(1) != QLatin1String(Playing)) {
            TestParting test;
            return QTest::qExec(&test, argc, argv);
        }
        status = play();
    }
    app::leaveProgram(status);
}

#include "tst_parting.moc"
