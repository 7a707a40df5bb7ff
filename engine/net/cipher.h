#pragma once
// Keys and sealed datagrams: X25519, BLAKE2b and ChaCha20-Poly1305 (IETF), all libsodium's. Tags and cookies are compared in
// constant time, by libsodium alone.

#include "engine/net/transport.h"

#include <functional>
#include <string_view>

namespace sbx::net {

using Key = std::array<std::uint8_t, 32>;
using Cookie = std::array<std::uint8_t, 16>;
inline constexpr std::size_t TagSize = 16;

// Fills a span with unpredictable bytes. The program gives secureEntropy; tests give a seeded one.
using Entropy = std::function<void(std::span<std::uint8_t>)>;
void secureEntropy(std::span<std::uint8_t> out);

struct KeyPair {
    Key secret{};
    Key open{}; // the public half
};
[[nodiscard]] KeyPair makeKeyPair(const Key& secret);
// False for keys of small order.
[[nodiscard]] bool agree(Key& shared, const Key& secret, const Key& peer);
[[nodiscard]] bool sameBytes(ByteView a, ByteView b);
// BLAKE2b of the parts, each preceded by nothing: callers pass parts of fixed size. `key` may be empty.
void hash(std::span<std::uint8_t> out, ByteView key, std::initializer_list<ByteView> parts);

// What both ends derive from one handshake; fresh for every connection, so numbers may begin anew.
struct SessionKeys {
    Key clientToServer{};
    Key serverToClient{};
    std::uint64_t epoch = 0;      // authenticated with every datagram, never sent
    std::uint32_t connection = 0; // the id the client's datagrams carry
    std::array<std::uint8_t, 4> salt{};
};
[[nodiscard]] SessionKeys deriveKeys(const Key& ephemeral, const Key& fixed, ByteView transcript);

// What a server and its clients make of a password, once: slow (Argon2id, 64 MiB, some 100 ms), so that guessing is. `serverKey`: the
// public half of the server's fixed key; the same password on another server is another key.
[[nodiscard]] Key passwordKey(std::string_view password, const Key& serverKey);
// That an end knows the password, in this handshake and to this server: it cannot be used in another.
[[nodiscard]] Key proofOf(const Key& password, const Key& ephemeral, const Key& fixed, ByteView transcript);

// Purpose: seals one direction and opens the other. The nonce is the salt and the packet number, which is never used twice while
// the key lives. Authenticated beside the ciphertext: header, protocol id, epoch.
class Cipher {
public:
    Cipher() = default;
    Cipher(const SessionKeys& keys, bool client, std::uint64_t protocol);

    // `datagram` holds header and plaintext; the ciphertext replaces the latter and the tag follows (room for it must be there).
    void seal(std::uint64_t number, std::span<std::uint8_t> datagram, std::size_t header,
              std::size_t plain) const;
    // Decrypts in place; returns the size of the plaintext after the header, or nothing if the tag is wrong.
    [[nodiscard]] std::optional<std::size_t> open(std::uint64_t number, std::span<std::uint8_t> datagram,
                                                  std::size_t header) const;

    // The keys of the next generation: a hash of both directions' keys, so these cannot be found from those.
    [[nodiscard]] Cipher following() const;
    // Overwrites the keys; opens and seals nothing that a peer can use afterwards.
    void wipe();

private:
    void associate(std::span<std::uint8_t> out, std::span<const std::uint8_t> header) const;
    [[nodiscard]] std::array<std::uint8_t, 12> nonce(std::uint64_t number) const;

    Key m_send{};
    Key m_receive{};
    std::array<std::uint8_t, 4> m_salt{};
    std::uint64_t m_protocol = 0;
    std::uint64_t m_epoch = 0;
    bool m_client = false;
};

} // namespace sbx::net
