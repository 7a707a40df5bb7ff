#include "engine/render/targets.h"

#include <algorithm>

namespace sbx::render {
namespace {

gl::Framebuffer framebufferOf(const gl::Texture& color, const gl::Texture* depth) {
    gl::Framebuffer framebuffer = gl::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color.id(), 0);
    if (depth) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth->id(), 0);
    }
    return framebuffer;
}

gl::Framebuffer framebufferOf(const gl::Renderbuffer& color, const gl::Renderbuffer& depth) {
    gl::Framebuffer framebuffer = gl::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth.id());
    return framebuffer;
}

} // namespace

void SceneTarget::prepare(int width, int height, int samples) {
    if (width == m_width && height == m_height && samples == m_samples) {
        return;
    }
    m_width = width;
    m_height = height;
    m_samples = samples;
    m_color = gl::makeTexture(GL_RGBA8, width, height, GL_RGBA, GL_UNSIGNED_BYTE, GL_LINEAR);
    m_depth =
        gl::makeTexture(GL_DEPTH_COMPONENT24, width, height, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, GL_NEAREST);
    m_plain = framebufferOf(m_color, &m_depth);
    m_sampled.reset();
    m_sampledColor.reset();
    m_sampledDepth.reset();
    if (samples > 1) {
        m_sampledColor = gl::makeRenderbuffer(GL_RGBA8, width, height, samples);
        m_sampledDepth = gl::makeRenderbuffer(GL_DEPTH_COMPONENT24, width, height, samples);
        m_sampled = framebufferOf(m_sampledColor, m_sampledDepth);
    }
}

void SceneTarget::resolve() const {
    if (m_samples <= 1) {
        return;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_sampled.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m_plain.id());
    glBlitFramebuffer(0, 0, m_width, m_height, 0, 0, m_width, m_height,
                      GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
}

// As far as the outline looks.
constexpr int OutlineMargin = 8;

void Layer::begin(const PixelRect& rect, int targetWidth, int targetHeight, int samples) {
    m_rect = rect;
    if (rect.width > m_width || rect.height > m_height || samples != m_samples) {
        // Grows in steps, so that a growing selection does not allocate every frame.
        const auto grown = [](int wish, int have) { return std::max(have, (wish + 127) / 128 * 128); };
        m_width = grown(rect.width, m_width);
        m_height = grown(rect.height, m_height);
        m_samples = samples;
        m_color = gl::makeRenderbuffer(GL_RGBA8, m_width, m_height, samples);
        m_depth = gl::makeRenderbuffer(GL_DEPTH_COMPONENT24, m_width, m_height, samples);
        m_sampled = framebufferOf(m_color, m_depth);
        m_texture = gl::makeTexture(GL_RGBA8, m_width, m_height, GL_RGBA, GL_UNSIGNED_BYTE, GL_LINEAR);
        m_resolved = framebufferOf(m_texture, nullptr);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, m_sampled.id());
    glViewport(-rect.x, -rect.y, targetWidth, targetHeight);
    glEnable(GL_SCISSOR_TEST);
    // A margin is cleared and resolved too: the outline looks a few pixels beyond the rectangle.
    m_usedWidth = std::min(m_width, rect.width + OutlineMargin);
    m_usedHeight = std::min(m_height, rect.height + OutlineMargin);
    glScissor(0, 0, m_usedWidth, m_usedHeight);
    glClearColor(0.0F, 0.0F, 0.0F, 0.0F);
    glClearDepth(1.0);
    glDepthMask(GL_TRUE);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glScissor(0, 0, rect.width, rect.height);
}

void Layer::end() const {
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_sampled.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m_resolved.id());
    glBlitFramebuffer(0, 0, m_usedWidth, m_usedHeight, 0, 0, m_usedWidth, m_usedHeight, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

} // namespace sbx::render
