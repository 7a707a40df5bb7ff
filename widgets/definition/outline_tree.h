#pragma once
// The outline of the shown text beside it, with a filter line. Follows the caret, tells what is picked.
// Window thread.

#include <QTimer>
#include <QWidget>

#include <functional>
#include <string>

class QModelIndex;
class QSortFilterProxyModel;
class QTreeView;

namespace sbx::ui {

class EmptyState;
class EmptySwitch;
class FilterBar;
class OutlineModel;
class Theme;

class OutlineTree : public QWidget {
    Q_OBJECT

public:
    OutlineTree(const Theme& theme, std::function<QString(const std::string&)> typeIcon,
                QWidget* parent = nullptr);

    // `another`: not an edit of the text shown before. Of bytes that are no text there is no outline: a line says why, and where.
    void setText(const std::string& text, bool another);
    // The row of the offset becomes current; scrolls only if it is out of sight.
    void follow(std::size_t offset);

    [[nodiscard]] QTreeView& view() { return *m_view; }
    [[nodiscard]] OutlineModel& model() { return *m_model; }
    [[nodiscard]] FilterBar& filterBar() { return *m_bar; }

signals:
    // A row was picked; `offset` is where its name begins.
    void picked(std::size_t offset);
    // Enter or double click: the text wants the focus.
    void activated(std::size_t offset);

private:
    void applyFilter();
    void updateCounts();
    [[nodiscard]] std::size_t offsetOf(const QModelIndex& index) const;

    OutlineModel* m_model;
    QSortFilterProxyModel* m_filter;
    QTreeView* m_view;
    FilterBar* m_bar;
    EmptyState* m_unreadable;
    EmptySwitch* m_switch; // the rows, or why there are none
    bool m_following = false;
};

} // namespace sbx::ui
