#include "engine/definition/project.h"

#include "engine/core/nearest.h"
#include "engine/core/printable.h"
#include "engine/core/value.h"
#include "engine/definition/checks.h"
#include "engine/definition/text_file.h"
#include "engine/definition/toml_document.h"

#include <sys/stat.h>
#include <unistd.h>

#include <optional>

namespace sbx::definition {

namespace {

constexpr const char* ProjectFileName = "project.toml";

class ProjectReader {
public:
    ProjectReader(Project& project, Diagnostics& sink)
        : m_project(project), m_sink(sink), m_file(project.file.string()) {}

    void readProject(const SourceValue& table);
    void readCVars(const SourceValue& table, const std::string& prefix);
    void fault(const SourceRegion& region, std::string what, std::string expected, std::string near = {}) {
        m_sink.add({Severity::Error, m_file, region, std::move(what), std::move(expected), std::move(near)});
    }

private:
    bool readPath(const SourceValue& value, const std::string& label, std::string& out);

    Project& m_project;
    Diagnostics& m_sink;
    std::string m_file;
};

bool ProjectReader::readPath(const SourceValue& value, const std::string& label, std::string& out) {
    constexpr const char* Expected = "text: a path inside the project's folder";
    if (value.kind != SourceValue::Kind::String)
        return fault(value.region, label + " is " + value.describeKind(), Expected), false;
    if (const std::string wrong = pathFault(value.text); !wrong.empty())
        return fault(value.region, label + " " + wrong, Expected), false;
    out = value.text;
    return true;
}

void ProjectReader::readProject(const SourceValue& table) {
    for (const SourceEntry& entry : table.table) {
        const SourceValue& value = entry.value;
        if (entry.key == "format")
            continue; // checkFormat()
        if (entry.key == "name") {
            if (value.kind != SourceValue::Kind::String)
                fault(value.region, "name is " + value.describeKind(), "text");
            else if (!value.text.empty())
                m_project.name = value.text;
        } else if (entry.key == "scene") {
            readPath(value, "scene", m_project.scene);
        } else if (entry.key == "definitions") {
            if (value.kind != SourceValue::Kind::Array) {
                fault(value.region, "definitions is " + value.describeKind(),
                      "a list of paths inside the project's folder");
                continue;
            }
            for (const SourceValue& element : value.array)
                if (std::string path; readPath(element, "definitions", path))
                    m_project.definitions.push_back(std::move(path));
        } else if (entry.key == "plugins") {
            if (value.kind != SourceValue::Kind::Array) {
                fault(value.region, "plugins is " + value.describeKind(),
                      "a list of paths inside the project's folder");
                continue;
            }
            for (const SourceValue& element : value.array)
                if (std::string path; readPath(element, "plugins", path))
                    m_project.plugins.push_back({std::move(path), element.region});
        } else {
            const auto names = projectKeys().names();
            fault(entry.keyRegion, "[project] has no key " + inQuotes(entry.key), oneOf(names),
                  nearestName(entry.key, names));
        }
    }
    const auto missing = [&](const char* key, const char* expected) {
        if (table.find(key) == nullptr)
            fault(table.region, std::string("[project] has no ") + key, expected);
    };
    missing("scene", "scene = \"….scene.toml\"");
    missing("definitions", "definitions = [\"entities.toml\"]");
}

// `sim.tickRate = 60` is a table in a table to TOML; here it is one name.
void ProjectReader::readCVars(const SourceValue& table, const std::string& prefix) {
    for (const SourceEntry& entry : table.table) {
        const std::string name = prefix.empty() ? entry.key : prefix + "." + entry.key;
        if (entry.value.kind == SourceValue::Kind::Table)
            readCVars(entry.value, name);
        else
            m_project.cvars.push_back({name, entry.keyRegion, entry.value});
    }
}

// Neither the user's nor root's.
bool isForeign(const struct stat& info) { return info.st_uid != ::geteuid() && info.st_uid != 0; }

} // namespace

Result<std::filesystem::path> findProjectFile(const std::filesystem::path& path) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::absolute(path, failed).lexically_normal();
    if (std::filesystem::is_directory(whole, failed))
        return whole / ProjectFileName;
    if (!whole.string().ends_with(".scene.toml"))
        return whole;
    const std::filesystem::path own = whole.parent_path();
    std::optional<std::filesystem::path> foreign; // the first on the way up that belongs to another user
    for (std::filesystem::path folder = own;; folder = folder.parent_path()) {
        const std::filesystem::path file = folder / ProjectFileName;
        struct stat info {};
        if (folder != own && !foreign && ::lstat(folder.c_str(), &info) == 0 && isForeign(info))
            foreign = folder;
        if (::lstat(file.c_str(), &info) == 0) {
            if (folder != own && !foreign && isForeign(info))
                foreign = file;
            if (foreign)
                return Error{"the project around this scene, " + file.string() + ", is not followed, since "
                                 + foreign->string()
                                 + " belongs to another user; open that project itself if you mean it",
                             whole.string(),
                             {}};
            return file;
        }
        if (folder == folder.parent_path())
            return Error{"the scene lies in no project; expected a project.toml in its folder or one above",
                         whole.string(),
                         {}};
    }
}

std::string pathFault(std::string_view path) {
    if (path.empty())
        return "is empty";
    if (path.size() > 4096)
        return "is longer than 4096 bytes";
    if (printableLine(path) != path)
        return "holds a control character, or bytes that are no UTF-8";
    if (path.find('\\') != std::string_view::npos)
        return "holds a backslash; folders are parted by /";
    if (path.front() == '/' || (path.size() > 1 && path[1] == ':'))
        return "is absolute";
    int depth = 0;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        if (part == "..")
            --depth;
        else if (!part.empty() && part != ".")
            ++depth;
        if (depth < 0)
            return "leads out of the project's folder";
        begin = end + 1;
    }
    return depth == 0 ? "names no file" : std::string();
}

Result<Project> parseProject(std::string_view text, const std::filesystem::path& file, Diagnostics& sink) {
    Project project;
    project.file = file;
    project.folder = file.parent_path();
    project.name = std::filesystem::absolute(file).lexically_normal().parent_path().filename().string();
    ProjectReader reader(project, sink);
    const std::size_t before = sink.items.size();
    const TomlDocument document = TomlDocument::parse(text, file.string(), sink);
    if (const SourceEntry* first = document.root().find("project");
        first != nullptr
        && !checkFormat(first->value.find("format"), project.file.string(), "the project", sink))
        return Error{sink.items.back().message(), sink.items.back().file, sink.items.back().region};
    bool seen = document.isBroken("project");
    for (const SourceEntry& entry : document.root().table) {
        const bool table = entry.value.kind == SourceValue::Kind::Table;
        if (entry.key == "project" && table) {
            seen = true;
            reader.readProject(entry.value);
        } else if (entry.key == "cvars" && table) {
            reader.readCVars(entry.value, {});
        } else if (entry.key == "project" || entry.key == "cvars") {
            seen = seen || entry.key == "project";
            reader.fault(entry.keyRegion, entry.key + " is " + entry.value.describeKind(),
                         "[" + entry.key + "]");
        } else {
            const std::string near = nearestName(entry.key, {"project", "cvars"});
            seen = seen || near == "project";
            reader.fault(entry.keyRegion, "a project has no table or key " + inQuotes(entry.key),
                         "[project] or [cvars]", near);
        }
    }
    if (!seen)
        reader.fault({1, 1, 1, 1}, "there is no [project]", "[project] with name, scene and definitions");
    if (!project.scene.empty() && !project.definitions.empty())
        return project;
    for (std::size_t i = before; i < sink.items.size(); ++i)
        if (sink.items[i].severity == Severity::Error)
            return Error{sink.items[i].message(), sink.items[i].file, sink.items[i].region};
    // Only `definitions = []` comes here.
    reader.fault({1, 1, 1, 1}, "the project names no definition file", "definitions = [\"entities.toml\"]");
    return Error{sink.items.back().message(), sink.items.back().file, sink.items.back().region};
}

Result<Project> loadProject(const std::filesystem::path& path, Diagnostics& sink) {
    std::error_code ignored;
    const std::filesystem::path file =
        std::filesystem::is_directory(path, ignored) ? path / ProjectFileName : path;
    const Result<std::string> text = readTextFile(file);
    if (!text) {
        sink.add({Severity::Error, file.string(), {1, 1, 1, 1}, text.error().message, {}, {}});
        return text.error();
    }
    return parseProject(*text, file, sink);
}

} // namespace sbx::definition
