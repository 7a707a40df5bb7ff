#pragma once
// Numbers in cells with a quiet bar behind them: how much of the largest of their column they are. GUI thread; the theme outlives it.

#include <QStyledItemDelegate>

class QColor;

namespace sbx::ui {

class Theme;

// Of such a bar over that background. Text keeps its contrast on it.
[[nodiscard]] QColor cellBarColor(const Theme& theme, const QColor& background);

class CellBarDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    // `shareRole`: of an index its share, 0 to 1; cells without one have no bar.
    CellBarDelegate(const Theme& theme, int shareRole, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    const Theme& m_theme;
    int m_shareRole;
};

} // namespace sbx::ui
