#include "engine/components/network_trail.h"

#include "engine/components/network_system.h"

namespace sbx {

void NetworkTrail::add(NetworkSystem& network, const NetHandle& handle) {
    if (!handle)
        return;
    m_handles.push_back(handle);
    if (m_handles.size() >= MaxHandles && needs(network).size() >= MaxHandles)
        restart(network.together(m_handles));
}

void NetworkTrail::restart(const NetHandle& handle) {
    m_handles.clear();
    if (handle)
        m_handles.push_back(handle);
}

std::span<const NetHandle> NetworkTrail::needs(const NetworkSystem& network) {
    std::erase_if(m_handles, [&](const NetHandle& handle) { return network.state(handle) != net::HandleState::Pending; });
    return m_handles;
}

} // namespace sbx
