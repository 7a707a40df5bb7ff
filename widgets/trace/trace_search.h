#pragma once
// Looks for a text in the rows of the trace, in slices of at most 8 ms: in what the shown columns say and in the exact values of all
// fields, in either case. Begins at the row that is looked at, goes to the end and then on from the top, so that the next place is
// known long before all are counted; rows that are ignored are passed over; rows that come in later are searched as they come, also those that
// a filter finds among older records. A new set of rows is searched again. Between slices it waits for records that lie on the disk.
//
//     older part, third ... first row ... wrapped part, second ... origin ... forward part, first ... last row
//
// GUI thread; the model must outlive it.

#include <QObject>
#include <QTimer>

#include "widgets/trace/trace_store.h"
#include "widgets/trace/trace_text_matcher.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace sbx::ui {

class TraceModel;

class TraceSearch : public QObject {
    Q_OBJECT

public:
    static constexpr int SliceMs = 8;

    explicit TraceSearch(const TraceModel& model, QObject* parent = nullptr);

    // What slices are measured by, in nanoseconds; the steady clock unless a test says otherwise.
    void setClock(std::function<qint64()> clock) { m_now = std::move(clock); }
    // Which columns of the model are looked into.
    void setColumns(std::vector<int> columns);
    // Begins at the row of `from`, or the first after it. An empty text ends the search.
    void start(const QString& text, std::uint64_t from);
    void stop() { start({}, 0); }
    [[nodiscard]] const QString& text() const { return m_text; }

    // Asks for the next place after `from` (at or after it with `here`), or the last before it, round the ends. The answer is a signal: now, or when
    // the rows in between have been searched. A new request replaces one that waits.
    void find(bool forward, std::uint64_t from, bool here = false);
    [[nodiscard]] bool isWaiting() const { return m_request.has_value(); }

    // Rows found so far.
    [[nodiscard]] std::size_t hits() const { return m_wrapped.size() + m_forward.size(); }
    // How many of them are at or before the row: "3 of 12".
    [[nodiscard]] std::size_t hitsUpTo(std::uint64_t sequence) const;
    [[nodiscard]] bool isHit(std::uint64_t sequence) const;
    // Every row has been looked at.
    [[nodiscard]] bool isDone() const;
    [[nodiscard]] double progress() const; // 0..1
    // Searches the rest at once.
    void finish();

    // Whether the row has the text and is not ignored: what the search asks of each.
    [[nodiscard]] bool matches(int row) const;

signals:
    void found(quint64 sequence, bool roundTheEnd);
    void foundNothing();
    // Hits or progress are new.
    void changed();

private:
    struct Request {
        bool forward = true;
        std::uint64_t bound = 0; // forward: at or after it; else before it
    };
    struct Answer {
        std::uint64_t sequence = 0; // 0: there is none
        bool round = false;
    };
    bool slice();
    void work();
    [[nodiscard]] std::uint64_t firstSequence() const;
    void restart(bool now);
    void forgetGone();
    void answer();
    [[nodiscard]] std::optional<Answer> resolve(const Request& request) const;
    [[nodiscard]] bool forwardDone() const;
    [[nodiscard]] bool wrappedDone() const;
    [[nodiscard]] bool olderDone() const;
    // Moves the cursor to a row of the model. False: it lies on the disk, and is being read, unless it is waited for.
    bool reach(std::optional<TraceStore::Cursor>& cursor, int row, bool upward);

    const TraceModel& m_model;
    QString m_text;
    mutable TraceTextMatcher m_matcher;
    std::vector<int> m_columns;
    std::uint64_t m_origin = 0;          // sequence where the search began
    std::uint64_t m_forwardNext = 0;     // of the forward part, what is below has been searched
    std::uint64_t m_wrappedNext = 0;     // of the wrapped part, the same
    std::uint64_t m_olderNext = 0;       // of the older part, what is from here on has been searched
    std::deque<std::uint64_t> m_forward; // sequences of hits, ascending
    std::deque<std::uint64_t> m_wrapped;
    std::optional<Request> m_request;
    bool m_waits = false;  // for the disk
    bool m_atOnce = false; // in finish()
    QTimer m_timer;
    std::function<qint64()> m_now;
};

} // namespace sbx::ui
