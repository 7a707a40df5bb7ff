#include "engine/render/band.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

namespace sbx::render {
namespace {

constexpr std::size_t MaxVertices = 60'000;

enum class Side { Outside, Across, Inside };

// The part of space that appears inside the rectangle: four sides and the near plane. Points inside have no negative distance.
using Planes = std::array<Vec4, 5>;

float distanceTo(const Vec4& plane, const Vec3& point) { return glm::dot(Vec3(plane), point) + plane.w; }

Planes planesOf(const CameraView& camera, const Vec2& size, const Vec2& low, const Vec2& high) {
    const Vec2 left = 2.0F * low / size - 1.0F;
    const Vec2 right = 2.0F * high / size - 1.0F;
    const Mat4 rows = glm::transpose(projectionMatrix(camera, size.x / size.y) * viewMatrix(camera));
    // Pixels count from the top.
    return {rows[0] - rows[3] * left.x, rows[3] * right.x - rows[0], rows[1] + rows[3] * right.y,
            -rows[3] * left.y - rows[1], rows[3] + rows[2]};
}

std::array<Vec3, 8> cornersOf(const Pose& pose, const Bounds& box) {
    std::array<Vec3, 8> corners;
    for (unsigned i = 0; i < 8; ++i) {
        const Vec3 local((i & 1U) != 0 ? box.maximum.x : box.minimum.x,
                         (i & 2U) != 0 ? box.maximum.y : box.minimum.y,
                         (i & 4U) != 0 ? box.maximum.z : box.minimum.z);
        corners[i] = pose.position + pose.rotation * (pose.scale * local);
    }
    return corners;
}

Side sideOf(const std::array<Vec3, 8>& corners, const Planes& planes) {
    bool inside = true;
    for (const Vec4& plane : planes) {
        int out = 0;
        for (const Vec3& corner : corners) {
            out += distanceTo(plane, corner) < 0.0F ? 1 : 0;
        }
        if (out == 8) {
            return Side::Outside;
        }
        inside = inside && out == 0;
    }
    return inside ? Side::Inside : Side::Across;
}

// In the mesh's own frame, so that its vertices are compared as they are.
Planes localPlanes(const Planes& planes, const Pose& pose) {
    Planes local;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const Vec3 normal(planes[i]);
        local[i] =
            Vec4(pose.scale * (glm::conjugate(pose.rotation) * normal), distanceTo(planes[i], pose.position));
    }
    return local;
}

bool isInside(const Planes& planes, const Vec3& point) {
    return std::all_of(planes.begin(), planes.end(),
                       [&](const Vec4& plane) { return distanceTo(plane, point) >= 0.0F; });
}

// Sutherland and Hodgman, "Reentrant Polygon Clipping" (1974): whether anything of the triangle is left inside all planes.
bool reachesInside(const Planes& planes, const Vec3& a, const Vec3& b, const Vec3& c) {
    std::array<Vec3, 16> points{a, b, c};
    std::size_t count = 3;
    for (const Vec4& plane : planes) {
        std::array<Vec3, 16> kept;
        std::size_t left = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3& from = points[i];
            const Vec3& to = points[(i + 1) % count];
            const float before = distanceTo(plane, from);
            const float after = distanceTo(plane, to);
            if (before >= 0.0F) {
                kept[left++] = from;
            }
            if ((before >= 0.0F) != (after >= 0.0F)) {
                kept[left++] = glm::mix(from, to, before / (before - after));
            }
        }
        if (left == 0) {
            return false;
        }
        points = kept;
        count = left;
    }
    return true;
}

// Of an instance whose box lies across an edge of the band: by its triangles.
Side sideOfMesh(const MeshData& mesh, const Planes& planes) {
    if (mesh.vertices.size() > MaxVertices) {
        return Side::Across;
    }
    bool all = true;
    bool any = false;
    for (const MeshVertex& vertex : mesh.vertices) {
        const bool inside = isInside(planes, vertex.position);
        all = all && inside;
        any = any || inside;
        if (any && !all) {
            return Side::Across;
        }
    }
    if (all) {
        return Side::Inside;
    }
    for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
        if (reachesInside(planes, mesh.vertices[mesh.indices[t]].position,
                          mesh.vertices[mesh.indices[t + 1]].position,
                          mesh.vertices[mesh.indices[t + 2]].position)) {
            return Side::Across;
        }
    }
    return Side::Outside;
}

// Square pixels that the box covers in the picture, as a rectangle; without a limit where it reaches behind the near plane.
float areaOf(const std::array<Vec3, 8>& corners, const CameraView& camera, int width, int height) {
    Vec2 low(std::numeric_limits<float>::max());
    Vec2 high(std::numeric_limits<float>::lowest());
    for (const Vec3& corner : corners) {
        const auto pixel = projectToPixel(camera, width, height, corner);
        if (!pixel) {
            return std::numeric_limits<float>::max();
        }
        low = glm::min(low, Vec2(*pixel));
        high = glm::max(high, Vec2(*pixel));
    }
    return (high.x - low.x) * (high.y - low.y);
}

struct Seen {
    bool inside = true; // all of its instances so far
    bool touched = false;
    bool larger = false; // than the band
};

} // namespace

std::vector<std::uint64_t> pickBand(const Scene& scene, const SceneIndex& index, const CameraView& camera,
                                    int width, int height, Vec2 from, Vec2 to, BandRule rule) {
    const Vec2 low = glm::min(from, to);
    const Vec2 high = glm::max(from, to);
    std::vector<std::uint64_t> order;
    if (width <= 0 || height <= 0 || low.x >= high.x || low.y >= high.y) {
        return order;
    }
    const Planes planes =
        planesOf(camera, Vec2(static_cast<float>(width), static_cast<float>(height)), low, high);
    const float bandArea = (high.x - low.x) * (high.y - low.y);
    std::vector<std::uint32_t> near;
    index.inFrustum({{planes[0], planes[1], planes[2], planes[3], planes[4], Vec4(0.0F, 0.0F, 0.0F, 1.0F)}},
                    near);

    std::unordered_map<std::uint64_t, Seen> seen;
    std::vector<bool> looked(scene.instances.size(), false);
    for (const std::uint32_t i : near) {
        const Instance& instance = scene.instances[i];
        const MeshData* mesh = index.placed()[i].mesh;
        looked[i] = true;
        if (instance.entity == 0 || mesh == nullptr) {
            continue;
        }
        const std::array<Vec3, 8> corners = cornersOf(instance.pose, mesh->bounds);
        Side side = sideOf(corners, planes);
        if (side == Side::Across) {
            side = sideOfMesh(*mesh, localPlanes(planes, instance.pose));
        }
        const auto [at, first] = seen.try_emplace(instance.entity);
        if (first) {
            order.push_back(instance.entity);
        }
        at->second.inside = at->second.inside && side == Side::Inside;
        at->second.touched = at->second.touched || side != Side::Outside;
        if (rule == BandRule::Touches && side != Side::Outside && !at->second.larger) {
            at->second.larger = areaOf(corners, camera, width, height) > bandArea;
        }
    }
    // What the tree left out of an entity lies outside.
    if (rule == BandRule::Contains && !seen.empty()) {
        for (std::size_t i = 0; i < scene.instances.size(); ++i) {
            if (looked[i] || index.placed()[i].mesh == nullptr) {
                continue;
            }
            if (const auto at = seen.find(scene.instances[i].entity); at != seen.end()) {
                at->second.inside = false;
            }
        }
    }
    std::erase_if(order, [&](std::uint64_t entity) {
        const Seen& found = seen.at(entity);
        return rule == BandRule::Contains ? !found.inside : !found.touched || found.larger;
    });
    return order;
}

} // namespace sbx::render
