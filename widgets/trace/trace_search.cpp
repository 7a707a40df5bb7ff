#include "widgets/trace/trace_search.h"

#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace sbx::ui {

namespace {

constexpr int RowsPerLookAtClock = 16; // each may be formatted

} // namespace

TraceSearch::TraceSearch(const TraceModel& model, QObject* parent)
    : QObject(parent), m_model(model), m_matcher(model) {
    m_now = [] {
        return static_cast<qint64>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                       std::chrono::steady_clock::now().time_since_epoch())
                                       .count());
    };
    for (int i = 0; i < model.columnCount(); ++i)
        m_columns.push_back(i);
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &TraceSearch::work);
    connect(&model, &TraceModel::loaded, this, [this] {
        if (m_waits)
            m_timer.start();
    });
    connect(&model, &QAbstractItemModel::rowsInserted, this, [this] {
        if (!m_text.isEmpty())
            m_timer.start();
    });
    connect(&model, &QAbstractItemModel::rowsRemoved, this, &TraceSearch::forgetGone);
    connect(&model, &QAbstractItemModel::modelReset, this, [this] { restart(false); });
    connect(&model.ignored(), &TraceIgnored::changed, this, [this] { restart(false); });
}

void TraceSearch::setColumns(std::vector<int> columns) {
    if (m_columns == columns)
        return;
    m_columns = std::move(columns);
    m_matcher.set(m_text, m_columns);
    restart(false); // columns also change while the list goes
}

void TraceSearch::start(const QString& text, std::uint64_t from) {
    m_text = text;
    m_matcher.set(text, m_columns);
    m_origin = from;
    m_request.reset();
    restart(true);
}

// A request that waits goes on waiting: it means the same among the new rows. `now`: few rows are searched before the call returns; not
// within a slice of the model's.
void TraceSearch::restart(bool now) {
    m_forward.clear();
    m_wrapped.clear();
    m_forwardNext = m_origin;
    m_wrappedNext = m_olderNext = std::min(m_origin, firstSequence());
    m_timer.stop();
    if (!m_text.isEmpty() && !now)
        m_timer.start();
    else if (!m_text.isEmpty())
        work();
    if (m_text.isEmpty())
        emit changed();
}

void TraceSearch::forgetGone() {
    const std::uint64_t first = firstSequence();
    for (auto* hits : {&m_wrapped, &m_forward})
        hits->erase(hits->begin(), std::lower_bound(hits->begin(), hits->end(), first));
    if (!m_text.isEmpty())
        emit changed();
}

bool TraceSearch::matches(int row) const {
    if (m_model.isIgnored(row))
        return false;
    m_matcher.refresh();
    return m_matcher.matches(m_model.record(row));
}

bool TraceSearch::forwardDone() const { return m_model.rowAtOrAfter(m_forwardNext) >= m_model.rowCount(); }

bool TraceSearch::wrappedDone() const {
    return m_model.rowAtOrAfter(m_wrappedNext) >= m_model.rowAtOrAfter(m_origin);
}

bool TraceSearch::olderDone() const { return m_model.rowAtOrAfter(m_olderNext) == 0; }

bool TraceSearch::isDone() const { return forwardDone() && wrappedDone() && olderDone(); }

double TraceSearch::progress() const {
    const int rows = m_model.rowCount();
    if (rows == 0)
        return 1.0;
    const int left = (rows - m_model.rowAtOrAfter(m_forwardNext))
                     + std::max(0, m_model.rowAtOrAfter(m_origin) - m_model.rowAtOrAfter(m_wrappedNext))
                     + m_model.rowAtOrAfter(m_olderNext);
    return 1.0 - static_cast<double>(left) / rows;
}

// True if work is left.
bool TraceSearch::slice() {
    if (m_text.isEmpty())
        return false;
    const qint64 deadline = m_now() + qint64(SliceMs) * 1000000;
    int looked = 0;
    m_waits = false;
    m_matcher.refresh();
    std::optional<TraceStore::Cursor> cursor;
    // Rows [next, end); false when the time is up before.
    const auto scan = [&](std::uint64_t& next, int end, std::deque<std::uint64_t>& hits) {
        for (int row = m_model.rowAtOrAfter(next); row < end; ++row) {
            if (m_model.isIgnored(row)) {
                next = m_model.sequence(row) + 1;
            } else if (!reach(cursor, row, true)) {
                return false;
            } else {
                const RecordView record = cursor->record();
                next = record.sequence() + 1;
                if (m_matcher.matches(record))
                    hits.push_back(record.sequence());
            }
            if (++looked % RowsPerLookAtClock == 0 && m_now() >= deadline)
                return row + 1 >= end;
        }
        return true;
    };
    bool goesOn = scan(m_forwardNext, m_model.rowCount(), m_forward) && (looked == 0 || m_now() < deadline);
    goesOn = goesOn && scan(m_wrappedNext, m_model.rowAtOrAfter(m_origin), m_wrapped)
             && (looked == 0 || m_now() < deadline);
    for (int row = goesOn ? m_model.rowAtOrAfter(m_olderNext) : 0;
         row > 0 && (m_model.isIgnored(row - 1) || reach(cursor, row - 1, false));) {
        --row;
        if (m_model.isIgnored(row)) {
            m_olderNext = m_model.sequence(row);
        } else {
            const RecordView record = cursor->record();
            m_olderNext = record.sequence();
            if (m_matcher.matches(record))
                m_wrapped.push_front(m_olderNext);
        }
        if (++looked % RowsPerLookAtClock == 0 && m_now() >= deadline)
            break;
    }
    answer();
    emit changed();
    return !isDone();
}

void TraceSearch::work() {
    m_model.store().trim();
    if (slice() && !m_waits)
        m_timer.start();
    else
        m_timer.stop();
}

std::uint64_t TraceSearch::firstSequence() const {
    return m_model.rowCount() > 0 ? m_model.sequence(0) : std::numeric_limits<std::uint64_t>::max();
}

bool TraceSearch::reach(std::optional<TraceStore::Cursor>& cursor, int row, bool upward) {
    const std::uint64_t at = m_model.storeRows()[static_cast<std::size_t>(row)];
    if (!cursor || !cursor->reaches(at)) {
        if (!m_atOnce && !m_model.isReady(row)) {
            if (upward)
                m_model.requestUpward(row);
            else
                m_model.requestDownward(row);
            m_waits = true;
            return false;
        }
        if (!cursor)
            cursor.emplace(m_model.store(), at);
    }
    cursor->moveTo(at);
    return true;
}

void TraceSearch::finish() {
    m_atOnce = true;
    while (slice())
        m_model.store().trim();
    m_atOnce = false;
    m_timer.stop();
}

std::size_t TraceSearch::hitsUpTo(std::uint64_t sequence) const {
    std::size_t count = 0;
    for (const auto* hits : {&m_wrapped, &m_forward})
        count +=
            static_cast<std::size_t>(std::upper_bound(hits->begin(), hits->end(), sequence) - hits->begin());
    return count;
}

bool TraceSearch::isHit(std::uint64_t sequence) const {
    return std::binary_search(m_wrapped.begin(), m_wrapped.end(), sequence)
           || std::binary_search(m_forward.begin(), m_forward.end(), sequence);
}

void TraceSearch::find(bool forward, std::uint64_t from, bool here) {
    if (m_text.isEmpty())
        return;
    m_request = Request{forward, forward && !here ? from + 1 : from};
    answer();
}

void TraceSearch::answer() {
    if (!m_request)
        return;
    const std::optional<Answer> answer = resolve(*m_request);
    if (!answer)
        return;
    m_request.reset();
    if (answer->sequence == 0)
        emit foundNothing();
    else
        emit found(answer->sequence, answer->round);
}

// Nothing while rows between the bound and the place, or all rows, have not been looked at yet.
std::optional<TraceSearch::Answer> TraceSearch::resolve(const Request& request) const {
    const std::uint64_t bound = request.bound;
    const bool ahead = forwardDone();
    const bool older = olderDone();
    const bool behind = wrappedDone() && older;
    if (request.forward) {
        const auto wrapped = std::lower_bound(m_wrapped.begin(), m_wrapped.end(), bound);
        const auto forward = std::lower_bound(m_forward.begin(), m_forward.end(), bound);
        if (bound < m_olderNext && !older)
            return std::nullopt;
        if (wrapped != m_wrapped.end())
            return Answer{*wrapped, false};
        if (bound < m_origin && !behind)
            return std::nullopt;
        if (forward != m_forward.end())
            return Answer{*forward, false};
        if (!ahead)
            return std::nullopt;
        if (!m_wrapped.empty() && older)
            return Answer{m_wrapped.front(), true};
        if (!behind)
            return std::nullopt;
        return m_forward.empty() ? Answer{} : Answer{m_forward.front(), true};
    }
    const auto wrapped = std::lower_bound(m_wrapped.begin(), m_wrapped.end(), bound);
    const auto forward = std::lower_bound(m_forward.begin(), m_forward.end(), bound);
    if (bound > m_forwardNext && !ahead)
        return std::nullopt;
    if (forward != m_forward.begin())
        return Answer{*std::prev(forward), false};
    if (bound > m_wrappedNext && !wrappedDone())
        return std::nullopt;
    if (wrapped != m_wrapped.begin())
        return Answer{*std::prev(wrapped), false};
    if (!ahead || !older)
        return std::nullopt;
    if (!m_forward.empty())
        return Answer{m_forward.back(), true};
    if (!behind)
        return std::nullopt;
    return m_wrapped.empty() ? Answer{} : Answer{m_wrapped.back(), true};
}

} // namespace sbx::ui

#include "moc_trace_search.cpp"
