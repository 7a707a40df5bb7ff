#pragma once
// Where a project's texts name an asset, for errors that are found when the asset is read.
//
// Thread: the simulation's. Ownership: set by the session, which has read the texts.

#include "engine/core/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sbx {

struct AssetPlace {
    std::string file;
    SourceRegion region;
};

// The first place that names it; nothing if none does, as after a change from the console.
using AssetPlaces = std::function<std::optional<AssetPlace>(std::string_view asset)>;

// The error as a line: `FILE:LINE:COLUMN: error: who what`, at the place that names the asset if there is one.
[[nodiscard]] inline std::string textAt(const AssetPlaces& places, std::string_view asset,
                                        const std::string& who, const Error& error) {
    const std::optional<AssetPlace> place = places ? places(asset) : std::nullopt;
    if (!place)
        return who + error.message;
    return Error{who + error.message, place->file, place->region}.toString();
}

} // namespace sbx
