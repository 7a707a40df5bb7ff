#include "engine/commands/nobody_acted.h"

#include "engine/entity/component_type.h"
#include "engine/message/acting_components.h"
#include "engine/message/message_type.h"
#include "engine/simulation/catalog.h"

#include <algorithm>
#include <vector>

namespace sbx {

namespace {

bool actsOn(const ComponentType& component, const MessageType& type) {
    return !component.observer
           && std::any_of(component.handlers.begin(), component.handlers.end(),
                          [&](const HandlerDescription& each) { return each.message == type.id; });
}

// Why the receiver did not; empty: that cannot be seen from here.
std::string whyNot(const MessageType& type, const Entity& receiver, const Entity::ComponentRef& component,
                   std::size_t acting) {
    const std::string name = receiver.name();
    if (component.type != nullptr && !actsOn(*component.type, type))
        return component.type->name + " does not";
    std::vector<std::string> off;
    bool on = false;
    receiver.eachComponent([&](const Entity::ComponentRef& each) {
        if (!actsOn(*each.type, type)
            || (component.component != nullptr && component.component != each.component))
            return;
        if (each.enabled)
            on = true;
        else
            off.push_back(each.type->name);
    });
    if (!receiver.enabled())
        return name + " is switched off";
    if (on)
        return {};
    if (!off.empty())
        return listedComponents(off) + " of " + name + (off.size() == 1 ? " is" : " are") + " switched off";
    return name + " " + std::string(hasNoneOf(acting));
}

} // namespace

std::string nobodyActed(const Catalog& catalog, const MessageType& type, const Entity& receiver,
                        const Entity::ComponentRef& component) {
    std::vector<std::string> names;
    for (const ComponentType* each : catalog.components)
        if (actsOn(*each, type))
            names.push_back(each->name);
    std::sort(names.begin(), names.end());
    const std::string why =
        receiver && !names.empty() ? whyNot(type, receiver, component, names.size()) : std::string();
    return std::string(NobodyActed) + ". " + whoActsOn(type.name, names) + (why.empty() ? "" : "; " + why)
           + ".";
}

} // namespace sbx
