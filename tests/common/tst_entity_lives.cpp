// Entities that are gone keep their names and the tick by which they were gone, for as long as their run is the last one.
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/core/log.h"
#include "engine/session/session.h"
#include "tests/simulation/project_in_memory.h"
#include "widgets/common/entity_lives.h"
#include "widgets/common/session_feed.h"

using namespace sbx;
using namespace sbx::ui;

class TestEntityLives : public QObject {
    Q_OBJECT
private slots:
    void theGoneKeepTheirNames() {
        Log log;
        Session session(log, addConsoleCommands);
        session.open(projectInMemory(session, "[Crate]\n[Crate.Health]\n",
                                     "[[entity]]\ntype = \"Crate\"\nname = \"a\"\n[[entity]]\ntype = \"Crate\"\nname = \"b\"\n"));
        session.publish();
        SessionFeed feed(session);
        EntityLives lives(feed);
        const auto follow = [&] {
            session.publish();
            feed.poll();
        };
        session.play();
        follow();
        const EntityId a = session.world().find("a").id();
        const EntityId b = session.world().find("b").id();
        QCOMPARE(lives.find("local", a)->name, std::string("a"));
        QVERIFY(!lives.find("local", a)->goneBy);
        QVERIFY(!lives.find("client1", a)); // the window shows another world
        QVERIFY(session.execute("spawn Crate fresh").ok);
        session.tick();
        follow();
        const EntityId fresh = session.world().find("fresh").id();
        QCOMPARE(lives.find("local", fresh)->name, std::string("fresh"));
        QVERIFY(session.execute("destroy a; destroy fresh").ok);
        session.tick();
        follow();
        QCOMPARE(lives.find("local", a)->name, std::string("a"));
        QCOMPARE(lives.find("local", a)->goneBy, std::optional(session.world().tickCount()));
        QCOMPARE(lives.find("local", fresh)->name, std::string("fresh"));
        QVERIFY(!lives.find("local", b)->goneBy);
        // Another takes the place in the table: it is not the one that went.
        QVERIFY(session.execute("spawn Crate next").ok);
        session.tick();
        follow();
        QVERIFY(!lives.find("local", session.world().find("next").id())->goneBy);
        QCOMPARE(lives.find("local", fresh)->name, std::string("fresh"));
        // In the list spawned ones stand behind those of the scene, also where their ids are lower: the next change does not take
        // them for gone.
        for (const char* name : {"other", "third"}) {
            QVERIFY(session.execute(std::string("spawn Crate ") + name).ok);
            session.tick();
            follow();
        }
        const auto idOf = [&](const char* name) { return session.world().find(name).id(); };
        QVERIFY(std::min(idOf("next").index(), idOf("other").index()) < b.index());
        for (const char* name : {"b", "next", "other", "third"})
            QVERIFY2(!lives.find("local", idOf(name))->goneBy, name);
        // The run can be read until the next one begins.
        session.stop();
        follow();
        QCOMPARE(lives.find("local", a)->name, std::string("a"));
        QVERIFY(lives.find("local", a)->goneBy);
        session.play();
        follow();
        QVERIFY(!lives.find("local", session.world().find("a").id())->goneBy);
    }
};

QTEST_MAIN(TestEntityLives)
#include "tst_entity_lives.moc"
