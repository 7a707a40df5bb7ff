#pragma once
// The messages of the last half second as lines: which are shown, how strongly, and how many were left out. Of several messages with the
// same ends and the same fate the newest counts. Time is that of the simulation, so lines fade as slowly as the world runs, and stand
// with it. Pure; one thread at a time. Keeps at most MaxKept lines; at() costs their number.

#include "widgets/common/passing_message.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace sbx::ui {

class MessageTrails {
public:
    static constexpr double FadeSeconds = 0.5;   // of the simulation
    static constexpr std::size_t MaxLines = 200; // drawn at a time
    static constexpr std::size_t MaxKept = 4096; // beyond it the oldest go

    struct Line {
        std::string sender;
        std::string receiver;
        MessageFate fate = MessageFate::Passed;
        float strength = 1.0F; // 1: passes now; falls to 0 after FadeSeconds

        friend bool operator==(const Line&, const Line&) = default;
    };
    struct Shown {
        std::vector<Line> lines; // the newest first, at most MaxLines
        std::size_t all = 0;     // with those that were left out
    };

    void add(const std::vector<PassingMessage>& messages);
    void clear();
    [[nodiscard]] bool empty() const { return m_kept.empty(); }
    [[nodiscard]] std::size_t kept() const { return m_kept.size(); }
    // `tick`: that is shown, with its fraction. `held`: the world stands still; then the lines of that tick stay, and no others are shown.
    [[nodiscard]] Shown at(double tick, double ticksPerSecond, bool held) const;

private:
    using Ends = std::tuple<std::string, std::string, MessageFate>; // sender, receiver
    struct Newest {
        std::uint64_t tick = 0;
        std::uint64_t number = 0; // in the order of add()
    };
    void dropOldest();

    std::map<Ends, Newest> m_kept;
    std::uint64_t m_number = 0;
};

} // namespace sbx::ui
