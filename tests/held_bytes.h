#pragma once
// Counts the bytes that the program holds on its heap: include in one file of a test. As large as the allocator made each block, so
// that what is given back is what was taken.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <malloc.h>

inline std::atomic<std::int64_t> HeldBytes = 0;

namespace sbx::test {

inline void* counted(void* memory) noexcept {
    if (memory != nullptr)
        HeldBytes += static_cast<std::int64_t>(malloc_usable_size(memory));
    return memory;
}
inline void giveBack(void* memory) noexcept {
    if (memory != nullptr)
        HeldBytes -= static_cast<std::int64_t>(malloc_usable_size(memory));
    std::free(memory);
}

} // namespace sbx::test

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return sbx::test::counted(std::malloc(size == 0 ? 1 : size));
}
void* operator new(std::size_t size) {
    if (void* const memory = ::operator new(size, std::nothrow))
        return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    const auto to = static_cast<std::size_t>(alignment);
    return sbx::test::counted(std::aligned_alloc(to, (size + to - 1) / to * to));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    if (void* const memory = ::operator new(size, alignment, std::nothrow))
        return memory;
    throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return ::operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return ::operator new(size, std::nothrow); }

void operator delete(void* memory) noexcept { sbx::test::giveBack(memory); }
void operator delete(void* memory, std::size_t) noexcept { sbx::test::giveBack(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { sbx::test::giveBack(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { sbx::test::giveBack(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { sbx::test::giveBack(memory); }
void operator delete[](void* memory) noexcept { sbx::test::giveBack(memory); }
void operator delete[](void* memory, std::size_t) noexcept { sbx::test::giveBack(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { sbx::test::giveBack(memory); }
