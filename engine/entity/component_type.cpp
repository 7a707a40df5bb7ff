#include "engine/entity/component_type.h"

#include "engine/core/log.h"
#include "engine/entity/world.h"

#include <algorithm>

namespace sbx {

void noteFailure(World& world, const ConstructStep& part) { world.m_failedPart = &part; }

void reportException(const Component& component, const char* what, const char* text) {
    World& world = component.world();
    std::string type = "a component";
    const auto* const at = reinterpret_cast<const std::byte*>(&component);
    if (const Entity entity = world.find(component.entity()))
        entity.eachComponent([&](const Entity::ComponentRef& ref) {
            const auto* const memory = static_cast<const std::byte*>(ref.component);
            if (at >= memory && at < memory + ref.type->size)
                type = ref.type->name;
        });
    world.log().error("plugin",
                      world.nameOf(component.entity()) + ": " + type + " threw while " + what + ": " + text);
}

void reportHandlerException(const Component& component, MessageTypeId message, const char* text) {
    reportException(component, ("it handled " + messageType(message).name).c_str(), text);
}

void ComponentType::constructAt(void* memory, World& world, EntityId entity, const void* itsSettings) const {
    const ConstructStep alone[] = {{construct, 0, itsSettings}, {}};
    construct(alone, static_cast<std::byte*>(memory), world, entity);
}

void ComponentType::destroyAt(void* memory) const {
    const DestroyStep alone[] = {{destroy, 0}, {}};
    if (destroy != nullptr)
        destroy(alone, static_cast<std::byte*>(memory));
}

std::vector<HandlerDescription> ComponentType::handlersFor(Side side) const {
    std::vector<HandlerDescription> out;
    for (const HandlerDescription& h : handlers)
        if ((static_cast<unsigned>(h.side) & static_cast<unsigned>(side)) != 0)
            out.push_back(h);
    return out;
}

const ComponentClass* ComponentType::as(const std::type_info& type) const {
    const auto it = std::find_if(classes.begin(), classes.end(),
                                 [&](const ComponentClass& c) { return *c.type == type; });
    return it == classes.end() ? nullptr : &*it;
}

const ComponentType* ComponentRegistry::find(std::string_view name) const {
    const auto it =
        std::find_if(m_types.begin(), m_types.end(), [&](const ComponentType& t) { return t.name == name; });
    return it == m_types.end() ? nullptr : &*it;
}

std::vector<std::string> ComponentRegistry::names() const {
    std::vector<std::string> out;
    for (const ComponentType& type : m_types)
        out.push_back(type.name);
    return out;
}

void ComponentType::nameOrigins(const std::string& plugin) {
    for (HandlerDescription& handler : handlers) {
        handler.origin = internOrigin(name, handler.messageName != nullptr ? handler.messageName : "a message", plugin, base);
        listThunks(handler);
    }
    if (constructorEntry != nullptr)
        constructorEntry->origin = internOrigin(name, {}, plugin, 0);
}

const ComponentType& ComponentRegistry::add(ComponentType type) {
    SBX_EXPECT(find(type.name) == nullptr, "a component of this name is registered already");
    SBX_EXPECT(m_types.size() < NoType, "too many component types");
    type.id = static_cast<ComponentTypeId>(m_types.size());
    m_types.push_back(std::move(type));
    m_types.back().nameOrigins({});
    flatten();
    return m_types.back();
}

// Gives every type the bases of its bases, so that a look-up never climbs.
void ComponentRegistry::flatten() {
    for (ComponentType& type : m_types)
        for (std::size_t i = 1; i < type.classes.size(); ++i) {
            const ComponentClass base = type.classes[i];
            const auto known = std::find_if(m_types.begin(), m_types.end(), [&](const ComponentType& t) {
                return *t.classes.front().type == *base.type;
            });
            if (known == m_types.end())
                continue;
            for (std::size_t k = 1; k < known->classes.size(); ++k) // by index: the loop appends to a vector
                if (type.as(*known->classes[k].type) == nullptr)
                    type.classes.push_back({known->classes[k].type, base.offset + known->classes[k].offset});
        }
}

} // namespace sbx
