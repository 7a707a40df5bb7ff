// Columns of numbers, and those made from payload fields.

#include "widgets/trace/trace_model.h"

#include "widgets/common/foreign_text.h"

namespace sbx::ui {

void TraceModel::setFieldColumns(const QStringList& fields) {
    while (!m_fieldColumns.isEmpty())
        removeFieldColumn(m_fieldColumns.back());
    for (const QString& field : fields)
        addFieldColumn(field);
}

bool TraceModel::addFieldColumn(const QString& field) {
    if (field.isEmpty() || m_fieldColumns.contains(field))
        return false;
    beginInsertColumns({}, columnCount(), columnCount());
    m_fieldColumns.append(field);
    endInsertColumns();
    return true;
}

void TraceModel::removeFieldColumn(const QString& field) {
    const auto at = static_cast<int>(m_fieldColumns.indexOf(field));
    if (at < 0)
        return;
    beginRemoveColumns({}, ColumnCount + at, ColumnCount + at);
    m_fieldColumns.removeAt(at);
    endRemoveColumns();
}

const FieldInfo* TraceModel::columnField(const RecordView& record, int column) const {
    if (column < ColumnCount || column >= columnCount())
        return nullptr;
    return TraceContext::fieldNamed(m_context.type(record), m_fieldColumns[column - ColumnCount].toStdString());
}

bool TraceModel::isNumber(int column) const {
    if (column < ColumnCount)
        return column == Number || column == Tick || column >= Time;
    // By the first type that has the field.
    const std::string name = m_fieldColumns[column - ColumnCount].toStdString();
    for (const MessageType* type : m_context.types())
        if (const FieldInfo* field = TraceContext::fieldNamed(*type, name))
            return field->type == FieldType::Int || field->type == FieldType::Float;
    return false;
}

std::optional<double> TraceModel::wallDelta(int row) const {
    if (row <= 0)
        return std::nullopt;
    const std::uint64_t before = m_rows[static_cast<std::size_t>(row) - 1];
    if (before < m_store.first())
        return std::nullopt;
    if (!m_store.isReady(before)) { // of a filter with few rows: it may lie far off on the disk
        m_store.request(before);
        return std::nullopt;
    }
    return m_store.nsBetween(before, m_rows[static_cast<std::size_t>(row)]);
}

std::optional<std::int32_t> TraceModel::decidingPriority(const RecordView& record) {
    if (!record.consumed())
        return std::nullopt;
    return record.visits()[record.reached() - 1].priority;
}

QString TraceModel::deltaText(int row) const {
    const std::optional<double> delta = wallDelta(row);
    return delta ? QString::number(*delta / 1000.0, 'f', 1) : QStringLiteral("—");
}

// All but Delta, which belongs to a row.
QString TraceModel::columnText(const RecordView& record, int column) const {
    switch (column) {
    case Time: {
        const double rate = m_context.source().ticksPerSecond();
        return rate > 0.0 ? QString::number(static_cast<double>(record.tick()) / rate, 'f', 3) : QString();
    }
    case Priority: {
        const std::optional<std::int32_t> priority = decidingPriority(record);
        return priority ? QString::number(*priority) : QString();
    }
    case Size:
        return QString::number(record.payloadSize());
    case Delta:
        return {};
    default:
        break;
    }
    const FieldInfo* field = columnField(record, column);
    return field == nullptr ? QString() : shownLine(m_context.fieldValue(record, *field, false));
}

QString TraceModel::columnUnit(int row, int column) const {
    switch (column) {
    case Time:
        return QStringLiteral("s");
    case Delta:
        return wallDelta(row) ? QStringLiteral("µs") : QString();
    case Size:
        return QStringLiteral("B");
    default:
        break;
    }
    const FieldInfo* field = columnField(record(row), column);
    return field == nullptr ? QString() : QString::fromStdString(field->unit);
}

} // namespace sbx::ui
