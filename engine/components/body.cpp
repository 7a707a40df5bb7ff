#include "engine/components/body.h"

#include "engine/components/surroundings.h"
#include "engine/components/visual_system.h"
#include "engine/core/log.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace sbx {

void Body::Settings::describe(FieldList<Settings>& f) {
    f.add("shape", &Settings::shape, "Form of the body.")
        .choices({"box", "sphere", "capsule", "cylinder", "plane", "hull", "mesh"});
    f.add("size", &Settings::size, "Full edge lengths of a box; scales hull and mesh.")
        .unit("m")
        .range(0.001, 10000)
        .onlyWith("shape", {"box", "hull", "mesh"});
    f.add("radius", &Settings::radius, "Of sphere, capsule and cylinder.")
        .unit("m")
        .range(0.001, 1000)
        .onlyWith("shape", {"sphere", "capsule", "cylinder"});
    f.add("height", &Settings::height, "Of capsule and cylinder, along Y, caps included.")
        .unit("m")
        .range(0.001, 1000)
        .onlyWith("shape", {"capsule", "cylinder"});
    f.add("mesh", &Settings::mesh, "File or primitive that hull and mesh shapes are made of.")
        .role(TextRole::AssetPath)
        .onlyWith("shape", {"hull", "mesh"});
    f.add("motion", &Settings::motion, "Moved by forces, by messages, or never.")
        .choices({"dynamic", "kinematic", "static"});
    f.add("mass", &Settings::mass, "Of a dynamic body.").unit("kg").range(0.001, 1e6).onlyWith("motion", {"dynamic"});
    f.add("friction", &Settings::friction, "Grip of the surface.").range(0, 10);
    f.add("restitution", &Settings::restitution, "Bounciness: 0 none, 1 all.").range(0, 1);
    f.add("rollingFriction", &Settings::rollingFriction, "Resistance to rolling and spinning.").range(0, 10);
    f.add("linearDamping", &Settings::linearDamping, "Share of speed lost in a second.")
        .range(0, 1)
        .onlyWith("motion", {"dynamic"});
    f.add("angularDamping", &Settings::angularDamping, "Share of spin lost in a second.")
        .range(0, 1)
        .onlyWith("motion", {"dynamic"});
    f.add("gravityScale", &Settings::gravityScale, "How much gravity pulls: 0 floats.")
        .range(-10, 10)
        .onlyWith("motion", {"dynamic"});
    f.add("trigger", &Settings::trigger, "Reports what comes in and pushes nothing.");
    f.add("upright", &Settings::upright, "Never tips over: a walking figure.").onlyWith("motion", {"dynamic"});
    f.add("continuous", &Settings::continuous, "For small fast bodies: never passes through walls.")
        .onlyWith("motion", {"dynamic"});
    f.add("velocity", &Settings::velocity, "At the start, in the entity's frame.")
        .unit("m/s")
        .range(-1000, 1000)
        .onlyWith("motion", {"dynamic", "kinematic"});
}

void Body::State::describe(FieldList<State>& f) {
    f.add("position", &State::position, "Where the body is.").unit("m").range(-100000, 100000).resolution(0.001);
    f.add("rotation", &State::rotation, "How it is turned: about Y, then X, then Z.")
        .unit("deg")
        .range(-360, 360)
        .resolution(0.05);
    f.add("linearVelocity", &State::linearVelocity, "How fast it moves.").unit("m/s").range(-10000, 10000).resolution(0.002);
    f.add("angularVelocity", &State::angularVelocity, "How fast it spins.")
        .unit("rad/s")
        .range(-10000, 10000)
        .resolution(0.005);
}

void Body::describe(ComponentBuilder<Body>& b) {
    b.doc("A rigid body: falls, collides, and owns the entity's position.").category("Physics").aliases({"rigidbody", "rigid body", "collider", "collision shape", "physics"});
    // It must exist before components that depend on it, and be destroyed after them.
    b.handle<&Body::onEnable>(-100).handle<&Body::onDisable>(100);
    b.handle<&Body::onGetPose>().handle<&Body::onSetPose>().handle<&Body::onMoveTo>(100);
    b.handle<&Body::onSetVelocity>()
        .handle<&Body::onGetVelocity>()
        .handle<&Body::onPush>()
        .handle<&Body::onAim>();
    b.handle<&Body::onGetBody>().handle<&Body::onGetExtent>();
    b.handle<&Body::onNear>().handle<&Body::onRaycast>().handle<&Body::onSetDriven>();
    b.sends<ContactBegan>().sends<ContactEnded>().sends<Entered>().sends<Left>().sends<ExtentChanged>();
}

Body::Body(const ComponentContext& context, const Settings& s)
    : Component(context), settings(s), m_madeAt(world().tickCount()) {
    const Pose pose = world().find(entity()).pose();
    state.position = pose.position;
    state.rotation = toEulerDegrees(pose.rotation);
    state.linearVelocity = pose.rotation * s.velocity;
    m_enabled = world().find(entity()).enabled();
    if (m_enabled)
        join();
}

// A disabled body is not in the physics world: nothing touches it, and nothing moves it.
bool Body::onEnable(OnEnable&) {
    m_enabled = true;
    if (!m_body) {
        const Pose& pose = world().find(entity()).pose();
        state.position = pose.position;
        state.rotation = toEulerDegrees(pose.rotation);
        join();
    }
    return false;
}

bool Body::onDisable(OnDisable&) {
    if (m_body)
        world().service<PhysicsSystem>().detach(entity(), m_body);
    m_body = {};
    m_enabled = false;
    return false;
}

void Body::join() {
    Result<physics::BodyDesc> desc = makeDesc();
    if (desc) {
        Result<physics::BodyHandle> body = physics().addBody(*desc);
        if (body) {
            m_body = *body;
            world().service<PhysicsSystem>().attach(entity(), m_body, *this);
            return;
        }
        desc = body.error();
    }
    world().log().error("physics", textAt(world().service<VisualSystem>().places(), settings.mesh,
                                          world().nameOf(entity()) + " has no body: ", desc.error()));
}

Body::~Body() {
    if (m_body)
        world().service<PhysicsSystem>().detach(entity(), m_body);
}

Result<physics::BodyDesc> Body::makeDesc() const {
    const Pose pose = world().find(entity()).pose();
    physics::BodyDesc desc;
    // Both enumerations name the same shapes in the same order.
    static_assert(static_cast<int>(Shape::Mesh) == static_cast<int>(physics::ShapeDesc::Kind::Mesh));
    desc.shape.kind = static_cast<physics::ShapeDesc::Kind>(settings.shape);
    desc.shape.size = settings.size;
    desc.shape.radius = settings.radius;
    desc.shape.height = settings.height;
    desc.shape.scale = pose.scale;
    if (settings.shape == Shape::Hull || settings.shape == Shape::Mesh) {
        render::MeshLibrary& meshes = world().service<VisualSystem>().meshes();
        const Result<render::MeshId> id = meshes.find(settings.mesh);
        if (!id)
            return id.error();
        const auto data = meshes.data(*id);
        for (const render::MeshVertex& vertex : data->vertices)
            desc.shape.points.push_back(vertex.position);
        if (settings.shape == Shape::Mesh)
            desc.shape.indices = data->indices;
        desc.shape.scale *= settings.size;
        desc.shape.size = Vec3(1.0F);
    }
    desc.motion = motion();
    desc.mass = settings.mass;
    desc.friction = settings.friction;
    desc.restitution = settings.restitution;
    desc.rollingFriction = settings.rollingFriction;
    desc.linearDamping = settings.linearDamping;
    desc.angularDamping = settings.angularDamping;
    desc.gravityScale = settings.gravityScale;
    desc.trigger = settings.trigger;
    desc.uprightOnly = settings.upright;
    desc.continuous = settings.continuous;
    desc.pose = pose;
    desc.linearVelocity = state.linearVelocity;
    desc.angularVelocity = state.angularVelocity;
    desc.user = entity().bits;
    return desc;
}

void Body::settingsChanged(const Settings& before) {
    // The velocity it begins with is one until the physics has moved it.
    if (world().tickCount() == m_madeAt && settings.velocity != before.velocity)
        state.linearVelocity = world().find(entity()).pose().rotation * settings.velocity;
    const Result<physics::BodyDesc> desc = makeDesc();
    if (!desc) {
        world().log().error("physics", textAt(world().service<VisualSystem>().places(), settings.mesh,
                                              world().nameOf(entity()) + " keeps its body: ", desc.error()));
        return;
    }
    if (m_body) {
        if (const Result<void> changed = physics().changeBody(m_body, *desc); !changed) {
            world().log().error("physics",
                                world().nameOf(entity()) + " keeps its body: " + changed.error().message);
            return;
        }
        physics().wake(m_body);
    } else if (m_enabled) {
        join();
    }
    world().send(entity(), ExtentChanged{}, entity());
}

// Whether the state is that of a body at rest, as a server sends it, and the body is nearly there. Such a body is not woken: it would
// never come to rest here.
bool Body::restsNearby(const Pose& pose) const {
    constexpr float RestSpeed = 0.05F;       // m/s
    constexpr float RestTurn = 0.05F;        // rad/s
    constexpr float SmallDistance = 0.05F;   // m
    constexpr float SmallTurn = 0.9990F;     // cosine of half of 5 degrees
    if (!m_body || glm::length(state.linearVelocity) > RestSpeed || glm::length(state.angularVelocity) > RestTurn)
        return false;
    const Pose now = physics().pose(m_body);
    return glm::length(now.position - pose.position) < SmallDistance
           && std::abs(glm::dot(now.rotation, pose.rotation)) > SmallTurn && physics().groundContact(m_body).has_value();
}

void Body::stateChanged() {
    const Vec3 scale = world().find(entity()).pose().scale;
    const Pose pose{state.position, fromEulerDegrees(state.rotation), scale};
    if (world().desc().side == Side::Client && restsNearby(pose) && physics().correctPose(m_body, pose)) {
        world().setPose(entity(), pose, true);
        return;
    }
    if (m_body && !physics().setPose(m_body, pose)) {
        state.position = physics().pose(m_body).position;
        state.rotation = toEulerDegrees(physics().pose(m_body).rotation);
        return;
    }
    physics().setLinearVelocity(m_body, state.linearVelocity);
    physics().setAngularVelocity(m_body, state.angularVelocity);
    physics().wake(m_body);
    world().setPose(entity(), pose, true);
}

void Body::bodyMoved(const Pose& pose) {
    state.position = pose.position;
    state.rotation = toEulerDegrees(pose.rotation);
    state.linearVelocity = physics().linearVelocity(m_body);
    state.angularVelocity = physics().angularVelocity(m_body);
    world().setPose(entity(), pose);
}

void Body::bodyMovedByParent(const Pose& pose) {
    if (motion() == physics::Motion::Kinematic)
        physics().moveKinematic(m_body, pose);
    else
        physics().setPose(m_body, pose);
    state.position = pose.position;
    state.rotation = toEulerDegrees(pose.rotation);
}

void Body::place(const Pose& pose, bool teleport) {
    if (m_body && !physics().setPose(m_body, pose))
        return; // out of bounds: stays where it is
    state.position = pose.position;
    state.rotation = toEulerDegrees(pose.rotation);
    world().setPose(entity(), pose, teleport);
}

bool Body::onGetPose(GetPose& m) {
    const Pose& pose = world().find(entity()).pose();
    m.position = pose.position;
    m.rotation = pose.rotation;
    return true;
}

bool Body::onSetPose(SetPose& m) {
    place({m.position, m.rotation, world().find(entity()).pose().scale}, true);
    // Before it first moves it is put there to begin; afterwards it comes to rest there.
    state.linearVelocity = world().tickCount() == m_madeAt ? m.rotation * settings.velocity : Vec3(0.0F);
    state.angularVelocity = Vec3(0.0F);
    physics().setLinearVelocity(m_body, state.linearVelocity);
    physics().setAngularVelocity(m_body, state.angularVelocity);
    physics().wake(m_body);
    return true;
}

bool Body::onMoveTo(MoveTo& m) {
    const Pose pose{m.position, m.rotation, world().find(entity()).pose().scale};
    if (motion() == physics::Motion::Kinematic)
        physics().moveKinematic(m_body, pose); // bodyMoved() follows after the step
    else
        place(pose, false);
    return true;
}

bool Body::onSetVelocity(SetVelocity& m) {
    if (m_driven)
        return true;
    physics().setLinearVelocity(m_body, m.velocity);
    return true;
}

bool Body::onGetVelocity(GetVelocity& m) {
    m.velocity = physics().linearVelocity(m_body);
    m.grounded = physics().groundContact(m_body).has_value();
    return true;
}

bool Body::onPush(Push& m) {
    if (m_driven)
        return true;
    physics().wake(m_body);
    physics().applyImpulse(m_body, m.impulse, world().find(entity()).pose().position + m.offset);
    return true;
}

bool Body::onAim(Aim& m) {
    if (!settings.upright || m_driven)
        return false;
    Pose pose = world().find(entity()).pose();
    pose.rotation = fromEulerDegrees({0.0F, m.yaw, 0.0F});
    physics().setAngularVelocity(m_body, Vec3(0.0F));
    place(pose, false);
    return false; // the camera handles it too
}

bool Body::onGetBody(GetBody& m) {
    m.body = m_body.bits;
    return true;
}

physics::Motion Body::motion() const {
    return m_driven && settings.motion == physics::Motion::Dynamic ? physics::Motion::Kinematic : settings.motion;
}

bool Body::onSetDriven(SetDriven& m) {
    if (m.driven == m_driven)
        return true;
    m_driven = m.driven;
    if (m_body && settings.motion == physics::Motion::Dynamic)
        if (const Result<physics::BodyDesc> desc = makeDesc(); desc && physics().changeBody(m_body, *desc))
            physics().wake(m_body);
    return true;
}

bool Body::onGetExtent(GetExtent& m) {
    const float diameter = 2.0F * settings.radius;
    switch (settings.shape) {
    case Shape::Box:
        m.size = settings.size;
        m.shape = "box";
        break;
    case Shape::Sphere:
        m.size = Vec3(diameter);
        m.shape = "sphere";
        break;
    case Shape::Capsule:
        m.size = Vec3(1.0F);
        m.shape =
            std::string_view("capsule:" + formatFloat(settings.radius) + ":" + formatFloat(settings.height));
        break;
    case Shape::Cylinder:
        m.size = Vec3(diameter, settings.height, diameter);
        m.shape = "cylinder";
        break;
    case Shape::Plane:
        m.size = Vec3(200.0F, 1.0F, 200.0F);
        m.shape = "plane";
        break;
    case Shape::Hull:
    case Shape::Mesh:
        m.size = settings.size;
        m.shape = std::string_view(settings.mesh);
        break;
    }
    return true;
}

bool Body::onNear(Near& m) {
    const Vec3& center = world().find(entity()).pose().position;
    m.count = 0;
    m.found = {};
    m.distance = 0.0F;
    for (const Surroundings::Found& each : world().service<Surroundings>().near(center, m.radius)) {
        if (each.entity == entity())
            continue;
        if (m.count++ == m.rank) {
            m.found = each.entity;
            m.distance = each.distance;
        }
    }
    return true;
}

bool Body::onRaycast(Raycast& m) {
    m.hit = false;
    m.found = {};
    const float length = glm::length(m.direction);
    if (!(length > 1e-6F) || !std::isfinite(length))
        return true; // towards nothing, hits nothing
    const Vec3 from = world().find(entity()).pose().position + m.offset;
    if (const auto hit =
            physics().raycast(from, from + m.direction / length * m.length, physics::query::Solid, m_body)) {
        m.hit = true;
        m.found = EntityId::fromBits(hit->user);
        m.distance = hit->fraction * m.length;
        m.point = hit->point;
        m.normal = hit->normal;
    }
    return true;
}

} // namespace sbx
