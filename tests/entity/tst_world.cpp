#include <QtTest>

#include "engine/core/log.h"
#include "engine/entity/world.h"
#include "engine/message/trace_json.h"

using namespace sbx;

namespace {

struct Hit {
    static constexpr const char* Name = "test.Hit";
    float amount = 0.0F;
    static void describe(FieldList<Hit>& f) { f.add("amount", &Hit::amount, "How much."); }
};
struct Note {
    static constexpr const char* Name = "test.Note";
    Text text;
    static void describe(FieldList<Note>& f) { f.add("text", &Note::text, "What."); }
};
struct Bounce {
    static constexpr const char* Name = "test.Bounce";
    static void describe(FieldList<Bounce>&) {}
};

// What happened, in order, across all components of a test.
struct Journal {
    std::vector<std::string> lines;
    int alive = 0;
};

struct Armor : Component {
    struct Settings {
        float capacity = 10.0F;
        static void describe(FieldList<Settings>& f) {
            f.add("capacity", &Settings::capacity, "How much it takes.").range(0, 100);
        }
    };
    struct State {
        float left = 0.0F;
        static void describe(FieldList<State>& f) { f.add("left", &State::left, "What it can still take."); }
    };
    Settings settings;
    State state;
    Armor(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {
        state.left = s.capacity;
        ++world().service<Journal>().alive;
    }
    ~Armor() { --world().service<Journal>().alive; }
    static void describe(ComponentBuilder<Armor>& b) {
        b.doc("Takes hits.").handle<&Armor::onHit>(10).handle<&Armor::onAwake>();
    }
    bool onHit(Hit& hit) {
        const float taken = std::min(hit.amount, state.left);
        state.left -= taken;
        hit.amount -= taken;
        return hit.amount <= 0.0F;
    }
    bool onAwake(Awake&) {
        world().service<Journal>().lines.push_back("armor awake");
        return false;
    }
};

struct Life : Component {
    struct Settings {
        float maximum = 40.0F;
        static void describe(FieldList<Settings>& f) {
            f.add("maximum", &Settings::maximum, "At the start.");
        }
    };
    struct State {
        float current = 0.0F;
        static void describe(FieldList<State>& f) { f.add("current", &State::current, "Now."); }
    };
    Settings settings;
    State state;
    Life(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {
        state.current = s.maximum;
    }
    static void describe(ComponentBuilder<Life>& b) {
        b.handle<&Life::onHit>(20)
            .handle<&Life::onStart>()
            .handle<&Life::onUpdate>()
            .handle<&Life::onBounce>();
    }
    bool onHit(Hit& hit, const Envelope&) {
        state.current -= hit.amount;
        if (state.current <= 0.0F)
            world().destroy(entity());
        return false;
    }
    bool onStart(Start&) {
        world().service<Journal>().lines.push_back("life start");
        return false;
    }
    bool onUpdate(Update&) {
        world().service<Journal>().lines.push_back("life update");
        return false;
    }
    bool onBounce(Bounce& b) {
        world().send(entity(), b, entity());
        return false;
    }
    void settingsChanged() { world().service<Journal>().lines.push_back("settings changed"); }
};

// Answers every Bounce with two more; spawns another of its kind when told.
struct Doubler : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    Doubler(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Doubler>& b) {
        b.handle<&Doubler::onBounce>().handle<&Doubler::onNote>();
    }
    bool onBounce(Bounce& m) {
        world().send(entity(), m, entity());
        world().send(entity(), m, entity());
        return false;
    }
    bool onNote(Note&) {
        SpawnRequest request;
        request.type = world().find(entity()).sharedType();
        world().spawn(request);
        return false;
    }
};

struct Reporter : Component {
    struct Settings {
        std::string label = "r";
        static void describe(FieldList<Settings>& f) { f.add("label", &Settings::label, "Who."); }
    };
    Settings settings;
    Reporter(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Reporter>& b) { b.repeatable().handle<&Reporter::onNote>(); }
    bool onNote(Note& note) {
        world().service<Journal>().lines.push_back(settings.label + ":" + note.text.string());
        return false;
    }
};

struct Fixture {
    Log log;
    Recorder recorder;
    ComponentRegistry registry;
    Journal journal;
    World world{WorldDesc{}, recorder, log};
    Fixture() {
        registry.registerComponent<Armor>("Armor");
        registry.registerComponent<Life>("Life");
        registry.registerComponent<Reporter>("Reporter");
        registry.registerComponent<Doubler>("Doubler");
        world.provide(journal);
    }
    std::shared_ptr<const EntityType> type(const std::string& name,
                                           const std::vector<std::string>& components) {
        std::vector<ComponentSpec> specs;
        for (const std::string& component : components)
            specs.push_back({registry.find(component), registry.find(component)->makeSettings(nullptr)});
        EntityTypeInfo info;
        info.name = name;
        return std::make_shared<EntityType>(info, specs);
    }
    EntityId spawn(const std::shared_ptr<const EntityType>& t, EntityId parent = {}, Pose pose = {}) {
        SpawnRequest request;
        request.type = t;
        request.parent = parent;
        request.pose = pose;
        return world.spawn(request);
    }
    float stateOf(EntityId id, const char* component, const char* field) {
        const auto ref = world.find(id).component(component);
        return static_cast<float>(
            std::get<double>(ref.type->state->find(field)->read(ref.type->stateOf(ref.component))));
    }
};

} // namespace

class TestWorld : public QObject {
    Q_OBJECT
private slots:
    void layoutRespectsAlignmentAndFileOrder() {
        Fixture f;
        const auto t = f.type("T", {"Reporter", "Armor", "Life"});
        for (const auto& slot : t->layout())
            QCOMPARE(slot.offset % slot.type->alignment, std::size_t(0));
        QCOMPARE(t->layout()[0].type->name, std::string("Reporter"));
        QVERIFY(t->blockSize() >= sizeof(Reporter) + sizeof(Armor) + sizeof(Life));
    }
    void priorityDecidesAndConsumptionStops() {
        Fixture f;
        f.recorder.setEnabled(true);
        auto reader = f.recorder.addReader();
        // Life stands first in the file; Armor's lower priority still sees the hit first.
        const EntityId id = f.spawn(f.type("Crate", {"Life", "Armor"}));
        QVERIFY(f.world.send(id, Hit{6.0F}).consumed);
        QCOMPARE(f.stateOf(id, "Life", "current"), 40.0F);
        const auto second = f.world.send(id, Hit{6.0F});
        QVERIFY(!second.consumed);
        QCOMPARE(second.receivers, 1U);
        QCOMPARE(f.stateOf(id, "Life", "current"), 38.0F);
        f.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        QCOMPARE(segments[0]->size(), std::size_t(2));
        const auto visits = (*segments[0])[0].visits();
        QCOMPARE(visits[0].result, HandlerResult::Consumed);
        QCOMPARE(visits[1].result, HandlerResult::NotReached);
        QCOMPARE((*segments[0])[1].visits()[1].result, HandlerResult::Passed);
    }
    void lifecycleOrder() {
        Fixture f;
        f.spawn(f.type("Crate", {"Life", "Armor"}));
        QCOMPARE(f.journal.lines, (std::vector<std::string>{"armor awake"}));
        f.world.tick();
        f.world.tick();
        QCOMPARE(f.journal.lines,
                 (std::vector<std::string>{"armor awake", "life start", "life update", "life update"}));
    }
    void deathWaitsForTheEndOfTheTickAndHandlesNotice() {
        Fixture f;
        const EntityId parent = f.spawn(f.type("Crate", {"Life", "Armor"}));
        const EntityId child = f.spawn(f.type("Child", {"Armor"}), parent);
        QCOMPARE(f.journal.alive, 2);
        f.world.sendLater(parent, Hit{1000.0F}, 0.0);
        f.world.tick();
        QVERIFY(!f.world.alive(parent));
        QVERIFY(!f.world.alive(child));
        QCOMPARE(f.journal.alive, 0);
        QCOMPARE(f.world.send(parent, Hit{1.0F}).receivers, 0U);
        // The slot is taken again; the old handle still names nothing.
        const EntityId next = f.spawn(f.type("Crate", {"Armor"}));
        QVERIFY(next != parent && next != child);
        QVERIFY(!f.world.alive(parent));
    }
    void delaysRoundUpToTicks() {
        Fixture f;
        const EntityId id = f.spawn(f.type("R", {"Reporter"}));
        f.world.sendLater(id, Note{"tenth"}, 0.1);
        f.world.sendLater(id, Note{"bit more"}, 0.1001);
        for (int i = 0; i < 5; ++i)
            f.world.tick();
        QVERIFY(f.journal.lines.empty());
        f.world.tick();
        QCOMPARE(f.journal.lines, (std::vector<std::string>{"r:tenth"}));
        f.world.tick();
        QCOMPARE(f.journal.lines.size(), std::size_t(2));
    }
    void routesReachSubtreeAncestorsAndAll() {
        Fixture f;
        const auto t = f.type("R", {"Reporter"});
        const EntityId a = f.spawn(t);
        const EntityId b = f.spawn(t, a);
        const EntityId c = f.spawn(t, b);
        f.spawn(t);
        QCOMPARE(f.world.sendToChildren(a, Note{"x"}).receivers, 3U);
        QCOMPARE(f.world.sendToAncestors(c, Note{"x"}).receivers, 3U);
        QCOMPARE(f.world.broadcast(Note{"x"}).receivers, 4U);
        QCOMPARE(f.world.send(b, Note{"x"}).receivers, 1U);
    }
    void anEndlessAnswerIsCutAndSaid() {
        Fixture f;
        const EntityId id = f.spawn(f.type("Crate", {"Life"}));
        f.world.send(id, Bounce{});
        bool said = false;
        for (const auto& record : f.log.since(0))
            said = said || record.text.find("test.Bounce") != std::string::npos;
        QVERIFY(said);
    }
    void anAnswerThatDoublesIsCutToo() {
        Fixture f;
        const EntityId id = f.spawn(f.type("Twice", {"Doubler"}));
        f.world.send(id, Bounce{});
        int said = 0;
        for (const auto& record : f.log.since(0))
            said += record.severity == LogSeverity::Error ? 1 : 0;
        QCOMPARE(said, 1);
    }
    void aBroadcastReachesThoseWhoLivedWhenItWasSent() {
        Fixture f;
        const auto type = f.type("Nest", {"Doubler"});
        f.spawn(type);
        f.spawn(type);
        QCOMPARE(f.world.broadcast(Note{"x"}).receivers, 2U);
        QCOMPARE(f.world.entityCount(), std::size_t(4));
    }
    void numbersBehindNamesAreUsedAgain() {
        Fixture f;
        const auto type = f.type("Crate", {"Armor"});
        f.spawn(type);
        const EntityId second = f.spawn(type);
        f.spawn(type);
        f.world.destroy(second);
        QCOMPARE(f.world.nameOf(f.spawn(type)), std::string("crate_2"));
        QCOMPARE(f.world.nameOf(f.spawn(type)), std::string("crate_4"));
    }
    void namesAreUnique() {
        Fixture f;
        const auto t = f.type("Crate", {"Armor"});
        QCOMPARE(f.world.nameOf(f.spawn(t)), std::string("crate"));
        QCOMPARE(f.world.nameOf(f.spawn(t)), std::string("crate_2"));
        SpawnRequest request;
        request.type = t;
        request.name = "crate_2";
        QCOMPARE(f.world.nameOf(f.world.spawn(request)), std::string("crate_3"));
        QVERIFY(f.world.find("crate_3"));
    }
    void posesFollowParentsAndReparentingKeepsThem() {
        Fixture f;
        const auto t = f.type("R", {"Reporter"});
        Pose parentPose;
        parentPose.position = {10, 0, 0};
        parentPose.rotation = fromEulerDegrees({0, 90, 0});
        parentPose.scale = {2, 2, 2};
        const EntityId parent = f.spawn(t, {}, parentPose);
        Pose childPose;
        childPose.position = {0, 0, -1};
        const EntityId child = f.spawn(t, parent, childPose);
        // A quarter turn about Y takes -Z to -X; the scale doubles it.
        const Vec3 at = f.world.poseOf(child).position;
        QVERIFY(glm::length(at - Vec3(8, 0, 0)) < 1e-5F);
        const Pose before = f.world.poseOf(child);
        QVERIFY(f.world.setParent(child, {}));
        QVERIFY(glm::length(f.world.poseOf(child).position - before.position) < 1e-5F);
        QVERIFY(f.world.setParent(child, parent));
        QVERIFY(!f.world.setParent(parent, child)); // no cycles
        QVERIFY(!f.world.setParent(parent, parent));
        parentPose.position = {20, 0, 0};
        f.world.setPose(parent, parentPose);
        QVERIFY(glm::length(f.world.poseOf(child).position - Vec3(18, 0, 0)) < 1e-4F);
        QCOMPARE(f.world.takeMovedByParent().size(), std::size_t(1));
    }
    // Under parents of every pose: a child that moves from one to another stays where it is, and goes where its parent goes.
    void reparentingKeepsTheWorldPose() {
        Fixture f;
        const auto t = f.type("R", {"Reporter"});
        Random random(7);
        const auto pose = [&](bool uniform) {
            Pose p;
            for (int k = 0; k < 3; ++k) {
                p.position[k] = random.between(-20.0F, 20.0F);
                p.scale[k] = uniform && k > 0 ? p.scale[0] : random.between(0.25F, 4.0F);
            }
            p.rotation = fromEulerDegrees({random.between(-89.0F, 89.0F), random.between(-180.0F, 180.0F), random.between(-180.0F, 180.0F)});
            return p;
        };
        const auto near = [](const Pose& a, const Pose& b) {
            return glm::length(a.position - b.position) < 1e-3F * (1.0F + glm::length(a.position))
                   && std::abs(glm::dot(a.rotation, b.rotation)) > 1.0F - 1e-5F
                   && glm::length(a.scale - b.scale) < 1e-3F * glm::length(a.scale);
        };
        for (int round = 0; round < 200; ++round) {
            const EntityId top = f.spawn(t, {}, pose(round % 2 == 0));
            const EntityId one = f.spawn(t, top, pose(true));
            const EntityId two = f.spawn(t, {}, pose(false));
            const EntityId child = f.spawn(t, one, pose(true));
            const EntityId below = f.spawn(t, child, pose(true));
            for (const EntityId parent : {two, top, EntityId(), one}) {
                const Pose before = f.world.find(child).pose();
                const Pose beneath = f.world.find(below).pose();
                QVERIFY(f.world.setParent(child, parent));
                QVERIFY(near(f.world.find(child).pose(), before));
                QVERIFY(near(f.world.find(below).pose(), beneath));
                if (!parent)
                    continue;
                QVERIFY(near(compose(f.world.find(parent).pose(), f.world.find(child).local()), before));
                const Pose moved = pose(false);
                f.world.setPose(parent, moved);
                QVERIFY(near(f.world.find(child).pose(), compose(moved, f.world.find(child).local())));
                QVERIFY(near(f.world.find(below).pose(), compose(f.world.find(child).pose(), f.world.find(below).local())));
            }
            f.world.destroy(top);
            f.world.destroy(two);
            QCOMPARE(f.world.entityCount(), std::size_t(0));
        }
    }
    void componentsAddedAtRunTimeJoinIn() {
        Fixture f;
        const EntityId id = f.spawn(f.type("Crate", {"Life"}));
        const void* life = f.world.find(id).component("Life").component;
        QVERIFY(f.world.addComponent(id, *f.registry.find("Armor"), nullptr).ok());
        QCOMPARE(f.world.find(id).component("Life").component, life);
        QVERIFY(f.world.send(id, Hit{6.0F}).consumed);
        QVERIFY(!f.world.addComponent(id, *f.registry.find("Armor"), nullptr).ok());
        QVERIFY(f.world.addComponent(id, *f.registry.find("Reporter"), nullptr).ok());
        QVERIFY(f.world.addComponent(id, *f.registry.find("Reporter"), nullptr).ok());
        f.journal.lines.clear();
        f.world.send(id, Note{"n"});
        QCOMPARE(f.journal.lines.size(), std::size_t(2));
    }
    void replacedTypesReachTheLiving() {
        Fixture f;
        const auto before = f.type("Crate", {"Life", "Armor"});
        f.world.setTypes({before});
        const EntityId id = f.spawn(before);
        const EntityId edited = f.spawn(before);
        QVERIFY(f.world.setField(edited, "Life", "maximum", Value(7.0)).ok());
        f.world.send(id, Hit{16.0F});
        f.journal.lines.clear();

        std::vector<ComponentSpec> specs;
        Life::Settings life;
        life.maximum = 99.0F;
        specs.push_back({f.registry.find("Life"), std::make_shared<Life::Settings>(life)});
        specs.push_back({f.registry.find("Armor"), f.registry.find("Armor")->makeSettings(nullptr)});
        EntityTypeInfo info;
        info.name = "Crate";
        const auto report = f.world.replaceTypes({std::make_shared<EntityType>(info, specs)});
        QCOMPARE(report, (std::vector<std::string>{"Crate: 2 entities follow (Life.maximum)"}));
        QCOMPARE(static_cast<Life*>(f.world.find(id).component("Life").component)->settings.maximum, 99.0F);
        QCOMPARE(static_cast<Life*>(f.world.find(edited).component("Life").component)->settings.maximum,
                 7.0F);
        QCOMPARE(f.stateOf(id, "Life", "current"), 34.0F);
        QCOMPARE(f.journal.lines, (std::vector<std::string>{"settings changed"}));

        // Another set of components: what stays keeps its state.
        f.world.replaceTypes({f.type("Crate", {"Reporter", "Life"})});
        QVERIFY(f.world.find(id).component("Armor").type == nullptr);
        QVERIFY(f.world.find(id).component("Reporter").type != nullptr);
        QCOMPARE(f.stateOf(id, "Life", "current"), 34.0F);
        f.world.tick();
    }
    void fieldsAreCheckedWhenSet() {
        Fixture f;
        const EntityId id = f.spawn(f.type("Crate", {"Armor"}));
        QVERIFY(f.world.setField(id, "Armor", "capacity", Value(50.0)).ok());
        QVERIFY(!f.world.setField(id, "Armor", "capacity", Value(500.0)).ok());
        QVERIFY(!f.world.setField(id, "Armor", "capacity", Value(std::string("x"))).ok());
        QVERIFY(!f.world.setField(id, "Armor", "nothing", Value(1.0)).ok());
        QVERIFY(!f.world.setField(id, "Nothing", "capacity", Value(1.0)).ok());
        QVERIFY(f.world.setField(id, "Armor", "left", Value(3.0)).ok());
        QCOMPARE(f.stateOf(id, "Armor", "left"), 3.0F);
    }
    void digestFollowsStateOnly() {
        const auto run = [](bool record, float amount) {
            Fixture f;
            f.recorder.setEnabled(record);
            const EntityId id = f.spawn(f.type("Crate", {"Life", "Armor"}));
            f.world.sendLater(id, Hit{amount}, 0.05);
            for (int i = 0; i < 20; ++i)
                f.world.tick();
            return f.world.digest();
        };
        QCOMPARE(run(false, 12.0F), run(true, 12.0F));
        QVERIFY(run(false, 12.0F) != run(false, 13.0F));
    }
    void manyEntitiesComeAndGo() {
        Fixture f;
        const auto t = f.type("Crate", {"Life", "Armor"});
        std::vector<EntityId> ids;
        for (int i = 0; i < 5000; ++i)
            ids.push_back(f.spawn(t));
        for (std::size_t i = 0; i < ids.size(); i += 2)
            f.world.destroy(ids[i]);
        QCOMPARE(f.world.entityCount(), std::size_t(2500));
        f.world.tick();
        f.world.clear();
        QCOMPARE(f.world.entityCount(), std::size_t(0));
        QCOMPARE(f.journal.alive, 0);
    }
};

QTEST_GUILESS_MAIN(TestWorld)
#include "tst_world.moc"
