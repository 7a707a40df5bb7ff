#pragma once
// Framebuffers the renderer draws into on its way to the target. Internal to engine/render; lives on the
// context's thread.

#include "engine/render/gl.h"

namespace sbx::render {

// Colour and depth of the scene, multisampled or not, created again when the settings change.
class SceneTarget {
public:
    void prepare(int width, int height, int samples);
    // Draw here …
    [[nodiscard]] GLuint framebuffer() const { return m_samples > 1 ? m_sampled.id() : m_plain.id(); }
    // … then bring colour and depth to the textures.
    void resolve() const;
    [[nodiscard]] GLuint resolved() const { return m_plain.id(); }
    [[nodiscard]] GLuint color() const { return m_color.id(); }
    [[nodiscard]] GLuint depth() const { return m_depth.id(); }
    [[nodiscard]] int width() const { return m_width; }
    [[nodiscard]] int height() const { return m_height; }

private:
    int m_width = 0;
    int m_height = 0;
    int m_samples = 0;
    gl::Texture m_color;
    gl::Texture m_depth;
    gl::Framebuffer m_plain;
    gl::Renderbuffer m_sampledColor;
    gl::Renderbuffer m_sampledDepth;
    gl::Framebuffer m_sampled;
};

struct PixelRect {
    int x = 0; // from the lower left, as OpenGL counts
    int y = 0;
    int width = 0;
    int height = 0;

    [[nodiscard]] bool empty() const { return width <= 0 || height <= 0; }
};

// A multisampled picture of a part of the target: outline masks and gizmos are small, so only their rectangle
// is cleared and resolved.
class Layer {
public:
    // Clears it, binds it, and sets the viewport so that the target's coordinates fall into the rectangle.
    void begin(const PixelRect& rect, int targetWidth, int targetHeight, int samples);
    // Resolves; texture() then holds the rectangle with its corner at 0, 0.
    void end() const;
    [[nodiscard]] GLuint texture() const { return m_texture.id(); }
    [[nodiscard]] int width() const { return m_width; }
    [[nodiscard]] int height() const { return m_height; }

private:
    PixelRect m_rect;
    int m_width = 0;
    int m_height = 0;
    int m_usedWidth = 0; // cleared and resolved: the rectangle and a margin
    int m_usedHeight = 0;
    int m_samples = 0;
    gl::Renderbuffer m_color;
    gl::Renderbuffer m_depth;
    gl::Framebuffer m_sampled;
    gl::Texture m_texture;
    gl::Framebuffer m_resolved;
};

} // namespace sbx::render
