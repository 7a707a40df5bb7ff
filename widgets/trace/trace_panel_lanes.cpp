// The panel's lanes: their button, their place between the timeline and the list, and what a click there does.

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QStyle>
#include <QToolButton>

#include "widgets/common/action_registry.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_lanes.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_timeline.h"

#include <algorithm>

namespace sbx::ui {

void TracePanel::buildLanes() {
    m_lanesHead->setObjectName(QStringLiteral("trace.lanes.head"));
    m_lanesHead->setAccessibleName(tr("Entities with a lane"));
    m_lanesHead->setTextFormat(Qt::PlainText);
    m_lanesHead->setBackgroundRole(QPalette::Base);
    m_lanesHead->setForegroundRole(QPalette::PlaceholderText);
    m_lanesHead->setAutoFillBackground(true);
    m_lanesHead->setAlignment(Qt::AlignLeft | Qt::AlignBottom);
    m_lanesHead->setContentsMargins(measure::PanelPadding, 0, 0, 2);
    m_lanesHead->hide();
    m_timelineRow->setContentsMargins(0, 0, 0, 0);
    m_timelineRow->setSpacing(0);
    m_timelineRow->addWidget(m_lanesHead);
    m_timelineRow->addWidget(m_timeline, 1);
    m_lanesSplitter->setObjectName(QStringLiteral("trace.lanesSplitter"));
    m_lanesSplitter->setChildrenCollapsible(false);
    m_lanesSplitter->addWidget(m_lanes);
    m_lanesSplitter->addWidget(m_splitter);
    m_lanesSplitter->setStretchFactor(0, 0);
    m_lanesSplitter->setStretchFactor(1, 1);
    m_lanes->hide();
    connect(m_lanesSplitter, &QSplitter::splitterMoved, this,
            [this] { m_lanesHeight = m_lanesSplitter->sizes().front(); });
    connect(m_lanes, &TraceLanes::headChanged, this, &TracePanel::refreshLanesHead);
    connect(m_lanes, &TraceLanes::messagePicked, this, &TracePanel::goTo);
    // As a click on a name in the details.
    connect(m_lanes, &TraceLanes::entityPicked, m_details, &TraceDetails::entityPicked);
    connect(&m_lanes->counts(), &TraceLaneCounts::changed, this, &TracePanel::refreshSoon);
}

void TracePanel::buildLanesButton() {
    m_lanesButton = toolButton(
        QStringLiteral("showLanes"), QStringLiteral("lanes"), tr("Lanes"),
        tr("Show a lane for each entity below the timeline: how long it lived and which messages it got"));
    m_lanesButton->setCheckable(true);
    connect(m_lanesButton, &QToolButton::toggled, this, [this](bool on) {
        if (on)
            m_timelineButton->setChecked(true); // its scale is theirs
        refresh();
    });
    connect(m_timelineButton, &QToolButton::toggled, this, [this](bool on) {
        if (!on)
            m_lanesButton->setChecked(false);
    });
}

void TracePanel::addLaneActions(ActionRegistry& registry) {
    Action lanes;
    lanes.id = QStringLiteral("trace.lanes");
    lanes.text = tr("Show lanes of entities in the trace");
    lanes.icon = QStringLiteral("lanes");
    lanes.doc = tr("Below the trace's timeline, how long each entity lived and which messages it got.");
    lanes.run = [this](bool on) { m_lanesButton->setChecked(on); };
    lanes.checkable = true;
    lanes.checked = [this] { return m_lanesButton->isChecked(); };
    registry.add(std::move(lanes));
}

void TracePanel::refreshLanes() {
    const bool shown = m_lanesButton->isChecked() && m_timeline->isVisibleTo(this);
    if (shown != m_lanes->isVisibleTo(this)) {
        m_lanes->setVisible(shown);
        m_lanesHead->setVisible(shown);
        m_timelineRow->setContentsMargins(
            0, 0, shown ? m_lanes->style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0, 0);
        if (shown) {
            const int all = m_lanesSplitter->height();
            // In a low panel the rows matter more.
            constexpr int Low = 300; // pixels
            const int high =
                m_lanesHeight > 0 ? m_lanesHeight
                : all < Low       ? 3 * TraceLanes::LaneHeight
                            : std::clamp(all / 3, 3 * TraceLanes::LaneHeight, 8 * TraceLanes::LaneHeight);
            m_lanesSplitter->setSizes({high, std::max(1, all - high)});
        }
        refreshLanesHead();
    }
    if (shown)
        m_lanes->refresh();
}

void TracePanel::refreshLanesHead() {
    m_lanesHead->setFixedWidth(TraceLanes::nameWidth(m_lanes->width()));
    m_lanesHead->setText(m_lanes->summary());
    m_lanesHead->setToolTip(m_lanes->summaryTip());
}

} // namespace sbx::ui
