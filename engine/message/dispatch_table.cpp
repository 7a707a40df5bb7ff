#include "engine/message/dispatch_table.h"

#include <algorithm>

namespace sbx {

const char* deliveryName(Delivery delivery) {
    static constexpr const char* Names[] = {"immediate", "component", "children", "ancestors",
                                            "broadcast", "listener",  "network",  "queued"};
    return Names[static_cast<int>(delivery)];
}

void DispatchTable::build() {
    std::stable_sort(m_pending.begin(), m_pending.end(), [](const Pending& a, const Pending& b) {
        return a.message != b.message ? a.message < b.message : a.entry.priority < b.entry.priority;
    });
    m_ranges.clear();
    m_entries.clear();
    if (!m_pending.empty())
        m_ranges.resize(static_cast<std::size_t>(m_pending.back().message) + 1);
    for (const Pending& p : m_pending) {
        Range& range = m_ranges[p.message];
        if (range.count++ == 0)
            range.start = static_cast<std::uint32_t>(m_entries.size());
        m_entries.push_back(p.entry);
    }
    for (Range& range : m_ranges)
        range.shape = internShape(std::span<const HandlerEntry>(m_entries.data() + range.start, range.count));
    m_pending.clear();
    m_pending.shrink_to_fit();
}

} // namespace sbx
