#include <QtTest>

#include "tests/net/forger.h"
#include "tests/net/numbered.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <deque>
#include <stdexcept>

// Graphs of messages as large, as long and as false as they come.
// What a machine needs for it is printed and not judged; what is judged is counted.

using namespace sbx;
using namespace sbx::net;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool Instrumented = true;
#else
constexpr bool Instrumented = false;
#endif

// Runs it on a thread with the smallest stack there is; no test macros in there.
template <typename Work> void onASmallStack(Work& work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (!Instrumented) {
        QCOMPARE(pthread_attr_setstacksize(&attributes, std::size_t{64} * 1024), 0);
    }
    pthread_t thread{};
    const auto run = [](void* argument) -> void* {
        (*static_cast<Work*>(argument))();
        return nullptr;
    };
    QCOMPARE(pthread_create(&thread, &attributes, run, &work), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

// Two pages, of which the second must not be touched.
class Brink {
public:
    Brink() {
        m_pages = ::mmap(nullptr, 2 * Page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        good = m_pages != MAP_FAILED && ::mprotect(static_cast<char*>(m_pages) + Page, Page, PROT_NONE) == 0;
    }
    ~Brink() { ::munmap(m_pages, 2 * Page); }
    Brink(const Brink&) = delete;
    Brink& operator=(const Brink&) = delete;
    // These bytes, and behind them as many more that nobody can read.
    [[nodiscard]] ByteView before(ByteView bytes, std::size_t more) const {
        auto* const at = static_cast<std::uint8_t*>(m_pages) + Page - bytes.size();
        std::copy(bytes.begin(), bytes.end(), at);
        return {at, bytes.size() + more};
    }
    bool good = false;

private:
    static inline const std::size_t Page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* m_pages = nullptr;
};

// Messages in packets as full as they can be; `needs` says what the next one waits for.
template <typename Needs> std::deque<Forged> packed(std::uint64_t first, std::uint64_t last, Needs needs) {
    std::deque<Forged> packets; // they may not move
    packets.emplace_back();
    for (std::uint64_t n = first; n <= last; ++n) {
        const auto of = needs(n);
        if (packets.back().out.size() > 1000
            || !packets.back().sections.guaranteed(n, of, 1, numbered(static_cast<std::uint32_t>(n - 1)))) {
            packets.emplace_back();
            packets.back().sections.guaranteed(n, of, 1, numbered(static_cast<std::uint32_t>(n - 1)));
        }
    }
    return packets;
}

} // namespace

class TestGraphs : public QObject {
    Q_OBJECT
private slots:
    // Sixty-four needs are read, sixty-five are refused, and so is a list that has no end. Of 590 words the parser looks at
    // sixty-six: what follows lies where nobody may look.
    void endlessDependenciesAreRefusedAtOnce() {
        const auto list = [](unsigned words, bool ends) {
            std::vector<std::uint8_t> bytes(2 + std::size_t{2} * words);
            ByteWriter out(bytes);
            out.u8(0);
            out.u8(static_cast<std::uint8_t>(SectionKind::Guaranteed) | (1U << 3U));
            for (unsigned n = 0; n < words; ++n) {
                out.u16(static_cast<std::uint16_t>((n + 1 < words || !ends ? 0x8000U : 0U) | (1000U - n)));
            }
            return bytes;
        };
        Payload scratch;
        for (unsigned needs = 0; needs <= 200; ++needs) {
            auto bytes = list(needs + 1, true);
            bytes.insert(bytes.end(), {1, 0}); // type, no body
            QCOMPARE(parsePayload(bytes, 15, scratch), needs <= 64);
            QVERIFY(!parsePayload(list(needs + 1, false), 15, scratch)); // without its end
        }
        const Brink brink;
        QVERIFY(brink.good);
        const ByteView endless = brink.before(list(66, false), std::size_t{2} * (590 - 66));
        QCOMPARE(endless.size(), std::size_t{2 + 2 * 590});
        QVERIFY(!parsePayload(endless, 15, scratch));
        constexpr int Times = 20'000;
        const double from = threadSeconds();
        for (int i = 0; i < Times; ++i) {
            QVERIFY(!parsePayload(endless, 15, scratch));
        }
        qInfo("%.2f us for 590 words (the goal: 5)", (threadSeconds() - from) / Times * 1e6);
    }

    // A message that needs one which is never sent waits, holding no more than it was granted; then the connection ends, and
    // both ends know why.
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
        // Looked at once a second.
        QVERIFY2(now > 11 * Second && now <= 12 * Second + 100 * Millisecond,
                 qPrintable(QString::number(now / Millisecond)));
        QCOMPARE(pair.b.deliveriesWaiting(), std::size_t{0});

        World world;
        Forger peer(world);
        const World::Ends other = world.connected();
        QVERIFY(peer.ready() && other.server != nullptr);
        peer.send(ByteView(forged.bytes).first(forged.out.size()));
        world.runFor(10'900 * Millisecond);
        QCOMPARE(world.server->connectionCount(), std::size_t{2}); // their pings keep it alive
        QVERIFY(peer.ends.server->memory() <= std::size_t{64} * 1024);
        world.runFor(2 * Second);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
        QVERIFY(ended(*world.server) == CloseReason::DependencyStalled);
        QVERIFY(ended(*peer.ends.host) == CloseReason::DependencyStalled);
        QVERIFY(other.server->state() == Connection::State::Connected);
    }

    // The window filled at line rate with messages that all need one that never comes: memory is bounded by what was granted,
    // and one more ends it; without that one the wait ends it.
    void aWindowOfWaitingMessagesIsBounded() {
        const std::uint64_t window = Limits{}.window;
        const auto needs = [](std::uint64_t) { return std::array{std::uint64_t{1}}; };
        const auto packets = packed(2, window, needs);
        double best = 1e9;
        std::size_t memory = 0;
        Payload scratch; // as a host has it: one for all that comes
        for (int round = 0; round < 5; ++round) {
            Pair pair(pairSettings());
            std::uint64_t number = 1;
            const double from = threadSeconds();
            for (const Forged& packet : packets) {
                QVERIFY(pair.b.receive(0, number++, ByteView(packet.bytes).first(packet.out.size()), scratch)
                            .outcome
                        == Channel::Outcome::Accepted);
            }
            best = std::min(best, (threadSeconds() - from) / static_cast<double>(packets.size()));
            memory = pair.b.memory();
            QCOMPARE(pair.b.receiveGraph().pendingEdges(), static_cast<std::uint32_t>(window - 1));
            QCOMPARE(pair.b.deliveriesWaiting(), std::size_t{0});
            // A slot, an edge and a small block for each, and rings that double.
            QVERIFY2(memory < 512 * window, qPrintable(QString::number(memory)));
            if (round % 2 == 0) {
                Forged more;
                more.sections.guaranteed(window + 1, needs(0), 1, numbered(1));
                const auto judged = more.at(pair.b, number);
                QVERIFY(judged.outcome == Channel::Outcome::Violation
                        && judged.reason == CloseReason::FlowControl);
            } else {
                CloseReason reason = CloseReason::None;
                for (Time now = 0; reason == CloseReason::None && now < 20 * Second;
                     now += 100 * Millisecond) {
                    reason = pair.b.update(now);
                }
                QVERIFY(reason == CloseReason::DependencyStalled);
            }
        }
        qInfo("%.2f us a packet of %zu messages (the goal for one: 5), %zu bytes", best * 1e6,
              static_cast<std::size_t>(window) / packets.size(), memory);
    }

    // A chain as long as the largest window, released by its first, on a thread with the smallest stack there is: no recursion in
    // either graph, in order, and no more in one pump than its budget.
    void aChainNeedsNoStack() {
        struct Work {
            bool ordered = true;
            std::uint32_t calls = 0;
            std::uint64_t last = 0;
            std::uint64_t sendersFloor = 0;
            std::vector<std::size_t> pumps; // deliveries of each
            bool inOrder = true;
            void operator()() {
                graphs();
                channel();
            }
            void graphs() {
                ReceiveGraph graph(1, 8192);
                for (std::uint64_t n = 8192; n >= 2; --n) {
                    graph.addHead(n, std::array{n - 1});
                    graph.setData(n);
                }
                graph.addHead(1, {});
                graph.setData(1);
                while (graph.ready()) {
                    ++calls;
                    graph.run(4096, [&](std::uint64_t n) {
                        ordered = ordered && n == last + 1;
                        last = n;
                    });
                }
                SendGraph sender(15, 1);
                sender.setLimits({8192, 16U * 1024U, 1U << 20U});
                for (std::uint64_t n = 1; n <= 8192; ++n) {
                    std::vector<std::uint64_t> needs;
                    if (n > 1) {
                        needs.push_back(n - 1);
                    }
                    sender.add(1, needs);
                }
                for (std::uint64_t n = 8192; n >= 1; --n) {
                    sender.acknowledge(n);
                }
                sendersFloor = sender.floor();
            }
            void channel() {
                PairSettings settings = pairSettings();
                settings.b.own.window = 8192;
                const auto receiver = std::make_unique<Channel>(settings.b);
                const auto payload = std::make_unique<Payload>();
                const auto packets = packed(1, 8192, [](std::uint64_t n) {
                    return n == 1 ? std::vector<std::uint64_t>() : std::vector{n - 1};
                });
                std::uint64_t number = 1;
                for (std::size_t i = packets.size(); i-- > 0;) { // the first comes last
                    receiver->receive(0, number++, ByteView(packets[i].bytes).first(packets[i].out.size()),
                                      *payload);
                    take(*receiver);
                }
                for (Time now = 1; receiver->nextTimer(now) <= now && now < 100; ++now) {
                    static_cast<void>(receiver->update(now));
                    take(*receiver);
                }
            }
            void take(Channel& receiver) {
                if (receiver.deliveriesWaiting() > 0) {
                    pumps.push_back(receiver.deliveriesWaiting());
                }
                ReceivedMessage delivery;
                while (receiver.next(delivery)) {
                    inOrder = inOrder && numberOf(delivery.body.bytes()) == m_taken++;
                }
            }

        private:
            std::uint32_t m_taken = 0;
        };
        const auto work = std::make_unique<Work>();
        onASmallStack(*work);
        QVERIFY(work->ordered);
        QCOMPARE(work->last, std::uint64_t{8192});
        QCOMPARE(work->calls, 2U);
        QCOMPARE(work->sendersFloor, std::uint64_t{8193});
        QVERIFY(work->inOrder);
        QCOMPARE(work->pumps, (std::vector<std::size_t>{4096, 4096}));
    }

    // A window of messages on one, which comes last.
    void aWindowWaitsForOne() {
        Pair pair(pairSettings());
        const std::uint64_t window = pair.b.receiveGraph().window();
        std::uint64_t number = 1;
        Payload scratch;
        for (const Forged& packet :
             packed(2, window, [](std::uint64_t) { return std::array{std::uint64_t{1}}; })) {
            QVERIFY(
                pair.b.receive(0, number++, ByteView(packet.bytes).first(packet.out.size()), scratch).outcome
                == Channel::Outcome::Accepted);
        }
        QCOMPARE(pair.b.deliveriesWaiting(), std::size_t{0});
        QCOMPARE(pair.b.receiveGraph().pendingEdges(), static_cast<std::uint32_t>(window - 1));
        Forged one;
        one.sections.guaranteed(1, {}, 1, numbered(0));
        QVERIFY(one.at(pair.b, number).outcome == Channel::Outcome::Accepted);
        Tally tally;
        tally.take(pair.b);
        QVERIFY(tally.onceEach(static_cast<std::uint32_t>(window)) && tally.ordered);
        QCOMPARE(pair.b.receiveGraph().pendingEdges(), 0U);
        // And at the sender, whose first packet is lost.
        Pair whole(pairSettings());
        const MessageHandle root = whole.a.send(1, numbered(0), {}, {}, 0).handle;
        whole.gate = [](bool isForward, std::uint64_t packet, ByteView) { return !isForward || packet != 1; };
        whole.run(0);
        std::uint32_t sent = 1;
        while (whole.a.send(1, numbered(sent), std::span(&root, 1), {}, 0).status == SendStatus::Sent) {
            ++sent;
        }
        QCOMPARE(sent, 1024U);
        QVERIFY(whole.drain(5 * Second));
        Tally all;
        all.take(whole.b);
        QVERIFY(all.onceEach(sent) && all.ordered);
        QVERIFY(whole.b.counters().guaranteedWaited > 100);
    }
    // A window with 64 needs each is more edges than were granted: the sender waits, and one that does not is sent away.
    void edgesAreCapped() {
        Pair pair(pairSettings());
        pair.gate = [](bool isForward, std::uint64_t, ByteView) { return !isForward; };
        std::vector<MessageHandle> handles;
        SendStatus status = SendStatus::Sent;
        std::uint32_t edges = 0;
        while (status == SendStatus::Sent && handles.size() < 2000) {
            const std::size_t count = std::min<std::size_t>(handles.size(), 64);
            const auto result = pair.a.send(1, numbered(1), std::span(handles).last(count), {}, pair.now);
            status = result.status;
            if (status == SendStatus::Sent) {
                handles.push_back(result.handle);
                edges += static_cast<std::uint32_t>(count);
            }
        }
        QVERIFY(status == SendStatus::WouldBlock);
        QCOMPARE(pair.a.sendGraph().pendingEdges(), edges);
        QVERIFY(edges <= Limits{}.pendingEdges && edges + 64 > Limits{}.pendingEdges); // to the brim
        // A peer that does not count along, over the wire: both ends hear why, and nobody else is concerned.
        World world;
        Forger peer(world);
        const World::Ends other = world.connected();
        QVERIFY(peer.ready() && other.server != nullptr);
        std::uint32_t most = 0;
        std::size_t memory = 0;
        std::uint64_t last = 99;
        while (peer.ends.server->state() == Connection::State::Connected && last < 1000) {
            Forged forged;
            for (int i = 0; i < 4; ++i) {
                std::vector<std::uint64_t> needs(64);
                ++last;
                for (std::uint64_t d = 0; d < 64; ++d) {
                    needs[d] = last - 1 - d;
                }
                QVERIFY(forged.sections.guaranteed(last, needs, 1, numbered(1)));
            }
            peer.send(ByteView(forged.bytes).first(forged.out.size()));
            world.runFor(5 * Millisecond);
            most = std::max(most, peer.ends.server->channel().receiveGraph().pendingEdges());
            memory = std::max(memory, peer.ends.server->memory());
        }
        QCOMPARE(most, Limits{}.pendingEdges); // 256 of them
        QVERIFY2(memory < std::size_t{1024} * 1024, qPrintable(QString::number(memory)));
        world.runFor(Second);
        QVERIFY(ended(*world.server) == CloseReason::FlowControl);
        QVERIFY(ended(*peer.ends.host) == CloseReason::FlowControl);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
        QVERIFY(other.server->state() == Connection::State::Connected);
    }

    // One waiting message a million times over, each in a packet of its own.
    void repeatingAWaitingMessageAddsNothing() {
        Pair pair(pairSettings());
        Forged forged;
        forged.sections.guaranteed(9, std::array{std::uint64_t{3}, std::uint64_t{4}}, 1, numbered(1));
        static_cast<void>(forged.at(pair.b, 1));
        const std::size_t memory = pair.b.memory();
        Payload scratch;
        for (std::uint64_t n = 2; n < 1'000'002; ++n) {
            const auto judged =
                pair.b.receive(0, n, ByteView(forged.bytes).first(forged.out.size()), scratch);
            if (judged.outcome != Channel::Outcome::Accepted) {
                QFAIL("a duplicate is no fault");
            }
        }
        QCOMPARE(pair.b.receiveGraph().pendingEdges(), 2U);
        QCOMPARE(pair.b.memory(), memory);
        QCOMPARE(pair.b.counters().guaranteedDuplicate, std::uint64_t{1'000'000});
        // Its needs, one after the other: it runs once.
        for (const std::uint64_t needed : {4U, 3U}) {
            QCOMPARE(pair.b.counters().guaranteedExecuted, std::uint64_t{4 - needed});
            Forged one;
            one.sections.guaranteed(needed, {}, 1, numbered(2));
            QVERIFY(one.at(pair.b, 2'000'000 + needed).outcome == Channel::Outcome::Accepted);
        }
        QCOMPARE(pair.b.counters().guaranteedExecuted, std::uint64_t{3});
        QCOMPARE(pair.b.receiveGraph().pendingEdges(), 0U);
    }

    // B needs A, C needs B; B's packet is lost while A's and C's are acknowledged: B is not executed at the sender, what comes
    // after goes out with its needs, and the receiver runs them in their order. (With rule AcknowledgedBeforeExecuted taken out, tst_rules finds it broken.)
    void whatIsLostIsNotExecuted() {
        Pair pair(pairSettings());
        const auto send = [&](std::uint32_t n, std::initializer_list<MessageHandle> needs) {
            return pair.a.send(1, numbered(n), std::span(needs.begin(), needs.size()), {}, pair.now).handle;
        };
        std::vector<std::uint16_t> needsOfC;
        const auto look = [&](bool isForward, ByteView payload) {
            Payload parsed;
            if (!isForward || !parsePayload(payload, 15, parsed)) {
                return;
            }
            for (const WireMessage& message : parsed.messages) {
                if (message.sequence == 3) {
                    needsOfC.assign(parsed.dependencies.begin() + message.firstDependency,
                                    parsed.dependencies.begin() + message.firstDependency
                                        + message.dependencyCount);
                }
            }
        };
        const MessageHandle a = send(0, {});
        pair.run(5 * Millisecond);
        pair.gate = [](bool isForward, std::uint64_t, ByteView) { return !isForward; };
        const MessageHandle b = send(1, {a});
        pair.run(6 * Millisecond);
        pair.gate = [&](bool isForward, std::uint64_t, ByteView payload) {
            look(isForward, payload);
            return true;
        };
        pair.run(55 * Millisecond); // A's acknowledgement is here
        QVERIFY(pair.a.state(a) == HandleState::Executed);
        QVERIFY(pair.a.state(b) == HandleState::Pending);
        const MessageHandle c = send(2, {b});
        pair.run(56 * Millisecond);
        QCOMPARE(needsOfC, std::vector<std::uint16_t>{2});
        QVERIFY(pair.a.state(c) == HandleState::Pending);
        pair.run(Second);
        Tally tally;
        tally.take(pair.b);
        QVERIFY(tally.onceEach(3) && tally.ordered);
        QVERIFY(pair.a.state(c) == HandleState::Executed);
    }

    // The handler of a delivery may throw, send, close, and release handles: every message is delivered once, and none while the
    // handler runs.
    void handlersMaySendAndClose() {
        World world({.latency = 5 * Millisecond});
        const World::Ends ends = world.connected();
        auto handle = std::make_unique<MessageHandle>(ends.client->send(1, numbered(0)).handle);
        for (std::uint32_t n = 1; n < 20; ++n) {
            static_cast<void>(ends.client->send(1, numbered(n), std::span(handle.get(), 1)));
        }
        handle.reset();
        world.runFor(20 * Millisecond);
        ReceivedMessage delivery;
        std::uint32_t handled = 0;
        while (ends.server->next(delivery)) {
            ++handled;
            const std::size_t waiting = ends.server->channel().deliveriesWaiting();
            const auto answer = ends.server->send(2, delivery.body.bytes());
            if (handled == 10) {
                QVERIFY(answer.status == SendStatus::Sent);
                ends.server->close(CloseReason::Closed, 100 * Millisecond);
            } else if (handled > 10) {
                QVERIFY(answer.status == SendStatus::Closed);
            }
            QCOMPARE(ends.server->channel().deliveriesWaiting(), waiting); // no call delivers
        }
        QCOMPARE(handled, 20U); // what was executed is delivered, closing or not
        delivery = {};
        std::uint32_t answers = 0;
        for (int i = 0; i < 40; ++i) {
            world.runFor(5 * Millisecond);
            ends.host->forEach([&](Connection& c) {
                ReceivedMessage answered;
                while (c.next(answered)) {
                    ++answers;
                }
            });
        }
        QCOMPARE(answers, 10U);
        QVERIFY(ended(*ends.host) == CloseReason::Closed);
    }
    void handlersMayThrow() {
        World world({.latency = 5 * Millisecond, .jitter = 5 * Millisecond, .loss = 0.1});
        const World::Ends ends = world.connected();
        std::vector<int> times(300, 0);
        const auto takeOne = [&](Connection& from) {
            ReceivedMessage delivery; // is gone when this is left, however it is
            if (!from.next(delivery)) {
                return false;
            }
            const std::uint32_t number = numberOf(delivery.body.bytes());
            ++times.at(number);
            static_cast<void>(from.send(2, delivery.body.bytes()));
            if (number % 7 == 3) {
                throw std::runtime_error("no more of this");
            }
            return true;
        };
        MessageHandle last;
        std::uint32_t thrown = 0;
        for (std::uint32_t n = 0; n < 500; ++n) {
            if (n < 300) {
                last =
                    ends.client->send(1, numbered(n), last ? std::span(&last, 1) : std::span<MessageHandle>())
                        .handle;
            }
            world.runFor(10 * Millisecond);
            for (bool more = true; more;) {
                try {
                    more = takeOne(*ends.server);
                } catch (const std::runtime_error&) {
                    ++thrown;
                    ends.server->channel().handlerFailed();
                }
            }
        }
        QCOMPARE(thrown, 43U);
        QCOMPARE(ends.server->channel().counters().handlerFailures, std::uint64_t{thrown});
        QVERIFY(std::all_of(times.begin(), times.end(), [](int n) { return n == 1; }));
        // It stays executed, for both.
        QVERIFY(ends.host->state(last) == HandleState::Executed);
        QVERIFY(ends.client->channel().drained());
        Tally answers;
        answers.take(*ends.client);
        QVERIFY(answers.onceEach(300));
    }

    // What is said while the connection ends is refused, and a thousand handles that live on say that it is closed.
    void handlesOutliveTheirConnection_data() {
        QTest::addColumn<int>("how");
        QTest::newRow("closed here") << 0;
        QTest::newRow("closed there") << 1;
        QTest::newRow("timed out") << 2;
        QTest::newRow("lingering") << 3;
    }
    void handlesOutliveTheirConnection() {
        QFETCH(int, how);
        World world({.latency = 10 * Millisecond});
        const World::Ends ends = world.connected();
        QVERIFY(ends.server != nullptr);
        for (const auto& [from, to] :
             {std::pair{clientAddress(0), serverAddress()}, std::pair{serverAddress(), clientAddress(0)}}) {
            // Nothing arrives any more, but what the other end closes with.
            world.network.direction(from, to).setSettings(
                {.latency = 10 * Millisecond, .loss = how == 1 && from == serverAddress() ? 0.0 : 1.0});
        }
        std::vector<MessageHandle> handles;
        for (std::uint32_t n = 0; n < 1000; ++n) {
            const auto sent = ends.client->send(1, numbered(n));
            QVERIFY(sent.status == SendStatus::Sent);
            handles.push_back(sent.handle);
        }
        const auto all = [&](HandleState state) {
            return std::all_of(handles.begin(), handles.end(),
                               [&](const MessageHandle& h) { return ends.host->state(h) == state; });
        };
        QVERIFY(all(HandleState::Pending));
        if (how == 1) {
            ends.server->close();
        } else if (how != 2) {
            ends.client->close(CloseReason::Closed, how == 3 ? Second : 0);
            const auto late = ends.client->send(1, numbered(1000), std::span(handles).first(1));
            QVERIFY(late.status == SendStatus::Closed && !late.handle);
            QVERIFY(ends.client->sendUnreliable(1, numbered(1000)) == SendStatus::Closed);
            QVERIFY(all(HandleState::Pending));
        }
        const std::uint32_t id = ends.client->id();
        for (int i = 0; i < 300 && ends.host->find(id) != nullptr; ++i) {
            QVERIFY(all(ends.host->find(id)->state() == Connection::State::Closed ? HandleState::Closed
                                                                                  : HandleState::Pending));
            world.runFor(50 * Millisecond);
        }
        QVERIFY(ends.host->find(id) == nullptr);
        QVERIFY(all(HandleState::Closed));
        // As needs of what the next connection sends they are refused, and nothing is half done.
        for (const auto& [from, to] :
             {std::pair{clientAddress(0), serverAddress()}, std::pair{serverAddress(), clientAddress(0)}}) {
            world.network.direction(from, to).setSettings({.latency = 10 * Millisecond});
        }
        ends.host->connect(serverAddress());
        world.runFor(Second);
        Connection* next = nullptr;
        ends.host->forEach([&](Connection& c) { next = &c; });
        QVERIFY(next != nullptr && next->state() == Connection::State::Connected);
        const std::uint64_t before = next->channel().sendGraph().next();
        QVERIFY(next->send(1, numbered(0), std::span(handles).first(3)).status
                == SendStatus::StaleDependency);
        QCOMPARE(next->channel().sendGraph().next(), before);
        QVERIFY(all(HandleState::Closed));
    }
};

QTEST_GUILESS_MAIN(TestGraphs)
#include "tst_graphs.moc"
