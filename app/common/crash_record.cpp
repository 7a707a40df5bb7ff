#include "app/common/crash_record.h"

#include "engine/definition/text_file.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <sstream>

namespace sbx::app {

namespace fs = std::filesystem;

namespace {
constexpr const char* NewEnd = ".new";
constexpr const char* SeenEnd = ".txt";
constexpr const char* Telling = "signalbox"; // the program that says at its next start what happened
constexpr const char* NameBegin = "crash-";

std::string firstWord(const std::string& text) { return text.substr(0, text.find(' ')); }

// Names begin with a time: sorted, they are in order.
std::vector<fs::path> recordsIn(const std::string& folder, const char* ending) {
    std::vector<fs::path> out;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
        if (it->path().extension() == ending && it->path().filename().string().starts_with(NameBegin))
            out.push_back(it->path());
    std::sort(out.begin(), out.end());
    return out;
}
} // namespace

std::string CrashRecord::newPath(const std::string& folder, const std::string& program) {
    return (fs::path(folder)
            / (NameBegin + std::to_string(std::time(nullptr)) + "-" + std::to_string(::getpid()) + "-"
               + firstWord(program) + (firstWord(program) == Telling ? NewEnd : SeenEnd)))
        .string();
}

CrashRecord CrashRecord::parse(const std::string& text) {
    CrashRecord out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && line != "backtrace:";) {
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos)
            continue;
        const std::string key = line.substr(0, colon);
        const std::string value = line.substr(colon + 2);
        if (key == "time")
            std::from_chars(value.data(), value.data() + value.size(), out.time);
        const std::pair<const char*, std::string CrashRecord::*> texts[] = {
            {"program", &CrashRecord::program},     {"signal", &CrashRecord::signal},
            {"thread", &CrashRecord::thread},       {"project", &CrashRecord::project},
            {"log", &CrashRecord::log},             {"component", &CrashRecord::component},
            {"entity", &CrashRecord::entity},       {"message", &CrashRecord::message},
            {"plugin", &CrashRecord::plugin}};
        for (const auto& [name, member] : texts)
            if (key == name)
                out.*member = value;
    }
    return out;
}

std::vector<CrashRecord> CrashRecord::takeNew(const std::string& folder) {
    std::vector<CrashRecord> out;
    for (const fs::path& path : recordsIn(folder, NewEnd)) {
        const Result<std::string> text = definition::readTextFile(path);
        CrashRecord record = text ? parse(*text) : CrashRecord();
        fs::path seen = path;
        seen.replace_extension(SeenEnd);
        std::error_code failed;
        fs::rename(path, seen, failed);
        record.path = (failed ? path : seen).string();
        out.push_back(std::move(record));
    }
    std::vector<fs::path> kept = recordsIn(folder, SeenEnd);
    std::error_code ignored;
    for (std::size_t i = 0; i + Kept < kept.size(); ++i)
        fs::remove(kept[i], ignored);
    return out;
}

} // namespace sbx::app
