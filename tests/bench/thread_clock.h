#pragma once
// What this thread has cost so far: milliseconds that the processor spent on it, whatever else the machine does.

#include <ctime>

namespace sbx::bench {

inline double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

} // namespace sbx::bench
