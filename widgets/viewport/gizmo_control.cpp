#include "widgets/viewport/gizmo_control.h"

#include "widgets/common/selection.h"
#include "widgets/viewport/viewport_view.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sbx::ui {

GizmoControl::GizmoControl(ViewportView& view, EntityEditor& editor, Selection& selection, QObject* parent)
    : QObject(parent), m_view(view), m_editor(editor), m_selection(selection) {
    m_lastWrite.start();
}

GizmoControl::~GizmoControl() = default;

void GizmoControl::setTool(Tool tool) {
    if (m_tool == tool)
        return;
    cancel();
    m_tool = tool;
    m_hovered = GizmoPart::None;
    emit toolChanged();
    m_view.wake();
}

void GizmoControl::setLocalAxes(bool on) {
    m_local = on;
    emit toolChanged();
    m_view.wake();
}

void GizmoControl::setSnap(const SnapSettings& snap) {
    m_snap = snap;
    emit toolChanged();
    m_view.wake();
}

std::optional<GizmoFrame> GizmoControl::frame() const { return frame(m_view.gizmoView()); }

std::optional<GizmoFrame> GizmoControl::frame(const GizmoView& view) const {
    if (m_drag)
        return placeGizmo(m_drag->frame().origin + m_delta.move, m_drag->frame().axes, view);
    if (m_tool == Tool::Select || m_selection.empty() || m_view.playerCamera())
        return std::nullopt;
    Vec3 sum(0.0F);
    int count = 0;
    Quat axes(1.0F, 0.0F, 0.0F, 0.0F);
    const bool own = m_local || m_tool == Tool::Scale;
    const auto take = [&](const std::string& name, const Pose& pose) {
        sum += pose.position;
        ++count;
        if (own && (name == m_selection.primary() || count == 1))
            axes = pose.rotation;
    };
    if (m_editor.editsFile()) {
        for (const std::string& name : m_editor.places().topmost(m_editor.movable(m_selection.entities())))
            take(name, m_editor.places().find(name)->world);
    } else {
        for (const std::string& name : m_editor.movable(m_selection.entities()))
            if (const auto pose = m_view.shown().poseOf(name))
                take(name, *pose);
    }
    if (count == 0)
        return std::nullopt;
    return placeGizmo(sum / static_cast<float>(count), axes, view);
}

bool GizmoControl::hover(Vec2 cursor) {
    GizmoPart part = GizmoPart::None;
    if (const auto at = frame(); at && !m_drag)
        part = hitGizmo(m_tool, *at, m_view.gizmoView(), cursor);
    if (part != m_hovered) {
        m_hovered = part;
        m_view.wake();
    }
    return part != GizmoPart::None;
}

void GizmoControl::leave() {
    if (m_hovered != GizmoPart::None)
        m_view.wake();
    m_hovered = GizmoPart::None;
}

bool GizmoControl::press(Vec2 cursor, bool duplicate) {
    const std::optional<GizmoFrame> at = frame();
    if (m_drag || !at)
        return false;
    const GizmoView view = m_view.gizmoView();
    const GizmoPart part = hitGizmo(m_tool, *at, view, cursor);
    return part != GizmoPart::None && begin(m_tool, part, *at, cursor, duplicate);
}

bool GizmoControl::grab(Vec2 cursor, const Vec3& point, bool duplicate) {
    const GizmoView view = m_view.gizmoView();
    Vec3 centre(0.0F);
    int count = 0;
    for (const std::string& name : m_selection.entities())
        if (const auto pose = m_view.shown().poseOf(name)) {
            centre += pose->position;
            ++count;
        }
    if (m_drag || count == 0 || m_view.playerCamera())
        return false;
    centre /= static_cast<float>(count);
    constexpr float Flat = 0.12F; // sine of the angle between the line of sight and the ground
    const Vec3 sight = render::sightTo(view.camera, point);
    const bool level = std::abs(sight.y) > Flat;
    // At the height of what was grabbed, so that it stays under the pointer.
    const Vec3 origin = level ? Vec3(centre.x, point.y, centre.z) : point;
    return begin(Tool::Move, level ? GizmoPart::PlaneY : GizmoPart::Centre, placeGizmo(origin, Quat(1.0F, 0.0F, 0.0F, 0.0F), view), cursor,
                 duplicate);
}

bool GizmoControl::begin(Tool tool, GizmoPart part, const GizmoFrame& at, Vec2 cursor, bool duplicate) {
    if (!duplicate && !takeHold(false))
        return false;
    m_duplicates = duplicate;
    m_drag.emplace(tool, part, at, m_view.gizmoView(), cursor);
    m_delta = {};
    m_typed.clear();
    m_cursor = cursor;
    m_unwritten = false;
    emit dragChanged();
    m_view.setBusy(true);
    return true;
}

bool GizmoControl::takeHold(bool duplicate) {
    const int count = static_cast<int>(m_selection.entities().size());
    std::unordered_map<std::string, std::string> copies;
    if (duplicate) {
        EntityEditor::CopyDrag begun;
        if (const Result<void> done = m_editor.beginCopyDrag(m_selection.entities(), begun); !done) {
            emit problem(QString::fromStdString(done.error().message));
            return false;
        }
        m_targets = std::move(begun.targets);
        copies = std::move(begun.copies);
    } else {
        m_targets = m_editor.beginDrag(m_selection.entities());
    }
    if (m_targets.empty() && m_editor.editsFile())
        return false;
    std::vector<ShownScene::Preview> previews;
    for (const EntityEditor::Target& target : m_targets)
        previews.push_back({target.name, target.start, target.start});
    m_view.shown().beginPreview(previews, copies);
    if (duplicate)
        emit duplicated(count);
    return true;
}

void GizmoControl::dragTo(Vec2 cursor, bool invertSnap) {
    if (!m_drag)
        return;
    if (std::exchange(m_duplicates, false) && !takeHold(true)) {
        m_drag.reset();
        m_view.setBusy(false);
        emit dragChanged();
        return;
    }
    m_cursor = cursor;
    m_invertSnap = invertSnap;
    update();
}

void GizmoControl::update() {
    m_delta = m_drag->update(m_view.gizmoView(), m_cursor, m_snap.inverted(m_invertSnap), typedNumber());
    std::vector<ShownScene::Preview> previews;
    for (const EntityEditor::Target& target : m_targets)
        previews.push_back({target.name, target.start, EntityEditor::poseAfter(target, m_delta, m_drag->frame())});
    m_view.shown().movePreview(previews);
    m_unwritten = true;
    emit dragChanged();
    m_view.wake();
}

void GizmoControl::write(bool now) {
    if (!m_drag || !m_unwritten || (!now && m_lastWrite.elapsed() < WriteEveryMs))
        return;
    m_unwritten = false;
    m_lastWrite.restart();
    if (const Result<void> done = m_editor.drag(m_delta, m_drag->frame(), m_drag->tool()); !done) {
        // What is dragged is no longer there, or its text cannot be edited: said once, and let go. The last step is not the drag's any
        // more: it is not taken back.
        m_drag.reset();
        m_view.shown().cancelPreview();
        m_editor.endDrag();
        m_view.setBusy(false);
        emit problem(QString::fromStdString(done.error().toString()));
        emit dragChanged();
    }
}

void GizmoControl::advance() {
    // A running world lets things fall: what is held is put back each frame.
    if (m_drag && !m_duplicates && !m_editor.editsFile())
        m_unwritten = true;
    write(false);
}

void GizmoControl::release() {
    if (!m_drag)
        return;
    write(true);
    if (!m_drag)
        return;
    m_drag.reset();
    m_duplicates = false;
    m_editor.endDrag();
    m_view.shown().endPreview(std::chrono::steady_clock::now());
    m_view.setBusy(false);
    emit dragChanged();
    m_view.wake();
}

void GizmoControl::cancel() {
    if (!m_drag)
        return;
    m_drag.reset();
    m_duplicates = false;
    m_view.shown().cancelPreview();
    m_editor.cancelDrag();
    m_view.setBusy(false);
    emit dragChanged();
    m_view.wake();
}

bool GizmoControl::type(QChar character) {
    if (!m_drag || m_duplicates)
        return false;
    if (character == QLatin1Char('\b')) {
        m_typed.chop(1);
    } else if (character == QLatin1Char('-')) {
        if (m_typed.startsWith(QLatin1Char('-')))
            m_typed.remove(0, 1);
        else
            m_typed.prepend(QLatin1Char('-'));
    } else if (character.isDigit() || ((character == QLatin1Char('.') || character == QLatin1Char(','))
                                       && !m_typed.contains(QLatin1Char('.')))) {
        m_typed += character.isDigit() ? character : QLatin1Char('.');
    } else {
        return false;
    }
    update();
    return true;
}

std::optional<float> GizmoControl::typedNumber() const {
    bool good = false;
    const float value = m_typed.toFloat(&good);
    return good && std::isfinite(value) && std::abs(value) < 1e5F ? std::optional(value) : std::nullopt;
}

QString GizmoControl::readout() const {
    if (!m_drag)
        return {};
    const auto part = m_drag->part();
    const auto number = [](float value, int decimals) {
        const QString text = QString::number(static_cast<double>(value), 'f', decimals);
        return value >= 0.0F ? QLatin1Char('+') + text : text;
    };
    static constexpr const char* Axes = "XYZ";
    const bool axis = part == GizmoPart::X || part == GizmoPart::Y || part == GizmoPart::Z;
    const int index = static_cast<int>(part) - static_cast<int>(GizmoPart::X);
    QString text;
    switch (m_drag->tool()) {
    case Tool::Move:
        for (int i = 0; i < 3; ++i)
            if (axis ? i == index : static_cast<int>(part) - static_cast<int>(GizmoPart::PlaneX) != i)
                text += QStringLiteral("%1 %2 m  ").arg(QLatin1Char(Axes[i])).arg(number(m_delta.amounts[i], 3));
        break;
    case Tool::Rotate:
        text = QStringLiteral("%1%2°  ")
                   .arg(axis ? QString(QLatin1Char(Axes[index])) + QLatin1Char(' ') : QString(), number(m_delta.amounts.x, 1));
        break;
    case Tool::Scale:
        text = QStringLiteral("%1× %2  ")
                   .arg(axis ? QString(QLatin1Char(Axes[index])) + QLatin1Char(' ') : QString())
                   .arg(static_cast<double>(m_delta.amounts.x), 0, 'f', 3);
        break;
    case Tool::Select:
        break;
    }
    text = text.trimmed();
    if (!m_typed.isEmpty())
        text += QStringLiteral("  [%1]").arg(m_typed);
    else if (m_snap.inverted(m_invertSnap).on)
        text += QStringLiteral("  snap");
    return text;
}

} // namespace sbx::ui

#include "moc_gizmo_control.cpp"
