#pragma once
// What is to be drawn of a world. Mesh, Light, Sun, Sky and Camera register here and keep their entries up to date; fill() puts
// it into a render::Scene at the poses of the moment. Nothing here changes the simulation.

#include "engine/components/asset_places.h"
#include "engine/components/pose_smoothing.h"
#include "engine/components/registration_list.h"
#include "engine/entity/world.h"
#include "engine/render/mesh.h"
#include "engine/render/scene.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sbx {

// One thing to draw, relative to its entity. Owned by the component, registered with the system while it exists.
struct Visual {
    EntityId entity;
    Pose local;                // in the entity's frame; the entity's scale applies unless `ownScale`
    render::Instance look;     // mesh, colour, …; entity, part and pose are filled in
    float swingDegrees = 0.0F; // swings about the local origin…
    float swingRate = 0.0F;    // … this many times a second
    Vec3 swingAxis{0.0F, 0.0F, 1.0F};
    bool visible = true;
    bool enabled = true; // the component is
    std::string wanted = {}; // the mesh that could not be read; empty: the look has its mesh
    std::size_t registered = 0; // with the system, see RegistrationList
};
struct LightVisual {
    EntityId entity;
    Vec3 offset{0.0F};
    render::PointLight light;
    bool on = true;
    bool enabled = true;
    std::size_t registered = 0;
};
struct CameraVisual {
    EntityId entity;
    Pose local;
    render::CameraView view;
    int rank = 0; // the highest gives the picture
    bool active = true;
    bool enabled = true;
    std::size_t registered = 0;
};

class VisualSystem {
public:
    explicit VisualSystem(render::MeshLibrary& meshes) : m_meshes(meshes) {}

    [[nodiscard]] render::MeshLibrary& meshes() { return m_meshes; }
    // Where the project's texts name a mesh, for errors.
    void setPlaces(AssetPlaces places) { m_places = std::move(places); }
    [[nodiscard]] const AssetPlaces& places() const { return m_places; }
    // What is drawn of corrections by the network; null: they are seen at once. Outlives this.
    void setSmoothing(const PoseSmoothing* smoothing) { m_smoothing = smoothing; }
    void add(Visual& visual) { m_visuals.add(visual); }
    void remove(Visual& visual) { m_visuals.remove(visual); }
    // Draws meshes from now on that could not be read when they were first needed, and can be read now.
    void adoptMeshes();
    void add(LightVisual& light) { m_lights.add(light); }
    void remove(LightVisual& light) { m_lights.remove(light); }
    void add(CameraVisual& camera) { m_cameras.add(camera); }
    void remove(CameraVisual& camera) { m_cameras.remove(camera); }
    // Set by Sun and Sky; the last call counts.
    void setSun(EntityId entity, const render::Sun& sun);
    void setEnvironment(EntityId entity, const render::Environment& environment);
    void removeSun(EntityId entity);
    void removeEnvironment(EntityId entity);

    void fill(const World& world, render::Scene& scene) const;
    // The active camera of the highest rank, in the world; nothing without one.
    [[nodiscard]] std::optional<render::CameraView> camera(const World& world) const;

private:
    [[nodiscard]] Pose shown(const World& world, const Entity& entity) const {
        return m_smoothing != nullptr ? m_smoothing->shown(world, entity) : entity.pose();
    }

    render::MeshLibrary& m_meshes;
    const PoseSmoothing* m_smoothing = nullptr;
    AssetPlaces m_places;
    RegistrationList<Visual> m_visuals;
    RegistrationList<LightVisual> m_lights;
    RegistrationList<CameraVisual> m_cameras;
    std::vector<std::pair<EntityId, render::Sun>> m_suns;
    std::vector<std::pair<EntityId, render::Environment>> m_environments;
};

} // namespace sbx
