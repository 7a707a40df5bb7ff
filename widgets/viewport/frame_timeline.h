#pragma once
// Where between two ticks the picture is. The simulation publishes a snapshot a tick, roughly on time; the window draws whenever the
// screen wants a frame. The timeline keeps the last few snapshots of a run and a smoothed clock of the simulation, and shows the
// world one tick behind it, so that there are always two snapshots to draw between. It never goes back within a run, and
// never blends across a change of run.
//
// GUI thread; a value owned by the view. Times are steady_clock's, handed in, so that a test can choose them.

#include "engine/simulation/snapshot.h"

#include <chrono>
#include <deque>
#include <memory>

namespace sbx::ui {

class FrameTimeline {
public:
    using Time = std::chrono::steady_clock::time_point;

    // A snapshot that is there already (by serial) is ignored. True: something new.
    bool push(std::shared_ptr<const FrameSnapshot> snapshot);
    [[nodiscard]] const std::shared_ptr<const FrameSnapshot>& latest() const { return m_latest; }

    struct Moment {
        const FrameSnapshot* previous = nullptr; // equal to current when there is nothing to blend
        const FrameSnapshot* current = nullptr;  // null: no snapshot yet
        float alpha = 1.0F;
        double tick = 0.0; // shown, with its fraction
    };
    // What to draw now.
    [[nodiscard]] Moment at(Time now);

private:
    [[nodiscard]] double ticksPerSecond() const;

    static constexpr std::size_t Kept = 6;
    std::shared_ptr<const FrameSnapshot> m_latest;
    std::deque<std::shared_ptr<const FrameSnapshot>> m_kept; // of one run, playing, oldest first, ticks rising
    Time m_anchor{};      // the clock: tick m_anchorTick was published at m_anchor
    double m_anchorTick = 0.0;
    double m_shown = 0.0; // tick
};

} // namespace sbx::ui
