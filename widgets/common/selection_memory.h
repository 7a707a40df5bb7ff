#pragma once
// Ties the selection to the undo stack: undoing a step that changed what is selected (a deletion, a creation) brings back what was selected
// before it, redoing what was selected after. A step that did not touch the selection leaves it alone.
//
// What is selected between two steps can be undone and redone as well, but stands beside the stack, not on it: it never makes a document
// dirty, and selecting something after an undo keeps the steps that can be redone. Undo goes through the selections since the last step
// first, then takes back the step; Redo likewise. What a step, an opened project or the death of an entity does to the selection is no
// selection of the user's.
//
// GUI thread; stack and selection outlive it.

#include <QObject>
#include <QString>

#include "widgets/common/selection.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

class QUndoCommand;
class QUndoStack;

namespace sbx::ui {

class SelectionMemory : public QObject {
    Q_OBJECT

public:
    SelectionMemory(QUndoStack& stack, Selection& selection, QObject* parent = nullptr);

    // Says which names mean something now; the others are left out of what undo() and redo() select. Without it all do.
    void setKnown(std::function<bool(const std::string&)> isKnown) { m_isKnown = std::move(isKnown); }
    // Off: selections of the user's are not remembered, and undo() and redo() find none.
    void setRemembersSelections(bool on);
    [[nodiscard]] bool remembersSelections() const { return m_remembers; }

    // There is a selection to go back to (to go on to) before the stack's own undo (redo) is due.
    [[nodiscard]] bool canUndo() const { return undone() != nullptr; }
    [[nodiscard]] bool canRedo() const { return redone() != nullptr; }
    // What undo() takes back, redo() does again, as a name of a step: "select crate"; empty: there is none.
    [[nodiscard]] QString undoText() const;
    [[nodiscard]] QString redoText() const;
    // False: there is none, nothing has changed.
    bool undo();
    bool redo();
    // Another project is shown: what was selected before means nothing.
    void forget();

signals:
    // What canUndo(), canRedo() and their texts say may be another.
    void changed();

private:
    using Names =
        std::shared_ptr<const std::vector<std::string>>; // as in Selection: lists that do not change
    // What was selected while the stack stood at one index, the first as the walk began.
    struct Walk {
        std::vector<Names> lists;
        std::size_t at = 0;
    };
    static constexpr std::size_t WalkLimit = 200; // lists of one walk; the oldest go
    struct Step {
        const QUndoCommand* command = nullptr; // to tell a new step from a redone one; never looked into
        Names before;
        Names after;
        [[nodiscard]] bool isAnother() const {
            return before != after && before && after && *before != *after;
        }
    };
    void moved(int index);
    void followStack(int index);
    void selected(const QString& source);
    void renamed(const std::string& from, const std::string& to);
    [[nodiscard]] const Walk* walk() const { return m_index < m_walks.size() ? &m_walks[m_index] : nullptr; }
    [[nodiscard]] std::vector<std::string> known(const Names& names) const;
    // The place in walk()'s lists that undo() and redo() go to, the first that shows another selection; null: none.
    [[nodiscard]] const Names* undone() const;
    [[nodiscard]] const Names* redone() const;
    bool go(const Names* place);

    QUndoStack& m_stack;
    Selection& m_selection;
    std::vector<Step> m_steps;
    std::size_t m_index = 0;
    std::size_t m_fresh = 0;   // 1 + the step that was pushed last, until its edit has ended
    std::vector<Walk> m_walks; // by the stack's index
    Names m_last;              // what is selected, as selected() saw it last
    std::function<bool(const std::string&)> m_isKnown;
    bool m_remembers = true;
};

} // namespace sbx::ui
