#include "widgets/viewport/chip.h"

#include "widgets/common/theme.h"

#include <QPainter>

namespace sbx::ui {

void paintPlate(QWidget& widget, const Theme& theme) {
    QPainter painter(&widget);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = theme.color(Token::Surface);
    fill.setAlphaF(0.88F);
    QColor line = theme.color(Token::Line);
    painter.setPen(QPen(line, 1.0));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(widget.rect()).adjusted(0.5, 0.5, -0.5, -0.5), measure::Radius, measure::Radius);
}

Chip::Chip(const Theme& theme, const QString& name, QWidget* parent) : QLabel(parent), m_theme(theme) {
    setObjectName(name);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setTextFormat(Qt::PlainText);
    setFont(theme.font(FontRole::Mono));
    setContentsMargins(measure::PanelPadding, measure::Grid / 2, measure::PanelPadding, measure::Grid / 2);
    hide();
    m_fade.setSingleShot(true);
    connect(&m_fade, &QTimer::timeout, this, &QWidget::hide);
    connect(&theme, &Theme::changed, this, [this] { setFont(m_theme.font(FontRole::Mono)); });
}

void Chip::say(const QString& text, int milliseconds) {
    m_fade.stop();
    if (text.isEmpty()) {
        hide();
        return;
    }
    if (text != this->text()) {
        setText(text);
        setAccessibleName(text);
    }
    setWordWrap(false);
    resize(sizeHint());
    show();
    if (milliseconds > 0)
        m_fade.start(milliseconds);
}

void Chip::fitInto(int width) {
    setWordWrap(false);
    if (sizeHint().width() <= width) {
        resize(sizeHint());
        return;
    }
    setWordWrap(true);
    resize(width, heightForWidth(width));
}

void Chip::paintEvent(QPaintEvent* event) {
    paintPlate(*this, m_theme);
    QLabel::paintEvent(event);
}

} // namespace sbx::ui

#include "moc_chip.cpp"
