#pragma once
// project.toml: what a project is made of. Paths inside are relative to its folder and stay inside it.

#include "engine/core/result.h"
#include "engine/core/source_value.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

struct CVarSetting {
    std::string name; // "sim.tickRate"
    SourceRegion keyRegion;
    // a boolean, a number, text or a list of these; value.file names the project file
    SourceValue value;
};

// A library with components of the project's own, as named in the file.
struct PluginReference {
    std::string path; // relative to the folder; the platform's ending may be left out
    SourceRegion region;
};

struct Project {
    std::string name;                     // the folder's name when the file gives none
    std::filesystem::path folder;         // as given, not resolved
    std::filesystem::path file;           // folder / "project.toml"
    std::string scene;                    // as written, relative to the folder
    std::vector<std::string> definitions; // as written, in file order
    std::vector<PluginReference> plugins; // in file order
    std::vector<CVarSetting> cvars;       // in file order

    [[nodiscard]] std::filesystem::path path(std::string_view relative) const { return folder / relative; }
};

// Reads the text of a project file. All faults go to the sink; the error is the one that makes the project
// unusable (it is in the sink too, so print the sink only). A project with faults in [cvars] alone is usable.
[[nodiscard]] Result<Project> parseProject(std::string_view text, const std::filesystem::path& file,
                                           Diagnostics& sink);

// `path` is a project folder or its project.toml. A file that cannot be read is one fault, in the sink and as
// the error.
[[nodiscard]] Result<Project> loadProject(const std::filesystem::path& path, Diagnostics& sink);

// The project.toml that opening `path` means: the one in that folder, the file itself, or, for a *.scene.toml, the one beside it or in
// the nearest folder above. Absolute. Above the scene's own folder, a project.toml (or link of that name) or a folder on the way that belongs
// neither to the user nor to root is an error: other users who can write into a shared folder would choose what is opened. An error too if
// a scene lies in no project.
[[nodiscard]] Result<std::filesystem::path> findProjectFile(const std::filesystem::path& path);

// Nothing if the path is relative and stays inside its folder; else what is wrong ("is absolute", …).
[[nodiscard]] std::string pathFault(std::string_view path);

} // namespace sbx::definition
