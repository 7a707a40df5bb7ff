#pragma once
// A tape measure between two points of the picture. Values only; GUI thread.

#include <QString>

#include "engine/core/math.h"

#include <optional>

namespace sbx::ui {

class MeasureTape {
public:
    // In hand or not; put away, it forgets its points.
    void setOn(bool on);
    [[nodiscard]] bool isOn() const { return m_on; }
    // A click at a point of the world, in metres: the first end, the second, or the first of the next measurement.
    void click(const Vec3& point);
    // The pointer is over it: the second end follows until it is set.
    void hover(const Vec3& point);
    [[nodiscard]] bool isComplete() const { return m_complete; }

    struct Span {
        Vec3 from{0.0F};
        Vec3 to{0.0F};
    };
    // Null: nothing has been clicked.
    [[nodiscard]] std::optional<Span> span() const;
    // "3.25 m · sound 9.5 ms": the distance, and how long sound takes for it in air of 20 degrees.
    [[nodiscard]] static QString text(const Span& span);

private:
    bool m_on = false;
    bool m_complete = false;
    std::optional<Vec3> m_from;
    std::optional<Vec3> m_to;
};

} // namespace sbx::ui
