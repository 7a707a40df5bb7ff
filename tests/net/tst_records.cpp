#include <QtTest>

#include "engine/net/net_recorder.h"
#include "tests/net/numbered.h"
#include "tests/net/record_checker.h"
#include "tests/net/world.h"

// What a recorder wrote of a session is judged message by message, packet by packet; and the judge finds what is false in it.

using namespace sbx;
using namespace sbx::net;

namespace {

// Copies of records, to be changed.
class Tape {
public:
    void add(const NetRecordView& record) {
        std::vector<std::uint64_t> words(record.size() / sizeof(std::uint64_t));
        std::memcpy(words.data(), record.header, record.size());
        records.push_back(std::move(words));
    }
    [[nodiscard]] static NetRecordView view(const std::vector<std::uint64_t>& words) {
        return {reinterpret_cast<const NetRecordHeader*>(words.data())};
    }
    [[nodiscard]] RecordChecker judged() const {
        RecordChecker checker;
        for (const auto& words : records)
            checker.take(view(words));
        return checker;
    }
    // The first such record with `least` needs or more, from `from` on.
    [[nodiscard]] std::ptrdiff_t find(NetRecordKind kind, std::uint8_t event, std::size_t least = 0,
                                      std::size_t from = 0) const {
        for (std::size_t i = from; i < records.size(); ++i) {
            const NetRecordView one = view(records[i]);
            if (one->kind == kind && one->event == event && one.needs().size() >= least)
                return static_cast<std::ptrdiff_t>(i);
        }
        return -1;
    }
    // Of the same message or packet, another event.
    [[nodiscard]] std::ptrdiff_t sameAs(std::ptrdiff_t which, std::uint8_t event,
                                        std::uint64_t number) const {
        const NetRecordView first = view(records[static_cast<std::size_t>(which)]);
        for (std::size_t i = 0; i < records.size(); ++i) {
            const NetRecordView one = view(records[i]);
            if (one->kind == first->kind && one->event == event && one->number == number
                && one->connection == first->connection
                && (one->peer == first->peer) == sameEnd(first->kind, first->event, event))
                return static_cast<std::ptrdiff_t>(i);
        }
        return -1;
    }
    std::vector<std::vector<std::uint64_t>> records;

private:
    static bool sameEnd(NetRecordKind kind, std::uint8_t a, std::uint8_t b) {
        const auto receiver = [kind](std::uint8_t event) {
            return kind == NetRecordKind::Message
                       ? atReceiver(static_cast<MessageEvent::Kind>(event))
                       : static_cast<PacketEvent::Kind>(event) == PacketEvent::Kind::Received;
        };
        return receiver(a) == receiver(b);
    }
};

// Two clients and a server that say all there is to say, over a bad path.
Tape session() {
    Tape tape;
    World world({.latency = 25 * Millisecond,
                 .jitter = 20 * Millisecond,
                 .loss = 0.15,
                 .duplicate = 0.05,
                 .corrupt = 0.01});
    NetRecorder recorder;
    recorder.setEnabled(true);
    const auto reader = recorder.addReader();
    std::vector<std::unique_ptr<NetRecorder::Tap>> taps;
    taps.push_back(std::make_unique<NetRecorder::Tap>(recorder, *world.server, "server", nullptr));
    for (int i = 0; i < 2; ++i) {
        Host& host = world.addClient();
        taps.push_back(std::make_unique<NetRecorder::Tap>(recorder, host, "client", nullptr));
        host.connect(serverAddress());
    }
    Random random(31);
    std::map<const Connection*, std::vector<MessageHandle>> handles;
    const std::vector<std::uint8_t> body(4000, 7);
    const auto talk = [&](Connection& c) {
        ReceivedMessage delivery;
        while (c.next(delivery)) {}
        if (c.state() != Connection::State::Connected)
            return;
        std::vector<MessageHandle>& said = handles[&c];
        for (std::uint32_t n = random.below(4); n > 0; --n) {
            std::vector<MessageHandle> needs;
            for (std::uint32_t d = random.below(5); d > 0 && !said.empty(); --d)
                needs.push_back(said[said.size() - 1
                                     - random.below(std::min<std::uint32_t>(
                                         12, static_cast<std::uint32_t>(said.size())))]);
            const std::size_t size = random.below(30) == 0 ? 1000 + random.below(3000) : random.below(100);
            const auto sent = c.send(static_cast<std::uint16_t>(random.below(9)), ByteView(body).first(size),
                                     needs, {.copies = static_cast<std::uint8_t>(1 + random.below(2))});
            if (sent.status == SendStatus::Sent)
                said.push_back(sent.handle);
        }
        static_cast<void>(
            c.sendUnreliable(10, ByteView(body).first(20), {.latest = true, .key = random.below(4)}));
        if (!said.empty())
            static_cast<void>(c.sendUnreliable(11, ByteView(body).first(5), {.after = said.back()}));
    };
    const auto poll = [&] {
        recorder.seal();
        reader->poll([&](const NetRecordView& record) { tape.add(record); });
    };
    for (int step = 0; step < 400; ++step) {
        world.server->forEach(talk);
        for (const auto& client : world.clients)
            client->forEach(talk);
        world.runFor(16 * Millisecond);
        poll();
    }
    for (int step = 0; step < 200; ++step) {
        world.runFor(50 * Millisecond);
        for (Host* host : {world.server.get(), world.clients[0].get(), world.clients[1].get()})
            host->forEach([](Connection& c) {
                ReceivedMessage delivery;
                while (c.next(delivery)) {}
            });
        poll();
    }
    return tape;
}

constexpr std::uint8_t eventOf(MessageEvent::Kind kind) { return static_cast<std::uint8_t>(kind); }
constexpr std::uint8_t eventOf(PacketEvent::Kind kind) { return static_cast<std::uint8_t>(kind); }

} // namespace

class TestRecords : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_tape = session(); }

    void aBadPathsRecordIsSound() {
        const RecordChecker checker = m_tape.judged();
        QVERIFY2(checker.faults.empty(), checker.faults.empty() ? "" : checker.faults[0].c_str());
        QVERIFY2(checker.executed() > 2000 && checker.packets() > 2000,
                 qPrintable(QString::number(checker.executed())));
        QCOMPARE(checker.outstanding(), std::size_t{0});
    }
    // Of one end alone: no fault is invented.
    void oneEndsRecordIsSound_data() {
        QTest::addColumn<int>("peer");
        for (const int peer : {0, 1, 2})
            QTest::addRow("%d", peer) << peer;
    }
    void oneEndsRecordIsSound() {
        QFETCH(int, peer);
        RecordChecker checker;
        const int first =
            Tape::view(m_tape.records[static_cast<std::size_t>(m_tape.find(NetRecordKind::Peer, 0))])->peer;
        for (const auto& words : m_tape.records)
            if (Tape::view(words)->peer == first + peer)
                checker.take(Tape::view(words));
        QVERIFY2(checker.faults.empty(), checker.faults.empty() ? "" : checker.faults[0].c_str());
        QVERIFY(checker.executed() > 500);
    }

    void whatIsFalseIsFound_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("says");
        int which = 0;
        for (const char* says : {"executed twice", "executed before it came", "executed before what it needs",
                                 "believed executed", "acknowledged before it came", "came as something else",
                                 "a packet's number was used before", "received twice",
                                 "a packet acknowledged that did not come", "a number was left out"})
            QTest::newRow(says) << which++ << QString::fromLatin1(says);
    }
    void whatIsFalseIsFound() {
        using Kind = MessageEvent::Kind;
        QFETCH(int, which);
        QFETCH(QString, says);
        Tape tape = m_tape;
        const auto message = [&](Kind kind, std::size_t needs = 0) {
            return tape.find(NetRecordKind::Message, eventOf(kind), needs, tape.records.size() / 4);
        };
        const auto number = [&](std::ptrdiff_t at) {
            return Tape::view(tape.records[static_cast<std::size_t>(at)])->number;
        };
        const auto header = [&](std::ptrdiff_t at) {
            return reinterpret_cast<NetRecordHeader*>(tape.records[static_cast<std::size_t>(at)].data());
        };
        const auto take = [&](std::ptrdiff_t at) {
            QVERIFY(at >= 0);
            tape.records.erase(tape.records.begin() + at);
        };
        const auto again = [&](std::ptrdiff_t at) {
            QVERIFY(at >= 0);
            auto copy = tape.records[static_cast<std::size_t>(at)];
            tape.records.insert(tape.records.begin() + at, std::move(copy));
        };
        switch (which) {
        case 0:
            again(message(Kind::Executed));
            break;
        case 1:
            take(message(Kind::Arrived));
            break;
        case 2: { // what is needed is executed at the end of all
            const std::ptrdiff_t waiting = message(Kind::Waiting, 1);
            QVERIFY(waiting >= 0);
            const std::uint64_t need = Tape::view(tape.records[static_cast<std::size_t>(waiting)]).needs()[0];
            const std::ptrdiff_t at = tape.sameAs(waiting, eventOf(Kind::Executed), need);
            QVERIFY(at >= 0);
            auto late = tape.records[static_cast<std::size_t>(at)];
            take(at);
            tape.records.push_back(std::move(late));
            break;
        }
        case 3:
            take(message(Kind::Executed));
            break;
        case 4: {
            const std::ptrdiff_t acknowledged = message(Kind::Acknowledged);
            take(tape.sameAs(acknowledged, eventOf(Kind::Arrived), number(acknowledged)));
            break;
        }
        case 5:
            header(message(Kind::Arrived))->bytes += 1;
            break;
        case 6:
            again(tape.find(NetRecordKind::Packet, eventOf(PacketEvent::Kind::Sent), 0, 500));
            break;
        case 7:
            again(tape.find(NetRecordKind::Packet, eventOf(PacketEvent::Kind::Received), 0, 500));
            break;
        case 8: {
            const std::ptrdiff_t at =
                tape.find(NetRecordKind::Packet, eventOf(PacketEvent::Kind::Acknowledged), 0, 500);
            take(tape.sameAs(at, eventOf(PacketEvent::Kind::Received), number(at)));
            break;
        }
        default:
            take(message(Kind::Queued));
        }
        const RecordChecker checker = tape.judged();
        QVERIFY2(std::any_of(checker.faults.begin(), checker.faults.end(),
                             [&](const std::string& fault) { return fault.starts_with(says.toStdString()); }),
                 checker.faults.empty() ? "nothing" : checker.faults[0].c_str());
    }

private:
    Tape m_tape;
};

QTEST_GUILESS_MAIN(TestRecords)
#include "tst_records.moc"
