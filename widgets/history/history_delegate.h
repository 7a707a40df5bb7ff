#pragma once
// How a row of the history looks: the mark of the current step, what was done, and the icon and the word of the saved one.

#include <QStyledItemDelegate>

namespace sbx::ui {

class Theme;

class HistoryDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit HistoryDelegate(const Theme& theme, QObject* parent = nullptr) : QStyledItemDelegate(parent), m_theme(theme) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Theme& m_theme;
};

} // namespace sbx::ui
