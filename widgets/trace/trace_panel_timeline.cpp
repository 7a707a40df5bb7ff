// The panel's timeline: what is brushed becomes a part of the filter, what the list shows is marked in the strip.

#include <QRegularExpression>
#include <QScrollBar>

#include "widgets/common/filter_bar.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_rates.h"
#include "widgets/trace/trace_timeline.h"
#include "widgets/trace/trace_view.h"

#include <algorithm>
#include <limits>

namespace sbx::ui {

void TracePanel::connectTimeline() {
    connect(m_timeline, &TraceTimeline::brushed, this, &TracePanel::brush);
    connect(&m_timeline->rates(), &TraceRates::changed, this, &TracePanel::refreshSoon);
    connect(&m_model->marks(), &TraceMarks::referenceChanged, m_timeline, QOverload<>::of(&QWidget::update));
    connect(m_timeline, &TraceTimeline::tickPicked, this, [this](quint64 tick) {
        m_sought = 0;
        m_view->setFollowing(false);
        const int row = std::min(m_model->rowAtTick(tick), m_model->rowCount() - 1);
        m_view->scrollTo(m_model->index(row, 0), QAbstractItemView::PositionAtTop);
    });
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, &TracePanel::refreshTimeline);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, &TracePanel::refreshPill);
}

namespace {
// What the brush writes, so that the next brush finds and replaces it.
const QString BrushPattern = QStringLiteral("tick >= (\\d+) and tick <= (\\d+)");
} // namespace

void TracePanel::brush(std::uint64_t first, std::uint64_t last) {
    const QString condition = QStringLiteral("tick >= %1 and tick <= %2").arg(first).arg(last);
    QString text = m_bar->text();
    const QRegularExpression before(BrushPattern);
    if (before.match(text).hasMatch())
        setFilterText(text.replace(before, condition));
    else
        narrow(condition);
}

// What the filter keeps of the time is shown as brushed.
void TracePanel::showBrush() {
    const std::optional<TraceBrush> brush = findBrush();
    m_timeline->setBrush(brush ? std::optional(TickRange{brush->firstTick, brush->lastTick}) : std::nullopt);
    if (brush != m_brushed) {
        m_brushed = brush;
        emit brushChanged();
    }
}

std::optional<TraceBrush> TracePanel::findBrush() const {
    const auto kept = QRegularExpression(BrushPattern).match(m_goodFilter);
    if (!kept.hasMatch())
        return std::nullopt;
    TraceBrush brush;
    brush.firstTick = kept.captured(1).toULongLong();
    brush.lastTick = kept.captured(2).toULongLong();
    const TraceStore& store = m_model->store();
    const auto sequenceAt = [&store](std::uint64_t row) {
        return row < store.end() ? store.sequenceOf(row) : std::numeric_limits<std::uint64_t>::max();
    };
    brush.first = sequenceAt(store.rowAtTick(brush.firstTick));
    brush.end = brush.lastTick < std::numeric_limits<std::uint64_t>::max()
                    ? sequenceAt(store.rowAtTick(brush.lastTick + 1))
                    : std::numeric_limits<std::uint64_t>::max();
    // What the trace let go is in the span still.
    brush.run = store.run();
    if (m_brushed && m_brushed->run == brush.run && m_brushed->firstTick == brush.firstTick)
        brush.first = std::min(brush.first, m_brushed->first);
    return brush;
}

void TracePanel::clearBrush() {
    const QString now = m_bar->text();
    for (const QString& part :
         {QStringLiteral(" and ") + BrushPattern, BrushPattern + QStringLiteral(" and "), BrushPattern}) {
        QString text = now;
        text.remove(QRegularExpression(part));
        if (text != now && Filter::compile(text.toStdString(), m_context.schema())) {
            setFilterText(text);
            return;
        }
    }
    if (m_brushed)
        setFilterText({});
}

void TracePanel::refreshTimeline() {
    const int first = m_view->firstVisibleRow();
    const int last = std::min(first + m_view->visibleRows(), m_model->rowCount()) - 1;
    if (first > last)
        m_timeline->setWindow({});
    else
        m_timeline->setWindow(TickRange{m_model->tick(first), m_model->tick(last)});
}

} // namespace sbx::ui
