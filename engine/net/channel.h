#pragma once
// One direction pair of messages between two ends: guaranteed ones that name what they need, and unreliable ones, packed into
// payloads and taken out again. Knows nothing of addresses, keys or handshakes.

#include "engine/core/random.h"
#include "engine/net/body_pool.h"
#include "engine/net/congestion.h"
#include "engine/net/latest_table.h"
#include "engine/net/message.h"
#include "engine/net/observer.h"
#include "engine/net/payload.h"
#include "engine/net/receive_graph.h"
#include "engine/net/round_trip.h"
#include "engine/net/send_graph.h"
#include "engine/net/sent_packets.h"

namespace sbx::net {

struct ChannelSettings {
    std::uint32_t connection = 0; // for handles
    std::uint32_t epoch = 0;
    enum class End : std::uint8_t { Any, Client, Server };
    End end = End::Any; // this one: some control frames come only from a server, one only from a client
    unsigned sequenceBits = 15;
    std::uint32_t replayWindow = ReceivedPackets::MaxWindow;
    std::uint64_t firstSequence = 1; // both ends, both directions
    std::uint64_t firstPacket = 1;
    Limits own;  // what this end grants
    Limits peer; // what the other end grants
    Time timeout = 10 * Second;
    // Messages held for the application, and bytes of them as many as own.pendingBytes; full: nothing more is acknowledged.
    std::uint32_t deliveryQueue = 16 * 1024;
    std::size_t payloadSize = 1168; // bytes of plaintext in a datagram
    std::uint32_t executeBudget = 4096;
    std::uint64_t seed = 1;
};

// Purpose: reliability, ordering by dependencies, acknowledgement and packing. Data flow: send() queues; build() fills a payload
// when turn() returns true; receive() takes a peer's payload whole or not at all and queues deliveries; next() hands them out.
// Thread: one. Ownership: bodies belong to the channel's pool; a ReceivedMessage must be gone before the channel is. In steady state no
// call allocates.
class Channel {
public:
    Channel(const ChannelSettings& settings, NetObserver* observer = nullptr);
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    // Null: no observer. It must live until another is set.
    void setObserver(NetObserver* observer) { m_observer = observer; }

    // Limits become known with the peer's first packet: until then `settings.peer` are the protocol's least.
    void setPeerLimits(const Limits& limits);
    void setTimeout(Time timeout) { m_settings.timeout = timeout; }
    // From the handshake; more than 0.
    void primeRoundTrip(Time roundTrip) { m_roundTrip.sample(roundTrip); }

    // Queues a guaranteed message that is executed only after `dependencies`. Nothing is half-done: any status but Sent leaves
    // everything as it was.
    SendReceipt send(std::uint16_t type, ByteView body, std::span<const MessageHandle> dependencies,
                     const MessageClass& how, Time now);
    SendStatus sendUnreliable(std::uint16_t type, ByteView body, const UnreliableOptions& how, Time now);
    // The receipt of an unreliable message that is known to have arrived (UnreliableOptions::receipt), each once, in order of
    // acknowledgement; false: there is none now. Of lost messages there is none.
    bool nextReceipt(std::uint32_t& receipt);
    // Latest-only and early unreliable messages that have not left yet.
    [[nodiscard]] std::size_t statesWaiting() const { return m_unreliable[0].size(); }
    [[nodiscard]] HandleState state(const MessageHandle& handle) const;
    bool next(ReceivedMessage& delivery);
    // The application could do nothing with a delivery. It stays executed.
    void handlerFailed() { ++m_counters.handlerFailures; }
    [[nodiscard]] std::size_t deliveriesWaiting() const { return m_deliveries.size(); }

    // A control frame for the next packet. Pings are counted, not queued.
    void queueControl(const ControlFrame& frame);
    void ping() { m_ping = true; }

    // What may leave now: nothing, an acknowledgement and control frames (congestion does not hold them back), or all there is.
    enum class Turn : std::uint8_t { Nothing, ControlOnly, Full };
    [[nodiscard]] Turn turn(Time now);
    struct Built {
        std::uint64_t number = 0;
        std::size_t size = 0;
        bool eliciting = false;
    };
    // Fills `room` (payloadSize is used of it). `overhead`: what encryption and header will add, for congestion.
    Built build(Time now, Turn turn, std::span<std::uint8_t> room, std::size_t overhead);

    // Takes a payload that passed its tag. Accepted: it was stored, and will be acknowledged. Refused: no room, not
    // acknowledged. Otherwise nothing has changed and the connection must end with `reason`. `overhead`: as at build(), passed to
    // observers.
    enum class Outcome : std::uint8_t { Accepted, Refused, Violation };
    struct Received {
        Outcome outcome = Outcome::Accepted;
        CloseReason reason = CloseReason::None;
    };
    Received receive(Time now, std::uint64_t number, ByteView bytes, Payload& scratch, std::size_t overhead = 0);
    [[nodiscard]] ReceivedPackets::Verdict check(std::uint64_t number) const {
        return m_received.check(number);
    }
    [[nodiscard]] std::uint64_t newestReceived() const { return m_received.newest(); }
    [[nodiscard]] std::uint64_t nextPacket() const { return m_sent.next(); }
    [[nodiscard]] bool anyAcked() const { return m_sent.anyAcked(); }
    // The newest packet that the peer has acknowledged; only with anyAcked().
    [[nodiscard]] std::uint64_t newestAcked() const { return m_sent.newestAcked(); }
#ifdef SBX_NET_RULES_CAN_BE_TAKEN_OUT
    void acceptUnauthenticated(std::uint64_t number) { m_received.accept(number); }
#endif
    // Packets sent and not yet acknowledged, oldest to newest: decides between 16 and 32 bits of number.
    [[nodiscard]] std::uint64_t unackedSpan() const;

    // Loss timers, what is left of the work budget, watchdogs. None, or why the connection must end.
    CloseReason update(Time now);
    // When update() or build() has something to do without outside cause.
    [[nodiscard]] Time nextTimer(Time now);

    // Everything sent has been executed, as far as is known here.
    [[nodiscard]] bool drained() const { return m_graph.floor() == m_graph.next(); }
    void trim();
    [[nodiscard]] std::size_t memory() const;

    [[nodiscard]] const ChannelCounters& counters() const { return m_counters; }
    [[nodiscard]] const RoundTrip& roundTrip() const { return m_roundTrip; }
    [[nodiscard]] const Congestion& congestion() const { return m_congestion; }
    [[nodiscard]] const SendGraph& sendGraph() const { return m_graph; }
    [[nodiscard]] const ReceiveGraph& receiveGraph() const { return m_incomingGraph; }
    // Since when the oldest message still waits for what it needs, or Never.
    [[nodiscard]] Time oldestWaiting() const;

private:
    static constexpr std::size_t Priorities = 3;
    static constexpr std::uint16_t Whole = UINT16_MAX;
    static constexpr std::int32_t NotFragmented = -1;
    static constexpr std::uint64_t NotSent = UINT64_MAX;
    static constexpr Time CopyDelay =
        18 * Millisecond; // longest wait for a packet to go with: a tick of 60 Hz
    static constexpr double RepeatAcksAbove = 0.03;
    static constexpr double RepeatResendsAbove = 0.12; // of packets lost: a message that is sent again goes in two packets
    static constexpr std::uint32_t MaxRepeated = 256;  // bytes of a body that does so
    static constexpr double LossMemory = 128.0;        // packets over which that share is smoothed

    struct Outgoing {
        Body body;
        std::uint64_t lastPacket = NotSent; // while whole
        Time since = Never;                 // first sent, or last fragment acknowledged
        std::int32_t fragments = NotFragmented;
        std::uint16_t type = 0;
        std::uint8_t priority = 1;
        std::uint8_t copies = 1;
        std::uint8_t silentLosses = 0;
        bool copyWaits = false; // in m_copies
    };
    struct Fragments {
        std::uint64_t sequence = 0;
        Body state; // lastPacket of each (8 bytes), then a flag of each
        std::uint32_t count = 0;
        std::uint32_t acked = 0;
        std::uint32_t unsent = 0; // next to be sent for the first time
        bool used = false;
    };
    struct Resend {
        std::uint64_t sequence = 0;
        std::uint16_t fragment = Whole;
    };
    struct Copy {
        std::uint64_t sequence = 0;
        std::uint64_t notInPacket = 0;
        Time due = 0;
        std::uint8_t left = 0;
    };
    struct QueuedUnreliable {
        Body body;
        std::uint64_t after = 0;
        std::uint32_t key = 0;
        std::uint32_t receipt = 0;
        std::uint16_t type = 0;
        bool latest = false;
        bool hasAfter = false;
    };
    struct Incoming {
        Body body;
        Time arrived = 0;
        std::int32_t reassembly = NotFragmented;
        std::uint16_t type = 0;
    };
    struct Reassembly {
        std::uint64_t sequence = 0;
        Body buffer; // FragmentSize * count bytes, then a flag of each
        std::uint32_t count = 0;
        std::uint32_t arrived = 0;
        std::uint32_t total = 0; // 0 until fragment 0 is here
        std::uint32_t lastSize = 0;
        bool used = false;
    };

    // channel_send.cpp
    [[nodiscard]] std::uint64_t oldestFloor() const;
    [[nodiscard]] SendStatus collect(std::span<const MessageHandle> dependencies);
    [[nodiscard]] std::uint32_t slotForFragments();
    [[nodiscard]] std::uint64_t lastPacketOf(const Fragments& fragments, std::uint32_t index) const;
    void setLastPacket(Fragments& fragments, std::uint32_t index, std::uint64_t packet);
    [[nodiscard]] bool fragmentAcked(const Fragments& fragments, std::uint32_t index) const;
    [[nodiscard]] static std::uint64_t fragmentedSize(std::uint64_t size);

    // packetiser.cpp
    void skipNumber();
    [[nodiscard]] bool hasNew();
    [[nodiscard]] bool mayStartFragments(std::uint64_t sequence);
    [[nodiscard]] bool sendable(std::size_t priority);
    void packResends(SectionWriter& writer, const ByteWriter& out, std::size_t budget, Time now);
    void packCopies(SectionWriter& writer, Time now);
    void queueCopies(std::uint64_t sequence, unsigned copies, Time now);
    // While the packet has fewer bytes than `budget`.
    void packNew(SectionWriter& writer, std::size_t priority, Time now, const ByteWriter& out, std::size_t budget);
    bool packWhole(SectionWriter& writer, std::uint64_t sequence, Time now, bool copy);
    bool packFragment(SectionWriter& writer, std::uint64_t sequence, std::uint32_t index, Time now);
    void packUnreliable(SectionWriter& writer, std::size_t which, Time now);
    void packControl(SectionWriter& writer);
    void noteSent(std::uint64_t sequence, std::uint16_t fragment);

    // channel_loss.cpp
    [[nodiscard]] bool wanted(std::uint64_t sequence, std::uint16_t fragment, std::uint64_t packet);
    void onAcked(std::uint64_t number, const SentPackets::Record& record, Time now);
    void onLost(std::uint64_t number, const SentPackets::Record& record, bool byTimer, Time now);
    void acknowledgeItem(const SentItem& item, Time now);
    void runLossDetection(Time now);

    // channel_receive.cpp
    struct Plan; // what a payload would need, found before anything changes
    CloseReason plan(const Payload& payload, Plan& plan);
    CloseReason planGuaranteed(const Payload& payload, const WireMessage& message, Plan& plan);
    CloseReason planFragment(const WireMessage& message, std::uint64_t sequence, Plan& plan) const;
    [[nodiscard]] bool hasRoom(const Plan& plan) const;
    [[nodiscard]] bool mayCome(const ControlFrame& frame) const;
    void applyAck(const AckInfo& ack, Time now);
    void store(const Payload& payload, Time now, std::uint64_t number);
    void storeGuaranteed(const Payload& payload, const WireMessage& message, Time now, std::uint64_t number);
    void storeFragment(const WireMessage& message, std::uint64_t sequence);
    void storeUnreliable(const WireMessage& message, Time now, std::uint64_t number);
    std::span<const std::uint64_t> decodeDependencies(const Payload& payload, const WireMessage& message);
    [[nodiscard]] bool executesAtOnce(std::uint64_t sequence, bool fragment) const;
    void execute(std::uint64_t sequence, Time now);
    void runReady(Time now);
    // As it was meant when its packet was looked at: storing moves the floor, and half a circle behind it would be ahead.
    [[nodiscard]] std::uint64_t decode(std::uint16_t wire) const {
        return fromWire(wire, m_settings.sequenceBits, m_decodeFloor);
    }
    // channel_observe.cpp; only where there is an observer.
    void observe(MessageEvent::Kind kind, std::uint64_t sequence, Time now, std::uint64_t packet = 0) {
        if (m_observer != nullptr) {
            tell(kind, sequence, now, packet);
        }
    }
    void observe(PacketEvent::Kind kind, std::uint64_t number, Time now, std::size_t bytes, std::uint8_t causes = 0) {
        if (m_observer != nullptr) {
            m_observer->onPacket(
                {kind, now, m_settings.connection, number, static_cast<std::uint32_t>(bytes), causes});
        }
    }
    void tell(MessageEvent::Kind kind, std::uint64_t sequence, Time now, std::uint64_t packet,
              std::uint16_t fragment = MessageEvent::Whole, std::size_t bytes = 0);
    void tellUnreliable(MessageEvent::Kind kind, std::uint16_t type, ByteView body, std::size_t bytes, Time now,
                        std::uint64_t packet);
    void tellArrived(MessageEvent::Kind kind, const Payload& payload, const WireMessage& message, std::uint64_t sequence, Time now,
                     std::uint64_t packet);
    void tellWaiting(const Payload& payload, Time now);

    ChannelSettings m_settings;
    NetObserver* m_observer;
    BodyPool m_pool;
    Random m_random;

    // Sending.
    SendGraph m_graph;
    WindowRing<Outgoing> m_outgoing;
    std::vector<Fragments> m_fragments;
    std::uint64_t m_fragmentedOut = 0; // reassembly bytes the peer may be holding
    std::array<GrowingQueue<std::uint64_t>, Priorities> m_new;
    GrowingQueue<Resend> m_resends;
    GrowingQueue<Copy> m_copies;
    std::array<GrowingQueue<QueuedUnreliable>, 2> m_unreliable; // states (latest-only, early), others
    GrowingQueue<std::uint32_t> m_receipts;                     // to be handed out
    std::size_t m_unreliableBytes = 0;
    bool m_statesHeldBack = false; // states were left over when the last full packet was built
    GrowingQueue<ControlFrame> m_control;
    bool m_ping = false;
    SentPackets m_sent;
    std::array<std::uint64_t, ReceivedPackets::MaxWindow>
        m_floors{}; // floor when packet number (mod 256) was sent
    RoundTrip m_roundTrip;
    Congestion m_congestion;
    std::uint64_t m_lossThreshold = 3;
    double m_lossShare = 0.0; // of the packets sent, smoothed
    Time m_progress = 0; // last time an acknowledgement brought something new
    Time m_nextLoss = Never;
    std::vector<std::uint64_t> m_unmet;
    std::vector<std::uint64_t> m_executedNow; // for observers
    std::uint8_t m_causesNow = 0;             // of the packet being built: PacketEvent::Cause
    std::vector<SentItem> m_sentNow; // items of the packet being built
    std::uint64_t m_numberNow = 0;
    std::uint8_t m_backOffNow = 0;

    // Receiving.
    ReceivedPackets m_received;
    ReceiveGraph m_incomingGraph;
    WindowRing<Incoming> m_incoming;
    std::uint64_t m_incomingEnd;
    std::uint64_t m_decodeFloor; // of the packet being received
    std::vector<Reassembly> m_reassemblies;
    std::uint64_t m_reassemblyBytes = 0;
    std::uint32_t m_reassembling = 0; // messages of which some parts are here
    std::uint64_t m_waitingBytes = 0;
    std::uint32_t m_waiting = 0; // guaranteed messages stored and not executed
    Time m_nextWatch = Never;
    GrowingQueue<ReceivedMessage> m_deliveries;
    std::uint64_t m_deliveryBytes = 0;
    LatestTable m_latest;
#ifdef SBX_NET_RULES_CAN_BE_TAKEN_OUT
    std::vector<Time> m_seenByAge; // the published rule: wire numbers are remembered for a time
#endif
    std::vector<std::uint64_t> m_decoded;
    Time m_newestArrived = 0;
    Time m_ackDue = Never;
    std::uint32_t m_unackedEliciting = 0;
    bool m_ackRanges = false;
    bool m_ackRepeated = false;
    double m_gapShare =
        0.0; // of the peer's packet numbers that did not arrive, smoothed over a hundred or so

    ChannelCounters m_counters;
};

} // namespace sbx::net
