#include "engine/render/renderer.h"

#include "engine/render/frame_plan.h"
#include "engine/render/gl.h"
#include "engine/render/mesh_drawer.h"
#include "engine/render/overlay_drawer.h"
#include "engine/render/shaders.h"
#include "engine/render/shadow_map.h"
#include "engine/render/sky_occlusion.h"
#include "engine/render/surface_programs.h"
#include "engine/render/targets.h"

#include <glm/common.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace sbx::render {
namespace {

constexpr int MaximumEdge = 16384;
constexpr float GridReach = 90.0F; // metres

void unbindTextures() {
    for (GLuint unit = 0; unit < SurfacePrograms::UnitCount; ++unit) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glBindTexture(GL_TEXTURE_2D, 0);
        glBindSampler(unit, 0);
    }
    glActiveTexture(GL_TEXTURE0);
}

// Everything a frame relies on and does not set itself. The code that drew before may have left any state.
void resetState() {
    constexpr std::array<GLenum, 16> Off = {GL_CULL_FACE,           GL_BLEND,
                                            GL_SCISSOR_TEST,        GL_STENCIL_TEST,
                                            GL_DEPTH_TEST,          GL_FRAMEBUFFER_SRGB,
                                            GL_DEPTH_CLAMP,         GL_POLYGON_OFFSET_FILL,
                                            GL_POLYGON_OFFSET_LINE, GL_SAMPLE_ALPHA_TO_COVERAGE,
                                            GL_SAMPLE_ALPHA_TO_ONE, GL_SAMPLE_COVERAGE,
                                            GL_RASTERIZER_DISCARD,  GL_PRIMITIVE_RESTART,
                                            GL_COLOR_LOGIC_OP,      GL_POLYGON_SMOOTH};
    for (const GLenum capability : Off) {
        glDisable(capability);
    }
    glEnable(GL_MULTISAMPLE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDepthRange(0.0, 1.0);
    glClearDepth(1.0);
    glCullFace(GL_BACK);
    glFrontFace(GL_CCW);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glBlendEquation(GL_FUNC_ADD);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    unbindTextures();
}

} // namespace

class Renderer::Impl {
public:
    explicit Impl(const MeshLibrary& meshes) : m_meshes(meshes) {}

    Result<void> initialise();
    void render(const Scene& scene, const View& view, const Settings& settings);

    Statistics statistics;
    bool ready = false;
    bool software = false;

private:
    Result<void> buildPrograms();
    void drawShadow(bool soft);
    void drawScene(const View& view, const Settings& settings);
    void drawGrid(const View& view);
    void drawHalos(const View& view);
    void present(const View& view, bool smooth);

    MeshDrawer m_meshes;
    FramePlan m_plan;
    SurfacePrograms m_surfaces;
    gl::Program m_depthOnly;
    gl::Program m_sky;
    gl::Program m_grid;
    gl::Program m_halo;
    gl::Program m_smooth;
    gl::Buffer m_frame;
    gl::VertexArray m_emptyArray; // core profile draws nothing without one
    gl::VertexArray m_haloArray;
    gl::Buffer m_haloBuffer;
    ShadowMap m_shadow;
    SkyOcclusion m_occlusion;
    std::array<SceneTarget, MaximumSlots> m_targets;
    SceneTarget* m_target = m_targets.data(); // of the view that is drawn
    // What is in the shadow map and the height map.
    std::optional<Mat4> m_shadowDrawn;
    bool m_shadowSoft = false;
    std::optional<Bounds> m_heightsDrawn;
    Vec4 m_heightArea{0.0F};
    Vec4 m_heightRange{0.0F};
    OverlayDrawer m_overlay;
    int m_maximumSamples = 0;
};

Result<void> Renderer::Impl::buildPrograms() {
    using namespace shaders;
    const auto build = [](gl::Program& program, std::string_view name, std::string_view vertex,
                          const std::string& fragment) {
        return program.build(name, withHead(vertex), fragment);
    };
    if (auto r = m_surfaces.initialise(); !r) {
        return r;
    }
    if (auto r = m_shadow.initialise(); !r) {
        return r;
    }
    if (auto r = build(m_depthOnly, "depth", DepthVertex, withHead(EmptyFragment)); !r) {
        return r;
    }
    if (auto r = build(m_sky, "sky", SkyVertex, withLook(SkyFragment)); !r) {
        return r;
    }
    if (auto r = build(m_grid, "grid", GridVertex, withHead(GridFragment)); !r) {
        return r;
    }
    if (auto r = build(m_halo, "halo", HaloVertex, withLook(HaloFragment)); !r) {
        return r;
    }
    if (auto r = build(m_smooth, "smoothing", ScreenVertex, withHead(SmoothFragment)); !r) {
        return r;
    }
    if (auto r = m_occlusion.initialise(); !r) {
        return r;
    }
    return m_overlay.initialise();
}

Result<void> Renderer::Impl::initialise() {
    const GLubyte* version = glGetString(GL_VERSION);
    if (!version) {
        return Error{"no OpenGL context is current", {}, {}};
    }
    if (!epoxy_is_desktop_gl() || epoxy_gl_version() < 33) {
        return Error{"OpenGL 3.3 is needed; this driver offers "
                         + std::string(reinterpret_cast<const char*>(version)),
                     {},
                     {}};
    }
    const std::string driver = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "SWR", "Software Rasterizer"}) {
        software = software || driver.find(name) != std::string::npos;
    }
    resetState();
    if (auto built = buildPrograms(); !built) {
        return built;
    }
    glGetIntegerv(GL_MAX_SAMPLES, &m_maximumSamples);
    m_frame = gl::Buffer::make();
    m_emptyArray = gl::VertexArray::make();
    m_haloArray = gl::VertexArray::make();
    m_haloBuffer = gl::Buffer::make();
    glBindVertexArray(m_haloArray.id());
    glBindBuffer(GL_ARRAY_BUFFER, m_haloBuffer.id());
    for (GLuint a = 3; a < 5; ++a) {
        glEnableVertexAttribArray(a);
        glVertexAttribDivisor(a, 1);
        glVertexAttribPointer(a, 4, GL_FLOAT, GL_FALSE, sizeof(Halo), gl::offset((a - 3) * sizeof(Vec4)));
    }
    glBindVertexArray(0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    ready = true;
    return {};
}

void Renderer::Impl::drawShadow(bool soft) {
    m_shadow.update(m_plan.shadowWidth, m_plan.shadowHeight, soft, m_emptyArray.id(), [this] {
        m_depthOnly.use();
        Mat4 toClip(0.0F);
        toClip[0][0] = toClip[1][1] = toClip[2][2] = 2.0F;
        toClip[3] = Vec4(-1.0F, -1.0F, -1.0F, 1.0F);
        m_depthOnly.set("projection", toClip * m_plan.fit.matrix);
        glPolygonOffset(2.5F, 2.5F);
        // The far sides of closed things: what the sun lights is then never near its own depth in the map. No
        // acne, and the tiles find lit walls plainly lit. Open things have one side only, which is moved back
        // instead.
        glCullFace(GL_FRONT);
        statistics.triangles += m_meshes.draw(m_plan.list, m_plan.shadow, true, [this](const Batch& batch) {
            const MeshData* mesh = m_meshes.data(batch.mesh);
            if (mesh && mesh->twoSided) {
                glEnable(GL_POLYGON_OFFSET_FILL);
            } else {
                glDisable(GL_POLYGON_OFFSET_FILL);
            }
        });
        glDisable(GL_POLYGON_OFFSET_FILL);
        glCullFace(GL_BACK);
    });
}

void Renderer::Impl::drawHalos(const View& view) {
    if (m_plan.halos.empty()) {
        return;
    }
    glEnable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    glBindTexture(GL_TEXTURE_2D, m_target->depth());
    glBindVertexArray(m_haloArray.id());
    glBindBuffer(GL_ARRAY_BUFFER, m_haloBuffer.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(m_plan.halos.size() * sizeof(Halo)),
                 m_plan.halos.data(), GL_STREAM_DRAW);
    // Screen blending: adds light and never burns out.
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_COLOR);
    m_halo.use();
    m_halo.set("sceneDepth", 0);
    m_halo.set("planes", Vec2(view.camera.nearPlane, view.camera.farPlane));
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(m_plan.halos.size()));
    glBindVertexArray(0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    ++statistics.draws;
}

// On the ground; in an orthographic picture that looks along a horizontal axis, on the plane across it and behind everything.
void Renderer::Impl::drawGrid(const View& view) {
    constexpr std::array<Vec3, 3> Axes = {Vec3(1.0F, 0.0F, 0.0F), Vec3(0.0F, 1.0F, 0.0F), Vec3(0.0F, 0.0F, 1.0F)};
    constexpr std::array<Vec3, 3> Tones = {Vec3(0.93F, 0.37F, 0.33F), Vec3(0.55F, 0.80F, 0.30F), Vec3(0.35F, 0.60F, 0.96F)};
    std::size_t along = 0;
    std::size_t up = 2;
    float reach = GridReach;
    float cell = 1.0F;
    bool behind = false;
    if (view.camera.orthographic()) {
        const Vec3 sight = glm::abs(forwardOf(view.camera));
        behind = std::max(sight.x, sight.z) > 0.9999F;
        along = behind && sight.x > sight.z ? 2 : 0;
        up = behind ? 1 : 2;
        const float aspect = static_cast<float>(view.width) / static_cast<float>(view.height);
        const float slant = behind ? 1.0F : std::max(sight.y, 0.05F); // the ground reaches farther into a slanted picture
        reach = view.camera.orthoHeight * std::max(aspect, 1.0F) / slant + std::abs(view.camera.pose.position.y) / slant;
        // Lines at least so many pixels apart.
        constexpr float Closest = 8.0F;
        while (cell < Closest * metresPerPixel(view.camera, view.height, 1.0F)) {
            cell *= 10.0F;
        }
    }
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(behind ? 0.0F : -1.0F, behind ? 0.0F : -8.0F);
    m_grid.use();
    m_grid.set("reach", reach);
    m_grid.set("along", Axes[along]);
    m_grid.set("up", Axes[up]);
    m_grid.set("behind", behind ? 1.0F : 0.0F);
    m_grid.set("cell", cell);
    m_grid.set("toneAlong", Tones[along]);
    m_grid.set("toneUp", Tones[up]);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_POLYGON_OFFSET_FILL);
    ++statistics.draws;
}

void Renderer::Impl::drawScene(const View& view, const Settings& settings) {
    glBindFramebuffer(GL_FRAMEBUFFER, m_target->framebuffer());
    glViewport(0, 0, m_target->width(), m_target->height());
    glEnable(GL_DEPTH_TEST);
    // The sky covers what nothing else does: colour needs no clearing where there is one.
    const bool sky = !view.camera.orthographic();
    glClearColor(view.background.r, view.background.g, view.background.b, 1.0F);
    glClear(sky ? GL_DEPTH_BUFFER_BIT : GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
    m_shadow.bind(SurfacePrograms::ShadowUnit, SurfacePrograms::TileUnit);
    glActiveTexture(GL_TEXTURE0 + SurfacePrograms::HeightUnit);
    glBindTexture(GL_TEXTURE_2D, m_occlusion.texture());
    m_surfaces.begin(view.compileMs);
    m_surfaces.bindStains();
    m_surfaces.setTileCount(m_shadow.tileCount());
    const ShadowKind shadows = !m_plan.hasShadow      ? ShadowKind::Off
                               : settings.softShadows ? ShadowKind::Soft
                                                      : ShadowKind::Sharp;
    const auto choose = [&](const Batch& batch) {
        m_surfaces.use({batch.material, batch.lit, shadows, m_plan.hasOccluders});
    };
    statistics.triangles += m_meshes.draw(m_plan.list, m_plan.opaque, true, choose);

    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_FALSE);
    glBindVertexArray(m_emptyArray.id());
    if (sky) {
        m_sky.use();
        m_sky.set("cloudMap", static_cast<int>(SurfacePrograms::StainUnit));
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }

    // From here on colours are blended over an opaque picture.
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    glEnable(GL_BLEND);
    if (settings.grid) {
        drawGrid(view);
    }
    glBindVertexArray(0);
    if (!m_plan.blended.empty()) {
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        statistics.triangles += m_meshes.draw(m_plan.list, m_plan.blended, true, choose);
    }
    statistics.unfinished = m_surfaces.isUnfinished();
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDisable(GL_DEPTH_TEST);
    unbindTextures();
    statistics.draws += static_cast<int>(m_plan.opaque.last - m_plan.opaque.first + m_plan.blended.last
                                         - m_plan.blended.first + m_plan.shadow.last - m_plan.shadow.first)
                        + 1;
}

void Renderer::Impl::present(const View& view, bool smooth) {
    m_target->resolve();
    if (smooth) {
        glBindFramebuffer(GL_FRAMEBUFFER, view.framebuffer);
        glViewport(0, 0, view.width, view.height);
        glBindTexture(GL_TEXTURE_2D, m_target->color());
        m_smooth.use();
        m_smooth.set("scene", 0);
        m_smooth.set("texel", Vec2(1.0F / static_cast<float>(m_target->width()),
                                   1.0F / static_cast<float>(m_target->height())));
        glBindVertexArray(m_emptyArray.id());
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glBindVertexArray(0);
        glBindTexture(GL_TEXTURE_2D, 0);
        return;
    }
    const bool same = m_target->width() == view.width && m_target->height() == view.height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_target->resolved());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, view.framebuffer);
    glBlitFramebuffer(0, 0, m_target->width(), m_target->height(), 0, 0, view.width, view.height,
                      GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, view.framebuffer);
    glViewport(0, 0, view.width, view.height);
}

void Renderer::Impl::render(const Scene& scene, const View& view, const Settings& settings) {
    statistics = {};
    resetState();
    m_meshes.beginFrame();
    m_plan.build(scene, view, settings, [this](MeshId id) { return m_meshes.data(id); });
    const auto count = [this](const BatchRange& range) {
        int sum = 0;
        for (std::size_t i = range.first; i < range.last; ++i) {
            sum += static_cast<int>(m_plan.list.batches[i].count);
        }
        return sum;
    };
    statistics.instances = count(m_plan.opaque) + count(m_plan.blended);
    statistics.shadowInstances = count(m_plan.shadow);
    statistics.lamps = m_plan.lights;
    statistics.darkLamps = m_plan.darkLights;
    statistics.cullMs = m_plan.cullMs;
    statistics.cullNodes = m_plan.cullNodes;

    const float scale =
        std::isnan(settings.renderScale) ? 1.0F : std::clamp(settings.renderScale, 0.25F, 2.0F);
    const auto scaled = [scale](int pixels) {
        return std::clamp(static_cast<int>(std::lround(static_cast<float>(pixels) * scale)), 1, MaximumEdge);
    };
    const int samples = settings.msaaSamples > 1 ? std::min(settings.msaaSamples, m_maximumSamples) : 0;
    m_target = &m_targets[static_cast<std::size_t>(std::clamp(view.slot, 0, MaximumSlots - 1))];
    m_target->prepare(scaled(view.width), scaled(view.height), samples);

    m_meshes.upload(m_plan.list);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, m_frame.id());
    if (!view.sceneKept) {
        m_shadowDrawn.reset();
        m_heightsDrawn.reset();
    }
    if (m_plan.hasOccluders && m_heightsDrawn && m_heightsDrawn->minimum == m_plan.occluders.minimum
        && m_heightsDrawn->maximum == m_plan.occluders.maximum) {
        m_plan.block.heightArea = m_heightArea;
        m_plan.block.heightRange = m_heightRange;
    } else if (m_plan.hasOccluders) {
        m_occlusion.update(
            m_plan.occluders,
            [this](const Mat4& projection) {
                m_depthOnly.use();
                m_depthOnly.set("projection", projection);
                m_meshes.draw(m_plan.list, m_plan.heights, false);
            },
            m_emptyArray.id(), m_plan.block);
        m_heightsDrawn = m_plan.occluders;
        m_heightArea = m_plan.block.heightArea;
        m_heightRange = m_plan.block.heightRange;
    }
    glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), &m_plan.block, GL_STREAM_DRAW);
    const bool shadowKept = m_shadowDrawn == m_plan.fit.matrix && m_shadowSoft == settings.softShadows;
    if (m_plan.hasShadow && !shadowKept) {
        drawShadow(settings.softShadows);
        m_shadowDrawn = m_plan.fit.matrix;
        m_shadowSoft = settings.softShadows;
    }
    drawScene(view, settings);
    present(view, samples == 0 && settings.smoothEdges);
    drawHalos(view);
    m_overlay.draw(m_plan, m_meshes, view, m_target->depth(), std::min(4, m_maximumSamples),
                   m_emptyArray.id());

    glBindFramebuffer(GL_FRAMEBUFFER, view.framebuffer);
    glUseProgram(0);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, 0);
    unbindTextures();
}

Renderer::Renderer(const MeshLibrary& meshes) : m_meshes(meshes), m_impl(std::make_unique<Impl>(meshes)) {}

Renderer::~Renderer() = default;

Result<void> Renderer::initialise() { return m_impl->initialise(); }

void Renderer::render(const Scene& scene, const View& view, const Settings& settings) {
    SBX_EXPECT(m_impl->ready, "render before initialise succeeded");
    if (view.width > 0 && view.height > 0 && view.width <= MaximumEdge && view.height <= MaximumEdge) {
        m_impl->render(scene, view, settings);
    }
}

Result<Image> Renderer::renderToImage(const Scene& scene, const View& view, const Settings& settings) {
    if (view.width <= 0 || view.height <= 0 || view.width > MaximumEdge || view.height > MaximumEdge) {
        return Error{"a picture of " + std::to_string(view.width) + " x " + std::to_string(view.height)
                         + " cannot be drawn; expected 1 to 16384 pixels an edge",
                     {},
                     {}};
    }
    const gl::Texture color =
        gl::makeTexture(GL_RGBA8, view.width, view.height, GL_RGBA, GL_UNSIGNED_BYTE, GL_NEAREST);
    const gl::Framebuffer framebuffer = gl::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color.id(), 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        return Error{"the driver has no memory for a picture of this size", {}, {}};
    }
    View own = view;
    own.framebuffer = framebuffer.id();
    render(scene, own, settings);

    Image image;
    image.width = view.width;
    image.height = view.height;
    const std::size_t row = 4 * static_cast<std::size_t>(view.width);
    image.rgba.resize(row * static_cast<std::size_t>(view.height));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer.id());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_PACK_SKIP_ROWS, 0);
    glReadPixels(0, 0, view.width, view.height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    // OpenGL's rows start at the bottom.
    for (int y = 0; y < view.height / 2; ++y) {
        const auto top = image.rgba.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(y) * row);
        const auto bottom =
            image.rgba.begin()
            + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(view.height - 1 - y) * row);
        std::swap_ranges(top, top + static_cast<std::ptrdiff_t>(row), bottom);
    }
    return image;
}

Statistics Renderer::statistics() const { return m_impl->statistics; }

bool Renderer::isSoftware() const { return m_impl->software; }

std::optional<PickHit> Renderer::pick(const Scene& scene, const View& view, float x, float y) const {
    return render::pick(scene, m_meshes, rayThrough(view.camera, view.width, view.height, x, y));
}

} // namespace sbx::render
