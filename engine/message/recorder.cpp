#include "engine/message/recorder.h"

#include "engine/message/segment_pool.h"

#include <algorithm>
#include <utility>

namespace sbx {

const char* noteName(RecordNote note) {
    static constexpr const char* Names[] = {"", "short", "gone", "unheard", "cut"};
    return Names[static_cast<int>(note)];
}

Recorder::Recorder()
    : m_shapes(std::make_shared<ShapeNames>()),
      m_pool(std::make_shared<SegmentPool>()),
      m_open(std::make_unique<RecordSegment>()) {
    m_at.offsets = m_at.nextOffset = &m_noOffset;
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
    m_recorded[type] = recorded ? 2 : 1;
}

bool Recorder::lookRecordedUp(MessageTypeId type) const {
    m_recorded[type] = messageType(type).recorded ? 2 : 1;
    return m_recorded[type] == 2;
}

void Recorder::setComponentName(ComponentTypeId component, std::string_view name) {
    if (m_shapes->name(component) == 0)
        m_shapes->setName(component, m_names.intern(name));
}

void Recorder::makeRoom(std::size_t bytes) {
    const std::uint32_t used = m_at.used();
    m_open->m_used = m_at.bytes();
    m_open->m_count = m_at.count();
    m_open->reserve(std::max(m_open->m_used + bytes, m_expected));
    m_at.memory = m_open->at(0);
    m_at.offsets = m_open->m_offsets.get();
    m_at.nextOffset = m_at.offsets + m_open->m_count;
    *m_at.nextOffset = used;
    const auto room = static_cast<std::uint32_t>(m_open->m_capacity / record::Alignment);
    m_at.room = m_timing || m_stamps ? 0 : room;
    m_at.stampedRoom = m_stamps && !m_timing ? room : 0;
}

Recorder::Ticket Recorder::beginAside(const Envelope& envelope, NameId sender, NameId receiver, ShapeId shape,
                                      const void* payload, std::size_t size) {
    const std::size_t stampAt = record::roundUp(sizeof(RecordHeader) + size, sizeof(std::uint64_t));
    const std::size_t bytes = record::roundUp(stampAt + sizeof(std::uint64_t));
    // As the plain way would, with room for the stamp.
    if (!m_stamps || m_at.used() + wordsOf(bytes) > m_at.stampedRoom)
        return write(envelope, sender, receiver, shape, payload, size, nullptr);
    const std::uint32_t used = m_at.used();
    const std::uint32_t room = std::exchange(m_at.room, m_at.stampedRoom);
    Ticket ticket;
    const bool begun = !envelope.delayed
                       && beginPlain(ticket, envelope.sequence, envelope.cause, envelope.tick, payload, size,
                                     Plain{envelope.sender, envelope.receiver, sender, receiver, shape,
                                           kindOf(envelope.type, size, envelope.delivery, envelope.world)
                                               | std::uint64_t(record::Stamped) << 56U});
    m_at.room = room;
    if (!begun)
        return write(envelope, sender, receiver, shape, payload, size, nullptr);
    *m_at.nextOffset = used + wordsOf(bytes);
    const std::uint64_t stamp = clockTicks();
    std::memcpy(m_at.memory + ticket.offset + stampAt, &stamp, sizeof stamp);
    return ticket;
}

Recorder::Ticket Recorder::write(const Envelope& envelope, NameId sender, NameId receiver, ShapeId shape,
                                 const void* payload, std::size_t size, const RecordExtra* note) {
    SBX_EXPECT(size <= MaxMessageSize, "message too large to record");
    const std::uint64_t stamp = m_stamps ? clockTicks() : 0;
    if (m_at.count() == 0) {
        endReadiness();
        // Other worlds may record too, and be further back in a count of their own.
        constexpr std::uint64_t Back = 0x8000'0000U;
        m_at.firstSequence = envelope.sequence > Back ? envelope.sequence - Back : 0;
        m_at.firstTick = envelope.tick;
        m_open->m_firstStamp = m_stamps ? stamp : clockTicks();
    }
    const std::uint64_t sequence = envelope.sequence - m_at.firstSequence;
    const std::uint64_t tick = envelope.tick - m_at.firstTick;
    const std::uint64_t cause = envelope.cause == 0 ? 0 : envelope.sequence - envelope.cause;
    const bool wide = ((sequence | tick | cause) >> 32U) != 0 || envelope.delayed || note != nullptr;
    if (m_timing)
        m_shapes->learn(shape);
    const std::size_t handlers = m_timing ? m_shapes->handlers(shape).size() : 0;

    const std::size_t payloadAt = sizeof(RecordHeader) + (wide ? sizeof(RecordExtra) : 0);
    const std::size_t stampAt = record::roundUp(payloadAt + size, sizeof(std::uint64_t));
    const std::size_t timesAt = stampAt + (m_stamps ? sizeof(std::uint64_t) : 0);
    const std::size_t bytes = record::roundUp(timesAt + handlers * sizeof(std::uint32_t));
    makeRoom(bytes);
    std::byte* const at = m_at.memory + m_at.bytes();

    RecordHeader header{};
    header.sequence = static_cast<std::uint32_t>(sequence);
    header.tick = static_cast<std::uint32_t>(tick);
    header.cause = static_cast<std::uint32_t>(cause);
    header.senderName = sender;
    header.receiverName = receiver;
    header.shape = shape;
    header.sender = envelope.sender.bits;
    header.receiver = envelope.receiver.bits;
    header.type = envelope.type;
    header.payload = static_cast<std::uint16_t>(size);
    header.world = envelope.world;
    header.flags = static_cast<std::uint8_t>(
        static_cast<unsigned>(envelope.delivery) | (envelope.delayed ? record::Delayed : 0U)
        | (wide ? record::Extra : 0U) | (handlers > 0 ? record::Timed : 0U) | (m_stamps ? record::Stamped : 0U));
    new (at) RecordHeader(header);
    if (wide) {
        RecordExtra extra{};
        if (note != nullptr)
            extra = *note;
        extra.sequence = envelope.sequence;
        extra.tick = envelope.tick;
        extra.cause = envelope.cause;
        extra.queuedAt = envelope.queuedAt;
        new (at + sizeof header) RecordExtra(extra);
    }
    if (size > 0)
        std::memcpy(at + payloadAt, payload, size);
    if (m_stamps)
        std::memcpy(at + stampAt, &stamp, sizeof stamp);
    std::memset(at + timesAt, 0, handlers * sizeof(std::uint32_t));
    const Ticket ticket{m_at.bytes()};
    m_at.nextOffset[1] = m_at.used() + wordsOf(bytes);
    ++m_at.nextOffset;
    return ticket;
}

void Recorder::time(Ticket ticket, std::size_t handler, std::uint64_t ticks) {
    const auto& header = *reinterpret_cast<const RecordHeader*>(m_at.memory + ticket.offset);
    if ((header.flags & record::Timed) == 0)
        return; // timing was switched on by a handler of this very message
    const RecordView view(*m_open, m_at.memory + ticket.offset);
    const std::uint32_t nanoseconds = m_clock.nanoseconds(ticks);
    std::memcpy(m_at.memory + ticket.offset + view.timesOffset() + handler * sizeof nanoseconds, &nanoseconds,
                sizeof nanoseconds);
}

void Recorder::note(RecordNote note, const Envelope& envelope, NameId sender, NameId receiver, const void* payload,
                    std::size_t size, std::uint32_t receivers, std::uint32_t minimum) {
    RecordExtra extra{};
    extra.note = note;
    extra.receivers = receivers;
    extra.minimum = minimum;
    write(envelope, sender, receiver, NoHandlers, payload, size, &extra);
}

void Recorder::seal() {
    if (m_at.count() == 0)
        return;
    // A reader nobody else holds has ended its subscription.
    std::erase_if(m_readers, [](const std::shared_ptr<RecordReader>& r) { return r.use_count() == 1; });
    const std::size_t used = m_at.bytes();
    m_open->m_used = m_at.bytes();
    m_open->m_count = m_at.count();
    if (!m_readers.empty()) {
        if (m_timing || m_stamps)
            m_clock.calibrate();
        m_open->m_firstSequence = m_at.firstSequence;
        m_open->m_firstTick = m_at.firstTick;
        m_open->m_nsPerTick = m_clock.nsPerTick();
        // All that exist: what was recorded is among them.
        m_shapes->learn(lastShape());
        m_open->m_shapes = m_shapes;
        const std::shared_ptr<const RecordSegment> sealed = SegmentPool::share(m_pool, std::move(m_open));
        for (const auto& reader : m_readers)
            reader->push(sealed);
        m_open = m_pool->take(used);
    }
    m_open->m_used = m_open->m_count = 0;
    m_open->shrinkTo(used);
    m_expected = used;
    // No room: the next record goes the long way and opens the segment.
    m_at.offsets = m_at.nextOffset = &m_noOffset;
    m_at.room = m_at.stampedRoom = 0;
}

std::shared_ptr<RecordReader> Recorder::addReader(std::size_t limitBytes) {
    m_readers.push_back(std::shared_ptr<RecordReader>(new RecordReader(limitBytes)));
    return m_readers.back();
}

} // namespace sbx
