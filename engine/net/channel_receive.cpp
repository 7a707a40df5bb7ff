#include "engine/net/channel.h"
#include "engine/net/rules.h"

#include <algorithm>
#include <cstring>

namespace sbx::net {

// What a payload would add, found before anything changes.
struct Channel::Plan {
    static constexpr std::size_t MaxNewReassemblies = 16;
    std::uint64_t bytes = 0;
    std::uint32_t messages = 0;
    std::uint32_t edges = 0;
    std::uint64_t reassemblyBytes = 0;
    std::size_t newReassemblies = 0;
    std::array<const WireMessage*, MaxNewReassemblies> first{}; // first fragment seen of each new reassembly
    bool tooMany = false;
    const Payload* payload = nullptr;
};

std::span<const std::uint64_t> Channel::decodeDependencies(const Payload& payload,
                                                           const WireMessage& message) {
    const std::size_t count = message.dependencyCount;
    if (m_decoded.size() < count) {
        m_decoded.resize(count);
    }
    for (std::size_t i = 0; i < count; ++i) {
        m_decoded[i] = decode(payload.dependencies[message.firstDependency + i]);
    }
    return std::span(m_decoded).first(count);
}

CloseReason Channel::planGuaranteed(const Payload& payload, const WireMessage& message, Plan& plan) {
    const std::uint64_t sequence = decode(message.sequence);
    if (before(sequence, m_incomingGraph.floor())) {
        return CloseReason::None; // a duplicate
    }
    if (sequence - m_incomingGraph.floor() >= m_settings.own.window) {
        return CloseReason::FlowControl;
    }
    const bool known = before(sequence, m_incomingEnd); // else nothing of it has come in an earlier packet
    if (message.kind == SectionKind::Fragment) {
        if (const CloseReason reason = planFragment(message, sequence, plan); reason != CloseReason::None) {
            return reason;
        }
        if (message.fragment != 0) {
            return CloseReason::None;
        }
    } else {
        if (known && m_incomingGraph.hasData(sequence)) {
            return CloseReason::None;
        }
        const bool begun = known && m_incoming[sequence].reassembly != NotFragmented;
        const bool beginsHere = std::any_of(
            plan.first.begin(), plan.first.begin() + static_cast<std::ptrdiff_t>(plan.newReassemblies),
            [&](const WireMessage* other) { return other->sequence == message.sequence; });
        if (begun || beginsHere) {
            return CloseReason::Protocol; // whole, after it came in fragments
        }
        if (message.body.size() > m_settings.own.maxMessage) {
            return CloseReason::FlowControl;
        }
        plan.bytes += message.body.size();
    }
    if (known && m_incomingGraph.hasHead(sequence)) {
        return CloseReason::None;
    }
    // A reassembly counts from its first part.
    plan.messages += message.kind == SectionKind::Fragment ? 0U : 1U;
    for (std::size_t i = 0; i < message.dependencyCount; ++i) {
        const std::uint64_t dependency = decode(payload.dependencies[message.firstDependency + i]);
        if (!before(dependency, sequence) && enforced(Rule::DependenciesPointBack)) {
            return CloseReason::Protocol;
        }
        plan.edges += m_incomingGraph.executed(dependency) ? 0U : 1U;
    }
    return CloseReason::None;
}

CloseReason Channel::planFragment(const WireMessage& message, std::uint64_t sequence, Plan& plan) const {
    if (m_incomingGraph.hasData(sequence)) {
        return CloseReason::None;
    }
    const std::uint32_t count = message.lastFragment + 1U;
    const bool last = message.fragment == message.lastFragment;
    const auto agrees = [&](std::uint32_t otherCount, std::uint32_t total, std::uint32_t lastSize) {
        const std::uint32_t before = (count - 1U) * FragmentSize;
        const std::uint32_t ownTotal = message.fragment == 0 ? message.total : total;
        const std::uint32_t ownLast = last ? static_cast<std::uint32_t>(message.body.size()) : lastSize;
        return count == otherCount && (total == 0 || ownTotal == total)
               && (lastSize == 0 || ownLast == lastSize)
               && (ownTotal == 0 || ownLast == 0 || ownTotal == before + ownLast);
    };
    // With each that comes in the same packet, too: none of them is known yet.
    const auto agreesWith = [&](const WireMessage& other) {
        return agrees(other.lastFragment + 1U, other.fragment == 0 ? other.total : 0,
                      other.fragment == other.lastFragment ? static_cast<std::uint32_t>(other.body.size())
                                                           : 0);
    };
    for (const WireMessage& other : plan.payload->messages) {
        if (&other == &message) {
            break;
        }
        if (other.kind == SectionKind::Fragment && other.sequence == message.sequence && !agreesWith(other)) {
            return CloseReason::Protocol;
        }
    }
    if (before(sequence, m_incomingEnd) && m_incoming[sequence].reassembly != NotFragmented) {
        const Reassembly& known = m_reassemblies[static_cast<std::size_t>(m_incoming[sequence].reassembly)];
        return agrees(known.count, known.total, known.lastSize) ? CloseReason::None : CloseReason::Protocol;
    }
    if (m_incomingGraph.hasHead(sequence)) {
        return CloseReason::Protocol; // fragments, after it came whole
    }
    for (std::size_t i = 0; i < plan.newReassemblies; ++i) {
        if (plan.first[i]->sequence == message.sequence) {
            return CloseReason::None;
        }
    }
    if ((count - 1U) * std::uint64_t{FragmentSize} >= m_settings.own.maxMessage
        || message.total > m_settings.own.maxMessage) {
        return CloseReason::FlowControl;
    }
    if (plan.newReassemblies == Plan::MaxNewReassemblies) {
        plan.tooMany = true;
        return CloseReason::None;
    }
    plan.first[plan.newReassemblies++] = &message;
    plan.reassemblyBytes += std::uint64_t{count} * FragmentSize;
    plan.bytes += std::uint64_t{count - 1U} * FragmentSize + 1U; // at least
    return CloseReason::None;
}

CloseReason Channel::plan(const Payload& payload, Plan& plan) {
    plan.payload = &payload;
    for (const WireMessage& message : payload.messages) {
        if (message.kind == SectionKind::Unreliable) {
            ++plan.messages;
            if (message.hasAfter
                && !before(decode(message.after), m_incomingGraph.floor() + m_settings.own.window)) {
                return CloseReason::FlowControl;
            }
            continue;
        }
        if (const CloseReason reason = planGuaranteed(payload, message, plan); reason != CloseReason::None) {
            return reason;
        }
    }
    const std::uint64_t inParts = m_reassemblyBytes - std::uint64_t{m_reassembling} * (FragmentSize - 1U);
    const bool over = m_waitingBytes + inParts + plan.bytes > m_settings.own.pendingBytes
                      || m_incomingGraph.pendingEdges() + plan.edges > m_settings.own.pendingEdges
                      || m_reassemblyBytes + plan.reassemblyBytes > m_settings.own.reassemblyBytes;
    return over && enforced(Rule::MemoryIsCapped) ? CloseReason::FlowControl : CloseReason::None;
}

// A reassembly will be a message like those that wait.
bool Channel::hasRoom(const Plan& plan) const {
    const std::size_t held = m_deliveries.size() + m_waiting + m_reassembling;
    const std::size_t fresh =
        plan.messages + plan.newReassemblies; // none: its acknowledgements and its control frames are processed
    return held + fresh <= m_settings.deliveryQueue && !plan.tooMany
           && (fresh == 0 || m_deliveryBytes < m_settings.own.pendingBytes);
}

bool Channel::mayCome(const ControlFrame& frame) const {
    switch (frame.code) {
    case ControlCode::Accept:
    case ControlCode::PathChallenge:
        return m_settings.end != ChannelSettings::End::Server;
    case ControlCode::PathResponse:
        return m_settings.end != ChannelSettings::End::Client;
    case ControlCode::Ping:
    case ControlCode::Close:
        break;
    }
    return true;
}

Channel::Received Channel::receive(Time now, std::uint64_t number, ByteView bytes, Payload& payload,
                                   std::size_t overhead) {
    if (!parsePayload(bytes, m_settings.sequenceBits, payload)) {
        ++m_counters.packetsMalformed;
        return {Outcome::Violation, CloseReason::Protocol};
    }
    if (payload.ack.present && enforced(Rule::BogusAcksClose) && !m_sent.plausible(payload.ack)) {
        ++m_counters.acksBogus;
        return {Outcome::Violation, CloseReason::Protocol};
    }
    if (!std::all_of(payload.controls.begin(), payload.controls.end(),
                     [this](const ControlFrame& frame) { return mayCome(frame); })) {
        return {Outcome::Violation, CloseReason::Protocol};
    }
    m_decodeFloor = m_incomingGraph.floor();
    Plan planned;
    if (const CloseReason reason = plan(payload, planned); reason != CloseReason::None) {
        return {Outcome::Violation, reason};
    }
    applyAck(payload.ack, now);
    if (!hasRoom(planned)) {
        ++m_counters.packetsRefused;
        observe(PacketEvent::Kind::Refused, number, now, bytes.size() + overhead);
        if (!enforced(Rule::AckedMeansStored)) {
            m_received.accept(number);
            m_ackDue = now;
        }
        return {Outcome::Refused, CloseReason::None};
    }
    const bool newest = !m_received.any() || before(m_received.newest(), number);
    if (newest && m_received.any()) {
        const auto missing =
            static_cast<double>(std::min<std::uint64_t>(number - m_received.newest() - 1, 32));
        m_gapShare += (missing / (missing + 1.0) - m_gapShare) / LossMemory * (missing + 1.0);
    }
    m_received.accept(number);
    ++m_counters.packetsReceived;
    m_counters.bytesReceived += bytes.size();
    observe(PacketEvent::Kind::Received, number, now, bytes.size() + overhead);
    if (newest) {
        m_newestArrived = now;
    }
    if (payload.eliciting) {
        m_ackRepeated = false;
        ++m_unackedEliciting;
        if (!enforced(Rule::AcksAreEarly)) {
            m_ackDue = std::min(m_ackDue, now + 200 * Millisecond);
        } else if (m_unackedEliciting >= 8) {
            m_ackDue = now;
            m_ackRanges = true; // bulk: a lost acknowledgement must not cost what it covered
        } else {
            m_ackDue = std::min(m_ackDue, now + m_settings.own.maxAckDelay);
        }
    }
    store(payload, now, number);
    return {};
}

void Channel::store(const Payload& payload, Time now, std::uint64_t number) {
    // Guaranteed messages run first, so that an unreliable one in the same packet finds what it comes after.
    bool guaranteed = false;
    for (const WireMessage& message : payload.messages) {
        if (message.kind != SectionKind::Unreliable) {
            storeGuaranteed(payload, message, now, number);
            guaranteed = true;
        }
    }
    if (guaranteed) {
        runReady(now);
        if (m_observer != nullptr && m_waiting > 0) {
            tellWaiting(payload, now);
        }
    }
    for (const WireMessage& message : payload.messages) {
        if (message.kind == SectionKind::Unreliable) {
            storeUnreliable(message, now, number);
        }
    }
}

// The usual case, in order and with nothing waiting: no slot and no edge is needed.
bool Channel::executesAtOnce(std::uint64_t sequence, bool fragment) const {
#ifdef SBX_NET_RULES_CAN_BE_TAKEN_OUT
    if (!std::all_of(RulesTakenOut.begin(), RulesTakenOut.end(), [](bool out) { return !out; })) {
        return false;
    }
#endif
    return !fragment && sequence == m_incomingEnd && sequence == m_incomingGraph.floor()
           && m_incomingGraph.empty() && m_observer == nullptr;
}

void Channel::storeGuaranteed(const Payload& payload, const WireMessage& message, Time now,
                              [[maybe_unused]] std::uint64_t number) {
    const std::uint64_t sequence = decode(message.sequence);
    const bool fragment = message.kind == SectionKind::Fragment;
    if (executesAtOnce(sequence, fragment)) {
        ++m_incomingEnd;
        m_incomingGraph.executeLowest();
        ++m_counters.guaranteedReceived;
        ++m_counters.guaranteedExecuted;
        ReceivedMessage& delivery = m_deliveries.extend();
        delivery.guaranteed = true;
        delivery.type = message.type;
        delivery.sequence = sequence;
        delivery.body = m_pool.copy(message.body);
        m_deliveryBytes += message.body.size();
        delivery.arrived = now;
        delivery.executed = now;
        return;
    }
    m_counters.fragmentsReceived += fragment ? 1U : 0U;
    const bool known = before(sequence, m_incomingEnd);
    bool duplicate = known && m_incomingGraph.hasData(sequence);
#ifdef SBX_NET_RULES_CAN_BE_TAKEN_OUT
    if (!enforced(Rule::NothingIsRemovedByAge)) {
        m_seenByAge.resize(std::size_t{1} << m_settings.sequenceBits, -1);
        const Time seen = m_seenByAge[message.sequence];
        duplicate = duplicate || (seen >= 0 && now - seen < m_settings.timeout + Second);
    }
#endif
    if (duplicate) {
        ++(fragment ? m_counters.fragmentsDuplicate : m_counters.guaranteedDuplicate);
        if (m_observer != nullptr) {
            tellArrived(MessageEvent::Kind::Duplicate, payload, message, sequence, now, number);
        }
        if (!enforced(Rule::DuplicatesAddNoEdges) && !m_incomingGraph.executed(sequence)) {
            m_incomingGraph.addHead(sequence, decodeDependencies(payload, message));
        }
        return;
    }
    if (!known) {
        m_incoming.reserve(m_incomingGraph.floor(), m_incomingEnd, sequence + 1);
        while (m_incomingEnd != sequence + 1) {
            m_incoming[m_incomingEnd++] = Incoming{};
        }
    }
    Incoming& incoming = m_incoming[sequence];
    if (m_nextWatch == Never) {
        m_nextWatch = now + Second;
    }
    if (!fragment || message.fragment == 0) {
        m_incomingGraph.addHead(sequence, decodeDependencies(payload, message));
        incoming.type = message.type;
    }
    if (fragment) {
        if (incoming.reassembly == NotFragmented) {
            incoming.arrived = now;
        }
        storeFragment(message, sequence);
        if (incoming.reassembly != NotFragmented) {
            return; // more to come
        }
    } else {
        incoming.body = m_pool.copy(message.body);
    }
    incoming.arrived = now;
    ++m_waiting;
    m_waitingBytes += incoming.body.size();
    ++m_counters.guaranteedReceived;
    if (m_observer != nullptr) {
        tellArrived(MessageEvent::Kind::Arrived, payload, message, sequence, now, number);
    }
    m_incomingGraph.setData(sequence);
#ifdef SBX_NET_RULES_CAN_BE_TAKEN_OUT
    if (!m_seenByAge.empty()) {
        m_seenByAge[message.sequence] = now;
    }
#endif
}

void Channel::storeFragment(const WireMessage& message, std::uint64_t sequence) {
    Incoming& incoming = m_incoming[sequence];
    if (incoming.reassembly == NotFragmented) {
        std::size_t slot = 0;
        while (slot < m_reassemblies.size() && m_reassemblies[slot].used) {
            ++slot;
        }
        if (slot == m_reassemblies.size()) {
            m_reassemblies.emplace_back();
        }
        Reassembly& fresh = m_reassemblies[slot];
        fresh = Reassembly{};
        fresh.used = true;
        fresh.sequence = sequence;
        fresh.count = message.lastFragment + 1U;
        fresh.buffer = m_pool.take(std::size_t{fresh.count} * (FragmentSize + 1U));
        std::memset(fresh.buffer.writable().data() + std::size_t{fresh.count} * FragmentSize, 0, fresh.count);
        m_reassemblyBytes += std::uint64_t{fresh.count} * FragmentSize;
        ++m_reassembling;
        incoming.reassembly = static_cast<std::int32_t>(slot);
    }
    Reassembly& reassembly = m_reassemblies[static_cast<std::size_t>(incoming.reassembly)];
    std::uint8_t& here =
        reassembly.buffer.writable()[std::size_t{reassembly.count} * FragmentSize + message.fragment];
    if (here != 0) {
        ++m_counters.fragmentsDuplicate;
        return;
    }
    here = 1;
    std::memcpy(reassembly.buffer.writable().data() + std::size_t{message.fragment} * FragmentSize,
                message.body.data(), message.body.size());
    if (message.fragment == 0) {
        reassembly.total = message.total;
    }
    if (message.fragment == message.lastFragment) {
        reassembly.lastSize = static_cast<std::uint32_t>(message.body.size());
    }
    if (++reassembly.arrived < reassembly.count) {
        return;
    }
    m_reassemblyBytes -= std::uint64_t{reassembly.count} * FragmentSize;
    --m_reassembling;
    reassembly.buffer.shrink(reassembly.total);
    incoming.body = std::move(reassembly.buffer);
    reassembly = Reassembly{};
    incoming.reassembly = NotFragmented;
}

void Channel::storeUnreliable(const WireMessage& message, Time now, std::uint64_t number) {
    ++m_counters.unreliableReceived;
    const auto observed = [&](MessageEvent::Kind kind) {
        if (m_observer != nullptr) {
            tellUnreliable(kind, message.type, message.body, message.body.size(), now, number);
        }
    };
    if (message.hasAfter && enforced(Rule::AfterIsHonoured)
        && !m_incomingGraph.executed(decode(message.after))) {
        ++m_counters.unreliableTooEarly;
        observed(MessageEvent::Kind::UnreliableTooEarly);
        return;
    }
    if (message.latest) {
        const std::uint64_t stale = m_received.newest() - m_settings.replayWindow;
        if (!m_latest.update(message.type, message.key, number, stale)) {
            ++m_counters.unreliableOutdated;
            observed(MessageEvent::Kind::UnreliableOutdated);
            return;
        }
    }
    observed(MessageEvent::Kind::UnreliableDelivered);
    ReceivedMessage& delivery = m_deliveries.extend();
    delivery.guaranteed = false;
    delivery.type = message.type;
    delivery.sequence = 0;
    delivery.body = m_pool.copy(message.body);
    m_deliveryBytes += message.body.size();
    delivery.arrived = now;
    delivery.executed = now;
}

void Channel::runReady(Time now) {
    if (!m_incomingGraph.ready()) {
        return;
    }
    m_incomingGraph.run(m_settings.executeBudget, [&](std::uint64_t sequence) { execute(sequence, now); });
}

void Channel::execute(std::uint64_t sequence, Time now) {
    Incoming& incoming = m_incoming[sequence];
    --m_waiting;
    m_waitingBytes -= incoming.body.size();
    m_deliveryBytes += incoming.body.size();
    ++m_counters.guaranteedExecuted;
    m_counters.guaranteedWaited += incoming.arrived != now ? 1U : 0U;
    observe(MessageEvent::Kind::Executed, sequence, now);
    ReceivedMessage& delivery = m_deliveries.extend();
    delivery.guaranteed = true;
    delivery.type = incoming.type;
    delivery.sequence = sequence;
    delivery.body = std::move(incoming.body);
    delivery.arrived = incoming.arrived;
    delivery.executed = now;
}

} // namespace sbx::net
