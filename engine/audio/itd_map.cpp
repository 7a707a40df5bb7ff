#include "engine/audio/detail/itd_map.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::audio {

namespace {

using std::numbers::pi;

constexpr int Columns = 120; // azimuth, 3 degrees
constexpr int Rows = 61;     // elevation -90 to 90
constexpr int Width = Columns + 4;
constexpr int Height = Rows + 4;

// Real spherical harmonics up to `order` at azimuth a and elevation e, fully normalised up to a common
// factor.
std::vector<double> harmonics(int order, const glm::dvec3& direction) {
    const glm::dvec3 d = glm::normalize(direction);
    const double azimuth = std::atan2(d.x, -d.z);
    const double sine = std::clamp(d.y, -1.0, 1.0);
    const double cosine = std::sqrt(1.0 - sine * sine);
    const auto size = static_cast<std::size_t>(order + 1);
    std::vector<double> legendre(size * size);
    const auto p = [&](int l, int m) -> double& {
        return legendre[static_cast<std::size_t>(l) * size + static_cast<std::size_t>(m)];
    };
    p(0, 0) = 1.0;
    for (int m = 1; m <= order; ++m) {
        p(m, m) = p(m - 1, m - 1) * cosine * std::sqrt((2.0 * m + 1.0) / (2.0 * m));
    }
    for (int m = 0; m < order; ++m) {
        p(m + 1, m) = p(m, m) * sine * std::sqrt(2.0 * m + 3.0);
        for (int l = m + 2; l <= order; ++l) {
            const double a =
                std::sqrt((4.0 * l * l - 1.0) / (static_cast<double>(l) * l - static_cast<double>(m) * m));
            const double b = std::sqrt(((l - 1.0) * (l - 1.0) - static_cast<double>(m) * m)
                                       / (4.0 * (l - 1.0) * (l - 1.0) - 1.0));
            p(l, m) = a * (sine * p(l - 1, m) - b * p(l - 2, m));
        }
    }
    std::vector<double> values;
    for (int l = 0; l <= order; ++l) {
        values.push_back(p(l, 0));
        for (int m = 1; m <= l; ++m) {
            values.push_back(p(l, m) * std::numbers::sqrt2 * std::cos(m * azimuth));
            values.push_back(p(l, m) * std::numbers::sqrt2 * std::sin(m * azimuth));
        }
    }
    return values;
}

// Solves the symmetric positive definite system in place (Cholesky).
void solve(std::vector<double>& matrix, std::vector<double>& right) {
    const std::size_t n = right.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = matrix[i * n + j];
            for (std::size_t k = 0; k < j; ++k) {
                sum -= matrix[i * n + k] * matrix[j * n + k];
            }
            matrix[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-30)) : sum / matrix[j * n + j];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            right[i] -= matrix[i * n + k] * right[k];
        }
        right[i] /= matrix[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) {
            right[i] -= matrix[k * n + i] * right[k];
        }
        right[i] /= matrix[i * n + i];
    }
}

// Weights of the cubic that meets the two middle values with central slopes (E. Catmull and R. Rom, 1974).
void cubicWeights(float f, float* w) {
    w[0] = ((-0.5F * f + 1.0F) * f - 0.5F) * f;
    w[1] = (1.5F * f - 2.5F) * f * f + 1.0F;
    w[2] = ((-1.5F * f + 2.0F) * f + 0.5F) * f;
    w[3] = (0.5F * f - 0.5F) * f * f;
}

} // namespace

ItdMap::ItdMap(const std::function<double(const glm::dvec3&)>& seconds)
    : m_grid(static_cast<std::size_t>(Width * Height)) {
    for (int y = 0; y < Height; ++y) {
        for (int x = 0; x < Width; ++x) {
            // Rows beyond a pole go on down the other side: the formula does that by itself.
            const double elevation = (y - 2) * pi / (Rows - 1) - pi / 2.0;
            const double azimuth = (x - 2) * 2.0 * pi / Columns - pi;
            const glm::dvec3 direction(std::cos(elevation) * std::sin(azimuth), std::sin(elevation),
                                       -std::cos(elevation) * std::cos(azimuth));
            m_grid[static_cast<std::size_t>(y * Width + x)] = static_cast<float>(seconds(direction));
        }
    }
}

ItdMap ItdMap::fit(std::span<const glm::dvec3> directions, std::span<const double> seconds) {
    // About two directions for each unknown: KEMAR's 710 are met to 3 us rms, and those left out to 5.
    const int order =
        std::clamp(static_cast<int>(std::sqrt(static_cast<double>(directions.size()) / 1.9)) - 1, 1, 18);
    const std::size_t count = static_cast<std::size_t>((order + 1) * (order + 1));
    std::vector<double> matrix(count * count);
    std::vector<double> right(count);
    for (std::size_t d = 0; d < directions.size(); ++d) {
        const std::vector<double> row = harmonics(order, directions[d]);
        for (std::size_t i = 0; i < count; ++i) {
            right[i] += row[i] * seconds[d];
            for (std::size_t j = 0; j <= i; ++j) {
                matrix[i * count + j] += row[i] * row[j];
            }
        }
    }
    // Where nothing was measured (below the floor of most sets), the smoothest answer.
    std::size_t i = 0;
    for (int l = 0; l <= order; ++l) {
        for (int m = 0; m < 2 * l + 1; ++m, ++i) {
            matrix[i * count + i] += 1e-6 * static_cast<double>(directions.size()) * (1.0 + std::pow(l, 4));
        }
    }
    solve(matrix, right);
    return ItdMap([&](const glm::dvec3& direction) {
        const std::vector<double> row = harmonics(order, direction);
        double sum = 0.0;
        for (std::size_t k = 0; k < count; ++k) {
            sum += row[k] * right[k];
        }
        return sum;
    });
}

float ItdMap::at(const glm::vec3& direction) const noexcept {
    const float flat = std::sqrt(direction.x * direction.x + direction.z * direction.z);
    const float azimuth = std::atan2(direction.x, -direction.z);
    const float elevation = std::atan2(direction.y, flat);
    const float x =
        (azimuth + std::numbers::pi_v<float>)*(Columns / (2.0F * std::numbers::pi_v<float>)) + 2.0F;
    const float y =
        (elevation + std::numbers::pi_v<float> / 2.0F) * ((Rows - 1) / std::numbers::pi_v<float>)+2.0F;
    const int column = std::clamp(static_cast<int>(x), 1, Width - 3);
    const int row = std::clamp(static_cast<int>(y), 1, Height - 3);
    float wx[4];
    float wy[4];
    cubicWeights(x - static_cast<float>(column), wx);
    cubicWeights(y - static_cast<float>(row), wy);
    float sum = 0.0F;
    for (int j = 0; j < 4; ++j) {
        const float* g = m_grid.data() + (row - 1 + j) * Width + column - 1;
        sum += wy[j] * (g[0] * wx[0] + g[1] * wx[1] + g[2] * wx[2] + g[3] * wx[3]);
    }
    return sum;
}

} // namespace sbx::audio
