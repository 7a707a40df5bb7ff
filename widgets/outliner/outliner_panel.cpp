#include "widgets/outliner/outliner_panel.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>

#include "engine/session/entity_filter.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/filter_completer.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/outliner/entity_tree_model.h"

#include <algorithm>

namespace sbx::ui {

namespace {
const QString Source = QStringLiteral("outliner");
constexpr int TypesFrom = 230; // pixels of width

// What a text field of the entities that are there says, without repeats.
std::vector<std::string> valuesOf(const EntityList& entities, const FilterField& field) {
    FilterFieldId id{};
    std::vector<std::string> values;
    if (!entityFilterSchema().findId(field.name, id))
        return values;
    for (const EntityRow& entity : entities.rows) {
        const EntityFilterRow row(entity);
        for (std::size_t i = 0; i < row.valueCount(id); ++i)
            if (const FilterValue value = row.value(id, i); value.kind == FilterValue::Kind::String)
                values.emplace_back(value.text);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}
} // namespace

OutlinerPanel::OutlinerPanel(const Theme& theme, SessionFeed& feed, Selection& selection, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_feed(feed),
      m_selection(selection),
      m_model(new EntityTreeModel(theme, this)),
      m_view(new QTreeView(this)),
      m_bar(new FilterBar(theme, QStringLiteral("outliner"), tr("Filter: crate, type == Bat, has:Light"),
                          this)) {
    setObjectName(QStringLiteral("outliner"));
    m_view->setObjectName(QStringLiteral("outliner.tree"));
    m_view->setAccessibleName(tr("Entities"));
    m_view->setModel(m_model);
    m_view->setUniformRowHeights(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setSectionResizeMode(EntityTreeModel::NameColumn, QHeaderView::Stretch);
    m_view->header()->setSectionResizeMode(EntityTreeModel::TypeColumn, QHeaderView::Interactive);
    m_view->header()->resizeSection(EntityTreeModel::TypeColumn, 84);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* empty = new EmptyState(theme, QStringLiteral("entity"),
                                 tr("The world is empty. Open a project, or drag in a type from Entities."));
    m_switch = new EmptySwitch(m_view, empty, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_switch, 1);

    m_bar->focusOnFind(*this);
    m_completer = new FilterCompleter(
        theme, m_bar->lineEdit(), []() -> const FilterSchema& { return entityFilterSchema(); },
        [this](const FilterField& field, std::string_view) { return valuesOf(*m_feed.frame().entities, field); }, this);
    connect(&m_bar->lineEdit(), &QLineEdit::editingFinished, this, [this] { m_completer->remember(m_goodFilter); });
    setFocusProxy(m_view);
    connect(m_bar, &FilterBar::filterChanged, this, &OutlinerPanel::applyFilter);
    connect(&m_feed, &SessionFeed::entitiesChanged, this, &OutlinerPanel::refresh);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &OutlinerPanel::takeSelection);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &OutlinerPanel::takeSelection);
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        emit entityActivated(QString::fromStdString(m_model->nameAt(index)));
    });
    connect(m_view, &QTreeView::customContextMenuRequested, this,
            [this](const QPoint& at) { emit contextMenuRequested(m_view->viewport()->mapToGlobal(at)); });
    connect(&m_selection, &Selection::entitiesChanged, this,
            [this](const QString& source) { showSelection(source != Source); });
    refresh();
}

// Narrow, names matter more than types: icon and tool tip tell those.
void OutlinerPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_view->setColumnHidden(EntityTreeModel::TypeColumn, width() < TypesFrom);
}

void OutlinerPanel::setFilterText(const QString& text) { m_bar->setText(text); }

void OutlinerPanel::applyFilter(const QString& text) {
    const Result<Filter> filter = Filter::compile(text.toStdString(), entityFilterSchema());
    m_bar->setProblem(filter ? QString() : QString::fromStdString(filter.error().message));
    if (!filter) {
        m_completer->markFault(filter.error());
        return; // the last good one stays in force
    }
    m_completer->clearFault();
    m_goodFilter = text;
    m_following = true;
    m_model->setFilter(*filter);
    m_following = false;
    if (!text.isEmpty())
        m_view->expandAll();
    m_bar->setCounts(m_model->matchCount(), m_model->entityCount());
    showSelection(false);
}

void OutlinerPanel::refresh() {
    m_following = true;
    m_model->setEntities(m_feed.frame().entities);
    m_following = false;
    m_bar->setCounts(m_model->matchCount(), m_model->entityCount());
    m_switch->setEmpty(m_model->entityCount() == 0);
    showSelection(false);
}

void OutlinerPanel::showSelection(bool scroll) {
    m_following = true;
    QItemSelection wanted;
    for (const std::string& name : m_selection.entities())
        if (const QModelIndex index = m_model->indexOf(name); index.isValid())
            wanted.select(index, index.siblingAtColumn(EntityTreeModel::ColumnCount - 1));
    m_view->selectionModel()->select(wanted, QItemSelectionModel::ClearAndSelect);
    const QModelIndex primary = m_model->indexOf(m_selection.primary());
    m_view->selectionModel()->setCurrentIndex(primary, QItemSelectionModel::NoUpdate);
    if (scroll && primary.isValid())
        m_view->scrollTo(primary); // only if it is not in sight already
    m_following = false;
}

void OutlinerPanel::takeSelection() {
    if (m_following)
        return;
    std::vector<std::string> names;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
        names.push_back(m_model->nameAt(index));
    m_selection.setEntities(std::move(names), Source, m_model->nameAt(m_view->currentIndex()));
}

} // namespace sbx::ui
