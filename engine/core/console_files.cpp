// The console's own commands that read and write files.

#include "engine/core/console_builtins.h"
#include "engine/core/detail/descriptor.h"
#include "engine/core/utf8.h"
#include "engine/core/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>

namespace sbx {

namespace {

bool holdsStatement(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t\r;");
    return begin != std::string_view::npos && !line.substr(begin).starts_with("//");
}

constexpr const char* OutputFolder = "out"; // of a project: the only place that its own scripts write to

std::filesystem::path spelledOut(const std::filesystem::path& path) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::absolute(path, failed);
    return (failed ? path : whole).lexically_normal();
}

bool liesBelow(const std::filesystem::path& inner, const std::filesystem::path& outer) {
    const auto [end, at] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return (end == outer.end() || (std::next(end) == outer.end() && end->empty())) && at != inner.end();
}

// The file lies in the project's folder, as it is spelled or after symbolic links: a link in the project to a file elsewhere is the
// project's choice, and so is a link elsewhere to a file of the project.
bool isOfProject(const std::filesystem::path& file, const std::string& folder) {
    if (folder.empty())
        return false;
    if (liesBelow(spelledOut(file), spelledOut(folder)))
        return true;
    std::error_code failed;
    const std::filesystem::path project = std::filesystem::weakly_canonical(folder, failed);
    if (failed)
        return true; // not known: then the stricter rule applies
    const std::filesystem::path itself = std::filesystem::weakly_canonical(file, failed);
    if (failed || liesBelow(itself, project))
        return true;
    const std::filesystem::path link = std::filesystem::weakly_canonical(spelledOut(file).parent_path(), failed);
    return failed || liesBelow(link / file.filename(), project);
}

// `path` if it lies below `project`/out with nothing in the way that leads elsewhere; makes the folders.
Result<std::filesystem::path> outputPath(const std::filesystem::path& path, const std::string& project) {
    namespace fs = std::filesystem;
    const fs::path asked = spelledOut(path);
    const fs::path inside = project.empty() ? fs::path() : asked.lexically_relative(spelledOut(project));
    if (std::distance(inside.begin(), inside.end()) < 2 || *inside.begin() != OutputFolder || !inside.has_filename())
        return Error{"console lines of a project's own files may write only below the project's out/ folder; expected a path such as out/"
                         + (asked.has_filename() ? asked.filename().string() : std::string("NAME")),
                     asked.string(),
                     {}};
    const auto inTheWay = [&](const fs::path& part, const std::string& what) {
        return Error{"console lines of a project's own files may not write through " + what + "; expected plain folders and files below out/",
                     part.string(),
                     {}};
    };
    fs::path reached = project;
    auto folder = std::make_unique<detail::Descriptor>(::open(reached.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder->get() < 0)
        return fileError(reached, "write", errno);
    for (const fs::path& part : inside.parent_path()) {
        reached /= part;
        if (::mkdirat(folder->get(), part.c_str(), 0777) != 0 && errno != EEXIST)
            return fileError(reached, "make the folder", errno);
        auto next = std::make_unique<detail::Descriptor>(
            ::openat(folder->get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (next->get() < 0)
            return errno == ELOOP || errno == ENOTDIR ? inTheWay(reached, "a symbolic link or a file in place of a folder")
                                                      : fileError(reached, "write", errno);
        folder = std::move(next);
    }
    struct stat existing {};
    if (::fstatat(folder->get(), inside.filename().c_str(), &existing, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? Result<fs::path>(asked) : fileError(asked, "write", errno);
    if (S_ISLNK(existing.st_mode))
        return inTheWay(asked, "a symbolic link");
    if (!S_ISREG(existing.st_mode))
        return inTheWay(asked, "what is not a regular file");
    if (existing.st_nlink > 1)
        return inTheWay(asked, "a file that has other names (hard links)");
    return asked;
}

} // namespace

Result<std::filesystem::path> CommandContext::fileToWrite(const std::string& file) const {
    std::filesystem::path path(file);
    const std::string project = m_console.baseFolder();
    if (path.is_relative() && !project.empty())
        path = std::filesystem::path(project) / path;
    if (m_reach == WriteReach::ProjectOutput)
        return outputPath(path, project);
    return path;
}

Result<void> Console::Builtins::dumpLog(CommandContext& context, const CommandArguments& arguments) {
    const Result<std::filesystem::path> path = context.fileToWrite(arguments.front());
    if (!path)
        return path.error();
    std::string out;
    std::size_t count = 0;
    for (const LogRecord& record : context.console().log().since(0)) {
        std::string text = record.text;
        for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 5))
            text.replace(at, 1, "\n    ");
        out += std::string(logSeverityName(record.severity)) + " [" + record.channel + "] " + text
               + (record.count > 1 ? " x" + std::to_string(record.count) : "") + "\n";
        ++count;
    }
    if (Result<void> written = writeFileSafely(*path, out); !written)
        return written;
    context.print(std::to_string(count) + " lines in " + path->string());
    return {};
}

Result<void> Console::Builtins::exec(CommandContext& context, const CommandArguments& arguments) {
    namespace fs = std::filesystem;
    fs::path path(arguments.front());
    if (path.is_relative()) {
        const std::string folder =
            context.scriptFolder().empty() ? context.console().baseFolder() : context.scriptFolder();
        if (!folder.empty())
            path = fs::path(folder) / path;
    }
    const std::string shown = path.lexically_normal().string();
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (!fs::exists(status))
        return Error{"there is no such file", shown, {}};
    if (!fs::is_regular_file(status))
        return Error{"this is not a file; expected a text file of console lines", shown, {}};
    if (const auto size = fs::file_size(path, failure); failure || size > LargestFile)
        return Error{"the file is too large; expected at most " + std::to_string(LargestFile / 1024 / 1024)
                         + " MiB",
                     shown,
                     {}};
    std::ifstream file(path, std::ios::binary);
    std::string line;
    int number = 0;
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : std::string(".");
    const WriteReach reach = !context.isFileOfUser() && isOfProject(path, context.console().baseFolder())
                                 ? WriteReach::ProjectOutput
                                 : WriteReach::Anywhere;
    // What holds no statement costs nothing; one line beyond the maximum is enough to report the error.
    for (std::size_t count = 0; count <= MaxStatements && std::getline(file, line);) {
        ++number;
        if (number == 1)
            line = withoutByteOrderMark(line);
        if (!holdsStatement(line))
            continue;
        ++count;
        context.runNext(std::move(line), shown + ":" + std::to_string(number), folder, reach);
    }
    if (file.bad())
        return Error{"the file cannot be read", shown, {}};
    return {};
}

} // namespace sbx
