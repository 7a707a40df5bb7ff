#pragma once
// Every guaranteed message of a session over the last half minute: what happened to it and when, at both ends, and what it waited for.
//
// The picture can be frozen: what was there at that moment then stays, and of a flow that is full (MaxNodes), new messages are
// left out instead of old ones.
//
// Data flow: GraphNews in batches -> nodes, each in a flow (sender, receiver) by number, with a row in its receiver's lane. A row is
// given once and kept: what is drawn does not move when more arrives. Every state is a function of a time, so a picture can be frozen
// while the run goes on. GUI thread; knows nothing of painting.

#include "widgets/graph/graph_handshakes.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace sbx::ui {

// What a message is at one end.
enum class GraphState : std::uint8_t { Queued, Sent, Resent, Lost, Acknowledged, Waiting, Executed, Unseen };

struct GraphNode {
    struct Transmission {
        net::Time sent = net::Never;
        net::Time lost = net::Never; // when the sender took it for lost
        std::uint64_t packet = 0;
        bool again = false; // a retransmission
    };
    std::uint64_t sequence = 0; // 0: nothing is known of this number
    net::Time queued = 0;
    net::Time acknowledged = net::Never;
    net::Time known = net::Never; // when the sender learnt that it was executed
    net::Time arrived = net::Never;
    net::Time executed = net::Never;
    std::uint64_t arrivedIn = 0; // packet
    std::vector<Transmission> sent;
    std::vector<std::uint64_t> needs;
    std::string entity;
    std::uint64_t trace = 0; // of its record: where it was sent from, or as it was dispatched; 0: none
    std::uint16_t type = 0;  // GraphModel::typeName
    std::uint16_t row = 0;
    bool listed = false;         // it has an entry in GraphModel::waits() for its wait at the receiver
    bool listedAtSender = false; // and one for its wait at the sender

    [[nodiscard]] bool present() const { return sequence != 0; }
    [[nodiscard]] bool done() const { return known != net::Never; }
    // As the sender knows it.
    [[nodiscard]] GraphState senderAt(net::Time at) const;
    // As it is at the receiver: Unseen, Waiting, Executed.
    [[nodiscard]] GraphState receiverAt(net::Time at) const;
    [[nodiscard]] int lossesAt(net::Time at) const;
    [[nodiscard]] int resendsAt(net::Time at) const;
    // When it was sent first; Never: it has not been, as far as is known.
    [[nodiscard]] net::Time firstSent() const {
        return sent.empty() ? std::min({arrived, acknowledged, known}) : sent.front().sent;
    }
    // When it was last part of the picture.
    [[nodiscard]] net::Time end(net::Time now) const;
};

// Why a message waits, or waited.
struct GraphCause {
    bool waits = false;    // it arrived before what it depends on, or was not sent at once
    bool atSender = false; // it has not left its sender: the link has no room
    bool over = false;
    net::Time since = 0;
    net::Time until = 0;              // executed, or the time asked for
    std::vector<std::uint64_t> chain; // it, what it waits for, what that waits for, …: the last is the root
    int losses = 0;                   // of the root
    int resends = 0;
    [[nodiscard]] std::uint64_t root() const { return chain.size() > 1 ? chain.back() : 0; }
};

// A message that waited longer than GraphModel::LongWait, at its receiver or at its sender; outlives its node.
struct GraphWait {
    GraphKey key;
    std::string type;
    std::string entity;
    GraphCause cause;
    std::vector<GraphNode> story; // of the messages of cause.chain, as they were known last
};

class GraphModel {
public:
    static constexpr net::Time Kept = 30 * net::Second;
    static constexpr net::Time LongWait = 100 * net::Millisecond;
    static constexpr net::Time RowGap = 25 * net::Millisecond; // between two messages of a row
    static constexpr std::size_t MaxWaits = 500;
    static constexpr std::size_t MaxNodes = 100'000; // of a flow, whatever is kept for whom

    void apply(GraphNews news);
    void clear();
    // Everything from that moment on is kept while the picture is frozen; empty: half a minute is kept.
    void keepFrom(std::optional<net::Time> time) { m_keepFrom = time; }

    [[nodiscard]] std::uint64_t run() const { return m_run; }
    // Counts every apply() and clear(): nodes are where they were as long as it is the same.
    [[nodiscard]] std::uint64_t version() const { return m_version; }
    [[nodiscard]] net::Time now() const { return m_now; }
    // Of what was before, nothing is stored any more.
    [[nodiscard]] net::Time oldest() const;
    [[nodiscard]] const std::vector<std::string>& peers() const { return m_peers; }
    [[nodiscard]] std::uint64_t missed() const { return m_missed; }
    [[nodiscard]] bool empty() const { return m_count == 0; }
    [[nodiscard]] std::size_t size() const { return m_count; }
    [[nodiscard]] std::size_t waitingNow() const;
    // Of those that are stored.
    [[nodiscard]] std::size_t waitingAt(net::Time at) const;
    // The messages of that record of the trace, to each peer that it went to.
    [[nodiscard]] std::vector<GraphKey> ofRecord(std::uint64_t trace) const;
    [[nodiscard]] const std::string& typeName(const GraphNode& node) const { return m_types[node.type]; }

    [[nodiscard]] const GraphNode* find(const GraphKey& key) const;
    // As find(), and also what waits() keeps of messages that are stored no more.
    [[nodiscard]] const GraphNode* known(const GraphKey& key) const;
    // Nodes of a receiver's lane that overlap [from, to], by flow and in order of number.
    void visit(std::uint16_t lane, net::Time from, net::Time to,
               const std::function<void(const GraphKey&, const GraphNode&)>& see) const;
    // Rows that a lane has needed so far.
    [[nodiscard]] std::size_t rows(std::uint16_t lane) const;
    // The messages that depend on it, as far as they are stored.
    [[nodiscard]] std::vector<std::uint64_t> dependents(const GraphKey& key) const;
    // The nearest in order of number, in that direction.
    [[nodiscard]] GraphKey neighbour(const GraphKey& key, int step) const;
    // The newest that a lane received or is to receive, queued no later than `at`.
    [[nodiscard]] GraphKey newest(std::uint16_t lane, net::Time at) const;
    [[nodiscard]] GraphCause cause(const GraphKey& key, net::Time at) const;
    // How long it has not been sent, if that is longer than LongWait.
    [[nodiscard]] GraphCause senderCause(const GraphKey& key, net::Time at) const;
    // Why it is among the waits, as of then, or as it was known last.
    [[nodiscard]] GraphCause waitCause(const GraphWait& wait, net::Time at) const;
    [[nodiscard]] const GraphHandshakes& handshakes() const { return m_handshakes; }

    // In the order they were found; one that waits still has its cause as of then.
    [[nodiscard]] const std::deque<GraphWait>& waits() const { return m_waits; }
    void dismiss(const GraphKey& key, bool atSender = false);
    void dismissAll();

private:
    struct Flow {
        std::deque<GraphNode> nodes;
        std::uint64_t first = 0;            // sequence of nodes.front()
        net::Time longest = 0;              // from queued to end, of those that are done
        std::uint64_t open = 0;             // sequence of the first that is not done
        std::vector<std::uint64_t> waiting; // arrived, not executed
        std::set<std::uint64_t> unsent;     // queued, not sent
    };
    struct Row {
        GraphKey last;
        net::Time until = 0; // of a node that is gone
    };
    GraphNode& node(const GraphKey& key, net::Time time);
    [[nodiscard]] const GraphNode* nodeOf(const Flow& flow, std::uint64_t sequence) const;
    void take(const GraphStep& step);
    std::uint16_t freeRow(const GraphKey& key, net::Time queued);
    void list(const GraphKey& key, GraphNode& node, bool atSender);
    void sentFirst(const GraphKey& key, GraphNode& node, Flow& flow);
    void keepStory(const GraphKey& key, const GraphNode& node);
    void watchWaits();
    void forget();

    std::map<std::pair<std::uint16_t, std::uint16_t>, Flow> m_flows; // by receiver, sender
    std::map<std::uint16_t, std::vector<Row>> m_rows;               // of a lane
    std::vector<std::string> m_peers;
    std::vector<std::string> m_types{std::string()};
    std::map<std::string, std::uint16_t> m_typeIds;
    std::deque<GraphWait> m_waits;
    GraphHandshakes m_handshakes;
    std::optional<net::Time> m_keepFrom;
    std::uint64_t m_run = 0;
    std::uint64_t m_missed = 0;
    std::uint64_t m_version = 0;
    net::Time m_now = 0;
    std::size_t m_count = 0;
};

} // namespace sbx::ui
