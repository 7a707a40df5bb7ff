#pragma once
// What a command line means by a project: its folder or file, a sample that comes with the program by its name, or a scene inside a project.

#include <string>

namespace sbx::app {

// `asked` as it is, unless no such file is there and it is the name of a sample ("courtyard"): then the sample's folder.
[[nodiscard]] std::string projectOrSample(const std::string& asked);

// Where `project` is a scene's file (NAME.scene.toml) and no scene is asked for: makes it the project around that file, and `scene` the file in
// it. Else, or if no project is there, nothing changes.
void openSceneFile(std::string& project, std::string& scene);

} // namespace sbx::app
