#include "widgets/trace/trace_csv.h"

#include <QStringList>

#include "widgets/trace/trace_model.h"

namespace sbx::ui {

namespace {

constexpr const char* CsvHeader =
    "number,tick,seconds,world,type,sender,receiver,fields,delivery,outcome,injected,comment";

// In quotes where a separator, a quote or a line end would be taken for another thing.
QString csvCell(QString text) {
    if (text.contains(QLatin1Char('"')) || text.contains(QLatin1Char(',')) || text.contains(QLatin1Char('\n'))
        || text.contains(QLatin1Char('\r')))
        return QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
    return text;
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
    std::string text = CsvHeader;
    for (const Extra& extra : m_extra)
        text += extra.column == TraceModel::Delta      ? ",wallMicroseconds"
                : extra.column == TraceModel::Priority ? ",priority"
                : extra.column == TraceModel::Size
                    ? ",bytes"
                    : ","
                          + csvCell(QStringLiteral("fields.") + QString::fromStdString(extra.field))
                                .toStdString();
    return text + "\r\n";
}

QString TraceCsv::extraCell(const Extra& extra, const RecordView& record, std::uint64_t row,
                            std::optional<std::uint64_t> before) const {
    switch (extra.column) {
    case TraceModel::Delta: {
        const bool held = before && *before >= m_model.store().first();
        const std::optional<double> ns = held ? m_model.store().nsBetween(*before, row) : std::nullopt;
        return ns ? QString::number(*ns / 1000.0, 'f', 3) : QString();
    }
    case TraceModel::Priority: {
        const std::optional<std::int32_t> priority = TraceModel::decidingPriority(record);
        return priority ? QString::number(*priority) : QString();
    }
    case TraceModel::Size:
        return QString::number(record.payloadSize());
    default:
        break;
    }
    const TraceContext& context = m_model.context();
    const FieldInfo* field = TraceContext::fieldNamed(context.type(record), extra.field);
    return field == nullptr ? QString() : context.fieldValue(record, *field, true);
}

std::string TraceCsv::line(std::uint64_t row, std::optional<std::uint64_t> before) const {
    const TraceContext& context = m_model.context();
    const RecordView record = m_model.store().at(row);
    const Envelope envelope = record.envelope();
    const double rate = context.source().ticksPerSecond();
    const QStringList cells{QString::number(envelope.sequence),
                            QString::number(envelope.tick),
                            rate > 0.0 ? QString::number(static_cast<double>(envelope.tick) / rate, 'f', 4)
                                       : QString(),
                            toQString(context.world(record)),
                            QString::fromStdString(context.type(record).name),
                            toQString(context.sender(record)),
                            toQString(context.receiver(record)),
                            context.fieldsLine(record),
                            toQString(context.delivery(record)),
                            context.outcomeLine(record),
                            record.injected() ? QStringLiteral("true") : QStringLiteral("false"),
                            m_model.marks().comment(envelope.sequence)};
    QStringList quoted;
    for (const QString& cell : cells)
        quoted.append(csvCell(cell));
    for (const Extra& extra : m_extra)
        quoted.append(csvCell(extraCell(extra, record, row, before)));
    return quoted.join(QLatin1Char(',')).toStdString() + "\r\n";
}

} // namespace sbx::ui
