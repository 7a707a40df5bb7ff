// The outliner's filter line over a world: what completes, what a fault says, what is shown.

#include <QApplication>
#include <QLineEdit>
#include <QListView>
#include <QTreeView>
#include <QtTest>

#include "tests/session/project_in_memory.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/filter_completer.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/outliner/entity_tree_model.h"
#include "widgets/outliner/outliner_panel.h"

#include <memory>

using namespace sbx;
using namespace sbx::ui;

namespace {

struct Fixture {
    Log log;
    Session session{log};
    Theme theme;
    std::unique_ptr<SessionFeed> feed;
    Selection selection;
    std::unique_ptr<OutlinerPanel> panel;

    Fixture() {
        session.open(projectInMemory(session, "[Crate]\n[Crate.Mesh]\n[Bat]\n[Bat.Mesh]\n[Bat.Light]\n",
                                     "[scene]\nname = \"S\"\n"
                                     "[[entity]]\ntype = \"Crate\"\nname = \"a\"\n"
                                     "[[entity]]\ntype = \"Crate\"\nname = \"b\"\n"
                                     "[[entity]]\ntype = \"Bat\"\nname = \"hunter\"\n"));
        session.publish();
        theme.apply(*qApp);
        feed = std::make_unique<SessionFeed>(session);
        feed->poll();
        panel = std::make_unique<OutlinerPanel>(theme, *feed, selection);
        panel->resize(320, 400);
        panel->show();
        panel->filterBar().lineEdit().setFocus();
        qApp->setActiveWindow(panel.get());
        static_cast<void>(QTest::qWaitForWindowExposed(panel.get()));
    }
    QLineEdit& edit() { return panel->filterBar().lineEdit(); }
    FilterCompleter& completer() { return *panel->findChild<FilterCompleter*>(); }
    QStringList offered(const char* text) {
        edit().clear();
        QTest::keyClicks(&edit(), QLatin1String(text));
        completer().open();
        QStringList out;
        if (completer().isOpen())
            for (int row = 0; row < completer().list().model()->rowCount(); ++row)
                out.append(completer().list().model()->index(row, 0).data().toString().trimmed());
        completer().close();
        return out;
    }
};

} // namespace

class TestPanel : public QObject {
    Q_OBJECT

private slots:
    void theFilterCompletes() {
        Fixture f;
        QVERIFY(f.offered("ty").contains(QStringLiteral("type")));
        const QStringList types = f.offered("type == ");
        QVERIFY(types.contains(QStringLiteral("Bat")) && types.contains(QStringLiteral("Crate")));
        QCOMPARE(types.count(QStringLiteral("Crate")), 1);
        QVERIFY(f.offered("has:").contains(QStringLiteral("Light")));
        QVERIFY(f.offered("name ~ hu").contains(QStringLiteral("hunter")));
    }

    void aFaultIsToldAndTheLastGoodFilterStays() {
        Fixture f;
        f.panel->setFilterText(QStringLiteral("type == Bat"));
        QTRY_COMPARE(f.panel->model().matchCount(), 1);
        f.panel->setFilterText(QStringLiteral("type = Crate"));
        QTRY_VERIFY(f.panel->filterBar().problem().contains(QStringLiteral("did you mean ==?")));
        QCOMPARE(f.panel->model().matchCount(), 1);
        f.panel->setFilterText(QStringLiteral("type == Crate"));
        QTRY_COMPARE(f.panel->model().matchCount(), 2);
        QVERIFY(f.panel->filterBar().problem().isEmpty());
    }

    void aFilterThatWasInForceComesBack() {
        Fixture f;
        f.panel->setFilterText(QStringLiteral("type == Bat"));
        QTRY_COMPARE(f.panel->model().matchCount(), 1);
        QTest::keyClick(&f.edit(), Qt::Key_Return);
        f.panel->setFilterText({});
        QTRY_COMPARE(f.panel->model().matchCount(), 3);
        QTest::keyClick(&f.edit(), Qt::Key_Up);
        QCOMPARE(f.edit().text(), QStringLiteral("type == Bat"));
    }
};

QTEST_MAIN(TestPanel)
#include "tst_panel.moc"
