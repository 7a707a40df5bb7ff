// Guests that say all they may as fast as they can, and take what they are told as slowly as they can: what that costs the server and
// the others.

#include "tests/held_bytes.h"
#include "tests/session/siege.h"

#include <map>

using namespace sbx;
using namespace sbx::test;

namespace {

constexpr double MiB = 1024.0 * 1024.0;
constexpr std::size_t MaxMessages = 8192;
constexpr std::size_t MaxBytes = 4U << 20U;

// From one honest guest's mouth to another's ear, in virtual time.
struct Figures {
    std::vector<double> milliseconds;
    std::int64_t grown = 0; // most bytes held, of server and guests together, beyond those at the beginning
    std::size_t connections = 0;    // bytes of the server's ends at most, and of the guests'
    std::size_t guests = 0;
    NetworkSystem::Backlog backlog; // the largest, of each kind
    std::uint64_t said = 0; // by hostile guests
    int ends = 0;           // of their connections
    double p99() {
        std::sort(milliseconds.begin(), milliseconds.end());
        return milliseconds.empty() ? 0.0 : milliseconds[milliseconds.size() * 99 / 100];
    }
};

// Two who talk twice a second, while each of the others says all it is allowed to and takes two messages a second, and comes back
// whenever it was sent away.
Figures besieged(std::size_t hostile, int seconds) {
    Figures figures;
    Siege siege;
    Siege::Guest& mouth = siege.add({});
    Siege::Guest& ear = siege.add({});
    if (!siege.settle())
        qFatal("nobody is served");
    const std::uint16_t chat = siege.numberOf("Chat");
    const std::uint16_t info = siege.numberOf("PlayerInfo");
    const std::uint16_t input = siege.numberOf("Input");
    const std::uint16_t damage = siege.numberOf("Damage"); // what a client may not say
    std::map<std::string, net::Time> spoken;
    ear.hears = [&](const net::ReceivedMessage& delivery) {
        if (delivery.type != chat)
            return;
        net::ByteReader in(delivery.body.bytes());
        static_cast<void>(in.varint());
        if (const auto found = spoken.find(std::string(wire::readText(in))); found != spoken.end()) {
            figures.milliseconds.push_back(static_cast<double>(delivery.executed - found->second) / 1e6);
            spoken.erase(found);
        }
    };
    for (std::size_t i = 0; i < hostile; ++i)
        siege.add({.latency = 500 * net::Millisecond, .window = 2, .pendingBytes = 64 * 1024});
    const std::int64_t before = HeldBytes.load();
    std::vector<int> said(siege.guests.size()); // ticks since it was served
    for (int tick = 0; tick < seconds * 60; ++tick) {
        if (tick % 30 == 0) {
            const std::string line = "honest " + std::to_string(tick);
            if (Siege::sayText(mouth, chat, line))
                spoken[line] = siege.now();
        }
        for (std::size_t i = 2; i < siege.guests.size(); ++i) {
            Siege::Guest& guest = *siege.guests[i];
            if (Siege::connection(guest) == nullptr) {
                said[i] = 0;
                if (tick % 60 == 0 && guest.host->connectionCount() == 0)
                    siege.join(guest);
                continue;
            }
            if (guest.player == 0)
                continue;
            const int since = said[i]++;
            const std::string text = std::to_string(tick) + "." + std::to_string(i);
            if (since % 6 == 0)
                figures.said += Siege::sayText(guest, chat, text + std::string(159 - text.size(), '!')) ? 1U : 0U;
            if (since % 60 == 0)
                figures.said += Siege::sayText(guest, info, text) ? 1U : 0U;
            const auto move = [](net::ByteWriter& out) {
                for (int n = 0; n < 4; ++n)
                    out.u32(0);
                out.u16(0);
            };
            for (int n = 0; n < 4; ++n)
                figures.said += Siege::say(guest, input, move) ? 1U : 0U;
            if (since % 2 == 0)
                figures.said += Siege::say(guest, damage, [](net::ByteWriter& out) { out.u32(0); }) ? 1U : 0U;
        }
        siege.tick();
        figures.grown = std::max(figures.grown, HeldBytes.load() - before);
        std::size_t connections = 0;
        std::size_t guests = 0;
        for (const auto& guest : siege.guests)
            guest->host->forEach([&](const net::Connection& connection) { guests += connection.memory(); });
        siege.host().forEach([&](const net::Connection& connection) { connections += connection.memory(); });
        figures.connections = std::max(figures.connections, connections);
        figures.guests = std::max(figures.guests, guests);
        siege.host().forEach([&](const net::Connection& connection) {
            const NetworkSystem::Backlog backlog = siege.server.simulation().network().backlog(connection.id());
            figures.backlog.messages = std::max(figures.backlog.messages, backlog.messages);
            figures.backlog.bytes = std::max(figures.backlog.bytes, backlog.bytes);
        });
    }
    for (std::size_t i = 2; i < siege.guests.size(); ++i)
        figures.ends += siege.guests[i]->ends;
    if (mouth.ends + ear.ends > 0)
        qFatal("an honest guest was sent away");
    return figures;
}

} // namespace

class TestNetworkLimits : public QObject {
    Q_OBJECT
private slots:
    void aFloodIsNotKeptForTheSlow_data() {
        QTest::addColumn<QString>("type");
        QTest::newRow("chat") << QStringLiteral("Chat");
        QTest::newRow("player info") << QStringLiteral("PlayerInfo");
    }
    void aFloodIsNotKeptForTheSlow() {
        QFETCH(QString, type);
        Siege siege;
        Siege::Guest& slow = siege.add({.latency = net::Second, .window = 2, .pendingBytes = 64 * 1024});
        for (int i = 0; i < 3; ++i)
            siege.add({});
        QVERIFY(siege.settle());
        const std::uint16_t number = siege.numberOf(type.toStdString());
        const std::int64_t before = HeldBytes.load();
        std::int64_t most = 0;
        std::uint64_t said = 0;
        for (int i = 0; i < 600; ++i) {
            for (std::size_t flooder = 1; flooder < siege.guests.size(); ++flooder)
                for (int n = 0; n < 200; ++n) {
                    const std::string text = std::to_string(said) + std::string(40, 'x');
                    if (!Siege::sayText(*siege.guests[flooder], number, text))
                        break;
                    ++said;
                }
            siege.tick();
            most = std::max(most, HeldBytes.load() - before);
        }
        qInfo("%llu said; the server and all guests held %.2f MiB more at most; the slow guest heard %llu",
              static_cast<unsigned long long>(said), static_cast<double>(most) / MiB,
              static_cast<unsigned long long>(slow.heard));
        QVERIFY(static_cast<double>(most) / MiB < 16.0);
    }

    // What one may say is bounded; who says more is told why it must go, and is refused for a while.
    void whoSaysTooMuchGoes_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("allowed");
        QTest::newRow("chat") << QStringLiteral("Chat") << 100;
        QTest::newRow("player info") << QStringLiteral("PlayerInfo") << 10;
        QTest::newRow("what is refused") << QStringLiteral("Damage") << 500;
    }
    void whoSaysTooMuchGoes() {
        QFETCH(QString, type);
        QFETCH(int, allowed);
        Siege siege;
        Siege::Guest& loud = siege.add({});
        Siege::Guest& other = siege.add({});
        QVERIFY(siege.settle());
        const std::uint16_t number = siege.numberOf(type.toStdString());
        const auto say = [&](int count) {
            for (int i = 0; i < count; ++i)
                QVERIFY(Siege::say(loud, number, [&](net::ByteWriter& out) {
                    if (number == siege.numberOf("Damage"))
                        out.u32(0);
                    else
                        wire::writeText(out, std::to_string(siege.now()) + std::to_string(i));
                }));
            siege.run(30);
        };
        say(allowed);
        QVERIFY(Siege::connection(loud) != nullptr);
        say(allowed);
        QVERIFY(Siege::connection(loud) == nullptr);
        QVERIFY(loud.closed == net::CloseReason::Rate);
        QCOMPARE(siege.linesAbout("the connection ends"), 1);
        QCOMPARE(siege.server.simulation().network().counters().rateExceeded, std::uint64_t{1});
        QVERIFY(siege.server.simulation().network().lastExcess().find(type.toStdString()) != std::string::npos);
        QVERIFY(Siege::connection(other) != nullptr);
        // Not at once again, but later.
        siege.join(loud);
        siege.run(60);
        QVERIFY(loud.closed == net::CloseReason::DeniedBanned);
        siege.run(600);
        siege.join(loud);
        QVERIFY(siege.settle());
    }

    // Who shares an address with one that went too far may come, as long as it is not one after the other.
    void aNeighbourOfAFlooderMayCome() {
        Siege siege;
        const auto behind = [](std::uint16_t port) { return net::Address::v4(10, 0, 9, 9, port); };
        const auto flood = [&](std::uint16_t port) {
            Siege::Guest& loud = siege.add({.from = behind(port)});
            if (!siege.settle())
                return false;
            const std::uint16_t chat = siege.numberOf("Chat");
            for (int i = 0; i < 200; ++i)
                if (!Siege::sayText(loud, chat, "text"))
                    break;
            siege.run(30);
            const bool gone = loud.closed == net::CloseReason::Rate;
            loud.player = 1; // settled, as far as others wait for it
            return gone;
        };
        QVERIFY(flood(5000));
        QVERIFY(siege.linesAbout("10.0.9.9:5000 has joined") == 1);
        Siege::Guest& neighbour = siege.add({.from = behind(6000)});
        QVERIFY(siege.settle());
        for (std::uint16_t port = 5001; port < 5004; ++port)
            QVERIFY(flood(port));
        siege.run(60);
        QVERIFY(Siege::connection(neighbour) != nullptr); // who is connected stays
        Siege::Guest& late = siege.add({.from = behind(6001)});
        siege.run(60);
        QVERIFY(late.closed == net::CloseReason::DeniedBanned);
        siege.run(600);
        siege.join(late);
        QVERIFY(siege.settle());
    }

    // The rates are the operator's.
    void ratesAreCVars() {
        Siege siege;
        QVERIFY(siege.server.execute("net.limit.chat 1; net.limit.burst 2; net.limit.ban 0").ok);
        Siege::Guest& loud = siege.add({});
        QVERIFY(siege.settle());
        const std::uint16_t chat = siege.numberOf("Chat");
        for (int i = 0; i < 10; ++i) { // one a second
            QVERIFY(Siege::sayText(loud, chat, "text"));
            siege.run(60);
        }
        QVERIFY(Siege::connection(loud) != nullptr);
        for (int i = 0; i < 4; ++i)
            QVERIFY(Siege::sayText(loud, chat, "text"));
        siege.run(30);
        QVERIFY(loud.closed == net::CloseReason::Rate);
        siege.join(loud);
        QVERIFY(siege.settle());
    }

    // A player has one name; saying it again is nobody's news.
    void theSameAnnouncementIsNotPassedOn() {
        Siege siege;
        Siege::Guest& one = siege.add({});
        Siege::Guest& other = siege.add({});
        QVERIFY(siege.settle());
        const std::uint16_t info = siege.numberOf("PlayerInfo");
        std::vector<std::string> names;
        other.hears = [&](const net::ReceivedMessage& delivery) {
            if (delivery.type != info)
                return;
            net::ByteReader in(delivery.body.bytes());
            static_cast<void>(in.varint());
            names.emplace_back(wire::readText(in));
        };
        for (const char* name : {"Ada", "Ada", "Ada", "Bob", "Bob", "Ada"}) {
            QVERIFY(Siege::sayText(one, info, name));
            siege.run(10);
        }
        QCOMPARE(names, (std::vector<std::string>{"Ada", "Bob", "Ada"}));
        QCOMPARE(siege.server.simulation().network().counters().repeated, std::uint64_t{3});
    }

    // Messages for one that takes none are kept up to the limit, and no longer than it is connected.
    void whoDoesNotListenGoes_data() {
        QTest::addColumn<QString>("limit");
        QTest::newRow("messages") << QStringLiteral("net.limit.backlog 100");
        QTest::newRow("bytes") << QStringLiteral("net.limit.backlogBytes 32");
    }
    void whoDoesNotListenGoes() {
        QFETCH(QString, limit);
        Siege siege;
        QVERIFY(siege.server.execute(limit.toStdString()).ok);
        Siege::Guest& slow = siege.add({.latency = 500 * net::Millisecond, .window = 2, .pendingBytes = 64 * 1024});
        Siege::Guest& other = siege.add({});
        QVERIFY(siege.settle());
        siege.run(600); // what has come meanwhile has been taken
        const std::uint64_t before = other.heard;
        NetworkSystem::Backlog most;
        for (int i = 0; i < 300; ++i) {
            QVERIFY(siege.server.simulation().network().say("the host speaks " + std::to_string(i) + std::string(100, '.')).ok());
            siege.tick();
            if (const net::Connection* const connection = siege.serving(slow)) {
                const NetworkSystem::Backlog backlog = siege.server.simulation().network().backlog(connection->id());
                most.messages = std::max(most.messages, backlog.messages);
                most.bytes = std::max(most.bytes, backlog.bytes);
            }
        }
        siege.run(120);
        const bool messages = limit.contains(QLatin1String("backlog 100"));
        QVERIFY(most.messages <= 200 && most.bytes > 16U * 1024U);
        QVERIFY(messages ? most.messages == 100 : most.bytes <= 32U * 1024U);
        QVERIFY(slow.closed == net::CloseReason::Backlog);
        QCOMPARE(siege.linesAbout("does not acknowledge what is sent to it"), 1);
        QCOMPARE(siege.server.simulation().network().counters().backlogExceeded, std::uint64_t{1});
        QVERIFY(other.heard >= before + 300);
        QCOMPARE(siege.server.simulation().network().peerCount(), std::size_t{1});
    }

    // Who grants much and acknowledges nothing is given no more than a server would take itself.
    void aLargeGrantIsNotUsed() {
        Siege siege;
        Siege::Guest& greedy = siege.add({.window = 8192, .pendingBytes = 256U << 20U});
        QVERIFY(siege.settle());
        net::Connection* const connection = siege.serving(greedy);
        QVERIFY(connection != nullptr);
        const std::vector<std::uint8_t> body(900);
        std::size_t taken = 0;
        while (taken < 10'000 && connection->send(siege.numberOf("Setting"), body).status == net::SendStatus::Sent)
            ++taken;
        QVERIFY2(taken > 900 && taken <= 1024, qPrintable(QString::number(taken)));
    }

    // A world of many entities is told as its guest takes it: nothing of it waits in memory.
    void aLargeWorldDoesNotWait() {
        constexpr int Many = 12'000;
        Siege siege;
        World& world = siege.server.world();
        for (int i = 0; i < Many; ++i) {
            SpawnRequest request;
            request.type = world.findType("Player");
            request.name = "e" + std::to_string(i);
            world.spawn(request);
        }
        siege.run(2);
        Siege::Guest& guest = siege.add({});
        std::size_t most = 0;
        for (int i = 0; i < 3600 && guest.player == 0; ++i) {
            siege.tick();
            if (const net::Connection* const connection = siege.serving(guest))
                most = std::max(most, siege.server.simulation().network().backlog(connection->id()).messages);
        }
        QVERIFY(guest.player != 0);
        QVERIFY(guest.heard > Many);
        QVERIFY2(most < 100, qPrintable(QString::number(most)));
        QCOMPARE(guest.ends, 0);
    }

    // The ordinary run is long enough for guests to be sent away and to come back; with SBX_SOAK it lasts ten minutes.
    void sixteenHostileGuestsWearNobodyDown() {
        const int seconds = qEnvironmentVariableIsSet("SBX_SOAK") ? 600 : 75;
        Figures calm = besieged(0, seconds);
        Figures siege = besieged(16, seconds);
        qInfo("%d s: %llu messages of 16 hostile guests, %d connections ended or refused; held %.2f MiB more at most (undisturbed %.2f), of it %.2f in the server's connections and %.2f in the guests'; backlog at most %zu messages, %.2f MiB; "
              "p99 of the others %.1f ms, undisturbed %.1f ms (%zu, %zu lines)",
              seconds, static_cast<unsigned long long>(siege.said), siege.ends, static_cast<double>(siege.grown) / MiB, static_cast<double>(calm.grown) / MiB,
              static_cast<double>(siege.connections) / MiB, static_cast<double>(siege.guests) / MiB,
              siege.backlog.messages, static_cast<double>(siege.backlog.bytes) / MiB, siege.p99(), calm.p99(),
              siege.milliseconds.size(), calm.milliseconds.size());
        QVERIFY(siege.said > 1000U * static_cast<unsigned>(seconds));
        QVERIFY(siege.ends >= 16);
        QVERIFY(static_cast<double>(siege.grown) / MiB < 16.0);
        QVERIFY(siege.backlog.messages > MaxMessages / 2 && siege.backlog.messages <= MaxMessages);
        QVERIFY(siege.backlog.bytes <= MaxBytes);
        QVERIFY(calm.milliseconds.size() >= static_cast<std::size_t>(seconds) * 2 - 2);
        QVERIFY(siege.milliseconds.size() >= calm.milliseconds.size() - 1);
        QVERIFY(siege.p99() <= calm.p99() * 1.1);
    }
};

QTEST_GUILESS_MAIN(TestNetworkLimits)
#include "tst_network_limits.moc"
