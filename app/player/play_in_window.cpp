#include "app/player/play_in_window.h"

#include <QApplication>
#include <QScreen>
#include <QSurfaceFormat>
#include <QTimer>

#include "app/common/display.h"
#include "app/common/end_request.h"
#include "app/player/playback.h"
#include "app/player/player_window.h"
#include "app/remote/remote_control.h"
#include "app/remote/window_remote.h"
#include "app/sound/live_sound.h"
#include "engine/plugin/trusted_projects.h"
#include "engine/session/simulation_thread.h"
#include "widgets/common/application_icon.h"
#include "widgets/common/bundled_fonts.h"
#include "widgets/common/document_files.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/gl_target.h"

namespace sbx::player {

int runInWindow(const Options& options, int& argc, char** argv) {
    if (const Result<void> display = app::findDisplay(); !display)
        return fail("error: " + display.error().message + "; use --headless", 2);
    const app::EndRequest request;
    Playback playback(options);
    if (const int status = playback.open(); status != 0)
        return status;
    Session& session = playback.session();

    QSurfaceFormat::setDefaultFormat(ui::wantedFormat());
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("signalbox-player"));
    QApplication::setApplicationDisplayName(QString());
    QApplication::setDesktopFileName(QStringLiteral("signalbox"));
    ui::Theme theme;
    theme.apply(application);
    QApplication::setWindowIcon(ui::applicationIcon());
    ui::addBundledFonts(resourceFolders());
    PlayerWindow window(session, theme);
    window.setEarlyPictures(options.screenshotFile.empty() && options.testMode.empty());
    window.setWindowTitle(ui::shownLine(session.simulation().content()->project.name));
    window.resize(options.width, options.height);

    int status = 0;
    const auto end = [&](int with) {
        status = std::max(status, with);
        QApplication::exit();
    };
    const auto broken = [&](const QString& why) { end(fail("error: " + why.toStdString(), 1)); };
    if (!window.failure().isEmpty())
        return fail("error: " + window.failure().toStdString(), 1);
    QObject::connect(&window, &PlayerWindow::failed, &application, broken);
    if (options.fullScreen)
        window.showFullScreen();
    else
        window.show();
    window.raise();
    window.activateWindow();

    std::unique_ptr<remote::WindowRemote> remoteWindow;
    std::unique_ptr<remote::RemoteControl> control;
    if (!options.testMode.empty()) {
        remoteWindow = std::make_unique<remote::WindowRemote>(
            session, remote::WindowParts{.window = &window, .picture = [&window] { return window.picture(); }});
        auto started = remote::RemoteControl::start(
            options.testMode, session,
            [&application] { QMetaObject::invokeMethod(&application, [] { QApplication::exit(); }, Qt::QueuedConnection); },
            [part = remoteWindow.get()](const std::shared_ptr<remote::Request>& line) { part->take(line); });
        if (!started)
            return fail("error: " + started.error().message, 2);
        control = std::move(*started);
        playback.setTicked(control->tickHandler());
    }

    // A run that is written to a file is not heard: a session has one stage.
    std::unique_ptr<app::LiveSound> sound;
    if (options.audioFile.empty())
        sound = std::make_unique<app::LiveSound>(session, playback.log());
    {
        // From here on the session belongs to its thread.
        SimulationThread simulation(session);
        session.post([&playback](Session&) { playback.start(); });
        QTimer watch;
        QObject::connect(&watch, &QTimer::timeout, &application, [&] {
            if (const NetworkPlay* network = playback.network()) {
                const NetworkPlay::Status said = network->status();
                window.setNetwork(QString::fromStdString(said.title), QString::fromStdString(said.notice));
                window.setConnection(QString::fromStdString(said.waiting), QString::fromStdString(said.ended));
                if (!said.ended.empty() && options.ticks)
                    end(1); // the world stands: that many ticks will not come
            }
            const auto frame = session.snapshot();
            const bool over = options.ticks && !control && frame->mode == Mode::Pause && frame->tick >= *options.ticks;
            if (frame->overBudget && !control)
                end(1); // the log has said why, on standard error
            else if (over || request.made())
                end(over || !options.ticks || options.serve ? 0 : request.status());
        });
        watch.start(options.ticks ? 10 : 100);
        QApplication::exec();
        control.reset();
    }
    sound.reset();
    if (!options.screenshotFile.empty() && status == 0)
        if (const Result<void> written =
                ui::writePicture(QString::fromStdString(options.screenshotFile), window.picture());
            !written)
            status = fail(written.error().toString(), 1);
    return std::max(status, playback.close());
}

} // namespace sbx::player
