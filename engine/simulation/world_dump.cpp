#include "engine/simulation/world_dump.h"

#include "engine/core/columns.h"
#include "engine/core/component_name.h"
#include "engine/core/field_json.h"

#include <initializer_list>

namespace sbx {

namespace {

template <typename Visit> void forEachComponent(const Entity& entity, Visit&& visit) {
    ComponentNumbering numbering;
    for (const Entity::ComponentRef& ref : entity.components())
        visit(numbering.nextName(ref.type->name), ref);
}

void writeList(JsonWriter& json, std::initializer_list<float> elements) {
    json.beginArray();
    for (const float element : elements)
        json.value(element);
    json.endArray();
}

void writeEntity(JsonWriter& json, const World& world, const Entity& entity) {
    const Vec3& at = entity.pose().position;
    const Quat& q = entity.pose().rotation;
    json.beginObject().member("world", world.desc().name).member("id", std::to_string(entity.id().bits));
    json.member("name", entity.name()).member("type", entity.type().name());
    writeList(json.key("position"), {at.x, at.y, at.z});
    writeList(json.key("rotation"), {q.x, q.y, q.z, q.w});
    json.key("components").beginObject();
    forEachComponent(entity, [&](const std::string& name, const Entity::ComponentRef& ref) {
        json.key(name).beginObject();
        writeMembers(json, *ref.type->settings, ref.type->settingsOf(ref.component));
        if (ref.type->stateOf != nullptr)
            writeMembers(json, *ref.type->state, ref.type->stateOf(ref.component));
        json.endObject();
    });
    json.endObject().endObject();
}

std::string position(const Entity& entity) {
    FieldInfo field;
    field.type = FieldType::Vector3;
    return field.format(entity.pose().position);
}

} // namespace

std::string entityJson(const World& world, const Entity& entity) {
    JsonWriter json;
    writeEntity(json, world, entity);
    return std::move(json).take();
}

std::string worldJson(const World& world) {
    JsonWriter json;
    json.beginObject().member("tick", world.tickCount()).key("entities").beginArray();
    world.forEach([&](const Entity& entity) { writeEntity(json, world, entity); });
    return std::move(json.endArray().endObject()).take();
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
