#include "tests/render/yard_scene.h"

#include <glm/gtc/constants.hpp>

#include <cmath>
#include <cstddef>
#include <string>

namespace sbx::render::test {
namespace {

class Builder {
public:
    Builder(MeshLibrary& meshes, Scene& scene) : m_meshes(meshes), m_scene(scene) {}

    Instance& add(const std::string& mesh, Material material, const Vec4& color, float roughness,
                  const Vec3& position, const Vec3& scale, const Vec3& degrees = Vec3(0.0F)) {
        Instance instance;
        instance.entity = ++m_next;
        instance.mesh = *m_meshes.find(mesh);
        instance.material = material;
        instance.color = color;
        instance.roughness = roughness;
        instance.pose = {position, fromEulerDegrees(degrees), scale};
        m_scene.instances.push_back(instance);
        return m_scene.instances.back();
    }

private:
    MeshLibrary& m_meshes;
    Scene& m_scene;
    std::uint64_t m_next = 0;
};

// A body, two wings of four triangles and ears; wings along X, looks along -Z.
MeshData makeBat() {
    const std::vector<Vec3> points = {{0.0F, 0.02F, -0.16F}, {0.05F, 0.0F, -0.02F}, {0.0F, 0.06F, 0.0F},
                                      {0.0F, -0.05F, 0.0F},  {0.0F, 0.0F, 0.18F},   {0.22F, 0.12F, -0.10F},
                                      {0.52F, 0.20F, 0.02F}, {0.34F, 0.08F, 0.12F}, {0.16F, 0.02F, 0.10F},
                                      {0.03F, 0.09F, -0.14F}};
    const std::vector<std::uint32_t> right = {0, 1, 2, 0, 3, 1, 2, 1, 4, 3, 4, 1,
                                              1, 5, 8, 5, 7, 8, 5, 6, 7, 0, 9, 2};
    MeshData mesh;
    mesh.twoSided = true;
    for (const float side : {1.0F, -1.0F}) {
        for (std::size_t t = 0; t < right.size(); t += 3) {
            Vec3 p[3];
            for (std::size_t k = 0; k < 3; ++k) {
                p[k] = points[right[t + k]] * Vec3(side, 1.0F, 1.0F);
            }
            const Vec3 normal = glm::normalize(glm::cross(p[1] - p[0], p[2] - p[0]));
            for (const Vec3& corner : p) {
                mesh.indices.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
                mesh.vertices.push_back({corner, normal.y < 0.0F ? -normal : normal, Vec3(0.0F)});
            }
        }
    }
    mesh.bounds = {{-0.55F, -0.06F, -0.2F}, {0.55F, 0.22F, 0.2F}};
    return mesh;
}

float wobble(int i, int salt) {
    const std::uint32_t h =
        (static_cast<std::uint32_t>(i) * 2654435761U) ^ (static_cast<std::uint32_t>(salt) * 40503U * 65537U);
    return static_cast<float>((h ^ (h >> 15U)) * 2246822519U >> 8U) / 16777216.0F;
}

} // namespace

Yard makeYard(MeshLibrary& meshes, int crates) {
    Yard yard;
    Builder build(meshes, yard.scene);
    meshes.add("bat", makeBat());

    yard.scene.sun = {{0.775F, -0.407F, 0.484F}, {1.0F, 0.74F, 0.46F}, 3.9F};

    const Vec4 floor(0.50F, 0.425F, 0.335F, 1.0F);
    const Vec4 wall(0.56F, 0.475F, 0.375F, 1.0F);
    const Vec4 coping(0.60F, 0.53F, 0.44F, 1.0F);
    const Vec4 pine(0.58F, 0.34F, 0.15F, 1.0F);
    const Vec4 oak(0.20F, 0.115F, 0.065F, 1.0F);
    const Vec4 brass(0.90F, 0.62F, 0.25F, 1.0F);

    build
        .add("plane", Material::Grass, {0.155F, 0.19F, 0.075F, 1.0F}, 0.95F, {0.0F, -0.04F, 0.0F},
             {400.0F, 1.0F, 400.0F})
        .castsShadow = false;
    build.add("box", Material::Stone, floor, 0.78F, {0.0F, -0.25F, 0.0F}, {22.0F, 0.5F, 18.0F});

    // Walls with copings; the near side is open to the viewer, the right wall has a gate.
    const auto wallPiece = [&](const Vec3& at, const Vec3& size) {
        build.add("box", Material::Stone, wall, 0.85F, at + Vec3(0.0F, size.y * 0.5F, 0.0F), size);
        build.add("box", Material::Plaster, coping, 0.8F, at + Vec3(0.0F, size.y + 0.06F, 0.0F),
                  {size.x + 0.14F, 0.12F, size.z + 0.14F});
    };
    wallPiece({0.0F, 0.0F, -9.0F}, {22.4F, 2.8F, 0.45F});
    wallPiece({-11.0F, 0.0F, 0.0F}, {0.45F, 2.2F, 18.4F});
    wallPiece({11.0F, 0.0F, -5.6F}, {0.45F, 2.8F, 6.4F});
    wallPiece({11.0F, 0.0F, 4.4F}, {0.45F, 2.8F, 9.2F});
    for (const float x : {-11.0F, 11.0F}) {
        build.add("box", Material::Stone, wall, 0.85F, {x, 1.65F, -9.0F}, {0.9F, 3.3F, 0.9F});
        build.add("box", Material::Plaster, coping, 0.8F, {x, 3.38F, -9.0F}, {1.1F, 0.16F, 1.1F});
    }
    // A door, ajar.
    build.add("box", Material::Wood, {0.36F, 0.20F, 0.10F, 1.0F}, 0.7F, {10.45F, 1.15F, -1.55F},
              {0.1F, 2.3F, 1.7F}, {0.0F, -38.0F, 0.0F});

    // Stacks of both weights.
    const auto crate = [&](bool heavy, const Vec3& at, float turn, float size = 1.0F) {
        build.add("box", Material::Crate, heavy ? oak : pine, 0.72F, at + Vec3(0.0F, size * 0.5F, 0.0F),
                  Vec3(size), {0.0F, turn, 0.0F});
    };
    crate(true, {-4.2F, 0.0F, -4.4F}, 4.0F, 1.2F);
    crate(true, {-2.85F, 0.0F, -4.6F}, -3.0F, 1.2F);
    crate(false, {-3.5F, 1.2F, -4.5F}, 8.0F);
    crate(false, {-5.75F, 0.0F, -4.9F}, 21.0F);
    crate(false, {-1.2F, 0.0F, -5.4F}, -14.0F);
    crate(true, {-1.1F, 1.0F, -5.4F}, 10.0F, 0.8F);
    crate(false, {5.4F, 0.0F, -6.2F}, 12.0F);
    crate(false, {6.5F, 0.0F, -6.3F}, -6.0F);
    crate(true, {5.9F, 1.0F, -6.2F}, 3.0F);
    crate(false, {-7.6F, 0.0F, 2.2F}, 33.0F);
    for (int i = 0; i < crates; ++i) {
        crate(i % 3 == 0, {-8.5F + 17.0F * wobble(i, 1), 0.0F, -1.0F + 8.0F * wobble(i, 2)},
              360.0F * wobble(i, 3), 0.55F + 0.3F * wobble(i, 4));
    }

    // Ramp, and balls on and beside it.
    build.add("wedge", Material::Wood, {0.50F, 0.33F, 0.18F, 1.0F}, 0.75F, {3.1F, 0.65F, -3.3F},
              {2.4F, 1.3F, 4.2F}, {0.0F, 14.0F, 0.0F});
    const auto ball = [&](const Vec3& at, float radius) {
        Instance& b = build.add("sphere", Material::Brass, brass, 0.24F, at, Vec3(radius * 2.0F),
                                {20.0F, 50.0F * at.x, 10.0F});
        b.metallic = 1.0F;
    };
    ball({3.0F, 1.22F, -3.6F}, 0.34F);
    ball({1.2F, 0.42F, 0.2F}, 0.42F);
    ball({2.3F, 0.3F, 1.1F}, 0.30F);
    ball({-0.6F, 0.26F, 1.6F}, 0.26F);
    ball({4.3F, 0.38F, 0.9F}, 0.38F);

    // A spawner: a metal plinth with a ring of light.
    build
        .add("cylinder", Material::Metal, {0.42F, 0.44F, 0.47F, 1.0F}, 0.45F, {7.6F, 0.12F, 3.0F},
             {1.5F, 0.24F, 1.5F})
        .metallic = 0.9F;
    Instance& lamp = build.add("cylinder", Material::Glow, {0.02F, 0.06F, 0.08F, 1.0F}, 0.4F,
                               {7.6F, 0.26F, 3.0F}, {0.9F, 0.06F, 0.9F});
    lamp.emissive = {0.15F, 1.1F, 1.4F};
    lamp.castsShadow = false;

    // The phantom and its light.
    Instance& phantom = build.add("capsule:0.42:1.7", Material::Glow, {0.06F, 0.02F, 0.12F, 1.0F}, 0.5F,
                                  {-0.5F, 1.25F, -1.6F}, Vec3(1.0F));
    phantom.emissive = {1.25F, 0.30F, 2.6F};
    phantom.castsShadow = false;
    yard.scene.lights.push_back({phantom.entity, 0, {-0.5F, 1.2F, -1.6F}, {0.62F, 0.24F, 1.0F}, 5.0F, 7.0F});
    yard.scene.lights.push_back({lamp.entity, 0, {7.6F, 0.7F, 3.0F}, {0.2F, 0.8F, 1.0F}, 1.2F, 4.0F});

    // Somebody to walk with.
    build.add("capsule:0.32:1.75", Material::Plain, {0.10F, 0.23F, 0.38F, 1.0F}, 0.6F, {-3.6F, 0.875F, 2.6F},
              Vec3(1.0F));
    build.add("box", Material::Plain, {0.85F, 0.85F, 0.82F, 1.0F}, 0.35F, {-3.52F, 1.42F, 2.34F},
              {0.38F, 0.16F, 0.16F}, {0.0F, -12.0F, 0.0F});

    for (int i = 0; i < 7; ++i) {
        const float angle = 0.9F * static_cast<float>(i);
        build.add(
            "bat", Material::Plain, {0.012F, 0.011F, 0.016F, 1.0F}, 0.9F,
            {-1.0F + 5.5F * std::cos(angle), 5.2F + 1.6F * wobble(i, 9), -8.0F + 4.5F * std::sin(angle)},
            Vec3(1.5F), {10.0F * std::sin(angle * 2.0F), 57.3F * angle, 25.0F * std::cos(angle)});
    }
    yard.camera = lookAt({2.2F, 4.1F, 12.6F}, {-0.1F, 1.0F, -2.2F}, 0.80F);
    return yard;
}

} // namespace sbx::render::test
