#include "engine/commands/nobody_acted.h"

#include "engine/entity/component_type.h"
#include "engine/message/message_type.h"
#include "engine/simulation/catalog.h"

#include <algorithm>
#include <vector>

namespace sbx {

namespace {

constexpr std::size_t MostActing = 6; // names of components

bool actsOn(const ComponentType& component, const MessageType& type) {
    return !component.observer
           && std::any_of(component.handlers.begin(), component.handlers.end(),
                          [&](const HandlerDescription& each) { return each.message == type.id; });
}

std::string listed(const std::vector<std::string>& names) {
    const std::size_t shown = std::min(names.size(), MostActing);
    std::string out;
    for (std::size_t i = 0; i < shown; ++i)
        out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return shown == names.size() ? out : out + " and " + std::to_string(names.size() - shown) + " more";
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
        return listed(off) + " of " + name + (off.size() == 1 ? " is" : " are") + " switched off";
    return name + (acting == 1 ? " does not have it" : acting == 2 ? " has neither" : " has none of them");
}

} // namespace

std::string nobodyActed(const Catalog& catalog, const MessageType& type, const Entity& receiver,
                        const Entity::ComponentRef& component) {
    std::vector<std::string> names;
    for (const ComponentType* each : catalog.components)
        if (actsOn(*each, type))
            names.push_back(each->name);
    const std::string begin = std::string(NobodyActed) + ". ";
    if (names.empty())
        return begin + "No component acts on " + type.name + ".";
    std::sort(names.begin(), names.end());
    const std::string why = receiver ? whyNot(type, receiver, component, names.size()) : std::string();
    return begin + listed(names) + (names.size() == 1 ? " acts" : " act") + " on " + type.name
           + (why.empty() ? "" : "; " + why) + ".";
}

} // namespace sbx
