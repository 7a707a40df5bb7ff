// A world begins and ends; the tick; the digest.

#include "engine/entity/world.h"

#include "engine/core/log.h"

#include <algorithm>

namespace sbx {

World::World(WorldDesc desc, Recorder& recorder, Log& log)
    : EntityLifecycle(std::move(desc), recorder, log), m_random(m_desc.seed) {
    enlist();
}

World::~World() {
    clear();
    delist();
}

std::shared_ptr<const EntityType> World::findType(std::string_view name) const {
    const auto it =
        std::find_if(m_types.begin(), m_types.end(), [&](const auto& t) { return t->name() == name; });
    return it == m_types.end() ? nullptr : *it;
}

// ---------------------------------------------------------------------------------------------------- the tick

void World::tick() {
    SBX_EXPECT((m_activity & Ticking) == 0, "a tick inside a tick");
    m_activity |= Ticking;
    if (m_tick == 0)
        beginBudget();
    ++m_tick;
    m_lane.limit = nullptr;
    deliverDelayed();
    startWaiting();
    const auto phaseOf = [this]<typename M>(M message) {
        message.dt = m_dt;
        phase(messageIdOf<M>(), &message, sizeof(M));
    };
    phaseOf(PreUpdate());
    phaseOf(FixedUpdate());
    for (System* system : m_systems)
        system->step(*this, m_dt);
    phaseOf(Update());
    phaseOf(PostUpdate());
    m_activity &= static_cast<std::uint8_t>(~Ticking);
    settle();
}

std::uint64_t World::digest() const {
    Hash64 hash;
    hash.add(m_tick);
    hash.add(m_random.state());
    forEach([&](const Entity& entity) {
        hash.add(entity.id().bits);
        hash.add(std::string_view(entity.type().name()));
        const Pose& pose = entity.pose();
        for (int k = 0; k < 3; ++k)
            detail::hashFloat(pose.position[k], hash);
        for (int k = 0; k < 4; ++k)
            detail::hashFloat(pose.rotation[k], hash);
        for (int k = 0; k < 3; ++k)
            detail::hashFloat(pose.scale[k], hash);
        entity.eachComponent([&](const Entity::ComponentRef& ref) {
            if (ref.type->stateOf != nullptr)
                ref.type->state->hash(ref.type->stateOf(ref.component), hash);
        });
    });
    m_queue.hash(hash);
    return hash.value();
}

Pose World::poseOf(EntityId id) {
    const Entity entity = find(id);
    if (!entity)
        return {};
    Pose pose = entity.pose();
    GetPose question{pose.position, pose.rotation};
    send(id, question);
    pose.position = question.position;
    pose.rotation = question.rotation;
    return pose;
}

} // namespace sbx
