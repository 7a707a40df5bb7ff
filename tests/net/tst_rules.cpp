#include <QtTest>

#include "engine/net/rules.h"
#include "tests/net/pair.h"
#include "tests/net/world.h"

#include <algorithm>
#include <set>

#ifndef SBX_NET_RULES_CAN_BE_TAKEN_OUT
#error "this test needs the library whose rules can be taken out"
#endif

using namespace sbx;
using namespace sbx::net;

// Every rule of rules.h has a scenario that says what went wrong, or nothing. With all rules it must say nothing; with its own rule
// taken out it must complain, or it shows nothing about that rule.

namespace {

using Fault = std::string;

std::array<std::uint8_t, 4> numbered(std::uint32_t n) {
    return {static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(n >> 8U), static_cast<std::uint8_t>(n >> 16U),
            static_cast<std::uint8_t>(n >> 24U)};
}
std::uint32_t numberOf(const ReceivedMessage& delivery) {
    const auto bytes = delivery.body.bytes();
    return bytes.size() < 4 ? UINT32_MAX
                            : bytes[0] | (std::uint32_t{bytes[1]} << 8U) | (std::uint32_t{bytes[2]} << 16U)
                                  | (std::uint32_t{bytes[3]} << 24U);
}
std::vector<std::uint32_t> taken(Channel& channel) {
    std::vector<std::uint32_t> numbers;
    ReceivedMessage delivery;
    while (channel.next(delivery)) {
        numbers.push_back(numberOf(delivery));
    }
    return numbers;
}
std::string listed(const std::vector<std::uint32_t>& numbers) {
    std::string text;
    for (const std::uint32_t n : numbers) {
        text += std::to_string(n) + " ";
    }
    return text;
}
net::SendReceipt put(Pair& pair, std::uint32_t n, std::initializer_list<MessageHandle> needs = {},
                     const MessageClass& how = {}) {
    return pair.a.send(1, numbered(n), std::span(needs.begin(), needs.size()), how, pair.now);
}

Fault h1() {
    Pair pair(pairSettings());
    const auto a = put(pair, 1);
    pair.run(5 * Millisecond);
    pair.gate = [](bool isForward, std::uint64_t, ByteView) { return !isForward; };
    const auto b = put(pair, 2, {a.handle});
    pair.run(6 * Millisecond);
    pair.gate = {};
    pair.run(55 * Millisecond);
    put(pair, 3, {b.handle});
    if (pair.a.state(b.handle) == HandleState::Executed) {
        return "a message whose packet was lost is believed executed";
    }
    pair.run(Second);
    const auto order = taken(pair.b);
    return order == std::vector<std::uint32_t>{1, 2, 3} ? "" : "order " + listed(order);
}

Fault h2() {
    Pair pair(pairSettings({.latency = 25 * Millisecond, .jitter = 40 * Millisecond}));
    for (std::uint32_t n = 0; n < 300; ++n) {
        pair.a.sendUnreliable(1, numbered(n), {}, pair.now);
        pair.run(pair.now + 8 * Millisecond);
    }
    pair.run(pair.now + Second);
    const auto numbers = taken(pair.b);
    return numbers.size() == 300 ? "" : std::to_string(numbers.size()) + " of 300 came";
}

Fault h3Timer() {
    Pair pair(pairSettings());
    pair.gate = [](bool isForward, std::uint64_t number, ByteView) { return !isForward || number != 1; };
    put(pair, 1);
    pair.run(200 * Millisecond);
    return taken(pair.b).size() == 1 ? "" : "a lost message waited for a later acknowledgement";
}

Fault h3BackOff() {
    Pair pair(pairSettings());
    put(pair, 1);
    pair.run(Second);
    pair.gate = [](bool isForward, std::uint64_t, ByteView) { return isForward; }; // acknowledgements die
    put(pair, 2);
    pair.run(4 * Second);
    const std::uint64_t resent = pair.a.counters().guaranteedResent;
    pair.gate = {};
    pair.run(5 * Second);
    if (taken(pair.b) != std::vector<std::uint32_t>{1, 2} || !pair.a.drained()) {
        return "no recovery";
    }
    return resent >= 5 && resent <= 20 ? "" : "resent " + std::to_string(resent) + " times in three seconds";
}

Fault h3b() {
    Pair pair(pairSettings());
    put(pair, 1);
    pair.run(Second);
    std::uint64_t first = 0;
    pair.gate = [&](bool isForward, std::uint64_t number, ByteView) {
        if (!isForward || (first != 0 && number != first)) {
            return true;
        }
        first = number;
        return false;
    };
    put(pair, 2, {}, {.copies = 2});
    pair.run(pair.now + 60 * Millisecond);
    return taken(pair.b).size() == 2 ? "" : "the copy did not come before the loss timer";
}

Fault h4Window() {
    PairSettings settings = pairSettings();
    settings.a.peer.window = settings.b.own.window = 16;
    Pair pair(settings);
    pair.gate = [](bool isForward, std::uint64_t, ByteView) { return !isForward; };
    std::uint32_t sent = 0;
    while (sent < 20 && put(pair, sent).status == SendStatus::Sent) {
        ++sent;
    }
    if (sent != 16) {
        return std::to_string(sent) + " messages were let into a window of 16";
    }
    pair.gate = {};
    pair.run(Second);
    return taken(pair.b).size() == 16 && put(pair, 99).status == SendStatus::Sent ? "" : "the window did not open again";
}

// A first transmission arrives very late, after the message was resent and the numbers have gone around: 5 bits.
Fault lateFirstTransmission() {
    PairSettings settings = pairSettings();
    for (ChannelSettings* end : {&settings.a, &settings.b}) {
        end->sequenceBits = 5;
        end->own.window = end->peer.window = 8;
    }
    Pair pair(settings);
    std::vector<std::uint8_t> late;
    pair.gate = [&](bool isForward, std::uint64_t number, ByteView payload) {
        if (!isForward || !late.empty()) {
            return true;
        }
        late.resize(8);
        std::memcpy(late.data(), &number, 8);
        late.insert(late.end(), payload.begin(), payload.end());
        return false;
    };
    put(pair, 1000);
    pair.run(300 * Millisecond);
    std::vector<std::uint32_t> got = taken(pair.b);
    std::uint32_t sent = 0;
    for (int step = 0; step < 400 && sent < 30; ++step) {
        while (sent < 30 && put(pair, sent).status == SendStatus::Sent) {
            ++sent;
        }
        pair.run(pair.now + 60 * Millisecond);
        const auto more = taken(pair.b);
        got.insert(got.end(), more.begin(), more.end());
    }
    if (sent < 30) {
        return "sending got stuck";
    }
    pair.receiveAt(pair.b, late);
    const auto more = taken(pair.b);
    got.insert(got.end(), more.begin(), more.end());
    pair.run(pair.now + Second);
    return std::count(got.begin(), got.end(), 1000U) == 1 && got.size() == 31 ? "" : "delivered " + listed(got);
}

Fault h5() {
    PairSettings settings = pairSettings({.latency = 5 * Millisecond});
    settings.a.timeout = settings.b.timeout = 30 * Second;
    Pair pair(settings);
    std::size_t got = 0;
    std::uint32_t sent = 0;
    while (pair.now < 8 * Second) {
        for (int i = 0; i < 25; ++i) {
            sent += put(pair, sent).status == SendStatus::Sent ? 1U : 0U;
        }
        pair.run(pair.now + 5 * Millisecond);
        got += taken(pair.b).size();
    }
    pair.drain(Second);
    got += taken(pair.b).size();
    if (sent < 38'000) {
        return "only " + std::to_string(sent) + " were let in";
    }
    return got == sent ? "" : std::to_string(sent - got) + " of " + std::to_string(sent) + " vanished";
}

Fault h6() {
    Pair pair(pairSettings());
    const auto a = put(pair, 1);
    pair.gate = [](bool isForward, std::uint64_t, ByteView) { return isForward; }; // acknowledgements die
    pair.run(40 * Millisecond);
    put(pair, 2, {a.handle});
    pair.run(80 * Millisecond);
    const auto got = taken(pair.b);
    return got == std::vector<std::uint32_t>{1, 2} ? "" : "came " + listed(got);
}

Fault h7() {
    for (const std::uint64_t dependency : {std::uint64_t{5}, std::uint64_t{6}, std::uint64_t{900}}) {
        Pair pair(pairSettings());
        Forged forged;
        forged.sections.guaranteed(5, std::array{dependency}, 1, numbered(1));
        const auto judged = forged.at(pair.b, 1);
        if (judged.outcome != Channel::Outcome::Violation || judged.reason != CloseReason::Protocol) {
            return "message 5 may depend on " + std::to_string(dependency);
        }
    }
    // Two that need each other.
    Pair pair(pairSettings());
    Forged forged;
    forged.sections.guaranteed(5, std::array{std::uint64_t{6}}, 1, numbered(1));
    forged.sections.guaranteed(6, std::array{std::uint64_t{5}}, 1, numbered(2));
    return forged.at(pair.b, 1).outcome == Channel::Outcome::Violation ? "" : "a cycle is taken";
}

Fault h8() {
    ReceiveGraph graph(1, 8192);
    for (std::uint64_t n = 8191; n >= 2; --n) {
        graph.addHead(n, std::array{n - 1});
        graph.setData(n);
    }
    graph.addHead(1, {});
    graph.setData(1);
    std::uint64_t last = 0;
    bool ordered = true;
    const auto execute = [&](std::uint64_t n) {
        ordered = ordered && n == last + 1;
        last = n;
    };
    const std::uint32_t first = graph.run(4096, execute);
    if (first != 4096) {
        return std::to_string(first) + " executed in one call";
    }
    graph.run(4096, execute);
    return ordered && last == 8191 && graph.floor() == 8192 && graph.pendingEdges() == 0 ? "" : "order or rest wrong";
}

// Lists change while they are walked: a layered graph, fully connected, released by its root.
Fault h9() {
    SendGraph sender(15, 1);
    sender.setLimits({8192, 1U << 20U, 1U << 20U});
    ReceiveGraph receiver(1, 8192);
    constexpr std::uint64_t Width = 30;
    std::vector<std::uint64_t> layer{sender.add(1, {})};
    std::vector<std::vector<std::uint64_t>> needs{{}, {}};
    for (int depth = 0; depth < 20; ++depth) {
        std::vector<std::uint64_t> next;
        for (std::uint64_t i = 0; i < Width; ++i) {
            next.push_back(sender.add(1, layer));
            needs.push_back(layer);
        }
        layer = next;
    }
    const std::uint64_t end = sender.next();
    for (std::uint64_t n = end - 1; n >= 1; --n) {
        sender.acknowledge(n);
        receiver.addHead(n, needs[n]);
        receiver.setData(n);
    }
    std::set<std::uint64_t> done;
    Fault fault;
    receiver.run(UINT32_MAX, [&](std::uint64_t n) {
        for (const std::uint64_t need : needs[n]) {
            fault = done.contains(need) ? fault : "too early";
        }
        fault = done.insert(n).second ? fault : "twice";
    });
    if (sender.floor() != end || sender.pendingEdges() != 0 || receiver.floor() != end || receiver.pendingEdges() != 0) {
        return "something stayed behind";
    }
    return fault;
}

Fault h10() {
    ReceiveGraph graph(1, 64);
    graph.addHead(2, std::array{std::uint64_t{1}}); // its first fragment is here, the rest is not
    graph.addHead(1, {});
    graph.setData(1);
    std::vector<std::uint32_t> done;
    const auto execute = [&](std::uint64_t n) { done.push_back(static_cast<std::uint32_t>(n)); };
    graph.run(100, execute);
    if (done.size() != 1) {
        return "executed without its data";
    }
    graph.setData(1); // again
    graph.setData(2);
    graph.setData(2);
    graph.run(100, execute);
    return done == std::vector<std::uint32_t>{1, 2} ? "" : "executed " + listed(done);
}

Fault h11() {
    Pair pair(pairSettings());
    for (std::uint64_t number = 1; number <= 2000; ++number) {
        Forged forged;
        forged.sections.guaranteed(6, std::array{std::uint64_t{5}, std::uint64_t{4}, std::uint64_t{5}}, 1, numbered(1));
        if (forged.at(pair.b, number).outcome != Channel::Outcome::Accepted) {
            return "refused";
        }
    }
    const std::uint32_t edges = pair.b.receiveGraph().pendingEdges();
    return edges == 2 ? "" : std::to_string(edges) + " edges";
}

Fault h12() {
    Pair pair(pairSettings());
    const auto a = put(pair, 1);
    pair.run(45 * Millisecond);
    pair.gate = [](bool isForward, std::uint64_t, ByteView) { return !isForward; };
    put(pair, 2, {a.handle});
    pair.run(46 * Millisecond);
    pair.gate = {};
    pair.run(Second);
    if (taken(pair.b) != std::vector<std::uint32_t>{1, 2} || pair.a.counters().guaranteedResent != 1) {
        return "the scenario did not happen";
    }
    const std::uint64_t words = pair.a.counters().dependenciesSent;
    return words == 1 ? "" : "the resent message still named what was executed: " + std::to_string(words) + " words";
}

Fault h13() {
    Pair pair(pairSettings());
    const auto spawn = put(pair, 1);
    pair.run(3600 * Second);
    const auto kill = put(pair, 2, {spawn.handle});
    if (kill.status != SendStatus::Sent) {
        return "an hour-old handle is refused";
    }
    pair.run(3601 * Second);
    return pair.a.counters().dependenciesSent == 0 && taken(pair.b).size() == 2 ? "" : "it cost bytes";
}

Fault h14() {
    Pair pair(pairSettings());
    auto other = put(pair, 1).handle;
    other.epoch += 1;
    if (put(pair, 2, {other}).status != SendStatus::StaleDependency) {
        return "a handle of another session is taken";
    }
    other.epoch -= 1;
    other.connection += 1;
    return put(pair, 2, {other}).status == SendStatus::StaleDependency ? "" : "a handle of another connection is taken";
}

Fault h15() {
    Pair pair(pairSettings());
    const auto a = put(pair, 1);
    pair.run(56 * Millisecond);
    if (pair.a.state(a.handle) != HandleState::Executed) {
        return "no acknowledgement within five milliseconds of arrival";
    }
    // Only acknowledgements answer: no ping-pong.
    const std::uint64_t sent = pair.a.counters().packetsSent + pair.b.counters().packetsSent;
    pair.run(5 * Second);
    return pair.a.counters().packetsSent + pair.b.counters().packetsSent == sent ? "" : "acknowledgements are acknowledged";
}

Fault h16() {
    Pair pair(pairSettings());
    put(pair, 1);
    pair.run(Second);
    std::array<std::uint8_t, 16> bytes{};
    ByteWriter out(bytes);
    AckInfo ack;
    ack.present = true;
    ack.newest = static_cast<std::uint16_t>(pair.a.nextPacket() + 3);
    writeAck(out, ack, 0);
    Payload scratch;
    const auto judged = pair.a.receive(pair.now, 1000, ByteView(bytes).first(out.size()), scratch);
    return judged.outcome == Channel::Outcome::Violation && judged.reason == CloseReason::Protocol
               ? ""
               : "an acknowledgement of what was never sent is taken";
}

Fault h16Skipped() {
    Pair pair(pairSettings({.latency = Millisecond}));
    std::set<std::uint64_t> seen;
    pair.gate = [&](bool isForward, std::uint64_t number, ByteView) {
        if (isForward) {
            seen.insert(number);
        }
        return true;
    };
    std::uint64_t skipped = 0;
    for (std::uint32_t n = 0; n < 20'000 && skipped == 0; ++n) {
        pair.a.sendUnreliable(1, numbered(n), {}, pair.now);
        pair.run(pair.now + 5 * Millisecond);
        const std::uint64_t newest = pair.a.nextPacket() - 1;
        skipped = !seen.contains(newest - 1) && newest > 1 ? newest - 1 : 0;
    }
    if (skipped == 0) {
        return "no number is ever skipped";
    }
    std::array<std::uint8_t, 16> bytes{};
    ByteWriter out(bytes);
    AckInfo ack;
    ack.present = true;
    ack.newest = static_cast<std::uint16_t>(skipped + 1);
    ack.mask = 1;
    writeAck(out, ack, 0);
    Payload scratch;
    return pair.a.receive(pair.now, 1'000'000, ByteView(bytes).first(out.size()), scratch).outcome
                   == Channel::Outcome::Violation
               ? ""
               : "an acknowledgement of a skipped number is taken";
}

// The application of the receiver stalls; what was acknowledged must come.
Fault h17() {
    PairSettings settings = pairSettings({.latency = 10 * Millisecond, .jitter = 5 * Millisecond, .loss = 0.1});
    settings.a.peer.window = settings.b.own.window = 16;
    settings.b.deliveryQueue = 16;
    Pair pair(settings);
    std::uint32_t sent = 0;
    bool blocked = false;
    while (pair.now < 5 * Second) {
        const SendStatus status = put(pair, sent).status;
        sent += status == SendStatus::Sent ? 1U : 0U;
        blocked = blocked || status == SendStatus::WouldBlock;
        pair.run(pair.now + 20 * Millisecond);
    }
    std::vector<std::uint32_t> got;
    for (int i = 0; i < 100 && !(pair.a.drained() && got.size() == sent); ++i) {
        const auto more = taken(pair.b);
        got.insert(got.end(), more.begin(), more.end());
        pair.run(pair.now + 50 * Millisecond);
    }
    if (!blocked || pair.b.counters().packetsRefused == 0) {
        return "the scenario did not happen";
    }
    if (pair.closedA != CloseReason::None || pair.closedB != CloseReason::None) {
        return "the connection died";
    }
    return got.size() == sent ? "" : std::to_string(sent - got.size()) + " acknowledged messages never came";
}

Fault h18() {
    Pair pair(pairSettings());
    pair.gate = [](bool isForward, std::uint64_t, ByteView) { return !isForward; };
    std::vector<MessageHandle> handles;
    for (std::uint32_t n = 0; n < 65; ++n) {
        handles.push_back(put(pair, n).handle);
    }
    if (pair.a.send(1, numbered(1), std::span(handles).first(64), {}, pair.now).status != SendStatus::Sent) {
        return "64 dependencies are refused";
    }
    if (pair.a.send(1, numbered(1), handles, {}, pair.now).status != SendStatus::TooManyDependencies) {
        return "65 dependencies can be sent";
    }
    std::array<std::uint8_t, 1200> bytes{};
    ByteWriter out(bytes);
    out.u8(0);
    out.u8(static_cast<std::uint8_t>(SectionKind::Guaranteed) | (1U << 3U));
    out.u16(0x8000U | 500U);
    for (std::uint16_t n = 0; n < 65; ++n) {
        out.u16(static_cast<std::uint16_t>((n < 64 ? 0x8000U : 0U) | n));
    }
    out.u8(1);
    out.u8(0);
    Payload scratch;
    return parsePayload(ByteView(bytes).first(out.size()), 15, scratch) ? "65 dependencies can be received" : "";
}

Fault h19() {
    PairSettings settings = pairSettings();
    settings.b.own.pendingBytes = 4000;
    settings.b.own.maxMessage = 1000;
    settings.b.own.pendingEdges = 10;
    const auto overfill = [&](std::size_t size, std::size_t needs) {
        Pair pair(settings);
        for (std::uint64_t n = 0; n < 20; ++n) {
            Forged forged;
            std::vector<std::uint64_t> dependencies;
            for (std::uint64_t d = 0; d < needs; ++d) {
                dependencies.push_back(1 + d);
            }
            forged.sections.guaranteed(20 + n, dependencies, 1, std::vector<std::uint8_t>(size));
            const auto judged = forged.at(pair.b, n + 1);
            if (judged.outcome == Channel::Outcome::Violation) {
                return judged.reason == CloseReason::FlowControl;
            }
        }
        return false;
    };
    if (!overfill(900, 1)) {
        return "bytes beyond the limit are taken";
    }
    if (!overfill(4, 5)) {
        return "edges beyond the limit are taken";
    }
    // Fragments: a slow attacker begins many big messages.
    Pair pair(pairSettings());
    for (std::uint64_t n = 1; n < 60; ++n) {
        Forged forged;
        forged.sections.fragment(n, {}, 1, 3 * FragmentSize, 0, 3, std::vector<std::uint8_t>(FragmentSize));
        const auto judged = forged.at(pair.b, n);
        if (judged.outcome == Channel::Outcome::Violation) {
            return judged.reason == CloseReason::FlowControl ? "" : "closed for the wrong reason";
        }
    }
    return "reassembly beyond the limit is taken";
}

Fault h20Oversize() {
    PairSettings settings = pairSettings();
    settings.a.peer.maxMessage = settings.b.own.maxMessage = 3000;
    Pair pair(settings);
    const std::vector<std::uint8_t> big(3001);
    if (pair.a.send(1, big, {}, {}, pair.now).status != SendStatus::TooLarge) {
        return "a message that the peer will never take is queued";
    }
    pair.a.send(1, ByteView(big).first(3000), {}, {}, pair.now);
    put(pair, 2);
    pair.run(Second);
    return taken(pair.b).size() == 2 && pair.closedA == CloseReason::None ? "" : "what followed did not come";
}

// A burst is lost; what is resent must not push the states out of the packets.
Fault h20Room() {
    Pair pair(pairSettings());
    put(pair, 0);
    pair.run(Second);
    bool lose = true;
    std::vector<bool> hasState;
    pair.gate = [&](bool isForward, std::uint64_t, ByteView payload) {
        if (!isForward) {
            return true;
        }
        if (lose) {
            return false;
        }
        Payload parsed;
        if (parsePayload(payload, 15, parsed) && !parsed.messages.empty()) {
            hasState.push_back(std::any_of(parsed.messages.begin(), parsed.messages.end(), [](const WireMessage& m) {
                return m.kind == SectionKind::Unreliable;
            }));
        }
        return true;
    };
    for (int i = 0; i < 14; ++i) {
        pair.a.send(1, std::vector<std::uint8_t>(180), {}, {}, pair.now);
    }
    pair.run(pair.now + 10 * Millisecond);
    lose = false;
    for (int i = 0; i < 300 && pair.a.counters().packetsLost == 0; ++i) {
        // A state is always waiting: only a packet that is being built takes it.
        pair.a.sendUnreliable(2, std::vector<std::uint8_t>(200), {.latest = true, .key = 1}, pair.now);
        pair.now += Millisecond;
        pair.pump();
        hasState.clear();
        pair.a.sendUnreliable(2, std::vector<std::uint8_t>(200), {.latest = true, .key = 1}, pair.now);
        pair.a.update(pair.now);
        pair.pump();
    }
    if (hasState.empty() || pair.a.counters().guaranteedResent == 0) {
        return "the scenario did not happen";
    }
    return hasState[0] ? "" : "the first packet after a loss carries no state";
}

Fault h21() {
    Pair pair(pairSettings());
    pair.gate = [](bool isForward, std::uint64_t number, ByteView) { return !isForward || number > 1; };
    const auto spawn = put(pair, 1);
    pair.run(Millisecond);
    pair.a.sendUnreliable(2, numbered(2), {.after = spawn.handle}, pair.now);
    pair.run(40 * Millisecond);
    if (!taken(pair.b).empty()) {
        return "news of what does not exist yet";
    }
    pair.run(Second);
    pair.a.sendUnreliable(2, numbered(3), {.after = spawn.handle}, pair.now);
    pair.run(2 * Second);
    const auto got = taken(pair.b);
    return got == std::vector<std::uint32_t>{1, 3} && pair.b.counters().unreliableTooEarly == 1 ? "" : "came " + listed(got);
}

// Executed means: in the delivery queue, in the call that took the packet.
Fault h22() {
    Pair pair(pairSettings());
    Forged forged;
    forged.sections.guaranteed(1, {}, 1, numbered(1));
    forged.sections.guaranteed(2, std::array{std::uint64_t{1}}, 1, numbered(2));
    forged.at(pair.b, 1);
    return pair.b.deliveriesWaiting() == 2 && pair.b.receiveGraph().floor() == 3 ? "" : "executed later";
}

Fault h23() {
    const auto cost = [](bool chain) {
        std::array<std::uint8_t, 1200> bytes{};
        ByteWriter out(bytes);
        SectionWriter writer(out, 15);
        for (std::uint64_t n = 1; n <= 16; ++n) {
            const std::uint64_t before = n - 1;
            writer.guaranteed(n, chain && n > 1 ? std::span(&before, 1) : std::span<const std::uint64_t>(), 1, numbered(1));
        }
        return static_cast<double>(out.size()) / 16.0 - 4.0 - 2.0; // without body, type and length
    };
    if (cost(false) > 0.25) {
        return "a run costs " + std::to_string(cost(false)) + " bytes a message";
    }
    return cost(true) <= 0.25 ? "" : "a chain costs " + std::to_string(cost(true)) + " bytes a message";
}

// Packets wrap several times between two guaranteed messages.
Fault h24() {
    Pair pair(pairSettings({.latency = Millisecond}));
    put(pair, 1);
    for (std::uint32_t n = 0; n < 200'000; ++n) {
        pair.a.sendUnreliable(1, {}, {}, pair.now);
        pair.run(pair.now + 500 * Microsecond);
        if (n % 1000 == 0) {
            taken(pair.b);
        }
    }
    pair.run(pair.now + Second);
    taken(pair.b);
    put(pair, 2);
    pair.run(pair.now + Second);
    return taken(pair.b) == std::vector<std::uint32_t>{2} ? "" : "a guaranteed message after a long pause is lost";
}

Fault h25() {
    SessionKeys keys = deriveKeys(Key{1}, Key{2}, {});
    const Cipher client(keys, true, 7);
    keys.epoch ^= 1U;
    const Cipher otherSession(keys, false, 7);
    std::array<std::uint8_t, 64> datagram{0x24, 1, 2, 3, 4, 5, 0, 'h', 'i'};
    client.seal(5, datagram, 7, 20);
    return otherSession.open(5, std::span(datagram).first(7 + 20 + TagSize), 7) ? "a datagram of another session opens" : "";
}

// The machine sleeps for a minute: both ends wake, ask, and go on.
Fault h26() {
    World world;
    auto ends = world.connected();
    if (ends.client == nullptr) {
        return "no connection";
    }
    world.runFor(Second);
    world.network.advance(world.network.now() + 60 * Second);
    world.runFor(Second);
    return world.server->connectionCount() == 1 && ends.host->connectionCount() == 1 ? "" : "hung up on waking";
}

Fault h27() {
    World world;
    auto ends = world.connected();
    const std::uint64_t newest = ends.server->channel().newestReceived();
    std::vector<std::uint8_t> forged{0x34, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x0F};
    const std::uint32_t id = ends.client->id();
    std::memcpy(forged.data() + 1, &id, 4);
    forged.resize(60, 0xAA);
    world.network.inject(clientAddress(0), serverAddress(), forged);
    world.server->update(world.network.now());
    return ends.server->channel().newestReceived() == newest ? "" : "a forged number moved the window";
}

Fault h28() {
    for (const std::uint8_t code : {std::uint8_t{0}, std::uint8_t{6}, std::uint8_t{200}}) {
        Pair pair(pairSettings());
        Forged forged;
        forged.out.u8(static_cast<std::uint8_t>(SectionKind::Control) | (1U << 3U));
        forged.out.u8(code);
        if (forged.at(pair.b, 1).outcome != Channel::Outcome::Violation) {
            return "a frame nobody knows is taken";
        }
    }
    return "";
}

struct Row {
    const char* name;
    Fault (*scenario)();
    Rule rule; // Count: nothing to take out
};

const Row Rows[] = {
    {"H1 acknowledged and free of needs", h1, Rule::AcknowledgedBeforeExecuted},
    {"H2 late packets count", h2, Rule::LatePacketsCount},
    {"H3 the timer needs no acknowledgement", h3Timer, Rule::LossTimerNeedsNoLaterAck},
    {"H3 backs off over silence", h3BackOff, Rule::BackOffOverSilence},
    {"H3b copies", h3b, Rule::RedundantCopies},
    {"H4 window", h4Window, Rule::WindowBoundsAssignment},
    {"H4 floor of packets under way", lateFirstTransmission, Rule::FloorBoundsAssignment},
    {"H4 stale packets", lateFirstTransmission, Rule::StalePacketsAreDiscarded},
    {"H5 nothing by age", h5, Rule::NothingIsRemovedByAge},
    {"H6 below the floor", h6, Rule::BelowTheFloorIsSatisfied},
    {"H7 needs point back", h7, Rule::DependenciesPointBack},
    {"H8 budget", h8, Rule::WorkIsBudgeted},
    {"H9 lists walked while they change", h9, Rule::Count},
    {"H10 data first", h10, Rule::DataBeforeExecution},
    {"H11 duplicates add no edges", h11, Rule::DuplicatesAddNoEdges},
    {"H12 heads anew", h12, Rule::HeadsAreRebuilt},
    {"H13 old handles", h13, Rule::OldHandlesAreExecuted},
    {"H14 epochs", h14, Rule::HandlesKnowTheirEpoch},
    {"H15 early acknowledgements", h15, Rule::AcksAreEarly},
    {"H16 bogus acknowledgements", h16, Rule::BogusAcksClose},
    {"H16 skipped numbers", h16Skipped, Rule::NumbersAreSkipped},
    {"H17 acknowledged is stored", h17, Rule::AckedMeansStored},
    {"H18 64 needs", h18, Rule::DependenciesAreCapped},
    {"H19 memory", h19, Rule::MemoryIsCapped},
    {"H20 oversize", h20Oversize, Rule::OversizeIsRefused},
    {"H20 room beside resends", h20Room, Rule::ResendsLeaveRoom},
    {"H21 after", h21, Rule::AfterIsHonoured},
    {"H22 executed is queued", h22, Rule::Count},
    {"H23 runs and chains", h23, Rule::RunsAndChainsAreShort},
    {"H24 long pauses", h24, Rule::Count},
    {"H25 epoch", h25, Rule::EpochIsAuthenticated},
    {"H26 clock", h26, Rule::TimeIsClamped},
    {"H27 window after tag", h27, Rule::WindowMovesAfterTag},
    {"H28 unknown frames", h28, Rule::UnknownFramesAreRefused},
};

} // namespace

class TestRules : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { RulesTakenOut.fill(false); }

    void holds_data() {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < std::size(Rows); ++i) {
            QTest::newRow(Rows[i].name) << static_cast<int>(i);
        }
    }
    void holds() {
        QFETCH(int, row);
        const Fault fault = Rows[row].scenario();
        QVERIFY2(fault.empty(), fault.c_str());
    }

    void isMissedWhenTakenOut_data() {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < std::size(Rows); ++i) {
            if (Rows[i].rule != Rule::Count) {
                QTest::newRow(Rows[i].name) << static_cast<int>(i);
            }
        }
    }
    void isMissedWhenTakenOut() {
        QFETCH(int, row);
        RulesTakenOut[static_cast<std::size_t>(Rows[row].rule)] = true;
        const Fault fault = Rows[row].scenario();
        QVERIFY2(!fault.empty(), "the scenario passes without its rule");
    }

    void everyRuleHasAScenario() {
        std::set<Rule> covered;
        for (const Row& row : Rows) {
            covered.insert(row.rule);
        }
        covered.erase(Rule::Count);
        QCOMPARE(covered.size(), static_cast<std::size_t>(Rule::Count));
    }
};

QTEST_GUILESS_MAIN(TestRules)
#include "tst_rules.moc"
