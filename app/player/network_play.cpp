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

std::set<std::string> entities(const World& world) {
    std::set<std::string> names;
    world.forEach([&](const Entity& entity) { names.insert(entity.name()); });
    return names;
}

} // namespace

NetworkPlay::~NetworkPlay() {
    if (m_session != nullptr && m_udp && !m_link) // a link leaves by itself
        m_session->simulation().network().detach();
}

Result<void> NetworkPlay::open(Session& session) {
    if (!m_options.link.empty()) {
        const Result<net::LinkProfile> link = net::parseLink(m_options.link);
        if (!link)
            return Error{"--link: " + link.error().message, {}, {}};
        m_profile = *link;
    }
    const bool client = !m_options.connect.empty();
    if (!client && !m_options.serve)
        return {}; // clients in this program alone
    ClientSetup setup;
    if (client) {
        const Result<net::Address> server = net::resolveAddress(m_options.connect, UdpHost::UsualPort);
        if (!server)
            return Error{"--connect: " + server.error().message, {}, {}};
        setup.server = *server;
        session.simulation().setSide(Side::Client);
    }
    if (const Result<void> identified = identify(); !identified)
        return identified.error();
    auto udp = UdpHost::open(client ? std::uint16_t{0} : *m_options.serve);
    if (!udp)
        return udp.error();
    m_udp = std::move(*udp);
    if (!client)
        return {};
    setup.udp = m_udp;
    setup.serverName = m_options.connect;
    setup.password = m_password;
    setup.playerName = m_options.playerName;
    setup.observes = m_options.observe;
    setup.link = m_profile;
    if (!m_options.safeMode)
        setup.knownServers = userFile("known_servers");
    auto link = ServerLink::make(setup);
    if (!link)
        return link.error();
    m_link = std::move(*link);
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
    if (!m_options.connect.empty())
        return {};
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

void NetworkPlay::meetServer() {
    std::printf("%s\n", m_link->identityText().c_str());
    if (!m_link->rememberFault().empty())
        std::fprintf(stderr, "warning: %s\n", m_link->rememberFault().c_str());
    std::fflush(stdout);
}

void NetworkPlay::start(Session& session, Log& log) {
    m_session = &session;
    m_log = &log;
    m_printed = log.latest();
    if (!m_udp) {
        const auto seed = static_cast<std::uint64_t>(m_options.seed.value_or(1));
        session.addClients({.count = *m_options.clients, .link = m_profile, .seed = seed});
        return;
    }
    const auto join = [&session](NetworkSetup setup) { session.joinNetwork(std::move(setup)); };
    if (m_link) {
        m_link->begin(session.simulation(), join);
        return;
    }
    m_udp->beginServer(hostSettingsOf(session.simulation()), *m_serverKey, m_password, m_profile.down, m_profile.up);
    NetworkSetup setup;
    setup.role = NetworkRole::Server;
    setup.host = &m_udp->host();
    setup.pump = [this] { m_udp->pump(); };
    setup.players = m_options.clients.value_or(0);
    setup.playerName = m_options.playerName.empty() ? "player" : m_options.playerName;
    join(std::move(setup));
    std::printf("serving on port %u\nserver key: %s%s\n", unsigned{m_udp->port()}, fingerprint(m_serverKey->open).c_str(),
                m_password.empty() ? "" : "; a password is asked for");
    std::fflush(stdout);
}

void NetworkPlay::ticked() {
    if (m_session == nullptr || !m_udp) // clients in this program tick with the session
        return;
    if (!m_link) {
        printLog();
    } else if (m_link->follow() == ServerLink::State::Connected && !m_met) {
        m_met = true;
        meetServer();
    }
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
    } else if (m_link->state() == ServerLink::State::Connected) {
        now.title = m_link->serverName() + ", " + m_link->identityWords();
        now.notice = "Connected. " + m_link->identityText();
    } else if (over()) {
        now.title = "not connected";
        now.ended = reportEnd();
    } else {
        now.title = "connecting to " + m_link->serverName();
        now.waiting = "Connecting to " + m_link->serverName() + " …";
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
    m_ended = m_link->endText();
    if (m_session->simulation().network().closeReason() == net::CloseReason::DeniedPassword)
        m_ended += "; expected --password-file FILE";
    std::fprintf(stderr, "error: %s\n", m_ended.c_str());
    return m_ended;
}

NetworkPlay::Status NetworkPlay::status() const {
    const std::lock_guard lock(m_statusMutex);
    return m_status;
}

bool NetworkPlay::over() const { return m_link && m_link->state() == ServerLink::State::Ended; }

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
    if (m_link && network.peerCount() == 0) {
        if (m_link->follow() == ServerLink::State::Ended)
            reportEnd();
        else
            std::fprintf(stderr, "error: %s: there is no connection yet\n", m_link->serverName().c_str());
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
