#include "engine/simulation/asset_uses.h"

#include "engine/core/ascii_case.h"
#include "engine/render/mesh.h"

#include <filesystem>
#include <set>
#include <tuple>

namespace sbx {

std::optional<AssetKind> assetKind(std::string_view name) {
    const std::string ending = lowered(std::filesystem::path(name).extension().string());
    if (ending == ".gltf" || ending == ".glb" || ending == ".obj")
        return AssetKind::Mesh;
    if (ending == ".wav" || ending == ".flac" || ending == ".ogg")
        return AssetKind::Sound;
    return std::nullopt;
}

std::optional<AssetKind> assetKindOf(const definition::Schema& schema, std::string_view component, std::string_view key) {
    const definition::ComponentSchema* described = schema.find(component);
    const FieldInfo* field = described == nullptr || described->settings == nullptr ? nullptr : described->settings->find(key);
    if (field == nullptr || field->role != TextRole::AssetPath)
        return std::nullopt;
    return component == "Sound" ? AssetKind::Sound : AssetKind::Mesh;
}

std::string assetName(std::string_view written) { return std::filesystem::path(written).lexically_normal().generic_string(); }

std::vector<AssetUse> assetUses(const Content& content, const definition::Schema& schema) {
    std::vector<AssetUse> out;
    std::set<std::tuple<std::string, int, int>> seen;
    const auto add = [&](const definition::ComponentDefinition& component, const std::string& owner, bool ofType) {
        for (const definition::Setting& setting : component.settings) {
            const SourceValue& value = setting.entry.value;
            const std::optional<AssetKind> kind = assetKindOf(schema, component.name, setting.entry.key);
            if (!kind || value.text.empty() || (*kind == AssetKind::Mesh && render::isBuiltInMesh(value.text)))
                continue;
            if (seen.emplace(value.file, value.region.line, value.region.column).second)
                out.push_back({assetName(value.text), value.text, *kind, owner, ofType, component.name, setting.entry.key, value.file,
                               value.region});
        }
    };
    // A type carries the settings of the type that it extends, too. Bases come first, so that each setting is counted where it is written.
    const auto& types = content.definitions->types();
    std::vector<const definition::EntityTypeDefinition*> order;
    for (const definition::EntityTypeDefinition& type : types)
        if (type.extends.empty())
            order.push_back(&type);
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const definition::EntityTypeDefinition& type : types)
            if (type.extends == order[i]->name && &type != order[i] && order.size() <= types.size())
                order.push_back(&type);
    for (const definition::EntityTypeDefinition* type : order)
        for (const definition::ComponentDefinition& component : type->components)
            add(component, type->name, true);
    for (const definition::InstanceDefinition& instance : content.scene.instances())
        for (const definition::ComponentDefinition& component : instance.overrides)
            add(component, instance.name, false);
    return out;
}

} // namespace sbx
