#pragma once
// The licences of what an export carries, and the Debian packages that files came from. Blocking; any thread.

#include "app/export/export_sources.h"
#include "engine/core/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sbx::app {

struct LicenceFile {
    std::string name;           // below share/doc/signalbox
    std::filesystem::path file; // empty: `text`
    std::string text;
};

// Sorted and without repetitions: the packages that files of this machine belong to. `unknown` gets those that belong to none; all, where there is no dpkg.
[[nodiscard]] std::vector<std::string> packagesOf(const std::vector<std::filesystem::path>& files, std::vector<std::filesystem::path>& unknown);

// Signalbox's own, and those of the other files, which lie beside the program (as in an archive, which has their licences) or belong to packages. An error: a
// file whose licence is not known.
[[nodiscard]] Result<std::vector<LicenceFile>> exportedLicences(const ExportSources& sources, const std::vector<std::filesystem::path>& files);

} // namespace sbx::app
