#include "app/common/crash_handler.h"
#include "app/common/exported_game.h"
#include "app/common/portable.h"
#include "app/common/sample_projects.h"
#include "app/player/player.h"
#include "app/player/player_options.h"
#include "app/player/trace_printing.h"
#include "engine/core/printable.h"
#include "engine/core/user_folders.h"
#ifdef SBX_PLAYER_WINDOW
#include "app/player/play_in_window.h"
#include "app/sound/qt_output.h"
#endif

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    const auto game = sbx::app::exportedGame();
    auto options = sbx::player::parseOptions(std::vector<std::string>(argv + 1, argv + argc), game ? game->project.string() : std::string());
    if (!options) {
        std::fprintf(stderr, "error: %s\n", sbx::printable(options.error().message).c_str());
        return 2;
    }
    if (options->help) {
        std::fputs(sbx::player::usage().c_str(), stdout);
        return 0;
    }
    if (options->version) {
        std::puts("signalbox-player " SBX_VERSION);
        return 0;
    }
    if (options->manualPage || options->completion) {
        std::fputs((options->manualPage ? sbx::player::manualPage(SBX_VERSION) : sbx::player::completion()).c_str(), stdout);
        return 0;
    }
    if (const auto portable = sbx::app::useOwnFolders(game, options->portable); !portable) {
        std::fprintf(stderr, "error: %s\n", sbx::printable(portable.error().message).c_str());
        return 2;
    }
    if (!options->exporting.target.empty())
        return sbx::app::exportFromCommandLine(options->exporting, options->project, options->trust);
    if (!options->readTrace.empty())
        return sbx::player::printTrace(*options);
    const sbx::app::CrashHandler crashes((sbx::UserFolders::ofUser().state / "crashes").string(),
                                         "signalbox-player " SBX_VERSION);
    options->project = sbx::app::projectOrSample(options->project);
    sbx::app::openSceneFile(options->project, options->scene);
    if (options->headless)
        return sbx::player::runHeadless(*options);
#ifdef SBX_PLAYER_WINDOW
    int programArguments = 1;
    sbx::app::leaveProgram(sbx::player::runInWindow(*options, programArguments, argv));
#else
    std::fputs("error: this build has no window; use --headless\n", stderr);
    return 2;
#endif
}
