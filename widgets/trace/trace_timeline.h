#pragma once
// Messages per tick over the time that is held, a strip above the list: tall bars for bursts, the matching
// part brighter. Drag to keep a stretch of time, click to go there, wheel to zoom, double click for the
// whole. GUI thread; the model must outlive it.

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace sbx::ui {

class Theme;
class TraceModel;

struct TickRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0; // inclusive
    friend bool operator==(const TickRange&, const TickRange&) = default;
};

class TraceTimeline : public QWidget {
    Q_OBJECT

public:
    TraceTimeline(const Theme& theme, const TraceModel& model, QWidget* parent = nullptr);

    // Counts again; cheap: a few binary searches a column.
    void refresh();
    void setBrush(std::optional<TickRange> brush);
    // The ticks whose rows are on screen.
    void setWindow(std::optional<TickRange> window);
    // What the strip spans now; nothing while there are no records.
    [[nodiscard]] std::optional<TickRange> span() const;

    [[nodiscard]] QSize sizeHint() const override { return {400, 28}; }

signals:
    void brushed(quint64 first, quint64 last);
    void tickPicked(quint64 tick);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Bar {
        std::uint64_t all = 0;
        std::uint64_t matching = 0;
    };
    void paintNotes(QPainter& painter);
    [[nodiscard]] std::optional<TickRange> held() const;
    [[nodiscard]] int columns() const;
    // First tick of a column; columns() gives the tick after the last.
    [[nodiscard]] std::uint64_t tickAt(int column) const;
    [[nodiscard]] int columnOf(double x) const;
    [[nodiscard]] double xOf(std::uint64_t tick) const;

    static constexpr int ColumnWidth = 3;

    const Theme& m_theme;
    const TraceModel& m_model;
    std::vector<Bar> m_bars;
    std::optional<TickRange> m_zoom; // empty: all that is held
    std::optional<TickRange> m_brush;
    std::optional<TickRange> m_window;
    int m_pressed = -1; // column
    int m_dragged = -1;
};

} // namespace sbx::ui
