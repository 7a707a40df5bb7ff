#include "engine/render/render_cvars.h"

#include <algorithm>
#include <array>

namespace sbx::render {

namespace {

struct Quality {
    int msaa;
    bool smoothEdges;
    int shadowSize;
    bool softShadows;
    bool occlusion;
    bool shadows;
    float scale;
    const char* gaveUp;
};

// Each row switches off one more feature, the least visible first.
constexpr std::array Qualities{
    Quality{4, true, 2048, true, true, true, 1.0F, ""},
    Quality{0, true, 2048, true, true, true, 1.0F, "no multisampling"},
    Quality{0, true, 1024, true, true, true, 1.0F, "shadow map of 1024"},
    Quality{0, true, 512, true, true, true, 1.0F, "shadow map of 512"},
    Quality{0, false, 512, false, true, true, 1.0F, "hard edges and shadows"},
    Quality{0, true, 512, false, true, true, 0.75F, "3/4 of the resolution"},
    Quality{0, false, 512, false, false, true, 0.6F, "3/5 of the resolution, no occlusion"},
    Quality{0, false, 512, false, false, false, 0.5F, "half the resolution, no shadows"},
};

} // namespace

Settings RenderCVars::settings() const {
    Settings settings;
    settings.msaaSamples = msaa.get();
    settings.smoothEdges = smoothEdges.get();
    settings.shadows = shadows.get();
    settings.shadowSize = shadowSize.get();
    settings.softShadows = softShadows.get();
    settings.ambientOcclusion = occlusion.get();
    settings.halos = halos.get();
    settings.renderScale = scale.get();
    settings.grid = grid.get();
    return settings;
}

RenderCVars registerRenderCVars(CVarRegistry& registry) {
    constexpr Quality Full = Qualities.front();
    return {
        registry.add<int>("render.msaa", Full.msaa, "Samples a pixel; 0 or 1: off.",
                          {.minimum = 0, .maximum = 16, .flags = CVarFlags::Archive}),
        registry.add<bool>("render.smoothEdges", Full.smoothEdges, "Softens edges afterwards where render.msaa is off.",
                           {.flags = CVarFlags::Archive}),
        registry.add<int>("render.shadowSize", Full.shadowSize, "Texels along an edge of the sun's shadow map.",
                          {.minimum = 256, .maximum = 4096, .flags = CVarFlags::Archive}),
        registry.add<bool>("render.shadows", Full.shadows, "The sun casts shadows.", {.flags = CVarFlags::Archive}),
        registry.add<bool>("render.softShadows", Full.softShadows, "Shadows soften with the distance to what casts them.",
                           {.flags = CVarFlags::Archive}),
        registry.add<bool>("render.occlusion", Full.occlusion, "Corners and narrow places get less light from the sky.",
                           {.flags = CVarFlags::Archive}),
        registry.add<bool>("render.halos", true, "Glowing things have a halo.", {.flags = CVarFlags::Archive}),
        registry.add<float>("render.scale", Full.scale, "Resolution of the scene; lines and outlines stay sharp.",
                            {.minimum = 0.25, .maximum = 2.0, .flags = CVarFlags::Archive}),
        registry.add<bool>("render.grid", false, "Lines a metre apart on the ground.", {.flags = CVarFlags::Archive}),
        registry.add<bool>("render.stats", false, "Frames, ticks and draw calls in a corner of the picture.",
                           {.flags = CVarFlags::Archive}),
        registry.add<int>("render.maxFps", 0, "Most frames a second; 0: as many as the screen shows.",
                          {.unit = "Hz", .minimum = 0, .maximum = 1000, .flags = CVarFlags::Archive}),
    };
}

int qualityLevels() {
    return static_cast<int>(Qualities.size()) - 1;
}

int softwareLevel() {
    return 2;
}

void applyQuality(const RenderCVars& cvars, int level) {
    const Quality& quality = Qualities[static_cast<std::size_t>(std::clamp(level, 0, qualityLevels()))];
    cvars.msaa.publish(quality.msaa);
    cvars.smoothEdges.publish(quality.smoothEdges);
    cvars.shadowSize.publish(quality.shadowSize);
    cvars.shadows.publish(quality.shadows);
    cvars.softShadows.publish(quality.softShadows);
    cvars.occlusion.publish(quality.occlusion);
    cvars.scale.publish(quality.scale);
}

std::string qualityText(int level) {
    return Qualities[static_cast<std::size_t>(std::clamp(level, 0, qualityLevels()))].gaveUp;
}

} // namespace sbx::render
