#pragma once
// Checks the settings that name a file of the project (meshes) against what is there. What the readers of texts cannot know: they see
// no folder.

#include "engine/session/content.h"

namespace sbx {

// A warning at each value that names no file and no mesh built in, with the nearest that does. No error: the text is sound, the world
// runs, and only what has no shape is not drawn; a file that comes later must not keep edits back until then.
void checkAssets(const Content& content, const definition::Schema& schema, Diagnostics& sink);

} // namespace sbx
