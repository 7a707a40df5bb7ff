#pragma once
// Counts what the trace's list shows, by message type, sender, receiver or handler: how many, how many bytes, how often a second, and how long handlers took; rows that are ignored do not count. Follows
// the list a slice at a time: a new filter, a new run, a cleared trace or others ignored begin anew; what the trace lets go stays counted, and letGo() says
// how much that is. GUI thread; the trace's model outlives it.

#include <QAbstractTableModel>
#include <QTimer>

#include "engine/message/record.h"
#include "widgets/trace/row_runs.h"

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace sbx::ui {

class TraceModel;

// Times in logarithmic steps of an eighth of an octave, so that a percentile is known to within 5 % however many there are.
class TimeHistogram {
public:
    void add(std::uint32_t nanoseconds);
    [[nodiscard]] std::uint64_t count() const { return m_count; }
    // 0 < share <= 1; nanoseconds. 0: there are no times.
    [[nodiscard]] double percentile(double share) const;
    [[nodiscard]] std::uint32_t maximum() const { return m_maximum; }

private:
    static constexpr int StepsPerOctave = 8;
    std::array<std::uint32_t, 32 * StepsPerOctave> m_steps{};
    std::uint64_t m_count = 0;
    std::uint32_t m_maximum = 0;
};

class TraceStatisticsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class By { Type, Sender, Receiver, Handler };
    enum Column { Name, Count, Share, Bytes, Rate, Median, High, Maximum, ColumnCount };
    // BarRole: of a number, its share of the largest of its column, 0 to 1.
    enum Role { SortRole = Qt::UserRole, BarRole };

    explicit TraceStatisticsModel(const TraceModel& trace, QObject* parent = nullptr);

    [[nodiscard]] By by() const { return m_by; }
    void setBy(By by);
    // While nobody looks nothing is counted.
    void setActive(bool active);
    // All that is left, now: for tests.
    void catchUp();
    [[nodiscard]] std::uint64_t total() const { return m_total; }
    // Of them, what the trace has let go of since: the list does not show it any more.
    [[nodiscard]] std::uint64_t letGo() const { return m_letGo; }
    // Rows of the list that it has passed over because they are ignored.
    [[nodiscard]] std::uint64_t ignored() const { return m_ignored.count(); }
    // Of the first message that is counted, if there is one.
    [[nodiscard]] std::uint64_t firstTick() const { return m_firstTick; }
    [[nodiscard]] bool hasTimes() const { return m_times; }
    // The filter condition that leaves only what the row counts.
    [[nodiscard]] QString conditionOf(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    // Numbers are new.
    void updated();

private:
    struct Row {
        std::string name;
        std::uint64_t count = 0;
        std::uint64_t bytes = 0; // of what the messages carry, as they are held in memory
        TimeHistogram times;
    };
    static constexpr int SliceMs = 8;
    void restart();
    // True: it came to the end of the list.
    bool count(int milliseconds);
    void take(int row);
    void addRecord(int row);
    Row& rowOf(std::string_view name);
    [[nodiscard]] double number(const Row& row, int column) const;
    [[nodiscard]] double largest(int column) const;

    const TraceModel& m_trace;
    By m_by = By::Type;
    std::vector<Row> m_rows;
    std::unordered_map<std::string, std::size_t> m_byName;
    std::size_t m_shown = 0;   // rows that views know of
    std::uint64_t m_begin = 0; // rows with sequences from here on to below m_next are counted or ignored
    std::uint64_t m_next = 0;
    RowRuns m_ignored;     // of them
    bool m_begun = false;  // there are such rows
    bool m_waits = false;  // for the disk
    bool m_atOnce = false; // in catchUp()
    std::uint64_t m_total = 0;
    std::uint64_t m_letGo = 0;
    std::uint64_t m_firstTick = 0;
    std::uint64_t m_lastTick = 0;
    bool m_times = false;
    // Of each column; below 0: not looked for since the numbers changed.
    mutable std::array<double, ColumnCount> m_largest{};
    bool m_active = false;
    QTimer m_timer;
};

} // namespace sbx::ui
