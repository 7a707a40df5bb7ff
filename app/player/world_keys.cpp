#include "app/player/world_keys.h"

#include <algorithm>

namespace sbx::player {

std::vector<WorldKey> worldKeys(const Content& content, const definition::Schema& schema) {
    std::vector<WorldKey> keys;
    const definition::ComponentSchema* described = schema.find("Key");
    const FieldInfo* field = described != nullptr && described->settings != nullptr ? described->settings->find("key") : nullptr;
    if (field == nullptr || content.definitions == nullptr)
        return keys;
    for (const definition::InstanceDefinition& instance : content.scene.instances()) {
        const definition::EntityTypeDefinition* type = content.definitions->find(instance.type);
        if (type == nullptr || type->find("Key") == nullptr)
            continue;
        for (const definition::ComponentDefinition& component : definition::overlaid(*type, instance.overrides)) {
            if (component.name != "Key")
                continue;
            const definition::Setting* setting = component.find("key");
            const Value& value = setting != nullptr ? setting->value : field->defaultValue;
            const auto* name = std::get_if<std::string>(&value);
            if (name == nullptr || name->empty())
                continue;
            auto known = std::find_if(keys.begin(), keys.end(), [&](const WorldKey& each) { return each.key == *name; });
            if (known == keys.end())
                known = keys.insert(keys.end(), WorldKey{*name, {}});
            if (std::find(known->types.begin(), known->types.end(), type->name) == known->types.end())
                known->types.push_back(type->name);
        }
    }
    return keys;
}

} // namespace sbx::player
