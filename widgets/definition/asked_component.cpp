#include "widgets/definition/asked_component.h"

#include <algorithm>

namespace sbx::ui {

namespace {

bool isKindOf(const definition::Definitions& definitions, const std::string& type, const std::string& base) {
    // Types do not extend themselves: Definitions leaves out those that do.
    for (const definition::EntityTypeDefinition* at = definitions.find(type); at != nullptr;
         at = definitions.find(at->extends))
        if (at->name == base)
            return true;
    return false;
}

} // namespace

std::optional<AskedComponents> askedComponents(const TreePlace& place,
                                               const definition::Definitions& definitions,
                                               const EntityList& entities, const std::string& first) {
    const bool ofType = place.ownerKind == TreePlace::Kind::Type;
    if (place.component.empty() || (!ofType && place.ownerKind != TreePlace::Kind::Instance))
        return std::nullopt;
    const EntityRow* const instance = ofType ? nullptr : entities.find(place.owner);
    if (!ofType && instance == nullptr)
        return std::nullopt;
    const definition::EntityTypeDefinition* const type =
        definitions.find(ofType ? place.owner : instance->type);
    if (type == nullptr)
        return std::nullopt;
    // Several of one kind have numbers in the type, those of its base first; the row counts what stands in its own text.
    std::size_t number = 0;
    std::size_t wanted = 0;
    std::size_t own = 0;
    for (const definition::ComponentDefinition& component : type->components) {
        if (component.name != place.component)
            continue;
        ++number;
        if (ofType && component.owner == place.owner && own++ == place.which)
            wanted = number;
    }
    if (number == 0)
        return std::nullopt;
    number = std::max<std::size_t>(wanted, 1); // of an instance, or inherited: the first
    AskedComponents asked;
    asked.part = number < 2 ? place.component : place.component + '#' + std::to_string(number);
    if (instance != nullptr) {
        asked.entities = {instance->name};
        return asked;
    }
    const auto partOf = [&](const definition::EntityTypeDefinition& of) {
        std::size_t left = number;
        for (const definition::ComponentDefinition& component : of.components)
            if (component.name == place.component && --left == 0)
                return &component;
        return static_cast<const definition::ComponentDefinition*>(nullptr);
    };
    // One that extends the type may have left the component out, or put others in its place.
    const definition::ComponentDefinition* const wantedPart = partOf(*type);
    for (const EntityRow& row : entities.rows) {
        const definition::EntityTypeDefinition* const of = isKindOf(definitions, row.type, place.owner) ? definitions.find(row.type) : nullptr;
        const definition::ComponentDefinition* const part = of != nullptr ? partOf(*of) : nullptr;
        if (part != nullptr && part->owner == wantedPart->owner)
            asked.entities.push_back(row.name);
    }
    if (const auto at = std::find(asked.entities.begin(), asked.entities.end(), first);
        at != asked.entities.end())
        std::rotate(asked.entities.begin(), at, at + 1);
    return asked;
}

} // namespace sbx::ui
