#include "widgets/inspector/type_edits.h"

#include <QCoreApplication>

#include "engine/core/component_name.h"
#include "engine/definition/repeated_components.h"
#include "engine/definition/text_edit.h"
#include "engine/simulation/built_in_types.h"
#include "engine/simulation/catalog.h"
#include "engine/simulation/content.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/type_text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace sbx::ui {

namespace {

QString translatedEdit(const char* text) { return QCoreApplication::translate("TypeEdits", text); }

QString subjectOf(const std::vector<std::string>& types) {
    return types.size() == 1 ? translatedEdit("all of %1").arg(QString::fromStdString(types.front()))
                             : translatedEdit("all of %1 types").arg(types.size());
}

// An error: what would be wrong with the definitions after the edits of that file, which are right now.
Result<void> staysValid(const Document& document, const ProjectModel& project, const std::string& file,
                        const definition::TextEdits& edits) {
    std::vector<definition::SourceFile> files;
    for (const DocumentFile& each : document.files())
        if (each.role == FileRole::Definitions) {
            Result<std::string> text = each.file == file ? definition::applyEdits(document.text(file), edits)
                                                         : Result<std::string>(document.text(each.file));
            if (!text)
                return text.error();
            files.push_back({each.file, std::move(*text)});
        }
    files.push_back(builtInTypes());
    Diagnostics faults;
    static_cast<void>(definition::Definitions::load(files, project.content()->catalog->schema, faults));
    for (const Diagnostic& fault : faults.items)
        if (fault.severity == Severity::Error)
            return Error{"the definitions would not be right then: " + fault.message(), {}, {}};
    return {};
}

} // namespace

const definition::InstanceDefinition* TypeEdits::instance(const std::string& entity) const {
    return m_project.content() ? m_project.content()->scene.find(entity) : nullptr;
}

QString TypeEdits::settingLock(const std::string& type, const std::string& component) const {
    const auto& content = m_project.content();
    const definition::EntityTypeDefinition* found = content ? content->definitions->find(type) : nullptr;
    if (found == nullptr)
        return translatedEdit("There is no such entity type.");
    const Part of = part(type, component);
    if (of.component == nullptr)
        return translatedEdit("The type does not have this component.");
    if (of.several && of.component->owner != type)
        return translatedEdit("There are several components of this kind, and this one comes from %1: change it there.")
            .arg(QString::fromStdString(of.component->owner));
    return {};
}

TypeEdits::Part TypeEdits::part(const std::string& type, const std::string& component) const {
    Part out;
    const ComponentName wanted = parseComponentName(component);
    out.name = wanted.type;
    const auto& content = m_project.content();
    const definition::EntityTypeDefinition* found = content ? content->definitions->find(type) : nullptr;
    if (found == nullptr)
        return out;
    std::size_t number = 0;
    for (const definition::ComponentDefinition& each : found->components) {
        if (each.name != out.name)
            continue;
        if (++number == wanted.number)
            out.component = &each;
        else if (number < wanted.number && each.owner == type)
            ++out.own;
    }
    out.several = number > 1;
    return out;
}

const definition::Setting* TypeEdits::setting(const std::string& type, const std::string& component,
                                              std::string_view field) const {
    const Part of = part(type, component);
    return of.component == nullptr ? nullptr : of.component->find(field);
}

std::size_t TypeEdits::usedBy(const std::vector<std::string>& types) const {
    return instancesOf(m_project, types);
}

Result<void> TypeEdits::readTexts() {
    m_project.refresh();
    if (!m_project.content() || !m_project.isCurrent())
        return Error{"the project has a fault; mend what the Problems panel lists first", {}, {}};
    return {};
}

Result<void> TypeEdits::change(const std::vector<std::string>& types, const std::string& component,
                               const FieldInfo& field, const FieldChange& change, bool committed) {
    const bool bounded = !committed || m_drag.isHeld();
    if (!m_drag.isHeld())
        m_starts.clear();
    bool whole = change.kind == FieldChange::Kind::Set && change.element < 0;
    if (!whole && m_starts.size() != types.size()) {
        const Result<void> read = readTexts();
        // In a project with a fault the shown value of a single type is as good as what was read last.
        whole = !read && types.size() == 1 && change.kind == FieldChange::Kind::Set;
        if (!read && !whole)
            return read;
        m_starts.clear();
        for (const std::string& type : types) {
            const definition::Setting* said = setting(type, component, field.name);
            m_starts.push_back(said == nullptr ? field.defaultValue : said->value);
        }
    }
    std::map<std::string, definition::TextEdits> edits; // by file
    for (std::size_t i = 0; i < types.size(); ++i) {
        const Result<Value> after =
            whole ? field.check(change.value) : changedValue(field, m_starts[i], change, bounded);
        if (!after)
            return Error{types[i] + ": " + after.error().message, {}, {}};
        const Result<TypeText> where = typeText(m_document, m_project, types[i]);
        if (!where)
            return where.error();
        const std::string& text = m_document.text(where->file);
        definition::TextEdits& sum = edits[where->file];
        Result<definition::TextEdits> next = thenEdit(text, std::move(sum), [&](const std::string& before) {
            return thenEdit(before, declareType(before, types[i], *where), [&](const std::string& declared) {
                const Part of = part(types[i], component);
                const std::string value = field.formatToml(*after);
                return of.several ? definition::setRepeatedValue(declared, types[i], of.name, of.own, field.name, value)
                                  : definition::setDefinitionValue(declared, types[i], of.name, field.name, value);
            });
        });
        if (!next)
            return next.error();
        sum = std::move(*next);
    }
    std::vector<FileEdit> all;
    for (auto& [file, of] : edits)
        all.push_back({file, std::move(of)});
    if (!committed)
        m_drag.begin();
    const QString name = QString::fromStdString(component + "." + field.name);
    const Result<void> done = m_document.edit(
        std::move(all),
        translatedEdit("Set %1 of %2").arg(QString::fromStdString(field.name), subjectOf(types)),
        QStringLiteral("inspector.type.%1.%2").arg(name, subjectOf(types)));
    if (committed) {
        m_drag.end();
        m_starts.clear();
    }
    return done;
}

Result<void> TypeEdits::revert(const std::vector<std::string>& types, const std::string& component,
                               const FieldInfo& field) {
    std::map<std::string, definition::TextEdits> edits;
    for (const std::string& type : types) {
        const Result<TypeText> where = typeText(m_document, m_project, type);
        if (!where)
            return where.error();
        const definition::Setting* said = setting(type, component, field.name);
        if (said == nullptr || said->owner != type || !where->declaration.empty())
            continue; // it says nothing itself, or is built in as it is
        definition::TextEdits& sum = edits[where->file];
        Result<definition::TextEdits> next =
            thenEdit(m_document.text(where->file), std::move(sum), [&](const std::string& before) {
                const Part of = part(type, component);
                return of.several ? definition::removeRepeatedValue(before, type, of.name, of.own, field.name)
                                  : definition::removeDefinitionValue(before, type, of.name, field.name);
            });
        if (!next)
            return next.error();
        sum = std::move(*next);
    }
    std::vector<FileEdit> all;
    for (auto& [file, of] : edits)
        if (!of.empty())
            all.push_back({file, std::move(of)});
    if (all.empty())
        return {};
    return m_document.edit(
        std::move(all),
        translatedEdit("Revert %1 of %2").arg(QString::fromStdString(field.name), subjectOf(types)));
}

std::vector<TypeEdits::Override> TypeEdits::overridesOf(const std::string& entity, std::string_view component,
                                                        std::string_view field) const {
    std::vector<Override> out;
    const definition::InstanceDefinition* of = instance(entity);
    if (of == nullptr)
        return out;
    for (const definition::ComponentDefinition& each : of->overrides) {
        if (!component.empty() && each.name != component)
            continue;
        const ComponentType* type = m_project.content()->catalog->find(each.name);
        for (const definition::Setting& setting : each.settings) {
            const FieldInfo* info = type == nullptr ? nullptr : type->settings->find(setting.entry.key);
            if (info != nullptr && (field.empty() || setting.entry.key == field))
                out.push_back({each.name, setting.entry.key, info->formatToml(setting.value)});
        }
    }
    return out;
}

bool TypeEdits::hasOverrides(const std::string& entity, std::string_view component,
                             std::string_view field) const {
    return !overridesOf(entity, component, field).empty();
}

Result<definition::TextEdits> TypeEdits::without(const std::string& scene, const std::string& entity,
                                                 const std::vector<Override>& overrides) const {
    Result<definition::TextEdits> edits = definition::TextEdits{};
    for (const Override& each : overrides) {
        edits = thenEdit(scene, std::move(edits), [&](const std::string& between) {
            return definition::removeSceneValue(between, entity, each.component, each.key);
        });
        if (!edits)
            return edits;
    }
    return edits;
}

Result<void> TypeEdits::applyOverrides(const std::string& entity, const std::string& component,
                                       const std::string& field) {
    if (Result<void> read = readTexts(); !read)
        return read;
    const std::vector<Override> overrides = overridesOf(entity, component, field);
    if (overrides.empty())
        return Error{entity + " overrides nothing here", {}, {}};
    const std::string type = instance(entity)->type;
    const Result<TypeText> where = typeText(m_document, m_project, type);
    if (!where)
        return where.error();
    const std::string& text = m_document.text(where->file);
    Result<definition::TextEdits> edits = declareType(text, type, *where);
    for (const Override& each : overrides) {
        edits = thenEdit(text, std::move(edits), [&](const std::string& between) {
            return definition::setDefinitionValue(between, type, each.component, each.key, each.value);
        });
        if (!edits)
            return edits.error();
    }
    const std::string scene = m_document.file(FileRole::Scene);
    Result<definition::TextEdits> freed = without(m_document.text(scene), entity, overrides);
    if (!freed)
        return freed.error();
    // A base may have the component in a way that cannot be overridden by one table: several times, one of them switched off.
    if (Result<void> valid = staysValid(m_document, m_project, where->file, *edits); !valid)
        return valid;
    std::vector<FileEdit> all{{where->file, std::move(*edits)}, {scene, std::move(*freed)}};
    return m_document.edit(std::move(all),
                           translatedEdit("Apply overrides of %1 to %2")
                               .arg(QString::fromStdString(entity), QString::fromStdString(type)));
}

QString TypeEdits::typeNameFault(const std::string& name) const {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const bool valid =
        !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
            return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
    if (!valid)
        return translatedEdit("A name begins with a letter; letters, digits, _ and - follow.");
    const auto& content = m_project.content();
    if (content && (content->definitions->find(name) != nullptr || content->definitions->isBroken(name)))
        return translatedEdit("There is an entity type %1 already.").arg(QString::fromStdString(name));
    return {};
}

std::string TypeEdits::proposedTypeName(const std::string& entity) const {
    // "crate_3" is a Crate, "big door" a BigDoor.
    std::string base = entity;
    while (!base.empty() && std::isdigit(static_cast<unsigned char>(base.back())) != 0)
        base.pop_back();
    std::string name;
    bool upper = true;
    for (const char c : base) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool digit = c >= '0' && c <= '9';
        if (letter || (digit && !name.empty())) {
            name += upper && letter ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
            upper = false;
        } else {
            upper = true;
        }
    }
    return freeTypeName(m_project, name.empty() ? "Type" : name);
}

Result<void> TypeEdits::makeType(const std::string& entity, const std::string& name) {
    if (Result<void> read = readTexts(); !read)
        return read;
    if (const QString fault = typeNameFault(name); !fault.isEmpty())
        return Error{fault.toStdString(), {}, {}};
    const definition::InstanceDefinition* of = instance(entity);
    if (of == nullptr)
        return Error{"the scene has no entity " + entity, {}, {}};
    const std::string base = of->type;
    const Result<TypeText> where = typeText(m_document, m_project, base);
    if (!where)
        return where.error();
    const std::vector<Override> overrides = overridesOf(entity, {}, {});
    const std::string& text = m_document.text(where->file);
    // A built-in base stays built in: the new type extends it by name.
    Result<definition::TextEdits> edits = definition::addType(text, name, base);
    for (const Override& each : overrides) {
        edits = thenEdit(text, std::move(edits), [&](const std::string& between) {
            return definition::setDefinitionValue(between, name, each.component, each.key, each.value);
        });
    }
    if (!edits)
        return edits.error();
    const std::string scene = m_document.file(FileRole::Scene);
    const std::string& sceneText = m_document.text(scene);
    Result<definition::TextEdits> retyped =
        thenEdit(sceneText, without(sceneText, entity, overrides), [&](const std::string& between) {
            return definition::setInstanceKey(between, entity, "type", "\"" + name + "\"");
        });
    if (!retyped)
        return retyped.error();
    return m_document.edit({{where->file, std::move(*edits)}, {scene, std::move(*retyped)}},
                           translatedEdit("Make type %1 from %2")
                               .arg(QString::fromStdString(name), QString::fromStdString(entity)));
}

} // namespace sbx::ui
