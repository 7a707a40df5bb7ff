#pragma once
// What a panel shows when it has nothing: one line that says what would fill it and a button that does it.
// Window thread; parent owns it.

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;
class QStackedLayout;

namespace sbx::ui {

class Theme;

class EmptyState : public QWidget {
    Q_OBJECT

public:
    EmptyState(const Theme& theme, const QString& icon, const QString& line, QWidget* parent = nullptr);

    void setLine(const QString& line);
    // Adds the button; it follows the action's text and state.
    void setAction(QAction* action, const QString& text = {});
    [[nodiscard]] QPushButton& button() { return *m_button; }

private:
    QLabel* m_line;
    QPushButton* m_button;
};

// Shows `content` or, while `empty`, the state in its place.
class EmptySwitch : public QWidget {
    Q_OBJECT

public:
    EmptySwitch(QWidget* content, EmptyState* state, QWidget* parent = nullptr);
    void setEmpty(bool empty);
    [[nodiscard]] bool isEmpty() const;

private:
    QStackedLayout* m_stack;
};

} // namespace sbx::ui
