#pragma once
// A server, a client, or both: everything behind one transport.

#include "engine/net/connection.h"
#include "engine/net/observer.h"
#include "engine/net/refusals.h"

#include <limits>
#include <memory>
#include <string>
#include <unordered_map>

namespace sbx::net {

struct HostSettings {
    ProtocolIdentity identity;
    // A server's: what it sends to a client with another table, so that the client can name the difference; at most MaxDescription bytes,
    // which mean nothing here.
    std::vector<std::uint8_t> description;
    bool listens = false; // answers requests
    std::uint32_t maxConnections = 256;
    std::uint32_t maxPlayers = std::numeric_limits<std::uint32_t>::max(); // of these; the others observe
    std::uint32_t maxPerAddress = 16;  // IPv4 address, IPv6 /64
    std::uint32_t maxPerNetwork = 128; // IPv4 /24
    double challengesPerSecond = 50'000.0;
    bool requireAuthentication = false;
    Time authenticationTimeout = 10 * Second;
    std::optional<KeyPair> fixedKey; // server: clients that know its public half are sure whom they talk to
    std::optional<Key> passwordKey;  // server: what passwordKey() makes; who cannot prove to know it is denied. Needs a fixed key
    Time wrongPasswordPause =
        Second; // for which a client is refused after a wrong one; its whole address after several
    // Granted to every peer. A server has many: a client may have no more than `pendingFromClient` bytes pending there, or one message.
    Limits limits;
    std::uint32_t pendingFromClient = 256U * 1024U;
    Time timeout = 10 * Second;
    Time clientHandshakeTimeout = 5 * Second;
    std::uint32_t deliveryQueue = 16 * 1024;
    double packetsPerSecond = 200'000.0;
    std::uint16_t tickRate = 60;
    RekeySettings rekey;           // when this end replaces the keys of a connection; the ends may differ
    std::uint64_t firstPacket = 1; // both ends must agree: tests of wrapping counters
    std::uint64_t firstSequence = 1;
};

struct HostCounters {
    std::uint64_t datagrams = 0;
    std::uint64_t bytesReceived = 0;
    std::uint64_t malformed = 0;
    std::uint64_t unknownConnection = 0;
    std::uint64_t requests = 0;
    std::uint64_t challengesSent = 0;
    std::uint64_t challengesHeld = 0; // over the rate
    std::uint64_t responses = 0;
    std::uint64_t cookiesWrong = 0;
    std::uint64_t responsesRepeated = 0;
    std::uint64_t denied = 0;
    std::uint64_t passwordsWrong = 0; // or missing
    std::uint64_t accepted = 0;
    std::uint64_t forgedHandshake = 0; // challenges and denials that echo nothing we sent
    std::uint64_t handshakeBytesSent = 0;
    std::uint64_t suspensions = 0;

    template <typename Visit> void forEach(Visit visit) const {
        visit("datagrams", datagrams);
        visit("bytesReceived", bytesReceived);
        visit("malformed", malformed);
        visit("unknownConnection", unknownConnection);
        visit("requests", requests);
        visit("challengesSent", challengesSent);
        visit("challengesHeld", challengesHeld);
        visit("responses", responses);
        visit("cookiesWrong", cookiesWrong);
        visit("responsesRepeated", responsesRepeated);
        visit("denied", denied);
        visit("passwordsWrong", passwordsWrong);
        visit("accepted", accepted);
        visit("forgedHandshake", forgedHandshake);
        visit("handshakeBytesSent", handshakeBytesSent);
        visit("suspensions", suspensions);
    }
};

struct ConnectionEvent {
    enum class Kind : std::uint8_t { Connected, Closed };
    Kind kind = Kind::Connected;
    std::uint32_t attempt = 0;    // of connect(); 0 on the server
    std::uint32_t connection = 0; // 0: never came about
    CloseReason reason = CloseReason::None;
};

// A message sent to many: the number it has on each connection.
class BroadcastHandle {
public:
    // The handle on that connection; empty if it was not sent there.
    [[nodiscard]] MessageHandle on(std::uint32_t connection) const;
    void add(const MessageHandle& handle) { m_handles.push_back(handle); }
    [[nodiscard]] std::size_t size() const { return m_handles.size(); }

private:
    std::vector<MessageHandle> m_handles;
};

// Purpose: takes datagrams off a transport, answers handshakes without keeping any state before a cookie is valid, and runs the
// connections' timers. Data flow: update(now) whenever datagrams may have come, nextTimer() is due or something was sent;
// afterwards connections have deliveries and nextEvent() reports connections that opened and closed. Time: injected and monotonic; a gap beyond
// nextTimer() of more than a quarter of a second is a suspension, and time is taken to have stood still. Thread: one.
class Host {
public:
    Host(const HostSettings& settings, Transport& transport, Entropy entropy, Time now,
         NetObserver* observer = nullptr);
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // Null: no observer. It must live until another is set.
    void setObserver(NetObserver* observer);
    // Begins a connection; returns the attempt's number, which events name. `serverKey`: the server's fixed public key.
    std::uint32_t connect(const Address& server, const std::optional<Key>& serverKey = std::nullopt);
    // Likewise, to a server whose key may not be known yet: its key is requested, which Connection::serverKey() has afterwards. One
    // that has another than `expected`, or none, ends the attempt with ServerKeyChanged. `password`: proven to a server that has a
    // key, never sent; empty: none.
    struct Introduction {
        std::optional<Key> expected;
        std::string password;
        bool observes = false; // without a player
    };
    std::uint32_t connect(const Address& server, const Introduction& introduction);
    // What the last server that was not as expected has shown instead; null: none.
    [[nodiscard]] const std::optional<Key>& offeredKey() const { return m_offeredKey; }
    // What the last server that has another table has sent of its own; empty: nothing.
    [[nodiscard]] ByteView offeredDescription() const { return m_offeredDescription; }
    // A server's: the last client that was denied, and why; None: there was none. HostCounters::denied counts them.
    struct Denial {
        Address peer;
        CloseReason reason = CloseReason::None;
    };
    [[nodiscard]] const Denial& lastDenial() const { return m_lastDenial; }
    void update(Time now);
    [[nodiscard]] Time nextTimer();
    bool nextEvent(ConnectionEvent& event);

    // Null once it is gone: a connection that closes stays until the next update(), and its deliveries with it.
    [[nodiscard]] Connection* find(std::uint32_t connection);
    [[nodiscard]] std::size_t connectionCount() const { return m_connections.size(); }
    template <typename Visit> void forEach(Visit visit) {
        for (const auto& connection : m_connections) {
            visit(*connection);
        }
    }
    // Closed for a connection that has ended, or was never this host's: of those that are gone nothing is kept. As a need of a message
    // on another connection such a handle is a StaleDependency.
    [[nodiscard]] HandleState state(const MessageHandle& handle);
    // To every connected peer; a dependency that was not sent to a peer does not bind it. `blocked` counts those that could not.
    BroadcastHandle broadcast(std::uint16_t type, ByteView body,
                              std::span<const BroadcastHandle* const> dependencies, const MessageClass& how,
                              std::uint32_t* blocked = nullptr);

    // What is connected stays.
    void setMaxPlayers(std::uint32_t players) { m_settings.maxPlayers = players; }
    // Denies that address and port whatever it requests in that time; the whole address (IPv6 /64) once that has become frequent: see
    // Refusals. What is connected stays.
    void refuse(const Address& address, Time duration) { m_refusals.add(address, m_clock + duration, m_clock); }

    // A server's fixed key, its public half; null: it has none.
    [[nodiscard]] std::optional<Key> ownKey() const {
        return m_settings.fixedKey ? std::optional<Key>(m_settings.fixedKey->open) : std::nullopt;
    }
    [[nodiscard]] const HostCounters& counters() const { return m_counters; }
    // The clock as the connections know it.
    [[nodiscard]] Time clock() const { return m_clock; }

private:
    static constexpr Time LongestGap = 250 * Millisecond;
    static constexpr Time Retry = 250 * Millisecond;
    static constexpr Time BeginAnew = Second; // without an answer to a response, if the challenge came sooner than that

    // A connection that is being requested.
    struct Attempt {
        std::uint32_t number = 0;
        Address server;
        Request request;
        KeyPair pair;
        std::optional<Key> serverKey;
        std::string password;
        Time begun = 0;
        Time sent = 0;
        int requests = 0;
        std::optional<Response> response; // after the challenge
        Time proving = 0;                 // when that was
        std::uint32_t connection = 0;
        bool reported = false;
    };

    // A request is due, with a key of its own: what answers an earlier one is not taken.
    void ask(Attempt& attempt);
    // Forgets the connection that a challenge led to.
    void abandon(const Attempt& attempt);
    bool advanceClock(Time now);
    void receiveAll();
    void handle(const Address& from, std::span<std::uint8_t> datagram);
    void onRequest(const Address& from, ByteView datagram);
    void onChallenge(const Address& from, ByteView datagram);
    void onResponse(const Address& from, ByteView datagram);
    void onDeny(const Address& from, ByteView datagram);
    void onData(const Address& from, std::span<std::uint8_t> datagram);
    void deny(const Address& to, const Response& response, CloseReason reason);
    [[nodiscard]] CloseReason refuses(const Address& from, const Request& request) const;
    // What a client grants, as far as a server makes use of it: no more than it would grant itself.
    [[nodiscard]] Limits used(Limits peer) const;
    [[nodiscard]] Limits granted(bool client) const; // at that end of a connection
    void open(const SessionKeys& keys, const Address& peer, bool client, const Limits& peerLimits,
              Time roundTrip);
    void updateAttempts();
    void sendHandshake(const Address& to, ByteView datagram, CloseReason reason = CloseReason::None);
    void tellHandshake(bool sent, const Address& peer, ByteView datagram, CloseReason reason = CloseReason::None);
    void announce();
    void removeClosed();
    void notice(ConnectionNotice::Kind kind, const Connection& connection);

    HostSettings m_settings;
    Transport& m_transport;
    Entropy m_entropy;
    NetObserver* m_observer;
    CookieJar m_jar;
    Refusals m_refusals;
    std::vector<std::unique_ptr<Connection>> m_connections;
    std::unordered_map<std::uint32_t, Connection*> m_byId;
    std::vector<Attempt> m_attempts;
    std::uint32_t m_nextAttempt = 1;
    std::optional<Key> m_offeredKey;
    std::vector<std::uint8_t> m_offeredDescription;
    Denial m_lastDenial;
    std::vector<ConnectionEvent> m_events;
    std::size_t m_eventsTaken = 0;
    Time m_realNow;
    Time m_clock;
    Time m_due = Never; // on the real clock
    double m_challengeCredit;
    Time m_challengeFilled;
    Payload m_scratch;
    std::array<std::uint8_t, 2048> m_arrived{}; // a datagram larger than any is seen to be
    HostCounters m_counters;
};

} // namespace sbx::net
