#include "engine/net/handshake.h"

#include "engine/net/bytes.h"

#include <algorithm>

namespace sbx::net {

namespace {

constexpr unsigned KeyFlags = 3;
constexpr unsigned KeyAsked = 2;
constexpr unsigned Observes = 4;

void put(ByteWriter& out, const Request& request) {
    out.u32(request.magic);
    out.u64(request.identity.id);
    out.bytes(request.identity.table);
    out.bytes(request.clientKey);
    out.u8(static_cast<std::uint8_t>((request.fixedKey ? 1U : request.askKey ? KeyAsked : 0U) | (request.observes ? Observes : 0U)));
}

template <std::size_t N> void take(ByteReader& in, std::array<std::uint8_t, N>& out) {
    const ByteView bytes = in.bytes(N);
    std::copy(bytes.begin(), bytes.end(), out.begin());
}

void get(ByteReader& in, Request& request) {
    request.magic = in.u32();
    request.identity.id = in.u64();
    take(in, request.identity.table);
    take(in, request.clientKey);
    const std::uint8_t flags = in.u8();
    const unsigned key = flags & KeyFlags;
    request.fixedKey = key == 1;
    request.askKey = key == KeyAsked;
    request.observes = (flags & Observes) != 0;
    if (key > KeyAsked || flags > (KeyFlags | Observes)) {
        in.fail();
    }
}

bool onlyZeros(ByteReader& in) {
    const ByteView rest = in.bytes(in.remaining());
    return in.ok() && std::all_of(rest.begin(), rest.end(), [](std::uint8_t byte) { return byte == 0; });
}

bool begins(ByteReader& in, DatagramType type) { return in.u8() == static_cast<std::uint8_t>(type); }

std::array<std::uint8_t, 18> placeOf(const Address& address) {
    std::array<std::uint8_t, 18> bytes{};
    std::copy(address.ip.begin(), address.ip.end(), bytes.begin());
    bytes[16] = static_cast<std::uint8_t>(address.port);
    bytes[17] = static_cast<std::uint8_t>(address.port >> 8U);
    return bytes;
}

std::uint64_t first8(const Cookie& cookie) { return ByteReader(cookie).u64(); }

constexpr std::size_t RequestFields = 4 + 8 + 16 + 32 + 1;

} // namespace

void writeRequest(std::span<std::uint8_t> datagram, const Request& request) {
    std::fill(datagram.begin(), datagram.end(), std::uint8_t{0});
    ByteWriter out(datagram);
    out.u8(static_cast<std::uint8_t>(DatagramType::Request));
    put(out, request);
}

bool readRequest(ByteView datagram, Request& request) {
    ByteReader in(datagram);
    if (datagram.size() != MaxDatagram || !begins(in, DatagramType::Request)) {
        return false;
    }
    get(in, request);
    return in.ok() && onlyZeros(in);
}

void writeChallenge(std::span<std::uint8_t> datagram, const Challenge& challenge) {
    ByteWriter out(datagram);
    out.u8(static_cast<std::uint8_t>(DatagramType::Challenge));
    out.bytes(challenge.echo);
    out.bytes(challenge.serverKey);
    out.bytes(challenge.cookie);
    out.u8(challenge.secretIndex);
    if (challenge.fixedKey) {
        out.bytes(*challenge.fixedKey);
    }
}

bool readChallenge(ByteView datagram, Challenge& challenge) {
    ByteReader in(datagram);
    if ((datagram.size() != ChallengeSize && datagram.size() != LongChallengeSize) || !begins(in, DatagramType::Challenge)) {
        return false;
    }
    take(in, challenge.echo);
    take(in, challenge.serverKey);
    take(in, challenge.cookie);
    challenge.secretIndex = in.u8();
    if (datagram.size() == LongChallengeSize) {
        take(in, challenge.fixedKey.emplace());
    }
    return in.ok();
}

void writeResponse(std::span<std::uint8_t> datagram, const Response& response) {
    std::fill(datagram.begin(), datagram.end(), std::uint8_t{0});
    ByteWriter out(datagram);
    out.u8(static_cast<std::uint8_t>(DatagramType::Response));
    put(out, response.request);
    out.bytes(response.cookie);
    out.u8(response.secretIndex);
    writeLimits(out, response.limits);
    out.bytes(response.proof);
}

bool readResponse(ByteView datagram, Response& response) {
    ByteReader in(datagram);
    if (datagram.size() != MaxDatagram || !begins(in, DatagramType::Response)) {
        return false;
    }
    get(in, response.request);
    take(in, response.cookie);
    response.secretIndex = in.u8();
    response.limits = readLimits(in);
    take(in, response.proof);
    return in.ok() && valid(response.limits) && onlyZeros(in);
}

void writeDeny(std::span<std::uint8_t> datagram, const Deny& deny) {
    ByteWriter out(datagram);
    out.u8(static_cast<std::uint8_t>(DatagramType::Deny));
    out.bytes(deny.echo);
    out.bytes(deny.cookie);
    out.u8(static_cast<std::uint8_t>(deny.reason));
    out.bytes(deny.description);
}

bool readDeny(ByteView datagram, Deny& deny) {
    ByteReader in(datagram);
    if (datagram.size() < DenySize || datagram.size() > DenySize + MaxDescription
        || !begins(in, DatagramType::Deny)) {
        return false;
    }
    take(in, deny.echo);
    take(in, deny.cookie);
    const std::uint8_t reason = in.u8();
    deny.reason = static_cast<CloseReason>(reason);
    deny.description = in.bytes(in.remaining());
    return in.ok() && (deny.description.empty() || deny.reason == CloseReason::DeniedTable)
           && ((deny.reason >= CloseReason::DeniedFull && deny.reason <= CloseReason::DeniedBanned)
               || deny.reason == CloseReason::DeniedPassword);
}

Key transcriptOf(const Response& response, const Key& serverKey) {
    std::array<std::uint8_t, RequestFields + 16 + 1 + LimitsSize> bytes{};
    ByteWriter out(bytes);
    put(out, response.request);
    out.bytes(response.cookie);
    out.u8(response.secretIndex);
    writeLimits(out, response.limits);
    Key transcript{};
    hash(transcript, {}, {bytes, serverKey});
    return transcript;
}

CookieJar::CookieJar(const Entropy& entropy, Time now) : m_entropy(entropy), m_rotated(now) {
    std::array<std::uint8_t, 1> start{};
    m_entropy(start);
    make(m_generations[0], start[0]);
}

void CookieJar::make(Generation& generation, std::uint8_t index) {
    generation.used = true;
    generation.index = index;
    m_entropy(generation.secret);
    Key secret{};
    m_entropy(secret);
    generation.pair = makeKeyPair(secret);
    generation.consumed.clear();
}

void CookieJar::rotate(Time now) {
    if (now - m_rotated < Period) {
        return;
    }
    // After a long sleep even the current secret is too old to be honoured.
    const bool both = now - m_rotated >= 2 * Period;
    std::swap(m_generations[0], m_generations[1]);
    m_generations[1].used = !both;
    make(m_generations[0], static_cast<std::uint8_t>(m_generations[1].index + 1U));
    m_rotated = now;
}

Cookie CookieJar::cookieOf(const Generation& generation, const Address& from, const Request& request) {
    std::array<std::uint8_t, RequestFields> fields{};
    ByteWriter out(fields);
    put(out, request);
    Cookie cookie{};
    hash(cookie, generation.secret, {placeOf(from), fields});
    return cookie;
}

const CookieJar::Generation* CookieJar::find(std::uint8_t index) const {
    for (const Generation& generation : m_generations) {
        if (generation.used && generation.index == index) {
            return &generation;
        }
    }
    return nullptr;
}

Challenge CookieJar::challenge(const Address& from, const Request& request) const {
    const Generation& current = m_generations[0];
    Challenge challenge;
    std::copy_n(request.clientKey.begin(), challenge.echo.size(), challenge.echo.begin());
    challenge.serverKey = current.pair.open;
    challenge.cookie = cookieOf(current, from, request);
    challenge.secretIndex = current.index;
    return challenge;
}

const KeyPair* CookieJar::check(const Address& from, const Response& response) const {
    const Generation* generation = find(response.secretIndex);
    if (generation == nullptr || !sameBytes(cookieOf(*generation, from, response.request), response.cookie)) {
        return nullptr;
    }
    return &generation->pair;
}

bool CookieJar::consumed(const Response& response) const {
    const Generation* generation = find(response.secretIndex);
    return generation == nullptr || generation->consumed.contains(first8(response.cookie));
}

bool CookieJar::consume(const Response& response) {
    for (Generation& generation : m_generations) {
        if (generation.used && generation.index == response.secretIndex) {
            return generation.consumed.size() < MaxConsumed
                   && generation.consumed.insert(first8(response.cookie)).second;
        }
    }
    return false;
}

} // namespace sbx::net
