#include "widgets/viewport/pane_label.h"

#include <QPainter>

#include "widgets/common/theme.h"
#include "widgets/viewport/chip.h"

namespace sbx::ui {

QString axisName(AxisView axis) {
    switch (axis) {
    case AxisView::Front:
        return PaneLabel::tr("Front");
    case AxisView::Back:
        return PaneLabel::tr("Back");
    case AxisView::Right:
        return PaneLabel::tr("Right");
    case AxisView::Left:
        return PaneLabel::tr("Left");
    case AxisView::Top:
        return PaneLabel::tr("Top");
    case AxisView::Bottom:
        return PaneLabel::tr("Bottom");
    }
    return {};
}

QString projectionText(const CameraRig& rig) {
    const auto axis = rig.axisView();
    if (!axis)
        return rig.orthographic() ? PaneLabel::tr("Orthographic") : PaneLabel::tr("Perspective");
    return (rig.orthographic() ? PaneLabel::tr("%1 · orthographic") : PaneLabel::tr("%1 · perspective")).arg(axisName(*axis));
}

PaneLabel::PaneLabel(const Theme& theme, const QString& name, QWidget* parent) : QToolButton(parent), m_theme(theme) {
    setObjectName(name);
    setAutoRaise(true);
    setFocusPolicy(Qt::NoFocus); // the keys stay with the picture
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setToolTip(tr("From where the picture is seen, and how it is projected"));
    setFixedHeight(measure::ControlHeight);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

bool PaneLabel::say(const QString& text) {
    if (text == this->text())
        return false;
    setText(text);
    setAccessibleName(tr("View: %1").arg(text));
    setFixedWidth(fontMetrics().horizontalAdvance(text) + 2 * measure::PanelPadding + 12); // and the arrow
    return true;
}

void PaneLabel::paintEvent(QPaintEvent*) {
    paintPlate(*this, m_theme);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = m_theme.color(underMouse() || isDown() ? Token::Text : Token::Muted);
    painter.setPen(color);
    painter.drawText(rect().adjusted(measure::PanelPadding, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
    painter.setPen(QPen(color, 1.2));
    const QPointF tip(width() - measure::PanelPadding - 3.0, height() / 2.0 + 2.0);
    painter.drawPolyline(QPolygonF({tip + QPointF(-3.5, -3.5), tip, tip + QPointF(3.5, -3.5)}));
}

} // namespace sbx::ui

#include "moc_pane_label.cpp"
