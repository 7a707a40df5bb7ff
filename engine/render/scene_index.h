#pragma once
// A scene's instances in a tree: what a ray, a rectangle or a camera sees is found without testing all of them.
//
// Kept from frame to frame by callers whose scene changes a little each time (the renderer, the viewport): update()
// only processes instances that moved. Not thread-safe while updating; owned by its user.

#include "engine/render/mesh.h"
#include "engine/spatial/aabb_tree.h"

#include <functional>
#include <memory>
#include <vector>

namespace sbx::render {

class SceneIndex {
public:
    // Null for an id without a mesh. The returned mesh must exist until the next update.
    using MeshLookup = std::function<const MeshData*(MeshId)>;

    struct Placed {
        const MeshData* mesh = nullptr; // null: not drawn
        Bounds bounds;                  // in the world
        float radius = 0.0F;            // of a ball about their centre
    };

    void update(const Scene& scene, const MeshLookup& meshes);
    // Keeps the meshes alive by itself.
    void update(const Scene& scene, const MeshLibrary& meshes);

    // By index in the scene.
    [[nodiscard]] const std::vector<Placed>& placed() const { return m_placed; }
    // Its users are indices in the scene. Boxes are a little larger than the bounds.
    [[nodiscard]] const spatial::AabbTree& tree() const { return m_tree; }
    // Instances whose box may be in view, in scene order; and the cost of finding them.
    spatial::QueryStats inFrustum(const spatial::Frustum& frustum, std::vector<std::uint32_t>& out) const;

private:
    struct Entry {
        spatial::ProxyId proxy;
        MeshId mesh;
        Pose pose;
    };
    [[nodiscard]] bool insert(Entry& entry, const spatial::Box& box, std::size_t index);

    spatial::AabbTree m_tree;
    std::vector<Placed> m_placed;
    std::vector<Entry> m_entries;
    std::vector<std::shared_ptr<const MeshData>> m_meshes; // by id
};

} // namespace sbx::render
