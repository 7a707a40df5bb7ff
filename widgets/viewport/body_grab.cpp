#include "widgets/viewport/body_grab.h"

#include "engine/components/body.h"
#include "engine/components/physics_system.h"
#include "engine/session/session.h"
#include "widgets/viewport/gizmo.h"
#include "widgets/viewport/shown_scene.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {
constexpr float LeastStrength = 5.0F; // m/s²
constexpr float MostStrength = 500.0F;
constexpr float PerNotch = 1.25F;

// Whether entities of the type have a body that forces move.
bool movesByForces(const EntityType& type) {
    return std::any_of(type.layout().begin(), type.layout().end(), [](const EntityType::Slot& slot) {
        return slot.type->name == "Body" && static_cast<const Body::Settings*>(slot.settings.get())->motion == physics::Motion::Dynamic;
    });
}

PhysicsSystem& physicsOf(Session& session) { return session.world().service<PhysicsSystem>(); }
} // namespace

bool BodyGrab::begin(const render::Ray& ray, const Vec3& forward) {
    const FrameSnapshot* const snapshot = m_shown.snapshot();
    if (snapshot == nullptr || snapshot->mode == Mode::Edit || (snapshot->network != nullptr && snapshot->network->viewAs != 0))
        return false;
    const auto hit = m_shown.pick(ray);
    const EntityRow* const row = hit ? snapshot->entities->find(EntityId::fromBits(hit->entity)) : nullptr;
    if (row == nullptr || row->entityType == nullptr || !movesByForces(*row->entityType))
        return false;
    const std::optional<Pose> pose = m_shown.poseOf(row->name);
    if (!pose)
        return false;
    m_entity = row->id.bits;
    m_point = glm::conjugate(pose->rotation) * (hit->position - pose->position);
    m_place = hit->position;
    m_forward = forward;
    m_session.postAside([id = row->id, at = hit->position, strength = m_strength](Session& session) {
        PhysicsSystem& physics = physicsOf(session);
        physics.physics().grab(physics.bodyOf(id), at, strength);
    });
    return true;
}

void BodyGrab::moveTo(const render::Ray& ray) {
    if (!holds())
        return;
    if (const auto place = onPlane(m_place, m_forward, ray))
        m_place = *place;
    send();
}

float BodyGrab::strengthen(float notches) {
    m_strength = std::clamp(m_strength * std::pow(PerNotch, notches), LeastStrength, MostStrength);
    if (holds())
        send();
    return m_strength;
}

void BodyGrab::send() const {
    m_session.postAside([place = m_place, strength = m_strength](Session& session) {
        physicsOf(session).physics().moveGrab(place, strength);
    });
}

void BodyGrab::end() {
    if (!holds())
        return;
    m_entity = 0;
    m_session.postAside([](Session& session) { physicsOf(session).physics().releaseGrab(); });
}

std::string BodyGrab::name() const { return m_shown.nameOf(m_entity); }

std::optional<BodyGrab::Line> BodyGrab::line() const {
    const std::string held = holds() ? name() : std::string();
    const std::optional<Pose> pose = held.empty() ? std::nullopt : m_shown.poseOf(held);
    if (!pose)
        return std::nullopt;
    return Line{pose->position + pose->rotation * m_point, m_place};
}

} // namespace sbx::ui
