// A server and clients as programs of their own, on a network that loses a twentieth of the datagrams: clients and the server are killed,
// others come late, and at the end of each round all of them have the same world.
//
// A round is short, and there is one of it with three clients, unless SBX_SOAK says how many: then there are eight clients, and each
// round takes about a minute.

#include <QElapsedTimer>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/folders.h"
#include "tests/remote/remote_client.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

using sbx::test::RemoteClient;

namespace {

const QString Crates = sbx::test::qSourcePath("resources/projects/networked-crates");
constexpr int Patience = 60'000; // ms

// A program without a window, driven by its socket. It ends with its owner.
class Program {
public:
    Program(const QString& socket, const QStringList& arguments) : m_socket(socket) {
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(sbx::test::qBuildPath("bin/signalbox-player"),
                        QStringList{Crates, QStringLiteral("--headless"), QStringLiteral("--safe-mode"), QStringLiteral("--test-mode"), socket,
                                    QStringLiteral("--link"), QStringLiteral("loss=5%")}
                            + arguments);
    }
    ~Program() {
        m_process.kill();
        m_process.waitForFinished();
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    // Lets its world go on as soon as it can be spoken with.
    bool begin() {
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < Patience && m_process.state() != QProcess::NotRunning) {
            m_remote = std::make_unique<RemoteClient>(m_socket.toStdString());
            if (m_remote->connected())
                return sbx::test::isOk(m_remote->ask("sim.play"));
            m_process.waitForReadyRead(50);
            read();
        }
        return false;
    }
    // The output of a console line.
    QString run(const QByteArray& line) {
        const QJsonObject answer = m_remote->ask(line);
        if (!sbx::test::isOk(answer))
            qWarning("%s: %s", line.constData(), qPrintable(sbx::test::errorOf(answer)));
        return answer.value(QLatin1String("output")).toString();
    }
    // The last word of `net.digest`: "client 0123456789abcdef".
    QString digest() { return run("net.digest").section(QLatin1Char(' '), -1); }
    bool says(const QString& pattern) {
        const QRegularExpression text(pattern);
        QElapsedTimer timer;
        timer.start();
        while (!text.match(m_said).hasMatch() && timer.elapsed() < Patience && m_process.state() != QProcess::NotRunning) {
            m_process.waitForReadyRead(50);
            read();
        }
        return text.match(m_said).hasMatch();
    }
    [[nodiscard]] QString captured(const QString& pattern) const { return QRegularExpression(pattern).match(m_said).captured(1); }
    void kill() {
        m_remote.reset();
        m_process.kill(); // SIGKILL: nothing is said to anybody
        m_process.waitForFinished();
    }
    [[nodiscard]] const QString& said() {
        read();
        return m_said;
    }

private:
    void read() { m_said += QString::fromUtf8(m_process.readAll()); }

    QString m_socket;
    QProcess m_process;
    std::unique_ptr<RemoteClient> m_remote;
    QString m_said;
};

} // namespace

class TestProcesses : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Program> m_server;
    std::map<int, std::unique_ptr<Program>> m_clients; // by number
    QString m_port = QStringLiteral("0");
    int m_started = 0; // programs

    QString socket() { return m_folder.filePath(QString::number(++m_started)); }
    bool serve() {
        m_server = std::make_unique<Program>(socket(), QStringList{QStringLiteral("--serve"), m_port, QStringLiteral("--server-key"),
                                                                   m_folder.filePath(QStringLiteral("key"))});
        if (!m_server->says(QStringLiteral("serving on port (\\d+)")) || !m_server->begin())
            return false;
        m_port = m_server->captured(QStringLiteral("serving on port (\\d+)"));
        return true;
    }
    bool join(int number) {
        const QString name = QStringLiteral("guest%1").arg(number);
        m_clients[number] = std::make_unique<Program>(
            socket(), QStringList{QStringLiteral("--connect"), QStringLiteral("127.0.0.1:") + m_port, QStringLiteral("--name"), name});
        return m_clients[number]->begin() && m_server->says(QStringLiteral("is \"%1\"").arg(name));
    }
    // The server's digest once it and every client have the same, twice in a row; empty: that does not come to be.
    QString agreed() {
        QString last;
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < Patience) {
            m_server->run("wait 30");
            const QString own = m_server->digest();
            const bool all = own.size() == 16 && std::all_of(m_clients.begin(), m_clients.end(), [&](auto& client) { return client.second->digest() == own; });
            if (all && own == last)
                return own;
            last = all ? own : QString();
        }
        qWarning("server %s", qPrintable(m_server->digest()));
        for (auto& [number, client] : m_clients)
            qWarning("client %d %s", number, qPrintable(client->digest()));
        return {};
    }
    // Throws crates about for that many ticks of the server.
    void play(int ticks, int seed) {
        constexpr int Between = 12;
        for (int i = 0; i * Between < ticks; ++i) {
            const int crate = 1 + (seed * 131 + i * 37) % 900;
            m_server->run(QStringLiteral("send SetVelocity crate_%1 velocity=[%2,4,%3]")
                              .arg(crate, 3, 10, QLatin1Char('0'))
                              .arg(i % 7 - 3)
                              .arg(i % 5 - 2)
                              .toUtf8());
            m_server->run("wait " + QByteArray::number(Between));
        }
    }

private slots:
    void allHaveTheSameWorldWhoeverDies() {
        const int rounds = qEnvironmentVariableIntValue("SBX_SOAK");
        const bool soak = rounds > 0;
        const int guests = soak ? 8 : 3;
        QVERIFY2(serve(), qPrintable(m_server->said()));
        for (int i = 1; i < guests; ++i) // one comes later
            QVERIFY2(join(i), qPrintable(m_server->said() + m_clients[i]->said()));
        QString before;
        for (int round = 0; round < std::max(rounds, 1); ++round) {
            QElapsedTimer timer;
            timer.start();
            play(soak ? 1800 : 180, round);
            if (m_clients.size() < static_cast<std::size_t>(guests)) // in the middle of it
                QVERIFY2(join(guests), qPrintable(m_server->said() + m_clients[guests]->said()));
            // One dies without a word: the server says so, and another takes its place.
            const int dies = 1 + round % guests;
            m_clients[dies]->kill();
            m_clients.erase(dies);
            play(soak ? 300 : 30, round + 50);
            QVERIFY2(m_server->says(QStringLiteral("\"guest%1\" \\([0-9.:]+\\) has timed out(.|\n)*").arg(dies)), qPrintable(m_server->said()));
            QVERIFY2(join(dies + 100), qPrintable(m_server->said()));
            m_clients[dies] = std::move(m_clients[dies + 100]);
            m_clients.erase(dies + 100);
            const QString same = agreed();
            QVERIFY2(!same.isEmpty(), qPrintable(QStringLiteral("round %1: the worlds differ").arg(round)));
            QVERIFY(same != before); // something has happened
            before = same;
            qInfo("round %d: %zu clients and the server have %s after %lld s", round + 1, m_clients.size(), qPrintable(same),
                  static_cast<long long>(timer.elapsed() / 1000));
            const bool serverDies = soak ? round % 5 == 4 : true;
            if (serverDies) {
                m_server->kill();
                for (auto& [number, client] : m_clients)
                    QVERIFY2(client->says(QStringLiteral("nothing was received for too long")), qPrintable(client->said()));
                m_clients.clear();
                QVERIFY2(serve(), qPrintable(m_server->said())); // the same port, the same key
                for (int i = 1; i <= guests; ++i)
                    QVERIFY2(join(i), qPrintable(m_server->said() + m_clients[i]->said()));
                QVERIFY(!agreed().isEmpty());
                before.clear();
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestProcesses)
#include "tst_processes.moc"
