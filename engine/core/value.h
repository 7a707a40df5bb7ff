#pragma once
// One value of any field type: what inspectors edit, consoles print and readers deliver.

#include "engine/core/ids.h"
#include "engine/core/math.h"

#include <cstdint>
#include <string>
#include <variant>

namespace sbx {

// Numbers of any width travel as int64 or double; an enum as the name of its choice; a colour as Vec4 (linear RGBA).
using Value =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Vec2, Vec3, Vec4, Quat, EntityId>;

// Shortest text that reads back to the same number; always with a point or exponent, so 5 is "5.0". Not a number: "nan", "inf", "-inf".
[[nodiscard]] std::string formatFloat(float value);
[[nodiscard]] std::string formatDouble(double value);
// The number that formatFloat() writes: 0.1 for 0.1F, where a plain conversion gives 0.10000000149.
[[nodiscard]] double asWritten(float value);
// With quotes, escaped for JSON (which is also valid TOML basic string syntax).
[[nodiscard]] std::string inQuotes(std::string_view text);

} // namespace sbx
