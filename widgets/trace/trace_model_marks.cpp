// What marks do to the rows, and that rows are ignored.

#include "widgets/trace/trace_model.h"

namespace sbx::ui {

void TraceModel::connectMarks() {
    connect(m_marks, &TraceMarks::changed, this, [this] {
        if (rowCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
    connect(m_ignored, &TraceIgnored::changed, this, [this] {
        if (rowCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
    connect(m_marks, &TraceMarks::referenceChanged, this, [this] {
        emit headerDataChanged(Qt::Horizontal, Tick, Tick);
        if (rowCount() > 0)
            emit dataChanged(index(0, Tick), index(rowCount() - 1, Tick));
    });
    // Later: marks also go while rows do.
    connect(
        m_marks, &TraceMarks::changed, this,
        [this] {
            if (!m_markedOnly)
                return;
            if (m_marks->marked().empty())
                setMarkedOnly(false);
            else
                rescan();
        },
        Qt::QueuedConnection);
}

void TraceModel::setMarkedOnly(bool on) {
    if (m_markedOnly == on)
        return;
    m_markedOnly = on;
    rescan();
    emit countsChanged();
}

QString TraceModel::tickText(const RecordView& record) const {
    const auto& reference = m_marks->reference();
    if (!reference)
        return QString::number(record.tick());
    if (record.sequence() == reference->sequence)
        return QStringLiteral("REF");
    return record.tick() >= reference->tick ? QStringLiteral("+%1").arg(record.tick() - reference->tick)
                                            : QStringLiteral("-%1").arg(reference->tick - record.tick());
}

} // namespace sbx::ui
