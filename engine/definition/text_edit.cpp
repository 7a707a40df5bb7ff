#include "engine/definition/text_edit.h"

#include "engine/core/nearest.h"
#include "engine/core/value.h"
#include "engine/definition/checks.h"
#include "engine/definition/syntax_tree.h"
#include "engine/definition/text_changes.h"
#include "engine/definition/toml_document.h"

#include <algorithm>
#include <set>

namespace sbx::definition {

namespace {

Error fault(std::string what) { return Error{std::move(what), {}, {}}; }

// Empty if the text is one well-formed value.
std::string valueFault(std::string_view value) {
    const Result<SourceValue> parsed = parseTomlValue(value);
    return parsed ? std::string() : std::string(value) + " cannot stand here: " + parsed.error().message;
}

std::string vectorText(const Vec3& v) { return instanceKeys().find("position")->formatToml(Value(v)); }

// Finding an instance by name, and keeping the derived names of the others when something changes.
class SceneEditor {
public:
    explicit SceneEditor(std::string_view text) : tree(text), changes(tree), m_units(sceneUnits(tree)) {}

    [[nodiscard]] const SceneUnit* find(std::string_view name) const {
        const auto it =
            std::find_if(m_units.begin(), m_units.end(), [&](const SceneUnit& u) { return u.name == name; });
        return it == m_units.end() ? nullptr : &*it;
    }
    [[nodiscard]] const std::vector<SceneUnit>& units() const { return m_units; }
    [[nodiscard]] const SyntaxUnit& syntax(const SceneUnit& unit) const { return tree.units()[unit.unit]; }
    [[nodiscard]] Error unknown(std::string_view name) const {
        std::vector<std::string> names;
        for (const SceneUnit& unit : m_units)
            names.push_back(unit.name);
        const std::string near = nearestName(name, names);
        return fault("the scene has no entity " + inQuotes(name)
                     + (near.empty() ? "" : "; did you mean " + near + "?"));
    }
    void setKey(const SceneUnit& unit, std::string_view key, std::string_view value) {
        changes.setKey(syntax(unit), key, value, instanceKeys().names());
    }
    // `after`: the scene as it will be, without the units that go; those whose derived name would change get
    // it in writing.
    void keepNames(std::vector<SceneUnit> after);

    SyntaxTree tree;
    TextChanges changes;

private:
    std::vector<SceneUnit> m_units;
};

void SceneEditor::keepNames(std::vector<SceneUnit> after) {
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<NameAndType> given;
        for (const SceneUnit& unit : after)
            given.push_back({unit.givenName, unit.type});
        const std::vector<std::string> names = instanceNames(given);
        for (std::size_t i = 0; i < after.size(); ++i) {
            if (!after[i].givenName.empty() || names[i] == after[i].name)
                continue;
            after[i].givenName = after[i].name;
            setKey(after[i], "name", inQuotes(after[i].name));
            changed = true;
        }
    }
}

// Checks a value for one of an instance's own keys.
std::string instanceKeyFault(std::string_view key, std::string_view value) {
    const FieldInfo* field = instanceKeys().find(key);
    if (field == nullptr)
        return "an entity has no key " + inQuotes(key) + "; expected " + oneOf(instanceKeys().names());
    const Result<SourceValue> parsed = parseTomlValue(value);
    if (!parsed)
        return std::string(value) + " cannot stand here: " + parsed.error().message;
    Diagnostics sink;
    Value ignored;
    return field->fromSource(*parsed, ignored, sink, {}) ? std::string() : sink.items.front().message();
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
        return fault(inQuotes(chosen) + " cannot name an entity");
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
    std::set<std::string, std::less<>> going;
    for (const std::string& name : names) {
        if (editor.find(name) == nullptr)
            return editor.unknown(name);
        going.insert(name);
    }
    std::vector<std::pair<std::string, std::string>> parents; // of each unit: name, parent
    for (const SceneUnit& unit : editor.units())
        parents.emplace_back(unit.name, editor.tree.textAt(editor.syntax(unit), "parent"));
    for (bool grown = true; grown;) {
        grown = false;
        for (const auto& [name, parent] : parents)
            grown = (!parent.empty() && going.contains(parent) && going.insert(name).second) || grown;
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
        return fault(inQuotes(newName) + " cannot name an entity");
    if (editor.find(newName) != nullptr)
        return fault("the name " + inQuotes(newName) + " is taken");
    if (!isFinite(offset))
        return fault("a place must be finite numbers");
    Vec3 position(0.0F);
    if (const auto place = editor.tree.find(editor.syntax(*unit), {"position"})) {
        const Result<SourceValue> parsed = parseTomlValue(place->value.of(scene));
        Diagnostics sink;
        Value value;
        if (!parsed || !instanceKeys().find("position")->fromSource(*parsed, value, sink, {}))
            return fault("the position of " + std::string(name) + " is faulty");
        position = std::get<Vec3>(value);
    }
    // The copy is a scene of one entity, to be edited like any other.
    const std::string copy = editor.changes.textOf(editor.syntax(*unit));
    SceneEditor inner(copy);
    if (inner.units().size() != 1)
        return fault("the text of " + std::string(name) + " is faulty");
    inner.setKey(inner.units().front(), "name", inQuotes(newName));
    if (offset != Vec3(0.0F))
        inner.setKey(inner.units().front(), "position", vectorText(position + offset));
    const Result<std::string> changed = applyEdits(copy, inner.changes.finish());
    if (!changed)
        return changed.error();
    editor.changes.insertAfter(editor.syntax(*unit), *changed);
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
        return fault(inQuotes(newName) + " cannot name an entity");
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
                if (field.type == FieldType::Entity
                    || (field.type == FieldType::String && field.role == TextRole::EntityName))
                    follow(other, {component.name, field.name});
        }
    }
    std::vector<SceneUnit> after = editor.units();
    SceneUnit& renamed = after[static_cast<std::size_t>(unit - editor.units().data())];
    renamed.givenName = renamed.name = newName;
    editor.keepNames(std::move(after));
    return editor.changes.finish();
}

std::vector<std::string> sceneInstanceNames(std::string_view scene) {
    std::vector<std::string> out;
    for (SceneUnit& unit : sceneUnits(SyntaxTree(scene)))
        out.push_back(std::move(unit.name));
    return out;
}

std::string freeInstanceName(std::string_view scene, std::string_view wanted) {
    const std::vector<std::string> list = sceneInstanceNames(scene);
    const std::set<std::string, std::less<>> taken(list.begin(), list.end());
    if (!taken.contains(wanted))
        return std::string(wanted);
    // "crate_7" goes on with "crate_8".
    std::string base(wanted);
    std::size_t number = 2;
    const std::size_t digits = base.find_last_not_of("0123456789");
    if (digits != std::string::npos && digits > 0 && base[digits] == '_' && digits + 1 < base.size()
        && base.size() - digits < 8) {
        number = std::stoul(base.substr(digits + 1)) + 1;
        base.resize(digits);
    }
    while (taken.contains(base + "_" + std::to_string(number)))
        ++number;
    return base + "_" + std::to_string(number);
}

namespace {

Error unknownType(const SyntaxTree& tree, std::string_view type) {
    std::vector<std::string> names;
    for (const SyntaxUnit& unit : tree.units())
        if (!unit.element && !unit.name.empty())
            names.push_back(unit.name);
    const std::string near = nearestName(type, names);
    return fault("this file has no entity type " + inQuotes(type)
                 + (near.empty() ? "" : "; did you mean " + near + "?"));
}

} // namespace

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

Result<TextEdits> addType(std::string_view definitions, std::string_view type, std::string_view extends) {
    const SyntaxTree tree(definitions);
    if (!isTypeName(type))
        return fault(inQuotes(type)
                     + " cannot name an entity type; expected a letter, then letters, digits, _ or -");
    if (tree.table(type) != nullptr)
        return fault("there is an entity type " + std::string(type) + " already");
    TextChanges changes(tree);
    std::vector<std::string> lines{"[" + std::string(type) + "]"};
    if (!extends.empty())
        lines.push_back("extends = " + inQuotes(extends));
    changes.append(lines);
    return changes.finish();
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
