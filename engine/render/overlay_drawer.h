#pragma once
// Lines, signs, selection outline and gizmo overlay, drawn into the target after the scene. Internal to engine/render;
// lives on the context's thread.

#include "engine/render/frame_plan.h"
#include "engine/render/gl.h"
#include "engine/render/mesh_drawer.h"
#include "engine/render/renderer.h"
#include "engine/render/targets.h"

#include <vector>

namespace sbx::render {

class OverlayDrawer {
public:
    [[nodiscard]] Result<void> initialise();
    // The target is bound with its viewport set; it is bound again on return. `sceneDepth` is a texture of
    // any size.
    void draw(const FramePlan& plan, MeshDrawer& meshes, const View& view, GLuint sceneDepth, int samples,
              GLuint screenArray);

private:
    struct LineData {
        Vec3 from;
        float width;
        Vec3 to;
        float depth;
        Vec4 color;
    };

    struct SignData {
        Vec3 position;
        float size;
        Vec4 color; // alpha: 1, or 2 with a ring
        Vec4 area;
    };

    void drawSigns(const View& view, GLuint sceneDepth);
    void drawLines(const std::vector<Line>& lines, const View& view, bool onTop);
    void drawOutline(const FramePlan& plan, MeshDrawer& meshes, const View& view, int samples,
                     GLuint screenArray);
    void drawOverlay(const View& view, int samples, GLuint screenArray);
    static void bindTarget(const View& view, const PixelRect& clip);

    gl::Program m_line;
    gl::Program m_mask;
    gl::Program m_outline;
    gl::Program m_triangles;
    gl::Program m_copy;
    gl::VertexArray m_lineArray;
    gl::Buffer m_lineBuffer;
    gl::VertexArray m_triangleArray;
    gl::Buffer m_triangleBuffer;
    gl::Program m_sign;
    gl::VertexArray m_signArray;
    gl::Buffer m_signBuffer;
    std::vector<SignData> m_signs;
    gl::Texture m_iconTexture;
    std::shared_ptr<const IconSheet> m_icons; // in the texture
    std::vector<LineData> m_lines;
    Layer m_layer;
};

} // namespace sbx::render
