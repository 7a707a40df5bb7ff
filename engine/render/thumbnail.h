#pragma once
// A small picture of one mesh, drawn by the processor: without an OpenGL context, so that a worker of any program can make one.
//
// Thread: any. The work is bounded: after a number of pixels that no ordinary mesh needs, the rest of the triangles is left out.

#include "engine/render/image.h"
#include "engine/render/mesh.h"

namespace sbx::render {

// `size` x `size` pixels, in [8, 1024]; transparent where the mesh is not. Seen from above at an angle, as large as it fits, in one
// light grey: the same mesh gives the same bytes.
[[nodiscard]] Image drawThumbnail(const MeshData& mesh, int size);

} // namespace sbx::render
