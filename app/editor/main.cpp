#include <QApplication>
#include <QSurfaceFormat>
#include <QTimer>

#include "app/common/crash_handler.h"
#include "app/common/display.h"
#include "app/common/end_request.h"
#include "app/common/portable.h"
#include "app/editor/editor.h"
#include "app/editor/editor_options.h"
#include "app/editor/main_window.h"
#include "app/editor/new_plugin.h"
#include "app/editor/self_test.h"
#include "app/sound/qt_output.h"
#include "engine/core/printable.h"
#include "engine/core/user_folders.h"
#include "engine/plugin/trusted_projects.h"
#include "widgets/common/bundled_fonts.h"
#include "widgets/viewport/gl_target.h"

#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr unsigned Grace = 10; // seconds from SIGTERM
constexpr int WatchMs = 100;

int run(int argc, char** argv) {
    auto options = sbx::editor::parseOptions(std::vector<std::string>(argv + 1, argv + argc));
    if (!options) {
        std::fprintf(stderr, "error: %s\n", sbx::printable(options.error().message).c_str());
        return 2;
    }
    if (options->help) {
        std::fputs(sbx::editor::usage().c_str(), stdout);
        return 0;
    }
    if (options->version) {
        std::puts("signalbox " SBX_VERSION);
        return 0;
    }
    if (options->manualPage || options->completion) {
        std::fputs((options->manualPage ? sbx::editor::manualPage(SBX_VERSION) : sbx::editor::completion()).c_str(), stdout);
        return 0;
    }
    if (const auto portable = sbx::app::usePortableFolders(options->portable); !portable) {
        std::fprintf(stderr, "error: %s\n", sbx::printable(portable.error().message).c_str());
        return 2;
    }
    if (!options->newPlugin.empty())
        return sbx::editor::makePluginProject(options->newPlugin);
    if (options->resetSettings)
        for (const std::string& line : sbx::app::resetSettings(sbx::UserFolders::ofUser()))
            std::fprintf(stderr, "%s\n", sbx::printable(line).c_str());
    if (!options->exporting.target.empty())
        return sbx::app::exportFromCommandLine(options->exporting, options->project, options->trust);
    if (const auto display = sbx::app::findDisplay(); !display) {
        std::fprintf(stderr, "error: %s; signalbox-player --headless runs without one\n", display.error().message.c_str());
        return 2;
    }
    // Signals, before there are threads.
    const sbx::app::EndRequest request(Grace);
    sbx::app::CrashHandler crashes(
        sbx::editor::Editor::crashFolder(QString::fromStdString(sbx::UserFolders::ofUser().state.string())).toStdString(),
        "signalbox " SBX_VERSION);
    QSurfaceFormat::setDefaultFormat(sbx::ui::wantedFormat());
    int programArguments = 1;
    QApplication application(programArguments, argv);
    QApplication::setApplicationName(QStringLiteral("signalbox"));
    QApplication::setApplicationDisplayName(QStringLiteral("Signalbox"));
    QApplication::setApplicationVersion(QStringLiteral(SBX_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("signalbox"));
    sbx::ui::addBundledFonts(sbx::resourceFolders());
    if (options->selfTest)
        return sbx::editor::selfTest();
    options->earlyPictures =
        !options->quitAfter && options->screenshotFile.empty() && options->testMode.empty();
    sbx::editor::Editor editor(application, *options, {}, &crashes);
    if (const auto opened = editor.openRemoteControl(); !opened) {
        std::fprintf(stderr, "error: %s\n", sbx::printable(opened.error().message).c_str());
        editor.setEndStatus(2);
        return 2;
    }
    QTimer watch;
    QObject::connect(&watch, &QTimer::timeout, &application, [&] {
        if (!request.made())
            return;
        watch.stop();
        // No user can be asked: what is not saved is kept for the next start.
        editor.document().flushJournal();
        editor.window().rememberWindow();
        editor.setEndStatus(request.status());
        QApplication::exit(request.status());
    });
    watch.start(WatchMs);
    editor.start();
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) { sbx::app::leaveProgram(run(argc, argv)); }
