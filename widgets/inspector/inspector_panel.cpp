#include "widgets/inspector/inspector_panel.h"

#include <QCursor>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/definition/schema.h"
#include "widgets/common/document.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/inspector/component_section.h"

#include <glm/common.hpp>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

namespace sbx::ui {

namespace {
// position, rotation and scale, described as the scene file's keys are.
const FieldInfo* placeField(PlaceKey key) { return definition::instanceKeys().find(placeKeyName(key)); }
// A ten-thousandth of a degree is noise of the quaternion, not somebody's wish.
Vec3 shownDegrees(const Quat& rotation) {
    return glm::round(toEulerDegrees(rotation) * 1e4F) / 1e4F;
}
// "Mesh" is the first of its kind, "Mesh#2" the second.
bool hasComponent(const EntityType& type, const std::string& name) {
    const std::size_t mark = name.find('#');
    const int number = mark == std::string::npos ? 1 : std::atoi(name.c_str() + mark + 1);
    return std::count_if(type.layout().begin(), type.layout().end(),
                         [&](const EntityType::Slot& slot) { return slot.type->name == name.substr(0, mark); })
           >= number;
}
constexpr PlaceKey PlaceKeys[] = {PlaceKey::Position, PlaceKey::Rotation, PlaceKey::Scale};
} // namespace

InspectorPanel::InspectorPanel(const Theme& theme, SessionFeed& feed, Selection& selection,
                               Document& document, ProjectModel& project, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_feed(feed),
      m_selection(selection),
      m_document(document),
      m_project(project),
      m_edits(document, feed),
      m_componentEdits(document, project),
      m_add(new QPushButton(tr("Add component…"), this)),
      m_bar(new FilterBar(theme, QStringLiteral("inspector"), tr("Find a field"), this)),
      m_name(new QLineEdit(this)),
      m_type(new QToolButton(this)),
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
    m_note->setObjectName(QStringLiteral("inspector.note"));
    m_note->setWordWrap(true);
    m_note->setContentsMargins(measure::PanelPadding, 0, measure::PanelPadding, measure::RelatedGap);
    setTextToken(*m_note, theme, Token::Muted);
    m_add->setObjectName(QStringLiteral("inspector.add"));
    m_add->setAccessibleName(tr("Add component"));
    m_add->setToolTip(tr("Choose a component for this entity or for all of its type (Ctrl+Shift+A)"));
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
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
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
    setFocusProxy(&m_bar->lineEdit());
    connect(m_bar, &FilterBar::filterChanged, this, [this](const QString& text) {
        if (m_place != nullptr)
            m_place->filter(text);
        for (ComponentSection* section : m_components)
            section->filter(text);
    });
    connect(m_name, &QLineEdit::editingFinished, this, [this] {
        // Hiding the line finishes it again: only what was typed counts, once.
        if (!m_name->isModified())
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
    connect(m_add, &QPushButton::clicked, this, &InspectorPanel::addComponentRequested);
    connect(m_type, &QToolButton::clicked, this, [this] { emit definitionRequested(m_type->text(), {}); });
    connect(&m_selection, &Selection::entitiesChanged, this, &InspectorPanel::askFor);
    connect(&m_feed, &SessionFeed::frameChanged, this, &InspectorPanel::showFrame);
    askFor();
}

InspectorPanel::~InspectorPanel() = default;

bool InspectorPanel::rename(const std::string& from, const std::string& to) {
    const Result<void> renamed = m_edits.rename(from, to);
    report(renamed);
    if (renamed)
        m_selection.rename(from, to);
    return renamed.ok();
}

void InspectorPanel::askFor() {
    m_feed.post([names = m_selection.sharedEntities(), primary = m_selection.primary()](Session& session) {
        session.inspect(*names, primary);
    });
    if (m_selection.empty())
        showFrame();
}

void InspectorPanel::showFrame() {
    const std::string& primary = m_selection.primary();
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
    std::string signature = it->type;
    for (const InspectedComponent& component : it->components)
        // The type too: a plugin that was built again has other fields.
        signature += "/" + component.name + "@" + std::to_string(reinterpret_cast<std::uintptr_t>(component.type));
    if (signature != m_signature)
        rebuild(*it);
    m_signature = signature;
    m_shown = it->name;
    showValues(*it);
}

void InspectorPanel::rebuild(const Inspection& inspection) {
    for (ComponentSection* section : m_components)
        if (!section->isOpen()
            && std::find(m_closed.begin(), m_closed.end(), section->objectName().toStdString())
                   == m_closed.end())
            m_closed.push_back(section->objectName().toStdString());
    delete m_place;
    m_place = nullptr;
    qDeleteAll(m_components);
    m_components.clear();
    addPlace();
    addComponents(inspection);
    m_place->filter(m_bar->text());
    for (ComponentSection* section : m_components)
        section->filter(m_bar->text());
}

void InspectorPanel::addPlace() {
    m_place = new ComponentSection(m_theme, QStringLiteral("place"), tr("Place"),
                                   tr("In the parent's frame."), m_body);
    for (const PlaceKey key : PlaceKeys) {
        FieldEditor* editor = m_place->addField(*placeField(key), {}, false);
        connect(editor, &FieldEditor::edited, this, [this, key](const Value& value, bool committed) {
            if (const auto* v = std::get_if<Vec3>(&value))
                report(m_edits.setPlace(m_shown, key, *v, committed));
        });
    }
    m_sections->insertWidget(0, m_place);
}

void InspectorPanel::addComponents(const Inspection& inspection) {
    int at = 1;
    for (const InspectedComponent& component : inspection.components) {
        const QString name = QString::fromStdString(component.name);
        auto* section =
            new ComponentSection(m_theme, name, name, QString::fromStdString(component.type->doc), m_body);
        for (const InspectedField& field : component.settings)
            connectField(section->addField(*field.info, sources(), false), component.name, *field.info,
                         false);
        FieldSources live = sources();
        live.live = true;
        for (const InspectedField& field : component.state)
            connectField(section->addField(*field.info, live, true), component.name, *field.info, true);
        // The second of a kind is removed with the first: they are one list in the definition.
        section->addMenu([this, kind = component.type->name](QMenu& menu) { offerScopes(menu, kind, false); });
        section->setOpen(std::find(m_closed.begin(), m_closed.end(), section->objectName().toStdString())
                         == m_closed.end());
        m_sections->insertWidget(at++, section);
        m_components.push_back(section);
    }
}

void InspectorPanel::connectField(FieldEditor* editor, const std::string& component, const FieldInfo& field,
                                  bool state) {
    connect(editor, &FieldEditor::edited, this,
            [this, component, &field](const Value& value, bool committed) {
                report(m_edits.setField(targets(component), component, field, value, committed));
            });
    if (!state)
        connect(editor, &FieldEditor::revertRequested, this, [this, component, &field] {
            report(m_edits.revertField(targets(component), component, field));
        });
}

std::vector<ComponentChoice> InspectorPanel::componentChoices() const {
    const EntityRow* row = m_feed.frame().entities->find(m_shown);
    if (row == nullptr || !row->fromScene || m_feed.mode() != Mode::Edit)
        return {};
    return m_componentEdits.choices(row->type);
}

void InspectorPanel::addComponent(const QString& component) {
    const EntityRow* row = m_feed.frame().entities->find(m_shown);
    if (row == nullptr)
        return;
    if (m_componentEdits.usedBy(row->type) < 2) {
        changeComponent(m_shown, row->type, component.toStdString(), true, ComponentScope::AllOfType);
        return;
    }
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("inspector.scope"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    offerScopes(*menu, component.toStdString(), true);
    menu->popup(m_add->isVisible() ? m_add->mapToGlobal(QPoint(0, m_add->height())) : QCursor::pos());
}

void InspectorPanel::offerScopes(QMenu& menu, const std::string& component, bool adds) {
    const EntityRow* row = m_feed.frame().entities->find(m_shown);
    if (row == nullptr)
        return;
    const std::string entity = m_shown;
    const std::string type = row->type;
    const QString what = QString::fromStdString(component);
    const QString kind = QString::fromStdString(type);
    const std::size_t users = m_componentEdits.usedBy(type);
    const bool stopped = m_feed.mode() == Mode::Edit;
    QAction* all = menu.addAction((adds ? tr("Add %1 to all of type %2 (%3)") : tr("Remove %1 from all of type %2 (%3)"))
                                      .arg(what, kind)
                                      .arg(users));
    all->setObjectName(QStringLiteral("scope.type"));
    all->setEnabled(stopped);
    connect(all, &QAction::triggered, this, [this, entity, type, component, adds] {
        changeComponent(entity, type, component, adds, ComponentScope::AllOfType);
    });
    QAction* one = menu.addAction((adds ? tr("Add %1 to %2 alone, as a type of its own that extends %3")
                                        : tr("Remove %1 from %2 alone, as a type of its own that extends %3"))
                                      .arg(what, QString::fromStdString(entity), kind));
    one->setObjectName(QStringLiteral("scope.entity"));
    one->setEnabled(stopped && row->fromScene);
    connect(one, &QAction::triggered, this, [this, entity, type, component, adds] {
        changeComponent(entity, type, component, adds, ComponentScope::OneEntity);
    });
}

void InspectorPanel::changeComponent(const std::string& entity, const std::string& type, const std::string& component, bool adds,
                                     ComponentScope scope) {
    if (m_feed.mode() != Mode::Edit)
        report(Error{"components can be added and removed when the world is stopped", {}, {}});
    else
        report(adds ? m_componentEdits.add(entity, type, component, scope)
                    : m_componentEdits.remove(entity, type, component, scope));
}

std::vector<std::string> InspectorPanel::targets(const std::string& component) const {
    // Whatever else is selected and has the component changes with it.
    std::vector<std::string> names{m_shown};
    const EntityList& list = *m_feed.frame().entities;
    std::unordered_map<const EntityType*, bool> known; // whether its entities have it
    for (const std::string& name : m_selection.entities()) {
        const EntityRow* row = name == m_shown ? nullptr : list.find(name);
        if (row == nullptr || row->entityType == nullptr)
            continue;
        const auto [has, first] = known.emplace(row->entityType.get(), false);
        if (first)
            has->second = hasComponent(*row->entityType, component);
        if (has->second && m_edits.settingLock(name, component).isEmpty())
            names.push_back(name);
    }
    return names;
}

QString InspectorPanel::note(const Inspection& inspection, const InspectedTogether* together) const {
    if (together == nullptr)
        return m_feed.mode() != Mode::Edit ? tr("Playing: changes here last until Stop.") : m_edits.placeLock(inspection.name);
    QString text = tr("%1 selected; name, type and place are those of %2.")
                       .arg(together->entities)
                       .arg(QString::fromStdString(inspection.name));
    QStringList others;
    for (const InspectedTogether::Component& component : together->components)
        if (std::none_of(inspection.components.begin(), inspection.components.end(),
                         [&](const InspectedComponent& c) { return c.name == component.name; }))
            others.append(tr("%1 (%2)").arg(QString::fromStdString(component.name)).arg(component.count));
    if (!others.isEmpty())
        text += QLatin1Char(' ') + tr("Others have: %1.").arg(others.join(QStringLiteral(", ")));
    if (m_feed.mode() != Mode::Edit)
        text += QLatin1Char(' ') + tr("Playing: changes here last until Stop.");
    return text;
}

void InspectorPanel::showValues(const Inspection& inspection) {
    const QString name = QString::fromStdString(inspection.name);
    if (!m_name->hasFocus() && m_name->text() != name)
        m_name->setText(name);
    m_type->setText(QString::fromStdString(inspection.type));
    const QString placeLock = m_edits.placeLock(inspection.name);
    const bool playing = m_feed.mode() != Mode::Edit;
    m_name->setReadOnly(playing || !placeLock.isEmpty());
    m_add->setEnabled(!playing && placeLock.isEmpty());
    const InspectedTogether* together = m_selection.entities().size() > 1 ? m_feed.frame().together.get() : nullptr;
    const QString said = note(inspection, together);
    // The line keeps its place: nothing below jumps when play begins.
    m_note->setText(said.isEmpty() ? QStringLiteral(" ") : said);

    const Value place[] = {inspection.local.position, shownDegrees(inspection.local.rotation),
                           inspection.local.scale};
    for (std::size_t i = 0; i < std::size(PlaceKeys); ++i) {
        FieldEditor* editor = m_place->rows()[i].editor;
        editor->setReadOnly(!placeLock.isEmpty() || (playing && PlaceKeys[i] == PlaceKey::Scale));
        editor->setMeasured(playing);
        editor->setValue(place[i]);
    }
    const EntityRow* row = m_feed.frame().entities->find(inspection.name);
    const EntityType* type = row != nullptr ? row->entityType.get() : nullptr;
    for (std::size_t c = 0; c < inspection.components.size() && c < m_components.size(); ++c) {
        const InspectedComponent& component = inspection.components[c];
        const QString settingLock = m_edits.settingLock(inspection.name, component.name);
        const QString stateLock = m_edits.stateLock();
        const InspectedTogether::Component* all = nullptr;
        for (std::size_t k = 0; together != nullptr && k < together->components.size(); ++k)
            if (together->components[k].type == component.type && together->components[k].name == component.name)
                all = &together->components[k];
        m_components[c]->setRemark(all == nullptr ? QString() : tr("%1 of %2").arg(all->count).arg(together->entities));
        const auto& rows = m_components[c]->rows();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool state = i >= component.settings.size();
            const InspectedField& field =
                state ? component.state[i - component.settings.size()] : component.settings[i];
            FieldEditor* editor = rows[i].editor;
            editor->setReadOnly(field.info->readOnly || !(state ? stateLock : settingLock).isEmpty());
            if (!state) {
                const bool isDefault = type != nullptr && field.value == field.info->defaultValue;
                editor->setOrigin(field.overridden ? FieldOrigin::Overridden
                                  : isDefault      ? FieldOrigin::Default
                                                   : FieldOrigin::Inherited);
            }
            const std::size_t index = state ? i - component.settings.size() : i;
            const std::vector<bool>* differ = all == nullptr ? nullptr : state ? &all->stateDiffers : &all->settingsDiffer;
            if (differ == nullptr || index >= differ->size() || !(*differ)[index])
                editor->setValue(field.value);
            else if (!editor->isMixed() && !editor->isEditing())
                editor->setMixed(true);
        }
    }
}

FieldSources InspectorPanel::sources() const {
    FieldSources out;
    out.entityNames = [this] {
        QStringList names;
        for (const EntityRow& row : m_feed.frame().entities->rows)
            names.append(QString::fromStdString(row.name));
        return names;
    };
    out.entityTypes = [this] {
        QStringList names;
        if (m_project.content())
            for (const std::string& name : m_project.content()->definitions->names())
                names.append(QString::fromStdString(name));
        return names;
    };
    out.messageTypes = [] {
        QStringList names;
        for (const MessageType* type : sbx::messageTypes())
            names.append(QString::fromStdString(type->name));
        return names;
    };
    out.entityName = [this](EntityId id) {
        const EntityRow* row = m_feed.frame().entities->find(id);
        return row == nullptr ? QString() : QString::fromStdString(row->name);
    };
    out.entityByName = [this](const QString& name) {
        const EntityRow* row = m_feed.frame().entities->find(name.toStdString());
        return row == nullptr ? EntityId{} : row->id;
    };
    out.assetFolder = m_document.folder();
    return out;
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
