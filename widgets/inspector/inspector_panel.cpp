#include "widgets/inspector/inspector_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/core/component_name.h"
#include "engine/definition/schema.h"
#include "widgets/common/document.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/entity_names.h"
#include "widgets/common/field_sources.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/name_guard.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/inspector/component_section.h"

#include <glm/common.hpp>

#include <algorithm>
#include <unordered_map>

namespace sbx::ui {

namespace {
// Described as the scene file's keys are.
constexpr const char* PlaceKeys[] = {"position", "rotation", "scale"};
// A ten-thousandth of a degree is noise of the quaternion, not somebody's wish.
Vec3 shownDegrees(const Quat& rotation) { return glm::round(toEulerDegrees(rotation) * 1e4F) / 1e4F; }
bool hasComponent(const EntityType& type, const std::string& name) {
    const ComponentName wanted = parseComponentName(name);
    const auto count =
        std::count_if(type.layout().begin(), type.layout().end(),
                      [&](const EntityType::Slot& slot) { return slot.type->name == wanted.type; });
    return wanted.number > 0 && static_cast<std::size_t>(count) >= wanted.number;
}

FieldChange newValue(const Value& value, int element) {
    FieldChange change;
    change.value = value;
    change.element = element;
    return change;
}
} // namespace

InspectorPanel::InspectorPanel(const Theme& theme, SessionFeed& feed, Selection& selection,
                               Document& document, ProjectModel& project, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_feed(feed),
      m_selection(selection),
      m_document(document),
      m_project(project),
      m_edits(document, feed, project),
      m_typeEdits(document, project),
      m_componentEdits(document, project, feed),
      m_scopeBar(new ScopeBar(theme, this)),
      m_add(new QPushButton(tr("Add component…"), this)),
      m_bar(new FilterBar(theme, QStringLiteral("inspector"), tr("Find a field"), this)),
      m_name(new QLineEdit(this)),
      m_nameGuard(new NameGuard(theme, *m_name, [this](const QString& name) -> std::optional<NameRefusal> {
          if (name.isEmpty() || name.toStdString() == m_shown) // nothing is renamed
              return std::nullopt;
          return entityNameRefusal(m_document, m_shown, name);
      })),
      m_type(new QToolButton(this)),
      m_more(new QToolButton(this)),
      m_lock(new QToolButton(this)),
      m_note(new QLabel(this)),
      m_scroll(new QScrollArea(this)),
      m_body(new QWidget),
      m_sections(new QVBoxLayout(m_body)) {
    setObjectName(QStringLiteral("inspector"));
    m_name->setObjectName(QStringLiteral("inspector.name"));
    m_name->setAccessibleName(tr("Name of the entity"));
    m_name->setToolTip(tr("Name of the entity, unique in its world"));
    m_type->setObjectName(QStringLiteral("inspector.type"));
    m_type->setAccessibleName(tr("Entity type"));
    m_type->setToolTip(tr("Go to the definition of this type"));
    m_more->setObjectName(QStringLiteral("inspector.more"));
    m_more->setAccessibleName(tr("What can be done with the entity and its type"));
    m_more->setToolTip(m_more->accessibleName());
    m_more->setIcon(theme.icon(QStringLiteral("more"), Token::Muted));
    m_more->setAutoRaise(true);
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setFixedSize(measure::ControlHeight, measure::ControlHeight);
    auto* entityMenu = new QMenu(m_more);
    entityMenu->setObjectName(QStringLiteral("inspector.more.items"));
    connect(entityMenu, &QMenu::aboutToShow, this, [this, entityMenu] {
        entityMenu->clear();
        fillEntityMenu(*entityMenu);
    });
    m_more->setMenu(entityMenu);
    m_lock->setObjectName(QStringLiteral("inspector.lock"));
    m_lock->setAccessibleName(tr("Keep showing these entities"));
    m_lock->setToolTip(tr("Keep showing these entities while others are selected"));
    m_lock->setIcon(theme.icon(QStringLiteral("lock"), Token::Muted));
    m_lock->setAutoRaise(true);
    m_lock->setCheckable(true);
    m_lock->setFocusPolicy(Qt::TabFocus);
    m_lock->setFixedSize(measure::ControlHeight, measure::ControlHeight);
    connect(m_lock, &QToolButton::clicked, this, &InspectorPanel::setLocked);
    m_note->setObjectName(QStringLiteral("inspector.note"));
    m_note->setWordWrap(true);
    m_note->setContentsMargins(measure::PanelPadding, 0, measure::PanelPadding, measure::RelatedGap);
    setTextToken(*m_note, theme, Token::Muted);
    m_add->setObjectName(QStringLiteral("inspector.add"));
    m_add->setAccessibleName(tr("Add component"));
    m_add->setToolTip(tr("Choose a component for these entities or for all of their type (Ctrl+Shift+A)"));
    m_add->setFocusPolicy(Qt::TabFocus);
    m_sections->setContentsMargins(0, 0, 0, measure::GroupGap);
    m_sections->setSpacing(measure::RelatedGap);
    m_sections->addWidget(m_add, 0, Qt::AlignHCenter);
    m_sections->addStretch(1);
    m_scroll->setObjectName(QStringLiteral("inspector.scroll"));
    m_scroll->setWidget(m_body);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* content = new QWidget(this);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(measure::PanelPadding, measure::PanelPadding, measure::PanelPadding,
                             measure::RelatedGap);
    head->addWidget(m_name, 1);
    head->addWidget(m_type);
    head->addWidget(m_lock);
    head->addWidget(m_more);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_scopeBar);
    layout->addWidget(m_note);
    layout->addWidget(m_bar);
    layout->addWidget(m_scroll, 1);
    auto* empty = new EmptyState(theme, QStringLiteral("inspector"),
                                 tr("Nothing selected. Click something in the viewport or the outliner."));
    m_switch = new EmptySwitch(content, empty, this);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_switch);
    m_switch->setEmpty(true);

    m_bar->focusOnFind(*this);
    m_bar->leaveOnEsc();
    setFocusProxy(&m_bar->lineEdit());
    connect(m_bar, &FilterBar::filterChanged, this, [this](const QString& text) {
        if (m_pinnedSection != nullptr)
            m_pinnedSection->filter(text);
        if (m_place != nullptr)
            m_place->filter(text);
        for (ComponentSection* section : m_components)
            section->filter(text);
    });
    connect(m_name, &QLineEdit::editingFinished, this, [this] {
        // Hiding the line finishes it again: only what was typed counts, once.
        // What is refused stays in the line.
        if (!m_name->isModified() || !m_nameGuard->accepts())
            return;
        m_name->setModified(false);
        const std::string name = m_name->text().trimmed().toStdString();
        if (name.empty() || name == m_shown) {
            m_name->setText(QString::fromStdString(m_shown));
            return;
        }
        const std::string from = m_shown;
        if (!rename(from, name))
            m_name->setText(QString::fromStdString(from));
    });
    connect(m_nameGuard, &NameGuard::offeredTaken, m_name, &QLineEdit::editingFinished);
    m_name->installEventFilter(this); // after the guard's: it sees keys first
    connect(m_add, &QPushButton::clicked, this, &InspectorPanel::addComponentRequested);
    connect(m_type, &QToolButton::clicked, this, [this] { emit definitionRequested(m_type->text(), {}); });
    connect(m_scopeBar, &ScopeBar::scopeChanged, this, &InspectorPanel::showFrame);
    connect(&m_project, &ProjectModel::contentChanged, this, [this] {
        if (scope() == EditScope::AllOfType) // its values come from there
            showFrame();
    });
    connect(&m_selection, &Selection::entitiesChanged, this, [this] {
        if (!isLocked())
            askFor();
    });
    connect(&m_feed, &SessionFeed::frameChanged, this, &InspectorPanel::showFrame);
    askFor();
}

InspectorPanel::~InspectorPanel() = default;

bool InspectorPanel::rename(const std::string& from, const std::string& to) {
    const Result<void> renamed = m_edits.rename(from, to);
    report(renamed);
    if (!renamed)
        return false;
    if (isLocked()) {
        std::vector<std::string> names = *m_locked;
        std::replace(names.begin(), names.end(), from, to);
        m_locked = std::make_shared<const std::vector<std::string>>(std::move(names));
        if (m_lockedPrimary == from)
            m_lockedPrimary = to;
        m_lockSeen = false;
        askFor();
    }
    m_selection.rename(from, to);
    return true;
}

void InspectorPanel::dropTypedName() {
    m_nameGuard->clear();
    m_name->setModified(false);
    m_name->setText(QString::fromStdString(m_shown));
}

// Esc in the name takes back what was typed.
bool InspectorPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched != m_name || !isKey || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape || !m_name->isModified())
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress)
        dropTypedName();
    event->accept();
    return true;
}

void InspectorPanel::setScope(EditScope scope) {
    m_scopeBar->setScope(scope);
    showFrame();
}

void InspectorPanel::askFor() {
    m_kindsEntities.reset();
    m_edits.forgetDrag();
    // What was typed and refused was meant for the entities before.
    for (FieldEditor* editor : m_body->findChildren<FieldEditor*>())
        editor->discardTyped();
    if (m_nameGuard->isRefused())
        dropTypedName();
    m_feed.post([names = isLocked() ? m_locked : m_selection.sharedEntities(), first = primary()](Session& session) {
        session.inspect(*names, first);
    });
    if (entities().empty())
        showFrame();
}

std::vector<InspectorPanel::Shown> InspectorPanel::shownOf(const Inspection& inspection, const InspectedTogether* together) {
    std::vector<Shown> out;
    for (const InspectedComponent& component : inspection.components)
        out.push_back({component.type, component.name, &component, nullptr});
    if (together == nullptr)
        return out;
    for (const InspectedTogether::Component& component : together->components) {
        const auto same = std::find_if(out.begin(), out.end(), [&](const Shown& shown) {
            return shown.type == component.type && shown.name == component.name;
        });
        if (same != out.end())
            same->all = &component;
        else
            out.push_back({component.type, component.name, nullptr, &component});
    }
    return out;
}

void InspectorPanel::setStanding(bool standing) {
    if (std::exchange(m_standing, standing) != standing)
        showFrame();
}

void InspectorPanel::showFrame() {
    dropGoneLock();
    const std::string& primary = this->primary();
    const auto& inspected = m_feed.frame().inspected;
    const auto it = std::find_if(inspected.begin(), inspected.end(),
                                 [&](const Inspection& i) { return i.name == primary; });
    if (primary.empty() || it == inspected.end()) {
        // A new selection is inspected a tick later: keep what is shown until then, unless it is gone for good.
        if (primary.empty() || m_feed.frame().entities->find(primary) == nullptr) {
            m_switch->setEmpty(true);
            m_shown.clear();
        }
        return;
    }
    m_switch->setEmpty(false);
    findKinds();
    const InspectedTogether* together = entities().size() > 1 ? m_feed.frame().together.get() : nullptr;
    const std::vector<Shown> shown = shownOf(*it, together);
    std::string signature = it->type;
    for (const Shown& component : shown)
        // The type too: a plugin that was built again has other fields.
        signature += "/" + component.name + "@" + std::to_string(reinterpret_cast<std::uintptr_t>(component.type));
    if (signature != m_signature)
        rebuild(shown);
    m_signature = signature;
    m_shown = it->name;
    showValues(*it, together, shown);
}

void InspectorPanel::findKinds() {
    const auto& rows = m_feed.frame().entities;
    const auto definitions = m_project.content() ? m_project.content()->definitions : nullptr;
    if (m_kindsEntities == rows && m_kindsDefinitions == definitions)
        return;
    m_kindsEntities = rows;
    m_kindsDefinitions = definitions;
    const std::vector<std::string> before = targetTypes({});
    m_kinds = {};
    std::unordered_map<const EntityType*, std::size_t> known;
    const auto add = [&](const std::string& name) {
        const EntityRow* row = rows->find(name);
        if (row == nullptr || row->entityType == nullptr)
            return;
        const auto [at, first] = known.emplace(row->entityType.get(), m_kinds.kinds.size());
        if (first)
            m_kinds.kinds.push_back({row->entityType.get(), row->type, name, 0, row->fromScene});
        Kinds::Kind& kind = m_kinds.kinds[at->second];
        // Prefer an entity of the scene file as the representative of its kind, since it can be changed.
        if (!kind.inScene && row->fromScene) {
            kind.instance = name;
            kind.inScene = true;
        }
    };
    add(primary());
    for (const std::string& name : entities()) {
        add(name);
        if (const EntityRow* row = rows->find(name); row != nullptr && row->entityType != nullptr) {
            ++m_kinds.kinds[known.at(row->entityType.get())].count;
            ++m_kinds.entities;
        }
    }
    const std::vector<std::string> types = targetTypes({});
    m_kinds.users = m_typeEdits.usedBy(types);
    // A change that was meant for all of one type is not to reach all of another.
    if (types != before)
        m_scopeBar->setScope(EditScope::Selected);
}

void InspectorPanel::rebuild(const std::vector<Shown>& shown) {
    m_edits.forgetDrag();
    delete m_dropLine;
    m_dropLine = nullptr;
    QString focused; // a header that has the focus keeps it, wherever its section goes
    for (ComponentSection* section : m_components)
        if (section->header().hasFocus())
            focused = section->objectName();
    for (ComponentSection* section : m_components)
        if (!section->isOpen()
            && std::find(m_closed.begin(), m_closed.end(), section->objectName().toStdString())
                   == m_closed.end())
            m_closed.push_back(section->objectName().toStdString());
    delete m_pinnedSection;
    m_pinnedSection = nullptr;
    m_pinned.clear();
    delete m_place;
    m_place = nullptr;
    qDeleteAll(m_components);
    m_components.clear();
    addPlace();
    addComponents(shown);
    addFavourites(shown); // at the very top
    if (m_pinnedSection != nullptr)
        m_pinnedSection->filter(m_bar->text());
    m_place->filter(m_bar->text());
    for (ComponentSection* section : m_components) {
        section->filter(m_bar->text());
        if (section->objectName() == focused)
            section->header().setFocus(Qt::OtherFocusReason);
    }
}

void InspectorPanel::addPlace() {
    m_place = new ComponentSection(m_theme, QStringLiteral("place"), tr("Place"),
                                   tr("In the parent's frame."), m_body);
    for (const char* key : PlaceKeys) {
        const FieldInfo& field = *definition::instanceKeys().find(key);
        connectField(m_place->addField(field, {}, false), {}, field, false);
    }
    connect(m_place, &ComponentSection::rowMenuRequested, this,
            [this](const FieldInfo& field, bool, const QPoint& at) { offerForField({}, field, at); });
    m_sections->insertWidget(0, m_place);
}

void InspectorPanel::addComponents(const std::vector<Shown>& shown) {
    int at = 1;
    for (const Shown& component : shown) {
        const QString name = QString::fromStdString(component.name);
        auto* section =
            new ComponentSection(m_theme, name, name, QString::fromStdString(component.type->doc), m_body);
        for (const FieldInfo& field : *component.type->settings)
            connectField(section->addField(field, sources(), false), component.name, field, false);
        FieldSources live = sources();
        live.live = true;
        if (component.type->stateOf != nullptr)
            for (const FieldInfo& field : *component.type->state)
                connectField(section->addField(field, live, true), component.name, field, true);
        // The second of a kind is removed with the first: they are one list in the definition.
        section->addMenu([this, name = component.name, kind = component.type->name](QMenu& menu) {
            offerWhyNot(menu, name);
            menu.addSeparator();
            offerClipboard(menu, name);
            menu.addSeparator();
            offerOverrides(menu, name);
            menu.addSeparator();
            offerMoves(menu, name);
            offerRemoval(menu, kind);
        });
        connectHeader(*section, component.name);
        connect(section, &ComponentSection::rowMenuRequested, this,
                [this, name = component.name](const FieldInfo& field, bool state, const QPoint& place) {
                    if (state)
                        offerForState(name, field, place);
                    else
                        offerForField(name, field, place);
                });
        section->setOpen(std::find(m_closed.begin(), m_closed.end(), section->objectName().toStdString())
                         == m_closed.end());
        m_sections->insertWidget(at++, section);
        m_components.push_back(section);
    }
}

void InspectorPanel::connectField(FieldEditor* editor, const std::string& component, const FieldInfo& field,
                                  bool state) {
    connect(editor, &FieldEditor::edited, this,
            [this, editor, component, &field, state](const Value& value, bool committed) {
                applyChange(component, field, state, newValue(value, editor->editedElement()), committed);
            });
    connect(editor, &FieldEditor::operated, this,
            [this, component, &field, state](const FieldChange& change, bool committed) {
                applyChange(component, field, state, change, committed);
            });
    if (!state)
        connect(editor, &FieldEditor::revertRequested, this, [this, component, &field] {
            if (scope() == EditScope::AllOfType)
                report(m_typeEdits.revert(targetTypes(component), component, field));
            else
                report(m_edits.revertField(targets(component), component, field));
        });
}

void InspectorPanel::applyChange(const std::string& component, const FieldInfo& field, bool state, const FieldChange& change,
                                 bool committed) {
    if (scope() == EditScope::AllOfType && !state && !component.empty())
        report(m_typeEdits.change(targetTypes(component), component, field, change, committed));
    else
        report(m_edits.change(targets(component), component, field, change, committed));
}

std::vector<std::string> InspectorPanel::targets(const std::string& component) const {
    // Whatever is selected and has the component changes with the shown one.
    std::vector<std::string> names;
    const EntityList& list = *m_feed.frame().entities;
    std::unordered_map<const EntityType*, bool> known; // whether its entities have it
    const auto add = [&](const std::string& name) {
        const EntityRow* row = list.find(name);
        if (row == nullptr || row->entityType == nullptr)
            return;
        const auto [has, first] = known.emplace(row->entityType.get(), false);
        if (first)
            has->second = component.empty() || hasComponent(*row->entityType, component);
        if (has->second && (component.empty() ? m_edits.placeLock(name) : m_edits.settingLock(name, component)).isEmpty())
            names.push_back(name);
    };
    add(m_shown);
    for (const std::string& name : entities())
        if (name != m_shown)
            add(name);
    return names;
}

std::vector<std::string> InspectorPanel::targetTypes(const std::string& component) const {
    std::vector<std::string> names;
    for (const Kinds::Kind& kind : m_kinds.kinds)
        if ((component.empty() || hasComponent(*kind.type, component))
            && std::find(names.begin(), names.end(), kind.name) == names.end())
            names.push_back(kind.name);
    return names;
}

QString InspectorPanel::settingLock(const std::string& component) const {
    // Of several kinds, one that can be changed is enough: the others stay as they are.
    QString lock;
    for (const Kinds::Kind& kind : m_kinds.kinds) {
        if (!hasComponent(*kind.type, component))
            continue;
        lock = scope() == EditScope::AllOfType ? m_typeEdits.settingLock(kind.name, component)
                                               : m_edits.settingLock(kind.instance, component);
        if (lock.isEmpty())
            return {};
    }
    return lock;
}

QString InspectorPanel::note(const Inspection& inspection, bool several) const {
    const bool playing = m_feed.mode() != Mode::Edit;
    QStringList parts;
    if (several && m_kinds.kinds.size() > 1) { // of one kind name and type say it already
        QStringList kinds;
        for (const Kinds::Kind& kind : m_kinds.kinds)
            kinds.append(tr("%1 %2").arg(kind.count).arg(shownLine(kind.name)));
        constexpr qsizetype MaxKinds = 4;
        if (kinds.size() > MaxKinds)
            kinds = kinds.mid(0, MaxKinds) << tr("others");
        parts.append(kinds.join(QStringLiteral(", ")) + QLatin1Char('.'));
    }
    if (m_standing)
        parts.append(tr("A tick stands: changes show when it goes on."));
    else if (scope() == EditScope::AllOfType)
        parts.append(tr("Changes go to the definition, but for the place."));
    else if (playing)
        parts.append(tr("Playing: Stop takes changes back, and asks which to keep."));
    else if (!several)
        parts.append(m_edits.placeLock(inspection.name));
    return parts.join(QLatin1Char(' '));
}

void InspectorPanel::showHead(const Inspection& inspection, bool several) {
    const QString name = several ? tr("%1 entities").arg(m_kinds.entities) : QString::fromStdString(inspection.name);
    if (!m_name->hasFocus() && !m_nameGuard->isRefused() && m_name->text() != name)
        m_name->setText(name);
    const std::vector<std::string> types = targetTypes({});
    const QString kind = types.size() > 1 ? tr("%1 types").arg(types.size()) : QString::fromStdString(inspection.type);
    m_type->setText(kind);
    m_type->setEnabled(types.size() < 2);
    m_scopeBar->setCounts(entities().size(), kind, m_kinds.users);
    const bool playing = m_feed.mode() != Mode::Edit;
    const QString placeLock = m_edits.placeLock(inspection.name);
    m_name->setReadOnly(several || playing || !placeLock.isEmpty());
    m_add->setEnabled(!playing && placeLock.isEmpty());
    const QString said = note(inspection, several);
    // The line keeps its place: nothing below jumps when play begins.
    m_note->setText(said.isEmpty() ? QStringLiteral(" ") : said);
}

void InspectorPanel::showPlace(const Inspection& inspection, const InspectedTogether* together) {
    const bool playing = m_feed.mode() != Mode::Edit;
    const bool locked = std::none_of(m_kinds.kinds.begin(), m_kinds.kinds.end(), [&](const Kinds::Kind& kind) {
        return m_edits.placeLock(kind.instance).isEmpty();
    });
    const Value values[] = {inspection.local.position, shownDegrees(inspection.local.rotation), inspection.local.scale};
    const std::uint8_t differ[] = {together == nullptr ? std::uint8_t{0} : together->positionDiffers,
                                   together == nullptr ? std::uint8_t{0} : together->rotationDiffers,
                                   together == nullptr ? std::uint8_t{0} : together->scaleDiffers};
    for (std::size_t i = 0; i < std::size(PlaceKeys); ++i) {
        FieldEditor* editor = m_place->rows()[i].editor;
        editor->setReadOnly(locked || scope() == EditScope::AllOfType || (playing && std::string_view(PlaceKeys[i]) == "scale"));
        editor->setMeasured(playing);
        const FieldOrigin origin = m_edits.isLive(entities(), {}, editor->field()) ? FieldOrigin::Live : FieldOrigin::Inherited;
        if (editor->origin() != origin) {
            editor->setOrigin(origin);
            m_place->setRowState(i, false, origin);
        }
        if (differ[i] == 0)
            editor->setValue(values[i]);
        else
            editor->setValues(values[i], differ[i]);
    }
}

InspectorPanel::SettingShown InspectorPanel::settingShown(const Shown& shown, std::size_t i, const std::vector<std::string>* types) const {
    const FieldInfo& field = shown.type->settings->fields()[i];
    SettingShown out;
    if (types == nullptr) {
        const InspectedField* own = shown.own == nullptr ? nullptr : &shown.own->settings[i];
        out.value = own != nullptr ? own->value : shown.all->settings[i];
        out.differ = shown.all == nullptr ? std::uint8_t{0} : shown.all->settingsDiffer[i];
        const bool overridden = shown.all != nullptr ? shown.all->overridden[i] : own->overridden;
        out.origin = m_edits.isLive(entities(), shown.name, field) ? FieldOrigin::Live
                     : overridden                      ? FieldOrigin::Overridden
                     : out.value == field.defaultValue ? FieldOrigin::Default
                                                       : FieldOrigin::Inherited;
        return out;
    }
    out.origin = FieldOrigin::Default;
    for (const std::string& type : *types) {
        const definition::Setting* said = m_typeEdits.setting(type, shown.name, field.name);
        const Value& value = said == nullptr ? field.defaultValue : said->value;
        if (&type == &types->front())
            out.value = value;
        else if (value != out.value)
            out.differ = 0xFF;
        // A built-in type has nothing that could be taken out of it.
        const definition::EntityTypeDefinition* known = m_project.content()->definitions->find(type);
        if (said != nullptr && said->owner == type && !known->builtIn)
            out.origin = FieldOrigin::Overridden;
        else if (said != nullptr && out.origin == FieldOrigin::Default)
            out.origin = FieldOrigin::Inherited;
    }
    return out;
}

bool InspectorPanel::isUnused(const FieldTable& table, const FieldInfo& field, const std::vector<SettingShown>& values) {
    return std::any_of(field.conditions.begin(), field.conditions.end(), [&](const FieldCondition& condition) {
        const FieldInfo* decides = table.find(condition.field);
        if (decides == nullptr)
            return false;
        const SettingShown& now = values[static_cast<std::size_t>(decides - table.fields().data())];
        // Of several entities some may have the right one.
        return now.differ == 0
               && std::find(condition.values.begin(), condition.values.end(), decides->format(now.value)) == condition.values.end();
    });
}

void InspectorPanel::showComponent(const Shown& shown, ComponentSection& section) {
    section.setRemark(shown.all == nullptr ? QString() : tr("%1 of %2").arg(shown.all->count).arg(m_kinds.entities));
    const QString lock = settingLock(shown.name);
    const QString stateLock = m_edits.stateLock();
    const bool ofType = scope() == EditScope::AllOfType;
    const std::vector<std::string> types = ofType ? targetTypes(shown.name) : std::vector<std::string>();
    const std::size_t settings = shown.type->settings->fields().size();
    const auto& rows = section.rows();
    std::vector<SettingShown> values; // of the settings
    for (std::size_t i = 0; i < settings; ++i)
        values.push_back(settingShown(shown, i, ofType && lock.isEmpty() ? &types : nullptr));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const bool state = row >= settings;
        const std::size_t i = state ? row - settings : row;
        FieldEditor& editor = *rows[row].editor;
        const FieldInfo& field = *rows[row].info;
        if (state) {
            const Value& value = shown.own != nullptr ? shown.own->state[i].value : shown.all->state[i];
            const std::uint8_t differ = shown.all == nullptr ? std::uint8_t{0} : shown.all->stateDiffers[i];
            editor.setReadOnly(field.readOnly || !stateLock.isEmpty());
            if (differ == 0)
                editor.setValue(value);
            else
                editor.setValues(value, differ);
            continue;
        }
        const SettingShown& setting = values[i];
        const bool unused = isUnused(*shown.type->settings, field, values);
        section.setRowState(row, unused, setting.origin);
        const auto show = [&](FieldEditor& of) {
            of.setReadOnly(field.readOnly || !lock.isEmpty() || unused);
            of.setOrigin(setting.origin);
            if (setting.differ == 0)
                of.setValue(setting.value);
            else
                of.setValues(setting.value, setting.differ);
        };
        show(editor);
        for (const Pinned& pinned : m_pinned)
            if (pinned.field == &field && pinned.component == shown.name) {
                // What is pinned stays, with or without effect.
                m_pinnedSection->setRowState(pinned.row, false, setting.origin);
                show(*m_pinnedSection->rows()[pinned.row].editor);
            }
    }
}

void InspectorPanel::showValues(const Inspection& inspection, const InspectedTogether* together, const std::vector<Shown>& shown) {
    showHead(inspection, together != nullptr);
    showPlace(inspection, together);
    for (std::size_t i = 0; i < shown.size() && i < m_components.size(); ++i)
        showComponent(shown[i], *m_components[i]);
}

FieldSources InspectorPanel::sources() const {
    FieldSources sources = fieldSources(m_document, m_project, m_feed);
    sources.pickEntity = [&selection = m_selection](const std::function<void(const QString&)>& taken) {
        selection.requestPick([taken](const std::string& entity) { taken(QString::fromStdString(entity)); });
    };
    return sources;
}

void InspectorPanel::report(const Result<void>& result) {
    if (!result)
        emit problem(QString::fromStdString(result.error().message));
}

FieldEditor* InspectorPanel::editor(const std::string& component, const std::string& field) const {
    const auto find = [&](const ComponentSection* section) -> FieldEditor* {
        for (const ComponentSection::Row& row : section->rows())
            if (row.info->name == field)
                return row.editor;
        return nullptr;
    };
    if (component.empty())
        return m_place == nullptr ? nullptr : find(m_place);
    for (const ComponentSection* section : m_components)
        if (section->objectName() == QStringLiteral("inspector.") + QString::fromStdString(component))
            return find(section);
    return nullptr;
}

} // namespace sbx::ui

#include "moc_inspector_panel.cpp"
