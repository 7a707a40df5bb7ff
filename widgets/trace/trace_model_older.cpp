// What the model has to do with records that lie in a file: waiting for them, and following causes and effects among them.

#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <unordered_set>

namespace sbx::ui {

void TraceModel::takeRead() {
    m_woken = false;
    const std::uint64_t first = m_store.first();
    const bool changed = m_store.collect();
    if (m_store.first() != first) {
        dropOld();
        m_marks->follow(m_store);
        emit countsChanged();
    }
    if (const QString trouble = QString::fromStdString(m_store.trouble()); trouble != m_trouble) {
        m_trouble = trouble;
        if (!trouble.isEmpty())
            emit fileTrouble(trouble);
    }
    if (!changed)
        return;
    emit loaded();
    if (m_waitsForNew || m_waitsForOlder)
        m_workTimer.start();
}

bool TraceModel::waitForRead() {
    if (!m_waitsForNew && !m_waitsForOlder)
        return false;
    m_store.wait();
    takeRead();
    return true;
}

void TraceModel::catchUp() {
    poll();
    for (;;) {
        const Work left = slice();
        if (left == Work::Done || (left == Work::Waits && (!m_waitsForNew || !waitForRead())))
            return;
    }
}

void TraceModel::finish() {
    poll();
    for (;;) {
        const Work left = slice();
        if (left == Work::Done || (left == Work::Waits && !waitForRead()))
            return;
    }
}

void TraceModel::setLimits(TraceLimits limits) {
    m_store.setLimits(std::move(limits));
    dropOld();
    m_marks->follow(m_store);
    emit countsChanged();
}

std::vector<std::uint64_t> TraceModel::chainOf(std::uint64_t sequence, bool* complete) const {
    std::vector<std::uint64_t> chain;
    if (complete != nullptr)
        *complete = true;
    for (auto row = m_store.rowOf(sequence); row && chain.size() < MaxChain;) {
        chain.push_back(m_store.sequenceOf(*row));
        if (complete != nullptr && !m_store.isReady(*row)) {
            m_store.request(*row);
            *complete = false;
            break;
        }
        row = m_store.rowOf(m_store.at(*row).cause());
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

// isCause(sequence, effect): whether what caused `effect`, a message of that sequence, is one of those whose effects are sought.
template <typename IsCause> TraceModel::Effects TraceModel::effects(std::uint64_t sequence, std::size_t limit,
                                                                    std::uint64_t window, bool* complete,
                                                                    const IsCause& isCause) const {
    Effects found;
    if (complete != nullptr)
        *complete = true;
    const auto row = m_store.rowOf(sequence);
    if (!row || *row + 1 >= m_store.end())
        return found;
    const auto mustWait = [&](std::uint64_t at) {
        if (complete == nullptr || m_store.isReady(at))
            return false;
        m_store.requestAfter(at);
        *complete = false;
        found.ended = EffectsEnd::Disk;
        return true;
    };
    const std::uint64_t last = std::min(m_store.end(), *row + window);
    if (mustWait(*row + 1))
        return found;
    TraceStore::Cursor cursor(m_store, *row + 1);
    for (std::uint64_t at = *row + 1;;) {
        const RecordView record = cursor.record();
        if (record.cause() >= sequence && isCause(record.cause(), record.sequence())) {
            if (found.sequences.size() == limit) {
                found.ended = EffectsEnd::Limit;
                return found;
            }
            found.sequences.push_back(record.sequence());
        }
        if (++at >= last)
            break;
        if (mustWait(at))
            return found;
        cursor.next();
    }
    if (last < m_store.end())
        found.ended = EffectsEnd::Window;
    return found;
}

TraceModel::Effects TraceModel::effectsOf(std::uint64_t sequence, std::size_t limit, bool* complete) const {
    return effects(sequence, limit, EffectsWindow, complete,
                   [sequence](std::uint64_t cause, std::uint64_t) { return cause == sequence; });
}

TraceModel::Effects TraceModel::allEffectsOf(std::uint64_t sequence, std::size_t limit,
                                             bool* complete) const {
    std::unordered_set<std::uint64_t> known{sequence};
    return effects(sequence, limit, AllEffectsWindow, complete,
                   [&known](std::uint64_t cause, std::uint64_t effect) {
                       if (!known.contains(cause))
                           return false;
                       known.insert(effect);
                       return true;
                   });
}

} // namespace sbx::ui
