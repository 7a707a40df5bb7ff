#include "widgets/viewport/band_shape.h"

#include <QPainter>

#include "widgets/common/theme.h"

namespace sbx::ui {

BandShape::BandShape(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("viewport.band"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void BandShape::show(const QRect& band, render::BandRule rule) {
    m_rule = rule;
    if (band.isNull()) {
        hide();
        return;
    }
    setGeometry(band);
    QWidget::show();
    raise();
    update();
}

void BandShape::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor accent = m_theme.color(Token::Accent);
    QColor fill = accent;
    fill.setAlphaF(m_rule == render::BandRule::Contains ? 0.10F : 0.04F);
    painter.setBrush(fill);
    painter.setPen(QPen(accent, 1.0, m_rule == render::BandRule::Contains ? Qt::SolidLine : Qt::DashLine));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace sbx::ui

#include "moc_band_shape.cpp"
