#include "engine/session/simulation_thread.h"

#include "engine/core/alternate_stack.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>

namespace sbx {

SimulationThread::SimulationThread(Session& session) : m_session(session) {
    m_session.handlers().wakeUp = [this] {
        {
            const std::lock_guard lock(m_mutex);
            m_pending = true;
        }
        m_wake.notify_one();
    };
    // While a tick stands at a breakpoint its thread is alive and well.
    m_session.stops().setPulse([this] {
        nextTurn();
        nextTurn();
    });
    m_thread = std::thread([this] {
        ::pthread_setname_np(::pthread_self(), "simulation"); // as a record of a crash names it
        const AlternateStack stack;
        loop();
        // Notified with the lock held: the thread that waits may destroy this.
        const std::lock_guard lock(m_mutex);
        m_over = true;
        m_ended.notify_all();
    });
}

SimulationThread::~SimulationThread() { stop(); }

void SimulationThread::stop() {
    if (!m_thread.joinable())
        return;
    askToEnd();
    m_thread.join();
    m_session.handlers().wakeUp = nullptr;
    m_session.stops().setPulse(nullptr);
}

bool SimulationThread::stopWithin(std::chrono::milliseconds limit) {
    if (!m_thread.joinable())
        return true;
    askToEnd();
    {
        std::unique_lock lock(m_mutex);
        if (!m_ended.wait_for(lock, limit, [this] { return m_over; }))
            return false;
    }
    stop();
    return true;
}

void SimulationThread::askToEnd() {
    m_session.stops().setInteractive(false);
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
    }
    m_wake.notify_one();
}

void SimulationThread::interrupt(int signal) {
    if (m_thread.joinable())
        ::pthread_kill(m_thread.native_handle(), signal);
}

void SimulationThread::loop() {
    using Clock = std::chrono::steady_clock;
    // After a stall the clock is given up rather than caught up: at most this many ticks in a row.
    constexpr int MaxAtOnce = 5;
    Clock::time_point due = Clock::now();
    bool wasRunning = false;
    bool idling = false; // nothing ticks, but a sound plays, or other programs are connected
    while (true) {
        bool quit = false;
        {
            std::unique_lock lock(m_mutex);
            const auto ready = [this] { return m_pending || m_quit; };
            if (wasRunning || idling)
                m_wake.wait_until(lock, due, ready);
            else
                m_wake.wait(lock, ready);
            m_pending = false;
            quit = m_quit;
        }
        nextTurn();
        bool changed = m_session.runPosted();
        if (m_session.running()) {
            if (!wasRunning)
                due = Clock::now();
            const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                1.0 / (m_session.tickRate() * std::max(0.1, m_session.timeScale()))));
            int ticks = 0;
            while (m_session.running() && Clock::now() >= due && ticks < MaxAtOnce) {
                m_session.tick();
                m_session.publish();
                nextTurn();
                nextTurn(); // still at work
                due += period;
                ++ticks;
            }
            if (Clock::now() > due)
                due = Clock::now();
            changed = changed && ticks == 0;
            idling = false;
        } else if (!idling || Clock::now() >= due) {
            idling = m_session.idleTurn();
            const auto period =
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / m_session.tickRate()));
            due = std::max(due + period, Clock::now());
        }
        wasRunning = m_session.running();
        if (changed)
            m_session.publish();
        nextTurn();
        if (quit)
            return;
    }
}

} // namespace sbx
