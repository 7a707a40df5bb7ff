#include "engine/audio/detail/direction_mesh.h"

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sbx::audio {

namespace {

struct Triangle {
    std::array<int, 3> v{};
    glm::dvec3 normal{};
    double offset = 0.0;
};

Triangle makeTriangle(std::span<const glm::dvec3> points, int a, int b, int c) {
    const auto at = [&](int i) { return points[static_cast<std::size_t>(i)]; };
    Triangle triangle{{a, b, c}, glm::cross(at(b) - at(a), at(c) - at(a)), 0.0};
    triangle.offset = glm::dot(triangle.normal, at(a));
    return triangle;
}

// Rings of measurements lie in planes, where a hull has no single answer: each point is moved by some 1e-7,
// always the same way, and the same on the left and the right, so that a symmetric set stays symmetric.
std::vector<glm::dvec3> unsettled(std::span<const glm::dvec3> directions) {
    std::vector<glm::dvec3> points(directions.begin(), directions.end());
    for (glm::dvec3& point : points) {
        point = glm::normalize(point);
        point *= 1.0 + 1e-7 * std::sin(1371.0 * std::abs(point.x) + 911.0 * point.y + 533.0 * point.z);
    }
    return points;
}

std::vector<Triangle> convexHull(std::span<const glm::dvec3> points) {
    const int count = static_cast<int>(points.size());
    const auto at = [&](int i) { return points[static_cast<std::size_t>(i)]; };
    // Four points that span a volume.
    int first = 0, second = -1, third = -1, fourth = -1;
    double best = 1e-6;
    const auto choose = [&](int& slot, auto&& measure) {
        best = 1e-6;
        for (int i = 0; i < count; ++i) {
            if (const double size = measure(at(i)); size > best) {
                best = size;
                slot = i;
            }
        }
        return slot >= 0;
    };
    if (count < 4 || !choose(second, [&](const glm::dvec3& p) { return glm::length(p - at(first)); })
        || !choose(third, [&](const glm::dvec3& p) {
               return glm::length(glm::cross(p - at(first), at(second) - at(first)));
           })) {
        return {};
    }
    const glm::dvec3 normal = glm::cross(at(second) - at(first), at(third) - at(first));
    if (!choose(fourth, [&](const glm::dvec3& p) { return std::abs(glm::dot(normal, p - at(first))); })
        || best < 1e-4) {
        return {};
    }
    if (glm::dot(normal, at(fourth) - at(first)) > 0.0) {
        std::swap(second, third);
    }
    std::vector<Triangle> hull = {
        makeTriangle(points, first, second, third), makeTriangle(points, first, fourth, second),
        makeTriangle(points, second, fourth, third), makeTriangle(points, third, fourth, first)};
    for (int p = 0; p < count; ++p) {
        if (p == first || p == second || p == third || p == fourth) {
            continue;
        }
        std::map<std::pair<int, int>, int>
            edges; // of the faces that see the point; an edge of two such faces falls out
        std::vector<Triangle> kept;
        for (const Triangle& face : hull) {
            if (glm::dot(face.normal, at(p)) <= face.offset) {
                kept.push_back(face);
                continue;
            }
            for (std::size_t e = 0; e < 3; ++e) {
                edges[{face.v[e], face.v[(e + 1) % 3]}] = 1;
            }
        }
        for (const auto& [edge, one] : edges) {
            if (!edges.contains({edge.second, edge.first})) {
                kept.push_back(makeTriangle(points, edge.first, edge.second, p));
            }
        }
        hull = std::move(kept);
    }
    return hull;
}

} // namespace

DirectionMesh::DirectionMesh(std::span<const glm::dvec3> directions) {
    const std::vector<glm::dvec3> points = unsettled(directions);
    const std::vector<Triangle> hull = convexHull(points);
    std::map<std::pair<int, int>, int> owner;
    for (const Triangle& triangle : hull) {
        if (triangle.offset <= 0.0) { // the origin lies outside
            m_faces.clear();
            return;
        }
        Face face;
        face.vertex = triangle.v;
        const auto at = [&](std::size_t i) { return points[static_cast<std::size_t>(triangle.v[i])]; };
        const glm::dmat3 inverse = glm::inverse(glm::dmat3(at(0), at(1), at(2)));
        for (int r = 0; r < 3; ++r) {
            face.row[static_cast<std::size_t>(r)] = glm::vec3(inverse[0][r], inverse[1][r], inverse[2][r]);
        }
        // Solid angle: A. van Oosterom and J. Strackee, "The Solid Angle of a Plane Triangle", 1983.
        face.area =
            2.0
            * std::atan2(std::abs(glm::dot(at(0), glm::cross(at(1), at(2)))),
                         1.0 + glm::dot(at(0), at(1)) + glm::dot(at(1), at(2)) + glm::dot(at(2), at(0)));
        for (std::size_t e = 0; e < 3; ++e) {
            owner[{triangle.v[e], triangle.v[(e + 1) % 3]}] = static_cast<int>(m_faces.size());
        }
        m_faces.push_back(face);
    }
    for (Face& face : m_faces) {
        for (std::size_t e = 0; e < 3; ++e) { // the edge opposite to vertex e runs e+1 -> e+2
            face.neighbour[e] = owner[{face.vertex[(e + 2) % 3], face.vertex[(e + 1) % 3]}];
        }
    }
}

DirectionWeights DirectionMesh::locate(const glm::vec3& direction, int& face) const noexcept {
    const int count = static_cast<int>(m_faces.size());
    int at = face >= 0 && face < count ? face : 0;
    std::array<float, 3> weight{};
    for (int step = 0; step < count; ++step) {
        const Face& here = m_faces[static_cast<std::size_t>(at)];
        for (std::size_t i = 0; i < 3; ++i) {
            weight[i] = glm::dot(here.row[i], direction);
        }
        const auto lowest = static_cast<std::size_t>(
            std::distance(weight.begin(), std::min_element(weight.begin(), weight.end())));
        if (weight[lowest] >= -1e-6F) {
            break;
        }
        at = here.neighbour[lowest];
    }
    face = at;
    float sum = 0.0F;
    for (float& value : weight) {
        value = std::max(value, 0.0F);
        sum += value;
    }
    DirectionWeights result{m_faces[static_cast<std::size_t>(at)].vertex, {1.0F, 0.0F, 0.0F}};
    if (sum > 0.0F) {
        for (std::size_t i = 0; i < 3; ++i) {
            result.weight[i] = weight[i] / sum;
        }
    }
    return result;
}

std::vector<double> DirectionMesh::areas(std::size_t directionCount) const {
    std::vector<double> result(directionCount);
    double total = 0.0;
    for (const Face& face : m_faces) {
        for (const int vertex : face.vertex) {
            result[static_cast<std::size_t>(vertex)] += face.area;
            total += face.area;
        }
    }
    for (double& area : result) {
        area /= total;
    }
    return result;
}

} // namespace sbx::audio
