#include "widgets/trace/trace_storms.h"

#include <algorithm>

namespace sbx::ui {

void TraceStorms::setMakes(MessageTypeId type) {
    m_last = {};
    if (std::find(m_makes.begin(), m_makes.end(), type) == m_makes.end())
        m_makes.push_back(type);
}

bool TraceStorms::reaches(Count& now, std::uint64_t limit, std::uint64_t tick, double ticksPerSecond) {
    if (now.count == 0 || static_cast<double>(tick - now.from) >= ticksPerSecond || tick < now.from) {
        // A second without enough of them, or none at all, ends the storm.
        now.noticed = now.noticed && now.count >= limit
                   && static_cast<double>(tick - now.from) < 2.0 * ticksPerSecond && tick >= now.from;
        now.from = tick;
        now.count = 0;
    }
    if (++now.count < limit || now.noticed)
        return false;
    now.noticed = true;
    return true;
}

const TraceStorms::Last& TraceStorms::countsOf(const RecordView& record) {
    const std::uint64_t kind = std::uint64_t(record.type()) << 8U | record.world();
    const std::uint64_t key = std::uint64_t(record.senderName()) << 24U | kind;
    if (m_last.own == nullptr || m_last.key != key) {
        const bool makes = std::find(m_makes.begin(), m_makes.end(), record.type()) != m_makes.end();
        m_last = {key, &m_counts[key], &m_all[kind], makes ? LimitOfMade : Limit};
    }
    return m_last;
}

void TraceStorms::add(const RecordView& record, double ticksPerSecond, std::vector<TraceStorm>& told) {
    if (ticksPerSecond <= 0.0)
        return;
    const std::uint64_t tick = record.tick();
    if (!m_noticed.empty() && m_noticed.front().storm.tick != tick)
        finish(told);
    const Last& counts = countsOf(record);
    TraceStorm storm{record.type(), record.senderName(), false, record.world(), record.sequence(), tick, 0, 0};
    if (reaches(*counts.own, counts.limit, tick, ticksPerSecond)) {
        m_noticed.push_back({storm, counts.own});
        return;
    }
    if (counts.own->count >= counts.limit)
        return; // told of its sender
    if (!reaches(*counts.all, LimitOfAll, tick, ticksPerSecond))
        return;
    storm.many = true;
    m_noticed.push_back({storm, counts.all});
}

void TraceStorms::finish(std::vector<TraceStorm>& told) {
    for (Noticed& noticed : m_noticed) {
        noticed.storm.count = noticed.count->count;
        noticed.storm.ticks = noticed.storm.tick - noticed.count->from + 1;
        told.push_back(noticed.storm);
    }
    m_noticed.clear();
}

} // namespace sbx::ui
