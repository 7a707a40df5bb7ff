#include "widgets/history/history_panel.h"

#include <QListView>
#include <QVBoxLayout>

#include "widgets/common/empty_state.h"
#include "widgets/common/theme.h"
#include "widgets/history/history_delegate.h"
#include "widgets/history/history_model.h"

#include <utility>

namespace sbx::ui {

HistoryPanel::HistoryPanel(const Theme& theme, Document& document, std::function<void(bool redo)> step, QWidget* parent)
    : QWidget(parent), m_step(std::move(step)), m_model(new HistoryModel(document, this)), m_view(new QListView(this)) {
    setObjectName(QStringLiteral("history"));
    setAccessibleName(tr("History"));
    m_view->setObjectName(QStringLiteral("history.list"));
    m_view->setAccessibleName(tr("Steps of undo"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new HistoryDelegate(theme, m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setUniformItemSizes(true);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setTextElideMode(Qt::ElideRight);
    auto* empty = new EmptyState(theme, QStringLiteral("history"),
                                 tr("Nothing to undo yet. Each change of the project will stand here; a click on one goes back to it."));
    empty->setObjectName(QStringLiteral("history.empty"));
    m_switch = new EmptySwitch(m_view, empty, this);
    m_switch->setObjectName(QStringLiteral("history.switch"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_switch);
    setFocusProxy(m_view);
    // Where a click also activates, the second of the two finds that it is there already.
    connect(m_view, &QListView::clicked, this, &HistoryPanel::go);
    connect(m_view, &QListView::activated, this, &HistoryPanel::go);
    connect(m_model, &HistoryModel::moved, this, &HistoryPanel::followCurrent);
    followCurrent();
}

void HistoryPanel::go(const QModelIndex& index) {
    if (!index.isValid() || std::exchange(m_isGoing, true))
        return;
    m_model->goTo(index.row(), m_step);
    m_isGoing = false;
    followCurrent();
}

// The row of the current step is the view's, so that the arrow keys begin there; it comes into view with what was done.
void HistoryPanel::followCurrent() {
    m_switch->setEmpty(m_model->steps() == 0);
    if (m_isGoing)
        return;
    if (const QModelIndex current = m_model->index(m_model->currentRow()); current.isValid())
        m_view->setCurrentIndex(current);
}

} // namespace sbx::ui

#include "moc_history_panel.cpp"
