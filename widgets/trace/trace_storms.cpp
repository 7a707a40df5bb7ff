#include "widgets/trace/trace_storms.h"

#include <algorithm>

namespace sbx::ui {

void TraceStorms::setMakes(MessageTypeId type) {
    if (std::find(m_makes.begin(), m_makes.end(), type) == m_makes.end())
        m_makes.push_back(type);
}

bool TraceStorms::reaches(Count& now, std::uint64_t limit, std::uint64_t tick, double ticksPerSecond) {
    if (now.count == 0 || static_cast<double>(tick - now.from) >= ticksPerSecond || tick < now.from) {
        // A second without enough of them, or none at all, ends the storm.
        now.told = now.told && now.count >= limit
                   && static_cast<double>(tick - now.from) < 2.0 * ticksPerSecond && tick >= now.from;
        now.from = tick;
        now.count = 0;
    }
    if (++now.count < limit || now.told)
        return false;
    now.told = true;
    return true;
}

std::optional<TraceStorm> TraceStorms::add(const RecordView& record, double ticksPerSecond) {
    if (ticksPerSecond <= 0.0)
        return std::nullopt;
    const std::uint64_t kind = std::uint64_t(record.type()) << 8U | record.world();
    const std::uint64_t limit =
        std::find(m_makes.begin(), m_makes.end(), record.type()) != m_makes.end() ? LimitOfMade : Limit;
    const std::uint64_t tick = record.tick();
    TraceStorm storm{record.type(), record.senderName(), false, record.world(), record.sequence(), tick, 0};
    Count& own = m_counts[std::uint64_t(record.senderName()) << 24U | kind];
    const bool ownStorm = reaches(own, limit, tick, ticksPerSecond);
    storm.count = own.count;
    if (ownStorm)
        return storm;
    if (own.count >= limit)
        return std::nullopt; // told of its sender
    Count& all = m_all[kind];
    if (!reaches(all, LimitOfAll, tick, ticksPerSecond))
        return std::nullopt;
    storm.many = true;
    storm.count = all.count;
    return storm;
}

} // namespace sbx::ui
