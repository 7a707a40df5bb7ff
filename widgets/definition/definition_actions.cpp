// What a person can do in the definition panel: its actions and its context menu.

#include <QAction>
#include <QMenu>
#include <QToolButton>

#include "engine/definition/lookup.h"
#include "engine/definition/text_edit.h"
#include "engine/simulation/content.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/definition/asked_component.h"
#include "widgets/definition/code_view.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/definition/outline_tree.h"
#include "widgets/definition/problem_marks.h"
#include "widgets/definition/text_assist.h"
#include "widgets/definition/text_binding.h"

#include <algorithm>

namespace sbx::ui {

namespace {

const QString Context = QStringLiteral("definition");
const char* const ActionIds[] = {
    "definition.complete",        "definition.fix",     "definition.goToDefinition", "definition.nextProblem",
    "definition.previousProblem", "definition.comment", "definition.link",           "definition.outline"};

} // namespace

DefinitionPanel::~DefinitionPanel() {
    // Widgets still emit signals while they are destroyed.
    m_view->disconnect();
    m_outline->disconnect(this);
    delete m_outline; // it speaks of m_edits
    delete m_assist;
    delete m_marks;
    delete m_binding;
    for (const char* id : ActionIds)
        m_actions.remove(QLatin1String(id));
}

void DefinitionPanel::addActions() {
    const auto add = [this](const char* id, const QString& text, const QString& icon,
                            const QList<QKeySequence>& keys, const QString& doc, std::function<void()> run) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.icon = icon;
        action.shortcuts = keys;
        action.context = Context;
        action.doc = doc;
        action.run = [run = std::move(run)](bool) { run(); };
        action.enabled = [this] { return !m_binding->file().empty(); };
        m_actions.add(std::move(action));
    };
    add(ActionIds[0], tr("Complete"), {}, {QKeySequence(Qt::CTRL | Qt::Key_Space)},
        tr("Show what may stand at the caret"), [this] { m_assist->complete(); });
    add(ActionIds[1], tr("Apply the suggestion"), QStringLiteral("check"),
        {QKeySequence(Qt::ALT | Qt::Key_Return), QKeySequence(Qt::ALT | Qt::Key_Enter)},
        tr("Change what is wrong at the caret to the nearest valid name"),
        [this] { fixAt(m_binding->caret()); });
    add(ActionIds[2], tr("Go to definition"), QStringLiteral("definition"), {QKeySequence(Qt::Key_F12)},
        tr("Show where the name at the caret is defined"), [this] { followName(m_binding->caret()); });
    add(ActionIds[3], tr("Next problem"), QStringLiteral("arrow-down"), {QKeySequence(Qt::ALT | Qt::Key_F8)},
        tr("To the next problem of this file"), [this] { stepProblem(1); });
    add(ActionIds[4], tr("Previous problem"), QStringLiteral("arrow-up"),
        {QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_F8)}, tr("To the previous problem of this file"),
        [this] { stepProblem(-1); });
    add(ActionIds[5], tr("Comment out"), {}, {QKeySequence(Qt::CTRL | Qt::Key_Slash)},
        tr("Turn the selected lines into comments, or back"), [this] { toggleComment(); });
    const auto toggle = [this](const char* id, const QString& text, const QString& icon, const QString& doc,
                               QToolButton* button) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.icon = icon;
        action.context = Context;
        action.doc = doc;
        action.checkable = true;
        action.run = [button](bool on) { button->setChecked(on); };
        action.checked = [button] { return button->isChecked(); };
        m_actions.add(std::move(action));
    };
    toggle(ActionIds[6], tr("Follow the selection"), QStringLiteral("link"),
           tr("Show the definition of what is selected"), m_link);
    toggle(ActionIds[7], tr("Show the outline"), QStringLiteral("outliner"),
           tr("Show the outline beside the text"), m_treeButton);
    m_actions.attach(*this, Context);
}

void DefinitionPanel::followName(std::size_t offset) {
    if (const auto target = m_assist->definitionAt(offset))
        showAt(target->file, target->line, target->column, true);
}

void DefinitionPanel::followSelection(const QString& source) {
    // Nobody's caret is taken away while they write.
    if (!isLinked() || source == Context || m_view->hasFocus() || m_selection.primary().empty()
        || m_binding->file().empty())
        return;
    // Who reads the scene sees the instance there; else its type.
    const std::string scene = m_document.file(FileRole::Scene);
    if (m_binding->file() == scene)
        if (const auto region = definition::findInstance(m_document.text(scene), m_selection.primary()))
            return showAt(scene, region->line, region->column, false);
    const auto& entities = m_feed.frame().entities;
    const EntityRow* row = entities ? entities->find(m_selection.primary()) : nullptr;
    if (row != nullptr)
        showType(QString::fromStdString(row->type));
}

void DefinitionPanel::followMessage(const QString& type, const QString& handler) {
    if (!isLinked() || m_view->hasFocus() || type.isEmpty() || m_binding->file().empty()
        || m_binding->file() == m_document.file(FileRole::Scene))
        return;
    // An inherited component stands with the base that brought it in.
    const auto& content = m_project.content();
    const definition::EntityTypeDefinition* known =
        content && content->definitions ? content->definitions->find(type.toStdString()) : nullptr;
    const std::string component = handler.toStdString();
    const definition::ComponentDefinition* part =
        known != nullptr && !handler.isEmpty() ? known->find(component) : nullptr;
    showType(part != nullptr && !part->owner.empty() ? QString::fromStdString(part->owner) : type, handler);
}

bool DefinitionPanel::fixAt(std::size_t offset) {
    for (const ProblemMark& mark : m_marks->at(offset, true)) {
        const auto fix = m_marks->fixFor(mark);
        if (!fix)
            continue;
        return static_cast<bool>(m_binding->replace(fix->begin, fix->end, fix->with, fix->title));
    }
    return false;
}

void DefinitionPanel::stepProblem(int direction) {
    std::vector<std::size_t> places;
    for (const ProblemMark& mark : m_marks->marks())
        places.push_back(mark.begin);
    if (places.empty())
        return;
    std::sort(places.begin(), places.end());
    const std::size_t here = m_binding->caret();
    std::size_t wanted = 0;
    if (direction > 0) {
        const auto next = std::upper_bound(places.begin(), places.end(), here);
        wanted = next == places.end() ? places.front() : *next;
    } else {
        const auto next = std::lower_bound(places.begin(), places.end(), here);
        wanted = next == places.begin() ? places.back() : *(next - 1);
    }
    m_binding->setCaret(wanted);
    m_binding->reveal(wanted);
}

void DefinitionPanel::toggleComment() {
    const std::string_view text = m_view->bytes();
    const int first = m_view->lineOf(std::min(m_view->anchor(), m_view->caret()));
    const std::size_t stop = std::max(m_view->anchor(), m_view->caret());
    int last = m_view->lineOf(stop);
    if (last > first && m_view->lineStart(last) == stop)
        --last; // the caret stands before it, nothing of it is selected
    struct Line {
        std::size_t begin; // behind the indentation
        std::size_t end;
    };
    std::vector<Line> lines;
    bool commented = true;
    for (int line = first; line <= last; ++line) {
        const std::size_t end = m_view->lineEnd(line);
        std::size_t begin = m_view->lineStart(line);
        while (begin < end && (text[begin] == ' ' || text[begin] == '\t'))
            ++begin;
        if (begin == end)
            continue;
        lines.push_back({begin, end});
        commented = commented && text[begin] == '#';
    }
    EditRequest request;
    request.file = m_binding->file();
    request.label = commented ? tr("Uncomment") : tr("Comment out");
    for (const Line& line : lines) {
        const std::size_t at = m_binding->toText(line.begin);
        if (!commented)
            request.edits.push_back({at, {}, "# "});
        else
            request.edits.push_back(
                {at, line.begin + 1 < line.end && text[line.begin + 1] == ' ' ? "# " : "#", {}});
    }
    m_document.endMerge();
    // The edits were made from the text as it is: what is left to go wrong is a file that is full.
    if (const Result<void> done = m_document.edit(std::move(request)); !done)
        emit problem(QString::fromStdString(done.error().toString()));
}

void DefinitionPanel::showMenu(std::size_t position, const QPoint& global) {
    const std::size_t offset = m_binding->toText(position);
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("definition.menu"));
    for (const ProblemMark& mark : m_marks->at(offset, true))
        if (const auto fix = m_marks->fixFor(mark)) {
            QAction* action = menu.addAction(m_theme.icon(QStringLiteral("check")), fix->title);
            connect(action, &QAction::triggered, this, [this, at = mark.begin] { fixAt(at); });
        }
    if (!menu.isEmpty())
        menu.addSeparator();
    if (m_assist->definitionAt(offset))
        connect(menu.addAction(m_theme.icon(QStringLiteral("definition")), tr("Go to definition")),
                &QAction::triggered, this, [this, offset] { followName(offset); });
    if (m_outlineTimer.isActive())
        updateOutline(false);
    offerWhyNot(menu, m_outline->placeAt(offset));
    menu.addAction(m_actions.find(QLatin1String(ActionIds[0])));
    menu.addAction(m_actions.find(QLatin1String(ActionIds[5])));
    menu.addSeparator();
    const bool picked = m_view->hasSelectedText();
    const auto add = [&](const QString& text, const QString& icon, const QKeySequence& keys, bool enabled,
                         auto run) {
        QAction* action = menu.addAction(icon.isEmpty() ? QIcon() : m_theme.icon(icon), text);
        action->setShortcut(keys);
        action->setEnabled(enabled);
        connect(action, &QAction::triggered, m_view, run);
    };
    add(tr("Undo"), QStringLiteral("undo"), QKeySequence::Undo, m_document.undoOrder().canUndo(),
        [this] { m_binding->undo(); });
    add(tr("Redo"), QStringLiteral("redo"), QKeySequence::Redo, m_document.undoStack().canRedo(),
        [this] { m_binding->redo(); });
    menu.addSeparator();
    add(tr("Cut"), {}, QKeySequence::Cut, picked, [this] { m_view->cut(); });
    add(tr("Copy"), QStringLiteral("duplicate"), QKeySequence::Copy, picked, [this] { m_view->copy(); });
    add(tr("Paste"), {}, QKeySequence::Paste, true, [this] { m_view->paste(); });
    add(tr("Select all"), {}, QKeySequence::SelectAll, true, [this] { m_view->selectAll(); });
    menu.exec(global);
}

// Of one entity at once; of several those that are named, the primary one of the selection first.
void DefinitionPanel::offerWhyNot(QMenu& menu, const TreePlace& place) {
    constexpr std::size_t MaxNamed = 12;
    const auto& frame = m_feed.frame();
    if (frame.entities == nullptr)
        return;
    const auto asked = askedComponents(place, m_edits->definitions(), *frame.entities, m_selection.primary());
    if (!asked)
        return;
    const QString part = menuText(QString::fromStdString(asked->part));
    const auto name = [&](std::size_t at) { return menuText(QString::fromStdString(asked->entities[at])); };
    const auto add = [&](QMenu& into, const QString& text, const std::string& entity) {
        QAction* action = into.addAction(text);
        connect(action, &QAction::triggered, this,
                [this, entity = QString::fromStdString(entity),
                 component = QString::fromStdString(asked->part)] { emit whyNotAsked(entity, component); });
        return action;
    };
    const bool chosen = !asked->entities.empty() && asked->entities.front() == m_selection.primary();
    QAction* why = nullptr;
    if (asked->entities.size() == 1 || chosen) {
        why = add(menu, tr("Why did %1 of %2 not act?…").arg(part, name(0)),
                  asked->entities.front());
    } else if (asked->entities.empty()) {
        why = menu.addAction(tr("Why did %1 not act?…").arg(part));
        why->setEnabled(false);
    } else {
        auto* of = menu.addMenu(tr("Why did %1 not act?").arg(part));
        for (std::size_t i = 0; i < std::min(asked->entities.size(), MaxNamed); ++i)
            add(*of, name(i), asked->entities[i]);
        if (asked->entities.size() > MaxNamed)
            of->addAction(tr("%1 more: select one first").arg(asked->entities.size() - MaxNamed))
                ->setEnabled(false);
        why = of->menuAction();
    }
    why->setObjectName(QStringLiteral("definition.whyNot"));
    why->setIcon(m_theme.icon(QStringLiteral("help")));
}

} // namespace sbx::ui
