#pragma once
// Replicates the worlds of a session over the network: a server sends the entities, messages and states of its world to its clients;
// a client's messages reach the entity of its player.

#include "engine/components/network_limits.h"
#include "engine/components/network_messages.h"
#include "engine/components/network_states.h"
#include "engine/components/network_trail.h"
#include "engine/components/network_wire.h"
#include "engine/components/pose_smoothing.h"
#include "engine/entity/world.h"
#include "engine/net/net_recorder.h"
#include "engine/net/window_ring.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sbx {

struct Input;

struct NetSent {
    net::SendStatus status = net::SendStatus::Closed; // Closed also without any connection
    NetHandle handle;
};

struct NetworkCounters {
    std::uint64_t sent = 0;            // guaranteed messages, once for all peers
    std::uint64_t received = 0;        // delivered to entities
    std::uint64_t spawned = 0;         // entities announced (server), or created for an announcement (client)
    std::uint64_t despawned = 0;
    std::uint64_t statesSent = 0;
    std::uint64_t statesReceived = 0;
    std::uint64_t stateBytes = 0;      // of these records, sent or received
    std::uint64_t refused = 0;         // messages that a client is not allowed to send
    std::uint64_t malformed = 0;       // messages that break the protocol, or that this world cannot apply
    std::uint64_t unknownReceiver = 0; // guaranteed messages whose entity does not exist (any more)
    std::uint64_t repeated = 0;        // announcements that changed nothing
    std::uint64_t rateExceeded = 0;    // connections closed because of too many messages
    std::uint64_t backlogExceeded = 0; // ... or because too many messages waited for them

    template <typename Visit> void forEach(Visit visit) const {
        visit("sent", sent);
        visit("received", received);
        visit("spawned", spawned);
        visit("despawned", despawned);
        visit("statesSent", statesSent);
        visit("statesReceived", statesReceived);
        visit("stateBytes", stateBytes);
        visit("refused", refused);
        visit("malformed", malformed);
        visit("unknownReceiver", unknownReceiver);
        visit("repeated", repeated);
        visit("rateExceeded", rateExceeded);
        visit("backlogExceeded", backlogExceeded);
    }
};

enum class NetworkRole : std::uint8_t { Alone, Server, Client };

// Parameters of NetworkSystem::attach(); Session::joinNetwork() fills in those that the session knows.
struct NetworkSetup {
    NetworkRole role = NetworkRole::Alone;
    net::Host* host = nullptr;
    std::function<void()> pump; // updates the host on its clock
    // How a client creates an entity that was announced; type null: unknown here.
    std::function<SpawnRequest(const std::string& type, const std::string& name)> make;
    // How a client applies a setting of the server; an error if it cannot.
    std::function<Result<void>(const std::string& name, const std::string& value)> setting;
    std::shared_ptr<const NetworkTable> table;
    std::string playerType = "Player";
    std::string playerName = "player";     // a client's
    bool observes = false;                 // a client's: it requested to have no player
    // A server's limits; called once a tick. Empty: the defaults of NetworkLimits.
    std::function<NetworkLimits()> limits;
    unsigned players = 0; // the game starts when so many have sent their PlayerInfo; 0: never
    net::NetRecorder* recorder = nullptr;  // records what the host does while attached; outlives the attachment
    std::string peerName;                  // name of this end in records
    std::string peerAddress;               // ... and its address as others see it; empty: unknown
    bool logsChat = true;                  // false: a server writes it to the same log
};

// Purpose: entities have a number on the wire. The server announces each entity to every client (guaranteed, after its parent), and its
// removal (after the announcement and the last messages to it), and sends the messages of components, and states of
// components (network_states.h). Data flow: receive() before a tick, publish() after it; both run the host.
// Thread: the session's. Ownership: the host outlives the attachment. A message waits for its dependencies, and for the entity that
// receives it; it arrives in the world between two ticks, with delivery `network`. A message of a peer is checked completely before
// anything changes: a peer that breaks the protocol is disconnected (CloseReason::Protocol), a message that cannot be applied here is
// ignored; each reason is logged once. What one client may send, and what is queued for one whose window is full, is bounded by
// NetworkLimits; a client beyond them is disconnected (CloseReason::Rate, Backlog). In steady state a tick allocates nothing here.
class NetworkSystem final : public net::NetNaming {
public:
    using Role = NetworkRole;
    using Setup = NetworkSetup;
    explicit NetworkSystem(World& world) : m_world(world) {}
    ~NetworkSystem() override { detach(); }
    NetworkSystem(const NetworkSystem&) = delete;
    NetworkSystem& operator=(const NetworkSystem&) = delete;

    void attach(Setup setup);
    // Closes every connection; the role is Alone again.
    void detach();
    [[nodiscard]] Role role() const { return m_setup.role; }
    void receive();
    void publish();

    // To the same entity in the peers' worlds, executed there only after all messages in `needs`; empty handles are ignored. On a client: to the
    // server, if the message type declares FromClient (ClientRights); others are not sent, and logged once.
    template <Message M>
    NetSent send(EntityId receiver, const M& message, std::span<const NetHandle> needs = {},
                 const net::MessageClass& how = {}) {
        return sendRaw(receiver, messageIdOf<M>(), &message, needs, how);
    }
    NetSent sendRaw(EntityId receiver, MessageTypeId type, const void* message, std::span<const NetHandle> needs = {},
                    const net::MessageClass& how = {});
    // One handle that depends on all of these; empty: none of them belongs to this session.
    NetHandle together(std::span<const NetHandle> handles);
    // Whether every peer is known to have executed it.
    [[nodiscard]] net::HandleState state(const NetHandle& handle) const;

    // On a client: how the places are drawn that states correct.
    [[nodiscard]] PoseSmoothing& smoothing() { return m_smoothing; }

    // On a server: sends a setting to all clients, if the value has changed, and to those that join later.
    void sendSetting(const std::string& name, const std::string& value);

    // On a client: its own player, once it exists; on a server: the first entity of that type that belongs to no client.
    [[nodiscard]] EntityId player() const;
    // False: it was not sent.
    bool sendInput(const Input& input);
    // A client's, of its own player.
    [[nodiscard]] PlayerPrediction& prediction() { return m_prediction; }
    // Chat from its own player to all. An error if it has none, or a client is not connected.
    Result<void> say(std::string_view text);

    // The replicated state of an entity, rounded: on a server as of its last round, on a client what was received last.
    struct ReplicatedState {
        const StateTable* table = nullptr; // null: there is none
        std::span<const std::uint32_t> words;
        std::span<const std::uint8_t> has; // a client's: the columns that were received, 0 or 1
        std::uint16_t round = 0;           // low bits of the server's round
    };
    // Valid until the next tick.
    [[nodiscard]] ReplicatedState replicatedState(EntityId entity) const;
    // Of all replicated states: the same number on both ends once a client has received everything. Entities by their number on the wire.
    [[nodiscard]] std::uint64_t stateDigest() const;

    // A server's: the entity of the player behind that connection.
    [[nodiscard]] EntityId playerOf(std::uint32_t connection) const;
    // Whether the entity is the player of one of a server's clients.
    [[nodiscard]] bool isPlayerOfClient(EntityId entity) const;
    [[nodiscard]] std::size_t peerCount() const { return m_peers.size(); }
    // Guaranteed messages that wait for that peer's window, and the bytes that NetworkLimits counts.
    struct Backlog {
        std::size_t messages = 0;
        std::size_t bytes = 0;
    };
    [[nodiscard]] Backlog backlog(std::uint32_t connection) const;
    // The last disconnection because of a limit, as text; empty: none.
    [[nodiscard]] const std::string& lastExcess() const { return m_lastExcess; }
    [[nodiscard]] bool started() const { return m_started; }
    // The reason of the last connection that ended.
    [[nodiscard]] net::CloseReason closeReason() const { return m_closeReason; }
    [[nodiscard]] const NetworkCounters& counters() const { return m_counters; }
    [[nodiscard]] net::Host* host() { return m_setup.host; }
    // Null: nothing is recorded here.
    [[nodiscard]] net::NetRecorder::Tap* tap() { return m_tap.get(); }

    // Names of types and entities on the wire, for records.
    [[nodiscard]] std::string_view typeName(std::uint16_t type) override;
    [[nodiscard]] std::string_view entityName(std::uint16_t type, net::ByteView body) override;
    [[nodiscard]] std::uint64_t traceOfQueued() override { return m_queuedFrom; }

private:
    // An entity that was announced to the peers.
    struct Known {
        EntityId entity;
        std::string name;
        std::uint64_t spawn = 0; // number of the message that announced it
        std::string player;      // on a client: the name of its player, if known
        NetworkTrail recent;     // on a server: messages that its removal must not overtake
        std::uint32_t slot = 0;           // on a server: in m_slots
        NetworkStates::Source state;      // on a server
        NetworkStates::Received received; // on a client
    };
    struct Outgoing {
        std::uint64_t number = 0;
        std::uint64_t trace = 0; // the record of the message that caused it; 0: none, or not recorded
        std::uint16_t type = 0;
        std::vector<std::uint8_t> body;
        std::vector<std::uint64_t> needs;
        net::MessageClass how;
    };
    struct Setting {
        std::uint64_t number = 0; // of the message that announced it last
        std::string value;
    };
    struct Sent {
        std::uint64_t sent = 0; // number of the message
        net::MessageHandle handle;
        [[nodiscard]] std::uint64_t number() const { return sent; }
    };
    // A message that waits for a peer's window. A message to several peers is kept once.
    struct Waiting {
        std::shared_ptr<Outgoing> message;
        [[nodiscard]] std::uint64_t number() const { return message->number; }
    };
    // The state of the world when a peer joined, as far as it was not sent yet: encoded when the peer's window has room, so that no copy
    // is kept for each peer that joins.
    struct InitialState {
        bool complete = true;              // all of it was sent
        std::uint64_t end = 0;             // number of the last message of the initial state
        std::uint64_t last = 0;            // ... that was sent
        std::uint32_t entity = 0;          // the last that was announced
        std::vector<std::uint64_t> others; // numbers of settings and PlayerInfos, in order
        std::size_t othersSent = 0;
    };
    struct Peer {
        std::uint32_t connection = 0;
        std::string address; // a client's, as the log names it
        EntityId player;
        std::uint64_t info = 0;          // number of the PlayerInfo that was sent to all
        PlayerInfo name;                 // as the peer sent it
        net::GrowingQueue<Sent> handles; // of messages that are not known to be executed, by number
        InitialState initial;
        net::GrowingQueue<Waiting> backlog; // until the window has room, and the initial state is complete
        std::size_t backlogBytes = 0;
        PeerStates states; // a client's
        std::uint32_t inputs = 0;    // that it has sent
        std::uint64_t inputTick = 0; // before which the last of them came
        NetworkRates rates;
        std::vector<const char*> complaints; // reasons that were logged for it
        bool ended = false;                  // disconnected because of a limit or the protocol
    };
    // What became of a message of a peer, and why.
    struct Verdict {
        enum class Kind : std::uint8_t {
            Taken,
            Unknown,  // its receiver does not exist (any more)
            Refused,  // the peer is not allowed to send it
            Unusable, // well-formed, but cannot be applied here
            Broken,   // it breaks the protocol
            TooMany,  // the rate limit is exceeded
        };
        Kind kind = Kind::Taken;
        const char* why = nullptr;
    };

    // network_joining.cpp
    void takeEvents();
    // Logs denied connections: one line a second at most.
    void logDenials();
    void join(std::uint32_t connection);
    void beginInitialState(Peer& joined);
    void sendInitialState(Peer& joined);
    [[nodiscard]] bool writeInitialState(std::uint64_t number);
    void leave(std::uint32_t connection, net::CloseReason reason);
    void takePlayerInfo(std::size_t peer, const PlayerInfo& info);
    void chooseCamera();
    [[nodiscard]] std::string connectedText() const;
    [[nodiscard]] static std::string nameOf(const Peer& peer);

    // network_sending.cpp
    void gather(std::vector<std::uint64_t>& needs, std::size_t most);
    // The record of the message that causes what is sent now; 0: none, or nothing is recorded.
    [[nodiscard]] std::uint64_t traceNow() const;
    void sendToAll(const Outgoing& message);
    void sendTo(Peer& peer, const Outgoing& message);
    void sendTo(Peer& peer, const Outgoing& message, std::shared_ptr<Outgoing>& kept);
    [[nodiscard]] static std::size_t sizeOf(const Outgoing& message);
    void wait(Peer& peer, const std::shared_ptr<Outgoing>& message);
    void sendBacklog(Peer& peer);
    void dropWaiting(Peer& peer);
    [[nodiscard]] std::shared_ptr<Outgoing> keep(const Outgoing& message);
    void release(std::shared_ptr<Outgoing> message);
    [[nodiscard]] bool transmit(Peer& peer, const Outgoing& message);
    template <typename T>
    [[nodiscard]] static const T* find(const net::GrowingQueue<T>& queue, std::uint64_t number);
    void write(Outgoing& out, wire::Type type, const net::ByteWriter& body) const;
    [[nodiscard]] bool recorded() const { return m_tap != nullptr && m_tap->enabled(); }
    void writeSpawn(Outgoing& out, std::uint32_t number) const;
    bool writeSetting(Outgoing& out, const std::string& name, const Setting& setting) const;
    // A message to that entity, without a number yet.
    void writeMessage(Outgoing& out, std::uint32_t receiver, MessageTypeId type, const void* message) const;
    std::uint32_t numberOf(EntityId entity);
    void syncEntities();
    void releaseSlot(const Known& known);

    // network_replication.cpp
    void sendStates();
    void sendStates(Peer& peer);
    void takeReceipts(Peer& peer);
    // The state of the peer's own player, if it lacks some of it, or has sent an input lately. Returns the bytes used.
    std::size_t sendOwnState(Peer& peer, net::Connection& connection, std::uint32_t resendRounds);
    // Whether the peer is known to have the entity in that slot.
    [[nodiscard]] bool isBorn(Peer& peer, std::uint32_t slot);
    std::size_t sendRecord(Peer& peer, net::Connection& connection, wire::Type type, std::uint32_t slot, net::ByteView record);
    // Whether it is the client's own player, which the server's states are behind.
    [[nodiscard]] bool isAhead(EntityId entity) const;
    // A client's, after each tick.
    void recordPrediction();
    [[nodiscard]] net::Connection* stateConnection(const Peer& peer);
    [[nodiscard]] std::uint32_t newestFor(const Peer& peer, std::uint32_t slot) const;
    [[nodiscard]] bool lacks(Peer& peer, std::uint32_t slot, std::uint32_t resendRounds);
    [[nodiscard]] float urgency(const Peer& peer, std::uint32_t slot, const Pose& eye) const;
    void restoreStates();
    // Around a change of the entity's place by the network: what is drawn follows it smoothly.
    template <typename Change> void correct(EntityId entity, const Change& change);

    // network_receiving.cpp
    void takeAll(std::size_t peer, net::Connection& connection);
    [[nodiscard]] Verdict take(std::size_t peer, const net::ReceivedMessage& delivery);
    [[nodiscard]] Verdict takeSpawn(net::ByteReader& in);
    [[nodiscard]] Verdict takeDespawn(net::ByteReader& in);
    [[nodiscard]] Verdict takeState(net::ByteReader& in, bool own);
    [[nodiscard]] Verdict takeWelcome(net::ByteReader& in);
    [[nodiscard]] Verdict takeSetting(net::ByteReader& in);
    // Ticks that have passed since what arrived then could be taken; of what is older than all that are known, as many as those.
    [[nodiscard]] std::uint64_t ticksSince(net::Time arrived) const;
    [[nodiscard]] Verdict takeMessage(std::size_t peer, std::size_t index,
                                      const net::ReceivedMessage& delivery, net::ByteReader& in);
    [[nodiscard]] bool isInput(std::uint16_t wireType) const;
    // False: it is one more of that type than the client may send.
    [[nodiscard]] bool takeRate(NetworkRates& rates, std::uint16_t wireType) const;
    // None: only a server may send it.
    [[nodiscard]] static std::optional<ClientRights> rightsOf(const MessageType& type);
    // Whether the peer's player owns the entity, as NetworkTransform answers.
    [[nodiscard]] bool owns(const Peer& peer, EntityId entity);
    void judge(Peer& peer, net::Connection& connection, std::uint16_t type, const Verdict& verdict);
    // Ends the connection with a peer that exceeded a limit, and refuses it for a while: see net::Refusals.
    void expel(Peer& peer, net::CloseReason reason);
    [[nodiscard]] std::string describe(const Peer& peer) const;
    // Logs a chat message, under the player's name or else its entity's.
    void logChat(EntityId player, const Chat& chat) const;
    [[nodiscard]] std::string playerName(EntityId player) const;

    [[nodiscard]] std::uint32_t wireEntity(EntityId entity) const;
    [[nodiscard]] EntityId worldEntity(std::uint32_t number) const;

    World& m_world;
    Setup m_setup;
    std::unique_ptr<net::NetRecorder::Tap> m_tap;
    std::uint64_t m_answered = 0;   // the record of the peer's message that is being handled
    std::uint64_t m_queuedFrom = 0; // the record of what is being queued
    std::uint64_t m_session = 0;
    std::uint64_t m_lastNumber = 0;
    std::vector<Peer> m_peers;
    std::map<std::uint32_t, Known> m_known; // by number on the wire
    // A server's: its entities by slot; number 0: free. Slots of removed ones are used again, numbers never.
    struct Slot {
        std::uint32_t number = 0;
        Known* known = nullptr;
    };
    std::vector<Slot> m_slots;
    std::vector<std::uint32_t> m_freeSlots;
    std::map<std::string, Setting> m_settings; // a server's
    std::unordered_map<std::uint64_t, std::uint32_t> m_byEntity;
    std::uint32_t m_lastEntity = 0;
    std::uint64_t m_structure = 0;
    NetworkStates m_states;
    PoseSmoothing m_smoothing; // a client's
    PlayerPrediction m_prediction; // a client's
    EntityId m_player;
    NetHandle m_lastInput;
    static constexpr std::size_t MaxReceiveTimes = 1024;
    std::vector<net::Time> m_receiveTimes; // at most so many: the host's clock when each of the last ticks took what had come
    std::vector<MessageTypeId> m_notForClients; // that were logged
    bool m_started = false;
    bool m_full = false; // the maximum number of entities is announced
    net::CloseReason m_closeReason = net::CloseReason::None;
    NetworkLimits m_limits;
    std::string m_lastExcess;
    std::uint64_t m_denialsLogged = 0;
    net::Time m_denialLoggedAt = -net::Second; // on the host's clock
    // Kept so that their memory is reused.
    Outgoing m_outgoing;
    Outgoing m_gather;
    Outgoing m_initialMessage;
    std::vector<std::shared_ptr<Outgoing>> m_spare; // no peer waits for them any more
    std::vector<net::MessageHandle> m_needs;
    std::vector<Value> m_values;
    struct Candidate {
        float urgency = 0.0F;
        std::uint32_t slot = 0;
    };
    std::vector<Candidate> m_candidates;
    NetworkCounters m_counters;
};

} // namespace sbx
