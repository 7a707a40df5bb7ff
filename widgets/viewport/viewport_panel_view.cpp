// The cameras: home, framing, axis views, four views; what is kept of them.

#include "widgets/viewport/viewport_panel.h"

#include "widgets/common/action_registry.h"
#include "widgets/common/selection.h"
#include "widgets/viewport/handle_control.h"
#include "widgets/viewport/link_lines.h"
#include "widgets/viewport/message_lines.h"
#include "widgets/viewport/pane_label.h"
#include "widgets/viewport/pane_splitter.h"
#include "widgets/viewport/viewport_input.h"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>
#include <optional>

namespace sbx::ui {

namespace {

constexpr float HomeYaw = 30.0F; // degrees
constexpr float HomePitch = -22.0F;
// What is looked at where there is nothing.
const render::Bounds EmptyScene{Vec3(-5.0F), Vec3(5.0F)};

QVariantMap savedPlace(const CameraRig::Place& at) {
    return {{QStringLiteral("eye"), QVariantList{at.eye.x, at.eye.y, at.eye.z}},
            {QStringLiteral("yaw"), at.yaw},
            {QStringLiteral("pitch"), at.pitch},
            {QStringLiteral("focus"), at.focus},
            {QStringLiteral("orthographic"), at.orthographic},
            {QStringLiteral("byAxis"), at.byAxis}};
}

} // namespace

void ViewportPanel::frameSelection() {
    ShownScene& shown = m_view->shown();
    std::optional<render::Bounds> bounds = shown.boundsOf(m_selection.entities());
    if (!bounds && !m_selection.empty())
        if (const auto pose = markPose(m_selection.primary()))
            bounds = render::Bounds{pose->position - Vec3(0.5F), pose->position + Vec3(0.5F)};
    // What is selected and is nowhere (it is gone) is not the whole scene.
    if (!bounds && m_selection.empty())
        bounds = shown.sceneBounds();
    if (bounds)
        m_view->rig().frame(*bounds, pictureAspect());
    m_view->wake();
}

void ViewportPanel::homeView() {
    const auto bounds = m_view->shown().sceneBounds();
    if (bounds && m_view->keepsAxis())
        m_view->rig().frame(*bounds, pictureAspect());
    else if (bounds)
        m_view->rig().fit(*bounds, pictureAspect(), glm::radians(HomeYaw), glm::radians(HomePitch));
    m_view->wake();
}

// A project that opens shows what stands in it, from near, rather than all of its floors.
void ViewportPanel::showFirst() {
    const auto bounds = m_view->shown().coreBounds();
    if (!bounds)
        return;
    // The picture is filled, not the sphere around everything: the far corners matter least. And what is near looks larger, so the
    // middle of the picture lies before the middle of the scene.
    render::Bounds nearer = *bounds;
    const Vec3 trim = bounds->size() * 0.21F;
    nearer.minimum += trim;
    nearer.maximum -= trim;
    const Vec3 towards = glm::angleAxis(glm::radians(HomeYaw), Vec3(0.0F, 1.0F, 0.0F)) * Vec3(0.0F, -0.12F, 0.16F);
    const Vec3 shift = towards * glm::length(nearer.size()) * 0.5F;
    nearer.minimum += shift;
    nearer.maximum += shift;
    CameraRig& rig = m_view->rig(PaneLayout::Main);
    rig.setOrthographic(false);
    rig.frameFrom(nearer, pictureAspect(PaneLayout::Main), glm::radians(HomeYaw), glm::radians(HomePitch), true);
}

// The panes beside the main one, as they are at first.
void ViewportPanel::frameAxisPanes() {
    m_panesFramed = true;
    const render::Bounds bounds = m_view->shown().coreBounds().value_or(EmptyScene);
    constexpr std::array Axes = {AxisView::Top, AxisView::Front, AxisView::Right};
    for (int pane = 1; pane < PaneLayout::Count; ++pane) {
        CameraRig& rig = m_view->rig(pane);
        rig.setOrthographic(false);
        rig.showAxis(Axes[static_cast<std::size_t>(pane - 1)], bounds, pictureAspect(pane), true, true);
    }
}

void ViewportPanel::setFourViews(bool on) {
    m_view->setFour(on);
    if (on && m_framed && !m_panesFramed)
        frameAxisPanes();
    m_actions.refresh();
}

void ViewportPanel::setMaximised(bool on) {
    m_view->setMaximised(on);
    m_actions.refresh();
}

float ViewportPanel::pictureAspect(int pane) const {
    const QSize shown = m_view->layout().isShown(pane) ? m_view->paneArea(pane).size() : m_view->size();
    return static_cast<float>(shown.width()) / static_cast<float>(qMax(1, shown.height()));
}

void ViewportPanel::look(AxisView axis) {
    auto bounds = m_view->shown().boundsOf(m_selection.entities());
    if (!bounds)
        bounds = m_view->shown().sceneBounds();
    m_view->rig().showAxis(axis, bounds.value_or(EmptyScene), pictureAspect(), m_flatAxes, false);
    m_actions.refresh();
    m_view->wake();
}

void ViewportPanel::setOrthographic(bool on) {
    m_view->rig().setOrthographic(on);
    m_actions.refresh();
    m_view->wake();
}

void ViewportPanel::updateLabels() {
    bool changed = false;
    for (int pane = 0; pane < PaneLayout::Count; ++pane) {
        const bool player = m_view->playerCamera() && pane == PaneLayout::Main;
        PaneLabel* label = m_labels[static_cast<std::size_t>(pane)];
        changed = label->say(player ? tr("Player's camera") : projectionText(m_view->rig(pane))) || changed;
        label->setVisible(m_view->isVisibleTo(this) && m_view->layout().isShown(pane));
    }
    if (changed)
        m_actions.refresh(); // turned away from an axis, one may be perspective again
}

void ViewportPanel::updateSplitters() {
    const PaneLayout& layout = m_view->layout();
    const QPoint crossing = layout.crossing(m_view->size());
    constexpr int Gap = PaneLayout::Gap;
    m_splitters[0]->setGeometry(crossing.x(), 0, Gap, m_view->height());
    m_splitters[1]->setGeometry(0, crossing.y(), m_view->width(), Gap);
    m_splitters[2]->setGeometry(QRect(crossing, QSize(Gap, Gap)).adjusted(-2, -2, 2, 2)); // large enough to be found
    for (PaneSplitter* splitter : m_splitters) {
        splitter->setVisible(layout.showsSeveral());
        splitter->raise();
    }
}

QVariantMap ViewportPanel::saveCamera() const {
    if (!m_framed)
        return {};
    return savedPlace(m_view->rig().place());
}

namespace {
std::optional<CameraRig::Place> cameraPlaceOf(const QVariantMap& state) {
    bool valid = true;
    const auto number = [&valid](const QVariant& value) {
        bool read = false;
        const float out = value.toFloat(&read);
        valid = valid && read && std::abs(out) < 1e6F; // not a number fails too
        return out;
    };
    const QVariantList eye = state.value(QStringLiteral("eye")).toList();
    CameraRig::Place at;
    for (int i = 0; i < 3; ++i)
        at.eye[i] = number(eye.value(i));
    at.yaw = number(state.value(QStringLiteral("yaw")));
    at.pitch = number(state.value(QStringLiteral("pitch")));
    at.focus = number(state.value(QStringLiteral("focus")));
    at.orthographic = state.value(QStringLiteral("orthographic")).toBool(); // earlier versions had perspective alone
    at.byAxis = state.value(QStringLiteral("byAxis")).toBool();
    return valid && at.focus > 0.0F ? std::optional(at) : std::nullopt;
}
} // namespace

QVariantMap ViewportPanel::saveCameras() const {
    if (!m_framed)
        return {};
    QVariantMap all = savedPlace(m_view->rig(PaneLayout::Main).place());
    QVariantList others;
    for (int pane = 1; m_panesFramed && pane < PaneLayout::Count; ++pane)
        others.append(savedPlace(m_view->rig(pane).place()));
    if (!others.isEmpty())
        all.insert(QStringLiteral("panes"), others);
    return all;
}

void ViewportPanel::restoreCamera(const QVariantMap& state) {
    const auto at = cameraPlaceOf(state);
    m_framed = at.has_value();
    if (at)
        m_view->rig(PaneLayout::Main).set(*at);
    const QVariantList others = state.value(QStringLiteral("panes")).toList();
    m_panesFramed = m_framed && others.size() == PaneLayout::Count - 1;
    for (int pane = 1; m_panesFramed && pane < PaneLayout::Count; ++pane)
        if (const auto place = cameraPlaceOf(others[pane - 1].toMap()))
            m_view->rig(pane).set(*place);
        else
            m_panesFramed = false;
    m_view->wake();
}

void ViewportPanel::moveCamera(const QVariantMap& state) {
    if (const auto at = cameraPlaceOf(state))
        m_view->rig().moveTo(*at);
    m_actions.refresh();
    m_view->wake();
}

QVariantMap ViewportPanel::saveState() const {
    const CameraRig& rig = m_view->rig();
    const SnapSettings& snap = m_gizmo->snap();
    return {
        {QStringLiteral("speed"), rig.speed()},
        {QStringLiteral("tool"), static_cast<int>(m_gizmo->tool())},
        {QStringLiteral("local"), m_gizmo->localAxes()},
        {QStringLiteral("bandTouches"), m_input->bandTouches()},
        {QStringLiteral("links"), m_links->isShown()},
        {QStringLiteral("allLinks"), m_links->showsAll()},
        {QStringLiteral("messages"), m_messages->isShown()},
        {QStringLiteral("handles"), m_handles->isShown()},
        {QStringLiteral("axesOrthographic"), m_flatAxes},
        {QStringLiteral("fourViews"), m_view->layout().isFour()},
        {QStringLiteral("maximisedView"), m_view->layout().isMaximised() ? m_view->layout().active() : -1},
        {QStringLiteral("splitX"), m_view->layout().split().x()},
        {QStringLiteral("splitY"), m_view->layout().split().y()},
        {QStringLiteral("snap"), snap.on},
        {QStringLiteral("snapMove"), snap.move},
        {QStringLiteral("snapRotate"), snap.rotate},
        {QStringLiteral("snapScale"), snap.scale}};
}

void ViewportPanel::restoreState(const QVariantMap& state) {
    for (int pane = 0; pane < PaneLayout::Count; ++pane)
        m_view->rig(pane).setSpeed(state.value(QStringLiteral("speed"), m_view->rig(pane).speed()).toFloat());
    m_gizmo->setTool(static_cast<Tool>(qBound(0, state.value(QStringLiteral("tool")).toInt(), 3)));
    m_gizmo->setLocalAxes(state.value(QStringLiteral("local")).toBool());
    SnapSettings snap = m_gizmo->snap();
    const auto step = [&state](const char* key, float& value) {
        const float stored = state.value(QLatin1String(key)).toFloat();
        if (stored > 0.0F && stored < 1000.0F)
            value = stored;
    };
    snap.on = state.value(QStringLiteral("snap")).toBool();
    step("snapMove", snap.move);
    step("snapRotate", snap.rotate);
    step("snapScale", snap.scale);
    m_gizmo->setSnap(snap);
    m_input->setBandTouches(state.value(QStringLiteral("bandTouches")).toBool());
    m_links->setShown(state.value(QStringLiteral("links"), true).toBool());
    m_links->setShowsAll(state.value(QStringLiteral("allLinks")).toBool());
    m_messages->setShown(state.value(QStringLiteral("messages")).toBool());
    m_handles->setShown(state.value(QStringLiteral("handles"), true).toBool());
    m_flatAxes = state.value(QStringLiteral("axesOrthographic"), true).toBool();
    m_view->setSplit({state.value(QStringLiteral("splitX"), 0.5).toDouble(), state.value(QStringLiteral("splitY"), 0.5).toDouble()});
    setFourViews(state.value(QStringLiteral("fourViews")).toBool());
    if (const int pane = state.value(QStringLiteral("maximisedView"), -1).toInt(); pane >= 0) {
        m_view->setActivePane(pane);
        setMaximised(true);
    }
    m_actions.refresh();
}

} // namespace sbx::ui
