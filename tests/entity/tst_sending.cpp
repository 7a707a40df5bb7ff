#include <QtTest>

#include "tests/entity/loud.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sbx;
using namespace sbx::test;

namespace {

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
                    QTest::addRow("%d%s%s", handlers,
                                  withEnvelope ? ", the last but one takes the envelope" : "",
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
        std::vector<ComponentSpec> specs{
            {s.registry.find("A"), s.settings<A>()},
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
                    self.world().setEnabled(b, false);             // its turn never comes
                    self.world().setEnabled(self.entity(), false); // has begun, goes on
                }
                if (line == "c.B Hit1")
                    self.world().destroy(c); // still hears of it
            };
            QCOMPARE(s.world.broadcast(Hit{1}).receivers, 2U);
            QCOMPARE(s.notes.take(), (Lines{"a.B Hit1", "b.A OnDisable", "b.B OnDisable", "a.A OnDisable",
                                            "a.B OnDisable", "c.B Hit1", "c.A OnDisable", "c.B OnDisable",
                                            "c.A OnDestroy", "c.B OnDestroy", "a.A Hit0", "c.A Hit0"}));
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
        QCOMPARE(
            base.error().message,
            std::string("a cannot have a Shape: it has a Box, and one is the other; expected at most one"));
    }
};

QTEST_GUILESS_MAIN(TestSending)
#include "tst_sending.moc"
