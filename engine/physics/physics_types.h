#pragma once
// The plain values that go into and come out of a PhysicsWorld. No Bullet type appears here, and nothing here
// depends on entities: a body carries a 64-bit `user` value that comes back with every contact and
// query.

#include "engine/core/ids.h"
#include "engine/core/math.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace sbx::physics {

struct BodyTag;
struct HingeTag;
using BodyHandle = Handle<BodyTag>;
using HingeHandle = Handle<HingeTag>;

enum class Motion : std::uint8_t { Dynamic, Kinematic, Static };

enum class Broadphase : std::uint8_t {
    Tree, // our own, engine/spatial
    Dbvt, // Bullet's btDbvtBroadphase
};

struct WorldDesc {
    Vec3 gravity{0.0F, -9.81F, 0.0F}; // m/s²
    Broadphase broadphase = Broadphase::Tree;
    float margin = 0.1F; // metres on each side of the tree's fat boxes; Bullet's own are 0.05
    // Boxes without a margin, and pairs looked at in order of creation: what happens is then the same with either broad phase.
    // Costs more; meant for comparing them.
    bool exactPairs = false;
};

// What a body is made of, about the body's origin. Equal descriptions share one shape inside a world.
struct ShapeDesc {
    enum class Kind : std::uint8_t {
        Box,      // size
        Sphere,   // radius, times the largest component of scale
        Capsule,  // radius, height: total, along Y, at least twice the radius
        Cylinder, // radius, height along Y
        Plane,    // everything at and below the body's local XZ plane, without end; static bodies only
        Hull,     // convex hull of points
        Mesh,     // triangles; static and kinematic bodies only
    };
    Kind kind = Kind::Box;
    Vec3 size{1.0F}; // full edge lengths, metres
    float radius = 0.5F;
    float height = 1.0F;
    std::vector<Vec3> points;           // hull and mesh corners
    std::vector<std::uint32_t> indices; // mesh: three a triangle
    Vec3 scale{1.0F}; // positive; capsules and cylinders scale their radius by the larger of x and z

    friend bool operator==(const ShapeDesc&, const ShapeDesc&) = default;
};

struct BodyDesc {
    ShapeDesc shape;
    Motion motion = Motion::Dynamic;
    float mass = 1.0F;            // kg, positive; used by dynamic bodies only
    float friction = 0.5F;        // a pair's is the geometric mean: equal materials slide at its arctangent
    float restitution = 0.0F;     // 0 to 1; a pair's is the larger of the two
    float rollingFriction = 0.0F; // resistance to rolling and spinning
    float linearDamping = 0.0F;   // share of velocity lost in a second, 0 to 1
    float angularDamping = 0.0F;
    // Reports overlaps, pushes nothing. Senses dynamic and kinematic bodies, static ones too unless it is
    // static itself, and no other triggers.
    bool trigger = false;
    Pose pose; // the scale is kept and handed back, never applied: see ShapeDesc::scale
    Vec3 linearVelocity{0.0F};
    Vec3 angularVelocity{0.0F};
    std::uint64_t user = 0;
    bool continuous = false;  // swept test, for small fast bodies
    bool uprightOnly = false; // turns about Y alone: a walking figure
    Vec3 angularFactor{1.0F}; // 0 locks rotation about that world axis
    float gravityScale = 1.0F;
};

// Two bodies that touch (or overlap, for triggers). `a` was created before `b`.
struct Contact {
    BodyHandle a;
    BodyHandle b;
    std::uint64_t userA = 0;
    std::uint64_t userB = 0;
    Vec3 point{0.0F};     // world, middle of the contact points, weighted by their impulses
    Vec3 normal{0.0F};    // unit, from b to a
    float impulse = 0.0F; // N·s along the normal, summed over the contact points of the step; 0 for triggers
    float depth = 0.0F;   // metres of overlap at the deepest point; negative: a gap
    bool trigger = false;
};

struct GroundContact {
    BodyHandle body; // the body below
    std::uint64_t user = 0;
    Vec3 point{0.0F};
    Vec3 normal{0.0F, 1.0F, 0.0F}; // out of the ground
};

// Which bodies a query sees: any sum of these.
namespace query {
inline constexpr std::uint32_t Static = 1U;
inline constexpr std::uint32_t Kinematic = 2U;
inline constexpr std::uint32_t Dynamic = 4U;
inline constexpr std::uint32_t Triggers = 8U; // of any motion
inline constexpr std::uint32_t Solid = Static | Kinematic | Dynamic;
inline constexpr std::uint32_t All = Solid | Triggers;
} // namespace query

struct RayHit {
    BodyHandle body;
    std::uint64_t user = 0;
    Vec3 point{0.0F};
    Vec3 normal{0.0F};
    float fraction = 0.0F; // of the way from `from` to `to`
};

// A hinge lets body a turn about one axis, relative to body b or, with b null, to the world. The angle is 0
// where the hinge is made and grows as a turns right-handed about the axis. A spring pulls the angle to
// `restAngle`; a motor drives its speed.
struct HingeDesc {
    BodyHandle a;
    BodyHandle b;
    Vec3 anchor{0.0F};           // world
    Vec3 axis{0.0F, 1.0F, 0.0F}; // world
    // Radians within [-π, π]; both infinite: no limits.
    float lowerAngle = -std::numeric_limits<float>::infinity();
    float upperAngle = std::numeric_limits<float>::infinity();
    float restAngle = 0.0F;
    float stiffness = 0.0F;                                   // N·m/rad; 0: no spring
    float damping = 0.0F;                                     // N·m·s/rad
    float maxTorque = std::numeric_limits<float>::infinity(); // of spring and damping together, N·m
    bool motor = false;
    float motorVelocity = 0.0F;   // rad/s
    float motorMaxImpulse = 0.0F; // N·m·s in a step
};

// What a body is at the moment, for drawing.
enum class BodyState : std::uint8_t { Awake, Asleep, Kinematic, Static, Trigger };

struct DebugLine {
    Vec3 from{0.0F};
    Vec3 to{0.0F};
    BodyState state = BodyState::Awake; // of the body whose edge it is
};

// A node of the broad phase's tree, or the box of a body in it.
struct DebugBox {
    Vec3 low{0.0F};
    Vec3 high{0.0F};
    int depth = 0; // 0: the root
    bool body = false;
};

} // namespace sbx::physics
