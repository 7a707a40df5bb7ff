#include <QtTest>

#include "engine/components/body.h"
#include "engine/components/looks.h"
#include "engine/components/mechanisms.h"
#include "engine/components/movers.h"
#include "engine/components/register.h"
#include "engine/components/rules.h"
#include "engine/core/log.h"

#include <map>
#include <random>

using namespace sbx;

namespace {

struct Fixture {
    Log log;
    Recorder recorder;
    ComponentRegistry registry;
    render::MeshLibrary meshes;
    PhysicsSystem physics{Vec3(0.0F, -9.81F, 0.0F)};
    VisualSystem visuals{meshes};
    std::unique_ptr<World> world;
    Fixture() {
        registerBuiltinComponents(registry);
        world = std::make_unique<World>(WorldDesc{}, recorder, log);
        world->provide(physics);
        world->provide(visuals);
        world->addSystem(physics);
    }
    ~Fixture() { world.reset(); }

    template <typename T>
    ComponentSpec part(const char* name, const std::function<void(typename T::Settings&)>& change = {}) {
        auto settings = std::make_shared<typename T::Settings>();
        if (change)
            change(*settings);
        return {registry.find(name), settings};
    }
    EntityId spawn(const std::string& name, const std::vector<ComponentSpec>& parts,
                   const Vec3& position = Vec3(0.0F)) {
        EntityTypeInfo info;
        info.name = name;
        SpawnRequest request;
        request.type = std::make_shared<EntityType>(info, parts);
        request.name = name;
        request.pose.position = position;
        return world->spawn(request);
    }
    template <typename T> T& get(EntityId id, const char* name) {
        return *static_cast<T*>(world->find(id).component(name).component);
    }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i)
            world->tick();
    }
    ComponentSpec ground() {
        return part<Body>("Body", [](Body::Settings& s) {
            s.size = {40, 1, 40};
            s.motion = physics::Motion::Static;
        });
    }
};

} // namespace

class TestComponents : public QObject {
    Q_OBJECT
private slots:
    // A disabled body neither falls nor stops others nor is drawn; enabled again it goes on where it was.
    void disabledBodiesAreNotThere() {
        Fixture f;
        const EntityId ball = f.spawn("Ball", {f.part<Body>("Body"), f.part<Mesh>("Mesh")}, Vec3(0.0F, 5.0F, 0.0F));
        const auto drawn = [&] {
            render::Scene scene;
            f.visuals.fill(*f.world, scene);
            return scene.instances.size();
        };
        f.run(10);
        QCOMPARE(drawn(), std::size_t(1));
        const float before = f.world->find(ball).pose().position.y;
        QVERIFY(before < 5.0F);
        f.world->setEnabled(ball, false);
        f.run(30);
        QCOMPARE(f.world->find(ball).pose().position.y, before);
        QCOMPARE(drawn(), std::size_t(0));
        f.world->setEnabled(ball, true);
        f.run(10);
        QVERIFY(f.world->find(ball).pose().position.y < before);
        QCOMPARE(drawn(), std::size_t(1));
        QVERIFY(f.world->setEnabled(ball, "Mesh", false).ok());
        QCOMPARE(drawn(), std::size_t(0));
    }
    // What a server says of a state is believed within its bounds: no number is without.
    void everyStateHasBounds() {
        ComponentRegistry registry;
        registerBuiltinComponents(registry);
        int numbers = 0;
        for (const ComponentType& type : registry.types()) {
            for (const FieldInfo& field : *type.state) {
                const bool whole = field.type == FieldType::Int; // as far as its bits go
                const bool number = field.type == FieldType::Float || field.type == FieldType::Vector2
                                    || field.type == FieldType::Vector3 || field.type == FieldType::Vector4
                                    || field.type == FieldType::Color;
                if (!number && !whole)
                    continue;
                ++numbers;
                QVERIFY2(std::isfinite(field.minimum) && std::isfinite(field.maximum),
                         (type.name + "." + field.name).c_str());
                QVERIFY2(whole || field.maximum <= 1e9, (type.name + "." + field.name).c_str());
            }
        }
        QVERIFY(numbers >= 12);
    }
    // And what it is while the game runs lies within, however it is edited.
    void statesStayInTheirBounds() {
        Fixture f;
        const EntityId bat =
            f.spawn("Bat", {f.part<Orbit>("Orbit", [](Orbit::Settings& s) { s.period = -0.07F; }),
                            f.part<Dive>("Dive", [](Dive::Settings& s) {
                                s.every = 0.1F;
                                s.jitter = 0.05F;
                                s.duration = 0.1F;
                            })});
        const EntityId walker =
            f.spawn("Walker", {f.part<Body>("Body", [](Body::Settings& s) { s.upright = true; }),
                               f.part<Walk>("Walk")});
        for (int i = 0; i < 400; ++i) {
            f.world->send(walker,
                          Input{.look = Vec2(i % 3 == 0 ? 360.0F : -179.9F, i % 2 == 0 ? 80.0F : -120.0F)});
            f.run(1);
            for (const EntityId id : {bat, walker})
                f.world->find(id).eachComponent([](const Entity::ComponentRef& ref) {
                    if (ref.type->stateOf == nullptr)
                        return;
                    for (const FieldInfo& field : *ref.type->state)
                        QVERIFY2(field.check(field.read(ref.type->stateOf(ref.component))).ok(),
                                 (ref.type->name + "." + field.name).c_str());
                });
        }
    }
    void everyComponentIsDescribed() {
        ComponentRegistry registry;
        registerBuiltinComponents(registry);
        for (const ComponentType& type : registry.types()) {
            QVERIFY2(!type.doc.empty() && !type.category.empty(), type.name.c_str());
            for (const FieldTable* table : {type.settings, type.state})
                for (const FieldInfo& field : *table)
                    QVERIFY2(!field.doc.empty(), (type.name + "." + field.name).c_str());
        }
    }
    void contactsNameBothSidesAndPointAway() {
        Fixture f;
        f.recorder.setEnabled(true);
        auto reader = f.recorder.addReader();
        const EntityId ground = f.spawn("ground", {f.ground()}, {0, -0.5F, 0});
        const EntityId ball =
            f.spawn("ball", {f.part<Body>("Body", [](Body::Settings& s) { s.shape = Body::Shape::Sphere; })},
                    {0, 1, 0});
        f.run(60);
        f.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        int seen = 0;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const RecordView record = (*segment)[i];
                if (record.envelope().type != messageIdOf<ContactBegan>())
                    continue;
                const auto& contact = *static_cast<const ContactBegan*>(record.payload());
                const bool toBall = record.envelope().receiver == ball;
                QCOMPARE(contact.other, toBall ? ground : ball);
                // Out of the other body: up for the ball, down for the ground.
                QVERIFY2(std::abs(contact.normal.y - (toBall ? 1.0F : -1.0F)) < 1e-3F,
                         qPrintable(QString::number(double(contact.normal.y))));
                QVERIFY(contact.impulse > 0.0F);
                ++seen;
            }
        QVERIFY(seen >= 2);
    }
    void shieldThenHealthThenDeath() {
        Fixture f;
        const EntityId id =
            f.spawn("crate", {f.part<Health>("Health", [](Health::Settings& s) { s.maximum = 10; }),
                              f.part<Shield>("Shield", [](Shield::Settings& s) { s.capacity = 8; })});
        QVERIFY(f.world->send(id, Damage{5}).consumed);
        QCOMPARE(f.get<Health>(id, "Health").state.current, 10.0F);
        f.world->send(id, Damage{5});
        QCOMPARE(f.get<Shield>(id, "Shield").state.left, 0.0F);
        QCOMPARE(f.get<Health>(id, "Health").state.current, 8.0F);
        f.world->send(id, Heal{100});
        QCOMPARE(f.get<Health>(id, "Health").state.current, 10.0F);
        f.world->send(id, Damage{1000});
        QVERIFY(!f.world->alive(id));
    }
    void touchHurtsAtOnceAndAtIntervals() {
        Fixture f;
        f.spawn("ground",
                {f.ground(), f.part<Touch>("Touch",
                                           [](Touch::Settings& s) {
                                               s.damage = 2;
                                               s.interval = 0.5F;
                                           })},
                {0, -0.5F, 0});
        const EntityId id = f.spawn("crate", {f.part<Body>("Body"), f.part<Health>("Health")}, {0, 0.5F, 0});
        f.run(5);
        QCOMPARE(f.get<Health>(id, "Health").state.current, 98.0F);
        f.run(60);
        QCOMPARE(f.get<Health>(id, "Health").state.current, 94.0F);
    }
    // Those that come, leave and die while many are touched, beside a plain list of who is owed what.
    void touchKeepsCountOfMany() {
        Fixture f;
        const EntityId lava = f.spawn("lava", {f.part<Touch>("Touch", [](Touch::Settings& s) {
                                          s.damage = 1;
                                          s.interval = 0.05F; // three ticks
                                      })});
        struct Owed {
            EntityId victim;
            std::uint64_t next;
        };
        std::vector<EntityId> victims;
        std::vector<Owed> touched;
        std::map<EntityId, float> damage;
        for (int i = 0; i < 60; ++i)
            victims.push_back(
                f.spawn("v" + std::to_string(i), {f.part<Health>("Health", [](Health::Settings& s) { s.maximum = 10'000; })}));
        std::mt19937 random(21);
        const auto leave = [&](EntityId who) {
            std::erase_if(touched, [&](const Owed& owed) { return owed.victim == who; });
        };
        for (int tick = 0; tick < 400; ++tick) {
            for (int k = 0; k < 3; ++k) {
                const EntityId who = victims[random() % victims.size()];
                const auto kind = random() % 16;
                if (kind == 0 && victims.size() > 20) {
                    f.world->destroy(who);
                    std::erase(victims, who);
                    leave(who);
                } else if (kind < 9) {
                    f.world->send(lava, ContactBegan{who, {}, {}, 0.0F}, who);
                    leave(who);
                    damage[who] += 1;
                    touched.push_back({who, f.world->tickCount() + 3});
                } else {
                    f.world->send(lava, ContactEnded{who}, who);
                    leave(who);
                }
            }
            f.run(1);
            for (Owed& owed : touched)
                if (owed.next <= f.world->tickCount()) {
                    damage[owed.victim] += 1;
                    owed.next = f.world->tickCount() + 3;
                }
            for (const EntityId who : victims)
                QCOMPARE(10'000.0F - f.get<Health>(who, "Health").state.current, damage[who]);
        }
    }
    void triggerTellsItsTargetOnceEachWay() {
        Fixture f;
        const EntityId lamp =
            f.spawn("lamp", {f.part<Spawner>("Spawner", [](Spawner::Settings& s) { s.on = false; })});
        f.spawn("trigger",
                {f.part<Body>("Body",
                              [](Body::Settings& s) {
                                  s.trigger = true;
                                  s.motion = physics::Motion::Static;
                                  s.size = {4, 1, 4};
                              }),
                 f.part<Trigger>("Trigger", [](Trigger::Settings& s) { s.target = "lamp"; })},
                {0, 5, 0});
        f.spawn("a", {f.part<Body>("Body")}, {0, 8, 0});
        f.run(40);
        QVERIFY(f.get<Spawner>(lamp, "Spawner").state.on);
        f.run(60);
        QVERIFY(!f.get<Spawner>(lamp, "Spawner").state.on);
    }
    void hingeTurnsWhenActivatedAndComesBack() {
        Fixture f;
        const EntityId door = f.spawn("door",
                                      {f.part<Body>("Body",
                                                    [](Body::Settings& s) {
                                                        s.size = {1.5F, 2, 0.1F};
                                                        s.mass = 18;
                                                    }),
                                       f.part<Hinge>("Hinge",
                                                     [](Hinge::Settings& s) {
                                                         s.anchor = {-0.75F, 0, 0};
                                                         s.active = 80;
                                                         s.damping = 14;
                                                     })},
                                      {0, 2, 0});
        f.run(30);
        QVERIFY(std::abs(f.get<Hinge>(door, "Hinge").state.angle) < 1.0F);
        f.world->send(door, Activate{});
        f.run(600); // lightly damped: rings for a while
        QVERIFY2(std::abs(f.get<Hinge>(door, "Hinge").state.angle - 80.0F) < 6.0F,
                 qPrintable(QString::number(double(f.get<Hinge>(door, "Hinge").state.angle))));
        f.world->send(door, Deactivate{});
        f.run(600);
        QVERIFY(std::abs(f.get<Hinge>(door, "Hinge").state.angle) < 4.0F);
    }
    void spawnerKeepsItsRhythmAndLimit() {
        Fixture f;
        EntityTypeInfo info;
        info.name = "Ball";
        f.world->setTypes(
            {std::make_shared<EntityType>(info, std::vector<ComponentSpec>{f.part<Body>("Body")})});
        const EntityId id = f.spawn("spawner",
                                    {f.part<Spawner>("Spawner",
                                                     [](Spawner::Settings& s) {
                                                         s.type = "Ball";
                                                         s.every = 0.5F;
                                                         s.limit = 3;
                                                         s.velocity = {0, 5, 0};
                                                     })},
                                    {0, 10, 0});
        f.run(31);
        QCOMPARE(f.get<Spawner>(id, "Spawner").state.made, 1);
        f.run(300);
        QCOMPARE(f.get<Spawner>(id, "Spawner").state.made, 3);
        f.world->destroy(f.world->find("ball").id());
        f.run(32);
        QCOMPARE(f.get<Spawner>(id, "Spawner").state.made, 4);
    }
    void orbitCirclesAndDiveBendsTheWay() {
        Fixture f;
        const auto orbit = f.part<Orbit>("Orbit", [](Orbit::Settings& s) {
            s.center = {1, 5, 2};
            s.radius = 3;
            s.period = 4;
        });
        const EntityId plain = f.spawn("plain", {orbit});
        const EntityId diver = f.spawn("diver", {orbit, f.part<Dive>("Dive", [](Dive::Settings& s) {
                                                     s.every = 0.5F;
                                                     s.jitter = 0;
                                                     s.depth = 3;
                                                     s.duration = 1;
                                                 })});
        float lowest = 5.0F;
        for (int i = 0; i < 240; ++i) {
            f.world->tick();
            const Vec3 p = f.world->find(plain).pose().position;
            QVERIFY(std::abs(glm::length(Vec2(p.x - 1, p.z - 2)) - 3.0F) < 1e-3F);
            // Looks along the circle: forward is at right angles to the radius.
            if (i > 1) {
                const Vec3 forward = f.world->find(plain).pose().rotation * Vec3(0, 0, -1);
                QVERIFY(std::abs(glm::dot(forward, glm::normalize(p - Vec3(1, 5, 2)))) < 0.02F);
            }
            lowest = std::min(lowest, f.world->find(diver).pose().position.y);
        }
        QVERIFY2(std::abs(lowest - 2.0F) < 0.1F, qPrintable(QString::number(double(lowest))));
    }
    void walkFollowsInputAndJumpsFromTheGround() {
        Fixture f;
        f.spawn("ground", {f.ground()}, {0, -0.5F, 0});
        const EntityId player = f.spawn("player",
                                        {f.part<Body>("Body",
                                                      [](Body::Settings& s) {
                                                          s.shape = Body::Shape::Capsule;
                                                          s.radius = 0.35F;
                                                          s.height = 1.8F;
                                                          s.mass = 75;
                                                          s.upright = true;
                                                          s.friction = 0.1F;
                                                      }),
                                         f.part<Walk>("Walk"), f.part<Camera>("Camera")},
                                        {0, 0.9F, 0});
        f.run(30);
        f.world->broadcast(Input{{0, 1}, {0, 0}, false, false});
        f.run(120);
        const Vec3 p = f.world->find(player).pose().position;
        QVERIFY2(p.z < -5.0F && std::abs(p.x) < 0.2F,
                 qPrintable(QStringLiteral("%1 %2").arg(double(p.x)).arg(double(p.z))));
        f.world->broadcast(Input{{0, 0}, {90, 30}, true, false});
        f.run(15);
        // A quarter turn right and a third up: that is where the picture looks.
        render::Scene scene;
        f.visuals.fill(*f.world, scene);
        QVERIFY(scene.camera.has_value());
        const Vec3 sight = scene.camera->pose.rotation * Vec3(0, 0, -1);
        QVERIFY(glm::length(sight - Vec3(std::cos(glm::radians(30.0F)), 0.5F, 0)) < 1e-3F);
        QVERIFY(f.world->find(player).pose().position.y > 1.3F);
        QVERIFY(std::abs(f.get<Walk>(player, "Walk").state.yaw + 90.0F) < 1e-3F);
    }
    void liveSizeReachesPictureAndPhysics() {
        Fixture f;
        f.spawn("ground", {f.ground()}, {0, -0.5F, 0});
        const EntityId id = f.spawn("crate", {f.part<Body>("Body"), f.part<Mesh>("Mesh")}, {0, 0.5F, 0});
        f.run(60);
        QVERIFY(f.world->setField(id, "Body", "size", Value(Vec3(2, 2, 2))).ok());
        render::Scene scene;
        f.visuals.fill(*f.world, scene);
        QCOMPARE(scene.instances.size(), std::size_t(1));
        QCOMPARE(scene.instances[0].pose.scale, Vec3(2.0F));
        f.run(240);
        QVERIFY2(std::abs(f.world->find(id).pose().position.y - 1.0F) < 0.05F,
                 qPrintable(QString::number(double(f.world->find(id).pose().position.y))));
    }
    void countersAddUpAndTell() {
        Fixture f;
        const EntityId lamp =
            f.spawn("lamp", {f.part<Spawner>("Spawner", [](Spawner::Settings& s) { s.on = false; })});
        const EntityId counter = f.spawn("score", {f.part<Counter>("Counter", [](Counter::Settings& s) {
                                             s.limit = 30;
                                             s.target = "lamp";
                                         })});
        for (int i = 0; i < 2; ++i)
            f.world->send(counter, Score{10});
        QVERIFY(!f.get<Spawner>(lamp, "Spawner").state.on);
        f.world->send(counter, Score{15});
        QCOMPARE(f.get<Counter>(counter, "Counter").state.total, 35);
        QVERIFY(f.get<Spawner>(lamp, "Spawner").state.on);
    }
    void badReferencesAreSaidNotFatal() {
        Fixture f;
        f.spawn("t", {f.part<Trigger>("Trigger", [](Trigger::Settings& s) { s.target = "nobody"; }),
                      f.part<Mesh>("Mesh", [](Mesh::Settings& s) { s.mesh = "missing.obj"; }),
                      f.part<Hinge>("Hinge"),
                      f.part<Key>("Key", [](Key::Settings& s) { s.press = "NoSuchMessage"; })});
        f.run(2);
        f.world->broadcast(KeyPressed{"space"});
        QVERIFY(!f.log.since(0).empty());
    }
};

QTEST_GUILESS_MAIN(TestComponents)
#include "tst_components.moc"
