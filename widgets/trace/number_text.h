#pragma once
// Numbers as the trace says them, without allocating. Pure functions; any thread.

#include <cstddef>
#include <string>

namespace sbx::ui {

// That each of these writes at most.
inline constexpr std::size_t MaxNumberText = 48;

// As rows show them: 5 -> "5.0", 0.33333334 -> "0.333", 1e-7 -> "1e-07". Returns the end.
char* writeRounded(char* to, double value);
[[nodiscard]] std::string roundedNumber(double value);
// As formatFloat() and formatDouble().
char* writeExact(char* to, float value);
char* writeExact(char* to, double value);

} // namespace sbx::ui
