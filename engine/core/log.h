#pragma once
// The program's log.
//
// Data flow: anyone writes -> a bounded ring in memory (panels poll it by sequence) and, where opened, a file and standard error.
// A line is with the operating system before write() returns: it survives abort(), kill -9 and a crash (not a power cut).
// Thread: every method may be called from any thread; readers of the ring never wait for a slow disk or terminal.
// Ownership: an object made by the program and passed by reference to what needs it.

#include "engine/core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

enum class LogSeverity : std::uint8_t { Trace, Debug, Info, Warning, Error };
inline constexpr std::size_t LogSeverityCount = 5;
// "trace", "debug", "info", "warning", "error".
[[nodiscard]] const char* logSeverityName(LogSeverity severity);

struct LogRecord {
    std::uint64_t sequence = 0; // from 1; of the latest repetition
    std::uint64_t timeMs = 0;   // of the latest repetition, since the log was made
    LogSeverity severity = LogSeverity::Info;
    std::string channel;
    std::string text;
    std::uint32_t count = 1; // the same line this many times in a row

    // A record that repeats is delivered again under a new sequence; this one stays the same.
    [[nodiscard]] std::uint64_t firstSequence() const { return sequence - count + 1; }
};

struct LogOptions {
    std::size_t capacity = 20'000; // records kept in memory
    // Lines at least this severe go to standard error; none: nothing does.
    std::optional<LogSeverity> standardError = std::nullopt;
};

class Log {
public:
    explicit Log(LogOptions options = {});
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    // Writes every line from now on, and those still in memory, to a new file. A file already there is kept as FILE.1, so that
    // the log of a crashed run survives the next start. Missing folders are made.
    Result<void> openFile(const std::string& path);
    // Lines below are dropped at once, at the cost of one branch.
    void setMinimum(LogSeverity severity);
    [[nodiscard]] bool takes(LogSeverity severity) const;

    // `channel` names the part of the program that writes: "sim", "net", "console". Control characters are shown by their number (printable.h), in the
    // ring, the file and the terminal alike, except that a line end starts an indented line in the file and on the terminal.
    void write(LogSeverity severity, std::string_view channel, std::string_view text);
    void trace(std::string_view channel, std::string_view text) { write(LogSeverity::Trace, channel, text); }
    void debug(std::string_view channel, std::string_view text) { write(LogSeverity::Debug, channel, text); }
    void info(std::string_view channel, std::string_view text) { write(LogSeverity::Info, channel, text); }
    void warning(std::string_view channel, std::string_view text) {
        write(LogSeverity::Warning, channel, text);
    }
    void error(std::string_view channel, std::string_view text) { write(LogSeverity::Error, channel, text); }

    // Records with a greater sequence, oldest first; at most `limit`. A reader passes the last sequence it saw, and replaces
    // its last row if firstSequence() is the same.
    [[nodiscard]] std::vector<LogRecord> since(std::uint64_t sequence, std::size_t limit = SIZE_MAX) const;
    // Sequence of the latest line; 0: none yet. Cheap: a reader compares it before it reads records.
    [[nodiscard]] std::uint64_t latest() const;
    // Lines of severity error there have been, each repetition counted.
    [[nodiscard]] std::uint64_t errors() const;
    // Records that left the ring for newer ones.
    [[nodiscard]] std::uint64_t dropped() const;
    // Lines the file or standard error refused (disk full, say). They are in the ring.
    [[nodiscard]] std::uint64_t unwritten() const;
    // Path of the open file, or empty.
    [[nodiscard]] std::string filePath() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace sbx
