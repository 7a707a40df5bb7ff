#include <QtTest>

#include "engine/entity/event_hub.h"
#include "engine/message/record_filter.h"
#include "tests/counted_allocations.h"
#include "tests/entity/stage.h"

using namespace sbx;
using namespace sbx::test;

namespace {

struct Tap {
    static constexpr const char* Name = "test.Tap";
    int amount = 0;
    static void describe(FieldList<Tap>& f) { f.add("amount", &Tap::amount, "How much."); }
};

constexpr const char* Alarm = "AlarmOfMoreThanFifteenBytes";
// Made once: what an event takes of it is no copy.
const NamedValue Spoken[] = {{"loudness", 0.5},
                             {"words", Value(std::string("of more than fifteen bytes"))},
                             {"whose", Value(std::string("theneighbourfromupstairs"))}};

// Sends on every route, raises events, every tick, and queues what it will hear later.
struct Busy : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    int heard = 0;
    Subscription listening;
    Subscription alarmed;
    Busy(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Busy>& b) {
        b.handle<&Busy::onAwake>().handle<&Busy::onUpdate>().handle<&Busy::onTap>().handle<&Busy::onPost>();
    }
    bool onAwake(Awake&) {
        listening = world().listeners().listen<&Busy::overhear>(*this, entity());
        Result<Subscription> held = EventHub(world()).listen<&Busy::onAlarm>(Alarm, *this, entity());
        alarmed = std::move(*held);
        return false;
    }
    bool onUpdate(Update&) {
        World& w = world();
        w.send(entity(), Tap{1}, entity());
        w.send(*this, Tap{1}, entity());
        w.sendToChildren(entity(), Tap{1}, entity());
        w.sendToAncestors(entity(), Tap{1}, entity());
        w.sendToListeners(Tap{1}, entity());
        w.sendLater(entity(), Tap{1}, 0.05, entity());
        w.sendInTicks(*this, Tap{1}, 3, entity());
        const DelayedHandle cancelled = w.sendInTicks(entity(), Tap{1}, 7, entity());
        w.cancel(cancelled);
        EventHub events(w);
        const Vec3 at(1.0F, 2.0F, 3.0F);
        static_cast<void>(events.raise(Alarm, {{"loudness", 0.5}, {"at", at}, {"who", entity()}, {"kind", std::string("fire")}}, entity()));
        static_cast<void>(events.raise(Alarm, Spoken, entity()));
        for (const int priority : {1, -1, 0})
            static_cast<void>(events.raiseLater(3, priority, Alarm, {{"loudness", 1.0}, {"at", at}}, entity()));
        for (std::uint64_t ticks = 1; ticks < 20; ticks += 6)
            w.sendInTicks(entity(), Tap{1}, ticks, entity(), static_cast<int>(ticks % 3));
        Pose pose = w.poseOf(entity());
        pose.position.x += 1.0F;
        w.setPose(entity(), pose);
        Quiet& sibling = *w.getComponent<Quiet>(entity());
        w.setEnabled(sibling, false);
        w.setEnabled(sibling, true);
        return false;
    }
    bool onPost(PostUpdate&) {
        if (world().tickCount() % 8 == 0)
            world().broadcast(Tap{1}, entity());
        // Until the next Update.
        world().setEnabled(*world().getComponent<Quiet>(entity()), world().tickCount() % 2 == 0);
        return false;
    }
    bool onTap(Tap& m, const Envelope&) {
        heard += m.amount++;
        return false;
    }
    void overhear(const Tap& m) { heard += m.amount; }
    void onAlarm(const Event& event) { alarms += event.get<double>("loudness") > 0.0 ? 1 : 0; }
    int alarms = 0;
};

// Counts ticks.
struct Still : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    int ticks = 0;
    Still(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Still>& b) { b.handle<&Still::onUpdate>(); }
    bool onUpdate(const Update&) { return ++ticks, false; }
};

} // namespace

class TestAllocations : public QObject {
    Q_OBJECT
private:
    // What 60 ticks allocate after 200 to warm up.
    static std::size_t steady(bool recorded) {
        Stage s;
        s.registry.registerComponent<Busy>("Busy");
        s.registry.registerComponent<Still>("Still");
        const auto t = s.type("T", {"Busy", "Quiet"});
        static_cast<void>(EventHub(s.world).declare(Alarm, {{"loudness", FieldType::Float, "How loud."},
                                                            {"at", FieldType::Vector3, "Where."},
                                                            {"who", FieldType::Entity, "By whom."},
                                                            {"words", FieldType::String, "What is said."},
                                                            {"whose", FieldType::Enum, "Of whom.", {}, {"mine", "theneighbourfromupstairs"}},
                                                            {"kind", FieldType::Enum, "Of what.", {}, {"fire", "flood"}}}));
        EntityId parent;
        for (int i = 0; i < 20; ++i)
            parent = s.spawn(t, "e" + std::to_string(i), i % 4 == 0 ? EntityId() : parent);
        // With a component of its own, and switched off every second tick.
        const EntityId odd = s.spawn(s.type("Odd", {"Quiet"}), "odd");
        static_cast<void>(s.world.addComponent(odd, *s.registry.find("Still"), nullptr));
        s.recorder.setEnabled(recorded);
        const auto reader = recorded ? s.recorder.addReader() : nullptr;
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        segments.reserve(64);
        const auto run = [&](int ticks) {
            for (int i = 0; i < ticks; ++i) {
                s.world.setEnabled(odd, false);
                s.world.setEnabled(odd, true);
                s.world.setEnabled(odd, i % 2 == 0);
                s.world.tick();
                static_cast<void>(s.world.takeMovedByParent());
                s.recorder.seal();
                if (reader)
                    reader->poll(segments);
                segments.clear();
            }
        };
        run(200);
        const Busy& last = *s.world.getComponent<Busy>(parent);
        const int before = last.heard;
        const int alarmsBefore = last.alarms;
        const Still& still = *s.world.getComponent<Still>(odd);
        const int ticksBefore = still.ticks;
        const std::size_t count = Allocations.load();
        run(60);
        const std::size_t made = Allocations.load() - count;
        // All that was raised and queued was heard: by all twenty, five a tick of each.
        return last.heard > before + 60 * 5 && last.alarms == alarmsBefore + 60 * 20 * 5
                       && still.ticks == ticksBefore + 30
                   ? made
                   : ~std::size_t(0);
    }
private slots:
    void aTickAllocatesNothing() { QCOMPARE(steady(false), std::size_t(0)); }
    void norDoesARecordedOne() { QCOMPARE(steady(true), std::size_t(0)); }
    // Names, types and payloads of more than fifteen bytes are looked at where they are.
    void norDoesAFilterOverRecords() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "an_entity_with_quite_a_long_name_1");
        const EntityId b = s.spawn(t, "an_entity_with_quite_a_long_name_2", a);
        s.recorder.setEnabled(true);
        const auto reader = s.recorder.addReader();
        for (int i = 0; i < 50; ++i) {
            s.world.send(a, Hit{i}, b);
            s.world.sendInTicks(b, Hit{i}, 1, a);
            s.world.tick();
        }
        s.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        RecordFilterSchema schema(s.recorder.names(), [](std::uint8_t) { return std::string_view("a world with a long name"); }, 60.0);
        schema.updateTypes();
        for (const char* text : {"to == an_entity_with_quite_a_long_name_1", "from ~ *quite_a_long_name_2", "entity in (an_entity_with_quite_a_long_name_1, x)",
                                 "an_entity_with_quite", "world ~ long and type == test.Hit and fields.amount > 10", "outcome != passed or tick < 1 s"}) {
            const Result<Filter> filter = Filter::compile(text, schema.schema());
            QVERIFY2(filter.ok(), filter.ok() ? "" : filter.error().message.c_str());
            std::size_t matches = 0;
            const std::size_t count = Allocations.load();
            for (const auto& segment : segments)
                for (std::size_t i = 0; i < segment->size(); ++i) {
                    RecordFilterRow row(schema);
                    row.set((*segment)[i]);
                    matches += filter->matches(row) ? 1U : 0U;
                }
            QCOMPARE(Allocations.load() - count, std::size_t(0));
            QVERIFY2(matches > 0, text);
        }
    }
    // Entities come and go in the places of others.
    void bareEntitiesComeAndGo() {
        Stage s;
        const auto t = s.type("Q", {"Quiet"});
        std::vector<EntityId> ids(500);
        const auto round = [&] {
            s.world.createMany(t, ids);
            for (std::size_t i = 0; i < ids.size(); ++i)
                s.world.destroy(ids[i * 7 % ids.size()]);
            s.world.tick();
        };
        round();
        round();
        const std::size_t count = Allocations.load();
        for (int i = 0; i < 10; ++i)
            round();
        QCOMPARE(Allocations.load() - count, std::size_t(0));
    }
};

QTEST_GUILESS_MAIN(TestAllocations)
#include "tst_allocations.moc"
