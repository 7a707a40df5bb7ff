#include "widgets/trace/cell_bars.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>

#include "widgets/common/theme.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

constexpr float BarStrength = 0.28F; // of the muted colour in the background
constexpr int BarMargin = 2;         // pixels to the cell's edges

} // namespace

QColor cellBarColor(const Theme& theme, const QColor& background) {
    return mix(background, theme.color(Token::Muted), static_cast<double>(BarStrength));
}

CellBarDelegate::CellBarDelegate(const Theme& theme, int shareRole, QObject* parent)
    : QStyledItemDelegate(parent), m_theme(theme), m_shareRole(shareRole) {}

void CellBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const double share = std::clamp(index.data(m_shareRole).toDouble(), 0.0, 1.0);
    const QString text = std::exchange(cell.text, QString());
    const QStyle& style = cell.widget != nullptr ? *cell.widget->style() : *QApplication::style();
    style.drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    QRect bar = option.rect.adjusted(BarMargin, BarMargin, -BarMargin, -BarMargin);
    bar.setWidth(qRound(bar.width() * share));
    if (share > 0.0) {
        bar.setWidth(std::max(bar.width(), 1));
        QColor muted = m_theme.color(Token::Muted);
        muted.setAlphaF(BarStrength);
        painter->fillRect(bar, muted);
    }
    const int margin = style.pixelMetric(QStyle::PM_FocusFrameHMargin, &cell, cell.widget) + 1;
    painter->save();
    painter->setFont(cell.font);
    painter->setPen(m_theme.color(Token::Text));
    painter->drawText(option.rect.adjusted(margin, 0, -margin, 0), static_cast<int>(cell.displayAlignment),
                      text);
    painter->restore();
}

} // namespace sbx::ui

#include "moc_cell_bars.cpp"
