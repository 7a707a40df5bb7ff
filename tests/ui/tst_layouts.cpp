// Arrangements of panels with a name: the fixed ones and the user's own, between runs, with their actions.

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenuBar>
#include <QPushButton>
#include <QtTest>

#include "app/editor/dock_layout.h"
#include "app/editor/layouts.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/notice.h"
#include "widgets/common/theme.h"
#include "widgets/common/user_settings.h"

using namespace sbx;
using namespace sbx::editor;

namespace {

// A window with two panels, as one run of the program has it.
struct Run {
    ui::Theme theme;
    ui::UserSettings settings;
    ui::NoticeList notices;
    ui::ActionRegistry actions{theme};
    QMainWindow window;
    QDockWidget* left = new QDockWidget(QStringLiteral("Left"), &window);
    QDockWidget* right = new QDockWidget(QStringLiteral("Right"), &window);
    Layouts* layouts = nullptr;

    explicit Run(const QString& file) : settings(file) {
        left->setObjectName(QStringLiteral("left"));
        right->setObjectName(QStringLiteral("right"));
        window.setCentralWidget(new QWidget);
        window.addDockWidget(Qt::LeftDockWidgetArea, left);
        window.addDockWidget(Qt::RightDockWidgetArea, right);
        window.resize(800, 600);
        window.show();
        layouts = new Layouts({window, actions, settings, notices, theme, 1});
        layouts->addFixed(QStringLiteral("layoutBoth"), QStringLiteral("Both"), {}, [this] {
            left->show();
            right->show();
        });
        layouts->addFixed(QStringLiteral("layoutOne"), QStringLiteral("One"), {}, [this] {
            left->show();
            right->hide();
        });
        layouts->addOwn();
        actions.buildMenus(*window.menuBar(), {QStringLiteral("View")});
    }
    QAction& action(const char* id) { return *actions.find(QStringLiteral("view.") + QLatin1String(id)); }
    bool trigger(const char* id) { return actions.trigger(QStringLiteral("view.") + QLatin1String(id)).ok(); }
    QStringList names() const {
        QStringList out;
        for (const OwnLayout& layout : layouts->own())
            out.append(layout.name);
        return out;
    }
};

} // namespace

class TestLayouts : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    QString m_file;

private slots:
    void init() { m_file = m_dir.filePath(QStringLiteral("%1.ini").arg(QString::fromLatin1(QTest::currentTestFunction()))); }

    void anOwnLayoutComesBackInTheNextRun() {
        {
            Run run(m_file);
            QVERIFY(!run.action("layoutOwn1").isVisible());
            run.left->hide();
            run.layouts->saveAs(QStringLiteral("Mine"));
            QVERIFY(run.action("layoutOwn1").isVisible());
            QCOMPARE(run.action("layoutOwn1").text(), QStringLiteral("Mine"));
            QVERIFY(run.trigger("layoutBoth"));
            QVERIFY(run.left->isVisible());
            QVERIFY(run.trigger("layoutOwn1"));
            QVERIFY(!run.left->isVisible());
            QVERIFY(run.settings.save().ok());
        }
        Run again(m_file);
        QCOMPARE(again.names(), QStringList({"Mine"}));
        QCOMPARE(again.layouts->currentOwn(), QStringLiteral("Mine"));
        again.actions.refresh();
        QVERIFY(again.action("layoutOwn1").isChecked());
        QVERIFY(again.trigger("layoutReset"));
        QVERIFY(!again.left->isVisible());
        QVERIFY(again.right->isVisible());
    }

    void resetPutsTheCurrentOneBack() {
        Run run(m_file);
        QVERIFY(run.trigger("layoutOne"));
        QCOMPARE(run.action("layoutReset").text(), QStringLiteral("&Reset One"));
        run.right->show();
        QVERIFY(run.trigger("layoutReset"));
        QVERIFY(!run.right->isVisible());
        // An own one keeps what it was saved with until its changes are saved.
        run.layouts->saveAs(QStringLiteral("A & B"));
        QCOMPARE(run.action("layoutReset").text(), QStringLiteral("&Reset A && B"));
        run.right->show();
        QVERIFY(run.trigger("layoutReset"));
        QVERIFY(!run.right->isVisible());
        run.right->show();
        QVERIFY(run.trigger("layoutSave"));
        run.right->hide();
        QVERIFY(run.trigger("layoutReset"));
        QVERIFY(run.right->isVisible());
    }

    void namesAreChecked_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("fits");
        QTest::newRow("plain") << QStringLiteral("Sound check") << true;
        QTest::newRow("none") << QString() << false;
        QTest::newRow("taken") << QStringLiteral("mine") << false;
        QTest::newRow("of a fixed one") << QStringLiteral("BOTH") << false;
        QTest::newRow("as long as may be") << QString(Layouts::LongestName, QLatin1Char('x')) << true;
        QTest::newRow("too long") << QString(Layouts::LongestName + 1, QLatin1Char('x')) << false;
        QTest::newRow("line end") << QStringLiteral("a\nb") << false;
    }
    void namesAreChecked() {
        QFETCH(QString, name);
        QFETCH(bool, fits);
        Run run(m_dir.filePath(QStringLiteral("names.ini")));
        if (run.names().isEmpty())
            run.layouts->saveAs(QStringLiteral("Mine"));
        QVERIFY(run.trigger("layoutSaveAs"));
        auto* dialog = run.window.findChild<QDialog*>(QStringLiteral("layoutName"));
        QVERIFY(dialog != nullptr);
        auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("layoutName.name"));
        line->setText(QStringLiteral("x"));
        line->setText(name);
        auto* accept = dialog->findChild<QPushButton*>(QStringLiteral("layoutName.accept"));
        if (name.contains(QLatin1Char('\n'))) { // a line edit takes none
            QVERIFY(!run.layouts->faultOf(name).isEmpty());
            return;
        }
        QCOMPARE(accept->isEnabled(), fits);
        QCOMPARE(run.layouts->faultOf(name).isEmpty(), fits);
        if (fits) {
            accept->click();
            QCOMPARE(run.names().last(), name);
            run.layouts->removeOwn(name);
        }
    }

    void renameAndDelete() {
        Run run(m_file);
        QVERIFY(!run.action("layoutRename").isEnabled()); // none of the user's is the current one
        run.layouts->saveAs(QStringLiteral("A"));
        run.layouts->saveAs(QStringLiteral("B"));
        run.layouts->rename(QStringLiteral("B"), QStringLiteral("a")); // taken
        QCOMPARE(run.names(), QStringList({"A", "B"}));
        run.layouts->rename(QStringLiteral("B"), QStringLiteral("C"));
        QCOMPARE(run.names(), QStringList({"A", "C"}));
        QCOMPARE(run.layouts->currentOwn(), QStringLiteral("C"));
        run.layouts->rename(QStringLiteral("C"), QStringLiteral("c")); // its own name is not in its way
        QVERIFY(run.trigger("layoutDelete"));
        QCOMPARE(run.names(), QStringList({"A"}));
        QVERIFY(run.layouts->currentOwn().isEmpty());
        // The notice takes it back.
        QCOMPARE(run.notices.live().size(), 1);
        const auto undo = run.notices.live().front().action;
        undo();
        QCOMPARE(run.names(), QStringList({"A", "c"}));
        QCOMPARE(run.layouts->currentOwn(), QStringLiteral("c"));
        QVERIFY(run.notices.live().isEmpty());
    }

    void thereAreNineAtMost() {
        Run run(m_file);
        for (int i = 0; i < 12; ++i)
            run.layouts->saveAs(QStringLiteral("L%1").arg(i));
        QCOMPARE(run.names().size(), Layouts::MostOwn);
        QVERIFY(!run.action("layoutSaveAs").isEnabled());
    }

    // Panels that are new since a layout was saved lie behind the one that they belong beside.
    void aPanelThatALayoutDoesNotKnowHasAPlace() {
        Run run(m_file);
        const QByteArray state = run.window.saveState(1);
        auto* fresh = new QDockWidget(QStringLiteral("Fresh"), &run.window);
        fresh->setObjectName(QStringLiteral("fresh"));
        fresh->setProperty(BesideProperty, QStringLiteral("left"));
        run.window.addDockWidget(Qt::BottomDockWidgetArea, fresh);
        QVERIFY(restoreLayout(run.window, state, 1));
        QVERIFY(!fresh->isFloating());
        QVERIFY(run.window.dockWidgetArea(fresh) != Qt::NoDockWidgetArea);
        fresh->show();
        QVERIFY(!fresh->isFloating());
        QVERIFY(run.window.tabifiedDockWidgets(run.left).contains(fresh));
    }
};

QTEST_MAIN(TestLayouts)
#include "tst_layouts.moc"
