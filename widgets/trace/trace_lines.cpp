#include "widgets/trace/trace_lines.h"

#include "widgets/common/foreign_text.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

void put(std::vector<std::uint64_t>& sorted, std::uint64_t sequence) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), sequence);
    if (at == sorted.end() || *at != sequence)
        sorted.insert(at, sequence);
}

int handlersOf(const RecordView& record) { return static_cast<int>(record.visits().size()); }

} // namespace

void TraceLines::refresh() {
    const auto isGone = [this](std::uint64_t sequence) { return !m_model.store().rowOf(sequence); };
    std::erase_if(m_records, [&isGone](const OpenRecord& open) { return isGone(open.sequence); });
    std::erase_if(m_groups, isGone);
    m_opened.clear();
    for (const std::uint64_t sequence : m_groups) {
        const int row = m_model.rowOfSequence(sequence);
        if (row < 0)
            continue;
        Opened opened;
        opened.isGroup = true;
        opened.group = m_model.groupOf(row);
        opened.row = m_model.groupStart(opened.group);
        opened.end = m_model.groupStart(opened.group + 1);
        opened.lines = opened.end - opened.row;
        if (opened.lines > 1 && (m_opened.empty() || m_opened.back().group != opened.group))
            m_opened.push_back(opened);
    }
    const std::size_t groups = m_opened.size();
    for (std::size_t next = 0; const OpenRecord& open : m_records) {
        Opened opened;
        opened.row = m_model.rowOfSequence(open.sequence);
        if (opened.row < 0)
            continue;
        opened.lines = open.lines;
        opened.group = m_model.groupOf(opened.row);
        while (next < groups && m_opened[next].end <= opened.row)
            ++next;
        const bool under = next < groups && m_opened[next].group == opened.group;
        opened.end = under ? m_opened[next].end : opened.row + 1;
        if (opened.lines > 0 && (under || m_model.groupSize(opened.group) == 1))
            m_opened.push_back(opened);
    }
    // A group before the record that is its first row.
    std::inplace_merge(m_opened.begin(), m_opened.begin() + static_cast<std::ptrdiff_t>(groups),
                       m_opened.end(), [](const Opened& a, const Opened& b) { return a.row < b.row; });
    int extra = 0;  // lines under what is opened in groups before
    int within = 0; // and under records of the same group
    const Opened* group = nullptr;
    for (Opened& opened : m_opened) {
        if (group != nullptr && group->group != opened.group) {
            extra += group->lines + std::exchange(within, 0);
            group = nullptr;
        }
        if (group != nullptr) {
            opened.line = group->line + 1 + (opened.row - group->row) + within;
            within += opened.lines;
            continue;
        }
        opened.line = opened.group + extra;
        if (opened.isGroup)
            group = &opened;
        else
            extra += opened.lines;
    }
}

void TraceLines::forgetFirst(int rows) {
    // A group that lost its first rows goes on; what names it may have gone with them.
    for (const Opened& opened : m_opened)
        if (opened.isGroup && opened.row < rows && opened.end > rows && m_model.rowCount() > 0)
            put(m_groups, m_model.sequence(0));
    refresh();
}

void TraceLines::closeAll() {
    m_records.clear();
    m_groups.clear();
    m_opened.clear();
}

int TraceLines::count() const {
    int lines = m_model.groupCount();
    for (const Opened& opened : m_opened)
        lines += opened.lines;
    return lines;
}

// The last that is opened at or before the row.
const TraceLines::Opened* TraceLines::lastBefore(int row) const {
    const auto after = std::upper_bound(m_opened.begin(), m_opened.end(), row,
                                        [](int r, const Opened& opened) { return r < opened.row; });
    return after == m_opened.begin() ? nullptr : &*std::prev(after);
}

const TraceLines::Opened* TraceLines::openGroupOf(int row) const {
    for (const Opened* opened = lastBefore(row); opened != nullptr && row < opened->end; --opened) {
        if (opened->isGroup)
            return opened;
        if (opened == m_opened.data())
            break;
    }
    return nullptr;
}

TraceLine TraceLines::groupLine(int group) const {
    const int row = m_model.groupStart(group);
    return {row, m_model.groupStart(group + 1) - row > 1 ? TraceLine::Group : TraceLine::Record};
}

int TraceLines::lineOf(int row) const {
    const Opened* last = lastBefore(row);
    if (last == nullptr)
        return m_model.groupOf(row);
    if (last->isGroup)
        return row < last->end ? last->line + 1 + (row - last->row)
                               : last->line + last->lines + (m_model.groupOf(row) - last->group);
    if (row == last->row)
        return last->line;
    if (row < last->end)
        return last->line + last->lines + (row - last->row);
    return last->line + last->lines + (last->end - 1 - last->row) + (m_model.groupOf(row) - last->group);
}

int TraceLines::lineOf(const TraceLine& line) const {
    if (line.part >= 0)
        return lineOf(line.row) + 1 + line.part;
    if (line.part == TraceLine::Group)
        if (const Opened* group = openGroupOf(line.row))
            return group->line;
    return lineOf(line.row);
}

int TraceLines::topOf(int row) const {
    const Opened* group = row < m_model.rowCount() ? openGroupOf(row) : nullptr;
    if (group != nullptr && group->row == row)
        return group->line;
    return row < m_model.rowCount() ? lineOf(row) : count();
}

TraceLine TraceLines::at(int line) const {
    const auto after = std::upper_bound(m_opened.begin(), m_opened.end(), line,
                                        [](int l, const Opened& opened) { return l < opened.line; });
    if (after == m_opened.begin())
        return groupLine(line);
    const Opened& last = *std::prev(after);
    int below = line - last.line; // lines from its own
    if (below == 0)
        return {last.row, last.isGroup ? TraceLine::Group : TraceLine::Record};
    if (last.isGroup) {
        if (below <= last.lines)
            return {last.row + below - 1, TraceLine::Record};
        return groupLine(last.group + below - last.lines);
    }
    if (below <= last.lines)
        return {last.row, below - 1};
    below -= last.lines;
    if (last.row + below < last.end)
        return {last.row + below, TraceLine::Record};
    return groupLine(last.group + below - (last.end - 1 - last.row));
}

TraceLine TraceLines::shown(int row) const {
    const bool closed = m_model.groupSize(m_model.groupOf(row)) > 1 && openGroupOf(row) == nullptr;
    return closed ? groupLine(m_model.groupOf(row)) : TraceLine{row, TraceLine::Record};
}

bool TraceLines::canOpen(const TraceLine& line) const {
    if (line.row < 0 || line.row >= m_model.rowCount() || line.part >= 0)
        return false;
    if (line.part == TraceLine::Group)
        return m_model.groupSize(m_model.groupOf(line.row)) > 1;
    return isOpen(line) || handlersOf(m_model.record(line.row)) > 0;
}

bool TraceLines::isOpen(const TraceLine& line) const {
    if (line.part == TraceLine::Group)
        return openGroupOf(line.row) != nullptr;
    const Opened* last = lastBefore(line.row);
    return line.part == TraceLine::Record && last != nullptr && !last->isGroup && last->row == line.row;
}

void TraceLines::setOpen(const TraceLine& line, bool open) {
    if (!canOpen(line))
        return;
    if (line.part == TraceLine::Record) {
        const std::uint64_t sequence = m_model.sequence(line.row);
        const auto at =
            std::lower_bound(m_records.begin(), m_records.end(), sequence,
                             [](const OpenRecord& each, std::uint64_t s) { return each.sequence < s; });
        const bool is = at != m_records.end() && at->sequence == sequence;
        if (open && !is)
            m_records.insert(at, {sequence, handlersOf(m_model.record(line.row))});
        else if (!open && is)
            m_records.erase(at);
    } else if (open) {
        put(m_groups, m_model.sequence(line.row));
    } else {
        // By whichever of its rows it was opened, under this filter or another.
        const int group = m_model.groupOf(line.row);
        const std::uint64_t first = m_model.sequence(m_model.groupStart(group));
        const std::uint64_t last = m_model.sequence(m_model.groupStart(group + 1) - 1);
        std::erase_if(m_groups, [first, last](std::uint64_t sequence) {
            return sequence >= first && sequence <= last;
        });
    }
    refresh();
}

TraceLine TraceLines::parentOf(const TraceLine& line) const {
    if (line.part >= 0)
        return {line.row, TraceLine::Record};
    const Opened* group = line.part == TraceLine::Record ? openGroupOf(line.row) : nullptr;
    return group == nullptr ? line : TraceLine{group->row, TraceLine::Group};
}

int TraceLines::depthOf(int row) const { return openGroupOf(row) == nullptr ? 0 : 1; }

HandlerText handlerText(const TraceContext& context, const RecordView& record, int handler) {
    const HandlerVisit visit = record.visits()[static_cast<std::size_t>(handler)];
    HandlerText text;
    text.component = shownLine(context.name(visit.component));
    text.priority = QString::number(visit.priority);
    text.result = visit.result == HandlerResult::Consumed ? QStringLiteral("consumed here")
                  : visit.result != HandlerResult::Passed ? QStringLiteral("not reached")
                  : visit.observer                        ? QStringLiteral("looked on")
                                                          : QStringLiteral("passed on");
    if (visit.nanoseconds > 0)
        text.time = QStringLiteral("%1 µs").arg(visit.nanoseconds / 1000.0, 0, 'f', 1);
    return text;
}

} // namespace sbx::ui
