#include "engine/core/random.h"
#include "physics_fixture.h"

#include <bit>
#include <memory>

using namespace sbx;
using namespace sbx::physics;
using namespace sbx::physics::test;

class TestDeterminism : public QObject {
    Q_OBJECT

private slots:
    void twoWorldsAgreeToTheBit();
    void heapLayoutDoesNotMatter();
};

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) { return (hash ^ word) * 0x100000001b3U; }

std::uint64_t mix(std::uint64_t hash, const Vec3& v) {
    for (int k = 0; k < 3; ++k) {
        hash = mix(hash, std::bit_cast<std::uint32_t>(v[k]));
    }
    return hash;
}

std::uint64_t mix(std::uint64_t hash, const std::vector<Contact>& contacts) {
    for (const Contact& contact : contacts) {
        hash = mix(hash, contact.a.bits);
        hash = mix(hash, contact.b.bits);
        hash = mix(hash, contact.point);
        hash = mix(hash, contact.normal);
        hash = mix(hash, std::bit_cast<std::uint32_t>(contact.impulse));
    }
    return hash;
}

// A busy scene: all shapes, a door, a lift, a trigger, bodies that come, change and go. One hash a step.
class Scene {
public:
    explicit Scene(std::vector<std::unique_ptr<char[]>>* litter = nullptr) : m_litter(litter) {
        add(m_world, floor());
        BodyDesc zone = box({6.0F, 6.0F, 6.0F}, {0.0F, 3.0F, 0.0F}, Motion::Static);
        zone.trigger = true;
        add(m_world, zone);
        m_lift = add(m_world, box({4.0F, 0.5F, 4.0F}, {6.0F, 1.0F, 0.0F}, Motion::Kinematic));
        BodyDesc door = box({1.0F, 2.0F, 0.1F}, {-5.5F, 1.0F, 0.0F});
        HingeDesc hinge;
        hinge.a = add(m_world, door);
        hinge.anchor = {-6.0F, 1.0F, 0.0F};
        hinge.stiffness = 10.0F;
        hinge.damping = 1.0F;
        (void)m_world.addHinge(hinge);
        for (int i = 0; i < 100; ++i) {
            spawn();
        }
    }

    std::uint64_t step() {
        ++m_tick;
        Pose lift = m_world.pose(m_lift);
        lift.position.y = 1.0F + std::sin(static_cast<float>(m_tick) * 0.02F);
        m_world.moveKinematic(m_lift, lift);
        if (m_tick % 7 == 0) {
            m_world.applyImpulse(m_bodies[m_random.next() % m_bodies.size()], {0.0F, 6.0F, 1.0F});
        }
        if (m_tick % 20 == 0) {
            const std::size_t at = m_random.next() % m_bodies.size();
            m_world.removeBody(m_bodies[at]);
            m_bodies.erase(m_bodies.begin() + static_cast<std::ptrdiff_t>(at));
            spawn();
        }
        if (m_tick % 31 == 0) {
            BodyDesc desc = box(Vec3(0.7F), Vec3(0.0F));
            desc.mass = 4.0F;
            (void)m_world.changeBody(m_bodies[m_random.next() % m_bodies.size()], desc);
        }
        m_world.step(Dt);
        std::uint64_t hash = 0xcbf29ce484222325U;
        for (const BodyHandle body : m_bodies) {
            const Pose pose = m_world.pose(body);
            hash = mix(hash, pose.position);
            hash = mix(hash, Vec3(pose.rotation.x, pose.rotation.y, pose.rotation.z));
            hash = mix(hash, m_world.linearVelocity(body));
            hash = mix(hash, m_world.angularVelocity(body));
        }
        for (const BodyHandle body : m_world.moved()) {
            hash = mix(hash, body.bits);
        }
        hash = mix(hash, m_world.begins());
        hash = mix(hash, m_world.persisting());
        return mix(hash, m_world.ends());
    }

private:
    float between(float low, float high) {
        return low + (high - low) * static_cast<float>(m_random.next() % 100000U) / 100000.0F;
    }

    void spawn() {
        BodyDesc desc;
        constexpr ShapeDesc::Kind Kinds[] = {ShapeDesc::Kind::Box, ShapeDesc::Kind::Sphere,
                                             ShapeDesc::Kind::Capsule, ShapeDesc::Kind::Cylinder,
                                             ShapeDesc::Kind::Hull};
        desc.shape.kind = Kinds[m_random.next() % 5];
        desc.shape.size = {between(0.3F, 1.0F), between(0.3F, 1.0F), between(0.3F, 1.0F)};
        desc.shape.radius = between(0.2F, 0.5F);
        desc.shape.height = between(1.0F, 1.5F);
        desc.shape.points = {
            {-0.5F, -0.4F, -0.5F}, {0.5F, -0.4F, -0.5F}, {0.0F, -0.4F, 0.6F}, {0.0F, 0.6F, 0.0F}};
        desc.mass = between(0.5F, 5.0F);
        desc.restitution = between(0.0F, 0.6F);
        desc.rollingFriction = 0.02F;
        desc.continuous = m_random.next() % 8 == 0;
        desc.user = m_random.next();
        desc.pose.position = {between(-4.0F, 4.0F), between(2.0F, 14.0F), between(-4.0F, 4.0F)};
        m_bodies.push_back(add(m_world, desc));
        if (m_litter != nullptr) { // moves everything that is allocated afterwards
            for (int i = 0; i < 40; ++i) {
                m_litter->push_back(std::make_unique<char[]>(16 + m_litter->size() * 37 % 900));
                if (m_litter->size() % 3 == 0) {
                    (*m_litter)[m_litter->size() / 2].reset();
                }
            }
        }
    }

    PhysicsWorld m_world;
    Random m_random{99};
    BodyHandle m_lift;
    std::vector<BodyHandle> m_bodies;
    int m_tick = 0;
    std::vector<std::unique_ptr<char[]>>* m_litter;
};

} // namespace

void TestDeterminism::twoWorldsAgreeToTheBit() {
    Scene one;
    Scene other; // both alive: their allocations interleave
    for (int i = 0; i < 600; ++i) {
        const std::uint64_t hash = one.step();
        QCOMPARE(other.step(), hash);
    }
    Scene rebuilt;
    Scene reference;
    for (int i = 0; i < 600; ++i) {
        const std::uint64_t hash = reference.step();
        QCOMPARE(rebuilt.step(), hash);
    }
    qInfo("hash after 600 steps: %016llx", static_cast<unsigned long long>(reference.step()));
}

void TestDeterminism::heapLayoutDoesNotMatter() {
    std::vector<std::uint64_t> hashes;
    {
        Scene scene;
        for (int i = 0; i < 600; ++i) {
            hashes.push_back(scene.step());
        }
    }
    for (std::size_t round = 0; round < 3; ++round) {
        std::vector<std::unique_ptr<char[]>> litter;
        for (std::size_t i = 0; i < 1000 * round; ++i) {
            litter.push_back(std::make_unique<char[]>(8 + i * 131 % 2000));
        }
        Scene scene(&litter);
        for (std::size_t i = 0; i < 600; ++i) {
            QCOMPARE(scene.step(), hashes[i]);
        }
    }
}

QTEST_GUILESS_MAIN(TestDeterminism)
#include "tst_determinism.moc"
