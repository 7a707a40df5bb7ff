// Which handler a thread is in, as a handler of signals would be told.
#include <QtTest>

#include "engine/entity/under_way_report.h"
#include "tests/entity/stage.h"

#include <sys/mman.h>

using namespace sbx;
using namespace sbx::test;

namespace {
std::string words(const UnderWayReport& report) {
    return report.any ? std::string(report.component) + " of " + report.entity + ": " + report.message : "nothing";
}
} // namespace

class TestUnderWay : public QObject {
    Q_OBJECT

private slots:
    void aHandlerIsNamedWhileItRuns() {
        Stage s;
        const EntityId id = s.spawn(s.type("T", {"B", "A", "C"}), "crate");
        std::vector<std::string> seen;
        s.notes.act = [&](Component&, const std::string&) { seen.push_back(words(describeUnderWay())); };
        s.world.send(id, Hit{1});
        QCOMPARE(seen, (std::vector<std::string>{"B of crate: test.Hit", "A of crate: test.Hit", "C of crate: test.Hit"}));
        QCOMPARE(words(describeUnderWay()), std::string("nothing"));
    }

    // Each way a message can take.
    void whicheverWayTheMessageTook() {
        Stage s;
        s.recorder.setEnabled(true);
        const auto type = s.type("T", {"A"});
        const EntityId one = s.spawn(type, "one");
        const EntityId two = s.spawn(type, "two", one);
        static_cast<void>(two);
        std::vector<std::string> seen;
        const auto watch = [&] {
            s.notes.act = [&](Component& c, const std::string&) {
                const UnderWayReport report = describeUnderWay();
                seen.push_back(words(report));
                QCOMPARE(std::string(report.entity), s.world.nameOf(c.entity()));
            };
        };
        for (const bool recorded : {true, false}) {
            s.recorder.setEnabled(recorded);
            seen.clear();
            watch();
            s.world.send(one, Hit{1});
            s.world.broadcast(Hit{1});
            s.world.sendToType(*type, Hit{1});
            s.world.send(one, Shout{});
            s.world.send(two, Plea{});
            s.world.sendInTicks(one, Hit{1}, 1);
            s.notes.act = nullptr;
            s.world.tick();
            QCOMPARE(seen, (std::vector<std::string>{"A of one: test.Hit", "A of one: test.Hit", "A of two: test.Hit",
                                                     "A of one: test.Hit", "A of two: test.Hit", "A of one: test.Shout",
                                                     "A of two: test.Shout", "A of two: test.Plea", "A of one: test.Plea"}));
        }
    }

    // Back from a message that it sent, a handler is under way again.
    void whatItSendsTakesItsTurn() {
        Stage s;
        const auto type = s.type("T", {"A"});
        const EntityId inner = s.spawn(type, "inner");
        const EntityId outer = s.spawn(type, "outer");
        std::vector<std::string> seen;
        s.notes.act = [&](Component& c, const std::string&) {
            seen.push_back(words(describeUnderWay()));
            if (c.entity() != outer)
                return;
            c.world().send(inner, Hit{1}, outer);
            seen.push_back(words(describeUnderWay()));
            c.world().broadcast(Shout{});
        };
        s.world.send(outer, Hit{1});
        QCOMPARE(seen[0], std::string("A of outer: test.Hit"));
        QCOMPARE(seen[1], std::string("A of inner: test.Hit"));
        QCOMPARE(seen[2], std::string("A of outer: test.Hit"));
        QCOMPARE(words(describeUnderWay()), std::string("nothing"));
    }

    void anEntityWithoutANameIsNamedByItsType() {
        Stage s;
        const EntityId id = s.world.create(s.type("Crate", {"A"}));
        std::string seen;
        s.notes.act = [&](Component&, const std::string&) { seen = words(describeUnderWay()); };
        s.world.send(id, Hit{1});
        QCOMPARE(seen, "A of Crate #" + std::to_string(id.index()) + ": test.Hit");
    }

    void aListenerIsOne() {
        Stage s;
        const EntityId owner = s.spawn(s.type("T", {"Quiet"}), "ears");
        struct Hearing {
            std::string seen;
            void onHit(const Hit&) { seen = words(describeUnderWay()); }
        } hearing;
        const Subscription held = s.world.listeners().listen<&Hearing::onHit>(hearing, owner);
        s.world.sendToListeners(Hit{1});
        QCOMPARE(hearing.seen, std::string("a listener of ears: a message"));
        QCOMPARE(words(describeUnderWay()), std::string("nothing"));
    }

    // As a plugin notes it. Where a note outlives what it names, nothing is said, and nothing is touched that is gone.
    void aNoteIsBelievedAsLongAsItsWorldIsThere() {
        HandlerEntry entry;
        entry.origin = internOrigin("Spring", "Update", "/plugins/springs", 0);
        struct {
            const World* world;
            EntityId entity;
        } owner{};
        {
            Stage s;
            owner = {&s.world, s.spawn(s.type("T", {"Quiet"}), "coil")};
            const UnderWayScope note(&entry, &owner);
            const UnderWayReport report = describeUnderWay();
            QCOMPARE(words(report), std::string("Spring of coil: Update"));
            QCOMPARE(std::string(report.plugin), std::string("/plugins/springs"));
            // What the engine does for it meanwhile is the engine's.
            const EntityId other = s.spawn(s.type("T2", {"A"}), "other");
            std::string seen;
            s.notes.act = [&](Component&, const std::string&) { seen = words(describeUnderWay()); };
            s.world.send(other, Hit{1});
            QCOMPARE(seen, std::string("A of other: test.Hit"));
            QCOMPARE(words(describeUnderWay()), std::string("Spring of coil: Update"));
        }
        const UnderWayScope stale(&entry, &owner);
        QCOMPARE(words(describeUnderWay()), std::string("nothing"));
        const UnderWayScope wild(reinterpret_cast<const HandlerEntry*>(std::uintptr_t(16)), nullptr);
        QCOMPARE(words(describeUnderWay()), std::string("nothing"));
    }

    // One handler of two components, by their base: the thunk is the same.
    void aHandlerOfABaseNamesBoth() {
        Stage s;
        struct Two : Quiet {
            using Quiet::Quiet;
            static void describe(ComponentBuilder<Two>& b) { b.handle<&Two::onHit>(); }
        };
        s.registry.registerComponent<Two>("Two");
        for (const HandlerDescription& handler : s.registry.find("Two")->handlers) {
            const HandlerOrigin* const origin = originOfThunk(reinterpret_cast<const void*>(handler.alone));
            QVERIFY(origin != nullptr);
            QCOMPARE(std::string(origin->component), std::string("Quiet or Two"));
        }
    }

    void readsWhatIsThereAlone() {
        const std::size_t page = 4096;
        auto* const memory = static_cast<char*>(
            ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        memory[page - 1] = 'x';
        ::munmap(memory + page, page);
        char to[2] = {};
        QVERIFY(readIfThere(to, memory + page - 1, 1));
        QCOMPARE(to[0], 'x');
        QVERIFY(!readIfThere(to, memory + page - 1, 2));
        QVERIFY(!readIfThere(to, nullptr, 1));
        ::munmap(memory, page);
    }
};

QTEST_GUILESS_MAIN(TestUnderWay)
#include "tst_under_way.moc"
