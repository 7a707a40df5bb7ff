#include "engine/core/log.h"

#include "engine/core/printable.h"

#include <spdlog/details/log_msg.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <mutex>

namespace sbx {

namespace {

spdlog::level::level_enum spdlogLevel(LogSeverity severity) {
    constexpr spdlog::level::level_enum Levels[] = {spdlog::level::trace, spdlog::level::debug,
                                                    spdlog::level::info, spdlog::level::warn,
                                                    spdlog::level::err};
    return Levels[static_cast<std::size_t>(severity)];
}

// One record is one line to a reader of the file: what follows a line feed is indented, so that no line can be forged.
std::string inOneRecord(std::string text) {
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 5))
        text.replace(at, 1, "\n    ");
    return text;
}

} // namespace

const char* logSeverityName(LogSeverity severity) {
    static constexpr const char* Names[] = {"trace", "debug", "info", "warning", "error"};
    return Names[static_cast<std::size_t>(severity)];
}

struct Log::Private {
    using Clock = std::chrono::steady_clock;

    LogOptions options;
    Clock::time_point start = Clock::now();
    std::atomic<LogSeverity> minimum{LogSeverity::Trace};
    std::atomic<std::uint64_t> latest{0};
    std::atomic<std::uint64_t> unwritten{0};
    std::atomic<std::uint64_t> errors{0};

    // Held while a line is written, so that ring and file have one order. Always taken before ringMutex.
    std::mutex writeMutex;
    std::string path;
    std::unique_ptr<spdlog::sinks::basic_file_sink_st> file;
    std::unique_ptr<spdlog::sinks::stderr_sink_st> standardError;

    mutable std::mutex ringMutex;
    std::deque<LogRecord> ring;
    std::uint64_t dropped = 0;

    void put(spdlog::sinks::sink& sink, LogSeverity severity, std::string_view channel, std::string_view text,
             std::chrono::system_clock::time_point when) {
        try {
            sink.log(spdlog::details::log_msg(
                when, spdlog::source_loc{}, spdlog::string_view_t(channel.data(), channel.size()),
                spdlogLevel(severity), spdlog::string_view_t(text.data(), text.size())));
            sink.flush();
        } catch (const std::exception&) {
            ++unwritten;
        }
    }

    void remember(LogSeverity severity, std::string_view channel, std::string_view text) {
        const auto elapsed =
            std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
        const std::lock_guard lock(ringMutex);
        const std::uint64_t sequence = latest.load(std::memory_order_relaxed) + 1;
        if (!ring.empty() && ring.back().severity == severity && ring.back().channel == channel
            && ring.back().text == text && ring.back().count < UINT32_MAX) {
            ++ring.back().count;
            ring.back().sequence = sequence;
            ring.back().timeMs = static_cast<std::uint64_t>(elapsed);
        } else {
            if (ring.size() >= options.capacity && !ring.empty()) {
                ring.pop_front();
                ++dropped;
            }
            ring.push_back({sequence, static_cast<std::uint64_t>(elapsed), severity, std::string(channel),
                            std::string(text), 1});
        }
        latest.store(sequence, std::memory_order_release);
    }
};

Log::Log(LogOptions options) : d(std::make_unique<Private>()) {
    d->options = options;
    if (options.standardError) {
        d->standardError = std::make_unique<spdlog::sinks::stderr_sink_st>();
        d->standardError->set_level(spdlogLevel(*options.standardError));
        d->standardError->set_pattern("%l: [%n] %v");
    }
}

Log::~Log() = default;

Result<void> Log::openFile(const std::string& path) {
    namespace fs = std::filesystem;
    const std::lock_guard lock(d->writeMutex);
    std::error_code failure;
    const fs::path target(path);
    if (target.has_parent_path())
        fs::create_directories(target.parent_path(), failure);
    if (fs::is_directory(target, failure))
        return Error{"the log cannot be written: this is a folder; expected a file name", path, {}};
    if (fs::is_regular_file(target, failure))
        fs::rename(target, fs::path(path + ".1"), failure);
    try {
        d->file = std::make_unique<spdlog::sinks::basic_file_sink_st>(path, true);
    } catch (const std::exception& e) {
        d->file.reset();
        d->path.clear();
        return Error{std::string("the log cannot be written: ") + e.what(), path, {}};
    }
    d->file->set_pattern("%Y-%m-%d %H:%M:%S.%e %-7l [%n] %v");
    d->path = path;
    std::vector<LogRecord> earlier;
    {
        const std::lock_guard ringLock(d->ringMutex);
        earlier.assign(d->ring.begin(), d->ring.end());
    }
    const auto begin = std::chrono::system_clock::now() - (Private::Clock::now() - d->start);
    for (const LogRecord& record : earlier)
        for (std::uint32_t i = 0; i < record.count; ++i)
            d->put(*d->file, record.severity, inOneRecord(record.channel), inOneRecord(record.text),
                   std::chrono::time_point_cast<std::chrono::system_clock::duration>(begin)
                       + std::chrono::milliseconds(record.timeMs));
    return {};
}

void Log::setMinimum(LogSeverity severity) { d->minimum.store(severity, std::memory_order_relaxed); }

bool Log::takes(LogSeverity severity) const { return severity >= d->minimum.load(std::memory_order_relaxed); }

void Log::write(LogSeverity severity, std::string_view channel, std::string_view text) {
    if (!takes(severity))
        return;
    if (severity == LogSeverity::Error)
        d->errors.fetch_add(1, std::memory_order_relaxed);
    // Whatever a peer, a file or a user put into it: panels, dumps and terminals get the same harmless text.
    const std::string plainChannel = printable(channel);
    const std::string plainText = printable(text);
    const std::lock_guard lock(d->writeMutex);
    d->remember(severity, plainChannel, plainText);
    const bool toTerminal = d->standardError && d->standardError->should_log(spdlogLevel(severity));
    if (!d->file && !toTerminal)
        return;
    const std::string safeChannel = inOneRecord(plainChannel);
    const std::string safeText = inOneRecord(plainText);
    const auto now = std::chrono::system_clock::now();
    if (d->file)
        d->put(*d->file, severity, safeChannel, safeText, now);
    if (toTerminal)
        d->put(*d->standardError, severity, safeChannel, safeText, now);
}

std::vector<LogRecord> Log::since(std::uint64_t sequence, std::size_t limit) const {
    std::vector<LogRecord> out;
    if (latest() <= sequence)
        return out;
    const std::lock_guard lock(d->ringMutex);
    const auto first =
        std::upper_bound(d->ring.begin(), d->ring.end(), sequence,
                         [](std::uint64_t s, const LogRecord& record) { return s < record.sequence; });
    const auto available = static_cast<std::size_t>(d->ring.end() - first);
    out.assign(first, first + static_cast<std::ptrdiff_t>(std::min(available, limit)));
    return out;
}

std::uint64_t Log::latest() const { return d->latest.load(std::memory_order_acquire); }

std::uint64_t Log::errors() const { return d->errors.load(std::memory_order_relaxed); }

std::uint64_t Log::dropped() const {
    const std::lock_guard lock(d->ringMutex);
    return d->dropped;
}

std::uint64_t Log::unwritten() const { return d->unwritten.load(std::memory_order_relaxed); }

std::string Log::filePath() const {
    const std::lock_guard lock(d->writeMutex);
    return d->path;
}

} // namespace sbx
