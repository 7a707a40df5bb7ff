#include "engine/render/sky_occlusion.h"

#include "engine/render/shaders.h"

#include <glm/common.hpp>

#include <algorithm>

namespace sbx::render {
namespace {

constexpr int DepthSize = 256;
constexpr int MomentSize = 128;
constexpr float BlurRadius = 1.3F; // metres
constexpr float RegionMargin = 1.5F;     // metres around the region
constexpr float Strength = 0.74F;

} // namespace

Result<void> SkyOcclusion::initialise() {
    if (auto built = m_blur.build("height blur", shaders::withHead(shaders::ScreenVertex),
                                  shaders::withHead(shaders::HeightBlurFragment));
        !built) {
        return built;
    }
    m_depth = gl::makeTexture(GL_DEPTH_COMPONENT24, DepthSize, DepthSize, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
                              GL_LINEAR);
    m_depthTarget = gl::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, m_depthTarget.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, m_depth.id(), 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    for (int i = 0; i < 2; ++i) {
        m_moments[i] =
            i == 0 ? gl::makeTexture(GL_RG32F, MomentSize, MomentSize, GL_RG, GL_FLOAT, GL_NEAREST)
                   : gl::makeTexture(GL_RGBA8, MomentSize, MomentSize, GL_RGBA, GL_UNSIGNED_BYTE, GL_LINEAR);
        m_momentTargets[i] = gl::Framebuffer::make();
        glBindFramebuffer(GL_FRAMEBUFFER, m_momentTargets[i].id());
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m_moments[i].id(), 0);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
            return Error{"the driver cannot draw into RG32F textures", {}, {}};
        }
    }
    return {};
}

void SkyOcclusion::update(const Bounds& region, const std::function<void(const Mat4&)>& draw,
                          GLuint screenArray, FrameBlock& block) {
    const Vec3 low = region.minimum - Vec3(RegionMargin, 0.0F, RegionMargin);
    const Vec3 high = region.maximum + Vec3(RegionMargin, 0.0F, RegionMargin);
    const Vec3 size = glm::max(high - low, Vec3(0.5F));
    // From above: x to the right, z up the picture, the highest nearest.
    Mat4 fromAbove(0.0F);
    fromAbove[0][0] = 2.0F / size.x;
    fromAbove[2][1] = 2.0F / size.z;
    fromAbove[1][2] = -2.0F / size.y;
    fromAbove[3] = {-2.0F * low.x / size.x - 1.0F, -2.0F * low.z / size.z - 1.0F,
                    1.0F + 2.0F * low.y / size.y, 1.0F};

    glBindFramebuffer(GL_FRAMEBUFFER, m_depthTarget.id());
    glViewport(0, 0, DepthSize, DepthSize);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glEnable(GL_DEPTH_CLAMP);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw(fromAbove);
    glDisable(GL_DEPTH_CLAMP);
    glDisable(GL_DEPTH_TEST);

    glViewport(0, 0, MomentSize, MomentSize);
    glBindVertexArray(screenArray);
    m_blur.use();
    m_blur.set("source", 0);
    glActiveTexture(GL_TEXTURE0);
    for (int pass = 0; pass < 2; ++pass) {
        glBindFramebuffer(GL_FRAMEBUFFER, m_momentTargets[pass].id());
        glBindTexture(GL_TEXTURE_2D, pass == 0 ? m_depth.id() : m_moments[0].id());
        m_blur.set("step_", pass == 0
                                ? Vec4(BlurRadius / size.x, 0.0F, static_cast<float>(MomentSize), 1.0F)
                                : Vec4(0.0F, BlurRadius / size.z, static_cast<float>(MomentSize), 0.0F));
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glBindVertexArray(0);
    glBindTexture(GL_TEXTURE_2D, 0);
    block.heightArea = {low.x, low.z, 1.0F / size.x, 1.0F / size.z};
    block.heightRange = {low.y, Strength, size.y, block.heightRange.w};
}

} // namespace sbx::render
