// Error lines of the log as problems.

#include <QSignalSpy>
#include <QTest>

#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "widgets/common/log_problems.h"
#include "widgets/common/session_feed.h"

using namespace sbx;
using namespace sbx::ui;

namespace {
QStringList texts(const LogProblems& problems) {
    QStringList out;
    for (const Diagnostic& problem : problems.problems())
        out << QString::fromStdString(problem.message());
    return out;
}
} // namespace

class TestLogProblems : public QObject {
    Q_OBJECT

private slots:
    void errorsAloneAreProblems() {
        Log log;
        Session session(log, addConsoleCommands);
        SessionFeed feed(session);
        log.error("physics", "before anybody looked");
        LogProblems problems(log, feed);
        QCOMPARE(texts(problems), QStringList{QStringLiteral("physics: before anybody looked")});
        QSignalSpy changed(&problems, &LogProblems::changed);
        log.warning("physics", "a warning");
        log.info("physics", "news");
        problems.poll();
        QCOMPARE(changed.count(), 0);
        log.error("plugin", "one: Ticker threw");
        QTRY_COMPARE(changed.count(), 1); // by itself
        QCOMPARE(texts(problems).size(), 2);
        QCOMPARE(problems.problems()[1].severity, Severity::Error);
        QCOMPARE(problems.problems()[1].region.line, 0);
    }

    // What was mistyped, or refused with a notice, is no fault of the project; a script's line has a place, and is one.
    void answersAreNoProblems() {
        Log log;
        Session session(log, addConsoleCommands);
        SessionFeed feed(session);
        LogProblems problems(log, feed);
        QVERIFY(!session.execute("gravty").ok);
        QVERIFY(!session.execute("sim.gravity 1000").ok);
        log.error("console", "there is no client9");
        log.error("client1", "unknown command");
        log.error(LogProblems::Refusals, "the name \"crate_6\" is taken");
        problems.poll();
        QCOMPARE(texts(problems), QStringList());
        QVERIFY(problems.empty());
        log.error("console", "boot.cfg:3: unknown command");
        log.error("physics", "3:4: not a console line");
        problems.poll();
        QCOMPARE(texts(problems), (QStringList{QStringLiteral("console: boot.cfg:3: unknown command"),
                                               QStringLiteral("physics: 3:4: not a console line")}));
    }

    // Side by side or with others between, seen at once or in pieces.
    void repetitionsAreCounted() {
        Log log;
        Session session(log, addConsoleCommands);
        SessionFeed feed(session);
        LogProblems problems(log, feed);
        for (int i = 0; i < 3; ++i)
            log.error("a", "again");
        problems.poll();
        log.error("a", "again");
        problems.poll();
        log.info("a", "between");
        log.error("a", "again");
        problems.poll();
        QCOMPARE(texts(problems), QStringList{QStringLiteral("a: again (5 times)")});
    }

    // A full disk: the log goes on in memory, and says that its file does not.
    void linesThatAreNotInTheFileAreAProblem() {
        if (!QFile::exists(QStringLiteral("/dev/full")))
            QSKIP("no device that is always full");
        Log log;
        Session session(log, addConsoleCommands);
        SessionFeed feed(session);
        LogProblems problems(log, feed);
        problems.poll();
        QVERIFY(problems.empty());
        QVERIFY(log.openFile("/dev/full").ok());
        QSignalSpy changed(&problems, &LogProblems::changed);
        log.info("sim", "one");
        log.info("sim", "two");
        problems.poll();
        QCOMPARE(changed.count(), 1);
        QVERIFY(!problems.empty());
        QCOMPARE(texts(problems).size(), 1);
        QVERIFY2(texts(problems)[0].contains(QStringLiteral("log: /dev/full cannot be written")), qPrintable(texts(problems)[0]));
        problems.clear();
        QVERIFY(problems.empty() && texts(problems).isEmpty());
    }

    void thoseOfARunGoWhenTheNextBegins() {
        Log log;
        Session session(log, addConsoleCommands);
        session.publish();
        SessionFeed feed(session);
        LogProblems problems(log, feed);
        log.error("editor", "not saved");
        problems.poll();
        const auto follow = [&] {
            session.publish();
            feed.poll();
        };
        session.play();
        follow();
        log.error("plugin", "first run");
        problems.poll();
        session.stop();
        follow();
        QCOMPARE(texts(problems), (QStringList{QStringLiteral("editor: not saved"), QStringLiteral("plugin: first run")}));
        session.play();
        log.error("plugin", "second run"); // while it begins
        follow();
        QCOMPARE(texts(problems), (QStringList{QStringLiteral("editor: not saved"), QStringLiteral("plugin: second run")}));
        session.pause();
        follow();
        session.play();
        follow();
        QCOMPARE(texts(problems).size(), 2);
        problems.clear();
        QVERIFY(problems.empty());
        problems.poll();
        QVERIFY(problems.empty());
    }

    void thereIsAnEndToThem() {
        Log log;
        Session session(log, addConsoleCommands);
        SessionFeed feed(session);
        LogProblems problems(log, feed);
        for (std::size_t i = 0; i < LogProblems::Most + 20; ++i)
            log.error("a", std::to_string(i));
        problems.poll();
        QCOMPARE(problems.problems().size(), LogProblems::Most + 1);
        QVERIFY2(texts(problems).last().contains(QStringLiteral("20 more errors")), qPrintable(texts(problems).last()));
    }
};

QTEST_MAIN(TestLogProblems)
#include "tst_log_problems.moc"
