#include "widgets/outliner/outliner_panel.h"

#include <QAction>
#include <QDrag>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QPixmap>
#include <QTreeView>
#include <QVBoxLayout>

#include "engine/simulation/entity_filter.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/entity_names.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/filter_completer.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/name_delegate.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/outliner/entity_tree_model.h"
#include "widgets/outliner/mark_columns.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sbx::ui {

namespace {
const QString Source = QStringLiteral("outliner");
constexpr int TypesFrom = 270; // pixels of width

QString emptyLine() {
    return OutlinerPanel::tr("The world is empty. Create an entity, or drag in a type from Entities.");
}

// What is dragged stands beside the pointer as a small plate, so that the row under the pointer can be read.
class DraggedTree : public QTreeView {
public:
    DraggedTree(const Theme& theme, QWidget* parent) : QTreeView(parent), m_theme(theme) {}

protected:
    void startDrag(Qt::DropActions actions) override {
        QMimeData* const dragged = model()->mimeData(selectedIndexes());
        if (dragged == nullptr)
            return;
        const std::vector<std::string> names = EntityTreeModel::namesIn(*dragged);
        const QString text = names.size() == 1 ? shownLine(names.front()) : entitiesText(names);
        const int width = fontMetrics().horizontalAdvance(text) + 2 * measure::PanelPadding;
        const qreal ratio = devicePixelRatioF();
        QPixmap plate(QSize(width, measure::ControlHeight) * ratio);
        plate.setDevicePixelRatio(ratio);
        plate.fill(m_theme.color(Token::Raised));
        QPainter painter(&plate);
        painter.setFont(font());
        painter.setPen(m_theme.color(Token::Text));
        painter.drawText(QRect(0, 0, width, measure::ControlHeight), Qt::AlignCenter, text);
        painter.end();
        auto* drag = new QDrag(this); // Qt deletes it
        drag->setMimeData(dragged);
        drag->setPixmap(plate);
        constexpr int Away = 16; // from the pointer
        drag->setHotSpot({-Away, -Away});
        drag->exec(actions, defaultDropAction());
    }

private:
    const Theme& m_theme;
};
} // namespace

OutlinerPanel::OutlinerPanel(const Theme& theme, SessionFeed& feed, Selection& selection, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_feed(feed),
      m_selection(selection),
      m_model(new EntityTreeModel(theme, this)),
      m_view(new DraggedTree(theme, this)),
      m_names(new NameDelegate(theme, this)),
      m_bar(new FilterBar(theme, QStringLiteral("outliner"), tr("Filter: crate, type == Bat, has:Light"),
                          this)) {
    setObjectName(QStringLiteral("outliner"));
    m_view->setObjectName(QStringLiteral("outliner.tree"));
    m_view->setAccessibleName(tr("Entities"));
    m_view->setModel(m_model);
    m_view->setItemDelegateForColumn(EntityTreeModel::NameColumn, m_names);
    m_view->setUniformRowHeights(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setDragDropMode(QAbstractItemView::DragDrop);
    m_view->setDefaultDropAction(Qt::MoveAction);
    m_view->setAutoExpandDelay(500);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setSectionResizeMode(EntityTreeModel::NameColumn, QHeaderView::Stretch);
    m_view->header()->setSectionResizeMode(EntityTreeModel::TypeColumn, QHeaderView::Interactive);
    m_view->header()->resizeSection(EntityTreeModel::TypeColumn, 84);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_empty = new EmptyState(theme, QStringLiteral("entity"), emptyLine());
    m_empty->setObjectName(QStringLiteral("outliner.empty"));
    m_noMatch = new NoMatchSwitch(theme, m_view, *m_bar, tr("No entity matches the filter."),
                                  QStringLiteral("outliner.noMatch"));
    m_switch = new EmptySwitch(m_noMatch, m_empty, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_switch, 1);

    m_bar->focusOnFind(*this);
    m_bar->leaveOnEsc();
    m_completer = new FilterCompleter(
        theme, m_bar->lineEdit(),
        [this]() -> const FilterSchema& { return m_feed.frame().catalog->entityFields->schema(); },
        [this](const FilterField& field, std::string_view) {
            return m_feed.frame().catalog->entityFields->values(field, m_feed.frame());
        },
        this);
    if (const auto* fault = m_bar->findChild<QLabel*>(QStringLiteral("outliner.problem")))
        m_completer->setFaultLine(*fault);
    connect(&m_bar->lineEdit(), &QLineEdit::editingFinished, this,
            [this] { m_completer->remember(m_goodFilter); });
    setFocusProxy(m_view);
    connect(m_bar, &FilterBar::filterChanged, this, &OutlinerPanel::applyFilter);
    connect(&m_feed, &SessionFeed::frameChanged, this, &OutlinerPanel::followFrame);
    // What a filter shows is in sight, whatever else is folded.
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& above) {
        if (m_matches != nullptr)
            for (QModelIndex each = above; each.isValid(); each = each.parent())
                m_view->expand(each);
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &OutlinerPanel::takeSelection);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &OutlinerPanel::takeSelection);
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        emit entityActivated(QString::fromStdString(m_model->nameAt(index)));
    });
    connect(m_view, &QTreeView::customContextMenuRequested, this,
            [this](const QPoint& at) { emit contextMenuRequested(m_view->viewport()->mapToGlobal(at)); });
    connect(m_model, &EntityTreeModel::renameRequested, this, &OutlinerPanel::renameRequested);
    connect(m_model, &EntityTreeModel::parentRequested, this, &OutlinerPanel::parentRequested);
    connect(&m_selection, &Selection::entitiesChanged, this,
            [this](const QString& source) { showSelection(source != Source); });
    applyFilter({});
}

void OutlinerPanel::setSceneMarks(SceneMarks& marks) {
    m_model->setSceneMarks(marks);
    new MarkColumns(*m_view, marks,
                    {.hidden = EntityTreeModel::HiddenColumn,
                     .locked = EntityTreeModel::LockedColumn,
                     .names = &SceneMarks::Sets::of,
                     .nameOf = [this](const QModelIndex& index) { return m_model->nameAt(index); },
                     .text = [](std::size_t count, const std::string& first) { return entitiesText(count, first); }},
                    this);
}

// Narrow, names matter more than types: icon and tool tip tell those.
void OutlinerPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_view->setColumnHidden(EntityTreeModel::TypeColumn, width() < TypesFrom);
}

void OutlinerPanel::setFilterText(const QString& text) { m_bar->setText(text); }

bool OutlinerPanel::beginRename(const std::string& name) {
    const QModelIndex index = m_model->indexOf(name);
    if (!m_model->flags(index).testFlag(Qt::ItemIsEditable))
        return false;
    if (m_view->isPersistentEditorOpen(index))
        return true; // its name is being typed already
    m_names->giveUp(); // of another entity: what is asked for now counts
    m_view->scrollTo(index);
    m_view->setFocus();
    m_view->edit(index);
    return true;
}

void OutlinerPanel::setNameCheck(std::function<std::optional<NameRefusal>(const std::string& entity, const QString& name)> check) {
    m_names->setCheck([this, check = std::move(check)](const QModelIndex& row, const QString& name) -> std::optional<NameRefusal> {
        const std::string entity = m_model->nameAt(row);
        if (name.isEmpty() || name.toStdString() == entity) // nothing is renamed
            return std::nullopt;
        return check(entity, name);
    });
}

std::optional<std::vector<std::string>> OutlinerPanel::matchingNames() const {
    if (m_matches == nullptr || m_shown == nullptr)
        return std::nullopt;
    std::vector<std::string> names;
    names.reserve(m_matches->ids.size());
    for (const EntityId id : m_matches->ids)
        if (const EntityRow* row = m_shown->find(id))
            names.push_back(row->name);
    return names;
}

void OutlinerPanel::setLoading(const QString& name) {
    m_loading = !name.isEmpty();
    m_empty->setBusy(m_loading);
    m_empty->setLine(m_loading ? tr("Loading %1…").arg(name) : emptyLine());
    m_switch->setEmpty(m_loading || m_model->entityCount() == 0);
}

void OutlinerPanel::applyFilter(const QString& text) {
    compileFilter(text);
    followFrame();
}

// The last good one stays in force.
void OutlinerPanel::compileFilter(const QString& text) {
    m_catalog = m_feed.frame().catalog;
    const Result<Filter> filter = Filter::compile(text.toStdString(), m_catalog->entityFields->schema());
    m_bar->setProblem(filter ? QString() : QString::fromStdString(filter.error().message));
    if (!filter) {
        m_completer->markFault(filter.error());
        return;
    }
    m_completer->clearFault();
    m_goodFilter = filter->matchesAll() ? QString() : text;
    m_feed.post([wanted = m_goodFilter.toStdString()](Session& session) { session.filterEntities(wanted); });
}

void OutlinerPanel::followFrame() {
    if (m_catalog != m_feed.frame().catalog)
        compileFilter(m_bar->text()); // other components, other fields: what was a fault may be none now
    const FrameSnapshot& frame = m_feed.frame();
    const bool answered = frame.matches && frame.matches->filter == m_goodFilter.toStdString();
    const std::shared_ptr<const EntityMatches> before = m_matches;
    if (m_goodFilter.isEmpty())
        m_matches = nullptr;
    else if (answered)
        m_matches = frame.matches;
    if (m_shown == frame.entities && before == m_matches)
        return;
    m_shown = frame.entities;
    m_following = true;
    m_model->set(m_shown, m_matches);
    m_following = false;
    if (m_matches && (!before || before->filter != m_matches->filter))
        m_view->expandAll();
    if (const QModelIndex branch = m_model->indexOf(m_opening); m_model->rowCount(branch) > 0 && branch.isValid()) {
        m_view->expand(branch);
        m_opening.clear();
    }
    m_bar->setCounts(m_model->matchCount(), m_model->entityCount());
    m_switch->setEmpty(m_loading || m_model->entityCount() == 0);
    m_noMatch->setEmpty(m_matches != nullptr && m_model->matchCount() == 0);
    showSelection(false);
}

void OutlinerPanel::showSelection(bool scroll) {
    m_following = true;
    // Rows that stand one below the other are one range: views and selection models compare all ranges with all.
    std::vector<QModelIndex> rows;
    rows.reserve(m_selection.entities().size());
    for (const std::string& name : m_selection.entities())
        if (const QModelIndex index = m_model->indexOf(name); index.isValid())
            rows.push_back(index);
    std::sort(rows.begin(), rows.end(), [](const QModelIndex& a, const QModelIndex& b) {
        const QModelIndex above = a.parent();
        const QModelIndex other = b.parent();
        return above == other ? a.row() < b.row() : above < other;
    });
    QItemSelection wanted;
    for (std::size_t i = 0; i < rows.size();) {
        std::size_t end = i + 1;
        while (end < rows.size() && rows[end].row() == rows[end - 1].row() + 1 && rows[end].parent() == rows[i].parent())
            ++end;
        wanted.append(QItemSelectionRange(rows[i], rows[end - 1].siblingAtColumn(EntityTreeModel::ColumnCount - 1)));
        i = end;
    }
    if (wanted != m_view->selectionModel()->selection()) {
        // First none: what is selected is not compared with what was.
        m_view->selectionModel()->select(QItemSelection(), QItemSelectionModel::Clear);
        m_view->selectionModel()->select(wanted, QItemSelectionModel::Select);
    }
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
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom() && range.left() == 0; ++row)
            names.push_back(m_model->nameAt(m_model->index(row, EntityTreeModel::NameColumn, range.parent())));
    m_selection.setEntities(std::move(names), Source, m_model->nameAt(m_view->currentIndex()));
}

} // namespace sbx::ui

#include "moc_outliner_panel.cpp"
