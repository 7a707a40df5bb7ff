#include "app/export/export_sources.h"


#include <string>

namespace sbx::app {

namespace fs = std::filesystem;

namespace {

// "libsignalbox-engine.so.0": the name with one number.
fs::path engineIn(const fs::path& folder) {
    constexpr std::string_view Stem = "libsignalbox-engine.so.";
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with(Stem) && name.find('.', Stem.size()) == std::string::npos)
            return it->path();
    }
    return {};
}

} // namespace

Result<ExportSources> ExportSources::ofThisProgram() {
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    if (failed)
        return Error{"the program's own folder is not known: " + failed.message(), {}, {}};
    // A program that lies elsewhere in a build folder, such as a test, has the player in a folder beside its own.
    const fs::path folder = program.parent_path();
    return beside(fs::exists(folder / "signalbox-player", failed) ? folder : folder.parent_path() / "bin");
}

Result<ExportSources> ExportSources::beside(const fs::path& programs) {
    std::error_code failed;
    const bool built = fs::exists(programs / "../CMakeCache.txt", failed);
    const fs::path tree = programs / "../../.."; // of a build folder
    const fs::path share = programs / "../share";
    const fs::path documents = share / "doc/signalbox";
    const fs::path libraries = programs / (built ? "../lib" : "../lib/signalbox");
    ExportSources out;
    out.player = programs / "signalbox-player";
    out.engine = engineIn(libraries);
    out.helpers = {libraries / "signalbox-import", libraries / "signalbox-plugin-check"};
    out.resources = built ? tree / "resources" : share / "signalbox";
    out.licences = built ? tree / "resources/licenses" : documents / "licenses";
    out.ownLicence = built ? tree / "LICENSE" : documents / "LICENSE";
    out.copyright = built ? tree / "installer/debian/copyright" : documents / "copyright";
    if (out.engine.empty())
        return Error{"the engine is not in " + libraries.lexically_normal().string() + "; expected a whole installation of Signalbox", {}, {}};
    std::vector<fs::path*> parts{&out.player, &out.engine, &out.resources, &out.licences, &out.ownLicence, &out.copyright};
    for (fs::path& helper : out.helpers)
        parts.push_back(&helper);
    for (fs::path* part : parts) {
        const fs::path whole = fs::weakly_canonical(part->parent_path(), failed) / part->filename();
        if (!fs::exists(whole, failed))
            return Error{"a part of Signalbox is missing: " + whole.string() + "; expected a whole installation", {}, {}};
        *part = whole;
    }
    return out;
}

} // namespace sbx::app
