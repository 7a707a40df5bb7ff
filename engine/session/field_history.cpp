#include "engine/session/field_history.h"

#include "engine/core/component_name.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace sbx {

namespace {

// The place as fields: described once, so that it is written as the inspector writes it.
struct PlaceFields {
    Vec3 position{0.0F};
    Quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
    Vec3 scale{1.0F};
    static void describe(FieldList<PlaceFields>& f) {
        f.add("position", &PlaceFields::position, "In the parent's frame.");
        f.add("rotation", &PlaceFields::rotation, "In the parent's frame.");
        f.add("scale", &PlaceFields::scale, "In the parent's frame.");
    }
};
const FieldTable& placeTable() {
    static const FieldTable table = fieldsOf<PlaceFields>();
    return table;
}
PlaceFields placeOf(const World& world, EntityId entity) {
    const Pose pose = world.find(entity).local();
    return {pose.position, pose.rotation, pose.scale};
}

const FieldTable& tableOf(const ComponentType* type) { return type != nullptr ? *type->state : placeTable(); }

// "Mesh#2" of the entity that the moment is about.
std::string handlerName(const HandlerMoment& moment) {
    std::string out;
    ComponentNumbering numbering;
    moment.world.find(moment.envelope.receiver).eachComponent([&](const Entity::ComponentRef& ref) {
        std::string name = numbering.nextName(ref.type->name);
        if (ref.component == moment.component)
            out = std::move(name);
    });
    return out;
}

} // namespace

void FieldHistory::restart() {
    m_entities.clear();
    m_running.clear();
}

// Entities that are watched from now on, or again: what they are now is what later changes are compared with.
void FieldHistory::begin(World& world, EntityId entity) {
    if (!world.alive(entity))
        return;
    Watched& watched = m_entities[entity.bits];
    const bool anew = !watched.active;
    watched.active = true;
    follow(world, entity, watched);
    if (!anew)
        return;
    watched.since = world.tickCount();
    for (Part& part : watched.parts) {
        const PlaceFields place = placeOf(world, entity);
        const void* const object = part.type == nullptr ? &place : part.type->stateOf(part.component);
        for (std::size_t i = 0; i < part.fields.size(); ++i)
            part.fields[i].value = tableOf(part.type).fields()[i].read(object);
    }
}

void FieldHistory::follow(World& world, EntityId entity, Watched& watched) {
    ComponentNumbering numbering;
    std::vector<Part> now;
    const auto take = [&](const ComponentType* type, void* component, std::string name, const void* object) {
        const auto known = std::find_if(watched.parts.begin(), watched.parts.end(), [&](const Part& part) {
            return part.type == type && part.component == component && part.name == name;
        });
        if (known != watched.parts.end()) {
            now.push_back(std::move(*known));
            return;
        }
        Part part{type, component, std::move(name), {}};
        for (const FieldInfo& field : tableOf(type))
            part.fields.push_back({field.name, field.read(object), 0, {}});
        now.push_back(std::move(part));
    };
    const PlaceFields place = placeOf(world, entity);
    take(nullptr, nullptr, Place, &place);
    world.find(entity).eachComponent([&](const Entity::ComponentRef& ref) {
        std::string name = numbering.nextName(ref.type->name);
        if (ref.type->stateOf != nullptr)
            take(ref.type, ref.component, std::move(name), ref.type->stateOf(ref.component));
    });
    watched.parts = std::move(now);
}

void FieldHistory::beginTick(World& world) {
    m_running.clear();
    std::vector<EntityId> wanted;
    if (m_all)
        world.forEach([&](const Entity& entity) { wanted.push_back(entity.id()); });
    for (const std::string& name : m_names)
        if (const Entity entity = world.find(name); entity && !m_all)
            wanted.push_back(entity.id());
    std::unordered_set<std::uint64_t> active;
    for (const EntityId entity : wanted) {
        active.insert(entity.bits);
        begin(world, entity);
    }
    for (auto& [entity, watched] : m_entities)
        watched.active = watched.active && active.contains(entity);
    endTick(world); // what a person did meanwhile
}

void FieldHistory::endTick(World& world) {
    for (auto it = m_entities.begin(); it != m_entities.end();) {
        const EntityId entity = EntityId::fromBits(it->first);
        if (!world.alive(entity)) {
            it = m_entities.erase(it);
            continue;
        }
        if (it->second.active) {
            follow(world, entity, it->second);
            for (Part& part : it->second.parts)
                compare(world, entity, part, nullptr);
        }
        ++it;
    }
}

void FieldHistory::compare(World& world, EntityId entity, Part& part, const HandlerMoment* by) {
    const FieldTable& table = tableOf(part.type);
    PlaceFields place;
    const void* object = &place;
    if (part.type == nullptr)
        place = placeOf(world, entity);
    else
        object = part.type->stateOf(part.component);
    for (std::size_t i = 0; i < part.fields.size(); ++i) {
        const FieldInfo& info = table.fields()[i];
        Field& field = part.fields[i];
        Value value = info.read(object);
        if (value == field.value)
            continue;
        ValueChange change;
        change.firstTick = change.tick = world.tickCount();
        change.before = info.format(field.value);
        change.after = info.format(value);
        field.value = std::move(value);
        ++field.all;
        if (by != nullptr) {
            const Envelope& envelope = by->envelope;
            change.component = handlerName(*by);
            if (envelope.receiver != entity)
                change.component += " of " + world.nameOf(envelope.receiver);
            change.message = messageType(envelope.type).name;
            change.sender = world.nameOf(envelope.sender);
            change.recorded = envelope.sequence != 0;
            change.sequence = change.recorded ? envelope.sequence : envelope.cause;
        } else if (!field.last.empty() && field.last.back().message.empty()) {
            field.last.back().tick = change.tick;
            field.last.back().after = change.after;
            continue;
        }
        field.last.push_back(std::move(change));
        if (field.last.size() > Kept)
            field.last.pop_front();
    }
}

void FieldHistory::compareAt(const HandlerMoment& moment, const HandlerMoment* by) {
    const EntityId entity = moment.envelope.receiver;
    const auto found = m_entities.find(entity.bits);
    if (found == m_entities.end() || !found->second.active || !moment.world.alive(entity))
        return;
    for (Part& part : found->second.parts)
        if (part.component == moment.component || part.type == nullptr)
            compare(moment.world, entity, part, by);
}

HandlerWatch::Verdict FieldHistory::before(HandlerMoment& moment) {
    compareAt(moment, m_running.empty() ? nullptr : m_running.back());
    m_running.push_back(&moment);
    return Verdict::Handle;
}

void FieldHistory::after(const HandlerMoment& moment, bool) {
    if (!m_running.empty())
        m_running.pop_back();
    compareAt(moment, &moment);
}

ValueChanges FieldHistory::of(const World& world, const std::string& entity, const std::string& component,
                              const std::string& field) const {
    ValueChanges out;
    const Entity known = world.find(entity);
    const auto found = known ? m_entities.find(known.id().bits) : m_entities.end();
    if (found == m_entities.end())
        return out;
    for (const Part& part : found->second.parts) {
        if (part.name != component)
            continue;
        for (const Field& each : part.fields) {
            if (each.name != field)
                continue;
            out.watched = true;
            out.since = found->second.since;
            out.all = each.all;
            out.last.assign(each.last.rbegin(), each.last.rend());
        }
    }
    return out;
}

} // namespace sbx
