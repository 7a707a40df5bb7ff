#pragma once
// Turns cursor positions into endless movement: the cursor is warped back to the middle before it reaches an edge, and the
// jump is not taken for movement. Where warping does nothing (Wayland), movement still counts until the edge.

#include <QPoint>

#include <optional>

namespace sbx::ui {

class RelativePointer {
public:
    struct Step {
        QPoint moved;
        std::optional<QPoint> warpTo; // the caller moves the cursor there
    };

    void start(QPoint at, QPoint middle, int reach) {
        m_last = at;
        m_middle = middle;
        m_reach = reach;
        m_warping = false;
    }
    [[nodiscard]] Step moveTo(QPoint at) {
        Step step;
        // Events from before the warp may still arrive; the first one nearer to the middle is from after it.
        if (m_warping && (at - m_middle).manhattanLength() < (at - m_last).manhattanLength()) {
            m_warping = false;
            m_last = m_middle;
        }
        step.moved = at - m_last;
        m_last = at;
        if (!m_warping && (at - m_middle).manhattanLength() > m_reach) {
            m_warping = true;
            step.warpTo = m_middle;
        }
        return step;
    }

private:
    QPoint m_last;
    QPoint m_middle;
    int m_reach = 100;
    bool m_warping = false;
};

} // namespace sbx::ui
