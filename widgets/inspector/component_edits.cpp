#include "widgets/inspector/component_edits.h"

#include <QCoreApplication>

#include "engine/definition/batch_edit.h"
#include "engine/definition/text_edit.h"
#include "engine/session/built_in_types.h"
#include "engine/session/catalog.h"
#include "engine/session/content.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/type_text.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

QString translated(const char* text) { return QCoreApplication::translate("ComponentEdits", text); }

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

} // namespace

std::vector<ComponentChoice> ComponentEdits::choices(const std::string& type) const {
    std::vector<ComponentChoice> out;
    const auto& content = m_project.content();
    const definition::EntityTypeDefinition* has = content ? content->definitions->find(type) : nullptr;
    if (has == nullptr || content->catalog == nullptr)
        return out;
    for (const ComponentType* each : content->catalog->components) {
        ComponentChoice choice{QString::fromStdString(each->name), QString::fromStdString(each->category),
                               QString::fromStdString(each->doc), {}};
        for (const definition::ComponentDefinition& present : has->components) {
            const ComponentType* other = content->catalog->find(present.name);
            if (present.name == each->name)
                choice.reason = translated("%1 has it already").arg(QString::fromStdString(type));
            else if (other != nullptr && (each->excludes(*other) || other->excludes(*each)))
                choice.reason = translated("cannot stand beside %1").arg(QString::fromStdString(present.name));
            if (!choice.reason.isEmpty())
                break;
        }
        out.push_back(std::move(choice));
    }
    return out;
}

std::size_t ComponentEdits::usedBy(const std::string& type) const { return instancesOf(m_project, {type}); }

definition::Definitions ComponentEdits::definitionsWith(const std::string& file, const std::string& text) const {
    std::vector<definition::SourceFile> files;
    for (const DocumentFile& each : m_document.files())
        if (each.role == FileRole::Definitions)
            files.push_back({each.file, each.file == file ? text : m_document.text(each.file)});
    files.push_back(builtInTypes());
    Diagnostics faults; // what is wrong with them is told elsewhere
    return definition::Definitions::load(files, m_project.content()->catalog->schema, faults);
}

Result<void> ComponentEdits::add(const std::string& entity, const std::string& type, const std::string& component,
                                 ComponentScope scope) {
    const Result<TypeText> where = typeText(m_document, m_project, type);
    if (!where)
        return where.error();
    const std::string& file = where->file;
    const std::string& text = m_document.text(file);
    const QString label = translated("Add %1 to %2")
                              .arg(QString::fromStdString(component), QString::fromStdString(scope == ComponentScope::AllOfType ? type : entity));
    if (scope == ComponentScope::AllOfType) {
        Result<definition::TextEdits> edits =
            thenEdit(text, declareType(text, type, *where), [&](const std::string& declared) -> Result<definition::TextEdits> {
                Result<definition::TextEdits> added = definition::addComponent(declared, type, component);
                // It stands there, and is switched off: on again.
                if (!added)
                    if (Result<definition::TextEdits> on = definition::removeDefinitionValue(declared, type, component, "enabled");
                        on && !on->empty())
                        return on;
                return added;
            });
        if (!edits)
            return edits.error();
        return m_document.edit({file, std::move(*edits), label, {}});
    }
    const std::string name = freeTypeName(m_project, type);
    Result<definition::TextEdits> edits = thenEdit(text, definition::addType(text, name, type), [&](const std::string& between) {
        return definition::addComponent(between, name, component);
    });
    if (!edits)
        return edits.error();
    const std::string scene = m_document.file(FileRole::Scene);
    Result<definition::TextEdits> retyped = definition::setInstanceKey(m_document.text(scene), entity, "type", quoted(name));
    if (!retyped)
        return retyped.error();
    return m_document.edit({{file, std::move(*edits)}, {scene, std::move(*retyped)}}, label);
}

Result<void> ComponentEdits::remove(const std::string& entity, const std::string& type, const std::string& component,
                                    ComponentScope scope) {
    const Result<TypeText> where = typeText(m_document, m_project, type);
    if (!where)
        return where.error();
    const std::string& file = where->file;
    const definition::EntityTypeDefinition& before = *m_project.content()->definitions->find(type);
    const definition::ComponentDefinition* present = before.find(component);
    if (present == nullptr)
        return Error{type + " has no component " + component, {}, {}};
    const std::string& text = m_document.text(file);
    const std::string scene = m_document.file(FileRole::Scene);
    const std::string& sceneText = m_document.text(scene);
    const QString label = translated("Remove %1 from %2")
                              .arg(QString::fromStdString(component), QString::fromStdString(scope == ComponentScope::AllOfType ? type : entity));
    if (scope == ComponentScope::OneEntity) {
        const std::string name = freeTypeName(m_project, type);
        Result<definition::TextEdits> edits = thenEdit(text, definition::addType(text, name, type), [&](const std::string& between) {
            return definition::setDefinitionValue(between, name, component, "enabled", "false");
        });
        if (!edits)
            return edits.error();
        Result<definition::TextEdits> retyped =
            thenEdit(sceneText, definition::setInstanceKey(sceneText, entity, "type", quoted(name)),
                     [&](const std::string& between) { return definition::removeSceneComponents(between, {entity}, component); });
        if (!retyped)
            return retyped.error();
        return m_document.edit({{file, std::move(*edits)}, {scene, std::move(*retyped)}}, label);
    }
    Result<definition::TextEdits> edits = thenEdit(text, declareType(text, type, *where), [&](const std::string& declared) {
        return definition::removeComponent(declared, type, component, present->owner != type);
    });
    if (!edits)
        return edits.error();
    const Result<std::string> after = definition::applyEdits(text, *edits);
    if (!after)
        return after.error();
    // A type that extends this one may have the component by itself: its entities keep what they override.
    const definition::Definitions definitions = definitionsWith(file, *after);
    std::vector<std::string> losing;
    for (const definition::InstanceDefinition& instance : m_project.content()->scene.instances()) {
        const definition::EntityTypeDefinition* now = definitions.find(instance.type);
        const bool overrides = std::any_of(instance.overrides.begin(), instance.overrides.end(),
                                           [&](const definition::ComponentDefinition& each) { return each.name == component; });
        if (overrides && now != nullptr && now->find(component) == nullptr)
            losing.push_back(instance.name);
    }
    Result<definition::TextEdits> freed = definition::removeSceneComponents(sceneText, losing, component);
    if (!freed)
        return freed.error();
    std::vector<FileEdit> all{{file, std::move(*edits)}};
    if (!freed->empty())
        all.push_back({scene, std::move(*freed)});
    return m_document.edit(std::move(all), label);
}

} // namespace sbx::ui
