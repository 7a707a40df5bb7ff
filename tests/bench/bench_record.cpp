// What it costs the sending thread to record one message of 8 bytes, beside a bare ring of 64-byte records (the limit), and
// beside spdlog, which formats a line and hands it to its thread. "message" rows are a whole dispatch to one handler, as
// World::send does it: the difference between recording off and on is what a goal is set for; "record" rows are the recorder alone.

#include "engine/message/recorder.h"
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

class Counter {
public:
    bool onSmall(Small& message) {
        m_sum += message.value;
        return false;
    }
    [[nodiscard]] std::uint64_t sum() const { return m_sum; }

private:
    std::uint64_t m_sum = 0;
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

enum class Mode { None, Off, On, Stamps, Timing };

// One recorder with a reader that keeps up.
struct Traced {
    explicit Traced(Mode mode) {
        recorder.addWorld("local");
        recorder.setEnabled(mode != Mode::None && mode != Mode::Off);
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
    std::uint64_t sequence = 0;
    const ShapeId shape = internShape(ComponentTypeId(0), 0);
    const MessageTypeId type = messageIdOf<Small>();
};

template <Mode M> void alone(benchmark::State& state) {
    Traced traced(M);
    for (auto _ : state) {
        for (std::uint64_t i = 0; i < PerTick; ++i) {
            Envelope envelope;
            envelope.sequence = ++traced.sequence;
            envelope.tick = 1;
            envelope.type = traced.type;
            envelope.sender = EntityId::fromBits(i);
            envelope.receiver = EntityId::fromBits(i + 1);
            const Small small{i};
            const auto ticket = traced.recorder.begin(envelope, 1, 2, traced.shape, &small, sizeof small);
            traced.recorder.finish(ticket, 1, false);
        }
        traced.endTick();
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(PerTick));
}

template <Mode M> void message(benchmark::State& state) {
    Traced traced(M);
    Counter counter;
    bool (*thunk)(void*, void*, const Envelope&) = [](void* component, void* m, const Envelope&) {
        return static_cast<Counter*>(component)->onSmall(*static_cast<Small*>(m));
    };
    benchmark::DoNotOptimize(thunk);
    Recorder& recorder = traced.recorder;
    // As a world's: looked at by every message in any case.
    std::uint32_t gate = 0;
    if (M != Mode::None)
        recorder.addGate(gate);
    benchmark::DoNotOptimize(gate);
    const Envelope none;
    const std::uint64_t kind = Recorder::kindOf(traced.type, sizeof(Small), Delivery::Immediate, 0, 1);
    for (auto _ : state) {
        for (std::uint64_t i = 0; i < PerTick; ++i) {
            Small small{i};
            if (gate == 0) {
                thunk(&counter, &small, none);
                continue;
            }
            ++traced.sequence;
            Recorder::Ticket ticket;
            if (recorder.isRecorded(traced.type)
                && recorder.beginPlain(ticket, traced.sequence, 0, 1, &small, sizeof small,
                                       Recorder::Plain{EntityId::fromBits(i), EntityId::fromBits(i + 1), 1, 2, traced.shape,
                                                       kind})) [[likely]] {
                if (thunk(&counter, &small, none))
                    recorder.finish(ticket, 1, true);
                continue;
            }
            Envelope envelope;
            envelope.sequence = traced.sequence;
            envelope.tick = 1;
            envelope.type = traced.type;
            envelope.sender = EntityId::fromBits(i);
            envelope.receiver = EntityId::fromBits(i + 1);
            ticket = recorder.begin(envelope, 1, 2, traced.shape, &small, sizeof small);
            const std::uint64_t before = recorder.timing() ? clockTicks() : 0;
            const bool consumed = thunk(&counter, &small, envelope);
            if (recorder.timing())
                recorder.time(ticket, 0, clockTicks() - before);
            recorder.finish(ticket, 1, consumed);
        }
        traced.endTick();
    }
    recorder.removeGate(gate);
    benchmark::DoNotOptimize(counter.sum());
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
    addRow("message/no recorder", message<Mode::None>);
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
         {.row = "message/not recorded", .peer = "message/no recorder"},
         {.row = "message/recorded", .peer = "message/not recorded", .mustOver = 2.0},
         {.row = "message/recorded", .peer = "message/not recorded"},
         {.row = "message/recorded, time in each handler", .peer = "record/64 B into a ring + rdtsc"}});
    std::remove("bench_record.log");
    return status;
}
