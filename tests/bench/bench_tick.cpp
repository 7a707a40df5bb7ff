// Whole ticks of a world (entities, messages, physics, contacts as messages) beside the same scene in bare Bullet, in one
// process: 1,000 falling crates and 10,000 resting ones. The engine's own share is what a tick costs beyond bare Bullet's step.

#include "engine/components/body.h"
#include "engine/components/looks.h"
#include "engine/components/register.h"
#include "engine/components/rules.h"
#include "engine/core/log.h"
#include "tests/bench/crate_scenes.h"

#include <benchmark/benchmark.h>

using namespace sbx;
using namespace sbx::bench;

namespace {

class CrateWorld {
public:
    explicit CrateWorld(const std::vector<Crate>& crates) {
        registerBuiltinComponents(m_registry);
        m_world = std::make_unique<World>(WorldDesc{}, m_recorder, m_log);
        m_world->provide(m_physics);
        m_world->provide(m_visuals);
        m_world->addSystem(m_physics);
        Body::Settings floor;
        floor.size = {400.0F, 2.0F, 400.0F};
        floor.motion = physics::Motion::Static;
        Body::Settings crate;
        crate.friction = 0.5F;
        crate.rollingFriction = 0.0F;
        crate.linearDamping = 0.0F;
        crate.angularDamping = 0.0F;
        crate.restitution = 0.0F;
        floor.friction = 0.5F;
        spawn("Floor", {{m_registry.find("Body"), std::make_shared<Body::Settings>(floor)}},
              {{0.0F, -1.0F, 0.0F}, Quat(1, 0, 0, 0)});
        const auto type =
            makeType("Crate", {{m_registry.find("Body"), std::make_shared<Body::Settings>(crate)},
                               {m_registry.find("Mesh"), std::make_shared<Mesh::Settings>()},
                               {m_registry.find("Health"), std::make_shared<Health::Settings>()}});
        std::vector<SpawnRequest> requests;
        for (const Crate& each : crates) {
            SpawnRequest request;
            request.type = type;
            request.pose = {each.position, each.rotation, Vec3(1.0F)};
            requests.push_back(request);
        }
        m_world->spawnAll(requests);
    }
    ~CrateWorld() { m_world.reset(); }
    CrateWorld(const CrateWorld&) = delete;
    CrateWorld& operator=(const CrateWorld&) = delete;

    void setRecording(bool on) { m_recorder.setEnabled(on); }
    void tick() {
        m_world->tick();
        m_recorder.seal();
    }

private:
    static std::shared_ptr<const EntityType> makeType(const char* name, std::vector<ComponentSpec> parts) {
        EntityTypeInfo info;
        info.name = name;
        return std::make_shared<EntityType>(info, std::move(parts));
    }
    void spawn(const char* name, std::vector<ComponentSpec> parts, const Crate& at) {
        SpawnRequest request;
        request.type = makeType(name, std::move(parts));
        request.pose = {at.position, at.rotation, Vec3(1.0F)};
        m_world->spawn(request);
    }

    Log m_log;
    Recorder m_recorder;
    ComponentRegistry m_registry;
    render::MeshLibrary m_meshes;
    PhysicsSystem m_physics{Vec3(0.0F, -9.81F, 0.0F)};
    VisualSystem m_visuals{m_meshes};
    std::unique_ptr<World> m_world;
};

void report(benchmark::State& state, const Times& tick, const Times& bare) {
    state.counters["tick_p95_ms"] = tick.p95;
    state.counters["tick_median_ms"] = tick.median;
    state.counters["bullet_p95_ms"] = bare.p95;
    state.counters["bullet_median_ms"] = bare.median;
    state.counters["engine_share_p95_ms"] = tick.p95 - bare.p95;
    state.counters["p95_ratio"] = tick.p95 / bare.p95;
}

void thousandFallingCrates(benchmark::State& state) {
    for (auto _ : state) {
        CrateWorld world(falling());
        world.setRecording(state.range(0) != 0);
        BareBullet bullet(falling());
        const Times ours = measure(600, [&] { world.tick(); });
        const Times bare = measure(600, [&] { bullet.step(); });
        report(state, ours, bare);
    }
}

void tenThousandResting(benchmark::State& state) {
    for (auto _ : state) {
        CrateWorld world(resting());
        BareBullet bullet(resting());
        for (int i = 0; i < 300; ++i) {
            world.tick();
            bullet.step();
        }
        const Times ours = measure(600, [&] { world.tick(); });
        const Times bare = measure(600, [&] { bullet.step(); });
        report(state, ours, bare);
    }
}

} // namespace

BENCHMARK(thousandFallingCrates)
    ->ArgName("recording")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK(tenThousandResting)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_MAIN();
