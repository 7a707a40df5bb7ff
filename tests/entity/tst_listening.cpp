// Messages to listeners: what is sent to them, and what comes out of the queue.

#include <QtTest>

#include "tests/entity/stage.h"

#include <array>
#include <stdexcept>

using namespace sbx;
using namespace sbx::test;

namespace {

// A component that listens for as long as it lives.
struct Spy : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    Subscription hears;
    Spy(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Spy>& b) { b.handle<&Spy::onAwake>(); }
    bool onAwake(Awake&) {
        hears = world().listeners().listen<&Spy::overhear>(*this, entity());
        return false;
    }
    void overhear(const Hit& hit, const Envelope& e) {
        world().service<Notes>().write(*this, "Spy", ("Hit" + std::to_string(hit.amount) + " " + deliveryName(e.delivery)
                                                      + (e.delayed ? " queued" : ""))
                                                         .c_str());
    }
};

struct Outside {
    std::vector<int> heard;
    std::function<void()> then;
    void onHit(const Hit& hit) {
        heard.push_back(hit.amount);
        if (then)
            then();
    }
};

struct WithSpy : Stage {
    WithSpy() { registry.registerComponent<Spy>("Spy"); }
    Lines hits() {
        Lines out;
        for (std::string& line : notes.take())
            if (line.find(" Hit") != std::string::npos)
                out.push_back(std::move(line));
        return out;
    }
};

} // namespace

class TestListening : public QObject {
    Q_OBJECT
private slots:
    void sentToListenersAlone() {
        WithSpy s;
        s.spawn(s.type("Watcher", {"Spy"}), "watcher");
        const EntityId deaf = s.spawn(s.type("Deaf", {"A"}), "deaf");
        Outside outside;
        const Subscription held = s.world.listeners().listen<&Outside::onHit>(outside);
        s.notes.take();
        QCOMPARE(s.world.sendToListeners(Hit{3}).receivers, 2U);
        QCOMPARE(s.hits(), (Lines{"watcher.Spy Hit3 listener"}));
        QCOMPARE(outside.heard, std::vector<int>{3});
        // What goes to one entity at once is nobody else's.
        s.world.send(deaf, Hit{4});
        QCOMPARE(s.hits(), (Lines{"deaf.A Hit4"}));
    }
    // The addressee first, then the listeners in order of registration, who hear it as it was sent.
    void queuedMessagesAreOverheard() {
        WithSpy s;
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        s.spawn(s.type("Watcher", {"Spy"}), "w1");
        s.spawn(s.type("Watcher", {"Spy"}), "w2");
        s.world.sendInTicks(a, Hit{9}, 1);
        s.world.tick();
        QCOMPARE(s.hits(), (Lines{"a.A Hit9", "w1.Spy Hit9 listener queued", "w2.Spy Hit9 listener queued"}));
        // Also when the addressee is gone.
        s.world.sendInTicks(a, Hit{8}, 1);
        s.world.destroy(a);
        s.world.tick();
        QCOMPARE(s.hits(), (Lines{"w1.Spy Hit8 listener queued", "w2.Spy Hit8 listener queued"}));
        QCOMPARE(s.world.measurements().undelivered, std::uint64_t(1));
    }
    void aListenerGoesWithItsEntityAndSleepsWithIt() {
        WithSpy s;
        const EntityId w = s.spawn(s.type("Watcher", {"Spy"}), "w");
        QCOMPARE(s.world.sendToListeners(Hit{1}).receivers, 1U);
        s.world.setEnabled(w, false);
        QCOMPARE(s.world.sendToListeners(Hit{1}).receivers, 0U);
        s.world.setEnabled(w, true);
        QCOMPARE(s.world.sendToListeners(Hit{1}).receivers, 1U);
        s.world.destroy(w);
        QCOMPARE(s.world.sendToListeners(Hit{1}).receivers, 0U);
        QVERIFY(!s.world.listeners().any(messageIdOf<Hit>()));
    }
    void aListenerUnregistersItsNeighbour() {
        WithSpy s;
        Outside first;
        Outside second;
        const Subscription a = s.world.listeners().listen<&Outside::onHit>(first);
        Subscription b = s.world.listeners().listen<&Outside::onHit>(second);
        first.then = [&] { b.end(); };
        QCOMPARE(s.world.sendToListeners(Hit{1}).receivers, 1U);
        QVERIFY(second.heard.empty());
    }
    void aListenerThatDestroysOthers() {
        WithSpy s;
        const EntityId w1 = s.spawn(s.type("Watcher", {"Spy"}), "w1");
        const EntityId w2 = s.spawn(s.type("Watcher", {"Spy"}), "w2");
        s.notes.take();
        s.notes.act = [&](Component& c, const std::string&) {
            c.world().destroy(w2);
            c.world().destroy(w1);
        };
        // Whoever is destroyed hears messages to the end of the tick, as everywhere.
        QCOMPARE(s.world.sendToListeners(Hit{1}).receivers, 2U);
        QCOMPARE(s.world.entityCount(), std::size_t(0));
        QCOMPARE(s.world.sendToListeners(Hit{1}).receivers, 0U);
    }
    // Those who listen once the addressee's handlers begin hear it; who comes meanwhile hears the next one, and who goes none.
    void theAddresseesHandlerChangesWhoListens() {
        WithSpy s;
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        Outside first;
        Outside second;
        Outside late;
        const Subscription held = s.world.listeners().listen<&Outside::onHit>(first);
        Subscription going = s.world.listeners().listen<&Outside::onHit>(second);
        Subscription coming;
        s.notes.act = [&](Component&, const std::string& line) {
            if (line != "a.A Hit1")
                return;
            going.end();
            coming = s.world.listeners().listen<&Outside::onHit>(late);
        };
        s.world.sendInTicks(a, Hit{1}, 1);
        s.world.sendInTicks(a, Hit{2}, 1);
        s.world.tick();
        QCOMPARE(first.heard, (std::vector<int>{1, 2}));
        QCOMPARE(second.heard, std::vector<int>());
        QCOMPARE(late.heard, std::vector<int>{2});
    }
    // Whatever a listener throws ends with it: the others hear the message, and the world goes on.
    void whatAListenerThrowsIsReported() {
        for (const bool recorded : {false, true}) {
            WithSpy s;
            s.recorder.setEnabled(recorded);
            const EntityId a = s.spawn(s.type("T", {"A"}), "a");
            Outside first;
            Outside second;
            const auto spy = s.registry.find("Spy")->id;
            const Subscription held = s.world.listeners().listen<&Outside::onHit>(first, a, spy);
            const Subscription after = s.world.listeners().listen<&Outside::onHit>(second);
            first.then = [] { throw std::runtime_error("out of paint"); };
            QCOMPARE(s.world.sendToListeners(Hit{1}).receivers, 2U);
            for (int i = 0; i < 300; ++i)
                s.world.sendToListeners(Hit{1});
            s.world.sendInTicks(a, Hit{2}, 1);
            s.world.tick();
            QCOMPARE(second.heard.size(), std::size_t(302));
            first.then = [] { throw 7; };
            s.world.sendInTicks(a, Hit{3}, 1);
            s.world.tick();
            QCOMPARE(second.heard.back(), 3);
            QCOMPARE(s.world.measurements().undelivered, std::uint64_t(0));
            s.world.destroy(a);
            QVERIFY(!s.world.alive(a));
            const Lines said = s.said();
            QCOMPARE(said.front(), std::string("a: a listener threw while it handled test.Hit: out of paint"));
            QCOMPARE(said.back(), std::string("a: a listener threw while it handled test.Hit: no std::exception"));
        }
    }
    // As many as there are: what is cut is cut for each of them.
    void allThatAreCutAreCounted() {
        WithSpy s;
        std::array<Outside, 3> outside;
        std::vector<Subscription> held;
        for (Outside& each : outside)
            held.push_back(s.world.listeners().listen<&Outside::onHit>(each));
        outside[0].then = [&] { s.world.sendToListeners(Hit{1}); };
        QCOMPARE(s.world.sendToListeners(Hit{1}).receivers, 3U);
        for (const Outside& each : outside)
            QCOMPARE(each.heard.size(), std::size_t(128));
        QCOMPARE(s.world.measurements().undelivered, std::uint64_t(3));
    }
    // A listener that sends to listeners is cut like a handler that answers itself.
    void withoutEndIsCut() {
        WithSpy s;
        Outside outside;
        const Subscription held = s.world.listeners().listen<&Outside::onHit>(outside);
        outside.then = [&] { s.world.sendToListeners(Hit{1}); };
        s.world.sendToListeners(Hit{1});
        QCOMPARE(outside.heard.size(), std::size_t(128));
        QVERIFY(s.world.measurements().undelivered > 0);
    }
    void theTraceSaysIt() {
        WithSpy s;
        auto reader = s.recorder.addReader();
        s.recorder.setEnabled(true);
        s.world.sendToListeners(Hit{1}); // nobody yet
        s.spawn(s.type("Watcher", {"Spy"}), "w");
        Outside outside;
        const Subscription held =
            s.world.listeners().listen<&Outside::onHit>(outside, {}, s.registry.find("Spy")->id);
        s.world.sendToListeners(Hit{2}, s.world.find("w").id());
        s.world.sendToListeners(Hit{3}, {}, 5);
        s.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        std::vector<RecordView> hits;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i)
                if ((*segment)[i].type() == messageIdOf<Hit>())
                    hits.push_back((*segment)[i]);
        QCOMPARE(hits.size(), std::size_t(6));
        QCOMPARE(hits[0].note(), RecordNote::NoListener);
        QCOMPARE(hits[1].delivery(), Delivery::Listener);
        QCOMPARE(s.recorder.names().name(hits[1].receiverName()), std::string("w"));
        QCOMPARE(s.recorder.names().name(hits[1].senderName()), std::string("w"));
        QCOMPARE(hits[2].visits().size(), std::size_t(1));
        QCOMPARE(s.recorder.names().name(hits[2].visits()[0].component), std::string("Spy"));
        QCOMPARE(hits[2].visits()[0].result, HandlerResult::Passed);
        QCOMPARE(hits[5].note(), RecordNote::Short);
        QCOMPARE(hits[5].receivers(), 2U);
        QCOMPARE(hits[5].minimum(), 5U);
    }
};

QTEST_GUILESS_MAIN(TestListening)
#include "tst_listening.moc"
