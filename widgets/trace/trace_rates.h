#pragma once
// Counts the rows of the trace by message type over any stretch of time: for each type the sequences of its rows, in order. Follows the
// list a few thousand rows at a turn of the event loop; a new set of rows begins anew. GUI thread; the model must outlive it.

#include <QObject>
#include <QTimer>

#include "engine/message/record.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace sbx::ui {

class TraceModel;

class TraceRates : public QObject {
    Q_OBJECT

public:
    static constexpr int RowsPerTurn = 8192; // well below a millisecond

    explicit TraceRates(const TraceModel& model, QObject* parent = nullptr);

    // The most frequent types among the rows, at most `limit`, the most frequent first.
    [[nodiscard]] std::vector<MessageTypeId> frequent(std::size_t limit) const;
    [[nodiscard]] std::size_t count(MessageTypeId type) const { return type < m_rows.size() ? m_rows[type].size() : 0; }
    // Rows of the type with sequences in [first, end).
    [[nodiscard]] std::size_t count(MessageTypeId type, std::uint64_t first, std::uint64_t end) const;
    // Every row is counted.
    [[nodiscard]] bool isDone() const;
    // Counts the rest at once.
    void finish();

signals:
    void changed();

private:
    bool take(); // true: there is more
    void restart();
    void forgetGone();

    const TraceModel& m_model;
    std::vector<std::deque<std::uint64_t>> m_rows; // by type; sequences, ascending
    std::uint64_t m_next = 0;                      // rows with a lower sequence are counted
    QTimer m_timer;
};

} // namespace sbx::ui
