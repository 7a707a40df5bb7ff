#pragma once
// A client of a simulated world whose keys are known, and datagrams sealed with them: what a peer that passed the handshake may send.

#include "engine/net/cipher.h"
#include "engine/net/handshake.h"
#include "tests/net/world.h"

namespace sbx::net {

// What an eavesdropper with the client's secret makes of the handshake: the session's ciphers.
class Eavesdropper {
public:
    // A datagram of the handshake; `secret` is the client's, `server` the server's fixed key, where it takes part. True once the keys are
    // known.
    bool hear(ByteView bytes, const Key& secret, const std::optional<Key>& server = std::nullopt) {
        Response response;
        if (!readChallenge(bytes, m_challenge) && readResponse(bytes, response)) {
            Key shared{};
            Key fixed{};
            if (agree(shared, secret, m_challenge.serverKey) && (!server || agree(fixed, secret, *server))) {
                keys = deriveKeys(shared, fixed, transcriptOf(response, m_challenge.serverKey));
                protocol = response.request.identity.id;
                known = true;
            }
        }
        return known;
    }
    [[nodiscard]] Cipher cipher(bool client) const { return {keys, client, protocol}; }
    SessionKeys keys;
    std::uint64_t protocol = 0;
    bool known = false;

private:
    Challenge m_challenge;
};

class Forger {
public:
    explicit Forger(World& world) : m_world(world), m_index(world.clients.size()) {
        Key secret{};
        Entropy entropy = world.entropyOf(m_index);
        // Drawn before the first attempt: a cookie jar's start, secret and key.
        entropy(std::span(secret).first(1));
        for (int i = 0; i < 3; ++i) {
            entropy(secret);
        }
        world.network.setTap([&](Time, const Address& from, const Address& to, ByteView bytes) {
            if (from == clientAddress(m_index) || to == clientAddress(m_index)) {
                m_ear.hear(bytes, secret);
            }
        });
        ends = world.connected();
        world.network.setTap({});
    }
    [[nodiscard]] bool ready() const {
        return ends.server != nullptr && m_ear.known && m_ear.keys.connection == ends.client->id();
    }

    [[nodiscard]] const SessionKeys& keys() const { return m_ear.keys; }
    // The payload sealed as the client (or its server) would, under the number that it will use next.
    [[nodiscard]] std::vector<std::uint8_t> seal(ByteView payload, bool fromServer = false) {
        const std::uint64_t number = (fromServer ? ends.server : ends.client)->channel().nextPacket();
        std::array<std::uint8_t, MaxDatagram> bytes{};
        ByteWriter out(bytes);
        out.u8(fromServer ? 0x04 : 0x24);
        if (!fromServer) {
            out.u32(m_ear.keys.connection);
        }
        out.u16(static_cast<std::uint16_t>(number));
        const std::size_t header = out.size();
        out.bytes(payload);
        m_ear.cipher(!fromServer).seal(number, bytes, header, payload.size());
        return {bytes.begin(),
                bytes.begin() + static_cast<std::ptrdiff_t>(header + payload.size() + TagSize)};
    }
    // Seals and injects it before the sender uses that number: an acknowledgement of it is none of something that was never sent.
    void send(ByteView payload, bool fromServer = false) {
        inject(seal(payload, fromServer), fromServer);
        (fromServer ? ends.server : ends.client)->channel().ping();
    }
    void inject(ByteView datagram, bool fromServer = false) {
        const Address client = clientAddress(m_index);
        m_world.network.inject(fromServer ? serverAddress() : client, fromServer ? client : serverAddress(),
                               datagram);
    }
    World::Ends ends;

private:
    World& m_world;
    std::size_t m_index;
    Eavesdropper m_ear;
};

} // namespace sbx::net
