#pragma once
// Time across the graph: which moment stands at which pixel. A value; knows nothing of painting.
//
// Moments are rounded to whole pixels before the picture is moved, so two things keep their distance while it scrolls.

#include "engine/net/transport.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

class GraphAxis {
public:
    static constexpr double Nearest = 20'000.0;            // ns a pixel
    static constexpr net::Time Widest = 60 * net::Second;  // across the width
    static constexpr net::Time Usual = 30 * net::Second;

    // The span stays. What is not laid out has no width yet: it goes on with the one it had.
    void setWidth(int pixels) {
        if (pixels < 2)
            return;
        const double wanted = m_perPixel * m_width;
        m_width = pixels;
        m_perPixel = std::clamp(wanted / m_width, Nearest, widest());
    }
    [[nodiscard]] int width() const { return m_width; }
    [[nodiscard]] double perPixel() const { return m_perPixel; } // ns
    [[nodiscard]] net::Time from() const { return at(0); }
    [[nodiscard]] net::Time to() const { return m_end; }
    [[nodiscard]] bool following() const { return m_following; }
    // The right edge stays at the newest moment.
    void setFollowing(bool following) { m_following = following; }
    void follow(net::Time now) {
        if (m_following)
            m_end = now;
    }

    [[nodiscard]] double x(net::Time time) const { return m_width - 1 - (pixel(m_end) - pixel(time)); }
    [[nodiscard]] net::Time at(double x) const {
        return static_cast<net::Time>((pixel(m_end) - (m_width - 1 - x)) * m_perPixel);
    }
    // By a factor above 1 nearer, with the moment at `x` held; following, the newest is.
    void zoom(double factor, double x) {
        const net::Time held = m_following ? m_end : at(x);
        const double place = m_following ? m_width - 1 : x;
        m_perPixel = std::clamp(m_perPixel / factor, Nearest, widest());
        m_end = static_cast<net::Time>((pixel(held) + (m_width - 1 - place)) * m_perPixel);
    }
    // Later by so many pixels. Past the newest it follows again.
    void pan(double pixels, net::Time now) {
        m_end += static_cast<net::Time>(pixels * m_perPixel);
        m_following = m_end >= now;
        m_end = std::clamp<net::Time>(m_end, 0, now);
    }
    void show(net::Time from, net::Time to) {
        m_following = false;
        m_perPixel = std::clamp(static_cast<double>(to - from) / m_width, Nearest, widest());
        m_end = to;
    }
    void fit(net::Time span) { m_perPixel = std::clamp(static_cast<double>(span) / m_width, Nearest, widest()); }
    // Moves no further than it must to have that moment in sight, with some room.
    void reveal(net::Time time) {
        const double place = x(time);
        const double room = std::min(40.0, m_width / 4.0);
        if (place >= room && place <= m_width - room)
            return;
        m_following = false;
        const double wanted = place < room ? room : m_width - room;
        m_end += static_cast<net::Time>((place - wanted) * m_perPixel);
    }

private:
    [[nodiscard]] double widest() const { return static_cast<double>(Widest) / m_width; }
    [[nodiscard]] double pixel(net::Time time) const { return std::floor(static_cast<double>(time) / m_perPixel); }

    int m_width = 1000;
    double m_perPixel = static_cast<double>(Usual) / 1000.0;
    net::Time m_end = 0;
    bool m_following = true;
};

} // namespace sbx::ui
