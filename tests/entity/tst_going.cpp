// Entities go: bare ones of whose end nobody wants to know take ways of their own, and must go as all others do.

#include <QtTest>

#include "engine/message/record_reader.h"
#include "tests/entity/stage.h"

#include <numeric>
#include <random>

using namespace sbx;
using namespace sbx::test;

namespace {

// Writes down that it ends, and takes others with it.
struct Mortal : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    struct Story {
        std::vector<int> ended;
        std::vector<int> updated;
    };
    Settings settings;
    int number = 0;
    EntityId heir;
    Mortal(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    ~Mortal() {
        world().service<Story>().ended.push_back(number);
        if (heir)
            world().destroy(heir);
    }
    static void describe(ComponentBuilder<Mortal>& b) { b.handle<&Mortal::onHit>(); }
    bool onHit(const Hit&) { return false; }
};
// The same, and takes part in phases.
struct Busy : Mortal {
    using Mortal::Mortal;
    static void describe(ComponentBuilder<Busy>& b) { b.handle<&Busy::onHit>().handle<&Busy::onUpdate>(); }
    bool onUpdate(const Update&) { return world().service<Story>().updated.push_back(number), false; }
};

struct Maker : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    std::function<void()> atTheEnd;
    Maker(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    ~Maker() {
        if (atTheEnd)
            atTheEnd();
    }
    static void describe(ComponentBuilder<Maker>&) {}
};

// Sixty that go one after the other, or all at once, between ticks, in a handler and in a tick.
struct Play : Stage {
    Mortal::Story story;
    std::vector<EntityId> ids;
    std::mt19937 random;
    Lines told;

    Play(unsigned seed, bool bare) : random(seed) {
        world.provide(story);
        const auto type = [&](const char* name, const ComponentType& part) {
            return typeOf(name, {{&part, part.makeSettings(nullptr)}});
        };
        const auto still = type("M", registry.registerComponent<Mortal>("Mortal"));
        const auto busy = type("U", registry.registerComponent<Busy, Mortal>("Busy"));
        const EntityId actor = spawn(this->type("T", {"A"}), "actor");
        for (int i = 0; i < 60; ++i) {
            const auto& t = i % 3 == 0 ? busy : still;
            ids.push_back(bare ? world.create(t) : spawn(t, "m" + std::to_string(i)));
            world.getComponent<Mortal>(ids.back())->number = i;
            if (random() % 4 == 0) // before itself too
                world.getComponent<Mortal>(ids.back())->heir = ids[random() % ids.size()];
        }
        world.tick();
        notes.act = [this](Component&, const std::string& line) {
            if (line == "actor.A Hit1" || line == "actor.A PreUpdate" || line == "actor.A Update")
                some(line);
        };
        for (int round = 0; round < 4; ++round) {
            some("between");
            world.send(actor, Hit{1});
            tell("after the handler");
            world.tick();
            tell("after the tick");
        }
        notes.act = nullptr;
    }
    ~Play() { world.clear(); }
    // Some go, some twice, and a message reaches whoever is still there.
    void some(const std::string& where) {
        for (int i = 0; i < 3; ++i)
            world.destroy(ids[random() % ids.size()]);
        std::vector<EntityId> several;
        for (int i = 0; i < 3; ++i)
            several.push_back(ids[random() % ids.size()]);
        world.destroyMany(several);
        tell(where);
    }
    void tell(const std::string& where) {
        std::string line = where + ": ended";
        for (const int number : std::exchange(story.ended, {}))
            line += " " + std::to_string(number);
        line += "; updated";
        for (const int number : std::exchange(story.updated, {}))
            line += " " + std::to_string(number);
        line += "; there";
        for (const EntityId id : ids)
            line += !world.alive(id) ? "-" : world.find(id).dying() ? "d" : "x";
        told.push_back(line + "; heard by " + std::to_string(world.broadcast(Hit{0}).receivers));
    }
};

} // namespace

class TestGoing : public QObject {
    Q_OBJECT
private slots:
    // The long way, of those that have a name and a place, is the model.
    void bareOnesGoAsNamedOnes() {
        for (unsigned seed = 1; seed <= 200; ++seed) {
            const Play bare(seed, true);
            const Play named(seed, false);
            QVERIFY2(bare.told == named.told, ("seed " + std::to_string(seed) + "\nbare:\n"
                                               + textOf(bare.told) + "named:\n" + textOf(named.told))
                                                  .c_str());
        }
    }
    // In a handler they are there until it is through, then their places are taken again from the lowest on.
    void inAHandlerTheyWait() {
        Stage s;
        const auto t = s.type("Q", {"Quiet"});
        const EntityId actor = s.spawn(s.type("T", {"A"}), "actor");
        std::vector<EntityId> many(1000);
        s.world.createMany(t, many);
        std::shuffle(many.begin(), many.end(), std::mt19937(1));
        std::size_t there = 0;
        unsigned heard = 0;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line != "actor.A Hit1")
                return;
            for (std::size_t i = 0; i < 500; ++i)
                c.world().destroy(many[i]);
            there = c.world().entityCount();
            heard = c.world().sendToType(*t, Hit{0}).receivers;
            c.world().setPose(many[0], {}); // it has a place now, and goes all the same
        };
        s.world.send(actor, Hit{1});
        QCOMPARE(there, std::size_t(1001));
        QCOMPARE(heard, 1000U);
        QCOMPARE(s.world.entityCount(), std::size_t(501));
        std::uint32_t lowest = 0xFFFFFFFF;
        for (std::size_t i = 0; i < 500; ++i) {
            QVERIFY(!s.world.alive(many[i]));
            lowest = std::min(lowest, many[i].index());
        }
        QCOMPARE(s.world.create(t).index(), lowest);
    }
    // A removed component ends before the place of its entity is another's, whose component would end in its stead.
    void removedComponentsEndBeforeTheirPlaceIsTaken() {
        Mortal::Story story;
        Stage s;
        s.world.provide(story);
        s.registry.registerComponent<Mortal>("Mortal");
        s.registry.registerComponent<Maker>("Maker");
        const auto t = s.type("M", {"Mortal", "Quiet"});
        s.spawn(s.type("T", {"A"}), "actor");
        const EntityId maker = s.spawn(s.type("H", {"Maker"}), "maker");
        const EntityId a = s.spawn(t, "a");
        s.world.getComponent<Mortal>(a)->number = 1;
        EntityId made;
        s.world.getComponent<Maker>(maker)->atTheEnd = [&] {
            made = s.world.create(t);
            s.world.getComponent<Mortal>(made)->number = 2;
        };
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line != "actor.A Hit1")
                return;
            QVERIFY(c.world().removeComponent(a, "Mortal"));
            c.world().destroy(maker);
            c.world().destroy(a); // the last goes first
        };
        s.world.send(s.world.find("actor").id(), Hit{1});
        QVERIFY(s.world.alive(made) && !s.world.alive(a));
        QCOMPARE(story.ended, std::vector<int>{1});
        QCOMPARE(s.world.getComponent<Mortal>(made)->number, 2);
        s.world.clear();
        QCOMPARE(story.ended, (std::vector<int>{1, 2}));
    }
    // Each takes the next with it as it ends: they do not end within one another.
    void aMillionThatFollowOneAnother() {
        Mortal::Story story;
        Stage s;
        s.world.provide(story);
        const ComponentType& mortal = s.registry.registerComponent<Mortal>("Mortal");
        const auto t = Stage::typeOf("M", {{&mortal, mortal.makeSettings(nullptr)}});
        std::vector<EntityId> all(1'000'000);
        s.world.createMany(t, all);
        for (std::size_t i = 0; i < all.size(); ++i) {
            Mortal* const one = s.world.getComponent<Mortal>(all[i]);
            one->number = static_cast<int>(i);
            if (i + 1 < all.size())
                one->heir = all[i + 1];
        }
        s.world.destroy(all[0]);
        QCOMPARE(s.world.entityCount(), std::size_t(0));
        std::vector<int> inOrder(all.size());
        std::iota(inOrder.begin(), inOrder.end(), 0);
        QVERIFY(story.ended == inOrder);
    }
    // Whoever records the ends of entities sees theirs too.
    void theTraceTellsOfTheirEnd() {
        Stage s;
        const auto reader = s.recorder.addReader();
        s.recorder.setRecorded(messageIdOf<OnDestroy>(), true);
        const auto t = s.type("Q", {"Quiet"});
        const EntityId actor = s.spawn(s.type("T", {"A"}), "actor");
        std::vector<EntityId> many(4);
        s.world.createMany(t, many);
        s.recorder.setEnabled(true);
        const EntityId later = s.world.create(t);
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "actor.A Hit1")
                c.world().destroy(many[0]);
        };
        s.world.send(actor, Hit{1});
        s.world.destroy(many[1]);
        s.world.destroyMany(std::span(many).subspan(2));
        s.world.destroy(later);
        s.recorder.setEnabled(false);
        s.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        std::size_t ends = 0;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i)
                ends += (*segment)[i].type() == messageIdOf<OnDestroy>();
        QCOMPARE(ends, std::size_t(5));
        QCOMPARE(s.world.entityCount(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(TestGoing)
#include "tst_going.moc"
