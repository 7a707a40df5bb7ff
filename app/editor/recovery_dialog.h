#pragma once
// What earlier runs left unsaved of the open project, one row each: when, how many changes, which files, and whether these were saved
// since; below, how the chosen one differs from what is on the disk. It is looked at as a whole, put in as a step that undo takes back, kept for later, or
// discarded. GUI thread.

#include <QDialog>

#include <optional>

class QLabel;
class QPushButton;
class QTextBrowser;
class QTreeWidget;

namespace sbx::ui {
class Document;
class Theme;
struct Recovery;
} // namespace sbx::ui

namespace sbx::editor {

class RecoveryDialog : public QDialog {
    Q_OBJECT

public:
    // Both outlive the dialog.
    RecoveryDialog(ui::Document& document, const ui::Theme& theme, QWidget* parent = nullptr);

signals:
    // Recovering failed, in words.
    void failed(const QString& reason);

private:
    void refill();
    void showChosen();
    void recoverChosen();
    void discardChosen();
    // The whole texts as they would be, to read.
    void lookAtChosen();
    [[nodiscard]] QString chosen() const; // path; empty: none
    [[nodiscard]] std::optional<ui::Recovery> chosenRecovery() const;
    [[nodiscard]] QString differences(const ui::Recovery& recovery) const;

    ui::Document& m_document;
    const ui::Theme& m_theme;
    QLabel* m_heading;
    QTreeWidget* m_list;
    QLabel* m_warning;
    QTextBrowser* m_differences;
    QPushButton* m_recover;
    QPushButton* m_keep;
    QPushButton* m_look;
    QPushButton* m_discard;
};

} // namespace sbx::editor
