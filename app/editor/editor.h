#pragma once
// All objects of the editor in the order of their lives: log, session, its thread, theme, document, selection, window.

#include "app/common/crash_handler.h"
#include "app/editor/editor_options.h"
#include "app/editor/hang_watch.h"
#include "app/editor/trace_limits.h"
#include "app/sound/live_sound.h"
#include "engine/core/log.h"
#include "engine/plugin/trusted_projects.h"
#include "engine/session/session.h"
#include "engine/session/simulation_thread.h"
#include "engine/session/user_config.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/notice.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/selection_memory.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/common/user_settings.h"

#include <memory>
#include <optional>

class QApplication;

namespace sbx::remote {
class RemoteControl;
class WindowRemote;
} // namespace sbx::remote

namespace sbx::editor {

class MainWindow;

class Editor {
public:
    // `folder` holds settings, log and journal, all in one; empty: the user's own. `crashes`: gets the record of this run; null: none
    // is. It outlives the editor. Shows nothing yet.
    Editor(QApplication& application, const Options& options, const QString& folder = {},
           app::CrashHandler* crashes = nullptr);
    ~Editor();
    Editor(const Editor&) = delete;
    Editor& operator=(const Editor&) = delete;

    // The socket that the options ask for; nothing without. Before start().
    [[nodiscard]] Result<void> openRemoteControl();
    // Opens the window and the project, starts what the options ask for. After a crash it asks first.
    void start();
    // Ends the program, whatever the simulation is in; unsaved work stays in the journal. Does not return.
    [[noreturn]] void endNow(int status, const std::string& why);
    // The exit status if the program must end at once; 3 by default.
    void setEndStatus(int status) { m_endStatus = status; }

    // Where records of crashes lie, below the state folder.
    [[nodiscard]] static QString crashFolder(const QString& stateFolder) { return stateFolder + QStringLiteral("/crashes"); }
    [[nodiscard]] Log& log() { return m_log; }
    // Where log, journal and history lie, and where settings do.
    [[nodiscard]] const QString& stateFolder() const { return m_stateFolder; }
    [[nodiscard]] const QString& configFolder() const { return m_configFolder; }
    // What may be removed at any time.
    [[nodiscard]] const QString& cacheFolder() const { return m_cacheFolder; }
    [[nodiscard]] ui::UserSettings& settings() { return *m_settings; }
    [[nodiscard]] const TraceLimitCVars& traceLimits() const { return *m_traceLimits; }
    [[nodiscard]] ui::Theme& theme() { return m_theme; }
    [[nodiscard]] ui::SessionFeed& feed() { return *m_feed; }
    [[nodiscard]] ui::Document& document() { return *m_document; }
    [[nodiscard]] ui::ProjectModel& project() { return *m_project; }
    [[nodiscard]] ui::Selection& selection() { return m_selection; }
    [[nodiscard]] ui::SelectionMemory& selectionMemory() { return *m_selectionMemory; }
    [[nodiscard]] ui::ActionRegistry& actions() { return *m_actions; }
    // The projects whose plugins may run.
    [[nodiscard]] TrustedProjects& trusted() { return m_trusted; }
    [[nodiscard]] ui::NoticeList& notices() { return m_notices; }
    [[nodiscard]] app::LiveSound& sound() { return *m_sound; }
    [[nodiscard]] MainWindow& window() { return *m_window; }
    [[nodiscard]] HangWatch& hangWatch() { return *m_hangWatch; }
    [[nodiscard]] app::CrashHandler* crashes() { return m_crashes; }
    [[nodiscard]] const Options& options() const { return m_options; }
    // Runs a console line where the session lives; `done` is called there. While a tick stands, the log and the status bar say that it waits.
    void execute(const std::string& line, std::function<void(const ConsoleReply&)> done = {}, WriteReach reach = WriteReach::Anywhere);

private:
    void loadCVars();
    void saveCVars();
    void saveSettings();
    void scheduleEnd();
    void askAfterCrash(const std::function<void()>& then);
    void openAndPlay();
    void watchSettings();
    // What the command line asks for cannot be done: in the log, on standard error, and as a notice.
    void refuse(const std::string& option, const std::string& reason);
    void tellHang(const UnderWayReport& handler, bool same);

    Options m_options;
    std::vector<std::string> m_moved; // files of an earlier version
    QString m_stateFolder;
    QString m_configFolder;
    QString m_cacheFolder;
    app::CrashHandler* m_crashes;
    int m_endStatus = 3;
    bool m_refused = false; // something of the command line could not be done: the exit status says so
    std::unique_ptr<ui::UserSettings> m_settings;
    UserConfig m_userConfig;
    TrustedProjects m_trusted;
    Log m_log;
    std::unique_ptr<Session> m_session;
    std::optional<TraceLimitCVars> m_traceLimits;
    std::unique_ptr<app::LiveSound> m_sound;
    ui::Theme m_theme;
    std::unique_ptr<SimulationThread> m_thread;
    std::unique_ptr<ui::SessionFeed> m_feed;
    std::unique_ptr<ui::Document> m_document;
    std::unique_ptr<ui::ProjectModel> m_project;
    ui::Selection m_selection;
    std::unique_ptr<ui::SelectionMemory> m_selectionMemory;
    ui::NoticeList m_notices;
    std::unique_ptr<ui::ActionRegistry> m_actions;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<HangWatch> m_hangWatch; // ends before the thread
    std::unique_ptr<remote::WindowRemote> m_remoteWindow;
    std::unique_ptr<remote::RemoteControl> m_remote; // ends before the window
};

} // namespace sbx::editor
