#include "widgets/trace/trace_storms.h"

namespace sbx::ui {

std::optional<TraceStorm> TraceStorms::add(const RecordView& record, double ticksPerSecond) {
    if (ticksPerSecond <= 0.0)
        return std::nullopt;
    const std::uint64_t key = std::uint64_t(record.senderName()) << 24U | std::uint64_t(record.type()) << 8U | record.world();
    Count& now = m_counts[key];
    const std::uint64_t tick = record.tick();
    if (now.count == 0 || static_cast<double>(tick - now.from) >= ticksPerSecond || tick < now.from) {
        // A second without enough of them, or none at all, ends the storm.
        now.told = now.told && now.count >= Limit && static_cast<double>(tick - now.from) < 2.0 * ticksPerSecond && tick >= now.from;
        now.from = tick;
        now.count = 0;
    }
    if (++now.count < Limit || now.told)
        return std::nullopt;
    now.told = true;
    return TraceStorm{record.type(), record.senderName(), record.world(), record.sequence(), tick, now.count};
}

} // namespace sbx::ui
