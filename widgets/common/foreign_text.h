#pragma once
// Text that comes from files and peers (names, docs, values, messages, file names, faults that quote them), as a window may show it.
//
// Qt takes text for HTML in tool tips and labels when it looks like it, loads the images it names, and draws what a control character
// asks for. So every such text passes here: shownText() where text is drawn as it is (rows, actions, titles), tipText() in tool tips, and
// htmlText() inside HTML that is built by hand. Labels need no more than shownText(): the style makes each one plain that does not ask
// for rich text by name (ThemeStyle::polish). Pure functions; any thread.

#include <QString>

#include <string_view>

namespace sbx::ui {

// With control characters and bidirectional controls shown by their number; see engine/core/printable.h. Line feeds and tabs stay.
[[nodiscard]] QString shownText(std::string_view text);
[[nodiscard]] QString shownText(const QString& text);
// Of one line: those are shown, too.
[[nodiscard]] QString shownLine(std::string_view text);
[[nodiscard]] QString shownLine(const QString& text);
// The same for the text of a menu, where a single '&' would underline a letter.
[[nodiscard]] QString menuText(const QString& text);
// The same text as a tool tip: as HTML that means just this text if Qt would take it for HTML, else as it is.
[[nodiscard]] QString tipText(std::string_view text);
[[nodiscard]] QString tipText(const QString& text);
// Escaped, for a place inside HTML.
[[nodiscard]] QString htmlText(std::string_view text);
[[nodiscard]] QString htmlText(const QString& text);

} // namespace sbx::ui
