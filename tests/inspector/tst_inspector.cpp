// The inspector over a real session and document, without a window manager.

#include <QtTest>

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
