// What the panel draws over the picture: tools, marks, the outline of the selection.

#include "widgets/viewport/viewport_panel.h"

#include "widgets/common/color_picker.h"
#include "widgets/common/document.h"
#include "widgets/common/scene_marks.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/entity_signs.h"
#include "widgets/viewport/gizmo_shapes.h"
#include "widgets/viewport/handle_control.h"
#include "widgets/viewport/link_lines.h"
#include "widgets/viewport/message_lines.h"
#include "widgets/viewport/placement.h"
#include "widgets/viewport/viewport_input.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sbx::ui {

namespace {

// A quarter of each edge, at the eight corners.
void addCorners(render::DebugDraw& draw, const render::Bounds& box, const Vec4& color) {
    const Vec3 size = box.size();
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3 sides((corner & 1) != 0 ? 1.0F : 0.0F, (corner & 2) != 0 ? 1.0F : 0.0F, (corner & 4) != 0 ? 1.0F : 0.0F);
        const Vec3 at = box.minimum + size * sides;
        for (int i = 0; i < 3; ++i) {
            Vec3 to = at;
            to[i] += size[i] * (sides[i] > 0.5F ? -0.25F : 0.25F);
            draw.addLine(at, to, color, render::LineDepth::Faint);
        }
    }
}

} // namespace

void ViewportPanel::decorate(render::View& view, int pane) {
    ShownScene& shown = m_view->shown();
    if (!m_framed && m_document.isOpen() && !shown.scene().instances.empty()) {
        m_framed = true;
        showFirst();
        view.camera = m_view->camera(pane);
    }
    if (!m_panesFramed && m_framed && m_view->layout().isFour() && !shown.scene().instances.empty()) {
        frameAxisPanes();
        view.camera = m_view->camera(pane);
    }
    const PhysicsView* physics = shown.snapshot() != nullptr ? shown.snapshot()->physics.get() : nullptr;
    if (physics != nullptr)
        drawPhysics(view.debug, *physics, m_theme);
    // The size of a widget is not to change while the picture is being painted.
    QMetaObject::invokeMethod(this, &ViewportPanel::updateLegend, Qt::QueuedConnection);
    for (const auto& drawing : m_drawings)
        drawing(view);
    m_links->clear(pane);
    m_messages->clear(pane);
    const GizmoView paneView{view.camera, view.width, view.height, view.pixelRatio};
    m_messages->drawPassing(view, paneView);
    m_handles->clear(pane);
    m_gizmoAreas[static_cast<std::size_t>(pane)] = QRect();
    if (m_view->playerCamera() && pane == PaneLayout::Main)
        return;
    outlineSelection(view);
    m_messages->drawChosen(view, paneView, pane);
    m_links->draw(view, paneView, pane);
    drawMarks(view);
    if (!m_gizmo->dragging())
        m_handles->draw(view, paneView, pane);
    const Vec4 yellow = overlayColor(m_theme.hue(Hue::Yellow));
    if (const auto held = m_input->grab().line())
        view.debug.addLine(held->from, held->to, yellow, render::LineDepth::Faint);
    if (const auto tape = m_input->tape().span()) {
        view.debug.addLine(tape->from, tape->to, yellow, render::LineDepth::OnTop);
        const GizmoView geometry{view.camera, view.width, view.height, view.pixelRatio};
        for (const Vec3& end : {tape->from, tape->to})
            view.debug.addCross(end, geometry.metresAt(end) * 10.0F * geometry.pixelRatio, yellow, render::LineDepth::OnTop);
    }
    drawTool(view, pane);
}

void ViewportPanel::drawTool(render::View& view, int pane) {
    const GizmoView geometry{view.camera, view.width, view.height, view.pixelRatio};
    if (const auto frame = m_gizmo->frame(geometry)) {
        const auto tint = [this](const QColor& color) {
            return Vec4(static_cast<float>(color.redF()), static_cast<float>(color.greenF()), static_cast<float>(color.blueF()), 1.0F);
        };
        GizmoColors colors;
        colors.axes = {tint(m_theme.color(Token::AxisX)), tint(m_theme.color(Token::AxisY)), tint(m_theme.color(Token::AxisZ))};
        colors.hovered = tint(m_theme.hue(Hue::Yellow));
        colors.neutral = Vec4(0.92F, 0.93F, 0.95F, 0.9F);
        drawGizmo(view.overlay, m_gizmo->shownTool(), *frame, geometry, m_gizmo->hot(), m_gizmo->dragging(), colors);
        const GizmoPart only = m_gizmo->dragging() ? m_gizmo->hot() : GizmoPart::None;
        if (const std::optional<PixelBox> box = gizmoBounds(m_gizmo->shownTool(), *frame, geometry, only)) {
            const qreal ratio = m_view->devicePixelRatioF();
            m_gizmoAreas[static_cast<std::size_t>(pane)] =
                QRectF(QPointF(box->minimum.x, box->minimum.y) / ratio, QPointF(box->maximum.x, box->maximum.y) / ratio)
                    .translated(m_view->paneArea(pane).topLeft())
                    .toAlignedRect();
        }
    }
}

void ViewportPanel::outlineSelection(render::View& view) {
    const std::vector<std::string>& names = m_selection.entities();
    view.selected = m_view->shown().familiesOf(names, &view.outlineGroups);
    view.primaryGroup.reset();
    if (names.size() < 2)
        return;
    // The one that a panel shows first, and by whose axes a tool turns.
    view.primary = overlayColor(m_theme.hue(Hue::Orange));
    const auto primary = std::find(names.begin(), names.end(), m_selection.primary());
    if (primary != names.end())
        view.primaryGroup = static_cast<std::uint32_t>(primary - names.begin());
}

void ViewportPanel::showCopies(const QString& text) {
    emit done(text);
    m_flashing = m_selection.entities();
    m_flashClock.invalidate();
    m_flashTimer.start();
    m_view->wake();
}

void ViewportPanel::advanceFlash() {
    if (m_flashing.empty())
        return;
    ShownScene& shown = m_view->shown();
    if (!m_flashClock.isValid() && shown.idOf(m_flashing.front()) != 0)
        m_flashClock.start();
    const qint64 since = m_flashClock.isValid() ? m_flashClock.elapsed() : 0;
    if (since > FlashMs || m_document.folder().isEmpty()) {
        m_flashing.clear();
        m_flashTimer.stop();
        shown.setFlash({}, 0.0F);
        m_view->wake(); // once more, without it
        return;
    }
    constexpr float Strongest = 1.2F; // linear radiance: white on anything
    shown.setFlash(m_flashing, Strongest * (1.0F - static_cast<float>(since) / static_cast<float>(FlashMs)));
}

void ViewportPanel::setScene(std::function<const definition::Scene*()> scene) {
    m_scene = std::move(scene);
    m_links->setScene(m_scene);
    m_handles->setScene(m_scene);
}

void ViewportPanel::setSceneMarks(const SceneMarks& marks) {
    m_marks = &marks;
    m_links->setMarks(marks);
    m_messages->setMarks(marks);
    m_handles->setMarks(marks);
    m_view->shown().setHiddenBy([&marks](const EntityList& entities) { return marks.hiddenIn(entities); });
    m_input->setSelectable([&marks](const std::string& name) { return !marks.isLocked(name); });
    m_editor.setMovable([&marks](const std::string& name) { return !marks.isLocked(name); });
    connect(&marks, &SceneMarks::changed, this, [this] {
        m_view->shown().hiddenChanged();
        m_view->wake();
    });
}

void ViewportPanel::drawMarks(render::View& view) {
    const ShownScene& shown = m_view->shown();
    // Among several, the primary one has the corners of its box as well.
    if (m_selection.entities().size() > 1)
        if (const auto box = shown.boundsOf(m_selection.primary()))
            addCorners(view.debug, *box, overlayColor(m_theme.hue(Hue::Orange)));
    for (const std::string& name : m_selection.entities()) {
        const bool hidden = m_marks != nullptr && m_marks->isHidden(name);
        const auto pose = hidden || shown.drawsAny(name) ? std::nullopt : markPose(name);
        if (!pose)
            continue;
        const EntityRow* row = shown.snapshot()->entities->find(name);
        const auto bounds = row != nullptr ? m_editor.boundsOfType(row->type) : std::nullopt;
        if (bounds)
            view.debug.addBox(compose(*pose, Pose{bounds->centre(), Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)}), bounds->size(),
                              view.accent, render::LineDepth::Faint);
        else
            view.debug.addCross(pose->position, 0.5F, view.accent, render::LineDepth::OnTop);
    }
    drawMarkers(view);
    if (m_ghost) {
        const render::Bounds box = m_ghost->bounds.value_or(render::Bounds{Vec3(-0.25F), Vec3(0.25F)});
        view.debug.addBox(Pose{m_ghost->position + box.centre(), Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)}, box.size(),
                          view.accent, render::LineDepth::Faint);
    }
}

void ViewportPanel::drawMarkers(render::View& view) {
    // Lamps, sounds, spawners, triggers: what has no shape is shown by an icon that can be clicked. Not in a running world.
    std::vector<ViewportInput::Marker> markers;
    const ShownScene& shown = m_view->shown();
    view.signs.clear();
    if (m_editor.editsFile() && shown.snapshot() != nullptr && shown.snapshot()->entities) {
        std::unordered_set<std::uint64_t> drawn;
        for (const render::Instance& instance : shown.scene().instances)
            drawn.insert(instance.entity);
        const definition::Definitions& types = m_editor.definitions();
        std::unordered_map<const EntityType*, std::pair<const definition::EntityTypeDefinition*, bool>> typeOf; // and whether it is a volume
        for (const EntityRow& row : shown.snapshot()->entities->rows) {
            const auto [known, first] = typeOf.try_emplace(row.entityType.get());
            if (first) {
                known->second.first = types.find(row.type);
                known->second.second = known->second.first != nullptr && isVolume(*known->second.first);
            }
            const auto& [type, bounded] = known->second;
            const bool shapeless = !drawn.contains(row.id.bits);
            const ScenePlace* place = shapeless || bounded ? m_editor.places().find(row.name) : nullptr;
            if (place == nullptr || (m_marks != nullptr && m_marks->isHidden(row.name)))
                continue;
            const Pose pose = shown.previewing() ? shown.poseOf(row.name).value_or(place->world) : place->world;
            render::Sign sign = m_signs->signOf(row.icon, type);
            if (bounded)
                drawVolume(view, row.name, *type, pose, sign.color);
            if (!shapeless)
                continue;
            sign.position = pose.position;
            sign.size = 2.0F * ViewportInput::MarkerPixels;
            sign.ring = m_selection.contains(row.name) || m_input->hoveredMarker() == row.name;
            if (sign.ring)
                sign.color = view.accent;
            view.signs.push_back(sign);
            markers.push_back({row.name, pose.position});
        }
    }
    view.icons = m_signs->sheet();
    m_input->setMarkers(std::move(markers));
}

void ViewportPanel::drawVolume(render::View& view, const std::string& name, const definition::EntityTypeDefinition& type, const Pose& pose,
                               const Vec4& color) {
    const definition::Scene* scene = m_scene ? m_scene() : nullptr;
    const definition::InstanceDefinition* instance = scene != nullptr ? scene->find(name) : nullptr;
    const auto bounds = instance != nullptr ? instanceBounds(type, *instance) : typeBounds(type);
    if (bounds)
        view.debug.addBox(compose(pose, Pose{bounds->centre(), Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)}), bounds->size(),
                          Vec4(Vec3(color), 0.7F), render::LineDepth::Faint);
}

std::optional<Pose> ViewportPanel::markPose(const std::string& name) const {
    if (m_editor.editsFile())
        if (const ScenePlace* place = m_editor.places().find(name))
            return place->world;
    return m_view->shown().poseOf(name);
}

} // namespace sbx::ui
