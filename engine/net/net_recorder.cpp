#include "engine/net/net_recorder.h"

#include <algorithm>
#include <cstring>

namespace sbx::net {

namespace {

constexpr std::size_t MaxText = 4096; // bytes of a name, an address, a link

NetRecordHeader headerOf(NetRecordKind kind, std::uint8_t peer, Time time) {
    NetRecordHeader header;
    header.kind = kind;
    header.peer = peer;
    header.time = time;
    return header;
}

} // namespace

// Where segments come from and go back to: taken by the hosts' thread, put back by whichever reader is last.
class NetSegmentPool {
public:
    NetSegmentPool() = default;
    NetSegmentPool(const NetSegmentPool&) = delete;
    NetSegmentPool& operator=(const NetSegmentPool&) = delete;
    ~NetSegmentPool() {
        for (NetSegment* list : {m_idle, m_returned.load(std::memory_order_acquire)})
            while (list != nullptr)
                delete std::exchange(list, list->m_next);
    }

    NetSegment* take() {
        if (m_idle == nullptr)
            m_idle = m_returned.exchange(nullptr, std::memory_order_acquire);
        if (m_idle == nullptr)
            return std::make_unique<NetSegment>().release();
        NetSegment* const segment = std::exchange(m_idle, m_idle->m_next);
        segment->reset();
        return segment;
    }
    // Any thread.
    void release(NetSegment* segment) {
        if (segment->m_readers.fetch_sub(1, std::memory_order_acq_rel) != 1)
            return;
        segment->m_next = m_returned.load(std::memory_order_relaxed);
        while (!m_returned.compare_exchange_weak(segment->m_next, segment, std::memory_order_release,
                                                 std::memory_order_relaxed)) {}
    }

private:
    std::atomic<NetSegment*> m_returned{nullptr};
    NetSegment* m_idle = nullptr;
};

// ---------------------------------------------------------------------------------------------------- reader

NetRecordReader::NetRecordReader(std::shared_ptr<NetSegmentPool> pool, std::size_t limitBytes)
    : m_pool(std::move(pool)), m_limit(limitBytes), m_ring(MaxWaiting) {}

NetRecordReader::~NetRecordReader() {
    while (NetSegment* const segment = take())
        done(segment);
}

bool NetRecordReader::push(NetSegment* segment) {
    const std::size_t written = m_written.load(std::memory_order_relaxed);
    if (written - m_read.load(std::memory_order_acquire) == MaxWaiting
        || (!drained() && m_waiting.load(std::memory_order_relaxed) + segment->bytes() > m_limit))
        return false;
    m_waiting.fetch_add(segment->bytes(), std::memory_order_relaxed);
    m_ring[written % MaxWaiting] = segment;
    m_written.store(written + 1, std::memory_order_release);
    return true;
}

void NetRecordReader::miss(const NetSegment& segment) {
    m_behind = true;
    m_missed.fetch_add(segment.m_count, std::memory_order_relaxed);
}

bool NetRecordReader::drained() const {
    return m_written.load(std::memory_order_relaxed) == m_read.load(std::memory_order_acquire);
}

NetSegment* NetRecordReader::take() {
    const std::size_t read = m_read.load(std::memory_order_relaxed);
    if (read == m_written.load(std::memory_order_acquire))
        return nullptr;
    NetSegment* const segment = m_ring[read % MaxWaiting];
    m_read.store(read + 1, std::memory_order_release);
    return segment;
}

void NetRecordReader::done(NetSegment* segment) {
    m_waiting.fetch_sub(segment->bytes(), std::memory_order_relaxed);
    m_pool->release(segment);
}

// ---------------------------------------------------------------------------------------------------- recorder

NetRecorder::NetRecorder(std::size_t kept)
    : m_pool(std::make_shared<NetSegmentPool>()), m_open(m_pool->take()), m_kept(kept) {
    m_names.emplace("", 0);
}

NetRecorder::~NetRecorder() { delete m_open; }

void NetRecorder::append(NetRecordHeader header, std::span<const std::uint64_t> needs, ByteView body) {
    header.needs = static_cast<std::uint16_t>(needs.size());
    header.kept = static_cast<std::uint16_t>(body.size());
    const std::size_t words = sizeof(NetRecordHeader) / 8 + needs.size() + (body.size() + 7) / 8;
    const std::size_t from = m_open->m_used / 8;
    if (from + words > m_open->m_words.size())
        m_open->m_words.resize(
            std::max(from + words, std::max<std::size_t>(512, m_open->m_words.size() * 2)));
    std::uint64_t* const at = m_open->m_words.data() + from;
    at[words - 1] = 0; // what pads the body
    std::memcpy(at, &header, sizeof header);
    if (!needs.empty())
        std::memcpy(at + sizeof header / 8, needs.data(), needs.size_bytes());
    if (!body.empty())
        std::memcpy(at + sizeof header / 8 + needs.size(), body.data(), body.size());
    m_open->m_used += words * 8;
    ++m_open->m_count;
    m_open->m_newest = std::max(m_open->m_newest, header.time);
}

void NetRecorder::appendText(NetRecordHeader header, std::string_view text) {
    append(header, {},
           {reinterpret_cast<const std::uint8_t*>(text.data()), std::min<std::size_t>(text.size(), MaxText)});
}

std::uint32_t NetRecorder::nameOf(std::string_view text) {
    if (const auto found = m_names.find(text); found != m_names.end())
        return found->second;
    const auto name = static_cast<std::uint32_t>(m_names.size());
    m_names.emplace(text, name);
    if (m_enabled) { // otherwise recorded when recording begins: until then no record refers to it
        NetRecordHeader header = headerOf(NetRecordKind::Name, 0, 0);
        header.number = name;
        appendText(header, text);
    }
    return name;
}

void NetRecorder::tellConnection(std::uint8_t peer, const Connection& connection, Time now) {
    NetRecordHeader header = headerOf(NetRecordKind::Opened, peer, now);
    header.connection = connection.id();
    header.flags = connection.client() ? 1 : 0;
    appendText(header, connection.peer().toString());
}

void NetRecorder::tellPeer(const Tap& tap) {
    NetRecordHeader header = headerOf(NetRecordKind::Peer, tap.m_peer, tap.m_host.clock());
    header.name = tap.m_name;
    appendText(header, tap.m_address);
    if (!tap.m_link.empty()) {
        header.kind = NetRecordKind::Link;
        appendText(header, tap.m_link);
    }
    tap.m_host.forEach(
        [&](const Connection& connection) { tellConnection(tap.m_peer, connection, header.time); });
}

void NetRecorder::setEnabled(bool enabled) {
    if (enabled == m_enabled)
        return;
    // Readers see nothing of what comes now: for them no peer exists until it begins again, in this session or in another.
    if (!enabled)
        for (const Tap* tap : m_taps)
            append(headerOf(NetRecordKind::Gone, tap->m_peer, tap->m_host.clock()), {}, {});
    m_enabled = enabled;
    if (enabled)
        forEachName([this](const NetRecordView& name) { append(*name.header, {}, name.body()); });
    for (Tap* tap : m_taps)
        tap->follow(enabled);
}

void NetRecorder::seal() {
    if (m_open->m_count > 0)
        handOver();
    for (const auto& reader : m_readers)
        if (reader->m_behind && reader->drained()) {
            reader->m_behind = false;
            tellAll(*reader);
        }
}

void NetRecorder::handOver() {
    m_kept.add(*m_open);
    // A reader that only the recorder still holds has ended its subscription.
    std::erase_if(m_readers, [](const std::shared_ptr<NetRecordReader>& r) { return r.use_count() == 1; });
    if (m_readers.empty()) {
        m_open->reset();
        return;
    }
    // One more than the readers, so that it cannot go back before the last has got it.
    m_open->m_readers.store(static_cast<std::uint32_t>(m_readers.size()) + 1, std::memory_order_relaxed);
    for (const auto& reader : m_readers)
        if (reader->m_behind || !reader->push(m_open)) {
            reader->miss(*m_open);
            m_pool->release(m_open);
        }
    m_pool->release(m_open);
    m_open = m_pool->take();
}

std::shared_ptr<NetRecordReader> NetRecorder::addReader(std::size_t limitBytes) {
    seal(); // what came before is not for this reader
    m_readers.push_back(std::shared_ptr<NetRecordReader>(new NetRecordReader(m_pool, limitBytes)));
    tellAll(*m_readers.back());
    return m_readers.back();
}

// For it alone: what the others know. It has read all it had.
void NetRecorder::tellAll(NetRecordReader& reader) {
    NetSegment* const others = std::exchange(m_open, m_pool->take());
    if (reader.missed() > 0)
        for (std::uint8_t peer = 0; peer < m_peers; ++peer)
            append(headerOf(NetRecordKind::Gone, peer, 0), {}, {});
    forEachName([this](const NetRecordView& name) { append(*name.header, {}, name.body()); });
    if (m_enabled)
        for (const Tap* tap : m_taps)
            tellPeer(*tap);
    m_open->m_readers.store(1, std::memory_order_relaxed);
    if (!reader.push(m_open))
        m_pool->release(m_open);
    m_open = others;
}

void NetRecorder::forEachName(const std::function<void(const NetRecordView&)>& visit) {
    std::vector<std::uint64_t> words;
    for (const auto& [text, name] : m_names) {
        if (name == 0)
            continue;
        NetRecordHeader header = headerOf(NetRecordKind::Name, 0, 0);
        header.number = name;
        header.kept = static_cast<std::uint16_t>(std::min<std::size_t>(text.size(), MaxText));
        words.assign((sizeof header + header.kept + 7) / 8, 0);
        std::memcpy(words.data(), &header, sizeof header);
        std::memcpy(words.data() + sizeof header / 8, text.data(), header.kept);
        visit({reinterpret_cast<const NetRecordHeader*>(words.data())});
    }
}

// ---------------------------------------------------------------------------------------------------- tap

NetRecorder::Tap::Tap(NetRecorder& recorder, Host& host, std::string_view name, NetNaming* naming,
                      std::string_view address)
    : m_recorder(recorder), m_host(host), m_naming(naming), m_address(address) {
    if (recorder.m_taps.empty()) { // another session, with a clock and names of its own
        recorder.seal();
        recorder.m_kept.clear();
        recorder.m_names.clear();
        recorder.m_names.emplace("", 0);
    }
    m_name = recorder.nameOf(name);
    std::uint8_t free = 0;
    while (std::any_of(recorder.m_taps.begin(), recorder.m_taps.end(),
                       [&](const Tap* tap) { return tap->m_peer == free; }))
        ++free;
    m_peer = free;
    SBX_EXPECT(recorder.m_taps.size() < 250, "at most 250 peers are recorded at once");
    recorder.m_taps.push_back(this);
    recorder.m_peers = std::max(recorder.m_peers, static_cast<std::uint8_t>(m_peer + 1));
    follow(recorder.m_enabled);
}

NetRecorder::Tap::~Tap() {
    if (m_recorder.m_enabled)
        m_recorder.append(headerOf(NetRecordKind::Gone, m_peer, m_host.clock()), {}, {});
    follow(false);
    std::erase(m_recorder.m_taps, this);
}

void NetRecorder::Tap::follow(bool enabled) {
    m_host.setObserver(enabled ? this : nullptr);
    if (enabled)
        m_recorder.tellPeer(*this);
}

void NetRecorder::Tap::onMessage(const MessageEvent& event) {
    NetRecordHeader header = headerOf(NetRecordKind::Message, m_peer, event.time);
    header.event = static_cast<std::uint8_t>(event.kind);
    header.number = event.sequence;
    header.packet = event.packet;
    header.connection = event.connection;
    header.bytes = event.bytes;
    header.type = event.type;
    header.fragment = event.fragment;
    header.flags = event.priority;
    if (m_naming != nullptr) {
        if (event.kind == MessageEvent::Kind::Queued)
            header.trace = m_naming->traceOfQueued();
        if (event.type >= m_types.size())
            m_types.resize(event.type + std::size_t{1}, 0);
        if (m_types[event.type] == 0)
            m_types[event.type] = m_recorder.nameOf(m_naming->typeName(event.type));
        header.name = m_types[event.type];
        if (!event.body.empty())
            header.entity = m_recorder.nameOf(m_naming->entityName(event.type, event.body));
    }
    m_recorder.append(header, event.needs,
                      event.body.first(std::min<std::size_t>(event.body.size(), MaxBody)));
}

void NetRecorder::Tap::onPacket(const PacketEvent& event) {
    NetRecordHeader header = headerOf(NetRecordKind::Packet, m_peer, event.time);
    header.event = static_cast<std::uint8_t>(event.kind);
    header.number = event.number;
    header.connection = event.connection;
    header.bytes = event.bytes;
    header.flags = event.causes;
    m_recorder.append(header, {}, {});
}

void NetRecorder::Tap::onHandshake(const HandshakeEvent& event) {
    NetRecordHeader header = headerOf(NetRecordKind::Handshake, m_peer, event.time);
    header.event = static_cast<std::uint8_t>(event.kind);
    header.bytes = event.bytes;
    header.type = static_cast<std::uint16_t>(event.reason);
    header.flags = event.sent ? 1 : 0;
    m_recorder.appendText(header, event.peer.toString());
}

void NetRecorder::Tap::onConnection(const ConnectionNotice& notice) {
    if (notice.kind == ConnectionNotice::Kind::Opened) {
        if (const Connection* connection = m_host.find(notice.connection))
            m_recorder.tellConnection(m_peer, *connection, notice.time);
        return;
    }
    NetRecordHeader header = headerOf(NetRecordKind::Closed, m_peer, notice.time);
    header.connection = notice.connection;
    header.type = static_cast<std::uint16_t>(notice.reason);
    header.flags = notice.client ? 1 : 0;
    m_recorder.append(header, {}, {});
}

void NetRecorder::Tap::dispatched(std::uint32_t connection, std::uint64_t number, std::uint64_t trace) {
    if (!m_recorder.m_enabled)
        return;
    NetRecordHeader header = headerOf(NetRecordKind::Dispatched, m_peer, m_host.clock());
    header.connection = connection;
    header.number = number;
    header.trace = trace;
    m_recorder.append(header, {}, {});
}

void NetRecorder::Tap::ticked(std::uint64_t tick) {
    if (!m_recorder.m_enabled)
        return;
    NetRecordHeader header = headerOf(NetRecordKind::Tick, m_peer, m_host.clock());
    header.number = tick;
    m_recorder.append(header, {}, {});
}

void NetRecorder::Tap::linkChanged(std::string_view settings) {
    m_link = settings;
    if (!m_recorder.m_enabled)
        return;
    m_recorder.appendText(headerOf(NetRecordKind::Link, m_peer, m_host.clock()), settings);
}

} // namespace sbx::net
