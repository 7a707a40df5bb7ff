#pragma once
// The undo stack in the order of the user's actions, though the results of some actions arrive late.
//
// What a console line sets is known when the session has run it. Until then the user may edit on, undo, or drag. Such an action is announced
// with expect() and named by answer() when it is known. An edit made meanwhile leaves a place for it below; undo() and redo() that
// would have to pass it wait for the answer; while hold() is on (a drag is one step) no step comes between.
// GUI thread; owned by the document, beside its stack.

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace sbx::ui {

class UndoOrder : public QObject {
    Q_OBJECT

public:
    explicit UndoOrder(QUndoStack& stack) : m_stack(stack) {}

    using Ticket = std::uint64_t;
    // An action is done now, its step is known later.
    [[nodiscard]] Ticket expect();
    // The step, made already: its first redo() must change nothing. Null: the action made no step. Each ticket once; one that forget()
    // took is ignored.
    void answer(Ticket ticket, std::unique_ptr<QUndoCommand> step);

    // To be called before another step is pushed; `merges`: it would merge with the last one, which it does unless an action came between.
    void beforePush(bool merges);
    void hold();
    void release();

    // At once, or when the results of the actions before have arrived. An edit meanwhile drops those that wait: the user has gone on.
    void undo();
    void redo();
    // There is an action to undo, its step known or not: what waits already is counted as done.
    [[nodiscard]] bool canUndo() const { return !done().empty(); }
    // Of the one that undo() would take back, as far as it is known; empty: there is none.
    [[nodiscard]] QString undoText() const { return canUndo() ? done().back() : QString(); }

    // The stack was cleared.
    void forget();

signals:
    // What canUndo() and undoText() say may be another; the stack's own signals do not tell all.
    void changed();

private:
    class Place;
    enum class Kind { Line, Undo, Redo };
    struct Action {
        Kind kind = Kind::Line;
        Ticket ticket = 0;      // of a line
        Place* place = nullptr; // its, on the stack; null: none yet
        bool isAnswered = false;
        std::unique_ptr<QUndoCommand> step;
    };

    void settle();
    [[nodiscard]] bool hasToWait(const Action& action) const;
    void perform(Action& action);
    void dropEmpty();
    // What is done once all that waits is, by name, oldest first.
    [[nodiscard]] std::vector<QString> done() const;

    QUndoStack& m_stack;
    std::deque<Action> m_open; // in order
    Ticket m_last = 0;
    bool m_held = false;
};

} // namespace sbx::ui
