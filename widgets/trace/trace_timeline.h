#pragma once
// Messages per tick over the time that is held, a strip above the list: tall bars for bursts, the part that is shown in
// the colours of its most frequent types, with a scale below and, where the panel is high enough, a legend above.
// Drag to keep a stretch of time, click to go there, wheel to zoom, double click for the whole. GUI thread; the model
// must outlive it.

#include <QWidget>

#include "engine/message/record.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace sbx::ui {

class Theme;
class TraceModel;
class TraceRates;

struct TickRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0; // inclusive
    friend bool operator==(const TickRange&, const TickRange&) = default;
};

// Of types without a colour of their own.
[[nodiscard]] QColor othersColor(const Theme& theme);

class TraceTimeline : public QWidget {
    Q_OBJECT

public:
    static constexpr int Kinds = 5; // types with a colour of their own

    TraceTimeline(const Theme& theme, const TraceModel& model, QWidget* parent = nullptr);

    // Counts again; cheap: a few binary searches a column and type.
    void refresh();
    void setBrush(std::optional<TickRange> brush);
    // The ticks whose rows are on screen.
    void setWindow(std::optional<TickRange> window);
    // What the strip spans now; nothing while there are no records.
    [[nodiscard]] std::optional<TickRange> span() const;

    // The types with a colour, by the colour's place; none: it is free.
    [[nodiscard]] const std::array<std::optional<MessageTypeId>, Kinds>& kinds() const { return m_kinds; }
    [[nodiscard]] QColor kindColor(int kind) const;
    [[nodiscard]] bool hasLegend() const;
    // What the tool tip says of the place: ticks, time, and how many messages of which types.
    [[nodiscard]] QString explained(int x) const;
    [[nodiscard]] TraceRates& rates() { return *m_rates; }

    // --- For what stands below with the same scale (TraceLanes). x counts from the strip's left edge, in pixels.

    static constexpr int ColumnWidth = 3; // pixels
    [[nodiscard]] int columns() const;
    // First tick of a column; columns() gives the tick after the last.
    [[nodiscard]] std::uint64_t tickAt(int column) const;
    [[nodiscard]] int columnOf(double x) const;
    [[nodiscard]] double xOf(std::uint64_t tick) const;
    // What is brushed, or would be if the button were let go now.
    [[nodiscard]] std::optional<TickRange> shownBrush() const;
    [[nodiscard]] const std::optional<TickRange>& window() const { return m_window; }
    // By `degrees` of a wheel, towards x.
    void zoomAt(double x, double degrees);
    // A drag from one place to another, as with the mouse; release() ends it and emits brushed() or, at one place, tickPicked().
    void press(double x);
    void drag(double x);
    void release();
    // A line at the pointer; none: it is elsewhere.
    void setPointer(std::optional<int> x);
    [[nodiscard]] const std::optional<int>& pointer() const { return m_pointer; }

    [[nodiscard]] QSize sizeHint() const override;

signals:
    void brushed(quint64 first, quint64 last);
    void tickPicked(quint64 tick);
    // The ticks that it spans are others.
    void spanChanged();
    // Brush, window or pointer are others.
    void overlayChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Bar {
        std::uint64_t all = 0;                    // messages a tick
        std::uint64_t matching = 0;               // shown ones a tick
        std::array<std::uint64_t, Kinds> kinds{}; // shown ones in all its ticks
        std::uint64_t shown = 0;                  // the same of all types
    };
    void chooseKinds();
    void fitHeight();
    [[nodiscard]] QRect barsArea() const;
    void paintBars(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    void paintScale(QPainter& painter) const;
    void paintNotes(QPainter& painter);
    [[nodiscard]] std::optional<TickRange> held() const;
    void changeOverlay();

    static constexpr int BarsHeight = 26;
    static constexpr int ScaleHeight = 15;
    static constexpr int LegendHeight = 18;
    static constexpr int LowPanel = 290; // in a lower one rows matter more than a legend; pixels

    const Theme& m_theme;
    const TraceModel& m_model;
    TraceRates* m_rates;
    std::array<std::optional<MessageTypeId>, Kinds>
        m_kinds{}; // a type keeps its colour while it is among the most frequent
    std::vector<Bar> m_bars;
    std::optional<TickRange> m_zoom; // empty: all that is held
    std::optional<TickRange> m_brush;
    std::optional<TickRange> m_window;
    std::optional<int> m_pointer;
    int m_pressed = -1; // column
    int m_dragged = -1;
};

} // namespace sbx::ui
