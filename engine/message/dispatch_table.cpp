#include "engine/message/dispatch_table.h"

#include <algorithm>
#include <memory>

namespace sbx {

const char* deliveryName(Delivery delivery) {
    static constexpr const char* Names[] = {"immediate", "component", "children", "ancestors",
                                            "broadcast", "listener",  "network",  "queued"};
    return Names[static_cast<int>(delivery)];
}

const DispatchTable::Data DispatchTable::Nothing{};

void DispatchTable::build() {
    std::stable_sort(m_pending.begin(), m_pending.end(), [](const Pending& a, const Pending& b) {
        return a.handler.message != b.handler.message ? a.handler.message < b.handler.message
                                                      : a.handler.priority < b.handler.priority;
    });
    m_data.reset();
    if (m_pending.empty())
        return;
    const std::size_t types = static_cast<std::size_t>(m_pending.back().handler.message) + 1;
    const auto words = [](std::size_t bytes) { return (bytes + sizeof(Word) - 1) / sizeof(Word); };
    const std::size_t head = words(sizeof(Data) + types * sizeof(Range));
    m_data = std::make_unique<Word[]>(head + words(m_pending.size() * sizeof(HandlerEntry)));
    auto* const bytes = reinterpret_cast<std::byte*>(m_data.get());
    new (bytes) Data{types};
    auto* const ranges = reinterpret_cast<Range*>(bytes + sizeof(Data));
    std::uninitialized_default_construct_n(ranges, types);
    std::size_t at = head * sizeof(Word);
    for (const Pending& p : m_pending) {
        Range& range = ranges[p.handler.message];
        if (++range.count == 1) {
            range.first = p.handler.thunk;
            range.firstOffset = p.offset;
        }
        const bool isShort = range.shortCount != Range::Long && range.count <= Range::Few && !p.handler.takesEnvelope;
        range.shortCount = isShort ? static_cast<std::uint8_t>(range.count) : Range::Long;
        range.changesMessage = range.changesMessage || p.handler.changesMessage;
        new (bytes + at) HandlerEntry{p.handler.thunk, p.offset, p.handler.priority, p.component, p.handler.run};
        at += sizeof(HandlerEntry);
        range.end = static_cast<std::uint32_t>(at);
    }
    for (std::size_t i = 0; i < types; ++i)
        ranges[i].shape = internShape(data().entries(ranges[i]));
    m_pending.clear();
    m_pending.shrink_to_fit();
}

} // namespace sbx
