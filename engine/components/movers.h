#pragma once
// Things that move by rule: Walk, Orbit, Dive, Spin.

#include "engine/components/messages.h"
#include "engine/entity/component_type.h"

namespace sbx {

// A walking figure: turns Input into velocity, jumps when something holds it up. Wants a dynamic, upright Body.
class Walk : public Component {
public:
    struct Settings {
        float speed = 4.0F;
        float run = 1.8F;
        float jump = 5.0F;
        float grip = 12.0F;
        static void describe(FieldList<Settings>& f);
    };
    struct State {
        float yaw = 0.0F;
        float pitch = 0.0F;
        Vec2 move{0.0F};
        bool jump = false;
        bool run = false;
        static void describe(FieldList<State>& f);
    };
    Settings settings;
    State state;
    Walk(const ComponentContext& context, const Settings& s);
    static void describe(ComponentBuilder<Walk>& b);

private:
    bool onInput(Input& m);
    bool onFixedUpdate(FixedUpdate& m);
    float m_aimedPitch = 0.0F;
};

// Circles about a point. Where it is follows from its state alone, which clients get exactly: between two states of the server they
// do the same steps.
class Orbit : public Component {
public:
    struct Settings {
        Vec3 center{0.0F, 5.0F, 0.0F};
        float radius = 5.0F;
        float period = 10.0F;
        float phase = 0.0F;
        float bob = 0.0F;
        float bobPeriod = 2.0F;
        float bank = 0.0F;
        static void describe(FieldList<Settings>& f);
    };
    struct State {
        float angle = 0.0F;
        float bobAngle = 0.0F;
        static void describe(FieldList<State>& f);
    };
    Settings settings;
    State state;
    Orbit(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Orbit>& b);

private:
    bool onFixedUpdate(FixedUpdate& m);
};

// Modifies MoveTo before the body handles it: now and then the entity swoops down and comes back.
class Dive : public Component {
public:
    struct Settings {
        float every = 6.0F;
        float jitter = 3.0F;
        float duration = 1.6F;
        float depth = 3.0F;
        static void describe(FieldList<Settings>& f);
    };
    struct State {
        float wait = 0.0F;
        float progress = 0.0F;
        static void describe(FieldList<State>& f);
    };
    Settings settings;
    State state;
    Dive(const ComponentContext& context, const Settings& s);
    static void describe(ComponentBuilder<Dive>& b);
    void settingsChanged(const Settings& before);

private:
    bool onStart(Start& m);
    bool onUpdate(Update& m);
    bool onMoveTo(MoveTo& m);
};

// Turns about an axis at a steady pace.
class Spin : public Component {
public:
    struct Settings {
        Vec3 axis{0.0F, 1.0F, 0.0F};
        float rate = 45.0F;
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Spin(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Spin>& b);

private:
    bool onFixedUpdate(FixedUpdate& m);
};

} // namespace sbx
