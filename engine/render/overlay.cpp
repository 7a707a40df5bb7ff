#include "engine/render/overlay.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sbx::render {
namespace {

constexpr int Spokes = 24;

// Two unit vectors that make a right-handed frame with `axis`.
std::pair<Vec3, Vec3> frameAround(const Vec3& axis) {
    const Vec3 helper = std::abs(axis.y) < 0.9F ? Vec3(0.0F, 1.0F, 0.0F) : Vec3(1.0F, 0.0F, 0.0F);
    const Vec3 u = glm::normalize(glm::cross(helper, axis));
    return {u, glm::cross(axis, u)};
}

Vec3 unitOr(const Vec3& v, const Vec3& otherwise) {
    const float length = glm::length(v);
    return length > 1e-12F ? v / length : otherwise;
}

Vec3 spoke(const std::pair<Vec3, Vec3>& frame, int index, int count) {
    const float angle = glm::two_pi<float>() * static_cast<float>(index) / static_cast<float>(count);
    return frame.first * std::cos(angle) + frame.second * std::sin(angle);
}

// A fixed soft light from above right.
Vec4 shade(const Vec4& color, const Vec3& normal) {
    const float light = 0.82F + 0.18F * glm::dot(normal, glm::normalize(Vec3(0.4F, 0.8F, 0.45F)));
    return {Vec3(color) * light, color.a};
}

constexpr std::array<std::array<int, 2>, 12> BoxEdges = {
    {{0, 1}, {1, 3}, {3, 2}, {2, 0}, {4, 5}, {5, 7}, {7, 6}, {6, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

// Bit 0: +X, bit 1: +Y, bit 2: +Z.
std::array<Vec3, 8> boxCorners(const Pose& pose, const Vec3& size) {
    std::array<Vec3, 8> corners{};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3 side((i & 1U) != 0 ? 0.5F : -0.5F, (i & 2U) != 0 ? 0.5F : -0.5F,
                        (i & 4U) != 0 ? 0.5F : -0.5F);
        corners[i] = pose.position + pose.rotation * (pose.scale * size * side);
    }
    return corners;
}

} // namespace

Vec4 displayColor(unsigned rgb, float alpha) {
    const auto channel = [rgb](unsigned shift) { return static_cast<float>(rgb >> shift & 0xFFU) / 255.0F; };
    return {channel(16), channel(8), channel(0), alpha};
}

void DebugDraw::addLine(const Vec3& from, const Vec3& to, const Vec4& color, LineDepth depth) {
    lines.push_back({from, to, color, 1.5F, depth});
}

void DebugDraw::addBox(const Pose& pose, const Vec3& size, const Vec4& color, LineDepth depth) {
    const std::array<Vec3, 8> corners = boxCorners(pose, size);
    for (const auto& edge : BoxEdges) {
        addLine(corners[static_cast<std::size_t>(edge[0])], corners[static_cast<std::size_t>(edge[1])], color,
                depth);
    }
}

void DebugDraw::addCircle(const Vec3& centre, const Vec3& normal, float radius, const Vec4& color,
                          LineDepth depth) {
    const auto frame = frameAround(unitOr(normal, {0.0F, 1.0F, 0.0F}));
    constexpr int Count = 48;
    for (int i = 0; i < Count; ++i) {
        addLine(centre + spoke(frame, i, Count) * radius, centre + spoke(frame, i + 1, Count) * radius, color,
                depth);
    }
}

void DebugDraw::addSphere(const Vec3& centre, float radius, const Vec4& color, LineDepth depth) {
    addCircle(centre, {1.0F, 0.0F, 0.0F}, radius, color, depth);
    addCircle(centre, {0.0F, 1.0F, 0.0F}, radius, color, depth);
    addCircle(centre, {0.0F, 0.0F, 1.0F}, radius, color, depth);
}

void DebugDraw::addCross(const Vec3& centre, float size, const Vec4& color, LineDepth depth) {
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 reach(0.0F);
        reach[axis] = size * 0.5F;
        addLine(centre - reach, centre + reach, color, depth);
    }
}

void Overlay::clear() {
    triangles.clear();
    lines.clear();
}

void Overlay::addCylinder(const Vec3& from, const Vec3& to, float radius, const Vec4& color) {
    const Vec3 axis = unitOr(to - from, {0.0F, 1.0F, 0.0F});
    const auto frame = frameAround(axis);
    for (int i = 0; i < Spokes; ++i) {
        const Vec3 a = spoke(frame, i, Spokes);
        const Vec3 b = spoke(frame, i + 1, Spokes);
        const OverlayVertex low{from + a * radius, shade(color, a)};
        const OverlayVertex nextLow{from + b * radius, shade(color, b)};
        const OverlayVertex high{to + a * radius, shade(color, a)};
        const OverlayVertex nextHigh{to + b * radius, shade(color, b)};
        triangles.insert(triangles.end(), {low, nextLow, nextHigh, low, nextHigh, high});
    }
}

void Overlay::addCone(const Vec3& base, const Vec3& tip, float radius, const Vec4& color) {
    const Vec3 axis = unitOr(tip - base, {0.0F, 1.0F, 0.0F});
    const auto frame = frameAround(axis);
    const float height = std::max(glm::length(tip - base), 1e-6F);
    for (int i = 0; i < Spokes; ++i) {
        const Vec3 a = spoke(frame, i, Spokes);
        const Vec3 b = spoke(frame, i + 1, Spokes);
        const auto lit = [&](const Vec3& out) {
            return shade(color, glm::normalize(out * height + axis * radius));
        };
        triangles.insert(triangles.end(),
                         {OverlayVertex{base + a * radius, lit(a)}, OverlayVertex{base + b * radius, lit(b)},
                          OverlayVertex{tip, lit(unitOr(a + b, a))},
                          OverlayVertex{base + b * radius, shade(color, -axis)},
                          OverlayVertex{base + a * radius, shade(color, -axis)},
                          OverlayVertex{base, shade(color, -axis)}});
    }
}

void Overlay::addSphere(const Vec3& centre, float radius, const Vec4& color) {
    constexpr int Rings = 10;
    const auto frame = std::pair(Vec3(1.0F, 0.0F, 0.0F), Vec3(0.0F, 0.0F, 1.0F));
    const auto at = [&](int ring, int index) {
        const float angle = glm::pi<float>() * (static_cast<float>(ring) / Rings - 0.5F);
        const Vec3 normal = spoke(frame, index, Spokes) * std::cos(angle) + Vec3(0.0F, std::sin(angle), 0.0F);
        return OverlayVertex{centre + normal * radius, shade(color, normal)};
    };
    for (int r = 0; r < Rings; ++r) {
        for (int i = 0; i < Spokes; ++i) {
            triangles.insert(triangles.end(), {at(r, i), at(r, i + 1), at(r + 1, i + 1), at(r, i),
                                               at(r + 1, i + 1), at(r + 1, i)});
        }
    }
}

void Overlay::addBox(const Pose& pose, const Vec3& size, const Vec4& color) {
    const std::array<Vec3, 8> c = boxCorners(pose, size);
    constexpr std::array<std::array<std::size_t, 4>, 6> Faces = {
        {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}}};
    for (const auto& face : Faces) {
        const Vec3 middle = (c[face[0]] + c[face[2]]) * 0.5F;
        const Vec4 shaded = shade(color, unitOr(middle - pose.position, {0.0F, 1.0F, 0.0F}));
        addQuad(c[face[0]], c[face[1]], c[face[2]], c[face[3]], shaded);
    }
}

void Overlay::addQuad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, const Vec4& color) {
    triangles.insert(triangles.end(),
                     {OverlayVertex{a, color}, OverlayVertex{b, color}, OverlayVertex{c, color},
                      OverlayVertex{a, color}, OverlayVertex{c, color}, OverlayVertex{d, color}});
}

void Overlay::addArrow(const Vec3& from, const Vec3& to, float thickness, const Vec4& color) {
    const Vec3 axis = unitOr(to - from, {0.0F, 1.0F, 0.0F});
    const Vec3 neck = to - axis * std::min(thickness * 9.0F, glm::length(to - from));
    addCylinder(from, neck, thickness, color);
    addCone(neck, to, thickness * 3.2F, color);
}

void Overlay::addRing(const Vec3& centre, const Vec3& normal, float radius, float thickness,
                      const Vec4& color) {
    const auto frame = frameAround(unitOr(normal, {0.0F, 1.0F, 0.0F}));
    constexpr int Count = 64;
    const float inner = radius - thickness * 0.5F;
    const float outer = radius + thickness * 0.5F;
    for (int i = 0; i < Count; ++i) {
        const Vec3 a = spoke(frame, i, Count);
        const Vec3 b = spoke(frame, i + 1, Count);
        addQuad(centre + a * inner, centre + a * outer, centre + b * outer, centre + b * inner, color);
    }
}

void Overlay::addLine(const Vec3& from, const Vec3& to, const Vec4& color, float width) {
    lines.push_back({from, to, color, width, LineDepth::OnTop});
}

} // namespace sbx::render
