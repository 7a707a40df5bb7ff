#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/components/network_wire.h"
#include "engine/components/rules.h"
#include "engine/net/net_history.h"
#include "tests/session/served_courtyard.h"

using namespace sbx;
using namespace sbx::test;

class TestNetwork : public QObject {
    Q_OBJECT
private slots:
    // What few worlds share on any link: entities, names, and where things are.
    void clientsFollowTheServer_data() {
        QTest::addColumn<QString>("link");
        QTest::newRow("clean") << "latency=20ms";
        QTest::newRow("bad") << "latency=40ms jitter=20ms loss=20%";
    }
    void clientsFollowTheServer() {
        QFETCH(QString, link);
        Game game(2, link.toUtf8().constData());
        game.run(400);
        const auto own = Game::names(game.server.world());
        for (std::size_t i = 0; i < 2; ++i) {
            QVERIFY(game.client(i).desc().side == Side::Client);
            // What came or went in the last moments is still on its way.
            const auto theirs = Game::names(game.client(i));
            std::vector<std::string> different;
            std::set_symmetric_difference(own.begin(), own.end(), theirs.begin(), theirs.end(),
                                          std::back_inserter(different));
            QVERIFY2(different.size() <= 2, different.empty() ? "" : different[0].c_str());
            int compared = 0;
            game.server.world().forEach([&](const Entity& entity) {
                const Entity copy = game.client(i).find(entity.name());
                if (!copy || entity.type().name() == "Ball" || entity.type().name() == "Bat" || entity.type().name() == "Phantom")
                    return; // what is fast is where it was a moment ago
                const float apart = glm::length(entity.pose().position - copy.pose().position);
                QVERIFY2(apart < 0.25F, (entity.name() + " " + std::to_string(apart)).c_str());
                ++compared;
            });
            QVERIFY(compared > 30);
            QCOMPARE(game.players->simulation(i).network().counters().malformed, std::uint64_t{0});
            QVERIFY(game.players->simulation(i).network().counters().statesReceived > 500);
        }
    }

    void theGameStartsWhenEverybodyIsKnown() {
        Game game(3, "latency=30ms jitter=30ms loss=25%", 5);
        game.run(300);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto heard = game.heard(i);
            QCOMPARE(count(heard, "GameStart"), std::ptrdiff_t{3}); // one for every player's entity
            std::ptrdiff_t infos = 0;
            for (const Heard& h : heard) {
                infos += h.type == "PlayerInfo" ? 1 : 0;
                if (h.type == "GameStart")
                    QVERIFY2(infos == 3, "the start overtook a player's info");
            }
            QVERIFY(game.players->simulation(i).network().started());
            QVERIFY(game.players->simulation(i).network().player());
        }
        QVERIFY(game.server.simulation().network().started());
    }

    void chatReachesEverybody() {
        Game game(2, "latency=30ms loss=20%", 2);
        game.run(200);
        QVERIFY(game.server.lines().executeAs(1, "say hello there").ok);
        game.run(120);
        for (std::size_t i = 0; i < 2; ++i)
            QCOMPARE(count(game.heard(i), "Chat"), std::ptrdiff_t{1});
        // One line in the log that all of them share, with who said it.
        QVERIFY(game.server.execute("say to \"all\u202E\"").ok);
        std::vector<std::string> lines;
        for (const LogRecord& record : game.log.since(0))
            if (record.channel == "chat")
                lines.push_back(record.text);
        QCOMPARE(lines.size(), std::size_t{2});
        QCOMPARE(lines[0], std::string("player 1: hello there"));
        QVERIFY2(lines[1].starts_with("player: to all") && lines[1].find("\u202E") == std::string::npos, lines[1].c_str());
    }
    // Chat needs a player of one's own or a server: without either, `say` is an error.
    void whoCannotBeHeardIsTold() {
        Log log;
        Session empty(log, addConsoleCommands);
        const ConsoleReply reply = empty.execute("say hello");
        QVERIFY(!reply.ok);
        QVERIFY2(reply.lines.back().find("no player of its own") != std::string::npos, reply.lines.back().c_str());
    }

    // Damage, then death: the last hit never comes after the entity has gone, nor before it came.
    void damageAndKillsAreInOrder() {
        Game game(2, "latency=30ms jitter=40ms loss=25%", 9);
        game.run(200);
        World& world = game.server.world();
        for (int round = 0; round < 10; ++round) {
            SpawnRequest request;
            request.type = world.findType("Crate");
            request.name = "victim_" + std::to_string(round);
            request.pose.position = Vec3(0.0F, 20.0F, 0.0F);
            const EntityId victim = world.spawn(request);
            for (int hit = 0; hit < 4; ++hit)
                world.send(victim, Damage{10.0F});
            QVERIFY(!world.alive(victim));
            game.run(5);
        }
        game.run(240);
        for (std::size_t i = 0; i < 2; ++i) {
            const NetworkCounters& counters = game.players->simulation(i).network().counters();
            QCOMPARE(counters.unknownReceiver, std::uint64_t{0});
            const auto heard = game.heard(i);
            QVERIFY(count(heard, "Damage") >= 40);
            QVERIFY(count(heard, "Died") >= 10);
            for (int round = 0; round < 10; ++round)
                QVERIFY(!game.client(i).find("victim_" + std::to_string(round)));
        }
    }

    // More at once than one message names: every hit is there before the end, whatever the links lose, and no hit waits for a hit.
    void aStormOfDamageComesBeforeTheEnd() {
        Game game(2, "latency=30ms jitter=40ms loss=25%", 3);
        game.run(200);
        World& world = game.server.world();
        constexpr int Rounds = 6;
        constexpr int Hits = 150;
        for (int round = 0; round < Rounds; ++round) {
            SpawnRequest request;
            request.type = world.findType("Crate");
            request.name = "victim_" + std::to_string(round);
            request.pose.position = Vec3(0.0F, 20.0F, 0.0F);
            const EntityId victim = world.spawn(request);
            for (int hit = 0; hit < Hits; ++hit)
                world.send(victim, Damage{0.01F});
            world.send(victim, Damage{1000.0F});
            QVERIFY(!world.alive(victim));
            game.run(30);
        }
        game.run(300);
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(game.players->simulation(i).network().counters().unknownReceiver, std::uint64_t{0});
            QCOMPARE(game.players->simulation(i).network().counters().malformed, std::uint64_t{0});
            std::map<std::string, int> hits;
            int ends = 0;
            for (const Heard& h : game.heard(i)) {
                if (h.type == "Damage")
                    ++hits[h.receiver];
                if (h.type == "Died" && h.receiver.starts_with("victim_")) {
                    QCOMPARE(hits[h.receiver], Hits + 1);
                    ++ends;
                }
            }
            QCOMPARE(ends, Rounds);
            for (int round = 0; round < Rounds; ++round)
                QVERIFY(!game.client(i).find("victim_" + std::to_string(round)));
        }
        // Each hit waits for its victim's coming alone: what gathers them is the only one with many needs.
        const net::ChannelCounters& counters = game.players->connection(0)->channel().counters();
        const double needs = static_cast<double>(counters.dependenciesSent) / static_cast<double>(counters.guaranteedSent);
        QVERIFY2(needs < 5.0, qPrintable(QString::number(needs)));
    }

    // Who joins a world of thousands hears of all of them before anything that happens to them; until then they are pending.
    void aWorldOfThousandsIsToldInOrder() {
        Game game(1, "latency=20ms loss=5%", 6);
        World& world = game.server.world();
        constexpr int Count = 3000;
        SpawnRequest request;
        request.type = world.findType("Sunlight");
        QVERIFY(request.type != nullptr);
        for (int i = 0; i < Count; ++i) { // long lists of children: a parent's end waits for all of them
            request.name = "leaf_" + std::to_string(i + 2);
            request.parent =
                i % 1000 == 0 ? EntityId() : world.find("leaf_" + std::to_string(i - i % 1000 + 2)).id();
            QVERIFY(world.spawn(request));
        }
        const std::size_t known = world.entityCount();
        NetHandle last;
        int pending = 0;
        for (int i = 0; i < 900 && game.client(0).entityCount() + 12 < known; ++i) {
            game.run(1);
            if (!last && game.server.simulation().network().peerCount() > 0)
                last = game.server.simulation().network().send(world.find("leaf_3000").id(), Damage{1.0F}).handle;
            if (!last)
                continue;
            // Everything before it has come when it has.
            const bool waits = game.server.simulation().network().state(last) == net::HandleState::Pending;
            pending += waits ? 1 : 0;
            QVERIFY(waits || game.client(0).find("leaf_3000"));
        }
        QVERIFY(last);
        QVERIFY(pending > 5);
        for (int i = 0; i < 120; ++i)
            game.run(1);
        QVERIFY(game.server.simulation().network().state(last) == net::HandleState::Executed);
        for (int i = 0; i < Count; ++i) {
            const Entity copy = game.client(0).find("leaf_" + std::to_string(i + 2));
            QVERIFY2(copy, std::to_string(i).c_str());
            QCOMPARE(copy.parent() != EntityId(), i % 1000 != 0);
        }
        // A parent goes: not before the last of its children has come.
        world.destroy(world.find("leaf_1002").id());
        game.run(120);
        QVERIFY(!game.client(0).find("leaf_1002") && !game.client(0).find("leaf_1500")
                && game.client(0).find("leaf_2500"));
        QCOMPARE(game.players->simulation(0).network().counters().malformed, std::uint64_t{0});
    }

    // A plugin may call an entity anything: clients hear of it under a name that is text, and stay.
    void namesOfAnyBytesReachTheClients_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("two lines") << QByteArray("a\n[network] all is well")
                                   << QByteArray("a?[network] all is well");
        QTest::newRow("a bell and a deletion") << QByteArray("ding\a\x7F") << QByteArray("ding??");
        QTest::newRow("a NUL") << QByteArray("a\0b", 3) << QByteArray("a?b");
        QTest::newRow("no UTF-8") << QByteArray("caf\xe9 \xc0\x80") << QByteArray("caf? ??");
        QTest::newRow("other letters") << QByteArray("\xe7\x8c\xab") << QByteArray("\xe7\x8c\xab");
        QTest::newRow("longer than a packet") << QByteArray(5000, 'x') << QByteArray(256, 'x');
        QTest::newRow("cut between letters") << QByteArray("x") + QByteArray("\xc3\xa9").repeated(200)
                                             << QByteArray("x") + QByteArray("\xc3\xa9").repeated(127);
    }
    void namesOfAnyBytesReachTheClients() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, told);
        Game game(1, "latency=10ms");
        const auto reader = game.server.netRecorder().addReader();
        SpawnRequest request;
        request.type = game.server.world().findType("Crate");
        request.pose.position = Vec3(0.0F, 5.0F, 0.0F);
        request.name = name.toStdString();
        QVERIFY(game.server.world().spawn(request)); // before anybody is here
        game.run(120);
        QVERIFY(game.client(0).find(told.toStdString()));
        game.server.world().destroy(game.server.world().find(name.toStdString()).id());
        game.run(60);
        QVERIFY(!game.client(0).find(told.toStdString()));
        QVERIFY(game.server.world().spawn(request)); // and while somebody is
        game.run(60);
        QVERIFY(game.client(0).find(told.toStdString()));
        game.server.simulation().network().sendSetting("no.such", name.toStdString()); // nobody could read some of these
        game.server.simulation().network().sendSetting("no." + name.toStdString(), "1");
        game.run(60);
        QCOMPARE(game.server.simulation().network().peerCount(), std::size_t{1});
        QCOMPARE(game.players->simulation(0).network().counters().malformed, std::uint64_t{0});
        // Records call it as the clients do.
        bool recorded = false;
        game.server.publish();
        reader->poll([&](const net::NetRecordView& record) {
            if (record->kind == net::NetRecordKind::Name) {
                QCOMPARE(record.text(), wire::plainText(record.text()));
                recorded = recorded || record.text() == told.toStdString();
            }
        });
        QVERIFY(recorded);
    }

    void doorsOpenForEverybody() {
        Game game(1, "latency=20ms loss=10%", 3);
        game.run(150);
        const Entity door = game.server.world().find("door");
        QVERIFY(door);
        game.server.world().send(door.id(), Activate{});
        game.run(150);
        QVERIFY(count(game.heard(0), "Activate") >= 1);
        const auto angle = [](World& world) {
            const Entity::ComponentRef hinge = world.find("door").component("Hinge");
            const FieldInfo* field = hinge.type->state->find("angle");
            return std::get<double>(field->read(hinge.type->stateOf(hinge.component)));
        };
        QVERIFY(std::abs(angle(game.server.world())) > 45.0);
        QVERIFY(std::abs(angle(game.server.world()) - angle(game.client(0))) < 15.0);
    }

    void aClientWalksItsOwnPlayer() {
        Game game(2, "latency=20ms loss=10%", 4);
        game.run(200);
        Simulation& client = game.players->simulation(1);
        const std::string own = client.world().nameOf(client.network().player());
        const Vec3 before = game.server.world().find(own).pose().position;
        const Vec3 others = game.server.world().find("player").pose().position;
        client.setInput({.move = Vec2(0.0F, 1.0F)});
        game.run(60);
        client.setInput({});
        game.run(60);
        QVERIFY(glm::length(game.server.world().find(own).pose().position - before) > 1.0F);
        QVERIFY(glm::length(game.server.world().find("player").pose().position - others) < 0.5F);
        QVERIFY(glm::length(client.world().find(own).pose().position - game.server.world().find(own).pose().position) < 0.3F);
    }

    // Authority is the connection's: what a client says of others changes nothing.
    void aClientSpeaksForItsPlayerAlone() {
        Game game(2, "latency=10ms");
        game.run(150);
        Simulation& client = game.players->simulation(0);
        const float health = 40.0F;
        const Entity crate = client.world().find("crate_1");
        QVERIFY(crate);
        QVERIFY(client.network().send(crate.id(), Damage{1000.0F}).status == net::SendStatus::Closed); // not for clients
        QVERIFY(client.network().send(client.world().find("player").id(), Chat{}).status == net::SendStatus::Sent);
        game.run(60);
        QCOMPARE(game.server.simulation().network().counters().refused, std::uint64_t{1});
        QVERIFY(game.server.world().find("crate_1"));
        QCOMPARE(game.server.world().getComponent<Health>(game.server.world().find("crate_1").id())->state.current, health);
    }

    void handlesOfAnotherSessionAreStale() {
        NetHandle handle;
        {
            Game game(1, "latency=10ms");
            game.run(100);
            const EntityId player = game.server.simulation().network().player();
            const NetSent sent = game.server.simulation().network().send(player, Chat{});
            QVERIFY(sent.status == net::SendStatus::Sent);
            handle = sent.handle;
            QVERIFY(game.server.simulation().network().state(handle) == net::HandleState::Pending);
            const std::array needs{handle};
            QVERIFY(game.server.simulation().network().send(player, Chat{}, needs).status == net::SendStatus::Sent);
            game.run(60);
            QVERIFY(game.server.simulation().network().state(handle) == net::HandleState::Executed);
        }
        Game other(1, "latency=10ms");
        other.run(100);
        const std::array needs{handle};
        QVERIFY(other.server.simulation().network().send(other.server.simulation().network().player(), Chat{}, needs).status
                == net::SendStatus::StaleDependency);
    }

    void whoLeavesIsGone() {
        Game game(2, "latency=10ms");
        game.run(150);
        const std::size_t entities = game.server.world().entityCount();
        const std::string name = game.client(1).nameOf(game.players->simulation(1).network().player());
        QVERIFY(game.server.world().find(name));
        game.players->simulation(1).network().detach();
        game.run(120);
        QVERIFY(!game.server.world().find(name));
        QVERIFY(!game.client(0).find(name));
        QCOMPARE(game.server.simulation().network().peerCount(), std::size_t{1});
        QVERIFY(game.server.world().entityCount() <= entities + 8);
    }

    // What peers say is recorded at both ends, called as people call it, and recording changes nothing.
    void theNetworkIsRecorded() {
        Game game(2, "latency=30ms jitter=10ms loss=20%");
        const auto reader = game.server.netRecorder().addReader();
        net::NetHistory history;
        const auto play = [](Game& one, int tick, NetHandle& last) {
            // Each says something about what was said before.
            if (tick > 100 && tick < 240) {
                const std::array needs{last};
                last = one.server.simulation().network().send(one.server.simulation().network().player(), Chat{}, needs).handle;
            }
            one.run(1);
        };
        NetHandle last;
        for (int i = 0; i < 300; ++i) {
            play(game, i, last);
            game.server.publish();
            history.follow(*reader);
        }
        QCOMPARE(history.peers().size(), std::size_t{3});
        QCOMPARE(history.peers()[0].name, std::string("server"));
        QCOMPARE(history.peers()[2].name, std::string("client 2"));
        QCOMPARE(history.peers()[0].tick, game.server.world().tickCount());
        QCOMPARE(history.lanes().size(), std::size_t{4});
        std::map<std::string, std::size_t> executed;
        std::size_t waited = 0;
        std::size_t resent = 0;
        std::set<std::string> entities;
        for (const auto& [key, lane] : history.lanes()) {
            QVERIFY(lane.sender >= 0 && lane.receiver >= 0 && (lane.sender == 0) == lane.toClient);
            for (const net::NetMessage& message : lane.messages) {
                if (message.executed == net::Never)
                    continue;
                ++executed[message.typeName];
                entities.insert(message.entity);
                waited += message.waitingSince != net::Never ? 1U : 0U;
                resent += message.sent.size() > 1 ? 1U : 0U;
                for (const std::uint64_t need : message.needs) {
                    const net::NetMessage* needed = lane.find(need);
                    QVERIFY(needed != nullptr && needed->executed <= message.executed);
                }
            }
        }
        const std::size_t known = game.client(0).entityCount();
        QVERIFY(executed["Spawn"] >= 2 * known - 10);
        QCOMPARE(executed["Welcome"], std::size_t{2});
        QVERIFY(executed["GameStart"] >= 2);
        QVERIFY(entities.contains("crate_1"));
        QVERIFY(waited > 20);
        QVERIFY(resent > 10);
        std::size_t states = 0;
        for (const net::NetPacket& packet : history.lanes().begin()->second.packets)
            for (const net::NetPacketItem& item : packet.items)
                states += history.name(item.typeName) == "State" && item.entity != 0 ? 1U : 0U;
        for (const net::NetPacket& packet : std::next(history.lanes().begin())->second.packets)
            for (const net::NetPacketItem& item : packet.items)
                states += history.name(item.typeName) == "State" && item.entity != 0 ? 1U : 0U;
        QVERIFY(states > 200);
        Game other(2, "latency=30ms jitter=10ms loss=20%");
        static_cast<void>(other.server.execute("net.record false"));
        NetHandle others;
        for (int i = 0; i < 300; ++i)
            play(other, i, others);
        QCOMPARE(other.client(1).digest(), game.client(1).digest());
    }

    // net.sim.* change every client's link while the session runs, a client's own that one alone, and a reset takes them back.
    void linksFollowTheirCVars() {
        Game game(2, "latency=30ms");
        game.run(30);
        const auto settings = [&](std::size_t client) { return net::toText(game.players->link(client)); };
        QCOMPARE(settings(1), std::string("latency=30ms"));
        QVERIFY(game.server.execute("net.sim.loss 20; net.sim.burst 3").ok);
        game.run(1);
        QCOMPARE(settings(0), std::string("latency=30ms loss=20% burst=3"));
        QCOMPARE(settings(1), settings(0));
        QVERIFY(game.server.lines().executeAs(2, "net.sim.loss 0").ok);
        QVERIFY(game.server.lines().executeAs(2, "net.sim.latency 80").ok);
        QVERIFY(game.server.lines().executeAs(2, "net.sim.rate 64").ok);
        game.run(1);
        QCOMPARE(settings(0), std::string("latency=30ms loss=20% burst=3"));
        QCOMPARE(settings(1), std::string("latency=80ms burst=3 rate=64kbit"));
        QVERIFY(!game.server.execute("net.sim.loss 101").ok);
        QVERIFY(!game.server.execute("net.sim.burst 0").ok);
        QVERIFY(game.players->cvars(1).registry().reset("net.sim.loss"));
        game.run(1);
        QCOMPARE(settings(1), std::string("latency=80ms loss=20% burst=3 rate=64kbit"));
        // What the links really do.
        const auto lost = [&](std::size_t client) {
            return game.players->network().direction(game.players->serverAddress(), game.players->address(client)).counters();
        };
        const auto before = lost(0);
        game.run(300);
        const auto after = lost(0);
        const double share = static_cast<double>(after.lost - before.lost) / static_cast<double>(after.sent - before.sent);
        QVERIFY2(share > 0.08 && share < 0.35, std::to_string(share).c_str());
        QVERIFY(game.server.execute("net.sim.blackout true").ok);
        game.run(1);
        const auto dark = lost(0);
        game.run(60);
        QCOMPARE(lost(0).sent - dark.sent, lost(0).blackedOut - dark.blackedOut);
        QVERIFY(lost(0).sent > dark.sent);
        QVERIFY(game.server.execute("net.sim.blackout false").ok);
        game.run(60);
        QCOMPARE(game.server.simulation().network().peerCount(), std::size_t{2});
    }
    // Single directions, presets by name, and what people get wrong.
    void linksFollowTheConsole() {
        Game game(2, "none");
        game.run(5);
        const auto printed = [&](const char* line) {
            const ConsoleReply reply = game.server.execute(line);
            QString all;
            for (const std::string& one : reply.lines)
                all += QString::fromStdString(one) + QLatin1Char('\n');
            return (reply.ok ? QString() : QStringLiteral("failed: ")) + all.trimmed();
        };
        QCOMPARE(printed("net.link"), QStringLiteral("client 1: none\nclient 2: none"));
        QCOMPARE(printed("net.link 2 latency=10ms down.loss=20%"), QStringLiteral("client 2: latency=10ms down.loss=20%"));
        QCOMPARE(printed("net.link"), QStringLiteral("client 1: none\nclient 2: latency=10ms down.loss=20%"));
        // Asking for one changes nothing.
        QCOMPARE(printed("net.link 2"), QStringLiteral("client 2: latency=10ms down.loss=20%"));
        QCOMPARE(printed("net.link all"),
                 QStringLiteral("client 1: none\nclient 2: latency=10ms down.loss=20%"));
        QVERIFY(printed("net.link all wifi loss=3%").contains(QStringLiteral("loss=3% burst=3")));
        QVERIFY(printed("net.link 3 none").startsWith(QStringLiteral("failed:")));
        QVERIFY(printed("net.link 0 none").startsWith(QStringLiteral("failed:")));
        QVERIFY(printed("net.link 1 loss").contains(QStringLiteral("wifi")));
        QCOMPARE(printed("net.link all none"), QStringLiteral("client 1: none\nclient 2: none"));
        for (const net::LinkPreset& preset : net::linkPresets()) {
            const auto link = net::parseLink(preset.name);
            QVERIFY(link);
            QVERIFY(*link == *net::parseLink(preset.text));
        }
        Session alone(game.log, addConsoleCommands);
        QVERIFY(!alone.execute("net.link all wifi").ok);
    }
    // The dumps are JSON, and say what is.
    void dumpsTellTheNetwork() {
        Game game(2, "latency=20ms loss=10%");
        game.run(200);
        const auto json = [](const ConsoleReply& reply) {
            std::string all;
            for (const std::string& line : reply.lines)
                all += line + "\n";
            return QJsonDocument::fromJson(QByteArray::fromStdString(all)).object();
        };
        const QJsonObject stats = json(game.server.execute("net.stats"));
        QCOMPARE(stats.value(QLatin1String("role")).toString(), QStringLiteral("server"));
        QCOMPARE(stats.value(QLatin1String("peers")).toInt(), 2);
        const QJsonArray connections = stats.value(QLatin1String("connections")).toArray();
        QCOMPARE(connections.size(), 2);
        const QJsonObject first = connections.at(0).toObject();
        QCOMPARE(first.value(QLatin1String("name")).toString(), QStringLiteral("client 1"));
        // Who they are to each other: clients in the same program know the server's key.
        QVERIFY(stats.value(QLatin1String("serverKey")).toString().size() == 39);
        QVERIFY(first.value(QLatin1String("encrypted")).toBool());
        QCOMPARE(first.value(QLatin1String("keyGeneration")).toInt(-1), 0);
        const double roundTrip = first.value(QLatin1String("roundTrip")).toDouble();
        QVERIFY2(roundTrip >= 40.0 && roundTrip < 60.0, std::to_string(roundTrip).c_str());
        QVERIFY(first.value(QLatin1String("channel")).toObject().value(QLatin1String("packetsLost")).toInt() >= 2);
        QCOMPARE(stats.value(QLatin1String("links")).toArray().at(1).toObject().value(QLatin1String("settings")).toString(),
                 QStringLiteral("latency=20ms loss=10%"));
        // What connections and handshakes count is what went over the links, byte for byte, both ways.
        double sent = stats.value(QLatin1String("host")).toObject().value(QLatin1String("handshakeBytesSent")).toDouble();
        for (const QJsonValue& one : connections)
            sent += one.toObject().value(QLatin1String("counters")).toObject().value(QLatin1String("datagramBytesSent")).toDouble();
        double carried = 0;
        for (const QJsonValue& link : stats.value(QLatin1String("links")).toArray())
            carried += link.toObject().value(QLatin1String("down")).toObject().value(QLatin1String("counters")).toObject()
                           .value(QLatin1String("bytes")).toDouble();
        QCOMPARE(sent, carried);
        const QJsonObject graph = json(game.server.execute("graph.dump"));
        QCOMPARE(graph.value(QLatin1String("peers")).toArray().size(), 3);
        const QJsonArray lanes = graph.value(QLatin1String("lanes")).toArray();
        QCOMPARE(lanes.size(), 4);
        bool spawns = false;
        for (const QJsonValue& lane : lanes)
            for (const QJsonValue& message : lane.toObject().value(QLatin1String("messages")).toArray())
                spawns = spawns || message.toObject().value(QLatin1String("type")).toString() == QLatin1String("Spawn");
        QVERIFY(spawns);
        const ConsoleReply client = game.server.lines().executeAs(1, "net.stats");
        QCOMPARE(json(client).value(QLatin1String("role")).toString(), QStringLiteral("client"));
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("graph.json"));
        QVERIFY(game.server.execute("graph.dump \"" + file.toStdString() + "\"").ok);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(!QJsonDocument::fromJson(written.readAll()).isNull());
    }

    void theSameOnEveryRun() {
        const auto digest = [] {
            Game game(2, "latency=30ms jitter=30ms loss=20%", 7);
            game.run(240);
            return std::array{game.server.world().digest(), game.client(0).digest(), game.client(1).digest()};
        };
        QCOMPARE(digest(), digest());
    }

    void theServersSettingsHoldEverywhere() {
        Game game(2, "latency=20ms loss=10%");
        const auto scale = [&](std::size_t i) { return game.players->cvars(i).timeScale(); };
        QVERIFY(game.server.execute("sim.timeScale 2").ok);
        game.run(60);
        QCOMPARE(scale(0), 2.0);
        QCOMPARE(scale(1), 2.0);
        QCOMPARE(game.server.lines().executeAs(1, "sim.timeScale").lines.at(0),
                 std::string("sim.timeScale = 2.0  (default 1.0, set by the server)"));
        // Nobody else sets it, and what follows is told in order.
        const ConsoleReply refused = game.server.lines().executeAs(1, "sim.timeScale 3");
        QVERIFY(!refused.ok);
        QCOMPARE(refused.lines.at(0), std::string("error: sim.timeScale is set by the server"));
        for (int i = 1; i <= 20; ++i) {
            QVERIFY(game.server.execute("sim.timeScale " + std::to_string(0.1 * i)).ok);
            game.run(1);
        }
        game.run(60);
        QCOMPARE(scale(0), game.server.timeScale());
        QCOMPARE(scale(1), 2.0);
        QVERIFY(game.server.execute("sim.cheats 0").ok); // takes cheats back, everywhere
        game.run(60);
        QCOMPARE(scale(0), 1.0);
        QCOMPARE(game.players->cvars(1).registry().describe("sim.cheats")->shown(), std::string("false"));
        // In a world that has no server any more, it can be set again.
        game.players->simulation(0).build(game.players->cvars(0).latch());
        QVERIFY(game.server.lines().executeAs(1, "sim.timeScale 0.5").ok);
        QCOMPARE(scale(0), 0.5);
    }

    void linesRunAtAClientOfYourChoice() {
        Game game(2, "latency=20ms");
        std::vector<std::string> heard;
        game.server.handlers().reply = [&](const ConsoleReply& reply) {
            heard.insert(heard.end(), reply.lines.begin(), reply.lines.end());
        };
        QCOMPARE(game.server.targets().names(), (std::vector<std::string>{"local", "client1", "client2"}));
        const auto margin = [](const CVarRegistry& cvars) { return cvars.describe("physics.margin")->shown(); };
        const std::string usual = margin(game.server.cvars());
        QVERIFY(game.server.execute("@client2 physics.margin 0.5; @all echo here").ok);
        QCOMPARE(margin(game.players->cvars(1).registry()), std::string("0.5 m"));
        QCOMPARE(margin(game.players->cvars(0).registry()), usual);
        QCOMPARE(margin(game.server.cvars()), usual);
        std::sort(heard.begin(), heard.end());
        QCOMPARE(heard, (std::vector<std::string>{"client1: here", "client2: here",
                                                  "client2: physics.margin = 0.5 m (was 0.1 m)", "here"}));
        // What fails there is a failure here.
        QVERIFY(game.server.execute("@client1 exec /nowhere.cfg").ok);
        QCOMPARE(game.server.lines().failed(), std::uint64_t(1));
        bool channelled = false;
        for (const LogRecord& record : game.log.since(0))
            channelled = channelled || (record.channel == "client2" && record.text == "here");
        QVERIFY(channelled);
        static_cast<void>(game.server.execute("@client1 net.host 2"));
        QCOMPARE(game.server.lines().failed(), std::uint64_t(2)); // net.host runs on the server only
        game.run(60);
        game.server.publish(); // what completion offers
        const std::string head = "@client1 send Damage ba";
        const Completion names = game.server.console().complete(head, head.size());
        QVERIFY(!names.candidates.empty());
        game.server.endClients();
        QCOMPARE(game.server.targets().names(), std::vector<std::string>{"local"});
        QVERIFY(!game.server.execute("@client1 echo gone").ok);
    }
};

QTEST_GUILESS_MAIN(TestNetwork)
#include "tst_network.moc"
