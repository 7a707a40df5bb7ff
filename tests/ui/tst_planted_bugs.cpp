// Bugs planted in copies of the courtyard, each explained by the program within three clicks. What happens and where one looks is as for a
// person who plays the scene; the clicks are real ones on the window's parts, and are counted.

#include <QLabel>
#include <QMenu>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

#include "app/editor/field_changes_window.h"
#include "tests/ui/editor_test.h"
#include "widgets/common/notice.h"
#include "widgets/common/selection.h"
#include "widgets/definition/problems_panel.h"
#include "widgets/inspector/component_section.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/outliner/entity_tree_model.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_view.h"

#include <set>

using namespace sbx;
using ui_test::Patience;

namespace {

// Every change in such a file has to take place.
void replaceIn(const QDir& project, const char* name, const QByteArray& from, const QByteArray& to) {
    QFile file(project.filePath(QLatin1String(name)));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray text = file.readAll();
    QVERIFY2(text.contains(from), from.constData());
    text.replace(from, to);
    file.resize(0);
    file.seek(0);
    QCOMPARE(file.write(text), text.size());
}

} // namespace

class TestPlantedBugs : public ui_test::EditorTest {
    Q_OBJECT

private:
    int m_clicks = 0;

    ui::TracePanel& trace() { return window().trace(); }
    ui::TraceModel& model() { return trace().model(); }
    void click(QWidget& widget, const QPoint& at, Qt::MouseButton button = Qt::LeftButton) {
        ++m_clicks;
        QTest::mouseClick(&widget, button, {}, at);
    }
    void click(QWidget& widget) { click(widget, widget.rect().center()); }
    void clickRow(int row) {
        trace().view().showRow(row);
        click(*trace().view().viewport(),
              trace().view().visualRect(model().index(row, ui::TraceModel::Type)).center());
    }
    void clickEntity(const char* name) {
        QTreeView& tree = window().outliner().view();
        const QModelIndex index = window().outliner().model().indexOf(name);
        QVERIFY(index.isValid());
        tree.scrollTo(index);
        click(*tree.viewport(), tree.visualRect(index).center());
        QCOMPARE(editor().selection().primary(), std::string(name));
    }
    // The menu that is open, or opens next, loses the focus to the entry.
    void chooseNext(const QString& action) {
        QTimer::singleShot(0, this, [this, action] {
            auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            QAction* found = menu->findChild<QAction*>(action);
            for (QAction* each : menu->actions())
                if (each->objectName() == action || each == editor().actions().find(action))
                    found = each;
            QVERIFY2(found != nullptr && found->isEnabled(), qPrintable(action));
            click(*menu, menu->actionGeometry(found).center());
        });
    }
    void play() {
        trigger("play.start");
        m_clicks = 0;
    }
    QString details() { return trace().details().toPlainText(); }
    template <typename Test> void waitUntil(Test test) {
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                model().catchUp();
                return test();
            }(),
            Patience);
    }

private slots:
    void cleanup() { close(); }

    // The phantom touches crates, and nothing happens to them.
    void aTypeWithoutHealth() {
        open([](const QDir& project) {
            replaceIn(project, "entities.toml", "[Crate.Health]\nmaximum = 40\n", "");
            replaceIn(project, "entities.toml", "[HeavyCrate.Health]\nmaximum = 120\n", "");
        });
        play();
        auto* const faults = find<QToolButton>(QStringLiteral("trace.faults"));
        waitUntil([&] { return faults->isVisible(); });
        click(*faults);
        waitUntil([&] { return model().rowCount() > 0 && !model().isFiltering(); });
        clickRow(0);
        QVERIFY2(details().contains(QStringLiteral("Health and Shield act on Damage; ")),
                 qPrintable(details()));
        QVERIFY(details().contains(QStringLiteral("has neither")));
        QCOMPARE(m_clicks, 2);
    }

    // The door is told to open twice.
    void aSecondTrigger() {
        open([](const QDir& project) {
            replaceIn(project, "courtyard.scene.toml",
                      "[[entity]]\ntype = \"DoorTrigger\"\nname = \"door_trigger\"\nposition = [-6.08, 1.05, "
                      "-5.5]\n",
                      "[[entity]]\ntype = \"DoorTrigger\"\nname = \"door_trigger\"\nposition = [-6.08, 1.05, "
                      "-5.5]\n\n"
                      "[[entity]]\ntype = \"DoorTrigger\"\nname = \"forgotten_trigger\"\nposition = [-6.08, "
                      "1.05, -5.3]\n\n"
                      "[[entity]]\ntype = \"Ball\"\nname = \"visitor\"\nposition = [-6.08, 0.6, -4.4]\n");
        });
        play();
        waitUntil([&] {
            for (int row = 0; row < model().rowCount(); ++row)
                if (model().context().type(model().record(row)).name == "Activate")
                    return true;
            return false;
        });
        QTreeView& tree = window().outliner().view();
        const QModelIndex door = window().outliner().model().indexOf("door");
        tree.scrollTo(door);
        tree.setCurrentIndex(door);
        ++m_clicks; // the right button, which the menu that it opens would wait for
        chooseNext(QStringLiteral("trace.followSelected"));
        emit tree.customContextMenuRequested(tree.visualRect(door).center());
        waitUntil([&] {
            return trace().filterText() == QStringLiteral("entity == door") && !model().isFiltering()
                   && model().rowCount() >= 2;
        });
        std::set<std::string> senders;
        for (int row = 0; row < model().rowCount(); ++row)
            if (model().context().type(model().record(row)).name == "Activate")
                senders.emplace(model().context().sender(model().record(row)));
        QCOMPARE(senders, (std::set<std::string>{"door_trigger", "forgotten_trigger"}));
        QCOMPARE(m_clicks, 2);
    }

    // Balls pour out without end.
    void aSpawnerThatRunsAway() {
        open([](const QDir& project) {
            replaceIn(project, "entities.toml", "every = 2.5\nlimit = 8\n", "every = 0.01\nlimit = 1000\n");
        });
        play();
        QToolButton* show = nullptr;
        waitUntil([&] {
            for (auto* card : window().findChildren<QWidget*>(QStringLiteral("notice.card")))
                if (auto* text = card->findChild<QLabel*>(QStringLiteral("notice.text"));
                    card->isVisible()
                    && text->text().contains(QStringLiteral("Spawned a second from ball_spawner")))
                    show = card->findChild<QToolButton*>(QStringLiteral("notice.action"));
            return show != nullptr;
        });
        click(*show); // the text has named it already; this shows the messages
        waitUntil([&] {
            return trace().filterText().contains(QStringLiteral("ball_spawner")) && model().rowCount() > 0;
        });
        QCOMPARE(m_clicks, 1);
    }

    // A crate loses health though the phantom is far away: a ball of its own kind hurts what it touches.
    void aBallThatHurts() {
        open([](const QDir& project) {
            replaceIn(project, "entities.toml", "[Ball.Lifetime]",
                      "[Ball.Touch]\ndamage = 1\n\n[Ball.Lifetime]");
            replaceIn(project, "courtyard.scene.toml", "[[entity]]\ntype = \"Phantom\"",
                      "[[entity]]\ntype = \"Ball\"\nname = \"visitor\"\nposition = [2.6, 1.7, "
                      "-0.5]\n\n[[entity]]\ntype = \"Phantom\"");
        });
        trigger("play.step");
        QTRY_COMPARE_WITH_TIMEOUT(editor().feed().mode(), Mode::Pause, Patience);
        m_clicks = 0;
        clickEntity("crate_plain_1"); // its values are watched from now on
        const QString health = QStringLiteral("inspector.Health.current");
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>(health) != nullptr, Patience);
        trigger("play.start");
        waitUntil([&] {
            for (int row = 0; row < model().rowCount(); ++row)
                if (model().context().type(model().record(row)).name == "Damage"
                    && model().context().receiver(model().record(row)) == "crate_plain_1")
                    return true;
            return false;
        });
        ++m_clicks; // the right button
        emit find<QWidget>(health)->customContextMenuRequested(QPoint(4, 4));
        QTRY_VERIFY_WITH_TIMEOUT(QApplication::activePopupWidget() != nullptr, Patience);
        chooseNext(QStringLiteral("field.whoChanged"));
        auto* const changes = find<editor::FieldChangesWindow>(QStringLiteral("fieldChanges"));
        QVERIFY(changes != nullptr);
        const auto* const text = changes->findChild<QTextBrowser*>();
        QTRY_VERIFY_WITH_TIMEOUT(text->toPlainText().contains(QStringLiteral("visitor")), Patience);
        QVERIFY2(text->toPlainText().contains(QStringLiteral("Damage")), qPrintable(text->toPlainText()));
        QCOMPARE(m_clicks, 3);
    }

    // The phantom touches a shielded crate again and again, and its health stays whole.
    void aShieldThatTakesEverything() {
        open([](const QDir& project) {
            replaceIn(project, "entities.toml", "capacity = 20 ", "capacity = 2000000 ");
        });
        play();
        std::string crate;
        waitUntil([&] {
            for (int row = 0; row < model().rowCount(); ++row)
                if (const RecordView record = model().record(row);
                    model().context().type(record).name == "Damage"
                    && ui::TraceContext::outcome(record) == RecordOutcome::Consumed)
                    crate = model().context().receiver(record);
            return !crate.empty();
        });
        clickEntity(crate.c_str());
        const QString health = QStringLiteral("inspector.Health");
        QTRY_VERIFY_WITH_TIMEOUT(find<ui::ComponentSection>(health) != nullptr, Patience);
        QWidget& header = find<ui::ComponentSection>(health)->header();
        ++m_clicks; // the right button
        QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(30, 8), header.mapToGlobal(QPoint(30, 8)));
        QApplication::sendEvent(&header, &event);
        QTRY_VERIFY_WITH_TIMEOUT(QApplication::activePopupWidget() != nullptr, Patience);
        chooseNext(QStringLiteral("component.whyNot"));
        QTRY_VERIFY_WITH_TIMEOUT(find<QTextBrowser>(QStringLiteral("whyNot.text")) != nullptr, Patience);
        const auto* const text = find<QTextBrowser>(QStringLiteral("whyNot.text"));
        QTRY_VERIFY_WITH_TIMEOUT(text->toPlainText().contains(
                                     QStringLiteral("Shield, priority 10, had it before and consumed it")),
                                 Patience);
        QCOMPARE(m_clicks, 3);
    }

    // The trigger opens a door that is not there, as its name was mistyped.
    void aTriggerThatAimsAtNothing() {
        open([](const QDir& project) {
            replaceIn(project, "entities.toml", "target = \"door\"", "target = \"dor\"");
        });
        m_clicks = 0;
        QTabBar* tabs = nullptr;
        int problems = -1;
        waitUntil([&] {
            for (auto* bar : window().findChildren<QTabBar*>())
                for (int tab = 0; tab < bar->count(); ++tab)
                    if (bar->tabText(tab).startsWith(QStringLiteral("Problems ("))) {
                        tabs = bar;
                        problems = tab;
                    }
            return tabs != nullptr;
        });
        click(*tabs, tabs->tabRect(problems).center());
        const auto* const list = window().problems().findChild<QAbstractItemView*>();
        QVERIFY(list != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(list->isVisible() && list->model()->rowCount() > 0, Patience);
        QString said;
        for (int row = 0; row < list->model()->rowCount(); ++row)
            for (int column = 0; column < list->model()->columnCount(); ++column)
                said += list->model()->index(row, column).data().toString() + QLatin1Char(' ');
        QVERIFY2(said.contains(QStringLiteral("dor")), qPrintable(said));
        QCOMPARE(m_clicks, 1);
    }
};

int main(int argc, char** argv) { return ui_test::run<TestPlantedBugs>(argc, argv); }

#include "tst_planted_bugs.moc"
