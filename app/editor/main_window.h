#pragma once
// The editor's window: menus, tool bar, docks, status bar; opening, saving, guarded close; layout kept between runs.

#include <QMainWindow>
#include <QPointer>
#include <QSize>

#include "app/editor/recovery_dialog.h"
#include "engine/core/cvar.h"
#include "engine/session/breakpoints.h"
#include "engine/session/live_edits.h"

#include <functional>
#include <optional>

class QCloseEvent;
class QDockWidget;
class QMenu;
class QToolBar;

namespace sbx {
class Session;
struct EntityList;
struct EntityRow;
} // namespace sbx
namespace sbx::ui {
class Backups;
class CommandPalette;
class ConsolePanel;
enum class ExternalChange;
class EngineConsoleBackend;
class EntityLives;
class GraphPanel;
class HistoryPanel;
class LayersPanel;
class SceneLayers;
class SceneMarks;
class GraphSource;
class LogProblems;
class NoticeStack;
class RecorderTraceSource;
class TracePanel;
class ViewportPanel;
class WhyNotWindow;
class OutlinerPanel;
class AssetPanel;
class EntityBrowser;
class InspectorPanel;
class DefinitionPanel;
class ProbePanel;
class ProblemsPanel;
class SoundOverlay;
} // namespace sbx::ui

namespace sbx::editor {

struct ProjectTemplate;
class Editor;
class StartPage;
class StatusStrip;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    // The session's thread has not started yet: panels may still subscribe to the recorder.
    MainWindow(Editor& editor, Session& session);
    ~MainWindow() override;

    // Asks about unsaved work first; faults are shown, what was open stays.
    bool openProject(const QString& path);
    // As the command line asks: an installed sample, by name or path, is opened as a copy in the user's folder of projects; the
    // same copy each time.
    void openAsked(const QString& path); // main_window_start.cpp
    bool saveScreenshot(const QString& file);
    // Keeps geometry, panels, shortcuts and the project's camera for the next start; closing the window does it too. Nothing in safe mode.
    void rememberWindow();
    // Arranges the panels for the window's size, unless an arrangement of an earlier run was restored.
    void arrangeFirst();
    // Before it is shown: that size, in pixels without the frame, and on its screen, whatever was remembered.
    void setWindowSize(const QSize& size);

    // What was asked for is done once the tick that stands goes on.
    void sayWaits(const QString& what);

    // Over all panels: recent projects, new ones and samples.
    void showStartPage();

    [[nodiscard]] ui::ViewportPanel& viewport() { return *m_viewport; }
    [[nodiscard]] ui::TracePanel& trace() { return *m_trace; }
    [[nodiscard]] ui::ConsolePanel& console() { return *m_console; }
    [[nodiscard]] ui::GraphPanel& graph() { return *m_graph; }
    [[nodiscard]] ui::OutlinerPanel& outliner() { return *m_outliner; }
    [[nodiscard]] ui::AssetPanel& assets() { return *m_assets; }
    [[nodiscard]] ui::InspectorPanel& inspector() { return *m_inspector; }
    [[nodiscard]] ui::DefinitionPanel& definition() { return *m_definition; }
    [[nodiscard]] ui::ProbePanel& probe() { return *m_probe; }
    [[nodiscard]] ui::ProblemsPanel& problems() { return *m_problems; }
    [[nodiscard]] ui::HistoryPanel& history() { return *m_history; }
    [[nodiscard]] ui::SceneMarks& sceneMarks() { return *m_marks; }
    [[nodiscard]] ui::LayersPanel& layers() { return *m_layersPanel; }
    // "dock.trace", …
    [[nodiscard]] QDockWidget* dock(const QString& name) const;

protected:
    void childEvent(QChildEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static constexpr int LayoutVersion = 2;           // of what saveState() writes
    static constexpr QSize FrameRoom = QSize(8, 48);  // that the window's frame takes, at most: known only when it is shown

    void createPanels(Session& session);
    void createActions();
    void createFileActions();
    void createEditActions(); // main_window_edit.cpp, with what follows
    void offerComponents();
    void offerTypes();
    void chooseType();
    // The one button of each empty panel.
    void leadOnFromEmptyPanels();
    void renameSelected();
    void selectAll();
    void selectByType();
    // Only their messages in the trace.
    void followSelected();
    void selectWhere(const std::function<bool(const EntityRow&)>& wanted);
    void stepEdits(bool redo); // undo or redo
    void createPlayActions();
    void createKeepActions(); // main_window_keep.cpp, with what follows
    void offerKept();
    void chooseKept();
    void keep(const LiveEdits::List& edits);
    void discardKept();
    void createSpeedActions(); // main_window_speed.cpp
    void addSpeedButton(QToolBar& bar);
    void createNetworkActions(); // main_window_network.cpp, with what follows
    void connectNetwork(Session& session);
    void connectNotices(); // main_window_notices.cpp; the list that the bell opens
    void showLinkMenu(int client, const QPoint& at);
    void playAsHost(int clients);
    void playForOthers();
    void joinServer();
    void createViewActions();
    void createToolBar();
    void createDocks();
    void connectPanels(); // main_window_panels.cpp, with what follows
    void connectViewport();
    void connectInspector();
    void connectOutliner();
    // Of the component in the type of that entity; empty: of the type.
    void showDefinitionOf(const QString& entity, const QString& component);
    void connectProblems();
    void connectSession();
    void connectDocument(); // main_window_documents.cpp, as what is said of files, and saving
    void connectProject();
    void registerActionCommands(); // main_window_console.cpp, as breakpoints
    void connectBreakpoints(Session& session);
    void connectStops(Session& session);
    // By that line of the console; a notice says what it does and takes it back.
    void setBreakpoint(const std::string& line, const QString& said);
    // main_window_why.cpp
    void connectFieldHistory();
    void connectWhyNot();
    void connectSoundStarts();
    void openCode(const QString& file, int line);
    void askWhyNot(ui::WhyNotWindow& window, const std::string& entity, const std::string& part);
    void tellStorm(quint64 sequence, const QString& what, const QString& chain, const QString& condition);
    // In the trace panel.
    void showMessage(qulonglong sequence);
    void connectConsoleLinks();
    void connectProbe();
    void connectAssets();
    void showConsole();
    void connectConsole(Session& session);
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* panel);
    void arrangeDefault();
    void arrangeTraffic();
    void arrangeNetwork();
    void arrangeSound();
    void bringForward(const QString& name);
    void restoreWindow();
    // Camera, panels, filters and columns of the open project.
    void rememberView();
    // The absolute path of the open project's scene; empty: none is open.
    [[nodiscard]] QString sceneFile() const;
    void showRecent(QMenu& menu);
    void updateTitle();
    // The status bar's badge while plugins are held back.
    void showRestriction();
    void showDefinition(const QString& file, int line, int column);
    void showBreak(const BreakHit& hit);
    void showBreakWhenSeen();
    void showSound();
    void offerRecovery();
    void showTrust();
    void showExport(); // main_window_export.cpp
    void showMissing();
    void createStartActions(); // main_window_start.cpp, with what follows
    void createStartPage();
    void hideStartPage();
    void keepStartPageOnTop();
    void placeStartPage();
    void chooseProject();
    void newProject(const QString& templateId);
    void openSample(const QString& templateId);
    bool openInstalledSample(const QString& asked);
    void copyAndOpen(const ProjectTemplate& sample, const QString& folder);
    void openCreated(const QString& folder);
    // Keeps the viewport's picture for the list of recent projects.
    void keepPicture();
    [[nodiscard]] QString pictureOf(const QString& projectFile) const;
    // Save · Discard · Cancel; true: go on.
    bool confirmUnsaved();
    bool save();
    void createBackups(); // main_window_documents.cpp, with what follows
    // Before a save: what is on the disk.
    void keepBackup();
    void showBackups();
    bool saveProjectAs();
    void showExternalChange(const std::string& file, ui::ExternalChange change);
    // An error, in the log and as a notice.
    void report(const QString& text);
    // Of a subject that may be settled later: see Notice::context.
    void reportOn(const QString& subject, const QString& text);

    Editor& m_editor;
    std::shared_ptr<const LiveEdits::List> m_offeredEdits; // of the last run; null: while a world runs
    ui::EntityLives* m_lives = nullptr;
    std::unique_ptr<ui::RecorderTraceSource> m_traceSource;
    std::unique_ptr<ui::EngineConsoleBackend> m_consoleBackend;
    std::unique_ptr<ui::GraphSource> m_graphSource;
    ui::ViewportPanel* m_viewport = nullptr;
    ui::TracePanel* m_trace = nullptr;
    ui::ConsolePanel* m_console = nullptr;
    ui::GraphPanel* m_graph = nullptr;
    ui::OutlinerPanel* m_outliner = nullptr;
    ui::EntityBrowser* m_browser = nullptr;
    ui::AssetPanel* m_assets = nullptr;
    ui::InspectorPanel* m_inspector = nullptr;
    ui::DefinitionPanel* m_definition = nullptr;
    ui::ProblemsPanel* m_problems = nullptr;
    ui::LogProblems* m_logProblems = nullptr;
    ui::ProbePanel* m_probe = nullptr;
    ui::HistoryPanel* m_history = nullptr;
    ui::SceneMarks* m_marks = nullptr;
    ui::SceneLayers* m_layers = nullptr;
    ui::LayersPanel* m_layersPanel = nullptr;
    ui::SoundOverlay* m_soundOverlay = nullptr;
    StatusStrip* m_status = nullptr;
    QPointer<RecoveryDialog> m_recovery;
    ui::CommandPalette* m_palette = nullptr;
    ui::NoticeStack* m_noticeStack = nullptr;
    std::unique_ptr<ui::Backups> m_backups;
    std::optional<CVar<int>> m_mostBackups;
    StartPage* m_start = nullptr;
    std::shared_ptr<const EntityList> m_entities; // as of the last change
    QPoint m_createPlace; // in the viewport, of the type that is being chosen
    bool m_restored = false;
    bool m_clearWhenShown = false;   // the trace, of the project before
    std::optional<BreakHit> m_break; // to be shown with the publication that has its tick
};

} // namespace sbx::editor
