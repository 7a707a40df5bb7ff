#pragma once
// A rigid body: shape, mass and motion in the world's physics. Owns the entity's position.

#include "engine/components/messages.h"
#include "engine/components/network_messages.h"
#include "engine/components/physics_system.h"
#include "engine/entity/component_type.h"

namespace sbx {

class Body final : public Component, public BodyListener {
public:
    enum class Shape { Box, Sphere, Capsule, Cylinder, Plane, Hull, Mesh };
    struct Settings {
        Shape shape = Shape::Box;
        Vec3 size{1.0F};
        float radius = 0.5F;
        float height = 1.0F;
        std::string mesh;
        physics::Motion motion = physics::Motion::Dynamic;
        float mass = 1.0F;
        float friction = 0.6F;
        float restitution = 0.1F;
        float rollingFriction = 0.02F;
        float linearDamping = 0.02F;
        float angularDamping = 0.05F;
        float gravityScale = 1.0F;
        bool trigger = false;
        bool upright = false;
        bool continuous = false;
        Vec3 velocity{0.0F};
        static void describe(FieldList<Settings>& f);
    };
    // Follows the physics; setting it moves the body.
    struct State {
        Vec3 position{0.0F};
        Vec3 rotation{0.0F};
        Vec3 linearVelocity{0.0F};
        Vec3 angularVelocity{0.0F};
        static void describe(FieldList<State>& f);
    };
    Settings settings;
    State state;

    Body(const ComponentContext& context, const Settings& s);
    ~Body();
    static void describe(ComponentBuilder<Body>& b);
    void settingsChanged(const Settings& before);
    void stateChanged();
    void bodyMoved(const Pose& pose) override;
    void bodyMovedByParent(const Pose& pose) override;

private:
    [[nodiscard]] bool restsNearby(const Pose& pose) const;
    bool onGetPose(GetPose& m);
    bool onSetPose(SetPose& m);
    bool onMoveTo(MoveTo& m);
    bool onSetVelocity(SetVelocity& m);
    bool onGetVelocity(GetVelocity& m);
    bool onPush(Push& m);
    bool onAim(Aim& m);
    bool onGetBody(GetBody& m);
    bool onGetExtent(GetExtent& m);
    bool onNear(Near& m);
    bool onRaycast(Raycast& m);
    bool onSetDriven(SetDriven& m);

    [[nodiscard]] physics::Motion motion() const;
    [[nodiscard]] Result<physics::BodyDesc> makeDesc() const;
    bool onEnable(OnEnable&);
    bool onDisable(OnDisable&);
    void join();
    void place(const Pose& pose, bool teleport);
    [[nodiscard]] physics::PhysicsWorld& physics() const {
        return world().service<PhysicsSystem>().physics();
    }

    physics::BodyHandle m_body; // null: disabled, or refused by the physics
    bool m_enabled = true;
    bool m_driven = false; // follows where it is moved to, whatever its motion is
    std::uint64_t m_madeAt; // tick
};

} // namespace sbx
