// Who is refused for a while and who is not, and what a recorded proof of a password is good for.

#include <QtTest>

#include "tests/net/world.h"

#include <algorithm>

using namespace sbx;
using namespace sbx::net;

namespace {

Address behind(std::uint16_t port) { return Address::v4(10, 9, 9, 9, port); }

// How an attempt from that address to join ends; None: it has a connection.
CloseReason joins(World& world, const Address& from, const std::string& password = {}) {
    HostSettings settings;
    const auto seed = static_cast<std::uint64_t>(world.network.now()) + from.port; // never the same keys again
    Host host(settings, world.network.open(from), seededEntropy(seed), world.network.now());
    host.connect(serverAddress(), Host::Introduction{.expected = std::nullopt, .password = password});
    CloseReason reason = CloseReason::HandshakeTimeout;
    ConnectionEvent event;
    for (const Time until = world.network.now() + 500 * Millisecond; world.network.now() < until;) {
        host.update(world.network.now());
        world.runFor(5 * Millisecond);
        while (host.nextEvent(event))
            reason = event.kind == ConnectionEvent::Kind::Connected ? CloseReason::None : event.reason;
    }
    host.forEach([](Connection& connection) { connection.close(); });
    for (int i = 0; i < 60; ++i) {
        host.update(world.network.now());
        world.runFor(5 * Millisecond);
    }
    world.network.close(from);
    return reason;
}

} // namespace

class TestRefusals : public QObject {
    Q_OBJECT
private slots:
    void neighboursOfOneOffenderAreSpared() {
        Refusals refusals;
        refusals.add(behind(5000), 10 * Second, 0);
        QVERIFY(refusals.holds(behind(5000), 9 * Second));
        QVERIFY(!refusals.holds(behind(5000), 10 * Second));
        QVERIFY(!refusals.holds(behind(5001), Second));
        // The same one again and again is one offender, but its address is counted.
        refusals.add(behind(5000), 20 * Second, 10 * Second);
        refusals.add(behind(5000), 15 * Second, 11 * Second); // earlier: shortens nothing
        QVERIFY(refusals.holds(behind(5000), 19 * Second));
        QVERIFY(!refusals.holds(behind(5001), 19 * Second));
    }

    // A flooder that comes from port after port: its address as a whole, for as long as the offender, and
    // only while it goes on.
    void anAddressThatOffendsAgainAndAgainIsRefused_data() {
        QTest::addColumn<bool>("v4");
        QTest::newRow("IPv4") << true;
        QTest::newRow("IPv6, other addresses of one network") << false;
    }
    void anAddressThatOffendsAgainAndAgainIsRefused() {
        QFETCH(bool, v4);
        const auto from = [&](std::uint16_t port) {
            Address address = behind(port);
            if (!v4) {
                address.ip = {0x20, 1, 0xD, 0xB8, 0, 0, 0, 1};
                address.ip[15] = static_cast<std::uint8_t>(port); // a machine of its own
            }
            return address;
        };
        Refusals refusals;
        for (std::uint16_t port = 1; port <= 3; ++port)
            refusals.add(from(port), 10 * Second, 0);
        QVERIFY(!refusals.holds(from(99), 0));
        refusals.add(from(4), 10 * Second, 0);
        QVERIFY(refusals.holds(from(99), 9 * Second));
        QVERIFY(!refusals.holds(Address::v4(10, 9, 9, 8, 1), 9 * Second)); // next door
        QVERIFY(!refusals.holds(from(99), 10 * Second));
        // It goes on: each time the address as a whole.
        refusals.add(from(5), 20 * Second, 10 * Second);
        QVERIFY(refusals.holds(from(99), 19 * Second));
        // A minute later it is forgiven.
        refusals.add(from(6), 110 * Second, 100 * Second);
        QVERIFY(refusals.holds(from(6), 105 * Second));
        QVERIFY(!refusals.holds(from(99), 105 * Second));
    }

    void manyAddressesCostNoMoreMemory() {
        Refusals refusals;
        for (std::uint32_t i = 0; i < 10'000; ++i)
            refusals.add(Address::v4(10, static_cast<std::uint8_t>(i >> 16U),
                                     static_cast<std::uint8_t>(i >> 8U), static_cast<std::uint8_t>(i), 1),
                         Second * 100 + i, 0);
        QCOMPARE(refusals.size(), 2 * Refusals::Most);
        QVERIFY(refusals.holds(Address::v4(10, 0, 9999 >> 8, 9999 & 255, 1), Second));
    }

    void aHostRefusesTheOffenderAlone() {
        World world({.latency = 5 * Millisecond});
        world.server->refuse(behind(5000), 10 * Second);
        QVERIFY(joins(world, behind(5000)) == CloseReason::DeniedBanned);
        QVERIFY(joins(world, behind(5001)) == CloseReason::None);
        for (std::uint16_t port = 5002; port < 5005; ++port)
            world.server->refuse(behind(port), 10 * Second);
        QVERIFY(joins(world, behind(5001)) == CloseReason::DeniedBanned);
        world.runFor(11 * Second);
        QVERIFY(joins(world, behind(5001)) == CloseReason::None);
    }

    // Guesses from ever new ports take a second each, once there were a few.
    void guessesOfAPasswordTakeTheirTime() {
        HostSettings base;
        base.fixedKey = makeKeyPair(Key{9, 8, 7});
        base.passwordKey = passwordKey("open sesame", base.fixedKey->open);
        World world({.latency = 5 * Millisecond}, base);
        int heard = 0;
        constexpr int Tries = 16; // 0.8 s each
        for (int i = 0; i < Tries; ++i)
            heard += joins(world, behind(static_cast<std::uint16_t>(6000 + i)), "guess")
                             == CloseReason::DeniedPassword
                         ? 1
                         : 0;
        QVERIFY2(heard >= 6 && heard < 12, qPrintable(QString::number(heard)));
        QCOMPARE(world.server->counters().passwordsWrong, static_cast<std::uint64_t>(heard));
        QVERIFY(world.server->lastDenial().reason == CloseReason::DeniedPassword
                || world.server->lastDenial().reason == CloseReason::DeniedBanned);
        world.runFor(2 * Second);
        QVERIFY(joins(world, behind(7000), "open sesame") == CloseReason::None);
    }

    // A recorded RESPONSE with a right proof opens nothing: not again, not from elsewhere, not later, and not
    // with another handshake's fields.
    void aRecordedProofIsWorthNothing() {
        HostSettings base;
        base.fixedKey = makeKeyPair(Key{9, 8, 7});
        base.passwordKey = passwordKey("open sesame", base.fixedKey->open);
        World world({.latency = 5 * Millisecond}, base);
        std::vector<std::vector<std::uint8_t>> recorded;
        world.network.setTap([&](Time, const Address&, const Address& to, ByteView bytes) {
            if (to == serverAddress() && (bytes[0] & 7U) == 2)
                recorded.emplace_back(bytes.begin(), bytes.end());
        });
        QVERIFY(joins(world, behind(5000), "open sesame") == CloseReason::None);
        QVERIFY(joins(world, behind(5001), "open sesame") == CloseReason::None);
        world.network.setTap({});
        QVERIFY(recorded.size() >= 2);
        Response first;
        Response second;
        QVERIFY(readResponse(recorded.front(), first) && readResponse(recorded.back(), second));
        QVERIFY(first.proof != Key{}
                && first.proof != second.proof); // the same password proves differently each time
        const std::uint64_t accepted = world.server->counters().accepted;
        const auto counters = [&] { return world.server->counters(); };
        const auto say = [&](const Address& from, ByteView bytes) {
            world.network.inject(from, serverAddress(), bytes);
            world.runFor(Millisecond);
        };
        say(behind(5000), recorded.front());
        QCOMPARE(counters().responsesRepeated, std::uint64_t{1});
        say(behind(5002), recorded.front());
        QCOMPARE(counters().cookiesWrong, std::uint64_t{1});
        // A stranger's own handshake, with a proof that was recorded.
        world.network.open(behind(5003));
        Request request;
        request.clientKey = makeKeyPair(Key{77}).open;
        request.askKey = true;
        std::array<std::uint8_t, MaxDatagram> datagram{};
        Challenge challenge;
        bool challenged = false;
        world.network.setTap([&](Time, const Address&, const Address& to, ByteView bytes) {
            challenged = challenged || (to == behind(5003) && readChallenge(bytes, challenge));
        });
        writeRequest(datagram, request);
        say(behind(5003), datagram);
        QVERIFY(challenged && challenge.fixedKey == base.fixedKey->open);
        Response forged = first;
        forged.request = request;
        forged.cookie = challenge.cookie;
        forged.secretIndex = challenge.secretIndex;
        writeResponse(datagram, forged);
        say(behind(5003), datagram);
        QCOMPARE(counters().passwordsWrong, std::uint64_t{1});
        // Later the secret behind its cookie is gone.
        world.runFor(100 * Second);
        say(behind(5000), recorded.front());
        QCOMPARE(counters().cookiesWrong, std::uint64_t{2});
        QCOMPARE(counters().accepted, accepted);
    }

    // What goes into a proof beside the password is what only the two ends know: a guess cannot be tried on
    // what was recorded.
    void aProofNeedsTheSharedSecrets() {
        const Key password = passwordKey("open sesame", Key{1});
        const Key transcript{2};
        const Key proof = proofOf(password, Key{3}, Key{4}, transcript);
        QVERIFY(proofOf(password, Key{3}, Key{4}, transcript) == proof);
        QVERIFY(proofOf(password, Key{5}, Key{4}, transcript) != proof);
        QVERIFY(proofOf(password, Key{3}, Key{5}, transcript) != proof);
        QVERIFY(proofOf(password, Key{3}, Key{4}, Key{5}) != proof);
        QVERIFY(proofOf(passwordKey("open sesame", Key{2}), Key{3}, Key{4}, transcript)
                != proof); // another server's
    }
};

QTEST_GUILESS_MAIN(TestRefusals)
#include "tst_refusals.moc"
