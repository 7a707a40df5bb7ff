#pragma once
// A mesh on its way from the import process: a head, then vertices, then indices, as the machine keeps them.

#include <cstddef>
#include <cstdint>

namespace sbx::render {

// Of one mesh, whatever its file says. Checked before memory is taken.
inline constexpr std::uint64_t MaximumMeshFileSize =
    256ULL * 1024 * 1024; // bytes; of the file and of the buffers it names together
inline constexpr std::uint32_t MaximumMeshVertices = 8'000'000;
inline constexpr std::uint32_t MaximumMeshIndices = 24'000'000;
inline constexpr std::uint32_t MaximumMeshNodes = 65'536; // and primitives, groups
inline constexpr int MaximumMeshDepth = 256;              // of nodes within nodes
inline constexpr int MaximumMeshFiles = 64;               // that a mesh may name
inline constexpr std::size_t MaximumMeshName = 1000;      // bytes of such a name

struct PackedMeshHead {
    std::uint32_t vertices = 0;
    std::uint32_t indices = 0;
};

struct PackedVertex {
    float position[3] = {0.0F, 0.0F, 0.0F};
    float normal[3] = {0.0F, 1.0F, 0.0F};
};

} // namespace sbx::render
