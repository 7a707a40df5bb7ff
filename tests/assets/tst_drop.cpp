// A file of the project dropped where it is used: the scene, while stopped and while it runs, and a field.

#include "tests/assets/asset_fixture.h"

#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>

#include "engine/components/looks.h"
#include "widgets/common/asset_drag.h"
#include "widgets/common/field_editor.h"
#include "widgets/common/selection.h"
#include "widgets/viewport/entity_editor.h"

using namespace sbx;
using namespace sbx::ui;
using namespace sbx::ui::test;

namespace {
void drop(QWidget& on, const QString& asset) {
    QMimeData data;
    data.setData(QString::fromLatin1(AssetMimeType), asset.toUtf8());
    QDragEnterEvent enter(on.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&on, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(on.rect().center()), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&on, &event);
}
} // namespace

class TestDrop : public QObject {
    Q_OBJECT
private slots:
    // One step of undo makes an entity of a built-in type with the file, named after it.
    void intoTheScene() {
        AssetFixture f;
        f.open();
        Selection selection;
        EntityEditor editor(f.session, f.document, selection);
        const std::string before = f.document.text("s.scene.toml");
        Result<std::string> made = editor.createOf("meshes/rock.obj", Vec3(1.0F, 2.0F, 3.0F));
        QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
        QCOMPARE(*made, std::string("rock"));
        QCOMPARE(f.document.undoStack().count(), 1);
        f.project.refresh();
        QVERIFY(f.project.isCurrent());
        QVERIFY(f.project.problems().items.empty());
        f.turn();
        QVERIFY(f.session.world().find("rock"));
        QCOMPARE(f.session.snapshot()->scene->instances.size(), std::size_t{2});
        f.document.undoStack().undo();
        QCOMPARE(f.document.text("s.scene.toml"), before);
        made = editor.createOf("sounds/bell.wav", Vec3(0.0F));
        QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
        f.project.refresh();
        QVERIFY(f.project.isCurrent() && f.project.problems().items.empty());
        const QString scene = QString::fromStdString(f.document.text("s.scene.toml"));
        QVERIFY2(scene.contains(QStringLiteral("file = \"sounds/bell.wav\"")) && scene.contains(QStringLiteral("source = \"file\"")), qPrintable(scene));
        QVERIFY(!editor.createOf("notes.txt", Vec3(0.0F)).ok());
        QCOMPARE(f.document.undoStack().count(), 1);
    }

    // While the world runs it changes that world alone.
    void intoTheRunningWorld() {
        AssetFixture f;
        f.open();
        Selection selection;
        EntityEditor editor(f.session, f.document, selection);
        f.session.play();
        f.turn();
        editor.setMode(Mode::Play);
        const std::string before = f.document.text("s.scene.toml");
        QVERIFY(editor.createOf("meshes/spare.obj", Vec3(0.0F)).ok());
        f.turn();
        QCOMPARE(editor.takeMade().size(), std::size_t{1});
        QCOMPARE(f.session.snapshot()->scene->instances.size(), std::size_t{2});
        QCOMPARE(f.document.text("s.scene.toml"), before);
    }

    // A type of the project that has taken the built-in one's name, and cannot show a file.
    void aTypeThatCannotIsSaid() {
        AssetFixture f;
        f.write(QStringLiteral("e.toml"), "[Mesh]\n[Mesh.Health]\n");
        f.write(QStringLiteral("s.scene.toml"), "[scene]\nname = \"S\"\n");
        f.open();
        Selection selection;
        EntityEditor editor(f.session, f.document, selection);
        const Result<std::string> made = editor.createOf("meshes/rock.obj", Vec3(0.0F));
        QVERIFY(!made.ok() && made.error().message.find("no component Mesh") != std::string::npos);
    }

    void ontoAField() {
        AssetFixture f;
        const definition::ComponentSchema* mesh = f.session.catalog().schema.find("Mesh");
        QVERIFY(mesh != nullptr);
        std::unique_ptr<FieldEditor> editor(FieldEditor::create(*mesh->settings->find("mesh"), f.theme));
        editor->setValue(Value(std::string("box")));
        editor->show();
        QSignalSpy edited(editor.get(), &FieldEditor::edited);
        drop(*editor, QStringLiteral("sounds/bell.wav"));
        QCOMPARE(edited.count(), 0);
        QVERIFY2(editor->problem().contains(QStringLiteral("no mesh")), qPrintable(editor->problem()));
        drop(*editor, QStringLiteral("meshes/rock.obj"));
        QCOMPARE(edited.count(), 1);
        QCOMPARE(std::get<std::string>(editor->value()), std::string("meshes/rock.obj"));
        QVERIFY(editor->problem().isEmpty());
    }
};

QTEST_MAIN(TestDrop)
#include "tst_drop.moc"
