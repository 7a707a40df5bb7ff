#pragma once
// Where a scale of time has its labels. Plain functions; any thread.

#include <QString>

#include <cstdint>
#include <vector>

namespace sbx::ui {

struct ScaleLabel {
    double tick = 0.0; // where; lies within the range
    QString text;      // "2.5 s"; without a tick rate "150"
};

// Round steps (1, 2 or 5 of a decimal place) for the ticks [first, last] over `pixels`, at least `apart` pixels from one to the next. Seconds
// where `ticksPerSecond` is more than 0, else ticks. Counted from `zero`; with `differences` a later time has a plus.
[[nodiscard]] std::vector<ScaleLabel> scaleLabels(std::uint64_t first, std::uint64_t last, double ticksPerSecond, std::uint64_t zero, bool differences,
                                                  double pixels, double apart);

} // namespace sbx::ui
