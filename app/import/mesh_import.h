#pragma once
// Reads one mesh of a project by Assimp, in the import process. The file is a stranger's: what reaches Assimp has been checked and
// written anew (clean_gltf.h, clean_obj.h), and Assimp has the one importer for its format and no way to a file.

#include "app/import/clean_gltf.h"
#include "engine/core/result.h"
#include "engine/render/detail/packed_mesh.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sbx::importing {

struct ImportedMesh {
    std::vector<render::PackedVertex> vertices;
    std::vector<std::uint32_t> indices; // three a triangle
};

// `format`: "obj", "gltf" or "glb". All nodes as one mesh in the file's frame, smooth normals made where there are none. Within the
// limits of packed_mesh.h; every index is that of a vertex.
[[nodiscard]] Result<ImportedMesh> importMesh(std::string_view format, std::span<const std::byte> file,
                                              const OpenBuffer& open);

} // namespace sbx::importing
