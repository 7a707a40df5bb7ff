#include "engine/net/transport.h"

#include <algorithm>
#include <cstdio>

namespace sbx::net {

Address Address::v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d, std::uint16_t port) {
    Address address;
    address.ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, a, b, c, d};
    address.port = port;
    return address;
}

bool Address::isV4() const {
    static constexpr std::array<std::uint8_t, 12> Mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    return std::equal(Mapped.begin(), Mapped.end(), ip.begin());
}

std::string Address::toString() const {
    char text[80];
    if (isV4()) {
        std::snprintf(text, sizeof text, "%u.%u.%u.%u:%u", unsigned{ip[12]}, unsigned{ip[13]},
                      unsigned{ip[14]}, unsigned{ip[15]}, unsigned{port});
        return text;
    }
    // RFC 5952: the longest run of zero groups becomes "::".
    int bestStart = -1;
    int bestLength = 1;
    const auto group = [&](int i) {
        const auto at = static_cast<std::size_t>(i) * 2U;
        return static_cast<unsigned>((unsigned{ip[at]} << 8U) | ip[at + 1]);
    };
    for (int i = 0; i < 8; ++i) {
        int length = 0;
        while (i + length < 8 && group(i + length) == 0) {
            ++length;
        }
        if (length > bestLength) {
            bestStart = i;
            bestLength = length;
        }
        i += length;
    }
    std::string out = "[";
    for (int i = 0; i < 8; ++i) {
        if (i == bestStart) {
            out += "::";
            i += bestLength - 1;
            continue;
        }
        if (i > 0 && out.back() != ':') {
            out += ':';
        }
        std::snprintf(text, sizeof text, "%x", group(i));
        out += text;
    }
    if (scope != 0) {
        out += '%' + std::to_string(scope);
    }
    return out + "]:" + std::to_string(port);
}

std::size_t AddressHash::operator()(const Address& address) const noexcept {
    // FNV-1a: sufficient for a table whose size is bounded by what passed the handshake.
    std::uint64_t hash = 14695981039346656037ULL;
    const auto mix = [&hash](std::uint64_t byte) { hash = (hash ^ byte) * 1099511628211ULL; };
    for (const std::uint8_t byte : address.ip) {
        mix(byte);
    }
    mix(address.port & 0xFFU);
    mix(address.port >> 8U);
    mix(address.scope);
    return hash;
}

} // namespace sbx::net
