#pragma once
// What happened on the network lately, message by message and packet by packet, put together from both ends' records: what the
// dependency graph, captures and dumps show.

#include "engine/net/net_recorder.h"

#include <deque>
#include <map>
#include <string>

namespace sbx::net {

// A guaranteed message, the same at both ends.
struct NetMessageKey {
    std::uint32_t connection = 0;
    bool toClient = false;
    std::uint64_t sequence = 0;
    friend bool operator==(const NetMessageKey&, const NetMessageKey&) = default;
    friend auto operator<=>(const NetMessageKey&, const NetMessageKey&) = default;
};

struct NetTransmission {
    enum class Kind : std::uint8_t { First, Resend, Copy };
    Kind kind = Kind::First;
    std::uint64_t packet = 0;
    Time sent = 0;
    Time lost = Never; // when the sender took it for lost
    std::uint16_t fragment = MessageEvent::Whole;
    std::uint32_t bytes = 0; // it took of its packet
};

// Never: has not happened, or was not seen from here.
struct NetMessage {
    NetMessageKey key;
    std::uint16_t type = 0;
    std::string typeName;
    std::string entity; // that it is to or about; empty: none
    std::uint32_t bytes = 0;
    std::uint8_t priority = 1;
    // Sequences of the same direction that were not executed when it was sent.
    std::vector<std::uint64_t> needs;
    std::vector<std::uint8_t> body; // its beginning
    // The sender's graph.
    Time queued = Never;
    std::uint64_t sentFrom =
        0; // sequence in the trace of the sender's world: sent on, or handled when it was sent; 0: none
    std::vector<NetTransmission> sent;
    Time acknowledged = Never;
    Time knownExecuted = Never;
    // The receiver's graph.
    Time arrived = Never;
    Time waitingSince = Never;            // arrived before what it needs
    std::vector<std::uint64_t> waitedFor; // when it arrived
    Time executed = Never;
    Time over = Never;              // it will never be executed: its connection has closed there
    std::uint64_t dispatchedAs = 0; // sequence in the trace of the receiver's world; 0: none
    std::uint32_t duplicates = 0;
    bool dismissed = false;

    // As the sender knows it, and as the receiver does. Once both are seen the receiver knows more.
    enum class Sender : std::uint8_t { Unseen, Queued, Sent, Lost, Resent, Acknowledged, Executed };
    enum class Receiver : std::uint8_t { Nothing, Waiting, Executed };
    [[nodiscard]] Sender sender() const;
    [[nodiscard]] Receiver receiver() const;
    [[nodiscard]] bool finished() const {
        return executed != Never || (knownExecuted != Never && arrived == Never);
    }
    // How long it waited at the receiver for what it needs; it still waits: until `now`, or its connection's end.
    [[nodiscard]] Time waited(Time now) const;
    // How long it waited at the sender for room on the link before it was sent first; it still does: until `now`, or its connection's end.
    [[nodiscard]] Time waitedToLeave(Time now) const;
    [[nodiscard]] Time first() const; // of the first record about it
};

struct NetPacketItem {
    std::uint64_t sequence = 0; // 0: not guaranteed
    std::uint32_t bytes = 0;
    std::uint16_t type = 0;
    std::uint16_t fragment = MessageEvent::Whole;
    std::uint32_t typeName = 0; // for NetHistory::name()
    std::uint32_t entity = 0;
    MessageEvent::Kind kind = MessageEvent::Kind::Sent; // Sent, Resent, Copied, UnreliableSent
};

struct NetPacket {
    std::uint64_t number = 0;
    std::uint32_t bytes = 0;
    std::uint8_t causes = 0; // PacketEvent::Cause
    Time sent = Never;
    Time arrived = Never;
    Time acknowledged = Never;
    Time lost = Never;
    bool refused = false;
    std::vector<NetPacketItem> items;
};

// A datagram that leads to a connection or has the reason why there is none, at one of its ends.
struct NetHandshake {
    HandshakeEvent::Kind kind = HandshakeEvent::Kind::Request;
    bool sent = false; // else received
    Time time = 0;
    int peer = 0;        // whose; index
    std::string address; // the other's
    std::uint32_t bytes = 0;
    CloseReason reason = CloseReason::None; // of a denial
};

struct NetPeer {
    std::uint8_t index = 0;
    std::string name;
    std::string link; // how datagrams are treated; empty: as they come
    std::uint64_t tick = 0;
    bool gone = false;
};

// One direction of one connection.
struct NetLane {
    std::uint32_t connection = 0;
    bool toClient = false;
    int sender = -1; // index of the peer, -1: not in this program
    int receiver = -1;
    std::deque<NetMessage> messages; // by sequence, from `first`
    std::uint64_t first = 0;
    std::deque<NetPacket> packets; // by number
    Time closed = Never;
    CloseReason reason = CloseReason::None;

    [[nodiscard]] const NetMessage* find(std::uint64_t sequence) const;
    [[nodiscard]] const NetPacket* packet(std::uint64_t number) const;
};

// Purpose: the last half minute of messages and packets. Of one that goes on following its reader, what still waits, and what waited
// long until it is dismissed, stays beyond that: MaxStalled at most, the newest. One made of a recorder's replay() knows what the
// recorder keeps, half a minute of records: of what came before, and waits still, nothing.
// Data flow: follow(), or add(), then read. Thread: its owner's, any. References to messages hold until the next call that changes
// something.
class NetHistory {
public:
    static constexpr Time LongWait = 100 * Millisecond;
    static constexpr std::size_t MaxStalled = 4096;
    static constexpr std::size_t MaxHandshakes = 1024; // they may come from any address

    explicit NetHistory(Time keep = 30 * Second) : m_keep(keep) {}

    // Returns how many records there were.
    std::size_t follow(NetRecordReader& reader);
    void add(const NetRecordView& record);
    // Lets go of what is older than there is room for.
    void trim();
    void clear();

    // The latest time in any record, on the hosts' clock.
    [[nodiscard]] Time now() const { return m_now; }
    [[nodiscard]] const std::vector<NetPeer>& peers() const { return m_peers; }
    [[nodiscard]] const std::string& name(std::uint32_t name) const;
    // In order of connection; both directions beside each other.
    [[nodiscard]] const std::map<std::pair<std::uint32_t, bool>, NetLane>& lanes() const { return m_lanes; }
    [[nodiscard]] const NetLane* lane(std::uint32_t connection, bool toClient) const;
    // In the order in which they were sent and came; the newest.
    [[nodiscard]] const std::deque<NetHandshake>& handshakes() const { return m_handshakes; }
    [[nodiscard]] const NetMessage* find(const NetMessageKey& key) const;
    // Messages it holds that waited for over 100 ms and were not dismissed, in the order in which they began to.
    [[nodiscard]] std::vector<const NetMessage*> stalled() const;
    // The same of those that waited at their sender, as long as their lanes hold them.
    [[nodiscard]] std::vector<const NetMessage*> stalledAtSender() const;
    void dismiss(const NetMessageKey& key);
    void dismissAll();

    // What a waiting message still needs.
    [[nodiscard]] std::vector<std::uint64_t> waitsFor(const NetMessage& message) const;
    // The message that, by way of others, keeps this one waiting: it has not arrived. Null if none is known.
    [[nodiscard]] const NetMessage* cause(const NetMessage& message) const;
    // "waits for #412 Spawn (lost, sent again ×2) 83 ms", "waited for …", "…, in vain" once its connection is over; empty if it never
    // waited.
    [[nodiscard]] std::string explain(const NetMessage& message) const;

    // Counts every change: equal means nothing new.
    [[nodiscard]] std::uint64_t version() const { return m_version; }

private:
    NetLane& laneOf(const NetRecordView& record, bool outgoing);
    // Null: not known, and not to be.
    NetMessage* message(NetLane& lane, std::uint64_t sequence, bool creates);
    NetPacket& packet(NetLane& lane, std::uint64_t number);
    void addMessage(const NetRecordView& record);
    void addPacket(const NetRecordView& record);
    void dropFront(NetLane& lane);
    // The receiver has closed it or is gone: nothing waits there any more.
    void endWaits(NetLane& lane, Time time);

    Time m_keep;
    Time m_now = 0;
    std::uint64_t m_version = 0;
    std::vector<NetPeer> m_peers;
    std::vector<std::string> m_names;
    std::map<std::pair<std::uint32_t, bool>, NetLane> m_lanes;          // (connection, toClient)
    std::map<std::pair<std::uint8_t, std::uint32_t>, bool> m_clientEnd; // (peer, connection)
    std::deque<NetHandshake> m_handshakes;
    std::map<NetMessageKey, NetMessage> m_stalled; // no longer in their lanes
    Time m_trimmed = 0;
};

// Everything it holds as JSON: peers, lanes, messages with both graphs, packets.
[[nodiscard]] std::string toJson(const NetHistory& history);

} // namespace sbx::net
