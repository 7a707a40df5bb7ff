#include "engine/soundstage/sound_obstacle.h"

#include "engine/components/looks.h"
#include "engine/components/physics_system.h"
#include "engine/entity/world.h"

#include <utility>

namespace sbx {

namespace {

// What gets through an obstacle of a material: gain, and the low-pass of the rest in Hz.
std::pair<float, float> transmission(render::Material material) {
    switch (material) {
    case render::Material::Stone:
    case render::Material::Plaster:
        return {0.10F, 400.0F};
    case render::Material::Wood:
    case render::Material::Crate:
        return {0.30F, 1200.0F};
    case render::Material::Metal:
        return {0.15F, 700.0F};
    default:
        return {0.30F, 800.0F};
    }
}

} // namespace

std::optional<SoundObstacle> obstacleBetween(World& world, PhysicsSystem& physics, const Vec3& ear, const Vec3& sound, EntityId source) {
    const auto hit = physics.physics().raycast(ear, sound, physics::query::Solid, physics.bodyOf(source));
    if (!hit)
        return std::nullopt;
    SoundObstacle out;
    out.entity = EntityId::fromBits(hit->user);
    out.point = hit->point;
    const Mesh* mesh = world.getComponent<Mesh>(out.entity);
    const auto [gain, hertz] = transmission(mesh != nullptr ? mesh->settings.material : render::Material::Plain);
    out.gain = gain;
    out.hertz = hertz;
    return out;
}

} // namespace sbx
