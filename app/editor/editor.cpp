#include "app/editor/editor.h"

#include <QApplication>
#include <QDir>
#include <QTimer>

#include "app/common/crash_record.h"
#include "app/editor/crash_dialog.h"
#include "app/editor/main_window.h"
#include "app/remote/remote_control.h"
#include "app/remote/window_remote.h"
#include "app/sound/qt_output.h"
#include "engine/commands/console_commands.h"
#include "engine/core/console_syntax.h"
#include "engine/core/printable.h"
#include "engine/core/user_folders.h"
#include "engine/plugin/plugin_scratch.h"
#include "widgets/common/application_icon.h"
#include "widgets/common/foreign_text.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace sbx::editor {

namespace {
ui::ThemeMode themeMode(const QString& name) {
    return name == QLatin1String("light")    ? ui::ThemeMode::Light
           : name == QLatin1String("system") ? ui::ThemeMode::System
                                             : ui::ThemeMode::Dark;
}
UserFolders foldersFor(const QString& folder) {
    return folder.isEmpty() ? UserFolders::ofUser() : UserFolders::in(folder.toStdString());
}

const QString HangContext = QStringLiteral("hang");
const QString SettingsContext = QStringLiteral("settings");
constexpr std::chrono::milliseconds Grace{2000}; // for a tick to end
} // namespace

Editor::Editor(QApplication& application, const Options& options, const QString& folder,
               app::CrashHandler* crashes)
    : m_options(options), m_crashes(crashes), m_userConfig(foldersFor(folder).config),
      m_trusted(foldersFor(folder).config / TrustedProjectsFile, resourceFolders()) {
    const UserFolders folders = foldersFor(folder);
    // Before anything is opened there.
    if (folder.isEmpty())
        m_moved = folders.moveOldFiles(UserFolders::oldFolder());
    m_stateFolder = QString::fromStdString(folders.state.string());
    m_configFolder = QString::fromStdString(folders.config.string());
    m_cacheFolder = QString::fromStdString(folders.cache.string());
    m_settings = std::make_unique<ui::UserSettings>(QDir(m_configFolder).filePath(QStringLiteral("settings.ini")));
    m_theme.setMode(themeMode(m_options.theme.empty() ? settings().value(QStringLiteral("theme")).toString()
                                                      : QString::fromStdString(m_options.theme)));
    QDir().mkpath(m_stateFolder);
    if (const Result<void> opened =
            m_log.openFile(QDir(m_stateFolder).filePath(QStringLiteral("signalbox.log")).toStdString());
        !opened)
        m_log.warning("editor", opened.error().toString());
    if (m_crashes != nullptr)
        m_crashes->setLog(m_log.filePath());
    for (const std::string& moved : m_moved)
        m_log.info("editor", moved);
    if (const int swept = PluginScratch::sweep(); swept > 0)
        m_log.info("editor", "removed what " + std::to_string(swept) + " processes that are gone had left of plugins");
    m_theme.apply(application);
    QApplication::setWindowIcon(ui::applicationIcon());
    m_session = std::make_unique<Session>(m_log, addConsoleCommands);
    m_session->plugins().setPolicy(pluginPolicy(m_trusted, m_options.safeMode));
    if (const auto file = definition::findProjectFile(m_options.project); m_options.trust && file)
        m_trusted.trustForNow(file->parent_path());
    // Before settings and command line are read, which may name them.
    m_traceLimits.emplace(m_session->console().cvars(), folders.cache / "trace");
    loadCVars();
    m_sound = std::make_unique<app::LiveSound>(*m_session, m_log);
    m_feed = std::make_unique<ui::SessionFeed>(*m_session);
    m_document = std::make_unique<ui::Document>(m_stateFolder);
    m_project = std::make_unique<ui::ProjectModel>(*m_document, *m_feed);
    m_selectionMemory = std::make_unique<ui::SelectionMemory>(m_document->undoStack(), m_selection);
    // The console's plugin.reload: the texts are here, saved or not.
    m_session->handlers().reload = [project = m_project.get()] {
        QMetaObject::invokeMethod(project, &ui::ProjectModel::reread, Qt::QueuedConnection);
    };
    m_actions = std::make_unique<ui::ActionRegistry>(m_theme);
    m_window = std::make_unique<MainWindow>(*this, *m_session);
    // From here on the session belongs to its thread.
    m_thread = std::make_unique<SimulationThread>(*m_session);
    m_hangWatch = std::make_unique<HangWatch>(*m_thread);
    QObject::connect(m_hangWatch.get(), &HangWatch::hangs, m_window.get(),
                     [this](const UnderWayReport& handler, bool same) { tellHang(handler, same); });
    QObject::connect(m_hangWatch.get(), &HangWatch::goesOn, m_window.get(),
                     [this] { m_notices.dismissContext(HangContext); });
}

Editor::~Editor() {
    m_remote.reset();
    const UnderWayReport hanging = m_hangWatch->reported();
    m_hangWatch.reset();
    if (!m_thread->stopWithin(Grace))
        endNow(m_endStatus, "the simulation did not come to an end"
                               + (hanging.any ? ": " + HangWatch::words(hanging, true).toStdString() : std::string()));
    saveCVars();
    saveSettings();
    m_window.reset();
    m_sound.reset();
}

void Editor::loadCVars() {
    CVarRegistry& cvars = m_session->console().cvars();
    if (!m_options.safeMode)
        m_userConfig.load(m_session->console());
    for (const auto& [name, value] : m_options.cvars)
        if (const auto set = cvars.set(name, value, CVarSource::CommandLine, {"--" + name, {}}); !set)
            refuse("--" + name + "=" + value, set.error().message);
}

void Editor::refuse(const std::string& option, const std::string& reason) {
    m_refused = true;
    const std::string text = option + ": " + reason;
    m_log.error("editor", text);
    std::fprintf(stderr, "error: %s\n", printable(text).c_str());
    ui::Notice notice;
    notice.severity = Severity::Error;
    notice.context = QString::fromStdString("command line " + option);
    notice.text = ui::shownText(QString::fromStdString(text));
    m_notices.post(notice);
}

void Editor::saveCVars() {
    if (m_options.safeMode)
        return;
    if (const Result<void> saved = m_userConfig.save(m_session->console()); !saved)
        m_log.warning("editor", saved.error().toString());
}

void Editor::saveSettings() {
    if (const Result<void> saved = settings().save(); !saved)
        m_log.error("editor", "the settings are not saved: " + saved.error().toString());
}

void Editor::execute(const std::string& line, std::function<void(const ConsoleReply&)> done, WriteReach reach) {
    if (m_window != nullptr && m_session->stops().stopped() != nullptr) {
        const std::string shown = m_session->console().masked(line);
        m_log.info("console", "waits until the tick goes on: " + shown);
        m_window->sayWaits(QString::fromStdString(shown));
    }
    m_feed->post([line, done = std::move(done), reach](Session& session) {
        const ConsoleReply reply = session.execute(line, CVarSource::Console, reach);
        if (done)
            done(reply);
    });
}

void Editor::endNow(int status, const std::string& why) {
    m_document->flushJournal();
    m_window->rememberWindow();
    saveSettings();
    m_log.error("editor", "ended at once: " + why
                              + (m_document->isDirty() ? "; what was not saved is kept for the next start" : ""));
    std::fflush(nullptr);
    app::leaveProgram(status);
}

void Editor::tellHang(const UnderWayReport& handler, bool same) {
    const QString words = HangWatch::words(handler, same);
    std::string line = words.toStdString();
    if (handler.plugin[0] != '\0')
        line += ", plugin " + std::string(handler.plugin);
    for (const std::string& frame : m_hangWatch->backtrace())
        line += "\n" + frame;
    m_log.error("session", line);
    ui::Notice notice;
    notice.severity = Severity::Error;
    notice.context = HangContext;
    notice.text = QObject::tr("%1. The window goes on working; the world stands still.").arg(words);
    notice.choices = {{QObject::tr("Save"), [this] { (void)m_actions->trigger(QStringLiteral("file.save")); }, true},
                      {QObject::tr("Wait"), {}, false},
                      {QObject::tr("End the program"), [this, line] { endNow(m_endStatus, line); }, true}};
    m_notices.post(notice);
}

// With a user to answer questions.
void Editor::askAfterCrash(const std::function<void()>& then) {
    const bool attended = !m_options.quitAfter && m_options.screenshotFile.empty();
    const std::vector<app::CrashRecord> records =
        attended ? app::CrashRecord::takeNew(crashFolder(m_stateFolder).toStdString())
                 : std::vector<app::CrashRecord>();
    if (records.empty()) {
        then();
        return;
    }
    const app::CrashRecord& record = records.back();
    m_log.warning("editor", "the last run crashed: " + CrashDialog::what(record).toStdString() + " See " + record.path);
    if (m_options.project.empty())
        m_options.project = record.project;
    auto* dialog = new CrashDialog(record, static_cast<int>(records.size()), QString::fromStdString(m_options.project),
                                   m_theme, m_window.get());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::finished, m_window.get(), [this, then, plugin = record.plugin](int answer) {
        if (answer == CrashDialog::Without)
            m_session->plugins().leaveOut(plugin);
        // Closed without an answer: nothing that may crash again is opened, and the user chooses what is.
        if (answer != QDialog::Rejected)
            then();
        else
            m_window->showStartPage();
    });
    dialog->open();
}

void Editor::start() {
    if (m_options.width > 0)
        m_window->setWindowSize({m_options.width, m_options.height});
    m_window->viewport().view().setEarlyPictures(m_options.earlyPictures);
    m_window->show();
    m_window->arrangeFirst();
    watchSettings();
    askAfterCrash([this] { openAndPlay(); });
    if (m_options.quitAfter || !m_options.screenshotFile.empty())
        scheduleEnd();
}

void Editor::watchSettings() {
    if (!settings().trouble().isEmpty()) {
        m_log.warning("editor", settings().trouble().toStdString());
        ui::Notice notice;
        notice.severity = Severity::Warning;
        notice.text = settings().trouble();
        m_notices.post(notice);
    }
    QObject::connect(m_settings.get(), &ui::UserSettings::saveFailed, m_window.get(), [this](const QString& reason) {
        m_log.error("editor", "the settings are not saved: " + settings().path().toStdString() + ": " + reason.toStdString());
        ui::Notice notice;
        notice.severity = Severity::Error;
        notice.context = SettingsContext;
        notice.text = QObject::tr("The settings are not saved: %1. The file %2 is as it was; what you set counts until the editor ends.")
                          .arg(reason, settings().path());
        notice.choices = {{QObject::tr("Retry"), [this] { (void)settings().save(); }, true}}; // it goes once they are saved
        m_notices.post(notice);
    });
    QObject::connect(m_settings.get(), &ui::UserSettings::saved, m_window.get(),
                     [this] { m_notices.dismissContext(SettingsContext); });
}

void Editor::openAndPlay() {
    if (!m_options.project.empty())
        m_window->openAsked(QString::fromStdString(m_options.project));
    if (m_options.play)
        m_feed->post([](Session& session) { session.play(); });
    if (const std::string autoexec = m_userConfig.autoexec().string();
        !m_options.safeMode && std::filesystem::exists(autoexec))
        m_feed->post([autoexec](Session& session) { session.lines().execFile(autoexec, CVarSource::User); });
    if (m_options.execFile.empty())
        return;
    // The console looks in the project's folder; the command line means the folder it was typed in.
    m_feed->post([this, file = std::filesystem::absolute(m_options.execFile).string()](Session& session) {
        const ConsoleReply reply = session.lines().execFile(file);
        const auto fault = std::find_if(reply.lines.begin(), reply.lines.end(),
                                        [](const std::string& line) { return line.find("error: ") != std::string::npos; });
        if (reply.ok)
            return;
        std::string reason = fault == reply.lines.end() ? "a line of " + file + " failed" : *fault;
        if (constexpr std::string_view Prefix = "error: "; reason.starts_with(Prefix))
            reason.erase(0, Prefix.size());
        QMetaObject::invokeMethod(m_window.get(), [this, reason] { refuse("--exec", reason); }, Qt::QueuedConnection);
    });
}

void Editor::scheduleEnd() {
    const double seconds = m_options.quitAfter.value_or(2.0);
    const auto end = [this] {
        if (!m_options.screenshotFile.empty()) {
            const QString file = QString::fromStdString(m_options.screenshotFile);
            if (!m_window->saveScreenshot(file)) {
                std::fprintf(stderr, "error: cannot write %s\n", m_options.screenshotFile.c_str());
                QApplication::exit(1);
                return;
            }
        }
        QApplication::exit(m_refused ? 1 : 0);
    };
    if (!m_options.play) {
        QTimer::singleShot(static_cast<int>(seconds * 1000.0), m_window.get(), end);
        return;
    }
    // Playing: the seconds are those of the simulation, so that a slow machine shows the same moment.
    auto* timer = new QTimer(m_window.get());
    QObject::connect(timer, &QTimer::timeout, m_window.get(), [this, timer, seconds, end] {
        const FrameSnapshot& frame = m_feed->frame();
        if (static_cast<double>(frame.tick) / frame.tickRate < seconds)
            return;
        timer->stop();
        end();
    });
    timer->start(20);
}

} // namespace sbx::editor
