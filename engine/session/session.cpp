#include "engine/session/session.h"

#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/components/register.h"
#include "engine/components/surroundings.h"
#include "engine/render/render_cvars.h"
#include "engine/session/event_commands.h"
#include "engine/session/local_clients.h"
#include "engine/session/queue_commands.h"
#include "engine/session/sound_host.h"
#include "engine/session/sound_stage.h"

#include <algorithm>
#include <chrono>

namespace sbx {

namespace {
ComponentRegistry& filled(ComponentRegistry& registry) {
    registerBuiltinComponents(registry);
    return registry;
}
} // namespace

Session::Session(Log& log)
    : m_log(log),
      m_plugins(filled(m_components), log),
      m_console(log),
      m_tickRate(m_console.cvars().add<double>(
          "sim.tickRate", 60.0, "Ticks in a second of simulation.",
          {.unit = "Hz", .minimum = 1, .maximum = 1000, .flags = CVarFlags::Latched})),
      m_seed(m_console.cvars().add<int>("sim.seed", 1, "Seed of the simulation's random numbers.",
                                        {.minimum = 0, .flags = CVarFlags::Latched})),
      m_timeScale(m_console.cvars().add<float>("sim.timeScale", 1.0F,
                                               "Speed of the clock; the ticks stay the same.",
                                               {.minimum = 0.1,
                                                .maximum = 4,
                                                .flags = CVarFlags::Cheat | CVarFlags::Replicated})),
      m_gravity(m_console.cvars().add<float>("sim.gravity", 9.81F, "Pull on every body, downwards.",
                                             {.unit = "m/s²",
                                              .minimum = -100,
                                              .maximum = 100,
                                              .flags = CVarFlags::Cheat | CVarFlags::Replicated})),
      m_entityBudget(m_console.cvars().add<int>(
          "sim.entityBudget", 200'000,
          "Entities that a run may add to those it begins with, at once; play pauses there. The log names who makes most from a "
          "sixteenth of it on. 0: any number.",
          {.minimum = 0})),
      m_messageBudget(m_console.cvars().add<int>(
          "sim.messageBudget", 1'000'000,
          "Messages that may wait to be delivered, at once; play pauses there. The log names who sends most from a sixteenth of it "
          "on. 0: any number.",
          {.minimum = 0})),
      m_broadphase(m_console.cvars().add<physics::Broadphase>(
          "physics.broadphase", physics::Broadphase::Tree,
          "What finds the pairs of bodies that may touch: this engine's own tree, or Bullet's.",
          {.choices = {"tree", "dbvt"}, .flags = CVarFlags::Latched})),
      m_margin(m_console.cvars().add<float>("physics.margin", physics::WorldDesc{}.margin,
                                            "By how much boxes in the tree are larger than their bodies, on each side.",
                                            {.unit = "m", .minimum = 0, .maximum = 10})),
      m_exactPairs(m_console.cvars().add<bool>(
          "physics.exactPairs", false,
          "Pairs of boxes without a margin, in order of creation: contacts are then the same with either broad phase.",
          {.flags = CVarFlags::Latched})),
      m_showShapes(m_console.cvars().add<bool>("debug.shapes", false, "Draw the shapes of bodies, coloured by what they are.")),
      m_showContacts(m_console.cvars().add<bool>("debug.contacts", false, "Draw where bodies touch.")),
      m_showTree(m_console.cvars().add<bool>("debug.tree", false, "Draw the boxes of the broad phase's tree, coloured by depth.")),
      m_volume(m_console.cvars().add<float>("audio.volume", 1.0F, "Amplitude of everything that is heard.",
                                            {.minimum = 0, .maximum = 4, .flags = CVarFlags::Archive})),
      m_soundMode(m_console.cvars().add<audio::Mode>(
          "audio.mode", audio::Mode::Hrtf,
          "How two ears are made: measured heads, a rigid sphere, two points 15 cm apart, stereo, one for both.",
          {.choices = {"hrtf", "sphere", "plain", "pan", "mono"}})),
      m_soundQuality(m_console.cvars().add<audio::Quality>("audio.quality", audio::Quality::Best,
                                                           "How moving delays are read.",
                                                           {.choices = {"best", "balanced", "fast", "linear"},
                                                            .flags = CVarFlags::Archive})),
      m_occlusion(m_console.cvars().add<bool>("audio.occlusion", true, "What stands between muffles.")),
      m_temperature(m_console.cvars().add<float>(
          "audio.temperature", UnsetTemperature,
          "Of the air: sets the speed of sound (but in the mode plain) and how much of high tones is swallowed.",
          {.unit = "°C", .minimum = -60, .maximum = 60})),
      m_humidity(m_console.cvars().add<float>("audio.humidity", 50.0F, "Of the air: how much of high tones is swallowed.",
                                              {.unit = "%", .minimum = 0, .maximum = 100})),
      m_limiter(m_console.cvars().add<bool>(
          "audio.limiter", true,
          "Keeps what is heard below -1 dBFS. Off, for measuring: nothing is lowered, and what passes full scale is clipped.")),
      m_soundDevice(m_console.cvars().add<std::string>("audio.device", "",
                                                       "Id of the device to play on; empty: the system's choice.",
                                                       {.flags = CVarFlags::Archive})),
      m_soundRate(m_console.cvars().add<int>("audio.rate", 0, "Rate of the device, from 44100; 0: its own.",
                                             {.unit = "Hz", .minimum = 0, .maximum = 192000, .flags = CVarFlags::Archive})),
      m_soundLatency(m_console.cvars().add<float>("audio.latency", 40.0F,
                                                  "Lag of the sound that is asked of the device's buffer; audio.deviceLatency is what it gives.",
                                                  {.unit = "ms", .minimum = 5, .maximum = 500, .flags = CVarFlags::Archive})),
      m_soundDeviceLatency(m_console.cvars().add<float>(
          "audio.deviceLatency", 0.0F,
          "What the device gives of what audio.latency asks for: the length of its buffer; 0: no device plays.",
          {.unit = "ms", .flags = CVarFlags::ReadOnly})),
      m_cheats(m_console.cvars().add<bool>("sim.cheats", true,
                                           "Cheats may be set; switched off, they fall back to the project's.",
                                           {.flags = CVarFlags::Replicated | CVarFlags::Notify})),
      m_recording(m_console.cvars().add<bool>("trace.enabled", true, "Record messages for the trace.")),
      m_netRecording(m_console.cvars().add<bool>("net.record", true, "Record packets and messages of the network.")),
      m_timing(m_console.cvars().add<bool>("trace.timing", false, "Record how long each handler takes.")) {
    m_connections.push_back(m_gravity.onChange([this](float g) {
        if (m_physics)
            m_physics->physics().setGravity(Vec3(0.0F, -g, 0.0F));
    }));
    for (const CVar<int>& budget : {m_entityBudget, m_messageBudget})
        m_connections.push_back(budget.onChange([this](int) { tellBudget(); }));
    m_connections.push_back(m_margin.onChange([this](float margin) {
        if (m_physics)
            m_physics->physics().setMargin(m_exactPairs.get() ? 0.0F : margin);
    }));
    // Stopped, nobody would publish what is asked for.
    for (const CVar<bool>& shown : {m_showShapes, m_showContacts, m_showTree})
        m_connections.push_back(shown.onChange([this](bool) { post([](Session&) {}); }));
    m_connections.push_back(m_volume.onChange([this](float volume) {
        if (m_stage != nullptr)
            m_stage->setVolume(volume);
    }));
    m_connections.push_back(m_soundMode.onChange([this](audio::Mode mode) {
        if (m_stage != nullptr)
            m_stage->renderer().setMode(mode);
    }));
    m_connections.push_back(m_soundQuality.onChange([this](audio::Quality quality) {
        if (m_stage != nullptr)
            m_stage->renderer().setQuality(quality);
    }));
    m_connections.push_back(m_occlusion.onChange([this](bool on) {
        if (m_stage != nullptr)
            m_stage->setOcclusion(on);
    }));
    m_connections.push_back(m_limiter.onChange([this](bool on) {
        if (m_stage != nullptr)
            m_stage->renderer().setLimiter(on);
    }));
    m_soundLibrary.setRemark([this](const std::string& text) { m_console.log().warning("audio", text); });
    for (const CVar<float>& air : {m_temperature, m_humidity})
        m_connections.push_back(air.onChange([this](float) { tellAir(); }));
    m_connections.push_back(m_cheats.onChange([this](bool on) { m_console.cvars().allowCheats(on); }));
    m_connections.push_back(m_recording.onChange([this](bool on) { m_recorder.setEnabled(on); }));
    m_connections.push_back(m_netRecording.onChange([this](bool on) { m_netRecorder.setEnabled(on); }));
    m_connections.push_back(m_timing.onChange([this](bool on) { m_recorder.setTiming(on); }));
    m_console.setTickProvider([this] { return m_world ? m_world->tickCount() : 0; });
    m_console.setSelection([this] { return m_selected; });
    m_console.setNameProvider([this](TextRole role) { return providedNames(role); });
    // Known before settings, projects and command lines speak of them, window or not.
    static_cast<void>(render::registerRenderCVars(m_console.cvars()));
    m_netRecorder.setEnabled(m_netRecording.get());
    registerCommands();
    registerEventCommands(
        m_console, [this]() -> World& { return *m_world; }, [this](TextRole role) { return providedNames(role); });
    registerQueueCommands(
        m_console, [this]() -> World& { return *m_world; }, [this] { return m_run; },
        [this](TextRole role) { return providedNames(role); });
    registerBreakpointCommands(*this);
    registerWatchCommands(*this);
    registerTargetCommands(*this);
    registerWorldCommands();
    registerSpatialCommands();
    registerNetworkCommands();
    registerSoundCommands();
    registerClientCommands();
    registerPluginCommands();
    m_catalog = m_plugins.builtins();
    buildWorld();
    publish();
}

Session::~Session() {
    endClients();
    endHearing();
    m_world.reset(); // before the services its components use
}

// ---------------------------------------------------------------------------------------------------- threads

void Session::post(Posted command) {
    {
        const std::lock_guard lock(m_postMutex);
        m_posted.push_back(std::move(command));
        m_postedTells = true;
    }
    if (m_wakeUp)
        m_wakeUp();
}

void Session::postAside(Posted command) {
    {
        const std::lock_guard lock(m_postMutex);
        m_posted.push_back(std::move(command));
    }
    if (m_wakeUp)
        m_wakeUp();
}

bool Session::runPosted() {
    if (m_runningPosted)
        return false;
    std::vector<Posted> posted;
    bool tells = false;
    {
        const std::lock_guard lock(m_postMutex);
        posted.swap(m_posted);
        tells = std::exchange(m_postedTells, false);
    }
    m_runningPosted = true;
    m_movesOnly = 0;
    for (Posted& command : posted)
        command(*this);
    m_togetherStale = m_togetherStale || posted.size() > m_movesOnly;
    m_runningPosted = false;
    return tells;
}

std::shared_ptr<const FrameSnapshot> Session::snapshot() const {
    const std::lock_guard lock(m_snapshotMutex);
    return m_snapshot;
}

std::shared_ptr<const PhysicsView> Session::physicsView(const PhysicsSystem& of) const {
    if (!m_showShapes.get() && !m_showContacts.get() && !m_showTree.get())
        return nullptr;
    auto view = std::make_shared<PhysicsView>();
    const physics::PhysicsWorld& physics = of.physics();
    if (m_showShapes.get())
        physics.debugLines(view->shapes);
    if (m_showContacts.get()) {
        view->contacts = physics.begins();
        view->contacts.insert(view->contacts.end(), physics.persisting().begin(), physics.persisting().end());
    }
    if (m_showTree.get())
        physics.debugBoxes(view->tree);
    return view;
}

void Session::publish() {
    m_recorder.seal();
    if (!m_watches.empty())
        m_watches.sample(expressionContext(Hints::None), m_run, m_world->tickCount(),
                         m_world->desc().tickRate);
    m_netRecorder.seal();
    auto frame = std::make_shared<FrameSnapshot>();
    frame->serial = ++m_serial;
    frame->run = m_run;
    frame->mode = m_mode;
    frame->tick = m_world->tickCount();
    frame->tickRate = m_world->desc().tickRate;
    frame->timeScale = timeScale();
    frame->tickMs = m_tickMs;
    frame->overBudget = m_overBudget;
    Session& from = shown();
    frame->entities = from.entityList();
    frame->catalog = from.m_catalog;
    frame->matches = m_query.look(*from.m_world, from.m_catalog, frame->entities);
    auto scene = std::make_shared<render::Scene>();
    from.m_visuals->fill(*from.m_world, *scene);
    frame->scene = std::move(scene);
    frame->physics = physicsView(*from.m_physics);
    frame->network = networkView();
    fillInspected(*frame, from);
    frame->published = std::chrono::steady_clock::now();
    const std::lock_guard lock(m_snapshotMutex);
    m_snapshot = std::move(frame);
}

std::shared_ptr<const EntityList> Session::entityList() {
    if (m_entityList && m_entityListVersion == m_world->structureVersion())
        return m_entityList;
    auto list = std::make_shared<EntityList>();
    list->rows.reserve(m_world->entityCount());
    // Ids depend on what was spawned and destroyed before, the order of the file does not: an entity keeps its place in the list when an
    // edit makes it anew.
    static const definition::Scene none;
    const definition::Scene& scene = m_content ? m_content->scene : none;
    std::vector<Entity> ofScene(scene.instances().size());
    std::vector<Entity> others;
    m_world->forEach([&](const Entity& entity) {
        const definition::InstanceDefinition* instance = scene.find(entity.name());
        if (instance != nullptr)
            ofScene[static_cast<std::size_t>(instance - scene.instances().data())] = entity;
        else
            others.push_back(entity);
    });
    const auto add = [&](const Entity& entity) {
        const EntityTypeInfo& info = entity.type().info();
        list->byName.emplace(entity.name(), list->rows.size());
        list->byId.emplace(entity.id().bits, list->rows.size());
        list->rows.push_back({entity.id(), entity.name(), info.name, info.icon, m_world->nameOf(entity.parent()),
                              entity.fromScene(), entity.sharedType()});
    };
    for (const Entity& entity : ofScene)
        if (entity)
            add(entity);
    for (const Entity& entity : others)
        add(entity);
    for (const auto& type : m_world->types())
        list->types.push_back(type->name());
    m_entityListVersion = m_world->structureVersion();
    m_entityList = list;
    return list;
}

Inspection Session::inspection(const Entity& entity) const {
    Inspection out;
    out.id = entity.id();
    out.name = entity.name();
    out.type = entity.type().name();
    out.parent = m_world->nameOf(entity.parent());
    out.local = entity.local();
    out.pose = entity.pose();
    std::unordered_map<const ComponentType*, int> seen;
    for (const Entity::ComponentRef& ref : entity.components()) {
        InspectedComponent component;
        component.type = ref.type;
        const int number = ++seen[ref.type];
        component.name = number == 1 ? ref.type->name : ref.type->name + "#" + std::to_string(number);
        for (const FieldInfo& field : *ref.type->settings) {
            component.settings.push_back({&field, field.read(ref.type->settingsOf(ref.component)),
                                          entity.overrides(component.name, field.name)});
        }
        if (ref.type->stateOf != nullptr)
            for (const FieldInfo& field : *ref.type->state)
                component.state.push_back({&field, field.read(ref.type->stateOf(ref.component)), false});
        out.components.push_back(std::move(component));
    }
    return out;
}

// ---------------------------------------------------------------------------------------------------- running

void Session::setMode(Mode mode) {
    m_mode = mode;
    if (m_stage != nullptr)
        m_stage->hold(mode == Mode::Pause);
}

void Session::play() {
    if (m_mode == Mode::Edit) {
        ++m_run;
        buildWorld();
        m_breakpoints.restart(m_world->desc().tickRate); // what is sent while editing stops nothing
        m_log.info("sim", "playing");
        if (m_soundHost != nullptr)
            m_soundHost->wake();
    }
    setMode(Mode::Play);
}

void Session::pause() {
    if (m_mode == Mode::Play)
        setMode(Mode::Pause);
}

void Session::stop() {
    if (m_mode == Mode::Edit)
        return;
    m_log.info("sim", "stopped at tick " + std::to_string(m_world->tickCount()));
    setMode(Mode::Edit);
    ++m_run;
    std::size_t dropped = 0;
    for (const Deferred& waiting : m_deferred)
        dropped += waiting.script.entries.size();
    if (dropped > 0)
        m_log.info("console", std::to_string(dropped) + (dropped == 1 ? " statement that waited is" : " statements that waited are")
                                  + " dropped with the run");
    m_deferred.clear();
    buildWorld();
}

void Session::step() {
    if (m_mode == Mode::Edit)
        play();
    setMode(Mode::Pause);
    tick();
}

void Session::tick() {
    // What was posted may pause, stop, open another project or step by itself: then this tick is not wanted any more.
    const Mode modeBefore = m_mode;
    const std::uint64_t runBefore = m_run;
    const std::uint64_t tickBefore = m_world->tickCount();
    runPosted();
    if (m_run != runBefore || m_world->tickCount() != tickBefore || (modeBefore == Mode::Play && m_mode != Mode::Play))
        return;
    const auto before = std::chrono::steady_clock::now();
    m_overBudget = false;
    m_network->receive();
    deliverInput();
    m_world->tick();
    tellSettings();
    m_network->publish();
    m_netRecorder.seal();
    if (m_fed != nullptr)
        m_fed->follow(*m_world, *m_sounds, *m_physics, *m_visuals, (m_hearer != nullptr ? *m_hearer : *this).timeScale());
    if (m_clients)
        m_clients->tick();
    m_tickMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count();
    pauseAtBreakpoints();
    // Without a window nothing is published: what is watched has a sample of every tick all the same.
    if (!m_watches.empty())
        m_watches.sample(expressionContext(Hints::None), m_run, m_world->tickCount(),
                         m_world->desc().tickRate);
    m_overBudget = m_world->takeOverBudget();
    if (m_overBudget)
        pause();
    resumeDeferred();
    if (m_tickHandler)
        m_tickHandler(*this);
}

void Session::tellBudget() {
    if (m_world)
        m_world->setBudget({.entities = static_cast<std::uint64_t>(m_entityBudget.get()),
                            .messages = static_cast<std::uint64_t>(m_messageBudget.get())});
}

void Session::pauseAtBreakpoints() {
    std::optional<BreakHit> hit = m_breakpoints.check(*m_world);
    if (!hit)
        return;
    hit->run = m_run;
    pause();
    std::string text = "paused after tick " + std::to_string(hit->tick) + ": #" + std::to_string(hit->sequence) + " " + hit->text;
    if (hit->others > 0)
        text += " and " + std::to_string(hit->others) + " more";
    m_log.warning("break", text + " (breakpoint " + std::to_string(hit->breakpoint) + ": " + hit->filter + ")");
    if (m_breakHandler)
        m_breakHandler(*hit);
}

void Session::setInput(const InputState& input) {
    if (Session& player = shown(); &player != this)
        return player.setInput(input);
    const Vec2 look = m_input.look + input.look;
    m_input = input;
    m_input.look = look;
    m_inputTold = false;
}

void Session::setKey(const std::string& key, bool down) {
    if (Session& player = shown(); &player != this)
        return player.setKey(key, down);
    const auto it = std::find(m_keysDown.begin(), m_keysDown.end(), key);
    if (down == (it != m_keysDown.end()))
        return;
    if (down)
        m_keysDown.push_back(key);
    else
        m_keysDown.erase(it);
    m_keyEvents.emplace_back(key, down);
}

void Session::deliverInput() {
    for (const auto& [key, down] : std::exchange(m_keyEvents, {})) {
        if (down)
            m_world->broadcast(KeyPressed{std::string_view(key)});
        else
            m_world->broadcast(KeyReleased{std::string_view(key)});
    }
    if (m_inputTold)
        return;
    Input input{m_input.move, m_input.look, m_input.jump, m_input.run};
    switch (m_network->role()) {
    case NetworkSystem::Role::Alone:
        m_world->broadcast(input);
        break;
    case NetworkSystem::Role::Server:
        if (const EntityId own = m_network->player())
            m_world->send(own, input);
        break;
    case NetworkSystem::Role::Client:
        m_network->sendInput(input);
        break;
    }
    m_input.look = Vec2(0.0F);
    m_inputTold = true;
}

// ---------------------------------------------------------------------------------------------------- console

ConsoleReply Session::execute(std::string_view line, CVarSource source, WriteReach reach) {
    ConsoleReply reply = m_console.execute(line, source, reach);
    defer(reply);
    return reply;
}

ConsoleReply Session::execFile(const std::string& path, CVarSource source) {
    ConsoleReply reply = m_console.execFile(path, source);
    defer(reply);
    return reply;
}

void Session::noteReply(const ConsoleReply& reply) {
    if (!reply.ok)
        ++m_failedLines;
    if (m_replyHandler)
        m_replyHandler(reply);
}

void Session::defer(ConsoleReply& reply) {
    noteReply(reply);
    if (reply.deferred) {
        if (const std::size_t waiting = reply.deferred->entries.size(); waiting > 0 && m_mode == Mode::Edit)
            m_log.info("console", std::to_string(waiting) + (waiting == 1 ? " statement waits" : " statements wait")
                                      + " for the next Play");
        const std::uint64_t due = m_world->tickCount() + reply.deferred->ticks;
        m_deferred.push_back({due, std::move(*reply.deferred)});
        reply.deferred.reset();
    }
}

void Session::resumeDeferred() {
    for (std::size_t i = 0; i < m_deferred.size();) {
        if (m_deferred[i].due > m_world->tickCount()) {
            ++i;
            continue;
        }
        ConsoleScript script = std::move(m_deferred[i].script);
        m_deferred.erase(m_deferred.begin() + static_cast<std::ptrdiff_t>(i));
        ConsoleReply reply = m_console.resume(std::move(script));
        defer(reply);
    }
}

std::vector<std::string> Session::providedNames(TextRole role) const {
    std::vector<std::string> out;
    const auto frame = snapshot();
    switch (role) {
    case TextRole::EntityName:
        if (frame && frame->entities)
            for (const EntityRow& row : frame->entities->rows)
                out.push_back(row.name);
        break;
    case TextRole::EntityType:
        if (frame && frame->entities)
            out = frame->entities->types;
        break;
    case TextRole::MessageType:
        for (const MessageType* type : messageTypes())
            out.push_back(type->name);
        break;
    default:
        break;
    }
    return out;
}

std::string Session::digestLine() const {
    static constexpr char Digits[] = "0123456789abcdef";
    std::uint64_t digest = m_world->digest();
    std::string hex(16, '0');
    for (std::size_t i = 16; i-- > 0; digest >>= 4U)
        hex[i] = Digits[digest & 15U];
    return std::to_string(m_world->tickCount()) + " " + m_world->desc().name + " " + hex;
}

} // namespace sbx
