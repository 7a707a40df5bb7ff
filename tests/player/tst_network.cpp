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

#include "tests/copy_folder.h"
#include "tests/folders.h"

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace {

const QString Courtyard = sbx::test::qSourcePath("resources/projects/courtyard");

// A player that is ended with its test.
class Player {
public:
    // As a user with a folder of settings; empty: without.
    explicit Player(const QStringList& arguments, const QString& settings = {},
                    const QString& project = Courtyard) {
        if (!settings.isEmpty()) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("XDG_CONFIG_HOME"), settings);
            environment.insert(QStringLiteral("XDG_STATE_HOME"), settings);
            environment.insert(QStringLiteral("XDG_DATA_HOME"), settings);
            m_process.setProcessEnvironment(environment);
        }
        m_process.start(
            sbx::test::qBuildPath("bin/signalbox-player"),
            QStringList{project, QStringLiteral("--headless")}
                + (settings.isEmpty() ? QStringList{QStringLiteral("--safe-mode")} : QStringList())
                + arguments);
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
    // Whether it prints that while it runs.
    bool says(const QRegularExpression& text, int milliseconds = 60'000) {
        QElapsedTimer timer;
        timer.start();
        while (!text.match(m_out).hasMatch() && timer.elapsed() < milliseconds
               && m_process.state() != QProcess::NotRunning) {
            m_process.waitForReadyRead(100);
            m_out += QString::fromUtf8(m_process.readAllStandardOutput());
        }
        return text.match(m_out).hasMatch();
    }
    void kill() { m_process.kill(); }
    void terminate() { m_process.terminate(); }
    bool runs() const { return m_process.state() != QProcess::NotRunning; }
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
    // A server's key stays the same over runs and is known again; another one on its port is refused, and so is who has no password.
    void aServerIsKnownAgain() {
        QTemporaryDir folder;
        const QString mine = folder.filePath(QStringLiteral("mine"));
        const QString key = folder.filePath(QStringLiteral("key"));
        const QString password = folder.filePath(QStringLiteral("password"));
        write(password, "open sesame\n");
        const QStringList use{QStringLiteral("--password-file"), password};
        Player open(QStringList{QStringLiteral("--serve"), QStringLiteral("0")} + use);
        QVERIFY(open.finish() == 2 && open.said().contains(QLatin1String("chmod 600"))); // others could read it
        QVERIFY(QFile::setPermissions(password, QFile::ReadOwner | QFile::WriteOwner));
        const auto serve = [&](quint16 port, const QString& keyFile) {
            return std::make_unique<Player>(QStringList{QStringLiteral("--serve"), QString::number(port), QStringLiteral("--server-key"), keyFile,
                                                        QStringLiteral("--ticks"), QStringLiteral("100000")}
                                            + use);
        };
        const auto join = [&](quint16 port, const QStringList& options) {
            Player client(QStringList{QStringLiteral("--connect"), address(port), QStringLiteral("--ticks"), QStringLiteral("120")} + options,
                          mine);
            const int status = client.finish();
            return QString::number(status) + QLatin1Char(' ') + client.said();
        };
        auto server = serve(0, key);
        const quint16 port = server->port();
        QVERIFY2(port != 0, qPrintable(server->said()));
        QFile made(key);
        QVERIFY(made.exists());
        QCOMPARE(made.permissions() & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther), QFile::Permissions());
        QString said = join(port, {});
        QVERIFY2(said.startsWith(QLatin1Char('1')) && said.contains(QLatin1String("asks for a password")), qPrintable(said));
        for (int tries = 0; tries < 20 && !said.startsWith(QLatin1Char('0')); ++tries) // until the second that guessing costs is over
            said = join(port, use);
        QVERIFY2(said.contains(QLatin1String("was not known before")), qPrintable(said));
        QVERIFY(!said.contains(QLatin1String("sesame")));
        said = join(port, use);
        QVERIFY2(said.startsWith(QLatin1Char('0')) && said.contains(QLatin1String("is the server that is known")), qPrintable(said));
        server.reset();
        server = serve(port, folder.filePath(QStringLiteral("another")));
        QCOMPARE(server->port(), port);
        said = join(port, use);
        QVERIFY2(said.startsWith(QLatin1Char('1'))
                     && said.contains(QLatin1String("HAS ANOTHER KEY THAN IT HAD")),
                 qPrintable(said));
        // Both fingerprints, the line of the file, and how to accept the new key: doing that lets the client in.
        const QRegularExpression Print(QStringLiteral("([0-9a-f]{4} ){7}[0-9a-f]{4}"));
        const QString known = mine + QStringLiteral("/signalbox/known_servers");
        const QString offered = Print.match(server->said()).captured();
        const QRegularExpressionMatch old = QRegularExpression(QStringLiteral("known: +(") + Print.pattern()
                                                               + QStringLiteral(") +\\((.+), line (\\d+)\\)"))
                                                .match(said);
        QVERIFY2(old.hasMatch() && old.captured(3) == known && old.captured(4) == QLatin1String("1"),
                 qPrintable(said));
        QVERIFY2(!offered.isEmpty() && offered != old.captured(1)
                     && said.contains(QLatin1String("offered: ") + offered),
                 qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("sed -i 1d '%1'").arg(known)), qPrintable(said));
        QVERIFY(QFile::copy(known, known + QStringLiteral(".before")));
        QCOMPARE(
            QProcess::execute(QStringLiteral("sed"), {QStringLiteral("-i"), QStringLiteral("1d"), known}), 0);
        said = join(port, use);
        QVERIFY2(said.startsWith(QLatin1Char('0')) && said.contains(QLatin1String("was not known before"))
                     && said.contains(offered),
                 qPrintable(said));
        QVERIFY(QFile::remove(known) && QFile::rename(known + QStringLiteral(".before"), known));
        server.reset();
        server = serve(port, key);
        QCOMPARE(server->port(), port);
        said = join(port, use);
        QVERIFY2(said.startsWith(QLatin1Char('0')), qPrintable(said));
    }

private:
    // The links that games go over side by side: each takes its time, and little of the machine's.
    static QMap<QString, QString> links() {
        return {{QStringLiteral("as it is"), QString()}, {QStringLiteral("bad"), QStringLiteral("latency=30ms jitter=20ms loss=15%")}};
    }
    // A server and its clients over one of them, and what they write.
    struct Game {
        explicit Game(const QString& linkName) : name(linkName), link(links().value(linkName)) {}
        void serve(const QStringList& options) {
            QStringList all{QStringLiteral("--serve"), QStringLiteral("0")};
            all += options;
            if (!link.isEmpty())
                all << QStringLiteral("--link") << link;
            server = std::make_unique<Player>(all);
        }
        void join(const QStringList& options) {
            clients.push_back(std::make_unique<Player>(QStringList{QStringLiteral("--connect"), address(port)} + options));
        }
        [[nodiscard]] QString fileOf(const char* what, int client = 0) const {
            return folder.filePath(QLatin1String(what) + QString::number(client));
        }
        // For messages of failures.
        [[nodiscard]] QByteArray of(const QString& what) const { return (name + QStringLiteral(": ") + what).toUtf8(); }

        QString name;
        QString link;
        QTemporaryDir folder;
        quint16 port = 0;
        std::unique_ptr<Player> server;
        std::vector<std::unique_ptr<Player>> clients;
    };
    static std::vector<std::unique_ptr<Game>> games() {
        std::vector<std::unique_ptr<Game>> out;
        for (const QString& name : links().keys())
            out.push_back(std::make_unique<Game>(name));
        return out;
    }

private slots:
    void aClientPlaysTheServersCourtyard() {
        const auto played = games();
        // Again and again the server chats, and something comes, is damaged and dies: whenever the client joins, it hears of it.
        const QByteArray round = "wait 20\nsay welcome\nspawn Crate victim 0 20 0\nwait 10\nsend Damage victim amount=1000\n";
        for (const auto& game : played) {
            write(game->fileOf("server"), round.repeated(400));
            game->serve({QStringLiteral("--clients"), QStringLiteral("1"), QStringLiteral("--ticks"), QStringLiteral("60000"),
                         QStringLiteral("--exec"), game->fileOf("server")});
        }
        for (const auto& game : played) {
            game->port = game->server->port();
            QVERIFY2(game->port != 0, game->of(game->server->said()));
            game->join({QStringLiteral("--name"), QStringLiteral("Ada"), QStringLiteral("--ticks"), QStringLiteral("300"),
                        QStringLiteral("--trace"), game->fileOf("trace")});
        }
        for (const auto& game : played) {
            Player& client = *game->clients.front();
            QVERIFY2(client.finish() == 0, game->of(client.said()));
            QVERIFY2(client.said().contains(QStringLiteral("1 connected")), game->of(client.said()));
            QVERIFY2(client.said().contains(QStringLiteral("the game has started")), game->of(client.said()));
            const auto counts = heard(game->fileOf("trace"));
            QVERIFY2(counts.value(QStringLiteral("GameStart")) >= 1, game->of(client.said()));
            for (const char* type : {"PlayerInfo", "Chat", "Damage", "Died"})
                QVERIFY2(counts.value(QLatin1String(type)) >= 1, game->of(QLatin1String(type)));
        }
    }

    // A door that a message opens and closes at the server swings at everybody's: each of two clients hears the messages, and what they
    // dump of their worlds shows it open, closed and open again.
    void aDoorOpensForBothClients() {
        const auto played = games();
        for (const auto& game : played) {
            write(game->fileOf("server"), QByteArray("send Activate door\nwait 150\nsend Deactivate door\nwait 150\n").repeated(500));
            game->serve({QStringLiteral("--clients"), QStringLiteral("2"), QStringLiteral("--exec"), game->fileOf("server")});
        }
        for (const auto& game : played) {
            game->port = game->server->port();
            QVERIFY2(game->port != 0, game->of(game->server->said()));
            for (int client = 0; client < 2; ++client) {
                write(game->fileOf("script", client),
                      QByteArray("wait 10\nworld.dump " + game->fileOf("world", client).toUtf8() + "\n").repeated(15'000));
                game->join({QStringLiteral("--exec"), game->fileOf("script", client), QStringLiteral("--trace"),
                            game->fileOf("trace", client)});
            }
        }
        // Of the door as that client has it, in degrees; nothing: there is no dump, or not the whole of it.
        const auto angle = [](const QString& dump) -> std::optional<double> {
            QFile file(dump);
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
        // Each client goes through these in order, whenever the others do.
        constexpr std::array Wanted{true, false, true};
        std::map<QString, std::size_t> reached; // by dump
        const auto goOn = [&] {
            bool all = true;
            for (const auto& game : played)
                for (int client = 0; client < 2; ++client) {
                    const QString dump = game->fileOf("world", client);
                    std::size_t& at = reached[dump];
                    const std::optional<double> degrees = at < Wanted.size() ? angle(dump) : std::nullopt;
                    if (degrees && (Wanted[at] ? std::abs(*degrees) > 60.0 : std::abs(*degrees) < 20.0))
                        ++at;
                    all = all && at == Wanted.size();
                }
            return all;
        };
        constexpr int Limit = 60'000; // of programs that never come to it
        const bool all = QTest::qWaitFor(goOn, Limit);
        for (const auto& game : played)
            for (int client = 0; client < 2; ++client) {
                const std::size_t at = reached[game->fileOf("world", client)];
                if (!all && at < Wanted.size())
                    QFAIL(game->of(QStringLiteral("client %1: it does not ").arg(client) + QLatin1String(Wanted[at] ? "open" : "close")));
                for (const char* type : {"Activate", "Deactivate"})
                    QTRY_VERIFY2_WITH_TIMEOUT(heard(game->fileOf("trace", client)).value(QLatin1String(type)) >= 1,
                                              game->of(QLatin1String(type)), Limit);
            }
    }

    // A server without a window says who comes and goes while it runs, and so does its script.
    void aServerTellsWhoComesAndGoes() {
        QTemporaryDir folder;
        const QString script = folder.filePath(QStringLiteral("script"));
        const QString password = folder.filePath(QStringLiteral("password"));
        write(script, "echo it has begun\nwait 1000000\n");
        write(password, "open sesame\n");
        QVERIFY(QFile::setPermissions(password, QFile::ReadOwner | QFile::WriteOwner));
        Player server({QStringLiteral("--serve"), QStringLiteral("0"), QStringLiteral("--exec"), script,
                       QStringLiteral("--password-file"), password});
        const quint16 port = server.port();
        QVERIFY2(port != 0, qPrintable(server.said()));
        const auto says = [&](const char* pattern) {
            const bool said = server.says(QRegularExpression(QLatin1String(pattern)));
            if (!said)
                qWarning("not said: %s\n%s", pattern, qPrintable(server.said()));
            return said;
        };
        QVERIFY(says("it has begun\n"));
        Player stranger(
            {QStringLiteral("--connect"), address(port), QStringLiteral("--ticks"), QStringLiteral("60")});
        QCOMPARE(stranger.finish(), 1);
        QVERIFY(says("127.0.0.1:\\d+ was not let in: its password is wrong or missing\n"));
        const QStringList use{QStringLiteral("--connect"), address(port), QStringLiteral("--password-file"),
                              password, QStringLiteral("--ticks")};
        Player ada(use + QStringList{QStringLiteral("200"), QStringLiteral("--name"), QStringLiteral("Ada")});
        QVERIFY(says("127.0.0.1:\\d+ has joined; 1 client is connected\n"));
        QVERIFY(says("127.0.0.1:\\d+ is \"Ada\"\n"));
        QCOMPARE(ada.finish(), 0);
        QVERIFY(says("\"Ada\" \\(127.0.0.1:\\d+\\) has left; 0 clients are connected\n"));
        Player bob(use
                   + QStringList{QStringLiteral("1000000"), QStringLiteral("--name"), QStringLiteral("Bob")});
        QVERIFY(says("127.0.0.1:\\d+ is \"Bob\"\n"));
        bob.kill();
        QVERIFY(says("\"Bob\" \\(127.0.0.1:\\d+\\) has timed out: nothing was received"));
    }

    // What a player says is printed by the server, by who said it, and by the others.
    void whatAPlayerSaysIsPrintedByAll() {
        QTemporaryDir folder;
        const QString script = folder.filePath(QStringLiteral("script"));
        // Again and again, as it may not be connected at first.
        write(script, QByteArray("wait 60\nsay hello there\n").repeated(100) + "wait 1000000\n");
        Player server({QStringLiteral("--serve"), QStringLiteral("0")});
        const quint16 port = server.port();
        QVERIFY2(port != 0, qPrintable(server.said()));
        const QStringList use{QStringLiteral("--connect"), address(port), QStringLiteral("--name")};
        Player bob(use + QStringList{QStringLiteral("Bob"), QStringLiteral("--ticks"), QStringLiteral("1000000")});
        QVERIFY(server.says(QRegularExpression(QStringLiteral("is \"Bob\"\n"))));
        Player ada(use + QStringList{QStringLiteral("Ada"), QStringLiteral("--exec"), script});
        const QRegularExpression line(QStringLiteral("^Ada: hello there$"), QRegularExpression::MultilineOption);
        for (Player* each : {&server, &ada, &bob})
            QVERIFY2(each->says(line), qPrintable(each->said()));
    }

    // A server is there until it is ended.
    void aServerRunsUntilItIsEnded() {
        QTemporaryDir folder;
        const QString digest = folder.filePath(QStringLiteral("digest"));
        Player server({QStringLiteral("--serve"), QStringLiteral("0"), QStringLiteral("--sim.tickRate=600"), QStringLiteral("--digest"), digest});
        QVERIFY2(server.port() != 0, qPrintable(server.said()));
        const auto ticks = [&digest] {
            QFile file(digest);
            return file.open(QIODevice::ReadOnly) ? file.readAll().count('\n') : 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(ticks() > 900 || !server.runs(), 120'000); // 600 are those of a run without a network
        QVERIFY2(server.runs() && ticks() > 900, qPrintable(server.said()));
        server.terminate();
        QCOMPARE(server.finish(), 0);
    }

    // A client with crates of two metres is refused, and told that it is the crates.
    void aClientWithOtherCratesIsRefused() {
        QTemporaryDir folder;
        const QString other = folder.filePath(QStringLiteral("courtyard"));
        sbx::test::copyFolder(Courtyard, other);
        const QString definitions = other + QStringLiteral("/entities.toml");
        QFile file(definitions);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        file.close();
        const qsizetype at = text.indexOf("size = [1.0, 1.0, 1.0]", text.indexOf("[Crate.Body]"));
        QVERIFY(at > 0);
        text.replace(at, 22, "size = [2.0, 2.0, 2.0]");
        write(definitions, text);
        Player server({QStringLiteral("--serve"), QStringLiteral("0"), QStringLiteral("--ticks"),
                       QStringLiteral("100000")});
        const quint16 port = server.port();
        QVERIFY2(port != 0, qPrintable(server.said()));
        const QStringList use{QStringLiteral("--connect"), address(port), QStringLiteral("--ticks"),
                              QStringLiteral("60")};
        Player client(use, {}, other);
        QCOMPARE(client.finish(), 1);
        QVERIFY2(client.said().contains(QLatin1String("These differ: definitions of entity types (Crate")),
                 qPrintable(client.said()));
        QVERIFY(server.says(QRegularExpression(
            QStringLiteral("was not let in: it has other components, definitions or another scene"))));
        Player same(use);
        QVERIFY2(same.finish() == 0, qPrintable(same.said()));
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
