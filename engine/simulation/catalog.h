#pragma once
// The components that a project may use: the engine's own and those of its plugins. Immutable; shared between
// threads. A host keeps every catalog it made, so that references into one stay valid for as long as the
// session lives.

#include "engine/definition/schema.h"
#include "engine/entity/component_type.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

// How a plugin of a project fares.
struct PluginState {
    std::string path;                    // as project.toml has it
    std::string file;                    // the library, as found
    std::vector<std::string> components; // in force
    int build = 0;                       // how many builds of it this session has loaded; 0: none
    std::string fault;                   // why the file as it is now is refused; empty: it is not
    bool heldBack = false;               // nothing of it was touched: the project is not trusted, or safe mode
    friend bool operator==(const PluginState&, const PluginState&) = default;
};

class EntityFilterSchema;

struct Catalog {
    std::vector<const ComponentType*> components; // the engine's first, then by plugin
    definition::Schema schema;
    std::vector<PluginState> plugins; // in the project's order
    std::shared_ptr<const EntityFilterSchema> entityFields; // what a filter may ask of entities; never null

    [[nodiscard]] const ComponentType* find(std::string_view name) const {
        for (const ComponentType* type : components)
            if (type->name == name)
                return type;
        return nullptr;
    }
};

} // namespace sbx
