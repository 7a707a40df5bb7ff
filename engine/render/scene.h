#pragma once
// What to draw: plain values that a session fills once a tick and a renderer reads. No OpenGL, no pointers
// into a world.
//
// A Scene is built on the simulation's thread, published inside a frame snapshot and never changed
// afterwards; any number of threads may read it. The viewport draws interpolate(previous, current, alpha), so
// motion is smooth at any refresh rate.

#include "engine/core/math.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sbx::render {

// A mesh of a MeshLibrary (mesh.h). Zero draws nothing.
struct MeshId {
    std::uint32_t value = 0;

    [[nodiscard]] explicit operator bool() const { return value != 0; }
    friend bool operator==(MeshId, MeshId) = default;
    friend auto operator<=>(MeshId, MeshId) = default;
};

// Procedural surface detail, in metres of the object, tinted by the instance's colour.
enum class Material : std::uint8_t {
    Plain,   // nothing added
    Stone,   // flagstones on faces that look up or down, dressed blocks on the others
    Plaster, // rendered wall: faint trowel marks
    Wood,    // planks along the longest axis
    Crate,   // boards with a frame around each face
    Metal,   // brushed
    Brass,   // polished, faintly marbled
    Glow,    // emissive with a bright rim and a halo
    Grass,   // uneven ground
};
// "plain", "stone", …: in the order of the enumeration, for choices of a described field.
[[nodiscard]] const std::vector<std::string>& materialNames();

struct Instance {
    std::uint64_t entity = 0; // bits of an EntityId; 0: no entity, cannot be picked
    std::uint32_t part =
        0; // which drawable of the entity; (entity, part) names an instance from tick to tick
    MeshId mesh;
    Pose pose;                          // in the world, scale included
    Vec4 color{0.8F, 0.8F, 0.8F, 1.0F}; // linear; alpha below 1 is blended and casts no shadow
    float roughness = 0.7F;             // 0 mirror, 1 chalk
    float metallic = 0.0F;              // 0 dielectric, 1 metal
    Vec3 emissive{0.0F};                // linear radiance added
    Material material = Material::Plain;
    bool castsShadow = true;
    bool highlighted = false; // drawn lighter: hovered, or hit a moment ago

    friend bool operator==(const Instance&, const Instance&) = default;
};

// Light units: a white matt surface that faces a light of intensity 1 (a point light: at 1 m) has radiance 1.
struct PointLight {
    std::uint64_t entity = 0;
    std::uint32_t part = 0;
    Vec3 position{0.0F};
    Vec3 color{1.0F}; // linear
    float intensity = 4.0F;
    float range = 8.0F; // metres; no light beyond

    friend bool operator==(const PointLight&, const PointLight&) = default;
};

struct Sun {
    Vec3 direction{0.74F, -0.46F, -0.49F}; // where the light travels; need not be unit length
    Vec3 color{1.0F, 0.80F, 0.56F};        // linear
    float intensity = 3.6F;

    friend bool operator==(const Sun&, const Sun&) = default;
};

// Late afternoon by default. All colours linear.
struct Environment {
    Vec3 zenith{0.06F, 0.18F, 0.50F};
    Vec3 horizon{0.58F, 0.66F, 0.76F};
    Vec3 ground{0.27F, 0.22F, 0.165F}; // light reflected from below
    float ambient = 1.0F;              // scales light from sky and ground
    float fogDensity = 0.006F; // about 1 / the distance in metres where little is left to see; 0: none
    float clouds = 0.7F;       // thin high clouds: 0 none, 1 many
    float exposure = 1.0F;

    friend bool operator==(const Environment&, const Environment&) = default;
};

struct CameraView {
    std::uint64_t entity = 0; // the entity whose view it is: not drawn in its own picture; 0: none
    Pose pose;                // looks along -Z, Y up; scale ignored
    float fovY = 0.9F;        // radians
    float nearPlane = 0.1F;   // may lie behind the camera where the picture is orthographic
    float farPlane = 500.0F;
    float orthoHeight = 0.0F; // metres from the lower to the upper edge of an orthographic picture; 0: perspective, by fovY

    [[nodiscard]] bool orthographic() const { return orthoHeight > 0.0F; }
    friend bool operator==(const CameraView&, const CameraView&) = default;
};

struct Scene {
    std::vector<Instance> instances;
    std::vector<PointLight> lights;
    Sun sun;
    Environment environment;
    std::optional<CameraView> camera; // of the entity that has the picture, if one has

    friend bool operator==(const Scene&, const Scene&) = default;
};

// A step between two ticks longer than this is a jump (a spawn point, a reset), and is not smeared over the
// frames between.
inline constexpr float TeleportDistance = 3.0F; // metres

// What to show `alpha` of the way from previous to current (clamped to [0, 1]). What exists in current exists
// in the result, with its look; positions, rotations, scales, lights and camera are blended with their
// counterpart by (entity, part). Counterparts at the same index cost nothing to find; others cost one hash
// look-up.
[[nodiscard]] Scene interpolate(const Scene& previous, const Scene& current, float alpha);
// The same into an existing scene, whose memory is used again.
void interpolate(const Scene& previous, const Scene& current, float alpha, Scene& out);
// Shortest way, unit length. Near poses are blended linearly, far ones on the sphere.
[[nodiscard]] Pose interpolate(const Pose& from, const Pose& to, float alpha);

} // namespace sbx::render
