#include <QtTest>

#include "engine/net/receive_graph.h"
#include "engine/net/received_packets.h"
#include "engine/net/send_graph.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>

using namespace sbx::net;

// Every state that a few messages can bring the twin graphs into, over a channel that loses, doubles and reorders: three bits of
// sequence number, a window of two, packets that may arrive up to four late, a few packets and two acknowledgements under way.
// The graphs, the replay window and the decoding are the shipping ones; what Channel does between them is restated here.

namespace {

constexpr std::uint32_t ReplayWindow = 4;
constexpr std::size_t MostAcks = 2;

struct Options {
    unsigned bits = 3;
    std::uint32_t window = 2;
    std::uint64_t messages = 4;
    std::uint64_t mostNeeds = 2;
    std::size_t mostFlying = 3;
    std::uint64_t mostSent = 6; // packets in all
    bool floorBound = true;     // S2: without it numbers become ambiguous
};

struct Packet {
    std::uint64_t number = 0;
    std::uint64_t message = 0; // what the sender means
    std::uint32_t wire = 0;
    std::vector<std::uint32_t> needs;
    bool operator<(const Packet& other) const { return number < other.number; }
};

struct State {
    explicit State(const Options& options) : sender(options.bits, 1), receiver(1, options.window) {}

    SendGraph sender;
    ReceiveGraph receiver;
    ReceivedPackets received{1, ReplayWindow};
    std::uint64_t nextPacket = 1;
    std::vector<std::vector<std::uint64_t>> needs;  // of message i + 1, as declared
    std::vector<std::uint64_t> floors;              // when packet i + 1 was sent
    std::vector<std::uint64_t> carried;             // by packet i + 1
    std::vector<std::uint64_t> executed;            // at the receiver, in order
    std::vector<Packet> flying;
    std::vector<std::uint64_t> acks; // packet numbers

    [[nodiscard]] std::string key() const {
        std::string text;
        const auto put = [&](std::uint64_t n) { text += static_cast<char>('0' + n); };
        put(sender.floor());
        put(sender.next());
        for (std::uint64_t n = 1; n < sender.next(); ++n) {
            put(sender.acknowledged(n) ? 1 : 0);
            put(sender.executed(n) ? 1 : 0);
            put(receiver.hasData(n) ? 1 : 0);
            for (const std::uint64_t need : needs[n - 1])
                put(need);
            text += ';';
        }
        for (const std::uint64_t n : executed)
            put(n);
        text += '|';
        put(nextPacket);
        for (const std::uint64_t n : floors)
            put(n);
        for (const std::uint64_t n : carried)
            put(n);
        for (std::uint64_t n = 1; n < nextPacket; ++n)
            put(received.received(n) ? 1 : 0);
        put(received.newest());
        auto sorted = flying;
        std::sort(sorted.begin(), sorted.end());
        for (const Packet& p : sorted) {
            put(p.number);
            for (const std::uint32_t need : p.needs)
                put(need);
            text += ',';
        }
        auto known = acks;
        std::sort(known.begin(), known.end());
        text += '/';
        for (const std::uint64_t a : known)
            put(a);
        return text;
    }
};

class Search {
public:
    explicit Search(Options options) : m_options(options) {}

    std::optional<std::string> fault;
    std::size_t states = 0;
    std::size_t drained = 0;

    // Depth first: the states that wait for their turn are few, and of the others their keys are kept.
    void run() {
        visit(State(m_options));
        while (!m_open.empty() && !fault) {
            const State state = std::move(m_open.back());
            m_open.pop_back();
            ++states;
            expand(state);
        }
    }

private:
    void visit(State state) {
        if (m_seen.insert(state.key()).second) {
            drained += state.executed.size() == m_options.messages && state.sender.floor() == state.sender.next() ? 1U : 0U;
            m_open.push_back(std::move(state));
        }
    }
    [[nodiscard]] std::uint64_t oldestFloor(const State& s) const {
        if (!m_options.floorBound)
            return s.sender.next();
        return s.nextPacket - 1 < ReplayWindow ? 1 : s.floors[s.nextPacket - ReplayWindow - 1];
    }
    void transmit(State s, std::uint64_t message) {
        Packet packet;
        packet.number = s.nextPacket++;
        packet.message = message;
        packet.wire = toWire(message, m_options.bits);
        std::vector<std::uint64_t> needs;
        s.sender.dependenciesOf(message, needs);
        for (const std::uint64_t need : needs)
            packet.needs.push_back(toWire(need, m_options.bits));
        s.floors.push_back(s.sender.floor());
        s.carried.push_back(message);
        s.flying.push_back(packet);
        visit(std::move(s));
    }
    void expand(const State& s) {
        const bool room = s.flying.size() < m_options.mostFlying && s.nextPacket <= m_options.mostSent;
        // A new message, with up to two of the earlier ones as needs.
        if (room && s.sender.next() <= m_options.messages) {
            const std::uint64_t own = s.sender.next();
            for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << (own - 1); ++chosen) {
                std::vector<std::uint64_t> needs;
                for (std::uint64_t n = 1; n < own; ++n)
                    if ((chosen >> (n - 1) & 1U) != 0)
                        needs.push_back(n);
                State next = s;
                next.sender.setLimits({m_options.window, 16, 1000});
                if (needs.size() > m_options.mostNeeds
                    || next.sender.admits(1, needs, oldestFloor(s)) != SendGraph::Admission::Admitted)
                    continue;
                const std::uint64_t sent = next.sender.add(1, needs);
                next.needs.push_back(std::move(needs));
                transmit(std::move(next), sent);
            }
        }
        // The same again, once it is thought lost.
        if (room)
            for (std::uint64_t n = s.sender.floor(); n != s.sender.next(); ++n)
                if (!s.sender.acknowledged(n))
                    transmit(s, n);
        for (std::size_t i = 0; i < s.flying.size(); ++i) {
            State lost = s;
            lost.flying.erase(lost.flying.begin() + static_cast<std::ptrdiff_t>(i));
            arrive(lost, s.flying[i]);
            visit(std::move(lost));
            arrive(s, s.flying[i]); // and comes again
        }
        for (std::size_t i = 0; i < s.acks.size(); ++i) {
            State gone = s;
            gone.acks.erase(gone.acks.begin() + static_cast<std::ptrdiff_t>(i));
            State told = gone;
            told.sender.acknowledge(s.carried[s.acks[i] - 1]);
            visit(std::move(gone));
            check(told);
            visit(std::move(told));
        }
    }
    void arrive(State s, const Packet& packet) {
        if (s.received.check(packet.number) != ReceivedPackets::Verdict::Fresh)
            return;
        const std::uint64_t message = fromWire(packet.wire, m_options.bits, s.receiver.floor());
        // P5: what is decoded is what was meant.
        if (message != packet.message)
            complain(s, "message " + std::to_string(packet.message) + " is taken for " + std::to_string(message));
        std::vector<std::uint64_t> needs;
        for (const std::uint32_t wire : packet.needs)
            needs.push_back(fromWire(wire, m_options.bits, s.receiver.floor()));
        if (!before(message, s.receiver.floor()) && message - s.receiver.floor() >= m_options.window)
            complain(s, "message " + std::to_string(message) + " is beyond the window");
        if (fault)
            return;
        s.received.accept(packet.number);
        s.receiver.addHead(message, needs);
        s.receiver.setData(message);
        s.receiver.run(100, [&](std::uint64_t n) {
            // P1: once, and after everything that was declared.
            for (const std::uint64_t need : s.needs[n - 1])
                if (std::find(s.executed.begin(), s.executed.end(), need) == s.executed.end())
                    complain(s, std::to_string(n) + " ran before " + std::to_string(need));
            if (std::find(s.executed.begin(), s.executed.end(), n) != s.executed.end())
                complain(s, std::to_string(n) + " ran twice");
            s.executed.push_back(n);
        });
        if (s.acks.size() < MostAcks)
            s.acks.push_back(packet.number);
        check(s);
        visit(std::move(s));
    }
    void check(const State& s) {
        // P3
        if (before(s.receiver.floor(), s.sender.floor()) || before(s.sender.next(), s.receiver.floor())
            || s.sender.next() - s.sender.floor() > m_options.window)
            complain(s, "floors out of order");
        // P4, P8: what the sender believes is so.
        for (std::uint64_t n = 1; n < s.sender.next(); ++n) {
            if (s.sender.acknowledged(n) && !s.receiver.hasData(n))
                complain(s, "acknowledged, but not stored");
            if (s.sender.executed(n) && !s.receiver.executed(n))
                complain(s, std::to_string(n) + " is believed executed");
        }
    }
    void complain(const State& s, const std::string& what) {
        if (!fault)
            fault = what + " in " + s.key();
    }

    Options m_options;
    std::vector<State> m_open;
    std::unordered_set<std::string> m_seen;
};

} // namespace

class TestSearch : public QObject {
    Q_OBJECT
private slots:
    void nothingGoesWrongInAnyState_data() {
        QTest::addColumn<int>("messages");
        QTest::addColumn<int>("sent");
        QTest::addColumn<int>("flying");
        QTest::addColumn<int>("window");
        QTest::newRow("four messages, each once") << 4 << 4 << 3 << 2;
        QTest::newRow("three, one of them again") << 3 << 4 << 3 << 2;
        QTest::newRow("three, one of them again, two under way, window of three") << 3 << 4 << 2 << 3;
        if (qEnvironmentVariableIsSet("SBX_SOAK")) { // minutes, and gigabytes
            QTest::newRow("four, each once, window of three") << 4 << 4 << 3 << 3;
            QTest::newRow("four, one of them again, two under way, window of three") << 4 << 5 << 2 << 3;
        }
    }
    void nothingGoesWrongInAnyState() {
        QFETCH(int, messages);
        QFETCH(int, sent);
        QFETCH(int, flying);
        QFETCH(int, window);
        Options options;
        options.window = static_cast<std::uint32_t>(window);
        options.messages = static_cast<std::uint64_t>(messages);
        options.mostSent = static_cast<std::uint64_t>(sent);
        options.mostFlying = static_cast<std::size_t>(flying);
        Search search(options);
        search.run();
        QVERIFY2(!search.fault, search.fault.value_or("").c_str());
        qInfo("%zu states, %zu of them with everything delivered", search.states, search.drained);
        QVERIFY(search.states > 100'000);
        QVERIFY(search.drained > 0);
    }
    // Two bits and a window of one. Without the rule that bounds numbers by the floor of packets under way, a late packet is taken
    // for a message that nobody sent.
    void theSearchFindsWhatARulePrevents() {
        const Options wraps{.bits = 2, .window = 1, .messages = 3, .mostNeeds = 0, .mostFlying = 2, .mostSent = 7};
        Search kept(wraps);
        kept.run();
        QVERIFY2(!kept.fault, kept.fault.value_or("").c_str());
        Options without = wraps;
        without.floorBound = false;
        Search search(without);
        search.run();
        QVERIFY(search.fault.has_value());
    }
};

QTEST_GUILESS_MAIN(TestSearch)
#include "tst_search.moc"
