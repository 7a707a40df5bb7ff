#include "engine/render/mesh.h"

#include "engine/core/import_process.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace sbx::render {
namespace {

// A number in (0, 10000] m, or nothing.
bool readLength(std::string_view text, float& out) {
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), out);
    return fault == std::errc() && end == text.data() + text.size() && out > 0.0F && out <= 10000.0F;
}

Result<MeshData> makeCapsuleFromKey(std::string_view key) {
    const std::string_view numbers = key.substr(std::string_view("capsule:").size());
    const std::size_t colon = numbers.find(':');
    float radius = 0.0F;
    float height = 0.0F;
    if (colon == std::string_view::npos || !readLength(numbers.substr(0, colon), radius)
        || !readLength(numbers.substr(colon + 1), height)) {
        return Error{"mesh \"" + std::string(key)
                         + "\": expected capsule:RADIUS:HEIGHT, both in (0, 10000] m",
                     {},
                     {}};
    }
    return makeCapsule(radius, height);
}

bool namesFile(std::string_view key) {
    return key.find_first_of("./\\") != std::string_view::npos && !key.starts_with("capsule:");
}

Result<MeshData> build(const std::string& key) {
    if (key == "box") {
        return makeBox();
    }
    if (key == "sphere") {
        return makeSphere();
    }
    if (key == "capsule") {
        return makeCapsule(0.5F, 2.0F);
    }
    if (key == "cylinder") {
        return makeCylinder();
    }
    if (key == "cone") {
        return makeCone();
    }
    if (key == "plane") {
        return makePlane();
    }
    if (key == "wedge") {
        return makeWedge();
    }
    if (key.starts_with("capsule:")) {
        return makeCapsuleFromKey(key);
    }
    return Error{"no mesh is called \"" + key
                     + "\"; expected box, sphere, capsule:RADIUS:HEIGHT, cylinder, cone, plane, wedge or "
                       "a .gltf, .glb or .obj file",
                 {},
                 {}};
}

} // namespace

const std::vector<std::string>& builtInMeshes() {
    static const std::vector<std::string> Names{"box", "sphere", "capsule", "cylinder", "cone", "plane", "wedge"};
    return Names;
}

bool isBuiltInMesh(std::string_view key) {
    const auto& names = builtInMeshes();
    return std::find(names.begin(), names.end(), key) != names.end()
           || (key.starts_with("capsule:") && makeCapsuleFromKey(key).ok());
}

MeshLibrary::MeshLibrary(std::filesystem::path root) : m_root(std::move(root)) {}

std::string MeshLibrary::canonical(std::string_view key) const {
    const std::scoped_lock lock(m_mutex);
    if (!namesFile(key) || m_ids.contains(std::string(key))) {
        return std::string(key);
    }
    return (m_root / std::filesystem::path(key)).lexically_normal().string();
}

Result<MeshId> MeshLibrary::find(std::string_view key) {
    const std::string name = canonical(key);
    const auto known = [&]() -> MeshId {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_ids.find(name);
        return found == m_ids.end() ? MeshId{} : found->second;
    };
    if (const MeshId id = known()) {
        return id;
    }
    const std::scoped_lock loading(m_loading);
    if (const MeshId id = known()) {
        return id;
    }
    Result<MeshData> built = namesFile(name) ? load(name, key) : build(name);
    if (!built) {
        return built.error();
    }
    return add(name, std::move(*built));
}

Result<MeshData> MeshLibrary::load(const std::string& key, std::string_view written) {
    std::filesystem::path root;
    {
        const std::scoped_lock lock(m_mutex);
        root = m_root;
    }
    // A file that cannot be read takes its time and a process: many entities may share it.
    const auto failed = m_failures.find(key);
    if (failed != m_failures.end() && unchanged(root, failed->second.parts)) {
        return failed->second.error;
    }
    const AssetRef asset{root, std::string(written)};
    std::vector<MeshPart> parts;
    Result<MeshData> mesh = loadMesh(asset, parts, {});
    if (mesh && (m_vertices + mesh->vertices.size() > MaximumVertices || m_indices + mesh->indices.size() > MaximumIndices)) {
        mesh = Error{"mesh " + asset.name + " would bring the project's meshes above "
                         + std::to_string(MaximumVertices / 1'000'000) + " million vertices or "
                         + std::to_string(MaximumIndices / 3'000'000) + " million triangles; expected fewer",
                     asset.path().string(),
                     {}};
    }
    if (!mesh) {
        if (!parts.empty()) {
            m_failures.insert_or_assign(key, Failure{mesh.error(), std::move(parts)});
        }
        return mesh;
    }
    m_failures.erase(key);
    m_vertices += mesh->vertices.size();
    m_indices += mesh->indices.size();
    return mesh;
}

MeshId MeshLibrary::add(std::string_view key, MeshData data) {
    auto shared = std::make_shared<const MeshData>(std::move(data));
    const std::scoped_lock lock(m_mutex);
    const auto found = m_ids.find(std::string(key));
    if (found != m_ids.end()) {
        m_entries[found->second.value - 1].data = std::move(shared);
        return found->second;
    }
    m_entries.push_back({std::string(key), std::move(shared)});
    const MeshId id{static_cast<std::uint32_t>(m_entries.size())};
    m_ids.emplace(std::string(key), id);
    return id;
}

std::shared_ptr<const MeshData> MeshLibrary::data(MeshId id) const {
    const std::scoped_lock lock(m_mutex);
    return id.value == 0 || id.value > m_entries.size() ? nullptr : m_entries[id.value - 1].data;
}

std::string MeshLibrary::key(MeshId id) const {
    const std::scoped_lock lock(m_mutex);
    return id.value == 0 || id.value > m_entries.size() ? std::string() : m_entries[id.value - 1].key;
}

std::size_t MeshLibrary::size() const {
    const std::scoped_lock lock(m_mutex);
    return m_entries.size();
}

void MeshLibrary::setRoot(std::filesystem::path root) {
    const std::scoped_lock lock(m_mutex);
    m_root = std::move(root);
}

} // namespace sbx::render
