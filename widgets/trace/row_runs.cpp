#include "widgets/trace/row_runs.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

RowRuns RowRuns::of(const std::deque<std::uint64_t>& rows, std::size_t first, std::size_t last) {
    RowRuns made;
    for (std::size_t i = first; i < std::min(last, rows.size()); ++i)
        made.append({rows[i], rows[i] + 1});
    return made;
}

void RowRuns::append(Run run) {
    if (m_runs.empty() || run.begin > m_runs.back().end) {
        m_runs.push_back(run);
        m_count += run.end - run.begin;
    } else if (run.end > m_runs.back().end) {
        m_count += run.end - m_runs.back().end;
        m_runs.back().end = run.end;
    }
}

void RowRuns::add(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end)
        return;
    if (m_runs.empty() || begin >= m_runs.back().begin) {
        append({begin, end});
    } else if (end < m_runs.front().begin) {
        m_runs.push_front({begin, end});
        m_count += end - begin;
    } else if (end == m_runs.front().begin) {
        m_runs.front().begin = begin;
        m_count += end - begin;
    } else {
        RowRuns one;
        one.append({begin, end});
        unite(one);
    }
}

void RowRuns::unite(const RowRuns& other) {
    RowRuns both;
    auto mine = m_runs.begin();
    auto theirs = other.m_runs.begin();
    while (mine != m_runs.end() || theirs != other.m_runs.end()) {
        const bool takesMine =
            theirs == other.m_runs.end() || (mine != m_runs.end() && mine->begin <= theirs->begin);
        both.append(takesMine ? *mine++ : *theirs++);
    }
    *this = std::move(both);
}

void RowRuns::subtract(const RowRuns& other) {
    RowRuns left;
    auto cut = other.m_runs.begin();
    for (Run run : m_runs) {
        while (cut != other.m_runs.end() && cut->end <= run.begin)
            ++cut;
        // The last of these may reach into the next stretch too.
        for (auto at = cut; at != other.m_runs.end() && at->begin < run.end && run.begin < run.end; ++at) {
            if (at->begin > run.begin)
                left.append({run.begin, at->begin});
            run.begin = at->end;
        }
        if (run.begin < run.end)
            left.append(run);
    }
    *this = std::move(left);
}

void RowRuns::dropBelow(std::uint64_t row) {
    while (!m_runs.empty() && m_runs.front().begin < row) {
        Run& front = m_runs.front();
        m_count -= std::min(front.end, row) - front.begin;
        if (front.end > row) {
            front.begin = row;
            return;
        }
        m_runs.pop_front();
    }
}

void RowRuns::clear() {
    m_runs.clear();
    m_count = 0;
}

std::deque<RowRuns::Run>::const_iterator RowRuns::firstEndingAfter(std::uint64_t row) const {
    return std::upper_bound(m_runs.begin(), m_runs.end(), row,
                            [](std::uint64_t at, const Run& run) { return at < run.end; });
}

bool RowRuns::has(std::uint64_t row) const {
    const auto run = firstEndingAfter(row);
    return run != m_runs.end() && run->begin <= row;
}

bool RowRuns::hasAll(const RowRuns& other) const {
    auto mine = m_runs.begin();
    for (const Run& run : other.m_runs) {
        while (mine != m_runs.end() && mine->end <= run.begin)
            ++mine;
        if (mine == m_runs.end() || mine->begin > run.begin || mine->end < run.end)
            return false;
    }
    return true;
}

void RowRuns::takeOutOf(std::deque<std::uint64_t>& rows) const {
    if (rows.empty() || m_runs.empty())
        return;
    auto run = firstEndingAfter(rows.front());
    std::erase_if(rows, [this, &run](std::uint64_t row) {
        while (run != m_runs.end() && run->end <= row)
            ++run;
        return run != m_runs.end() && run->begin <= row;
    });
}

} // namespace sbx::ui
