// What stands beside the log: the table of CVars, watches; and what was set there or in the line as steps of the undo stack.
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>
#include <QUndoStack>

#include "tests/console/panel_fixture.h"
#include "tests/event_loop.h"
#include "widgets/common/undo_order.h"
#include "widgets/console/cvar_command.h"
#include "widgets/console/cvar_model.h"
#include "widgets/console/cvar_table.h"
#include "widgets/console/log_view.h"
#include "widgets/console/watch_list.h"
#include "widgets/console/watch_model.h"

#include <cmath>

using namespace sbx;
using namespace sbx::ui;
using namespace sbx::ui::test;

class TestTables : public QObject {
    Q_OBJECT
private slots:
    void theTableShowsEditsAndResets() {
        Fixture f;
        QTemporaryDir dir;
        f.panel->table()->keepStars(dir.filePath(QStringLiteral("stars")));
        f.panel->setTableShown(true);
        QTableView& view = f.panel->table()->view();
        QVERIFY(view.isVisible());
        const auto names = [&] {
            QStringList out;
            for (int row = 0; row < view.model()->rowCount(); ++row)
                out.append(view.model()->index(row, CVarModel::Name).data().toString());
            return out;
        };
        const auto cell = [&](const char* name, int column) {
            return view.model()->index(static_cast<int>(names().indexOf(QLatin1String(name))), column);
        };
        QCOMPARE(names(), (QStringList{QStringLiteral("render.quality"), QStringLiteral("sim.gravity"),
                                       QStringLiteral("sim.gravityScale")}));
        // An edit goes through the console, and is refused there like a typed one.
        QVERIFY(view.model()->setData(cell("sim.gravity", CVarModel::CurrentValue), QStringLiteral("3.5")));
        QCOMPARE(f.gravity.get(), 3.5F);
        QVERIFY(f.waitFor("> sim.gravity 3.5"));
        QTRY_COMPARE(cell("sim.gravity", CVarModel::CurrentValue).data().toString(),
                     QStringLiteral("3.5 m/s²"));
        QVERIFY(cell("sim.gravity", CVarModel::SetBy).data().toString().startsWith(QLatin1String("console")));
        view.model()->setData(cell("sim.gravity", CVarModel::CurrentValue), QStringLiteral("500"));
        QVERIFY(f.waitFor("out of range"));
        QCOMPARE(f.gravity.get(), 3.5F);
        // Only what was changed; by text, in names and docs.
        auto* changed = f.child<QToolButton>("console.cvars.changed");
        changed->click();
        QCOMPARE(names(), QStringList{QStringLiteral("sim.gravity")});
        changed->click();
        auto* filter = f.child<QLineEdit>("console.cvars.filter");
        filter->setText(QStringLiteral("share of"));
        QTRY_COMPARE(names(), QStringList{QStringLiteral("sim.gravityScale")});
        filter->clear();
        QTRY_COMPARE(names().size(), 3);
        // A star lifts it to the top and is kept.
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          view.visualRect(cell("sim.gravityScale", CVarModel::Star)).center());
        QCOMPARE(names().first(), QStringLiteral("sim.gravityScale"));
        QCOMPARE(readFile(dir.filePath(QStringLiteral("stars"))), QByteArray("sim.gravityScale\n"));
        // Reset, from the menu.
        const std::unique_ptr<QMenu> menu(f.panel->table()->menuFor(cell("sim.gravity", CVarModel::Name)));
        menu->findChild<QAction*>(QStringLiteral("console.cvars.menu.reset"))->trigger();
        QCOMPARE(f.gravity.get(), 9.81F);
        QTRY_COMPARE(cell("sim.gravity", CVarModel::CurrentValue).data().toString(),
                     QStringLiteral("9.81 m/s²"));
        QTRY_COMPARE(cell("sim.gravity", CVarModel::SetBy).data().toString(), QStringLiteral("default"));
    }

    // Others change CVars meanwhile: what is typed stays, and a menu means the row it was opened on.
    void editingInPlaceIsNotDisturbed() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        cvars.add<std::string>("net.password", "hunter2", "Secret.", {.flags = CVarFlags::Protected});
        f.panel->setTableShown(true);
        CVarTable& table = *f.panel->table();
        QTableView& view = table.view();
        table.model().refresh();
        const auto cell = [&](const char* name, int column) {
            for (int row = 0; row < view.model()->rowCount(); ++row)
                if (view.model()->index(row, CVarModel::Name).data() == QLatin1String(name))
                    return view.model()->index(row, column);
            return QModelIndex();
        };
        view.setCurrentIndex(cell("sim.gravity", CVarModel::CurrentValue));
        view.edit(view.currentIndex());
        auto* line = view.viewport()->findChild<QLineEdit*>();
        QVERIFY(line != nullptr);
        QCOMPARE(line->text(), QStringLiteral("9.81"));
        QVERIFY(cvars.set("sim.gravity", "5", CVarSource::Project).ok());
        table.model().refresh();
        QCOMPARE(line->text(), QStringLiteral("5.0")); // nobody has typed yet
        line->selectAll();
        QTest::keyClicks(line, QStringLiteral("2.5"));
        QVERIFY(cvars.set("sim.gravityScale", "0.25", CVarSource::Project).ok());
        table.model().refresh();
        QCOMPARE(line->text(), QStringLiteral("2.5"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(f.gravity.get(), 2.5F);

        f.child<QToolButton>("console.cvars.changed")->click();
        const std::unique_ptr<QMenu> menu(table.menuFor(cell("sim.gravityScale", CVarModel::Name)));
        QVERIFY(cvars.reset("sim.gravity", CVarSource::Project).ok()); // the row above goes
        table.model().refresh();
        menu->findChild<QAction*>(QStringLiteral("console.cvars.menu.edit"))->trigger();
        line = view.viewport()->findChild<QLineEdit*>();
        QVERIFY(line != nullptr);
        QCOMPARE(line->text(), QStringLiteral("0.25"));
        f.child<QToolButton>("console.cvars.changed")->click();
        const std::unique_ptr<QMenu> secret(table.menuFor(cell("net.password", CVarModel::Name)));
        QVERIFY(!secret->findChild<QAction*>(QStringLiteral("console.cvars.menu.copy"))->isEnabled());
        QVERIFY(!secret->findChild<QAction*>(QStringLiteral("console.cvars.menu.edit"))->isEnabled());
    }

    // A switch is ticked, a choice is taken from its list: what cannot be typed cannot be mistyped.
    void switchesAreTickedAndChoicesTakenFromAList() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        const auto grid = cvars.add<bool>("render.grid", false, "Lines on the ground.");
        const auto fast = cvars.add<bool>("sim.fast", false, "Speed.", {.flags = CVarFlags::Latched});
        cvars.add<bool>("net.open", true, "Who may join.", {.flags = CVarFlags::ReadOnly});
        cvars.add<bool>("net.secret", true, "Nobody's business.", {.flags = CVarFlags::Protected});
        f.panel->setTableShown(true);
        CVarTable& table = *f.panel->table();
        QTableView& view = table.view();
        table.model().refresh();
        const auto cell = [&](const char* name, int column = CVarModel::CurrentValue) {
            for (int row = 0; row < view.model()->rowCount(); ++row)
                if (view.model()->index(row, CVarModel::Name).data() == QLatin1String(name))
                    return view.model()->index(row, column);
            return QModelIndex();
        };
        const auto tick = [&](const char* name) {
            const QRect row = view.visualRect(cell(name));
            QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(row.left() + 10, row.center().y()));
            table.model().refresh();
        };
        QTRY_VERIFY(view.visualRect(cell("sim.fast")).width() > 20);
        tick("render.grid");
        QVERIFY(grid.get());
        QVERIFY(f.waitFor("> render.grid true"));
        QCOMPARE(cell("render.grid").data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QCOMPARE(cell("render.grid").data().toString(), QStringLiteral("true"));
        view.setCurrentIndex(cell("render.grid"));
        QTest::keyClick(&view, Qt::Key_Space);
        QVERIFY(!grid.get());
        table.model().refresh();
        QVERIFY(!cell("render.grid").flags().testFlag(Qt::ItemIsEditable));
        const std::unique_ptr<QMenu> menu(table.menuFor(cell("render.grid")));
        auto* flip = menu->findChild<QAction*>(QStringLiteral("console.cvars.menu.edit"));
        QCOMPARE(flip->text(), QStringLiteral("Switch on"));
        flip->trigger();
        QVERIFY(grid.get());
        tick("net.open");
        QCOMPARE(cell("net.open").data().toString(), QStringLiteral("true"));
        QVERIFY(!cell("net.secret").data(Qt::CheckStateRole).isValid()); // nor told
        QVERIFY(!cell("net.secret").flags().testFlag(Qt::ItemIsUserCheckable));
        // Latched: neither on nor off until Play, and the row says so.
        tick("sim.fast");
        QVERIFY(!fast.get());
        QCOMPARE(cell("sim.fast").data(Qt::CheckStateRole).toInt(), int(Qt::PartiallyChecked));
        QVERIFY(cell("sim.fast", CVarModel::SetBy)
                    .data()
                    .toString()
                    .startsWith(QLatin1String("true from the next Play, console")));
        tick("sim.fast");
        QCOMPARE(cell("sim.fast").data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        tick("sim.fast");
        cvars.applyLatched();
        table.model().refresh();
        QCOMPARE(cell("sim.fast").data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        // A choice, by the arrow; what others set meanwhile does not change the list.
        const QRect arrow = view.visualRect(cell("render.quality"));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(arrow.right() - 6, arrow.center().y()));
        QTRY_VERIFY(view.viewport()->findChild<QComboBox*>() != nullptr);
        auto* choice = view.viewport()->findChild<QComboBox*>();
        QTRY_VERIFY(choice->view()->isVisible());
        QCOMPARE(choice->count(), 3);
        QCOMPARE(choice->currentText(), QStringLiteral("medium"));
        QVERIFY(cvars.set("render.quality", "low", CVarSource::Project).ok());
        table.model().refresh();
        QCOMPARE(choice->currentText(), QStringLiteral("medium"));
        QTest::keyClick(choice->view(), Qt::Key_Down);
        QTest::keyClick(choice->view(), Qt::Key_Return);
        QTRY_COMPARE(f.quality.get(), Quality::High);
        QTRY_VERIFY(view.viewport()->findChild<QComboBox*>() == nullptr);
        QVERIFY(f.waitFor("> render.quality high"));
        // Backed out of, nothing is set.
        view.edit(cell("render.quality"));
        choice = view.viewport()->findChild<QComboBox*>();
        QVERIFY(choice != nullptr);
        QTRY_VERIFY(choice->view()->isVisible());
        QTest::keyClick(choice->view(), Qt::Key_Escape);
        QTRY_VERIFY(view.viewport()->findChild<QComboBox*>() == nullptr);
        QCOMPARE(f.quality.get(), Quality::High);
        QVERIFY(view.hasFocus());
    }

    // The cell may have little room, what the mouse is told is all of it.
    void whatIsLatchedIsNotOverlooked() {
        Fixture f;
        f.console.cvars().add<int>("sim.rate", 60, "How often.", {.unit = "Hz", .flags = CVarFlags::Latched});
        f.console.setTickProvider([] { return 1234; });
        f.panel->setTableShown(true);
        CVarTable& table = *f.panel->table();
        QAbstractItemModel& rows = *table.view().model();
        f.child<QToolButton>("console.cvars.changed")->click();
        QCOMPARE(rows.rowCount(), 0);
        f.type("sim.rate 30");
        f.key(Qt::Key_Return);
        QTRY_COMPARE(rows.rowCount(), 1); // though not at 30 yet
        QCOMPARE(rows.index(0, CVarModel::CurrentValue).data().toString(), QStringLiteral("60 Hz"));
        const QModelIndex setBy = rows.index(0, CVarModel::SetBy);
        QCOMPARE(setBy.data().toString(), QStringLiteral("30 Hz from the next Play, console at tick 1234"));
        QVERIFY(!setBy.data(Qt::ForegroundRole).isValid()); // no quieter than the value
        QCOMPARE(
            setBy.data(Qt::ToolTipRole).toString(),
            QStringLiteral(
                "sim.rate\nHow often.\na whole number Hz\ndefault 60 Hz\nlatched\n30 Hz from the next Play\n"
                "set by console at tick 1234"));
        f.console.cvars().applyLatched();
        table.model().refresh();
        QCOMPARE(setBy.data(Qt::ForegroundRole).value<QColor>(), f.theme.color(Token::Muted));
    }

    // Each entry shows those that bear its flag, and nothing else.
    void theFlagsOfCVarsFilterThem() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        const std::vector<CVarFlags> flags{CVarFlags::Archive,   CVarFlags::Cheat,     CVarFlags::Latched,
                                           CVarFlags::Notify,    CVarFlags::Protected, CVarFlags::ReadOnly,
                                           CVarFlags::Replicated};
        // One CVar of each flag, one of each two that follow one another.
        for (std::size_t i = 0; i < flags.size(); ++i) {
            const std::string number(1, static_cast<char>('a' + i));
            cvars.add<int>("flag.one." + number, 1, "Alone.", {.flags = flags[i]});
            cvars.add<int>("flag.two." + number, 1, "Two.",
                           {.flags = flags[i] | flags[(i + 1) % flags.size()]});
        }
        f.panel->setTableShown(true);
        CVarTable& table = *f.panel->table();
        table.model().refresh();
        QAbstractItemModel& rows = *table.view().model();
        const auto shown = [&] {
            QStringList names;
            for (int row = 0; row < rows.rowCount(); ++row)
                names.append(rows.index(row, CVarModel::Name).data().toString());
            names.sort();
            return names;
        };
        const auto bearing = [&](CVarFlags flag) {
            QStringList names;
            for (const CVarInfo& cvar : cvars.list(false))
                if (has(cvar.flags, flag))
                    names.append(QString::fromStdString(cvar.field.name));
            names.sort();
            return names;
        };
        auto* box = f.child<QComboBox>("console.cvars.flag");
        const QStringList all = shown();
        QCOMPARE(all.size(), qsizetype(17));
        QCOMPARE(box->count(), static_cast<int>(flags.size()) + 1);
        for (std::size_t i = 0; i < flags.size(); ++i) {
            const int entry = box->findText(QString::fromStdString(cvarFlagNames(flags[i])));
            QVERIFY(entry > 0);
            box->setCurrentIndex(entry);
            QCOMPARE(shown(), bearing(flags[i]));
            QCOMPARE(shown().size(), qsizetype(3));
        }
        // Beside it the other filters hold: what is found by name, and what is changed.
        box->setCurrentIndex(box->findText(QStringLiteral("cheat")));
        f.child<QLineEdit>("console.cvars.filter")->setText(QStringLiteral("one"));
        QTRY_COMPARE(shown(), QStringList{QStringLiteral("flag.one.b")});
        f.child<QLineEdit>("console.cvars.filter")->clear();
        f.child<QToolButton>("console.cvars.changed")->click();
        QTRY_COMPARE(rows.rowCount(), 0);
        f.type("flag.two.a 2"); // archived and a cheat
        f.key(Qt::Key_Return);
        QTRY_COMPARE(shown(), QStringList{QStringLiteral("flag.two.a")});
        f.child<QToolButton>("console.cvars.changed")->click();
        box->setCurrentIndex(0);
        QCOMPARE(shown(), all);
    }

    void aFilterThatNothingMatchesSaysSo() {
        Fixture f;
        f.panel->setTableShown(true);
        CVarTable& table = *f.panel->table();
        auto* empty = table.findChild<QWidget*>(QStringLiteral("console.cvars.empty"));
        QVERIFY(empty != nullptr && !empty->isVisible());
        f.child<QToolButton>("console.cvars.changed")->click();
        QVERIFY(empty->isVisible());
        f.child<QLineEdit>("console.cvars.filter")->setText(QStringLiteral("no such thing"));
        f.child<QComboBox>("console.cvars.flag")->setCurrentIndex(1);
        empty->findChild<QPushButton*>()->click();
        QTRY_COMPARE(table.view().model()->rowCount(), 3);
        QVERIFY(!empty->isVisible());
        QVERIFY(table.view().isVisible());
    }

    // Beside the log and the watches all is seen without scrolling sideways.
    void aNarrowTableLeavesOutDefaults() {
        Fixture f;
        f.panel->setTableShown(true);
        CVarTable& table = *f.panel->table();
        QScrollBar& sideways = *table.view().horizontalScrollBar();
        for (const auto& [width, isLeftOut] :
             {std::pair(600, false), std::pair(440, true), std::pair(340, true), std::pair(600, false)}) {
            table.resize(width, 200);
            QCOMPARE(table.view().isColumnHidden(CVarModel::DefaultValue), isLeftOut);
            QTRY_COMPARE(table.view().width(), width);
            QTRY_COMPARE(sideways.maximum(), 0);
        }
        QVERIFY(table.model()
                    .index(0, CVarModel::Name)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QLatin1String("\ndefault medium\n")));
    }

    // Names that differ at their ends only are told apart, however narrow their column.
    void longNamesAreCutInTheirMiddle() {
        Fixture f;
        const std::string begin = "plugin.someVeryLongNameOfAThingThatHasManyMoreLike";
        for (const char* end : {"One", "Two"}) {
            f.console.cvars().add<int>(begin + end, 1, "A number.");
            QVERIFY(f.watches.add(begin + end));
        }
        f.panel->setTableShown(true);
        f.panel->setWatchesShown(true);
        WatchList& list = *f.panel->watches();
        QTableView& table = f.panel->table()->view();
        f.panel->table()->model().refresh();
        QTRY_COMPARE(list.model().rowCount(), 2);
        const auto picture = [](QTableView& view, int row, int column) {
            const QRect at = view.visualRect(view.model()->index(row, column));
            return view.viewport()->grab(at).toImage();
        };
        list.resize(300, 200);
        QTRY_VERIFY(!picture(list.view(), 0, WatchModel::Text).isNull());
        QTRY_VERIFY(!picture(table, 1, CVarModel::Name).isNull());
        QVERIFY(picture(list.view(), 0, WatchModel::Text) != picture(list.view(), 1, WatchModel::Text));
        QVERIFY(picture(table, 0, CVarModel::Name) != picture(table, 1, CVarModel::Name));
        QVERIFY(list.model()
                    .index(0, WatchModel::Text)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .startsWith(QString::fromStdString(begin + "One")));
    }

    // A watch is read whole where there is room, its graph keeps some; a width that somebody chose keeps its share.
    void watchesTakeTheRoomTheyNeed() {
        Fixture f;
        f.panel->setWatchesShown(true);
        WatchList& list = *f.panel->watches();
        const auto wanted = [&](int row) {
            return list.view().sizeHintForIndex(list.model().index(row, WatchModel::Text)).width();
        };
        const auto text = [&] { return list.view().columnWidth(WatchModel::Text); };
        QVERIFY(f.watches.add("player.position.y"));
        list.resize(700, 200);
        list.refresh();
        QCOMPARE(text(), wanted(0));
        QVERIFY(f.watches.add("count(type == Crate and Health.current < 40)"));
        list.refresh();
        QVERIFY(wanted(1) > wanted(0));
        QCOMPARE(text(), wanted(1));
        list.resize(460, 200);
        QVERIFY(text() < wanted(1));
        QTRY_VERIFY(list.view().columnWidth(WatchModel::Graph) >= 100);
        f.watches.clear();
        QVERIFY(f.watches.add("a.x"));
        list.refresh();
        QCOMPARE(text(), std::max(wanted(0), 84));
        list.view().horizontalHeader()->resizeSection(WatchModel::Text, 200); // as by hand
        list.refresh();
        QVERIFY(f.watches.add("b.x"));
        list.refresh();
        QCOMPARE(text(), 200);
        list.resize(920, 200);
        QCOMPARE(text(), 400);
    }

    void theTableSaysWhatTheServerSet() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        cvars.add<int>("net.players", 2, "How many.", {.flags = CVarFlags::Replicated});
        CVarModel& model = f.panel->table()->model();
        const auto setBy = [&] {
            model.refresh();
            return model.index(model.rowOf(QStringLiteral("net.players")), CVarModel::SetBy)
                .data()
                .toString();
        };
        QCOMPARE(setBy(), QStringLiteral("default"));
        cvars.setFollowing(true);
        QVERIFY(cvars.follow("net.players", Value(std::int64_t(3))).ok());
        QCOMPARE(setBy(), QStringLiteral("the server"));
        cvars.setFollowing(false);
        QCOMPARE(setBy(), QStringLiteral("default"));
    }

    void watchesStandBesideTheLog() {
        Fixture f;
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("watches"));
        WatchList& list = *f.panel->watches();
        list.keepWatches(file);
        QVERIFY(!list.isVisible());
        f.type("watch sim.gravity");
        f.key(Qt::Key_Return);
        QTRY_VERIFY(list.isVisible());
        QTRY_COMPARE(list.model().rowCount(), 1);
        double value = 2.0;
        ExpressionContext context;
        context.path = [&](std::string_view) -> Result<Value> { return Value(value); };
        for (std::uint64_t tick = 0; tick < 100; ++tick, value += 0.5)
            f.watches.sample(context, 1, tick, 10.0);
        list.refresh();
        QCOMPARE(list.model().index(0, WatchModel::Text).data().toString(), QStringLiteral("sim.gravity"));
        QCOMPARE(list.model().index(0, WatchModel::CurrentValue).data().toString(), QStringLiteral("51.5"));
        QCOMPARE(list.model().at(0).samples.size(), std::size_t(100));
        QTRY_VERIFY(!list.view().viewport()->size().isEmpty()); // shown is not laid out yet
        QVERIFY(!list.view().viewport()->grab().isNull());
        // The graph has room however narrow the list is.
        for (const int width : {600, 260}) {
            list.resize(width, 200);
            QVERIFY(list.view().columnWidth(WatchModel::Graph) >= width / 4);
            QVERIFY(!list.view().viewport()->grab().isNull());
        }
        // The value under the mouse: at the right end, the newest.
        const QRect graph = list.view().visualRect(list.model().index(0, WatchModel::Graph));
        const QPoint end(graph.right() - 2, graph.center().y());
        QHelpEvent atEnd(QEvent::ToolTip, end, list.view().viewport()->mapToGlobal(end));
        QApplication::sendEvent(list.view().viewport(), &atEnd);
        QVERIFY(QToolTip::text().startsWith(QLatin1String("51.5 at tick 99 (9.90 s)")));
        // Kept, and read again by the next run.
        QTRY_COMPARE(readFile(file), QByteArray("sim.gravity\n"));
        Fixture next;
        next.panel->watches()->keepWatches(file);
        QCOMPARE(next.watches.list().size(), std::size_t(1));
        QTRY_VERIFY(next.panel->areWatchesShown());
        // The cross takes it away, the file follows.
        const QRect cross = list.view().visualRect(list.model().index(0, WatchModel::Remove));
        QTest::mouseClick(list.view().viewport(), Qt::LeftButton, {}, cross.center());
        QTRY_COMPARE(list.model().rowCount(), 0);
        QTRY_COMPARE(readFile(file), QByteArray());
    }

    void watchesGoByKeyAndMenu() {
        Fixture f;
        for (const char* text : {"a.x", "b.x", "c.x"})
            QVERIFY(f.watches.add(text));
        f.panel->setWatchesShown(true);
        WatchList& list = *f.panel->watches();
        QTRY_COMPARE(list.model().rowCount(), 3);
        list.view().selectRow(1);
        QTest::keyClick(&list.view(), Qt::Key_Delete);
        QTRY_COMPARE(list.model().rowCount(), 2);
        const std::unique_ptr<QMenu> menu(list.menuFor(1));
        menu->findChild<QAction*>(QStringLiteral("console.watches.menu.copyLine"))->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("watch c.x"));
        menu->findChild<QAction*>(QStringLiteral("console.watches.menu.remove"))->trigger();
        QTRY_COMPARE(list.model().rowCount(), 1);
        f.child<QToolButton>("console.watches.clear")->click();
        QTRY_COMPARE(list.model().rowCount(), 0);
        // The button begins a line to be finished.
        f.child<QToolButton>("console.watches.add")->click();
        QCOMPARE(f.input().text(), QStringLiteral("watch "));
    }

    void graphsLoseNoSpike() {
        std::vector<WatchSample> samples;
        for (std::uint64_t tick = 0; tick <= 3600; ++tick)
            samples.push_back({tick, static_cast<double>(tick) / 60.0, tick == 1234 ? 99.0 : 1.0});
        const std::vector<WatchSpan> spans = watchSpans(samples, 60.0, 100);
        QCOMPARE(spans.size(), std::size_t(100));
        int spikes = 0;
        for (const WatchSpan& span : spans) {
            QVERIFY(span.any);
            QCOMPARE(span.least, 1.0);
            spikes += span.greatest == 99.0 ? 1 : 0;
        }
        QCOMPARE(spikes, 1);
        QVERIFY(watchSpans(samples, 60.0, 0).empty());
        // What is older than the minute is at no pixel.
        for (const WatchSpan& span : watchSpans({{0, 0.0, 5.0}}, 100.0, 50))
            QVERIFY(!span.any);
    }

    void aCVarDroppedOnThePanelIsWatched() {
        Fixture f;
        f.panel->setTableShown(true);
        QTableView& table = f.panel->table()->view();
        const QModelIndex cell = table.model()->index(1, CVarModel::Name);
        QVERIFY(cell.flags().testFlag(Qt::ItemIsDragEnabled));
        const std::unique_ptr<QMimeData> data(
            table.model()->mimeData({cell, cell.siblingAtColumn(CVarModel::CurrentValue)}));
        const QString name = cell.data().toString();
        QCOMPARE(data->text(), name);
        QTRY_VERIFY(f.panel->table()->width() > 0);
        const QPoint at = f.view().mapTo(f.panel, f.view().rect().center());
        QDragEnterEvent enter(at, Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(f.panel, &enter);
        QVERIFY(enter.isAccepted());
        // Not where it was taken.
        const QPoint back = f.panel->table()->mapTo(f.panel, f.panel->table()->rect().center());
        QDragMoveEvent home(back, Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(f.panel, &home);
        QVERIFY(!home.isAccepted());
        QDropEvent drop(at, Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(f.panel, &drop);
        QCOMPARE(f.watches.list().size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(f.watches.list()[0].text), name);
        QVERIFY(f.panel->areWatchesShown());
        const std::unique_ptr<QMenu> menu(
            f.panel->table()->menuFor(table.model()->index(0, CVarModel::Name)));
        menu->findChild<QAction*>(QStringLiteral("console.cvars.menu.watch"))->trigger();
        QCOMPARE(f.watches.list().size(), std::size_t(2));
    }

    // The last set is taken back where every edit is; the line keeps nothing that Ctrl+Z could bring back instead.
    void whatWasSetCanBeUndone() {
        Fixture f;
        QUndoStack stack;
        UndoOrder order(stack);
        CVarCommand::connectSteps(f.backend, order, [&](const CVarCommand::Steps& made, bool undo) {
            undo ? f.console.undo(*made) : f.console.redo(*made);
        });
        f.type("sim.gravity 3; toggle render.quality");
        f.key(Qt::Key_Return);
        QTRY_COMPARE(stack.count(), 1);
        QCOMPARE(stack.undoText(), QStringLiteral("set CVars"));
        QVERIFY(!f.input().isModified());
        QVERIFY(!f.input().isUndoAvailable());
        f.type("echo nothing is set; sim.gravity");
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("nothing is set"));
        CVarModel& table = f.panel->table()->model();
        table.refresh();
        QVERIFY(
            table.setData(table.index(table.rowOf(QStringLiteral("sim.gravity")), CVarModel::CurrentValue),
                          QStringLiteral("4"), Qt::EditRole));
        QTRY_COMPARE(stack.count(), 2);
        QCOMPARE(stack.undoText(), QStringLiteral("set sim.gravity"));
        QCOMPARE(f.gravity.get(), 4.0F);
        stack.undo();
        QCOMPARE(f.gravity.get(), 3.0F);
        stack.undo();
        QCOMPARE(f.gravity.get(), 9.81F);
        QCOMPARE(f.quality.get(), Quality::Medium);
        QVERIFY(f.waitFor("sim.gravity = 9.81 m/s² (undone)"));
        stack.redo();
        QCOMPARE(f.gravity.get(), 3.0F);
        QCOMPARE(f.quality.get(), Quality::High);
        f.type("reset all");
        f.key(Qt::Key_Return);
        QTRY_COMPARE(stack.undoText(), QStringLiteral("reset CVars"));
        QCOMPARE(f.gravity.get(), 9.81F);
        stack.undo();
        QCOMPARE(f.gravity.get(), 3.0F);
        QCOMPARE(f.quality.get(), Quality::High);
    }

    // The session is busy; meanwhile something is edited, and a line that sets nothing is typed.
    void aSetAnsweredLateStandsWhereItWasTyped() {
        Log log;
        Console console(log);
        const CVar<int> value = console.cvars().add<int>("t.value", 1, "A number.");
        std::vector<std::pair<std::string, EngineConsoleBackend::Done>> posted;
        EngineConsoleBackend backend(console, log, [&](std::string line, EngineConsoleBackend::Done done) {
            posted.emplace_back(std::move(line), std::move(done));
        });
        QUndoStack stack;
        UndoOrder order(stack);
        CVarCommand::connectSteps(backend, order, [&](const CVarCommand::Steps& steps, bool undo) {
            undo ? console.undo(*steps) : console.redo(*steps);
        });
        QSignalSpy answered(&backend, &ConsoleBackend::answered);
        backend.submit(QStringLiteral("t.value 2"));
        order.beforePush(false);
        stack.push(new QUndoCommand(QStringLiteral("edit")));
        backend.submit(QStringLiteral("t.value"));
        backend.submit(QStringLiteral("reset t.value"));
        order.undo(); // that reset
        for (const auto& [line, done] : posted)
            done(console.execute(line));
        QTRY_COMPARE(answered.count(), 3);
        QCOMPARE(stack.count(), 3);
        QCOMPARE(stack.text(0), QStringLiteral("set t.value"));
        QCOMPARE(stack.text(1), QStringLiteral("edit"));
        QCOMPARE(stack.text(2), QStringLiteral("reset t.value"));
        QCOMPARE(stack.index(), 2);
        QCOMPARE(value.get(), 2);
        order.undo();
        order.undo();
        QCOMPARE(value.get(), 1);
        QCOMPARE(stack.index(), 0);
    }
};

QTEST_MAIN(TestTables)
#include "tst_tables.moc"
