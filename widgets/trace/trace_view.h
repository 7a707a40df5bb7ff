#pragma once
// The list of records: fixed rows of 20 px, painted straight from the model, so that a million of them cost
// what the visible ones do. Follows the newest row until someone scrolls up or picks a row. Window thread;
// the model must outlive it.

#include <QAbstractItemView>
#include <QHash>
#include <QPixmap>

#include <cstdint>
#include <vector>

class QHeaderView;
class QPushButton;

namespace sbx::ui {

class Theme;
class TraceModel;

class TraceView : public QAbstractItemView {
    Q_OBJECT

public:
    TraceView(const Theme& theme, TraceModel& model, QWidget* parent = nullptr);

    [[nodiscard]] QHeaderView& header() { return *m_header; }
    [[nodiscard]] bool isFollowing() const { return m_following; }
    void setFollowing(bool following);
    // Sequences of the chain of causes of the selected record, and the record itself: their rows, and rows
    // they caused, get a mark at the left edge.
    void setChain(std::vector<std::uint64_t> chain);
    // Makes the row current without scrolling unless it is out of sight.
    void showRow(int row);
    [[nodiscard]] QPushButton& pill() { return *m_pill; }
    // "128 new"; 0 hides it.
    void setPill(std::uint64_t count, bool paused);
    [[nodiscard]] int firstVisibleRow() const;
    [[nodiscard]] int visibleRows() const;

    [[nodiscard]] QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    [[nodiscard]] QModelIndex indexAt(const QPoint& point) const override;
    void keyboardSearch(const QString&) override {} // would walk a million rows
    void reset() override;

signals:
    void followingChanged(bool following);
    void pauseRequested();
    void copyRequested();
    // The current row changed because of a click or a key, not because rows came or went.
    void picked(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void updateGeometries() override;
    void rowsInserted(const QModelIndex& parent, int start, int end) override;
    void rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    [[nodiscard]] int horizontalOffset() const override;
    [[nodiscard]] int verticalOffset() const override;
    [[nodiscard]] bool isIndexHidden(const QModelIndex&) const override { return false; }
    void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags) override;
    [[nodiscard]] QRegion visualRegionForSelection(const QItemSelection& selection) const override;

private:
    void updateScrollBars();
    void placePill();
    void paintRow(QPainter& painter, int row, const QRect& area);
    void paintFields(QPainter& painter, int row, QRect cell);
    void paintCell(QPainter& painter, int row, int column, const QRect& cell);
    void drawText(QPainter& painter, const QRect& cell, const QString& text, const QColor& color,
                  bool right = false);
    [[nodiscard]] const QPixmap& outcomeIcon(int outcome);
    void refreshTheme();

    const Theme& m_theme;
    TraceModel& m_model;
    QHeaderView* m_header;
    QPushButton* m_pill;
    QHash<int, QPixmap> m_icons;
    std::vector<std::uint64_t> m_chain; // ascending
    bool m_following = true;
    bool m_adjusting = false; // the scroll bar moves by itself
    bool m_removing = false;
    int m_hovered = -1;
};

} // namespace sbx::ui
