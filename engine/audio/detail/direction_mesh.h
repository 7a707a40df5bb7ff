#pragma once
// Triangles between measured directions: which three surround a direction, and with what weights. Immutable
// after construction; locate() is for the audio thread.
// Weights: V. Pulkki, "Virtual Sound Source Positioning Using Vector Base Amplitude Panning", 1997
// (normalised to sum 1).

#include <glm/vec3.hpp>

#include <array>
#include <span>
#include <vector>

namespace sbx::audio {

struct DirectionWeights {
    std::array<int, 3> index{};
    std::array<float, 3> weight{}; // >= 0, sum 1
};

class DirectionMesh {
public:
    DirectionMesh() = default;
    // Unit vectors that surround the origin: the convex hull. Empty when they do not.
    explicit DirectionMesh(std::span<const glm::dvec3> directions);

    [[nodiscard]] bool empty() const { return m_faces.empty(); }
    [[nodiscard]] std::size_t faceCount() const { return m_faces.size(); }
    // `face`: where to start walking, updated; any value is allowed.
    [[nodiscard]] DirectionWeights locate(const glm::vec3& direction, int& face) const noexcept;
    // Share of the sphere nearest to each direction (sum 1): a third of each adjacent triangle.
    [[nodiscard]] std::vector<double> areas(std::size_t directionCount) const;

private:
    struct Face {
        std::array<int, 3> vertex{};
        std::array<int, 3> neighbour{}; // across the edge opposite to vertex i
        std::array<glm::vec3, 3> row{}; // rows of the inverse of the vertex matrix
        double area = 0.0;
    };
    std::vector<Face> m_faces;
};

} // namespace sbx::audio
