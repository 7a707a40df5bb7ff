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
    m_lowest = m_level;
    m_retried = false;
    forget();
}

int FrameGovernor::frame(double milliseconds) {
    milliseconds = std::min(milliseconds, HitchMs);
    m_average = m_average <= 0.0 ? milliseconds : m_average + 0.1 * (milliseconds - m_average);
    m_slowMs = m_average > SlowMs ? m_slowMs + milliseconds : 0.0;
    m_fastMs = m_average < FastMs ? m_fastMs + milliseconds : 0.0;
    if (m_slowMs >= PatienceMs && m_level < m_levels) {
        ++m_level;
        if (m_retried)
            m_lowest = m_level; // tried, and it was too much
        m_retried = false;
        m_average = 0.0;
        forget();
        return 1;
    }
    if (m_fastMs >= TrustMs && m_level > m_lowest) {
        --m_level;
        m_retried = true;
        m_average = 0.0;
        forget();
        return -1;
    }
    return 0;
}

} // namespace sbx::ui
