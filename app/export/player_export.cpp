#include "app/export/player_export.h"

#include "app/common/exported_game.h"
#include "app/export/carried_parts.h"
#include "app/export/elf_file.h"
#include "app/export/export_texts.h"
#include "app/export/export_writer.h"
#include "app/export/exported_licences.h"
#include "app/export/needed_libraries.h"
#include "app/export/project_files.h"
#include "engine/core/whole_file.h"
#include "engine/plugin/plugin_host.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sbx::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t CopyPart = 1 << 20; // bytes
constexpr const char* PrivateLibraries = "lib/signalbox/";
constexpr const char* Documents = "share/doc/signalbox/";

// "PLUGIN/libparts.so" as projectFiles() names it.
std::string below(const fs::path& folder, const fs::path& file) { return file.lexically_normal().lexically_relative(folder.lexically_normal()).string(); }

struct Reading {
    int file = -1;
    ~Reading() {
        if (file >= 0)
            ::close(file);
    }
};

std::string inMebibytes(std::uint64_t bytes) { return std::to_string((bytes + (1U << 20U) - 1) >> 20U) + " MiB"; }

} // namespace

// --- what it holds

void PlayerExport::add(ExportedFile file) { m_files.push_back(std::move(file)); }

void PlayerExport::addText(const std::string& path, std::string text, ExportPart part, bool executable) {
    const std::uint64_t size = text.size();
    add({.path = path, .file = {}, .text = std::move(text), .size = size, .part = part, .executable = executable, .changesRunPath = false, .runPath = {}});
}

Result<void> PlayerExport::addCopy(const std::string& path, const fs::path& file, ExportPart part, bool executable) {
    std::error_code failed;
    const std::uintmax_t size = fs::file_size(file, failed);
    if (failed)
        return fileError(file, "read", failed.value());
    add({.path = path, .file = file, .text = {}, .size = size, .part = part, .executable = executable, .changesRunPath = false, .runPath = {}});
    return {};
}

Result<void> PlayerExport::addCode(const std::string& path, const fs::path& file, ExportPart part, const std::string& runPath, bool executable) {
    if (Result<void> added = addCopy(path, file, part, executable); !added)
        return added;
    m_files.back().changesRunPath = true;
    m_files.back().runPath = runPath;
    return {};
}

Result<void> PlayerExport::addProject(const ExportRequest& request, PluginHost& plugins, Diagnostics& faults) {
    const auto found = definition::findProjectFile(request.project);
    if (!found)
        return found.error();
    const auto content = loadContent(*found, {}, plugins, faults);
    faults.sort();
    if (!content || faults.hasErrors())
        return Error{"the project has faults and is not exported; expected one that plays", found->string(), {}};
    std::error_code failed;
    m_project = fs::canonical(content->project.folder, failed);
    if (failed)
        return fileError(content->project.folder, "read", failed.value());
    std::vector<std::string> libraries;
    for (const PluginState& plugin : content->catalog->plugins) {
        if (!plugin.fault.empty())
            return Error{"the plugin " + plugin.path + " " + plugin.fault, content->project.file.string(), {}};
        libraries.push_back(below(content->project.folder, plugin.file));
    }
    m_name = request.name.empty() ? gameNameFor(content->project.name) : request.name;
    if (const std::string fault = gameNameFault(m_name); !fault.empty())
        return Error{fault, {}, {}};
    const auto files = projectFiles(m_project, libraries);
    if (!files)
        return files.error();
    for (const ProjectFile& file : *files)
        if (Result<void> added = addCopy(std::string(GameProjectFolder) + "/" + file.name, file.file, ExportPart::Game); !added)
            return added;
    return {};
}

Result<void> PlayerExport::addPlayer(const ExportSources& sources, bool libraries) {
    const auto player = ElfFile::read(sources.player);
    if (!player)
        return player.error();
    if (Result<void> added = addCode("bin/signalbox-player", sources.player, ExportPart::Program, "$ORIGIN/../lib/signalbox", true); !added)
        return added;
    if (Result<void> added = addCode(PrivateLibraries + sources.engine.filename().string(), sources.engine, ExportPart::Program, {}, false); !added)
        return added;
    std::vector<fs::path> code{sources.player, sources.engine};
    for (const fs::path& helper : sources.helpers) {
        code.push_back(helper);
        if (Result<void> added = addCode(PrivateLibraries + helper.filename().string(), helper, ExportPart::Program, "$ORIGIN", true); !added)
            return added;
    }
    std::error_code failed;
    for (fs::directory_iterator it(sources.resources / "hrtf", failed), end; !failed && it != end; it.increment(failed))
        if (Result<void> added = addCopy("share/signalbox/hrtf/" + it->path().filename().string(), it->path(), ExportPart::Program); !added)
            return added;

    // Qt loads its plugins by their place, which no library names. A player without a window has none.
    std::vector<fs::path> shipped; // what is not Signalbox's own
    const bool window = std::any_of(player->needed().begin(), player->needed().end(), [](const std::string& name) { return name.starts_with("libQt6Gui."); });
    if (window) {
        const fs::path beside = sources.engine.parent_path() / "plugins";
        const fs::path folder = fs::exists(beside / "platforms", failed) ? beside : fs::path(carried::QtPluginFolder);
        for (const std::string_view name : carried::QtPlugins) {
            const fs::path file = folder / (std::string(name) + ".so");
            if (!fs::exists(file, failed)) {
                if (libraries && std::find(carried::RequiredQtPlugins.begin(), carried::RequiredQtPlugins.end(), name) != carried::RequiredQtPlugins.end())
                    return Error{"a plugin of Qt is missing; expected the packages qt6-qpa-plugins and libqt6gui6, or an export without libraries", file.string(), {}};
                continue;
            }
            code.push_back(file);
            shipped.push_back(file);
            if (libraries)
                if (Result<void> added = addCode(PrivateLibraries + ("plugins/" + std::string(name)) + ".so", file, ExportPart::Libraries, {}, false); !added)
                    return added;
        }
    }
    const auto needed = neededLibraries(code, player->interpreter(), sources.engine.parent_path());
    if (!needed)
        return needed.error();
    std::vector<fs::path> ofSystem;
    for (const NeededLibrary& library : *needed) {
        (library.ofSystem ? ofSystem : shipped).push_back(library.file);
        if (library.ofSystem)
            continue;
        if (libraries)
            if (Result<void> added = addCode(PrivateLibraries + library.name, library.file, ExportPart::Libraries, {}, false); !added)
                return added;
    }
    if (!libraries) {
        ofSystem.insert(ofSystem.end(), shipped.begin(), shipped.end());
        shipped.clear();
    } else if (window) {
        addText("bin/qt.conf", qtConfText(), ExportPart::Libraries);
        std::vector<fs::path> fonts;
        for (fs::directory_iterator it(sources.resources / "fonts", failed), end; !failed && it != end; it.increment(failed))
            fonts.push_back(it->path());
        if (fonts.empty())
            std::copy_if(carried::Fonts.begin(), carried::Fonts.end(), std::back_inserter(fonts), [](std::string_view font) {
                std::error_code ignored;
                return fs::exists(font, ignored);
            });
        for (const fs::path& font : fonts) {
            shipped.push_back(font);
            if (Result<void> added = addCopy("share/signalbox/fonts/" + font.filename().string(), font, ExportPart::Libraries); !added)
                return added;
        }
    }
    std::vector<fs::path> unknown;
    const std::vector<std::string> needs = packagesOf(ofSystem, unknown);
    addText("README.txt", readmeText(m_name, libraries, needs), ExportPart::Program);
    const auto licences = exportedLicences(sources, shipped);
    if (!licences)
        return licences.error();
    for (const LicenceFile& licence : *licences)
        if (licence.file.empty())
            addText(Documents + licence.name, licence.text, ExportPart::Licences);
        else if (Result<void> added = addCopy(Documents + licence.name, licence.file, ExportPart::Licences); !added)
            return added;
    return {};
}

Result<PlayerExport> PlayerExport::plan(const ExportRequest& request, const ExportSources& sources, PluginHost& plugins, Diagnostics& faults) {
    PlayerExport out;
    if (const Result<void> added = out.addProject(request, plugins, faults); !added)
        return added.error();
    if (const Result<void> added = out.addPlayer(sources, request.libraries); !added)
        return added.error();
    out.addText(out.m_name, launcherText(out.m_name), ExportPart::Program, true);
    out.addText(out.m_name + ".desktop", desktopEntryText(out.m_name), ExportPart::Program, true);
    out.addText(GameNameFile, out.m_name + "\n", ExportPart::Program);
    std::sort(out.m_files.begin(), out.m_files.end(), [](const ExportedFile& a, const ExportedFile& b) { return a.path < b.path; });
    return out;
}

std::uint64_t PlayerExport::size() const {
    std::uint64_t out = 0;
    for (const ExportedFile& file : m_files)
        out += file.size;
    return out;
}

std::uint64_t PlayerExport::size(ExportPart part) const {
    std::uint64_t out = 0;
    for (const ExportedFile& file : m_files)
        out += file.part == part ? file.size : 0;
    return out;
}

// --- where it goes

namespace {

// Without a slash at its end.
fs::path wholeTarget(const fs::path& target) {
    std::error_code failed;
    const fs::path whole = fs::absolute(target, failed).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

// The bytes of one file, from `from`; false: given up.
Result<bool> copyBytes(const ExportedFile& from, ExportWriter& to, const std::function<bool(std::uint64_t)>& goOn) {
    const Reading reading{::open(from.file.c_str(), O_RDONLY | O_CLOEXEC)};
    if (reading.file < 0)
        return fileError(from.file, "read", errno);
    std::string part(CopyPart, '\0');
    std::uint64_t done = 0;
    for (;;) {
        const ssize_t got = ::read(reading.file, part.data(), part.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fileError(from.file, "read", errno);
        if (got == 0)
            break;
        done += static_cast<std::uint64_t>(got);
        if (done > from.size)
            break;
        if (const Result<void> put = to.write({part.data(), static_cast<std::size_t>(got)}); !put)
            return put.error();
        if (!goOn(static_cast<std::uint64_t>(got)))
            return false;
    }
    if (done != from.size)
        return Error{"changed while it was exported; expected files that rest", from.file.string(), {}};
    return true;
}

} // namespace

bool PlayerExport::isArchive(const fs::path& target) {
    const std::string name = target.filename().string();
    return name.ends_with(".tar.gz") || name.ends_with(".tgz");
}

std::string PlayerExport::targetFault(const fs::path& target, const fs::path& project) {
    if (target.empty())
        return "no target given; expected a folder or FILE.tar.gz";
    const fs::path whole = wholeTarget(target);
    const std::string shown = whole.string();
    const std::string name = whole.filename().string();
    for (const char* other : {".zip", ".tar", ".tar.xz", ".tar.bz2", ".7z"})
        if (name.ends_with(other))
            return shown + ": archives of this kind are not written; expected a folder or FILE.tar.gz";
    std::error_code failed;
    if (!fs::is_directory(whole.parent_path(), failed))
        return shown + ": there is no folder " + whole.parent_path().string();
    const fs::path folder = fs::canonical(project, failed);
    const fs::path inner = fs::canonical(whole.parent_path(), failed) / whole.filename();
    if (!folder.empty() && std::mismatch(folder.begin(), folder.end(), inner.begin(), inner.end()).first == folder.end())
        return shown + ": lies in the project's own folder, which is what is exported; expected a place outside " + folder.string();
    if (const fs::file_status there = fs::symlink_status(whole, failed); fs::exists(there)) {
        if (isArchive(whole))
            return shown + ": is there already; expected the name of a new file";
        if (there.type() != fs::file_type::directory || !fs::is_empty(whole, failed) || failed)
            return shown + ": is there already and is not an empty folder; expected a new folder or an empty one";
    }
    return {};
}

Result<bool> PlayerExport::write(const fs::path& target, const Progress& progress) const {
    if (const std::string fault = targetFault(target, m_project); !fault.empty())
        return Error{fault, {}, {}};
    const fs::path whole = wholeTarget(target);
    struct statvfs disk {};
    // The size of an archive is not known before it is compressed.
    if (!isArchive(whole) && ::statvfs(whole.parent_path().c_str(), &disk) == 0)
        if (const std::uint64_t space = std::uint64_t{disk.f_bavail} * disk.f_frsize; space < size())
            return Error{"the disk is full: the export takes " + inMebibytes(size()) + ", and " + inMebibytes(space) + " are free", whole.string(), {}};
    auto writer = isArchive(whole) ? ExportWriter::archive(whole, m_name) : ExportWriter::folder(whole);
    if (!writer)
        return writer.error();
    std::uint64_t done = 0;
    const auto goOn = [&](std::uint64_t more) {
        done += more;
        return !progress || progress(done);
    };
    if (!goOn(0))
        return false;
    for (const ExportedFile& file : m_files) {
        ExportWriter& to = **writer;
        if (const Result<void> begun = to.begin(file.path, file.size, file.executable); !begun)
            return begun.error();
        if (file.changesRunPath) {
            auto code = ElfFile::read(file.file);
            if (!code)
                return code.error();
            if (code->bytes().size() != file.size)
                return Error{"changed while it was exported; expected files that rest", file.file.string(), {}};
            if (const Result<void> set = code->setRunPath(file.runPath); !set)
                return set.error();
            for (std::size_t at = 0; at < code->bytes().size(); at += CopyPart) {
                const std::string_view part = std::string_view(code->bytes()).substr(at, CopyPart);
                if (const Result<void> put = to.write(part); !put)
                    return put.error();
                if (!goOn(part.size()))
                    return false;
            }
        } else if (!file.file.empty()) {
            const Result<bool> copied = copyBytes(file, to, goOn);
            if (!copied || !*copied)
                return copied;
        } else {
            if (const Result<void> put = to.write(file.text); !put)
                return put.error();
            if (!goOn(file.size))
                return false;
        }
        if (const Result<void> ended = to.end(); !ended)
            return ended.error();
    }
    if (const Result<void> finished = (*writer)->finish(); !finished)
        return finished.error();
    return true;
}

} // namespace sbx::app
