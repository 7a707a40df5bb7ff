#pragma once
// Heights seen from above, blurred with their squares: tells the surface shader how much of the sky is hidden
// by surrounding geometry, for one texture look-up. (Screen-space occlusion costs tens of look-ups a pixel, and
// forgets what is off screen.) Internal to engine/render.

#include "engine/render/frame_block.h"
#include "engine/render/gl.h"
#include "engine/render/mesh.h"

#include <functional>

namespace sbx::render {

class SkyOcclusion {
public:
    [[nodiscard]] Result<void> initialise();
    // Draws the occluders over `region` by calling `draw` with the matrix to use, and fills the block's part.
    void update(const Bounds& region, const std::function<void(const Mat4&)>& draw, GLuint screenArray,
                FrameBlock& block);
    // Blurred height above the region's floor and its deviation, as shares of the region's height. Eight bits
    // a channel: software renderers filter those several times faster than floats.
    [[nodiscard]] GLuint texture() const { return m_moments[1].id(); }

private:
    gl::Program m_blur;
    gl::Texture m_depth;
    gl::Framebuffer m_depthTarget;
    gl::Texture m_moments[2];
    gl::Framebuffer m_momentTargets[2];
};

} // namespace sbx::render
