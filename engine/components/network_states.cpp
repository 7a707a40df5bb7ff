#include "engine/components/network_states.h"

#include "engine/components/messages.h"
#include "engine/components/network_wire.h"

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {

// Whether a component of the entity has the position in its state; otherwise the entity's pose is sent.
bool ownsPlace(const Entity& entity) {
    bool owns = false;
    entity.eachComponent([&](const Entity::ComponentRef& ref) { owns = owns || ref.type->state->find("position") != nullptr; });
    return owns;
}

bool write(const Entity& entity, std::uint32_t number, const EntityToWire& toWire, net::ByteWriter& out) {
    out.varint(number);
    const bool placed = !ownsPlace(entity);
    out.u8(placed ? 1 : 0);
    if (placed) {
        const Pose pose = entity.pose();
        if (!wire::isValidPlace(pose.position, pose.rotation))
            return false; // peers would reject it
        wire::writePlace(out, pose.position, pose.rotation);
    }
    entity.eachComponent([&](const Entity::ComponentRef& ref) {
        if (ref.type->stateOf != nullptr)
            writeWireFields(out, *ref.type->state, ref.type->stateOf(ref.component), toWire);
    });
    return out.ok();
}

} // namespace

bool NetworkStates::beginRound(double tickRate) {
    m_due += Rate / tickRate;
    if (m_due < 1.0)
        return false;
    m_due -= std::floor(m_due);
    ++m_rounds;
    return true;
}

net::ByteView NetworkStates::encodeIfChanged(const Entity& entity, std::uint32_t number, Baseline& baseline,
                                             const EntityToWire& toWire) {
    net::ByteWriter out(m_room);
    if (!write(entity, number, toWire, out))
        return {};
    const net::ByteView bytes = out.written();
    if (!std::equal(bytes.begin(), bytes.end(), baseline.bytes.begin(), baseline.bytes.end())) {
        baseline.bytes.assign(bytes.begin(), bytes.end());
        baseline.repeats = Repeats;
    } else if (baseline.repeats > 0) {
        --baseline.repeats;
    } else if ((m_rounds + number) % Refresh != 0) {
        return {};
    }
    return bytes;
}

const char* NetworkStates::read(net::ByteReader& in, const Entity& entity, const EntityFromWire& fromWire) {
    m_values.clear();
    const std::uint8_t placed = in.u8();
    if (placed > 1)
        return "neither a place nor none";
    m_placed = placed == 1;
    if (m_placed)
        wire::readPlace(in, m_position, m_rotation);
    if (!in.ok())
        return "no place in this world";
    bool good = true;
    entity.eachComponent([&](const Entity::ComponentRef& ref) {
        if (ref.type->stateOf != nullptr)
            good = good && readWireFields(in, *ref.type->state, fromWire, m_values) == WireRead::Good;
    });
    return good && in.remaining() == 0 ? nullptr : "fields that are not those of its components";
}

void NetworkStates::apply(World& world, EntityId id) {
    Entity entity = world.find(id);
    if (m_placed) {
        Pose pose = entity.pose();
        pose.position = m_position;
        pose.rotation = m_rotation;
        if (!(pose == entity.pose()) && !world.send(id, SetPose{pose.position, pose.rotation}).consumed)
            world.setPose(id, pose);
        entity = world.find(id); // a handler may have removed the entity
        if (!entity)
            return;
    }
    std::size_t next = 0;
    entity.eachComponent([&](const Entity::ComponentRef& ref) {
        if (ref.type->stateOf == nullptr || next + ref.type->state->fields().size() > m_values.size())
            return;
        bool changed = false;
        for (const FieldInfo& field : *ref.type->state) {
            void* const object = ref.type->stateOf(ref.component);
            const Value& value = m_values[next++];
            if (field.read(object) != value) {
                field.write(object, value);
                changed = true;
            }
        }
        if (changed && ref.type->stateChanged != nullptr)
            ref.type->stateChanged(ref.component);
    });
}

} // namespace sbx
