#pragma once
// How an entity's place goes over the network: who decides it, how often it is sent, and how the others show it.

#include "engine/components/messages.h"
#include "engine/components/network_messages.h"
#include "engine/components/snapshot_track.h"
#include "engine/entity/component_type.h"

namespace sbx {

// Purpose: of an entity without this component the server's world and each client's simulate the motion, and the states put the clients
// right. With it one end alone moves the entity: the server, or the client that owns it. The others show what they receive, interpolated
// some time behind it; their bodies follow instead of simulating. Outside of a network session it does nothing.
// Method: NetworkTransform of the Isetta Engine (blog, week 10, November 2018), with ticks instead of seconds, snapshots kept instead of
// the last one, and the authority checked by the server. Place: in the frame of the entity's parent; position, rotation and scale are tracks of their own.
class NetworkTransform final : public Component {
public:
    static constexpr const char* TypeName = "NetworkTransform";
    enum class Authority { Server, Owner };
    struct Settings {
        Authority authority = Authority::Server;
        float updateInterval = 0.0F;
        float updateDistance = 0.005F;
        float updateAngle = 0.2F;
        bool position = true;
        bool rotation = true;
        bool scale = false;
        float delay = 0.1F;
        float extrapolation = 0.1F;
        float snapDistance = 4.0F;
        float maxSpeed = 0.0F;
        static void describe(FieldList<Settings>& f);
    };
    // As the server last sent it; only the server writes it.
    struct State {
        EntityId owner;
        int placed = 0;
        std::uint32_t tick = 0;
        bool resting = false;
        Vec3 position{0.0F};
        Vec3 rotation{0.0F};
        Vec3 scale{1.0F};
        static void describe(FieldList<State>& f);
    };
    Settings settings;
    State state;

    NetworkTransform(const ComponentContext& context, const Settings& s);
    static void describe(ComponentBuilder<NetworkTransform>& b);
    void settingsChanged(const Settings& before);
    void stateChanged();

private:
    bool onFixedUpdate(FixedUpdate& m);
    bool onPostUpdate(PostUpdate& m);
    bool onMoveTo(MoveTo& m);
    bool onSetPose(SetPose& m);
    bool onSetOwner(SetOwner& m);
    bool onGetOwner(GetOwner& m);
    bool onUpdateOfOwner(TransformUpdate& m);

    void checkSettings();
    // Whether another end moves the entity.
    [[nodiscard]] bool isDriven() const;
    void follow(bool driven);
    void show();
    void receive(double tick, const Pose& local, bool resting);
    void forgetReceived();
    void jumpTo(const Pose& local);
    void moveTo(const Pose& local, bool teleport);
    [[nodiscard]] Pose received() const;
    // Whether the entity has moved enough, or come to rest, and its time has come.
    [[nodiscard]] bool isDue(const Pose& local, double leastSeconds);
    void sendToServer();
    void note(const Pose& local);
    [[nodiscard]] double ticks(double seconds) const;
    [[nodiscard]] double now() const;
    [[nodiscard]] double shownTick() const { return m_clock.at(now()) - ticks(static_cast<double>(settings.delay)); }

    SnapshotTrack<Vec3> m_position;
    SnapshotTrack<Quat> m_rotation;
    SnapshotTrack<Vec3> m_scale;
    PlayoutClock m_clock;
    bool m_driven = false;
    bool m_moving = false;         // its own MoveTo or SetPose is under way
    bool m_receivedResting = true; // the newest snapshot is of rest
    int m_placed = 0;              // State::placed that this end has followed
    EntityId m_owner;              // State::owner likewise
    // Sending.
    Pose m_sent;                // in the parent's frame
    std::uint64_t m_sentAt = 0; // tick
    Pose m_before;              // of the last tick
    int m_still = 0;            // ticks with hardly any motion
    int m_exactlyStill = 0;     // ... without any
    bool m_sentResting = false;
    bool m_sendNow = true;
    // A server's, of its owner.
    std::uint32_t m_ownersTick = 0;
    Vec3 m_ownersPosition{0.0F};
    bool m_ownerIsKnown = false;
    bool m_complained = false;
};

} // namespace sbx
