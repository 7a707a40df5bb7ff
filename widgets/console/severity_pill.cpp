#include "widgets/console/severity_pill.h"

#include <QIcon>
#include <QLocale>
#include <QPainter>

#include "widgets/common/theme.h"
#include "widgets/console/log_severity.h"

namespace sbx::ui {

namespace {

constexpr int PillIconSide = 14;
constexpr int PillPadding = 6;

// 999, 12k, 3.4M: a pill stays narrow, its tool tip has the exact number.
QString shortNumber(quint64 n) {
    if (n < 1000)
        return QString::number(n);
    const double scaled = n < 1'000'000 ? static_cast<double>(n) / 1e3 : static_cast<double>(n) / 1e6;
    return QString::number(scaled, 'f', scaled < 10 ? 1 : 0) + QLatin1Char(n < 1'000'000 ? 'k' : 'M');
}

} // namespace

SeverityPill::SeverityPill(const Theme& theme, LogSeverity severity, const QString& label, QWidget* parent)
    : QAbstractButton(parent), m_theme(theme), m_severity(severity), m_label(label) {
    setObjectName(QStringLiteral("console.severity.") + QLatin1String(logSeverityName(severity)));
    setAccessibleName(label);
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] { updateGeometry(), update(); });
    setCount(0);
}

void SeverityPill::setCount(quint64 count) {
    const QString exact = QLocale(QLocale::English).toString(count);
    m_count = count;
    setText(shortNumber(count));
    setToolTip(tr("%1: %2. Click to show or hide them.").arg(m_label, exact));
    setAccessibleDescription(exact);
    updateGeometry();
    update();
}

QSize SeverityPill::sizeHint() const {
    const int digits = QFontMetrics(m_theme.font(FontRole::Mono)).horizontalAdvance(text());
    return {PillPadding + PillIconSide + measure::RelatedGap + digits + PillPadding, measure::ControlHeight};
}

void SeverityPill::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool on = isChecked();
    const bool quiet = !on || m_count == 0;
    const QRectF body = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(hasFocus() ? QPen(m_theme.color(Token::Accent)) : QPen(Qt::NoPen));
    if (isDown())
        painter.setBrush(m_theme.color(Token::Pressed));
    else if (on)
        painter.setBrush(underMouse() ? mix(m_theme.color(Token::Raised), m_theme.color(Token::Pressed), 0.5)
                                      : m_theme.color(Token::Raised));
    else
        painter.setBrush(underMouse() ? QBrush(m_theme.color(Token::Raised)) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(body, measure::Radius, measure::Radius);
    const QRect icon(PillPadding, (height() - PillIconSide) / 2, PillIconSide, PillIconSide);
    m_theme
        .icon(logSeverityIcon(m_severity),
              quiet ? (on ? Token::Muted : Token::Disabled) : logSeverityToken(m_severity))
        .paint(&painter, icon);
    painter.setFont(m_theme.font(FontRole::Mono));
    painter.setPen(m_theme.color(on ? (m_count == 0 ? Token::Muted : Token::Text) : Token::Disabled));
    painter.drawText(rect().adjusted(icon.right() + 1 + measure::RelatedGap, 0, 0, 0),
                     Qt::AlignLeft | Qt::AlignVCenter, text());
    if (!on) {
        painter.setPen(QPen(m_theme.color(Token::Muted), 1.5));
        painter.drawLine(QPointF(PillPadding - 1, height() - 6.5), QPointF(width() - PillPadding + 1, 6.5));
    }
}

void SeverityPill::enterEvent(QEnterEvent* event) {
    update();
    QAbstractButton::enterEvent(event);
}

void SeverityPill::leaveEvent(QEvent* event) {
    update();
    QAbstractButton::leaveEvent(event);
}

} // namespace sbx::ui

#include "moc_severity_pill.cpp"
