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
    // Whoever comes by here again goes straight on.
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

} // namespace sbx::definition
