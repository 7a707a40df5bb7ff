// Which line of code sent a message, in a build with SBX_SEND_SITES: by every way of sending, now and later. The engine is of a build
// without.

#include <QtTest>

#include "engine/entity/event_hub.h"
#include "engine/message/record_filter.h"
#include "engine/message/trace_json.h"
#include "tests/entity/stage.h"

using namespace sbx;
using namespace sbx::test;

namespace {

struct Sited : Stage {
    std::shared_ptr<RecordReader> reader = recorder.addReader();
    EntityId one;
    EntityId two;
    std::shared_ptr<const EntityType> kind = type("T", {"A"});

    Sited() {
        recorder.setEnabled(true);
        one = spawn(kind, "one");
        two = spawn(kind, "two", one);
        static_cast<void>(sites());
    }
    std::vector<std::shared_ptr<const RecordSegment>> segments() {
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> out;
        reader->poll(out);
        return out;
    }
    // "test.Hit two 42": type, receiver and line of all that was recorded since; the line is 0 where none is known.
    Lines sites() {
        Lines out;
        for (const auto& segment : segments())
            segment->forEach([&](const RecordView& record) {
                const std::string& site = recorder.names().name(record.site());
                const bool here = site.starts_with(std::string(__FILE__) + ':');
                out.push_back(messageType(record.type()).name + ' ' + recorder.names().name(record.receiverName()) + ' '
                              + (here ? site.substr(site.rfind(':') + 1) : site.empty() ? "0" : site));
            });
        return out;
    }
    static std::string at(const char* words, int line) { return words + std::to_string(line); }
};

} // namespace

class TestSendSites : public QObject {
    Q_OBJECT
private slots:
    void everyWayAtOnce() {
        Sited s;
        const int line = __LINE__;
        s.world.send(s.one, Hit{1});
        Hit hit{2};
        s.world.send(s.one, hit, s.two, 1);
        s.world.sendToEntity(s.two, hit);
        s.world.sendToComponent<A>(s.two, hit);
        s.world.sendToChildren(s.one, hit);
        s.world.sendToAncestors(s.two, hit);
        s.world.sendToType(*s.kind, hit);
        s.world.broadcast(hit);
        COMPARE_LINES(s.sites(), {Sited::at("test.Hit one ", line + 1), Sited::at("test.Hit one ", line + 3),
                                  Sited::at("test.Hit two ", line + 4), Sited::at("test.Hit two ", line + 5),
                                  Sited::at("test.Hit one ", line + 6), Sited::at("test.Hit two ", line + 6),
                                  Sited::at("test.Hit two ", line + 7), Sited::at("test.Hit one ", line + 7),
                                  Sited::at("test.Hit one ", line + 8), Sited::at("test.Hit two ", line + 8),
                                  Sited::at("test.Hit one ", line + 9), Sited::at("test.Hit two ", line + 9)});
    }
    // What waits in the queue knows it, also in a block of the pool that another message had, and after one that was cancelled.
    void later() {
        Sited s;
        const int line = __LINE__;
        s.world.sendLater(s.one, Hit{1}, 0.02);
        const DelayedHandle cancelled = s.world.sendInTicks(s.one, Hit{2}, 3);
        QVERIFY(s.world.cancel(cancelled));
        s.world.sendInTicks(s.two, Hit{3}, 3, {}, 0, 0, SendSite());
        const std::vector<DelayedMessage> waiting = s.world.queue().list();
        QCOMPARE(waiting.size(), std::size_t(2));
        QVERIFY(s.recorder.names().name(waiting[0].envelope.site).ends_with(':' + std::to_string(line + 1)));
        QCOMPARE(waiting[1].envelope.site, NameId(0));
        for (int tick = 0; tick < 4; ++tick)
            s.world.tick();
        const int again = __LINE__ + 1;
        s.world.sendInTicks(s.two, Hit{4}, 1);
        s.world.tick();
        Lines hits;
        for (const std::string& each : s.sites())
            if (each.starts_with("test.Hit"))
                hits.push_back(each);
        COMPARE_LINES(hits, {Sited::at("test.Hit one ", line + 1), "test.Hit two 0", Sited::at("test.Hit two ", again)});
    }
    // What a handler sends has its own line, and what the engine sends for it has none.
    void handlersAndTheEngine() {
        Sited s;
        s.recorder.setRecorded(messageIdOf<OnDestroy>(), true);
        int inside = 0;
        s.notes.act = [&](Component& c, const std::string& said) {
            if (said != "one.A Hit1")
                return;
            inside = __LINE__ + 1;
            c.world().send(s.two, Hit{5}, c.entity());
            c.world().destroy(s.two);
        };
        const int line = __LINE__;
        s.world.send(s.one, Hit{1});
        COMPARE_LINES(s.sites(), {Sited::at("test.Hit one ", line + 1), Sited::at("test.Hit two ", inside), "OnDestroy two 0"});
    }
    void listenersAndEvents() {
        Sited s;
        EventHub events(s.world);
        const Result<MessageTypeId> declared = events.declare("Bang", {{"size", FieldType::Float, "How loud."}});
        QVERIFY2(declared.ok(), declared.ok() ? "" : declared.error().message.c_str());
        struct {
            void onHit(const Hit&) {}
            void onBang(const Event&) {}
        } ears;
        const Subscription hits = s.world.listeners().listen<&decltype(ears)::onHit>(ears, s.one);
        const Result<Subscription> bangs = events.listen<&decltype(ears)::onBang>("Bang", ears, s.two);
        QVERIFY(bangs.ok());
        const int line = __LINE__;
        s.world.sendToListeners(Hit{1});
        QVERIFY(events.raise("Bang").ok());
        QVERIFY(events.raiseLater(1, 0, "Bang").ok());
        s.world.tick();
        Lines all = s.sites();
        std::erase_if(all, [](const std::string& each) { return !each.starts_with("test.") && !each.starts_with("Bang"); });
        COMPARE_LINES(all, {Sited::at("test.Hit one ", line + 1), Sited::at("Bang two ", line + 2),
                            Sited::at("Bang two ", line + 3)});
        // Without a listener, and with fewer receivers than demanded: both notes in the trace have the line.
        s.world.sendToListeners(Shout{}, s.one, 1);
        const std::string noted = Sited::at("test.Shout  ", __LINE__ - 1);
        COMPARE_LINES(s.sites(), {noted, noted});
    }
    // The trace's file has it, its reader gives it back, a filter finds it.
    void inTraceAndFilter() {
        Sited s;
        s.world.send(s.one, Hit{1});
        s.world.send(s.one, Hit{2}, {}, 0, SendSite());
        const auto segments = s.segments();
        QCOMPARE(segments.size(), std::size_t(1));
        const std::string with = traceLine((*segments[0])[0], s.recorder, false);
        const std::string without = traceLine((*segments[0])[1], s.recorder, false);
        QVERIFY2(with.find("\"site\":\"" __FILE__ ":") != std::string::npos, with.c_str());
        QVERIFY2(without.find("\"site\"") == std::string::npos, without.c_str());
        RecordFilterSchema schema(s.recorder.names(), [](std::uint8_t) { return std::string_view("local"); }, 60.0);
        const Result<Filter> filter = Filter::compile("site ~ \"tst_send_sites.cpp\"", schema.schema());
        QVERIFY2(filter.ok(), filter.ok() ? "" : filter.error().message.c_str());
        RecordFilterRow row(schema);
        row.set((*segments[0])[0]);
        QVERIFY(filter->matches(row));
        row.set((*segments[0])[1]);
        QVERIFY(!filter->matches(row));
    }
    // The path that nearly all messages take elsewhere and the one of sited messages do the same.
    void theWorldIsTheSame() {
        const auto play = [](bool sited) {
            Sited s;
            const std::vector<EntityId> ring = ringOfTen(s);
            int left = 40;
            s.notes.act = [&, ring](Component& c, const std::string& line) {
                const auto at = std::find(ring.begin(), ring.end(), c.entity()) - ring.begin();
                if (line.find("Hit") != std::string::npos && at < 10 && --left > 0)
                    c.world().send(ring[static_cast<std::size_t>(at + 1) % 10], Hit{left}, c.entity(), 0, sited ? SendSite::here() : SendSite());
            };
            s.world.send(ring[0], Hit{1}, {}, 0, sited ? SendSite::here() : SendSite());
            Lines out;
            for (const auto& segment : s.segments())
                segment->forEach([&](const RecordView& record) {
                    std::string line = traceLine(record, s.recorder, false);
                    if (const std::size_t site = line.find("\"site\":"); site != std::string::npos)
                        line.erase(site, line.find(',', site) + 1 - site);
                    out.push_back(line);
                });
            return out;
        };
        const Lines shortWay = play(false);
        QVERIFY(shortWay.size() >= 40);
        const Lines longWay = play(true);
        QVERIFY2(longWay == shortWay, textOf(longWay).c_str());
    }
};

QTEST_GUILESS_MAIN(TestSendSites)
#include "tst_send_sites.moc"
