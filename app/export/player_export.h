#pragma once
// A project with the player, in a folder or an archive of its own: started by double click, without the editor. app/common/exported_game.h has the
// layout. Made in two steps: plan() finds out what it will hold, and refuses a project with faults; write() writes it.
//
// The same project, options and installation give the same files in the same order, and so the same archive.
// Thread: any, blocking; a value between the two steps.

#include "app/export/export_sources.h"
#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sbx {
class PluginHost;
} // namespace sbx

namespace sbx::app {

enum class ExportPart { Program, Libraries, Licences, Game };

struct ExportedFile {
    std::string path;           // in the export, parted by /: "bin/signalbox-player"
    std::filesystem::path file; // what is copied; empty: `text`
    std::string text;
    std::uint64_t size = 0; // bytes
    ExportPart part = ExportPart::Game;
    bool executable = false;
    // Of programs and libraries: where it shall look for libraries.
    bool changesRunPath = false;
    std::string runPath;
};

struct ExportRequest {
    std::filesystem::path project; // a folder, or its project.toml
    std::string name;              // of the game; empty: that of the project
    bool libraries = true;         // Qt and the others are carried
};

class PlayerExport {
public:
    // Reads the project as it is on the disk, with its plugins, and refuses one with faults, which go to the sink, or with a plugin that is not in force.
    // Errors say what is wrong and what would be right.
    [[nodiscard]] static Result<PlayerExport> plan(const ExportRequest& request, const ExportSources& sources, PluginHost& plugins, Diagnostics& faults);

    // Sorted by path.
    [[nodiscard]] const std::vector<ExportedFile>& files() const { return m_files; }
    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] std::uint64_t size() const; // bytes, before compression
    [[nodiscard]] std::uint64_t size(ExportPart part) const;

    // Whether that is the name of an archive; a folder otherwise.
    [[nodiscard]] static bool isArchive(const std::filesystem::path& target);
    // Why an export of the project in that folder cannot be written there; empty: it can. Something may be there already, it may lie in the project, its
    // folder may be missing.
    [[nodiscard]] static std::string targetFault(const std::filesystem::path& target, const std::filesystem::path& project);

    // Called with the bytes that were read so far; false: the export is given up.
    using Progress = std::function<bool(std::uint64_t done)>;
    // Writes a folder, or an archive if the target ends in .tar.gz or .tgz. Returns whether it was written: false if `progress` gave it up. Then, and after an
    // error, nothing is left at the target.
    [[nodiscard]] Result<bool> write(const std::filesystem::path& target, const Progress& progress = {}) const;

private:
    PlayerExport() = default;

    void add(ExportedFile file);
    void addText(const std::string& path, std::string text, ExportPart part, bool executable = false);
    [[nodiscard]] Result<void> addCopy(const std::string& path, const std::filesystem::path& file, ExportPart part, bool executable = false);
    [[nodiscard]] Result<void> addCode(const std::string& path, const std::filesystem::path& file, ExportPart part, const std::string& runPath, bool executable);
    [[nodiscard]] Result<void> addProject(const ExportRequest& request, PluginHost& plugins, Diagnostics& faults);
    [[nodiscard]] Result<void> addPlayer(const ExportSources& sources, bool libraries);

    std::filesystem::path m_project; // its folder
    std::string m_name;
    std::vector<ExportedFile> m_files;
};

} // namespace sbx::app
