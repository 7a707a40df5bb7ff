#pragma once
// Asks what the addition of a component reaches: all entities of the types, or the selected ones alone. Opens where the user looks; Enter takes
// the answer that has the frame, Esc none. The answer can be kept for as long as the program runs. GUI thread.

#include <QDialog>
#include <QRect>

#include "widgets/inspector/component_edits.h"

class QCheckBox;

namespace sbx::ui {

class Theme;

class ScopeQuestion : public QDialog {
    Q_OBJECT

public:
    // `what` is "Add Light" or "Paste Body, Mesh"; `users` is how many entities all of the types have.
    ScopeQuestion(const Theme& theme, const QString& what, const ComponentTargets& targets, std::size_t users, ComponentScope preferred,
                  QWidget* parent);

    // Opens with its corner at that of a rectangle of the screen, moved into the window's screen.
    void openAt(const QRect& place);
    [[nodiscard]] bool isKept() const;

signals:
    void answered(sbx::ui::ComponentScope scope);

private:
    QCheckBox* m_keep;
};

} // namespace sbx::ui
