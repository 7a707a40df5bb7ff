// Draws the yard into a PNG and measures frames: yard_picture OUT.png [WIDTH HEIGHT]. A tool for eyes and
// stop-watches, run by hand.

#include "engine/render/egl_context.h"
#include "tests/render/yard_scene.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

using namespace sbx;
using namespace sbx::render;

namespace {

struct Speed {
    double framesPerSecond = 0.0;
    double processorMs =
        0.0; // the cheapest frame, over all threads: steadier than the clock on a busy machine
};

// The mean of some frames after a warm-up; something moves a little each frame.
Speed measure(Renderer& renderer, Scene& scene, const View& view, const Settings& settings) {
    using Clock = std::chrono::steady_clock;
    const auto draw = [&](int frame) {
        scene.instances.back().pose.position.x += frame % 2 == 0 ? 0.02F : -0.02F;
        renderer.render(scene, view, settings);
        glFinish();
    };
    for (int i = 0; i < 5; ++i) {
        draw(i);
    }
    const auto start = Clock::now();
    double cheapest = 1e9;
    int frames = 0;
    while (Clock::now() - start < std::chrono::milliseconds(1500)) {
        const std::clock_t before = std::clock();
        draw(++frames);
        cheapest = std::min(cheapest, 1000.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return {frames / seconds, cheapest};
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: yard_picture OUT.png [WIDTH HEIGHT]\n");
        return 2;
    }
    auto context = EglContext::create();
    if (!context) {
        std::fprintf(stderr, "%s\n", context.error().toString().c_str());
        return 1;
    }
    std::printf("%s\n", (*context)->description().c_str());
    MeshLibrary meshes;
    Renderer renderer(meshes);
    if (auto ready = renderer.initialise(); !ready) {
        std::fprintf(stderr, "%s\n", ready.error().toString().c_str());
        return 1;
    }
    test::Yard yard = test::makeYard(meshes);
    View view;
    view.camera = yard.camera;
    view.width = argc > 3 ? std::atoi(argv[2]) : 1280;
    view.height = argc > 3 ? std::atoi(argv[3]) : 720;
    Settings settings;
    settings.shadowSize = 2048;
    if (std::getenv("YARD_SOFTWARE") != nullptr) {
        settings = softwareSettings();
    }
    const bool quick = std::getenv("YARD_QUICK") != nullptr;
    if (const char* set = std::getenv("YARD_CAMERA")) {
        float v[7] = {0, 2, 8, 0, 1, 0, 0.8F};
        std::sscanf(set, "%f,%f,%f,%f,%f,%f,%f", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6);
        view.camera = lookAt({v[0], v[1], v[2]}, {v[3], v[4], v[5]}, v[6]);
    }
    if (std::getenv("YARD_EDITOR") != nullptr) {
        settings.grid = true;
        view.selected = {18, 17};
        const Bounds bounds = *boundsOf(yard.scene, meshes, 18);
        const Vec3 c = bounds.centre();
        view.overlay.addArrow(c, c + Vec3(1.4F, 0, 0), 0.022F, displayColor(0xE0524D));
        view.overlay.addArrow(c, c + Vec3(0, 1.4F, 0), 0.022F, displayColor(0x6CB33E));
        view.overlay.addArrow(c, c + Vec3(0, 0, 1.4F), 0.022F, displayColor(0x4C86E8));
        view.overlay.addRing(c, {0, 1, 0}, 1.1F, 0.03F, displayColor(0xF2A541, 0.8F));
        view.overlay.addBox({c, Quat(1, 0, 0, 0), Vec3(0.12F)}, Vec3(1.0F), displayColor(0xE6E8EC));
        view.debug.addSphere({7.6F, 0.6F, 3.0F}, 1.6F, displayColor(0x56B4E9), LineDepth::Faint);
        view.debug.addBox({{3.1F, 0.65F, -3.3F}, fromEulerDegrees({0, 14, 0}), Vec3(1.0F)},
                          {2.4F, 1.3F, 4.2F}, displayColor(0x009E73));
    }
    const auto image = renderer.renderToImage(yard.scene, view, settings);
    if (!image) {
        std::fprintf(stderr, "%s\n", image.error().toString().c_str());
        return 1;
    }
    if (auto written = writePng(*image, argv[1]); !written) {
        std::fprintf(stderr, "%s\n", written.error().toString().c_str());
        return 1;
    }
    const Statistics drawn = renderer.statistics();
    std::printf("%d instances, %d in shadow, %d draws, %lld triangles\n", drawn.instances,
                drawn.shadowInstances, drawn.draws, static_cast<long long>(drawn.triangles));
    if (quick) {
        return 0;
    }

    View small = view;
    small.width = 900;
    small.height = 560;
    GLuint texture = 0;
    GLuint framebuffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, small.width, small.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 nullptr);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    small.framebuffer = framebuffer;
    test::Yard full = test::makeYard(meshes, 60);
    const auto report = [&](const char* name, const Settings& s) {
        const Speed speed = measure(renderer, full.scene, small, s);
        std::printf("%-36s %6.1f fps %7.1f ms of processor\n", name, speed.framesPerSecond,
                    speed.processorMs);
        std::fflush(stdout);
    };
    std::printf("%zu instances at 900 x 560\n", full.scene.instances.size());
    Settings s = softwareSettings();
    report("software settings", s);
    if (std::getenv("YARD_ONE") != nullptr) {
        return 0;
    }
    s.softShadows = false;
    report("  hard-edged shadows", s);
    s = softwareSettings();
    s.smoothEdges = false;
    report("  edges not smoothed", s);
    s = softwareSettings();
    s.shadowSize = 512;
    report("  shadow map 512", s);
    s = softwareSettings();
    s.shadowSize = 2048;
    report("  shadow map 2048", s);
    s = softwareSettings();
    s.shadows = false;
    report("  no shadows", s);
    s = softwareSettings();
    s.ambientOcclusion = false;
    report("  no occlusion", s);
    s = softwareSettings();
    s.grid = true;
    report("  with grid", s);
    s = softwareSettings();
    s.renderScale = 0.75F;
    report("  render scale 0.75", s);
    s = softwareSettings();
    s.renderScale = 0.5F;
    report("  render scale 0.5", s);
    report("full settings (msaa 4)", Settings{});
    return 0;
}
