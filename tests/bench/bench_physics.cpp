// Steps of a PhysicsWorld beside the same scene in bare Bullet, in one process: 1,000 falling crates and
// 10,000 resting ones. Prints the 95th percentile of a step's time on its core (the thread's own clock, so
// that a busy machine does not blur it) and the ratio; ctest does not run this.

#include "engine/physics/physics_world.h"
#include "tests/bench/crate_scenes.h"

#include <benchmark/benchmark.h>

using namespace sbx;
using namespace sbx::bench;
using namespace sbx::physics;

namespace {

std::unique_ptr<PhysicsWorld> makeWorld(const std::vector<Crate>& crates) {
    auto world = std::make_unique<PhysicsWorld>();
    BodyDesc floor;
    floor.motion = Motion::Static;
    floor.shape.size = {400.0F, 2.0F, 400.0F};
    floor.pose.position.y = -1.0F;
    (void)world->addBody(floor);
    for (const Crate& crate : crates) {
        BodyDesc desc;
        desc.pose.position = crate.position;
        desc.pose.rotation = crate.rotation;
        (void)world->addBody(desc);
    }
    return world;
}

void report(benchmark::State& state, const Times& ours, const Times& bare) {
    state.counters["p95_ms"] = ours.p95;
    state.counters["median_ms"] = ours.median;
    state.counters["worst_ms"] = ours.worst;
    state.counters["bullet_p95_ms"] = bare.p95;
    state.counters["bullet_median_ms"] = bare.median;
    state.counters["p95_ratio"] = ours.p95 / bare.p95;
}

void thousandFallingCrates(benchmark::State& state) {
    for (auto _ : state) {
        const std::unique_ptr<PhysicsWorld> world = makeWorld(falling());
        BareBullet bullet(falling());
        const Times ours = measure(600, [&] { world->step(Dt); });
        const Times bare = measure(600, [&] { bullet.step(); });
        report(state, ours, bare);
    }
}

void tenThousandResting(benchmark::State& state) {
    for (auto _ : state) {
        const std::unique_ptr<PhysicsWorld> world = makeWorld(resting());
        BareBullet bullet(resting());
        for (int i = 0; i < 300; ++i) {
            world->step(Dt);
            bullet.step();
        }
        const Times ours = measure(600, [&] { world->step(Dt); });
        const Times bare = measure(600, [&] { bullet.step(); });
        report(state, ours, bare);
        state.counters["awake"] = static_cast<double>(world->activeCount());
    }
}

} // namespace

BENCHMARK(thousandFallingCrates)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(tenThousandResting)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_MAIN();
