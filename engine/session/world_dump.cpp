#include "engine/session/world_dump.h"

#include "engine/core/columns.h"
#include "engine/core/value.h"

#include <unordered_map>

namespace sbx {

namespace {

template <typename V> std::string listOf(const V& v, int count) {
    std::string out = "[";
    for (int i = 0; i < count; ++i)
        out += (i == 0 ? "" : ",") + formatFloat(v[i]);
    return out + "]";
}

// "Mesh", and "Mesh#2" for the second of a kind.
template <typename Visit> void forEachComponent(const Entity& entity, Visit&& visit) {
    std::unordered_map<const ComponentType*, int> seen;
    for (const Entity::ComponentRef& ref : entity.components()) {
        const int number = ++seen[ref.type];
        visit(number == 1 ? ref.type->name : ref.type->name + "#" + std::to_string(number), ref);
    }
}

std::string position(const Entity& entity) {
    FieldInfo field;
    field.type = FieldType::Vector3;
    return field.format(entity.pose().position);
}

} // namespace

std::string entityJson(const World& world, const Entity& entity) {
    const Quat& q = entity.pose().rotation;
    std::string out = "{\"world\":" + inQuotes(world.desc().name) + ",\"id\":\"" + std::to_string(entity.id().bits)
                      + "\",\"name\":" + inQuotes(entity.name()) + ",\"type\":" + inQuotes(entity.type().name())
                      + ",\"position\":" + listOf(entity.pose().position, 3)
                      + ",\"rotation\":" + listOf(Vec4(q.x, q.y, q.z, q.w), 4) + ",\"components\":{";
    bool first = true;
    forEachComponent(entity, [&](const std::string& name, const Entity::ComponentRef& ref) {
        out += (first ? "" : ",") + inQuotes(name) + ":";
        first = false;
        std::string fields = ref.type->settings->formatJson(ref.type->settingsOf(ref.component));
        if (ref.type->stateOf != nullptr && !ref.type->state->empty()) {
            const std::string state = ref.type->state->formatJson(ref.type->stateOf(ref.component));
            fields.pop_back();
            fields += (fields.size() > 1 ? "," : "") + state.substr(1);
        }
        out += fields;
    });
    return out + "}}";
}

std::string worldJson(const World& world) {
    std::string out = "{\"tick\":" + std::to_string(world.tickCount()) + ",\"entities\":[";
    bool first = true;
    world.forEach([&](const Entity& entity) {
        out += (first ? "" : ",") + entityJson(world, entity);
        first = false;
    });
    return out + "]}";
}

std::string worldText(const World& world) {
    std::string out = "world " + world.desc().name + ", tick " + std::to_string(world.tickCount()) + ", "
                      + std::to_string(world.entityCount())
                      + (world.entityCount() == 1 ? " entity" : " entities");
    std::vector<std::vector<std::string>> rows;
    world.forEach([&](const Entity& entity) {
        rows.push_back({entity.name(), entity.type().name(), position(entity)});
        if (entity.parent())
            rows.back().push_back("in " + world.nameOf(entity.parent()));
    });
    for (const std::string& line : inColumns(rows))
        out += "\n" + line;
    return out;
}

std::string entityText(const World& world, const Entity& entity) {
    std::string out = entity.name() + "  " + entity.type().name() + "  " + position(entity);
    if (entity.parent())
        out += "  in " + world.nameOf(entity.parent());
    const auto lines = [&](const std::string& component, const FieldTable& fields, const void* object) {
        for (const FieldInfo& field : fields) {
            const Value value = field.read(object);
            const auto* named = std::get_if<EntityId>(&value);
            out += "\n  " + component + "." + field.name + " = "
                   + (named != nullptr ? (*named ? world.nameOf(*named) : "none") : field.formatToml(value))
                   + (field.unit.empty() ? "" : " " + field.unit);
        }
    };
    forEachComponent(entity, [&](const std::string& name, const Entity::ComponentRef& ref) {
        if (ref.type->settings->empty() && ref.type->state->empty())
            out += "\n  " + name;
        lines(name, *ref.type->settings, ref.type->settingsOf(ref.component));
        if (ref.type->stateOf != nullptr)
            lines(name, *ref.type->state, ref.type->stateOf(ref.component));
    });
    return out;
}

} // namespace sbx
