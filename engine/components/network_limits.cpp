#include "engine/components/network_limits.h"

#include <algorithm>

namespace sbx {

void NetworkRates::refill(const NetworkLimits& limits, double tickRate, net::Time now) {
    const std::array<double, Kinds> rates{limits.chatPerSecond, limits.playerInfoPerSecond,
                                          limits.inputsPerTick * tickRate, limits.otherPerSecond};
    const bool first = m_filled == net::Never;
    const double elapsed = first ? 0.0 : static_cast<double>(std::max<net::Time>(now - m_filled, 0)) / 1e9;
    for (std::size_t kind = 0; kind < Kinds; ++kind) {
        // A rate above 0 allows at least one message.
        const double most = std::max(1.0, rates[kind] * limits.burstSeconds);
        m_credit[kind] = first ? most : std::min(most, m_credit[kind] + rates[kind] * elapsed);
    }
    m_burst = limits.burstSeconds;
    m_filled = now;
}

bool NetworkRates::take(Kind kind) {
    double& credit = m_credit[static_cast<std::size_t>(kind)];
    if (credit < 1.0)
        return false;
    credit -= 1.0;
    return true;
}

bool NetworkRates::take(const MessageType& type) {
    const double rate = type.fromClient->perSecond;
    const double most = std::max(1.0, rate * m_burst);
    auto own = std::find_if(m_own.begin(), m_own.end(), [&](const Own& o) { return o.type == type.id; });
    if (own == m_own.end())
        own = m_own.insert(m_own.end(), {type.id, most, m_filled});
    const double elapsed = static_cast<double>(std::max<net::Time>(m_filled - own->filled, 0)) / 1e9;
    own->credit = std::min(most, own->credit + rate * elapsed);
    own->filled = m_filled;
    if (own->credit < 1.0)
        return false;
    own->credit -= 1.0;
    return true;
}

} // namespace sbx
