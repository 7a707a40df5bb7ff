#include "engine/simulation/asset_checks.h"

#include "engine/core/ascii_case.h"
#include "engine/core/asset_file.h"
#include "engine/core/nearest.h"
#include "engine/core/value.h"
#include "engine/definition/toml_syntax.h"
#include "engine/render/mesh.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace sbx {

namespace {

const std::string NamesNoFile = "names no file: ";

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
            if (field == nullptr || field->role != TextRole::AssetPath || value.text.empty())
                continue;
            const std::string& fault = faultOf(value.text, sound);
            if (fault.empty())
                continue;
            // Types that extend another carry its settings too: said once, where it stands.
            if (!m_said.emplace(value.file, value.region.line, value.region.column).second)
                continue;
            m_sink.add({Severity::Warning, value.file, value.region, field->name + ' ' + fault,
                        sound ? "a WAV, FLAC or OGG file in the project's folder"
                              : "a .gltf, .glb or .obj file in the project's folder, or one of " + builtIn(),
                        nearest(value.text, sound)});
        }
    }

private:
    // Why it cannot be read, as what follows the name of the setting; empty: it can, as far as can be seen without reading it.
    [[nodiscard]] const std::string& faultOf(const std::string& key, bool sound) {
        const auto [known, fresh] = m_known.try_emplace({key, sound});
        if (fresh && (sound || !render::isBuiltInMesh(key)))
            known->second = look(key, sound);
        return known->second;
    }
    [[nodiscard]] std::string look(const std::string& key, bool sound) const {
        if (const Result<FileIdentity> file = inspectAsset({m_folder, key}); !file) {
            // What is right stands in the diagnostic's own part.
            const std::string& why = file.error().message;
            const bool missing = why == "cannot be found";
            return (missing ? NamesNoFile + inQuotes(key)
                            : "names a file that cannot be read: " + inQuotes(key) + ' ' + why.substr(0, why.find("; expected")));
        }
        const std::string kind = lowered(std::filesystem::path(key).extension().string());
        if (!sound && kind != ".gltf" && kind != ".glb" && kind != ".obj")
            return "names a file of another format: " + inQuotes(key);
        return {};
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
        std::string found = nearestName(typed, sound ? m_sounds : m_meshes);
        return found == typed ? std::string() : found; // it is there, and still cannot be read
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
            const std::string kind = lowered(it->path().extension().string());
            if (kind == ".gltf" || kind == ".glb" || kind == ".obj")
                m_meshes.push_back(it->path().lexically_relative(m_folder).generic_string());
            else if (kind == ".wav" || kind == ".flac" || kind == ".ogg")
                m_sounds.push_back(it->path().lexically_relative(m_folder).generic_string());
        }
    }

    std::filesystem::path m_folder;
    const definition::Schema& m_schema;
    Diagnostics& m_sink;
    std::map<std::pair<std::string, bool>, std::string> m_known; // by name, and whether it is to be a sound
    std::set<std::tuple<std::string, int, int>> m_said;
    std::vector<std::string> m_meshes;
    std::vector<std::string> m_sounds;
};

// Calls `visit` with each component of each type and instance, until it returns false.
template <typename Visit> void visitComponents(const Content& content, Visit visit) {
    for (const definition::EntityTypeDefinition& type : content.definitions->types())
        for (const definition::ComponentDefinition& component : type.components)
            if (!visit(component))
                return;
    for (const definition::InstanceDefinition& instance : content.scene.instances())
        for (const definition::ComponentDefinition& component : instance.overrides)
            if (!visit(component))
                return;
}

} // namespace

void checkAssets(const Content& content, const definition::Schema& schema, Diagnostics& sink) {
    AssetChecker checker(content, schema, sink);
    visitComponents(content, [&](const definition::ComponentDefinition& component) {
        checker.check(component);
        return true;
    });
}

std::string missingAsset(const Diagnostic& diagnostic) {
    const std::size_t at = diagnostic.what.find(NamesNoFile);
    if (at == std::string::npos)
        return {};
    const std::size_t begin = at + NamesNoFile.size();
    for (std::size_t end = begin + 1; end < diagnostic.what.size(); ++end) {
        if (diagnostic.what[end] == '\\')
            ++end;
        else if (diagnostic.what[end] == '"')
            return definition::unquoteToml(diagnostic.what.substr(begin, end - begin + 1)).value_or(std::string());
    }
    return {};
}

std::optional<AssetPlace> assetPlace(const Content& content, const definition::Schema& schema, std::string_view asset) {
    std::optional<AssetPlace> out;
    visitComponents(content, [&](const definition::ComponentDefinition& component) {
        const definition::ComponentSchema* described = schema.find(component.name);
        for (const definition::Setting& setting : component.settings) {
            const SourceValue& value = setting.entry.value;
            const FieldInfo* field = described == nullptr || described->settings == nullptr ? nullptr
                                                                                            : described->settings->find(setting.entry.key);
            if (field != nullptr && field->role == TextRole::AssetPath && value.text == asset) {
                out = AssetPlace{value.file, value.region};
                return false;
            }
        }
        return true;
    });
    return out;
}

} // namespace sbx
