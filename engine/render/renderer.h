#pragma once
// Draws a Scene with OpenGL 3.3 core.
//
// One frame: cull and batch on the CPU; the sun's shadow map; the scene (at `renderScale`, multisampled or
// not) with light, tone curve and sRGB encoding in one shader; a blit to the target; then lines, outline and
// overlay at the target's own resolution.
//
// Thread: the one whose context is current, for every member including the destructor. Assumes no OpenGL
// state and leaves the target bound with everything else unbound and switched off. Owns all its OpenGL
// objects.

#include "engine/core/result.h"
#include "engine/render/camera.h"
#include "engine/render/image.h"
#include "engine/render/mesh.h"
#include "engine/render/overlay.h"
#include "engine/render/picking.h"
#include "engine/render/scene.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace sbx::render {

struct Settings {
    int msaaSamples = 4;     // 0 or 1: off; no more than the driver offers
    bool smoothEdges = true; // soften edges afterwards where msaaSamples is off
    bool shadows = true;
    int shadowSize = 1024;        // texels an edge, clamped to [256, 4096]
    bool softShadows = true;      // penumbra grows with the distance to what casts it
    float shadowDistance = 70.0F; // metres around what the camera looks at
    bool ambientOcclusion = true; // sky hidden by surrounding geometry
    bool halos = true;            // around glowing things
    bool grid = false;            // 1 m lines at y = 0; in an orthographic picture from the side, on the picture's plane
    float exposure = 1.0F;        // times the scene's
    float renderScale = 1.0F;     // of the scene's resolution in [0.25, 2]; lines and outline stay sharp
};

// Settings at which a software renderer reaches 30 frames a second.
[[nodiscard]] Settings softwareSettings();

struct View {
    CameraView camera;
    int width = 0; // pixels of the framebuffer, not of the widget
    int height = 0;
    unsigned framebuffer = 0;                // drawn into; the widget's or 0
    // Several views of one scene, drawn one after the other: each has a slot, so that their sizes do not get in each other's way, and
    // all but the first of a frame say that the scene is the one of the call before, whose shadows they use where they fit.
    int slot = 0; // 0 to MaximumSlots - 1
    bool sceneKept = false;
    float pixelRatio = 1.0F;                 // framebuffer pixels a logical pixel
    // Milliseconds that shaders which are not compiled yet may take, after the first of them: a picture that is drawn again soon need not
    // wait for all. See Statistics::unfinished.
    double compileMs = std::numeric_limits<double>::infinity();
    std::vector<std::uint64_t> selected;     // outlined
    // Beside `selected`: what has the same number is outlined as one thing. Empty: each entity is one by itself.
    std::vector<std::uint32_t> outlineGroups;
    std::optional<std::uint32_t> primaryGroup; // has the other colour
    Vec4 accent{0.353F, 0.663F, 1.0F, 1.0F};   // display colour of outlines
    Vec4 primary{1.0F, 1.0F, 1.0F, 1.0F};      // of the primary group's outline
    Vec4 background{0.16F, 0.18F, 0.21F, 1.0F}; // display colour behind everything in an orthographic picture, which has no sky
    DebugDraw debug;
    std::vector<Sign> signs; // fainter where the scene hides them; drawn in this order
    std::shared_ptr<const IconSheet> icons; // of the signs; another sheet is another object
    Overlay overlay;
};

struct Statistics {
    int draws = 0;
    int instances = 0;          // drawn in the scene
    int shadowInstances = 0;    // drawn in the shadow map
    std::int64_t triangles = 0; // both together
    int lamps = 0;              // that shine
    int darkLamps = 0;          // that would light something in the picture, but more than eight do
    double cullMs = 0.0;        // processor time spent on culling
    bool unfinished = false;    // after View::compileMs some surfaces had the shader of another look
    int cullNodes = 0;          // nodes of the tree of instances that were visited for it
};

class Renderer {
public:
    static constexpr int MaximumSlots = 4;
    // The library must outlive the renderer.
    explicit Renderer(const MeshLibrary& meshes);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    // Compiles the shaders. Fails where the context is less than OpenGL 3.3.
    [[nodiscard]] Result<void> initialise();
    // A size of 0 draws nothing.
    void render(const Scene& scene, const View& view, const Settings& settings);
    // The same into memory, into a framebuffer of its own.
    [[nodiscard]] Result<Image> renderToImage(const Scene& scene, const View& view, const Settings& settings);
    // Of the last frame.
    [[nodiscard]] Statistics statistics() const;
    // The driver draws on the CPU (llvmpipe, softpipe, swrast): take softwareSettings().
    [[nodiscard]] bool isSoftware() const;

    // Under a pixel of the view, from the top left. The same as picking.h's with the view's ray.
    [[nodiscard]] std::optional<PickHit> pick(const Scene& scene, const View& view, float x, float y) const;

private:
    class Impl;
    const MeshLibrary& m_meshes;
    std::unique_ptr<Impl> m_impl;
};

} // namespace sbx::render
