#pragma once
// A stack of its own for the calling thread's signal handlers: they can still run and report when the thread's own stack is exhausted. Of the thread that makes
// it, which also destroys it.

#include <cstddef>

namespace sbx {

class AlternateStack {
public:
    static constexpr std::size_t Bytes = 128 * 1024;

    // Without memory for it: none, handlers run on the thread's own stack. A thread that has one keeps that.
    AlternateStack();
    ~AlternateStack();
    AlternateStack(const AlternateStack&) = delete;
    AlternateStack& operator=(const AlternateStack&) = delete;

private:
    void* m_memory = nullptr;
};

} // namespace sbx
