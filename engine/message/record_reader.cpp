#include "engine/message/record_reader.h"

namespace sbx {

RecordReader::RecordReader(std::size_t limitBytes)
    : m_head(std::make_unique<Node>().release()),
      m_tail(m_head.load(std::memory_order_relaxed)),
      m_first(m_tail),
      m_headSeen(m_tail),
      m_limit(limitBytes) {}

RecordReader::~RecordReader() {
    while (m_first != nullptr) {
        Node* const next = m_first->next.load(std::memory_order_relaxed);
        delete m_first;
        m_first = next;
    }
}

RecordReader::Node* RecordReader::takeNode() {
    if (m_first == m_headSeen)
        m_headSeen = m_head.load(std::memory_order_acquire);
    if (m_first == m_headSeen)
        return std::make_unique<Node>().release();
    Node* const node = m_first;
    m_first = node->next.load(std::memory_order_relaxed);
    node->next.store(nullptr, std::memory_order_relaxed);
    return node;
}

void RecordReader::push(const std::shared_ptr<const RecordSegment>& segment) {
    const std::size_t bytes = segment->bytes();
    if (m_waiting.load(std::memory_order_relaxed) + bytes > m_limit) {
        std::size_t missed = 0;
        segment->forEach([&](const RecordView&) { ++missed; });
        m_missed.fetch_add(missed, std::memory_order_relaxed);
        return;
    }
    m_waiting.fetch_add(bytes, std::memory_order_relaxed);
    Node* const node = takeNode();
    node->segment = segment;
    m_tail->next.store(node, std::memory_order_release);
    m_tail = node;
}

std::size_t RecordReader::poll(std::vector<std::shared_ptr<const RecordSegment>>& out) {
    std::size_t count = 0;
    Node* head = m_head.load(std::memory_order_relaxed);
    while (Node* const next = head->next.load(std::memory_order_acquire)) {
        m_waiting.fetch_sub(next->segment->bytes(), std::memory_order_relaxed);
        out.push_back(std::move(next->segment));
        head = next;
        m_head.store(head, std::memory_order_release);
        ++count;
    }
    return count;
}

} // namespace sbx
