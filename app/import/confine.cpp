#include "app/import/confine.h"

#include <fcntl.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

// gcc and clang each say it in their way.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SBX_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SBX_SANITIZED 1
#endif
#endif

namespace sbx::importing {

namespace {

std::string because(const char* what, int number) { return std::string(what) + ": " + std::strerror(number); }

bool limit(__rlimit_resource resource, rlim_t value) {
    const rlimit wanted{value, value};
    return ::setrlimit(resource, &wanted) == 0;
}

#ifndef SBX_SANITIZED

// Memory, time, what is open already, and the end. Nothing that opens, connects, runs or changes.
constexpr std::array Allowed{
    SCMP_SYS(brk),          SCMP_SYS(mmap),           SCMP_SYS(munmap),       SCMP_SYS(mremap),
    SCMP_SYS(mprotect),     SCMP_SYS(madvise),        SCMP_SYS(read),         SCMP_SYS(readv),
    SCMP_SYS(pread64),      SCMP_SYS(write),          SCMP_SYS(lseek),        SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),   SCMP_SYS(close),          SCMP_SYS(poll),         SCMP_SYS(ppoll),
    SCMP_SYS(sendto),       SCMP_SYS(sendmsg),        SCMP_SYS(recvfrom),     SCMP_SYS(recvmsg),
    SCMP_SYS(futex),        SCMP_SYS(clock_gettime),  SCMP_SYS(gettimeofday), SCMP_SYS(getrusage),
    SCMP_SYS(getrandom),    SCMP_SYS(sysinfo),        SCMP_SYS(getpid),       SCMP_SYS(gettid),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),         SCMP_SYS(exit_group)};

struct Release {
    void operator()(void* filter) const { seccomp_release(filter); }
};

std::string allowFewCalls() {
    const std::unique_ptr<void, Release> filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)));
    if (!filter)
        return "no filter of system calls can be made";
    for (const int call : Allowed)
        if (const int fault = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0); fault != 0)
            return because("the filter of system calls takes no rule", -fault);
    // Those that could reach other processes, for this one alone: its limits, and abort().
    const auto self = static_cast<scmp_datum_t>(::getpid());
    int refused =
        seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_EQ, 0));
    if (refused == 0)
        refused =
            seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, self));
    if (refused != 0)
        return because("the filter of system calls takes no rule", -refused);
    if (const int fault = seccomp_load(filter.get()); fault != 0)
        return because("the filter of system calls is not in force", -fault);
    return {};
}

// When memory runs out, this process goes first.
void volunteer() {
    const int file = ::open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    if (file < 0)
        return;
    const char most[] = "1000";
    [[maybe_unused]] const ssize_t ignored = ::write(file, most, sizeof most - 1);
    ::close(file);
}

#endif

} // namespace

std::string confine(const Limits& limits, int last) {
    ::syscall(SYS_close_range, static_cast<unsigned>(last) + 1U, ~0U, 0U);
#ifndef SBX_SANITIZED
    volunteer();
#endif
    bool done = limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 64);
    ::prctl(PR_SET_DUMPABLE, 0);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#ifndef SBX_SANITIZED
    done = done && limit(RLIMIT_AS, limits.memory) && limit(RLIMIT_NPROC, 0);
#endif
    extendTime(limits.processorTime);
    if (!done)
        return because("its limits cannot be set", errno);
#ifndef SBX_SANITIZED
    return allowFewCalls();
#else
    return {};
#endif
}

void extendTime(std::uint64_t seconds) {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto until = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + seconds;
    const rlimit wanted{until, RLIM_INFINITY};
    ::setrlimit(RLIMIT_CPU, &wanted);
}

} // namespace sbx::importing
