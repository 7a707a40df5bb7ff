#pragma once
// A hash table by name that can be searched with a string_view: no std::string is made for a lookup.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sbx {

struct TextHash {
    using is_transparent = void;
    [[nodiscard]] std::size_t operator()(std::string_view text) const {
        return std::hash<std::string_view>()(text);
    }
};

template <typename T> using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

} // namespace sbx
