#include "engine/components/movers.h"

#include "engine/entity/world.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx {

namespace {
constexpr float TwoPi = 2.0F * std::numbers::pi_v<float>;

// The component that owns the position takes it; without an owner the world does.
void moveTo(World& world, EntityId entity, const MoveTo& wish, SendSite site = SendSite::here()) {
    MoveTo message = wish;
    if (!world.send(entity, message, entity, 0, site).consumed) {
        Pose pose = world.find(entity).pose();
        pose.position = message.position;
        pose.rotation = message.rotation;
        world.setPose(entity, pose);
    }
}
} // namespace

// ------------------------------------------------------------------------------------------------ Walk

void Walk::Settings::describe(FieldList<Settings>& f) {
    f.add("speed", &Settings::speed, "On foot.").unit("m/s").range(0, 100);
    f.add("run", &Settings::run, "Times faster when running.").range(1, 10);
    f.add("jump", &Settings::jump, "Speed upwards at the start of a jump.").unit("m/s").range(0, 100);
    f.add("grip", &Settings::grip, "How quickly the speed follows.").unit("1/s").range(0.1, 100);
}

void Walk::State::describe(FieldList<State>& f) {
    f.add("yaw", &State::yaw, "Which way it looks; positive turns left.").unit("deg").range(-360, 360).resolution(0.05);
    f.add("pitch", &State::pitch, "How far up it looks.").unit("deg").range(-89, 89).resolution(0.05);
    f.add("move", &State::move, "Right and forward.").range(-1, 1).resolution(0.01);
    f.add("jump", &State::jump, "Wants to jump.");
    f.add("run", &State::run, "Wants to be fast.");
}

void Walk::describe(ComponentBuilder<Walk>& b) {
    b.doc("Walks, runs and jumps as the person at the controls wants.").category("Control").aliases({"character controller", "player", "first person"});
    b.handle<&Walk::onInput>().handle<&Walk::onFixedUpdate>();
    b.sends<Aim>().sends<GetVelocity>().sends<SetVelocity>();
}

Walk::Walk(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    state.yaw = toEulerDegrees(world().find(entity()).pose().rotation).y;
}

bool Walk::onInput(Input& m) {
    state.yaw = std::remainder(state.yaw - m.look.x, 360.0F);
    state.pitch = std::clamp(state.pitch + m.look.y, -89.0F, 89.0F);
    state.move = glm::clamp(m.move, Vec2(-1.0F), Vec2(1.0F));
    state.jump = m.jump;
    state.run = m.run;
    return false;
}

bool Walk::onFixedUpdate(FixedUpdate& m) {
    // The figure turns with the look, and back whenever something else turned it.
    const Quat turned = fromEulerDegrees({0.0F, state.yaw, 0.0F});
    if (state.pitch != m_aimedPitch
        || std::abs(glm::dot(turned, world().poseOf(entity()).rotation)) < 0.9999999F) {
        m_aimedPitch = state.pitch;
        world().send(entity(), Aim{state.yaw, state.pitch}, entity());
    }
    GetVelocity now;
    world().send(entity(), now, entity());
    const float yaw = glm::radians(state.yaw);
    const Vec3 forward(-std::sin(yaw), 0.0F, -std::cos(yaw));
    const Vec3 right(std::cos(yaw), 0.0F, -std::sin(yaw));
    Vec3 wish = right * state.move.x + forward * state.move.y;
    if (glm::length(wish) > 1.0F)
        wish = glm::normalize(wish);
    wish *= settings.speed * (state.run ? settings.run : 1.0F);
    const bool still = wish == Vec3(0.0F) && !state.jump;
    if (still && glm::length(Vec2(now.velocity.x, now.velocity.z)) < 1e-3F)
        return false; // lets the body fall asleep
    // Air gives a fifth of the control.
    const float follow = 1.0F - std::exp(-settings.grip * (now.grounded ? 1.0F : 0.2F) * m.dt);
    Vec3 velocity = now.velocity;
    velocity.x += (wish.x - velocity.x) * follow;
    velocity.z += (wish.z - velocity.z) * follow;
    if (state.jump && now.grounded && velocity.y < 0.5F)
        velocity.y = settings.jump;
    world().send(entity(), SetVelocity{velocity}, entity());
    return false;
}

// ------------------------------------------------------------------------------------------------ Orbit

void Orbit::Settings::describe(FieldList<Settings>& f) {
    f.add("center", &Settings::center, "Middle of the circle, in the world.").unit("m").range(-10000, 10000);
    f.add("radius", &Settings::radius, "Of the circle.").unit("m").range(0, 10000);
    f.add("period", &Settings::period, "For one turn; negative: the other way round.")
        .unit("s")
        .range(-3600, 3600);
    f.add("phase", &Settings::phase, "Where it starts.").unit("deg").range(-360, 360);
    f.add("bob", &Settings::bob, "Up and down by this much.").unit("m").range(0, 100);
    f.add("bobPeriod", &Settings::bobPeriod, "For one up and down.").unit("s").range(0.05, 3600);
    f.add("bank", &Settings::bank, "Leans into the turn.").unit("deg").range(-90, 90);
}

void Orbit::State::describe(FieldList<State>& f) {
    f.add("angle", &State::angle, "Of the turn, since the start.").unit("deg").range(-360, 360);
    f.add("bobAngle", &State::bobAngle, "Of the way up and down, since the start.").unit("deg").range(-360, 360);
}

void Orbit::describe(ComponentBuilder<Orbit>& b) {
    b.doc("Circles about a point, looking where it goes.").category("Motion").aliases({"rotate around", "path", "fly"});
    b.handle<&Orbit::onFixedUpdate>();
    b.sends<MoveTo>();
}

bool Orbit::onFixedUpdate(FixedUpdate& m) {
    if (settings.period != 0.0F)
        state.angle = std::remainder(state.angle + 360.0F * m.dt / settings.period, 360.0F);
    if (settings.bob != 0.0F)
        state.bobAngle = std::remainder(state.bobAngle + 360.0F * m.dt / settings.bobPeriod, 360.0F);
    const float angle = glm::radians(state.angle + settings.phase);
    const float turn = settings.period < 0.0F ? -1.0F : 1.0F;
    MoveTo wish;
    wish.position = settings.center + settings.radius * Vec3(std::sin(angle), 0.0F, std::cos(angle));
    wish.position.y += settings.bob * std::sin(glm::radians(state.bobAngle));
    // Along the circle: the tangent at `angle` is +X turned by it.
    const Quat heading = glm::angleAxis(angle - turn * TwoPi / 4.0F, Vec3(0, 1, 0));
    wish.rotation = heading * glm::angleAxis(glm::radians(settings.bank) * turn, Vec3(0, 0, 1));
    moveTo(world(), entity(), wish);
    return false;
}

// ------------------------------------------------------------------------------------------------ Dive

void Dive::Settings::describe(FieldList<Settings>& f) {
    f.add("every", &Settings::every, "Between two dives.").unit("s").range(0.1, 3600);
    f.add("jitter", &Settings::jitter, "Random part added to that.").unit("s").range(0, 3600);
    f.add("duration", &Settings::duration, "Of a dive, down and up.").unit("s").range(0.1, 60);
    f.add("depth", &Settings::depth, "How deep.").unit("m").range(0, 1000);
}

void Dive::State::describe(FieldList<State>& f) {
    f.add("wait", &State::wait, "Until the next dive.").unit("s").range(0, 7200);
    f.add("progress", &State::progress, "Of the dive: 0 before, 1 after.").range(0, 1);
}

void Dive::describe(ComponentBuilder<Dive>& b) {
    b.doc("Swoops down now and then: bends MoveTo before the body sees it.").category("Motion").aliases({"swoop"});
    b.handle<&Dive::onStart>(0, Side::Server);
    b.handle<&Dive::onUpdate>().handle<&Dive::onMoveTo>(10);
}

Dive::Dive(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    state.wait = s.every;
}

void Dive::settingsChanged(const Settings& before) {
    if (state.progress > 0.0F)
        return; // the next wait is drawn at the dive's end
    // What has passed since the last dive counts.
    state.wait = std::max(0.0F, settings.every - (before.every - state.wait));
}

// Random numbers are drawn while it plays: what is edited before leaves no trace in them.
bool Dive::onStart(Start&) {
    state.wait += world().random().between(0.0F, settings.jitter);
    return false;
}

bool Dive::onUpdate(Update& m) {
    if (state.wait > 0.0F) {
        state.wait = std::max(0.0F, state.wait - m.dt);
        return false;
    }
    state.progress += m.dt / settings.duration;
    if (state.progress >= 1.0F) {
        state.progress = 0.0F;
        state.wait = settings.every;
        if (world().desc().side == Side::Server) // a client draws no random number: it receives the wait as state
            state.wait += world().random().between(0.0F, settings.jitter);
    }
    return false;
}

bool Dive::onMoveTo(MoveTo& m) {
    if (state.progress <= 0.0F)
        return false;
    // A raised cosine: no jerk at either end. The nose follows the slope.
    const float down = 0.5F - 0.5F * std::cos(TwoPi * state.progress);
    const float slope = std::sin(TwoPi * state.progress);
    m.position.y -= settings.depth * down;
    m.rotation = m.rotation * glm::angleAxis(-0.6F * slope, Vec3(1, 0, 0));
    return false;
}

// ------------------------------------------------------------------------------------------------ Spin

void Spin::Settings::describe(FieldList<Settings>& f) {
    f.add("axis", &Settings::axis, "In the entity's frame.").range(-1, 1);
    f.add("rate", &Settings::rate, "How fast.").unit("deg/s").range(-3600, 3600);
}

void Spin::describe(ComponentBuilder<Spin>& b) {
    b.doc("Turns about an axis at a steady pace.").category("Motion").aliases({"rotate", "rotator", "turn"});
    b.handle<&Spin::onFixedUpdate>();
    b.sends<MoveTo>();
}

bool Spin::onFixedUpdate(FixedUpdate& m) {
    if (glm::length(settings.axis) < 1e-4F)
        return false;
    const Pose pose = world().poseOf(entity());
    const Quat step = glm::angleAxis(glm::radians(settings.rate) * m.dt, glm::normalize(settings.axis));
    moveTo(world(), entity(), MoveTo{pose.position, glm::normalize(pose.rotation * step)});
    return false;
}

} // namespace sbx
