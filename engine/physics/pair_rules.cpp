#include "engine/physics/detail/pair_rules.h"

#include "engine/physics/detail/bullet.h"

#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>

#include <algorithm>
#include <cmath>
#include <mutex>

namespace sbx::physics::detail {

namespace {

// Bullet multiplies both, so that a rubber ball on a stone floor with restitution 0 would never bounce.
btScalar pairFriction(const btCollisionObject* a, const btCollisionObject* b) {
    return std::sqrt(a->getFriction() * b->getFriction());
}

btScalar pairRestitution(const btCollisionObject* a, const btCollisionObject* b) {
    return std::max(a->getRestitution(), b->getRestitution());
}

// A contact on an edge between two triangles gets the normal of the surface, not of the edge. If the edge is
// not reached yet it does not count: a ball that rolls over the level would stumble over every seam ahead of
// it.
bool smoothSeams(btManifoldPoint& point, const btCollisionObjectWrapper* one, int partOne, int indexOne,
                 const btCollisionObjectWrapper* other, int partOther, int indexOther) {
    constexpr float FarAway = 1.0F; // metres
    const btVector3 before = point.m_normalWorldOnB;
    if (one->getCollisionShape()->getShapeType() == TRIANGLE_SHAPE_PROXYTYPE) {
        btAdjustInternalEdgeContacts(point, one, other, partOne, indexOne);
    } else if (other->getCollisionShape()->getShapeType() == TRIANGLE_SHAPE_PROXYTYPE) {
        btAdjustInternalEdgeContacts(point, other, one, partOther, indexOther);
    }
    if (point.getDistance() > 0.0F && before.dot(point.m_normalWorldOnB) < 0.9999F) {
        // Bullet measures again right after this and drops points that far off.
        point.m_positionWorldOnB = point.m_positionWorldOnA - point.m_normalWorldOnB * FarAway;
        point.m_localPointB = other->getWorldTransform().invXform(point.m_positionWorldOnB);
        point.setDistance(FarAway);
    }
    return true;
}

} // namespace

void setPairRules() {
    static std::once_flag once;
    std::call_once(once, [] {
        gCalculateCombinedFrictionCallback = pairFriction;
        gCalculateCombinedRestitutionCallback = pairRestitution;
        gContactAddedCallback = smoothSeams; // called for bodies that ask for it: meshes
    });
}

} // namespace sbx::physics::detail
