#pragma once
// The list of records: fixed rows of 20 px, painted straight from the model, so that a million of them cost
// what the visible ones do. A row can be opened: trace_lines.h says which line is what. Following, selecting, keys: rows_view.h. GUI thread;
// the model must outlive it.

#include <QHash>
#include <QPixmap>

#include "engine/message/record_filter.h"
#include "widgets/common/rows_view.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_lines.h"

#include <cstdint>
#include <optional>
#include <vector>

class QHeaderView;

namespace sbx::ui {

class TraceModel;

class TraceView : public RowsView {
    Q_OBJECT

public:
    TraceView(const Theme& theme, TraceModel& model, QWidget* parent = nullptr);

    [[nodiscard]] QHeaderView& header() { return *m_header; }
    // Sequences of the chain of causes of the selected record, and the record itself: their rows, and rows
    // they caused, get a mark at the left edge.
    void setChain(std::vector<std::uint64_t> chain);
    // "crate_4, gone by 812"; where that is wider than `width` pixels, shorter words and a name cut in its middle: the tick stays.
    [[nodiscard]] static QString goneText(const QString& name, std::uint64_t tick, const QFontMetrics& metrics, int width);
    // Washed where rows show it; empty: nothing is looked for.
    void setSoughtText(const QString& text);
    // Makes the row current without scrolling unless it is out of sight; opens the group that it is in.
    void showRow(int row);
    [[nodiscard]] int firstVisibleRow() const;
    // How many rows of the model the lines in sight are of.
    [[nodiscard]] int visibleRows() const;
    // Those that have a line in sight.
    [[nodiscard]] std::vector<int> rowsInSight() const;
    // Left of what stands in the cell: room for the arrow that opens a row, in the first column.
    [[nodiscard]] int indentOf(int row, int column) const;
    // Right of it: the number of repeats that the row stands for.
    [[nodiscard]] int badgeWidth(int row, int column) const;
    // Left of the number: the signs of a mark and a comment.
    [[nodiscard]] int notesWidth(std::uint64_t sequence) const;

    [[nodiscard]] const TraceLines& lines() const { return m_lines; }
    [[nodiscard]] TraceLine lineAt(const QPoint& point) const; // row -1: none
    // Of the current row, the one chosen.
    [[nodiscard]] TraceLine currentLine() const;
    void setOpen(const TraceLine& line, bool open);
    void closeAll();
    // Opens the current line, or closes it, or what it is under.
    void toggleCurrent();
    // In viewport pixels; where there is nothing to open it is empty.
    [[nodiscard]] QRect arrowRect(const TraceLine& line) const;

    [[nodiscard]] QRect visualRect(const QModelIndex& index) const override;
    [[nodiscard]] QModelIndex indexAt(const QPoint& point) const override;
    void keyboardSearch(const QString&) override {} // would walk a million rows
    void reset() override;

signals:
    // The current row changed because of a click or a key, not because rows came or went.
    void picked(int row);
    // A row was opened or closed.
    void linesChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void updateGeometries() override;
    void updateScrollBars() override;
    void rowsInserted(const QModelIndex& parent, int start, int end) override;
    void rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    [[nodiscard]] int rowTop(int row) const override;
    [[nodiscard]] int rowAt(int y) const override;
    [[nodiscard]] int lineStep() const override;
    [[nodiscard]] int pageHeight() const override;
    [[nodiscard]] int snapped(int offset) const override;
    void forgetRows(int first, int last) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    // Of a row that is gone to: it alone.
    [[nodiscard]] QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex& index,
                                                                       const QEvent* event) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void showToolTip(const QHelpEvent& help) override;

private:
    static constexpr int RowHeight = measure::TraceRowHeight;
    static constexpr int CellPadding = 8;
    static constexpr int IconSide = 14;
    static constexpr int ArrowWidth = 16;
    static constexpr int MarkSide = 8;
    static constexpr int NotesOutdent = 3; // the signs of notes begin that far left of the text

    // Lines: rows of the model, groups of them, and handlers.
    void paintRow(QPainter& painter, const TraceLine& line, const QRect& area);
    void paintUnread(QPainter& painter, const TraceLine& line, const QRect& area);
    void paintHandler(QPainter& painter, const TraceLine& line, const QRect& area);
    void paintGround(QPainter& painter, const TraceLine& line, const QRect& area);
    [[nodiscard]] bool isChosen(const TraceLine& line) const;
    void paintArrow(QPainter& painter, const TraceLine& line);
    void paintNumber(QPainter& painter, int row, int column, const QRect& cell);
    // "×214" at the right of the cell; what is left of it is returned.
    [[nodiscard]] QRect paintCount(QPainter& painter, int count, const QRect& cell);
    [[nodiscard]] QRect lineRect(const TraceLine& line) const;
    [[nodiscard]] int firstColumnLeft() const;
    void goToLine(int line);
    void paintFields(QPainter& painter, int row, QRect cell);
    void paintCell(QPainter& painter, int row, int column, const QRect& cell);
    void drawText(QPainter& painter, const QRect& cell, const QString& text, const QColor& color,
                  bool right = false, Qt::TextElideMode elide = Qt::ElideRight);
    // Of a line that is there, and no more.
    [[nodiscard]] QColor faintColor(const TraceLine& line) const;
    static constexpr int LateIcon = static_cast<int>(RecordOutcome::Unhandled) + 1;
    // Of what shownAs() gives, or LateIcon.
    [[nodiscard]] const QPixmap& outcomeIcon(int outcome);
    void washMatches(QPainter& painter, const QRect& cell, const QString& shown, bool right) const;
    void paintNotes(QPainter& painter, std::uint64_t sequence, const QRect& cell);
    [[nodiscard]] const QPixmap& commentIcon();
    [[nodiscard]] const QPixmap& injectedIcon();
    [[nodiscard]] const QPixmap& handlerIcon(HandlerResult result);
    void refreshTheme();

    TraceModel& m_model;
    QHeaderView* m_header;
    QHash<int, QPixmap> m_icons;
    std::vector<std::uint64_t> m_chain; // ascending
    QString m_soughtText;
    bool m_removing = false;
    TraceLines m_lines;
    std::optional<QColor> m_faint;  // of all words of the row that is painted: it is ignored
    int m_part = TraceLine::Record; // of the current row
    std::optional<int> m_nextPart;  // of the row that becomes the current one now
};

} // namespace sbx::ui
