#pragma once
// A yard like the sample project's, made of plain instances: what the pictures and the measurements of the
// renderer are taken of.

#include "engine/render/renderer.h"

namespace sbx::render::test {

struct Yard {
    Scene scene;
    CameraView camera;
};

// `crates`: how many besides the stacks, scattered; more for measurements.
[[nodiscard]] Yard makeYard(MeshLibrary& meshes, int crates = 12);

} // namespace sbx::render::test
