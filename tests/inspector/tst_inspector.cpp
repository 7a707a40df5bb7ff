// The inspector over a real session and document, without a window manager.

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QtTest>

#include "engine/session/catalog.h"
#include "engine/session/simulation_thread.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/inspector/inspector_panel.h"

using namespace sbx;
using namespace sbx::ui;

namespace {
void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

struct Fixture {
    QTemporaryDir dir;
    Log log;
    Session session{log};
    Theme theme;
    SimulationThread thread{session};
    SessionFeed feed{session};
    Document document{dir.filePath(QStringLiteral("state"))};
    ProjectModel project{document, feed};
    Selection selection;
    std::unique_ptr<InspectorPanel> panel;

    Fixture() {
        QDir().mkpath(dir.filePath(QStringLiteral("p")));
        write(dir.filePath(QStringLiteral("p/project.toml")),
              "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n");
        write(dir.filePath(QStringLiteral("p/e.toml")),
              "[Crate]\n[Crate.Body]\nmass = 5.0\n[Crate.Health]\nmaximum = 40\n[[Crate.Mesh]]\nmesh = "
              "\"box\"\n[[Crate.Mesh]]\nmesh = \"cone\"\n");
        write(dir.filePath(QStringLiteral("p/s.scene.toml")),
              "[scene]\nname = \"S\"\n\n# first\n[[entity]]\ntype = \"Crate\"\nname = \"a\"\nposition = "
              "[0.0, 1.0, 0.0]\n\n"
              "[[entity]]\ntype = \"Crate\"\nname = \"b\" # second\nposition = [3.0, 1.0, 0.0]\n");
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
            auto* menu = f.panel->findChild<QMenu*>(QStringLiteral("inspector.scope"));
            QVERIFY(menu != nullptr);
            menu->findChild<QAction*>(QLatin1String(scope))->trigger();
            menu->close();
            QTRY_VERIFY(f.panel->findChild<QMenu*>(QStringLiteral("inspector.scope")) == nullptr);
        };
        f.panel->show();
        f.selection.setEntities({"b", "a"}, QStringLiteral("test"), "a");
        QTRY_COMPARE(f.panel->shownEntity(), std::string("a"));
        f.panel->addComponent(QStringLiteral("Light"));
        choose("scope.type");
        QVERIFY2(definitions().find("[Crate.Light]") != std::string::npos, definitions().c_str());
        QCOMPARE(f.scene(), scene);
        QTRY_VERIFY(has("a", "Light") && has("b", "Light"));
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("Add Light to Crate"));
        f.document.undoStack().undo();
        QVERIFY(definitions() == before);
        QTRY_VERIFY(has("a", "Body") && !has("a", "Light"));

        f.panel->addComponent(QStringLiteral("Light"));
        choose("scope.entity");
        QVERIFY2(definitions().find("[Crate_2]\nextends = \"Crate\"\n[Crate_2.Light]") != std::string::npos, definitions().c_str());
        QVERIFY2(f.scene().find("type = \"Crate_2\"\nname = \"a\"") != std::string::npos, f.scene().c_str());
        QTRY_VERIFY(has("a", "Light") && has("b", "Body") && !has("b", "Light"));
        f.document.undoStack().undo();
        QVERIFY(definitions() == before && f.scene() == scene);

        // Removing takes the overrides along.
        FieldEditor* maximum = nullptr;
        QTRY_VERIFY((maximum = f.panel->editor("Health", "maximum")) != nullptr);
        QTRY_VERIFY(!has("a", "Light"));
        emit f.panel->editor("Health", "maximum")->edited(Value(7.0), true);
        QTRY_COMPARE(f.field("b", "Health", "maximum"), 7.0);
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
        QTRY_VERIFY(has("a", "Body") && !has("a", "Health") && has("b", "Health"));
        QVERIFY2(definitions().find("[Crate_2.Health]\nenabled = false") != std::string::npos, definitions().c_str());
        QVERIFY(!f.project.problems().hasErrors());
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
