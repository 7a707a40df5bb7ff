// The tree of the definition panel on its real parts: what is done to its rows, what the text says afterwards, and what undo brings back.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTreeView>
#include <QtTest>

#include "tests/definition_panel/panel_fixture.h"
#include "widgets/common/field_editor.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/name_guard.h"
#include "widgets/definition/outline_delegate.h"

using namespace sbx;
using namespace sbx::ui;

namespace {

using Kind = definition::OutlineNode::Kind;

struct TreeFixture : PanelFixture {
    explicit TreeFixture(const std::string& entities = Entities)
        : PanelFixture(entities),
          tree(panel->outline()),
          view(tree.view()),
          refusals(panel.get(), &DefinitionPanel::problem) {
        panel->activateWindow();
        if (!QTest::qWaitForWindowActive(panel.get()))
            qFatal("the panel's window does not become active");
        settle();
        sync();
    }
    // The rows are those of the text as it is now.
    void sync() { emit tree.refreshNeeded(); }
    QModelIndex row(const QStringList& names) {
        QModelIndex at;
        for (const QString& name : names) {
            QModelIndex found;
            for (int i = 0; i < view.model()->rowCount(at); ++i)
                if (const QModelIndex child = view.model()->index(i, 0, at);
                    child.data(Qt::EditRole).toString() == name && !found.isValid())
                    found = child;
            if (!found.isValid())
                return {};
            at = found;
        }
        return at;
    }
    bool pick(const QStringList& names) {
        const QModelIndex index = row(names);
        view.setCurrentIndex(index);
        view.setFocus();
        QCoreApplication::processEvents(); // what can be done with that row is known
        return index.isValid();
    }
    // As the palette and the shortcut do it; a refused one is an error here.
    std::string run(const char* action) {
        actions.refresh();
        const Result<void> done = actions.trigger(QLatin1String("definition.tree.") + QLatin1String(action));
        return done ? std::string() : done.error().message;
    }
    QString refused() { return refusals.isEmpty() ? QString() : refusals.takeLast().front().toString(); }
    // Puts the open editor away, which enters its value.
    void leave() {
        view.setFocus();
        QTRY_VERIFY(tree.delegate().editor() == nullptr);
        QCoreApplication::processEvents();
    }
    // Undo gives the bytes back.
    bool undoes(const std::string& before, const char* file = "entities.toml") {
        document.undoStack().undo();
        sync();
        return text(file) == before;
    }
    void enterName(const QString& name) {
        auto* line = view.findChild<QLineEdit*>(QStringLiteral("definition.tree.name"));
        QVERIFY(line != nullptr);
        line->selectAll();
        QTest::keyClicks(line, name);
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY(tree.delegate().editor() == nullptr);
    }
    std::string replaced(std::string text, const std::string& from, const std::string& to) {
        const std::size_t at = text.find(from);
        return at == std::string::npos ? "not there: " + from : text.replace(at, from.size(), to);
    }

    OutlineTree& tree;
    QTreeView& view;
    QSignalSpy refusals;
};

} // namespace

#define SAME(actual, expected)                                                                               \
    do {                                                                                                     \
        const std::string a = (actual);                                                                      \
        const std::string e = (expected);                                                                    \
        QVERIFY2(a == e, ("got:\n" + a + "\nwanted:\n" + e).c_str());                                        \
    } while (false)

class TestTree : public QObject {
    Q_OBJECT

private slots:
    void setsANumberInPlace();
    void setsEachNumberOfAValueThatIsNotWritten();
    void setsEachKindOfValue();
    void setsWhatIsNoKnownField();
    void refusesAValueThatIsNone();
    void showsDefaultsAndSetsOne();
    void deletesAKeyAComponentAType();
    void asksBeforeATypeGoesThatIsUsed();
    void addsATypeAndNamesIt();
    void renamesATypeEverywhere();
    void addsComponentsAndKeys();
    void setsMissingAndAllDefaults();
    void movesWithTheKeys();
    void dragsComponents();
    void dragsTypesAndToAnotherFile();
    void copiesAndPastes();
    void duplicates();
    void editsAScene();
    void editsTheProject();
    void severalOfOneName();
    void marksFaultyRowsAndFixesThem();
    void theMenuNamesTheRow();
    void keepsTheRowsOfABrokenText();
    void keepsPlaceThroughEdits();
    void oddTables();
    void windowsLineEndsStay();
    void longScenesStayQuick();
    void actionsAreKnown();
};

// A key that gets written stands in another row. All numbers are entered before, whatever time they take.
void TestTree::setsEachNumberOfAValueThatIsNotWritten() {
    TreeFixture f;
    const std::string before = f.text();
    QVERIFY(f.run("defaults").empty());
    f.sync();
    QVERIFY(f.pick({QStringLiteral("Crate"), QStringLiteral("Body"), QStringLiteral("size")}));
    f.tree.editCurrent();
    QVERIFY(f.tree.delegate().editor() != nullptr);
    const char* const typed[] = {"0.8", "0.3", "2"};
    const char* const names[] = {"input.x", "input.y", "input.z"};
    for (int i = 0; i < 3; ++i) {
        auto* line = f.tree.delegate().editor()->findChild<QLineEdit*>(QLatin1String(names[i]));
        QVERIFY(line != nullptr);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, QLatin1String(typed[i]));
        if (i < 2) {
            QTest::keyClick(line, Qt::Key_Tab);
            f.settle();
            QVERIFY(f.tree.delegate().editor() != nullptr);
            SAME(f.text(), before);
        } else {
            QTest::keyClick(line, Qt::Key_Return);
        }
    }
    QTRY_VERIFY(f.tree.delegate().editor() == nullptr);
    QTRY_VERIFY(f.text() != before);
    QVERIFY2(f.text().find("size = [0.8, 0.3, 2.0]") != std::string::npos, f.text().c_str());
    QVERIFY(f.text().find("shape = \"box\"") != std::string::npos);
    QCOMPARE(f.document.undoStack().count(), 1);
    f.sync();
    // The keys go on from the same key.
    QTRY_COMPARE(f.view.currentIndex().siblingAtColumn(0).data().toString(), QStringLiteral("size"));
    QVERIFY(f.undoes(before));
}

void TestTree::setsANumberInPlace() {
    TreeFixture f;
    const QAbstractItemModelTester tester(&f.tree.model());
    const std::string before = f.text();
    QVERIFY(f.pick({QStringLiteral("Heavy"), QStringLiteral("Body"), QStringLiteral("mass")}));
    QTest::keyClick(&f.view, Qt::Key_Return);
    auto* editor = qobject_cast<FieldEditor*>(f.tree.delegate().editor());
    QVERIFY(editor != nullptr);
    QCOMPARE(editor->field().name, std::string("mass"));
    QCOMPARE(std::get<double>(editor->value()), 50.0);
    auto* line = editor->findChild<QLineEdit*>();
    QVERIFY(line != nullptr);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("72.5"));
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_VERIFY(f.tree.delegate().editor() == nullptr);
    QTRY_VERIFY(f.view.hasFocus());
    QTRY_VERIFY(f.text() != before);
    SAME(f.text(), f.replaced(before, "mass = 50.0", "mass = 72.5"));
    SAME(f.shown(), f.text());
    QCOMPARE(f.document.undoStack().count(), 1);
    f.sync();
    QCOMPARE(f.row({QStringLiteral("Heavy"), QStringLiteral("Body"), QStringLiteral("mass")})
                 .siblingAtColumn(1)
                 .data()
                 .toString(),
             QStringLiteral("72.5"));
    f.settle();
    QCOMPARE(f.project.content()->definitions->find("Heavy")->find("Body")->find("mass")->value, Value(72.5));
    QVERIFY(f.undoes(before));
    // Esc leaves everything, and the keys go on in the tree wherever they were before.
    f.panel->editor().setFocus();
    f.tree.editCurrent();
    QVERIFY(f.tree.delegate().editor() != nullptr);
    line = f.tree.delegate().editor()->findChild<QLineEdit*>();
    line->setFocus();
    QTest::keyClicks(line, QStringLiteral("9"));
    QTest::keyClick(line, Qt::Key_Escape);
    QTRY_VERIFY(f.tree.delegate().editor() == nullptr);
    QTRY_VERIFY(f.view.hasFocus());
    SAME(f.text(), before);
}

void TestTree::setsEachKindOfValue() {
    TreeFixture f("[Crate]\ncolor = [1.0, 0.0, 0.0, 1.0]\n[Crate.Body]\nshape = \"box\"\ntrigger = "
                  "false\nsize = [1.0, 1.0, 1.0]\n"
                  "[Crate.Sound]\nfile = \"a.wav\"\n");
    const auto editorOf = [&](const QStringList& names) {
        f.pick(names);
        f.tree.editCurrent();
        return qobject_cast<FieldEditor*>(f.tree.delegate().editor());
    };
    for (const auto& [names, type] : std::vector<std::pair<QStringList, FieldType>>{
             {{QStringLiteral("Crate"), QStringLiteral("color")}, FieldType::Color},
             {{QStringLiteral("Crate"), QStringLiteral("Body"), QStringLiteral("shape")}, FieldType::Enum},
             {{QStringLiteral("Crate"), QStringLiteral("Body"), QStringLiteral("trigger")}, FieldType::Bool},
             {{QStringLiteral("Crate"), QStringLiteral("Body"), QStringLiteral("size")}, FieldType::Vector3},
             {{QStringLiteral("Crate"), QStringLiteral("Sound"), QStringLiteral("file")},
              FieldType::String}}) {
        FieldEditor* editor = editorOf(names);
        QVERIFY2(editor != nullptr, qPrintable(names.join(QLatin1Char('.'))));
        QCOMPARE(editor->field().type, type);
        QVERIFY(editor->problem().isEmpty());
        // It lies inside of the tree, whatever it needs.
        QVERIFY(f.view.viewport()->rect().contains(editor->geometry()));
        QTest::keyClick(&f.view, Qt::Key_Escape);
        f.view.setFocus();
        QTRY_VERIFY(f.tree.delegate().editor() == nullptr);
    }
    // What an editor sends is written as that type's text.
    const std::string before = f.text();
    FieldEditor* editor =
        editorOf({QStringLiteral("Crate"), QStringLiteral("Body"), QStringLiteral("trigger")});
    emit editor->edited(Value(true), true);
    f.leave();
    SAME(f.text(), f.replaced(before, "trigger = false", "trigger = true"));
    f.view.setFocus();
    QTRY_VERIFY(f.tree.delegate().editor() == nullptr);
    f.sync();
    editor = editorOf({QStringLiteral("Crate"), QStringLiteral("Body"), QStringLiteral("size")});
    emit editor->edited(Value(Vec3(1.0F, 2.0F, 3.0F)), false); // the drag goes on
    SAME(f.text(), f.replaced(before, "trigger = false", "trigger = true"));
    emit editor->edited(Value(Vec3(1.0F, 2.0F, 3.0F)), true);
    f.leave();
    QVERIFY(f.text().find("size = [1.0, 2.0, 3.0]\n") != std::string::npos);
    QCOMPARE(f.document.undoStack().count(), 2);
}

void TestTree::setsWhatIsNoKnownField() {
    TreeFixture f("[Crate]\nodd = 1\n");
    QVERIFY(f.pick({QStringLiteral("Crate"), QStringLiteral("odd")}));
    f.tree.editCurrent();
    auto* line = qobject_cast<QLineEdit*>(f.tree.delegate().editor());
    QVERIFY(line != nullptr);
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("[1, 2]"));
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_VERIFY(f.tree.delegate().editor() == nullptr);
    SAME(f.text(), "[Crate]\nodd = [1, 2]\n");
}

void TestTree::refusesAValueThatIsNone() {
    TreeFixture f("[Crate]\nodd = 1\n");
    QVERIFY(f.pick({QStringLiteral("Crate"), QStringLiteral("odd")}));
    f.tree.editCurrent();
    auto* line = qobject_cast<QLineEdit*>(f.tree.delegate().editor());
    QVERIFY(line != nullptr);
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("1\" = 2"));
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_VERIFY(f.tree.delegate().editor() == nullptr);
    SAME(f.text(), "[Crate]\nodd = 1\n");
    QVERIFY(f.refused().contains(QStringLiteral("cannot stand here")));
}

void TestTree::showsDefaultsAndSetsOne() {
    TreeFixture f;
    const QAbstractItemModelTester tester(&f.tree.model());
    const QStringList restitution{QStringLiteral("Heavy"), QStringLiteral("Body"),
                                  QStringLiteral("restitution")};
    QVERIFY(!f.row(restitution).isValid());
    QVERIFY(f.run("defaults").empty());
    QVERIFY(f.tree.showsDefaults());
    const QModelIndex grey = f.row(restitution);
    QVERIFY(grey.isValid());
    QVERIFY(!grey.data(OutlineModel::WrittenRole).toBool());
    QVERIFY(grey.data(Qt::FontRole).value<QFont>().italic());
    QVERIFY(grey.siblingAtColumn(1).data(Qt::ToolTipRole).toString().contains(QStringLiteral("default")));
    // What the base says is told as such, and so is a component of the base.
    const QModelIndex shape =
        f.row({QStringLiteral("Heavy"), QStringLiteral("Body"), QStringLiteral("shape")});
    QCOMPARE(shape.siblingAtColumn(1).data().toString(), QStringLiteral("\"box\""));
    QVERIFY(shape.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Crate")));
    QVERIFY(f.row({QStringLiteral("Heavy"), QStringLiteral("Health"), QStringLiteral("maximum")}).isValid());
    QVERIFY(
        !f.row({QStringLiteral("Heavy"), QStringLiteral("Health")}).data(OutlineModel::WrittenRole).toBool());

    const std::string before = f.text();
    QVERIFY(f.pick(restitution));
    f.tree.editCurrent();
    auto* editor = qobject_cast<FieldEditor*>(f.tree.delegate().editor());
    QVERIFY(editor != nullptr);
    QCOMPARE(editor->origin(), FieldOrigin::Default);
    emit editor->edited(Value(0.25), true);
    f.leave();
    SAME(f.text(), f.replaced(before, "mass = 50.0\n", "mass = 50.0\nrestitution = 0.25\n"));
    f.view.setFocus();
    QTRY_VERIFY(f.tree.delegate().editor() == nullptr);
    f.sync();
    QVERIFY(f.row(restitution).data(OutlineModel::WrittenRole).toBool());
    // And out again: the row stays, grey.
    QVERIFY(f.pick(restitution));
    QVERIFY(f.run("delete").empty());
    SAME(f.text(), before);
    QVERIFY(f.row(restitution).isValid());
    QVERIFY(!f.row(restitution).data(OutlineModel::WrittenRole).toBool());
    // What is not written cannot be deleted.
    QVERIFY(f.pick(restitution));
    QVERIFY(!f.run("delete").empty());
    f.tree.setShowsDefaults(false);
    QVERIFY(!f.row(restitution).isValid());
    SAME(f.text(), before);
}

void TestTree::deletesAKeyAComponentAType() {
    TreeFixture f;
    const std::string before = f.text();
    QVERIFY(f.pick({QStringLiteral("Crate"), QStringLiteral("Body"), QStringLiteral("mass")}));
    QTest::keyClick(&f.view, Qt::Key_Delete);
    SAME(f.text(), f.replaced(before, "mass = 5.0\n", ""));
    QVERIFY(f.undoes(before));
    QVERIFY(f.pick({QStringLiteral("Crate"), QStringLiteral("Health")}));
    QTest::keyClick(&f.view, Qt::Key_Delete);
    SAME(f.text(), f.replaced(before, "[Crate.Health]\nmaximum = 40\n\n", ""));
    QVERIFY(f.undoes(before));
    f.change("type = \"Heavy\"", "type = \"Crate\"", "yard.scene.toml");
    QVERIFY(f.pick({QStringLiteral("Heavy")}));
    QTest::keyClick(&f.view, Qt::Key_Delete);
    SAME(f.text(), before.substr(0, before.find("\n[Heavy]")));
    QVERIFY(f.undoes(before));
}

void TestTree::asksBeforeATypeGoesThatIsUsed() {
    TreeFixture f;
    const std::string before = f.text();
    QVERIFY(f.pick({QStringLiteral("Crate")}));
    QVERIFY(f.run("delete").empty());
    auto* menu = f.tree.findChild<QMenu*>(QStringLiteral("definition.deleteMenu"));
    QVERIFY(menu != nullptr);
    QCOMPARE(menu->findChild<QAction*>(QStringLiteral("delete.question"))->text(),
             QStringLiteral("Crate is used: 1 entity is of it, 1 type extends it"));
    QCOMPARE(menu->activeAction()->objectName(), QStringLiteral("delete.keep")); // what Enter takes
    SAME(f.text(), before);
    menu->close();
    QTRY_VERIFY(f.tree.findChild<QMenu*>(QStringLiteral("definition.deleteMenu")) == nullptr);
    SAME(f.text(), before);
    QVERIFY(f.run("delete").empty());
    menu = f.tree.findChild<QMenu*>(QStringLiteral("definition.deleteMenu"));
    QVERIFY(menu != nullptr);
    menu->findChild<QAction*>(QStringLiteral("delete.confirm"))->trigger();
    menu->close();
    QVERIFY(f.text().find("[Crate]") == std::string::npos && f.text().find("[Heavy]") != std::string::npos);
    QVERIFY(f.undoes(before));
}

void TestTree::addsATypeAndNamesIt() {
    TreeFixture f;
    const std::string before = f.text();
    QVERIFY(f.pick({QStringLiteral("Crate")}));
    QVERIFY(f.run("add").empty());
    auto* menu = f.tree.findChild<QMenu*>(QStringLiteral("definition.addMenu"));
    QVERIFY(menu != nullptr);
    menu->findChild<QAction*>(QStringLiteral("add.extending"))->trigger();
    menu->close();
    SAME(f.text(), before + "\n[Crate_2]\nextends = \"Crate\"\n");
    QCOMPARE(f.tree.current().owner, std::string("Crate_2"));
    f.enterName(QStringLiteral("Big-Crate"));
    SAME(f.text(), before + "\n[Big-Crate]\nextends = \"Crate\"\n");
    QCOMPARE(f.tree.current().owner, std::string("Big-Crate"));
    QVERIFY(f.document.undoStack().count() == 2);
    f.document.undoStack().undo();
    QVERIFY(f.undoes(before));
    // A name that is none leaves everything, and stays in its line with the reason and a name that could be taken.
    QVERIFY(f.pick({QStringLiteral("Heavy")}));
    const auto type = [&f](const QString& name) -> QLineEdit* {
        f.tree.editCurrent();
        // Not by its name: an editor that was closed before may still wait to be deleted.
        auto* line = qobject_cast<QLineEdit*>(f.tree.delegate().editor());
        if (line == nullptr)
            return nullptr;
        line->selectAll();
        QTest::keyClicks(line, name);
        QTest::keyClick(line, Qt::Key_Return);
        return line;
    };
    QLineEdit* line = type(QStringLiteral("big crate\" ]"));
    QVERIFY(line != nullptr && f.tree.delegate().editor() == line);
    QCOMPARE(line->text(), QStringLiteral("big crate\" ]"));
    const NameGuard* guard = NameGuard::of(line);
    QVERIFY(guard->isRefused());
    QVERIFY2(guard->refusal().reason.contains(QStringLiteral("cannot name an entity type")), qPrintable(guard->refusal().reason));
    QCOMPARE(guard->refusal().offered, QStringLiteral("big_crate"));
    SAME(f.text(), before);
    f.view.setFocus(); // the text survives that the focus leaves
    QCoreApplication::processEvents();
    QVERIFY(f.tree.delegate().editor() == line);
    line->setFocus();
    QTest::keyClick(line, Qt::Key_Escape);
    QTRY_VERIFY(f.tree.delegate().editor() == nullptr);
    SAME(f.text(), before);
    line = type(QStringLiteral("Crate"));
    QVERIFY(line != nullptr && f.tree.delegate().editor() == line);
    QVERIFY(NameGuard::of(line)->refusal().reason.contains(QStringLiteral("already")));
    QTest::keyClick(line, Qt::Key_Return, Qt::AltModifier);
    QTRY_VERIFY(f.tree.delegate().editor() == nullptr);
    SAME(f.text(), f.replaced(f.replaced(before, "[Heavy]", "[Crate_2]"), "[Heavy.Body]", "[Crate_2.Body]"));
}

void TestTree::renamesATypeEverywhere() {
    TreeFixture f;
    const std::string before = f.text();
    const std::string scene = f.text("yard.scene.toml");
    QVERIFY(f.pick({QStringLiteral("Crate")}));
    QTest::keyClick(&f.view, Qt::Key_F2);
    f.enterName(QStringLiteral("Box_2"));
    QVERIFY(f.text().find("Crate") == std::string::npos);
    QVERIFY(f.text().find("[Box_2.Health]") != std::string::npos
            && f.text().find("extends = \"Box_2\"") != std::string::npos);
    SAME(f.text("yard.scene.toml"), f.replaced(scene, "\"Crate\"", "\"Box_2\""));
    f.settle();
    QVERIFY(f.project.isCurrent());
    QCOMPARE(f.document.undoStack().count(), 1); // one step over both files
    QVERIFY(f.undoes(before));
    SAME(f.text("yard.scene.toml"), scene);
}

void TestTree::addsComponentsAndKeys() {
    TreeFixture f;
    const std::string before = f.text();
    QVERIFY(f.pick({QStringLiteral("Heavy")}));
    const std::vector<ComponentChoice> choices = f.panel->componentChoices();
    const auto choice = [&](const char* name) {
        return std::find_if(choices.begin(), choices.end(),
                            [&](const ComponentChoice& c) { return c.name == QLatin1String(name); });
    };
    QVERIFY(choice("Light") != choices.end() && choice("Light")->reason.isEmpty());
    QVERIFY(!choice("Body")->reason.isEmpty()); // it comes from Crate
    f.panel->addComponent(QStringLiteral("Light"));
    SAME(f.text(), before + "[Heavy.Light]\n");
    QCOMPARE(f.tree.current().component, std::string("Light"));
    QVERIFY(f.undoes(before));
    f.panel->addComponent(QStringLiteral("Nothing"));
    SAME(f.text(), before);
    QVERIFY(f.refused().contains(QStringLiteral("no component Nothing")));
    // A key of a component: those it does not have.
    QVERIFY(f.pick({QStringLiteral("Heavy"), QStringLiteral("Body")}));
    QMenu menu;
    f.tree.fillAddMenu(menu);
    QStringList keys;
    QAction* friction = nullptr;
    for (QAction* action : menu.findChild<QMenu*>(QStringLiteral("add.keys"))->actions()) {
        keys << action->text();
        if (action->text() == QStringLiteral("friction"))
            friction = action;
    }
    QVERIFY(!keys.contains(QStringLiteral("mass")) && friction != nullptr
            && keys.contains(QStringLiteral("enabled")));
    friction->trigger();
    QVERIFY(f.text().starts_with(before + "friction = "));
    QCOMPARE(f.tree.current().key, std::string("friction"));
    QVERIFY(f.tree.delegate().editor() != nullptr); // its value is the next thing to say
    f.settle();
    QVERIFY(f.project.isCurrent());
}

void TestTree::setsMissingAndAllDefaults() {
    TreeFixture f;
    const std::string before = f.text();
    QVERIFY(f.pick({QStringLiteral("Heavy"), QStringLiteral("Body")}));
    QVERIFY(f.run("setMissing").empty());
    QVERIFY(f.text().starts_with(before));
    QVERIFY(f.text().find("shape = \"box\"\n", before.size()) != std::string::npos); // what the base says
    QVERIFY(f.text().find("mass", before.size()) == std::string::npos);
    f.settle();
    QVERIFY(f.project.isCurrent());
    QCOMPARE(f.document.undoStack().count(), 1);
    QVERIFY(f.undoes(before));
    QVERIFY(f.pick({QStringLiteral("Heavy"), QStringLiteral("Body")}));
    QVERIFY(f.run("setDefaults").empty());
    QVERIFY(f.text().find("mass = 50.0") == std::string::npos);
    f.settle();
    QVERIFY(f.project.isCurrent());
    QVERIFY(f.undoes(before));
}

void TestTree::movesWithTheKeys() {
    TreeFixture f;
    const std::string before = f.text();
    QVERIFY(f.pick({QStringLiteral("Crate"), QStringLiteral("Body")}));
    QTest::keyClick(&f.view, Qt::Key_Down, Qt::AltModifier);
    QVERIFY(
        f.text().find(
            "[Crate.Health]\nmaximum = 40\n\n[Crate.Body]\nshape = \"box\" # ümlaut\nmass = 5.0\n\n[Heavy]")
        != std::string::npos);
    QCOMPARE(f.tree.current().component, std::string("Body"));
    QTest::keyClick(&f.view, Qt::Key_Down, Qt::AltModifier); // there is nothing below
    QTest::keyClick(&f.view, Qt::Key_Up, Qt::AltModifier);
    SAME(f.text(), before);
    QVERIFY(f.pick({QStringLiteral("Heavy")}));
    QTest::keyClick(&f.view, Qt::Key_Up, Qt::AltModifier);
    QVERIFY2(f.text().starts_with(
                 "# Äpfel und Kisten\n[Heavy]\nextends = \"Crate\"\n[Heavy.Body]\nmass = 50.0\n\n[Crate]\n"),
             f.text().c_str());
    QTest::keyClick(&f.view, Qt::Key_Down, Qt::AltModifier);
    SAME(f.text(), before);
}

void TestTree::dragsComponents() {
    TreeFixture f;
    const std::string before = f.text();
    QAbstractItemModel& model = *f.view.model();
    const QModelIndex crate = f.row({QStringLiteral("Crate")});
    const auto drag = [&](const QStringList& what, Qt::DropAction action, int row, const QModelIndex& onto) {
        const std::unique_ptr<QMimeData> data(model.mimeData({f.row(what)}));
        const int column = row < 0 ? -1 : 0; // -1: onto the row itself
        return model.canDropMimeData(data.get(), action, row, column, onto)
               && model.dropMimeData(data.get(), action, row, column, onto);
    };
    const QStringList health{QStringLiteral("Crate"), QStringLiteral("Health")};
    QVERIFY((f.row(health).flags() & Qt::ItemIsDragEnabled) != 0);
    QVERIFY((f.row({QStringLiteral("Crate"), QStringLiteral("doc")}).flags() & Qt::ItemIsDragEnabled) == 0);
    // The row that leaves the panel is text.
    const std::unique_ptr<QMimeData> data(model.mimeData({f.row(health)}));
    QCOMPARE(data->text(), QStringLiteral("[Crate.Health]\nmaximum = 40\n"));
    // Before Body, which is the row behind `doc`.
    QVERIFY(drag(health, Qt::MoveAction, 1, crate));
    QVERIFY2(f.text().find("doc = \"A box.\"\n\n[Crate.Health]\nmaximum = 40\n\n[Crate.Body]")
                 != std::string::npos,
             f.text().c_str());
    QVERIFY(f.undoes(before));
    // Onto another type, with Ctrl and without.
    QVERIFY(drag(health, Qt::CopyAction, -1, f.row({QStringLiteral("Heavy")})));
    SAME(f.text(), before + "[Heavy.Health]\nmaximum = 40\n");
    QVERIFY(f.undoes(before));
    f.view.collapseAll();
    QVERIFY(drag(health, Qt::MoveAction, -1, f.row({QStringLiteral("Heavy")})));
    // The type that it went into is open, with the row in sight, chosen and framed for a moment.
    const QModelIndex arrived = f.row({QStringLiteral("Heavy"), QStringLiteral("Health")});
    QVERIFY(f.view.isExpanded(f.row({QStringLiteral("Heavy")})));
    QCOMPARE(f.view.currentIndex().siblingAtColumn(0), arrived);
    QCOMPARE(f.tree.delegate().flashed().siblingAtColumn(0), arrived);
    QTRY_VERIFY_WITH_TIMEOUT(!f.tree.delegate().flashed().isValid(), 5000);
    SAME(f.text(),
         f.replaced(before, "[Crate.Health]\nmaximum = 40\n\n", "") + "[Heavy.Health]\nmaximum = 40\n");
    QVERIFY(f.undoes(before));
    // It has one already.
    QVERIFY(drag({QStringLiteral("Crate"), QStringLiteral("Body")}, Qt::MoveAction, -1,
                 f.row({QStringLiteral("Heavy")})));
    SAME(f.text(), before);
    QVERIFY(f.refused().contains(QStringLiteral("Heavy has a component Body already")));
    // Not between types.
    QVERIFY(!drag(health, Qt::MoveAction, 0, {}));
}

void TestTree::dragsTypesAndToAnotherFile() {
    TreeFixture f;
    const std::string before = f.text();
    QAbstractItemModel& model = *f.view.model();
    {
        const std::unique_ptr<QMimeData> data(model.mimeData({f.row({QStringLiteral("Crate")})}));
        QVERIFY(model.dropMimeData(data.get(), Qt::MoveAction, 2, 0, {}));
    }
    QVERIFY2(f.text().starts_with("# Äpfel und Kisten\n[Heavy]\n")
                 && f.text().ends_with("[Crate.Health]\nmaximum = 40\n"),
             f.text().c_str());
    QVERIFY(f.undoes(before));
    f.write("more.toml", "# more\r\n");
    f.change("[\"entities.toml\"]", "[\"entities.toml\", \"more.toml\"]", "project.toml");
    f.settle();
    QVERIFY(f.document.contains("more.toml"));
    f.sync();
    QVERIFY(f.tree.edits().moveTypeTo("Heavy", "more.toml"));
    SAME(f.text("more.toml"),
         "# more\r\n\r\n[Heavy]\r\nextends = \"Crate\"\r\n[Heavy.Body]\r\nmass = 50.0\r\n");
    SAME(f.text(), before.substr(0, before.find("\n[Heavy]")));
    QVERIFY(f.undoes(before));
    SAME(f.text("more.toml"), "# more\r\n");
    QVERIFY(!f.tree.edits().moveTypeTo("Heavy", "nowhere.toml"));
}

void TestTree::copiesAndPastes() {
    TreeFixture f;
    const std::string before = f.text();
    QVERIFY(f.pick({QStringLiteral("Crate"), QStringLiteral("Health")}));
    QVERIFY(f.run("copy").empty());
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("[Crate.Health]\nmaximum = 40\n"));
    QVERIFY(f.pick({QStringLiteral("Heavy")}));
    QVERIFY(f.run("paste").empty());
    SAME(f.text(), before + "[Heavy.Health]\nmaximum = 40\n");
    QVERIFY(f.undoes(before));
    QVERIFY(f.pick({QStringLiteral("Crate"), QStringLiteral("Body"), QStringLiteral("shape")}));
    QVERIFY(f.run("copy").empty());
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("shape = \"box\" # ümlaut\n"));
    QVERIFY(f.pick({QStringLiteral("Heavy"), QStringLiteral("Body")}));
    QVERIFY(f.run("paste").empty());
    SAME(f.text(), before + "shape = \"box\"\n");
    QVERIFY(f.undoes(before));
    QVERIFY(f.pick({QStringLiteral("Heavy")}));
    QVERIFY(f.run("copy").empty());
    QVERIFY(f.run("paste").empty());
    SAME(f.text(), before + "\n[Heavy_2]\nextends = \"Crate\"\n[Heavy_2.Body]\nmass = 50.0\n");
    QVERIFY(f.undoes(before));
    QVERIFY(f.pick({QStringLiteral("Crate"), QStringLiteral("Health")}));
    QVERIFY(f.run("cut").empty());
    SAME(f.text(), f.replaced(before, "[Crate.Health]\nmaximum = 40\n\n", ""));
    QVERIFY(f.undoes(before));
    QApplication::clipboard()->setText(QStringLiteral("Dear reader"));
    QVERIFY(f.pick({QStringLiteral("Heavy")}));
    QVERIFY(f.run("paste").empty());
    SAME(f.text(), before);
    QVERIFY(!f.refused().isEmpty());
}

void TestTree::duplicates() {
    TreeFixture f;
    const std::string before = f.text();
    QVERIFY(f.pick({QStringLiteral("Heavy")}));
    QTest::keyClick(&f.view, Qt::Key_D, Qt::ControlModifier);
    SAME(f.text(), before + "\n[Heavy_2]\nextends = \"Crate\"\n[Heavy_2.Body]\nmass = 50.0\n");
    QCOMPARE(f.tree.current().owner, std::string("Heavy_2"));
    QVERIFY(f.tree.delegate().editor() != nullptr);
}

void TestTree::editsAScene() {
    TreeFixture f;
    f.panel->setFile(QStringLiteral("yard.scene.toml"));
    f.sync();
    const std::string before = f.text("yard.scene.toml");
    QVERIFY(f.pick({QStringLiteral("box_1"), QStringLiteral("position")}));
    f.tree.editCurrent();
    auto* editor = qobject_cast<FieldEditor*>(f.tree.delegate().editor());
    QVERIFY(editor != nullptr);
    emit editor->edited(Value(Vec3(1.0F, 2.0F, 3.0F)), true);
    f.leave();
    SAME(f.text("yard.scene.toml"), f.replaced(before, "[0.0, 5.0, 0.0]", "[1.0, 2.0, 3.0]"));
    QVERIFY(f.undoes(before, "yard.scene.toml"));
    f.view.setFocus();
    QVERIFY(f.pick({QStringLiteral("box_1")}));
    f.tree.editCurrent();
    f.enterName(QStringLiteral("first"));
    SAME(f.text("yard.scene.toml"), f.replaced(before, "box_1", "first"));
    QVERIFY(f.undoes(before, "yard.scene.toml"));
    TreePlace body{Kind::Component, Kind::Instance, "box_2", "Body", 0, {}, true};
    QVERIFY(f.tree.edits().addKey(body, "mass"));
    SAME(f.text("yard.scene.toml"), before + "[entity.Body]\nmass = 50.0\n");
    QVERIFY(f.tree.edits().remove(body));
    SAME(f.text("yard.scene.toml"), before);
    QVERIFY(f.tree.edits().remove({Kind::Instance, Kind::Instance, "box_2", {}, 0, {}, true}));
    QVERIFY(f.text("yard.scene.toml").find("box_2") == std::string::npos);
    QVERIFY(!f.tree.edits().addType({}));
}

void TestTree::editsTheProject() {
    TreeFixture f;
    f.panel->setFile(QStringLiteral("project.toml"));
    f.sync();
    const std::string before = f.text("project.toml");
    QVERIFY(f.pick({QStringLiteral("project"), QStringLiteral("name")}));
    f.tree.editCurrent();
    auto* editor = qobject_cast<FieldEditor*>(f.tree.delegate().editor());
    QVERIFY(editor != nullptr);
    emit editor->edited(Value(std::string("Back \"yard\"")), true);
    f.leave();
    SAME(f.text("project.toml"), f.replaced(before, "\"Yard\"", "\"Back \\\"yard\\\"\""));
    QVERIFY(f.undoes(before, "project.toml"));
    QVERIFY(f.pick({QStringLiteral("project")}));
    QVERIFY(f.run("delete").empty());
    SAME(f.text("project.toml"), before);
    QVERIFY(f.refused().contains(QStringLiteral("stays")));
}

void TestTree::severalOfOneName() {
    const std::string text = "[Bat]\n[[Bat.Sound]]\nfile = \"a.wav\"\n[[Bat.Sound]]\nfile = \"b.wav\"\n";
    TreeFixture f(text);
    const QModelIndex bat = f.row({QStringLiteral("Bat")});
    QCOMPARE(f.view.model()->rowCount(bat), 2);
    const QModelIndex second = f.view.model()->index(1, 0, bat);
    const TreePlace file = f.tree.model().placeOf(
        static_cast<QAbstractProxyModel*>(f.view.model())->mapToSource(f.view.model()->index(0, 0, second)));
    QCOMPARE(file.which, std::size_t{1});
    QVERIFY(f.tree.edits().setValue(file, "\"c.wav\""));
    SAME(f.text(), f.replaced(text, "b.wav", "c.wav"));
    QVERIFY(f.undoes(text));
    QVERIFY(f.tree.edits().moveBy({Kind::Component, Kind::Type, "Bat", "Sound", 1, {}, true}, -1));
    SAME(f.text(), "[Bat]\n[[Bat.Sound]]\nfile = \"b.wav\"\n[[Bat.Sound]]\nfile = \"a.wav\"\n");
    QVERIFY(f.undoes(text));
    QVERIFY(f.tree.edits().remove({Kind::Component, Kind::Type, "Bat", "Sound", 0, {}, true}));
    SAME(f.text(), "[Bat]\n[[Bat.Sound]]\nfile = \"b.wav\"\n");
}

void TestTree::marksFaultyRowsAndFixesThem() {
    TreeFixture f;
    const std::string before = f.text();
    f.change("maximum = 40", "maxmum = 40");
    f.settle();
    f.sync();
    const QStringList faulty{QStringLiteral("Crate"), QStringLiteral("Health"), QStringLiteral("maxmum")};
    QTRY_VERIFY(f.row(faulty).data(OutlineModel::SeverityRole).isValid());
    QCOMPARE(f.row(faulty).data(OutlineModel::SeverityRole).toInt(), static_cast<int>(Severity::Error));
    QVERIFY(!f.row(faulty).data(Qt::DecorationRole).value<QIcon>().isNull());
    QVERIFY(f.row(faulty).data(Qt::ToolTipRole).toString().contains(QStringLiteral("maxmum")));
    QCOMPARE(f.row({QStringLiteral("Crate")}).siblingAtColumn(1).data().toString(),
             QStringLiteral("1 problem"));
    QVERIFY(!f.row({QStringLiteral("Heavy")}).siblingAtColumn(1).data(Qt::DecorationRole).isValid());
    QVERIFY(f.pick(faulty));
    QMenu menu;
    f.tree.fillMenu(menu);
    auto* fix = menu.findChild<QAction*>(QStringLiteral("tree.fix"));
    QVERIFY(fix != nullptr && fix->text().contains(QStringLiteral("maximum")));
    fix->trigger();
    SAME(f.text(), before);
    f.settle();
    f.sync();
    QTRY_VERIFY(f.row({QStringLiteral("Crate")}).siblingAtColumn(1).data().toString().isEmpty());
    // Deleting a faulty key in the tree mends it as well.
    f.change("maximum = 40", "maxmum = 40");
    f.settle();
    f.sync();
    QVERIFY(f.pick(faulty));
    QVERIFY(f.run("delete").empty());
    f.settle();
    QVERIFY(f.project.isCurrent());
}

// The menu of a row names what it does, and to what.
void TestTree::theMenuNamesTheRow() {
    TreeFixture f;
    const auto words = [&f] {
        QMenu menu;
        f.tree.fillMenu(menu);
        QStringList out;
        for (const QAction* action : menu.actions())
            out.append(action->text());
        return out;
    };
    QVERIFY(f.pick({QStringLiteral("Crate")}));
    QVERIFY(words().contains(QStringLiteral("Rename the type Crate")));
    QVERIFY(words().contains(QStringLiteral("Delete the type Crate")));
    QVERIFY(f.pick({QStringLiteral("Heavy"), QStringLiteral("Body")}));
    QVERIFY(words().contains(QStringLiteral("Delete the component Body")));
    QVERIFY(f.pick({QStringLiteral("Heavy"), QStringLiteral("Body"), QStringLiteral("mass")}));
    QVERIFY(words().contains(QStringLiteral("Change the value of mass")));
    QMenu menu;
    f.tree.fillMenu(menu);
    const std::string before = f.text();
    for (QAction* action : menu.actions())
        if (action->text() == QStringLiteral("Delete mass"))
            action->trigger();
    QVERIFY(f.text().find("mass = 50.0") == std::string::npos);
    QVERIFY(f.undoes(before));
}

void TestTree::keepsTheRowsOfABrokenText() {
    TreeFixture f;
    const std::string before = f.text();
    f.view.expand(f.row({QStringLiteral("Heavy")}));
    QVERIFY(f.pick({QStringLiteral("Heavy"), QStringLiteral("Body")}));
    f.change("doc = \"A box.\"", "doc = \"A box.");
    f.sync();
    QVERIFY(f.tree.model().isStale());
    QCOMPARE(f.view.model()->rowCount(), 2);
    QVERIFY(f.view.isExpanded(f.row({QStringLiteral("Heavy")})));
    QVERIFY2(f.tree.fault().startsWith(QStringLiteral("Line 3: ")), qPrintable(f.tree.fault()));
    QVERIFY(f.tree.filterBar().problem().isEmpty()); // the filter is not what is wrong
    QCOMPARE(f.row({QStringLiteral("Heavy")}).data(Qt::ForegroundRole).value<QColor>(),
             f.theme.color(Token::Muted));
    // Nothing is edited, and the place is said.
    const std::string broken = f.text();
    QVERIFY(!f.run("delete").empty());
    QVERIFY(!f.run("moveUp").empty());
    f.tree.editCurrent();
    QVERIFY(f.tree.delegate().editor() == nullptr);
    const Result<void> set =
        f.tree.edits().setValue({Kind::Key, Kind::Type, "Heavy", "Body", 0, "mass", true}, "1.0");
    QVERIFY(!set);
    QVERIFY2(set.error().message.starts_with("entities.toml:3:"), set.error().message.c_str());
    SAME(f.text(), broken);
    // Rows lead to where their names are now.
    f.view.setCurrentIndex(f.row({QStringLiteral("Crate")}));
    QCOMPARE(f.panel->binding().caret(), broken.find("Crate]"));
    f.document.undoStack().undo();
    f.sync();
    QVERIFY(!f.tree.model().isStale());
    QVERIFY(f.tree.fault().isEmpty());
    SAME(f.text(), before);
    QVERIFY(f.tree.edits().setValue({Kind::Key, Kind::Type, "Heavy", "Body", 0, "mass", true}, "1.0"));
}

void TestTree::keepsPlaceThroughEdits() {
    std::string text;
    for (int i = 0; i < 60; ++i)
        text += "[T" + std::to_string(i) + "]\n[T" + std::to_string(i) + ".Body]\nmass = 1.0\n\n";
    TreeFixture f(text);
    f.view.expandAll();
    QVERIFY(f.pick({QStringLiteral("T40"), QStringLiteral("Body"), QStringLiteral("mass")}));
    f.view.scrollTo(f.view.currentIndex(), QAbstractItemView::PositionAtCenter);
    const QPersistentModelIndex top = f.view.indexAt(QPoint(2, 2));
    QVERIFY(top.isValid());
    const std::size_t caret = f.panel->binding().caret();
    QVERIFY(f.tree.edits().setValue(f.tree.current(), "2.5"));
    f.sync();
    QCOMPARE(QPersistentModelIndex(f.view.indexAt(QPoint(2, 2))), top);
    QCOMPARE(f.tree.current().owner, std::string("T40"));
    QCOMPARE(f.tree.current().key, std::string("mass"));
    QCOMPARE(f.panel->binding().caret(), caret);
    QVERIFY(f.view.isExpanded(f.row({QStringLiteral("T59"), QStringLiteral("Body")})));
    // With a filter, too.
    f.tree.filterBar().setText(QStringLiteral("T4"));
    QTRY_COMPARE(f.view.model()->rowCount(), 11);
    QVERIFY(f.tree.edits().setValue({Kind::Key, Kind::Type, "T41", "Body", 0, "mass", true}, "7.0"));
    f.sync();
    QCOMPARE(f.view.model()->rowCount(), 11);
    QCOMPARE(f.tree.filterBar().text(), QStringLiteral("T4"));
}

void TestTree::oddTables() {
    const std::string text =
        "[A]\nHealth = { maximum = 3.0 }\nBody.mass = 1.0 # light\n\"odd key\" = 1\n[A.Body.deep]\nx = 1\n";
    TreeFixture f(text);
    // Among the keys it is changed where it stands.
    QVERIFY(f.tree.edits().setValue({Kind::Key, Kind::Type, "A", {}, 0, "Body.mass", true}, "2.0"));
    SAME(f.text(), f.replaced(text, "Body.mass = 1.0", "Body.mass = 2.0"));
    QVERIFY(f.undoes(text));
    QVERIFY(f.tree.edits().setValue({Kind::Key, Kind::Type, "A", "Health", 0, "maximum", true}, "4.0"));
    SAME(f.text(), f.replaced(text, "maximum = 3.0", "maximum = 4.0"));
    QVERIFY(f.undoes(text));
    QVERIFY(f.tree.edits().remove({Kind::Key, Kind::Type, "A", {}, 0, "odd key", true}));
    SAME(f.text(), f.replaced(text, "\"odd key\" = 1\n", ""));
    QVERIFY(f.undoes(text));
    // What cannot be done is refused with a reason, and nothing is written.
    QVERIFY(!f.tree.edits().setValue({Kind::Key, Kind::Type, "A", "Body.deep", 0, "x", true}, "2"));
    QVERIFY(!f.tree.edits().moveBy({Kind::Component, Kind::Type, "A", "Body.deep", 0, {}, true}, -1));
    QVERIFY(!f.tree.edits().rename({Kind::Type, Kind::Type, "A", {}, 0, {}, true}, "a\nb"));
    SAME(f.text(), text);
    // A type twice.
    TreeFixture twice("[A]\ndoc = \"1\"\n[B]\n[A]\ndoc = \"2\"\n");
    QVERIFY(!twice.tree.edits().moveType("A", std::nullopt));
    QVERIFY(twice.tree.edits().remove({Kind::Type, Kind::Type, "A", {}, 0, {}, true}));
    SAME(twice.text(), "[B]\n");
}

void TestTree::windowsLineEndsStay() {
    std::string text = Entities;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
        text.insert(at, 1, '\r');
    TreeFixture f(text);
    const auto lone = [&] {
        for (std::size_t at = 0; (at = f.text().find('\n', at)) != std::string::npos; ++at)
            if (at == 0 || f.text()[at - 1] != '\r')
                return true;
        return false;
    };
    QVERIFY(f.tree.edits().addType("Crate"));
    QVERIFY(f.tree.edits().addComponent("Crate_2", "Light"));
    QVERIFY(f.tree.edits().addKey({Kind::Component, Kind::Type, "Heavy", "Body", 0, {}, true}, "friction"));
    QVERIFY(f.tree.edits().moveBy({Kind::Component, Kind::Type, "Crate", "Body", 0, {}, true}, 1));
    QVERIFY(f.tree.edits().paste({Kind::Type, Kind::Type, "Heavy", {}, 0, {}, true},
                                 "[x.Health]\nmaximum = 2\n"));
    QVERIFY(f.tree.edits().duplicate({Kind::Type, Kind::Type, "Heavy", {}, 0, {}, true}));
    QVERIFY(!lone());
    f.settle();
    QVERIFY(f.project.isCurrent());
    for (int i = 0; i < 6; ++i)
        f.document.undoStack().undo();
    SAME(f.text(), text);
}

// By what is done, not by the clock: an edit of one of ten thousand changes one row.
void TestTree::longScenesStayQuick() {
    TreeFixture f;
    std::string scene = "[scene]\nname = \"Yard\"\n";
    for (int i = 0; i < 10000; ++i)
        scene += "\n[[entity]]\ntype = \"Crate\"\nname = \"e" + std::to_string(i) + "\"\nposition = ["
                 + std::to_string(3 * i) + ".0, 1.0, 0.0]\n";
    QVERIFY(f.document.setText("yard.scene.toml", scene, QStringLiteral("Many")));
    f.settle();
    f.panel->setFile(QStringLiteral("yard.scene.toml"));
    f.sync();
    OutlineModel& model = f.tree.model();
    QCOMPARE(model.rowCount(), 10001);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy layout(&model, &QAbstractItemModel::layoutChanged);
    QVERIFY(f.tree.edits().setValue({Kind::Key, Kind::Instance, "e5000", {}, 0, "position", true},
                                    "[2.0, 1.0, 0.0]"));
    f.sync();
    QCOMPARE(changed.count(), 1);
    QVERIFY(f.tree.edits().addKey({Kind::Instance, Kind::Instance, "e5000", {}, 0, {}, true}, "scale"));
    f.sync();
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(reset.count() + layout.count(), 0);
}

void TestTree::actionsAreKnown() {
    TreeFixture f;
    for (const char* id : {"add", "edit", "delete", "duplicate", "moveUp", "moveDown", "copy", "cut", "paste",
                           "defaults", "setMissing", "setDefaults"}) {
        const QString full = QLatin1String("definition.tree.") + QLatin1String(id);
        QVERIFY2(f.actions.find(full) != nullptr, id);
        QVERIFY(!f.actions.describe(full)->doc.isEmpty());
    }
    QVERIFY(f.actions.conflicts().empty());
    f.panel.reset();
    QVERIFY(f.actions.find(QStringLiteral("definition.tree.add")) == nullptr);
}

QTEST_MAIN(TestTree)
#include "tst_tree.moc"
