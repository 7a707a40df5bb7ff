#include "engine/components/visual_system.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx {

namespace {
template <typename T>
void assign(std::vector<std::pair<EntityId, T>>& list, EntityId entity, const T& value) {
    const auto it = std::find_if(list.begin(), list.end(), [&](const auto& e) { return e.first == entity; });
    if (it != list.end())
        it->second = value;
    else
        list.emplace_back(entity, value);
}
} // namespace

void VisualSystem::setSun(EntityId entity, const render::Sun& sun) { assign(m_suns, entity, sun); }

void VisualSystem::setEnvironment(EntityId entity, const render::Environment& environment) {
    assign(m_environments, entity, environment);
}

void VisualSystem::removeSun(EntityId entity) {
    std::erase_if(m_suns, [&](const auto& e) { return e.first == entity; });
}

void VisualSystem::removeEnvironment(EntityId entity) {
    std::erase_if(m_environments, [&](const auto& e) { return e.first == entity; });
}

void VisualSystem::adoptMeshes() {
    for (Visual* visual : m_visuals.parts()) {
        if (visual->wanted.empty())
            continue;
        if (const render::MeshId id = m_meshes.known(visual->wanted)) {
            visual->look.mesh = id;
            visual->wanted.clear();
        }
    }
}

void VisualSystem::fill(const World& world, render::Scene& scene) const {
    scene.instances.clear();
    scene.lights.clear();
    scene.instances.reserve(m_visuals.size());
    const double time = world.time();
    std::uint64_t lastEntity = 0;
    std::uint32_t part = 0;
    for (const Visual* visual : m_visuals.parts()) {
        const Entity entity = world.find(visual->entity);
        if (!entity || !entity.enabled() || !visual->visible || !visual->enabled || !visual->look.mesh)
            continue;
        part = visual->entity.bits == lastEntity ? part + 1 : 0;
        lastEntity = visual->entity.bits;
        Pose local = visual->local;
        if (visual->swingDegrees != 0.0F) {
            const double phase = time * static_cast<double>(visual->swingRate) * 2.0 * std::numbers::pi
                                 + static_cast<double>(visual->entity.index()); // not all in step
            const float angle = glm::radians(visual->swingDegrees) * static_cast<float>(std::sin(phase));
            const Quat swing = glm::angleAxis(angle, glm::normalize(visual->swingAxis));
            local.position = swing * local.position;
            local.rotation = swing * local.rotation;
        }
        render::Instance& instance = scene.instances.emplace_back(visual->look);
        instance.entity = visual->entity.bits;
        instance.part = part;
        instance.pose = compose(shown(world, entity), local);
    }
    for (const LightVisual* light : m_lights.parts()) {
        const Entity entity = world.find(light->entity);
        if (!entity || !entity.enabled() || !light->on || !light->enabled)
            continue;
        render::PointLight& out = scene.lights.emplace_back(light->light);
        out.entity = light->entity.bits;
        out.part = 0;
        const Pose pose = shown(world, entity);
        out.position = pose.position + pose.rotation * light->offset;
    }
    scene.camera = camera(world);
    scene.sun = m_suns.empty() ? render::Sun{} : m_suns.back().second;
    scene.environment = m_environments.empty() ? render::Environment{} : m_environments.back().second;
}

std::optional<render::CameraView> VisualSystem::camera(const World& world) const {
    const CameraVisual* best = nullptr;
    for (const CameraVisual* camera : m_cameras.parts())
        if (camera->active && camera->enabled && world.find(camera->entity).enabled() && (best == nullptr || camera->rank > best->rank))
            best = camera;
    const Entity entity = best != nullptr ? world.find(best->entity) : Entity();
    if (!entity)
        return std::nullopt;
    render::CameraView view = best->view;
    view.entity = best->entity.bits;
    Pose frame = shown(world, entity);
    frame.scale = Vec3(1.0F);
    view.pose = compose(frame, best->local);
    return view;
}

} // namespace sbx
