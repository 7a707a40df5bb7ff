#include "widgets/viewport/frame_timeline.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

double FrameTimeline::ticksPerSecond() const {
    return m_latest ? m_latest->tickRate * m_latest->timeScale : 0.0;
}

bool FrameTimeline::push(std::shared_ptr<const FrameSnapshot> snapshot) {
    if (!snapshot || (m_latest && snapshot->serial == m_latest->serial))
        return false;
    const bool sameRun = m_latest && snapshot->run == m_latest->run && snapshot->tick >= m_latest->tick;
    const double rateBefore = ticksPerSecond();
    m_latest = std::move(snapshot);
    if (!sameRun || m_latest->mode != Mode::Play) {
        m_kept.clear();
        m_kept.push_back(m_latest);
        m_anchor = m_latest->published;
        m_anchorTick = static_cast<double>(m_latest->tick);
        m_shown = m_anchorTick;
        return true;
    }
    if (m_kept.back()->tick == m_latest->tick) {
        // Published again for something posted between ticks: says nothing about the clock.
        m_kept.back() = m_latest;
        return true;
    }
    m_kept.push_back(m_latest);
    while (m_kept.size() > Kept)
        m_kept.pop_front();

    // Follow the published times slowly: one late tick must not be seen as a stutter.
    const double rate = ticksPerSecond();
    const double elapsed = std::chrono::duration<double>(m_latest->published - m_anchor).count();
    const double expected = m_anchorTick + elapsed * rate;
    const double error = static_cast<double>(m_latest->tick) - expected;
    const bool lost = std::abs(error) > 3.0 || rate != rateBefore;
    m_anchorTick = lost ? static_cast<double>(m_latest->tick) : expected + 0.1 * error;
    m_anchor = m_latest->published;
    return true;
}

FrameTimeline::Moment FrameTimeline::at(Time now) {
    if (!m_latest)
        return {};
    Moment moment{m_latest.get(), m_latest.get(), 1.0F, static_cast<double>(m_latest->tick)};
    if (m_latest->mode != Mode::Play || m_kept.size() < 2)
        return moment;
    const double elapsed = std::max(0.0, std::chrono::duration<double>(now - m_anchor).count());
    const double wanted = m_anchorTick + elapsed * ticksPerSecond() - 1.0;
    const double oldest = static_cast<double>(m_kept.front()->tick);
    const double newest = static_cast<double>(m_kept.back()->tick);
    m_shown = std::clamp(std::max(wanted, m_shown), oldest, newest);
    moment.tick = m_shown;
    for (std::size_t i = m_kept.size() - 1; i > 0; --i) {
        const double from = static_cast<double>(m_kept[i - 1]->tick);
        const double to = static_cast<double>(m_kept[i]->tick);
        if (m_shown >= from) {
            moment.previous = m_kept[i - 1].get();
            moment.current = m_kept[i].get();
            moment.alpha = static_cast<float>((m_shown - from) / (to - from));
            break;
        }
    }
    return moment;
}

} // namespace sbx::ui
