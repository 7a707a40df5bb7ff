#pragma once
// Counts the rows of the trace by message type over any stretch of time: for each type the numbers of its rows in the store, in order, in
// four bytes each. Follows the list at both ends, at most two milliseconds at a turn of the event loop, and never reads the disk; a new set of rows
// begins anew. GUI thread; the model must outlive it.

#include <QObject>
#include <QTimer>

#include "engine/message/record.h"
#include "widgets/trace/trace_store.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace sbx::ui {

class TraceModel;

class TraceRates : public QObject {
    Q_OBJECT

public:
    static constexpr int RowsPerLookAtClock = 4096;
    static constexpr int RowsPerTurn = 65536;
    static constexpr int TurnMs = 2;

    explicit TraceRates(const TraceModel& model, QObject* parent = nullptr);

    // The most frequent types among the rows, at most `limit`, the most frequent first.
    [[nodiscard]] std::vector<MessageTypeId> frequent(std::size_t limit) const;
    [[nodiscard]] std::size_t count(MessageTypeId type) const {
        return type < m_rows.size() ? m_rows[type].size() : 0;
    }
    // Rows of the type with sequences in [first, end).
    [[nodiscard]] std::size_t count(MessageTypeId type, std::uint64_t first, std::uint64_t end) const;
    // Every row is counted.
    [[nodiscard]] bool isDone() const;
    // Counts the rest at once.
    void finish();

signals:
    void changed();

private:
    bool take();     // true: there is more
    bool takeSome(); // true: some rows were counted
    void restart();
    void forgetGone();

    const TraceModel& m_model;
    void add(int row, bool before, std::optional<TraceStore::Cursor>& cursor);
    std::vector<std::deque<std::uint32_t>> m_rows; // by type; the store's rows from m_base on, ascending
    std::uint64_t m_base = 0;
    std::uint64_t m_begin = 0; // the store's rows [m_begin, m_end) are counted
    std::uint64_t m_end = 0;
    QTimer m_timer;
};

} // namespace sbx::ui
