#pragma once
// From message type to its handlers, sorted by priority: a dense table, so that a send costs one load and one indirect call a
// handler. Built once per entity type (and once per entity that gained components at run time).

#include "engine/message/envelope.h"
#include "engine/message/handler_shape.h"
#include "engine/message/message_type.h"

#include <span>
#include <vector>

namespace sbx {

// Returns true if the handler consumed the message.
using HandlerThunk = bool (*)(void* component, void* message, const Envelope& envelope);

// Which copy of a networked world a handler runs in; a world that stands alone runs those of the server.
enum class Side : std::uint8_t { Client = 1, Server = 2, Both = 3 };

struct HandlerDescription {
    MessageTypeId message = NoType;
    int priority = 0; // lower first
    Side side = Side::Both;
    HandlerThunk thunk = nullptr;
};

struct HandlerEntry {
    HandlerThunk thunk = nullptr;
    std::ptrdiff_t offset = 0; // bytes from the entity's block to the component
    std::int32_t priority = 0;
    ComponentTypeId component = NoType;
};

class DispatchTable {
public:
    // Handlers in file order of their components; equal priorities keep that order.
    void add(MessageTypeId message, const HandlerEntry& entry) { m_pending.push_back({message, entry}); }
    void build();

    [[nodiscard]] std::span<const HandlerEntry> handlers(MessageTypeId message) const {
        if (message >= m_ranges.size())
            return {};
        const Range range = m_ranges[message];
        return {m_entries.data() + range.start, range.count};
    }
    // The same list as a number, for the recorder.
    [[nodiscard]] ShapeId shape(MessageTypeId message) const {
        return message < m_ranges.size() ? m_ranges[message].shape : NoHandlers;
    }

private:
    struct Pending {
        MessageTypeId message;
        HandlerEntry entry;
    };
    struct Range {
        std::uint32_t start = 0;
        std::uint32_t count = 0;
        ShapeId shape = NoHandlers;
    };
    std::vector<Pending> m_pending;
    std::vector<Range> m_ranges; // by message id
    std::vector<HandlerEntry> m_entries;
};

namespace detail {

template <typename T> struct HandlerTraits;
template <typename C, typename M> struct HandlerTraits<bool (C::*)(M&)> {
    using Component = C;
    using MessageType = std::remove_const_t<M>;
    static constexpr bool TakesEnvelope = false;
};
template <typename C, typename M> struct HandlerTraits<bool (C::*)(M&, const Envelope&)> {
    using Component = C;
    using MessageType = std::remove_const_t<M>;
    static constexpr bool TakesEnvelope = true;
};

} // namespace detail

// The member function is a template argument: its class and message type are deduced, the call is direct.
template <auto Method> HandlerDescription describeHandler(int priority, Side side) {
    using Traits = detail::HandlerTraits<decltype(Method)>;
    HandlerDescription description;
    description.message = messageIdOf<typename Traits::MessageType>();
    description.priority = priority;
    description.side = side;
    description.thunk = [](void* component, void* message, const Envelope& envelope) -> bool {
        auto& self = *static_cast<typename Traits::Component*>(component);
        auto& m = *static_cast<typename Traits::MessageType*>(message);
        if constexpr (Traits::TakesEnvelope)
            return (self.*Method)(m, envelope);
        else {
            static_cast<void>(envelope);
            return (self.*Method)(m);
        }
    };
    return description;
}

} // namespace sbx
