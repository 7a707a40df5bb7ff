// Two honest ends and whatever a network does between them: messages that need one another, sizes, losses, doubles, delays and
// pauses as the input says. Each message is executed once, after what it needs and unchanged; nobody ends the connection; and when
// the link heals everything arrives. Input: steps of three bytes.
#include "tests/fuzz/fuzz.h"
#include "tests/net/pair.h"

using namespace sbx;
using namespace sbx::net;

namespace {

struct Message {
    MessageHandle handle;
    std::vector<std::size_t> needs;
    std::size_t size = 0;
    bool executed = false;
};

void take(Pair& pair, std::vector<Message>& messages) {
    ReceivedMessage delivery;
    while (pair.b.next(delivery)) {
        if (!delivery.guaranteed)
            continue;
        const auto body = delivery.body.bytes();
        std::uint32_t index = 0;
        SBX_FUZZ_MUST(body.size() >= sizeof index);
        std::memcpy(&index, body.data(), sizeof index);
        SBX_FUZZ_MUST(index < messages.size() && messages[index].size == body.size() && !messages[index].executed);
        messages[index].executed = true;
        for (const std::size_t need : messages[index].needs)
            SBX_FUZZ_MUST(messages[need].executed);
    }
    for (const Message& message : messages)
        SBX_FUZZ_MUST(message.executed || pair.a.state(message.handle) != HandleState::Executed);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    PairSettings settings = pairSettings({.latency = 20 * Millisecond});
    for (ChannelSettings* end : {&settings.a, &settings.b}) {
        end->own.window = end->peer.window = 64;
        end->sequenceBits = 8; // numbers go around
        end->replayWindow = 16;
        end->timeout = 600 * Second;
    }
    settings.seed = size > 0 ? data[0] + 1U : 1U;
    Pair pair(settings);
    std::vector<Message> messages;
    unsigned dropForward = 0;
    unsigned dropBackward = 0;
    pair.gate = [&](bool isForward, std::uint64_t, ByteView) {
        unsigned& drop = isForward ? dropForward : dropBackward;
        drop -= drop > 0 ? 1U : 0U;
        return drop == 0;
    };
    std::vector<std::uint8_t> body;
    for (std::size_t i = 0; i + 2 < size && i < 3 * 400; i += 3) {
        const unsigned kind = data[i];
        const unsigned a = data[i + 1];
        const unsigned b = data[i + 2];
        LinkSettings link{.latency = 20 * Millisecond};
        switch (kind % 8U) {
        case 0:
        case 1:
        case 2: {
            Message message;
            std::vector<MessageHandle> needs;
            for (unsigned n = 0; n < a % 4U && !messages.empty(); ++n) {
                message.needs.push_back(messages.size() - 1 - (b * (n + 1)) % std::min<std::size_t>(messages.size(), 40));
                needs.push_back(messages[message.needs.back()].handle);
            }
            message.size = 4 + (kind % 8U == 2 ? std::size_t{b} * 20 : b % 60U);
            body.assign(message.size, static_cast<std::uint8_t>(b));
            const auto index = static_cast<std::uint32_t>(messages.size());
            std::memcpy(body.data(), &index, sizeof index);
            const SendReceipt sent = pair.a.send(static_cast<std::uint16_t>(a), body, needs,
                                                 {.priority = static_cast<MessageClass::Priority>(a % 3U),
                                                  .copies = static_cast<std::uint8_t>(1U + a % 2U)},
                                                 pair.now);
            SBX_FUZZ_MUST(sent.status == SendStatus::Sent || sent.status == SendStatus::WouldBlock);
            message.handle = sent.handle;
            if (sent.status == SendStatus::Sent)
                messages.push_back(message);
            break;
        }
        case 3:
            body.assign(b, 1);
            static_cast<void>(
                (kind < 128 ? pair.a : pair.b).sendUnreliable(7, body, {.latest = a % 2U == 0, .key = a}, pair.now));
            break;
        case 4:
            pair.run(pair.now + static_cast<Time>(a) * Millisecond);
            break;
        case 5:
            dropForward = a % 16U + 1;
            break;
        case 6:
            dropBackward = a % 16U + 1;
            break;
        case 7:
            link.jitter = static_cast<Time>(a) * Millisecond / 4;
            link.loss = (b % 64U) / 128.0;
            link.duplicate = (b / 64U) / 8.0;
            (kind < 128 ? pair.forward : pair.backward).setSettings(link);
            break;
        default:
            break;
        }
        take(pair, messages);
        SBX_FUZZ_MUST(pair.closedA == CloseReason::None && pair.closedB == CloseReason::None);
    }
    pair.gate = nullptr;
    pair.forward.setSettings({.latency = 20 * Millisecond});
    pair.backward.setSettings({.latency = 20 * Millisecond});
    SBX_FUZZ_MUST(pair.drain(60 * Second));
    pair.run(pair.now + Second);
    take(pair, messages);
    for (const Message& message : messages)
        SBX_FUZZ_MUST(message.executed);
    SBX_FUZZ_MUST(pair.closedA == CloseReason::None && pair.closedB == CloseReason::None);
    SBX_FUZZ_MUST(pair.a.sendGraph().pendingBytes() == 0 && pair.b.receiveGraph().pendingEdges() == 0);
    return 0;
}
