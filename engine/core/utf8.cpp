#include "engine/core/utf8.h"

namespace sbx {

std::size_t firstBadByte(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned c = byte(i);
        if (c == 0)
            return i;
        if (c < 0x80) {
            ++i;
        } else if (c >= 0xC2 && c <= 0xDF && tail(i + 1)) {
            i += 2;
        } else if (c >= 0xE0 && c <= 0xEF && tail(i + 1) && tail(i + 2) && !(c == 0xE0 && byte(i + 1) < 0xA0)
                   && !(c == 0xED && byte(i + 1) > 0x9F)) {
            i += 3;
        } else if (c >= 0xF0 && c <= 0xF4 && tail(i + 1) && tail(i + 2) && tail(i + 3)
                   && !(c == 0xF0 && byte(i + 1) < 0x90) && !(c == 0xF4 && byte(i + 1) > 0x8F)) {
            i += 4;
        } else {
            return i;
        }
    }
    return std::string_view::npos;
}

std::string_view withoutByteOrderMark(std::string_view text) {
    constexpr std::string_view Mark = "\xEF\xBB\xBF";
    return text.substr(text.starts_with(Mark) ? Mark.size() : 0);
}

} // namespace sbx
