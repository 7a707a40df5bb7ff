// The sample Networked crates: players of a server and of two clients push crates about over links that lose; when all is at rest, all
// ends have the same hall.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/network_system.h"
#include "engine/session/local_clients.h"
#include "engine/session/session.h"
#include "tests/folders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

using namespace sbx;

namespace {

constexpr std::size_t Clients = 2;
constexpr int Crates = 900;

std::string crateName(int number) {
    std::array<char, 16> name{};
    std::snprintf(name.data(), name.size(), "crate_%03d", number);
    return name.data();
}

float degreesApart(const Quat& a, const Quat& b) {
    return glm::degrees(2.0F * std::acos(std::min(1.0F, std::abs(glm::dot(glm::normalize(a), glm::normalize(b))))));
}

} // namespace

class TestNetworkedCrates : public QObject {
    Q_OBJECT
private slots:
    void allEndsHaveTheSameHall() {
        Log log;
        Session server(log, addConsoleCommands);
        Diagnostics faults;
        const auto content =
            loadContent(sbx::test::sourcePath("resources/projects/networked-crates"), {}, server.catalog().schema, faults);
        QVERIFY(content != nullptr && faults.items.empty());
        server.open(content);
        server.play();
        server.addClients({.count = Clients, .link = *net::parseLink("latency=50ms jitter=10ms loss=5%"), .seed = 3});
        LocalClients& clients = *server.clients();
        const auto run = [&](int ticks) {
            for (int i = 0; i < ticks; ++i)
                server.tick();
        };
        run(240);
        for (std::size_t i = 0; i < Clients; ++i)
            QCOMPARE(clients.simulation(i).world().entityCount(), server.world().entityCount());
        std::vector<Vec3> before;
        for (int n = 1; n <= Crates; ++n)
            before.push_back(server.world().find(crateName(n)).pose().position);

        // What stands still costs nothing.
        const auto& counters = server.simulation().network().counters();
        const std::uint64_t still = counters.stateBytes;
        run(120);
        QCOMPARE(counters.stateBytes, still);

        // Off the stage and through the crates, each another way.
        constexpr int Walk = 420;
        for (int i = 0; i < Walk; ++i) {
            const auto turn = static_cast<float>(i % 60 == 0 ? 20 - i / 10 : 0);
            server.setInput({.move = Vec2(0.0F, 1.0F), .look = Vec2(turn, 0.0F), .run = true});
            clients.simulation(0).setInput({.move = Vec2(0.2F, 1.0F), .look = Vec2(turn, 0.0F)});
            clients.simulation(1).setInput({.move = Vec2(-0.1F, 1.0F), .look = Vec2(-turn, 0.0F), .run = true});
            run(1);
        }
        server.setInput({});
        for (std::size_t i = 0; i < Clients; ++i)
            clients.simulation(i).setInput({});
        const double kilobits = static_cast<double>(counters.stateBytes - still) * 8.0 / 1000.0 / Clients / (Walk / 60.0);
        run(900);

        int moved = 0;
        for (int n = 1; n <= Crates; ++n)
            moved += glm::length(server.world().find(crateName(n)).pose().position - before[static_cast<std::size_t>(n - 1)]) > 0.1F ? 1 : 0;
        QVERIFY2(moved > 50, qPrintable(QString::number(moved)));
        const std::uint64_t rested = counters.stateBytes;
        run(60);
        QCOMPARE(counters.stateBytes, rested);
        float farthest = 0.0F;
        float most = 0.0F;
        for (std::size_t i = 0; i < Clients; ++i) {
            Simulation& client = clients.simulation(i);
            QCOMPARE(client.network().stateDigest(), server.simulation().network().stateDigest());
            QCOMPARE(client.network().counters().malformed, std::uint64_t{0});
            for (int n = 1; n <= Crates; ++n) {
                const Pose here = server.world().find(crateName(n)).pose();
                const Pose there = client.world().find(crateName(n)).pose();
                farthest = std::max(farthest, glm::length(here.position - there.position));
                most = std::max(most, degreesApart(here.rotation, there.rotation));
            }
        }
        qInfo("%d of %d crates were moved; %.0f kbit/s of states to a client while they were; at rest at most %.2f mm and %.3f degrees apart", moved,
              Crates, kilobits, static_cast<double>(farthest) * 1000.0, static_cast<double>(most));
        QVERIFY(farthest <= 0.002F);
        QVERIFY(most <= 0.1F);
    }
};

QTEST_GUILESS_MAIN(TestNetworkedCrates)
#include "tst_networked_crates.moc"
