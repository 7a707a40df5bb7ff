#pragma once
// A disk with room for so many bytes of each file: the system's own limit of this process, which needs no rights.

#include <sys/resource.h>

#include <csignal>

namespace sbx::test {

class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes) {
        m_handler = ::signal(SIGXFSZ, SIG_IGN); // an error of the write instead
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit small{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallDisk() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        ::signal(SIGXFSZ, m_handler);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int);
};

} // namespace sbx::test
