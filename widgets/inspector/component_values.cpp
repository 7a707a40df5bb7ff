// Values of the clipboard in components that entities have: in their types, in the scene, or in the running world.

#include <QCoreApplication>

#include "engine/definition/batch_edit.h"
#include "engine/definition/text_edit.h"
#include "engine/simulation/content.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/type_text.h"
#include "widgets/inspector/component_edits.h"

#include <algorithm>

namespace sbx::ui {

namespace {

QString translatedValues(const char* text) { return QCoreApplication::translate("ComponentEdits", text); }

// Of the components of the clip those that an entity of the type has once; the outcome says why the others are left out.
std::vector<const ClippedComponent*> fittingParts(const ComponentClip& clip, const definition::EntityTypeDefinition* type,
                                                  std::size_t entities, ComponentOutcome& outcome) {
    std::vector<const ClippedComponent*> out;
    for (const ClippedComponent& each : clip.components) {
        const std::string& name = each.type->name;
        const auto count = type == nullptr ? 0
                                           : std::count_if(type->components.begin(), type->components.end(),
                                                           [&](const definition::ComponentDefinition& has) { return has.name == name; });
        if (count == 1)
            out.push_back(&each);
        else
            outcome.skip((count == 0 ? translatedValues("has no %1") : translatedValues("has several %1")).arg(QString::fromStdString(name)),
                         entities);
    }
    return out;
}

const Value& saidBy(const definition::ComponentDefinition& component, const FieldInfo& field) {
    const definition::Setting* setting = component.find(field.name);
    return setting == nullptr ? field.defaultValue : setting->value;
}

Error nothingFits(const ComponentOutcome& outcome) {
    QStringList reasons;
    for (const auto& [reason, count] : outcome.skipped)
        reasons.append(translatedValues("%1 of them: %2").arg(count).arg(reason));
    return Error{"no values were pasted; " + reasons.join(QStringLiteral("; ")).toStdString(), {}, {}};
}

} // namespace

Result<ComponentOutcome> ComponentEdits::pasteValues(const ComponentTargets& targets, const ComponentClip& clip, ComponentScope scope) {
    if (scope == ComponentScope::AllOfType)
        return valuesInTypes(targets, clip);
    if (m_feed.mode() == Mode::Edit)
        return valuesInScene(targets, clip);
    struct Change {
        std::string component;
        std::string field;
        Value value;
    };
    std::vector<Change> changes;
    for (const ClippedComponent& each : clip.components)
        for (const ClippedComponent::Setting& setting : each.settings)
            changes.push_back({each.type->name, setting.field->name, setting.value});
    ComponentOutcome outcome;
    std::vector<std::string> entities;
    for (const ComponentTarget& target : targets) {
        const EntityRow* row = target.entities.empty() ? nullptr : m_feed.frame().entities->find(target.entities.front());
        const auto has = [&](const ClippedComponent& each) {
            return row != nullptr && row->entityType != nullptr
                   && std::any_of(row->entityType->layout().begin(), row->entityType->layout().end(),
                                  [&](const EntityType::Slot& slot) { return slot.type == each.type; });
        };
        if (std::any_of(clip.components.begin(), clip.components.end(), has)) {
            entities.insert(entities.end(), target.entities.begin(), target.entities.end());
            outcome.changed += target.entities.size();
        } else {
            outcome.skip(translatedValues("has none of the components"), target.entities.size());
        }
    }
    if (entities.empty())
        return nothingFits(outcome);
    m_feed.post([entities = std::move(entities), changes = std::move(changes)](Session& session) {
        World& world = session.world();
        for (const std::string& name : entities) {
            const Entity entity = world.find(name);
            if (!entity)
                continue; // gone meanwhile
            for (const Change& change : changes)
                if (entity.component(change.component).type != nullptr)
                    if (const Result<void> set = world.setField(entity.id(), change.component, change.field, change.value); !set)
                        session.log().error("inspector", set.error().message);
        }
    });
    return outcome;
}

Result<ComponentOutcome> ComponentEdits::valuesInTypes(const ComponentTargets& asked, const ComponentClip& clip) {
    ComponentOutcome outcome;
    const Result<ComponentTargets> targets = present(asked, outcome);
    if (!targets)
        return targets.error();
    const Content& content = *m_project.content();
    EditsByFile edits;
    ComponentTargets changed;
    for (const ComponentTarget& target : *targets) {
        const definition::EntityTypeDefinition* type = content.definitions->find(target.type);
        const auto parts = fittingParts(clip, type, target.entities.size(), outcome);
        if (parts.empty())
            continue;
        changed.push_back(target);
        const Result<void> done = changeType(edits, target.type, [&](const std::string& text, const std::string& name) {
            Result<definition::TextEdits> sum = definition::TextEdits{};
            for (const ClippedComponent* part : parts)
                for (const ClippedComponent::Setting& setting : part->settings)
                    if (!setting.equals(saidBy(*type->find(part->type->name), *setting.field)))
                        sum = thenEdit(text, std::move(sum), [&](const std::string& between) {
                            return definition::setDefinitionValue(between, name, part->type->name, setting.field->name,
                                                                  setting.field->formatToml(setting.value));
                        });
            return sum;
        });
        if (!done)
            return done.error();
    }
    if (changed.empty())
        return nothingFits(outcome);
    outcome.changed = usedBy(changed);
    if (Result<void> done = pushEdits(std::move(edits), translatedValues("Paste values into all of %1")
                                                            .arg(changed.size() == 1 ? QString::fromStdString(changed.front().type)
                                                                                     : translatedValues("%1 types").arg(changed.size())));
        !done)
        return done.error();
    return outcome;
}

Result<ComponentOutcome> ComponentEdits::valuesInScene(const ComponentTargets& asked, const ComponentClip& clip) {
    ComponentOutcome outcome;
    const Result<ComponentTargets> targets = present(asked, outcome);
    if (!targets)
        return targets.error();
    const Content& content = *m_project.content();
    std::vector<definition::InstanceSettings> settings;
    // What would be the same as the type says is no override: by component and key, the entities that have one.
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> freed;
    for (const ComponentTarget& target : *targets) {
        const definition::EntityTypeDefinition* type = content.definitions->find(target.type);
        const auto parts = fittingParts(clip, type, target.entities.size(), outcome);
        if (parts.empty())
            continue;
        outcome.changed += target.entities.size();
        std::vector<std::vector<bool>> asSaid; // by part and setting: the type says the same
        for (const ClippedComponent* part : parts) {
            std::vector<bool>& of = asSaid.emplace_back();
            for (const ClippedComponent::Setting& setting : part->settings)
                of.push_back(setting.equals(saidBy(*type->find(part->type->name), *setting.field)));
        }
        for (const std::string& name : target.entities) {
            const definition::InstanceDefinition* instance = content.scene.find(name);
            for (std::size_t p = 0; p < parts.size(); ++p) {
                const ClippedComponent* part = parts[p];
                const std::string& component = part->type->name;
                const definition::ComponentDefinition* own = nullptr;
                for (const definition::ComponentDefinition& each : instance->overrides)
                    if (each.name == component)
                        own = &each;
                definition::InstanceSettings to{name, component, {}};
                for (std::size_t i = 0; i < part->settings.size(); ++i) {
                    const ClippedComponent::Setting& setting = part->settings[i];
                    const definition::Setting* has = own == nullptr ? nullptr : own->find(setting.field->name);
                    if (asSaid[p][i]) {
                        if (has != nullptr)
                            freed[{component, setting.field->name}].push_back(name);
                    } else if (has == nullptr || !setting.equals(has->value)) {
                        to.values.emplace_back(setting.field->name, setting.field->formatToml(setting.value));
                    }
                }
                if (!to.values.empty())
                    settings.push_back(std::move(to));
            }
        }
    }
    if (outcome.changed == 0)
        return nothingFits(outcome);
    const std::string scene = m_document.file(FileRole::Scene);
    const std::string& text = m_document.text(scene);
    Result<definition::TextEdits> edits = definition::setSceneSettings(text, settings);
    for (const auto& [key, entities] : freed)
        edits = thenEdit(text, std::move(edits), [&](const std::string& between) {
            return definition::removeSceneValues(between, entities, key.first, key.second);
        });
    if (!edits)
        return edits.error();
    EditsByFile all;
    all[scene] = std::move(*edits);
    if (Result<void> done = pushEdits(std::move(all), outcome.changed == 1
                                                          ? translatedValues("Paste values into %1").arg(QString::fromStdString(asked.front().entities.front()))
                                                          : translatedValues("Paste values into %1 entities").arg(outcome.changed));
        !done)
        return done.error();
    return outcome;
}

} // namespace sbx::ui
