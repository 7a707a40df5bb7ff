// What components hear of their lives when handlers destroy, switch, add and remove meanwhile: for each of them always the same
// order, whatever the others do.
#include <QtTest>

#include "tests/entity/stage.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace sbx;
using namespace sbx::test;

namespace {

// Where one component is in its life, by what it heard.
struct Heard {
    bool awake = false;
    bool on = false;
    bool started = false;
    bool ended = false;

    // Null: the message may come now.
    const char* fault(const std::string& message) {
        if (ended)
            return "after OnDestroy";
        if (message == "Awake")
            return std::exchange(awake, true) ? "twice" : nullptr;
        if (!awake)
            return "before Awake";
        if (message == "OnEnable")
            return std::exchange(on, true) ? "while on" : nullptr;
        if (message == "OnDisable")
            return std::exchange(on, false) ? nullptr : "while off";
        if (message == "Start")
            return !on ? "while off" : std::exchange(started, true) ? "twice" : nullptr;
        if (message == "OnDestroy") {
            ended = true;
            return on ? "while on" : nullptr;
        }
        return message.ends_with("Update") && !started ? "before Start" : nullptr;
    }
};

// One random history: 30 rounds of ticks and changes from outside, and changes by handlers, three deep. Returns what was wrong.
std::string history(unsigned seed, std::map<std::string, int>& met) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return random() % n; };
    Stage s;
    const std::vector<std::shared_ptr<const EntityType>> types{
        s.type("T", {"A", "B"}), s.type("U", {"B", "C"}), s.type("V", {"A", "B", "C", "Quiet"})};
    s.world.setTypes(types);
    std::vector<EntityId> ids;
    std::map<const Component*, Heard> heard;
    std::string wrong;
    std::string told;
    int budget = 60;
    const auto act = [&] {
        if (budget-- <= 0)
            return;
        const auto any = [&] { return ids.empty() ? EntityId() : ids[below(ids.size())]; };
        static constexpr const char* Kinds[] = {"A", "B", "C"};
        const EntityId id = any();
        const char* const kind = Kinds[below(3)];
        switch (below(8)) {
        case 0:
            s.world.destroy(id);
            break;
        case 1:
        case 2:
            s.world.setEnabled(id, below(2) != 0);
            break;
        case 3:
            static_cast<void>(s.world.setEnabled(id, kind, below(2) != 0));
            break;
        case 4:
            static_cast<void>(s.world.addComponent(id, *s.registry.find(kind), nullptr));
            break;
        case 5:
            static_cast<void>(s.world.removeComponent(id, kind));
            break;
        case 6:
            s.world.setParent(id, any());
            break;
        default:
            if (ids.size() < 8)
                ids.push_back(s.spawn(types[below(types.size())], "e" + std::to_string(ids.size()),
                                      below(2) != 0 ? any() : EntityId()));
        }
    };
    int deep = 0;
    s.notes.made = [&](Component& c) { heard[&c] = {}; }; // what was there before it is gone
    s.notes.act = [&](Component& c, const std::string& line) {
        const std::string message = line.substr(line.find(' ') + 1);
        ++met[message];
        told += line + "\n";
        // Of an entity with components of its own a phase goes on with the handlers it began with.
        if (message.ends_with("Update") && heard[&c].ended)
            return;
        if (const char* const fault = heard[&c].fault(message); fault != nullptr && wrong.empty())
            wrong = "seed " + std::to_string(seed) + ": " + line + " " + fault + "\n" + told;
        if (deep < 3 && below(3) == 0) {
            ++deep;
            act();
            --deep;
        }
    };
    for (int round = 0; round < 30; ++round) {
        if (below(3) == 0) {
            s.world.tick();
        } else {
            budget += 3;
            act();
        }
        // Between ticks each knows how it is.
        for (const EntityId id : ids)
            if (const Entity entity = s.world.find(id))
                for (const Entity::ComponentRef& part : entity.components())
                    if (part.type->name != "Quiet" && wrong.empty()
                        && heard[static_cast<Component*>(part.component)].on
                               != (entity.enabled() && part.enabled))
                        wrong = "seed " + std::to_string(seed) + ": " + entity.name() + "." + part.type->name
                                + " believes otherwise\n" + told;
    }
    s.world.clear();
    s.notes.made = nullptr;
    if (wrong.empty() && s.notes.alive != 0)
        wrong = "seed " + std::to_string(seed) + ": some were not ended";
    return wrong;
}

} // namespace

class TestLife : public QObject {
    Q_OBJECT
private slots:
    void eachHearsItInOrder() {
        std::map<std::string, int> met;
        for (unsigned seed = 1; seed <= 1500; ++seed) {
            const std::string wrong = history(seed, met);
            QVERIFY2(wrong.empty(), wrong.c_str());
        }
        for (const char* message :
             {"Awake", "OnEnable", "Start", "OnDisable", "OnDestroy", "Update", "PostUpdate"})
            QVERIFY2(met[message] > 1000, message);
    }
    // The shortest of what once went wrong: who does what, when, and what is told from then on.
    void whatIsCausedMeanwhileComesAfterwards_data() {
        QTest::addColumn<QString>("when");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("said");
        QTest::newRow("off while it is switched on")
            << "A OnEnable"
            << "off"
            << "A Awake,B Awake,A OnEnable,B OnEnable,A OnDisable,B OnDisable";
        QTest::newRow("the other component off") << "A OnEnable"
                                                 << "B off"
                                                 << "A Awake,B Awake,A OnEnable,B OnEnable,B OnDisable";
        QTest::newRow("the other component removed")
            << "A OnEnable"
            << "B gone"
            << "A Awake,B Awake,A OnEnable,B OnEnable,B OnDisable,B OnDestroy";
        QTest::newRow("destroyed as it awakes") << "A Awake"
                                                << "destroy"
                                                << "A Awake,B Awake,A OnDestroy,B OnDestroy";
        QTest::newRow("the other one removed as it awakes") << "A Awake"
                                                            << "B gone"
                                                            << "A Awake,B Awake,B OnDestroy,A OnEnable";
        QTest::newRow("off as it awakes") << "A Awake"
                                          << "off"
                                          << "A Awake,B Awake";
        QTest::newRow("destroyed as it starts") << "A Start"
                                                << "destroy"
                                                << "A Awake,B Awake,A OnEnable,B OnEnable,A Start,B Start,A "
                                                   "OnDisable,B OnDisable,A OnDestroy,B OnDestroy";
        QTest::newRow("off as it starts")
            << "A Start"
            << "off"
            << "A Awake,B Awake,A OnEnable,B OnEnable,A Start,B Start,A OnDisable,B OnDisable";
        QTest::newRow("on again as it is switched off")
            << "A OnDisable"
            << "on"
            << "A Awake,B Awake,A OnEnable,B OnEnable,A Start,B Start,A OnDisable,B OnDisable,A OnEnable,B "
               "OnEnable";
        QTest::newRow("destroyed as it is switched off")
            << "A OnDisable"
            << "destroy"
            << "A Awake,B Awake,A OnEnable,B OnEnable,A Start,B Start,A OnDisable,B OnDisable,A OnDestroy,B "
               "OnDestroy";
        QTest::newRow("on again as it goes") << "A OnDestroy"
                                             << "on"
                                             << "A Awake,B Awake,A OnEnable,B OnEnable,A Start,B Start,A "
                                                "OnDisable,B OnDisable,A OnDestroy,B OnDestroy";
        QTest::newRow("one more as it awakes")
            << "A Awake"
            << "C"
            << "A Awake,C Awake,B Awake,A OnEnable,B OnEnable,C OnEnable,A Start,B Start,C Start";
    }
    void whatIsCausedMeanwhileComesAfterwards() {
        QFETCH(const QString, when);
        QFETCH(const QString, what);
        QFETCH(const QString, said);
        Stage s;
        bool done = false;
        Lines told;
        s.notes.act = [&](Component& c, const std::string& line) {
            const std::string short_ = line.substr(2);
            if (!short_.ends_with("Update"))
                told.push_back(short_);
            if (done || short_ != when.toStdString())
                return;
            done = true;
            World& w = c.world();
            const EntityId id = c.entity();
            if (what == "destroy")
                w.destroy(id);
            else if (what == "on" || what == "off")
                w.setEnabled(id, what == "on");
            else if (what == "B off")
                QVERIFY(w.setEnabled(id, "B", false));
            else if (what == "B gone")
                QVERIFY(w.removeComponent(id, "B"));
            else
                QVERIFY(w.addComponent(id, *s.registry.find("C"), nullptr));
        };
        const EntityId id = s.spawn(s.type("T", {"A", "B"}), "t");
        if (when.endsWith("Start") || when.endsWith("OnDisable") || when.endsWith("OnDestroy") || what == "C")
            s.world.tick();
        if (when.endsWith("OnDisable"))
            s.world.setEnabled(id, false);
        if (when.endsWith("OnDestroy"))
            s.world.destroy(id);
        QVERIFY(done);
        QString all;
        for (const std::string& line : told)
            all += (all.isEmpty() ? "" : ",") + QString::fromStdString(line);
        QCOMPARE(all, said);
    }
    // What is switched off or removed as it is told something hears nothing else from then on.
    void whatIsOffIsDeafAtOnce() {
        for (const char* when : {"A Awake", "A OnEnable", "A Start"})
            for (const bool removes : {false, true}) {
                Stage s;
                unsigned heard = 0;
                s.notes.act = [&](Component& c, const std::string& line) {
                    if (line.substr(2) != when)
                        return;
                    if (removes) {
                        QVERIFY(c.world().removeComponent(c.entity(), "B"));
                        heard += c.world().sendToComponent<B>(c.entity(), Hit{1}).receivers;
                        QVERIFY(c.world().getComponent<B>(c.entity()) == nullptr);
                    } else {
                        c.world().setEnabled(c.entity(), false);
                        heard += c.world().send(c.entity(), Hit{1}).receivers;
                        heard += c.world().broadcast(Hit{1}).receivers;
                    }
                };
                const EntityId id = s.spawn(s.type("T", {"A", "B"}), "t");
                s.world.tick();
                QCOMPARE(heard, 0U);
                s.notes.act = nullptr;
                QCOMPARE(s.world.send(id, Hit{1}).receivers, removes ? 1U : 0U);
                if (removes)
                    QVERIFY(s.world.addComponent(id, *s.registry.find("B"), nullptr));
            }
    }
    // What goes is not woken by those above it.
    void whatIsAboutToGoStaysOff() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId parent = s.spawn(t, "p");
        const EntityId child = s.spawn(t, "c", parent);
        s.world.tick();
        s.notes.take();
        bool done = false;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (std::exchange(done, true) || line != "p.A Hit1")
                return;
            c.world().destroy(child);
            c.world().setEnabled(parent, false);
            c.world().setEnabled(parent, true);
            QVERIFY(!c.world().removeComponent(child, "A"));
            QVERIFY(!c.world().addComponent(child, *s.registry.find("B"), nullptr));
        };
        s.world.send(parent, Hit{1});
        COMPARE_LINES(s.notes.take(),
                      {"p.A Hit1", "c.A OnDisable", "c.A OnDestroy", "p.A OnDisable", "p.A OnEnable"});
    }
    // A removed component, or one that a reload takes away, destroys its entity: it hears so once, and nothing new joins.
    void whatIsRemovedDestroysItsEntity() {
        for (const bool reload : {false, true}) {
            Stage s;
            s.world.setTypes({s.type("T", {"A", "B"})});
            const EntityId id = s.spawn(s.world.findType("T"), "t");
            s.notes.take();
            s.notes.act = [&](Component& c, const std::string& line) {
                if (line == "t.B OnDestroy")
                    c.world().destroy(c.entity());
            };
            if (reload)
                s.world.replaceTypes({s.type("T", {"A", "C"})});
            else
                QVERIFY(s.world.removeComponent(id, "B"));
            COMPARE_LINES(s.notes.take(),
                          {"t.B OnDisable", "t.B OnDestroy", "t.A OnDisable", "t.A OnDestroy"});
            QVERIFY(!s.world.alive(id));
            QCOMPARE(s.notes.alive, 0);
        }
    }
    // Two handlers that undo one another.
    void onOffForEverIsCut() {
        Stage s;
        const EntityId id = s.spawn(s.type("T", {"A"}), "t");
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "t.A OnDisable" || line == "t.A OnEnable")
                c.world().setEnabled(id, line == "t.A OnDisable");
        };
        s.world.setEnabled(id, false);
        s.notes.act = nullptr;
        QCOMPARE(
            s.said(),
            Lines{"t was switched on and off 5000 times in a row by its own handlers: it stays as it is"});
        QVERIFY(s.world.alive(id));
    }
    // Also through its parent: a pose that is no number is not taken, and one whose parent was flat is a number again.
    void posesStayNumbers() {
        Stage s;
        const auto t = s.type("T", {"Quiet"});
        const EntityId parent = s.spawn(t, "p");
        const EntityId child = s.spawn(t, "c");
        const Quat straight(1.0F, 0.0F, 0.0F, 0.0F);
        s.world.setPose(child, Pose{{3.0F, 0.0F, 0.0F}, straight, Vec3(1.0F)});
        s.world.setPose(parent, Pose{{1.0F, 0.0F, 0.0F}, straight, {0.0F, 1.0F, 1.0F}});
        QVERIFY(s.world.setParent(child, parent));
        s.world.setPose(parent, Pose{{2.0F, 0.0F, 0.0F}, straight, Vec3(1.0F)});
        QCOMPARE(s.world.find(child).pose().position, Vec3(4.0F, 0.0F, 0.0F));
        s.world.setPose(parent, Pose{{std::nanf(""), 0.0F, 0.0F}, straight, Vec3(1.0F)});
        QCOMPARE(s.world.find(child).pose().position, Vec3(4.0F, 0.0F, 0.0F));
        COMPARE_LINES(s.said(), {"p stays where it is: it was given a pose that is no number or infinite"});
    }
    // Of what is made together, parents find their children as they awake.
    void familiesAwakeTogether() {
        Stage s;
        const auto t = s.type("T", {"A"});
        std::vector<SpawnRequest> requests(4);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            requests[i].type = t;
            requests[i].name = std::string(1, static_cast<char>('a' + i));
            if (i != 0)
                requests[i].parentAmong = i / 3; // b and c below a, d below b
        }
        std::string families;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line.ends_with("Awake"))
                families += line.substr(0, 1) + std::to_string(c.world().find(c.entity()).children().size());
        };
        s.world.spawnAll(requests);
        QCOMPARE(families, std::string("a2b1c0d0"));
    }
    // Chains deeper than handlers may stand in one another, and than the stack is.
    void hierarchiesMayBeDeep_data() {
        QTest::addColumn<int>("length");
        for (const int length : {200, 1000, 100'000})
            QTest::addRow("%d", length) << length;
    }
    void hierarchiesMayBeDeep() {
        QFETCH(const int, length);
        Stage s;
        const auto t = s.type("T", {"A"});
        std::vector<EntityId> chain;
        SpawnRequest request;
        request.type = t;
        for (int i = 0; i < length; ++i) {
            request.parent = chain.empty() ? EntityId() : chain.back();
            request.pose.position = Vec3(0.0F, i == 0 ? 0.0F : 1.0F, 0.0F);
            chain.push_back(s.world.spawn(request));
        }
        s.notes.take();
        const auto count = [&](const char* message) {
            const Lines lines = s.notes.take();
            return std::count_if(lines.begin(), lines.end(),
                                 [&](const std::string& l) { return l.ends_with(message); });
        };
        s.world.setPose(chain.front(), Pose{{5.0F, 0.0F, 0.0F}, Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)});
        QCOMPARE(s.world.find(chain.back()).pose().position,
                 Vec3(5.0F, static_cast<float>(length - 1), 0.0F));
        QCOMPARE(s.world.sendToChildren(chain.front(), Hit{1}).receivers, static_cast<unsigned>(length));
        s.notes.take();
        s.world.setEnabled(chain.front(), false);
        QCOMPARE(count(" OnDisable"), length);
        s.world.setEnabled(chain.front(), true);
        QCOMPARE(count(" OnEnable"), length);
        s.world.destroy(chain.front());
        QCOMPARE(count(" OnDestroy"), length);
        QCOMPARE(s.world.entityCount(), std::size_t(0));
        QCOMPARE(s.notes.alive, 0);
        QVERIFY(s.said().empty());
    }
    // Where handlers stand in one another as deep as they may, what the world itself has to say waits, and is said.
    void theWorldIsNotCut() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId victim = s.spawn(t, "v");
        const EntityId loop = s.spawn(t, "l");
        EntityId made;
        s.notes.take();
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "l.A Hit0") {
                c.world().destroy(victim);
                made = s.spawn(t, "m");
            } else if (line.starts_with("l.A Hit")) {
                c.world().send(c.entity(), Hit{std::stoi(line.substr(7)) - 1});
            }
        };
        s.world.send(loop, Hit{static_cast<int>(World::MaxDepth) - 1});
        s.notes.act = nullptr;
        QVERIFY(!s.world.alive(victim) && s.world.alive(made));
        Lines told = s.notes.take();
        std::erase_if(told, [](const std::string& l) { return l.starts_with("l.A Hit"); });
        std::sort(told.begin(), told.end());
        COMPARE_LINES(told, {"m.A Awake", "m.A OnEnable", "v.A OnDestroy", "v.A OnDisable"});
    }
};

QTEST_GUILESS_MAIN(TestLife)
#include "tst_life.moc"
