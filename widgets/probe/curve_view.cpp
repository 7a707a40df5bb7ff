#include "widgets/probe/curve_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "engine/audio/detail/propagation.h"
#include "widgets/common/theme.h"
#include "widgets/probe/voice_text.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {
constexpr double NearestShown = 0.1; // m, of the picture
constexpr double LowestShownDb = -60.0;
constexpr double FarthestShown = 1000.0;
} // namespace

CurveView::CurveView(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("probe.curve"));
    setAccessibleName(tr("Level over distance"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void CurveView::setSound(const ProbeSound* sound, const audio::SourceState* state, const QString& lock) {
    m_has = sound != nullptr;
    m_lock = lock;
    m_distance.reset();
    m_gain.reset();
    if (sound != nullptr) {
        m_settings = sound->settings;
        m_distance = sound->place.distance;
        if (state != nullptr && state->playing) {
            m_distance = static_cast<double>(state->distance);
            m_gain = static_cast<double>(state->distanceGain);
        }
        if (m_drag == Handle::None) {
            m_reference = static_cast<double>(m_settings.referenceDistance);
            m_maximum = static_cast<double>(m_settings.maximumDistance);
        }
        setToolTip(!lock.isEmpty() ? lock
                                   : tr("Drag the handles: up to the reference distance the level holds; at "
                                        "the maximum it ends or stays."));
        setAccessibleDescription(tr("Reference %1 m, maximum %2 m").arg(m_reference).arg(m_maximum));
    }
    update();
}

bool CurveView::usesMaximum() const {
    return m_settings.distanceModel == audio::DistanceModel::Linear
           || m_settings.distanceModel == audio::DistanceModel::InverseClamped;
}

QRectF CurveView::area() const {
    const QFontMetricsF metrics(m_theme.font(FontRole::Mono));
    return QRectF(rect()).adjusted(metrics.horizontalAdvance(QStringLiteral("−60 ")) + 6.0, 10.0, -12.0,
                                   -metrics.height() - 6.0);
}

double CurveView::xOf(double metres) const {
    const QRectF a = area();
    return a.left()
           + a.width() * std::log(std::clamp(metres, NearestShown, FarthestShown) / NearestShown)
                 / std::log(FarthestShown / NearestShown);
}

double CurveView::metresAt(double x) const {
    const QRectF a = area();
    return NearestShown * std::pow(FarthestShown / NearestShown, std::clamp((x - a.left()) / a.width(), 0.0, 1.0));
}

double CurveView::yOf(double decibels) const {
    const QRectF a = area();
    return a.top() + a.height() * std::clamp(decibels / LowestShownDb, 0.0, 1.0);
}

void CurveView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(Token::Ground));
    painter.drawRoundedRect(rect(), measure::Radius, measure::Radius);
    if (!m_has) {
        painter.setPen(m_theme.color(Token::Muted));
        painter.setFont(m_theme.font(FontRole::Ui));
        painter.drawText(rect(), Qt::AlignCenter, tr("Choose a sound to see how it falls with distance"));
        return;
    }
    const QRectF a = area();
    const QFont mono = m_theme.font(FontRole::Mono);
    const QFontMetricsF metrics(mono);
    painter.setFont(mono);
    for (int db = 0; db >= static_cast<int>(LowestShownDb); db -= a.height() < 90.0 ? 20 : 12) {
        painter.setPen(QPen(m_theme.color(Token::Line), 1.0));
        painter.drawLine(QPointF(a.left(), yOf(db)), QPointF(a.right(), yOf(db)));
        painter.setPen(m_theme.color(Token::Muted));
        painter.drawText(QRectF(0.0, yOf(db) - 9.0, a.left() - 6.0, 18.0), Qt::AlignRight | Qt::AlignVCenter,
                         decibelText(db, 0));
    }
    double free = 0.0; // from here on the axis has room for a number
    for (const double metres : {0.1, 1.0, 10.0, 100.0, 1000.0}) {
        painter.setPen(QPen(m_theme.color(Token::Line), 1.0));
        painter.drawLine(QPointF(xOf(metres), a.top()), QPointF(xOf(metres), a.bottom()));
        painter.setPen(m_theme.color(Token::Muted));
        const QString text = metres >= 1000.0 ? QStringLiteral("1000 m") : QString::number(metres);
        const double width = metrics.horizontalAdvance(text) + 4.0;
        const double left = std::min(xOf(metres) - width / 2.0, this->width() - width - 2.0);
        const double last = this->width() - metrics.horizontalAdvance(QStringLiteral("1000 m")) - 6.0;
        if (left < free || (metres < 1000.0 && left + width > last))
            continue;
        free = left + width;
        painter.drawText(QRectF(left, a.bottom() + 3.0, width, metrics.height()), Qt::AlignCenter, text);
    }
    audio::SourceSettings settings = m_settings;
    settings.referenceDistance = static_cast<float>(m_reference);
    settings.maximumDistance = static_cast<float>(std::max(m_maximum, m_reference));
    QPolygonF line;
    for (double x = a.left(); x <= a.right(); x += 1.0) {
        const float gain = audio::distanceGain(settings, metresAt(x));
        line << QPointF(x, gain > 0.0F ? yOf(20.0 * std::log10(static_cast<double>(gain))) : a.bottom());
    }
    painter.setPen(QPen(m_theme.hue(Hue::SkyBlue), 2.0));
    painter.drawPolyline(line);
    if (m_distance) {
        const double gain = m_gain.value_or(static_cast<double>(audio::distanceGain(settings, *m_distance)));
        const QPointF here(xOf(*m_distance), gain > 0.0 ? yOf(20.0 * std::log10(gain)) : a.bottom());
        painter.setPen(QPen(m_theme.color(Token::Muted), 1.0, Qt::DashLine));
        painter.drawLine(QPointF(here.x(), a.top()), QPointF(here.x(), a.bottom()));
        // Filled where the renderer measured it, hollow where it is only computed.
        painter.setPen(QPen(m_theme.hue(Hue::BluishGreen), 2.0));
        painter.setBrush(m_gain ? QBrush(m_theme.hue(Hue::BluishGreen))
                                : QBrush(m_theme.color(Token::Ground)));
        painter.drawEllipse(here, 4.5, 4.5);
        const QString text = tr("%1 m  %2 dB").arg(*m_distance, 0, 'f', 2).arg(gainText(gain));
        painter.setPen(m_theme.color(Token::Text));
        const double width = metrics.horizontalAdvance(text);
        const double beside = here.x() + 8.0 + width > a.right() ? here.x() - 8.0 - width : here.x() + 8.0;
        const double x = std::clamp(beside, a.left() + 4.0, std::max(a.left() + 4.0, a.right() - width));
        painter.drawText(QPointF(x, std::clamp(here.y() - 6.0, a.top() + metrics.ascent(), a.bottom() - 4.0)),
                         text);
    }
    const auto handle = [&](Handle which, double metres, const QString& name) {
        const bool live = m_lock.isEmpty();
        const bool hot = live && (m_drag == which || m_hover == which);
        const double x = xOf(metres);
        const QColor color = hot    ? m_theme.color(Token::Accent)
                             : live ? m_theme.color(Token::Text)
                                    : m_theme.color(Token::Disabled);
        painter.setPen(QPen(color, 1.5));
        painter.drawLine(QPointF(x, a.top()), QPointF(x, a.bottom()));
        QPainterPath grip;
        grip.moveTo(x - 6.0, a.bottom() + 2.0);
        grip.lineTo(x + 6.0, a.bottom() + 2.0);
        grip.lineTo(x, a.bottom() - 7.0);
        grip.closeSubpath();
        painter.setBrush(color);
        painter.drawPath(grip);
        if (hasFocus() && m_focus == which && live) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(m_theme.color(Token::Accent), 1.0));
            painter.drawRect(QRectF(x - 8.0, a.bottom() - 9.0, 16.0, 13.0));
        }
        painter.setFont(m_theme.font(FontRole::Ui));
        painter.setPen(m_theme.color(Token::Muted));
        const QString text = QStringLiteral("%1 %2 m").arg(name, QString::number(metres, 'g', 4));
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(text);
        painter.drawText(QPointF(x + 6.0 + width > a.right() ? x - 6.0 - width : x + 6.0,
                                 a.bottom() - (which == Handle::Reference ? 10.0 : 26.0)),
                         text);
        painter.setFont(mono);
    };
    if (m_settings.distanceModel != audio::DistanceModel::None)
        handle(Handle::Reference, m_reference, tr("reference"));
    if (usesMaximum())
        handle(Handle::Maximum, m_maximum, tr("maximum"));
}

CurveView::Handle CurveView::handleAt(const QPointF& at) const {
    if (!m_has || !m_lock.isEmpty() || m_settings.distanceModel == audio::DistanceModel::None)
        return Handle::None;
    const double reference = std::abs(at.x() - xOf(m_reference));
    const double maximum = usesMaximum() ? std::abs(at.x() - xOf(m_maximum)) : 1e9;
    // Of two in one place the one that can go where there is room.
    if (std::min(reference, maximum) > 8.0)
        return Handle::None;
    return maximum <= reference ? Handle::Maximum : Handle::Reference;
}

void CurveView::set(Handle handle, double metres, bool committed) {
    // Three digits are what a person would write.
    const double unit = std::pow(10.0, std::floor(std::log10(metres)) - 2.0);
    const double value = std::clamp(std::round(metres / unit) * unit, 0.001, FarthestShown);
    if (handle == Handle::Reference)
        m_reference = usesMaximum() ? std::min(value, m_maximum) : value;
    else
        m_maximum = std::max(value, m_reference);
    emit changed(handle == Handle::Reference ? QStringLiteral("reference") : QStringLiteral("maximum"),
                 handle == Handle::Reference ? m_reference : m_maximum, committed);
    update();
}

void CurveView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_drag = handleAt(event->position());
    if (m_drag == Handle::None)
        return;
    m_focus = m_drag;
    m_start = m_drag == Handle::Reference ? m_reference : m_maximum;
    update();
}

void CurveView::mouseMoveEvent(QMouseEvent* event) {
    if (m_drag != Handle::None) {
        set(m_drag, metresAt(event->position().x()), false);
        return;
    }
    const Handle over = handleAt(event->position());
    if (over != m_hover) {
        m_hover = over;
        setCursor(over != Handle::None ? Qt::SizeHorCursor : Qt::ArrowCursor);
        update();
    }
}

void CurveView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_drag == Handle::None)
        return;
    set(m_drag, metresAt(event->position().x()), true);
    m_drag = Handle::None;
}

void CurveView::leaveEvent(QEvent*) {
    m_hover = Handle::None;
    update();
}

void CurveView::keyPressEvent(QKeyEvent* event) {
    const double value = m_focus == Handle::Reference ? m_reference : m_maximum;
    const double factor = event->modifiers() & Qt::ShiftModifier ? 1.25 : 1.02;
    const bool live = m_has && m_lock.isEmpty();
    if (event->key() == Qt::Key_Escape && m_drag != Handle::None) {
        set(std::exchange(m_drag, Handle::None), m_start, true);
    } else if (event->key() == Qt::Key_Space && usesMaximum()) {
        m_focus = m_focus == Handle::Reference ? Handle::Maximum : Handle::Reference;
        update();
    } else if (live && event->key() == Qt::Key_Right) {
        set(m_focus, value * factor, true);
    } else if (live && event->key() == Qt::Key_Left) {
        set(m_focus, value / factor, true);
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace sbx::ui

#include "moc_curve_view.cpp"
