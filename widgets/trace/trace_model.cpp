#include "widgets/trace/trace_model.h"

#include "engine/message/record_filter.h"
#include "engine/message/trace_reader.h"
#include "widgets/common/foreign_text.h"
#include "widgets/trace/trace_runaways.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace sbx::ui {

namespace {

qint64 steadyNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

TraceModel::TraceModel(TraceContext& context, TraceStore store, QObject* parent)
    : QAbstractTableModel(parent),
      m_context(context),
      m_store(std::move(store)),
      m_marks(new TraceMarks(this)),
      m_ignored(new TraceIgnored(this)),
      m_now(&steadyNs) {
    m_pollTimer.setInterval(PollMs);
    m_workTimer.setInterval(0);
    connect(&m_pollTimer, &QTimer::timeout, this, &TraceModel::fetch);
    connect(&m_workTimer, &QTimer::timeout, this, &TraceModel::work);
    m_store.setWake([this] {
        if (!m_woken.exchange(true))
            QMetaObject::invokeMethod(this, &TraceModel::takeRead, Qt::QueuedConnection);
    });
    connectMarks();
}

void TraceModel::start() { m_pollTimer.start(); }

void TraceModel::fetch() {
    poll();
    work();
}

void TraceModel::work() {
    if (slice() == Work::Left)
        m_workTimer.start();
    else
        m_workTimer.stop();
}

void TraceModel::poll() {
    takeRead();
    m_polled.clear();
    m_context.source().poll(m_polled);
    // After the poll: a type is known before its first record.
    if (m_context.updateTypes())
        emit typesAdded();
    if (m_context.followTickRate())
        emit tickRateChanged();
    for (auto& segment : m_polled) {
        if (m_store.append(std::move(segment)) == TraceStore::Appended::NewRun) {
            beginResetModel();
            m_rows.clear();
            m_groups.clear();
            m_lastKey = {};
            m_grouped = m_collapsing;
            m_building.reset();
            m_older = m_scanned = m_learned = m_store.first();
            m_pausedEnd = m_store.first();
            m_stopped = false;
            m_captured.assign(m_captured.size(), 0);
            m_faults = 0;
            m_context.forgetEntities();
            m_storms.restart();
            m_births.restart();
            endResetModel();
            emit newRun();
        }
    }
    if (!m_polled.empty()) {
        dropOld();
        m_marks->follow(m_store);
        std::vector<TraceNote> notes;
        m_context.source().takeNotes(notes);
        if (!notes.empty()) {
            m_marks->add(notes);
            m_marks->follow(m_store); // some of the records have gone again
        }
    }
    m_polled.clear();
}

int TraceModel::groupOf(int row) const {
    if (!m_grouped)
        return row;
    const auto after = std::upper_bound(m_groups.begin(), m_groups.end(), m_rows[static_cast<std::size_t>(row)]);
    return static_cast<int>(after - m_groups.begin()) - 1;
}

int TraceModel::groupStart(int group) const {
    if (!m_grouped)
        return group;
    if (group >= static_cast<int>(m_groups.size()))
        return rowCount();
    return static_cast<int>(std::lower_bound(m_rows.begin(), m_rows.end(), m_groups[static_cast<std::size_t>(group)]) - m_rows.begin());
}

void TraceModel::tellStorm(const TraceStorm& storm) {
    const QString type = QString::fromStdString(messageType(storm.type).name);
    const QString sender = toQString(m_context.name(storm.sender));
    const double ticksPerSecond = m_context.source().ticksPerSecond();
    const auto rate = qRound64(storm.perSecond(ticksPerSecond));
    QString what = storm.many         ? tr("%L1 %2 a second from many senders").arg(rate).arg(type)
                   : sender.isEmpty() ? tr("%L1 %2 a second from the engine").arg(rate).arg(type)
                                      : tr("%L1 %2 a second from %3").arg(rate).arg(type, shownLine(m_context.name(storm.sender)));
    if (storm.ticks == 1)
        what += tr(" (%L1 in one tick)").arg(storm.count);
    else if (static_cast<double>(storm.ticks) < ticksPerSecond)
        what += tr(" (%L1 in %L2 ticks)").arg(storm.count).arg(storm.ticks);
    const QStringList chain = chainOfTypes(*this, storm.sequence);
    std::string condition = "type == " + filterLiteral(messageType(storm.type).name);
    if (!sender.isEmpty() && !storm.many)
        condition += " and sender == " + filterLiteral(std::string(m_context.name(storm.sender)));
    if (m_context.worldsSeen() > 1)
        condition += " and world == " + filterLiteral(std::string(m_context.source().worldName(storm.world)));
    emit stormBegan(storm.sequence, what,
                    chain.size() > 1 || chain.join(QString()).contains(QChar(0xD7))
                        ? chain.join(QStringLiteral(" → "))
                        : QString(),
                    QString::fromStdString(condition));
}

void TraceModel::setFilter(Filter filter) {
    m_filter = std::move(filter);
    rescan();
}

void TraceModel::setShown(MessageTypeId type, bool shown) {
    if (isShown(type) == shown)
        return;
    if (type >= m_hidden.size())
        m_hidden.resize(type + std::size_t(1), false);
    m_hidden[type] = !shown;
    rescan();
}

void TraceModel::setShownTypes(const std::vector<MessageTypeId>& hidden) {
    std::vector<bool> next;
    for (const MessageTypeId type : hidden) {
        if (type >= next.size())
            next.resize(type + std::size_t(1), false);
        next[type] = true;
    }
    m_hidden = std::move(next);
    rescan();
}

bool TraceModel::hidesTypes() const {
    return std::find(m_hidden.begin(), m_hidden.end(), true) != m_hidden.end();
}

QString TraceModel::faultsFilter() {
    QStringList names;
    for (const RecordOutcome outcome : {RecordOutcome::Unhandled, RecordOutcome::Short, RecordOutcome::Gone, RecordOutcome::NoListener, RecordOutcome::CutOff})
        names.append(QString::fromLatin1(outcomeName(outcome)));
    return QStringLiteral("outcome in (%1)").arg(names.join(QStringLiteral(", ")));
}

void TraceModel::setPaused(bool paused) {
    if (m_paused == paused)
        return;
    m_paused = paused;
    m_pausedEnd = m_building ? m_store.end() : m_scanned;
    if (!paused)
        m_workTimer.start();
    emit pausedChanged(paused);
    emit countsChanged();
}

void TraceModel::clear() {
    beginResetModel();
    m_store.clear();
    m_rows.clear();
    m_groups.clear();
    m_lastKey = {};
    m_grouped = m_collapsing;
    m_building.reset();
    m_older = m_scanned = m_learned = m_pausedEnd = m_store.first();
    m_stopped = false;
    m_captured.assign(m_captured.size(), 0);
    m_faults = 0;
    endResetModel();
    m_marks->follow(m_store);
    m_ignored->follow(m_store);
    emit countsChanged();
}

int TraceModel::rowAtOrAfter(std::uint64_t sequence) const {
    return static_cast<int>(std::lower_bound(m_rows.begin(), m_rows.end(), m_store.rowAtOrAfter(sequence))
                            - m_rows.begin());
}

int TraceModel::rowAtTick(std::uint64_t tick) const {
    return static_cast<int>(std::lower_bound(m_rows.begin(), m_rows.end(), m_store.rowAtTick(tick))
                            - m_rows.begin());
}

int TraceModel::rowOfSequence(std::uint64_t sequence) const {
    const auto at = m_store.rowOf(sequence);
    if (!at)
        return -1;
    const auto found = std::lower_bound(m_rows.begin(), m_rows.end(), *at);
    return found != m_rows.end() && *found == *at ? static_cast<int>(found - m_rows.begin()) : -1;
}

bool TraceModel::isHidden(std::uint64_t sequence) const {
    const auto at = m_store.rowOf(sequence);
    if (!at || *at >= m_scanned)
        return false;
    return *at < m_older ? m_stopped : !std::binary_search(m_rows.begin(), m_rows.end(), *at);
}

std::uint64_t TraceModel::arrivedWhilePaused() const { return m_paused ? m_store.end() - m_pausedEnd : 0; }

int TraceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TraceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount + static_cast<int>(m_fieldColumns.size());
}

QVariant TraceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != SequenceRole && role != OutcomeRole && role != UnitRole)
        return {};
    // Asked while rows are about to be removed: their records may be gone already.
    if (m_rows[static_cast<std::size_t>(index.row())] < m_store.first())
        return {};
    const RecordView record = this->record(index.row());
    if (role == SequenceRole)
        return QVariant::fromValue<qulonglong>(record.sequence());
    if (role == OutcomeRole)
        return static_cast<int>(TraceContext::outcome(record));
    if (role == UnitRole)
        return columnUnit(index.row(), index.column());
    if (index.column() == Delta)
        return deltaText(index.row());
    if (index.column() == Outcome && isIgnored(index.row()))
        return tr("ignored");
    return text(record, index.column());
}

QString TraceModel::text(const RecordView& record, int column) const {
    if (column >= Time)
        return columnText(record, column);
    switch (static_cast<Column>(column)) {
    case Number:
        return QString::number(record.sequence());
    case Tick:
        return tickText(record);
    case World:
        return shownLine(m_context.world(record));
    case Type:
        return shownLine(m_context.type(record).name);
    case Sender:
        return shownLine(m_context.sender(record));
    case Receiver:
        return shownLine(m_context.receiverText(record));
    case Fields:
        return shownLine(m_context.fieldsLine(record));
    case Delivery:
        return toQString(TraceContext::delivery(record));
    case Outcome:
        return shownLine(m_context.outcomeLine(record));
    case Time:
    case Delta:
    case Priority:
    case Size:
    case ColumnCount:
        break;
    }
    return {};
}

QVariant TraceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const bool field = section >= ColumnCount;
    if (role == Qt::DisplayRole) {
        if (field)
            return shownLine(m_fieldColumns[section - ColumnCount]);
        if (section == Tick && m_marks->reference())
            return tr("Tick +/-");
        static const char* const Names[] = {"No.",      "Tick",    "World", "Type",   "Sender",   "Receiver", "Fields",
                                            "Delivery", "Outcome", "Time",  "Wall Δ", "Priority", "Size"};
        return QString::fromUtf8(Names[section]);
    }
    if (role == Qt::ToolTipRole) {
        if (field)
            return tr("The field %1 of the messages that have it").arg(shownLine(m_fieldColumns[section - ColumnCount]));
        if (section == Tick && m_marks->reference())
            return tr("Ticks from #%1, the time reference (Ctrl+T on it ends that)").arg(m_marks->reference()->sequence);
        static const char* const Docs[] = {
            "Sequence: the order of dispatch; never changes under a filter",
            "Simulation tick of the dispatch",
            "Which copy of the world",
            "Message type",
            "Entity that sent it; a dash: the engine or the console",
            "Entity that got it",
            "What the message carries",
            "The route it took",
            "Passed on by every handler, consumed by one, or handled by none; or ignored by you",
            "Simulated time of the dispatch",
            "Wall time since the row before; trace.stamps 1 in the console records it",
            "Priority of the handler that consumed it",
            "Size of what the message carries"};
        return QString::fromUtf8(Docs[section]);
    }
    return {};
}

} // namespace sbx::ui

#include "moc_trace_model.cpp"
