#pragma once
// Shortcuts on the numeric keypad ("Num+5") for a panel. Qt's shortcut map cannot tell the keypad's digits from those above the letters: the
// X11 platform drops the keypad modifier before it asks the map, and without NumLock the keys are End, Home, Clear and so on. This takes
// such a key before the map is asked, if an action of the panel has it, and triggers that action. Keys that no action has, and keys that a
// child of the panel takes for itself (a line edit), stay what they were. The panel owns it. GUI thread.

#include <QObject>

class QAction;
class QKeyEvent;
class QWidget;

namespace sbx::ui {

class KeypadShortcuts : public QObject {
    Q_OBJECT

public:
    explicit KeypadShortcuts(QWidget& panel);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QAction* actionFor(const QKeyEvent& key) const;

    QWidget& m_panel;
};

} // namespace sbx::ui
