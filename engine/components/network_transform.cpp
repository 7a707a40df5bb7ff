#include "engine/components/network_transform.h"

#include "engine/components/network_system.h"
#include "engine/core/log.h"
#include "engine/core/value.h"

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {
constexpr int StillTicks = 3;            // without motion: it has come to rest
constexpr double OwnersInterval = 0.05;  // s between two updates of an owner, at least
constexpr double OwnersLead = 1.0;       // s by which an owner's tick may be ahead of what is expected
constexpr float SpeedMargin = 1.5F;      // packets are not evenly apart
constexpr int MaxPlaced = 65535;
constexpr double UsualInterval = 0.05;   // s between two states, for a way that begins late

float turnedBy(const Quat& a, const Quat& b) {
    return glm::degrees(2.0F * std::acos(std::min(1.0F, std::abs(glm::dot(a, b)))));
}
bool same(const Pose& a, const Pose& b) {
    constexpr float LeastDistance = 1e-5F; // m
    constexpr float LeastCosine = 0.9999999F;
    return glm::length(a.position - b.position) <= LeastDistance && std::abs(glm::dot(a.rotation, b.rotation)) >= LeastCosine
           && glm::length(a.scale - b.scale) <= LeastDistance;
}
} // namespace

void NetworkTransform::Settings::describe(FieldList<Settings>& f) {
    f.add("authority", &Settings::authority, "Who moves it: the server, or the client that owns it (message SetOwner); a player owns itself.")
        .choices({"server", "owner"});
    f.add("updateInterval", &Settings::updateInterval, "At least so long between two updates; 0: as often as states are sent.")
        .unit("s")
        .range(0, 10);
    f.add("updateDistance", &Settings::updateDistance, "It is sent when it has moved this far, or has come to rest.").unit("m").range(0, 100);
    f.add("updateAngle", &Settings::updateAngle, "... or has turned this far.").unit("deg").range(0, 180);
    f.add("position", &Settings::position, "Its position is sent.");
    f.add("rotation", &Settings::rotation, "Its rotation is sent.");
    f.add("scale", &Settings::scale, "Its scale is sent.");
    f.add("delay", &Settings::delay, "The others show it this much behind what they have received, so that they know where it goes.")
        .unit("s")
        .range(0, 2);
    f.add("extrapolation", &Settings::extrapolation, "For so long it goes on as it did when nothing new has come.").unit("s").range(0, 0.25);
    f.add("snapDistance", &Settings::snapDistance, "From farther away it jumps instead of moving.").unit("m").range(0.001, 100000);
    f.add("maxSpeed", &Settings::maxSpeed, "The server puts it back if its owner moves it faster; 0: any speed.")
        .unit("m/s")
        .range(0, 10000)
        .onlyWith("authority", {"owner"});
}

void NetworkTransform::State::describe(FieldList<State>& f) {
    f.add("owner", &State::owner, "Player whose client moves it; none: the server does.");
    f.add("placed", &State::placed, "How often the server has put it somewhere else at once.").range(0, MaxPlaced);
    f.add("tick", &State::tick, "Of the server, when it was there.").range(0, 4294967295.0);
    f.add("resting", &State::resting, "It does not move.");
    f.add("position", &State::position, "In the parent's frame.").unit("m").range(-100000, 100000).resolution(0.001);
    f.add("rotation", &State::rotation, "In the parent's frame: about Y, then X, then Z.").unit("deg").range(-360, 360).resolution(0.02);
    f.add("scale", &State::scale, "In the parent's frame.").range(0.001, 10000).resolution(0.001);
}

void NetworkTransform::describe(ComponentBuilder<NetworkTransform>& b) {
    b.doc("Sends where the entity is over the network; other ends show it interpolated instead of simulating it.")
        .category("Network")
        .aliases({"network sync", "replicated movement", "authority", "interpolation"});
    // Before the components that move the entity, and after all of them.
    constexpr int First = -1000;
    constexpr int Last = 1000;
    b.handle<&NetworkTransform::onFixedUpdate>(First).handle<&NetworkTransform::onMoveTo>(First).handle<&NetworkTransform::onSetPose>(First);
    b.handle<&NetworkTransform::onPostUpdate>(Last);
    b.handle<&NetworkTransform::onGetOwner>();
    b.handle<&NetworkTransform::onSetOwner>(0, Side::Server).handle<&NetworkTransform::onUpdateOfOwner>(0, Side::Server);
    b.sends<TransformUpdate>().sends<SetDriven>().sends<MoveTo>().sends<SetPose>();
}

NetworkTransform::NetworkTransform(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    const Pose& local = world().find(entity()).local();
    state.position = local.position;
    state.rotation = toEulerDegrees(local.rotation);
    state.scale = local.scale;
    m_before = local;
    checkSettings();
}

void NetworkTransform::settingsChanged(const Settings&) {
    m_sendNow = true;
    checkSettings();
    if (settings.authority == Authority::Server && world().desc().side == Side::Server)
        state.owner = {};
}

// A step that is due must not be a jump.
void NetworkTransform::checkSettings() {
    if (settings.snapDistance <= settings.updateDistance)
        world().log().warning("network", world().nameOf(entity()) + ": NetworkTransform.snapDistance " + formatFloat(settings.snapDistance)
                                             + " m makes every update a jump; expected more than updateDistance, "
                                             + formatFloat(settings.updateDistance) + " m");
}

double NetworkTransform::ticks(double seconds) const { return seconds * world().desc().tickRate; }
double NetworkTransform::now() const { return static_cast<double>(world().tickCount()); }

bool NetworkTransform::isDriven() const {
    const auto& network = world().service<NetworkSystem>();
    switch (network.role()) {
    case NetworkRole::Server:
        return network.isPlayerOfClient(state.owner);
    case NetworkRole::Client:
        return !state.owner || state.owner != network.player();
    default:
        return false;
    }
}

// Whose part it is may have changed.
void NetworkTransform::follow(bool driven) {
    if (driven == m_driven)
        return;
    m_driven = driven;
    m_clock.clear();
    forgetReceived();
    m_receivedResting = true;
    m_ownerIsKnown = false;
    m_sendNow = true;
    world().send(entity(), SetDriven{driven}, entity());
}

// ---------------------------------------------------------------------------------------------------- the others

void NetworkTransform::forgetReceived() {
    m_position.clear();
    m_rotation.clear();
    m_scale.clear();
}

Pose NetworkTransform::received() const { return {state.position, fromEulerDegrees(state.rotation), state.scale}; }

void NetworkTransform::stateChanged() {
    if (world().service<NetworkSystem>().role() != NetworkRole::Client)
        return; // edited while it runs
    const bool mine = !isDriven();
    const bool wasMine = m_owner && m_owner == world().service<NetworkSystem>().player();
    m_owner = state.owner;
    const bool isPlaced = state.placed != m_placed;
    m_placed = state.placed;
    follow(!mine);
    if (mine) {
        // Who becomes the owner goes on from what it shows; afterwards the server may put it somewhere.
        if (isPlaced && wasMine)
            moveTo(received(), true);
        return;
    }
    if (!state.resting) // the place of what rests may be of long ago
        m_clock.arrived(state.tick, now());
    if (isPlaced || m_position.empty() || !m_clock.isKnown())
        jumpTo(received());
    receive(state.tick, received(), state.resting);
}

void NetworkTransform::jumpTo(const Pose& local) {
    forgetReceived();
    moveTo(local, true);
}

void NetworkTransform::receive(double tick, const Pose& local, bool resting) {
    const double beyond = m_receivedResting ? 0.0 : ticks(static_cast<double>(settings.extrapolation));
    const double least = ticks(std::max(UsualInterval, static_cast<double>(settings.updateInterval)));
    const double shown = shownTick();
    const SnapshotWay way{shown, beyond, least, m_receivedResting};
    if (!m_position.empty()
        && glm::length(m_position.sample(shown, beyond) - local.position) > std::max(settings.snapDistance, settings.updateDistance))
        jumpTo(local);
    // What has not changed is no point of its own way: the tracks do not disturb each other. At rest each is exactly there.
    if (m_position.empty() || resting || m_position.newest() != local.position)
        m_position.add(tick, local.position, way);
    if (m_rotation.empty() || resting || m_rotation.newest() != local.rotation)
        m_rotation.add(tick, local.rotation, way);
    if (m_scale.empty() || resting || m_scale.newest() != local.scale)
        m_scale.add(tick, local.scale, way);
    m_receivedResting = resting;
}

void NetworkTransform::show() {
    if (m_position.empty())
        return;
    const double beyond = m_receivedResting ? 0.0 : ticks(static_cast<double>(settings.extrapolation));
    const double shown = shownTick();
    moveTo({m_position.sample(shown, beyond), m_rotation.sample(shown, beyond), m_scale.sample(shown, beyond)}, false);
}

void NetworkTransform::moveTo(const Pose& wanted, bool teleport) {
    const Entity own = world().find(entity());
    Pose local = own.local();
    if (settings.position)
        local.position = wanted.position;
    if (settings.rotation)
        local.rotation = wanted.rotation;
    if (settings.scale)
        local.scale = wanted.scale;
    const Entity parent = world().find(own.parent());
    const Pose pose = parent ? compose(parent.pose(), local) : local;
    if (same(pose, own.pose()))
        return;
    m_moving = true;
    const bool taken = teleport ? world().send(entity(), SetPose{pose.position, pose.rotation}, entity()).consumed
                                : world().send(entity(), MoveTo{pose.position, pose.rotation}, entity()).consumed;
    m_moving = false;
    if (!world().alive(entity()))
        return;
    if (!taken) {
        world().setPose(entity(), pose, teleport);
    } else if (settings.scale && pose.scale != world().find(entity()).pose().scale) {
        Pose scaled = world().find(entity()).pose();
        scaled.scale = pose.scale;
        world().setPose(entity(), scaled);
    }
}

bool NetworkTransform::onFixedUpdate(FixedUpdate&) {
    follow(isDriven());
    if (m_driven)
        show();
    return false;
}

// What moves the entity elsewhere, too, does not move it here.
bool NetworkTransform::onMoveTo(MoveTo&) { return m_driven && !m_moving; }

// ---------------------------------------------------------------------------------------------------- who moves it

bool NetworkTransform::isDue(const Pose& local, double leastSeconds) {
    m_still = same(local, m_before) ? std::min(m_still + 1, StillTicks) : 0;
    m_exactlyStill = local == m_before ? std::min(m_exactlyStill + 1, StillTicks) : 0;
    m_before = local;
    // What creeps is at rest for those who show it; where it ends is sent once more.
    if (m_sendNow || (m_still >= StillTicks && !m_sentResting) || (m_exactlyStill == StillTicks && local != m_sent))
        return true;
    if (static_cast<double>(world().tickCount() - m_sentAt) < ticks(leastSeconds))
        return false;
    return (settings.position && glm::length(local.position - m_sent.position) >= settings.updateDistance && local.position != m_sent.position)
           || (settings.rotation && turnedBy(local.rotation, m_sent.rotation) >= settings.updateAngle && local.rotation != m_sent.rotation)
           || (settings.scale && local.scale != m_sent.scale);
}

void NetworkTransform::note(const Pose& local) {
    m_sent = local;
    m_sentAt = world().tickCount();
    m_sentResting = m_still >= StillTicks;
    m_sendNow = false;
}

bool NetworkTransform::onPostUpdate(PostUpdate&) {
    const NetworkRole role = world().service<NetworkSystem>().role();
    if (role == NetworkRole::Alone || (role == NetworkRole::Client && m_driven))
        return false;
    const Pose& local = world().find(entity()).local();
    const double least = static_cast<double>(settings.updateInterval);
    if (role == NetworkRole::Client) {
        if (isDue(local, std::max(least, OwnersInterval)))
            sendToServer();
        return false;
    }
    if (!m_driven && state.owner)
        state.owner = {}; // its client has left
    if (!isDue(local, least))
        return false;
    note(local);
    state.tick = static_cast<std::uint32_t>(world().tickCount());
    state.resting = m_sentResting;
    if (settings.position)
        state.position = local.position;
    if (settings.rotation)
        state.rotation = toEulerDegrees(local.rotation);
    if (settings.scale)
        state.scale = local.scale;
    return false;
}

void NetworkTransform::sendToServer() {
    const Pose& local = world().find(entity()).local();
    note(local);
    TransformUpdate update;
    update.tick = static_cast<std::uint32_t>(world().tickCount());
    update.placed = m_placed;
    update.resting = m_sentResting;
    update.position = local.position;
    update.rotation = local.rotation;
    update.scale = local.scale;
    world().service<NetworkSystem>().send(entity(), update);
}

// ---------------------------------------------------------------------------------------------------- authority

// Something puts it elsewhere: the others jump, and what its owner sent before does not count.
bool NetworkTransform::onSetPose(SetPose&) {
    if (m_moving || world().service<NetworkSystem>().role() != NetworkRole::Server)
        return false;
    state.placed = state.placed % MaxPlaced + 1;
    forgetReceived();
    m_ownerIsKnown = false;
    m_sendNow = true;
    return false;
}

bool NetworkTransform::onSetOwner(SetOwner& m) {
    const auto& network = world().service<NetworkSystem>();
    if (m.owner && settings.authority == Authority::Server) {
        world().log().warning("network", world().nameOf(entity()) + " gets no owner: its NetworkTransform.authority is server; expected owner");
        return true;
    }
    if (m.owner && !network.isPlayerOfClient(m.owner)) {
        world().log().warning("network", world().nameOf(entity()) + " gets no owner: " + (world().alive(m.owner) ? world().nameOf(m.owner) : "the entity")
                                             + " is no player of a client");
        return true;
    }
    if (m.owner == state.owner)
        return true;
    state.owner = m.owner;
    follow(false);
    follow(isDriven());
    m_sendNow = true;
    return true;
}

bool NetworkTransform::onGetOwner(GetOwner& m) {
    m.owner = state.owner;
    m.mayChange = settings.authority == Authority::Owner;
    return true;
}

bool NetworkTransform::onUpdateOfOwner(TransformUpdate& m) {
    if (!m_driven || m.placed != state.placed)
        return true; // of a former owner, or sent before it was put elsewhere
    const float length = glm::dot(m.rotation, m.rotation);
    if (!(length > 0.5F && length < 2.0F))
        return true;
    const auto tick = static_cast<double>(m.tick);
    if (m_ownerIsKnown && (m.tick <= m_ownersTick || tick > m_clock.at(now()) + ticks(OwnersLead)))
        return true; // older, or of a time that has not come
    if (m_ownerIsKnown && settings.maxSpeed > 0.0F) {
        const auto seconds = static_cast<float>(static_cast<double>(m.tick - m_ownersTick) / world().desc().tickRate);
        if (glm::length(m.position - m_ownersPosition) > settings.maxSpeed * SpeedMargin * seconds + settings.updateDistance) {
            if (!m_complained)
                world().log().warning("network", world().nameOf(state.owner) + " has moved " + world().nameOf(entity())
                                                     + " faster than NetworkTransform.maxSpeed, " + formatFloat(settings.maxSpeed)
                                                     + " m/s; it is put back, and the next times are not logged");
            m_complained = true;
            state.placed = state.placed % MaxPlaced + 1;
            m_ownerIsKnown = false;
            forgetReceived();
            m_sendNow = true;
            return true;
        }
    }
    m_ownerIsKnown = true;
    m_ownersTick = m.tick;
    m_ownersPosition = m.position;
    if (!m.resting || !m_clock.isKnown())
        m_clock.arrived(tick, now());
    receive(tick, {m.position, glm::normalize(m.rotation), m.scale}, m.resting);
    return true;
}

} // namespace sbx
