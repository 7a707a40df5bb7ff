#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/simulation_thread.h"

#include <atomic>
#include <future>

using namespace sbx;

namespace {
// Runs on the simulation thread and waits for it.
void call(Session& session, const std::function<void(Session&)>& what) {
    std::promise<void> done;
    session.post([&](Session& s) {
        what(s);
        done.set_value();
    });
    done.get_future().wait();
}
} // namespace

class TestSimulationThread : public QObject {
    Q_OBJECT
private slots:
    void ticksFollowTheClockWhilePlaying() {
        Log log;
        Session session(log, addConsoleCommands);
        SimulationThread thread(session);
        call(session, [](Session& s) { s.play(); });
        QTRY_VERIFY_WITH_TIMEOUT(session.snapshot()->tick >= 20, 20000);
        call(session, [](Session& s) { s.pause(); });
        QTRY_COMPARE(session.snapshot()->mode, Mode::Pause);
        const std::uint64_t held = session.snapshot()->tick;
        // As long as another takes for ten ticks, and whenever something is posted.
        Session other(log, addConsoleCommands);
        SimulationThread others(other);
        call(other, [](Session& s) { s.play(); });
        for (std::uint64_t tick = 1; tick <= 10; ++tick) {
            QTRY_VERIFY_WITH_TIMEOUT(other.snapshot()->tick >= tick, 20000);
            call(session, [](Session&) {});
        }
        QCOMPARE(session.snapshot()->mode, Mode::Pause);
        QCOMPARE(session.snapshot()->tick, held);
        call(session, [](Session& s) { s.stop(); });
        QTRY_COMPARE(session.snapshot()->tick, std::uint64_t(0));
    }
    void postsFromManyThreadsAllRunInOrder() {
        Log log;
        Session session(log, addConsoleCommands);
        SimulationThread thread(session);
        std::atomic<int> ran{0};
        std::atomic<bool> ordered{true};
        std::vector<std::thread> senders;
        for (int t = 0; t < 4; ++t)
            senders.emplace_back([&, t] {
                auto last = std::make_shared<int>(-1);
                for (int i = 0; i < 500; ++i)
                    session.post([&, t, last, i](Session& s) {
                        ordered = ordered && *last == i - 1;
                        *last = i;
                        if (i % 100 == t)
                            s.step();
                        ++ran;
                    });
            });
        for (std::thread& sender : senders)
            sender.join();
        QTRY_COMPARE_WITH_TIMEOUT(ran.load(), 2000, 20000);
        QVERIFY(ordered);
        std::uint64_t serial = 0;
        for (int i = 0; i < 100; ++i) {
            const auto frame = session.snapshot();
            QVERIFY(frame->serial >= serial);
            serial = frame->serial;
        }
    }
    void stopsCleanlyWhilePlaying() {
        Log log;
        Session session(log, addConsoleCommands);
        {
            SimulationThread thread(session);
            session.post([](Session& s) { s.play(); });
        }
        QVERIFY(session.mode() == Mode::Play);
    }
};

QTEST_GUILESS_MAIN(TestSimulationThread)
#include "tst_simulation_thread.moc"
