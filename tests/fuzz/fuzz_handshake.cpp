// What strangers may send to a server and to a client that is connecting: bytes of their own, and real datagrams of the handshake,
// changed, repeated, or from somewhere else. Nothing is remembered about who has no cookie, nobody is sent a tenth of what came
// from there, a cookie opens at most one connection, and whatever is read is written back the same.
// Input: steps of a kind, a length in two bytes, and that many bytes.
#include "engine/net/host.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <deque>

using namespace sbx;
using namespace sbx::net;

namespace {

using Bytes = std::vector<std::uint8_t>;

// What was sent waits in `sent`; what is to be received stands in `inbox`.
class Line final : public Transport {
public:
    TransportStatus send(const Address&, ByteView datagram) override {
        sent.emplace_back(datagram.begin(), datagram.end());
        return TransportStatus::Sent;
    }
    std::optional<ReceivedDatagram> receive(std::span<std::uint8_t> buffer) override {
        if (inbox.empty())
            return std::nullopt;
        const auto [from, bytes] = std::move(inbox.front());
        inbox.pop_front();
        const std::size_t size = std::min(bytes.size(), buffer.size());
        std::copy_n(bytes.begin(), size, buffer.begin());
        return ReceivedDatagram{size, from};
    }
    std::deque<Bytes> sent;
    std::deque<std::pair<Address, Bytes>> inbox;
};

Entropy repeatable(std::uint64_t seed) {
    return [random = Random(seed)](std::span<std::uint8_t> out) mutable {
        for (std::uint8_t& byte : out)
            byte = static_cast<std::uint8_t>(random.next() >> 11U);
    };
}

template <typename Datagram>
void readsBack(ByteView bytes, bool (*read)(ByteView, Datagram&), void (*write)(std::span<std::uint8_t>, const Datagram&)) {
    Datagram datagram;
    if (!read(bytes, datagram))
        return;
    Bytes again(bytes.size());
    write(again, datagram);
    SBX_FUZZ_MUST(std::ranges::equal(again, bytes));
}

const Address Server = Address::v4(10, 0, 0, 1, 4000);
const Address Client = Address::v4(10, 0, 0, 2, 5000);

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Line serverLine;
    Line clientLine;
    Time now = Second;
    HostSettings settings;
    settings.limits.window = 32;
    Host client(settings, clientLine, repeatable(1), now);
    settings.listens = true;
    Host server(settings, serverLine, repeatable(2), now);
    client.connect(Server);
    std::vector<Bytes> fromClient;
    std::vector<Bytes> fromServer;
    const auto update = [&] {
        client.update(now);
        server.update(now);
        for (; !clientLine.sent.empty(); clientLine.sent.pop_front())
            fromClient.push_back(clientLine.sent.front());
        for (; !serverLine.sent.empty(); serverLine.sent.pop_front())
            fromServer.push_back(serverLine.sent.front());
    };
    update();
    ByteReader in(ByteView(data, size));
    while (in.remaining() > 3) {
        const std::uint8_t kind = in.u8();
        const std::uint16_t length = in.u16();
        const ByteView bytes = in.bytes(std::min<std::size_t>(length % (MaxDatagram + 100), in.remaining()));
        const Address stranger = Address::v4(10, 9, 9, static_cast<std::uint8_t>(kind >> 5U), 6000);
        readsBack<Request>(bytes, readRequest, writeRequest);
        readsBack<Challenge>(bytes, readChallenge, writeChallenge);
        readsBack<Response>(bytes, readResponse, writeResponse);
        readsBack<Deny>(bytes, readDeny, writeDeny);
        // A real datagram, and changes to it: places of two bytes, each with what to change there.
        const auto changed = [&](const std::vector<Bytes>& real) {
            ByteReader changes(bytes);
            Bytes out = real[changes.u8() % real.size()];
            while (changes.remaining() >= 3) {
                const std::size_t at = changes.u16() % out.size();
                out[at] = static_cast<std::uint8_t>(out[at] ^ changes.u8());
            }
            return out;
        };
        switch (kind % 6U) {
        case 0:
            serverLine.inbox.emplace_back(stranger, Bytes(bytes.begin(), bytes.end()));
            break;
        case 1:
            clientLine.inbox.emplace_back(Server, Bytes(bytes.begin(), bytes.end()));
            break;
        case 2:
            serverLine.inbox.emplace_back(kind < 128 ? Client : stranger, changed(fromClient));
            break;
        case 3:
            if (!fromServer.empty())
                clientLine.inbox.emplace_back(Server, changed(fromServer));
            break;
        case 4:
            now += std::min<Time>(length, 20'000) * Millisecond;
            break;
        case 5: // the real ones, each to where it was going
            if (!fromClient.empty())
                serverLine.inbox.emplace_back(Client, fromClient.back());
            if (!fromServer.empty())
                clientLine.inbox.emplace_back(Server, fromServer.back());
            break;
        default:
            break;
        }
        update();
        const HostCounters& counters = server.counters();
        SBX_FUZZ_MUST(counters.handshakeBytesSent * 10 <= counters.bytesReceived);
        SBX_FUZZ_MUST(counters.accepted <= counters.challengesSent && server.connectionCount() <= counters.accepted);
        SBX_FUZZ_MUST(client.connectionCount() <= 1);
        ConnectionEvent event;
        while (server.nextEvent(event))
            SBX_FUZZ_MUST(event.connection != 0);
        while (client.nextEvent(event)) {}
        if (fromClient.size() > 200 || fromServer.size() > 200)
            break;
    }
    return 0;
}
