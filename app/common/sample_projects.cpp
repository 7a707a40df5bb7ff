#include "app/common/sample_projects.h"

#include "engine/plugin/trusted_projects.h"

namespace sbx::app {

std::string projectOrSample(const std::string& asked) {
    namespace fs = std::filesystem;
    std::error_code failed;
    if (asked.empty() || asked.find('/') != std::string::npos || fs::exists(asked, failed))
        return asked;
    for (const fs::path& resources : resourceFolders())
        if (const fs::path folder = resources / "projects" / asked; fs::exists(folder / "project.toml", failed))
            return folder.lexically_normal().string();
    return asked;
}

} // namespace sbx::app
