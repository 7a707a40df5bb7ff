#include "engine/definition/batch_edit.h"

#include "engine/core/value.h"
#include "engine/definition/scene_editor.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sbx::definition {

namespace {

// Those of `instances`, each once, in the order of the list.
Result<std::vector<const SceneUnit*>> unitsOf(const SceneEditor& editor, const std::vector<std::string>& instances) {
    std::vector<const SceneUnit*> units;
    std::unordered_set<const SceneUnit*> seen;
    units.reserve(instances.size());
    for (const std::string& name : instances) {
        const SceneUnit* unit = editor.find(name);
        if (unit == nullptr)
            return editor.unknown(name);
        if (seen.insert(unit).second)
            units.push_back(unit);
    }
    return units;
}

} // namespace

Result<TextEdits> setInstancePlaces(std::string_view scene, const std::vector<InstancePlace>& places) {
    SceneEditor editor(scene);
    for (const InstancePlace& place : places) {
        const SceneUnit* unit = editor.find(place.name);
        if (unit == nullptr)
            return editor.unknown(place.name);
        const std::pair<const char*, const std::optional<Vec3>*> keys[] = {
            {"position", &place.position}, {"rotation", &place.rotation}, {"scale", &place.scale}};
        for (const auto& [key, value] : keys) {
            if (!*value)
                continue;
            if (!isFinite(**value))
                return Error{"the new place of " + place.name + " is not a number; expected finite values", {}, {}};
            if (const Result<Value> fits = instanceKeys().find(key)->check(Value(**value)); !fits)
                return fits.error();
            editor.setKey(*unit, key, vectorText(**value));
        }
    }
    return editor.changes.finish();
}

Result<TextEdits> setSceneValues(std::string_view scene, const std::vector<InstanceValue>& values, std::string_view component,
                                 std::string_view key) {
    SceneEditor editor(scene);
    std::unordered_set<const SceneUnit*> seen;
    for (const InstanceValue& each : values) {
        const SceneUnit* unit = editor.find(each.name);
        if (unit == nullptr)
            return editor.unknown(each.name);
        if (const std::string wrong = valueFault(each.value); !wrong.empty())
            return Error{each.name + ": " + wrong, {}, {}};
        if (!seen.insert(unit).second)
            continue;
        if (const std::string fault = editor.changes.setInPart(editor.syntax(*unit), component, key, each.value); !fault.empty())
            return Error{fault, {}, {}};
    }
    return editor.changes.finish();
}

Result<TextEdits> setSceneValues(std::string_view scene, const std::vector<std::string>& instances,
                                 std::string_view component, std::string_view key, std::string_view value) {
    const std::string wrong = component.empty() ? instanceKeyFault(key, value) : valueFault(value);
    if (!wrong.empty())
        return Error{wrong, {}, {}};
    if (component.empty() && (key == "type" || key == "name"))
        return Error{"several entities cannot be given one " + std::string(key), {}, {}};
    SceneEditor editor(scene);
    const Result<std::vector<const SceneUnit*>> units = unitsOf(editor, instances);
    if (!units)
        return units.error();
    for (const SceneUnit* unit : *units) {
        if (component.empty())
            editor.setKey(*unit, key, value);
        else if (const std::string fault = editor.changes.setInPart(editor.syntax(*unit), component, key, value); !fault.empty())
            return Error{fault, {}, {}};
    }
    return editor.changes.finish();
}

Result<TextEdits> removeSceneValues(std::string_view scene, const std::vector<std::string>& instances,
                                    std::string_view component, std::string_view key) {
    if (component.empty() && (key == "type" || key == "name"))
        return Error{"an entity keeps its " + std::string(key), {}, {}};
    SceneEditor editor(scene);
    const Result<std::vector<const SceneUnit*>> units = unitsOf(editor, instances);
    if (!units)
        return units.error();
    std::vector<std::string> path{std::string(component), std::string(key)};
    if (component.empty())
        path.erase(path.begin());
    for (const SceneUnit* unit : *units)
        if (const auto place = editor.tree.find(editor.syntax(*unit), path))
            editor.changes.removeKey(*place, true);
    return editor.changes.finish();
}

Result<TextEdits> removeSceneComponents(std::string_view scene, const std::vector<std::string>& instances,
                                        std::string_view component) {
    SceneEditor editor(scene);
    const Result<std::vector<const SceneUnit*>> units = unitsOf(editor, instances);
    if (!units)
        return units.error();
    for (const SceneUnit* unit : *units)
        if (editor.changes.hasPart(editor.syntax(*unit), component))
            editor.changes.removePart(editor.syntax(*unit), component);
    return editor.changes.finish();
}

Result<TextEdits> setInstanceTypes(std::string_view scene, const std::vector<InstanceType>& types) {
    SceneEditor editor(scene);
    std::vector<SceneUnit> after = editor.units();
    std::unordered_set<const SceneUnit*> seen;
    for (const InstanceType& each : types) {
        const SceneUnit* unit = editor.find(each.name);
        if (unit == nullptr)
            return editor.unknown(each.name);
        const std::string value = inQuotes(each.type);
        if (const std::string wrong = instanceKeyFault("type", value); !wrong.empty())
            return Error{each.name + ": " + wrong, {}, {}};
        if (!seen.insert(unit).second)
            continue;
        editor.setKey(*unit, "type", value);
        after[static_cast<std::size_t>(unit - editor.units().data())].type = each.type;
    }
    editor.keepNames(std::move(after));
    return editor.changes.finish();
}

Result<TextEdits> setSceneSettings(std::string_view scene, const std::vector<InstanceSettings>& settings) {
    SceneEditor editor(scene);
    std::unordered_set<std::string> seen;
    for (const InstanceSettings& each : settings) {
        const SceneUnit* unit = editor.find(each.name);
        if (unit == nullptr)
            return editor.unknown(each.name);
        if (!seen.insert(each.name + '\n' + each.component).second)
            return Error{each.name + " is given settings of " + each.component + " twice", {}, {}};
        for (const auto& [key, value] : each.values)
            if (const std::string wrong = valueFault(value); !wrong.empty())
                return Error{each.name + ": " + key + ": " + wrong, {}, {}};
        if (each.values.empty())
            continue;
        const SyntaxUnit& syntax = editor.syntax(*unit);
        const std::optional<KeyPlace> whole = editor.tree.find(syntax, {each.component});
        if (whole && whole->inlineTable.empty() && scene[whole->value.begin] == '{' && scanInlineTable(scene, whole->value).empty()) {
            // Body = {}: all at once, since each of them would be the first.
            std::string entries;
            for (const auto& [key, value] : each.values)
                entries += (entries.empty() ? "" : ", ") + tomlKey(key) + " = " + value;
            editor.changes.replace(whole->value, "{ " + entries + " }");
            continue;
        }
        if (editor.changes.hasPart(syntax, each.component)) {
            for (const auto& [key, value] : each.values)
                if (const std::string fault = editor.changes.setInPart(syntax, each.component, key, value); !fault.empty())
                    return Error{each.name + ": " + fault, {}, {}};
            continue;
        }
        // A table that is not there yet comes with all its lines, indented as the table itself will be.
        std::size_t model = syntax.sections.front();
        for (const std::size_t section : syntax.sections)
            if (editor.tree.statement(editor.tree.sections()[section].first).path.size() == 2)
                model = section;
        const SyntaxStatement& header = editor.tree.statement(editor.tree.sections()[model].first);
        const std::string indent(scene.substr(header.lines.begin, header.text.begin - header.lines.begin));
        std::string lines;
        for (const auto& [key, value] : each.values)
            lines += (lines.empty() ? "" : editor.changes.lineEnd() + indent) + tomlKey(key) + " = " + value;
        editor.changes.addPart(syntax, each.component, lines);
    }
    return editor.changes.finish();
}

Result<InstanceCopies> duplicateInstances(std::string_view scene, const std::vector<std::string>& instances, const Vec3& offset,
                                          const Schema* schema, const Definitions* definitions) {
    if (!isFinite(offset))
        return Error{"a place must be finite numbers", {}, {}};
    SceneEditor editor(scene);
    const Result<std::vector<const SceneUnit*>> asked = unitsOf(editor, instances);
    if (!asked)
        return asked.error();
    const std::vector<SceneUnit>& units = editor.units();
    const auto indexOf = [&](const SceneUnit* unit) { return static_cast<std::size_t>(unit - units.data()); };
    std::vector<std::string> taken;
    taken.reserve(units.size());
    for (const SceneUnit& unit : units)
        taken.push_back(unit.name);
    FreeNames free(taken);

    InstanceCopies out;
    std::vector<bool> copied(units.size(), false);
    std::unordered_map<std::string, std::string> newNames; // by the original's
    out.names.reserve(asked->size());
    for (const SceneUnit* unit : *asked) {
        copied[indexOf(unit)] = true;
        newNames.emplace(unit->name, out.names.emplace_back(free.take(unit->name)));
    }
    markChildren(editor, copied);
    for (std::size_t i = 0; i < units.size(); ++i)
        if (copied[i] && !newNames.contains(units[i].name))
            newNames.emplace(units[i].name, free.take(units[i].name));

    const std::vector<std::vector<std::string>> references =
        schema != nullptr ? referencePaths(*schema) : std::vector<std::vector<std::string>>{{"parent"}};
    std::vector<SceneUnit> after;
    after.reserve(units.size() + newNames.size());
    for (std::size_t i = 0; i < units.size(); ++i) {
        after.push_back(units[i]);
        if (!copied[i])
            continue;
        const std::string& name = newNames.at(units[i].name);
        const bool carried = newNames.contains(editor.tree.textAt(editor.syntax(units[i]), "parent"));
        Result<std::string> copy = editor.copyOf(units[i], name, carried ? Vec3(0.0F) : offset);
        if (!copy)
            return copy.error();
        SceneEditor own(*copy);
        if (own.units().size() == 1) {
            eachReference(own, own.units().front(), references,
                          [&](const std::vector<std::string>&, const KeyPlace& place, const std::string& to) {
                              if (const auto other = newNames.find(to); other != newNames.end())
                                  own.changes.replace(place.value, inQuotes(other->second));
                          });
            std::vector<InheritedReference> inherited;
            if (definitions != nullptr)
                inherited = inheritedReferences(own, own.units().front(), references, *definitions);
            Result<std::string> wired = applyEdits(*copy, own.changes.finish());
            for (const InheritedReference& reference : inherited) {
                const auto other = newNames.find(reference.name);
                if (other == newNames.end() || !wired)
                    continue;
                const Result<TextEdits> set = setSceneValue(*wired, name, reference.component, reference.key, inQuotes(other->second));
                if (!set)
                    return set.error();
                wired = applyEdits(*wired, *set);
            }
            if (!wired)
                return wired.error();
            editor.changes.insertAfter(editor.syntax(units[i]), *wired);
        } else {
            editor.changes.insertAfter(editor.syntax(units[i]), *copy);
        }
        after.push_back(SceneUnit{0, name, name, units[i].type});
    }
    editor.keepNames(std::move(after));
    out.edits = editor.changes.finish();
    return out;
}

} // namespace sbx::definition
