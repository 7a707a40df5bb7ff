#pragma once
// What mouse and keys do right now: over the panel under the pointer, or during what the mouse does in the viewport. One short line for the
// status bar.
//
// Watches the application's events and looks again when one of them may have changed the answer. GUI thread; window and viewport outlive it.

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

class QMainWindow;
class QWidget;

namespace sbx::ui {
class ViewportPanel;
} // namespace sbx::ui

namespace sbx::editor {

class ContextHints : public QObject {
    Q_OBJECT

public:
    ContextHints(QMainWindow& window, ui::ViewportPanel& viewport);

    [[nodiscard]] bool isOn() const { return m_on; }
    void setOn(bool on);
    // For the panel or dock of that objectName; empty: nothing is worth a line.
    [[nodiscard]] static QString textFor(const QString& panel);

signals:
    // Empty: there is nothing to say.
    void changed(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void look();
    [[nodiscard]] QString textNow() const;

    QMainWindow& m_window;
    ui::ViewportPanel& m_viewport;
    QTimer m_timer; // after the event
    QString m_shown;
    bool m_on = true;
};

} // namespace sbx::editor
