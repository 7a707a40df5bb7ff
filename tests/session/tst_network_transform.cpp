// NetworkTransform: one end moves an entity, the others show it smoothly and at rest in the same place; only the owner can move it.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/body.h"
#include "engine/components/network_system.h"
#include "engine/components/network_transform.h"
#include "engine/session/local_clients.h"
#include "engine/session/session.h"
#include "tests/simulation/project_in_memory.h"

#include <algorithm>
#include <cmath>

using namespace sbx;

namespace {

const char* const Types =
    "[Player]\n[Player.Body]\nshape = \"capsule\"\nradius = 0.35\nheight = 1.75\nmass = 75\nupright = true\n[Player.Walk]\n"
    "[Floor]\n[Floor.Body]\nmotion = \"static\"\nshape = \"box\"\nsize = [400.0, 1.0, 400.0]\n"
    "[Crate]\n[Crate.Body]\nshape = \"box\"\nsize = [1.0, 1.0, 1.0]\n[Crate.NetworkTransform]\n"
    "[Plain]\n[Plain.Body]\nshape = \"box\"\nsize = [1.0, 1.0, 1.0]\n"
    "[Toy]\n[Toy.Body]\nshape = \"box\"\nsize = [1.0, 1.0, 1.0]\n[Toy.NetworkTransform]\nauthority = \"owner\"\nmaxSpeed = 20.0\n"
    "[Sign]\n[Sign.NetworkTransform]\nscale = true\n"
    "[Runner]\n[Runner.Body]\nshape = \"capsule\"\nradius = 0.35\nheight = 1.75\nmass = 75\nupright = true\n[Runner.Walk]\n"
    "[Runner.NetworkTransform]\nauthority = \"owner\"\n";

std::string scene(const std::string& more) {
    return "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Player\"\nname = \"host\"\nposition = [0.0, 0.9, 30.0]\n"
           "[[entity]]\ntype = \"Floor\"\nname = \"floor\"\nposition = [0.0, -0.5, 0.0]\n"
           + more;
}
std::string entity(const std::string& type, const std::string& name, const std::string& position) {
    return "[[entity]]\ntype = \"" + type + "\"\nname = \"" + name + "\"\nposition = " + position + "\n";
}

class Play {
public:
    explicit Play(const char* link, const std::string& more, std::size_t clients = 1, std::string types = Types)
        : server(log, addConsoleCommands) {
        Diagnostics faults;
        const auto content = projectInMemory(server, std::move(types), scene(more), &faults);
        if (content == nullptr || faults.hasErrors())
            qFatal("%s", faults.items.empty() ? "no content" : faults.items.front().toString().c_str());
        server.open(content);
        server.play();
        server.addClients({.count = clients, .link = *net::parseLink(link), .seed = 5});
        run(180);
    }
    [[nodiscard]] Simulation& client(std::size_t i = 0) { return server.clients()->simulation(i); }
    [[nodiscard]] World& world() { return server.world(); }
    [[nodiscard]] Entity at(const std::string& name) { return world().find(name); }
    [[nodiscard]] Entity seen(const std::string& name, std::size_t i = 0) { return client(i).world().find(name); }
    [[nodiscard]] NetworkTransform::State state(const std::string& name) { return world().getComponent<NetworkTransform>(at(name).id())->state; }
    [[nodiscard]] NetworkSystem& network() { return server.simulation().network(); }
    // The player of a client, in the server's world.
    [[nodiscard]] EntityId playerOf(std::size_t i) { return world().find(client(i).world().nameOf(client(i).network().player())).id(); }
    void give(const std::string& name, EntityId owner) { world().send(at(name).id(), SetOwner{owner}); }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i)
            server.tick();
    }
    int lines(const std::string& text) const {
        const auto all = log.since(0);
        return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const LogRecord& r) { return r.text.find(text) != std::string::npos; }));
    }
    Log log;
    Session server;
};

float apart(const Entity& a, const Entity& b) { return glm::length(a.pose().position - b.pose().position); }
float degreesApart(const Entity& a, const Entity& b) {
    return glm::degrees(2.0F * std::acos(std::min(1.0F, std::abs(glm::dot(a.pose().rotation, b.pose().rotation)))));
}

// As near as rounding to a millimetre along each axis allows.
bool isAt(const Entity& a, const Entity& b) {
    const float distance = apart(a, b);
    if (distance >= 0.0012F)
        qWarning("%.5f m apart", static_cast<double>(distance));
    return distance < 0.0012F;
}

// Largest steps from tick to tick, in metres.
struct Steps {
    double server = 0.0;
    double client = 0.0;      // of the world
    double clientDrawn = 0.0; // with what the picture smooths
};
Steps pushed(const char* link, const std::string& type) {
    Play play(link, entity(type, "crate", "[0.0, 0.5, 0.0]"));
    Steps steps;
    const auto drawn = [&] {
        return play.client().network().smoothing().shown(play.client().world(), play.seen("crate")).position;
    };
    Vec3 lastServer = play.at("crate").pose().position;
    Vec3 lastClient = play.seen("crate").pose().position;
    Vec3 lastDrawn = drawn();
    for (int tick = 0; tick < 900; ++tick) {
        if (tick % 60 == 0) {
            const float turn = static_cast<float>(tick);
            play.world().send(play.at("crate").id(), SetVelocity{Vec3(5.0F * std::sin(turn), 3.0F, 5.0F * std::cos(turn))});
        }
        play.run(1);
        const auto step = [](Vec3& last, const Vec3& now, double& largest) {
            largest = std::max(largest, static_cast<double>(glm::length(now - last)));
            last = now;
        };
        step(lastServer, play.at("crate").pose().position, steps.server);
        step(lastClient, play.seen("crate").pose().position, steps.client);
        step(lastDrawn, drawn(), steps.clientDrawn);
    }
    return steps;
}

} // namespace

class TestNetworkTransform : public QObject {
    Q_OBJECT

private slots:
    void theStepsAreNotMuchLargerThanTheServers_data() {
        QTest::addColumn<QString>("link");
        QTest::newRow("perfect") << "none";
        QTest::newRow("250 ms, 5 %") << "latency=250ms loss=5%";
        QTest::newRow("jitter") << "latency=100ms jitter=20ms loss=5%";
    }
    void theStepsAreNotMuchLargerThanTheServers() {
        QFETCH(QString, link);
        const QByteArray on = link.toUtf8();
        const Steps with = pushed(on.constData(), "Crate");
        const Steps without = pushed(on.constData(), "Plain");
        qInfo("largest step: server %.3f m, client %.3f m; without NetworkTransform %.3f m, drawn %.3f m", with.server, with.client,
              without.client, without.clientDrawn);
        QVERIFY(with.server > 0.05);
        QVERIFY(with.client <= 1.5 * with.server);
    }

    // The last update may be lost: it is sent until it has arrived.
    void whatRestsIsExactlyThere_data() {
        QTest::addColumn<QString>("link");
        QTest::newRow("perfect") << "none";
        QTest::newRow("loss") << "latency=50ms loss=20%";
        QTest::newRow("bad") << "latency=150ms jitter=30ms loss=10% duplicate=2% reorder=2%";
    }
    void whatRestsIsExactlyThere() {
        QFETCH(QString, link);
        Play play(link.toUtf8().constData(), entity("Crate", "crate", "[0.0, 2.0, 0.0]"));
        for (int round = 0; round < 6; ++round) {
            play.world().send(play.at("crate").id(), SetVelocity{Vec3(2.0F, 3.0F, static_cast<float>(round) - 3.0F)});
            play.run(round == 5 ? 600 : 40);
        }
        QVERIFY(isAt(play.seen("crate"), play.at("crate")));
        QVERIFY(degreesApart(play.at("crate"), play.seen("crate")) < 0.1F);
        QVERIFY(play.state("crate").resting);
        QCOMPARE(play.client().network().stateDigest(), play.network().stateDigest());
        // A motion shorter than the update distance arrives, too.
        const NetworkCounters before = play.network().counters();
        Pose pose = play.at("crate").pose();
        pose.position.x += 0.004F;
        play.world().send(play.at("crate").id(), MoveTo{pose.position, pose.rotation});
        play.run(240);
        QVERIFY(isAt(play.at("crate"), play.seen("crate")));
        QVERIFY(play.network().counters().statesSent > before.statesSent);
        // ... and then nothing is sent any more.
        const NetworkCounters still = play.network().counters();
        play.run(120);
        QCOMPARE(play.network().counters().statesSent, still.statesSent);
    }

    void theIntervalBoundsWhatIsSent() {
        const auto sent = [](const char* settings) {
            std::string types = Types;
            types += settings;
            Play play("latency=20ms", entity("Slow", "slow", "[0.0, 5.0, 0.0]"), 1, types);
            const NetworkCounters before = play.network().counters();
            play.run(600);
            const std::uint64_t records = play.network().counters().statesSent - before.statesSent;
            return records;
        };
        const std::uint64_t often = sent("[Slow]\n[Slow.Spin]\n[Slow.NetworkTransform]\n");
        const std::uint64_t seldom = sent("[Slow]\n[Slow.Spin]\n[Slow.NetworkTransform]\nupdateInterval = 0.5\n");
        qInfo("records in ten seconds: %llu, every half second %llu", static_cast<unsigned long long>(often), static_cast<unsigned long long>(seldom));
        QVERIFY(often >= 150);
        QVERIFY(seldom >= 18 && seldom <= 22);
    }

    void aTeleportIsAJumpAndNoFlight() {
        Play play("latency=50ms", entity("Crate", "crate", "[0.0, 0.5, 0.0]"));
        play.world().send(play.at("crate").id(), SetPose{Vec3(50.0F, 0.5F, 0.0F)});
        int between = 0;
        for (int i = 0; i < 60; ++i) {
            play.run(1);
            const float x = play.seen("crate").pose().position.x;
            between += x > 1.0F && x < 49.0F ? 1 : 0;
        }
        QCOMPARE(between, 0);
        play.run(240);
        QVERIFY(isAt(play.seen("crate"), play.at("crate")));
    }

    void theScaleIsATrackOfItsOwn() {
        Play play("latency=50ms", entity("Sign", "sign", "[3.0, 5.0, 0.0]"));
        Pose pose = play.at("sign").pose();
        pose.scale = Vec3(2.0F, 1.0F, 0.5F);
        play.world().setPose(play.at("sign").id(), pose);
        play.run(60);
        QVERIFY(glm::length(play.seen("sign").pose().scale - pose.scale) < 0.002F);
        QCOMPARE(play.seen("sign").pose().position, pose.position);
    }

    void anOwnerMovesItAndAllSeeIt() {
        Play play("latency=60ms jitter=10ms loss=5%", entity("Toy", "toy", "[0.0, 0.5, 0.0]"), 2);
        play.give("toy", play.playerOf(0));
        play.run(60);
        QCOMPARE(play.state("toy").owner, play.playerOf(0));
        QCOMPARE(play.client(1).world().getComponent<NetworkTransform>(play.seen("toy", 1).id())->state.owner,
                 play.client(1).world().find(play.world().nameOf(play.playerOf(0))).id());
        // Its owner pushes it, at its own end alone.
        play.client(0).world().send(play.seen("toy").id(), SetVelocity{Vec3(4.0F, 3.0F, 0.0F)});
        play.run(1);
        QVERIFY(play.seen("toy").pose().position.y > 0.52F); // at once
        play.run(300);
        QVERIFY(play.at("toy").pose().position.x > 0.5F);
        play.run(240);
        QVERIFY(isAt(play.at("toy"), play.seen("toy", 0)));
        QVERIFY(apart(play.at("toy"), play.seen("toy", 1)) < 0.0022F);
        // What others do to it has no effect.
        const Vec3 before = play.at("toy").pose().position;
        play.client(1).world().send(play.seen("toy", 1).id(), SetVelocity{Vec3(4.0F, 3.0F, 0.0F)});
        play.world().send(play.at("toy").id(), Push{Vec3(100.0F, 0.0F, 0.0F)});
        play.run(120);
        QVERIFY(glm::length(play.at("toy").pose().position - before) < 0.001F);
        // The server may put it elsewhere.
        play.world().send(play.at("toy").id(), SetPose{Vec3(-10.0F, 0.5F, 3.0F)});
        play.run(120);
        QVERIFY(glm::length(play.seen("toy", 0).pose().position - Vec3(-10.0F, 0.5F, 3.0F)) < 0.01F);
        QVERIFY(glm::length(play.seen("toy", 1).pose().position - Vec3(-10.0F, 0.5F, 3.0F)) < 0.01F);
    }

    void itChangesHandsAndComesBack() {
        Play play("latency=40ms", entity("Toy", "toy", "[0.0, 0.5, 0.0]"), 2);
        play.give("toy", play.playerOf(0));
        play.run(60);
        play.give("toy", play.playerOf(1));
        play.run(60);
        play.client(1).world().send(play.seen("toy", 1).id(), SetVelocity{Vec3(0.0F, 2.0F, 4.0F)});
        play.run(240);
        QVERIFY(play.at("toy").pose().position.z > 0.5F);
        QVERIFY(apart(play.at("toy"), play.seen("toy", 0)) < 0.0022F);
        // Without an owner it is the server's again, and simulated.
        play.give("toy", EntityId());
        play.world().send(play.at("toy").id(), SetVelocity{Vec3(3.0F, 3.0F, 0.0F)});
        const float x = play.at("toy").pose().position.x;
        play.run(240);
        QVERIFY(play.at("toy").pose().position.x > x + 0.5F);
        QVERIFY(isAt(play.at("toy"), play.seen("toy", 0)));
        QVERIFY(isAt(play.at("toy"), play.seen("toy", 1)));
    }

    void whatItsOwnerLeavesIsTheServers() {
        Play play("latency=40ms", entity("Toy", "toy", "[0.0, 0.5, 0.0]"), 2);
        play.give("toy", play.playerOf(1));
        play.run(60);
        QVERIFY(play.state("toy").owner);
        play.client(1).network().detach();
        play.run(120);
        QVERIFY(!play.state("toy").owner);
        play.world().send(play.at("toy").id(), SetVelocity{Vec3(3.0F, 3.0F, 0.0F)});
        play.run(240);
        QVERIFY(play.at("toy").pose().position.x > 0.5F);
    }

    void onlyWhatDeclaresItGetsAnOwner() {
        Play play("none", entity("Crate", "crate", "[0.0, 0.5, 0.0]") + entity("Toy", "toy", "[3.0, 0.5, 0.0]"));
        play.give("crate", play.playerOf(0));
        QVERIFY(!play.state("crate").owner);
        QCOMPARE(play.lines("crate gets no owner: its NetworkTransform.authority is server; expected owner"), 1);
        play.give("toy", play.at("floor").id());
        QVERIFY(!play.state("toy").owner);
        QCOMPARE(play.lines("toy gets no owner: floor is no player of a client"), 1);
    }

    // Authority is the connection's: who does not own it is refused, whatever it claims.
    void whoDoesNotOwnItIsRefused() {
        Play play("latency=20ms", entity("Toy", "toy", "[0.0, 0.5, 0.0]"), 2);
        play.give("toy", play.playerOf(0));
        play.run(60);
        TransformUpdate update;
        update.tick = 100000;
        update.position = Vec3(5.0F, 5.0F, 5.0F);
        play.client(1).network().send(play.seen("toy", 1).id(), update);
        play.client(1).network().send(play.seen("floor", 1).id(), update);
        play.run(30);
        QCOMPARE(play.network().counters().refused, std::uint64_t{2});
        QVERIFY(play.at("toy").pose().position.x < 0.1F);
        QCOMPARE(play.lines("a client may send it only to what its player owns"), 1);
    }

    // An owner that lies: times that have not come, teleports, no rotation. The others do not see it.
    void anOwnerThatLiesIsNotFollowed() {
        Play play("latency=20ms", entity("Toy", "toy", "[0.0, 0.5, 0.0]"), 2);
        play.give("toy", play.playerOf(0));
        play.run(60);
        play.client(0).world().send(play.seen("toy").id(), SetVelocity{Vec3(2.0F, 2.0F, 0.0F)});
        play.run(400);
        const auto lie = [&](const std::function<void(TransformUpdate&)>& how) {
            TransformUpdate update;
            update.tick = static_cast<std::uint32_t>(play.client(0).world().tickCount());
            update.placed = play.state("toy").placed;
            update.position = play.at("toy").pose().position;
            how(update);
            play.client(0).network().send(play.seen("toy").id(), update);
            play.run(20);
        };
        const Vec3 before = play.seen("toy", 1).pose().position;
        lie([](TransformUpdate& u) { u.tick = 4294967295U, u.position.y += 1.0F; });
        lie([](TransformUpdate& u) { u.tick = 1, u.position.y += 1.0F; });
        lie([](TransformUpdate& u) { u.rotation = Quat(0.0F, 0.0F, 0.0F, 0.0F), u.position.y += 1.0F; });
        lie([](TransformUpdate& u) { u.rotation = Quat(50.0F, 0.0F, 0.0F, 0.0F), u.position.y += 1.0F; });
        lie([](TransformUpdate& u) { u.position.x = std::numeric_limits<float>::infinity(); });
        lie([](TransformUpdate& u) { u.position.x = std::numeric_limits<float>::quiet_NaN(); });
        lie([](TransformUpdate& u) { u.placed += 7, u.position.y += 1.0F; });
        QVERIFY(glm::length(play.at("toy").pose().position - before) < 0.003F);
        lie([](TransformUpdate& u) { u.position.x += 500.0F; });
        QCOMPARE(play.lines("faster than NetworkTransform.maxSpeed"), 1);
        play.run(60);
        QVERIFY(glm::length(play.at("toy").pose().position - before) < 0.01F);
        QVERIFY(glm::length(play.seen("toy", 1).pose().position - before) < 0.01F);
        // It goes on: the liar's own end was put back.
        QVERIFY(apart(play.seen("toy"), play.at("toy")) < 0.01F);
        play.client(0).world().send(play.seen("toy").id(), SetVelocity{Vec3(-2.0F, 2.0F, 0.0F)});
        play.run(200);
        QVERIFY(play.at("toy").pose().position.x < before.x - 0.2F);
    }

    // A player whose client decides where it is.
    void aPlayerOwnsItself() {
        std::string types = Types;
        types.replace(types.find("[Player.Walk]\n"), 14, "[Player.Walk]\n[Player.NetworkTransform]\nauthority = \"owner\"\n");
        Play play("latency=100ms loss=5%", "", 2, types);
        const EntityId own = play.client(0).network().player();
        const std::string name = play.client(0).world().nameOf(own);
        QCOMPARE(play.state(name).owner, play.playerOf(0));
        QVERIFY(!play.state("host").owner);
        const Vec3 start = play.seen(name).pose().position;
        play.client(0).setInput({.move = Vec2(0.0F, 1.0F)});
        play.run(3);
        QVERIFY(glm::length(play.seen(name).pose().position - start) > 0.002F);
        play.run(120);
        play.client(0).setInput({});
        play.run(240);
        QVERIFY(glm::length(play.seen(name).pose().position - start) > 4.0F);
        QVERIFY(isAt(play.at(name), play.seen(name, 0)));
        QVERIFY(apart(play.at(name), play.seen(name, 1)) < 0.0022F);
        QCOMPARE(play.client(1).network().stateDigest(), play.network().stateDigest());
    }

    void aSnapDistanceBelowTheUpdateDistanceIsSaid() {
        std::string types = Types;
        types += "[Odd]\n[Odd.NetworkTransform]\nupdateDistance = 2.0\nsnapDistance = 1.0\n";
        Play play("none", entity("Odd", "odd", "[0.0, 0.5, 0.0]"), 1, types);
        QVERIFY(play.lines("odd: NetworkTransform.snapDistance 1.0 m makes every update a jump; expected more than updateDistance, 2.0 m") >= 1);
    }

    // Without a network it does nothing at all.
    void aloneItDoesNothing() {
        const auto digest = [](const char* type) {
            Log log;
            Session session(log, addConsoleCommands);
            Diagnostics faults;
            session.open(projectInMemory(session, Types, scene(entity(type, "crate", "[0.0, 5.0, 0.0]")), &faults));
            session.play();
            for (int i = 0; i < 120; ++i)
                session.tick();
            const Pose pose = session.world().find("crate").pose();
            return std::pair(pose.position, pose.rotation);
        };
        QVERIFY(digest("Crate") == digest("Plain"));
    }
};

QTEST_GUILESS_MAIN(TestNetworkTransform)
#include "tst_network_transform.moc"
