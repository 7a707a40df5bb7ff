#include "engine/net/refusals.h"

#include <algorithm>

namespace sbx::net {

namespace {

// Room for one more: the entry that is forgotten first goes.
template <typename Entry, typename Forgotten>
void makeRoom(std::vector<Entry>& entries, Forgotten forgotten) {
    if (entries.size() >= Refusals::Most)
        entries.erase(std::min_element(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
            return forgotten(a) < forgotten(b);
        }));
}

} // namespace

Refusals::Ip Refusals::networkOf(const Address& address) {
    Ip ip = address.ip;
    if (!address.isV4())
        std::fill(ip.begin() + 8, ip.end(), std::uint8_t{0});
    return ip;
}

Time Refusals::Network::forgotten() const {
    return std::max(until, since + static_cast<Time>(level * static_cast<double>(Forgiven)));
}

void Refusals::add(const Address& address, Time until, Time now) {
    std::erase_if(m_offenders, [&](const Offender& entry) { return entry.until <= now; });
    std::erase_if(m_networks, [&](const Network& entry) { return entry.forgotten() <= now; });

    const auto offender = std::find_if(m_offenders.begin(), m_offenders.end(),
                                       [&](const Offender& entry) { return entry.address == address; });
    if (offender != m_offenders.end()) {
        offender->until = std::max(offender->until, until);
    } else {
        makeRoom(m_offenders, [](const Offender& entry) { return entry.until; });
        m_offenders.push_back({address, until});
    }

    const Ip ip = networkOf(address);
    auto network = std::find_if(m_networks.begin(), m_networks.end(),
                                [&](const Network& entry) { return entry.ip == ip; });
    if (network == m_networks.end()) {
        makeRoom(m_networks, [](const Network& entry) { return entry.forgotten(); });
        m_networks.push_back({ip, 0.0, now, 0});
        network = m_networks.end() - 1;
    }
    const double passed = static_cast<double>(now - network->since) / static_cast<double>(Forgiven);
    network->level = std::max(0.0, network->level - passed) + 1.0;
    network->since = now;
    if (network->level > Spared)
        network->until = std::max(network->until, until);
}

bool Refusals::holds(const Address& address, Time now) const {
    const Ip ip = networkOf(address);
    return std::any_of(m_offenders.begin(), m_offenders.end(),
                       [&](const Offender& entry) { return entry.address == address && entry.until > now; })
           || std::any_of(m_networks.begin(), m_networks.end(),
                          [&](const Network& entry) { return entry.ip == ip && entry.until > now; });
}

} // namespace sbx::net
