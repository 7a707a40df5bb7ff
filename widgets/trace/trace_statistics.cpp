#include "widgets/trace/trace_statistics.h"

#include <QElapsedTimer>

#include "engine/core/filter.h"
#include "widgets/common/foreign_text.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace sbx::ui {

namespace {

// "12.3 µs", with three figures.
QString timeText(double nanoseconds) {
    const bool milli = nanoseconds >= 1e6;
    const double value = nanoseconds / (milli ? 1e6 : 1e3);
    return QStringLiteral("%1 %2").arg(value, 0, 'f', value < 10.0 ? 2 : value < 100.0 ? 1 : 0).arg(milli ? QStringLiteral("ms") : QStringLiteral("µs"));
}

} // namespace

void TimeHistogram::add(std::uint32_t nanoseconds) {
    if (nanoseconds == 0)
        return;
    const int step = static_cast<int>(std::log2(static_cast<double>(nanoseconds)) * StepsPerOctave);
    ++m_steps[static_cast<std::size_t>(std::clamp(step, 0, static_cast<int>(m_steps.size()) - 1))];
    ++m_count;
    m_maximum = std::max(m_maximum, nanoseconds);
}

double TimeHistogram::percentile(double share) const {
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(m_count)));
    std::uint64_t below = 0;
    for (std::size_t step = 0; step < m_steps.size(); ++step) {
        below += m_steps[step];
        if (below >= wanted && below > 0) // the middle of the step, as a ratio
            return std::min(std::exp2((static_cast<double>(step) + 0.5) / StepsPerOctave), static_cast<double>(m_maximum));
    }
    return 0.0;
}

TraceStatisticsModel::TraceStatisticsModel(const TraceModel& trace, QObject* parent) : QAbstractTableModel(parent), m_trace(trace) {
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_trace.store().trim();
        if (count(SliceMs) || m_waits)
            m_timer.stop();
    });
    connect(&trace, &TraceModel::loaded, this, [this] {
        if (m_waits)
            m_timer.start();
    });
    connect(&trace, &TraceModel::filtered, this, &TraceStatisticsModel::restart);
    connect(&trace, &TraceModel::newRun, this, &TraceStatisticsModel::restart);
    connect(&trace.ignored(), &TraceIgnored::changed, this, &TraceStatisticsModel::restart);
    connect(&trace, &TraceModel::countsChanged, this, [this] {
        if (!m_active)
            return;
        if (m_trace.rowCount() == 0 && m_begun && m_trace.store().dropped() == 0)
            restart(); // it was cleared
        m_timer.start();
    });
}

void TraceStatisticsModel::setBy(By by) {
    if (by == m_by)
        return;
    m_by = by;
    restart();
}

void TraceStatisticsModel::setActive(bool active) {
    m_active = active;
    if (active)
        restart();
    else
        m_timer.stop();
}

void TraceStatisticsModel::restart() {
    beginResetModel();
    m_rows.clear();
    m_byName.clear();
    m_shown = 0;
    m_next = m_begin = 0;
    m_begun = false;
    m_ignored.clear();
    m_total = m_letGo = 0;
    m_times = false;
    m_largest.fill(-1.0);
    endResetModel();
    emit updated();
    if (m_active)
        m_timer.start();
}

void TraceStatisticsModel::catchUp() {
    m_atOnce = true;
    while (!count(std::numeric_limits<int>::max())) {}
    m_atOnce = false;
}

TraceStatisticsModel::Row& TraceStatisticsModel::rowOf(std::string_view name) {
    const auto [at, added] = m_byName.emplace(std::string(name), m_rows.size());
    if (added)
        m_rows.push_back({std::string(name), 0, 0, {}});
    return m_rows[at->second];
}

void TraceStatisticsModel::take(int row) {
    const std::uint64_t at = m_trace.storeRows()[static_cast<std::size_t>(row)];
    if (m_trace.ignored().has(at))
        m_ignored.add(at, at + 1);
    else
        addRecord(row);
}

void TraceStatisticsModel::addRecord(int row) {
    const TraceContext& context = m_trace.context();
    const RecordView record = m_trace.record(row);
    const Envelope envelope = record.envelope();
    // Worlds may be at different ticks.
    m_firstTick = m_total == 0 ? envelope.tick : std::min(m_firstTick, envelope.tick);
    m_lastTick = m_total == 0 ? envelope.tick : std::max(m_lastTick, envelope.tick);
    ++m_total;
    std::uint64_t spent = 0;
    for (const HandlerVisit visit : record.visits()) {
        if (visit.result == HandlerResult::NotReached)
            continue;
        spent += visit.nanoseconds;
        if (m_by == By::Handler) {
            Row& of = rowOf(context.name(visit.component));
            ++of.count;
            of.bytes += record.payloadSize();
            of.times.add(visit.nanoseconds);
        }
    }
    m_times = m_times || spent > 0;
    if (m_by == By::Handler)
        return;
    Row& of = rowOf(m_by == By::Type     ? std::string_view(context.type(record).name)
                    : m_by == By::Sender ? context.sender(record)
                                         : context.receiver(record));
    ++of.count;
    of.bytes += record.payloadSize();
    of.times.add(static_cast<std::uint32_t>(std::min<std::uint64_t>(spent, std::numeric_limits<std::uint32_t>::max())));
}

bool TraceStatisticsModel::count(int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    if (!m_begun && m_trace.rowCount() > 0) {
        m_next = m_begin = m_trace.sequence(0);
        m_begun = true;
    }
    int row = m_trace.rowAtOrAfter(m_next);
    const int end = m_trace.rowCount();
    int done = 0;
    m_waits = false;
    const auto goesOn = [&](int to, bool upward) {
        if (++done % 64 == 0 && clock.elapsed() >= milliseconds)
            return false;
        m_waits = !m_atOnce && !m_trace.isIgnored(to) && !m_trace.isReady(to);
        if (m_waits && upward)
            m_trace.requestUpward(to);
        else if (m_waits)
            m_trace.requestDownward(to);
        return !m_waits;
    };
    bool any = false;
    for (; row < end && goesOn(row, true); ++row) {
        take(row);
        m_next = m_trace.sequence(row) + 1;
        any = true;
    }
    // What was found since among older ones.
    int below = row < end ? 0 : m_trace.rowAtOrAfter(m_begin);
    for (; below > 0 && goesOn(below - 1, false); --below) {
        take(below - 1);
        m_begin = m_trace.sequence(below - 1);
        any = true;
    }
    if (m_rows.size() > m_shown) {
        beginInsertRows({}, static_cast<int>(m_shown), static_cast<int>(m_rows.size()) - 1);
        m_shown = m_rows.size();
        endInsertRows();
    }
    if (any)
        m_largest.fill(-1.0);
    const auto held =
        static_cast<std::uint64_t>(m_trace.rowAtOrAfter(m_next) - m_trace.rowAtOrAfter(m_begin));
    m_ignored.dropBelow(m_trace.store().first());
    const std::uint64_t counted = held - std::min(held, m_ignored.count());
    const std::uint64_t letGo = m_total - std::min(m_total, counted);
    const bool less = std::exchange(m_letGo, letGo) != letGo;
    if (any && m_shown > 0)
        emit dataChanged(index(0, 0), index(static_cast<int>(m_shown) - 1, ColumnCount - 1));
    if (less || any)
        emit updated();
    return row >= end && below == 0;
}

QString TraceStatisticsModel::conditionOf(int row) const {
    const std::string& name = m_rows[static_cast<std::size_t>(row)].name;
    if (name.empty())
        return {};
    const char* const field = m_by == By::Type ? "type" : m_by == By::Sender ? "sender" : m_by == By::Receiver ? "receiver" : "handlers.component";
    return QStringLiteral("%1 == %2").arg(QLatin1String(field), QString::fromStdString(filterLiteral(name)));
}

int TraceStatisticsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_shown); }

int TraceStatisticsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

double TraceStatisticsModel::number(const Row& row, int column) const {
    switch (column) {
    case Count:
        return static_cast<double>(row.count);
    case Share:
        return m_total == 0 ? 0.0 : 100.0 * static_cast<double>(row.count) / static_cast<double>(m_total);
    case Bytes:
        return static_cast<double>(row.bytes);
    case Rate: {
        const double seconds =
            static_cast<double>(m_lastTick - m_firstTick + 1) / m_trace.context().source().ticksPerSecond();
        return static_cast<double>(row.count) / seconds;
    }
    case Median:
        return row.times.percentile(0.5);
    case High:
        return row.times.percentile(0.95);
    case Maximum:
        return static_cast<double>(row.times.maximum());
    default:
        return 0.0;
    }
}

double TraceStatisticsModel::largest(int column) const {
    double& known = m_largest[static_cast<std::size_t>(column)];
    if (known < 0.0) {
        known = 0.0;
        for (const Row& row : m_rows)
            known = std::max(known, number(row, column));
    }
    return known;
}

QVariant TraceStatisticsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return column == Name ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (column == Name) {
        if (role == SortRole)
            return shownLine(row.name);
        return role != Qt::DisplayRole ? QVariant()
               : row.name.empty()      ? QVariant(tr("none"))
                                       : QVariant(shownLine(row.name));
    }
    if (role == BarRole) {
        const double most = largest(column);
        return most > 0.0 ? QVariant(number(row, column) / most) : QVariant();
    }
    if (role == SortRole)
        return number(row, column);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Count:
        return QStringLiteral("%L1").arg(row.count);
    case Bytes:
        return QStringLiteral("%L1").arg(row.bytes);
    case Share:
        return QStringLiteral("%1 %").arg(number(row, column), 0, 'f', 1);
    case Rate: {
        const double rate = number(row, column);
        return QStringLiteral("%1").arg(rate, 0, 'f', rate < 100.0 ? 1 : 0);
    }
    default:
        return row.times.count() == 0 ? QStringLiteral("–") : timeText(number(row, column));
    }
}

QVariant TraceStatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Name ? QVariant(Qt::AlignLeft | Qt::AlignVCenter) : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Share:
            return m_by == By::Handler ? tr("Of the messages that are counted, how many reached this handler")
                                       : tr("Of the messages that are counted");
        case Bytes:
            return tr("Of what the messages carry, as they are held in memory");
        case Rate:
            return tr("A second of the simulation, over the time from the first to the last message");
        case Median:
            return tr("Half of the handlers' times are shorter; within 5 %");
        case High:
            return tr("95 of 100 are shorter; within 5 %");
        default:
            return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return m_by == By::Type ? tr("Type") : m_by == By::Sender ? tr("Sender") : m_by == By::Receiver ? tr("Receiver") : tr("Component");
    case Count:
        return tr("Count");
    case Share:
        return tr("Share");
    case Bytes:
        return tr("Bytes");
    case Rate:
        return tr("Per second");
    case Median:
        return tr("Median");
    case High:
        return tr("95 %");
    case Maximum:
        return tr("Longest");
    default:
        return {};
    }
}

} // namespace sbx::ui

#include "moc_trace_statistics.cpp"
