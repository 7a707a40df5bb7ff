#include "widgets/trace/trace_rates.h"

#include <QElapsedTimer>

#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <limits>

namespace sbx::ui {

TraceRates::TraceRates(const TraceModel& model, QObject* parent) : QObject(parent), m_model(model) {
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (!take())
            m_timer.stop();
    });
    connect(&model, &QAbstractItemModel::rowsInserted, this, [this] { m_timer.start(); });
    connect(&model, &QAbstractItemModel::rowsRemoved, this, &TraceRates::forgetGone);
    connect(&model, &QAbstractItemModel::modelReset, this, &TraceRates::restart);
    m_timer.start();
}

std::vector<MessageTypeId> TraceRates::frequent(std::size_t limit) const {
    std::vector<MessageTypeId> types;
    for (std::size_t type = 0; type < m_rows.size(); ++type)
        if (!m_rows[type].empty())
            types.push_back(static_cast<MessageTypeId>(type));
    const auto end = types.begin() + static_cast<std::ptrdiff_t>(std::min(limit, types.size()));
    std::partial_sort(types.begin(), end, types.end(), [this](MessageTypeId a, MessageTypeId b) {
        return m_rows[a].size() != m_rows[b].size() ? m_rows[a].size() > m_rows[b].size() : a < b;
    });
    types.erase(end, types.end());
    return types;
}

std::size_t TraceRates::count(MessageTypeId type, std::uint64_t first, std::uint64_t end) const {
    if (type >= m_rows.size())
        return 0;
    const auto& rows = m_rows[type];
    const auto place = [this](std::uint64_t sequence) {
        const std::uint64_t row = m_model.store().rowAtOrAfter(sequence);
        return row <= m_base ? std::uint64_t(0) : row - m_base;
    };
    const auto from = std::lower_bound(rows.begin(), rows.end(), place(first));
    return static_cast<std::size_t>(std::lower_bound(from, rows.end(), place(end)) - from);
}

bool TraceRates::isDone() const {
    const auto& rows = m_model.storeRows();
    return rows.empty() || (rows.front() >= m_begin && rows.back() < m_end);
}

void TraceRates::finish() {
    while (take()) {}
    m_timer.stop();
}

void TraceRates::add(int row, bool before, std::optional<TraceStore::Cursor>& cursor) {
    const TraceStore& store = m_model.store();
    const std::uint64_t stored = m_model.storeRows()[static_cast<std::size_t>(row)];
    MessageTypeId type = NoType;
    if (stored < store.memoryFirst()) {
        type = store.typeOf(stored);
    } else {
        if (!cursor)
            cursor.emplace(store, stored);
        cursor->moveTo(stored);
        type = cursor->record().type();
    }
    if (type >= m_rows.size())
        m_rows.resize(type + std::size_t(1));
    const auto at = static_cast<std::uint32_t>(stored - m_base);
    if (before)
        m_rows[type].push_front(at);
    else
        m_rows[type].push_back(at);
}

bool TraceRates::take() {
    QElapsedTimer clock;
    clock.start();
    int rows = 0;
    while (rows < RowsPerTurn && !clock.hasExpired(TurnMs) && takeSome())
        rows += RowsPerLookAtClock;
    if (rows > 0)
        emit changed();
    return !isDone();
}

bool TraceRates::takeSome() {
    const auto& rows = m_model.storeRows();
    const auto rowOf = [&rows](std::uint64_t at) {
        return static_cast<int>(std::lower_bound(rows.begin(), rows.end(), at) - rows.begin());
    };
    if (!rows.empty() && rows.back() - m_base > std::numeric_limits<std::uint32_t>::max())
        restart(); // from a base that is nearer
    if (m_begin == m_end && !rows.empty())
        m_begin = m_end = rows.front();
    std::optional<TraceStore::Cursor> cursor;
    const int first = rowOf(m_end);
    const int end = std::min(m_model.rowCount(), first + RowsPerLookAtClock);
    for (int row = first; row < end; ++row)
        add(row, false, cursor);
    if (first < end)
        m_end = rows[static_cast<std::size_t>(end) - 1] + 1;
    // What was found since among older ones.
    const int last = rowOf(m_begin);
    const int begin = std::max(0, last - (RowsPerLookAtClock - (end - first)));
    for (int row = last; row > begin; --row)
        add(row - 1, true, cursor);
    if (begin < last)
        m_begin = rows[static_cast<std::size_t>(begin)];
    return first < end || begin < last;
}

void TraceRates::restart() {
    m_rows.clear();
    m_base = m_begin = m_end = m_model.store().first();
    m_timer.start();
    emit changed();
}

void TraceRates::forgetGone() {
    const std::uint64_t first = m_model.rowCount() > 0 ? m_model.storeRows().front() : m_model.store().end();
    m_begin = std::max(m_begin, first);
    m_end = std::max(m_end, first);
    for (auto& rows : m_rows)
        rows.erase(rows.begin(), std::lower_bound(rows.begin(), rows.end(), first - std::min(first, m_base)));
}

} // namespace sbx::ui

#include "moc_trace_rates.cpp"
