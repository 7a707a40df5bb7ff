#include "engine/session/simulation_thread.h"

#include <algorithm>

namespace sbx {

SimulationThread::SimulationThread(Session& session) : m_session(session) {
    m_session.setWakeUp([this] {
        {
            const std::lock_guard lock(m_mutex);
            m_pending = true;
        }
        m_wake.notify_one();
    });
    m_thread = std::thread([this] { loop(); });
}

SimulationThread::~SimulationThread() { stop(); }

void SimulationThread::stop() {
    if (!m_thread.joinable())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
    }
    m_wake.notify_one();
    m_thread.join();
    m_session.setWakeUp({});
}

void SimulationThread::loop() {
    using Clock = std::chrono::steady_clock;
    // After a stall the clock is given up rather than caught up: at most this many ticks in a row.
    constexpr int MostAtOnce = 5;
    Clock::time_point due = Clock::now();
    bool wasRunning = false;
    bool sounding = false; // nothing ticks, but something is heard
    while (true) {
        bool quit = false;
        {
            std::unique_lock lock(m_mutex);
            const auto ready = [this] { return m_pending || m_quit; };
            if (wasRunning || sounding)
                m_wake.wait_until(lock, due, ready);
            else
                m_wake.wait(lock, ready);
            m_pending = false;
            quit = m_quit;
        }
        bool changed = m_session.runPosted();
        if (m_session.running()) {
            if (!wasRunning)
                due = Clock::now();
            const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                1.0 / (m_session.tickRate() * std::max(0.1, m_session.timeScale()))));
            int ticks = 0;
            while (m_session.running() && Clock::now() >= due && ticks < MostAtOnce) {
                m_session.tick();
                m_session.publish();
                due += period;
                ++ticks;
            }
            if (Clock::now() > due)
                due = Clock::now();
            changed = changed && ticks == 0;
            sounding = false;
        } else if (!sounding || Clock::now() >= due) {
            sounding = m_session.soundTurn();
            const auto period =
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / m_session.tickRate()));
            due = std::max(due + period, Clock::now());
        }
        wasRunning = m_session.running();
        if (changed)
            m_session.publish();
        if (quit)
            return;
    }
}

} // namespace sbx
