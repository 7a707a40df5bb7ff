#pragma once
// Every state that a few messages can bring the graphs of both ends into, over a channel that loses, doubles, delays and reorders. The graphs,
// the replay window and the decoding are the shipping ones; what Channel does between them is restated here. What they say is
// compared in every state with a second implementation, which goes by sets of numbers and by what the messages mean.

#include "tests/net/search_state.h"

#include <bit>
#include <deque>
#include <optional>
#include <string>

namespace sbx::net {

// Purpose: visits every state that can be reached, each once, and stops at the first fault. Two states are one where nothing that
// can still happen tells them apart: numbers count from the sender's floor and from the newest packet, and what the replay window will
// refuse, or what acknowledges what is known, is as good as lost. So there may be any number of packets, of messages, and of
// losses, and the states still come to an end.
class Search {
public:
    explicit Search(const SearchOptions& options) : m_options(options) {
        SBX_EXPECT(options.window <= 3 && options.mostFlying <= State::MaxFlying,
                   "more than a key has room for");
    }

    std::optional<std::string> fault;
    std::size_t states = 0;
    std::size_t drained = 0;  // how often an acknowledgement was the last that was due
    std::size_t mostOpen = 0; // that waited for their turn
    bool complete = false;    // all that can be reached were visited

    void run() {
        visit(State(m_options));
        while (!m_open.empty() && !fault && states < m_options.mostStates) {
            mostOpen = std::max(mostOpen, m_open.size());
            const State state = takeOpen();
            ++states;
            expand(state);
        }
        complete = m_open.empty() && !fault;
    }
    // Whether this, which merges, has met every state of `other`, which does not.
    [[nodiscard]] bool covers(const Search& other) const {
        bool all = true;
        other.m_merged.forEach([&](const SeenKeys::Key& key) { all = all && m_seen.contains(key); });
        return all;
    }

private:
    using State = SearchState;
    using Packet = SearchState::Packet;
    static constexpr std::uint64_t ReplayWindow = State::ReplayWindow;
    static constexpr std::uint64_t Span = State::Span;
    static std::uint32_t bit(std::uint64_t message) { return State::bit(message); }

    State takeOpen() {
        State state = std::move(m_options.breadthFirst ? m_open.front() : m_open.back());
        if (m_options.breadthFirst)
            m_open.pop_front();
        else
            m_open.pop_back();
        return state;
    }
    void visit(State&& state) {
        if (m_options.merges)
            state.forget();
        check(state);
        if (fault || !m_seen.insert(m_options.merges ? state.key(m_options) : state.exactKey()))
            return;
        if (!m_options.merges) {
            State merged = state;
            merged.forget();
            m_merged.insert(merged.key({.bits = m_options.bits}));
        }
        if (m_options.secondOpinion)
            drain(state);
        m_open.push_back(std::move(state));
    }
    // Everything that can happen next.
    void expand(const State& s) {
        const bool room = s.flyingCount < m_options.mostFlying && s.nextPacket <= m_options.mostSent;
        if (room && s.sender.next() <= m_options.messages)
            sendNew(s);
        if (room && m_options.others) {
            State other = s;
            other.flying[other.flyingCount++] = packetOf(other, 0);
            visit(std::move(other));
        }
        // The same again, once it is thought lost.
        for (std::uint64_t n = s.sender.floor(); room && n != s.sender.next(); ++n) {
            if (s.sender.acknowledged(n))
                continue;
            State again = s;
            again.flying[again.flyingCount++] = transmit(again, n);
            visit(std::move(again));
        }
        for (std::size_t i = 0; i < s.flyingCount; ++i) {
            State lost = s;
            std::move(lost.flying.begin() + static_cast<std::ptrdiff_t>(i) + 1, lost.flying.end(),
                      lost.flying.begin() + static_cast<std::ptrdiff_t>(i));
            --lost.flyingCount;
            State come = lost;
            arrive(come, s.flying[i]);
            visit(std::move(lost));
            if (fault)
                return;
            if (come.received.check(s.flying[i].number) == ReceivedPackets::Verdict::Fresh
                || !m_options.merges) {
                State twice = s; // it may come again, and would be taken again
                arrive(twice, s.flying[i]);
                visit(std::move(twice));
            }
            visit(std::move(come));
        }
        for (std::uint64_t n = s.sender.floor(); n != s.sender.next(); ++n) {
            if ((s.acks & bit(n)) != 0) {
                State gone = s;
                gone.acks &= ~bit(n);
                State told = gone;
                visit(std::move(gone));
                acknowledge(told, n);
                drained += told.sender.floor() == told.sender.next() ? 1U : 0U;
                visit(std::move(told));
            } else if (s.has(s.arrived, n) && !s.sender.acknowledged(n)
                       && std::popcount(s.acks) < m_options.mostAcks) {
                State told = s; // an acknowledgement names what came before, too
                told.acks |= bit(n);
                visit(std::move(told));
            }
        }
    }
    // The next message, with any needs that it may have.
    void sendNew(const State& s) {
        const std::uint64_t own = s.sender.next();
        const std::uint64_t reach =
            std::min<std::uint64_t>(own - 1, m_options.window); // one below the floor, at least
        for (std::uint32_t chosen = 0; chosen < 1U << reach; ++chosen) {
            m_needs.clear();
            State::forEachNeed(own, chosen, [&](std::uint64_t need) { m_needs.push_back(need); });
            // Until packet p has come, p - 4 is the oldest that can still be taken.
            const std::uint64_t oldestFloor = s.floors[s.nextPacket % ReplayWindow];
            if (m_needs.size() > m_options.mostNeeds
                || s.sender.admits(1, m_needs, oldestFloor) != SendGraph::Admission::Admitted)
                continue;
            State next = s;
            const std::uint64_t sent = next.sender.add(1, m_needs);
            next.needs[sent % Span] = static_cast<std::uint8_t>(chosen);
            next.edges[sent % Span] = static_cast<std::uint8_t>(
                std::count_if(m_needs.begin(), m_needs.end(),
                              [&](std::uint64_t need) { return !s.sender.executed(need); }));
            for (std::uint32_t* set : {&next.arrived, &next.executed, &next.acknowledged})
                *set &= ~bit(sent);
            next.flying[next.flyingCount++] = transmit(next, sent);
            visit(std::move(next));
        }
    }
    static Packet packetOf(State& s, std::uint64_t message) {
        Packet packet;
        packet.number = s.nextPacket++;
        s.floors[packet.number % ReplayWindow] = s.sender.floor();
        packet.message = message;
        return packet;
    }
    Packet transmit(State& s, std::uint64_t message) {
        Packet packet = packetOf(s, message);
        packet.wire = toWire(message, m_options.bits);
        m_needs.clear();
        s.sender.dependenciesOf(message, m_needs);
        for (const std::uint64_t need : m_needs) {
            if (message - need - 1 >= Span || packet.needCount == Span) {
                complain(s, "P6: " + std::to_string(message) + " names " + std::to_string(need));
                return packet;
            }
            packet.needs |= 1U << (message - need - 1);
            packet.wireNeeds[packet.needCount++] = toWire(need, m_options.bits);
        }
        return packet;
    }
    void arrive(State& s, const Packet& packet) {
        if (s.received.check(packet.number) != ReceivedPackets::Verdict::Fresh || fault)
            return;
        if (packet.message == 0) {
            s.received.accept(packet.number);
            return noteAccepted(s, packet.number);
        }
        const std::uint64_t floor = s.receiver.floor();
        const std::uint64_t message = fromWire(packet.wire, m_options.bits, floor);
        if (message != packet.message)
            return complain(s, "P5: " + std::to_string(packet.message) + " is taken for "
                                   + std::to_string(message));
        if (!before(message, floor + m_options.window))
            return complain(s, "P3: " + std::to_string(message) + " is beyond the window");
        m_needs.clear();
        std::uint32_t needs = 0;
        for (std::uint32_t i = 0; i < packet.needCount; ++i) {
            const std::uint64_t need = fromWire(packet.wireNeeds[i], m_options.bits, floor);
            if (!before(need, message) || message - need > Span)
                return complain(s, "P5: " + std::to_string(message) + " is taken to need "
                                       + std::to_string(need));
            needs |= 1U << (message - need - 1);
            m_needs.push_back(need);
        }
        if (needs != packet.needs)
            return complain(s, "P5: what " + std::to_string(message) + " needs is taken for something else");
        s.received.accept(packet.number);
        noteAccepted(s, packet.number);
        if (message >= s.sender.floor())
            s.arrived |= bit(message);
        if (s.receiver.empty() && message == floor) {
            s.receiver.executeLowest();
            execute(s, message);
        } else {
            s.receiver.addHead(message, m_needs);
            if (!s.receiver.hasData(message))
                s.receiver.setData(message);
            s.receiver.run(100, [&](std::uint64_t n) { execute(s, n); });
        }
        if (message >= s.sender.floor() && std::popcount(s.acks) < m_options.mostAcks)
            s.acks |= bit(message);
    }
    // P1: once, when it is there, after everything that was declared.
    void execute(State& s, std::uint64_t n) {
        if (s.has(s.executed, n))
            complain(s, "P1: " + std::to_string(n) + " ran twice");
        if (!s.has(s.arrived, n))
            complain(s, "P1: " + std::to_string(n) + " ran before it was there");
        State::forEachNeed(n, s.needs[n % Span], [&](std::uint64_t need) {
            if (!s.has(s.executed, need))
                complain(s, "P1: " + std::to_string(n) + " ran before " + std::to_string(need));
        });
        s.executed |= bit(n);
    }
    static void noteAccepted(State& s, std::uint64_t number) {
        if (number > s.newest) {
            s.accepted = number - s.newest < 32 ? s.accepted << (number - s.newest) | 1U : 1U;
            s.newest = number;
        } else if (s.newest - number < 32) {
            s.accepted |= 1U << (s.newest - number);
        }
    }
    static void acknowledge(State& s, std::uint64_t n) {
        s.acks &= ~bit(n);
        s.acknowledged |= bit(n);
        s.sender.acknowledge(n);
    }

    void check(const State& s) {
        const SendGraph& sender = s.sender;
        if (before(s.receiver.floor(), sender.floor()) || before(sender.next(), s.receiver.floor())
            || sender.next() - sender.floor() > m_options.window)
            return complain(s, "P3: floors out of order");
        for (std::uint64_t n = sender.floor(); n != sender.next(); ++n) {
            if (sender.acknowledged(n) && !s.receiver.hasData(n))
                complain(s, "P8: " + std::to_string(n) + " is acknowledged, but not stored");
            if (sender.executed(n) && !s.has(s.executed, n))
                complain(s, "P4: " + std::to_string(n) + " is believed executed");
        }
        if (m_options.secondOpinion && !fault) {
            compareSender(s);
            compareReceiver(s);
            comparePackets(s);
        }
    }
    // A message is known executed when it is acknowledged and all it needs is known executed. P6: its head names the others.
    void compareSender(const State& s) {
        std::uint32_t known = 0;
        std::uint32_t edges = 0;
        std::uint64_t floor = s.sender.floor();
        for (std::uint64_t n = s.sender.floor(); n != s.sender.next(); ++n) {
            std::uint32_t unmet = 0;
            State::forEachNeed(n, s.needs[n % Span], [&](std::uint64_t need) {
                unmet |= s.has(known, need) ? 0U : 1U << (n - need - 1);
            });
            const bool executed = s.has(s.acknowledged, n) && unmet == 0;
            known |= executed ? bit(n) : 0U;
            floor += executed && floor == n ? 1U : 0U;
            edges += executed ? 0U : s.edges[n % Span];
            m_needs.clear();
            s.sender.dependenciesOf(n, m_needs);
            for (const std::uint64_t need : m_needs)
                unmet ^= need < n && n - need <= Span ? 1U << (n - need - 1) : 1U << 31U;
            if (unmet != 0)
                complain(s, "P6: the head of " + std::to_string(n) + " names something else");
            if (s.sender.acknowledged(n) != s.has(s.acknowledged, n) || s.sender.executed(n) != executed)
                complain(s, "the sender's graph has " + std::to_string(n) + " otherwise");
        }
        if (floor != s.sender.floor() || edges != s.sender.pendingEdges())
            complain(s, "P7: the sender's graph keeps something else");
    }
    // A message runs as soon as it and all it needs are there and have run.
    void compareReceiver(const State& s) {
        std::uint32_t edges = 0;
        std::uint64_t floor = s.sender.floor();
        for (std::uint64_t n = s.sender.floor(); n != s.sender.next(); ++n) {
            std::uint32_t unmet = 0;
            State::forEachNeed(n, s.needs[n % Span], [&](std::uint64_t need) {
                unmet |= s.has(s.executed, need) ? 0U : 1U << (n - need - 1);
            });
            const bool there = s.has(s.arrived, n);
            const bool executed = there && unmet == 0;
            floor += executed && floor == n ? 1U : 0U;
            m_needs.clear();
            s.receiver.waitsFor(n, m_needs);
            if (there) {
                edges += static_cast<std::uint32_t>(std::popcount(unmet));
                for (const std::uint64_t need : m_needs)
                    unmet ^= need < n && n - need <= Span ? 1U << (n - need - 1) : 1U << 31U;
            }
            if ((there && unmet != 0) || (!there && !m_needs.empty()))
                complain(s, "the receiver's " + std::to_string(n) + " waits for something else");
            if (s.has(s.executed, n) != executed || s.receiver.executed(n) != executed
                || s.receiver.hasHead(n) != there || s.receiver.hasData(n) != there)
                complain(s, "the receiver's graph has " + std::to_string(n) + " otherwise");
        }
        if (floor != s.receiver.floor() || edges != s.receiver.pendingEdges() || s.receiver.ready())
            complain(s, "P7: the receiver's graph keeps something else");
    }
    // Each of the newest numbers once; and what is told of them.
    void comparePackets(const State& s) {
        const std::uint64_t oldest = s.newest < ReplayWindow + 2 ? 1 : s.newest - ReplayWindow - 1;
        std::uint32_t mask = 0;
        for (std::uint64_t number = oldest; number <= s.newest + 2; ++number) {
            using Verdict = ReceivedPackets::Verdict;
            const bool late = number <= s.newest;
            const bool old = late && s.newest - number >= ReplayWindow;
            const bool came = late && !old && (s.accepted >> (s.newest - number) & 1U) != 0;
            if (s.received.check(number)
                != (old    ? Verdict::TooOld
                    : came ? Verdict::Duplicate
                           : Verdict::Fresh))
                complain(s, "packet " + std::to_string(number) + " is judged otherwise");
            mask |= came && number < s.newest ? 1U << (s.newest - 1 - number) : 0U;
        }
        const AckInfo told = s.received.acknowledgement(true);
        if (told.present != (s.newest > 0)
            || (told.present
                && (told.newest != (s.newest & 0xFFFFU) || told.mask != mask || told.rangeCount != 0)))
            complain(s, "P8: other packets are acknowledged than have come");
    }
    // P2: what is sent until it is acknowledged, over a fair path, is executed at both ends.
    void drain(State s) {
        for (std::uint32_t round = 0; round < m_options.window && s.sender.floor() != s.sender.next();
             ++round) {
            for (std::uint64_t n = s.sender.floor(); n != s.sender.next(); ++n) {
                if (s.sender.acknowledged(n))
                    continue;
                arrive(s, transmit(s, n));
                acknowledge(s, n);
            }
        }
        if (s.sender.floor() != s.sender.next() || s.receiver.floor() != s.sender.next())
            complain(s, "P2: something is never executed");
    }

    void complain(const State& s, const std::string& what) {
        if (!fault)
            fault = what + s.text();
    }

    SearchOptions m_options;
    std::deque<State> m_open;
    SeenKeys m_seen;
    SeenKeys m_merged; // what would be seen if states were merged, and messages and packets not counted
    std::vector<std::uint64_t> m_needs;
};

} // namespace sbx::net
