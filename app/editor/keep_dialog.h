#pragma once
// Which of the values that were changed by hand while the world ran go into the scene: a list by entity, with what each was and what it
// became. GUI thread.

#include <QDialog>

#include "engine/session/live_edits.h"

#include <memory>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace sbx::ui {
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class KeepDialog : public QDialog {
    Q_OBJECT

public:
    // All that can be kept is ticked.
    KeepDialog(std::shared_ptr<const LiveEdits::List> edits, const ui::Theme& theme, QWidget* parent = nullptr);

signals:
    // Accepted: the ticked ones; at least one.
    void chosen(const sbx::LiveEdits::List& edits);
    // None of them.
    void discarded();

private:
    void fill();
    void follow();
    [[nodiscard]] LiveEdits::List ticked() const;

    std::shared_ptr<const LiveEdits::List> m_edits;
    const ui::Theme& m_theme;
    QTreeWidget* m_list;
    QPushButton* m_keep;
    std::size_t m_possible = 0;
};

} // namespace sbx::editor
