#include "engine/session/field_history.h"

#include "engine/components/messages.h"
#include "engine/core/component_name.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <unordered_set>
#include <utility>

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

// The same as seen from `entity`: "Touch of phantom" if it is another one's.
std::string handlerOf(const HandlerMoment& moment, EntityId entity) {
    const EntityId own = moment.envelope.receiver;
    return own == entity ? handlerName(moment) : handlerName(moment) + " of " + moment.world.nameOf(own);
}

// As the inspector has it: the angles of a rotation, in degrees.
std::string textOf(const FieldInfo& info, const Value& value, bool exact = false) {
    const auto* const turn = std::get_if<Quat>(&value);
    if (turn == nullptr)
        return info.format(value);
    const Vec3 degrees = toEulerDegrees(*turn);
    std::string out;
    for (int axis = 0; axis < 3; ++axis)
        out += (axis == 0 ? "[" : ", ")
               + formatFloat(exact ? degrees[axis] : std::round(degrees[axis] * 1e3F) / 1e3F + 0.0F);
    return out + "] deg";
}

// Something that a person or a component asked for: no event, no update, no query.
bool isRequest(MessageTypeId type) {
    const MessageType& known = messageType(type);
    return known.recorded && !known.notice && !known.query;
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
    compareAll(world, true);
    m_lastType = NoType;
}

void FieldHistory::endTick(World& world) { compareAll(world, false); }

void FieldHistory::compareAll(World& world, bool betweenTicks) {
    for (auto it = m_entities.begin(); it != m_entities.end();) {
        const EntityId entity = EntityId::fromBits(it->first);
        if (!world.alive(entity)) {
            it = m_entities.erase(it);
            continue;
        }
        if (it->second.active) {
            follow(world, entity, it->second);
            compareOutside(world, entity, it->second, betweenTicks);
        }
        ++it;
    }
}

// The place comes last: it changes along with the State of the component that owns it.
void FieldHistory::compareOutside(World& world, EntityId entity, Watched& watched, bool betweenTicks) {
    const Part* asked = nullptr;
    Part* place = nullptr;
    bool changed = false;
    for (Part& part : watched.parts) {
        if (part.type == nullptr) {
            place = &part;
            continue;
        }
        const bool here = compare(world, entity, part, nullptr, &part, betweenTicks);
        changed = changed || here;
        if (here && !part.asked.message.empty() && (asked == nullptr || part.asked.tick > asked->asked.tick))
            asked = &part;
    }
    if (place != nullptr)
        changed = compare(world, entity, *place, nullptr, asked, betweenTicks) || changed;
    // What follows is what a person made of it.
    if (changed && betweenTicks)
        for (Part& part : watched.parts)
            part.asked = {};
}

bool FieldHistory::compare(World& world, EntityId entity, Part& part, const HandlerMoment* by,
                           const Part* asked, bool betweenTicks) {
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
        change.before = textOf(info, field.value);
        change.after = textOf(info, value);
        if (change.before == change.after) { // less than is shown of angles
            change.before = textOf(info, field.value, true);
            change.after = textOf(info, value, true);
        }
        field.value = std::move(value);
        ++field.all;
        changed = true;
        if (by != nullptr) {
            const Envelope& envelope = by->envelope;
            change.component = handlerOf(*by, entity);
            change.message = messageType(envelope.type).name;
            change.sender = world.nameOf(envelope.sender);
            change.recorded = envelope.sequence != 0;
            change.sequence = change.recorded ? envelope.sequence : envelope.cause;
        } else {
            change.outside = true;
            change.betweenTicks = betweenTicks;
            if (!betweenTicks && asked != nullptr && !asked->asked.message.empty()) {
                change.askedAt = asked->asked.tick;
                change.component = asked->asked.component;
                change.message = asked->asked.message;
                change.sender = asked->asked.sender;
                change.recorded = asked->asked.recorded;
                change.sequence = asked->asked.sequence;
            }
            // Of a request that comes anew every tick each counts as the next one of the same.
            if (!field.last.empty() && field.last.back().outside
                && field.last.back().betweenTicks == betweenTicks
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
        compareOutside(moment.world, entity, found->second, false);
        return false;
    }
    bool changed = false;
    for (Part& part : found->second.parts)
        if (part.component == moment.component || part.type == nullptr)
            changed = compare(moment.world, entity, part, by, nullptr) || changed;
    return changed;
}

HandlerWatch::Verdict FieldHistory::before(HandlerMoment& moment) {
    const MessageTypeId type = moment.envelope.type;
    if (!m_running.empty())
        compareAt(moment, m_running.back().moment);
    else if (type == std::exchange(m_lastType, type))
        compareAt(moment, nullptr);
    else
        compareAll(moment.world, false);
    if (!m_running.empty() && type == messageIdOf<GetBody>()
        && isRequest(m_running.back().moment->envelope.type))
        keepRequest(moment, *m_running.back().moment);
    Running& running = m_running.emplace_back();
    running.moment = &moment;
    std::memcpy(running.message.data(), moment.message, messageType(type).size);
    return Verdict::Handle;
}

void FieldHistory::after(const HandlerMoment& moment, bool consumed) {
    bool request = false;
    if (!m_running.empty()) {
        request = consumed && !messageType(moment.envelope.type).query
                  && std::memcmp(m_running.back().message.data(), moment.message,
                                 messageType(moment.envelope.type).size)
                         == 0;
        m_running.pop_back();
    }
    if (!compareAt(moment, &moment) && request)
        keepRequest(moment, moment);
}

void FieldHistory::keepRequest(const HandlerMoment& at, const HandlerMoment& by) {
    const EntityId entity = at.envelope.receiver;
    const auto found = m_entities.find(entity.bits);
    if (found == m_entities.end() || !found->second.active)
        return;
    const Envelope& envelope = by.envelope;
    for (Part& part : found->second.parts)
        if (part.type != nullptr && part.component == at.component)
            part.asked = {by.world.tickCount(),
                          handlerOf(by, entity),
                          messageType(envelope.type).name,
                          by.world.nameOf(envelope.sender),
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
