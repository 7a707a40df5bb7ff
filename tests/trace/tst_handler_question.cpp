// What a component saw of the messages it handles: planted cases, and a yard's traffic beside a plain look at every record.
#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/trace/handler_question.h"
#include "widgets/trace/trace_store.h"

#include <map>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

constexpr std::size_t All = 1'000'000;
using Did = HandlerResult;

struct QuestionBench {
    Yard yard;
    TraceStore store;

    // Of crate_1.
    static AskedComponent asked(std::string component, std::vector<AskedHandler> handlers,
                                std::size_t which = 0) {
        return {.entity = "crate_1",
                .component = std::move(component),
                .which = which,
                .handlers = std::move(handlers)};
    }
    static AskedHandler damage(std::int32_t priority) { return {messageIdOf<Damage>(), priority}; }
    void seal() {
        yard.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> out;
        yard.source.poll(out);
        for (auto& segment : out)
            store.append(std::move(segment));
    }
    // The answer for the only handler.
    HandlerAnswer answer(const AskedComponent& asked) {
        HandlerQuestion question(asked);
        if (!question.look(store, yard.recorder.names(), All) || question.answers().size() != 1)
            qFatal("no answer");
        return question.answers().front();
    }
    std::string name(NameId id) const { return yard.recorder.names().name(id); }
};

bool operator==(const HandlerAnswer& a, const HandlerAnswer& b) {
    return a.handler == b.handler && a.saw == b.saw && a.last == b.last && a.lastTick == b.lastTick
           && a.consumer.component == b.consumer.component && a.consumer.priority == b.consumer.priority
           && a.note == b.note && a.all == b.all && a.reached == b.reached && a.lastReached == b.lastReached
           && a.elsewhere == b.elsewhere;
}

} // namespace

class TestHandlerQuestion : public QObject {
    Q_OBJECT
private slots:
    void consumedBefore() {
        QuestionBench b;
        b.yard.tick = 7;
        const auto first = b.yard.send(
            Damage{}, 32, 0, 0, {{Yard::Shield, 10, Did::Passed}, {Yard::Health, 20, Did::Passed}});
        b.yard.tick = 9;
        const auto second =
            b.yard.send(Damage{}, 32, 0, 0,
                        {{Yard::Shield, 10, Did::Consumed}, {Yard::Health, 20, Did::NotReached}});
        b.seal();
        const HandlerAnswer health = b.answer(b.asked("Health", {b.damage(20)}));
        QCOMPARE(health.saw, HandlerSaw::NotReached);
        QCOMPARE(health.last, second);
        QCOMPARE(health.lastTick, std::uint64_t(9));
        QCOMPARE(b.name(health.consumer.component), std::string("Shield"));
        QCOMPARE(health.consumer.priority, 10);
        QCOMPARE(health.all, std::uint64_t(2));
        QCOMPARE(health.reached, std::uint64_t(1));
        QCOMPARE(health.lastReached, first);
        QCOMPARE(health.elsewhere, std::uint64_t(0));
        const HandlerAnswer shield = b.answer(b.asked("Shield", {b.damage(10)}));
        QCOMPARE(shield.saw, HandlerSaw::Consumed);
        QCOMPARE(shield.last, second);
        QCOMPARE(shield.reached, std::uint64_t(2));
    }
    void handledOrLookedOn() {
        QuestionBench b;
        b.yard.send(Damage{}, 32, 0, 0,
                    {{Yard::Health, 20, Did::Passed}, {Yard::Watch, 30, Did::Passed}});
        b.seal();
        QCOMPARE(b.answer(b.asked("Health", {b.damage(20)})).saw, HandlerSaw::Handled);
        QCOMPARE(b.answer(b.asked("Watch", {b.damage(30)})).saw, HandlerSaw::LookedOn);
    }
    void nobodySentIt() {
        QuestionBench b;
        b.yard.tick = 3;
        b.yard.send(Contact{}, 32, 0, 0, {{Yard::Body, 0, Did::Passed}});
        b.yard.send(Damage{}, 32, 2, 0, {});
        const auto last = b.yard.send(Damage{}, 32, 1, 0, {});
        b.yard.send(Damage{}, 32, -1, 0, {}, Delivery::Listener); // to no entity
        b.seal();
        HandlerQuestion question(b.asked("Health", {b.damage(20), {messageIdOf<Died>(), 0}}));
        QVERIFY(question.look(b.store, b.yard.recorder.names(), All));
        QVERIFY(question.any());
        QCOMPARE(question.since(), std::uint64_t(3));
        QCOMPARE(question.answers()[0].saw, HandlerSaw::Nothing);
        QCOMPARE(question.answers()[0].last, std::uint64_t(0));
        QCOMPARE(question.answers()[0].elsewhere, last);
        QCOMPARE(question.answers()[1].saw, HandlerSaw::Nothing);
        QCOMPARE(question.answers()[1].elsewhere, std::uint64_t(0));
    }
    void notAmongTheHandlers() {
        QuestionBench b;
        b.yard.send(Damage{}, 32, 0, 0, {{Yard::Shield, 10, Did::Passed}}, Delivery::Component);
        b.seal();
        HandlerAnswer health = b.answer(b.asked("Health", {b.damage(20)}));
        QCOMPARE(health.saw, HandlerSaw::NotAmong);
        QVERIFY(health.toOneComponent && health.anyHandler);
        // Switched off: no handler at all.
        b.yard.send(Damage{}, 32, 0, 0, {});
        b.seal();
        health = b.answer(b.asked("Health", {b.damage(20)}));
        QCOMPARE(health.saw, HandlerSaw::NotAmong);
        QVERIFY(!health.toOneComponent && !health.anyHandler);
        QCOMPARE(health.all, std::uint64_t(2));
        QCOMPARE(health.reached, std::uint64_t(0));
        // Another priority is another handler of the component.
        b.yard.send(Damage{}, 32, 0, 0, {{Yard::Health, 21, Did::Passed}});
        b.seal();
        QCOMPARE(b.answer(b.asked("Health", {b.damage(20)})).saw, HandlerSaw::NotAmong);
        QCOMPARE(b.answer(b.asked("Health", {b.damage(21)})).saw, HandlerSaw::Handled);
    }
    void droppedByHand() {
        QuestionBench b;
        b.yard.send(Damage{}, 32, 0, 0,
                    {{Yard::Shield, 10, Did::Passed}, {Yard::Health, 20, Did::NotReached}});
        b.seal();
        QCOMPARE(b.answer(b.asked("Health", {b.damage(20)})).saw, HandlerSaw::Dropped);
        QCOMPARE(b.answer(b.asked("Shield", {b.damage(10)})).saw, HandlerSaw::Handled);
    }
    void notDelivered() {
        QuestionBench b;
        Envelope e;
        e.sequence = ++b.yard.sequence;
        e.type = messageIdOf<Damage>();
        e.receiver = Yard::entity(0);
        const NameId crate = b.yard.recorder.names().intern("crate_1");
        const Damage damage;
        b.yard.recorder.note(RecordNote::CutOff, e, 0, crate, &damage, sizeof damage);
        b.seal();
        const HandlerAnswer lost = b.answer(b.asked("Health", {b.damage(20)}));
        QCOMPARE(lost.saw, HandlerSaw::Lost);
        QCOMPARE(lost.note, RecordNote::CutOff);
        // That too few received it is said of the sending; the delivery has a record of its own.
        b.yard.send(Damage{}, 32, 0, 0, {{Yard::Health, 20, Did::Passed}});
        e.sequence = ++b.yard.sequence;
        b.yard.recorder.note(RecordNote::Short, e, 0, crate, &damage, sizeof damage, 1, 2);
        b.seal();
        QCOMPARE(b.answer(b.asked("Health", {b.damage(20)})).saw, HandlerSaw::Handled);
    }
    // Of two of a kind the second stands behind the first; a message to one component does not say to which.
    void theSecondOfAKind() {
        QuestionBench b;
        b.yard.send(Damage{}, 32, 0, 0,
                    {{Yard::Shield, 10, Did::Consumed},
                     {Yard::Shield, 10, Did::NotReached},
                     {Yard::Health, 20, Did::NotReached}});
        b.seal();
        QCOMPARE(b.answer(b.asked("Shield", {b.damage(10)}, 0)).saw, HandlerSaw::Consumed);
        const HandlerAnswer second = b.answer(b.asked("Shield", {b.damage(10)}, 1));
        QCOMPARE(second.saw, HandlerSaw::NotReached);
        QCOMPARE(b.name(second.consumer.component), std::string("Shield"));
        QCOMPARE(b.answer(b.asked("Shield", {b.damage(10)}, 2)).saw, HandlerSaw::NotAmong);
        b.yard.send(Damage{}, 32, 0, 0, {{Yard::Shield, 10, Did::Passed}}, Delivery::Component);
        b.seal();
        QCOMPARE(b.answer(b.asked("Shield", {b.damage(10)}, 1)).saw, HandlerSaw::Handled);
    }
    void nothingToLookAt() {
        QuestionBench b;
        HandlerQuestion none(b.asked("Health", {}));
        QVERIFY(none.look(b.store, b.yard.recorder.names(), All));
        QVERIFY(!none.any() && none.answers().empty());
        b.yard.runTick(10);
        b.seal();
        QVERIFY(none.look(b.store, b.yard.recorder.names(), All));
        QVERIFY(none.any());
        HandlerQuestion stuck(b.asked("Health", {b.damage(0)}));
        QVERIFY(!stuck.look(b.store, b.yard.recorder.names(), 0)); // no progress, and no end
        QVERIFY(!stuck.any());
    }
    // What comes later, in any slices, gives what one look at all of it gives; another run begins anew.
    void slicesAndRuns() {
        QuestionBench b;
        HandlerQuestion sliced(b.asked("Health", {b.damage(0)}));
        for (int tick = 0; tick < 240; ++tick) {
            b.yard.runTick(9);
            b.seal();
            const std::size_t step = static_cast<std::size_t>(tick % 5 + 1);
            while (!sliced.look(b.store, b.yard.recorder.names(), step)) {}
        }
        QVERIFY(sliced.answers().front().all > 3);
        QVERIFY(sliced.answers().front() == b.answer(b.asked("Health", {b.damage(0)})));
        b.store.clear();
        QVERIFY(sliced.look(b.store, b.yard.recorder.names(), All));
        QVERIFY(sliced.answers().front().all > 3); // it stays true
        b.yard.beginRun();
        const auto only = b.yard.send(Damage{}, 32, 0, 0, {{Yard::Health, 0, Did::Passed}});
        b.seal();
        QVERIFY(sliced.look(b.store, b.yard.recorder.names(), All));
        QCOMPARE(sliced.answers().front().all, std::uint64_t(1));
        QCOMPARE(sliced.answers().front().last, only);
    }
    // The store forgets records before they were looked at.
    void aStoreThatForgets() {
        QuestionBench b;
        b.store = TraceStore(50);
        HandlerQuestion question(b.asked("Health", {b.damage(0)}));
        b.yard.runTick(10);
        b.seal();
        QVERIFY(!question.look(b.store, b.yard.recorder.names(), 3));
        for (int tick = 0; tick < 40; ++tick)
            b.yard.runTick(10);
        b.seal();
        QVERIFY(b.store.first() > 20);
        QVERIFY(question.look(b.store, b.yard.recorder.names(), All));
        const HandlerAnswer fresh = b.answer(b.asked("Health", {b.damage(0)}));
        QCOMPARE(question.answers().front().last, fresh.last);
        QCOMPARE(question.answers().front().saw, fresh.saw);
    }
    // Every crate and component of a yard, beside a look from the newest record back.
    void besideAPlainLook() {
        QuestionBench b;
        for (int tick = 0; tick < 200; ++tick)
            b.yard.runTick(12);
        b.seal();
        const NameTable& names = b.yard.recorder.names();
        for (const char* component : {"Shield", "Health", "Log"}) {
            const std::int32_t priority =
                std::map<std::string, std::int32_t>{{"Shield", -5}, {"Health", 0}, {"Log", 100}}[component];
            for (std::uint32_t crate = 0; crate < 24; ++crate) {
                AskedComponent asked = b.asked(component, {b.damage(priority)});
                asked.entity = b.yard.entityName(crate);
                const HandlerAnswer got = b.answer(asked);
                HandlerSaw saw = HandlerSaw::Nothing;
                std::uint64_t last = 0;
                std::uint64_t all = 0;
                std::uint64_t reached = 0;
                for (std::uint64_t row = b.store.end(); row-- > b.store.first();) {
                    const RecordView record = b.store.at(row);
                    if (record.type() != messageIdOf<Damage>() || !(record.receiver() == Yard::entity(crate)))
                        continue;
                    HandlerSaw one = HandlerSaw::NotAmong;
                    for (const HandlerVisit visit : record.visits())
                        if (names.name(visit.component) == component)
                            one = visit.result == Did::Consumed ? HandlerSaw::Consumed
                                  : visit.result == Did::Passed ? HandlerSaw::Handled
                                                                   : HandlerSaw::NotReached;
                    ++all;
                    reached += one == HandlerSaw::Consumed || one == HandlerSaw::Handled ? 1U : 0U;
                    if (last == 0) {
                        last = record.sequence();
                        saw = one;
                    }
                }
                QCOMPARE(got.saw, saw);
                QCOMPARE(got.last, last);
                QCOMPARE(got.all, all);
                QCOMPARE(got.reached, reached);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestHandlerQuestion)
#include "tst_handler_question.moc"
