#include "engine/core/ascii_case.h"
#include "engine/core/import_process.h"
#include "engine/core/value.h"
#include "engine/render/detail/packed_mesh.h"
#include "engine/render/mesh.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <limits>

namespace sbx::render {
namespace {

constexpr std::size_t PieceVertices = 4096; // unpacked at a time

// A conversation with the process that reads one mesh.
class MeshReading {
public:
    MeshReading(const AssetRef& asset, ImportProcess process, std::uint64_t size,
                std::vector<MeshPart>& parts)
        : m_asset(asset), m_process(std::move(process)), m_left(MaximumMeshFileSize - size), m_parts(parts) {}

    Result<MeshData> run() {
        while (true) {
            const Result<FrameHead> head = m_process.next();
            if (!head)
                return head.error();
            if (head->kind == FrameKind::Mesh)
                return unpack(head->length);
            if (head->kind != FrameKind::Open || ++m_files > MaximumMeshFiles)
                return ImportProcess::malformed();
            if (const Result<void> done = give(head->length); !done)
                return done.error();
        }
    }

private:
    // Another file that the mesh is made of, beside it or elsewhere in the project's folder.
    Result<void> give(std::uint64_t length) {
        if (length == 0 || length > MaximumMeshName)
            return ImportProcess::malformed();
        std::string name(static_cast<std::size_t>(length), '\0');
        if (const Result<void> got = m_process.receive(std::as_writable_bytes(std::span(name))); !got)
            return got.error();
        const AssetRef part{m_asset.folder,
                            (std::filesystem::path(m_asset.name).parent_path() / name).string()};
        const Result<AssetFile> file = openAsset(part, m_left);
        m_parts.push_back({part.name, file ? file->identity() : FileIdentity{}});
        if (!file)
            return m_process.send(FrameKind::Refused, std::as_bytes(std::span(file.error().message)));
        m_left -= file->size();
        return m_process.send(FrameKind::File, {}, file->descriptor());
    }

    // The answer is not trusted: lengths, indices and numbers are checked here, in the program that uses them.
    Result<MeshData> unpack(std::uint64_t length) {
        PackedMeshHead head;
        if (length < sizeof head)
            return ImportProcess::malformed();
        if (const Result<void> got = m_process.receive(std::as_writable_bytes(std::span(&head, 1))); !got)
            return got.error();
        const std::uint64_t wanted = sizeof head + std::uint64_t{head.vertices} * sizeof(PackedVertex)
                                     + std::uint64_t{head.indices} * sizeof(std::uint32_t);
        if (head.vertices > MaximumMeshVertices || head.indices > MaximumMeshIndices || head.indices % 3 != 0
            || length != wanted)
            return ImportProcess::malformed();
        if (head.indices == 0)
            return makeError("has no triangles");
        MeshData mesh;
        mesh.twoSided = true;
        mesh.bounds = {Vec3(std::numeric_limits<float>::max()), Vec3(std::numeric_limits<float>::lowest())};
        mesh.vertices.resize(head.vertices);
        std::vector<PackedVertex> piece;
        for (std::size_t done = 0; done < head.vertices; done += piece.size()) {
            piece.resize(std::min<std::size_t>(PieceVertices, head.vertices - done));
            if (const Result<void> got = m_process.receive(std::as_writable_bytes(std::span(piece))); !got)
                return got.error();
            for (std::size_t i = 0; i < piece.size(); ++i) {
                const PackedVertex& packed = piece[i];
                const Vec3 position(packed.position[0], packed.position[1], packed.position[2]);
                const Vec3 normal(packed.normal[0], packed.normal[1], packed.normal[2]);
                if (!isFinite(position) || !isFinite(normal))
                    return makeError("has a vertex that is not a finite number");
                mesh.vertices[done + i].position = position;
                mesh.vertices[done + i].normal = normal;
                mesh.bounds.minimum = glm::min(mesh.bounds.minimum, position);
                mesh.bounds.maximum = glm::max(mesh.bounds.maximum, position);
            }
        }
        mesh.indices.resize(head.indices);
        if (const Result<void> got = m_process.receive(std::as_writable_bytes(std::span(mesh.indices))); !got)
            return got.error();
        if (std::any_of(mesh.indices.begin(), mesh.indices.end(),
                        [&](std::uint32_t i) { return i >= head.vertices; }))
            return ImportProcess::malformed();
        return mesh;
    }

    const AssetRef& m_asset;
    ImportProcess m_process;
    std::uint64_t m_left; // bytes that further files may have together
    std::vector<MeshPart>& m_parts;
    int m_files = 0;
};

} // namespace

Result<MeshData> loadMesh(const AssetRef& asset, std::vector<MeshPart>& parts, const ImportOptions& options) {
    const auto fail = [&asset](const std::string& what) {
        return Error{"mesh " + inQuotes(asset.name) + ' ' + what, asset.path().string(), {}};
    };
    parts.clear();
    const std::string extension = lowered(std::filesystem::path(asset.name).extension().string());
    if (extension != ".obj" && extension != ".gltf" && extension != ".glb")
        return fail("is no mesh format; expected .obj, .gltf or .glb");
    const Result<AssetFile> file = openAsset(asset, MaximumMeshFileSize);
    if (!file)
        return fail(file.error().message);
    parts.push_back({asset.name, file->identity()});
    Result<ImportProcess> process = ImportProcess::start(*file, {"mesh", extension.substr(1)}, options);
    if (!process)
        return fail(process.error().message);
    Result<MeshData> mesh = MeshReading(asset, std::move(*process), file->size(), parts).run();
    return mesh ? std::move(mesh) : Result<MeshData>(fail(mesh.error().message));
}

Result<MeshData> loadMesh(const std::filesystem::path& path) {
    std::vector<MeshPart> parts;
    return loadMesh(AssetRef::ofFile(path), parts, {});
}

bool unchanged(const std::filesystem::path& folder, const std::vector<MeshPart>& parts) {
    return std::all_of(parts.begin(), parts.end(), [&](const MeshPart& part) {
        const Result<FileIdentity> now = inspectAsset({folder, part.name});
        return (now ? *now : FileIdentity{}) == part.identity;
    });
}

} // namespace sbx::render
