#pragma once

#include "widgets/trace/trace_context.h"

namespace sbx::ui {

// A record as the filter sees it. Reads the payload in place; allocates nothing.
class TraceRow final : public FilterRow {
public:
    explicit TraceRow(const TraceContext& context) : m_context(context) {}
    void set(const RecordView& record) { m_record = record; }

    [[nodiscard]] std::size_t valueCount(FilterFieldId id) const override;
    [[nodiscard]] FilterValue value(FilterFieldId id, std::size_t index) const override;

private:
    [[nodiscard]] FilterValue payload(FilterFieldId id) const;
    [[nodiscard]] HandlerVisit visit(bool reached, std::size_t index) const;

    const TraceContext& m_context;
    RecordView m_record;
};

} // namespace sbx::ui
