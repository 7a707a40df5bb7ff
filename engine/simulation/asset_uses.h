#pragma once
// Where a project's definitions and scene name its files: for lists of what uses a file, and for renaming it everywhere.
//
// Pure functions of a content; any thread.

#include "engine/simulation/content.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

enum class AssetKind { Mesh, Sound };

// By its ending: .gltf, .glb, .obj; .wav, .flac, .ogg. Nothing for any other.
[[nodiscard]] std::optional<AssetKind> assetKind(std::string_view name);

// The kind of file that a setting of a component takes; nothing if it takes none.
[[nodiscard]] std::optional<AssetKind> assetKindOf(const definition::Schema& schema, std::string_view component, std::string_view key);

// A path in the project's folder as every list has it: "./meshes//rock.obj" is "meshes/rock.obj".
[[nodiscard]] std::string assetName(std::string_view written);

struct AssetUse {
    std::string asset;     // as assetName() has it
    std::string written;   // as the text has it
    AssetKind kind{};      // that the setting takes
    std::string owner;     // the type or the instance
    bool ofType = false;   // else of an instance of the scene
    std::string component;
    std::string key;
    std::string file;      // of the text, as in diagnostics
    SourceRegion region;   // of the value
};

// In the order of the texts, definitions first. A setting that a type inherits is a use where it is written, once. Primitives are no files.
[[nodiscard]] std::vector<AssetUse> assetUses(const Content& content, const definition::Schema& schema);

} // namespace sbx
