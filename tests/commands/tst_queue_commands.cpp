#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/entity/event_hub.h"
#include "engine/session/session.h"

using namespace sbx;

namespace {

struct Poke {
    static constexpr const char* Name = "test.Poke";
    int amount = 0;
    static void describe(FieldList<Poke>& f) { f.add("amount", &Poke::amount, "How much."); }
};
struct Nothing : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    int pokes = 0;
    Nothing(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Nothing>& b) { b.handle<&Nothing::onPoke>(); }
    bool onPoke(const Poke& m) { return pokes += m.amount, false; }
};

struct Room {
    Log log;
    ComponentRegistry registry;
    Session session{log, addQueueCommands};
    World* world = nullptr;
    EntityId ann;
    EntityId bob;
    Room() {
        registry.registerComponent<Nothing>("Nothing");
        begin();
    }
    // Another world, with entities of the same names.
    void begin() {
        session.stop();
        session.play();
        world = &session.world();
        EntityTypeInfo info;
        info.name = "T";
        const auto type = std::make_shared<EntityType>(
            info, std::vector<ComponentSpec>{{registry.find("Nothing"), registry.find("Nothing")->makeSettings(nullptr)}});
        SpawnRequest request;
        request.type = type;
        request.name = "ann";
        ann = world->spawn(request);
        request.name = "bob";
        bob = world->spawn(request);
        session.publish(); // completion offers the names of what was published
    }
    std::string say(const std::string& line) {
        const ConsoleReply reply = session.execute(line);
        std::string out;
        for (const std::string& each : reply.lines)
            out += (out.empty() ? "" : "\n") + each;
        return out;
    }
    std::vector<std::string> offered(const std::string& line) {
        std::vector<std::string> out;
        for (const CompletionCandidate& each : session.console().complete(line, line.size()).candidates)
            out.push_back(each.text);
        return out;
    }
    int pokes(EntityId id) { return world->getComponent<Nothing>(id)->pokes; }
};

bool has(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

} // namespace

class TestQueueCommands : public QObject {
    Q_OBJECT
private slots:
    void whatWaitsIsListedInOrderAndTakenBack() {
        Room r;
        QCOMPARE(r.say("list queue"), std::string("none"));
        QVERIFY(EventHub(*r.world).declare("Tide", {{"height", FieldType::Float, "How high.", "m"}}));
        r.world->sendInTicks(r.ann, Poke{1}, 30);
        r.world->sendInTicks(r.bob, Poke{20}, 10, r.ann, -2, 3);
        QVERIFY(EventHub(*r.world).raiseLater(20, 0, "Tide", {{"height", 2.5}}));
        Poke all{300};
        r.world->sendLaterRaw({}, messageIdOf<Poke>(), &all, sizeof all, 40, {}, 0, Delivery::Broadcast);
        r.world->sendLaterRaw(r.ann, messageIdOf<Poke>(), &all, sizeof all, 50, {}, 0, Delivery::Children);
        QCOMPARE(r.say("list queue"),
                 std::string("1  tick 10  test.Poke  to bob             {\"amount\":20}   from ann, priority -2, minimum 3\n"
                             "2  tick 20  Tide       to listeners       {\"height\":2.5}\n"
                             "3  tick 30  test.Poke  to ann             {\"amount\":1}\n"
                             "4  tick 40  test.Poke  to all             {\"amount\":300}\n"
                             "5  tick 50  test.Poke  to ann (children)  {\"amount\":300}"));
        const auto listed = [&](const std::string& filter) {
            std::string numbers;
            const std::string lines = r.say("list queue " + filter);
            for (std::size_t at = 0; at < lines.size(); at = std::min(lines.find('\n', at), lines.size() - 1) + 1)
                numbers += lines[at];
            return numbers;
        };
        QCOMPARE(listed("type == test.Poke and to == ann"), std::string("35"));
        QCOMPARE(listed("due < 0.5s"), std::string("12"));
        QCOMPARE(listed("tide"), std::string("2"));
        QCOMPARE(listed("delivery == broadcast or from == ann"), std::string("14"));
        QCOMPARE(listed("priority < 0 and minimum == 3"), std::string("1"));
        QVERIFY(r.say("list queue sort == x").find("no field sort") != std::string::npos);
        QCOMPARE(r.say("cancel 2 3"), std::string("cancelled 2: Tide\ncancelled 3: test.Poke to ann"));
        QCOMPARE(r.say("cancel 3"), std::string("error: nothing waits by the number 3; list queue shows what does"));
        QCOMPARE(r.say("cancel 3x"), std::string("error: nothing waits by the number 3x; list queue shows what does"));
        // Numbers stay, and what comes gets a new one though it lies where another lay.
        r.world->sendInTicks(r.bob, Poke{4000}, 5);
        QCOMPARE(listed(""), std::string("6145"));
        QCOMPARE(r.say("cancel 5 6"), std::string("cancelled 5: test.Poke to ann\ncancelled 6: test.Poke to bob"));
        for (int i = 0; i < 60; ++i)
            r.world->tick();
        QCOMPARE(r.pokes(r.ann), 300);
        QCOMPARE(r.pokes(r.bob), 320);
        r.world->sendInTicks(r.bob, Poke{1}, 5);
        r.world->sendInTicks(r.bob, Poke{1}, 6);
        QCOMPARE(r.say("cancel all"), std::string("cancelled 2"));
        QCOMPARE(r.world->queue().size(), std::size_t(0));
    }
    // The same handle in another world is another message.
    void aNumberOutlivesNoWorld() {
        Room r;
        r.world->sendInTicks(r.ann, Poke{1}, 30);
        QCOMPARE(r.say("list queue"), std::string("1  tick 30  test.Poke  to ann  {\"amount\":1}"));
        r.begin();
        r.world->sendInTicks(r.ann, Poke{500}, 30);
        QVERIFY(!has(r.offered("cancel "), "2"));
        QCOMPARE(r.say("cancel 1"), std::string("error: nothing waits by the number 1; list queue shows what does"));
        QCOMPARE(r.say("list queue"), std::string("2  tick 30  test.Poke  to ann  {\"amount\":500}"));
        QCOMPARE(r.say("cancel 1"),
                 std::string("error: nothing waits by the number 1; list queue shows what does"));
        QCOMPARE(r.say("cancel 2"), std::string("cancelled 2: test.Poke to ann"));
    }
    void aLongQueueIsCutShort() {
        Room r;
        for (std::uint64_t i = 1; i <= 1000; ++i)
            r.world->sendInTicks(r.ann, Poke{1}, i);
        const std::string lines = r.say("list queue");
        QVERIFY(lines.ends_with("\nand 800 more; a filter shows others"));
        // What nobody saw has no number.
        QCOMPARE(r.say("cancel 900"),
                 std::string("error: nothing waits by the number 900; list queue shows what does"));
        QCOMPARE(r.say("list queue due == 900"),
                 std::string("201  tick 900  test.Poke  to ann  {\"amount\":1}"));
        QCOMPARE(r.say("cancel 201 200"),
                 std::string("cancelled 201: test.Poke to ann\ncancelled 200: test.Poke to ann"));
        QCOMPARE(r.say("cancel 200"),
                 std::string("error: nothing waits by the number 200; list queue shows what does"));
        QCOMPARE(r.say("list queue due >= 899 and due <= 901"),
                 std::string("202  tick 899  test.Poke  to ann  {\"amount\":1}\n"
                             "203  tick 901  test.Poke  to ann  {\"amount\":1}"));
        QCOMPARE(r.say("cancel all"), std::string("cancelled 998"));
    }
    void completion() {
        Room r;
        r.world->sendInTicks(r.ann, Poke{1}, 30);
        r.world->sendInTicks(r.ann, Poke{1}, 40);
        QVERIFY(has(r.offered("cancel "), "all"));
        QVERIFY(!has(r.offered("cancel "), "1"));
        r.say("list queue");
        QVERIFY(has(r.offered("cancel "), "1") && has(r.offered("cancel "), "2"));
        QVERIFY(has(r.offered("list "), "queue"));
        QVERIFY(has(r.offered("list queue d"), "due ") && has(r.offered("list queue type == test.Po"), "test.Poke "));
        QVERIFY(has(r.offered("list queue to == a"), "ann "));
    }
};

QTEST_GUILESS_MAIN(TestQueueCommands)
#include "tst_queue_commands.moc"
