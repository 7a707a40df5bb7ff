// What people do in the second hour, on the real window, by mouse and keys: a door with its trigger is copied out of one project into another
// and works there while it plays; twelve crates are taken with a band and edited at once; a project comes back as it was left; there is room
// to work in the smallest window. Wants a display. Leaves pictures in the build folder's screenshots/.

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/project_templates.h"
#include "engine/session/session.h"
#include "tests/event_loop.h"
#include "tests/folders.h"
#include "widgets/common/document.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/definition/code_view.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/definition/problems_panel.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/gl_target.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_view.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

using namespace sbx;

namespace {

constexpr int Patience = 60000; // ms; a loaded machine draws slowly
const QString Test = QStringLiteral("test");

} // namespace

class TestJourneys : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    editor::MainWindow& window() { return m_editor->window(); }
    const FrameSnapshot& frame() { return m_editor->feed().frame(); }
    ui::ViewportPanel& viewport() { return window().viewport(); }
    ui::ViewportView& view() { return viewport().view(); }
    [[nodiscard]] std::string scene() const { return m_editor->document().text("main.scene.toml"); }
    template <typename T> T* part(const char* name) { return window().findChild<T*>(QLatin1String(name)); }
    void trigger(const char* id) { QVERIFY2(m_editor->actions().trigger(QLatin1String(id)).ok(), id); }

    void start(const QString& project = {}) {
        editor::Options options;
        options.project = project.toStdString();
        options.width = 1280;
        options.height = 720;
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        window().activateWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window().isActiveWindow(), Patience);
    }
    void end() {
        window().rememberWindow();
        m_editor->document().undoStack().setIndex(0);
        m_editor.reset();
    }
    QString make(const char* name, const char* from, const std::string& scene = {},
                 const std::string& types = {}) {
        const QString folder = m_dir.filePath(QLatin1String(name));
        for (const editor::ProjectTemplate& each : editor::projectTemplates(resourceFolders()))
            if (each.id == QLatin1String(from))
                if (const Result<void> made = editor::createProject(each, folder, QLatin1String(name)); !made)
                    qFatal("%s", made.error().toString().c_str());
        const auto write = [&](const char* file, const std::string& text) {
            QFile out(folder + QLatin1Char('/') + QLatin1String(file));
            if (text.empty())
                return;
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(text.data(), qsizetype(text.size()));
        };
        write("main.scene.toml", scene);
        write("entities.toml", types);
        return folder;
    }
    void settle() {
        const QSignalSpy frames(&view(), &ui::ViewportView::frameShown);
        for (int i = 0; i < 2; ++i) {
            view().wake();
            QTRY_VERIFY_WITH_TIMEOUT(frames.count() > i, Patience);
        }
    }
    void picture(const QString& name) {
        settle();
        const QString screenshots = sbx::test::qBuildPath("screenshots");
        QDir().mkpath(screenshots);
        QVERIFY(window().saveScreenshot(screenshots + QLatin1Char('/') + name));
    }
    // In both themes, small and large.
    void pictures(const QString& name) {
        const QString scale = view().devicePixelRatioF() > 1.0
                                  ? QStringLiteral("_x%1").arg(view().devicePixelRatioF())
                                  : QString();
        for (const QSize size : {QSize(1280, 720), QSize(1904, 1000)}) {
            if (size.width() > window().screen()->geometry().width()
                || size.height() > window().screen()->geometry().height())
                continue; // scaled
            window().resize(size);
            QTRY_COMPARE_WITH_TIMEOUT(window().size(), size, Patience);
            for (const char* theme : {"light", "dark"}) {
                trigger(QByteArray(theme) == "light" ? "view.themeLight" : "view.themeDark");
                picture(QStringLiteral("%1_%2_%3%4.png")
                            .arg(name, QLatin1String(theme))
                            .arg(size.width())
                            .arg(scale));
            }
        }
        window().resize(1280, 720);
    }
    void waitForEntities(std::size_t count) {
        QTRY_COMPARE_WITH_TIMEOUT(frame().entities->rows.size(), count, Patience);
        settle();
    }
    [[nodiscard]] QPoint pixel(const Vec3& point) {
        const ui::GizmoView geometry = view().gizmoView();
        const auto at = render::projectToPixel(geometry.camera, geometry.width, geometry.height, point);
        const double ratio = view().devicePixelRatioF();
        return at ? QPoint(qRound(double(at->x) / ratio), qRound(double(at->y) / ratio)) : QPoint(-1, -1);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys = {}) {
        QTest::mouseMove(&view(), from);
        QTest::mousePress(&view(), Qt::LeftButton, keys, from);
        for (int i = 1; i <= 8; ++i) {
            const QPoint at = from + (to - from) * i / 8;
            QMouseEvent event(QEvent::MouseMove, at, view().mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                              keys);
            QApplication::sendEvent(&view(), &event);
            sbx::test::turn();
        }
        QTest::mouseRelease(&view(), Qt::LeftButton, keys, to);
    }
    void type(QLineEdit* into, const QString& text) {
        QVERIFY(into != nullptr);
        into->setFocus();
        into->selectAll();
        QTest::keyClicks(into, text);
        QTest::keyClick(into, Qt::Key_Return);
    }
    void set(const char* component, const char* field, const char* text, const char* input = "input") {
        ui::FieldEditor* editor = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((editor = window().inspector().editor(component, field)) != nullptr
                                     && !editor->isReadOnly(),
                                 Patience);
        type(editor->findChild<QLineEdit*>(QLatin1String(input)), QLatin1String(text));
        QVERIFY2(editor->problem().isEmpty(), qPrintable(editor->problem()));
    }
    [[nodiscard]] std::size_t count(const std::string& of) const {
        const std::string text = scene();
        std::size_t found = 0;
        for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + of.size()))
            ++found;
        return found;
    }
    // The turn of an entity about the upright axis since it stood as the file has it, in degrees.
    [[nodiscard]] double turned(const char* name) {
        const EntityRow* row = frame().entities->find(name);
        if (row == nullptr || frame().scene == nullptr)
            return 0.0;
        for (const render::Instance& instance : frame().scene->instances)
            if (instance.entity == row->id.bits)
                return std::abs(double(toEulerDegrees(instance.pose.rotation).y));
        return 0.0;
    }

private slots:
    void cleanup() {
        if (m_editor)
            end();
        QFile::remove(m_dir.filePath(QStringLiteral("state/settings.ini")));
    }

    // (c) A band around twelve crates, the same mass for all, each higher by the same, undone and done again.
    void twelveCratesAtOnce() {
        std::string text = "[scene]\nname = \"Yard\"\n\n[[entity]]\ntype = \"Plane\"\nname = \"floor\"\n";
        for (int i = 0; i < 12; ++i)
            text += "\n[[entity]]\ntype = \"Box\"\nname = \"crate_" + std::to_string(i + 1)
                    + "\"\nposition = [" + std::to_string(i % 4 * 2 - 3) + ".0, "
                    + (i % 2 == 0 ? "0.5" : "0.75") + ", " + std::to_string(i / 4 * -2) + ".0]\n";
        start(make("yard", "empty", text));
        waitForEntities(13);
        view().rig().lookAt({0, 5, 12}, {0, 0.5F, -2});
        settle();
        // From left above to right below of all of them; the floor goes on around the band.
        QPoint low(9999, 9999);
        QPoint high(-1, -1);
        for (int i = 0; i < 12; ++i)
            for (const float dx : {-0.5F, 0.5F})
                for (const float dy : {-0.8F, 1.3F}) {
                    const QPoint at = pixel({float(i % 4 * 2 - 3) + dx, dy, float(i / 4 * -2)});
                    low = {std::min(low.x(), at.x()), std::min(low.y(), at.y())};
                    high = {std::max(high.x(), at.x()), std::max(high.y(), at.y())};
                }
        trigger("tool.select");
        drag(low - QPoint(8, 8), high + QPoint(8, 8));
        QCOMPARE(m_editor->selection().entities().size(), std::size_t(12));
        QVERIFY(!m_editor->selection().contains("floor"));
        QTRY_COMPARE_WITH_TIMEOUT(part<QLineEdit>("inspector.name")->text(), QStringLiteral("12 entities"),
                                  Patience);
        const std::string before = scene();
        const int step = m_editor->document().undoStack().index();
        set("Body", "mass", "7.5");
        set("", "position", "+= 0.25", "input.y");
        QCOMPARE(m_editor->document().undoStack().index(), step + 2);
        QCOMPARE(count("mass = 7.5"), std::size_t(12));
        const std::string after = scene();
        for (int i = 0; i < 12; ++i) {
            const ui::ScenePlace* place = viewport().editor().places().find("crate_" + std::to_string(i + 1));
            QVERIFY(place != nullptr
                    && std::abs(place->world.position.y - (i % 2 == 0 ? 0.75F : 1.0F)) < 1e-4F);
        }
        pictures(QStringLiteral("journey_twelve"));
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Z, Qt::ControlModifier);
        QTest::keyClick(&view(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(scene(), before);
        QCOMPARE(m_editor->selection().entities().size(), std::size_t(12));
        QTest::keyClick(&view(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClick(&view(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(scene(), after);
    }

    // (b) A door and its trigger, copied in one project and pasted in another that has such a door already: the copy's trigger opens the
    // copy's door, and nothing else, while the world runs.
    void aDoorWithItsTriggerGoesToAnotherProject() {
        const QString from = make("house", "physics");
        const QString to = make("garden", "physics");
        start(from);
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->find("door_trigger") != nullptr, Patience);
        settle();
        // Picked by hand: the door in the picture, its trigger in the outliner.
        view().rig().lookAt({-7, 3, 12}, {-7, 1, 2});
        settle();
        const auto door = view().placeOfPart(QStringLiteral("entity:door"));
        QVERIFY2(door.ok(), door.ok() ? "" : door.error().message.c_str());
        QTest::mouseClick(&view(), Qt::LeftButton, {}, *door);
        QCOMPARE(m_editor->selection().entities(), std::vector<std::string>{"door"});
        auto* tree = part<QTreeView>("outliner.tree");
        const QModelIndexList rows =
            tree->model()->match(tree->model()->index(0, 0), Qt::DisplayRole, QStringLiteral("door_trigger"),
                                 1, Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(rows.size(), 1);
        tree->scrollTo(rows.first());
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, Qt::ControlModifier,
                          tree->visualRect(rows.first()).center());
        QCOMPARE(m_editor->selection().entities().size(), std::size_t(2));
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text().count(QStringLiteral("[[entity]]")), 2);

        QVERIFY(window().openProject(to));
        QTRY_VERIFY_WITH_TIMEOUT(
            m_editor->project().loading().isEmpty() && frame().entities->find("door") != nullptr, Patience);
        settle();
        const std::string before = scene();
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(m_editor->selection().entities().size(), std::size_t(2));
        QVERIFY(m_editor->selection().contains("door_2") && m_editor->selection().contains("door_trigger_2"));
        QTRY_COMPARE_WITH_TIMEOUT(part<QLineEdit>("inspector.name")->text(), QStringLiteral("2 entities"),
                                  Patience);
        set("", "position", "+= 14", "input.x"); // from -7 to 7
        QVERIFY2(scene().find("target = \"door_2\"") != std::string::npos, scene().c_str());
        // Somebody comes by.
        QGuiApplication::clipboard()->setText(
            QStringLiteral("[[entity]]\ntype = \"Crate\"\nname = \"visitor\"\nposition = [7.0, 2.5, 3.4]\n"));
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_V, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->find("visitor") != nullptr
                                     && frame().entities->find("door_2") != nullptr,
                                 Patience);
        QTest::keyClick(&view(), Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Play, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(turned("door_2") > 30.0, 4 * Patience);
        QVERIFY2(turned("door") < 5.0, qPrintable(QString::number(turned("door"))));
        view().rig().lookAt({7, 4, 12}, {5, 1, 2});
        pictures(QStringLiteral("journey_door"));
        trigger("play.stop");
        QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Edit, Patience);
        for (int i = 0; i < 3; ++i)
            m_editor->document().undoStack().undo();
        QCOMPARE(scene(), before);
    }

    // (d) Ten values are tuned while the world runs; three of them are kept, in one step of undo, and the others are gone as ever.
    void whatWasTunedWhilePlayingIsKept() {
        std::string text = "[scene]\nname = \"Yard\"\n\n[[entity]]\ntype = \"Plane\"\nname = \"floor\"\n";
        for (int i = 0; i < 5; ++i)
            text += "\n[[entity]]\ntype = \"Box\"\nname = \"crate_" + std::to_string(i + 1) + "\"\nposition = [" + std::to_string(2 * i) + ".0, 0.5, 0.0]\n";
        start(make("tuned", "empty", text));
        waitForEntities(6);
        view().rig().lookAt({4, 5, 12}, {4, 0.5F, 0});
        const std::string before = scene();
        const int step = m_editor->document().undoStack().index();
        const auto offered = [this] { return frame().liveEdits == nullptr ? std::size_t(0) : frame().liveEdits->size(); };
        const auto notice = [this](const QString& said) -> QPushButton* {
            for (QPushButton* button : window().findChildren<QPushButton*>(QStringLiteral("notice.choice")))
                if (button->text() == said && button->isVisible())
                    return button;
            return nullptr;
        };
        trigger("play.start");
        QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Play, Patience);
        // By the inspector: all crates at once, one alone, a place; by the console.
        m_editor->selection().setEntities({"crate_1", "crate_2", "crate_3", "crate_4", "crate_5"}, Test);
        QTRY_COMPARE_WITH_TIMEOUT(part<QLineEdit>("inspector.name")->text(), QStringLiteral("5 entities"), Patience);
        set("Body", "mass", "40");
        QTRY_COMPARE_WITH_TIMEOUT(offered(), std::size_t(5), Patience);
        m_editor->selection().setEntities({"crate_1"}, Test);
        QTRY_COMPARE_WITH_TIMEOUT(part<QLineEdit>("inspector.name")->text(), QStringLiteral("crate_1"), Patience);
        set("Body", "friction", "0.9");
        set("", "position", "3.5", "input.z");
        m_editor->execute("set crate_2 Body.friction 0.1; set crate_3 Body.friction 0.2; set crate_4 Body.restitution 0.7");
        QTRY_COMPARE_WITH_TIMEOUT(offered(), std::size_t(10), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(window().inspector().editor("Body", "friction")->origin(), ui::FieldOrigin::Live, Patience);
        QCOMPARE(window().inspector().editor("Body", "mass")->origin(), ui::FieldOrigin::Live);
        QCOMPARE(window().inspector().editor("", "position")->origin(), ui::FieldOrigin::Live);
        QVERIFY(window().inspector().editor("Body", "restitution")->origin() != ui::FieldOrigin::Live);
        QVERIFY(window().windowTitle().contains(QStringLiteral("(playing)")));
        pictures(QStringLiteral("journey_tuned"));
        // One is taken back at once, and is tuned again.
        window().inspector().editor("Body", "friction")->findChild<QAbstractButton*>(QStringLiteral("revert"))->click();
        QTRY_COMPARE_WITH_TIMEOUT(offered(), std::size_t(9), Patience);
        set("Body", "friction", "0.8");
        QTRY_COMPARE_WITH_TIMEOUT(offered(), std::size_t(10), Patience);
        QCOMPARE(scene(), before);
        QVERIFY(notice(tr("Choose…")) == nullptr);
        trigger("play.stop");
        QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Edit, Patience);
        QPushButton* choose = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((choose = notice(tr("Choose…"))) != nullptr, Patience);
        pictures(QStringLiteral("journey_keep"));
        // Three of ten: the mass of crate_5, the friction and the place of crate_1.
        QTimer::singleShot(0, this, [this] {
            auto* dialog = window().findChild<QDialog*>(QStringLiteral("keep"));
            QVERIFY(dialog != nullptr);
            auto* list = dialog->findChild<QTreeWidget*>(QStringLiteral("keep.list"));
            auto* keep = dialog->findChild<QPushButton*>(QStringLiteral("keep.keep"));
            QCOMPARE(keep->text().remove(QLatin1Char('&')), QStringLiteral("Keep 10 of 10"));
            dialog->findChild<QPushButton*>(QStringLiteral("keep.none"))->click();
            QVERIFY(!keep->isEnabled());
            for (int i = 0; i < list->topLevelItemCount(); ++i)
                for (int k = 0; k < list->topLevelItem(i)->childCount(); ++k) {
                    QTreeWidgetItem* item = list->topLevelItem(i)->child(k);
                    const QString name = list->topLevelItem(i)->text(0) + QLatin1Char(' ') + item->text(0);
                    if (name == QLatin1String("crate_5 Body.mass") || name == QLatin1String("crate_1 Body.friction")
                        || name == QLatin1String("crate_1 position"))
                        item->setCheckState(0, Qt::Checked);
                }
            QCOMPARE(keep->text().remove(QLatin1Char('&')), QStringLiteral("Keep 3 of 10"));
            const QString screenshots = sbx::test::qBuildPath("screenshots");
            QVERIFY(dialog->grab().save(screenshots + QStringLiteral("/journey_keep_dialog.png")));
            keep->click();
        });
        choose->click();
        QCOMPARE(m_editor->document().undoStack().index(), step + 1);
        QCOMPARE(count("mass = 40.0"), std::size_t(1));
        QCOMPARE(count("friction = 0.8"), std::size_t(1));
        QCOMPARE(count("friction = "), std::size_t(1));
        QVERIFY2(scene().find("position = [0.0, 0.5, 3.5]") != std::string::npos, scene().c_str());
        QTRY_COMPARE_WITH_TIMEOUT(offered(), std::size_t(0), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(notice(tr("Choose…")) == nullptr, Patience);
        m_editor->document().undoStack().undo();
        QCOMPARE(scene(), before);
        m_editor->document().undoStack().redo();
        QCOMPARE(count("mass = 40.0"), std::size_t(1));
    }

    // A project that is opened again is seen as it was left: filters, columns, switches, panels, camera. Another one has none of it.
    void aProjectComesBackAsItWasLeft() {
        const QString one = make("one", "physics");
        const QString other = make("other", "empty");
        start(one);
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > 3, Patience);
        settle();
        const QStringList bars{QStringLiteral("outliner.filter"), QStringLiteral("trace.filter"),
                               QStringLiteral("problems.filter"), QStringLiteral("probe.filter"),
                               QStringLiteral("console.filter")};
        const QStringList texts{QStringLiteral("crate"), QStringLiteral("tick > 5"), QStringLiteral("mesh"),
                                QStringLiteral("bell"), QStringLiteral("render")};
        for (qsizetype i = 0; i < bars.size(); ++i)
            type(part<QLineEdit>(bars[i].toLatin1().constData()), texts[i]);
        auto* errors = part<QAbstractButton>("console.severity.error");
        QVERIFY(errors != nullptr);
        errors->click();
        const bool shown = errors->isChecked();
        window().dock(QStringLiteral("dock.probe"))->hide();
        const auto header = [&]() -> QHeaderView& {
            return *window().problems().findChild<QTableView*>()->horizontalHeader();
        };
        QVERIFY(!window().problems().findChild<QTableView*>()->objectName().isEmpty());
        header().resizeSection(0, 61);
        view().rig().lookAt({7, 6, 5}, {0, 1, 0});
        QSignalSpy steps(&m_editor->project(), &ui::ProjectModel::loadingStep);
        QVERIFY(window().openProject(other));
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->project().loading().isEmpty(), Patience);
        // What it did meanwhile was said, one thing after the other.
        QCOMPARE(steps.count(), 3);
        QVERIFY(steps[0][0].toInt() < steps[1][0].toInt() && steps[1][0].toInt() < steps[2][0].toInt()
                && steps[2][0].toInt() < 100);
        QVERIFY2(steps[2][1].toString().contains(QStringLiteral("a world of 2 entities")),
                 qPrintable(steps[2][1].toString()));
        for (const QString& bar : bars)
            QCOMPARE(part<QLineEdit>(bar.toLatin1().constData())->text(), QString());
        window().dock(QStringLiteral("dock.probe"))->show();
        header().resizeSection(0, 90);
        end();

        // In another run of the program.
        start(one);
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > 3, Patience);
        for (qsizetype i = 0; i < bars.size(); ++i)
            QCOMPARE(part<QLineEdit>(bars[i].toLatin1().constData())->text(), texts[i]);
        QCOMPARE(part<QAbstractButton>("console.severity.error")->isChecked(), shown);
        QVERIFY(window().dock(QStringLiteral("dock.probe"))->isHidden());
        QCOMPARE(header().sectionSize(0), 61);
        QVERIFY(glm::length(view().rig().eye() - Vec3(7, 6, 5)) < 0.01F);
        // The filter does what it says: entities without "crate" in them are not listed.
        QTRY_VERIFY_WITH_TIMEOUT(window().outliner().matchingNames().has_value()
                                     && window().outliner().matchingNames()->size()
                                            < frame().entities->rows.size(),
                                 Patience);
    }

    // The window may be small: six rows of the outliner and sixteen lines of a definition are to be seen at 1280 by 720.
    void thereIsRoomInASmallWindow() {
        start(make("small", "physics"));
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > 3, Patience);
        trigger("view.layoutAuthor");
        QTRY_COMPARE_WITH_TIMEOUT(window().size(), QSize(1280, 720), Patience);
        window().dock(QStringLiteral("dock.definition"))->raise();
        settle();
        auto* tree = part<QTreeView>("outliner.tree");
        const int row = tree->visualRect(tree->model()->index(0, 0)).height();
        const int rows = tree->viewport()->height() / row;
        QVERIFY2(rows >= 6, qPrintable(QString::number(rows)));
        const ui::CodeView& code = window().definition().editor();
        QTRY_VERIFY_WITH_TIMEOUT(code.isVisible(), Patience);
        const int lines = code.viewport()->height() / code.fontMetrics().lineSpacing();
        QVERIFY2(lines >= 16, qPrintable(QString::number(lines)));
        pictures(QStringLiteral("journey_room"));
    }

    // Every panel that has nothing to show says what would fill it, and has the button that does it.
    void emptyPanelsLeadOn() {
        start(make("nothing", "empty", "[scene]\nname = \"Nothing\"\n"));
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->project().loading().isEmpty(), Patience);
        for (const char* name : {"outliner", "inspector", "assets", "trace", "graph", "problems"}) {
            QDockWidget* dock = window().dock(QStringLiteral("dock.") + QLatin1String(name));
            dock->show();
            dock->raise();
            const auto leads = [dock] {
                const QList<ui::EmptyState*> all = dock->findChildren<ui::EmptyState*>();
                return std::any_of(all.begin(), all.end(), [dock](ui::EmptyState* empty) {
                    return empty->isVisibleTo(dock) && !empty->button().isHidden()
                           && empty->button().isEnabled();
                });
            };
            QTRY_VERIFY2_WITH_TIMEOUT(leads(), name, Patience);
        }
        // The probe's: a sound is there.
        trigger("view.panel.probe");
        auto* createSound = part<QToolButton>("probe.createSound");
        QTRY_VERIFY_WITH_TIMEOUT(!createSound->visibleRegion().isEmpty(),
                                 2 * Patience); // the head's responses are read
        QTest::mouseClick(createSound, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->selection().primary(), std::string("sound"), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(!createSound->isVisible(), Patience);
        m_editor->document().undoStack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.empty(), Patience);
        // The problems': the log.
        trigger("view.panel.problems");
        QTest::mouseClick(&part<ui::EmptyState>("problems.empty")->button(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(
            !window().dock(QStringLiteral("dock.console"))->widget()->visibleRegion().isEmpty(), Patience);
        // The outliner's: a list of types; Enter makes one.
        window().dock(QStringLiteral("dock.outliner"))->raise();
        QTest::mouseClick(part<ui::EmptyState>("outliner.empty")
                              ->findChild<QPushButton*>(QStringLiteral("emptyState.button")),
                          Qt::LeftButton);
        auto* find = part<QLineEdit>("palette.input");
        QTRY_VERIFY_WITH_TIMEOUT(find != nullptr && find->isVisible(), Patience);
        QTest::keyClicks(find, QStringLiteral("sphere"));
        QTest::keyClick(find, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->selection().primary(), std::string("sphere"), Patience);
        trigger("edit.createAgain");
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->selection().primary(), std::string("sphere_2"), Patience);
        QCOMPARE(count("type = \"Sphere\""), std::size_t(2));
    }

    // From the first start to a moving world: a click on a template, one on Create, one on Play.
    void threeClicksToAMovingWorld() {
        start();
        m_editor->settings().setValue(QStringLiteral("projectsFolder"),
                                      m_dir.filePath(QStringLiteral("projects")));
        QVERIFY(QDir().mkpath(m_dir.filePath(QStringLiteral("projects"))));
        QTest::mouseClick(part<QAbstractButton>("start.new.physics"), Qt::LeftButton); // one
        QTRY_VERIFY_WITH_TIMEOUT(part<QPushButton>("newProject.create") != nullptr, Patience);
        auto* create = part<QPushButton>("newProject.create");
        QTRY_VERIFY_WITH_TIMEOUT(create->window()->isActiveWindow() && create->isEnabled(), Patience);
        QTest::mouseClick(create, Qt::LeftButton); // two
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > 3, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(window().isActiveWindow(), Patience);
        QAbstractButton* play = nullptr;
        for (QToolButton* each : window().findChildren<QToolButton*>())
            if (each->isVisible()
                && each->defaultAction() == m_editor->actions().find(QStringLiteral("play.start")))
                play = each;
        QVERIFY(play != nullptr);
        QTest::mouseClick(play, Qt::LeftButton); // three
        QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Play, Patience);
        const auto place = [&]() -> std::vector<Vec3> {
            std::vector<Vec3> all;
            for (const render::Instance& instance : frame().scene->instances)
                all.push_back(instance.pose.position);
            return all;
        };
        const std::vector<Vec3> first = place();
        QTRY_VERIFY_WITH_TIMEOUT(place() != first, Patience); // something moves
        trigger("play.stop");
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat::setDefaultFormat(ui::wantedFormat());
    QApplication application(argc, argv);
    TestJourneys test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_journeys.moc"
