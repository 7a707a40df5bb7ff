#include "engine/entity/entity_type.h"

#include <algorithm>
#include <numeric>

namespace sbx {

EntityType::EntityType(EntityTypeInfo info, std::vector<ComponentSpec> components) : m_info(std::move(info)) {
    for (ComponentSpec& spec : components)
        m_slots.push_back({spec.type, std::move(spec.settings), 0});

    // Falling alignment leaves no holes between components.
    std::vector<std::size_t> order(m_slots.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const ComponentType& x = *m_slots[a].type;
        const ComponentType& y = *m_slots[b].type;
        return x.alignment != y.alignment ? x.alignment > y.alignment : x.size > y.size;
    });
    for (const std::size_t i : order) {
        const ComponentType& type = *m_slots[i].type;
        m_blockAlignment = std::max(m_blockAlignment, type.alignment);
        m_blockSize = (m_blockSize + type.alignment - 1) / type.alignment * type.alignment;
        m_slots[i].offset = m_blockSize;
        m_blockSize += type.size;
    }

    for (const Slot& slot : m_slots)
        for (const ComponentClass& c : slot.type->classes)
            if (offsetOf(*c.type) < 0)
                m_classes.push_back({c.type, static_cast<std::ptrdiff_t>(slot.offset) + c.offset});

    for (const Side side : {Side::Client, Side::Server}) {
        DispatchTable& table = side == Side::Client ? m_clientDispatch : m_serverDispatch;
        for (const Slot& slot : m_slots)
            for (const HandlerDescription& h : slot.type->handlersFor(side))
                table.add(h, static_cast<std::ptrdiff_t>(slot.offset), slot.type->id);
        table.build();
    }
}

std::ptrdiff_t EntityType::offsetOf(const std::type_info& type) const {
    // The same object nearly always; a plugin may have one of its own.
    for (const ComponentClass& c : m_classes)
        if (c.type == &type)
            return c.offset;
    for (const ComponentClass& c : m_classes)
        if (*c.type == type)
            return c.offset;
    return -1;
}

} // namespace sbx
