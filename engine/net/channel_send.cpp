#include "engine/net/channel.h"
#include "engine/net/rules.h"

#include <algorithm>
#include <cstring>

namespace sbx::net {

namespace {
constexpr std::size_t MaxUnreliable = 1024; // queued
constexpr std::size_t MaxUnreliableBytes = 256U * 1024U;
} // namespace

Channel::Channel(const ChannelSettings& settings, NetObserver* observer)
    : m_settings(settings),
      m_observer(observer),
      m_random(settings.seed),
      m_graph(settings.sequenceBits, settings.firstSequence),
      m_sent(settings.firstPacket),
      m_received(settings.firstPacket, settings.replayWindow),
      m_incomingGraph(settings.firstSequence, settings.own.window),
      m_incomingEnd(settings.firstSequence),
      m_decodeFloor(settings.firstSequence) {
    SBX_EXPECT(settings.own.window <= 1U << (settings.sequenceBits - 2U),
               "the window needs more sequence bits");
    SBX_EXPECT(settings.deliveryQueue >= settings.own.window,
               "the delivery queue must hold a window of messages");
    m_floors.fill(settings.firstSequence);
    setPeerLimits(settings.peer);
}

void Channel::setPeerLimits(const Limits& limits) {
    m_settings.peer = limits;
    const std::uint32_t most = 1U << (m_settings.sequenceBits - 2U);
    m_graph.setLimits({std::min(limits.window, most), limits.pendingEdges, limits.pendingBytes});
}

std::uint64_t Channel::oldestFloor() const {
    return m_sent.next() - m_sent.first() < m_settings.replayWindow
               ? m_settings.firstSequence
               : m_floors[(m_sent.next() - m_settings.replayWindow) % m_floors.size()];
}

std::uint64_t Channel::fragmentedSize(std::uint64_t size) {
    return (size + FragmentSize - 1) / FragmentSize * FragmentSize;
}

HandleState Channel::state(const MessageHandle& handle) const {
    if (handle.connection != m_settings.connection
        || (handle.epoch != m_settings.epoch && enforced(Rule::HandlesKnowTheirEpoch))) {
        return HandleState::Stale;
    }
    return m_graph.executed(handle.sequence) ? HandleState::Executed : HandleState::Pending;
}

SendStatus Channel::collect(std::span<const MessageHandle> dependencies) {
    m_unmet.clear();
    for (const MessageHandle& handle : dependencies) {
        switch (state(handle)) {
        case HandleState::Stale:
        case HandleState::Closed:
            return SendStatus::StaleDependency;
        case HandleState::Executed:
            if (!enforced(Rule::OldHandlesAreExecuted)) {
                return SendStatus::StaleDependency;
            }
            break;
        case HandleState::Pending:
            if (!before(handle.sequence, m_graph.next())) {
                return SendStatus::StaleDependency; // never given out by this channel
            }
            if (std::find(m_unmet.begin(), m_unmet.end(), handle.sequence) == m_unmet.end()) {
                m_unmet.push_back(handle.sequence);
            }
            break;
        }
    }
    return m_unmet.size() > MaxDependencies && enforced(Rule::DependenciesAreCapped)
               ? SendStatus::TooManyDependencies
               : SendStatus::Sent;
}

SendReceipt Channel::send(std::uint16_t type, ByteView body, std::span<const MessageHandle> dependencies,
                          const MessageClass& how, Time now) {
    SBX_EXPECT(how.copies >= 1 && how.copies <= 4, "a message is sent in one to four packets at once");
    const bool whole = body.size() <= FragmentSize;
    if (enforced(Rule::OversizeIsRefused)
        && (body.size() > m_settings.peer.maxMessage || body.size() > m_settings.peer.pendingBytes
            || (!whole
                && (fragmentedSize(body.size()) > m_settings.peer.reassemblyBytes
                    || body.size() > std::uint64_t{FragmentSize} * MaxFragments)))) {
        return {SendStatus::TooLarge, {}};
    }
    if (const SendStatus status = collect(dependencies); status != SendStatus::Sent) {
        return {status, {}};
    }
    const auto size = static_cast<std::uint32_t>(body.size());
    SendGraph::Admission admission = m_graph.admits(size, m_unmet, oldestFloor());
    if (admission == SendGraph::Admission::WindowFull && m_sent.elicitingInFlight() == 0 && drained()) {
        // Many small messages in few packets: numbers of packets that the peer could still accept bound the sequence. Nothing
        // is on its way, so passing over a window of numbers makes what might still arrive too old.
        for (std::uint32_t i = 0; i < m_settings.replayWindow; ++i) {
            skipNumber();
        }
        admission = m_graph.admits(size, m_unmet, oldestFloor());
    }
    if (admission != SendGraph::Admission::Admitted) {
        ++m_counters.sendsBlocked;
        return {SendStatus::WouldBlock, {}};
    }
    const std::uint64_t floor = m_graph.floor();
    const std::uint64_t sequence = m_graph.add(size, m_unmet);
    m_outgoing.reserve(floor, sequence, sequence + 1);
    Outgoing& message = m_outgoing[sequence];
    message.body = m_pool.copy(body);
    message.lastPacket = NotSent;
    message.since = Never;
    message.fragments = NotFragmented;
    message.type = type;
    message.priority = static_cast<std::uint8_t>(how.priority);
    message.silentLosses = 0;
    message.copyWaits = false;
    message.copies = enforced(Rule::RedundantCopies) ? how.copies : std::uint8_t{1};
    if (!whole) {
        const std::uint32_t slot = slotForFragments();
        Fragments& fragments = m_fragments[slot];
        const auto count = static_cast<std::uint32_t>(fragmentedSize(size) / FragmentSize);
        fragments = Fragments{};
        fragments.used = true;
        fragments.sequence = sequence;
        fragments.count = count;
        fragments.state = m_pool.take(count * (sizeof(std::uint64_t) + 1U));
        std::memset(fragments.state.writable().data(), 0, fragments.state.size());
        message.fragments = static_cast<std::int32_t>(slot);
    }
    m_new[message.priority].push(sequence);
    ++m_counters.guaranteedSent;
    if (m_observer != nullptr) {
        tell(MessageEvent::Kind::Queued, sequence, now, 0);
    }
    if (m_nextWatch == Never) {
        m_nextWatch = now + Second;
    }
    return {SendStatus::Sent, {m_settings.connection, m_settings.epoch, sequence}};
}

std::uint32_t Channel::slotForFragments() {
    for (std::uint32_t i = 0; i < m_fragments.size(); ++i) {
        if (!m_fragments[i].used) {
            return i;
        }
    }
    m_fragments.emplace_back();
    return static_cast<std::uint32_t>(m_fragments.size() - 1);
}

std::uint64_t Channel::lastPacketOf(const Fragments& fragments, std::uint32_t index) const {
    std::uint64_t packet = 0;
    std::memcpy(&packet, fragments.state.bytes().data() + index * sizeof packet, sizeof packet);
    return packet;
}

void Channel::setLastPacket(Fragments& fragments, std::uint32_t index, std::uint64_t packet) {
    std::memcpy(fragments.state.writable().data() + index * sizeof packet, &packet, sizeof packet);
}

bool Channel::fragmentAcked(const Fragments& fragments, std::uint32_t index) const {
    return fragments.state.bytes()[fragments.count * sizeof(std::uint64_t) + index] != 0;
}

SendStatus Channel::sendUnreliable(std::uint16_t type, ByteView body, const UnreliableOptions& how,
                                   Time now) {
    if (body.size() > FragmentSize) {
        return SendStatus::TooLarge;
    }
    QueuedUnreliable message;
    if (how.after) {
        const HandleState known = state(how.after);
        if (known == HandleState::Stale) {
            return SendStatus::StaleDependency;
        }
        message.hasAfter = known == HandleState::Pending;
        message.after = how.after.sequence;
    }
    message.type = type;
    message.latest = how.latest;
    message.key = how.key;
    message.body = m_pool.copy(body);
    message.receipt = how.receipt;
    GrowingQueue<QueuedUnreliable>& queue = m_unreliable[how.latest || how.early ? 0 : 1];
    m_unreliableBytes += body.size();
    queue.push(std::move(message));
    // What waits longest matters least.
    while (queue.size() > MaxUnreliable || (m_unreliableBytes > MaxUnreliableBytes && queue.size() > 1)) {
        const QueuedUnreliable oldest = queue.pop();
        m_unreliableBytes -= oldest.body.size();
        ++m_counters.unreliableDroppedOldest;
        if (m_observer != nullptr) {
            tellUnreliable(MessageEvent::Kind::UnreliableDropped, oldest.type, oldest.body.bytes(),
                           oldest.body.size(), now, 0);
        }
    }
    return SendStatus::Sent;
}

bool Channel::nextReceipt(std::uint32_t& receipt) {
    if (m_receipts.empty()) {
        return false;
    }
    receipt = m_receipts.pop();
    return true;
}

void Channel::queueControl(const ControlFrame& frame) {
    // Answers to a peer's frames must not pile up.
    if (m_control.size() < 16) {
        m_control.push(frame);
    }
}

bool Channel::next(ReceivedMessage& delivery) {
    if (m_deliveries.empty()) {
        return false;
    }
    m_deliveries.popInto(delivery);
    m_deliveryBytes -= delivery.body.size();
    return true;
}

std::size_t Channel::memory() const {
    std::size_t bytes = sizeof *this + m_pool.memory() + m_graph.memory() + m_outgoing.memory()
                        + m_incomingGraph.memory() + m_incoming.memory() + m_sent.memory() + m_latest.memory()
                        + m_resends.memory() + m_copies.memory() + m_control.memory() + m_deliveries.memory()
                        + m_receipts.memory() + m_fragments.capacity() * sizeof(Fragments)
                        + m_reassemblies.capacity() * sizeof(Reassembly);
    for (const auto& queue : m_new) {
        bytes += queue.memory();
    }
    for (const auto& queue : m_unreliable) {
        bytes += queue.memory();
    }
    bytes += (m_unmet.capacity() + m_decoded.capacity() + m_executedNow.capacity()) * sizeof(std::uint64_t)
             + m_sentNow.capacity() * sizeof(SentItem);
    return bytes;
}

void Channel::trim() { m_pool.trim(); }

} // namespace sbx::net
