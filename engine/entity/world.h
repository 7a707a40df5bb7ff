#pragma once
// A world: entities, their hierarchy, the messages between them, and the tick that drives them.
//
// Everything here runs on the simulation thread. A tick is, in this order: delayed messages that are due; Start for new
// entities; PreUpdate; FixedUpdate; the systems (physics); Update; PostUpdate; destroyed entities go. No code here reads the
// wall clock.
//
// Order. What goes to many entities goes to types in order of first use, within a type by place: entities take the lowest
// free place of their type, so that this is the order of creation while nobody dies. Entities of a type are handled in runs
// of 64 places: in a run the handler of lowest priority of all of them first, then the next of those that did not consume;
// entities with components of their own come after the others of their run, one by one.
//
// Enabling. A disabled entity or component, and whatever stands below a disabled entity, takes part in nothing: no phases, no
// messages, no count as receiver; only Awake and OnDestroy reach it. What a handler adds, removes or switches counts from the
// next message on: a dispatch that is under way goes on with the handlers it began with. Of a phase no more handlers are called
// once the entity left it, unless it has components of its own. What an entity is told of its own life comes one message after
// the other, each to all its components before the next: one that its handlers cause waits until they are through.

#include "engine/core/random.h"
#include "engine/core/text_hash.h"
#include "engine/entity/entity.h"
#include "engine/entity/entity_pool.h"
#include "engine/entity/growth_watch.h"
#include "engine/entity/lifecycle_messages.h"
#include "engine/entity/side_table.h"
#include "engine/entity/special_tables.h"
#include "engine/entity/world_types.h"
#include "engine/message/delayed_queue.h"
#include "engine/message/listeners.h"
#include "engine/message/recorder.h"

#include <array>
#include <functional>
#include <set>
#include <typeindex>
#include <unordered_map>

namespace sbx {

class Log;
struct UnderWayReport;

class World {
public:
    // Handlers inside handlers: one that answers a message with the same message would otherwise take the stack down…
    static constexpr std::uint32_t MaxDepth = 128;
    // …and one that answers twice would take forever: 2^128. Messages that one from outside may set off: of what goes to many
    // (a phase, a broadcast) each entity's by itself.
    static constexpr std::uint64_t MaxNested = 1'000'000;

    // recorder and log outlive the world.
    World(WorldDesc desc, Recorder& recorder, Log& log);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    [[nodiscard]] const WorldDesc& desc() const { return m_desc; }
    [[nodiscard]] std::uint64_t tickCount() const { return m_tick; }
    [[nodiscard]] float dt() const { return m_dt; }
    // Simulated seconds.
    [[nodiscard]] double time() const { return static_cast<double>(m_tick) / m_desc.tickRate; }
    [[nodiscard]] Random& random() { return m_random; }
    [[nodiscard]] Log& log() { return m_log; }
    [[nodiscard]] Recorder& recorder() { return m_recorder; }
    void tick();

    // --- Services: what components of one engine share (physics, visuals, input). Not owned.
    template <typename T> void provide(T& service) { m_services[std::type_index(typeid(T))] = &service; }
    template <typename T> [[nodiscard]] T& service() const {
        const auto it = m_services.find(std::type_index(typeid(T)));
        SBX_EXPECT(it != m_services.end(), "a component asks for a service that the world was not given");
        return *static_cast<T*>(it->second);
    }
    void addSystem(System& system) { m_systems.push_back(&system); }

    // --- Types that Spawner, console and editor create by name.
    void setTypes(std::vector<std::shared_ptr<const EntityType>> types) { m_types = std::move(types); }
    [[nodiscard]] std::shared_ptr<const EntityType> findType(std::string_view name) const;
    [[nodiscard]] const std::vector<std::shared_ptr<const EntityType>>& types() const { return m_types; }

    // --- Entities. While its constructors run an entity hears nothing. If one of them throws, the log says so, and the entity is
    // not made: its handle is empty, the others come all the same.
    EntityId spawn(const SpawnRequest& request);
    // All at once, parents before their children: every entity exists before the first Awake.
    std::vector<EntityId> spawnAll(const std::vector<SpawnRequest>& requests);
    // Bare entities: no name, parent or place until they are given one, which costs nothing until then. The fastest way.
    EntityId create(const std::shared_ptr<const EntityType>& type);
    // One for each element of `ids`; every entity exists before the first Awake.
    void createMany(const std::shared_ptr<const EntityType>& type, std::span<EntityId> ids);
    // With its children, at the end of the tick (at once between ticks; one whose components are being built: once they are).
    // Harmless on a dead entity.
    void destroy(EntityId id);
    // As destroy() of each in turn; what `ids` lies in must stay as it is meanwhile. Entities that lie anywhere in memory go
    // about twice as fast as one by one, since what the next ones need is asked for meanwhile.
    void destroyMany(std::span<const EntityId> ids);
    // Not in a handler, nor in a constructor or destructor.
    void clear();
    [[nodiscard]] Entity find(EntityId id) const { return alive(id) ? Entity(*this, id) : Entity(); }
    // Allocates nothing.
    [[nodiscard]] Entity find(std::string_view name) const;
    [[nodiscard]] bool alive(EntityId id) const { return m_slots.find(id) != nullptr; }
    // Empty for a dead entity.
    [[nodiscard]] std::string nameOf(EntityId id) const;
    [[nodiscard]] std::size_t entityCount() const { return m_slots.taken(); }
    // Bytes that the table of its entities has beside the heap.
    [[nodiscard]] std::size_t mappedBytes() const { return m_slots.mappedBytes(); }
    // In id order (by slot).
    void forEach(const std::function<void(const Entity&)>& visit) const;
    // Changes whenever entities come, go, are renamed or reparented.
    [[nodiscard]] std::uint64_t structureVersion() const { return m_structure + m_slots.size(); }

    // --- Enabling (see above). Harmless on a dead entity.
    void setEnabled(EntityId id, bool enabled);
    // One component; the entity may be disabled all the same.
    void setEnabled(Component& component, bool enabled) {
        setPartEnabled(component.entity(), &component, enabled);
    }
    Result<void> setEnabled(EntityId id, std::string_view component, bool enabled);

    // --- Components
    // The first component, in file order, that is a T or derived from it; null: none.
    template <typename T> [[nodiscard]] T* getComponent(EntityId id) const {
        return static_cast<T*>(findComponent(id, typeid(T)));
    }
    // Calls visit(T&) for each.
    template <typename T, typename Visit> void eachComponent(EntityId id, const Visit& visit) const {
        if (const Entity entity = find(id))
            entity.eachComponent([&](const Entity::ComponentRef& ref) {
                if (const ComponentClass* c = ref.type->as(typeid(T)))
                    visit(*reinterpret_cast<T*>(static_cast<std::byte*>(ref.component) + c->offset));
            });
    }

    // --- Where things are
    // Asks by message; without an owner of the position the world's own table answers.
    [[nodiscard]] Pose poseOf(EntityId id);
    // Called by the owner of the position (or for entities without one). Moves children along. A pose that is not finite is not
    // taken: the log says so.
    void setPose(EntityId id, const Pose& world, bool teleport = false);
    // Entities moved by their parents since the last call, for systems that keep a copy of poses.
    [[nodiscard]] std::span<const EntityId> takeMovedByParent();
    // Keeps the pose in the world; refuses a cycle (false).
    bool setParent(EntityId id, EntityId parent);

    // --- Messages. A handler may change the message: that is how questions are answered; of what goes to several entities
    // each gets it as it was sent. A plain send goes where the message's Mode says: to the entity, if it says nothing.
    // `minimum`: fewer receivers are reported, in the log and in the trace, with the message as it was sent.
    template <Message M> [[gnu::always_inline]] SendResult send(EntityId receiver, M& message,
                                                                EntityId sender = {}, unsigned minimum = 0) {
        if constexpr (modeOf<M>() == Delivery::Immediate)
            if (minimum == 0) [[likely]]
                return sendNow(receiver, message, sender);
        return sendRaw(receiver, messageIdOf<M>(), &message, sizeof(M), sender, modeOf<M>(), minimum);
    }
    template <Message M> [[gnu::always_inline]] SendResult send(EntityId receiver, M&& message,
                                                                EntityId sender = {}, unsigned minimum = 0) {
        return send(receiver, message, sender, minimum);
    }
    // To the entity alone, whatever its Mode.
    template <Message M>
    SendResult sendToEntity(EntityId receiver, M& message, EntityId sender = {}, unsigned minimum = 0) {
        return sendRaw(receiver, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Immediate, minimum);
    }
    // To one component; a message that has a name can be read afterwards.
    template <typename M>
    requires Message<std::remove_cvref_t<M>> SendResult send(Component& receiver, M&& message,
                                                             EntityId sender = {}, unsigned minimum = 0) {
        auto& m = message;
        return sendToPart(receiver.entity(), &receiver, messageIdOf<std::remove_cvref_t<M>>(), &m, sizeof(m),
                          sender, minimum);
    }
    // To the first component that is a T, or the one after `index` others.
    template <typename T, typename M> SendResult sendToComponent(EntityId entity, M&& message,
                                                                 unsigned index = 0, EntityId sender = {},
                                                                 unsigned minimum = 0) {
        auto& m = message;
        return sendToPart(entity, findPart(entity, typeid(T), index), messageIdOf<std::remove_cvref_t<M>>(),
                          &m, sizeof(m), sender, minimum);
    }
    // The whole subtree, the entity itself first, parents before children.
    template <Message M>
    SendResult sendToChildren(EntityId root, M message, EntityId sender = {}, unsigned minimum = 0) {
        return sendRaw(root, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Children, minimum);
    }
    // The entity itself first, then its parent, and so on up.
    template <Message M>
    SendResult sendToAncestors(EntityId entity, M message, EntityId sender = {}, unsigned minimum = 0) {
        return sendRaw(entity, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Ancestors, minimum);
    }
    // Every entity that lives when it is sent.
    template <Message M> SendResult broadcast(M message, EntityId sender = {}, unsigned minimum = 0) {
        return sendRaw({}, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Broadcast, minimum);
    }
    // All entities of a type.
    template <Message M> SendResult sendToType(const EntityType& type, const M& message, EntityId sender = {},
                                               unsigned minimum = 0) {
        return sendToTypeRaw(type, messageIdOf<M>(), &message, sizeof(M), sender, minimum);
    }
    // Those who listen to its type, in order of registration, and nobody else.
    template <Message M> SendResult sendToListeners(M message, EntityId sender = {}, unsigned minimum = 0) {
        return sendRaw({}, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Listener, minimum);
    }
    // Who hears what is sent to listeners, and every message that comes out of the queue, after its addressee. A listener whose
    // owner is disabled or gone hears nothing. What a listener throws is said in the log, and the others hear the message.
    [[nodiscard]] Listeners& listeners() { return m_listeners; }
    // After `seconds`, rounded up to ticks, at least one; or after `ticks`, at least one. Lower priorities first within a tick,
    // then in order of sending. Goes where its Mode says when it is due. A receiver that died meanwhile is reported, and so are
    // fewer receivers than `minimum`. Seconds that are no finite number are reported in the log: the message is not sent, and
    // the handle names none. More ticks than there are: never.
    template <Message M> DelayedHandle sendLater(EntityId receiver, const M& message, double seconds,
                                                 EntityId sender = {}, int priority = 0,
                                                 unsigned minimum = 0) {
        if (!takesDelay(seconds, receiver, messageIdOf<M>()))
            return {};
        return sendLaterRaw(receiver, messageIdOf<M>(), &message, sizeof(M), ticksIn(seconds), sender,
                            priority, modeOf<M>(), minimum);
    }
    template <Message M> DelayedHandle sendInTicks(EntityId receiver, const M& message, std::uint64_t ticks,
                                                   EntityId sender = {}, int priority = 0,
                                                   unsigned minimum = 0) {
        return sendLaterRaw(receiver, messageIdOf<M>(), &message, sizeof(M), ticks, sender, priority,
                            modeOf<M>(), minimum);
    }
    // To one component. One that was taken out meanwhile is reported as a receiver that died.
    template <Message M> DelayedHandle sendLater(const Component& receiver, const M& message, double seconds,
                                                 EntityId sender = {}, int priority = 0,
                                                 unsigned minimum = 0) {
        if (!takesDelay(seconds, receiver.entity(), messageIdOf<M>()))
            return {};
        return sendLaterToComponentRaw(receiver.entity(), &receiver, messageIdOf<M>(), &message, sizeof(M),
                                       ticksIn(seconds), sender, priority, minimum);
    }
    template <Message M> DelayedHandle sendInTicks(const Component& receiver, const M& message,
                                                   std::uint64_t ticks, EntityId sender = {},
                                                   int priority = 0, unsigned minimum = 0) {
        return sendLaterToComponentRaw(receiver.entity(), &receiver, messageIdOf<M>(), &message, sizeof(M),
                                       ticks, sender, priority, minimum);
    }
    // False: it was delivered or cancelled before.
    bool cancel(DelayedHandle message) { return m_queue.cancel(message); }
    // Of finite seconds (contract).
    [[nodiscard]] std::uint64_t ticksIn(double seconds) const;
    [[nodiscard]] const DelayedQueue& queue() const { return m_queue; }
    // The same for a type known only at run time. Broadcast ignores the receiver.
    SendResult sendRaw(EntityId receiver, MessageTypeId type, void* message, std::size_t size,
                       EntityId sender, Delivery delivery, unsigned minimum = 0);
    SendResult sendToTypeRaw(const EntityType& receivers, MessageTypeId type, const void* message,
                             std::size_t size, EntityId sender, unsigned minimum = 0);
    DelayedHandle sendLaterRaw(EntityId receiver, MessageTypeId type, const void* message, std::size_t size,
                               std::uint64_t ticks, EntityId sender, int priority, Delivery delivery,
                               unsigned minimum = 0);

    // To one component, named by its address.
    DelayedHandle sendLaterToComponentRaw(EntityId entity, const void* component, MessageTypeId type,
                                          const void* message, std::size_t size, std::uint64_t ticks,
                                          EntityId sender, int priority, unsigned minimum = 0);
    SendResult sendToComponentRaw(EntityId entity, const void* component, MessageTypeId type, void* message,
                                  std::size_t size, EntityId sender, unsigned minimum = 0) {
        return sendToPart(entity, component, type, message, size, sender, minimum);
    }

    // --- Edits from outside, between ticks or within a handler
    // Refused where a component of the entity excludes it (ComponentType::excludes). It is told Awake at once, Start in time.
    Result<void> addComponent(EntityId id, const ComponentType& type, std::shared_ptr<const void> settings);
    // It hears no message from now on and goes at the end of the tick.
    Result<void> removeComponent(EntityId id, std::string_view component);
    // Settings or state field of a living component, checked by type and range; the component is told.
    Result<void> setField(EntityId id, std::string_view component, std::string_view field,
                          const Value& value);
    // New types take the place of old ones of the same name; living entities follow: changed settings apply (overridden and
    // edited ones stay), components that stay are the same objects, new ones appear, removed ones go. Types that are gone stay
    // in force for their living entities. Returns one line a changed type.
    std::vector<std::string> replaceTypes(std::vector<std::shared_ptr<const EntityType>> types);

    // Sequence of the message being handled, which its record has if there is one; 0: none is, or it has none.
    [[nodiscard]] std::uint64_t handling() const {
        if ((m_lane.gate & (SequenceKnown | InRun)) != 0 || depth() != 1)
            return m_current;
        return m_lane.recording && (m_lane.gate & Unrecorded) == 0 ? m_lane.sequence() : 0;
    }
    // The last sequence given; outside handlers a message to one entity that is recorded has the next.
    [[nodiscard]] std::uint64_t lastSequence() const { return m_lane.sequence(); }

    // Messages whose receiver was gone, those that were cut, that reached too few, and whose delay was no number, so far.
    [[nodiscard]] std::uint64_t undelivered() const { return m_undelivered; }

    // Steps that bookkeeping has taken so far: grows with what was done, never with what stands around it.
    struct Work {
        std::uint64_t namesTried = 0;    // for one that was free
        std::uint64_t childrenMoved = 0; // up in the lists of their parents, behind those that left
    };
    [[nodiscard]] const Work& work() const { return m_work; }

    // --- Budgets: beyond them nothing is made (handles are empty) and nothing queued, from the first tick on. The log says as an
    // error who adds most, long before and then. A client's world has none: what comes there the server has sent.
    void setBudget(const WorldBudget& budget);
    // A budget was used up since this was last asked.
    [[nodiscard]] bool takeOverBudget();

    // 64-bit hash over poses and every state field of every entity in id order, the queue and the random source.
    [[nodiscard]] std::uint64_t digest() const;

    // For describeUnderWay(): whether a handler runs, of which entity, and what is to be said of one. They allocate nothing.
    [[nodiscard]] bool inHandler() const { return depth() != 0; }
    [[nodiscard]] EntityId currentReceiver() const;
    void describe(EntityId id, UnderWayReport& report) const;

private:
    friend class Entity;
    friend void noteFailure(World& world, const ConstructStep& part);

    // What a dispatch sets aside while it is under way.
    struct Frame {
        std::uint64_t current;
        EntityId receiver;
    };
    // What a dispatch knows beside message and receiver.
    struct Shipment {
        MessageTypeId type = NoType;
        std::size_t size = 0;
        EntityId sender;
        Delivery delivery = Delivery::Immediate;
        const DelayedMessage* delayed = nullptr;
        std::uint16_t part = 0;
    };
    enum class Audience { Everybody, Phase };

    // under_way_report.cpp: among the worlds that may be asked what is under way.
    void enlist();
    void delist();

    // world_coming.cpp
    std::unique_ptr<EntityPool> makePool(const std::shared_ptr<const EntityType>& type);
    EntityPool& poolOf(const std::shared_ptr<const EntityType>& type);
    [[gnu::noinline]] EntityPool& lookUpPool(const std::shared_ptr<const EntityType>& type);
    [[nodiscard]] std::uint16_t flagsOfNew(const EntityPool& pool) const;
    EntityId make(const SpawnRequest& request, EntityId itsParent);
    EntityId makeBare(EntityPool& pool, std::uint16_t flags);
    void makeRow(EntityPool& pool, std::uint16_t flags, std::span<EntityId> ids);
    bool build(EntityPool& pool, EntityId id, std::byte* block);
    void finish(EntityPool& pool, EntityId id, std::uint16_t flags);
    [[gnu::noinline]] void finishOdd(std::uint32_t index);
    // In a catch clause: `built` of its components are there.
    [[gnu::noinline, gnu::cold]] void abandon(EntityId id, std::size_t built);
    void takeBack(EntityId id, std::size_t built);
    // In a catch clause: what the exception says.
    [[nodiscard]] static std::string thrownText();
    // Around a constructor of one component, of an entity that is there: what destroys that meanwhile counts from unpin() on,
    // which takes what pin() said.
    [[nodiscard]] bool pin(std::uint32_t index);
    void unpin(EntityId id, bool pinned);
    [[gnu::noinline]] EntityId createSlowly(const std::shared_ptr<const EntityType>& type);

    // world_budget.cpp
    [[nodiscard]] bool mayMake(EntityId creator) {
        return m_entityGrowth.belowAttention(m_slots.taken()) || growEntities(creator);
    }
    [[gnu::noinline, gnu::cold]] bool growEntities(EntityId creator);
    [[gnu::noinline, gnu::cold]] bool growQueue(const Envelope& message);
    void beginBudget();
    [[nodiscard]] GrowthWatch::Adder acting(EntityId entity, MessageTypeId sends) const;
    void reportGrowth(const GrowthWatch::Verdict& verdict, const char* channel, const std::string& grown,
                      const std::string& refused, const char* verb, const std::string& budget);

    // world_going.cpp
    [[nodiscard]] bool diesSilently(const Slot& slot) const;
    void destroyNow(EntityId id);
    void destroyLater(EntityId id);
    [[gnu::noinline]] void destroyWithin(EntityId id);
    void remove(EntityId id);
    void removeAtOnce(EntityId id);
    [[gnu::noinline]] void finishRemoving(std::uint32_t index);
    void endBare(std::uint32_t index, Slot& slot);
    void removeDying();
    static void endPart(const EntityPart& part);
    void destroyOwnParts(std::uint32_t index);
    [[gnu::noinline]] void forget(std::uint32_t index);
    [[gnu::noinline]] void destroySlowly(EntityId id);
    void destroyAll(std::size_t from);
    void flushDestroyed();

    [[nodiscard]] bool busy() const { return (m_activity & Ticking) != 0 || depth() != 0; }
    [[nodiscard]] bool interested(const Slot& slot, bool EntityPool::Interest::*what,
                                  MessageTypeId type) const {
        return slot.has(SlotSpecial) || m_pools[slot.pool]->interest().*what || m_recorder.wants(type);
    }

    // world_life.cpp
    void wake(EntityId id);
    void live(EntityId id);
    bool tellNext(EntityId id);
    bool tellNextPart(EntityId id);
    template <typename M> bool tellIf(EntityId id, bool EntityPool::Interest::*what);
    [[nodiscard]] bool roomToTell();
    void postpone(EntityId id);
    void awaitStart(EntityId id);
    void beginPart(EntityId id, const void* component);
    void startWaiting();
    void startParts(EntityId id);
    void refresh(EntityId id);

    // world_enabling.cpp
    void follow(std::uint32_t index);
    void setPartEnabled(EntityId id, const void* component, bool enabled);
    std::vector<EntityPart>& makeSpecial(std::uint32_t index);
    [[nodiscard]] static std::uint16_t nextSerial(EntityDetails& details);
    void makePlain(std::uint32_t index);
    void chooseTable(std::uint32_t index);
    void giveTable(EntityDetails& details);
    template <typename M> void tellPart(EntityId id, const void* component);

    // world_names.cpp
    [[nodiscard]] std::string uniqueName(const std::string& wish);
    void forgetName(const std::string& name);
    // 0 for a dead entity.
    [[nodiscard]] NameId nameIdOf(EntityId id) {
        const NameId known = knownNameIdOf(id);
        return known != 0 || !id ? known : lookUpNameId(id);
    }
    [[nodiscard, gnu::noinline]] NameId lookUpNameId(EntityId id);
    // Entities that come while messages are recorded: their records need them named first.
    [[gnu::noinline]] void listUnnamed(EntityId first, std::uint32_t count);
    // Tells the recorder. True: all were told; until then records are written the long way.
    bool nameUnnamed() {
        if (!m_unnamed.empty()) [[unlikely]]
            nameListed();
        return m_unnamed.empty();
    }
    [[gnu::noinline]] void nameListed();
    // Of one that goes while messages wait, for the report of what comes too late for it. Kept until another falls on its place
    // in the table; empty: not known any more.
    void keepName(EntityId id);
    [[nodiscard]] const std::string& keptName(EntityId id) const;
    // 0: nameIdOf() knows better.
    [[nodiscard]] NameId knownNameIdOf(EntityId id) const {
        const std::uint32_t index = id.index();
        return index < m_lane.named && m_slots[index].id == id ? m_nameIds[index] : 0;
    }

    // world_places.cpp
    EntityPlace& placeOf(std::uint32_t index);
    void carryBelow(EntityId id);
    void leaveParent(std::uint32_t index);
    static void joinChildren(EntityPlace& parent, EntityPlace& place, EntityId id);
    void closeGaps(EntityPlace& parent) const;
    // Without gaps; of a slot that is placed. Good until children come or go.
    [[nodiscard]] const std::vector<EntityId>& childrenOf(std::uint32_t index) const;

    // world_send.cpp
    template <Message M> SendResult sendNow(EntityId receiver, M& message, EntityId sender);
    SendResult sendToPart(EntityId entity, const void* component, MessageTypeId type, void* message,
                          std::size_t size, EntityId sender, unsigned minimum);
    // The gate is open (0) unless a handler runs or something waits to be settled: a send that finds it open takes the short
    // way. It does not even take a sequence: the first to need it within does, unless the recorder did.
    static constexpr std::uint64_t WorkPending = RecordLane::WorkPending;
    static constexpr std::uint64_t SequenceKnown = RecordLane::SequenceKnown;
    static constexpr std::uint64_t Unrecorded = RecordLane::Unrecorded;
    static constexpr std::uint64_t InRun = RecordLane::InRun; // instead of SequenceKnown
    // Dispatches under way, inside one another.
    [[nodiscard]] std::uint32_t depth() const { return static_cast<std::uint32_t>(m_lane.gate); }
    // Sequence of the message being handled; 0: none.
    [[nodiscard]] std::uint64_t cause() {
        note();
        return m_current;
    }
    void note() {
        if (depth() == 1 && (m_lane.gate & SequenceKnown) == 0)
            noteOutermost();
    }
    void noteOutermost();
    // The sequence of a message to be delivered.
    [[nodiscard]] std::uint64_t nextSequence(std::uint64_t count = 1) {
        note();
        return m_lane.take(count);
    }
    // In a run, at every message that one of its entities sends itself: whose it is, of those that it may set off.
    void countAsOfCurrent();
    // After the sequence was taken; `As` is what the outermost is, SequenceKnown or InRun.
    template <std::uint64_t As = SequenceKnown>
    [[nodiscard]] bool enter(Frame& outer, std::uint64_t sequence, EntityId receiver) {
        const std::uint32_t outside = depth();
        if (outside == 0) {
            if constexpr (As == SequenceKnown)
                m_first = sequence;
            m_lane.gate |= As;
        } else if (outside >= MaxDepth || sequence - m_first > MaxNested) {
            return false;
        }
        outer.current = m_current;
        outer.receiver = m_lane.receiver;
        m_current = sequence;
        m_lane.receiver = receiver;
        ++m_lane.gate;
        return true;
    }
    void leave(const Frame& outer) {
        m_current = outer.current;
        m_lane.receiver = outer.receiver;
        if (depth() == 1)
            m_lane.gate &= ~(SequenceKnown | InRun | Unrecorded);
        --m_lane.gate;
    }
    // What had to wait until no handler runs.
    void settle() {
        if ((m_lane.gate & WorkPending) != 0 && depth() == 0 && m_activity == 0)
            flushDestroyed();
    }
    // The rare branches of sendNow(), each a call of its own so that they cost the others no register.
    [[gnu::noinline, gnu::cold]] void finishOutermost(const HandlerEntry* consumed);
    template <Message M>
    [[gnu::noinline, gnu::cold]] SendResult sendFirst(EntityId receiver, M& message, EntityId sender) {
        return sendInside(receiver, messageIdOf<M>(), &message, sizeof(M), sender);
    }
    // From within a handler, or in somebody's name while messages are recorded.
    SendResult sendInside(EntityId receiver, MessageTypeId type, void* message, std::size_t size,
                          EntityId sender);
    // The outermost message, to nobody, or to handlers of which some take the envelope.
    SendResult sendOtherwise(const Slot& slot, MessageTypeId type, void* message, std::size_t size,
                             EntityId sender);
    // RecordLane::aside.
    static const HandlerEntry* sendRecorded(std::byte* component, void* message, const void* about,
                                            const HandlerEntry* entry);
    // Calls all handlers of a record that has begun. Returns the one that consumed the message; null: none.
    const HandlerEntry* callRecorded(Recorder::Ticket ticket, const DispatchTable::Range& handlers,
                                     std::byte* block, void* message, const Envelope& envelope);
    // Which messages are recorded is not what it was.
    void hookTables();
    SendResult checked(SendResult result, unsigned minimum, EntityId receiver, const void* message,
                       const Shipment& shipment) {
        if (result.receivers < minimum) [[unlikely]]
            report(RecordNote::Short, receiver, message, shipment, result.receivers, minimum);
        return result;
    }
    // False, and counted and said in the log: no delay is that long.
    [[nodiscard]] bool takesDelay(double seconds, EntityId receiver, MessageTypeId type);
    // A message that did not get where it should: counted, said in the log, and noted in the trace.
    void report(RecordNote note, EntityId receiver, const void* message, const Shipment& shipment,
                unsigned receivers = 0, unsigned minimum = 0);
    [[nodiscard]] Envelope envelopeOf(const Shipment& shipment, EntityId receiver, std::uint64_t sequence);
    void deliver(Slot& slot, EntityId id, void* message, const Shipment& shipment, SendResult& result);
    void deliverTo(Slot& slot, EntityId id, const DispatchTable::Range& handlers, void* message,
                   const Shipment& shipment, SendResult& result);
    // One component of an entity.
    struct PartLocation {
        Entity::ComponentRef ref; // without type: none
        std::uint16_t serial = 0; // EntityPart's
        std::uint16_t number = 0; // in file order
    };
    static constexpr std::uint16_t NoPart = 0xFFFF; // no component's serial
    [[nodiscard]] bool takesPart(const Entity::ComponentRef& component, EntityId entity,
                                 MessageTypeId type) const;
    DelayedHandle enqueue(Envelope& envelope, const void* message, std::size_t size, std::uint64_t ticks,
                          int priority, unsigned minimum);
    // The first that `wanted(PartLocation)` wants.
    template <typename Wanted>
    [[nodiscard]] PartLocation findPlace(EntityId entity, const Wanted& wanted) const;
    // By its address, or one inside.
    [[nodiscard]] PartLocation placeOfPart(EntityId entity, const void* component) const;
    [[nodiscard]] PartLocation placeOfSerial(EntityId entity, std::uint16_t serial) const;
    SendResult deliverToPart(EntityId id, const ComponentType& type, std::byte* component, void* message,
                             const Shipment& shipment);
    void deliverToList(std::size_t from, const void* message, const Shipment& shipment, SendResult& result);
    void route(EntityId receiver, void* message, const Shipment& shipment, SendResult& result);
    void deliverToListeners(const void* message, const Shipment& shipment, SendResult& result);
    void call(const Listener& listener, const void* message, const Envelope& envelope);
    void deliverToListeners(Listeners::Pass& pass, const void* message, const Shipment& shipment,
                            SendResult& result);
    void listSubtree(EntityId root);
    void deliverDelayed();
    [[nodiscard]] void* findComponent(EntityId id, const std::type_info& type) const;
    [[nodiscard]] void* findPart(EntityId id, const std::type_info& type, unsigned index) const;

    // world_batches.cpp
    void sendToPools(std::size_t firstPool, std::size_t endPool, const void* message,
                     const Shipment& shipment, SendResult& result);
    void sendToRun(EntityPool& pool, EntityPool::Chunk& chunk, std::uint64_t entities, const void* message,
                   const Shipment& shipment, Audience audience, SendResult& result);
    void runRecorded(EntityPool& pool, EntityPool::Chunk& chunk, std::span<const HandlerEntry> handlers,
                     std::uint64_t entities, const void* original, const Shipment& shipment, HandlerRun& run,
                     SendResult& result);
    void sendToSpecials(EntityPool::Chunk& chunk, std::uint64_t entities, const void* message,
                        const Shipment& shipment, Audience audience, SendResult& result);
    void phase(MessageTypeId type, const void* message, std::size_t size);

    // world_edits.cpp
    void dropParts(EntityId id, const std::vector<std::byte*>& components);
    void takeOut(std::uint32_t index, std::size_t number);

    // world_reload.cpp
    void updateSettings(std::uint32_t index, const EntityType& before, const EntityType& now);
    void updateParts(std::uint32_t index, const std::shared_ptr<const EntityType>& type);
    std::size_t updatePool(EntityPool& pool, const std::shared_ptr<const EntityType>& type);
    void sortPools();

    WorldDesc m_desc;
    float m_dt;
    Recorder& m_recorder;
    Log& m_log;
    // What it is in the middle of. Ending: entities go, and those that follow them wait for their turn.
    enum Activity : std::uint8_t { Ticking = 1, Ending = 2 };
    std::uint8_t m_activity = 0;
    RecordLane m_lane; // with the gate, and the last sequence given
    std::uint64_t m_tick = 0;
    std::size_t m_recordEnd = 0; // see Recorder::finishHooked(): of the outermost message, once it is noted
    std::uint64_t m_first = 0;   // the last sequence before those that the outermost message has set off, once it has
    std::uint64_t m_told = 0;    // that of the one of which it was said that it set off too many
    std::uint64_t m_undelivered = 0;
    std::uint64_t m_current = 0; // see cause(); 0 when no handler runs
    SlotTable m_slots;
    std::vector<std::unique_ptr<EntityPool>> m_pools; // in order of first use
    std::unordered_map<const EntityType*, std::uint16_t> m_poolOf;
    const EntityType* m_lastType = nullptr; // the one looked up last
    EntityPool* m_lastPoolAt = nullptr;
    SideTable<EntityDetails> m_details;
    mutable SideTable<EntityPlace> m_places; // gaps among children are closed as they are read
    Random m_random;
    std::uint64_t m_structure = 1;               // with the number of slots; see structureVersion()
    const ConstructStep* m_failedPart = nullptr; // whose constructor threw last
    TextMap<EntityId> m_byName;
    // Of names that end in a number, by what stands before it: every number below `next`, from 2, is taken or in `free`.
    struct NameNumbers {
        std::uint64_t next = 2;
        std::set<std::uint64_t> free; // given back; may be taken again by a name that was asked for as it is
    };
    TextMap<NameNumbers> m_numbers;
    mutable Work m_work;
    WorldBudget m_budget;
    GrowthWatch m_entityGrowth;
    GrowthWatch m_queueGrowth;
    std::unordered_map<std::uint32_t, ShapeId>
        m_partShapes; // of one component's handlers, by component and message type
    struct KeptName {
        EntityId entity;
        std::string name;
    };
    std::vector<KeptName> m_keptNames; // by slot, modulo its size; empty until the first
    std::vector<NameId>
        m_nameIds; // by slot, of those that were recorded; 0: not yet; never more than there are slots
    std::vector<EntityId>
        m_unnamed; // while messages are recorded: those whose names the recorder was not told
    std::vector<EntityId> m_awaitingStart;
    std::vector<EntityId> m_starting;
    std::vector<EntityId> m_dying;
    std::vector<EntityId> m_late; // to be told of their lives once no handler runs
    std::vector<EntityId> m_movedByParent;
    std::vector<EntityId> m_movedByParentTaken;
    SpecialTables m_specialTables;
    std::vector<EntityPart> m_retiredParts; // which a dispatch of this tick may still use
    // Lists of receivers of the dispatches under way, each behind those it is nested in.
    std::vector<EntityId> m_receivers;
    std::vector<EntityId> m_waiting; // to be looked at, of the hierarchies walked through
    std::vector<std::uint64_t> m_words;
    std::vector<std::unique_ptr<std::byte[]>> m_copies; // of messages, 64 each
    std::size_t m_copiesUsed = 0;
    // In a run: whose m_first is; and what those whose turn it is not have set off, by sequence modulo their number.
    struct SetOff {
        std::uint64_t message = 0;
        std::uint64_t others = 0;
        bool told = false;
    };
    // The innermost run: with m_current it tells whose turn it is.
    struct RunUnderWay {
        std::uint64_t first = 0;
        const std::uint32_t* owners = nullptr;
    };
    RunUnderWay m_run;
    std::uint64_t m_counted = 0;
    std::array<SetOff, EntityPool::ChunkSize> m_setOff;
    DelayedQueue m_queue;
    Listeners m_listeners;
    std::vector<System*> m_systems;
    std::unordered_map<std::type_index, void*> m_services;
    std::vector<std::shared_ptr<const EntityType>> m_types;
};

// The way of nearly every message, inlined into the sender: one slot, one range, one call that goes on from handler to handler,
// through the recorder if it stands there.
template <Message M>
[[gnu::always_inline]] inline SendResult World::sendNow(EntityId receiver, M& message, EntityId sender) {
    const std::uint32_t type = detail::knownMessageId<M>();
    if (m_lane.gate != 0 || (sender && m_lane.recording)) [[unlikely]]
        return type == NoType
                   ? sendFirst(receiver, message, sender)
                   : sendInside(receiver, static_cast<MessageTypeId>(type), &message, sizeof(M), sender);
    const Slot* const slot = m_slots.find(receiver);
    if (slot == nullptr)
        return {};
    const DispatchTable::Data& table = *slot->dispatch;
    if (type >= table.types) [[unlikely]] // no handler, or the type's first use here
        return type == NoType
                   ? sendFirst(receiver, message, sender)
                   : sendOtherwise(*slot, static_cast<MessageTypeId>(type), &message, sizeof(M), sender);
    const DispatchTable::Range& range = table.ranges()[type];
    if (range.kind != DispatchTable::Kind::Plain) [[unlikely]]
        return sendOtherwise(*slot, static_cast<MessageTypeId>(type), &message, sizeof(M), sender);
    m_lane.gate = 1;
    m_lane.receiver = receiver;
    const HandlerEntry* const consumed = range.call(slot->block, &message, receiver);
    // One comparison for both: no address reaches the gate's upper bits.
    if (m_lane.gate != 1 + reinterpret_cast<std::uintptr_t>(consumed)) [[unlikely]]
        finishOutermost(consumed);
    else
        m_lane.gate = 0;
    return {1, consumed != nullptr};
}

} // namespace sbx
