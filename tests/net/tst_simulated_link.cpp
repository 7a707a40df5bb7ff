#include <QtTest>

#include "engine/net/simulated_link.h"

#include <algorithm>
#include <cmath>

using namespace sbx;
using namespace sbx::net;

namespace {

std::vector<std::uint8_t> numbered(std::uint32_t n, std::size_t size = 100) {
    std::vector<std::uint8_t> bytes(size, 0x5A);
    for (std::size_t i = 0; i < 4; ++i) {
        bytes[i] = static_cast<std::uint8_t>(n >> (8U * i));
    }
    return bytes;
}

std::uint32_t numberOf(const std::vector<std::uint8_t>& bytes) {
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        n |= static_cast<std::uint32_t>(bytes[i]) << (8U * i);
    }
    return n;
}

struct Arrival {
    Time time;
    std::uint32_t number;
    bool operator==(const Arrival&) const = default;
};

// `count` datagrams `spacing` apart, then everything that arrives.
std::vector<Arrival> run(LinkDirection& link, std::uint32_t count, Time spacing, std::size_t size = 100) {
    std::vector<Arrival> arrivals;
    std::vector<std::uint8_t> bytes;
    const auto drainUntil = [&](Time limit) {
        while (link.nextDue() <= limit) {
            const Time due = link.nextDue();
            if (!link.pop(due, bytes)) {
                break;
            }
            arrivals.push_back({due, numberOf(bytes)});
            if (link.nextDue() == Never) {
                break;
            }
        }
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        drainUntil(i * spacing);
        link.push(i * spacing, numbered(i, size));
    }
    drainUntil(Never - 1);
    return arrivals;
}

void verifyShare(std::uint64_t hits, std::uint64_t trials, double share) {
    const double n = static_cast<double>(trials);
    const double sigma = std::sqrt(n * share * (1.0 - share));
    QVERIFY2(std::abs(static_cast<double>(hits) - n * share) <= 3.0 * sigma + 1e-9,
             qPrintable(QStringLiteral("%1 of %2, expected %3").arg(hits).arg(trials).arg(share)));
}

} // namespace

class TestSimulatedLink : public QObject {
    Q_OBJECT
private slots:
    void aPlainLinkKeepsOrderAndDelay() {
        LinkDirection link(1, {.latency = 25 * Millisecond});
        const auto arrivals = run(link, 1000, Millisecond);
        QCOMPARE(arrivals.size(), std::size_t{1000});
        for (std::uint32_t i = 0; i < 1000; ++i) {
            QCOMPARE(arrivals[i].number, i);
            QCOMPARE(arrivals[i].time, i * Millisecond + 25 * Millisecond);
        }
    }

    void sameSeedSameFate() {
        const LinkSettings bad{.latency = 20 * Millisecond,
                               .jitter = 30 * Millisecond,
                               .loss = 0.2,
                               .burst = 3.0,
                               .duplicate = 0.1,
                               .reorder = 0.1,
                               .corrupt = 0.01,
                               .rate = 2e6};
        LinkDirection a(7, bad);
        LinkDirection b(7, bad);
        LinkDirection c(8, bad);
        const auto first = run(a, 5000, Millisecond);
        QVERIFY(first == run(b, 5000, Millisecond));
        QVERIFY(first != run(c, 5000, Millisecond));
        QCOMPARE(a.inFlight(), std::size_t{0});
        QCOMPARE(first.size(), static_cast<std::size_t>(a.counters().delivered));
        const LinkCounters& k = a.counters();
        QCOMPARE(k.delivered, k.sent - k.lost - k.overflowed - k.blackedOut + k.duplicated);
    }

    void sharesAreWithinThreeSigma_data() {
        QTest::addColumn<double>("share");
        for (const double share : {0.0, 0.01, 0.05, 0.2, 0.9, 1.0}) {
            QTest::addRow("%g", share) << share;
        }
    }
    void sharesAreWithinThreeSigma() {
        QFETCH(double, share);
        LinkDirection link(3, {.latency = Millisecond, .loss = share});
        run(link, 100'000, Microsecond);
        verifyShare(link.counters().lost, 100'000, share);
        LinkDirection other(4,
                            {.latency = Millisecond, .duplicate = share, .reorder = share, .corrupt = share});
        const auto arrivals = run(other, 100'000, Microsecond);
        verifyShare(other.counters().duplicated, 100'000, share);
        verifyShare(other.counters().heldBack, 100'000, share);
        verifyShare(other.counters().corrupted, 100'000, share);
        QCOMPARE(arrivals.size(), std::size_t{100'000} + other.counters().duplicated);
    }

    void burstsHaveTheirMeanLengthAndShare() {
        LinkDirection link(5, {.loss = 0.05, .burst = 5.0});
        const std::uint32_t count = 400'000;
        const auto arrivals = run(link, count, Microsecond);
        std::vector<bool> arrived(count, false);
        for (const Arrival& a : arrivals) {
            arrived[a.number] = true;
        }
        std::uint64_t bursts = 0;
        std::uint64_t lost = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            lost += arrived[i] ? 0U : 1U;
            bursts += !arrived[i] && (i == 0 || arrived[i - 1]) ? 1U : 0U;
        }
        const double mean = static_cast<double>(lost) / static_cast<double>(bursts);
        QVERIFY2(std::abs(mean - 5.0) < 0.25, qPrintable(QString::number(mean)));
        const double share = static_cast<double>(lost) / count;
        QVERIFY2(std::abs(share - 0.05) < 0.004, qPrintable(QString::number(share)));
    }

    void jitterIsUniformAndReorders() {
        LinkDirection link(6, {.latency = 10 * Millisecond, .jitter = 20 * Millisecond});
        const auto arrivals = run(link, 20'000, Millisecond);
        double sum = 0.0;
        bool reordered = false;
        std::uint32_t newest = 0;
        for (const Arrival& a : arrivals) {
            const Time extra = a.time - a.number * Millisecond - 10 * Millisecond;
            QVERIFY(extra >= 0 && extra < 20 * Millisecond);
            sum += static_cast<double>(extra);
            reordered = reordered || a.number < newest;
            newest = std::max(newest, a.number);
        }
        QVERIFY(reordered);
        QVERIFY(std::abs(sum / 20'000.0 / 1e6 - 10.0) < 0.2);
    }

    void heldBackDatagramsComeLaterByThatMuch() {
        LinkDirection link(6, {.latency = Millisecond, .reorder = 1.0, .reorderBy = 40 * Millisecond});
        QCOMPARE(run(link, 1, Millisecond).front().time, 41 * Millisecond);
    }

    void corruptionFlipsOneBit() {
        LinkDirection link(9, {.corrupt = 1.0});
        const auto original = numbered(77);
        std::vector<std::uint8_t> out;
        for (int i = 0; i < 200; ++i) {
            link.push(i, original);
            QVERIFY(link.pop(i, out));
            int flipped = 0;
            for (std::size_t at = 0; at < out.size(); ++at) {
                flipped += std::popcount(static_cast<unsigned>(out[at] ^ original[at]));
            }
            QCOMPARE(flipped, 1);
        }
    }

    // 1 Mbit/s and 125-byte datagrams: one a millisecond, against the arithmetic of a queue.
    void theBottleneckHasItsRateAndItsQueue() {
        LinkDirection link(2, {.latency = 5 * Millisecond, .rate = 1e6, .queue = 20 * Millisecond});
        for (std::uint32_t i = 0; i < 50; ++i) {
            link.push(0, numbered(i, 125));
        }
        // One on the wire and twenty waiting behind it fill 20 ms; the 21st still finds the queue just full.
        QCOMPARE(link.counters().overflowed, std::uint64_t{50 - 21});
        std::vector<std::uint8_t> out;
        for (std::uint32_t i = 0; i < 21; ++i) {
            QCOMPARE(link.nextDue(), (i + 1) * Millisecond + 5 * Millisecond);
            QVERIFY(link.pop(link.nextDue(), out));
            QCOMPARE(numberOf(out), i);
        }
        QCOMPARE(link.inFlight(), std::size_t{0});
    }

    void aBlackoutLosesWhatIsSentInIt() {
        LinkDirection link(
            2, {.latency = 50 * Millisecond, .blackoutFrom = Second, .blackoutUntil = 2 * Second});
        const auto arrivals = run(link, 300, 10 * Millisecond);
        QCOMPARE(arrivals.size(), std::size_t{200});
        QVERIFY(std::none_of(arrivals.begin(), arrivals.end(),
                             [](const Arrival& a) { return a.number >= 100 && a.number < 200; }));
    }

    void directionsAreIndependentAndTransportsFindEachOther() {
        SimulatedNetwork network(11);
        const Address a = Address::v4(10, 0, 0, 1, 1000);
        const Address b = Address::v4(10, 0, 0, 2, 2000);
        Transport& left = network.open(a);
        Transport& right = network.open(b);
        network.direction(a, b).setSettings({.latency = 10 * Millisecond});
        network.direction(b, a).setSettings({.latency = 30 * Millisecond, .loss = 1.0});
        const auto bytes = numbered(5, 20);
        QCOMPARE(left.send(b, bytes), TransportStatus::Sent);
        right.send(a, bytes);
        std::array<std::uint8_t, 1500> buffer{};
        network.advance(9 * Millisecond);
        QVERIFY(!right.receive(buffer));
        QCOMPARE(network.nextDue(), 10 * Millisecond);
        network.advance(40 * Millisecond);
        const auto got = right.receive(buffer);
        QVERIFY(got.has_value());
        QCOMPARE(got->size, std::size_t{20});
        QVERIFY(got->from == a);
        QVERIFY(!left.receive(buffer));
        QVERIFY(!right.receive(buffer));
        // A NAT that changes its mind: the same transport under a new address, reachable there.
        const Address moved = Address::v4(10, 0, 0, 1, 1001);
        network.rebind(a, moved);
        network.direction(moved, b).setSettings({});
        left.send(b, bytes);
        network.advance(41 * Millisecond);
        QVERIFY(right.receive(buffer)->from == moved);
        // Too long for the reader's buffer: dropped, not cut.
        left.send(b, bytes);
        network.advance(42 * Millisecond);
        QVERIFY(!right.receive(std::span(buffer).first(10)));
        network.close(b);
        left.send(b, bytes);
        network.advance(43 * Millisecond);
        QCOMPARE(network.nextDue(), Never);
    }

    void textReadsIntoSettings() {
        const auto profile =
            parseLink("latency=50ms jitter=5ms loss=5% duplicate=1% reorder=2% reorder-by=250us "
                      "down.rate=1.5Mbit up.blackout=2s..3500ms, burst=4 queue=80ms corrupt=0.001");
        QVERIFY2(profile.ok(), qPrintable(QString::fromStdString(profile ? "" : profile.error().toString())));
        LinkSettings both{.latency = 50 * Millisecond,
                          .jitter = 5 * Millisecond,
                          .loss = 0.05,
                          .burst = 4.0,
                          .duplicate = 0.01,
                          .reorder = 0.02,
                          .reorderBy = 250 * Microsecond,
                          .corrupt = 0.001,
                          .queue = 80 * Millisecond};
        LinkProfile expected{both, both};
        expected.down.rate = 1.5e6;
        expected.up.blackoutFrom = 2 * Second;
        expected.up.blackoutUntil = 3500 * Millisecond;
        QVERIFY(*profile == expected);
        QVERIFY(*parseLink(toText(expected)) == expected);
        QVERIFY(*parseLink("") == LinkProfile{});
        QVERIFY(*parseLink("latency=0 rate=0") == LinkProfile{});
        QVERIFY(toText({}).empty());
        // As people type it.
        const char* const typed = "latency=50ms loss=20% burst=3 duplicate=0.1% corrupt=12.345% up.rate=64kbit down.rate=1.5Mbit";
        QCOMPARE(QString::fromStdString(toText(*parseLink(typed))), QLatin1String(typed));
        for (int permille = 0; permille <= 1000; ++permille) {
            const auto share = QString::number(permille / 10.0) + QLatin1Char('%');
            const std::string text = toText(*parseLink(("loss=" + share).toStdString()));
            QCOMPARE(QString::fromStdString(text), permille == 0 ? QString() : QStringLiteral("loss=") + share);
        }
        for (const double share : {1.0 / 3.0, 0.29, 0.07, 1e-9, 5e-324})
            QVERIFY(*parseLink(toText({{.loss = share}, {.loss = share}})) == (LinkProfile{{.loss = share}, {.loss = share}}));
    }

    void faultsHaveTheirPlace_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("column");
        QTest::addColumn<int>("endColumn");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* text, int from, int to, const char* says) {
            QTest::newRow(text) << QString::fromLatin1(text) << from << to << QString::fromLatin1(says);
        };
        row("latency", 1, 8, "expected key=value");
        row("loss=5% latancy=5ms", 9, 16, "did you mean latency?");
        row("zzzzzz=1", 1, 7, "expected latency, jitter");
        row("latency=50", 11, 11, "as in 50ms");
        row("latency=50m", 11, 12, "as in 50ms");
        row("latency=fast", 9, 13, "as in 50ms");
        row("latency=", 9, 9, "as in 50ms");
        row("jitter=-5ms", 8, 12, "0 or more");
        row("jitter=nan", 8, 11, "as in 50ms");
        row("jitter=1e300s", 8, 14, "too much");
        row("loss=120%", 6, 10, "at most 100%");
        row("loss=5ms", 7, 9, "in percent");
        row("burst=0.5", 7, 10, "1 or more");
        row("rate=1GB", 7, 9, "1Mbit");
        row("up.delay=5ms", 1, 9, "unknown link setting 'delay'");
        row("blackout=3s", 10, 12, "2s..3s");
        row("blackout=3s..2s", 10, 16, "ends before");
        row("blackout=3s..x", 14, 15, "as in 50ms");
        row("sideways.loss=5%", 1, 14, "unknown link setting");
    }
    void faultsHaveTheirPlace() {
        QFETCH(QString, text);
        QFETCH(int, column);
        QFETCH(int, endColumn);
        QFETCH(QString, says);
        const auto read = parseLink(text.toStdString());
        QVERIFY(!read.ok());
        QCOMPARE(read.error().region.line, 1);
        QCOMPARE(read.error().region.column, column);
        QCOMPARE(read.error().region.endColumn, endColumn);
        const QString message = QString::fromStdString(read.error().message);
        QVERIFY2(message.contains(says), qPrintable(message));
    }

    void addressesAreWrittenAsPeopleWriteThem() {
        QCOMPARE(Address::v4(127, 0, 0, 1, 80).toString(), std::string("127.0.0.1:80"));
        Address six;
        six.port = 4000;
        QCOMPARE(six.toString(), std::string("[::]:4000"));
        six.ip[15] = 1;
        QCOMPARE(six.toString(), std::string("[::1]:4000"));
        six.ip = {0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xAB, 0xCD};
        six.scope = 2;
        QCOMPARE(six.toString(), std::string("[fe80::abcd%2]:4000"));
        six.scope = 0;
        six.ip = {0x20, 1, 0x0D, 0xB8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2};
        QCOMPARE(six.toString(), std::string("[2001:db8:0:1::2]:4000"));
    }
};

QTEST_GUILESS_MAIN(TestSimulatedLink)
#include "tst_simulated_link.moc"
