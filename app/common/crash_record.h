#pragma once
// The record that a program left when it crashed (see CrashHandler): lines `key: value`, then the backtrace and the end of the log. A new
// one of the editor's ends in `.new` until its next start reported it, then in `.txt`, as the player's do. Plain functions; from any thread.

#include <cstdint>
#include <string>
#include <vector>

namespace sbx::app {

struct CrashRecord {
    static constexpr const char* FirstLine = "Signalbox crash record, version 1";
    static constexpr std::size_t Kept = 20; // records in a folder; older ones are removed

    std::string path;
    std::string program; // "signalbox 0.1"
    std::int64_t time = 0; // seconds since 1970
    std::string signal;    // "SIGSEGV"
    std::string thread;
    std::string project; // the open one's file or folder; empty: none
    std::string log;     // path
    // What was under way; empty: nothing that is known.
    std::string component;
    std::string entity;
    std::string message; // empty, but not `component`: it was being made
    std::string plugin;  // its library, absolute, without its ending; empty: the engine's own

    // A file name in `folder` that is unique to this process.
    [[nodiscard]] static std::string newPath(const std::string& folder, const std::string& program);
    // What its lines say. Lines that are missing or unknown are left out: a record is written by a program that dies.
    [[nodiscard]] static CrashRecord parse(const std::string& text);
    // Those in the folder that the editor left and that were not reported yet, oldest first. From now on they count as reported, under another path.
    [[nodiscard]] static std::vector<CrashRecord> takeNew(const std::string& folder);
};

} // namespace sbx::app
