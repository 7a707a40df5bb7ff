#include "widgets/trace/number_text.h"

#include <QString>

#include "engine/core/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace sbx::ui {

namespace {

char* writeText(char* to, std::string_view text) { return std::copy(text.begin(), text.end(), to); }

// "5.000" -> "5.0", "-0.0" -> "0.0"
char* shortened(char* begin, char* end) {
    while (end[-1] == '0' && end[-2] != '.')
        --end;
    return std::string_view(begin, static_cast<std::size_t>(end - begin)) == "-0.0" ? writeText(begin, "0.0")
                                                                                    : end;
}

template <typename T> char* writeShortest(char* to, T value) {
    if (std::isnan(value))
        return writeText(to, "nan");
    if (std::isinf(value))
        return writeText(to, value < 0 ? "-inf" : "inf");
    char* const end = std::to_chars(to, to + MaxNumberText, value).ptr;
    const bool whole = std::none_of(to, end, [](char c) { return c == '.' || c == 'e'; });
    return whole ? writeText(end, ".0") : end;
}

} // namespace

char* writeRounded(char* to, double value) {
    if (!std::isfinite(value))
        return writeExact(to, value);
    const double size = std::abs(value);
    if (size != 0.0 && (size < 0.0005 || size >= 1e9))
        return writeText(to, QString::number(value, 'g', 3).toStdString());
    // Half of the last digit is an odd number of sixteenths. Qt rounds it away from zero, the standard library to the even digit.
    const double sixteenths = size * 16.0;
    if (sixteenths == std::floor(sixteenths) && std::fmod(sixteenths, 2.0) == 1.0)
        return shortened(to, writeText(to, QString::number(value, 'f', 3).toStdString()));
    return shortened(to, std::to_chars(to, to + MaxNumberText, value, std::chars_format::fixed, 3).ptr);
}

std::string roundedNumber(double value) {
    char buffer[MaxNumberText];
    return {buffer, writeRounded(buffer, value)};
}

char* writeExact(char* to, float value) { return writeShortest(to, value); }

char* writeExact(char* to, double value) { return writeShortest(to, value); }

} // namespace sbx::ui
