#pragma once
// Comma-separated values after RFC 4180 (Shafranovich, "Common Format and MIME Type for Comma-Separated Values (CSV) Files", 2005): cells of a record, whose
// text is in quotes where it could be taken for another thing, quotes in it doubled. Pure functions, any thread.

#include "engine/core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx {

// In quotes, whatever the text is.
[[nodiscard]] std::string csvQuoted(std::string_view text);
// In quotes only where a separator (a comma, or one of those that other programs use), a quote, a line end or a blank at either end needs them.
[[nodiscard]] std::string csvCell(std::string_view text);
// The cells of one record, without the line end behind it; at least one. Error: its last quotes are not closed.
[[nodiscard]] Result<std::vector<std::string>> csvCells(std::string_view record, char separator = ',');

} // namespace sbx
