// What it costs to make and destroy an entity of four components of 64 bytes whose destructors touch their memory, 100,000 at a
// time, beside the naive way: each component by new, in a vector. Destroyed in shuffled order; respawn is what is made in the
// same world after that. Bytes an entity: what malloc has handed out, by mallinfo2, and the pages of the world's own table, over
// the number of entities.

#include "engine/core/log.h"
#include "engine/entity/world.h"
#include "tests/bench/ratios.h"

#ifdef SBX_BENCH_ENTT
#include <entt/entt.hpp>
#endif

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>

using namespace sbx;
using namespace sbx::bench;

namespace {

constexpr std::size_t Count = 100'000;

std::size_t heapBytes() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// What was written there is not left out.
void touched(const void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

template <int N> struct Part : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    std::uint64_t values[5]{N, N, N, N, N};
    Part(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    ~Part() {
        values[0] = 0;
        touched(values);
    }
    static void describe(ComponentBuilder<Part>&) {}
};
static_assert(sizeof(Part<0>) == 64);

// Destroys one after the other, as components do: in a handler, where they go once it is through.
struct Reap {
    static constexpr const char* Name = "bench.Reap";
    static constexpr bool Recorded = false;
    const std::vector<EntityId>* ids = nullptr;
    static void describe(FieldList<Reap>&) {}
};
struct Reaper : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    Reaper(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Reaper>& b) { b.handle<&Reaper::onReap>(); }
    bool onReap(const Reap& reap) {
        for (const EntityId id : *reap.ids)
            world().destroy(id);
        return true;
    }
};

struct Ours {
    Log log;
    Recorder recorder;
    ComponentRegistry registry;
    const WorldDesc desc{.slotMemory = std::make_shared<SlotMemory>()};
    std::unique_ptr<World> world = std::make_unique<World>(desc, recorder, log);
    std::shared_ptr<const EntityType> type;
    std::shared_ptr<const EntityType> reaper;
    std::vector<EntityId> ids = std::vector<EntityId>(Count);
    explicit Ours() {
        const ComponentType* const parts[] = {
            &registry.registerComponent<Part<0>>("P0"), &registry.registerComponent<Part<1>>("P1"),
            &registry.registerComponent<Part<2>>("P2"), &registry.registerComponent<Part<3>>("P3")};
        std::vector<ComponentSpec> specs;
        for (const ComponentType* part : parts)
            specs.push_back({part, part->makeSettings(nullptr)});
        EntityTypeInfo info;
        info.name = "Thing";
        type = std::make_shared<EntityType>(info, specs);
        const ComponentType& reaping = registry.registerComponent<Reaper>("Reaper");
        info.name = "Reaper";
        reaper = std::make_shared<EntityType>(
            info, std::vector<ComponentSpec>{{&reaping, reaping.makeSettings(nullptr)}});
    }
    void fresh() { world = std::make_unique<World>(desc, recorder, log); }
    void spawn() {
        for (EntityId& id : ids)
            id = world->create(type);
    }
    void spawnBulk() { world->createMany(type, ids); }
    void shuffle() { std::shuffle(ids.begin(), ids.end(), std::mt19937(1)); }
    void destroy() {
        for (const EntityId id : ids)
            world->destroy(id);
    }
    void destroyInHandler() { world->send(world->create(reaper), Reap{&ids}); }
    void destroyBulk() { world->destroyMany(ids); }
};

// What the hardware allows: the same memory written side by side, places taken from the end of a list, and nothing else known of
// an entity: no handle, no type, no components that are told one by one.
struct LimitPart {
    std::uint64_t values[8];
    explicit LimitPart(std::uint64_t n) : values{n, n, n, n, n, n, n, n} {}
    LimitPart(const LimitPart&) = delete;
    LimitPart& operator=(const LimitPart&) = delete;
    ~LimitPart() {
        values[0] = 0;
        touched(values);
    }
};
struct LimitEntity {
    LimitPart parts[4]{LimitPart(0), LimitPart(1), LimitPart(2), LimitPart(3)};
};
struct Limit {
    std::vector<std::byte> memory = std::vector<std::byte>(Count * sizeof(LimitEntity) + 64);
    std::vector<LimitEntity*> entities = std::vector<LimitEntity*>(Count);
    std::vector<LimitEntity*> places;
    Limit() { fresh(); }
    void fresh() {
        places.clear();
        auto at = reinterpret_cast<std::uintptr_t>(memory.data());
        auto* const first = reinterpret_cast<LimitEntity*>((at + 63) / 64 * 64);
        for (std::size_t i = Count; i-- > 0;)
            places.push_back(first + i);
    }
    void spawn() {
        for (LimitEntity*& entity : entities) {
            entity = new (places.back()) LimitEntity;
            touched(entity);
            places.pop_back();
        }
    }
    void shuffle() { std::shuffle(entities.begin(), entities.end(), std::mt19937(1)); }
    void destroy() {
        for (LimitEntity* const entity : entities) {
            entity->~LimitEntity();
            places.push_back(entity);
        }
    }
};

struct NaivePart {
    virtual ~NaivePart() = default;
};
template <int N> struct NaivePartN final : NaivePart {
    std::uint64_t values[7]{N, N, N, N, N, N, N};
    NaivePartN() = default;
    NaivePartN(const NaivePartN&) = delete;
    NaivePartN& operator=(const NaivePartN&) = delete;
    ~NaivePartN() override {
        values[0] = 0;
        touched(values);
    }
};
static_assert(sizeof(NaivePartN<0>) == 64);
struct NaiveEntity {
    std::vector<std::unique_ptr<NaivePart>> parts;
};

struct Naive {
    std::vector<std::unique_ptr<NaiveEntity>> entities = std::vector<std::unique_ptr<NaiveEntity>>(Count);
    void fresh() {}
    void spawn() {
        for (auto& entity : entities) {
            entity = std::make_unique<NaiveEntity>();
            entity->parts.push_back(std::make_unique<NaivePartN<0>>());
            entity->parts.push_back(std::make_unique<NaivePartN<1>>());
            entity->parts.push_back(std::make_unique<NaivePartN<2>>());
            entity->parts.push_back(std::make_unique<NaivePartN<3>>());
        }
    }
    void spawnBulk() { spawn(); }
    void shuffle() { std::shuffle(entities.begin(), entities.end(), std::mt19937(1)); }
    void destroy() {
        for (auto& entity : entities)
            entity.reset();
    }
};

#ifdef SBX_BENCH_ENTT
template <int N> struct EnttPart {
    std::uint64_t values[8]{N, N, N, N, N, N, N, N};
    EnttPart() = default;
    EnttPart(const EnttPart&) =
        default; // a storage copies one when it inserts many, and fills a gap with its last
    EnttPart& operator=(const EnttPart&) = default;
    ~EnttPart() {
        values[0] = 0;
        touched(values);
    }
};
static_assert(sizeof(EnttPart<0>) == 64);

struct Entt {
    std::unique_ptr<entt::registry> registry = std::make_unique<entt::registry>();
    std::vector<entt::entity> entities = std::vector<entt::entity>(Count);
    void fresh() { registry = std::make_unique<entt::registry>(); }
    void spawn() {
        for (entt::entity& entity : entities) {
            entity = registry->create();
            registry->emplace<EnttPart<0>>(entity);
            registry->emplace<EnttPart<1>>(entity);
            registry->emplace<EnttPart<2>>(entity);
            registry->emplace<EnttPart<3>>(entity);
        }
    }
    void spawnBulk() {
        registry->create(entities.begin(), entities.end());
        registry->insert<EnttPart<0>>(entities.begin(), entities.end());
        registry->insert<EnttPart<1>>(entities.begin(), entities.end());
        registry->insert<EnttPart<2>>(entities.begin(), entities.end());
        registry->insert<EnttPart<3>>(entities.begin(), entities.end());
    }
    void shuffle() { std::shuffle(entities.begin(), entities.end(), std::mt19937(1)); }
    void destroy() {
        for (const entt::entity entity : entities)
            registry->destroy(entity);
    }
    void destroyBulk() { registry->destroy(entities.begin(), entities.end()); }
};
#endif

// The heap has been used by the round before: pages are there.
template <typename W> void spawnFresh(benchmark::State& state, void (W::*spawn)()) {
    W w;
    (w.*spawn)();
    const auto clear = [&] {
        w.destroy();
        w.fresh();
    };
    measureAfter(state, clear, [&] { (w.*spawn)(); });
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(Count));
}

template <typename W> void destroyShuffled(benchmark::State& state, void (W::*destroy)()) {
    W w;
    const auto fill = [&] {
        w.fresh();
        w.spawn();
        w.shuffle();
    };
    measureAfter(state, fill, [&] { (w.*destroy)(); });
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(Count));
}

template <typename W> void respawn(benchmark::State& state, void (W::*spawn)()) {
    W w;
    (w.*spawn)();
    const auto clear = [&] {
        w.shuffle();
        w.destroy();
    };
    measureAfter(state, clear, [&] { (w.*spawn)(); });
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(Count));
}

template <typename W> double bytesEach(void (W::*spawn)(), std::size_t handle) {
    W w;
    malloc_trim(0);
    const std::size_t before = heapBytes();
    (w.*spawn)();
    std::size_t after = heapBytes();
    if constexpr (requires { w.world; })
        after += w.world->measurements().mappedBytes;
    return static_cast<double>(after - before) / static_cast<double>(Count) + static_cast<double>(handle);
}

} // namespace

int main(int argc, char** argv) {
    // Both sides use pages that the process has had before: what is measured is not the kernel.
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    // Not when instructions are counted, and not among the names of a listing.
    if (std::getenv("SBX_BENCH_ITERATIONS") == nullptr)
        std::cerr << "bytes an entity: ours " << bytesEach<Ours>(&Ours::spawn, 0) << ", in bulk "
                  << bytesEach<Ours>(&Ours::spawnBulk, 0) << ", naive "
                  << bytesEach<Naive>(&Naive::spawn, sizeof(void*))
                  << " (EnTT 308, flecs 385 by their own run; must: <= 300)\n";
    addRow("spawn/limit", [](benchmark::State& s) { spawnFresh<Limit>(s, &Limit::spawn); });
    addRow("destroy-shuffled/limit", [](benchmark::State& s) { destroyShuffled<Limit>(s, &Limit::destroy); });
    addRow("spawn/naive", [](benchmark::State& s) { spawnFresh<Naive>(s, &Naive::spawn); });
#ifdef SBX_BENCH_ENTT
    addRow("spawn/entt", [](benchmark::State& s) { spawnFresh<Entt>(s, &Entt::spawn); });
    addRow("spawn/entt-bulk", [](benchmark::State& s) { spawnFresh<Entt>(s, &Entt::spawnBulk); });
#endif
    addRow("spawn/ours", [](benchmark::State& s) { spawnFresh<Ours>(s, &Ours::spawn); });
    addRow("spawn/ours-bulk", [](benchmark::State& s) { spawnFresh<Ours>(s, &Ours::spawnBulk); });
    addRow("destroy-shuffled/naive", [](benchmark::State& s) { destroyShuffled<Naive>(s, &Naive::destroy); });
#ifdef SBX_BENCH_ENTT
    addRow("destroy-shuffled/entt", [](benchmark::State& s) { destroyShuffled<Entt>(s, &Entt::destroy); });
    addRow("destroy-shuffled/entt-bulk",
           [](benchmark::State& s) { destroyShuffled<Entt>(s, &Entt::destroyBulk); });
    addRow("respawn/entt", [](benchmark::State& s) { respawn<Entt>(s, &Entt::spawn); });
#endif
    addRow("destroy-shuffled/ours", [](benchmark::State& s) { destroyShuffled<Ours>(s, &Ours::destroy); });
    addRow("destroy-shuffled/ours-in-handler",
           [](benchmark::State& s) { destroyShuffled<Ours>(s, &Ours::destroyInHandler); });
    addRow("destroy-shuffled/ours-bulk",
           [](benchmark::State& s) { destroyShuffled<Ours>(s, &Ours::destroyBulk); });
    addRow("respawn/naive", [](benchmark::State& s) { respawn<Naive>(s, &Naive::spawn); });
    addRow("respawn/ours", [](benchmark::State& s) { respawn<Ours>(s, &Ours::spawn); });
    addRow("respawn/ours-bulk", [](benchmark::State& s) { respawn<Ours>(s, &Ours::spawnBulk); });
    const auto quoted = [](std::string row, std::string peer, double must, double multiple, const char* who,
                           double reach = 0.0) {
        return Ratio{.row = std::move(row),
                     .peer = std::move(peer),
                     .must = must,
                     .reach = reach,
                     .published = multiple,
                     .source = std::string(who) + ", as a multiple of naive in a run of its own"};
    };
    return runWithRatios(
        argc, argv,
        {
#ifdef SBX_BENCH_ENTT
            {.row = "spawn/ours", .peer = "spawn/entt", .must = 0.30},
            {.row = "spawn/limit", .peer = "spawn/entt"},
            {.row = "destroy-shuffled/limit", .peer = "destroy-shuffled/entt"},
            {.row = "spawn/ours-bulk", .peer = "spawn/entt-bulk", .must = 0.40},
            {.row = "destroy-shuffled/ours-in-handler", .peer = "destroy-shuffled/entt", .must = 0.15},
            {.row = "destroy-shuffled/ours-bulk", .peer = "destroy-shuffled/entt", .must = 0.15},
            {.row = "destroy-shuffled/ours-bulk", .peer = "destroy-shuffled/entt-bulk"},
            {.row = "destroy-shuffled/ours", .peer = "destroy-shuffled/entt", .must = 0.15},
            {.row = "respawn/ours", .peer = "respawn/entt", .must = 0.80},
#endif
            {.row = "spawn/ours", .peer = "spawn/limit"},
            {.row = "spawn/ours-bulk", .peer = "spawn/limit"},
            {.row = "destroy-shuffled/ours", .peer = "destroy-shuffled/limit"},
            {.row = "spawn/ours", .peer = "spawn/naive"},
            quoted("spawn/ours", "spawn/naive", 0.30, 39.4 / 71.2, "EnTT create + emplace x4"),
            quoted("spawn/ours", "spawn/naive", 0.10, 142.7 / 71.2, "flecs entity().insert(4)"),
            quoted("spawn/ours-bulk", "spawn/naive", 0.40, 31.5 / 71.2, "EnTT bulk insert"),
            quoted("spawn/ours-bulk", "spawn/naive", 1.10, 9.8 / 71.2, "flecs ecs_bulk_init"),
            {.row = "destroy-shuffled/ours", .peer = "destroy-shuffled/naive"},
            quoted("destroy-shuffled/ours", "destroy-shuffled/naive", 0.15, 339.8 / 339.5, "EnTT destroy"),
            quoted("destroy-shuffled/ours-in-handler", "destroy-shuffled/naive", 0.15, 339.8 / 339.5,
                   "EnTT destroy"),
            quoted("destroy-shuffled/ours-bulk", "destroy-shuffled/naive", 0.15, 339.8 / 339.5,
                   "EnTT destroy"),
            {.row = "respawn/ours", .peer = "respawn/naive"},
            quoted("respawn/ours", "respawn/naive", 0.80, 57.6 / 345.6, "EnTT create + emplace x4"),
            quoted("respawn/ours", "respawn/naive", 0.0, 40.8 / 345.6,
                   "64-entity chunks, last free place first", 0.50)});
}
