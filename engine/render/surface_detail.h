#pragma once
// Tiling pictures of stone, plaster, wood, …, computed at start-up: one layer a Material. One mipmapped
// look-up then costs far less than evaluating the pattern in the shader, and never shimmers. Deterministic;
// no OpenGL.

#include "engine/render/scene.h"

#include <cstdint>
#include <vector>

namespace sbx::render {

inline constexpr int DetailSize = 512; // texels an edge
inline constexpr int DetailLayers = 9; // as many as there are materials

// RGBA8, DetailSize squared. Red and green: slope along u and v, 128 flat, ±1 at the ends. Blue: times the
// colour, 128 for once. Alpha: added to roughness, 128 for nothing, ±0.5 at the ends.
[[nodiscard]] std::vector<std::uint8_t> makeDetailLayer(Material material);
// Edge of the layer's tile in metres; 0: the layer covers a face once.
[[nodiscard]] float detailTile(Material material);

} // namespace sbx::render
