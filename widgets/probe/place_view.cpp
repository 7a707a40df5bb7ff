#include "widgets/probe/place_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/probe/voice_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::ui {

namespace {

constexpr double Nearest = 0.1; // m
constexpr double Farthest = 1000.0;
constexpr double DotRadius = 4.5;
constexpr int Gap = 8;

double clampedElevation(double radians) {
    return std::clamp(radians, -std::numbers::pi / 2.0, std::numbers::pi / 2.0);
}

double turned(double radians) { return std::remainder(radians, 2.0 * std::numbers::pi); }

} // namespace

QString angleText(double radians) {
    double degrees = std::round(radians / Degree * 10.0) / 10.0;
    if (degrees == 0.0)
        degrees = 0.0; // no -0.0
    return QString::number(degrees, 'f', 1).replace(QLatin1Char('-'), QChar(0x2212)) + QChar(0x00B0);
}

PlaceView::PlaceView(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("probe.place"));
    setAccessibleName(tr("Sounds around the head, from above and from the side"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize PlaceView::sizeHint() const { return {360, 200}; }
QSize PlaceView::minimumSizeHint() const { return {200, 110}; }

void PlaceView::setView(std::shared_ptr<const ProbeView> view) {
    m_view = std::move(view);
    if (m_drag == Drag::None)
        m_draggedPlace.reset();
    followReach();
    m_spots.clear();
    if (m_view)
        for (const ProbeSound& sound : m_view->sounds) {
            const HeadPlace& place = m_draggedPlace && sound.key == m_current ? *m_draggedPlace : sound.place;
            m_spots.push_back({sound.key, topOf(place), sideOf(place)});
        }
    const ProbeSound* sound = current();
    setAccessibleDescription(sound != nullptr ? describe(*sound) : QString());
    update();
}

void PlaceView::setCurrent(const SoundKey& key) {
    if (m_drag == Drag::None)
        m_current = key;
    update();
}

const ProbeSound* PlaceView::current() const { return m_view ? m_view->find(m_current) : nullptr; }

// From above on the left, square; what is left shows the side.
QRectF PlaceView::topRect() const {
    const double side = std::min<double>(height(), (width() - Gap) * 0.62);
    return {0.0, (height() - side) / 2.0, side, side};
}

QRectF PlaceView::sideRect() const {
    const QRectF top = topRect();
    return {top.right() + Gap, top.top(),
            std::max(1.0, std::min(width() - top.right() - Gap, top.height() * 1.6)), top.height()};
}

double PlaceView::scale() const { return (topRect().width() / 2.0 - 14.0) / m_reach; }

QPointF PlaceView::topOf(const HeadPlace& place) const {
    const double level = std::cos(place.elevation) * place.distance * scale();
    return topRect().center() + QPointF(level * std::sin(place.azimuth), -level * std::cos(place.azimuth));
}

QPointF PlaceView::sideOf(const HeadPlace& place) const {
    const double level = std::cos(place.elevation) * place.distance * scale();
    return sideRect().center()
           + QPointF(level * std::cos(place.azimuth), -std::sin(place.elevation) * place.distance * scale());
}

QPointF PlaceView::topPoint(const Vec3& position) const {
    return m_view ? topOf(headPlace(m_view->ear, position)) : topRect().center();
}
QPointF PlaceView::sidePoint(const Vec3& position) const {
    return m_view ? sideOf(headPlace(m_view->ear, position)) : sideRect().center();
}

void PlaceView::followReach() {
    if (m_zoomed || m_drag != Drag::None || !m_view)
        return;
    // What is far beyond the rest does not make the rest small.
    double farthest = 2.0;
    for (const ProbeSound& sound : m_view->sounds)
        if (sound.place.distance < 60.0
            && (!sound.key.entity.empty() || sound.tried || sound.key == m_current))
            farthest = std::max(farthest, sound.place.distance);
    if (const ProbeSound* sound = current())
        farthest = std::max(farthest, sound->place.distance);
    double wanted = 2.0;
    for (const double step : {2.0, 3.0, 5.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0, 200.0, 500.0, 1000.0})
        if (wanted = step; step >= farthest)
            break;
    // Not to and fro at a border.
    if (wanted > m_reach || wanted * 0.6 > farthest || farthest < m_reach * 0.45)
        m_reach = wanted;
}

void PlaceView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    drawGround(painter, topRect(), false);
    drawGround(painter, sideRect(), true);
    drawSounds(painter, topRect(), false);
    drawSounds(painter, sideRect(), true);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_theme.color(Token::Accent), 1.0));
        painter.drawRoundedRect(topRect().adjusted(0.5, 0.5, -0.5, -0.5), measure::Radius, measure::Radius);
        painter.drawRoundedRect(sideRect().adjusted(0.5, 0.5, -0.5, -0.5), measure::Radius, measure::Radius);
    }
}

void PlaceView::drawGround(QPainter& painter, const QRectF& rect, bool side) const {
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(Token::Ground));
    painter.drawRoundedRect(rect, measure::Radius, measure::Radius);
    painter.save();
    QPainterPath clip;
    clip.addRoundedRect(rect, measure::Radius, measure::Radius);
    painter.setClipPath(clip);
    const QPointF centre = rect.center();
    QFont small = m_theme.font(FontRole::Mono);
    small.setPointSizeF(small.pointSizeF() * 0.85);
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    painter.setBrush(Qt::NoBrush);
    const QPen line(m_theme.color(Token::Line), 1.0);
    painter.setPen(line);
    painter.drawLine(QPointF(rect.left(), centre.y()), QPointF(rect.right(), centre.y()));
    painter.drawLine(QPointF(centre.x(), rect.top()), QPointF(centre.x(), rect.bottom()));
    double step = 1.0;
    for (const double each : {0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0})
        if (step = each; each * scale() >= 26.0)
            break;
    for (double r = step; r <= m_reach * 1.001; r += step) {
        painter.setPen(line);
        painter.drawEllipse(centre, r * scale(), r * scale());
        if (side)
            continue;
        const QString text = QString::number(r) + (r + step > m_reach * 1.001 ? tr(" m") : QString());
        painter.setPen(m_theme.color(Token::Muted));
        painter.drawText(QPointF(centre.x() + 4.0, centre.y() + r * scale() - metrics.descent()), text);
    }
    // The head: a nose says where it looks.
    const double head = std::max(6.0, 0.0875 * scale());
    painter.setPen(QPen(m_theme.color(Token::Text), 1.5));
    painter.setBrush(m_theme.color(Token::Raised));
    QPainterPath nose;
    if (side) {
        nose.moveTo(centre + QPointF(head * 0.8, -head * 0.5));
        nose.lineTo(centre + QPointF(head * 1.45, 0.0));
        nose.lineTo(centre + QPointF(head * 0.8, head * 0.5));
    } else {
        nose.moveTo(centre + QPointF(-head * 0.5, -head * 0.8));
        nose.lineTo(centre + QPointF(0.0, -head * 1.45));
        nose.lineTo(centre + QPointF(head * 0.5, -head * 0.8));
    }
    painter.drawPath(nose);
    painter.drawEllipse(centre, head, head);
    if (!side)
        for (const double ear : {-1.0, 1.0})
            painter.drawLine(centre + QPointF(ear * (head + 1.0), -head * 0.3),
                             centre + QPointF(ear * (head + 1.0), head * 0.3));
    painter.setPen(m_theme.color(Token::Muted));
    painter.setFont(m_theme.font(FontRole::Ui));
    const QRectF text = rect.adjusted(6.0, 4.0, -6.0, -4.0);
    const QString title = side ? tr("Side") : tr("Top");
    painter.drawText(text, Qt::AlignLeft | Qt::AlignTop, title);
    if (side) {
        painter.drawText(text, Qt::AlignRight | Qt::AlignBottom, tr("ahead"));
    } else {
        painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom, tr("L"));
        painter.drawText(text, Qt::AlignRight | Qt::AlignBottom, tr("R"));
        // What the ring is round: in the corner, because beside the ring it would cover its neighbours.
        if (const ProbeSound* sound = current()) {
            const QFontMetricsF names(painter.font());
            const double room = text.width() - names.horizontalAdvance(title) - 12.0;
            painter.setPen(m_theme.color(Token::Text));
            painter.drawText(text, Qt::AlignRight | Qt::AlignTop, names.elidedText(titleOf(*sound), Qt::ElideRight, room));
        }
    }
    painter.restore();
}

void PlaceView::drawSounds(QPainter& painter, const QRectF& rect, bool side) const {
    if (!m_view)
        return;
    painter.save();
    QPainterPath clip;
    clip.addRoundedRect(rect, measure::Radius, measure::Radius);
    painter.setClipPath(clip);
    const auto drawOne = [&](const ProbeSound& sound) {
        const bool isCurrent = sound.key == m_current;
        const HeadPlace& place = m_draggedPlace && isCurrent ? *m_draggedPlace : sound.place;
        const audio::SourceState* state = m_view->stateOf(sound.key);
        if (sound.key.entity.empty() && !sound.tried && !isCurrent)
            return; // the probe's own source is off
        QPointF at = side ? sideOf(place) : topOf(place);
        // What is farther out sits on the edge and points outwards.
        const QPointF out = at - rect.center();
        const double limit =
            std::min(std::abs(out.x()) > 0.0 ? (rect.width() / 2.0 - 7.0) / std::abs(out.x()) : 1e9,
                     std::abs(out.y()) > 0.0 ? (rect.height() / 2.0 - 7.0) / std::abs(out.y()) : 1e9);
        const bool beyond = limit < 1.0;
        if (beyond)
            at = rect.center() + out * limit;
        const bool heard = state != nullptr && state->reason == audio::SilentReason::Heard;
        const bool playing = state != nullptr && state->playing;
        QColor color = heard     ? m_theme.hue(Hue::BluishGreen)
                       : playing ? m_theme.hue(Hue::Orange)
                                 : m_theme.color(Token::Muted);
        if (isCurrent) {
            QPen way(sound.hidden ? m_theme.hue(Hue::Vermillion) : m_theme.color(Token::Accent), 1.0,
                     sound.hidden ? Qt::DashLine : Qt::SolidLine);
            painter.setPen(way);
            painter.drawLine(rect.center(), at);
        }
        if (heard && state->peak > 0.0F) {
            // A halo as wide as it is loud: 60 dB.
            const double level =
                std::clamp(1.0 + 20.0 * std::log10(static_cast<double>(state->peak) + 1e-9) / 60.0, 0.0, 1.0);
            QColor halo = color;
            halo.setAlphaF(0.22F);
            painter.setPen(Qt::NoPen);
            painter.setBrush(halo);
            painter.drawEllipse(at, DotRadius + 14.0 * level, DotRadius + 14.0 * level);
        }
        // Where it goes in the next half second.
        if (const Vec3 v = sound.velocity - m_view->earVelocity; glm::length(v) > 0.2F && !beyond) {
            const HeadPlace next = headPlace(m_view->ear, sound.position + v * 0.5F);
            const QPointF tip = side ? sideOf(next) : topOf(next);
            const QPointF along = tip - at;
            if (const double length = std::hypot(along.x(), along.y()); length > DotRadius + 3.0) {
                const QPointF unit = along / length;
                painter.setPen(QPen(color, 1.5));
                painter.drawLine(at, tip);
                painter.drawLine(tip, tip - unit * 4.0 + QPointF(-unit.y(), unit.x()) * 3.0);
                painter.drawLine(tip, tip - unit * 4.0 - QPointF(-unit.y(), unit.x()) * 3.0);
            }
        }
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(heard ? QBrush(color) : QBrush(m_theme.color(Token::Ground)));
        painter.drawEllipse(at, DotRadius, DotRadius);
        if (sound.muted)
            painter.drawLine(at + QPointF(-DotRadius, DotRadius), at + QPointF(DotRadius, -DotRadius));
        if (isCurrent) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(m_theme.color(Token::Accent), 2.0));
            painter.drawEllipse(at, DotRadius + 3.5, DotRadius + 3.5);
        }
    };
    for (const ProbeSound& sound : m_view->sounds)
        if (!(sound.key == m_current))
            drawOne(sound);
    if (const ProbeSound* sound = current())
        drawOne(*sound);
    painter.restore();
}

const PlaceView::Spot* PlaceView::spotAt(const QPointF& at, Drag& where) const {
    const bool side = sideRect().contains(at);
    where = side ? Drag::Side : topRect().contains(at) ? Drag::Top : Drag::None;
    const Spot* best = nullptr;
    double nearest = 11.0; // pixels
    for (const Spot& spot : m_spots) {
        const ProbeSound* sound = m_view->find(spot.key);
        if (sound == nullptr || (spot.key.entity.empty() && !sound->tried && !(spot.key == m_current)))
            continue;
        const QPointF off = (side ? spot.side : spot.top) - at;
        // The chosen one is on top.
        const double distance = std::hypot(off.x(), off.y()) - (spot.key == m_current ? 3.0 : 0.0);
        if (distance < nearest) {
            nearest = distance;
            best = &spot;
        }
    }
    return best;
}

void PlaceView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_view)
        return;
    Drag where = Drag::None;
    const Spot* spot = spotAt(event->position(), where);
    if (spot == nullptr)
        return;
    m_current = spot->key;
    emit chosen(m_current);
    const ProbeSound* sound = current();
    if (sound == nullptr)
        return;
    m_start = sound->place;
    m_press = event->position();
    m_drag = where;
    m_dragged = false;
    update();
}

void PlaceView::mouseMoveEvent(QMouseEvent* event) {
    if (m_drag == Drag::None)
        return;
    if (!m_dragged && (event->position() - m_press).manhattanLength() < 4.0)
        return;
    m_dragged = true;
    dragTo(event->position(), false);
}

void PlaceView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_drag == Drag::None)
        return;
    if (m_dragged)
        dragTo(event->position(), true);
    m_drag = Drag::None;
    m_dragged = false;
}

void PlaceView::mouseDoubleClickEvent(QMouseEvent* event) {
    Drag where = Drag::None;
    if (const Spot* spot = m_view ? spotAt(event->position(), where) : nullptr) {
        emit activated(spot->key);
        return;
    }
    m_zoomed = false;
    followReach();
    update();
}

void PlaceView::dragTo(const QPointF& at, bool committed) {
    HeadPlace place = m_start;
    if (m_drag == Drag::Top) {
        // The elevation stays.
        const QPointF to = (at - topRect().center()) / scale();
        const double level = std::hypot(to.x(), to.y());
        if (level > 1e-6)
            place.azimuth = std::atan2(to.x(), -to.y());
        place.distance = level / std::max(std::cos(place.elevation), 0.1);
    } else {
        // What lies to the side stays.
        const QPointF to = (at - sideRect().center()) / scale();
        const double across = std::cos(m_start.elevation) * m_start.distance * std::sin(m_start.azimuth);
        const double level = std::hypot(across, to.x());
        place.azimuth = level > 1e-6 ? std::atan2(across, to.x()) : m_start.azimuth;
        place.elevation = std::atan2(-to.y(), level);
        place.distance = std::hypot(level, to.y());
    }
    place.distance = std::clamp(place.distance, Nearest, Farthest);
    m_draggedPlace = place;
    emit moved(m_current, place, committed);
    setToolTip({});
    update();
}

void PlaceView::nudge(double azimuth, double elevation, double factor) {
    const ProbeSound* sound = current();
    if (sound == nullptr)
        return;
    // Ahead of the view: keys may come faster than it.
    HeadPlace place = m_draggedPlace.value_or(sound->place);
    place.azimuth = turned(place.azimuth + azimuth);
    place.elevation = clampedElevation(place.elevation + elevation);
    place.distance = std::clamp(place.distance * factor, Nearest, Farthest);
    m_draggedPlace = place;
    emit moved(m_current, place, true);
    update();
}

void PlaceView::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (event->modifiers() & Qt::ControlModifier) {
        m_zoomed = true;
        m_reach = std::clamp(m_reach * std::pow(1.25, -notches), 0.5, 1000.0);
        setView(m_view);
    } else {
        nudge(0.0, notches * 5.0 * Degree, 1.0);
    }
    event->accept();
}

void PlaceView::keyPressEvent(QKeyEvent* event) {
    const double step = (event->modifiers() & Qt::ShiftModifier ? 10.0 : 1.0) * Degree;
    switch (event->key()) {
    case Qt::Key_Left:
        return nudge(-step, 0.0, 1.0);
    case Qt::Key_Right:
        return nudge(step, 0.0, 1.0);
    case Qt::Key_Up:
        return nudge(0.0, step, 1.0);
    case Qt::Key_Down:
        return nudge(0.0, -step, 1.0);
    case Qt::Key_PageUp:
        return nudge(0.0, 0.0, 1.1);
    case Qt::Key_PageDown:
        return nudge(0.0, 0.0, 1.0 / 1.1);
    case Qt::Key_Escape:
        if (m_drag != Drag::None) {
            emit moved(m_current, m_start, true);
            m_drag = Drag::None;
            m_draggedPlace.reset();
            update();
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

QString PlaceView::describe(const ProbeSound& sound) const {
    return tr("%1: azimuth %2, elevation %3, %4 m")
        .arg(titleOf(sound), angleText(sound.place.azimuth), angleText(sound.place.elevation),
             QString::number(sound.place.distance, 'f', 2));
}

bool PlaceView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && m_view) {
        const auto& help = static_cast<QHelpEvent&>(*event);
        Drag where = Drag::None;
        const Spot* spot = spotAt(help.pos(), where);
        const ProbeSound* sound = spot != nullptr ? m_view->find(spot->key) : nullptr;
        if (sound != nullptr)
            QToolTip::showText(help.globalPos(),
                               tipText(describe(*sound) + QLatin1Char('\n')
                                       + stateText(*m_view, *sound, m_view->stateOf(sound->key))),
                               this);
        else
            QToolTip::showText(help.globalPos(),
                               tr("Drag a sound to move it; wheel: elevation; arrows: 1°, with Shift 10°; "
                                  "Page Up and Page Down: "
                                  "distance; Ctrl+wheel: zoom."),
                               this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace sbx::ui

#include "moc_place_view.cpp"
