#pragma once
// Sorts instances into draws: one per mesh, nearest first, so that few pixels are shaded twice. CPU only;
// internal to this room.

#include "engine/render/mesh.h"
#include "engine/render/scene.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sbx::render {

// What the vertex shader reads per instance, six vec4.
struct InstanceData {
    Vec3 position;
    float roughness;
    Vec4 rotation; // x, y, z, w
    Vec3 scale;
    float metallic;
    Vec4 color;
    Vec4 emissive;
    float seed; // in [0, 1), fixed for an entity
    float highlight;
    float mark[2]; // of an outline mask: which group, see BatchItem
};
static_assert(sizeof(InstanceData) == 96);

struct Batch {
    MeshId mesh;
    Material material = Material::Plain;
    bool mirrored = false; // an odd number of negative scales: the winding is turned
    bool coarse = false;
    bool lit = false; // a point light reaches it
    bool last = false;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

struct BatchItem {
    std::uint32_t instance = 0;
    float distance = 0.0F;
    bool coarse = false;
    bool lit = false;
    bool last = false; // after all others: floors, which most things stand before
    std::uint32_t group = 0; // of an outline mask: entities of one group have no line between them
    bool primary = false;    // of an outline mask
};

// Batches [first, last) of a list.
struct BatchRange {
    std::size_t first = 0;
    std::size_t last = 0;

    [[nodiscard]] bool empty() const { return first == last; }
};

class BatchList {
public:
    void clear();
    // Appends the draws for these items. ByMesh cares for the mesh only (shadows, masks), ByLook for material
    // and light too; InOrder is ByLook that keeps the order (for blending).
    enum class Grouping { ByMesh, ByLook, InOrder };
    void add(const std::vector<Instance>& instances, std::vector<BatchItem>& items, Grouping grouping);

    std::vector<InstanceData> data;
    std::vector<Batch> batches;

private:
};

// Planes of a view: points inside have a non-negative distance to all six.
struct Frustum {
    std::array<Vec4, 6> planes;

    explicit Frustum(const Mat4& viewProjection);
    [[nodiscard]] bool touchesSphere(const Vec3& centre, float radius) const;
};

} // namespace sbx::render
