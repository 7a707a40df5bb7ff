#include "engine/message/dispatch_table.h"

#include "engine/core/contracts.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>

namespace sbx {

const char* deliveryName(Delivery delivery) {
    static constexpr const char* Names[] = {"immediate", "component", "children", "ancestors",
                                            "broadcast", "listener",  "network",  "queued"};
    return Names[static_cast<int>(delivery)];
}

const DispatchTable::Data DispatchTable::Nothing{};

void detail::endAsHandlerThrew(const std::type_info& component, const char* message) noexcept {
    std::string what = "no std::exception";
    try {
        throw;
    } catch (const std::exception& e) {
        what = e.what();
    } catch (...) {}
    int failed = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(component.name(), nullptr, nullptr, &failed), &std::free);
    const std::string text = std::string(name ? name.get() : component.name()) + " threw while it handled "
                             + message + ": " + what;
    reportContractViolation({"handlers throw nothing", text.c_str(), __FILE__, __LINE__});
}

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
    std::size_t lists = 0;
    for (std::size_t i = 0; i < m_pending.size(); ++i)
        lists += i == 0 || m_pending[i].handler.message != m_pending[i - 1].handler.message ? 1U : 0U;
    m_words = head + words(lists * sizeof(RecordHook)) + words(m_pending.size() * sizeof(HandlerEntry));
    m_data = std::make_unique<Word[]>(m_words);
    auto* const bytes = reinterpret_cast<std::byte*>(m_data.get());
    new (bytes) Data{types};
    auto* const ranges = reinterpret_cast<Range*>(bytes + sizeof(Data));
    std::uninitialized_default_construct_n(ranges, types);
    auto* next = reinterpret_cast<std::byte*>(m_data.get() + head);
    for (const Pending& p : m_pending) {
        Range& range = ranges[p.handler.message];
        if (range.count == 0) {
            auto* const hook = new (next) RecordHook;
            const bool last = &p == &m_pending.back() || (&p)[1].handler.message != p.handler.message;
            hook->recorded = last ? p.handler.recordedAlone : p.handler.recordedOnward;
            next = reinterpret_cast<std::byte*>(hook + 1);
        }
        auto* const entry = new (next) HandlerEntry(p.handler, p.offset, p.component);
        if (++range.count == 1)
            range.first = entry;
        next += sizeof(HandlerEntry);
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

DispatchTable DispatchTable::copy() const {
    DispatchTable same;
    if (!m_data)
        return same;
    same.m_words = m_words;
    same.m_data = std::make_unique_for_overwrite<Word[]>(m_words);
    std::memcpy(same.m_data.get(), m_data.get(), m_words * sizeof(Word));
    for (Range& range : same.ranges()) {
        if (range.count == 0)
            continue;
        const auto* const at = reinterpret_cast<const std::byte*>(range.first);
        range.first =
            reinterpret_cast<const HandlerEntry*>(reinterpret_cast<const std::byte*>(same.m_data.get())
                                                  + (at - reinterpret_cast<const std::byte*>(m_data.get())));
        range.enter = range.first->onward;
        hookOf(range).lane = nullptr;
    }
    return same;
}

} // namespace sbx
