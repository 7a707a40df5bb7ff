#include "engine/session/session.h"

#include "engine/components/physics_system.h"
#include "engine/components/register.h"
#include "engine/components/visual_system.h"
#include "engine/render/render_cvars.h"
#include "engine/session/local_clients.h"
#include "engine/session/server_link.h"

#include <algorithm>
#include <chrono>

namespace sbx {

namespace {
double millisecondsSince(std::chrono::steady_clock::time_point before) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count();
}

ComponentRegistry& filled(ComponentRegistry& registry) {
    registerBuiltinComponents(registry);
    return registry;
}
} // namespace

Session::Session(Log& log, AddCommands addCommands)
    : m_log(log),
      m_plugins(filled(m_components), log),
      m_console(log),
      m_showShapes(m_console.cvars().add<bool>("debug.shapes", false, "Draw the shapes of bodies, coloured by what they are.")),
      m_showContacts(m_console.cvars().add<bool>("debug.contacts", false, "Draw where bodies touch.")),
      m_showTree(m_console.cvars().add<bool>("debug.tree", false, "Draw the boxes of the broad phase's tree, coloured by depth.")),
      m_recording(m_console.cvars().add<bool>("trace.enabled", true, "Record messages for the trace.")),
      m_netRecording(m_console.cvars().add<bool>("net.record", true, "Record packets and messages of the network.")),
      m_timing(m_console.cvars().add<bool>("trace.timing", false, "Record how long each handler takes.")),
      m_allChanges(m_console.cvars().add<bool>(
          "trace.changes", false, "Keep who changed which value of every entity; off: of those that are selected in a window.")),
      m_stamps(m_console.cvars().add<bool>("trace.stamps", false, "Record when each message was dispatched, by the wall clock.")) {
    // While nothing runs, a posted command makes the session publish the lines that were switched on.
    for (const CVar<bool>& shown : {m_showShapes, m_showContacts, m_showTree})
        m_connections.push_back(shown.onChange([this](bool) { post([](Session&) {}); }));
    m_connections.push_back(m_recording.onChange([this](bool on) { m_recorder.setEnabled(on); }));
    m_connections.push_back(m_netRecording.onChange([this](bool on) { m_netRecorder.setEnabled(on); }));
    m_connections.push_back(m_timing.onChange([this](bool on) { m_recorder.setTiming(on); }));
    m_connections.push_back(m_allChanges.onChange([this](bool on) { m_fieldHistory.watchAll(on); }));
    m_connections.push_back(m_stamps.onChange([this](bool on) { m_recorder.setStamps(on); }));
    m_console.setTickProvider([this] { return target().world().tickCount(); });
    m_console.setSelection([this] { return m_selected; });
    m_console.setNameProvider([this](TextRole role) { return providedNames(role); });
    // Registered here, window or not, because settings, projects and command lines may name them.
    static_cast<void>(render::registerRenderCVars(m_console.cvars()));
    m_netRecorder.setEnabled(m_netRecording.get());
    m_targets.add({WorldDesc{}.name, "The world that runs here.", {}});
    if (addCommands != nullptr)
        addCommands(*this);
    m_worldCVars.bind(m_main);
    m_main.setContent(nullptr, m_plugins.builtins());
    buildWorld();
    publish();
}

Session::~Session() {
    endClients();
    endServer();
    leaveServer();
}

// ---------------------------------------------------------------------------------------------------- threads

void Session::post(Posted command) {
    {
        const std::lock_guard lock(m_postMutex);
        m_posted.push_back(std::move(command));
        m_postedPublish = true;
    }
    if (m_handlers.wakeUp)
        m_handlers.wakeUp();
}

void Session::postAside(Posted command) {
    {
        const std::lock_guard lock(m_postMutex);
        m_posted.push_back(std::move(command));
    }
    if (m_handlers.wakeUp)
        m_handlers.wakeUp();
}

bool Session::runPosted() {
    if (m_runningPosted)
        return false;
    std::vector<Posted> posted;
    bool publish = false;
    {
        const std::lock_guard lock(m_postMutex);
        posted.swap(m_posted);
        publish = std::exchange(m_postedPublish, false);
    }
    m_runningPosted = true;
    m_inspection.beginCommands();
    for (Posted& command : posted)
        command(*this);
    m_inspection.endCommands(posted.size());
    m_runningPosted = false;
    return publish;
}

std::shared_ptr<const FrameSnapshot> Session::snapshot() const {
    const std::lock_guard lock(m_snapshotMutex);
    return m_snapshot;
}

std::shared_ptr<const PhysicsView> Session::physicsView(Simulation& of) const {
    if (!m_showShapes.get() && !m_showContacts.get() && !m_showTree.get())
        return nullptr;
    auto view = std::make_shared<PhysicsView>();
    const physics::PhysicsWorld& physics = of.physics().physics();
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

void Session::sampleWatches() {
    if (!m_watches.empty())
        m_watches.sample(expressionContext(m_main, Hints::None), m_main.run(), world().tickCount(), tickRate());
}

void Session::publish() {
    m_recorder.seal();
    sampleWatches();
    m_netRecorder.seal();
    auto frame = std::make_shared<FrameSnapshot>();
    frame->serial = ++m_serial;
    frame->run = m_main.run();
    frame->mode = m_mode;
    frame->tick = world().tickCount();
    frame->tickRate = tickRate();
    frame->timeScale = timeScale();
    frame->tickMs = m_tickMs;
    frame->overBudget = m_overBudget;
    Simulation& viewed = simulationOf(m_viewAs);
    frame->entities = viewed.entityList();
    frame->catalog = viewed.catalog();
    frame->matches = m_query.evaluate(viewed.world(), viewed.catalog(), frame->entities);
    auto scene = std::make_shared<render::Scene>();
    viewed.visuals().fill(viewed.world(), *scene);
    frame->scene = std::move(scene);
    frame->physics = physicsView(viewed);
    frame->network = networkView();
    m_inspection.fill(*frame, viewed);
    frame->liveEdits = m_liveEdits.published();
    frame->published = std::chrono::steady_clock::now();
    const std::lock_guard lock(m_snapshotMutex);
    m_snapshot = std::move(frame);
}

// ---------------------------------------------------------------------------------------------------- running

void Session::setMode(Mode mode) {
    m_mode = mode;
    m_sound.setMode(mode);
}

void Session::play() {
    if (m_mode == Mode::Edit) {
        m_liveEdits.clear();
        m_fieldHistory.restart();
        buildWorld();
        m_breakpoints.restart(tickRate()); // messages of editing match no breakpoint
        m_log.info("sim", "playing");
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
    m_log.info("sim", "stopped at tick " + std::to_string(world().tickCount()));
    setMode(Mode::Edit);
    if (const std::size_t dropped = m_lines.drop(); dropped > 0)
        m_log.info("console", std::to_string(dropped) + (dropped == 1 ? " statement that waited is" : " statements that waited are")
                                  + " dropped with the run");
    buildWorld();
}

void Session::step() {
    if (m_mode == Mode::Edit)
        play();
    setMode(Mode::Pause);
    tick();
}

void Session::tick() {
    // What was posted may pause, stop, open another project or step by itself: then this tick is no longer wanted.
    const Mode modeBefore = m_mode;
    const std::uint64_t runBefore = m_main.run();
    const std::uint64_t tickBefore = world().tickCount();
    runPosted();
    if (m_main.run() != runBefore || world().tickCount() != tickBefore || (modeBefore == Mode::Play && m_mode != Mode::Play))
        return;
    const auto before = std::chrono::steady_clock::now();
    m_overBudget = false;
    tickWatched();
    m_netRecorder.seal();
    m_sound.follow(0, m_main, timeScale());
    m_tickMs = millisecondsSince(before);
    pauseAtBreakpoints();
    // Without a window nothing is published: watches have a sample of every tick all the same.
    sampleWatches();
    m_overBudget = world().takeOverBudget();
    if (m_overBudget)
        pause();
    const LocalClients* const clients = m_clients.get();
    m_lines.resume(0);
    if (clients != nullptr && clients == m_clients.get()) // a line may have ended them, or begun a run with others
        tickClients();
    followServer();
    if (m_handlers.tick)
        m_handlers.tick(*this);
}

bool Session::watchHandlersOf(const std::function<void()>& what) {
    HandlerWatches watches;
    const bool history = m_fieldHistory.armed();
    if (m_stops.armed()) {
        m_stops.tickBegins();
        watches.add(m_stops);
    }
    m_fieldHistory.beginTick(world()); // also when nothing is watched any more: it is to know that
    if (history) // the last: of a message that another drops it hears nothing
        watches.add(m_fieldHistory);
    world().setHandlerWatch(watches.empty() ? nullptr : &watches);
    m_watching = true;
    what();
    m_watching = false;
    world().setHandlerWatch(nullptr);
    if (history)
        m_fieldHistory.endTick(world());
    return m_stops.tickEnded();
}

void Session::tickWatched() {
    if (!watchHandlersOf([this] { m_main.tick(); }))
        return;
    pause();
    m_log.info("break", "the step came to no other handler in tick " + std::to_string(world().tickCount())
                            + "; paused");
}

void Session::doWatched(const std::function<void()>& what) {
    if (m_watching)
        what();
    else if (watchHandlersOf(what))
        m_log.info("break", "the step came to no other handler of what was sent by hand");
}

void Session::tickClients() {
    const auto before = std::chrono::steady_clock::now();
    m_clients->tick();
    for (std::size_t client = 1; client <= m_clients->count(); ++client)
        m_sound.follow(client, m_clients->simulation(client - 1), timeScale());
    m_tickMs += millisecondsSince(before);
    for (std::size_t client = 1; m_clients && client <= m_clients->count(); ++client)
        m_lines.resume(client);
}

void Session::pauseAtBreakpoints() {
    std::optional<BreakHit> hit = m_breakpoints.check(world());
    if (!hit)
        return;
    hit->run = m_main.run();
    pause();
    std::string text = "paused after tick " + std::to_string(hit->tick) + ": #" + std::to_string(hit->sequence) + " " + hit->text;
    if (hit->others > 0)
        text += " and " + std::to_string(hit->others) + " more";
    m_log.warning("break", text + " (breakpoint " + std::to_string(hit->breakpoint) + ": " + hit->filter + ")");
    if (m_handlers.breakHit)
        m_handlers.breakHit(*hit);
}

void Session::select(std::vector<std::string> names) {
    m_selected = std::move(names);
    if (m_handlers.selection)
        m_handlers.selection(m_selected);
}

void Session::setInput(const InputState& input) { simulationOf(m_viewAs).setInput(input); }

void Session::setKey(const std::string& key, bool down) { simulationOf(m_viewAs).setKey(key, down); }

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

} // namespace sbx
