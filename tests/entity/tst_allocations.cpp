#include <QtTest>

#include "tests/entity/stage.h"
#include "tests/counted_allocations.h"

using namespace sbx;
using namespace sbx::test;

namespace {

struct Tap {
    static constexpr const char* Name = "test.Tap";
    int amount = 0;
    static void describe(FieldList<Tap>& f) { f.add("amount", &Tap::amount, "How much."); }
};

// Sends on every route, every tick, and queues what it will hear later.
struct Busy : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    int heard = 0;
    Subscription listening;
    Busy(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Busy>& b) {
        b.handle<&Busy::onAwake>().handle<&Busy::onUpdate>().handle<&Busy::onTap>().handle<&Busy::onPost>();
    }
    bool onAwake(Awake&) {
        listening = world().listeners().listen<&Busy::overhear>(*this, entity());
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
        const DelayedHandle cancelled = w.sendInTicks(entity(), Tap{1}, 7, entity());
        w.cancel(cancelled);
        Pose pose = w.poseOf(entity());
        pose.position.x += 1.0F;
        w.setPose(entity(), pose);
        return false;
    }
    bool onPost(PostUpdate&) {
        if (world().tickCount() % 8 == 0)
            world().broadcast(Tap{1}, entity());
        return false;
    }
    bool onTap(Tap& m, const Envelope&) {
        heard += m.amount++;
        return false;
    }
    void overhear(const Tap& m) { heard += m.amount; }
};

} // namespace

class TestAllocations : public QObject {
    Q_OBJECT
private:
    // What 60 ticks allocate after 200 to warm up.
    static std::size_t steady(bool recorded) {
        Stage s;
        s.registry.registerComponent<Busy>("Busy");
        const auto t = s.type("T", {"Busy"});
        EntityId parent;
        for (int i = 0; i < 20; ++i)
            parent = s.spawn(t, "e" + std::to_string(i), i % 4 == 0 ? EntityId() : parent);
        s.recorder.setEnabled(recorded);
        const auto reader = recorded ? s.recorder.addReader() : nullptr;
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        segments.reserve(64);
        const auto run = [&](int ticks) {
            for (int i = 0; i < ticks; ++i) {
                s.world.tick();
                static_cast<void>(s.world.takeCarried());
                s.recorder.seal();
                if (reader)
                    reader->poll(segments);
                segments.clear();
            }
        };
        run(200);
        const int before = s.world.getComponent<Busy>(parent)->heard;
        const std::size_t count = Allocations.load();
        run(60);
        const std::size_t made = Allocations.load() - count;
        return s.world.getComponent<Busy>(parent)->heard > before + 60 * 5 ? made : ~std::size_t(0);
    }
private slots:
    void aTickAllocatesNothing() { QCOMPARE(steady(false), std::size_t(0)); }
    void norDoesARecordedOne() { QCOMPARE(steady(true), std::size_t(0)); }
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
