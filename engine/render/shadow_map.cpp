#include "engine/render/shadow_map.h"

#include "engine/render/shaders.h"

#include <algorithm>

namespace sbx::render {
namespace {

constexpr int TilesAcross = 128;

} // namespace

Result<void> ShadowMap::initialise() {
    using namespace shaders;
    if (auto r = m_tile.build("shadow tile", withHead(ScreenVertex), withHead(TileFragment)); !r) {
        return r;
    }
    if (auto r = m_spread.build("shadow spread", withHead(ScreenVertex), withHead(TileSpreadFragment)); !r) {
        return r;
    }
    m_compare = gl::Sampler::make();
    const GLuint sampler = m_compare.id();
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glSamplerParameteri(sampler, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glSamplerParameteri(sampler, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    return {};
}

void ShadowMap::resize(int width, int height) {
    if (width == m_width && height == m_height) {
        return;
    }
    m_width = width;
    m_height = height;
    m_tileEdge = std::max(std::max(width, height) / TilesAcross, 1);
    m_map = gl::makeTexture(GL_DEPTH_COMPONENT32F, width, height, GL_DEPTH_COMPONENT, GL_FLOAT, GL_NEAREST);
    m_mapTarget = gl::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, m_mapTarget.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, m_map.id(), 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    for (int i = 0; i < 2; ++i) {
        m_tiles[i] = gl::makeTexture(GL_RGBA32F, width / m_tileEdge, height / m_tileEdge, GL_RGBA, GL_FLOAT,
                                     GL_NEAREST);
        m_tileTargets[i] = gl::Framebuffer::make();
        glBindFramebuffer(GL_FRAMEBUFFER, m_tileTargets[i].id());
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m_tiles[i].id(), 0);
    }
}

void ShadowMap::update(int width, int height, bool tiles, GLuint screenArray,
                       const std::function<void()>& draw) {
    resize(width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, m_mapTarget.id());
    glViewport(0, 0, width, height);
    glEnable(GL_DEPTH_TEST);
    // What stands before the near plane still casts.
    glEnable(GL_DEPTH_CLAMP);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw();
    glDisable(GL_DEPTH_CLAMP);
    glDisable(GL_DEPTH_TEST);
    if (!tiles) {
        return;
    }
    glViewport(0, 0, width / m_tileEdge, height / m_tileEdge);
    glBindVertexArray(screenArray);
    glActiveTexture(GL_TEXTURE0);
    for (int pass = 0; pass < 2; ++pass) {
        const gl::Program& program = pass == 0 ? m_tile : m_spread;
        glBindFramebuffer(GL_FRAMEBUFFER, m_tileTargets[pass].id());
        glBindTexture(GL_TEXTURE_2D, pass == 0 ? m_map.id() : m_tiles[0].id());
        program.use();
        program.set("source", 0);
        program.set("edge", m_tileEdge);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glBindVertexArray(0);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void ShadowMap::bind(GLuint mapUnit, GLuint tileUnit) const {
    glActiveTexture(GL_TEXTURE0 + mapUnit);
    glBindTexture(GL_TEXTURE_2D, m_map.id());
    glBindSampler(mapUnit, m_compare.id());
    glActiveTexture(GL_TEXTURE0 + tileUnit);
    glBindTexture(GL_TEXTURE_2D, m_tiles[1].id());
}

Vec2 ShadowMap::tileCount() const {
    return Vec2(static_cast<float>(m_width), static_cast<float>(m_height)) / static_cast<float>(m_tileEdge);
}

} // namespace sbx::render
