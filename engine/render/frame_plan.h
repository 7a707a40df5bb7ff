#pragma once
// The CPU's half of a frame: what is seen, what casts, in which order, and the numbers the shaders need. No
// OpenGL. Internal to engine/render.

#include "engine/render/batches.h"
#include "engine/render/frame_block.h"
#include "engine/render/renderer.h"
#include "engine/render/scene_index.h"
#include "engine/render/shadow_fit.h"

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <vector>

namespace sbx::render {

struct Halo {
    Vec3 centre;
    float radius;
    Vec3 light;
    float spare;
};

// Kept from frame to frame for its memory.
class FramePlan {
public:
    using MeshLookup = SceneIndex::MeshLookup;

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
    bool hasShadow = false;
    int shadowWidth = 0; // texels, multiples of 64
    int shadowHeight = 0;
    int lights = 0;
    int darkLights = 0; // reach the picture, and are more than the shaders hold
    double cullMs = 0.0; // keeping the index and asking it
    int cullNodes = 0;

private:
    void fillCamera(const View& view, const Scene& scene, const Settings& settings);
    void fillLights(const Scene& scene, const View& view);
    [[nodiscard]] bool reachesPicture(const PointLight& light) const;
    void fillShadow(const Settings& settings);
    void fillSky(const Scene& scene);
    void place(const Scene& scene, const MeshLookup& meshes);
    void planSeen(const Scene& scene, const View& view, const Settings& settings);
    void planCasters(const std::vector<Instance>& instances, const Settings& settings);
    void planSelection(const std::vector<Instance>& instances, const View& view);
    void section(BatchRange& range, const std::vector<Instance>& instances, BatchList::Grouping grouping);
    [[nodiscard]] bool reachedByLight(const Bounds& bounds) const;

    SceneIndex m_index;
    std::vector<char> m_casts; // into the shadow map
    std::vector<std::uint32_t> m_seen;
    std::vector<BatchItem> m_items;
    std::vector<BatchItem> m_clear;
    std::vector<Bounds> m_floors; // under everything: they cast nothing
    std::vector<Bounds> m_casters;
    std::unordered_map<std::uint64_t, std::uint32_t> m_selection; // to the group of its outline
};

} // namespace sbx::render
