#pragma once
// The CVars of one world (`sim.*`, `physics.*`, `net.limit.*`, `net.sim.*`), and the simulation that they set.

#include "engine/core/cvar.h"
#include "engine/core/diagnostic.h"
#include "engine/session/limit_cvars.h"
#include "engine/session/link_cvars.h"
#include "engine/simulation/simulation_settings.h"

#include <vector>

namespace sbx {

class Simulation;
struct Content;

// Purpose: adds the CVars to a registry, makes the settings of a build of their values, and puts later changes in force in the
// simulation. A session's own world uses the console's registry; each client in the same program has a registry of its own with the
// same CVars, so that a client may differ from its server. As the SharedSettings of the simulation it offers every Replicated CVar of
// the registry. Thread: the session's. The registry outlives it; it outlives the simulation or is detached from it.
class SimulationCVars final : public SharedSettings {
public:
    explicit SimulationCVars(CVarRegistry& registry);
    SimulationCVars(const SimulationCVars&) = delete;
    SimulationCVars& operator=(const SimulationCVars&) = delete;

    // From now on changes reach this simulation, which also shares the Replicated CVars with its peers.
    void bind(Simulation& simulation);
    // What the next world is built with: latched values are put in force, and values of a server that was followed end.
    [[nodiscard]] SimulationSettings latch();

    [[nodiscard]] CVarRegistry& registry() const { return m_registry; }
    [[nodiscard]] double timeScale() const { return static_cast<double>(m_timeScale.get()); }
    [[nodiscard]] std::uint64_t seed() const { return static_cast<std::uint64_t>(m_seed.get()); }
    [[nodiscard]] const LinkCVars& link() const { return m_link; }
    [[nodiscard]] NetworkLimits limits() const { return m_limits.limits(); }

    Result<void> follow(const std::string& name, const std::string& text) override;
    void setFollowing(bool following) override { m_registry.setFollowing(following); }
    [[nodiscard]] std::uint64_t revision() const override { return m_registry.revision(); }
    void visit(const std::function<void(const std::string&, const std::string&)>& each) const override;

private:
    [[nodiscard]] WorldBudget budget() const;

    CVarRegistry& m_registry;
    Simulation* m_simulation = nullptr;
    CVar<double> m_tickRate;
    CVar<int> m_seed;
    CVar<float> m_timeScale;
    CVar<float> m_gravity;
    CVar<int> m_entityBudget;
    CVar<int> m_messageBudget;
    CVar<physics::Broadphase> m_broadphase;
    CVar<float> m_margin;
    CVar<bool> m_exactPairs;
    CVar<bool> m_cheats;
    CVar<float> m_smoothing;
    CVar<bool> m_prediction;
    LinkCVars m_link;
    LimitCVars m_limits;
    std::vector<CVarConnection> m_connections;
};

// What a project's file sets, in the registry's layer of the project; null: nothing. CVars that the registry does not have, and values
// that do not fit, are faults.
void applyProjectCVars(CVarRegistry& registry, const Content* content, Diagnostics& faults);

} // namespace sbx
