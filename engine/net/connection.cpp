#include "engine/net/connection.h"

#include "engine/net/rules.h"

#include <algorithm>

namespace sbx::net {

namespace {
constexpr std::uint8_t KeyPhase = 0x08;
constexpr std::uint8_t LongNumber = 0x10;
constexpr std::uint8_t HasConnection = 0x20;
constexpr std::uint64_t LongFrom = 1U << 14U; // unacknowledged packets from which 16 bits may be ambiguous
constexpr std::uint64_t AmplificationLimit = 3;
constexpr std::size_t MinControl = 64; // room for a datagram with an acknowledgement and one control frame
constexpr Time PathRetry = 100 * Millisecond;
} // namespace

Connection::Connection(const ConnectionSettings& settings, const SessionKeys& keys, const Address& peer,
                       Transport& transport, const Entropy& entropy, NetObserver* observer, Time now)
    : m_settings(settings),
      m_id(keys.connection),
      m_keys(keys, settings.client, settings.identity.id, settings.rekey, now),
      m_peer(peer),
      m_transport(transport),
      m_entropy(entropy),
      m_channel(settings.channel, observer),
      m_now(now),
      m_since(now),
      m_lastHeard(now),
      m_lastSent(now),
      m_rateCredit(settings.packetsPerSecond),
      m_rateFilled(now) {
    if (settings.client) {
        m_channel.ping(); // proves the client's address with the first datagram
    }
}

SendReceipt Connection::send(std::uint16_t type, ByteView body, std::span<const MessageHandle> dependencies,
                             const MessageClass& how) {
    if (m_state > State::Connected) {
        return {SendStatus::Closed, {}};
    }
    return m_channel.send(type, body, dependencies, how, m_now);
}

SendStatus Connection::sendUnreliable(std::uint16_t type, ByteView body, const UnreliableOptions& how) {
    return m_state > State::Connected ? SendStatus::Closed : m_channel.sendUnreliable(type, body, how, m_now);
}

void Connection::close(CloseReason reason, Time linger) {
    if (m_state > State::Connected) {
        return;
    }
    m_reason = reason;
    m_state = State::Lingering;
    m_lingerUntil = m_now + linger;
}

// Ends it now; what the peer has to know has been sent already, or would not arrive.
void Connection::finish(CloseReason reason) {
    if (m_state == State::Closed) {
        return;
    }
    m_reason = m_state >= State::Lingering && m_reason != CloseReason::None ? m_reason : reason;
    m_state = State::Closed;
}

void Connection::beginClosing(Time now) {
    m_state = State::Closing;
    m_closesLeft = CloseCopies;
    m_nextClose = now;
}

bool Connection::withinRate(Time now) {
    const double most = m_settings.packetsPerSecond;
    m_rateCredit = std::min(
        most, m_rateCredit + most * static_cast<double>(std::max<Time>(now - m_rateFilled, 0)) / 1e9);
    m_rateFilled = now;
    m_rateCredit -= 1.0;
    return m_rateCredit > 0.0;
}

bool Connection::receive(Time now, const Address& from, std::span<std::uint8_t> datagram, Payload& scratch, bool counts) {
    m_now = now;
    m_held = false;
    if (m_state == State::Closed || m_state == State::Closing) {
        return false;
    }
    const std::uint64_t fault = counts ? 1 : 0;
    const std::uint8_t expected = static_cast<std::uint8_t>(static_cast<unsigned>(DatagramType::Data)
                                                            | (m_settings.client ? 0U : HasConnection));
    const std::uint8_t first = datagram.empty() ? std::uint8_t{0} : datagram[0];
    const bool isLong = (first & LongNumber) != 0;
    const std::size_t header = 1U + (m_settings.client ? 0U : 4U) + (isLong ? 4U : 2U);
    if ((first & ~(LongNumber | KeyPhase)) != expected || datagram.size() < header + TagSize) {
        m_counters.malformed += fault;
        return false;
    }
    ByteReader in(datagram.subspan(header - (isLong ? 4U : 2U)));
    const std::uint32_t wire = isLong ? in.u32() : in.u16();
    const std::uint64_t number = fromWire(wire, isLong ? 32 : 16, m_channel.newestReceived() + 1);
    // The window is only looked at here: a number that is not authenticated must not move it.
    switch (m_channel.check(number)) {
    case ReceivedPackets::Verdict::Duplicate:
        m_counters.replayed += fault;
        return false;
    case ReceivedPackets::Verdict::TooOld:
        m_counters.stale += fault;
        return false;
    case ReceivedPackets::Verdict::Fresh:
        break;
    }
#ifdef SBX_NET_RULES_CAN_BE_TAKEN_OUT
    if (!enforced(Rule::WindowMovesAfterTag)) {
        m_channel.acceptUnauthenticated(number);
    }
#endif
    const std::size_t size = datagram.size();
    const bool newest = before(m_channel.newestReceived(), number);
    const auto plain = m_keys.open(now, number, (first & KeyPhase) != 0, datagram, header);
    if (!plain) {
        m_counters.authFailed += fault;
        return false;
    }
    m_lastHeard = now;
    if (!m_heard) {
        m_heard = true;
        if (m_state == State::Proving && !m_settings.client) {
            m_state = State::Connected;
        }
    }
    if (!withinRate(now)) {
        ++m_counters.rateExceeded;
        if (m_rateCredit < -3.0 * m_settings.packetsPerSecond) {
            close(CloseReason::Rate);
        }
        return true;
    }
    const Channel::Received received =
        m_channel.receive(now, number, datagram.subspan(header, *plain), scratch, header + TagSize);
    if (received.outcome == Channel::Outcome::Violation) {
        close(received.reason);
        return true;
    }
    if (received.outcome == Channel::Outcome::Refused) {
        return true;
    }
    for (const ControlFrame& frame : scratch.controls) {
        handleControl(frame, from);
    }
    if (from != m_peer && newest && m_state <= State::Lingering) {
        challengePath(now, from, size);
    }
    return true;
}

void Connection::handleControl(const ControlFrame& frame, const Address& from) {
    switch (frame.code) {
    case ControlCode::Ping:
        break;
    case ControlCode::Close:
        finish(static_cast<CloseReason>(frame.reason));
        break;
    case ControlCode::PathChallenge: {
        ControlFrame answer;
        answer.code = ControlCode::PathResponse;
        answer.value = frame.value;
        m_channel.queueControl(answer);
        break;
    }
    case ControlCode::PathResponse:
        // From the new address itself: an answer relayed by another path proves nothing.
        if (m_candidate.active && frame.value == m_candidate.token && from == m_candidate.address) {
            m_peer = from;
            m_candidate.active = false;
            ++m_counters.migrations;
        }
        break;
    case ControlCode::Accept:
        if (m_settings.client && m_state == State::Proving) {
            m_state = State::Connected;
            m_channel.setPeerLimits(frame.limits);
            m_settings.timeout = frame.timeoutMs * Millisecond;
            m_settings.keepalive = std::min(m_settings.keepalive, m_settings.timeout / 5);
            m_channel.setTimeout(m_settings.timeout);
        }
        break;
    }
}

void Connection::challengePath(Time now, const Address& from, std::size_t received) {
    if (m_settings.client) {
        return; // servers do not move
    }
    if (!m_candidate.active || m_candidate.address != from) {
        m_candidate = Candidate{};
        m_candidate.active = true;
        m_candidate.address = from;
        std::array<std::uint8_t, 8> token{};
        m_entropy(token);
        m_candidate.token = ByteReader(token).u64();
        m_candidate.challenged = now - PathRetry;
    }
    m_candidate.received += received;
    if (now - m_candidate.challenged < PathRetry
        || m_candidate.sent + MinControl > AmplificationLimit * m_candidate.received) {
        return; // a challenge that cannot leave now must not leave with a packet to the proven address
    }
    m_candidate.challenged = now;
    ++m_counters.pathChallenges;
    ControlFrame frame;
    frame.code = ControlCode::PathChallenge;
    frame.value = m_candidate.token;
    m_channel.queueControl(frame);
    transmit(now, Channel::Turn::ControlOnly, from);
}

bool Connection::transmit(Time now, Channel::Turn turn, const Address& to) {
    // To an address that has proved nothing goes at most three times what came from it.
    const bool candidate = m_candidate.active && to == m_candidate.address;
    const std::uint64_t came = candidate ? m_candidate.received : m_unprovenReceived;
    std::uint64_t& went = candidate ? m_candidate.sent : m_unprovenSent;
    const bool proven = !candidate && (m_heard || m_settings.client);
    std::size_t most = MaxDatagram;
    if (!proven) {
        const std::uint64_t allowed = AmplificationLimit * came;
        most = static_cast<std::size_t>(std::min<std::uint64_t>(most, allowed > went ? allowed - went : 0));
        if (most < MinControl) {
            ++m_counters.amplificationHeld;
            m_held = m_held || !candidate;
            return false;
        }
    }
    std::array<std::uint8_t, MaxDatagram> datagram; // written as far as it is sent
    ByteWriter out(datagram);
    // The number is the channel's to give; room is left for the longer form, and the header is written into it from behind.
    const bool isLong = m_channel.unackedSpan() + 2 > LongFrom;
    const std::size_t header = 1U + (m_settings.client ? 4U : 0U) + (isLong ? 4U : 2U);
    const Channel::Built built = m_channel.build(
        now, turn, std::span(datagram).subspan(header, most - header - TagSize), header + TagSize);
    out.u8(static_cast<std::uint8_t>(static_cast<unsigned>(DatagramType::Data) | (isLong ? LongNumber : 0U)
                                     | (m_keys.phase() ? KeyPhase : 0U)
                                     | (m_settings.client ? HasConnection : 0U)));
    if (m_settings.client) {
        out.u32(m_id);
    }
    if (isLong) {
        out.u32(static_cast<std::uint32_t>(built.number));
    } else {
        out.u16(static_cast<std::uint16_t>(built.number));
    }
    m_keys.seal(built.number, datagram, header, built.size);
    const std::size_t size = header + built.size + TagSize;
    went += proven ? 0U : size;
    m_lastSent = now;
    ++m_counters.datagramsSent;
    m_counters.datagramBytesSent += size;
    // What the transport could not take is lost, as on any path; the loss timers see to it.
    if (m_transport.send(to, ByteView(datagram).first(size)) != TransportStatus::Sent) {
        ++m_counters.sendFailures;
        return false;
    }
    return true;
}

void Connection::flush(Time now) {
    for (int i = 0; i < 4096; ++i) {
        // Sent in every packet until one of them is acknowledged.
        const bool accept = !m_settings.client && !m_channel.anyAcked();
        const Channel::Turn turn = m_channel.turn(now);
        const bool first = accept && m_channel.nextPacket() == m_settings.channel.firstPacket;
        if (turn == Channel::Turn::Nothing && !first) {
            return;
        }
        if (accept) {
            ControlFrame frame;
            frame.code = ControlCode::Accept;
            frame.limits = m_settings.channel.own;
            frame.timeoutMs = static_cast<std::uint32_t>(
                std::clamp<Time>(m_settings.timeout / Millisecond, MinTimeoutMs, MaxTimeoutMs));
            frame.tickRate = m_settings.tickRate;
            m_channel.queueControl(frame);
        }
        if (!transmit(now, turn == Channel::Turn::Nothing ? Channel::Turn::ControlOnly : turn, m_peer)) {
            return;
        }
    }
}

// What informs the peer of this end must not wait for a keepalive when it is lost; and where nothing comes back, some five probes are
// too few to end a connection on a path that loses half of them, or many in a row.
Time Connection::silence() const {
    if (m_now - m_lastHeard > m_settings.keepalive * 3 / 2) {
        return std::min(m_settings.keepalive, Probe);
    }
    return m_channel.anyAcked() ? m_settings.keepalive : std::min(m_settings.keepalive, FirstRetry);
}

void Connection::update(Time now, bool suspended) {
    m_now = now;
    if (m_state == State::Closed) {
        return;
    }
    if (suspended) {
        // The program slept, the network did not: receive what has arrived, and probe once, before giving up.
        m_lastHeard =
            std::max(m_lastHeard, now - m_settings.timeout + std::min(m_settings.timeout / 2, 2 * Second));
        m_channel.ping();
    }
    if (m_state == State::Proving && !m_heard && now - m_since > m_settings.handshakeTimeout) {
        finish(CloseReason::HandshakeTimeout);
        return;
    }
    if (now - m_lastHeard >= m_settings.timeout) {
        finish(CloseReason::Timeout);
        return;
    }
    m_keys.update(now, m_state == State::Connected,
                  m_channel.anyAcked() ? std::optional(m_channel.newestAcked()) : std::nullopt);
    if (m_state != State::Closing) {
        if (const CloseReason reason = m_channel.update(now); reason != CloseReason::None) {
            close(reason);
        }
    }
    if (m_state == State::Lingering && (now >= m_lingerUntil || m_channel.drained())) {
        beginClosing(now);
    }
    if (m_state == State::Closing) {
        while (m_nextClose <= now && m_closesLeft > 0) {
            ControlFrame frame;
            frame.code = ControlCode::Close;
            frame.reason = static_cast<std::uint8_t>(m_reason);
            m_channel.queueControl(frame);
            transmit(now, Channel::Turn::ControlOnly, m_peer);
            --m_closesLeft;
            m_nextClose += CloseSpacing;
        }
        if (m_closesLeft == 0) {
            finish(m_reason);
        }
        return;
    }
    if (now - m_lastSent >= silence()) {
        m_channel.ping();
        if (m_channel.drained() && m_channel.deliveriesWaiting() == 0) {
            m_channel.trim();
        }
    }
    flush(now);
}

Time Connection::nextTimer(Time now) {
    switch (m_state) {
    case State::Closed:
        return Never;
    case State::Closing:
        return m_nextClose;
    case State::Proving:
    case State::Connected:
    case State::Lingering:
        break;
    }
    // Held back from an unproven address: only a datagram from it helps.
    Time next = m_lastHeard + m_settings.timeout;
    if (!m_held) {
        next = std::min({next, m_channel.nextTimer(now), m_lastSent + silence()});
    }
    if (m_state == State::Proving && !m_heard) {
        next = std::min(next, m_since + m_settings.handshakeTimeout + 1);
    }
    if (m_state == State::Lingering) {
        next = std::min(next, m_channel.drained() ? now : m_lingerUntil);
    }
    return next;
}

} // namespace sbx::net
