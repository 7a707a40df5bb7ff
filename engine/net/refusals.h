#pragma once
// Who is refused for a while, after it has broken a limit or named a wrong password.

#include "engine/net/transport.h"

#include <array>
#include <vector>

namespace sbx::net {

// Purpose: a client that went too far is refused by its address and port alone, so that others behind the
// same address, in one household or behind one provider's gateway, are not. A port is changed easily; so an
// address (an IPv6 /64) that goes too far again and again is refused as a whole: each offence adds one to its
// level, a quarter of a minute takes one away, and above Spared the whole address is refused for as long as
// the offender. At most so many entries of either kind: the one that would be forgotten first makes room, so
// an attacker with many addresses costs no more memory. Thread: the host's.
class Refusals {
public:
    static constexpr std::size_t Most = 1024;
    static constexpr double Spared = 3.0;         // level up to which only the offender itself is refused
    static constexpr Time Forgiven = 15 * Second; // that takes one from the level

    // `until`: on the clock of the time passed to holds(); an earlier time does not shorten a later one.
    void add(const Address& address, Time until, Time now);
    [[nodiscard]] bool holds(const Address& address, Time now) const;
    // Entries of both kinds.
    [[nodiscard]] std::size_t size() const { return m_offenders.size() + m_networks.size(); }

private:
    using Ip = std::array<std::uint8_t, 16>;
    struct Offender {
        Address address;
        Time until = 0;
    };
    struct Network {
        Ip ip{};
        double level = 0.0; // at `since`
        Time since = 0;
        Time until = 0; // refused as a whole
        // When nothing of it matters any more.
        [[nodiscard]] Time forgotten() const;
    };
    [[nodiscard]] static Ip networkOf(const Address& address);

    std::vector<Offender> m_offenders;
    std::vector<Network> m_networks;
};

} // namespace sbx::net
