#include "widgets/common/selection_memory.h"

#include <QTimer>
#include <QUndoStack>

#include <utility>

namespace sbx::ui {

namespace {
const QString Source = QStringLiteral("undo");
} // namespace

SelectionMemory::SelectionMemory(QUndoStack& stack, Selection& selection, QObject* parent)
    : QObject(parent), m_stack(stack), m_selection(selection) {
    connect(&stack, &QUndoStack::indexChanged, this, &SelectionMemory::moved);
}

void SelectionMemory::moved(int index) {
    const auto now = static_cast<std::size_t>(index);
    const std::size_t before = std::exchange(m_index, now);
    const QUndoCommand* top = index > 0 ? m_stack.command(index - 1) : nullptr;
    if (now == before + 1 && (now > m_steps.size() || m_steps[now - 1].command != top)) {
        // Pushed. The edit selects its result right after: that is known when the event has ended.
        m_steps.resize(now);
        m_steps[now - 1] = {top, m_selection.sharedEntities(), m_selection.sharedEntities()};
        m_fresh = now;
        QTimer::singleShot(0, this, [this, now, top] {
            if (m_fresh != now)
                return;
            m_fresh = 0;
            if (now <= m_steps.size() && m_steps[now - 1].command == top)
                m_steps[now - 1].after = m_selection.sharedEntities();
        });
        return;
    }
    // Undone before the event of the edit has ended: what is selected now is its result.
    if (m_fresh == before && m_fresh > 0 && m_fresh <= m_steps.size())
        m_steps[m_fresh - 1].after = m_selection.sharedEntities();
    m_fresh = 0;
    // A push that merged took the steps undone before it along, and left the index.
    if (now >= before && static_cast<std::size_t>(m_stack.count()) < m_steps.size())
        m_steps.resize(static_cast<std::size_t>(m_stack.count()));
    // A step that turned out to be none is gone instead of undone.
    if (now < before && now < m_steps.size()
        && static_cast<std::size_t>(m_stack.count()) + 1 == m_steps.size()) {
        m_steps.erase(m_steps.begin() + index);
        return;
    }
    if (now > m_steps.size() || m_stack.count() == 0) {
        m_steps.resize(static_cast<std::size_t>(m_stack.count())); // another document
        return;
    }
    // The last of the steps gone through that meant another selection says what it is now.
    const std::vector<std::string>* wanted = nullptr;
    for (std::size_t i = before; i > now; --i)
        if (i <= m_steps.size() && m_steps[i - 1].isAnother())
            wanted = m_steps[i - 1].before.get();
    for (std::size_t i = before; i < now; ++i)
        if (m_steps[i].isAnother())
            wanted = m_steps[i].after.get();
    if (wanted != nullptr)
        m_selection.setEntities(std::vector<std::string>(*wanted), Source);
}

} // namespace sbx::ui

#include "moc_selection_memory.cpp"
