#pragma once
// A cell whose text, where it does not fit, is cut in its middle: names that begin alike differ at their ends.
// GUI thread; parent owns it.

#include <QStyledItemDelegate>

namespace sbx::ui {

class MiddleElidedDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideMiddle;
    }
};

} // namespace sbx::ui
