#pragma once
// What joins the worlds of a session over the network: a server's world is told to its clients, entity by entity, message by
// message, state by state; a client's messages reach the entity of its player.

#include "engine/components/network_limits.h"
#include "engine/components/network_messages.h"
#include "engine/components/network_states.h"
#include "engine/components/network_trail.h"
#include "engine/components/network_wire.h"
#include "engine/net/net_recorder.h"
#include "engine/net/window_ring.h"

#include <functional>
#include <map>
#include <string>

namespace sbx {

struct Input;

struct NetSent {
    net::SendStatus status = net::SendStatus::Closed; // Closed also where nobody is connected to anything
    NetHandle handle;
};

struct NetworkCounters {
    std::uint64_t sent = 0;            // guaranteed messages, once for all peers
    std::uint64_t received = 0;        // delivered to entities
    std::uint64_t spawned = 0;         // entities told, or made because of it
    std::uint64_t despawned = 0;
    std::uint64_t statesSent = 0;
    std::uint64_t statesReceived = 0;
    std::uint64_t refused = 0;         // what a client may not say
    std::uint64_t malformed = 0;       // what no peer of ours would write, or this world cannot hold
    std::uint64_t unknownReceiver = 0; // guaranteed, and the entity is gone or never came
    std::uint64_t repeated = 0;        // announcements that said nothing new
    std::uint64_t rateExceeded = 0;    // connections that were ended for too many messages
    std::uint64_t backlogExceeded = 0; // ... and for what waited for them

    template <typename Visit> void forEach(Visit visit) const {
        visit("sent", sent);
        visit("received", received);
        visit("spawned", spawned);
        visit("despawned", despawned);
        visit("statesSent", statesSent);
        visit("statesReceived", statesReceived);
        visit("refused", refused);
        visit("malformed", malformed);
        visit("unknownReceiver", unknownReceiver);
        visit("repeated", repeated);
        visit("rateExceeded", rateExceeded);
        visit("backlogExceeded", backlogExceeded);
    }
};

enum class NetworkRole : std::uint8_t { Alone, Server, Client };

// What a world needs to be joined to its peers; Session::joinNetwork() adds what the session knows.
struct NetworkSetup {
    NetworkRole role = NetworkRole::Alone;
    net::Host* host = nullptr;
    std::function<void()> pump; // updates the host on its clock
    // How a client makes what it is told of; type null: unknown here.
    std::function<SpawnRequest(const std::string& type, const std::string& name)> make;
    // What a client does with a setting of the server's; the error says why it cannot.
    std::function<Result<void>(const std::string& name, const std::string& value)> setting;
    std::shared_ptr<const NetworkTable> table;
    std::string playerType = "Player";
    std::string playerName = "player";     // a client's
    // A server's; asked once a tick. Empty: those of NetworkLimits as it is made.
    std::function<NetworkLimits()> limits;
    unsigned players = 0;                  // the game starts when so many have said who they are; 0: never
    net::NetRecorder* recorder = nullptr;  // records what the host does while attached; outlives the attachment
    std::string peerName;                  // what records call this end
    std::string peerAddress;               // ... and where others see it; empty: not known
    bool logsChat = true;                  // false: a server writes it to the same log
};

// Purpose: entities have a number on the wire; the server tells each client of every entity that comes (guaranteed, after its
// parent) and goes (after its coming and the last messages to it), sends on what components send through it, and states of
// components 20 times a second, newest only. Data flow: receive() before a tick, publish() after it; both run the host.
// Thread: the session's. Ownership: the host outlives the attachment. A message waits for what it names, and for the entity it
// goes to; it arrives in the world between two ticks, with delivery `network`. What a peer says is checked whole before
// anything changes: who breaks the form loses the connection (CloseReason::Protocol), what does not hold here is refused; the
// log says either once. What one client may say, and what is kept for one whose window is full, is bounded by NetworkLimits; who
// goes beyond loses the connection (CloseReason::Rate, Backlog). In steady state a tick allocates nothing here.
class NetworkSystem final : public net::NetNaming {
public:
    using Role = NetworkRole;
    using Setup = NetworkSetup;
    explicit NetworkSystem(World& world) : m_world(world) {}
    ~NetworkSystem() override { detach(); }
    NetworkSystem(const NetworkSystem&) = delete;
    NetworkSystem& operator=(const NetworkSystem&) = delete;

    void attach(Setup setup);
    // Closes every connection; the system stands alone again.
    void detach();
    [[nodiscard]] Role role() const { return m_setup.role; }
    void receive();
    void publish();

    // To the same entity in the peers' worlds, executed there only after what `needs` names, however many those are; a handle
    // that names nothing binds nothing. On a client: to the server, which takes it for the client's own player alone.
    template <Message M>
    NetSent send(EntityId receiver, const M& message, std::span<const NetHandle> needs = {},
                 const net::MessageClass& how = {}) {
        return sendRaw(receiver, messageIdOf<M>(), &message, needs, how);
    }
    NetSent sendRaw(EntityId receiver, MessageTypeId type, const void* message, std::span<const NetHandle> needs = {},
                    const net::MessageClass& how = {});
    // One message for many, executed in a peer's world once all of these are; empty: none of them is of this session.
    NetHandle together(std::span<const NetHandle> handles);
    // Whether every peer is known to have executed it.
    [[nodiscard]] net::HandleState state(const NetHandle& handle) const;

    // A server's setting that holds for its clients: sent, if the value changes, to the clients that are here and to those that join.
    void sendSetting(const std::string& name, const std::string& value);

    // A client's own player, once it is here; a server's: the first entity of that type that is nobody's.
    [[nodiscard]] EntityId player() const;
    void sendInput(const Input& input);
    // From its own player to all. Not sent: it has none, or a client is not connected.
    Result<void> say(std::string_view text);

    // A server's: the entity of the player behind that connection.
    [[nodiscard]] EntityId playerOf(std::uint32_t connection) const;
    [[nodiscard]] std::size_t peerCount() const { return m_peers.size(); }
    // What waits for that peer's window: guaranteed messages, and the bytes that NetworkLimits counts.
    struct Backlog {
        std::size_t messages = 0;
        std::size_t bytes = 0;
    };
    [[nodiscard]] Backlog backlog(std::uint32_t connection) const;
    // Who was last ended for going beyond a limit, and which; empty: nobody was.
    [[nodiscard]] const std::string& lastExcess() const { return m_lastExcess; }
    [[nodiscard]] bool started() const { return m_started; }
    // Why the last connection that ended did.
    [[nodiscard]] net::CloseReason closeReason() const { return m_closeReason; }
    [[nodiscard]] const NetworkCounters& counters() const { return m_counters; }
    [[nodiscard]] net::Host* host() { return m_setup.host; }
    // Null: nothing is recorded here.
    [[nodiscard]] net::NetRecorder::Tap* tap() { return m_tap.get(); }

    // What records call types and entities on the wire.
    [[nodiscard]] std::string_view typeName(std::uint16_t type) override;
    [[nodiscard]] std::string_view entityName(std::uint16_t type, net::ByteView body) override;
    [[nodiscard]] std::uint64_t traceOfQueued() override { return m_queuedFrom; }

private:
    // An entity that is known to the peers.
    struct Known {
        EntityId entity;
        std::string name;
        std::uint64_t spawn = 0; // number of the message that told of it
        std::string player;      // a client's: who plays it, as far as it is known
        NetworkTrail recent;     // a server's: what its end must not overtake
        NetworkStates::Baseline state;
    };
    struct Outgoing {
        std::uint64_t number = 0;
        std::uint64_t trace = 0; // the record it was sent for; 0: none, or nobody records
        std::uint16_t type = 0;
        std::vector<std::uint8_t> body;
        std::vector<std::uint64_t> needs;
        net::MessageClass how;
    };
    struct Setting {
        std::uint64_t number = 0; // of the message that told of it last
        std::string value;
    };
    struct Sent {
        std::uint64_t sent = 0; // number of the message
        net::MessageHandle handle;
        [[nodiscard]] std::uint64_t number() const { return sent; }
    };
    // A message that waits for a peer's window. What goes to many is kept once for all of them.
    struct Waiting {
        std::shared_ptr<Outgoing> message;
        [[nodiscard]] std::uint64_t number() const { return message->number; }
    };
    // What was there when a peer joined, and it has not been told yet: written when its window has room, so that a world costs
    // nothing for each who joins it.
    struct InitialState {
        bool complete = true;              // all of it was sent
        std::uint64_t end = 0;             // number of the last message that is the past
        std::uint64_t last = 0;            // ... that was told
        std::uint32_t entity = 0;          // the last that was told of
        std::vector<std::uint64_t> others; // numbers of settings and PlayerInfos, in order
        std::size_t othersSent = 0;
    };
    struct Peer {
        std::uint32_t connection = 0;
        std::string address; // a client's, as the log names it
        EntityId player;
        std::uint64_t info = 0;              // number of the PlayerInfo that was told to all
        PlayerInfo name;                     // what it said
        net::GrowingQueue<Sent> handles;     // of messages perhaps not executed, by number
        InitialState initial;
        net::GrowingQueue<Waiting> backlog;  // until the window has room, and the past is told
        std::size_t backlogBytes = 0;
        NetworkRates rates;
        std::vector<const char*> complaints; // what was said of it in the log
        bool ended = false;                  // for what it said, or left waiting
    };
    // What became of something that a peer said, and why.
    struct Verdict {
        enum class Kind : std::uint8_t {
            Taken,
            Unknown,  // receiver: it is gone, or never came
            Refused,  // it may not say that
            Unusable, // in form, but not to be had here
            Broken,   // no peer of ours would write it
            TooMany,  // more than it may say in that time
        };
        Kind kind = Kind::Taken;
        const char* why = nullptr;
    };

    // network_joining.cpp
    void takeEvents();
    // Says who was not let in, and why: a line a second at most.
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
    // The record of the message because of which something is told now; 0: none, or nothing is recorded.
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
    // A message to that entity; it has no number yet.
    void writeMessage(Outgoing& out, std::uint32_t receiver, MessageTypeId type, const void* message) const;
    std::uint32_t numberOf(EntityId entity);
    void syncEntities();
    [[nodiscard]] net::Connection* stateConnection(const Peer& peer);
    void sendStates();

    // network_receiving.cpp
    void takeAll(std::size_t peer, net::Connection& connection);
    [[nodiscard]] Verdict take(std::size_t peer, const net::ReceivedMessage& delivery);
    [[nodiscard]] Verdict takeSpawn(net::ByteReader& in);
    [[nodiscard]] Verdict takeDespawn(net::ByteReader& in);
    [[nodiscard]] Verdict takeState(net::ByteReader& in);
    [[nodiscard]] Verdict takeWelcome(net::ByteReader& in);
    [[nodiscard]] Verdict takeSetting(net::ByteReader& in);
    [[nodiscard]] Verdict takeMessage(std::size_t peer, std::size_t index,
                                      const net::ReceivedMessage& delivery, net::ByteReader& in);
    [[nodiscard]] NetworkRates::Kind rateOf(std::uint16_t type) const;
    void judge(Peer& peer, net::Connection& connection, std::uint16_t type, const Verdict& verdict);
    // Ends the connection with a peer that went too far, and refuses it for a while: see net::Refusals.
    void expel(Peer& peer, net::CloseReason reason);
    [[nodiscard]] std::string describe(const Peer& peer) const;
    // Writes what that player has said to the log, under the player's name or else its entity's.
    void logChat(EntityId player, const Chat& chat) const;
    [[nodiscard]] std::string playerName(EntityId player) const;

    [[nodiscard]] std::uint32_t wireEntity(EntityId entity) const;
    [[nodiscard]] EntityId worldEntity(std::uint32_t number) const;

    World& m_world;
    Setup m_setup;
    std::unique_ptr<net::NetRecorder::Tap> m_tap;
    std::uint64_t m_answered = 0;   // the record of the message from a peer that is being answered
    std::uint64_t m_queuedFrom = 0; // the record of what is being queued
    std::uint64_t m_session = 0;
    std::uint64_t m_lastNumber = 0;
    std::vector<Peer> m_peers;
    std::map<std::uint32_t, Known> m_known; // by number on the wire
    std::map<std::string, Setting> m_settings; // a server's
    std::unordered_map<std::uint64_t, std::uint32_t> m_byEntity;
    std::uint32_t m_lastEntity = 0;
    std::uint64_t m_structure = 0;
    NetworkStates m_states;
    EntityId m_player;
    NetHandle m_lastInput;
    bool m_started = false;
    bool m_full = false; // as many entities as there may be are known
    net::CloseReason m_closeReason = net::CloseReason::None;
    NetworkLimits m_limits;
    std::string m_lastExcess;
    std::uint64_t m_denialsLogged = 0;
    net::Time m_denialLoggedAt = -net::Second; // on the host's clock
    // Kept for their room.
    Outgoing m_outgoing;
    Outgoing m_gather;
    Outgoing m_initialMessage;
    std::vector<std::shared_ptr<Outgoing>> m_spare; // that waited once
    std::vector<net::MessageHandle> m_needs;
    std::vector<Value> m_values;
    NetworkCounters m_counters;
};

} // namespace sbx
