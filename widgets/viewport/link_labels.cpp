#include "widgets/viewport/link_labels.h"

#include <QFontMetrics>
#include <QPainter>
#include <QRegion>
#include <QStringList>

#include "widgets/common/theme.h"

#include <utility>

namespace sbx::ui {

LinkLabels::LinkLabels(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("viewport.linkLabels"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QFont LinkLabels::labelFont() const {
    QFont font = m_theme.font(FontRole::Ui);
    font.setPointSizeF(font.pointSizeF() * 0.9);
    return font;
}

QSize LinkLabels::sizeOf(const QString& text) const {
    const QFontMetrics metrics(labelFont());
    return {metrics.horizontalAdvance(text) + 2 * measure::Grid + 2, metrics.height() + 2};
}

void LinkLabels::show(std::vector<Label> labels) {
    if (labels == m_labels)
        return;
    // The picture below is not painted again where no label was or is.
    QRegion changed;
    for (const Label& label : m_labels)
        changed += label.area;
    for (const Label& label : labels)
        changed += label.area;
    m_labels = std::move(labels);
    QStringList texts;
    for (const Label& label : m_labels)
        texts += label.text;
    setAccessibleName(texts.join(QStringLiteral(", ")));
    setGeometry(parentWidget()->rect());
    setVisible(!m_labels.empty());
    update(changed);
}

void LinkLabels::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(labelFont());
    QColor fill = m_theme.color(Token::Surface);
    fill.setAlphaF(0.88F);
    for (const Label& label : m_labels) {
        painter.setPen(QPen(m_theme.color(label.broken ? Token::Warning : Token::Line), 1.0));
        painter.setBrush(fill);
        painter.drawRoundedRect(QRectF(label.area).adjusted(0.5, 0.5, -0.5, -0.5), measure::Radius - 1, measure::Radius - 1);
        painter.setPen(m_theme.color(label.broken ? Token::Warning : Token::Text));
        painter.drawText(label.area, Qt::AlignCenter, label.text);
    }
}

} // namespace sbx::ui

#include "moc_link_labels.cpp"
