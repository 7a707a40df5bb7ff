#pragma once
// An OBJ file with what a mesh needs of it: vertices, normals, texture coordinates, faces and groups. Everything else is left out,
// material libraries too: they are never opened.

#include "engine/core/result.h"

#include <cstddef>
#include <span>
#include <string>

namespace sbx::importing {

// Error: more vertices, corners or groups than render/detail/packed_mesh.h allows, or a face of more than 4096 corners.
[[nodiscard]] Result<std::string> cleanObj(std::span<const std::byte> file);

} // namespace sbx::importing
