#include "app/editor/status_badge.h"

#include <QPainter>

#include "widgets/common/theme.h"

#include <utility>

namespace sbx::editor {

namespace {
constexpr int BadgePadding = 8; // pixels
constexpr int BadgeIcon = 14;
} // namespace

StatusBadge::StatusBadge(const ui::Theme& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    connect(&m_theme, &ui::Theme::changed, this, QOverload<>::of(&QWidget::update));
}

void StatusBadge::setAlarm(bool alarm) {
    if (std::exchange(m_alarm, alarm) != alarm)
        update();
}

int StatusBadge::iconRoom() const { return icon().isNull() ? 0 : BadgeIcon + ui::measure::RelatedGap; }

QSize StatusBadge::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text()) + iconRoom() + 2 * BadgePadding,
            fontMetrics().height() + 2};
}

void StatusBadge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus() ? QPen(m_theme.color(ui::Token::Accent), 1.5) : QPen(Qt::NoPen));
    painter.setBrush(m_theme.color(m_alarm ? ui::Token::Error : ui::Token::Raised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), ui::measure::Radius, ui::measure::Radius);
    if (!icon().isNull())
        icon().paint(&painter, QRect(BadgePadding, (height() - BadgeIcon) / 2, BadgeIcon, BadgeIcon));
    painter.setPen(m_theme.color(m_alarm ? ui::Token::OnAccent : ui::Token::Text));
    painter.drawText(rect().adjusted(iconRoom(), 0, 0, 0), Qt::AlignCenter, text());
}

} // namespace sbx::editor

#include "moc_status_badge.cpp"
