#include "widgets/trace/trace_rates.h"

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
    const auto from = std::lower_bound(rows.begin(), rows.end(), first);
    return static_cast<std::size_t>(std::lower_bound(from, rows.end(), end) - from);
}

bool TraceRates::isDone() const { return m_model.rowAtOrAfter(m_next) >= m_model.rowCount(); }

void TraceRates::finish() {
    while (take()) {}
    m_timer.stop();
}

bool TraceRates::take() {
    const int begin = m_model.rowAtOrAfter(m_next);
    const int end = std::min(m_model.rowCount(), begin + RowsPerTurn);
    for (int row = begin; row < end; ++row) {
        const RecordView record = m_model.record(row);
        const MessageTypeId type = record.type();
        if (type >= m_rows.size())
            m_rows.resize(type + std::size_t(1));
        m_next = record.sequence() + 1;
        m_rows[type].push_back(m_next - 1);
    }
    if (begin < end)
        emit changed();
    return end < m_model.rowCount();
}

void TraceRates::restart() {
    m_rows.clear();
    m_next = 0;
    m_timer.start();
    emit changed();
}

void TraceRates::forgetGone() {
    const std::uint64_t first = m_model.rowCount() > 0 ? m_model.record(0).sequence() : std::numeric_limits<std::uint64_t>::max();
    for (auto& rows : m_rows)
        rows.erase(rows.begin(), std::lower_bound(rows.begin(), rows.end(), first));
}

} // namespace sbx::ui

#include "moc_trace_rates.cpp"
