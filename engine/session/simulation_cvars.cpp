#include "engine/session/simulation_cvars.h"

#include "engine/simulation/simulation.h"

namespace sbx {

SimulationCVars::SimulationCVars(CVarRegistry& registry)
    : m_registry(registry),
      m_tickRate(
          registry.add<double>("sim.tickRate", 60.0, "Ticks in a second of simulation.",
                               {.unit = "Hz", .minimum = 1, .maximum = 1000, .flags = CVarFlags::Latched})),
      m_seed(registry.add<int>("sim.seed", 1, "Seed of the simulation's random numbers.",
                               {.minimum = 0, .flags = CVarFlags::Latched})),
      m_timeScale(registry.add<float>(
          "sim.timeScale", 1.0F, "Speed of the clock; the ticks stay the same.",
          {.minimum = 0.1, .maximum = 4, .flags = CVarFlags::Cheat | CVarFlags::Replicated})),
      m_gravity(registry.add<float>("sim.gravity", 9.81F, "Pull on every body, downwards.",
                                    {.unit = "m/s²",
                                     .minimum = -100,
                                     .maximum = 100,
                                     .flags = CVarFlags::Cheat | CVarFlags::Replicated})),
      m_entityBudget(registry.add<int>("sim.entityBudget", 200'000,
                                       "Entities that a run may add to those it begins with, at once; play "
                                       "pauses there. The log names who makes most from a "
                                       "sixteenth of it on. 0: any number.",
                                       {.minimum = 0})),
      m_messageBudget(registry.add<int>("sim.messageBudget", 1'000'000,
                                        "Messages that may wait to be delivered, at once; play pauses there. "
                                        "The log names who sends most from a sixteenth of it "
                                        "on. 0: any number.",
                                        {.minimum = 0})),
      m_broadphase(registry.add<physics::Broadphase>(
          "physics.broadphase", physics::Broadphase::Tree,
          "What finds the pairs of bodies that may touch: this engine's own tree, or Bullet's.",
          {.choices = {"tree", "dbvt"}, .flags = CVarFlags::Latched})),
      m_margin(
          registry.add<float>("physics.margin", physics::WorldDesc{}.margin,
                              "By how much boxes in the tree are larger than their bodies, on each side.",
                              {.unit = "m", .minimum = 0, .maximum = 10})),
      m_exactPairs(registry.add<bool>("physics.exactPairs", false,
                                      "Pairs of boxes without a margin, in order of creation: contacts are "
                                      "then the same with either broad phase.",
                                      {.flags = CVarFlags::Latched})),
      m_cheats(registry.add<bool>("sim.cheats", true,
                                  "Cheats may be set; switched off, they fall back to the project's.",
                                  {.flags = CVarFlags::Replicated | CVarFlags::Notify})),
      m_smoothing(registry.add<float>("net.smoothing", SimulationSettings{}.smoothing,
                                      "How long a client draws what is left of a correction by the server, until a third "
                                      "of it; 0: corrections jump.",
                                      {.unit = "s", .minimum = 0, .maximum = 2})),
      m_prediction(registry.add<bool>("net.prediction", SimulationSettings{}.prediction,
                                      "A client's own player acts on its inputs at once, and is put right by the server's answer; off: it "
                                      "waits for the server.")),
      m_link(registry),
      m_limits(registry) {
    m_connections.push_back(m_gravity.onChange([this](float gravity) {
        if (m_simulation != nullptr)
            m_simulation->setGravity(gravity);
    }));
    for (const CVar<int>& each : {m_entityBudget, m_messageBudget})
        m_connections.push_back(each.onChange([this](int) {
            if (m_simulation != nullptr)
                m_simulation->setBudget(budget());
        }));
    m_connections.push_back(m_margin.onChange([this](float margin) {
        if (m_simulation != nullptr)
            m_simulation->setMargin(m_exactPairs.get() ? 0.0F : margin);
    }));
    m_connections.push_back(m_smoothing.onChange([this](float seconds) {
        if (m_simulation != nullptr)
            m_simulation->setSmoothing(seconds);
    }));
    m_connections.push_back(m_prediction.onChange([this](bool on) {
        if (m_simulation != nullptr)
            m_simulation->setPrediction(on);
    }));
    m_connections.push_back(m_cheats.onChange([this](bool on) { m_registry.allowCheats(on); }));
}

void SimulationCVars::bind(Simulation& simulation) {
    m_simulation = &simulation;
    simulation.setSharedSettings(this);
}

SimulationSettings SimulationCVars::latch() {
    m_registry.applyLatched();
    m_registry.setFollowing(false);
    SimulationSettings settings;
    settings.tickRate = m_tickRate.get();
    settings.seed = seed();
    settings.gravity = m_gravity.get();
    settings.broadphase = m_broadphase.get();
    settings.margin = m_margin.get();
    settings.exactPairs = m_exactPairs.get();
    settings.budget = budget();
    settings.smoothing = m_smoothing.get();
    settings.prediction = m_prediction.get();
    return settings;
}

WorldBudget SimulationCVars::budget() const {
    return {.entities = static_cast<std::uint64_t>(m_entityBudget.get()),
            .messages = static_cast<std::uint64_t>(m_messageBudget.get())};
}

Result<void> SimulationCVars::follow(const std::string& name, const std::string& text) {
    const std::optional<CVarInfo> cvar = m_registry.describe(name);
    if (!cvar)
        return Error{"there is no " + name, {}, {}};
    const bool isText = cvar->field.type == FieldType::String;
    const Result<Value> value = isText ? Result<Value>(Value(text)) : cvar->field.parse(text);
    if (!value)
        return value.error();
    if (const Result<CVarOutcome> followed = m_registry.follow(name, *value); !followed)
        return followed.error();
    return {};
}

void SimulationCVars::visit(const std::function<void(const std::string&, const std::string&)>& each) const {
    for (const CVarInfo& cvar : m_registry.list(true))
        if (has(cvar.flags, CVarFlags::Replicated) && !has(cvar.flags, CVarFlags::Protected))
            each(cvar.field.name, cvar.field.format(cvar.value));
}

void applyProjectCVars(CVarRegistry& registry, const Content* content, Diagnostics& faults) {
    std::vector<SourceEntry> entries;
    if (content != nullptr)
        for (const definition::CVarSetting& setting : content->project.cvars)
            entries.push_back({setting.name, setting.keyRegion, setting.value});
    registry.setLayer(CVarSource::Project, entries, faults,
                      content != nullptr ? content->project.file.string() : std::string());
}

} // namespace sbx
