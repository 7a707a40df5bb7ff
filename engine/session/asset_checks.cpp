#include "engine/session/asset_checks.h"

#include "engine/core/nearest.h"
#include "engine/core/value.h"
#include "engine/render/mesh.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace sbx {

namespace {

class AssetChecker {
public:
    AssetChecker(const Content& content, const definition::Schema& schema, Diagnostics& sink)
        : m_folder(content.project.folder), m_schema(schema), m_sink(sink) {}

    void check(const definition::ComponentDefinition& component) {
        const definition::ComponentSchema* described = m_schema.find(component.name);
        if (described == nullptr || described->settings == nullptr)
            return;
        for (const definition::Setting& setting : component.settings) {
            const bool sound = component.name == "Sound";
            const FieldInfo* field = described->settings->find(setting.entry.key);
            const SourceValue& value = setting.entry.value;
            if (field == nullptr || field->role != TextRole::AssetPath || value.text.empty() || exists(value.text, sound))
                continue;
            // Types that extend another carry its settings too: said once, where it stands.
            if (!m_said.emplace(value.file, value.region.line, value.region.column).second)
                continue;
            m_sink.add({Severity::Warning, value.file, value.region, field->name + " names no file: " + inQuotes(value.text),
                        sound ? "a WAV, FLAC or OGG file in the project's folder"
                              : "a .gltf, .glb or .obj file in the project's folder, or one of " + builtIn(),
                        nearest(value.text, sound)});
        }
    }

private:
    [[nodiscard]] bool exists(const std::string& key, bool sound) {
        const auto [known, fresh] = m_known.emplace(key, false);
        if (fresh) {
            std::error_code ignored;
            known->second = (!sound && render::isBuiltInMesh(key)) || std::filesystem::is_regular_file(m_folder / key, ignored);
        }
        return known->second;
    }
    [[nodiscard]] static std::string builtIn() {
        std::string out;
        for (const std::string& name : render::builtInMeshes())
            out += (out.empty() ? "" : ", ") + name;
        return out;
    }
    [[nodiscard]] std::string nearest(const std::string& typed, bool sound) {
        if (m_meshes.empty()) {
            m_meshes = render::builtInMeshes();
            addFiles();
        }
        return nearestName(typed, sound ? m_sounds : m_meshes);
    }
    void addFiles() {
        constexpr std::size_t Most = 2000; // a folder that holds more is not searched to its end
        std::error_code fault;
        std::filesystem::recursive_directory_iterator it(
            m_folder, std::filesystem::directory_options::skip_permission_denied, fault);
        for (const std::filesystem::recursive_directory_iterator end; !fault && it != end && m_meshes.size() + m_sounds.size() < Most; it.increment(fault)) {
            const std::string name = it->path().filename().string();
            if (name.starts_with('.')) {
                it.disable_recursion_pending();
                continue;
            }
            std::string kind = it->path().extension().string();
            if (kind == ".gltf" || kind == ".glb" || kind == ".obj")
                m_meshes.push_back(it->path().lexically_relative(m_folder).generic_string());
            else if (kind == ".wav" || kind == ".flac" || kind == ".ogg")
                m_sounds.push_back(it->path().lexically_relative(m_folder).generic_string());
        }
    }

    std::filesystem::path m_folder;
    const definition::Schema& m_schema;
    Diagnostics& m_sink;
    std::map<std::string, bool> m_known;
    std::set<std::tuple<std::string, int, int>> m_said;
    std::vector<std::string> m_meshes;
    std::vector<std::string> m_sounds;
};

} // namespace

void checkAssets(const Content& content, const definition::Schema& schema, Diagnostics& sink) {
    AssetChecker checker(content, schema, sink);
    for (const definition::EntityTypeDefinition& type : content.definitions->types())
        for (const definition::ComponentDefinition& component : type.components)
            checker.check(component);
    for (const definition::InstanceDefinition& instance : content.scene.instances())
        for (const definition::ComponentDefinition& component : instance.overrides)
            checker.check(component);
}

} // namespace sbx
