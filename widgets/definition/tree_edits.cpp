#include "widgets/definition/tree_edits.h"

#include "widgets/common/entity_names.h"

#include <QCoreApplication>

#include "engine/core/value.h"
#include "engine/definition/batch_edit.h"
#include "engine/definition/component_moves.h"
#include "engine/definition/scene_clip.h"
#include "engine/definition/text_edit.h"
#include "engine/definition/toml_document.h"
#include "engine/definition/type_moves.h"
#include "engine/session/session.h"
#include "engine/simulation/content.h"
#include "widgets/common/project_model.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/type_text.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

using definition::OutlineNode;
using definition::TextEdits;
using Kind = definition::OutlineNode::Kind;

namespace {

QString translatedTree(const char* text) { return QCoreApplication::translate("TreeEdits", text); }

QString shown(const std::string& text) { return QString::fromStdString(text); }

Error treeFault(std::string what) { return Error{std::move(what), {}, {}}; }

bool isCapital(const std::string& name) {
    return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
}

// Body.mass in the type's own table is a key of its component.
TreePlace resolved(TreePlace place) {
    const std::size_t point = place.key.find('.');
    if (place.component.empty() && point != std::string::npos && isCapital(place.key)
        && (place.ownerKind == Kind::Type || place.ownerKind == Kind::Instance)) {
        place.component = place.key.substr(0, point);
        place.key = place.key.substr(point + 1);
        place.which = 0;
    }
    return place;
}

const OutlineNode* nodeOf(const std::vector<OutlineNode>& nodes, const TreePlace& place) {
    for (const OutlineNode& node : nodes) {
        if (node.kind != place.ownerKind || node.name != place.owner)
            continue;
        if (place.component.empty())
            return &node;
        std::size_t which = 0;
        for (const OutlineNode& child : node.children)
            if (child.kind == Kind::Component && child.name == place.component && which++ == place.which)
                return &child;
        return nullptr;
    }
    return nullptr;
}

QString nameOf(const TreePlace& place) {
    QString out = shown(place.owner);
    if (!place.component.empty())
        out += QLatin1Char('.') + shown(place.component);
    return out;
}

} // namespace

definition::OutlinedFile TreeEdits::outlined() const {
    for (const DocumentFile& each : m_document.files())
        if (each.file == m_file)
            return each.role == FileRole::Scene     ? definition::OutlinedFile::Scene
                   : each.role == FileRole::Project ? definition::OutlinedFile::Project
                                                    : definition::OutlinedFile::Definitions;
    return definition::OutlinedFile::Definitions;
}

const definition::Schema& TreeEdits::schema() const { return m_feed.session().catalog().schema; }

const definition::Definitions& TreeEdits::definitions() const {
    const auto& content = m_project.content();
    return content && content->definitions ? *content->definitions : m_none;
}

const FieldInfo* TreeEdits::fieldOf(const TreePlace& place) const {
    const TreePlace at = resolved(place);
    return definition::fieldOf(schema(), at.ownerKind, at.owner, at.component, at.key);
}

std::vector<OutlineNode> TreeEdits::nodesWithUnwritten() const {
    std::vector<OutlineNode> nodes = definition::outline(text());
    definition::addUnwritten(nodes, outlined(), definitions(), schema());
    return nodes;
}

std::vector<const FieldInfo*> TreeEdits::missingKeys(const TreePlace& place) const {
    std::vector<const FieldInfo*> out;
    if (!isOpen())
        return out;
    const std::vector<OutlineNode> nodes = definition::outline(text());
    const OutlineNode* node = nodeOf(nodes, place);
    const auto written = [&](const std::string& key) {
        return node != nullptr
               && std::any_of(node->children.begin(), node->children.end(),
                              [&](const OutlineNode& child) { return child.name == key; });
    };
    const auto offer = [&](const FieldTable& fields) {
        for (const FieldInfo& field : fields)
            if (!written(field.name)
                && definition::fieldOf(schema(), place.ownerKind, place.owner, place.component, field.name))
                out.push_back(&field);
    };
    if (!place.component.empty()) {
        const definition::ComponentSchema* component = schema().find(place.component);
        if (component != nullptr && component->settings != nullptr)
            offer(*component->settings);
        if (place.ownerKind == Kind::Type && !written("enabled"))
            out.push_back(definition::fieldOf(schema(), Kind::Type, {}, place.component, "enabled"));
    } else if (place.ownerKind == Kind::Type) {
        offer(definition::entityTypeKeys());
    } else if (place.ownerKind == Kind::Instance) {
        offer(definition::instanceKeys());
    } else {
        offer(place.owner == "scene" ? definition::sceneKeys() : definition::projectKeys());
    }
    return out;
}

std::vector<ComponentChoice> TreeEdits::componentChoices(const std::string& type) const {
    m_project.refresh();
    return ui::componentChoices(m_project, {type});
}

std::vector<std::string> TreeEdits::componentsOf(const TreePlace& instance) const {
    std::vector<std::string> out;
    if (!isOpen())
        return out;
    for (const OutlineNode& node : definition::outline(text()))
        if (node.kind == Kind::Instance && node.name == instance.owner)
            if (const definition::EntityTypeDefinition* type = definitions().find(node.detail))
                for (const definition::ComponentDefinition& component : type->components)
                    out.push_back(component.name);
    return out;
}

TreeEdits::Usage TreeEdits::usageOf(const std::string& type) const {
    Usage usage;
    const std::string quoted = inQuotes(type);
    for (const DocumentFile& file : m_document.files())
        for (const OutlineNode& node : definition::outline(m_document.text(file.file))) {
            usage.entities += node.kind == Kind::Instance && node.detail == type ? 1U : 0U;
            for (const OutlineNode& child : node.children) {
                usage.types +=
                    node.kind == Kind::Type && child.name == "extends" && child.detail == quoted ? 1U : 0U;
                for (const OutlineNode& key : child.children) {
                    const FieldInfo* field =
                        definition::fieldOf(schema(), node.kind, node.name, child.name, key.name);
                    usage.settings +=
                        field != nullptr && field->role == TextRole::EntityType && key.detail == quoted ? 1U
                                                                                                        : 0U;
                }
            }
        }
    return usage;
}

std::vector<std::string> TreeEdits::otherFiles() const {
    std::vector<std::string> out;
    for (const DocumentFile& file : m_document.files())
        if (file.role == FileRole::Definitions && file.file != m_file)
            out.push_back(file.file);
    return out;
}

std::optional<Diagnostic> TreeEdits::fault() const {
    std::optional<Diagnostic> fault;
    if (isOpen())
        static_cast<void>(definition::outline(text(), &fault));
    return fault;
}

Result<void> TreeEdits::ready() const {
    if (!isOpen())
        return treeFault("no file is shown");
    if (const std::optional<Diagnostic> found = fault())
        return treeFault(m_file + ":" + std::to_string(found->region.line) + ":"
                         + std::to_string(found->region.column) + ": " + found->message()
                         + "; mend that first");
    return {};
}

Result<void> TreeEdits::applyAll(std::vector<FileEdit> edits, const QString& label) {
    std::erase_if(edits, [](const FileEdit& edit) { return edit.edits.empty(); });
    if (edits.empty())
        return {};
    m_document.endMerge();
    return m_document.edit(std::move(edits), label);
}

Result<void> TreeEdits::apply(Result<TextEdits> edits, const QString& label) {
    if (!edits)
        return edits.error();
    return applyAll({{m_file, std::move(*edits)}}, label);
}

std::vector<std::string> TreeEdits::typeNames() const {
    std::vector<std::string> names = definitions().names();
    for (const DocumentFile& file : m_document.files())
        if (file.role == FileRole::Definitions)
            for (std::string& name : definition::typesOf(m_document.text(file.file)))
                names.push_back(std::move(name));
    return names;
}

std::string TreeEdits::freeType(const std::string& wanted) const {
    const std::vector<std::string> taken = typeNames();
    std::string name = wanted;
    for (int number = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++number)
        name = wanted + "_" + std::to_string(number);
    return name;
}

std::optional<std::size_t> TreeEdits::partOf(const TreePlace& component) const {
    const std::vector<definition::ComponentPart> parts = definition::componentsOf(text(), component.owner);
    std::size_t which = 0;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i].table && parts[i].name == component.component && which++ == component.which)
            return i;
    return std::nullopt;
}

Result<TextEdits> TreeEdits::setIn(std::string_view source, const TreePlace& unresolved,
                                   const std::string& toml) const {
    const TreePlace place = resolved(unresolved);
    if (place.component.find('.') != std::string::npos)
        return treeFault(place.component + " is a table inside of a component; edit the text");
    switch (place.ownerKind) {
    case Kind::Type: {
        std::size_t which = 0;
        const std::vector<definition::ComponentPart> parts = definition::componentsOf(source, place.owner);
        for (std::size_t i = 0; !place.component.empty() && i < parts.size(); ++i)
            if (parts[i].table && parts[i].name == place.component && which++ == place.which)
                return definition::setComponentValue(source, place.owner, i, place.key, toml);
        // Nothing is extended by a type without a name.
        if (place.component.empty() && place.key == "extends" && toml == "\"\"")
            return definition::removeDefinitionValue(source, place.owner, {}, place.key);
        return definition::setDefinitionValue(source, place.owner, place.component, place.key, toml);
    }
    case Kind::Instance:
        if (place.component.empty() && place.key == "parent" && toml == "\"\"")
            return definition::removeInstanceKey(source, place.owner, place.key);
        return definition::setSceneValue(source, place.owner, place.component, place.key, toml);
    default:
        return definition::setTableValue(source, place.owner, place.key, toml);
    }
}

Result<TextEdits> TreeEdits::removeIn(std::string_view source, const TreePlace& unresolved) const {
    const TreePlace place = resolved(unresolved);
    switch (place.ownerKind) {
    case Kind::Type: {
        std::size_t which = 0;
        const std::vector<definition::ComponentPart> parts = definition::componentsOf(source, place.owner);
        for (std::size_t i = 0; !place.component.empty() && i < parts.size(); ++i)
            if (parts[i].table && parts[i].name == place.component && which++ == place.which)
                return definition::removeComponentValue(source, place.owner, i, place.key);
        return definition::removeDefinitionValue(source, place.owner, place.component, place.key);
    }
    case Kind::Instance:
        return definition::removeSceneValue(source, place.owner, place.component, place.key);
    default:
        // Tables of a project and the scene are like those of a type.
        return definition::removeDefinitionValue(source, place.owner, {}, place.key);
    }
}

Result<void> TreeEdits::setValue(const TreePlace& place, const std::string& toml) {
    if (Result<void> can = ready(); !can)
        return can;
    if (place.ownerKind == Kind::Instance && place.component.empty() && place.key == "name") {
        const Result<SourceValue> name = definition::parseTomlValue(toml);
        if (!name)
            return name.error();
        return rename(place, name->text);
    }
    const TreePlace at = resolved(place);
    return apply(setIn(text(), place, toml), translatedTree("Set %1 of %2").arg(shown(at.key), nameOf(at)));
}

std::string TreeEdits::valueInForce(const TreePlace& owner, const FieldInfo& field) const {
    const std::vector<OutlineNode> nodes = nodesWithUnwritten();
    if (owner.ownerKind == Kind::Instance && !owner.component.empty()) {
        // What its type says, whether or not it overrides anything of the component.
        TreePlace instance = owner;
        instance.component.clear();
        const OutlineNode* node = nodeOf(nodes, instance);
        const definition::EntityTypeDefinition* type =
            node == nullptr ? nullptr : definitions().find(node->detail);
        const definition::ComponentDefinition* component =
            type == nullptr ? nullptr : type->find(owner.component);
        const definition::Setting* said = component == nullptr ? nullptr : component->find(field.name);
        return field.formatToml(said == nullptr ? field.defaultValue : said->value);
    }
    if (const OutlineNode* node = nodeOf(nodes, owner))
        for (const OutlineNode& key : node->children)
            if (key.kind == Kind::Key && key.name == field.name && !key.written)
                return key.detail;
    return field.formatToml(field.defaultValue);
}

Result<void> TreeEdits::addKey(const TreePlace& owner, const std::string& key) {
    if (Result<void> can = ready(); !can)
        return can;
    TreePlace place = owner;
    place.kind = Kind::Key;
    place.key = key;
    const FieldInfo* field = fieldOf(place);
    if (field == nullptr)
        return treeFault(nameOf(owner).toStdString() + " has no key " + key);
    // extends and parent name something that is there: an empty text would be a fault at once.
    const std::string value = valueInForce(owner, *field);
    if (owner.component.empty() && value == "\"\"" && (key == "extends" || key == "parent"))
        return treeFault(key + " needs a name; type it in the row that Show defaults gives");
    return apply(setIn(text(), place, value), translatedTree("Add %1 to %2").arg(shown(key), nameOf(owner)));
}

Result<void> TreeEdits::setDefaults(const TreePlace& component, bool all) {
    if (Result<void> can = ready(); !can)
        return can;
    const definition::ComponentSchema* known = schema().find(component.component);
    if (known == nullptr || known->settings == nullptr)
        return treeFault(component.component + " has no settings");
    const std::vector<const FieldInfo*> missing = missingKeys(component);
    Result<TextEdits> edits = TextEdits{};
    for (const FieldInfo& field : *known->settings) {
        const bool isMissing = std::find(missing.begin(), missing.end(), &field) != missing.end();
        if (!all && !isMissing)
            continue;
        TreePlace key = component;
        key.kind = Kind::Key;
        key.key = field.name;
        const std::string value = all ? field.formatToml(field.defaultValue) : valueInForce(component, field);
        edits = thenEdit(text(), std::move(edits),
                         [&](const std::string& between) { return setIn(between, key, value); });
        if (!edits)
            return edits.error();
    }
    return apply(std::move(edits),
                 (all ? translatedTree("Set all defaults of %1") : translatedTree("Set missing keys of %1"))
                     .arg(nameOf(component)));
}

Result<void> TreeEdits::remove(const TreePlace& place) {
    if (Result<void> can = ready(); !can)
        return can;
    if (!place.written)
        return treeFault("the file does not say it; it comes from a base, or is the default");
    const QString label =
        translatedTree("Delete %1")
            .arg(place.kind == Kind::Key ? nameOf(place) + QLatin1Char('.') + shown(place.key)
                                         : nameOf(place));
    switch (place.kind) {
    case Kind::Key:
        return apply(removeIn(text(), place), label);
    case Kind::Component:
        if (place.ownerKind == Kind::Instance)
            return apply(definition::removeSceneComponents(text(), {place.owner}, place.component), label);
        if (const std::optional<std::size_t> part = partOf(place))
            return apply(definition::removeComponentAt(text(), place.owner, *part), label);
        return treeFault(place.component + " is a table inside of a component; edit the text");
    case Kind::Instance:
        return apply(definition::removeInstances(text(), {place.owner}), label);
    case Kind::Type:
        return apply(definition::removeType(text(), place.owner), label);
    case Kind::Table:
        break;
    }
    return treeFault("[" + place.owner + "] belongs to the file and stays");
}

Result<std::string> TreeEdits::addType(const std::string& extends) {
    if (const Result<void> can = ready(); !can)
        return can.error();
    if (outlined() != definition::OutlinedFile::Definitions)
        return treeFault("entity types stand in definition files; show one of them");
    const std::string name = freeType(extends.empty() ? "Type" : extends);
    if (const Result<void> done =
            apply(definition::addType(text(), name, extends), translatedTree("Add type %1").arg(shown(name)));
        !done)
        return done.error();
    return name;
}

Result<std::string> TreeEdits::duplicate(const TreePlace& place) {
    if (const Result<void> can = ready(); !can)
        return can.error();
    const QString label = translatedTree("Duplicate %1").arg(shown(place.owner));
    std::string name;
    Result<void> done;
    if (place.kind == Kind::Type) {
        name = freeType(place.owner);
        done = apply(definition::duplicateType(text(), place.owner, name), label);
    } else if (place.kind == Kind::Instance) {
        Result<definition::InstanceCopies> copies =
            definition::duplicateInstances(text(), {place.owner}, Vec3(0.0F), &schema());
        if (!copies)
            return copies.error();
        name = copies->names.empty() ? std::string() : copies->names.front();
        done = applyAll({{m_file, std::move(copies->edits)}}, label);
    } else {
        return treeFault("only a type or an entity can be duplicated");
    }
    if (!done)
        return done.error();
    return name;
}

Result<void> TreeEdits::renameTypeEverywhere(const std::string& type, const std::string& name) {
    const std::vector<std::string> taken = typeNames();
    if (name != type && std::find(taken.begin(), taken.end(), name) != taken.end())
        return treeFault("there is an entity type " + name + " already");
    std::vector<FileEdit> edits;
    for (const DocumentFile& file : m_document.files()) {
        if (file.role == FileRole::Project)
            continue;
        const std::string& source = m_document.text(file.file);
        Result<TextEdits> renamed = file.role == FileRole::Definitions
                                        ? definition::renameType(source, type, name, schema())
                                        : definition::renameTypeInScene(source, type, name, schema());
        if (!renamed)
            return renamed.error();
        edits.push_back({file.file, std::move(*renamed)});
    }
    return applyAll(std::move(edits), translatedTree("Rename %1 to %2").arg(shown(type), shown(name)));
}

std::optional<NameRefusal> TreeEdits::nameRefusal(const TreePlace& place, const QString& name) const {
    if (place.ownerKind == Kind::Instance)
        return entityNameRefusal(m_document, place.owner, name);
    if (place.ownerKind != Kind::Type || !ready())
        return std::nullopt; // rename() gives the reason
    const std::string wanted = name.toStdString();
    const std::vector<std::string> taken = typeNames();
    const bool isTaken = std::find(taken.begin(), taken.end(), wanted) != taken.end();
    const Result<TextEdits> renamed = definition::renameType(text(), place.owner, wanted, schema());
    if (renamed && !isTaken)
        return std::nullopt;
    NameRefusal refusal{isTaken ? translatedTree("there is an entity type %1 already").arg(shown(wanted))
                                : QString::fromStdString(renamed.error().message),
                        {}};
    // Letters that a type's name cannot have become "_"; it begins with a letter.
    std::string good;
    for (const char c : wanted) {
        const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (letter || (!good.empty() && ((c >= '0' && c <= '9') || c == '-')))
            good += c;
        else if (!good.empty() && good.back() != '_')
            good += '_';
    }
    while (good.ends_with('_'))
        good.pop_back();
    const std::string free = good.empty() ? std::string() : freeType(good);
    if (!free.empty() && free != place.owner && definition::renameType(text(), place.owner, free, schema()).ok())
        refusal.offered = QString::fromStdString(free);
    return refusal;
}

Result<void> TreeEdits::rename(const TreePlace& place, const std::string& name) {
    if (Result<void> can = ready(); !can)
        return can;
    if (place.ownerKind == Kind::Type)
        return renameTypeEverywhere(place.owner, name);
    if (place.ownerKind != Kind::Instance)
        return treeFault("[" + place.owner + "] keeps its name");
    Result<TextEdits> renamed = definition::renameInstance(text(), place.owner, name, &schema());
    if (!renamed)
        return renamed.error();
    std::vector<FileEdit> edits{{m_file, std::move(*renamed)}};
    for (const DocumentFile& file : m_document.files())
        if (file.role == FileRole::Definitions)
            edits.push_back({file.file, definition::renameInDefinitions(m_document.text(file.file),
                                                                        place.owner, name, schema())});
    return applyAll(std::move(edits), translatedTree("Rename %1 to %2").arg(shown(place.owner), shown(name)));
}

Result<void> TreeEdits::addComponent(const std::string& type, const std::string& component) {
    if (Result<void> can = ready(); !can)
        return can;
    const definition::ComponentSchema* known = schema().find(component);
    if (known == nullptr)
        return treeFault("there is no component " + component);
    const QString label = translatedTree("Add %1 to %2").arg(shown(component), shown(type));
    const std::vector<definition::ComponentPart> own = definition::componentsOf(text(), type);
    const bool present =
        std::any_of(own.begin(), own.end(), [&](const auto& part) { return part.name == component; });
    if (present && !known->unique)
        return apply(definition::pasteComponent(text(), type, "[x." + component + "]\n", schema()), label);
    Result<TextEdits> edits = definition::addComponent(text(), type, component);
    // It stands there, and is switched off: on again.
    if (!edits)
        if (Result<TextEdits> on = definition::removeDefinitionValue(text(), type, component, "enabled");
            on && !on->empty())
            edits = std::move(on);
    return apply(std::move(edits), label);
}

Result<void> TreeEdits::moveBy(const TreePlace& place, int step) {
    if (Result<void> can = ready(); !can)
        return can;
    if (place.kind == Kind::Type) {
        const std::vector<std::string> types = definition::typesOf(text());
        const auto at = std::find(types.begin(), types.end(), place.owner) - types.begin();
        const auto count = static_cast<std::ptrdiff_t>(types.size());
        if (at == count || at + step < 0 || at + step >= count)
            return {};
        // Downwards: before the one behind the next.
        const std::ptrdiff_t next = step < 0 ? at + step : at + step + 1;
        return moveType(place.owner,
                        next < count ? std::optional(types[static_cast<std::size_t>(next)]) : std::nullopt);
    }
    if (place.kind != Kind::Component || place.ownerKind != Kind::Type)
        return treeFault("only types and their components can be moved");
    const std::optional<std::size_t> part = partOf(place);
    if (!part)
        return treeFault(place.written ? place.component + " is a table inside of a component; edit the text"
                                       : place.component + " comes from a base: its order is said there");
    const auto to = static_cast<std::ptrdiff_t>(*part) + step;
    const std::size_t count = definition::componentsOf(text(), place.owner).size();
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(count))
        return {};
    return apply(definition::moveComponent(text(), place.owner, *part, static_cast<std::size_t>(to)),
                 translatedTree("Move %1 of %2").arg(shown(place.component), shown(place.owner)));
}

Result<void> TreeEdits::moveType(const std::string& type, const std::optional<std::string>& before) {
    if (Result<void> can = ready(); !can)
        return can;
    return apply(definition::moveType(text(), type, before), translatedTree("Move %1").arg(shown(type)));
}

Result<void> TreeEdits::moveTypeTo(const std::string& type, const std::string& file) {
    if (Result<void> can = ready(); !can)
        return can;
    if (!m_document.contains(file) || file == m_file)
        return treeFault("it stands in " + m_file + " already, or " + file + " is not open");
    const std::string& target = m_document.text(file);
    if (definition::declaresType(target, type))
        return treeFault(file + " has an entity type " + type + " already");
    const Result<std::string> lines = definition::typeText(text(), type);
    if (!lines)
        return lines.error();
    Result<definition::PastedTypes> pasted = definition::pasteTypes(target, *lines, {});
    if (!pasted)
        return pasted.error();
    Result<TextEdits> removed = definition::removeType(text(), type);
    if (!removed)
        return removed.error();
    return applyAll({{m_file, std::move(*removed)}, {file, std::move(pasted->edits)}},
                    translatedTree("Move %1 to %2").arg(shown(type), shown(file)));
}

Result<void> TreeEdits::moveComponent(const TreePlace& component, const std::string& type,
                                      std::optional<std::size_t> before, bool copy) {
    if (Result<void> can = ready(); !can)
        return can;
    const std::optional<std::size_t> part = partOf(component);
    if (!part)
        return treeFault(
            component.component
            + " has no table of its own here; it comes from a base, or is written among the keys");
    const bool same = type == component.owner;
    if (same && !copy) {
        const std::size_t count = definition::componentsOf(text(), type).size();
        std::size_t to = std::min(before.value_or(count), count);
        to -= to > *part ? 1U : 0U;
        return apply(definition::moveComponent(text(), type, *part, to),
                     translatedTree("Move %1 of %2").arg(shown(component.component), shown(type)));
    }
    const Result<std::string> lines = definition::componentText(text(), component.owner, *part);
    if (!lines)
        return lines.error();
    Result<TextEdits> edits = definition::pasteComponent(text(), type, *lines, schema(), before);
    if (!copy)
        edits = thenEdit(text(), std::move(edits), [&](const std::string& between) {
            return definition::removeComponentAt(between, component.owner, *part);
        });
    return apply(std::move(edits),
                 (copy ? translatedTree("Copy %1 of %2 to %3") : translatedTree("Move %1 of %2 to %3"))
                     .arg(shown(component.component), shown(component.owner), shown(type)));
}

Result<std::string> TreeEdits::textOf(const TreePlace& place) const {
    if (const Result<void> can = ready(); !can)
        return can.error();
    if (!place.written)
        return treeFault("the file does not say it");
    switch (place.kind) {
    case Kind::Type:
        return definition::typeText(text(), place.owner);
    case Kind::Instance:
        return definition::copyInstances(text(), {place.owner});
    case Kind::Component:
        if (place.ownerKind == Kind::Type)
            if (const std::optional<std::size_t> part = partOf(place))
                return definition::componentText(text(), place.owner, *part);
        break;
    default:
        break;
    }
    // Its lines.
    const std::vector<OutlineNode> nodes = definition::outline(text());
    const OutlineNode* node = nodeOf(nodes, place);
    if (node != nullptr && place.kind == Kind::Key) {
        const auto key =
            std::find_if(node->children.begin(), node->children.end(), [&](const OutlineNode& child) {
                return child.kind == Kind::Key && child.name == place.key;
            });
        node = key == node->children.end() ? nullptr : &*key;
    }
    if (node == nullptr)
        return treeFault("it is not in the text any more");
    std::string lines = text().substr(node->span.begin, node->span.size());
    if (!lines.ends_with('\n'))
        lines += '\n';
    return lines;
}

Result<void> TreeEdits::paste(const TreePlace& place, const std::string& clip) {
    if (Result<void> can = ready(); !can)
        return can;
    const std::vector<OutlineNode> nodes = definition::outline(clip);
    const definition::OutlinedFile file = outlined();
    if (file == definition::OutlinedFile::Scene
        && std::any_of(nodes.begin(), nodes.end(),
                       [](const OutlineNode& node) { return node.kind == Kind::Instance; })) {
        Result<definition::PastedInstances> pasted =
            definition::pasteInstances(text(), clip, definitions(), schema());
        if (!pasted)
            return pasted.error();
        return applyAll({{m_file, std::move(pasted->edits)}}, translatedTree("Paste"));
    }
    // Keys stand before any header; components have only tables of components, types one of their own.
    std::string keys = clip.substr(0, nodes.empty() ? std::string::npos : nodes.front().span.begin);
    const bool onlyParts =
        !nodes.empty() && std::all_of(nodes.begin(), nodes.end(), [](const OutlineNode& node) {
            return std::all_of(node.children.begin(), node.children.end(),
                               [](const OutlineNode& child) { return child.kind == Kind::Component; })
                   && !node.children.empty() && node.region.line == node.children.front().region.line;
        });
    if (nodes.empty()) {
        if (!place.isValid())
            return treeFault("choose the type or the component that the keys go into");
        Diagnostics sink;
        const definition::TomlDocument read = definition::TomlDocument::parse(keys, {}, sink);
        if (!sink.items.empty())
            return treeFault("line " + std::to_string(sink.items.front().region.line) + ": "
                             + sink.items.front().message());
        const std::vector<OutlineNode> wrapped = definition::outline("[x]\n" + keys);
        if (wrapped.empty() || wrapped.front().children.empty())
            return treeFault("there is nothing in the clipboard that a definition could take");
        Result<TextEdits> edits = TextEdits{};
        for (const OutlineNode& key : wrapped.front().children) {
            TreePlace at = place;
            at.kind = Kind::Key;
            at.key = key.name;
            if (at.ownerKind != Kind::Table && fieldOf(at) == nullptr)
                return treeFault(nameOf(place).toStdString() + " has no key " + key.name);
            edits = thenEdit(text(), std::move(edits),
                             [&](const std::string& between) { return setIn(between, at, key.detail); });
            if (!edits)
                return edits.error();
        }
        return apply(std::move(edits), translatedTree("Paste into %1").arg(nameOf(place)));
    }
    if (file != definition::OutlinedFile::Definitions)
        return treeFault("this file takes no types or components; show a definition file");
    if (onlyParts) {
        if (place.ownerKind != Kind::Type || !place.isValid())
            return treeFault("choose the type that the component goes into");
        std::optional<std::size_t> before;
        if (place.kind == Kind::Component)
            if (const std::optional<std::size_t> part = partOf(place))
                before = *part + 1;
        return apply(definition::pasteComponent(text(), place.owner, clip, schema(), before),
                     translatedTree("Paste into %1").arg(shown(place.owner)));
    }
    Result<definition::PastedTypes> pasted = definition::pasteTypes(text(), clip, typeNames());
    if (!pasted)
        return pasted.error();
    return applyAll({{m_file, std::move(pasted->edits)}}, translatedTree("Paste"));
}

} // namespace sbx::ui
