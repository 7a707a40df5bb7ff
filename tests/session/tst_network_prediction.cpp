// A client's own player acts on its inputs at once, and ends where the server has it: on every link, through what the server alone knows
// of, and with a server that lies.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/session/local_clients.h"
#include "engine/session/session.h"
#include "tests/simulation/project_in_memory.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace sbx;

namespace {

const char* const Types =
    "[Player]\n[Player.Body]\nshape = \"capsule\"\nradius = 0.35\nheight = 1.75\nmass = 75\nfriction = 0.1\nupright = true\n"
    "restitution = 0.0\nlinearDamping = 0.0\n[Player.Walk]\nspeed = 4.0\n[Player.Health]\nmaximum = 100.0\n"
    "[Floor]\n[Floor.Body]\nmotion = \"static\"\nshape = \"box\"\nsize = [200.0, 1.0, 200.0]\n"
    "[Wall]\n[Wall.Body]\nmotion = \"static\"\nshape = \"box\"\nsize = [200.0, 4.0, 1.0]\n";
const char* const Scene = "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Player\"\nname = \"host\"\nposition = [0.0, 0.9, 0.0]\n"
                          "[[entity]]\ntype = \"Floor\"\nname = \"floor\"\nposition = [0.0, -0.5, 0.0]\n";
constexpr double Dt = 1.0 / 60.0;

class Play {
public:
    explicit Play(const char* link) : server(m_log, addConsoleCommands) {
        Diagnostics faults;
        const auto content = projectInMemory(server, Types, Scene, &faults);
        if (content == nullptr || faults.hasErrors())
            qFatal("%s", faults.items.empty() ? "no content" : faults.items.front().toString().c_str());
        server.open(content);
        server.play();
        server.addClients({.count = 1, .link = *net::parseLink(link), .seed = 5});
        run(240);
    }
    [[nodiscard]] Simulation& client() { return server.clients()->simulation(0); }
    // The client's player, at both ends.
    [[nodiscard]] Entity own() { return client().world().find(client().network().player()); }
    [[nodiscard]] Entity real() {
        Entity found;
        server.world().forEach([&](const Entity& entity) {
            if (entity.type().name() == "Player" && entity.id() != server.simulation().network().player())
                found = entity;
        });
        return found;
    }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i)
            server.tick();
    }
    void input(const InputState& input) { client().setInput(input); }

private:
    Log m_log;

public:
    Session server;
};

float apart(const Entity& a, const Entity& b) { return glm::length(a.pose().position - b.pose().position); }
double flat(const Vec3& v) { return std::hypot(static_cast<double>(v.x), static_cast<double>(v.z)); }

struct Walked {
    int started = -1;          // ticks after the key until the figure moves
    double largestStep = 0.0;  // m, over the ground from tick to tick, as the world has it
    double drawnStep = 0.0;    // ... as it is drawn
    float atEnd = 0.0F;        // m between both ends
    bool same = false;         // the replicated state, in all of its words
    double length = 0.0;       // m, of the way
};

// Runs forward and back and jumps, turning all the time, for as long as it takes; then rests.
Walked walk(const char* link) {
    Play play(link);
    Walked out;
    const Vec3 start = play.own().pose().position;
    Vec3 last = start;
    Vec3 drawn = start;
    for (int i = 0; i < 600; ++i) {
        if (i % 5 == 0 || i % 90 == 0) // not in every tick
            play.input({.move = Vec2(i / 90 % 3 == 2 ? 1.0F : 0.0F, i / 90 % 2 == 0 ? 1.0F : -1.0F),
                        .look = Vec2(2.0F, i % 2 == 0 ? 0.4F : -0.4F),
                        .jump = i % 200 > 150,
                        .run = i > 300});
        play.run(1);
        const Vec3 now = play.own().pose().position;
        const Vec3 shown = play.client().network().smoothing().shown(play.client().world(), play.own()).position;
        out.largestStep = std::max(out.largestStep, flat(now - last));
        out.drawnStep = std::max(out.drawnStep, flat(shown - drawn));
        out.length += flat(now - last);
        if (out.started < 0 && glm::length(now - start) > 0.002F)
            out.started = i + 1;
        last = now;
        drawn = shown;
    }
    play.input({});
    play.run(300);
    out.atEnd = apart(play.own(), play.real());
    out.same = play.client().network().stateDigest() == play.server.simulation().network().stateDigest();
    return out;
}

} // namespace

class TestNetworkPrediction : public QObject {
    Q_OBJECT

private slots:
    void itMovesAtOnceAndEndsWhereTheServerHasIt_data() {
        QTest::addColumn<QString>("link");
        QTest::addColumn<double>("drawn"); // largest step, beside that of running
        QTest::newRow("perfect") << "none" << 1.05;
        QTest::newRow("250 ms") << "latency=250ms" << 1.05;
        QTest::newRow("jitter") << "latency=100ms jitter=20ms" << 1.5;
        QTest::newRow("loss") << "latency=250ms loss=5%" << 1.5;
        QTest::newRow("bad") << "latency=150ms jitter=30ms loss=10% duplicate=2% reorder=2%" << 2.0;
    }
    void itMovesAtOnceAndEndsWhereTheServerHasIt() {
        QFETCH(QString, link);
        QFETCH(double, drawn);
        const Walked walked = walk(link.toUtf8().constData());
        qInfo("moves in tick %d after the key; largest step %.3f m, drawn %.3f m; %.1f m walked; %.4f m apart at rest", walked.started,
              walked.largestStep, walked.drawnStep, walked.length, static_cast<double>(walked.atEnd));
        QVERIFY(walked.length > 20.0);
        QVERIFY(walked.started <= 2);
        const double running = 4.0 * 1.8 * Dt;
        QVERIFY2(walked.drawnStep <= drawn * running, qPrintable(QString::number(walked.drawnStep / running)));
        QVERIFY(walked.atEnd <= 0.002F);
        QVERIFY(walked.same);
    }

    // It is the key that the server waits for, not the player.
    void withoutItThePlayerWaitsForTheServer() {
        Play play("latency=250ms");
        static_cast<void>(play.server.lines().executeAs(1, "net.prediction 0"));
        const Vec3 start = play.own().pose().position;
        play.input({.move = Vec2(0.0F, 1.0F)});
        int moved = 0;
        for (int i = 1; i <= 120 && moved == 0; ++i) {
            play.run(1);
            if (glm::length(play.own().pose().position - start) > 0.002F)
                moved = i;
        }
        QVERIFY2(moved >= 30, qPrintable(QString::number(moved)));
        static_cast<void>(play.server.lines().executeAs(1, "net.prediction 1"));
        play.input({});
        play.run(300);
        QVERIFY(apart(play.own(), play.real()) <= 0.002F);
    }

    // Nothing is corrected that both ends simulate alike.
    void aSteadyLinkCorrectsNothing() {
        Play play("latency=100ms");
        double largest = 0.0;
        for (int i = 0; i < 300; ++i) {
            if (i % 30 == 0)
                play.input({.move = Vec2(i % 60 == 0 ? 1.0F : -1.0F, 1.0F), .look = Vec2(5.0F, 0.0F)});
            play.run(1);
            largest = std::max(largest, static_cast<double>(glm::length(
                                            play.client().network().smoothing().shown(play.client().world(), play.own()).position
                                            - play.own().pose().position)));
        }
        qInfo("largest correction: %.4f m", largest);
        QVERIFY(largest <= 0.01);
    }

    void whatElseHappensToItArrives() {
        Play play("latency=150ms");
        play.input({.move = Vec2(0.0F, 1.0F)});
        play.run(60);
        // Somebody puts it elsewhere, hurts it, throws it: while it walks.
        play.server.world().send(play.real().id(), SetPose{Vec3(30.0F, 0.9F, 30.0F), Quat(1, 0, 0, 0)});
        play.server.world().send(play.real().id(), Damage{25.0F});
        play.run(30);
        QVERIFY(apart(play.own(), play.real()) < 4.0F * 0.35F); // what it walks meanwhile
        play.server.world().send(play.real().id(), SetVelocity{Vec3(0.0F, 6.0F, 0.0F)});
        float highest = 0.0F;
        for (int i = 0; i < 60; ++i) {
            play.run(1);
            highest = std::max(highest, play.own().pose().position.y);
        }
        QVERIFY2(highest > 1.8F, qPrintable(QString::number(static_cast<double>(highest))));
        play.input({});
        play.run(300);
        QVERIFY(apart(play.own(), play.real()) <= 0.002F);
        QCOMPARE(play.client().network().stateDigest(), play.server.simulation().network().stateDigest());
    }

    // A wall that the client does not have: the player does not walk away from the server's.
    void whatTheClientCannotKnowStopsItAll() {
        Play play("latency=100ms");
        SpawnRequest wall;
        wall.type = play.server.world().findType("Wall");
        wall.name = "wall";
        wall.pose.position = play.real().pose().position + Vec3(0.0F, 0.0F, -2.0F);
        const EntityId built = play.server.world().spawn(wall);
        play.run(30);
        play.client().world().destroy(play.client().world().find("wall").id());
        play.input({.move = Vec2(0.0F, 1.0F)});
        float farthest = 0.0F;
        for (int i = 0; i < 600; ++i) {
            play.run(1);
            if (i > 60)
                farthest = std::max(farthest, apart(play.own(), play.real()));
        }
        qInfo("at most %.2f m from the server's place", static_cast<double>(farthest));
        QVERIFY(farthest < 4.0F * 1.2F);
        play.input({});
        play.run(300);
        QVERIFY(apart(play.own(), play.real()) <= 0.002F);
        play.server.world().destroy(built);
    }
};

QTEST_GUILESS_MAIN(TestNetworkPrediction)
#include "tst_network_prediction.moc"
