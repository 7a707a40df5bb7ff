// Handlers without measure: recursion, storms, their own end, handles that nobody gave.
#include <QtTest>

#include "engine/message/trace_json.h"
#include "tests/entity/loud.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <stdexcept>

using namespace sbx;
using namespace sbx::test;

namespace {

// Sends so many hits in each Update.
struct Sender : Component {
    struct Settings {
        int hits = 20'000;
        EntityId to;
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    std::uint64_t sent = 0;
    std::uint64_t reached = 0;
    Sender(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Sender>& b) {
        b.repeatable().handle<&Sender::on<Update>>().handle<&Sender::on<Shout>>();
    }
    template <typename M> bool on(const M&) {
        for (int i = 0; i < settings.hits; ++i, ++sent)
            reached += world().send(settings.to, Hit{1}).receivers;
        return false;
    }
};

// Throws at the number thirteen.
struct Superstitious : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    Superstitious(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Superstitious>& b) { b.handle<&Superstitious::onHit>(); }
    bool onHit(const Hit& m) {
        if (m.amount == 13)
            throw std::runtime_error("out of luck");
        return false;
    }
};

// What a process says that does no more than this, and the signal that ended it; 0: none did.
std::pair<std::string, int> wordsOf(const std::function<void()>& act) {
    int ends[2] = {};
    if (::pipe(ends) != 0)
        return {"no pipe", 0};
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        ::signal(SIGABRT, SIG_DFL);
        ::dup2(ends[1], STDERR_FILENO);
        act();
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string said;
    char buffer[512];
    for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        said.append(buffer, static_cast<std::size_t>(count));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return {said, WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

struct Senders : Stage {
    EntityId to;
    std::vector<EntityId> all;
    Senders() {
        registry.registerComponent<Sender>("Sender");
        to = spawn(type("Target", {"Quiet"}), "to");
    }
    // With so many senders, each of so many hits.
    std::shared_ptr<const EntityType> senderType(const std::string& name, int hits, std::size_t senders = 1) {
        const auto its = settings<Sender>([&](Sender::Settings& x) {
            x.hits = hits;
            x.to = to;
        });
        return typeOf(name, std::vector<ComponentSpec>(senders, {registry.find("Sender"), its}));
    }
    void make(const std::shared_ptr<const EntityType>& type, int count) {
        for (int i = 0; i < count; ++i)
            all.push_back(spawn(type, "s" + std::to_string(all.size())));
    }
    // Of all senders of an entity.
    std::uint64_t reached(EntityId id) {
        std::uint64_t sum = 0;
        world.eachComponent<Sender>(id, [&](const Sender& sender) { sum += sender.reached; });
        return sum;
    }
    std::size_t linesOfCuts() const {
        std::size_t lines = 0;
        for (const LogRecord& record : log.since(0))
            if (record.text.find("one message set off 1000000 others") != std::string::npos)
                lines += record.count;
        return lines;
    }
};

} // namespace

class TestLimits : public QObject {
    Q_OBJECT
private slots:
    // -------------------------------------------------------------------------------------------- hostile
    void tenThatAnswerEachOtherAreCut() {
        Stage s;
        Loud loud(s);
        const std::vector<EntityId> ring = ringOfTen(s);
        s.notes.take();
        s.world.send(ring[0], Hit{1});
        QCOMPARE(s.notes.take().size(), std::size_t(World::MaxDepth));
        QCOMPARE(s.world.measurements().undelivered, std::uint64_t(1));
        QVERIFY(
            s.said().back().find("test.Hit to r8 dropped: 128 messages are being handled inside one another")
            == 8);
        QCOMPARE(countNotes(s, loud, RecordNote::CutOff), 1);
        s.world.tick(); // and the world goes on
    }
    void aHandlerThatDestroysItself() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A", "C"}), "a");
        s.notes.take();
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A Hit2")
                c.world().destroy(c.entity());
        };
        QCOMPARE(s.world.send(a, Hit{2}).receivers, 1U);
        QCOMPARE(s.notes.take(),
                 (Lines{"a.A Hit2", "a.A OnDisable", "a.C OnDisable", "a.A OnDestroy", "a.C OnDestroy",
                        "a.C Hit1"})); // the dispatch that is under way goes on
        QVERIFY(!s.world.alive(a));
        QCOMPARE(s.notes.alive, 0);
        QCOMPARE(s.world.send(a, Hit{2}).receivers, 0U);
    }
    void aStormOfAMillionInOneTick() {
        Stage s;
        const auto t = s.type("T", {"Quiet", "A"});
        const EntityId a = s.spawn(t, "a");
        Loud loud(s);
        std::uint64_t sent = 0;
        std::uint64_t reached = 0;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line != "a.A Update" || sent > 0)
                return;
            Component& quiet = *c.world().getComponent<Quiet>(a);
            for (int i = 0; i < 1'100'000; ++i) {
                ++sent;
                reached += c.world().send(quiet, Hit{1}).receivers;
            }
        };
        s.world.tick();
        QCOMPARE(sent, std::uint64_t(1'100'000));
        // What one message may set off is bounded, said once and noted; everything before got there.
        QCOMPARE(reached, World::MaxNested);
        QCOMPARE(static_cast<std::uint64_t>(s.world.getComponent<Quiet>(a)->hits), reached);
        QCOMPARE(s.world.measurements().undelivered, sent - reached);
        std::size_t records = 0;
        int cut = 0;
        for (const auto& segment : loud.take(s))
            for (std::size_t i = 0; i < segment->size(); ++i) {
                ++records;
                cut += (*segment)[i].note() == RecordNote::CutOff ? 1 : 0;
            }
        QCOMPARE(records, static_cast<std::size_t>(reached) + 1);
        QCOMPARE(cut, 1);
        s.notes.take();
        s.world.tick();
        QCOMPARE(s.notes.take().size(), std::size_t(4));
    }
    void forgedHandlesNameNobody() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "a");
        s.world.destroy(a);
        const EntityId next(a.index(), a.generation() + 1); // whom the slot would name next
        QVERIFY(!s.world.alive(next));
        QCOMPARE(s.world.send(next, Hit{1}).receivers, 0U);
        s.recorder.setEnabled(true);
        QCOMPARE(s.world.send(next, Hit{1}).receivers, 0U);
        s.world.destroy(next);
        s.world.setEnabled(next, false);
        QVERIFY(!s.world.setParent(next, {}));
        QCOMPARE(s.world.send(EntityId::fromBits(~0ULL), Hit{1}).receivers, 0U);
        QCOMPARE(s.world.send(EntityId(), Hit{1}).receivers, 0U);
    }
    // What one message may set off is counted by who hears it, not by the places that were looked at.
    void emptyPlacesAreNotCounted() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        std::size_t heard = 0;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A Hit1")
                for (int i = 0; i < 50'000; ++i)
                    heard += c.world().broadcast(Hit{2}).receivers;
            s.notes.lines.clear();
        };
        s.world.send(a, Hit{1});
        QCOMPARE(heard, std::size_t(50'000));
        QCOMPARE(s.world.measurements().undelivered, std::uint64_t(0));
    }
    // Nothing is half done: the program ends, in words, whichever way the message went.
    void aHandlerThatThrowsEndsTheProgram_data() {
        QTest::addColumn<QString>("route");
        QTest::addColumn<bool>("recorded");
        for (const char* route : {"sent", "to the first", "to a component", "to all", "within a handler"})
            for (const bool recorded : {false, true})
                QTest::addRow("%s%s", route, recorded ? ", recorded" : "") << route << recorded;
    }
    void aHandlerThatThrowsEndsTheProgram() {
        QFETCH(QString, route);
        QFETCH(bool, recorded);
        Stage s;
        s.registry.registerComponent<Superstitious>("Superstitious");
        const bool first = route == QStringLiteral("to the first");
        const EntityId a = s.spawn(
            first ? s.type("T", {"Superstitious", "Quiet"}) : s.type("T", {"Quiet", "Superstitious"}), "a");
        const EntityId teller = s.spawn(s.type("Teller", {"A"}), "teller");
        s.recorder.setEnabled(recorded);
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "teller.A Hit7")
                c.world().send(a, Hit{13});
        };
        const auto act = [&](int amount) {
            if (route == QStringLiteral("to a component"))
                s.world.sendToComponent<Superstitious>(a, Hit{amount});
            else if (route == QStringLiteral("to all"))
                s.world.broadcast(Hit{amount});
            else if (route == QStringLiteral("within a handler"))
                s.world.send(teller, Hit{amount == 13 ? 7 : amount});
            else
                s.world.send(a, Hit{amount});
        };
        const auto [said, signal] = wordsOf([&] { act(13); });
        QVERIFY2(said.find("contract violated: ") != std::string::npos
                     && said.find("Superstitious threw while it handled test.Hit: out of luck")
                            != std::string::npos,
                 said.c_str());
        QCOMPARE(signal, SIGABRT);
        QCOMPARE(wordsOf([&] { act(12); }).second, 0);
    }
    // What one message may set off is what its entity sends, however many hear of the same with it.
    void entitiesShareNoLimit_data() {
        QTest::addColumn<int>("types");
        QTest::addColumn<bool>("recorded");
        QTest::newRow("of one type") << 1 << false;
        QTest::newRow("of 64 types") << 64 << false;
        QTest::newRow("of one type, recorded") << 1 << true;
    }
    void entitiesShareNoLimit() {
        QFETCH(int, types);
        QFETCH(bool, recorded);
        Senders s;
        for (int i = 0; i < types; ++i)
            s.make(s.senderType("S" + std::to_string(i), 20'000), 64 / types);
        if (recorded) {
            s.recorder.setRecorded(messageIdOf<Update>(), true);
            s.recorder.setRecorded(messageIdOf<Hit>(), false);
            s.recorder.setEnabled(true);
        }
        s.world.tick();
        for (const EntityId id : s.all)
            QCOMPARE(s.reached(id), std::uint64_t(20'000));
        QCOMPARE(s.world.measurements().undelivered, std::uint64_t(0));
        // A broadcast likewise, from outside.
        s.world.broadcast(Shout{});
        for (const EntityId id : s.all)
            QCOMPARE(s.reached(id), std::uint64_t(40'000));
        // One that comes from one message is of what that sets off.
        std::uint64_t reached = 0;
        const EntityId teller = s.spawn(s.type("Teller", {"A"}), "teller");
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "teller.A Hit7")
                c.world().broadcast(Shout{});
        };
        s.world.send(teller, Hit{7});
        for (const EntityId id : s.all)
            reached += s.reached(id) - 40'000;
        // Beside the hits: who heard the broadcast, and one Hit that the teller had from none of them.
        QVERIFY(reached < World::MaxNested && reached > World::MaxNested - 256);
        QCOMPARE(s.linesOfCuts(), std::size_t(1));
    }
    // Each is cut by itself, exactly, and said once; the components of one entity, whose turns come apart, are one message's.
    void eachIsCutByItself() {
        Senders s;
        s.make(s.senderType("Pair", 600'000, 2), 2);
        s.make(s.senderType("One", 1'000'005), 1);
        s.make(s.senderType("Few", 999'999), 1);
        s.world.tick();
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(s.reached(s.all[i]), World::MaxNested);
        QCOMPARE(s.reached(s.all[3]), std::uint64_t(999'999));
        QCOMPARE(s.world.measurements().undelivered, std::uint64_t(2 * 200'000 + 5));
        QCOMPARE(s.linesOfCuts(), std::size_t(3));
    }
};

QTEST_GUILESS_MAIN(TestLimits)
#include "tst_limits.moc"
