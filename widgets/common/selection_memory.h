#pragma once
// Ties the selection to the undo stack: undoing a step that changed what is selected (a deletion, a creation) brings back what was selected
// before it, redoing what was selected after. A step that did not touch the selection leaves it alone, and selecting
// something is no step: Alt+Left and Alt+Right walk through selections.
//
// GUI thread; stack and selection outlive it.

#include "widgets/common/selection.h"

#include <QObject>

#include <memory>
#include <string>
#include <vector>

class QUndoCommand;
class QUndoStack;

namespace sbx::ui {

class SelectionMemory : public QObject {
    Q_OBJECT

public:
    SelectionMemory(QUndoStack& stack, Selection& selection, QObject* parent = nullptr);

private:
    struct Step {
        const QUndoCommand* command = nullptr; // to tell a new step from a redone one; never looked into
        std::shared_ptr<const std::vector<std::string>> before; // as in Selection: lists that do not change
        std::shared_ptr<const std::vector<std::string>> after;
        [[nodiscard]] bool isAnother() const { return before != after && before && after && *before != *after; }
    };
    void moved(int index);

    QUndoStack& m_stack;
    Selection& m_selection;
    std::vector<Step> m_steps;
    std::size_t m_index = 0;
    std::size_t m_fresh = 0; // 1 + the step that was pushed last, until its edit has ended
};

} // namespace sbx::ui
