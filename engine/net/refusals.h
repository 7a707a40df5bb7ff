#pragma once
// Addresses that are refused for a while.

#include "engine/net/transport.h"

#include <array>
#include <vector>

namespace sbx::net {

// Purpose: remembers IPv4 addresses and IPv6 /64 networks until a time. At most so many: the one that would be forgotten first makes
// room, so an attacker with many addresses costs no more memory. Thread: the host's.
class Refusals {
public:
    static constexpr std::size_t Most = 1024;

    // `until`: on the clock that holds() is asked with; an earlier time does not shorten a later one.
    void add(const Address& address, Time until, Time now);
    [[nodiscard]] bool holds(const Address& address, Time now) const;
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }

private:
    using Network = std::array<std::uint8_t, 16>;
    struct Entry {
        Network network{};
        Time until = 0;
    };
    [[nodiscard]] static Network networkOf(const Address& address);

    std::vector<Entry> m_entries;
};

} // namespace sbx::net
