#pragma once
// The sender's counterpart of the receiver's graph: what the peer must have executed, known from acknowledgements alone.

#include "engine/net/sequence.h"
#include "engine/net/window_ring.h"

#include <span>

namespace sbx::net {

// Purpose: numbers guaranteed messages and knows which the peer has executed. A message is executed when it is acknowledged and
// everything it depends on is executed; never on dependencies alone. Data flow: add() when sent, acknowledge() when a packet with
// it is acknowledged, dependenciesOf() at every transmission. Memory: a slot per message not yet executed (window), an edge per
// dependency of such a message; both bounded by the limits and taken from pools. floor() is the lowest number not executed.
class SendGraph {
public:
    struct Limits {
        std::uint32_t window = 1024;
        std::uint32_t edges = 16 * 1024;
        std::uint64_t bytes = 1 << 20;
    };
    enum class Admission : std::uint8_t { Admitted, WindowFull, EdgesFull, BytesFull };

    SendGraph(unsigned sequenceBits, std::uint64_t first)
        : m_bits(sequenceBits), m_floor(first), m_next(first) {}
    void setLimits(const Limits& limits) { m_limits = limits; }
    [[nodiscard]] const Limits& limits() const { return m_limits; }

    // Whether a message of `size` bytes with these dependencies may be added. `oldestFloor` was floor() when the oldest packet
    // that the peer could still accept was sent: what that packet holds must stay unambiguous.
    [[nodiscard]] Admission admits(std::uint32_t size, std::span<const std::uint64_t> dependencies,
                                   std::uint64_t oldestFloor) const;
    // Adds the next message; dependencies already executed, and repeated ones, cost nothing. All must be earlier messages.
    std::uint64_t add(std::uint32_t size, std::span<const std::uint64_t> dependencies);
    // Marks it as stored by the peer and executes what that makes ready, which is appended to `executed`. Repeated calls change
    // nothing.
    void acknowledge(std::uint64_t sequence, std::vector<std::uint64_t>* executed = nullptr);

    // Known executed by the peer. A number not yet given out is not.
    [[nodiscard]] bool executed(std::uint64_t sequence) const {
        return before(sequence, m_floor) || (before(sequence, m_next) && m_nodes[sequence].executed);
    }
    [[nodiscard]] bool acknowledged(std::uint64_t sequence) const {
        return before(sequence, m_floor) || (before(sequence, m_next) && m_nodes[sequence].acknowledged);
    }
    // Appends the dependencies not known executed; at most 64, each below `sequence`.
    void dependenciesOf(std::uint64_t sequence, std::vector<std::uint64_t>& out) const {
        if (!before(sequence, m_floor) && before(sequence, m_next) && m_nodes[sequence].firstPredecessor != None) {
            unmetOf(sequence, out);
        }
    }

    [[nodiscard]] std::uint64_t floor() const { return m_floor; }
    [[nodiscard]] std::uint64_t next() const { return m_next; }
    [[nodiscard]] std::uint64_t pendingBytes() const { return m_bytes; }
    [[nodiscard]] std::uint32_t pendingEdges() const { return m_edgesUsed; }
    [[nodiscard]] std::size_t memory() const {
        return m_nodes.memory() + m_edges.capacity() * sizeof(Edge)
               + m_work.capacity() * sizeof(std::uint64_t);
    }

private:
    static constexpr std::uint32_t None = UINT32_MAX;
    struct Node {
        std::uint32_t size = 0;
        std::uint32_t firstSuccessor = None;
        std::uint32_t firstPredecessor = None;
        std::uint16_t predecessors = 0; // not executed
        bool acknowledged = false;
        bool executed = false;
    };
    // In the list of successors of one message and in the list of predecessors of another; lives until the latter executes.
    struct Edge {
        std::uint64_t predecessor = 0;
        std::uint64_t successor = 0;
        std::uint32_t nextSuccessor = None;
        std::uint32_t nextPredecessor = None;
    };
    void unmetOf(std::uint64_t sequence, std::vector<std::uint64_t>& out) const;
    std::uint32_t takeEdge();
    void execute(std::uint64_t sequence, std::vector<std::uint64_t>* executed);

    unsigned m_bits;
    Limits m_limits;
    std::uint64_t m_floor;
    std::uint64_t m_next;
    std::uint64_t m_bytes = 0;
    std::uint32_t m_edgesUsed = 0;
    std::uint32_t m_freeEdge = None;
    WindowRing<Node> m_nodes;
    std::vector<Edge> m_edges;
    std::vector<std::uint64_t> m_work;
};

} // namespace sbx::net
