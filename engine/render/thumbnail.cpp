#include "engine/render/thumbnail.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace sbx::render {

namespace {

constexpr int Samples = 2;                       // along each edge of a pixel
constexpr double Filled = 0.9;                   // of the picture's edge
constexpr std::int64_t MaxPixels = 300'000'000;  // of all triangles together: about a second

using DVec3 = glm::dvec3;

struct Projected {
    double x = 0.0; // samples from the left
    double y = 0.0; // from the top
    double z = 0.0; // towards the viewer
};

// Where the viewer is, and what is right and up of the picture.
struct Eye {
    DVec3 towards = glm::normalize(DVec3(0.9, 0.75, 1.2));
    DVec3 right = glm::normalize(glm::cross(DVec3(0.0, 1.0, 0.0), towards));
    DVec3 up = glm::cross(towards, right);
};

struct Canvas {
    int edge;
    std::vector<float> depth;
    std::vector<float> shade; // below 0: nothing was drawn
    std::int64_t pixels = 0;

    explicit Canvas(int samples)
        : edge(samples),
          depth(static_cast<std::size_t>(samples) * static_cast<std::size_t>(samples), std::numeric_limits<float>::lowest()),
          shade(depth.size(), -1.0F) {}
};

// Of a surface that looks that way, in the encoding of the screen. Both sides are lit: surfaces of files are often turned about.
float shadeOf(const DVec3& normal, const Eye& eye) {
    const double length = glm::length(normal);
    if (!(length > 0.0))
        return 0.5F;
    DVec3 n = normal / length;
    if (glm::dot(n, eye.towards) < 0.0)
        n = -n;
    const double key = std::max(0.0, glm::dot(n, glm::normalize(eye.towards * 0.4 + eye.up * 0.9 - eye.right * 0.5)));
    const double fill = std::max(0.0, glm::dot(n, glm::normalize(eye.towards * 0.4 + eye.right)));
    return static_cast<float>(std::min(1.0, 0.28 + 0.52 * key + 0.16 * fill));
}

double edgeOf(const Projected& a, const Projected& b, double x, double y) { return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x); }

void fill(Canvas& canvas, const std::array<Projected, 3>& corner, const std::array<float, 3>& shade) {
    const double area = edgeOf(corner[0], corner[1], corner[2].x, corner[2].y);
    if (!(std::abs(area) > 1e-12))
        return;
    const auto clamped = [&](double value) { return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(canvas.edge - 1))); };
    const auto [left, right] = std::minmax({corner[0].x, corner[1].x, corner[2].x});
    const auto [top, bottom] = std::minmax({corner[0].y, corner[1].y, corner[2].y});
    const int fromX = clamped(std::floor(left));
    const int toX = clamped(std::ceil(right));
    const int fromY = clamped(std::floor(top));
    const int toY = clamped(std::ceil(bottom));
    canvas.pixels += std::int64_t{toX - fromX + 1} * (toY - fromY + 1);
    for (int y = fromY; y <= toY; ++y) {
        for (int x = fromX; x <= toX; ++x) {
            const double px = x + 0.5;
            const double py = y + 0.5;
            const double a = edgeOf(corner[1], corner[2], px, py) / area;
            const double b = edgeOf(corner[2], corner[0], px, py) / area;
            const double c = 1.0 - a - b;
            if (a < 0.0 || b < 0.0 || c < 0.0)
                continue;
            const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(canvas.edge) + static_cast<std::size_t>(x);
            const auto z = static_cast<float>(a * corner[0].z + b * corner[1].z + c * corner[2].z);
            if (z <= canvas.depth[at])
                continue;
            canvas.depth[at] = z;
            canvas.shade[at] = static_cast<float>(a) * shade[0] + static_cast<float>(b) * shade[1] + static_cast<float>(c) * shade[2];
        }
    }
}

Image reduced(const Canvas& canvas, int size) {
    Image out{size, size, std::vector<std::uint8_t>(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 4)};
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            float sum = 0.0F;
            int count = 0;
            for (int sample = 0; sample < Samples * Samples; ++sample) {
                const auto row = static_cast<std::size_t>(y * Samples + sample / Samples);
                const auto column = static_cast<std::size_t>(x * Samples + sample % Samples);
                const float shade = canvas.shade[row * static_cast<std::size_t>(canvas.edge) + column];
                if (shade < 0.0F)
                    continue;
                sum += shade;
                ++count;
            }
            if (count == 0)
                continue;
            std::uint8_t* const pixel = &out.rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(size) + static_cast<std::size_t>(x)) * 4];
            const float shade = sum / static_cast<float>(count);
            pixel[0] = static_cast<std::uint8_t>(std::lround(shade * 226.0F));
            pixel[1] = static_cast<std::uint8_t>(std::lround(shade * 231.0F));
            pixel[2] = static_cast<std::uint8_t>(std::lround(shade * 240.0F));
            pixel[3] = static_cast<std::uint8_t>(255 * count / (Samples * Samples));
        }
    }
    return out;
}

} // namespace

Image drawThumbnail(const MeshData& mesh, int size) {
    size = std::clamp(size, 8, 1024);
    Canvas canvas(size * Samples);
    const Eye eye;
    const DVec3 centre = (DVec3(mesh.bounds.minimum) + DVec3(mesh.bounds.maximum)) * 0.5;
    std::vector<Projected> points;
    std::vector<float> shades;
    points.reserve(mesh.vertices.size());
    shades.reserve(mesh.vertices.size());
    double left = 0.0;
    double right = 0.0;
    double top = 0.0;
    double bottom = 0.0;
    for (const MeshVertex& vertex : mesh.vertices) {
        const DVec3 from = DVec3(vertex.position) - centre;
        const Projected point{glm::dot(from, eye.right), -glm::dot(from, eye.up), glm::dot(from, eye.towards)};
        points.push_back(point);
        shades.push_back(shadeOf(DVec3(vertex.normal), eye));
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        top = std::min(top, point.y);
        bottom = std::max(bottom, point.y);
    }
    const double extent = std::max(right - left, bottom - top);
    const double scale = extent > 0.0 && std::isfinite(extent) ? Filled * canvas.edge / extent : 0.0;
    for (Projected& point : points)
        point = {(point.x - (left + right) * 0.5) * scale + canvas.edge * 0.5,
                 (point.y - (top + bottom) * 0.5) * scale + canvas.edge * 0.5, point.z * scale};
    for (std::size_t i = 0; i + 2 < mesh.indices.size() && canvas.pixels < MaxPixels; i += 3) {
        const std::array<std::uint32_t, 3> corner{mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]};
        fill(canvas, {points[corner[0]], points[corner[1]], points[corner[2]]}, {shades[corner[0]], shades[corner[1]], shades[corner[2]]});
    }
    return reduced(canvas, size);
}

} // namespace sbx::render
