// A session's console lines: which world they act on, what happens with their replies, and the parts that wait.

#include "engine/session/local_clients.h"
#include "engine/session/session.h"

#include <algorithm>

namespace sbx {

// While it exists, console lines act on the world of that client (1 the first), with its CVars, and log under its name; 0: on the
// main world.
class Session::LineTarget {
public:
    LineTarget(Session& session, std::size_t client)
        : m_session(session), m_before(std::exchange(session.m_lineClient, client)) {
        if (client > 0)
            m_redirection.emplace(session.m_console, session.m_clients->cvars(client - 1).registry(),
                                  clientName(client));
    }
    ~LineTarget() { m_session.m_lineClient = m_before; }
    LineTarget(const LineTarget&) = delete;
    LineTarget& operator=(const LineTarget&) = delete;

private:
    Session& m_session;
    std::size_t m_before;
    std::optional<ConsoleRedirection> m_redirection;
};

std::string Session::clientName(std::size_t client) { return "client" + std::to_string(client); }

ConsoleReply Session::execute(std::string_view line, CVarSource source, WriteReach reach) {
    ConsoleReply reply = m_console.execute(line, source, reach);
    takeReply(reply, 0);
    return reply;
}

ConsoleReply Session::execFile(const std::string& path, CVarSource source) {
    ConsoleReply reply = m_console.execFile(path, source);
    takeReply(reply, 0);
    return reply;
}

ConsoleReply Session::executeAs(std::size_t client, std::string_view line, WriteReach reach) {
    SBX_EXPECT(client == 0 || (m_clients && client <= m_clients->count()), "lines run in worlds that exist");
    const LineTarget target(*this, client);
    ConsoleReply reply = m_console.execute(line, CVarSource::Console, reach);
    takeReply(reply, client);
    return reply;
}

void Session::takeReply(ConsoleReply& reply, std::size_t client) {
    if (!reply.ok)
        ++m_failedLines;
    if (m_replyHandler) {
        ConsoleReply shown;
        shown.ok = reply.ok;
        if (client > 0)
            for (const std::string& line : reply.lines)
                shown.lines.push_back(clientName(client) + ": " + line);
        m_replyHandler(client > 0 ? shown : reply);
    }
    if (!reply.deferred)
        return;
    if (const std::size_t waiting = reply.deferred->entries.size(); waiting > 0 && m_mode == Mode::Edit)
        m_log.info("console", std::to_string(waiting)
                                  + (waiting == 1 ? " statement waits" : " statements wait")
                                  + " for the next Play");
    const std::uint64_t due = simulationOf(client).world().tickCount() + reply.deferred->ticks;
    m_deferred.push_back({due, client, std::move(*reply.deferred)});
    reply.deferred.reset();
}

void Session::resumeDeferred(std::size_t client) {
    for (std::size_t i = 0; i < m_deferred.size();) {
        if (m_deferred[i].client != client || m_deferred[i].due > simulationOf(client).world().tickCount()) {
            ++i;
            continue;
        }
        ConsoleScript script = std::move(m_deferred[i].script);
        m_deferred.erase(m_deferred.begin() + static_cast<std::ptrdiff_t>(i));
        const LineTarget target(*this, client);
        ConsoleReply reply = m_console.resume(std::move(script));
        takeReply(reply, client);
    }
}

void Session::select(std::vector<std::string> names) {
    m_selected = std::move(names);
    if (m_selectionHandler)
        m_selectionHandler(m_selected);
}

bool Session::hasDeferred() const {
    return std::any_of(m_deferred.begin(), m_deferred.end(),
                       [](const Deferred& each) { return each.client == 0; });
}

std::uint64_t Session::targetRun() {
    constexpr unsigned RunBits = 48; // for the run numbers of one world; above them stands which world it is
    return target().run() + (std::uint64_t{m_lineClient} << RunBits);
}

} // namespace sbx
