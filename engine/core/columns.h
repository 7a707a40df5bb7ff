#pragma once
// Rows of texts as lines whose columns stand under each other, for a font of one width.

#include <string>
#include <vector>

namespace sbx {

// One line a row, two spaces between columns; rows may be of different lengths. What is longer than 40 characters moves only what
// stands behind it in its own row. Texts are UTF-8; characters count, not bytes.
[[nodiscard]] std::vector<std::string> inColumns(const std::vector<std::vector<std::string>>& rows);

} // namespace sbx
