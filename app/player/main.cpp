#include "app/player/player.h"
#include "app/player/player_options.h"

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto options = sbx::player::parseOptions(arguments);
    if (!options) {
        std::fprintf(stderr, "error: %s\n", options.error().message.c_str());
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
    return sbx::player::run(*options);
}
