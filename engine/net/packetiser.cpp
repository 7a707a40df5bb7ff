#include "engine/net/channel.h"
#include "engine/net/rules.h"

#include <algorithm>

namespace sbx::net {

void Channel::skipNumber() {
    m_floors[m_sent.next() % m_floors.size()] = m_graph.floor();
    m_sent.skip();
    ++m_counters.numbersSkipped;
}

bool Channel::mayStartFragments(std::uint64_t sequence) {
    const Outgoing& message = m_outgoing[sequence];
    return m_fragmentedOut + fragmentedSize(message.body.size()) <= m_settings.peer.reassemblyBytes
           || !enforced(Rule::MemoryIsCapped);
}

bool Channel::sendable(std::size_t priority) {
    GrowingQueue<std::uint64_t>& queue = m_new[priority];
    if (queue.empty()) {
        return false;
    }
    const std::int32_t slot = m_outgoing[queue.front()].fragments;
    return slot == NotFragmented || m_fragments[static_cast<std::size_t>(slot)].unsent > 0
           || mayStartFragments(queue.front());
}

bool Channel::hasNew() { return sendable(0) || sendable(1) || sendable(2); }

Channel::Turn Channel::turn(Time now) {
    // What is ready but not yet executed is acknowledged only once it is: no packet leaves in between.
    if (m_incomingGraph.ready()) {
        return Turn::Nothing;
    }
    const bool full = !m_resends.empty() || (!m_copies.empty() && m_copies.front().due <= now) || hasNew()
                      || !m_unreliable[0].empty() || !m_unreliable[1].empty();
    if (full) {
        if (m_congestion.allows(MaxDatagram) && m_congestion.mayLeave(now)) {
            return Turn::Full;
        }
        if (!m_congestion.allows(MaxDatagram)) {
            m_congestion.noteLimited(now);
        }
    }
    return m_ackDue <= now || !m_control.empty() || m_ping ? Turn::ControlOnly : Turn::Nothing;
}

void Channel::packControl(SectionWriter& writer) {
    while (!m_control.empty() && writer.control(m_control.front())) {
        m_control.pop();
    }
    if (m_ping && writer.control({})) {
        m_ping = false;
    }
}

void Channel::noteSent(std::uint64_t sequence, std::uint16_t fragment) {
    m_sent.addItem({sequence, fragment});
    m_backOffNow = std::max(m_backOffNow, m_outgoing[sequence].silentLosses);
}

bool Channel::packWhole(SectionWriter& writer, std::uint64_t sequence, Time now, bool copy) {
    Outgoing& message = m_outgoing[sequence];
    m_unmet.clear();
    m_graph.dependenciesOf(sequence, m_unmet);
    if (!writer.guaranteed(sequence, m_unmet, message.type, message.body.bytes())) {
        return false;
    }
    m_counters.dependenciesSent += m_unmet.size();
    if (!copy) {
        // A message that was sent twice is sent again when its first packet is lost: waiting for the copy's timer too would cost
        // what the copy gained.
        message.lastPacket = m_numberNow;
    }
    message.since = message.since == Never ? now : message.since;
    noteSent(sequence, Whole);
    return true;
}

bool Channel::packFragment(SectionWriter& writer, std::uint64_t sequence, std::uint32_t index, Time now) {
    Outgoing& message = m_outgoing[sequence];
    Fragments& fragments = m_fragments[static_cast<std::size_t>(message.fragments)];
    m_unmet.clear();
    if (index == 0) {
        m_graph.dependenciesOf(sequence, m_unmet);
    }
    const std::size_t from = std::size_t{index} * FragmentSize;
    const std::size_t size = std::min<std::size_t>(FragmentSize, message.body.size() - from);
    if (!writer.fragment(sequence, m_unmet, message.type, message.body.size(), index, fragments.count,
                         message.body.bytes().subspan(from, size))) {
        return false;
    }
    m_counters.dependenciesSent += m_unmet.size();
    ++m_counters.fragmentsSent;
    setLastPacket(fragments, index, m_numberNow);
    message.since = message.since == Never ? now : message.since;
    noteSent(sequence, static_cast<std::uint16_t>(index));
    return true;
}

void Channel::packResends(SectionWriter& writer, const ByteWriter& out, std::size_t budget, Time now) {
    while (!m_resends.empty() && out.size() < budget) {
        const Resend resend = m_resends.front();
        if (m_graph.acknowledged(resend.sequence)) {
            m_resends.pop();
            continue;
        }
        const std::size_t before = out.size();
        Outgoing& message = m_outgoing[resend.sequence];
        if (resend.fragment == Whole) {
            if (!packWhole(writer, resend.sequence, now, false)) {
                return;
            }
            m_counters.bytesResent += message.body.size();
            // What chance has hit once on such a link it hits again: a third wait would be the p99.
            const bool repeated = m_lossShare > RepeatResendsAbove && message.body.size() <= MaxRepeated;
            const unsigned copies = std::max<unsigned>(message.copies, repeated ? 2 : 1);
            queueCopies(resend.sequence, copies, now);
        } else {
            const Fragments& fragments = m_fragments[static_cast<std::size_t>(message.fragments)];
            if (!fragmentAcked(fragments, resend.fragment)) {
                if (!packFragment(writer, resend.sequence, resend.fragment, now)) {
                    return;
                }
                m_counters.bytesResent += FragmentSize;
            } else {
                m_resends.pop();
                continue;
            }
        }
        ++m_counters.guaranteedResent;
        m_causesNow |= PacketEvent::Resends;
        if (m_observer != nullptr) {
            tell(MessageEvent::Kind::Resent, resend.sequence, now, m_numberNow, resend.fragment, out.size() - before);
        }
        m_resends.pop();
    }
}

// One that waits already goes first: what is lost before its copies have left must not make them more and more.
void Channel::queueCopies(std::uint64_t sequence, unsigned copies, Time now) {
    bool& waits = m_outgoing[sequence].copyWaits;
    if (copies > 1 && !waits) {
        waits = true;
        m_copies.push({sequence, m_numberNow, now + CopyDelay, static_cast<std::uint8_t>(copies - 1U)});
    }
}

void Channel::packCopies(SectionWriter& writer, Time now) {
    for (std::size_t i = m_copies.size(); i > 0; --i) {
        Copy copy = m_copies.front();
        if (m_graph.acknowledged(copy.sequence)) {
            m_copies.pop();
            continue;
        }
        const std::size_t before = writer.size();
        if (copy.notInPacket == m_numberNow || !packWhole(writer, copy.sequence, now, true)) {
            return;
        }
        ++m_counters.copiesSent;
        m_causesNow |= PacketEvent::Copies;
        if (m_observer != nullptr) {
            tell(MessageEvent::Kind::Copied, copy.sequence, now, m_numberNow, Whole, writer.size() - before);
        }
        m_copies.pop();
        if (--copy.left > 0) {
            m_copies.push({copy.sequence, m_numberNow, now + CopyDelay, copy.left});
        } else {
            m_outgoing[copy.sequence].copyWaits = false;
        }
    }
}

void Channel::packNew(SectionWriter& writer, std::size_t priority, Time now, const ByteWriter& out, std::size_t budget) {
    GrowingQueue<std::uint64_t>& queue = m_new[priority];
    while (sendable(priority) && out.size() < budget) {
        const std::uint64_t sequence = queue.front();
        const std::size_t before = writer.size();
        Outgoing& message = m_outgoing[sequence];
        std::uint16_t fragment = Whole;
        bool last = true;
        if (message.fragments == NotFragmented) {
            if (!packWhole(writer, sequence, now, false)) {
                return;
            }
            queueCopies(sequence, message.copies, now);
        } else {
            Fragments& fragments = m_fragments[static_cast<std::size_t>(message.fragments)];
            fragment = static_cast<std::uint16_t>(fragments.unsent);
            if (!packFragment(writer, sequence, fragments.unsent, now)) {
                return;
            }
            if (fragments.unsent++ == 0) {
                m_fragmentedOut += fragmentedSize(message.body.size());
            }
            last = fragments.unsent == fragments.count;
        }
        m_causesNow |= PacketEvent::Messages;
        if (m_observer != nullptr) {
            tell(MessageEvent::Kind::Sent, sequence, now, m_numberNow, fragment, writer.size() - before);
        }
        if (last) {
            queue.pop();
        }
    }
}

void Channel::packUnreliable(SectionWriter& writer, std::size_t which, Time now) {
    GrowingQueue<QueuedUnreliable>& queue = m_unreliable[which];
    while (!queue.empty()) {
        const QueuedUnreliable& message = queue.front();
        const std::size_t before = writer.size();
        // What it waited for may have been executed while it was queued.
        const bool after = message.hasAfter && !m_graph.executed(message.after);
        if (!writer.unreliable({message.latest, after, message.key, message.after}, message.type,
                               message.body.bytes())) {
            return;
        }
        if (message.receipt != 0) {
            m_sent.addItem({message.receipt, 0, true});
        }
        ++m_counters.unreliableSent;
        m_causesNow |= PacketEvent::States;
        if (m_observer != nullptr) {
            tellUnreliable(MessageEvent::Kind::UnreliableSent, message.type, message.body.bytes(),
                           writer.size() - before, now, m_numberNow);
        }
        m_unreliableBytes -= message.body.size();
        queue.pop();
    }
}

Channel::Built Channel::build(Time now, Turn turn, std::span<std::uint8_t> room, std::size_t overhead) {
    if (enforced(Rule::NumbersAreSkipped) && m_random.below(256) == 0) {
        skipNumber();
    }
    m_numberNow = m_sent.next();
    m_backOffNow = 0;
    m_causesNow = m_ackDue <= now ? PacketEvent::Acknowledgement : 0;
    m_floors[m_numberNow % m_floors.size()] = m_graph.floor();
    ByteWriter out(room.first(std::min(room.size(), m_settings.payloadSize)));
    AckInfo ack = m_received.acknowledgement(m_ackRanges);
    if (ack.present) {
        const Time waited = (now - m_newestArrived) / (Millisecond / 4);
        ack.delay = static_cast<std::uint8_t>(std::clamp<Time>(waited, 0, AckInfo::UnknownDelay));
        // Where packets are lost, so are acknowledgements; one that travels alone is sent twice.
        const bool alone =
            turn == Turn::ControlOnly && m_ackDue <= now && !m_ackRepeated && m_gapShare > RepeatAcksAbove;
        m_ackRepeated = alone;
        m_ackDue = alone ? now + 2 * Millisecond : Never;
        m_unackedEliciting = 0;
        m_ackRanges = false;
    }
    writeAck(out, ack, 0);
    const std::size_t bare = out.size();
    SectionWriter writer(out, m_settings.sequenceBits);
    packControl(writer);
    if (out.size() > bare) {
        m_causesNow |= PacketEvent::Control;
    }
    if (turn == Turn::Full) {
        const bool statesWait = !m_unreliable[0].empty() || !m_unreliable[1].empty();
        const std::size_t budget = statesWait && enforced(Rule::ResendsLeaveRoom)
                                       ? m_settings.payloadSize * 3 / 4
                                       : m_settings.payloadSize;
        packResends(writer, out, budget, now);
        packCopies(writer, now);
        // A critical message is small and rare: it goes before states.
        packNew(writer, 0, now, out, m_settings.payloadSize);
        // States that did not leave with the packet before come every tick anew: on a link that carries less than they are, they would
        // leave no room for messages, ever. Those go first then, in the part of the packet that is not kept for states.
        if (m_statesHeldBack && statesWait) {
            packNew(writer, 1, now, out, budget);
        }
        packUnreliable(writer, 0, now);
        m_statesHeldBack = !m_unreliable[0].empty();
        packNew(writer, 1, now, out, m_settings.payloadSize);
        packUnreliable(writer, 1, now);
        packNew(writer, 2, now, out, m_settings.payloadSize);
    }
    const bool eliciting = out.size() > bare;
    const auto bytes = static_cast<std::uint16_t>(out.size() + overhead);
    m_sent.add(now, bytes, eliciting, m_backOffNow);
    if (eliciting) {
        m_congestion.onSent(bytes);
        m_congestion.left(bytes);
        const Time due = now
                         + SentPackets::backedOff(m_roundTrip.lossInterval(m_settings.peer.maxAckDelay),
                                                  m_roundTrip.backOffCap(), m_backOffNow);
        m_nextLoss = std::min(m_nextLoss, due);
    } else {
        ++m_counters.ackOnlySent;
    }
    ++m_counters.packetsSent;
    m_counters.bytesSent += out.size();
    observe(PacketEvent::Kind::Sent, m_numberNow, now, bytes, m_causesNow);
    return {m_numberNow, out.size(), eliciting};
}

std::uint64_t Channel::unackedSpan() const {
    return m_sent.anyAcked() ? m_sent.next() - m_sent.newestAcked() : m_sent.next() - m_sent.first();
}

} // namespace sbx::net
