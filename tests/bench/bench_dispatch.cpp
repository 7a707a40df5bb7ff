// What one message to one entity costs, per handler that it reaches, beside what programmers would otherwise take: a virtual call
// on components made by new, a vector of std::function, Qt's direct signals and QCoreApplication::sendEvent. 10,000 entities
// with 1 or 4 handling components of 64 bytes; a message of 8 bytes; in order of creation or shuffled.
//
// "virtual" is a message system: entities and components by new, one virtual function that takes whatever message comes. "method"
// is no message system but what a compiler makes of the least there is: one virtual function for this one message, no entity.
// "memory" is no call either: the additions alone, at as many addresses as far apart, found by index and compared handle.

#include "engine/core/log.h"
#include "engine/entity/world.h"
#include "tests/bench/bench_dispatch_qt.h"
#include "tests/bench/ratios.h"

#include <algorithm>
#include <random>

using namespace sbx;
using namespace sbx::bench;

namespace {

constexpr std::size_t Count = 10'000;

std::vector<std::uint32_t> order(bool shuffled) {
    std::vector<std::uint32_t> out(Count);
    for (std::size_t i = 0; i < Count; ++i)
        out[i] = static_cast<std::uint32_t>(i);
    if (shuffled)
        std::shuffle(out.begin(), out.end(), std::mt19937(1));
    return out;
}

template <typename Pass> void measure(benchmark::State& state, std::size_t k, const Pass& pass) {
    for (auto _ : state) {
        pass();
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(Count * k));
}

// ---------------------------------------------------------------------------------------------------- ours

struct Poke {
    static constexpr const char* Name = "bench.Poke";
    std::uint64_t amount = 0;
    static void describe(FieldList<Poke>&) {}
};

template <int N> struct Part : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    std::uint64_t sum = 0;
    std::byte rest[32]{};
    Part(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Part>& b) { b.template handle<&Part::onPoke>(N); }
    bool onPoke(const Poke& m) {
        sum += m.amount;
        return false;
    }
};
static_assert(sizeof(Part<0>) == 64);

struct Ours {
    Log log;
    Recorder recorder;
    ComponentRegistry registry;
    World world{WorldDesc{}, recorder, log};
    std::shared_ptr<const EntityType> type;
    std::vector<EntityId> ids;
    explicit Ours(std::size_t k) {
        const ComponentType* const parts[] = {
            &registry.registerComponent<Part<0>>("P0"), &registry.registerComponent<Part<1>>("P1"),
            &registry.registerComponent<Part<2>>("P2"), &registry.registerComponent<Part<3>>("P3")};
        std::vector<ComponentSpec> specs;
        for (std::size_t i = 0; i < k; ++i)
            specs.push_back({parts[i], parts[i]->makeSettings(nullptr)});
        EntityTypeInfo info;
        info.name = "Thing";
        type = std::make_shared<EntityType>(info, specs);
        ids.resize(Count);
        world.createMany(type, ids);
    }
};

void ours(benchmark::State& state, std::size_t k, bool shuffled) {
    Ours o(k);
    std::vector<EntityId> ids;
    for (const std::uint32_t i : order(shuffled))
        ids.push_back(o.ids[i]);
    measure(state, k, [&] {
        Poke m{1};
        for (const EntityId id : ids)
            o.world.send(id, m);
    });
}

void oursRecorded(benchmark::State& state, std::size_t k, bool shuffled) {
    Ours o(k);
    o.recorder.setEnabled(true);
    const auto reader = o.recorder.addReader();
    std::vector<std::shared_ptr<const RecordSegment>> segments;
    std::vector<EntityId> ids;
    for (const std::uint32_t i : order(shuffled))
        ids.push_back(o.ids[i]);
    measure(state, k, [&] {
        Poke m{1};
        for (const EntityId id : ids)
            o.world.send(id, m);
        o.recorder.seal();
        reader->poll(segments);
        segments.clear();
    });
}

// A game's shape: a tick of 1000 messages, one handler each, then what was recorded goes to a reader that keeps up.
void ticks(benchmark::State& state, bool recorded) {
    constexpr std::size_t PerTick = 1000;
    Ours o(1);
    o.recorder.setEnabled(recorded);
    const auto reader = o.recorder.addReader();
    std::vector<std::shared_ptr<const RecordSegment>> segments;
    measure(state, 1, [&] {
        Poke m{1};
        for (std::size_t first = 0; first < Count; first += PerTick) {
            for (std::size_t i = first; i < first + PerTick; ++i)
                o.world.send(o.ids[i], m);
            o.recorder.seal();
            reader->poll(segments);
            segments.clear();
        }
    });
}

void batched(benchmark::State& state, std::size_t k) {
    Ours o(k);
    measure(state, k, [&] { o.world.sendToType(*o.type, Poke{1}); });
}

void broadcast(benchmark::State& state, std::size_t k) {
    Ours o(k);
    measure(state, k, [&] { o.world.broadcast(Poke{1}); });
}

// ---------------------------------------------------------------------------------------------------- peers

struct VirtualPart {
    virtual ~VirtualPart() = default;
    virtual bool onPoke(const Poke& m) = 0;
};
template <int N> struct VirtualPartN final : VirtualPart {
    std::uint64_t sum = 0;
    std::byte rest[48]{};
    bool onPoke(const Poke& m) override {
        sum += m.amount;
        return false;
    }
};
static_assert(sizeof(VirtualPartN<0>) == 64);

struct AnyPart {
    virtual ~AnyPart() = default;
    virtual bool onMessage(MessageTypeId type, const void* message) = 0;
};
template <int N> struct AnyPartN final : AnyPart {
    std::uint64_t sum = 0;
    std::byte rest[48]{};
    bool onMessage(MessageTypeId type, const void* message) override {
        if (type == detail::knownMessageId<Poke>())
            sum += static_cast<const Poke*>(message)->amount;
        return false;
    }
};
static_assert(sizeof(AnyPartN<0>) == 64);

template <typename Base, template <int> typename Part> std::unique_ptr<Base> makePart(std::size_t i) {
    switch (i) {
    case 0:
        return std::make_unique<Part<0>>();
    case 1:
        return std::make_unique<Part<1>>();
    case 2:
        return std::make_unique<Part<2>>();
    default:
        return std::make_unique<Part<3>>();
    }
}

void virtualPerNew(benchmark::State& state, std::size_t k, bool shuffled) {
    struct Entity {
        std::vector<std::unique_ptr<AnyPart>> parts;
    };
    std::vector<std::unique_ptr<Entity>> entities;
    for (std::size_t e = 0; e < Count; ++e) {
        entities.push_back(std::make_unique<Entity>());
        for (std::size_t i = 0; i < k; ++i)
            entities.back()->parts.push_back(makePart<AnyPart, AnyPartN>(i));
    }
    const std::vector<std::uint32_t> ids = order(shuffled);
    const MessageTypeId type = messageIdOf<Poke>();
    measure(state, k, [&] {
        const Poke m{1};
        for (const std::uint32_t id : ids)
            for (const auto& part : entities[id]->parts)
                if (part->onMessage(type, &m))
                    break;
    });
}

void methodPerNew(benchmark::State& state, std::size_t k, bool shuffled) {
    std::vector<std::vector<std::unique_ptr<VirtualPart>>> entities(Count);
    for (auto& entity : entities)
        for (std::size_t i = 0; i < k; ++i)
            entity.push_back(makePart<VirtualPart, VirtualPartN>(i));
    const std::vector<std::uint32_t> ids = order(shuffled);
    measure(state, k, [&] {
        const Poke m{1};
        for (const std::uint32_t id : ids)
            for (const auto& part : entities[id])
                if (part->onPoke(m))
                    break;
    });
}

void functions(benchmark::State& state, std::size_t k, bool shuffled) {
    std::vector<std::vector<std::unique_ptr<VirtualPartN<0>>>> owners(Count);
    std::vector<std::vector<std::function<bool(const Poke&)>>> entities(Count);
    for (std::size_t e = 0; e < Count; ++e)
        for (std::size_t i = 0; i < k; ++i) {
            owners[e].push_back(std::make_unique<VirtualPartN<0>>());
            entities[e].push_back([part = owners[e].back().get()](const Poke& m) { return part->onPoke(m); });
        }
    const std::vector<std::uint32_t> ids = order(shuffled);
    measure(state, k, [&] {
        const Poke m{1};
        for (const std::uint32_t id : ids)
            for (const auto& handler : entities[id])
                if (handler(m))
                    break;
    });
}

void memoryAlone(benchmark::State& state, std::size_t k, bool shuffled) {
    constexpr std::size_t PartBytes = 64;
    struct Found {
        EntityId id;
        std::byte* block;
        std::uint64_t rest[2];
    };
    struct alignas(PartBytes) Line {
        std::byte bytes[PartBytes]{};
    };
    std::vector<Line> blocks(Count * k);
    std::vector<Found> table;
    for (std::uint32_t e = 0; e < Count; ++e)
        table.push_back({EntityId(e, 1), blocks[e * k].bytes, {}});
    std::vector<EntityId> ids;
    for (const std::uint32_t i : order(shuffled))
        ids.emplace_back(i, 1);
    measure(state, k, [&] {
        Poke m{1};
        for (const EntityId id : ids) {
            benchmark::DoNotOptimize(m);
            const Found& found = table[id.index()];
            if (found.id != id)
                continue;
            for (std::size_t i = 0; i < k; ++i)
                *reinterpret_cast<std::uint64_t*>(found.block + i * PartBytes + PartBytes / 2) += m.amount;
        }
    });
}

void qtSignals(benchmark::State& state, std::size_t k, bool shuffled) {
    const auto senders = makeSenders(Count, k);
    const std::vector<std::uint32_t> ids = order(shuffled);
    measure(state, k, [&] {
        for (const std::uint32_t id : ids)
            senders[id]->poke(1);
    });
}

void qtEvents(benchmark::State& state, std::size_t k, bool shuffled) {
    EventWorld world(Count, k);
    const std::vector<std::uint32_t> ids = order(shuffled);
    measure(state, k, [&] {
        for (const std::uint32_t id : ids)
            world.send(id, 1);
    });
}

} // namespace

int main(int argc, char** argv) {
    const auto row = [](const std::string& name, auto run) {
        for (const std::size_t k : {std::size_t(1), std::size_t(4)})
            for (const bool shuffled : {false, true})
                addRow("k" + std::to_string(k) + (shuffled ? "/shuffled/" : "/sequential/") + name,
                       [=](benchmark::State& state) { run(state, k, shuffled); });
    };
    row("virtual", virtualPerNew);
    row("method", methodPerNew);
    row("function", functions);
    row("memory", memoryAlone);
    row("qt-signal", qtSignals);
    row("qt-event", qtEvents);
    row("ours", ours);
    row("ours-recorded", oursRecorded);
    addRow("ticks of 1000/ours", [](benchmark::State& state) { ticks(state, false); });
    addRow("ticks of 1000/ours-recorded", [](benchmark::State& state) { ticks(state, true); });
    for (const std::size_t k : {std::size_t(1), std::size_t(4)}) {
        const std::string group = "k" + std::to_string(k) + "/shuffled/";
        addRow(group + "ours-type", [=](benchmark::State& state) { batched(state, k); });
        addRow(group + "ours-broadcast", [=](benchmark::State& state) { broadcast(state, k); });
    }
    const char* const published =
        "EnTT 3.16 and flecs 4.1.6 were measured on another run: their multiple of virtual there";
    return runWithRatios(
        argc, argv,
        {{.row = "k4/shuffled/ours", .peer = "k4/shuffled/virtual", .must = 0.80, .reach = 0.65},
         {.row = "k4/shuffled/ours", .peer = "k4/shuffled/function", .must = 0.70},
         {.row = "k4/shuffled/ours", .peer = "k4/shuffled/qt-event", .must = 0.10},
         {.row = "k4/shuffled/ours", .peer = "k4/shuffled/qt-signal"},
         {.row = "k4/shuffled/ours",
          .peer = "k4/shuffled/virtual",
          .must = 0.70,
          .published = 1.17,
          .source = std::string("EnTT sigh; ") + published},
         {.row = "k4/shuffled/ours",
          .peer = "k4/shuffled/virtual",
          .must = 0.09,
          .published = 13.61,
          .source = std::string("flecs component observers; ") + published},
         {.row = "k4/sequential/ours", .peer = "k4/sequential/virtual"},
         {.row = "k1/sequential/ours", .peer = "k1/sequential/virtual", .must = 1.0},
         {.row = "k1/shuffled/ours", .peer = "k1/shuffled/virtual", .must = 0.90},
         {.row = "k1/sequential/ours", .peer = "k1/sequential/method"},
         {.row = "k4/shuffled/ours", .peer = "k4/shuffled/method"},
         {.row = "k4/shuffled/ours", .peer = "k4/shuffled/memory"},
         {.row = "k4/shuffled/function", .peer = "k4/shuffled/memory"},
         {.row = "k4/shuffled/ours-type", .peer = "k4/shuffled/virtual", .reach = 0.40},
         {.row = "k1/shuffled/ours-type", .peer = "k1/shuffled/virtual", .reach = 0.40},
         {.row = "k4/shuffled/ours-broadcast", .peer = "k4/shuffled/virtual", .reach = 0.40},
         {.row = "ticks of 1000/ours-recorded", .peer = "ticks of 1000/ours", .mustOver = 2.0},
         {.row = "k4/shuffled/ours-recorded", .peer = "k4/shuffled/ours"},
         {.row = "k1/shuffled/ours-recorded", .peer = "k1/shuffled/ours"}});
}
