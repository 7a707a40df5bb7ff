// The player under remote control, without a window.

#include <QFileInfo>
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "app/remote/remote_control.h"
#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "tests/folders.h"
#include "tests/remote/remote_client.h"

#include <algorithm>

using namespace sbx;
using test::errorOf;
using test::isOk;
using test::RemoteClient;

class TestRemotePlayer : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<QProcess> m_player;
    std::unique_ptr<RemoteClient> m_client;
    QString m_socket;

    void begin(const QStringList& more = {}) {
        m_player->start(test::qBuildPath("bin/signalbox-player"),
                        QStringList{test::qSourcePath("resources/projects/courtyard"),
                                    QStringLiteral("--headless"), QStringLiteral("--safe-mode"),
                                    QStringLiteral("--test-mode"), m_socket}
                            + more);
        QVERIFY(m_player->waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(RemoteClient(m_socket.toStdString()).connected(), 30'000);
        m_client = std::make_unique<RemoteClient>(m_socket.toStdString());
    }
    QJsonObject ask(const QByteArray& line) { return m_client->ask(line); }
    static int tickOf(const QJsonObject& answer) {
        return answer.value(QLatin1String("value")).toObject().value(QLatin1String("tick")).toInt(-1);
    }

private slots:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        m_socket = m_dir->filePath(QStringLiteral("s"));
        m_player = std::make_unique<QProcess>();
    }
    void cleanup() {
        m_client.reset();
        m_player->kill();
        m_player->waitForFinished();
        m_player.reset();
    }

    void stepsAndDumps() {
        begin();
        QCOMPARE(tickOf(ask("world.dump")), 0); // it waits
        QCOMPARE(tickOf(ask("step 120")), 120);
        QCOMPARE(tickOf(ask("step")), 121);
        const QJsonObject world = ask("world.dump").value(QLatin1String("value")).toObject();
        QCOMPARE(world.value(QLatin1String("tick")).toInt(), 121);
        QVERIFY(world.value(QLatin1String("entities")).toArray().size() > 5);
        const QJsonArray trace = ask("trace.dump limit 5 type == Contact or type == Collision or tick >= 1")
                                     .value(QLatin1String("value"))
                                     .toArray();
        QVERIFY(!trace.isEmpty());
        QVERIFY(trace.size() <= 5);
        for (const QJsonValue& record : trace)
            QVERIFY(record.toObject().contains(QLatin1String("sequence")));
        QVERIFY(ask("net.stats").value(QLatin1String("value")).isObject());
        QVERIFY(errorOf(ask("audio.voices")).startsWith(QLatin1String("nothing renders sound"))); // without --audio
        QVERIFY(isOk(ask("wait.idle")));
    }
    void aLineThatWaitsIsAnsweredWhenItIsDone() {
        begin();
        RemoteClient other(m_socket.toStdString());
        QVERIFY(m_client->send("echo one; wait 10; echo two\n"));
        QCOMPARE(tickOf(other.ask("step 9")), 9);
        QVERIFY(isOk(other.ask("step 1")));
        const QJsonObject answer = QJsonDocument::fromJson(m_client->readLine()).object();
        QCOMPARE(answer.value(QLatin1String("output")).toString(), QStringLiteral("one\ntwo"));
        // And when its run ends.
        QVERIFY(m_client->send("wait 1000\n"));
        QVERIFY(isOk(other.ask("sim.stop")));
        QVERIFY(errorOf(QJsonDocument::fromJson(m_client->readLine()).object())
                    .contains(QLatin1String("the run ended")));
    }
    void waitsForAConditionAndGivesUp() {
        begin();
        QVERIFY(m_client->send("wait.for tick >= 40\n"));
        RemoteClient other(m_socket.toStdString());
        QVERIFY(isOk(other.ask("sim.play")));
        QCOMPARE(tickOf(QJsonDocument::fromJson(m_client->readLine()).object()), 40);
        QVERIFY(errorOf(ask("wait.for ticks 5 count(type == \"Crate\") > 100000"))
                    .contains(QLatin1String("after 5 ticks it does not hold")));
        QVERIFY(!isOk(ask("wait.for ((")));
        // A client that goes takes its wait along.
        QVERIFY(m_client->send("wait.for tick < 0\n"));
        m_client.reset();
        QVERIFY(isOk(other.ask("sim.pause")));
    }
    void aLineThatFailsSaysWhyAndCounts() {
        begin();
        QVERIFY(errorOf(ask("world.dmp")).contains(QLatin1String("world.dump")));
        QVERIFY(errorOf(ask("expect tick == 5")).contains(QLatin1String("FAIL")));
        QVERIFY(errorOf(ask("step none")).contains(QLatin1String("expected a whole number")));
        QVERIFY(errorOf(ask("trace.dump type = ")).size() > 10);
        for (const char* line : {"click x", "ui.dump", "type x \"y\"", "screenshot a.png", "undo.dump"})
            QVERIFY2(errorOf(ask(line)).contains(QLatin1String("needs a window")), line);
        QVERIFY(isOk(ask("expect tick == 0")));
        QVERIFY(isOk(ask("quit")));
        QVERIFY(m_player->waitForFinished(30'000));
        QCOMPARE(m_player->exitCode(), 1); // as for a script
    }
    void quitEndsItAndTakesTheSocketAlong() {
        begin({QStringLiteral("--ticks"), QStringLiteral("3")});
        QVERIFY(isOk(ask("sim.play")));
        QVERIFY(isOk(ask("wait.for tick == 3")));
        QVERIFY(isOk(ask("quit")));
        QVERIFY(m_player->waitForFinished(30'000));
        QCOMPARE(m_player->exitCode(), 0);
        QVERIFY(!QFileInfo::exists(m_socket));
    }
    void aSocketThatCannotBeIsOneClearLine() {
        QFile file(m_socket);
        QVERIFY(file.open(QIODevice::WriteOnly));
        m_player->start(test::qBuildPath("bin/signalbox-player"),
                        {test::qSourcePath("resources/projects/courtyard"), QStringLiteral("--headless"),
                         QStringLiteral("--safe-mode"), QStringLiteral("--test-mode"), m_socket});
        QVERIFY(m_player->waitForFinished(30'000));
        QCOMPARE(m_player->exitCode(), 2);
        const QByteArray said = m_player->readAllStandardError();
        QVERIFY2(said.startsWith("error: --test-mode ") && said.count('\n') == 1, said.constData());
    }
    void theSameStateAsAnOrdinaryRun() {
        const QString plain = m_dir->filePath(QStringLiteral("plain"));
        const QString stepped = m_dir->filePath(QStringLiteral("stepped"));
        QProcess run;
        run.start(test::qBuildPath("bin/signalbox-player"),
                  {test::qSourcePath("resources/projects/courtyard"), QStringLiteral("--headless"),
                   QStringLiteral("--safe-mode"), QStringLiteral("--ticks"), QStringLiteral("200"),
                   QStringLiteral("--digest"), plain});
        QVERIFY(run.waitForFinished(60'000));
        begin({QStringLiteral("--digest"), stepped});
        QVERIFY(isOk(ask("step 150")));
        QVERIFY(isOk(ask("ui.find x")) == false);
        QVERIFY(isOk(ask("step 50")));
        QVERIFY(isOk(ask("quit")));
        QVERIFY(m_player->waitForFinished(30'000));
        QFile a(plain);
        QFile b(stepped);
        QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
        QCOMPARE(b.readAll(), a.readAll());
    }
    void wordsOfRemoteControlAreNoConsoleCommands() {
        Log log;
        Session session(log, addConsoleCommands);
        for (const std::string& word : remote::remoteWords()) {
            QVERIFY2(session.console().commands().find(word) == nullptr, word.c_str());
            QVERIFY2(!session.cvars().describe(word), word.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestRemotePlayer)
#include "tst_player.moc"
