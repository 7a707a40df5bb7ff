#include "engine/message/listeners.h"

#include <algorithm>

namespace sbx {

Subscription::Subscription(Listeners& registry, std::uint32_t slot) : m_registry(&registry), m_slot(slot) {
    registry.m_slots[slot].holder = this;
}

void Subscription::take(Subscription& other) noexcept {
    m_registry = other.m_registry;
    m_slot = other.m_slot;
    other.m_registry = nullptr;
    if (m_registry != nullptr)
        m_registry->m_slots[m_slot].holder = this;
}

void Subscription::end() {
    if (m_registry != nullptr)
        m_registry->remove(m_slot);
    m_registry = nullptr;
}

Listeners::~Listeners() {
    for (const Slot& slot : m_slots)
        if (slot.holder != nullptr)
            slot.holder->m_registry = nullptr;
}

Subscription Listeners::listen(MessageTypeId type, ListenerThunk thunk, void* object, EntityId owner,
                               ComponentTypeId component) {
    SBX_EXPECT(thunk != nullptr && type != NoType, "a listener needs a type and a function");
    type = listenerType(type);
    if (type >= m_lists.size())
        m_lists.resize(type + std::size_t(1));
    if (m_freeSlot == NoSlot) {
        m_freeSlot = static_cast<std::uint32_t>(m_slots.size());
        m_slots.push_back({nullptr, NoType, NoSlot});
    }
    const std::uint32_t slot = m_freeSlot;
    m_freeSlot = m_slots[slot].place;
    List& list = m_lists[type];
    m_slots[slot] = {nullptr, type, static_cast<std::uint32_t>(list.all.size())};
    list.all.push_back({thunk, object, owner, component, shapeOf(component), slot});
    ++list.living;
    updateAliases(type);
    return {*this, slot};
}

void Listeners::addAlias(MessageTypeId type, MessageTypeId as) {
    const std::size_t size = std::size_t(std::max(type, as)) + 1;
    if (size > m_lists.size())
        m_lists.resize(size);
    if (type == as || m_lists[type].as == as)
        return;
    SBX_EXPECT(m_lists[type].all.empty(), "listeners of an event must be in the list of its first type");
    m_lists[type].as = as;
    m_aliases.push_back(type);
    updateAliases(as);
}

// How many there are.
void Listeners::updateAliases(MessageTypeId as) {
    for (const MessageTypeId type : m_aliases)
        if (m_lists[type].as == as)
            m_lists[type].living = m_lists[as].living;
}

ShapeId Listeners::shapeOf(ComponentTypeId component) {
    if (component == NoType)
        return NoHandlers;
    if (component >= m_shapes.size())
        m_shapes.resize(component + std::size_t(1), NoHandlers);
    if (m_shapes[component] == NoHandlers)
        m_shapes[component] = internShape(component, 0);
    return m_shapes[component];
}

void Listeners::remove(std::uint32_t slot) {
    const Slot gone = m_slots[slot];
    m_slots[slot] = {nullptr, NoType, m_freeSlot};
    m_freeSlot = slot;
    List& list = m_lists[gone.type];
    list.all[gone.place].thunk = nullptr;
    --list.living;
    updateAliases(gone.type);
    // Half of the places at least are in use: taking one away costs the same however many there are.
    if (list.passes == 0 && list.all.size() > 2 * list.living)
        tidy(list);
}

void Listeners::tidy(List& list) {
    std::size_t to = 0;
    for (const Listener& listener : list.all)
        if (listener.thunk != nullptr) {
            m_slots[listener.slot].place = static_cast<std::uint32_t>(to);
            list.all[to++] = listener;
        }
    list.all.resize(to);
}

std::vector<Listener> Listeners::list(MessageTypeId type) const {
    std::vector<Listener> out;
    if (type < m_lists.size())
        for (const Listener& listener : m_lists[listOf(type)].all)
            if (listener.thunk != nullptr)
                out.push_back(listener);
    return out;
}

Listeners::Pass::Pass(Listeners& registry, MessageTypeId type)
    : m_registry(registry), m_type(registry.listOf(type)) {
    if (m_type < registry.m_lists.size()) {
        m_end = registry.m_lists[m_type].all.size();
        ++registry.m_lists[m_type].passes;
    } else {
        m_type = NoType;
    }
}

Listeners::Pass::~Pass() {
    if (m_type == NoType)
        return;
    List& list = m_registry.m_lists[m_type];
    if (--list.passes == 0 && list.all.size() > 2 * list.living)
        m_registry.tidy(list);
}

bool Listeners::Pass::next(Listener& out) {
    // The vector of lists may have been reallocated; the order within a list does not change during a pass.
    while (m_at < m_end) {
        const Listener& listener = m_registry.m_lists[m_type].all[m_at++];
        if (listener.thunk != nullptr) {
            out = listener;
            return true;
        }
    }
    return false;
}

} // namespace sbx
