#include "widgets/trace/trace_ignored.h"

#include "widgets/trace/trace_store.h"

namespace sbx::ui {

void TraceIgnored::set(const RowRuns& rows, bool ignored) {
    const std::uint64_t before = m_rows.count();
    if (ignored)
        m_rows.unite(rows);
    else
        m_rows.subtract(rows);
    if (m_rows.count() != before)
        emit changed();
}

void TraceIgnored::clear() {
    if (m_rows.empty())
        return;
    m_rows.clear();
    emit changed();
}

void TraceIgnored::follow(const TraceStore& store) { m_rows.dropBelow(store.first()); }

} // namespace sbx::ui

#include "moc_trace_ignored.cpp"
