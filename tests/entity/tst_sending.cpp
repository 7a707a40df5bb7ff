#include <QtTest>

#include "engine/message/trace_json.h"
#include "tests/entity/stage.h"

#include <cmath>
#include <limits>

using namespace sbx;
using namespace sbx::test;

namespace {

// Two of a kind in one entity, told apart by their settings.
struct Bell : Component {
    struct Settings {
        int tone = 0;
        static void describe(FieldList<Settings>& f) { f.add("tone", &Settings::tone, "Which."); }
    };
    Settings settings;
    Bell(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Bell>& b) { b.repeatable().handle<&Bell::onHit>(); }
    bool onHit(Hit& m, const Envelope& e) {
        world().service<Notes>().lines.push_back("bell" + std::to_string(settings.tone) + " " + std::to_string(m.amount) + " "
                                                 + deliveryName(e.delivery) + " " + std::to_string(e.part) + " "
                                                 + world().nameOf(e.receiver));
        return false;
    }
};

// One of many in one entity, which says its number; the message is consumed by the one whose number it names.
struct Link : Component {
    struct Settings {
        int number = 0;
        static void describe(FieldList<Settings>& f) { f.add("number", &Settings::number, "Which."); }
    };
    Settings settings;
    Link(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Link>& b) { b.repeatable().handle<&Link::onHit>(); }
    bool onHit(const Hit& m) {
        world().service<std::vector<int>>().push_back(settings.number);
        return m.amount == settings.number;
    }
};

// An interface that is no component, a component that has it, and one below that.
struct Drawable {
    virtual ~Drawable() = default;
    [[nodiscard]] virtual int depth() const = 0;
};
struct Shape : Component, Drawable {
    struct Settings {
        int sides = 0;
        static void describe(FieldList<Settings>& f) { f.add("sides", &Settings::sides, "How many."); }
    };
    Settings settings;
    Shape(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Shape>& b) { b.base<Drawable>(); }
    [[nodiscard]] int depth() const override { return 1; }
};
struct Box : Shape {
    Box(const ComponentContext& c, const Settings& s) : Shape(c, s) {}
    static void describe(ComponentBuilder<Box>&) {}
    [[nodiscard]] int depth() const override { return 2; }
};
struct Ball : Shape {
    Ball(const ComponentContext& c, const Settings& s) : Shape(c, s) {}
    static void describe(ComponentBuilder<Ball>&) {}
};
struct Marble : Ball {
    Marble(const ComponentContext& c, const Settings& s) : Ball(c, s) {}
    static void describe(ComponentBuilder<Marble>&) {}
};

struct Loud {
    std::shared_ptr<RecordReader> reader;
    explicit Loud(Stage& s) {
        s.recorder.setEnabled(true);
        reader = s.recorder.addReader();
    }
    std::vector<std::shared_ptr<const RecordSegment>> take(Stage& s) {
        s.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> out;
        reader->poll(out);
        return out;
    }
};

int countNotes(Stage& s, Loud& loud, RecordNote note) {
    int found = 0;
    for (const auto& segment : loud.take(s))
        for (std::size_t i = 0; i < segment->size(); ++i)
            found += (*segment)[i].note() == note ? 1 : 0;
    return found;
}

// A plain send takes these where their Mode says.
template <Delivery Where> struct Routed {
    static constexpr char Name[] = {'t', 'e', 's', 't', '.', 'R', 'o', 'u', 't', 'e', 'd', '0' + static_cast<char>(Where), '\0'};
    static constexpr Delivery Mode = Where;
    int amount = 0;
    static void describe(FieldList<Routed>& f) { f.add("amount", &Routed::amount, "How much."); }
};
using ToAll = Routed<Delivery::Broadcast>;
using ToListeners = Routed<Delivery::Listener>;
static_assert(isMode(Delivery::Immediate) && isMode(Delivery::Children) && isMode(Delivery::Ancestors)
              && isMode(Delivery::Broadcast) && isMode(Delivery::Listener));
static_assert(!isMode(Delivery::Component) && !isMode(Delivery::Network) && !isMode(Delivery::Queued));

struct Counter : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    int heard = 0;
    int phases = 0;
    Counter(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Counter>& b) {
        b.handle<&Counter::onAll>().handle<&Counter::onListeners>();
        b.handle<&Counter::on<PreUpdate>>().handle<&Counter::on<FixedUpdate>>();
        b.handle<&Counter::on<Update>>().handle<&Counter::on<PostUpdate>>();
    }
    bool onAll(const ToAll& m) { return heard += m.amount, false; }
    bool onListeners(const ToListeners& m) { return heard += 1000 * m.amount, false; }
    template <typename M> bool on(const M&) { return ++phases, false; }
};

struct Outside {
    std::vector<int> heard;
    void onHit(const Hit& m) { heard.push_back(m.amount); }
    void onRouted(const ToListeners& m) { heard.push_back(m.amount); }
};

// What stands in the notes of a kind: route, amount, how many, how many were demanded.
Lines notesOf(Stage& s, Loud& loud, RecordNote note) {
    Lines out;
    for (const auto& segment : loud.take(s))
        for (std::size_t i = 0; i < segment->size(); ++i)
            if (const RecordView record = (*segment)[i]; record.note() == note)
                out.push_back(std::string(deliveryName(record.delivery())) + " Hit"
                              + std::to_string(static_cast<const Hit*>(record.payload())->amount));
    return out;
}

} // namespace

class TestSending : public QObject {
    Q_OBJECT
private slots:
    void toOneComponent() {
        Stage s;
        s.registry.registerComponent<Bell>("Bell");
        std::vector<ComponentSpec> specs;
        for (const int tone : {1, 2, 3})
            specs.push_back({s.registry.find("Bell"), s.settings<Bell>([&](auto& b) { b.tone = tone; })});
        const EntityId a = s.spawn(s.typeOf("T", specs), "a");
        QCOMPARE(s.world.sendToComponent<Bell>(a, Hit{5}, 1).receivers, 1U);
        QCOMPARE(s.world.sendToComponent<Bell>(a, Hit{5}, 3).receivers, 0U);
        Bell* third = nullptr;
        s.world.eachComponent<Bell>(a, [&](Bell& b) { third = &b; });
        QCOMPARE(s.world.send(*third, Hit{6}).receivers, 1U);
        QCOMPARE(s.world.sendToComponent<A>(a, Hit{5}).receivers, 0U);
        QCOMPARE(s.notes.take(), (Lines{"bell2 5 component 1 a", "bell3 6 component 2 a"}));
        QCOMPARE(s.world.send(a, Hit{7}).receivers, 1U);
        QCOMPARE(s.notes.take().size(), std::size_t(3));
    }
    // Handlers hand over to one another: few or many, in the entity's block or outside, up to the one that consumes.
    void handlersHandOverToOneAnother_data() {
        QTest::addColumn<int>("handlers");
        QTest::addColumn<bool>("withEnvelope");
        QTest::addColumn<bool>("added");
        for (const int handlers : {1, 2, 5, 255, 256, 300})
            for (const bool withEnvelope : {false, true})
                for (const bool added : {false, true})
                    QTest::addRow("%d%s%s", handlers, withEnvelope ? ", the last but one takes the envelope" : "",
                                  added ? ", one added later" : "")
                        << handlers << withEnvelope << added;
    }
    void handlersHandOverToOneAnother() {
        QFETCH(int, handlers);
        QFETCH(bool, withEnvelope);
        QFETCH(bool, added);
        Stage s;
        std::vector<int> reached;
        s.world.provide(reached);
        s.registry.registerComponent<Bell>("Bell");
        s.registry.registerComponent<Link>("Link");
        std::vector<ComponentSpec> specs;
        const auto link = [&](int number) { return s.settings<Link>([=](auto& l) { l.number = number; }); };
        for (int i = 0; i + (added ? 1 : 0) < handlers; ++i) {
            if (withEnvelope && i == handlers - 2)
                specs.push_back({s.registry.find("Bell"), s.settings<Bell>()});
            specs.push_back({s.registry.find("Link"), link(i)});
        }
        const EntityId a = s.spawn(s.typeOf("T", specs), "a");
        if (added)
            QVERIFY(s.world.addComponent(a, *s.registry.find("Link"), link(handlers - 1)));
        const std::size_t bell = withEnvelope && handlers > 1 ? 1 : 0;
        Loud loud(s);
        for (const bool recorded : {false, true}) {
            s.recorder.setEnabled(recorded);
            for (const int consumer : {0, handlers / 2, handlers - 2, handlers - 1, handlers}) {
                if (consumer < 0)
                    continue;
                reached.clear();
                s.notes.lines.clear();
                const SendResult result = s.world.send(a, Hit{consumer});
                QCOMPARE(result.receivers, 1U);
                QCOMPARE(result.consumed, consumer < handlers);
                std::vector<int> expected;
                for (int i = 0; i < std::min(consumer + 1, handlers); ++i)
                    expected.push_back(i);
                QCOMPARE(reached, expected);
                const std::size_t rung = consumer >= handlers - 2 ? bell : 0;
                QCOMPARE(s.notes.lines.size(), rung);
                const auto segments = loud.take(s);
                QCOMPARE(segments.size(), std::size_t(recorded ? 1 : 0));
                if (recorded) {
                    const RecordView record = (*segments.front())[0];
                    QCOMPARE(record.reached(), expected.size() + rung);
                    QCOMPARE(record.consumed(), consumer < handlers);
                    QCOMPARE(record.visits().size(), std::size_t(handlers) + bell);
                }
            }
        }
    }
    void whereTheModeSays() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "a");
        const EntityId b = s.spawn(t, "b", a);
        s.spawn(t, "c", b);
        s.notes.take();
        QCOMPARE(s.world.send(a, Shout{}).receivers, 3U);
        QCOMPARE(s.notes.take(), (Lines{"a.A test.Shout", "b.A test.Shout", "c.A test.Shout"}));
        QCOMPARE(s.world.send(b, Plea{}).receivers, 2U);
        QCOMPARE(s.notes.take(), (Lines{"b.A test.Plea", "a.A test.Plea"}));
        Shout alone;
        QCOMPARE(s.world.sendToEntity(a, alone).receivers, 1U);
        QCOMPARE(messageTypeOf<Shout>().mode, Delivery::Children);
        s.notes.take();
        // Queued messages go where the mode says when they are due.
        s.world.sendInTicks(b, Plea{}, 3);
        QVERIFY(s.world.setParent(b, {}));
        for (int i = 0; i < 3; ++i) {
            s.notes.take();
            s.world.tick();
        }
        QCOMPARE(s.notes.lines.front(), std::string("b.A test.Plea"));
        QVERIFY(s.notes.lines[1] != "a.A test.Plea");
    }
    void eachOfManyGetsItAsItWasSent() {
        Stage s;
        const auto t = s.type("T", {"A", "B"});
        const EntityId a = s.spawn(t, "a");
        s.spawn(t, "b", a);
        s.notes.take();
        // B (-1) comes before A (0) and takes one off.
        const Lines own{"a.B Hit5", "a.A Hit4", "b.B Hit5", "b.A Hit4"};
        s.world.sendToChildren(a, Hit{5});
        QCOMPARE(s.notes.take(), own);
        // A run: the first handler of all, then the second.
        const Lines run{"a.B Hit5", "b.B Hit5", "a.A Hit4", "b.A Hit4"};
        s.world.broadcast(Hit{5});
        QCOMPARE(s.notes.take(), run);
        s.recorder.setEnabled(true);
        s.world.sendToType(*t, Hit{5});
        QCOMPARE(s.notes.take(), run);
    }
    void consumptionStopsInRunsToo() {
        Stage s;
        std::vector<ComponentSpec> specs{{s.registry.find("A"), s.settings<A>()},
                                         {s.registry.find("B"), s.settings<B>([](auto& b) { b.consumes = true; })}};
        const auto keeps = s.typeOf("K", specs);
        s.spawn(keeps, "k");
        s.spawn(keeps, "l");
        for (const bool recorded : {false, true}) {
            s.recorder.setEnabled(recorded);
            s.notes.take();
            const SendResult result = s.world.broadcast(Hit{1});
            QVERIFY(result.consumed);
            QCOMPARE(result.receivers, 2U);
            QCOMPARE(s.notes.take(), (Lines{"k.B Hit1", "l.B Hit1"}));
        }
    }
    void theirOwnComeAfterTheOthersOfTheirRun() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "a");
        s.spawn(t, "b");
        QVERIFY(s.world.addComponent(a, *s.registry.find("C"), nullptr).ok());
        for (const bool recorded : {false, true}) {
            s.recorder.setEnabled(recorded);
            s.notes.take();
            QCOMPARE(s.world.broadcast(Hit{3}).receivers, 2U);
            QCOMPARE(s.notes.take(), (Lines{"b.A Hit3", "a.A Hit3", "a.C Hit2"}));
        }
    }
    void aHandlerTakesOthersOutOfTheRun() {
        for (const bool recorded : {false, true}) {
            Stage s;
            s.recorder.setEnabled(recorded);
            const auto t = s.type("T", {"A", "B"});
            s.spawn(t, "a");
            const EntityId b = s.spawn(t, "b");
            const EntityId c = s.spawn(t, "c");
            s.notes.take();
            s.notes.act = [&](Component& self, const std::string& line) {
                if (line == "a.B Hit1") {
                    self.world().setEnabled(b, false);  // its turn never comes
                    self.world().setEnabled(self.entity(), false); // has begun, goes on
                }
                if (line == "c.B Hit1")
                    self.world().destroy(c); // still hears of it
            };
            QCOMPARE(s.world.broadcast(Hit{1}).receivers, 2U);
            QCOMPARE(s.notes.take(),
                     (Lines{"a.B Hit1", "b.A OnDisable", "b.B OnDisable", "a.A OnDisable", "a.B OnDisable", "c.B Hit1",
                            "c.A OnDisable", "c.B OnDisable", "c.A OnDestroy", "c.B OnDestroy", "a.A Hit0", "c.A Hit0"}));
            QVERIFY(!s.world.alive(c));
        }
    }
    void tooFewReceiversAreReported() {
        Stage s;
        Loud loud(s);
        const auto t = s.type("T", {"Quiet"});
        const EntityId a = s.spawn(t, "a");
        QCOMPARE(s.world.send(a, Hit{1}, {}, 1).receivers, 1U);
        QCOMPARE(countNotes(s, loud, RecordNote::Short), 0);
        QCOMPARE(s.world.sendToChildren(a, Hit{1}, {}, 2).receivers, 1U);
        QCOMPARE(s.world.broadcast(Hit{1}, {}, 2).receivers, 1U);
        s.world.sendInTicks(a, Shout{}, 1, {}, 0, 1);
        s.world.tick();
        QCOMPARE(countNotes(s, loud, RecordNote::Short), 3);
        QCOMPARE(s.said(), (Lines{"message test.Hit to a reached 1 receiver, 2 demanded",
                                  "message test.Hit reached 1 receiver, 2 demanded",
                                  "message test.Shout to a reached 0 receivers, 1 demanded"}));
    }
    // Handlers change the message; what is reported is what was sent, on every way and whoever listens.
    void tooFewIsReportedWithWhatWasSent() {
        for (const bool overheard : {false, true}) {
            Stage s;
            Loud loud(s);
            const EntityId a = s.spawn(s.type("T", {"A"}), "a");
            Outside outside;
            Subscription held;
            if (overheard)
                held = s.world.listeners().listen<&Outside::onHit>(outside);
            Hit hit{5};
            s.world.send(a, hit, {}, 3);
            QCOMPARE(hit.amount, 4);
            hit.amount = 5;
            s.world.sendToEntity(a, hit, {}, 3);
            QCOMPARE(hit.amount, 4);
            s.world.send(*s.world.getComponent<A>(a), Hit{5}, {}, 3);
            s.world.sendToChildren(a, Hit{5}, {}, 3);
            s.world.sendInTicks(a, Hit{5}, 1, {}, 0, 3);
            s.world.tick();
            QCOMPARE(notesOf(s, loud, RecordNote::Short),
                     (Lines{"immediate Hit5", "immediate Hit5", "component Hit5", "children Hit5", "immediate Hit5"}));
            // Enough, of which the listener is one.
            s.world.sendInTicks(a, Hit{5}, 1, {}, 0, overheard ? 2 : 1);
            s.world.tick();
            QCOMPARE(notesOf(s, loud, RecordNote::Short), Lines());
        }
    }
    // An addressee that is gone does not excuse the others.
    void tooFewIsReportedBesideWhoIsGone() {
        Stage s;
        Loud loud(s);
        const EntityId a = s.spawn(s.type("T", {"Quiet"}), "a");
        Outside outside;
        const Subscription held = s.world.listeners().listen<&Outside::onHit>(outside);
        s.world.sendInTicks(a, Hit{1}, 1, {}, 0, 5);
        s.world.sendInTicks(a, Hit{2}, 1, {}, 0, 1);
        s.world.destroy(a);
        s.world.tick();
        QCOMPARE(outside.heard, (std::vector<int>{1, 2}));
        QCOMPARE(s.said(), (Lines{"message test.Hit to a was queued, and its receiver is gone",
                                  "message test.Hit reached 1 receiver, 5 demanded",
                                  "message test.Hit to a was queued, and its receiver is gone"}));
        QCOMPARE(notesOf(s, loud, RecordNote::Short), Lines{"immediate Hit1"});
        QCOMPARE(s.world.undelivered(), std::uint64_t(2));
    }
    void theLongestDelayIsNever() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"Quiet"}), "a");
        for (int i = 0; i < 5; ++i)
            s.world.tick();
        constexpr std::uint64_t Never = std::numeric_limits<std::uint64_t>::max();
        s.world.sendInTicks(a, Hit{1}, Never);
        QCOMPARE(s.world.queue().nextDue(), std::optional<std::uint64_t>(Never));
        s.world.sendInTicks(a, Hit{1}, Never - 5);
        s.world.sendInTicks(a, Hit{1}, Never - 6);
        QCOMPARE(s.world.queue().nextDue(), std::optional<std::uint64_t>(Never - 1));
        s.world.sendLater(a, Hit{1}, 1e300);
        QCOMPARE(s.world.queue().nextDue(), std::optional<std::uint64_t>(5 + std::uint64_t(9e15)));
        for (int i = 0; i < 100; ++i)
            s.world.tick();
        QCOMPARE(s.world.getComponent<Quiet>(a)->hits, 0);
        s.world.sendLater(a, Hit{1}, -5.0);
        s.world.sendInTicks(a, Hit{1}, 0);
        s.world.tick();
        QCOMPARE(s.world.getComponent<Quiet>(a)->hits, 2);
    }
    void aDelayThatIsNoNumberIsReported() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"Quiet"}), "a");
        for (const double seconds : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
            QVERIFY(!s.world.sendLater(a, Hit{1}, seconds));
            QVERIFY(!s.world.sendLater(*s.world.getComponent<Quiet>(a), Hit{1}, seconds));
        }
        QCOMPARE(s.world.queue().size(), std::size_t(0));
        QCOMPARE(s.world.undelivered(), std::uint64_t(6));
        const Lines said = s.said();
        QCOMPARE(said.size(), std::size_t(2)); // the log counts what is said again
        QCOMPARE(said[0], std::string("message test.Hit to a was to wait for a time that is no number; it is not sent"));
        QCOMPARE(said[1], std::string("message test.Hit to a was to wait for a time that is without end; it is not sent"));
        QVERIFY(!s.world.cancel({}));
    }
    // A question put to one component is answered in the message, as one put to the entity.
    void oneComponentAnswers() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A", "B"}), "a");
        Hit hit{5};
        QCOMPARE(s.world.send(*s.world.getComponent<A>(a), hit).receivers, 1U);
        QCOMPARE(hit.amount, 4);
        QCOMPARE(s.world.sendToComponent<B>(a, hit).receivers, 1U);
        QCOMPARE(hit.amount, 3);
    }
    void theOtherModes() {
        Stage s;
        s.registry.registerComponent<Counter>("Counter");
        const auto t = s.type("T", {"Counter"});
        std::vector<EntityId> all;
        for (const char* name : {"a", "b", "c"})
            all.push_back(s.spawn(t, name));
        Outside outside;
        const Subscription held = s.world.listeners().listen<&Outside::onRouted>(outside);
        const auto heard = [&] {
            std::vector<int> out;
            for (const EntityId id : all)
                out.push_back(std::exchange(s.world.getComponent<Counter>(id)->heard, 0));
            return out;
        };
        for (const bool queued : {false, true}) {
            if (queued) {
                s.world.sendInTicks(all[1], ToAll{2}, 1);
                s.world.tick();
            } else {
                QCOMPARE(s.world.send(all[1], ToAll{2}).receivers, 3U);
            }
            QCOMPARE(heard(), (std::vector<int>{2, 2, 2}));
            if (queued) {
                s.world.sendInTicks(all[1], ToListeners{3}, 1);
                s.world.tick();
            } else {
                QCOMPARE(s.world.send(all[1], ToListeners{3}).receivers, 1U);
            }
            QCOMPARE(heard(), (std::vector<int>{0, 0, 0}));
            QCOMPARE(std::exchange(outside.heard, {}), std::vector<int>{3});
        }
    }
    // What waited says who sent it, in answer to what, and when.
    void whatWaitedKeepsItsEnvelope() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "a");
        const EntityId b = s.spawn(t, "b");
        const EntityId asked = s.spawn(t, "asked");
        while (s.world.tickCount() < 7)
            s.world.tick();
        Loud loud(s);
        s.notes.act = [&](Component&, const std::string& line) {
            if (line == "asked.A Hit3")
                s.world.sendInTicks(a, Hit{9}, 4, b);
        };
        s.world.send(asked, Hit{3});
        s.notes.act = nullptr;
        for (int i = 0; i < 4; ++i)
            s.world.tick();
        std::uint64_t cause = 0;
        int found = 0;
        for (const auto& segment : loud.take(s))
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const Envelope e = (*segment)[i].envelope();
                if (e.type != messageIdOf<Hit>())
                    continue;
                if (e.receiver == asked) {
                    cause = e.sequence;
                    continue;
                }
                ++found;
                QVERIFY(e.delayed);
                QCOMPARE(e.receiver, a);
                QCOMPARE(e.sender, b);
                QVERIFY(cause != 0);
                QCOMPARE(e.cause, cause);
                QCOMPARE(e.queuedAt, std::uint64_t(7));
                QCOMPARE(e.tick, std::uint64_t(11));
            }
        QCOMPARE(found, 1);
    }
    // Phases come to all of a type, however many: more than the 64 of a run, with and without components of their own.
    void phasesReachThemAll() {
        for (const bool recorded : {false, true}) {
            Stage s;
            s.registry.registerComponent<Counter>("Counter");
            const auto t = s.type("T", {"Counter"});
            std::vector<EntityId> all(200);
            s.world.createMany(t, all);
            for (const std::size_t special : {3U, 70U, 199U})
                QVERIFY(s.world.addComponent(all[special], *s.registry.find("Quiet"), nullptr));
            s.world.setEnabled(all[100], false);
            s.recorder.setEnabled(recorded);
            for (int i = 0; i < 3; ++i)
                s.world.tick();
            for (std::size_t i = 0; i < all.size(); ++i)
                QCOMPARE(s.world.getComponent<Counter>(all[i])->phases, i == 100 ? 0 : 12);
        }
    }
    void queuedMessagesAreCancelledAndOutliveNobody() {
        Stage s;
        Loud loud(s);
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "a");
        const EntityId b = s.spawn(t, "b");
        const DelayedHandle first = s.world.sendInTicks(a, Hit{1}, 10);
        s.world.sendInTicks(a, Hit{2}, 10);
        s.world.sendLater(b, Hit{3}, 10.0 / 60.0);
        QVERIFY(s.world.cancel(first));
        QVERIFY(!s.world.cancel(first));
        s.world.destroy(b);
        s.spawn(t, "late"); // in b's slot: another entity
        for (int i = 0; i < 9; ++i)
            s.world.tick();
        s.notes.take();
        s.world.tick();
        QCOMPARE(s.notes.take().front(), std::string("a.A Hit2"));
        QCOMPARE(s.world.undelivered(), std::uint64_t(1));
        QCOMPARE(countNotes(s, loud, RecordNote::Gone), 1);
        QCOMPARE(s.said().back(), std::string("message test.Hit to b was queued, and its receiver is gone"));
        QVERIFY(!s.world.cancel(first));
    }
    // What waits for one component finds it wherever it stands by then, and nobody else in its place.
    void queuedForOneComponent() {
        Stage s;
        Loud loud(s);
        s.registry.registerComponent<Bell>("Bell");
        const ComponentType& bell = *s.registry.find("Bell");
        const auto tuned = [&](int tone) { return s.settings<Bell>([=](auto& b) { b.tone = tone; }); };
        const EntityId a = s.spawn(s.typeOf("T", {{&bell, tuned(1)}, {&bell, tuned(2)}}), "a");
        const auto bells = [&] {
            std::vector<Bell*> out;
            s.world.eachComponent<Bell>(a, [&](Bell& b) { out.push_back(&b); });
            return out;
        };
        s.world.sendInTicks(*bells()[1], Hit{7}, 2, {}, 1);
        s.world.sendLater(*bells()[0], Hit{6}, 2.0 / 60.0);
        s.world.tick();
        QCOMPARE(s.notes.take(), Lines());
        s.world.tick();
        QCOMPARE(s.notes.take(), (Lines{"bell1 6 component 0 a", "bell2 7 component 1 a"}));
        // Its elder goes, it moves up; one that joined is found too; the one that goes is missed, not the one after it.
        QVERIFY(s.world.addComponent(a, bell, tuned(3)).ok());
        for (Bell* const b : bells())
            s.world.sendInTicks(*b, Hit{b->settings.tone}, 1, {}, 0, 1);
        QVERIFY(s.world.removeComponent(a, "Bell").ok());
        s.world.tick();
        QCOMPARE(s.notes.take(), (Lines{"bell2 2 component 0 a", "bell3 3 component 1 a"}));
        QCOMPARE(s.said(), (Lines{"message test.Hit to a was queued, and its component is gone",
                                  "message test.Hit to a reached 0 receivers, 1 demanded"}));
        QCOMPARE(countNotes(s, loud, RecordNote::Gone), 1);
        // One added in the place of one that was added, and of one whose entity is plain again.
        s.world.sendInTicks(*bells()[1], Hit{3}, 1);
        QVERIFY(s.world.removeComponent(a, "Bell#2").ok());
        QVERIFY(s.world.addComponent(a, bell, tuned(4)).ok());
        s.world.tick();
        QCOMPARE(s.notes.take(), Lines());
        const EntityId q = s.spawn(s.type("Q", {"Quiet"}), "q");
        QVERIFY(s.world.addComponent(q, bell, tuned(5)).ok());
        s.world.sendInTicks(*s.world.getComponent<Bell>(q), Hit{5}, 1);
        QVERIFY(s.world.removeComponent(q, "Bell").ok());
        QVERIFY(s.world.addComponent(q, bell, tuned(6)).ok());
        s.world.tick();
        QCOMPARE(s.notes.take(), Lines());
        QCOMPARE(countNotes(s, loud, RecordNote::Gone), 2);
        // With its entity; switched off it hears nothing, and that is too few.
        s.world.sendInTicks(*s.world.getComponent<Bell>(q), Hit{6}, 1);
        s.world.destroy(q);
        Bell& last = *bells().back();
        s.world.setEnabled(last, false);
        s.world.sendInTicks(last, Hit{4}, 1, {}, 0, 1);
        s.world.tick();
        QCOMPARE(s.notes.take(), Lines());
        const Lines said = s.said();
        QCOMPARE(said[said.size() - 2],
                 std::string("message test.Hit to q was queued, and its receiver is gone"));
        QCOMPARE(said.back(), std::string("message test.Hit to a reached 0 receivers, 1 demanded"));
    }
    // By name in log, trace and file, though another has its slot by then; also one that was given no name.
    void whoeverIsGoneIsNamed() {
        Stage s;
        Loud loud(s);
        const auto t = s.type("T", {"A"});
        const EntityId b = s.spawn(t, "b");
        const EntityId bare = s.world.create(t);
        const std::string bareName = s.world.nameOf(bare);
        s.world.sendInTicks(b, Hit{1}, 2);
        s.world.sendInTicks(bare, Hit{2}, 2);
        s.world.destroy(b);
        s.world.destroy(bare);
        s.spawn(t, "other");
        s.spawn(t, "another");
        s.world.tick();
        s.world.tick();
        QCOMPARE(s.said(), (Lines{"message test.Hit to b was queued, and its receiver is gone",
                                  "message test.Hit to " + bareName + " was queued, and its receiver is gone"}));
        Lines names;
        Lines json;
        for (const auto& segment : loud.take(s))
            for (std::size_t i = 0; i < segment->size(); ++i)
                if (const RecordView record = (*segment)[i]; record.note() == RecordNote::Gone) {
                    names.push_back(s.recorder.names().name(record.receiverName()));
                    json.push_back(traceLine(record, s.recorder, false));
                }
        QCOMPARE(names, (Lines{"b", bareName}));
        QVERIFY2(json.at(0).find("\"receiver\":\"b\"") != std::string::npos, json.at(0).c_str());
        QVERIFY2(json.at(1).find("\"receiver\":\"" + bareName + "\"") != std::string::npos, json.at(1).c_str());
    }
    // What is queued while the queue is delivered comes in the next pass.
    void theQueueIsNotDeliveredIntoItself() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        int queued = 0;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A Hit1" && ++queued < 5)
                c.world().sendInTicks(a, Hit{1}, 0);
        };
        s.world.sendInTicks(a, Hit{1}, 0);
        for (int i = 1; i <= 5; ++i) {
            s.world.tick();
            QCOMPARE(queued, i);
        }
    }
    void componentsAreFoundByTheirBases() {
        Stage s;
        s.registry.registerComponent<Marble, Ball>("Marble"); // before its bases are known
        s.registry.registerComponent<Shape>("Shape");
        s.registry.registerComponent<Box, Shape>("Box");
        s.registry.registerComponent<Ball, Shape>("Ball");
        const auto t = s.type("T", {"A", "Box"});
        const EntityId a = s.spawn(t, "a");
        QVERIFY(s.world.getComponent<A>(a) != nullptr);
        QVERIFY(s.world.getComponent<B>(a) == nullptr);
        Box* const box = s.world.getComponent<Box>(a);
        QVERIFY(box != nullptr);
        QCOMPARE(s.world.getComponent<Shape>(a), static_cast<Shape*>(box));
        QCOMPARE(s.world.getComponent<Drawable>(a), static_cast<Drawable*>(box));
        QCOMPARE(s.world.getComponent<Drawable>(a)->depth(), 2);
        QVERIFY(s.world.getComponent<Ball>(a) == nullptr);
        // The same once it has components of its own.
        QVERIFY(s.world.addComponent(a, *s.registry.find("Marble"), nullptr).ok());
        QCOMPARE(s.world.getComponent<Drawable>(a), static_cast<Drawable*>(box));
        QVERIFY(s.world.getComponent<Ball>(a) != nullptr);
        int shapes = 0;
        s.world.eachComponent<Shape>(a, [&](Shape& shape) { shapes += shape.depth() > 0 ? 1 : 0; });
        QCOMPARE(shapes, 2);
        QVERIFY(s.world.getComponent<A>(EntityId(99, 1)) == nullptr);
    }
    // One that is the other; not siblings.
    void uniqueByWhatTheyAre() {
        Stage s;
        const ComponentType& shape = s.registry.registerComponent<Shape>("Shape");
        const ComponentType& box = s.registry.registerComponent<Box, Shape>("Box");
        const ComponentType& ball = s.registry.registerComponent<Ball, Shape>("Ball");
        QVERIFY(shape.excludes(shape) && shape.excludes(box) && box.excludes(shape));
        QVERIFY(!box.excludes(ball) && !ball.excludes(box));
        const EntityId a = s.spawn(s.type("T", {"Box"}), "a");
        QVERIFY(s.world.addComponent(a, ball, nullptr).ok());
        const Result<void> again = s.world.addComponent(a, box, nullptr);
        QVERIFY(!again.ok());
        QCOMPARE(again.error().message, std::string("a has a Box already; expected at most one"));
        const Result<void> base = s.world.addComponent(a, shape, nullptr);
        QVERIFY(!base.ok());
        QCOMPARE(base.error().message,
                 std::string("a cannot have a Shape: it has a Box, and one is the other; expected at most one"));
    }
    // -------------------------------------------------------------------------------------------- hostile
    void tenThatAnswerEachOtherAreCut() {
        Stage s;
        Loud loud(s);
        const auto t = s.type("T", {"A"});
        std::vector<EntityId> ring;
        for (int i = 0; i < 10; ++i)
            ring.push_back(s.spawn(t, "r" + std::to_string(i)));
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line.find("Hit") == std::string::npos)
                return;
            const auto at = std::find(ring.begin(), ring.end(), c.entity()) - ring.begin();
            c.world().send(ring[static_cast<std::size_t>(at + 1) % 10], Hit{1}, c.entity());
        };
        s.notes.take();
        s.world.send(ring[0], Hit{1});
        QCOMPARE(s.notes.take().size(), std::size_t(World::MaxDepth));
        QCOMPARE(s.world.undelivered(), std::uint64_t(1));
        QVERIFY(s.said().back().find("test.Hit to r8 dropped: 128 messages are being handled inside one another") == 8);
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
        QCOMPARE(s.notes.take(), (Lines{"a.A Hit2", "a.A OnDisable", "a.C OnDisable", "a.A OnDestroy", "a.C OnDestroy",
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
        QVERIFY(reached >= World::MaxNested - 64 && reached <= World::MaxNested);
        QCOMPARE(static_cast<std::uint64_t>(s.world.getComponent<Quiet>(a)->hits), reached);
        QCOMPARE(s.world.undelivered(), sent - reached);
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
};

QTEST_GUILESS_MAIN(TestSending)
#include "tst_sending.moc"
