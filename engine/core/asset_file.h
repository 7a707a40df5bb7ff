#pragma once
// Files that a project names (meshes, sounds), opened safely: a project from an unknown source may name any path without harm.
//
// A name is a path relative to the project's folder. After all symbolic links are followed the file must lie inside that folder
// and be a regular file: what is outside, a folder, a device, a socket or a FIFO is refused before anything is read of it, and
// opening never waits. The location is checked on the file that was opened, so a link that changes meanwhile changes nothing.
//
// Thread: any. Needs /proc (proc(5)).

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace sbx {

// Which file it is by its folder, so that the folder may be left by no name.
struct AssetRef {
    std::filesystem::path folder; // of the project
    std::string name;             // as the project writes it

    // The full path, without . and .. inside; not yet followed through links.
    [[nodiscard]] std::filesystem::path path() const;
    // A file that the program itself names, such as one it has just written: any file of the folder it lies in.
    [[nodiscard]] static AssetRef ofFile(const std::filesystem::path& file);
};

// Equal as long as a file has not been written or replaced.
struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;     // bytes
    std::int64_t changedNs = 0; // of its contents or attributes, since 1970

    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// A regular file, open for reading; closed with its owner.
class AssetFile {
public:
    AssetFile(int descriptor, FileIdentity identity) : m_descriptor(descriptor), m_identity(identity) {}
    AssetFile(AssetFile&& other) noexcept
        : m_descriptor(std::exchange(other.m_descriptor, -1)), m_identity(other.m_identity) {}
    AssetFile& operator=(AssetFile&& other) noexcept {
        std::swap(m_descriptor, other.m_descriptor);
        std::swap(m_identity, other.m_identity);
        return *this;
    }
    ~AssetFile();

    [[nodiscard]] int descriptor() const { return m_descriptor; }
    [[nodiscard]] const FileIdentity& identity() const { return m_identity; }
    [[nodiscard]] std::uint64_t size() const { return m_identity.size; }

private:
    int m_descriptor;
    FileIdentity m_identity;
};

// Errors: outside of the folder, missing, no regular file, empty, larger than `maximumSize` bytes, not readable.
[[nodiscard]] Result<AssetFile> openAsset(const AssetRef& asset, std::uint64_t maximumSize);
// The same questions, but nothing is opened for reading and any size will do.
[[nodiscard]] Result<FileIdentity> inspectAsset(const AssetRef& asset);

} // namespace sbx
