// What stands in tapped tables: writes the record of a message to an entity that was sent outside handlers, then jumps to the
// first handler as if it had not been there.

#include "engine/message/recorder.h"

#include <utility>

namespace sbx {

namespace {

// Payloads up to this many bytes have a function each.
constexpr std::size_t MostKnown = 32;
constexpr std::size_t AnySize = ~std::size_t(0);

// As little as there is to do, and each store a pair of words: stores are what a record costs.
template <std::size_t Size, bool Stamped> const HandlerEntry* recorded(std::byte* component, void* message,
                                                                       const void* about,
                                                                       const HandlerEntry* entry) {
    const RecordTap& tap = RecordTap::of(entry);
    RecordLane& lane = *tap.lane;
    const EntityId receiver = *static_cast<const EntityId*>(about);
    const std::size_t size = Size != AnySize ? Size : tap.size();
    std::byte* const at = lane.next;
    if (at + record::plainBytes(size, Stamped) > lane.limit) [[unlikely]]
        return lane.aside(component, message, about, entry);
    const NameId name = lane.names[receiver.index()];
    if (name == 0) [[unlikely]]
        return lane.aside(component, message, about, entry);
    const std::uint64_t word = lane.word + 1;
    const record::Pair what = record::Pair::load(tap.words) | record::Pair(name).up();
    lane.word = word;
    lane.next = at + record::plainBytes(size, Stamped);
    record::Pair(word, Stamped ? std::uint64_t(record::Stamped) << 24U : 0).store(at);
    record::Pair(receiver.bits).store(at + 16);
    what.store(at + 32);
    std::memcpy(at + sizeof(RecordHeader), message, size);
    if constexpr (Stamped) {
        const std::uint64_t stamp = clockTicks();
        std::memcpy(at + record::stampOffset(size), &stamp, sizeof stamp);
    }
    return entry->onward(component, message, about, entry);
}

// A message of a type that is not recorded, while others are.
const HandlerEntry* passed(std::byte* component, void* message, const void* about,
                           const HandlerEntry* entry) {
    RecordLane& lane = *RecordTap::of(entry).lane;
    lane.take(1);
    lane.gate |= RecordLane::Unrecorded;
    return entry->onward(component, message, about, entry);
}

// With time in each handler.
const HandlerEntry* timed(std::byte* component, void* message, const void* about, const HandlerEntry* entry) {
    return RecordTap::of(entry).lane->aside(component, message, about, entry);
}

template <bool Stamped> HandlerCall recordedBySize(std::size_t size) {
    return [size]<std::size_t... Sizes>(std::index_sequence<Sizes...>) {
        HandlerCall found = &recorded<AnySize, Stamped>;
        static_cast<void>(((size == Sizes * 4 && (found = &recorded<Sizes * 4, Stamped>, true)) || ...));
        return found;
    }
    (std::make_index_sequence<MostKnown / 4 + 1>());
}

} // namespace

void Recorder::tap(RecordLane& lane, DispatchTable& table) const {
    const std::span<DispatchTable::Range> ranges = table.ranges();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        DispatchTable::Range& range = ranges[i];
        if (range.count == 0)
            continue;
        const auto type = static_cast<MessageTypeId>(i);
        RecordTap& tap = DispatchTable::tapOf(range);
        tap.lane = &lane;
        range.enter = range.first->onward;
        if (!m_enabled || range.kind != DispatchTable::Kind::Plain)
            continue;
        const std::size_t size = messageType(type).size;
        tap.words[0] = range.shape | std::uint64_t(range.count) << 33U;
        tap.words[1] = std::uint64_t(type) << 32U | std::uint64_t(size) << 48U;
        if (!isRecorded(type))
            range.enter = &passed;
        else if (m_timing)
            range.enter = &timed;
        else
            range.enter = m_stamps ? recordedBySize<true>(size) : recordedBySize<false>(size);
    }
}

} // namespace sbx
