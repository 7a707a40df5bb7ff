#include "app/editor/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QCursor>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QStatusTipEvent>
#include <QTabBar>
#include <QTimer>
#include <QUrl>

#include "app/editor/editor.h"
#include "app/editor/plugin_notices.h"
#include "app/editor/project_cameras.h"
#include "app/editor/project_views.h"
#include "app/editor/recent_projects.h"
#include "app/editor/scene_set.h"
#include "app/editor/status_badge.h"
#include "app/editor/status_strip.h"
#include "app/editor/trust_dialog.h"
#include "widgets/assets/asset_panel.h"
#include "widgets/assets/asset_previews.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/document_files.h"
#include "widgets/common/entity_lives.h"
#include "widgets/common/entity_names.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/log_problems.h"
#include "widgets/console/console_backend.h"
#include "widgets/console/console_panel.h"
#include "widgets/console/cvar_command.h"
#include "widgets/console/cvar_table.h"
#include "widgets/console/key_binding_actions.h"
#include "widgets/console/palette_items.h"
#include "widgets/console/watch_list.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/definition/problems_model.h"
#include "widgets/definition/problems_panel.h"
#include "widgets/graph/graph_panel.h"
#include "widgets/graph/recorded_graph_source.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/outliner/entity_browser.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/probe/sound_overlay.h"
#include "widgets/trace/recorder_trace_source.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/placement.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>
#include <utility>

namespace sbx::editor {

namespace {
constexpr int LayoutVersion = 2;
constexpr QSize FrameRoom(8, 48); // that the window's frame takes, at most: known only when it is shown

// The project's plugins that are held back, as a window shows their names.
QStringList heldBackPlugins(const Content& content) {
    QStringList out;
    if (content.catalog)
        for (const PluginState& plugin : content.catalog->plugins)
            if (plugin.heldBack)
                out << ui::shownLine(plugin.path);
    return out;
}
// Subject of the notices about a file of the project.
const QString FileContext = QStringLiteral("file ");
QString fileContext(const std::string& file) { return FileContext + QString::fromStdString(file); }
} // namespace

MainWindow::MainWindow(Editor& editor, Session& session) : m_editor(editor) {
    setObjectName(QStringLiteral("main"));
    setDockNestingEnabled(true);
    setAcceptDrops(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    const QSize room = screen()->availableGeometry().size() - FrameRoom;
    resize(QSize(1440, 900).boundedTo(room));
    createPanels(session);
    createActions();
    createToolBar();
    createDocks();
    connectPanels();
    m_palette = new ui::CommandPalette(m_editor.theme(), m_editor.actions(), *this);
    m_palette->addProvider(QLatin1Char('@'), tr("entity"), [this] {
        std::vector<ui::PaletteItem> items;
        for (const EntityRow& row : m_editor.feed().frame().entities->rows) {
            ui::PaletteItem item;
            item.text = QString::fromStdString(row.name);
            item.detail = QString::fromStdString(row.type);
            item.icon = row.icon.empty() ? QStringLiteral("entity") : QString::fromStdString(row.icon);
            item.run = [this, name = row.name] {
                m_editor.selection().setEntity(name, QStringLiteral("palette"));
                m_viewport->frameSelection();
            };
            items.push_back(std::move(item));
        }
        return items;
    });
    const ui::ConsoleLines lines{[this](const QString& line) {
                                     showConsole();
                                     m_editor.execute(line.toStdString());
                                 },
                                 [this](const QString& begin) {
                                     showConsole();
                                     m_console->type(begin);
                                 }};
    m_palette->addProvider(QLatin1Char(':'), tr("CVar"),
                           [&session, lines] { return ui::cvarItems(session.console().cvars(), lines); });
    offerComponents();
    offerTypes();
    leadOnFromEmptyPanels();
    m_palette->setCommands([this, &session, lines] {
        const auto isAction = [this](const QString& name) {
            return m_editor.actions().describe(name) != nullptr;
        };
        return ui::commandItems(session.console().commands(), isAction, lines);
    });
    createStartPage();
    m_noticeStack = new ui::NoticeStack(m_editor.theme(), m_editor.notices(), *this);
    // Notices keep clear of the viewport's handles and tools, what else the viewport shows keeps clear of the notices.
    const auto inWindow = [this](const QRect& area) {
        return area.isEmpty() ? area : QRect(m_viewport->mapTo(this, area.topLeft()), area.size());
    };
    m_noticeStack->setObstacles([this, inWindow]() -> std::vector<QRect> {
        return {inWindow(m_viewport->gizmoArea()), inWindow(m_viewport->stripArea())};
    });
    m_viewport->setCovered([this]() -> std::vector<QRect> {
        if (!m_noticeStack->isVisible())
            return {};
        return {QRect(m_viewport->mapFrom(this, m_noticeStack->pos()), m_noticeStack->size())};
    });
    connect(&m_viewport->view(), &ui::ViewportView::frameShown, m_noticeStack, [this] {
        m_noticeStack->makeWay();
        m_viewport->arrangePlates();
    });
    m_editor.actions().attach(*this);
    qApp->installEventFilter(this);
    registerActionCommands();
    new SceneSet(session, m_editor.document(), m_editor.log(), this);
    connectConsole(session);
    connectBreakpoints(session);
    connectConsoleLinks();
    connectNetwork();
    restoreWindow();
    updateTitle();
}

MainWindow::~MainWindow() {
    // Taking a dock away lays out the rest and draws the picture at once: by then what draws sounds into it is gone.
    hide();
    m_noticeStack->setObstacles({}); // they are asked of the viewport
    delete std::exchange(m_soundOverlay, nullptr);
    // Panels go before the sources they read, which are members.
    qDeleteAll(findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly));
    delete takeCentralWidget();
}

void MainWindow::createPanels(Session& session) {
    const ui::Theme& theme = m_editor.theme();
    m_traceSource = std::make_unique<ui::RecorderTraceSource>(
        session.recorder(), session.recorder().addReader(), [this](MessageTypeId type, bool recorded) {
            m_editor.feed().post([type, recorded](Session& s) { s.recorder().setRecorded(type, recorded); });
        },
        [this] { return m_editor.feed().frame().tickRate; });
    m_lives = new ui::EntityLives(m_editor.feed(), this);
    m_traceSource->setLives(
        [this](std::string_view world, EntityId entity) { return m_lives->find(world, entity); });
    m_consoleBackend = std::make_unique<ui::EngineConsoleBackend>(
        session.console(), m_editor.log(), [this](std::string line, ui::EngineConsoleBackend::Done done) {
            m_editor.execute(line, std::move(done));
        });
    m_consoleBackend->setSession(session.watches(), session.targets());
    m_consoleBackend->setActions([this](const std::string& command) {
        return m_editor.actions().describe(QString::fromStdString(command)) != nullptr;
    });
    ui::CVarCommand::connectSteps(*m_consoleBackend, m_editor.document().undoOrder(),
                                  [this](const ui::CVarCommand::Steps& made, bool undo) {
                                      m_editor.feed().post([made, undo](Session& s) {
                                          undo ? s.console().undo(*made) : s.console().redo(*made);
                                      });
                                  });
    m_graphSource = std::make_unique<ui::RecordedGraphSource>(session.netRecorder().addReader());
    m_viewport = new ui::ViewportPanel(session, m_editor.selection(), m_editor.document(), m_editor.actions(),
                                       m_editor.theme(), this);
    setCentralWidget(m_viewport);
    m_trace = new ui::TracePanel(theme, *m_traceSource, m_editor.selection());
    m_console = new ui::ConsolePanel(theme, *m_consoleBackend);
    m_graph = new ui::GraphPanel(theme, *m_graphSource, m_editor.selection());
    m_outliner = new ui::OutlinerPanel(theme, m_editor.feed(), m_editor.selection());
    m_browser = new ui::EntityBrowser(theme, m_editor.project(), m_editor.feed());
    m_assets = new ui::AssetPanel(theme, m_editor.document(), m_editor.project(), m_editor.feed(), m_editor.actions(),
                                  QDir(m_editor.cacheFolder()).filePath(QStringLiteral("previews")));
    m_inspector = new ui::InspectorPanel(theme, m_editor.feed(), m_editor.selection(), m_editor.document(),
                                         m_editor.project());
    m_definition = new ui::DefinitionPanel(theme, m_editor.document(), m_editor.project(), m_editor.feed(),
                                           m_editor.selection(), m_editor.actions());
    m_problems = new ui::ProblemsPanel(theme, m_editor.project());
    m_logProblems = new ui::LogProblems(m_editor.log(), m_editor.feed(), this);
    m_problems->setLog(*m_logProblems);
    m_probe = new ui::ProbePanel(theme, m_editor.feed(), m_editor.selection(), m_editor.document());
    m_status = new StatusStrip(theme, m_editor.feed(), m_editor.document(), m_editor.selection(), this);
    setStatusBar(m_status);
}

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
    arrangeDefault();
}

QDockWidget* MainWindow::dock(const QString& name) const { return findChild<QDockWidget*>(name); }

void MainWindow::arrangeDefault() {
    const auto get = [this](const char* name) { return dock(QStringLiteral("dock.") + QLatin1String(name)); };
    const QList<QDockWidget*> docks{get("outliner"),   get("entities"), get("assets"),  get("inspector"),
                                    get("definition"), get("trace"),    get("graph"),
                                    get("console"),    get("probe"),    get("problems")};
    for (QDockWidget* each : docks) {
        removeDockWidget(each);
        each->setFloating(false);
    }
    const bool small = width() < 1400;
    // A low window gives the definition's text its whole height.
    setCorner(Qt::BottomRightCorner, small ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea);
    addDockWidget(Qt::LeftDockWidgetArea, get("outliner"));
    splitDockWidget(get("outliner"), get("entities"), Qt::Vertical);
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
    // Not behind the entities: Qt 6.4 keeps the tabs of a group inside a split of a maximised window beyond their lives and crashes when
    // the window is laid out with another size (QMainWindowLayout's restored state).
    tabifyDockWidget(get("problems"), get("assets"));
    for (QDockWidget* each : docks)
        each->show();
    get("trace")->raise();
    get("inspector")->raise();
    const int right = small ? 360 : qBound(400, width() * 26 / 100, 520);
    resizeDocks({get("outliner"), get("inspector")}, {small ? 200 : 250, right}, Qt::Horizontal);
    resizeDocks({get("trace")}, {small ? 190 : qBound(210, height() / 4, 300)}, Qt::Vertical);
    resizeDocks({get("outliner"), get("entities")}, small ? QList<int>{60, 40} : QList<int>{10, 10}, Qt::Vertical);
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
    dock(QStringLiteral("dock.definition"))->hide();
    resizeDocks({dock(QStringLiteral("dock.trace"))}, {height() / 2}, Qt::Vertical);
}

void MainWindow::arrangeNetwork() {
    arrangeDefault();
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    dock(QStringLiteral("dock.entities"))->hide();
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
    dock(QStringLiteral("dock.definition"))->hide();
    resizeDocks({dock(QStringLiteral("dock.probe"))}, {height() * 46 / 100}, Qt::Vertical);
    bringForward(QStringLiteral("dock.probe"));
}

void MainWindow::connectAssets() {
    connect(m_assets, &ui::AssetPanel::problem, this, &MainWindow::report);
    connect(m_assets, &ui::AssetPanel::note, this, [this](const QString& text) {
        ui::Notice notice;
        notice.text = text;
        m_editor.notices().post(notice);
    });
    connect(m_assets, &ui::AssetPanel::createRequested, m_viewport, &ui::ViewportPanel::createAssetAtCentre);
    connect(m_assets, &ui::AssetPanel::placeRequested, this, &MainWindow::showDefinition);
    connect(m_assets, &ui::AssetPanel::entityRequested, this, [this](const QString& entity) {
        m_editor.selection().setEntity(entity.toStdString(), QStringLiteral("assets"));
        m_viewport->frameSelection();
    });
    connect(m_assets, &ui::AssetPanel::faultsChanged, m_problems, [this] { m_problems->setAssetFaults(m_assets->faults()); });
    connect(m_problems, &ui::ProblemsPanel::findRequested, this, [this](const QString& missing) {
        dock(QStringLiteral("dock.assets"))->show();
        dock(QStringLiteral("dock.assets"))->raise();
        m_assets->choose(missing);
        m_assets->find(missing, QCursor::pos());
    });
    m_viewport->setAssetFacts([this](const QString& asset) {
        ui::ViewportPanel::AssetFacts facts;
        if (const ui::AssetPreview* preview = m_assets->previewOf(asset)) {
            facts.fault = preview->fault;
            if (preview->triangles > 0)
                facts.bounds = preview->bounds;
            else if (preview->fault.isEmpty())
                facts.bounds = ui::soundClearance();
        }
        return facts;
    });
}

void MainWindow::connectProbe() {
    m_probe->setCamera([this] { return m_viewport->view().camera().pose; });
    connect(m_probe, &ui::ProbePanel::problem, this,
            [this](const QString& text) { m_editor.log().warning("audio", text.toStdString()); });
    connect(m_probe, &ui::ProbePanel::entityActivated, m_viewport, &ui::ViewportPanel::frameSelection);
    connect(dock(QStringLiteral("dock.probe")), &QDockWidget::visibilityChanged, this, [this](bool visible) {
        if (visible)
            m_probe->wake();
        m_viewport->view().wake();
        if (m_soundOverlay != nullptr)
            m_soundOverlay->updateLegend();
    });
    m_soundOverlay = new ui::SoundOverlay(m_editor.theme(), *m_probe, this);
    ui::ViewportView& view = m_viewport->view();
    m_soundOverlay->attach(
        view, [&view](const QPointF& place) { return view.rayAt(place); }, [&view] { return view.camera(); });
    m_soundOverlay->setTaken([this] { return m_viewport->stripArea(); });
    // Hidden, so that it takes no space from those who do not work on sound.
    m_viewport->addDrawing([this](render::View& picture) {
        if (m_soundOverlay != nullptr && m_probe->isSeen())
            m_soundOverlay->draw(picture);
    });
    connect(m_soundOverlay, &ui::SoundOverlay::changed, this, [this] { m_viewport->view().wake(); });
    connect(m_soundOverlay, &ui::SoundOverlay::obstaclePicked, this, [this](const QString& entity) {
        m_editor.selection().setEntity(entity.toStdString(), QStringLiteral("probe.obstacle"));
    });
}

void MainWindow::connectPanels() {
    connectProbe();
    connectAssets();
    ui::Document& document = m_editor.document();
    ui::ProjectModel& project = m_editor.project();
    connect(m_viewport, &ui::ViewportPanel::framesPerSecondChanged, m_status,
            &StatusStrip::setFramesPerSecond);
    connect(m_viewport, &ui::ViewportPanel::problem, this, &MainWindow::report);
    m_viewport->setScene([&project]() -> const definition::Scene* { return project.content() ? &project.content()->scene : nullptr; });
    connect(m_viewport, &ui::ViewportPanel::done, m_status, &StatusStrip::say);
    connect(m_viewport, &ui::ViewportPanel::note, this, [this](const QString& text) {
        ui::Notice notice;
        notice.text = text;
        m_editor.notices().post(notice);
    });
    connect(&m_editor.sound(), &app::LiveSound::statusChanged, this, &MainWindow::showSound);
    connect(&m_editor.sound(), &app::LiveSound::modeChanged, m_status,
            [this](audio::Mode mode) { m_status->setSoundMode(ui::modeName(mode)); });
    connect(m_viewport, &ui::ViewportPanel::qualityLowered, this, [this] {
        ui::Notice notice;
        notice.text =
            tr("This machine draws slowly: the picture is made simpler. See Console, channel render.");
        notice.context = QStringLiteral("render");
        m_editor.notices().post(notice);
    });
    connect(m_inspector, &ui::InspectorPanel::problem, this, &MainWindow::report);
    connect(m_inspector, &ui::InspectorPanel::said, this, [this](const QString& text) {
        ui::Notice notice;
        notice.context = QStringLiteral("inspector.said"); // the last one counts
        notice.text = text;
        m_editor.notices().post(notice);
    });
    connect(m_inspector, &ui::InspectorPanel::lockChanged, this, [this] { m_editor.actions().refresh(); });
    const QString favourites = QStringLiteral("inspector/favourites");
    m_inspector->setFavourites(m_editor.settings().value(favourites).toStringList());
    connect(m_inspector, &ui::InspectorPanel::favouritesChanged, this,
            [this, favourites](const QStringList& names) { m_editor.settings().setValue(favourites, names); });
    connect(m_definition, &ui::DefinitionPanel::problem, this, &MainWindow::report);
    connect(m_inspector, &ui::InspectorPanel::definitionRequested, this,
            [this, &project](const QString& type, const QString& component) {
                const definition::EntityTypeDefinition* known =
                    project.content() ? project.content()->definitions->find(type.toStdString()) : nullptr;
                if (known != nullptr && known->builtIn) {
                    ui::Notice notice;
                    notice.text = tr("%1 is built in: no file of the project declares it. To change it for the whole project, switch the inspector to all of %1.").arg(type);
                    m_editor.notices().post(notice);
                    return;
                }
                dock(QStringLiteral("dock.definition"))->show();
                dock(QStringLiteral("dock.definition"))->raise();
                m_definition->showType(type, component);
            });
    connect(m_browser, &ui::EntityBrowser::definitionRequested, m_inspector,
            [this](const QString& type) { emit m_inspector->definitionRequested(type, {}); });
    connect(m_browser, &ui::EntityBrowser::createRequested, m_viewport, &ui::ViewportPanel::createAtCentre);
    connect(m_outliner, &ui::OutlinerPanel::entityActivated, m_viewport, &ui::ViewportPanel::frameSelection);
    connect(m_trace, &ui::TracePanel::entityActivated, m_viewport, &ui::ViewportPanel::frameSelection);
    connect(m_outliner, &ui::OutlinerPanel::contextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu;
        for (const char* id : {"view.frame", "probe.listenHere", "edit.rename", "edit.cut", "edit.copy", "edit.paste",
                               "edit.pasteComponentValues", "edit.duplicate", "edit.duplicateAgain", "edit.delete",
                               "edit.selectByType"})
            if (QAction* action = m_editor.actions().find(QLatin1String(id)))
                menu.addAction(action);
        menu.exec(at);
    });
    m_outliner->setNameCheck([this](const std::string& entity, const QString& name) {
        return ui::entityNameRefusal(m_editor.document(), entity, name);
    });
    connect(m_outliner, &ui::OutlinerPanel::renameRequested, m_inspector, &ui::InspectorPanel::rename);
    m_editor.actions().attach(*m_outliner, QStringLiteral("entities"));
    m_trace->setPlayAction(m_editor.actions().find(QStringLiteral("play.start")));
    connect(m_problems, &ui::ProblemsPanel::activated, this, &MainWindow::showDefinition);
    connect(m_problems, &ui::ProblemsPanel::fixRequested, m_definition, &ui::DefinitionPanel::applyFix);
    const auto showCounts = [this](int errors, int others) {
        m_status->setProblems(errors, others);
        if (QDockWidget* problems = dock(QStringLiteral("dock.problems")))
            problems->setWindowTitle(errors + others > 0 ? tr("Problems (%1)").arg(errors + others) : tr("Problems"));
    };
    connect(m_problems, &ui::ProblemsPanel::countsChanged, this, showCounts);
    const int errors = m_problems->model().count(Severity::Error);
    showCounts(errors, m_problems->model().rowCount() - errors);
    connect(&document, &ui::Document::opened, m_logProblems, &ui::LogProblems::clear);
    // A world that runs goes on until the session shows the other project: what it sends until then goes as well.
    connect(&document, &ui::Document::opened, m_trace, [this] {
        m_trace->clear();
        m_clearWhenShown = m_editor.feed().mode() != Mode::Edit;
    });
    connect(&project, &ui::ProjectModel::loadingChanged, m_trace, [this](const QString& name) {
        if (name.isEmpty() && std::exchange(m_clearWhenShown, false))
            m_trace->clear();
    });
    new PluginNotices(
        project, [this]() -> const Catalog& { return m_editor.feed().session().catalog(); },
        m_editor.notices(),
        [this](const QString& file, int line, int column) { showDefinition(file, line, column); },
        m_editor.options().safeMode ? std::function<void()>() : [this] { showTrust(); }, this);
    // Reading a large project keeps the window busy: what it says is painted before.
    connect(&project, &ui::ProjectModel::loadingChanged, this, [this](const QString& name) {
        m_outliner->setLoading(name);
        m_viewport->setLoading(name);
        if (!name.isEmpty()) {
            m_outliner->repaint();
            m_viewport->repaint();
        }
    });
    connect(&project, &ui::ProjectModel::loadingStep, this, [this](int percent, const QString& text) {
        m_viewport->setLoadingStep(percent, text);
        m_viewport->repaint();
    });
    connect(&project, &ui::ProjectModel::contentChanged, this, &MainWindow::updateTitle);
    connect(&m_status->restricted(), &QAbstractButton::clicked, this, &MainWindow::showTrust);
    connect(&project, &ui::ProjectModel::missingChanged, this, &MainWindow::showMissing);
    connect(&document, &ui::Document::dirtyChanged, this, &MainWindow::updateTitle);
    connect(&document, &ui::Document::opened, this, &MainWindow::updateTitle);
    if (m_console->watches() != nullptr)
        connect(&document, &ui::Document::opened, this, [this] { m_console->watches()->setExportFolder(m_editor.document().folder()); });
    connect(&document, &ui::Document::recoveryAvailable, this, &MainWindow::offerRecovery);
    connect(&document, &ui::Document::recoveriesChanged, this, [this] { m_editor.actions().refresh(); });
    connect(&document, &ui::Document::recoveryUnreadable, this, [this](const QString& path) {
        ui::Notice notice;
        notice.severity = Severity::Warning;
        notice.context = QStringLiteral("recovery ") + path;
        notice.text = tr("What an earlier run left unsaved cannot be read. It is kept as %1.").arg(path);
        m_editor.log().warning("editor", notice.text.toStdString());
        m_editor.notices().post(notice);
    });
    connect(&document, &ui::Document::journalFailed, this, [this](const QString& reason) {
        m_editor.notices().dismissContext(QStringLiteral("journal"));
        ui::Notice notice;
        notice.severity = Severity::Warning;
        notice.context = QStringLiteral("journal");
        notice.text = tr("Unsaved work would be lost in a crash: the journal in %1 %2.")
                          .arg(m_editor.stateFolder(), reason);
        notice.actionText = tr("Save now");
        notice.action = [this] { save(); };
        m_editor.notices().post(notice);
    });
    connect(&document, &ui::Document::journalWritten, this,
            [this] { m_editor.notices().dismissContext(QStringLiteral("journal")); });
    connect(&document, &ui::Document::externalChange, this, &MainWindow::showExternalChange);
    // Written by the editor, or in another project: nothing is left to say about the file on the disk.
    connect(&document, &ui::Document::saved, this,
            [this](const std::string& file) { m_editor.notices().dismissContext(fileContext(file)); });
    for (const auto over : {&ui::Document::opened, &ui::Document::closed})
        connect(&document, over, this, [this] { m_editor.notices().dismissContexts(FileContext); });
    // What is gone is no longer selected. A name that is not there yet (just renamed, just created) is left alone.
    connect(&m_editor.feed(), &ui::SessionFeed::entitiesChanged, this, [this] {
        const std::shared_ptr<const EntityList> before =
            std::exchange(m_entities, m_editor.feed().frame().entities);
        std::vector<std::string> gone;
        for (const std::string& name : m_editor.selection().entities())
            if (before && before->find(name) != nullptr && m_entities->find(name) == nullptr)
                gone.push_back(name);
        if (!gone.empty())
            m_editor.selection().removeAll(gone, QStringLiteral("gone"));
    });
    connect(&m_editor.feed(), &ui::SessionFeed::modeChanged, this, [this](Mode mode) {
        if (mode == Mode::Edit)
            m_editor.notices().dismissContext(QStringLiteral("undo"));
        m_editor.actions().refresh();
        updateTitle();
    });
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, [this] { m_editor.actions().refresh(); });
    if (!m_editor.options().safeMode)
        m_console->keepHistory(QDir(m_editor.stateFolder()).filePath(QStringLiteral("console_history")));
}

void MainWindow::registerActionCommands() {
    // Every action is a console command of the same name; it runs on the window's thread.
    CommandRegistry& commands = m_editor.feed().session().console().commands();
    const CVarRegistry& cvars = m_editor.feed().session().console().cvars();
    for (const QString& id : m_editor.actions().ids()) {
        const std::string name = id.toStdString();
        if (!CommandRegistry::isValidName(name) || commands.find(name) || cvars.contains(name))
            continue;
        const ui::Action* action = m_editor.actions().describe(id);
        QString doc = action->doc.isEmpty() ? action->text : action->doc;
        std::vector<CommandParameter> parameters;
        if (action->checkable)
            parameters.push_back({.name = "state",
                                  .doc = "On or off; left out: the other one.",
                                  .choices = {"on", "off"},
                                  .optional = true});
        commands.add(name, doc.remove(QLatin1Char('&')).toStdString(), std::move(parameters),
                     [this, id](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                         // These write over the project's files, or decide what may run.
                         if (context.reach() == WriteReach::ProjectOutput && id.startsWith(QLatin1String("file.")))
                             return Error{"lines that come with a project cannot do this; expected you to do it", {}, {}};
                         const QString argument =
                             arguments.empty() ? QString() : QString::fromStdString(arguments[0]);
                         QMetaObject::invokeMethod(this, [this, id, argument] {
                             if (const Result<void> done = m_editor.actions().trigger(id, argument); !done)
                                 m_editor.log().error("console", done.error().message);
                         });
                         return {};
                     });
    }
}

void MainWindow::connectConsole(Session& session) {
    // What `select` finds is the window's selection, and the window's is `$sel`.
    connect(&m_editor.selection(), &ui::Selection::entitiesChanged, this, [this] {
        m_editor.feed().post([names = m_editor.selection().sharedEntities()](Session& s) { s.setSelected(*names); });
    });
    session.setSelectionHandler([this](const std::vector<std::string>& names) {
        QMetaObject::invokeMethod(
            this, [this, names] { m_editor.selection().setEntities(names, QStringLiteral("console")); });
    });
    auto* keys = new ui::KeyBindingActions(
        m_editor.actions(), session.console(), {QStringLiteral("viewport"), QStringLiteral("entities")},
        [this](const KeyBinding& binding) { m_editor.execute(binding.line, {}, binding.reach); }, this);
    connect(keys, &ui::KeyBindingActions::refused, this, [this](const QString& key, const QString& by) {
        report(tr("The key %1 runs no console line: %2 has it.").arg(key, by));
    });
    keys->sync();
}

void MainWindow::connectBreakpoints(Session& session) {
    session.setBreakHandler([this](const BreakHit& hit) {
        QMetaObject::invokeMethod(this, [this, hit] {
            m_break = hit;
            showBreakWhenSeen();
        });
    });
    connect(&m_editor.feed(), &ui::SessionFeed::frameChanged, this, &MainWindow::showBreakWhenSeen);
    connect(&m_editor.feed(), &ui::SessionFeed::modeChanged, this, [this](Mode mode) {
        if (mode != Mode::Pause)
            m_editor.notices().dismissContext(QStringLiteral("break"));
    });
    connect(m_trace, &ui::TracePanel::breakRequested, this, [this](const QString& filter) {
        m_editor.execute("break " + filter.toStdString());
        ui::Notice notice;
        notice.text = tr("Play pauses at a message that matches: %1").arg(filter);
        notice.context = QStringLiteral("break");
        notice.actionText = tr("Take it back");
        notice.action = [this] { m_editor.execute("unbreak last"); };
        m_editor.notices().post(notice);
    });
}

void MainWindow::connectConsoleLinks() {
    ui::LinkNames names;
    names.isEntity = [this](const QString& name) {
        const auto& entities = m_editor.feed().frame().entities;
        return entities && entities->find(name.toStdString()) != nullptr;
    };
    names.preview = [this](const ui::LogLink& link) {
        if (link.kind == ui::LinkKind::Entity) {
            const EntityRow* row = m_editor.feed().frame().entities->find(link.target.toStdString());
            return row == nullptr
                       ? tr("%1 is gone").arg(link.target)
                       : tr("%1: %2\nSelects it").arg(link.target, QString::fromStdString(row->type));
        }
        if (link.kind == ui::LinkKind::Message)
            return tr("Shows message #%1 in the trace").arg(link.target);
        return tr("Opens %1").arg(link.target);
    };
    m_console->setLinkNames(std::move(names));
    connect(m_console, &ui::ConsolePanel::left, this, [this] { m_viewport->setFocus(); });
    connect(m_console, &ui::ConsolePanel::linkActivated, this, [this](const ui::LogLink& link) {
        if (link.kind == ui::LinkKind::Entity) {
            m_editor.selection().setEntity(link.target.toStdString(), QStringLiteral("console"));
        } else if (link.kind == ui::LinkKind::Message) {
            dock(QStringLiteral("dock.trace"))->show();
            dock(QStringLiteral("dock.trace"))->raise();
            m_trace->showArriving(link.target.toULongLong());
        } else if (link.kind == ui::LinkKind::Place) {
            const QStringList parts = link.target.split(QLatin1Char(':'));
            const QString file = parts.value(0);
            // As the document calls it: places may carry a folder before them.
            for (const ui::DocumentFile& known : m_editor.document().files())
                if (const QString name = QString::fromStdString(known.file);
                    file == name || file.endsWith(QLatin1Char('/') + name)) {
                    showDefinition(name, parts.value(1).toInt(), std::max(1, parts.value(2).toInt()));
                    return;
                }
            report(tr("%1 is no file of this project.").arg(file));
        }
    });
    if (!m_editor.options().safeMode && m_console->table() != nullptr) {
        m_console->table()->keepStars(QDir(m_editor.configFolder()).filePath(QStringLiteral("console_stars")));
        connect(m_console->table(), &ui::CVarTable::notKept, this, [this](const QString& reason) {
            report(tr("The stars of the CVar table are not kept: %1").arg(reason));
        });
    }
    if (!m_editor.options().safeMode && m_console->watches() != nullptr) {
        m_console->watches()->keepWatches(
            QDir(m_editor.configFolder()).filePath(QStringLiteral("console_watches")));
        connect(m_console->watches(), &ui::WatchList::notKept, this,
                [this](const QString& reason) { report(tr("The watches are not kept: %1").arg(reason)); });
    }
}

void MainWindow::showConsole() {
    dock(QStringLiteral("dock.console"))->show();
    dock(QStringLiteral("dock.console"))->raise();
}

void MainWindow::showSound() {
    const audio::OutputStatus status = m_editor.sound().status();
    const bool heard = status.state == audio::OutputState::Running;
    QString text = tr("no sound device");
    QString whole = QString::fromStdString(status.message);
    if (heard) {
        text = tr("sound %1 kHz").arg(status.sampleRate / 1000.0);
        whole = tr("%1: %2 Hz, buffer %3 ms (%4 ms asked for by audio.latency)")
                    .arg(QString::fromStdString(status.device))
                    .arg(status.sampleRate)
                    .arg(status.latencyMs, 0, 'f', 0)
                    .arg(status.askedMs, 0, 'f', 0);
        if (status.underruns > 0)
            whole += QLatin1Char('\n')
                     + tr("ran dry %1 times; audio.latency makes its buffer longer").arg(status.underruns);
        if (!status.message.empty())
            whole += QLatin1Char('\n') + QString::fromStdString(status.message);
    }
    m_status->setSound(status.state == audio::OutputState::Closed ? QString() : text, whole, !heard);
}

// The session pauses before it publishes. Shown at once, the message would be explained with what is known of the run before.
void MainWindow::showBreakWhenSeen() {
    const FrameSnapshot& frame = m_editor.feed().frame();
    if (!m_break || frame.run < m_break->run || (frame.run == m_break->run && frame.tick < m_break->tick))
        return;
    const BreakHit hit = *std::exchange(m_break, std::nullopt);
    if (frame.run == hit.run)
        showBreak(hit);
}

void MainWindow::showBreak(const BreakHit& hit) {
    dock(QStringLiteral("dock.trace"))->show();
    dock(QStringLiteral("dock.trace"))->raise();
    m_trace->showArriving(hit.sequence);
    ui::Notice notice;
    notice.severity = Severity::Warning;
    notice.context = QStringLiteral("break");
    notice.text =
        tr("Paused at tick %1: %2").arg(QString::number(hit.tick), QString::fromStdString(hit.text));
    notice.actionText = tr("Remove breakpoint");
    notice.action = [this, number = hit.breakpoint] {
        m_editor.execute("unbreak " + std::to_string(number));
    };
    m_editor.notices().dismissContext(notice.context);
    m_editor.notices().post(notice);
}

// One notice a file: what is true of it now.
void MainWindow::showExternalChange(const std::string& file, ui::ExternalChange change) {
    ui::Document& document = m_editor.document();
    const QString name = QString::fromStdString(file);
    ui::Notice notice;
    notice.context = fileContext(file);
    switch (change) {
    case ui::ExternalChange::Settled:
        m_editor.notices().dismissContext(notice.context);
        return;
    case ui::ExternalChange::Removed:
        notice.severity = Severity::Warning;
        notice.text = tr("%1 is gone from the disk. Saving writes it again.").arg(name);
        break;
    case ui::ExternalChange::Changed:
        if (document.isDirty(file)) {
            notice.severity = Severity::Warning;
            notice.text = tr("%1 changed on disk, and has unsaved changes here.").arg(name);
            notice.actionText = tr("Reload");
            notice.action = [this, file] {
                if (const Result<void> read = m_editor.document().reload(file); !read)
                    report(QString::fromStdString(read.error().message));
            };
        } else if (const Result<void> read = document.reload(file); read) {
            notice.text = tr("%1 changed on disk and was read again.").arg(name);
        } else {
            notice.severity = Severity::Error;
            notice.text = QString::fromStdString(read.error().toString());
        }
        break;
    }
    m_editor.notices().post(notice);
}

bool MainWindow::openProject(const QString& path) {
    if (!confirmUnsaved())
        return false;
    keepPicture();
    const QString subject = QStringLiteral("open");
    rememberView();
    if (const Result<void> opened = m_editor.project().open(path); !opened) {
        // With the file that is to blame, where it is another one.
        const Error& error = opened.error();
        reportOn(subject, QString::fromStdString(error.file.empty() ? error.message : error.toString()));
        return false;
    }
    m_editor.notices().dismissContext(subject);
    m_editor.selection().clear(QStringLiteral("open"));
    const QString file = m_editor.document().path(m_editor.document().file(ui::FileRole::Project));
    if (m_editor.crashes() != nullptr)
        m_editor.crashes()->setProject(file.toStdString());
    if (!m_editor.options().safeMode) {
        RecentProjects(m_editor.settings()).add(file);
        m_viewport->restoreCamera(ProjectCameras(m_editor.settings()).find(sceneFile()));
        const QVariantMap view = ProjectViews(m_editor.settings()).find(file);
        m_restored = m_restored || !view.isEmpty();
        applyView(*this, *m_trace, view, LayoutVersion);
    }
    m_editor.actions().refresh();
    hideStartPage();
    updateTitle();
    return true;
}

void MainWindow::showDefinition(const QString& file, int line, int column) {
    if (file.isEmpty()) { // a line of the log
        showConsole();
        return;
    }
    dock(QStringLiteral("dock.definition"))->show();
    dock(QStringLiteral("dock.definition"))->raise();
    m_definition->goTo(file, line, column);
}

// Entities that were placed and cannot be in the world: an edit of the scene must not go unseen.
void MainWindow::showMissing() {
    const ui::ProjectModel& project = m_editor.project();
    const std::vector<std::string>& missing = project.missing();
    ui::Notice notice;
    notice.context = QStringLiteral("missing");
    const auto error =
        std::find_if(project.problems().items.begin(), project.problems().items.end(),
                     [](const Diagnostic& problem) { return problem.severity == Severity::Error; });
    if (missing.empty() || error == project.problems().items.end()) {
        m_editor.notices().dismissContext(notice.context);
        return;
    }
    notice.severity = Severity::Warning;
    const QString first = QString::fromStdString(missing.front());
    const QString file = QString::fromStdString(error->file);
    const QString place = tr("%1, line %2, has an error").arg(file, QString::number(error->region.line));
    notice.text = missing.size() == 1
                      ? tr("%1 stands in the scene file and is not in the world: %2.").arg(first, place)
                      : tr("%1 entities of the scene file, %2 first, are not in the world: %3.")
                            .arg(QString::number(missing.size()), first, place);
    notice.actionText = tr("Show");
    notice.action = [this, file, line = error->region.line, column = error->region.column] {
        showDefinition(file, line, column);
    };
    m_editor.notices().post(notice);
}

void MainWindow::offerRecovery() {
    if (m_recovery)
        m_recovery->close();
    m_recovery = new RecoveryDialog(m_editor.document(), m_editor.theme(), this);
    m_recovery->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_recovery, &RecoveryDialog::failed, this, &MainWindow::report);
    m_recovery->open();
}

void MainWindow::showTrust() {
    const auto& content = m_editor.project().content();
    auto* dialog = new TrustDialog(m_editor.trusted(), content ? content->project.folder : std::filesystem::path(),
                                   content && content->catalog ? content->catalog->plugins : std::vector<PluginState>(),
                                   m_editor.options().safeMode, m_editor.theme(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TrustDialog::failed, this, &MainWindow::report);
    connect(dialog, &TrustDialog::trustChanged, &m_editor.project(), &ui::ProjectModel::reread);
    dialog->open();
}

void MainWindow::report(const QString& text) { reportOn({}, text); }

void MainWindow::reportOn(const QString& subject, const QString& text) {
    m_editor.log().error(ui::LogProblems::Refusals, text.toStdString());
    ui::Notice notice;
    notice.severity = Severity::Error;
    notice.context = subject;
    notice.text = text;
    m_editor.notices().post(notice);
}

bool MainWindow::saveScreenshot(const QString& file) {
    // From the screen where there is one: an OpenGL widget's picture is composed by the window system.
    const Result<void> written = ui::writePicture(file, grab().toImage());
    if (!written)
        m_editor.log().error("editor", written.error().toString());
    return written.ok();
}

void MainWindow::updateTitle() {
    const ui::Document& document = m_editor.document();
    const auto& content = m_editor.project().content();
    QString title;
    if (content)
        title = ui::shownLine(content->project.name).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]")) + QStringLiteral("[*]")
                + (!heldBackPlugins(*content).isEmpty() ? tr(" (restricted)") : QString())
                + (m_editor.feed().mode() == Mode::Play ? tr(" (playing)") : QString())
                + QStringLiteral(" — ");
    title += tr("Signalbox");
    setWindowTitle(title);
    setWindowModified(document.isDirty());
    showRestriction();
}

void MainWindow::showRestriction() {
    if (m_editor.options().safeMode) {
        m_status->setRestricted(tr("Safe mode"), tr("Default layout and settings; no plugins run, and nothing is remembered."));
        return;
    }
    const auto& content = m_editor.project().content();
    const QStringList held = content ? heldBackPlugins(*content) : QStringList();
    if (held.isEmpty())
        m_status->setRestricted({}, {});
    else
        m_status->setRestricted(tr("Restricted"), tr("Plugins of this project are held back until you trust it: %1.\nA click shows what "
                                                     "they are and asks.")
                                                      .arg(held.join(QStringLiteral(", "))));
}

bool MainWindow::event(QEvent* event) {
    // The base class would hide mode and tick behind it.
    if (event->type() == QEvent::StatusTip) {
        m_status->setHint(static_cast<QStatusTipEvent*>(event)->tip());
        return true;
    }
    const bool handled = QMainWindow::event(event);
    // The bars of tabbed docks are made when docks are laid out, above everything that is there.
    if (event->type() == QEvent::LayoutRequest)
        keepStartPageOnTop();
    return handled;
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    // A line in which nothing is typed has nothing of its own to undo: the keys go to the document.
    if (event->type() == QEvent::ShortcutOverride)
        if (const auto* line = qobject_cast<QLineEdit*>(watched); line != nullptr && !line->isModified()) {
            auto& key = static_cast<QKeyEvent&>(*event);
            if (key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)) {
                event->ignore();
                return true;
            }
        }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    // Meshes and sounds go into the open project; anything else is a project to be opened.
    QStringList assets;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile() && m_editor.document().isOpen() && assetKind(url.toLocalFile().toStdString()))
            assets << url.toLocalFile();
    if (!assets.isEmpty()) {
        m_assets->importFiles(assets);
        return;
    }
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) {
            openProject(url.toLocalFile());
            return;
        }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!confirmUnsaved()) {
        event->ignore();
        return;
    }
    rememberWindow();
    keepPicture();
    m_editor.document().close();
    event->accept();
}

QString MainWindow::sceneFile() const {
    const ui::Document& document = m_editor.document();
    return document.isOpen() ? document.path(document.file(ui::FileRole::Scene)) : QString();
}

void MainWindow::rememberView() {
    if (m_editor.options().safeMode || !m_editor.document().isOpen())
        return;
    ProjectCameras(m_editor.settings()).keep(sceneFile(), m_viewport->saveCamera());
    // A window that only made a picture of the project was never arranged by anybody.
    if (isVisible())
        ProjectViews(m_editor.settings())
            .keep(m_editor.document().path(m_editor.document().file(ui::FileRole::Project)), viewOf(*this, *m_trace, LayoutVersion));
}

void MainWindow::rememberWindow() {
    if (m_editor.options().safeMode)
        return;
    rememberView();
    ui::UserSettings& settings = m_editor.settings();
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), saveState(LayoutVersion));
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
    // Of a window that is maximised Qt 6.4 keeps the arrangement for its first resizes, and uses it although another one (the project's)
    // was restored when it no longer is maximised.
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
    m_restored = restoreState(settings.value(QStringLiteral("window/state")).toByteArray(), LayoutVersion);
    m_viewport->restoreState(settings.value(QStringLiteral("viewport")).toMap());
    m_trace->restoreState(settings.value(QStringLiteral("trace")).toMap());
    m_editor.actions().loadShortcuts(settings);
}

} // namespace sbx::editor

#include "moc_main_window.cpp"
