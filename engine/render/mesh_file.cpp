#include "engine/render/mesh.h"

#include "engine/core/ascii_case.h"

#include <assimp/config.h>
#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <exception>
#include <limits>
#include <system_error>

namespace sbx::render {
namespace {

constexpr std::uintmax_t MaximumFileSize = 256ULL * 1024 * 1024;
constexpr std::size_t MaximumVertices = 8'000'000;
constexpr int MaximumDepth = 256;

std::string oneLine(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20U; }, ' ');
    while (!text.empty() && text.back() == ' ') {
        text.pop_back();
    }
    return text;
}

Vec3 toVec3(const aiVector3D& v) { return {v.x, v.y, v.z}; }

// Adds a node's meshes and its children's, in the file's frame. False: too deep or too large.
bool addNode(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent, int depth, MeshData& out) {
    if (depth > MaximumDepth) {
        return false;
    }
    const aiMatrix4x4 matrix = parent * node.mTransformation;
    aiMatrix3x3 normalMatrix(matrix);
    const bool mirrored = normalMatrix.Determinant() < 0.0F;
    normalMatrix.Inverse().Transpose();
    for (unsigned m = 0; m < node.mNumMeshes; ++m) {
        const aiMesh& mesh = *scene.mMeshes[node.mMeshes[m]];
        if (out.vertices.size() + mesh.mNumVertices > MaximumVertices) {
            return false;
        }
        const auto first = static_cast<std::uint32_t>(out.vertices.size());
        for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
            MeshVertex vertex;
            vertex.position = toVec3(matrix * mesh.mVertices[v]);
            if (mesh.HasNormals()) {
                const Vec3 normal = toVec3(normalMatrix * mesh.mNormals[v]);
                const float length = glm::length(normal);
                vertex.normal =
                    length > 1e-12F && isFinite(normal) ? normal / length : Vec3(0.0F, 1.0F, 0.0F);
            }
            out.vertices.push_back(vertex);
        }
        for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
            const aiFace& face = mesh.mFaces[f];
            if (face.mNumIndices != 3) {
                continue;
            }
            const unsigned a = face.mIndices[0];
            const unsigned b = face.mIndices[mirrored ? 2 : 1];
            const unsigned c = face.mIndices[mirrored ? 1 : 2];
            if (a < mesh.mNumVertices && b < mesh.mNumVertices && c < mesh.mNumVertices) {
                out.indices.insert(out.indices.end(), {first + a, first + b, first + c});
            }
        }
    }
    for (unsigned c = 0; c < node.mNumChildren; ++c) {
        if (!addNode(scene, *node.mChildren[c], matrix, depth + 1, out)) {
            return false;
        }
    }
    return true;
}

} // namespace

Result<MeshData> loadMesh(const std::filesystem::path& path) {
    const std::string file = path.string();
    const auto fail = [&file](std::string what) { return Error{std::move(what), file, {}}; };
    std::error_code fault;
    const auto status = std::filesystem::status(path, fault);
    if (fault || status.type() == std::filesystem::file_type::not_found) {
        return fail("the mesh file cannot be found");
    }
    if (!std::filesystem::is_regular_file(status)) {
        return fail("expected a mesh file, found a folder or a device");
    }
    const std::uintmax_t size = std::filesystem::file_size(path, fault);
    if (fault || size == 0) {
        return fail("the mesh file is empty or cannot be read");
    }
    if (size > MaximumFileSize) {
        return fail("the mesh file is larger than 256 MB");
    }
    const std::string extension = lowered(path.extension().string());
    if (extension != ".obj" && extension != ".gltf" && extension != ".glb") {
        return fail("\"" + extension + "\" is no mesh format; expected .obj, .gltf or .glb");
    }

    MeshData mesh;
    mesh.twoSided = true;
    try {
        Assimp::Importer importer;
        // Points and lines are dropped, so that what is left is triangles.
        importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
        const aiScene* scene =
            importer.ReadFile(file, aiProcess_Triangulate | aiProcess_SortByPType
                                        | aiProcess_JoinIdenticalVertices | aiProcess_GenSmoothNormals);
        if (!scene || !scene->mRootNode) {
            return fail("malformed mesh: " + oneLine(importer.GetErrorString()));
        }
        if (!addNode(*scene, *scene->mRootNode, aiMatrix4x4(), 0, mesh)) {
            return fail("the mesh has more than 8 million vertices or nodes nested more than 256 deep");
        }
    } catch (const std::exception& exception) {
        return fail("malformed mesh: " + oneLine(exception.what()));
    }
    if (mesh.indices.empty()) {
        return fail("the mesh has no triangles");
    }
    mesh.bounds = {Vec3(std::numeric_limits<float>::max()), Vec3(std::numeric_limits<float>::lowest())};
    for (const MeshVertex& vertex : mesh.vertices) {
        if (!isFinite(vertex.position)) {
            return fail("a vertex of the mesh is not a finite number");
        }
        mesh.bounds.minimum = glm::min(mesh.bounds.minimum, vertex.position);
        mesh.bounds.maximum = glm::max(mesh.bounds.maximum, vertex.position);
    }
    return mesh;
}

} // namespace sbx::render
