#include "widgets/probe/sound_overlay.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWidget>

#include "widgets/common/color_picker.h"
#include "widgets/common/theme.h"
#include "widgets/probe/probe_panel.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::ui {

namespace {

constexpr float Largest = 150.0F; // m: spheres beyond are no help
constexpr double GrabPixels = 10.0;
constexpr double LinePixels = 5.0;

// Of what is neither heard nor playing, and of the listener: the picture is as dark in the light theme as in the dark one.
constexpr Vec4 Light(0.95F, 0.96F, 0.98F, 1.0F);

bool usesMaximum(const audio::SourceSettings& settings) {
    return settings.distanceModel == audio::DistanceModel::Linear
           || settings.distanceModel == audio::DistanceModel::InverseClamped;
}

// From the eye; in an orthographic picture, from where one would see things as large as it shows them.
float eyeDistance(const render::CameraView& camera, const Vec3& point) {
    return camera.orthographic() ? render::equivalentDistance(camera) : glm::distance(camera.pose.position, point);
}

void addCone(render::DebugDraw& draw, const ProbeSound& sound, float fullAngle, float reach,
             const Vec4& color) {
    if (fullAngle >= 359.0F)
        return;
    const float half = std::min(fullAngle, 358.0F) * 0.5F * std::numbers::pi_v<float> / 180.0F;
    const Vec3 ahead = sound.orientation * Vec3(0.0F, 0.0F, -1.0F);
    const Vec3 right = sound.orientation * Vec3(1.0F, 0.0F, 0.0F);
    const Vec3 up = sound.orientation * Vec3(0.0F, 1.0F, 0.0F);
    draw.addCircle(sound.position + ahead * (reach * std::cos(half)), ahead,
                   std::max(reach * std::sin(half), 0.001F), color, render::LineDepth::Faint);
    for (int i = 0; i < 8; ++i) {
        const float turn = static_cast<float>(i) * std::numbers::pi_v<float> / 4.0F;
        const Vec3 out = right * std::cos(turn) + up * std::sin(turn);
        draw.addLine(sound.position, sound.position + (ahead * std::cos(half) + out * std::sin(half)) * reach,
                     color, render::LineDepth::Faint);
    }
}

} // namespace

std::vector<Vec3> firstReflections(const audio::Room& room, const Vec3& ear, const Vec3& sound) {
    const glm::dquat out(room.rotation);
    const glm::dquat in = glm::inverse(out);
    const glm::dvec3 half = room.size * 0.5;
    const glm::dvec3 from = in * (glm::dvec3(ear) - room.centre);
    const glm::dvec3 to = in * (glm::dvec3(sound) - room.centre);
    const auto inside = [&](const glm::dvec3& p) {
        return std::abs(p.x) < half.x && std::abs(p.y) < half.y && std::abs(p.z) < half.z;
    };
    std::vector<Vec3> points;
    if (!inside(from) || !inside(to))
        return points;
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0}) {
            // The way to the mirrored sound crosses the wall where the reflection leaves it.
            const double wall = side * half[axis];
            glm::dvec3 mirrored = to;
            mirrored[axis] = 2.0 * wall - to[axis];
            const double share = (wall - from[axis]) / (mirrored[axis] - from[axis]);
            points.emplace_back(room.centre + out * (from + share * (mirrored - from)));
        }
    return points;
}

SoundOverlay::SoundOverlay(const Theme& theme, ProbePanel& panel, QObject* parent)
    : QObject(parent), m_theme(theme), m_panel(panel) {
    // A picture costs more than a look: only when it would be another.
    connect(&panel, &ProbePanel::viewChanged, this, [this] {
        std::vector<float> drawn = digest();
        if (m_shown && drawn != m_drawn)
            emit changed();
        m_drawn = std::move(drawn);
        updateLegend();
    });
}

SoundOverlay::~SoundOverlay() { delete m_legend; }

bool SoundOverlay::drawsWay(const render::CameraView& camera) const {
    const ProbeSound* chosen = sound();
    return chosen != nullptr && (!chosen->key.entity.empty() || chosen->tried) && chosen->settings.spatial
           && (camera.orthographic() || glm::distance(m_panel.view()->ear.position, camera.pose.position) > 0.05F);
}

void SoundOverlay::updateLegend() {
    if (!m_legend || !m_picture)
        return;
    std::vector<SoundLegend::Line> lines;
    const ProbeSound* chosen = sound();
    if (m_shown && m_panel.isSeen() && chosen != nullptr && (!chosen->key.entity.empty() || chosen->tried) && chosen->settings.spatial) {
        if (m_camera && drawsWay(m_camera()))
            lines.push_back(chosen->hidden && m_panel.view()->occlusion ? SoundLegend::Line::Blocked : SoundLegend::Line::Open);
        if (m_panel.view()->room && !firstReflections(*m_panel.view()->room, m_panel.view()->ear.position, chosen->position).empty())
            lines.push_back(SoundLegend::Line::Reflection);
        if (chosen->settings.distanceModel != audio::DistanceModel::None && chosen->settings.referenceDistance < Largest)
            lines.push_back(SoundLegend::Line::Reference);
        if (usesMaximum(chosen->settings) && chosen->settings.maximumDistance < Largest)
            lines.push_back(SoundLegend::Line::Maximum);
        if (chosen->settings.coneInner < 359.0F)
            lines.push_back(SoundLegend::Line::Cone);
    }
    m_legend->explain(lines);
    // The only corner that is free: tools and figures are at the left, notices come below. In a narrow picture the tools reach it.
    const QPoint corner = m_picture->parentWidget() != nullptr ? m_picture->geometry().topRight() : m_picture->rect().topRight();
    QRect place(corner + QPoint(-(m_legend->width() + measure::PanelPadding), measure::PanelPadding), m_legend->size());
    if (const QRect taken = m_taken ? m_taken() : QRect(); taken.intersects(place))
        place.moveTop(taken.bottom() + 1 + measure::PanelPadding);
    m_legend->move(place.topLeft());
}

std::vector<float> SoundOverlay::digest() const {
    const ProbeView& state = *m_panel.view();
    std::vector<float> out;
    const auto add = [&out](const Vec3& v) { out.insert(out.end(), {v.x, v.y, v.z}); };
    const auto turn = [&out](const Quat& q) { out.insert(out.end(), {q.w, q.x, q.y, q.z}); };
    add(state.ear.position);
    turn(state.ear.rotation);
    out.push_back(state.occlusion ? 1.0F : 0.0F);
    for (const ProbeSound& each : state.sounds) {
        add(each.position);
        const audio::SourceState* voice = state.stateOf(each.key);
        out.push_back(voice != nullptr ? static_cast<float>(voice->reason) : -1.0F);
        out.push_back(voice != nullptr ? std::round(80.0F * voice->peak) : 0.0F);
        if (each.key == m_panel.current()) {
            turn(each.orientation);
            add(each.hit);
            out.insert(out.end(), {each.settings.referenceDistance, each.settings.maximumDistance, each.settings.coneInner,
                                   each.settings.coneOuter, static_cast<float>(each.settings.distanceModel)});
            out.push_back(static_cast<float>(out.size()));
        }
    }
    return out;
}

void SoundOverlay::attach(QWidget& picture, std::function<render::Ray(const QPointF&)> rayAt,
                          std::function<render::CameraView()> camera, std::function<int()> height) {
    m_picture = &picture;
    m_rayAt = std::move(rayAt);
    m_camera = std::move(camera);
    m_height = std::move(height);
    picture.installEventFilter(this);
    m_legend = new SoundLegend(m_theme, picture.parentWidget() != nullptr ? picture.parentWidget() : &picture);
    updateLegend();
}

void SoundOverlay::setShown(bool shown) {
    m_shown = shown;
    updateLegend();
    emit changed();
}

const ProbeSound* SoundOverlay::sound() const { return m_panel.view()->find(m_panel.current()); }

std::optional<Vec3> SoundOverlay::handle(bool maximum) const {
    const ProbeSound* chosen = sound();
    if (!m_shown || chosen == nullptr || chosen->key.entity.empty()
        || chosen->settings.distanceModel == audio::DistanceModel::None || !chosen->settings.spatial
        || (maximum && !usesMaximum(chosen->settings)))
        return std::nullopt;
    double metres =
        static_cast<double>(maximum ? chosen->settings.maximumDistance : chosen->settings.referenceDistance);
    if (m_dragged && m_drag == (maximum ? Handle::Maximum : Handle::Reference))
        metres = *m_dragged;
    if (metres > static_cast<double>(Largest))
        return std::nullopt;
    return chosen->position + Vec3(maximum ? -1.0F : 1.0F, 0.0F, 0.0F) * static_cast<float>(metres);
}

void SoundOverlay::draw(render::View& view) const {
    if (!m_shown)
        return;
    const ProbeView& state = *m_panel.view();
    for (const ProbeSound& each : state.sounds)
        if (!each.key.entity.empty() || each.tried)
            drawOne(view, state, each, each.key == m_panel.current());
    if (const ProbeSound* chosen = sound();
        chosen != nullptr && (!chosen->key.entity.empty() || chosen->tried))
        drawChosen(view, state, *chosen);
    // The listener, unless it is the camera.
    if ((view.camera.orthographic() || glm::distance(state.ear.position, view.camera.pose.position) > 0.5F) && state.ready) {
        const Vec4 color = Light;
        const Vec3 ahead = state.ear.rotation * Vec3(0.0F, 0.0F, -1.0F);
        const Vec3 right = state.ear.rotation * Vec3(1.0F, 0.0F, 0.0F);
        view.debug.addSphere(state.ear.position, 0.0875F, color, render::LineDepth::OnTop);
        view.debug.addLine(state.ear.position, state.ear.position + ahead * 0.35F, color,
                           render::LineDepth::OnTop);
        view.debug.addLine(state.ear.position - right * 0.15F, state.ear.position + right * 0.15F, color,
                           render::LineDepth::OnTop);
    }
}

void SoundOverlay::drawOne(render::View& view, const ProbeView& state, const ProbeSound& each,
                           bool chosen) const {
    const audio::SourceState* voice = state.stateOf(each.key);
    const bool heard = voice != nullptr && voice->reason == audio::SilentReason::Heard;
    const Vec4 color = heard                                ? overlayColor(m_theme.hue(Hue::BluishGreen))
                       : voice != nullptr && voice->playing ? overlayColor(m_theme.hue(Hue::Orange))
                                                            : Vec4(Vec3(Light), 0.5F);
    view.debug.addCross(each.position, 0.16F, color, render::LineDepth::OnTop);
    if (const float far = eyeDistance(view.camera, each.position); far > 0.2F) {
        const Vec3 facing = -render::sightTo(view.camera, each.position);
        // As large on the screen however far it is; as wide as it is loud.
        const float unit = 0.012F * far;
        double level = 0.0;
        if (heard)
            level =
                std::clamp(1.0 + 20.0 * std::log10(static_cast<double>(voice->peak) + 1e-9) / 60.0, 0.0, 1.0);
        view.debug.addCircle(each.position, facing, unit, color, render::LineDepth::OnTop);
        if (level > 0.0)
            view.debug.addCircle(each.position, facing, unit * (1.0F + 2.5F * static_cast<float>(level)),
                                 Vec4(Vec3(color), 0.7F), render::LineDepth::OnTop);
        if (chosen)
            view.debug.addCircle(each.position, facing, unit * 1.5F, view.accent, render::LineDepth::OnTop);
    }
    if (glm::length(each.velocity) > 0.3F)
        view.debug.addLine(each.position, each.position + each.velocity * 0.25F, color,
                           render::LineDepth::OnTop);
}

void SoundOverlay::drawChosen(render::View& view, const ProbeView& state, const ProbeSound& chosen) const {
    if (!chosen.settings.spatial)
        return;
    const auto metresOf = [&](Handle which, float value) {
        return m_dragged && m_drag == which ? static_cast<float>(*m_dragged) : value;
    };
    const float reference = metresOf(Handle::Reference, chosen.settings.referenceDistance);
    const float maximum = metresOf(Handle::Maximum, chosen.settings.maximumDistance);
    if (chosen.settings.distanceModel != audio::DistanceModel::None && reference < Largest)
        view.debug.addSphere(chosen.position, reference, overlayColor(SoundLegend::colorOf(SoundLegend::Line::Reference, m_theme), 0.8F),
                             render::LineDepth::Faint);
    if (usesMaximum(chosen.settings) && maximum < Largest)
        view.debug.addSphere(chosen.position, maximum, overlayColor(SoundLegend::colorOf(SoundLegend::Line::Maximum, m_theme), 0.8F),
                             render::LineDepth::Faint);
    const float reach = std::clamp(usesMaximum(chosen.settings) ? maximum : reference * 4.0F, 0.5F, 12.0F);
    addCone(view.debug, chosen, chosen.settings.coneInner, reach, overlayColor(m_theme.hue(Hue::Yellow), 0.9F));
    if (chosen.settings.coneOuter > chosen.settings.coneInner)
        addCone(view.debug, chosen, chosen.settings.coneOuter, reach, overlayColor(m_theme.hue(Hue::Yellow), 0.45F));
    for (const bool far : {false, true})
        if (const auto place = handle(far)) {
            const bool hot = m_hot == (far ? Handle::Maximum : Handle::Reference)
                             || m_drag == (far ? Handle::Maximum : Handle::Reference);
            const float size = 0.012F * std::max(eyeDistance(view.camera, *place), 0.5F);
            view.overlay.addSphere(*place, size,
                                   hot ? view.accent : overlayColor(m_theme.hue(far ? Hue::Blue : Hue::SkyBlue)));
        }
    // The straight way: green where it is open, with a ring at the ear; red behind what stands in it, with a cross there.
    const Vec3 ear = state.ear.position;
    const auto sizeAt = [&](const Vec3& place) { return 0.008F * std::max(eyeDistance(view.camera, place), 0.5F); };
    const auto facing = [&](const Vec3& place) { return -render::sightTo(view.camera, place); };
    if (drawsWay(view.camera)) {
        const Vec4 open = overlayColor(SoundLegend::colorOf(SoundLegend::Line::Open, m_theme));
        const Vec4 shut = overlayColor(SoundLegend::colorOf(SoundLegend::Line::Blocked, m_theme));
        if (chosen.hidden && state.occlusion) {
            view.debug.addLine(ear, chosen.hit, open, render::LineDepth::OnTop);
            view.debug.addLine(chosen.hit, chosen.position, shut, render::LineDepth::OnTop);
            view.debug.addCross(chosen.hit, 0.12F, shut, render::LineDepth::OnTop);
        } else {
            view.debug.addLine(ear, chosen.position, open, render::LineDepth::OnTop);
            view.debug.addCircle(ear, facing(ear), sizeAt(ear), open, render::LineDepth::OnTop);
        }
    }
    if (state.room)
        for (const Vec3& point : firstReflections(*state.room, ear, chosen.position)) {
            const Vec4 color = overlayColor(SoundLegend::colorOf(SoundLegend::Line::Reflection, m_theme), 0.6F);
            view.debug.addLine(ear, point, color, render::LineDepth::Faint);
            view.debug.addLine(point, chosen.position, color, render::LineDepth::Faint);
            view.debug.addCircle(point, facing(point), sizeAt(point), color, render::LineDepth::OnTop);
        }
}

std::optional<double> SoundOverlay::pixelsTo(const QPointF& place, const Vec3& point) const {
    const render::Ray ray = m_rayAt(place);
    const render::CameraView camera = m_camera();
    const int height = std::max(m_height ? m_height() : m_picture->height(), 1);
    const Vec3 to = point - ray.origin;
    const auto along = static_cast<double>(glm::dot(to, ray.direction));
    if (along <= 0.0)
        return std::nullopt;
    const auto off = static_cast<double>(glm::length(to - ray.direction * static_cast<float>(along)));
    return camera.orthographic() ? off / static_cast<double>(render::metresPerPixel(camera, height, 1.0F))
                                 : std::atan2(off, along) * height / static_cast<double>(camera.fovY);
}

bool SoundOverlay::isOnBlockedWay(const QPointF& place) const {
    const ProbeSound* chosen = sound();
    if (!m_picture || !m_rayAt || !m_panel.isSeen() || !m_camera || !drawsWay(m_camera()) || !chosen->hidden || chosen->obstacle.empty()
        || !m_panel.view()->occlusion)
        return false;
    // The nearest place of the line, looked for step by step: it may pass close by the camera, where pixels are short.
    constexpr int Steps = 400;
    for (int i = 0; i <= Steps; ++i) {
        const Vec3 point = glm::mix(m_panel.view()->ear.position, chosen->position, static_cast<float>(i) / Steps);
        if (const auto pixels = pixelsTo(place, point); pixels && *pixels < LinePixels)
            return true;
    }
    return false;
}

SoundOverlay::Handle SoundOverlay::handleAt(const QPointF& place) const {
    if (!m_picture || !m_rayAt)
        return Handle::None;
    Handle best = Handle::None;
    double nearest = GrabPixels;
    for (const bool far : {true, false})
        if (const auto at = handle(far))
            if (const auto pixels = pixelsTo(place, *at); pixels && *pixels < nearest) {
                nearest = *pixels;
                best = far ? Handle::Maximum : Handle::Reference;
            }
    return best;
}

void SoundOverlay::dragTo(const QPointF& place, bool committed) {
    const ProbeSound* chosen = sound();
    if (chosen == nullptr)
        return;
    // Along the handle's own line: the place on it that is nearest to the ray.
    const render::Ray ray = m_rayAt(place);
    const Vec3 axis(m_drag == Handle::Maximum ? -1.0F : 1.0F, 0.0F, 0.0F);
    const Vec3 between = chosen->position - ray.origin;
    const float lean = glm::dot(axis, ray.direction);
    const float bottom = 1.0F - lean * lean;
    if (bottom < 1e-4F)
        return;
    double metres =
        static_cast<double>((lean * glm::dot(ray.direction, between) - glm::dot(axis, between)) / bottom);
    const double other = static_cast<double>(m_drag == Handle::Maximum ? chosen->settings.referenceDistance
                                                                       : chosen->settings.maximumDistance);
    metres = std::clamp(metres, 0.05, static_cast<double>(Largest) - 1.0);
    if (m_drag == Handle::Maximum)
        metres = std::max(metres, other);
    else if (usesMaximum(chosen->settings))
        metres = std::min(metres, other);
    const double unit = std::pow(10.0, std::floor(std::log10(metres)) - 2.0);
    metres = std::round(metres / unit) * unit;
    m_dragged = metres;
    m_panel.setField(m_drag == Handle::Maximum ? QStringLiteral("maximum") : QStringLiteral("reference"),
                     metres, committed);
    emit changed();
}

bool SoundOverlay::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_picture || !m_shown)
        return false;
    const auto mouse = [event] { return static_cast<QMouseEvent*>(event); };
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        if (mouse()->button() != Qt::LeftButton || mouse()->modifiers() != Qt::NoModifier)
            return false;
        m_drag = handleAt(mouse()->position());
        if (m_drag == Handle::None) {
            m_picking = isOnBlockedWay(mouse()->position());
            return m_picking;
        }
        const ProbeSound* chosen = sound();
        m_start = static_cast<double>(m_drag == Handle::Maximum ? chosen->settings.maximumDistance
                                                                : chosen->settings.referenceDistance);
        return true;
    }
    case QEvent::MouseMove: {
        if (m_drag != Handle::None) {
            dragTo(mouse()->position(), false);
            return true;
        }
        if (m_picking)
            return true;
        if (mouse()->buttons() != Qt::NoButton)
            return false;
        const Handle over = handleAt(mouse()->position());
        if (over != m_hot) {
            m_hot = over;
            emit changed();
        }
        return over != Handle::None;
    }
    case QEvent::MouseButtonRelease:
        if (m_picking && mouse()->button() == Qt::LeftButton) {
            m_picking = false;
            if (const ProbeSound* chosen = sound(); isOnBlockedWay(mouse()->position()))
                emit obstaclePicked(QString::fromStdString(chosen->obstacle));
            return true;
        }
        if (m_drag == Handle::None || mouse()->button() != Qt::LeftButton)
            return false;
        dragTo(mouse()->position(), true);
        m_drag = Handle::None;
        m_dragged.reset();
        return true;
    case QEvent::KeyPress:
        if (m_drag == Handle::None || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
            return false;
        m_panel.setField(m_drag == Handle::Maximum ? QStringLiteral("maximum") : QStringLiteral("reference"),
                         m_start, true);
        m_drag = Handle::None;
        m_dragged.reset();
        return true;
    case QEvent::Resize:
    case QEvent::Show:
        QMetaObject::invokeMethod(this, &SoundOverlay::updateLegend, Qt::QueuedConnection);
        return false;
    default:
        return false;
    }
}

} // namespace sbx::ui

#include "moc_sound_overlay.cpp"
