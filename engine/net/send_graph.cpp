#include "engine/net/send_graph.h"

#include "engine/net/rules.h"

namespace sbx::net {

SendGraph::Admission SendGraph::admits(std::uint32_t size, std::span<const std::uint64_t> dependencies,
                                       std::uint64_t oldestFloor) const {
    if (enforced(Rule::WindowBoundsAssignment) && m_next - m_floor >= m_limits.window) {
        return Admission::WindowFull;
    }
    if (enforced(Rule::FloorBoundsAssignment) && m_next - oldestFloor >= std::uint64_t{1} << (m_bits - 1U)) {
        return Admission::WindowFull;
    }
    if (m_bytes + size > m_limits.bytes) {
        return Admission::BytesFull;
    }
    std::uint32_t edges = m_edgesUsed;
    for (const std::uint64_t dependency : dependencies) {
        edges += executed(dependency) ? 0U : 1U;
    }
    return edges > m_limits.edges ? Admission::EdgesFull : Admission::Admitted;
}

std::uint32_t SendGraph::takeEdge() {
    ++m_edgesUsed;
    if (m_freeEdge == None) {
        m_edges.emplace_back();
        return static_cast<std::uint32_t>(m_edges.size() - 1);
    }
    const std::uint32_t index = m_freeEdge;
    m_freeEdge = m_edges[index].nextSuccessor;
    return index;
}

std::uint64_t SendGraph::add(std::uint32_t size, std::span<const std::uint64_t> dependencies) {
    const std::uint64_t sequence = m_next;
    m_nodes.reserve(m_floor, m_next, m_next + 1);
    m_next = sequence + 1;
    m_bytes += size;
    Node& node = m_nodes[sequence];
    node = Node{};
    node.size = size;
    for (std::size_t i = dependencies.size(); i-- > 0;) {
        const std::uint64_t dependency = dependencies[i];
        SBX_EXPECT(before(dependency, sequence), "a dependency on a message that was not sent");
        if (executed(dependency)) {
            continue;
        }
        Node& predecessor = m_nodes[dependency];
        // This message's edges are the newest: a repeated dependency heads its predecessor's list.
        if (predecessor.firstSuccessor != None && m_edges[predecessor.firstSuccessor].successor == sequence) {
            continue;
        }
        const std::uint32_t index = takeEdge();
        m_edges[index] = {dependency, sequence, predecessor.firstSuccessor, node.firstPredecessor};
        predecessor.firstSuccessor = index;
        node.firstPredecessor = index;
        ++node.predecessors;
    }
    return sequence;
}

void SendGraph::acknowledge(std::uint64_t sequence, std::vector<std::uint64_t>* executed) {
    if (before(sequence, m_floor) || !before(sequence, m_next)) {
        return;
    }
    Node& node = m_nodes[sequence];
    if (node.acknowledged) {
        return;
    }
    node.acknowledged = true;
    if (node.predecessors > 0 || node.executed) {
        return;
    }
    if (node.firstSuccessor == None && node.firstPredecessor == None && executed == nullptr) {
        node.executed = true;
        m_bytes -= node.size;
    } else {
        m_work.clear();
        m_work.push_back(sequence);
        while (!m_work.empty()) {
            const std::uint64_t ready = m_work.back();
            m_work.pop_back();
            execute(ready, executed);
        }
    }
    while (m_floor != m_next && m_nodes[m_floor].executed) {
        ++m_floor;
    }
}

void SendGraph::execute(std::uint64_t sequence, std::vector<std::uint64_t>* executed) {
    Node& node = m_nodes[sequence];
    if (node.executed) {
        return;
    }
    node.executed = true;
    if (executed != nullptr) {
        executed->push_back(sequence);
    }
    m_bytes -= node.size;
    // Its own edges: everything it needed is executed, so no list of successors holds them any more.
    for (std::uint32_t index = node.firstPredecessor; index != None;) {
        const std::uint32_t next = m_edges[index].nextPredecessor;
        m_edges[index].nextSuccessor = m_freeEdge;
        m_freeEdge = index;
        --m_edgesUsed;
        index = next;
    }
    node.firstPredecessor = None;
    std::uint32_t index = node.firstSuccessor;
    node.firstSuccessor = None;
    while (index != None) {
        const Edge& edge = m_edges[index];
        const std::uint64_t successor = edge.successor;
        index = edge.nextSuccessor;
        Node& waiting = m_nodes[successor];
        if (--waiting.predecessors == 0
            && (waiting.acknowledged || !enforced(Rule::AcknowledgedBeforeExecuted))) {
            m_work.push_back(successor);
        }
    }
}

void SendGraph::unmetOf(std::uint64_t sequence, std::vector<std::uint64_t>& out) const {
    for (std::uint32_t index = m_nodes[sequence].firstPredecessor; index != None;
         index = m_edges[index].nextPredecessor) {
        if (!executed(m_edges[index].predecessor) || !enforced(Rule::HeadsAreRebuilt)) {
            out.push_back(m_edges[index].predecessor);
        }
    }
}

} // namespace sbx::net
