#include <QtTest>

#include "tests/net/numbered.h"
#include "tests/net/world.h"

#include <QDirIterator>
#include <QRegularExpression>

#include <pthread.h>

// Section 4's G and S of the network's design: peers and strangers that mean harm. The numbers name its rows.

using namespace sbx;
using namespace sbx::net;

class TestHostile : public QObject {
    Q_OBJECT
private slots:
    // G-2: 590 words of dependencies are refused as soon as they are seen to be too many.
    void endlessDependenciesAreRefusedQuickly() {
        std::array<std::uint8_t, 1188> bytes{};
        ByteWriter out(bytes);
        out.u8(0);
        out.u8(static_cast<std::uint8_t>(SectionKind::Guaranteed) | (1U << 3U));
        while (out.size() + 2 <= bytes.size()) {
            out.u16(0x8000U | 500U); // never an end
        }
        Payload scratch;
        QVERIFY(!parsePayload(ByteView(bytes).first(out.size()), 15, scratch));
        constexpr int Times = 20'000;
        const double from = threadSeconds();
        for (int i = 0; i < Times; ++i) {
            QVERIFY(!parsePayload(ByteView(bytes).first(out.size()), 15, scratch));
        }
        const double each = (threadSeconds() - from) / Times;
        qInfo("%.2f us each", each * 1e6);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        QVERIFY(each < 5e-6);
#endif
    }

    // G-3: a message that needs one which is never sent waits, holding no more than it was granted; then the connection ends.
    void aNeedThatNeverComesStallsAndEnds() {
        Pair pair(pairSettings());
        Forged forged;
        forged.sections.guaranteed(5, std::array{std::uint64_t{4}}, 1, numbered(1));
        QVERIFY(forged.at(pair.b, 1).outcome == Channel::Outcome::Accepted);
        const std::size_t memory = pair.b.memory();
        CloseReason reason = CloseReason::None;
        Time now = 0;
        while (reason == CloseReason::None && now < 20 * Second) {
            now += 100 * Millisecond;
            reason = pair.b.update(now);
            QVERIFY(pair.b.memory() <= memory);
        }
        QVERIFY(reason == CloseReason::DependencyStalled);
        QVERIFY2(now >= 11 * Second && now <= 12 * Second + 200 * Millisecond, qPrintable(QString::number(now / Millisecond)));
        QCOMPARE(pair.b.deliveriesWaiting(), std::size_t{0});
    }

    // G-4: the window filled at line rate with messages that all need one that never comes.
    void aWindowOfWaitingMessagesIsBounded() {
        Pair pair(pairSettings());
        const std::uint64_t window = pair.b.receiveGraph().window();
        std::uint64_t packets = 0;
        double seconds = 0.0;
        bool ended = false;
        std::uint64_t sequence = 2;
        for (std::uint64_t number = 1; !ended && number < 10'000; ++number) {
            Forged forged;
            for (int i = 0; i < 20; ++i, ++sequence) {
                if (!forged.sections.guaranteed(sequence, std::array{std::uint64_t{1}}, 1, numbered(1))) {
                    break;
                }
            }
            const double from = threadSeconds();
            const auto judged = forged.at(pair.b, number);
            seconds += threadSeconds() - from;
            ++packets;
            ended = judged.outcome == Channel::Outcome::Violation;
            QVERIFY(!ended || judged.reason == CloseReason::FlowControl);
        }
        QVERIFY(ended);
        QVERIFY(packets >= window / 20);
        QVERIFY2(pair.b.memory() < 512U * 1024U, qPrintable(QString::number(pair.b.memory())));
        qInfo("%.2f us a packet, %zu bytes", seconds / static_cast<double>(packets) * 1e6, pair.b.memory());
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        QVERIFY(seconds / static_cast<double>(packets) < 5e-6 * 4); // of twenty messages each, and all memory is new
#endif
    }

    // G-5: a chain as long as the window, released by its first, on a thread with the smallest stack there is.
    void aChainNeedsNoStack() {
        struct Work {
            bool ordered = true;
            std::uint32_t calls = 0;
            std::uint64_t last = 0;
        } work;
        const auto run = [](void* argument) -> void* {
            Work& result = *static_cast<Work*>(argument);
            ReceiveGraph graph(1, 8192);
            for (std::uint64_t n = 8191; n >= 2; --n) {
                graph.addHead(n, std::array{n - 1});
                graph.setData(n);
            }
            graph.addHead(1, {});
            graph.setData(1);
            while (graph.ready()) {
                ++result.calls;
                graph.run(4096, [&](std::uint64_t n) {
                    result.ordered = result.ordered && n == result.last + 1;
                    result.last = n;
                });
            }
            return nullptr;
        };
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        QCOMPARE(pthread_attr_setstacksize(&attributes, 64 * 1024), 0);
#endif
        pthread_t thread{};
        QCOMPARE(pthread_create(&thread, &attributes, run, &work), 0);
        pthread_join(thread, nullptr);
        pthread_attr_destroy(&attributes);
        QVERIFY(work.ordered);
        QCOMPARE(work.last, std::uint64_t{8191});
        QCOMPARE(work.calls, 2U);
    }

    // G-6: a window of messages on one; and a window with 64 needs each, which is more edges than were granted.
    void fansInAndOutAreCapped() {
        {
            Pair pair(pairSettings());
            const MessageHandle root = pair.a.send(1, numbered(0), {}, {}, pair.now).handle;
            std::uint32_t sent = 1;
            while (pair.a.send(1, numbered(sent), std::span(&root, 1), {}, pair.now).status == SendStatus::Sent) {
                ++sent;
            }
            QCOMPARE(sent, 1024U);
            QVERIFY(pair.drain(5 * Second));
            Tally tally;
            tally.take(pair.b);
            QVERIFY(tally.onceEach(sent));
        }
        Pair pair(pairSettings());
        pair.gate = [](bool isForward, std::uint64_t, ByteView) { return !isForward; };
        std::vector<MessageHandle> handles;
        SendStatus status = SendStatus::Sent;
        std::uint32_t sent = 0;
        while (status == SendStatus::Sent && sent < 2000) {
            const std::size_t count = std::min<std::size_t>(handles.size(), 64);
            const auto result = pair.a.send(1, numbered(sent), std::span(handles).last(count), {}, pair.now);
            status = result.status;
            if (status == SendStatus::Sent) {
                handles.push_back(result.handle);
                ++sent;
            }
        }
        QVERIFY(status == SendStatus::WouldBlock);
        QVERIFY(sent < 400); // 16 Ki edges
        QVERIFY(pair.a.sendGraph().pendingEdges() <= 16U * 1024U);
        // A peer that does not count along.
        Channel::Outcome outcome = Channel::Outcome::Accepted;
        CloseReason reason = CloseReason::None;
        for (std::uint64_t n = 100; n < 1000 && outcome == Channel::Outcome::Accepted; ++n) {
            Forged forged;
            std::vector<std::uint64_t> needs;
            for (std::uint64_t d = 1; d <= 64; ++d) {
                needs.push_back(n - d);
            }
            forged.sections.guaranteed(n, needs, 1, numbered(1));
            const auto judged = forged.at(pair.b, n);
            outcome = judged.outcome;
            reason = judged.reason;
            QVERIFY(pair.b.receiveGraph().pendingEdges() <= 16U * 1024U);
        }
        QVERIFY(outcome == Channel::Outcome::Violation && reason == CloseReason::FlowControl);
    }

    // G-7: one waiting message a million times over, each in a packet of its own.
    void repeatingAWaitingMessageAddsNothing() {
        Pair pair(pairSettings());
        Forged forged;
        forged.sections.guaranteed(9, std::array{std::uint64_t{3}, std::uint64_t{4}}, 1, numbered(1));
        static_cast<void>(forged.at(pair.b, 1));
        const std::size_t memory = pair.b.memory();
        Payload scratch;
        for (std::uint64_t n = 2; n < 1'000'002; ++n) {
            const auto judged = pair.b.receive(0, n, ByteView(forged.bytes).first(forged.out.size()), scratch);
            if (judged.outcome != Channel::Outcome::Accepted) {
                QFAIL("a duplicate is no fault");
            }
        }
        QCOMPARE(pair.b.receiveGraph().pendingEdges(), 2U);
        QCOMPARE(pair.b.memory(), memory);
        QCOMPARE(pair.b.counters().guaranteedDuplicate, std::uint64_t{1'000'000});
    }

    // G-9: whoever handles a delivery may send, close, and let go of handles.
    void handlersMaySendAndClose() {
        World world({.latency = 5 * Millisecond});
        const World::Ends ends = world.connected();
        auto handle = std::make_unique<MessageHandle>(ends.client->send(1, numbered(0)).handle);
        for (std::uint32_t n = 1; n < 20; ++n) {
            static_cast<void>(ends.client->send(1, numbered(n), std::span(handle.get(), 1)));
        }
        handle.reset();
        world.runFor(20 * Millisecond);
        Delivery delivery;
        std::uint32_t handled = 0;
        while (ends.server->next(delivery)) {
            ++handled;
            const auto answer = ends.server->send(2, delivery.body.bytes());
            if (handled == 10) {
                QVERIFY(answer.status == SendStatus::Sent);
                ends.server->close(CloseReason::Closed, 100 * Millisecond);
            } else if (handled > 10) {
                QVERIFY(answer.status == SendStatus::Closed);
            }
        }
        QCOMPARE(handled, 20U); // what was executed is delivered, closing or not
        delivery = {};
        std::uint32_t answers = 0;
        for (int i = 0; i < 40; ++i) {
            world.runFor(5 * Millisecond);
            ends.host->forEach([&](Connection& c) {
                Delivery answered;
                while (c.next(answered)) {
                    ++answers;
                }
            });
        }
        QCOMPARE(answers, 10U);
        QVERIFY(ended(*ends.host) == CloseReason::Closed);
    }

    // S-1: thirty thousand requests in a second, each from elsewhere: nothing is kept, the rate of answers is held, and those who
    // are connected notice nothing.
    void aFloodOfRequestsDisturbsNobody() {
        HostSettings base;
        base.challengesPerSecond = 2000.0;
        World world({.latency = 25 * Millisecond}, base);
        const World::Ends ends = world.connected();
        Host& other = world.addClient();
        std::vector<std::uint8_t> request;
        world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
            if (request.empty() && from == clientAddress(1)) {
                request.assign(bytes.begin(), bytes.end());
            }
        });
        other.connect(serverAddress());
        world.runFor(200 * Millisecond);
        world.network.setTap({});
        QCOMPARE(request.size(), std::size_t{1200});
        const std::size_t connections = world.server->connectionCount();
        const auto latencies = [&](bool flood) {
            std::vector<Time> waits;
            std::uint32_t source = 0;
            for (int i = 0; i < 60; ++i) {
                for (int n = 0; flood && n < 500; ++n, ++source) {
                    world.network.inject(Address::v4(172, static_cast<std::uint8_t>(source >> 16U),
                                                     static_cast<std::uint8_t>(source >> 8U),
                                                     static_cast<std::uint8_t>(source), 1),
                                         serverAddress(), request);
                }
                static_cast<void>(ends.client->send(1, numbered(0)));
                const Time sent = world.network.now();
                world.runFor(Second / 60);
                Delivery delivery;
                while (ends.server->next(delivery)) {
                    waits.push_back(delivery.executed - sent);
                }
            }
            std::sort(waits.begin(), waits.end());
            return waits[waits.size() * 99 / 100];
        };
        const Time quiet = latencies(false);
        const std::uint64_t answeredBefore = world.server->counters().challengesSent;
        const std::uint64_t bytesBefore = world.server->counters().handshakeBytesSent;
        const Time flooded = latencies(true);
        QVERIFY(flooded - quiet < 5 * Millisecond);
        const std::uint64_t answered = world.server->counters().challengesSent - answeredBefore;
        QVERIFY2(answered <= 4100, qPrintable(QString::number(answered))); // a second's worth saved up, and one of it
        QVERIFY(world.server->counters().challengesHeld >= 25'000);
        QCOMPARE(world.server->connectionCount(), connections);
        // S-2
        QVERIFY(static_cast<double>(world.server->counters().handshakeBytesSent - bytesBefore) < 0.1 * 1200.0 * 30'000.0);
    }

    // S-10: the first fragments of a thousand big messages: what is kept is what was granted, then the connection ends.
    void slowFragmentsAreCapped() {
        Pair pair(pairSettings());
        Channel::Received judged;
        std::uint64_t n = 1;
        for (; n <= 1000 && judged.outcome != Channel::Outcome::Violation; ++n) {
            Forged forged;
            forged.sections.fragment(n, {}, 1, 8 * FragmentSize, 0, 8, std::vector<std::uint8_t>(FragmentSize));
            judged = forged.at(pair.b, n);
            QVERIFY(pair.b.memory() < 256U * 1024U);
        }
        QVERIFY(n < 12);
        QVERIFY(judged.reason == CloseReason::FlowControl);
        // One that begins and never goes on is no better than one that waits.
        Pair slow(pairSettings());
        Forged forged;
        forged.sections.fragment(1, {}, 1, 2 * FragmentSize, 0, 2, std::vector<std::uint8_t>(FragmentSize));
        static_cast<void>(forged.at(slow.b, 1));
        CloseReason reason = CloseReason::None;
        for (Time now = 0; reason == CloseReason::None && now < 20 * Second; now += 100 * Millisecond) {
            reason = slow.b.update(now);
        }
        QVERIFY(reason == CloseReason::DependencyStalled);
    }

    // S-11: fragments that lie about themselves.
    void lyingFragmentsAreRefused_data() {
        QTest::addColumn<int>("which");
        for (const char* name : {"another count", "another total", "a last one of another size", "whole after fragments",
                                 "fragments after whole", "a total that is not its parts'"}) {
            static int which = 0;
            QTest::newRow(name) << which++;
        }
    }
    void lyingFragmentsAreRefused() {
        QFETCH(int, which);
        Pair pair(pairSettings());
        const std::vector<std::uint8_t> full(FragmentSize);
        const std::vector<std::uint8_t> rest(100);
        Forged first;
        Forged second;
        switch (which) {
        case 0:
            first.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 0, 3, full);
            second.sections.fragment(3, {}, 1, 3 * FragmentSize + 100, 1, 4, full);
            break;
        case 1:
            first.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 2, 3, rest);
            second.sections.fragment(3, {}, 1, 2 * FragmentSize + 90, 0, 3, full);
            break;
        case 2:
            first.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 0, 3, full);
            second.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 2, 3, ByteView(rest).first(99));
            break;
        case 3:
            first.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 1, 3, full);
            second.sections.guaranteed(3, {}, 1, numbered(1));
            break;
        case 4:
            first.sections.guaranteed(3, std::array{std::uint64_t{2}}, 1, numbered(1));
            second.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 1, 3, full);
            break;
        default:
            first.sections.fragment(3, {}, 1, 9 * FragmentSize, 0, 3, full);
            second.sections.fragment(3, {}, 1, 9 * FragmentSize, 2, 3, rest);
            break;
        }
        const auto one = first.at(pair.b, 1);
        if (one.outcome == Channel::Outcome::Accepted) {
            const auto two = second.at(pair.b, 2);
            if (which == 4) {
                // Here whole already: nothing is read of what comes again.
                QVERIFY(two.outcome == Channel::Outcome::Accepted);
                QCOMPARE(pair.b.counters().fragmentsDuplicate, std::uint64_t{1});
                return;
            }
            QVERIFY(two.outcome == Channel::Outcome::Violation && two.reason == CloseReason::Protocol);
        } else {
            QVERIFY(one.reason == CloseReason::Protocol && which == 5);
        }
        QCOMPARE(pair.b.deliveriesWaiting(), std::size_t{0});
    }

    // S-12: a peer with keys that sends ten times what it may: counted, then sent away; the others go on.
    void aFloodFromAPeerEndsIt() {
        HostSettings base;
        base.packetsPerSecond = 200.0;
        World world({.latency = 5 * Millisecond}, base);
        const World::Ends bad = world.connected();
        const World::Ends good = world.connected();
        CloseReason reason = CloseReason::None;
        for (int i = 0; i < 20'000 && reason == CloseReason::None; ++i) {
            static_cast<void>(bad.client->sendUnreliable(1, std::vector<std::uint8_t>(700)));
            if (i % 100 == 0) {
                static_cast<void>(good.client->send(1, numbered(static_cast<std::uint32_t>(i / 100))));
            }
            world.runFor(500 * Microsecond);
            reason = ended(*bad.host);
        }
        QVERIFY(reason == CloseReason::Rate);
        world.runFor(Second);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
        QVERIFY(good.server->counters().rateExceeded == 0);
        Tally tally;
        tally.take(*good.server);
        QVERIFY(tally.total > 0 && tally.ordered);
    }

    // S-19: what is secret is compared by the library's constant-time calls alone.
    void secretsAreComparedInConstantTime() {
        const QRegularExpression compares(
            QStringLiteral("(memcmp|std::equal)\\(.*(tag|cookie|mac|secret)|\\b(tag|cookie|mac|secret)\\w*\\s*(==|!=)|"
                           "(==|!=)\\s*[\\w.]*(tag|cookie|mac|secret)\\b"),
            QRegularExpression::CaseInsensitiveOption);
        QVERIFY(QStringLiteral("if (a.cookie == b.cookie)").contains(compares));
        QDirIterator files(QStringLiteral(SBX_SOURCE_DIR "/engine/net"), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
                           QDir::Files);
        int calls = 0;
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
            for (const QString& line : lines) {
                const QString code = line.section(QStringLiteral("//"), 0, 0);
                if (code.contains(QStringLiteral("sodium_memcmp")) || code.contains(QStringLiteral("sameBytes("))) {
                    ++calls;
                    continue;
                }
                QVERIFY2(!code.contains(compares), qPrintable(file.fileName() + line));
            }
        }
        QVERIFY(calls >= 4);
    }
};

QTEST_GUILESS_MAIN(TestHostile)
#include "tst_hostile.moc"
