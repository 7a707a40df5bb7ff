#pragma once
// The receiver's graph: runs each guaranteed message once, as soon as everything it depends on has run.

#include "engine/net/rules.h"
#include "engine/net/sequence.h"
#include "engine/net/window_ring.h"

#include <algorithm>
#include <span>
#include <utility>

namespace sbx::net {

// Purpose: holds back guaranteed messages until what they depend on is executed. Data flow: addHead() with a message's
// dependencies, setData() when all of it is here, run() executes what is ready, lowest number first. A dependency that has not
// arrived needs no placeholder: it is a slot of the window. floor() is the lowest number not executed; below it everything is.
// Bytes from the wire reach this class decoded and checked: every dependency is below its message, every number below
// floor() + window.
class ReceiveGraph {
public:
    ReceiveGraph(std::uint64_t first, std::uint32_t window)
        : m_window(window), m_floor(first), m_end(first) {}

    [[nodiscard]] std::uint64_t floor() const { return m_floor; }
    [[nodiscard]] std::uint32_t window() const { return m_window; }
    [[nodiscard]] bool executed(std::uint64_t sequence) const {
        return before(sequence, m_floor) || (before(sequence, m_end) && m_nodes[sequence].executed);
    }
    [[nodiscard]] bool hasHead(std::uint64_t sequence) const {
        return executed(sequence) || flag(sequence, &Node::hasHead);
    }
    [[nodiscard]] bool hasData(std::uint64_t sequence) const {
        return executed(sequence) || flag(sequence, &Node::hasData);
    }

    // Nothing has arrived that is not executed.
    [[nodiscard]] bool empty() const { return m_floor == m_end; }
    // The lowest number, complete, while empty(): everything it may depend on is executed, so is it now.
    void executeLowest() {
        ++m_floor;
        ++m_end;
    }
    // A second head for the same message changes nothing.
    void addHead(std::uint64_t sequence, std::span<const std::uint64_t> dependencies);
    // Not before addHead(): a message without its dependencies is not complete.
    void setData(std::uint64_t sequence);

    // Executes at most `budget` ready messages and returns how many; ready() returns whether some are left. Whatever becomes
    // ready later never overtakes them: the lowest number always goes first.
    template <typename Execute> std::uint32_t run(std::uint32_t budget, Execute execute) {
        std::uint32_t count = 0;
        while (!m_ready.empty() && (count < budget || !enforced(Rule::WorkIsBudgeted))) {
            const std::uint64_t sequence = takeReady();
            if (m_nodes[sequence].executed) {
                continue;
            }
            m_nodes[sequence].executed = true;
            release(sequence);
            execute(sequence);
            ++count;
        }
        advance();
        return count;
    }
    [[nodiscard]] bool ready() const { return !m_ready.empty(); }

    [[nodiscard]] std::uint32_t pendingEdges() const { return m_edgesUsed; }
    // What a waiting message still needs, for people; appends.
    void waitsFor(std::uint64_t sequence, std::vector<std::uint64_t>& out) const;
    [[nodiscard]] std::size_t memory() const {
        return m_nodes.memory() + m_edges.capacity() * sizeof(Edge)
               + m_ready.capacity() * sizeof(std::uint64_t);
    }

private:
    static constexpr std::uint32_t None = UINT32_MAX;
    struct Node {
        std::uint32_t firstSuccessor = None;
        std::uint16_t predecessors = 0; // not executed
        bool hasHead = false;
        bool hasData = false;
        bool executed = false;
    };
    struct Edge {
        std::uint64_t successor = 0;
        std::uint32_t next = None;
    };
    [[nodiscard]] bool flag(std::uint64_t sequence, bool Node::*which) const {
        return before(sequence, m_end) && m_nodes[sequence].*which;
    }
    void open(std::uint64_t sequence) {
        if (!before(sequence, m_end)) {
            extend(sequence);
        }
    }
    void extend(std::uint64_t sequence);
    void makeReady(std::uint64_t sequence);
    std::uint64_t takeReady();
    void release(std::uint64_t sequence);
    void advance();

    std::uint32_t m_window;
    std::uint64_t m_floor;
    std::uint64_t m_end; // slots in [floor, end) are in use
    std::uint32_t m_edgesUsed = 0;
    std::uint32_t m_freeEdge = None;
    WindowRing<Node> m_nodes;
    std::vector<Edge> m_edges;
    std::vector<std::uint64_t> m_ready; // heap, lowest first
};

} // namespace sbx::net
