#include "app/editor/mark_actions.h"

#include <QMenu>

#include "app/editor/editor.h"
#include "app/editor/scene_memory.h"
#include "app/editor/status_badge.h"
#include "app/editor/status_strip.h"
#include "engine/entity/entity_type.h"
#include "widgets/common/entity_names.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace sbx::editor {

namespace {

const QString MarkContext = QStringLiteral("entities");

bool givesLight(const EntityRow& row) {
    const auto has = [&](std::string_view component) {
        return std::any_of(row.entityType->layout().begin(), row.entityType->layout().end(),
                           [&](const EntityType::Slot& slot) { return slot.type->name == component; });
    };
    return row.entityType && has("Light") && !has("Mesh");
}

} // namespace

MarkActions::MarkActions(Editor& editor, ui::SceneMarks& marks, ui::SceneLayers& layers, StatusStrip& status, QObject* parent)
    : QObject(parent), m_editor(editor), m_marks(&marks), m_layers(&layers), m_badge(new StatusBadge(editor.theme(), &status)) {
    m_badge->setObjectName(QStringLiteral("status.marks"));
    m_badge->hide();
    status.addBadge(*m_badge);
    connect(m_badge, &QAbstractButton::clicked, this, &MarkActions::showBadgeMenu);
    addActions();
    follow();
    showBadge();
}

void MarkActions::follow() {
    const auto entities = [this] { m_marks->setEntities(m_editor.feed().frame().entities); };
    connect(&m_editor.feed(), &ui::SessionFeed::entitiesChanged, this, [this, entities] {
        entities();
        showBadge();
    });
    entities();
    connect(&m_editor.selection(), &ui::Selection::renamed, m_marks, &ui::SceneMarks::noteRename);
    connect(&m_editor.document(), &ui::Document::opened, this, &MarkActions::restore);
    connect(&m_editor.document(), &ui::Document::closed, this, &MarkActions::restore);
    connect(m_marks, &ui::SceneMarks::changed, this, [this] {
        keep();
        showBadge();
        m_editor.actions().refresh();
    });
    connect(m_layers, &ui::SceneLayers::ownChanged, this, &MarkActions::keep);
    restore();
}

void MarkActions::restore() {
    m_restoring = true;
    const ui::Document& document = m_editor.document();
    const std::string file = document.isOpen() ? document.file(ui::FileRole::Scene) : std::string();
    const bool remembers = !file.empty() && !m_editor.options().safeMode;
    const QVariantMap state = remembers ? SceneMemory::marks(m_editor.settings()).find(document.path(file)) : QVariantMap();
    m_marks->restoreState(state);
    m_layers->restoreState(state);
    m_isolated.reset();
    m_restoring = false;
}

void MarkActions::keep() {
    const ui::Document& document = m_editor.document();
    const std::string file = document.isOpen() ? document.file(ui::FileRole::Scene) : std::string();
    if (m_restoring || file.empty() || m_editor.options().safeMode)
        return;
    QVariantMap state = m_marks->saveState();
    state.insert(m_layers->saveState());
    SceneMemory::marks(m_editor.settings()).keep(document.path(file), state);
}

void MarkActions::showBadge() {
    const int hidden = m_marks->count(ui::SceneMark::Hidden);
    const int locked = m_marks->count(ui::SceneMark::Locked);
    QStringList parts;
    if (hidden > 0)
        parts.append(tr("%1 hidden").arg(hidden));
    if (locked > 0)
        parts.append(tr("%1 locked").arg(locked));
    const QString text = parts.join(QStringLiteral(", "));
    m_badge->setVisible(!text.isEmpty());
    if (m_badge->text() == text)
        return;
    m_badge->setText(text);
    m_badge->setIcon(m_editor.theme().icon(hidden > 0 ? QStringLiteral("eye-off") : QStringLiteral("lock"), ui::Token::Muted));
    m_badge->setAccessibleName(text);
    m_badge->setToolTip(tr("Entities that are hidden from the viewport's picture or locked against its mouse.\nA click offers to show or "
                           "unlock them all."));
    m_badge->updateGeometry();
}

void MarkActions::showBadgeMenu() {
    m_editor.actions().refresh();
    auto* menu = new QMenu(m_badge);
    menu->setObjectName(QStringLiteral("status.marks.menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const char* id : {"edit.showAll", "edit.unlockAll"})
        menu->addAction(m_editor.actions().find(QLatin1String(id)));
    menu->popup(m_badge->mapToGlobal(QPoint(0, -menu->sizeHint().height())));
}

void MarkActions::mark(ui::SceneMark mark, bool on, const std::vector<std::string>& names) {
    ui::SceneMarks::Sets next = m_marks->sets();
    auto& marked = next.of(mark);
    for (const std::string& name : names) {
        if (on)
            marked.insert(name);
        else
            marked.erase(name);
    }
    m_marks->become(std::move(next), ui::SceneMarks::stepText(mark, on, ui::entitiesText(names)));
}

// Once more: what was just hidden is shown again.
void MarkActions::hideOrShow() {
    const std::vector<std::string>& names = m_editor.selection().entities();
    const bool all = std::all_of(names.begin(), names.end(),
                                 [this](const std::string& name) { return m_marks->isMarked(ui::SceneMark::Hidden, name); });
    mark(ui::SceneMark::Hidden, !all, names);
}

// What the selection hangs from must be shown for it to be seen, and so must what gives light. Once more: back to what was hidden before.
void MarkActions::isolate() {
    if (m_isolated && m_marks->sets() == m_isolated->first) {
        m_marks->become(m_isolated->second, tr("End isolation"));
        m_isolated.reset();
        return;
    }
    const EntityList& entities = *m_editor.feed().frame().entities;
    std::unordered_set<std::string> shown;
    for (const std::string& name : m_editor.selection().entities())
        for (const EntityRow* row = entities.find(name); row != nullptr && shown.insert(row->name).second;)
            row = row->parent.empty() ? nullptr : entities.find(row->parent);
    const auto belowSelection = [&](const EntityRow& row) {
        std::size_t steps = 0;
        for (const EntityRow* up = &row; up != nullptr && steps <= entities.rows.size(); ++steps) {
            if (m_editor.selection().contains(up->name))
                return true;
            up = up->parent.empty() ? nullptr : entities.find(up->parent);
        }
        return false;
    };
    ui::SceneMarks::Sets next = m_marks->sets();
    next.clear(ui::SceneMark::Hidden);
    for (const EntityRow& row : entities.rows)
        if (!shown.contains(row.name) && !belowSelection(row) && !givesLight(row))
            next.hidden.insert(row.name);
    m_isolated = std::pair(next, m_marks->sets());
    m_marks->become(std::move(next), tr("Isolate %1").arg(ui::entitiesText(m_editor.selection().entities())));
}

void MarkActions::addActions() {
    ui::ActionRegistry& actions = m_editor.actions();
    const ui::Selection& selection = m_editor.selection();
    const auto selected = [this, &selection] { return m_editor.document().isOpen() && !selection.empty(); };
    const auto anySelected = [this, &selection, selected](ui::SceneMark mark, bool on) {
        return selected() && std::any_of(selection.entities().begin(), selection.entities().end(), [this, mark, on](const std::string& name) {
                   return m_marks->isMarked(mark, name) == on;
               });
    };
    actions.add({.id = QStringLiteral("edit.hide"),
                 .text = tr("&Hide"),
                 .menu = tr("Edit/Hide and lock"),
                 .icon = QStringLiteral("eye-off"),
                 .shortcuts = {QKeySequence(Qt::Key_H)},
                 .context = MarkContext,
                 .doc = tr("Take the selected entities out of the viewport's picture, or show them again if all of them are hidden; the world runs with them as ever"),
                 .run = [this](bool) { hideOrShow(); },
                 .enabled = selected});
    actions.add({.id = QStringLiteral("edit.isolate"),
                 .text = tr("&Isolate"),
                 .menu = tr("Edit/Hide and lock"),
                 .shortcuts = {QKeySequence(Qt::SHIFT | Qt::Key_H), QKeySequence(Qt::Key_Slash)},
                 .context = MarkContext,
                 .doc = tr("Hide everything but the selected entities, what hangs from them, what they hang from, and lights; once more shows the rest again"),
                 .run = [this](bool) { isolate(); },
                 .enabled = [this, selected] { return selected() || (m_isolated && m_marks->sets() == m_isolated->first); }});
    actions.add({.id = QStringLiteral("edit.showAll"),
                 .text = tr("&Show all"),
                 .menu = tr("Edit/Hide and lock"),
                 .icon = QStringLiteral("eye"),
                 .shortcuts = {QKeySequence(Qt::ALT | Qt::Key_H)},
                 .context = MarkContext,
                 .doc = tr("Show every hidden entity and layer"),
                 .run = [this](bool) {
                     ui::SceneMarks::Sets next = m_marks->sets();
                     next.clear(ui::SceneMark::Hidden);
                     m_marks->become(std::move(next), tr("Show all"));
                 },
                 .enabled = [this] { return m_marks->sets().any(ui::SceneMark::Hidden); }});
    actions.add({.id = QStringLiteral("edit.lock"),
                 .text = tr("&Lock"),
                 .menu = tr("Edit/Hide and lock#1"),
                 .icon = QStringLiteral("lock"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_L)},
                 .context = MarkContext,
                 .doc = tr("The viewport's mouse neither picks nor moves the selected entities; the outliner still selects them"),
                 .run = [this, &selection](bool) { mark(ui::SceneMark::Locked, true, selection.entities()); },
                 .enabled = [anySelected] { return anySelected(ui::SceneMark::Locked, false); }});
    actions.add({.id = QStringLiteral("edit.unlock"),
                 .text = tr("&Unlock"),
                 .menu = tr("Edit/Hide and lock#1"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L)},
                 .context = MarkContext,
                 .doc = tr("The viewport's mouse picks and moves the selected entities again"),
                 .run = [this, &selection](bool) { mark(ui::SceneMark::Locked, false, selection.entities()); },
                 .enabled = [anySelected] { return anySelected(ui::SceneMark::Locked, true); }});
    actions.add({.id = QStringLiteral("edit.unlockAll"),
                 .text = tr("Unlock &all"),
                 .menu = tr("Edit/Hide and lock#1"),
                 .doc = tr("Unlock every entity and layer"),
                 .run = [this](bool) {
                     ui::SceneMarks::Sets next = m_marks->sets();
                     next.clear(ui::SceneMark::Locked);
                     m_marks->become(std::move(next), tr("Unlock all"));
                 },
                 .enabled = [this] { return m_marks->sets().any(ui::SceneMark::Locked); }});
}

} // namespace sbx::editor

#include "moc_mark_actions.cpp"
