#pragma once
// Waiting without a clock: a test that wants something done by the event loop, or wants to see that nothing is, waits for turns of the
// loop or for the timers that would do it. Times are upper bounds alone, which matter when a test fails.

#include <QCoreApplication>
#include <QEventLoop>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <memory>
#include <vector>

namespace sbx::test {

// Turns of the event loop: in each, events posted before it and timers without a time started before it have had their turn.
inline void turn(int times = 1) {
    for (int i = 0; i < times; ++i) {
        bool over = false;
        QTimer::singleShot(0, qApp, [&over] { over = true; });
        while (!over)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

// Whether a timer of `root` or below it is about to fire once: something that was put off is still to come.
[[nodiscard]] inline bool isPending(const QObject& root) {
    for (const QTimer* timer : root.findChildren<QTimer*>())
        if (timer->isSingleShot() && timer->isActive())
            return true;
    return false;
}

// Until every timer of `root` and below it that runs now has fired or been stopped, and what came of it has been handled and painted.
// Timers of more than a fifth of a second are left out: they look at what changes slowly, or end what is to be seen for a while.
[[nodiscard]] inline bool catchesUp(const QObject& root, int patienceMs = 30'000) {
    struct Awaited {
        QPointer<QTimer> timer;
        std::unique_ptr<QSignalSpy> fired;
    };
    turn();
    std::vector<Awaited> awaited;
    for (QTimer* timer : root.findChildren<QTimer*>())
        if (timer->isActive() && timer->interval() <= 200)
            awaited.push_back({timer, std::make_unique<QSignalSpy>(timer, &QTimer::timeout)});
    const bool done = QTest::qWaitFor(
        [&awaited] {
            for (const Awaited& one : awaited)
                if (one.timer && one.timer->isActive() && one.fired->isEmpty())
                    return false;
            return true;
        },
        patienceMs);
    turn(2);
    return done;
}

} // namespace sbx::test
