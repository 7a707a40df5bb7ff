#include "widgets/common/selection.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sbx::ui {

namespace {

std::shared_ptr<const std::vector<std::string>> withoutDuplicates(std::vector<std::string> names) {
    std::unordered_set<std::string> seen;
    seen.reserve(names.size());
    std::erase_if(names, [&](const std::string& name) { return name.empty() || !seen.insert(name).second; });
    return std::make_shared<const std::vector<std::string>>(std::move(names));
}

} // namespace

Selection::Selection(QObject* parent) : QObject(parent) {}

bool Selection::contains(std::string_view entity) const { return m_set.contains(entity); }

void Selection::setEntities(std::vector<std::string> entities, const QString& source,
                            const std::string& primary) {
    if (!isPicking())
        replace(std::move(entities), source, primary);
    else
        finishPick(!primary.empty() ? primary : entities.empty() ? std::string() : entities.back(), source);
}

void Selection::requestPick(std::function<void(const std::string&)> taken) {
    cancelPick();
    m_pick = std::move(taken);
    emit pickingChanged(true);
}

void Selection::finishPick(const std::string& entity, const QString& source) {
    if (!isPicking())
        return;
    const auto taken = std::exchange(m_pick, nullptr);
    emit pickingChanged(false);
    if (!source.isEmpty())
        emit entitiesChanged(QStringLiteral("pick"));
    taken(entity);
}

void Selection::replace(std::vector<std::string> entities, const QString& source, const std::string& primary) {
    State next = m_now;
    next.entities = withoutDuplicates(std::move(entities));
    const Names& names = *next.entities;
    const bool there = !primary.empty() && std::find(names.begin(), names.end(), primary) != names.end();
    next.primary = there ? primary : names.empty() ? std::string() : names.back();
    become(std::move(next), source, true);
}

void Selection::setEntity(const std::string& entity, const QString& source) { setEntities({entity}, source); }

void Selection::add(const std::string& entity, const QString& source) {
    if (isPicking())
        return finishPick(entity, source);
    Names entities = *m_now.entities;
    if (!contains(entity))
        entities.push_back(entity);
    setEntities(std::move(entities), source, entity);
}

void Selection::remove(const std::string& entity, const QString& source) {
    removeAll({entity}, source);
}

void Selection::removeAll(const std::vector<std::string>& going, const QString& source) {
    const std::unordered_set<std::string_view> gone(going.begin(), going.end());
    Names entities = *m_now.entities;
    std::erase_if(entities, [&](const std::string& name) { return gone.contains(name); });
    replace(std::move(entities), source, m_now.primary);
}

void Selection::toggle(const std::string& entity, const QString& source) {
    if (isPicking())
        finishPick(entity, source);
    else if (contains(entity))
        remove(entity, source);
    else
        add(entity, source);
}

void Selection::clear(const QString& source) { setEntities({}, source); }

void Selection::setTrace(std::uint64_t sequence, const QString& source) {
    State next = m_now;
    next.trace = sequence;
    become(std::move(next), source, true);
}

void Selection::setTraceAndEntity(std::uint64_t sequence, const std::string& entity, const QString& source) {
    State next = m_now;
    next.trace = sequence;
    next.entities = std::make_shared<const Names>(entity.empty() ? Names{} : Names{entity});
    next.primary = entity;
    become(std::move(next), source, true);
}

void Selection::forgetTraces(const QString& source) {
    // States that differed by the record alone are one now.
    std::vector<State> kept;
    std::size_t at = 0;
    for (std::size_t i = 0; i < m_history.size(); ++i) {
        m_history[i].trace = 0;
        if (kept.empty() || !(kept.back() == m_history[i]))
            kept.push_back(std::move(m_history[i]));
        if (i == m_at)
            at = kept.size() - 1;
    }
    const bool shorter = kept.size() < m_history.size();
    m_history = std::move(kept);
    m_at = at;
    State next = m_now;
    next.trace = 0;
    become(std::move(next), source, false);
    if (shorter)
        emit historyChanged();
}

void Selection::rename(const std::string& from, const std::string& to) {
    emit renamed(from, to);
    // Lists that are shared stay so.
    std::unordered_map<std::shared_ptr<const Names>, std::shared_ptr<const Names>> lists;
    const auto renameIn = [&](State& state) {
        const auto [known, first] = lists.emplace(state.entities, state.entities);
        if (first && std::find(state.entities->begin(), state.entities->end(), from) != state.entities->end()) {
            Names names = *state.entities;
            std::replace(names.begin(), names.end(), from, to);
            known->second = withoutDuplicates(std::move(names));
        }
        state.entities = known->second;
        if (state.primary == from)
            state.primary = to;
    };
    for (State& state : m_history)
        renameIn(state);
    if (!contains(from))
        return;
    State next = m_now;
    renameIn(next);
    become(std::move(next), QStringLiteral("rename"), false);
}

void Selection::back() {
    if (!canGoBack())
        return;
    --m_at;
    become(m_history[m_at], QStringLiteral("history"), false);
    emit historyChanged();
}

void Selection::forward() {
    if (!canGoForward())
        return;
    ++m_at;
    become(m_history[m_at], QStringLiteral("history"), false);
    emit historyChanged();
}

void Selection::become(State next, const QString& source, bool remember) {
    if (next == m_now)
        return;
    const bool namesNew = next.entities != m_now.entities && *next.entities != *m_now.entities;
    const bool entitiesNew = namesNew || next.primary != m_now.primary;
    const bool traceNew = next.trace != m_now.trace;
    if (!namesNew)
        next.entities = m_now.entities;
    m_now = std::move(next);
    if (namesNew) {
        m_set.clear();
        m_set.insert(m_now.entities->begin(), m_now.entities->end());
    }
    if (remember) {
        m_history.resize(m_at + 1);
        m_history.push_back(m_now);
        if (m_history.size() > HistoryLimit)
            m_history.erase(m_history.begin());
        m_at = m_history.size() - 1;
        emit historyChanged();
    }
    // A slot may select again: what it sees, and what the other signal says, is the present state.
    if (entitiesNew)
        emit entitiesChanged(source);
    if (traceNew)
        emit traceChanged(m_now.trace, source);
}

} // namespace sbx::ui

#include "moc_selection.cpp"
