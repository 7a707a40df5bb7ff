// What a tick costs the allocator in a world of the built-in components, once everything has room: nothing.
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "engine/simulation/entity_filter.h"
#include "tests/counted_allocations.h"
#include "tests/folders.h"
#include "tests/simulation/project_in_memory.h"

using namespace sbx;

namespace {

struct Courtyard {
    Log log;
    Session session{log, addConsoleCommands};
    Courtyard() {
        Diagnostics faults;
        const auto content =
            loadContent(sbx::test::sourcePath("resources/projects/courtyard"), "", session.catalog().schema, faults);
        session.execute("trace.enabled false");
        session.open(content);
        session.play();
        // What makes others, and what throws things about: no rest with them.
        session.execute("destroy phantom ball_spawner");
        for (int i = 0; i < 1200; ++i)
            session.tick();
    }
};

} // namespace

class TestAllocations : public QObject {
    Q_OBJECT
private slots:
    void atRestATickAllocatesNothing() {
        Courtyard courtyard;
        World& world = courtyard.session.world();
        QVERIFY(world.entityCount() > 50);
        QVERIFY(courtyard.session.console().execute("expect count(has == Orbit) >= 1").ok); // some always move
        std::size_t most = 0;
        for (int i = 0; i < 120; ++i) {
            const std::size_t before = Allocations.load();
            world.tick();
            most = std::max(most, Allocations.load() - before);
        }
        QCOMPARE(most, std::size_t(0));
    }
    // The console's `select` and its like, over entities with names, types and texts of more than fifteen bytes.
    void norDoesAFilterOverEntities() {
        Courtyard courtyard;
        World& world = courtyard.session.world();
        SpawnRequest request;
        request.type = world.findType("Crate");
        request.name = "a_crate_with_quite_a_long_name";
        request.pose.position = Vec3(0.0F, 2.0F, 0.0F);
        const EntityId parent = world.spawn(request);
        request.name = "another_crate_with_quite_a_long_name";
        request.parent = parent;
        world.spawn(request);
        world.create(request.type); // a name is made for it
        const EntityFilterSchema& schema = *courtyard.session.catalog().entityFields;
        for (const char* text :
             {"name == a_crate_with_quite_a_long_name", "name ~ crate#", "parent ~ *quite_a_long_name",
              "has == Health", "quite_a_long_name", "Health.death == destroy",
              "Body.shape == box and Body.mass > 1 kg", "position.y > 0.1 m and not scene",
              "Health.current < 50 % or Health.maximum >= 10", "Sound.file == sounds/flutter.wav",
              "Sound.file ~ *flutter* or Mesh.mesh ~ meshes/wing"}) {
            const Result<Filter> filter = Filter::compile(text, schema.schema());
            QVERIFY2(filter.ok(), filter.ok() ? "" : filter.error().message.c_str());
            EntityFilterRow row(schema, world);
            std::size_t matches = 0;
            std::size_t count = 0;
            for (int round = 0; round < 2; ++round) { // the first makes room for a name
                count = Allocations.load();
                world.forEach([&](const Entity& entity) {
                    row.set(entity);
                    matches += filter->matches(row) ? 1U : 0U;
                });
                count = Allocations.load() - count;
            }
            QVERIFY2(matches > 0, text);
            QVERIFY2(count <= 1, (std::string(text) + ": " + std::to_string(count)).c_str()); // forEach's function
        }
    }
    // Nor what is looked through for a window with every publication; the answer is the same object while nothing comes or goes.
    void norDoesTheFilterOfAWindow_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"", "type == Crate", "crate", "has:Health and enabled", "position.y > 0.1 m",
                                 "Health.current < 50 % or Health.maximum >= 10", "name == nobody"})
            QTest::newRow(text) << QByteArray(text);
    }
    void norDoesTheFilterOfAWindow() {
        QFETCH(const QByteArray, text);
        Courtyard courtyard;
        Session& session = courtyard.session;
        session.world().setEnabled(session.world().find("crate_1").id(), false);
        session.publish();
        const std::shared_ptr<const EntityList> list = session.snapshot()->entities;
        const std::shared_ptr<const Catalog> catalog(std::shared_ptr<void>(), &session.catalog());
        EntityQuery query;
        query.setFilter(text.toStdString());
        const auto first = query.evaluate(session.world(), catalog, list);
        const std::size_t count = Allocations.load();
        bool same = true;
        for (int i = 0; i < 10; ++i)
            same = query.evaluate(session.world(), catalog, list) == first && same;
        QCOMPARE(Allocations.load() - count, std::size_t(0));
        QVERIFY(same);
        QCOMPARE(first == nullptr, text.isEmpty());
        if (first != nullptr) {
            QCOMPARE(first->filter, text.toStdString());
            QCOMPARE(first->ids.empty(), text.endsWith("nobody"));
        }
    }
    // A watch of somebody who is gone asks nobody else's name, however many there are: each would be a text of more than fifteen bytes.
    void norDoesAWatchOfNobodyLookForOthers() {
        const auto costOf = [](int entities) {
            Log log;
            Session session{log, addConsoleCommands};
            session.open(projectInMemory(session, "[AnEntityTypeWithQuiteALongName]\n", "[scene]\n"));
            const auto type = session.world().findType("AnEntityTypeWithQuiteALongName");
            for (int i = 0; i < entities; ++i) {
                SpawnRequest request;
                request.type = type;
                request.name = "an_entity_with_quite_a_long_name_" + std::to_string(i);
                session.world().spawn(request);
            }
            session.publish();
            // Who adds it is told whom it may have meant, then.
            const ConsoleReply reply =
                session.execute("watch an_entity_with_quite_a_long_nam_3.Health.current");
            const bool isHelped =
                reply.ok && reply.lines.size() == 2
                && reply.lines[0].ends_with("; did you mean an_entity_with_quite_a_long_name_3?");
            session.publish();
            const std::size_t before = Allocations.load();
            session.publish();
            const std::size_t cost = Allocations.load() - before;
            const WatchReading reading = session.watches().list().at(0);
            const bool isShort =
                reading.failed
                && reading.shown == "no entity is called \"an_entity_with_quite_a_long_nam_3\"";
            return isHelped && isShort ? cost : std::size_t(0);
        };
        const std::size_t few = costOf(10);
        QVERIFY(few > 0);
        QCOMPARE(costOf(1000), few);
    }
    // Given names and made up ones, of more than fifteen bytes, there or not.
    void norDoesFindingAName() {
        Log log;
        Session session{log, addConsoleCommands};
        session.open(projectInMemory(session, "[AnEntityTypeWithQuiteALongName]\n", "[scene]\n"));
        World& world = session.world();
        SpawnRequest request;
        request.type = world.findType("AnEntityTypeWithQuiteALongName");
        request.name = "an_entity_with_quite_a_long_name";
        const EntityId given = world.spawn(request);
        const EntityId bare = world.create(request.type);
        const std::string number = "#" + std::to_string(bare.index());
        const std::string made = "anEntityTypeWithQuiteALongName" + number;
        QCOMPARE(world.nameOf(bare), made);
        const std::string wrong[] = {"an_entity_with_quite_a_long_nam",
                                     "anEntityTypeWithQuiteALongNam" + number,
                                     "AnEntityTypeWithQuiteALongName" + number,
                                     "anEntityTypeWithQuiteALongName#0" + number.substr(1),
                                     "anEntityTypeWithQuiteALongName#" + std::to_string(given.index()),
                                     number,
                                     "#",
                                     ""};
        const std::size_t count = Allocations.load();
        const EntityId found[] = {world.find("an_entity_with_quite_a_long_name").id(), world.find(made).id()};
        std::size_t hits = 0;
        for (const std::string& name : wrong)
            hits += world.find(name) ? 1U : 0U;
        QCOMPARE(Allocations.load() - count, std::size_t(0));
        QCOMPARE(found[0], given);
        QCOMPARE(found[1], bare);
        QCOMPARE(hits, std::size_t(0));
    }
};

QTEST_GUILESS_MAIN(TestAllocations)
#include "tst_allocations.moc"
