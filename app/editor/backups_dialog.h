#pragma once
// Lists the backups of the open project, with time, files and size, and puts one of them in as a step of undo. GUI thread; backups and
// theme outlive it.

#include <QDialog>

#include "widgets/common/backups.h"

#include <vector>

class QPushButton;
class QTreeWidget;

namespace sbx::ui {
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class BackupsDialog : public QDialog {
    Q_OBJECT

public:
    // `most`: how many are kept.
    BackupsDialog(ui::Backups& backups, int most, const ui::Theme& theme, QWidget* parent = nullptr);

signals:
    void failed(const QString& reason);
    // Done, in words.
    void restored(const QString& text);

private:
    void restoreChosen();

    ui::Backups& m_backups;
    std::vector<ui::Backup> m_list; // as the rows
    QTreeWidget* m_tree;
    QPushButton* m_restore;
};

} // namespace sbx::editor
