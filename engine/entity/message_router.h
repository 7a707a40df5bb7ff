#pragma once
// The second part of a World: messages. It delivers a message to one component, one entity, a subtree, the ancestors, the entities
// of a type, every entity, or the listeners of its type; at once, or later through the queue.
//
// A handler may change the message: that is how queries are answered. Of a message to several entities each receives an unchanged
// copy. `sender` is recorded in the trace; null: the engine or the console. `minimum`: if fewer receivers handle the message, that
// is reported in the log and in the trace. `site`: the line of the call, for the trace; leave it as it is, or pass on your caller's. All
// calls return how many receivers there were, or a handle of the queued message.
//
// Order. A message to many entities visits the types in the order of their first use; within a type the entities by place: each new
// entity takes the lowest free place of its type, so this is the order of creation as long as none is destroyed. Entities of a type
// are handled in runs of 64 places: first the handler of lowest priority of all entities of the run, then the next handler of those
// that did not consume the message. Entities with components of their own follow after the others of their run, one by one.
//
// A handler that adds, removes, enables or disables handlers affects the next message: a dispatch in progress continues with the
// handlers it began with.
//
// Templates for typed messages are defined in message_router_send.h; the code is in message_router*.cpp. Simulation thread.

#include "engine/entity/entity_store.h"
#include "engine/entity/growth_watch.h"
#include "engine/entity/handler_watch.h"
#include "engine/message/delayed_queue.h"
#include "engine/message/listeners.h"

#include <array>

namespace sbx {

class MessageRouter : public EntityStore {
public:
    // How deeply handlers may call one another: a handler that answers a message with the same message would otherwise exhaust the
    // stack…
    static constexpr std::uint32_t MaxDepth = 128;
    // …and one that answers twice would run 2^128 times. How many messages one message from outside a handler may cause. For a
    // message to many entities (a phase, a broadcast) the limit applies to each of them separately.
    static constexpr std::uint64_t MaxNested = 1'000'000;

    // A flag of the gate for as long as it exists.
    class Flagged {
    public:
        Flagged(const Flagged&) = delete;
        Flagged& operator=(const Flagged&) = delete;

    protected:
        Flagged(std::uint64_t& gate, std::uint64_t flag) : m_gate(gate), m_flag(flag & ~gate) { m_gate |= m_flag; }
        ~Flagged() { m_gate &= ~m_flag; }

    private:
        std::uint64_t& m_gate;
        std::uint64_t m_flag;
    };

    // --- Now. To the entity, or where the message's Mode says.
    template <Message M> SendResult send(EntityId receiver, M& message, EntityId sender = {},
                                         unsigned minimum = 0, SendSite site = SendSite::here());
    template <Message M> SendResult send(EntityId receiver, M&& message, EntityId sender = {},
                                         unsigned minimum = 0, SendSite site = SendSite::here());
    // To the entity alone, whatever the message's Mode.
    template <Message M> SendResult sendToEntity(EntityId receiver, M& message, EntityId sender = {},
                                                 unsigned minimum = 0, SendSite site = SendSite::here());
    // To one component. A message that was passed as a variable can be read afterwards.
    template <typename M>
    requires Message<std::remove_cvref_t<M>> SendResult send(Component& receiver, M&& message,
                                                             EntityId sender = {}, unsigned minimum = 0,
                                                             SendSite site = SendSite::here());
    // To the first component that is a T, or the one after `index` others.
    template <typename T, typename M>
    SendResult sendToComponent(EntityId entity, M&& message, unsigned index = 0, EntityId sender = {},
                               unsigned minimum = 0, SendSite site = SendSite::here());
    // To the whole subtree: the entity itself first, parents before children.
    template <Message M> SendResult sendToChildren(EntityId root, M message, EntityId sender = {},
                                                   unsigned minimum = 0, SendSite site = SendSite::here());
    // To the entity itself, then its parent, and so on up.
    template <Message M> SendResult sendToAncestors(EntityId entity, M message, EntityId sender = {},
                                                    unsigned minimum = 0, SendSite site = SendSite::here());
    // To every entity that exists when the message is sent.
    template <Message M> SendResult broadcast(M message, EntityId sender = {}, unsigned minimum = 0,
                                              SendSite site = SendSite::here());
    // To all entities of a type.
    template <Message M> SendResult sendToType(const EntityType& type, const M& message, EntityId sender = {},
                                               unsigned minimum = 0, SendSite site = SendSite::here());
    // Only to the listeners of its type, in order of registration.
    template <Message M> SendResult sendToListeners(M message, EntityId sender = {}, unsigned minimum = 0,
                                                    SendSite site = SendSite::here());

    // --- Later. After `seconds`, rounded up to ticks, at least one; or after `ticks`, at least one. Lower priorities first within a
    // tick, then in order of sending. The message goes where its Mode says when it is due. If its receiver (entity or component) was
    // removed meanwhile, that is reported. If `seconds` is not finite, an error is logged, nothing is sent, and the handle is empty.
    template <Message M> DelayedHandle sendLater(EntityId receiver, const M& message, double seconds,
                                                 EntityId sender = {}, int priority = 0, unsigned minimum = 0,
                                                 SendSite site = SendSite::here());
    template <Message M> DelayedHandle sendInTicks(EntityId receiver, const M& message, std::uint64_t ticks,
                                                   EntityId sender = {}, int priority = 0,
                                                   unsigned minimum = 0, SendSite site = SendSite::here());
    template <Message M> DelayedHandle sendLater(const Component& receiver, const M& message, double seconds,
                                                 EntityId sender = {}, int priority = 0, unsigned minimum = 0,
                                                 SendSite site = SendSite::here());
    template <Message M> DelayedHandle sendInTicks(const Component& receiver, const M& message,
                                                   std::uint64_t ticks, EntityId sender = {},
                                                   int priority = 0, unsigned minimum = 0,
                                                   SendSite site = SendSite::here());
    // False: it was delivered or cancelled before.
    bool cancel(DelayedHandle message) { return m_queue.cancel(message); }
    // How many ticks so many seconds are, at least 1; `seconds` must be finite (contract).
    [[nodiscard]] std::uint64_t ticksIn(double seconds) const;
    [[nodiscard]] const DelayedQueue& queue() const { return m_queue; }

    // --- The same for a type that is known only at run time. Broadcast ignores the receiver; a component is named by its address.
    SendResult sendRaw(EntityId receiver, MessageTypeId type, void* message, std::size_t size,
                       EntityId sender, Delivery delivery, unsigned minimum = 0,
                       SendSite site = SendSite::here());
    SendResult sendRaw(const EntityType& receivers, MessageTypeId type, const void* message, std::size_t size,
                       EntityId sender, unsigned minimum = 0, SendSite site = SendSite::here());
    SendResult sendRaw(EntityId entity, const void* component, MessageTypeId type, void* message,
                       std::size_t size, EntityId sender, unsigned minimum = 0,
                       SendSite site = SendSite::here());
    // A message that came by the network (Delivery::Network). `waited`: whole ticks that it lay here until all it depends on was
    // there; its envelope then says when it came.
    SendResult sendReceived(EntityId receiver, MessageTypeId type, void* message, std::size_t size,
                            std::uint64_t waited);
    DelayedHandle sendLaterRaw(EntityId receiver, MessageTypeId type, const void* message, std::size_t size,
                               std::uint64_t ticks, EntityId sender, int priority, Delivery delivery,
                               unsigned minimum = 0, SendSite site = SendSite::here());
    DelayedHandle sendLaterRaw(EntityId entity, const void* component, MessageTypeId type,
                               const void* message, std::size_t size, std::uint64_t ticks, EntityId sender,
                               int priority, unsigned minimum = 0, SendSite site = SendSite::here());

    // Listeners receive the messages that are sent to listeners, and each message that leaves the queue, after its receiver. A
    // listener whose owner is disabled or was removed receives nothing. If one throws, the log reports it and the others still
    // receive the message.
    [[nodiscard]] Listeners& listeners() { return m_listeners; }

    // Called around each handler of a component from now on, not around those of listeners; null: nothing is. The watch outlives that.
    void setHandlerWatch(HandlerWatch* watch) {
        m_watch = watch;
        m_lane.gate = watch != nullptr ? m_lane.gate | RecordLane::Watched : m_lane.gate & ~RecordLane::Watched;
    }
    // --- While one of these exists, outside handlers.
    // Questions of tools: their messages have no records, and so take no sequence.
    class Unseen : public Flagged {
    public:
        explicit Unseen(MessageRouter& router) : Flagged(router.m_lane.gate, RecordLane::Unseen) {}
    };
    // What is sent is marked in its record as sent by a person; what its handlers send is not.
    class Injected : public Flagged {
    public:
        explicit Injected(MessageRouter& router) : Flagged(router.m_lane.gate, RecordLane::Injected) {}
    };

protected:
    MessageRouter(WorldDesc desc, Recorder& recorder, Log& log);
    ~MessageRouter();

    // --- What is in progress. World publishes the first two.
    // Sequence of the message that is being handled; if that is not recorded, of the nearest one before it in the chain of causes that
    // is; 0: none.
    [[nodiscard]] std::uint64_t handling() const {
        if ((m_lane.gate & (SequenceKnown | InRun)) != 0 || depth() != 1)
            return m_cause.sequence();
        return m_lane.recording && (m_lane.gate & Unrecorded) == 0 ? m_lane.sequence() : 0;
    }
    // The last sequence that was assigned; the next recorded message to one entity gets the following one.
    [[nodiscard]] std::uint64_t lastSequence() const { return m_lane.sequence(); }
    [[nodiscard]] bool inHandler() const { return depth() != 0; }
    // The entity whose handler is running. Does not allocate.
    [[nodiscard]] EntityId currentReceiver() const;
    [[nodiscard]] std::uint64_t undelivered() const { return m_undelivered; } // see WorldMeasurements

    // What a dispatch saves of the one around it.
    struct Frame {
        std::uint64_t current;
        MessageCause cause;
        EntityId receiver;
    };
    // What a dispatch knows besides message and receiver.
    struct Shipment {
        MessageTypeId type = NoType;
        std::size_t size = 0;
        EntityId sender;
        Delivery delivery = Delivery::Immediate;
        const DelayedMessage* delayed = nullptr;
        std::uint16_t part = 0; // with Delivery::Component: its number, or for a queued message its serial
        NameId site = 0;        // Envelope::site
        std::uint64_t waited = 0; // with Delivery::Network: ticks
    };
    enum class Audience { Everybody, Phase };

    // --- The gate (m_lane.gate). It is 0 unless a handler runs or work is pending: a send that finds it 0 takes the short path,
    // which does not even count the message: the first that needs it does (noteOutermost()), unless the recorder did.
    static constexpr std::uint64_t WorkPending = RecordLane::WorkPending;
    static constexpr std::uint64_t SequenceKnown = RecordLane::SequenceKnown;
    static constexpr std::uint64_t Unrecorded = RecordLane::Unrecorded;
    static constexpr std::uint64_t InRun = RecordLane::InRun; // instead of SequenceKnown
    // Dispatches in progress, one inside another.
    [[nodiscard]] std::uint32_t depth() const { return static_cast<std::uint32_t>(m_lane.gate); }
    // The message being handled.
    [[nodiscard]] MessageCause cause() {
        note();
        return m_cause;
    }
    [[nodiscard]] bool records(MessageTypeId type) const {
        return (m_lane.gate & RecordLane::Unseen) == 0 && m_recorder.wants(type);
    }
    [[nodiscard]] bool injected() const { return (m_lane.gate & RecordLane::Injected) != 0 && depth() == 0; }
    // Makes m_current and m_cause those of the outermost message.
    void note() {
        if (depth() == 1 && (m_lane.gate & SequenceKnown) == 0)
            noteOutermost();
    }
    void noteOutermost();
    // Whether another dispatch may begin: no limit is exceeded.
    [[nodiscard]] bool mayEnter() {
        note();
        const std::uint32_t outside = depth();
        return outside == 0 || (outside < MaxDepth && m_lane.dispatched() + 1 - m_first <= MaxNested);
    }
    // Counts a message that is about to be delivered, after note(). Returns the sequence of its record; 0: not recorded.
    [[nodiscard]] std::uint64_t count(bool recorded) {
        if (recorded)
            return m_lane.take(1);
        ++m_lane.unrecorded;
        return 0;
    }
    // Whether the cause of the next record is near enough for a short one.
    [[nodiscard]] bool agoFits() {
        const MessageCause because = cause();
        return record::ago(m_lane.sequence() + 1, because.sequence(), because.through()) != record::DoesNotFit;
    }
    // What the messages that its handlers send are caused by.
    [[nodiscard]] MessageCause causeOf(std::uint64_t sequence, MessageTypeId type) const {
        return sequence != 0 ? MessageCause::of(sequence) : m_cause.unrecorded(type);
    }
    // In a run: charges the messages sent since the last call to the entity that sent them, for MaxNested.
    void countAsOfCurrent();
    // Begins a dispatch, after mayEnter(), of the message `current` among all that were dispatched; `cause`: see causeOf(). `As`: how the
    // gate marks the outermost dispatch, SequenceKnown or InRun.
    template <std::uint64_t As = SequenceKnown>
    void enter(Frame& outer, std::uint64_t current, MessageCause cause, EntityId receiver) {
        if (depth() == 0) {
            if constexpr (As == SequenceKnown)
                m_first = current;
            m_lane.gate |= As;
        }
        outer.current = m_current;
        outer.cause = m_cause;
        outer.receiver = m_lane.receiver;
        m_current = current;
        m_cause = cause;
        m_lane.receiver = receiver;
        ++m_lane.gate;
    }
    void leave(const Frame& outer) {
        m_current = outer.current;
        m_cause = outer.cause;
        m_lane.receiver = outer.receiver;
        if (depth() == 1)
            m_lane.gate &= ~(SequenceKnown | InRun | Unrecorded);
        --m_lane.gate;
    }
    // Does the pending work (EntityLifecycle::flushDestroyed()) if no handler runs.
    void settle() {
        if ((m_lane.gate & WorkPending) != 0 && depth() == 0 && m_activity == 0)
            finishPendingWork();
    }
    void finishPendingWork();

    // --- To one entity
    template <Message M> SendResult sendNow(EntityId receiver, M& message, EntityId sender);
    // The rare branches of sendNow(), each a call of its own so that they cost the others no register.
    [[gnu::noinline, gnu::cold]] void finishOutermost(const HandlerEntry* consumed);
    template <Message M>
    [[gnu::noinline, gnu::cold]] SendResult sendFirst(EntityId receiver, M& message, EntityId sender);
    // From within a handler, or with a sender while messages are recorded.
    SendResult sendInside(EntityId receiver, MessageTypeId type, void* message, std::size_t size, EntityId sender);
    // The outermost message, to an entity without a handler for it, or with handlers of which some take the envelope.
    SendResult sendOtherwise(const Slot& slot, MessageTypeId type, void* message, std::size_t size, EntityId sender);
    // RecordLane::slowPath.
    static const HandlerEntry* sendRecorded(std::byte* component, void* message, const void* about,
                                            const HandlerEntry* entry);
    // Calls all handlers of a record that was begun. Returns the one that consumed the message; null: none.
    const HandlerEntry* callRecorded(Recorder::Ticket ticket, const DispatchTable::Range& handlers, std::byte* block,
                                     void* message, const Envelope& envelope);
    struct Called {
        bool dropped = false;
        bool consumed = false;
    };
    // One handler, watched if m_watch is set; `timed`: its time, without that of the watch, goes into the record.
    Called callOne(std::span<const HandlerEntry> handlers, std::size_t at, std::byte* block, void* message,
                   const Envelope& envelope, const Recorder::Ticket* timed);
    // Calls handlers until one consumes the message, each watched; `ticket` null: not recorded.
    const HandlerEntry* callWatched(const Recorder::Ticket* ticket, std::span<const HandlerEntry> handlers,
                                    std::byte* block, void* message, const Envelope& envelope);
    [[nodiscard]] bool watched() const { return (m_lane.gate & RecordLane::Watched) != 0; }
    // Its name for the trace; 0: none.
    [[nodiscard]] NameId siteName(SendSite site) { return site.file == nullptr ? 0 : internSite(site); }
    [[nodiscard, gnu::noinline, gnu::cold]] NameId internSite(SendSite site);
    [[nodiscard]] Envelope envelopeOf(const Shipment& shipment, EntityId receiver, std::uint64_t sequence);
    void deliver(Slot& slot, EntityId id, void* message, const Shipment& shipment, SendResult& result);
    void deliverTo(Slot& slot, EntityId id, const DispatchTable::Range& handlers, void* message,
                   const Shipment& shipment, SendResult& result);

    // --- To one component
    [[nodiscard]] bool partReceives(const Entity::ComponentRef& component, EntityId entity, MessageTypeId type) const;
    SendResult deliverToPart(EntityId id, const ComponentType& type, std::byte* component, void* message,
                             const Shipment& shipment);

    // --- To many
    // Delivers to the end of m_receivers, from `from` on, and removes it.
    void deliverToList(std::size_t from, const void* message, const Shipment& shipment, SendResult& result);
    void route(EntityId receiver, void* message, const Shipment& shipment, SendResult& result);
    void sendToPools(std::size_t firstPool, std::size_t endPool, const void* message, const Shipment& shipment,
                     SendResult& result);
    void sendToRun(EntityPool& pool, EntityPool::Chunk& chunk, std::uint64_t entities, const void* message,
                   const Shipment& shipment, Audience audience, SendResult& result);
    // Handler by handler, entity by entity; `firstSequence` 0: not recorded.
    void runOneByOne(EntityPool& pool, EntityPool::Chunk& chunk, std::span<const HandlerEntry> handlers,
                     std::uint64_t entities, std::uint64_t firstSequence, const void* original,
                     const Shipment& shipment, HandlerRun& run, SendResult& result);
    void sendToSpecials(EntityPool::Chunk& chunk, std::uint64_t entities, const void* message,
                        const Shipment& shipment, Audience audience, SendResult& result);
    // One phase of the tick, for all entities that take part.
    void phase(MessageTypeId type, const void* message, std::size_t size);

    // --- To listeners
    void deliverToListeners(const void* message, const Shipment& shipment, SendResult& result);
    void deliverToListeners(Listeners::Pass& pass, const void* message, const Shipment& shipment, SendResult& result);
    void call(const Listener& listener, const void* message, const Envelope& envelope);

    // --- The queue
    // False, with a count and an error in the log: the delay is not finite.
    [[nodiscard]] bool acceptsDelay(double seconds, EntityId receiver, MessageTypeId type);
    DelayedHandle enqueue(Envelope& envelope, const void* message, std::size_t size, std::uint64_t ticks, int priority,
                          unsigned minimum);
    void deliverDelayed();

    // --- Reports
    // A message that did not arrive as it should: counts it, logs it, and notes it in the trace.
    void report(RecordNote note, EntityId receiver, const void* message, const Shipment& shipment,
                unsigned receivers = 0, unsigned minimum = 0);
    SendResult checked(SendResult result, unsigned minimum, EntityId receiver, const void* message,
                       const Shipment& shipment) {
        if (result.receivers < minimum) [[unlikely]]
            report(RecordNote::Short, receiver, message, shipment, result.receivers, minimum);
        return result;
    }

    // --- The queue's budget (world_budget.cpp)
    [[gnu::noinline, gnu::cold]] bool growQueue(const Envelope& message);
    [[nodiscard]] GrowthWatch::Adder acting(EntityId entity, MessageTypeId sends) const;
    void reportGrowth(const GrowthWatch::Verdict& verdict, const char* channel, const std::string& grown,
                      const std::string& refused, const char* verb, const std::string& budget);

    // --- The recorder
    // Called when the set of recorded message types has changed.
    void hookTables();
    // The entity's interned name; 0 for a dead entity.
    [[nodiscard]] NameId nameIdOf(EntityId id) {
        const NameId known = knownNameIdOf(id);
        return known != 0 || !id ? known : lookUpNameId(id);
    }
    [[nodiscard, gnu::noinline]] NameId lookUpNameId(EntityId id);
    // 0: it was not interned yet, nameIdOf() does it.
    [[nodiscard]] NameId knownNameIdOf(EntityId id) const {
        const std::uint32_t index = id.index();
        return index < m_lane.named && m_slots[index].id == id ? m_nameIds[index] : 0;
    }
    // The slot gets another entity.
    void forgetNameId(std::uint32_t index) {
        if (index < m_lane.named)
            m_nameIds[index] = 0;
    }
    // Entities that are created while messages are recorded: the recorder needs their names before their records.
    [[gnu::noinline]] void listUnnamed(EntityId first, std::uint32_t count);
    // Passes names to the recorder. True: it has all of them; until then records are written the slow way.
    bool nameUnnamed() {
        if (!m_unnamed.empty()) [[unlikely]]
            nameListed();
        return m_unnamed.empty();
    }
    [[gnu::noinline]] void nameListed();

    RecordLane m_lane; // contains the gate, and counts what was dispatched
    // What the world is doing. Ending: entities are being removed; those they destroy wait for their turn.
    enum Activity : std::uint8_t { Ticking = 1, Ending = 2 };
    std::uint8_t m_activity = 0;
    // The message being handled, once it is known. All numbers among those that were dispatched.
    std::uint64_t m_current = 0; // 0 when no handler runs
    MessageCause m_cause;        // what it causes is caused by this
    std::uint64_t m_first = 0;   // the outermost one: later ones were caused by it
    GrowthWatch m_queueGrowth;
    DelayedQueue m_queue;

private:
    std::size_t m_recordEnd = 0;     // of the outermost message's record, see Recorder::finishHooked()
    std::uint64_t m_reportedFor = 0; // value of m_first for which CutOff was reported
    std::uint64_t m_undelivered = 0;
    HandlerWatch* m_watch = nullptr;
    Listeners m_listeners;
    std::vector<NameId> m_nameIds;   // by slot, 0: not interned yet; at most as many as there are slots
    std::vector<EntityId> m_unnamed; // while messages are recorded: those whose names the recorder does not have yet
    // Number of the list of one component's handlers in records, by component and message type.
    std::unordered_map<std::uint32_t, ShapeId> m_partShapes;
    std::vector<std::uint64_t> m_words; // a stack of lists, as m_receivers
    std::vector<std::unique_ptr<std::byte[]>> m_copies; // of messages, 64 each
    std::size_t m_copiesUsed = 0;
    // In a run: how many messages each of its entities has caused, by m_current modulo the size of a run; of the one whose turn it
    // is, m_first says it.
    struct Caused {
        std::uint64_t message = 0;
        std::uint64_t others = 0;
        bool reported = false;
    };
    std::uint64_t m_counted = 0;
    std::array<Caused, EntityPool::ChunkSize> m_caused;
    // The innermost run: with m_current it tells which entity's handler is running.
    struct ActiveRun {
        std::uint64_t first = 0;
        const std::uint32_t* owners = nullptr;
    };
    ActiveRun m_run;
};

} // namespace sbx

#include "engine/entity/message_router_send.h"
