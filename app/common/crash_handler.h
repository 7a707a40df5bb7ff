#pragma once
// What a program that crashes still says (SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL): signal, thread, what was under way and where, as
// lines of the log and as a record of its own, which ends with the last lines of the log. Then the process dies as it would have without.
//
//   signal --> record in the folder, lines in the log, one on standard error --> default action
//
// One at a time: signals belong to the process. Construct it before threads start; setLog() and setProject() on one thread. What
// handles these signals already (a sanitizer) goes on doing so. In the handler nothing is called that may not be there.

#include "engine/core/alternate_stack.h"

#include <string>

namespace sbx::app {

class CrashHandler {
public:
    // `folder`: of the records, made when there is one. `program`: as in "signalbox 0.1".
    CrashHandler(const std::string& folder, const std::string& program);
    ~CrashHandler();
    CrashHandler(const CrashHandler&) = delete;
    CrashHandler& operator=(const CrashHandler&) = delete;

    // Where the log is written; empty: nowhere. To be called again when that changes.
    void setLog(const std::string& path);
    // What is open, for the record.
    void setProject(const std::string& path);
    // Where the record would be.
    [[nodiscard]] const std::string& recordPath() const { return m_record; }

private:
    std::string m_record;
    AlternateStack m_stack; // of the main thread
};

} // namespace sbx::app
