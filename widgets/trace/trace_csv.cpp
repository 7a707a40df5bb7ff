#include "widgets/trace/trace_csv.h"

#include "engine/core/csv.h"
#include "engine/message/trace_csv.h"
#include "engine/message/trace_json.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace sbx::ui {

namespace {

// What a person looks for first: keys of a line, and two columns that are made of them.
constexpr std::string_view Seconds = "seconds";
constexpr std::string_view Outcome = "outcome";
constexpr std::string_view FirstColumns[] = {"number",   "tick",   Seconds,    "world",
                                             "type",     "sender", "receiver", "fields",
                                             "delivery", Outcome,  "injected", "comment"};

struct Column {
    std::string_view name;
    std::size_t key = 0; // of traceKeys(), unless it is Seconds or Outcome
};
struct Columns {
    std::vector<Column> first;
    std::vector<Column> last; // all other keys, behind those that were asked for
};

const Columns& columns() {
    static const Columns All = [] {
        Columns made;
        for (const std::string_view name : FirstColumns)
            made.first.push_back({name});
        for (std::size_t key = 0; key < traceKeys().size(); ++key) {
            const std::string_view name = traceColumn(key);
            const auto at = std::find(std::begin(FirstColumns), std::end(FirstColumns), name);
            if (at == std::end(FirstColumns))
                made.last.push_back({name, key});
            else
                made.first[static_cast<std::size_t>(at - std::begin(FirstColumns))].key = key;
        }
        return made;
    }();
    return All;
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
    for (const Column& column : columns().first)
        text += (text.empty() ? "" : ",") + std::string(column.name);
    for (const Extra& extra : m_extra)
        text += extra.column == TraceModel::Delta      ? ",wallMicroseconds"
                : extra.column == TraceModel::Priority ? ",priority"
                : extra.column == TraceModel::Size     ? ",bytes"
                                                       : "," + csvCell("fields." + extra.field);
    for (const Column& column : columns().last)
        text += "," + std::string(column.name);
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
    for (const Column& column : columns().first) {
        std::string cell = cells[column.key];
        if (column.name == Seconds) {
            const double rate = context.source().ticksPerSecond();
            const auto tick = static_cast<double>(record.envelope().tick);
            cell = rate > 0.0 ? QString::number(tick / rate, 'f', 4).toStdString() : std::string();
        } else if (column.name == Outcome) {
            cell = context.outcomeLine(record).toStdString();
        } else if (cell.empty() && traceKeys()[column.key].kind == TraceKey::Kind::Flag) {
            cell = "false";
        }
        text += (&column == &columns().first.front() ? "" : ",") + csvCell(cell);
    }
    for (const Extra& extra : m_extra)
        text += "," + csvCell(extraCell(extra, record, row, before));
    for (const Column& column : columns().last)
        text += "," + csvCell(cells[column.key]);
    return text + "\r\n";
}

} // namespace sbx::ui
