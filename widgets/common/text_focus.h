#pragma once
// Cut, copy, paste and select all mean the text where a text field has the focus, and entities everywhere else. For the actions in the menu,
// which can be chosen wherever the focus is. GUI thread.

namespace sbx::ui {

enum class TextCommand { Cut, Copy, Paste, SelectAll };

// A field or an editor that takes such commands has the focus.
[[nodiscard]] bool textHasFocus();
// Hands the command to it. False: there is none.
bool giveToText(TextCommand command);

} // namespace sbx::ui
