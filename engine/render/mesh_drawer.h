#pragma once
// Meshes on the graphics card and the instanced draws of a BatchList. Internal to engine/render; lives on the
// context's thread.

#include "engine/render/batches.h"
#include "engine/render/gl.h"
#include "engine/render/mesh.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace sbx::render {

class MeshDrawer {
public:
    explicit MeshDrawer(const MeshLibrary& meshes) : m_meshes(meshes) {}

    // Updates the meshes of these ids from the library; call once a frame before data().
    void beginFrame();
    // Null for an id of no mesh.
    [[nodiscard]] const MeshData* data(MeshId id);
    // Replaces the instances drawn from now on.
    void upload(const BatchList& list);
    // Draws batches of the uploaded list, each after `prepare` (may be empty) has chosen its program.
    // Culling: back faces of closed meshes. Returns the triangles drawn.
    using Prepare = std::function<void(const Batch&)>;
    std::int64_t draw(const BatchList& list, const BatchRange& range, bool cull, const Prepare& prepare = {});

private:
    struct Entry {
        std::shared_ptr<const MeshData> data;
        std::shared_ptr<const MeshData> uploaded; // what the buffers hold
        bool current = false;                     // needed in this frame
        gl::VertexArray array;
        gl::Buffer vertices;
        gl::Buffer indices;
    };
    Entry* entry(MeshId id);
    static void uploadMesh(Entry& entry);

    const MeshLibrary& m_meshes;
    std::vector<Entry> m_entries; // by id
    gl::Buffer m_instances;
};

} // namespace sbx::render
