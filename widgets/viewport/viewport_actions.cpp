// The viewport's actions and menus: a part of ViewportPanel.

#include "engine/session/session.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/keypad_shortcuts.h"
#include "widgets/common/selection.h"
#include "widgets/common/text_focus.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/viewport_input.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_source.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

namespace sbx::ui {

namespace {

const QString Context = QStringLiteral("viewport");
const QString EntitiesContext = QStringLiteral("entities");

} // namespace

void ViewportPanel::addActions(ActionRegistry& actions) {
    addToolActions(actions);
    addViewActions(actions);
    addEditActions(actions);
    addLinkActions(actions);
    actions.attach(*this, Context);
    actions.attach(*this, EntitiesContext);
    new KeypadShortcuts(*this); // the panel owns it
}

void ViewportPanel::addToolActions(ActionRegistry& actions) {
    const auto addTool = [&](Tool tool, const char* id, const QString& text, const char* icon, int key, const QString& doc) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.menu = QStringLiteral("Edit/Tool");
        action.icon = QLatin1String(icon);
        action.shortcuts = {QKeySequence(key)};
        action.context = Context;
        action.doc = doc;
        action.checkable = true;
        action.run = [this, tool](bool) {
            m_gizmo->setTool(tool);
            m_actions.refresh();
        };
        action.checked = [this, tool] { return m_gizmo->tool() == tool; };
        actions.add(std::move(action));
    };
    addTool(Tool::Select, "tool.select", tr("&Select"), "select", Qt::Key_Q, tr("Click picks, a drag draws a box"));
    addTool(Tool::Move, "tool.move", tr("&Move"), "move", Qt::Key_W, tr("Move the selection along axes and planes"));
    addTool(Tool::Rotate, "tool.rotate", tr("&Rotate"), "rotate", Qt::Key_E, tr("Turn the selection about its axes"));
    addTool(Tool::Scale, "tool.scale", tr("S&cale"), "scale", Qt::Key_R, tr("Scale the selection along its own axes"));

    Action local;
    local.id = QStringLiteral("tool.local");
    local.text = tr("&Local axes");
    local.menu = QStringLiteral("Edit/Tool#2");
    local.icon = QStringLiteral("local");
    local.shortcuts = {QKeySequence(Qt::Key_T)};
    local.context = Context;
    local.doc = tr("Move and turn along the entity's own axes instead of the world's");
    local.checkable = true;
    local.run = [this](bool) { m_gizmo->setLocalAxes(!m_gizmo->localAxes()); };
    local.checked = [this] { return m_gizmo->localAxes(); };
    actions.add(std::move(local));

    Action snap;
    snap.id = QStringLiteral("tool.snap");
    snap.text = tr("S&nap");
    snap.menu = QStringLiteral("Edit/Tool#2");
    snap.icon = QStringLiteral("snap");
    snap.shortcuts = {QKeySequence(Qt::Key_Y)};
    snap.context = Context;
    snap.doc = tr("Keep moves, turns and scales to steps; Ctrl, pressed during a drag, turns it round");
    snap.checkable = true;
    snap.run = [this](bool) { m_gizmo->setSnap(m_gizmo->snap().inverted(true)); };
    snap.checked = [this] { return m_gizmo->snap().on; };
    actions.add(std::move(snap));

    Action measure;
    measure.id = QStringLiteral("tool.measure");
    measure.text = tr("&Measure");
    measure.menu = QStringLiteral("Edit/Tool#2");
    measure.icon = QStringLiteral("measure");
    measure.shortcuts = {QKeySequence(Qt::Key_M)};
    measure.context = Context;
    measure.doc = tr("The distance of two points that are clicked, and how long sound takes for it");
    measure.checkable = true;
    measure.run = [this](bool) { m_input->setMeasuring(!m_input->tape().isOn()); };
    measure.checked = [this] { return m_input->tape().isOn(); };
    measure.enabled = [this] { return m_document.isOpen(); };
    actions.add(std::move(measure));

    Action touching;
    touching.id = QStringLiteral("select.touching");
    touching.text = tr("Select what a &box touches");
    touching.menu = QStringLiteral("Edit/Tool#2");
    touching.icon = QStringLiteral("band-touches");
    touching.shortcuts = {QKeySequence(Qt::Key_B)};
    touching.context = Context;
    touching.doc = tr("A box dragged over the picture selects what it touches, not only what it contains; Alt, held during the drag, turns it round");
    touching.checkable = true;
    touching.run = [this](bool) { m_input->setBandTouches(!m_input->bandTouches()); };
    touching.checked = [this] { return m_input->bandTouches(); };
    actions.add(std::move(touching));
}

void ViewportPanel::addViewActions(ActionRegistry& actions) {
    const auto addPlain = [&](const char* id, const QString& text, const char* icon, const QList<QKeySequence>& keys,
                              const QString& doc, std::function<void()> run) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.menu = QStringLiteral("View#2");
        action.icon = QLatin1String(icon);
        action.shortcuts = keys;
        action.context = Context;
        action.doc = doc;
        action.run = [run = std::move(run)](bool) { run(); };
        action.enabled = [this] { return m_document.isOpen(); };
        actions.add(std::move(action));
    };
    addPlain("view.frame", tr("&Frame selection"), "frame", {QKeySequence(Qt::Key_F)}, tr("Bring the selection, or everything, into the picture"),
             [this] { frameSelection(); });
    addPlain("view.home", tr("&Home view"), "camera", {QKeySequence(Qt::Key_Home)}, tr("Look at the whole scene from its corner"), [this] { homeView(); });

    const auto addAxis = [&](const char* id, const QString& text, QKeyCombination key,
                             const QString& doc, AxisView axis) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.menu = QStringLiteral("View/Look from");
        action.shortcuts = {QKeySequence(key)};
        action.context = Context;
        action.doc = doc;
        action.run = [this, axis](bool) { look(axis); };
        action.enabled = [this] { return m_document.isOpen(); };
        actions.add(std::move(action));
    };
    constexpr Qt::KeyboardModifiers Keypad = Qt::KeypadModifier;
    constexpr Qt::KeyboardModifiers Other = Qt::KeypadModifier | Qt::ControlModifier;
    addAxis("view.front", tr("F&ront"), QKeyCombination(Keypad, Qt::Key_1), tr("Look along -Z"), AxisView::Front);
    addAxis("view.back", tr("&Back"), QKeyCombination(Other, Qt::Key_1), tr("Look along +Z"), AxisView::Back);
    addAxis("view.right", tr("R&ight"), QKeyCombination(Keypad, Qt::Key_3), tr("Look along -X"), AxisView::Right);
    addAxis("view.left", tr("&Left"), QKeyCombination(Other, Qt::Key_3), tr("Look along +X"), AxisView::Left);
    addAxis("view.top", tr("&Top"), QKeyCombination(Keypad, Qt::Key_7), tr("Look down"), AxisView::Top);
    addAxis("view.bottom", tr("Botto&m"), QKeyCombination(Other, Qt::Key_7), tr("Look up"), AxisView::Bottom);

    Action orthographic;
    orthographic.id = QStringLiteral("view.orthographic");
    orthographic.text = tr("&Orthographic");
    orthographic.menu = QStringLiteral("View/Look from#2");
    orthographic.icon = QStringLiteral("orthographic");
    orthographic.shortcuts = {QKeySequence(QKeyCombination(Qt::KeypadModifier, Qt::Key_5))};
    orthographic.context = Context;
    orthographic.doc = tr("Draw without perspective: what is as large is drawn as large, however far it is");
    orthographic.checkable = true;
    orthographic.run = [this](bool) { setOrthographic(!m_view->rig().orthographic()); };
    orthographic.checked = [this] { return m_view->rig().orthographic(); };
    orthographic.enabled = [this] { return m_document.isOpen() && !m_view->playerCamera(); };
    actions.add(std::move(orthographic));

    Action flatAxes;
    flatAxes.id = QStringLiteral("view.axesOrthographic");
    flatAxes.text = tr("&Views along an axis are orthographic");
    flatAxes.menu = QStringLiteral("View/Look from#2");
    flatAxes.doc = tr("Front, right, top and their opposites switch to orthographic, and turning away from them back to perspective");
    flatAxes.checkable = true;
    flatAxes.run = [this](bool) {
        m_flatAxes = !m_flatAxes;
        m_actions.refresh();
    };
    flatAxes.checked = [this] { return m_flatAxes; };
    actions.add(std::move(flatAxes));

    Action four;
    four.id = QStringLiteral("view.four");
    four.text = tr("Four vie&ws");
    four.menu = QStringLiteral("View#2");
    four.icon = QStringLiteral("four-views");
    four.shortcuts = {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Q)};
    four.context = Context;
    four.doc = tr("Perspective, top, front and right beside each other; keys go to the one under the mouse");
    four.checkable = true;
    four.run = [this](bool) { setFourViews(!m_view->layout().isFour()); };
    four.checked = [this] { return m_view->layout().isFour(); };
    four.enabled = [this] { return m_document.isOpen(); };
    actions.add(std::move(four));

    Action maximise;
    maximise.id = QStringLiteral("view.maximise");
    maximise.text = tr("Ma&ximise the view");
    maximise.menu = QStringLiteral("View#2");
    maximise.icon = QStringLiteral("maximise");
    maximise.shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Space)};
    maximise.context = Context;
    maximise.doc = tr("Of four views, the one under the mouse fills the picture, or all four are back");
    maximise.checkable = true;
    maximise.run = [this](bool) { setMaximised(!m_view->layout().isMaximised()); };
    maximise.checked = [this] { return m_view->layout().isMaximised(); };
    maximise.enabled = [this] { return m_document.isOpen() && m_view->layout().isFour(); };
    actions.add(std::move(maximise));

    const auto addSwitch = [&](const char* id, const QString& text, const char* icon, const QKeySequence& keys, const QString& doc,
                               const CVar<bool>& cvar) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.menu = QStringLiteral("View#3");
        action.icon = QLatin1String(icon);
        if (!keys.isEmpty())
            action.shortcuts = {keys};
        action.context = Context;
        action.doc = doc;
        action.checkable = true;
        action.run = [this, cvar](bool) {
            report([&]() -> Result<void> {
                const auto done = cvar.set(!cvar.get(), CVarSource::Console);
                return done ? Result<void>() : Result<void>(done.error());
            }());
            updateStats();
            m_view->wake();
            m_actions.refresh();
        };
        action.checked = [cvar] { return cvar.get(); };
        actions.add(std::move(action));
    };
    addSwitch("view.grid", tr("&Grid"), "grid", QKeySequence(Qt::Key_G), tr("Lines a metre apart on the ground"), m_view->cvars().grid);
    addSwitch("view.stats", tr("&Statistics"), "clock", {}, tr("Frames, ticks and draw calls in the corner"), m_view->cvars().stats);
    addSwitch("view.shadows", tr("S&hadows"), "shadow", {}, tr("The sun casts shadows"), m_view->cvars().shadows);

    const auto addDebug = [&](const char* id, const QString& text, const char* icon, const char* name, const QString& doc) {
        if (const auto cvar = m_session.console().cvars().find<bool>(name))
            addSwitch(id, text, icon, {}, doc, *cvar);
    };
    addDebug("view.shapes", tr("&Bodies"), "body", "debug.shapes", tr("Shapes of bodies: awake, asleep, static, triggers"));
    addDebug("view.contacts", tr("&Contacts"), "touch", "debug.contacts", tr("Where bodies touch, and the surface's direction there"));
    addDebug("view.tree", tr("Broad phase &tree"), "outliner", "debug.tree", tr("Boxes of the tree that finds what is near, by depth"));

    Action player;
    player.id = QStringLiteral("view.playerCamera");
    player.text = tr("&Player's camera");
    player.menu = QStringLiteral("View#3");
    player.icon = QStringLiteral("player");
    player.shortcuts = {QKeySequence(Qt::Key_Tab)};
    player.context = Context;
    player.doc = tr("Look through the scene's camera and walk: WASD, mouse, Space, Shift; Esc gives the mouse back");
    player.checkable = true;
    player.run = [this](bool) { m_input->setWalking(!m_input->walking()); };
    player.checked = [this] { return m_input->walking(); };
    player.enabled = [this] {
        const FrameSnapshot* snapshot = m_view->shown().snapshot();
        return snapshot != nullptr && snapshot->mode != Mode::Edit && snapshot->scene && snapshot->scene->camera.has_value();
    };
    actions.add(std::move(player));
}

void ViewportPanel::addEditActions(ActionRegistry& actions) {
    const auto selected = [this] { return m_document.isOpen() && !m_selection.empty(); };
    const auto add = [&](const char* id, const QString& text, const char* icon, const QKeySequence& keys, const QString& doc,
                         std::function<void()> run, std::function<bool()> enabled) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.menu = QStringLiteral("Edit#1");
        action.icon = QLatin1String(icon);
        action.shortcuts = {keys};
        action.context = EntitiesContext;
        action.doc = doc;
        action.run = [run = std::move(run)](bool) { run(); };
        action.enabled = std::move(enabled);
        actions.add(std::move(action));
    };
    // Chosen from the menu while a text field has the focus, these three mean its text.
    const auto selectedOrText = [selected] { return textHasFocus() || selected(); };
    add("edit.cut", tr("Cu&t"), "", QKeySequence::Cut,
        tr("Copy the selected entities, with what hangs from them, and take them out of the scene"),
        [this] {
            if (!giveToText(TextCommand::Cut) && copySelection())
                report(m_editor.cut(m_selection.entities()));
        },
        selectedOrText);
    add("edit.copy", tr("&Copy"), "", QKeySequence::Copy,
        tr("Copy the selected entities, with what hangs from them, as the text of a scene"),
        [this] {
            if (!giveToText(TextCommand::Copy))
                copySelection();
        },
        selectedOrText);
    add("edit.paste", tr("&Paste"), "", QKeySequence::Paste,
        tr("Put copied entities into the scene, or [[entity]] tables copied from any text"),
        [this] {
            if (!giveToText(TextCommand::Paste))
                paste();
        },
        [this] { return textHasFocus() || m_document.isOpen(); });
    add("edit.duplicate", tr("D&uplicate"), "duplicate", QKeySequence(Qt::CTRL | Qt::Key_D),
        tr("Copy the selected entities in place and select the copies"),
        [this] { duplicate(); }, selected);
    add("edit.duplicateAgain", tr("Duplicate a&gain"), "duplicate", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D),
        tr("Duplicate once more, and move, turn and scale the new copies as the last ones were since they were made"),
        [this] { repeatDuplicate(); }, [this, selected] { return selected() && m_editor.editsFile(); });
    add("edit.delete", tr("&Delete"), "delete", QKeySequence(Qt::Key_Delete),
        tr("Take the selected entities, with what hangs from them, out of the scene; while the world runs, out of it alone"),
        [this] { report(m_editor.remove(m_selection.entities())); }, selected);
}

void ViewportPanel::duplicate() {
    const std::size_t count = m_selection.entities().size();
    const Result<void> made = m_editor.duplicate(m_selection.entities());
    report(made);
    if (made)
        showCopies(count == 1 ? tr("1 duplicated, exactly on its original: move it, or Ctrl+Shift+D repeats duplicate and move")
                              : tr("%1 duplicated, exactly on their originals: move them, or Ctrl+Shift+D repeats duplicate and move")
                                    .arg(count));
}

void ViewportPanel::repeatDuplicate() {
    const std::size_t count = m_selection.entities().size();
    const Result<bool> made = m_editor.repeat(m_selection.entities());
    if (!made) {
        emit problem(QString::fromStdString(made.error().message));
        return;
    }
    const QString copies = count == 1 ? tr("1 duplicated") : tr("%1 duplicated").arg(count);
    showCopies(*made ? tr("%1 again, with the same move").arg(copies)
                     : tr("%1, exactly in place: there was no move since the last duplication to repeat").arg(copies));
}

bool ViewportPanel::copySelection() {
    const Result<std::string> text = m_editor.copy(m_selection.entities());
    if (!text) {
        emit problem(QString::fromStdString(text.error().message));
        return false;
    }
    QGuiApplication::clipboard()->setText(QString::fromStdString(*text));
    return true;
}

void ViewportPanel::paste() {
    const Result<definition::PastedInstances> pasted =
        m_editor.paste(QGuiApplication::clipboard()->text().toStdString());
    if (!pasted) {
        emit problem(QString::fromStdString(pasted.error().message));
        return;
    }
    m_view->wake();
    if (pasted->roots.size() == 1)
        emit note(tr("%1 hangs from nothing now: this scene does not have its parent.").arg(QString::fromStdString(pasted->roots.front())));
    else if (!pasted->roots.empty())
        emit note(tr("%1 of the pasted entities hang from nothing now: this scene does not have their parents.").arg(pasted->roots.size()));
}

QMenu* ViewportPanel::menuFor(const QPoint& at) {
    const std::string under = m_input->entityAt(at);
    if (!under.empty() && !m_selection.contains(under))
        m_selection.setEntity(under, ViewportSource);
    m_actions.refresh();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("viewport.menu"));
    QMenu* create = menu->addMenu(m_theme.icon(QStringLiteral("plus")), tr("&Create here"));
    create->setObjectName(QStringLiteral("viewport.menu.create"));
    bool builtIn = false;
    for (const definition::EntityTypeDefinition& type : m_editor.definitions().types()) {
        if (type.builtIn && !builtIn)
            create->addSection(tr("Built in"));
        builtIn = type.builtIn; // they come last
        const QString icon = type.icon.empty() ? QStringLiteral("entity") : QString::fromStdString(type.icon);
        const std::string name = type.name;
        QAction* action = create->addAction(m_theme.icon(icon), shownLine(name));
        action->setToolTip(tipText(type.doc));
        connect(action, &QAction::triggered, this,
                [this, name, at] { this->create(name, placeFor(m_editor.placingBounds(name), at, false)); });
    }
    create->setToolTipsVisible(true);
    create->setEnabled(!create->isEmpty());
    menu->addSeparator();
    for (const char* id : {"view.frame", "trace.followSelected", "edit.cut", "edit.copy", "edit.paste", "edit.pasteComponentValues", "edit.duplicate", "edit.delete"})
        if (QAction* action = m_actions.find(QLatin1String(id))) // those of the window are not there without it
            menu->addAction(action);
    fillLinkMenu(*menu);
    if (m_extendMenu)
        m_extendMenu(*menu);
    menu->addSeparator();
    for (const char* id : {"view.home", "view.four", "view.maximise", "view.grid", "view.stats"})
        menu->addAction(m_actions.find(QLatin1String(id)));
    return menu;
}

QMenu* ViewportPanel::projectionMenu(QWidget& parent) const {
    auto* menu = new QMenu(&parent);
    menu->setObjectName(parent.objectName() + QStringLiteral(".menu"));
    for (const char* id : {"view.front", "view.back", "view.right", "view.left", "view.top", "view.bottom"})
        menu->addAction(m_actions.find(QLatin1String(id)));
    menu->addSeparator();
    for (const char* id : {"view.orthographic", "view.axesOrthographic"})
        menu->addAction(m_actions.find(QLatin1String(id)));
    menu->addSeparator();
    for (const char* id : {"view.four", "view.maximise"})
        menu->addAction(m_actions.find(QLatin1String(id)));
    return menu;
}

QMenu* ViewportPanel::drillMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("viewport.drill"));
    const FrameSnapshot* snapshot = m_view->shown().snapshot();
    for (const std::string& name : m_input->allAt(at)) {
        const EntityRow* row = snapshot->entities->find(name);
        const QString icon = row == nullptr || row->icon.empty() ? QStringLiteral("entity") : QString::fromStdString(row->icon);
        const QString shown = QString::fromStdString(name);
        QAction* action = menu->addAction(m_theme.icon(icon), row == nullptr || row->parent.empty()
                                                                  ? shown
                                                                  : tr("%1  (hangs from %2)").arg(shown, QString::fromStdString(row->parent)));
        connect(action, &QAction::triggered, this, [this, name] { m_selection.setEntity(name, ViewportSource); });
        connect(action, &QAction::hovered, this, [this, name] {
            m_view->shown().setHovered(m_view->shown().idOf(name));
            m_view->wake();
        });
    }
    return menu;
}

} // namespace sbx::ui
