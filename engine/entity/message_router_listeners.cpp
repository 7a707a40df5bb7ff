// Delivering messages to the listeners of their type.

#include "engine/core/log.h"
#include "engine/entity/thrown_text.h"
#include "engine/entity/world.h"

namespace sbx {

namespace {
const HandlerOrigin ListenerOrigin{"a listener", "a message", nullptr, 0};
const HandlerEntry ListenerEntry = [] {
    HandlerEntry entry;
    entry.origin = &ListenerOrigin;
    return entry;
}();
// Has the layout in which a component begins: describeUnderWay() reads it.
struct Heard {
    const World* world;
    EntityId owner;
};
} // namespace

// An exception of a listener, which may belong to a plugin, is caught and logged, and the other listeners still receive the message.
// Costs nothing until one is thrown.
void MessageRouter::call(const Listener& listener, const void* message, const Envelope& envelope) {
    const Heard heard{&self(), listener.owner};
    const UnderWayScope underWay(&ListenerEntry, &heard);
    try {
        listener.thunk(listener.object, message, envelope);
    } catch (...) {
        const std::string what = thrownText();
        const std::string name = nameOf(listener.owner);
        m_log.error("message", (name.empty() ? "" : name + ": ") + "a listener threw while it handled "
                                   + messageType(envelope.type).name + ": " + what);
    }
}

void MessageRouter::deliverToListeners(const void* message, const Shipment& shipment, SendResult& result) {
    // Sent to listeners, and there is none: the trace shows that.
    if (!m_listeners.any(shipment.type)) {
        note();
        const std::uint64_t sequence =
            count(records(shipment.type)); // counted even if it is not recorded: recording must not change the run
        if (sequence == 0)
            return;
        m_recorder.note(RecordNote::NoListener, envelopeOf(shipment, {}, sequence), nameIdOf(shipment.sender),
                        0, message, shipment.size, 0, 0, &m_lane);
        return;
    }
    Listeners::Pass pass(m_listeners, shipment.type);
    deliverToListeners(pass, message, shipment, result);
}

void MessageRouter::deliverToListeners(Listeners::Pass& pass, const void* message, const Shipment& shipment,
                               SendResult& result) {
    const bool record = records(shipment.type);
    for (Listener listener; pass.next(listener);) {
        if (listener.owner && (!alive(listener.owner) || !Entity(*this, listener.owner).enabled()))
            continue;
        if (!mayEnter()) [[unlikely]] {
            ++m_lane.unrecorded;
            report(RecordNote::CutOff, listener.owner, message, shipment);
            continue;
        }
        const std::uint64_t sequence = count(record);
        const Envelope envelope = envelopeOf(shipment, listener.owner, sequence);
        Frame outer;
        enter(outer, m_lane.dispatched(), causeOf(sequence, shipment.type), listener.owner);
        if (record) {
            const Recorder::Ticket ticket =
                m_recorder.begin(envelope, nameIdOf(shipment.sender), nameIdOf(listener.owner),
                                 listener.shape, message, shipment.size, &m_lane);
            const bool timing = m_recorder.timing();
            const std::uint64_t before = timing ? clockTicks() : 0;
            call(listener, message, envelope);
            if (timing && listener.shape != NoHandlers)
                m_recorder.time(ticket, 0, clockTicks() - before);
            m_recorder.finish(ticket, listener.shape != NoHandlers ? 1 : 0, false);
        } else {
            call(listener, message, envelope);
        }
        leave(outer);
        ++result.receivers;
    }
}

} // namespace sbx
