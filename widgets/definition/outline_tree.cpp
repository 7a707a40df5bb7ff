#include "widgets/definition/outline_tree.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

#include "engine/core/utf8.h"
#include "engine/definition/toml_syntax.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/theme.h"
#include "widgets/definition/outline_model.h"

#include <utility>

namespace sbx::ui {

OutlineTree::OutlineTree(const Theme& theme, std::function<QString(const std::string&)> typeIcon,
                         QWidget* parent)
    : QWidget(parent),
      m_model(new OutlineModel(theme, std::move(typeIcon), this)),
      m_filter(new QSortFilterProxyModel(this)),
      m_view(new QTreeView(this)),
      m_bar(new FilterBar(theme, QStringLiteral("definition"), tr("Filter: name or value"), this)),
      m_unreadable(new EmptyState(theme, QStringLiteral("warning"), {})),
      m_switch(new EmptySwitch(m_view, m_unreadable, this)) {
    setObjectName(QStringLiteral("definition.outline"));
    m_filter->setSourceModel(m_model);
    m_filter->setRecursiveFilteringEnabled(true);
    m_filter->setAutoAcceptChildRows(true);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_filter->setFilterKeyColumn(-1);
    m_view->setObjectName(QStringLiteral("definition.tree"));
    m_view->setAccessibleName(tr("Outline"));
    m_view->setModel(m_filter);
    m_view->setUniformRowHeights(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setIndentation(14);
    m_view->setHeaderHidden(true);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->header()->setMinimumSectionSize(2 * measure::PanelPadding);
    m_view->header()->setStretchLastSection(true);
    m_view->header()->resizeSection(OutlineModel::NameColumn, 140);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_switch, 1);
    m_unreadable->setObjectName(QStringLiteral("definition.unreadable"));

    m_bar->focusOnFind(*this);
    connect(m_bar, &FilterBar::filterChanged, this, &OutlineTree::applyFilter);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                if (!m_following && index.isValid())
                    emit picked(offsetOf(index));
            });
    connect(m_view, &QTreeView::clicked, this,
            [this](const QModelIndex& index) { emit picked(offsetOf(index)); });
    connect(m_view, &QTreeView::activated, this,
            [this](const QModelIndex& index) { emit activated(offsetOf(index)); });
}

std::size_t OutlineTree::offsetOf(const QModelIndex& index) const {
    return static_cast<std::size_t>(index.siblingAtColumn(0).data(OutlineModel::OffsetRole).toULongLong());
}

void OutlineTree::setText(const std::string& text, bool another) {
    const std::size_t bad = firstBadByte(text);
    const bool isText = bad == std::string::npos;
    if (!isText) {
        const SourceRegion at = definition::LineIndex(text).region({bad, bad + 1});
        m_unreadable->setLine(tr("No outline: this file is not UTF-8 text (line %1, column %2).").arg(at.line).arg(at.column));
    }
    m_switch->setEmpty(!isText);
    m_following = true;
    m_model->setOutline(isText ? definition::outline(text) : std::vector<definition::OutlineNode>(), isText ? text : std::string(),
                        another);
    m_following = false;
    updateCounts();
}

void OutlineTree::follow(std::size_t offset) {
    const QModelIndex wanted = m_filter->mapFromSource(m_model->indexAt(offset));
    if (!wanted.isValid() || wanted == m_view->currentIndex().siblingAtColumn(0))
        return;
    m_following = true;
    m_view->setCurrentIndex(wanted);
    m_view->scrollTo(wanted, QAbstractItemView::EnsureVisible);
    m_following = false;
}

void OutlineTree::applyFilter() {
    m_following = true;
    m_filter->setFilterFixedString(m_bar->text());
    m_following = false;
    if (!m_bar->text().isEmpty())
        m_view->expandAll();
    updateCounts();
}

void OutlineTree::updateCounts() { m_bar->setCounts(m_filter->rowCount(), m_model->rowCount()); }

} // namespace sbx::ui

#include "moc_outline_tree.cpp"
