#include "app/import/mesh_import.h"

#include "app/import/clean_obj.h"

#include <assimp/BaseImporter.h>
#include <assimp/config.h>
#include <assimp/Importer.hpp>
#include <assimp/importerdesc.h>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <string>

namespace sbx::importing {

namespace {

using Files = std::map<std::string, std::span<const std::byte>, std::less<>>;

class MemoryStream final : public Assimp::IOStream {
public:
    explicit MemoryStream(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    std::size_t Read(void* out, std::size_t size, std::size_t count) override {
        if (size == 0)
            return 0;
        const std::size_t whole = std::min(count, (m_bytes.size() - m_at) / size);
        if (whole != 0)
            std::memcpy(out, m_bytes.data() + m_at, whole * size);
        m_at += whole * size;
        return whole;
    }
    std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
    aiReturn Seek(std::size_t offset, aiOrigin origin) override {
        const std::size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? m_at : m_bytes.size();
        if (offset > m_bytes.size() - base)
            return aiReturn_FAILURE;
        m_at = base + offset;
        return aiReturn_SUCCESS;
    }
    std::size_t Tell() const override { return m_at; }
    std::size_t FileSize() const override { return m_bytes.size(); }
    void Flush() override {}

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
};

// All the files there are for Assimp.
class MemoryFiles final : public Assimp::IOSystem {
public:
    explicit MemoryFiles(Files files) : m_files(std::move(files)) {}
    bool Exists(const char* name) const override { return find(name) != m_files.end(); }
    char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char* name, const char*) override {
        const auto found = find(name);
        return found == m_files.end() ? nullptr : std::make_unique<MemoryStream>(found->second).release();
    }
    void Close(Assimp::IOStream* stream) override { const std::unique_ptr<Assimp::IOStream> closed(stream); }

private:
    [[nodiscard]] Files::const_iterator find(std::string_view name) const {
        while (name.starts_with("./"))
            name.remove_prefix(2);
        return m_files.find(name);
    }
    Files m_files;
};

// Assimp with one importer, the first that is for the extension and whose name begins so.
bool keepOnly(Assimp::Importer& importer, std::string_view name) {
    for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
        const aiImporterDesc* about = importer.GetImporterInfo(i);
        if (about == nullptr || std::string_view(about->mName) != name) {
            Assimp::BaseImporter* unwanted = importer.GetImporter(i);
            importer.UnregisterLoader(unwanted);
            const std::unique_ptr<Assimp::BaseImporter> gone(unwanted);
        }
    }
    return importer.GetImporterCount() == 1;
}

class Collector {
public:
    explicit Collector(const aiScene& scene) : m_scene(scene) {}

    // Adds a node's meshes and its children's, in the file's frame.
    Result<void> add(const aiNode& node, const aiMatrix4x4& parent, int depth, ImportedMesh& out) const {
        if (depth > render::MaximumMeshDepth + 1) // Assimp may put a root of its own above
            return makeError("has nodes nested more than " + std::to_string(render::MaximumMeshDepth)
                             + " deep");
        const aiMatrix4x4 matrix = parent * node.mTransformation;
        for (unsigned m = 0; m < node.mNumMeshes; ++m)
            if (const Result<void> done = add(*m_scene.mMeshes[node.mMeshes[m]], matrix, out); !done)
                return done;
        for (unsigned c = 0; c < node.mNumChildren; ++c)
            if (const Result<void> done = add(*node.mChildren[c], matrix, depth + 1, out); !done)
                return done;
        return {};
    }

private:
    static Result<void> add(const aiMesh& mesh, const aiMatrix4x4& matrix, ImportedMesh& out) {
        if (out.vertices.size() + mesh.mNumVertices > render::MaximumMeshVertices)
            return makeError("has more than " + std::to_string(render::MaximumMeshVertices) + " vertices");
        if (out.indices.size() + std::size_t{3} * mesh.mNumFaces > render::MaximumMeshIndices)
            return makeError("has more than " + std::to_string(render::MaximumMeshIndices / 3)
                             + " triangles");
        aiMatrix3x3 normalMatrix(matrix);
        const bool mirrored = normalMatrix.Determinant() < 0.0F;
        normalMatrix.Inverse().Transpose();
        const auto first = static_cast<std::uint32_t>(out.vertices.size());
        for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
            render::PackedVertex vertex;
            const aiVector3D position = matrix * mesh.mVertices[v];
            vertex.position[0] = position.x;
            vertex.position[1] = position.y;
            vertex.position[2] = position.z;
            if (mesh.HasNormals()) {
                const aiVector3D normal = normalMatrix * mesh.mNormals[v];
                const float length =
                    std::sqrt(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
                if (std::isfinite(length) && length > 1e-12F) {
                    vertex.normal[0] = normal.x / length;
                    vertex.normal[1] = normal.y / length;
                    vertex.normal[2] = normal.z / length;
                }
            }
            out.vertices.push_back(vertex);
        }
        for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
            const aiFace& face = mesh.mFaces[f];
            if (face.mNumIndices != 3)
                continue;
            const unsigned a = face.mIndices[0];
            const unsigned b = face.mIndices[mirrored ? 2 : 1];
            const unsigned c = face.mIndices[mirrored ? 1 : 2];
            if (a < mesh.mNumVertices && b < mesh.mNumVertices && c < mesh.mNumVertices)
                out.indices.insert(out.indices.end(), {first + a, first + b, first + c});
        }
        return {};
    }

    const aiScene& m_scene;
};

Result<ImportedMesh> read(const char* name, const char* importerName, Files files) {
    Assimp::Importer importer;
    if (!keepOnly(importer, importerName))
        return makeError("cannot be read: this Assimp has no " + std::string(importerName));
    importer.SetIOHandler(std::make_unique<MemoryFiles>(std::move(files)).release()); // the importer owns it
    // Points and lines are dropped, so that what is left is triangles.
    importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const aiScene* scene =
        importer.ReadFile(name, aiProcess_Triangulate | aiProcess_SortByPType
                                    | aiProcess_JoinIdenticalVertices | aiProcess_GenSmoothNormals);
    if (scene == nullptr || scene->mRootNode == nullptr) {
        const std::string why = importer.GetErrorString();
        if (why.find("bad_alloc") != std::string::npos)
            throw std::bad_alloc();
        return makeError("is malformed: " + (why.empty() ? "no mesh was found" : why));
    }
    ImportedMesh mesh;
    if (const Result<void> done = Collector(*scene).add(*scene->mRootNode, aiMatrix4x4(), 0, mesh); !done)
        return done.error();
    if (mesh.indices.empty())
        return makeError("has no triangles");
    for (const render::PackedVertex& vertex : mesh.vertices)
        for (const float number : vertex.position)
            if (!std::isfinite(number))
                return makeError("has a vertex that is not a finite number");
    return mesh;
}

} // namespace

Result<ImportedMesh> importMesh(std::string_view format, std::span<const std::byte> file,
                                const OpenBuffer& open) {
    try {
        if (format == "obj") {
            const Result<std::string> clean = cleanObj(file);
            if (!clean)
                return clean.error();
            return read("mesh.obj", "Wavefront Object Importer",
                        {{"mesh.obj", std::as_bytes(std::span(*clean))}});
        }
        if (format != "gltf" && format != "glb")
            return makeError("is no mesh format; expected .obj, .gltf or .glb");
        const Result<CleanGltf> clean = cleanGltf(file, format == "glb", open);
        if (!clean)
            return clean.error();
        Files files{{"mesh.gltf", std::as_bytes(std::span(clean->json))}};
        for (std::size_t i = 0; i < clean->buffers.size(); ++i)
            files.emplace(std::to_string(i) + ".bin", clean->buffers[i]);
        return read("mesh.gltf", "glTF2 Importer", std::move(files));
    } catch (const std::bad_alloc&) {
        return makeError("needs more memory than reading a file may take");
    } catch (const std::exception& fault) {
        return makeError(std::string("is malformed: ") + fault.what());
    }
}

} // namespace sbx::importing
