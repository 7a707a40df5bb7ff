#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "engine/net/net_history.h"
#include "tests/counted_allocations.h"
#include "tests/net/world.h"

#include <nlohmann/json.hpp>

#include <thread>

using namespace sbx;
using namespace sbx::net;

namespace {

class Names final : public NetNaming {
public:
    std::string_view typeName(std::uint16_t type) override {
        return type == 1 ? "Spawn" : type == 2 ? "Kill" : "State";
    }
    std::string_view entityName(std::uint16_t, ByteView body) override {
        return body.empty() ? std::string_view() : body[0] == 'd' ? "door" : "bat";
    }
    std::uint64_t traceOfQueued() override { return trace; }
    std::uint64_t trace = 0;
};

// A server and a client, both recorded.
struct Recorded {
    explicit Recorded(const LinkSettings& link = {.latency = 25 * Millisecond}, bool enabled = true)
        : world(link) {
        recorder.setEnabled(enabled);
        reader = recorder.addReader();
        serverTap = std::make_unique<NetRecorder::Tap>(recorder, *world.server, "server", &names);
        Host& host = world.addClient();
        clientTap = std::make_unique<NetRecorder::Tap>(recorder, host, "client 1", &names);
        host.connect(serverAddress());
        for (int i = 0; i < 1000 && server == nullptr; ++i) {
            world.runFor(5 * Millisecond);
            host.forEach(
                [&](Connection& c) { client = c.state() == Connection::State::Connected ? &c : nullptr; });
            server = client != nullptr ? world.server->find(client->id()) : nullptr;
        }
    }
    ~Recorded() {
        serverTap.reset();
        clientTap.reset();
    }
    void look() {
        recorder.seal();
        history.follow(*reader);
    }
    const NetMessage* message(std::uint64_t sequence, bool toClient = true) const {
        return history.find({client->id(), toClient, sequence});
    }
    void drain() {
        ReceivedMessage delivery;
        while (client->next(delivery) || server->next(delivery))
            delivery = {};
    }

    Names names;
    World world;
    NetRecorder recorder;
    std::shared_ptr<NetRecordReader> reader;
    std::unique_ptr<NetRecorder::Tap> serverTap;
    std::unique_ptr<NetRecorder::Tap> clientTap;
    Connection* client = nullptr;
    Connection* server = nullptr;
    NetHistory history;
};

// A record of the client's end of connection 7.
void tellClient(NetHistory& history, NetRecordKind kind, Time time, std::uint64_t number,
                MessageEvent::Kind event) {
    NetRecordHeader header;
    header.kind = kind;
    header.time = time;
    header.connection = 7;
    header.number = number;
    header.event = static_cast<std::uint8_t>(event);
    header.flags = 1;
    history.add({&header});
}

LinkDirection& toClient(Recorded& r) { return r.world.network.direction(serverAddress(), clientAddress(0)); }

} // namespace

class TestRecorder : public QObject {
    Q_OBJECT
private slots:
    // A message that needs nothing: every step of its life at both ends, at the times the link gives.
    void aMessageIsFollowedFromEndToEnd() {
        Recorded r;
        QVERIFY(r.server != nullptr);
        r.world.runFor(200 * Millisecond);
        const Time begin = r.world.network.now();
        const MessageHandle handle = r.server->send(1, viewOf("door opens")).handle;
        r.world.runFor(200 * Millisecond);
        r.look();
        const NetMessage* message = r.message(handle.sequence);
        QVERIFY(message != nullptr);
        QCOMPARE(QString::fromStdString(message->typeName), QStringLiteral("Spawn"));
        QCOMPARE(QString::fromStdString(message->entity), QStringLiteral("door"));
        QCOMPARE(message->bytes, 10U);
        QCOMPARE(std::string(message->body.begin(), message->body.end()), std::string("door opens"));
        QCOMPARE(message->queued, begin);
        QCOMPARE(message->sent.size(), std::size_t{1});
        QCOMPARE(message->sent[0].sent, begin);
        QCOMPARE(message->arrived, begin + 25 * Millisecond);
        QCOMPARE(message->executed, message->arrived);
        QVERIFY(message->acknowledged >= begin + 50 * Millisecond);
        QVERIFY(message->acknowledged <= begin + 56 * Millisecond);
        QCOMPARE(message->knownExecuted, message->acknowledged);
        QVERIFY(message->sender() == NetMessage::Sender::Executed);
        QVERIFY(message->receiver() == NetMessage::Receiver::Executed);
        QCOMPARE(message->waited(r.history.now()), Time{0});
        QVERIFY(r.history.explain(*message).empty());

        const NetLane* lane = r.history.lane(r.client->id(), true);
        QVERIFY(lane != nullptr);
        QCOMPARE(r.history.peers().size(), std::size_t{2});
        QCOMPARE(r.history.peers()[static_cast<std::size_t>(lane->sender)].name, std::string("server"));
        QCOMPARE(r.history.peers()[static_cast<std::size_t>(lane->receiver)].name, std::string("client 1"));
        const NetPacket* packet = lane->packet(message->sent[0].packet);
        QVERIFY(packet != nullptr);
        QCOMPARE(packet->sent, begin);
        QCOMPARE(packet->arrived, begin + 25 * Millisecond);
        QVERIFY((packet->causes & PacketEvent::Messages) != 0);
        QCOMPARE(packet->items.size(), std::size_t{1});
        QCOMPARE(packet->items[0].sequence, handle.sequence);
        // Section, head, type, length, body.
        QCOMPARE(packet->items[0].bytes, 1U + 2U + 1U + 1U + 10U);
    }
    // B needs A, A's packet is lost: B waits at the receiver for A, for as long as A takes to be sent again; the sender's graph
    // holds B back from being known executed until A is.
    void aWaitHasACauseAndAResolution() {
        Recorded r;
        QVERIFY(r.server != nullptr);
        r.world.runFor(300 * Millisecond);
        LinkSettings broken = toClient(r).settings();
        broken.loss = 1.0;
        toClient(r).setSettings(broken);
        const MessageHandle a = r.server->send(1, viewOf("bat")).handle;
        r.world.runFor(2 * Millisecond);
        broken.loss = 0.0;
        toClient(r).setSettings(broken);
        const MessageHandle b = r.server->send(2, viewOf("bat"), std::span(&a, 1)).handle;
        r.world.runFor(30 * Millisecond);
        r.look();
        const NetMessage* kill = r.message(b.sequence);
        QVERIFY(kill != nullptr);
        QVERIFY(kill->receiver() == NetMessage::Receiver::Waiting);
        QCOMPARE(kill->needs, std::vector<std::uint64_t>{a.sequence});
        QCOMPARE(r.history.waitsFor(*kill), std::vector<std::uint64_t>{a.sequence});
        QVERIFY(r.history.cause(*kill) == r.message(a.sequence));
        QVERIFY(r.message(a.sequence)->sender() == NetMessage::Sender::Sent);
        QVERIFY2(r.history.explain(*kill).starts_with("waits for #" + std::to_string(a.sequence) + " Spawn"),
                 r.history.explain(*kill).c_str());

        r.world.runFor(400 * Millisecond);
        r.look();
        kill = r.message(b.sequence);
        const NetMessage* spawn = r.message(a.sequence);
        QCOMPARE(spawn->sent.size(), std::size_t{2});
        QVERIFY(spawn->sent[0].lost != Never);
        QVERIFY(spawn->sent[1].kind == NetTransmission::Kind::Resend);
        QVERIFY(spawn->sent[1].sent >= spawn->sent[0].lost);
        QCOMPARE(kill->executed, spawn->arrived);
        QVERIFY(kill->executed > kill->arrived);
        QCOMPARE(kill->waited(r.history.now()), kill->executed - kill->arrived);
        QVERIFY(kill->acknowledged <= spawn->acknowledged);
        QCOMPARE(kill->knownExecuted, spawn->acknowledged);
        QVERIFY(r.history.waitsFor(*kill).empty());
        QVERIFY(r.history.cause(*kill) == spawn);
        QVERIFY2(r.history.explain(*kill).find("(lost, sent again)") != std::string::npos,
                 r.history.explain(*kill).c_str());
        const NetLane* lane = r.history.lane(r.client->id(), true);
        QVERIFY(lane->packet(spawn->sent[0].packet)->lost != Never);
        QVERIFY((lane->packet(spawn->sent[1].packet)->causes & PacketEvent::Resends) != 0);
        QVERIFY(lane->packet(spawn->sent[0].packet)->arrived == Never);
    }
    // What waited over 100 ms outlives the half minute, until it is dismissed; the rest goes.
    void whatWaitedLongStaysListed() {
        Recorded r({.latency = 60 * Millisecond});
        QVERIFY(r.server != nullptr);
        r.world.runFor(300 * Millisecond);
        LinkSettings broken = toClient(r).settings();
        broken.loss = 1.0;
        toClient(r).setSettings(broken);
        const MessageHandle a = r.server->send(1, viewOf("bat")).handle;
        r.world.runFor(2 * Millisecond);
        broken.loss = 0.0;
        toClient(r).setSettings(broken);
        const MessageHandle b = r.server->send(2, viewOf("bat"), std::span(&a, 1)).handle;
        MessageHandle last;
        for (int i = 0; i < 400; ++i) {
            last = r.server->send(1, viewOf("bat")).handle;
            r.world.runFor(100 * Millisecond);
            r.drain();
            r.look();
        }
        QVERIFY(r.message(a.sequence) == nullptr);
        QVERIFY(r.message(last.sequence) != nullptr);
        const NetLane* lane = r.history.lane(r.client->id(), true);
        QVERIFY(lane->messages.size() <= 310);
        QVERIFY(lane->packets.front().sent > r.history.now() - 31 * Second);
        QCOMPARE(r.history.stalled().size(), std::size_t{1});
        QVERIFY(toJson(r.history).find("\"at\":\"receiver\"") != std::string::npos);
        QCOMPARE(r.history.stalled()[0]->key.sequence, b.sequence);
        QVERIFY(r.message(b.sequence) != nullptr);
        QVERIFY(r.message(b.sequence)->waited(r.history.now()) > NetHistory::LongWait);
        r.history.dismiss({r.client->id(), true, b.sequence});
        QVERIFY(r.history.stalled().empty());
        QVERIFY(r.message(b.sequence) == nullptr);
    }
    // A name and the text of a link may hold anything: what is written stays JSON, and what it can hold comes back.
    void anyNameIsWrittenAsJson() {
        World world({.latency = 25 * Millisecond});
        NetRecorder recorder;
        recorder.setEnabled(true);
        const std::string name = "a\n\x01\"\\\xFF"
                                 "b";
        NetRecorder::Tap tap(recorder, *world.server, name, nullptr);
        tap.linkChanged("loss\t5\x1F%");
        NetHistory history;
        recorder.seal();
        recorder.replay([&](const NetRecordView& record) { history.add(record); });
        const std::string text = toJson(history);
        const nlohmann::json read = nlohmann::json::parse(text, nullptr, false);
        QVERIFY2(read.is_object(), text.c_str());
        QCOMPARE(read["peers"].size(), std::size_t{1});
        QCOMPARE(read["peers"][0]["name"].get<std::string>(), std::string("a\n\x01\"\\\xEF\xBF\xBD"
                                                                          "b"));
        QCOMPARE(read["peers"][0]["link"].get<std::string>(), std::string("loss\t5\x1F%"));
    }
    // What waited at a connection that has closed waited no longer than that, also once its lane goes.
    void aWaitEndsWithItsConnection() {
        NetHistory history;
        const auto tell = [&](NetRecordKind kind, Time time, std::uint64_t number = 0,
                              MessageEvent::Kind event = MessageEvent::Kind::Queued) {
            tellClient(history, kind, time, number, event);
        };
        tell(NetRecordKind::Peer, 0);
        tell(NetRecordKind::Opened, 0);
        for (const auto& [number, time] : {std::pair<std::uint64_t, Time>{2, 0}, {3, 200 * Millisecond}}) {
            tell(NetRecordKind::Message, time, number, MessageEvent::Kind::Arrived);
            tell(NetRecordKind::Message, time, number, MessageEvent::Kind::Waiting);
        }
        tell(NetRecordKind::Closed, 250 * Millisecond);
        const auto listed = [&] {
            std::vector<std::uint64_t> numbers;
            for (const NetMessage* one : history.stalled())
                numbers.push_back(one->key.sequence);
            return numbers;
        };
        QCOMPARE(listed(), std::vector<std::uint64_t>{2});
        const auto why = [&](std::uint64_t number) {
            return history.explain(*history.find({7, true, number}));
        };
        const auto whys = [&] { // of the lanes' messages and of those that are listed
            QStringList found;
            const QJsonObject all =
                QJsonDocument::fromJson(QByteArray::fromStdString(toJson(history))).object();
            for (const QJsonValue& lane : all.value(QLatin1String("lanes")).toArray())
                for (const QJsonValue& one : lane.toObject().value(QLatin1String("messages")).toArray())
                    found.append(one.toObject().value(QLatin1String("why")).toString());
            for (const QJsonValue& one : all.value(QLatin1String("stalled")).toArray())
                found.append(one.toObject()
                                 .value(QLatin1String("message"))
                                 .toObject()
                                 .value(QLatin1String("why"))
                                 .toString());
            return found;
        };
        const QString longer = QStringLiteral("waited for its turn 250 ms, in vain");
        const QString brief = QStringLiteral("waited for its turn 50 ms, in vain");
        tell(NetRecordKind::Tick, 10 * Second);
        QCOMPARE(why(2), longer.toStdString());
        QCOMPARE(why(3), brief.toStdString());
        QCOMPARE(whys(), (QStringList{longer, brief, longer}));
        tell(NetRecordKind::Tick, 100 * Second);
        history.trim();
        QVERIFY(history.lanes().empty());
        QCOMPARE(listed(), std::vector<std::uint64_t>{2});
        QCOMPARE(why(2), longer.toStdString());
        QCOMPARE(whys(), QStringList{longer});
    }
    // What went on waiting for longer than its lane remembers ends with its connection too, or with the peer that has it.
    void aWaitThatIsListedOnlyEndsToo_data() {
        QTest::addColumn<NetRecordKind>("end");
        QTest::addColumn<Time>("ended");
        QTest::addColumn<QString>("why");
        const QString two = QStringLiteral("waited for its turn 2000 ms, in vain");
        QTest::newRow("closed") << NetRecordKind::Closed << 2 * Second << two;
        QTest::newRow("gone") << NetRecordKind::Gone << 2 * Second << two;
        QTest::newRow("gone unheard")
            << NetRecordKind::Gone << Time{0} << QStringLiteral("waited for its turn 1000 ms, in vain");
    }
    void aWaitThatIsListedOnlyEndsToo() {
        QFETCH(NetRecordKind, end);
        QFETCH(Time, ended);
        QFETCH(QString, why);
        NetHistory history;
        const auto tell = [&](NetRecordKind kind, Time time, std::uint64_t number = 0,
                              MessageEvent::Kind event = MessageEvent::Kind::Queued) {
            tellClient(history, kind, time, number, event);
        };
        tell(NetRecordKind::Peer, 0);
        tell(NetRecordKind::Opened, 0);
        tell(NetRecordKind::Message, 0, 2, MessageEvent::Kind::Arrived);
        tell(NetRecordKind::Message, 0, 2, MessageEvent::Kind::Waiting);
        // Numbers so far off that nothing of the lane before them is kept.
        tell(NetRecordKind::Message, Second, 100'000, MessageEvent::Kind::Arrived);
        tell(NetRecordKind::Message, Second, 100'000, MessageEvent::Kind::Executed);
        QCOMPARE(history.lane(7, true)->first, std::uint64_t{100'000});
        QCOMPARE(history.explain(*history.find({7, true, 2})), std::string("waits for its turn 1000 ms"));
        tell(end, ended);
        tell(NetRecordKind::Tick, 9 * Second);
        QCOMPARE(QString::fromStdString(history.explain(*history.find({7, true, 2}))), why);
    }
    // Names are those of a session: the next one has its own, and what it calls by a number is not what the last one did.
    void namesGoWithTheirSession() {
        class Counting final : public NetNaming {
        public:
            std::string_view typeName(std::uint16_t) override { return "Spawn"; }
            std::string_view entityName(std::uint16_t, ByteView) override {
                return m_name = "bat " + std::to_string(++count);
            }
            int count = 0;

        private:
            std::string m_name;
        };
        NetRecorder recorder;
        recorder.setEnabled(true);
        const auto reader = recorder.addReader();
        NetHistory history;
        Counting names;
        for (int session = 0; session < 5; ++session) {
            World world;
            NetRecorder::Tap tap(recorder, *world.server, "server " + std::to_string(session), &names);
            MessageEvent event;
            event.connection = 1;
            event.type = 1;
            event.body = viewOf("b");
            while (event.sequence < 10) {
                ++event.sequence;
                tap.onMessage(event);
            }
            recorder.seal();
            std::size_t known = 0;
            recorder.replay(
                [&](const NetRecordView& record) { known += record->kind == NetRecordKind::Name ? 1U : 0U; });
            QCOMPARE(known, std::size_t{24}); // a dozen, each told beforehand and again where it was drawn
            history.follow(*reader);
            QCOMPARE(history.peers().front().name, "server " + std::to_string(session));
            const NetMessage* const last = history.find({1, true, 10});
            QVERIFY(last != nullptr);
            QCOMPARE(last->entity, "bat " + std::to_string(names.count));
            QCOMPARE(last->typeName, std::string("Spawn"));
        }
    }
    // A reader that was handed nothing for a while begins anew with what there is then: peers, connections and names of that session,
    // not those that it knew.
    void whoMissedRecordsBeginsAnew_data() {
        QTest::addColumn<bool>("other");
        QTest::addColumn<std::size_t>("limit");
        QTest::newRow("the same session") << false << std::size_t{64 * 1024};
        QTest::newRow("another session") << true << std::size_t{64 * 1024};
        QTest::newRow("room for nothing else") << true << std::size_t{16};
    }
    void whoMissedRecordsBeginsAnew() {
        QFETCH(bool, other);
        QFETCH(std::size_t, limit);
        class Calling final : public NetNaming {
        public:
            std::string_view typeName(std::uint16_t) override { return type; }
            std::string_view entityName(std::uint16_t, ByteView body) override {
                return entity = session + " " + std::string(body.begin(), body.end());
            }
            std::string session;
            std::string type;
            std::string entity;
        };
        NetRecorder recorder;
        recorder.setEnabled(true);
        const auto reader = recorder.addReader(limit);
        NetHistory history;
        Calling names;
        struct Game {
            Game(NetRecorder& to, Calling& naming, const std::string& name, std::uint64_t seed)
                : world({.latency = 5 * Millisecond}, {}, seed), recorder(to) {
                naming.session = name;
                naming.type = name + " message";
                server = std::make_unique<NetRecorder::Tap>(to, *world.server, name + " server", &naming);
                client = std::make_unique<NetRecorder::Tap>(to, world.addClient(), name + " client", &naming);
                world.clients.front()->connect(serverAddress());
                play(60);
            }
            void play(int ticks) {
                for (int i = 0; i < ticks; ++i) {
                    world.runFor(Second / 60);
                    recorder.seal();
                }
            }
            Connection& connection() {
                Connection* found = nullptr;
                world.server->forEach([&](Connection& one) { found = &one; });
                return *found;
            }
            World world;
            NetRecorder& recorder;
            std::unique_ptr<NetRecorder::Tap> server;
            std::unique_ptr<NetRecorder::Tap> client;
        };
        auto game = std::make_unique<Game>(recorder, names, "first", 1);
        history.follow(*reader);
        const std::uint32_t before = game->connection().id();
        static_cast<void>(game->connection().send(1, viewOf("bat")));
        game->play(10);
        history.follow(*reader);
        while (reader->missed() == 0) {
            static_cast<void>(game->connection().send(1, viewOf("bat")));
            game->play(1);
        }
        if (other) {
            game.reset();
            game = std::make_unique<Game>(recorder, names, "second", 2);
        }
        static_cast<void>(game->connection().send(1, viewOf("cat"))); // nobody tells it of this name
        game->play(10);
        history.follow(*reader); // what it had
        game->play(1);
        history.follow(*reader);
        const std::uint32_t id = game->connection().id();
        const MessageHandle next = game->connection().send(1, viewOf("cat")).handle;
        for (int i = 0; i < 20; ++i) { // within what it has room for
            game->play(1);
            history.follow(*reader);
        }
        const std::string session = other ? "second" : "first";
        QCOMPARE(history.peers().size(), std::size_t{2});
        QCOMPARE(history.peers()[0].name, session + " server");
        QCOMPARE(history.peers()[1].name, session + " client");
        QVERIFY(!history.peers()[0].gone && !history.peers()[1].gone);
        QCOMPARE(history.lanes().size(), std::size_t{2});
        QCOMPARE(history.lane(before, true) != nullptr, !other);
        const NetLane* const lane = history.lane(id, true);
        QVERIFY(lane != nullptr);
        QCOMPARE(lane->sender, 0);
        QCOMPARE(lane->receiver, 1);
        const NetMessage* const message = history.find({id, true, next.sequence});
        QVERIFY(message != nullptr);
        QCOMPARE(message->typeName, session + " message");
        QCOMPARE(message->entity, session + " cat");
        QVERIFY(message->executed != Never);
    }
    // The bytes of all packets are those on the wire, and what is in them adds up to no more.
    void bytesAreTheWires() {
        Recorded r({.latency = 20 * Millisecond, .jitter = 5 * Millisecond, .loss = 0.1});
        QVERIFY(r.server != nullptr);
        std::uint64_t wire = 0;
        r.world.runFor(500 * Millisecond);
        r.look();
        const Time since = r.world.network.now();
        r.world.network.setTap([&](Time, const Address& from, const Address&, ByteView datagram) {
            wire += from == serverAddress() ? datagram.size() : 0;
        });
        const std::vector<std::uint8_t> big(4000, 'd');
        for (int i = 0; i < 300; ++i) {
            static_cast<void>(r.server->send(1, viewOf("door"), {},
                                             {.copies = i % 3 == 0 ? std::uint8_t{2} : std::uint8_t{1}}));
            static_cast<void>(r.server->sendUnreliable(3, viewOf("bat flies"), {.latest = true, .key = 1}));
            if (i % 50 == 0)
                static_cast<void>(r.server->send(1, big));
            r.world.runFor(20 * Millisecond);
            r.drain();
            r.look();
        }
        r.look();
        std::uint64_t recorded = 0;
        std::size_t copies = 0;
        const NetLane* lane = r.history.lane(r.client->id(), true);
        for (const NetPacket& packet : lane->packets) {
            if (packet.sent < since)
                continue;
            recorded += packet.bytes;
            std::uint64_t items = 0;
            for (const NetPacketItem& item : packet.items) {
                items += item.bytes;
                copies += item.kind == MessageEvent::Kind::Copied ? 1U : 0U;
            }
            QVERIFY(items <= packet.bytes);
            QVERIFY(packet.bytes - items < 80); // header, tag, acknowledgement, control
        }
        QCOMPARE(recorded, wire);
        QVERIFY(copies > 50);
    }
    // Off, a host has nobody to tell; on again, a reader learns who is there and hears of what follows.
    void recordingGoesOffAndOn() {
        Recorded r({.latency = 10 * Millisecond}, false);
        QVERIFY(r.server != nullptr);
        static_cast<void>(r.server->send(1, viewOf("door")));
        r.world.runFor(100 * Millisecond);
        r.look();
        QVERIFY(r.history.lanes().empty());
        r.recorder.setEnabled(true);
        const MessageHandle handle = r.server->send(1, viewOf("door")).handle;
        r.world.runFor(100 * Millisecond);
        r.look();
        QVERIFY(r.message(handle.sequence) != nullptr);
        QVERIFY(r.message(handle.sequence - 1) == nullptr);
        // One that comes late.
        const auto late = r.recorder.addReader();
        NetHistory second;
        const MessageHandle next = r.server->send(2, viewOf("bat")).handle;
        r.world.runFor(100 * Millisecond);
        r.recorder.seal();
        second.follow(*late);
        QCOMPARE(second.peers().size(), std::size_t{2});
        const NetMessage* message = second.find({r.client->id(), true, next.sequence});
        QVERIFY(message != nullptr);
        QCOMPARE(message->typeName, std::string("Kill"));
        QVERIFY(message->knownExecuted != Never);
        // Off: the last that is heard is that everybody is gone.
        r.recorder.setEnabled(false);
        static_cast<void>(r.server->send(1, viewOf("door")));
        r.world.runFor(100 * Millisecond);
        r.recorder.seal();
        QCOMPARE(second.follow(*late), std::size_t{2});
        QVERIFY(second.peers()[0].gone && second.peers()[1].gone);
        // On again, in the same session: what comes is known by its names, and what was before is not mixed with it.
        r.recorder.setEnabled(true);
        const MessageHandle again = r.server->send(1, viewOf("door")).handle;
        r.world.runFor(100 * Millisecond);
        r.recorder.seal();
        second.follow(*late);
        QVERIFY(!second.peers()[0].gone && !second.peers()[1].gone);
        QVERIFY(second.find({r.client->id(), true, next.sequence}) == nullptr);
        message = second.find({r.client->id(), true, again.sequence});
        QVERIFY(message != nullptr);
        QCOMPARE(message->typeName, std::string("Spawn"));
        QCOMPARE(message->entity, std::string("door"));
    }
    // The session ends while nothing is recorded, and another begins, with connections of its own: they are not mixed up.
    void aSessionThatEndsUnrecordedIsOver() {
        NetRecorder recorder;
        recorder.setEnabled(true);
        const auto reader = recorder.addReader();
        NetHistory history;
        const auto play = [&](std::uint64_t seed, bool endsRecorded) {
            World world({}, {}, seed);
            Names names;
            NetRecorder::Tap server(recorder, *world.server, "server", &names);
            Host& host = world.addClient();
            NetRecorder::Tap client(recorder, host, "client 1", &names);
            host.connect(serverAddress());
            world.runFor(Second);
            recorder.seal();
            history.follow(*reader);
            recorder.setEnabled(endsRecorded);
        };
        play(1, false);
        QCOMPARE(history.lanes().size(), std::size_t{2});
        const std::uint32_t connection = history.lanes().begin()->first.first;
        recorder.setEnabled(true);
        play(2, true);
        QVERIFY(history.lane(connection, true) == nullptr);
        QCOMPARE(history.lanes().size(), std::size_t{2});
        QVERIFY(history.now() < 2 * Second);
    }
    // Room for half a minute is taken when something is recorded, not before.
    void switchedOffItTakesNoRoom() {
        World world;
        Names names;
        const std::size_t before = AllocatedBytes;
        NetRecorder recorder;
        const auto reader = recorder.addReader();
        NetRecorder::Tap server(recorder, *world.server, "server", &names);
        Host& host = world.addClient();
        NetRecorder::Tap client(recorder, host, "client 1", &names);
        host.connect(serverAddress());
        const auto play = [&] {
            for (int i = 0; i < 60; ++i) {
                world.runFor(Second / 60);
                recorder.seal();
            }
        };
        play();
        QVERIFY2(AllocatedBytes - before < KeptRecords::Room / 8,
                 qPrintable(QString::number(AllocatedBytes - before)));
        recorder.setEnabled(true);
        play();
        QVERIFY(AllocatedBytes - before >= KeptRecords::Room);
        NetHistory history;
        history.follow(*reader);
        QCOMPARE(history.peers().size(), std::size_t{2});
        QCOMPARE(history.peers()[1].name, std::string("client 1"));
    }
    // The datagrams before there is a connection, at both ends, in the order of their times; what a stranger sends too.
    void handshakesAreRecorded() {
        Recorded r;
        QVERIFY(r.server != nullptr);
        r.look();
        using Kind = HandshakeEvent::Kind;
        struct Step {
            Kind kind;
            bool sent;
            int peer; // 0: the server
            std::uint32_t bytes;
        };
        const std::vector<Step> steps{{Kind::Request, true, 1, 1200},  {Kind::Request, false, 0, 1200},
                                      {Kind::Challenge, true, 0, 58},  {Kind::Challenge, false, 1, 58},
                                      {Kind::Response, true, 1, 1200}, {Kind::Response, false, 0, 1200}};
        QCOMPARE(r.history.handshakes().size(), steps.size());
        const Time begin = r.history.handshakes().front().time;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const NetHandshake& one = r.history.handshakes()[i];
            QVERIFY(one.kind == steps[i].kind && one.sent == steps[i].sent);
            QCOMPARE(one.peer, steps[i].peer);
            QCOMPARE(one.bytes, steps[i].bytes);
            QCOMPARE(QString::fromStdString(one.address),
                     QString::fromStdString((one.peer == 0 ? clientAddress(0) : serverAddress()).toString()));
            QCOMPARE(one.time - begin, static_cast<Time>((i + 1) / 2) * 25 * Millisecond);
            QVERIFY(one.reason == CloseReason::None);
        }
        // A stranger's, and what is none.
        const std::array<std::uint8_t, 1200> junk{};
        r.world.network.inject(Address::v4(9, 9, 9, 9, 9), serverAddress(), junk);
        r.world.runFor(10 * Millisecond);
        r.look();
        QCOMPARE(r.history.handshakes().size(),
                 steps.size() + 2); // zeros are a request of no protocol, which is answered
        r.world.network.inject(Address::v4(9, 9, 9, 9, 9), serverAddress(), ByteView(junk).first(1199));
        r.world.runFor(10 * Millisecond);
        r.look();
        QCOMPARE(r.history.handshakes().size(), steps.size() + 2);
        QVERIFY(r.history.handshakes().back().kind == Kind::Challenge && r.history.handshakes().back().sent);
        const QJsonArray json = QJsonDocument::fromJson(QByteArray::fromStdString(toJson(r.history)))
                                    .object()
                                    .value(QLatin1String("handshakes"))
                                    .toArray();
        QCOMPARE(json.size(), static_cast<qsizetype>(r.history.handshakes().size()));
        QCOMPARE(json.at(2).toObject().value(QLatin1String("kind")).toString(), QStringLiteral("challenge"));
        QCOMPARE(json.at(2).toObject().value(QLatin1String("peer")).toString(), QStringLiteral("server"));
        // Half a minute later they are forgotten, as all else is.
        r.world.runFor(32 * Second);
        r.look();
        QVERIFY(r.history.handshakes().empty());
    }
    // A denial says why, at both ends. Anybody may knock: only the newest are kept.
    void denialsAndFloodsAreRecorded() {
        HostSettings full;
        full.maxConnections = 0;
        World world({.latency = 25 * Millisecond}, full);
        NetRecorder recorder;
        recorder.setEnabled(true);
        const auto reader = recorder.addReader();
        NetHistory history;
        Host& host = world.addClient();
        {
            NetRecorder::Tap serverTap(recorder, *world.server, "server", nullptr);
            NetRecorder::Tap clientTap(recorder, host, "client", nullptr);
            host.connect(serverAddress());
            world.runFor(200 * Millisecond);
            recorder.seal();
            history.follow(*reader);
            QCOMPARE(history.handshakes().size(), std::size_t{8});
            for (const std::size_t i : {std::size_t{6}, std::size_t{7}}) {
                QVERIFY(history.handshakes()[i].kind == HandshakeEvent::Kind::Deny);
                QVERIFY(history.handshakes()[i].reason == CloseReason::DeniedFull);
                QVERIFY(history.handshakes()[i].sent == (i == 6));
            }
            const std::array<std::uint8_t, 1200> zeros{};
            for (std::uint16_t i = 0; i < 3000; ++i) {
                world.network.inject(Address::v4(9, 9, 9, 9, i), serverAddress(), zeros);
            }
            world.runFor(10 * Millisecond);
            recorder.seal();
            history.follow(*reader);
            QCOMPARE(history.handshakes().size(), NetHistory::MaxHandshakes);
            QCOMPARE(QString::fromStdString(history.handshakes().back().address),
                     QStringLiteral("9.9.9.9:2999"));
        }
    }
    void theEndIsRecorded() {
        Recorded r;
        QVERIFY(r.server != nullptr);
        const std::uint32_t id = r.client->id();
        r.client->close();
        r.world.runFor(Second);
        r.look();
        const NetLane* lane = r.history.lane(id, false);
        QVERIFY(lane != nullptr);
        QVERIFY(lane->closed != Never);
        QVERIFY(lane->reason == CloseReason::Closed);
        r.clientTap.reset();
        r.look();
        QVERIFY(r.history.peers()[1].gone);
    }
    // With a reader that keeps up, a busy tick allocates nothing for being recorded.
    void recordingAllocatesNothing() {
        Recorded r({.latency = 20 * Millisecond, .loss = 0.05});
        QVERIFY(r.server != nullptr);
        std::uint64_t records = 0;
        const auto tick = [&](bool counted) {
            const MessageHandle first = r.server->send(1, viewOf("bat")).handle;
            static_cast<void>(r.server->send(2, viewOf("bat"), std::span(&first, 1)));
            static_cast<void>(r.server->sendUnreliable(3, viewOf("door"), {.latest = true, .key = 7}));
            r.world.runFor(Second / 60);
            r.drain();
            r.recorder.seal();
            records += r.reader->poll([&](const NetRecordView&) {}) * (counted ? 1U : 0U);
        };
        for (int i = 0; i < 6000; ++i)
            tick(false);
        const std::size_t before = Allocations;
        for (int i = 0; i < 600; ++i)
            tick(true);
        QCOMPARE(Allocations - before, std::size_t{0});
        QVERIFY(records > 600 * 10);
    }
    // What the world's trace calls a message, at either end: told with the message, and when it is dispatched.
    void recordsOfTheTraceAreNamed() {
        Recorded r;
        QVERIFY(r.server != nullptr);
        r.names.trace = 812;
        const MessageHandle first = r.server->send(1, viewOf("door")).handle;
        r.names.trace = 0;
        const MessageHandle second = r.client->send(2, viewOf("bat")).handle;
        r.world.runFor(100 * Millisecond);
        r.clientTap->dispatched(r.client->id(), first.sequence, 17);
        r.serverTap->dispatched(r.client->id(), second.sequence, 900);
        r.serverTap->dispatched(r.client->id(), second.sequence + 5, 901); // of none that is known
        r.look();
        QCOMPARE(r.message(first.sequence)->sentFrom, std::uint64_t{812});
        QCOMPARE(r.message(first.sequence)->dispatchedAs, std::uint64_t{17});
        QCOMPARE(r.message(second.sequence, false)->sentFrom, std::uint64_t{0});
        QCOMPARE(r.message(second.sequence, false)->dispatchedAs, std::uint64_t{900});
        QVERIFY(r.message(second.sequence + 5, false) == nullptr);
        const std::string json = toJson(r.history);
        QVERIFY(json.find("\"state\":\"executed\",\"trace\":812,") != std::string::npos);
        QVERIFY(json.find("\"state\":\"executed\",\"trace\":900,") != std::string::npos);
    }
    // What is kept tells the same as a reader heard, so long as all of it is kept.
    void whatIsKeptIsWhatWasRead() {
        Recorded r({.latency = 25 * Millisecond, .loss = 0.1});
        QVERIFY(r.server != nullptr);
        r.clientTap->linkChanged("loss=10%");
        for (int i = 0; i < 600; ++i) {
            static_cast<void>(
                r.server->send(static_cast<std::uint16_t>(1 + i % 2), viewOf(i % 3 == 0 ? "door" : "bat")));
            r.world.runFor(Second / 60);
            r.drain();
            r.look();
        }
        NetHistory kept;
        r.recorder.replay([&](const NetRecordView& record) { kept.add(record); });
        QVERIFY(kept.now() > 10 * Second);
        QCOMPARE(QString::fromStdString(toJson(kept)), QString::fromStdString(toJson(r.history)));
        // Another session: the clock begins anew, and so does what is kept.
        r.serverTap.reset();
        r.clientTap.reset();
        r.recorder.seal();
        NetRecorder::Tap other(r.recorder, *r.world.server, "other", &r.names);
        r.recorder.seal();
        NetHistory second;
        r.recorder.replay([&](const NetRecordView& record) { second.add(record); });
        QCOMPARE(second.peers().size(), std::size_t{1});
        QCOMPARE(second.peers()[0].name, std::string("other"));
    }
    // In little room, or after long: the newest records, all of them, after what peers and connections were before.
    void theOldestGoesAndWhatHoldsStays_data() {
        QTest::addColumn<int>("room");
        QTest::addColumn<int>("seconds");
        QTest::newRow("64 KiB") << 64 << 20;
        QTest::newRow("1 KiB, less than some ticks") << 1 << 5;
        QTest::newRow("half a minute") << 32 * 1024 << 75;
    }
    void theOldestGoesAndWhatHoldsStays() {
        QFETCH(int, room);
        QFETCH(int, seconds);
        World world({.latency = 20 * Millisecond});
        NetRecorder recorder(static_cast<std::size_t>(room) * 1024);
        recorder.setEnabled(true);
        const auto reader = recorder.addReader();
        Names names;
        NetRecorder::Tap serverTap(recorder, *world.server, "server", &names);
        Host& stays = world.addClient();
        Host& leaves = world.addClient();
        NetRecorder::Tap staysTap(recorder, stays, "stays", &names, "1.2.3.4:5");
        auto leavesTap = std::make_unique<NetRecorder::Tap>(recorder, leaves, "leaves", &names);
        stays.connect(serverAddress());
        leaves.connect(serverAddress());
        staysTap.linkChanged("loss=1%");
        const auto bytesOf = [](const NetRecordView& record) {
            return std::string(reinterpret_cast<const char*>(record.header), record.size());
        };
        std::vector<std::string> read;
        std::vector<Time> times;
        for (int i = 0; i < seconds * 60; ++i) {
            if (i == 60)
                leaves.forEach([](Connection& connection) { connection.close(); });
            if (i == 180)
                leavesTap.reset();
            world.server->forEach(
                [&](Connection& connection) { static_cast<void>(connection.send(1, viewOf("door"))); });
            world.runFor(Second / 60);
            ReceivedMessage delivery;
            stays.forEach([&](Connection& connection) {
                while (connection.next(delivery))
                    delivery = {};
            });
            leaves.forEach([&](Connection& connection) {
                while (connection.next(delivery))
                    delivery = {};
            });
            staysTap.ticked(static_cast<std::uint64_t>(i) + 1);
            recorder.seal();
            reader->poll([&](const NetRecordView& record) {
                read.push_back(bytesOf(record));
                times.push_back(record->time);
            });
        }
        std::vector<std::string> kept;
        NetHistory history;
        std::size_t bytes = 0;
        recorder.replay([&](const NetRecordView& record) {
            history.add(record);
            if (record->kind == NetRecordKind::Name)
                return;
            kept.push_back(bytesOf(record));
        });
        // A suffix of what was read, after the few that hold still.
        std::erase_if(read, [](const std::string& record) {
            return reinterpret_cast<const NetRecordHeader*>(record.data())->kind == NetRecordKind::Name;
        });
        std::size_t same = 0;
        while (same < kept.size() && same < read.size()
               && kept[kept.size() - 1 - same] == read[read.size() - 1 - same])
            bytes += kept[kept.size() - 1 - same++].size();
        QVERIFY2(kept.size() - same <= 8, qPrintable(QString::number(kept.size() - same)));
        if (room == 64)
            QVERIFY(bytes > 48 * 1024 && bytes <= 64 * 1024);
        if (room > 1024) {
            const Time oldest =
                reinterpret_cast<const NetRecordHeader*>(kept[kept.size() - same].data())->time;
            QVERIFY(oldest >= history.now() - KeptRecords::Span
                    && oldest <= history.now() - KeptRecords::Span + Second / 30);
        }
        QCOMPARE(history.peers().size(), std::size_t{3});
        QCOMPARE(history.peers()[1].name, std::string("stays"));
        QCOMPARE(history.peers()[1].link, std::string("loss=1%"));
        QVERIFY(!history.peers()[1].gone);
        QCOMPARE(history.peers()[2].gone, true);
        for (const auto& [key, lane] : history.lanes()) {
            QVERIFY(lane.closed == Never);
            QCOMPARE(lane.sender, lane.toClient ? 0 : 1);
            QCOMPARE(lane.receiver, lane.toClient ? 1 : 0);
        }
        QCOMPARE(history.lanes().size(), std::size_t{2});
    }
    // One thread writes, another reads all of it, in order, while a third reader sleeps and is told what it missed.
    void readersLiveOnOtherThreads() {
        World world({.latency = Millisecond});
        NetRecorder recorder;
        recorder.setEnabled(true);
        Names names;
        NetRecorder::Tap tap(recorder, *world.server, "server", &names);
        const auto reader = recorder.addReader();
        const auto sleeper = recorder.addReader(4096);
        constexpr std::uint64_t Ticks = 20'000;
        std::atomic<bool> ordered{true};
        std::atomic<std::uint64_t> seen{0};
        std::thread other([&] {
            while (seen.load() < Ticks && ordered.load()) {
                reader->poll([&](const NetRecordView& record) {
                    if (record->kind == NetRecordKind::Tick && record->number != ++seen)
                        ordered.store(false);
                });
                std::this_thread::yield();
            }
        });
        for (std::uint64_t i = 1; i <= Ticks; ++i) {
            tap.ticked(i);
            recorder.seal();
            while (i - seen.load() > 2000 && ordered.load()) // it has room for some thousand seals
                std::this_thread::yield();
        }
        other.join();
        QVERIFY(ordered.load());
        QCOMPARE(reader->missed(), std::uint64_t{0});
        QVERIFY(sleeper->missed() > Ticks / 2);
    }
    void jsonIsWellFormedAndComplete() {
        Recorded r({.latency = 25 * Millisecond, .loss = 0.2});
        QVERIFY(r.server != nullptr);
        MessageHandle last;
        for (int i = 0; i < 60; ++i) {
            last =
                r.server
                    ->send(i % 2 == 0 ? 1 : 2, viewOf("bat"),
                           last ? std::span<const MessageHandle>(&last, 1) : std::span<const MessageHandle>())
                    .handle;
            r.world.runFor(10 * Millisecond);
            r.drain();
        }
        r.clientTap->linkChanged("loss=20%");
        r.world.runFor(2 * Second);
        r.look();
        const std::string text = toJson(r.history);
        QJsonParseError error{};
        const QJsonObject root = QJsonDocument::fromJson(QByteArray::fromStdString(text), &error).object();
        QCOMPARE(error.error, QJsonParseError::NoError);
        QCOMPARE(root.value(QLatin1String("peers")).toArray().size(), 2);
        QCOMPARE(root.value(QLatin1String("peers"))
                     .toArray()
                     .at(1)
                     .toObject()
                     .value(QLatin1String("link"))
                     .toString(),
                 QStringLiteral("loss=20%"));
        int messages = 0;
        int waited = 0;
        for (const QJsonValue& lane : root.value(QLatin1String("lanes")).toArray())
            for (const QJsonValue& value : lane.toObject().value(QLatin1String("messages")).toArray()) {
                const QJsonObject message = value.toObject();
                ++messages;
                waited += message.contains(QLatin1String("why")) ? 1 : 0;
                QCOMPARE(message.value(QLatin1String("sender"))
                             .toObject()
                             .value(QLatin1String("state"))
                             .toString(),
                         QStringLiteral("executed"));
                QCOMPARE(message.value(QLatin1String("receiver"))
                             .toObject()
                             .value(QLatin1String("state"))
                             .toString(),
                         QStringLiteral("executed"));
            }
        QCOMPARE(messages, 60);
        QVERIFY(waited > 3);
    }
};

QTEST_GUILESS_MAIN(TestRecorder)
#include "tst_recorder.moc"
