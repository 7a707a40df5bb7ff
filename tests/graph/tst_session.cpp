// The graph over a real session: what both ends of a connection told of a message comes together under one key, and what waited has
// the cause that the network gave it.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/messages.h"
#include "engine/session/local_clients.h"
#include "engine/session/server_link.h"
#include "engine/session/server_setup.h"
#include "tests/folders.h"
#include "tests/net/forger.h"
#include "tests/net/pair.h"
#include "widgets/graph/graph_model.h"
#include "widgets/graph/recorded_graph_source.h"

#include <algorithm>
#include <map>
#include <set>

using namespace sbx;
using namespace sbx::ui;

class TestSession : public QObject {
    Q_OBJECT

private:
    Log m_log;
    std::unique_ptr<Session> m_session;
    std::shared_ptr<net::NetRecordReader> m_reader;
    std::unique_ptr<RecordedGraphSource> m_source;
    GraphModel m_model;
    bool m_over = false;

    void run(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            m_session->tick();
            m_session->publish();
            GraphNews news;
            if (m_source->poll(news)) {
                m_over = news.over;
                m_model.apply(std::move(news));
            }
        }
    }

private slots:
    void init() {
        m_session = std::make_unique<Session>(m_log, addConsoleCommands);
        m_reader = m_session->netRecorder().addReader();
        m_source = std::make_unique<RecordedGraphSource>(m_reader);
        m_model = {};
        Diagnostics faults;
        m_session->open(loadContent(sbx::test::sourcePath("resources/projects/courtyard"),
                                    {}, m_session->catalog().schema, faults));
        QVERIFY(!faults.hasErrors());
    }
    void cleanup() {
        m_source.reset();
        m_reader.reset();
        m_session.reset();
    }

    void everyMessageOfBothEndsIsThere() {
        QVERIFY(m_session->playAsHost(2).ok());
        QVERIFY(m_session->execute("net.link all latency=20ms").ok);
        run(120);
        QCOMPARE(m_model.peers(), (std::vector<std::string>{"server", "client 1", "client 2"}));
        for (std::uint16_t lane = 1; lane <= 2; ++lane) {
            const net::ChannelCounters& counters =
                m_session->clients()->connection(lane - 1U)->channel().counters();
            std::uint64_t seen = 0;
            m_model.visit(lane, 0, m_model.now(), [&](const GraphKey& key, const GraphNode& node) {
                ++seen;
                QCOMPARE(int(key.from), 0);
                QVERIFY(!m_model.typeName(node).empty());
                QVERIFY(!node.sent.empty() && node.sent.front().sent >= node.queued);
                if (node.executed == net::Never)
                    return; // on its way still
                QVERIFY(node.arrived >= node.queued && node.executed >= node.arrived);
                QVERIFY(node.known == net::Never || node.known > node.executed);
                for (const std::uint64_t need : node.needs) {
                    const GraphNode* other = m_model.find({key.from, key.to, need});
                    QVERIFY(other != nullptr && other->executed <= node.executed);
                }
            });
            QCOMPARE(seen, counters.guaranteedSent);
        }
        std::size_t toServer = 0;
        m_model.visit(0, 0, m_model.now(), [&](const GraphKey& key, const GraphNode&) {
            QVERIFY(key.from == 1 || key.from == 2);
            ++toServer;
        });
        QVERIFY(toServer >= 2); // who the players are
        // Spawns name the entity.
        std::size_t spawns = 0;
        m_model.visit(1, 0, m_model.now(), [&](const GraphKey&, const GraphNode& node) {
            if (m_model.typeName(node) == "Spawn") {
                QVERIFY(m_session->world().find(node.entity));
                ++spawns;
            }
        });
        QCOMPARE(spawns, m_session->world().entityCount());
    }

    // Of a peer in another program only this end's records are here: it has a lane by its address, and every message is there.
    void aPeerOfAnotherProgramHasALane() {
        const auto opened = [] { return std::shared_ptr<UdpHost>(std::move(*UdpHost::open(0))); };
        const std::shared_ptr<UdpHost> udp = opened();
        net::Key secret{};
        net::secureEntropy(secret);
        QVERIFY(m_session->playAsServer({udp, net::makeKeyPair(secret), {}}).ok());
        Log log;
        Session client(log, addConsoleCommands); // with a recorder of its own
        client.open(m_session->simulation().content());
        RecordedGraphSource theirSource(client.netRecorder().addReader());
        GraphModel theirs;
        ClientSetup setup;
        setup.udp = opened();
        setup.server = net::Address::v4(127, 0, 0, 1, udp->port());
        setup.serverName = setup.server.toString();
        const std::string clientAddress = net::Address::v4(127, 0, 0, 1, setup.udp->port()).toString();
        QVERIFY(client.playAsClient(setup).ok());
        const auto everything = [&] {
            return m_model.size() > 60 && theirs.size() > 60 && client.world().entityCount() == m_session->world().entityCount();
        };
        const net::Time patience = net::steadyNow() + 30 * net::Second;
        while (!everything() && net::steadyNow() < patience) {
            run(1);
            client.tick();
            client.publish();
            GraphNews news;
            if (theirSource.poll(news))
                theirs.apply(std::move(news));
        }
        QVERIFY(everything());
        run(1);
        QCOMPARE(m_model.peers(), (std::vector<std::string>{"server", clientAddress}));
        std::size_t spawns = 0;
        m_model.visit(1, 0, m_model.now(), [&](const GraphKey& key, const GraphNode& node) {
            QCOMPARE(int(key.from), 0);
            QVERIFY(node.arrived == net::Never); // that is known there
            spawns += m_model.typeName(node) == "Spawn" && !node.sent.empty() ? 1U : 0U;
        });
        QCOMPARE(spawns, m_session->world().entityCount());
        QCOMPARE(theirs.peers(), (std::vector<std::string>{"player", setup.serverName}));
        spawns = 0;
        theirs.visit(0, 0, theirs.now(), [&](const GraphKey& key, const GraphNode& node) {
            QCOMPARE(int(key.from), 1);
            QVERIFY(node.arrived != net::Never && node.queued <= node.arrived);
            if (theirs.typeName(node) != "Spawn")
                return;
            ++spawns;
            QVERIFY(!node.entity.empty());
            for (const std::uint64_t need : node.needs) {
                const GraphNode* const other = theirs.find({key.from, key.to, need});
                QVERIFY(other != nullptr && (node.executed == net::Never || other->executed <= node.executed));
            }
        });
        QCOMPARE(spawns, client.world().entityCount());
        for (const GraphModel* const model : {&m_model, &theirs}) {
            QCOMPARE(model->handshakes().all().size(), std::size_t{1});
            QVERIFY(model->handshakes().all()[0].outcome == GraphHandshake::Outcome::Connected);
        }
    }

    void whatWaitedHasACauseThatCameLater() {
        QVERIFY(m_session->playAsHost(2).ok());
        QVERIFY(m_session->execute("net.link 1 latency=40ms loss=20%").ok);
        run(60);
        QVERIFY(m_session->viewAs(1).ok());
        for (int i = 0; i < 400; ++i) {
            InputState input;
            input.move = Vec2(i % 2 == 0 ? 0.5F : -0.5F, 0.0F);
            m_session->setInput(input);
            run(1);
        }
        run(60);
        QVERIFY(m_model.waits().size() > 3);
        std::size_t caused = 0;
        for (const GraphWait& wait : m_model.waits()) {
            QVERIFY(wait.key.from == 1 || wait.key.to == 1); // the other link is perfect
            QVERIFY(wait.cause.over);
            QVERIFY(wait.cause.until - wait.cause.since > GraphModel::LongWait);
            const GraphNode* root = m_model.find({wait.key.from, wait.key.to, wait.cause.root()});
            if (root == nullptr)
                continue;
            QVERIFY(root->executed > wait.cause.since && root->executed <= wait.cause.until);
            caused += wait.cause.losses > 0 && wait.cause.resends > 0 ? 1U : 0U;
        }
        QVERIFY(caused > 0);
        const net::ChannelCounters& server = m_session->clients()->connection(0)->channel().counters();
        std::uint64_t waited = 0;
        m_model.visit(0, 0, m_model.now(), [&](const GraphKey& key, const GraphNode& node) {
            if (key.from == 1 && node.executed > node.arrived && node.arrived != net::Never)
                ++waited;
        });
        QVERIFY(server.guaranteedWaited > 0);
        QVERIFY(waited > 0 && waited <= server.guaranteedWaited);
    }

    // The server's record of every message that crosses the wire, in either direction, and of no other.
    void everyMessageNamesItsRecord() {
        const auto reader = m_session->recorder().addReader();
        QVERIFY(m_session->playAsHost(2).ok());
        QVERIFY(m_session->execute("net.link all latency=20ms jitter=10ms loss=10%").ok);
        run(60);
        QVERIFY(m_session->viewAs(1).ok());
        const auto crate = m_session->world().find("crate_1").id();
        for (int i = 0; i < 300; ++i) {
            InputState input;
            input.move = Vec2(i % 4 < 2 ? 0.5F : -0.5F, 0.0F);
            m_session->setInput(input);
            if (i % 20 == 7)
                m_session->world().send(crate, Damage{0.01F});
            if (i % 50 == 11)
                QVERIFY(m_session->execute(i % 100 == 11 ? "say hello" : "@client2 say hello").ok);
            run(1);
        }
        m_session->setInput({});
        run(120);
        struct Known {
            std::string type;
            std::string receiver;
        };
        std::map<std::uint64_t, Known> records;
        std::map<std::uint64_t, Known> fromClients;
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const RecordView record = (*segment)[i];
                const Known known{messageType(record.type()).name,
                                  m_session->recorder().names().name(record.receiverName())};
                records[record.sequence()] = known;
                if (record.envelope().delivery == Delivery::Network)
                    fromClients[record.sequence()] = known;
            }
        std::map<std::string, int> sentOn;
        for (std::uint16_t lane = 1; lane <= 2; ++lane)
            m_model.visit(lane, 0, m_model.now(), [&](const GraphKey&, const GraphNode& node) {
                if (node.trace == 0)
                    return;
                const std::string type = m_model.typeName(node);
                QVERIFY(records.contains(node.trace));
                const Known& known = records[node.trace];
                QCOMPARE(known.type, type == "GameStart" ? std::string("PlayerInfo") : type);
                if (type != "GameStart")
                    QCOMPARE(known.receiver, node.entity);
                if (node.queued > net::Second) { // both are there
                    const std::vector<GraphKey> all = m_model.ofRecord(node.trace);
                    QCOMPARE(std::count_if(all.begin(), all.end(),
                                           [](const GraphKey& key) { return key.to != 0; }),
                             std::ptrdiff_t(2));
                }
                ++sentOn[type];
            });
        QVERIFY(sentOn["Damage"] >= 2 * 15); // the yard does some of its own
        QVERIFY(sentOn["PlayerInfo"] >= 2);
        QCOMPARE(sentOn["GameStart"], 2 * 2);
        QCOMPARE(sentOn["Chat"], 2 * 6);
        std::map<std::string, int> arrived;
        m_model.visit(0, 0, m_model.now(), [&](const GraphKey& key, const GraphNode& node) {
            const std::string type = m_model.typeName(node);
            if (node.trace == 0) { // of a kind that is not recorded
                QVERIFY(!messageType(findMessageType(type)->id).recorded);
                return;
            }
            const auto known = fromClients.find(node.trace);
            QVERIFY(known != fromClients.end());
            QCOMPARE(known->second.type, type);
            QCOMPARE(known->second.receiver, node.entity);
            QCOMPARE(m_model.ofRecord(node.trace).front(), key); // before those that it was sent on as
            fromClients.erase(known);
            ++arrived[type];
        });
        QVERIFY(fromClients.empty());
        QCOMPARE(arrived["PlayerInfo"], 2);
        QCOMPARE(arrived["Chat"], 3);
    }

    // Nobody records the world: there is nothing to name.
    void withoutATraceNoRecordIsNamed() {
        QVERIFY(m_session->execute("trace.enabled false").ok);
        QVERIFY(m_session->playAsHost(1).ok());
        run(30);
        m_session->world().send(m_session->world().find("crate_1").id(), Damage{0.01F});
        run(30);
        std::size_t seen = 0;
        for (std::uint16_t lane = 0; lane <= 1; ++lane)
            m_model.visit(lane, 0, m_model.now(), [&](const GraphKey&, const GraphNode& node) {
                QCOMPARE(node.trace, std::uint64_t(0));
                ++seen;
            });
        QVERIFY(seen > 50);
    }

    // Three datagrams of 25 ms each; both ends told of all of them, and of no connection twice.
    void handshakesAreTold() {
        QVERIFY(m_session->execute("net.sim.latency 25").ok);
        QVERIFY(m_session->playAsHost(2).ok());
        run(60);
        QCOMPARE(m_model.handshakes().all().size(), std::size_t(2));
        for (std::uint16_t client = 1; client <= 2; ++client) {
            const GraphHandshake& one = m_model.handshakes().all()[client - 1U];
            QCOMPARE(one.lane, client);
            QVERIFY(one.address.empty());
            QVERIFY(one.outcome == GraphHandshake::Outcome::Connected);
            QCOMPARE(one.ended - one.began, 75 * net::Millisecond);
            QVERIFY(one.outcomeAt(one.ended - 1) == GraphHandshake::Outcome::Asking);
            QCOMPARE(one.steps.size(),
                     std::size_t(7)); // request, challenge, response at both ends, and connected
            QCOMPARE(one.asked(m_model.now()), 2);
        }
    }

    // A response proves an address and no key: a client is there when the server can open something of it, be that much later.
    void whoHasNotProvenItselfIsNotConnected() {
        const auto reader = m_session->netRecorder().addReader();
        QVERIFY(m_session->execute("net.sim.latency 25; net.sim.loss 60").ok);
        QVERIFY(m_session->playAsHost(8).ok());
        run(60 * 5);
        std::map<std::uint32_t, net::Time> opened;
        std::map<std::uint32_t, net::Time> heard;
        reader->poll([&](const net::NetRecordView& record) {
            if (record->peer != 0)
                return;
            if (record->kind == net::NetRecordKind::Opened)
                opened.emplace(record->connection, record->time);
            if (record->kind == net::NetRecordKind::Packet
                && record->event == static_cast<std::uint8_t>(net::PacketEvent::Kind::Received))
                heard.emplace(record->connection, record->time);
        });
        std::multiset<net::Time> proven;
        std::size_t later = 0;
        for (const auto& [connection, at] : heard) {
            proven.insert(at);
            later += at > opened.at(connection) ? 1U : 0U;
        }
        QVERIFY(later >= 2);
        std::multiset<net::Time> connected;
        for (const GraphHandshake& one : m_model.handshakes().all())
            if (one.outcome == GraphHandshake::Outcome::Connected)
                connected.insert(one.ended);
        QCOMPARE(connected.size(), proven.size());
        QVERIFY(connected == proven);
    }

    // What the server can open shows who has the key, also where it breaks the rules and nothing of it is taken.
    void aBreachProvesTheKey_data() {
        QTest::addColumn<bool>("breach");
        QTest::addColumn<bool>("refused");
        QTest::newRow("breach") << true << false;
        QTest::newRow("message") << false << false;
        QTest::newRow("no room") << false << true;
    }
    void aBreachProvesTheKey() {
        using namespace net;
        QFETCH(bool, breach);
        QFETCH(bool, refused);
        HostSettings settings;
        if (refused) {
            settings.limits.window = 2;
            settings.deliveryQueue = 0; // as many as the window then
        }
        net::World world({.latency = 25 * Millisecond}, settings);
        NetRecorder recorder;
        recorder.setEnabled(true);
        RecordedGraphSource source(recorder.addReader());
        const NetRecorder::Tap tap(recorder, *world.server, "server", nullptr);
        // The client's own datagrams are lost from its response on; what the server hears is ours.
        Key secret{};
        Entropy entropy = world.entropyOf(0);
        entropy(std::span(secret).first(1));
        for (int i = 0; i < 3; ++i)
            entropy(secret);
        Eavesdropper ear;
        Host& host = world.addClient();
        world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
            if (ear.known && from == clientAddress(0))
                world.network.direction(clientAddress(0), serverAddress())
                    .setSettings({.latency = 25 * Millisecond, .loss = 1.0});
            ear.hear(bytes, secret);
        });
        host.connect(serverAddress());
        world.runFor(80 * Millisecond);
        QVERIFY(ear.known);
        Connection* const there = world.server->find(ear.keys.connection);
        QVERIFY(there != nullptr && there->state() == Connection::State::Proving);
        const auto outcome = [&] {
            recorder.seal();
            GraphNews news;
            if (source.poll(news))
                m_model.apply(std::move(news));
            return m_model.handshakes().all().empty() ? GraphHandshake::Outcome::Closed
                                                      : m_model.handshakes().all().front().outcome;
        };
        QVERIFY(outcome() == GraphHandshake::Outcome::Asking);
        Forged forged;
        if (refused)
            for (int i = 0; i < 3; ++i)
                forged.sections.unreliable({}, 1, viewOf("!"));
        else // beyond the window, or as it should be
            forged.sections.guaranteed(breach ? 5'000 : 1, {}, 1, viewOf("!"));
        std::array<std::uint8_t, MaxDatagram> bytes{};
        ByteWriter out(bytes);
        out.u8(0x24);
        out.u32(ear.keys.connection);
        out.u16(1);
        const std::size_t header = out.size();
        out.bytes(ByteView(forged.bytes).first(forged.out.size()));
        ear.cipher(true).seal(1, bytes, header, forged.out.size());
        world.network.inject(clientAddress(0), serverAddress(), ByteView(bytes).first(out.size() + TagSize));
        const Time told = world.network.now();
        world.runFor(30 * Millisecond);
        if (!breach) {
            QCOMPARE(there->channel().counters().packetsRefused, std::uint64_t(refused ? 1 : 0));
            QCOMPARE(there->channel().counters().packetsReceived, std::uint64_t(refused ? 0 : 1));
        }
        world.runFor(3 * Second);
        QVERIFY(outcome() == GraphHandshake::Outcome::Connected);
        const auto& all = m_model.handshakes().all();
        QVERIFY(all.front().ended >= told && all.front().ended < told + Second);
        QCOMPARE(all.size(), std::size_t(breach ? 2 : 1));
        if (breach) {
            QVERIFY(all.back().outcome == GraphHandshake::Outcome::Closed);
            QVERIFY(all.back().reason == CloseReason::FlowControl);
        }
    }

    void aConnectionThatBreaksIsTold() {
        QVERIFY(m_session->playAsHost(2).ok());
        run(60);
        QVERIFY(m_session->execute("net.link 2 blackout=0s..60s").ok);
        run(60 * 16);
        std::vector<const GraphHandshake*> ends;
        for (const GraphHandshake& one : m_model.handshakes().all())
            if (one.outcome == GraphHandshake::Outcome::Closed)
                ends.push_back(&one);
        QCOMPARE(ends.size(), std::size_t(1));
        QCOMPARE(int(ends[0]->lane), 2);
        QVERIFY(ends[0]->reason == net::CloseReason::Timeout
                || ends[0]->reason == net::CloseReason::Undeliverable);
        QCOMPARE(ends[0]->steps.size(), std::size_t(2)); // both ends noticed
    }

    void whoIsNotAnsweredIsTold() {
        QVERIFY(m_session->execute("net.sim.blackout true").ok);
        QVERIFY(m_session->playAsHost(1).ok());
        run(60 * 6);
        QCOMPARE(m_model.handshakes().all().size(), std::size_t(1));
        const GraphHandshake& one = m_model.handshakes().all().front();
        QVERIFY(one.outcome == GraphHandshake::Outcome::Unanswered);
        QCOMPARE(one.ended - one.began, 5 * net::Second);
        QCOMPARE(one.asked(m_model.now()), 20); // every quarter of a second
    }

    // Nothing is recorded when the first ends: the second is another all the same.
    void anotherSessionBeginsAnewWhoeverLookedAway() {
        QVERIFY(m_session->playAsHost(2).ok());
        run(60);
        const std::uint64_t run1 = m_model.run();
        QVERIFY(m_session->execute("net.record false").ok);
        run(2);
        QVERIFY(m_over && !m_model.empty());
        m_session->stop();
        run(2);
        QVERIFY(m_session->playAsHost(1).ok());
        run(2);
        QVERIFY(m_session->execute("net.record true").ok);
        run(30);
        QVERIFY(!m_over);
        QVERIFY(m_model.run() != run1);
        QCOMPARE(m_model.peers().size(), std::size_t(2));
        QVERIFY(m_model.now() < net::Second);
    }

    // The window was busy for so long that it missed the end of one session and the beginning of the next: it shows the next by its
    // own names.
    void whoMissedTheBeginningBeginsAnew() {
        QVERIFY(m_session->playAsHost(2).ok());
        run(60);
        const std::uint64_t run1 = m_model.run();
        const auto untilMissed = [&](std::uint64_t records) {
            while (m_reader->missed() < records)
                m_session->tick();
        };
        untilMissed(1);
        m_session->stop();
        m_session->tick();
        QVERIFY(m_session->playAsHost(1).ok());
        untilMissed(m_reader->missed() + 1000);
        const net::Time before = m_session->clients()->network().now();
        run(30);
        QVERIFY(m_model.run() != run1);
        QVERIFY(!m_over);
        QCOMPARE(m_model.peers(), (std::vector<std::string>{"server", "client 1"}));
        QVERIFY(m_model.now() >= before);
        m_session->world().send(m_session->world().find("crate_1").id(), Damage{0.01F});
        run(30);
        std::size_t seen = 0;
        m_model.visit(1, before, m_model.now(), [&](const GraphKey& key, const GraphNode& node) {
            QCOMPARE(int(key.from), 0);
            seen += m_model.typeName(node) == "Damage" && node.entity == "crate_1" ? 1U : 0U;
        });
        QVERIFY(seen >= 1);
    }

    // Whoever hears of the next world's records has heard before that this one's network is gone.
    void itIsOverBeforeTheNextWorldBegins() {
        const auto trace = m_session->recorder().addReader();
        QVERIFY(m_session->playAsHost(1).ok());
        run(60);
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        trace->poll(segments);
        segments.clear();
        m_session->stop();
        GraphNews news;
        QVERIFY(m_source->poll(news));
        QVERIFY(news.over);
        // All that is there by now is of the world that has ended.
        trace->poll(segments);
        for (const auto& segment : segments)
            QVERIFY((*segment)[0].sequence() > 1);
    }

    void anotherSessionBeginsAnew() {
        QVERIFY(m_session->playAsHost(2).ok());
        run(60);
        const std::uint64_t run1 = m_model.run();
        m_session->stop();
        run(2);
        QVERIFY(!m_model.empty()); // it can still be looked at
        QVERIFY(m_session->playAsHost(1).ok());
        run(30);
        QVERIFY(m_model.run() != run1);
        QCOMPARE(m_model.peers().size(), std::size_t(2));
        QVERIFY(m_model.now() < net::Second);
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
