#pragma once
// Counts every allocation of the program: include in one file of a test.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

inline std::atomic<std::size_t> Allocations = 0;

void* operator new(std::size_t size) {
    ++Allocations;
    if (void* const memory = std::malloc(size))
        return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    ++Allocations;
    const auto to = static_cast<std::size_t>(alignment);
    if (void* const memory = std::aligned_alloc(to, (size + to - 1) / to * to))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
