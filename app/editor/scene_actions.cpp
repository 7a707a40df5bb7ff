#include "app/editor/scene_actions.h"

#include <QMenu>

#include "app/editor/editor.h"
#include "widgets/common/scene_layers.h"
#include "widgets/outliner/layers_panel.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_view.h"

#include <initializer_list>

namespace sbx::editor {

namespace {

const QString SelectionContext = QStringLiteral("entities");

void addSubmenu(QMenu& menu, ui::ActionRegistry& actions, const QString& title, const QString& name, std::initializer_list<const char*> ids) {
    QMenu* submenu = menu.addMenu(title);
    submenu->setObjectName(menu.objectName() + QLatin1Char('.') + name);
    for (const char* id : ids) {
        if (*id == '\0')
            submenu->addSeparator();
        else if (QAction* action = actions.find(QLatin1String(id)))
            submenu->addAction(action);
    }
}

} // namespace

SceneActions::SceneActions(Editor& editor, ui::ViewportPanel& viewport, ui::OutlinerPanel& outliner, ui::LayersPanel& layers,
                           QObject* parent)
    : QObject(parent),
      m_editor(editor),
      m_viewport(viewport),
      m_outliner(outliner),
      m_layers(layers),
      m_hierarchy(viewport.editor(), editor.document(), editor.selection()),
      m_arrange(viewport.editor(), viewport.view().shown(), editor.document()) {
    addHierarchyActions();
    addArrangeActions();
    addLayerActions();
    m_viewport.setMenuExtension([this](QMenu& menu) { fill(menu, m_editor, m_layers); });
}

void SceneActions::fill(QMenu& menu, Editor& editor, ui::LayersPanel& layers) {
    ui::ActionRegistry& actions = editor.actions();
    actions.refresh();
    if (QAction* send = actions.find(QStringLiteral("trace.send")))
        menu.addAction(send);
    addSubmenu(menu, actions, tr("&Hierarchy"), QStringLiteral("hierarchy"),
               {"edit.group", "edit.ungroup", "", "edit.parent", "edit.clearParent"});
    addSubmenu(menu, actions, tr("&Arrange"), QStringLiteral("arrange"),
               {"edit.dropToFloor", "", "edit.alignMinX", "edit.alignCentreX", "edit.alignMaxX", "", "edit.alignMinY", "edit.alignCentreY",
                "edit.alignMaxY", "", "edit.alignMinZ", "edit.alignCentreZ", "edit.alignMaxZ", "", "edit.distributeX", "edit.distributeY",
                "edit.distributeZ"});
    addSubmenu(menu, actions, tr("Hide and &lock"), QStringLiteral("marks"),
               {"edit.hide", "edit.isolate", "edit.showAll", "", "edit.lock", "edit.unlock", "edit.unlockAll"});
    QMenu* move = menu.addMenu(tr("Move to la&yer"));
    move->setObjectName(menu.objectName() + QStringLiteral(".layer"));
    layers.fillMoveMenu(*move, editor.selection().entities());
}

void SceneActions::addLayerActions() {
    ui::ActionRegistry& actions = m_editor.actions();
    const ui::Selection& selection = m_editor.selection();
    actions.add({.id = QStringLiteral("edit.newLayer"),
                 .text = tr("&New layer"),
                 .menu = tr("Edit/Layer"),
                 .icon = QStringLiteral("layer"),
                 .doc = tr("Make a layer, with the selected entities in it if there are any"),
                 .run = [this](bool) { m_layers.addLayer(); },
                 .enabled = [this] { return m_editor.document().isOpen(); }});
    actions.add({.id = QStringLiteral("edit.leaveLayer"),
                 .text = tr("&Take out of the layer"),
                 .menu = tr("Edit/Layer"),
                 .doc = tr("The selected entities and what hangs from them are in no layer afterwards"),
                 .run = [this, &selection](bool) { report(m_layers.layers().assign(selection.entities(), {})); },
                 .enabled = [this, &selection] { return m_editor.document().isOpen() && !selection.empty(); }});
    actions.add({.id = QStringLiteral("edit.selectLayer"),
                 .text = tr("&Select the layer"),
                 .menu = tr("Edit/Layer"),
                 .doc = tr("Select all that is in the layers of the selected entities"),
                 .run = [this](bool) { m_layers.selectLayers(); },
                 .enabled = [this, &selection] { return m_editor.document().isOpen() && !selection.empty(); }});
}

void SceneActions::report(const Result<void>& result) {
    if (!result)
        emit problem(QString::fromStdString(result.error().message));
}

void SceneActions::addArrangeActions() {
    ui::ActionRegistry& actions = m_editor.actions();
    const ui::Selection& selection = m_editor.selection();
    const auto atLeast = [this, &selection](std::size_t count) {
        return [this, &selection, count] { return m_editor.document().isOpen() && selection.entities().size() >= count; };
    };
    actions.add({.id = QStringLiteral("edit.dropToFloor"),
                 .text = tr("&Drop to floor"),
                 .menu = tr("Edit/Arrange"),
                 .icon = QStringLiteral("arrow-down"),
                 .shortcuts = {QKeySequence(Qt::Key_End)},
                 .context = SelectionContext,
                 .doc = tr("Set the selected entities down on what is below them"),
                 .run = [this, &selection](bool) { report(m_arrange.dropToFloor(selection.entities())); },
                 .enabled = atLeast(1)});
    const struct {
        const char* id;
        ui::AlignTo to;
        QString sides[3];
    } alignments[] = {{"edit.alignMin", ui::AlignTo::Minimum, {tr("Align left (-X)"), tr("Align bottoms (-Y)"), tr("Align back (-Z)")}},
                      {"edit.alignCentre", ui::AlignTo::Middle, {tr("Align centres on X"), tr("Align centres on Y"), tr("Align centres on Z")}},
                      {"edit.alignMax", ui::AlignTo::Maximum, {tr("Align right (+X)"), tr("Align tops (+Y)"), tr("Align front (+Z)")}}};
    for (int axis = 0; axis < 3; ++axis)
        for (const auto& alignment : alignments)
            actions.add({.id = QLatin1String(alignment.id) + QChar(u'X' + axis),
                         .text = alignment.sides[axis],
                         .menu = tr("Edit/Arrange") + QStringLiteral("#%1").arg(axis + 1),
                         .context = SelectionContext,
                         .doc = tr("Bring the boxes of the selected entities into line"),
                         .run = [this, &selection, axis, to = alignment.to](bool) { report(m_arrange.align(selection.entities(), axis, to)); },
                         .enabled = atLeast(2)});
    for (int axis = 0; axis < 3; ++axis)
        actions.add({.id = QStringLiteral("edit.distribute") + QChar(u'X' + axis),
                     .text = tr("Distribute on %1").arg(QChar(u'X' + axis)),
                     .menu = tr("Edit/Arrange#4"),
                     .context = SelectionContext,
                     .doc = tr("Lay the middles of the selected entities at equal distances between the outermost two"),
                     .run = [this, &selection, axis](bool) { report(m_arrange.distribute(selection.entities(), axis)); },
                     .enabled = atLeast(3)});
}

void SceneActions::addHierarchyActions() {
    ui::ActionRegistry& actions = m_editor.actions();
    const ui::Selection& selection = m_editor.selection();
    const auto selected = [this, &selection] { return m_editor.document().isOpen() && !selection.empty(); };
    actions.add({.id = QStringLiteral("edit.group"),
                 .text = tr("&Group"),
                 .menu = tr("Edit/Hierarchy"),
                 .icon = QStringLiteral("folder"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_G)},
                 .context = SelectionContext,
                 .doc = tr("Put the selected entities below a new empty entity in their middle"),
                 .run = [this, &selection](bool) {
                     const Result<std::string> made = m_hierarchy.group(selection.entities());
                     report(made ? Result<void>() : Result<void>(made.error()));
                     if (made)
                         m_outliner.openBranch(*made);
                 },
                 .enabled = selected});
    actions.add({.id = QStringLiteral("edit.ungroup"),
                 .text = tr("&Ungroup"),
                 .menu = tr("Edit/Hierarchy"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G)},
                 .context = SelectionContext,
                 .doc = tr("Take what hangs from the selected entities one level up; those of the type Empty are removed"),
                 .run = [this, &selection](bool) { report(m_hierarchy.ungroup(selection.entities())); },
                 .enabled = [this, selected, &selection] { return selected() && m_hierarchy.anyHasChildren(selection.entities()); }});
    actions.add({.id = QStringLiteral("edit.parent"),
                 .text = tr("&Parent to last selected"),
                 .menu = tr("Edit/Hierarchy#1"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_P)},
                 .context = SelectionContext,
                 .doc = tr("The selected entities become children of the one that was selected last, and stay where they are"),
                 .run = [this, &selection](bool) {
                     const std::string parent = selection.primary();
                     report(m_hierarchy.parentToLast(selection.entities(), parent));
                     m_outliner.openBranch(parent);
                 },
                 .enabled = [selected, &selection] { return selected() && selection.entities().size() > 1; }});
    actions.add({.id = QStringLiteral("edit.clearParent"),
                 .text = tr("&Clear parent"),
                 .menu = tr("Edit/Hierarchy#1"),
                 .shortcuts = {QKeySequence(Qt::ALT | Qt::Key_P)},
                 .context = SelectionContext,
                 .doc = tr("The selected entities hang from nothing any more, and stay where they are"),
                 .run = [this, &selection](bool) { report(m_hierarchy.setParent(selection.entities(), {})); },
                 .enabled = [this, selected, &selection] { return selected() && m_hierarchy.anyHasParent(selection.entities()); }});
    connect(&m_outliner, &ui::OutlinerPanel::parentRequested, this, [this](const std::vector<std::string>& names, const std::string& parent) {
        report(m_hierarchy.setParent(names, parent));
        m_outliner.openBranch(parent);
    });
}

} // namespace sbx::editor

#include "moc_scene_actions.cpp"
