// Constructors and destructors that do what they like: make, destroy, add, send and throw.
#include <QtTest>

#include "tests/entity/stage.h"

#include <algorithm>
#include <random>

using namespace sbx;
using namespace sbx::test;

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

// May stand several times in one entity.
struct Sociable : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    int hits = 0;
    static inline int alive = 0;
    static inline std::function<void(Sociable&)> made;
    Sociable(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {
        if (const auto now = made)
            now(*this);
        ++alive;
    }
    ~Sociable() { --alive; }
    static void describe(ComponentBuilder<Sociable>& b) { b.repeatable().handle<&Sociable::onHit>(); }
    bool onHit(const Hit&) { return ++hits, false; }
};

class TestConstruction : public QObject {
    Q_OBJECT
private slots:
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
        // None hears anything until all of its row are there; each tells the one before twice.
        QCOMPARE(heard, std::size_t(9 * 2));
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
        // The fourth of each six.
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
        QCOMPARE(Ending::ended.size(), 2 * failed.size());
        QCOMPARE(failed.size(), std::size_t(3));
        QCOMPARE(there, std::size_t(17));
        QCOMPARE(built, std::size_t(20)); // none is built twice
        const std::vector<LogRecord> said = s.log.since(0);
        QVERIFY(std::any_of(said.begin(), said.end(), [](const LogRecord& r) {
            return r.severity == LogSeverity::Error
                   && r.text.starts_with("E: a component threw while it was made, Stillborn: no luck; ")
                   && r.text.ends_with(" was not created");
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
        QCOMPARE(added.error().message, std::string("Stillborn threw while it was made: no std::exception"));
        Stillborn::wants = nullptr;
        s.world.send(a, Hit{1});
        COMPARE_LINES(s.notes.take(), {"a.A Hit1"});
        QVERIFY(s.world.addComponent(a, stillborn, stillborn.makeSettings(nullptr)));
    }
    // While it is made its entity may come to differ from its type in nothing, for a moment: it is not lost.
    void anAddedComponentIsNotLost_data() {
        QTest::addColumn<bool>("throws");
        QTest::newRow("it switches on what was off") << false;
        QTest::newRow("it adds another, which throws") << true;
    }
    void anAddedComponentIsNotLost() {
        QFETCH(const bool, throws);
        Stage s;
        const ComponentType& added = s.registry.registerComponent<Sociable>("Sociable");
        const EntityId a = s.spawn(s.type("T", {"A", "Quiet"}), "a");
        QVERIFY(s.world.setEnabled(a, "Quiet", throws));
        Sociable::made = [&](Sociable& it) {
            if (!throws) {
                QVERIFY(s.world.setEnabled(it.entity(), "Quiet", true));
                return;
            }
            Sociable::made = [](Sociable&) { throw 1; };
            QVERIFY(!s.world.addComponent(it.entity(), added, nullptr));
        };
        QVERIFY(s.world.addComponent(a, added, nullptr));
        Sociable::made = nullptr;
        QVERIFY(s.world.getComponent<Sociable>(a) != nullptr);
        s.world.send(a, Hit{1});
        QCOMPARE(s.world.getComponent<Sociable>(a)->hits, 1);
        QCOMPARE(s.world.getComponent<Quiet>(a)->hits, 1);
        QCOMPARE(Sociable::alive, 1);
        s.world.clear();
        QCOMPARE(Sociable::alive, 0);
    }
    // One that a reload brings: the entity goes without it, and the log says so.
    void aReloadedComponentMayThrow() {
        Stage s;
        const ComponentType& stillborn = s.registry.registerComponent<Stillborn>("Stillborn");
        const ComponentType* const a = s.registry.find("A");
        const ComponentType* const b = s.registry.find("B");
        s.world.setTypes({s.type("T", {"A"})});
        const EntityId id = s.spawn(s.world.findType("T"), "t");
        s.notes.take();
        Stillborn::wants = [&](EntityId) -> bool { throw std::runtime_error("no luck"); };
        s.world.replaceTypes({Stage::typeOf("T", {{a, a->makeSettings(nullptr)},
                                                  {&stillborn, stillborn.makeSettings(nullptr)},
                                                  {b, b->makeSettings(nullptr)}})});
        Stillborn::wants = nullptr;
        QVERIFY(s.world.getComponent<Stillborn>(id) == nullptr && s.world.getComponent<B>(id) != nullptr);
        COMPARE_LINES(s.said(), {"t gets no Stillborn: its constructor threw: no luck"});
        s.world.send(id, Hit{1});
        COMPARE_LINES(s.notes.take(), {"t.B Awake", "t.B OnEnable", "t.B Hit1", "t.A Hit0"});
    }
    // What a failed constructor had made below its entity goes with it; nobody is made below who was not.
    void familiesFailTogether() {
        Stage s;
        const ComponentType& stillborn = s.registry.registerComponent<Stillborn>("Stillborn");
        const auto t = Stage::typeOf("E", {{&stillborn, stillborn.makeSettings(nullptr)}});
        const auto a = s.type("T", {"A"});
        Stillborn::wants = [&](EntityId id) -> bool {
            s.spawn(a, "child", id);
            throw std::runtime_error("no luck");
        };
        std::vector<SpawnRequest> requests(2);
        requests[0].type = t;
        requests[1].type = a;
        requests[1].name = "below";
        requests[1].parentAmong = 0;
        const std::vector<EntityId> ids = s.world.spawnAll(requests);
        Stillborn::wants = nullptr;
        QVERIFY(!ids[0] && !ids[1]);
        QCOMPARE(s.world.entityCount(), std::size_t(0));
        QCOMPARE(s.notes.alive, 0);
        QCOMPARE(s.said().back(), std::string("below: it is not made, since its parent is not"));
    }
    // On a type that begins unheard: what a constructor adds awakes when all is built.
    void whatConstructorsAddAwakesAfterwards() {
        Stage s;
        const ComponentType& stillborn = s.registry.registerComponent<Stillborn>("Stillborn");
        const auto t = Stage::typeOf("E", {{&stillborn, stillborn.makeSettings(nullptr)}});
        bool building = false;
        bool early = false;
        Stillborn::wants = [&](EntityId id) {
            building = true;
            const bool added = s.world.addComponent(id, *s.registry.find("A"), nullptr).ok();
            building = false;
            return !added;
        };
        s.notes.act = [&](Component&, const std::string&) { early = early || building; };
        const EntityId id = s.world.create(t);
        Stillborn::wants = nullptr;
        s.notes.act = nullptr;
        QVERIFY(!early && s.world.getComponent<A>(id) != nullptr);
        const Lines told = s.notes.take();
        QCOMPARE(told.size(), std::size_t(2));
        QVERIFY(told[0].ends_with("A Awake") && told[1].ends_with("A OnEnable"));
    }
    // A component that a reload brings leaves the others alone while it is made.
    void whatIsReloadedIsNotChangedMeanwhile() {
        Stage s;
        const ComponentType& stillborn = s.registry.registerComponent<Stillborn>("Stillborn");
        const ComponentType* const a = s.registry.find("A");
        s.world.setTypes({s.type("T", {"A"})});
        const EntityId id = s.spawn(s.world.findType("T"), "t");
        std::vector<std::string> said;
        Stillborn::wants = [&](EntityId self) {
            said.push_back(s.world.addComponent(self, *s.registry.find("B"), nullptr).error().message);
            said.push_back(s.world.removeComponent(self, "A").error().message);
            static_cast<void>(s.world.setEnabled(self, "A", false));
            return false;
        };
        s.world.replaceTypes({Stage::typeOf(
            "T", {{a, a->makeSettings(nullptr)}, {&stillborn, stillborn.makeSettings(nullptr)}})});
        Stillborn::wants = nullptr;
        COMPARE_LINES(
            said, {"t is being reloaded: it gets no B", "t is being reloaded: nothing is removed from it"});
        s.notes.take();
        s.world.send(id, Hit{1});
        COMPARE_LINES(s.notes.take(), {"t.A Hit1"});
        QVERIFY(s.world.addComponent(id, *s.registry.find("B"), nullptr));
    }
    // An ending component switches its entity: nobody who has ended is called again.
    void whatHasEndedIsNotCalled() {
        Stage s;
        const ComponentType& ending = s.registry.registerComponent<Ending>("Ending");
        const ComponentType* const a = s.registry.find("A");
        const auto t =
            Stage::typeOf("E", {{&ending, ending.makeSettings(nullptr)}, {a, a->makeSettings(nullptr)}});
        const EntityId id = s.spawn(t, "e");
        unsigned heard = 0;
        Ending::act = [&](Ending& e) { // A has ended before it
            s.world.setEnabled(e.entity(), false);
            s.world.setEnabled(e.entity(), true);
            heard += s.world.send(e.entity(), Hit{1}).receivers + s.world.broadcast(Hit{1}).receivers;
        };
        s.notes.take();
        s.world.destroy(id);
        Ending::act = nullptr;
        QCOMPARE(heard, 0U);
        COMPARE_LINES(s.notes.take(), {"e.A OnDisable", "e.A OnDestroy"});
    }
    // A sibling that is not built yet is not removed.
    void aConstructorRemovesNothing() {
        Stage s;
        const ComponentType& stillborn = s.registry.registerComponent<Stillborn>("Stillborn");
        const ComponentType* const a = s.registry.find("A");
        Result<void> removed;
        Stillborn::wants = [&](EntityId id) { return removed = s.world.removeComponent(id, "A"), false; };
        const EntityId id = s.spawn(Stage::typeOf("T", {{&stillborn, stillborn.makeSettings(nullptr)},
                                                        {a, a->makeSettings(nullptr)}}),
                                    "t");
        Stillborn::wants = nullptr;
        QVERIFY(!removed);
        QCOMPARE(removed.error().message, std::string("t is being made: nothing is removed from it"));
        COMPARE_LINES(s.notes.take(), {"t.A Awake", "t.A OnEnable"});
        QVERIFY(s.world.alive(id));
    }
    // Destructors that send: however many, no deeper.
    void destructorsThatSend() {
        Stage s;
        const ComponentType& ending = s.registry.registerComponent<Ending>("Ending");
        const auto t = Stage::typeOf("E", {{&ending, ending.makeSettings(nullptr)}});
        const EntityId ear = s.spawn(s.type("T", {"A"}), "a");
        std::vector<EntityId> many(100'000);
        s.world.createMany(t, many);
        s.notes.take();
        Ending::ended.clear();
        Ending::act = [&](Ending&) { s.world.send(ear, Hit{1}); };
        s.notes.act = [&](Component&, const std::string&) {
            s.notes.act = nullptr;
            s.world.destroyMany(many);
        };
        s.world.send(ear, Hit{0});
        Ending::act = nullptr;
        QCOMPARE(Ending::ended.size(), many.size());
        QCOMPARE(s.notes.lines.size(), many.size() + 1);
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
        WorldDesc desc;
        desc.slotMemory = std::make_shared<SlotMemory>();
        for (int round = 0; round < 2; ++round) {
            World world(desc, recorder, log);
            std::vector<EntityId> ids(20'000);
            for (std::size_t i = 0; i < ids.size(); i += 1000) // one by one and many at once in turn
                if (i % 2000 == 0)
                    world.createMany(t, std::span(ids).subspan(i, 1000));
                else
                    std::generate_n(ids.begin() + static_cast<std::ptrdiff_t>(i), 1000,
                                    [&] { return world.create(t); });
            QCOMPARE(world.entityCount(), ids.size());
            QVERIFY(world.measurements().mappedBytes > 0);
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
};

QTEST_GUILESS_MAIN(TestConstruction)
#include "tst_construction.moc"
