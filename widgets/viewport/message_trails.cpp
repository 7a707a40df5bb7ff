#include "widgets/viewport/message_trails.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

void MessageTrails::add(const std::vector<PassingMessage>& messages) {
    for (const PassingMessage& message : messages) {
        Newest& newest = m_kept[Ends{message.sender, message.receiver, message.fate}];
        newest.tick = std::max(newest.tick, message.tick);
        newest.number = ++m_number;
    }
    if (m_kept.size() > MaxKept)
        dropOldest();
}

void MessageTrails::clear() { m_kept.clear(); }

void MessageTrails::dropOldest() {
    std::vector<std::uint64_t> numbers;
    numbers.reserve(m_kept.size());
    for (const auto& [ends, newest] : m_kept)
        numbers.push_back(newest.number);
    // Half of them at once: this is not to be done for every message.
    const auto first = numbers.end() - static_cast<std::ptrdiff_t>(MaxKept / 2);
    std::nth_element(numbers.begin(), first, numbers.end());
    std::erase_if(m_kept, [oldest = *first](const auto& kept) { return kept.second.number < oldest; });
}

MessageTrails::Shown MessageTrails::at(double tick, double ticksPerSecond, bool held) const {
    struct Candidate {
        const Ends* ends;
        Newest newest;
        float strength;
    };
    const double fade = std::max(FadeSeconds * ticksPerSecond, 1.0);
    const double standing = std::round(tick);
    std::vector<Candidate> candidates;
    for (const auto& [ends, newest] : m_kept) {
        const double age = tick - static_cast<double>(newest.tick);
        if (held ? static_cast<double>(newest.tick) != standing : age >= fade)
            continue;
        // The picture is a tick behind what is recorded: what lies ahead of it passes now.
        candidates.push_back(
            {&ends, newest, held ? 1.0F : static_cast<float>(1.0 - std::max(age, 0.0) / fade)});
    }
    const auto isNewer = [](const Candidate& a, const Candidate& b) {
        return a.newest.tick != b.newest.tick ? a.newest.tick > b.newest.tick
                                              : a.newest.number > b.newest.number;
    };
    const std::size_t count = std::min(candidates.size(), MaxLines);
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
                      candidates.end(), isNewer);
    Shown shown;
    shown.all = candidates.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [sender, receiver, fate] = *candidates[i].ends;
        shown.lines.push_back({sender, receiver, fate, candidates[i].strength});
    }
    return shown;
}

} // namespace sbx::ui
