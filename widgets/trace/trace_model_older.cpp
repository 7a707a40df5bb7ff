// What the model has to do with records that lie in a file: waiting for them, and following causes and effects among them.

#include "widgets/trace/trace_model.h"

#include <algorithm>

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
    for (auto row = m_store.rowOf(sequence); row && chain.size() < 100;) {
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

std::vector<std::uint64_t> TraceModel::effectsOf(std::uint64_t sequence, std::size_t limit,
                                                 bool* complete) const {
    std::vector<std::uint64_t> effects;
    if (complete != nullptr)
        *complete = true;
    const auto row = m_store.rowOf(sequence);
    if (!row || *row + 1 >= m_store.end())
        return effects;
    const auto mustWait = [&](std::uint64_t at) {
        if (complete == nullptr || m_store.isReady(at))
            return false;
        m_store.requestAfter(at);
        *complete = false;
        return true;
    };
    const std::uint64_t last = std::min(m_store.end(), *row + 50000);
    if (mustWait(*row + 1))
        return effects;
    TraceStore::Cursor cursor(m_store, *row + 1);
    for (std::uint64_t at = *row + 1; at < last && effects.size() < limit; ++at) {
        if (const RecordView record = cursor.record(); record.cause() == sequence)
            effects.push_back(record.sequence());
        if (at + 1 < last) {
            if (mustWait(at + 1))
                break;
            cursor.next();
        }
    }
    return effects;
}

} // namespace sbx::ui
