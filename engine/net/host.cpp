#include "engine/net/host.h"

#include "engine/net/rules.h"

#include <algorithm>

namespace sbx::net {

namespace {
constexpr std::uint8_t TypeMask = 0x07;
} // namespace

MessageHandle BroadcastHandle::on(std::uint32_t connection) const {
    for (const MessageHandle& handle : m_handles) {
        if (handle.connection == connection) {
            return handle;
        }
    }
    return {};
}

Host::Host(const HostSettings& settings, Transport& transport, Entropy entropy, Time now,
           NetObserver* observer)
    : m_settings(settings),
      m_transport(transport),
      m_entropy(std::move(entropy)),
      m_observer(observer),
      m_jar(m_entropy, now),
      m_realNow(now),
      m_clock(now),
      m_challengeCredit(settings.challengesPerSecond),
      m_challengeFilled(now) {}

Host::~Host() = default;

std::uint32_t Host::connect(const Address& server, const std::optional<Key>& serverKey) {
    Attempt attempt;
    attempt.number = m_nextAttempt++;
    attempt.server = server;
    attempt.serverKey = serverKey;
    attempt.request.identity = m_settings.identity;
    attempt.request.fixedKey = serverKey.has_value();
    attempt.begun = m_clock;
    ask(attempt);
    m_attempts.push_back(attempt);
    m_due = m_realNow;
    return attempt.number;
}

std::uint32_t Host::connect(const Address& server, const Introduction& introduction) {
    const std::uint32_t number = connect(server);
    Attempt& attempt = m_attempts.back();
    attempt.request.askKey = true;
    attempt.serverKey = introduction.expected;
    attempt.password = introduction.password;
    attempt.request.observes = introduction.observes;
    return number;
}

void Host::ask(Attempt& attempt) {
    Key secret{};
    m_entropy(secret);
    attempt.pair = makeKeyPair(secret);
    attempt.request.clientKey = attempt.pair.open;
    attempt.response.reset();
    attempt.requests = 0;
    attempt.sent = m_clock - Retry;
}

bool Host::advanceClock(Time now) {
    const Time expected = std::max(m_realNow, m_due == Never ? now : m_due);
    Time elapsed = std::max<Time>(now - m_realNow, 0);
    bool suspended = false;
    if (enforced(Rule::TimeIsClamped) && now - expected > LongestGap) {
        elapsed = expected + LongestGap - m_realNow;
        suspended = true;
        ++m_counters.suspensions;
    }
    m_realNow = std::max(now, m_realNow);
    m_clock += elapsed;
    return suspended;
}

void Host::update(Time now) {
    const bool suspended = advanceClock(now);
    removeClosed();
    m_jar.rotate(m_clock);
    if (m_settings.listens) {
        m_challengeCredit = std::min(m_settings.challengesPerSecond,
                                     m_challengeCredit
                                         + m_settings.challengesPerSecond
                                               * static_cast<double>(m_clock - m_challengeFilled) / 1e9);
    }
    m_challengeFilled = m_clock;
    m_transport.gather();
    receiveAll();
    updateAttempts();
    for (const auto& connection : m_connections) {
        if (m_settings.requireAuthentication && !connection->client() && !connection->authenticated()
            && m_clock - connection->since() >= m_settings.authenticationTimeout) {
            connection->close(CloseReason::NotAuthenticated);
        }
        connection->update(m_clock, suspended);
    }
    m_transport.flush();
    announce();
    m_due = Never;
    m_due = nextTimer();
}

Time Host::nextTimer() {
    Time next = Never;
    for (const auto& connection : m_connections) {
        next = std::min(next, connection->nextTimer(m_clock));
        if (m_settings.requireAuthentication && !connection->client() && !connection->authenticated()
            && connection->state() <= Connection::State::Connected) {
            next = std::min(next, connection->since() + m_settings.authenticationTimeout);
        }
    }
    for (const Attempt& attempt : m_attempts) {
        next = std::min({next, attempt.sent + Retry, attempt.begun + m_settings.clientHandshakeTimeout});
    }
    return next == Never ? Never : m_realNow + std::max<Time>(next - m_clock, 0);
}

void Host::receiveAll() {
    while (const auto received = m_transport.receive(m_arrived)) {
        ++m_counters.datagrams;
        m_counters.bytesReceived += received->size;
        handle(received->from, std::span(m_arrived).first(received->size));
    }
}

void Host::handle(const Address& from, std::span<std::uint8_t> datagram) {
    if (datagram.empty() || datagram.size() > MaxDatagram) {
        ++m_counters.malformed;
        return;
    }
    switch (static_cast<DatagramType>(datagram[0] & TypeMask)) {
    case DatagramType::Request:
        onRequest(from, datagram);
        return;
    case DatagramType::Challenge:
        onChallenge(from, datagram);
        return;
    case DatagramType::Response:
        onResponse(from, datagram);
        return;
    case DatagramType::Deny:
        onDeny(from, datagram);
        return;
    case DatagramType::Data:
        onData(from, datagram);
        return;
    }
    ++m_counters.malformed;
}

void Host::sendHandshake(const Address& to, ByteView datagram, CloseReason reason) {
    m_counters.handshakeBytesSent += datagram.size();
    m_transport.send(to, datagram);
    tellHandshake(true, to, datagram, reason);
}

void Host::tellHandshake(bool sent, const Address& peer, ByteView datagram, CloseReason reason) {
    if (m_observer != nullptr) {
        const auto kind = static_cast<HandshakeEvent::Kind>(datagram[0] & TypeMask);
        m_observer->onHandshake(
            {kind, sent, m_clock, peer, static_cast<std::uint32_t>(datagram.size()), reason});
    }
}

void Host::onRequest(const Address& from, ByteView datagram) {
    Request request;
    if (!m_settings.listens || !readRequest(datagram, request)) {
        ++m_counters.malformed;
        return;
    }
    ++m_counters.requests;
    tellHandshake(false, from, datagram);
    if (m_challengeCredit < 1.0) {
        ++m_counters.challengesHeld;
        return;
    }
    m_challengeCredit -= 1.0;
    std::array<std::uint8_t, LongChallengeSize> answer{};
    Challenge challenge = m_jar.challenge(from, request);
    if (request.askKey && m_settings.fixedKey) {
        challenge.fixedKey = m_settings.fixedKey->open;
    }
    const auto bytes = std::span(answer).first(challenge.fixedKey ? LongChallengeSize : ChallengeSize);
    writeChallenge(bytes, challenge);
    ++m_counters.challengesSent;
    sendHandshake(from, bytes);
}

CloseReason Host::refuses(const Address& from, const Request& request) const {
    if (request.magic != ProtocolMagic || request.identity.id != m_settings.identity.id) {
        return CloseReason::DeniedVersion;
    }
    if (request.identity.table != m_settings.identity.table) {
        return CloseReason::DeniedTable;
    }
    if (m_refusals.holds(from, m_clock)) {
        return CloseReason::DeniedBanned;
    }
    std::uint32_t here = 0;
    std::uint32_t near = 0;
    const std::size_t own = from.isV4() ? 16 : 8;
    const std::size_t network = from.isV4() ? 15 : 8;
    for (const auto& connection : m_connections) {
        const auto& other = connection->peer().ip;
        here += std::equal(from.ip.begin(), from.ip.begin() + static_cast<std::ptrdiff_t>(own), other.begin())
                    ? 1U
                    : 0U;
        near +=
            std::equal(from.ip.begin(), from.ip.begin() + static_cast<std::ptrdiff_t>(network), other.begin())
                ? 1U
                : 0U;
    }
    const auto players = static_cast<std::size_t>(
        std::count_if(m_connections.begin(), m_connections.end(), [](const auto& one) { return !one->observes(); }));
    if ((!request.observes && players >= m_settings.maxPlayers) || m_connections.size() >= m_settings.maxConnections || here >= m_settings.maxPerAddress
        || near >= m_settings.maxPerNetwork) {
        return CloseReason::DeniedFull;
    }
    return CloseReason::None;
}

void Host::deny(const Address& to, const Response& response, CloseReason reason) {
    Deny answer;
    std::copy_n(response.request.clientKey.begin(), answer.echo.size(), answer.echo.begin());
    answer.cookie = response.cookie;
    answer.reason = reason;
    std::array<std::uint8_t, DenySize + MaxDescription> room{};
    if (reason == CloseReason::DeniedTable) {
        answer.description =
            ByteView(m_settings.description).first(std::min(m_settings.description.size(), MaxDescription));
    }
    const auto bytes = std::span(room).first(DenySize + answer.description.size());
    writeDeny(bytes, answer);
    ++m_counters.denied;
    m_lastDenial = {to, reason};
    sendHandshake(to, bytes, reason);
}

void Host::onResponse(const Address& from, ByteView datagram) {
    Response response;
    if (!m_settings.listens || !readResponse(datagram, response)) {
        ++m_counters.malformed;
        return;
    }
    ++m_counters.responses;
    tellHandshake(false, from, datagram);
    // The cookie first: it costs a hash, keys cost a hundred times that.
    const KeyPair* pair = m_jar.check(from, response);
    if (pair == nullptr) {
        ++m_counters.cookiesWrong;
        return;
    }
    if (m_jar.consumed(response)) {
        ++m_counters.responsesRepeated;
        return;
    }
    CloseReason reason = refuses(from, response.request);
    if (reason == CloseReason::None && response.request.fixedKey && !m_settings.fixedKey) {
        reason = CloseReason::DeniedVersion;
    }
    if (reason != CloseReason::None) {
        deny(from, response, reason);
        return;
    }
    Key ephemeral{};
    Key fixed{};
    const bool fixedTakesPart = response.request.fixedKey || (response.request.askKey && m_settings.fixedKey);
    if (!agree(ephemeral, pair->secret, response.request.clientKey)
        || (fixedTakesPart
            && !agree(fixed, m_settings.fixedKey->secret, response.request.clientKey))) {
        ++m_counters.malformed;
        return;
    }
    const Key serverKey = pair->open;
    const Key transcript = transcriptOf(response, serverKey);
    if (m_settings.passwordKey
        && (!fixedTakesPart
            || !sameBytes(response.proof, proofOf(*m_settings.passwordKey, ephemeral, fixed, transcript)))) {
        ++m_counters.passwordsWrong;
        refuse(from, m_settings.wrongPasswordPause); // guesses take their time
        deny(from, response, CloseReason::DeniedPassword);
        return;
    }
    if (!m_jar.consume(response)) {
        deny(from, response, CloseReason::DeniedFull);
        return;
    }
    const SessionKeys keys = deriveKeys(ephemeral, fixed, transcript);
    if (keys.connection == 0 || m_byId.contains(keys.connection)) {
        deny(from, response,
             CloseReason::DeniedFull); // one in four thousand million: the client may try again
        return;
    }
    ++m_counters.accepted;
    open(keys, from, false, response.limits, 0);
    m_connections.back()->credit(datagram.size());
    m_connections.back()->setObserves(response.request.observes);
    if (m_settings.passwordKey) {
        m_connections.back()->authenticate();
    }
}

Limits Host::granted(bool client) const {
    Limits limits = m_settings.limits;
    if (!client)
        limits.pendingBytes =
            std::min(limits.pendingBytes, std::max(m_settings.pendingFromClient, limits.maxMessage));
    return limits;
}

Limits Host::used(Limits peer) const {
    const Limits& own = m_settings.limits;
    peer.window = std::min(peer.window, own.window);
    peer.pendingBytes = std::min(peer.pendingBytes, own.pendingBytes);
    peer.pendingEdges = std::min(peer.pendingEdges, own.pendingEdges);
    peer.reassemblyBytes = std::min(peer.reassemblyBytes, own.reassemblyBytes);
    peer.maxMessage = std::min(peer.maxMessage, peer.pendingBytes);
    return peer;
}

void Host::open(const SessionKeys& keys, const Address& peer, bool client, const Limits& peerLimits,
                Time roundTrip) {
    ConnectionSettings settings;
    settings.client = client;
    settings.identity = m_settings.identity;
    settings.timeout = m_settings.timeout;
    // A server receives from its clients more often than it has to send: an acknowledgement is enough to keep the path.
    settings.keepalive = std::min<Time>(2 * Second, m_settings.timeout / 5) * (client ? 2 : 3) / 2;
    settings.handshakeTimeout = client ? m_settings.clientHandshakeTimeout : 2 * Second;
    settings.packetsPerSecond = m_settings.packetsPerSecond;
    settings.tickRate = m_settings.tickRate;
    settings.rekey = m_settings.rekey;
    settings.channel.connection = keys.connection;
    settings.channel.epoch = static_cast<std::uint32_t>(keys.epoch);
    settings.channel.end = client ? ChannelSettings::End::Client : ChannelSettings::End::Server;
    settings.channel.own = granted(client);
    settings.channel.peer = client ? peerLimits : used(peerLimits);
    settings.channel.timeout = m_settings.timeout;
    settings.channel.firstPacket = m_settings.firstPacket;
    settings.channel.firstSequence = m_settings.firstSequence;
    settings.channel.deliveryQueue = std::max(m_settings.deliveryQueue, m_settings.limits.window);
    std::array<std::uint8_t, 8> seed{};
    m_entropy(seed);
    settings.channel.seed = ByteReader(seed).u64();
    m_connections.push_back(
        std::make_unique<Connection>(settings, keys, peer, m_transport, m_entropy, m_observer, m_clock));
    m_byId[keys.connection] = m_connections.back().get();
    notice(ConnectionNotice::Kind::Opened, *m_connections.back());
    if (roundTrip > 0) {
        m_connections.back()->channel().primeRoundTrip(roundTrip);
    }
}

void Host::onChallenge(const Address& from, ByteView datagram) {
    Challenge challenge;
    if (!readChallenge(datagram, challenge)) {
        ++m_counters.malformed;
        return;
    }
    tellHandshake(false, from, datagram);
    for (Attempt& attempt : m_attempts) {
        if (attempt.response || attempt.server != from
            || !sameBytes(challenge.echo, ByteView(attempt.request.clientKey).first(challenge.echo.size()))) {
            continue;
        }
        if (attempt.request.askKey && attempt.serverKey && challenge.fixedKey != attempt.serverKey) {
            m_offeredKey = challenge.fixedKey;
            const std::uint32_t number = attempt.number;
            m_events.push_back({ConnectionEvent::Kind::Closed, number, 0, CloseReason::ServerKeyChanged});
            std::erase_if(m_attempts, [&](const Attempt& one) { return one.number == number; });
            return;
        }
        const std::optional<Key> fixedKey = attempt.request.askKey ? challenge.fixedKey : attempt.serverKey;
        Key ephemeral{};
        Key fixed{};
        if (!agree(ephemeral, attempt.pair.secret, challenge.serverKey)
            || (fixedKey && !agree(fixed, attempt.pair.secret, *fixedKey))) {
            break;
        }
        Response response;
        response.request = attempt.request;
        response.cookie = challenge.cookie;
        response.secretIndex = challenge.secretIndex;
        response.limits = granted(true);
        const Key transcript = transcriptOf(response, challenge.serverKey);
        if (fixedKey && !attempt.password.empty()) {
            response.proof = proofOf(passwordKey(attempt.password, *fixedKey), ephemeral, fixed, transcript);
        }
        const SessionKeys keys = deriveKeys(ephemeral, fixed, transcript);
        if (keys.connection == 0 || m_byId.contains(keys.connection)) {
            break;
        }
        attempt.response = response;
        attempt.proving = m_clock;
        attempt.connection = keys.connection;
        // Until the server announces what it grants, the minimum that a server may grant.
        Limits least;
        least.window = 32;
        least.pendingBytes = 8 * 1024;
        least.pendingEdges = 256;
        least.reassemblyBytes = 0;
        least.maxMessage = FragmentSize;
        const Time roundTrip = attempt.requests == 1 ? std::max<Time>(m_clock - attempt.sent, 1) : 0;
        open(keys, from, true, least, roundTrip);
        if (fixedKey) {
            m_connections.back()->authenticate();
            m_connections.back()->setServerKey(*fixedKey);
        }
        attempt.sent =
            m_clock - Retry; // the response leaves in this update, before the connection's first datagram
        return;
    }
    ++m_counters.forgedHandshake;
}

void Host::onDeny(const Address& from, ByteView datagram) {
    Deny answer;
    if (!readDeny(datagram, answer)) {
        ++m_counters.malformed;
        return;
    }
    tellHandshake(false, from, datagram, answer.reason);
    for (Attempt& attempt : m_attempts) {
        if (!attempt.response || attempt.server != from || !sameBytes(answer.cookie, attempt.response->cookie)
            || !sameBytes(answer.echo, ByteView(attempt.request.clientKey).first(answer.echo.size()))) {
            continue;
        }
        Connection* connection = find(attempt.connection);
        if (connection == nullptr || !connection->heard()) {
            abandon(attempt);
            m_offeredDescription.assign(answer.description.begin(), answer.description.end());
            m_events.push_back({ConnectionEvent::Kind::Closed, attempt.number, 0, answer.reason});
            std::erase_if(m_attempts, [&](const Attempt& one) { return one.number == attempt.number; });
        }
        return;
    }
    ++m_counters.forgedHandshake;
}

void Host::abandon(const Attempt& attempt) {
    if (const Connection* connection = find(attempt.connection)) {
        notice(ConnectionNotice::Kind::Closed, *connection);
    }
    m_byId.erase(attempt.connection);
    std::erase_if(m_connections, [&](const auto& one) { return one->id() == attempt.connection; });
}

void Host::onData(const Address& from, std::span<std::uint8_t> datagram) {
    if ((datagram[0] & 0x20U) != 0) {
        ByteReader in(datagram.subspan(1));
        const std::uint32_t id = in.u32();
        Connection* const connection = in.ok() ? find(id) : nullptr;
        if (connection == nullptr || connection->client()) {
            ++m_counters.unknownConnection;
            return;
        }
        connection->receive(m_clock, from, datagram, m_scratch);
        return;
    }
    const auto mayBe = [&](const std::unique_ptr<Connection>& c) { return c->client() && c->peer() == from; };
    const auto first = std::find_if(m_connections.begin(), m_connections.end(), mayBe);
    if (first == m_connections.end()) {
        ++m_counters.unknownConnection;
        return;
    }
    const auto second = std::find_if(first + 1, m_connections.end(), mayBe);
    if (second == m_connections.end()) {
        (*first)->receive(m_clock, from, datagram, m_scratch);
        return;
    }
    // Several connections to one server are distinguished by their tags alone: a number that one has seen is new to another, and a
    // wrong tag spoils the datagram.
    std::array<std::uint8_t, MaxDatagram> copy; // written as far as it is read
    if (datagram.size() > copy.size()) {
        ++m_counters.malformed;
        return;
    }
    for (auto one = first; one != m_connections.end(); ++one) {
        if (!mayBe(*one)) {
            continue;
        }
        std::copy(datagram.begin(), datagram.end(), copy.begin());
        if ((*one)->receive(m_clock, from, std::span(copy).first(datagram.size()), m_scratch, false)) {
            return;
        }
    }
    ++m_counters.unknownConnection;
}

void Host::updateAttempts() {
    if (m_attempts.empty()) {
        return;
    }
    std::array<std::uint8_t, MaxDatagram> datagram{};
    for (std::size_t i = 0; i < m_attempts.size();) {
        Attempt& attempt = m_attempts[i];
        Connection* const connection = attempt.response ? find(attempt.connection) : nullptr;
        const bool failed = attempt.response && connection == nullptr;
        const bool connected = connection != nullptr && connection->state() >= Connection::State::Connected;
        if (connected || failed || m_clock - attempt.begun >= m_settings.clientHandshakeTimeout) {
            if (connected) {
                m_events.push_back(
                    {ConnectionEvent::Kind::Connected, attempt.number, attempt.connection, {}});
                connection->announce();
            } else {
                if (connection != nullptr) {
                    connection->close(CloseReason::HandshakeTimeout);
                } else if (!failed && m_observer != nullptr) {
                    m_observer->onConnection({ConnectionNotice::Kind::Closed, m_clock, 0, true,
                                              attempt.server, CloseReason::HandshakeTimeout});
                }
                m_events.push_back(
                    {ConnectionEvent::Kind::Closed, attempt.number, 0, CloseReason::HandshakeTimeout});
            }
            m_attempts.erase(m_attempts.begin() + static_cast<std::ptrdiff_t>(i));
            continue;
        }
        // A challenge that was damaged on its way leads nowhere: its keys are not the server's.
        if (connection != nullptr && !connection->heard()
            && m_clock - attempt.proving
                   >= std::max<Time>(BeginAnew, 2 * (attempt.proving - attempt.begun))) {
            abandon(attempt);
            ask(attempt);
        }
        if (m_clock - attempt.sent >= Retry) {
            if (attempt.response) {
                writeResponse(datagram, *attempt.response);
            } else {
                writeRequest(datagram, attempt.request);
                ++attempt.requests;
            }
            attempt.sent = m_clock;
            sendHandshake(attempt.server, datagram);
        }
        ++i;
    }
}

void Host::setObserver(NetObserver* observer) {
    m_observer = observer;
    for (const auto& connection : m_connections) {
        connection->channel().setObserver(observer);
    }
}

void Host::notice(ConnectionNotice::Kind kind, const Connection& connection) {
    if (m_observer != nullptr) {
        m_observer->onConnection({kind, m_clock, connection.id(), connection.client(), connection.peer(),
                                  connection.closeReason()});
    }
}

void Host::announce() {
    for (const auto& connection : m_connections) {
        if (connection->state() == Connection::State::Closed) {
            if (connection->announced()) {
                m_events.push_back(
                    {ConnectionEvent::Kind::Closed, 0, connection->id(), connection->closeReason()});
            }
        } else if (!connection->client() && !connection->announced() && connection->heard()) {
            m_events.push_back({ConnectionEvent::Kind::Connected, 0, connection->id(), {}});
            connection->announce();
        }
    }
}

// What closed in the last update stayed until now, so that its last deliveries could be taken.
void Host::removeClosed() {
    std::erase_if(m_connections, [&](const auto& connection) {
        if (connection->state() != Connection::State::Closed) {
            return false;
        }
        notice(ConnectionNotice::Kind::Closed, *connection);
        m_byId.erase(connection->id());
        return true;
    });
}

bool Host::nextEvent(ConnectionEvent& event) {
    if (m_eventsTaken == m_events.size()) {
        m_events.clear();
        m_eventsTaken = 0;
        return false;
    }
    event = m_events[m_eventsTaken++];
    return true;
}

Connection* Host::find(std::uint32_t connection) {
    const auto found = m_byId.find(connection);
    return found == m_byId.end() ? nullptr : found->second;
}

HandleState Host::state(const MessageHandle& handle) {
    const Connection* connection = find(handle.connection);
    if (connection == nullptr) {
        return HandleState::Closed;
    }
    const HandleState known = connection->channel().state(handle);
    return known == HandleState::Pending && connection->state() == Connection::State::Closed
               ? HandleState::Closed
               : known;
}

BroadcastHandle Host::broadcast(std::uint16_t type, ByteView body,
                                std::span<const BroadcastHandle* const> dependencies, const MessageClass& how,
                                std::uint32_t* blocked) {
    BroadcastHandle result;
    std::vector<MessageHandle> needs;
    for (const auto& connection : m_connections) {
        if (connection->state() != Connection::State::Connected) {
            continue;
        }
        needs.clear();
        for (const BroadcastHandle* dependency : dependencies) {
            if (const MessageHandle handle = dependency->on(connection->id())) {
                needs.push_back(handle);
            }
        }
        const SendReceipt sent = connection->send(type, body, needs, how);
        if (sent.status == SendStatus::Sent) {
            result.add(sent.handle);
        } else if (blocked != nullptr) {
            ++*blocked;
        }
    }
    return result;
}

} // namespace sbx::net
