#pragma once
// Counts every allocation of the program, and its bytes: include in one file of a test. Every form of new is replaced, so that a sanitizer
// sees each block leave by the door it came in by.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

inline std::atomic<std::size_t> Allocations = 0;
inline std::atomic<std::size_t> AllocatedBytes = 0;

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++Allocations;
    AllocatedBytes += size;
    return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
    if (void* const memory = ::operator new(size, std::nothrow))
        return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    ++Allocations;
    AllocatedBytes += size;
    const auto to = static_cast<std::size_t>(alignment);
    return std::aligned_alloc(to, (size + to - 1) / to * to);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    if (void* const memory = ::operator new(size, alignment, std::nothrow))
        return memory;
    throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return ::operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return ::operator new(size, std::nothrow); }

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
