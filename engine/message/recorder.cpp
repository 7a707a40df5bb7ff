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
      m_entityNames(std::make_shared<EntityNamesOfWorlds>()),
      m_pool(std::make_shared<SegmentPool>()),
      m_open(std::make_unique<RecordSegment>()) {
    // Readers look names of worlds up while more may be added: never reallocated.
    m_worlds.reserve(256);
}

Recorder::~Recorder() = default;

std::uint8_t Recorder::addWorld(std::string_view name) {
    const NameId id = m_names.intern(name);
    const auto known = std::find(m_worlds.begin(), m_worlds.end(), id);
    if (known != m_worlds.end()) {
        const auto world = static_cast<std::uint8_t>(known - m_worlds.begin());
        forgetNames(world);
        return world;
    }
    SBX_EXPECT(m_worlds.size() < 256, "at most 256 worlds");
    m_worlds.push_back(id);
    return static_cast<std::uint8_t>(m_worlds.size() - 1);
}

// ---------------------------------------------------------------------------------------------------- what is recorded

void Recorder::change() {
    for (RecordLane* const lane : m_lanes) {
        lane->limit = nullptr;
        lane->changed(lane->owner);
    }
}

void Recorder::setEnabled(bool enabled) {
    if (std::exchange(m_enabled, enabled) != enabled)
        change();
}

void Recorder::setTiming(bool timing) {
    if (std::exchange(m_timing, timing) != timing)
        change();
}

void Recorder::setStamps(bool stamps) {
    if (std::exchange(m_stamps, stamps) == stamps)
        return;
    if (stamps && m_memory != nullptr && m_open->m_firstStamp == 0)
        m_open->m_firstStamp = clockTicks(); // its records so far have none
    change();
}

void Recorder::setRecorded(MessageTypeId type, bool recorded) {
    const std::uint8_t known = recorded ? 2 : 1;
    if (std::exchange(m_recorded[type], known) != known)
        change();
}

void Recorder::addLane(RecordLane& lane) {
    m_lanes.push_back(&lane);
    lane.changed(lane.owner);
}

void Recorder::removeLane(RecordLane& lane) {
    if (m_ready == &lane)
        endReadiness();
    std::erase(m_lanes, &lane);
    if (sharesItsName(lane))
        forgetNames(lane.world);
}

bool Recorder::lookUpRecorded(MessageTypeId type) const {
    m_recorded[type] = messageType(type).recorded ? 2 : 1;
    return m_recorded[type] == 2;
}

void Recorder::setComponentName(ComponentTypeId component, std::string_view name, bool observer) {
    // A rebuilt plugin may declare another.
    if (m_shapes->name(component) == 0 || m_shapes->isObserver(component) != observer)
        m_shapes->setName(component, m_names.intern(name), observer);
}

bool Recorder::sharesItsName(const RecordLane& lane) const {
    return std::any_of(m_lanes.begin(), m_lanes.end(),
                       [&](const RecordLane* other) { return other != &lane && other->world == lane.world; });
}

// What was recorded so far keeps them.
void Recorder::forgetNames(std::uint8_t world) {
    if ((*m_entityNames)[world] == nullptr)
        return;
    seal();
    m_entityNames = std::make_shared<EntityNamesOfWorlds>(*m_entityNames);
    (*m_entityNames)[world].reset();
    for (RecordLane* const lane : m_lanes)
        if (lane->world == world) {
            lane->limit = nullptr;
            lane->changed(lane->owner);
        }
}

void Recorder::setEntityName(const RecordLane& lane, EntityId entity, NameId name) {
    std::shared_ptr<EntityNames>& names = (*m_entityNames)[lane.world];
    if (names == nullptr)
        names = std::make_shared<EntityNames>();
    names->add(entity, name);
}

// ---------------------------------------------------------------------------------------------------- records

void Recorder::makeRoom(std::size_t bytes) {
    m_open->m_used = static_cast<std::size_t>(*m_cursor - m_memory);
    m_open->reserve(std::max(m_open->m_used + bytes, m_expected));
    std::byte* const before = std::exchange(m_memory, m_open->at(0));
    for (RecordLane* const lane :
         m_lanes) // of one that is not ready: where the last record ended that it wrote
        if (lane->next != nullptr)
            lane->next = m_memory + (lane->next - before);
    *m_cursor = m_memory + m_open->m_used;
    m_end = m_memory + m_open->m_capacity;
    if (m_ready != nullptr && m_ready->limit != nullptr)
        m_ready->limit = m_end - RecordLane::Slack;
}

void Recorder::prepare(RecordLane& lane, std::uint64_t tick) {
    const std::uint64_t ticks = tick - m_firstTick;
    // A world may be further back than the segment reaches, or further on. Hooks do not check this: no segment has room for 1.5 * 2^30 records.
    constexpr std::uint64_t Reach = 0xA000'0000U;
    if (m_timing || m_end == nullptr || (ticks >> 24U) != 0 || lane.sequence() - m_firstSequence >= Reach
        || sharesItsName(lane))
        return;
    endReadiness();
    m_ready = &lane;
    lane.next = m_next;
    m_cursor = &lane.next;
    lane.limit = m_end - RecordLane::Slack;
    const std::uint64_t sequence = lane.sequence();
    lane.when = (ticks << 32U | std::uint64_t(lane.world) << 56U) - m_firstSequence;
    lane.word = lane.when + sequence;
    lane.lastSequence = m_firstSequence + Reach;
}

void Recorder::endReadiness() {
    if (m_ready == nullptr)
        return;
    m_next = m_ready->next;
    m_cursor = &m_next;
    std::exchange(m_ready, nullptr)->limit = nullptr;
}

Recorder::Ticket Recorder::write(const Envelope& envelope, NameId sender, NameId receiver, ShapeId shape,
                                 const void* payload, std::size_t size, const RecordExtra* note) {
    SBX_EXPECT(size <= MaxMessageSize, "message too large to record");
    const std::uint64_t stamp = m_stamps ? clockTicks() : 0;
    if (*m_cursor == m_memory) {
        endReadiness();
        // Other worlds may record too, and be further back in a count of their own.
        constexpr std::uint64_t Back = 0x8000'0000U;
        m_firstSequence = envelope.sequence > Back ? envelope.sequence - Back : 0;
        m_firstTick = envelope.tick;
        m_open->m_firstStamp = stamp;
    }
    const std::uint64_t sequence = envelope.sequence - m_firstSequence;
    const std::uint64_t tick = envelope.tick - m_firstTick;
    const std::uint64_t cause = record::ago(envelope.sequence, envelope.cause, envelope.through);
    const bool wide = ((sequence | cause) >> 32U | tick >> 24U) != 0 || envelope.delayed || envelope.site != 0
                      || note != nullptr;
    const bool origin = (cause | envelope.sender.bits | sender) != 0;
    if (m_timing)
        m_shapes->learn(shape);
    const std::size_t handlers = m_timing ? m_shapes->handlers(shape).size() : 0;

    const std::size_t extraAt = record::headBytes(origin);
    const std::size_t payloadAt = extraAt + (wide ? sizeof(RecordExtra) : 0);
    const std::size_t stampAt = record::roundUp(payloadAt + size, sizeof(std::uint64_t));
    const std::size_t timesAt = stampAt + (m_stamps ? sizeof(std::uint64_t) : 0);
    const std::size_t bytes = record::roundUp(timesAt + handlers * sizeof(std::uint32_t));
    if (static_cast<std::size_t>(m_end - *m_cursor) < bytes)
        makeRoom(bytes);
    std::byte* const at = *m_cursor;
    *m_cursor = at + bytes;

    const auto flags = static_cast<unsigned>(envelope.delivery) | (envelope.delayed ? record::Delayed : 0U)
                       | (origin ? record::Origin : 0U) | (wide ? record::Extra : 0U)
                       | (handlers > 0 ? record::Timed : 0U) | (m_stamps ? record::Stamped : 0U)
                       | (envelope.injected ? record::Injected : 0U);
    RecordHeader header{};
    header.sequence = static_cast<std::uint32_t>(sequence);
    header.tickAndWorld =
        static_cast<std::uint32_t>((tick & 0xFF'FFFFU) | std::uint64_t(envelope.world) << 24U);
    header.flags = static_cast<std::uint16_t>(flags);
    header.receiverName = receiver;
    header.shape = shape;
    header.receiver = envelope.receiver.bits;
    header.type = envelope.type;
    header.payload = static_cast<std::uint16_t>(size);
    new (at) RecordHeader(header);
    if (origin)
        new (at + sizeof header)
            RecordOrigin{envelope.sender.bits, sender, static_cast<std::uint32_t>(cause)};
    if (wide) {
        RecordExtra extra{};
        if (note != nullptr)
            extra = *note;
        extra.sequence = envelope.sequence;
        extra.tick = envelope.tick;
        extra.cause = envelope.cause;
        extra.queuedAt = envelope.queuedAt;
        extra.through = envelope.through;
        extra.site = envelope.site;
        new (at + extraAt) RecordExtra(extra);
    }
    if (size > 0)
        std::memcpy(at + payloadAt, payload, size);
    if (m_stamps)
        std::memcpy(at + stampAt, &stamp, sizeof stamp);
    std::memset(at + timesAt, 0, handlers * sizeof(std::uint32_t));
    return {static_cast<std::size_t>(at - m_memory)};
}

void Recorder::time(Ticket ticket, std::size_t handler, std::uint64_t ticks) {
    const RecordView view(*m_open, m_memory + ticket.offset);
    if (!view.has(record::Timed))
        return; // timing was switched on by a handler of this very message
    const std::uint32_t nanoseconds = m_clock.nanoseconds(ticks);
    std::memcpy(m_memory + ticket.offset + view.timesOffset() + handler * sizeof nanoseconds, &nanoseconds,
                sizeof nanoseconds);
}

void Recorder::note(RecordNote note, const Envelope& envelope, NameId sender, NameId receiver,
                    const void* payload, std::size_t size, std::uint32_t receivers, std::uint32_t minimum,
                    const RecordLane* lane) {
    endOtherReadiness(lane);
    RecordExtra extra{};
    extra.note = note;
    extra.receivers = receivers;
    extra.minimum = minimum;
    write(envelope, sender, receiver, NoHandlers, payload, size, &extra);
}

void Recorder::seal() {
    endReadiness();
    const auto used = static_cast<std::size_t>(m_next - m_memory);
    if (used == 0)
        return;
    // A reader to which no other reference exists has ended its subscription.
    std::erase_if(m_readers, [](const std::shared_ptr<RecordReader>& r) { return r.use_count() == 1; });
    m_open->m_used = used;
    if (!m_readers.empty()) {
        if (m_timing || m_stamps)
            m_clock.calibrate();
        m_open->m_firstSequence = m_firstSequence;
        m_open->m_firstTick = m_firstTick;
        m_open->m_run = m_run;
        m_open->m_nsPerTick = m_clock.nsPerTick();
        // All that exist: what was recorded is among them.
        m_shapes->learn(lastShape());
        m_open->m_shapes = m_shapes;
        m_open->m_entityNames = m_entityNames;
        const std::shared_ptr<const RecordSegment> sealed = SegmentPool::share(m_pool, std::move(m_open));
        for (const auto& reader : m_readers)
            reader->push(sealed);
        m_open = m_pool->take(used);
    }
    m_open->empty();
    m_open->shrinkTo(used);
    m_expected = used;
    // No room: the next record takes the slow path, which opens the segment.
    m_memory = m_next = m_end = nullptr;
    for (RecordLane* const lane : m_lanes)
        lane->next = nullptr;
}

void Recorder::beginRun() {
    seal();
    ++m_run;
}

std::shared_ptr<RecordReader> Recorder::addReader(std::size_t limitBytes) {
    m_readers.push_back(std::shared_ptr<RecordReader>(new RecordReader(limitBytes)));
    return m_readers.back();
}

} // namespace sbx
