#include <QApplication>
#include <QSurfaceFormat>

#include "app/common/display.h"
#include "app/editor/editor.h"
#include "app/editor/editor_options.h"
#include "app/editor/self_test.h"
#include "app/sound/qt_output.h"
#include "widgets/viewport/gl_target.h"

#include <cstdio>
#include <string>
#include <vector>

namespace {

int run(int argc, char** argv) {
    const auto options = sbx::editor::parseOptions(std::vector<std::string>(argv + 1, argv + argc));
    if (!options) {
        std::fprintf(stderr, "error: %s\n", options.error().message.c_str());
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
    if (const auto display = sbx::app::findDisplay(); !display) {
        std::fprintf(stderr, "error: %s; signalbox-player --headless runs without one\n", display.error().message.c_str());
        return 2;
    }
    QSurfaceFormat::setDefaultFormat(sbx::ui::wantedFormat());
    int programArguments = 1;
    QApplication application(programArguments, argv);
    QApplication::setApplicationName(QStringLiteral("signalbox"));
    QApplication::setApplicationDisplayName(QStringLiteral("Signalbox"));
    QApplication::setApplicationVersion(QStringLiteral(SBX_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("signalbox"));
    if (options->selfTest)
        return sbx::editor::selfTest();
    sbx::editor::Editor editor(application, *options);
    editor.start();
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) { sbx::app::leaveProgram(run(argc, argv)); }
