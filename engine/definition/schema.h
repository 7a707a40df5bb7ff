#pragma once
// What a definition file may name: the components that exist, their settings, and the message types. Filled
// once by the caller that knows the components; read-only afterwards, so any thread may read it.

#include "engine/core/fields.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

struct ComponentSchema {
    std::string name;                     // "Body"
    std::string doc;                      // one line
    const FieldTable* settings = nullptr; // not owned; null: no settings
    // false: an entity type may hold several, written as [[Crate.Touch]]
    bool unique = true;
    // Components that may not stand beside it in one entity: one is the other, and at most one is allowed.
    std::vector<std::string> excludes = {};
};

class Schema {
public:
    // A second component of the same name is a programmer error.
    void add(ComponentSchema component);
    // Names that settings of the role MessageType may hold; while none are given, such settings are not
    // checked.
    void setMessageTypes(std::vector<std::string> names) { m_messageTypes = std::move(names); }

    // Plugins of the project that are not in force: an unknown component may be one of theirs.
    void setRefusedPlugins(std::vector<std::string> paths) { m_refusedPlugins = std::move(paths); }

    [[nodiscard]] const ComponentSchema* find(std::string_view name) const;
    [[nodiscard]] const std::vector<ComponentSchema>& components() const { return m_components; }
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] const std::vector<std::string>& messageTypes() const { return m_messageTypes; }
    [[nodiscard]] const std::vector<std::string>& refusedPlugins() const { return m_refusedPlugins; }

private:
    std::vector<ComponentSchema> m_components;
    std::vector<std::string> m_messageTypes;
    std::vector<std::string> m_refusedPlugins;
};

// The keys of an entity type itself (extends, doc, icon, color), of a scene's instance (type, name, position,
// rotation, scale, parent), of a definition file before its first type, of [scene] and of [project]: the same describe-once tables that the readers check
// against.
[[nodiscard]] const FieldTable& entityTypeKeys();
[[nodiscard]] const FieldTable& instanceKeys();
[[nodiscard]] const FieldTable& definitionFileKeys();
[[nodiscard]] const FieldTable& sceneKeys();
[[nodiscard]] const FieldTable& projectKeys();

} // namespace sbx::definition
