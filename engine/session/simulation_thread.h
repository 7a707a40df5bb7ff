#pragma once
// Runs a session against the clock on a thread of its own, for the editor and a player with a window. A stalled window never
// stalls it, and the reverse: they meet only in Session::post(), Session::snapshot() and record readers.

#include "engine/session/session.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <thread>

namespace sbx {

class SimulationThread {
public:
    // The session belongs to the thread from now until stop() or destruction.
    explicit SimulationThread(Session& session);
    ~SimulationThread();
    SimulationThread(const SimulationThread&) = delete;
    SimulationThread& operator=(const SimulationThread&) = delete;

    // Joins; what was posted before runs first.
    void stop();
    // The same, if it can be done by then. False: the thread is still in what it does, the session is its own, and stop() and
    // destruction would wait for it.
    [[nodiscard]] bool stopWithin(std::chrono::milliseconds limit);

    // --- From any thread, to see whether it comes along
    // Odd while it ticks or runs what was posted; another number each time.
    [[nodiscard]] std::uint64_t turn() const { return m_turn.load(std::memory_order_relaxed); }
    // A signal for this thread, whose handler then runs on it.
    void interrupt(int signal);

private:
    void loop();
    void askToEnd();
    void nextTurn() { m_turn.store(m_turn.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

    Session& m_session;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_pending = false;
    bool m_quit = false;
    bool m_over = false; // the loop has returned
    std::condition_variable m_ended;
    std::atomic<std::uint64_t> m_turn = 0;
    std::thread m_thread;
};

} // namespace sbx
