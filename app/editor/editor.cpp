#include "app/editor/editor.h"

#include <QApplication>
#include <QDir>
#include <QStandardPaths>
#include <QTimer>

#include "app/editor/main_window.h"
#include "engine/core/console_syntax.h"

#include <filesystem>

namespace sbx::editor {

namespace {
ui::ThemeMode themeMode(const QString& name) {
    return name == QLatin1String("light")    ? ui::ThemeMode::Light
           : name == QLatin1String("system") ? ui::ThemeMode::System
                                             : ui::ThemeMode::Dark;
}
} // namespace

Editor::Editor(QApplication& application, const Options& options, const QString& stateFolder)
    : m_options(options),
      m_stateFolder(stateFolder.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)
                                          : stateFolder),
      m_settings(std::make_unique<QSettings>(QDir(m_stateFolder).filePath(QStringLiteral("settings.ini")),
                                             QSettings::IniFormat)),
      m_userConfig(m_stateFolder.toStdString()),
      m_theme(themeMode(m_options.theme.empty() ? m_settings->value(QStringLiteral("theme")).toString()
                                                : QString::fromStdString(m_options.theme))) {
    QDir().mkpath(m_stateFolder);
    if (const Result<void> opened =
            m_log.openFile(QDir(m_stateFolder).filePath(QStringLiteral("signalbox.log")).toStdString());
        !opened)
        m_log.warning("editor", opened.error().toString());
    m_theme.apply(application);
    m_session = std::make_unique<Session>(m_log);
    m_session->plugins().setEnabled(!m_options.safeMode);
    loadCVars();
    m_sound = std::make_unique<app::LiveSound>(*m_session, m_log);
    m_feed = std::make_unique<ui::SessionFeed>(*m_session);
    m_document = std::make_unique<ui::Document>(m_stateFolder);
    m_project = std::make_unique<ui::ProjectModel>(*m_document, *m_feed);
    m_selectionMemory = std::make_unique<ui::SelectionMemory>(m_document->undoStack(), m_selection);
    // The console's plugin.reload: the texts are here, saved or not.
    m_session->setReloader([project = m_project.get()] {
        QMetaObject::invokeMethod(project, &ui::ProjectModel::reread, Qt::QueuedConnection);
    });
    m_actions = std::make_unique<ui::ActionRegistry>(m_theme);
    m_window = std::make_unique<MainWindow>(*this, *m_session);
    // From here on the session belongs to its thread.
    m_thread = std::make_unique<SimulationThread>(*m_session);
}

Editor::~Editor() {
    m_thread->stop();
    saveCVars();
    m_window.reset();
    m_sound.reset();
}

void Editor::loadCVars() {
    CVarRegistry& cvars = m_session->console().cvars();
    if (!m_options.safeMode)
        m_userConfig.load(m_session->console());
    for (const auto& [name, value] : m_options.cvars)
        if (const auto set = cvars.set(name, value, CVarSource::CommandLine, {"--" + name, {}}); !set)
            m_log.error("editor", "--" + name + "=" + value + ": " + set.error().message);
}

void Editor::saveCVars() {
    if (m_options.safeMode)
        return;
    if (const Result<void> saved = m_userConfig.save(m_session->console()); !saved)
        m_log.warning("editor", saved.error().toString());
}

void Editor::execute(const std::string& line, std::function<void(const ConsoleReply&)> done) {
    m_feed->post([line, done = std::move(done)](Session& session) {
        const ConsoleReply reply = session.execute(line);
        if (done)
            done(reply);
    });
}

void Editor::start() {
    if (m_options.width > 0)
        m_window->resize(m_options.width, m_options.height);
    m_window->show();
    m_window->arrangeFirst();
    if (!m_options.project.empty())
        m_window->openProject(QString::fromStdString(m_options.project));
    if (m_options.play)
        m_feed->post([](Session& session) { session.play(); });
    if (const std::string autoexec = m_userConfig.autoexec().string();
        !m_options.safeMode && std::filesystem::exists(autoexec))
        m_feed->post([autoexec](Session& session) { session.execute("exec " + consoleWord(autoexec), CVarSource::User); });
    if (!m_options.execFile.empty())
        m_feed->post([file = std::filesystem::absolute(m_options.execFile).string()](Session& session) {
            session.execFile(file);
        });
    if (m_options.quitAfter || !m_options.screenshotFile.empty())
        scheduleEnd();
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
        QApplication::exit(0);
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
