#pragma once
// A glTF 2.0 file (The Khronos Group, "glTF 2.0 Specification", 2021) with what a mesh needs of it: the nodes of its scene, their
// triangles, and the buffers these lie in. Everything else is left out. What is kept has been checked: numbers are numbers, ranges lie
// in their buffers, indices name vertices, nodes are a tree, and what it comes to when all nodes are expanded is within the limits.

#include "engine/core/result.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sbx::importing {

// The bytes of a buffer that lies in a file of its own, by its uri.
using OpenBuffer = std::function<Result<std::vector<std::byte>>(const std::string& name)>;

struct CleanGltf {
    std::string json; // its buffers are called "0.bin", "1.bin", …
    std::vector<std::vector<std::byte>> buffers;
};

// A .gltf, or a .glb if `binary`.
[[nodiscard]] Result<CleanGltf> cleanGltf(std::span<const std::byte> file, bool binary,
                                          const OpenBuffer& open);

} // namespace sbx::importing
