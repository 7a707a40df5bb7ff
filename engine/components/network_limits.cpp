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
    m_filled = now;
}

bool NetworkRates::take(Kind kind) {
    double& credit = m_credit[static_cast<std::size_t>(kind)];
    if (credit < 1.0)
        return false;
    credit -= 1.0;
    return true;
}

} // namespace sbx
