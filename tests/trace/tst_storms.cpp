// Storms: many messages of one type from one sender within a second; beside a plain second count.
#include <QSignalSpy>
#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_runaways.h"

#include <map>
#include <random>

using namespace sbx;
using namespace sbx::ui;
using namespace sbx::trace_test;

namespace {

struct Recorded {
    Recorder recorder;
    std::shared_ptr<RecordReader> reader = recorder.addReader();
    std::uint64_t sequence = 0;

    Recorded() { recorder.addWorld("local"); }
    void add(std::uint64_t tick, MessageTypeId type, NameId sender) {
        Envelope e;
        e.sequence = ++sequence;
        e.tick = tick;
        e.type = type;
        const Damage payload;
        recorder.finish(recorder.begin(e, sender, 0, NoHandlers, &payload, sizeof payload), 0, false);
    }
    std::vector<TraceStorm> storms(TraceStorms& watch, double rate) {
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        std::vector<TraceStorm> out;
        for (const auto& segment : segments)
            segment->forEach([&](const RecordView& record) {
                watch.add(record, rate, out);
            });
        watch.finish(out);
        return out;
    }
};

} // namespace

class TestStorms : public QObject {
    Q_OBJECT
private slots:
    void oneSenderAtTheLimit() {
        Recorded r;
        const NameId phantom = r.recorder.names().intern("phantom");
        const NameId other = r.recorder.names().intern("other");
        const MessageTypeId damage = messageIdOf<Damage>();
        // Ten in each of 60 ticks, and one less from another.
        for (std::uint64_t tick = 1; tick <= 60; ++tick)
            for (int i = 0; i < 10; ++i) {
                r.add(tick, damage, phantom);
                if (tick != 30 || i != 0)
                    r.add(tick, damage, other);
            }
        TraceStorms watch;
        const std::vector<TraceStorm> storms = r.storms(watch, 60.0);
        QCOMPARE(storms.size(), std::size_t(1));
        QCOMPARE(storms[0].sender, phantom);
        QCOMPARE(storms[0].tick, std::uint64_t(60));
        QCOMPARE(storms[0].count, TraceStorms::Limit);
    }
    // Fifty entities made in a second are a storm; contacts of very many are one of all.
    void makersAndManySenders() {
        Recorded r;
        const NameId spawner = r.recorder.names().intern("spawner");
        const MessageTypeId made = messageIdOf<Say>();
        const MessageTypeId contact = messageIdOf<Contact>();
        const MessageTypeId damage = messageIdOf<Damage>();
        const NameId wild = r.recorder.names().intern("wild");
        std::vector<NameId> balls;
        for (int i = 0; i < 105; ++i)
            balls.push_back(r.recorder.names().intern("ball_" + std::to_string(i)));
        for (std::uint64_t tick = 1; tick <= 120; ++tick) {
            r.add(tick, made, spawner);
            for (const NameId ball : balls) // 6300 a second, 60 of each
                r.add(tick, contact, ball);
            for (int i = 0; i < 120; ++i) // its own storm, and none of all
                r.add(tick, damage, wild);
        }
        TraceStorms watch;
        watch.setMakes(made);
        const std::vector<TraceStorm> storms = r.storms(watch, 60.0);
        QCOMPARE(storms.size(), std::size_t(3));
        QCOMPARE(storms[0].sender, wild);
        QVERIFY(!storms[0].many && storms[0].tick == 5);
        QCOMPARE(storms[0].perSecond(60.0), 120.0 * 60.0);
        QCOMPARE(storms[1].sender, spawner);
        QCOMPARE(storms[1].tick, TraceStorms::LimitOfMade);
        QVERIFY(!storms[1].many);
        QCOMPARE(storms[1].perSecond(60.0), 60.0);
        QCOMPARE(storms[2].type, contact);
        QVERIFY(storms[2].many);
        QVERIFY(storms[2].count >= TraceStorms::LimitOfAll && storms[2].count < TraceStorms::LimitOfAll + 105);
    }
    // The count that is told goes to the end of the tick, however far beyond the limit that is.
    void theRateOfAVeryLargeOne() {
        Recorded r;
        const NameId wild = r.recorder.names().intern("wild");
        const NameId late = r.recorder.names().intern("late");
        for (std::uint64_t tick = 10; tick <= 12; ++tick) {
            for (int i = 0; i < 250; ++i)
                r.add(tick, messageIdOf<Damage>(), wild);
            for (int i = 0; tick == 12 && i < 16'667; ++i)
                r.add(tick, messageIdOf<Damage>(), late);
            for (int i = 0; i < 250; ++i)
                r.add(tick, messageIdOf<Damage>(), wild);
        }
        TraceStorms watch;
        const std::vector<TraceStorm> storms = r.storms(watch, 60.0);
        QCOMPARE(storms.size(), std::size_t(2));
        QCOMPARE(storms[0].sender, wild);
        QCOMPARE(storms[0].tick, std::uint64_t(11));
        QCOMPARE(storms[0].count, std::uint64_t(1000));
        QCOMPARE(storms[0].ticks, std::uint64_t(2));
        QCOMPARE(storms[0].perSecond(60.0), 30'000.0);
        QCOMPARE(storms[1].sender, late);
        QCOMPARE(storms[1].count, std::uint64_t(16'667));
        QCOMPARE(storms[1].perSecond(60.0), 1'000'020.0);
    }
    // Told once while it lasts, and again after a quiet second.
    void toldOnceAndAgain() {
        Recorded r;
        const NameId phantom = r.recorder.names().intern("phantom");
        for (std::uint64_t tick = 0; tick < 600; ++tick)
            for (int i = 0; i < (tick >= 240 && tick < 360 ? 1 : 20); ++i)
                r.add(tick, messageIdOf<Damage>(), phantom);
        TraceStorms watch;
        const std::vector<TraceStorm> storms = r.storms(watch, 60.0);
        QCOMPARE(storms.size(), std::size_t(2));
        QCOMPARE(storms[0].tick, std::uint64_t(29));
        QVERIFY(storms[1].tick >= 360 && storms[1].tick < 420);
    }
    // Never below the limit in any second, whatever the mixture; never silent where each second of a sender's is above it.
    void neitherTooManyNorTooFew() {
        std::mt19937 random(3);
        for (int run = 0; run < 20; ++run) {
            Recorded r;
            std::map<NameId, int> perTick;
            for (const char* name : {"a", "b", "c", "d"})
                perTick[r.recorder.names().intern(name)] = static_cast<int>(random() % 25);
            for (std::uint64_t tick = 0; tick < 120; ++tick)
                for (const auto& [sender, count] : perTick)
                    for (int i = 0; i < count; ++i)
                        r.add(tick, messageIdOf<Damage>(), sender);
            TraceStorms watch;
            std::map<NameId, int> told;
            for (const TraceStorm& storm : r.storms(watch, 60.0))
                ++told[storm.sender];
            for (const auto& [sender, count] : perTick)
                QCOMPARE(told[sender], count * 60 >= static_cast<int>(TraceStorms::Limit) ? 1 : 0);
        }
    }
    // The model tells it in words, with the filter that shows it.
    void toldByTheModel() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        QSignalSpy spy(&model, &TraceModel::stormBegan);
        Envelope e;
        e.type = messageIdOf<Damage>();
        const NameId sender = yard.recorder.names().intern("storm \"y\"");
        for (std::uint64_t i = 1; i <= TraceStorms::Limit; ++i) {
            e.sequence = i;
            e.tick = 5;
            const Damage payload;
            yard.recorder.finish(yard.recorder.begin(e, sender, 0, NoHandlers, &payload, sizeof payload), 0, false);
        }
        yard.recorder.seal();
        model.catchUp();
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy[0][0].toULongLong(), qulonglong(TraceStorms::Limit));
        const QString rate = QLocale().toString(qlonglong(static_cast<double>(TraceStorms::Limit) * yard.source.ticksPerSecond()));
        const QString said = QStringLiteral("%1 Damage a second from storm \"y\" (%L2 in one tick)").arg(rate).arg(TraceStorms::Limit);
        QCOMPARE(spy[0][1].toString(), said);
        const auto filter = Filter::compile(spy[0][3].toString().toStdString(), context.schema());
        QVERIFY2(filter.ok(), filter.ok() ? "" : filter.error().message.c_str());
        model.setFilter(*filter);
        model.catchUp();
        QCOMPARE(model.rowCount(), static_cast<int>(TraceStorms::Limit));
    }

    // What the trace knows of a run that grows without end: most of the last second, their rate and their chain.
    void whatFeedsARunaway() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        std::uint64_t cause = 0;
        for (yard.tick = 1; yard.tick <= 120; ++yard.tick) {
            yard.send(Say{}, 33, 1, 0,
                      {{Yard::Watch, 0, HandlerResult::Passed}, {Yard::Log, 0, HandlerResult::Passed}});
            const auto contact = yard.send(Contact{}, 2, 32, 0, {{Yard::Touch, 0, HandlerResult::Passed}});
            cause = yard.send(Damage{}, 32, 1, contact, {{Yard::Health, 0, HandlerResult::Passed}});
            cause = yard.send(Damage{}, 32, 1, cause, {{Yard::Health, 0, HandlerResult::Passed}});
            yard.recorder.seal();
        }
        model.catchUp();
        GrowthReport queue;
        queue.of = GrowthReport::Of::Queue;
        queue.component = "Touch";
        queue.entity = yard.entityName(32);
        const Runaway sent = findRunaway(model, queue);
        QCOMPARE(sent.type, QStringLiteral("Damage"));
        QCOMPARE(sent.perSecond, 120.0);
        QCOMPARE(sent.sequence, cause);
        QCOMPARE(sent.chain, (QStringList{QStringLiteral("Contact"), QString::fromUtf8("Damage ×2")}));
        QCOMPARE(sent.condition,
                 QStringLiteral("type == Damage and sender == %1").arg(QString::fromStdString(queue.entity)));
        // Entities: the messages on which the component acted that makes them; what only looks on is none.
        GrowthReport made;
        made.component = "Body or Log";
        made.entity = yard.entityName(1);
        const Runaway fed = findRunaway(model, made);
        QCOMPARE(fed.type, QStringLiteral("Say"));
        QCOMPARE(fed.perSecond, 60.0);
        QCOMPARE(fed.chain, QStringList{QStringLiteral("Say")});
        made.component = "Watch";
        QCOMPARE(findRunaway(model, made).sequence, std::uint64_t(0));
        made.component = "Lo";
        QCOMPARE(findRunaway(model, made).sequence, std::uint64_t(0));
        GrowthReport loop;
        loop.of = GrowthReport::Of::Loop;
        loop.message = "Contact";
        QCOMPARE(findRunaway(model, loop).type, QStringLiteral("Contact"));
        TraceModel empty(context);
        QCOMPARE(findRunaway(empty, queue).sequence, std::uint64_t(0));
    }
};

QTEST_MAIN(TestStorms)
#include "tst_storms.moc"
