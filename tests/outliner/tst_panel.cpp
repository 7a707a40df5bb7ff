// The outliner's filter line over a world: what completes, what a fault says, what is shown.

#include <QApplication>
#include <QLineEdit>
#include <QListView>
#include <QTreeView>
#include <QtTest>

#include "tests/outliner/outliner_fixture.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/filter_completer.h"
#include "widgets/outliner/entity_tree_model.h"

#include <memory>
#include <set>

using namespace sbx;
using namespace sbx::ui;

namespace {

struct Fixture : test::OutlinerFixture {
    Fixture()
        : OutlinerFixture("[Crate]\n[Crate.Mesh]\n[Crate.Health]\n[Bat]\n[Bat.Mesh]\n[Bat.Light]\n",
                          "[scene]\nname = \"S\"\n"
                          "[[entity]]\ntype = \"Crate\"\nname = \"a\"\n"
                          "[[entity]]\ntype = \"Crate\"\nname = \"b\"\n"
                          "[[entity]]\ntype = \"Bat\"\nname = \"hunter\"\n") {
        panel->resize(320, 400);
        panel->show();
        panel->filterBar().lineEdit().setFocus();
        qApp->setActiveWindow(panel.get());
        static_cast<void>(QTest::qWaitForWindowExposed(panel.get()));
    }
    void filter(const char* text) {
        panel->setFilterText(QLatin1String(text));
        turn();
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

    // As the console's select is: the same fields, and what they can be compared with.
    void itCompletesAsSelectDoes() {
        Fixture f;
        for (const char* typed : {"He", "Mesh.co", "en", "pos", "Mesh.material == ", "Spawner.type == ",
                                  "has:", "parent == ", "type in (", "has:Light and Li"}) {
            const std::string line = std::string("select ") + typed;
            std::set<std::string> selects;
            for (const CompletionCandidate& each : f.session.console().complete(line, line.size()).candidates)
                selects.insert(QString::fromStdString(each.text).trimmed().toStdString());
            std::set<std::string> outliners;
            for (const QString& each : f.offered(typed))
                outliners.insert(each.toStdString());
            QVERIFY2(!selects.empty() && selects == outliners, typed);
        }
    }

    void aFaultIsToldAndTheLastGoodFilterStays() {
        Fixture f;
        f.filter("type == Bat");
        QCOMPARE(f.panel->model().matchCount(), 1);
        f.filter("type = Crate");
        QVERIFY(f.panel->filterBar().problem().contains(QStringLiteral("did you mean ==?")));
        QCOMPARE(f.panel->model().matchCount(), 1);
        f.filter("Helth.current < 10");
        QVERIFY(f.panel->filterBar().problem().contains(QStringLiteral("did you mean Health.current?")));
        QCOMPARE(f.panel->model().matchCount(), 1);
        f.filter("type == Crate");
        QCOMPARE(f.panel->model().matchCount(), 2);
        QVERIFY(f.panel->filterBar().problem().isEmpty());
    }

    void aFilterThatWasInForceComesBack() {
        Fixture f;
        f.filter("type == Bat");
        QCOMPARE(f.panel->model().matchCount(), 1);
        QTest::keyClick(&f.edit(), Qt::Key_Return);
        f.filter("");
        QCOMPARE(f.panel->model().matchCount(), 3);
        QTest::keyClick(&f.edit(), Qt::Key_Up);
        QCOMPARE(f.edit().text(), QStringLiteral("type == Bat"));
    }

    // What comes to match is in sight, whatever it stands below; what stays keeps its place and the selection.
    void itFollowsWhatChanges() {
        Fixture f;
        QVERIFY(
            f.session.world().setParent(f.session.world().find("b").id(), f.session.world().find("a").id()));
        f.filter("Health.current <= 0.5");
        QCOMPARE(f.panel->model().matchCount(), 0);
        QWidget* const noMatch = f.panel->findChild<QWidget*>(QStringLiteral("outliner.noMatch"));
        QVERIFY(noMatch->isVisible());
        QVERIFY(f.session.execute("set b Health.current 0.25").ok);
        f.turn();
        QVERIFY(!noMatch->isVisible());
        const QPersistentModelIndex a = f.panel->model().indexOf("a");
        const QModelIndex b = f.panel->model().indexOf("b");
        QVERIFY(a.isValid() && b.parent() == a);
        QVERIFY(f.panel->view().isExpanded(a));
        QVERIFY(f.panel->view().visualRect(b).isValid());
        f.selection.setEntity("b", QStringLiteral("test"));
        QVERIFY(f.panel->view().selectionModel()->isSelected(f.panel->model().indexOf("b")));
        QVERIFY(f.session.execute("set a Health.current 0.5").ok);
        f.turn();
        QCOMPARE(f.panel->model().matchCount(), 2);
        QVERIFY(a.isValid());
        QVERIFY(f.panel->view().selectionModel()->isSelected(f.panel->model().indexOf("b")));
        QVERIFY(f.session.execute("set b Health.current 1").ok);
        f.turn();
        QCOMPARE(f.panel->model().matchCount(), 1);
        QCOMPARE(f.panel->model().rowCount(a), 0);
        QCOMPARE(f.selection.primary(), std::string("b")); // hidden, and selected still
        f.filter("");
        QVERIFY(f.panel->view().selectionModel()->isSelected(f.panel->model().indexOf("b")));
        QCOMPARE(f.session.snapshot()->matches, nullptr); // nobody asks any more
    }

    // Until the session has answered, what was found before stays.
    void aSlowAnswerIsWaitedFor() {
        Fixture f;
        f.filter("type == Bat");
        f.panel->setFilterText(QStringLiteral("type == Crate"));
        f.session.publish(); // it has not come to what was posted
        f.feed->poll();
        QCOMPARE(f.panel->model().matchCount(), 1);
        f.turn();
        QCOMPARE(f.panel->model().matchCount(), 2);
        // Cleared, all is shown at once.
        f.panel->setFilterText({});
        QCOMPARE(f.panel->model().matchCount(), 3);
        f.session.publish();
        f.feed->poll();
        QCOMPARE(f.panel->model().matchCount(), 3);
    }
};

QTEST_MAIN(TestPanel)
#include "tst_panel.moc"
