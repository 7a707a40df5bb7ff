#pragma once
// Where the sources and the build lie. Compiled once for all tests: on their command lines, the paths would make every compilation
// of another clone another one for the compiler cache.

#include <QString>

#include <string>
#include <string_view>

namespace sbx::test {

// Full path of what lies at `below` in the source tree: "resources/projects/courtyard".
[[nodiscard]] std::string sourcePath(std::string_view below);
[[nodiscard]] QString qSourcePath(std::string_view below);

// The same, in the build tree: "bin/signalbox-player".
[[nodiscard]] std::string buildPath(std::string_view below);
[[nodiscard]] QString qBuildPath(std::string_view below);

} // namespace sbx::test
