#pragma once
// What the start after a crash says: what happened, in which component, of which plugin, what to attach to a report; and how to go on,
// with or without that plugin. GUI thread.

#include <QDialog>

#include "app/common/crash_record.h"

class QPushButton;

namespace sbx::ui {
class Theme;
}

namespace sbx::editor {

class CrashDialog : public QDialog {
    Q_OBJECT

public:
    enum Answer { Open = QDialog::Accepted, Without = 2 };

    // Of the latest of them; `project`: what is opened next, empty for nothing.
    CrashDialog(const app::CrashRecord& record, int crashes, const QString& project, const ui::Theme& theme,
                QWidget* parent = nullptr);

    // "The component Ticker of the entity one, from the plugin parts.so, …"
    [[nodiscard]] static QString what(const app::CrashRecord& record);
    // "parts.so"; empty: no plugin's.
    [[nodiscard]] static QString pluginName(const app::CrashRecord& record);
};

} // namespace sbx::editor
