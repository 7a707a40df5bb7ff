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
    auto* entry = reinterpret_cast<HandlerEntry*>(m_data.get() + head);
    for (const Pending& p : m_pending) {
        Range& range = ranges[p.handler.message];
        new (entry) HandlerEntry(p.handler, p.offset, p.component);
        if (++range.count == 1)
            range.first = entry;
        ++entry;
        const bool plain = range.kind != Kind::Other && range.count < Range::Many && !p.handler.takesEnvelope;
        range.kind = plain ? Kind::Plain : Kind::Other;
        range.changesMessage = range.changesMessage || p.handler.changesMessage;
    }
    for (std::size_t i = 0; i < types; ++i) {
        link(ranges[i], {const_cast<HandlerEntry*>(ranges[i].first), ranges[i].count});
        ranges[i].shape = internShape(ranges[i].entries());
    }
    m_pending.clear();
    m_pending.shrink_to_fit();
}

} // namespace sbx
