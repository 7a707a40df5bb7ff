#pragma once
// How fast frames come, and what to give up when they come too slowly. Plain values with times handed in; window thread.

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

// Steps down while frames stay slow. Never steps up by itself: a picture that changes back and forth is worse than either.
class FrameGovernor {
public:
    static constexpr double SlowMs = 40.0;
    static constexpr double PatienceMs = 1500.0; // of drawing slowly without a pause

    explicit FrameGovernor(int levels) : m_levels(levels) {}

    [[nodiscard]] int level() const { return m_level; }
    [[nodiscard]] int levels() const { return m_levels; }
    void setLevel(int level);
    // After each frame that followed another without a pause. True: the level is one more now.
    bool frame(double milliseconds);
    // A pause, another size, another scene: what was slow before says nothing now.
    void forget() { m_slowMs = 0.0; }

private:
    int m_levels;
    int m_level = 0;
    double m_average = 0.0;
    double m_slowMs = 0.0;
};

} // namespace sbx::ui
