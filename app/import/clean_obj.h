#pragma once
// An OBJ file with what a mesh needs of it: vertices, normals, texture coordinates, faces and groups. Everything else is left out,
// material libraries too: they are never opened.

#include "engine/core/result.h"

#include <cstddef>
#include <span>
#include <string>

namespace sbx::importing {

// Error: more vertices, normals and texture coordinates, triangles or groups than render/detail/packed_mesh.h allows, a face of more
// than 4096 corners, or a face that is not made of vertex indices (1, 1/2, 1//3, 1/2/3, also negative).
[[nodiscard]] Result<std::string> cleanObj(std::span<const std::byte> file);

} // namespace sbx::importing
