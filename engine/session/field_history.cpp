#include "engine/session/field_history.h"

#include "engine/core/component_name.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <array>
#include <cstring>
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
        part.asked = {};
        for (std::size_t i = 0; i < part.fields.size(); ++i) {
            part.fields[i].value = tableOf(part.type).fields()[i].read(object);
            part.fields[i].all = 0; // since now
        }
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
        Part part{type, component, std::move(name), {}, {}};
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
            compareOutside(world, entity, it->second);
        }
        ++it;
    }
}

// The place comes last: it changes along with the State of the component that owns it.
void FieldHistory::compareOutside(World& world, EntityId entity, Watched& watched) {
    const Part* asked = nullptr;
    Part* place = nullptr;
    for (Part& part : watched.parts) {
        if (part.type == nullptr)
            place = &part;
        else if (compare(world, entity, part, nullptr, &part) && !part.asked.message.empty()
                 && (asked == nullptr || part.asked.tick > asked->asked.tick))
            asked = &part;
    }
    if (place != nullptr)
        compare(world, entity, *place, nullptr, asked);
}

bool FieldHistory::compare(World& world, EntityId entity, Part& part, const HandlerMoment* by,
                           const Part* asked) {
    const FieldTable& table = tableOf(part.type);
    PlaceFields place;
    const void* object = &place;
    if (part.type == nullptr)
        place = placeOf(world, entity);
    else
        object = part.type->stateOf(part.component);
    bool changed = false;
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
        changed = true;
        if (by != nullptr) {
            const Envelope& envelope = by->envelope;
            change.component = handlerName(*by);
            if (envelope.receiver != entity)
                change.component += " of " + world.nameOf(envelope.receiver);
            change.message = messageType(envelope.type).name;
            change.sender = world.nameOf(envelope.sender);
            change.recorded = envelope.sequence != 0;
            change.sequence = change.recorded ? envelope.sequence : envelope.cause;
        } else {
            change.outside = true;
            if (asked != nullptr && !asked->asked.message.empty()) {
                change.askedAt = asked->asked.tick;
                change.component = asked->name;
                change.message = asked->asked.message;
                change.sender = asked->asked.sender;
                change.recorded = asked->asked.recorded;
                change.sequence = asked->asked.sequence;
            }
            // Of a request that comes anew every tick each counts as the next one of the same.
            if (!field.last.empty() && field.last.back().outside
                && field.last.back().component == change.component
                && field.last.back().message == change.message && field.last.back().sender == change.sender) {
                change.firstTick = field.last.back().firstTick;
                change.before = std::move(field.last.back().before);
                field.last.back() = std::move(change);
                continue;
            }
        }
        field.last.push_back(std::move(change));
        if (field.last.size() > Kept)
            field.last.pop_front();
    }
    return changed;
}

bool FieldHistory::compareAt(const HandlerMoment& moment, const HandlerMoment* by) {
    const EntityId entity = moment.envelope.receiver;
    const auto found = m_entities.find(entity.bits);
    if (found == m_entities.end() || !found->second.active || !moment.world.alive(entity))
        return false;
    if (by == nullptr) {
        compareOutside(moment.world, entity, found->second);
        return false;
    }
    bool changed = false;
    for (Part& part : found->second.parts)
        if (part.component == moment.component || part.type == nullptr)
            changed = compare(moment.world, entity, part, by, nullptr) || changed;
    return changed;
}

HandlerWatch::Verdict FieldHistory::before(HandlerMoment& moment) {
    compareAt(moment, m_running.empty() ? nullptr : m_running.back().moment);
    Running& running = m_running.emplace_back();
    running.moment = &moment;
    std::memcpy(running.message.data(), moment.message, messageType(moment.envelope.type).size);
    return Verdict::Handle;
}

void FieldHistory::after(const HandlerMoment& moment, bool consumed) {
    bool request = false;
    if (!m_running.empty()) {
        request = consumed
                  && std::memcmp(m_running.back().message.data(), moment.message,
                                 messageType(moment.envelope.type).size)
                         == 0;
        m_running.pop_back();
    }
    if (!compareAt(moment, &moment) && request)
        keepRequest(moment);
}

void FieldHistory::keepRequest(const HandlerMoment& moment) {
    const auto found = m_entities.find(moment.envelope.receiver.bits);
    if (found == m_entities.end() || !found->second.active)
        return;
    const Envelope& envelope = moment.envelope;
    for (Part& part : found->second.parts)
        if (part.type != nullptr && part.component == moment.component)
            part.asked = {moment.world.tickCount(), messageType(envelope.type).name,
                          moment.world.nameOf(envelope.sender),
                          envelope.sequence != 0 ? envelope.sequence : envelope.cause,
                          envelope.sequence != 0};
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
