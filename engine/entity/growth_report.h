#pragma once
// What the log says of a run that grows without end (world_budget.cpp writes it), read again: for windows that say it in a notice, with what
// else they know. Pure; any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sbx {

struct GrowthReport {
    enum class Of : std::uint8_t {
        Entities, // that were made since the run began
        Queue,    // messages that wait to be delivered
        Loop      // messages that were handled inside one another, or set off by one; no number is known
    };
    Of of = Of::Entities;
    bool stopped = false;    // the budget is used up, and play pauses; a loop is cut off at once
    std::uint64_t grown = 0; // how many there are
    std::uint64_t budget = 0;
    // The component that adds most ("Spawner", or several joined by " or ") and its entity; empty: unknown.
    std::string component;
    std::string entity;
    bool several = false; // several entities do; `entity` is one of them
    std::string message;  // the type of the message, of a loop

    friend bool operator==(const GrowthReport&, const GrowthReport&) = default;
};

// A line of the log, on that channel; nothing: it is another line.
[[nodiscard]] std::optional<GrowthReport> readGrowthReport(std::string_view channel, std::string_view text);

} // namespace sbx
