#pragma once
// What is drawn over the scene: debug lines and the shapes of gizmos. Colours here are display colours (sRGB
// as in a colour picker) with straight alpha, widths are logical pixels, and everything is anti-aliased at
// full resolution whatever the scene is drawn at.

#include "engine/core/math.h"

#include <cstdint>
#include <vector>

namespace sbx::render {

enum class LineDepth {
    Tested, // hidden by what is in front of it
    Faint,  // hidden parts show through at a quarter of the strength
    OnTop,  // never hidden
};

struct Line {
    Vec3 from{0.0F};
    Vec3 to{0.0F};
    Vec4 color{1.0F};
    float width = 1.5F;
    LineDepth depth = LineDepth::Tested;
};

struct DebugDraw {
    std::vector<Line> lines;

    void addLine(const Vec3& from, const Vec3& to, const Vec4& color, LineDepth depth = LineDepth::Tested);
    // The twelve edges of a box with full edge lengths `size`.
    void addBox(const Pose& pose, const Vec3& size, const Vec4& color, LineDepth depth = LineDepth::Tested);
    void addCircle(const Vec3& centre, const Vec3& normal, float radius, const Vec4& color,
                   LineDepth depth = LineDepth::Tested);
    // Three circles.
    void addSphere(const Vec3& centre, float radius, const Vec4& color, LineDepth depth = LineDepth::Tested);
    // Three crossing lines along the axes.
    void addCross(const Vec3& centre, float size, const Vec4& color, LineDepth depth = LineDepth::Tested);
};

struct OverlayVertex {
    Vec3 position{0.0F};
    Vec4 color{1.0F};
};

// A layer of its own above everything else: its parts hide each other, the scene hides none of it. For
// gizmos.
struct Overlay {
    std::vector<OverlayVertex> triangles; // three a triangle, both sides
    std::vector<Line> lines;              // `depth` is ignored

    [[nodiscard]] bool empty() const { return triangles.empty() && lines.empty(); }
    void clear();

    // Solid shapes are lightly shaded; quads, rings and lines are not.
    void addCylinder(const Vec3& from, const Vec3& to, float radius, const Vec4& color);
    void addCone(const Vec3& base, const Vec3& tip, float radius, const Vec4& color);
    void addSphere(const Vec3& centre, float radius, const Vec4& color);
    void addBox(const Pose& pose, const Vec3& size, const Vec4& color);
    void addQuad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, const Vec4& color);
    // A shaft with a cone for a head; `thickness` is the shaft's radius.
    void addArrow(const Vec3& from, const Vec3& to, float thickness, const Vec4& color);
    // A flat band around `normal`.
    void addRing(const Vec3& centre, const Vec3& normal, float radius, float thickness, const Vec4& color);
    void addLine(const Vec3& from, const Vec3& to, const Vec4& color, float width = 1.5F);
};

// Icons side by side in one picture: how much of each texel they cover, 0 to 255, rows from the top.
struct IconSheet {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> coverage;
};

// A round plate with an icon on it, always facing the viewer and of one size, for what has no shape of its own.
struct Sign {
    Vec3 position{0.0F};
    float size = 20.0F; // logical pixels across
    Vec4 color{1.0F};   // of the icon and the ring; alpha is ignored
    Vec4 area{0.0F};    // of the sheet, each in [0, 1]: left, top, width, height
    bool ring = false;  // hovered or selected: the ring has the icon's colour instead of a faint one
};

// 0xRRGGBB as in a style sheet.
[[nodiscard]] Vec4 displayColor(unsigned rgb, float alpha = 1.0F);

} // namespace sbx::render
