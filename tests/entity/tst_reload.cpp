// Definitions replaced while entities live: the same state as a fresh load, and what a component keeps to itself is kept.
#include <QtTest>

#include "tests/entity/stage.h"

#include <rapidcheck.h>

#include <map>

using namespace sbx;
using namespace sbx::test;

namespace {

// One type: its components in file order, and how loud each is.
using Definition = std::vector<std::pair<char, int>>;
using Definitions = std::vector<Definition>; // of T0, T1, …

std::vector<std::shared_ptr<const EntityType>> build(Stage& s, const Definitions& definitions) {
    std::vector<std::shared_ptr<const EntityType>> out;
    for (std::size_t t = 0; t < definitions.size(); ++t) {
        std::vector<ComponentSpec> specs;
        for (const auto& [kind, loud] : definitions[t]) {
            const ComponentType* const type = s.registry.find(std::string(1, kind));
            // The settings of A, B and C look the same.
            auto settings = std::make_shared<A::Settings>();
            settings->loud = loud;
            specs.push_back({type, settings});
        }
        out.push_back(Stage::typeOf("T" + std::to_string(t), specs));
    }
    return out;
}

// All that is to be seen of the world, entity by entity, with the order in which handlers hear.
std::string seen(Stage& s) {
    std::string out;
    std::vector<EntityId> ids;
    s.world.forEach([&](const Entity& entity) { ids.push_back(entity.id()); });
    for (const EntityId id : ids) {
        const Entity entity = s.world.find(id);
        out += entity.name() + " " + entity.type().name();
        entity.eachComponent([&](const Entity::ComponentRef& ref) {
            out += " " + ref.type->name + ref.type->settings->formatJson(ref.type->settingsOf(ref.component))
                   + ref.type->state->formatJson(ref.type->stateOf(ref.component));
        });
        s.notes.take();
        s.world.send(id, Hit{9});
        for (const std::string& line : s.notes.take())
            out += "\n  " + line;
        out += "\n";
    }
    return out;
}

Definitions decode(const std::vector<std::uint32_t>& numbers, std::size_t at) {
    Definitions out;
    for (std::size_t t = 0; t < 2; ++t) {
        const std::uint32_t n = numbers.empty() ? 0 : numbers[(at * 2 + t) % numbers.size()] + static_cast<std::uint32_t>(at);
        std::vector<char> kinds{'A', 'B', 'C'};
        std::uint32_t shuffle = n / 8;
        for (std::size_t i = kinds.size(); i > 1; --i, shuffle /= 3)
            std::swap(kinds[i - 1], kinds[shuffle % i]);
        Definition definition;
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if ((n >> i & 1U) != 0)
                definition.emplace_back(kinds[i], static_cast<int>(n / 64 / (i + 1) % 4));
        out.push_back(definition);
    }
    return out;
}

} // namespace

class TestReload : public QObject {
    Q_OBJECT
private slots:
    // The same cases on every run; RC_PARAMS="seed=… max_success=…" looks further.
    void initTestCase() {
        if (qEnvironmentVariableIsEmpty("RC_PARAMS"))
            qputenv("RC_PARAMS", "seed=7");
    }
    void editsEndAsAFreshLoad() {
        QVERIFY(rc::check("edits applied live end as a fresh load", [](const std::vector<std::uint32_t>& numbers) {
            const std::size_t edits = 1 + numbers.size() % 6;
            Stage live;
            live.recorder.setEnabled(numbers.size() % 2 == 0);
            live.world.setTypes(build(live, decode(numbers, 0)));
            std::vector<std::string> names;
            const auto spawn = [](Stage& s, std::size_t i) {
                s.spawn(s.world.findType("T" + std::to_string(i % 2)), "e" + std::to_string(i));
            };
            std::size_t made = 0;
            for (; made < 3; ++made)
                spawn(live, made);
            std::map<std::pair<EntityId, std::string>, std::uintptr_t> objects;
            for (std::size_t edit = 1; edit <= edits; ++edit) {
                live.world.replaceTypes(build(live, decode(numbers, edit)));
                // Components that were there a definition ago are the same objects.
                std::map<std::pair<EntityId, std::string>, std::uintptr_t> now;
                live.world.forEach([&](const Entity& entity) {
                    entity.eachComponent([&](const Entity::ComponentRef& ref) {
                        now[{entity.id(), ref.type->name}] = reinterpret_cast<std::uintptr_t>(ref.component);
                    });
                });
                for (const auto& [which, object] : objects)
                    if (const auto it = now.find(which); it != now.end())
                        RC_ASSERT(it->second == object);
                objects = now;
                if (edit % 2 == 0)
                    live.world.tick();
                spawn(live, made++);
            }
            Stage fresh;
            fresh.world.setTypes(build(fresh, decode(numbers, edits)));
            for (std::size_t i = 0; i < made; ++i)
                spawn(fresh, i);
            const std::string a = seen(live);
            const std::string b = seen(fresh);
            if (a != b)
                RC_FAIL("live:\n" + a + "fresh:\n" + b);
            RC_ASSERT(live.notes.alive == fresh.notes.alive);
            // And they live on the same: all phases reach the same components.
            live.world.tick();
            fresh.world.tick();
            const auto heard = [](Stage& s) {
                s.notes.take();
                s.world.tick();
                Lines lines = s.notes.take();
                std::sort(lines.begin(), lines.end());
                return lines;
            };
            RC_ASSERT(heard(live) == heard(fresh));
            live.world.clear();
            RC_ASSERT(live.notes.alive == 0);
        }));
    }
    void theNewAwakeAndTheOldSayGoodbye() {
        Stage s;
        s.world.setTypes(build(s, {{{'A', 1}, {'B', 1}}}));
        const EntityId a = s.spawn(s.world.findType("T0"), "a");
        s.world.tick();
        s.notes.take();
        const A* const kept = s.world.getComponent<A>(a);
        const std::vector<std::string> report = s.world.replaceTypes(build(s, {{{'C', 1}, {'A', 7}}}));
        QCOMPARE(report, (std::vector<std::string>{"T0: 1 entity follows (+C, -B, A.loud)"}));
        QCOMPARE(s.notes.take(), (Lines{"a.B OnDisable", "a.B OnDestroy", "a.C Awake", "a.C OnEnable"}));
        QCOMPARE(s.world.getComponent<A>(a), kept);
        QCOMPARE(kept->state.level, 7);
        QCOMPARE(s.notes.alive, 2);
        s.world.tick();
        const Lines lines = s.notes.take();
        QCOMPARE(Lines(lines.begin(), lines.begin() + 3), (Lines{"a.C Start", "a.C PreUpdate", "a.A PreUpdate"}));
        // Nothing to do: nothing is said.
        const auto same = s.world.types();
        QVERIFY(s.world.replaceTypes(same).empty());
    }
    // "A#1" is the A: what was wished of it by that name is kept too.
    // What a component that goes destroys is told of its end once, and is not made like the new type first.
    void whatIsDestroyedMeanwhileGoesAsItIs_data() {
        QTest::addColumn<bool>("bare");
        QTest::newRow("bare") << true;
        QTest::newRow("named") << false;
    }
    void whatIsDestroyedMeanwhileGoesAsItIs() {
        QFETCH(const bool, bare);
        Stage s;
        const auto before = s.type("T", {"A", "B"});
        s.world.setTypes({before});
        const EntityId a = bare ? s.world.create(before) : s.spawn(before, "a");
        const EntityId b = bare ? s.world.create(before) : s.spawn(before, "b");
        s.world.tick();
        s.notes.take();
        const std::string nameOfA = s.world.nameOf(a);
        const std::string nameOfB = s.world.nameOf(b);
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == nameOfA + ".B OnDestroy")
                c.world().destroy(b);
        };
        s.world.replaceTypes({s.type("T", {"A", "C"})});
        s.notes.act = nullptr;
        QVERIFY(!s.world.alive(b));
        const Lines told = s.notes.take();
        for (const char* what : {".A OnDisable", ".B OnDisable", ".A OnDestroy", ".B OnDestroy"})
            QVERIFY2(std::count(told.begin(), told.end(), nameOfB + what) == 1, textOf(told).c_str());
        QVERIFY2(std::none_of(told.begin(), told.end(),
                              [&](const std::string& line) { return line.starts_with(nameOfB + ".C"); }),
                 textOf(told).c_str());
        s.world.send(a, Hit{1});
        COMPARE_LINES(s.notes.take(), {nameOfA + ".A Hit1", nameOfA + ".C Hit0"});
    }
    void wishesAreKeptByWhateverName() {
        for (const char* name : {"A", "A#1"}) {
            Stage s;
            s.world.setTypes(build(s, {{{'A', 1}, {'B', 1}}}));
            const EntityId a = s.spawn(s.world.findType("T0"), "a");
            QVERIFY(s.world.setField(a, name, "loud", Value(std::int64_t(5))).ok());
            s.world.replaceTypes(build(s, {{{'A', 2}, {'B', 2}}}));
            QCOMPARE(s.world.getComponent<A>(a)->settings.loud, 5);
            QCOMPARE(s.world.getComponent<B>(a)->settings.loud, 2);
        }
    }
    void statesWishesAndRunTimeComponentsAreKept() {
        Stage s;
        s.world.setTypes(build(s, {{{'A', 1}, {'B', 1}}}));
        const EntityId a = s.spawn(s.world.findType("T0"), "a");
        const EntityId b = s.spawn(s.world.findType("T0"), "b");
        QVERIFY(s.world.setField(a, "A", "loud", Value(std::int64_t(50))).ok());
        QVERIFY(s.world.addComponent(a, *s.registry.find("C"), nullptr).ok());
        QVERIFY(s.world.removeComponent(b, "B").ok());
        s.world.setEnabled(b, false);
        s.world.send(a, Hit{1});
        for (const int loud : {2, 3}) {
            s.world.replaceTypes(build(s, {{{'A', loud}, {'B', loud}}}));
            QCOMPARE(s.world.getComponent<A>(a)->settings.loud, 50);
            QCOMPARE(s.world.getComponent<B>(a)->settings.loud, loud);
            QCOMPARE(s.world.getComponent<C>(a)->state.hits, 1);
            QCOMPARE(s.world.getComponent<A>(b)->settings.loud, loud);
            QVERIFY(s.world.getComponent<B>(b) == nullptr); // removed by wish: stays away
            QVERIFY(!s.world.find(b).enabled());
        }
        // Declared now: what was added gives way.
        const C* const added = s.world.getComponent<C>(a);
        s.world.replaceTypes(build(s, {{{'A', 1}, {'C', 4}}}));
        QVERIFY(s.world.getComponent<C>(a) != added);
        QCOMPARE(s.world.getComponent<C>(a)->settings.loud, 4);
        QCOMPARE(s.world.find(a).components().size(), std::size_t(2));
        s.notes.take();
        s.world.setEnabled(b, true);
        QCOMPARE(s.notes.take(), (Lines{"b.A OnEnable", "b.C OnEnable"}));
    }
};

QTEST_GUILESS_MAIN(TestReload)
#include "tst_reload.moc"
