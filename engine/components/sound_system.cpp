#include "engine/components/sound_system.h"

#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>

namespace sbx {

namespace {
SoundSystem::Hearer hearerAt(const Entity& entity, Pose pose, const Vec3& offset) {
    pose.position += pose.rotation * offset;
    pose.scale = Vec3(1.0F);
    return {entity.id(), pose};
}
} // namespace

std::optional<SoundSystem::Hearer> SoundSystem::listener(const World& world) const {
    const ListenerSpot* best = nullptr;
    for (const ListenerSpot* spot : m_listeners.parts()) {
        const Entity entity = world.find(spot->entity);
        if (spot->active && entity && entity.enabled() && (best == nullptr || spot->rank > best->rank))
            best = spot;
    }
    if (best == nullptr)
        return std::nullopt;
    const Entity entity = world.find(best->entity);
    return hearerAt(entity, placeOf(world, entity), best->offset);
}

SoundSystem::Hearer SoundSystem::listenerOf(const World& world, const Entity& entity) const {
    const std::vector<ListenerSpot*>& listeners = m_listeners.parts();
    const auto own = std::find_if(listeners.begin(), listeners.end(),
                                  [&](const ListenerSpot* spot) { return spot->entity == entity.id(); });
    return hearerAt(entity, placeOf(world, entity), own != listeners.end() ? (*own)->offset : Vec3(0.0F));
}

void SoundSystem::turn(World& world) {
    ++m_turns;
    for (SoundEmitter* emitter : m_emitters.parts())
        std::erase_if(emitter->plays, [&](const SoundPlay& play) {
            if (play.end == 0 || play.end > now(world))
                return false;
            static_cast<void>(world.cancel(play.finished));
            return true;
        });
}

const SoundEmitter* SoundSystem::find(const World& world, const SoundKey& key) const {
    const Entity entity = world.find(key.entity);
    const auto of = entity ? m_ofEntity.find(entity.id()) : m_ofEntity.end();
    if (of == m_ofEntity.end() || key.index < 0 || static_cast<std::size_t>(key.index) >= of->second.size())
        return nullptr;
    return of->second[static_cast<std::size_t>(key.index)];
}

SoundKey SoundSystem::keyOf(const World& world, const SoundEmitter& emitter) const {
    int index = 0;
    if (const auto of = m_ofEntity.find(emitter.entity); of != m_ofEntity.end())
        index = static_cast<int>(std::find(of->second.begin(), of->second.end(), &emitter) - of->second.begin());
    return {world.nameOf(emitter.entity), index};
}

bool SoundSystem::sounding() const {
    const std::vector<SoundEmitter*>& emitters = m_emitters.parts();
    return std::any_of(emitters.begin(), emitters.end(), [](const SoundEmitter* e) { return !e->plays.empty(); });
}

std::optional<audio::Room> SoundSystem::roomAt(const World& world, const Vec3& place) const {
    std::optional<audio::Room> best;
    const auto volume = [](const audio::Room& room) { return room.size.x * room.size.y * room.size.z; };
    for (const RoomSpot* spot : m_rooms.parts()) {
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
