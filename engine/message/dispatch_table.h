#pragma once
// From message type to its handlers, sorted by priority: a dense table, so that a send costs two loads and one indirect call a
// handler. Built once per entity type, and once per entity whose components differ from its type's.

#include "engine/message/envelope.h"
#include "engine/message/handler_shape.h"
#include "engine/message/message_type.h"

#include <bit>
#include <memory>
#include <span>
#include <vector>

namespace sbx {

// Returns true if the handler consumed the message.
using HandlerThunk = bool (*)(void* component, void* message, const Envelope& envelope);

// One handler over up to 64 entities whose blocks lie at a stride: what a message to all entities of a type calls, with the
// handler inlined into the loop.
struct HandlerRun {
    std::byte* messages = nullptr;     // one each, `messageStride` apart; 0: one for all, which no handler changes
    std::size_t messageStride = 0;
    const std::uint64_t* receiving = nullptr; // looked at before each entity: a handler may take others out…
    std::uint64_t skipped = 0;                // …which are named here
    std::uint64_t firstSequence = 0;   // of entity 0
    std::uint64_t* sequence = nullptr; // told which message is being handled
    Envelope* envelope = nullptr;      // sequence and receiver are filled in where the handler looks
};
// `entities` has a bit for each; returns those whose handler consumed.
using HandlerRunThunk = std::uint64_t (*)(std::byte* first, std::size_t stride, std::uint64_t entities, HandlerRun& run);

// Which copy of a networked world a handler runs in; a world that stands alone runs those of the server.
enum class Side : std::uint8_t { Client = 1, Server = 2, Both = 3 };

struct HandlerDescription {
    MessageTypeId message = NoType;
    int priority = 0; // lower first
    Side side = Side::Both;
    bool takesEnvelope = false;
    bool changesMessage = false; // takes it by reference to non-const
    HandlerThunk thunk = nullptr;
    HandlerRunThunk run = nullptr;
};

struct HandlerEntry {
    HandlerThunk thunk = nullptr;
    std::ptrdiff_t offset = 0; // bytes from the entity's block to the component
    std::int32_t priority = 0;
    ComponentTypeId component = NoType;
    HandlerRunThunk run = nullptr;
};

class DispatchTable {
public:
    struct Range {
        HandlerThunk first = nullptr; // of the first entry, for the many messages that meet one handler
        std::ptrdiff_t firstOffset = 0;
        std::uint32_t end = 0; // bytes from the table's start to behind the last entry
        std::uint16_t count = 0;
        std::uint8_t shortCount = 0; // `count`, if none takes the envelope and there are few; else Long
        bool changesMessage = false; // any of them
        ShapeId shape = NoHandlers;  // the same list as a number, for the recorder
        static constexpr std::uint8_t Long = 0xFF;
        static constexpr std::uint16_t Few = 4;
    };
    // The table in one piece of memory: this, the ranges by message id, the entries.
    struct Data {
        std::size_t types = 0;

        [[nodiscard]] const Range* ranges() const { return reinterpret_cast<const Range*>(this + 1); }
        [[nodiscard]] Range range(MessageTypeId message) const { return message < types ? ranges()[message] : Range(); }
        [[nodiscard]] const HandlerEntry* end(const Range& range) const {
            return reinterpret_cast<const HandlerEntry*>(reinterpret_cast<const std::byte*>(this) + range.end);
        }
        [[nodiscard]] std::span<const HandlerEntry> entries(const Range& range) const {
            return range.count == 0 ? std::span<const HandlerEntry>() : std::span(end(range) - range.count, range.count);
        }
        [[nodiscard]] std::span<const HandlerEntry> handlers(MessageTypeId message) const { return entries(range(message)); }
        [[nodiscard]] ShapeId shape(MessageTypeId message) const {
            return message < types ? ranges()[message].shape : NoHandlers;
        }
    };

    static_assert(sizeof(Range) == 32, "found by a shift");

    static const Data Nothing; // no handlers at all

    // Handlers in file order of their components; equal priorities keep that order.
    void add(const HandlerDescription& handler, std::ptrdiff_t offset, ComponentTypeId component) {
        m_pending.push_back({handler, offset, component});
    }
    void build();

    [[nodiscard]] std::span<const HandlerEntry> handlers(MessageTypeId message) const {
        return data().handlers(message);
    }
    // Stays where it is until the table is built again or goes.
    [[nodiscard]] const Data& data() const { return m_data ? *reinterpret_cast<const Data*>(m_data.get()) : Nothing; }

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

template <auto Method> bool callHandler(void* component, void* message, const Envelope& envelope) {
    using Traits = HandlerTraits<decltype(Method)>;
    auto& self = *static_cast<typename Traits::Component*>(component);
    auto& m = *static_cast<typename Traits::MessageType*>(message);
    if constexpr (Traits::TakesEnvelope)
        return (self.*Method)(m, envelope);
    else {
        static_cast<void>(envelope);
        return (self.*Method)(m);
    }
}

template <auto Method, HandlerThunk Call = &callHandler<Method>>
std::uint64_t runHandler(std::byte* first, std::size_t stride, std::uint64_t entities, HandlerRun& run) {
    using Traits = HandlerTraits<decltype(Method)>;
    std::uint64_t consumed = 0;
    for (; entities != 0; entities &= entities - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(entities));
        if ((*run.receiving >> i & 1U) == 0) {
            run.skipped |= std::uint64_t(1) << i;
            continue;
        }
        *run.sequence = run.firstSequence + i;
        std::byte* const component = first + i * stride;
        if constexpr (Traits::TakesEnvelope) {
            run.envelope->sequence = *run.sequence;
            if constexpr (requires(typename Traits::Component& c) { c.entity(); })
                run.envelope->receiver = reinterpret_cast<typename Traits::Component*>(component)->entity();
        }
        if (Call(component, run.messages + i * run.messageStride, *run.envelope))
            consumed |= std::uint64_t(1) << i;
    }
    return consumed;
}

} // namespace detail

// The member function is a template argument: its class and message type are deduced, the call is direct.
template <auto Method> HandlerDescription describeHandler(int priority, Side side) {
    using Traits = detail::HandlerTraits<decltype(Method)>;
    HandlerDescription description;
    description.message = messageIdOf<typename Traits::MessageType>();
    description.priority = priority;
    description.side = side;
    description.takesEnvelope = Traits::TakesEnvelope;
    description.changesMessage = Traits::ChangesMessage;
    description.thunk = &detail::callHandler<Method>;
    description.run = &detail::runHandler<Method>;
    return description;
}

} // namespace sbx
