#pragma once
// A set of rows of the trace's store, kept as stretches of neighbours: a million rows in a row are one stretch, a million rows with gaps
// between them a million stretches of 16 bytes. A value; one thread at a time.

#include <cstddef>
#include <cstdint>
#include <deque>

namespace sbx::ui {

class RowRuns {
public:
    // Rows [begin, end); never empty, and never a neighbour of another one in the set.
    struct Run {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        friend bool operator==(const Run&, const Run&) = default;
    };

    // Of rows [first, last) of an ascending list; as many steps as rows.
    [[nodiscard]] static RowRuns of(const std::deque<std::uint64_t>& rows, std::size_t first,
                                    std::size_t last);

    // Rows [begin, end), none if it ends before it begins. One step before or behind all that is in it, else as unite().
    void add(std::uint64_t begin, std::uint64_t end);
    // As many steps as both have stretches, whatever the number of rows.
    void unite(const RowRuns& other);
    void subtract(const RowRuns& other);
    // Rows before this one are in it no longer. As many steps as stretches go.
    void dropBelow(std::uint64_t row);
    void clear();

    // By halving: some twenty steps of a million stretches.
    [[nodiscard]] bool has(std::uint64_t row) const;
    [[nodiscard]] bool empty() const { return m_runs.empty(); }
    // Rows in it; known.
    [[nodiscard]] std::uint64_t count() const { return m_count; }
    // Ascending.
    [[nodiscard]] const std::deque<Run>& runs() const { return m_runs; }
    // Every row of the other one is in it. As unite().
    [[nodiscard]] bool hasAll(const RowRuns& other) const;
    // Takes what is in it out of an ascending list; as many steps as both have rows and stretches.
    void takeOutOf(std::deque<std::uint64_t>& rows) const;

    friend bool operator==(const RowRuns& a, const RowRuns& b) { return a.m_runs == b.m_runs; }

private:
    // Behind all others, or touching the last.
    void append(Run run);
    [[nodiscard]] std::deque<Run>::const_iterator firstEndingAfter(std::uint64_t row) const;

    std::deque<Run> m_runs;
    std::uint64_t m_count = 0;
};

} // namespace sbx::ui
