// Delayed messages beside what one would take instead: a push copies 32 bytes in, a pop copies them out, in exact order of
// (due tick, priority, order of sending). Figures are per operation, a push or a pop. The peers keep the key and the payload
// alone; ours keeps sender, receiver, cause, route and a handle that can be cancelled besides. All rows keep their memory from
// repetition to repetition.

#include "engine/message/delayed_queue.h"
#include "tests/bench/ratios.h"

#include <QCoreApplication>
#include <QTimer>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <queue>
#include <random>

using namespace sbx;
using namespace sbx::bench;

namespace {

struct Payload {
    static constexpr const char* Name = "bench.Payload";
    std::array<std::uint64_t, 4> words{};
    static void describe(FieldList<Payload>&) {}
};

constexpr std::size_t Million = 1'000'000;
constexpr std::size_t Held = 10'000;
constexpr std::uint64_t TenSeconds = 600; // ticks

// The same delays for every contender.
const std::vector<std::uint64_t>& delays(std::uint64_t range) {
    static std::map<std::uint64_t, std::vector<std::uint64_t>> Known;
    auto& out = Known[range];
    if (out.empty()) {
        std::mt19937_64 random(range);
        for (std::size_t i = 0; i < Million; ++i)
            out.push_back(1 + random() % range);
    }
    return out;
}

struct Key {
    std::uint64_t due;
    std::uint64_t order;
    std::int32_t priority;
    friend bool operator<(const Key& a, const Key& b) {
        return a.due != b.due ? a.due < b.due : a.priority != b.priority ? a.priority < b.priority : a.order < b.order;
    }
};

// Its elements are handed out by const reference only: the pointer is raw.
class StdQueue {
public:
    void push(std::uint64_t due, const Payload& payload) {
        m_queue.push({{due, m_order++, 0}, std::make_unique<Payload>(payload).release()});
    }
    std::uint64_t pop(Payload& out) {
        const Element top = m_queue.top();
        m_queue.pop();
        const std::unique_ptr<Payload> payload(top.payload);
        out = *payload;
        return top.key.due;
    }

private:
    struct Element {
        Key key;
        Payload* payload;
        friend bool operator<(const Element& a, const Element& b) { return b.key < a.key; }
    };
    std::priority_queue<Element> m_queue;
    std::uint64_t m_order = 0;
};

class StdMultimap {
public:
    void push(std::uint64_t due, const Payload& payload) { m_map.emplace(Key{due, m_order++, 0}, payload); }
    std::uint64_t pop(Payload& out) {
        const auto first = m_map.begin();
        const std::uint64_t due = first->first.due;
        out = first->second;
        m_map.erase(first);
        return due;
    }

private:
    std::multimap<Key, Payload> m_map;
    std::uint64_t m_order = 0;
};

// A binary heap in an array, with payloads in a pool of blocks: the textbook's and the article's way.
class BinaryHeap {
public:
    void push(std::uint64_t due, const Payload& payload) {
        if (m_free.empty()) {
            m_free.push_back(static_cast<std::uint32_t>(m_blocks.size()));
            m_blocks.emplace_back();
        }
        const std::uint32_t block = m_free.back();
        m_free.pop_back();
        m_blocks[block] = payload;
        const Element element{{due, m_order++, 0}, block};
        std::size_t hole = m_heap.size();
        m_heap.push_back(element);
        for (; hole > 0 && element.key < m_heap[(hole - 1) / 2].key; hole = (hole - 1) / 2)
            m_heap[hole] = m_heap[(hole - 1) / 2];
        m_heap[hole] = element;
    }
    std::uint64_t pop(Payload& out) {
        const Element top = m_heap.front();
        const Element last = m_heap.back();
        m_heap.pop_back();
        const std::size_t size = m_heap.size();
        std::size_t hole = 0;
        for (std::size_t child = 1; child < size; hole = child, child = 2 * hole + 1) {
            if (child + 1 < size && m_heap[child + 1].key < m_heap[child].key)
                ++child;
            if (!(m_heap[child].key < last.key))
                break;
            m_heap[hole] = m_heap[child];
        }
        if (size > 0)
            m_heap[hole] = last;
        out = m_blocks[top.block];
        m_free.push_back(top.block);
        return top.key.due;
    }

private:
    struct Element {
        Key key;
        std::uint32_t block;
    };
    std::vector<Element> m_heap;
    std::vector<Payload> m_blocks;
    std::vector<std::uint32_t> m_free;
    std::uint64_t m_order = 0;
};

class Ours {
public:
    Ours() { m_envelope.type = messageIdOf<Payload>(); }
    void push(std::uint64_t due, const Payload& payload) {
        m_queue.push(due, 0, m_envelope, &payload, sizeof payload);
    }
    std::uint64_t pop(Payload& out) {
        m_queue.popNext(m_message, &out);
        return m_message.due;
    }

private:
    DelayedQueue m_queue;
    Envelope m_envelope;
    DelayedMessage m_message;
};

// All are pushed, then all are popped.
template <typename Queue> void pushThenPop(benchmark::State& state) {
    static Queue queue;
    static std::uint64_t now = 0;
    const auto& delay = delays(Million);
    Payload payload;
    std::uint64_t sum = 0;
    for (auto _ : state) {
        for (std::size_t i = 0; i < Million; ++i) {
            payload.words[0] = i;
            queue.push(now + delay[i], payload);
        }
        for (std::size_t i = 0; i < Million; ++i) {
            now = queue.pop(payload);
            sum += payload.words[0];
        }
    }
    benchmark::DoNotOptimize(sum);
    state.SetItemsProcessed(state.iterations() * 2 * std::int64_t(Million));
}

// 10,000 are pending; each that comes sends another.
template <typename Queue, std::uint64_t Range> void hold(benchmark::State& state) {
    static Queue queue;
    static std::uint64_t now = 0;
    static std::size_t next = 0;
    const auto& delay = delays(Range);
    Payload payload;
    if (next == 0)
        for (; next < Held; ++next)
            queue.push(delay[next], payload);
    std::uint64_t sum = 0;
    constexpr std::size_t Steps = 100'000;
    for (auto _ : state)
        for (std::size_t i = 0; i < Steps; ++i) {
            now = queue.pop(payload);
            sum += payload.words[0];
            payload.words[0] = i;
            queue.push(now + delay[next++ % Million], payload);
        }
    benchmark::DoNotOptimize(sum);
    state.SetItemsProcessed(state.iterations() * 2 * std::int64_t(Steps));
}

void qtTimers(benchmark::State& state) {
    int argc = 1;
    char name[] = "bench_queue";
    char* argv[] = {name, nullptr};
    const QCoreApplication application(argc, argv);
    const auto& delay = delays(100);
    std::uint64_t sum = 0;
    for (auto _ : state) {
        std::size_t left = Held;
        for (std::size_t i = 0; i < Held; ++i) {
            Payload payload;
            payload.words[0] = i;
            QTimer::singleShot(static_cast<int>(delay[i]), Qt::PreciseTimer, qApp, [payload, &left, &sum] {
                sum += payload.words[0];
                if (--left == 0)
                    QCoreApplication::quit();
            });
        }
        QCoreApplication::exec();
    }
    benchmark::DoNotOptimize(sum);
    state.SetItemsProcessed(state.iterations() * 2 * std::int64_t(Held));
}

} // namespace

int main(int argc, char** argv) {
    addLongRow("million/std::priority_queue + new", pushThenPop<StdQueue>);
    addLongRow("million/std::multimap", pushThenPop<StdMultimap>);
    addLongRow("million/binary heap + pool", pushThenPop<BinaryHeap>);
    addLongRow("million/ours", pushThenPop<Ours>);
    addRow("hold 10k/std::priority_queue + new", hold<StdQueue, Million>);
    addRow("hold 10k/std::multimap", hold<StdMultimap, Million>);
    addRow("hold 10k/binary heap + pool", hold<BinaryHeap, Million>);
    addRow("hold 10k/ours", hold<Ours, Million>);
    addRow("hold 10k, ten seconds of ticks/std::priority_queue + new", hold<StdQueue, TenSeconds>);
    addRow("hold 10k, ten seconds of ticks/std::multimap", hold<StdMultimap, TenSeconds>);
    addRow("hold 10k, ten seconds of ticks/binary heap + pool", hold<BinaryHeap, TenSeconds>);
    addRow("hold 10k, ten seconds of ticks/ours", hold<Ours, TenSeconds>);
    addLongRow("hold 10k/QTimer::singleShot", qtTimers);
    return runWithRatios(
        argc, argv,
        {{.row = "million/ours", .peer = "million/std::priority_queue + new", .must = 1.0, .reach = 0.25},
         {.row = "million/ours", .peer = "million/std::multimap"},
         {.row = "million/ours", .peer = "million/binary heap + pool"},
         {.row = "million/binary heap + pool", .peer = "million/std::priority_queue + new"},
         {.row = "hold 10k/ours", .peer = "hold 10k/std::priority_queue + new", .must = 0.86, .reach = 0.45},
         {.row = "hold 10k/ours", .peer = "hold 10k/std::multimap"},
         {.row = "hold 10k/ours", .peer = "hold 10k/binary heap + pool"},
         {.row = "hold 10k/binary heap + pool", .peer = "hold 10k/std::priority_queue + new"},
         {.row = "hold 10k, ten seconds of ticks/ours",
          .peer = "hold 10k, ten seconds of ticks/std::priority_queue + new",
          .must = 0.86,
          .reach = 0.45},
         {.row = "hold 10k/ours", .peer = "hold 10k/QTimer::singleShot"}});
}
