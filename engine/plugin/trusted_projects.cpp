#include "engine/plugin/trusted_projects.h"

#include "engine/core/value.h"
#include "engine/core/whole_file.h"
#include "engine/definition/text_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace sbx {

namespace {

constexpr const char* ListHead = "# Projects whose plugins Signalbox may run: the owner's number and the folder.\n";

std::string encoded(const std::string& folder) {
    constexpr const char* Digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : folder) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20U || byte == 0x7FU || c == '%')
            out += {'%', Digits[byte >> 4U], Digits[byte & 15U]};
        else
            out += c;
    }
    return out;
}

std::optional<std::string> decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        unsigned byte = 0;
        if (i + 3 > text.size())
            return {};
        const auto [end, fault] = std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
        if (fault != std::errc() || end != text.data() + i + 3)
            return {};
        out += static_cast<char>(byte);
        i += 2;
    }
    return out;
}

std::optional<TrustedProjects::Entry> parsedEntry(std::string_view line) {
    unsigned owner = 0;
    const auto [end, fault] = std::from_chars(line.data(), line.data() + line.size(), owner);
    if (fault != std::errc() || end == line.data() + line.size() || *end != ' ')
        return {};
    const auto folder = decoded(line.substr(static_cast<std::size_t>(end - line.data()) + 1));
    if (!folder || !folder->starts_with('/'))
        return {};
    return TrustedProjects::Entry{*folder, owner};
}

std::optional<TrustedProjects::Entry> entryOf(const std::filesystem::path& folder) {
    std::error_code failed;
    const std::filesystem::path canonical = std::filesystem::canonical(folder, failed);
    struct stat info {};
    if (failed || ::stat(canonical.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
        return {};
    return TrustedProjects::Entry{canonical, info.st_uid};
}

bool liesIn(const std::filesystem::path& inner, const std::filesystem::path& outer) {
    return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

} // namespace

TrustedProjects::TrustedProjects(std::filesystem::path file, std::vector<std::filesystem::path> resources)
    : m_file(std::move(file)), m_resources(std::move(resources)) {}

Result<std::vector<TrustedProjects::Entry>> TrustedProjects::read(std::vector<std::string>* others) const {
    std::vector<Entry> out;
    std::error_code ignored;
    if (!std::filesystem::exists(m_file, ignored))
        return out;
    const Result<std::string> text = definition::readTextFile(m_file);
    if (!text)
        return text.error();
    for (std::size_t begin = 0; begin < text->size();) {
        const std::size_t end = std::min(text->find('\n', begin), text->size());
        const std::string_view line = std::string_view(*text).substr(begin, end - begin);
        begin = end + 1;
        if (auto entry = parsedEntry(line))
            out.push_back(std::move(*entry));
        else if (others != nullptr && !line.empty() && std::string(line) + "\n" != ListHead)
            others->emplace_back(line);
    }
    return out;
}

Result<void> TrustedProjects::write(const std::vector<Entry>& entries, const std::vector<std::string>& others) const {
    std::string text = ListHead;
    for (const std::string& line : others)
        text += line + "\n";
    for (const Entry& entry : entries)
        text += std::to_string(entry.owner) + " " + encoded(entry.folder.string()) + "\n";
    std::error_code failed;
    std::filesystem::create_directories(m_file.parent_path(), failed);
    return writeFileSafely(m_file, text, FileAccess::Private);
}

TrustReason TrustedProjects::reason(const std::filesystem::path& folder) const {
    const std::scoped_lock lock(m_mutex);
    const std::optional<Entry> asked = entryOf(folder);
    if (!asked)
        return TrustReason::None;
    if (asked->owner == ::geteuid() || asked->owner == 0)
        for (const std::filesystem::path& resources : m_resources) {
            std::error_code failed;
            const std::filesystem::path own = std::filesystem::canonical(resources, failed);
            if (!failed && liesIn(asked->folder, own))
                return TrustReason::ComesWithProgram;
        }
    if (const Result<std::vector<Entry>> listed = read(nullptr);
        listed && std::find(listed->begin(), listed->end(), *asked) != listed->end())
        return TrustReason::Listed;
    return m_forNow.contains(asked->folder) ? TrustReason::ForNow : TrustReason::None;
}

Result<void> TrustedProjects::trust(const std::filesystem::path& folder) {
    const std::scoped_lock lock(m_mutex);
    const std::optional<Entry> asked = entryOf(folder);
    if (!asked)
        return Error{inQuotes(folder.string()) + " is no folder that can be trusted", {}, {}};
    std::vector<std::string> others;
    Result<std::vector<Entry>> listed = read(&others);
    if (!listed)
        return listed.error();
    // Another owner's entry for the same folder is out of date.
    std::erase_if(*listed, [&](const Entry& entry) { return entry.folder == asked->folder; });
    listed->push_back(*asked);
    return write(*listed, others);
}

void TrustedProjects::trustForNow(const std::filesystem::path& folder) {
    const std::scoped_lock lock(m_mutex);
    if (const std::optional<Entry> asked = entryOf(folder))
        m_forNow.insert(asked->folder);
}

Result<void> TrustedProjects::forget(const std::filesystem::path& folder) {
    const std::scoped_lock lock(m_mutex);
    std::error_code failed;
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(folder, failed);
    m_forNow.erase(canonical);
    std::vector<std::string> others;
    Result<std::vector<Entry>> listed = read(&others);
    if (!listed)
        return listed.error();
    if (std::erase_if(*listed, [&](const Entry& entry) { return entry.folder == canonical || entry.folder == folder; }) == 0)
        return {};
    return write(*listed, others);
}

Result<std::vector<TrustedProjects::Entry>> TrustedProjects::entries() const {
    const std::scoped_lock lock(m_mutex);
    return read(nullptr);
}

PluginHost::Policy pluginPolicy(const TrustedProjects& trusted, bool safeMode) {
    if (safeMode)
        return [](const definition::Project&) { return std::string("is not loaded in safe mode"); };
    return [&trusted](const definition::Project& project) -> std::string {
        if (trusted.trusts(project.folder))
            return {};
        return "is held back, since you have not trusted this project; expected --trust, or Trust this project in the editor, if you "
               "know who made it";
    };
}

std::vector<std::filesystem::path> resourceFolders() {
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
    if (failed)
        return {};
    std::vector<std::filesystem::path> out{program / "../share/signalbox"};
    // Only a program in its build folder has a source tree above it.
    if (std::filesystem::exists(program / "../CMakeCache.txt", failed))
        out.push_back(program / "../../../resources");
    return out;
}

} // namespace sbx
