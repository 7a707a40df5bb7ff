// Which components the shown entities have, and in which order: added, taken out, moved, copied and pasted. And the lock.

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/simulation/content.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/inspector/component_section.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/inspector/scope_question.h"

#include <algorithm>
#include <unordered_map>

namespace sbx::ui {

namespace {
constexpr int DropLineHeight = 2;

Error needsStop() { return Error{"components can be added, removed and moved when the world is stopped", {}, {}}; }
} // namespace

// ---------------------------------------------------------------------------------------------- What is shown

const std::vector<std::string>& InspectorPanel::entities() const { return isLocked() ? *m_locked : m_selection.entities(); }

const std::string& InspectorPanel::primary() const { return isLocked() ? m_lockedPrimary : m_selection.primary(); }

void InspectorPanel::setLocked(bool locked) {
    const bool wanted = locked && !m_selection.empty();
    if (wanted != isLocked()) {
        m_locked = wanted ? m_selection.sharedEntities() : nullptr;
        m_lockedPrimary = wanted ? m_selection.primary() : std::string();
        m_lockSeen = false;
        if (!wanted)
            askFor();
        emit lockChanged(wanted);
    }
    m_lock->setChecked(wanted);
    m_lock->setIcon(m_theme.icon(QStringLiteral("lock"), wanted ? Token::Accent : Token::Muted));
}

void InspectorPanel::dropGoneLock() {
    if (!isLocked())
        return;
    const bool lives = m_feed.frame().entities->find(m_lockedPrimary) != nullptr;
    m_lockSeen = m_lockSeen || lives;
    // One that was renamed just now comes with a later frame.
    if (lives || !m_lockSeen)
        return;
    // Another one of them is as good.
    for (const std::string& name : *m_locked)
        if (m_feed.frame().entities->find(name) != nullptr) {
            m_lockedPrimary = name;
            askFor();
            return;
        }
    setLocked(false);
}

ComponentTargets InspectorPanel::componentTargets() const { return targetsAmong(m_shown, entities()); }

ComponentTargets InspectorPanel::targetsAmong(const std::string& primary, const std::vector<std::string>& names) const {
    ComponentTargets out;
    std::unordered_map<std::string, std::size_t> known; // by type
    const EntityList& list = *m_feed.frame().entities;
    const auto add = [&](const std::string& name) {
        const EntityRow* row = list.find(name);
        if (row == nullptr || (m_feed.mode() == Mode::Edit && !row->fromScene))
            return;
        const auto [at, first] = known.emplace(row->type, out.size());
        if (first)
            out.push_back({row->type, {}});
        out[at->second].entities.push_back(name);
    };
    add(primary);
    for (const std::string& name : names)
        if (name != primary)
            add(name);
    return out;
}

// ------------------------------------------------------------------------------------------------ Favourites

void InspectorPanel::setFavourites(const QStringList& favourites) {
    if (favourites == m_favourites)
        return;
    m_favourites = favourites;
    m_signature.clear(); // the rows are made anew
    showFrame();
}

void InspectorPanel::setFavourite(const std::string& component, const FieldInfo& field, bool pinned) {
    QStringList names = m_favourites;
    const QString name = QString::fromStdString(component + "." + field.name);
    names.removeAll(name);
    if (pinned)
        names.append(name);
    setFavourites(names);
    emit favouritesChanged(m_favourites);
}

void InspectorPanel::addFavourites(const std::vector<Shown>& shown) {
    for (const QString& favourite : m_favourites) {
        const std::string name = favourite.toStdString();
        for (const Shown& component : shown) {
            const std::string& prefix = component.name;
            const FieldInfo* field = name.size() > prefix.size() && name.starts_with(prefix) && name[prefix.size()] == '.'
                                         ? component.type->settings->find(std::string_view(name).substr(prefix.size() + 1))
                                         : nullptr;
            if (field == nullptr)
                continue;
            if (m_pinnedSection == nullptr)
                m_pinnedSection = new ComponentSection(m_theme, QStringLiteral("favourites"), tr("Favourites"),
                                                       tr("Settings that were pinned to the top."), m_body);
            FieldEditor* editor = m_pinnedSection->addField(*field, sources(), false);
            const std::size_t row = m_pinnedSection->rows().size() - 1;
            QLabel* label = m_pinnedSection->rows()[row].label;
            label->setText(QString::fromStdString(prefix) + QLatin1Char(' ') + label->text()); // the section has columns of its own
            editor->setObjectName(QStringLiteral("inspector.favourites.") + favourite);
            editor->setAccessibleName(tr("%1, favourite").arg(favourite));
            connectField(editor, component.name, *field, false);
            m_pinned.push_back({component.name, field, row});
        }
    }
    if (m_pinnedSection == nullptr)
        return;
    connect(m_pinnedSection, &ComponentSection::rowMenuRequested, this, [this](const FieldInfo& field, bool, const QPoint& at) {
        for (const Pinned& pinned : m_pinned)
            if (pinned.field == &field) {
                offerForField(pinned.component, field, at);
                return;
            }
    });
    m_sections->insertWidget(0, m_pinnedSection);
}

// ------------------------------------------------------------------------------------------- Adding and removing

std::vector<ComponentChoice> InspectorPanel::componentChoices() const {
    if (m_feed.mode() != Mode::Edit)
        return {};
    return m_componentEdits.choices(componentTargets());
}

QRect InspectorPanel::addButtonPlace() const {
    if (!m_add->isVisible() || m_add->visibleRegion().isEmpty())
        return {m_scroll->mapToGlobal(QPoint(0, 0)), QSize(1, 1)};
    return {m_add->mapToGlobal(QPoint(0, m_add->height())), QSize(1, 1)};
}

void InspectorPanel::withScope(const QString& what, const ComponentTargets& targets, const QRect& lookedAt,
                               std::function<void(ComponentScope)> change) {
    const std::size_t users = m_componentEdits.usedBy(targets);
    // The bar has said it already; or all of the types are shown, so that both answers reach the same entities.
    if (scope() == EditScope::AllOfType || users <= countOf(targets)) {
        change(ComponentScope::AllOfType);
        return;
    }
    if (m_keptScope) {
        change(*m_keptScope);
        return;
    }
    // One question at a time.
    if (auto* open = findChild<ScopeQuestion*>())
        open->reject();
    auto* question = new ScopeQuestion(m_theme, what, targets, users, ComponentScope::OneEntity, this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &ScopeQuestion::answered, this, [this, question, change = std::move(change)](ComponentScope answer) {
        if (question->isKept())
            m_keptScope = answer;
        if (m_feed.mode() != Mode::Edit)
            report(needsStop());
        else
            change(answer);
    });
    question->openAt(lookedAt.isNull() ? addButtonPlace() : lookedAt);
}

void InspectorPanel::reportOutcome(const Result<ComponentOutcome>& outcome, const QString& done) {
    if (!outcome)
        report(outcome.error());
    else if (outcome->changed > 1 || !outcome->skipped.empty() || !outcome->types.empty())
        emit said(outcome->text(done));
}

void InspectorPanel::addComponent(const QString& component, const QRect& lookedAt) {
    if (m_feed.mode() != Mode::Edit) {
        report(needsStop());
        return;
    }
    // Those that can have it: nothing is asked of the others.
    ComponentTargets targets = componentTargets();
    if (targets.empty())
        return;
    withScope(tr("Add %1").arg(component), targets, lookedAt, [this, targets, component](ComponentScope answer) {
        reportOutcome(m_componentEdits.add(targets, component.toStdString(), answer), tr("Added %1 to").arg(component));
    });
}

void InspectorPanel::offerRemoval(QMenu& menu, const std::string& component) {
    const ComponentTargets targets = componentTargets();
    ComponentTargets having;
    const auto& content = m_project.content();
    for (const ComponentTarget& target : targets) {
        const definition::EntityTypeDefinition* type = content ? content->definitions->find(target.type) : nullptr;
        if (type != nullptr && type->find(component) != nullptr)
            having.push_back(target);
    }
    const bool possible = m_feed.mode() == Mode::Edit && !having.empty();
    const QString what = QString::fromStdString(component);
    const QString types = having.size() == 1 ? shownLine(having.front().type) : tr("%1 types").arg(having.size());
    const std::size_t count = countOf(having);
    const QString one = count == 1 ? shownLine(having.front().entities.front()) : tr("these %1").arg(count);
    const auto offer = [&](const QString& text, const char* name, ComponentScope scope) {
        QAction* action = menu.addAction(text);
        action->setObjectName(QLatin1String(name));
        action->setEnabled(possible);
        connect(action, &QAction::triggered, this, [this, targets, component, scope, what] {
            if (m_feed.mode() != Mode::Edit)
                report(needsStop());
            else
                reportOutcome(m_componentEdits.remove(targets, component, scope), tr("Removed %1 from").arg(what));
        });
    };
    offer(tr("Remove %1 from all of %2 (%3)").arg(what, types).arg(m_componentEdits.usedBy(having)), "scope.type", ComponentScope::AllOfType);
    offer(having.size() == 1 ? tr("Remove %1 from %2 alone, as a type of its own that extends %3").arg(what, one, types)
                             : tr("Remove %1 from %2 alone, as types of their own").arg(what, one),
          "scope.entity", ComponentScope::OneEntity);
}

// ------------------------------------------------------------------------------------------------- Clipboard

void InspectorPanel::copyComponents(const std::string& component) {
    const auto& inspected = m_feed.frame().inspected;
    const auto shown = std::find_if(inspected.begin(), inspected.end(), [&](const Inspection& each) { return each.name == m_shown; });
    std::vector<const InspectedComponent*> parts;
    if (shown != inspected.end())
        for (const InspectedComponent& each : shown->components)
            if (component.empty() || each.name == component)
                parts.push_back(&each);
    if (parts.empty()) {
        // Of several entities only the one that was selected last is copied.
        report(Error{component.empty() ? "nothing is selected to copy components of" : m_shown + " has no " + component, {}, {}});
        return;
    }
    auto mime = std::make_unique<QMimeData>();
    writeClip(*mime, shown->type, parts);
    QApplication::clipboard()->setMimeData(mime.release()); // the clipboard owns it
    emit said(parts.size() == 1 ? tr("Copied %1 of %2.").arg(QString::fromStdString(parts.front()->name), shownLine(m_shown))
                                : tr("Copied %1 components of %2.").arg(parts.size()).arg(shownLine(m_shown)));
}

void InspectorPanel::pasteValues(Into into) {
    const bool others = into == Into::Selected && isLocked();
    const ComponentTargets targets = others ? targetsAmong(m_selection.primary(), m_selection.entities()) : componentTargets();
    if (!m_project.content() || targets.empty()) {
        report(Error{"nothing is selected that values could be pasted into", {}, {}});
        return;
    }
    const Result<ComponentClip> clip = readClip(QApplication::clipboard()->mimeData(), *m_project.content()->catalog);
    if (!clip) {
        report(clip.error());
        return;
    }
    // The bar speaks of what is shown.
    const ComponentScope reach = scope() == EditScope::AllOfType && !others ? ComponentScope::AllOfType : ComponentScope::OneEntity;
    const Result<ComponentOutcome> outcome = m_componentEdits.pasteValues(targets, *clip, reach);
    reportOutcome(outcome, tr("Pasted values into"));
    if (outcome && !clip->faults.isEmpty())
        report(Error{"left out of what was pasted: " + clip->faults.join(QStringLiteral("; ")).toStdString(), {}, {}});
}

void InspectorPanel::pasteComponents(const QRect& lookedAt) {
    if (m_feed.mode() != Mode::Edit) {
        report(needsStop());
        return;
    }
    const ComponentTargets targets = componentTargets();
    if (!m_project.content() || targets.empty()) {
        report(Error{"nothing of the scene file is selected that components could be pasted into", {}, {}});
        return;
    }
    const Result<ComponentClip> clip = readClip(QApplication::clipboard()->mimeData(), *m_project.content()->catalog);
    if (!clip) {
        report(clip.error());
        return;
    }
    withScope(clip->components.size() == 1 ? tr("Paste %1").arg(QString::fromStdString(clip->components.front().type->name))
                                           : tr("Paste %1 components").arg(clip->components.size()),
              targets, lookedAt, [this, targets, clip = *clip](ComponentScope answer) {
                  const Result<ComponentOutcome> outcome = m_componentEdits.paste(targets, clip, answer);
                  reportOutcome(outcome, tr("Pasted components into"));
                  if (outcome && !clip.faults.isEmpty())
                      report(Error{"left out of what was pasted: " + clip.faults.join(QStringLiteral("; ")).toStdString(), {}, {}});
              });
}

void InspectorPanel::pasteAtHeader(const ComponentSection& section) {
    if (!m_project.content())
        return;
    const Result<ComponentClip> clip = readClip(QApplication::clipboard()->mimeData(), *m_project.content()->catalog);
    if (!clip) {
        report(clip.error());
        return;
    }
    // Values, if an entity has one of the components; else the components are new.
    const bool there = std::any_of(clip->components.begin(), clip->components.end(), [&](const ClippedComponent& each) {
        return std::any_of(m_kinds.kinds.begin(), m_kinds.kinds.end(), [&](const Kinds::Kind& kind) {
            return std::any_of(kind.type->layout().begin(), kind.type->layout().end(),
                               [&](const EntityType::Slot& slot) { return slot.type == each.type; });
        });
    });
    if (there)
        pasteValues();
    else
        pasteComponents({section.header().mapToGlobal(QPoint(0, section.header().height())), QSize(1, 1)});
}

void InspectorPanel::offerClipboard(QMenu& menu, const std::string& component) {
    QAction* copy = menu.addAction(component.empty() ? tr("Copy all values") : tr("Copy component"), this,
                                   [this, component] { copyComponents(component); });
    copy->setObjectName(QStringLiteral("clip.copy"));
    QAction* fresh = menu.addAction(component.empty() ? tr("Paste components as new") : tr("Paste component as new"), this,
                                    [this] { pasteComponents(); });
    fresh->setObjectName(QStringLiteral("clip.pasteNew"));
    fresh->setEnabled(m_feed.mode() == Mode::Edit);
    QAction* values = menu.addAction(tr("Paste values"), this, [this] { pasteValues(); });
    values->setObjectName(QStringLiteral("clip.pasteValues"));
    if (!component.empty()) {
        // Shown, not live: the header that has the focus answers to them.
        copy->setShortcut(QKeySequence::Copy);
        copy->setShortcutContext(Qt::WidgetShortcut);
        values->setShortcut(QKeySequence::Paste);
        values->setShortcutContext(Qt::WidgetShortcut);
    }
}

// ----------------------------------------------------------------------------------------------------- Order

std::size_t InspectorPanel::numberOf(const ComponentSection& section) const {
    return static_cast<std::size_t>(std::find(m_components.begin(), m_components.end(), &section) - m_components.begin());
}

void InspectorPanel::moveSection(std::size_t from, std::size_t to) {
    if (from == to || from >= m_components.size() || to >= m_components.size())
        return;
    const std::vector<std::string> types = targetTypes({});
    if (m_feed.mode() != Mode::Edit)
        report(needsStop());
    else if (types.size() != 1)
        report(Error{"the order of components belongs to one type; select entities of one type", {}, {}});
    else
        report(m_componentEdits.move(types.front(), from, to));
}

bool InspectorPanel::canMoveBefore(const std::string& type, const std::string& component,
                                   const std::string& other) const {
    const definition::EntityTypeDefinition* of =
        m_project.content() ? m_project.content()->definitions->find(type) : nullptr;
    if (of == nullptr || of->builtIn || m_feed.mode() != Mode::Edit)
        return false;
    const definition::ComponentDefinition* const own = of->find(component);
    const definition::ComponentDefinition* const before = of->find(other);
    return own != nullptr && before != nullptr && own->owner == type && before->owner == type && before < own;
}

void InspectorPanel::moveBefore(const std::string& type, const std::string& component,
                                const std::string& other) {
    if (!canMoveBefore(type, component, other)) {
        report(Error{component + " of " + type + " cannot be put before " + other
                         + ": both must stand in the definition of " + type
                         + ", and the world must be stopped",
                     {},
                     {}});
        return;
    }
    const definition::EntityTypeDefinition& of = *m_project.content()->definitions->find(type);
    report(m_componentEdits.move(type, static_cast<std::size_t>(of.find(component) - of.components.data()),
                                 static_cast<std::size_t>(of.find(other) - of.components.data())));
}

void InspectorPanel::offerMoves(QMenu& menu, const std::string& section) {
    const QString name = QStringLiteral("inspector.") + QString::fromStdString(section);
    const auto it = std::find_if(m_components.begin(), m_components.end(),
                                 [&](const ComponentSection* each) { return each->objectName() == name; });
    const auto at = static_cast<std::size_t>(it - m_components.begin());
    const bool possible = m_feed.mode() == Mode::Edit && targetTypes({}).size() == 1;
    const auto offer = [&](const QString& text, const char* id, std::size_t to, Qt::Key key) {
        QAction* action = menu.addAction(text, this, [this, at, to] { moveSection(at, to); });
        action->setObjectName(QLatin1String(id));
        action->setShortcut(QKeySequence(Qt::ALT | key));
        action->setShortcutContext(Qt::WidgetShortcut);
        action->setEnabled(possible && to < m_components.size());
    };
    offer(tr("Move up"), "order.up", at - 1, Qt::Key_Up); // of the first: a number that no section has
    offer(tr("Move down"), "order.down", at + 1, Qt::Key_Down);
    menu.addSeparator();
}

std::size_t InspectorPanel::dropPlace(const QPoint& at) const {
    const int y = m_body->mapFromGlobal(at).y();
    std::size_t place = 0;
    while (place < m_components.size() && y > m_components[place]->geometry().center().y())
        ++place;
    return place;
}

void InspectorPanel::showDropLine(const QPoint& at) {
    if (m_dropLine == nullptr) {
        m_dropLine = new QWidget(m_body);
        m_dropLine->setObjectName(QStringLiteral("inspector.dropLine"));
        m_dropLine->setAttribute(Qt::WA_TransparentForMouseEvents);
        m_dropLine->setAutoFillBackground(true);
        QPalette palette;
        palette.setColor(QPalette::Window, m_theme.color(Token::Accent));
        m_dropLine->setPalette(palette);
    }
    const std::size_t place = dropPlace(at);
    const int y = place < m_components.size() ? m_components[place]->y() - DropLineHeight : m_components.back()->geometry().bottom();
    m_dropLine->setGeometry(0, y, m_body->width(), DropLineHeight);
    m_dropLine->raise();
    m_dropLine->show();
    const QPoint within = m_body->mapFromGlobal(at);
    m_scroll->ensureVisible(within.x(), within.y(), 0, measure::ControlHeight);
}

void InspectorPanel::connectHeader(ComponentSection& section, const std::string& name) {
    SectionHeader& header = section.header();
    header.setMovable(true);
    connect(&header, &SectionHeader::copyRequested, this, [this, name] { copyComponents(name); });
    connect(&header, &SectionHeader::pasteRequested, this, [this, &section] { pasteAtHeader(section); });
    connect(&header, &SectionHeader::moveRequested, this, [this, &section](int by) {
        const std::size_t from = numberOf(section);
        if (by < 0 && from > 0)
            moveSection(from, from - 1);
        else if (by > 0)
            moveSection(from, from + 1);
    });
    connect(&header, &SectionHeader::dragged, this, &InspectorPanel::showDropLine);
    const auto endDrag = [this] {
        delete m_dropLine;
        m_dropLine = nullptr;
    };
    connect(&header, &SectionHeader::dragCancelled, this, endDrag);
    connect(&header, &SectionHeader::dropped, this, [this, &section, endDrag](const QPoint& at) {
        const std::size_t from = numberOf(section);
        const std::size_t before = dropPlace(at);
        endDrag();
        moveSection(from, before > from ? before - 1 : before);
    });
}

} // namespace sbx::ui
