#include "engine/session/session_lines.h"

#include "engine/session/local_clients.h"
#include "engine/session/session.h"

#include <algorithm>

namespace sbx {

// While it exists, console lines act on the world of that client (1 the first), with its CVars, and log under its name; 0: on the
// main world.
class SessionLines::Target {
public:
    Target(SessionLines& lines, std::size_t client) : m_lines(lines), m_before(std::exchange(lines.m_client, client)) {
        Session& session = lines.m_session;
        if (client > 0)
            m_redirection.emplace(session.console(), session.clients()->cvars(client - 1).registry(),
                                  LocalClients::name(client));
    }
    ~Target() { m_lines.m_client = m_before; }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

private:
    SessionLines& m_lines;
    std::size_t m_before;
    std::optional<ConsoleRedirection> m_redirection;
};

ConsoleReply SessionLines::execute(std::string_view line, CVarSource source, WriteReach reach) {
    ConsoleReply reply = m_session.console().execute(line, source, reach);
    takeReply(reply, 0);
    return reply;
}

ConsoleReply SessionLines::execFile(const std::string& path, CVarSource source) {
    ConsoleReply reply = m_session.console().execFile(path, source);
    takeReply(reply, 0);
    return reply;
}

ConsoleReply SessionLines::executeAs(std::size_t client, std::string_view line, WriteReach reach) {
    const LocalClients* const clients = m_session.clients();
    SBX_EXPECT(client == 0 || (clients != nullptr && client <= clients->count()), "lines run in worlds that exist");
    const Target target(*this, client);
    ConsoleReply reply = m_session.console().execute(line, CVarSource::Console, reach);
    takeReply(reply, client);
    return reply;
}

void SessionLines::takeReply(ConsoleReply& reply, std::size_t client) {
    if (!reply.ok)
        ++m_failed;
    if (const auto& handler = m_session.handlers().reply) {
        ConsoleReply shown;
        shown.ok = reply.ok;
        if (client > 0)
            for (const std::string& line : reply.lines)
                shown.lines.push_back(LocalClients::name(client) + ": " + line);
        handler(client > 0 ? shown : reply);
    }
    if (!reply.deferred)
        return;
    if (const std::size_t count = reply.deferred->entries.size(); count > 0 && m_session.mode() == Mode::Edit)
        m_session.log().info("console", std::to_string(count) + (count == 1 ? " statement waits" : " statements wait")
                                            + " for the next Play");
    const std::uint64_t due = m_session.simulationOf(client).world().tickCount() + reply.deferred->ticks;
    m_deferred.push_back({due, client, std::move(*reply.deferred)});
    reply.deferred.reset();
}

void SessionLines::resume(std::size_t client) {
    for (std::size_t i = 0; i < m_deferred.size();) {
        if (m_deferred[i].client != client
            || m_deferred[i].due > m_session.simulationOf(client).world().tickCount()) {
            ++i;
            continue;
        }
        ConsoleScript script = std::move(m_deferred[i].script);
        m_deferred.erase(m_deferred.begin() + static_cast<std::ptrdiff_t>(i));
        const Target target(*this, client);
        ConsoleReply reply = m_session.console().resume(std::move(script));
        takeReply(reply, client);
    }
}

bool SessionLines::waiting() const {
    return std::any_of(m_deferred.begin(), m_deferred.end(),
                       [](const Deferred& each) { return each.client == 0; });
}

std::size_t SessionLines::drop() {
    std::size_t dropped = 0;
    for (const Deferred& each : m_deferred)
        dropped += each.script.entries.size();
    m_deferred.clear();
    return dropped;
}

void SessionLines::dropOfClients() {
    std::erase_if(m_deferred, [](const Deferred& each) { return each.client > 0; });
}

Simulation& SessionLines::target() const { return m_session.simulationOf(m_client); }

std::uint64_t SessionLines::targetRun() const {
    constexpr unsigned RunBits = 48; // for the run numbers of one world; above them stands which world it is
    return target().run() + (std::uint64_t{m_client} << RunBits);
}

LocalClients* SessionLines::targetClients() const { return m_client == 0 ? m_session.clients() : nullptr; }

} // namespace sbx
