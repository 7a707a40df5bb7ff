// The panels around the viewport: docks, layouts, and what of the window comes back at the next start.

#include <QApplication>
#include <QDockWidget>
#include <QScreen>
#include <QTabBar>
#include <QTimer>

#include "app/editor/dock_layout.h"
#include "app/editor/dock_titles.h"
#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/project_views.h"
#include "app/editor/scene_memory.h"
#include "widgets/assets/asset_panel.h"
#include "widgets/console/console_panel.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/definition/problems_panel.h"
#include "widgets/graph/graph_panel.h"
#include "widgets/history/history_panel.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/outliner/entity_browser.h"
#include "widgets/outliner/layers_panel.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>

namespace sbx::editor {

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* panel) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(QStringLiteral("dock.") + name);
    dock->setAccessibleName(title);
    dock->setWidget(panel);
    return dock;
}

void MainWindow::createDocks() {
    addDock(QStringLiteral("outliner"), tr("Outliner"), m_outliner);
    addDock(QStringLiteral("entities"), tr("Entities"), m_browser);
    addDock(QStringLiteral("assets"), tr("Assets"), m_assets);
    addDock(QStringLiteral("inspector"), tr("Inspector"), m_inspector);
    addDock(QStringLiteral("definition"), tr("Definition"), m_definition);
    addDock(QStringLiteral("trace"), tr("Trace"), m_trace);
    addDock(QStringLiteral("graph"), tr("Graph"), m_graph);
    addDock(QStringLiteral("console"), tr("Console"), m_console);
    addDock(QStringLiteral("probe"), tr("Probe"), m_probe);
    addDock(QStringLiteral("problems"), tr("Problems"), m_problems);
    addDock(QStringLiteral("history"), tr("History"), m_history)->setProperty(BesideProperty, QStringLiteral("dock.entities"));
    addDock(QStringLiteral("layers"), tr("Layers"), m_layersPanel)->setProperty(BesideProperty, QStringLiteral("dock.entities"));
    arrangeDefault();
    new DockTitles(*this);
}

QDockWidget* MainWindow::dock(const QString& name) const { return findChild<QDockWidget*>(name); }

void MainWindow::arrangeDefault() {
    const auto get = [this](const char* name) { return dock(QStringLiteral("dock.") + QLatin1String(name)); };
    const QList<QDockWidget*> docks{get("outliner"),   get("entities"), get("assets"),  get("inspector"),
                                    get("definition"), get("trace"),    get("graph"),
                                    get("console"),    get("probe"),    get("problems"), get("history"),
                                    get("layers")};
    for (QDockWidget* each : docks) {
        removeDockWidget(each);
        each->setFloating(false);
    }
    const bool small = width() < 1400;
    // A low window gives the definition's text its whole height.
    setCorner(Qt::BottomRightCorner, small ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea);
    addDockWidget(Qt::LeftDockWidgetArea, get("outliner"));
    splitDockWidget(get("outliner"), get("entities"), Qt::Vertical);
    tabifyDockWidget(get("entities"), get("layers"));
    tabifyDockWidget(get("layers"), get("history"));
    addDockWidget(Qt::RightDockWidgetArea, get("inspector"));
    if (small)
        tabifyDockWidget(get("inspector"), get("definition"));
    else
        splitDockWidget(get("inspector"), get("definition"), Qt::Vertical);
    addDockWidget(Qt::BottomDockWidgetArea, get("trace"));
    tabifyDockWidget(get("trace"), get("graph"));
    tabifyDockWidget(get("graph"), get("console"));
    tabifyDockWidget(get("console"), get("probe"));
    tabifyDockWidget(get("probe"), get("problems"));
    // Here, where there is width for names and previews.
    tabifyDockWidget(get("problems"), get("assets"));
    for (QDockWidget* each : docks)
        each->show();
    get("entities")->raise();
    get("trace")->raise();
    get("inspector")->raise();
    const int right = small ? 360 : qBound(400, width() * 26 / 100, 520);
    resizeDocks({get("outliner"), get("inspector")}, {small ? 200 : 250, right}, Qt::Horizontal);
    // Eight rows of the trace below its timeline.
    resizeDocks({get("trace")}, {small ? 298 : qBound(298, height() * 33 / 100, 340)}, Qt::Vertical);
    resizeDocks({get("outliner"), get("entities")}, small ? QList<int>{68, 32} : QList<int>{60, 40},
                Qt::Vertical);
    resizeDocks({get("inspector"), get("definition")}, {10, 10}, Qt::Vertical);
}

void MainWindow::arrangeFirst() {
    if (!m_restored)
        arrangeDefault();
}

void MainWindow::arrangeTraffic() {
    arrangeDefault();
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    dock(QStringLiteral("dock.entities"))->hide();
    dock(QStringLiteral("dock.history"))->hide();
    dock(QStringLiteral("dock.layers"))->hide();
    dock(QStringLiteral("dock.definition"))->hide();
    resizeDocks({dock(QStringLiteral("dock.trace"))}, {height() / 2}, Qt::Vertical);
}

void MainWindow::arrangeNetwork() {
    arrangeDefault();
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    dock(QStringLiteral("dock.entities"))->hide();
    dock(QStringLiteral("dock.history"))->hide();
    dock(QStringLiteral("dock.layers"))->hide();
    dock(QStringLiteral("dock.definition"))->hide();
    resizeDocks({dock(QStringLiteral("dock.graph"))}, {height() / 2}, Qt::Vertical);
    bringForward(QStringLiteral("dock.graph"));
}

void MainWindow::bringForward(const QString& name) {
    // raise() has no effect while the tabs are not laid out: the tab bars are set directly, once they are.
    QTimer::singleShot(0, this, [this, name] {
        const QString title = dock(name)->windowTitle();
        for (QTabBar* bar : findChildren<QTabBar*>())
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i) == title)
                    bar->setCurrentIndex(i);
    });
}

void MainWindow::arrangeSound() {
    arrangeDefault();
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    dock(QStringLiteral("dock.entities"))->hide();
    dock(QStringLiteral("dock.history"))->hide();
    dock(QStringLiteral("dock.layers"))->hide();
    dock(QStringLiteral("dock.definition"))->hide();
    resizeDocks({dock(QStringLiteral("dock.probe"))}, {height() * 46 / 100}, Qt::Vertical);
    bringForward(QStringLiteral("dock.probe"));
}

void MainWindow::rememberView() {
    if (m_editor.options().safeMode || !m_editor.document().isOpen())
        return;
    if (const QVariantMap camera = m_viewport->saveCameras(); !camera.isEmpty())
        SceneMemory::cameras(m_editor.settings()).keep(sceneFile(), camera);
    // A window that only made a picture of the project was never arranged by anybody.
    if (isVisible())
        ProjectViews(m_editor.settings())
            .keep(m_editor.document().path(m_editor.document().file(ui::FileRole::Project)), viewOf(*this, *m_trace, LayoutVersion));
}

// Qt makes the bars of panels that lie behind one another, and ends them: each has a name while it is there.
void MainWindow::childEvent(QChildEvent* event) {
    QMainWindow::childEvent(event);
    auto* const bar = event->polished() ? qobject_cast<QTabBar*>(event->child()) : nullptr;
    if (bar == nullptr || !bar->objectName().isEmpty())
        return;
    const auto name = [](int number) { return QStringLiteral("dock.tabs.%1").arg(number); };
    int number = 1;
    while (findChild<QTabBar*>(name(number), Qt::FindDirectChildrenOnly) != nullptr)
        ++number;
    bar->setObjectName(name(number));
    bar->setAccessibleName(tr("Panels"));
}

void MainWindow::rememberWindow() {
    if (m_editor.options().safeMode)
        return;
    rememberView();
    ui::UserSettings& settings = m_editor.settings();
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), saveState(LayoutVersion));
    settings.setValue(QStringLiteral("window/size"), size());
    settings.setValue(QStringLiteral("window/rightCorner"), static_cast<int>(corner(Qt::BottomRightCorner)));
    settings.setValue(QStringLiteral("viewport"), m_viewport->saveState());
    settings.setValue(QStringLiteral("trace"), m_trace->saveState());
    m_editor.actions().saveShortcuts(settings);
}

// What was asked for holds over what was remembered: the window is neither maximised nor partly off its screen.
void MainWindow::setWindowSize(const QSize& size) {
    setWindowState(windowState() & ~(Qt::WindowMaximized | Qt::WindowFullScreen));
    resize(size);
    if (!testAttribute(Qt::WA_Moved))
        return; // nothing was remembered: the window manager finds a place
    const QScreen* const on = QApplication::screenAt(geometry().center());
    // Of the window without its frame, as its place was remembered. Above and below is room for the title, wherever it is added.
    const QRect room = (on != nullptr ? on : screen())->availableGeometry().adjusted(
        FrameRoom.width() / 2, FrameRoom.height(), -FrameRoom.width() / 2, -FrameRoom.height());
    setGeometry(QRect(QPoint(std::max(room.left(), std::min(geometry().x(), room.right() + 1 - size.width())),
                             std::max(room.top(), std::min(geometry().y(), room.bottom() + 1 - size.height()))),
                      size));
}

void MainWindow::restoreWindow() {
    if (m_editor.options().safeMode)
        return;
    ui::UserSettings& settings = m_editor.settings();
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    if (m_editor.options().width > 0)
        setWindowState(windowState() & ~(Qt::WindowMaximized | Qt::WindowFullScreen));
    // A window that would open outside every screen comes back.
    bool visible = false;
    for (const QScreen* screen : QApplication::screens())
        visible = visible || screen->availableGeometry().intersects(frameGeometry());
    if (!visible)
        move(40, 40);
    if (settings.value(QStringLiteral("window/rightCorner")).toInt() == static_cast<int>(Qt::RightDockWidgetArea))
        setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea); // no part of the state
    m_restored = restoreLayout(*this, settings.value(QStringLiteral("window/state")).toByteArray(),
                               LayoutVersion, settings.value(QStringLiteral("window/size")).toSize());
    m_viewport->restoreState(settings.value(QStringLiteral("viewport")).toMap());
    m_trace->restoreState(settings.value(QStringLiteral("trace")).toMap());
    m_trace->keepFilters(settings);
    m_editor.actions().loadShortcuts(settings);
}

} // namespace sbx::editor
