#include "engine/core/json_writer.h"

#include "engine/core/utf8.h"

#include <cmath>

namespace sbx {

namespace {

// Well-formed UTF-8: inQuotes() escapes what has to be.
std::string wellFormed(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t bad = firstBadByte(text);
        out += text.substr(0, bad);
        if (bad == std::string_view::npos)
            break;
        // firstBadByte() reports NUL too, which JSON can hold.
        out += text[bad] == '\0' ? std::string_view("\0", 1) : std::string_view("\xEF\xBF\xBD");
        text.remove_prefix(bad + 1);
    }
    return out;
}

} // namespace

void JsonWriter::separate() {
    if (m_needsComma)
        m_text += ',';
    if (m_newLine)
        m_text += '\n';
    m_newLine = false;
}

JsonWriter& JsonWriter::begin(char bracket) {
    separate();
    m_text += bracket;
    m_needsComma = false;
    return *this;
}

JsonWriter& JsonWriter::end(char bracket) {
    m_text += bracket;
    m_needsComma = true;
    m_newLine = false;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    value(name);
    m_text += ':';
    m_needsComma = false;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    return raw(firstBadByte(text) == std::string_view::npos ? inQuotes(text) : inQuotes(wellFormed(text)));
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    separate();
    m_text += json;
    m_needsComma = true;
    return *this;
}

JsonWriter& JsonWriter::real(float number) {
    return raw(std::isfinite(number) ? formatFloat(number) : "null");
}

JsonWriter& JsonWriter::real(double number) {
    return raw(std::isfinite(number) ? formatDouble(number) : "null");
}

} // namespace sbx
