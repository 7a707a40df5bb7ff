#include "widgets/viewport/pane_layout.h"

#include <cmath>

namespace sbx::ui {

void PaneLayout::setFour(bool on) {
    m_four = on;
    m_maximised = false;
    if (!on)
        m_active = Main;
}

void PaneLayout::setActive(int pane) {
    if (pane >= 0 && pane < (m_four ? Count : 1))
        m_active = pane;
}

void PaneLayout::setSplit(const QPointF& shares) {
    const auto bounded = [](double share, double before) {
        return std::isfinite(share) ? qBound(LeastShare, share, 1.0 - LeastShare) : before;
    };
    m_split = {bounded(shares.x(), m_split.x()), bounded(shares.y(), m_split.y())};
}

bool PaneLayout::isShown(int pane) const {
    return m_four && !m_maximised ? pane >= 0 && pane < Count : pane == m_active;
}

QPoint PaneLayout::crossing(const QSize& size) const {
    const auto start = [](double share, int length) { return qMax(1, qRound(share * (length - Gap))); };
    return {start(m_split.x(), size.width()), start(m_split.y(), size.height())};
}

QRect PaneLayout::area(int pane, const QSize& size) const {
    if (!isShown(pane))
        return {};
    if (!showsSeveral())
        return QRect(QPoint(0, 0), size);
    const QPoint from = crossing(size);
    const QPoint to = from + QPoint(Gap, Gap);
    const bool right = pane % 2 == 1;
    const bool low = pane / 2 == 1;
    return QRect(QPoint(right ? to.x() : 0, low ? to.y() : 0),
                 QSize(qMax(1, right ? size.width() - to.x() : from.x()), qMax(1, low ? size.height() - to.y() : from.y())));
}

int PaneLayout::at(const QPointF& place, const QSize& size) const {
    for (int pane = 0; pane < Count; ++pane)
        if (QRectF(area(pane, size)).contains(place))
            return pane;
    return -1;
}

} // namespace sbx::ui
