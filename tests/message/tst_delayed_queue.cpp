#include <QtTest>

#include "engine/core/random.h"
#include "engine/message/delayed_queue.h"
#include "tests/counted_allocations.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include <rapidcheck.h>

using namespace sbx;

namespace {

struct Numbered {
    static constexpr const char* Name = "test.Numbered";
    std::int64_t number = 0;
    static void describe(FieldList<Numbered>& f) { f.add("number", &Numbered::number, "Which."); }
};
Envelope numbered() {
    Envelope envelope;
    envelope.type = messageIdOf<Numbered>();
    return envelope;
}

std::int64_t numberOf(const DelayedMessage& message) { return static_cast<const Numbered*>(message.payload)->number; }

// What the queue is to do, on a tree with the whole key.
class Reference {
public:
    using Key = std::tuple<std::uint64_t, int, std::int64_t>; // due, priority, order
    struct Popped {
        std::uint64_t due;
        int priority;
        std::int64_t number;
    };
    void push(std::uint64_t due, int priority, std::int64_t number) {
        m_pending.insert({std::max(due, m_floor), {priority, number}});
    }
    bool cancel(std::int64_t number) {
        return std::erase_if(m_pending, [&](const auto& each) { return each.second.second == number; }) > 0;
    }
    std::optional<Popped> pop(std::uint64_t tick) {
        m_floor = std::max(m_floor, tick + 1);
        auto first = m_pending.end();
        for (auto it = m_pending.begin(); it != m_pending.end() && it->first <= tick; ++it)
            if (first == m_pending.end() || keyOf(*it) < keyOf(*first))
                first = it;
        if (first == m_pending.end())
            return std::nullopt;
        const Popped out{first->first, first->second.first, first->second.second};
        m_pending.erase(first);
        return out;
    }
    std::optional<std::uint64_t> nextDue() const {
        return m_pending.empty() ? std::nullopt : std::optional<std::uint64_t>(m_pending.begin()->first);
    }
    std::size_t size() const { return m_pending.size(); }
    void clear() { m_pending.clear(); }
    std::vector<std::int64_t> inOrder() const {
        std::vector<Key> keys;
        for (const auto& each : m_pending)
            keys.push_back(keyOf(each));
        std::sort(keys.begin(), keys.end());
        std::vector<std::int64_t> out;
        for (const Key& key : keys)
            out.push_back(std::get<2>(key));
        return out;
    }

private:
    using Pending = std::multimap<std::uint64_t, std::pair<int, std::int64_t>>;
    static Key keyOf(const Pending::value_type& each) {
        return {each.first, each.second.first, each.second.second};
    }
    Pending m_pending;
    std::uint64_t m_floor = 0;
};

} // namespace

class TestDelayedQueue : public QObject {
    Q_OBJECT
private slots:
    // The same cases on every run; RC_PARAMS="seed=… max_success=…" looks further.
    void initTestCase() {
        if (qEnvironmentVariableIsEmpty("RC_PARAMS"))
            qputenv("RC_PARAMS", "seed=7");
    }
    // Random pushes (near, far and past), pops by tick and of the next one, cancels, clears against the reference, step by
    // step.
    void agreesWithAMultimap() {
        const bool holds = rc::check("delayed queue = multimap over (due, priority, order)", [] {
            DelayedQueue queue;
            Reference reference;
            std::vector<DelayedHandle> handles;
            std::uint64_t tick = 0;
            alignas(16) std::byte buffer[MaxMessageSize];
            const int steps = *rc::gen::inRange(0, 1500);
            const int reach = *rc::gen::inRange(0, 6); // how far ahead messages lie
            const bool mixed = *rc::gen::arbitrary<bool>();
            Random random(*rc::gen::arbitrary<std::uint64_t>());
            const auto below = [&](std::uint64_t n) {
                return ((std::uint64_t(random.next()) << 32U) | random.next()) % std::max<std::uint64_t>(n, 1);
            };
            const auto popOne = [&] {
                DelayedMessage out;
                const auto expected = reference.pop(tick);
                RC_ASSERT(queue.pop(tick, out, buffer) == expected.has_value());
                if (expected) {
                    RC_ASSERT(out.due == expected->due);
                    RC_ASSERT(out.priority == expected->priority);
                    RC_ASSERT(numberOf(out) == expected->number);
                    RC_ASSERT(!queue.pending(handles[static_cast<std::size_t>(expected->number)]));
                }
                return expected.has_value();
            };
            for (int step = 0; step < steps; ++step) {
                const std::uint64_t what = below(100);
                if (what < 50) {
                    const std::uint64_t spans[] = {3, 70, 5000, 300000, std::uint64_t(1) << 40U, ~std::uint64_t(0) >> 1U};
                    const std::uint64_t ahead = below(spans[reach]);
                    const std::uint64_t due = below(10) == 0 ? below(tick + 1) : tick + ahead;
                    const int priority = mixed ? static_cast<int>(below(5)) - 2 : 7;
                    const Numbered message{static_cast<std::int64_t>(handles.size())};
                    reference.push(due, priority, message.number);
                    handles.push_back(queue.push(due, priority, numbered(), &message, sizeof message));
                } else if (what < 65 && !handles.empty()) {
                    const std::uint64_t which = below(handles.size());
                    RC_ASSERT(queue.cancel(handles[which]) == reference.cancel(static_cast<std::int64_t>(which)));
                    RC_ASSERT(!queue.pending(handles[which]));
                } else if (what < 78) {
                    popOne();
                } else if (what < 80) {
                    DelayedMessage out;
                    const auto due = reference.nextDue();
                    RC_ASSERT(queue.popNext(out, buffer) == due.has_value());
                    if (due) {
                        const auto expected = reference.pop(*due);
                        RC_ASSERT(out.due == expected->due);
                        RC_ASSERT(numberOf(out) == expected->number);
                        tick = std::max(tick, *due);
                    }
                } else if (what < 90) {
                    tick += below(3);
                    while (popOne())
                        ;
                } else if (what < 99) {
                    const auto due = reference.nextDue();
                    RC_ASSERT(queue.nextDue() == due);
                    if (due && below(2) == 0)
                        tick = std::max(tick, *due);
                } else if (below(10) == 0) {
                    queue.clear();
                    reference.clear();
                }
                RC_ASSERT(queue.size() == reference.size());
            }
            std::vector<std::int64_t> listed;
            for (const DelayedMessage& message : queue.list())
                listed.push_back(numberOf(message));
            RC_ASSERT(listed == reference.inOrder());
            tick = ~std::uint64_t(0) - 1;
            while (popOne())
                ;
        });
        QVERIFY(holds);
    }
    // Messages far apart are sorted as a whole; what is pushed among them later, more than were there, comes in its place too.
    void whatIsPushedAmongSortedOnesComesInItsPlace() {
        DelayedQueue queue;
        Reference reference;
        alignas(16) std::byte buffer[MaxMessageSize];
        Random random(5);
        std::int64_t number = 0;
        const auto push = [&](std::uint64_t due) {
            const int priority = static_cast<int>(random.next() % 3);
            const Numbered message{number++};
            reference.push(due, priority, message.number);
            queue.push(due, priority, numbered(), &message, sizeof message);
        };
        const auto pop = [&] {
            const auto due = reference.nextDue();
            DelayedMessage out;
            QVERIFY(due && queue.popNext(out, buffer));
            const auto expected = reference.pop(*due);
            QVERIFY(expected);
            QCOMPARE(out.due, expected->due);
            QCOMPARE(numberOf(out), expected->number);
        };
        constexpr std::uint64_t First = 1U << 20U;
        for (int i = 0; i < 200; ++i)
            push(First + random.next() % 4096);
        pop();
        for (int i = 0; i < 3000; ++i) {
            push(First + random.next() % 4096); // of those before the last one popped, at the next tick
            if (i % 3 == 0)
                pop();
            QCOMPARE(queue.nextDue(), reference.nextDue());
        }
        while (reference.size() > 0)
            pop();
        QCOMPARE(queue.size(), std::size_t(0));
    }

    // Cancelled messages that lie ahead do not move the time.
    void theNextOneAfterCancelledOnesAlone() {
        DelayedQueue queue;
        alignas(16) std::byte buffer[MaxMessageSize];
        DelayedMessage out;
        const Numbered message{0};
        QVERIFY(queue.cancel(queue.push(6400, 0, numbered(), &message, sizeof message)));
        QVERIFY(!queue.popNext(out, buffer));
        for (const std::uint64_t due : {5U, 6401U, 70U, 6405U, 6U})
            queue.push(due, 0, numbered(), &message, sizeof message);
        std::vector<std::uint64_t> came;
        while (queue.popNext(out, buffer))
            came.push_back(out.due);
        QCOMPARE(came, (std::vector<std::uint64_t>{5, 6, 70, 6401, 6405}));
        // What has been stays in the past.
        queue.push(5, 0, numbered(), &message, sizeof message);
        QVERIFY(queue.popNext(out, buffer));
        QCOMPARE(out.due, std::uint64_t(6406));
    }
    // So many are cancelled that the others are moved together, in the middle of a pass too.
    void livingOnesAreMovedTogetherInOrder() {
        using Key = std::tuple<std::uint64_t, int, std::int64_t>;
        for (const std::uint64_t span : {std::uint64_t(50), std::uint64_t(4000), std::uint64_t(1) << 40U}) {
            DelayedQueue queue;
            Random random(static_cast<std::uint32_t>(span % 1000));
            std::map<Key, bool> pending;
            std::vector<std::pair<DelayedHandle, Key>> pushed;
            std::uint64_t tick = 0;
            alignas(16) std::byte buffer[MaxMessageSize];
            DelayedMessage out;
            const auto popOne = [&] {
                const bool due = !pending.empty() && std::get<0>(pending.begin()->first) <= tick;
                if (queue.pop(tick, out, buffer) != due)
                    qFatal("popped %d at %llu", int(!due), static_cast<unsigned long long>(tick));
                if (due) {
                    if (numberOf(out) != std::get<2>(pending.begin()->first))
                        qFatal("out of order at %llu", static_cast<unsigned long long>(tick));
                    pending.erase(pending.begin());
                }
                return due;
            };
            for (int step = 0; step < 60000; ++step) {
                const std::uint32_t what = random.below(100);
                if (what < 52) {
                    const std::uint64_t far = ((std::uint64_t(random.next()) << 32U) | random.next()) % span;
                    const Numbered message{static_cast<std::int64_t>(pushed.size())};
                    const Key key{tick + 1 + far, static_cast<int>(random.below(3)), message.number};
                    pushed.emplace_back(
                        queue.push(std::get<0>(key), std::get<1>(key), numbered(), &message, sizeof message),
                        key);
                    pending[key] = true;
                } else if (what < 97) {
                    if (pushed.empty())
                        continue;
                    const auto back = static_cast<std::size_t>(
                        random.below(static_cast<std::uint32_t>(std::min<std::size_t>(pushed.size(), 3000))));
                    const auto& [handle, key] = pushed[pushed.size() - 1 - back];
                    QCOMPARE(queue.cancel(handle), pending.erase(key) > 0);
                } else if (what < 99) {
                    popOne(); // and the rest of the run stays where it is
                } else {
                    while (popOne())
                        ;
                    tick += random.below(8) == 0 ? span / 16 + 1 : random.below(3);
                }
                QCOMPARE(queue.size(), pending.size());
            }
            tick = ~std::uint64_t(0) - 1;
            while (popOne())
                ;
            QVERIFY(pending.empty());
        }
    }

    void payloadsAreCopies() {
        DelayedQueue queue;
        Numbered message{7};
        queue.push(1, 0, numbered(), &message, sizeof message);
        message.number = 8;
        DelayedMessage out;
        alignas(16) std::byte buffer[MaxMessageSize];
        QVERIFY(!queue.pop(0, out, buffer));
        QVERIFY(queue.pop(1, out, buffer));
        QCOMPARE(numberOf(out), std::int64_t(7));
    }
    void payloadsOfEverySizeComeBackWhole() {
        DelayedQueue queue;
        Random random(3);
        std::vector<std::vector<std::uint8_t>> sent;
        std::uint64_t tick = 0;
        for (int i = 0; i < 4000; ++i) {
            std::vector<std::uint8_t> bytes(random.below(MaxMessageSize + 1));
            for (std::uint8_t& byte : bytes)
                byte = static_cast<std::uint8_t>(random.below(256));
            queue.push(tick + 1 + random.below(20), 0, numbered(), bytes.data(), bytes.size(),
                       static_cast<std::uint32_t>(sent.size()));
            sent.push_back(std::move(bytes));
            DelayedMessage out;
            alignas(16) std::byte buffer[MaxMessageSize];
            if (i % 5 == 0)
                for (++tick; queue.pop(tick, out, buffer);) {
                    QCOMPARE(out.size, sent[out.minimum].size());
                    QVERIFY(std::equal(sent[out.minimum].begin(), sent[out.minimum].end(),
                                       static_cast<const std::uint8_t*>(out.payload)));
                }
        }
    }
    void theEnvelopeTravels() {
        DelayedQueue queue;
        Envelope envelope = numbered();
        envelope.sender = EntityId(3, 9);
        envelope.receiver = EntityId(4, 8);
        envelope.cause = 77;
        envelope.queuedAt = 5;
        envelope.delivery = Delivery::Children;
        const Numbered message{1};
        queue.push(10, -3, envelope, &message, sizeof message, 2);
        DelayedMessage out;
        alignas(16) std::byte buffer[MaxMessageSize];
        QVERIFY(queue.pop(12, out, buffer));
        QCOMPARE(out.due, std::uint64_t(10));
        QCOMPARE(out.priority, -3);
        QCOMPARE(out.minimum, 2U);
        QCOMPARE(out.envelope.sender, EntityId(3, 9));
        QCOMPARE(out.envelope.receiver, EntityId(4, 8));
        QCOMPARE(out.envelope.cause, std::uint64_t(77));
        QCOMPARE(out.envelope.queuedAt, std::uint64_t(5));
        QCOMPARE(out.envelope.delivery, Delivery::Children);
        QVERIFY(out.envelope.delayed);
    }
    // The queue is swapped before delivery: what a handler queues for the tick under way, or for one that has been, comes with
    // the next pass.
    void pushedDuringAPassComesInTheNext() {
        DelayedQueue queue;
        const Numbered message{0};
        alignas(16) std::byte buffer[MaxMessageSize];
        DelayedMessage out;
        for (int i = 0; i < 10; ++i)
            queue.push(5, 0, numbered(), &message, sizeof message);
        int delivered = 0;
        while (queue.pop(5, out, buffer)) {
            ++delivered;
            const Numbered answer{1};
            queue.push(delivered % 2 == 0 ? 5 : 1, -100, numbered(), &answer, sizeof answer);
        }
        QCOMPARE(delivered, 10);
        QCOMPARE(queue.size(), std::size_t(10));
        QCOMPARE(queue.nextDue(), std::optional<std::uint64_t>(6));
        while (queue.pop(6, out, buffer))
            QCOMPARE(numberOf(out), std::int64_t(1));
        QCOMPARE(queue.size(), std::size_t(0));
    }
    void aHandleIsVoidOnceItsBlockServesAnother() {
        DelayedQueue queue;
        const Numbered message{0};
        const DelayedHandle first = queue.push(1, 0, numbered(), &message, sizeof message);
        QVERIFY(queue.pending(first));
        QVERIFY(queue.cancel(first));
        QVERIFY(!queue.cancel(first));
        alignas(16) std::byte buffer[MaxMessageSize];
        DelayedMessage out;
        QVERIFY(!queue.pop(1, out, buffer)); // the block is free now
        for (std::uint64_t tick = 2; tick < 3000; ++tick) {
            const DelayedHandle next = queue.push(tick, 0, numbered(), &message, sizeof message);
            QVERIFY(next != first);
            QVERIFY(!queue.cancel(first));
            QVERIFY(queue.pop(tick, out, buffer));
        }
        QVERIFY(!queue.cancel(DelayedHandle()));
        QVERIFY(!queue.cancel(DelayedHandle(0xFFFFFFFFU, 1)));
        QVERIFY(!queue.cancel(DelayedHandle(12345678U, 3)));
    }
    void cancelWithinThePassHolds() {
        DelayedQueue queue;
        const Numbered message{0};
        queue.push(1, 0, numbered(), &message, sizeof message);
        const DelayedHandle second = queue.push(1, 0, numbered(), &message, sizeof message);
        alignas(16) std::byte buffer[MaxMessageSize];
        DelayedMessage out;
        QVERIFY(queue.pop(1, out, buffer));
        QVERIFY(queue.cancel(second));
        QVERIFY(!queue.pop(1, out, buffer));
    }
    // A time-out that is set and called off in every tick, an hour ahead, must not pile up.
    void cancelledMessagesDoNotPileUp() {
        DelayedQueue queue;
        const Numbered message{0};
        alignas(16) std::byte buffer[MaxMessageSize];
        DelayedMessage out;
        std::size_t settled = 0;
        for (std::uint64_t tick = 0; tick < 200000; ++tick) {
            QVERIFY(queue.cancel(queue.push(tick + 216000, 0, numbered(), &message, sizeof message)));
            queue.pop(tick, out, buffer);
            if (tick == 5000)
                settled = queue.bytes();
        }
        QCOMPARE(queue.size(), std::size_t(0));
        QCOMPARE(queue.bytes(), settled);
    }
    void aSteadyStateAllocatesNothing() {
        DelayedQueue queue;
        Random random(5);
        alignas(16) std::byte buffer[MaxMessageSize];
        DelayedMessage out;
        const auto tick = [&](std::uint64_t now) {
            const Numbered message{1};
            for (int i = 0; i < 50; ++i)
                queue.push(now + 1 + random.below(600), static_cast<int>(random.below(3)), numbered(), &message,
                           i % 2 == 0 ? sizeof message : 0);
            while (queue.pop(now, out, buffer))
                ;
        };
        std::uint64_t now = 0;
        for (; now < 20000; ++now)
            tick(now);
        const std::size_t before = Allocations;
        for (; now < 40000; ++now)
            tick(now);
        QCOMPARE(Allocations - before, std::size_t(0));
    }
    // A million in one tick, of mixed priorities: exact, and its memory serves the next million.
    void aMillionInOneTick() {
        DelayedQueue queue;
        alignas(16) std::byte buffer[MaxMessageSize];
        DelayedMessage out;
        std::size_t held = 0;
        for (std::uint64_t round = 1; round <= 2; ++round) {
            for (std::int64_t i = 0; i < 1000000; ++i) {
                const Numbered message{i};
                queue.push(round, static_cast<int>(i % 3), numbered(), &message, sizeof message);
            }
            std::int64_t count = 0;
            std::pair<int, std::int64_t> before{-1, -1};
            bool ordered = true;
            while (queue.pop(round, out, buffer)) {
                const std::pair<int, std::int64_t> key{out.priority, numberOf(out)};
                ordered = ordered && before < key;
                before = key;
                ++count;
            }
            QVERIFY(ordered);
            QCOMPARE(count, std::int64_t(1000000));
            if (round == 1)
                held = queue.bytes();
        }
        QCOMPARE(queue.bytes(), held);
    }
    void theHashKnowsWhatIsPending() {
        const auto hashOf = [](const DelayedQueue& queue) {
            Hash64 hash;
            queue.hash(hash);
            return hash.value();
        };
        DelayedQueue a;
        DelayedQueue b;
        const Numbered message{1};
        const Numbered other{2};
        a.push(4, 0, numbered(), &message, sizeof message);
        b.push(4, 0, numbered(), &message, sizeof message);
        QCOMPARE(hashOf(a), hashOf(b));
        a.push(9, 0, numbered(), &message, sizeof message);
        b.push(9, 0, numbered(), &other, sizeof other);
        QVERIFY(hashOf(a) != hashOf(b));
        // Whatever will be different when it comes is different now.
        const auto hashWith = [&](const std::function<void(Envelope&, std::uint64_t& due, int& priority,
                                                           std::uint32_t& minimum)>& change) {
            DelayedQueue queue;
            Envelope envelope = numbered();
            std::uint64_t due = 4;
            int priority = 0;
            std::uint32_t minimum = 0;
            change(envelope, due, priority, minimum);
            queue.push(due, priority, envelope, &message, sizeof message, minimum);
            return hashOf(queue);
        };
        std::vector<std::uint64_t> all{
            hashWith([](auto&, auto&, auto&, auto&) {}),
            hashWith([](auto&, auto& due, auto&, auto&) { due = 5; }),
            hashWith([](auto&, auto&, auto& priority, auto&) { priority = 1; }),
            hashWith([](auto&, auto&, auto&, auto& minimum) { minimum = 1; }),
            hashWith([](auto& e, auto&, auto&, auto&) { e.receiver = EntityId(1, 1); }),
            hashWith([](auto& e, auto&, auto&, auto&) { e.sender = EntityId(1, 1); }),
            hashWith([](auto& e, auto&, auto&, auto&) { e.delivery = Delivery::Children; }),
            hashWith([](auto& e, auto&, auto&, auto&) { e.part = 1; }),
            hashWith([](auto& e, auto&, auto&, auto&) { e.queuedAt = 1; })};
        const std::size_t count = all.size();
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        QCOMPARE(all.size(), count);
        // The cause is a number of the trace.
        QCOMPARE(hashWith([](auto& e, auto&, auto&, auto&) { e.cause = 9; }),
                 hashWith([](auto&, auto&, auto&, auto&) {}));
    }
};

QTEST_GUILESS_MAIN(TestDelayedQueue)
#include "tst_delayed_queue.moc"
