#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

#include "widgets/console/console_history.h"
#include "widgets/console/log_links.h"
#include "widgets/console/log_model.h"

using namespace sbx;
using namespace sbx::ui;

namespace {
struct Fixture {
    Log log;
    LogModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

    void pull() { model.append(log.since(model.latest())); }
    QStringList shown() const {
        QStringList out;
        for (int row = 0; row < model.rowCount(); ++row)
            out.append(model.at(row).text);
        return out;
    }
};
} // namespace

class TestModel : public QObject {
    Q_OBJECT
private slots:
    void rowsFollowTheLog() {
        Fixture f;
        f.log.info("sim", "one");
        f.log.error("net", "two");
        f.pull();
        QCOMPARE(f.shown(), (QStringList{QStringLiteral("one"), QStringLiteral("two")}));
        const QModelIndex index = f.model.index(1);
        QCOMPARE(index.data(LogModel::SeverityRole).toInt(), static_cast<int>(LogSeverity::Error));
        QCOMPARE(index.data(LogModel::ChannelRole).toString(), QStringLiteral("net"));
        QCOMPARE(index.data(LogModel::SequenceRole).toULongLong(), 2ULL);
        QVERIFY(f.model.plainText(1).endsWith(QStringLiteral("error [net] two")));
        f.pull();
        QCOMPARE(f.model.rowCount(), 2);
    }

    void repetitionsUpdateTheirRow() {
        Fixture f;
        f.log.info("sim", "again");
        f.pull();
        QSignalSpy changed(&f.model, &QAbstractItemModel::dataChanged);
        for (int i = 0; i < 4; ++i)
            f.log.info("sim", "again");
        f.pull();
        QCOMPARE(f.model.rowCount(), 1);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(f.model.at(0).count, 5U);
        QCOMPARE(f.model.count(LogSeverity::Info), 5ULL);
        QVERIFY(f.model.plainText(0).endsWith(QStringLiteral("×5")));
        // Cleared: what comes again counts from one.
        f.model.clear();
        f.log.info("sim", "again");
        f.pull();
        QCOMPARE(f.model.at(0).count, 1U);
        f.log.info("sim", "again");
        f.pull();
        QCOMPARE(f.model.rowCount(), 1);
        QCOMPARE(f.model.at(0).count, 2U);
        QCOMPARE(f.model.count(LogSeverity::Info), 2ULL);
    }

    void anAnswerRepeatsNeitherTimeNorSource() {
        Fixture f;
        using enum LogModel::Repeats;
        auto add = [&, next = std::uint64_t(1)](std::uint64_t ms, LogSeverity severity,
                                                      const char* channel, const char* text) mutable {
            f.model.append({{next++, ms, severity, channel, text}});
            return f.model.repeats(f.model.rowCount() - 1);
        };
        const LogSeverity info = LogSeverity::Info;
        QCOMPARE(add(10, info, "console", "a"), Nothing);
        QCOMPARE(add(10, info, "console", "> list"), Nothing); // typed: of its own time
        QCOMPARE(add(10, info, "console", "b"), Time);         // with an icon, which what is typed has not
        QCOMPARE(add(11, info, "console", "c"), TimeAndSource);
        QCOMPARE(add(11, LogSeverity::Error, "console", "d"), Time);
        QCOMPARE(add(11, info, "console", "e"), Time); // after an error its icon is not that of the row above
        QCOMPARE(add(13, info, "console", "f"), Nothing); // later: said without being asked
        QCOMPARE(add(13, info, "sim", "g"), Nothing);
        QCOMPARE(add(13, info, "sim", "h"), Nothing); // records of others are one each
        QCOMPARE(add(13, info, "console", "i"), Nothing);
        QCOMPARE(add(13, info, "console", "jb"), TimeAndSource);
        // What is filtered out has left its time with what is shown.
        QVERIFY(f.model.setText(QStringLiteral("b"), false).isEmpty());
        QCOMPARE(f.shown(), (QStringList{QStringLiteral("b"), QStringLiteral("jb")}));
        QCOMPARE(f.model.repeats(0), Nothing);
        QCOMPARE(f.model.repeats(1), Nothing);
    }

    void filtersApplyToOldAndNewLines() {
        Fixture f;
        f.log.info("sim", "a");
        f.log.warning("net", "b");
        f.log.error("net", "c");
        f.pull();
        f.model.setSeverityShown(LogSeverity::Info, false);
        QCOMPARE(f.shown(), (QStringList{QStringLiteral("b"), QStringLiteral("c")}));
        f.log.info("sim", "d");
        f.pull();
        QCOMPARE(f.model.rowCount(), 2);
        QCOMPARE(f.model.total(), 4);
        QCOMPARE(f.model.count(LogSeverity::Info), 2ULL); // of the unfiltered log
        f.model.setSeverityShown(LogSeverity::Info, true);
        f.model.setChannelShown(QStringLiteral("net"), false);
        QCOMPARE(f.shown(), (QStringList{QStringLiteral("a"), QStringLiteral("d")}));
        f.log.error("net", "hidden");
        f.log.error("net", "hidden");
        f.pull();
        QCOMPARE(f.model.rowCount(), 2);
        QCOMPARE(f.model.channels().value(QStringLiteral("net")), 4ULL);
        f.model.setChannelShown(QStringLiteral("net"), true);
        QCOMPARE(f.shown().last(), QStringLiteral("hidden"));
    }

    void textAndExpression() {
        Fixture f;
        for (const char* text : {"Body falls", "the door (closed)", "body stops", "x1", "x22"})
            f.log.info("sim", text);
        f.pull();
        QVERIFY(f.model.setText(QStringLiteral("BODY"), false).isEmpty());
        QCOMPARE(f.model.rowCount(), 2);
        QVERIFY(f.model.setText(QStringLiteral("(closed"), false).isEmpty()); // plain text, not an expression
        QCOMPARE(f.model.rowCount(), 1);
        QVERIFY(f.model.setText(QStringLiteral("^x\\d$"), true).isEmpty());
        QCOMPARE(f.shown(), QStringList{QStringLiteral("x1")});
        const QString problem = f.model.setText(QStringLiteral("(closed"), true);
        QVERIFY2(problem.contains(QStringLiteral("regular expression")), qPrintable(problem));
        QCOMPARE(f.model.rowCount(), 1); // the last good one stays
        QVERIFY(f.model.setText({}, true).isEmpty());
        QCOMPARE(f.model.rowCount(), 5);
    }

    void oldestAreDroppedAndCountsFollow() {
        Log log({.capacity = 100'000});
        LogModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSeverityShown(LogSeverity::Debug, false);
        const int total = static_cast<int>(LogModel::Capacity) * 2;
        for (int i = 0; i < total; ++i) {
            log.write(i % 2 == 0 ? LogSeverity::Info : LogSeverity::Debug, "sim", std::to_string(i));
            if (i % 1000 == 999)
                model.append(log.since(model.latest()));
        }
        QVERIFY(model.total() >= static_cast<int>(LogModel::Capacity));
        QVERIFY(model.total() <= static_cast<int>(LogModel::Capacity * 11 / 10));
        QCOMPARE(model.rowCount(), model.total() / 2);
        QCOMPARE(model.at(model.rowCount() - 1).text, QString::number(total - 2));
        QCOMPARE(model.count(LogSeverity::Info) + model.count(LogSeverity::Debug),
                 static_cast<quint64>(model.total()));
    }

    void linksOfALine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("links");
        const auto row = [](const char* text, const QStringList& links) {
            QTest::newRow(text) << QString::fromUtf8(text) << links;
        };
        row("crate_1 hit door.", {QStringLiteral("entity crate_1"), QStringLiteral("entity door")});
        row("doors and crate_12", {});
        row("crate_1.Health.current is 3", {QStringLiteral("entity crate_1")});
        row("sim.gravity = 9.81 m/s² (was 3)", {QStringLiteral("cvar sim.gravity")});
        row("set by project (project.toml:7)", {QStringLiteral("place project.toml:7")});
        row("a/b-c/e.scene.toml:12:5: error: no", {QStringLiteral("place a/b-c/e.scene.toml:12:5")});
        row("at 12:30, x:3, http://a", {});
        row("paused after tick 12: #345 Damage to crate_1",
            {QStringLiteral("message 345"), QStringLiteral("entity crate_1")});
        row("mesh#2 ##3 #abc #4x", {});
        row("größe door", {QStringLiteral("entity door")});
        row("crate_1.toml:3", {QStringLiteral("place crate_1.toml:3")});
        // Commands: with a point everywhere, others where a line begins or what was meant.
        row("list [KIND] [FILTER]  Lists what there is", {QStringLiteral("command list")});
        row("> list cvars", {QStringLiteral("command list")});
        row("a list of things", {});
        row("first\n  list", {QStringLiteral("command list")});
        row("there is no command \"lst\"; did you mean list?", {QStringLiteral("command list")});
        row("sim.play was said; then sim.play.",
            {QStringLiteral("command sim.play"), QStringLiteral("command sim.play")});
        row("listing", {});
    }
    void linksOfALine() {
        QFETCH(const QString, text);
        QFETCH(const QStringList, links);
        LinkNames names;
        names.isEntity = [](const QString& n) {
            return n == QLatin1String("crate_1") || n == QLatin1String("door");
        };
        names.isCVar = [](const QString& n) { return n == QLatin1String("sim.gravity"); };
        names.isCommand = [](const QString& n) {
            return n == QLatin1String("list") || n == QLatin1String("sim.play");
        };
        QStringList seen;
        static constexpr const char* Kinds[] = {"entity", "cvar", "command", "message", "place"};
        for (const LogLink& link : findLinks(text, names))
            seen.append(QLatin1String(Kinds[static_cast<int>(link.kind)]) + QLatin1Char(' ') + link.target);
        QCOMPARE(seen, links);
        QVERIFY(findLinks(text, {}).size() <= 1 + static_cast<std::size_t>(links.size()));
        QVERIFY(findLinks(QString(100000, QLatin1Char('#')), names).empty());
    }

    void historyKeepsNoDuplicates() {
        ConsoleHistory h;
        QVERIFY(h.add(QStringLiteral("a")));
        QVERIFY(h.add(QStringLiteral("b")));
        QVERIFY(!h.add(QStringLiteral("b")));
        QVERIFY(h.add(QStringLiteral("a")));
        QVERIFY(!h.add(QStringLiteral("   ")));
        QVERIFY(!h.add(QStringLiteral(" secret")));
        QCOMPARE(h.lines(), (QStringList{QStringLiteral("b"), QStringLiteral("a")}));
        for (int i = 0; i < 1500; ++i)
            h.add(QStringLiteral("line %1").arg(i));
        QCOMPARE(h.lines().size(), ConsoleHistory::Limit);
        QCOMPARE(h.lines().last(), QStringLiteral("line 1499"));
    }

    void historyWalksByPrefix() {
        ConsoleHistory h;
        h.setLines({QStringLiteral("net.loss 1"), QStringLiteral("help"), QStringLiteral("net.loss 2"),
                    QStringLiteral("list")});
        QCOMPARE(h.older(QStringLiteral("net")), QStringLiteral("net.loss 2"));
        QCOMPARE(h.older(QStringLiteral("net.loss 2")), QStringLiteral("net.loss 1"));
        QCOMPARE(h.older(QStringLiteral("net.loss 1")), QStringLiteral("net.loss 1")); // the end
        QCOMPARE(h.newer(QStringLiteral("net.loss 1")), QStringLiteral("net.loss 2"));
        QCOMPARE(h.newer(QStringLiteral("net.loss 2")), QStringLiteral("net")); // what was typed
        QCOMPARE(h.newer(QStringLiteral("net")), QStringLiteral("net"));
        QCOMPARE(h.older(QString()), QStringLiteral("list"));
        h.stopWalking();
        QCOMPARE(h.older(QStringLiteral("zzz")), QStringLiteral("zzz"));
    }
};

QTEST_MAIN(TestModel)
#include "tst_model.moc"
