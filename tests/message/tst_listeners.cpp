#include <QtTest>

#include "engine/core/random.h"
#include "engine/message/listeners.h"
#include "tests/counted_allocations.h"

#include <deque>
#include <functional>
#include <optional>

#include <rapidcheck.h>

using namespace sbx;

namespace {

struct Bell {
    static constexpr const char* Name = "test.Bell";
    int strokes = 0;
    static void describe(FieldList<Bell>& f) { f.add("strokes", &Bell::strokes, "How often."); }
};
struct Whistle {
    static constexpr const char* Name = "test.Whistle";
    static void describe(FieldList<Whistle>&) {}
};

int ring(Listeners& listeners, int strokes = 1) {
    int heard = 0;
    const Bell bell{strokes};
    Envelope envelope;
    envelope.type = messageIdOf<Bell>();
    Listener listener;
    for (Listeners::Pass pass(listeners, messageIdOf<Bell>()); pass.next(listener); ++heard)
        listener.thunk(listener.object, &bell, envelope);
    return heard;
}

// Writes down who was called, and does what it was told to.
class Ear {
public:
    Ear(std::vector<int>& log, int number) : m_log(log), m_number(number) {}
    void hear(const Bell&) {
        m_log.push_back(m_number);
        if (then)
            then();
    }
    void hearAll(const Bell& bell, const Envelope& envelope) {
        m_log.push_back(bell.strokes);
        QCOMPARE(envelope.type, messageIdOf<Bell>());
    }
    std::function<void()> then;

private:
    std::vector<int>& m_log;
    int m_number;
};

using Log = std::vector<int>;

} // namespace

class TestListeners : public QObject {
    Q_OBJECT
private slots:
    // The same cases on every run; RC_PARAMS="seed=… max_success=…" looks further.
    void initTestCase() {
        if (qEnvironmentVariableIsEmpty("RC_PARAMS"))
            qputenv("RC_PARAMS", "seed=7");
    }
    void hearInOrderOfRegistration() {
        Listeners listeners;
        Log log;
        Ear a(log, 1);
        Ear b(log, 2);
        QVERIFY(!listeners.any(messageIdOf<Bell>()));
        const Subscription first = listeners.listen<&Ear::hear>(a, EntityId(3, 1), 5);
        const Subscription second = listeners.listen<&Ear::hear>(b);
        const Subscription third = listeners.listen<&Ear::hearAll>(a);
        QVERIFY(listeners.any(messageIdOf<Bell>()));
        QVERIFY(!listeners.any(messageIdOf<Whistle>()));
        QCOMPARE(ring(listeners, 9), 3);
        QCOMPARE(log, (Log{1, 2, 9}));
        QCOMPARE(listeners.list(messageIdOf<Bell>())[0].owner, EntityId(3, 1));
        QCOMPARE(shapeHandlers(listeners.list(messageIdOf<Bell>())[0].shape)[0].component, ComponentTypeId(5));
        QCOMPARE(listeners.list(messageIdOf<Bell>())[1].shape, NoHandlers);
    }
    void aSubscriptionEndsWithItsHolder() {
        Listeners listeners;
        Log log;
        Ear ear(log, 1);
        {
            Subscription outer;
            {
                Subscription inner = listeners.listen<&Ear::hear>(ear);
                outer = std::move(inner);
                QVERIFY(!inner.active());
            }
            QCOMPARE(ring(listeners), 1);
            std::vector<Subscription> moved;
            moved.push_back(std::move(outer));
            for (int i = 0; i < 50; ++i)
                moved.push_back(listeners.listen<&Ear::hear>(ear));
            QCOMPARE(ring(listeners), 51);
            moved.erase(moved.begin(), moved.begin() + 50);
            QCOMPARE(ring(listeners), 1);
        }
        QCOMPARE(ring(listeners), 0);
        QCOMPARE(listeners.count(messageIdOf<Bell>()), std::size_t(0));
    }
    void theRegistryMayDieFirst() {
        Log log;
        Ear ear(log, 1);
        auto listeners = std::make_unique<Listeners>();
        Subscription held = listeners->listen<&Ear::hear>(ear);
        Subscription ended = listeners->listen<&Ear::hear>(ear);
        ended.end();
        listeners.reset();
        QVERIFY(!held.active());
        Subscription moved = std::move(held);
        moved.end();
    }
    void aNeighbourTakenAwayMeanwhileIsNotCalled() {
        Listeners listeners;
        Log log;
        Ear a(log, 1);
        Ear b(log, 2);
        Ear c(log, 3);
        const Subscription first = listeners.listen<&Ear::hear>(a);
        std::optional<Subscription> second = listeners.listen<&Ear::hear>(b);
        std::optional<Subscription> third = listeners.listen<&Ear::hear>(c);
        a.then = [&] { second.reset(); };
        c.then = [&] { third.reset(); }; // itself
        ring(listeners);
        QCOMPARE(log, (Log{1, 3}));
        ring(listeners);
        QCOMPARE(log, (Log{1, 3, 1}));
    }
    void oneThatCameMeanwhileHearsTheNext() {
        Listeners listeners;
        Log log;
        Ear a(log, 1);
        Ear b(log, 2);
        std::deque<Subscription> held;
        held.push_back(listeners.listen<&Ear::hear>(a));
        a.then = [&] {
            for (int i = 0; i < 100; ++i) // enough to move the list
                held.push_back(listeners.listen<&Ear::hear>(b));
            // and the list of lists
            held.push_back(listeners.listen(static_cast<MessageTypeId>(messageTypeCount() + 500),
                                            listenerThunk<&Ear::hear>(), &b));
            a.then = {};
        };
        QCOMPARE(ring(listeners), 1);
        QCOMPARE(ring(listeners), 101);
    }
    // A listener that rings again: the inner delivery hears all, the outer one goes on where it was.
    void deliveriesNest() {
        Listeners listeners;
        Log log;
        Ear a(log, 1);
        Ear b(log, 2);
        Ear c(log, 3);
        const Subscription first = listeners.listen<&Ear::hear>(a);
        std::optional<Subscription> second = listeners.listen<&Ear::hear>(b);
        std::optional<Subscription> late;
        bool again = true;
        a.then = [&] {
            if (std::exchange(again, false)) {
                late = listeners.listen<&Ear::hear>(c);
                ring(listeners);
                second.reset();
            }
        };
        ring(listeners);
        QCOMPARE(log, (Log{1, 1, 2, 3}));
    }
    void tenThousand() {
        Listeners listeners;
        Log log;
        Ear ear(log, 1);
        std::vector<Subscription> held;
        for (int i = 0; i < 10000; ++i)
            held.push_back(listeners.listen<&Ear::hear>(ear));
        QCOMPARE(ring(listeners), 10000);
        // In an order of no kind.
        Random random(4);
        while (held.size() > 1) {
            std::swap(held[random.below(static_cast<std::uint32_t>(held.size()))], held.back());
            held.pop_back();
        }
        QCOMPARE(ring(listeners), 1);
    }
    void comingAndGoingAllocatesNothing() {
        Listeners listeners;
        Log log;
        log.reserve(100000);
        Ear ear(log, 1);
        Subscription stays = listeners.listen<&Ear::hear>(ear, {}, 3);
        const auto churn = [&] {
            Subscription a = listeners.listen<&Ear::hear>(ear, EntityId(1, 1), 3);
            Subscription b = listeners.listen<&Ear::hear>(ear);
            ring(listeners);
        };
        for (int i = 0; i < 10; ++i)
            churn();
        const std::size_t before = Allocations;
        for (int i = 0; i < 1000; ++i)
            churn();
        QCOMPARE(Allocations - before, std::size_t(0));
        QVERIFY(stays.active());
    }
    // Random comings and goings, also from within deliveries within deliveries, against a plain list.
    void agreesWithAPlainList() {
        const bool holds = rc::check("listeners = a list walked from a copy", [] {
            struct Model {
                int number;
                bool alive;
            };
            Random random(*rc::gen::arbitrary<std::uint64_t>());
            const int rings = *rc::gen::inRange(1, 40);
            Listeners listeners;
            Log log;
            std::vector<Model> model; // in order of registration
            std::deque<Ear> ears;
            std::deque<Subscription> held; // by number
            Log expected;
            int depth = 0;
            int left = 0;
            const auto act = [&] {
                for (std::uint32_t i = random.below(4); i > 0; --i)
                    if (random.below(2) == 0 || held.empty()) {
                        const int number = static_cast<int>(held.size());
                        ears.emplace_back(log, number);
                        held.push_back(listeners.listen<&Ear::hear>(ears.back()));
                        model.push_back({number, true});
                    } else {
                        const std::uint32_t which = random.below(static_cast<std::uint32_t>(held.size()));
                        held[which].end();
                        model[which].alive = false;
                    }
            };
            const std::function<void()> deliver = [&] {
                const std::size_t end = model.size();
                ++depth;
                // The model's walk is driven by the real one: each call must be the next that lives.
                std::size_t at = 0;
                Listener listener;
                const Bell bell{};
                const Envelope envelope;
                for (Listeners::Pass pass(listeners, messageIdOf<Bell>()); pass.next(listener);) {
                    while (at < end && !model[at].alive)
                        ++at;
                    RC_ASSERT(at < end);
                    const std::size_t calls = log.size();
                    listener.thunk(listener.object, &bell, envelope);
                    RC_ASSERT(log.size() == calls + 1);
                    RC_ASSERT(log.back() == model[at].number);
                    ++at;
                    if (--left > 0) {
                        act();
                        if (depth < 3 && random.below(4) == 0)
                            deliver();
                    }
                }
                while (at < end && !model[at].alive)
                    ++at;
                RC_ASSERT(at == end);
                --depth;
            };
            for (int i = 0; i < rings; ++i) {
                act();
                left = 30;
                deliver();
            }
            RC_ASSERT(listeners.count(messageIdOf<Bell>())
                      == static_cast<std::size_t>(
                          std::count_if(model.begin(), model.end(), [](const Model& m) { return m.alive; })));
        });
        QVERIFY(holds);
    }
};

QTEST_GUILESS_MAIN(TestListeners)
#include "tst_listeners.moc"
