#pragma once
// What fuzz targets share: bytes as text, and a promise whose breach stops the run and keeps the input.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace sbx::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
    return size == 0 ? std::string_view() : std::string_view(reinterpret_cast<const char*>(data), size);
}

[[noreturn]] inline void broken(const char* promise, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: broken: %s\n", file, line, promise);
    std::abort();
}

} // namespace sbx::fuzz

#define SBX_FUZZ_MUST(promise) ((promise) ? static_cast<void>(0) : sbx::fuzz::broken(#promise, __FILE__, __LINE__))
