// What a session adds to a network connection of its main simulation.

#include "engine/components/network_system.h"
#include "engine/session/session.h"

namespace sbx {

void Session::joinNetwork(NetworkSetup setup) {
    if (!setup.limits)
        setup.limits = [this] { return m_worldCVars.limits(); };
    m_main.join(std::move(setup));
}

} // namespace sbx
