#pragma once
// Panels that lie behind one another show their tabs alone: a title bar below that says the same would cost each of them a row. What its
// buttons do is in the menu of the tab, and a double click on the tab floats the panel. GUI thread; child of the window.

#include <QObject>
#include <QTimer>

class QDockWidget;
class QMainWindow;
class QPoint;
class QTabBar;

namespace sbx::editor {

class DockTitles : public QObject {
    Q_OBJECT

public:
    // Of the docks that the window has now.
    explicit DockTitles(QMainWindow& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void showMenu(QTabBar& bar, const QPoint& at);
    // The panel whose tab is there; null: none.
    [[nodiscard]] QDockWidget* dockAt(const QTabBar& bar, const QPoint& at) const;

    QMainWindow& m_window;
    QTimer m_timer;
};

} // namespace sbx::editor
