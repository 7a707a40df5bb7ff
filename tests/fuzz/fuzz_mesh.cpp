// Mesh files, as the import process reads them: any bytes end with a mesh within its limits, or with one line of reasons. The first byte
// of an input says which format the rest is: 'o' OBJ, 'b' binary glTF, anything else glTF.
#include "app/import/mesh_import.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

using namespace sbx;
using namespace sbx::importing;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const char* format = data[0] == 'o' ? "obj" : data[0] == 'b' ? "glb" : "gltf";
    const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
    const auto open = [](const std::string& name) -> Result<std::vector<std::byte>> {
        if (name != "a.bin")
            return makeError("cannot be found");
        return std::vector<std::byte>(72, std::byte{0x3F}); // positions of about 0.75
    };
    const Result<ImportedMesh> mesh = importMesh(format, bytes, open);
    if (!mesh) {
        SBX_FUZZ_MUST(!mesh.error().message.empty());
        return 0;
    }
    SBX_FUZZ_MUST(!mesh->indices.empty() && mesh->indices.size() % 3 == 0
                  && mesh->indices.size() <= render::MaximumMeshIndices);
    SBX_FUZZ_MUST(mesh->vertices.size() <= render::MaximumMeshVertices);
    for (const std::uint32_t index : mesh->indices)
        SBX_FUZZ_MUST(index < mesh->vertices.size());
    for (const render::PackedVertex& vertex : mesh->vertices)
        for (int i = 0; i < 3; ++i)
            SBX_FUZZ_MUST(std::isfinite(vertex.position[i]) && std::isfinite(vertex.normal[i]));
    return 0;
}
