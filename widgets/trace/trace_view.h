#pragma once
// The list of records: fixed rows of 20 px, painted straight from the model, so that a million of them cost
// what the visible ones do. Following, selecting, keys: rows_view.h. GUI thread; the model must outlive it.

#include <QHash>
#include <QPixmap>

#include "widgets/common/rows_view.h"
#include "widgets/common/theme.h"

#include <cstdint>
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
    // Makes the row current without scrolling unless it is out of sight.
    void showRow(int row);
    [[nodiscard]] int firstVisibleRow() const;
    [[nodiscard]] int visibleRows() const;

    [[nodiscard]] QRect visualRect(const QModelIndex& index) const override;
    [[nodiscard]] QModelIndex indexAt(const QPoint& point) const override;
    void keyboardSearch(const QString&) override {} // would walk a million rows
    void reset() override;

signals:
    // The current row changed because of a click or a key, not because rows came or went.
    void picked(int row);

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
    void forgetRows(int, int) override { m_removing = false; }
    void showToolTip(const QHelpEvent& help) override;

private:
    static constexpr int RowHeight = measure::TraceRowHeight;
    static constexpr int CellPadding = 8;
    static constexpr int IconSide = 14;

    void paintRow(QPainter& painter, int row, const QRect& area);
    void paintFields(QPainter& painter, int row, QRect cell);
    void paintCell(QPainter& painter, int row, int column, const QRect& cell);
    void drawText(QPainter& painter, const QRect& cell, const QString& text, const QColor& color,
                  bool right = false, Qt::TextElideMode elide = Qt::ElideRight);
    [[nodiscard]] const QPixmap& outcomeIcon(int outcome);
    void washMatches(QPainter& painter, const QRect& cell, const QString& shown, bool right) const;
    int paintNotes(QPainter& painter, std::uint64_t sequence, const QRect& cell);
    [[nodiscard]] const QPixmap& commentIcon();
    void refreshTheme();

    TraceModel& m_model;
    QHeaderView* m_header;
    QHash<int, QPixmap> m_icons;
    std::vector<std::uint64_t> m_chain; // ascending
    QString m_soughtText;
    bool m_removing = false;
};

} // namespace sbx::ui
