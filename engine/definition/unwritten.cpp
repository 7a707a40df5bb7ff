#include "engine/definition/unwritten.h"

#include <algorithm>

namespace sbx::definition {

namespace {

using NodeKind = OutlineNode::Kind;

struct Enabled {
    bool enabled = true;
    static void describe(FieldList<Enabled>& f) {
        f.add("enabled", &Enabled::enabled,
              "Whether the entity has the component; false takes out one of a base.");
    }
};

const FieldTable& keysOf(NodeKind owner, std::string_view table) {
    static const FieldTable none;
    if (owner == NodeKind::Type)
        return entityTypeKeys();
    if (owner == NodeKind::Instance)
        return instanceKeys();
    return table == "scene" ? sceneKeys() : table == "project" ? projectKeys() : none;
}

OutlineNode unwrittenKey(std::string name, std::string value, std::string owner) {
    OutlineNode node;
    node.kind = NodeKind::Key;
    node.name = std::move(name);
    node.detail = std::move(value);
    node.written = false;
    node.from = std::move(owner);
    return node;
}

bool has(const std::vector<OutlineNode>& nodes, std::string_view name) {
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](const OutlineNode& node) { return node.name == name; });
}

// `said`: the settings that apply where the component itself has none; null: defaults.
void addSettings(OutlineNode& node, const ComponentSchema& schema, const ComponentDefinition* said,
                 std::string_view self) {
    if (schema.settings == nullptr)
        return;
    for (const FieldInfo& field : *schema.settings) {
        if (has(node.children, field.name))
            continue;
        const Setting* setting = said == nullptr ? nullptr : said->find(field.name);
        const bool inherited = setting != nullptr && setting->owner != self;
        node.children.push_back(
            unwrittenKey(field.name, field.formatToml(inherited ? setting->value : field.defaultValue),
                         inherited ? setting->owner : std::string()));
    }
}

void addToType(OutlineNode& node, const EntityTypeDefinition* type, const Schema& schema) {
    std::vector<OutlineNode> keys;
    for (const FieldInfo& field : entityTypeKeys())
        if (!has(node.children, field.name) && field.name != "color")
            keys.push_back(unwrittenKey(field.name, field.formatToml(field.defaultValue), {}));
    // Behind the type's own keys, before its components.
    const auto part = std::find_if(node.children.begin(), node.children.end(),
                                   [](const OutlineNode& child) { return child.kind != NodeKind::Key; });
    node.children.insert(part, keys.begin(), keys.end());
    for (OutlineNode& child : node.children) {
        const ComponentSchema* component =
            child.kind == NodeKind::Component ? schema.find(child.name) : nullptr;
        const bool off =
            std::any_of(child.children.begin(), child.children.end(), [](const OutlineNode& key) {
                return key.name == "enabled" && key.detail == "false";
            });
        // What several of a kind inherit cannot be distinguished.
        if (component != nullptr && !off)
            addSettings(child, *component,
                        type == nullptr || !component->unique ? nullptr : type->find(child.name), node.name);
    }
    if (type == nullptr)
        return;
    for (const ComponentDefinition& component : type->components) {
        const ComponentSchema* known = schema.find(component.name);
        // Written among the keys, as Body.mass or Body = { … }, it is written as well.
        const bool written =
            std::any_of(node.children.begin(), node.children.end(), [&](const OutlineNode& child) {
                return child.name == component.name || child.name.starts_with(component.name + ".");
            });
        if (known == nullptr || written || component.owner == node.name)
            continue;
        OutlineNode& made = node.children.emplace_back();
        made.kind = NodeKind::Component;
        made.name = component.name;
        made.written = false;
        made.from = component.owner;
        addSettings(made, *known, &component, node.name);
    }
}

} // namespace

const FieldInfo* fieldOf(const Schema& schema, NodeKind owner, std::string_view table,
                         std::string_view component, std::string_view key) {
    if (component.empty()) {
        // `definitions` and `plugins` of a project are lists, which no field is.
        if (table == "project" && (key == "definitions" || key == "plugins"))
            return nullptr;
        return keysOf(owner, table).find(key);
    }
    if (key == "enabled" && owner == NodeKind::Type)
        return fieldsOf<Enabled>().find(key);
    const ComponentSchema* known = schema.find(component);
    return known == nullptr || known->settings == nullptr ? nullptr : known->settings->find(key);
}

void addUnwritten(std::vector<OutlineNode>& nodes, OutlinedFile file, const Definitions& definitions,
                  const Schema& schema) {
    for (OutlineNode& node : nodes) {
        if (node.kind == NodeKind::Type && file == OutlinedFile::Definitions) {
            addToType(node, definitions.find(node.name), schema);
        } else if (node.kind == NodeKind::Instance) {
            const EntityTypeDefinition* type = definitions.find(node.detail);
            for (OutlineNode& child : node.children) {
                const ComponentSchema* component =
                    child.kind == NodeKind::Component ? schema.find(child.name) : nullptr;
                if (component != nullptr)
                    addSettings(child, *component, type == nullptr ? nullptr : type->find(child.name), {});
            }
            std::vector<OutlineNode> keys;
            for (const FieldInfo& field : instanceKeys())
                if (!has(node.children, field.name) && field.name != "name" && field.name != "type")
                    keys.push_back(unwrittenKey(field.name, field.formatToml(field.defaultValue), {}));
            const auto part =
                std::find_if(node.children.begin(), node.children.end(),
                             [](const OutlineNode& child) { return child.kind != NodeKind::Key; });
            node.children.insert(part, keys.begin(), keys.end());
        }
    }
}

} // namespace sbx::definition
