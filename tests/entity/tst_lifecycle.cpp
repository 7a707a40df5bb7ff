#include <QtTest>

#include "tests/entity/stage.h"

#include <algorithm>
#include <random>

using namespace sbx;
using namespace sbx::test;

namespace {
std::string text(const Lines& lines) {
    std::string out;
    for (const std::string& line : lines)
        out += line + "\n";
    return out;
}
} // namespace

#define COMPARE_LINES(actual, ...)                                                                           \
    do {                                                                                                     \
        const Lines now = (actual);                                                                          \
        const Lines wanted __VA_ARGS__;                                                                      \
        QVERIFY2(now == wanted, ("said:\n" + text(now) + "expected:\n" + text(wanted)).c_str());             \
    } while (false)

// Makes another entity while it is made itself.
struct Nest : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    static inline std::shared_ptr<const EntityType> other;
    Nest(const ComponentContext& c, const Settings& s) : Component(c), settings(s) { c.world.create(other); }
    static void describe(ComponentBuilder<Nest>&) {}
};

// Says when it ends, and does what it is told to then.
struct Ending : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    static inline std::vector<EntityId> ended;
    static inline std::function<void(Ending&)> act;
    Ending(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    ~Ending() {
        ended.push_back(entity());
        if (act)
            act(*this);
    }
    static void describe(ComponentBuilder<Ending>& b) { b.repeatable(); }
};

// Destroys its entity while it is built, if told to.
struct Stillborn : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    static inline std::function<bool(EntityId)> wants;
    Stillborn(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {
        if (wants && wants(c.entity))
            c.world.destroy(c.entity);
    }
    static void describe(ComponentBuilder<Stillborn>&) {}
};

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
        QCOMPARE(told("b.A OnDestroy"), 1);
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
    // A constructor makes one of another type: rows of many do not mix them up.
    void constructorsMakeEntitiesOfOtherTypes() {
        Stage s;
        const auto other = s.type("Q", {"Quiet"});
        Nest::other = other;
        EntityTypeInfo info;
        info.name = "N";
        const auto t = std::make_shared<EntityType>(
            info, std::vector<ComponentSpec>{
                      {&s.registry.registerComponent<Nest>("Nest"), std::make_shared<Nest::Settings>()}});
        std::vector<EntityId> many(40);
        s.world.createMany(t, many);
        many.push_back(s.world.create(t));
        QCOMPARE(s.world.entityCount(), std::size_t(82));
        QCOMPARE(s.world.sendToType(*other, Hit{1}).receivers, 41U);
        for (const EntityId id : many) {
            QCOMPARE(s.world.find(id).type().name(), std::string("N"));
            QCOMPARE(s.world.getComponent<Nest>(id)->entity(), id);
            s.world.destroy(id);
        }
        QCOMPARE(s.world.entityCount(), std::size_t(41));
        QCOMPARE(s.world.broadcast(Hit{1}).receivers, 41U);
        Nest::other.reset();
    }
    // Of all kinds, in any order, some twice, some dead, some that never were: as one by one, told and ended in the same order, and
    // what is made after them gets the same places.
    void destroyingManyIsDestroyingEach() {
        struct Side {
            Stage s;
            std::vector<EntityId> ids;
            std::vector<EntityId> after = std::vector<EntityId>(300);
        };
        Side sides[2];
        Lines told[2];
        std::vector<EntityId> ended[2];
        for (int k = 0; k < 2; ++k) {
            Stage& s = sides[k].s;
            std::vector<EntityId>& ids = sides[k].ids;
            EntityTypeInfo info;
            info.name = "E";
            const ComponentType& ending = s.registry.registerComponent<Ending>("Ending");
            const auto bare = std::make_shared<EntityType>(
                info, std::vector<ComponentSpec>{{&ending, ending.makeSettings(nullptr)}});
            const auto heard = s.type("T", {"A"});
            for (int i = 0; i < 600; ++i) {
                ids.push_back(i % 7 == 0 ? s.world.create(heard) : s.world.create(bare));
                if (i % 11 == 0)
                    s.world.setParent(ids.back(), ids[static_cast<std::size_t>(i / 2)]);
                if (i % 13 == 0)
                    QVERIFY(s.world.addComponent(ids.back(), *s.registry.find("Quiet"), s.settings<Quiet>()));
            }
            std::shuffle(ids.begin(), ids.end(), std::mt19937(1));
            ids.resize(400);
            s.world.destroy(ids[50]);
            ids.insert(ids.begin() + 100, ids.begin(), ids.begin() + 20);
            ids.push_back(EntityId(1'000'000, 1));
            ids.push_back(EntityId());
            s.notes.take();
            Ending::ended.clear();
            // One that ends destroys another that stands further on in the list.
            Ending::act = [&](Ending& e) {
                if (e.entity().index() % 17 == 0)
                    s.world.destroy(ids[std::min<std::size_t>(ids.size() - 1, e.entity().index())]);
            };
            if (k == 0)
                for (const EntityId id : std::vector<EntityId>(ids))
                    s.world.destroy(id);
            else
                s.world.destroyMany(ids);
            Ending::act = nullptr;
            told[k] = s.notes.take();
            ended[k] = Ending::ended;
            s.world.createMany(bare, sides[k].after);
        }
        QVERIFY(ended[0].size() > 200 && told[0].size() > 20);
        QCOMPARE(told[1], told[0]);
        QCOMPARE(ended[1], ended[0]);
        QCOMPARE(sides[1].after, sides[0].after);
        QCOMPARE(sides[1].s.world.entityCount(), sides[0].s.world.entityCount());
    }
    // A component that stands before others destroys its entity in its constructor: the others are built before it goes, and each
    // ends once. However it is made, and whether anybody wants to know of its life.
    void destroyedByItsOwnConstructor_data() {
        QTest::addColumn<QString>("way");
        QTest::addColumn<bool>("heard");
        for (const char* way : {"create", "createMany", "spawn"})
            for (const bool heard : {false, true})
                QTest::addRow("%s%s", way, heard ? ", heard" : "") << way << heard;
    }
    void destroyedByItsOwnConstructor() {
        QFETCH(const QString, way);
        QFETCH(const bool, heard);
        Stage s;
        EntityTypeInfo info;
        info.name = "E";
        const ComponentType& stillborn = s.registry.registerComponent<Stillborn>("Stillborn");
        const ComponentType& ending = s.registry.registerComponent<Ending>("Ending");
        std::vector<ComponentSpec> specs{{&stillborn, stillborn.makeSettings(nullptr)},
                                         {&ending, ending.makeSettings(nullptr)}};
        if (heard)
            specs.push_back({s.registry.find("A"), s.settings<A>()});
        const auto t = std::make_shared<EntityType>(info, specs);
        std::size_t built = 0;
        std::vector<EntityId> doomed;
        Stillborn::wants = [&](EntityId id) {
            if (built++ % 3 != 1)
                return false;
            doomed.push_back(id);
            return true;
        };
        Ending::ended.clear();
        std::vector<EntityId> ids(30);
        if (way == "create")
            std::generate(ids.begin(), ids.end(), [&] { return s.world.create(t); });
        else if (way == "createMany")
            s.world.createMany(t, ids);
        else
            std::generate(ids.begin(), ids.end(), [&] { return s.spawn(t, "e"); });
        QCOMPARE(doomed.size(), std::size_t(10));
        QCOMPARE(Ending::ended, doomed);
        QCOMPARE(s.world.entityCount(), std::size_t(20));
        if (heard)
            QCOMPARE(s.notes.alive, 20);
        Stillborn::wants = nullptr;
        for (const EntityId id : doomed)
            QVERIFY(!s.world.alive(id));
        const Lines told = s.notes.take();
        QCOMPARE(std::count_if(told.begin(), told.end(),
                               [](const std::string& l) { return l.ends_with("Awake"); }),
                 heard ? 20 : 0);
    }
    // Also in a component that is added later.
    void destroyedByAnAddedComponent() {
        Stage s;
        const ComponentType& stillborn = s.registry.registerComponent<Stillborn>("Stillborn");
        const auto t = s.type("T", {"A"});
        Stillborn::wants = [](EntityId) { return true; };
        const EntityId a = s.spawn(t, "a");
        QVERIFY(s.world.addComponent(a, stillborn, stillborn.makeSettings(nullptr)));
        Stillborn::wants = nullptr;
        QVERIFY(!s.world.alive(a));
        QCOMPARE(s.notes.alive, 0);
        const EntityId b = s.spawn(t, "b");
        QCOMPARE(b.index(), a.index());
        s.notes.take();
        QCOMPARE(s.world.broadcast(Hit{1}).receivers, 1U);
        COMPARE_LINES(s.notes.take(), {"b.A Hit1"});
        const Entity gone = s.world.find(b);
        s.world.destroy(b);
        QVERIFY(!gone.parent() && gone.children().empty());
    }
    // What ends makes so many that the table of entities lies elsewhere; its entity takes no component any more.
    void theTableMovesWhileItsComponentsEnd() {
        Stage s;
        const ComponentType& ending = s.registry.registerComponent<Ending>("Ending");
        EntityTypeInfo info;
        info.name = "E";
        const auto t = std::make_shared<EntityType>(
            info, std::vector<ComponentSpec>{{&ending, ending.makeSettings(nullptr)}});
        const EntityId a = s.world.create(t);
        const auto quiet = s.type("Q", {"Quiet"});
        std::vector<EntityId> many(6000);
        int round = 0;
        Result<void> added;
        Ending::act = [&](Ending& e) {
            ++round;
            added = s.world.addComponent(e.entity(), ending, ending.makeSettings(nullptr));
            s.world.setEnabled(e, false);
            s.world.createMany(quiet, many);
        };
        s.world.destroy(a);
        QVERIFY(!added);
        QVERIFY(added.error().message.ends_with("is about to go: it gets no Ending"));
        QCOMPARE(round, 1);
        Ending::act = nullptr;
        QVERIFY(!s.world.alive(a));
        QCOMPARE(s.world.entityCount(), many.size());
    }
    // Nothing is sent to what is not there yet: neither to the entity, nor to all, nor to its components.
    void whatIsBeingBuiltHearsNothing() {
        Stage s;
        const ComponentType& stillborn = s.registry.registerComponent<Stillborn>("Stillborn");
        EntityTypeInfo info;
        info.name = "E";
        const ComponentType* const a = s.registry.find("A");
        const auto t = std::make_shared<EntityType>(
            info, std::vector<ComponentSpec>{{&stillborn, stillborn.makeSettings(nullptr)},
                                             {a, a->makeSettings(nullptr)}});
        const auto other = s.spawn(s.type("T", {"A"}), "o");
        s.notes.take();
        std::size_t heard = 0;
        Stillborn::wants = [&](EntityId id) {
            heard += s.world.send(id, Hit{1}).receivers;
            heard += s.world.sendToComponent<A>(id, Hit{2}).receivers;
            heard += s.world.sendToType(*t, Hit{3}).receivers;
            heard += s.world.broadcast(Hit{4}).receivers - 1; // the other one
            s.world.setPose(id, Pose{{1.0F, 2.0F, 3.0F}, {}, {}});
            return false;
        };
        const EntityId made = s.spawn(t, "e");
        std::vector<EntityId> many(9);
        s.world.createMany(t, many);
        Stillborn::wants = nullptr;
        // All eight of the first row hear nothing until it is complete, twice told of the one before; the last is told of nine.
        QCOMPARE(heard, std::size_t(8 * 2 + 2 * 9));
        s.notes.take();
        QVERIFY(s.world.find(made).pose().position == Vec3(1.0F, 2.0F, 3.0F));
        QCOMPARE(s.world.broadcast(Hit{5}).receivers, 11U);
        QVERIFY(s.world.alive(other));
    }
    // A constructor throws: its entity is not there, what was built of it has ended, the log says so, and the others are there.
    void aThrowingConstructorCostsItsEntity_data() {
        QTest::addColumn<QString>("way");
        for (const char* way : {"create", "createMany", "spawn", "spawnAll"})
            QTest::addRow("%s", way) << way;
    }
    void aThrowingConstructorCostsItsEntity() {
        QFETCH(const QString, way);
        Stage s;
        const ComponentType& ending = s.registry.registerComponent<Ending>("Ending");
        const ComponentType& stillborn = s.registry.registerComponent<Stillborn>("Stillborn");
        const ComponentType* const a = s.registry.find("A");
        EntityTypeInfo info;
        info.name = "E";
        const auto t = std::make_shared<EntityType>(
            info, std::vector<ComponentSpec>{{&ending, ending.makeSettings(nullptr)},
                                             {a, a->makeSettings(nullptr)},
                                             {&stillborn, stillborn.makeSettings(nullptr)},
                                             {&ending, ending.makeSettings(nullptr)}});
        Ending::ended.clear();
        std::vector<EntityId> failed;
        std::size_t built = 0;
        // The fourth of each six, also when it is tried again: numbers are slots.
        Stillborn::wants = [&](EntityId id) -> bool {
            ++built;
            if (built % 6 == 4) {
                failed.push_back(id);
                // What it has done to its entity goes with it.
                if (!s.world.addComponent(id, ending, ending.makeSettings(nullptr)))
                    return false;
                throw std::runtime_error("no luck");
            }
            return false;
        };
        std::vector<EntityId> ids(20);
        if (way == "create")
            std::generate(ids.begin(), ids.end(), [&] { return s.world.create(t); });
        else if (way == "createMany")
            s.world.createMany(t, ids);
        else if (way == "spawn")
            std::generate(ids.begin(), ids.end(), [&] { return s.spawn(t, "e"); });
        else {
            SpawnRequest request;
            request.type = t;
            ids = s.world.spawnAll(std::vector<SpawnRequest>(20, request));
        }
        Stillborn::wants = nullptr;
        const auto there = static_cast<std::size_t>(
            std::count_if(ids.begin(), ids.end(), [&](EntityId id) { return s.world.alive(id); }));
        QVERIFY(!failed.empty() && there < 20);
        QCOMPARE(s.world.entityCount(), there);
        QCOMPARE(static_cast<std::size_t>(std::count(ids.begin(), ids.end(), EntityId())), 20 - there);
        QCOMPARE(s.notes.alive, static_cast<int>(there));
        // Of a failed one the component it had added and the first have ended, in that order, and the last was never there.
        if (way != "createMany") {
            QCOMPARE(Ending::ended.size(), 2 * failed.size());
            QCOMPARE(there + failed.size(), std::size_t(20));
        }
        const std::vector<LogRecord> said = s.log.since(0);
        QVERIFY(std::any_of(said.begin(), said.end(), [](const LogRecord& r) {
            return r.severity == LogSeverity::Error
                   && r.text == "E: a component threw while it was made, Stillborn: no luck; there is one E less";
        }));
        for (const EntityId id : failed)
            QVERIFY(!s.world.alive(id) || std::find(ids.begin(), ids.end(), id) != ids.end());
        QCOMPARE(s.world.broadcast(Hit{1}).receivers, static_cast<unsigned>(there));
        s.world.clear();
        QCOMPARE(s.notes.alive, 0);
    }
    // One that is added later: the entity is as it was.
    void anAddedComponentMayThrow() {
        Stage s;
        const ComponentType& stillborn = s.registry.registerComponent<Stillborn>("Stillborn");
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        s.notes.take();
        Stillborn::wants = [&](EntityId) -> bool { throw 1; };
        const Result<void> added = s.world.addComponent(a, stillborn, stillborn.makeSettings(nullptr));
        QVERIFY(!added);
        QCOMPARE(added.error().message,
                 std::string("Stillborn threw while it was made: no std::exception"));
        Stillborn::wants = nullptr;
        s.world.send(a, Hit{1});
        COMPARE_LINES(s.notes.take(), {"a.A Hit1"});
        QVERIFY(s.world.addComponent(a, stillborn, stillborn.makeSettings(nullptr)));
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
    // What goes makes another, as it hears of its end or in its destructor: a cleared world is empty, and all have ended.
    void whatIsMadeWhileClearingGoesToo() {
        Stage s;
        EntityTypeInfo info;
        info.name = "E";
        const ComponentType& ending = s.registry.registerComponent<Ending>("Ending");
        const auto t = std::make_shared<EntityType>(
            info, std::vector<ComponentSpec>{{&ending, ending.makeSettings(nullptr)}});
        const auto heard = s.type("T", {"A"});
        s.spawn(heard, "a");
        s.world.create(t);
        int rest = 3;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line.ends_with("A OnDestroy") && rest-- > 0)
                c.world().create(heard);
        };
        Ending::ended.clear();
        int more = 2;
        Ending::act = [&](Ending& e) {
            if (more-- > 0)
                e.world().create(t);
        };
        s.world.clear();
        QCOMPARE(s.world.entityCount(), std::size_t(0));
        QCOMPARE(s.notes.alive, 0);
        QCOMPARE(Ending::ended.size(), std::size_t(3));
        // One whose end makes another for ever is given up, with an error that says so.
        s.world.create(t);
        Ending::act = [&](Ending& e) { e.world().create(t); };
        s.world.clear();
        Ending::act = nullptr;
        const std::vector<LogRecord> said = s.log.since(0);
        QVERIFY(std::any_of(said.begin(), said.end(), [](const LogRecord& r) {
            return r.severity == LogSeverity::Error && r.text.starts_with("1 entities are left");
        }));
    }
    // So many that their table moves to where it has room: handles hold, gaps are filled first, and the world that comes after
    // this one knows nobody.
    void manyInTwoWorldsInTurn() {
        Log log;
        Recorder recorder;
        ComponentRegistry registry;
        EntityTypeInfo info;
        info.name = "Q";
        const ComponentType& quiet = registry.registerComponent<Quiet>("Quiet");
        const auto t = std::make_shared<EntityType>(
            info, std::vector<ComponentSpec>{{&quiet, quiet.makeSettings(nullptr)}});
        for (int round = 0; round < 2; ++round) {
            World world(WorldDesc{}, recorder, log);
            std::vector<EntityId> ids(20'000);
            for (std::size_t i = 0; i < ids.size(); i += 1000) // one by one and many at once in turn
                if (i % 2000 == 0)
                    world.createMany(t, std::span(ids).subspan(i, 1000));
                else
                    std::generate_n(ids.begin() + static_cast<std::ptrdiff_t>(i), 1000,
                                    [&] { return world.create(t); });
            QCOMPARE(world.entityCount(), ids.size());
            QVERIFY(world.mappedBytes() > 0);
            for (std::size_t i = 0; i < ids.size(); ++i) {
                QCOMPARE(ids[i].index(), static_cast<std::uint32_t>(i));
                QCOMPARE(world.getComponent<Quiet>(ids[i])->entity(), ids[i]);
            }
            std::vector<EntityId> gone;
            for (std::size_t i = 0; i < ids.size(); i += 7)
                gone.push_back(ids[i]);
            for (const EntityId id : gone)
                world.destroy(id);
            std::vector<EntityId> fresh(gone.size() + 100);
            world.createMany(t, fresh);
            for (std::size_t i = 0; i < gone.size(); ++i) {
                QVERIFY(!world.alive(gone[i]) && world.alive(fresh[i]));
                QCOMPARE(fresh[i].index(), gone[i].index());
                QCOMPARE(fresh[i].generation(), gone[i].generation() + 1);
                QCOMPARE(world.getComponent<Quiet>(fresh[i])->entity(), fresh[i]);
            }
            QCOMPARE(fresh.back().index(), 20'099U);
            QCOMPARE(world.sendToType(*t, Hit{1}).receivers, 20'100U);
        }
    }
};

QTEST_GUILESS_MAIN(TestLifecycle)
#include "tst_lifecycle.moc"
