#pragma once
// How a project was looked at when it was last left: which panels were where, their filters, columns and switches. Kept in the settings,
// never in the project; newest first, a bounded number of them. Panels need not know of it: their parts are found by objectName. Window
// thread.

#include <QString>
#include <QVariantMap>

#include "widgets/common/user_settings.h"

class QMainWindow;

namespace sbx::ui {
class TracePanel;
} // namespace sbx::ui

namespace sbx::editor {

class ProjectViews {
public:
    static constexpr int Most = 20;

    explicit ProjectViews(ui::UserSettings& settings) : m_settings(settings) {}
    // By the absolute path of project.toml; empty: none is known.
    [[nodiscard]] QVariantMap find(const QString& projectFile) const;
    void keep(const QString& projectFile, const QVariantMap& view);

private:
    ui::UserSettings& m_settings;
};

// Of all docks of the window, as they are now. `layoutVersion`: of QMainWindow::saveState().
[[nodiscard]] QVariantMap viewOf(QMainWindow& window, const ui::TracePanel& trace, int layoutVersion);
// The window's panels as in `view`. What it does not mention is reset: filters are empty, everything is listed; a layout and columns that it
// does not mention stay as they are.
void applyView(QMainWindow& window, ui::TracePanel& trace, const QVariantMap& view, int layoutVersion);

} // namespace sbx::editor
