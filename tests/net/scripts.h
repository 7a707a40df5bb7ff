#pragma once
// Scripts of messages and of what happens to their datagrams, at random (rapidcheck) and such that they shrink, and a run of one between
// two channels that complains of whatever breaks a property. The properties are those of README.md.

#include "tests/net/pair.h"

#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <set>

namespace sbx::net {

// One message of a script: how far back its needs lie, and how long after the one before it is sent.
struct Step {
    std::vector<int> back; // 1: the message before
    int pause = 0;         // ms
    int size = 4;
    bool restart = false; // before it both ends are closed and made anew
};

// What happens to datagrams, one after the other and then from the start: shrinks to the few that matter.
struct Fate {
    bool lost = false;
    bool twice = false;
    int late = 0; // ms
};

struct Script {
    [[nodiscard]] unsigned bits() const {
        return static_cast<unsigned>(std::bit_width(window - 1)) + 2U + spare;
    }

    std::uint32_t window = 8;
    unsigned spare = 0; // bits of number beyond those that the window needs
    std::vector<Step> steps;
    std::vector<Fate> up;
    std::vector<Fate> down;
};

inline rc::Gen<Fate> fates() {
    return rc::gen::build<Fate>(
        rc::gen::set(&Fate::lost, rc::gen::map(rc::gen::inRange(0, 4), [](int n) { return n == 3; })),
        rc::gen::set(&Fate::twice, rc::gen::map(rc::gen::inRange(0, 8), [](int n) { return n == 7; })),
        rc::gen::set(&Fate::late, rc::gen::inRange(0, 80)));
}
inline rc::Gen<Step> steps() {
    return rc::gen::build<Step>(
        rc::gen::set(&Step::back,
                     rc::gen::resize(4, rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 12)))),
        rc::gen::set(&Step::pause, rc::gen::inRange(0, 40)),
        rc::gen::set(&Step::size, rc::gen::inRange(4, 40)),
        rc::gen::set(&Step::restart, rc::gen::map(rc::gen::inRange(0, 60), [](int n) { return n == 59; })));
}
// Which graph it is that a script's messages make: each has its needs as steps back.
enum class Shape { Random, Crowded, Chain, StarOut, StarIn, Layered, Diamonds };
inline std::vector<int> needsOf(Shape shape, int index, int width, const std::vector<int>& random) {
    std::vector<int> back;
    const int place = index % width;
    switch (shape) {
    case Shape::Random:
        back = random;
        break;
    case Shape::Crowded: // up to all that one message may name
        for (int n = 1; n <= std::min(index, 64); n += 1 + (random.empty() ? 0 : random[0] % 3))
            back.push_back(n);
        break;
    case Shape::Chain:
        back = {1};
        break;
    case Shape::StarOut: // all need the first
        if (index > 0)
            back = {index};
        break;
    case Shape::StarIn: // one needs many
        for (int n = 1; place == width - 1 && n < std::min(width, 65); ++n)
            back.push_back(n);
        break;
    case Shape::Layered: // each needs all of the layer before
        for (int n = 1; index >= width && n <= std::min(width, 64); ++n)
            back.push_back(place + n);
        break;
    case Shape::Diamonds: // one, two that need it, one that needs both; the next begins at its end
        back = index % 3 == 0 ? std::vector{1, 2} : std::vector{index % 3};
        break;
    }
    return back;
}
// Scripts of every shape.
inline rc::Gen<Script> scripts();
inline rc::Gen<Script> shapedScripts() {
    return rc::gen::map(
        rc::gen::tuple(scripts(),
                       rc::gen::element(Shape::Random, Shape::Crowded, Shape::Chain, Shape::StarOut,
                                        Shape::StarIn, Shape::Layered, Shape::Diamonds),
                       rc::gen::inRange(2, 66)),
        [](const std::tuple<Script, Shape, int>& drawn) {
            auto [script, shape, width] = drawn;
            for (std::size_t i = 0; i < script.steps.size(); ++i)
                script.steps[i].back = needsOf(shape, static_cast<int>(i), width, script.steps[i].back);
            return script;
        });
}

inline rc::Gen<Script> scripts() {
    return rc::gen::build<Script>(
        rc::gen::set(&Script::window, rc::gen::element(2U, 3U, 4U, 8U, 16U, 100U, 1024U)),
        rc::gen::set(&Script::spare, rc::gen::inRange(0U, 2U)),
        rc::gen::set(&Script::steps, rc::gen::resize(120, rc::gen::container<std::vector<Step>>(steps()))),
        rc::gen::set(&Script::up, rc::gen::resize(40, rc::gen::container<std::vector<Fate>>(fates()))),
        rc::gen::set(&Script::down, rc::gen::resize(40, rc::gen::container<std::vector<Fate>>(fates()))));
}

inline std::ostream& operator<<(std::ostream& out, const Script& script) {
    out << "window " << script.window << ", " << script.bits() << " bits;";
    for (const Step& step : script.steps) {
        out << (step.restart ? " anew" : "") << " [" << step.pause << " ms, " << step.size << " B, needs";
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
    explicit Run(const Script& script, Time begin = 0) : m_script(script), m_begin(begin) { open(begin); }

    void all() {
        for (const Step& step : m_script.steps) {
            pass(step.pause);
            if (step.restart) {
                restart();
            }
            send(step);
        }
        // P2: once the path is fair, everything arrives.
        m_fair = true;
        for (int i = 0; i < 600 && !(m_pair->a.drained() && m_executed.size() == m_needs.size()); ++i) {
            pass(20);
        }
        RC_ASSERT(m_pair->closedA == CloseReason::None);
        RC_ASSERT(m_pair->closedB == CloseReason::None);
        RC_ASSERT(m_executed.size() == m_needs.size());
        pass(200);
        RC_ASSERT(m_pair->a.drained());
        RC_ASSERT(m_pair->a.sendGraph().floor() == m_pair->b.receiveGraph().floor());
        RC_ASSERT(m_pair->a.sendGraph().pendingEdges() == 0U);
        RC_ASSERT(m_pair->b.receiveGraph().pendingEdges() == 0U);
    }
    // Since the last restart, messages by index; when, counted from the beginning.
    [[nodiscard]] const std::vector<std::uint32_t>& order() const { return m_order; }
    [[nodiscard]] const std::vector<Time>& times() const { return m_times; }
    [[nodiscard]] const std::map<std::uint32_t, Time>& arrived() const { return m_arrived; }
    [[nodiscard]] std::uint64_t waited() const { return m_pair->b.counters().guaranteedWaited; }

private:
    void open(Time now) {
        PairSettings settings = pairSettings({.latency = 10 * Millisecond});
        for (ChannelSettings* end : {&settings.a, &settings.b}) {
            end->sequenceBits = m_script.bits();
            end->own.window = end->peer.window = m_script.window;
            end->epoch += m_epoch;
        }
        m_pair.emplace(settings);
        m_pair->now = now;
        m_lastNumber = 0;
        m_lastNeeds.clear();
        m_pair->gate = [this](bool isForward, std::uint64_t number, ByteView payload) {
            if (isForward) {
                onWire(number, payload);
            }
            const std::vector<Fate>& list = isForward ? m_script.up : m_script.down;
            std::size_t& next = isForward ? m_nextUp : m_nextDown;
            const Fate fate = list.empty() || m_fair ? Fate() : list[next++ % list.size()];
            std::vector<std::uint8_t> bytes(8);
            std::memcpy(bytes.data(), &number, 8);
            bytes.insert(bytes.end(), payload.begin(), payload.end());
            for (int copy = fate.lost ? 1 : 0; copy < (fate.twice ? 2 : 1); ++copy) {
                m_held.emplace(m_pair->now + (10 + fate.late * (copy + 1)) * Millisecond,
                               std::pair(isForward, bytes));
            }
            return false; // this is the link
        };
    }
    // Both ends forget; what is still on its way was sealed with keys that are no more. Old handles are stale, and useless as needs.
    void restart() {
        const std::vector<MessageHandle> old = m_handles;
        m_held.clear();
        m_handles.clear();
        m_needs.clear();
        m_executed.clear();
        m_order.clear();
        m_times.clear();
        m_arrived.clear();
        ++m_epoch;
        open(m_pair->now);
        for (const MessageHandle& handle : old) {
            RC_ASSERT(m_pair->a.state(handle) == HandleState::Stale);
        }
        if (!old.empty()) {
            const auto refused = m_pair->a.send(1, {}, std::span(old).last(1), {}, m_pair->now);
            RC_ASSERT(refused.status == SendStatus::StaleDependency);
            RC_ASSERT(m_pair->a.drained());
        }
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
        const net::SendReceipt sent = m_pair->a.send(1, body, handles, {}, m_pair->now);
        RC_ASSERT(sent.status == SendStatus::Sent || sent.status == SendStatus::WouldBlock);
        if (sent.status == SendStatus::Sent) {
            m_handles.push_back(sent.handle);
            m_needs.push_back(needs);
        }
    }
    // P6 and P13: numbers only rise, and what is named is what is needed and not known executed.
    void onWire(std::uint64_t number, ByteView bytes) {
        RC_ASSERT(number > m_lastNumber);
        m_lastNumber = number;
        RC_ASSERT(parsePayload(bytes, m_script.bits(), m_payload));
        for (const WireMessage& message : m_payload.messages) {
            const std::uint64_t floor = m_pair->a.sendGraph().floor();
            const std::uint64_t sequence = fromWire(message.sequence, m_script.bits(), floor);
            std::set<std::uint64_t> named;
            for (std::uint32_t i = 0; i < message.dependencyCount; ++i) {
                named.insert(
                    fromWire(m_payload.dependencies[message.firstDependency + i], m_script.bits(), floor));
            }
            std::set<std::uint64_t> expected;
            std::uint32_t index = 0;
            RC_ASSERT(message.body.size() >= sizeof index);
            std::memcpy(&index, message.body.data(), sizeof index);
            RC_ASSERT(m_handles.size() <= index || m_handles[index].sequence == sequence);
            for (const std::uint32_t need : m_needs[index]) {
                if (m_pair->a.state(m_handles[need]) != HandleState::Executed) {
                    expected.insert(m_handles[need].sequence);
                }
            }
            RC_ASSERT(named == expected);
            const auto before = m_lastNeeds.find(sequence);
            RC_ASSERT(before == m_lastNeeds.end() || std::ranges::includes(before->second, named));
            m_lastNeeds[sequence] = named;
        }
    }
    void pass(int milliseconds) {
        const Time end = m_pair->now + milliseconds * Millisecond;
        m_pair->run(m_pair->now);
        check();
        while (!m_held.empty() && m_held.begin()->first <= end) {
            const auto held = m_held.extract(m_held.begin());
            m_pair->run(std::max(held.key(), m_pair->now));
            arrive(held.mapped().first, held.mapped().second);
            m_pair->run(m_pair->now);
            check();
        }
        m_pair->run(end);
        check();
    }
    void arrive(bool isForward, ByteView packet) {
        const auto judged = m_pair->receiveAt(isForward ? m_pair->b : m_pair->a, packet);
        if (!isForward || judged.outcome != Channel::Outcome::Accepted
            || !parsePayload(packet.subspan(8), m_script.bits(), m_payload)) {
            return;
        }
        for (const WireMessage& message : m_payload.messages) {
            std::uint32_t index = 0;
            std::memcpy(&index, message.body.data(), sizeof index);
            m_arrived.emplace(index, m_pair->now - m_begin); // the first time counts
        }
    }
    void check() {
        ReceivedMessage delivery;
        while (m_pair->b.next(delivery)) {
            std::uint32_t index = 0;
            std::memcpy(&index, delivery.body.bytes().data(), 4);
            RC_ASSERT(index < m_needs.size());
            // P1: once, and after everything it needs.
            RC_ASSERT(m_executed.insert(index).second);
            for (const std::uint32_t need : m_needs[index]) {
                RC_ASSERT(m_executed.contains(need));
            }
            m_order.push_back(index);
            m_times.push_back(delivery.executed - m_begin);
        }
        // P3
        const Channel& a = m_pair->a;
        const Channel& b = m_pair->b;
        const std::uint64_t sender = a.sendGraph().floor();
        const std::uint64_t receiver = b.receiveGraph().floor();
        const std::uint64_t next = a.sendGraph().next();
        RC_ASSERT(sender <= receiver);
        RC_ASSERT(receiver <= next);
        RC_ASSERT(next - sender <= m_script.window);
        // P4 and P8: what the sender believes is so.
        for (std::size_t i = 0; i < m_handles.size(); ++i) {
            const std::uint64_t sequence = m_handles[i].sequence;
            RC_ASSERT(a.state(m_handles[i]) != HandleState::Executed
                      || m_executed.contains(static_cast<std::uint32_t>(i)));
            RC_ASSERT(!a.sendGraph().acknowledged(sequence) || b.receiveGraph().hasData(sequence));
        }
        // P7, as far as an honest peer reaches; tst_limits has the others.
        RC_ASSERT(b.receiveGraph().pendingEdges()
                  <= std::min<std::uint64_t>(64U * m_script.window, Limits{}.pendingEdges));
        RC_ASSERT(a.sendGraph().pendingBytes() <= 40U * m_script.window);
    }

    const Script& m_script;
    Time m_begin;
    std::uint32_t m_epoch = 0;
    std::optional<Pair> m_pair;
    std::multimap<Time, std::pair<bool, std::vector<std::uint8_t>>> m_held;
    std::size_t m_nextUp = 0;
    std::size_t m_nextDown = 0;
    bool m_fair = false;
    Payload m_payload;
    std::uint64_t m_lastNumber = 0;
    std::map<std::uint64_t, std::set<std::uint64_t>> m_lastNeeds; // named when it was last sent
    std::vector<MessageHandle> m_handles;
    std::vector<std::set<std::uint32_t>> m_needs;
    std::set<std::uint32_t> m_executed;
    std::vector<std::uint32_t> m_order;
    std::vector<Time> m_times;
    std::map<std::uint32_t, Time> m_arrived;
};

} // namespace sbx::net
