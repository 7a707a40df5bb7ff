#pragma once
// Listeners: they receive messages of a type in addition to the receivers, in order of registration. A listener cannot
// change or consume a message.
//
// Listeners may be added and removed while a message is being delivered: an added one does not receive that message, a removed one is
// not called any more, also if another listener removed it. Deliveries nest. One thread; nothing is allocated
// while there are no more listeners than there have been before.

#include "engine/message/envelope.h"
#include "engine/message/handler_shape.h"
#include "engine/message/message_type.h"

#include <cstdint>
#include <vector>

namespace sbx {

class Listeners;

// Ends the registration when it is destroyed. Movable; outliving the registry is harmless.
class [[nodiscard]] Subscription {
public:
    Subscription() = default;
    Subscription(Subscription&& other) noexcept { take(other); }
    Subscription& operator=(Subscription&& other) noexcept {
        if (this != &other) {
            end();
            take(other);
        }
        return *this;
    }
    ~Subscription() { end(); }
    void end();
    [[nodiscard]] bool active() const { return m_registry != nullptr; }

private:
    friend class Listeners;
    Subscription(Listeners& registry, std::uint32_t slot);
    void take(Subscription& other) noexcept;
    Listeners* m_registry = nullptr;
    std::uint32_t m_slot = 0;
};

using ListenerThunk = void (*)(void* object, const void* message, const Envelope& envelope);

struct Listener {
    ListenerThunk thunk = nullptr;
    void* object = nullptr;
    // Its owner, for the trace. Null and NoType: the engine's, the console's or a test's.
    EntityId owner;
    ComponentTypeId component = NoType;
    ShapeId shape = NoHandlers; // of the component alone
    std::uint32_t slot = 0;
};

namespace detail {

template <typename T> struct ListenerTraits;
template <typename C, typename M> struct ListenerTraits<void (C::*)(const M&)> {
    using Object = C;
    using MessageType = M;
    static constexpr bool TakesEnvelope = false;
};
template <typename C, typename M> struct ListenerTraits<void (C::*)(const M&, const Envelope&)> {
    using Object = C;
    using MessageType = M;
    static constexpr bool TakesEnvelope = true;
};

} // namespace detail

// The member function is a template argument, as with handlers: the call is direct.
template <auto Method> ListenerThunk listenerThunk() {
    using Traits = detail::ListenerTraits<decltype(Method)>;
    return [](void* object, const void* message, const Envelope& envelope) {
        auto& self = *static_cast<typename Traits::Object*>(object);
        const auto& m = *static_cast<const typename Traits::MessageType*>(message);
        if constexpr (Traits::TakesEnvelope) {
            (self.*Method)(m, envelope);
        } else {
            static_cast<void>(envelope);
            (self.*Method)(m);
        }
    };
}

class Listeners {
public:
    Listeners() = default;
    ~Listeners();
    Listeners(const Listeners&) = delete;
    Listeners& operator=(const Listeners&) = delete;

    // `object` must outlive the subscription.
    template <auto Method>
    Subscription listen(typename detail::ListenerTraits<decltype(Method)>::Object& object,
                        EntityId owner = {}, ComponentTypeId component = NoType) {
        using M = typename detail::ListenerTraits<decltype(Method)>::MessageType;
        return listen(messageIdOf<M>(), listenerThunk<Method>(), &object, owner, component);
    }
    // For a type known only at run time.
    Subscription listen(MessageTypeId type, ListenerThunk thunk, void* object, EntityId owner = {},
                        ComponentTypeId component = NoType);

    // From now on the listeners of `as` also receive messages of `type`: for an event that was declared again (listenerType()).
    void addAlias(MessageTypeId type, MessageTypeId as);

    [[nodiscard]] std::size_t count(MessageTypeId type) const {
        return type < m_lists.size() ? m_lists[type].living : 0;
    }
    // The only cost of a dispatch without listeners.
    [[nodiscard]] bool any(MessageTypeId type) const { return count(type) != 0; }
    // In order of registration.
    [[nodiscard]] std::vector<Listener> list(MessageTypeId type) const;

    // One delivery: visits the listeners that are registered when it begins.
    class Pass {
    public:
        Pass(Listeners& registry, MessageTypeId type);
        ~Pass();
        Pass(const Pass&) = delete;
        Pass& operator=(const Pass&) = delete;
        // False at the end. A copy: the list may move while the listener is being called.
        bool next(Listener& out);

    private:
        Listeners& m_registry;
        MessageTypeId m_type;
        std::size_t m_at = 0;
        std::size_t m_end = 0;
    };

private:
    friend class Subscription;
    struct List {
        std::vector<Listener> all; // removed ones have no thunk until the list is cleaned up
        std::size_t living = 0;    // of an alias: as many as in the other's list
        std::uint32_t passes = 0;  // deliveries under way
        MessageTypeId as = NoType; // alias of this type's list
    };
    struct Slot {
        Subscription* holder = nullptr;
        MessageTypeId type = NoType;
        std::uint32_t place = 0; // in the list; the next free slot while it is free
    };
    static constexpr std::uint32_t NoSlot = 0xFFFFFFFFU;

    ShapeId shapeOf(ComponentTypeId component);
    void remove(std::uint32_t slot);
    void tidy(List& list);
    // The type whose list holds its listeners.
    [[nodiscard]] MessageTypeId listOf(MessageTypeId type) const {
        return type < m_lists.size() && m_lists[type].as != NoType ? m_lists[type].as : type;
    }
    void updateAliases(MessageTypeId as);

    std::vector<List> m_lists; // by type
    std::vector<MessageTypeId> m_aliases;
    std::vector<Slot> m_slots;
    std::uint32_t m_freeSlot = NoSlot;
    std::vector<ShapeId> m_shapes; // by component; NoHandlers: not interned yet
};

} // namespace sbx
