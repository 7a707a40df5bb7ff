#pragma once
// The rows that match, as a table. Takes in what the source has on a timer and filters it in slices of at
// most 8 ms, so that a million records never hold up the window; appending inserts rows, only a new filter or
// a new run resets.
//
//     source --poll--> TraceStore --slices: learn names, count, filter--> rows
//
// A new filter keeps the old rows until its own are complete. Paused, the rows stand still while the capture
// goes on. GUI thread; the context must outlive it.

#include <QAbstractTableModel>
#include <QTimer>

#include "widgets/trace/trace_context.h"
#include "widgets/trace/trace_marks.h"
#include "widgets/trace/trace_store.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace sbx::ui {

class TraceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, Tick, World, Type, Sender, Receiver, Fields, Delivery, Outcome, ColumnCount };
    enum Role { SequenceRole = Qt::UserRole, OutcomeRole };

    static constexpr int SliceMs = 8;
    static constexpr int PollMs = 33;

    explicit TraceModel(TraceContext& context, TraceStore store = TraceStore(), QObject* parent = nullptr);

    // What slices are measured by, in nanoseconds; the steady clock unless a test says otherwise.
    void setClock(std::function<qint64()> clock) { m_now = std::move(clock); }
    // Polls the source from now on.
    void start();
    // Fetches what there is now.
    void poll();
    // The same, and has it judged soon, as the timer would.
    void fetch();
    // One poll, then slices until nothing is left: for tests and for a window that was hidden.
    void catchUp();

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
    // Only marked rows are shown, of those that the filter lets through.
    void setMarkedOnly(bool on);
    [[nodiscard]] bool isMarkedOnly() const { return m_markedOnly; }
    // What the column says of the record.
    [[nodiscard]] QString text(const RecordView& record, int column) const;
    // "812"; from a reference "+12", of itself "REF".
    [[nodiscard]] QString tickText(const RecordView& record) const;
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_paused; }
    // Forgets all records.
    void clear();

    [[nodiscard]] RecordView record(int row) const {
        return m_store.at(m_rows[static_cast<std::size_t>(row)]);
    }
    // -1: not among the rows.
    [[nodiscard]] int rowOfSequence(std::uint64_t sequence) const;
    // Held, judged, and not among the rows.
    [[nodiscard]] bool isHidden(std::uint64_t sequence) const;
    // The first row at or after the sequence; rowCount() if there is none.
    [[nodiscard]] int rowAtOrAfter(std::uint64_t sequence) const;
    // The first row of that tick or later.
    [[nodiscard]] int rowAtTick(std::uint64_t tick) const;
    // Sequences from the first cause that is still held down to the record itself; at most 100.
    [[nodiscard]] std::vector<std::uint64_t> chainOf(std::uint64_t sequence) const;
    // What it caused directly, as far as the next 50,000 records tell; at most `limit`.
    [[nodiscard]] std::vector<std::uint64_t> effectsOf(std::uint64_t sequence, std::size_t limit) const;
    [[nodiscard]] const TraceStore& store() const { return m_store; }
    [[nodiscard]] const TraceContext& context() const { return m_context; }
    // Records of the type since the run began, whatever the filter.
    [[nodiscard]] std::uint64_t captured(MessageTypeId type) const {
        return type < m_captured.size() ? m_captured[type] : 0;
    }
    // Records that came in while paused.
    [[nodiscard]] std::uint64_t arrivedWhilePaused() const;
    // A scan that shows its result when done is under way; 0..1.
    [[nodiscard]] bool isFiltering() const { return m_building.has_value(); }
    [[nodiscard]] double progress() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    // Rows, totals or progress are new.
    void countsChanged();
    // The rows of a new filter or mask stand.
    void filtered();
    void newRun();
    // A second is another number of ticks: the filter means something else.
    void tickRateChanged();
    void pausedChanged(bool paused);
    void typesAdded();

private:
    bool slice();
    void rescan();
    void finishBuilding();
    void connectMarks();
    void dropOld();
    [[nodiscard]] std::uint64_t limit() const;
    template <typename Take> bool scan(std::uint64_t& from, std::uint64_t to, const Take& take);

    TraceContext& m_context;
    TraceStore m_store;
    TraceMarks* m_marks;
    bool m_markedOnly = false;
    Filter m_filter;
    std::vector<bool> m_hidden;            // by type
    std::vector<std::uint64_t> m_captured; // by type
    std::deque<std::uint64_t> m_rows;      // store rows, ascending
    std::uint64_t m_scanned = 0;           // store rows below it are in m_rows or filtered out
    std::uint64_t m_learned = 0;
    struct Building {
        std::deque<std::uint64_t> rows;
        std::uint64_t scanned = 0;
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
