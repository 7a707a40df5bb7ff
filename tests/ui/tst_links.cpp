// References between entities on the real window: their lines and labels in the picture, and the keys and menus that follow them. Wants a
// display. Leaves pictures in the build folder's screenshots/.

#include <QApplication>
#include <QDir>
#include <QMenu>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/project_templates.h"
#include "engine/render/camera.h"
#include "tests/event_loop.h"
#include "tests/folders.h"
#include "widgets/common/document.h"
#include "widgets/common/selection.h"
#include "widgets/viewport/link_labels.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace sbx;

namespace {

constexpr int Patience = 60000; // ms; a loaded machine draws slowly
const QString Test = QStringLiteral("test");

const std::string Types = "[Crate]\n[Crate.Body]\nmotion = \"static\"\n[Crate.Mesh]\n"
                          "[Sensor]\n[Sensor.Body]\nmotion = \"static\"\ntrigger = true\n[Sensor.Trigger]\ntarget = \"near\"\n";

std::string entity(const char* type, const std::string& name, const std::string& position, const std::string& more = {}) {
    return std::string("\n[[entity]]\ntype = \"") + type + "\"\nname = \"" + name + "\"\nposition = " + position + "\n" + more;
}

const std::string Scene = "[scene]\nname = \"S\"\n" + entity("Crate", "near", "[3.0, 0.5, 0.0]") + entity("Crate", "far", "[400.0, 0.5, 0.0]")
                          + entity("Sensor", "sensor", "[-3.0, 0.5, 0.0]")
                          + entity("Sensor", "looks_far", "[-3.0, 0.5, 3.0]", "[entity.Trigger]\ntarget = \"far\"\n")
                          + entity("Sensor", "lost", "[4.0, 0.5, 4.0]", "[entity.Trigger]\ntarget = \"nobody\"\n");

using Names = std::vector<std::string>;

} // namespace

class TestUiLinks : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    editor::MainWindow& window() { return m_editor->window(); }
    ui::Selection& selection() { return m_editor->selection(); }
    ui::ViewportPanel& viewport() { return window().viewport(); }
    ui::ViewportView& view() { return viewport().view(); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&view(), key, modifiers); }
    void select(const char* name) {
        selection().setEntity(name, Test);
        settle();
    }
    void settle() {
        QSignalSpy frames(&view(), &ui::ViewportView::frameShown);
        for (int i = 0; i < 2; ++i) {
            view().wake();
            QTRY_VERIFY_WITH_TIMEOUT(frames.count() > i, Patience);
        }
    }
    QStringList labels() {
        const auto* labels = window().findChild<ui::LinkLabels*>(QStringLiteral("viewport.linkLabels"));
        QStringList texts;
        if (labels != nullptr && labels->isVisible())
            for (const ui::LinkLabels::Label& label : labels->labels())
                texts += label.text;
        return texts;
    }

private slots:
    void initTestCase() {
        const QString folder = m_dir.filePath(QStringLiteral("project"));
        for (const editor::ProjectTemplate& each : editor::projectTemplates(resourceFolders()))
            if (each.id == QLatin1String("empty"))
                QVERIFY(editor::createProject(each, folder, QStringLiteral("Links")).ok());
        for (const auto& [file, text] : {std::pair{"main.scene.toml", Scene}, std::pair{"entities.toml", Types}}) {
            QFile out(folder + QLatin1Char('/') + QLatin1String(file));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(text.data(), qsizetype(text.size()));
        }
        editor::Options options;
        options.project = folder.toStdString();
        options.width = 1280;
        options.height = 720;
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        window().activateWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window().isActiveWindow(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(view().shown().idOf("lost") != 0, Patience);
        view().setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(view().hasFocus(), Patience);
        settle();
        view().rig().lookAt({0, 5, 14}, {0, 0.5F, 0});
        settle();
    }
    void cleanupTestCase() { m_editor.reset(); }

    void aKeyFollowsALinkThereAndBack() {
        select("sensor");
        const Vec3 eye = view().rig().eye();
        key(Qt::Key_F12);
        QCOMPARE(selection().entities(), Names{"near"});
        key(Qt::Key_F12, Qt::ShiftModifier);
        QCOMPARE(selection().entities(), Names{"sensor"});
        // What is in the picture is not framed.
        settle();
        QVERIFY(view().rig().eye() == eye);
    }
    void whatIsOutOfSightIsFramed() {
        const Vec3 eye = view().rig().eye();
        select("looks_far");
        key(Qt::Key_F12);
        QCOMPARE(selection().entities(), Names{"far"});
        QTRY_VERIFY_WITH_TIMEOUT((view().wake(), view().rig().eye().x > 300.0F), Patience);
        key(Qt::Key_F12, Qt::ShiftModifier);
        QCOMPARE(selection().entities(), Names{"looks_far"});
        view().rig().lookAt(eye, {0, 0.5F, 0});
        settle();
    }
    void whereNothingLeadsIsSaid() {
        select("near");
        key(Qt::Key_F12);
        QCOMPARE(selection().entities(), Names{"near"});
        const auto* hint = window().findChild<QLabel*>(QStringLiteral("viewport.hint"));
        QVERIFY(hint != nullptr && hint->isVisible());
        QCOMPARE(hint->text(), QStringLiteral("near refers to no other entity"));
    }
    void labelsNameTheSetting() {
        select("sensor");
        QTRY_COMPARE_WITH_TIMEOUT((settle(), labels()), QStringList{QStringLiteral("target")}, Patience);
        QDir().mkpath(test::qBuildPath("screenshots"));
        QVERIFY(window().saveScreenshot(test::qBuildPath("screenshots") + QStringLiteral("/links.png")));
        select("near"); // the other end
        QTRY_COMPARE_WITH_TIMEOUT((settle(), labels()), QStringList{QStringLiteral("target")}, Patience);
        select("lost");
        QTRY_COMPARE_WITH_TIMEOUT((settle(), labels()), QStringList{QStringLiteral("target: there is no nobody")}, Patience);
        QVERIFY(m_editor->actions().trigger(QStringLiteral("view.links")));
        QTRY_VERIFY_WITH_TIMEOUT((settle(), labels().isEmpty()), Patience);
        QVERIFY(m_editor->actions().trigger(QStringLiteral("view.links")));
        QTRY_VERIFY_WITH_TIMEOUT((settle(), !labels().isEmpty()), Patience);
    }
    void anEditedTargetIsFollowed() {
        select("lost");
        ui::Document& document = m_editor->document();
        std::string text = document.text("main.scene.toml");
        const auto at = text.find("\"nobody\"");
        QVERIFY(at != std::string::npos);
        QVERIFY(document.edit({"main.scene.toml", {{at, "\"nobody\"", "\"sensor\""}}, QStringLiteral("typed"), {}}));
        QTRY_COMPARE_WITH_TIMEOUT((settle(), labels()), QStringList{QStringLiteral("target")}, Patience);
        key(Qt::Key_F12);
        QCOMPARE(selection().entities(), Names{"sensor"});
        document.undoStack().undo();
    }
    void menusNameBothEnds() {
        select("near");
        QMenu menu;
        menu.setObjectName(QStringLiteral("m"));
        viewport().fillLinkMenu(menu);
        auto* other = menu.findChild<QAction*>(QStringLiteral("m.links.sensor"));
        QVERIFY(other != nullptr);
        QCOMPARE(other->text(), QStringLiteral("sensor  (Trigger.target)"));
        other->trigger();
        QCOMPARE(selection().entities(), Names{"sensor"});
        select("lost");
        QMenu broken;
        broken.setObjectName(QStringLiteral("b"));
        viewport().fillLinkMenu(broken);
        const auto* missing = broken.findChild<QAction*>(QStringLiteral("b.links.nobody"));
        QVERIFY(missing != nullptr && !missing->isEnabled());
    }
    void worksWhileTheWorldRuns() {
        QVERIFY(m_editor->actions().trigger(QStringLiteral("play.start")));
        QTRY_VERIFY_WITH_TIMEOUT(view().shown().mode() == Mode::Play, Patience);
        select("sensor");
        QTRY_COMPARE_WITH_TIMEOUT((settle(), labels()), QStringList{QStringLiteral("target")}, Patience);
        key(Qt::Key_F12);
        QCOMPARE(selection().entities(), Names{"near"});
        QVERIFY(m_editor->actions().trigger(QStringLiteral("play.stop")));
        QTRY_VERIFY_WITH_TIMEOUT(view().shown().mode() == Mode::Edit, Patience);
    }
};

QTEST_MAIN(TestUiLinks)
#include "tst_links.moc"
