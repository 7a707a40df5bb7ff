#include "engine/message/delayed_queue.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace sbx {

namespace {
// std heaps put the greatest first: "later" is greatest last.
bool later(const DelayedMessage& a, const DelayedMessage& b) {
    return std::tie(a.due, a.priority, a.order) > std::tie(b.due, b.priority, b.order);
}
} // namespace

DelayedQueue::~DelayedQueue() = default;

void DelayedQueue::push(std::uint64_t due, int priority, const Envelope& envelope, const void* payload,
                        std::size_t size) {
    SBX_EXPECT(size <= MaxMessageSize, "message too large to queue");
    if (m_free == nullptr) {
        m_slabs.push_back(std::make_unique<Block[]>(BlocksPerSlab));
        for (std::size_t i = 0; i < BlocksPerSlab; ++i) {
            m_slabs.back()[i].next = m_free;
            m_free = &m_slabs.back()[i];
        }
    }
    Block* block = m_free;
    m_free = block->next;
    std::memcpy(block->bytes, payload, size);
    m_heap.push_back({due, priority, m_nextOrder++, envelope, size, block});
    std::push_heap(m_heap.begin(), m_heap.end(), later);
}

bool DelayedQueue::pop(std::uint64_t tick, DelayedMessage& out, void* buffer) {
    if (m_heap.empty() || m_heap.front().due > tick)
        return false;
    std::pop_heap(m_heap.begin(), m_heap.end(), later);
    out = m_heap.back();
    m_heap.pop_back();
    auto* block = static_cast<Block*>(out.payload);
    std::memcpy(buffer, block->bytes, out.size);
    out.payload = buffer;
    block->next = m_free;
    m_free = block;
    return true;
}

void DelayedQueue::clear() {
    for (const DelayedMessage& m : m_heap) {
        auto* block = static_cast<Block*>(m.payload);
        block->next = m_free;
        m_free = block;
    }
    m_heap.clear();
}

void DelayedQueue::hash(Hash64& into) const {
    into.add(m_nextOrder);
    std::vector<const DelayedMessage*> sorted;
    for (const DelayedMessage& m : m_heap)
        sorted.push_back(&m);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return later(*b, *a); });
    for (const DelayedMessage* m : sorted) {
        into.add(m->due);
        into.add(m->envelope.receiver.bits);
        into.add(std::string_view(messageType(m->envelope.type).name));
        messageType(m->envelope.type).fields->hash(static_cast<const Block*>(m->payload)->bytes, into);
    }
}

} // namespace sbx
