#include "widgets/outliner/layers_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/common/empty_state.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/name_delegate.h"
#include "widgets/common/scene_layers.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/outliner/layer_model.h"
#include "widgets/outliner/mark_columns.h"

#include <algorithm>

namespace sbx::ui {

namespace {

const QString LayersSource = QStringLiteral("layers");
constexpr int CountWidth = 36; // pixels

} // namespace

LayersPanel::LayersPanel(const Theme& theme, SceneLayers& layers, SceneMarks& marks, Selection& selection, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_layers(layers),
      m_marks(marks),
      m_selection(selection),
      m_model(new LayerModel(theme, layers, marks, this)),
      m_view(new QTreeView(this)),
      m_names(new NameDelegate(theme, this)) {
    setObjectName(QStringLiteral("layers"));
    setAccessibleName(tr("Layers"));
    makeView();
    makeButtons();
    auto* empty = new EmptyState(theme, QStringLiteral("layer"), tr("No project is open. Its layers will stand here."));
    empty->setObjectName(QStringLiteral("layers.empty"));
    m_switch = new EmptySwitch(m_view, empty, this);
    m_switch->setObjectName(QStringLiteral("layers.switch"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(measure::PanelPadding, measure::RelatedGap, measure::PanelPadding, measure::RelatedGap);
    row->setSpacing(measure::RelatedGap);
    for (QToolButton* each : {m_add, m_move, m_active})
        row->addWidget(each);
    row->addStretch(1);
    row->addWidget(m_remove);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(m_switch, 1);
    setFocusProxy(m_view);
    connect(&m_layers, &SceneLayers::changed, this, &LayersPanel::showButtons);
    connect(&m_layers, &SceneLayers::ownChanged, this, &LayersPanel::showButtons);
    connect(&m_selection, &Selection::entitiesChanged, this, &LayersPanel::showButtons);
    showButtons();
}

void LayersPanel::makeView() {
    m_view->setObjectName(QStringLiteral("layers.list"));
    m_view->setAccessibleName(tr("Layers"));
    m_view->setModel(m_model);
    m_view->setItemDelegateForColumn(LayerModel::NameColumn, m_names);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setHeaderHidden(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setDragDropMode(QAbstractItemView::DropOnly);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setExpandsOnDoubleClick(false);
    QHeaderView* header = m_view->header();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(MarkColumns::Width);
    header->setSectionResizeMode(LayerModel::NameColumn, QHeaderView::Stretch);
    header->setSectionResizeMode(LayerModel::CountColumn, QHeaderView::Fixed);
    header->resizeSection(LayerModel::CountColumn, CountWidth);
    new MarkColumns(*m_view, m_marks,
                    {.hidden = LayerModel::HiddenColumn,
                     .locked = LayerModel::LockedColumn,
                     .names = &SceneMarks::Sets::layersOf,
                     .nameOf = [this](const QModelIndex& index) { return m_model->nameAt(index); },
                     .text = [](std::size_t count, const std::string& first) {
                         return count == 1 ? SceneLayers::nameText(first) : tr("%1 layers").arg(count);
                     }},
                    this);
    m_names->setCheck([this](const QModelIndex& row, const QString& name) -> std::optional<NameRefusal> {
        const QString fault = name.isEmpty() ? QString() : m_layers.nameFault(name, m_model->nameAt(row));
        return fault.isEmpty() ? std::nullopt : std::optional(NameRefusal{fault, {}});
    });
    m_view->installEventFilter(this);
    connect(m_view, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() <= LayerModel::CountColumn)
            selectMembers(m_model->nameAt(index));
    });
    connect(m_view, &QTreeView::customContextMenuRequested, this, &LayersPanel::showMenu);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &LayersPanel::showButtons);
    connect(m_model, &LayerModel::renameRequested, this, [this](const std::string& from, const std::string& to) {
        const Result<void> renamed = m_layers.rename(from, to);
        report(renamed);
        if (renamed)
            m_view->setCurrentIndex(m_model->indexOf(to));
    });
    connect(m_model, &LayerModel::assignRequested, this,
            [this](const std::vector<std::string>& names, const std::string& layer) { report(m_layers.assign(names, layer)); });
}

QToolButton* LayersPanel::button(const QString& name, const QString& icon, const QString& text, const QString& tip) {
    auto* made = new QToolButton(this);
    made->setObjectName(QStringLiteral("layers.") + name);
    made->setAccessibleName(text);
    made->setToolTip(text + QLatin1Char('\n') + tip);
    made->setAutoRaise(true);
    const auto draw = [this, made, icon] { made->setIcon(m_theme.icon(icon)); };
    draw();
    connect(&m_theme, &Theme::changed, made, draw);
    return made;
}

void LayersPanel::makeButtons() {
    m_add = button(QStringLiteral("add"), QStringLiteral("plus"), tr("New layer"), tr("With the selected entities in it, if there are any"));
    m_move = button(QStringLiteral("move"), QStringLiteral("arrow-down"), tr("Move the selection to this layer"),
                    tr("The selected entities and what hangs from them; dragging them here does the same"));
    m_active = button(QStringLiteral("active"), QStringLiteral("pin"), tr("New entities go to this layer"), tr("Press once more to end that"));
    m_active->setCheckable(true);
    m_remove = button(QStringLiteral("remove"), QStringLiteral("delete"), tr("Remove this layer"), tr("Its entities stay"));
    connect(m_add, &QToolButton::clicked, this, &LayersPanel::addLayer);
    connect(m_move, &QToolButton::clicked, this, [this] { report(m_layers.assign(m_selection.entities(), current())); });
    connect(m_active, &QToolButton::clicked, this, [this](bool on) { m_layers.setActive(on ? current() : std::string()); });
    connect(m_remove, &QToolButton::clicked, this, [this] { removeLayer(current()); });
}

void LayersPanel::report(const Result<void>& result) {
    if (!result)
        emit problem(QString::fromStdString(result.error().message));
}

std::string LayersPanel::current() const { return m_model->nameAt(m_view->currentIndex()); }

void LayersPanel::showButtons() {
    const bool open = !m_layers.all().empty();
    const std::string layer = current();
    m_switch->setEmpty(!open);
    m_add->setEnabled(open);
    m_move->setEnabled(open && m_view->currentIndex().isValid() && !m_selection.empty());
    m_active->setEnabled(!layer.empty());
    m_active->setChecked(!layer.empty() && m_layers.active() == layer);
    m_remove->setEnabled(!layer.empty());
}

void LayersPanel::addLayer() {
    if (m_layers.all().empty())
        return;
    std::string name;
    for (int number = 1; name.empty() || m_layers.contains(name); ++number)
        name = tr("Layer %1").arg(number).toStdString();
    const bool moves = !m_selection.empty();
    const Result<void> done = moves ? m_layers.assign(m_selection.entities(), name) : m_layers.add(name);
    report(done);
    const QModelIndex row = m_model->indexOf(name);
    if (!done || !row.isValid())
        return;
    m_view->setCurrentIndex(row);
    if (m_view->isVisible()) {
        m_view->setFocus();
        m_view->edit(row);
    }
}

void LayersPanel::removeLayer(const std::string& layer) { report(m_layers.remove(layer)); }

void LayersPanel::selectMembers(const std::string& layer) { m_selection.setEntities(m_layers.entitiesIn(layer), LayersSource); }

void LayersPanel::selectLayers() {
    MarkedNames wanted;
    for (const std::string& name : m_selection.entities())
        wanted.insert(m_marks.layerOf(name));
    std::vector<std::string> names;
    for (const std::string& layer : wanted) {
        const std::vector<std::string> in = m_layers.entitiesIn(layer);
        names.insert(names.end(), in.begin(), in.end());
    }
    m_selection.setEntities(std::move(names), LayersSource);
}

// Once more: all are shown again.
void LayersPanel::showOnly(const std::string& layer) {
    SceneMarks::Sets next = m_marks.sets();
    next.hiddenLayers.clear();
    for (const SceneLayer& each : m_layers.all())
        if (each.name != layer)
            next.hiddenLayers.insert(each.name);
    const bool ends = next == m_marks.sets();
    if (ends)
        next.hiddenLayers.clear();
    m_marks.become(std::move(next), ends ? tr("Show all layers") : tr("Show only %1").arg(SceneLayers::nameText(layer)));
}

void LayersPanel::fillMoveMenu(QMenu& menu, const std::vector<std::string>& names) {
    const auto add = [&](const QString& text, const QString& name, const std::string& layer) {
        QAction* action = menu.addAction(text, this, [this, names, layer] { report(m_layers.assign(names, layer)); });
        action->setObjectName(menu.objectName() + QLatin1Char('.') + name);
        action->setEnabled(!names.empty());
        return action;
    };
    for (const SceneLayer& layer : m_layers.all()) {
        if (layer.name.empty())
            continue;
        QAction* action = add(shownLine(layer.name).replace(QLatin1Char('&'), QStringLiteral("&&")), QString::fromStdString(layer.name), layer.name);
        action->setCheckable(true);
        action->setChecked(!names.empty() && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
            return m_marks.layerOf(name) == layer.name;
        }));
    }
    menu.addSeparator();
    add(tr("&No layer"), QStringLiteral("none"), {});
    QAction* fresh = menu.addAction(tr("New &layer"), this, &LayersPanel::addLayer);
    fresh->setObjectName(menu.objectName() + QStringLiteral(".new"));
    fresh->setEnabled(!m_layers.all().empty());
}

void LayersPanel::showMenu(const QPoint& at) {
    const QModelIndex index = m_view->indexAt(at);
    const std::string layer = m_model->nameAt(index);
    auto* menu = new QMenu(m_view);
    menu->setObjectName(QStringLiteral("layers.menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString& name, const QString& text, bool enabled, auto run) {
        QAction* action = menu->addAction(text, this, run);
        action->setObjectName(QStringLiteral("layers.menu.") + name);
        action->setEnabled(enabled);
    };
    if (index.isValid()) {
        add(QStringLiteral("select"), tr("&Select what is in it"), true, [this, layer] { selectMembers(layer); });
        add(QStringLiteral("move"), tr("&Move the selection here"), !m_selection.empty(),
            [this, layer] { report(m_layers.assign(m_selection.entities(), layer)); });
        add(QStringLiteral("only"), tr("Show &only this"), true, [this, layer] { showOnly(layer); });
        const bool ends = layer.empty() || m_layers.active() == layer;
        add(QStringLiteral("active"), ends ? tr("New &entities go to no layer") : tr("New &entities go here"), m_layers.active() != (ends ? "" : layer),
            [this, ends, layer] { m_layers.setActive(ends ? std::string() : layer); });
        menu->addSeparator();
        add(QStringLiteral("rename"), tr("&Rename"), !layer.empty(), [this, layer] { m_view->edit(m_model->indexOf(layer)); });
        add(QStringLiteral("remove"), tr("Remo&ve, keep its entities"), !layer.empty(), [this, layer] { removeLayer(layer); });
        menu->addSeparator();
    }
    add(QStringLiteral("new"), tr("&New layer"), !m_layers.all().empty(), [this] { addLayer(); });
    menu->popup(m_view->viewport()->mapToGlobal(at));
}

bool LayersPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_view || event->type() != QEvent::KeyPress)
        return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (!m_view->currentIndex().isValid())
        return false;
    // As for entities: once more, and it is shown again.
    if (key == Qt::Key_H && static_cast<QKeyEvent*>(event)->modifiers() == Qt::NoModifier) {
        const std::string layer = current();
        SceneMarks::Sets next = m_marks.sets();
        const bool hides = next.hiddenLayers.erase(layer) == 0;
        if (hides)
            next.hiddenLayers.insert(layer);
        m_marks.become(std::move(next), SceneMarks::stepText(SceneMark::Hidden, hides, SceneLayers::nameText(layer)));
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        selectMembers(current());
        return true;
    }
    if (key == Qt::Key_Delete && !current().empty()) {
        removeLayer(current());
        return true;
    }
    return false;
}

} // namespace sbx::ui

#include "moc_layers_panel.cpp"
