#include "engine/render/mesh_drawer.h"

#include <cstddef>

namespace sbx::render {

void MeshDrawer::beginFrame() {
    for (Entry& entry : m_entries) {
        entry.current = false;
    }
}

MeshDrawer::Entry* MeshDrawer::entry(MeshId id) {
    if (!id) {
        return nullptr;
    }
    if (id.value >= m_entries.size()) {
        if (id.value > m_meshes.size()) {
            return nullptr;
        }
        m_entries.resize(id.value + std::size_t{1});
    }
    Entry& found = m_entries[id.value];
    if (!found.current) {
        found.data = m_meshes.data(id);
        found.current = true;
    }
    return found.data ? &found : nullptr;
}

const MeshData* MeshDrawer::data(MeshId id) {
    const Entry* found = entry(id);
    return found ? found->data.get() : nullptr;
}

void MeshDrawer::uploadMesh(Entry& entry) {
    const MeshData& mesh = *entry.data;
    entry.array = gl::VertexArray::make();
    entry.vertices = gl::Buffer::make();
    entry.indices = gl::Buffer::make();
    glBindVertexArray(entry.array.id());
    glBindBuffer(GL_ARRAY_BUFFER, entry.vertices.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(mesh.vertices.size() * sizeof(MeshVertex)),
                 mesh.vertices.data(), GL_STATIC_DRAW);
    // The coarse triangles follow the fine ones.
    std::vector<std::uint32_t> indices = mesh.indices;
    indices.insert(indices.end(), mesh.coarseIndices.begin(), mesh.coarseIndices.end());
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, entry.indices.id());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint32_t)),
                 indices.data(), GL_STATIC_DRAW);
    constexpr GLsizei Stride = sizeof(MeshVertex);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, Stride, gl::offset(offsetof(MeshVertex, position)));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, Stride, gl::offset(offsetof(MeshVertex, normal)));
    glVertexAttribPointer(2, 3, GL_FLOAT, GL_FALSE, Stride, gl::offset(offsetof(MeshVertex, inset)));
    for (GLuint i = 0; i < 9; ++i) {
        glEnableVertexAttribArray(i);
        if (i >= 3) {
            glVertexAttribDivisor(i, 1);
        }
    }
    entry.uploaded = entry.data;
}

void MeshDrawer::upload(const BatchList& list) {
    if (!m_instances) {
        m_instances = gl::Buffer::make();
    }
    glBindBuffer(GL_ARRAY_BUFFER, m_instances.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(list.data.size() * sizeof(InstanceData)),
                 list.data.data(), GL_STREAM_DRAW);
}

std::int64_t MeshDrawer::draw(const BatchList& list, const BatchRange& range, bool cull,
                              const Prepare& prepare) {
    std::int64_t triangles = 0;
    for (std::size_t i = range.first; i < range.last; ++i) {
        const Batch& batch = list.batches[i];
        Entry* found = entry(batch.mesh);
        if (!found) {
            continue;
        }
        if (found->uploaded != found->data) {
            uploadMesh(*found);
        }
        if (prepare) {
            prepare(batch);
        }
        const MeshData& mesh = *found->data;
        glBindVertexArray(found->array.id());
        glBindBuffer(GL_ARRAY_BUFFER, m_instances.id());
        // OpenGL 3.3 has no base instance: the attributes start elsewhere instead.
        for (GLuint a = 0; a < 6; ++a) {
            glVertexAttribPointer(3 + a, 4, GL_FLOAT, GL_FALSE, sizeof(InstanceData),
                                  gl::offset(batch.first * sizeof(InstanceData) + a * sizeof(Vec4)));
        }
        if (cull && !mesh.twoSided) {
            glEnable(GL_CULL_FACE);
        } else {
            glDisable(GL_CULL_FACE);
        }
        glFrontFace(batch.mirrored ? GL_CW : GL_CCW);
        const bool coarse = batch.coarse && !mesh.coarseIndices.empty();
        const std::size_t count = coarse ? mesh.coarseIndices.size() : mesh.indices.size();
        glDrawElementsInstanced(GL_TRIANGLES, static_cast<GLsizei>(count), GL_UNSIGNED_INT,
                                gl::offset(coarse ? mesh.indices.size() * sizeof(std::uint32_t) : 0),
                                static_cast<GLsizei>(batch.count));
        triangles += static_cast<std::int64_t>(count / 3) * batch.count;
    }
    glDisable(GL_CULL_FACE);
    glFrontFace(GL_CCW);
    glBindVertexArray(0);
    return triangles;
}

} // namespace sbx::render
