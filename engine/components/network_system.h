#pragma once
// What joins the worlds of a session over the network: a server's world is told to its clients, entity by entity, message by
// message, state by state; a client's messages reach the entity of its player.

#include "engine/components/network_messages.h"
#include "engine/components/network_table.h"
#include "engine/entity/world.h"
#include "engine/net/net_recorder.h"

#include <deque>
#include <functional>
#include <map>
#include <string>

namespace sbx {

struct Input;

// Names a message that was sent over the network, to however many peers: a value, safe to copy and to keep.
struct NetHandle {
    std::uint64_t session = 0; // of the system that sent it
    std::uint64_t number = 0;  // 0: no message
    explicit operator bool() const { return number != 0; }
};

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
    std::uint64_t malformed = 0;       // bytes that no peer of ours would write
    std::uint64_t unknownReceiver = 0; // the entity is gone, or never came

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
    }
};

// Purpose: entities have a number on the wire; the server tells each client of every entity that comes (guaranteed, after its
// parent) and goes (after its coming and the last messages to it), sends on what components send through it, and states of
// components 20 times a second, newest only. Data flow: receive() before a tick, publish() after it; both run the host.
// Thread: the session's. Ownership: the host outlives the attachment. A message waits for what it names, and for the entity it
// goes to; it arrives in the world between two ticks, with delivery `network`.
class NetworkSystem final : public net::NetNaming {
public:
    enum class Role : std::uint8_t { Alone, Server, Client };
    struct Setup {
        Role role = Role::Alone;
        net::Host* host = nullptr;
        std::function<void()> pump; // updates the host on its clock
        // How a client makes what it is told of; type null: unknown here.
        std::function<SpawnRequest(const std::string& type, const std::string& name)> make;
        // What a client does with a setting of the server's; the error says why it cannot.
        std::function<Result<void>(const std::string& name, const std::string& value)> setting;
        std::shared_ptr<const NetworkTable> table;
        std::string playerType = "Player";
        std::string playerName = "player"; // a client's
        unsigned players = 0;              // the game starts when so many have said who they are; 0: never
        net::NetRecorder* recorder = nullptr; // records what the host does while attached; outlives the attachment
        std::string peerName;                 // what records call this end
    };
    static constexpr double StateRate = 20.0; // Hz

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

    // To the same entity in the peers' worlds, executed there only after what `needs` names. On a client: to the server, which
    // takes it for the client's own player alone.
    template <Message M>
    NetSent send(EntityId receiver, const M& message, std::span<const NetHandle> needs = {},
                 const net::MessageClass& how = {}) {
        return sendRaw(receiver, messageIdOf<M>(), &message, needs, how);
    }
    NetSent sendRaw(EntityId receiver, MessageTypeId type, const void* message, std::span<const NetHandle> needs = {},
                    const net::MessageClass& how = {});
    // Whether every peer is known to have executed it.
    [[nodiscard]] net::HandleState state(const NetHandle& handle) const;

    // A server's setting that holds for its clients: told, if it is another value, to who is here and to whoever joins.
    void tellSetting(const std::string& name, const std::string& value);

    // A client's own player, once it is here; a server's: the first entity of that type that is nobody's.
    [[nodiscard]] EntityId player() const;
    void sendInput(const Input& input);
    void say(std::string_view text);

    // A server's: the entity of the player behind that connection.
    [[nodiscard]] EntityId playerOf(std::uint32_t connection) const;
    [[nodiscard]] std::size_t peerCount() const { return m_peers.size(); }
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

private:
    // An entity that is known to the peers.
    struct Known {
        EntityId entity;
        std::string name;
        std::uint64_t spawn = 0;            // number of the message that told of it
        std::vector<std::uint64_t> recent;  // the last messages to it
        std::vector<std::uint8_t> lastState;
        int repeats = 0; // of a state that has changed: single packets may be lost
    };
    struct Outgoing {
        std::uint64_t number = 0;
        std::uint16_t type = 0;
        std::vector<std::uint8_t> body;
        std::vector<std::uint64_t> needs;
        net::MessageClass how;
    };
    struct Setting {
        std::uint64_t number = 0; // of the message that told of it last
        std::string value;
    };
    struct Peer {
        std::uint32_t connection = 0;
        EntityId player;
        std::uint64_t info = 0;                                          // number of the PlayerInfo that was told to all
        PlayerInfo name;                                                 // what it said
        std::deque<std::pair<std::uint64_t, net::MessageHandle>> handles; // of messages perhaps not executed, by number
        std::deque<Outgoing> backlog;                                    // until the window has room
    };

    void takeEvents();
    void join(std::uint32_t connection);
    void leave(std::uint32_t connection, net::CloseReason reason);
    void take(Peer& peer, const net::Delivery& delivery);
    void takeSpawn(net::ByteReader& in);
    void takeDespawn(net::ByteReader& in);
    void takeState(net::ByteReader& in);
    void takeSetting(net::ByteReader& in);
    void takeMessage(Peer& peer, std::size_t index, net::ByteReader& in);
    void takePlayerInfo(Peer& peer, const PlayerInfo& info);
    void tellAll(Outgoing message);
    void tell(Peer& peer, const Outgoing& message);
    [[nodiscard]] bool transmit(Peer& peer, const Outgoing& message);
    [[nodiscard]] Outgoing spawnMessage(std::uint32_t number) const;
    // A message to that entity; it has no number yet.
    [[nodiscard]] Outgoing worldMessage(std::uint32_t receiver, MessageTypeId type, const void* message) const;
    std::uint32_t numberOf(EntityId entity);
    [[nodiscard]] static Outgoing settingMessage(const std::string& name, const Setting& setting);
    void followStructure();
    void sendStates();
    bool writeState(const Entity& entity, std::uint32_t number, net::ByteWriter& out) const;
    void chooseCamera();
    [[nodiscard]] std::uint32_t wireEntity(EntityId entity) const;
    [[nodiscard]] EntityId worldEntity(std::uint32_t number) const;

    World& m_world;
    Setup m_setup;
    std::unique_ptr<net::NetRecorder::Tap> m_tap;
    std::string m_spawnName; // asked for last: see NetNaming
    std::uint64_t m_session = 0;
    std::uint64_t m_lastNumber = 0;
    std::vector<Peer> m_peers;
    std::map<std::uint32_t, Known> m_known; // by number on the wire
    std::map<std::string, Setting> m_settings; // a server's
    std::unordered_map<std::uint64_t, std::uint32_t> m_byEntity;
    std::uint32_t m_lastEntity = 0;
    std::uint64_t m_structure = 0;
    std::uint64_t m_stateRounds = 0;
    double m_stateDue = 0.0; // in rounds
    EntityId m_player;
    NetHandle m_lastInput;
    bool m_started = false;
    net::CloseReason m_closeReason = net::CloseReason::None;
    std::vector<std::byte> m_scratch;
    std::vector<net::MessageHandle> m_needs;
    NetworkCounters m_counters;
};

} // namespace sbx
