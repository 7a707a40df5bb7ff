#include "app/common/sample_projects.h"

#include "engine/definition/project.h"
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

void openSceneFile(std::string& project, std::string& scene) {
    if (!scene.empty() || !project.ends_with(".scene.toml"))
        return;
    std::error_code failed;
    const std::filesystem::path file = std::filesystem::absolute(project, failed);
    const Result<std::filesystem::path> around = definition::findProjectFile(project);
    if (failed || !around)
        return;
    scene = file.lexically_normal().lexically_relative(std::filesystem::absolute(*around, failed).lexically_normal().parent_path()).string();
    project = around->string();
}

} // namespace sbx::app
