#include "engine/render/overlay_drawer.h"

#include "engine/render/shaders.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sbx::render {
namespace {

// Grows to hold what is projected into it; a point behind the camera makes it the whole target.
class ScreenBox {
public:
    explicit ScreenBox(const View& view) : m_view(view) {}

    void add(const Vec3& point) {
        const auto pixel = projectToPixel(m_view.camera, m_view.width, m_view.height, point);
        if (!pixel || !std::isfinite(pixel->x) || !std::isfinite(pixel->y)) {
            m_everything = true;
            return;
        }
        m_low = glm::min(m_low, Vec2(*pixel));
        m_high = glm::max(m_high, Vec2(*pixel));
    }
    void add(const Bounds& bounds) {
        for (unsigned corner = 0; corner < 8; ++corner) {
            add({(corner & 1U) != 0 ? bounds.maximum.x : bounds.minimum.x,
                 (corner & 2U) != 0 ? bounds.maximum.y : bounds.minimum.y,
                 (corner & 4U) != 0 ? bounds.maximum.z : bounds.minimum.z});
        }
    }
    [[nodiscard]] PixelRect rect(float border) const {
        if (m_everything) {
            return {0, 0, m_view.width, m_view.height};
        }
        const auto width = static_cast<float>(m_view.width);
        const auto height = static_cast<float>(m_view.height);
        const auto clamped = [](float value, float limit) {
            return static_cast<int>(std::clamp(value, 0.0F, limit));
        };
        const int left = clamped(std::floor(m_low.x - border), width);
        const int right = clamped(std::ceil(m_high.x + border), width);
        const int bottom = clamped(std::floor(height - m_high.y - border), height);
        const int top = clamped(std::ceil(height - m_low.y + border), height);
        return {left, bottom, right - left, top - bottom};
    }

private:
    const View& m_view;
    Vec2 m_low{std::numeric_limits<float>::max()};
    Vec2 m_high{std::numeric_limits<float>::lowest()};
    bool m_everything = false;
};

} // namespace

Result<void> OverlayDrawer::initialise() {
    using namespace shaders;
    if (auto r = m_line.build("line", withHead(LineVertex), withHead(LineFragment)); !r) {
        return r;
    }
    if (auto r = m_mask.build("mask", withHead(MaskVertex), withHead(MaskFragment)); !r) {
        return r;
    }
    if (auto r = m_outline.build("outline", withHead(ScreenVertex), withHead(OutlineFragment)); !r) {
        return r;
    }
    if (auto r = m_triangles.build("overlay", withHead(OverlayVertexSource), withHead(OverlayFragment)); !r) {
        return r;
    }
    if (auto r = m_copy.build("layer", withHead(ScreenVertex), withHead(LayerFragment)); !r) {
        return r;
    }
    if (auto r = m_sign.build("sign", withHead(SignVertex), withHead(SignFragment)); !r) {
        return r;
    }
    m_signArray = gl::VertexArray::make();
    m_signBuffer = gl::Buffer::make();
    glBindVertexArray(m_signArray.id());
    glBindBuffer(GL_ARRAY_BUFFER, m_signBuffer.id());
    for (GLuint a = 0; a < 3; ++a) {
        glEnableVertexAttribArray(3 + a);
        glVertexAttribDivisor(3 + a, 1);
        glVertexAttribPointer(3 + a, 4, GL_FLOAT, GL_FALSE, sizeof(SignData), gl::offset(a * sizeof(Vec4)));
    }
    m_lineArray = gl::VertexArray::make();
    m_lineBuffer = gl::Buffer::make();
    glBindVertexArray(m_lineArray.id());
    glBindBuffer(GL_ARRAY_BUFFER, m_lineBuffer.id());
    for (GLuint a = 0; a < 3; ++a) {
        glEnableVertexAttribArray(3 + a);
        glVertexAttribDivisor(3 + a, 1);
        glVertexAttribPointer(3 + a, 4, GL_FLOAT, GL_FALSE, sizeof(LineData), gl::offset(a * sizeof(Vec4)));
    }
    m_triangleArray = gl::VertexArray::make();
    m_triangleBuffer = gl::Buffer::make();
    glBindVertexArray(m_triangleArray.id());
    glBindBuffer(GL_ARRAY_BUFFER, m_triangleBuffer.id());
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(OverlayVertex),
                          gl::offset(offsetof(OverlayVertex, position)));
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(OverlayVertex),
                          gl::offset(offsetof(OverlayVertex, color)));
    glBindVertexArray(0);
    return {};
}

void OverlayDrawer::bindTarget(const View& view, const PixelRect& clip) {
    glBindFramebuffer(GL_FRAMEBUFFER, view.framebuffer);
    glViewport(0, 0, view.width, view.height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(clip.x, clip.y, clip.width, clip.height);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
}

void OverlayDrawer::drawLines(const std::vector<Line>& lines, const View& view, bool onTop) {
    m_lines.clear();
    for (const Line& line : lines) {
        if (isFinite(line.from) && isFinite(line.to)) {
            m_lines.push_back({line.from, line.width * view.pixelRatio, line.to,
                               onTop ? 2.0F : static_cast<float>(line.depth), line.color});
        }
    }
    if (m_lines.empty()) {
        return;
    }
    glBindVertexArray(m_lineArray.id());
    glBindBuffer(GL_ARRAY_BUFFER, m_lineBuffer.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(m_lines.size() * sizeof(LineData)), m_lines.data(),
                 GL_STREAM_DRAW);
    m_line.use();
    m_line.set("nearPlane", view.camera.nearPlane);
    m_line.set("sceneDepth", 0);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(m_lines.size()));
    glBindVertexArray(0);
}

void OverlayDrawer::drawSigns(const View& view, GLuint sceneDepth) {
    const IconSheet* sheet = view.icons.get();
    if (view.signs.empty() || sheet == nullptr || sheet->width <= 0 || sheet->height <= 0
        || sheet->coverage.size() != static_cast<std::size_t>(sheet->width) * static_cast<std::size_t>(sheet->height)) {
        return;
    }
    glActiveTexture(GL_TEXTURE1);
    if (m_icons != view.icons) {
        m_icons = view.icons;
        m_iconTexture = gl::makeTexture(GL_R8, sheet->width, sheet->height, GL_RED, GL_UNSIGNED_BYTE, GL_LINEAR);
        glBindTexture(GL_TEXTURE_2D, m_iconTexture.id());
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, sheet->width, sheet->height, GL_RED, GL_UNSIGNED_BYTE, sheet->coverage.data());
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    }
    glBindTexture(GL_TEXTURE_2D, m_iconTexture.id());
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, sceneDepth);
    m_signs.clear();
    for (const Sign& sign : view.signs) {
        m_signs.push_back({sign.position, sign.size * view.pixelRatio, Vec4(Vec3(sign.color), sign.ring ? 2.0F : 1.0F), sign.area});
    }
    bindTarget(view, {0, 0, view.width, view.height});
    glBindVertexArray(m_signArray.id());
    glBindBuffer(GL_ARRAY_BUFFER, m_signBuffer.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(m_signs.size() * sizeof(SignData)), m_signs.data(), GL_STREAM_DRAW);
    m_sign.use();
    m_sign.set("nearPlane", view.camera.nearPlane);
    m_sign.set("sceneDepth", 0);
    m_sign.set("icons", 1);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(m_signs.size()));
    glBindVertexArray(0);
    glDisable(GL_SCISSOR_TEST);
}

void OverlayDrawer::drawOutline(const FramePlan& plan, MeshDrawer& meshes, const View& view, int samples,
                                GLuint screenArray) {
    if (plan.selected.empty()) {
        return;
    }
    const float width = 2.0F * view.pixelRatio;
    ScreenBox box(view);
    for (const Bounds& bounds : plan.selectedBounds) {
        box.add(bounds);
    }
    const PixelRect rect = box.rect(width + 2.0F);
    if (rect.empty()) {
        return;
    }
    m_layer.begin(rect, view.width, view.height, samples);
    // The nearer of two selected things hides the other; the scene hides neither.
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    m_mask.use();
    m_mask.set("projection", plan.block.viewProjection);
    meshes.draw(plan.list, plan.selected, false);
    glDisable(GL_DEPTH_TEST);
    m_layer.end();

    bindTarget(view, rect);
    glBindTexture(GL_TEXTURE_2D, m_layer.texture());
    m_outline.use();
    m_outline.set("layer", 0);
    m_outline.set("area", Vec4(static_cast<float>(rect.x), static_cast<float>(rect.y),
                               1.0F / static_cast<float>(m_layer.width()),
                               1.0F / static_cast<float>(m_layer.height())));
    m_outline.set("accent", view.accent);
    m_outline.set("primary", view.primary);
    m_outline.set("width", width);
    glBindVertexArray(screenArray);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glDisable(GL_SCISSOR_TEST);
}

void OverlayDrawer::drawOverlay(const View& view, int samples, GLuint screenArray) {
    const Overlay& overlay = view.overlay;
    if (overlay.empty()) {
        return;
    }
    ScreenBox box(view);
    for (const OverlayVertex& vertex : overlay.triangles) {
        box.add(vertex.position);
    }
    float border = 2.0F;
    for (const Line& line : overlay.lines) {
        box.add(line.from);
        box.add(line.to);
        border = std::max(border, line.width * view.pixelRatio + 2.0F);
    }
    const PixelRect rect = box.rect(border);
    if (rect.empty()) {
        return;
    }
    m_layer.begin(rect, view.width, view.height, samples);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    if (!overlay.triangles.empty()) {
        glBindVertexArray(m_triangleArray.id());
        glBindBuffer(GL_ARRAY_BUFFER, m_triangleBuffer.id());
        glBufferData(GL_ARRAY_BUFFER,
                     static_cast<GLsizeiptr>(overlay.triangles.size() * sizeof(OverlayVertex)),
                     overlay.triangles.data(), GL_STREAM_DRAW);
        m_triangles.use();
        glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(overlay.triangles.size()));
    }
    drawLines(overlay.lines, view, true);
    glDepthFunc(GL_LESS);
    glDisable(GL_DEPTH_TEST);
    m_layer.end();

    bindTarget(view, rect);
    glBindTexture(GL_TEXTURE_2D, m_layer.texture());
    m_copy.use();
    m_copy.set("layer", 0);
    m_copy.set("area", Vec4(static_cast<float>(rect.x), static_cast<float>(rect.y), 0.0F, 0.0F));
    glBindVertexArray(screenArray);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glDisable(GL_SCISSOR_TEST);
}

void OverlayDrawer::draw(const FramePlan& plan, MeshDrawer& meshes, const View& view, GLuint sceneDepth,
                         int samples, GLuint screenArray) {
    glActiveTexture(GL_TEXTURE0);
    if (!view.debug.lines.empty()) {
        bindTarget(view, {0, 0, view.width, view.height});
        glBindTexture(GL_TEXTURE_2D, sceneDepth);
        drawLines(view.debug.lines, view, false);
        glDisable(GL_SCISSOR_TEST);
    }
    drawSigns(view, sceneDepth);
    drawOutline(plan, meshes, view, samples, screenArray);
    drawOverlay(view, samples, screenArray);
    glDisable(GL_BLEND);
}

} // namespace sbx::render
