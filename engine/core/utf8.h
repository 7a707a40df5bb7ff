#pragma once
// Whether text from outside is text.

#include <string_view>

namespace sbx {

// Offset of the first byte that is a NUL or not part of well-formed UTF-8 (RFC 3629), or npos. Any thread.
[[nodiscard]] std::size_t firstBadByte(std::string_view text);

// `text` without the byte order mark that some editors put before it.
[[nodiscard]] std::string_view withoutByteOrderMark(std::string_view text);

} // namespace sbx
