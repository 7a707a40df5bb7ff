#pragma once
// What the physics tests build worlds from.

#include <QtTest>

#include "engine/physics/physics_world.h"

#include <cmath>
#include <stdexcept>

namespace sbx::physics::test {

constexpr float Dt = 1.0F / 60.0F;
constexpr float Gravity = 9.81F;

inline BodyDesc box(const Vec3& size, const Vec3& position, Motion motion = Motion::Dynamic) {
    BodyDesc desc;
    desc.shape.kind = ShapeDesc::Kind::Box;
    desc.shape.size = size;
    desc.pose.position = position;
    desc.motion = motion;
    return desc;
}

inline BodyDesc ball(float radius, const Vec3& position) {
    BodyDesc desc;
    desc.shape.kind = ShapeDesc::Kind::Sphere;
    desc.shape.radius = radius;
    desc.pose.position = position;
    return desc;
}

// Its top is y = 0.
inline BodyDesc floor() {
    BodyDesc desc = box({200.0F, 2.0F, 200.0F}, {0.0F, -1.0F, 0.0F}, Motion::Static);
    desc.user = 1000;
    return desc;
}

inline BodyHandle add(PhysicsWorld& world, const BodyDesc& desc) {
    const Result<BodyHandle> body = world.addBody(desc);
    if (!body) {
        throw std::runtime_error(body.error().toString());
    }
    return *body;
}

inline void run(PhysicsWorld& world, int steps) {
    for (int i = 0; i < steps; ++i) {
        world.step(Dt);
    }
}

inline bool near(float value, float expected, float tolerance) {
    if (std::abs(value - expected) <= tolerance) {
        return true;
    }
    qWarning("%g is not %g within %g", static_cast<double>(value), static_cast<double>(expected),
             static_cast<double>(tolerance));
    return false;
}

} // namespace sbx::physics::test
