#pragma once
// Figures of a session's connections over the last two seconds, from the counters of its snapshots. GUI thread.

#include <QString>
#include <QStringList>

#include "engine/simulation/network_view.h"

#include <deque>
#include <vector>

namespace sbx::ui {

struct LinkFigures {
    std::string name;
    std::string link;
    bool connected = false;
    double roundTripMs = 0.0;
    double jitterMs = 0.0;
    double loss = 0.0;      // share of the packets to the client
    double bytesDown = 0.0; // a second
    double bytesUp = 0.0;
    double resends = 0.0; // messages a second
    std::uint64_t bytesQueued = 0;
};

class LinkMeter {
public:
    static constexpr double Window = 2.0; // seconds of network time

    // A snapshot's view; null: there is no network.
    void add(const NetworkView* view);
    [[nodiscard]] bool empty() const { return m_samples.empty(); }
    [[nodiscard]] std::vector<LinkFigures> figures() const;

private:
    std::deque<NetworkView> m_samples;
};

// Lines for the lane of the server (0) and of each client.
[[nodiscard]] std::vector<QStringList> laneNotes(const std::vector<LinkFigures>& figures);

} // namespace sbx::ui
