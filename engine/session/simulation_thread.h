#pragma once
// Runs a session against the clock on a thread of its own, for the editor and a player with a window. A stalled window never
// stalls it, and the reverse: they meet only in Session::post(), Session::snapshot() and record readers.

#include "engine/session/session.h"

#include <condition_variable>
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

private:
    void loop();

    Session& m_session;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_pending = false;
    bool m_quit = false;
    std::thread m_thread;
};

} // namespace sbx
