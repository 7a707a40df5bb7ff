// A window's filter over entities: what is published of it, when, and through which changes it lasts.
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/simulation_thread.h"
#include "engine/simulation/catalog.h"
#include "engine/simulation/entity_filter.h"
#include "tests/simulation/project_in_memory.h"

using namespace sbx;

namespace {

struct Fixture {
    Log log;
    Session session{log, addConsoleCommands};

    Fixture() {
        session.open(projectInMemory(session, "[Crate]\n[Crate.Mesh]\n[Crate.Health]\n[Stone]\n",
                                     "[scene]\nname = \"S\"\n"
                                     "[[entity]]\ntype = \"Crate\"\nname = \"a\"\n"
                                     "[[entity]]\ntype = \"Crate\"\nname = \"b\"\n"
                                     "[[entity]]\ntype = \"Stone\"\nname = \"c\"\n"));
        session.publish();
    }
    std::shared_ptr<const EntityMatches> published() {
        session.publish();
        return session.snapshot()->matches;
    }
    std::string names(const EntityMatches& matches) {
        std::string out;
        for (const EntityId id : matches.ids)
            out += (out.empty() ? "" : " ") + session.world().nameOf(id);
        return out;
    }
    void hurt(const char* name, double left) {
        QVERIFY(
            session.world().setField(session.world().find(name).id(), "Health", "current", Value(left)).ok());
    }
};

} // namespace

class TestEntityQuery : public QObject {
    Q_OBJECT

private slots:
    void nobodyAsksNothingIsPublished() {
        Fixture f;
        QCOMPARE(f.published(), nullptr);
        f.session.filterEntities("type == Crate");
        QCOMPARE(f.names(*f.published()), std::string("a b"));
        f.session.filterEntities("");
        QCOMPARE(f.published(), nullptr);
    }

    void theAnswerIsTheSameObjectUntilOthersMatch() {
        Fixture f;
        f.session.filterEntities("Health.current < 0.5");
        const auto none = f.published();
        QVERIFY(none->ids.empty());
        f.hurt("b", 0.75);
        QCOMPARE(f.published(), none);
        f.hurt("b", 0.25);
        const auto one = f.published();
        QVERIFY(one != none);
        QCOMPARE(f.names(*one), std::string("b"));
        QCOMPARE(one->filter, std::string("Health.current < 0.5"));
        QVERIFY(none->ids.empty()); // what was published stays as it was
        f.hurt("b", 0.125);
        QCOMPARE(f.published(), one);
        f.session.filterEntities("Health.current < 0.5"); // the same once more
        QCOMPARE(f.published(), one);
        f.session.filterEntities("Health.current < 0.4");
        QVERIFY(f.published() != one);
        QCOMPARE(f.published()->filter, std::string("Health.current < 0.4"));
    }

    void whatComesGoesAndMovesInTheTreeCounts() {
        Fixture f;
        f.session.filterEntities("name ~ a* or parent == a");
        QCOMPARE(f.names(*f.published()), std::string("a"));
        QVERIFY(f.session.execute("spawn Stone also").ok);
        QCOMPARE(f.names(*f.published()), std::string("a also"));
        QVERIFY(
            f.session.world().setParent(f.session.world().find("c").id(), f.session.world().find("a").id()));
        QCOMPARE(f.names(*f.published()), std::string("a c also"));
        f.session.world().destroy(f.session.world().find("a").id());
        QCOMPARE(f.names(*f.published()), std::string("also"));
    }

    void itLastsFromWorldToWorld() {
        Fixture f;
        f.session.filterEntities("Health.current < 0.5");
        f.session.play();
        f.hurt("a", 0.25);
        QCOMPARE(f.names(*f.published()), std::string("a"));
        f.session.stop();
        QVERIFY(f.published()->ids.empty());
        f.session.filterEntities("type == Stone");
        QCOMPARE(f.names(*f.published()), std::string("c"));
        f.session.play();
        const auto matches = f.published();
        QCOMPARE(matches->ids.size(), std::size_t(1));
        QVERIFY(matches->ids[0] == f.session.world().find("c").id());
        f.session.open(projectInMemory(
            f.session, "[Stone]\n", "[scene]\nname = \"T\"\n[[entity]]\ntype = \"Stone\"\nname = \"d\"\n"));
        QCOMPARE(f.names(*f.published()), std::string("d"));
    }

    // A plugin goes, and with it the fields of its components: the filter stays as it was, and counts again when they are back.
    void fieldsMayGoAndComeBack() {
        Fixture f;
        const auto all = std::make_shared<Catalog>(f.session.catalog());
        const auto fewer = std::make_shared<Catalog>(*all);
        std::erase_if(fewer->components, [](const ComponentType* type) { return type->name == "Health"; });
        fewer->entityFields = std::make_shared<const EntityFilterSchema>(fewer->components);
        const auto list = f.session.snapshot()->entities;
        f.hurt("a", 0.25);
        EntityQuery never;
        never.setFilter("not Health.current < 0.5");
        QVERIFY(never.evaluate(f.session.world(), fewer, list)->ids.empty()); // it says nothing yet
        QCOMPARE(f.names(*never.evaluate(f.session.world(), all, list)), std::string("b c"));
        EntityQuery query;
        query.setFilter("Health.current < 0.5 or name == c");
        QCOMPARE(f.names(*query.evaluate(f.session.world(), all, list)), std::string("a c"));
        QCOMPARE(f.names(*query.evaluate(f.session.world(), fewer, list)), std::string("a c"));
        f.hurt("b", 0.25);
        QCOMPARE(f.names(*query.evaluate(f.session.world(), all, list)), std::string("a b c"));
    }

    // Asked for from a window while the world runs on its own thread: ids and rows of one snapshot belong together.
    void fromAnotherThread() {
        Fixture f;
        SimulationThread thread(f.session);
        f.session.post([](Session& session) {
            session.play();
            session.filterEntities("has:Light");
        });
        const auto answered = [&](std::size_t count) {
            const auto frame = f.session.snapshot();
            if (!frame->matches || frame->matches->ids.size() != count)
                return false;
            for (const EntityId id : frame->matches->ids)
                if (frame->entities->find(id) == nullptr)
                    qFatal("an id without its row");
            return true;
        };
        QTRY_VERIFY(answered(0));
        for (const char* name : {"a", "b", "c"})
            f.session.post([name](Session& session) {
                World& world = session.world();
                if (!world.addComponent(world.find(name).id(), *session.catalog().find("Light"), nullptr))
                    qFatal("no Light");
            });
        QTRY_VERIFY(answered(3));
        f.session.post([](Session& session) { session.world().destroy(session.world().find("b").id()); });
        QTRY_VERIFY(answered(2));
        f.session.post([](Session& session) { session.filterEntities(""); });
        QTRY_VERIFY(!f.session.snapshot()->matches);
        thread.stop();
    }
};

QTEST_GUILESS_MAIN(TestEntityQuery)
#include "tst_entity_query.moc"
