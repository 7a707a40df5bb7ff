#include "engine/net/cipher.h"

#include "engine/core/contracts.h"
#include "engine/net/bytes.h"
#include "engine/net/rules.h"

#include <sodium.h>

namespace sbx::net {

namespace {
constexpr std::size_t MaxHeader = 9;
constexpr std::array<std::uint8_t, 16> Domain{'s', 'i', 'g', 'n', 'a', 'l', 'b', 'o',
                                              'x', '-', 'n', 'e', 't', '-', '1', 0};
constexpr std::array<std::uint8_t, 16> Names{'s', 'i', 'g', 'n', 'a', 'l', 'b', 'o',
                                             'x', '-', 'i', 'd', 's', '-', '1', 0};
constexpr std::array<std::uint8_t, 16> Generations{'s', 'i', 'g', 'n', 'a', 'l', 'b', 'o',
                                                   'x', '-', 'k', 'e', 'y', '-', '1', 0};
constexpr std::array<std::uint8_t, 16> Passwords{'s', 'i', 'g', 'n', 'a', 'l', 'b', 'o',
                                                'x', '-', 'p', 'a', 's', 's', '1', 0};

void ready() { SBX_EXPECT(sodium_init() >= 0, "libsodium cannot start"); }
} // namespace

void secureEntropy(std::span<std::uint8_t> out) {
    ready();
    randombytes_buf(out.data(), out.size());
}

KeyPair makeKeyPair(const Key& secret) {
    ready();
    KeyPair pair;
    pair.secret = secret;
    crypto_scalarmult_base(pair.open.data(), secret.data());
    return pair;
}

bool agree(Key& shared, const Key& secret, const Key& peer) {
    return crypto_scalarmult(shared.data(), secret.data(), peer.data()) == 0;
}

bool sameBytes(ByteView a, ByteView b) {
    return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

void hash(std::span<std::uint8_t> out, ByteView key, std::initializer_list<ByteView> parts) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, key.empty() ? nullptr : key.data(), key.size(), out.size());
    for (const ByteView part : parts) {
        crypto_generichash_update(&state, part.data(), part.size());
    }
    crypto_generichash_final(&state, out.data(), out.size());
}

SessionKeys deriveKeys(const Key& ephemeral, const Key& fixed, ByteView transcript) {
    std::array<std::uint8_t, 64> both{};
    hash(both, {}, {Domain, ephemeral, fixed, transcript});
    std::array<std::uint8_t, 32> names{};
    hash(names, {}, {Names, both});
    SessionKeys keys;
    std::copy_n(both.begin(), 32, keys.clientToServer.begin());
    std::copy_n(both.begin() + 32, 32, keys.serverToClient.begin());
    ByteReader in(names);
    keys.epoch = in.u64();
    keys.connection = in.u32();
    const ByteView salt = in.bytes(4);
    std::copy(salt.begin(), salt.end(), keys.salt.begin());
    return keys;
}

Key passwordKey(std::string_view password, const Key& serverKey) {
    ready();
    std::array<std::uint8_t, crypto_pwhash_SALTBYTES> salt{};
    hash(salt, {}, {Passwords, serverKey});
    Key key{};
    const int failed = crypto_pwhash(key.data(), key.size(), password.data(), password.size(), salt.data(),
                                     crypto_pwhash_OPSLIMIT_INTERACTIVE, crypto_pwhash_MEMLIMIT_INTERACTIVE,
                                     crypto_pwhash_ALG_ARGON2ID13);
    SBX_EXPECT(failed == 0, "no memory to make a key of a password");
    return key;
}

Key proofOf(const Key& password, const Key& ephemeral, const Key& fixed, ByteView transcript) {
    Key proof{};
    hash(proof, password, {Passwords, ephemeral, fixed, transcript});
    return proof;
}

Cipher::Cipher(const SessionKeys& keys, bool client, std::uint64_t protocol)
    : m_send(client ? keys.clientToServer : keys.serverToClient),
      m_receive(client ? keys.serverToClient : keys.clientToServer),
      m_salt(keys.salt),
      m_protocol(protocol),
      m_epoch(keys.epoch),
      m_client(client) {}

Cipher Cipher::following() const {
    std::array<std::uint8_t, 64> both{};
    hash(both, {}, {Generations, m_client ? m_send : m_receive, m_client ? m_receive : m_send});
    Cipher next = *this;
    std::copy_n(both.begin(), 32, (m_client ? next.m_send : next.m_receive).begin());
    std::copy_n(both.begin() + 32, 32, (m_client ? next.m_receive : next.m_send).begin());
    sodium_memzero(both.data(), both.size());
    return next;
}

void Cipher::wipe() {
    sodium_memzero(m_send.data(), m_send.size());
    sodium_memzero(m_receive.data(), m_receive.size());
}

void Cipher::associate(std::span<std::uint8_t> out, std::span<const std::uint8_t> header) const {
    ByteWriter writer(out);
    writer.bytes(header);
    writer.u64(m_protocol);
    writer.u64(enforced(Rule::EpochIsAuthenticated) ? m_epoch : 0);
}

std::array<std::uint8_t, 12> Cipher::nonce(std::uint64_t number) const {
    std::array<std::uint8_t, 12> bytes{};
    ByteWriter out(bytes);
    out.bytes(m_salt);
    out.u64(number);
    return bytes;
}

void Cipher::seal(std::uint64_t number, std::span<std::uint8_t> datagram, std::size_t header,
                  std::size_t plain) const {
    std::array<std::uint8_t, MaxHeader + 16> associated{};
    associate(associated, datagram.first(header));
    unsigned long long size = 0;
    crypto_aead_chacha20poly1305_ietf_encrypt(datagram.data() + header, &size, datagram.data() + header,
                                              plain, associated.data(), header + 16, nullptr,
                                              nonce(number).data(), m_send.data());
}

std::optional<std::size_t> Cipher::open(std::uint64_t number, std::span<std::uint8_t> datagram,
                                        std::size_t header) const {
    if (datagram.size() < header + TagSize) {
        return std::nullopt;
    }
    std::array<std::uint8_t, MaxHeader + 16> associated{};
    associate(associated, datagram.first(header));
    unsigned long long size = 0;
    const int wrong = crypto_aead_chacha20poly1305_ietf_decrypt(
        datagram.data() + header, &size, nullptr, datagram.data() + header, datagram.size() - header,
        associated.data(), header + 16, nonce(number).data(), m_receive.data());
    return wrong != 0 ? std::nullopt : std::optional<std::size_t>(static_cast<std::size_t>(size));
}

} // namespace sbx::net
