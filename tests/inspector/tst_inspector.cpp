// The inspector over a real session and document, without a window manager.

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/simulation_thread.h"
#include "engine/simulation/catalog.h"
#include "widgets/common/document.h"
#include "widgets/common/number_field.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/inspector/component_section.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/inspector/new_type_dialog.h"
#include "widgets/inspector/scope_question.h"

using namespace sbx;
using namespace sbx::ui;

namespace {
void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

// The text of the first signal, which goes; empty: there was none.
QString taken(QSignalSpy& spy) { return spy.isEmpty() ? QString() : spy.takeFirst().at(0).toString(); }

struct Fixture {
    QTemporaryDir dir;
    Log log;
    Session session{log, addConsoleCommands};
    Theme theme;
    SimulationThread thread{session};
    SessionFeed feed{session};
    Document document{dir.filePath(QStringLiteral("state"))};
    ProjectModel project{document, feed};
    Selection selection;
    std::unique_ptr<InspectorPanel> panel;

    static constexpr const char* Crates = "[Crate]\n[Crate.Body]\nmass = 5.0\n[Crate.Health]\nmaximum = 40\n[[Crate.Mesh]]\nmesh = "
                                          "\"box\"\n[[Crate.Mesh]]\nmesh = \"cone\"\n";
    static constexpr const char* TwoCrates = "\n# first\n[[entity]]\ntype = \"Crate\"\nname = \"a\"\nposition = "
                                             "[0.0, 1.0, 0.0]\n\n"
                                             "[[entity]]\ntype = \"Crate\"\nname = \"b\" # second\nposition = [3.0, 1.0, 0.0]\n";

    explicit Fixture(const QByteArray& definitions = Crates, const QByteArray& entities = TwoCrates) {
        QDir().mkpath(dir.filePath(QStringLiteral("p")));
        write(dir.filePath(QStringLiteral("p/project.toml")),
              "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n");
        write(dir.filePath(QStringLiteral("p/e.toml")), definitions);
        write(dir.filePath(QStringLiteral("p/s.scene.toml")), "[scene]\nname = \"S\"\n" + entities);
        panel = std::make_unique<InspectorPanel>(theme, feed, selection, document, project);
        const Result<void> opened = project.open(dir.filePath(QStringLiteral("p")));
        if (!opened)
            qFatal("%s", opened.error().toString().c_str());
    }
    ~Fixture() {
        thread.stop();
        panel.reset();
    }
    const Inspection* inspected(const std::string& name) {
        feed.poll();
        for (const Inspection& i : feed.frame().inspected)
            if (i.name == name)
                return &i;
        return nullptr;
    }
    double field(const std::string& entity, const std::string& component, const std::string& name) {
        const Inspection* i = inspected(entity);
        if (i != nullptr)
            for (const InspectedComponent& c : i->components)
                if (c.name == component)
                    for (const auto* list : {&c.settings, &c.state})
                        for (const InspectedField& f : *list)
                            if (f.info->name == name)
                                return std::get<double>(f.value);
        return -1.0;
    }
    const std::string& scene() { return document.text("s.scene.toml"); }
    const std::string& definitions() { return document.text("e.toml"); }
    // What the inspector shows of several entities comes with their comparison.
    bool compares(std::size_t entities) {
        feed.poll();
        return feed.frame().together != nullptr && feed.frame().together->entities == entities && panel->shownEntity() == selection.primary();
    }
    NumberField* number(const char* component, const char* field, const char* input = "input") {
        FieldEditor* found = panel->editor(component, field);
        return found == nullptr ? nullptr : found->findChild<NumberField*>(QLatin1String(input));
    }
    void type(NumberField* into, const char* text) {
        qApp->setActiveWindow(panel.get());
        into->setFocus();
        into->selectAll();
        QTest::keyClicks(into, QLatin1String(text));
        QTest::keyClick(into, Qt::Key_Return);
    }
};
} // namespace

class TestInspector : public QObject {
    Q_OBJECT
private slots:
    void showsThePrimaryAndItsComponents() {
        Fixture f;
        QTRY_VERIFY(f.feed.frame().entities->rows.size() == 2);
        f.selection.setEntity("b", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("b"));
        QVERIFY(f.panel->editor("", "position") != nullptr);
        QVERIFY(f.panel->editor("Body", "mass") != nullptr);
        QVERIFY(f.panel->editor("Mesh#2", "mesh") != nullptr);
        QTRY_COMPARE(f.panel->editor("Body", "mass")->value(), Value(5.0));
        QVERIFY(f.panel->editor("Health", "current")->isReadOnly()); // lives only while playing
        QVERIFY(f.panel->editor("Mesh#2", "mesh")->isReadOnly());    // a scene cannot tell them apart
        QVERIFY(f.panel->editor("Mesh", "mesh")->isReadOnly());
        QCOMPARE(f.panel->editor("Body", "mass")->origin(), FieldOrigin::Inherited);
        QCOMPARE(f.panel->editor("Body", "friction")->origin(), FieldOrigin::Default);
    }
    // What names the entity in a type follows, in the same step of undo.
    void renamingFollowsInTheDefinitions() {
        Fixture f;
        const std::string more = "[Plate]\n[Plate.Trigger]\ntarget = \"a\"\n";
        QVERIFY(f.document.edit(
            {"e.toml", {{f.document.text("e.toml").size(), {}, more}}, QStringLiteral("Add"), {}}));
        const std::string scene = f.scene();
        const std::string types = f.document.text("e.toml");
        QTRY_VERIFY(f.feed.frame().entities->rows.size() == 2);
        QVERIFY(f.panel->rename("a", "gate"));
        QVERIFY(f.document.text("e.toml").ends_with("target = \"gate\"\n"));
        QVERIFY(f.scene().find("name = \"gate\"") != std::string::npos);
        f.document.undoStack().undo();
        QCOMPARE(f.scene(), scene);
        QCOMPARE(f.document.text("e.toml"), types);
    }
    // A reference is pointed at: the field takes the entity that is clicked next, and the selection stays.
    void anEyedropperTakesTheNextClickedEntity() {
        Fixture f("[Crate]\n[Crate.Body]\n[Plate]\n[Plate.Trigger]\n", "\n[[entity]]\ntype = \"Plate\"\nname = \"plate\"\n\n[[entity]]\ntype = \"Crate\"\nname = \"gate\"\n");
        QTRY_VERIFY(f.feed.frame().entities->rows.size() == 2);
        f.selection.setEntity("plate", QStringLiteral("test"));
        QTRY_VERIFY(f.panel->editor("Trigger", "target") != nullptr && !f.panel->editor("Trigger", "target")->isReadOnly());
        auto* pick = f.panel->editor("Trigger", "target")->findChild<QToolButton*>(QStringLiteral("pick"));
        QVERIFY(pick != nullptr && pick->isEnabled());
        const std::string before = f.scene();
        pick->click();
        f.selection.cancelPick();
        QCOMPARE(f.scene(), before);
        pick->click();
        f.selection.setEntity("gate", QStringLiteral("outliner"));
        QCOMPARE(f.selection.primary(), std::string("plate"));
        QVERIFY2(f.scene().find("target = \"gate\"") != std::string::npos, f.scene().c_str());
        f.document.undoStack().undo();
        QCOMPARE(f.scene(), before);
        // The editor may be gone before the answer comes.
        QTRY_VERIFY(f.panel->editor("Trigger", "target") != nullptr);
        f.panel->editor("Trigger", "target")->findChild<QToolButton*>(QStringLiteral("pick"))->click();
        f.panel.reset();
        f.selection.setEntity("gate", QStringLiteral("outliner"));
        QCOMPARE(f.scene(), before);
    }

    void stoppedItWritesOneUndoableOverrideForAllSelected() {
        Fixture f;
        const std::string before = f.scene();
        f.selection.setEntities({"a", "b"}, QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("b"));
        QTRY_VERIFY(f.inspected("a") != nullptr);
        FieldEditor* mass = f.panel->editor("Body", "mass");
        emit mass->edited(Value(6.0), false);
        emit mass->edited(Value(7.0), true);
        QTRY_COMPARE(f.field("a", "Body", "mass"), 7.0);
        QTRY_COMPARE(f.field("b", "Body", "mass"), 7.0);
        QVERIFY(f.scene().find("# second") != std::string::npos);
        QTRY_COMPARE(mass->origin(), FieldOrigin::Overridden);
        f.document.undoStack().undo();
        QVERIFY(f.scene() == before);
        QTRY_COMPARE(f.field("a", "Body", "mass"), 5.0);
        f.document.undoStack().redo();
        emit mass->revertRequested();
        QVERIFY(f.scene() == before);
    }
    // What a console line sets meanwhile comes after it.
    void aDragIsOneStep() {
        Fixture f;
        const std::string before = f.scene();
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        UndoOrder& order = f.document.undoOrder();
        const auto line = [&] { order.answer(order.expect(), std::make_unique<QUndoCommand>("line")); };
        FieldEditor* mass = f.panel->editor("Body", "mass");
        FieldEditor* position = f.panel->editor("", "position");
        emit mass->edited(Value(6.0), false);
        line();
        emit mass->edited(Value(6.5), false);
        emit mass->edited(Value(7.0), true);
        emit position->edited(Value(Vec3(1, 1, 0)), false);
        line();
        emit position->edited(Value(Vec3(2, 1, 0)), true);
        QStringList steps;
        for (int i = 0; i < f.document.undoStack().count(); ++i)
            steps << f.document.undoStack().text(i);
        QCOMPARE(steps, (QStringList{"Set mass of a", "line", "Set position of a", "line"}));
        f.document.undoStack().setIndex(0);
        QVERIFY(f.scene() == before);
    }
    void playingItChangesTheWorldOnly() {
        Fixture f;
        const std::string before = f.scene();
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        f.feed.post([](Session& s) { s.play(); });
        QTRY_COMPARE(f.feed.mode(), Mode::Play);
        QTRY_VERIFY(!f.panel->editor("Health", "current")->isReadOnly());
        emit f.panel->editor("Health", "current")->edited(Value(12.0), true);
        emit f.panel->editor("Body", "mass")->edited(Value(9.0), true);
        QTRY_COMPARE(f.field("a", "Health", "current"), 12.0);
        QTRY_COMPARE(f.field("a", "Body", "mass"), 9.0);
        emit f.panel->editor("", "position")->edited(Value(Vec3(20, 30, 0)), true);
        QTRY_VERIFY(f.inspected("a") != nullptr && f.inspected("a")->pose.position.x == 20.0F);
        QVERIFY(f.scene() == before);
        QVERIFY(!f.document.isDirty());
        f.feed.post([](Session& s) { s.stop(); });
        QTRY_COMPARE(f.field("a", "Body", "mass"), 5.0);
        QTRY_COMPARE(f.field("a", "Health", "current"), 40.0);
    }
    // What the world computes is rounded to what can be read, while it is edited too; what somebody wrote keeps its digits. Every number has
    // its unit.
    void liveValuesHaveUnitsAndSensibleDigits() {
        Fixture f;
        f.panel->show();
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        f.feed.post([](Session& s) { s.play(); });
        QTRY_COMPARE(f.feed.mode(), Mode::Play);
        f.feed.post([](Session& s) {
            s.pause();
            static_cast<void>(s.execute("set a Health.current 0.49999905"));
            static_cast<void>(s.execute("set a Body.linearVelocity [0.0000123, -2.3456789, 0.0]"));
            static_cast<void>(s.execute("set a Body.friction 0.49999905"));
        });
        QTRY_COMPARE(f.field("a", "Body", "friction"), double{0.49999905F});
        const auto fieldOf = [&f](const char* component, const char* name, const char* input) {
            return f.panel->editor(component, name)->findChild<QLineEdit*>(QLatin1String(input));
        };
        f.panel->resize(360, f.panel->height()); // as wide as the dock is in a window of 1280 x 720
        QLineEdit* current = fieldOf("Health", "current", "input");
        QTRY_COMPARE(current->text(), QStringLiteral("0.500"));
        current->setFocus();
        qApp->setActiveWindow(f.panel.get());
        QTRY_VERIFY(current->hasFocus());
        QCOMPARE(current->text(), QStringLiteral("0.500"));
        QTRY_COMPARE(fieldOf("Body", "linearVelocity", "input.x")->text(), QStringLiteral("0.00"));
        QCOMPARE(fieldOf("Body", "linearVelocity", "input.y")->text(), QStringLiteral("-2.35"));
        QLineEdit* friction = fieldOf("Body", "friction", "input");
        friction->setFocus();
        QTRY_VERIFY(friction->hasFocus());
        QCOMPARE(friction->text(), QStringLiteral("0.49999905"));
        emit f.panel->editor("", "position")->edited(Value(Vec3(0.0000123F, 2.3456789F, 0.0F)), true);
        const auto place = [&f](const char* input) {
            return f.panel->editor("", "position")->findChild<QLineEdit*>(QLatin1String(input));
        };
        QTRY_COMPARE(place("input.y")->text(), QStringLiteral("2.35"));
        QCOMPARE(place("input.x")->text(), QStringLiteral("0.00"));
        place("input.y")->setFocus();
        QTRY_VERIFY(place("input.y")->hasFocus());
        QCOMPARE(place("input.y")->text(), QStringLiteral("2.3456788"));
        QStringList labels;
        for (const QLabel* label : f.panel->findChildren<QLabel*>())
            labels.append(label->text().replace(QLatin1Char('\n'), QLatin1Char(' ')));
        for (const char* label : {"linearVelocity (m/s)", "angularVelocity (rad/s)", "position (m)", "size (m)"})
            QVERIFY2(labels.contains(QString::fromUtf8(label)), label);
    }
    // What an entity has and what cannot stand beside it is offered with the reason and cannot be chosen.
    void componentsAreOfferedWithReasons() {
        Fixture f;
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        const std::vector<ComponentChoice> choices = f.panel->componentChoices();
        QCOMPARE(choices.size(), f.project.content()->catalog->components.size());
        const auto reason = [&choices](const char* name) {
            for (const ComponentChoice& choice : choices)
                if (choice.name == QLatin1String(name))
                    return choice.reason;
            return QStringLiteral("not offered");
        };
        QCOMPARE(reason("Body"), QStringLiteral("Crate has it already"));
        QCOMPARE(reason("Light"), QString());
        for (const ComponentChoice& choice : choices)
            QVERIFY2(!choice.doc.isEmpty() && !choice.category.isEmpty(), qPrintable(choice.name));
        f.feed.post([](Session& s) { s.play(); });
        QTRY_COMPARE(f.feed.mode(), Mode::Play);
        QVERIFY(f.panel->componentChoices().empty());
    }
    // For all of the type in the definition, or for one entity in a type of its own; each one step, and undone to the byte.
    void addsAndRemovesComponents() {
        Fixture f;
        const auto definitions = [&f]() -> const std::string& { return f.document.text("e.toml"); };
        const std::string before = definitions();
        const std::string scene = f.scene();
        const auto has = [&f](const std::string& entity, const char* component) {
            const Inspection* i = f.inspected(entity);
            return i != nullptr
                   && std::any_of(i->components.begin(), i->components.end(),
                                  [&](const InspectedComponent& c) { return c.name == component; });
        };
        const auto choose = [&f](const char* scope) {
            auto* question = f.panel->findChild<ScopeQuestion*>();
            QVERIFY(question != nullptr);
            question->findChild<QPushButton*>(QLatin1String(scope))->click();
            QTRY_VERIFY(f.panel->findChild<ScopeQuestion*>() == nullptr);
        };
        f.panel->show();
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        f.panel->addComponent(QStringLiteral("Light"));
        choose("scope.type");
        QVERIFY2(definitions().find("[Crate.Light]") != std::string::npos, definitions().c_str());
        QCOMPARE(f.scene(), scene);
        QTRY_VERIFY(has("a", "Light"));
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("Add Light to Crate"));
        f.document.undoStack().undo();
        QVERIFY(definitions() == before);
        QTRY_VERIFY(has("a", "Body") && !has("a", "Light"));

        QSignalSpy said(f.panel.get(), &InspectorPanel::said);
        f.panel->addComponent(QStringLiteral("Light"));
        choose("scope.entity");
        QCOMPARE(said.size(), 1); // a type was made that nobody named
        QCOMPARE(said.front().front().toString(), QStringLiteral("Added Light to 1 entity. Its type is now Crate_2 (extends Crate)."));
        QVERIFY2(definitions().find("[Crate_2]\nextends = \"Crate\"\n[Crate_2.Light]") != std::string::npos, definitions().c_str());
        QVERIFY2(f.scene().find("type = \"Crate_2\"\nname = \"a\"") != std::string::npos, f.scene().c_str());
        QTRY_VERIFY(has("a", "Light"));
        QVERIFY2(f.scene().find("type = \"Crate\"\nname = \"b\"") != std::string::npos, f.scene().c_str());
        f.document.undoStack().undo();
        QVERIFY(definitions() == before && f.scene() == scene);

        // Removing takes the overrides along.
        FieldEditor* maximum = nullptr;
        QTRY_VERIFY((maximum = f.panel->editor("Health", "maximum")) != nullptr);
        QTRY_VERIFY(!has("a", "Light"));
        emit f.panel->editor("Health", "maximum")->edited(Value(7.0), true);
        QTRY_COMPARE(f.field("a", "Health", "maximum"), 7.0);
        const std::string overridden = f.scene();
        auto* button = f.panel->findChild<QToolButton*>(QStringLiteral("inspector.Health.menu"));
        QVERIFY(button != nullptr);
        emit button->menu()->aboutToShow();
        button->menu()->findChild<QAction*>(QStringLiteral("scope.type"))->trigger();
        QVERIFY(definitions().find("Health") == std::string::npos);
        QVERIFY2(f.scene() == scene, f.scene().c_str());
        QTRY_VERIFY(has("a", "Body") && !has("a", "Health"));
        QVERIFY(!f.project.problems().hasErrors());
        f.document.undoStack().undo();
        QVERIFY(definitions() == before && f.scene() == overridden);
        QTRY_VERIFY(has("a", "Health"));
        QTRY_VERIFY((button = f.panel->findChild<QToolButton*>(QStringLiteral("inspector.Health.menu"))) != nullptr);
        emit button->menu()->aboutToShow();
        button->menu()->findChild<QAction*>(QStringLiteral("scope.entity"))->trigger();
        QTRY_VERIFY(has("a", "Body") && !has("a", "Health"));
        QVERIFY2(f.scene().find("type = \"Crate\"\nname = \"b\"") != std::string::npos, f.scene().c_str());
        QVERIFY2(definitions().find("[Crate_2.Health]\nenabled = false") != std::string::npos, definitions().c_str());
        QVERIFY(!f.project.problems().hasErrors());
    }
    // The menu of a header asks why the component did not act, while the world runs and after it. Of two with one priority the first in the
    // definition comes first: the other can be put before it.
    void asksWhyNotAndPutsBefore() {
        Fixture f(Fixture::Crates, Fixture::TwoCrates);
        f.selection.setEntity("a", QStringLiteral("test"));
        QToolButton* button = nullptr;
        QTRY_VERIFY((button = f.panel->findChild<QToolButton*>(QStringLiteral("inspector.Health.menu"))) != nullptr);
        QSignalSpy asked(f.panel.get(), &InspectorPanel::whyNotAsked);
        emit button->menu()->aboutToShow();
        button->menu()->findChild<QAction*>(QStringLiteral("component.whyNot"))->trigger();
        QCOMPARE(asked.value(0).value(0).toString(), QStringLiteral("a"));
        QCOMPARE(asked.value(0).value(1).toString(), QStringLiteral("Health"));
        const std::string before = f.definitions();
        QVERIFY(before.find("[Crate.Body]") < before.find("[Crate.Health]"));
        QSignalSpy problems(f.panel.get(), &InspectorPanel::problem);
        QVERIFY(!f.panel->canMoveBefore("Crate", "Body", "Health")); // it is
        QVERIFY(!f.panel->canMoveBefore("Crate", "Health", "Light"));
        QVERIFY(!f.panel->canMoveBefore("Nothing", "Health", "Body"));
        f.panel->moveBefore("Crate", "Body", "Health");
        QCOMPARE(problems.size(), 1);
        QVERIFY(f.definitions() == before);
        QVERIFY(f.panel->canMoveBefore("Crate", "Health", "Body"));
        f.panel->moveBefore("Crate", "Health", "Body");
        QVERIFY2(f.definitions().find("[Crate.Health]") < f.definitions().find("[Crate.Body]"), f.definitions().c_str());
        f.document.undoStack().undo();
        QVERIFY(f.definitions() == before);
        QCOMPARE(problems.size(), 1);
    }
    // Onto several kinds at once: one question, one step, and a line about those that were left out.
    void addsToManyAndSaysWhomItSkipped() {
        Fixture f(QByteArray(Fixture::Crates) + "[Lamp]\n[Lamp.Light]\n[Stone]\n[Stone.Body]\n",
                  QByteArray(Fixture::TwoCrates)
                      + "\n[[entity]]\ntype = \"Lamp\"\nname = \"lamp\"\n\n[[entity]]\ntype = \"Stone\"\nname = \"s1\"\n"
                        "\n[[entity]]\ntype = \"Stone\"\n");
        const std::string definitions = f.definitions();
        const std::string scene = f.scene();
        QSignalSpy said(f.panel.get(), &InspectorPanel::said);
        QSignalSpy problems(f.panel.get(), &InspectorPanel::problem);
        f.selection.setEntities({"lamp", "s1", "stone", "a"}, QStringLiteral("test"), "a");
        QTRY_VERIFY(f.compares(4));
        f.panel->addComponent(QStringLiteral("Light"));
        auto* question = f.panel->findChild<ScopeQuestion*>();
        QVERIFY(question != nullptr);
        // Enter takes the default: the selected ones alone, each kind with a type of its own.
        QVERIFY(question->findChild<QPushButton*>(QStringLiteral("scope.entity"))->isDefault());
        QTest::keyClick(question, Qt::Key_Return);
        QTRY_VERIFY(f.panel->findChild<ScopeQuestion*>() == nullptr);
        QCOMPARE(problems.size(), 0);
        QCOMPARE(f.document.undoStack().count(), 1);
        QVERIFY2(f.definitions().find("[Crate_2]\nextends = \"Crate\"\n[Crate_2.Light]") != std::string::npos, f.definitions().c_str());
        QVERIFY2(f.definitions().find("[Stone_2]\nextends = \"Stone\"\n[Stone_2.Light]") != std::string::npos, f.definitions().c_str());
        QVERIFY(f.definitions().find("[Lamp_2]") == std::string::npos);
        QVERIFY2(f.scene().find("type = \"Stone_2\"\nname = \"stone\"") != std::string::npos, f.scene().c_str()); // it keeps its name
        QCOMPARE(said.size(), 1);
        QCOMPARE(taken(said), QStringLiteral("Added Light to 3 entities; 1 skipped: Lamp has it already. Their types are now Crate_2 (extends Crate), Stone_2 (extends Stone)."));
        f.document.undoStack().undo();
        QVERIFY(f.definitions() == definitions && f.scene() == scene);

        // All of the types: one step over what is selected and what is not. The answer is kept.
        QTRY_VERIFY(f.project.content()->definitions->find("Stone_2") == nullptr);
        QTRY_VERIFY(f.compares(4));
        f.panel->addComponent(QStringLiteral("Camera"));
        question = f.panel->findChild<ScopeQuestion*>();
        QVERIFY(question != nullptr);
        question->findChild<QAbstractButton*>(QStringLiteral("scope.keep"))->setChecked(true);
        question->findChild<QPushButton*>(QStringLiteral("scope.type"))->click();
        QTRY_VERIFY(f.panel->findChild<ScopeQuestion*>() == nullptr);
        for (const char* table : {"[Crate.Camera]", "[Lamp.Camera]", "[Stone.Camera]"})
            QVERIFY2(f.definitions().find(table) != std::string::npos, f.definitions().c_str());
        QVERIFY(f.scene() == scene);
        QCOMPARE(taken(said), QStringLiteral("Added Camera to 5 entities."));
        f.document.undoStack().undo();
        f.panel->addComponent(QStringLiteral("Camera"));
        QVERIFY(f.panel->findChild<ScopeQuestion*>() == nullptr);
        QVERIFY(f.definitions().find("[Crate.Camera]") != std::string::npos);
        f.document.undoStack().undo();
        QVERIFY(f.definitions() == definitions);

        // Removing it from those that have it, alone.
        said.clear();
        QTRY_VERIFY(f.project.content()->definitions->find("Stone")->find("Camera") == nullptr);
        QTRY_VERIFY(f.panel->editor("Body", "mass") != nullptr && f.panel->editor("Camera", "fov") == nullptr);
        auto* button = f.panel->findChild<QToolButton*>(QStringLiteral("inspector.Body.menu"));
        QVERIFY(button != nullptr);
        emit button->menu()->aboutToShow();
        button->menu()->findChild<QAction*>(QStringLiteral("scope.entity"))->trigger();
        QVERIFY2(f.definitions().find("[Crate_2.Body]\nenabled = false") != std::string::npos, f.definitions().c_str());
        QVERIFY2(f.definitions().find("[Stone_2.Body]\nenabled = false") != std::string::npos, f.definitions().c_str());
        QCOMPARE(taken(said), QStringLiteral("Removed Body from 3 entities; 1 skipped: has no Body. Their types are now Crate_2 (extends Crate), Stone_2 (extends Stone)."));
        QVERIFY(!f.project.problems().hasErrors());
        f.document.undoStack().undo();
        QVERIFY(f.definitions() == definitions && f.scene() == scene);
    }
    // What happens while the question is open: entities go, the selection changes, the world is played.
    void aQuestionOutlivesWhatItAsksAbout() {
        Fixture f(Fixture::Crates, QByteArray(Fixture::TwoCrates) + "\n[[entity]]\ntype = \"Crate\"\nname = \"c\"\n");
        QSignalSpy said(f.panel.get(), &InspectorPanel::said);
        QSignalSpy problems(f.panel.get(), &InspectorPanel::problem);
        f.selection.setEntities({"a", "c"}, QStringLiteral("test"), "a");
        QTRY_VERIFY(f.compares(2));
        f.panel->addComponent(QStringLiteral("Light"));
        auto* question = f.panel->findChild<ScopeQuestion*>();
        QVERIFY(question != nullptr);
        const Result<definition::TextEdits> gone = definition::removeInstances(f.scene(), {"c"});
        QVERIFY(gone);
        QVERIFY(f.document.edit({"s.scene.toml", *gone, QStringLiteral("Delete"), {}}));
        f.selection.setEntity("b", QStringLiteral("test"));
        question->findChild<QPushButton*>(QStringLiteral("scope.entity"))->click();
        QVERIFY2(f.scene().find("type = \"Crate_2\"\nname = \"a\"") != std::string::npos, f.scene().c_str());
        QVERIFY2(f.scene().find("type = \"Crate\"\nname = \"b\"") != std::string::npos, f.scene().c_str());
        QCOMPARE(taken(said), QStringLiteral("Added Light to 1 entity; 1 skipped: no longer in the scene. Its type is now Crate_2 (extends Crate)."));
        f.document.undoStack().undo();

        QTRY_COMPARE(f.panel->shownEntity(), std::string("b"));
        QTRY_VERIFY(f.project.content()->definitions->find("Crate_2") == nullptr);
        f.panel->addComponent(QStringLiteral("Light"));
        QTRY_VERIFY((question = f.panel->findChild<ScopeQuestion*>()) != nullptr);
        f.feed.post([](Session& s) { s.play(); });
        QTRY_COMPARE(f.feed.mode(), Mode::Play);
        const std::string before = f.definitions();
        question->findChild<QPushButton*>(QStringLiteral("scope.type"))->click();
        QVERIFY(f.definitions() == before);
        QCOMPARE(problems.size(), 1);
    }
    // By key and by drag; the definition's text follows, byte for byte back.
    void componentsAreReordered() {
        Fixture f("[Base]\n[Base.Spin]\n[Crate]\nextends = \"Base\"\n\n# falls\n[Crate.Body]\nmass = 5.0\n\n[Crate.Health]\nmaximum = 40\n\n"
                  "[Crate.Light]\n");
        const std::string before = f.definitions();
        QSignalSpy problems(f.panel.get(), &InspectorPanel::problem);
        f.panel->resize(360, 1200);
        f.panel->show();
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_VERIFY(f.panel->editor("Light", "range") != nullptr);
        const auto header = [&f](const char* name) {
            return f.panel->findChild<SectionHeader*>(QStringLiteral("inspector.%1.header").arg(QLatin1String(name)));
        };
        const auto order = [&f] {
            QStringList names;
            for (const definition::ComponentDefinition& each : f.project.content()->definitions->find("Crate")->components)
                names.append(QString::fromStdString(each.name));
            return names.join(QLatin1Char(' '));
        };
        QCOMPARE(order(), QStringLiteral("Spin Body Health Light"));
        QTest::keyClick(header("Health"), Qt::Key_Up, Qt::AltModifier);
        QTRY_COMPARE(order(), QStringLiteral("Spin Health Body Light"));
        QVERIFY2(f.definitions().find("# falls\n[Crate.Body]") != std::string::npos, f.definitions().c_str());
        // Its section moves along.
        QTRY_VERIFY(header("Health")->mapTo(f.panel.get(), QPoint()).y() < header("Body")->mapTo(f.panel.get(), QPoint()).y());
        f.document.undoStack().undo();
        QVERIFY(f.definitions() == before);
        QTRY_COMPARE(order(), QStringLiteral("Spin Body Health Light"));
        QTRY_VERIFY(header("Health")->mapTo(f.panel.get(), QPoint()).y() > header("Body")->mapTo(f.panel.get(), QPoint()).y());

        // What a base brings stays before what the type adds.
        QTest::keyClick(header("Body"), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(problems.size(), 1);
        QVERIFY2(problems.first().at(0).toString().contains(QStringLiteral("comes from Base")), qPrintable(problems.first().at(0).toString()));
        QVERIFY(f.definitions() == before);

        // Light above Body.
        const auto drag = [&](SectionHeader* from, const QPoint& to) {
            QTest::mousePress(from, Qt::LeftButton, {}, QPoint(40, 8));
            const QPoint at = from->mapFromGlobal(to);
            QTest::mouseMove(from, (QPoint(40, 8) + at) / 2);
            QTest::mouseMove(from, at);
        };
        SectionHeader* light = header("Light");
        const QPoint above = header("Body")->mapToGlobal(QPoint(40, 2));
        drag(light, above);
        QTRY_VERIFY(f.panel->findChild<QWidget*>(QStringLiteral("inspector.dropLine")) != nullptr);
        QTest::keyClick(light, Qt::Key_Escape);
        QVERIFY(f.panel->findChild<QWidget*>(QStringLiteral("inspector.dropLine")) == nullptr);
        QTest::mouseRelease(light, Qt::LeftButton, {}, light->mapFromGlobal(above));
        QVERIFY(f.definitions() == before);
        QVERIFY(light->isChecked()); // a drag is no click
        drag(light, above);
        QTest::mouseRelease(light, Qt::LeftButton, {}, light->mapFromGlobal(above));
        QTRY_COMPARE(order(), QStringLiteral("Spin Light Body Health"));
        f.document.undoStack().undo();
        QVERIFY(f.definitions() == before);
        QVERIFY(!f.project.problems().hasErrors());
    }
    // As the text of a definition file, with keys on a header, into many and back; what does not fit is named.
    void componentsAreCopiedAndPasted() {
        Fixture f(QByteArray(Fixture::Crates) + "[Stone]\n[Stone.Body]\nmass = 9.0\nfriction = 0.25\n",
                  QByteArray(Fixture::TwoCrates) + "[entity.Body]\nfriction = 0.75\n\n[[entity]]\ntype = \"Stone\"\nname = \"s\"\n"
                                                   "\n[[entity]]\ntype = \"Stone\"\nname = \"t\"\n");
        const std::string definitions = f.definitions();
        const std::string scene = f.scene();
        QSignalSpy problems(f.panel.get(), &InspectorPanel::problem);
        QSignalSpy said(f.panel.get(), &InspectorPanel::said);
        f.panel->show();
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_VERIFY(f.panel->editor("Health", "maximum") != nullptr);
        auto* header = f.panel->findChild<SectionHeader*>(QStringLiteral("inspector.Body.header"));
        QTest::keyClick(header, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("[Crate.Body]\nmass = 5.0\n"));
        said.clear();

        // All values, the defaults too, so that they are the same afterwards; one step.
        f.selection.setEntities({"b", "s", "t"}, QStringLiteral("test"), "s");
        QTRY_VERIFY(f.compares(3));
        f.panel->pasteValues();
        QCOMPARE(problems.size(), 0);
        QVERIFY2(f.scene().find("name = \"s\"\n[entity.Body]\n") != std::string::npos, f.scene().c_str());
        f.project.refresh();
        for (const char* entity : {"a", "b", "s", "t"}) {
            const definition::InstanceDefinition* instance = f.project.content()->scene.find(entity);
            const auto laid = definition::overlaid(*f.project.content()->definitions->find(instance->type), instance->overrides);
            const auto& body = *std::find_if(laid.begin(), laid.end(), [](const auto& c) { return c.name == "Body"; });
            QCOMPARE(body.find("mass")->value, Value(5.0));
            const definition::Setting* friction = body.find("friction");
            const FieldInfo& field = *f.project.content()->catalog->find("Body")->settings->find("friction");
            QVERIFY(friction == nullptr || field.formatToml(friction->value) == field.formatToml(field.defaultValue));
        }
        // What is as the type says is no override any more.
        QVERIFY2(f.scene().find("name = \"b\" # second\nposition = [3.0, 1.0, 0.0]\n\n") != std::string::npos, f.scene().c_str());
        QCOMPARE(f.document.undoStack().count(), 1);
        f.document.undoStack().undo();
        QVERIFY(f.scene() == scene && f.definitions() == definitions);

        // Text from elsewhere: what cannot be used is left out and named.
        said.clear();
        QApplication::clipboard()->setText(
            QStringLiteral("[Any.Body]\nmass = 3.0\nmas = 1\nfriction = 99.0\n\n[Any.Health]\nmaximum = 5\n\n[Any.Nothing]\n"));
        f.panel->pasteValues();
        QCOMPARE(problems.size(), 1);
        const QString fault = problems.takeFirst().at(0).toString();
        QVERIFY2(fault.contains(QStringLiteral("Body.mas: ")) && fault.contains(QStringLiteral("Body.friction: "))
                     && fault.contains(QStringLiteral("no component Nothing")),
                 qPrintable(fault));
        QVERIFY2(said.first().at(0).toString().contains(QStringLiteral("2 skipped: has no Health")), qPrintable(said.first().at(0).toString()));
        QCOMPARE(QString::fromStdString(f.scene()).count(QStringLiteral("mass = 3.0")), 3);
        QCOMPARE(QString::fromStdString(f.scene()).count(QStringLiteral("maximum = 5.0")), 1);
        f.document.undoStack().undo();
        QVERIFY(f.scene() == scene);
        for (const char* text : {"", "Hello", "[Crate.Body]\nmass = [1,\n", "[[entity]]\ntype = \"Crate\"\n", "[Crate.Nothing]\na = 1\n"}) {
            QApplication::clipboard()->setText(QLatin1String(text));
            f.panel->pasteValues();
            QCOMPARE(problems.size(), 1);
            problems.clear();
            QVERIFY(f.scene() == scene && f.definitions() == definitions);
        }

        // As new: with its settings, into all of the type that lacks it.
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        QTRY_VERIFY(f.panel->editor("Health", "maximum") != nullptr);
        f.panel->copyComponents("Health");
        f.selection.setEntities({"s", "t"}, QStringLiteral("test"), "s");
        QTRY_VERIFY(f.compares(2));
        QTRY_VERIFY(f.panel->editor("Health", "maximum") == nullptr);
        header = f.panel->findChild<SectionHeader*>(QStringLiteral("inspector.Body.header"));
        QTest::keyClick(header, Qt::Key_V, Qt::ControlModifier); // they have none: it is new
        QVERIFY2(f.definitions().find("[Stone.Health]\nmaximum = 40.0\n") != std::string::npos, f.definitions().c_str());
        QCOMPARE(problems.size(), 0);
        f.document.undoStack().undo();
        QVERIFY(f.scene() == scene && f.definitions() == definitions);
    }
    // Into the running world, which Stop forgets.
    void valuesArePastedIntoTheRunningWorld() {
        Fixture f;
        const std::string scene = f.scene();
        f.selection.setEntities({"b", "a"}, QStringLiteral("test"), "a");
        QTRY_VERIFY(f.compares(2));
        f.feed.post([](Session& s) { s.play(); });
        QTRY_COMPARE(f.feed.mode(), Mode::Play);
        QApplication::clipboard()->setText(QStringLiteral("[X.Health]\nmaximum = 12\n"));
        f.panel->pasteValues();
        QTRY_COMPARE(f.field("a", "Health", "maximum"), 12.0);
        QTRY_COMPARE(f.field("b", "Health", "maximum"), 12.0);
        QVERIFY(f.scene() == scene);
    }
    // A box has no radius: what has no effect is left out, unless it is said or searched for.
    // A long name has its unit in a second line, which is to be seen whole.
    void labelsOfTwoLinesHaveTheirRoom() {
        Fixture f(Fixture::Crates, Fixture::TwoCrates);
        f.panel->resize(360, 1200);
        f.panel->show();
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_VERIFY(f.panel->editor("Body", "linearVelocity") != nullptr);
        int seen = 0;
        for (const QLabel* label : f.panel->findChildren<QLabel*>())
            if (label->text().contains(QLatin1Char('\n')) && label->isVisible()) {
                QVERIFY2(label->height() >= label->sizeHint().height(), qPrintable(label->text()));
                ++seen;
            }
        QVERIFY(seen > 0);
    }

    void fieldsWithoutEffectAreLeftOut() {
        Fixture f(Fixture::Crates, QByteArray(Fixture::TwoCrates) + "[entity.Body]\nheight = 3.0\n");
        f.panel->resize(360, 1200);
        f.panel->show();
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_VERIFY(f.panel->editor("Body", "radius") != nullptr);
        const auto shown = [&f](const char* field) { return f.panel->editor("Body", field)->isVisible(); };
        QTRY_VERIFY(shown("size"));
        QTRY_VERIFY(!shown("radius") && !shown("height") && shown("mass"));
        auto* find = f.panel->findChild<QLineEdit*>(QStringLiteral("inspector.filter"));
        QVERIFY(find != nullptr);
        find->setText(QStringLiteral("radius"));
        QTRY_VERIFY(shown("radius"));
        QVERIFY(f.panel->editor("Body", "radius")->isReadOnly());
        QVERIFY(f.panel->editor("Body", "radius")->toolTip().contains(QStringLiteral("only with shape sphere, capsule or cylinder")));
        find->clear();
        QTRY_VERIFY(!shown("radius"));
        emit f.panel->editor("Body", "shape")->edited(Value(std::string("sphere")), true);
        QTRY_VERIFY(shown("radius") && !shown("size"));
        QVERIFY(!f.panel->editor("Body", "radius")->isReadOnly());
        // Of a sphere and a box both are shown; b says a height that has no effect.
        f.selection.setEntities({"a", "b"}, QStringLiteral("test"), "b");
        QTRY_VERIFY(f.compares(2));
        QTRY_VERIFY(shown("radius") && shown("size") && shown("height"));
        f.selection.setEntity("b", QStringLiteral("test"));
        QTRY_VERIFY(shown("height") && !shown("radius"));
        QVERIFY(f.panel->editor("Body", "height")->isReadOnly());
    }
    // Each condition of each component names a field beside it, and values that this field can have.
    void conditionsNameWhatThereIs() {
        Fixture f;
        std::size_t seen = 0;
        for (const ComponentType* component : f.project.content()->catalog->components)
            for (const FieldInfo& field : *component->settings)
                for (const FieldCondition& condition : field.conditions) {
                    ++seen;
                    const std::string at = component->name + "." + field.name;
                    const FieldInfo* decides = component->settings->find(condition.field);
                    QVERIFY2(decides != nullptr && decides != &field && !condition.values.empty(), at.c_str());
                    for (const std::string& value : condition.values)
                        QVERIFY2(decides->type == FieldType::Bool
                                     ? value == "true" || value == "false"
                                     : std::find(decides->choices.begin(), decides->choices.end(), value) != decides->choices.end(),
                                 (at + ": " + value).c_str());
                }
        QVERIFY(seen > 10);
    }
    // Ten thousand at once: one step, and undone to the byte.
    void tenThousandAtOnce() {
        constexpr int Count = 10000;
        QByteArray entities;
        std::vector<std::string> names;
        for (int i = 0; i < Count; ++i) {
            names.push_back("c" + std::to_string(i));
            entities += "\n[[entity]]\ntype = \"" + QByteArray(i % 2 == 0 ? "Crate" : "Stone") + "\"\nname = \"c" + QByteArray::number(i)
                        + "\"\nposition = [" + QByteArray::number(3 * (i % 100)) + ".0, 1.0, " + QByteArray::number(3 * (i / 100)) + ".0]\n";
        }
        entities += "\n[[entity]]\ntype = \"Crate\"\nname = \"other\"\nposition = [0.0, 9.0, 0.0]\n";
        Fixture f("[Crate]\n[Crate.Mesh]\n[Crate.Health]\nmaximum = 40\n[Stone]\n[Stone.Health]\n[Stone.Light]\n", entities);
        const std::string definitions = f.definitions();
        const std::string scene = f.scene();
        QSignalSpy said(f.panel.get(), &InspectorPanel::said);
        f.selection.setEntities(names, QStringLiteral("test"), "c0");
        QTRY_VERIFY_WITH_TIMEOUT(f.compares(Count), 60000);
        f.panel->addComponent(QStringLiteral("Light"));
        auto* question = f.panel->findChild<ScopeQuestion*>();
        QVERIFY(question != nullptr);
        question->findChild<QPushButton*>(QStringLiteral("scope.entity"))->click();
        QCOMPARE(QString::fromStdString(f.scene()).count(QStringLiteral("type = \"Crate_2\"\n")), Count / 2);
        QCOMPARE(taken(said), QStringLiteral("Added Light to 5000 entities; 5000 skipped: Stone has it already. Their type is now Crate_2 (extends Crate)."));
        QCOMPARE(f.document.undoStack().count(), 1);
        f.document.undoStack().undo();
        QVERIFY(f.scene() == scene && f.definitions() == definitions);
        QApplication::clipboard()->setText(QStringLiteral("[X.Health]\nmaximum = 12\ndeath = \"stay\"\n"));
        f.panel->pasteValues();
        QCOMPARE(QString::fromStdString(f.scene()).count(QStringLiteral("[entity.Health]\nmaximum = 12.0\ndeath = \"stay\"\n")), Count);
        QCOMPARE(f.document.undoStack().count(), 1);
        f.document.undoStack().undo();
        QVERIFY(f.scene() == scene);
        QTRY_VERIFY_WITH_TIMEOUT(f.compares(Count), 60000);
    }
    // A pinned setting has a second editor on top, which shows and changes the same.
    void favouritesStandOnTop() {
        Fixture f;
        f.panel->resize(360, 1200);
        f.panel->show();
        f.panel->setFavourites({QStringLiteral("Body.mass"), QStringLiteral("Light.range"), QStringLiteral("Nothing")});
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_VERIFY(f.panel->editor("Body", "mass") != nullptr);
        const auto pinned = [&f](const char* name) {
            return f.panel->findChild<FieldEditor*>(QStringLiteral("inspector.favourites.") + QLatin1String(name));
        };
        QVERIFY(pinned("Body.mass") != nullptr && pinned("Light.range") == nullptr);
        QTRY_COMPARE(pinned("Body.mass")->value(), Value(5.0));
        QTRY_VERIFY(pinned("Body.mass")->mapTo(f.panel.get(), QPoint()).y()
                    < f.panel->editor("", "position")->mapTo(f.panel.get(), QPoint()).y());
        emit pinned("Body.mass")->edited(Value(7.0), true);
        QTRY_COMPARE(f.panel->editor("Body", "mass")->value(), Value(7.0));
        QTRY_COMPARE(pinned("Body.mass")->origin(), FieldOrigin::Overridden);
        QVERIFY2(f.scene().find("mass = 7.0") != std::string::npos, f.scene().c_str());
        // From the menu of a row.
        QSignalSpy changed(f.panel.get(), &InspectorPanel::favouritesChanged);
        auto* section = f.panel->findChild<ComponentSection*>(QStringLiteral("inspector.Health"));
        emit section->rowMenuRequested(f.panel->editor("Health", "maximum")->field(), false, QPoint(10, 10));
        auto* menu = f.panel->findChild<QMenu*>(QStringLiteral("inspector.fieldMenu"));
        QVERIFY(menu != nullptr);
        menu->findChild<QAction*>(QStringLiteral("field.pin"))->trigger();
        menu->close();
        QCOMPARE(changed.size(), 1);
        QTRY_VERIFY(pinned("Health.maximum") != nullptr);
        QCOMPARE(f.panel->favourites().last(), QStringLiteral("Health.maximum"));
        f.panel->setFavourites({});
        QVERIFY(pinned("Body.mass") == nullptr);
    }
    // A right click anywhere on a field, not on its label alone.
    void everyEditorHasTheMenu() {
        Fixture f("[Crate]\n[Crate.Body]\nmass = 5.0\n[Crate.Mesh]\nmesh = "
                  "\"box\"\n[Crate.Light]\n[Crate.Sound]\n");
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_VERIFY(f.panel->editor("Sound", "gain") != nullptr);
        f.panel->resize(400, 3000);
        f.panel->show();
        QSet<int> kinds;
        for (const char* component : {"Body", "Mesh", "Light", "Sound"})
            for (const FieldInfo& field : *f.session.catalog().find(component)->settings) {
                FieldEditor* const editor = f.panel->editor(component, field.name);
                QVERIFY2(editor != nullptr, field.name.c_str());
                kinds.insert(static_cast<int>(field.type));
                for (QWidget* part : editor->findChildren<QWidget*>()) {
                    if (part->isWindow() || !part->isVisibleTo(f.panel.get()))
                        continue;
                    const QPoint at = part->rect().center();
                    QContextMenuEvent event(QContextMenuEvent::Mouse, at, part->mapToGlobal(at));
                    QApplication::sendEvent(part, &event);
                    auto* menu = f.panel->findChild<QMenu*>(QStringLiteral("inspector.fieldMenu"));
                    QVERIFY2(menu != nullptr,
                             qPrintable(QStringLiteral("%1.%2: %3 %4")
                                            .arg(QLatin1String(component), QString::fromStdString(field.name),
                                                 QLatin1String(part->metaObject()->className()),
                                                 part->objectName())));
                    QVERIFY(menu->findChild<QAction*>(QStringLiteral("field.whoSets")) != nullptr);
                    delete menu;
                    QVERIFY(QApplication::activePopupWidget() == nullptr);
                }
            }
        for (const FieldType type :
             {FieldType::Bool, FieldType::Float, FieldType::Vector3, FieldType::Enum, FieldType::String})
            QVERIFY2(kinds.contains(static_cast<int>(type)),
                     qPrintable(QString::number(static_cast<int>(type))));
    }
    // What is typed can still be cut and pasted from it.
    void theMenuOfATextHasCutAndPaste() {
        Fixture f("[Crate]\n[Crate.Mesh]\nmesh = \"box\"\n");
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_VERIFY(f.panel->editor("Mesh", "mesh") != nullptr);
        f.panel->resize(400, 1500);
        f.panel->show();
        qApp->setActiveWindow(f.panel.get());
        auto* line = f.panel->editor("Mesh", "mesh")->findChild<QLineEdit*>();
        QVERIFY(line != nullptr);
        const auto menu = [&] {
            const QPoint at = line->rect().center();
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, line->mapToGlobal(at));
            QApplication::sendEvent(line, &event);
            return std::unique_ptr<QMenu>(f.panel->findChild<QMenu*>(QStringLiteral("inspector.fieldMenu")));
        };
        QVERIFY(menu()->findChild<QAction*>(QStringLiteral("text.paste"))
                == nullptr); // nothing is typed there
        line->setFocus();
        line->selectAll();
        menu()->findChild<QAction*>(QStringLiteral("text.copy"))->trigger();
        QCOMPARE(QApplication::clipboard()->text(), line->text());
        line->deselect();
        QVERIFY(!menu()->findChild<QAction*>(QStringLiteral("text.cut"))->isEnabled());
    }
    // What gives a setting its value is said, with the place, and who edited it if the undo history knows.
    void whoSetsASetting() {
        Fixture f(
            "[Base]\n[Base.Body]\nmass = 2.0\n[Crate]\nextends = \"Base\"\n[Crate.Health]\nmaximum = 40\n");
        QSignalSpy told(f.panel.get(), &InspectorPanel::settingExplained);
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_VERIFY(f.panel->editor("Health", "maximum") != nullptr);
        const auto ask = [&](const char* component, const char* field) {
            auto* section = f.panel->findChild<ComponentSection*>(QStringLiteral("inspector.")
                                                                  + QLatin1String(component));
            emit section->rowMenuRequested(f.panel->editor(component, field)->field(), false, QPoint(10, 10));
            auto* menu = f.panel->findChild<QMenu*>(QStringLiteral("inspector.fieldMenu"));
            menu->findChild<QAction*>(QStringLiteral("field.whoSets"))->trigger();
            delete menu;
            return taken(told).section(QLatin1Char('\n'), 1);
        };
        const QString people = QStringLiteral("No message changes a setting");
        const QString none = QStringLiteral("The undo history has no step of its own for it.");
        QString said = ask("Health", "maximum");
        QVERIFY2(said.startsWith(QStringLiteral("e.toml, line 7 says it for all of Crate. ") + none)
                     && said.contains(people),
                 qPrintable(said));
        said = ask("Body", "mass");
        QVERIFY2(said.startsWith(QStringLiteral("e.toml, line 3 says it for all of Base. ") + none),
                 qPrintable(said));
        said = ask("Body", "friction");
        QVERIFY2(said.startsWith(QStringLiteral("No file says it: it has the default of Body. ") + none),
                 qPrintable(said));
        emit f.panel->editor("Health", "maximum")->edited(Value(30.0), true);
        said = ask("Health", "maximum");
        QVERIFY2(said.startsWith(QStringLiteral("s.scene.toml, line "))
                     && said.contains(
                         QStringLiteral("overrides it for a. The undo history has “Set maximum of a”.")),
                 qPrintable(said));
        f.selection.setEntity("b", QStringLiteral("test")); // another one of the type knows nothing of that
        QTRY_COMPARE(f.panel->shownEntity(), std::string("b"));
        said = ask("Health", "maximum");
        QVERIFY2(said.startsWith(QStringLiteral("e.toml, line 7 says it for all of Crate. ") + none),
                 qPrintable(said));
        f.panel->setScope(EditScope::AllOfType);
        emit f.panel->editor("Health", "maximum")->edited(Value(20.0), true);
        said = ask("Health", "maximum");
        QVERIFY2(said.contains(
                     QStringLiteral("for all of Crate. The undo history has “Set maximum of all of Crate”.")),
                 qPrintable(said));
        f.selection.setEntity("a",
                              QStringLiteral("test")); // and the type nothing of the one that overrides it
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        said = ask("Health", "maximum");
        QVERIFY2(said.contains(QStringLiteral("has “Set maximum of a”")), qPrintable(said));
        f.selection.setEntity("b", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("b"));
        f.document.undoStack().undo(); // what is undone is not said
        QVERIFY(ask("Health", "maximum").contains(none));
        // Where the text is faulty its lines are not known.
        QVERIFY(f.document.edit({"e.toml", {{0, {}, "[\n"}}, QStringLiteral("Break"), {}}));
        said = ask("Health", "maximum");
        QVERIFY2(said.startsWith(QStringLiteral("e.toml says it for all of Crate. ")), qPrintable(said));
        f.document.undoStack().undo();
        f.panel->setScope(EditScope::Selected);
        f.feed.post([](Session& session) { session.play(); });
        QTRY_VERIFY(f.feed.mode() == Mode::Play);
        QTRY_VERIFY(!f.panel->editor("Health", "maximum")->isReadOnly());
        emit f.panel->editor("Health", "maximum")->edited(Value(10.0), true);
        QTRY_VERIFY(ask("Health", "maximum").startsWith(QStringLiteral("A person set it in this run")));
    }
    // Of two meshes the one that is meant is changed, for all of the type.
    void theRightOneOfSeveralIsChanged() {
        Fixture f;
        const std::string before = f.definitions();
        QSignalSpy problems(f.panel.get(), &InspectorPanel::problem);
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_VERIFY(f.panel->editor("Mesh#2", "mesh") != nullptr);
        QVERIFY(f.panel->editor("Mesh#2", "mesh")->isReadOnly());
        f.panel->setScope(EditScope::AllOfType);
        QVERIFY(!f.panel->editor("Mesh#2", "mesh")->isReadOnly());
        QCOMPARE(f.panel->editor("Mesh#2", "mesh")->value(), Value(std::string("cone")));
        QCOMPARE(f.panel->editor("Mesh", "mesh")->value(), Value(std::string("box")));
        emit f.panel->editor("Mesh#2", "mesh")->edited(Value(std::string("wedge")), true);
        QVERIFY2(f.definitions().ends_with("[[Crate.Mesh]]\nmesh = \"box\"\n[[Crate.Mesh]]\nmesh = \"wedge\"\n"), f.definitions().c_str());
        QTRY_COMPARE(f.panel->editor("Mesh#2", "mesh")->value(), Value(std::string("wedge")));
        emit f.panel->editor("Mesh", "roughness")->edited(Value(0.25), true);
        QVERIFY2(f.definitions().find("mesh = \"box\"\nroughness = 0.25\n[[Crate.Mesh]]") != std::string::npos, f.definitions().c_str());
        QTRY_COMPARE(f.panel->editor("Mesh", "roughness")->origin(), FieldOrigin::Overridden);
        QVERIFY(f.panel->editor("Mesh#2", "roughness")->origin() == FieldOrigin::Default);
        emit f.panel->editor("Mesh", "roughness")->revertRequested();
        QVERIFY(f.definitions().find("roughness") == std::string::npos);
        f.document.undoStack().setIndex(0);
        QVERIFY(f.definitions() == before);
        QCOMPARE(problems.size(), 0);
    }
    // The lock keeps the entities until they are gone.
    void aLockKeepsTheEntities() {
        Fixture f;
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        QSignalSpy changed(f.panel.get(), &InspectorPanel::lockChanged);
        auto* lock = f.panel->findChild<QToolButton*>(QStringLiteral("inspector.lock"));
        lock->click();
        QVERIFY(f.panel->isLocked());
        f.selection.setEntity("b", QStringLiteral("test"));
        QTRY_VERIFY(f.inspected("a") != nullptr);
        QCOMPARE(f.panel->shownEntity(), std::string("a"));
        emit f.panel->editor("Body", "mass")->edited(Value(8.0), true);
        QVERIFY2(f.scene().find("name = \"a\"\nposition = [0.0, 1.0, 0.0]\n[entity.Body]\nmass = 8.0") != std::string::npos, f.scene().c_str());
        QVERIFY(f.panel->rename("a", "gate"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("gate"));
        QVERIFY(f.panel->isLocked());
        const Result<definition::TextEdits> gone = definition::removeInstances(f.scene(), {"gate"});
        QVERIFY(f.document.edit({"s.scene.toml", *gone, QStringLiteral("Delete"), {}}));
        QTRY_VERIFY(!f.panel->isLocked());
        QTRY_COMPARE(f.panel->shownEntity(), std::string("b"));
        QCOMPARE(changed.size(), 2);
        QVERIFY(!lock->isChecked());
    }
    // A number of the place is set or changed in all of them, and the other numbers stay; one step, undone to the byte.
    void thePlaceOfSeveralFollowsTheSameRule() {
        Fixture f;
        f.panel->resize(560, 600); // room for all decimals of three numbers in a row
        f.panel->show();
        const std::string before = f.scene();
        f.selection.setEntities({"a", "b"}, QStringLiteral("test"));
        QTRY_VERIFY(f.compares(2));
        QTRY_COMPARE(f.number("", "position", "input.x")->text(), QStringLiteral("mixed"));
        QCOMPARE(f.number("", "position", "input.y")->text(), QStringLiteral("1.00"));
        f.type(f.number("", "position", "input.y"), "2.5");
        QVERIFY2(f.scene().find("[0.0, 2.5, 0.0]") != std::string::npos && f.scene().find("[3.0, 2.5, 0.0]") != std::string::npos,
                 f.scene().c_str());
        QCOMPARE(f.document.undoStack().index(), 1);
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("Set position of 2 entities"));
        f.type(f.number("", "position", "input.x"), "+= 10");
        QVERIFY2(f.scene().find("[10.0, 2.5, 0.0]") != std::string::npos && f.scene().find("[13.0, 2.5, 0.0]") != std::string::npos,
                 f.scene().c_str());
        // A drag: always from where they were at its start.
        FieldEditor* position = f.panel->editor("", "position");
        emit position->operated({FieldChange::Kind::Add, 0, {}, 1.0}, false);
        emit position->operated({FieldChange::Kind::Add, 0, {}, 2.0}, false);
        emit position->operated({FieldChange::Kind::Add, 0, {}, -10.0}, true);
        QVERIFY2(f.scene().find("[0.0, 2.5, 0.0]") != std::string::npos && f.scene().find("[3.0, 2.5, 0.0]") != std::string::npos,
                 f.scene().c_str());
        QCOMPARE(f.document.undoStack().index(), 3);
        QTRY_VERIFY(f.inspected("b") != nullptr && f.inspected("b")->pose.position == Vec3(3, 2.5F, 0));
        f.type(f.number("", "scale", "input.z"), "*= 2");
        QVERIFY2(f.scene().find("scale = [1.0, 1.0, 2.0]") != std::string::npos, f.scene().c_str());
        f.document.undoStack().setIndex(0);
        QVERIFY(f.scene() == before);
    }
    // Settings too; a result that is out of range for one of them is refused for all.
    void operatorsActOnEach() {
        Fixture f(Fixture::Crates, QByteArray(Fixture::TwoCrates) + "[entity.Body]\nmass = 20.0\n");
        f.panel->show();
        const std::string before = f.scene();
        f.selection.setEntities({"b", "a"}, QStringLiteral("test"), "a");
        QTRY_VERIFY(f.compares(2));
        QTRY_COMPARE(f.number("Body", "mass")->text(), QStringLiteral("mixed"));
        QVERIFY(f.panel->editor("Body", "mass")->origin() == FieldOrigin::Overridden); // by one of them
        f.type(f.number("Body", "mass"), "*= 2");
        QTRY_COMPARE(f.field("a", "Body", "mass"), 10.0);
        QTRY_COMPARE(f.field("b", "Body", "mass"), 40.0);
        QCOMPARE(f.document.undoStack().index(), 1);
        const std::string doubled = f.scene();
        QSignalSpy problems(f.panel.get(), &InspectorPanel::problem);
        f.type(f.number("Body", "mass"), "-= 12");
        QCOMPARE(problems.size(), 1);
        QVERIFY2(problems[0][0].toString().startsWith(QStringLiteral("a: ")), qPrintable(problems[0][0].toString()));
        QVERIFY(f.scene() == doubled);
        f.document.undoStack().undo();
        QVERIFY(f.scene() == before);
        f.project.refresh();
        // In the running world alone.
        f.feed.post([](Session& s) { s.play(); });
        QTRY_COMPARE(f.feed.mode(), Mode::Play);
        QTRY_COMPARE(f.field("b", "Body", "mass"), 20.0);
        QTRY_VERIFY(f.number("Body", "mass")->text() == QStringLiteral("mixed"));
        f.type(f.number("Body", "mass"), "+= 1");
        QTRY_COMPARE(f.field("a", "Body", "mass"), 6.0);
        QTRY_COMPARE(f.field("b", "Body", "mass"), 21.0);
        QVERIFY(f.scene() == before);
    }
    // Of one kind, its count and type stand in the head already.
    void severalOfOneKindNeedNoNote() {
        Fixture f;
        f.selection.setEntities({"a", "b"}, QStringLiteral("test"));
        QTRY_VERIFY(f.compares(2));
        QCOMPARE(f.panel->findChild<QToolButton*>(QStringLiteral("inspector.type"))->text(), QStringLiteral("Crate"));
        QCOMPARE(f.panel->findChild<QLabel*>(QStringLiteral("inspector.note"))->text().trimmed(), QString());
    }

    // Of several entities every component is there that one of them has, and a change reaches those that have it.
    void severalShowAllTheirComponents() {
        Fixture f(QByteArray(Fixture::Crates) + "[Lamp]\n[Lamp.Light]\nintensity = 2.0\n[Lamp.Health]\nmaximum = 9\n",
                  QByteArray(Fixture::TwoCrates) + "\n[[entity]]\ntype = \"Lamp\"\nname = \"lamp\"\n");
        const std::string before = f.scene();
        f.selection.setEntities({"lamp", "b", "a"}, QStringLiteral("test"));
        QTRY_VERIFY(f.compares(3));
        QTRY_VERIFY(f.panel->editor("Light", "intensity") != nullptr);
        QCOMPARE(f.panel->editor("Light", "intensity")->value(), Value(2.0));
        QVERIFY(!f.panel->editor("Light", "intensity")->isReadOnly());
        QVERIFY(f.panel->editor("Health", "maximum")->isMixed());
        const auto header = [&](const char* name) { return f.panel->findChild<QAbstractButton*>(QLatin1String(name))->text(); };
        QVERIFY2(header("inspector.Light.header").contains(QStringLiteral("1 of 3")), qPrintable(header("inspector.Light.header")));
        QCOMPARE(f.panel->findChild<QLineEdit*>(QStringLiteral("inspector.name"))->text(), QStringLiteral("3 entities"));
        QCOMPARE(f.panel->findChild<QToolButton*>(QStringLiteral("inspector.type"))->text(), QStringLiteral("2 types"));
        const QString note = f.panel->findChild<QLabel*>(QStringLiteral("inspector.note"))->text();
        QVERIFY2(note.contains(QStringLiteral("2 Crate")) && note.contains(QStringLiteral("1 Lamp")), qPrintable(note));
        // What was meant for all of these types is not meant for all of others.
        f.panel->setScope(EditScope::AllOfType);
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->findChild<QToolButton*>(QStringLiteral("inspector.type"))->text(), QStringLiteral("Crate"));
        QVERIFY(f.panel->scope() == EditScope::Selected);
        f.selection.setEntities({"lamp", "b", "a"}, QStringLiteral("test"));
        QTRY_VERIFY(f.compares(3));
        QTRY_VERIFY(f.panel->editor("Light", "intensity") != nullptr);
        emit f.panel->editor("Light", "intensity")->edited(Value(3.0), true);
        QVERIFY2(f.scene().find("name = \"lamp\"\n[entity.Light]\nintensity = 3.0") != std::string::npos, f.scene().c_str());
        QCOMPARE(QString::fromStdString(f.scene()).count(QStringLiteral("[entity.")), 1);
        emit f.panel->editor("Health", "maximum")->edited(Value(5.0), true);
        QCOMPARE(QString::fromStdString(f.scene()).count(QStringLiteral("maximum = 5.0")), 3);
        f.document.undoStack().setIndex(0);
        QVERIFY(f.scene() == before);
    }
    // All of the type: the definition changes, not the scene; what an entity overrides stays.
    void aChangeCanBeMeantForAllOfTheType() {
        Fixture f(Fixture::Crates, QByteArray(Fixture::TwoCrates) + "[entity.Body]\nmass = 20.0\n");
        const std::string scene = f.scene();
        const std::string definitions = f.definitions();
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        auto* all = f.panel->findChild<QToolButton*>(QStringLiteral("inspector.scope.all"));
        QCOMPARE(all->text(), QStringLiteral("All of Crate"));
        QCOMPARE(f.panel->findChild<QLabel*>(QStringLiteral("inspector.users"))->text(), QStringLiteral("used by 2 entities"));
        all->click();
        QVERIFY(f.panel->scope() == EditScope::AllOfType);
        QVERIFY(f.panel->editor("", "position")->isReadOnly()); // a place is the entity's own
        FieldEditor* mass = f.panel->editor("Body", "mass");
        QCOMPARE(mass->origin(), FieldOrigin::Overridden); // the type says it
        QCOMPARE(f.panel->editor("Body", "friction")->origin(), FieldOrigin::Default);
        emit mass->edited(Value(6.0), false);
        emit mass->edited(Value(8.0), true);
        QVERIFY2(f.definitions().find("mass = 8.0") != std::string::npos, f.definitions().c_str());
        QVERIFY(f.scene() == scene);
        QCOMPARE(f.document.undoStack().index(), 1);
        QTRY_COMPARE(f.field("a", "Body", "mass"), 8.0);
        emit f.panel->editor("Body", "friction")->edited(Value(0.25), true);
        f.selection.setEntity("b", QStringLiteral("test")); // of the same type
        QTRY_COMPARE(f.field("b", "Body", "friction"), 0.25);
        QCOMPARE(f.field("b", "Body", "mass"), 20.0); // overridden
        QTRY_COMPARE(f.panel->shownEntity(), std::string("b"));
        QVERIFY(f.panel->scope() == EditScope::AllOfType);
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        QTRY_COMPARE(f.panel->editor("Body", "friction")->origin(), FieldOrigin::Overridden);
        emit f.panel->editor("Body", "friction")->revertRequested();
        QVERIFY(f.definitions().find("friction") == std::string::npos);
        QTRY_COMPARE(f.panel->editor("Body", "friction")->origin(), FieldOrigin::Default);
        f.document.undoStack().setIndex(0);
        QVERIFY(f.definitions() == definitions && f.scene() == scene);
    }
    // What an entity overrides becomes its type's, or a type of its own; both files in one step, undone to the byte.
    void overridesGoToTheDefinition() {
        Fixture f(Fixture::Crates, QByteArray(Fixture::TwoCrates) + "[entity.Body]\nmass = 20.0\nfriction = 0.25\n[entity.Health]\nmaximum = 3.0\n");
        const std::string scene = f.scene();
        const std::string definitions = f.definitions();
        f.selection.setEntity("b", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("b"));
        const auto choose = [&](const char* button, const char* action) {
            auto* menu = f.panel->findChild<QToolButton*>(QLatin1String(button))->menu();
            emit menu->aboutToShow();
            auto* found = menu->findChild<QAction*>(QLatin1String(action));
            QVERIFY(found != nullptr && found->isEnabled());
            found->trigger();
        };
        choose("inspector.Body.menu", "overrides.apply");
        QVERIFY2(f.definitions().find("[Crate.Body]\nmass = 20.0\nfriction = 0.25\n") != std::string::npos, f.definitions().c_str());
        QVERIFY2(f.scene().find("[entity.Body]") == std::string::npos && f.scene().find("[entity.Health]") != std::string::npos, f.scene().c_str());
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.field("a", "Body", "mass"), 20.0);
        f.selection.setEntity("b", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("b"));
        QCOMPARE(f.document.undoStack().index(), 1);
        f.document.undoStack().undo();
        QVERIFY(f.definitions() == definitions && f.scene() == scene);
        f.project.refresh();

        choose("inspector.more", "overrides.revert");
        QVERIFY2(f.scene().find("[entity.") == std::string::npos, f.scene().c_str());
        QVERIFY(f.definitions() == definitions);
        f.document.undoStack().undo();
        QVERIFY(f.scene() == scene);
        f.project.refresh();

        // All that b has is written, what the scene says already stays as it is; a change of the type reaches only a.
        choose("inspector.Body.menu", "overrides.write");
        QVERIFY2(f.scene().find("[entity.Body]\nmass = 20.0\nfriction = 0.25\n") != std::string::npos, f.scene().c_str());
        QVERIFY2(f.scene().find("restitution = ") != std::string::npos, f.scene().c_str());
        QVERIFY(f.definitions() == definitions);
        QTRY_VERIFY(f.panel->editor("Body", "restitution")->origin() == FieldOrigin::Overridden);
        QVERIFY(!f.project.problems().hasErrors());
        f.document.undoStack().undo();
        QVERIFY(f.scene() == scene);
        f.project.refresh();

        choose("inspector.more", "entity.newType");
        auto* dialog = f.panel->findChild<NewTypeDialog*>();
        if (dialog == nullptr)
            dialog = f.panel->window()->findChild<NewTypeDialog*>();
        QVERIFY(dialog != nullptr);
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("newType.name"));
        auto* make = dialog->findChild<QPushButton*>(QStringLiteral("newType.make"));
        QCOMPARE(name->text(), QStringLiteral("B"));
        for (const char* wrong : {"", "2B", "Crate", "Box", "a b"}) {
            name->setText(QLatin1String(wrong));
            QVERIFY2(!make->isEnabled(), wrong);
        }
        name->setText(QStringLiteral("Big"));
        make->click();
        QVERIFY2(f.definitions().find("[Big]\nextends = \"Crate\"\n[Big.Body]\nmass = 20.0\nfriction = 0.25\n[Big.Health]\nmaximum = 3.0\n") != std::string::npos,
                 f.definitions().c_str());
        QVERIFY2(f.scene().find("type = \"Big\"\nname = \"b\" # second") != std::string::npos && f.scene().find("[entity.") == std::string::npos,
                 f.scene().c_str());
        QTRY_VERIFY(f.inspected("b") != nullptr && f.inspected("b")->type == "Big");
        QCOMPARE(f.field("b", "Body", "mass"), 20.0);
        QVERIFY(f.panel->scope() == EditScope::Selected);
        QVERIFY(!f.project.problems().hasErrors());
        f.document.undoStack().undo();
        QVERIFY(f.definitions() == definitions && f.scene() == scene);
    }
    // The first change for all of a built-in type writes it into the project, whose own it is from then on.
    void aBuiltInTypeIsTakenOver() {
        Fixture f("# nothing yet\n", "\n[[entity]]\ntype = \"Box\"\nname = \"a\"\n\n[[entity]]\ntype = \"Sphere\"\nname = \"b\"\n");
        const std::string definitions = f.definitions();
        f.selection.setEntities({"b", "a"}, QStringLiteral("test"));
        QTRY_VERIFY(f.compares(2));
        f.panel->setScope(EditScope::AllOfType);
        QTRY_VERIFY(f.panel->editor("Body", "mass") != nullptr);
        emit f.panel->editor("Body", "mass")->edited(Value(3.0), true);
        QVERIFY2(f.definitions().starts_with("# nothing yet\n") && f.definitions().find("[Box.Body]\nshape = \"box\"\nsize = [1.0, 1.0, 1.0]\nmass = 3.0\n") != std::string::npos
                     && f.definitions().find("[Sphere.Body]\nshape = \"sphere\"\nradius = 0.5\nmass = 3.0\n") != std::string::npos,
                 f.definitions().c_str());
        QTRY_COMPARE(f.field("a", "Body", "mass"), 3.0);
        QTRY_COMPARE(f.field("b", "Body", "mass"), 3.0);
        QVERIFY(!f.project.problems().hasErrors());
        QVERIFY(!f.project.content()->definitions->find("Box")->builtIn);
        emit f.panel->editor("Body", "mass")->edited(Value(4.0), true);
        QCOMPARE(QString::fromStdString(f.definitions()).count(QStringLiteral("[Box]")), 1);
        f.document.undoStack().setIndex(0);
        QVERIFY(f.definitions() == definitions);
        f.project.refresh();
        QVERIFY(f.project.content()->definitions->find("Box")->builtIn);
    }
    void placeIsAnEditOfTheScene() {
        Fixture f;
        f.selection.setEntity("a", QStringLiteral("test"));
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        emit f.panel->editor("", "position")->edited(Value(Vec3(1.5F, 2, -3)), true);
        QVERIFY2(f.scene().find("position = [1.5, 2.0, -3.0]") != std::string::npos, f.scene().c_str());
        QTRY_VERIFY(f.inspected("a") != nullptr && f.inspected("a")->pose.position == Vec3(1.5F, 2, -3));
    }
};

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
