#include "engine/physics/detail/world_impl.h"

#include <algorithm>
#include <cmath>

namespace sbx::physics {

using detail::Body;
using detail::fromBullet;
using detail::toBullet;

namespace {

std::uint32_t bitOf(const Body& body) {
    if (body.trigger) {
        return query::Triggers;
    }
    switch (body.motion) {
    case Motion::Static:
        return query::Static;
    case Motion::Kinematic:
        return query::Kinematic;
    case Motion::Dynamic:
        break;
    }
    return query::Dynamic;
}

const Body& bodyOf(const btBroadphaseProxy& proxy) {
    return Body::of(*static_cast<const btCollisionObject*>(proxy.m_clientObject));
}

BodyState stateOf(const Body& body) {
    if (body.trigger) {
        return BodyState::Trigger;
    }
    switch (body.motion) {
    case Motion::Static:
        return BodyState::Static;
    case Motion::Kinematic:
        return BodyState::Kinematic;
    case Motion::Dynamic:
        break;
    }
    return body.rigid->isActive() ? BodyState::Awake : BodyState::Asleep;
}

void addNodes(const btDbvtNode* node, int depth, std::vector<DebugBox>& out) {
    if (node == nullptr) {
        return;
    }
    out.push_back({fromBullet(node->volume.Mins()), fromBullet(node->volume.Maxs()), depth, node->isleaf()});
    if (node->isinternal()) {
        addNodes(node->childs[0], depth + 1, out);
        addNodes(node->childs[1], depth + 1, out);
    }
}

struct NearestHit : btCollisionWorld::RayResultCallback {
    std::uint32_t mask = 0;
    BodyHandle ignore;
    const Body* body = nullptr;
    btVector3 normal{0.0F, 0.0F, 0.0F};

    bool needsCollision(btBroadphaseProxy* proxy) const override {
        const Body& found = bodyOf(*proxy);
        return (bitOf(found) & mask) != 0 && found.handle != ignore;
    }
    btScalar addSingleResult(btCollisionWorld::LocalRayResult& result, bool normalInWorldSpace) override {
        const Body& found = Body::of(*result.m_collisionObject);
        // Where two surfaces coincide, the body created first is hit, whatever the tree's order.
        if (body != nullptr && result.m_hitFraction == m_closestHitFraction && body->serial < found.serial) {
            return m_closestHitFraction;
        }
        body = &found;
        normal = normalInWorldSpace ? result.m_hitNormalLocal
                                    : found.rigid->getWorldTransform().getBasis() * result.m_hitNormalLocal;
        m_closestHitFraction = result.m_hitFraction;
        m_collisionObject = result.m_collisionObject;
        return m_closestHitFraction;
    }
};

struct Touched : btCollisionWorld::ContactResultCallback {
    std::uint32_t mask = 0;
    const btCollisionObject* probe = nullptr;
    std::vector<std::uint64_t> users;

    bool needsCollision(btBroadphaseProxy* proxy) const override {
        return (bitOf(bodyOf(*proxy)) & mask) != 0;
    }
    btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper* one, int, int,
                             const btCollisionObjectWrapper* other, int, int) override {
        if (point.getDistance() <= 0.0F) {
            const bool first = one->getCollisionObject() == probe;
            users.push_back(Body::of(*(first ? other : one)->getCollisionObject()).user);
        }
        return 0.0F;
    }
};

// Collects the wireframes Bullet draws.
class LineDrawer : public btIDebugDraw {
public:
    explicit LineDrawer(std::vector<DebugLine>& out) : m_out(out) {}
    void drawLine(const btVector3& from, const btVector3& to, const btVector3&) override {
        m_out.push_back({fromBullet(from), fromBullet(to), state});
    }
    void drawContactPoint(const btVector3&, const btVector3&, btScalar, int, const btVector3&) override {}
    void reportErrorWarning(const char*) override {}
    void draw3dText(const btVector3&, const char*) override {}
    void setDebugMode(int) override {}
    [[nodiscard]] int getDebugMode() const override { return DBG_DrawWireframe; }

    BodyState state = BodyState::Awake;

private:
    std::vector<DebugLine>& m_out;
};

} // namespace

std::optional<std::pair<Vec3, Vec3>> PhysicsWorld::bounds(BodyHandle handle) const {
    const Body* const body = m_impl->find(handle);
    if (body == nullptr) {
        return std::nullopt;
    }
    btVector3 low;
    btVector3 high;
    body->shape->collision->getAabb(body->rigid->getWorldTransform(), low, high);
    return std::pair(fromBullet(low), fromBullet(high));
}

std::optional<RayHit> PhysicsWorld::raycast(const Vec3& from, const Vec3& to, std::uint32_t mask,
                                            BodyHandle ignore) const {
    const float length = glm::length(to - from);
    if (!isFinite(from) || !isFinite(to) || !std::isfinite(length) || length < 1e-6F) {
        return std::nullopt;
    }
    NearestHit hit;
    hit.mask = mask;
    hit.ignore = ignore;
    m_impl->world.rayTest(toBullet(from), toBullet(to), hit);
    if (hit.body == nullptr) {
        return std::nullopt;
    }
    RayHit out;
    out.body = hit.body->handle;
    out.user = hit.body->user;
    out.fraction = hit.m_closestHitFraction;
    out.point = from + (to - from) * out.fraction;
    out.normal = fromBullet(hit.normal.normalized());
    return out;
}

std::vector<std::uint64_t> PhysicsWorld::overlapSphere(const Vec3& center, float radius,
                                                       std::uint32_t mask) const {
    if (!isFinite(center) || !std::isfinite(radius) || radius <= 0.0F) {
        return {};
    }
    btSphereShape ball(radius);
    btCollisionObject probe;
    probe.setCollisionShape(&ball);
    probe.setWorldTransform(btTransform(btQuaternion::getIdentity(), toBullet(center)));
    Touched touched;
    touched.mask = mask;
    touched.probe = &probe;
    m_impl->world.contactTest(&probe, touched);
    std::sort(touched.users.begin(), touched.users.end());
    touched.users.erase(std::unique(touched.users.begin(), touched.users.end()), touched.users.end());
    return std::move(touched.users);
}

void PhysicsWorld::debugLines(std::vector<DebugLine>& out) const {
    LineDrawer drawer(out);
    btIDebugDraw* const before = m_impl->world.getDebugDrawer();
    m_impl->world.setDebugDrawer(&drawer);
    for (const std::unique_ptr<Body>& body : m_impl->bodies) {
        if (!body) {
            continue;
        }
        drawer.state = stateOf(*body);
        m_impl->world.debugDrawObject(body->rigid->getWorldTransform(), body->shape->collision.get(),
                                       btVector3(1.0F, 1.0F, 1.0F));
    }
    m_impl->world.setDebugDrawer(before);
}

void PhysicsWorld::debugBoxes(std::vector<DebugBox>& out) const {
    if (m_impl->tree == nullptr) {
        const auto& bullet = static_cast<const detail::OrderedBroadphase&>(*m_impl->broadphase);
        for (const btDbvt& each : bullet.m_sets) {
            addNodes(each.m_root, 0, out);
        }
        return;
    }
    m_impl->tree->tree().visitNodes([&out](const spatial::Box& box, int depth, bool) {
        out.push_back({box.min, box.max, depth, false});
    });
    const int deepest = static_cast<int>(m_impl->tree->tree().stats().levels);
    for (const std::unique_ptr<Body>& body : m_impl->bodies) {
        if (body) {
            const spatial::Box box = m_impl->tree->fatBox(*body->rigid->getBroadphaseHandle());
            out.push_back({box.min, box.max, deepest, true});
        }
    }
}

} // namespace sbx::physics
