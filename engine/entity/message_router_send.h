#pragma once
// The templates of MessageRouter: typed messages. Included by message_router.h.

#include "engine/entity/message_router.h"

namespace sbx {

template <Message M>
[[gnu::always_inline]] inline SendResult MessageRouter::send(EntityId receiver, M& message, EntityId sender,
                                                             unsigned minimum, SendSite site) {
    if constexpr (modeOf<M>() == Delivery::Immediate)
        if (minimum == 0 && site.file == nullptr) [[likely]]
            return sendNow(receiver, message, sender);
    return sendRaw(receiver, messageIdOf<M>(), &message, sizeof(M), sender, modeOf<M>(), minimum, site);
}

template <Message M>
[[gnu::always_inline]] inline SendResult MessageRouter::send(EntityId receiver, M&& message, EntityId sender,
                                                             unsigned minimum, SendSite site) {
    return send(receiver, message, sender, minimum, site);
}

template <Message M> SendResult MessageRouter::sendToEntity(EntityId receiver, M& message, EntityId sender,
                                                            unsigned minimum, SendSite site) {
    return sendRaw(receiver, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Immediate, minimum,
                   site);
}

template <typename M>
requires Message<std::remove_cvref_t<M>> SendResult MessageRouter::send(Component& receiver, M&& message,
                                                                        EntityId sender, unsigned minimum,
                                                                        SendSite site) {
    auto& m = message;
    return sendRaw(receiver.entity(), &receiver, messageIdOf<std::remove_cvref_t<M>>(), &m, sizeof(m), sender,
                   minimum, site);
}

template <typename T, typename M> SendResult MessageRouter::sendToComponent(EntityId entity, M&& message,
                                                                            unsigned index, EntityId sender,
                                                                            unsigned minimum, SendSite site) {
    auto& m = message;
    return sendRaw(entity, findPart(entity, typeid(T), index), messageIdOf<std::remove_cvref_t<M>>(), &m,
                   sizeof(m), sender, minimum, site);
}

template <Message M> SendResult MessageRouter::sendToChildren(EntityId root, M message, EntityId sender,
                                                              unsigned minimum, SendSite site) {
    return sendRaw(root, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Children, minimum, site);
}

template <Message M> SendResult MessageRouter::sendToAncestors(EntityId entity, M message, EntityId sender,
                                                               unsigned minimum, SendSite site) {
    return sendRaw(entity, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Ancestors, minimum, site);
}

template <Message M>
SendResult MessageRouter::broadcast(M message, EntityId sender, unsigned minimum, SendSite site) {
    return sendRaw({}, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Broadcast, minimum, site);
}

template <Message M> SendResult MessageRouter::sendToType(const EntityType& type, const M& message,
                                                          EntityId sender, unsigned minimum, SendSite site) {
    return sendRaw(type, messageIdOf<M>(), &message, sizeof(M), sender, minimum, site);
}

template <Message M>
SendResult MessageRouter::sendToListeners(M message, EntityId sender, unsigned minimum, SendSite site) {
    return sendRaw({}, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Listener, minimum, site);
}

template <Message M> DelayedHandle MessageRouter::sendLater(EntityId receiver, const M& message,
                                                            double seconds, EntityId sender, int priority,
                                                            unsigned minimum, SendSite site) {
    if (!acceptsDelay(seconds, receiver, messageIdOf<M>()))
        return {};
    return sendInTicks(receiver, message, ticksIn(seconds), sender, priority, minimum, site);
}

template <Message M> DelayedHandle MessageRouter::sendInTicks(EntityId receiver, const M& message,
                                                              std::uint64_t ticks, EntityId sender,
                                                              int priority, unsigned minimum, SendSite site) {
    return sendLaterRaw(receiver, messageIdOf<M>(), &message, sizeof(M), ticks, sender, priority, modeOf<M>(),
                        minimum, site);
}

template <Message M> DelayedHandle MessageRouter::sendLater(const Component& receiver, const M& message,
                                                            double seconds, EntityId sender, int priority,
                                                            unsigned minimum, SendSite site) {
    if (!acceptsDelay(seconds, receiver.entity(), messageIdOf<M>()))
        return {};
    return sendInTicks(receiver, message, ticksIn(seconds), sender, priority, minimum, site);
}

template <Message M> DelayedHandle MessageRouter::sendInTicks(const Component& receiver, const M& message,
                                                              std::uint64_t ticks, EntityId sender,
                                                              int priority, unsigned minimum, SendSite site) {
    return sendLaterRaw(receiver.entity(), &receiver, messageIdOf<M>(), &message, sizeof(M), ticks, sender,
                        priority, minimum, site);
}

template <Message M> SendResult MessageRouter::sendFirst(EntityId receiver, M& message, EntityId sender) {
    return sendInside(receiver, messageIdOf<M>(), &message, sizeof(M), sender);
}

// The path of nearly every message, inlined into the sender: one slot, one range, one call that goes on from handler to handler,
// through the recorder if messages are recorded.
template <Message M>
[[gnu::always_inline]] inline SendResult MessageRouter::sendNow(EntityId receiver, M& message, EntityId sender) {
    const std::uint32_t type = detail::knownMessageId<M>();
    if (m_lane.gate != 0 || (sender && m_lane.recording)) [[unlikely]]
        return type == NoType
                   ? sendFirst(receiver, message, sender)
                   : sendInside(receiver, static_cast<MessageTypeId>(type), &message, sizeof(M), sender);
    const Slot* const slot = m_slots.find(receiver);
    if (slot == nullptr)
        return {};
    const DispatchTable::Data& table = *slot->dispatch;
    if (type >= table.types) [[unlikely]] // no handler, or the type's first use here
        return type == NoType
                   ? sendFirst(receiver, message, sender)
                   : sendOtherwise(*slot, static_cast<MessageTypeId>(type), &message, sizeof(M), sender);
    const DispatchTable::Range& range = table.ranges()[type];
    if (range.kind != DispatchTable::Kind::Plain) [[unlikely]]
        return sendOtherwise(*slot, static_cast<MessageTypeId>(type), &message, sizeof(M), sender);
    m_lane.gate = 1;
    m_lane.receiver = receiver;
    const HandlerEntry* const consumed = range.call(slot->block, &message, receiver);
    // One comparison for both: no address reaches the gate's upper bits.
    if (m_lane.gate != 1 + reinterpret_cast<std::uintptr_t>(consumed)) [[unlikely]]
        finishOutermost(consumed);
    else
        m_lane.gate = 0;
    return {1, consumed != nullptr};
}

} // namespace sbx
