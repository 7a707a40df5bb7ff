#pragma once
// A disk on which any step may fail: the functions of the C library that writers use are replaced, counted, and fail when it is their turn.
// Only regular files are concerned. It defines write(), pwrite(), fsync(), close() and rename(), so one source of an executable may include it.

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mutex>

namespace sbx::test {

enum class Step { Write, HalfWrite, Sync, Close, Rename, None };

struct FailingDisk {
    std::mutex mutex;
    Step fails = Step::None;
    int after = 0; // calls of that kind that succeed first
    int code = 0;
    bool done = false;   // it has failed
    bool goesOn = false; // and each later call of that kind fails too, as on a full disk

    void plan(Step step, int succeeding, int number, bool forGood = false) {
        const std::scoped_lock lock(mutex);
        fails = step;
        after = succeeding;
        code = number;
        done = false;
        goesOn = forGood;
    }
    void repair() {
        const std::scoped_lock lock(mutex);
        fails = Step::None;
        done = false;
    }
    [[nodiscard]] bool hasFailed() {
        const std::scoped_lock lock(mutex);
        return done;
    }

    // Whether this call is the one.
    bool turn(Step step, int file) {
        struct stat status {};
        if (step != Step::Rename && (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)))
            if (step != Step::Sync || !S_ISDIR(status.st_mode))
                return false;
        const std::scoped_lock lock(mutex);
        if (fails != step || (done && !goesOn) || after-- > 0)
            return false;
        after = 0;
        done = true;
        errno = code;
        return true;
    }
    // Half of this write goes through, and the next one fails.
    bool halves(std::size_t size, int file) {
        if (size < 2 || !turn(Step::HalfWrite, file))
            return false;
        const std::scoped_lock lock(mutex);
        fails = Step::Write;
        done = false;
        return true;
    }
};

inline FailingDisk& failingDisk() {
    static FailingDisk disk;
    return disk;
}

} // namespace sbx::test

// What does not fail goes to the kernel.
extern "C" ssize_t write(int file, const void* bytes, size_t size) {
    if (sbx::test::failingDisk().turn(sbx::test::Step::Write, file))
        return -1;
    if (sbx::test::failingDisk().halves(size, file))
        size /= 2;
    return ::syscall(SYS_write, file, bytes, size);
}
extern "C" ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
    if (sbx::test::failingDisk().turn(sbx::test::Step::Write, file))
        return -1;
    if (sbx::test::failingDisk().halves(size, file))
        size /= 2;
    return ::syscall(SYS_pwrite64, file, bytes, size, offset);
}
extern "C" int fsync(int file) {
    return sbx::test::failingDisk().turn(sbx::test::Step::Sync, file) ? -1 : static_cast<int>(::syscall(SYS_fsync, file));
}
extern "C" int close(int file) {
    const bool fails = sbx::test::failingDisk().turn(sbx::test::Step::Close, file);
    const int code = errno;
    const int closed = static_cast<int>(::syscall(SYS_close, file)); // as Linux does: closed all the same
    if (!fails)
        return closed;
    errno = code;
    return -1;
}
extern "C" int rename(const char* from, const char* to) noexcept {
    return sbx::test::failingDisk().turn(sbx::test::Step::Rename, -1) ? -1
                                                                     : static_cast<int>(::syscall(SYS_rename, from, to));
}
