#pragma once
// Triangle meshes on the CPU: built-in primitives, glTF and OBJ files, and the library that names them.
//
// MeshData is immutable once it is in a library, and shared: the renderer uploads it, picking casts rays at
// it, physics makes hulls and static meshes of it.

#include "engine/core/asset_file.h"
#include "engine/core/math.h"
#include "engine/core/result.h"
#include "engine/render/scene.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sbx {
struct ImportOptions;
}

namespace sbx::render {

struct Bounds {
    Vec3 minimum{0.0F};
    Vec3 maximum{0.0F};

    [[nodiscard]] Vec3 centre() const { return (minimum + maximum) * 0.5F; }
    [[nodiscard]] Vec3 size() const { return maximum - minimum; }
    friend bool operator==(const Bounds&, const Bounds&) = default;
};

struct MeshVertex {
    Vec3 position{0.0F};
    Vec3 normal{0.0F, 1.0F, 0.0F};
    // Only for the drawn picture: moves the vertex by inset * bevel width (metres, after scaling), so that a
    // box has an edge of the same width however it is stretched. Zero for all other meshes.
    Vec3 inset{0.0F};
};

// Triangles are counter-clockwise seen from outside. Indices are valid and positions finite.
struct MeshData {
    std::vector<MeshVertex> vertices;
    std::vector<std::uint32_t> indices; // three a triangle
    // A coarser form of the same shape in the same vertices, for small and shadow images; empty: there is
    // none.
    std::vector<std::uint32_t> coarseIndices;
    Bounds bounds;
    // Drawn from both sides: set for files, whose surfaces are often open or inverted.
    bool twoSided = false;
};

// Unit edges, centred; bevelled when drawn.
[[nodiscard]] MeshData makeBox();
// Radius 0.5, centred: scale by the diameter.
[[nodiscard]] MeshData makeSphere();
// Along Y, centred; height is the whole height, caps included, and at least 2 * radius.
[[nodiscard]] MeshData makeCapsule(float radius, float height);
// Diameter 1, height 1, along Y, centred.
[[nodiscard]] MeshData makeCylinder();
// Base diameter 1 at y = -0.5, tip at y = 0.5.
[[nodiscard]] MeshData makeCone();
// 1 x 1 in XZ at y = 0, looks up; seen from both sides.
[[nodiscard]] MeshData makePlane();
// Unit cube whose top slopes from nothing at +Z to full height at -Z: a ramp.
[[nodiscard]] MeshData makeWedge();

// A file that a mesh was read from. All zero: it could not be opened.
struct MeshPart {
    std::string name; // in the project's folder
    FileIdentity identity;
};

// The whole file as one mesh, node transforms applied, smooth normals made where the file has none: glTF 2.0 (.gltf, .glb) or OBJ. It
// is read in a process of its own (import_process.h); `parts`: the files that counted, whether it could be read or not. Errors: a
// file that openAsset() refuses, more than the limits of detail/packed_mesh.h, another format, malformed, no triangles, coordinates
// that are not finite, an import process that crashed or took too long.
[[nodiscard]] Result<MeshData> loadMesh(const AssetRef& asset, std::vector<MeshPart>& parts, const ImportOptions& options);
// A file that the program itself names.
[[nodiscard]] Result<MeshData> loadMesh(const std::filesystem::path& path);
// Whether the files are still those that were read.
[[nodiscard]] bool unchanged(const std::filesystem::path& folder, const std::vector<MeshPart>& parts);

// Keys of the meshes that need no file, as a MeshLibrary knows them; "capsule" represents every capsule:RADIUS:HEIGHT.
[[nodiscard]] const std::vector<std::string>& builtInMeshes();
[[nodiscard]] bool isBuiltInMesh(std::string_view key);

// Meshes by key. Keys: "box", "sphere", "cylinder", "cone", "plane", "wedge", "capsule:RADIUS:HEIGHT"
// (metres), or a file relative to the root and below it: "meshes/rock.obj". Ids stay valid as long as the library;
// equal keys give equal ids. All files together have at most MaximumVertices and MaximumIndices. Every member may
// be called from any thread. While a file is loaded, find() of a new mesh, files(), replace() and keepOld() wait for it; the others do not.
class MeshLibrary {
public:
    static constexpr std::uint64_t MaximumVertices = 32'000'000;
    static constexpr std::uint64_t MaximumIndices = 96'000'000;

    // `root` is where file keys start: the project's folder. Without one there are no files.
    explicit MeshLibrary(std::filesystem::path root = {});
    MeshLibrary(const MeshLibrary&) = delete;
    MeshLibrary& operator=(const MeshLibrary&) = delete;

    // Builds or loads the mesh at first use. A file that failed is read again once it, or a file it names, has changed.
    [[nodiscard]] Result<MeshId> find(std::string_view key);
    // A file that was read, or could not be: for watching whether it changes on the disk.
    struct File {
        std::string key;
        std::string name; // as it was requested: in the project's folder
        std::vector<MeshPart> parts;
        bool isRead = false; // it has been read once, so there is something to draw; false: it never could be
    };
    [[nodiscard]] std::vector<File> files() const;
    // Takes what was read of a file after it had changed: ids stay, and data() returns the new from now on. Meant to be
    // called between two ticks, so that all of a tick sees the same. Error: beyond the library's limits; the old data stays.
    [[nodiscard]] Result<void> replace(const File& file, MeshData data);
    // The file has changed and cannot be read: the old data stays in use, and files() lists the file with these parts from now on.
    void keepOld(const File& file);
    // Of a key that has been found before, without reading anything; zero: it has not.
    [[nodiscard]] MeshId known(std::string_view key) const;
    // Adds or replaces a mesh made elsewhere under a key of its own.
    MeshId add(std::string_view key, MeshData data);
    // Null for an id of no mesh.
    [[nodiscard]] std::shared_ptr<const MeshData> data(MeshId id) const;
    // Of the id's key; empty for an id of no mesh.
    [[nodiscard]] std::string key(MeshId id) const;
    [[nodiscard]] std::size_t size() const;
    // Starts relative keys elsewhere from now on. Ids handed out stay what they are.
    void setRoot(std::filesystem::path root);

private:
    struct Entry {
        std::string key;
        std::shared_ptr<const MeshData> data;
        std::string name = {}; // of a file, as it was requested
        std::vector<MeshPart> parts = {};
    };
    struct Failure {
        Error error;
        std::string name;
        std::vector<MeshPart> parts;
    };
    [[nodiscard]] std::string canonical(std::string_view key) const;
    // `written`: the key as it was requested.
    [[nodiscard]] Result<MeshData> load(const std::string& key, std::string_view written, std::vector<MeshPart>& parts);
    [[nodiscard]] std::filesystem::path root() const;
    // Counts a file's mesh in place of `replaced` (null: none). Error: beyond MaximumVertices or MaximumIndices; nothing is counted.
    [[nodiscard]] Result<void> countVertices(const MeshData& mesh, const MeshData* replaced, const AssetRef& asset);

    mutable std::mutex m_mutex;
    mutable std::mutex m_loading; // held while a file is read, so that it is read once; guards the next three
    std::unordered_map<std::string, Failure> m_failures;
    std::uint64_t m_vertices = 0; // of files
    std::uint64_t m_indices = 0;
    std::filesystem::path m_root;
    std::vector<Entry> m_entries; // id - 1
    std::unordered_map<std::string, MeshId> m_ids;
};

} // namespace sbx::render
