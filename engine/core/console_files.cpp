// The console's own commands that read and write files.

#include "engine/core/console_builtins.h"
#include "engine/core/utf8.h"
#include "engine/core/whole_file.h"

#include <filesystem>
#include <fstream>

namespace sbx {

namespace {

bool holdsStatement(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t\r;");
    return begin != std::string_view::npos && !line.substr(begin).starts_with("//");
}

} // namespace

Result<void> Console::Builtins::dumpLog(CommandContext& context, const CommandArguments& arguments) {
    namespace fs = std::filesystem;
    fs::path path(arguments.front());
    if (const std::string base = context.console().baseFolder(); path.is_relative() && !base.empty())
        path = fs::path(base) / path;
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
    if (Result<void> written = writeFileSafely(path, out); !written)
        return written;
    context.print(std::to_string(count) + " lines in " + path.string());
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
    // What holds no statement costs nothing; beyond the most there may be one line more is enough to say so.
    for (std::size_t count = 0; count <= MostStatements && std::getline(file, line);) {
        ++number;
        if (number == 1)
            line = withoutByteOrderMark(line);
        if (!holdsStatement(line))
            continue;
        ++count;
        context.runNext(std::move(line), shown + ":" + std::to_string(number), folder);
    }
    if (file.bad())
        return Error{"the file cannot be read", shown, {}};
    return {};
}

} // namespace sbx
