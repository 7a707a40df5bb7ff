#pragma once
// How a CVar's value is edited in its row: a switch by a tick, a choice from its list, all else as text. GUI thread; the view is
// its parent.

#include <QStyledItemDelegate>

class QAbstractItemView;

namespace sbx::ui {

class Theme;

class CVarValueDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    CVarValueDelegate(const Theme& theme, QAbstractItemView& view);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const override;
    // What the user types or chooses stays, whatever CVar changes meanwhile.
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;

private:
    const Theme& m_theme;
    QAbstractItemView& m_view;
};

} // namespace sbx::ui
