#pragma once
// Lanes below the timeline, one for each entity that got messages which the list shows: its name, a bar from when it was first known until
// it was gone, and on the bar its messages in the colours of the timeline, faults as tall marks. Scale, zoom, brush and pointer are those of the
// timeline, which stands as far to the right as the names are wide. TraceLaneCounts counts; what is drawn is one cell a lane and column.
//
// A click on a message picks it, a click on a name the entity, a drag brushes, the wheel with Ctrl zooms. Arrow keys go from lane to lane
// and from message to message. GUI thread; theme, model, timeline and selection must outlive it.

#include <QAbstractScrollArea>

#include "widgets/trace/trace_lane_counts.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sbx::ui {

class EmptyState;
class Selection;
class Theme;
class TraceModel;
class TraceTimeline;

class TraceLanes : public QAbstractScrollArea {
    Q_OBJECT

public:
    static constexpr int LaneHeight = 18; // pixels

    TraceLanes(const Theme& theme, const TraceModel& model, TraceTimeline& timeline,
               const Selection& selection, QWidget* parent = nullptr);

    // Counts what is in sight again; cheap: a few searches a lane, column and type.
    void refresh();
    // The message that is selected; 0: none.
    void setCurrent(std::uint64_t sequence);
    [[nodiscard]] TraceLaneCounts& counts() { return *m_counts; }
    // Of names, in a panel of that width; pixels.
    [[nodiscard]] static int nameWidth(int panelWidth);
    // "12 entities", "400 of 1,234 entities"
    [[nodiscard]] QString summary() const;
    // Of the whole: what summary() leaves out.
    [[nodiscard]] QString summaryTip() const;
    // The lane that keys work on; none: there are no lanes.
    [[nodiscard]] std::optional<std::size_t> currentLane() const;
    // What the tool tip says of a place of the viewport, as HTML; empty: nothing is there.
    [[nodiscard]] QString explained(const QPoint& at) const;
    // Where a lane stands in the viewport, and the place of a tick.
    [[nodiscard]] QRect laneRect(std::size_t lane) const;
    [[nodiscard]] int xOf(std::uint64_t tick) const;
    // All lanes; pixels.
    [[nodiscard]] int contentHeight() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void messagePicked(quint64 sequence);
    void entityPicked(const QString& entity);
    // The summary, or how wide names are.
    void headChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    // What is drawn of one lane.
    struct Row {
        std::vector<LaneCell> cells;
        std::uint64_t born = 0;
        std::optional<std::uint64_t> end; // none: it lives
        bool bornKnown = false;           // a message said so
        bool goneKnown = false;           // the world said so
    };
    void prune();
    void look();
    void lookAgain();
    void fitScrollBar();
    [[nodiscard]] int names() const;
    [[nodiscard]] std::optional<std::size_t> laneAt(int y) const;
    [[nodiscard]] std::pair<std::size_t, std::size_t> visible() const;
    [[nodiscard]] QString nameOf(std::size_t lane) const;
    // The store's rows of a column: [first, second).
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> rowsOf(int column) const;
    // The nearest column with messages, at most a few pixels away; -1: there is none.
    [[nodiscard]] int columnAt(std::size_t lane, int x) const;
    // What a click there picks: a fault before others.
    [[nodiscard]] std::uint64_t pickOf(std::size_t lane, int column) const;
    void pick(std::uint64_t storeRow);
    void pickEntity(std::size_t lane);
    void setLane(std::size_t lane);
    void step(int by);
    void paintLane(QPainter& painter, std::size_t lane, const Row& row) const;
    void paintOverlay(QPainter& painter) const;
    [[nodiscard]] QString explainedName(std::size_t lane) const;
    [[nodiscard]] QString explainedPlace(std::size_t lane, int column) const;

    static constexpr int Reach = 2;       // columns on either side that a click reaches
    static constexpr int DragPixels = 4;  // less is a click
    static constexpr int MarkHeight = 10; // pixels, as all that follow
    static constexpr int BarHeight = 4;

    const Theme& m_theme;
    const TraceModel& m_model;
    TraceTimeline& m_timeline;
    const Selection& m_selection;
    TraceLaneCounts* m_counts;
    EmptyState* m_empty;
    std::vector<std::uint64_t> m_bounds; // the store's row at which each column begins, and the end
    std::vector<Row> m_rows;             // of the lanes in sight
    std::size_t m_firstRow = 0;          // the lane of the first of them
    bool m_stale = true;                 // what is drawn is to be counted first
    std::uint64_t m_sequence = 0;        // selected; 0: none
    std::optional<EntityInWorld> m_lane; // the current one
    std::size_t m_lanesTold = 0;
    std::size_t m_entitiesTold = 0;
    std::optional<int> m_pressed; // x
    bool m_dragging = false;
    int m_hovered = -1; // lane
};

} // namespace sbx::ui
