#include "widgets/trace/trace_statistics_window.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/common/theme.h"
#include "widgets/trace/cell_bars.h"
#include "widgets/trace/trace_statistics.h"

namespace sbx::ui {

TraceStatisticsWindow::TraceStatisticsWindow(const Theme& theme, const TraceModel& trace, QWidget* parent)
    : QDialog(parent),
      m_theme(theme),
      m_model(new TraceStatisticsModel(trace, this)),
      m_proxy(new QSortFilterProxyModel(this)),
      m_table(new QTreeView(this)),
      m_by(new QComboBox(this)),
      m_totals(new QLabel(this)) {
    setObjectName(QStringLiteral("trace.statistics"));
    setAccessibleName(tr("Statistics of the trace"));
    setWindowTitle(tr("Statistics of the trace"));
    resize(820, 420);
    using By = TraceStatisticsModel::By;
    m_by->setObjectName(QStringLiteral("trace.statistics.by"));
    m_by->setAccessibleName(tr("Count by"));
    for (const auto& [text, by] : {std::pair{tr("By type"), By::Type}, std::pair{tr("By sender"), By::Sender}, std::pair{tr("By receiver"), By::Receiver},
                                   std::pair{tr("By handler"), By::Handler}})
        m_by->addItem(text, static_cast<int>(by));
    connect(m_by, &QComboBox::currentIndexChanged, this, [this] { m_model->setBy(static_cast<By>(m_by->currentData().toInt())); });
    m_totals->setObjectName(QStringLiteral("trace.statistics.totals"));
    m_totals->setAccessibleName(tr("What is counted"));
    m_totals->setWordWrap(true);
    setTextToken(*m_totals, theme, Token::Muted);
    m_proxy->setSourceModel(m_model);
    m_proxy->setSortRole(TraceStatisticsModel::SortRole);
    m_proxy->setDynamicSortFilter(true);
    m_table->setObjectName(QStringLiteral("trace.statistics.table"));
    m_table->setAccessibleName(tr("Counts and times"));
    m_table->setModel(m_proxy);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(TraceStatisticsModel::Count, Qt::DescendingOrder);
    m_table->setFrameShape(QFrame::NoFrame);
    for (int column = TraceStatisticsModel::Count; column < TraceStatisticsModel::ColumnCount; ++column)
        m_table->setItemDelegateForColumn(column,
                                          new CellBarDelegate(theme, TraceStatisticsModel::BarRole, m_table));
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(TraceStatisticsModel::Name, QHeaderView::Stretch);
    constexpr int NumberWidth = 84; // pixels
    for (int column = TraceStatisticsModel::Count; column < TraceStatisticsModel::ColumnCount; ++column)
        m_table->setColumnWidth(column, NumberWidth);
    connect(m_table, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (const QString condition = m_model->conditionOf(m_proxy->mapToSource(index).row()); !condition.isEmpty())
            emit conditionChosen(condition);
    });
    connect(m_model, &TraceStatisticsModel::updated, this, &TraceStatisticsWindow::showTotals);
    auto* row = new QHBoxLayout;
    row->setSpacing(measure::GroupGap);
    row->addWidget(m_by);
    row->addWidget(m_totals, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(measure::PanelPadding, measure::PanelPadding, measure::PanelPadding, measure::PanelPadding);
    layout->setSpacing(measure::PanelPadding);
    layout->addLayout(row);
    layout->addWidget(m_table, 1);
    showTotals();
}

void TraceStatisticsWindow::showTotals() {
    if (m_model->total() == 0) {
        m_totals->setText(m_model->ignored() > 0 ? tr("All messages that the trace shows are ignored")
                                                 : tr("Nothing is shown in the trace yet"));
        return;
    }
    const QString count = m_model->total() == 1 ? tr("1 message") : tr("%L1 messages").arg(m_model->total());
    QString text = tr("%1 as the trace's filter shows them").arg(count);
    if (m_model->letGo() > 0)
        text =
            tr("%1 since tick %2 that the trace's filter lets through; the trace has let go of %L3 of them")
                .arg(count, QString::number(m_model->firstTick()))
                .arg(m_model->letGo());
    if (m_model->ignored() > 0)
        text += tr(", without %L1 that are ignored").arg(m_model->ignored());
    if (!m_model->hasTimes())
        text += tr("; “trace.timing 1” in the console records times");
    m_totals->setText(text);
}

void TraceStatisticsWindow::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    m_model->setActive(true);
}

void TraceStatisticsWindow::hideEvent(QHideEvent* event) {
    QDialog::hideEvent(event);
    m_model->setActive(false);
}

} // namespace sbx::ui

#include "moc_trace_statistics_window.cpp"
