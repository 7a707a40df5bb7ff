// The window's actions on the selection that need more than one panel: rename, select all, by type, inverted.

#include <QDockWidget>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/mark_actions.h"
#include "app/editor/scene_actions.h"
#include "engine/core/filter.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/scene_layers.h"
#include "widgets/common/text_focus.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/outliner/layers_panel.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/viewport_panel.h"

#include <QTreeView>

#include <functional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sbx::editor {

namespace {
const QString EditSource = QStringLiteral("edit");
const QString EntitiesContext = QStringLiteral("entities");
constexpr QChar ComponentPrefix = QLatin1Char('+');
constexpr QChar TypePrefix = QLatin1Char('*');
constexpr QChar TypeComponentPrefix = QLatin1Char('=');
} // namespace

void MainWindow::createEditActions() {
    ui::ActionRegistry& actions = m_editor.actions();
    const auto open = [this] { return m_editor.document().isOpen(); };
    const auto selected = [this, open] { return open() && !m_editor.selection().empty(); };
    actions.add({.id = QStringLiteral("edit.rename"),
                 .text = tr("Re&name"),
                 .menu = tr("Edit#1"),
                 .shortcuts = {QKeySequence(Qt::Key_F2)},
                 .context = EntitiesContext,
                 .doc = tr("Type another name for the selected entity in the outliner; what refers to it follows"),
                 .run = [this](bool) { renameSelected(); },
                 .enabled = selected});
    const auto scene = [this, open] { return open() && m_viewport->editor().canEdit(); };
    actions.add({.id = QStringLiteral("edit.create"),
                 .text = tr("Create &entity…"),
                 .menu = tr("Edit#1"),
                 .icon = QStringLiteral("plus"),
                 .shortcuts = {QKeySequence(Qt::SHIFT | Qt::Key_A)},
                 .context = EntitiesContext,
                 .doc = tr("Choose a type from a list: Enter puts one where the pointer is in the viewport, or in its middle"),
                 .run = [this](bool) { chooseType(); },
                 .enabled = scene});
    actions.add({.id = QStringLiteral("edit.createAgain"),
                 .text = tr("Create a&nother"),
                 .menu = tr("Edit#1"),
                 .shortcuts = {QKeySequence(Qt::SHIFT | Qt::Key_R)},
                 .context = EntitiesContext,
                 .doc = tr("Put one more of the type that was created last where the pointer is in the viewport, or in its middle"),
                 .run = [this](bool) { m_viewport->createAt(m_viewport->lastCreated(), m_viewport->pointerPlace()); },
                 .enabled = [this, scene] { return scene() && !m_viewport->lastCreated().isEmpty(); }});
    auto* sceneActions = new SceneActions(m_editor, *m_viewport, *m_outliner, *m_layersPanel, this);
    connect(sceneActions, &SceneActions::problem, this, &MainWindow::report);
    connect(m_layersPanel, &ui::LayersPanel::problem, this, &MainWindow::report);
    m_viewport->setSceneMarks(*m_marks);
    m_viewport->editor().setLayerForNew([this] { return m_layers->active(); });
    m_outliner->setSceneMarks(*m_marks);
    new MarkActions(m_editor, *m_marks, *m_layers, *m_status, this);
    actions.add({.id = QStringLiteral("edit.createSound"),
                 .text = tr("Create sound"),
                 .icon = QStringLiteral("sound"),
                 .doc = tr("Put a sound in the middle of what the viewport shows"),
                 .run = [this](bool) { m_viewport->createAtCentre(QStringLiteral("Sound")); },
                 .enabled = scene});
    actions.add({.id = QStringLiteral("edit.addComponent"),
                 .text = tr("Add co&mponent…"),
                 .menu = tr("Edit#1"),
                 .icon = QStringLiteral("plus"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)},
                 .doc = tr("Choose a component for the selected entities, or for all entities of their types"),
                 .run = [this](bool) { m_palette->popUp(QString(ComponentPrefix)); },
                 .enabled = [this, selected] { return selected() && m_editor.feed().mode() == Mode::Edit; }});
    actions.add({.id = QStringLiteral("edit.copyComponents"),
                 .text = tr("Copy component values"),
                 .menu = tr("Edit#1"),
                 .doc = tr("Copy all components of the selected entity with their values, as the tables of a definition file"),
                 .run = [this](bool) { m_inspector->copyComponents({}); },
                 .enabled = selected});
    actions.add({.id = QStringLiteral("edit.pasteComponentValues"),
                 .text = tr("Paste component values"),
                 .menu = tr("Edit#1"),
                 .doc = tr("Set what the copied components say in the components that the selected entities have"),
                 .run = [this](bool) { m_inspector->pasteValues(ui::InspectorPanel::Into::Selected); },
                 .enabled = selected});
    actions.add({.id = QStringLiteral("edit.pasteComponents"),
                 .text = tr("Paste components as new"),
                 .menu = tr("Edit#1"),
                 .doc = tr("Add the copied components to the selected entities, or to all entities of their types"),
                 .run = [this](bool) { m_inspector->pasteComponents(); },
                 .enabled = [this, selected] { return selected() && m_editor.feed().mode() == Mode::Edit; }});
    actions.add({.id = QStringLiteral("inspector.lock"),
                 .text = tr("Keep showing these entities"),
                 .doc = tr("The inspector keeps showing what is selected now while other entities are selected"),
                 .run = [this](bool on) { m_inspector->setLocked(on); },
                 .checkable = true,
                 .enabled = [this, selected] { return m_inspector->isLocked() || selected(); },
                 .checked = [this] { return m_inspector->isLocked(); }});
    actions.add({.id = QStringLiteral("edit.selectAll"),
                 .text = tr("Select &all"),
                 .menu = tr("Edit#2"),
                 .shortcuts = {QKeySequence::SelectAll},
                 .context = EntitiesContext,
                 .doc = tr("Select every entity, or those that the outliner shows while it is filtered"),
                 .run = [this](bool) {
                     if (!ui::giveToText(ui::TextCommand::SelectAll))
                         selectAll();
                 },
                 .enabled = [open] { return ui::textHasFocus() || open(); }});
    actions.add({.id = QStringLiteral("trace.followSelected"),
                 .text = tr("Follow in the trace"),
                 .icon = QStringLiteral("message"),
                 .doc = tr("Show only messages from and to the selected entities in the trace"),
                 .run = [this](bool) { followSelected(); },
                 .enabled = selected});
    actions.add({.id = QStringLiteral("edit.selectByType"),
                 .text = tr("Select by &type"),
                 .menu = tr("Edit#2"),
                 .context = EntitiesContext,
                 .doc = tr("Select every entity of the types that are selected"),
                 .run = [this](bool) { selectByType(); },
                 .enabled = selected});
    actions.add({.id = QStringLiteral("edit.invertSelection"),
                 .text = tr("&Invert selection"),
                 .menu = tr("Edit#2"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_I)},
                 .context = EntitiesContext,
                 .doc = tr("Select what is not selected, and nothing else"),
                 .run = [this](bool) {
                     selectWhere([this](const EntityRow& row) { return !m_editor.selection().contains(row.name); });
                 },
                 .enabled = open});
    actions.add({.id = QStringLiteral("edit.selectBack"),
                 .text = tr("Previous selection"),
                 .menu = tr("Edit#2"),
                 .shortcuts = {QKeySequence(Qt::ALT | Qt::Key_Left)},
                 .run = [this](bool) { m_editor.selection().back(); },
                 .enabled = [this] { return m_editor.selection().canGoBack(); }});
    actions.add({.id = QStringLiteral("edit.selectForward"),
                 .text = tr("Next selection"),
                 .menu = tr("Edit#2"),
                 .shortcuts = {QKeySequence(Qt::ALT | Qt::Key_Right)},
                 .run = [this](bool) { m_editor.selection().forward(); },
                 .enabled = [this] { return m_editor.selection().canGoForward(); }});
}

// The palette may open under the pointer: its position is read before.
void MainWindow::chooseType() {
    m_createPlace = m_viewport->pointerPlace();
    m_palette->popUp(QString(TypePrefix));
}

void MainWindow::offerTypes() {
    m_palette->addProvider(TypePrefix, tr("type to create"), [this] {
        std::vector<ui::PaletteItem> items;
        for (const definition::EntityTypeDefinition& type : m_viewport->editor().definitions().types()) {
            ui::PaletteItem item;
            item.text = QString::fromStdString(type.name);
            item.detail = ui::shownLine(type.doc);
            item.trailing = type.builtIn ? tr("built in") : QString();
            item.icon = type.icon.empty() ? QStringLiteral("entity") : QString::fromStdString(type.icon);
            item.run = [this, name = item.text] { m_viewport->createAt(name, m_createPlace); };
            items.push_back(std::move(item));
        }
        return items;
    });
}

void MainWindow::offerComponents() {
    const auto itemsOf = [](const std::vector<ui::ComponentChoice>& choices, const std::function<void(const QString&)>& add) {
        std::vector<ui::PaletteItem> items;
        for (const ui::ComponentChoice& choice : choices) {
            ui::PaletteItem item;
            item.text = choice.name;
            item.detail = choice.reason.isEmpty() ? choice.doc : choice.reason;
            item.aliases = choice.aliases;
            item.trailing = choice.category;
            item.icon = QStringLiteral("component");
            item.enabled = choice.reason.isEmpty();
            item.run = [add, name = choice.name] { add(name); };
            items.push_back(std::move(item));
        }
        return items;
    };
    m_palette->addProvider(ComponentPrefix, tr("component to add"), [this, itemsOf] {
        return itemsOf(m_inspector->componentChoices(), [this](const QString& name) {
            // A question that follows opens where the list was.
            m_inspector->addComponent(name, QRect(m_palette->mapToGlobal(QPoint()), m_palette->size()));
        });
    });
    m_palette->addProvider(TypeComponentPrefix, tr("component to add to the type in the definition"), [this, itemsOf] {
        return itemsOf(m_definition->componentChoices(), [this](const QString& name) { m_definition->addComponent(name); });
    });
    connect(m_definition, &ui::DefinitionPanel::addComponentRequested, this,
            [this] { m_palette->popUp(QString(TypeComponentPrefix)); });
    connect(m_inspector, &ui::InspectorPanel::addComponentRequested, this, [this] {
        if (const Result<void> done = m_editor.actions().trigger(QStringLiteral("edit.addComponent")); !done)
            report(QString::fromStdString(done.error().message));
    });
}

void MainWindow::renameSelected() {
    const std::string name = m_editor.selection().primary();
    const EntityRow* row = m_editor.feed().frame().entities->find(name);
    const QString shown = QString::fromStdString(name);
    if (m_editor.feed().mode() != Mode::Edit) {
        report(tr("%1 can be renamed when the world is stopped.").arg(shown));
        return;
    }
    if (row == nullptr || !row->fromScene) {
        report(tr("%1 is not in the scene file: it cannot be renamed.").arg(shown));
        return;
    }
    QDockWidget* outliner = dock(QStringLiteral("dock.outliner"));
    outliner->show();
    outliner->raise();
    if (!m_outliner->beginRename(name))
        report(tr("The outliner's filter hides %1; clear it to rename the entity there.").arg(shown));
}

void MainWindow::selectAll() {
    if (m_outliner->isVisible())
        if (std::optional<std::vector<std::string>> matching = m_outliner->matchingNames()) {
            m_editor.selection().setEntities(std::move(*matching), EditSource, m_editor.selection().primary());
            return;
        }
    selectWhere([](const EntityRow&) { return true; });
}

void MainWindow::selectByType() {
    std::unordered_set<std::string> types;
    for (const std::string& name : m_editor.selection().entities())
        if (const EntityRow* row = m_editor.feed().frame().entities->find(name))
            types.insert(row->type);
    selectWhere([&types](const EntityRow& row) { return types.contains(row.type); });
}

void MainWindow::selectWhere(const std::function<bool(const EntityRow&)>& wanted) {
    std::vector<std::string> names;
    for (const EntityRow& row : m_editor.feed().frame().entities->rows)
        if (wanted(row))
            names.push_back(row.name);
    m_editor.selection().setEntities(std::move(names), EditSource, m_editor.selection().primary());
}

void MainWindow::followSelected() {
    constexpr std::size_t Most = 50; // names in one filter
    const std::vector<std::string>& names = m_editor.selection().entities();
    if (names.size() > Most) {
        report(tr("The trace follows at most %1 entities at once; %2 are selected.").arg(Most).arg(names.size()));
        return;
    }
    QStringList literals;
    for (const std::string& name : names)
        literals.append(QString::fromStdString(filterLiteral(name)));
    m_trace->setFilterText(names.size() == 1 ? QStringLiteral("entity == %1").arg(literals.front())
                                             : QStringLiteral("entity in (%1)").arg(literals.join(QStringLiteral(", "))));
    dock(QStringLiteral("dock.trace"))->show();
    dock(QStringLiteral("dock.trace"))->raise();
}

} // namespace sbx::editor
