#pragma once
// The `net.sim.*` CVars: how badly the simulated links of a session's clients treat what goes over them.

#include "engine/core/cvar.h"
#include "engine/net/link_settings.h"

namespace sbx {

// Purpose: adds the CVars to a console, and lays what somebody set over a link. A server's hold for all of its clients' links, a
// client's own (`@client1 net.sim.loss 20`) for that one, above the server's; `net.link` sets single directions. A value nobody set
// leaves the link as it is. Any thread; the registry outlives it.
class LinkCVars {
public:
    explicit LinkCVars(CVarRegistry& registry);
    // In both directions. True: something was set.
    bool overlay(net::LinkProfile& link) const;
    [[nodiscard]] std::uint64_t revision() const { return m_registry->revision(); }

private:
    CVarRegistry* m_registry;
};

} // namespace sbx
