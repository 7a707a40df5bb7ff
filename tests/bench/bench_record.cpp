// What it costs the sending thread to record one message of 8 bytes, beside a bare ring of 64-byte records (the limit), and
// beside spdlog, which formats a line and hands it to its thread. "message" rows are World::send to an entity of one handler: the
// difference between recording off and on is what a goal is set for; "record" rows are the recorder alone.

#include "engine/core/log.h"
#include "engine/entity/world.h"
#include "tests/bench/ratios.h"

#include <spdlog/async.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

using namespace sbx;
using namespace sbx::bench;

namespace {

struct Small {
    static constexpr const char* Name = "bench.Small";
    std::uint64_t value = 0;
    static void describe(FieldList<Small>&) {}
};

struct Counter : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    std::uint64_t sum = 0;
    Counter(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Counter>& b) { b.handle<&Counter::onSmall>(); }
    bool onSmall(const Small& message) {
        sum += message.value;
        return false;
    }
};

constexpr std::uint64_t PerTick = 1000;

struct alignas(64) PlainRecord {
    std::uint64_t sequence;
    std::uint64_t stamp;
    std::uint64_t sender;
    std::uint64_t receiver;
    std::uint64_t value;
    std::uint64_t rest[3];
};

// As many as a tick has, twice over: what recycled segments hold.
template <bool Clock> void ring(benchmark::State& state) {
    static std::array<PlainRecord, 2 * PerTick> Ring;
    std::uint64_t sequence = 0;
    benchmark::DoNotOptimize(Ring.data());
    for (auto _ : state)
        for (std::uint64_t i = 0; i < PerTick; ++i) {
            PlainRecord& record = Ring[sequence % Ring.size()];
            record.sequence = ++sequence;
            record.stamp = Clock ? clockTicks() : 0;
            record.sender = i;
            record.receiver = i + 1;
            record.value = i;
            record.rest[0] = record.rest[1] = record.rest[2] = 0;
            benchmark::ClobberMemory();
        }
    state.SetItemsProcessed(state.iterations() * std::int64_t(PerTick));
}

enum class Mode { Off, On, Stamps, Timing };

// One recorder with a reader that keeps up.
struct Traced {
    explicit Traced(Mode mode) {
        recorder.addWorld("local");
        recorder.setEnabled(mode != Mode::Off);
        recorder.setStamps(mode == Mode::Stamps);
        recorder.setTiming(mode == Mode::Timing);
        segments.reserve(4);
    }
    void endTick() {
        recorder.seal();
        segments.clear();
        reader->poll(segments);
    }
    Recorder recorder;
    std::shared_ptr<RecordReader> reader = recorder.addReader();
    std::vector<std::shared_ptr<const RecordSegment>> segments;
    const MessageTypeId type = messageIdOf<Small>();
};

// A list of one handler that does nothing, with the recorder before it: what a record takes beside the rest of a message.
struct Nothing {
    bool onSmall(const Small&) { return false; }
};

// Outside of the template below: GCC 12 would not emit what the description points to.
HandlerDescription describeNothing() {
    return describeHandler<&Nothing::onSmall>(0, Side::Both);
}

template <Mode M> void alone(benchmark::State& state) {
    Traced traced(M);
    RecordLane lane;
    DispatchTable table;
    table.add(describeNothing(), 0, ComponentTypeId(0));
    table.build();
    lane.owner = &traced.recorder;
    lane.changed = [](void*) {};
    // The first of a tick.
    lane.slowPath = [](std::byte*, void* message, const void* about,
                       const HandlerEntry* entry) -> const HandlerEntry* {
        const RecordHook& hook = RecordHook::of(entry);
        Recorder& recorder = *static_cast<Recorder*>(hook.lane->owner);
        Envelope envelope;
        envelope.sequence = hook.lane->take(1);
        envelope.tick = 1;
        envelope.type = hook.type();
        envelope.receiver = RecordHook::receiverOf(about);
        recorder.finish(
            recorder.begin(envelope, 0, 1, internShape({entry, 1}), message, hook.size(), hook.lane), 1,
            false);
        recorder.prepare(*hook.lane, 1);
        return nullptr;
    };
    traced.recorder.addLane(lane);
    traced.recorder.hook(lane, table);
    const DispatchTable::Range& range = table.ranges()[traced.type];
    std::byte component{};
    for (auto _ : state) {
        for (std::uint64_t i = 0; i < PerTick; ++i) {
            Small small{i};
            const EntityId receiver(static_cast<std::uint32_t>(i), 1);
            benchmark::DoNotOptimize(range.call(&component, &small, receiver));
        }
        traced.endTick();
    }
    traced.recorder.removeLane(lane);
    state.SetItemsProcessed(state.iterations() * std::int64_t(PerTick));
}

template <Mode M> void message(benchmark::State& state) {
    Traced traced(M);
    Log log;
    ComponentRegistry registry;
    World world(WorldDesc{}, traced.recorder, log);
    const ComponentType& counter = registry.registerComponent<Counter>("Counter");
    const auto type =
        std::make_shared<EntityType>(EntityTypeInfo{"Thing", "", "", Vec4(1.0F)},
                                     std::vector<ComponentSpec>{{&counter, counter.makeSettings(nullptr)}});
    // One after the other, as the records lie.
    std::vector<EntityId> ids(PerTick);
    world.createMany(type, ids);
    for (auto _ : state) {
        for (std::uint64_t i = 0; i < PerTick; ++i)
            world.send(ids[i], Small{i});
        traced.endTick();
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(PerTick));
}

// The queue is never full: after each batch the sender waits, without using its processor, until the batch is written.
template <typename Sink> void spdlogAsync(benchmark::State& state, std::shared_ptr<Sink> sink) {
    constexpr std::size_t Batch = 1000;
    const auto pool = std::make_shared<spdlog::details::thread_pool>(8192, 1);
    const auto logger = std::make_shared<spdlog::async_logger>("bench", std::move(sink), pool);
    for (auto _ : state) {
        for (std::size_t i = 0; i < Batch; ++i)
            logger->info("#{} tick {} Small {} -> {} value {}", i, 1, i, i + 1, i);
        state.PauseTiming();
        while (pool->queue_size() > 0)
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(Batch));
}

} // namespace

int main(int argc, char** argv) {
    addRow("record/64 B into a ring, no clock (limit)", ring<false>);
    addRow("record/64 B into a ring + rdtsc", ring<true>);
    addRow("record/ours, no clock", alone<Mode::On>);
    addRow("record/ours, a stamp each", alone<Mode::Stamps>);
    addRow("message/not recorded", message<Mode::Off>);
    addRow("message/recorded", message<Mode::On>);
    addRow("message/recorded, a stamp each", message<Mode::Stamps>);
    addRow("message/recorded, time in each handler", message<Mode::Timing>);
    addRow("record/spdlog async, null sink", [](benchmark::State& state) {
        spdlogAsync(state, std::make_shared<spdlog::sinks::null_sink_mt>());
    });
    addRow("record/spdlog async, file sink", [](benchmark::State& state) {
        spdlogAsync(state, std::make_shared<spdlog::sinks::basic_file_sink_mt>("bench_record.log", true));
    });
    const int status = runWithRatios(
        argc, argv,
        {{.row = "record/ours, no clock", .peer = "record/64 B into a ring, no clock (limit)"},
         {.row = "record/ours, a stamp each", .peer = "record/64 B into a ring + rdtsc", .must = 1.1},
         {.row = "record/ours, a stamp each", .peer = "record/spdlog async, null sink", .must = 0.06},
         {.row = "record/ours, a stamp each", .peer = "record/spdlog async, file sink", .reach = 0.06},
         {.row = "record/ours, no clock", .peer = "record/spdlog async, file sink", .reach = 0.06},
         {.row = "message/recorded", .peer = "message/not recorded", .mustOver = 2.0},
         {.row = "message/recorded", .peer = "message/not recorded"},
         {.row = "message/recorded, time in each handler", .peer = "record/64 B into a ring + rdtsc"}});
    std::remove("bench_record.log");
    return status;
}
