#include "widgets/common/overlay_layout.h"

#include "engine/core/contracts.h"

#include <algorithm>
#include <limits>

namespace sbx::ui {

namespace {

constexpr int Gap = 4; // pixels, to what is occupied

} // namespace

void OverlayLayout::occupy(const QRect& rect) {
    if (!rect.isEmpty())
        m_occupied.push_back(rect);
}

QRect OverlayLayout::inside(const QPoint& wanted, const QSize& size) const {
    return {QPoint(std::max(m_area.left(), std::min(wanted.x(), m_area.right() + 1 - size.width())),
                   std::max(m_area.top(), std::min(wanted.y(), m_area.bottom() + 1 - size.height()))),
            size};
}

qint64 OverlayLayout::covered(const QRect& rect) const {
    qint64 pixels = 0;
    for (const QRect& taken : m_occupied)
        if (const QRect common = rect & taken; !common.isEmpty())
            pixels += qint64{common.width()} * common.height();
    return pixels;
}

QPoint OverlayLayout::place(const QSize& size, const std::vector<QPoint>& places) {
    SBX_EXPECT(!places.empty(), "there is a place to choose");
    qint64 least = std::numeric_limits<qint64>::max();
    QRect best;
    const auto consider = [&](const QPoint& wanted) {
        const QRect rect = inside(wanted, size);
        if (const qint64 pixels = covered(rect); pixels < least) {
            least = pixels;
            best = rect;
        }
    };
    for (const QPoint& wanted : places)
        consider(wanted);
    if (least > 0) {
        // Beside, above or below what is in the way, as near to the first place as can be.
        std::vector<int> lefts{m_area.left(), m_area.right() + 1 - size.width(), best.left()};
        std::vector<int> tops{m_area.top(), m_area.bottom() + 1 - size.height(), best.top()};
        for (const QRect& taken : m_occupied) {
            lefts.insert(lefts.end(), {taken.right() + 1 + Gap, taken.left() - Gap - size.width()});
            tops.insert(tops.end(), {taken.bottom() + 1 + Gap, taken.top() - Gap - size.height()});
        }
        std::vector<QPoint> beside;
        for (const int left : lefts)
            for (const int top : tops)
                beside.emplace_back(left, top);
        std::stable_sort(beside.begin(), beside.end(), [&](const QPoint& a, const QPoint& b) {
            return (a - places.front()).manhattanLength() < (b - places.front()).manhattanLength();
        });
        for (const QPoint& wanted : beside)
            consider(wanted);
    }
    occupy(best);
    return best.topLeft();
}

} // namespace sbx::ui
