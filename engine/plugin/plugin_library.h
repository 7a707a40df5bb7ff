#pragma once
// One plugin library: read without running it, tried in a process of its own, then loaded. See plugin.h.
//
// A library stays mapped until the program ends, also after a newer build took its place: snapshots in other
// threads, records, settings and the tables of message types point into it, and a mapped file costs less than
// proof that nobody does any more.
// Free functions; may be called from any thread, load() from one at a time.

#include "engine/core/result.h"
#include "engine/entity/component_type.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sbx {

class PluginLibrary {
public:
    // Looks at the bytes: a shared library for this machine, complete, with the stamp of this engine. The
    // error is one line, what and what would be right, without the file's name.
    [[nodiscard]] static Result<void> examine(const std::filesystem::path& file);

    // Loads it into this process and registers its components. `owner` is the file as people know it, the
    // same for every build of it; `others` are those of the plugins in force beside it. `taken` returns who has
    // a component name already, or nothing. `file` must keep its bytes while it is loaded.
    [[nodiscard]] static Result<std::unique_ptr<PluginLibrary>> load(
        const std::filesystem::path& file, const std::string& owner, std::vector<std::string> others,
        const std::function<std::string(std::string_view)>& taken);

    // Loads it in a process of its own, the program `checker`: what crashes, hangs or exits does so there.
    [[nodiscard]] static Result<void> tryApart(const std::filesystem::path& file,
                                               const std::filesystem::path& checker,
                                               std::chrono::milliseconds limit);

    // As described by the library; ids are the registry's own.
    [[nodiscard]] const ComponentRegistry& components() const { return m_components; }

private:
    PluginLibrary() = default;
    ComponentRegistry m_components;
};

// signalbox-plugin-check, beside the engine library.
[[nodiscard]] std::filesystem::path pluginChecker();

// What the checker does: examine() and load() beside the built-in components. Prints one line, "ok: NAMES" or
// "refused: REASON"; returns the exit status, 0 or 1.
int checkPlugin(const std::filesystem::path& file);

} // namespace sbx
