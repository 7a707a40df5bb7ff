#include "engine/components/looks.h"

#include "engine/core/log.h"

#include <cmath>
#include <utility>

namespace sbx {

namespace {
Vec3 rgb(const Vec4& color) { return {color.x, color.y, color.z}; }
} // namespace

// ------------------------------------------------------------------------------------------------ Mesh

void Mesh::Settings::describe(FieldList<Settings>& f) {
    f.add("mesh", &Settings::mesh,
          "Primitive (box, sphere, cylinder, cone, plane, wedge) or file; empty: as the body.")
        .role(TextRole::AssetPath);
    f.add("size", &Settings::size, "Scales the mesh; zero: as large as the body.").unit("m").range(0, 10000);
    f.add("offset", &Settings::offset, "From the entity's origin.").unit("m").range(-10000, 10000);
    f.add("rotation", &Settings::rotation, "About Y, then X, then Z.").unit("deg").range(-360, 360);
    f.add("color", &Settings::color, "Linear colour.").color().range(0, 1);
    f.add("material", &Settings::material, "Grain of the surface.").choices(render::materialNames());
    f.add("roughness", &Settings::roughness, "0 mirror, 1 chalk.").range(0, 1);
    f.add("metallic", &Settings::metallic, "0 dielectric, 1 metal.").range(0, 1);
    f.add("emissive", &Settings::emissive, "Light of its own.").color().range(0, 100);
    f.add("shadow", &Settings::shadow, "Casts a shadow.");
    f.add("visible", &Settings::visible, "Is drawn.");
    f.add("swing", &Settings::swing, "Swings to and fro by this angle: a wing, a pendulum.")
        .unit("deg")
        .range(-180, 180);
    f.add("swingRate", &Settings::swingRate, "How often.").unit("Hz").range(0, 30);
    f.add("swingAxis", &Settings::swingAxis, "About this axis of the entity.").range(-1, 1);
}

void Mesh::describe(ComponentBuilder<Mesh>& b) {
    b.doc("Something to see: a primitive or a mesh from a file.").category("Looks").aliases({"model", "renderer", "geometry", "static mesh"}).repeatable();
    b.handle<&Mesh::onEnable>().handle<&Mesh::onDisable>();
    b.handle<&Mesh::onAwake>().handle<&Mesh::onExtentChanged>();
    b.sends<GetExtent>();
}

Mesh::Mesh(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    m_visual.entity = entity();
    world().service<VisualSystem>().add(m_visual);
}

Mesh::~Mesh() { world().service<VisualSystem>().remove(m_visual); }

bool Mesh::onAwake(Awake&) {
    refresh();
    return false;
}

bool Mesh::onExtentChanged(ExtentChanged&) {
    refresh();
    return false;
}

void Mesh::refresh() {
    GetExtent extent;
    if (settings.mesh.empty() || settings.size == Vec3(0.0F))
        world().send(entity(), extent, entity());
    std::string key = settings.mesh.empty() ? extent.shape.string() : settings.mesh;
    if (key.empty())
        key = "box";
    render::MeshLibrary& meshes = world().service<VisualSystem>().meshes();
    const Result<render::MeshId> id = meshes.find(key);
    // Logged once for each reason.
    const std::string before = std::exchange(m_fault, id ? std::string() : id.error().message);
    if (!id && m_fault != before)
        world().log().error("render", textAt(world().service<VisualSystem>().places(), key,
                                             world().nameOf(entity()) + " is not drawn: ", id.error()));
    m_visual.look.mesh = id ? *id : render::MeshId{};
    m_visual.wanted = id ? std::string() : key;
    m_visual.local.position = settings.offset;
    m_visual.local.rotation = fromEulerDegrees(settings.rotation);
    m_visual.local.scale = settings.size != Vec3(0.0F) ? settings.size
                           : extent.size != Vec3(0.0F) ? extent.size
                                                       : Vec3(1.0F);
    m_visual.look.color = settings.color;
    m_visual.look.material = settings.material;
    m_visual.look.roughness = settings.roughness;
    m_visual.look.metallic = settings.metallic;
    m_visual.look.emissive = rgb(settings.emissive);
    m_visual.look.castsShadow = settings.shadow;
    m_visual.visible = settings.visible;
    m_visual.swingDegrees = settings.swing;
    m_visual.swingRate = settings.swingRate;
    m_visual.swingAxis = glm::length(settings.swingAxis) > 1e-4F ? settings.swingAxis : Vec3(0, 0, 1);
}

// ------------------------------------------------------------------------------------------------ Light

void Light::Settings::describe(FieldList<Settings>& f) {
    f.add("color", &Settings::color, "Linear colour.").color().range(0, 1);
    f.add("intensity", &Settings::intensity, "Radiance of a white surface one metre away.").range(0, 1000);
    f.add("range", &Settings::range, "No light beyond.").unit("m").range(0.01, 1000);
    f.add("offset", &Settings::offset, "From the entity's origin.").unit("m").range(-1000, 1000);
    f.add("on", &Settings::on, "Shines from the start; Activate and Deactivate switch it.");
}

void Light::describe(ComponentBuilder<Light>& b) {
    b.doc("A lamp that shines in all directions. The eight nearest to the view shine at a time.")
        .category("Looks")
        .aliases({"lamp", "point light", "omni"});
    b.handle<&Light::onEnable>().handle<&Light::onDisable>();
    b.handle<&Light::onActivate>().handle<&Light::onDeactivate>();
}

Light::Light(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    m_light.entity = entity();
    m_light.on = s.on;
    refresh();
    world().service<VisualSystem>().add(m_light);
}

Light::~Light() { world().service<VisualSystem>().remove(m_light); }

void Light::settingsChanged(const Settings& before) {
    refresh();
    // A switch that a message threw stays thrown while other settings are tried.
    if (settings.on != before.on)
        m_light.on = settings.on;
}

void Light::refresh() {
    m_light.offset = settings.offset;
    m_light.light.color = rgb(settings.color);
    m_light.light.intensity = settings.intensity;
    m_light.light.range = settings.range;
}

bool Light::onActivate(Activate&) {
    m_light.on = true;
    return false;
}

bool Light::onDeactivate(Deactivate&) {
    m_light.on = false;
    return false;
}

// ------------------------------------------------------------------------------------------------ Camera

void Camera::Settings::describe(FieldList<Settings>& f) {
    f.add("fov", &Settings::fov, "Vertical angle of view.").unit("deg").range(1, 170);
    f.add("offset", &Settings::offset, "From the entity's origin.").unit("m").range(-1000, 1000);
    f.add("rotation", &Settings::rotation, "About Y, then X, then Z.").unit("deg").range(-360, 360);
    f.add("nearPlane", &Settings::nearPlane, "Nothing nearer is drawn.").unit("m").range(0.001, 100);
    f.add("farPlane", &Settings::farPlane, "Nothing farther is drawn.").unit("m").range(1, 100000);
    f.add("rank", &Settings::rank, "The active camera of the highest rank gives the picture.");
    f.add("active", &Settings::active, "Takes part; Activate and Deactivate switch it.");
}

void Camera::describe(ComponentBuilder<Camera>& b) {
    b.doc("A view of the world from this entity.").category("Looks").aliases({"viewpoint", "eye"});
    b.handle<&Camera::onEnable>().handle<&Camera::onDisable>();
    b.handle<&Camera::onActivate>().handle<&Camera::onDeactivate>().handle<&Camera::onAim>();
}

Camera::Camera(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    m_camera.entity = entity();
    m_camera.active = s.active;
    refresh();
    world().service<VisualSystem>().add(m_camera);
}

Camera::~Camera() { world().service<VisualSystem>().remove(m_camera); }

void Camera::settingsChanged(const Settings& before) {
    refresh();
    if (settings.active != before.active)
        m_camera.active = settings.active;
}

void Camera::refresh() {
    m_camera.local.position = settings.offset;
    m_camera.local.rotation = fromEulerDegrees(settings.rotation + Vec3(m_pitch, 0.0F, 0.0F));
    m_camera.view.fovY = glm::radians(settings.fov);
    m_camera.view.nearPlane = settings.nearPlane;
    m_camera.view.farPlane = settings.farPlane;
    m_camera.rank = settings.rank;
}

bool Camera::onActivate(Activate&) {
    m_camera.active = true;
    return false;
}

bool Camera::onAim(Aim& m) {
    m_pitch = m.pitch;
    refresh();
    return false;
}

bool Camera::onDeactivate(Deactivate&) {
    m_camera.active = false;
    return false;
}

// ------------------------------------------------------------------------------------------------ Sun

void Sun::Settings::describe(FieldList<Settings>& f) {
    f.add("color", &Settings::color, "Linear colour.").color().range(0, 1);
    f.add("intensity", &Settings::intensity, "Radiance of a white surface that faces it.").range(0, 100);
    f.add("azimuth", &Settings::azimuth, "Where it stands: 0 at -Z, 90 at +X.").unit("deg").range(-360, 360);
    f.add("elevation", &Settings::elevation, "How high it stands.").unit("deg").range(-10, 90);
}

void Sun::describe(ComponentBuilder<Sun>& b) {
    b.doc("The one light that casts shadows.").category("Looks").aliases({"directional light", "shadow"});
    b.handle<&Sun::onEnable>().handle<&Sun::onDisable>();
}

Sun::Sun(const ComponentContext& context, const Settings& s)
    : Component(context), settings(s), m_enabled(world().find(entity()).enabled()) {
    settingsChanged();
}

Sun::~Sun() { world().service<VisualSystem>().removeSun(entity()); }

bool Sun::onEnable(OnEnable&) {
    m_enabled = true;
    settingsChanged();
    return false;
}

bool Sun::onDisable(OnDisable&) {
    m_enabled = false;
    world().service<VisualSystem>().removeSun(entity());
    return false;
}

void Sun::settingsChanged() {
    if (!m_enabled)
        return;
    const float azimuth = glm::radians(settings.azimuth);
    const float elevation = glm::radians(settings.elevation);
    render::Sun sun;
    sun.direction = -Vec3(std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                          -std::cos(azimuth) * std::cos(elevation));
    sun.color = rgb(settings.color);
    sun.intensity = settings.intensity;
    world().service<VisualSystem>().setSun(entity(), sun);
}

// ------------------------------------------------------------------------------------------------ Sky

void Sky::Settings::describe(FieldList<Settings>& f) {
    f.add("zenith", &Settings::zenith, "Linear colour overhead.").color().range(0, 10);
    f.add("horizon", &Settings::horizon, "Linear colour at the horizon, and of the fog.")
        .color()
        .range(0, 10);
    f.add("ground", &Settings::ground, "Light that comes back from below.").color().range(0, 10);
    f.add("ambient", &Settings::ambient, "Scales the light from sky and ground.").range(0, 10);
    f.add("fog", &Settings::fog, "Density of the fog; 0: none.").unit("1/m").range(0, 1);
    f.add("clouds", &Settings::clouds, "Thin high clouds: 0 none, 1 many.").range(0, 1);
    f.add("exposure", &Settings::exposure, "Brightness of the picture.").range(0.01, 100);
}

void Sky::describe(ComponentBuilder<Sky>& b) {
    b.doc("Sky, clouds, ambient light and fog.").category("Looks").aliases({"skybox", "environment", "background", "ambient"});
    b.handle<&Sky::onEnable>().handle<&Sky::onDisable>();
}

Sky::Sky(const ComponentContext& context, const Settings& s)
    : Component(context), settings(s), m_enabled(world().find(entity()).enabled()) {
    settingsChanged();
}

Sky::~Sky() { world().service<VisualSystem>().removeEnvironment(entity()); }

bool Sky::onEnable(OnEnable&) {
    m_enabled = true;
    settingsChanged();
    return false;
}

bool Sky::onDisable(OnDisable&) {
    m_enabled = false;
    world().service<VisualSystem>().removeEnvironment(entity());
    return false;
}

void Sky::settingsChanged() {
    if (!m_enabled)
        return;
    render::Environment environment;
    environment.zenith = rgb(settings.zenith);
    environment.horizon = rgb(settings.horizon);
    environment.ground = rgb(settings.ground);
    environment.ambient = settings.ambient;
    environment.fogDensity = settings.fog;
    environment.clouds = settings.clouds;
    environment.exposure = settings.exposure;
    world().service<VisualSystem>().setEnvironment(entity(), environment);
}

} // namespace sbx
