#include "widgets/common/selection_memory.h"

#include <QTimer>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {
const QString Source = QStringLiteral("undo");

QString selectionText(const std::vector<std::string>& names) {
    if (names.empty())
        return SelectionMemory::tr("deselect all");
    if (names.size() == 1)
        return SelectionMemory::tr("select %1").arg(QString::fromStdString(names.front()));
    return SelectionMemory::tr("select %1 entities").arg(names.size());
}
} // namespace

SelectionMemory::SelectionMemory(QUndoStack& stack, Selection& selection, QObject* parent)
    : QObject(parent), m_stack(stack), m_selection(selection), m_last(selection.sharedEntities()) {
    connect(&stack, &QUndoStack::indexChanged, this, &SelectionMemory::moved);
    connect(&selection, &Selection::entitiesChanged, this, &SelectionMemory::selected);
    connect(&selection, &Selection::renamed, this, &SelectionMemory::renamed);
}

void SelectionMemory::setRemembersSelections(bool on) {
    m_remembers = on;
    if (!on)
        forget();
}

void SelectionMemory::forget() {
    m_walks.clear();
    m_last = m_selection.sharedEntities();
    emit changed();
}

void SelectionMemory::selected(const QString& source) {
    const Names before = std::exchange(m_last, m_selection.sharedEntities());
    // The results of an edit are part of its step; what undo and redo select is in the walk already.
    const bool isUsers = source != Source && source != QLatin1String("open")
                         && source != QLatin1String("gone") && source != QLatin1String("rename")
                         && m_fresh == 0;
    if (!m_remembers || !isUsers || *before == *m_last) {
        emit changed();
        return;
    }
    if (m_walks.size() <= m_index)
        m_walks.resize(m_index + 1);
    Walk& walk = m_walks[m_index];
    if (!walk.lists.empty())
        walk.lists.resize(walk.at + 1);
    // Something else than the user may have selected since.
    if (walk.lists.empty() || *walk.lists.back() != *before)
        walk.lists.push_back(before);
    walk.lists.push_back(m_last);
    if (walk.lists.size() > WalkLimit)
        walk.lists.erase(walk.lists.begin(), walk.lists.end() - WalkLimit);
    walk.at = walk.lists.size() - 1;
    emit changed();
}

void SelectionMemory::renamed(const std::string& from, const std::string& to) {
    for (Walk& walk : m_walks)
        for (Names& names : walk.lists) {
            if (std::find(names->begin(), names->end(), from) == names->end())
                continue;
            std::vector<std::string> now = *names;
            std::replace(now.begin(), now.end(), from, to);
            names = std::make_shared<const std::vector<std::string>>(std::move(now));
        }
}

std::vector<std::string> SelectionMemory::known(const Names& names) const {
    std::vector<std::string> known = *names;
    if (m_isKnown)
        std::erase_if(known, [this](const std::string& name) { return !m_isKnown(name); });
    return known;
}

const SelectionMemory::Names* SelectionMemory::undone() const {
    const Walk* const walk = this->walk();
    for (std::size_t i = walk != nullptr ? walk->at : 0; i > 0; --i)
        if (known(walk->lists[i - 1]) != m_selection.entities())
            return &walk->lists[i - 1];
    return nullptr;
}

const SelectionMemory::Names* SelectionMemory::redone() const {
    const Walk* const walk = this->walk();
    for (std::size_t i = walk != nullptr ? walk->at + 1 : 0; walk != nullptr && i < walk->lists.size(); ++i)
        if (known(walk->lists[i]) != m_selection.entities())
            return &walk->lists[i];
    return nullptr;
}

QString SelectionMemory::undoText() const {
    return canUndo() ? selectionText(known(walk()->lists[walk()->at])) : QString();
}

QString SelectionMemory::redoText() const {
    const Names* const place = redone();
    return place != nullptr ? selectionText(known(*place)) : QString();
}

bool SelectionMemory::undo() { return go(undone()); }

bool SelectionMemory::redo() { return go(redone()); }

bool SelectionMemory::go(const Names* place) {
    if (place == nullptr)
        return false;
    Walk& walk = m_walks[m_index];
    walk.at = static_cast<std::size_t>(place - walk.lists.data());
    m_selection.setEntities(known(*place), Source);
    emit changed();
    return true;
}

void SelectionMemory::moved(int index) {
    followStack(index);
    emit changed();
}

void SelectionMemory::followStack(int index) {
    const auto now = static_cast<std::size_t>(index);
    const std::size_t before = std::exchange(m_index, now);
    const QUndoCommand* top = index > 0 ? m_stack.command(index - 1) : nullptr;
    if (now == before + 1 && (now > m_steps.size() || m_steps[now - 1].command != top)) {
        // Pushed. The edit selects its result right after: that is known when the event has ended.
        m_steps.resize(now);
        m_walks.resize(std::min(m_walks.size(), now));
        if (before < m_walks.size() && !m_walks[before].lists.empty())
            m_walks[before].lists.resize(m_walks[before].at + 1);
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
    if (now >= before && static_cast<std::size_t>(m_stack.count()) < m_steps.size()) {
        m_steps.resize(static_cast<std::size_t>(m_stack.count()));
        m_walks.resize(std::min(m_walks.size(), m_steps.size() + 1));
    }
    // A step that turned out to be none is gone instead of undone.
    if (now < before && now < m_steps.size()
        && static_cast<std::size_t>(m_stack.count()) + 1 == m_steps.size()) {
        m_steps.erase(m_steps.begin() + index);
        m_walks.resize(std::min(m_walks.size(), now + 1));
        return;
    }
    if (now > m_steps.size() || m_stack.count() == 0) {
        m_steps.resize(static_cast<std::size_t>(m_stack.count())); // another document
        m_walks.clear();
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
