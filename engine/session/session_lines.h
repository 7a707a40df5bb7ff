#pragma once
// The console lines of a session: in which world each runs, what becomes of its reply, and the statements that wait for a later tick.
//
// Data flow: execute(), executeAs() and execFile() run a line and hand its reply to the session's `reply` handler; what follows a `wait`
// is kept here and resumed after the tick that it waits for. Thread: the session's. Ownership: a Session has one.

#include "engine/core/console.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace sbx {

class LocalClients;
class Session;
class Simulation;

class SessionLines {
public:
    // The session, which owns this.
    explicit SessionLines(Session& session) : m_session(session) {}
    SessionLines(const SessionLines&) = delete;
    SessionLines& operator=(const SessionLines&) = delete;

    // In the main world.
    ConsoleReply execute(std::string_view line, CVarSource source = CVarSource::Console,
                         WriteReach reach = WriteReach::Anywhere);
    // In the world of a client (1 the first) of this session, with the CVars of that world; 0: the main one.
    ConsoleReply executeAs(std::size_t client, std::string_view line, WriteReach reach = WriteReach::Anywhere);
    // A file that the user named, on the command line or by having it in the settings folder.
    ConsoleReply execFile(const std::string& path, CVarSource source = CVarSource::Console);

    // --- While a line runs: what commands act on
    // Whose world: 0 the main one, 1 the first client's.
    [[nodiscard]] std::size_t client() const { return m_client; }
    // The simulation of that world.
    [[nodiscard]] Simulation& target() const;
    // Its run, as a number that no two worlds of this session have in common.
    [[nodiscard]] std::uint64_t targetRun() const;
    // Its clients; null: it is not the server of any.
    [[nodiscard]] LocalClients* targetClients() const;

    // --- Statements that wait
    // Lines for the main world are waiting.
    [[nodiscard]] bool waiting() const;
    // Runs what is due in that world, after a tick of it.
    void resume(std::size_t client);
    // Forgets all that wait; returns how many statements those were.
    std::size_t drop();
    // The same for the lines for clients' worlds.
    void dropOfClients();

    // --- Failures
    // An `expect` line failed.
    void countFailedExpectation() { ++m_failedExpectations; }
    [[nodiscard]] std::uint64_t failedExpectations() const { return m_failedExpectations; }
    // How many lines failed for any reason, those included.
    [[nodiscard]] std::uint64_t failed() const { return m_failed; }

private:
    class Target;
    struct Deferred {
        std::uint64_t due = 0;  // tick of the world that the script is for
        std::size_t client = 0; // 1: the first client's world
        ConsoleScript script;
    };
    // Counts failures, passes the reply on and keeps the part that waits.
    void takeReply(ConsoleReply& reply, std::size_t client);

    Session& m_session;
    std::size_t m_client = 0; // whose world the line under way acts on; 1: the first client's
    std::deque<Deferred> m_deferred;
    std::uint64_t m_failedExpectations = 0;
    std::uint64_t m_failed = 0;
};

} // namespace sbx
