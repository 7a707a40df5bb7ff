#include "app/editor/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QScreen>
#include <QStatusTipEvent>
#include <QUrl>

#include "app/editor/editor.h"
#include "app/editor/message_follower.h"
#include "app/editor/project_views.h"
#include "app/editor/recent_projects.h"
#include "app/editor/scene_memory.h"
#include "app/editor/scene_set.h"
#include "app/editor/status_strip.h"
#include "engine/entity/entity_type.h"
#include "engine/simulation/snapshot.h"
#include "engine/simulation/trace_handlers.h"
#include "widgets/assets/asset_panel.h"
#include "widgets/common/backups.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/document_files.h"
#include "widgets/common/entity_lives.h"
#include "widgets/common/log_problems.h"
#include "widgets/common/scene_layers.h"
#include "widgets/common/selection_memory.h"
#include "widgets/console/console_backend.h"
#include "widgets/console/console_panel.h"
#include "widgets/console/cvar_command.h"
#include "widgets/console/cvar_table.h"
#include "widgets/console/palette_items.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/definition/problems_panel.h"
#include "widgets/graph/graph_panel.h"
#include "widgets/graph/recorded_graph_source.h"
#include "widgets/history/history_panel.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/outliner/entity_browser.h"
#include "widgets/outliner/layers_panel.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/probe/sound_overlay.h"
#include "widgets/trace/recorder_trace_source.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>
#include <utility>

namespace sbx::editor {

MainWindow::MainWindow(Editor& editor, Session& session) : m_editor(editor) {
    setObjectName(QStringLiteral("main"));
    setDockNestingEnabled(true);
    setAcceptDrops(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    const QSize room = screen()->availableGeometry().size() - FrameRoom;
    resize(QSize(1440, 900).boundedTo(room));
    createBackups();
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
    new MessageFollower(m_editor, session, {*m_trace, *m_viewport, *m_definition, *m_console, *m_probe},
                        this);
    connectConsole(session);
    connectBreakpoints(session);
    connectConsoleLinks();
    connectNetwork(session);
    restoreWindow();
    updateTitle();
}

MainWindow::~MainWindow() {
    // Taking a dock away lays out the rest and draws the picture at once: by then what draws sounds into it is gone.
    hide();
    delete findChild<MessageFollower*>(QString(), Qt::FindDirectChildrenOnly); // it speaks to the panels
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
    m_traceSource->setHandlers([this](MessageTypeId type) {
        std::vector<std::string> names;
        for (const ComponentType* component : m_editor.feed().frame().catalog->components)
            if (!component->observer
                && std::any_of(component->handlers.begin(), component->handlers.end(),
                               [type](const HandlerDescription& handler) { return handler.message == type; }))
                names.push_back(component->name);
        std::sort(names.begin(), names.end());
        return names;
    });
    m_traceSource->setComponents(
        [this](std::string_view world, EntityId entity) -> std::optional<std::vector<std::string>> {
            const std::optional<ui::EntityLife> life = m_lives->find(world, entity);
            const EntityRow* const row =
                life && !life->goneBy ? m_editor.feed().frame().entities->find(entity) : nullptr;
            if (row == nullptr || row->entityType == nullptr)
                return std::nullopt;
            std::vector<std::string> names;
            for (const EntityType::Slot& slot : row->entityType->layout())
                names.push_back(slot.type->name);
            return names;
        });
    m_traceSource->setCode([this](std::string_view component, MessageTypeId type) -> std::optional<CodeLine> {
        const ComponentType* const known = m_editor.feed().frame().catalog->find(component);
        for (std::size_t i = 0; known != nullptr && i < known->handlers.size(); ++i)
            if (known->handlers[i].message == type)
                return known->handlerLines[i];
        return std::nullopt;
    });
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
    m_trace->setHandlerLookup([this](std::string_view component, MessageTypeId type) {
        return traceHandlers(m_editor.feed().frame().catalog)(component, type);
    });
    m_trace->followLimits([this] { return m_editor.traceLimits().limits(); });
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
    m_marks = new ui::SceneMarks(m_editor.document(), this);
    m_layers = new ui::SceneLayers(m_editor.document(), *m_marks, this);
    m_layersPanel = new ui::LayersPanel(theme, *m_layers, *m_marks, m_editor.selection());
    m_history = new ui::HistoryPanel(theme, m_editor.document(), [this](bool redo) { stepEdits(redo); });
    m_status = new StatusStrip(theme, m_editor.feed(), m_editor.document(), m_editor.selection(), this);
    setStatusBar(m_status);
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
    m_editor.selectionMemory().forget();
    const QString file = m_editor.document().path(m_editor.document().file(ui::FileRole::Project));
    if (m_editor.crashes() != nullptr)
        m_editor.crashes()->setProject(file.toStdString());
    if (!m_editor.options().safeMode) {
        RecentProjects(m_editor.settings()).add(file);
        m_viewport->restoreCamera(SceneMemory::cameras(m_editor.settings()).find(sceneFile()));
        const QVariantMap view = ProjectViews(m_editor.settings()).find(file);
        m_restored = m_restored || !view.isEmpty();
        applyView(*this, *m_trace, view, LayoutVersion);
    }
    m_editor.actions().refresh();
    hideStartPage();
    updateTitle();
    return true;
}

bool MainWindow::saveScreenshot(const QString& file) {
    // From the screen where there is one: an OpenGL widget's picture is composed by the window system.
    const Result<void> written = ui::writePicture(file, grab().toImage());
    if (!written)
        m_editor.log().error("editor", written.error().toString());
    return written.ok();
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

} // namespace sbx::editor

#include "moc_main_window.cpp"
