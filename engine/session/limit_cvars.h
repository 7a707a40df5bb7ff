#pragma once
// The `net.limit.*` CVars: what a server takes from a client, and keeps for one.

#include "engine/components/network_limits.h"
#include "engine/core/cvar.h"

namespace sbx {

// Purpose: adds the CVars to a console, and says what they are now. Reads no lock: asked every tick. Thread: the session's; the
// registry outlives it.
class LimitCVars {
public:
    explicit LimitCVars(CVarRegistry& registry);
    [[nodiscard]] NetworkLimits limits() const;

private:
    CVar<int> m_players;
    CVar<double> m_chat;
    CVar<double> m_playerInfo;
    CVar<double> m_input;
    CVar<double> m_other;
    CVar<double> m_burst;
    CVar<int> m_taken;
    CVar<int> m_backlogMessages;
    CVar<int> m_backlogBytes;
    CVar<int> m_states;
    CVar<double> m_stateRate;
    CVar<double> m_ban;
};

} // namespace sbx
