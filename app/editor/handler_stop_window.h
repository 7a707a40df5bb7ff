#pragma once
// A tick that stands before a handler (HandlerStops): what message it is, who had it and who is next, its fields to be changed; step, go
// on, drop. The window comes when a tick stands and goes when it goes on; closing it goes on. GUI thread; the stops outlive it.

#include <QDialog>

#include "engine/session/handler_stops.h"

#include <memory>

class QLabel;
class QPushButton;

namespace sbx::ui {
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class HandlerStopWindow : public QDialog {
    Q_OBJECT

public:
    HandlerStopWindow(HandlerStops& stops, const ui::Theme& theme, QWidget* parent);

    // Null: the tick goes on.
    void show(std::shared_ptr<const HandlerStop> stop);
    using QDialog::show;
    void reject() override;

signals:
    void entityPicked(const QString& entity);
    void recordPicked(qulonglong sequence);
    // The breakpoint of that number is not wanted any more.
    void unbreak(int number);

private:
    void fill(); // texts and form, of another stop
    void writeTexts();
    [[nodiscard]] QString nextHandler() const;
    [[nodiscard]] QString handlersText() const;
    [[nodiscard]] HandlerStops::Changes changes() const;
    void answer(StopAnswer answer);

    HandlerStops& m_stops;
    const ui::Theme& m_theme;
    std::shared_ptr<const HandlerStop> m_stop;
    QLabel* m_title;
    QLabel* m_origin;
    QLabel* m_handlers;
    QWidget* m_form = nullptr;
    QLabel* m_stateTitle;
    QWidget* m_state = nullptr;
    QLabel* m_fault;
    QPushButton* m_step;
    QPushButton* m_drop;
    QPushButton* m_goOn;
    QPushButton* m_remove;
};

} // namespace sbx::editor
