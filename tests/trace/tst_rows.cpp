// The panel's columns and lines, by clicks and keys: what may be a column, what opens, what stays chosen.

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextDocument>
#include <QTimer>
#include <QtTest>

#include "tests/event_loop.h"
#include "tests/trace/panel_bench.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/record_page.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_export.h"
#include "widgets/trace/trace_filters.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_view.h"

#include <map>
#include <set>
#include <string>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

const std::vector<Yard::Visit> Shielded{{Yard::Touch, -9, HandlerResult::Passed},
                                        {Yard::Shield, -5, HandlerResult::Consumed},
                                        {Yard::Health, 0, HandlerResult::NotReached}};
const std::vector<Yard::Visit> Touched{{Yard::Body, 0, HandlerResult::Passed}};

struct RowsBench : PanelBench {
    explicit RowsBench(const Theme& theme, TraceStore store = TraceStore())
        : PanelBench(theme, std::move(store), 400) {}
    TraceView& view() { return panel->view(); }
    void take() {
        yard.recorder.seal();
        model().catchUp();
    }
    QString cell(int row, int column) { return model().index(row, column).data().toString(); }
    QPoint at(const TraceLine& line) {
        const QRect row = view().visualRect(view().model()->index(line.row, TraceModel::Type));
        const int lines = view().lines().lineOf(line) - view().lines().lineOf(line.row);
        return row.center() + QPoint(0, lines * row.height());
    }
    void click(const TraceLine& line) { QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, at(line)); }
    bool trigger(int row, int column, const QString& name) {
        const std::unique_ptr<QMenu> menu(panel->menuFor(row, column));
        auto* action = menu->findChild<QAction*>(name);
        if (action != nullptr)
            action->trigger();
        model().catchUp();
        return action != nullptr;
    }
};

} // namespace

class TestRows : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    // --- columns

    void theColumnsSayTimePriorityAndSize() {
        RowsBench b(*m_theme);
        b.yard.tick = 90;
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, Shielded);
        b.yard.send(Contact{}, 32, 3, 0, Touched);
        b.take();
        QCOMPARE(b.cell(0, TraceModel::Time), QStringLiteral("1.500"));
        QCOMPARE(b.model().index(0, TraceModel::Time).data(TraceModel::UnitRole).toString(), QStringLiteral("s"));
        QCOMPARE(b.cell(0, TraceModel::Priority), QStringLiteral("-5")); // of the one that consumed it
        QCOMPARE(b.cell(1, TraceModel::Priority), QString());
        QCOMPARE(b.cell(0, TraceModel::Size), QString::number(sizeof(Damage)));
        b.yard.ticksPerSecond = 30.0;
        b.model().catchUp();
        QCOMPARE(b.cell(0, TraceModel::Time), QStringLiteral("3.000"));
        // They are there to be shown, and no more.
        QHeaderView& header = b.view().header();
        for (int column = TraceModel::Time; column < TraceModel::ColumnCount; ++column) {
            QVERIFY(header.isSectionHidden(column));
            const std::unique_ptr<QMenu> menu(b.panel->columnsMenu());
            auto* action = menu->findChild<QAction*>(QStringLiteral("trace.columns.%1").arg(column));
            QVERIFY(action != nullptr && !action->isChecked());
            action->trigger();
            QVERIFY(!header.isSectionHidden(column));
        }
        QCOMPARE(header.visualIndex(TraceModel::Time), header.visualIndex(TraceModel::Tick) + 1);
        QCOMPARE(header.visualIndex(TraceModel::Priority), header.visualIndex(TraceModel::Outcome) - 1);
    }

    // Inside a segment and from one to the next, as the recorder's own stamps have it.
    void theWallDeltaCrossesSegments() {
        RowsBench b(*m_theme);
        b.yard.send(Contact{}, 32, 3, 0, Touched);
        b.take();
        b.yard.recorder.setStamps(true);
        for (int i = 0; i < 3; ++i)
            b.yard.send(Contact{}, 32, 3, 0, Touched);
        b.take();
        b.yard.send(Say{Text("odd sizes, too")}, 32, 3, 0, Touched);
        b.yard.send(Contact{}, -1, 3, 0, Shielded);
        b.yard.recorder.setTiming(true);
        b.yard.send(Damage{}, 32, 3, 0, Shielded, Delivery::Immediate, true);
        b.yard.send(Died{}, -1, 3, 0, {});
        b.take();
        QVERIFY(!b.model().wallDelta(0));
        QVERIFY(!b.model().wallDelta(1)); // of one of the two it was not recorded
        QCOMPARE(b.cell(1, TraceModel::Delta), QStringLiteral("—"));
        for (const int row : {2, 3, 5, 6, 7}) {
            const double wanted = b.model().record(row).stampNs() - b.model().record(row - 1).stampNs();
            const std::optional<double> delta = b.model().wallDelta(row);
            QVERIFY(delta && std::abs(*delta - wanted) < 0.01);
        }
        // The stamp of a segment's first is 0, and it came later all the same.
        QVERIFY(b.model().wallDelta(4) && *b.model().wallDelta(4) > 0.0);
        b.panel->setFilterText(QStringLiteral("sequence in (2, 5)")); // the row before, not the message before
        QVERIFY(b.model().wallDelta(1) && *b.model().wallDelta(1) > 0.0);
    }

    void aFieldBecomesAColumn() {
        RowsBench b(*m_theme);
        QAbstractItemModelTester tester(&b.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        b.yard.send(Damage{5.25F, Kind::Fire, {}}, 32, 3, 0, Shielded);
        b.yard.send(Contact{}, 32, 3, 0, Touched);
        b.yard.send(Say{Text("=x, \"y\""), true, 4}, 3, 4, 0, {});
        b.take();
        const int plain = b.model().columnCount();
        QVERIFY(b.trigger(0, -1, QStringLiteral("trace.menu.fields.amount.column")));
        QCOMPARE(b.model().columnCount(), plain + 1);
        const int amount = TraceModel::ColumnCount;
        QCOMPARE(b.model().headerData(amount, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("amount"));
        QCOMPARE(b.cell(0, amount), QStringLiteral("5.25"));
        QCOMPARE(b.model().index(0, amount).data(TraceModel::UnitRole).toString(), QStringLiteral("hp"));
        QCOMPARE(b.cell(1, amount), QString()); // no such field
        QCOMPARE(b.cell(2, amount), QStringLiteral("4")); // another type's of that name
        QVERIFY(b.model().isNumber(amount));
        QVERIFY(!b.view().header().isSectionHidden(amount));
        QVERIFY(b.view().header().sectionSize(amount) > 40);
        // A second time there is nothing to add.
        QVERIFY(!b.trigger(0, -1, QStringLiteral("trace.menu.fields.amount.column")));
        // A field of several numbers, too.
        QVERIFY(b.trigger(1, -1, QStringLiteral("trace.menu.fields.point.column")));
        QCOMPARE(b.cell(1, amount + 1), QStringLiteral("[0.0, 0.0, 0.0]"));
        // Its cells are conditions.
        QVERIFY(b.trigger(0, amount, QStringLiteral("trace.menu.cell.least")));
        QCOMPARE(b.panel->filterText(), QStringLiteral("fields.amount >= 5.25"));
        QCOMPARE(b.model().rowCount(), 1);
        b.panel->setFilterText({});
        QVERIFY(b.trigger(2, amount, QStringLiteral("trace.menu.cell.most")));
        QCOMPARE(b.panel->filterText(), QStringLiteral("fields.amount <= 4"));
        b.panel->setFilterText({});
        QVERIFY(!b.trigger(1, amount, QStringLiteral("trace.menu.cell.most")));
        // It comes back, and goes by the header's menu.
        const QVariantMap state = b.panel->saveState();
        const std::unique_ptr<QMenu> menu(b.panel->columnsMenu());
        menu->findChild<QAction*>(QStringLiteral("trace.columns.remove.amount"))->trigger();
        QCOMPARE(b.model().fieldColumns(), QStringList{QStringLiteral("point")});
        QCOMPARE(b.cell(1, amount), QStringLiteral("[0.0, 0.0, 0.0]"));
        TracePanel other(*m_theme, b.yard.source, b.selection);
        other.restoreState(state);
        QCOMPARE(other.model().fieldColumns(), (QStringList{QStringLiteral("amount"), QStringLiteral("point")}));
    }

    void numbersOfCellsNarrow_data() {
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("action");
        QTest::addColumn<QString>("filter");
        QTest::newRow("tick") << int(TraceModel::Tick) << QStringLiteral("least") << QStringLiteral("tick >= 7");
        QTest::newRow("time") << int(TraceModel::Time) << QStringLiteral("most") << QStringLiteral("tick <= 7");
        QTest::newRow("number") << int(TraceModel::Number) << QStringLiteral("not") << QStringLiteral("sequence != 1");
        QTest::newRow("outcome") << int(TraceModel::Outcome) << QStringLiteral("only") << QStringLiteral("outcome == consumed");
        QTest::newRow("priority") << int(TraceModel::Priority) << QStringLiteral("least")
                                  << QStringLiteral("consumedPriority >= -5");
        QTest::newRow("size") << int(TraceModel::Size) << QStringLiteral("most")
                              << QStringLiteral("size <= %1").arg(sizeof(Damage));
        QTest::newRow("world") << int(TraceModel::World) << QStringLiteral("not") << QStringLiteral("world != local");
    }
    void numbersOfCellsNarrow() {
        QFETCH(int, column);
        QFETCH(QString, action);
        QFETCH(QString, filter);
        RowsBench b(*m_theme);
        b.yard.tick = 7;
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, Shielded);
        b.take();
        QVERIFY(!b.trigger(0, TraceModel::Sender, QStringLiteral("trace.menu.cell.only")));
        QVERIFY(b.trigger(0, column, QStringLiteral("trace.menu.cell.") + action));
        QCOMPARE(b.panel->filterText(), filter);
        QVERIFY2(b.panel->filterProblem().isEmpty(), qPrintable(b.panel->filterProblem()));
    }

    // They find what the columns show. A message that nobody consumed has no deciding priority.
    void priorityAndSizeAreFilters() {
        RowsBench b(*m_theme);
        for (int i = 0; i < 30; ++i)
            b.yard.runTick(20);
        b.take();
        TraceModel& model = b.panel->model();
        std::map<std::string, std::set<std::uint64_t>> expected;
        for (int row = 0; row < model.rowCount(); ++row) {
            const RecordView record = model.record(row);
            const auto priority = TraceModel::decidingPriority(record);
            if (priority && *priority == -5)
                expected["consumedPriority == -5"].insert(record.sequence());
            if (priority && *priority != -5)
                expected["consumedPriority > -5"].insert(record.sequence());
            if (!priority)
                expected["not consumedPriority <= 1000"].insert(record.sequence());
            if (record.payloadSize() > sizeof(Damage))
                expected["bytes > " + std::to_string(sizeof(Damage)) + " B"].insert(record.sequence());
        }
        QVERIFY(expected.size() >= 3);
        for (const auto& [filter, sequences] : expected) {
            b.panel->setFilterText(QString::fromStdString(filter));
            QVERIFY2(b.panel->filterProblem().isEmpty(), qPrintable(b.panel->filterProblem()));
            model.finish();
            std::set<std::uint64_t> found;
            for (int row = 0; row < model.rowCount(); ++row)
                found.insert(model.sequence(row));
            QVERIFY2(found == sequences, filter.c_str());
        }
        b.panel->setFilterText({});
    }

    // A cell that says nothing by itself gives the row to be prepared.
    void cellsWithoutAValuePrepareTheRow() {
        RowsBench b(*m_theme);
        b.yard.send(Died{}, 32, 3, 0, {});
        b.take();
        for (const int column :
             {int(TraceModel::Priority), int(TraceModel::Delta), int(TraceModel::Fields)}) {
            b.panel->setFilterText({});
            QVERIFY(!b.trigger(0, column, QStringLiteral("trace.menu.cell.only")));
            QVERIFY(b.trigger(0, column, QStringLiteral("trace.menu.cell.prepare")));
            QCOMPARE(b.panel->filterText(),
                     QStringLiteral("type == Died and sender == phantom_9 and receiver == crate_4"));
        }
    }

    // What became of a message before the handler that one thinks of, from the line of that handler and from the row.
    void handlersBecomeFilters() {
        RowsBench b(*m_theme);
        b.yard.send(Damage{}, 32, 3, 0,
                    {{Yard::Watch, -9, HandlerResult::Passed},
                     {Yard::Shield, -5, HandlerResult::Consumed},
                     {Yard::Health, 0, HandlerResult::NotReached}});
        b.yard.send(Damage{}, 32, 4, 0,
                    {{Yard::Health, 0, HandlerResult::Passed}, {Yard::Log, 9, HandlerResult::Passed}});
        b.yard.send(Damage{}, 32, 5, 0,
                    {{Yard::Shield, -5, HandlerResult::Consumed},
                     {Yard::Health, 0, HandlerResult::NotReached},
                     {Yard::Log, 9, HandlerResult::NotReached}});
        b.yard.send(Died{}, 32, 5, 0, {});
        b.take();
        const auto found = [&](int row, int handler, const char* name) {
            b.panel->setFilterText({});
            b.take();
            const std::unique_ptr<QMenu> menu(b.panel->menuFor(row, -1, handler));
            auto* action = menu->findChild<QAction*>(QStringLiteral("trace.menu.") + QLatin1String(name));
            if (action == nullptr)
                return QStringLiteral("none");
            action->trigger();
            b.take();
            QStringList numbers;
            for (int each = 0; each < b.model().rowCount(); ++each)
                numbers.append(QString::number(b.model().sequence(each)));
            return b.panel->filterProblem() + numbers.join(QLatin1Char(' '));
        };
        QCOMPARE(found(0, 2, "notReached.Health"), QStringLiteral("1 3"));
        QCOMPARE(b.panel->filterText(), QStringLiteral("notReached == Health"));
        QCOMPARE(found(0, 1, "consumedBy.Shield"), QStringLiteral("1 3"));
        QCOMPARE(found(1, 0, "reached.Health"), QStringLiteral("2"));
        QCOMPARE(found(0, -1, "notReached.Health"), QStringLiteral("1 3"));
        QCOMPARE(found(2, -1, "notReached.Log"), QStringLiteral("3")); // one of several
        QCOMPARE(found(1, -1, "notReached.Health"), QStringLiteral("none"));
        QCOMPARE(found(1, 0, "notReached.Health"), QStringLiteral("none"));
        QCOMPARE(found(3, 5, "reached.Health"), QStringLiteral("none")); // a handler that is not there
        // And all that were consumed before another handler, among the saved filters.
        const auto shown = [&](const QString& filter) {
            b.panel->setFilterText(filter);
            b.take();
            return b.panel->filterProblem().isEmpty() ? b.model().rowCount() : -1;
        };
        const QList<SavedFilter> builtIn = TraceFilters::builtIn();
        QCOMPARE(shown(builtIn.at(0).text), 1);
        QCOMPARE(shown(builtIn.at(1).text), 2);
        QCOMPARE(shown(builtIn.at(2).text), 0);
    }

    // A right click on a field of the details offers the same.
    void theDetailsApplyAField() {
        RowsBench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, Shielded);
        b.take();
        b.click({0, TraceLine::Record});
        TraceDetails& details = b.panel->details();
        details.resize(320, 600);
        const auto spot = [&](const QString& words) {
            const QTextCursor found = details.document()->find(words);
            return details.cursorRect(found).center() - QPoint(4, 0);
        };
        const auto menuAt = [&](const QPoint& point) {
            QStringList names;
            QTimer::singleShot(0, &details, [&] {
                auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
                if (menu == nullptr)
                    return;
                for (QAction* action : menu->actions())
                    if (!action->objectName().isEmpty())
                        names.append(action->objectName().section(QLatin1Char('.'), -1));
                if (auto* action = menu->findChild<QAction*>(QStringLiteral("trace.details.menu.column")))
                    action->trigger();
                menu->close();
            });
            QContextMenuEvent event(QContextMenuEvent::Mouse, point, details.viewport()->mapToGlobal(point));
            QApplication::sendEvent(details.viewport(), &event);
            return names.join(QLatin1Char(' '));
        };
        QCOMPARE(menuAt(spot(QStringLiteral("kind"))), QStringLiteral("only not column"));
        QCOMPARE(b.model().fieldColumns(), QStringList{QStringLiteral("kind")});
        QCOMPARE(menuAt(spot(QStringLiteral("amount"))), QStringLiteral("only not least most column"));
        QCOMPARE(menuAt(spot(QStringLiteral("phantom_9"))), QString()); // of the envelope
        QCOMPARE(menuAt(spot(QStringLiteral("Health"))), QString());    // of the handlers
        QCOMPARE(b.model().fieldColumns().size(), 2);
    }

    // The line that sent it is a link; of a trace file it may be anything.
    void theDetailsNameTheLineThatSentIt() {
        RowsBench b(*m_theme);
        for (const char* site :
             {"/home/ann/my parts/crate & co.cpp:41", "", "somewhere <b>", ":", "crate.cpp:"}) {
            b.yard.site = *site == '\0' ? 0 : b.yard.recorder.names().intern(site);
            b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, Shielded);
        }
        b.take();
        TraceDetails& details = b.panel->details();
        QSignalSpy picked(&details, &TraceDetails::codePicked);
        b.click({0, TraceLine::Record});
        const QString text = details.toPlainText();
        QVERIFY2(text.contains(QRegularExpression(QStringLiteral("sent in\\s*crate & co\\.cpp:41"))),
                 qPrintable(text));
        QTextCursor at = details.document()->find(QStringLiteral("crate & co"));
        emit details.anchorClicked(QUrl(at.charFormat().anchorHref()));
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].toString(), QStringLiteral("/home/ann/my parts/crate & co.cpp"));
        QCOMPARE(picked[0][1].toInt(), 41);
        b.click({1, TraceLine::Record});
        QVERIFY(!details.toPlainText().contains(QStringLiteral("sent in")));
        for (int row = 2; row < 5; ++row) {
            b.click({row, TraceLine::Record});
            QVERIFY2(details.toPlainText().contains(QStringLiteral("sent in")),
                     qPrintable(details.toPlainText()));
            const QTextCursor site = details.document()->find(QStringLiteral("sent in"));
            QVERIFY(!site.isNull());
        }
        b.click({2, TraceLine::Record});
        QVERIFY(details.toPlainText().contains(QStringLiteral("somewhere <b>")));
    }

    // However long: to its root, and what it caused over all levels as asking level by level tells. The page leaves out the middle.
    void aLongChain() {
        constexpr int Long = 3000;
        RowsBench b(*m_theme);
        Yard& yard = b.yard;
        std::uint64_t cause = 0;
        std::vector<std::uint64_t> chain;
        for (int i = 0; i < Long; ++i) {
            cause = yard.send(Died{}, 0, 1, cause, {});
            chain.push_back(cause);
            yard.send(Contact{}, 2, 3, 0, {});
            yard.send(Contact{}, 2, 3, cause, {});
        }
        b.take();
        const TraceModel& model = b.model();
        QCOMPARE(model.chainOf(cause), chain);
        std::vector<std::uint64_t> level{chain.front()};
        for (std::size_t next = 0; next < level.size(); ++next)
            for (const std::uint64_t effect : model.effectsOf(level[next], 10).sequences)
                level.push_back(effect);
        std::sort(level.begin(), level.end());
        level.erase(level.begin());
        QCOMPARE(level.size(), std::size_t(2 * Long - 1));
        QCOMPARE(model.allEffectsOf(chain.front(), 10'000).sequences, level);
        level.resize(500);
        const TraceModel::Effects some = model.allEffectsOf(chain.front(), 500);
        QCOMPARE(some.sequences, level);
        QCOMPARE(some.ended, TraceModel::EffectsEnd::Limit);
        QTextDocument text;
        text.setHtml(RecordPage(*m_theme, model).chain(cause));
        const QString said = text.toPlainText();
        QVERIFY2(said.contains(QStringLiteral("#%1 Died").arg(chain.front())), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("#%1 Died").arg(cause)), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("%L1 messages between").arg(Long - 100)), qPrintable(said));
        QCOMPARE(said.count(QStringLiteral("Died")), 100);
    }

    // What was kept when there were nine columns: those are as they were, the new ones are not in the way.
    void anOlderLayoutStillHolds() {
        QStandardItemModel nine(0, TraceModel::Outcome + 1);
        QHeaderView header(Qt::Horizontal);
        header.setModel(&nine);
        header.resizeSection(TraceModel::Type, 211);
        header.hideSection(TraceModel::Delivery);
        RowsBench b(*m_theme);
        b.panel->restoreState({{QStringLiteral("header"), header.saveState()}});
        const QHeaderView& now = b.view().header();
        QCOMPARE(now.sectionSize(TraceModel::Type), 211);
        QVERIFY(now.isSectionHidden(TraceModel::Delivery));
        for (int column = TraceModel::Time; column < TraceModel::ColumnCount; ++column)
            QVERIFY(now.isSectionHidden(column));
        QCOMPARE(now.visualIndex(TraceModel::Time), now.visualIndex(TraceModel::Tick) + 1);
    }

    void aCsvFileHasTheColumnsThatAreShown() {
        RowsBench b(*m_theme);
        b.yard.send(Damage{5.25F, Kind::Fire, {}}, 32, 3, 0, Shielded);
        b.yard.send(Contact{}, 32, 3, 0, Touched);
        b.take();
        b.panel->addFieldColumn(QStringLiteral("amount"));
        b.view().header().showSection(TraceModel::Priority);
        QTemporaryDir dir;
        TraceExport writer(b.model(), dir.filePath(QStringLiteral("t.csv")), TraceExport::Format::Csv);
        writer.setExtraColumns(b.panel->extraColumns());
        QVERIFY(writer.start());
        b.model().removeFieldColumn(QStringLiteral("amount")); // meanwhile
        writer.finish();
        QFile file(dir.filePath(QStringLiteral("t.csv")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList lines = QString::fromUtf8(file.readAll()).split(QStringLiteral("\r\n"));
        const QStringList columns = lines[0].split(QLatin1Char(','));
        const qsizetype first =
            columns.indexOf(QStringLiteral("comment")) + 1; // of those that were asked for
        const bool amountLast = columns.value(first) == QStringLiteral("priority");
        QCOMPARE(columns.mid(first, 2), amountLast ? (QStringList{"priority", "fields.amount"})
                                                   : (QStringList{"fields.amount", "priority"}));
        QVERIFY2(lines[1].contains(amountLast ? QStringLiteral(",,-5,5.25,") : QStringLiteral(",,5.25,-5,")),
                 qPrintable(lines[1]));
        QVERIFY2(lines[2].contains(QStringLiteral(",false,,,,0,")),
                 qPrintable(lines[2])); // injected, comment, these two, cause
    }

    // --- rows that open

    void theArrowOpensARow() {
        RowsBench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, Shielded);
        b.yard.send(Died{}, 3, 3, 0, {});
        b.yard.send(Contact{}, 32, 4, 0, Touched);
        b.take();
        const TraceLine first{0, TraceLine::Record};
        QVERIFY(b.view().arrowRect({1, TraceLine::Record}).isEmpty()); // nobody handles it
        QTest::mouseClick(b.view().viewport(), Qt::LeftButton, {}, b.view().arrowRect(first).center());
        QVERIFY(b.view().lines().isOpen(first));
        QCOMPARE(b.view().lines().count(), 6);
        QVERIFY(!b.view().isFollowing());
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(0)); // opening is not choosing
        // The second click of a double click neither closes it nor goes anywhere.
        const QSignalSpy activated(b.panel.get(), &TracePanel::entityActivated);
        const QPoint third = b.view().arrowRect({2, TraceLine::Record}).center();
        QTest::mouseClick(b.view().viewport(), Qt::LeftButton, {}, third);
        QTest::mouseDClick(b.view().viewport(), Qt::LeftButton, {}, third);
        QVERIFY(b.view().lines().isOpen({2, TraceLine::Record}));
        QCOMPARE(activated.count(), 0);
        // A click on a handler chooses its message.
        b.click({0, 2});
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(1));
        QCOMPARE(b.panel->details().sequence(), std::uint64_t(1));
        QVERIFY(b.view().currentLine() == (TraceLine{0, 2}));
        b.click({2, 0});
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(3));
        // Rows that come leave all as it is; another filter, too.
        b.yard.send(Contact{}, 32, 4, 0, Touched);
        b.take();
        QCOMPARE(b.view().lines().count(), 8);
        b.panel->setFilterText(QStringLiteral("type == Damage"));
        b.model().catchUp();
        QCOMPARE(b.view().lines().count(), 4);
        b.panel->setFilterText({});
        b.model().catchUp();
        QCOMPARE(b.view().lines().count(), 8);
        QVERIFY(b.trigger(0, -1, QStringLiteral("trace.menu.closeAll")));
        QCOMPARE(b.view().lines().count(), 4);
        QVERIFY(!b.view().lines().anyOpen());
    }

    void keysOpenAndWalk() {
        RowsBench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, Shielded);
        b.yard.send(Contact{}, 32, 4, 0, Touched);
        b.take();
        TraceView& view = b.view();
        view.setFocus();
        const auto is = [&](int row, int part) { return view.currentLine() == TraceLine{row, part}; };
        const auto press = [&](Qt::Key key) { QTest::keyClick(&view, key); };
        b.click({0, TraceLine::Record});
        press(Qt::Key_Right);
        QVERIFY(view.lines().isOpen({0, TraceLine::Record}));
        QVERIFY(is(0, TraceLine::Record));
        press(Qt::Key_Right);
        QVERIFY(is(0, 0));
        press(Qt::Key_Down);
        press(Qt::Key_Down);
        QVERIFY(is(0, 2));
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(1));
        press(Qt::Key_Down);
        QVERIFY(is(1, TraceLine::Record));
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(2));
        press(Qt::Key_Up);
        QVERIFY(is(0, 2));
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(1));
        press(Qt::Key_Left); // to what it is under
        QVERIFY(is(0, TraceLine::Record));
        press(Qt::Key_Left);
        QVERIFY(!view.lines().isOpen({0, TraceLine::Record}));
        press(Qt::Key_End);
        QVERIFY(is(1, TraceLine::Record));
        press(Qt::Key_Home);
        QVERIFY(is(0, TraceLine::Record));
        // Rows as a whole, with Shift.
        press(Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(view.selectionModel()->selectedRows().size(), 2);
        // And as a command.
        ActionRegistry registry(*m_theme);
        b.panel->addActions(registry);
        b.click({0, 1});
        QVERIFY(registry.trigger(QStringLiteral("trace.openRow")).ok());
        QVERIFY(!view.lines().anyOpen());
        QVERIFY(is(0, TraceLine::Record));
        QVERIFY(registry.trigger(QStringLiteral("trace.openRow")).ok());
        QVERIFY(registry.trigger(QStringLiteral("trace.closeAll")).ok());
        QVERIFY(!view.lines().anyOpen());
    }

    // What is on screen stays where it is while the oldest go, opened or not.
    void rowsThatGoMoveNothing() {
        RowsBench b(*m_theme, TraceStore(200));
        for (int i = 0; i < 30; ++i)
            b.yard.runTick(10);
        b.take();
        for (int row = 0; row < b.model().rowCount(); row += 3)
            b.view().setOpen({row, TraceLine::Record}, true);
        QScrollBar& bar = *b.view().verticalScrollBar();
        bar.setValue(bar.maximum() - 400);
        const auto top = [&] {
            const TraceLine line = b.view().lineAt(QPoint(10, 1));
            return QStringLiteral("%1/%2").arg(b.model().record(line.row).sequence()).arg(line.part);
        };
        const QString before = top();
        const int value = bar.value();
        for (int i = 0; i < 4; ++i)
            b.yard.runTick(10);
        b.take();
        QCOMPARE(top(), before);
        QVERIFY(bar.value() < value);
    }

    // Another run counts from the beginning: its numbers are not those that were opened.
    void anotherRunOpensNothing() {
        RowsBench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, Shielded);
        b.take();
        b.view().setOpen({0, TraceLine::Record}, true);
        b.yard.beginRun();
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, Shielded);
        b.take();
        QVERIFY(!b.view().lines().anyOpen());
        QCOMPARE(b.view().lines().count(), 1);
    }

    // --- repeats

    void repeatsBecomeOneRow() {
        RowsBench b(*m_theme);
        QAbstractItemModelTester tester(&b.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, Shielded);
        for (int i = 0; i < 214; ++i)
            b.yard.send(Contact{Vec3(0.0F), static_cast<float>(i)}, 32, 4, 0, Touched);
        b.yard.send(Contact{}, 32, 5, 0, Touched);
        b.take();
        ActionRegistry registry(*m_theme);
        b.panel->addActions(registry);
        QCOMPARE(b.view().lines().count(), 216);
        QVERIFY(registry.trigger(QStringLiteral("trace.collapse"), QStringLiteral("on")).ok());
        b.model().catchUp();
        TraceView& view = b.view();
        const TraceLine group{1, TraceLine::Group};
        QCOMPARE(view.lines().count(), 3);
        QCOMPARE(b.model().rowCount(), 216); // a list of messages all the same
        QVERIFY(view.lines().at(1) == group);
        QCOMPARE(b.model().groupSize(1), 214);
        // The keys walk what is shown.
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Home);
        QTest::keyClick(&view, Qt::Key_Down);
        QVERIFY(view.currentLine() == group);
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(2));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(216));
        QTest::keyClick(&view, Qt::Key_Up);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.lines().count(), 217);
        QTest::keyClick(&view, Qt::Key_Down);
        QVERIFY(view.currentLine() == (TraceLine{1, TraceLine::Record}));
        QTest::keyClick(&view, Qt::Key_Right); // and this one's handlers
        QCOMPARE(view.lines().count(), 218);
        QTest::keyClick(&view, Qt::Key_Left);
        QTest::keyClick(&view, Qt::Key_Left);
        QVERIFY(view.currentLine() == group);
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(view.lines().count(), 3);
        // More of the same belong to it while they are the last.
        b.yard.send(Contact{}, 32, 5, 0, Touched);
        b.take();
        QCOMPARE(view.lines().count(), 3);
        QCOMPARE(b.model().groupSize(2), 2);
        // Going to one of them opens it.
        b.selection.setTrace(100, QStringLiteral("graph"));
        QVERIFY(view.lines().isOpen(group));
        QCOMPARE(b.model().record(view.currentIndex().row()).sequence(), std::uint64_t(100));
        QVERIFY(view.viewport()->rect().intersects(view.visualRect(view.currentIndex())));
        const QVariantMap state = b.panel->saveState();
        QVERIFY(registry.trigger(QStringLiteral("trace.collapse"), QStringLiteral("off")).ok());
        b.model().catchUp();
        QCOMPARE(view.lines().count(), 217);
        b.panel->restoreState(state);
        QVERIFY(b.model().isCollapsing());
    }

private:
    std::unique_ptr<Theme> m_theme;
};

QTEST_MAIN(TestRows)
#include "tst_rows.moc"
