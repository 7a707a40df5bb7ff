#pragma once
// What a panel shows when it has nothing: one line that says what would fill it and a button that does it, below an icon where
// there is room for one. A low panel must not grow for it.
// GUI thread; parent owns it.

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;
class QStackedLayout;

namespace sbx::ui {

class FilterBar;
class Theme;

class EmptyState : public QWidget {
    Q_OBJECT

public:
    EmptyState(const Theme& theme, const QString& icon, const QString& line, QWidget* parent = nullptr);

    void setLine(const QString& line);
    // Adds the button; it follows the action's text and state.
    void setAction(QAction* action, const QString& text = {});
    // While something is under way the button would be in its way: it is hidden meanwhile.
    void setBusy(bool busy);
    [[nodiscard]] QPushButton& button() { return *m_button; }

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    // Pixels: of the line, broken as it is now, the button, and the icon unless it is low.
    [[nodiscard]] int heightWith(int lineHeight, bool isLow) const;

    // The icon gives way to the words where there is little room.
    void arrange();

    QWidget* m_icon = nullptr;
    QLabel* m_line;
    QPushButton* m_button;
    bool m_hasAction = false;
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

// Shows `content` or, while the filter hides every row of it, a line that says so with a button that clears the filter.
class NoMatchSwitch : public EmptySwitch {
    Q_OBJECT

public:
    // `name`: of the line's page.
    NoMatchSwitch(const Theme& theme, QWidget* content, FilterBar& bar, const QString& line,
                  const QString& name, QWidget* parent = nullptr);

signals:
    // The text of the filter is cleared; what else hides rows is the panel's.
    void cleared();
};

} // namespace sbx::ui
