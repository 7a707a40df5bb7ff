#include "widgets/inspector/entity_edits.h"

#include <QCoreApplication>

#include "engine/core/component_name.h"
#include "engine/definition/batch_edit.h"
#include "engine/simulation/content.h"
#include "widgets/common/document.h"
#include "widgets/common/entity_names.h"
#include "widgets/common/project_model.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/type_text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sbx::ui {

namespace {
QString tr(const char* text) { return QCoreApplication::translate("EntityEdits", text); }

// Whether the new value does not depend on the one before.
bool isWhole(const FieldChange& change) { return change.kind == FieldChange::Kind::Set && change.element < 0; }

Error ofEntity(const std::string& entity, const Error& error) { return Error{entity + ": " + error.message, {}, {}}; }

// A field of an entity in a running world; nothing if it has none.
struct LivingField {
    const FieldInfo* info = nullptr;
    Value value;
};
std::optional<LivingField> livingField(const Entity& entity, const std::string& component, const std::string& field) {
    const Entity::ComponentRef ref = entity.component(component);
    if (ref.type == nullptr)
        return std::nullopt;
    if (const FieldInfo* setting = ref.type->settings->find(field))
        return LivingField{setting, setting->read(ref.type->settingsOf(ref.component))};
    const FieldInfo* state = ref.type->stateOf != nullptr ? ref.type->state->find(field) : nullptr;
    if (state == nullptr)
        return std::nullopt;
    return LivingField{state, state->read(ref.type->stateOf(ref.component))};
}

} // namespace

bool EntityEdits::playing() const { return m_feed.mode() != Mode::Edit; }

bool EntityEdits::inScene(const std::string& entity) const {
    const EntityRow* row = m_feed.frame().entities->find(entity);
    return row != nullptr && row->fromScene;
}

QString EntityEdits::settingLock(const std::string& entity, const std::string& component) const {
    if (playing())
        return {};
    if (!inScene(entity))
        return tr("Not an instance of the scene file: nothing to write to.");
    // The first of several is no better off: a scene has one [entity.Mesh], which could mean any of them.
    const EntityType& type = *m_feed.frame().entities->find(entity)->entityType;
    const ComponentName name = parseComponentName(component);
    const auto same =
        std::count_if(type.layout().begin(), type.layout().end(),
                      [&](const EntityType::Slot& slot) { return slot.type->name == name.type; });
    if (name.number != 1 || same > 1)
        return tr("There are several components of this kind, which a scene cannot tell apart; change them for all of the type.");
    return {};
}

QString EntityEdits::stateLock() const {
    return playing() ? QString() : tr("Live values can be changed while the world runs.");
}

QString EntityEdits::placeLock(const std::string& entity) const {
    return playing() || inScene(entity) ? QString() : tr("Not an instance of the scene file.");
}

Result<void> EntityEdits::editScene(const QString& label, const QString& mergeKey, bool committed,
                                    const SceneEdit& edit) {
    const std::string file = m_document.file(FileRole::Scene);
    if (file.empty())
        return Error{"no scene is open", {}, {}};
    Result<definition::TextEdits> edits = edit(m_document.text(file));
    if (!edits) {
        if (committed) {
            m_drag.end();
            m_starts.reset();
        }
        return edits.error();
    }
    if (!committed)
        m_drag.begin();
    const Result<void> done = m_document.edit({file, std::move(*edits), label, mergeKey});
    if (committed) {
        m_drag.end();
        m_starts.reset();
    }
    return done;
}

void EntityEdits::forgetDrag() { m_starts.reset(); }

Result<void> EntityEdits::change(const std::vector<std::string>& entities, const std::string& component, const FieldInfo& field,
                                 const FieldChange& change, bool committed) {
    if (entities.empty())
        return {};
    if (playing()) {
        changeInWorld(entities, component, field, change, committed);
        return {};
    }
    // An operation that is typed is refused where its result is out of range; a drag stops there.
    const bool bounded = !committed || m_drag.isHeld();
    if (!m_drag.isHeld())
        m_starts.reset();
    const QString name = QString::fromStdString(component.empty() ? field.name : component + "." + field.name);
    return editScene(tr("Set %1 of %2").arg(QString::fromStdString(field.name), entitiesText(entities)),
                     QStringLiteral("inspector.%1.%2").arg(name, entitiesText(entities)), committed, [&](std::string_view scene) {
                         return editsFor(scene, entities, component, field, change, bounded);
                     });
}

Result<definition::TextEdits> EntityEdits::editsFor(std::string_view scene, const std::vector<std::string>& entities,
                                                    const std::string& component, const FieldInfo& field, const FieldChange& change,
                                                    bool bounded) {
    const bool place = component.empty();
    if (isWhole(change) && !place)
        return definition::setSceneValues(scene, entities, component, field.name, field.formatToml(change.value));
    std::vector<Value> after;
    if (isWhole(change)) {
        after.assign(entities.size(), change.value);
    } else {
        if (m_starts == nullptr || m_starts->size() != entities.size()) {
            Result<std::vector<Value>> values = valuesOf(entities, component, field);
            // In a project with a fault the shown value of a single entity is as good as what was read last.
            if (!values && entities.size() == 1 && change.kind == FieldChange::Kind::Set)
                values = std::vector<Value>{change.value};
            if (!values)
                return values.error();
            m_starts = std::make_shared<std::vector<Value>>(std::move(*values));
        }
        for (std::size_t i = 0; i < entities.size(); ++i) {
            Result<Value> changed = changedValue(field, (*m_starts)[i], change, bounded);
            if (!changed)
                return ofEntity(entities[i], changed.error());
            after.push_back(std::move(*changed));
        }
    }
    if (!place) {
        std::vector<definition::InstanceValue> values;
        for (std::size_t i = 0; i < entities.size(); ++i)
            values.push_back({entities[i], field.formatToml(after[i])});
        return definition::setSceneValues(scene, values, component, field.name);
    }
    std::vector<definition::InstancePlace> places;
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const Vec3 value = std::get<Vec3>(after[i]);
        definition::InstancePlace& to = places.emplace_back();
        to.name = entities[i];
        (field.name == "position" ? to.position : field.name == "rotation" ? to.rotation : to.scale) = value;
    }
    return definition::setInstancePlaces(scene, places);
}

Result<std::vector<Value>> EntityEdits::valuesOf(const std::vector<std::string>& entities, const std::string& component,
                                                 const FieldInfo& field) const {
    std::vector<Value> out;
    out.reserve(entities.size());
    if (component.empty()) {
        const definition::PlaceIndex* places = m_document.places();
        for (const std::string& entity : entities) {
            const auto at = places == nullptr ? std::nullopt : places->find(entity);
            if (!at)
                return Error{"the scene has no entity " + entity, {}, {}};
            const definition::PlacedInstance& instance = places->instances()[*at];
            out.emplace_back(field.name == "position"   ? instance.position
                             : field.name == "rotation" ? instance.rotation
                                                        : instance.scale);
        }
        return out;
    }
    m_project.refresh();
    const auto& content = m_project.content();
    if (!content || !m_project.isCurrent())
        return Error{"the project has a fault, so that what each entity has is not known; mend what the Problems panel lists", {}, {}};
    for (const std::string& entity : entities) {
        const definition::InstanceDefinition* instance = content->scene.find(entity);
        const definition::EntityTypeDefinition* type = instance == nullptr ? nullptr : content->definitions->find(instance->type);
        if (type == nullptr)
            return Error{"the scene has no entity " + entity, {}, {}};
        const definition::Setting* setting = nullptr;
        for (const definition::ComponentDefinition& own : instance->overrides)
            if (own.name == component)
                setting = own.find(field.name);
        if (const definition::ComponentDefinition* of = setting == nullptr ? type->find(component) : nullptr)
            setting = of->find(field.name);
        out.push_back(setting == nullptr ? field.defaultValue : setting->value);
    }
    return out;
}

void EntityEdits::changeInWorld(const std::vector<std::string>& entities, const std::string& component, const FieldInfo& field,
                                const FieldChange& change, bool committed) {
    // Read at the first change of a drag.
    if (m_starts == nullptr)
        m_starts = std::make_shared<std::vector<Value>>();
    m_feed.post([entities, component, name = field.name, change, committed, starts = m_starts](Session& session) {
        World& world = session.world();
        const FieldInfo* const key = component.empty() ? definition::instanceKeys().find(name) : nullptr;
        const bool first = starts->empty();
        for (std::size_t i = 0; i < entities.size(); ++i) {
            const Entity entity = world.find(entities[i]);
            std::optional<LivingField> now;
            if (entity && key != nullptr)
                now = LivingField{key, localPlace(entity, name)};
            else if (entity)
                now = livingField(entity, component, name);
            if (first)
                starts->push_back(now ? now->value : Value());
            if (!now || i >= starts->size() || (*starts)[i].index() != now->value.index())
                continue; // gone, or come back as something else
            // One number of several is set among the others as they are now.
            const Value& before = change.kind == FieldChange::Kind::Set ? now->value : (*starts)[i];
            const Result<Value> after = isWhole(change) ? now->info->check(change.value)
                                                        : changedValue(*now->info, before, change, !committed);
            if (!after) {
                session.log().error("inspector", entities[i] + ": " + after.error().message);
                continue;
            }
            const Value was = now->value;
            const Pose stood = entity.local();
            const bool isState = key == nullptr && entity.component(component).type->state->find(name) == now->info;
            const EntityId id = entity.id();
            if (key != nullptr) {
                if (name != "scale") // bodies are made in their size
                    setLocalPlace(world, entity, name, std::get<Vec3>(*after));
            } else if (const Result<void> set = world.setField(id, component, name, *after); !set) {
                session.log().error("inspector", set.error().message);
                continue;
            }
            const Entity changed = world.find(id); // handlers may have removed it
            if (!changed)
                continue;
            session.liveEdits().note(changed, component, *now->info, was, *after);
            if (isState) // the world's own, but for a place that it is set to: "Live" position of a body
                session.liveEdits().notePlace(changed, stood, changed.local());
        }
    });
    if (committed)
        m_starts.reset();
}

Result<void> EntityEdits::revertField(const std::vector<std::string>& entities, const std::string& component,
                                      const FieldInfo& field) {
    if (playing()) {
        m_feed.post([entities, component, name = field.name](Session& session) {
            for (const std::string& entity : entities)
                session.liveEdits().takeBack(session.world(), entity, component, name);
        });
        return {};
    }
    return editScene(tr("Revert %1 of %2").arg(QString::fromStdString(field.name), entitiesText(entities)), {}, true,
                     [&](std::string_view scene) {
                         return definition::removeSceneValues(scene, entities, component, field.name);
                     });
}

bool EntityEdits::isLive(const std::vector<std::string>& entities, const std::string& component, const FieldInfo& field) const {
    const auto& edits = m_feed.frame().liveEdits;
    return playing() && edits != nullptr && !edits->empty() && std::any_of(entities.begin(), entities.end(), [&](const std::string& entity) {
               return LiveEdits::find(*edits, entity, component, field.name) != nullptr;
           });
}

Result<void> EntityEdits::revertComponents(const std::vector<std::string>& entities, const std::vector<std::string>& components) {
    if (playing())
        return Error{"overrides can be reverted when the world is stopped", {}, {}};
    return editScene(tr("Revert overrides of %1").arg(entitiesText(entities)), {}, true, [&](std::string_view scene) {
        Result<definition::TextEdits> edits = definition::TextEdits{};
        for (const std::string& component : components)
            edits = thenEdit(scene, std::move(edits), [&](const std::string& between) {
                return definition::removeSceneComponents(between, entities, component);
            });
        return edits;
    });
}

Result<void> EntityEdits::writeValues(const std::vector<std::string>& entities, const std::vector<std::string>& components) {
    if (playing())
        return Error{"values can be written into the scene when the world is stopped", {}, {}};
    const definition::Schema& schema = m_feed.session().catalog().schema;
    return editScene(tr("Write all values of %1").arg(entitiesText(entities)), {}, true, [&](std::string_view scene) {
        Result<definition::TextEdits> edits = definition::TextEdits{};
        for (const std::string& component : components) {
            const definition::ComponentSchema* known = schema.find(component);
            const bool locked = std::any_of(entities.begin(), entities.end(), [&](const std::string& entity) {
                return !settingLock(entity, component).isEmpty();
            });
            if (locked || known == nullptr || known->settings == nullptr)
                continue; // one of several of a kind, which a scene cannot name
            for (const FieldInfo& field : known->settings->fields()) {
                Result<std::vector<Value>> now = valuesOf(entities, component, field);
                if (!now)
                    return Result<definition::TextEdits>(now.error());
                std::vector<definition::InstanceValue> values;
                for (std::size_t i = 0; i < entities.size(); ++i)
                    if (const auto* text = std::get_if<std::string>(&(*now)[i]); text == nullptr || !text->empty())
                        values.push_back({entities[i], field.formatToml((*now)[i])});
                if (!values.empty())
                    edits = thenEdit(scene, std::move(edits), [&](const std::string& between) {
                        return definition::setSceneValues(between, values, component, field.name);
                    });
            }
        }
        return edits;
    });
}

Result<void> EntityEdits::rename(const std::string& entity, const std::string& name) {
    if (playing())
        return Error{"an instance can be renamed when the world is stopped", {}, {}};
    const definition::Schema& schema = m_feed.session().catalog().schema;
    const std::string scene = m_document.file(FileRole::Scene);
    if (scene.empty())
        return Error{"no scene is open", {}, {}};
    Result<definition::TextEdits> renamed =
        definition::renameInstance(m_document.text(scene), entity, name, &schema);
    if (!renamed)
        return renamed.error();
    std::vector<FileEdit> edits{{scene, std::move(*renamed)}};
    for (const DocumentFile& file : m_document.files())
        if (file.role == FileRole::Definitions)
            if (definition::TextEdits found =
                    definition::renameInDefinitions(m_document.text(file.file), entity, name, schema);
                !found.empty())
                edits.push_back({file.file, std::move(found)});
    return m_document.edit(
        std::move(edits),
        tr("Rename %1 to %2").arg(QString::fromStdString(entity), QString::fromStdString(name)));
}

} // namespace sbx::ui
