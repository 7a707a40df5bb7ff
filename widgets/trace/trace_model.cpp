#include "widgets/trace/trace_model.h"

#include "engine/message/record_filter.h"
#include "widgets/common/foreign_text.h"

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

constexpr std::uint64_t RowsPerClockRead = 128;
constexpr std::string_view MakesEntities = "Spawned"; // the type of message that spawners send for each entity they made

} // namespace

TraceModel::TraceModel(TraceContext& context, TraceStore store, QObject* parent)
    : QAbstractTableModel(parent), m_context(context), m_store(std::move(store)), m_marks(new TraceMarks(this)), m_now(&steadyNs) {
    m_pollTimer.setInterval(PollMs);
    m_workTimer.setInterval(0);
    connect(&m_pollTimer, &QTimer::timeout, this, &TraceModel::fetch);
    connect(&m_workTimer, &QTimer::timeout, this, [this] {
        if (!slice())
            m_workTimer.stop();
    });
    connectMarks();
}

void TraceModel::start() { m_pollTimer.start(); }

void TraceModel::fetch() {
    poll();
    if (slice())
        m_workTimer.start();
}

void TraceModel::catchUp() {
    poll();
    while (slice()) {}
}

void TraceModel::poll() {
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
            m_scanned = m_learned = m_store.first();
            m_pausedEnd = m_store.first();
            m_captured.assign(m_captured.size(), 0);
            m_faults = 0;
            m_context.forgetEntities();
            m_storms.restart();
            endResetModel();
            emit newRun();
        }
    }
    if (!m_polled.empty()) {
        dropOld();
        m_marks->follow(m_store);
    }
    m_polled.clear();
}

void TraceModel::setCollapsing(bool collapse) {
    if (std::exchange(m_collapsing, collapse) != collapse)
        rescan();
}

TraceModel::GroupKey TraceModel::keyOf(const RecordView& record) {
    return {record.sender(), record.receiver(), record.type(), record.world(), TraceContext::outcome(record), TraceContext::consumer(record)};
}

void TraceModel::addToGroups(std::deque<std::uint64_t>& groups, GroupKey& last, const RecordView& record, std::uint64_t at, bool first) {
    const GroupKey key = keyOf(record);
    if ((first && groups.empty()) || !(key == last))
        groups.push_back(at);
    last = key;
}

// A group whose first rows went begins with the first that is left.
void TraceModel::dropGroups(std::deque<std::uint64_t>& groups, const std::deque<std::uint64_t>& rows) {
    if (groups.empty())
        return;
    if (rows.empty()) {
        groups.clear();
        return;
    }
    groups.erase(groups.begin(), std::lower_bound(groups.begin(), groups.end(), rows.front()));
    if (groups.empty() || groups.front() != rows.front())
        groups.push_front(rows.front());
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

// What the store let go leaves the rows too.
void TraceModel::dropOld() {
    const std::uint64_t first = m_store.first();
    m_learned = std::max(m_learned, first);
    m_scanned = std::max(m_scanned, first);
    m_pausedEnd = std::max(m_pausedEnd, first);
    if (m_building) {
        auto& rows = m_building->rows;
        rows.erase(rows.begin(), std::lower_bound(rows.begin(), rows.end(), first));
        dropGroups(m_building->groups, rows);
        m_building->scanned = std::max(m_building->scanned, first);
    }
    const auto kept = std::lower_bound(m_rows.begin(), m_rows.end(), first);
    if (kept != m_rows.begin()) {
        beginRemoveRows({}, 0, static_cast<int>(kept - m_rows.begin()) - 1);
        m_rows.erase(m_rows.begin(), kept);
        dropGroups(m_groups, m_rows);
        endRemoveRows();
    }
}

std::uint64_t TraceModel::limit() const { return m_paused ? m_pausedEnd : m_store.end(); }

// Calls take for rows [from, to) until the slice's time is up; true if it came to the end.
template <typename Take> bool TraceModel::scan(std::uint64_t& from, std::uint64_t to, const Take& take) {
    if (from >= to)
        return true;
    TraceStore::Cursor cursor(m_store, from);
    for (;;) {
        take(cursor.record(), from);
        ++from;
        if (from >= to)
            return true;
        if (from % RowsPerClockRead == 0 && m_now() >= m_deadlineNs)
            return false;
        cursor.next();
    }
}

// True if work is left.
bool TraceModel::slice() {
    const qint64 begin = m_now();
    m_deadlineNs = begin + qint64(SliceMs) * 1000000;
    const int rowsBefore = rowCount();
    const std::uint64_t learnedBefore = m_learned;
    const std::uint64_t scannedBefore = m_scanned;
    const double rate = m_context.source().ticksPerSecond();
    std::vector<TraceStorm> storms;
    bool done = scan(m_learned, m_store.end(), [&](const RecordView& record, std::uint64_t) {
        m_context.learn(record);
        const MessageTypeId type = record.type();
        if (type >= m_captured.size())
            m_captured.resize(type + std::size_t(1), 0);
        if (m_captured[type]++ == 0 && messageType(type).name == MakesEntities)
            m_storms.setMakes(type);
        if (const std::optional<TraceStorm> storm = m_storms.add(record, rate))
            storms.push_back(*storm);
        if (shownAs(TraceContext::outcome(record)) == RecordOutcome::Unhandled)
            ++m_faults;
    });
    for (const TraceStorm& storm : storms)
        tellStorm(storm);
    RecordFilterRow row(m_context);
    const auto matches = [&](const RecordView& record) {
        if (!isShown(record.type()) || (m_markedOnly && !m_marks->isMarked(record.sequence())))
            return false;
        if (m_filter.matchesAll())
            return true;
        row.set(record);
        return m_filter.matches(row);
    };
    const bool wasBuilding = m_building.has_value();
    // Rows are judged only once their names are known, so that the answer does not depend on when it was
    // asked.
    if (m_building) {
        if (scan(m_building->scanned, std::min(limit(), m_learned),
                 [&](const RecordView& record, std::uint64_t at) {
                     if (!matches(record))
                         return;
                     m_building->rows.push_back(at);
                     if (m_collapsing)
                         addToGroups(m_building->groups, m_building->lastKey, record, at);
                 })
            && m_building->scanned >= limit())
            finishBuilding();
        else
            done = false;
    }
    if (!m_building && m_now() < m_deadlineNs) {
        std::vector<std::uint64_t> fresh;
        std::deque<std::uint64_t> groups;
        done = scan(m_scanned, std::min(limit(), m_learned),
                    [&](const RecordView& record, std::uint64_t at) {
                        if (!matches(record))
                            return;
                        fresh.push_back(at);
                        if (m_grouped)
                            addToGroups(groups, m_lastKey, record, at, m_groups.empty());
                    })
               && done;
        if (!fresh.empty()) {
            beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(fresh.size()) - 1);
            m_rows.insert(m_rows.end(), fresh.begin(), fresh.end());
            m_groups.insert(m_groups.end(), groups.begin(), groups.end());
            endInsertRows();
        }
    } else if (!m_building) {
        done = done && m_scanned >= limit();
    }
    if (wasBuilding || rowsBefore != rowCount() || learnedBefore != m_learned || scannedBefore != m_scanned)
        emit countsChanged();
    return !done;
}

void TraceModel::tellStorm(const TraceStorm& storm) {
    const QString type = QString::fromStdString(messageType(storm.type).name);
    const QString sender = toQString(m_context.name(storm.sender));
    const QString what = storm.many         ? tr("%L1 %2 a second from many senders").arg(storm.count).arg(type)
                         : sender.isEmpty() ? tr("%L1 %2 a second from the engine").arg(storm.count).arg(type)
                                            : tr("%L1 %2 a second from %3").arg(storm.count).arg(type, shownLine(m_context.name(storm.sender)));
    QStringList chain;
    for (const std::uint64_t sequence : chainOf(storm.sequence)) {
        const RecordView record = m_store.at(*m_store.rowOf(sequence));
        if (record.through() != NoType)
            chain += tr("%1 (not recorded)").arg(QString::fromStdString(messageType(record.through()).name));
        chain += QString::fromStdString(m_context.type(record).name);
    }
    std::string condition = "type == " + filterLiteral(messageType(storm.type).name);
    if (!sender.isEmpty() && !storm.many)
        condition += " and sender == " + filterLiteral(std::string(m_context.name(storm.sender)));
    if (m_context.worldsSeen() > 1)
        condition += " and world == " + filterLiteral(std::string(m_context.source().worldName(storm.world)));
    emit stormBegan(storm.sequence, what, chain.size() > 1 ? chain.join(QStringLiteral(" → ")) : QString(), QString::fromStdString(condition));
}

void TraceModel::rescan() {
    m_building.emplace();
    m_building->scanned = m_store.first();
    m_workTimer.start();
    // Few records are filtered before the call returns.
    if (!slice())
        m_workTimer.stop();
}

void TraceModel::finishBuilding() {
    beginResetModel();
    m_rows = std::move(m_building->rows);
    m_groups = std::move(m_building->groups);
    m_lastKey = m_building->lastKey;
    m_grouped = m_collapsing;
    m_scanned = m_building->scanned;
    m_building.reset();
    endResetModel();
    emit filtered();
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
    m_scanned = m_learned = m_pausedEnd = m_store.first();
    m_captured.assign(m_captured.size(), 0);
    m_faults = 0;
    endResetModel();
    m_marks->follow(m_store);
    emit countsChanged();
}

int TraceModel::rowAtOrAfter(std::uint64_t sequence) const {
    const auto found =
        std::lower_bound(m_rows.begin(), m_rows.end(), sequence, [this](std::uint64_t row, std::uint64_t s) {
            return m_store.at(row).sequence() < s;
        });
    return static_cast<int>(found - m_rows.begin());
}

int TraceModel::rowAtTick(std::uint64_t tick) const {
    const auto found =
        std::lower_bound(m_rows.begin(), m_rows.end(), tick,
                         [this](std::uint64_t row, std::uint64_t t) { return m_store.at(row).tick() < t; });
    return static_cast<int>(found - m_rows.begin());
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
    return at && *at < m_scanned && !std::binary_search(m_rows.begin(), m_rows.end(), *at);
}

std::vector<std::uint64_t> TraceModel::chainOf(std::uint64_t sequence) const {
    std::vector<std::uint64_t> chain;
    for (auto row = m_store.rowOf(sequence); row && chain.size() < 100;
         row = m_store.rowOf(m_store.at(*row).cause()))
        chain.push_back(m_store.at(*row).sequence());
    std::reverse(chain.begin(), chain.end());
    return chain;
}

std::vector<std::uint64_t> TraceModel::effectsOf(std::uint64_t sequence, std::size_t limit) const {
    std::vector<std::uint64_t> effects;
    const auto row = m_store.rowOf(sequence);
    if (!row || *row + 1 >= m_store.end())
        return effects;
    const std::uint64_t last = std::min(m_store.end(), *row + 50000);
    TraceStore::Cursor cursor(m_store, *row + 1);
    for (std::uint64_t at = *row + 1; at < last && effects.size() < limit; ++at) {
        if (const Envelope& e = cursor.record().envelope(); e.cause == sequence)
            effects.push_back(e.sequence);
        if (at + 1 < last)
            cursor.next();
    }
    return effects;
}

std::uint64_t TraceModel::arrivedWhilePaused() const { return m_paused ? m_store.end() - m_pausedEnd : 0; }

double TraceModel::progress() const {
    if (!m_building)
        return 1.0;
    const std::uint64_t all = limit() - m_store.first();
    return all == 0 ? 1.0
                    : static_cast<double>(m_building->scanned - m_store.first()) / static_cast<double>(all);
}

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
        return shownLine(m_context.outcomeText(record));
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
        static const char* const Docs[] = {"Sequence: the order of dispatch; never changes under a filter",
                                           "Simulation tick of the dispatch",
                                           "Which copy of the world",
                                           "Message type",
                                           "Entity that sent it; a dash: the engine or the console",
                                           "Entity that got it",
                                           "What the message carries",
                                           "The route it took",
                                           "Passed on by every handler, consumed by one, or handled by none",
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
