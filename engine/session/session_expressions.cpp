// What paths and count() mean in the conditions and watches of a session.

#include "engine/core/expression.h"
#include "engine/core/nearest.h"
#include "engine/session/session.h"
#include "engine/session/unknown_names.h"
#include "engine/simulation/entity_filter.h"

#include <algorithm>

namespace sbx {

namespace {
// Of what a path names that valueAt() has found; empty: it has none.
std::string unitAt(const World& world, const CVarRegistry& cvars, std::string_view path) {
    if (const std::optional<CVarInfo> cvar = cvars.describe(path))
        return cvar->field.unit;
    if (path == "tick")
        return "ticks";
    std::string_view parts[3]; // entity, component, field
    for (std::string_view& part : parts) {
        const std::size_t end = std::min(path.find('.'), path.size());
        part = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    const Entity entity = world.find(parts[0]);
    if (entity && parts[1] == "position")
        return "m";
    const Entity::ComponentRef ref = entity ? entity.component(parts[1]) : Entity::ComponentRef();
    if (ref.type == nullptr)
        return {};
    const FieldInfo* field = ref.type->state->find(parts[2]);
    if (field == nullptr)
        field = ref.type->settings->find(parts[2]);
    return field != nullptr ? field->unit : std::string();
}

Result<std::int64_t> countEntities(Simulation& simulation, std::string_view text) {
    const EntityFilterSchema& schema = *simulation.catalog()->entityFields;
    const Result<Filter> filter = Filter::compile(text, schema.schema());
    if (!filter)
        return filter.error();
    std::int64_t count = 0;
    eachMatch(simulation.world(), schema, *filter, [&](const Entity&) { ++count; });
    return count;
}
} // namespace

ExpressionContext Session::expressionContext(Simulation& simulation, Hints hints) {
    ExpressionContext names;
    names.path = [this, &simulation, hints](std::string_view path) { return valueAt(simulation.world(), path, hints); };
    names.unit = [this, &simulation](std::string_view path) {
        return unitAt(simulation.world(), m_console.lineCVars(), path);
    };
    names.ticksPerSecond = simulation.world().desc().tickRate;
    names.count = [&simulation](std::string_view filter) { return countEntities(simulation, filter); };
    return names;
}

Result<Value> Session::valueAt(const World& world, std::string_view path, Hints hints) const {
    if (const std::optional<CVarInfo> cvar = m_console.lineCVars().describe(path)) {
        if (has(cvar->flags, CVarFlags::Protected))
            return Error{cvar->field.name + " is protected: it is set, and never shown", {}, {}};
        return cvar->value;
    }
    if (path == "tick")
        return Value(static_cast<std::int64_t>(world.tickCount()));
    const std::size_t first = path.find('.');
    const std::string name(path.substr(0, first));
    const Entity entity = world.find(name);
    if (!entity)
        return hints == Hints::None ? unknownName("entity", name, std::string())
                                    : unknownPath(m_console.lineCVars(), world, std::string(path));
    if (first == std::string_view::npos)
        return Value(true); // it lives
    const std::string_view rest = path.substr(first + 1);
    const auto element = [&](const Vec3& v, std::string_view axis) -> Result<Value> {
        if (axis == "x" || axis == "y" || axis == "z")
            return Value(asWritten(v[axis[0] - 'x']));
        return Error{inQuotes(axis) + " is no axis; expected x, y or z", {}, {}};
    };
    if (rest.starts_with("position."))
        return element(entity.pose().position, rest.substr(9));
    const std::size_t second = rest.find('.');
    const std::string component(rest.substr(0, second));
    const Entity::ComponentRef ref = entity.component(component);
    if (ref.type == nullptr) {
        std::vector<std::string> names;
        for (const Entity::ComponentRef& c : entity.components())
            names.push_back(c.type->name);
        const std::string near = nearestName(component, names);
        return Error{name + " has no component " + inQuotes(component)
                         + (near.empty() ? "" : "; did you mean " + near + "?"),
                     {},
                     {}};
    }
    if (second == std::string_view::npos)
        return Value(true);
    std::string_view fieldName = rest.substr(second + 1);
    std::string_view axis;
    if (const std::size_t third = fieldName.find('.'); third != std::string_view::npos) {
        axis = fieldName.substr(third + 1);
        fieldName = fieldName.substr(0, third);
    }
    const void* object = nullptr;
    const FieldInfo* field = ref.type->state->find(fieldName);
    if (field != nullptr) {
        object = ref.type->stateOf(ref.component);
    } else {
        field = ref.type->settings->find(fieldName);
        object = ref.type->settingsOf(ref.component);
    }
    if (field == nullptr) {
        std::vector<std::string> names = ref.type->state->names();
        for (const std::string& setting : ref.type->settings->names())
            names.push_back(setting);
        const std::string near = nearestName(fieldName, names);
        return Error{component + " has no field " + inQuotes(fieldName)
                         + (near.empty() ? "" : "; did you mean " + near + "?"),
                     {},
                     {}};
    }
    Value value = field->read(object);
    if (axis.empty()) {
        if (const auto* number = std::get_if<double>(&value); number != nullptr && field->singlePrecision)
            return Value(asWritten(static_cast<float>(*number)));
        return value;
    }
    std::string names;
    for (std::size_t i = 0; i < elementCount(field->type); ++i) {
        if (elementName(field->type, i) == axis)
            return Value(asWritten(static_cast<float>(elementOf(value, i).value_or(0.0))));
        names += (i == 0 ? "" : ", ") + std::string(elementName(field->type, i));
    }
    return Error{inQuotes(fieldName)
                     + (names.empty() ? " has no elements"
                                      : " has no " + inQuotes(axis) + "; expected one of " + names),
                 {},
                 {}};
}

} // namespace sbx
