#pragma once
// The renderer's CVars, and what a slow machine makes of their defaults: what a person, a project or the command line sets holds; what nobody set
// is lowered, step by step, and the console shows the value in force. Any thread may set them; the view reads them each frame.

#include "engine/core/cvar.h"
#include "engine/render/renderer.h"

#include <string>

namespace sbx::render {

struct RenderCVars {
    CVar<int> msaa;
    CVar<bool> smoothEdges;
    CVar<int> shadowSize;
    CVar<bool> shadows;
    CVar<bool> softShadows;
    CVar<bool> occlusion;
    CVar<bool> halos;
    CVar<float> scale;
    CVar<bool> grid;
    CVar<bool> stats;
    CVar<int> maxFps;

    [[nodiscard]] Settings settings() const;
};

// Registers `render.msaa`, `render.smoothEdges`, `render.shadowSize`, `render.shadows`, `render.softShadows`, `render.occlusion`, `render.halos`, `render.scale`,
// `render.grid`, `render.stats`, `render.maxFps`. Again with the same registry: the same CVars.
[[nodiscard]] RenderCVars registerRenderCVars(CVarRegistry& registry);

// How many steps down there are.
[[nodiscard]] int qualityLevels();
// The first level that a software renderer starts at.
[[nodiscard]] int softwareLevel();
// Makes the level's values the defaults; 0 is the full picture.
void applyQuality(const RenderCVars& cvars, int level);
// What the level gave up last, for the log: "no multisampling"; empty for level 0.
[[nodiscard]] std::string qualityText(int level);

} // namespace sbx::render
