#pragma once
// Whether the open project's plugins may run: what they are, who owns the folder, and the switch; below, every project that is trusted.
// Window thread.

#include <QDialog>

#include "engine/session/catalog.h"

#include <filesystem>
#include <functional>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace sbx {
class TrustedProjects;
} // namespace sbx

namespace sbx::ui {
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class TrustDialog : public QDialog {
    Q_OBJECT

public:
    // `folder`: of the open project; empty: none is open. All outlive the dialog.
    TrustDialog(TrustedProjects& trusted, std::filesystem::path folder, std::vector<PluginState> plugins, const ui::Theme& theme,
                QWidget* parent = nullptr);

signals:
    // Of the open project.
    void trustChanged();
    // In words.
    void failed(const QString& reason);

private:
    void refill();
    void showProject();
    void change(const std::filesystem::path& folder, bool trusted);

    TrustedProjects& m_trusted;
    std::filesystem::path m_folder;
    std::vector<PluginState> m_plugins;
    const ui::Theme& m_theme;
    QLabel* m_heading;
    QTreeWidget* m_code;
    QPushButton* m_trust;
    QTreeWidget* m_list;
    QPushButton* m_remove;
    QPushButton* m_close;
};

} // namespace sbx::editor
