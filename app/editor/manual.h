#pragma once
// Help ▸ Manual: the Markdown pages of resources/manual in a window of their own.

class QWidget;

namespace sbx::ui {
class Theme;
}

namespace sbx::editor {

void showManual(const ui::Theme& theme, QWidget* parent);

} // namespace sbx::editor
