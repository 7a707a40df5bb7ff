#include "engine/components/sound_system.h"

#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vector_relational.hpp>

namespace sbx {

std::optional<Pose> SoundSystem::listener(const World& world) const {
    const ListenerSpot* best = nullptr;
    for (const ListenerSpot* spot : m_listeners) {
        const Entity entity = world.find(spot->entity);
        if (spot->active && entity && entity.enabled() && (best == nullptr || spot->rank > best->rank))
            best = spot;
    }
    if (best == nullptr)
        return std::nullopt;
    Pose pose = world.find(best->entity).pose();
    pose.position += pose.rotation * best->offset;
    pose.scale = Vec3(1.0F);
    return pose;
}

std::optional<audio::Room> SoundSystem::roomAt(const World& world, const Vec3& place) const {
    std::optional<audio::Room> best;
    const auto volume = [](const audio::Room& room) { return room.size.x * room.size.y * room.size.z; };
    for (const RoomSpot* spot : m_rooms) {
        const Entity entity = world.find(spot->entity);
        if (!entity || !entity.enabled())
            continue;
        const Pose pose = entity.pose();
        const Vec3 centre = pose.position + pose.rotation * spot->offset;
        const Vec3 within = glm::abs(glm::inverse(pose.rotation) * (place - centre)) * 2.0F;
        if (glm::any(glm::greaterThan(glm::dvec3(within), spot->room.size)) || (best && volume(*best) <= volume(spot->room)))
            continue;
        best = spot->room;
        best->centre = glm::dvec3(centre);
        best->rotation = pose.rotation;
    }
    return best;
}

} // namespace sbx
