#include "app/export/exported_licences.h"

#include "app/export/needed_libraries.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace sbx::app {

namespace fs = std::filesystem;

namespace {

// "PACKAGE:ARCHITECTURE: /FILE", also of several packages: "A, B: /FILE". The first counts.
void readOwners(const std::string& listing, std::map<std::string, std::string>& out) {
    for (std::size_t begin = 0; begin < listing.size();) {
        const std::size_t end = std::min(listing.find('\n', begin), listing.size());
        const std::string line = listing.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t file = line.find(": /");
        if (file != std::string::npos && !line.starts_with("diversion "))
            out.emplace(line.substr(file + 2), line.substr(0, line.find_first_of(":,")));
    }
}

std::vector<std::string> filesIn(const fs::path& folder) {
    std::vector<std::string> out;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
        if (std::error_code ignored; it->is_regular_file(ignored))
            out.push_back(it->path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
}

bool liesBelow(const fs::path& file, const fs::path& folder) {
    std::error_code failed;
    const fs::path whole = fs::weakly_canonical(folder, failed);
    const fs::path inner = fs::weakly_canonical(file, failed);
    return std::mismatch(whole.begin(), whole.end(), inner.begin(), inner.end()).first == whole.end();
}

} // namespace

std::vector<std::string> packagesOf(const std::vector<fs::path>& files, std::vector<fs::path>& unknown) {
    // Debian lists files under the folder they had before /lib became a link to /usr/lib.
    const auto shortened = [](const std::string& path) { return path.starts_with("/usr/lib/") ? path.substr(4) : path; };
    std::vector<std::string> command{"dpkg-query", "-S"};
    std::vector<std::string> asked;
    for (const fs::path& file : files) {
        std::error_code failed;
        const std::string real = fs::canonical(file, failed).string();
        asked.push_back(failed ? file.string() : real);
        for (const std::string& path : {asked.back(), shortened(asked.back())})
            // It takes patterns: a file whose name is one is not asked for.
            if (path.find_first_of("*?[\\") == std::string::npos)
                command.push_back(path);
    }
    std::map<std::string, std::string> owners;
    if (command.size() > 2)
        if (const Result<std::string> listing = outputOf(command))
            readOwners(*listing, owners);
    std::set<std::string> out;
    for (std::size_t i = 0; i < files.size(); ++i) {
        auto owner = owners.find(asked[i]);
        if (owner == owners.end())
            owner = owners.find(shortened(asked[i]));
        if (owner != owners.end())
            out.insert(owner->second);
        else
            unknown.push_back(files[i]);
    }
    return {out.begin(), out.end()};
}

Result<std::vector<LicenceFile>> exportedLicences(const ExportSources& sources, const std::vector<fs::path>& files) {
    std::vector<LicenceFile> out{{"LICENSE", sources.ownLicence, {}}, {"copyright", sources.copyright, {}}};
    for (const std::string& name : filesIn(sources.licences))
        out.push_back({"licenses/" + name, sources.licences / name, {}});

    const fs::path bundled = sources.licences / "third-party";
    const fs::path installation = sources.player.parent_path().parent_path();
    std::vector<fs::path> ofSystem;
    bool beside = false;
    for (const fs::path& file : files) {
        const bool own = fs::exists(bundled / "SOURCES") && liesBelow(file, installation);
        beside = beside || own;
        if (!own)
            ofSystem.push_back(file);
    }
    const std::string folder = "licenses/third-party/";
    std::string origins;
    if (beside)
        for (const std::string& name : filesIn(bundled))
            out.push_back({folder + name, bundled / name, {}});
    std::vector<fs::path> unknown;
    for (const std::string& package : packagesOf(ofSystem, unknown)) {
        std::error_code failed;
        const fs::path text = fs::canonical("/usr/share/doc/" + package + "/copyright", failed);
        if (failed)
            return Error{"the licence of the package " + package + " is not in /usr/share/doc; expected it there, or an export without libraries", {}, {}};
        if (!beside || !fs::exists(bundled / (package + ".txt"), failed))
            out.push_back({folder + package + ".txt", text, {}});
        const Result<std::string> line =
            outputOf({"dpkg-query", "-W", "-f", "${Package} ${Version}, source ${source:Package} ${source:Version}\n", package});
        if (line)
            origins += line->substr(0, line->find('\n') + 1);
    }
    if (!unknown.empty())
        return Error{"its licence is not known, since it belongs to no Debian package; expected an export without libraries", unknown.front().string(), {}};
    if (!origins.empty())
        out.push_back({folder + (beside ? "SOURCES.system" : "SOURCES"), {},
                       "The libraries and fonts in this folder were taken from these Debian packages; of the libraries, the place where they look for others\n"
                       "was changed, and nothing else. Their licences are beside this file, their complete source code is in Debian's archive of source\n"
                       "packages under the names and versions below. You may replace each library in lib/signalbox by a build of your own.\n\n"
                           + origins});
    return out;
}

} // namespace sbx::app
