#pragma once
// Things that react: Hinge, Trigger, Key, Spawner, Restart.

#include "engine/components/messages.h"
#include "engine/components/physics_system.h"
#include "engine/entity/component_type.h"

#include <unordered_set>

namespace sbx {

// Lets the body turn about one axis: a door, a flipper. A spring holds it at the rest angle; Activate sends it to the active
// angle, Deactivate back.
class Hinge : public Component {
public:
    struct Settings {
        Vec3 anchor{0.0F};
        Vec3 axis{0.0F, 1.0F, 0.0F};
        float lower = -180.0F;
        float upper = 180.0F;
        float rest = 0.0F;
        float active = 90.0F;
        float stiffness = 40.0F;
        float damping = 4.0F;
        std::string body;
        static void describe(FieldList<Settings>& f);
    };
    struct State {
        float angle = 0.0F;
        bool on = false;
        static void describe(FieldList<State>& f);
    };
    Settings settings;
    State state;
    Hinge(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    ~Hinge();
    static void describe(ComponentBuilder<Hinge>& b);
    void settingsChanged();
    void stateChanged() { aim(); }

private:
    bool onEnable(OnEnable&);
    bool onDisable(OnDisable&);
    bool onStart(Start& m);
    bool onUpdate(Update& m);
    bool onActivate(Activate& m);
    bool onDeactivate(Deactivate& m);
    void make();
    void aim();
    [[nodiscard]] physics::PhysicsWorld& physics() const {
        return world().service<PhysicsSystem>().physics();
    }

    physics::HingeHandle m_hinge;
    Pose m_frame; // where the entity was when the hinge was made: its angle 0
    bool m_framed = false;
};

// Sends a message when something enters the body's volume (Body.trigger = true) and another when the last has left.
class Trigger : public Component {
public:
    struct Settings {
        std::string target;
        std::string enter = "Activate";
        std::string leave = "Deactivate";
        std::string only;
        static void describe(FieldList<Settings>& f);
    };
    struct State {
        int inside = 0;
        static void describe(FieldList<State>& f);
    };
    Settings settings;
    State state;
    Trigger(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Trigger>& b);

private:
    [[nodiscard]] bool counts(EntityId other) const;
    bool onEntered(Entered& m);
    bool onLeft(Left& m);
    std::unordered_multiset<EntityId> m_inside; // contained as often as they have entered without leaving
};

// Sends a message when a key goes down and another when it goes up.
class Key : public Component {
public:
    struct Settings {
        std::string key = "space";
        std::string target;
        std::string press = "Activate";
        std::string release = "Deactivate";
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Key(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Key>& b);

private:
    bool onKeyPressed(KeyPressed& m);
    bool onKeyReleased(KeyReleased& m);
};

// Creates entities: at an interval while it is on, and at each SpawnNow.
class Spawner : public Component {
public:
    struct Settings {
        std::string type;
        float every = 2.0F;
        int limit = 10;
        Vec3 offset{0.0F};
        Vec3 velocity{0.0F};
        float spread = 0.0F;
        bool on = true;
        static void describe(FieldList<Settings>& f);
    };
    struct State {
        bool on = false;
        float wait = 0.0F;
        int made = 0;
        static void describe(FieldList<State>& f);
    };
    Settings settings;
    State state;
    Spawner(const ComponentContext& context, const Settings& s);
    static void describe(ComponentBuilder<Spawner>& b);
    void settingsChanged(const Settings& before);

private:
    bool onUpdate(Update& m);
    bool onActivate(Activate& m);
    bool onDeactivate(Deactivate& m);
    bool onSpawnNow(SpawnNow& m);
    void make();
    std::vector<EntityId> m_living;
};

// Puts the entity back to its first place at Respawn, or when it falls too deep.
class Restart : public Component {
public:
    struct Settings {
        float below = -20.0F;
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Restart(const ComponentContext& context, const Settings& s);
    static void describe(ComponentBuilder<Restart>& b);

private:
    bool onUpdate(Update& m);
    bool onRespawn(Respawn& m);
    Pose m_home;
};

} // namespace sbx
