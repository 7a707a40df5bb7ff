#pragma once
// A line cut into words: at spaces, with "texts in quotes" kept together (\" and \\ within them).

#include "engine/core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx::remote {

[[nodiscard]] Result<std::vector<std::string>> splitWords(std::string_view line);
// The first word, as it stands there.
[[nodiscard]] std::string_view firstWord(std::string_view line);
// What stands behind the first word, without spaces around it.
[[nodiscard]] std::string_view afterFirstWord(std::string_view line);
// A whole number in [minimum, maximum]; the error names `what`.
[[nodiscard]] Result<long long> wholeNumber(std::string_view text, const std::string& what, long long minimum,
                                            long long maximum);

} // namespace sbx::remote
