#include "engine/core/names.h"

namespace sbx {

std::string baseNameOf(std::string_view type) {
    constexpr std::size_t Longest = 128;
    const auto isUpper = [](char c) { return c >= 'A' && c <= 'Z'; };
    std::string out;
    for (std::size_t i = 0; i < type.size(); ++i) {
        const char c = type[i];
        // What cannot stand in a name.
        if (static_cast<unsigned char>(c) <= ' ' || c == 0x7F || c == '.' || c == '"' || c == '\'')
            return "entity";
        // A new word begins at a capital after a small letter or digit, or before a small letter: HTTPServer
        // -> http_server.
        const bool after = i > 0 && !isUpper(type[i - 1]) && type[i - 1] != '_' && type[i - 1] != '-';
        const bool before =
            i > 0 && isUpper(type[i - 1]) && i + 1 < type.size() && type[i + 1] >= 'a' && type[i + 1] <= 'z';
        if (isUpper(c) && (after || before))
            out += '_';
        out += isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out.empty() || out.size() > Longest ? "entity" : out;
}

} // namespace sbx
