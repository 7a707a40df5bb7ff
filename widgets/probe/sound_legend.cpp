#include "widgets/probe/sound_legend.h"

#include <QPainter>

#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

namespace {
constexpr int Sample = 36; // px of line before the words
} // namespace

SoundLegend::SoundLegend(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("probe.legend"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QString SoundLegend::nameOf(Line line) {
    switch (line) {
    case Line::Open:
        return tr("way to the ear, open");
    case Line::Blocked:
        return tr("occluded: click to select the obstacle");
    case Line::Reflection:
        return tr("first reflections");
    case Line::Reference:
        return tr("reference distance");
    case Line::Maximum:
        return tr("maximum distance");
    case Line::Cone:
        return tr("cone");
    }
    return {};
}

QColor SoundLegend::colorOf(Line line, const Theme& theme) {
    switch (line) {
    case Line::Open:
        return theme.hue(Hue::BluishGreen);
    case Line::Blocked:
        return theme.hue(Hue::Vermillion);
    case Line::Reflection:
        return theme.hue(Hue::ReddishPurple);
    case Line::Reference:
        return theme.hue(Hue::SkyBlue);
    case Line::Maximum:
        return theme.hue(Hue::Blue);
    case Line::Cone:
        break;
    }
    return theme.hue(Hue::Yellow);
}

bool SoundLegend::explain(const std::vector<Line>& lines) {
    if (lines == m_lines)
        return false;
    m_lines = lines;
    setFont(m_theme.font(FontRole::Ui));
    int widest = 0;
    QStringList spoken;
    for (const Line line : m_lines) {
        spoken << nameOf(line);
        widest = std::max(widest, fontMetrics().horizontalAdvance(spoken.back()));
    }
    resize(widest + Sample + 3 * measure::PanelPadding,
           static_cast<int>(m_lines.size()) * measure::RowHeight + 2 * measure::RelatedGap);
    setAccessibleName(tr("Legend: %1").arg(spoken.join(QStringLiteral(", "))));
    setVisible(!m_lines.empty());
    update();
    return true;
}

void SoundLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor plate = m_theme.color(Token::Surface);
    plate.setAlphaF(0.85F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(plate);
    painter.drawRoundedRect(rect(), measure::Radius, measure::Radius);
    painter.setBrush(Qt::NoBrush);
    double y = measure::RelatedGap + measure::RowHeight / 2.0;
    for (const Line line : m_lines) {
        const double from = measure::PanelPadding;
        const double to = from + Sample;
        const double middle = (from + to) / 2.0;
        painter.setPen(QPen(colorOf(line, m_theme), 1.5));
        switch (line) {
        case Line::Open: // a ring at the ear
            painter.drawLine(QPointF(from, y), QPointF(to - 8.0, y));
            painter.drawEllipse(QPointF(to - 4.0, y), 4.0, 4.0);
            break;
        case Line::Blocked: // a cross where it is stopped
            painter.drawLine(QPointF(from, y), QPointF(to, y));
            painter.drawLine(QPointF(middle - 4.0, y - 4.0), QPointF(middle + 4.0, y + 4.0));
            painter.drawLine(QPointF(middle - 4.0, y + 4.0), QPointF(middle + 4.0, y - 4.0));
            break;
        case Line::Reflection: // broken at the wall
            painter.drawPolyline(QPolygonF({{from, y + 5.0}, {middle, y - 5.0}, {to, y + 5.0}}));
            break;
        case Line::Reference:
            painter.drawEllipse(QPointF(middle, y), 6.0, 6.0);
            break;
        case Line::Maximum:
            painter.drawEllipse(QPointF(middle, y), 8.0, 8.0);
            painter.drawEllipse(QPointF(middle, y), 5.0, 5.0);
            break;
        case Line::Cone:
            painter.drawPolyline(QPolygonF({{to - 6.0, y - 6.0}, {from + 6.0, y}, {to - 6.0, y + 6.0}}));
            break;
        }
        painter.setPen(m_theme.color(Token::Text));
        painter.drawText(QRectF(to + measure::PanelPadding, y - measure::RowHeight / 2.0, width() - to, measure::RowHeight),
                         Qt::AlignLeft | Qt::AlignVCenter, nameOf(line));
        y += measure::RowHeight;
    }
}

} // namespace sbx::ui

#include "moc_sound_legend.cpp"
