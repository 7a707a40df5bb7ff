#include <QAbstractButton>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QtTest>
#include <QVBoxLayout>

#include "widgets/common/action_registry.h"
#include "widgets/common/candidate_popup.h"
#include "widgets/common/theme.h"
#include "widgets/console/console_backend.h"
#include "widgets/console/console_input.h"
#include "widgets/console/console_panel.h"
#include "widgets/console/cvar_model.h"
#include "widgets/console/cvar_table.h"
#include "widgets/console/key_binding_actions.h"
#include "widgets/console/log_model.h"
#include "widgets/console/log_view.h"

using namespace sbx;
using namespace sbx::ui;

namespace {

enum class Quality { Low, Medium, High };

struct Fixture {
    Log log;
    Console console{log};
    CVar<float> gravity = console.cvars().add<float>("sim.gravity", 9.81F, "Pull on every body.",
                                                     {.unit = "m/s²", .minimum = 0, .maximum = 100});
    CVar<float> gravityScale =
        console.cvars().add<float>("sim.gravityScale", 1.0F, "Share of gravity that acts.");
    CVar<Quality> quality =
        console.cvars().add<Quality>("render.quality", Quality::Medium, "How fine the picture is.",
                                     {.choices = {"low", "medium", "high"}});
    Theme theme;
    EngineConsoleBackend backend{console, log, [this](std::string line, EngineConsoleBackend::Done done) {
                                     done(console.execute(line).ok);
                                 }};
    QWidget window;
    ConsolePanel* panel;

    Fixture() {
        theme.apply(*qApp);
        auto* layout = new QVBoxLayout(&window);
        layout->setContentsMargins(0, 0, 0, 0);
        panel = new ConsolePanel(theme, backend, &window);
        layout->addWidget(panel);
        window.resize(1000, 420);
        window.show();
        panel->focusInput();
        QVERIFY(QTest::qWaitForWindowActive(&window));
    }
    ConsoleInput& input() { return panel->input(); }
    LogView& view() { return panel->view(); }
    void type(const char* text) { QTest::keyClicks(&input(), QString::fromUtf8(text)); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(&input(), key, modifiers);
    }
    QStringList rows() {
        QStringList out;
        for (int row = 0; row < panel->model().rowCount(); ++row)
            out.append(panel->model().at(row).text);
        return out;
    }
    bool waitFor(const char* text) {
        return QTest::qWaitFor(
            [&] { return rows().join(QLatin1Char('\n')).contains(QString::fromUtf8(text)); }, 2000);
    }
    template <typename T> T* child(const char* name) { return panel->findChild<T*>(QLatin1String(name)); }
};

bool writeFile(const QString& name, const QByteArray& text) {
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

QByteArray readFile(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestPanel : public QObject {
    Q_OBJECT
private slots:
    void linesAndRepliesAreInTheLog() {
        Fixture f;
        f.type("sim.gravity=5");
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("> sim.gravity=5"));
        QVERIFY(f.waitFor("sim.gravity = 5.0 m/s² (was 9.81 m/s²)"));
        QCOMPARE(f.gravity.get(), 5.0F);
        QVERIFY(f.input().text().isEmpty());
        f.type("sim.gravity 500");
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("out of range; expected a number in [0, 100] m/s²"));
        QTRY_COMPARE(f.panel->model().count(LogSeverity::Error), 1ULL);
        f.type("sim.gravty");
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("did you mean sim.gravity"));
        f.key(Qt::Key_Return); // an empty line is not sent
        QVERIFY(!f.rows().last().startsWith(QLatin1Char('>')));
    }

    void historyWalksWithTheKeysAndIsKept() {
        Fixture f;
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("deep/history"));
        QVERIFY(QDir().mkpath(QFileInfo(file).path()));
        QVERIFY(writeFile(file, "echo one\nfind x\necho two\n"));
        f.panel->keepHistory(file);
        f.key(Qt::Key_Up);
        QCOMPARE(f.input().text(), QStringLiteral("echo two"));
        f.key(Qt::Key_Up);
        QCOMPARE(f.input().text(), QStringLiteral("find x"));
        f.key(Qt::Key_Down);
        f.key(Qt::Key_Down);
        QVERIFY(f.input().text().isEmpty());
        f.type("ec");
        f.key(Qt::Key_Up);
        f.key(Qt::Key_Up);
        QCOMPARE(f.input().text(), QStringLiteral("echo one"));
        QVERIFY(!f.input().popup().isVisible());
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("one"));
        QCOMPARE(readFile(file), QByteArray("find x\necho two\necho one\n"));
        QCOMPARE(f.panel->history(), (QStringList{QStringLiteral("find x"), QStringLiteral("echo two"),
                                                  QStringLiteral("echo one")}));
    }

    void anotherWindowsLinesAreKept() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("history"));
        ConsoleHistory one;
        ConsoleHistory two;
        QVERIFY(one.load(file) && two.load(file)); // no file yet
        QVERIFY(one.add(QStringLiteral("first")) && one.save(file));
        QVERIFY(two.add(QStringLiteral("second")) && two.save(file));
        QCOMPARE(readFile(file), QByteArray("first\nsecond\n"));
        QVERIFY(!QFile::permissions(file).testFlag(QFileDevice::ReadOther));
        for (int i = 0; i < 1500; ++i)
            QVERIFY(one.add(QStringLiteral("line %1").arg(i)));
        QVERIFY(one.save(file));
        QCOMPARE(readFile(file).count('\n'), ConsoleHistory::Limit);
        QVERIFY(readFile(file).endsWith("line 1499\n"));
        QVERIFY(!one.add(QString(5000, QLatin1Char('x'))));
        QVERIFY(!one.save(QStringLiteral("/proc/nowhere/history")));
    }

    void ctrlRSearchesTheHistory() {
        Fixture f;
        f.input().history().setLines({QStringLiteral("echo one"), QStringLiteral("find Gravity"),
                                      QStringLiteral("echo two"), QStringLiteral("list cvars")});
        f.type("half a li");
        f.key(Qt::Key_R, Qt::ControlModifier);
        QVERIFY(!f.input().popup().isVisible()); // nothing holds that
        f.input().clear();
        f.key(Qt::Key_Escape); // gives back what stood there
        QCOMPARE(f.input().text(), QStringLiteral("half a li"));
        f.input().clear();
        f.key(Qt::Key_R, Qt::ControlModifier);
        f.type("ec");
        QCOMPARE(f.input().popup().count(), 2);
        QCOMPARE(f.input().popup().textAt(f.input().popup().current()), QStringLiteral("echo two"));
        f.key(Qt::Key_R, Qt::ControlModifier); // the next older one
        f.key(Qt::Key_Return);
        QCOMPARE(f.input().text(), QStringLiteral("echo one"));
        QVERIFY(f.rows().isEmpty()); // put in, not sent
        QVERIFY(!f.input().popup().isVisible());
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("> echo one"));
        f.key(Qt::Key_R, Qt::ControlModifier);
        f.type("gravity"); // small letters: case does not matter
        QCOMPARE(f.input().popup().count(), 1);
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("find Gravity"));
    }

    void secretsAreNotKept() {
        Fixture f;
        const auto password = f.console.cvars().add<std::string>("net.password", "", "Asked of those who join.",
                                                                 {.flags = CVarFlags::Protected});
        f.type("net.password hunter2");
        f.key(Qt::Key_Return);
        QTRY_COMPARE(password.get(), std::string("hunter2"));
        QVERIFY(f.panel->history().isEmpty());
        QVERIFY(f.waitFor("> net.password ***"));
    }

    void boundKeysAreShortcuts() {
        Fixture f;
        ActionRegistry actions(f.theme);
        Action save;
        save.id = QStringLiteral("file.save");
        save.text = QStringLiteral("&Save");
        save.shortcuts = {QKeySequence(QStringLiteral("Ctrl+S"))};
        actions.add(std::move(save));
        QStringList ran;
        QWidget viewport(&f.window);
        viewport.setFocusPolicy(Qt::StrongFocus);
        viewport.show();
        actions.attach(f.window);
        actions.attach(viewport, QStringLiteral("viewport"));
        KeyBindingActions keys(actions, f.console, {QStringLiteral("viewport")},
                               [&](const std::string& line) { ran.append(QString::fromStdString(line)); });
        QVERIFY(!f.console.execute("bind Ctrl+S echo no").ok); // the editor's
        QVERIFY(f.console.execute("bind f6 \"inc sim.gravity; echo done\"").ok);
        QVERIFY(f.console.execute("bind g echo g").ok);
        keys.sync();
        const QString id = QStringLiteral("bind.f6");
        QVERIFY(actions.find(id) != nullptr); // listed where shortcuts are
        QCOMPARE(actions.shortcuts(id), QList<QKeySequence>{QKeySequence(Qt::Key_F6)});
        viewport.setFocus();
        QTest::keyClick(&viewport, Qt::Key_F6);
        QTest::keyClick(&viewport, Qt::Key_G);
        QCOMPARE(ran, (QStringList{QStringLiteral("inc sim.gravity; echo done"), QStringLiteral("echo g")}));
        // Typing is not playing.
        f.panel->focusInput();
        f.type("g");
        QCOMPARE(f.input().text(), QStringLiteral("g"));
        QCOMPARE(ran.size(), 2);
        QVERIFY(f.console.execute("unbind f6").ok);
        QTRY_VERIFY(actions.find(id) == nullptr);
        // A key that came to mean something else meanwhile stays data.
        QSignalSpy refused(&keys, &KeyBindingActions::refused);
        QVERIFY(f.console.execute("bind Ctrl+K echo k").ok);
        Action later;
        later.id = QStringLiteral("view.later");
        later.text = QStringLiteral("Later");
        later.shortcuts = {QKeySequence(QStringLiteral("Ctrl+K"))};
        actions.add(std::move(later));
        keys.sync();
        QCOMPARE(refused.size(), 1);
        QVERIFY(actions.shortcuts(QStringLiteral("bind.ctrl+k")).isEmpty());
        QVERIFY(!f.console.execute("bind Ctrl+K echo k").ok);
    }

    void tabCompletesAndThePopupShowsValueAndDoc() {
        Fixture f;
        f.type("sim.gr");
        QVERIFY(f.input().popup().isVisible());
        QCOMPARE(f.input().popup().current(), -1);
        QCOMPARE(f.input().popup().textAt(0), QStringLiteral("sim.gravity"));
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("sim.gravity")); // the longest common prefix
        QVERIFY(f.input().hasFocus());
        QVERIFY(f.input().popup().isVisible());
        f.key(Qt::Key_Tab); // nothing more in common: choose
        QCOMPARE(f.input().popup().current(), 0);
        f.key(Qt::Key_Down);
        QCOMPARE(f.input().popup().current(), 1);
        f.key(Qt::Key_Return); // takes it, does not send
        QCOMPARE(f.input().text(), QStringLiteral("sim.gravityScale "));
        QVERIFY(f.rows().isEmpty());
        f.key(Qt::Key_Escape);
        QVERIFY(!f.input().popup().isVisible());
        QVERIFY(!f.input().text().isEmpty());
        f.key(Qt::Key_Escape);
        QVERIFY(f.input().text().isEmpty());
    }

    void tabCompletesValuesAndCommands() {
        Fixture f;
        f.type("tog");
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("toggle "));
        f.type("qual");
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("toggle render.quality "));
        f.input().clear();
        f.type("render.quality=h");
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("render.quality=high"));
        f.key(Qt::Key_Return);
        QTRY_COMPARE(f.quality.get(), Quality::High);
    }

    void returnSendsWhatStandsThereWhileThePopupShows() {
        Fixture f;
        f.type("sim.gravity");
        QVERIFY(f.input().popup().isVisible());
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("Pull on every body."));
        QVERIFY(!f.input().popup().isVisible());
    }

    void completionInTheMiddleKeepsTheRest() {
        Fixture f;
        f.input().setText(QStringLiteral("echo ü; tog render.quality"));
        f.input().setCursorPosition(11); // behind "tog"
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("echo ü; toggle render.quality"));
        QCOMPARE(f.input().cursorPosition(), 14);
    }

    void candidatesCanBeClicked() {
        Fixture f;
        f.type("render.quality ");
        auto* list = f.window.findChild<QAbstractItemView*>(QStringLiteral("console.candidates"));
        QVERIFY(list != nullptr && list->isVisible());
        const QModelIndex low = list->model()->index(1, 0);
        QCOMPARE(low.data().toString(), QStringLiteral("low"));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(low).center());
        QCOMPARE(f.input().text(), QStringLiteral("render.quality low"));
        QVERIFY(f.input().hasFocus());
    }

    void emptyLineLetsTabMoveOn() {
        Fixture f;
        f.key(Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(f.input().popup().isVisible());
        f.key(Qt::Key_Escape);
        f.key(Qt::Key_Tab);
        QVERIFY(!f.input().hasFocus());
    }

    void pastedLinesAreJoined() {
        Fixture f;
        QGuiApplication::clipboard()->setText(QStringLiteral("sim.gravity 1\r\necho done\n"));
        f.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(f.input().text(), QStringLiteral("sim.gravity 1; echo done"));
    }

    void pillsFilterAndCount() {
        Fixture f;
        f.log.info("sim", "fine");
        f.log.warning("net", "odd");
        f.log.error("net", "bad");
        QVERIFY(f.waitFor("bad"));
        auto* info = f.child<QAbstractButton>("console.severity.info");
        QCOMPARE(f.child<QAbstractButton>("console.severity.error")->text(), QStringLiteral("1"));
        QTest::mouseClick(info, Qt::LeftButton);
        QCOMPARE(f.rows(), (QStringList{QStringLiteral("odd"), QStringLiteral("bad")}));
        QCOMPARE(info->text(), QStringLiteral("1"));
        auto* menu = f.child<QMenu>("console.channelMenu");
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        menu->actions().first()->setChecked(false); // net
        QVERIFY(f.rows().isEmpty());
        QCOMPARE(f.child<QLabel>("emptyState.line")->text(), QStringLiteral("The filter hides all 3 lines."));
        QTest::mouseClick(f.child<QPushButton>("emptyState.button"), Qt::LeftButton);
        QCOMPARE(f.rows().size(), 3);
    }

    void searchByTextAndExpression() {
        Fixture f;
        f.log.info("sim", "crate_1 falls");
        f.log.info("sim", "crate_22 falls");
        QVERIFY(f.waitFor("crate_22"));
        auto* filter = f.child<QLineEdit>("console.filter");
        QTest::keyClicks(filter, QStringLiteral("crate_\\d "));
        QTRY_COMPARE(f.rows().size(), 0);
        QTest::mouseClick(f.child<QToolButton>("console.expression"), Qt::LeftButton);
        QCOMPARE(f.rows(), QStringList{QStringLiteral("crate_1 falls")});
        QTest::keyClicks(filter, QStringLiteral("("));
        QTRY_VERIFY(
            f.child<QLabel>("console.problem")->text().contains(QStringLiteral("regular expression")));
        QCOMPARE(f.rows().size(), 1);
        QTest::keyClick(f.panel, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(filter->hasFocus());
    }

    void scrollingUpStopsFollowing() {
        Fixture f;
        for (int i = 0; i < 300; ++i)
            f.log.info("sim", "line " + std::to_string(i));
        QVERIFY(f.waitFor("line 299"));
        QScrollBar& bar = *f.view().verticalScrollBar();
        QVERIFY(f.view().isFollowing());
        QCOMPARE(bar.value(), bar.maximum());
        bar.setValue(bar.maximum() / 2);
        QVERIFY(!f.view().isFollowing());
        const int before = bar.value();
        const QModelIndex top = f.view().indexAt(QPoint(10, 2));
        for (int i = 0; i < 7; ++i)
            f.log.info("sim", "new " + std::to_string(i));
        QVERIFY(f.waitFor("new 6"));
        QCOMPARE(bar.value(), before);
        QCOMPARE(f.view().indexAt(QPoint(10, 2)), top);
        auto* pill = f.child<QPushButton>("console.new");
        QTRY_VERIFY(pill->isVisible());
        QCOMPARE(pill->text(), QStringLiteral("7 new ↓"));
        QTest::mouseClick(pill, Qt::LeftButton);
        QVERIFY(f.view().isFollowing());
        QCOMPARE(bar.value(), bar.maximum());
        QTRY_VERIFY(!pill->isVisible());
    }

    void droppingOldRowsKeepsThePlace() {
        Fixture f;
        const int capacity = static_cast<int>(LogModel::Capacity);
        for (int i = 0; i < capacity; ++i)
            f.log.info("sim", std::to_string(i) + (i % 7 == 0 ? " " + std::string(400, 'x') : std::string()));
        QVERIFY(f.waitFor(std::to_string(capacity - 1).c_str()));
        QTRY_COMPARE(f.panel->model().total(), capacity);
        f.view().verticalScrollBar()->setValue(f.view().verticalScrollBar()->maximum() / 2);
        const QString seen = f.view().indexAt(QPoint(10, 5)).data().toString();
        for (int i = 0; i < 3000; ++i)
            f.log.info("sim", "more " + std::to_string(i));
        QVERIFY(f.waitFor("more 2999"));
        QVERIFY(f.panel->model().total() < capacity + 3000);
        QCOMPARE(f.view().indexAt(QPoint(10, 5)).data().toString(), seen);
    }

    void pauseHoldsTheViewAndClearEmptiesIt() {
        Fixture f;
        f.log.info("sim", "before");
        QVERIFY(f.waitFor("before"));
        QTest::mouseClick(f.child<QToolButton>("console.pause"), Qt::LeftButton);
        QVERIFY(f.panel->isPaused());
        f.log.info("sim", "while paused");
        auto* pill = f.child<QPushButton>("console.new");
        QTRY_COMPARE(pill->text(), QStringLiteral("1 new ↓"));
        QCOMPARE(f.rows().size(), 1);
        QTest::mouseClick(pill, Qt::LeftButton);
        QVERIFY(!f.panel->isPaused());
        QCOMPARE(f.rows().size(), 2);
        QTest::keyClick(&f.input(), Qt::Key_L, Qt::ControlModifier);
        QVERIFY(f.rows().isEmpty());
        f.log.info("sim", "after");
        QVERIFY(f.waitFor("after"));
        QCOMPARE(f.rows().size(), 1);
    }

    void copyTakesTheSelectionOrAllShown() {
        Fixture f;
        f.log.info("sim", "one");
        f.log.warning("net", "two");
        f.log.info("sim", "three");
        QVERIFY(f.waitFor("three"));
        f.panel->copy();
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 2);
        f.child<QAbstractButton>("console.severity.info")->setChecked(false);
        f.panel->copy();
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("warning [net] two")));
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 0);
        f.child<QAbstractButton>("console.severity.info")->setChecked(true);
        QTest::mouseClick(f.view().viewport(), Qt::LeftButton, {},
                          f.view().visualRect(f.panel->model().index(2)).center());
        QTest::keyClick(&f.view(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("info [sim] three")));
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 0);
    }

    void longTextWrapsAndNothingIsTooLong() {
        Fixture f;
        f.log.info("sim", "short");
        f.log.info("sim", std::string(600, 'w') + " end");
        f.log.info("sim", "two\nlines");
        f.log.info("sim", std::string(1'000'000, 'x'));
        f.log.info("sim", "\xff\xfe not UTF-8 \xe4\xb8\xad\xe6\x96\x87");
        QVERIFY(f.waitFor("not UTF-8"));
        const auto height = [&](int row) {
            return f.view().visualRect(f.panel->model().index(row)).height();
        };
        QVERIFY(height(1) > 3 * height(0));
        QVERIFY(height(2) > height(0));
        QVERIFY(height(3) < 100 * height(0));
        const int wide = height(1);
        f.window.resize(500, 420);
        QTRY_VERIFY(height(1) > wide);
        (void)f.window.grab();
    }

    void aFullLogStaysSmooth() {
        Fixture f;
        for (int i = 0; i < static_cast<int>(LogModel::Capacity); ++i)
            f.log.info(i % 3 == 0 ? "sim" : "net",
                       "record " + std::to_string(i) + (i % 10 == 0 ? std::string(300, 'y') : std::string()));
        QTRY_COMPARE(f.panel->model().total(), static_cast<int>(LogModel::Capacity));
        QElapsedTimer timer;
        qint64 worst = 0;
        const auto measure = [&](auto&& work) {
            timer.restart();
            work();
            worst = std::max(worst, timer.elapsed());
        };
        QScrollBar& bar = *f.view().verticalScrollBar();
        for (int i = 0; i <= 20; ++i)
            measure([&] {
                bar.setValue(bar.maximum() / 20 * i);
                (void)f.view().viewport()->grab();
            });
        const qint64 scrolling = worst;
        measure([&] { (void)f.panel->model().setText(QStringLiteral("99"), false); });
        measure([&] { (void)f.panel->model().setText(QStringLiteral("9[0-9]+y"), true); });
        measure([&] { (void)f.panel->model().setText({}, false); });
        const qint64 filtering = worst;
        f.window.resize(700, 420);
        measure([&] { QCoreApplication::processEvents(); });
        qInfo(
            "20,000 rows: worst frame %lld ms while scrolling, %lld ms with filtering, %lld ms with resizing",
            scrolling, filtering, worst);
        QVERIFY(scrolling < 100);
        QVERIFY(worst < 500);
    }

    void linksAreFollowedByMouseAndMenu() {
        Fixture f;
        LinkNames names;
        names.isEntity = [](const QString& name) { return name == QLatin1String("crate_1"); };
        f.panel->setLinkNames(std::move(names));
        QSignalSpy followed(f.panel, &ConsolePanel::linkActivated);
        f.log.warning("break", "#345 Damage to crate_1 (entities.toml:12)");
        f.log.info("sim", "sim.gravity was set");
        QVERIFY(f.waitFor("sim.gravity was set"));
        int row = -1;
        for (int i = 0; i < f.panel->model().rowCount(); ++i)
            if (f.panel->model().at(i).text.startsWith(QLatin1String("#345")))
                row = i;
        QCOMPARE(f.view().linksOf(row).size(), std::size_t(3));
        // Across the row: what is clicked, in order, is what was found.
        const QRect rect = f.view().visualRect(f.panel->model().index(row));
        QStringList targets;
        for (int x = rect.left(); x < rect.right(); x += 3) {
            QTest::mouseClick(f.view().viewport(), Qt::LeftButton, {}, QPoint(x, rect.center().y()));
            while (!followed.isEmpty()) {
                const QString target = followed.takeFirst().at(0).value<LogLink>().target;
                if (targets.isEmpty() || targets.last() != target)
                    targets.append(target);
            }
        }
        QCOMPARE(targets, (QStringList{QStringLiteral("345"), QStringLiteral("crate_1"), QStringLiteral("entities.toml:12")}));
        const std::unique_ptr<QMenu> menu(f.view().menuFor(row));
        QStringList texts;
        for (QAction* action : menu->actions())
            if (!action->isSeparator())
                texts.append(action->text());
        QCOMPARE(texts, (QStringList{QStringLiteral("Show message #345"), QStringLiteral("Select crate_1"),
                                     QStringLiteral("Open entities.toml:12"), QStringLiteral("Copy")}));
        menu->actions().at(1)->trigger();
        QCOMPARE(followed.takeFirst().at(0).value<LogLink>().kind, LinkKind::Entity);
        // A CVar is shown here.
        const std::unique_ptr<QMenu> other(f.view().menuFor(row + 1));
        other->actions().at(0)->trigger();
        QVERIFY(followed.isEmpty());
        QVERIFY(f.panel->isTableShown());
        QCOMPARE(f.panel->table()->view().currentIndex().siblingAtColumn(CVarModel::Name).data().toString(), QStringLiteral("sim.gravity"));
    }

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
        QCOMPARE(names(), (QStringList{QStringLiteral("render.quality"), QStringLiteral("sim.gravity"), QStringLiteral("sim.gravityScale")}));
        // An edit goes through the console, and is refused there like a typed one.
        QVERIFY(view.model()->setData(cell("sim.gravity", CVarModel::CurrentValue), QStringLiteral("3.5")));
        QCOMPARE(f.gravity.get(), 3.5F);
        QVERIFY(f.waitFor("> sim.gravity 3.5"));
        QTRY_COMPARE(cell("sim.gravity", CVarModel::CurrentValue).data().toString(), QStringLiteral("3.5 m/s²"));
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
        QVERIFY(view.model()->setData(cell("sim.gravityScale", CVarModel::Star), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(names().first(), QStringLiteral("sim.gravityScale"));
        QCOMPARE(readFile(dir.filePath(QStringLiteral("stars"))), QByteArray("sim.gravityScale\n"));
        // Reset, from the menu.
        const std::unique_ptr<QMenu> menu(f.panel->table()->menuFor(cell("sim.gravity", CVarModel::Name)));
        menu->findChild<QAction*>(QStringLiteral("console.cvars.menu.reset"))->trigger();
        QCOMPARE(f.gravity.get(), 9.81F);
        QTRY_COMPARE(cell("sim.gravity", CVarModel::CurrentValue).data().toString(), QStringLiteral("9.81 m/s²"));
        QTRY_COMPARE(cell("sim.gravity", CVarModel::SetBy).data().toString(), QStringLiteral("default"));
    }

    void everyControlHasANameAndAnAccessibleName() {
        Fixture f;
        const auto buttons = f.panel->findChildren<QAbstractButton*>();
        for (const QAbstractButton* made : buttons) {
            if (made->objectName().startsWith(QStringLiteral("qt_"))
                || qobject_cast<QLineEdit*>(made->parent()) != nullptr)
                continue;
            QVERIFY2(!made->objectName().isEmpty(), qPrintable(made->text()));
            QVERIFY2(!made->accessibleName().isEmpty() || !made->text().isEmpty(),
                     qPrintable(made->objectName()));
        }
        QCOMPARE(f.input().objectName(), QStringLiteral("console.input"));
        QVERIFY(!f.input().accessibleName().isEmpty());
        QVERIFY(!f.view().accessibleName().isEmpty());
    }

    void actionsGoToTheRegistry() {
        Fixture f;
        ActionRegistry registry(f.theme);
        f.panel->addActions(registry);
        f.log.info("sim", "x");
        QVERIFY(f.waitFor("x"));
        QVERIFY(registry.trigger(QStringLiteral("console.pause")).ok());
        QVERIFY(f.panel->isPaused());
        QVERIFY(registry.trigger(QStringLiteral("console.clear")).ok());
        QVERIFY(f.rows().isEmpty());
    }

    void answersAfterThePanelDiedAreHarmless() {
        Log log;
        const Console console(log);
        EngineConsoleBackend::Done later;
        {
            EngineConsoleBackend backend(
                console, log, [&](std::string, EngineConsoleBackend::Done done) { later = std::move(done); });
            backend.submit(QStringLiteral("echo"));
        }
        later(true);
    }
};

QTEST_MAIN(TestPanel)
#include "tst_panel.moc"
