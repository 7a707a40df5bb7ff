#include "widgets/inspector/component_edits.h"

#include <QCoreApplication>

#include "engine/definition/batch_edit.h"
#include "engine/definition/component_moves.h"
#include "engine/definition/text_edit.h"
#include "engine/simulation/built_in_types.h"
#include "engine/simulation/catalog.h"
#include "engine/simulation/content.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/type_text.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

namespace sbx::ui {

namespace {

QString translated(const char* text) { return QCoreApplication::translate("ComponentEdits", text); }

std::vector<std::string> typesOf(const ComponentTargets& targets) {
    std::vector<std::string> out;
    for (const ComponentTarget& target : targets)
        out.push_back(target.type);
    return out;
}

// "a", or "9 entities"; for all of the types "Crate", or "2 types".
QString subjectOf(const ComponentTargets& targets, ComponentScope scope) {
    if (scope == ComponentScope::AllOfType)
        return targets.size() == 1 ? QString::fromStdString(targets.front().type) : translated("%1 types").arg(targets.size());
    return countOf(targets) == 1 ? QString::fromStdString(targets.front().entities.front())
                                 : translated("%1 entities").arg(countOf(targets));
}

QString namesOf(const ComponentClip& clip) {
    QStringList names;
    for (const ClippedComponent& each : clip.components)
        names.append(QString::fromStdString(each.type->name));
    return names.size() > 3 ? translated("%1 components").arg(names.size()) : names.join(QStringLiteral(", "));
}

} // namespace

std::size_t countOf(const ComponentTargets& targets) {
    std::size_t count = 0;
    for (const ComponentTarget& target : targets)
        count += target.entities.size();
    return count;
}

void ComponentOutcome::skip(const QString& why, std::size_t entities) {
    for (auto& [reason, count] : skipped)
        if (reason == why) {
            count += entities;
            return;
        }
    skipped.emplace_back(why, entities);
}

QString ComponentOutcome::text(const QString& done) const {
    QStringList parts{changed == 1 ? translated("%1 1 entity").arg(done) : translated("%1 %2 entities").arg(done).arg(changed)};
    for (const auto& [reason, count] : skipped)
        parts.append(translated("%1 skipped: %2").arg(count).arg(reason));
    QString all = parts.join(QStringLiteral("; ")) + QLatin1Char('.');
    if (types.empty())
        return all;
    QStringList made;
    for (const auto& [name, base] : types)
        made.append(translated("%1 (extends %2)").arg(QString::fromStdString(name), QString::fromStdString(base)));
    return all + QLatin1Char(' ')
           + (changed == 1          ? translated("Its type is now %1.")
              : types.size() == 1 ? translated("Their type is now %1.")
                                  : translated("Their types are now %1."))
                 .arg(made.join(QStringLiteral(", ")));
}

std::vector<ComponentChoice> ComponentEdits::choices(const ComponentTargets& targets) const {
    return componentChoices(m_project, typesOf(targets));
}

std::size_t ComponentEdits::usedBy(const std::string& type) const { return instancesOf(m_project, {type}); }

std::size_t ComponentEdits::usedBy(const ComponentTargets& targets) const { return instancesOf(m_project, typesOf(targets)); }

definition::Definitions ComponentEdits::definitionsWith(const std::map<std::string, std::string>& texts) const {
    std::vector<definition::SourceFile> files;
    for (const DocumentFile& each : m_document.files())
        if (each.role == FileRole::Definitions) {
            const auto other = texts.find(each.file);
            files.push_back({each.file, other != texts.end() ? other->second : m_document.text(each.file)});
        }
    files.push_back(builtInTypes());
    Diagnostics faults; // the Problems panel lists what is wrong with them
    return definition::Definitions::load(files, m_project.content()->catalog->schema, faults);
}

Result<ComponentTargets> ComponentEdits::present(const ComponentTargets& targets, ComponentOutcome& outcome) {
    m_project.refresh();
    if (!m_project.content())
        return Error{"no project is open", {}, {}};
    const definition::Scene& scene = m_project.content()->scene;
    // By the type that each has now.
    std::map<std::string, std::vector<std::string>> now;
    std::vector<std::string> order;
    std::size_t gone = 0;
    for (const ComponentTarget& target : targets)
        for (const std::string& name : target.entities) {
            const definition::InstanceDefinition* instance = scene.find(name);
            if (instance == nullptr) {
                ++gone;
                continue;
            }
            std::vector<std::string>& list = now[instance->type];
            if (list.empty())
                order.push_back(instance->type);
            list.push_back(name);
        }
    if (gone > 0)
        outcome.skip(translated("no longer in the scene"), gone);
    if (order.empty())
        return Error{"none of the entities is in the scene file", {}, {}};
    ComponentTargets out;
    for (std::string& type : order)
        out.push_back({type, std::move(now[type])});
    return out;
}

Result<void> ComponentEdits::changeType(EditsByFile& edits, const std::string& type, const TypeChange& change) const {
    const Result<TypeText> where = typeText(m_document, m_project, type);
    if (!where)
        return where.error();
    definition::TextEdits& sum = edits[where->file];
    Result<definition::TextEdits> next = thenEdit(m_document.text(where->file), std::move(sum), [&](const std::string& before) {
        return thenEdit(before, declareType(before, type, *where),
                        [&](const std::string& declared) { return change(declared, type); });
    });
    if (!next)
        return next.error();
    sum = std::move(*next);
    return {};
}

Result<std::string> ComponentEdits::extendType(EditsByFile& edits, const std::string& type, const TypeChange& change) const {
    const Result<TypeText> where = typeText(m_document, m_project, type);
    if (!where)
        return where.error();
    const std::string name = freeTypeName(m_project, type);
    definition::TextEdits& sum = edits[where->file];
    Result<definition::TextEdits> next = thenEdit(m_document.text(where->file), std::move(sum), [&](const std::string& before) {
        return thenEdit(before, definition::addType(before, name, type),
                        [&](const std::string& declared) { return change(declared, name); });
    });
    if (!next)
        return next.error();
    sum = std::move(*next);
    return name;
}

Result<ComponentEdits::EditsByFile>
ComponentEdits::editsFor(const ComponentTargets& targets, ComponentScope scope, const std::string& without,
                         const std::function<TypeChange(const ComponentTarget& target)>& changeOf, ComponentOutcome& outcome) const {
    EditsByFile edits;
    std::vector<definition::InstanceType> retyped;
    std::vector<std::string> entities;
    for (const ComponentTarget& target : targets) {
        if (scope == ComponentScope::AllOfType) {
            if (const Result<void> changed = changeType(edits, target.type, changeOf(target)); !changed)
                return changed.error();
            continue;
        }
        const Result<std::string> name = extendType(edits, target.type, changeOf(target));
        if (!name)
            return name.error();
        outcome.types.emplace_back(*name, target.type);
        for (const std::string& entity : target.entities) {
            retyped.push_back({entity, *name});
            entities.push_back(entity);
        }
    }
    if (retyped.empty())
        return edits;
    const std::string scene = m_document.file(FileRole::Scene);
    const std::string& text = m_document.text(scene);
    Result<definition::TextEdits> sceneEdits = definition::setInstanceTypes(text, retyped);
    if (!without.empty())
        sceneEdits = thenEdit(text, std::move(sceneEdits), [&](const std::string& between) {
            return definition::removeSceneComponents(between, entities, without);
        });
    if (!sceneEdits)
        return sceneEdits.error();
    edits[scene] = std::move(*sceneEdits);
    return edits;
}

Result<void> ComponentEdits::pushEdits(EditsByFile edits, const QString& label) {
    std::vector<FileEdit> all;
    for (auto& [file, of] : edits)
        if (!of.empty())
            all.push_back({file, std::move(of)});
    if (all.empty())
        return {};
    return m_document.edit(std::move(all), label);
}

Result<ComponentOutcome> ComponentEdits::add(const ComponentTargets& targets, const std::string& component, ComponentScope scope) {
    const ComponentType* type = m_project.content() ? m_project.content()->catalog->find(component) : nullptr;
    if (type == nullptr)
        return Error{"there is no component " + component, {}, {}};
    ComponentClip clip;
    clip.components.push_back({type, {}});
    return pasteAs(targets, clip, scope, translated("Add"));
}

Result<ComponentOutcome> ComponentEdits::paste(const ComponentTargets& targets, const ComponentClip& clip, ComponentScope scope) {
    return pasteAs(targets, clip, scope, translated("Paste"));
}

Result<ComponentOutcome> ComponentEdits::pasteAs(const ComponentTargets& asked, const ComponentClip& clip, ComponentScope scope,
                                                 const QString& verb) {
    ComponentOutcome outcome;
    const Result<ComponentTargets> targets = present(asked, outcome);
    if (!targets)
        return targets.error();
    const Content& content = *m_project.content();
    ComponentTargets fitting;
    std::vector<std::vector<const ClippedComponent*>> parts; // of each of those
    for (const ComponentTarget& target : *targets) {
        const definition::EntityTypeDefinition* has = content.definitions->find(target.type);
        std::vector<const ClippedComponent*> add;
        for (const ClippedComponent& each : clip.components) {
            const QString reason = has == nullptr ? translated("their type has a fault") : reasonAgainstComponent(m_project, *has, *each.type);
            if (reason.isEmpty())
                add.push_back(&each);
            else if (clip.components.size() == 1)
                outcome.skip(reason, target.entities.size());
            else
                outcome.skip(QString::fromStdString(each.type->name) + QStringLiteral(": ") + reason, target.entities.size());
        }
        if (add.empty())
            continue;
        fitting.push_back(target);
        parts.push_back(std::move(add));
    }
    if (fitting.empty()) {
        QStringList reasons;
        for (const auto& skipped : outcome.skipped)
            reasons.append(skipped.first);
        return Error{(namesOf(clip) + QStringLiteral(": ") + reasons.join(QStringLiteral("; "))).toStdString(), {}, {}};
    }
    const auto changeOf = [&](const ComponentTarget& target) -> TypeChange {
        const auto& add = parts[static_cast<std::size_t>(&target - fitting.data())];
        return [&content, &add, &fitting, scope](const std::string& text, const std::string& type) -> Result<definition::TextEdits> {
            Result<definition::TextEdits> edits = definition::TextEdits{};
            for (const ClippedComponent* each : add) {
                const std::string& name = each->type->name;
                // What a base among the targets gets, the type has from there.
                const bool fromBase = scope == ComponentScope::AllOfType
                                      && std::any_of(fitting.begin(), fitting.end(), [&](const ComponentTarget& other) {
                                             return other.type != type && isOrExtends(*content.definitions, type, other.type);
                                         });
                if (fromBase)
                    continue;
                edits = thenEdit(text, std::move(edits), [&](const std::string& between) -> Result<definition::TextEdits> {
                    // It is in the text, but switched off: on again.
                    if (Result<definition::TextEdits> on = definition::removeDefinitionValue(between, type, name, "enabled");
                        on && !on->empty())
                        return on;
                    if (each->settings.empty())
                        return definition::addComponent(between, type, name);
                    return definition::pasteComponent(between, type, each->table(type), content.catalog->schema);
                });
            }
            return edits;
        };
    };
    Result<EditsByFile> edits = editsFor(fitting, scope, {}, changeOf, outcome);
    if (!edits)
        return edits.error();
    outcome.changed = scope == ComponentScope::AllOfType ? usedBy(fitting) : countOf(fitting);
    const QString label = QStringLiteral("%1 %2 %3 %4").arg(verb, namesOf(clip), translated("to"), subjectOf(fitting, scope));
    if (Result<void> done = pushEdits(std::move(*edits), label); !done)
        return done.error();
    return outcome;
}

Result<ComponentOutcome> ComponentEdits::remove(const ComponentTargets& asked, const std::string& component, ComponentScope scope) {
    ComponentOutcome outcome;
    const Result<ComponentTargets> targets = present(asked, outcome);
    if (!targets)
        return targets.error();
    const Content& content = *m_project.content();
    ComponentTargets having;
    for (const ComponentTarget& target : *targets) {
        const definition::EntityTypeDefinition* type = content.definitions->find(target.type);
        if (type == nullptr || type->find(component) == nullptr) {
            outcome.skip(translated("has no %1").arg(QString::fromStdString(component)), target.entities.size());
            continue;
        }
        // One of several that a base brings cannot be switched off by itself.
        const auto same = std::count_if(type->components.begin(), type->components.end(),
                                        [&](const definition::ComponentDefinition& own) { return own.name == component; });
        if (same > 1 && (scope == ComponentScope::OneEntity || type->find(component)->owner != target.type)) {
            outcome.skip(translated("has %1 several times; take one out where the definition has them").arg(QString::fromStdString(component)),
                         target.entities.size());
            continue;
        }
        having.push_back(target);
    }
    if (having.empty())
        return Error{"no " + component + " can be taken out: "
                         + (outcome.skipped.empty() ? std::string("nothing is selected") : outcome.skipped.front().first.toStdString()),
                     {},
                     {}};
    const auto changeOf = [&](const ComponentTarget& target) -> TypeChange {
        const std::string owner = content.definitions->find(target.type)->find(component)->owner;
        return [&having, owner, scope, component, original = target.type](const std::string& text,
                                                                         const std::string& type) -> Result<definition::TextEdits> {
            if (scope == ComponentScope::OneEntity)
                return definition::setDefinitionValue(text, type, component, "enabled", "false");
            // Taken out of a base among the targets, it is gone here too, but for what the type says of it itself.
            if (owner != original
                && std::any_of(having.begin(), having.end(), [&](const ComponentTarget& other) { return other.type == owner; })) {
                const std::vector<definition::ComponentPart> own = definition::componentsOf(text, type);
                if (std::none_of(own.begin(), own.end(),
                                 [&](const definition::ComponentPart& part) { return part.name == component; }))
                    return definition::TextEdits{};
                return definition::removeComponent(text, type, component, false);
            }
            return definition::removeComponent(text, type, component, owner != original);
        };
    };
    Result<EditsByFile> edits = editsFor(having, scope, component, changeOf, outcome);
    if (!edits)
        return edits.error();
    outcome.changed = scope == ComponentScope::AllOfType ? usedBy(having) : countOf(having);
    if (scope == ComponentScope::AllOfType) {
        std::map<std::string, std::string> texts;
        for (const auto& [file, of] : *edits) {
            Result<std::string> after = definition::applyEdits(m_document.text(file), of);
            if (!after)
                return after.error();
            texts.emplace(file, std::move(*after));
        }
        // A type that extends one of these may have the component by itself: its entities keep what they override.
        const definition::Definitions definitions = definitionsWith(texts);
        std::vector<std::string> losing;
        for (const definition::InstanceDefinition& instance : content.scene.instances()) {
            const bool overrides = std::any_of(instance.overrides.begin(), instance.overrides.end(),
                                               [&](const definition::ComponentDefinition& each) { return each.name == component; });
            const definition::EntityTypeDefinition* now = overrides ? definitions.find(instance.type) : nullptr;
            if (now != nullptr && now->find(component) == nullptr)
                losing.push_back(instance.name);
        }
        const std::string scene = m_document.file(FileRole::Scene);
        Result<definition::TextEdits> freed = definition::removeSceneComponents(m_document.text(scene), losing, component);
        if (!freed)
            return freed.error();
        (*edits)[scene] = std::move(*freed);
    }
    const QString label = translated("Remove %1 from %2").arg(QString::fromStdString(component), subjectOf(having, scope));
    if (Result<void> done = pushEdits(std::move(*edits), label); !done)
        return done.error();
    return outcome;
}

Result<void> ComponentEdits::move(const std::string& type, std::size_t from, std::size_t to) {
    m_project.refresh();
    const auto& content = m_project.content();
    const definition::EntityTypeDefinition* of = content ? content->definitions->find(type) : nullptr;
    if (of == nullptr)
        return Error{"there is no entity type " + type, {}, {}};
    if (from >= of->components.size() || to >= of->components.size())
        return Error{type + " has no such component", {}, {}};
    for (const std::size_t at : {from, to})
        if (of->components[at].owner != type)
            return Error{of->components[at].name + " comes from " + of->components[at].owner + ", and stands before what " + type
                             + " adds; its order is changed there",
                         {},
                         {}};
    // Several may have one name: the same number of it in the text.
    const auto placeIn = [&](const std::vector<definition::ComponentPart>& parts, std::size_t at) -> std::optional<std::size_t> {
        std::size_t number = 0;
        for (std::size_t i = 0; i < at; ++i)
            number += of->components[i].owner == type && of->components[i].name == of->components[at].name ? 1U : 0U;
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (parts[i].name == of->components[at].name && number-- == 0)
                return i;
        return std::nullopt;
    };
    EditsByFile edits;
    const Result<void> changed =
        changeType(edits, type, [&](const std::string& text, const std::string& name) -> Result<definition::TextEdits> {
            const std::vector<definition::ComponentPart> parts = definition::componentsOf(text, name);
            const auto source = placeIn(parts, from);
            const auto place = placeIn(parts, to);
            if (!source || !place)
                return Error{"the text of " + name + " has changed; try again", {}, {}};
            return definition::moveComponent(text, name, *source, *place);
        });
    if (!changed)
        return changed;
    return pushEdits(std::move(edits), translated("Move %1 of %2").arg(QString::fromStdString(of->components[from].name),
                                                                       QString::fromStdString(type)));
}

} // namespace sbx::ui
