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
    if (!namesFile(name)) {
        Result<MeshData> built = build(name);
        if (!built) {
            return built.error();
        }
        return add(name, std::move(*built));
    }
    std::vector<MeshPart> parts;
    Result<MeshData> read = load(name, key, parts);
    if (!read) {
        return read.error();
    }
    const MeshId id = add(name, std::move(*read));
    const std::scoped_lock lock(m_mutex);
    m_entries[id.value - 1].name = std::string(key);
    m_entries[id.value - 1].parts = std::move(parts);
    return id;
}

std::filesystem::path MeshLibrary::root() const {
    const std::scoped_lock lock(m_mutex);
    return m_root;
}

Result<void> MeshLibrary::countVertices(const MeshData& mesh, const MeshData* replaced, const AssetRef& asset) {
    const std::uint64_t vertices = m_vertices - (replaced != nullptr ? replaced->vertices.size() : 0) + mesh.vertices.size();
    const std::uint64_t indices = m_indices - (replaced != nullptr ? replaced->indices.size() : 0) + mesh.indices.size();
    if (vertices > MaximumVertices || indices > MaximumIndices) {
        return Error{"mesh " + asset.name + " would bring the project's meshes above "
                         + std::to_string(MaximumVertices / 1'000'000) + " million vertices or "
                         + std::to_string(MaximumIndices / 3'000'000) + " million triangles; expected fewer",
                     asset.path().string(),
                     {}};
    }
    m_vertices = vertices;
    m_indices = indices;
    return {};
}

std::vector<MeshLibrary::File> MeshLibrary::files() const {
    std::vector<File> out;
    const std::scoped_lock loading(m_loading);
    const std::scoped_lock lock(m_mutex);
    // Those of a folder where the project was before are no files of it any more.
    const auto isHere = [&](const std::string& key, const std::string& name) {
        return (m_root / std::filesystem::path(name)).lexically_normal() == std::filesystem::path(key);
    };
    for (const auto& [key, failure] : m_failures) {
        if (isHere(key, failure.name)) {
            out.push_back({key, failure.name, failure.parts, false});
        }
    }
    for (const Entry& entry : m_entries) {
        if (!entry.parts.empty() && isHere(entry.key, entry.name)) {
            out.push_back({entry.key, entry.name, entry.parts, true});
        }
    }
    return out;
}

Result<void> MeshLibrary::replace(const File& file, MeshData data) {
    const std::scoped_lock loading(m_loading);
    const std::shared_ptr<const MeshData> before = this->data(known(file.key));
    if (Result<void> room = countVertices(data, before.get(), {root(), file.name}); !room) {
        return room;
    }
    m_failures.erase(file.key);
    const MeshId id = add(file.key, std::move(data));
    const std::scoped_lock lock(m_mutex);
    m_entries[id.value - 1].name = file.name;
    m_entries[id.value - 1].parts = file.parts;
    return {};
}

void MeshLibrary::keepOld(const File& file) {
    const std::scoped_lock loading(m_loading);
    if (const auto failed = m_failures.find(file.key); failed != m_failures.end()) {
        failed->second.parts = file.parts;
    }
    const std::scoped_lock lock(m_mutex);
    if (const auto found = m_ids.find(file.key); found != m_ids.end()) {
        m_entries[found->second.value - 1].parts = file.parts;
    }
}

MeshId MeshLibrary::known(std::string_view key) const {
    const std::string name = canonical(key);
    const std::scoped_lock lock(m_mutex);
    const auto found = m_ids.find(name);
    return found == m_ids.end() ? MeshId{} : found->second;
}

Result<MeshData> MeshLibrary::load(const std::string& key, std::string_view written, std::vector<MeshPart>& parts) {
    const std::filesystem::path folder = root();
    // A file that cannot be read takes its time and a process: many entities may share it.
    const auto failed = m_failures.find(key);
    if (failed != m_failures.end() && unchanged(folder, failed->second.parts)) {
        return failed->second.error;
    }
    const AssetRef asset{folder, std::string(written)};
    Result<MeshData> mesh = loadMesh(asset, parts, {});
    if (mesh) {
        if (const Result<void> room = countVertices(*mesh, nullptr, asset); !room) {
            mesh = room.error();
        }
    }
    if (!mesh) {
        if (parts.empty()) {
            parts.push_back({asset.name, {}}); // it could not be opened
        }
        m_failures.insert_or_assign(key, Failure{mesh.error(), asset.name, parts});
        return mesh;
    }
    m_failures.erase(key);
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
