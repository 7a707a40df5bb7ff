// Messages to single entities and components, up and down the hierarchy, and later.

#include "engine/entity/message_router.h"

#include "engine/core/log.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace sbx {

namespace {
// How many handlers of one component may take the same message.
constexpr std::size_t MaxSameHandlers = 8;
// For handlers that do not take the envelope.
constexpr Envelope NoEnvelope{};
// A copy of the message as it was sent, for reports: handlers may change it.
struct Original {
    Original(const void* message, std::size_t size) { std::memcpy(bytes, message, size); }
    alignas(16) std::byte bytes[MaxMessageSize];
};
} // namespace

MessageRouter::MessageRouter(WorldDesc desc, Recorder& recorder, Log& log) : EntityStore(std::move(desc), recorder, log) {
    m_lane.world = recorder.addWorld(m_desc.name);
    m_lane.owner = this;
    m_lane.slowPath = &MessageRouter::sendRecorded;
    m_lane.changed = [](void* router) { static_cast<MessageRouter*>(router)->hookTables(); };
    m_recorder.addLane(m_lane);
}

MessageRouter::~MessageRouter() { m_recorder.removeLane(m_lane); }

void MessageRouter::finishPendingWork() { self().flushDestroyed(); }

EntityId MessageRouter::currentReceiver() const {
    if (m_lane.receiver || m_run.owners == nullptr)
        return m_lane.receiver;
    const std::uint64_t at = m_current - m_run.first;
    return at < EntityPool::ChunkSize && m_run.owners[at] < m_slots.size() ? m_slots.idOf(m_run.owners[at]) : EntityId();
}

NameId MessageRouter::internSite(SendSite site) {
    return m_recorder.names().intern(std::string(site.file) + ':' + std::to_string(site.line));
}

Envelope MessageRouter::envelopeOf(const Shipment& shipment, EntityId receiver, std::uint64_t sequence) {
    Envelope envelope;
    envelope.sequence = sequence;
    const MessageCause because = cause();
    envelope.cause = because.sequence();
    envelope.through = because.through();
    envelope.injected = injected();
    envelope.tick = m_tick;
    envelope.sender = shipment.sender;
    envelope.receiver = receiver;
    envelope.type = shipment.type;
    envelope.delivery = shipment.delivery;
    envelope.world = m_lane.world;
    envelope.part = shipment.part;
    envelope.site = shipment.site;
    if (shipment.delayed != nullptr) {
        envelope.cause = shipment.delayed->envelope.cause;
        envelope.through = shipment.delayed->envelope.through;
        envelope.injected = shipment.delayed->envelope.injected;
        envelope.site = shipment.delayed->envelope.site;
        envelope.delayed = true;
        envelope.queuedAt = shipment.delayed->envelope.queuedAt;
    } else if (shipment.waited != 0) {
        envelope.delayed = true;
        envelope.queuedAt = m_tick - std::min(m_tick, shipment.waited);
    }
    return envelope;
}

void MessageRouter::noteOutermost() {
    if ((m_lane.gate & InRun) != 0) {
        countAsOfCurrent();
        return;
    }
    m_cause = {};
    if (!m_lane.recording)
        ++m_lane.unrecorded;
    else if ((m_lane.gate & Unrecorded) != 0)
        m_cause = m_cause.unrecorded(m_lane.unrecordedType);
    else
        m_cause = MessageCause::of(m_lane.sequence());
    m_current = m_lane.dispatched();
    m_recordEnd = m_recorder.endOf(m_lane);
    m_first = m_current;
    m_lane.gate |= SequenceKnown;
}

// A run calls its handlers one after the other, each for all its entities: the turn of an entity comes several times.
void MessageRouter::countAsOfCurrent() {
    if (m_counted == m_current)
        return;
    const std::uint64_t last = m_lane.dispatched();
    m_caused[m_counted % m_caused.size()] = {m_counted, last - m_first, m_reportedFor == m_first};
    Caused& now = m_caused[m_current % m_caused.size()];
    if (now.message != m_current)
        now = {m_current, 0, false};
    m_counted = m_current;
    m_first = last - now.others;
    m_reportedFor = now.reported ? m_first : 0;
}

void MessageRouter::finishOutermost(const HandlerEntry* consumed) {
    const std::uint64_t gate = m_lane.gate;
    if (consumed != nullptr && m_lane.recording && (gate & Unrecorded) == 0)
        m_recorder.finishHooked((gate & SequenceKnown) != 0 ? m_recordEnd : m_recorder.endOf(m_lane),
                                *consumed);
    m_lane.gate = (gate & ~(SequenceKnown | Unrecorded)) - 1;
    m_current = 0;
    m_cause = {};
    settle();
}

SendResult MessageRouter::sendOtherwise(const Slot& slot, MessageTypeId type, void* message, std::size_t size,
                                EntityId sender) {
    if (m_recorder.wants(type))
        return sendInside(slot.id, type, message, size, sender);
    if (m_lane.recording) {
        ++m_lane.unrecorded;
        m_lane.unrecordedType = type;
    }
    const DispatchTable::Range range = slot.dispatch->range(type);
    if (range.count == 0)
        return {};
    m_lane.gate = 1 | Unrecorded;
    m_lane.receiver = slot.id;
    noteOutermost();
    Envelope envelope = envelopeOf({type, 0, sender, Delivery::Immediate, nullptr, 0}, slot.id, 0);
    envelope.cause = 0;
    envelope.through = NoType;
    const HandlerEntry* const consumed = range.callHandlers(slot.block, message, envelope);
    finishOutermost(consumed);
    return {1, consumed != nullptr};
}

const HandlerEntry* MessageRouter::callRecorded(Recorder::Ticket ticket, const DispatchTable::Range& handlers,
                                        std::byte* block, void* message, const Envelope& envelope) {
    if (watched()) [[unlikely]]
        return callWatched(&ticket, handlers.entries(), block, message, envelope);
    const HandlerEntry* consumed = nullptr;
    if (m_recorder.timing()) {
        std::uint64_t clock = clockTicks();
        for (std::size_t i = 0; i < handlers.count && consumed == nullptr; ++i) {
            if (handlers.first[i].callAlone(block, message, envelope))
                consumed = handlers.first + i;
            const std::uint64_t now = clockTicks();
            m_recorder.time(ticket, i, now - std::exchange(clock, now));
        }
    } else if (handlers.count != 0) {
        consumed = handlers.callHandlers(block, message, envelope);
    }
    m_recorder.finish(ticket, handlers.reached(consumed), consumed != nullptr);
    return consumed;
}

MessageRouter::Called MessageRouter::callOne(std::span<const HandlerEntry> handlers, std::size_t at, std::byte* block,
                                             void* message, const Envelope& envelope, const Recorder::Ticket* timed) {
    const HandlerEntry& handler = handlers[at];
    const auto call = [&] {
        const std::uint64_t before = timed != nullptr ? clockTicks() : 0;
        const bool consumed = handler.callAlone(block, message, envelope);
        if (timed != nullptr)
            m_recorder.time(*timed, at, clockTicks() - before);
        return consumed;
    };
    if (m_watch == nullptr)
        return {false, call()};
    HandlerMoment moment{self(), envelope, message, handlers, at, block + handler.offset};
    if (m_watch->before(moment) == HandlerWatch::Verdict::Drop)
        return {true, false};
    const bool consumed = call();
    if (m_watch != nullptr) // the handler may have ended that
        m_watch->after(moment, consumed);
    return {false, consumed};
}

const HandlerEntry* MessageRouter::callWatched(const Recorder::Ticket* ticket, std::span<const HandlerEntry> handlers,
                                               std::byte* block, void* message, const Envelope& envelope) {
    const bool timing = ticket != nullptr && m_recorder.timing();
    Called called;
    std::size_t reached = 0;
    while (reached < handlers.size() && !called.consumed) {
        called = callOne(handlers, reached, block, message, envelope, timing ? ticket : nullptr);
        if (called.dropped)
            break;
        ++reached;
    }
    if (ticket != nullptr) {
        m_recorder.finish(*ticket, reached, called.consumed);
        if (called.dropped)
            m_recorder.markDropped(*ticket);
    }
    return called.consumed ? &handlers[reached - 1] : nullptr;
}

// sendNow() has set the gate for this message, and resets it.
const HandlerEntry* MessageRouter::sendRecorded(std::byte*, void* message, const void* about,
                                        const HandlerEntry* entry) {
    MessageRouter& router = *static_cast<MessageRouter*>(RecordHook::of(entry).lane->owner);
    const Slot& slot = router.m_slots[RecordHook::receiverOf(about).index()];
    const std::size_t size = RecordHook::of(entry).size();
    const MessageTypeId type = RecordHook::of(entry).type();
    std::byte* const block = slot.block;
    const DispatchTable::Range handlers = slot.dispatch->range(type);
    router.m_lane.gate |= Unrecorded;
    const std::uint64_t sequence = router.m_lane.take(1);
    router.noteOutermost();
    Envelope envelope =
        router.envelopeOf({type, 0, {}, Delivery::Immediate, nullptr, 0}, slot.id, sequence);
    envelope.cause = 0;
    envelope.through = NoType;
    router.m_cause = MessageCause::of(sequence);
    const NameId name = router.nameIdOf(slot.id);
    const Recorder::Ticket ticket =
        router.m_recorder.begin(envelope, 0, name, handlers.shape, message, size, &router.m_lane);
    if (router.nameUnnamed())
        router.m_recorder.prepare(router.m_lane, router.m_tick);
    return router.callRecorded(ticket, handlers, block, message, envelope);
}

void MessageRouter::hookTables() {
    if (depth() != 0) { // a handler changed it: the outermost message has the record it had so far
        note();
        m_lane.gate |= Unrecorded;
    }
    m_lane.recording = m_recorder.enabled();
    const auto hook = [this](DispatchTable& table) { m_recorder.hook(m_lane, table); };
    for (const auto& pool : m_pools) {
        pool->eachTable(hook);
        pool->expectBare(false);
    }
    m_specialTables.eachTable(hook);
    m_unnamed.clear();
    for (std::uint32_t i = 0; m_lane.recording && i < m_slots.size(); ++i)
        if (m_slots.alive(i))
            m_unnamed.push_back(m_slots.idOf(i));
}

// One entity, any route, recorded or not.
void MessageRouter::deliver(Slot& slot, EntityId id, void* message, const Shipment& shipment, SendResult& result) {
    deliverTo(slot, id, slot.dispatch->range(shipment.type), message, shipment, result);
}

void MessageRouter::deliverTo(Slot& slot, EntityId id, const DispatchTable::Range& handlers, void* message, const Shipment& shipment,
                      SendResult& result) {
    const bool record = records(shipment.type);
    if (!mayEnter()) [[unlikely]] {
        ++m_lane.unrecorded;
        if (handlers.count != 0)
            report(RecordNote::CutOff, id, message, shipment);
        return;
    }
    const std::uint64_t sequence = count(record);
    if (handlers.count == 0 && !record)
        return;
    const Envelope envelope = envelopeOf(shipment, id, sequence);
    Frame outer;
    enter(outer, m_lane.dispatched(), causeOf(sequence, shipment.type), id);
    std::byte* const block = slot.block;
    const HandlerEntry* consumed = nullptr;
    if (!record) {
        consumed = watched() ? callWatched(nullptr, handlers.entries(), block, message, envelope)
                             : handlers.callHandlers(block, message, envelope);
    } else {
        const Recorder::Ticket ticket = m_recorder.begin(envelope, nameIdOf(shipment.sender), nameIdOf(id),
                                                         handlers.shape, message, shipment.size, &m_lane);
        if (m_lane.limit == nullptr) {
            if (nameUnnamed())
                m_recorder.prepare(m_lane, m_tick);
        }
        consumed = callRecorded(ticket, handlers, block, message, envelope);
    }
    leave(outer);
    if (handlers.count != 0)
        ++result.receivers;
    result.consumed = result.consumed || consumed != nullptr;
}

// From within a handler, or recorded, or both.
SendResult MessageRouter::sendInside(EntityId receiver, MessageTypeId type, void* message, std::size_t size, EntityId sender) {
    SendResult result;
    Slot* const slot = m_slots.find(receiver);
    if (slot != nullptr) {
        const DispatchTable::Range range = slot->dispatch->range(type);
        const bool record = records(type);
        const NameId name = record ? knownNameIdOf(receiver) : 0;
        const NameId senderName = record && sender ? knownNameIdOf(sender) : 0;
        Frame outer;
        if (range.kind != DispatchTable::Kind::Plain || watched()
            || (record
                && (name == 0 || (sender && senderName == 0) || injected() || !m_recorder.canAppend(m_lane, size)
                    || !agoFits()))) {
            deliver(*slot, receiver, message, {type, size, sender, Delivery::Immediate, nullptr, 0}, result);
        } else if (mayEnter()) [[likely]] {
            const MessageCause because = m_cause;
            const std::uint64_t sequence = count(record);
            enter(outer, m_lane.dispatched(), causeOf(sequence, type), receiver);
            Recorder::Ticket ticket;
            if (record) {
                const std::uint64_t ago = record::ago(sequence, because.sequence(), because.through());
                ticket = m_recorder.append(m_lane, RecordHook::of(range.first), ago, sender, senderName,
                                           receiver, name, message);
            }
            const HandlerEntry* const consumed = range.callHandlers(slot->block, message, NoEnvelope);
            if (record && consumed != nullptr)
                m_recorder.finish(ticket, std::size_t(consumed->index) + 1, true);
            leave(outer);
            result = {1, consumed != nullptr};
        } else {
            report(RecordNote::CutOff, receiver, message,
                   {type, size, sender, Delivery::Immediate, nullptr, 0});
        }
    }
    settle();
    return result;
}

// ---------------------------------------------------------------------------------------------------- one component

SendResult MessageRouter::deliverToPart(EntityId id, const ComponentType& type, std::byte* component, void* message,
                                const Shipment& shipment) {
    SendResult result;
    Slot& slot = m_slots[id.index()];
    std::array<HandlerEntry, MaxSameHandlers> handlers;
    std::size_t count = 0;
    for (const HandlerDescription& h : type.handlers) {
        if (h.message != shipment.type || (static_cast<unsigned>(h.side) & static_cast<unsigned>(m_desc.side)) == 0)
            continue;
        SBX_EXPECT(count < MaxSameHandlers, "a component handles one message too often");
        const auto offset = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(component)
                                                        - reinterpret_cast<std::uintptr_t>(slot.block));
        std::size_t at = count++;
        for (; at > 0 && handlers[at - 1].priority > h.priority; --at)
            handlers[at] = handlers[at - 1];
        handlers[at] = HandlerEntry(h, offset, type.id);
    }
    DispatchTable::Range found;
    DispatchTable::link(found, std::span(handlers).first(count));
    if (count != 0 && records(shipment.type)) {
        const auto key = static_cast<std::uint32_t>(type.id) << 16U | shipment.type;
        const auto [known, isNew] = m_partShapes.try_emplace(key, NoHandlers);
        if (isNew)
            known->second = internShape(found.entries());
        found.shape = known->second;
    }
    deliverTo(slot, id, found, message, shipment, result);
    return result;
}

SendResult MessageRouter::sendRaw(EntityId entity, const void* component, MessageTypeId type, void* message,
                                  std::size_t size, EntityId sender, unsigned minimum, SendSite site) {
    SendResult result;
    Shipment shipment{type, size, sender, Delivery::Component, nullptr, 0, siteName(site)};
    const Original original(message, minimum != 0 ? size : 0);
    if (component != nullptr) {
        const PartLocation found = locatePart(entity, component);
        shipment.part = found.number;
        if (partReceives(found.ref, entity, type))
            result = deliverToPart(entity, *found.ref.type, static_cast<std::byte*>(found.ref.component),
                                   message, shipment);
        settle();
    }
    return checked(result, minimum, entity, original.bytes, shipment);
}

bool MessageRouter::partReceives(const Entity::ComponentRef& component, EntityId entity, MessageTypeId type) const {
    return component.type != nullptr && !m_slots[entity.index()].has(SlotBuilding)
           && ((component.enabled && Entity(*this, entity).enabled()) || reachesDisabled(type));
}

// ---------------------------------------------------------------------------------------------------- routes

// Takes the end of m_receivers, from `from` on; each receiver gets the message as it was sent.
void MessageRouter::deliverToList(std::size_t from, const void* message, const Shipment& shipment, SendResult& result) {
    const std::size_t end = m_receivers.size();
    for (std::size_t i = from; i < end; ++i) {
        const EntityId id = m_receivers[i];
        Slot* const slot = m_slots.find(id);
        if (slot == nullptr)
            continue;
        alignas(16) std::byte copy[MaxMessageSize];
        std::memcpy(copy, message, shipment.size);
        deliver(*slot, id, copy, shipment, result);
    }
    m_receivers.resize(from);
}

void MessageRouter::route(EntityId receiver, void* message, const Shipment& shipment, SendResult& result) {
    if (shipment.delivery == Delivery::Broadcast) {
        sendToPools(0, m_pools.size(), message, shipment, result);
        return;
    }
    if (shipment.delivery == Delivery::Listener) {
        deliverToListeners(message, shipment, result);
        return;
    }
    Slot* const slot = m_slots.find(receiver);
    if (slot == nullptr)
        return;
    const std::size_t from = m_receivers.size();
    if (shipment.delivery == Delivery::Children) {
        listSubtree(receiver);
        deliverToList(from, message, shipment, result);
    } else if (shipment.delivery == Delivery::Ancestors) {
        for (EntityId up = receiver; up; up = Entity(*this, up).parent())
            m_receivers.push_back(up);
        deliverToList(from, message, shipment, result);
    } else if (shipment.delivery == Delivery::Component) {
        // What waited names its component by serial.
        const PartLocation found = locatePartBySerial(receiver, shipment.part);
        Shipment toPart = shipment;
        toPart.part = found.number;
        if (partReceives(found.ref, receiver, shipment.type))
            result = deliverToPart(receiver, *found.ref.type, static_cast<std::byte*>(found.ref.component),
                                   message, toPart);
    } else {
        deliver(*slot, receiver, message, shipment, result);
    }
}

SendResult MessageRouter::sendRaw(EntityId receiver, MessageTypeId type, void* message, std::size_t size,
                                  EntityId sender, Delivery delivery, unsigned minimum, SendSite site) {
    SendResult result;
    const Shipment shipment{type, size, sender, delivery, nullptr, 0, siteName(site)};
    const Original original(message, minimum != 0 ? size : 0);
    route(receiver, message, shipment, result);
    settle();
    return checked(result, minimum, receiver, original.bytes, shipment);
}

SendResult MessageRouter::sendReceived(EntityId receiver, MessageTypeId type, void* message, std::size_t size,
                                       std::uint64_t waited) {
    SendResult result;
    Shipment shipment{type, size, {}, Delivery::Network, nullptr, 0};
    shipment.waited = waited;
    route(receiver, message, shipment, result);
    settle();
    return result;
}

// ---------------------------------------------------------------------------------------------------- later

std::uint64_t MessageRouter::ticksIn(double seconds) const {
    SBX_EXPECT(std::isfinite(seconds), "seconds must be finite to be counted in ticks");
    // A hair of tolerance: 0.1 s at 60 Hz is 6 ticks, not 7.
    const double ticks = std::ceil(seconds * m_desc.tickRate - 1e-6);
    return static_cast<std::uint64_t>(std::clamp(ticks, 1.0, 9e15));
}

bool MessageRouter::acceptsDelay(double seconds, EntityId receiver, MessageTypeId type) {
    if (std::isfinite(seconds)) [[likely]]
        return true;
    ++m_undelivered;
    const std::string name = nameOf(receiver);
    m_log.write(LogSeverity::Error, "message",
                "message " + messageType(type).name + (name.empty() ? "" : " to " + name)
                    + " was to wait for a time that is "
                    + (std::isnan(seconds) ? "no number" : "without end") + "; it is not sent");
    return false;
}

DelayedHandle MessageRouter::sendLaterRaw(EntityId receiver, MessageTypeId type, const void* message,
                                          std::size_t size, std::uint64_t ticks, EntityId sender,
                                          int priority, Delivery delivery, unsigned minimum, SendSite site) {
    Envelope envelope;
    envelope.site = siteName(site);
    envelope.sender = sender;
    envelope.receiver = receiver;
    envelope.type = type;
    envelope.delivery = delivery;
    return enqueue(envelope, message, size, ticks, priority, minimum);
}

DelayedHandle MessageRouter::sendLaterRaw(EntityId entity, const void* component, MessageTypeId type,
                                          const void* message, std::size_t size, std::uint64_t ticks,
                                          EntityId sender, int priority, unsigned minimum, SendSite site) {
    const PartLocation found = locatePart(entity, component);
    Envelope envelope;
    envelope.site = siteName(site);
    envelope.sender = sender;
    envelope.receiver = entity;
    envelope.type = type;
    envelope.delivery = Delivery::Component;
    envelope.part = found.ref.type != nullptr ? found.serial : NoPart;
    return enqueue(envelope, message, size, ticks, priority, minimum);
}

DelayedHandle MessageRouter::enqueue(Envelope& envelope, const void* message, std::size_t size, std::uint64_t ticks,
                             int priority, unsigned minimum) {
    if (!m_queueGrowth.belowAttention(m_queue.size()) && !growQueue(envelope)) {
        ++m_undelivered;
        return {};
    }
    const MessageCause because = cause();
    envelope.cause = because.sequence();
    envelope.through = because.through();
    envelope.injected = injected();
    envelope.queuedAt = m_tick;
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() - m_tick;
    return m_queue.push(m_tick + std::clamp<std::uint64_t>(ticks, 1, most), priority, envelope, message, size,
                        minimum);
}

void MessageRouter::deliverDelayed() {
    // What is queued while these are handled is due next tick at the earliest.
    alignas(16) std::byte buffer[MaxMessageSize];
    alignas(16) std::byte original[MaxMessageSize];
    DelayedMessage message;
    while (m_queue.pop(m_tick, message, buffer)) {
        const Envelope& envelope = message.envelope;
        const Shipment shipment{envelope.type,     message.size, envelope.sender,
                                envelope.delivery, &message,     envelope.part};
        SendResult result;
        const bool addressed = envelope.delivery != Delivery::Broadcast && envelope.delivery != Delivery::Listener;
        const bool gone = addressed
                          && (!alive(envelope.receiver)
                              || (envelope.delivery == Delivery::Component
                                  && locatePartBySerial(envelope.receiver, envelope.part).ref.type == nullptr));
        // Listeners registered now receive the message as it was sent, not as its handlers changed it; reports show it so too.
        std::optional<Listeners::Pass> listeners;
        const bool hasListeners = envelope.delivery != Delivery::Listener && m_listeners.any(envelope.type);
        if (hasListeners)
            listeners.emplace(m_listeners, envelope.type);
        if (hasListeners || message.minimum != 0)
            std::memcpy(original, buffer, message.size);
        if (gone)
            report(RecordNote::Gone, envelope.receiver, buffer, shipment);
        else
            route(envelope.receiver, buffer, shipment, result);
        if (hasListeners) {
            Shipment toListeners = shipment;
            toListeners.delivery = Delivery::Listener;
            deliverToListeners(*listeners, original, toListeners, result);
        }
        if (result.receivers < message.minimum) {
            report(RecordNote::Short, envelope.receiver, original, shipment, result.receivers, message.minimum);
            if (gone)
                --m_undelivered; // one message
        }
    }
}

// ---------------------------------------------------------------------------------------------------- reports

void MessageRouter::report(RecordNote note, EntityId receiver, const void* message, const Shipment& shipment, unsigned receivers,
                   unsigned minimum) {
    ++m_undelivered;
    // Once for all that one message set off.
    if (note == RecordNote::CutOff && std::exchange(m_reportedFor, m_first) == m_first)
        return;
    std::string text = "message " + messageType(shipment.type).name;
    const std::string name =
        note == RecordNote::Gone && !alive(receiver) ? keptName(receiver) : nameOf(receiver);
    if (!name.empty())
        text += " to " + name;
    switch (note) {
    case RecordNote::Short:
        text += " reached " + std::to_string(receivers) + (receivers == 1 ? " receiver, " : " receivers, ")
                + std::to_string(minimum) + " demanded";
        break;
    case RecordNote::Gone:
        text += alive(receiver) ? " was queued, and its component is gone"
                                : " was queued, and its receiver is gone";
        break;
    case RecordNote::CutOff:
        text += " dropped: "
                + (depth() >= MaxDepth ? std::to_string(MaxDepth) + " messages are being handled inside one another"
                                            : "one message set off " + std::to_string(MaxNested) + " others")
                + "; a handler that answers itself?";
        if (const GrowthWatch::Adder sender = acting(shipment.sender, shipment.type); !sender.component.empty())
            text += " (sent by " + sender.component + " of " + sender.entity + ")";
        break;
    case RecordNote::NoListener: // nothing is wrong with that
    case RecordNote::None:
        break;
    }
    m_log.write(note == RecordNote::CutOff ? LogSeverity::Error : LogSeverity::Warning, "message", text);
    this->note();
    const std::uint64_t sequence = count(records(shipment.type));
    if (sequence == 0)
        return;
    const NameId receiverName =
        note == RecordNote::Gone && !name.empty() ? m_recorder.names().intern(name) : nameIdOf(receiver);
    m_recorder.note(note, envelopeOf(shipment, receiver, sequence), nameIdOf(shipment.sender), receiverName,
                    message, shipment.size, receivers, minimum, &m_lane);
}

} // namespace sbx
