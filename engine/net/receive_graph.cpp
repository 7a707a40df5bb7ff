#include "engine/net/receive_graph.h"

namespace sbx::net {

namespace {
bool later(std::uint64_t a, std::uint64_t b) { return before(b, a); }
} // namespace

void ReceiveGraph::extend(std::uint64_t sequence) {
    m_nodes.reserve(m_floor, m_end, sequence + 1);
    for (; m_end != sequence + 1; ++m_end) {
        m_nodes[m_end] = Node{};
    }
}

void ReceiveGraph::addHead(std::uint64_t sequence, std::span<const std::uint64_t> dependencies) {
    if (executed(sequence)) {
        return;
    }
    open(sequence);
    if (m_nodes[sequence].hasHead && enforced(Rule::DuplicatesAddNoEdges)) {
        return;
    }
    m_nodes[sequence].hasHead = true;
    for (const std::uint64_t dependency : dependencies) {
        if (executed(dependency)
            && (enforced(Rule::BelowTheFloorIsSatisfied) || !before(dependency, m_floor))) {
            continue;
        }
        open(dependency);
        Node& predecessor = m_nodes[dependency];
        // This message's edges are the newest: a repeated dependency heads its predecessor's list.
        if (predecessor.firstSuccessor != None && m_edges[predecessor.firstSuccessor].successor == sequence
            && enforced(Rule::DuplicatesAddNoEdges)) {
            continue;
        }
        const Edge edge{sequence, predecessor.firstSuccessor};
        if (m_freeEdge == None) {
            predecessor.firstSuccessor = static_cast<std::uint32_t>(m_edges.size());
            m_edges.push_back(edge);
        } else {
            predecessor.firstSuccessor = m_freeEdge;
            m_freeEdge = std::exchange(m_edges[m_freeEdge], edge).next;
        }
        ++m_edgesUsed;
        ++m_nodes[sequence].predecessors;
    }
}

void ReceiveGraph::setData(std::uint64_t sequence) {
    if (executed(sequence)) {
        return;
    }
    Node& node = m_nodes[sequence];
    if (node.hasData) {
        return;
    }
    node.hasData = true;
    if (node.predecessors == 0) {
        makeReady(sequence);
    }
}

void ReceiveGraph::makeReady(std::uint64_t sequence) {
    m_ready.push_back(sequence);
    std::push_heap(m_ready.begin(), m_ready.end(), later);
}

std::uint64_t ReceiveGraph::takeReady() {
    std::pop_heap(m_ready.begin(), m_ready.end(), later);
    const std::uint64_t sequence = m_ready.back();
    m_ready.pop_back();
    return sequence;
}

void ReceiveGraph::release(std::uint64_t sequence) {
    // Detached first: executing must find no half-walked list.
    std::uint32_t index = m_nodes[sequence].firstSuccessor;
    m_nodes[sequence].firstSuccessor = None;
    while (index != None) {
        Edge& edge = m_edges[index];
        const std::uint32_t next = edge.next;
        Node& waiting = m_nodes[edge.successor];
        if (--waiting.predecessors == 0 && (waiting.hasData || !enforced(Rule::DataBeforeExecution))) {
            makeReady(edge.successor);
        }
        edge.next = m_freeEdge;
        m_freeEdge = index;
        --m_edgesUsed;
        index = next;
    }
}

void ReceiveGraph::advance() {
    while (m_floor != m_end && m_nodes[m_floor].executed) {
        m_nodes[m_floor] = Node{};
        ++m_floor;
    }
}

void ReceiveGraph::waitsFor(std::uint64_t sequence, std::vector<std::uint64_t>& out) const {
    if (!hasHead(sequence) || executed(sequence)) {
        return;
    }
    for (std::uint64_t n = m_floor; before(n, sequence); ++n) {
        for (std::uint32_t index = m_nodes[n].firstSuccessor; index != None; index = m_edges[index].next) {
            if (m_edges[index].successor == sequence) {
                out.push_back(n);
                break;
            }
        }
    }
}

} // namespace sbx::net
