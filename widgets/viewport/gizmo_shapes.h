#pragma once
// Draws the gizmo into the renderer's overlay. GUI thread, no state.

#include "engine/render/overlay.h"
#include "widgets/viewport/gizmo.h"

#include <array>

namespace sbx::ui {

// Display colours, from the theme.
struct GizmoColors {
    std::array<Vec4, 3> axes{};
    Vec4 hovered{1.0F};
    Vec4 neutral{1.0F};
};

// `hot`: under the cursor or being dragged. While dragged the other parts are left out.
void drawGizmo(render::Overlay& overlay, Tool tool, const GizmoFrame& frame, const GizmoView& view, GizmoPart hot,
               bool dragged, const GizmoColors& colors);

} // namespace sbx::ui
