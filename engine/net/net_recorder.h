#pragma once
// Records what hosts do: packets and messages, at both ends, with times and causes.
//
//   hosts --NetObserver--> NetRecorder --seal() once a tick--> immutable NetSegment --> NetRecordReader (one other thread each)
//
// Beside the messages' Recorder, as what it records is no dispatch: its records have other fields, its clock is the hosts', and a
// packet belongs to no world. Same manner: the hosts' thread appends to an open segment; sealing hands it to every reader through
// a queue of its own, without a lock. A reader that lags too far behind misses segments; once it has read what it has, it begins
// anew, and gets records of what exists then. Segments come back once all readers have read them: with readers that keep up nothing is
// allocated. The last half minute is kept besides (KeptRecords), for readers of the past on the hosts' thread. Off, hosts have no
// observer: one branch that tests for it is all that remains.

#include "engine/core/text_hash.h"
#include "engine/net/host.h"
#include "engine/net/kept_records.h"

#include <functional>
#include <map>
#include <string>

namespace sbx::net {

class NetSegmentPool;

// One consumer's end. poll() from one thread only; dropping the shared pointer ends the subscription.
class NetRecordReader {
public:
    ~NetRecordReader();
    NetRecordReader(const NetRecordReader&) = delete;
    NetRecordReader& operator=(const NetRecordReader&) = delete;

    // Calls visit(NetRecordView) for everything recorded since the last call, in order. Returns how many records.
    template <typename Visit> std::size_t poll(Visit visit) {
        std::size_t count = 0;
        while (NetSegment* const segment = take()) {
            segment->forEach([&](const NetRecordView& record) { visit(record); });
            count += segment->m_count;
            done(segment);
        }
        return count;
    }
    // Bytes not yet read.
    [[nodiscard]] std::size_t waiting() const { return m_waiting.load(std::memory_order_relaxed); }
    // Records that were not handed over because the reader lagged too far behind. After them all peers it knew are gone, and those
    // that are there are recorded again as for a new reader.
    [[nodiscard]] std::uint64_t missed() const { return m_missed.load(std::memory_order_relaxed); }

private:
    friend class NetRecorder;
    static constexpr std::size_t MaxWaiting =
        4096; // segments: a minute of ticks, half of one with local clients
    NetRecordReader(std::shared_ptr<NetSegmentPool> pool, std::size_t limitBytes);
    // False: there is no room.
    bool push(NetSegment* segment);
    void miss(const NetSegment& segment);
    [[nodiscard]] bool drained() const;
    NetSegment* take();
    void done(NetSegment* segment);

    std::shared_ptr<NetSegmentPool> m_pool;
    bool m_behind = false; // it has missed segments since it last got records of everything that exists; the recorder's
    std::size_t m_limit;
    std::vector<NetSegment*> m_ring;
    std::atomic<std::size_t> m_written{0};
    std::atomic<std::size_t> m_read{0};
    std::atomic<std::size_t> m_waiting{0}; // bytes
    std::atomic<std::uint64_t> m_missed{0};
};

// How people call what is on the wire; called on the hosts' thread. Views need to hold until the next call.
class NetNaming {
public:
    virtual ~NetNaming() = default;
    [[nodiscard]] virtual std::string_view typeName(std::uint16_t type) = 0;
    // Of the entity that a message is to or about; empty: none, or unknown.
    [[nodiscard]] virtual std::string_view entityName(std::uint16_t type, ByteView body) = 0;
    // Of the message that is being queued: the sequence in the trace of its world that NetRecordHeader::trace refers to.
    [[nodiscard]] virtual std::uint64_t traceOfQueued() { return 0; }
};

class NetRecorder {
public:
    static constexpr std::size_t MaxBody = 256; // bytes kept of a message's body

    // `kept`: bytes at most of what is kept to be looked back at.
    explicit NetRecorder(std::size_t kept = KeptRecords::Room);
    ~NetRecorder();
    NetRecorder(const NetRecorder&) = delete;
    NetRecorder& operator=(const NetRecorder&) = delete;

    // All: the hosts' thread.

    // Observes one host while it lives: a peer of the session. The host, the naming and the recorder outlive it.
    class Tap final : public NetObserver {
    public:
        // `address`: the host's as others see it; empty: not known.
        Tap(NetRecorder& recorder, Host& host, std::string_view name, NetNaming* naming,
            std::string_view address = {});
        ~Tap() override;
        Tap(const Tap&) = delete;
        Tap& operator=(const Tap&) = delete;

        [[nodiscard]] std::uint8_t peer() const { return m_peer; }
        void onMessage(const MessageEvent& event) override;
        void onPacket(const PacketEvent& event) override;
        void onHandshake(const HandshakeEvent& event) override;
        void onConnection(const ConnectionNotice& notice) override;
        // False: nothing is recorded, and notifications are dropped.
        [[nodiscard]] bool enabled() const { return m_recorder.m_enabled; }
        // The world has dispatched that message, which its connection had executed, as the one of that sequence in its trace.
        void dispatched(std::uint32_t connection, std::uint64_t number, std::uint64_t trace);
        // The world's tick is over.
        void ticked(std::uint64_t tick);
        // The link's treatment of datagrams, as text.
        void linkChanged(std::string_view settings);

    private:
        friend class NetRecorder;
        void follow(bool enabled);
        NetRecorder& m_recorder;
        Host& m_host;
        NetNaming* m_naming;
        std::uint8_t m_peer;
        std::uint32_t m_name = 0;
        std::string m_address;
        std::string m_link;
        std::vector<std::uint32_t> m_types; // names of message types, by number
    };

    void setEnabled(bool enabled); // off: for readers all peers are gone; on: recorded anew
    [[nodiscard]] bool enabled() const { return m_enabled; }

    // Freezes what was recorded and hands it to the readers.
    void seal();
    // The last half minute, sealed: visit(NetRecordView) for every name and what of peers and connections held before, then for
    // all records in order, as a reader from then on would have seen them.
    template <typename Visit> void replay(Visit visit) {
        forEachName(visit);
        m_kept.replay(visit);
    }
    // A reader for one other thread: it first gets records of the peers and connections there are, if it is on, then of everything recorded from
    // now on. More than `limitBytes` waits for it only where that is one segment.
    [[nodiscard]] std::shared_ptr<NetRecordReader> addReader(std::size_t limitBytes = std::size_t(64) << 20U);

private:
    void append(NetRecordHeader header, std::span<const std::uint64_t> needs, ByteView body);
    void appendText(NetRecordHeader header, std::string_view text);
    std::uint32_t nameOf(std::string_view text);
    void forEachName(const std::function<void(const NetRecordView&)>& visit);
    void handOver();
    void tellAll(NetRecordReader& reader);
    void tellPeer(const Tap& tap);
    void tellConnection(std::uint8_t peer, const Connection& connection, Time now);

    std::shared_ptr<NetSegmentPool> m_pool;
    NetSegment* m_open = nullptr;
    KeptRecords m_kept;
    std::vector<std::shared_ptr<NetRecordReader>> m_readers;
    TextMap<std::uint32_t> m_names;
    std::vector<Tap*> m_taps;
    std::uint8_t m_peers = 0; // there were at once
    bool m_enabled = false;
};

} // namespace sbx::net
