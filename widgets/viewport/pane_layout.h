#pragma once
// Where the panes of the viewport lie: one over the whole picture, or four with a gap between them, one of which may fill it for a while.
// Plain values, no widget. GUI thread.

#include <QPointF>
#include <QRect>

#include <array>

namespace sbx::ui {

class PaneLayout {
public:
    static constexpr int Count = 4;
    static constexpr int Gap = 4; // logical pixels
    // Upper left, upper right, lower left, lower right. The first is the only one where there are not four.
    static constexpr int Main = 0;

    [[nodiscard]] bool isFour() const { return m_four; }
    void setFour(bool on);
    // Of four, the active one fills the picture.
    [[nodiscard]] bool isMaximised() const { return m_four && m_maximised; }
    void setMaximised(bool on) { m_maximised = on; }
    [[nodiscard]] int active() const { return m_active; }
    void setActive(int pane);
    // Where the gap lies, as shares of width and height in [LeastShare, 1 - LeastShare].
    [[nodiscard]] QPointF split() const { return m_split; }
    void setSplit(const QPointF& shares);
    static constexpr double LeastShare = 0.15;

    [[nodiscard]] bool isShown(int pane) const;
    [[nodiscard]] bool showsSeveral() const { return m_four && !m_maximised; }
    // In a picture of that size; empty if it is not shown.
    [[nodiscard]] QRect area(int pane, const QSize& size) const;
    // The pane at a place; -1: in the gap, or outside.
    [[nodiscard]] int at(const QPointF& place, const QSize& size) const;
    // Upper left corner of the crossing of the gaps.
    [[nodiscard]] QPoint crossing(const QSize& size) const;

private:
    bool m_four = false;
    bool m_maximised = false;
    int m_active = Main;
    QPointF m_split{0.5, 0.5};
};

} // namespace sbx::ui
