#include "widgets/common/keypad_shortcuts.h"

#include <QAction>
#include <QKeyEvent>
#include <QWidget>

namespace sbx::ui {

namespace {
// The digit on the same key of the keypad; other keys stay what they are.
int keypadDigit(int key) {
    switch (key) {
    case Qt::Key_Insert:
        return Qt::Key_0;
    case Qt::Key_End:
        return Qt::Key_1;
    case Qt::Key_Down:
        return Qt::Key_2;
    case Qt::Key_PageDown:
        return Qt::Key_3;
    case Qt::Key_Left:
        return Qt::Key_4;
    case Qt::Key_Clear:
        return Qt::Key_5;
    case Qt::Key_Right:
        return Qt::Key_6;
    case Qt::Key_Home:
        return Qt::Key_7;
    case Qt::Key_Up:
        return Qt::Key_8;
    case Qt::Key_PageUp:
        return Qt::Key_9;
    case Qt::Key_Delete:
        return Qt::Key_Period;
    default:
        return key;
    }
}
} // namespace

KeypadShortcuts::KeypadShortcuts(QWidget& panel) : QObject(&panel), m_panel(panel) { panel.installEventFilter(this); }

QAction* KeypadShortcuts::actionFor(const QKeyEvent& key) const {
    if (!key.modifiers().testFlag(Qt::KeypadModifier))
        return nullptr;
    const QKeySequence digit(QKeyCombination(key.modifiers(), static_cast<Qt::Key>(keypadDigit(key.key()))));
    for (QAction* action : m_panel.actions())
        if (action->shortcuts().contains(digit))
            return action;
    return nullptr;
}

bool KeypadShortcuts::eventFilter(QObject* watched, QEvent* event) {
    const bool asks = event->type() == QEvent::ShortcutOverride;
    if (!asks && event->type() != QEvent::KeyPress)
        return QObject::eventFilter(watched, event);
    const auto& key = *static_cast<QKeyEvent*>(event);
    QAction* const action = actionFor(key);
    if (action == nullptr)
        return QObject::eventFilter(watched, event);
    event->accept();
    if (!asks && (!key.isAutoRepeat() || action->autoRepeat()))
        action->trigger(); // does nothing while it is disabled
    return true;
}

} // namespace sbx::ui

#include "moc_keypad_shortcuts.cpp"
