#pragma once
// The uniform block "Frame" of every shader (shaders.cpp mirrors it, std140). Internal to engine/render.

#include "engine/core/math.h"

#include <array>
#include <cstddef>

namespace sbx::render {

inline constexpr std::size_t MaximumLights = 8;

struct FrameBlock {
    Mat4 viewProjection{1.0F};
    Mat4 shadowMatrix{1.0F};
    Vec4 cameraPosition{0.0F};
    Vec4 cameraRight{0.0F};
    Vec4 cameraUp{0.0F};
    Vec4 cameraForward{0.0F}; // w: above 0 where the picture is orthographic
    Vec4 toSun{0.0F};
    Vec4 sunColor{0.0F};
    Vec4 zenith{0.0F};
    Vec4 horizon{0.0F};
    Vec4 groundColor{0.0F};
    Vec4 shadowScale{1.0F};
    std::array<Vec4, 3> scattered{};
    Vec4 shadowRight{0.0F};
    Vec4 shadowUp{0.0F};
    Vec4 heightArea{0.0F};
    Vec4 heightRange{0.0F};
    Vec4 viewport{1.0F};
    std::array<Vec4, MaximumLights> lightPosition{};
    std::array<Vec4, MaximumLights> lightColor{};
};
static_assert(sizeof(FrameBlock) == 2 * 64 + 18 * 16 + 2 * MaximumLights * 16);

} // namespace sbx::render
