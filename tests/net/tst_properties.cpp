#include <QtTest>

#include <rapidcheck.h>

#include "tests/net/pair.h"

#include <cstring>
#include <map>
#include <set>

using namespace sbx;
using namespace sbx::net;

namespace {

// One message of a script: how far back its needs lie, and how long after the one before it is sent.
struct Step {
    std::vector<int> back; // 1: the message before
    int pause = 0;         // ms
    int size = 4;
};

// What befalls datagrams, one after the other and then from the start: shrinks to the few that matter.
struct Fate {
    bool lost = false;
    bool twice = false;
    int late = 0; // ms
};

struct Script {
    unsigned bits = 5;
    std::vector<Step> steps;
    std::vector<Fate> up;
    std::vector<Fate> down;
};

rc::Gen<Fate> fates() {
    return rc::gen::build<Fate>(rc::gen::set(&Fate::lost, rc::gen::map(rc::gen::inRange(0, 4), [](int n) { return n == 3; })),
                                rc::gen::set(&Fate::twice, rc::gen::map(rc::gen::inRange(0, 8), [](int n) { return n == 7; })),
                                rc::gen::set(&Fate::late, rc::gen::inRange(0, 80)));
}
rc::Gen<Step> steps() {
    return rc::gen::build<Step>(
        rc::gen::set(&Step::back, rc::gen::resize(4, rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 12)))),
        rc::gen::set(&Step::pause, rc::gen::inRange(0, 40)), rc::gen::set(&Step::size, rc::gen::inRange(4, 40)));
}
rc::Gen<Script> scripts() {
    return rc::gen::build<Script>(
        rc::gen::set(&Script::bits, rc::gen::inRange(4U, 7U)),
        rc::gen::set(&Script::steps, rc::gen::resize(120, rc::gen::container<std::vector<Step>>(steps()))),
        rc::gen::set(&Script::up, rc::gen::resize(40, rc::gen::container<std::vector<Fate>>(fates()))),
        rc::gen::set(&Script::down, rc::gen::resize(40, rc::gen::container<std::vector<Fate>>(fates()))));
}

std::ostream& operator<<(std::ostream& out, const Script& script) {
    out << script.bits << " bits;";
    for (const Step& step : script.steps) {
        out << " [" << step.pause << " ms, " << step.size << " B, needs";
        for (const int back : step.back) {
            out << ' ' << back;
        }
        out << ']';
    }
    for (const auto* list : {&script.up, &script.down}) {
        out << (list == &script.up ? "; up" : "; down");
        for (const Fate& fate : *list) {
            out << ' ' << (fate.lost ? "lost" : fate.twice ? "twice" : "") << '+' << fate.late;
        }
    }
    return out;
}

// Runs a script to its end and complains of whatever breaks a property.
class Run {
public:
    explicit Run(const Script& script) : m_script(script), m_pair(settingsOf(script)) {
        m_pair.gate = [this](bool isForward, std::uint64_t number, ByteView payload) {
            const std::vector<Fate>& list = isForward ? m_script.up : m_script.down;
            std::size_t& next = isForward ? m_nextUp : m_nextDown;
            const Fate fate = list.empty() || m_fair ? Fate() : list[next++ % list.size()];
            std::vector<std::uint8_t> bytes(8);
            std::memcpy(bytes.data(), &number, 8);
            bytes.insert(bytes.end(), payload.begin(), payload.end());
            for (int copy = fate.lost ? 1 : 0; copy < (fate.twice ? 2 : 1); ++copy) {
                m_held.emplace(m_pair.now + (10 + fate.late * (copy + 1)) * Millisecond, std::pair(isForward, bytes));
            }
            return false; // this is the link
        };
    }

    void all() {
        for (const Step& step : m_script.steps) {
            pass(step.pause);
            send(step);
        }
        // P2: once the path is fair, everything arrives.
        m_fair = true;
        for (int i = 0; i < 600 && !(m_pair.a.drained() && m_order.size() == m_needs.size()); ++i) {
            pass(20);
        }
        RC_ASSERT(m_pair.closedA == CloseReason::None);
        RC_ASSERT(m_pair.closedB == CloseReason::None);
        RC_ASSERT(m_order.size() == m_needs.size());
        pass(200);
        RC_ASSERT(m_pair.a.drained());
        RC_ASSERT(m_pair.a.sendGraph().floor() == m_pair.b.receiveGraph().floor());
        RC_ASSERT(m_pair.a.sendGraph().pendingEdges() == 0U);
        RC_ASSERT(m_pair.b.receiveGraph().pendingEdges() == 0U);
    }
    [[nodiscard]] const std::vector<std::uint32_t>& order() const { return m_order; }

private:
    static PairSettings settingsOf(const Script& script) {
        PairSettings settings = pairSettings({.latency = 10 * Millisecond});
        for (ChannelSettings* end : {&settings.a, &settings.b}) {
            end->sequenceBits = script.bits;
            end->own.window = end->peer.window = 1U << (script.bits - 2U);
        }
        return settings;
    }
    void send(const Step& step) {
        const auto index = static_cast<std::uint32_t>(m_needs.size());
        std::vector<MessageHandle> handles;
        std::set<std::uint32_t> needs;
        for (const int back : step.back) {
            if (static_cast<std::uint32_t>(back) <= index) {
                needs.insert(index - static_cast<std::uint32_t>(back));
                handles.push_back(m_handles[index - static_cast<std::uint32_t>(back)]);
            }
        }
        std::vector<std::uint8_t> body(static_cast<std::size_t>(step.size));
        std::memcpy(body.data(), &index, 4);
        const net::SendResult sent = m_pair.a.send(1, body, handles, {}, m_pair.now);
        RC_ASSERT(sent.status == SendStatus::Sent || sent.status == SendStatus::WouldBlock);
        if (sent.status == SendStatus::Sent) {
            m_handles.push_back(sent.handle);
            m_needs.push_back(needs);
        }
    }
    void pass(int milliseconds) {
        const Time end = m_pair.now + milliseconds * Millisecond;
        m_pair.run(m_pair.now);
        check();
        while (!m_held.empty() && m_held.begin()->first <= end) {
            const auto held = m_held.extract(m_held.begin());
            m_pair.run(std::max(held.key(), m_pair.now));
            m_pair.receiveAt(held.mapped().first ? m_pair.b : m_pair.a, held.mapped().second);
            m_pair.run(m_pair.now);
            check();
        }
        m_pair.run(end);
        check();
    }
    void check() {
        Delivery delivery;
        while (m_pair.b.next(delivery)) {
            std::uint32_t index = 0;
            std::memcpy(&index, delivery.body.bytes().data(), 4);
            RC_ASSERT(index < m_needs.size());
            // P1: once, and after everything it needs.
            RC_ASSERT(m_executed.insert(index).second);
            for (const std::uint32_t need : m_needs[index]) {
                RC_ASSERT(m_executed.contains(need));
            }
            m_order.push_back(index);
        }
        // P3
        const std::uint64_t sender = m_pair.a.sendGraph().floor();
        const std::uint64_t receiver = m_pair.b.receiveGraph().floor();
        const std::uint64_t next = m_pair.a.sendGraph().next();
        RC_ASSERT(sender <= receiver);
        RC_ASSERT(receiver <= next);
        RC_ASSERT(next - sender <= (std::uint64_t{1} << (m_script.bits - 2U)));
        // P4: what the sender believes is so.
        for (std::size_t i = 0; i < m_handles.size(); ++i) {
            if (m_pair.a.state(m_handles[i]) == HandleState::Executed) {
                RC_ASSERT(m_executed.contains(static_cast<std::uint32_t>(i)));
            }
        }
    }

    const Script& m_script;
    Pair m_pair;
    std::multimap<Time, std::pair<bool, std::vector<std::uint8_t>>> m_held;
    std::size_t m_nextUp = 0;
    std::size_t m_nextDown = 0;
    bool m_fair = false;
    std::vector<MessageHandle> m_handles;
    std::vector<std::set<std::uint32_t>> m_needs;
    std::set<std::uint32_t> m_executed;
    std::vector<std::uint32_t> m_order;
};

} // namespace

class TestProperties : public QObject {
    Q_OBJECT
private slots:
    // P1 to P4, with numbers of 4 to 6 bits, so that they go around every few messages.
    void anyGraphOverAnyPath() {
        QVERIFY(rc::check("every message once, after its needs; the sender believes no more than is so", [] {
            const Script script = *scripts();
            RC_CLASSIFY(script.steps.size() > 64, "numbers went around");
            Run(script).all();
        }));
    }
    // P9: a chain is an ordered channel.
    void aChainIsAnOrderedChannel() {
        QVERIFY(rc::check("a chain arrives in the order of sending", [] {
            Script script = *scripts();
            for (Step& step : script.steps) {
                step.back = {1};
            }
            Run run(script);
            run.all();
            RC_ASSERT(std::is_sorted(run.order().begin(), run.order().end()));
        }));
    }
    // P5
    void numbersDecodeToWhatWasMeant() {
        QVERIFY(rc::check("the one number within half a span", [] {
            const unsigned bits = *rc::gen::inRange(2U, 33U);
            const auto reference = *rc::gen::arbitrary<std::uint64_t>();
            const std::uint64_t half = std::uint64_t{1} << (bits - 1U);
            const std::uint64_t offset = *rc::gen::arbitrary<std::uint64_t>() % (2 * half);
            const std::uint64_t full = reference - half + offset;
            RC_ASSERT(fromWire(toWire(full, bits), bits, reference) == full);
        }));
    }
    // P12: any bytes are taken or refused, and what is taken is written back the same.
    void anyBytesAreTakenOrRefused() {
        QVERIFY(rc::check("parsing is total", [] {
            const auto bytes = *rc::gen::resize(300, rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>()));
            Payload payload;
            const bool taken = parsePayload(bytes, 15, payload);
            Channel channel(pairSettings().b);
            Payload scratch;
            const auto received = channel.receive(0, 1, bytes, scratch);
            if (!taken) {
                RC_ASSERT(received.outcome == Channel::Outcome::Violation);
            }
            if (received.outcome == Channel::Outcome::Violation) {
                RC_ASSERT(channel.receiveGraph().floor() == 1U);
                RC_ASSERT(channel.deliveriesWaiting() == 0U);
                RC_ASSERT(channel.check(1) == ReceivedPackets::Verdict::Fresh);
            }
        }));
    }
};

QTEST_GUILESS_MAIN(TestProperties)
#include "tst_properties.moc"
