#include "engine/components/mechanisms.h"

#include "engine/components/rules.h"
#include "engine/core/log.h"

#include <algorithm>
#include <cmath>

namespace sbx {

// ------------------------------------------------------------------------------------------------ Hinge

void Hinge::Settings::describe(FieldList<Settings>& f) {
    f.add("anchor", &Settings::anchor, "A point of the axis, from the entity's origin.")
        .unit("m")
        .range(-1000, 1000);
    f.add("axis", &Settings::axis, "Axis of rotation, in the entity's frame.").range(-1, 1);
    f.add("lower", &Settings::lower, "Least angle.").unit("deg").range(-180, 180);
    f.add("upper", &Settings::upper, "Greatest angle.").unit("deg").range(-180, 180);
    f.add("rest", &Settings::rest, "Where the spring holds it.").unit("deg").range(-180, 180);
    f.add("active", &Settings::active, "Where Activate sends it.").unit("deg").range(-180, 180);
    f.add("stiffness", &Settings::stiffness, "Of the spring; 0: swings freely.")
        .unit("N*m/rad")
        .range(0, 1e6);
    f.add("damping", &Settings::damping, "Of the swing.").unit("N*m*s/rad").range(0, 1e6);
    f.add("body", &Settings::body, "Entity it hangs on; empty: the world.").role(TextRole::EntityName);
}

void Hinge::State::describe(FieldList<State>& f) {
    f.add("angle", &State::angle, "Angle now.").unit("deg").range(-360, 360).readOnly().resolution(0.05);
    f.add("on", &State::on, "Activated.");
}

void Hinge::describe(ComponentBuilder<Hinge>& b) {
    b.doc("Turns the body about an axis: a door, a flipper, a seesaw.").category("Physics").aliases({"joint", "hinge joint", "constraint", "motor"});
    b.handle<&Hinge::onEnable>().handle<&Hinge::onDisable>();
    b.handle<&Hinge::onStart>()
        .handle<&Hinge::onUpdate>()
        .handle<&Hinge::onActivate>()
        .handle<&Hinge::onDeactivate>();
    b.sends<GetBody>();
}

Hinge::~Hinge() {
    if (m_hinge)
        physics().removeHinge(m_hinge);
}

bool Hinge::onStart(Start&) {
    make();
    return false;
}

bool Hinge::onEnable(OnEnable&) {
    if (m_framed)
        make();
    return false;
}

bool Hinge::onDisable(OnDisable&) {
    if (m_hinge)
        physics().removeHinge(m_hinge);
    m_hinge = {};
    return false;
}

void Hinge::make() {
    if (m_hinge)
        physics().removeHinge(m_hinge);
    m_hinge = {};
    GetBody own;
    world().send(entity(), own, entity());
    const Pose now = world().poseOf(entity());
    if (!m_framed) {
        m_frame = now;
        m_framed = true;
    }
    physics::HingeDesc desc;
    desc.a = physics::BodyHandle::fromBits(own.body);
    if (!settings.body.empty()) {
        const Entity other = world().find(settings.body);
        if (!other) {
            world().log().error("physics", world().nameOf(entity()) + " has no hinge: no entity is called "
                                               + inQuotes(settings.body));
            return;
        }
        GetBody question;
        world().send(other.id(), question, entity());
        desc.b = physics::BodyHandle::fromBits(question.body);
    }
    // The physics measures angles from where the hinge is made: made in the first frame, whatever the angle is now.
    Pose frame = m_frame;
    frame.scale = now.scale;
    const physics::BodyHandle body = desc.a;
    physics().setPose(body, frame);
    desc.anchor = frame.position + frame.rotation * (frame.scale * settings.anchor);
    desc.axis =
        frame.rotation * (glm::length(settings.axis) > 1e-4F ? glm::normalize(settings.axis) : Vec3(0, 1, 0));
    desc.lowerAngle = glm::radians(std::min(settings.lower, settings.upper));
    desc.upperAngle = glm::radians(std::max(settings.lower, settings.upper));
    desc.damping = settings.damping;
    desc.stiffness = settings.stiffness;
    desc.restAngle = glm::radians(state.on ? settings.active : settings.rest);
    const Result<physics::HingeHandle> hinge = physics().addHinge(desc);
    physics().setPose(body, now);
    if (!hinge) {
        world().log().error("physics", world().nameOf(entity()) + " has no hinge: " + hinge.error().message);
        return;
    }
    m_hinge = *hinge;
}

void Hinge::settingsChanged() {
    if (m_framed)
        make();
}

void Hinge::aim() {
    if (!m_hinge)
        return;
    GetBody own;
    world().send(entity(), own, entity());
    physics().wake(physics::BodyHandle::fromBits(own.body));
    physics().setHingeTarget(m_hinge, glm::radians(state.on ? settings.active : settings.rest),
                             settings.stiffness);
}

bool Hinge::onUpdate(Update&) {
    if (m_hinge)
        state.angle = glm::degrees(physics().hingeAngle(m_hinge));
    return false;
}

bool Hinge::onActivate(Activate&) {
    state.on = true;
    aim();
    return false;
}

bool Hinge::onDeactivate(Deactivate&) {
    state.on = false;
    aim();
    return false;
}

// ------------------------------------------------------------------------------------------------ Trigger

void Trigger::Settings::describe(FieldList<Settings>& f) {
    f.add("target", &Settings::target, "Entity that receives the message; empty: the one that came in.").role(TextRole::EntityName);
    f.add("enter", &Settings::enter, "Sent when the first comes in; empty: nothing.")
        .role(TextRole::MessageType);
    f.add("leave", &Settings::leave, "Sent when the last has left; empty: nothing.")
        .role(TextRole::MessageType);
    f.add("only", &Settings::only, "Counts only entities of this type; empty: all that move.")
        .role(TextRole::EntityType);
}

void Trigger::State::describe(FieldList<State>& f) {
    f.add("inside", &State::inside, "How many are inside.").readOnly();
}

void Trigger::describe(ComponentBuilder<Trigger>& b) {
    b.doc("Sends a message when something enters its volume.").category("Rules").aliases({"area", "volume", "sensor", "zone"});
    b.handle<&Trigger::onEntered>(0, Side::Server).handle<&Trigger::onLeft>(0, Side::Server);
    b.sends<Activate>().sends<Deactivate>();
}

bool Trigger::counts(EntityId other) const {
    // A door that swings through its own trigger does not hold itself open.
    const Entity entity = world().find(other);
    if (!entity || entity.name() == settings.target)
        return false;
    return settings.only.empty() || entity.type().name() == settings.only;
}

bool Trigger::onEntered(Entered& m) {
    if (!counts(m.other))
        return false;
    m_inside.insert(m.other);
    state.inside = static_cast<int>(m_inside.size());
    if (settings.enter.empty())
        return false;
    if (settings.target.empty())
        sendByName(world(), m.other, {}, settings.enter);
    else if (m_inside.size() == 1)
        sendByName(world(), entity(), settings.target, settings.enter);
    return false;
}

bool Trigger::onLeft(Left& m) {
    const auto it = m_inside.find(m.other);
    if (it == m_inside.end())
        return false;
    m_inside.erase(it);
    state.inside = static_cast<int>(m_inside.size());
    if (settings.leave.empty())
        return false;
    if (settings.target.empty()) {
        if (world().alive(m.other))
            sendByName(world(), m.other, {}, settings.leave);
    } else if (m_inside.empty()) {
        sendByName(world(), entity(), settings.target, settings.leave);
    }
    return false;
}

// ------------------------------------------------------------------------------------------------ Key

void Key::Settings::describe(FieldList<Settings>& f) {
    f.add("key", &Settings::key,
          "Name of the key: a to z, 0 to 9, left, right, up, down, space, enter, shift.");
    f.add("target", &Settings::target, "Entity that receives the message; empty: this entity.").role(TextRole::EntityName);
    f.add("press", &Settings::press, "Sent when the key goes down; empty: nothing.")
        .role(TextRole::MessageType);
    f.add("release", &Settings::release, "Sent when the key goes up; empty: nothing.")
        .role(TextRole::MessageType);
}

void Key::describe(ComponentBuilder<Key>& b) {
    b.doc("Sends messages when a key goes down and up.").category("Control").aliases({"input", "button", "keyboard"}).repeatable();
    b.handle<&Key::onKeyPressed>(0, Side::Server).handle<&Key::onKeyReleased>(0, Side::Server);
}

bool Key::onKeyPressed(KeyPressed& m) {
    if (!settings.key.empty() && m.key.view() == settings.key && !settings.press.empty())
        sendByName(world(), entity(), settings.target, settings.press);
    return false;
}

bool Key::onKeyReleased(KeyReleased& m) {
    if (!settings.key.empty() && m.key.view() == settings.key && !settings.release.empty())
        sendByName(world(), entity(), settings.target, settings.release);
    return false;
}

// ------------------------------------------------------------------------------------------------ Spawner

void Spawner::Settings::describe(FieldList<Settings>& f) {
    f.add("type", &Settings::type, "What is made.").role(TextRole::EntityType);
    f.add("every", &Settings::every, "Between two; 0: only when asked.").unit("s").range(0, 3600);
    f.add("limit", &Settings::limit, "Most of its own alive at a time.").range(0, 10000);
    f.add("offset", &Settings::offset, "Where, in its frame.").unit("m").range(-1000, 1000);
    f.add("velocity", &Settings::velocity, "How fast they start, in its frame.")
        .unit("m/s")
        .range(-1000, 1000);
    f.add("spread", &Settings::spread, "Random distance from there, along each axis.")
        .unit("m")
        .range(0, 1000);
    f.add("on", &Settings::on, "Works from the start; Activate and Deactivate switch it.");
}

void Spawner::State::describe(FieldList<State>& f) {
    f.add("on", &State::on, "Works.");
    f.add("wait", &State::wait, "Until the next one.").unit("s").range(0, 3600).resolution(0.1);
    f.add("made", &State::made, "How many so far.").readOnly();
}

void Spawner::describe(ComponentBuilder<Spawner>& b) {
    b.doc("Makes entities again and again, or when asked.").category("Rules").aliases({"emitter", "generator", "factory"});
    b.handle<&Spawner::onUpdate>(0, Side::Server)
        .handle<&Spawner::onActivate>(0, Side::Server)
        .handle<&Spawner::onDeactivate>(0, Side::Server)
        .handle<&Spawner::onSpawnNow>(0, Side::Server);
    b.sends<Spawned>().sends<SetVelocity>();
}

Spawner::Spawner(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    state.on = s.on;
    state.wait = s.every;
}

void Spawner::settingsChanged(const Settings& before) {
    // A switch that a message threw stays thrown while other settings are tried.
    if (settings.on != before.on)
        state.on = settings.on;
    // What has passed since the last one counts.
    state.wait = std::max(0.0F, settings.every - (before.every - state.wait));
}

bool Spawner::onUpdate(Update& m) {
    if (!state.on || settings.every <= 0.0F)
        return false;
    state.wait -= m.dt;
    if (state.wait <= 0.0F) {
        state.wait = std::max(0.0F, state.wait + settings.every);
        make();
    }
    return false;
}

bool Spawner::onActivate(Activate&) {
    state.on = true;
    return false;
}

bool Spawner::onDeactivate(Deactivate&) {
    state.on = false;
    return false;
}

bool Spawner::onSpawnNow(SpawnNow&) {
    make();
    return true;
}

void Spawner::make() {
    // The dead are counted out where they would be in the way: one by one, each would cost a walk over all.
    const auto limit = static_cast<std::size_t>(settings.limit);
    if (m_living.size() >= limit)
        std::erase_if(m_living, [&](EntityId id) { return !world().alive(id); });
    if (m_living.size() >= limit)
        return;
    const auto type = world().findType(settings.type);
    if (type == nullptr) {
        world().log().warning("rules", world().nameOf(entity()) + ": no entity type is called "
                                           + inQuotes(settings.type));
        state.on = false;
        return;
    }
    Random& random = world().random();
    const Vec3 jitter(random.between(-1.0F, 1.0F), random.between(-1.0F, 1.0F), random.between(-1.0F, 1.0F));
    Pose pose = world().poseOf(entity());
    pose.position += pose.rotation * (settings.offset + jitter * settings.spread);
    pose.scale = Vec3(1.0F);
    SpawnRequest request;
    request.type = type;
    request.pose = pose;
    request.creator = entity();
    const EntityId id = world().spawn(request);
    m_living.push_back(id);
    ++state.made;
    if (settings.velocity != Vec3(0.0F))
        world().send(id, SetVelocity{pose.rotation * settings.velocity}, entity());
    world().send(entity(), Spawned{id}, entity());
}

// ------------------------------------------------------------------------------------------------ Restart

void Restart::Settings::describe(FieldList<Settings>& f) {
    f.add("below", &Settings::below, "Starts over when it falls below this height.")
        .unit("m")
        .range(-100000, 100000);
}

void Restart::describe(ComponentBuilder<Restart>& b) {
    b.doc("Puts the entity back to its first place when asked, or when it falls too deep.").category("Rules").aliases({"reset", "checkpoint", "teleport"});
    b.handle<&Restart::onUpdate>(0, Side::Server).handle<&Restart::onRespawn>(0, Side::Server);
    b.sends<SetPose>().sends<Respawn>();
}

Restart::Restart(const ComponentContext& context, const Settings& s)
    : Component(context), settings(s), m_home(world().find(entity()).pose()) {}

bool Restart::onUpdate(Update&) {
    if (world().find(entity()).pose().position.y < settings.below)
        world().send(entity(), Respawn{}, entity());
    return false;
}

bool Restart::onRespawn(Respawn&) {
    world().send(entity(), SetPose{m_home.position, m_home.rotation}, entity());
    return true;
}

} // namespace sbx
