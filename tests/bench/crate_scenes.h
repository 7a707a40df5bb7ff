#pragma once
// What the crate benchmarks share: the scenes, the peer (bare Bullet with its own settings), and the clock (the thread's own, so
// that a busy machine does not blur it).

#include "engine/core/math.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <memory>
#include <vector>

namespace sbx::bench {

inline constexpr float Dt = 1.0F / 60.0F;
inline constexpr float PairFriction = 0.70710678F; // squared, the 0.5 of a BodyDesc

struct Crate {
    Vec3 position;
    Quat rotation;
};

// Ten layers of 10 x 10, loosely spaced and slightly turned, so that they tumble into a heap.
inline std::vector<Crate> falling() {
    std::vector<Crate> crates;
    for (int i = 0; i < 1000; ++i) {
        const float turn = static_cast<float>(i * 37 % 100) * 0.01F;
        crates.push_back(
            {{static_cast<float>(i % 10) * 1.3F + 0.2F * turn, 2.0F + static_cast<float>(i / 100) * 1.5F,
              static_cast<float>(i / 10 % 10) * 1.3F - 0.2F * turn},
             glm::angleAxis(turn, glm::normalize(Vec3(1.0F, turn, 0.5F)))});
    }
    return crates;
}

// A hundred rows of a hundred, just above the floor.
inline std::vector<Crate> resting() {
    std::vector<Crate> crates;
    for (int i = 0; i < 10000; ++i) {
        crates.push_back({{static_cast<float>(i % 100) * 1.5F, 0.5F, static_cast<float>(i / 100) * 1.5F},
                          Quat(1.0F, 0.0F, 0.0F, 0.0F)});
    }
    return crates;
}

// Bullet's own settings throughout, but the friction: it multiplies two bodies', where ours is their
// geometric mean.
class BareBullet {
public:
    explicit BareBullet(const std::vector<Crate>& crates) {
        m_world.setGravity({0.0F, -9.81F, 0.0F});
        m_floorBody = std::make_unique<btRigidBody>(0.0F, nullptr, &m_floor, btVector3(0.0F, 0.0F, 0.0F));
        m_floorBody->setWorldTransform(
            btTransform(btQuaternion::getIdentity(), btVector3(0.0F, -1.0F, 0.0F)));
        m_floorBody->setFriction(PairFriction);
        m_world.addRigidBody(m_floorBody.get());
        btVector3 inertia;
        m_box.calculateLocalInertia(1.0F, inertia);
        for (const Crate& crate : crates) {
            m_bodies.push_back(std::make_unique<btRigidBody>(1.0F, nullptr, &m_box, inertia));
            const btQuaternion turn(crate.rotation.x, crate.rotation.y, crate.rotation.z, crate.rotation.w);
            m_bodies.back()->setCenterOfMassTransform(
                btTransform(turn, btVector3(crate.position.x, crate.position.y, crate.position.z)));
            m_bodies.back()->setFriction(PairFriction);
            m_world.addRigidBody(m_bodies.back().get());
        }
    }
    ~BareBullet() {
        for (const auto& body : m_bodies) {
            m_world.removeRigidBody(body.get());
        }
        m_world.removeRigidBody(m_floorBody.get());
    }
    BareBullet(const BareBullet&) = delete;
    BareBullet& operator=(const BareBullet&) = delete;

    void step() { m_world.stepSimulation(Dt, 0); }

private:
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher{&m_configuration};
    btDbvtBroadphase m_broadphase;
    btSequentialImpulseConstraintSolver m_solver;
    btBoxShape m_floor{btVector3(200.0F, 1.0F, 200.0F)};
    btBoxShape m_box{btVector3(0.5F, 0.5F, 0.5F)};
    std::unique_ptr<btRigidBody> m_floorBody;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    btDiscreteDynamicsWorld m_world{&m_dispatcher, &m_broadphase, &m_solver, &m_configuration};
};

struct Times {
    double median = 0.0;
    double p95 = 0.0;
    double worst = 0.0;
};

inline double threadMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

inline Times measure(int steps, const std::function<void()>& step) {
    std::vector<double> times;
    for (int i = 0; i < steps; ++i) {
        const double begin = threadMilliseconds();
        step();
        times.push_back(threadMilliseconds() - begin);
    }
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times[times.size() * 95 / 100], times.back()};
}

} // namespace sbx::bench
