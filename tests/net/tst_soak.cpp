#include <QtTest>

#include "tests/net/pair.h"

// C-1 of the network's design: an hour of virtual time under every profile. Quiet and busy minutes take turns, the busy ones like a
// game or at full blast, so that keepalives, estimators and congestion control see changes too. Every guaranteed message is executed
// once, after all that it names, with its bytes as they were; in the end both graphs are empty.

using namespace sbx;
using namespace sbx::net;

namespace {

std::uint32_t checksum(ByteView bytes) {
    std::uint32_t hash = 2166136261U;
    for (const std::uint8_t byte : bytes) {
        hash = (hash ^ byte) * 16777619U;
    }
    return hash;
}

class Traffic {
public:
    Traffic(Pair& pair, std::uint64_t seed) : m_pair(pair), m_random(seed) { m_body.resize(8192); }

    void send() {
        // Number, checksum of the rest, count of needs, the needs, filler.
        const auto number = static_cast<std::uint32_t>(m_executed.size());
        std::array<MessageHandle, 3> handles;
        std::array<std::uint32_t, 3> needs{};
        std::uint32_t count = std::min<std::uint32_t>(m_random.below(4), static_cast<std::uint32_t>(m_recent.size()));
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto& [needed, handle] = m_recent[m_random.below(static_cast<std::uint32_t>(m_recent.size()))];
            needs[i] = needed;
            handles[i] = handle;
        }
        const std::size_t size = m_random.below(300) == 0 ? 1000 + m_random.below(7000) : 24 + m_random.below(100);
        ByteWriter out(std::span<std::uint8_t>(m_body.data(), size));
        out.u32(number);
        out.u32(0);
        out.u8(static_cast<std::uint8_t>(count));
        for (std::uint32_t i = 0; i < count; ++i) {
            out.u32(needs[i]);
        }
        for (std::size_t i = out.size(); i < size; ++i) {
            m_body[i] = static_cast<std::uint8_t>(number + i);
        }
        const std::uint32_t hash = checksum(std::span(m_body).subspan(8, size - 8));
        std::memcpy(m_body.data() + 4, &hash, sizeof hash);
        MessageClass how;
        how.priority = static_cast<MessageClass::Priority>(m_random.below(3));
        how.copies = m_random.below(20) == 0 ? 2 : 1;
        const auto sent = m_pair.a.send(1, ByteView(m_body).first(size), std::span(handles).first(count), how, m_pair.now);
        if (sent.status != SendStatus::Sent) {
            faults += sent.status == SendStatus::WouldBlock ? 0U : 1U;
            return;
        }
        m_executed.push_back(false);
        if (m_recent.size() < 30) {
            m_recent.emplace_back(number, sent.handle);
        } else {
            m_recent[number % 30] = {number, sent.handle};
        }
        bytes += size;
    }
    void take() {
        while (m_pair.b.next(m_delivery)) {
            if (!m_delivery.guaranteed) {
                continue;
            }
            ByteReader in(m_delivery.body.bytes());
            const std::uint32_t number = in.u32();
            const std::uint32_t hash = in.u32();
            if (number >= m_executed.size() || m_executed[number] || hash != checksum(m_delivery.body.bytes().subspan(8))) {
                ++faults;
                continue;
            }
            for (std::uint32_t count = in.u8(); count > 0; --count) {
                const std::uint32_t needed = in.u32();
                faults += needed < number && m_executed[needed] ? 0U : 1U;
            }
            m_executed[number] = true;
            ++executed;
        }
    }
    void letGo() { m_delivery = {}; }
    [[nodiscard]] std::uint64_t sent() const { return m_executed.size(); }

    std::uint64_t executed = 0;
    std::uint64_t faults = 0;
    std::uint64_t bytes = 0;

private:
    Pair& m_pair;
    Random m_random;
    std::vector<std::uint8_t> m_body;
    std::vector<bool> m_executed;
    std::vector<std::pair<std::uint32_t, MessageHandle>> m_recent;
    Delivery m_delivery;
};

} // namespace

class TestSoak : public QObject {
    Q_OBJECT
private slots:
    void anHour_data() {
        QTest::addColumn<QString>("link");
        QTest::newRow("clean") << "latency=5ms";
        QTest::newRow("1 percent") << "latency=25ms loss=1% reorder=1%";
        QTest::newRow("5 percent") << "latency=50ms loss=5% reorder=2% reorder-by=50ms";
        QTest::newRow("10 percent") << "latency=50ms loss=10% reorder=2% reorder-by=50ms";
        QTest::newRow("20 percent") << "latency=100ms loss=20% reorder=4% reorder-by=50ms";
        QTest::newRow("wireless") << "latency=5ms loss=2% reorder=2% reorder-by=1ms jitter=3ms";
        QTest::newRow("all reordered") << "latency=50ms reorder=30% reorder-by=40ms";
        QTest::newRow("bursts") << "latency=25ms loss=5% burst=5";
        QTest::newRow("half of acknowledgements lost") << "latency=25ms down.loss=50%";
        QTest::newRow("narrow and deep") << "latency=20ms rate=512kbit queue=300ms";
        QTest::newRow("doubled and late") << "latency=10ms duplicate=25% jitter=100ms loss=3%";
        QTest::newRow("blackouts") << "latency=30ms loss=2%";
    }
    void anHour() {
        QFETCH(QString, link);
        const auto profile = parseLink(link.toStdString());
        QVERIFY(profile.ok());
        Pair pair(pairSettings(*profile));
        Traffic traffic(pair, 99);
        Random random(3);
        const bool dark = QByteArray(QTest::currentDataTag()) == "blackouts";
        std::size_t memory = 0;
        for (int tick = 0; tick < 3600 * 60; ++tick) {
            const int minute = tick / 3600;
            if (tick % 3600 == 1800 && dark) {
                // One to five seconds, each minute.
                for (LinkDirection* direction : {&pair.forward, &pair.backward}) {
                    LinkSettings one = direction->settings();
                    one.blackoutFrom = pair.now;
                    one.blackoutUntil = pair.now + (1 + minute % 5) * Second;
                    direction->setSettings(one);
                }
            }
            if (minute % 10 == 9) {
                for (int n = 0; n < 30; ++n) { // a blast: as much as goes in
                    traffic.send();
                }
            } else if (minute % 3 != 2) {
                for (std::uint32_t n = random.below(4); n > 0; --n) {
                    traffic.send();
                }
                pair.a.sendUnreliable(2, std::array<std::uint8_t, 40>{}, {.latest = true, .key = random.below(64)}, pair.now);
                pair.b.sendUnreliable(3, std::array<std::uint8_t, 12>{}, {}, pair.now);
            } else if (tick % 120 == 0) {
                pair.a.ping(); // as connections do when they are quiet
                pair.b.ping();
            }
            pair.run(pair.now + Second / 60);
            traffic.take();
            Delivery answer;
            while (pair.a.next(answer)) {}
            if (traffic.faults > 0 || pair.closedA != CloseReason::None || pair.closedB != CloseReason::None) {
                break;
            }
            if (minute == 20) {
                memory = std::max(memory, pair.a.memory() + pair.b.memory());
            }
        }
        QCOMPARE(static_cast<int>(pair.closedA), 0);
        QCOMPARE(static_cast<int>(pair.closedB), 0);
        QCOMPARE(traffic.faults, std::uint64_t{0});
        QVERIFY(pair.drain(60 * Second));
        pair.run(pair.now + Second);
        traffic.take();
        traffic.letGo();
        QCOMPARE(traffic.executed, traffic.sent());
        QCOMPARE(pair.a.sendGraph().floor(), pair.a.sendGraph().next());
        QCOMPARE(pair.b.receiveGraph().floor(), pair.a.sendGraph().next());
        QCOMPARE(pair.a.sendGraph().pendingBytes(), std::uint64_t{0});
        QCOMPARE(pair.a.sendGraph().pendingEdges() + pair.b.receiveGraph().pendingEdges(), 0U);
        QVERIFY(pair.a.memory() + pair.b.memory() <= memory + memory / 2);
        qInfo("%llu messages, %llu MB, %llu packets, %.2f %% lost", static_cast<unsigned long long>(traffic.sent()),
              static_cast<unsigned long long>(traffic.bytes >> 20U),
              static_cast<unsigned long long>(pair.a.counters().packetsSent),
              100.0 * static_cast<double>(pair.a.counters().packetsLost) / static_cast<double>(pair.a.counters().packetsSent));
        QVERIFY(traffic.sent() > 200'000);
    }
};

QTEST_GUILESS_MAIN(TestSoak)
#include "tst_soak.moc"
