#include <QtTest>

#include "engine/core/random.h"
#include "engine/message/record_filter.h"
#include "engine/message/recorder.h"
#include "engine/message/trace_json.h"
#include "tests/counted_allocations.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <tuple>

using namespace sbx;

namespace {
struct Ping {
    static constexpr const char* Name = "test.Ping";
    float amount = 0.0F;
    EntityId target;
    static void describe(FieldList<Ping>& f) {
        f.add("amount", &Ping::amount, "How much.");
        f.add("target", &Ping::target, "Whom.");
    }
};
// The same field, in a unit of its own.
template <char Kind> struct Delayed {
    static constexpr char Name[] = {'t', 'e', 's', 't', '.', 'D', 'e', 'l', 'a', 'y', 'e', 'd', Kind - 'a' + 'A', '\0'};
    float delay = 0.0F;
    static void describe(FieldList<Delayed>& f) {
        f.add("delay", &Delayed::delay, "How long.")
            .unit(Kind == 'a' ? "ms" : Kind == 'b' ? "s" : Kind == 'c' ? "" : "kg");
    }
};
struct Letter {
    static constexpr const char* Name = "test.Letter";
    Text words;
    EntityId to;
    int pages = 0;
    static void describe(FieldList<Letter>& f) {
        f.add("words", &Letter::words, "What it says.");
        f.add("to", &Letter::to, "To whom.");
        f.add("pages", &Letter::pages, "How many.");
    }
};
struct Quiet {
    static constexpr const char* Name = "test.Quiet";
    static constexpr bool Recorded = false;
    static void describe(FieldList<Quiet>&) {}
};

// One literal: moc does not read adjacent raw strings.
constexpr const char* ExpectedLine =
    R"({"sequence":812,"tick":120,"cause":790,"world":"server","type":"test.Ping","sender":"phantom_1","receiver":"crate_3","delivery":"immediate","fields":{"amount":5.0,"target":"crate_7"},"handlers":[{"component":"Shield","priority":10,"result":"consumed"}],"notReached":["Health"]})";

Envelope envelopeOf(std::uint64_t sequence, MessageTypeId type) {
    Envelope e;
    e.sequence = sequence;
    e.tick = sequence / 10;
    e.type = type;
    return e;
}
} // namespace

class TestRecorder : public QObject {
    Q_OBJECT
private slots:
    void typesAreInternedOnce() {
        QCOMPARE(messageIdOf<Ping>(), messageIdOf<Ping>());
        QVERIFY(messageIdOf<Ping>() != messageIdOf<Quiet>());
        QCOMPARE(findMessageType("test.Ping")->id, messageIdOf<Ping>());
        QVERIFY(findMessageType("test.Pong") == nullptr);
    }
    void maskFollowsTypeUntilSet() {
        Recorder recorder;
        QVERIFY(!recorder.wants(messageIdOf<Ping>())); // off by default
        recorder.setEnabled(true);
        QVERIFY(recorder.wants(messageIdOf<Ping>()));
        QVERIFY(!recorder.wants(messageIdOf<Quiet>()));
        recorder.setRecorded(messageIdOf<Quiet>(), true);
        recorder.setRecorded(messageIdOf<Ping>(), false);
        QVERIFY(!recorder.wants(messageIdOf<Ping>()));
        QVERIFY(recorder.wants(messageIdOf<Quiet>()));
    }
    void aLineSaysEverything() {
        Recorder recorder;
        recorder.setEnabled(true);
        Envelope e = envelopeOf(812, messageIdOf<Ping>());
        e.tick = 120;
        e.cause = 790;
        e.world = recorder.addWorld("server");
        recorder.setComponentName(3, "Shield");
        recorder.setComponentName(4, "Health");
        const ShapeHandler handlers[] = {{3, 10}, {4, 20}};
        auto reader = recorder.addReader();
        const Ping ping{5.0F, EntityId(7, 1)};
        const auto ticket = recorder.begin(e, recorder.names().intern("phantom_1"),
                                           recorder.names().intern("crate_3"), internShape(handlers), &ping,
                                           sizeof ping);
        recorder.finish(ticket, 1, true);
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        QCOMPARE(reader->poll(segments), std::size_t(1));
        const std::string line =
            traceLine((*segments[0])[0], recorder, false, [](EntityId) { return "crate_7"; });
        QCOMPARE(line, std::string(ExpectedLine));
    }
    void nestedRecordsKeepTheirPlaces() {
        Recorder recorder;
        recorder.setEnabled(true);
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        const ShapeId handler = internShape(ComponentTypeId(0), 0);
        const Ping ping;
        // 300 nested records: the segment's storage grows while outer records are open.
        std::vector<Recorder::Ticket> tickets;
        for (std::uint64_t i = 1; i <= 300; ++i)
            tickets.push_back(
                recorder.begin(envelopeOf(i, messageIdOf<Ping>()), 0, 0, handler, &ping, sizeof ping));
        for (auto it = tickets.rbegin(); it != tickets.rend(); ++it)
            recorder.finish(*it, 1, false);
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        QCOMPARE(segments[0]->size(), std::size_t(300));
        for (std::size_t i = 0; i < 300; ++i) {
            QCOMPARE((*segments[0])[i].envelope().sequence, i + 1);
            QCOMPARE((*segments[0])[i].visits()[0].result, HandlerResult::Passed);
        }
    }
    // Two worlds count their messages each for itself. One far behind the first of a segment, or far ahead of it, cannot go the
    // short way, which has thirty-two bits for the distance; one that is not so far can, and reads back as what it was.
    void aWorldFarAwayTakesTheLongWay() {
        constexpr std::uint64_t Far = 5'000'000'000;
        for (const auto& [First, second, isNear] :
             {std::tuple{Far, Far - 2'000'000'000, true}, std::tuple{Far, std::uint64_t(7), false},
              std::tuple{std::uint64_t(7), Far, false}, std::tuple{std::uint64_t(7), std::uint64_t(1'000'000'000), true}}) {
            Recorder recorder;
            RecordLane lanes[2];
            for (RecordLane& lane : lanes) {
                lane.changed = [](void*) {};
                recorder.addLane(lane);
            }
            recorder.setEnabled(true);
            lanes[0].world = recorder.addWorld("first");
            lanes[1].world = recorder.addWorld("second");
            lanes[0].take(First);
            lanes[1].take(second);
            auto reader = recorder.addReader();
            const Ping ping;
            const auto record = [&](RecordLane& lane) {
                Envelope envelope = envelopeOf(lane.sequence(), messageIdOf<Ping>());
                envelope.tick = 20;
                envelope.world = lane.world;
                const auto ticket = recorder.begin(envelope, 0, 0, NoHandlers, &ping, sizeof ping, &lane);
                recorder.finish(ticket, 0, false);
                recorder.prepare(lane, envelope.tick);
                return recorder.canAppend(lane, sizeof ping);
            };
            QVERIFY(record(lanes[0]));
            QCOMPARE(record(lanes[1]), isNear);
            lanes[1].take(1);
            if (isNear) {
                RecordHook hook;
                hook.words[1] = std::uint64_t(messageIdOf<Ping>()) << 32U | std::uint64_t(sizeof ping) << 48U;
                recorder.append(lanes[1], hook, 0, {}, 0, {}, 0, &ping);
            } else {
                record(lanes[1]);
            }
            recorder.seal();
            std::vector<std::shared_ptr<const RecordSegment>> segments;
            reader->poll(segments);
            QCOMPARE(segments[0]->size(), std::size_t(3));
            for (std::size_t i = 0; i < 3; ++i) {
                const Envelope told = (*segments[0])[i].envelope();
                QCOMPARE(told.sequence, i == 0 ? First : second + i - 1);
                QCOMPARE(told.tick, std::uint64_t(20));
                QCOMPARE(told.world, lanes[i == 0 ? 0 : 1].world);
            }
        }
    }
    // The trace shows 0.1 of a float, and a filter for 0.1 finds it.
    void filtersReadFloatsAsTheyAreShown() {
        Recorder recorder;
        recorder.setEnabled(true);
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        for (const float amount : {0.1F, 0.3F, 2.0F}) {
            const Ping ping{amount, {}};
            recorder.finish(
                recorder.begin(envelopeOf(1, messageIdOf<Ping>()), 0, 0, NoHandlers, &ping, sizeof ping), 0,
                false);
        }
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        const RecordFilterSchema schema(
            recorder.names(), [](std::uint8_t) { return std::string_view(); }, 60.0);
        const auto matches = [&](const char* text) {
            const Result<Filter> filter = Filter::compile(text, schema.schema());
            std::string found;
            RecordFilterRow row(schema);
            for (std::size_t i = 0; filter && i < 3; ++i) {
                row.set((*segments[0])[i]);
                found += filter->matches(row) ? '1' : '0';
            }
            return found;
        };
        QCOMPARE(matches("fields.amount == 0.1"), std::string("100"));
        QCOMPARE(matches("fields.amount in (0.3, 2)"), std::string("011"));
        QCOMPARE(matches("fields.amount != 0.3"), std::string("101"));
        QCOMPARE(matches("fields.amount > 0.1"), std::string("011"));
        QCOMPARE(matches("fields.amount <= 0.3"), std::string("110"));
    }
    // A lone word is sought in each name once, and finds what reading every value does.
    void wordsAreFoundAsInEachValue() {
        Recorder recorder;
        recorder.setEnabled(true);
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        static_cast<void>(messageIdOf<Ping>());
        static_cast<void>(messageIdOf<Letter>());
        RecordFilterSchema schema(recorder.names(), [](std::uint8_t) { return std::string_view("local"); }, 60.0);
        recorder.setComponentName(3, "Crater");
        const ShapeId shape = internShape(std::array{ShapeHandler{3, 0}});
        Random random(11);
        constexpr const char* Names[] = {"", "crate_1", "Crate_12", "bat", "phantom *"};
        for (std::uint64_t i = 1; i <= 300; ++i) {
            const auto name = [&] { return recorder.names().intern(Names[random.below(5)]); };
            Envelope e = envelopeOf(i, random.below(2) == 0 ? messageIdOf<Ping>() : messageIdOf<Letter>());
            e.receiver = EntityId(static_cast<std::uint32_t>(random.below(5)) + 1, 1);
            if (random.below(4) == 0)
                e.through = messageIdOf<Letter>();
            e.cause = e.through != NoType && i > 1 ? i - 1 : 0;
            const Ping ping{1.0F, e.receiver};
            Letter letter;
            letter.words = Text(Names[random.below(5)]);
            letter.to = e.receiver;
            const bool pings = e.type == messageIdOf<Ping>();
            const auto ticket = recorder.begin(e, name(), name(), shape, pings ? static_cast<const void*>(&ping) : &letter,
                                               pings ? sizeof ping : sizeof letter);
            recorder.finish(ticket, 1, random.below(2) == 0);
        }
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        segments[0]->forEach([&](const RecordView& record) { schema.learn(record); });
        std::vector<FilterFieldId> searched;
        for (FilterFieldId id = 0; id < schema.schema().fields().size(); ++id)
            if (schema.schema().field(id).searched)
                searched.push_back(id);
        RecordFilterRow row(schema);
        std::size_t found = 0;
        for (const auto& [text, pattern] : {std::pair("crate", false), {"CRATE_1", false}, {"", false}, {"crate_1", true}, {"*er", true},
                                            {"*", true}, {"letter", false}, {"phantom *", false}, {"none of them", false}}) {
            const FilterWord word{text, pattern};
            segments[0]->forEach([&](const RecordView& record) {
                row.set(record);
                const bool has = row.has(word, searched);
                QCOMPARE(has, row.FilterRow::has(word, searched));
                found += has ? 1U : 0U;
            });
        }
        QVERIFY(found > 500);
        // Two words in turns.
        const Result<Filter> both = Filter::compile("crate and (bat or letter)", schema.schema());
        QVERIFY(both.ok());
        segments[0]->forEach([&](const RecordView& record) {
            RecordFilterRow fresh(schema);
            fresh.set(record);
            row.set(record);
            QCOMPARE(both->matches(row), both->matches(fresh));
        });
    }
    // Two types that keep a field of one name in different units, one that has no unit there, and one that came later.
    void filtersKnowTheUnitOfEachType() {
        static_cast<void>(messageIdOf<Delayed<'a'>>());
        static_cast<void>(messageIdOf<Delayed<'b'>>());
        static_cast<void>(messageIdOf<Delayed<'c'>>());
        Recorder recorder;
        recorder.setEnabled(true);
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        RecordFilterSchema schema(
            recorder.names(), [](std::uint8_t) { return std::string_view(); }, 60.0);
        static_cast<void>(messageIdOf<Delayed<'d'>>());
        QVERIFY(schema.updateTypes());
        const auto record = [&]<char Unit>(const Delayed<Unit>& message) {
            recorder.finish(recorder.begin(envelopeOf(1, messageIdOf<Delayed<Unit>>()), 0, 0, NoHandlers,
                                           &message, sizeof message),
                            0, false);
        };
        record(Delayed<'a'>{3.0F}); // ms
        record(Delayed<'a'>{7.0F});
        record(Delayed<'b'>{3.0F}); // s
        record(Delayed<'c'>{7.0F}); // no unit
        record(Delayed<'d'>{7.0F}); // kg
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        const auto matches = [&](const char* text) {
            const Result<Filter> filter = Filter::compile(text, schema.schema());
            std::string found;
            RecordFilterRow row(schema);
            for (std::size_t i = 0; filter && i < 5; ++i) {
                row.set((*segments[0])[i]);
                found += filter->matches(row) ? '1' : '0';
            }
            return filter ? found : filter.error().message;
        };
        QCOMPARE(matches("fields.delay > 5ms"), std::string("01100"));
        QCOMPARE(matches("fields.delay >= 3s"), std::string("00100"));
        QCOMPARE(matches("fields.delay > 5"), std::string("01010"));
        QCOMPARE(matches("type == test.DelayedA and fields.delay > 5ms"), std::string("01000"));
        QCOMPARE(matches("fields.test.DelayedD.delay > 5kg"), std::string("00001"));
    }
    void aSlowReaderMissesButIsTold() {
        Recorder recorder;
        recorder.setEnabled(true);
        recorder.addWorld("local");
        auto reader = recorder.addReader(4096);
        const Ping ping;
        for (std::uint64_t i = 1; i <= 100; ++i) {
            recorder.begin(envelopeOf(i, messageIdOf<Ping>()), 0, 0, NoHandlers, &ping, sizeof ping);
            recorder.seal();
        }
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        const std::size_t got = reader->poll(segments);
        QVERIFY(got > 0);
        QCOMPARE(got + reader->missed(), std::size_t(100));
    }
    // What does not fit the short form comes back all the same: sequences that start again, ticks and causes far away, delays.
    void everythingThatWasWrittenComesBack() {
        Recorder recorder;
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        Random random(8);
        std::vector<Envelope> written;
        std::vector<std::vector<std::uint8_t>> payloads;
        const auto far = [&] {
            const std::uint64_t values[] = {0,       1,        random.next(), std::uint64_t(1) << 32U,
                                            random.next() * std::uint64_t(70000), ~std::uint64_t(0)};
            return values[random.below(6)];
        };
        for (int i = 0; i < 3000; ++i) {
            Envelope e;
            e.sequence = far();
            e.tick = far();
            e.cause = random.below(2) == 0 ? far() : e.sequence - 1 - random.below(3);
            if (e.cause == e.sequence)
                e.cause = 0;
            e.sender = EntityId::fromBits(far());
            e.receiver = EntityId::fromBits(far());
            e.type = messageIdOf<Ping>();
            e.delivery = static_cast<Delivery>(random.below(8));
            e.world = static_cast<std::uint8_t>(random.below(256));
            e.delayed = random.below(4) == 0;
            e.queuedAt = e.delayed ? far() : 0;
            std::vector<std::uint8_t> payload(random.below(MaxMessageSize + 1));
            for (std::uint8_t& byte : payload)
                byte = static_cast<std::uint8_t>(random.next());
            recorder.setStamps(random.below(2) == 0);
            recorder.setTiming(random.below(3) == 0);
            const ShapeHandler handlers[] = {{1, 2}, {2, 3}, {3, static_cast<std::int32_t>(random.below(5)) + 3}};
            const auto ticket = recorder.begin(e, 0, 0, internShape(handlers), payload.data(), payload.size());
            const auto which = static_cast<std::size_t>(i);
            if (recorder.timing())
                recorder.time(ticket, 1, 1000);
            recorder.finish(ticket, which % 4, which % 4 != 0 && which % 3 == 0);
            written.push_back(e);
            payloads.push_back(std::move(payload));
            if (random.below(40) == 0)
                recorder.seal();
        }
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        std::size_t at = 0;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i, ++at) {
                const RecordView record = (*segment)[i];
                const Envelope got = record.envelope();
                const Envelope& e = written[at];
                QVERIFY(got.sequence == e.sequence && got.tick == e.tick && got.cause == e.cause
                        && got.sender == e.sender && got.receiver == e.receiver && got.type == e.type
                        && got.delivery == e.delivery && got.world == e.world && got.delayed == e.delayed
                        && got.queuedAt == e.queuedAt);
                QCOMPARE(record.payloadSize(), payloads[at].size());
                QVERIFY(std::equal(payloads[at].begin(), payloads[at].end(),
                                   static_cast<const std::uint8_t*>(record.payload())));
                QVERIFY(reinterpret_cast<std::uintptr_t>(record.payload()) % 16 == 0);
                QCOMPARE(record.visits().size(), std::size_t(3));
                std::size_t k = 0;
                for (const HandlerVisit visit : record.visits()) {
                    const bool last = k + 1 == at % 4;
                    QCOMPARE(visit.result, k >= at % 4              ? HandlerResult::NotReached
                                           : last && at % 3 == 0 ? HandlerResult::Consumed
                                                                  : HandlerResult::Passed);
                    ++k;
                }
            }
        QCOMPARE(at, written.size());
    }
    void aSmallMessageTakesLessThanALine() {
        Recorder recorder;
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        const std::uint64_t payload = 7;
        const ShapeId shape = internShape(ComponentTypeId(0), 0);
        for (std::uint64_t i = 1; i <= 4; ++i) {
            Envelope envelope = envelopeOf(i, messageIdOf<Ping>());
            if (i == 3)
                envelope.sender = EntityId(5, 1);
            recorder.begin(envelope, 0, 0, shape, &payload, sizeof payload);
        }
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        const auto payloadAt = [&](std::size_t i) {
            return static_cast<const std::byte*>((*segments[0])[i].payload());
        };
        QCOMPARE(payloadAt(1) - payloadAt(0), std::ptrdiff_t(48));
        QCOMPARE(payloadAt(3) - payloadAt(1), std::ptrdiff_t(48 + 64));
        QCOMPARE((*segments[0])[1].sender(), EntityId());
        QCOMPARE((*segments[0])[2].sender(), EntityId(5, 1));
    }
    void stampsFromTheMiddleOfATick() {
        Recorder recorder;
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        const std::uint64_t payload = 7;
        const ShapeId shape = internShape(ComponentTypeId(0), 0);
        recorder.begin(envelopeOf(1, messageIdOf<Ping>()), 0, 0, shape, &payload, sizeof payload);
        recorder.setStamps(true);
        recorder.begin(envelopeOf(2, messageIdOf<Ping>()), 0, 0, shape, &payload, sizeof payload);
        recorder.setStamps(false);
        recorder.setStamps(true);
        recorder.begin(envelopeOf(3, messageIdOf<Ping>()), 0, 0, shape, &payload, sizeof payload);
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        const RecordSegment& segment = *segments.at(0);
        QCOMPARE(segment[0].stampNs(), -1.0);
        QVERIFY(segment[1].stampNs() >= 0.0);
        QVERIFY(segment[2].stampNs() >= segment[1].stampNs());
        QVERIFY(segment[2].stampNs() < 3600e9); // not since the machine started
    }
    void timesAndStamps() {
        Recorder recorder;
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        recorder.setTiming(true);
        recorder.setStamps(true);
        const ShapeId shape = internShape(ComponentTypeId(0), 0);
        const Ping ping;
        constexpr std::uint64_t HandlerTicks = 20'000'000; // that its handler is said to have taken
        struct Bracket {
            std::uint64_t earliest = 0;
            std::uint64_t latest = 0;
        };
        std::array<Bracket, 2> stamped; // of the last round: when the processor's counter was read
        for (std::uint64_t round = 0; round < 2; ++round) {
            for (std::uint64_t i = 0; i < 2; ++i) {
                stamped[i].earliest = clockTicks();
                const auto ticket = recorder.begin(envelopeOf(round * 2 + i + 1, messageIdOf<Ping>()), 0, 0, shape, &ping,
                                                   sizeof ping);
                stamped[i].latest = clockTicks();
                recorder.time(ticket, 0, HandlerTicks * (i + 1));
                recorder.finish(ticket, 1, false);
            }
            recorder.seal(); // each seal compares the clocks
        }
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        const RecordView first = (*segments[1])[0];
        const RecordView second = (*segments[1])[1];
        // Handlers' times are turned into nanoseconds when they are handed in, stamps when they are read.
        const double then = segments[0]->nsPerTick();
        QCOMPARE(first.visits()[0].nanoseconds, static_cast<std::uint32_t>(static_cast<double>(HandlerTicks) * then));
        QCOMPARE(second.visits()[0].nanoseconds, static_cast<std::uint32_t>(static_cast<double>(2 * HandlerTicks) * then));
        QCOMPARE(first.stampNs(), 0.0);
        const auto nanoseconds = [&](std::uint64_t ticks) { return static_cast<double>(ticks) * segments[1]->nsPerTick(); };
        QVERIFY(second.stampNs() > 0.0);
        QVERIFY(second.stampNs() >= nanoseconds(stamped[1].earliest - stamped[0].latest));
        QVERIFY(second.stampNs() <= nanoseconds(stamped[1].latest - stamped[0].earliest));
        QVERIFY(traceLine(second, recorder, true).find("\"ns\":") != std::string::npos);
        QVERIFY(traceLine(second, recorder, true).find("\"atNs\":") != std::string::npos);
    }
    // The processor's counter against the steady clock. Each comparison reads one after the other: whatever comes between makes it say
    // too little, and less so the longer ago it began.
    void theRecordersClockIsTheSteadyOne() {
        using Steady = std::chrono::steady_clock;
        const auto time = Steady::now();
        const std::uint64_t ticks = clockTicks();
        RecordClock clock;
        std::chrono::duration<double, std::nano> passed{0.0};
        double most = 0.0;
        do {
            clock.calibrate();
            const std::uint64_t passedTicks = clockTicks() - ticks;
            passed = Steady::now() - time;
            most = passed.count() / static_cast<double>(passedTicks);
            QVERIFY(passed.count() < 1e6 || clock.nsPerTick() <= 1.01 * most);
        } while (passed.count() < 1e6 || clock.nsPerTick() < 0.99 * most);
        QCOMPARE(clock.nanoseconds(1'000'000), static_cast<std::uint32_t>(1e6 * clock.nsPerTick()));
        QCOMPARE(clock.nanoseconds(~std::uint64_t{0}), 0xFFFFFFFFU); // as much as there is room for
    }
    void notesSayWhatHandlersCannot() {
        Recorder recorder;
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        const Ping ping;
        const Envelope e = envelopeOf(5, messageIdOf<Ping>());
        recorder.note(RecordNote::Short, e, 0, 0, &ping, sizeof ping, 1, 3);
        recorder.note(RecordNote::Gone, e, 0, 0, &ping, sizeof ping);
        recorder.note(RecordNote::CutOff, e, 0, 0, &ping, sizeof ping);
        recorder.begin(e, 0, 0, NoHandlers, &ping, sizeof ping);
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        const RecordSegment& s = *segments[0];
        QCOMPARE(s[0].note(), RecordNote::Short);
        QCOMPARE(s[0].receivers(), 1U);
        QCOMPARE(s[0].minimum(), 3U);
        QVERIFY(traceLine(s[0], recorder, false).find(R"("note":"short","receivers":1,"minimum":3)") != std::string::npos);
        QCOMPARE(s[1].note(), RecordNote::Gone);
        QVERIFY(traceLine(s[1], recorder, false).find(R"("note":"gone")") != std::string::npos);
        QCOMPARE(s[2].note(), RecordNote::CutOff);
        QCOMPARE(s[3].note(), RecordNote::None);
        QVERIFY(traceLine(s[3], recorder, false).find("note") == std::string::npos);
    }
    void aSteadyStateAllocatesNothing() {
        Recorder recorder;
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        segments.reserve(8);
        const Ping ping;
        std::uint64_t sequence = 0;
        const auto tick = [&](std::uint64_t count) {
            for (std::uint64_t i = 0; i < count; ++i)
                recorder.finish(recorder.begin(envelopeOf(++sequence, messageIdOf<Ping>()), 0, 0, NoHandlers, &ping,
                                               sizeof ping),
                                0, false);
            recorder.seal();
            segments.clear();
            reader->poll(segments);
        };
        for (int i = 0; i < 50; ++i)
            tick(300);
        const std::size_t before = Allocations;
        for (int i = 0; i < 500; ++i)
            tick(300);
        QCOMPARE(Allocations - before, std::size_t(0));
    }
    // A million messages in one tick are all recorded; the next ticks do not keep the memory.
    void aStormIsRecordedWhole() {
        Recorder recorder;
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        auto small = recorder.addReader(std::size_t(16) << 20U);
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        const Ping ping;
        constexpr std::uint64_t Million = 1000000;
        for (std::uint64_t i = 1; i <= Million; ++i)
            recorder.begin(envelopeOf(i, messageIdOf<Ping>()), 0, 0, NoHandlers, &ping, sizeof ping);
        recorder.seal();
        QCOMPARE(reader->poll(segments), std::size_t(1));
        QCOMPARE(segments[0]->size(), std::size_t(Million));
        QCOMPARE((*segments[0])[Million - 1].sequence(), Million);
        QVERIFY(segments[0]->bytes() < std::size_t(160) << 20U);
        QCOMPARE(small->poll(segments), std::size_t(0)); // its limit was passed
        QCOMPARE(small->missed(), Million);
        segments.clear();
        for (std::uint64_t i = 1; i <= 20; ++i) {
            recorder.begin(envelopeOf(Million + i, messageIdOf<Ping>()), 0, 0, NoHandlers, &ping, sizeof ping);
            recorder.seal();
            segments.clear();
            reader->poll(segments);
            if (i > 2)
                QVERIFY(segments[0]->bytes() < std::size_t(1) << 20U);
        }
    }
    // Segments may outlive the recorder that made them.
    void segmentsOutliveTheRecorder() {
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        {
            Recorder recorder;
            recorder.addWorld("local");
            auto reader = recorder.addReader();
            const Ping ping;
            const ShapeId shape = internShape(ComponentTypeId(0), 4);
            for (std::uint64_t i = 1; i <= 3; ++i) {
                recorder.finish(recorder.begin(envelopeOf(i, messageIdOf<Ping>()), 0, 0, shape, &ping, sizeof ping), 1,
                                false);
                recorder.seal();
            }
            reader->poll(segments);
        }
        QCOMPARE(segments.size(), std::size_t(3));
        QCOMPARE((*segments[2])[0].sequence(), std::uint64_t(3));
        QCOMPARE((*segments[2])[0].visits()[0].priority, 4);
    }
    void anotherThreadReadsEverythingInOrder() {
        constexpr std::uint64_t Count = 200000;
        Recorder recorder;
        recorder.setEnabled(true);
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        std::uint64_t seen = 0;
        bool ordered = true;
        std::thread consumer([&] {
            std::vector<std::shared_ptr<const RecordSegment>> segments;
            while (seen < Count) {
                segments.clear();
                reader->poll(segments);
                for (const auto& s : segments)
                    for (std::size_t i = 0; i < s->size(); ++i) {
                        ordered = ordered && (*s)[i].envelope().sequence == ++seen;
                        ordered = ordered && recorder.names().name((*s)[i].receiverName()).size() > 0;
                    }
                std::this_thread::yield();
            }
        });
        Ping ping;
        for (std::uint64_t i = 1; i <= Count; ++i) {
            recorder.begin(envelopeOf(i, messageIdOf<Ping>()), 0,
                           recorder.names().intern("e" + std::to_string(i % 9000)), NoHandlers, &ping,
                           sizeof ping);
            if (i % 50 == 0)
                recorder.seal();
        }
        recorder.seal();
        consumer.join();
        QVERIFY(ordered);
        QCOMPARE(reader->missed(), std::uint64_t(0));
    }
};

QTEST_GUILESS_MAIN(TestRecorder)
#include "tst_recorder.moc"
