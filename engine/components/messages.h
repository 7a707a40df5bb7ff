#pragma once
// Messages between the built-in components. Messages that are sent every tick are not recorded by default.

#include "engine/core/math.h"
#include "engine/entity/lifecycle_messages.h"
#include "engine/message/message_type.h"

#include <vector>

namespace sbx {

// ------------------------------------------------------------------------------------------------ motion

struct MoveTo {
    static constexpr const char* Name = "MoveTo";
    static constexpr const char* Doc =
        "Asks the owner of the position to be there after this tick; others may bend it first.";
    static constexpr bool Recorded = false;
    Vec3 position{0.0F};
    Quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
    static void describe(FieldList<MoveTo>& f) {
        f.add("position", &MoveTo::position, "World position.").unit("m");
        f.add("rotation", &MoveTo::rotation, "World rotation.");
    }
};
struct SetVelocity {
    static constexpr const char* Name = "SetVelocity";
    static constexpr const char* Doc = "Sets the linear velocity of a dynamic body.";
    static constexpr bool Recorded = false;
    Vec3 velocity{0.0F};
    static void describe(FieldList<SetVelocity>& f) {
        f.add("velocity", &SetVelocity::velocity, "World velocity.").unit("m/s");
    }
};
struct GetVelocity {
    static constexpr const char* Name = "GetVelocity";
    static constexpr const char* Doc = "Asks for velocity and footing; the body answers.";
    static constexpr bool Query = true;
    Vec3 velocity{0.0F};
    bool grounded = false;
    static void describe(FieldList<GetVelocity>& f) {
        f.add("velocity", &GetVelocity::velocity, "World velocity.").unit("m/s");
        f.add("grounded", &GetVelocity::grounded, "Something holds the body up.");
    }
};
struct Push {
    static constexpr const char* Name = "Push";
    static constexpr const char* Doc = "Gives a body an impulse.";
    Vec3 impulse{0.0F};
    Vec3 offset{0.0F};
    static void describe(FieldList<Push>& f) {
        f.add("impulse", &Push::impulse, "World direction and strength.").unit("N*s");
        f.add("offset", &Push::offset, "Where, from the centre of mass, in world axes.").unit("m");
    }
};
struct Near {
    static constexpr const char* Name = "Near";
    static constexpr const char* Doc = "Asks a body what is near it; the answer is one of those, the nearest first, and how many.";
    static constexpr bool Query = true;
    float radius = 5.0F;
    int rank = 0;
    EntityId found;
    float distance = 0.0F;
    int count = 0;
    static void describe(FieldList<Near>& f) {
        f.add("radius", &Near::radius, "How far from the middle of the asked entity.").unit("m").range(0.001, 100000);
        f.add("rank", &Near::rank, "Which one to tell: 0 the nearest, 1 the next.").range(0, 1000000);
        f.add("found", &Near::found, "That one; none if there are not so many.");
        f.add("distance", &Near::distance, "To its box; 0 where the two overlap.").unit("m").atLeast(0);
        f.add("count", &Near::count, "How many are within the radius, the asked one not among them.").range(0, 1e9);
    }
};
struct Raycast {
    static constexpr const char* Name = "Raycast";
    static constexpr const char* Doc = "Asks a body what a ray from it hits first; itself it does not see.";
    static constexpr bool Query = true;
    Vec3 offset{0.0F};
    Vec3 direction{0.0F, 0.0F, -1.0F};
    float length = 100.0F;
    bool hit = false;
    EntityId found;
    float distance = 0.0F;
    Vec3 point{0.0F};
    Vec3 normal{0.0F};
    static void describe(FieldList<Raycast>& f) {
        f.add("offset", &Raycast::offset, "Where it starts, from the entity's position, in world axes.").unit("m");
        f.add("direction", &Raycast::direction, "World direction; its length does not matter.");
        f.add("length", &Raycast::length, "How far it reaches.").unit("m").range(0.001, 100000);
        f.add("hit", &Raycast::hit, "Whether it hits.");
        f.add("found", &Raycast::found, "What it hits.");
        f.add("distance", &Raycast::distance, "To what it hits.").unit("m").atLeast(0);
        f.add("point", &Raycast::point, "Where it hits, in the world.").unit("m");
        f.add("normal", &Raycast::normal, "Out of the surface it hits, unit length.");
    }
};
struct GetBody {
    static constexpr const char* Name = "GetBody";
    static constexpr const char* Doc = "Asks for the physics body; Body answers.";
    static constexpr bool Query = true;
    std::uint64_t body = 0; // bits of a physics::BodyHandle
    static void describe(FieldList<GetBody>& f) {
        f.add("body", &GetBody::body, "Handle of the body.").range(0, 1.8e19);
    }
};
struct GetExtent {
    static constexpr const char* Name = "GetExtent";
    static constexpr const char* Doc =
        "Asks how large the entity is; Body answers, Mesh draws itself that large.";
    static constexpr bool Query = true;
    Vec3 size{0.0F};
    FixedText<200> shape; // name of a primitive mesh that fits; empty: unknown
    static void describe(FieldList<GetExtent>& f) {
        f.add("size", &GetExtent::size, "Full edge lengths.").unit("m");
        f.add("shape", &GetExtent::shape, "Mesh that fits.");
    }
};
struct ExtentChanged {
    static constexpr const char* Name = "ExtentChanged";
    static constexpr bool Notice = true;
    static constexpr const char* Doc = "The body has another shape or size now.";
    static void describe(FieldList<ExtentChanged>&) {}
};
struct Respawn {
    static constexpr const char* Name = "Respawn";
    static constexpr const char* Doc = "Asks an entity to start over at its first place.";
    static void describe(FieldList<Respawn>&) {}
};

// ------------------------------------------------------------------------------------------------ contact

struct ContactBegan {
    static constexpr const char* Name = "ContactBegan";
    static constexpr bool Notice = true;
    static constexpr const char* Doc = "Something touches the body.";
    EntityId other;
    Vec3 point{0.0F};
    Vec3 normal{0.0F};
    float impulse = 0.0F;
    static void describe(FieldList<ContactBegan>& f) {
        f.add("other", &ContactBegan::other, "What touches.");
        f.add("point", &ContactBegan::point, "Where, in the world.").unit("m");
        f.add("normal", &ContactBegan::normal, "Out of the other body, unit length.");
        f.add("impulse", &ContactBegan::impulse, "Strength of the first step.").unit("N*s").atLeast(0);
    }
};
struct ContactEnded {
    static constexpr const char* Name = "ContactEnded";
    static constexpr bool Notice = true;
    static constexpr const char* Doc = "Something no longer touches the body.";
    EntityId other;
    static void describe(FieldList<ContactEnded>& f) { f.add("other", &ContactEnded::other, "What let go."); }
};
struct Entered {
    static constexpr const char* Name = "Entered";
    static constexpr bool Notice = true;
    static constexpr const char* Doc = "Something came into the trigger's volume.";
    EntityId other;
    static void describe(FieldList<Entered>& f) { f.add("other", &Entered::other, "What came."); }
};
struct Left {
    static constexpr const char* Name = "Left";
    static constexpr bool Notice = true;
    static constexpr const char* Doc = "Something went out of the trigger's volume.";
    EntityId other;
    static void describe(FieldList<Left>& f) { f.add("other", &Left::other, "What went."); }
};

// ------------------------------------------------------------------------------------------------ rules

struct Damage {
    static constexpr const char* Name = "Damage";
    static constexpr const char* Doc = "Asks the receiver to lose health; shields take their part first.";
    float amount = 0.0F;
    static void describe(FieldList<Damage>& f) {
        f.add("amount", &Damage::amount, "What is left to take.").atLeast(0);
    }
};
struct Heal {
    static constexpr const char* Name = "Heal";
    static constexpr const char* Doc = "Gives health back, up to the maximum.";
    float amount = 0.0F;
    static void describe(FieldList<Heal>& f) { f.add("amount", &Heal::amount, "How much.").atLeast(0); }
};
struct Died {
    static constexpr const char* Name = "Died";
    static constexpr bool Notice = true;
    static constexpr const char* Doc = "Health reached zero.";
    static void describe(FieldList<Died>&) {}
};
struct Activate {
    static constexpr const char* Name = "Activate";
    static constexpr const char* Doc =
        "Switches on: a hinge turns to its active angle, a lamp lights, a spawner starts.";
    static void describe(FieldList<Activate>&) {}
};
struct Deactivate {
    static constexpr const char* Name = "Deactivate";
    static constexpr const char* Doc = "Switches off again.";
    static void describe(FieldList<Deactivate>&) {}
};
struct SpawnNow {
    static constexpr const char* Name = "SpawnNow";
    static constexpr const char* Doc = "Asks a spawner for one entity at once.";
    static void describe(FieldList<SpawnNow>&) {}
};
struct Spawned {
    static constexpr const char* Name = "Spawned";
    static constexpr bool Notice = true;
    static constexpr const char* Doc = "A spawner made an entity.";
    EntityId made;
    static void describe(FieldList<Spawned>& f) { f.add("made", &Spawned::made, "What was made."); }
};
struct Expire {
    static constexpr const char* Name = "Expire";
    static constexpr const char* Doc = "Time is up: the entity goes.";
    static void describe(FieldList<Expire>&) {}
};
struct Score {
    static constexpr const char* Name = "Score";
    static constexpr const char* Doc = "Adds to a counter.";
    int points = 0;
    static void describe(FieldList<Score>& f) {
        f.add("points", &Score::points, "How many; may be negative.");
    }
};

// ------------------------------------------------------------------------------------------------ input

struct Input {
    static constexpr const char* Name = "Input";
    static constexpr const char* Doc = "What the person at the controls wants in this tick.";
    static constexpr bool Recorded = false;
    Vec2 move{0.0F};
    Vec2 look{0.0F};
    bool jump = false;
    bool run = false;
    static void describe(FieldList<Input>& f) {
        f.add("move", &Input::move, "Right and forward.").range(-1, 1);
        f.add("look", &Input::look, "Turn right and up since the last tick.").unit("deg").range(-3600, 3600);
        f.add("jump", &Input::jump, "Wants to jump.");
        f.add("run", &Input::run, "Wants to be fast.");
    }
};
struct Aim {
    static constexpr const char* Name = "Aim";
    static constexpr const char* Doc = "Turns a figure: an upright body takes the yaw, the camera the pitch.";
    static constexpr bool Recorded = false;
    float yaw = 0.0F;
    float pitch = 0.0F;
    static void describe(FieldList<Aim>& f) {
        f.add("yaw", &Aim::yaw, "About the vertical; positive turns left.").unit("deg").range(-360, 360);
        f.add("pitch", &Aim::pitch, "Upwards.").unit("deg").range(-90, 90);
    }
};
struct KeyPressed {
    static constexpr const char* Name = "KeyPressed";
    static constexpr bool Notice = true;
    static constexpr const char* Doc = "A key went down.";
    FixedText<16> key;
    static void describe(FieldList<KeyPressed>& f) {
        f.add("key", &KeyPressed::key, "Name of the key: a, left, space, …");
    }
};
struct KeyReleased {
    static constexpr const char* Name = "KeyReleased";
    static constexpr bool Notice = true;
    static constexpr const char* Doc = "A key went up.";
    FixedText<16> key;
    static void describe(FieldList<KeyReleased>& f) {
        f.add("key", &KeyReleased::key, "Name of the key: a, left, space, …");
    }
};

} // namespace sbx
