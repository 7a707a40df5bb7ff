// Payloads as a peer with the right keys may send them: any bytes are refused whole, or taken; what is taken says the same when it
// is written anew; a channel stays within the memory it granted, executes nothing twice, and a payload that breaks the protocol has
// changed nothing. Input: payloads, each after its length in two bytes.
#include "engine/net/channel.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <set>

using namespace sbx;
using namespace sbx::net;

namespace {

constexpr unsigned Bits = 15;
constexpr std::size_t MaxMemory = 512U * 1024U; // of a channel with the limits below

bool within(ByteView inner, ByteView outer) {
    return inner.empty() || (inner.data() >= outer.data() && inner.data() + inner.size() <= outer.data() + outer.size());
}

bool same(const Payload& a, const WireMessage& x, const Payload& b, const WireMessage& y) {
    const auto needs = [](const Payload& payload, const WireMessage& message) {
        return std::span(payload.dependencies).subspan(message.firstDependency, message.dependencyCount);
    };
    const bool number = x.kind == SectionKind::Unreliable || x.sequence == y.sequence;
    return number && x.type == y.type && x.latest == y.latest && x.hasAfter == y.hasAfter && x.after == y.after && x.key == y.key
           && x.fragment == y.fragment && x.lastFragment == y.lastFragment && x.total == y.total
           && std::ranges::equal(x.body, y.body) && std::ranges::equal(needs(a, x), needs(b, y));
}

void write(SectionWriter& writer, const Payload& payload, const WireMessage& message) {
    std::vector<std::uint64_t> needs;
    for (std::uint32_t i = 0; i < message.dependencyCount; ++i)
        needs.push_back(payload.dependencies[message.firstDependency + i]);
    switch (message.kind) {
    case SectionKind::Unreliable:
        SBX_FUZZ_MUST(writer.unreliable({message.latest, message.hasAfter, message.key, message.after}, message.type, message.body));
        return;
    case SectionKind::Fragment:
        SBX_FUZZ_MUST(writer.fragment(message.sequence, needs, message.type, message.total, message.fragment,
                                      message.lastFragment + 1U, message.body));
        return;
    default:
        SBX_FUZZ_MUST(writer.guaranteed(message.sequence, needs, message.type, message.body));
        return;
    }
}

void parse(ByteView bytes) {
    Payload payload;
    if (!parsePayload(bytes, Bits, payload))
        return;
    std::array<std::uint8_t, 4 * MaxDatagram> room{};
    ByteWriter out(room);
    writeAck(out, payload.ack, payload.hasTick ? 0x40 : 0);
    if (payload.hasTick)
        out.u16(payload.tick);
    SectionWriter writer(out, Bits);
    for (const WireSection& section : payload.sections)
        for (std::uint32_t i = 0; i < section.count; ++i) {
            if (section.kind == SectionKind::Control) {
                SBX_FUZZ_MUST(writer.control(payload.controls[section.first + i]));
                continue;
            }
            const WireMessage& message = payload.messages[section.first + i];
            SBX_FUZZ_MUST(within(message.body, bytes));
            SBX_FUZZ_MUST(message.dependencyCount <= MaxDependencies);
            write(writer, payload, message);
        }
    Payload again;
    SBX_FUZZ_MUST(parsePayload(out.written(), Bits, again));
    SBX_FUZZ_MUST(again.messages.size() == payload.messages.size() && again.controls.size() == payload.controls.size());
    SBX_FUZZ_MUST(again.tick == payload.tick || !payload.hasTick);
    for (std::size_t i = 0; i < payload.messages.size(); ++i)
        SBX_FUZZ_MUST(same(payload, payload.messages[i], again, again.messages[i]));
}

ChannelSettings small() {
    ChannelSettings settings;
    settings.connection = 1;
    settings.own.window = 32;
    settings.own.pendingBytes = 16U * 1024U;
    settings.own.pendingEdges = 128;
    settings.own.reassemblyBytes = 16U * 1024U;
    settings.own.maxMessage = 8U * 1024U;
    settings.deliveryQueue = 64;
    return settings;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Channel channel(small());
    ReceivedMessage delivery;
    std::set<std::uint64_t> executed;
    Payload scratch;
    ByteReader in(ByteView(data, size));
    Time now = 0;
    for (std::uint64_t number = 1; in.remaining() > 2; ++number) {
        const std::uint16_t length = in.u16();
        const ByteView bytes = in.bytes(std::min<std::size_t>(length % MaxDatagram, in.remaining()));
        parse(bytes);
        // Something of its own is always on the way, so that acknowledgements have something to be about.
        static_cast<void>(channel.send(1, bytes.first(std::min<std::size_t>(bytes.size(), 8)), {}, {}, now));
        if (const Channel::Turn turn = channel.turn(now); turn != Channel::Turn::Nothing) {
            std::array<std::uint8_t, MaxDatagram> room{};
            static_cast<void>(channel.build(now, turn, room, 23));
        }
        const std::uint64_t floor = channel.receiveGraph().floor();
        const std::uint64_t sendFloor = channel.sendGraph().floor();
        const std::size_t waiting = channel.deliveriesWaiting();
        const std::uint32_t edges = channel.receiveGraph().pendingEdges();
        const Channel::Received received = channel.receive(now, number, bytes, scratch);
        SBX_FUZZ_MUST(channel.memory() <= MaxMemory);
        if (received.outcome == Channel::Outcome::Violation) {
            SBX_FUZZ_MUST(received.reason != CloseReason::None);
            SBX_FUZZ_MUST(channel.receiveGraph().floor() == floor && channel.sendGraph().floor() == sendFloor);
            SBX_FUZZ_MUST(channel.deliveriesWaiting() == waiting && channel.receiveGraph().pendingEdges() == edges);
            break; // the connection ends here
        }
        SBX_FUZZ_MUST(channel.deliveriesWaiting() <= small().deliveryQueue);
        now += (number % 7) * 5 * Millisecond;
        static_cast<void>(channel.update(now));
        if (number % 3 == 0)
            while (channel.next(delivery))
                SBX_FUZZ_MUST(!delivery.guaranteed || executed.insert(delivery.sequence).second);
    }
    return 0;
}
