#include "engine/render/scene_index.h"

#include "engine/render/picking.h"

#include <glm/geometric.hpp>

#include <bit>

namespace sbx::render {

namespace {

// Rays and planes are computed with rounding, and a sheet of paper has no thickness.
constexpr float Slack = 1.0e-3F;

} // namespace

void SceneIndex::update(const Scene& scene, const MeshLibrary& meshes) {
    m_meshes.clear();
    update(scene, [this, &meshes](MeshId id) -> const MeshData* {
        if (!id) {
            return nullptr;
        }
        if (id.value >= m_meshes.size()) {
            m_meshes.resize(id.value + std::size_t{1});
        }
        if (!m_meshes[id.value]) {
            m_meshes[id.value] = meshes.data(id);
        }
        return m_meshes[id.value].get();
    });
}

void SceneIndex::update(const Scene& scene, const MeshLookup& meshes) {
    const std::size_t count = scene.instances.size();
    for (std::size_t i = count; i < m_entries.size(); ++i) {
        m_tree.remove(m_entries[i].proxy);
    }
    m_entries.resize(count);
    m_placed.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Instance& instance = scene.instances[i];
        Entry& entry = m_entries[i];
        Placed& placed = m_placed[i];
        const MeshData* const before = placed.mesh;
        placed.mesh = meshes(instance.mesh);
        if (placed.mesh != nullptr && placed.mesh == before && entry.pose == instance.pose) {
            continue;
        }
        entry.pose = instance.pose;
        entry.mesh = instance.mesh;
        if (placed.mesh != nullptr && isDrawable(instance.pose)) {
            placed.bounds = worldBounds(instance.pose, placed.mesh->bounds);
            placed.radius = 0.5F * glm::length(placed.mesh->bounds.size() * instance.pose.scale);
            const spatial::Box box = spatial::expanded({placed.bounds.minimum, placed.bounds.maximum}, Slack);
            if (m_tree.alive(entry.proxy) ? m_tree.move(entry.proxy, box).ok() : insert(entry, box, i)) {
                continue;
            }
        }
        // Nothing to draw, or nowhere a float can reach.
        placed = {};
        m_tree.remove(entry.proxy);
    }
    m_tree.update();
}

bool SceneIndex::insert(Entry& entry, const spatial::Box& box, std::size_t index) {
    const Result<spatial::ProxyId> proxy = m_tree.insert(box, index);
    if (proxy) {
        entry.proxy = *proxy;
    }
    return proxy.ok();
}

spatial::QueryStats SceneIndex::inFrustum(const spatial::Frustum& frustum, std::vector<std::uint32_t>& out) const {
    std::vector<std::uint64_t> seen(m_entries.size() / 64 + 1, 0);
    const spatial::QueryStats cost = m_tree.inFrustum(frustum, spatial::Everything, [&](std::uint32_t slot) {
        const std::uint64_t index = m_tree.user(slot);
        seen[index / 64] |= std::uint64_t{1} << (index % 64);
    });
    out.clear();
    for (std::size_t word = 0; word < seen.size(); ++word) {
        for (std::uint64_t bits = seen[word]; bits != 0; bits &= bits - 1) {
            out.push_back(static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits)));
        }
    }
    return cost;
}

} // namespace sbx::render
