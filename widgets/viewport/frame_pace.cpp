#include "widgets/viewport/frame_pace.h"

#include <algorithm>

namespace sbx::ui {

void FrameMeter::frame(Time drawn, double milliseconds) {
    m_frames.push_back({drawn, milliseconds});
    while (m_frames.size() > 2 && drawn - m_frames.front().drawn > std::chrono::seconds(1))
        m_frames.pop_front();
}

double FrameMeter::framesPerSecond() const {
    if (m_frames.size() < 2)
        return 0.0;
    const double seconds = std::chrono::duration<double>(m_frames.back().drawn - m_frames.front().drawn).count();
    return seconds > 0.0 ? static_cast<double>(m_frames.size() - 1) / seconds : 0.0;
}

double FrameMeter::frameMs() const {
    if (m_frames.empty())
        return 0.0;
    double sum = 0.0;
    for (const Frame& frame : m_frames)
        sum += frame.ms;
    return sum / static_cast<double>(m_frames.size());
}

void FrameGovernor::setLevel(int level) {
    m_level = std::clamp(level, 0, m_levels);
    forget();
}

bool FrameGovernor::frame(double milliseconds) {
    m_average = m_average <= 0.0 ? milliseconds : m_average + 0.1 * (milliseconds - m_average);
    if (m_average <= SlowMs) {
        m_slowMs = 0.0;
        return false;
    }
    m_slowMs += milliseconds;
    if (m_slowMs < PatienceMs || m_level >= m_levels)
        return false;
    ++m_level;
    m_slowMs = 0.0;
    m_average = 0.0;
    return true;
}

} // namespace sbx::ui
