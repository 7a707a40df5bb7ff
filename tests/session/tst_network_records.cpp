// What games record of their network, judged: every message and packet of the Courtyard between a server and its clients.

#include <QtTest>

#include "engine/components/messages.h"
#include "engine/components/network_states.h"
#include "engine/components/network_system.h"
#include "engine/message/record_filter.h"
#include "engine/message/trace_json.h"
#include "engine/net/net_history.h"
#include "tests/net/record_checker.h"
#include "tests/session/served_courtyard.h"

#include <array>
#include <cmath>
#include <map>
#include <span>

using namespace sbx;
using namespace sbx::test;

class TestNetworkRecords : public QObject {
    Q_OBJECT
private slots:
    // Chat, things that come, are hit and go, doors, who leaves: on a clean path and on bad ones.
    void aGamesRecordIsSound_data() {
        QTest::addColumn<QString>("link");
        QTest::newRow("clean") << "latency=20ms";
        QTest::newRow("bad") << "latency=40ms jitter=20ms loss=20% duplicate=5%";
        QTest::newRow("bursts") << "latency=25ms loss=10% burst=5 reorder=5% reorder-by=60ms corrupt=1%";
    }
    void aGamesRecordIsSound() {
        QFETCH(QString, link);
        Game game(2, link.toUtf8().constData(), 8);
        const auto reader = game.server.netRecorder().addReader();
        net::RecordChecker checker;
        std::size_t dispatched = 0;
        const auto run = [&](int ticks) {
            for (int i = 0; i < ticks; ++i) {
                game.run(1);
                game.server.publish();
                reader->poll([&](const net::NetRecordView& record) {
                    checker.take(record);
                    dispatched += record->kind == net::NetRecordKind::Dispatched ? 1U : 0U;
                });
            }
        };
        run(150);
        World& world = game.server.world();
        for (int round = 0; round < 8; ++round) {
            SpawnRequest request;
            request.type = world.findType("Crate");
            request.name = "victim_" + std::to_string(round);
            request.pose.position = Vec3(0.0F, 20.0F, 0.0F);
            const EntityId victim = world.spawn(request);
            for (int hit = 0; hit < 6; ++hit)
                world.send(victim, Damage{10.0F});
            QVERIFY(game.server.lines().executeAs(1, "say round").ok);
            world.send(world.find("door").id(), Activate{});
            game.players->simulation(1).setInput({.move = Vec2(0.0F, round % 2 == 0 ? 1.0F : -1.0F)});
            run(20);
        }
        game.players->simulation(1).network().detach();
        run(300);
        QCOMPARE(reader->missed(), std::uint64_t{0});
        QVERIFY2(checker.faults.empty(), checker.faults.empty() ? "" : checker.faults[0].c_str());
        QVERIFY2(
            checker.executed() > 200 && dispatched > 100 && checker.packets() > 500,
            qPrintable(
                QStringLiteral("%1 %2 %3").arg(checker.executed()).arg(dispatched).arg(checker.packets())));
    }

    // What the trace calls late is what the record of the network saw come that many ticks before.
    void whatWaitedIsLateInTheTrace() {
        Game game(2, "latency=30ms jitter=10ms loss=20%", 3);
        const auto reader = game.server.netRecorder().addReader();
        const auto trace = game.server.recorder().addReader();
        net::NetHistory history;
        NetHandle last;
        std::map<std::uint64_t, std::uint64_t> late; // by sequence
        std::map<std::uint64_t, std::uint64_t> tickOf;
        std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> seenAt; // tick, by connection and number
        std::size_t lateOnes = 0;
        for (int tick = 0; tick < 400; ++tick) {
            NetworkSystem& client = game.players->simulation(0).network();
            if (tick > 100 && tick < 300) { // each message depends on the one before it
                const std::array needs{last};
                last =
                    client.send(client.player(), Chat{}, tick == 101 ? std::span<const NetHandle>() : needs)
                        .handle;
            }
            game.run(1);
            game.server.publish();
            history.follow(*reader);
            for (const auto& [key, lane] : history.lanes())
                for (const net::NetMessage& message : lane.messages)
                    if (!lane.toClient && message.arrived != net::Never)
                        seenAt.try_emplace({lane.connection, message.key.sequence}, game.server.world().tickCount());
            std::vector<std::shared_ptr<const RecordSegment>> segments;
            trace->poll(segments);
            for (const auto& segment : segments)
                segment->forEach([&](const RecordView& record) {
                    if (record.delivery() != Delivery::Network)
                        return;
                    late[record.sequence()] = record.late();
                    tickOf[record.sequence()] = record.tick();
                    if (record.late() == 0)
                        return;
                    ++lateOnes;
                    QCOMPARE(record.envelope().queuedAt + record.late(), record.tick());
                    const std::string line = traceLine(record, game.server.recorder(), false, EntityNamer());
                    QVERIFY2(line.find("\"queuedAt\":" + std::to_string(record.envelope().queuedAt))
                                 != std::string::npos,
                             line.c_str());
                });
        }
        std::size_t compared = 0;
        for (const auto& [key, lane] : history.lanes())
            for (const net::NetMessage& message : lane.messages) {
                const auto row = late.find(message.dispatchedAs);
                const auto came = seenAt.find({lane.connection, message.key.sequence});
                if (lane.toClient || message.dispatchedAs == 0 || row == late.end() || came == seenAt.end())
                    continue;
                // What comes after a tick has taken what was there is for the next one.
                const std::uint64_t waited = tickOf[message.dispatchedAs] - came->second;
                QVERIFY2(row->second == waited || row->second + 1 == waited,
                         qPrintable(QStringLiteral("%1 late, seen %2 ticks before").arg(row->second).arg(waited)));
                ++compared;
            }
        QVERIFY2(compared > 100 && lateOnes > 20,
                 qPrintable(QStringLiteral("%1 compared, %2 late").arg(compared).arg(lateOnes)));
    }

    // What the network brings has been acted on at the other end: nothing in an ordinary game is lateOnes as a fault, in no world.
    void whatComesIsNoFault() {
        Game game(2, "latency=20ms", 3);
        const auto own = game.server.recorder().addReader();
        const auto theirs = game.players->simulation(0).recorder().addReader();
        std::map<std::string, int> unheard;
        int seen = 0;
        for (int tick = 0; tick < 400; ++tick) {
            if (tick == 150) {
                QVERIFY(game.server.lines().executeAs(1, "say hello").ok);
                game.server.world().send(game.server.world().find("door").id(), Activate{});
                game.server.world().send(game.server.world().find("crate_1").id(), Damage{10.0F});
                game.players->simulation(1).setInput({.move = Vec2(0.0F, 1.0F)});
            }
            game.run(1);
            game.server.publish();
            game.players->simulation(0).recorder().seal();
            std::vector<std::shared_ptr<const RecordSegment>> segments;
            own->poll(segments);
            theirs->poll(segments);
            for (const auto& segment : segments)
                segment->forEach([&](const RecordView& record) {
                    if (record.delivery() != Delivery::Network)
                        return;
                    ++seen;
                    unheard[messageType(record.type()).name] +=
                        RecordFilterSchema::outcome(record) == RecordOutcome::Unhandled ? 1 : 0;
                });
        }
        QVERIFY2(seen > 20, qPrintable(QString::number(seen)));
        QString orange;
        for (const auto& [type, count] : unheard)
            orange += count == 0 ? QString()
                                 : QStringLiteral("%1 of %2 ").arg(count).arg(QString::fromStdString(type));
        QVERIFY2(orange.isEmpty(), qPrintable(orange));
    }

    // States of what moves go twenty times a second to each client, and none more often.
    void statesGoTwentyTimesASecond() {
        Game game(2, "latency=20ms", 1);
        game.run(120);
        const auto reader = game.server.netRecorder().addReader();
        std::map<std::uint32_t, std::string> names;
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> states; // of a connection and an entity
        const std::uint32_t first = game.players->connection(0)->id();
        const std::uint32_t second = game.players->connection(1)->id();
        for (int i = 0; i < 300; ++i) {
            game.run(1);
            game.server.publish();
            reader->poll([&](const net::NetRecordView& record) {
                if (record->kind == net::NetRecordKind::Name)
                    names[static_cast<std::uint32_t>(record->number)] = record.text();
                else if (record->kind == net::NetRecordKind::Message
                         && record->event
                                == static_cast<std::uint8_t>(net::MessageEvent::Kind::UnreliableSent)
                         && names[record->name] == "State")
                    ++states[{record->connection, record->entity}];
            });
        }
        std::map<std::uint32_t, int> moving;
        for (const auto& [key, count] : states) {
            QVERIFY2(count <= 101, names[key.second].c_str());
            moving[key.first] += count >= 99 ? 1 : 0;
        }
        QVERIFY2(moving[first] >= 1 && moving[second] >= 1, qPrintable(QString::number(moving[first])));
    }
    void roundsKeepTheirRateWhateverTheTicksAre() {
        for (const double tickRate : {20.0, 30.0, 60.0, 64.0, 100.0, 128.0, 240.0}) {
            NetworkStates states;
            int rounds = 0;
            for (int tick = 0; tick < static_cast<int>(100.0 * tickRate); ++tick)
                rounds += states.beginRound(tickRate) ? 1 : 0;
            QVERIFY2(std::abs(rounds - 2000) <= 1,
                     qPrintable(QStringLiteral("%1 at %2").arg(rounds).arg(tickRate)));
        }
    }
};

QTEST_GUILESS_MAIN(TestNetworkRecords)
#include "tst_network_records.moc"
