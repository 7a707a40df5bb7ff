#include "engine/net/congestion.h"

#include <algorithm>

namespace sbx::net {

void Congestion::observe(Time now, Time path) {
    if (!m_sampled) {
        m_sampled = true;
        m_smoothed = path;
        m_halfBegan = now;
        m_standingBegan = now;
        m_roundBegan = now;
    }
    m_smoothed = (7 * m_smoothed + path) / 8;
    if (now - m_halfBegan > MinMemory / 2) {
        const bool seen = m_leastHalf[0] <= m_least + m_least / 8 + Millisecond;
        if (!seen && m_inFlight > Segment) {
            m_probing = true;
            m_probeEnds = now + 2 * m_smoothed;
        }
        m_leastHalf = {Never, m_leastHalf[0]};
        m_halfBegan = now;
    }
    m_probing = m_probing && now < m_probeEnds;
    m_leastHalf[0] = std::min(m_leastHalf[0], path);
    m_least = std::min(m_leastHalf[0], m_leastHalf[1]);
    if (now - m_standingBegan > m_smoothed / 4) {
        m_standingHalf = {Never, m_standingHalf[0]};
        m_standingBegan = now;
    }
    m_standingHalf[0] = std::min(m_standingHalf[0], path);
    m_standing = std::min(m_standingHalf[0], m_standingHalf[1]);
}

void Congestion::onAcked(Time now, std::uint32_t bytes, Time path) {
    m_inFlight -= std::min(bytes, m_inFlight);
    if (path > 0) {
        observe(now, path);
    }
    m_deliveredNow += bytes;
    if (now - m_deliveredBegan >= m_smoothed) {
        const double perRound =
            m_deliveredNow * static_cast<double>(m_smoothed) / static_cast<double>(std::max<Time>(now - m_deliveredBegan, 1));
        m_delivered = std::max(perRound, m_delivered * DeliveredDecay);
        m_deliveredNow = 0.0;
        m_deliveredBegan = now;
    }
    if (!m_sampled || bytes == 0 || m_probing) {
        return;
    }
    const double standing = std::max(static_cast<double>(m_standing), 1e3) / 1e9;
    const double queueing = static_cast<double>(queueingDelay()) / 1e9;
    const double current = m_window / standing;
    // Delay below a tenth of a millisecond is the machine's, not a queue's.
    const bool below = queueing < 1e-4 || current < Segment / (Delta * queueing);
    const bool limited =
        now - m_limitedAt <= m_smoothed + m_smoothed / 2
        && m_window < std::max<double>(FirstWindow, MaxOfDelivered * std::max(m_delivered, m_deliveredNow));
    if (m_slowStart) {
        if (below) {
            m_window += limited ? bytes : 0.0;
        } else {
            m_slowStart = false;
            m_velocity = 1.0;
            m_roundBegan = now;
            m_roundWindow = m_window;
        }
    }
    if (!m_slowStart) {
        // Once a round trip: the same direction three times in a row doubles the step.
        if (now - m_roundBegan >= m_smoothed) {
            const bool rising = m_window > m_roundWindow;
            m_sameDirection = rising == m_rising ? m_sameDirection + 1 : 0;
            m_velocity = rising == m_rising ? (m_sameDirection >= 3 ? m_velocity * 2.0 : m_velocity) : 1.0;
            m_rising = rising;
            m_roundBegan = now;
            m_roundWindow = m_window;
        }
        if (below != m_rising) {
            m_velocity = 1.0;
            m_sameDirection = 0;
        }
        const double step = m_velocity * Segment * static_cast<double>(bytes) / (Delta * m_window);
        if (below) {
            m_window += limited ? std::min(step, static_cast<double>(bytes)) : 0.0;
        } else {
            m_window -= std::min(step, static_cast<double>(bytes));
        }
    }
    m_window = std::clamp(m_window, static_cast<double>(MinWindow), static_cast<double>(MaxWindow));
}

void Congestion::onSilence(Time now) {
    m_window = MinWindow;
    m_slowStart = true;
    m_velocity = 1.0;
    m_sameDirection = 0;
    m_roundBegan = now;
    m_roundWindow = m_window;
}

double Congestion::rate() const {
    const double path = std::max(static_cast<double>(m_sampled ? m_standing : m_smoothed), 1e4) / 1e9;
    return 2.0 * m_window / path;
}

void Congestion::refill(Time now) {
    const Time elapsed = std::max<Time>(now - m_filledAt, 0);
    m_filledAt = std::max(now, m_filledAt);
    // A tenth of a millisecond's worth at high rates, or timers would bound the rate.
    const double most = std::max(Burst, rate() * 1e-4);
    m_credit = std::min(most, m_credit + rate() * static_cast<double>(elapsed) / 1e9);
}

bool Congestion::mayLeave(Time now) {
    refill(now);
    return m_credit > 0.0;
}

Time Congestion::nextLeave(Time now) {
    refill(now);
    if (m_credit > 0.0) {
        return now;
    }
    return now + static_cast<Time>((1.0 - m_credit) / rate() * 1e9) + 1;
}

} // namespace sbx::net
