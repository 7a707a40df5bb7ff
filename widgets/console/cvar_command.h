#pragma once
// What a line typed into the console set, as a step of the one undo stack. GUI thread; the CVars change where lines execute.

#include <QUndoCommand>

#include "engine/core/cvar.h"

#include <functional>
#include <memory>
#include <vector>

namespace sbx::ui {

class ConsoleBackend;
class UndoOrder;

class CVarCommand : public QUndoCommand {
public:
    // Takes steps back, or makes them again: Console::undo() and redo(), on the thread that executes. The steps are that thread's.
    using Steps = std::shared_ptr<std::vector<CVarStep>>;
    using Restore = std::function<void(const Steps& steps, bool undo)>;

    // What the backend's lines set becomes steps, each where its line was typed. The order outlives the backend.
    static void connectSteps(ConsoleBackend& backend, UndoOrder& order, const Restore& restore);

    // The steps have been made already: pushing this changes nothing.
    CVarCommand(std::vector<CVarStep> steps, Restore restore);

    void undo() override { m_restore(m_steps, true); }
    void redo() override;

private:
    Steps m_steps;
    Restore m_restore;
    bool m_made = true;
};

} // namespace sbx::ui
