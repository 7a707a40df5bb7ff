#pragma once
// Round-trip time, its variation and what follows from them for the loss timer.

#include "engine/net/transport.h"

#include <algorithm>

namespace sbx::net {

// Smoothed round trip and variation as in RFC 6298, of the path alone: what the peer waited is taken off before.
class RoundTrip {
public:
    static constexpr Time Initial = 100 * Millisecond;

    // `path`: there and back, more than 0.
    void sample(Time path) {
        m_latest = path;
        m_least = m_sampled ? std::min(m_least, path) : path;
        if (!m_sampled) {
            m_sampled = true;
            m_smoothed = path;
            m_variation = path / 2;
            return;
        }
        const Time error = m_smoothed > path ? m_smoothed - path : path - m_smoothed;
        m_variation = (3 * m_variation + error) / 4;
        m_smoothed = (7 * m_smoothed + path) / 8;
    }
    [[nodiscard]] bool sampled() const { return m_sampled; }
    [[nodiscard]] Time smoothed() const { return m_smoothed; }
    [[nodiscard]] Time variation() const { return m_variation; }
    [[nodiscard]] Time latest() const { return m_latest; }
    [[nodiscard]] Time least() const { return m_least; }

    // A packet this old without an acknowledgement is lost: max(9/8 srtt, srtt + max(4 rttvar, 2 ms)) + peer's delay.
    [[nodiscard]] Time lossInterval(Time peerMaxAckDelay) const {
        if (!m_sampled) {
            return 2 * m_smoothed + peerMaxAckDelay;
        }
        return std::max(m_smoothed + m_smoothed / 8, m_smoothed + std::max(4 * m_variation, 2 * Millisecond))
               + peerMaxAckDelay;
    }
    // Longest a repeated message backs off to.
    [[nodiscard]] Time backOffCap() const { return std::max(4 * m_smoothed, 250 * Millisecond); }

private:
    bool m_sampled = false;
    Time m_smoothed = Initial;
    Time m_variation = Initial / 2;
    Time m_latest = Initial;
    Time m_least = Initial;
};

} // namespace sbx::net
