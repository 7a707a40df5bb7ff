#include "engine/definition/scene_editor.h"

#include "engine/core/nearest.h"
#include "engine/core/value.h"
#include "engine/definition/checks.h"
#include "engine/definition/toml_document.h"

namespace sbx::definition {

SceneEditor::SceneEditor(std::string_view text) : tree(text), changes(tree), m_units(sceneUnits(tree)) {
    m_byName.reserve(m_units.size());
    for (std::size_t i = 0; i < m_units.size(); ++i)
        m_byName.emplace(m_units[i].name, i);
}

const SceneUnit* SceneEditor::find(std::string_view name) const {
    const auto it = m_byName.find(name);
    return it == m_byName.end() ? nullptr : &m_units[it->second];
}

Error SceneEditor::unknown(std::string_view name) const {
    std::vector<std::string> names;
    for (const SceneUnit& unit : m_units)
        names.push_back(unit.name);
    const std::string near = nearestName(name, names);
    return Error{"the scene has no entity " + inQuotes(name) + (near.empty() ? "" : "; did you mean " + near + "?"),
                 {},
                 {}};
}

void SceneEditor::keepNames(std::vector<SceneUnit> after) {
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<NameAndType> given;
        given.reserve(after.size());
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

Result<std::string> SceneEditor::copyOf(const SceneUnit& unit, std::string_view newName, const Vec3& offset) const {
    Vec3 position(0.0F);
    if (const auto place = tree.find(syntax(unit), {"position"})) {
        const Result<SourceValue> parsed = parseTomlValue(place->value.of(tree.text()));
        Diagnostics sink;
        Value value;
        if (!parsed || !instanceKeys().find("position")->fromSource(*parsed, value, sink, {}))
            return Error{"the position of " + unit.name + " is faulty", {}, {}};
        position = std::get<Vec3>(value);
    }
    // The copy is a scene of one entity, to be edited like any other.
    const std::string copy = changes.textOf(syntax(unit));
    SceneEditor inner(copy);
    if (inner.units().size() != 1)
        return Error{"the text of " + unit.name + " is faulty", {}, {}};
    inner.setKey(inner.units().front(), "name", inQuotes(newName));
    if (offset != Vec3(0.0F))
        inner.setKey(inner.units().front(), "position", vectorText(position + offset));
    return applyEdits(copy, inner.changes.finish());
}

std::string FreeNames::take(std::string_view wanted) {
    std::string name(wanted);
    if (m_taken.insert(name).second)
        return name;
    // "crate_7" goes on with "crate_8".
    std::string base(wanted);
    std::size_t number = 2;
    const std::size_t digits = base.find_last_not_of("0123456789");
    if (digits != std::string::npos && digits > 0 && base[digits] == '_' && digits + 1 < base.size()
        && base.size() - digits < 8) {
        number = std::stoul(base.substr(digits + 1)) + 1;
        base.resize(digits);
    }
    name = base + "_" + std::to_string(freeNumber(base, number));
    m_taken.insert(name);
    return name;
}

std::size_t FreeNames::freeNumber(const std::string& base, std::size_t from) {
    std::unordered_map<std::size_t, std::size_t>& next = m_next[base];
    std::size_t number = from;
    std::vector<std::size_t> passed;
    for (;;) {
        if (const auto known = next.find(number); known != next.end()) {
            passed.push_back(number);
            number = known->second;
        } else if (m_taken.contains(base + "_" + std::to_string(number))) {
            passed.push_back(number);
            ++number;
        } else {
            break;
        }
    }
    // The next search that comes by here goes straight on.
    for (const std::size_t before : passed)
        next[before] = number;
    return number;
}

std::string valueFault(std::string_view value) {
    const Result<SourceValue> parsed = parseTomlValue(value);
    return parsed ? std::string() : std::string(value) + " cannot stand here: " + parsed.error().message;
}

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

std::string vectorText(const Vec3& v) { return instanceKeys().find("position")->formatToml(Value(v)); }

namespace {

// What stands in an instance: its own keys and the components it overrides. Spares looking for what cannot be there.
std::unordered_set<std::string> keysOf(const SceneEditor& editor, const SceneUnit& unit) {
    std::unordered_set<std::string> keys;
    for (const std::size_t index : editor.syntax(unit).sections) {
        const SyntaxSection& section = editor.tree.sections()[index];
        if (const std::vector<std::string> path = editor.tree.pathOf(section); !path.empty()) {
            keys.insert(path.front());
            continue;
        }
        for (std::size_t i = section.first; i < section.last; ++i)
            if (const SyntaxStatement& statement = editor.tree.statement(i);
                statement.kind == SyntaxStatement::Kind::KeyValue && !statement.path.empty())
                keys.insert(statement.path.front().name);
    }
    return keys;
}

} // namespace

std::vector<std::vector<std::string>> referencePaths(const Schema& schema) {
    std::vector<std::vector<std::string>> paths{{"parent"}};
    for (const ComponentSchema& component : schema.components()) {
        if (component.settings == nullptr)
            continue;
        for (const FieldInfo& field : *component.settings)
            if (field.type == FieldType::Entity || (field.type == FieldType::String && field.role == TextRole::EntityName))
                paths.push_back({component.name, field.name});
    }
    return paths;
}

void eachReference(const SceneEditor& editor, const SceneUnit& unit, const std::vector<std::vector<std::string>>& paths,
                   const std::function<void(const std::vector<std::string>&, const KeyPlace&, const std::string&)>& visit) {
    const std::unordered_set<std::string> keys = keysOf(editor, unit);
    for (const std::vector<std::string>& path : paths) {
        if (!keys.contains(path.front()))
            continue;
        const auto place = editor.tree.find(editor.syntax(unit), path);
        const std::optional<std::string> name = place ? unquoteToml(place->value.of(editor.tree.text())) : std::nullopt;
        if (name && !name->empty())
            visit(path, *place, *name);
    }
}

std::vector<InheritedReference> inheritedReferences(const SceneEditor& editor, const SceneUnit& unit,
                                                    const std::vector<std::vector<std::string>>& paths, const Definitions& definitions) {
    std::vector<InheritedReference> inherited;
    const EntityTypeDefinition* type = definitions.find(unit.type);
    for (const std::vector<std::string>& path : paths) {
        const ComponentDefinition* component = type != nullptr && path.size() == 2 ? type->find(path[0]) : nullptr;
        const Setting* setting = component != nullptr ? component->find(path[1]) : nullptr;
        const auto* name = setting != nullptr ? std::get_if<std::string>(&setting->value) : nullptr;
        if (name != nullptr && !name->empty() && !editor.tree.find(editor.syntax(unit), path))
            inherited.push_back({path[0], path[1], *name});
    }
    return inherited;
}

// From the top down.
void markChildren(const SceneEditor& editor, std::vector<bool>& marked) {
    const std::vector<SceneUnit>& units = editor.units();
    std::unordered_map<std::string, std::vector<std::size_t>> children;
    for (std::size_t i = 0; i < units.size(); ++i)
        if (std::string parent = editor.tree.textAt(editor.syntax(units[i]), "parent"); !parent.empty())
            children[std::move(parent)].push_back(i);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < units.size(); ++i)
        if (marked[i])
            open.push_back(i);
    while (!open.empty()) {
        const auto below = children.find(units[open.back()].name);
        open.pop_back();
        if (below == children.end())
            continue;
        for (const std::size_t child : below->second)
            if (!marked[child]) {
                marked[child] = true;
                open.push_back(child);
            }
    }
}

} // namespace sbx::definition
