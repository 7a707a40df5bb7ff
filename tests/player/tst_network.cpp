// Programs with sockets on loopback between them: a server and its clients.

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace {

const QString Courtyard = QStringLiteral(SBX_SOURCE_DIR "/resources/projects/courtyard");

// A player that is ended with its test.
class Player {
public:
    explicit Player(const QStringList& arguments) {
        m_process.start(QStringLiteral(SBX_BINARY_DIR "/bin/signalbox-player"),
                        QStringList{Courtyard, QStringLiteral("--headless"), QStringLiteral("--safe-mode")} + arguments);
    }
    ~Player() {
        if (m_process.state() != QProcess::NotRunning) {
            m_process.kill();
            m_process.waitForFinished();
        }
    }
    // The port a server says it has taken; 0 if it never does.
    quint16 port() {
        static const QRegularExpression Says(QStringLiteral("serving on port (\\d+)"));
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 60'000 && m_process.state() != QProcess::NotRunning) {
            m_process.waitForReadyRead(100);
            m_out += QString::fromUtf8(m_process.readAllStandardOutput());
            if (const auto match = Says.match(m_out); match.hasMatch())
                return match.captured(1).toUShort();
        }
        return 0;
    }
    // Status at its end, or -1.
    int finish(int milliseconds = 120'000) {
        m_process.waitForFinished(milliseconds);
        m_out += QString::fromUtf8(m_process.readAllStandardOutput());
        m_err += QString::fromUtf8(m_process.readAllStandardError());
        return m_process.state() == QProcess::NotRunning && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode()
                                                                                                           : -1;
    }
    QString said() const { return m_out + m_err; }

private:
    QProcess m_process;
    QString m_out;
    QString m_err;
};

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}
QString address(quint16 port) { return QStringLiteral("127.0.0.1:%1").arg(port); }

// Messages of a trace that came over the network, by type.
QMap<QString, int> heard(const QString& path) {
    QMap<QString, int> counts;
    QFile file(path);
    if (file.open(QIODevice::ReadOnly))
        for (const QByteArray& line : file.readAll().split('\n'))
            if (line.contains("\"network\""))
                ++counts[QJsonDocument::fromJson(line).object().value(QStringLiteral("type")).toString()];
    return counts;
}

} // namespace

class TestNetwork : public QObject {
    Q_OBJECT
private slots:
    void aClientPlaysTheServersCourtyard_data() {
        QTest::addColumn<QString>("link");
        QTest::newRow("as it is") << QString();
        QTest::newRow("bad") << QStringLiteral("latency=30ms jitter=20ms loss=15%");
    }
    void aClientPlaysTheServersCourtyard() {
        QFETCH(QString, link);
        QTemporaryDir folder;
        // Again and again the server chats, and something comes, is damaged and dies: whenever the client joins, it hears of it.
        QByteArray script;
        for (int round = 0; round < 400; ++round)
            script += "wait 20\nsay welcome\nspawn Crate victim 0 20 0\nwait 10\nsend Damage victim amount=1000\n";
        const QString scriptFile = folder.filePath(QStringLiteral("server.cfg"));
        write(scriptFile, script);
        QStringList serverOptions{QStringLiteral("--serve"), QStringLiteral("0"), QStringLiteral("--clients"), QStringLiteral("1"),
                                  QStringLiteral("--ticks"), QStringLiteral("60000"), QStringLiteral("--exec"), scriptFile};
        if (!link.isEmpty())
            serverOptions << QStringLiteral("--link") << link;
        Player server(serverOptions);
        const quint16 port = server.port();
        QVERIFY2(port != 0, qPrintable(server.said()));
        const QString trace = folder.filePath(QStringLiteral("trace"));
        Player client({QStringLiteral("--connect"), address(port), QStringLiteral("--name"), QStringLiteral("Ada"),
                       QStringLiteral("--ticks"), QStringLiteral("300"), QStringLiteral("--trace"), trace});
        QVERIFY2(client.finish() == 0, qPrintable(client.said()));
        QVERIFY2(client.said().contains(QStringLiteral("1 connected")), qPrintable(client.said()));
        QVERIFY2(client.said().contains(QStringLiteral("the game has started")), qPrintable(client.said()));
        const auto counts = heard(trace);
        QVERIFY2(counts.value(QStringLiteral("GameStart")) >= 1, qPrintable(client.said()));
        for (const char* type : {"PlayerInfo", "Chat", "Damage", "Died"})
            QVERIFY2(counts.value(QLatin1String(type)) >= 1, type);
    }

    // A door that a message opens and closes at the server swings at everybody's: each of two clients hears the messages, and what they
    // dump of their worlds shows it open, closed and open again.
    void aDoorOpensForBothClients_data() {
        QTest::addColumn<QString>("link");
        QTest::newRow("as it is") << QString();
        QTest::newRow("bad") << QStringLiteral("latency=30ms jitter=20ms loss=15%");
    }
    void aDoorOpensForBothClients() {
        QFETCH(QString, link);
        QTemporaryDir folder;
        const QString serverFile = folder.filePath(QStringLiteral("server.cfg"));
        write(serverFile,
              QByteArray("send Activate door\nwait 150\nsend Deactivate door\nwait 150\n").repeated(500));
        QStringList options{QStringLiteral("--serve"), QStringLiteral("0"),      QStringLiteral("--clients"),
                            QStringLiteral("2"),       QStringLiteral("--exec"), serverFile};
        if (!link.isEmpty())
            options << QStringLiteral("--link") << link;
        Player server(options);
        const quint16 port = server.port();
        QVERIFY2(port != 0, qPrintable(server.said()));
        std::vector<std::unique_ptr<Player>> clients;
        const auto fileOf = [&](const char* what, int client) {
            return folder.filePath(QLatin1String(what) + QString::number(client));
        };
        for (int client = 0; client < 2; ++client) {
            const QString script = fileOf("script", client);
            write(script, QByteArray("wait 10\nworld.dump " + fileOf("world", client).toUtf8() + "\n")
                              .repeated(15'000));
            clients.push_back(std::make_unique<Player>(
                QStringList{QStringLiteral("--connect"), address(port), QStringLiteral("--exec"), script,
                            QStringLiteral("--trace"), fileOf("trace", client)}));
        }
        // Of the door as that client has it, in degrees; nothing: there is no dump, or not the whole of it.
        const auto angle = [&](int client) -> std::optional<double> {
            QFile file(fileOf("world", client));
            if (!file.open(QIODevice::ReadOnly))
                return std::nullopt;
            for (const QJsonValue& one :
                 QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("entities")).toArray())
                if (const QJsonObject entity = one.toObject();
                    entity.value(QStringLiteral("name")).toString() == QLatin1String("door"))
                    return entity.value(QStringLiteral("components"))
                        .toObject()
                        .value(QStringLiteral("Hinge"))
                        .toObject()
                        .value(QStringLiteral("angle"))
                        .toDouble();
            return std::nullopt;
        };
        const auto stands = [&](int client, bool open) {
            const std::optional<double> degrees = angle(client);
            return degrees && (open ? std::abs(*degrees) > 60.0 : std::abs(*degrees) < 20.0);
        };
        constexpr int Limit = 60'000; // of programs that never come to it
        for (const bool open : {true, false, true})
            for (int client = 0; client < 2; ++client)
                QTRY_VERIFY2_WITH_TIMEOUT(stands(client, open),
                                          open ? "it does not open" : "it does not close", Limit);
        for (int client = 0; client < 2; ++client)
            for (const char* type : {"Activate", "Deactivate"})
                QTRY_VERIFY2_WITH_TIMEOUT(heard(fileOf("trace", client)).value(QLatin1String(type)) >= 1,
                                          type, Limit);
    }

    void aLostServerIsStatusOne() {
        Player server({QStringLiteral("--serve"), QStringLiteral("0"), QStringLiteral("--ticks"), QStringLiteral("120")});
        const quint16 port = server.port();
        QVERIFY2(port != 0, qPrintable(server.said()));
        Player client({QStringLiteral("--connect"), address(port), QStringLiteral("--ticks"), QStringLiteral("60000")});
        QCOMPARE(server.finish(), 0);
        QCOMPARE(client.finish(), 1);
        QVERIFY2(client.said().contains(QStringLiteral("error: 127.0.0.1:")), qPrintable(client.said()));
    }
};

QTEST_GUILESS_MAIN(TestNetwork)
#include "tst_network.moc"
