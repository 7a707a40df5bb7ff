#include "engine/core/printable.h"

#include "engine/core/utf8.h"

#include <cstdio>

namespace sbx {

namespace {

struct Decoded {
    char32_t code = 0;
    std::size_t size = 0; // bytes; 0: not UTF-8
};

// The first character of `text`, which is not empty.
Decoded firstCharacter(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80)
        return {lead, 1};
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (text.size() < size || firstBadByte(text.substr(0, size)) != std::string_view::npos)
        return {};
    char32_t code = lead & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i)
        code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    return {code, size};
}

// Beyond ASCII: C1 controls, bidirectional controls and marks, line and paragraph separators, deprecated format characters, tags.
bool isHidden(char32_t code) {
    return (code >= 0x80 && code <= 0x9F) || code == 0x061C || code == 0x200E || code == 0x200F
           || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x206F)
           || (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE007F);
}

void appendNumber(std::string& out, const char* format, unsigned number) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, format, number);
    out += buffer;
}

std::string withoutControls(std::string_view text, bool oneLine) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Decoded next = firstCharacter(text);
        if (next.size == 0) {
            appendNumber(out, "\\x%02x", static_cast<unsigned char>(text.front()));
            text.remove_prefix(1);
            continue;
        }
        if (next.code == U'\n' || next.code == U'\t') {
            if (oneLine)
                out += next.code == U'\n' ? "\\n" : "\\t";
            else
                out += text.front();
        } else if (next.code < 0x20) {
            appendNumber(out, "\\x%02x", static_cast<unsigned>(next.code));
        } else if (next.code > 0xFFFF && isHidden(next.code)) {
            // Two halves, as JSON writes what lies above U+FFFF.
            const auto above = static_cast<unsigned>(next.code - 0x10000);
            appendNumber(out, "\\u%04x", 0xD800U + (above >> 10U));
            appendNumber(out, "\\u%04x", 0xDC00U + (above & 0x3FFU));
        } else if (next.code == 0x7F || isHidden(next.code)) {
            appendNumber(out, "\\u%04x", static_cast<unsigned>(next.code));
        } else {
            out += text.substr(0, next.size);
        }
        text.remove_prefix(next.size);
    }
    return out;
}

} // namespace

std::string printable(std::string_view text) { return withoutControls(text, false); }

std::string printableLine(std::string_view text) { return withoutControls(text, true); }

bool isPrintable(std::string_view text) {
    // Most text is ASCII: no copy of it is made.
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x7F || (byte < 0x20 && c != '\n' && c != '\t'))
            return printable(text) == text;
    }
    return true;
}

} // namespace sbx
