#pragma once
// Where the parts of an export lie on this machine: an installed Signalbox (package or archive), a build folder with its source tree, or an
// export itself. A value.

#include "engine/core/result.h"

#include <filesystem>
#include <vector>

namespace sbx::app {

struct ExportSources {
    std::filesystem::path player;               // signalbox-player
    std::filesystem::path engine;               // libsignalbox-engine.so.N, as programs ask for it
    std::vector<std::filesystem::path> helpers; // programs beside the engine
    std::filesystem::path resources;            // has the folder hrtf
    std::filesystem::path licences;             // has THIRD-PARTY.md
    std::filesystem::path ownLicence;           // LICENSE
    std::filesystem::path copyright;            // of Debian's package

    // Beside the running program. An error names what is missing.
    [[nodiscard]] static Result<ExportSources> ofThisProgram();
    // Beside a program in a folder `bin`.
    [[nodiscard]] static Result<ExportSources> beside(const std::filesystem::path& programs);
};

} // namespace sbx::app
