#pragma once
// What a piece of work costs this thread: time the processor spent on it, whatever else the machine does.

#include <ctime>

namespace sbx::render {

class CpuClock {
public:
    [[nodiscard]] double milliseconds() const { return now() - m_start; }

private:
    [[nodiscard]] static double now() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
    }
    double m_start = now();
};

} // namespace sbx::render
