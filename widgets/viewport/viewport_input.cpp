#include "widgets/viewport/viewport_input.h"

#include "engine/session/session.h"
#include "widgets/common/selection.h"
#include "widgets/viewport/handle_control.h"
#include "widgets/viewport/placement.h"
#include "widgets/viewport/viewport_source.h"
#include "widgets/viewport/viewport_view.h"

#include <QCursor>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

namespace sbx::ui {

namespace {

bool isFlyKey(int key) {
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_A:
    case Qt::Key_S:
    case Qt::Key_D:
    case Qt::Key_Q:
    case Qt::Key_E:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        return true;
    default:
        return false;
    }
}

} // namespace

ViewportInput::ViewportInput(ViewportView& view, GizmoControl& gizmo, HandleControl& handles, Session& session, Selection& selection)
    : QObject(&view), m_view(view), m_gizmo(gizmo), m_handles(handles), m_selection(selection), m_mouse(view), m_controls(session), m_grab(session, view.shown()) {
    view.installEventFilter(this);
    m_bandTimer.setSingleShot(true);
    m_bandTimer.setInterval(CountMs);
    connect(&m_bandTimer, &QTimer::timeout, this, &ViewportInput::countBand);
    connect(&selection, &Selection::pickingChanged, this, [this](bool picking) {
        if (picking) {
            setMeasuring(false);
            m_view.setCursor(Qt::CrossCursor);
            emit hint(tr("Click the entity; Esc leaves it as it is"));
        } else {
            m_view.unsetCursor();
        }
    });
}

ViewportInput::Use ViewportInput::use() const {
    switch (m_action) {
    case Action::Band:
        return Use::Band;
    case Action::Gizmo:
        return Use::Gizmo;
    case Action::Handle:
        return Use::Handle;
    case Action::Grab:
        return Use::Grab;
    case Action::Look:
    case Action::Fly:
        return Use::Fly;
    case Action::Orbit:
        return Use::Orbit;
    case Action::Pan:
        return Use::Pan;
    case Action::None:
    case Action::Press:
        break;
    }
    return m_walking ? Use::Walk : m_tape.isOn() ? Use::Measure : Use::Nothing;
}

ViewportInput::~ViewportInput() = default;

bool ViewportInput::running() const {
    return m_view.shown().mode() != Mode::Edit;
}

bool ViewportInput::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
        return mousePress(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
        return mouseMove(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
        return mouseRelease(*static_cast<QMouseEvent*>(event));
    case QEvent::Wheel:
        return wheel(*static_cast<QWheelEvent*>(event));
    case QEvent::ShortcutOverride:
        // Keys of the flight and of the running world are not shortcuts meanwhile.
        if (takesKey(*static_cast<QKeyEvent*>(event))) {
            event->accept();
            return true;
        }
        return false;
    case QEvent::KeyPress: {
        auto& key = *static_cast<QKeyEvent*>(event);
        // Tab and Shift+Tab mean the player's camera here, or nothing: they never move the focus, however late a frame is.
        return keyPress(key) || key.key() == Qt::Key_Tab || key.key() == Qt::Key_Backtab;
    }
    case QEvent::KeyRelease:
        return keyRelease(*static_cast<QKeyEvent*>(event));
    case QEvent::FocusOut:
    case QEvent::Hide:
        endAction(true);
        setWalking(false);
        m_flyKeys.clear();
        m_controls.releaseAll();
        return false;
    case QEvent::Leave:
        m_gizmo.leave();
        m_handles.leave();
        m_view.shown().setHovered(0);
        m_hoveredMarker.clear();
        m_view.wake();
        return false;
    default:
        return QObject::eventFilter(watched, event);
    }
}

// ---------------------------------------------------------------------------------------------------- mouse

Vec3 ViewportInput::pointUnder(const QPointF& place) const {
    const render::Ray ray = m_view.rayAt(place);
    if (const auto hit = m_view.shown().pick(ray))
        return hit->position;
    const float focus = m_view.focusAlong();
    const float reach = m_view.camera().orthographic() ? focus + 300.0F : 300.0F;
    if (const auto ground = onPlane(Vec3(0.0F), Vec3(0.0F, 1.0F, 0.0F), ray);
        ground && glm::length(*ground - ray.origin) < reach)
        return *ground;
    return ray.origin + ray.direction * focus;
}

bool ViewportInput::mousePress(QMouseEvent& event) {
    m_view.setFocus(Qt::MouseFocusReason);
    if (m_walking || m_action != Action::None)
        return true;
    m_view.activateAt(event.position());
    m_pressed = event.position();
    m_last = m_pressed;
    m_pressedGlobal = event.globalPosition().toPoint();
    m_modifiers = event.modifiers();
    const bool alt = event.modifiers().testFlag(Qt::AltModifier);
    const bool ctrl = event.modifiers().testFlag(Qt::ControlModifier);
    m_ctrlFromPress = ctrl;
    if (event.button() == Qt::LeftButton && m_tape.isOn()) {
        m_tape.click(pointUnder(m_pressed));
        emit measured();
        m_view.wake();
    } else if (event.button() == Qt::LeftButton && !alt && !m_selection.isPicking() && m_gizmo.press(m_view.toPixels(m_pressed), ctrl)) {
        m_action = Action::Gizmo;
    } else if (event.button() == Qt::LeftButton && !alt && !ctrl && !m_selection.isPicking() && m_handles.press(m_view.toPixels(m_pressed))) {
        m_action = Action::Handle;
    } else if (event.button() == Qt::LeftButton) {
        m_action = Action::Press;
    } else if (event.button() == Qt::RightButton && !m_view.playerCamera()) {
        m_action = Action::Look;
        m_view.setBusy(true);
    } else if (event.button() == Qt::MiddleButton && !m_view.playerCamera()) {
        startPan(Qt::MiddleButton);
    }
    return true;
}

void ViewportInput::startPan(Qt::MouseButton button) {
    m_action = Action::Pan;
    m_panButton = button;
    const render::CameraView camera = m_view.camera();
    m_depth = std::max(0.2F, glm::dot(pointUnder(m_pressed) - camera.pose.position, render::forwardOf(camera)));
    m_last = m_pressed;
    m_view.setBusy(true);
    m_view.setCursor(Qt::ClosedHandCursor);
}

QPointF ViewportInput::insidePane(const QPointF& place) const {
    const QRectF area = m_view.activeArea();
    return {qBound(area.left(), place.x(), area.right()), qBound(area.top(), place.y(), area.bottom())};
}

QRect ViewportInput::bandShape() const { return QRect(m_pressed.toPoint(), m_last.toPoint()).normalized(); }

bool ViewportInput::mouseMove(QMouseEvent& event) {
    const QPointF place = event.position();
    if (m_walking || m_action == Action::Fly) {
        const Vec2 turned = m_mouse.turned(event.globalPosition().toPoint());
        if (m_walking)
            m_controls.look(turned);
        else
            m_view.rig().turn(turned.x, turned.y);
        m_view.wakeCamera();
        return true;
    }
    if (m_action == Action::None)
        m_view.activateAt(place);
    const bool dragged = SelectionBox{{static_cast<float>(m_pressed.x()), static_cast<float>(m_pressed.y())},
                                      {static_cast<float>(place.x()), static_cast<float>(place.y())}}
                             .isDrag(DragPixels);
    switch (m_action) {
    case Action::None:
        if (m_tape.isOn()) {
            m_tape.hover(pointUnder(place));
            emit measured();
            m_view.wake();
        } else {
            hover(place);
        }
        return true;
    case Action::Press:
        if (!dragged)
            return true;
        if (m_modifiers.testFlag(Qt::AltModifier) && m_view.keepsAxis()) {
            startPan(Qt::LeftButton);
        } else if (m_modifiers.testFlag(Qt::AltModifier) && !m_view.playerCamera()) {
            m_action = Action::Orbit;
            const auto selected = m_view.shown().boundsOf(m_selection.entities());
            m_pivot = selected ? selected->centre() : pointUnder(m_pressed);
            m_last = m_pressed;
            m_view.setBusy(true);
        } else if (grabCopies()) {
            m_action = Action::Gizmo;
        } else if (!m_modifiers.testFlag(Qt::ShiftModifier) && !m_view.playerCamera()
                   && m_grab.begin(m_view.rayAt(m_pressed), m_view.camera().pose.rotation * Vec3(0.0F, 0.0F, -1.0F))) {
            m_action = Action::Grab;
            m_view.setCursor(Qt::ClosedHandCursor);
            m_view.setBusy(true);
            emit hint(tr("%1: let go to throw, wheel for strength").arg(QString::fromStdString(m_grab.name())));
        } else {
            m_action = Action::Band;
            m_bandCount = 0;
        }
        return mouseMove(event);
    case Action::Grab:
        m_grab.moveTo(m_view.rayAt(place));
        break;
    case Action::Band:
        m_last = insidePane(place);
        m_bandRule = bandRule(event.modifiers().testFlag(Qt::AltModifier));
        // The picture may take its time; the count does not wait for it.
        if (!m_bandTimer.isActive())
            m_bandTimer.start();
        emit bandChanged(bandShape(), m_bandRule, m_bandCount);
        return true;
    case Action::Gizmo: {
        const bool ctrl = event.modifiers().testFlag(Qt::ControlModifier);
        m_ctrlFromPress = m_ctrlFromPress && ctrl;
        // A shaky click makes no copies.
        if (dragged || !m_gizmo.willDuplicate())
            m_gizmo.dragTo(m_view.toPixels(place), ctrl && !m_ctrlFromPress);
        return true;
    }
    case Action::Handle:
        dragHandle(place, event.modifiers());
        return true;
    case Action::Look:
        if (dragged && m_view.keepsAxis()) {
            startPan(Qt::RightButton);
            return mouseMove(event);
        }
        if (dragged)
            startFly(event.globalPosition().toPoint());
        return true;
    case Action::Orbit:
        m_view.rig().orbit(m_pivot, static_cast<float>(place.x() - m_last.x()) * 0.4F,
                           static_cast<float>(m_last.y() - place.y()) * 0.4F);
        break;
    case Action::Pan: {
        const Vec2 moved = m_view.toPixels(place) - m_view.toPixels(m_last);
        m_view.rig().pan(moved, m_depth, m_view.gizmoView().height);
        break;
    }
    case Action::Fly:
        break;
    }
    m_last = place;
    if (m_action == Action::Grab)
        m_view.wake();
    else
        m_view.wakeCamera();
    return true;
}

bool ViewportInput::mouseRelease(QMouseEvent& event) {
    const QPointF place = event.position();
    switch (m_action) {
    case Action::Press:
        if (event.button() != Qt::LeftButton)
            return true;
        m_action = Action::None;
        if (m_modifiers.testFlag(Qt::AltModifier))
            emit drillRequested(place.toPoint());
        else
            pick(place, m_modifiers);
        return true;
    case Action::Band:
        if (event.button() == Qt::LeftButton) {
            m_last = insidePane(place);
            m_bandRule = bandRule(event.modifiers().testFlag(Qt::AltModifier));
            selectBand(m_modifiers);
            endAction(false);
        }
        return true;
    case Action::Gizmo:
    case Action::Handle:
    case Action::Grab:
    case Action::Orbit:
        if (event.button() == Qt::LeftButton)
            endAction(false);
        return true;
    case Action::Look:
        if (event.button() == Qt::RightButton) {
            endAction(false);
            emit menuRequested(place.toPoint());
        }
        return true;
    case Action::Fly:
        if (event.button() == Qt::RightButton)
            endAction(false);
        return true;
    case Action::Pan:
        if (event.button() == m_panButton)
            endAction(false);
        return true;
    case Action::None:
        return true;
    }
    return true;
}

void ViewportInput::dragHandle(const QPointF& place, Qt::KeyboardModifiers modifiers) {
    m_last = place;
    m_handles.dragTo(m_view.toPixels(place), m_gizmo.snap().inverted(modifiers.testFlag(Qt::ControlModifier)),
                     modifiers.testFlag(Qt::AltModifier));
}

void ViewportInput::startFly(const QPoint& global) {
    m_action = Action::Fly;
    m_gizmo.leave();
    m_handles.leave();
    m_view.shown().setHovered(0);
    m_view.setBusy(true);
    m_mouse.begin(global, m_pressedGlobal);
}

void ViewportInput::endAction(bool cancelled) {
    const Action was = std::exchange(m_action, Action::None);
    switch (was) {
    case Action::Gizmo:
        if (cancelled)
            m_gizmo.cancel();
        else
            m_gizmo.release();
        break;
    case Action::Handle:
        if (cancelled)
            m_handles.cancel();
        else
            m_handles.release();
        break;
    case Action::Band:
        m_bandTimer.stop();
        emit bandChanged({}, m_bandRule, 0);
        break;
    case Action::Fly:
        m_flyKeys.clear();
        m_mouse.end();
        break;
    case Action::Grab:
        m_grab.end();
        m_view.unsetCursor();
        break;
    case Action::Look:
    case Action::Orbit:
    case Action::Pan:
        m_flyKeys.clear();
        m_view.unsetCursor();
        break;
    case Action::None:
    case Action::Press:
        return;
    }
    m_view.setBusy(false);
    m_view.wake();
}

bool ViewportInput::wheel(QWheelEvent& event) {
    const float notches = static_cast<float>(event.angleDelta().y() != 0 ? event.angleDelta().y() : event.angleDelta().x()) / 120.0F;
    if (notches == 0.0F || m_walking || m_view.playerCamera())
        return true;
    if (m_action == Action::Grab) {
        emit hint(tr("strength %1 m/s²").arg(static_cast<double>(m_grab.strengthen(notches)), 0, 'f', 0));
        return true;
    }
    if (m_action == Action::Fly || m_action == Action::Look) {
        m_view.rig().changeSpeed(notches);
        emit hint(tr("%1 m/s").arg(static_cast<double>(m_view.rig().speed()), 0, 'f', 1));
        return true;
    }
    if (m_action == Action::None)
        m_view.activateAt(event.position());
    if (event.modifiers().testFlag(Qt::AltModifier) && m_action == Action::None) {
        drill(event.position(), notches < 0.0F);
        return true;
    }
    m_view.rig().dolly(pointUnder(event.position()), notches);
    m_view.wakeCamera();
    return true;
}

std::vector<const ViewportInput::Marker*> ViewportInput::markersAt(const QPointF& place) const {
    const GizmoView view = m_view.gizmoView();
    const Vec2 cursor = m_view.toPixels(place);
    std::vector<std::pair<float, const Marker*>> near;
    for (const Marker& marker : m_markers)
        if (const auto pixel = selectable(marker.name) ? render::projectToPixel(view.camera, view.width, view.height, marker.position)
                                                       : std::nullopt) {
            const float distance = glm::length(Vec2(pixel->x, pixel->y) - cursor);
            if (distance < MarkerPixels * view.pixelRatio)
                near.emplace_back(distance, &marker);
        }
    std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const Marker*> markers;
    for (const auto& [distance, marker] : near)
        markers.push_back(marker);
    return markers;
}

const ViewportInput::Marker* ViewportInput::markerAt(const QPointF& place) const {
    const std::vector<const Marker*> near = markersAt(place);
    return near.empty() ? nullptr : near.front();
}

std::vector<std::string> ViewportInput::allAt(const QPointF& place) const {
    std::vector<std::string> found;
    for (const Marker* marker : markersAt(place))
        found.push_back(marker->name);
    for (std::string& name : m_view.shown().allUnder(m_view.rayAt(place)))
        if (selectable(name))
            found.push_back(std::move(name));
    std::vector<std::string> all;
    std::unordered_set<std::string> seen;
    const FrameSnapshot* snapshot = m_view.shown().snapshot();
    for (const std::string& name : found) {
        std::string each = name;
        while (!each.empty() && seen.insert(each).second) {
            all.push_back(each);
            const EntityRow* row = snapshot != nullptr && snapshot->entities ? snapshot->entities->find(each) : nullptr;
            each = row != nullptr ? row->parent : std::string();
            // One that is met itself keeps its own place.
            if (std::find(found.begin(), found.end(), each) != found.end())
                each.clear();
        }
    }
    return all;
}

void ViewportInput::drill(const QPointF& place, bool deeper) {
    const std::vector<std::string> all = allAt(place);
    if (all.empty())
        return;
    const auto at = std::find(all.begin(), all.end(), m_selection.primary());
    std::size_t next = 0;
    if (at != all.end()) {
        const auto now = static_cast<std::size_t>(at - all.begin());
        next = deeper ? std::min(now + 1, all.size() - 1) : now - std::min<std::size_t>(now, 1);
    }
    m_selection.setEntity(all[next], ViewportSource);
    emit hint(tr("%1 of %2: %3").arg(next + 1).arg(all.size()).arg(QString::fromStdString(all[next])));
    m_view.wake();
}

std::string ViewportInput::entityAt(const QPointF& place) const {
    if (const Marker* marker = markerAt(place))
        return marker->name;
    const render::Ray ray = m_view.rayAt(place);
    const auto hit = m_view.shown().pick(ray);
    std::string name = hit ? m_view.shown().nameOf(hit->entity) : std::string();
    if (name.empty() || selectable(name))
        return name;
    for (std::string& behind : m_view.shown().allUnder(ray))
        if (selectable(behind))
            return std::move(behind);
    return {};
}

void ViewportInput::hover(const QPointF& place) {
    if (m_view.playerCamera())
        return;
    bool onGizmo = m_gizmo.hover(m_view.toPixels(place));
    if (onGizmo || m_selection.isPicking())
        m_handles.leave();
    else
        onGizmo = m_handles.hover(m_view.toPixels(place));
    std::uint64_t entity = 0;
    const Marker* marker = onGizmo ? nullptr : markerAt(place);
    const std::string name = marker != nullptr ? marker->name : std::string();
    if (name != m_hoveredMarker) {
        m_hoveredMarker = name;
        m_view.wake();
    }
    if (!onGizmo && marker == nullptr)
        entity = m_view.shown().idOf(entityAt(place));
    if (entity != m_view.shown().hovered()) {
        m_view.shown().setHovered(entity);
        m_view.wake();
    }
}

void ViewportInput::pick(const QPointF& place, Qt::KeyboardModifiers modifiers) {
    const std::string name = entityAt(place);
    if (name.empty()) {
        if (!modifiers.testFlag(Qt::ShiftModifier) && !modifiers.testFlag(Qt::ControlModifier))
            m_selection.clear(ViewportSource);
    } else if (modifiers.testFlag(Qt::ControlModifier)) {
        m_selection.toggle(name, ViewportSource);
    } else if (modifiers.testFlag(Qt::ShiftModifier)) {
        m_selection.add(name, ViewportSource);
    } else {
        m_selection.setEntity(name, ViewportSource);
    }
    m_view.wake();
}

std::vector<std::string> ViewportInput::banded() const {
    const GizmoView view = m_view.gizmoView();
    const Vec2 from = m_view.toPixels(m_pressed);
    const Vec2 to = m_view.toPixels(m_last);
    const SelectionBox box{from, to};
    std::vector<std::string> names;
    for (const Marker& marker : m_markers) {
        const auto pixel = render::projectToPixel(view.camera, view.width, view.height, marker.position);
        if (!pixel)
            continue;
        const Vec2 middle(pixel->x, pixel->y);
        const Vec2 half = m_bandRule == render::BandRule::Contains ? Vec2(0.0F) : Vec2(MarkerPixels * view.pixelRatio);
        if (SelectionBox{box.minimum() - half, box.maximum() + half}.contains(middle))
            names.push_back(marker.name);
    }
    for (const std::uint64_t entity : render::pickBand(m_view.shown().scene(), m_view.shown().index(), view.camera, view.width, view.height,
                                                       from, to, m_bandRule))
        if (std::string name = m_view.shown().nameOf(entity); !name.empty())
            names.push_back(std::move(name));
    std::erase_if(names, [this](const std::string& name) { return !selectable(name); });
    return names;
}

void ViewportInput::countBand() {
    m_bandTimer.stop();
    m_bandCount = static_cast<int>(banded().size());
    emit bandChanged(bandShape(), m_bandRule, m_bandCount);
}

void ViewportInput::selectBand(Qt::KeyboardModifiers modifiers) {
    const PickMode mode = modifiers.testFlag(Qt::ControlModifier) ? PickMode::Toggle
                          : modifiers.testFlag(Qt::ShiftModifier) ? PickMode::Add
                                                                  : PickMode::Replace;
    m_selection.setEntities(combined(m_selection.entities(), banded(), mode), ViewportSource);
}

bool ViewportInput::grabCopies() {
    if (!m_modifiers.testFlag(Qt::ControlModifier) || m_view.playerCamera())
        return false;
    Vec3 point(0.0F);
    std::string name;
    if (const Marker* marker = markerAt(m_pressed)) {
        name = marker->name;
        point = marker->position;
    } else if (const auto hit = m_view.shown().pick(m_view.rayAt(m_pressed))) {
        name = m_view.shown().nameOf(hit->entity);
        point = hit->position;
    }
    return !name.empty() && m_selection.contains(name) && selectable(name) && m_gizmo.grab(m_view.toPixels(m_pressed), point, true);
}

// ---------------------------------------------------------------------------------------------------- keys

bool ViewportInput::takesKey(const QKeyEvent& event) const {
    if (m_gizmo.dragging() || m_action == Action::Handle)
        return true;
    if (m_action == Action::Fly || m_action == Action::Look)
        return isFlyKey(event.key());
    if (event.key() == Qt::Key_Escape)
        return m_walking || m_tape.isOn() || m_selection.isPicking() || m_action != Action::None;
    if (event.key() == Qt::Key_Alt && m_action == Action::Band)
        return true;
    if (!PlayControls::takes(event))
        return false;
    // F frames the selection in a running world too, unless someone walks in it.
    return running() && (m_walking || event.key() != Qt::Key_F);
}

bool ViewportInput::keyPress(QKeyEvent& event) {
    if (event.key() == Qt::Key_Escape) {
        if (m_walking)
            setWalking(false);
        else if (m_action != Action::None)
            endAction(true);
        else if (m_selection.isPicking())
            m_selection.cancelPick();
        else if (m_tape.isOn())
            setMeasuring(false);
        else if (!m_selection.empty())
            m_selection.clear(ViewportSource);
        else
            return false;
        return true;
    }
    if (m_action == Action::Band && event.key() == Qt::Key_Alt) {
        m_bandRule = bandRule(true);
        countBand();
        return true;
    }
    if (m_gizmo.dragging()) {
        if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter)
            endAction(false);
        else if (event.key() == Qt::Key_Backspace)
            m_gizmo.type(QLatin1Char('\b'));
        else if (event.key() == Qt::Key_Control && !m_gizmo.willDuplicate())
            m_gizmo.dragTo(m_view.toPixels(m_view.mapFromGlobal(QPointF(QCursor::pos()))), true);
        else if (!event.text().isEmpty())
            m_gizmo.type(event.text().front());
        return true;
    }
    if (m_action == Action::Handle) {
        if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter)
            endAction(false);
        else if (event.key() == Qt::Key_Backspace)
            m_handles.type(QLatin1Char('\b'));
        else if (!event.text().isEmpty())
            m_handles.type(event.text().front());
        else if (event.key() == Qt::Key_Control || event.key() == Qt::Key_Alt)
            dragHandle(m_last, event.modifiers() | (event.key() == Qt::Key_Control ? Qt::ControlModifier : Qt::AltModifier));
        return true;
    }
    if ((m_action == Action::Fly || m_action == Action::Look) && isFlyKey(event.key())) {
        if (!event.isAutoRepeat())
            m_flyKeys.insert(event.key());
        if (m_action == Action::Look && !m_view.keepsAxis())
            startFly(QCursor::pos());
        return true;
    }
    return running() && m_controls.press(event);
}

bool ViewportInput::keyRelease(QKeyEvent& event) {
    if (event.isAutoRepeat())
        return true;
    if (m_action == Action::Band && event.key() == Qt::Key_Alt) {
        m_bandRule = bandRule(false);
        countBand();
        return true; // the window's menu is not meant
    }
    if (m_gizmo.dragging() && event.key() == Qt::Key_Control) {
        m_ctrlFromPress = false;
        if (!m_gizmo.willDuplicate())
            m_gizmo.dragTo(m_view.toPixels(m_view.mapFromGlobal(QPointF(QCursor::pos()))), false);
    }
    if (m_action == Action::Handle && (event.key() == Qt::Key_Control || event.key() == Qt::Key_Alt)) {
        dragHandle(m_last, event.modifiers() & ~Qt::KeyboardModifiers(event.key() == Qt::Key_Control ? Qt::ControlModifier : Qt::AltModifier));
        return true; // the window's menu is not meant
    }
    m_flyKeys.erase(event.key());
    return m_controls.release(event);
}

void ViewportInput::setWalking(bool on) {
    on = on && running() && m_view.shown().scene().camera.has_value();
    if (on == m_walking)
        return;
    endAction(true);
    m_walking = on;
    if (on)
        m_view.setActivePane(PaneLayout::Main);
    m_view.setPlayerCamera(on);
    if (on) {
        m_view.setFocus(Qt::OtherFocusReason);
        m_mouse.beginAtCentre();
        m_gizmo.leave();
        m_handles.leave();
        m_view.shown().setHovered(0);
        emit hint(tr("WASD walks, Space jumps, Shift runs; Esc gives the mouse back"));
    } else {
        m_mouse.end();
        m_flyKeys.clear();
        m_controls.releaseAll();
    }
    emit walkingChanged(on);
}

void ViewportInput::setMeasuring(bool on) {
    if (m_tape.isOn() == on)
        return;
    if (m_action != Action::Fly && m_action != Action::Look)
        endAction(true);
    m_tape.setOn(on);
    m_gizmo.leave();
    m_handles.leave();
    m_view.shown().setHovered(0);
    if (on)
        m_view.setCursor(Qt::CrossCursor);
    else
        m_view.unsetCursor();
    emit measured();
    if (on)
        emit hint(tr("Click two points; Esc puts the tape away"));
    m_view.wake();
}

void ViewportInput::modeChanged(bool isRunning) {
    if (isRunning)
        return;
    // What the mouse does with entities was meant for the world that has ended; the camera's drags go on.
    if (m_action == Action::Grab || m_action == Action::Band || m_action == Action::Press)
        endAction(true);
    setWalking(false);
    m_controls.forget();
}

Vec3 ViewportInput::flyDirection() const {
    const auto held = [this](int key, int other = 0) { return m_flyKeys.contains(key) || m_flyKeys.contains(other) ? 1.0F : 0.0F; };
    return {held(Qt::Key_D, Qt::Key_Right) - held(Qt::Key_A, Qt::Key_Left), held(Qt::Key_E) - held(Qt::Key_Q),
            held(Qt::Key_W, Qt::Key_Up) - held(Qt::Key_S, Qt::Key_Down)};
}

void ViewportInput::advance(double seconds) {
    if (m_walking && !m_view.shown().scene().camera)
        setWalking(false); // the figure with the camera is gone
    m_controls.send();
    if (m_action == Action::Fly || m_flyMoving) {
        const Qt::KeyboardModifiers held = QGuiApplication::keyboardModifiers();
        const float factor = held.testFlag(Qt::ShiftModifier) ? 4.0F : held.testFlag(Qt::AltModifier) ? 0.25F : 1.0F;
        const bool moves = m_view.rig().fly(m_action == Action::Fly ? flyDirection() : Vec3(0.0F), factor, static_cast<float>(seconds));
        m_flyMoving = moves;
        if (m_action != Action::Fly)
            m_view.setBusy(moves || m_action != Action::None); // what is left of the flight runs out
    }
    m_gizmo.advance();
    m_handles.advance();
}

} // namespace sbx::ui

#include "moc_viewport_input.cpp"
