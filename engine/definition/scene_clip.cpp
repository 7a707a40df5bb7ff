#include "engine/definition/scene_clip.h"

#include "engine/core/value.h"
#include "engine/definition/batch_edit.h"
#include "engine/definition/checks.h"
#include "engine/definition/scene_editor.h"
#include "engine/definition/toml_document.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace sbx::definition {

namespace {

using NewNames = std::unordered_map<std::string, std::string>; // by the name in the text

Error clipFault(std::string what) { return Error{std::move(what), {}, {}}; }

// What a reader of scenes finds wrong with the text by itself; parents that the scene has to provide are not required.
std::optional<Error> faultOf(std::string_view clip, const Definitions& definitions, const Schema& schema) {
    SceneEditor alone(clip);
    for (const SceneUnit& unit : alone.units()) {
        const auto place = alone.tree.find(alone.syntax(unit), {"parent"});
        const std::optional<std::string> parent = place ? unquoteToml(place->value.of(clip)) : std::nullopt;
        if (parent && alone.find(*parent) == nullptr)
            alone.changes.replace(place->value, "\"\"");
    }
    const Result<std::string> text = applyEdits(clip, alone.changes.finish());
    if (!text)
        return text.error();
    Diagnostics sink;
    static_cast<void>(Scene::load(*text, {}, definitions, schema, sink));
    sink.sort();
    for (const Diagnostic& fault : sink.items)
        if (fault.severity == Severity::Error)
            return clipFault((fault.region.line > 0 ? "line " + std::to_string(fault.region.line) + ": " : "") + fault.message());
    return std::nullopt;
}

} // namespace

Result<std::string> copyInstances(std::string_view scene, const std::vector<std::string>& names) {
    const SceneEditor editor(scene);
    const std::vector<SceneUnit>& units = editor.units();
    std::vector<bool> taken(units.size(), false);
    for (const std::string& name : names) {
        const SceneUnit* unit = editor.find(name);
        if (unit == nullptr)
            return editor.unknown(name);
        taken[static_cast<std::size_t>(unit - units.data())] = true;
    }
    markChildren(editor, taken);
    std::string out;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (!taken[i])
            continue;
        std::string text = editor.changes.textOf(editor.syntax(units[i]));
        if (units[i].givenName.empty()) {
            SceneEditor own(text);
            if (own.units().size() != 1)
                return clipFault("the text of " + units[i].name + " is faulty");
            own.setKey(own.units().front(), "name", inQuotes(units[i].name));
            Result<std::string> named = applyEdits(text, own.changes.finish());
            if (!named)
                return named.error();
            text = std::move(*named);
        }
        if (!out.empty())
            out += text.ends_with("\r\n") ? "\r\n" : "\n";
        out += text;
    }
    return out;
}

Result<PastedInstances> pasteInstances(std::string_view scene, std::string_view text, const Definitions& definitions,
                                       const Schema& schema) {
    if (const std::optional<Diagnostic> fault = lengthFault(text, {}))
        return clipFault("the text is too long: " + fault->message());
    SceneEditor clip(text);
    if (clip.units().empty())
        return clipFault("there are no entities in it; expected [[entity]] tables as in a scene file");
    if (std::optional<Error> fault = faultOf(text, definitions, schema))
        return std::move(*fault);

    SceneEditor editor(scene);
    std::vector<std::string> takenNames;
    takenNames.reserve(editor.units().size());
    for (const SceneUnit& unit : editor.units())
        takenNames.push_back(unit.name);
    FreeNames free(takenNames);
    PastedInstances out;
    NewNames newNames;
    for (const SceneUnit& unit : clip.units())
        newNames.emplace(unit.name, out.names.emplace_back(free.take(unit.name)));

    const std::vector<std::vector<std::string>> references = referencePaths(schema);
    for (std::size_t i = 0; i < clip.units().size(); ++i) {
        const SceneUnit& unit = clip.units()[i];
        if (unit.givenName != out.names[i])
            clip.setKey(unit, "name", inQuotes(out.names[i]));
        eachReference(clip, unit, references,
                      [&](const std::vector<std::string>& path, const KeyPlace& place, const std::string& name) {
                          if (const auto other = newNames.find(name); other != newNames.end()) {
                              if (other->second != name)
                                  clip.changes.replace(place.value, inQuotes(other->second));
                          } else if (path.size() == 1 && editor.find(name) == nullptr) {
                              clip.changes.removeKey(place, false);
                              out.roots.push_back(out.names[i]);
                          }
                      });
    }
    // Names that an instance has from its type: a door's trigger whose type names the door. By component and key.
    std::map<std::pair<std::string, std::string>, std::vector<InstanceValue>> inherited;
    for (std::size_t i = 0; i < clip.units().size(); ++i)
        for (const InheritedReference& reference : inheritedReferences(clip, clip.units()[i], references, definitions))
            if (const auto other = newNames.find(reference.name); other != newNames.end() && other->second != reference.name)
                inherited[{reference.component, reference.key}].push_back({out.names[i], inQuotes(other->second)});
    Result<std::string> renamed = applyEdits(text, clip.changes.finish());
    for (const auto& [setting, values] : inherited) {
        if (!renamed)
            break;
        const Result<TextEdits> set = setSceneValues(*renamed, values, setting.first, setting.second);
        if (!set)
            return set.error();
        renamed = applyEdits(*renamed, *set);
    }
    if (!renamed)
        return renamed.error();

    const SceneEditor ready(*renamed);
    std::vector<std::string> lines;
    std::vector<SceneUnit> after = editor.units();
    for (const SceneUnit& unit : ready.units()) {
        if (!lines.empty())
            lines.emplace_back();
        for (std::string& line : textLines(ready.changes.textOf(ready.syntax(unit))))
            lines.push_back(std::move(line));
        after.push_back(SceneUnit{0, unit.name, unit.name, unit.type});
    }
    editor.changes.append(lines);
    editor.keepNames(std::move(after));
    out.edits = editor.changes.finish();
    return out;
}

} // namespace sbx::definition
