#pragma once
// Checks the settings that name a file of the project (meshes, sounds) against what is there. What the readers of texts cannot know:
// they see no folder.

#include "engine/components/asset_places.h"
#include "engine/simulation/content.h"

namespace sbx {

// A warning at each value that names no mesh built in and no file that may be read: one that is missing, is no regular file, lies outside
// of the project's folder or has the ending of another format. No error: the text is valid, the world runs, and only what has no shape
// is not drawn; a file that comes later must not keep edits back until then.
void checkAssets(const Content& content, const definition::Schema& schema, Diagnostics& sink);

// The missing file as the text names it, of a diagnostic of checkAssets(); empty: the diagnostic is about something else.
[[nodiscard]] std::string missingAsset(const Diagnostic& diagnostic);

// The first place of the project's texts that names the asset; nothing if none does.
[[nodiscard]] std::optional<AssetPlace> assetPlace(const Content& content, const definition::Schema& schema, std::string_view asset);

} // namespace sbx
