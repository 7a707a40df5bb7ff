#pragma once
// Help ▸ Manual: the Markdown pages of resources/manual in a window of their own.

#include <QString>

class QWidget;

namespace sbx::ui {
class Theme;
}

namespace sbx::editor {

// `projectPage`, in Markdown, tells of the components that the open project's plugins bring; empty: it has none.
void showManual(const ui::Theme& theme, QWidget* parent, const QString& projectPage = {});

} // namespace sbx::editor
