#pragma once
// The sun's depth map, and a coarse map of what is in it: per tile the nearest and farthest depth around.
// Most of a picture is plainly lit or plainly in shade; the tiles decide that with one look-up, and only the rest
// pays for a soft filter. Internal to engine/render.

#include "engine/render/gl.h"

#include <functional>

namespace sbx::render {

class ShadowMap {
public:
    [[nodiscard]] Result<void> initialise();
    // Sizes are multiples of 64, the longer one is shared out among 128 tiles. `draw` draws the casters;
    // tiles are computed only on request.
    void update(int width, int height, bool tiles, GLuint screenArray, const std::function<void()>& draw);
    // Binds map and tiles to these texture units.
    void bind(GLuint mapUnit, GLuint tileUnit) const;
    [[nodiscard]] Vec2 tileCount() const;

private:
    void resize(int width, int height);

    gl::Program m_tile;
    gl::Program m_spread;
    gl::Sampler m_compare;
    int m_width = 0;
    int m_height = 0;
    int m_tileEdge = 8; // texels
    gl::Texture m_map;
    gl::Framebuffer m_mapTarget;
    gl::Texture m_tiles[2];
    gl::Framebuffer m_tileTargets[2];
};

} // namespace sbx::render
