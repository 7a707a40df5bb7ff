#pragma once
// The CPU's half of a frame: what is seen, what casts, in which order, and the numbers the shaders need. No OpenGL.
// Internal to this room.

#include "engine/render/batches.h"
#include "engine/render/frame_block.h"
#include "engine/render/renderer.h"
#include "engine/render/shadow_fit.h"

#include <cstddef>
#include <functional>
#include <unordered_set>
#include <vector>

namespace sbx::render {

struct Halo {
    Vec3 centre;
    float radius;
    Vec3 light;
    float lift; // how far before its centre it is drawn, in radii
};

// Batches [first, last) of the plan's list.
struct BatchRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

// Kept from frame to frame for its memory.
class FramePlan {
public:
    using MeshLookup = std::function<const MeshData*(MeshId)>;

    void build(const Scene& scene, const View& view, const Settings& settings, const MeshLookup& meshes);

    BatchList list;
    BatchRange opaque;
    BatchRange blended; // farthest first
    BatchRange shadow;
    BatchRange heights;
    BatchRange selected;
    std::vector<Halo> halos;
    FrameBlock block;
    ShadowFit fit;
    Bounds occluders; // for SkyOcclusion
    bool hasOccluders = false;
    std::vector<Bounds> selectedBounds;
    int shadowSize = 1024;

private:
    void fillCamera(const View& view, const Scene& scene, const Settings& settings);
    void fillLights(const Scene& scene, const View& view);
    void fillShadow(const Settings& settings);

    struct Placed {
        const MeshData* mesh = nullptr;
        Bounds bounds;
        float radius = 0.0F;
    };
    std::vector<Placed> m_placed;
    std::vector<BatchItem> m_items;
    std::vector<Bounds> m_casters;
    std::unordered_set<std::uint64_t> m_selection;
};

} // namespace sbx::render
