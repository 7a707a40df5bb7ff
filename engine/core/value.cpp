#include "engine/core/value.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace sbx {

namespace {
template <typename T> std::string formatNumber(T value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    std::string out(buffer, end);
    if (out.find_first_of(".e") == std::string::npos)
        out += ".0";
    return out;
}
} // namespace

std::string formatFloat(float value) { return formatNumber(value); }

std::string formatDouble(double value) { return formatNumber(value); }

double asWritten(float value) {
    if (!std::isfinite(value))
        return static_cast<double>(value);
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    double written = 0.0;
    std::from_chars(buffer, end, written);
    return written;
}

std::string inQuotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\t':
            out += "\\t";
            break;
        case '\r':
            out += "\\r";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
                char buffer[8];
                std::snprintf(buffer, sizeof buffer, "\\u%04x",
                              static_cast<unsigned>(static_cast<unsigned char>(c)));
                out += buffer;
            } else {
                out += c;
            }
        }
    }
    return out + "\"";
}

} // namespace sbx
