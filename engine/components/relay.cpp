#include "engine/components/relay.h"

#include "engine/components/network_system.h"

namespace sbx {

void Relay::describe(ComponentBuilder<Relay>& b) {
    b.doc("Sends what happens to the entity to the clients of a network session.").category("Network").observer();
    // Before shields and health change it; the clients' worlds answer it again.
    constexpr int First = -1000;
    b.handle<&Relay::onDamage>(First, Side::Server)
        .handle<&Relay::onDied>(First, Side::Server)
        .handle<&Relay::onActivate>(First, Side::Server)
        .handle<&Relay::onDeactivate>(First, Side::Server)
        .handle<&Relay::onChat>(First, Side::Server);
    b.sends<PlayerInfo>().sends<GameStart>();
}

bool Relay::onDamage(Damage& m) {
    auto& network = world().service<NetworkSystem>();
    m_hits.add(network, network.send(entity(), m, m_death.needs(network)).handle);
    return false;
}

bool Relay::onDied(Died& m) {
    auto& network = world().service<NetworkSystem>();
    const NetHandle death = network.send(entity(), m, m_hits.needs(network)).handle;
    m_hits.restart(death);
    m_death.restart(death);
    return false;
}

template <typename M> bool Relay::inOrder(NetworkTrail& trail, const M& m) {
    auto& network = world().service<NetworkSystem>();
    trail.restart(network.send(entity(), m, trail.needs(network)).handle);
    return false;
}

} // namespace sbx
