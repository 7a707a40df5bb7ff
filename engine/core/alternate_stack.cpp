#include "engine/core/alternate_stack.h"

#include <csignal>

#include <sys/mman.h>

namespace sbx {

AlternateStack::AlternateStack() {
    stack_t known{};
    if (::sigaltstack(nullptr, &known) != 0 || (known.ss_flags & SS_DISABLE) == 0)
        return;
    void* const memory = ::mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    stack_t own{};
    own.ss_sp = memory;
    own.ss_size = Bytes;
    if (::sigaltstack(&own, nullptr) == 0)
        m_memory = memory;
    else
        ::munmap(memory, Bytes);
}

AlternateStack::~AlternateStack() {
    if (m_memory == nullptr)
        return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
    ::munmap(m_memory, Bytes);
}

} // namespace sbx
