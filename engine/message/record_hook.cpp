// What is called from hooked tables where the first handler's own function (HandlerDescription::recordedOnward) does not suffice: it writes the
// record of a message to an entity that was sent outside handlers, then jumps to the handler as if it had not been there.

#include "engine/message/recorder.h"

#include <utility>

namespace sbx {

namespace {

// Payloads up to this many bytes have a function each.
constexpr std::size_t MaxKnown = 32;
static_assert(MaxKnown <= RecordLane::Known);

// With a stamp, whose cost is far larger than that of the jump.
template <std::size_t Size> const HandlerEntry* stamped(std::byte* component, void* message,
                                                        const void* about, const HandlerEntry* entry) {
    const RecordHook& hook = RecordHook::of(entry);
    if (!hook.write<Size, true>(about, message)) [[unlikely]]
        return hook.lane->slowPath(component, message, about, entry);
    return entry->onward(component, message, about, entry);
}

// A message of a type that is not recorded, while others are.
const HandlerEntry* passed(std::byte* component, void* message, const void* about,
                           const HandlerEntry* entry) {
    RecordLane& lane = *RecordHook::of(entry).lane;
    ++lane.unrecorded;
    lane.unrecordedType = RecordHook::of(entry).type();
    lane.gate |= RecordLane::Unrecorded;
    return entry->onward(component, message, about, entry);
}

// With time in each handler.
const HandlerEntry* timed(std::byte* component, void* message, const void* about, const HandlerEntry* entry) {
    return RecordHook::of(entry).lane->slowPath(component, message, about, entry);
}

HandlerCall stampedBySize(std::size_t size) {
    return [size]<std::size_t... Sizes>(std::index_sequence<Sizes...>) {
        HandlerCall found = &stamped<RecordHook::AnySize>;
        static_cast<void>(((size == Sizes * 4 && (found = &stamped<Sizes * 4>, true)) || ...));
        return found;
    }
    (std::make_index_sequence<MaxKnown / 4 + 1>());
}

} // namespace

void Recorder::hook(RecordLane& lane, DispatchTable& table) const {
    const std::span<DispatchTable::Range> ranges = table.ranges();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        DispatchTable::Range& range = ranges[i];
        if (range.count == 0)
            continue;
        const auto type = static_cast<MessageTypeId>(i);
        RecordHook& hook = DispatchTable::hookOf(range);
        hook.lane = &lane;
        range.enter = range.first->onward;
        if (!m_enabled || range.kind != DispatchTable::Kind::Plain)
            continue;
        const std::size_t size = messageType(type).size;
        hook.words[0] = range.shape | std::uint64_t(range.count) << 33U
                        | std::uint64_t(record::NameByEntity | (m_stamps ? record::Stamped : 0U)) << 48U;
        hook.words[1] = std::uint64_t(type) << 32U | std::uint64_t(size) << 48U;
        if (!isRecorded(type))
            range.enter = &passed;
        else if (m_timing)
            range.enter = &timed;
        else
            range.enter = m_stamps ? stampedBySize(size) : hook.recorded;
    }
}

} // namespace sbx
