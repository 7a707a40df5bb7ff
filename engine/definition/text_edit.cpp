#include "engine/definition/text_edit.h"

#include "engine/core/value.h"
#include "engine/definition/checks.h"
#include "engine/definition/scene_editor.h"
#include "engine/definition/toml_document.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace sbx::definition {

namespace {

Error fault(std::string what) { return Error{std::move(what), {}, {}}; }

Error nameFault(std::string_view name) {
    return fault(inQuotes(name) + " cannot name an entity: it " + instanceNameFault(name) + "; expected "
                 + std::string(InstanceNameRule));
}

bool namesEntity(const FieldInfo& field) {
    return field.type == FieldType::Entity
           || (field.type == FieldType::String && field.role == TextRole::EntityName);
}

} // namespace

Result<TextEdits> setSceneValue(std::string_view scene, std::string_view instance, std::string_view component,
                                std::string_view key, std::string_view value) {
    if (component.empty())
        return setInstanceKey(scene, instance, key, value);
    if (const std::string wrong = valueFault(value); !wrong.empty())
        return fault(wrong);
    SceneEditor editor(scene);
    const SceneUnit* unit = editor.find(instance);
    if (unit == nullptr)
        return editor.unknown(instance);
    if (const std::string wrong = editor.changes.setInPart(editor.syntax(*unit), component, key, value);
        !wrong.empty())
        return fault(wrong);
    return editor.changes.finish();
}

Result<TextEdits> removeSceneValue(std::string_view scene, std::string_view instance,
                                   std::string_view component, std::string_view key) {
    if (component.empty())
        return removeInstanceKey(scene, instance, key);
    SceneEditor editor(scene);
    const SceneUnit* unit = editor.find(instance);
    if (unit == nullptr)
        return editor.unknown(instance);
    if (const auto place = editor.tree.find(editor.syntax(*unit), {std::string(component), std::string(key)}))
        editor.changes.removeKey(*place, true);
    return editor.changes.finish();
}

Result<TextEdits> setInstanceKey(std::string_view scene, std::string_view instance, std::string_view key,
                                 std::string_view value) {
    if (const std::string wrong = instanceKeyFault(key, value); !wrong.empty())
        return fault(wrong);
    if (key == "name")
        return renameInstance(scene, instance, parseTomlValue(value)->text);
    SceneEditor editor(scene);
    const SceneUnit* unit = editor.find(instance);
    if (unit == nullptr)
        return editor.unknown(instance);
    editor.setKey(*unit, key, value);
    if (key == "type") {
        std::vector<SceneUnit> after = editor.units();
        after[static_cast<std::size_t>(unit - editor.units().data())].type = parseTomlValue(value)->text;
        editor.keepNames(std::move(after));
    }
    return editor.changes.finish();
}

Result<TextEdits> removeInstanceKey(std::string_view scene, std::string_view instance, std::string_view key) {
    if (key == "type" || key == "name")
        return fault("an entity keeps its " + std::string(key));
    SceneEditor editor(scene);
    const SceneUnit* unit = editor.find(instance);
    if (unit == nullptr)
        return editor.unknown(instance);
    if (const auto place = editor.tree.find(editor.syntax(*unit), {std::string(key)}))
        editor.changes.removeKey(*place, true);
    return editor.changes.finish();
}

Result<TextEdits> addInstance(std::string_view scene, std::string_view type, std::string_view name,
                              const InstancePose& pose, std::string_view parent) {
    const std::string chosen = name.empty() ? freeInstanceName(scene, baseNameOf(type)) : std::string(name);
    SceneEditor editor(scene);
    if (!isInstanceName(chosen))
        return nameFault(chosen);
    if (editor.find(chosen) != nullptr)
        return fault("the name " + inQuotes(chosen) + " is taken");
    if (!parent.empty() && editor.find(parent) == nullptr)
        return editor.unknown(parent);
    if (!isFinite(pose.position) || !isFinite(pose.rotation) || !isFinite(pose.scale))
        return fault("a place must be finite numbers");
    std::vector<std::string> lines{"[[entity]]", "type = " + inQuotes(type),
                                   "name = " + inQuotes(chosen),
                                   "position = " + vectorText(pose.position)};
    if (pose.rotation != Vec3(0.0F))
        lines.push_back("rotation = " + vectorText(pose.rotation));
    if (pose.scale != Vec3(1.0F))
        lines.push_back("scale = " + vectorText(pose.scale));
    if (!parent.empty())
        lines.push_back("parent = " + inQuotes(parent));
    editor.changes.append(lines);
    std::vector<SceneUnit> after = editor.units();
    after.push_back({0, chosen, chosen, std::string(type)});
    editor.keepNames(std::move(after));
    return editor.changes.finish();
}

Result<TextEdits> removeInstances(std::string_view scene, const std::vector<std::string>& names) {
    SceneEditor editor(scene);
    std::unordered_set<std::string> going;
    for (const std::string& name : names) {
        if (editor.find(name) == nullptr)
            return editor.unknown(name);
        going.insert(name);
    }
    // From the top down: who goes takes the children along.
    std::unordered_map<std::string, std::vector<std::string_view>> children;
    for (const SceneUnit& unit : editor.units())
        if (std::string parent = editor.tree.textAt(editor.syntax(unit), "parent"); !parent.empty())
            children[std::move(parent)].push_back(unit.name);
    std::vector<std::string> open(going.begin(), going.end());
    while (!open.empty()) {
        const auto below = children.find(open.back());
        open.pop_back();
        if (below == children.end())
            continue;
        for (const std::string_view child : below->second)
            if (going.emplace(child).second)
                open.emplace_back(child);
    }
    std::vector<SceneUnit> after;
    std::set<std::size_t> units;
    for (const SceneUnit& unit : editor.units()) {
        if (going.contains(unit.name))
            units.insert(unit.unit);
        else
            after.push_back(unit);
    }
    editor.changes.removeUnits(units);
    editor.keepNames(std::move(after));
    return editor.changes.finish();
}

Result<TextEdits> duplicateInstance(std::string_view scene, std::string_view name, std::string_view newName,
                                    const Vec3& offset) {
    SceneEditor editor(scene);
    const SceneUnit* unit = editor.find(name);
    if (unit == nullptr)
        return editor.unknown(name);
    if (!isInstanceName(newName))
        return nameFault(newName);
    if (editor.find(newName) != nullptr)
        return fault("the name " + inQuotes(newName) + " is taken");
    if (!isFinite(offset))
        return fault("a place must be finite numbers");
    const Result<std::string> copy = editor.copyOf(*unit, newName, offset);
    if (!copy)
        return copy.error();
    editor.changes.insertAfter(editor.syntax(*unit), *copy);
    std::vector<SceneUnit> after = editor.units();
    after.insert(after.begin() + (unit - editor.units().data()) + 1,
                 SceneUnit{0, std::string(newName), std::string(newName), unit->type});
    editor.keepNames(std::move(after));
    return editor.changes.finish();
}

Result<TextEdits> renameInstance(std::string_view scene, std::string_view name, std::string_view newName,
                                 const Schema* schema) {
    SceneEditor editor(scene);
    const SceneUnit* unit = editor.find(name);
    if (unit == nullptr)
        return editor.unknown(name);
    if (name == newName)
        return TextEdits{};
    if (!isInstanceName(newName))
        return nameFault(newName);
    if (editor.find(newName) != nullptr)
        return fault("the name " + inQuotes(newName) + " is taken");
    const std::string value = inQuotes(newName);
    editor.setKey(*unit, "name", value);
    const auto follow = [&](const SceneUnit& other, const std::vector<std::string>& path) {
        const auto place = editor.tree.find(editor.syntax(other), path);
        if (place && unquoteToml(place->value.of(scene)) == name)
            editor.changes.replace(place->value, value);
    };
    for (const SceneUnit& other : editor.units()) {
        follow(other, {"parent"});
        if (schema == nullptr)
            continue;
        for (const ComponentSchema& component : schema->components()) {
            if (component.settings == nullptr)
                continue;
            for (const FieldInfo& field : *component.settings)
                if (namesEntity(field))
                    follow(other, {component.name, field.name});
        }
    }
    std::vector<SceneUnit> after = editor.units();
    SceneUnit& renamed = after[static_cast<std::size_t>(unit - editor.units().data())];
    renamed.givenName = renamed.name = newName;
    editor.keepNames(std::move(after));
    return editor.changes.finish();
}

TextEdits renameInDefinitions(std::string_view definitions, std::string_view name, std::string_view newName,
                              const Schema& schema) {
    const SyntaxTree tree(definitions);
    TextChanges changes(tree);
    std::set<std::size_t> done; // where values begin: one can be found by its section and by its path
    const auto follow = [&](const TextSpan& value) {
        if (unquoteToml(value.of(definitions)) == name && done.insert(value.begin).second)
            changes.replace(value, inQuotes(newName));
    };
    for (const ComponentSchema& component : schema.components()) {
        if (component.settings == nullptr)
            continue;
        for (const FieldInfo& field : *component.settings) {
            if (!namesEntity(field))
                continue;
            for (const SyntaxUnit& unit : tree.units()) {
                // A list of components has a section for each.
                for (const std::size_t index : tree.sectionsAt(unit, {component.name}))
                    for (std::size_t i = tree.sections()[index].first; i < tree.sections()[index].last; ++i) {
                        const SyntaxStatement& statement = tree.statement(i);
                        if (statement.kind == SyntaxStatement::Kind::KeyValue && statement.path.size() == 1
                            && statement.path.front().name == field.name)
                            follow(statement.value);
                    }
                if (const auto place = tree.find(unit, {component.name, field.name}))
                    follow(place->value);
            }
        }
    }
    return changes.finish();
}

std::vector<std::string> sceneInstanceNames(std::string_view scene) {
    std::vector<std::string> out;
    for (SceneUnit& unit : sceneUnits(SyntaxTree(scene)))
        out.push_back(std::move(unit.name));
    return out;
}

std::string freeInstanceName(std::string_view scene, std::string_view wanted) {
    return FreeNames(sceneInstanceNames(scene)).take(wanted);
}

Result<TextEdits> setDefinitionValue(std::string_view definitions, std::string_view type,
                                     std::string_view component, std::string_view key,
                                     std::string_view value) {
    if (const std::string wrong = valueFault(value); !wrong.empty())
        return fault(wrong);
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    TextChanges changes(tree);
    if (component.empty())
        changes.setKey(*unit, key, value, entityTypeKeys().names());
    else if (const std::string wrong = changes.setInPart(*unit, component, key, value); !wrong.empty())
        return fault(wrong);
    return changes.finish();
}

Result<TextEdits> removeDefinitionValue(std::string_view definitions, std::string_view type,
                                        std::string_view component, std::string_view key) {
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    TextChanges changes(tree);
    std::vector<std::string> path{std::string(component), std::string(key)};
    if (component.empty())
        path.erase(path.begin());
    // The component itself stays, even without a key of its own.
    if (const auto place = tree.find(*unit, path))
        changes.removeKey(*place, false);
    return changes.finish();
}

Result<TextEdits> addComponent(std::string_view definitions, std::string_view type,
                               std::string_view component) {
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    TextChanges changes(tree);
    if (changes.hasPart(*unit, component))
        return fault(std::string(type) + " has a component " + std::string(component) + " already");
    changes.addPart(*unit, component, {});
    return changes.finish();
}

Result<TextEdits> removeComponent(std::string_view definitions, std::string_view type,
                                  std::string_view component, bool inherited) {
    if (inherited)
        return setDefinitionValue(definitions, type, component, "enabled", "false");
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    TextChanges changes(tree);
    if (!changes.hasPart(*unit, component))
        return fault(std::string(type) + " has no component " + std::string(component) + " of its own");
    changes.removePart(*unit, component);
    return changes.finish();
}

namespace {

Result<TextEdits> appendType(std::string_view definitions, std::string_view type, const std::vector<std::string>& lines) {
    const SyntaxTree tree(definitions);
    if (!isTypeName(type))
        return fault(inQuotes(type)
                     + " cannot name an entity type; expected a letter, then letters, digits, _ or -");
    if (tree.table(type) != nullptr)
        return fault("there is an entity type " + std::string(type) + " already");
    TextChanges changes(tree);
    changes.append(lines);
    return changes.finish();
}

} // namespace

Result<TextEdits> addType(std::string_view definitions, std::string_view type, std::string_view extends) {
    std::vector<std::string> lines{"[" + std::string(type) + "]"};
    if (!extends.empty())
        lines.push_back("extends = " + inQuotes(extends));
    return appendType(definitions, type, lines);
}

bool declaresType(std::string_view definitions, std::string_view type) {
    return SyntaxTree(definitions).table(type) != nullptr;
}

Result<TextEdits> addTypeText(std::string_view definitions, std::string_view type, std::string_view declaration) {
    std::vector<std::string> lines;
    while (!declaration.empty()) {
        const std::size_t end = std::min(declaration.find('\n'), declaration.size());
        lines.emplace_back(declaration.substr(0, end));
        declaration.remove_prefix(std::min(end + 1, declaration.size()));
    }
    return appendType(definitions, type, lines);
}

Result<TextEdits> setTableValue(std::string_view text, std::string_view table, std::string_view key,
                                std::string_view value) {
    if (const std::string wrong = valueFault(value); !wrong.empty())
        return fault(wrong);
    const SyntaxTree tree(text);
    TextChanges changes(tree);
    const SyntaxUnit* unit = tree.table(table);
    if (unit == nullptr) {
        changes.append({"[" + tomlKey(table) + "]", dottedKey(key) + " = " + std::string(value)});
    } else if (const auto place = tree.find(*unit, {std::string(key)}, true)) {
        changes.replace(place->value, value);
    } else {
        changes.setKey(*unit, key, value, {});
    }
    return changes.finish();
}

} // namespace sbx::definition
