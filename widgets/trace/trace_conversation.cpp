#include "widgets/trace/trace_conversation.h"

#include <QElapsedTimer>

#include "widgets/trace/trace_model.h"

namespace sbx::ui {

namespace {

constexpr int RowsPerLookAtTime = 256;

} // namespace

TraceConversation::TraceConversation(const TraceModel& model, QObject* parent)
    : QObject(parent), m_model(model) {
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &TraceConversation::work);
    for (const auto signal : {&TraceModel::loaded, &TraceModel::countsChanged})
        connect(&model, signal, this, [this] {
            if (m_waits)
                m_timer.start();
        });
    connect(&model, &TraceModel::newRun, this, &TraceConversation::stop);
}

void TraceConversation::find(std::uint64_t sequence, bool forward) {
    stop();
    const auto row = m_model.store().rowOf(sequence);
    if (!row) {
        emit ended(forward);
        return;
    }
    const RecordView record = m_model.store().at(*row);
    m_one = record.sender();
    m_other = record.receiver();
    m_world = record.world();
    m_at = sequence;
    m_forward = forward;
    m_timer.start();
    work();
}

void TraceConversation::stop() {
    m_timer.stop();
    m_waits = false;
}

bool TraceConversation::isOfIt(const RecordView& record) const {
    const EntityId sender = record.sender();
    const EntityId receiver = record.receiver();
    return ((sender == m_one && receiver == m_other) || (sender == m_other && receiver == m_one))
           && record.world() == m_world;
}

void TraceConversation::work() {
    QElapsedTimer clock;
    clock.start();
    m_waits = false;
    const int step = m_forward ? 1 : -1;
    // Rows come and go between slices: the place is known by its sequence.
    int row = m_forward ? m_model.rowAtOrAfter(m_at + 1) : m_model.rowAtOrAfter(m_at) - 1;
    const auto inside = [this](int at) { return at >= 0 && at < m_model.rowCount(); };
    for (int looked = 0; inside(row); row += step) {
        if (++looked % RowsPerLookAtTime == 0 && clock.elapsed() >= SliceMs)
            break;
        if (!m_model.isReady(row)) {
            if (m_forward)
                m_model.requestUpward(row);
            else
                m_model.requestDownward(row);
            m_waits = true;
            break;
        }
        if (!isOfIt(m_model.record(row)))
            continue;
        stop();
        emit found(m_model.sequence(row));
        return;
    }
    if (inside(row - step))
        m_at = m_model.sequence(row - step);
    if (m_waits || inside(row)) {
        if (m_waits)
            m_timer.stop();
        return;
    }
    if (!m_forward && m_model.isSearchingOlder()) { // more rows will come in at the top
        m_timer.stop();
        m_waits = true;
        return;
    }
    stop();
    emit ended(m_forward);
}

} // namespace sbx::ui

#include "moc_trace_conversation.cpp"
