#pragma once
// The handshake's datagrams, and the server's cookies: what a server answers before it keeps any state of a client.

#include "engine/net/cipher.h"
#include "engine/net/message.h"
#include "engine/net/payload.h"

#include <unordered_set>

namespace sbx::net {

enum class DatagramType : std::uint8_t { Request = 0, Challenge = 1, Response = 2, Deny = 3, Data = 4 };

inline constexpr std::uint32_t ProtocolMagic = 0x32584253; // "SBX2": the wire's version
inline constexpr std::size_t ChallengeSize = 1 + 8 + 32 + 16 + 1;
inline constexpr std::size_t LongChallengeSize = ChallengeSize + 32; // with the server's fixed key
inline constexpr std::size_t DenySize = 1 + 8 + 16 + 1;              // without a description
inline constexpr std::size_t MaxDescription = 1000;

// Both ends must agree on these.
struct ProtocolIdentity {
    std::uint64_t id = 0;                 // of the game and its version
    std::array<std::uint8_t, 16> table{}; // hash of the description of messages and state
    friend bool operator==(const ProtocolIdentity&, const ProtocolIdentity&) = default;
};

struct Request {
    std::uint32_t magic = ProtocolMagic;
    ProtocolIdentity identity;
    Key clientKey{};
    bool fixedKey = false; // the client knows the server's fixed key and wants it used
    bool askKey = false;   // ... or requests it; it takes part if there is one
    bool observes = false; // the client wants no player
};

struct Challenge {
    std::array<std::uint8_t, 8> echo{}; // of the client's key: only who saw the request can answer it
    Key serverKey{};
    Cookie cookie{};
    std::uint8_t secretIndex = 0;
    std::optional<Key> fixedKey = std::nullopt; // for a client that has requested it
};

struct Response {
    Request request;
    Cookie cookie{};
    std::uint8_t secretIndex = 0;
    Limits limits; // what the client grants
    Key proof{};   // that it knows the password: proofOf(); zeros: it names none
};

struct Deny {
    std::array<std::uint8_t, 8> echo{};
    Cookie cookie{};
    CloseReason reason = CloseReason::DeniedFull;
    ByteView description = {}; // DeniedTable: of what the server has; read: into the datagram
};

// Requests and responses are padded with zeros to MaxDatagram; reading refuses anything else, and limits out of bounds.
void writeRequest(std::span<std::uint8_t> datagram, const Request& request);
[[nodiscard]] bool readRequest(ByteView datagram, Request& request);
// `datagram` is LongChallengeSize or ChallengeSize long, depending on whether it contains a fixed key.
void writeChallenge(std::span<std::uint8_t> datagram, const Challenge& challenge);
[[nodiscard]] bool readChallenge(ByteView datagram, Challenge& challenge);
void writeResponse(std::span<std::uint8_t> datagram, const Response& response);
[[nodiscard]] bool readResponse(ByteView datagram, Response& response);
// `datagram` is as long as DenySize and the description.
void writeDeny(std::span<std::uint8_t> datagram, const Deny& deny);
[[nodiscard]] bool readDeny(ByteView datagram, Deny& deny);

// What both ends have seen when keys are made.
// `proof` takes no part.
[[nodiscard]] Key transcriptOf(const Response& response, const Key& serverKey);

// Purpose: makes and checks cookies without memory of whom they were made for. A secret lives for one period and is honoured for
// another; so does the server's ephemeral key, which comes with it: an exchange of keys per request would cost fifty times what
// the cookie does. A cookie that has opened a connection opens no other while its secret lives, so the same keys are never made
// twice.
class CookieJar {
public:
    static constexpr Time Period = 30 * Second;
    static constexpr std::size_t MaxConsumed = 65'536;

    explicit CookieJar(const Entropy& entropy, Time now);
    void rotate(Time now);

    [[nodiscard]] Challenge challenge(const Address& from, const Request& request) const;
    // The ephemeral key the response was made for, or null: unknown secret or wrong cookie.
    [[nodiscard]] const KeyPair* check(const Address& from, const Response& response) const;
    // False if it was consumed before, or no more can be remembered.
    [[nodiscard]] bool consume(const Response& response);
    [[nodiscard]] bool consumed(const Response& response) const;

private:
    struct Generation {
        bool used = false;
        std::uint8_t index = 0;
        Key secret{};
        KeyPair pair;
        std::unordered_set<std::uint64_t> consumed;
    };
    void make(Generation& generation, std::uint8_t index);
    [[nodiscard]] static Cookie cookieOf(const Generation& generation, const Address& from,
                                         const Request& request);
    [[nodiscard]] const Generation* find(std::uint8_t index) const;

    const Entropy& m_entropy;
    std::array<Generation, 2> m_generations; // current, previous
    Time m_rotated = 0;
};

} // namespace sbx::net
