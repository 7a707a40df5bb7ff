#include "widgets/trace/trace_csv.h"

#include "engine/core/csv.h"
#include "engine/message/trace_csv.h"
#include "engine/message/trace_json.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sbx::ui {

namespace {

// What a person looks for first: keys of a line, and two columns that are made of them.
constexpr const char* Seconds = "seconds";
constexpr const char* Outcome = "outcome";
constexpr std::array FirstColumns = {"number",   "tick",   Seconds,    "world", "type",     "sender",
                                     "receiver", "fields", "delivery", Outcome, "injected", "comment"};

// None: no line has that key.
std::optional<std::size_t> keyOf(std::string_view column) {
    for (std::size_t key = 0; key < traceKeys().size(); ++key)
        if (column == traceColumn(key))
            return key;
    return std::nullopt;
}

bool isFirst(std::size_t key) {
    return std::any_of(FirstColumns.begin(), FirstColumns.end(),
                       [key](std::string_view column) { return column == traceColumn(key); });
}

} // namespace

void TraceCsv::setExtraColumns(const std::vector<int>& columns) {
    m_extra.clear();
    for (const int column : columns)
        m_extra.push_back(
            {column, column < TraceModel::ColumnCount
                         ? std::string()
                         : m_model.fieldColumns()[column - TraceModel::ColumnCount].toStdString()});
}

std::string TraceCsv::header() const {
    std::string text;
    for (const char* column : FirstColumns)
        text += (text.empty() ? "" : ",") + std::string(column);
    for (const Extra& extra : m_extra)
        text += extra.column == TraceModel::Delta      ? ",wallMicroseconds"
                : extra.column == TraceModel::Priority ? ",priority"
                : extra.column == TraceModel::Size     ? ",bytes"
                                                       : "," + csvCell("fields." + extra.field);
    for (std::size_t key = 0; key < traceKeys().size(); ++key)
        if (!isFirst(key))
            text += "," + std::string(traceColumn(key));
    return text + "\r\n";
}

std::string TraceCsv::extraCell(const Extra& extra, const RecordView& record, std::uint64_t row,
                                std::optional<std::uint64_t> before) const {
    switch (extra.column) {
    case TraceModel::Delta: {
        const bool held = before && *before >= m_model.store().first();
        const std::optional<double> ns = held ? m_model.store().nsBetween(*before, row) : std::nullopt;
        return ns ? QString::number(*ns / 1000.0, 'f', 3).toStdString() : std::string();
    }
    case TraceModel::Priority: {
        const std::optional<std::int32_t> priority = TraceModel::decidingPriority(record);
        return priority ? std::to_string(*priority) : std::string();
    }
    case TraceModel::Size:
        return std::to_string(record.payloadSize());
    default:
        break;
    }
    const TraceContext& context = m_model.context();
    const FieldInfo* field = TraceContext::fieldNamed(context.type(record), extra.field);
    return field == nullptr ? std::string() : context.fieldValue(record, *field, true).toStdString();
}

std::string TraceCsv::line(std::uint64_t row, std::optional<std::uint64_t> before) const {
    const TraceContext& context = m_model.context();
    const RecordView record = m_model.store().at(row);
    const std::vector<std::string> cells =
        traceCells(m_model.marks().withNotes(context.json(record), record.sequence()));
    std::string text;
    for (const char* column : FirstColumns) {
        std::string cell;
        if (column == Seconds) {
            const double rate = context.source().ticksPerSecond();
            cell = rate > 0.0 ? QString::number(static_cast<double>(record.envelope().tick) / rate, 'f', 4)
                                    .toStdString()
                              : std::string();
        } else if (column == Outcome) {
            cell = context.outcomeLine(record).toStdString();
        } else if (const std::optional<std::size_t> key = keyOf(column)) {
            const bool no = cells[*key].empty() && traceKeys()[*key].kind == TraceKey::Kind::Flag;
            cell = no ? "false" : cells[*key];
        }
        text += (column == FirstColumns.front() ? "" : ",") + csvCell(cell);
    }
    for (const Extra& extra : m_extra)
        text += "," + csvCell(extraCell(extra, record, row, before));
    for (std::size_t key = 0; key < cells.size(); ++key)
        if (!isFirst(key))
            text += "," + csvCell(cells[key]);
    return text + "\r\n";
}

} // namespace sbx::ui
