#pragma once
// How fast frames come, and what to give up when they come too slowly. Plain values with times handed in; GUI thread.

#include <chrono>
#include <cstddef>
#include <deque>

namespace sbx::ui {

// Frames a second over the last second, and the mean time one takes to draw.
class FrameMeter {
public:
    using Time = std::chrono::steady_clock::time_point;

    void frame(Time drawn, double milliseconds);
    [[nodiscard]] double framesPerSecond() const;
    [[nodiscard]] double frameMs() const;
    void clear() { m_frames.clear(); }

private:
    struct Frame {
        Time drawn;
        double ms = 0.0;
    };
    std::deque<Frame> m_frames;
};

// Steps down while frames stay slow, and tries each step up again once when they have long been fast: something else may have
// kept the machine busy. A step that turns out too much a second time is not tried again: a picture that changes back and forth is
// worse than either.
class FrameGovernor {
public:
    static constexpr double SlowMs = 40.0;
    static constexpr double PatienceMs = 1500.0; // of drawing slowly without a pause
    static constexpr double HitchMs = 200.0; // one frame counts no more: it waited for something, as the first does for its shaders
    static constexpr double FastMs = 18.0;
    static constexpr double TrustMs = 6000.0; // of drawing time: the better part of a minute on the clock

    explicit FrameGovernor(int levels) : m_levels(levels) {}

    [[nodiscard]] int level() const { return m_level; }
    [[nodiscard]] int levels() const { return m_levels; }
    // Starts there, and never goes above it by itself.
    void setLevel(int level);
    // After each frame that followed another without a pause: +1 or -1 where the level changed.
    int frame(double milliseconds);
    // A pause, another size, another scene: what was slow before says nothing now.
    void forget() { m_slowMs = m_fastMs = 0.0; }

private:
    int m_levels;
    int m_level = 0;
    double m_average = 0.0;
    double m_slowMs = 0.0;
    double m_fastMs = 0.0;
    int m_lowest = 0;        // the level may come down to this again
    bool m_retried = false;  // it came up to the present one by itself
};

} // namespace sbx::ui
