#include "engine/components/sound_system.h"

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

} // namespace sbx
