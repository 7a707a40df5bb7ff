// A first hour on the real window, by mouse and keys: from an empty home to a saved scene of one's own without touching a text file; the
// same door and trigger once more by copy and paste; twelve boxes edited at once. The player then plays what was saved. Wants a display.
// Leaves pictures in the build folder's screenshots/.

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QToolButton>
#include <QtEndian>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/start_page.h"
#include "engine/session/session.h"
#include "tests/folders.h"
#include "widgets/common/document.h"
#include "widgets/common/number_field.h"
#include "widgets/common/selection.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/outliner/entity_browser.h"
#include "widgets/viewport/gl_target.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_view.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

using namespace sbx;

namespace {
constexpr int Patience = 60000; // ms; a loaded machine draws slowly
}

class TestFirstScene : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    [[nodiscard]] QString folder() const { return m_dir.filePath(QStringLiteral("projects/Mine")); }
    editor::MainWindow& window() { return m_editor->window(); }
    const FrameSnapshot& frame() { return m_editor->feed().frame(); }
    ui::InspectorPanel& inspector() { return window().inspector(); }
    [[nodiscard]] std::string scene() const { return m_editor->document().text("main.scene.toml"); }
    [[nodiscard]] std::string definitions() const { return m_editor->document().text("entities.toml"); }
    template <typename T> T* part(const char* name) { return window().findChild<T*>(QLatin1String(name)); }
    void trigger(const char* id) { QVERIFY2(m_editor->actions().trigger(QLatin1String(id)).ok(), id); }
    void picture(const QString& name) {
        ui::ViewportView& view = window().viewport().view();
        const QSignalSpy frames(&view, &ui::ViewportView::frameShown);
        view.wake();
        QTRY_VERIFY_WITH_TIMEOUT(frames.count() > 0, Patience);
        const QString screenshots = sbx::test::qBuildPath("screenshots");
        QDir().mkpath(screenshots);
        QVERIFY(window().saveScreenshot(screenshots + QLatin1Char('/') + name));
    }
    // Types the name into the search of the entities panel and double-clicks the row. Returns what was made.
    std::string place(const char* type) {
        auto* browser = part<ui::EntityBrowser>("entities");
        auto* find = browser->findChild<QLineEdit*>(QStringLiteral("entities.filter"));
        find->setFocus();
        find->selectAll();
        QTest::keyClicks(find, QLatin1String(type));
        QTest::keyClick(find, Qt::Key_Return);
        QListView& list = browser->view();
        const QModelIndexList rows = list.model()->match(list.model()->index(0, 0), Qt::DisplayRole, QLatin1String(type), 1, Qt::MatchExactly);
        if (rows.isEmpty())
            return {};
        const std::vector<std::string> before = m_editor->selection().entities();
        list.scrollTo(rows.first());
        const QPoint at = list.visualRect(rows.first()).center();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, at);
        const std::string made = m_editor->selection().primary();
        if (m_editor->selection().entities() == before || !QTest::qWaitFor([&] { return inspector().shownEntity() == made; }, Patience))
            return {};
        return made;
    }
    void type(QLineEdit* into, const QString& text) {
        QVERIFY(into != nullptr);
        into->setFocus();
        into->selectAll();
        QTest::keyClicks(into, text);
        QTest::keyClick(into, Qt::Key_Return);
    }
    void typeName(const char* name) {
        type(part<QLineEdit>("inspector.name"), QLatin1String(name));
        QTRY_COMPARE_WITH_TIMEOUT(inspector().shownEntity(), std::string(name), Patience);
    }
    // A number of a field of the inspector, as a person types it.
    void set(const char* component, const char* field, const char* text, const char* input = "input") {
        ui::FieldEditor* editor = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((editor = inspector().editor(component, field)) != nullptr && !editor->isReadOnly(), Patience);
        type(editor->findChild<QLineEdit*>(QLatin1String(input)), QLatin1String(text));
        QVERIFY2(editor->problem().isEmpty(), qPrintable(editor->problem()));
    }
    void choose(const char* component, const char* field, const char* choice) {
        ui::FieldEditor* editor = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((editor = inspector().editor(component, field)) != nullptr && !editor->isReadOnly(), Patience);
        auto* combo = editor->findChild<QComboBox*>(QStringLiteral("input"));
        combo->setFocus();
        QTest::keyClicks(combo, QLatin1String(choice)); // finds the entry by its letters
        QCOMPARE(combo->currentText(), QLatin1String(choice));
    }
    [[nodiscard]] std::size_t count(const std::string& text, const std::string& of) const {
        std::size_t found = 0;
        for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + of.size()))
            ++found;
        return found;
    }
    // The lines of one entity.
    [[nodiscard]] std::string block(const std::string& name) const {
        const std::string text = scene();
        const std::size_t named = text.find("name = \"" + name + "\"");
        const std::size_t from = text.rfind("[[entity]]", named);
        return named == std::string::npos ? std::string() : text.substr(from, text.find("[[entity]]", named) - from);
    }

private slots:
    void initTestCase() {
        editor::Options options;
        options.width = 1280;
        options.height = 720;
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        QVERIFY(QDir().mkpath(m_dir.filePath(QStringLiteral("projects"))));
        m_editor->settings().setValue(QStringLiteral("projectsFolder"), m_dir.filePath(QStringLiteral("projects")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        window().activateWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window().isActiveWindow(), Patience);
    }
    void cleanupTestCase() {
        m_editor->document().undoStack().setIndex(0);
        m_editor.reset();
    }

    void aProjectIsMadeFromTheStartPage() {
        QTest::mouseClick(part<QAbstractButton>("start.new.empty"), Qt::LeftButton);
        QTRY_VERIFY(part<QLineEdit>("newProject.name") != nullptr);
        type(part<QLineEdit>("newProject.name"), QStringLiteral("Mine"));
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->document().folder(), folder(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() == 2, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(window().isActiveWindow(), Patience);
    }

    void tenBoxesARampAndALampArePlaced() {
        for (int i = 0; i < 10; ++i)
            QVERIFY(!place("Box").empty());
        QCOMPARE(count(scene(), "type = \"Box\""), std::size_t(10));
        QCOMPARE(place("Box"), std::string("box_11"));
        typeName("ramp");
        set("Body", "size", "4", "input.x");
        set("Body", "size", "0.2", "input.y");
        set("Body", "size", "2", "input.z");
        choose("Body", "motion", "static");
        set("", "position", "5", "input.x");
        set("", "position", "1", "input.y");
        set("", "rotation", "20", "input.z");
        QVERIFY2(block("ramp").find("size = [4.0, 0.2, 2.0]") != std::string::npos, block("ramp").c_str());
        QVERIFY2(block("ramp").find("motion = \"static\"") != std::string::npos, block("ramp").c_str());
        QCOMPARE(place("Light"), std::string("light"));
        set("", "position", "4", "input.y");
        set("Light", "intensity", "*= 2");
        QVERIFY2(block("light").find("intensity = 8.0") != std::string::npos, block("light").c_str());
    }

    // The door is a type of its own, made of a box; it gets its hinge through the list of components.
    void aDoorIsMadeOfABox() {
        QVERIFY(!place("Box").empty());
        typeName("door");
        set("Body", "size", "1.5", "input.x");
        set("Body", "size", "2", "input.y");
        set("Body", "size", "0.1", "input.z");
        set("", "position", "-5", "input.x");
        set("", "position", "1.05", "input.y");
        auto* menu = part<QToolButton>("inspector.more")->menu();
        emit menu->aboutToShow();
        menu->findChild<QAction*>(QStringLiteral("entity.newType"))->trigger();
        QTRY_VERIFY(part<QLineEdit>("newType.name") != nullptr);
        auto* name = part<QLineEdit>("newType.name");
        QTRY_VERIFY_WITH_TIMEOUT(name->window()->isActiveWindow(), Patience);
        QCOMPARE(name->text(), QStringLiteral("Door"));
        QTest::keyClick(name, Qt::Key_Return);
        const std::string made = definitions().substr(definitions().find("[Door]"));
        QVERIFY2(made.starts_with("[Door]\nextends = \"Box\"\n") && made.find("[Door.Body]\nsize = [1.5, 2.0, 0.1]") != std::string::npos,
                 made.c_str());
        QTRY_COMPARE_WITH_TIMEOUT(part<QToolButton>("inspector.type")->text(), QStringLiteral("Door"), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(window().isActiveWindow(), Patience);
        trigger("edit.addComponent");
        auto* find = part<QLineEdit>("palette.input");
        QTRY_VERIFY_WITH_TIMEOUT(find != nullptr && find->isVisible(), Patience);
        QTest::keyClicks(find, QStringLiteral("hinge"));
        QTest::keyClick(find, Qt::Key_Return);
        QVERIFY(definitions().find("[Door.Hinge]") != std::string::npos);
        QTRY_VERIFY_WITH_TIMEOUT(inspector().editor("Hinge", "anchor") != nullptr, Patience);
        part<QToolButton>("inspector.scope.all")->click();
        set("Hinge", "anchor", "-0.75", "input.x");
        QVERIFY2(definitions().find("anchor = [-0.75, 0.0, 0.0]") != std::string::npos, definitions().c_str());
        part<QToolButton>("inspector.scope.selected")->click();
    }

    void aTriggerOpensIt() {
        QCOMPARE(place("Trigger"), std::string("trigger"));
        set("", "position", "-5", "input.x");
        set("", "position", "2", "input.z");
        set("Trigger", "target", "door");
        QVERIFY2(block("trigger").find("target = \"door\"") != std::string::npos, block("trigger").c_str());
        QCOMPARE(place("Sound"), std::string("sound"));
        set("Sound", "frequency", "330");
        QVERIFY(!m_editor->project().problems().hasErrors());
        picture(QStringLiteral("first_scene_dark_1280.png"));
    }

    // Both together: the copies belong to each other.
    void theDoorAndItsTriggerAreCopied() {
        ui::Selection& selection = m_editor->selection();
        selection.setEntities({"door", "trigger"}, QStringLiteral("test"));
        window().viewport().view().setFocus();
        trigger("edit.copy");
        trigger("edit.paste");
        QCOMPARE(selection.entities(), (std::vector<std::string>{"door_2", "trigger_2"}));
        QVERIFY2(block("trigger_2").find("target = \"door_2\"") != std::string::npos, block("trigger_2").c_str());
        trigger("edit.duplicate");
        QCOMPARE(selection.entities(), (std::vector<std::string>{"door_3", "trigger_3"}));
        QVERIFY2(block("trigger_3").find("target = \"door_3\"") != std::string::npos, block("trigger_3").c_str());
        QVERIFY2(block("trigger").find("target = \"door\"") != std::string::npos, block("trigger").c_str());
        QTRY_COMPARE_WITH_TIMEOUT(inspector().shownEntity(), std::string("trigger_3"), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(part<QLineEdit>("inspector.name")->text(), QStringLiteral("2 entities"), Patience);
        set("", "position", "-= 4", "input.x"); // both: from -5 to -9
        QVERIFY2(block("door_3").find("position = [-9.0,") != std::string::npos, block("door_3").c_str());
        QVERIFY2(block("trigger_3").find("position = [-9.0,") != std::string::npos, block("trigger_3").c_str());
    }

    // By type: the same mass for all, and each higher by the same.
    void twelveBoxesAreEditedAtOnce() {
        ui::Selection& selection = m_editor->selection();
        QVERIFY(!place("Box").empty());
        QVERIFY(!place("Box").empty());
        trigger("edit.selectByType");
        std::vector<std::string> boxes = selection.entities();
        boxes.erase(std::find(boxes.begin(), boxes.end(), std::string("ramp")));
        selection.setEntities(boxes, QStringLiteral("test"));
        QCOMPARE(boxes.size(), std::size_t(12));
        QTRY_COMPARE_WITH_TIMEOUT(part<QLineEdit>("inspector.name")->text(), QStringLiteral("12 entities"), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(inspector().editor("", "position")->findChild<QLineEdit*>(QStringLiteral("input.y"))->text(),
                                  QStringLiteral("mixed"), Patience);
        std::vector<float> heights;
        for (const definition::PlacedInstance& each : m_editor->document().places()->instances())
            if (std::find(boxes.begin(), boxes.end(), each.name) != boxes.end())
                heights.push_back(each.position.y);
        const int step = m_editor->document().undoStack().index();
        set("", "position", "+= 0.25", "input.y");
        set("Body", "mass", "2");
        QCOMPARE(m_editor->document().undoStack().index(), step + 2);
        std::size_t i = 0;
        for (const definition::PlacedInstance& each : m_editor->document().places()->instances())
            if (std::find(boxes.begin(), boxes.end(), each.name) != boxes.end())
                QVERIFY(std::abs(each.position.y - heights[i++] - 0.25F) < 1e-4F);
        QCOMPARE(count(scene(), "mass = 2.0"), std::size_t(12));
        picture(QStringLiteral("first_scene_twelve_dark_1280.png"));
        trigger("view.themeLight");
        picture(QStringLiteral("first_scene_twelve_light_1280.png"));
        trigger("view.themeDark");
    }

    // What was saved is a project like any other: the player plays it, the boxes fall, and something is heard.
    void theSavedSceneIsPlayed() {
        trigger("file.save");
        QTRY_VERIFY_WITH_TIMEOUT(!m_editor->document().isDirty(), Patience);
        const QString wav = m_dir.filePath(QStringLiteral("out.wav"));
        const QString dump = m_dir.filePath(QStringLiteral("check.cfg"));
        QFile script(dump);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("wait 120\nexpect count(type == \"Box\") == 13\nexpect box.Body.linearVelocity.y < 0.5\nexpect count(type == \"Door\") == 3\n");
        script.close();
        QProcess player;
        player.start(sbx::test::qBuildPath("bin/signalbox-player"),
                     {folder(), QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("180"), QStringLiteral("--audio"), wav,
                      QStringLiteral("--exec"), dump});
        QVERIFY(player.waitForFinished(60000));
        const QByteArray said = player.readAllStandardError() + player.readAllStandardOutput();
        QVERIFY2(player.exitCode() == 0, said.constData());
        // Stereo in 32-bit floats, in the chunk of that name: the last second.
        QFile recorded(wav);
        QVERIFY(recorded.open(QIODevice::ReadOnly));
        const QByteArray bytes = recorded.readAll();
        const qsizetype data = bytes.indexOf("data");
        QVERIFY(data > 0 && data + 8 < bytes.size());
        const auto size = qsizetype(qFromLittleEndian<quint32>(bytes.constData() + data + 4));
        const QByteArray tail = bytes.mid(data + 8, size).right(qsizetype(sizeof(float)) * 2 * 48000);
        std::vector<float> samples(static_cast<std::size_t>(tail.size()) / sizeof(float));
        std::memcpy(samples.data(), tail.constData(), samples.size() * sizeof(float));
        double power = 0.0;
        for (const float sample : samples)
            power += static_cast<double>(sample) * static_cast<double>(sample);
        const double level = std::sqrt(power / static_cast<double>(samples.size()));
        QVERIFY2(samples.size() == 96000 && level > 1e-3, qPrintable(QString::number(level)));
    }

    void undoneToTheStart() {
        m_editor->document().undoStack().setIndex(0);
        QFile scene(sbx::test::qSourcePath("resources/templates/empty/main.scene.toml"));
        QFile types(sbx::test::qSourcePath("resources/templates/empty/entities.toml"));
        QVERIFY(scene.open(QIODevice::ReadOnly) && types.open(QIODevice::ReadOnly));
        QCOMPARE(QByteArray::fromStdString(this->scene()), scene.readAll());
        QCOMPARE(QByteArray::fromStdString(definitions()), types.readAll());
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat::setDefaultFormat(ui::wantedFormat());
    QApplication application(argc, argv);
    TestFirstScene test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_first_scene.moc"
