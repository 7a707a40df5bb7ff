#include "widgets/console/log_model.h"

namespace sbx::ui {

namespace {
// Dropping in portions keeps the cost of it away from every poll.
constexpr std::size_t DropAtOnce = LogModel::Capacity / 20;
// An answer may begin in one millisecond and go on in the next.
constexpr quint64 SameMomentMs = 1;
} // namespace

LogModel::LogModel(QObject* parent) : QAbstractListModel(parent) { m_severities.fill(true); }

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_visible.size());
}

const LogModel::Row& LogModel::at(int row) const {
    return m_rows[static_cast<std::size_t>(m_visible[static_cast<std::size_t>(row)] - m_base)];
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return row.text;
    case Qt::AccessibleTextRole:
        return plainText(index.row());
    case SeverityRole:
        return static_cast<int>(row.severity);
    case ChannelRole:
        return row.channel;
    case TimeRole:
        return row.timeMs;
    case CountRole:
        return row.count;
    case SequenceRole:
        return row.sequence;
    default:
        return {};
    }
}

QHash<int, QByteArray> LogModel::roleNames() const {
    QHash<int, QByteArray> names = QAbstractListModel::roleNames();
    names.insert({{SeverityRole, "severity"},
                  {ChannelRole, "channel"},
                  {TimeRole, "time"},
                  {CountRole, "count"},
                  {SequenceRole, "sequence"}});
    return names;
}

LogModel::Repeats LogModel::repeats(int row) const {
    if (row == 0)
        return Repeats::Nothing;
    const Row& above = at(row - 1);
    const Row& here = at(row);
    const bool follows =
        here.sequence - here.count == above.sequence && here.timeMs <= above.timeMs + SameMomentMs;
    if (!follows || !above.isConsole() || !here.isConsole() || here.isInput())
        return Repeats::Nothing;
    // A warning or an error keeps its icon.
    const bool plain = here.severity == LogSeverity::Info && above.severity == LogSeverity::Info;
    return plain && !above.isInput() ? Repeats::TimeAndSource : Repeats::Time;
}

QString LogModel::plainText(int row) const {
    const Row& r = at(row);
    QString line = QStringLiteral("%1 %2 [%3] %4")
                       .arg(static_cast<double>(r.timeMs) / 1000.0, 0, 'f', 3)
                       .arg(QLatin1String(logSeverityName(r.severity)), r.channel, r.text);
    if (r.count > 1)
        line += QStringLiteral(" ×%1").arg(r.count);
    return line;
}

bool LogModel::shows(const Row& row) const {
    if (!severityShown(row.severity) || m_hiddenChannels.contains(row.channel))
        return false;
    if (m_text.isEmpty())
        return true;
    if (m_isExpression)
        return m_expression.match(row.text).hasMatch() || m_expression.match(row.channel).hasMatch();
    return row.text.contains(m_text, Qt::CaseInsensitive)
           || row.channel.contains(m_text, Qt::CaseInsensitive);
}

void LogModel::tally(const Row& row, quint64 count, bool add) {
    quint64& severity = m_counts[static_cast<std::size_t>(row.severity)];
    quint64& channel = m_channels[row.channel];
    severity = add ? severity + count : severity - count;
    channel = add ? channel + count : channel - count;
}

bool LogModel::repeat(const LogRecord& record) {
    if (m_rows.empty() || record.count < 2)
        return false;
    Row& last = m_rows.back();
    if (last.sequence - last.count + 1 != std::max<quint64>(record.firstSequence(), m_cleared + 1))
        return false;
    tally(last, record.sequence - last.sequence, true);
    last.count += static_cast<quint32>(record.sequence - last.sequence);
    last.sequence = record.sequence;
    last.timeMs = record.timeMs;
    if (!m_visible.empty() && m_visible.back() == m_base + m_rows.size() - 1) {
        const QModelIndex changed = index(rowCount() - 1);
        emit dataChanged(changed, changed);
    }
    return true;
}

void LogModel::append(const std::vector<LogRecord>& records) {
    if (records.empty())
        return;
    std::vector<Row> fresh;
    for (const LogRecord& record : records) {
        if (record.sequence <= m_latest)
            continue;
        m_latest = record.sequence;
        if (fresh.empty() && repeat(record))
            continue;
        Row row{record.sequence,
                record.timeMs,
                record.severity,
                QString::fromStdString(record.channel),
                QString::fromStdString(record.text),
                record.count};
        if (record.firstSequence() <= m_cleared)
            row.count = static_cast<quint32>(record.sequence - m_cleared);
        fresh.push_back(std::move(row));
    }
    std::vector<quint64> shown;
    const quint64 next = m_base + m_rows.size();
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        tally(fresh[i], fresh[i].count, true);
        if (shows(fresh[i]))
            shown.push_back(next + i);
    }
    const int first = rowCount();
    if (!shown.empty())
        beginInsertRows({}, first, first + static_cast<int>(shown.size()) - 1);
    m_rows.insert(m_rows.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
    m_visible.insert(m_visible.end(), shown.begin(), shown.end());
    if (!shown.empty())
        endInsertRows();
    if (m_rows.size() > Capacity + DropAtOnce)
        dropOldest();
    emit countsChanged();
}

void LogModel::dropOldest() {
    const std::size_t drop = m_rows.size() - Capacity;
    const quint64 base = m_base + drop;
    std::size_t gone = 0;
    while (gone < m_visible.size() && m_visible[gone] < base)
        ++gone;
    if (gone > 0)
        beginRemoveRows({}, 0, static_cast<int>(gone) - 1);
    for (std::size_t i = 0; i < drop; ++i)
        tally(m_rows[i], m_rows[i].count, false);
    m_visible.erase(m_visible.begin(), m_visible.begin() + static_cast<std::ptrdiff_t>(gone));
    m_rows.erase(m_rows.begin(), m_rows.begin() + static_cast<std::ptrdiff_t>(drop));
    m_base = base;
    if (gone > 0)
        endRemoveRows();
}

void LogModel::clear() {
    beginResetModel();
    m_rows.clear();
    m_visible.clear();
    m_base = 0;
    m_cleared = m_latest;
    m_counts.fill(0);
    // The channels stay, so that a filter on one can be taken back.
    for (quint64& count : m_channels)
        count = 0;
    endResetModel();
    emit countsChanged();
}

void LogModel::refilter() {
    beginResetModel();
    m_visible.clear();
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (shows(m_rows[i]))
            m_visible.push_back(m_base + i);
    endResetModel();
    emit countsChanged();
}

void LogModel::setSeverityShown(LogSeverity severity, bool shown) {
    bool& now = m_severities[static_cast<std::size_t>(severity)];
    if (now == shown)
        return;
    now = shown;
    refilter();
}

void LogModel::setChannelShown(const QString& channel, bool shown) {
    if (channelShown(channel) == shown)
        return;
    if (shown)
        m_hiddenChannels.remove(channel);
    else
        m_hiddenChannels.insert(channel);
    refilter();
}

QString LogModel::setText(const QString& text, bool isExpression) {
    if (isExpression) {
        QRegularExpression expression(text, QRegularExpression::CaseInsensitiveOption);
        if (!expression.isValid())
            return tr("Not a regular expression: %1 at character %2")
                .arg(expression.errorString())
                .arg(expression.patternErrorOffset() + 1);
        m_expression = std::move(expression);
    }
    if (m_text != text || m_isExpression != isExpression) {
        m_text = text;
        m_isExpression = isExpression;
        refilter();
    }
    return {};
}

} // namespace sbx::ui

#include "moc_log_model.cpp"
