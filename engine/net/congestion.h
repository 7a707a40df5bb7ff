#pragma once
// How much may be on the way, and how fast it leaves.

#include "engine/net/transport.h"

#include <algorithm>
#include <array>

namespace sbx::net {

// Purpose: a congestion window from delay, not from loss: a lossy radio link keeps its rate, a filling queue lowers it.
// Copa (Arun and Balakrishnan, "Copa: Practical Delay-Based Congestion Control for the Internet", 2018): the rate goes towards
// 1 / (delta * queueing delay), and the window is paced over the round trip. What an application does not use does not grow.
// Loss alone counts only when it is silence: then the window falls to its least and grows again from there. Two things Copa leaves
// to chance are made sure of, as in BBR (Cardwell et al., 2016): a queue that others keep standing must not be taken for the path, so
// a sender that has not seen the least round trip for ten seconds goes quiet for two and looks; and a window that brings in no more does
// not grow, however short the queue seems.
class Congestion {
public:
    static constexpr std::uint32_t Segment = MaxDatagram;
    static constexpr std::uint32_t MinWindow = 4 * Segment;
    static constexpr std::uint32_t FirstWindow = 10 * Segment;
    static constexpr std::uint32_t MaxWindow = 64U << 20U;

    void onSent(std::uint32_t bytes) { m_inFlight += bytes; }
    // A packet was acknowledged. `path`: there and back, less what the peer waited; 0: no sample.
    void onAcked(Time now, std::uint32_t bytes, Time path);
    void onLost(std::uint32_t bytes) { m_inFlight -= bytes < m_inFlight ? bytes : m_inFlight; }
    // Nothing was received for several round trips.
    void onSilence(Time now);
    void noteLimited(Time now) { m_limitedAt = now; }

    [[nodiscard]] std::uint32_t window() const {
        return m_probing ? Segment : static_cast<std::uint32_t>(m_window);
    }
    [[nodiscard]] std::uint32_t inFlight() const { return m_inFlight; }
    [[nodiscard]] bool allows(std::uint32_t bytes) const {
        return m_inFlight == 0 || m_inFlight + bytes <= window();
    }
    // Bytes a second.
    [[nodiscard]] double rate() const;
    [[nodiscard]] Time queueingDelay() const { return m_standing > m_least ? m_standing - m_least : 0; }

    // Pacing: a bucket that holds a burst, filled at rate().
    [[nodiscard]] bool mayLeave(Time now);
    void left(std::uint32_t bytes) { m_credit -= bytes; }
    // When mayLeave() will be true.
    [[nodiscard]] Time nextLeave(Time now);

private:
    static constexpr double Delta = 0.5;
    static constexpr double Burst = 4.0 * Segment;
    static constexpr Time MinMemory = 20 * Second;
    static constexpr double MaxOfDelivered =
        2.5; // of what a round trip brings in: the window does not grow beyond
    static constexpr double DeliveredDecay = 0.9;  // a round trip

    void refill(Time now);
    void observe(Time now, Time path);

    double m_window = FirstWindow;
    std::uint32_t m_inFlight = 0;
    Time m_smoothed = 100 * Millisecond;
    bool m_sampled = false;
    // Least round trip over twenty seconds, as the least of two halves.
    Time m_least = 0;
    std::array<Time, 2> m_leastHalf{Never, Never};
    Time m_halfBegan = 0;
    bool m_probing = false;
    Time m_probeEnds = 0;
    // The most that a round trip has brought in lately.
    double m_delivered = 0.0;
    double m_deliveredNow = 0.0;
    Time m_deliveredBegan = 0;
    // Least over half a round trip: the standing delay.
    Time m_standing = 0;
    std::array<Time, 2> m_standingHalf{Never, Never};
    Time m_standingBegan = 0;
    bool m_slowStart = true;
    double m_velocity = 1.0;
    int m_sameDirection = 0;
    bool m_rising = true;
    Time m_roundBegan = 0;
    double m_roundWindow = FirstWindow;
    Time m_limitedAt = -Second;
    double m_credit = Burst;
    Time m_filledAt = 0;
};

} // namespace sbx::net
