#pragma once
// A project that stands in no file: its definitions and its scene as texts.

#include "engine/session/session.h"

#include <map>
#include <string>

namespace sbx {

// Null if the texts cannot be read at all; what else is wrong with them goes to `faults`.
inline std::shared_ptr<const Content> projectInMemory(const Session& session, const std::string& definitions,
                                                      const std::string& scene, Diagnostics* faults = nullptr) {
    const std::map<std::string, std::string> files{
        {"p/project.toml", "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n"},
        {"p/e.toml", definitions},
        {"p/s.scene.toml", scene}};
    Diagnostics sink;
    return loadContent("p/project.toml", "", session.catalog().schema, faults != nullptr ? *faults : sink,
                       [&](const std::filesystem::path& path) -> Result<std::string> {
                           const auto it = files.find(path.string());
                           return it == files.end() ? Result<std::string>(Error{"no such file", {}, {}})
                                                    : Result<std::string>(it->second);
                       });
}

} // namespace sbx
