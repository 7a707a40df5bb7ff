#include "app/player/network_play.h"

#include "engine/components/network_system.h"
#include "engine/core/log.h"
#include "engine/core/printable.h"
#include "engine/core/user_folders.h"
#include "engine/session/local_clients.h"
#include "engine/session/session.h"
#include "engine/simulation/shared_content.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace sbx::player {

namespace {

constexpr net::Time GoodBye = 300 * net::Millisecond;    // for the last packets
constexpr net::Time HandshakeTime = 6 * net::Second;     // a client's host gives up before

std::set<std::string> entities(const World& world) {
    std::set<std::string> names;
    world.forEach([&](const Entity& entity) { names.insert(entity.name()); });
    return names;
}

const char* reasonText(net::CloseReason reason) {
    switch (reason) {
    case net::CloseReason::Timeout:
        return "nothing was heard for too long";
    case net::CloseReason::HandshakeTimeout:
        return "there is no answer";
    case net::CloseReason::DeniedFull:
        return "the server is full";
    case net::CloseReason::DeniedVersion:
        return "the server has another version";
    case net::CloseReason::DeniedTable:
        return "the server plays another project or scene, with other definitions or components";
    case net::CloseReason::DeniedBanned:
        return "the server refuses this client for a while, because it or its neighbours went too far; try "
               "again in ten seconds";
    case net::CloseReason::DeniedPassword:
        return "it asks for a password, and was given another or none; expected --password-file FILE";
    case net::CloseReason::Rate:
        return "the server was sent too much";
    case net::CloseReason::Backlog:
        return "too much was waiting to be taken";
    case net::CloseReason::Closed:
        return "the server has closed it";
    default:
        return "the connection broke";
    }
}

} // namespace

NetworkPlay::~NetworkPlay() {
    if (m_joined)
        m_session->simulation().network().detach();
}

Result<void> NetworkPlay::open(Session& session) {
    if (!m_options.link.empty()) {
        const Result<net::LinkProfile> link = net::parseLink(m_options.link);
        if (!link)
            return Error{"--link: " + link.error().message, {}, {}};
        m_link = *link;
    }
    const bool client = !m_options.connect.empty();
    if (client) {
        const Result<net::Address> server = net::resolveAddress(m_options.connect, UdpHost::UsualPort);
        if (!server)
            return Error{"--connect: " + server.error().message, {}, {}};
        m_server = *server;
        session.simulation().setSide(Side::Client);
    }
    if (!client && !m_options.serve)
        return {}; // clients in this program alone
    if (const Result<void> identified = identify(); !identified)
        return identified.error();
    auto udp = UdpHost::open(client ? std::uint16_t{0} : *m_options.serve);
    if (!udp)
        return udp.error();
    m_udp = std::move(*udp);
    return {};
}

std::filesystem::path NetworkPlay::userFile(const char* name) const { return UserFolders::ofUser().config / name; }

Result<void> NetworkPlay::identify() {
    if (!m_options.passwordFile.empty()) {
        const Result<std::string> password = loadPassword(m_options.passwordFile);
        if (!password)
            return Error{"--password-file: " + password.error().message, {}, {}};
        m_password = *password;
    }
    if (m_options.connect.empty()) {
        if (m_options.serverKeyFile.empty() && m_options.safeMode) {
            net::Key secret{}; // of this run alone
            net::secureEntropy(secret);
            m_serverKey = net::makeKeyPair(secret);
            return {};
        }
        const Result<net::KeyPair> key =
            loadServerKey(m_options.serverKeyFile.empty() ? userFile("server_key") : std::filesystem::path(m_options.serverKeyFile));
        if (!key)
            return Error{"the server's key: " + key.error().message, {}, {}};
        m_serverKey = *key;
        return {};
    }
    m_serverName = m_options.connect;
    if (m_serverName.find(':') == std::string::npos)
        m_serverName += ":" + std::to_string(UdpHost::UsualPort);
    if (m_options.safeMode)
        return {};
    const Result<std::optional<KnownServer>> known =
        KnownServers(userFile("known_servers")).find(m_serverName);
    if (!known)
        return known.error();
    m_known = *known;
    return {};
}

void NetworkPlay::meetServer() {
    std::optional<net::Key> key;
    m_udp->host().forEach([&](const net::Connection& connection) { key = connection.serverKey(); });
    if (!key) {
        std::printf("%s has no key: the connection is encrypted, but not authenticated\n",
                    m_serverName.c_str());
    } else if (m_known) {
        std::printf("%s is the server that is known: %s; the connection is encrypted and authenticated\n",
                    m_serverName.c_str(), fingerprint(*key).c_str());
    } else {
        std::printf("%s was not known before; its key: %s; the connection is encrypted, compare the key with "
                    "the one that the server prints\n",
                    m_serverName.c_str(), fingerprint(*key).c_str());
        const Result<void> kept = m_options.safeMode ? Result<void>() : KnownServers(userFile("known_servers")).remember(m_serverName, *key);
        if (!kept)
            std::fprintf(stderr, "warning: the server's key is not remembered: %s\n", kept.error().message.c_str());
    }
    std::fflush(stdout);
}

void NetworkPlay::start(Session& session, Log& log) {
    m_session = &session;
    m_log = &log;
    m_printed = log.latest();
    if (!m_udp) {
        const auto seed = static_cast<std::uint64_t>(m_options.seed.value_or(1));
        session.addClients({.count = *m_options.clients, .link = m_link, .seed = seed});
        return;
    }
    const bool client = !m_options.connect.empty();
    const net::HostSettings settings = hostSettingsOf(session.simulation());
    m_begun = net::steadyNow();
    if (client)
        m_udp->begin(settings, m_link.up, m_link.down);
    else
        m_udp->beginServer(settings, *m_serverKey, m_password, m_link.down, m_link.up);
    NetworkSystem::Setup setup;
    setup.role = client ? NetworkSystem::Role::Client : NetworkSystem::Role::Server;
    setup.host = &m_udp->host();
    setup.pump = [this] { m_udp->pump(); };
    setup.players = m_options.clients.value_or(0);
    setup.playerName = m_options.playerName.empty() ? "player" : m_options.playerName;
    session.joinNetwork(std::move(setup));
    m_joined = true;
    if (client)
        m_udp->host().connect(m_server, net::Host::Introduction{
                                      m_known ? std::optional(m_known->key) : std::nullopt, m_password});
    else
        std::printf("serving on port %u\nserver key: %s%s\n", unsigned{m_udp->port()},
                    fingerprint(m_serverKey->open).c_str(), m_password.empty() ? "" : "; a password is asked for");
    std::fflush(stdout);
}

void NetworkPlay::ticked() {
    if (m_session == nullptr || !m_udp) // clients in this program tick with the session
        return;
    if (!m_wasConnected && m_session->simulation().network().peerCount() > 0) {
        m_wasConnected = true;
        if (!m_options.connect.empty())
            meetServer();
    }
    if (m_options.connect.empty())
        printLog();
    follow();
}

void NetworkPlay::printLog() {
    if (m_log->latest() == m_printed)
        return;
    for (const LogRecord& record : m_log->since(m_printed)) {
        m_printed = record.sequence;
        // Errors go to standard error by themselves.
        if (record.channel == "network" && record.severity >= LogSeverity::Info
            && record.severity < LogSeverity::Error)
            std::printf("%s\n", record.text.c_str());
    }
    std::fflush(stdout);
}

void NetworkPlay::follow() {
    Status now;
    const std::size_t peers = m_session->simulation().network().peerCount();
    if (m_options.connect.empty()) {
        now.title = "port " + std::to_string(m_udp->port()) + ", " + std::to_string(peers)
                    + (peers == 1 ? " client" : " clients") + ", encrypted";
        now.notice =
            "Others can join on port " + std::to_string(m_udp->port())
            + ". All connections are encrypted. This server's key: " + fingerprint(m_serverKey->open);
    } else if (peers > 0) {
        std::optional<net::Key> key;
        m_udp->host().forEach([&](const net::Connection& connection) { key = connection.serverKey(); });
        now.title = m_serverName
                    + (!key      ? ", encrypted, not authenticated"
                       : m_known ? ", encrypted, known server"
                                 : ", encrypted, new server");
        now.notice =
            "Connected to " + m_serverName + ". The connection is encrypted. "
            + (!key ? std::string("The server has no key, so it may be another than you mean.")
               : m_known
                   ? "The server has the key that it had before: " + fingerprint(*key)
                   : "You have not met this server before. Compare its key with the one that it prints: "
                         + fingerprint(*key));
    } else if (over()) {
        now.title = "not connected";
        now.ended = reportEnd();
    } else {
        now.title = "connecting to " + m_serverName;
        now.waiting = "Connecting to " + m_serverName + " …";
    }
    const bool ends = !now.ended.empty() && m_session->mode() == Mode::Play;
    {
        const std::lock_guard lock(m_statusMutex);
        if (!(m_status == now))
            m_status = std::move(now);
    }
    // A world that goes on without its server would differ from those of the other players.
    if (ends)
        m_session->post([](Session& session) { session.pause(); });
}

const std::string& NetworkPlay::reportEnd() {
    if (!m_ended.empty())
        return m_ended;
    const NetworkSystem& network = m_session->simulation().network();
    if (m_known && network.closeReason() == net::CloseReason::ServerKeyChanged) {
        m_ended = keyChangedText(*m_known, m_udp->host().offeredKey(), userFile("known_servers"));
    } else {
        const net::CloseReason reason = network.closeReason();
        std::string text = reasonText(reason == net::CloseReason::None && !m_wasConnected
                                          ? net::CloseReason::HandshakeTimeout
                                          : reason);
        if (network.closeReason() == net::CloseReason::DeniedTable)
            if (const std::string what = m_session->simulation().sharedContent().difference(m_udp->host().offeredDescription());
                !what.empty())
                text = "the server plays something else. These differ: " + what
                       + ". Expected the same project, files and version at both ends";
        m_ended = m_options.connect + ": " + text;
    }
    m_ended = printable(m_ended);
    std::fprintf(stderr, "error: %s\n", m_ended.c_str());
    return m_ended;
}

NetworkPlay::Status NetworkPlay::status() const {
    const std::lock_guard lock(m_statusMutex);
    return m_status;
}

bool NetworkPlay::over() const {
    if (m_session == nullptr || m_options.connect.empty() || m_session->simulation().network().peerCount() > 0)
        return false;
    return m_wasConnected || m_session->simulation().network().closeReason() != net::CloseReason::None
           || net::steadyNow() - m_begun > HandshakeTime;
}

void NetworkPlay::wait(net::Time until) {
    m_udp->wait(until);
}

int NetworkPlay::close() {
    if (m_session == nullptr)
        return 0;
    NetworkSystem& network = m_session->simulation().network();
    if (!m_udp) {
        const std::set<std::string> own = entities(m_session->world());
        LocalClients* const clients = m_session->clients(); // null: a line of the script has ended their run
        for (std::size_t i = 0; clients != nullptr && i < clients->count(); ++i) {
            const NetworkSystem& theirs = clients->simulation(i).network();
            const std::set<std::string> there = entities(clients->simulation(i).world());
            std::size_t missing = 0;
            for (const std::string& name : own)
                missing += there.contains(name) ? 0U : 1U;
            std::printf("client %zu: %zu entities, %zu of the server's not yet here; %llu messages, %llu states in %llu KiB%s\n", i + 1,
                        there.size(), missing, static_cast<unsigned long long>(theirs.counters().received),
                        static_cast<unsigned long long>(theirs.counters().statesReceived),
                        static_cast<unsigned long long>(theirs.counters().stateBytes / 1024),
                        theirs.started() ? "; the game has started" : "");
        }
        m_session->endClients();
        return 0;
    }
    int status = 0;
    if (!m_options.connect.empty() && network.peerCount() == 0) {
        reportEnd();
        status = 1;
    } else {
        const NetworkCounters& counters = network.counters();
        std::printf("%zu connected, %zu entities, %llu messages sent, %llu received, %llu states%s\n", network.peerCount(),
                    m_session->world().entityCount(), static_cast<unsigned long long>(counters.sent),
                    static_cast<unsigned long long>(counters.received),
                    static_cast<unsigned long long>(counters.statesSent + counters.statesReceived),
                    network.started() ? "; the game has started" : "");
    }
    network.detach();
    wait(net::steadyNow() + GoodBye);
    return status;
}

} // namespace sbx::player
