#include "engine/definition/parent_edit.h"

#include "engine/core/value.h"
#include "engine/definition/scene_editor.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sbx::definition {

namespace {

// "a, in b, in a": the way from `name` up to itself; empty: it does not lead back.
std::string wayRound(const std::string& name, const std::unordered_map<std::string, std::string>& parents) {
    std::string way = name;
    std::unordered_set<std::string> seen;
    for (std::string at = name; seen.insert(at).second;) {
        const auto up = parents.find(at);
        if (up == parents.end())
            return {};
        at = up->second;
        way += ", in " + at;
        if (at == name)
            return way;
    }
    return {}; // round, but not through `name`
}

} // namespace

Result<TextEdits> setInstanceParents(std::string_view scene, const std::vector<InstanceParent>& parents) {
    SceneEditor editor(scene);
    std::unordered_map<std::string, std::string> parentOf;
    for (const SceneUnit& unit : editor.units())
        if (std::string parent = editor.tree.textAt(editor.syntax(unit), "parent"); !parent.empty())
            parentOf.emplace(unit.name, std::move(parent));
    std::unordered_set<std::string> seen;
    for (const InstanceParent& each : parents) {
        const std::string& name = each.place.name;
        const SceneUnit* unit = editor.find(name);
        if (unit == nullptr)
            return editor.unknown(name);
        if (!seen.insert(name).second)
            return Error{name + " is given a parent twice", {}, {}};
        parentOf.erase(name);
        if (each.parent.empty()) {
            if (const auto place = editor.tree.find(editor.syntax(*unit), {"parent"}))
                editor.changes.removeKey(*place, true);
        } else if (editor.find(each.parent) == nullptr) {
            return editor.unknown(each.parent);
        } else {
            parentOf.emplace(name, each.parent);
            editor.setKey(*unit, "parent", inQuotes(each.parent));
        }
        const std::pair<const char*, const std::optional<Vec3>*> keys[] = {
            {"position", &each.place.position}, {"rotation", &each.place.rotation}, {"scale", &each.place.scale}};
        for (const auto& [key, value] : keys) {
            if (!*value)
                continue;
            if (!isFinite(**value))
                return Error{"the new place of " + name + " is not a number; expected finite values", {}, {}};
            if (const Result<Value> fits = instanceKeys().find(key)->check(Value(**value)); !fits)
                return Error{name + ": " + fits.error().message, {}, {}};
            editor.setKey(*unit, key, vectorText(**value));
        }
    }
    for (const InstanceParent& each : parents)
        if (const std::string way = wayRound(each.place.name, parentOf); !way.empty())
            return Error{each.place.name + " cannot be a child of " + each.parent + ", which hangs from it: " + way
                             + "; choose a parent outside of it",
                         {},
                         {}};
    return editor.changes.finish();
}

} // namespace sbx::definition
