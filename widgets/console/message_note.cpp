#include "widgets/console/message_note.h"

#include <QFontMetrics>
#include <QPainter>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

namespace sbx::ui {

namespace {

const QString Word = QStringLiteral("$msg");

} // namespace

MessageNote::MessageNote(const Theme& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setObjectName(QStringLiteral("console.message"));
    setAccessibleName(tr("The selected message, $msg in a line"));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    hide();
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void MessageNote::say(const QString& message) {
    const QString text = shownLine(message);
    if (text == this->text() && isHidden() == text.isEmpty())
        return;
    setText(text);
    setAccessibleName(tr("The selected message, $msg: %1").arg(text));
    setToolTip(tipText(tr("%1\n$msg in a line is its number, $msg.receiver, $msg.type, $msg.fields.NAME what "
                          "stands there.\nA click shows it in the trace.")
                           .arg(text)));
    setVisible(!text.isEmpty());
    update();
}

QSize MessageNote::sizeHint() const {
    return {200, QFontMetrics(m_theme.font(FontRole::Mono)).height() + 2 * measure::RelatedGap};
}

void MessageNote::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(m_theme.font(FontRole::Mono));
    const QFontMetrics metrics = painter.fontMetrics();
    QRect area = rect().adjusted(measure::PanelPadding, 0, -measure::PanelPadding, 0);
    if (underMouse())
        painter.fillRect(rect(), m_theme.color(Token::Raised));
    painter.setPen(m_theme.readable(m_theme.color(Token::Accent)));
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, Word);
    area.setLeft(area.left() + metrics.horizontalAdvance(Word) + measure::PanelPadding);
    painter.setPen(m_theme.color(Token::Muted));
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(text(), Qt::ElideRight, area.width()));
}

void MessageNote::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void MessageNote::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace sbx::ui

#include "moc_message_note.cpp"
