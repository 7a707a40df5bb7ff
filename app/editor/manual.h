#pragma once
// Help ▸ Manual: the Markdown pages of resources/manual in a window of their own.

#include <QString>

class QWidget;

namespace sbx::ui {
class Theme;
}

namespace sbx::editor {

// `projectPage`, in Markdown, describes the components that the open project's plugins bring; empty: it has none. `page`: the first one.
void showManual(const ui::Theme& theme, QWidget* parent, const QString& projectPage = {},
                const QString& page = QStringLiteral("index.md"));

} // namespace sbx::editor
