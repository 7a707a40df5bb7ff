#include "engine/components/pose_smoothing.h"

#include "engine/entity/world.h"

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {
// What nobody sees any more.
constexpr float LeastDistance = 0.0005F;   // m
constexpr float LeastCosine = 0.99999990F; // of half the angle: 0.05 degrees

// The rotation of the two quaternions that stand for it whose angle is at most 180 degrees.
Quat shortest(const Quat& q) { return q.w < 0.0F ? -q : q; }
} // namespace

const PoseSmoothing::Offset* PoseSmoothing::find(EntityId entity) const {
    const std::uint32_t slot = entity.index();
    return slot < m_offsets.size() && m_offsets[slot].entity == entity && entity ? &m_offsets[slot] : nullptr;
}

void PoseSmoothing::correct(EntityId entity, const Pose& before, const Pose& after) {
    if (m_time <= 0.0F)
        return;
    const Offset* const known = find(entity);
    if (known == nullptr && before.position == after.position && before.rotation == after.rotation)
        return;
    const Vec3 position = before.position + (known != nullptr ? known->position : Vec3(0.0F));
    const Quat rotation = known != nullptr ? known->rotation * before.rotation : before.rotation;
    Offset offset;
    offset.entity = entity;
    offset.position = position - after.position;
    offset.rotation = shortest(glm::normalize(rotation * glm::inverse(after.rotation)));
    // Also where it is no number: then the picture shows what there is.
    if (!(glm::length(offset.position) <= SnapDistance) || !std::isfinite(offset.rotation.w))
        offset = {entity};
    const std::uint32_t slot = entity.index();
    if (slot >= m_offsets.size())
        m_offsets.resize(std::max<std::size_t>(slot + 1, m_offsets.size() * 2));
    if (!m_offsets[slot].entity)
        m_active.push_back(slot);
    m_offsets[slot] = offset;
}

void PoseSmoothing::advance(float dt) {
    if (m_active.empty())
        return;
    const float left = m_time > 0.0F ? std::exp(-dt / m_time) : 0.0F;
    std::size_t kept = 0;
    for (const std::uint32_t slot : m_active) {
        Offset& offset = m_offsets[slot];
        offset.position *= left;
        offset.rotation = glm::slerp(Quat(1.0F, 0.0F, 0.0F, 0.0F), offset.rotation, left);
        if (glm::length(offset.position) < LeastDistance && offset.rotation.w > LeastCosine)
            offset.entity = {};
        else
            m_active[kept++] = slot;
    }
    m_active.resize(kept);
}

void PoseSmoothing::clear() {
    for (const std::uint32_t slot : m_active)
        m_offsets[slot].entity = {};
    m_active.clear();
}

Pose PoseSmoothing::shown(const World& world, const Entity& entity) const {
    Pose pose = entity.pose();
    if (m_active.empty())
        return pose;
    for (Entity at = entity; at; at = world.find(at.parent()))
        if (const Offset* const offset = find(at.id())) {
            const Vec3 pivot = at.pose().position;
            pose.position = pivot + offset->position + offset->rotation * (pose.position - pivot);
            pose.rotation = glm::normalize(offset->rotation * pose.rotation);
        }
    return pose;
}

} // namespace sbx
