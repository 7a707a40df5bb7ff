#pragma once
// From message type to its handlers, sorted by priority: a dense table, so that a send costs two loads and one call. The
// handlers of one message are adjacent, and each ends in a jump to the next; only the last, or the one that consumes the message,
// returns to the sender. While messages are recorded, the recorder is hooked in before the first of them, so that a sender need not
// check for it. Built once for each entity type, copied by each world that has entities of it, and built for entities whose components
// differ from their type's.

#include "engine/message/envelope.h"
#include "engine/message/handler_shape.h"
#include "engine/message/message_type.h"
#include "engine/message/record_lane.h"
#include "engine/message/under_way.h"

#include <bit>
#include <memory>
#include <span>
#include <typeinfo>
#include <vector>

namespace sbx {

// Returns true if the handler consumed the message. `about` is the message's Envelope, for handlers that take it.
using HandlerThunk = bool (*)(void* component, void* message, const void* about);

// One handler over up to 64 entities whose blocks lie at a stride: what a message to all entities of a type calls, with the
// handler inlined into the loop.
struct HandlerRun {
    std::byte* messages =
        nullptr; // one each, `messageStride` apart; 0: one for all, which no handler changes
    std::size_t messageStride = 0;
    const std::uint64_t* receiving = nullptr; // checked before each entity: a handler may disable others…
    std::uint64_t skipped = 0;                // …which are listed here
    std::uint64_t first = 0;                  // what `current` is for entity 0
    std::uint64_t* current = nullptr;         // set to `first` plus the place of the entity whose handler runs
    Envelope* envelope = nullptr;             // the receiver is filled in where the handler looks
    const HandlerEntry* entry = nullptr;      // the handler's entry, for handlers of plugins
};
// `entities` has a bit for each; returns those whose handler consumed.
using HandlerRunThunk = std::uint64_t (*)(std::byte* first, std::size_t stride, std::uint64_t entities,
                                          HandlerRun& run);

// Which copy of a networked world a handler runs in; a single world runs those of the server.
enum class Side : std::uint8_t { Client = 1, Server = 2, Both = 3 };

struct HandlerDescription {
    MessageTypeId message = NoType;
    int priority = 0; // lower first
    Side side = Side::Both;
    bool takesEnvelope = false;
    bool changesMessage = false;  // takes it by reference to non-const
    HandlerCall onward = nullptr; // this handler, then those of the entries behind it
    HandlerCall alone = nullptr;
    // The same after the message's record is written (RecordHook::recorded); null if it takes the envelope.
    HandlerCall recordedOnward = nullptr;
    HandlerCall recordedAlone = nullptr;
    HandlerRunThunk run = nullptr;
    const char* messageName = nullptr;
    const HandlerOrigin* origin = nullptr; // null: unknown
};

struct HandlerEntry {
    HandlerCall onward =
        nullptr; // this handler and those of the entries behind it, once linked: the last one's is `alone`
    std::ptrdiff_t toNext = 0; // bytes from the component to that of the next entry, once linked
    std::ptrdiff_t offset = 0; // bytes from the entity's block to the component
    HandlerCall alone = nullptr;
    HandlerRunThunk run = nullptr;
    const HandlerOrigin* origin = nullptr;
    std::int32_t priority = 0;
    ComponentTypeId component = NoType;
    std::uint16_t index = 0; // its position in the list, once linked

    HandlerEntry() = default;
    HandlerEntry(const HandlerDescription& handler, std::ptrdiff_t at, ComponentTypeId of)
        : onward(handler.onward),
          offset(at),
          alone(handler.alone),
          run(handler.run),
          origin(handler.origin),
          priority(handler.priority),
          component(of) {}

    // True: it consumed the message.
    [[nodiscard]] bool callAlone(std::byte* block, void* message, const Envelope& envelope) const {
        return alone(block + offset, message, &envelope, this) != nullptr;
    }
};

class DispatchTable {
public:
    enum class Kind : std::uint8_t {
        None,
        Plain,
        Other
    }; // Plain: some, not many, and none takes the envelope
    // The handlers of one message.
    struct Range {
        HandlerCall enter =
            nullptr; // a copy of the first entry's `onward`, as is its offset, to save loads; or the recorder's hook
        std::ptrdiff_t offset = 0;
        const HandlerEntry* first = nullptr;
        ShapeId shape = NoHandlers; // the same list as a number, for the recorder
        std::uint16_t count = 0;
        Kind kind = Kind::None;
        bool changesMessage = false; // any of them
        static constexpr std::uint16_t Many = 256;

        [[nodiscard]] std::span<const HandlerEntry> entries() const { return {first, count}; }
        // Of at least one, Plain: through the recorder, if messages of the type are recorded. Returns the entry that consumed
        // the message; null: none did, and all were reached.
        [[gnu::always_inline]] const HandlerEntry* call(std::byte* block, void* message,
                                                        EntityId receiver) const {
            return enter(block + offset, message, RecordHook::about(receiver), first);
        }
        // Of at least one, without the recorder.
        const HandlerEntry* callHandlers(std::byte* block, void* message, const Envelope& envelope) const {
            return first->onward(block + offset, message, &envelope, first);
        }
        // How many handlers that call reached.
        [[nodiscard]] std::size_t reached(const HandlerEntry* consumed) const {
            return consumed == nullptr ? count : std::size_t(consumed->index) + 1;
        }
    };
    // The table in one piece of memory: this, the ranges by message id, then for each list its hook and its entries.
    struct Data {
        std::size_t types = 0;

        [[nodiscard]] const Range* ranges() const { return reinterpret_cast<const Range*>(this + 1); }
        [[nodiscard]] Range range(MessageTypeId message) const {
            return message < types ? ranges()[message] : Range();
        }
        [[nodiscard]] std::span<const HandlerEntry> handlers(MessageTypeId message) const {
            return range(message).entries();
        }
        [[nodiscard]] ShapeId shape(MessageTypeId message) const { return range(message).shape; }
    };

    static_assert(sizeof(Range) == 32, "found by a shift");

    static const Data Nothing; // no handlers at all

    DispatchTable() = default;
    DispatchTable(DispatchTable&&) = default;
    DispatchTable& operator=(DispatchTable&&) = default;
    // A table of its own with the same handlers, without a recorder.
    [[nodiscard]] DispatchTable copy() const;

    // Handlers in file order of their components; equal priorities keep that order.
    void add(const HandlerDescription& handler, std::ptrdiff_t offset, ComponentTypeId component) {
        m_pending.push_back({handler, offset, component});
    }
    void build();

    // Makes each of them find the next, and the range the first.
    static void link(Range& range, std::span<HandlerEntry> entries) {
        for (std::size_t i = 1; i < entries.size(); ++i) {
            entries[i - 1].toNext = entries[i].offset - entries[i - 1].offset;
            entries[i].index = static_cast<std::uint16_t>(i);
        }
        if (entries.empty())
            return;
        entries.back().onward = entries.back().alone;
        range.enter = entries.front().onward;
        range.offset = entries.front().offset;
        range.first = entries.data();
        range.count = static_cast<std::uint16_t>(entries.size());
    }

    [[nodiscard]] std::span<const HandlerEntry> handlers(MessageTypeId message) const {
        return data().handlers(message);
    }
    // Valid until the table is built again or destroyed.
    [[nodiscard]] const Data& data() const {
        return m_data ? *reinterpret_cast<const Data*>(m_data.get()) : Nothing;
    }
    // By message id. The recorder changes `enter`, and the hook before the first entry.
    [[nodiscard]] std::span<Range> ranges() { return {const_cast<Range*>(data().ranges()), data().types}; }
    [[nodiscard]] static RecordHook& hookOf(Range& range) {
        return const_cast<RecordHook&>(RecordHook::of(range.first));
    }

private:
    struct Pending {
        HandlerDescription handler;
        std::ptrdiff_t offset;
        ComponentTypeId component;
    };
    struct alignas(HandlerEntry) Word {
        std::byte bytes[alignof(HandlerEntry)];
    };
    std::vector<Pending> m_pending;
    std::unique_ptr<Word[]> m_data;
    std::size_t m_words = 0;
};

namespace detail {

template <typename T> struct HandlerTraits;
template <typename C, typename M> struct HandlerTraits<bool (C::*)(M&)> {
    using Component = C;
    using MessageType = std::remove_const_t<M>;
    static constexpr bool TakesEnvelope = false;
    static constexpr bool ChangesMessage = !std::is_const_v<M>;
};
template <typename C, typename M> struct HandlerTraits<bool (C::*)(M&, const Envelope&)> {
    using Component = C;
    using MessageType = std::remove_const_t<M>;
    static constexpr bool TakesEnvelope = true;
    static constexpr bool ChangesMessage = !std::is_const_v<M>;
};

template <auto Method> bool callHandler(void* component, void* message, [[maybe_unused]] const void* about) {
    using Traits = HandlerTraits<decltype(Method)>;
    auto& self = *static_cast<typename Traits::Component*>(component);
    auto& m = *static_cast<typename Traits::MessageType*>(message);
    if constexpr (Traits::TakesEnvelope)
        return (self.*Method)(m, *static_cast<const Envelope*>(about));
    else
        return (self.*Method)(m);
}

// In a catch clause: reports which component threw what while it handled which message, as a broken contract, and ends the program.
[[noreturn, gnu::cold]] void endAsHandlerThrew(const std::type_info& component, const char* message) noexcept;

// What describeHandler() calls. Handlers must not throw; one that does ends the program with a message that names it. Continuing would
// cost each handler saved registers or another call; this costs nothing until it happens.
template <auto Method> bool callOwnHandler(void* component, void* message, const void* about) noexcept {
    using Traits = HandlerTraits<decltype(Method)>;
    try {
        return callHandler<Method>(component, message, about);
    } catch (...) {
        endAsHandlerThrew(typeid(typename Traits::Component), Traits::MessageType::Name);
    }
}

// Handlers of plugins are noted while they run; those of the engine are recognised by their thunks (under_way.h), at no cost.
template <HandlerThunk Call>
[[gnu::always_inline]] inline bool callNoted(std::byte* component, void* message, const void* about,
                                             [[maybe_unused]] const HandlerEntry* entry) {
#ifdef SIGNALBOX_PLUGIN_BUILD
    const UnderWayScope underWay(entry, component);
#endif
    return Call(component, message, about);
}

// The call of the next handler is a tail call, which compilers make a jump: no handler of the list returns here. Unoptimised it is a
// call, as deep as the list is long.
template <auto Method, HandlerThunk Call> const HandlerEntry* callOnward(std::byte* component, void* message,
                                                                         const void* about,
                                                                         const HandlerEntry* entry) {
    if (callNoted<Call>(component, message, about, entry))
        return entry;
    const HandlerEntry* const next = entry + 1;
    return next->onward(component + entry->toNext, message, about, next);
}

template <auto Method, HandlerThunk Call> const HandlerEntry* callAlone(std::byte* component, void* message,
                                                                        const void* about,
                                                                        const HandlerEntry* entry) {
    return callNoted<Call>(component, message, about, entry) ? entry : nullptr;
}

// Writes the record first. The handler is known at compile time here: it needs no jump through memory.
template <auto Method, HandlerThunk Call, HandlerCall Then>
const HandlerEntry* recordAndCall(std::byte* component, void* message, const void* about,
                                  const HandlerEntry* entry) {
    const RecordHook& hook = RecordHook::of(entry);
    constexpr std::size_t Size = sizeof(typename HandlerTraits<decltype(Method)>::MessageType);
    if (!hook.write<Size, false>(about, message)) [[unlikely]]
        return hook.lane->slowPath(component, message, about, entry);
    return Then(component, message, about, entry);
}

template <auto Method, HandlerThunk Call>
std::uint64_t runHandler(std::byte* first, std::size_t stride, std::uint64_t entities, HandlerRun& run) {
    using Traits = HandlerTraits<decltype(Method)>;
    std::uint64_t consumed = 0;
    for (; entities != 0; entities &= entities - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(entities));
        if ((*run.receiving >> i & 1U) == 0) {
            run.skipped |= std::uint64_t(1) << i;
            continue;
        }
        *run.current = run.first + i;
        std::byte* const component = first + i * stride;
        if constexpr (Traits::TakesEnvelope && requires(typename Traits::Component & c) { c.entity(); })
            run.envelope->receiver = reinterpret_cast<typename Traits::Component*>(component)->entity();
        if (callNoted<Call>(component, run.messages + i * run.messageStride, run.envelope, run.entry))
            consumed |= std::uint64_t(1) << i;
    }
    return consumed;
}

} // namespace detail

// The member function is a template argument: its class and message type are deduced, the call is direct, unless `Call`
// wraps it.
template <auto Method, HandlerThunk Call = &detail::callOwnHandler<Method>>
HandlerDescription describeHandler(int priority, Side side) {
    using Traits = detail::HandlerTraits<decltype(Method)>;
    HandlerDescription description;
    description.message = messageIdOf<typename Traits::MessageType>();
    description.priority = priority;
    description.side = side;
    description.takesEnvelope = Traits::TakesEnvelope;
    description.changesMessage = Traits::ChangesMessage;
    description.onward = &detail::callOnward<Method, Call>;
    description.alone = &detail::callAlone<Method, Call>;
    if constexpr (!Traits::TakesEnvelope) {
        description.recordedOnward = &detail::recordAndCall<Method, Call, &detail::callOnward<Method, Call>>;
        description.recordedAlone = &detail::recordAndCall<Method, Call, &detail::callAlone<Method, Call>>;
    }
    description.run = &detail::runHandler<Method, Call>;
    description.messageName = Traits::MessageType::Name;
    return description;
}

} // namespace sbx
