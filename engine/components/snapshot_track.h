#pragma once
// One quantity that arrives over the network now and then, and is shown without jumps in between.
//
// Method: interpolation between received snapshots, some time behind the newest one (Yahn Bernier, "Latency Compensating Methods in
// Client/Server In-game Protocol Design and Optimization", 2001; Glenn Fiedler, "Snapshot Interpolation", 2014).

#include "engine/core/math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sbx {

// The sender's time as the receiver knows it: what was sent in which tick, and when it came. Packets that took longer than others hardly
// turn it back.
class PlayoutClock {
public:
    void clear() { m_known = false; }
    [[nodiscard]] bool isKnown() const { return m_known; }
    void arrived(double sentTick, double localTick) {
        const double offset = sentTick - localTick;
        const double off = offset - m_offset;
        if (!m_known || std::abs(off) > FarOff)
            m_offset = offset;
        else
            m_offset += off * (off > 0.0 ? Forward : Back);
        m_known = true;
    }
    // The sender's tick that has just arrived when the receiver is at `localTick`.
    [[nodiscard]] double at(double localTick) const { return localTick + m_offset; }

private:
    static constexpr double FarOff = 120.0; // ticks: it began anew, or this end stood still
    static constexpr double Forward = 0.05; // of the difference, at each arrival
    static constexpr double Back = 0.02;
    bool m_known = false;
    double m_offset = 0.0; // ticks
};

namespace detail {
[[nodiscard]] inline Vec3 between(const Vec3& a, const Vec3& b, float part) { return a + (b - a) * part; }
// The short way round.
[[nodiscard]] inline Quat between(const Quat& a, const Quat& b, float part) {
    const Quat near = glm::dot(a, b) < 0.0F ? -b : b;
    return glm::normalize(glm::slerp(a, near, part));
}
// How far apart: in the unit of the value; of rotations in radians.
[[nodiscard]] inline double distanceOf(const Vec3& a, const Vec3& b) { return static_cast<double>(glm::length(b - a)); }
[[nodiscard]] inline double distanceOf(const Quat& a, const Quat& b) {
    return 2.0 * std::acos(std::min(1.0, static_cast<double>(std::abs(glm::dot(a, b)))));
}
} // namespace detail

// How a new snapshot is reached.
struct SnapshotWay {
    double shownTick = 0.0;     // what sample() is called with now
    double extrapolation = 0.0; // ticks, as sample() is called with
    double least = 1.0;         // ticks that the way from rest to a new place takes at least; above 0
    bool fromRest = false;      // it did not move between the newest snapshot and shortly before this one
};

// T: Vec3 or Quat. Time: ticks of the sender, with fractions. No call allocates.
template <typename T> class SnapshotTrack {
public:
    static constexpr std::size_t Capacity = 32; // older ones are forgotten

    void clear() { m_count = 0; }
    [[nodiscard]] bool empty() const { return m_count == 0; }
    // The newest; not empty().
    [[nodiscard]] const T& newest() const { return at(m_count - 1).value; }

    // A value that was sent at `tick`. Where the newest snapshot has been shown already, the way to this one begins at what is shown, and
    // is not gone much faster than the sender went it, unless it would take too long: what came late is caught up with little by little. False: it is not newer than
    // what is there.
    bool add(double tick, const T& value, const SnapshotWay& way) {
        if (m_count > 0 && tick <= m_newestSent)
            return false;
        if (m_count == 0) {
            m_newestSent = tick;
            push({tick, value});
            return true;
        }
        const T sentBefore = newest();
        const double took = way.fromRest ? way.least : tick - m_newestSent;
        const double speed = HurryFactor * detail::distanceOf(sentBefore, value) / took;
        m_newestSent = tick;
        if (way.shownTick > at(m_count - 1).tick) {
            const T shown = sample(way.shownTick, way.extrapolation);
            m_count = 0;
            push({way.shownTick, shown});
        }
        const double distance = detail::distanceOf(newest(), value);
        const double needs = speed > 0.0 ? std::min(distance / speed, MostIntervals * way.least) : distance > 0.0 ? way.least : took / HurryFactor;
        push({std::max({tick, at(m_count - 1).tick + needs, at(m_count - 1).tick + Least}), value});
        return true;
    }
    // What to show. Beyond the newest snapshot it goes on as it did between the last two, for at most that many ticks. Not empty().
    [[nodiscard]] T sample(double tick, double extrapolation) const {
        const Snapshot& last = at(m_count - 1);
        if (m_count == 1 || (tick >= last.tick && extrapolation <= 0.0))
            return last.value;
        std::size_t next = m_count - 1;
        while (next > 1 && at(next - 1).tick >= tick)
            --next;
        const Snapshot& a = at(next - 1);
        const Snapshot& b = at(next);
        const double most = tick > last.tick ? last.tick + extrapolation : last.tick;
        const double part = (std::clamp(tick, a.tick, most) - a.tick) / (b.tick - a.tick);
        return detail::between(a.value, b.value, static_cast<float>(part));
    }

private:
    static constexpr double HurryFactor = 1.4; // of the sender's speed, at most
    static constexpr double MostIntervals = 10.0; // that a way may take for that
    static constexpr double Least = 1e-3;      // ticks between two snapshots
    struct Snapshot {
        double tick = 0.0;
        T value{};
    };
    [[nodiscard]] const Snapshot& at(std::size_t i) const { return m_snapshots[(m_first + i) % Capacity]; }
    void push(const Snapshot& snapshot) {
        if (m_count == Capacity)
            m_first = (m_first + 1) % Capacity;
        else
            ++m_count;
        m_snapshots[(m_first + m_count - 1) % Capacity] = snapshot;
    }

    std::array<Snapshot, Capacity> m_snapshots{};
    std::size_t m_first = 0;
    std::size_t m_count = 0;
    double m_newestSent = 0.0;
};

} // namespace sbx
