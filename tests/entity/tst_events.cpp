#include <QtTest>

#include "engine/entity/event_hub.h"
#include "engine/message/trace_json.h"
#include "tests/entity/stage.h"

using namespace sbx;
using namespace sbx::test;

namespace {

struct Ears {
    std::vector<std::string> heard;
    void onEvent(const Event& event) {
        std::string line = event.name();
        for (const FieldInfo& field : *messageType(event.envelope().type).fields)
            if (field.name == "number")
                line += " " + std::to_string(event.get<std::int64_t>("number"));
        heard.push_back(line);
    }
    void onAll(const Event& event) {
        radius = event.get<double>("radius");
        at = event.get<Vec3>("at");
        words = event.get<std::string>("words");
        loud = event.get<bool>("loud");
        kind = event.get<std::string>("kind");
        who = event.get<EntityId>("who");
        sender = event.envelope().sender;
    }
    double radius = 0;
    Vec3 at{0.0F};
    std::string words;
    bool loud = false;
    std::string kind;
    EntityId who;
    EntityId sender;
};

// Known to the program from its first use on.
struct Late {
    static constexpr const char* Name = "test.Late";
    static void describe(FieldList<Late>&) {}
};

const std::vector<EventParameter> Everything = {
    {"radius", FieldType::Float, "How far it reaches.", "m"},
    {"at", FieldType::Vector3, "Where."},
    {"words", FieldType::String, "What is said."},
    {"loud", FieldType::Bool, "Heard everywhere."},
    {"kind", FieldType::Enum, "With what.", {}, {"fire", "ice"}},
    {"who", FieldType::Entity, "Who began it."},
};

template <typename T> std::string errorOf(const Result<T>& result) {
    return result.ok() ? std::string() : result.error().message;
}

// A library that is loaded for the length of the test, and built as often as `build` is called.
struct Library {
    std::string owner;
    [[nodiscard]] std::uint32_t build() const {
        MessageTypeImport import(owner, {});
        import.keep();
        return import.number();
    }
};

// Notes what a build that knows of `rain` asks for, as a number, and whether that is strong.
struct Keeper {
    std::vector<std::string> heard;
    void onOld(const Event& event) {
        heard.push_back("old " + formatDouble(event.get<double>("speed")) + " "
                        + std::to_string(event.get<std::int64_t>("force")));
    }
    void onNew(const Event& event) {
        heard.push_back("new " + formatDouble(event.get<double>("speed")) + " "
                        + formatDouble(event.get<double>("force")) + " "
                        + (event.get<bool>("rain") ? "wet" : "dry"));
    }
};

const std::vector<EventParameter> OldStorm = {{"speed", FieldType::Float, "Of the wind."},
                                              {"force", FieldType::Int, "By the scale."}};
const std::vector<EventParameter> NewStorm = {{"rain", FieldType::Bool, "Comes with it."},
                                              {"speed", FieldType::Float, "Of the wind."},
                                              {"force", FieldType::Float, "By the finer scale."}};

struct Hub : Stage {
    EventHub events{world};
    Ears ears;
    Hub() {
        QVERIFY(events.declare("Explosion", Everything, "Something bursts.").ok());
        QVERIFY(events.declare("Count", {{"number", FieldType::Int, "Which."}}).ok());
        QVERIFY(events.declare("Alarm", {}).ok());
    }
    void count(std::int64_t number, std::uint64_t ticks, int priority) {
        QVERIFY(events.raiseLater(ticks, priority, "Count", {{"number", number}}).ok());
    }
};

} // namespace

class TestEvents : public QObject {
    Q_OBJECT
private slots:
    void parametersArriveAsRaised() {
        Hub h;
        const auto held = h.events.listen<&Ears::onAll>("Explosion", h.ears);
        QVERIFY(held.ok());
        const EntityId a = h.spawn(h.type("T", {"A"}), "a");
        const auto raised = h.events.raise("Explosion",
                                           {{"radius", 4.5},
                                            {"at", Vec3(1, 2, 3)},
                                            {"words", "boom"},
                                            {"loud", true},
                                            {"kind", "ice"},
                                            {"who", a}},
                                           a);
        QVERIFY2(raised.ok(), errorOf(raised).c_str());
        QCOMPARE(raised->receivers, 1U);
        QCOMPARE(h.ears.radius, 4.5);
        QVERIFY(h.ears.at == Vec3(1, 2, 3));
        QCOMPARE(h.ears.words, std::string("boom"));
        QVERIFY(h.ears.loud);
        QCOMPARE(h.ears.kind, std::string("ice"));
        QCOMPARE(h.ears.who, a);
        QCOMPARE(h.ears.sender, a);
        // What is not given is zero.
        QVERIFY(h.events.raise("Explosion", {{"radius", 1}}).ok());
        QCOMPARE(h.ears.radius, 1.0);
        QVERIFY(h.ears.at == Vec3(0.0F));
        QCOMPARE(h.ears.kind, std::string("fire"));
        QVERIFY(!h.ears.who);
    }
    void laterByPriorityThenInOrderOfRaising() {
        Hub h;
        const auto held = h.events.listen<&Ears::onEvent>("Count", h.ears);
        const auto alarmed = h.events.listen<&Ears::onEvent>("Alarm", h.ears);
        h.count(1, 2, 0);
        h.count(2, 2, 0);
        h.count(3, 2, -5); // the main character dies
        h.count(4, 1, 9);
        QVERIFY(h.events.raiseLater(2, 0, "Alarm").ok());
        h.count(5, 2, 0);
        h.count(6, 2, -5);
        h.count(7, 10, 0);
        h.world.tick();
        QCOMPARE(h.ears.heard, (Lines{"Count 4"}));
        h.world.tick();
        QCOMPARE(h.ears.heard,
                 (Lines{"Count 4", "Count 3", "Count 6", "Count 1", "Count 2", "Alarm", "Count 5"}));
        for (int i = 0; i < 7; ++i)
            h.world.tick();
        QCOMPARE(h.ears.heard.size(), std::size_t(7));
        h.world.tick();
        QCOMPARE(h.ears.heard.back(), std::string("Count 7"));
    }
    void whatIsRaisedLaterCanBeCalledOff() {
        Hub h;
        const auto held = h.events.listen<&Ears::onEvent>("Count", h.ears);
        const auto later = h.events.raiseLater(1, 0, "Count");
        QVERIFY(h.world.cancel(*later));
        h.world.tick();
        QVERIFY(h.ears.heard.empty());
    }
    void mistakesAreSaid() {
        Hub h;
        QCOMPARE(errorOf(h.events.raise("Explosoin")),
                 std::string(R"(no event is called "Explosoin"; did you mean Explosion?)"));
        QCOMPARE(errorOf(h.events.raise("Explosion", {{"radus", 4.0}})),
                 std::string(R"(event Explosion has no parameter "radus"; did you mean radius?)"));
        QVERIFY(errorOf(h.events.raise("Explosion", {{"radius", "far"}}))
                    .starts_with("event Explosion, parameter radius: "));
        QVERIFY(!errorOf(h.events.raise("Explosion", {{"kind", "water"}})).empty());
        QVERIFY(!errorOf(h.events.raiseLater(1, 0, "Explosion", {{"at", 3.0}})).empty());
        QVERIFY(!errorOf(h.events.listen<&Ears::onEvent>("Explosoin", h.ears)).empty());
        QVERIFY(!errorOf(h.events.raise("test.Hit")).empty()); // a message, but no event
        // Nothing of that was sent or queued.
        QCOMPARE(h.world.queue().size(), std::size_t(0));
    }
    void declarationsAreChecked() {
        Hub h;
        QCOMPARE(h.events.declare("Explosion", Everything).value(), findMessageType("Explosion")->id);
        QVERIFY(errorOf(h.events.declare("Explosion", {{"radius", FieldType::Int, ""}}))
                    .starts_with("event Explosion is declared already with other parameters: radius ("));
        QVERIFY(!errorOf(h.events.declare("Ex plosion", {})).empty());
        QVERIFY(!errorOf(h.events.declare("", {})).empty());
        QVERIFY(!errorOf(h.events.declare("Update", {})).empty()); // a message
        QVERIFY(!errorOf(h.events.declare("Twice", {{"a", FieldType::Int, ""}, {"a", FieldType::Int, ""}}))
                     .empty());
        QVERIFY(!errorOf(h.events.declare("Turn", {{"a", FieldType::Quaternion, ""}})).empty());
        QVERIFY(!errorOf(h.events.declare("Pick", {{"a", FieldType::Enum, ""}})).empty());
        std::vector<EventParameter> many;
        for (int i = 0; i < 6; ++i)
            many.push_back({"t" + std::to_string(i), FieldType::String, ""});
        QVERIFY(errorOf(h.events.declare("Long", many)).find("288 bytes") != std::string::npos);
        QVERIFY(findMessageType("Long") == nullptr);
        many.pop_back();
        QVERIFY(h.events.declare("Long", many).ok());
    }
    // Filters, trace and queue see a message like any other.
    void theTraceShowsEventsAsMessages() {
        Hub h;
        auto reader = h.recorder.addReader();
        h.recorder.setEnabled(true);
        const EntityId a = h.spawn(h.type("T", {"Quiet"}), "a");
        const auto held = h.events.listen<&Ears::onAll>("Explosion", h.ears, a, h.registry.find("Quiet")->id);
        QVERIFY(h.events.raise("Explosion", {{"radius", 2.5}}, a).ok());
        QVERIFY(h.events.raiseLater(1, 0, "Explosion", {{"radius", 3.5}}).ok());
        QVERIFY(h.events.raise("Alarm").ok()); // nobody listens
        h.world.tick();
        h.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        std::vector<std::string> lines;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i)
                if (messageType((*segment)[i].type()).event)
                    lines.push_back(traceLine((*segment)[i], h.recorder, false));
        QCOMPARE(lines.size(), std::size_t(3));
        QVERIFY(
            lines[0].find(
                R"("type":"Explosion","sender":"a","receiver":"a","delivery":"listener","fields":{"radius":2.5,)")
            != std::string::npos);
        QVERIFY(lines[0].find(R"("handlers":[{"component":"Quiet","priority":0,"result":"passed"}])")
                != std::string::npos);
        QVERIFY(lines[1].find(R"("type":"Alarm")") != std::string::npos);
        QVERIFY(lines[1].find(R"("note":"unheard")") != std::string::npos);
        QVERIFY(lines[2].find(R"("delivery":"listener","queuedAt":0,"fields":{"radius":3.5,)")
                != std::string::npos);
    }
    // What is under way stays what it is; whoever listens hears both, and reads what it knows.
    void aPluginDeclaresItsEventAnew() {
        Hub h;
        Hub other; // another world of the process
        const Library lib{"lib"};
        const std::uint32_t first = lib.build();
        const auto was = h.events.declareFrom(first, "Storm", OldStorm);
        QVERIFY2(was.ok(), errorOf(was).c_str());
        auto reader = h.recorder.addReader();
        h.recorder.setEnabled(true);
        Keeper old;
        const auto oldListens = h.events.listen<&Keeper::onOld>("Storm", old);
        Keeper afar;
        const auto afarListens = other.events.listen<&Keeper::onOld>("Storm", afar);
        QVERIFY(h.events.raise("Storm", {{"speed", 1.0}, {"force", 3}}).ok());
        QVERIFY(h.events.raiseLater(1, 0, "Storm", {{"speed", 2.0}, {"force", 4}}).ok());

        const std::uint32_t second = lib.build();
        const auto anew = h.events.declareFrom(second, "Storm", NewStorm);
        QVERIFY2(anew.ok(), errorOf(anew).c_str());
        QVERIFY(*anew != *was);
        QCOMPARE(findMessageType("Storm")->id, *anew);
        const auto all = EventHub::events();
        QCOMPARE(
            std::count_if(all.begin(), all.end(), [](const MessageType* e) { return e->name == "Storm"; }),
            std::ptrdiff_t(1));
        Keeper fresh;
        const auto freshListens = h.events.listen<&Keeper::onNew>("Storm", fresh);
        QCOMPARE(h.events.listeners(*anew), std::size_t(2));
        QCOMPARE(h.events.listeners(*was), std::size_t(2));
        const auto raised = h.events.raise("Storm", {{"speed", 5.0}, {"rain", true}, {"force", 6.5}});
        QCOMPARE(raised->receivers, 2U);
        QVERIFY(h.events.raise("Storm", {{"force", 7.0}}).ok());
        h.world.tick();
        // A half has no whole number: as if it had not been given.
        COMPARE_LINES(old.heard, {"old 1.0 3", "old 5.0 0", "old 0.0 7", "old 2.0 4"});
        COMPARE_LINES(fresh.heard, {"new 5.0 6.5 wet", "new 0.0 7.0 dry", "new 2.0 4.0 dry"});
        QVERIFY(other.events.raiseLater(1, 0, "Storm", {{"speed", 8.0}}).ok());
        other.world.tick();
        COMPARE_LINES(afar.heard, {"old 8.0 0"});

        h.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        Lines fields;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const std::string line = traceLine((*segment)[i], h.recorder, false);
                if (const std::size_t at = line.find(R"("type":"Storm")"); at != std::string::npos) {
                    const std::size_t from = line.find(R"("fields":)");
                    fields.push_back(line.substr(from, line.find('}', from) + 1 - from));
                }
            }
        const std::string both = R"("fields":{"rain":true,"speed":5.0,"force":6.5})";
        const std::string last = R"("fields":{"rain":false,"speed":0.0,"force":7.0})";
        const std::string queued = R"("fields":{"speed":2.0,"force":4})";
        COMPARE_LINES(fields,
                      {R"("fields":{"speed":1.0,"force":3})", both, both, last, last, queued, queued});
    }
    void listenersOfAnEventDeclaredAnewComeAndGo() {
        Hub h;
        const Library lib{"lib"};
        const auto was = h.events.declareFrom(lib.build(), "Gust", OldStorm);
        Keeper a;
        Keeper b;
        auto first = std::make_unique<Subscription>(std::move(*h.events.listen<&Keeper::onOld>("Gust", a)));
        const auto anew = h.events.declareFrom(lib.build(), "Gust", NewStorm);
        const auto third = h.events.declareFrom(lib.build(), "Gust", {});
        QVERIFY(anew.ok() && third.ok());
        auto last = std::make_unique<Subscription>(std::move(*h.events.listen<&Keeper::onNew>("Gust", b)));
        for (const MessageTypeId id : {*was, *third})
            QCOMPARE(h.events.listeners(id), std::size_t(2));
        first.reset();
        QCOMPARE(h.events.raise("Gust")->receivers, 1U);
        last.reset();
        QCOMPARE(h.events.listeners(*third), std::size_t(0));
        QCOMPARE(h.events.raise("Gust")->receivers, 0U);
        COMPARE_LINES(a.heard, {});
        COMPARE_LINES(b.heard, {"new 0.0 0.0 dry"});
    }
    void whoElseDeclaredItMustAgree() {
        Hub h;
        const Library lib{"lib"};
        const Library neighbour{"neighbour"};
        const std::uint32_t first = lib.build();
        const auto was = h.events.declareFrom(first, "Hail", OldStorm);
        const std::uint32_t beside = neighbour.build();
        const std::string refused =
            "event Hail is declared already with other parameters: speed (float), force (int)";
        QCOMPARE(errorOf(h.events.declareFrom(beside, "Hail", NewStorm)), refused);
        QCOMPARE(errorOf(h.events.declare("Hail", NewStorm)), refused);
        QCOMPARE(errorOf(h.events.declareFrom(first, "Hail", NewStorm)), refused); // it said otherwise itself
        // As soon as both have declared it, neither may change it.
        QCOMPARE(*h.events.declareFrom(beside, "Hail", OldStorm), *was);
        QCOMPARE(errorOf(h.events.declareFrom(lib.build(), "Hail", NewStorm)), refused);
        // Nor what the engine or somebody at the console has declared.
        QVERIFY(h.events.declare("Frost", OldStorm).ok());
        QVERIFY(!h.events.declareFrom(lib.build(), "Frost", NewStorm).ok());
        // An earlier build that still runs does not take back what the later one has declared.
        const std::uint32_t early = lib.build();
        QVERIFY(h.events.declareFrom(early, "Fog", OldStorm).ok());
        const std::uint32_t late = lib.build();
        const auto anew = h.events.declareFrom(late, "Fog", NewStorm);
        QVERIFY(anew.ok());
        QVERIFY(!h.events.declareFrom(early, "Fog", OldStorm).ok());
        QCOMPARE(*h.events.declareFrom(late, "Fog", NewStorm), *anew);
        // The same, better described.
        std::vector<EventParameter> inWords = NewStorm;
        inWords[1].doc = "Of the wind, ten metres above the ground.";
        inWords[1].unit = "m/s";
        QCOMPARE(*h.events.declareFrom(lib.build(), "Fog", inWords), *anew);
        QCOMPARE(messageType(*anew).fields->find("speed")->unit, std::string("m/s"));
    }
    // The queue is part of the digest, and so are the parameters of events in it.
    void theDigestKnowsQueuedEvents() {
        Hub a;
        Hub b;
        QVERIFY(a.events.raiseLater(5, 0, "Count", {{"number", 1}}).ok());
        QVERIFY(b.events.raiseLater(5, 0, "Count", {{"number", 1}}).ok());
        QCOMPARE(a.world.digest(), b.world.digest());
        QVERIFY(a.events.raiseLater(5, 0, "Count", {{"number", 1}}).ok());
        QVERIFY(b.events.raiseLater(5, 0, "Count", {{"number", 2}}).ok());
        QVERIFY(a.world.digest() != b.world.digest());
    }
    // The last one: what it declares stays. A script in a loop ends in an error, not with the program, and leaves room for messages.
    void thereIsAnEndOfThem() {
        Hub h;
        std::size_t count = EventHub::events().size();
        std::string fault;
        for (int i = 0; fault.empty() && i < 70'000; ++i) {
            fault = errorOf(h.events.declare("Many" + std::to_string(i), {{"radius", FieldType::Float, ""}}));
            count += fault.empty() ? 1U : 0U;
        }
        QCOMPARE(count, EventHub::MaxEvents);
        QVERIFY(fault.find(": there are 4000 events already") != std::string::npos);
        QVERIFY(h.events.declare("Many0", {{"radius", FieldType::Float, ""}}).ok()); // the same again
        QVERIFY(h.events.raise("Many0", {{"radius", 2.0}}).ok());
        QVERIFY(messageTypeOf<Late>().id != NoType);
    }
};

QTEST_GUILESS_MAIN(TestEvents)
#include "tst_events.moc"
