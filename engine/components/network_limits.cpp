#include "engine/components/network_limits.h"

#include <algorithm>

namespace sbx {

void NetworkRates::Bucket::fill(double perSecond, double burstSeconds, net::Time now) {
    // A rate above 0 allows at least one message.
    const double most = std::max(1.0, perSecond * burstSeconds);
    const bool first = filled == net::Never;
    const double elapsed = first ? 0.0 : static_cast<double>(std::max<net::Time>(now - filled, 0)) / 1e9;
    credit = first ? most : std::min(most, credit + perSecond * elapsed);
    filled = now;
}

bool NetworkRates::Bucket::take() {
    if (credit < 1.0)
        return false;
    credit -= 1.0;
    return true;
}

void NetworkRates::refill(const NetworkLimits& limits, double tickRate, net::Time now) {
    const std::array<double, Kinds> rates{limits.chatPerSecond, limits.playerInfoPerSecond,
                                          limits.inputsPerTick * tickRate, limits.otherPerSecond};
    for (std::size_t kind = 0; kind < Kinds; ++kind)
        m_kinds[kind].fill(rates[kind], limits.burstSeconds, now);
    m_burst = limits.burstSeconds;
    m_now = now;
}

bool NetworkRates::take(Kind kind) { return m_kinds[static_cast<std::size_t>(kind)].take(); }

bool NetworkRates::take(const MessageType& type) {
    auto own = std::find_if(m_types.begin(), m_types.end(), [&](const auto& each) { return each.first == type.id; });
    if (own == m_types.end())
        own = m_types.insert(m_types.end(), {type.id, Bucket()});
    own->second.fill(type.fromClient->perSecond, m_burst, m_now);
    return own->second.take();
}

} // namespace sbx
