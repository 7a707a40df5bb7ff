#include "engine/render/mesh.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sbx::render {
namespace {

constexpr float Pi = glm::pi<float>();

std::uint32_t addVertex(MeshData& mesh, const Vec3& position, const Vec3& normal,
                        const Vec3& inset = Vec3(0.0F)) {
    mesh.vertices.push_back({position, normal, inset});
    return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
}

// Turns the triangle so that it looks along `outward`.
void addTriangle(MeshData& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, const Vec3& outward) {
    const Vec3 pa = mesh.vertices[a].position - mesh.vertices[a].inset * -0.1F;
    const Vec3 pb = mesh.vertices[b].position - mesh.vertices[b].inset * -0.1F;
    const Vec3 pc = mesh.vertices[c].position - mesh.vertices[c].inset * -0.1F;
    if (glm::dot(glm::cross(pb - pa, pc - pa), outward) < 0.0F) {
        std::swap(b, c);
    }
    mesh.indices.insert(mesh.indices.end(), {a, b, c});
}

void addQuad(MeshData& mesh, const std::array<std::uint32_t, 4>& corners, const Vec3& outward) {
    addTriangle(mesh, corners[0], corners[1], corners[2], outward);
    addTriangle(mesh, corners[0], corners[2], corners[3], outward);
}

// A surface of revolution about Y: rings of (radius, y, normal in the ring's plane), smooth along the
// profile.
struct ProfilePoint {
    float radius;
    float y;
    float normalOut; // component away from the axis
    float normalUp;
};

// Every second ring and spoke make the coarse form, when both counts are even.
void addRevolution(MeshData& mesh, const std::vector<ProfilePoint>& profile, std::uint32_t spokes,
                   bool coarse) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    const auto rings = static_cast<std::uint32_t>(profile.size());
    for (const ProfilePoint& point : profile) {
        for (std::uint32_t s = 0; s < spokes; ++s) {
            const float angle = 2.0F * Pi * static_cast<float>(s) / static_cast<float>(spokes);
            const Vec3 out(std::cos(angle), 0.0F, std::sin(angle));
            addVertex(mesh, out * point.radius + Vec3(0.0F, point.y, 0.0F),
                      glm::normalize(out * point.normalOut + Vec3(0.0F, point.normalUp, 0.0F)));
        }
    }
    const auto stitch = [&](std::vector<std::uint32_t>& indices, std::uint32_t step) {
        for (std::uint32_t r = 0; r + step < rings; r += step) {
            for (std::uint32_t s = 0; s < spokes; s += step) {
                const std::uint32_t t = (s + step) % spokes;
                const std::uint32_t a = first + r * spokes + s;
                const std::uint32_t b = first + r * spokes + t;
                const std::uint32_t c = first + (r + step) * spokes + t;
                const std::uint32_t d = first + (r + step) * spokes + s;
                // Profiles run from the bottom up, so this order looks outward.
                if (profile[r].radius > 0.0F) {
                    indices.insert(indices.end(), {a, c, b});
                }
                if (profile[r + step].radius > 0.0F) {
                    indices.insert(indices.end(), {a, d, c});
                }
            }
        }
    };
    stitch(mesh.indices, 1);
    if (coarse) {
        stitch(mesh.coarseIndices, 2);
    }
}

void addDisc(MeshData& mesh, float radius, float y, std::uint32_t spokes, const Vec3& outward) {
    const std::uint32_t centre = addVertex(mesh, {0.0F, y, 0.0F}, outward);
    std::uint32_t previous = 0;
    std::uint32_t start = 0;
    for (std::uint32_t s = 0; s <= spokes; ++s) {
        std::uint32_t current = start;
        if (s < spokes) {
            const float angle = 2.0F * Pi * static_cast<float>(s) / static_cast<float>(spokes);
            current = addVertex(mesh, {std::cos(angle) * radius, y, std::sin(angle) * radius}, outward);
        }
        if (s == 0) {
            start = current;
        } else {
            addTriangle(mesh, centre, previous, current, outward);
        }
        previous = current;
    }
}

MeshData finished(MeshData mesh) {
    mesh.bounds = {mesh.vertices.front().position, mesh.vertices.front().position};
    for (const MeshVertex& vertex : mesh.vertices) {
        mesh.bounds.minimum = glm::min(mesh.bounds.minimum, vertex.position);
        mesh.bounds.maximum = glm::max(mesh.bounds.maximum, vertex.position);
    }
    return mesh;
}

} // namespace

// 24 vertices, as a plain cube has; edges and corners are bridged with the faces' own normals, so the
// interpolated normal turns around the edge and catches the light there.
MeshData makeBox() {
    MeshData mesh;
    // vertex index of corner (sx, sy, sz) on the face of an axis
    const auto index = [](int axis, int sx, int sy, int sz) {
        return static_cast<std::uint32_t>(axis * 8 + sx * 4 + sy * 2 + sz);
    };
    const auto sign = [](int bit) { return bit == 1 ? 1.0F : -1.0F; };
    for (int axis = 0; axis < 3; ++axis) {
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 side(sign(corner >> 2 & 1), sign(corner >> 1 & 1), sign(corner & 1));
            Vec3 normal(0.0F);
            normal[axis] = side[axis];
            Vec3 inset = -side;
            inset[axis] = 0.0F;
            addVertex(mesh, side * 0.5F, normal, inset);
        }
    }
    const auto bits = [](int axis, int along, int u, int v) {
        std::array<int, 3> b{};
        b[static_cast<std::size_t>(axis)] = along;
        b[static_cast<std::size_t>((axis + 1) % 3)] = u;
        b[static_cast<std::size_t>((axis + 2) % 3)] = v;
        return b;
    };
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 2; ++side) {
            std::array<std::uint32_t, 4> face{};
            constexpr std::array<std::array<int, 2>, 4> Around = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
            for (std::size_t i = 0; i < 4; ++i) {
                const auto b = bits(axis, side, Around[i][0], Around[i][1]);
                face[i] = index(axis, b[0], b[1], b[2]);
            }
            Vec3 outward(0.0F);
            outward[axis] = sign(side);
            addQuad(mesh, face, outward);
        }
        // The four edges along this axis join the faces of the two others.
        const int first = (axis + 1) % 3;
        const int second = (axis + 2) % 3;
        for (int u = 0; u < 2; ++u) {
            for (int v = 0; v < 2; ++v) {
                const auto low = bits(axis, 0, u, v);
                const auto high = bits(axis, 1, u, v);
                Vec3 outward(0.0F);
                outward[first] = sign(u);
                outward[second] = sign(v);
                addQuad(mesh,
                        {index(first, low[0], low[1], low[2]), index(second, low[0], low[1], low[2]),
                         index(second, high[0], high[1], high[2]), index(first, high[0], high[1], high[2])},
                        outward);
            }
        }
    }
    for (int corner = 0; corner < 8; ++corner) {
        const int x = corner >> 2 & 1;
        const int y = corner >> 1 & 1;
        const int z = corner & 1;
        addTriangle(mesh, index(0, x, y, z), index(1, x, y, z), index(2, x, y, z),
                    Vec3(sign(x), sign(y), sign(z)));
    }
    return finished(std::move(mesh));
}

MeshData makeSphere() {
    MeshData mesh;
    constexpr int Rings = 16;
    std::vector<ProfilePoint> profile;
    for (int r = 0; r <= Rings; ++r) {
        const float angle = Pi * (static_cast<float>(r) / Rings - 0.5F);
        const bool pole = r == 0 || r == Rings;
        profile.push_back({pole ? 0.0F : 0.5F * std::cos(angle), 0.5F * std::sin(angle),
                           pole ? 0.0F : std::cos(angle), std::sin(angle)});
    }
    addRevolution(mesh, profile, 32, true);
    return finished(std::move(mesh));
}

MeshData makeCapsule(float radius, float height) {
    MeshData mesh;
    const float half = std::max(height * 0.5F - radius, 0.0F);
    constexpr int Rings =
        7; // from a pole to the equator; with both equators the ring count is odd, as coarsening needs
    std::vector<ProfilePoint> profile;
    for (int side = 0; side < 2; ++side) {
        for (int r = 0; r <= Rings; ++r) {
            const float angle =
                Pi * 0.5F
                * (side == 0 ? static_cast<float>(r) / Rings - 1.0F : static_cast<float>(r) / Rings);
            const bool pole = side == 0 ? r == 0 : r == Rings;
            profile.push_back({pole ? 0.0F : radius * std::cos(angle),
                               radius * std::sin(angle) + (side == 0 ? -half : half),
                               pole ? 0.0F : std::cos(angle), std::sin(angle)});
        }
        if (side == 0) {
            profile.push_back({radius, 0.0F, 1.0F, 0.0F});
        }
    }
    addRevolution(mesh, profile, 32, true);
    return finished(std::move(mesh));
}

MeshData makeCylinder() {
    MeshData mesh;
    constexpr std::uint32_t Spokes = 28;
    constexpr float Bevel = 0.02F;
    // A narrow bevel whose normals turn from the cap's to the side's.
    addRevolution(mesh,
                  {{0.5F - Bevel, -0.5F, 0.0F, -1.0F},
                   {0.5F, -0.5F + Bevel, 1.0F, 0.0F},
                   {0.5F, 0.5F - Bevel, 1.0F, 0.0F},
                   {0.5F - Bevel, 0.5F, 0.0F, 1.0F}},
                  Spokes, false);
    addDisc(mesh, 0.5F - Bevel, 0.5F, Spokes, {0.0F, 1.0F, 0.0F});
    addDisc(mesh, 0.5F - Bevel, -0.5F, Spokes, {0.0F, -1.0F, 0.0F});
    return finished(std::move(mesh));
}

MeshData makeCone() {
    MeshData mesh;
    constexpr std::uint32_t Spokes = 24;
    // The tip keeps a tiny radius, so that each spoke has its own normal there.
    addRevolution(mesh, {{0.5F, -0.5F, 1.0F, 0.5F}, {1e-4F, 0.5F, 1.0F, 0.5F}}, Spokes, false);
    addDisc(mesh, 0.5F, -0.5F, Spokes, {0.0F, -1.0F, 0.0F});
    return finished(std::move(mesh));
}

MeshData makePlane() {
    MeshData mesh;
    mesh.twoSided = true;
    const Vec3 up(0.0F, 1.0F, 0.0F);
    addQuad(mesh,
            {addVertex(mesh, {-0.5F, 0.0F, -0.5F}, up), addVertex(mesh, {-0.5F, 0.0F, 0.5F}, up),
             addVertex(mesh, {0.5F, 0.0F, 0.5F}, up), addVertex(mesh, {0.5F, 0.0F, -0.5F}, up)},
            up);
    return finished(std::move(mesh));
}

MeshData makeWedge() {
    MeshData mesh;
    const auto face = [&mesh](const std::vector<Vec3>& corners, const Vec3& outward) {
        std::vector<std::uint32_t> ids;
        for (const Vec3& corner : corners) {
            ids.push_back(addVertex(mesh, corner, glm::normalize(outward)));
        }
        for (std::size_t i = 2; i < ids.size(); ++i) {
            addTriangle(mesh, ids[0], ids[i - 1], ids[i], outward);
        }
    };
    const float h = 0.5F;
    face({{-h, -h, h}, {h, -h, h}, {h, h, -h}, {-h, h, -h}}, {0.0F, 1.0F, 1.0F});
    face({{-h, -h, -h}, {h, -h, -h}, {h, -h, h}, {-h, -h, h}}, {0.0F, -1.0F, 0.0F});
    face({{-h, -h, -h}, {-h, h, -h}, {h, h, -h}, {h, -h, -h}}, {0.0F, 0.0F, -1.0F});
    face({{-h, -h, -h}, {-h, -h, h}, {-h, h, -h}}, {-1.0F, 0.0F, 0.0F});
    face({{h, -h, -h}, {h, h, -h}, {h, -h, h}}, {1.0F, 0.0F, 0.0F});
    return finished(std::move(mesh));
}

} // namespace sbx::render
