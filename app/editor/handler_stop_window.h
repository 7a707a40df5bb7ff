#pragma once
// A tick that stands before a handler (HandlerStops): what message it is, who had it and who is next, its fields to be changed; step, go
// on, drop, send it again. The window comes when a tick stands and goes when it goes on; closing it goes on. It is as high as what it shows, at most as its
// screen: then handlers, fields and state scroll, and the rest stays in sight.
//
// It comes without being activated, beside the text that is being typed elsewhere: keys that were meant for another widget neither get lost nor answer
// a stop. For the same reason it has no default button, Esc does nothing, and no button has the focus when a tick stands. GUI thread; the stops outlive it.

#include <QDialog>
#include <QTimer>

#include "engine/session/handler_stops.h"
#include "widgets/common/field_editor.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace sbx::ui {
class FieldForm;
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class HandlerStopWindow : public QDialog {
    Q_OBJECT

public:
    // `sources`: of the editors of the message's fields.
    HandlerStopWindow(HandlerStops& stops, const ui::Theme& theme, ui::FieldSources sources, QWidget* parent);

    // Null: the tick goes on.
    void show(std::shared_ptr<const HandlerStop> stop);
    using QDialog::show;
    // Of the stop that is shown, with the fields as they were changed here. With one at fault it stands still, unless the message is dropped, which
    // needs no fields. False: no stop is shown.
    bool answer(StopAnswer what);
    void reject() override;

signals:
    void entityPicked(const QString& entity);
    void recordPicked(qulonglong sequence);
    // The message is to be sent once more: the line of the console that has it delivered in the tick after the one in which that line runs.
    void sendAgain(const QString& line);
    // A tick stands, "Stopped before Shield handles Damage", or none does any more, an empty text.
    void stopChanged(const QString& words);
    // The breakpoint of that number is not wanted any more.
    void unbreak(int number);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fill(); // texts and form, of another stop
    void fillForm();
    void fillState();
    // Of the form's editors: they also know the entities whose names the picture does not have yet, by handles of the form's own.
    [[nodiscard]] ui::FieldSources formSources();
    [[nodiscard]] EntityId entityOf(const std::string& text);
    [[nodiscard]] std::string textOf(const FieldInfo& field, const Value& value) const;
    // Ends typing. False: a field is at fault, and has the focus.
    bool takeTyped();
    void sayFault(const QString& text);
    [[nodiscard]] QSize fitting(); // its size, with all that it shows, as far as the screen has room
    void grow();                   // where what it shows needs more room than it has
    // Beside what has the keyboard's focus in another window of the program.
    void keepClearOfTyping();
    void writeTexts();
    [[nodiscard]] std::string nextHandler() const; // its component
    [[nodiscard]] QString handlersText() const;
    [[nodiscard]] HandlerStops::Changes changes() const;
    [[nodiscard]] std::string sendLine() const;
    void showWaiting();

    HandlerStops& m_stops;
    const ui::Theme& m_theme;
    ui::FieldSources m_sources;
    std::shared_ptr<const HandlerStop> m_stop;
    QTimer m_hide; // the next stop is often a moment away: the window stays for that long
    QLabel* m_title;
    QLabel* m_origin;
    QLabel* m_handlers;
    QScrollArea* m_scroll;
    QVBoxLayout* m_body; // what scrolls
    ui::FieldForm* m_form = nullptr;
    QLabel* m_noFields;
    std::map<std::string, Value> m_shown; // of the form, before anybody changed it
    std::vector<std::string> m_newcomers; // entities with handles of the form's own
    QLabel* m_stateTitle;
    QWidget* m_state = nullptr;
    QLabel* m_fault;
    QLabel* m_wait;
    std::uint64_t m_sentTick = 0; // the tick to which m_sent belongs
    int m_sent = 0;               // how often a message of that tick is to be sent again
    QPushButton* m_again;
    QPushButton* m_step;
    QPushButton* m_drop;
    QPushButton* m_goOn;
    QPushButton* m_remove;
};

} // namespace sbx::editor
