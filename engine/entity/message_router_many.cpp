// Messages to all entities of a type, or of all types: by runs of 64, with the handlers inlined into the loop.

#include "engine/entity/message_router.h"

#include <bit>
#include <cstring>
#include <utility>

namespace sbx {

namespace {
constexpr std::uint64_t All = ~std::uint64_t(0);
} // namespace

// The tick's phases. Entities that are created meanwhile are not started and take part from the next tick on.
void MessageRouter::phase(MessageTypeId type, const void* message, std::size_t size) {
    const Shipment shipment{type, size, {}, Delivery::Broadcast, nullptr, 0};
    SendResult ignored;
    for (std::size_t p = 0; p < m_pools.size(); ++p) { // by index: handlers may spawn, which appends pools and chunks
        EntityPool& pool = *m_pools[p];
        const bool any = pool.dispatch().range(type).count != 0;
        if (!any && pool.specials == 0)
            continue;
        for (std::size_t c = 0; c < pool.chunkCount(); ++c) {
            EntityPool::Chunk& chunk = pool.chunk(c);
            const std::uint64_t special = chunk.updating & chunk.special;
            if (any)
                sendToRun(pool, chunk, chunk.updating & ~chunk.special, message, shipment, Audience::Phase, ignored);
            if (special != 0)
                sendToSpecials(chunk, special, message, shipment, Audience::Phase, ignored);
        }
    }
}

// To the entities that exist now: entities that handlers spawn meanwhile do not receive the message.
void MessageRouter::sendToPools(std::size_t firstPool, std::size_t endPool, const void* message, const Shipment& shipment,
                        SendResult& result) {
    const std::size_t from = m_words.size();
    std::size_t concerned = 0;
    for (std::size_t p = firstPool; p < endPool; ++p) {
        EntityPool& pool = *m_pools[p];
        if (pool.dispatch().range(shipment.type).count == 0 && pool.specials == 0)
            continue;
        ++concerned;
        m_words.push_back(p);
        m_words.push_back(pool.chunkCount());
        for (std::size_t c = 0; c < pool.chunkCount(); ++c)
            m_words.push_back(pool.chunk(c).receiving);
    }
    for (std::size_t at = from; concerned > 0; --concerned) {
        EntityPool& pool = *m_pools[m_words[at]];
        const std::size_t count = m_words[at + 1];
        at += 2;
        const bool any = pool.dispatch().range(shipment.type).count != 0;
        for (std::size_t c = 0; c < count; ++c, ++at) {
            EntityPool::Chunk& chunk = pool.chunk(c);
            const std::uint64_t entities = m_words[at] & chunk.receiving;
            const std::uint64_t special = entities & chunk.special;
            if (any)
                sendToRun(pool, chunk, entities & ~special, message, shipment, Audience::Everybody, result);
            if (special != 0)
                sendToSpecials(chunk, special, message, shipment, Audience::Everybody, result);
        }
    }
    m_words.resize(from);
}

SendResult MessageRouter::sendRaw(const EntityType& receivers, MessageTypeId type, const void* message,
                                  std::size_t size, EntityId sender, unsigned minimum, SendSite site) {
    SendResult result;
    const Shipment shipment{type, size, sender, Delivery::Broadcast, nullptr, 0, siteName(site)};
    if (const auto it = m_poolOf.find(&receivers); it != m_poolOf.end()) {
        const std::size_t pool = it->second;
        sendToPools(pool, pool + 1, message, shipment, result);
        settle();
    }
    return checked(result, minimum, {}, message, shipment);
}

void MessageRouter::sendToRun(EntityPool& pool, EntityPool::Chunk& chunk, std::uint64_t entities, const void* message,
                      const Shipment& shipment, Audience audience, SendResult& result) {
    if (entities == 0)
        return;
    const DispatchTable::Range range = pool.dispatch().range(shipment.type);
    const std::span<const HandlerEntry> handlers = range.entries();
    if (!mayEnter()) [[unlikely]] {
        ++m_lane.unrecorded;
        report(RecordNote::CutOff, m_slots.idOf(chunk.owners[std::countr_zero(entities)]), message, shipment);
        return;
    }
    const bool record = records(shipment.type);
    const Envelope sent = envelopeOf(shipment, {}, 0);
    const auto receivers = static_cast<std::uint64_t>(std::popcount(entities));
    // Each place counts as a message, taken or not; records have those that are taken.
    const std::uint64_t first = m_lane.dispatched() + 1;
    const std::uint64_t firstSequence = record ? m_lane.take(receivers) : 0;
    m_lane.unrecorded += EntityPool::ChunkSize - (record ? receivers : 0);
    Frame outer;
    enter<InRun>(outer, first, causeOf(firstSequence, shipment.type), {});
    if (depth() != 1) {
        // Places without a receiver do not count as messages for MaxNested.
        const std::uint64_t unused = EntityPool::ChunkSize - receivers;
        m_reportedFor += m_reportedFor == m_first ? unused : 0;
        m_first += unused;
    }
    Envelope envelope = sent;
    const ActiveRun before = std::exchange(m_run, ActiveRun{first, chunk.owners});
    HandlerRun run;
    run.receiving = audience == Audience::Phase ? &chunk.updating : &chunk.receiving;
    run.first = first;
    run.current = &m_current;
    run.envelope = &envelope;
    const std::size_t copies = m_copiesUsed;
    const bool oneByOne = record || watched();
    if (range.changesMessage || watched()) {
        // A handler may change the message on its way through one entity; the next gets it as it was sent.
        if (m_copiesUsed == m_copies.size())
            m_copies.push_back(std::make_unique<std::byte[]>(EntityPool::ChunkSize * MaxMessageSize));
        run.messages = m_copies[m_copiesUsed++].get();
        run.messageStride = shipment.size;
        for (std::uint64_t left = entities; left != 0; left &= left - 1)
            std::memcpy(run.messages + static_cast<std::size_t>(std::countr_zero(left)) * shipment.size, message,
                        shipment.size);
    } else {
        run.messages = static_cast<std::byte*>(const_cast<void*>(message));
    }
    if (oneByOne) {
        runOneByOne(pool, chunk, handlers, entities, firstSequence, message, shipment, run, result);
    } else {
        std::uint64_t left = entities;
        std::uint64_t consumed = 0;
        for (std::size_t h = 0; h < handlers.size() && left != 0; ++h) {
            run.entry = &handlers[h];
            consumed |= handlers[h].run(chunk.blocks + handlers[h].offset, pool.stride(), left, run);
            if (h == 0) {
                entities &= ~run.skipped;
                if (audience
                    != Audience::Phase)   // in a phase an entity that leaves it gets no more handlers called
                    run.receiving = &All; // a message that was begun reaches all its handlers
            }
            left = entities & ~consumed;
        }
        result.receivers += static_cast<unsigned>(std::popcount(entities));
        result.consumed = result.consumed || consumed != 0;
    }
    m_copiesUsed = copies;
    m_run = before;
    leave(outer);
}

// The same with every handler call recorded, watched or both. Records are in order of sequence: all of a run begin before the first handler.
void MessageRouter::runOneByOne(EntityPool& pool, EntityPool::Chunk& chunk, std::span<const HandlerEntry> handlers,
                        std::uint64_t entities, std::uint64_t firstSequence, const void* original,
                        const Shipment& shipment, HandlerRun& run, SendResult& result) {
    struct Begun {
        Recorder::Ticket ticket;
        EntityId id;
        std::uint64_t sequence = 0;
        std::size_t reached = 0;
        bool consumed = false;
    };
    Begun begun[EntityPool::ChunkSize];
    const bool record = firstSequence != 0;
    const NameId sender = nameIdOf(shipment.sender);
    const ShapeId shape = pool.dispatch().shape(shipment.type);
    for (std::uint64_t left = entities; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        begun[i].id = m_slots.idOf(chunk.owners[i]);
        if (!record)
            continue;
        run.envelope->receiver = begun[i].id;
        begun[i].sequence = run.envelope->sequence = firstSequence++;
        begun[i].ticket = m_recorder.begin(*run.envelope, sender, nameIdOf(begun[i].id), shape, original,
                                           shipment.size, &m_lane);
    }
    const bool timing = record && m_recorder.timing();
    std::uint64_t going = entities;
    for (std::size_t h = 0; h < handlers.size(); ++h) {
        for (std::uint64_t left = going; left != 0; left &= left - 1) {
            const auto i = static_cast<std::size_t>(std::countr_zero(left));
            const std::uint64_t bit = std::uint64_t(1) << i;
            if ((h == 0 || run.receiving == &chunk.updating) && (*run.receiving & bit) == 0) {
                going &= ~bit;
                if (h == 0)
                    entities &= ~bit;
                continue;
            }
            Begun& each = begun[i];
            *run.current = run.first + i;
            if (record)
                m_cause = MessageCause::of(each.sequence);
            run.envelope->receiver = each.id;
            run.envelope->sequence = each.sequence;
            const Called called = callOne(handlers, h, chunk.blocks + i * pool.stride(),
                                          run.messages + i * run.messageStride, *run.envelope, timing ? &each.ticket : nullptr);
            if (called.dropped) {
                if (record)
                    m_recorder.markDropped(each.ticket);
                going &= ~bit;
                continue;
            }
            each.consumed = called.consumed;
            ++each.reached;
            if (each.consumed) {
                going &= ~bit;
                result.consumed = true;
            }
        }
    }
    for (std::uint64_t left = record ? entities : 0; left != 0; left &= left - 1) {
        const Begun& each = begun[static_cast<std::size_t>(std::countr_zero(left))];
        m_recorder.finish(each.ticket, each.reached, each.consumed);
    }
    result.receivers += static_cast<unsigned>(std::popcount(entities));
}

void MessageRouter::sendToSpecials(EntityPool::Chunk& chunk, std::uint64_t entities, const void* message,
                           const Shipment& shipment, Audience audience, SendResult& result) {
    for (; entities != 0; entities &= entities - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(entities));
        const std::uint64_t receiving = audience == Audience::Phase ? chunk.updating : chunk.receiving;
        if ((receiving >> i & 1U) == 0)
            continue;
        const EntityId id = m_slots.idOf(chunk.owners[i]);
        Slot& slot = m_slots[id.index()];
        if (slot.dispatch->range(shipment.type).count == 0)
            continue;
        alignas(16) std::byte copy[MaxMessageSize];
        std::memcpy(copy, message, shipment.size);
        deliver(slot, id, copy, shipment, result);
    }
}

} // namespace sbx
