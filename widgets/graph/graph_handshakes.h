#pragma once
// How connections came about, or did not, and how they ended: the datagrams of each attempt at both ends, put together.
//
// Data flow: GraphHandshakeStep in order -> entries, one an attempt and one an end; half a minute of them. GUI thread; knows nothing
// of painting.

#include "widgets/graph/graph_source.h"

#include <deque>

namespace sbx::ui {

struct GraphHandshake {
    enum class Outcome : std::uint8_t { Asking, Connected, Denied, Unanswered, Closed };
    std::uint64_t id = 0;   // counts them
    std::uint16_t lane = 0; // the client's; the server's of one from another program, at `address`
    std::string address;    // empty: the client is a peer of this session
    Outcome outcome = Outcome::Asking;
    net::CloseReason reason = net::CloseReason::None; // Denied, Closed
    net::Time began = 0;
    net::Time ended = net::Never; // when the outcome was
    net::Time last = 0;           // of its last step, which may be none of those that are kept
    std::vector<GraphHandshakeStep> steps;

    [[nodiscard]] Outcome outcomeAt(net::Time at) const { return ended <= at ? outcome : Outcome::Asking; }
    // Datagrams that the client, or the sender taken for it, had sent by then.
    [[nodiscard]] int asked(net::Time at) const;
};

class GraphHandshakes {
public:
    static constexpr std::size_t Most = 256;      // anybody may knock
    static constexpr std::size_t MaxSteps = 256;  // of one: a client gives up long before

    void take(const GraphHandshakeStep& step);
    // What ended before goes.
    void forget(net::Time before);
    void clear() { m_all.clear(); }

    // In the order in which they began.
    [[nodiscard]] const std::deque<GraphHandshake>& all() const { return m_all; }
    [[nodiscard]] const GraphHandshake* find(std::uint64_t id) const;

private:
    GraphHandshake* lastOf(const GraphHandshakeStep& step);
    GraphHandshake* begin(const GraphHandshakeStep& step);

    std::deque<GraphHandshake> m_all;
    std::uint64_t m_lastId = 0;
};

} // namespace sbx::ui
