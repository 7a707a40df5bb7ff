#pragma once
// Makes text that comes from files and peers safe to show: on a terminal, in a log, in a window. Names, docs, messages and file names may
// hold characters that control a terminal (ESC, the C1 controls) or reorder what a reader sees (the bidirectional controls of Unicode,
// with which a file or a line looks like another). They are shown by their number instead.
//
// Pure functions; any thread. What they return is well-formed UTF-8, and printable() of it is the same text again.

#include <string>
#include <string_view>

namespace sbx {

// `text` with every control character, bidirectional control, line separator and tag character of Unicode written as \xNN (below U+0020) or
// \uNNNN (above), and every byte that is no UTF-8 as \xNN. Line feeds and tabs stay. In JSON, \uNNNN is the same character.
[[nodiscard]] std::string printable(std::string_view text);
// The same on one line: line feeds and tabs become \n and \t. For titles, names and rows.
[[nodiscard]] std::string printableLine(std::string_view text);
// True if printable() changes nothing.
[[nodiscard]] bool isPrintable(std::string_view text);

} // namespace sbx
