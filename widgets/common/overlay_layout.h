#pragma once
// Where the plates over the picture go (statistics, read-outs, hints, legends, notices), so that none lies over another or over the handles
// of the gizmo. Plain values in one frame of pixels; no widgets.

#include <QPoint>
#include <QRect>
#include <QSize>

#include <vector>

namespace sbx::ui {

class OverlayLayout {
public:
    // Everything stays inside `area`, as far as it fits.
    explicit OverlayLayout(const QRect& area) : m_area(area) {}

    // Not to be covered. Empty ones do not count.
    void occupy(const QRect& rect);
    // The first of the places (top left corners, best first) where nothing that is occupied would be covered; else the nearest place to the
    // first of them that is beside, above or below what is in the way; else where least is covered. What is placed is occupied from then
    // on. At least one place.
    QPoint place(const QSize& size, const std::vector<QPoint>& places);

private:
    [[nodiscard]] QRect inside(const QPoint& wanted, const QSize& size) const;
    // Pixels of what is occupied.
    [[nodiscard]] qint64 covered(const QRect& rect) const;

    QRect m_area;
    std::vector<QRect> m_occupied;
};

} // namespace sbx::ui
