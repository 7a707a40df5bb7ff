#include "engine/net/channel.h"
#include "engine/net/rules.h"

#include <algorithm>

namespace sbx::net {

namespace {
constexpr std::uint64_t MaxThreshold = 32;
constexpr std::uint8_t MaxSilentLosses = 16;
} // namespace

void Channel::acknowledgeItem(const SentItem& item, Time now) {
    if (m_graph.acknowledged(item.sequence)) {
        return;
    }
    Outgoing& message = m_outgoing[item.sequence];
    if (item.fragment != Whole) {
        Fragments& fragments = m_fragments[static_cast<std::size_t>(message.fragments)];
        if (fragmentAcked(fragments, item.fragment)) {
            return;
        }
        fragments.state.writable()[fragments.count * sizeof(std::uint64_t) + item.fragment] = 1;
        message.since = now;
        if (++fragments.acked < fragments.count) {
            return;
        }
        m_fragmentedOut -= fragmentedSize(message.body.size());
        fragments = Fragments{};
        message.fragments = NotFragmented;
    }
    message.body.clear();
    observe(MessageEvent::Kind::Acknowledged, item.sequence, now);
    if (m_observer == nullptr) {
        m_graph.acknowledge(item.sequence);
    } else {
        m_executedNow.clear();
        m_graph.acknowledge(item.sequence, &m_executedNow);
        for (const std::uint64_t sequence : m_executedNow) {
            tell(MessageEvent::Kind::KnownExecuted, sequence, now, 0);
        }
    }
}

void Channel::onAcked(std::uint64_t number, const SentPackets::Record& record, Time now) {
    m_lossShare -= record.eliciting ? m_lossShare / LossMemory : 0.0;
    if (record.lost) {
        ++m_counters.packetsSpurious;
        m_lossShare = std::max(m_lossShare - 1.0 / LossMemory, 0.0);
        // Reordered further than thought.
        if (m_sent.anyAcked() && before(number, m_sent.newestAcked())) {
            m_lossThreshold = std::clamp(m_sent.newestAcked() - number + 1, m_lossThreshold, MaxThreshold);
        }
    }
    observe(PacketEvent::Kind::Acknowledged, number, now, record.bytes);
    for (std::uint16_t i = 0; i < record.itemCount; ++i) {
        const SentItem& item = m_sent.item(record.firstItem + i);
        if (item.isReceipt) {
            m_receipts.push(static_cast<std::uint32_t>(item.sequence));
        } else {
            acknowledgeItem(item, now);
        }
    }
}

void Channel::applyAck(const AckInfo& ack, Time now) {
    if (!ack.present) {
        return;
    }
    const std::uint64_t newest = fromWire(ack.newest, 16, m_sent.next());
    m_sent.acknowledge(ack, [&](std::uint64_t number, const SentPackets::Record& record) {
        Time path = 0; // there and back, without what the peer waited: that is no queue
        // Numbers are never used again: one that was taken for lost, too, gives the round trip of the path by now. Without it a queue that
        // grows faster than the estimate makes everything seem lost from then on. But what took its time at the peer, because the
        // acknowledgement was lost before, contains no information about the path.
        if (number == newest && record.eliciting && (!record.lost || ack.delay != AckInfo::UnknownDelay)) {
            const Time delay = ack.delay == AckInfo::UnknownDelay ? 0 : ack.delay * (Millisecond / 4);
            const Time waited = record.lost ? delay : std::min(delay, m_settings.peer.maxAckDelay);
            // Never below what came without taking anything off (RFC 9002, section 5.3): what the peer claims makes no path shorter.
            const Time whole = std::max<Time>(now - record.sent, 1);
            const Time least = m_roundTrip.sampled() ? std::min(m_roundTrip.least(), whole) : whole;
            path = std::max(whole - waited, least);
            m_roundTrip.sample(path);
        }
        if (record.eliciting) {
            m_progress = now;
            m_congestion.onAcked(now, record.lost ? 0 : record.bytes, path);
        }
        onAcked(number, record, now);
    });
    runLossDetection(now);
}

bool Channel::wanted(std::uint64_t sequence, std::uint16_t fragment, std::uint64_t packet) {
    if (m_graph.acknowledged(sequence)) {
        return false;
    }
    const Outgoing& message = m_outgoing[sequence];
    if (fragment == Whole) {
        return message.lastPacket == packet;
    }
    const Fragments& fragments = m_fragments[static_cast<std::size_t>(message.fragments)];
    return !fragmentAcked(fragments, fragment) && lastPacketOf(fragments, fragment) == packet;
}

void Channel::onLost(std::uint64_t number, const SentPackets::Record& record, bool byTimer, Time now) {
    ++m_counters.packetsLost;
    m_lossShare += (1.0 - m_lossShare) / LossMemory;
    m_congestion.onLost(record.bytes);
    observe(PacketEvent::Kind::Lost, number, now, record.bytes);
    // Backing off answers silence: while other packets are acknowledged the path lives, and a message that chance hits again and
    // again must not wait longer each time. (At 20 % loss and 50 ms, backing off at every loss would put one message in a
    // thousand at 480 ms.)
    const bool silent = byTimer && m_progress <= record.sent && enforced(Rule::BackOffOverSilence);
    bool stillSilent = false;
    for (std::uint16_t i = 0; i < record.itemCount; ++i) {
        const SentItem item = m_sent.item(record.firstItem + i);
        if (item.isReceipt || !wanted(item.sequence, item.fragment, number)) {
            continue;
        }
        Outgoing& message = m_outgoing[item.sequence];
        message.silentLosses = silent ? std::min<std::uint8_t>(
                                   static_cast<std::uint8_t>(message.silentLosses + 1U), MaxSilentLosses)
                                      : std::uint8_t{0};
        stillSilent = stillSilent || message.silentLosses >= 2;
        m_resends.push({item.sequence, item.fragment});
        if (m_observer != nullptr) {
            tell(MessageEvent::Kind::Lost, item.sequence, now, number, item.fragment);
        }
    }
    if (stillSilent) {
        m_congestion.onSilence(now);
    }
}

void Channel::runLossDetection(Time now) {
    const bool timer = enforced(Rule::LossTimerNeedsNoLaterAck);
    const Time interval = timer ? m_roundTrip.lossInterval(m_settings.peer.maxAckDelay) : 1000 * Second;
    m_nextLoss = m_sent.detectLoss(now, m_lossThreshold, interval, m_roundTrip.backOffCap(),
                                   [&](std::uint64_t number, const SentPackets::Record& record,
                                       bool byTimer) { onLost(number, record, byTimer, now); });
}

CloseReason Channel::update(Time now) {
    runReady(now);
    if (m_nextLoss <= now) {
        runLossDetection(now);
    }
    if (m_nextWatch > now) {
        return CloseReason::None;
    }
    // Once a second; the watch sleeps when nothing is outstanding.
    m_nextWatch = drained() && m_waiting == 0 && m_reassemblyBytes == 0 ? Never : now + Second;
    for (std::uint64_t sequence = m_graph.floor(); sequence != m_graph.next(); ++sequence) {
        if (!m_graph.acknowledged(sequence) && m_outgoing[sequence].since != Never
            && now - m_outgoing[sequence].since > m_settings.timeout) {
            return CloseReason::Undeliverable;
        }
    }
    const Time oldest = oldestWaiting();
    if (oldest != Never && now - oldest > m_settings.timeout + Second) {
        return CloseReason::DependencyStalled;
    }
    return CloseReason::None;
}

Time Channel::oldestWaiting() const {
    Time oldest = Never;
    if (m_waiting == 0 && m_reassemblyBytes == 0) {
        return oldest;
    }
    for (std::uint64_t sequence = m_incomingGraph.floor(); sequence != m_incomingEnd; ++sequence) {
        const bool here =
            m_incomingGraph.hasData(sequence) || m_incoming[sequence].reassembly != NotFragmented;
        if (here && !m_incomingGraph.executed(sequence)) {
            oldest = std::min(oldest, m_incoming[sequence].arrived);
        }
    }
    return oldest;
}

Time Channel::nextTimer(Time now) {
    if (m_incomingGraph.ready()) {
        return now;
    }
    Time next = std::min({m_nextLoss, m_ackDue, m_nextWatch});
    const bool copyDue = !m_copies.empty() && m_copies.front().due <= now;
    if (!m_copies.empty() && !copyDue) {
        next = std::min(next, m_copies.front().due);
    }
    const bool full =
        !m_resends.empty() || hasNew() || !m_unreliable[0].empty() || !m_unreliable[1].empty() || copyDue;
    if (!m_control.empty() || m_ping) {
        return now;
    }
    // Held back by the window an acknowledgement or a loss wakes it, held back by pacing the time when it may leave.
    if (full && m_congestion.allows(MaxDatagram)) {
        next = std::min(next, m_congestion.nextLeave(now));
    }
    return next;
}

} // namespace sbx::net
