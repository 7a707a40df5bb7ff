#include <QtTest>

#include "engine/message/recorder.h"
#include "engine/message/trace_json.h"

#include <thread>

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
struct Quiet {
    static constexpr const char* Name = "test.Quiet";
    static constexpr bool Recorded = false;
    static void describe(FieldList<Quiet>&) {}
};

// One literal: moc does not read adjacent raw strings.
constexpr const char* ExpectedLine =
    R"({"sequence":812,"tick":120,"cause":790,"world":"server","type":"test.Ping","sender":"phantom_1","receiver":"crate_3","delivery":"immediate","fields":{"amount":5.0,"target":"crate_7"},"handlers":[{"component":"Shield","priority":10,"result":"consumed","ns":310}],"notReached":["Health"]})";

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
        const HandlerEntry handlers[] = {{nullptr, 0, 10, 3}, {nullptr, 0, 20, 4}};
        auto reader = recorder.addReader();
        const Ping ping{5.0F, EntityId(7, 1)};
        const auto ticket = recorder.begin(e, recorder.names().intern("phantom_1"),
                                           recorder.names().intern("crate_3"), handlers, &ping, sizeof ping);
        recorder.visit(ticket, 0, HandlerResult::Consumed, 310);
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        QCOMPARE(reader->poll(segments), std::size_t(1));
        const std::string line =
            traceLine((*segments[0])[0], recorder, true, [](EntityId) { return "crate_7"; });
        QCOMPARE(line, std::string(ExpectedLine));
    }
    void nestedRecordsKeepTheirPlaces() {
        Recorder recorder;
        recorder.setEnabled(true);
        recorder.addWorld("local");
        auto reader = recorder.addReader();
        const HandlerEntry handler[] = {{nullptr, 0, 0, 0}};
        const Ping ping;
        // 300 nested records: the segment's storage grows while outer records are open.
        std::vector<Recorder::Ticket> tickets;
        for (std::uint64_t i = 1; i <= 300; ++i)
            tickets.push_back(
                recorder.begin(envelopeOf(i, messageIdOf<Ping>()), 0, 0, handler, &ping, sizeof ping));
        for (auto it = tickets.rbegin(); it != tickets.rend(); ++it)
            recorder.visit(*it, 0, HandlerResult::Passed, 0);
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        QCOMPARE(segments[0]->size(), std::size_t(300));
        for (std::size_t i = 0; i < 300; ++i) {
            QCOMPARE((*segments[0])[i].envelope().sequence, i + 1);
            QCOMPARE((*segments[0])[i].visits()[0].result, HandlerResult::Passed);
        }
    }
    void aSlowReaderMissesButIsTold() {
        Recorder recorder;
        recorder.setEnabled(true);
        recorder.addWorld("local");
        auto reader = recorder.addReader(4096);
        const Ping ping;
        for (std::uint64_t i = 1; i <= 100; ++i) {
            recorder.begin(envelopeOf(i, messageIdOf<Ping>()), 0, 0, {}, &ping, sizeof ping);
            recorder.seal();
        }
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        const std::size_t got = reader->poll(segments);
        QVERIFY(got > 0);
        QCOMPARE(got + reader->missed(), std::size_t(100));
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
                        ordered = ordered && recorder.names().name((*s)[i].header().receiver).size() > 0;
                    }
                std::this_thread::yield();
            }
        });
        Ping ping;
        for (std::uint64_t i = 1; i <= Count; ++i) {
            recorder.begin(envelopeOf(i, messageIdOf<Ping>()), 0,
                           recorder.names().intern("e" + std::to_string(i % 9000)), {}, &ping, sizeof ping);
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
