#include "widgets/common/undo_order.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {
QString lineText() { return QCoreApplication::translate("UndoOrder", "console line"); }
} // namespace

// Where a step will stand. One that turns out to be none goes when it is the last.
class UndoOrder::Place : public QUndoCommand {
public:
    Place() : QUndoCommand(lineText()) {}

    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    void fill(std::unique_ptr<QUndoCommand> step) {
        m_isOpen = false;
        m_step = std::move(step);
        setObsolete(m_step == nullptr);
        if (m_step == nullptr)
            return;
        setText(m_step->text());
        m_step->redo(); // the first one, which changes nothing
    }
    void undo() override {
        if (m_step)
            m_step->undo();
    }
    void redo() override {
        if (m_step)
            m_step->redo();
    }

private:
    std::unique_ptr<QUndoCommand> m_step;
    bool m_isOpen = true;
};

UndoOrder::Ticket UndoOrder::expect() {
    m_open.push_back({Kind::Line, ++m_last, nullptr, false, nullptr});
    const Ticket ticket = m_last;
    emit changed();
    return ticket;
}

void UndoOrder::answer(Ticket ticket, std::unique_ptr<QUndoCommand> step) {
    const auto action =
        std::find_if(m_open.begin(), m_open.end(), [ticket](const Action& d) { return d.ticket == ticket; });
    if (action == m_open.end())
        return;
    if (action->place != nullptr) {
        action->place->fill(std::move(step));
        m_open.erase(action);
        // Its name is another now, which the stack does not notice.
        emit m_stack.undoTextChanged(m_stack.undoText());
        dropEmpty();
    } else {
        action->isAnswered = true;
        action->step = std::move(step);
    }
    settle();
    emit changed();
}

void UndoOrder::beforePush(bool merges) {
    std::erase_if(m_open, [](const Action& action) { return action.kind != Kind::Line; });
    if (m_held && merges)
        return;
    // A push may bring another one about, which comes here too: nothing of m_open is held across it.
    const auto isToBePushed = [](const Action& action) { return action.isAnswered || action.place == nullptr; };
    for (auto action = std::find_if(m_open.begin(), m_open.end(), isToBePushed); action != m_open.end();
         action = std::find_if(m_open.begin(), m_open.end(), isToBePushed)) {
        std::unique_ptr<QUndoCommand> step;
        if (action->isAnswered) {
            step = std::move(action->step);
            m_open.erase(action);
        } else {
            action->place = new Place;
            step.reset(action->place);
        }
        if (step)
            m_stack.push(step.release());
    }
}

void UndoOrder::hold() { m_held = true; }

void UndoOrder::release() {
    m_held = false;
    settle();
}

// Lines with a place are indented further, so that they stay out of the way.
void UndoOrder::settle() {
    while (!m_held) {
        const auto action =
            std::find_if(m_open.begin(), m_open.end(), [](const Action& d) { return d.place == nullptr; });
        if (action == m_open.end() || hasToWait(*action))
            return;
        // Removed before it acts, since its observers may push.
        Action next = std::move(*action);
        m_open.erase(action);
        perform(next);
    }
}

bool UndoOrder::hasToWait(const Action& action) const {
    if (action.kind == Kind::Line)
        return !action.isAnswered;
    if (action.kind == Kind::Redo)
        return false;
    const QUndoCommand* const top = m_stack.index() > 0 ? m_stack.command(m_stack.index() - 1) : nullptr;
    const auto* place = dynamic_cast<const Place*>(top);
    return place != nullptr && place->isOpen();
}

void UndoOrder::perform(Action& action) {
    if (action.kind == Kind::Line) {
        if (action.step)
            m_stack.push(action.step.release());
    } else if (action.kind == Kind::Redo) {
        m_stack.redo();
    } else {
        m_stack.undo();
        dropEmpty();
    }
}

void UndoOrder::undo() {
    m_open.push_back({Kind::Undo, 0, nullptr, false, nullptr});
    settle();
    emit changed();
}

void UndoOrder::redo() {
    m_open.push_back({Kind::Redo, 0, nullptr, false, nullptr});
    settle();
    emit changed();
}

std::vector<QString> UndoOrder::done() const {
    std::vector<QString> done;
    std::vector<QString> undone; // the last one stands at the end
    for (int i = 0; i < m_stack.index(); ++i)
        if (!m_stack.command(i)->isObsolete())
            done.push_back(m_stack.text(i));
    for (int i = m_stack.count(); i > m_stack.index(); --i)
        undone.push_back(m_stack.text(i - 1));
    const auto pass = [](std::vector<QString>& from, std::vector<QString>& to) {
        if (from.empty())
            return;
        to.push_back(std::move(from.back()));
        from.pop_back();
    };
    for (const Action& action : m_open) {
        if (action.kind == Kind::Undo) {
            pass(done, undone);
        } else if (action.kind == Kind::Redo) {
            pass(undone, done);
        } else if (action.place == nullptr && (!action.isAnswered || action.step != nullptr)) {
            done.push_back(action.step != nullptr ? action.step->text() : lineText());
            undone.clear();
        }
    }
    return done;
}

void UndoOrder::dropEmpty() {
    while (m_stack.index() > 0 && m_stack.command(m_stack.index() - 1)->isObsolete())
        m_stack.undo();
}

void UndoOrder::forget() {
    m_open.clear();
    m_held = false;
    emit changed();
}

} // namespace sbx::ui

#include "moc_undo_order.cpp"
