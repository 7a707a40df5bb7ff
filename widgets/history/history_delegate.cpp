#include "widgets/history/history_delegate.h"

#include <QApplication>
#include <QPainter>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/history/history_model.h"

namespace sbx::ui {

QSize HistoryDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {120, measure::RowHeight}; }

void HistoryDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const QString text = shownLine(option.text);
    // The style draws the ground of the row, selected or under the pointer.
    option.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);

    const bool isCurrent = index.data(HistoryModel::CurrentRole).toBool();
    const bool isUndone = index.data(HistoryModel::UndoneRole).toBool();
    painter->save();
    QRect room = option.rect.adjusted(measure::PanelPadding, 0, -measure::PanelPadding, 0);
    const auto icon = [&](const char* name, Token tint, int x) {
        m_theme.icon(QLatin1String(name), tint)
            .paint(painter, QRect(x, room.top() + (room.height() - measure::IconSize) / 2, measure::IconSize, measure::IconSize));
    };
    if (isCurrent)
        icon("chevron-right", Token::Accent, room.left());
    room.setLeft(room.left() + measure::IconSize + measure::RelatedGap);
    if (index.data(HistoryModel::SavedRole).toBool()) {
        const QString saved = HistoryModel::tr("saved");
        painter->setFont(m_theme.font(FontRole::Ui));
        painter->setPen(m_theme.color(Token::Muted));
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, saved);
        room.setRight(room.right() - painter->fontMetrics().horizontalAdvance(saved) - measure::RelatedGap - measure::IconSize);
        icon("save", Token::Muted, room.right() + 1);
        room.setRight(room.right() - measure::PanelPadding);
    }
    painter->setFont(isCurrent ? m_theme.strongFont(FontRole::Ui) : m_theme.font(FontRole::Ui));
    painter->setPen(m_theme.color(isUndone ? Token::Muted : Token::Text));
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(text, Qt::ElideRight, room.width()));
    painter->restore();
}

} // namespace sbx::ui

#include "moc_history_delegate.cpp"
