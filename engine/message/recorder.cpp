#include "engine/message/recorder.h"

#include <algorithm>
#include <cstring>

namespace sbx {

Recorder::Recorder() : m_open(std::make_unique<RecordSegment>()) {
    // Readers look names of worlds up while more may be added: never reallocated.
    m_worlds.reserve(256);
}

Recorder::~Recorder() = default;

std::uint8_t Recorder::addWorld(std::string_view name) {
    const NameId id = m_names.intern(name);
    const auto known = std::find(m_worlds.begin(), m_worlds.end(), id);
    if (known != m_worlds.end())
        return static_cast<std::uint8_t>(known - m_worlds.begin());
    SBX_EXPECT(m_worlds.size() < 256, "at most 256 worlds");
    m_worlds.push_back(id);
    return static_cast<std::uint8_t>(m_worlds.size() - 1);
}

void Recorder::setRecorded(MessageTypeId type, bool recorded) {
    if (type >= m_recorded.size())
        m_recorded.resize(type + std::size_t(1), 0);
    m_recorded[type] = recorded ? 2 : 1;
}

bool Recorder::isRecorded(MessageTypeId type) const {
    if (type >= m_recorded.size())
        m_recorded.resize(type + std::size_t(1), 0);
    if (m_recorded[type] == 0)
        m_recorded[type] = messageType(type).recorded ? 2 : 1;
    return m_recorded[type] == 2;
}

void Recorder::setComponentName(ComponentTypeId component, std::string_view name) {
    if (component >= m_componentNames.size())
        m_componentNames.resize(component + std::size_t(1), 0);
    m_componentNames[component] = m_names.intern(name);
}

Recorder::Ticket Recorder::begin(const Envelope& envelope, NameId sender, NameId receiver,
                                 std::span<const HandlerEntry> handlers, const void* payload,
                                 std::size_t payloadSize) {
    const std::size_t offset = m_open->m_words.size() * sizeof(RecordSegment::Word);
    const std::size_t visits = std::min<std::size_t>(handlers.size(), 0xFFFF);
    const std::size_t payloadAt = RecordView::payloadOffset(visits);
    const std::size_t total = RecordView::roundUp(payloadAt + payloadSize);
    m_open->m_words.resize(m_open->m_words.size() + total / sizeof(RecordSegment::Word));
    m_open->m_offsets.push_back(static_cast<std::uint32_t>(offset));

    auto* header = new (at(offset)) RecordHeader;
    header->envelope = envelope;
    header->sender = sender;
    header->receiver = receiver;
    header->visits = static_cast<std::uint16_t>(visits);
    header->payload = static_cast<std::uint16_t>(payloadSize);
    for (std::size_t i = 0; i < visits; ++i) {
        auto* visit = new (at(offset + sizeof(RecordHeader) + i * sizeof(HandlerVisit))) HandlerVisit;
        visit->component =
            handlers[i].component < m_componentNames.size() ? m_componentNames[handlers[i].component] : 0;
        visit->priority = handlers[i].priority;
    }
    if (payloadSize > 0)
        std::memcpy(at(offset + payloadAt), payload, payloadSize);
    return {offset};
}

void Recorder::visit(Ticket ticket, std::size_t handler, HandlerResult result, std::uint32_t nanoseconds) {
    auto* visit = reinterpret_cast<HandlerVisit*>(
        at(ticket.offset + sizeof(RecordHeader) + handler * sizeof(HandlerVisit)));
    visit->result = result;
    visit->nanoseconds = nanoseconds;
}

void Recorder::seal() {
    if (m_open->size() == 0)
        return;
    // A reader nobody else holds has ended its subscription.
    std::erase_if(m_readers, [](const std::shared_ptr<RecordReader>& r) { return r.use_count() == 1; });
    if (m_readers.empty()) {
        m_open->m_words.clear();
        m_open->m_offsets.clear();
        return;
    }
    const std::shared_ptr<const RecordSegment> sealed = std::move(m_open);
    m_open = std::make_unique<RecordSegment>();
    m_open->m_words.reserve(sealed->m_words.size());
    m_open->m_offsets.reserve(sealed->size());
    for (const auto& reader : m_readers)
        reader->push(sealed);
}

std::shared_ptr<RecordReader> Recorder::addReader(std::size_t limitBytes) {
    m_readers.push_back(std::shared_ptr<RecordReader>(new RecordReader(limitBytes)));
    return m_readers.back();
}

RecordReader::RecordReader(std::size_t limitBytes)
    : m_head(std::make_unique<Node>().release()), m_tail(m_head), m_limit(limitBytes) {}

RecordReader::~RecordReader() {
    while (m_head != nullptr) {
        Node* next = m_head->next.load(std::memory_order_relaxed);
        delete m_head;
        m_head = next;
    }
}

void RecordReader::push(const std::shared_ptr<const RecordSegment>& segment) {
    const std::size_t bytes = segment->bytes();
    if (m_waiting.load(std::memory_order_relaxed) + bytes > m_limit) {
        m_missed.fetch_add(segment->size(), std::memory_order_relaxed);
        return;
    }
    m_waiting.fetch_add(bytes, std::memory_order_relaxed);
    auto node = std::make_unique<Node>();
    node->segment = segment;
    Node* raw = node.release();
    m_tail->next.store(raw, std::memory_order_release);
    m_tail = raw;
}

std::size_t RecordReader::poll(std::vector<std::shared_ptr<const RecordSegment>>& out) {
    std::size_t count = 0;
    while (Node* next = m_head->next.load(std::memory_order_acquire)) {
        delete m_head;
        m_head = next;
        m_waiting.fetch_sub(next->segment->bytes(), std::memory_order_relaxed);
        out.push_back(std::move(next->segment));
        ++count;
    }
    return count;
}

} // namespace sbx
