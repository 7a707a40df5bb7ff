#pragma once
// One end of an established connection: a channel, its keys, the peer's address and the clock of its life.

#include "engine/net/channel.h"
#include "engine/net/cipher.h"
#include "engine/net/handshake.h"
#include "engine/net/key_generations.h"

namespace sbx::net {

// Counted per connection, beside the channel's.
struct ConnectionCounters {
    std::uint64_t authFailed = 0; // tags that were wrong
    std::uint64_t malformed = 0;  // headers that no valid peer writes
    std::uint64_t replayed = 0;   // seen before
    std::uint64_t stale = 0;      // too old to decide
    std::uint64_t rateExceeded = 0;
    std::uint64_t pathChallenges = 0;
    std::uint64_t migrations = 0;
    std::uint64_t sendFailures = 0; // the transport refused
    std::uint64_t datagramsSent = 0;
    std::uint64_t datagramBytesSent = 0;
    std::uint64_t amplificationHeld = 0; // not sent: the peer's address is not proven

    template <typename Visit> void forEach(Visit visit) const {
        visit("authFailed", authFailed);
        visit("malformed", malformed);
        visit("replayed", replayed);
        visit("stale", stale);
        visit("rateExceeded", rateExceeded);
        visit("pathChallenges", pathChallenges);
        visit("migrations", migrations);
        visit("sendFailures", sendFailures);
        visit("datagramsSent", datagramsSent);
        visit("datagramBytesSent", datagramBytesSent);
        visit("amplificationHeld", amplificationHeld);
    }
};

struct ConnectionSettings {
    bool client = false;
    ProtocolIdentity identity;
    ChannelSettings channel;
    Time timeout = 10 * Second;
    Time keepalive = 2 * Second;
    Time handshakeTimeout = 2 * Second;
    double packetsPerSecond =
        200'000.0; // of valid packets from the peer; four times that at once closes with Rate
    std::uint16_t tickRate = 60;
    RekeySettings rekey;
};

// Purpose: seals what the channel builds and opens what arrives, keeps the path alive, moves it when the peer's address changes,
// ends it. Data flow: Host gives it datagrams and time; it sends through the host's transport. Thread and owner: the host's.
// A datagram whose tag is wrong changes nothing but a counter.
class Connection {
public:
    enum class State : std::uint8_t {
        Proving, // server: keys are made, nothing authenticated has come; client: no answer to its response yet
        Connected,
        Lingering, // closing once what is queued has been executed, or the time is up
        Closing,   // sending the reason to the peer
        Closed,
    };

    Connection(const ConnectionSettings& settings, const SessionKeys& keys, const Address& peer,
               Transport& transport, const Entropy& entropy, NetObserver* observer, Time now);

    [[nodiscard]] std::uint32_t id() const { return m_id; }
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] CloseReason closeReason() const { return m_reason; }
    [[nodiscard]] const Address& peer() const { return m_peer; }
    [[nodiscard]] Channel& channel() { return m_channel; }
    [[nodiscard]] const Channel& channel() const { return m_channel; }
    [[nodiscard]] const ConnectionCounters& counters() const { return m_counters; }
    [[nodiscard]] std::size_t memory() const { return sizeof *this - sizeof m_channel + m_channel.memory(); }

    // As Channel's, and Closed once the end has begun.
    SendReceipt send(std::uint16_t type, ByteView body, std::span<const MessageHandle> dependencies = {},
                     const MessageClass& how = {});
    SendStatus sendUnreliable(std::uint16_t type, ByteView body, const UnreliableOptions& how = {});
    bool next(ReceivedMessage& delivery) { return m_channel.next(delivery); }
    // The application vouches for the peer; without that, where it is required, the connection ends after ten seconds.
    void authenticate() { m_authenticated = true; }
    [[nodiscard]] bool authenticated() const { return m_authenticated; }
    // A client's: the server's fixed key, which took part in the handshake; who connected has proven to have its other half.
    void setServerKey(const Key& key) { m_serverKey = key; }
    [[nodiscard]] const std::optional<Key>& serverKey() const { return m_serverKey; }
    // A server's: the client wants no player.
    void setObserves(bool observes) { m_observes = observes; }
    [[nodiscard]] bool observes() const { return m_observes; }
    // How often both ends have replaced the keys of the handshake.
    [[nodiscard]] std::uint64_t keyGeneration() const { return m_keys.opening(); }
    // Ends the connection. With `linger`, what was sent is given that long to be executed first.
    void close(CloseReason reason = CloseReason::Closed, Time linger = 0);

    // For the host.
    // False: it is not for this connection, or not from its peer. `counts`: then it is counted as a fault.
    bool receive(Time now, const Address& from, std::span<std::uint8_t> datagram, Payload& scratch, bool counts = true);
    void update(Time now, bool suspended);
    [[nodiscard]] Time nextTimer(Time now);
    // Counts towards what may be sent to an address that is not proven: three times as much as came from it.
    void credit(std::size_t bytes) { m_unprovenReceived += bytes; }
    [[nodiscard]] bool client() const { return m_settings.client; }
    [[nodiscard]] bool heard() const { return m_heard; }
    // Its host has announced it to the application, which gets another event when it closes.
    void announce() { m_announced = true; }
    [[nodiscard]] bool announced() const { return m_announced; }
    [[nodiscard]] Time since() const { return m_since; }

private:
    static constexpr Time CloseSpacing = 50 * Millisecond;
    static constexpr int CloseCopies = 3;
    static constexpr Time FirstRetry = 250 * Millisecond;
    static constexpr Time Probe = 100 * Millisecond; // when nothing is received

    [[nodiscard]] Time silence() const;
    void finish(CloseReason reason);
    void beginClosing(Time now);
    void flush(Time now);
    bool transmit(Time now, Channel::Turn turn, const Address& to);
    void challengePath(Time now, const Address& from, std::size_t received);
    void handleControl(const ControlFrame& frame, const Address& from);
    [[nodiscard]] bool withinRate(Time now);

    ConnectionSettings m_settings;
    std::uint32_t m_id;
    KeyGenerations m_keys;
    Address m_peer;
    Transport& m_transport;
    const Entropy& m_entropy;
    Channel m_channel;
    State m_state = State::Proving;
    CloseReason m_reason = CloseReason::None;
    Time m_now;
    Time m_since;
    Time m_lastHeard;
    Time m_lastSent;
    Time m_lingerUntil = 0;
    Time m_nextClose = Never;
    int m_closesLeft = 0;
    bool m_held = false;  // something could not be sent to an unproven address
    bool m_heard = false; // something authenticated has come
    bool m_authenticated = false;
    std::optional<Key> m_serverKey;
    bool m_observes = false;
    bool m_announced = false;
    std::uint64_t m_unprovenReceived = 0;
    std::uint64_t m_unprovenSent = 0;
    double m_rateCredit;
    Time m_rateFilled;
    // A new address that the peer seems to have.
    struct Candidate {
        bool active = false;
        Address address;
        std::uint64_t token = 0;
        Time challenged = 0;
        std::uint64_t received = 0;
        std::uint64_t sent = 0;
    };
    Candidate m_candidate;
    ConnectionCounters m_counters;
};

} // namespace sbx::net
