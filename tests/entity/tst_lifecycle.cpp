#include <QtTest>

#include "tests/entity/stage.h"

#include <algorithm>

using namespace sbx;
using namespace sbx::test;

class TestLifecycle : public QObject {
    Q_OBJECT
private slots:
    void fromAwakeToTheEnd() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        COMPARE_LINES(s.notes.take(), {"a.A Awake", "a.A OnEnable"});
        s.world.tick();
        COMPARE_LINES(s.notes.take(),
                      {"a.A Start", "a.A PreUpdate", "a.A FixedUpdate", "a.A Update", "a.A PostUpdate"});
        s.world.tick();
        COMPARE_LINES(s.notes.take(), {"a.A PreUpdate", "a.A FixedUpdate", "a.A Update", "a.A PostUpdate"});
        s.world.destroy(a);
        COMPARE_LINES(s.notes.take(), {"a.A OnDisable", "a.A OnDestroy"});
        QCOMPARE(s.notes.alive, 0);
    }
    // Both updates once a tick, what steps the physics between them, and the same dt everywhere.
    void theOrderOfATick() {
        Stage s;
        struct Steps : System {
            Notes& notes;
            float dt = 0.0F;
            explicit Steps(Notes& n) : notes(n) {}
            void step(World&, float stepDt) override {
                notes.lines.emplace_back("step");
                dt = stepDt;
            }
        };
        Steps steps(s.notes);
        s.world.addSystem(steps);
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        s.world.sendInTicks(a, Hit{1}, 2);
        s.world.tick();
        s.notes.take();
        s.recorder.setRecorded(messageIdOf<FixedUpdate>(), true);
        s.recorder.setRecorded(messageIdOf<Update>(), true);
        s.recorder.setEnabled(true);
        const auto reader = s.recorder.addReader();
        s.world.tick();
        COMPARE_LINES(s.notes.take(), {"a.A Hit1", "a.A PreUpdate", "a.A FixedUpdate", "step", "a.A Update",
                                       "a.A PostUpdate"});
        QCOMPARE(steps.dt, 1.0F / 60.0F);
        s.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        int updates = 0;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const RecordView record = (*segment)[i];
                if (record.type() == messageIdOf<FixedUpdate>() || record.type() == messageIdOf<Update>()) {
                    QCOMPARE(*static_cast<const float*>(record.payload()), 1.0F / 60.0F);
                    ++updates;
                }
            }
        QCOMPARE(updates, 2);
    }
    void everyAwakeComesBeforeAnyStart() {
        Stage s;
        const auto t = s.type("T", {"A", "B"});
        std::vector<SpawnRequest> requests(2);
        requests[0].type = requests[1].type = t;
        requests[0].name = "a";
        requests[1].name = "b";
        bool all = true;
        s.notes.act = [&](Component& c, const std::string&) {
            all = all && c.world().find("a") && c.world().find("b")
                  && c.world().getComponent<B>(c.entity()) != nullptr;
        };
        s.world.spawnAll(requests);
        s.world.tick();
        QVERIFY(all);
        const Lines lines = s.notes.take();
        COMPARE_LINES(Lines(lines.begin(), lines.begin() + 12),
                      {"a.A Awake", "a.B Awake", "a.A OnEnable", "a.B OnEnable", "b.A Awake", "b.B Awake",
                       "b.A OnEnable", "b.B OnEnable", "a.A Start", "a.B Start", "b.A Start", "b.B Start"});
    }
    // Also for those added within Awake, in the same frame.
    void addedWithinAwakeAwakesAtOnce() {
        Stage s;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A Awake")
                QVERIFY(c.world().addComponent(c.entity(), *s.registry.find("B"), nullptr).ok());
            if (line == "a.B Awake")
                QVERIFY(c.world().addComponent(c.entity(), *s.registry.find("C"), nullptr).ok());
        };
        s.spawn(s.type("T", {"A"}), "a");
        COMPARE_LINES(s.notes.take(), {"a.A Awake", "a.B Awake", "a.C Awake", "a.A OnEnable", "a.B OnEnable",
                                       "a.C OnEnable"});
        s.world.tick();
        const Lines lines = s.notes.take();
        COMPARE_LINES(
            Lines(lines.begin(), lines.begin() + 6),
            {"a.A Start", "a.B Start", "a.C Start", "a.A PreUpdate", "a.B PreUpdate", "a.C PreUpdate"});
    }
    void addedWhileRunningStartsBeforeItsFirstUpdate() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        s.world.tick();
        s.notes.take();
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A FixedUpdate" && !c.world().getComponent<B>(c.entity()))
                QVERIFY(c.world().addComponent(c.entity(), *s.registry.find("B"), nullptr).ok());
        };
        s.world.tick();
        COMPARE_LINES(s.notes.take(), {"a.A PreUpdate", "a.A FixedUpdate", "a.B Awake", "a.B OnEnable",
                                       "a.A Update", "a.A PostUpdate"});
        s.world.tick();
        const Lines lines = s.notes.take();
        COMPARE_LINES(Lines(lines.begin(), lines.begin() + 3),
                      {"a.B Start", "a.A PreUpdate", "a.B PreUpdate"});
        QVERIFY(s.world.find(a).started());
    }
    void whatIsMadeInATickJoinsTheNext() {
        Stage s;
        const auto t = s.type("T", {"A"});
        s.spawn(t, "a");
        s.notes.act = [&](Component&, const std::string& line) {
            if (line == "a.A PreUpdate" && !s.world.find("b"))
                s.spawn(t, "b");
        };
        s.world.tick();
        COMPARE_LINES(s.notes.take(), {"a.A Awake", "a.A OnEnable", "a.A Start", "a.A PreUpdate", "b.A Awake",
                                       "b.A OnEnable", "a.A FixedUpdate", "a.A Update", "a.A PostUpdate"});
        s.world.tick();
        COMPARE_LINES(s.notes.take(),
                      {"b.A Start", "a.A PreUpdate", "b.A PreUpdate", "a.A FixedUpdate", "b.A FixedUpdate",
                       "a.A Update", "b.A Update", "a.A PostUpdate", "b.A PostUpdate"});
    }
    void disabledTakesPartInNothing() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        s.world.tick();
        s.notes.take();
        s.world.setEnabled(a, false);
        s.world.setEnabled(a, false);
        COMPARE_LINES(s.notes.take(), {"a.A OnDisable"});
        s.world.tick();
        QCOMPARE(s.world.send(a, Hit{1}).receivers, 0U);
        QCOMPARE(s.world.broadcast(Hit{1}).receivers, 0U);
        QCOMPARE(s.world.sendToComponent<A>(a, Hit{1}).receivers, 0U);
        COMPARE_LINES(s.notes.take(), {});
        s.world.setEnabled(a, true);
        COMPARE_LINES(s.notes.take(), {"a.A OnEnable"});
        QCOMPARE(s.world.send(a, Hit{1}).receivers, 1U);
        s.world.tick();
        COMPARE_LINES(s.notes.take(), {"a.A Hit1", "a.A PreUpdate", "a.A FixedUpdate", "a.A Update",
                                       "a.A PostUpdate"}); // no second Start
        s.world.setEnabled(a, false);
        s.notes.take();
        s.world.destroy(a);
        COMPARE_LINES(s.notes.take(), {"a.A OnDestroy"});
    }
    // Whom another's Awake destroys is told of its end, and no beginning after it.
    void destroyedBeforeItAwakes() {
        Stage s;
        const auto t = s.type("T", {"A"});
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A Awake")
                c.world().destroy(c.world().find("b").id());
        };
        std::vector<SpawnRequest> requests(2);
        requests[0].type = requests[1].type = t;
        requests[0].name = "a";
        requests[1].name = "b";
        const std::vector<EntityId> both = s.world.spawnAll(requests);
        const auto lines = s.notes.take();
        const auto told = [&](const std::string& line) {
            return std::count(lines.begin(), lines.end(), line);
        };
        QCOMPARE(told("a.A Awake"), 1);
        // Whoever was never told that it is there is not told that it goes.
        QCOMPARE(told("b.A OnDestroy"), 0);
        QCOMPARE(told("b.A Awake"), 0);
        QVERIFY(s.world.alive(both[0]) && !s.world.alive(both[1]));
    }
    // Whoever makes it from outside sees it gone: nothing waits for the next message or tick.
    void destroyedInAwakeIsGoneWhenSpawnReturns() {
        Stage s;
        const auto t = s.type("T", {"A"});
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line.ends_with("A Awake"))
                c.world().destroy(c.entity());
        };
        QVERIFY(!s.world.alive(s.spawn(t, "t")));
        COMPARE_LINES(s.notes.take(), {"t.A Awake", "t.A OnDestroy"});
        QVERIFY(!s.world.find("t"));
        std::vector<SpawnRequest> requests(2);
        requests[0].type = requests[1].type = t;
        const std::vector<EntityId> several = s.world.spawnAll(requests);
        QVERIFY(!s.world.alive(several[0]) && !s.world.alive(several[1]));
        QVERIFY(!s.world.alive(s.world.create(t)));
        std::vector<EntityId> many(70);
        s.world.createMany(t, many);
        QVERIFY(std::none_of(many.begin(), many.end(), [&](EntityId id) { return s.world.alive(id); }));
        QCOMPARE(s.world.entityCount(), std::size_t(0));
        QCOMPARE(s.notes.alive, 0);
        // Within a handler it stays until that has returned.
        bool lived = false;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "t.A Awake")
                c.world().destroy(c.entity());
            if (line == "u.A Hit1")
                lived = c.world().alive(s.spawn(t, "t"));
        };
        s.world.send(s.spawn(t, "u"), Hit{1});
        QVERIFY(lived);
        QCOMPARE(s.world.entityCount(), std::size_t(1));
    }
    // Switching on and off tells them too.
    void destroyedWhenSwitchedIsGoneAtOnce() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "a");
        const EntityId b = s.spawn(t, "b", a);
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "b.A OnDisable")
                c.world().destroy(c.entity());
        };
        s.world.setEnabled(a, false);
        QVERIFY(s.world.alive(a));
        QVERIFY(!s.world.alive(b));
        QCOMPARE(s.world.entityCount(), std::size_t(1));
    }
    void startWaitsUntilItIsEnabled() {
        Stage s;
        SpawnRequest request;
        request.type = s.type("T", {"A"});
        request.name = "a";
        request.enabled = false;
        const EntityId a = s.world.spawn(request);
        s.world.tick();
        COMPARE_LINES(s.notes.take(), {"a.A Awake"});
        s.world.setEnabled(a, true);
        s.world.setEnabled(a, false);
        s.world.tick();
        COMPARE_LINES(s.notes.take(), {"a.A OnEnable", "a.A OnDisable"});
        s.world.setEnabled(a, true);
        s.world.tick();
        COMPARE_LINES(s.notes.take(), {"a.A OnEnable", "a.A Start", "a.A PreUpdate", "a.A FixedUpdate",
                                       "a.A Update", "a.A PostUpdate"});
    }
    void enablingGoesThroughTheHierarchy() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "a");
        const EntityId b = s.spawn(t, "b", a);
        const EntityId c = s.spawn(t, "c", b);
        const EntityId d = s.spawn(t, "d");
        s.notes.take();
        s.world.setEnabled(c, false);
        COMPARE_LINES(s.notes.take(), {"c.A OnDisable"});
        s.world.setEnabled(a, false);
        COMPARE_LINES(s.notes.take(), {"a.A OnDisable", "b.A OnDisable"});
        QVERIFY(!s.world.find(b).enabled() && s.world.find(b).enabledSelf());
        QCOMPARE(s.world.sendToChildren(a, Hit{1}).receivers, 0U);
        s.world.setEnabled(c, true); // below a disabled one: nothing yet
        COMPARE_LINES(s.notes.take(), {});
        QVERIFY(s.world.setParent(d, b)); // comes under a disabled one
        COMPARE_LINES(s.notes.take(), {"d.A OnDisable"});
        QVERIFY(s.world.setParent(c, {})); // leaves it
        COMPARE_LINES(s.notes.take(), {"c.A OnEnable"});
        s.world.setEnabled(a, true);
        COMPARE_LINES(s.notes.take(), {"a.A OnEnable", "b.A OnEnable", "d.A OnEnable"});
        const EntityId e = s.spawn(t, "e", d);
        s.world.setEnabled(d, false);
        QVERIFY(!s.world.find(e).enabled());
        s.notes.take();
        const EntityId f = s.spawn(t, "f", e);
        COMPARE_LINES(s.notes.take(), {"f.A Awake"});
        QVERIFY(!s.world.find(f).enabled());
    }
    void componentsAreSwitchedAlone() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A", "B"}), "a");
        s.world.tick();
        s.notes.take();
        A* const component = s.world.getComponent<A>(a);
        s.world.setEnabled(*component, false);
        COMPARE_LINES(s.notes.take(), {"a.A OnDisable"});
        QCOMPARE(s.world.getComponent<A>(a), component); // still there
        s.world.tick();
        QCOMPARE(s.world.send(a, Hit{1}).receivers, 1U);
        COMPARE_LINES(s.notes.take(),
                      {"a.B PreUpdate", "a.B FixedUpdate", "a.B Update", "a.B PostUpdate", "a.B Hit1"});
        // Disabled entity, then enabled: the component stays off.
        s.world.setEnabled(a, false);
        s.world.setEnabled(a, true);
        COMPARE_LINES(s.notes.take(), {"a.B OnDisable", "a.B OnEnable"});
        QVERIFY(s.world.setEnabled(a, "A", true).ok());
        COMPARE_LINES(s.notes.take(), {"a.A OnEnable"});
        QVERIFY(!s.world.setEnabled(a, "Z", true).ok());
        s.world.tick();
        COMPARE_LINES(s.notes.take(), {"a.A PreUpdate", "a.B PreUpdate", "a.A FixedUpdate", "a.B FixedUpdate",
                                       "a.A Update", "a.B Update", "a.A PostUpdate", "a.B PostUpdate"});
    }
    void removedComponentsSayGoodbye() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A", "B"}), "a");
        s.notes.take();
        QVERIFY(s.world.removeComponent(a, "A").ok());
        COMPARE_LINES(s.notes.take(), {"a.A OnDisable", "a.A OnDestroy"});
        QCOMPARE(s.notes.alive, 1);
        QVERIFY(s.world.getComponent<A>(a) == nullptr);
        QVERIFY(!s.world.removeComponent(a, "A").ok());
        // Within its own handler: it lives until the handler is done.
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.B Hit1") {
                QVERIFY(c.world().removeComponent(c.entity(), "B").ok());
                QCOMPARE(s.notes.alive, 1);
            }
        };
        s.world.send(a, Hit{1});
        QCOMPARE(s.notes.alive, 0);
        QVERIFY(s.world.addComponent(a, *s.registry.find("A"), nullptr).ok());
        s.world.destroy(a);
        QCOMPARE(s.notes.alive, 0);
    }
    void destroyingAParentDestroysChildrenAfterTheTick() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "a");
        const EntityId b = s.spawn(t, "b", a);
        s.notes.take();
        s.world.tick();
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A PreUpdate")
                c.world().destroy(a);
        };
        s.notes.take();
        s.world.tick();
        COMPARE_LINES(s.notes.take(),
                      {"a.A PreUpdate", "b.A OnDisable", "b.A OnDestroy", "a.A OnDisable", "a.A OnDestroy"});
        QVERIFY(!s.world.alive(a) && !s.world.alive(b));
        QVERIFY(!s.world.find(b));
        QCOMPARE(s.world.nameOf(b), std::string());
    }
    // No handler, no cost: nothing is listed, nothing sent.
    void quietTypesAreLeftAlone() {
        Stage s;
        const auto t = s.type("Q", {"Quiet"});
        const EntityId id = s.world.create(t);
        QVERIFY(s.world.find(id).started());
        QCOMPARE(s.world.nameOf(id), std::string("q#0"));
        QCOMPARE(s.world.find("q#0").id(), id);
        QVERIFY(!s.world.find("q#1") && !s.world.find("r#0") && !s.world.find("q#"));
        QCOMPARE(s.world.find(id).pose(), Pose());
        std::vector<EntityId> many(1000);
        s.world.createMany(t, many);
        QCOMPARE(s.world.entityCount(), std::size_t(1001));
        QCOMPARE(s.world.sendToType(*t, Hit{1}).receivers, 1001U);
        for (std::size_t i = 0; i < many.size(); i += 3)
            s.world.destroy(many[i]);
        s.world.createMany(t, std::span(many).first(500)); // into the gaps first
        QCOMPARE(s.world.entityCount(), std::size_t(1001 - 334 + 500));
        QCOMPARE(s.world.broadcast(Hit{1}).receivers, 1167U);
    }
    // Many at once, some into gaps: each is there before the first hears that it is awake.
    void manyAreThereBeforeTheFirstAwakes() {
        Stage s;
        const auto t = s.type("T", {"A"});
        std::vector<EntityId> many(10);
        s.world.createMany(t, many);
        for (std::size_t i = 0; i < many.size(); i += 2)
            s.world.destroy(many[i]);
        many.assign(20, {});
        std::size_t woken = 0;
        bool all = true;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (!line.ends_with("A Awake"))
                return;
            ++woken;
            all = all && s.world.entityCount() == 25 && c.entity() == many[woken - 1];
        };
        s.world.createMany(t, many);
        QCOMPARE(woken, std::size_t(20));
        QVERIFY(all);
    }
    // Within a handler they go after the tick, as one does.
    void destroyingManyInAHandlerWaits() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        std::vector<EntityId> many(40);
        s.world.createMany(s.type("Q", {"Quiet"}), many);
        bool there = false;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A Hit1") {
                c.world().destroyMany(many);
                there = s.world.getComponent<Quiet>(many[0]) != nullptr;
            }
        };
        s.world.send(a, Hit{1});
        QVERIFY(there);
        QCOMPARE(s.world.entityCount(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(TestLifecycle)
#include "tst_lifecycle.moc"
