#pragma once
// Asks another thread which handler it is in, and where: it answers in a signal's handler (SIGURG, which has no other use here), in
// the middle of whatever it does. So what it answers is looked up by the thread that owns it, and needs no lock.
//
// One at a time: signals belong to the process. From one thread.

#include "engine/entity/under_way_report.h"

#include <optional>
#include <string>
#include <vector>

namespace sbx {
class SimulationThread;
}

namespace sbx::app {

class ThreadQuestion {
public:
    ThreadQuestion();
    ~ThreadQuestion();
    ThreadQuestion(const ThreadQuestion&) = delete;
    ThreadQuestion& operator=(const ThreadQuestion&) = delete;

    // The answer comes soon, unless the thread stands still.
    void ask(SimulationThread& thread);
    // To the last question; nothing: not yet, or already taken.
    [[nodiscard]] std::optional<UnderWayReport> answer();
    // Where the thread was then, innermost first, a line each.
    [[nodiscard]] std::vector<std::string> backtrace() const;
};

} // namespace sbx::app
