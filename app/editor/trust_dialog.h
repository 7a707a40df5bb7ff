#pragma once
// Whether the open project's plugins may run: what they are, who owns the folder, and the button that changes
// it; below, every project that is trusted. Closing it, by Return too, changes nothing. GUI thread.

#include <QDialog>

#include "engine/plugin/trusted_projects.h"
#include "engine/simulation/catalog.h"

#include <filesystem>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace sbx::ui {
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class TrustDialog : public QDialog {
    Q_OBJECT

public:
    // `folder`: of the open project; empty: none is open. `safeMode`: no plugin runs, whatever is trusted, so
    // nothing can be trusted here either. All outlive the dialog.
    TrustDialog(TrustedProjects& trusted, std::filesystem::path folder, std::vector<PluginState> plugins,
                bool safeMode, const ui::Theme& theme, QWidget* parent = nullptr);

signals:
    // Of the open project.
    void trustChanged();
    // In words; the dialog shows it, too.
    void failed(const QString& reason);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void layOut();
    void fit();
    void refill();
    void showProject();
    void showFault(const QString& reason);
    // What is so, in one sentence.
    [[nodiscard]] QString stateText(TrustReason reason) const;
    // The folder and whose it is.
    [[nodiscard]] QString folderText() const;
    void change(const std::filesystem::path& folder, bool trusted);

    TrustedProjects& m_trusted;
    std::filesystem::path m_folder;
    std::vector<PluginState> m_plugins;
    bool m_safeMode;
    const ui::Theme& m_theme;
    std::vector<TrustedProjects::Entry> m_entries; // row by row
    QLabel* m_heading;
    QLabel* m_place;
    QLabel* m_advice;
    QTreeWidget* m_code;
    QPushButton* m_trust;
    QTreeWidget* m_list;
    QLabel* m_fault;
    QPushButton* m_remove;
    QPushButton* m_close;
};

} // namespace sbx::editor
