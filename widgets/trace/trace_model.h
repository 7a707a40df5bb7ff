#pragma once
// The rows that match, as a table. Takes in what the source has on a timer and filters it in slices of at
// most 8 ms (16 while very many wait), so that millions of records never hold up the window; appending inserts rows, only a new filter or
// a new run resets.
//
//     source --poll--> TraceStore --slices: learn names, count, filter--> rows
//                          ^ older ones are read back from the disk, and waited for between slices
//
// A new filter looks at the newest records first and keeps the old rows until its own are complete, or the first of them have been found for
// a while, or all that lies in memory has been looked at: then they stand, and older ones are inserted before them as they are found. Paused, the
// rows stand still while the capture goes on. GUI thread; the context must outlive it.

#include <QAbstractTableModel>
#include <QTimer>

#include "widgets/trace/trace_births.h"
#include "widgets/trace/trace_context.h"
#include "widgets/trace/trace_ignored.h"
#include "widgets/trace/trace_marks.h"
#include "widgets/trace/trace_store.h"
#include "widgets/trace/trace_storms.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace sbx::ui {

class TraceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    // New ones go to the end: the header's state is kept by number. After them come the columns made from payload fields.
    enum Column {
        Number,
        Tick,
        World,
        Type,
        Sender,
        Receiver,
        Fields,
        Delivery,
        Outcome,
        Time,
        Delta,
        Priority,
        Size,
        ColumnCount
    };
    enum Role { SequenceRole = Qt::UserRole, OutcomeRole, UnitRole };

    static constexpr int SliceMs = 8;
    // A slice while so many records have not been looked at yet: where frames take long, few slices fit between them.
    static constexpr int CatchUpMs = 16;
    static constexpr std::uint64_t CatchUpRecords = 250'000;
    static constexpr int PollMs = 33;
    static constexpr int FirstRowsMs = 100; // of a new filter: they stand after that time

    explicit TraceModel(TraceContext& context, TraceStore store = TraceStore(), QObject* parent = nullptr);

    // What slices are measured by, in nanoseconds; the steady clock unless a test says otherwise.
    void setClock(std::function<qint64()> clock) { m_now = std::move(clock); }
    // Polls the source from now on.
    void start();
    // Fetches what there is now.
    void poll();
    // The same, and has it judged soon, as the timer would.
    void fetch();
    // One poll, then slices until nothing is left but older records that a filter has not read back yet: for tests and for a window that
    // was hidden.
    void catchUp();
    // The same with those, however long the disk takes: for tests.
    void finish();
    // Bounds and file of the store from now on.
    void setLimits(TraceLimits limits);

    void setFilter(Filter filter);
    [[nodiscard]] const Filter& filter() const { return m_filter; }
    void setShown(MessageTypeId type, bool shown);
    // All at once; one scan.
    void setShownTypes(const std::vector<MessageTypeId>& hidden);
    [[nodiscard]] bool isShown(MessageTypeId type) const {
        return type >= m_hidden.size() || !m_hidden[type];
    }
    [[nodiscard]] bool hidesTypes() const;
    // What is noted on records. Their ticks are told from its reference.
    [[nodiscard]] TraceMarks& marks() { return *m_marks; }
    [[nodiscard]] const TraceMarks& marks() const { return *m_marks; }
    // Rows that count for nothing in what is derived from the list. Neither the filter nor the counts below know of them.
    [[nodiscard]] TraceIgnored& ignored() { return *m_ignored; }
    [[nodiscard]] const TraceIgnored& ignored() const { return *m_ignored; }
    [[nodiscard]] bool isIgnored(int row) const {
        return m_ignored->has(m_rows[static_cast<std::size_t>(row)]);
    }
    // Only marked rows are shown, of those that the filter lets through.
    void setMarkedOnly(bool on);
    [[nodiscard]] bool isMarkedOnly() const { return m_markedOnly; }
    // What the column says of the record, ignored or not.
    [[nodiscard]] QString text(const RecordView& record, int column) const;
    // "812"; from a reference "+12", of itself "REF".
    [[nodiscard]] QString tickText(const RecordView& record) const;
    // Makes groups of consecutive rows that have type, sender, receiver, world and outcome in common. The rows stay; a list shows a group
    // as one line. Counts, filters and exports know no groups.
    void setCollapsing(bool collapse);
    [[nodiscard]] bool isCollapsing() const { return m_collapsing; }
    // Without collapsing each row is a group.
    [[nodiscard]] int groupCount() const {
        return static_cast<int>(m_grouped ? m_groups.size() : m_rows.size());
    }
    [[nodiscard]] int groupOf(int row) const;
    // The first row of a group; rowCount() for groupCount().
    [[nodiscard]] int groupStart(int group) const;
    [[nodiscard]] int groupSize(int group) const { return groupStart(group + 1) - groupStart(group); }
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_paused; }
    // Forgets all records.
    void clear();

    [[nodiscard]] RecordView record(int row) const {
        return m_store.at(m_rows[static_cast<std::size_t>(row)]);
    }
    // Of a row, without the disk: see TraceStore.
    [[nodiscard]] std::uint64_t sequence(int row) const {
        return m_store.sequenceOf(m_rows[static_cast<std::size_t>(row)]);
    }
    [[nodiscard]] std::uint64_t tick(int row) const {
        return m_store.tickOf(m_rows[static_cast<std::size_t>(row)]);
    }
    [[nodiscard]] MessageTypeId type(int row) const {
        return m_store.typeOf(m_rows[static_cast<std::size_t>(row)]);
    }
    // record() does not wait for the disk.
    [[nodiscard]] bool isReady(int row) const {
        return m_store.isReady(m_rows[static_cast<std::size_t>(row)]);
    }
    // Has it read, and those that follow upward or downward; loaded() comes when some of them are there.
    void request(int row) const { m_store.request(m_rows[static_cast<std::size_t>(row)]); }
    void requestUpward(int row) const { m_store.requestAfter(m_rows[static_cast<std::size_t>(row)]); }
    void requestDownward(int row) const { m_store.requestBefore(m_rows[static_cast<std::size_t>(row)]); }
    // The store's numbers of the rows, ascending.
    [[nodiscard]] const std::deque<std::uint64_t>& storeRows() const { return m_rows; }
    // -1: not among the rows.
    [[nodiscard]] int rowOfSequence(std::uint64_t sequence) const;
    // Held, judged, and not among the rows; or not judged because the user did not want to wait.
    [[nodiscard]] bool isHidden(std::uint64_t sequence) const;
    // The first row at or after the sequence; rowCount() if there is none.
    [[nodiscard]] int rowAtOrAfter(std::uint64_t sequence) const;
    // The first row of that tick or later.
    [[nodiscard]] int rowAtTick(std::uint64_t tick) const;
    // Sequences from the first cause that is still held down to the record itself; at most the last MaxChain. `complete`: nothing is waited
    // for; false if there is more, which has been requested.
    [[nodiscard]] std::vector<std::uint64_t> chainOf(std::uint64_t sequence, bool* complete = nullptr) const;
    static constexpr std::size_t MaxChain = 100'000;

    // What a record caused, by sequence. Ended: no record is left; there may be more beyond the limit; beyond the window of records that
    // was looked at; or it waits for the disk, from which the next ones have been requested.
    enum class EffectsEnd { NoneLeft, Limit, Window, Disk };
    struct Effects {
        std::vector<std::uint64_t> sequences;
        EffectsEnd ended = EffectsEnd::NoneLeft;
    };
    static constexpr std::uint64_t EffectsWindow = 50'000;
    // What it caused directly, among so many records after it; at most `limit`. `complete` as above.
    [[nodiscard]] Effects effectsOf(std::uint64_t sequence, std::size_t limit,
                                    bool* complete = nullptr) const;
    // The same over all levels: what that caused in turn. In one pass, which takes some 20 ns a record.
    static constexpr std::uint64_t AllEffectsWindow = 2'000'000;
    [[nodiscard]] Effects allEffectsOf(std::uint64_t sequence, std::size_t limit,
                                       bool* complete = nullptr) const;
    [[nodiscard]] const TraceStore& store() const { return m_store; }
    // Store rows below it have been looked at: the names in them are known, and lets() can judge them.
    [[nodiscard]] std::uint64_t learnedEnd() const { return m_learned; }
    // The filter, the shown types and the marks, if only marked rows are shown, let the record through, whether or not the list is paused.
    [[nodiscard]] bool lets(const RecordView& record) const;
    [[nodiscard]] const TraceContext& context() const { return m_context; }
    // Records of the type since the run began, whatever the filter.
    [[nodiscard]] std::uint64_t captured(MessageTypeId type) const {
        return type < m_captured.size() ? m_captured[type] : 0;
    }
    // Messages captured so far whose outcome is shown as a fault: nobody acted, too few receivers, gone, unheard, or cut off.
    [[nodiscard]] std::uint64_t faults() const { return m_faults; }
    // The filter that finds them.
    [[nodiscard]] static QString faultsFilter();
    // When entities were made, as far as captured messages say so, whatever the filter.
    [[nodiscard]] const TraceBirths& births() const { return m_births; }
    // Records that came in while paused.
    [[nodiscard]] std::uint64_t arrivedWhilePaused() const;
    // A scan that shows its result when done is under way; 0..1.
    [[nodiscard]] bool isFiltering() const { return m_building.has_value(); }
    [[nodiscard]] double progress() const;
    // The rows stand, and older records are still judged; progress() tells of them.
    [[nodiscard]] bool isSearchingOlder() const {
        return !m_building && m_older > m_store.first() && !m_stopped;
    }
    // Leaves them as they are, until the next filter or resumeOlder().
    void stopOlder();
    void resumeOlder();
    // Rows of the store from here on have been judged.
    [[nodiscard]] std::uint64_t judgedFrom() const { return m_older; }
    // Records that were left so; they are not among the rows, whether they match or not.
    [[nodiscard]] std::uint64_t leftOut() const { return m_stopped ? m_older - m_store.first() : 0; }

    // --- Columns made from payload fields, by the field's name: the values of the messages whose type has such a field.
    void setFieldColumns(const QStringList& fields);
    // False: it has one already.
    bool addFieldColumn(const QString& field);
    void removeFieldColumn(const QString& field);
    [[nodiscard]] const QStringList& fieldColumns() const { return m_fieldColumns; }
    // The payload field of a column, in that record; null: its type has none, or it is another column.
    [[nodiscard]] const FieldInfo* columnField(const RecordView& record, int column) const;
    // Its cells are numbers, on the right.
    [[nodiscard]] bool isNumber(int column) const;
    // Wall time since the row before, in nanoseconds; none: the first row, or it was not recorded.
    [[nodiscard]] std::optional<double> wallDelta(int row) const;
    // The priority of the handler that consumed it.
    [[nodiscard]] static std::optional<std::int32_t> decidingPriority(const RecordView& record);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    // Rows, totals or progress are new.
    void countsChanged();
    // Records were read back that were requested.
    void loaded();
    // The file for older records cannot be used as it should, in words. Once for each file.
    void fileTrouble(const QString& what);
    // The rows of a new filter or mask stand.
    void filtered();
    void newRun();
    // A second is another number of ticks: the filter means something else.
    void tickRateChanged();
    void pausedChanged(bool paused);
    void typesAdded();
    // One sender sends more of one type than is usual: "1,200 Damage a second from phantom (600 in 30 ticks)", and what they are caused by, from the first on.
    // Condition: the filter that shows them.
    void stormBegan(quint64 sequence, const QString& what, const QString& chain, const QString& condition);

private:
    enum class Work { Done, Waits, Left }; // Waits: for the disk
    Work slice();
    void work();
    void takeRead();
    // Reads what the work waits for; false: it waits for nothing.
    bool waitForRead();
    void tellStorm(const TraceStorm& storm);
    void rescan();
    // What consecutive rows of a group have in common.
    struct GroupKey {
        EntityId sender;
        EntityId receiver;
        MessageTypeId type = 0;
        std::uint8_t world = 0;
        RecordOutcome outcome = RecordOutcome::Passed;
        NameId consumer = 0;
        friend bool operator==(const GroupKey&, const GroupKey&) = default;
    };
    [[nodiscard]] static GroupKey keyOf(const RecordView& record);
    // A row that matches begins a group, or belongs to the last one. `first`: there are none before `groups`.
    static void addToGroups(std::deque<std::uint64_t>& groups, GroupKey& last, const RecordView& record,
                            std::uint64_t at, bool first = true);
    static void dropGroups(std::deque<std::uint64_t>& groups, const std::deque<std::uint64_t>& rows);
    void finishBuilding();
    void connectMarks();
    void dropOld();
    [[nodiscard]] std::uint64_t limit() const;
    template <typename IsCause> [[nodiscard]] Effects effects(std::uint64_t sequence, std::size_t limit,
                                                              std::uint64_t window, bool* complete,
                                                              const IsCause& isCause) const;
    template <typename Take> bool scan(std::uint64_t& from, std::uint64_t to, const Take& take);
    // Rows that match, found from the newest on.
    struct Found {
        std::deque<std::uint64_t> rows;
        std::deque<std::uint64_t> groups;
        GroupKey firstKey; // of the first row and of the last, if there are groups
        GroupKey lastKey;
    };
    // Judges rows below `begin` down to `to`, and lowers `begin`, until the slice's time is up or the disk is to be waited for; true if it
    // came to the end.
    bool judgeDown(std::uint64_t& begin, std::uint64_t to, bool grouped, Found& found);
    void judgeSpan(std::uint64_t begin, std::uint64_t end, bool grouped, Found& found) const;
    [[nodiscard]] bool matches(const RecordView& record, RecordFilterRow& row) const;
    // What a row is judged by is known without its record.
    [[nodiscard]] bool needsRecords(bool grouped) const { return grouped || !m_filter.matchesAll(); }
    void insertOlder(Found& found);
    bool build();
    void learnMore(bool& done);
    // What stands in the columns from Time on.
    [[nodiscard]] QString columnText(const RecordView& record, int column) const;
    [[nodiscard]] QString deltaText(int row) const;
    [[nodiscard]] QString columnUnit(int row, int column) const;

    TraceContext& m_context;
    std::atomic<bool> m_woken{false}; // takeRead() is on its way
    TraceStore m_store;
    TraceMarks* m_marks;
    TraceIgnored* m_ignored;
    bool m_markedOnly = false;
    Filter m_filter;
    std::vector<bool> m_hidden;            // by type
    std::vector<std::uint64_t> m_captured; // by type
    std::uint64_t m_faults = 0;
    QStringList m_fieldColumns;
    std::deque<std::uint64_t> m_rows; // store rows, ascending
    bool m_collapsing = false;        // asked for; m_grouped follows with the next rows
    bool m_grouped = false;
    std::deque<std::uint64_t> m_groups; // store rows that begin one, if m_grouped
    GroupKey m_firstKey;                // of the first row, if m_grouped
    GroupKey m_lastKey;                 // of the last row, if m_grouped
    std::uint64_t m_older = 0;          // store rows from here to m_scanned are in m_rows or filtered out
    std::uint64_t m_scanned = 0;
    bool m_stopped = false;     // what is older than m_older stays out
    bool m_waitsForNew = false; // what the last slice waited for
    bool m_waitsForOlder = false;
    QString m_trouble; // that was told
    std::uint64_t m_learned = 0;
    TraceStorms m_storms;
    TraceBirths m_births;
    const FieldInfo* m_made = nullptr; // what m_makes says was made; null: no such message has come
    MessageTypeId m_makes = NoType;
    struct Building {
        Found found;
        bool begun = false;
        std::uint64_t begin = 0; // rows [begin, end) have been judged
        std::uint64_t end = 0;
        qint64 since = 0; // by m_now
    };
    std::optional<Building> m_building;
    bool m_paused = false;
    std::uint64_t m_pausedEnd = 0;
    std::vector<std::shared_ptr<const RecordSegment>> m_polled;
    QTimer m_pollTimer;
    QTimer m_workTimer;
    std::function<qint64()> m_now;
    qint64 m_deadlineNs = 0;
};

} // namespace sbx::ui
