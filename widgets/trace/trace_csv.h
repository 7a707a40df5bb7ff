#pragma once
// Messages of the trace as comma-separated values (engine/core/csv.h): the list's columns and the comment, then those that were asked for, then what else a line
// of a trace has, so that TraceFile reads such a table again (engine/message/trace_csv.h). For files and for the clipboard. GUI thread; the model outlives it.

#include <QString>

#include "engine/message/record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sbx::ui {

class TraceModel;

class TraceCsv {
public:
    explicit TraceCsv(const TraceModel& model) : m_model(model) {}

    // Columns of the model beside its own, as it is when this is called.
    void setExtraColumns(const std::vector<int>& columns);
    // The names of the columns; as line(), with a line end.
    [[nodiscard]] std::string header() const;
    // Of a row of the store, which is held, with what is noted on it. `before`: the row that time by the wall clock is counted from; it may have been let go.
    [[nodiscard]] std::string line(std::uint64_t row, std::optional<std::uint64_t> before) const;

private:
    struct Extra {
        int column;
        std::string field; // of a column made from a payload field
    };
    [[nodiscard]] std::string extraCell(const Extra& extra, const RecordView& record, std::uint64_t row,
                                        std::optional<std::uint64_t> before) const;

    const TraceModel& m_model;
    std::vector<Extra> m_extra;
};

} // namespace sbx::ui
