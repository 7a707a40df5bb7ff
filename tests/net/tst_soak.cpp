#include <QtTest>

#include "tests/net/pair.h"
#include "tests/net/world.h"

// An hour of virtual time under every profile, both ways at once, between two channels and between hosts;
// between channels on until SBX_SOAK_MESSAGES (ten million, where it is not set) have come. Quiet and busy minutes take turns, the
// busy ones like a game or at full blast, so that keepalives, estimators and congestion control see changes too. Every guaranteed
// message is executed once, after all that it names, with its bytes as they were; in the end both graphs of both ends are empty.

using namespace sbx;
using namespace sbx::net;

namespace {

// FNV-1a over words of eight bytes, the last filled with zeros: bodies that differ in one word differ here.
std::uint32_t checksum(ByteView bytes) {
    std::uint64_t hash = 14695981039346656037ULL ^ bytes.size();
    std::uint64_t word = 0;
    for (; bytes.size() >= sizeof word; bytes = bytes.subspan(sizeof word)) {
        std::memcpy(&word, bytes.data(), sizeof word);
        hash = (hash ^ word) * 1099511628211ULL;
        hash ^= hash >> 32U;
    }
    word = 0;
    std::memcpy(&word, bytes.data(), bytes.size());
    hash = (hash ^ word) * 1099511628211ULL;
    return static_cast<std::uint32_t>(hash >> 32U) ^ static_cast<std::uint32_t>(hash);
}

std::uint64_t leastMessages(std::uint64_t otherwise) {
    const QByteArray asked = qgetenv("SBX_SOAK_MESSAGES");
    return asked.isEmpty() ? otherwise : asked.toULongLong();
}

// Bytes of the bodies.
struct Sizes {
    std::uint32_t least = 24;
    std::uint32_t span = 100;       // so many sizes from there on
    std::uint32_t largeOneIn = 300; // and one in so many is of 1000 bytes and more
    std::uint32_t largeSpan = 7000;
};

class Traffic {
public:
    Traffic(const Time& now, Channel& from, Channel& to, std::uint64_t seed, const Sizes& sizes = {})
        : m_now(now), m_from(from), m_to(to), m_sizes(sizes), m_random(seed) {
        m_body.resize(8192);
    }

    // False where no more goes in for now.
    bool send() {
        // Number, checksum of the rest, count of needs, the needs, filler.
        const auto number = static_cast<std::uint32_t>(m_executed.size());
        std::array<MessageHandle, 3> handles;
        std::array<std::uint32_t, 3> needs{};
        std::uint32_t count =
            std::min<std::uint32_t>(m_random.below(4), static_cast<std::uint32_t>(m_recent.size()));
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto& [needed, handle] =
                m_recent[m_random.below(static_cast<std::uint32_t>(m_recent.size()))];
            needs[i] = needed;
            handles[i] = handle;
        }
        const std::size_t size = m_random.below(m_sizes.largeOneIn) == 0
                                     ? 1000 + m_random.below(m_sizes.largeSpan)
                                     : m_sizes.least + m_random.below(m_sizes.span);
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
        const auto sent =
            m_from.send(1, ByteView(m_body).first(size), std::span(handles).first(count), how, m_now);
        if (sent.status != SendStatus::Sent) {
            faults += sent.status == SendStatus::WouldBlock ? 0U : 1U;
            return false;
        }
        m_executed.push_back(false);
        if (m_recent.size() < 30) {
            m_recent.emplace_back(number, sent.handle);
        } else {
            m_recent[number % 30] = {number, sent.handle};
        }
        bytes += size;
        return true;
    }
    void take() {
        while (m_to.next(m_delivery)) {
            if (!m_delivery.guaranteed) {
                continue;
            }
            ByteReader in(m_delivery.body.bytes());
            const std::uint32_t number = in.u32();
            const std::uint32_t hash = in.u32();
            if (number >= m_executed.size() || m_executed[number]
                || hash != checksum(m_delivery.body.bytes().subspan(8))) {
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
    const Time& m_now;
    Channel& m_from;
    Channel& m_to;
    Sizes m_sizes;
    Random m_random;
    std::vector<std::uint8_t> m_body;
    std::vector<bool> m_executed;
    std::vector<std::pair<std::uint32_t, MessageHandle>> m_recent;
    ReceivedMessage m_delivery;
};

} // namespace

class TestSoak : public QObject {
    Q_OBJECT
    // After all that was sent has been executed: nothing is missing, nothing is held.
    static void endsEmpty(Pair& pair, Traffic& up, Traffic& down) {
        QVERIFY(pair.drain(60 * Second));
        pair.run(pair.now + Second);
        for (Traffic* traffic : {&up, &down}) {
            traffic->take();
            traffic->letGo();
            QCOMPARE(traffic->executed, traffic->sent());
        }
        QCOMPARE(up.faults + down.faults, std::uint64_t{0});
        for (const auto& [from, to] : {std::pair{&pair.a, &pair.b}, std::pair{&pair.b, &pair.a}}) {
            QCOMPARE(from->sendGraph().floor(), from->sendGraph().next());
            QCOMPARE(to->receiveGraph().floor(), from->sendGraph().next());
            QCOMPARE(from->sendGraph().pendingBytes(), std::uint64_t{0});
            QCOMPARE(from->sendGraph().pendingEdges() + to->receiveGraph().pendingEdges(), 0U);
        }
    }
    static double lostPercent(const Pair& pair) {
        return 100.0 * static_cast<double>(pair.a.counters().packetsLost)
               / static_cast<double>(pair.a.counters().packetsSent);
    }
    static void profiles() {
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
private slots:
    void anHour_data() { profiles(); }
    void anHour() {
        QFETCH(QString, link);
        const auto profile = parseLink(link.toStdString());
        QVERIFY(profile.ok());
        Pair pair(pairSettings(*profile));
        Traffic up(pair.now, pair.a, pair.b, 99);
        Traffic down(pair.now, pair.b, pair.a, 98);
        Random random(3);
        const bool dark = QByteArray(QTest::currentDataTag()) == "blackouts";
        const std::uint64_t least = leastMessages(10'000'000);
        constexpr int Hour = 3600 * 60;
        std::array<std::size_t, 2> peaks{}; // of both ends, in the first half hour and since
        int tick = 0;
        const auto ended = [&] {
            return up.faults + down.faults > 0 || pair.closedA != CloseReason::None
                   || pair.closedB != CloseReason::None;
        };
        for (; (tick < Hour || up.executed + down.executed < least) && tick < 24 * Hour && !ended(); ++tick) {
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
                    up.send();
                    down.send();
                }
            } else if (minute % 3 != 2) {
                for (std::uint32_t n = random.below(4); n > 0; --n) {
                    up.send();
                    down.send();
                }
                pair.a.sendUnreliable(2, std::array<std::uint8_t, 40>{},
                                      {.latest = true, .key = random.below(64)}, pair.now);
                pair.b.sendUnreliable(3, std::array<std::uint8_t, 12>{}, {}, pair.now);
            } else if (tick % 120 == 0) {
                pair.a.ping(); // as connections do when they are quiet
                pair.b.ping();
            }
            pair.run(pair.now + Second / 60);
            up.take();
            down.take();
            // Twice a second is often enough for a peak: nothing shrinks in between.
            if (tick % 30 == 0) {
                std::size_t& peak = peaks[tick < Hour / 2 ? 0 : 1];
                peak = std::max(peak, pair.a.memory() + pair.b.memory());
            }
        }
        QCOMPARE(static_cast<int>(pair.closedA), 0);
        QCOMPARE(static_cast<int>(pair.closedB), 0);
        QCOMPARE(up.faults + down.faults, std::uint64_t{0});
        endsEmpty(pair, up, down);
        if (QTest::currentTestFailed()) {
            return;
        }
        qInfo("%llu messages in %.2f hours, %llu MB, %llu packets, %.2f %% lost, %zu then %zu KB at most",
              static_cast<unsigned long long>(up.sent() + down.sent()), tick / static_cast<double>(Hour),
              static_cast<unsigned long long>((up.bytes + down.bytes) >> 20U),
              static_cast<unsigned long long>(pair.a.counters().packetsSent + pair.b.counters().packetsSent),
              lostPercent(pair), peaks[0] / 1024, peaks[1] / 1024);
        QVERIFY2(peaks[1] <= peaks[0] + peaks[0] / 2, qPrintable(QString::number(peaks[1])));
        QVERIFY(up.sent() + down.sent() >= least);
    }

    // The same profiles at full blast, so that many messages share a packet and a thousand million of them can be had: small messages, as
    // many as go in sixty times a second, through the largest window one way and the usual one the other, until SBX_SOAK_MESSAGES (ten
    // million, where it is not set) have come. Every half minute all of it drains, and after a pause begins anew.
    void asManyAsGoIn_data() { profiles(); }
    void asManyAsGoIn() {
        QFETCH(QString, link);
        const auto profile = parseLink(link.toStdString());
        QVERIFY(profile.ok());
        PairSettings settings = pairSettings(*profile);
        settings.b.own.window = settings.a.peer.window = 8192;
        settings.a.timeout = settings.b.timeout =
            30 * Second; // a window of large messages through the narrow path
        Pair pair(settings);
        constexpr Sizes Small{.least = 24, .span = 24, .largeOneIn = 2000, .largeSpan = 3000};
        Traffic up(pair.now, pair.a, pair.b, 97, Small);
        Traffic down(pair.now, pair.b, pair.a, 96, Small);
        const bool dark = QByteArray(QTest::currentDataTag()) == "blackouts";
        const std::uint64_t least = leastMessages(10'000'000);
        const auto going = [&] {
            return up.faults + down.faults == 0 && pair.closedA == CloseReason::None
                   && pair.closedB == CloseReason::None;
        };
        for (int tick = 0; up.executed + down.executed < least && going(); ++tick) {
            if (tick % 1800 == 900 && dark) {
                for (LinkDirection* direction : {&pair.forward, &pair.backward}) {
                    LinkSettings one = direction->settings();
                    one.blackoutFrom = pair.now;
                    one.blackoutUntil = pair.now + (1 + tick / 1800 % 5) * Second;
                    direction->setSettings(one);
                }
            }
            if (tick % 1800 == 1799) {
                QVERIFY(pair.drain(60 * Second));
                pair.run(pair.now + Second);
            }
            for (Traffic* traffic : {&up, &down}) {
                while (traffic->send()) {}
            }
            pair.run(pair.now + Second / 60);
            up.take();
            down.take();
        }
        QCOMPARE(static_cast<int>(pair.closedA), 0);
        QCOMPARE(static_cast<int>(pair.closedB), 0);
        endsEmpty(pair, up, down);
        if (QTest::currentTestFailed()) {
            return;
        }
        qInfo("%llu up, %llu down in %.2f hours, %llu MB, %llu packets, %.2f %% lost",
              static_cast<unsigned long long>(up.sent()), static_cast<unsigned long long>(down.sent()),
              static_cast<double>(pair.now) / (3600.0 * Second),
              static_cast<unsigned long long>((up.bytes + down.bytes) >> 20U),
              static_cast<unsigned long long>(pair.a.counters().packetsSent + pair.b.counters().packetsSent),
              lostPercent(pair));
        QVERIFY(up.sent() + down.sent() >= least);
    }

    // The same traffic between hosts, encrypted, for an hour: through bottlenecks of section 3's six rates on its seven paths, and with
    // bursts, blackouts, half of the acknowledgements lost and a queue that is far too long. Half a minute at full blast, half a minute
    // like a game, and a quiet quarter between, over and over.
    void anHourThroughHosts_data() {
        QTest::addColumn<QString>("link");
        for (const int kilobytes : {64, 128, 256, 500, 1000, 2000}) {
            for (const char* path : {"latency=5ms", "latency=25ms loss=1% reorder=1% reorder-by=10ms",
                                     "latency=50ms loss=5% reorder=2% reorder-by=50ms",
                                     "latency=50ms loss=10% reorder=2% reorder-by=50ms",
                                     "latency=100ms loss=20% reorder=4% reorder-by=50ms",
                                     "latency=5ms loss=2% reorder=2% reorder-by=1ms",
                                     "latency=50ms reorder=30% reorder-by=40ms"}) {
                const QString link =
                    QStringLiteral("%1 rate=%2kbit queue=200ms").arg(QLatin1String(path)).arg(kilobytes * 8);
                QTest::newRow(qPrintable(link)) << link;
            }
        }
        QTest::newRow("bursts") << "latency=25ms loss=5% burst=5 rate=2Mbit";
        QTest::newRow("half of acknowledgements lost") << "latency=25ms down.loss=50% rate=2Mbit";
        QTest::newRow("a queue that is far too long") << "latency=20ms rate=1Mbit queue=300ms";
        QTest::newRow("blackouts") << "latency=30ms loss=2% rate=2Mbit";
    }
    void anHourThroughHosts() {
        QFETCH(QString, link);
        const auto profile = parseLink(link.toStdString());
        QVERIFY(profile.ok());
        World world(profile->up);
        LinkDirection& upward = world.network.direction(clientAddress(0), serverAddress());
        LinkDirection& downward = world.network.direction(serverAddress(), clientAddress(0));
        const World::Ends ends = world.connected();
        QVERIFY(ends.server != nullptr);
        downward.setSettings(profile->down);
        const bool dark = QByteArray(QTest::currentDataTag()) == "blackouts";
        Time now = world.network.now();
        const Time begun = now;
        Traffic up(now, ends.client->channel(), ends.server->channel(), 7);
        Traffic down(now, ends.server->channel(), ends.client->channel(), 8);
        Random random(9);
        const auto alive = [&] {
            return up.faults + down.faults == 0 && world.server->connectionCount() == 1
                   && ends.host->connectionCount() == 1;
        };
        const auto pass = [&](int ticks, std::uint32_t most) {
            for (int tick = 0; tick < ticks && alive(); ++tick) {
                for (std::uint32_t n = random.below(most + 1); n > 0; --n) {
                    up.send();
                    down.send();
                }
                world.runFor(Second / 60);
                now = world.network.now();
                if (!alive()) {
                    return; // the channels are gone
                }
                for (Traffic* traffic : {&up, &down}) {
                    traffic->take();
                    traffic->letGo(); // should it end now
                }
            }
        };
        const auto how = [&] {
            return QStringLiteral("after %1 s: %2 at the server, %3 at the client, %4 faults")
                .arg((now - begun) / Second)
                .arg(static_cast<int>(ended(*world.server)))
                .arg(static_cast<int>(ended(*ends.host)))
                .arg(up.faults + down.faults)
                .toLocal8Bit();
        };
        for (int round = 0; now - begun < 3600 * Second && alive(); ++round) {
            pass(30 * 60, 60);
            if (dark) { // one to five seconds
                for (LinkDirection* direction : {&upward, &downward}) {
                    LinkSettings one = direction->settings();
                    one.blackoutFrom = now;
                    one.blackoutUntil = now + (1 + round % 5) * Second;
                    direction->setSettings(one);
                }
            }
            pass(15 * 60, 0);
            pass(30 * 60, 3);
        }
        if (!alive())
            QFAIL(how().constData());
        for (int i = 0; i < 600 && !(ends.client->channel().drained() && ends.server->channel().drained());
             ++i) {
            pass(6, 0);
        }
        if (!alive())
            QFAIL(how().constData());
        for (const auto& [from, to, traffic] :
             {std::tuple{ends.client, ends.server, &up}, std::tuple{ends.server, ends.client, &down}}) {
            QCOMPARE(traffic->executed, traffic->sent());
            QVERIFY2(traffic->sent() > 100'000, qPrintable(QString::number(traffic->sent())));
            QCOMPARE(from->channel().sendGraph().floor(), from->channel().sendGraph().next());
            QCOMPARE(to->channel().receiveGraph().floor(), from->channel().sendGraph().next());
            traffic->letGo();
        }
        qInfo("%llu messages, %llu packets", static_cast<unsigned long long>(up.sent() + down.sent()),
              static_cast<unsigned long long>(ends.client->channel().counters().packetsSent
                                              + ends.server->channel().counters().packetsSent));
    }
};

QTEST_GUILESS_MAIN(TestSoak)
#include "tst_soak.moc"
