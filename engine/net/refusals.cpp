#include "engine/net/refusals.h"

#include <algorithm>

namespace sbx::net {

Refusals::Network Refusals::networkOf(const Address& address) {
    Network network = address.ip;
    if (!address.isV4()) {
        std::fill(network.begin() + 8, network.end(), std::uint8_t{0});
    }
    return network;
}

void Refusals::add(const Address& address, Time until, Time now) {
    std::erase_if(m_entries, [&](const Entry& entry) { return entry.until <= now; });
    const Network network = networkOf(address);
    const auto same = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) { return entry.network == network; });
    if (same != m_entries.end()) {
        same->until = std::max(same->until, until);
        return;
    }
    if (m_entries.size() >= Most) {
        m_entries.erase(std::min_element(m_entries.begin(), m_entries.end(),
                                         [](const Entry& a, const Entry& b) { return a.until < b.until; }));
    }
    m_entries.push_back({network, until});
}

bool Refusals::holds(const Address& address, Time now) const {
    const Network network = networkOf(address);
    return std::any_of(m_entries.begin(), m_entries.end(),
                       [&](const Entry& entry) { return entry.network == network && entry.until > now; });
}

} // namespace sbx::net
