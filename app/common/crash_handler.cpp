#include "app/common/crash_handler.h"

#include "app/common/crash_record.h"
#include "engine/entity/under_way_report.h"

#include <execinfo.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

namespace sbx::app {

namespace {

constexpr int Signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
constexpr int MaxFrames = 64;
constexpr off_t LogEnd = 32 * 1024;    // bytes of the log that a record takes along
constexpr unsigned Patience = 10;      // seconds: a handler that hangs is no better than no handler

// All that the handler looks at: written before, by one thread.
char g_record[1024];
char g_program[128];
char g_project[1024];
char g_logPath[1024];
std::atomic<int> g_log = -1;
long g_zone = 0; // seconds east of Greenwich
std::atomic<int> g_crashed = 0;
static_assert(std::atomic<int>::is_always_lock_free);

template <std::size_t Size> void keep(char (&to)[Size], const std::string& text) {
    const std::size_t length = std::min(text.size(), Size - 1);
    std::memcpy(to, text.data(), length);
    to[length] = '\0';
}

// What is put together without memory from anywhere. What does not fit is left out.
class Line {
public:
    Line& operator<<(const char* text) {
        while (*text != '\0' && m_size < sizeof m_text)
            m_text[m_size++] = *text++;
        return *this;
    }
    Line& number(unsigned long long value, unsigned base = 10, int width = 1) {
        char digits[24];
        int count = 0;
        do {
            digits[count++] = "0123456789abcdef"[value % base];
            value /= base;
        } while (value != 0);
        while (count < width)
            digits[count++] = '0';
        while (count > 0 && m_size < sizeof m_text)
            m_text[m_size++] = digits[--count];
        return *this;
    }
    void to(int file) const {
        for (std::size_t at = 0; file >= 0 && at < m_size;) {
            const ssize_t written = ::write(file, m_text + at, m_size - at);
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                return;
            at += static_cast<std::size_t>(written);
        }
    }

private:
    char m_text[2048];
    std::size_t m_size = 0;
};

const char* nameOf(int signal) {
    switch (signal) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGABRT:
        return "SIGABRT";
    case SIGBUS:
        return "SIGBUS";
    case SIGFPE:
        return "SIGFPE";
    case SIGILL:
        return "SIGILL";
    default:
        return "a signal";
    }
}

// As the log writes it: localtime() may wait for a lock.
void stamp(Line& line) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const long long local = now.tv_sec + g_zone;
    const long long days = local / 86400;
    const auto second = static_cast<unsigned long long>(local % 86400);
    // Days since 1970 to a date, by eras of 400 years that begin in March.
    const long long z = days + 719468;
    const auto dayOfEra = static_cast<unsigned long long>(z % 146097);
    const unsigned long long yearOfEra =
        (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
    const unsigned long long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    const unsigned long long month = (5 * dayOfYear + 2) / 153;
    const unsigned long long civil = month < 10 ? month + 3 : month - 9;
    line.number(yearOfEra + static_cast<unsigned long long>(z / 146097) * 400 + (civil <= 2 ? 1 : 0), 10, 4) << "-";
    line.number(civil, 10, 2) << "-";
    line.number(dayOfYear - (153 * month + 2) / 5 + 1, 10, 2) << " ";
    line.number(second / 3600, 10, 2) << ":";
    line.number(second / 60 % 60, 10, 2) << ":";
    line.number(second % 60, 10, 2) << ".";
    line.number(static_cast<unsigned long long>(now.tv_nsec) / 1000000, 10, 3);
}

void copyLogEnd(int record, int log) {
    struct stat info {};
    if (log < 0 || ::fstat(log, &info) != 0)
        return;
    off_t at = info.st_size > LogEnd ? info.st_size - LogEnd : 0;
    char piece[4096];
    bool whole = at == 0; // the first line is
    while (at < info.st_size) {
        const ssize_t got = ::pread(log, piece, sizeof piece, at);
        if (got <= 0)
            return;
        at += got;
        const char* from = piece;
        if (!whole) {
            const void* const end = std::memchr(piece, '\n', static_cast<std::size_t>(got));
            if (end == nullptr)
                continue;
            from = static_cast<const char*>(end) + 1;
            whole = true;
        }
        if (::write(record, from, static_cast<std::size_t>(piece + got - from)) < 0)
            return;
    }
}

// The folders of the record, created only when one is written.
void makeFolders() {
    char path[sizeof g_record];
    std::memcpy(path, g_record, sizeof path);
    for (char* at = path + 1; *at != '\0'; ++at)
        if (*at == '/') {
            *at = '\0';
            ::mkdir(path, 0700);
            *at = '/';
        }
}

void giveUp(int) { ::_exit(128 + g_crashed.load()); }

void tell(int signal, const siginfo_t& info) {
    void* frames[MaxFrames];
    char thread[17] = {};
    ::prctl(PR_GET_NAME, thread);
    makeFolders();
    const int record = ::open(g_record, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const int log = g_log.load();
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const bool sent = info.si_code <= 0 && info.si_pid != ::getpid();

    Line head;
    head << CrashRecord::FirstLine << "\nprogram: " << g_program << "\ntime: ";
    head.number(static_cast<unsigned long long>(now.tv_sec)) << "\nsignal: " << nameOf(signal) << "\n";
    if (sent) {
        head << "sent by process: ";
        head.number(static_cast<unsigned long long>(info.si_pid)) << "\n";
    } else if (signal != SIGABRT) {
        head << "address: 0x";
        head.number(reinterpret_cast<unsigned long long>(info.si_addr), 16) << "\n";
    }
    head << "thread: " << thread << "\nproject: " << g_project << "\nlog: " << g_logPath << "\n";
    head.to(record);

    Line said;
    stamp(said);
    said << " error   [crash] " << nameOf(signal) << " in the thread " << thread;
    // A signal from outside interrupts whatever the thread does: nothing of that is to blame.
    const UnderWayReport underWay = sent ? UnderWayReport() : describeUnderWay();
    if (underWay.any) {
        Line what;
        what << "component: " << underWay.component << "\nentity: " << underWay.entity << "\nmessage: "
             << underWay.message << "\nplugin: " << underWay.plugin << "\n";
        what.to(record);
        said << ": " << underWay.component;
        if (underWay.entity[0] != '\0')
            said << " of " << underWay.entity;
        said << (underWay.message[0] != '\0' ? " handled " : " was being made") << underWay.message;
        if (underWay.plugin[0] != '\0')
            said << ", plugin " << underWay.plugin;
    }
    if (sent) {
        said << ", sent by process ";
        said.number(static_cast<unsigned long long>(info.si_pid));
    }
    said << (record >= 0 ? "; see " : "; no record: cannot write ") << g_record << "\n";
    said.to(log);
    said.to(STDERR_FILENO);

    const int count = ::backtrace(frames, MaxFrames);
    (Line() << "backtrace:\n").to(record);
    ::backtrace_symbols_fd(frames, count, record);
    if (log >= 0)
        ::backtrace_symbols_fd(frames, count, log);
    if (record >= 0) {
        (Line() << "end of the log:\n").to(record);
        copyLogEnd(record, log);
        ::fsync(record);
    }
}

void crashed(int signal, siginfo_t* info, void*) {
    int none = 0;
    if (!g_crashed.compare_exchange_strong(none, signal)) {
        // Another thread is about to end the process.
        while (true)
            ::pause();
    }
    ::signal(SIGALRM, giveUp);
    ::alarm(Patience);
    tell(signal, *info);
    ::alarm(0);
    ::signal(signal, SIG_DFL);
    // A fault comes again by itself, as it would have been; what was sent is sent again, for when this returns.
    if (info->si_code <= 0 || signal == SIGABRT)
        ::raise(signal);
}

} // namespace

CrashHandler::CrashHandler(const std::string& folder, const std::string& program)
    : m_record(CrashRecord::newPath(folder, program)) {
    keep(g_record, m_record);
    keep(g_program, program);
    keep(g_project, {});
    keep(g_logPath, {});
    g_crashed = 0;
    const std::time_t now = std::time(nullptr);
    tm local{};
    if (::localtime_r(&now, &local) != nullptr)
        g_zone = local.tm_gmtoff;
    // Loads what it needs now, while there is memory.
    void* frame = nullptr;
    (void)::backtrace(&frame, 1);
    for (const int signal : Signals) {
        struct sigaction action {};
        if (::sigaction(signal, nullptr, &action) != 0 || (action.sa_flags & SA_SIGINFO) != 0
            || action.sa_handler != SIG_DFL)
            continue;
        action = {};
        action.sa_sigaction = crashed;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        ::sigfillset(&action.sa_mask);
        ::sigdelset(&action.sa_mask, SIGALRM);
        ::sigaction(signal, &action, nullptr);
    }
}

CrashHandler::~CrashHandler() {
    for (const int signal : Signals) {
        struct sigaction action {};
        if (::sigaction(signal, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) != 0
            && action.sa_sigaction == crashed)
            ::signal(signal, SIG_DFL);
    }
    setLog({});
}

void CrashHandler::setLog(const std::string& path) {
    keep(g_logPath, path);
    const int file = path.empty() ? -1 : ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
    if (const int before = g_log.exchange(file); before >= 0)
        ::close(before);
}

void CrashHandler::setProject(const std::string& path) { keep(g_project, path); }

} // namespace sbx::app
