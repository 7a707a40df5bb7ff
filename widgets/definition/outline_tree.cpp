#include "widgets/definition/outline_tree.h"

#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "engine/core/utf8.h"
#include "engine/definition/toml_syntax.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/definition/outline_delegate.h"
#include "widgets/definition/outline_model.h"

#include <utility>

namespace sbx::ui {

using Kind = definition::OutlineNode::Kind;

OutlineTree::OutlineTree(const Theme& theme, std::function<QString(const std::string&)> typeIcon,
                         TreeEdits& edits, std::function<FieldSources()> sources, ActionRegistry& actions,
                         QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_edits(edits),
      m_actions(actions),
      m_model(new OutlineModel(theme, std::move(typeIcon), this)),
      m_filter(new QSortFilterProxyModel(this)),
      m_view(new QTreeView(this)),
      m_delegate(new OutlineDelegate(
          theme, [this](const QModelIndex& index) { return m_edits.fieldOf(placeOf(index)); },
          std::move(sources), this)),
      m_bar(new FilterBar(theme, QStringLiteral("definition"), tr("Filter: name or value"), this)),
      m_fault(new QLabel(this)),
      m_add(new QToolButton(this)),
      m_defaults(new QToolButton(this)),
      m_unreadable(new EmptyState(theme, QStringLiteral("warning"), {})),
      m_noMatch(new NoMatchSwitch(theme, m_view, *m_bar, tr("No row matches the filter."),
                                  QStringLiteral("definition.noMatch"))),
      m_switch(new EmptySwitch(m_noMatch, m_unreadable, this)) {
    setObjectName(QStringLiteral("definition.outline"));
    setAccessibleName(tr("Definitions"));
    m_filter->setSourceModel(m_model);
    m_filter->setRecursiveFilteringEnabled(true);
    m_filter->setAutoAcceptChildRows(true);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_filter->setFilterKeyColumn(-1);
    buildView();
    const auto button = [&](QToolButton* made, const char* name, const char* icon, const QString& title,
                            const QString& tip) {
        made->setObjectName(QLatin1String(name));
        made->setAccessibleName(title);
        made->setToolTip(tip);
        made->setIcon(theme.icon(QLatin1String(icon)));
        made->setAutoRaise(true);
        made->setFixedHeight(measure::ControlHeight);
        m_bar->addTrailing(made);
    };
    button(m_defaults, "definition.tree.showDefaults", "eye", tr("Show defaults"),
           tr("Show defaults\nAlso the keys that the file does not say, in grey, with the values that they "
              "have all the same"));
    m_defaults->setCheckable(true);
    button(m_add, "definition.tree.addButton", "plus", tr("Add"),
           tr("Add a type, a component or a key (Insert)"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    m_fault->setObjectName(QStringLiteral("definition.tree.fault"));
    m_fault->setWordWrap(true);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setContentsMargins(measure::PanelPadding, 0, measure::PanelPadding, measure::RelatedGap);
    m_fault->setToolTip(tr("The rows below are those of the text before this error; they follow it again when the line is mended"));
    setTextToken(*m_fault, theme, Token::Error);
    m_fault->hide();
    layout->addWidget(m_fault);
    layout->addWidget(m_switch, 1);
    m_unreadable->setObjectName(QStringLiteral("definition.unreadable"));
    m_bar->focusOnFind(*this);
    m_bar->leaveOnEsc();
    connectView();
    addActions();
}

void OutlineTree::buildView() {
    m_view->setObjectName(QStringLiteral("definition.tree"));
    m_view->setAccessibleName(tr("Outline"));
    m_view->setModel(m_filter);
    m_view->setItemDelegate(m_delegate);
    m_view->setUniformRowHeights(true);
    m_view->setFrameShape(QFrame::NoFrame);
    // Enter, F2 and a double click come through the panel: what they do depends on the row.
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setIndentation(14);
    m_view->setHeaderHidden(true);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->header()->setMinimumSectionSize(2 * measure::PanelPadding);
    m_view->header()->setStretchLastSection(true);
    m_view->header()->resizeSection(OutlineModel::NameColumn, 140);
    m_view->setDragEnabled(true);
    m_view->setAcceptDrops(true);
    m_view->setDropIndicatorShown(true);
    m_view->setDragDropMode(QAbstractItemView::DragDrop);
    m_view->setDefaultDropAction(Qt::MoveAction);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
}

void OutlineTree::connectView() {
    connect(m_bar, &FilterBar::filterChanged, this, &OutlineTree::applyFilter);
    m_refresh.setSingleShot(true);
    connect(&m_refresh, &QTimer::timeout, this, [this] { m_actions.refresh(); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                m_refresh.start(0);
                if (!m_following && index.isValid())
                    emit picked(offsetOf(index));
            });
    connect(m_view, &QTreeView::clicked, this,
            [this](const QModelIndex& index) { emit picked(offsetOf(index)); });
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (placeOf(index).kind == Kind::Key && !m_model->isStale())
            editCurrent();
        else
            emit activated(offsetOf(index));
    });
    connect(m_view, &QTreeView::customContextMenuRequested, this, &OutlineTree::showMenu);
    connect(m_add, &QToolButton::clicked, this, &OutlineTree::popUpAdd);
    connect(m_defaults, &QToolButton::toggled, this, [this] { setText(m_text, false); });
    connect(m_delegate, &OutlineDelegate::valueEntered, this,
            [this](const QModelIndex& index, const QString& toml) {
                TreePlace place = placeOf(index);
                const bool done = report(m_edits.setValue(place, toml.toStdString()));
                emit refreshNeeded();
                if (!done)
                    return;
                place.written = true; // its row stands among those that are written now
                select(place);
            });
    connect(m_delegate, &OutlineDelegate::nameEntered, this,
            [this](const QModelIndex& index, const QString& name) {
                TreePlace place = placeOf(index);
                if (!report(m_edits.rename(place, name.toStdString())))
                    return;
                emit refreshNeeded();
                place.owner = name.toStdString();
                select(place);
            });
    m_model->setTextSource([this](const TreePlace& place) {
        const Result<std::string> text = m_edits.textOf(place);
        return text ? QString::fromStdString(*text) : QString();
    });
    connect(m_model, &OutlineModel::dropped, this,
            [this](const TreePlace& what, const TreePlace& parent, const TreePlace& before, bool copy) {
                emit refreshNeeded();
                if (what.kind == Kind::Type && copy) {
                    report(Error{"a type is copied with Ctrl+D; dragged, it changes its place", {}, {}});
                    return;
                }
                Result<void> done;
                if (what.kind == Kind::Type)
                    done = m_edits.moveType(what.owner,
                                            before.isValid() ? std::optional(before.owner) : std::nullopt);
                else
                    done = m_edits.moveComponent(
                        what, parent.owner, before.isValid() ? m_edits.partOf(before) : std::nullopt, copy);
                const bool moved = report(done);
                emit refreshNeeded();
                if (moved)
                    showDropped(what, parent);
            });
    connect(m_delegate, &OutlineDelegate::repaintWanted, m_view->viewport(), qOverload<>(&QWidget::update));
    m_delegate->setNameCheck(
        [this](const QModelIndex& index, const QString& name) { return m_edits.nameRefusal(placeOf(index), name); });
}

std::size_t OutlineTree::offsetOf(const QModelIndex& index) const {
    if (m_model->isStale()) {
        // The rows are of another text: where the same names stand now.
        const TreePlace place = placeOf(index);
        const std::string& text = m_text;
        const auto region = place.component.empty() && place.key.empty()
                                ? place.kind == Kind::Instance ? definition::findInstance(text, place.owner)
                                                               : definition::findType(text, place.owner)
                                : definition::findSetting(text, place.owner, place.component, place.key);
        return region ? definition::LineIndex(text).offset(region->line, region->column) : 0;
    }
    return static_cast<std::size_t>(index.siblingAtColumn(0).data(OutlineModel::OffsetRole).toULongLong());
}

TreePlace OutlineTree::placeOf(const QModelIndex& index) const {
    return m_model->placeOf(m_filter->mapToSource(index.siblingAtColumn(0)));
}

TreePlace OutlineTree::current() const { return placeOf(m_view->currentIndex()); }

void OutlineTree::setText(const std::string& text, bool another) {
    m_text = text;
    const std::size_t bad = firstBadByte(text);
    const bool isText = bad == std::string::npos;
    if (!isText) {
        const SourceRegion at = definition::LineIndex(text).region({bad, bad + 1});
        m_unreadable->setLine(
            tr("No outline: this file is not UTF-8 text (line %1, column %2).").arg(at.line).arg(at.column));
    }
    m_switch->setEmpty(!isText);
    std::optional<Diagnostic> fault;
    std::vector<definition::OutlineNode> nodes;
    if (isText)
        nodes = definition::outline(text, &fault);
    // Short: in a narrow panel there is room for two lines. The text has the mark with the rest.
    m_fault->setText(fault ? tr("Line %1: %2").arg(fault->region.line).arg(shownLine(fault->what)) : QString());
    m_fault->setVisible(fault.has_value());
    if (m_model->isStale() != fault.has_value())
        m_refresh.start(0);
    m_model->setStale(fault.has_value());
    m_following = true;
    if (!fault || another || m_model->rowCount() == 0) {
        if (showsDefaults() && isText && m_edits.isOpen())
            definition::addUnwritten(nodes, m_edits.outlined(), m_edits.definitions(), m_edits.schema());
        m_model->setOutline(std::move(nodes), isText ? text : std::string(), another);
    }
    m_following = false;
    updateCounts();
}

void OutlineTree::setFaults(const std::vector<OutlineModel::Fault>& faults) {
    m_model->setFaults(m_model->isStale() ? std::vector<OutlineModel::Fault>() : faults);
}

void OutlineTree::follow(std::size_t offset) {
    if (m_model->isStale())
        return;
    const QModelIndex wanted = m_filter->mapFromSource(m_model->indexAt(offset));
    if (!wanted.isValid() || wanted == m_view->currentIndex().siblingAtColumn(0))
        return;
    m_following = true;
    m_view->setCurrentIndex(wanted);
    m_view->scrollTo(wanted, QAbstractItemView::EnsureVisible);
    m_following = false;
}

TreePlace OutlineTree::placeAt(std::size_t offset) const {
    return m_model->isStale() ? TreePlace() : m_model->placeOf(m_model->indexAt(offset));
}

bool OutlineTree::select(const TreePlace& place) {
    const QModelIndex wanted = m_filter->mapFromSource(m_model->indexOf(place));
    if (!wanted.isValid())
        return false;
    m_view->setCurrentIndex(wanted);
    m_view->scrollTo(wanted, QAbstractItemView::EnsureVisible);
    return true;
}

void OutlineTree::showDropped(const TreePlace& what, const TreePlace& parent) {
    TreePlace place = what;
    place.written = true;
    if (what.kind != Kind::Type) {
        place.ownerKind = parent.ownerKind;
        place.owner = parent.owner;
        if (what.owner != parent.owner)
            place.which = 0;
    }
    if (select(place))
        m_delegate->flash(m_view->currentIndex());
}

QString OutlineTree::fault() const { return m_fault->text(); }

void OutlineTree::editCurrent() {
    const QModelIndex index = m_view->currentIndex();
    if (!index.isValid() || m_model->isStale())
        return;
    const int column =
        placeOf(index).kind == Kind::Key ? OutlineModel::ValueColumn : OutlineModel::NameColumn;
    const QModelIndex wanted = index.siblingAtColumn(column);
    if ((wanted.flags() & Qt::ItemIsEditable) != 0)
        m_view->edit(wanted);
}

bool OutlineTree::showsDefaults() const { return m_defaults->isChecked(); }

void OutlineTree::setShowsDefaults(bool shows) { m_defaults->setChecked(shows); }

void OutlineTree::applyFilter() {
    m_following = true;
    m_filter->setFilterFixedString(m_bar->text());
    m_following = false;
    if (!m_bar->text().isEmpty())
        m_view->expandAll();
    updateCounts();
}

void OutlineTree::updateCounts() {
    m_bar->setCounts(m_filter->rowCount(), m_model->rowCount());
    m_noMatch->setEmpty(m_filter->rowCount() == 0 && m_model->rowCount() > 0);
}

bool OutlineTree::report(const Result<void>& done) {
    if (!done)
        emit problem(QString::fromStdString(done.error().message));
    return static_cast<bool>(done);
}

} // namespace sbx::ui

#include "moc_outline_tree.cpp"
