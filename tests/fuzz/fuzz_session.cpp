// Lines of the console over a running session: the words that read their own arguments (send, spawn, set, select, expect, event,
// raise, watch, break, list queue, cancel, near, raycast, on …). Whatever is typed ends, a fault says what it is, and the world
// behind stays sound: places are numbers, fields keep their range, names lead to who bears them, a filter and its negation share
// all entities between them, and what is dumped or traced is JSON. Input: lines; after each the world ticks, if it runs.
//
// A session and a physics world cost more than a line: they are kept, and between inputs emptied of what lines leave behind. Only
// events stay, which belong to the process.
#include "engine/commands/console_commands.h"
#include "engine/core/match.h"
#include "engine/core/utf8.h"
#include "engine/entity/event_hub.h"
#include "engine/message/trace_json.h"
#include "engine/session/network_report.h"
#include "engine/simulation/entity_filter.h"
#include "tests/fuzz/fuzz.h"
#include "tests/simulation/project_in_memory.h"
#include <algorithm>
#include <climits>
#include <cmath>
#include <memory>

using namespace sbx;

namespace {

constexpr int MaxCommands = 400; // of an input: aliases of aliases, loops and selections multiply
constexpr std::size_t MaxEvents = 400;
constexpr std::size_t MaxLines = 12;
constexpr int MaxTraced = 100;
constexpr int InputsOfAWorld = 500;    // ids and ticks begin anew
constexpr int InputsOfASession = 5000; // names of entities that were there are kept by the recorder

const char* const Definitions = R"(
[Crate]
doc = "Falls."
[Crate.Body]
mass = 5.0
[Crate.Health]
maximum = 40
[Crate.Shield]
capacity = 20
[[Crate.Mesh]]
mesh = "box"
[[Crate.Mesh]]
mesh = "sphere"
[Ball.Body]
shape = "sphere"
[Ball.Lifetime]
seconds = 1.0
[Ball.Touch]
damage = 3.0
[Gun.Spawner]
type = "Ball"
every = 0.05
limit = 4
[Zone.Body]
trigger = true
motion = "static"
[Zone.Trigger]
target = "lamp"
[Lamp.Light]
on = false
[Hero.Body]
shape = "capsule"
upright = true
[Hero.Walk]
[Hero.Camera]
[Hero.Listener]
[Moon.Orbit]
radius = 3.0
[Moon.Spin]
[Moon.Sound]
[Floor.Body]
size = [40.0, 1.0, 40.0]
motion = "static"
)";

const char* const Scene = R"(
[scene]
name = "S"
[[entity]]
type = "Floor"
name = "floor"
position = [0.0, -1.0, 0.0]
[[entity]]
type = "Crate"
name = "crate_1"
position = [0.0, 2.0, 0.0]
[[entity]]
type = "Crate"
name = "crate_2"
position = [0.0, 1.5, 0.0]
parent = "crate_1"
[entity.Health]
maximum = 7
[[entity]]
type = "Gun"
name = "gun"
position = [3.0, 1.0, 0.0]
[[entity]]
type = "Zone"
name = "zone"
[[entity]]
type = "Lamp"
name = "lamp"
[[entity]]
type = "Hero"
name = "ann"
position = [0.0, 0.6, 4.0]
[[entity]]
type = "Moon"
name = "moon"
)";

// Whether a text is one value of JSON (RFC 8259).
class Json {
public:
    explicit Json(std::string_view text) : m_text(text) {}
    bool isOne() {
        return firstBadByte(m_text) == std::string_view::npos && value(0) && (blank(), m_at == m_text.size());
    }

private:
    void blank() { m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size()); }
    bool take(std::string_view text) {
        blank();
        if (!m_text.substr(m_at).starts_with(text))
            return false;
        m_at += text.size();
        return true;
    }
    bool string() {
        if (!take("\""))
            return false;
        for (; m_at < m_text.size() && m_text[m_at] != '"'; ++m_at) {
            if (static_cast<unsigned char>(m_text[m_at]) < 0x20)
                return false;
            if (m_text[m_at] != '\\')
                continue;
            ++m_at;
            if (m_at == m_text.size()
                || std::string_view("\"\\/bfnrtu").find(m_text[m_at]) == std::string_view::npos)
                return false;
            if (m_text[m_at] != 'u')
                continue;
            if (m_text.substr(m_at + 1, 4).find_first_not_of("0123456789abcdefABCDEF")
                != std::string_view::npos)
                return false;
            m_at += 4;
        }
        return m_at++ < m_text.size();
    }
    bool digits() {
        const std::size_t from = m_at;
        m_at = std::min(m_text.find_first_not_of("0123456789", m_at), m_text.size());
        return m_at > from;
    }
    bool number() {
        static_cast<void>(take("-"));
        const std::size_t from = m_at;
        if (!digits() || (m_text[from] == '0' && m_at > from + 1) || (take(".") && !digits()))
            return false;
        if (m_at == m_text.size() || (m_text[m_at] != 'e' && m_text[m_at] != 'E'))
            return true;
        ++m_at;
        static_cast<void>(take("-") || take("+"));
        return digits();
    }
    bool list(const char* end, int depth, bool named) {
        if (take(end))
            return true;
        do {
            if ((named && (!string() || !take(":"))) || !value(depth + 1))
                return false;
        } while (take(","));
        return take(end);
    }
    bool value(int depth) {
        if (depth > 50)
            return false;
        if (take("{"))
            return list("}", depth, true);
        if (take("["))
            return list("]", depth, false);
        blank();
        if (m_at < m_text.size() && m_text[m_at] == '"')
            return string();
        return take("true") || take("false") || take("null") || number();
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

class Game {
public:
    Game() {
        Diagnostics faults;
        m_project = projectInMemory(session, Definitions, Scene, &faults);
        SBX_FUZZ_MUST(m_project != nullptr && faults.items.empty());
        CommandRegistry& commands = session.console().commands();
        session.console().setBaseFolder("/nonexistent");
        // What reads and writes files, plays sound or makes further sessions has no place here.
        for (const char* const name : {"exec", "condump", "watch.export", "plugin.reload", "audio.record",
                                       "audio.devices", "net.host"})
            commands.remove(name);
        for (const std::shared_ptr<const Command>& known : commands.list()) {
            Command command = *known;
            std::erase_if(command.parameters, [](const CommandParameter& each) {
                return each.type == ArgumentType::File || each.name == "file";
            });
            if (command.name == "sim.step")
                command.parameters[0].maximum = 5;
            command.function = [this, known](CommandContext& context,
                                             const CommandArguments& arguments) -> Result<void> {
                if (--m_commandsLeft < 0)
                    return Error{"enough", {}, {}};
                if (known->name == "event" && EventHub::events().size() >= MaxEvents
                    && findMessageType(arguments[0]) == nullptr)
                    return Error{"enough events", {}, {}};
                const Result<void> done = known->function(context, arguments);
                SBX_FUZZ_MUST(done.ok() || !done.error().message.empty());
                if (known->name == "select" && done && !arguments.empty())
                    mustBeDivided(arguments[0]);
                return done;
            };
            commands.remove(command.name);
            commands.add(std::move(command));
        }
        m_reader = session.recorder().addReader();
        session.targets().add({"client1", "Takes every line, does nothing.", [](const std::string&, WriteReach) {}});
    }

    [[nodiscard]] bool isOld() const { return m_inputs >= InputsOfASession; }

    // As it was before the first line.
    void begin() {
        Console& console = session.console();
        m_commandsLeft = INT_MAX;
        for (const auto& [name, line] : console.aliasList())
            session.execute("unalias " + name);
        for (const KeyBinding& binding : console.bindings())
            static_cast<void>(console.bind(binding.keys, {}, false));
        if (session.cvars().revision() != m_revision)
            for (const std::string& name : session.cvars().names(true))
                static_cast<void>(console.cvars().reset(name));
        m_revision = session.cvars().revision();
        session.breakpoints().clear();
        session.watches().clear();
        session.setSelected({});
        World& world = session.world();
        if (m_inputs++ % InputsOfAWorld == 0 || session.mode() != Mode::Play || session.lines().waiting()) {
            session.open(m_project);
            session.play();
        } else {
            for (const DelayedMessage& message : world.queue().list())
                world.cancel(message.handle);
            world.clear();
            std::vector<SpawnRequest> requests;
            for (const definition::InstanceDefinition& instance : m_project->scene.instances()) {
                SpawnRequest& request = requests.emplace_back();
                request.type = world.findType(instance.type);
                request.name = instance.name;
                request.pose = instance.pose();
            }
            world.spawnAll(requests);
            world.setParent(world.find("crate_2").id(), world.find("crate_1").id());
        }
        session.tick();
        session.publish();
        m_segments.clear();
        m_reader->poll(m_segments); // only what lines set off is looked at
        m_commandsLeft = MaxCommands;
    }

    // Who is selected and who is not are everybody.
    void mustBeDivided(const std::string& argument) {
        const std::string text = unquotedWhole(argument);
        if (text.find_first_not_of(" \t") == std::string::npos)
            return;
        const World& world = session.world();
        const auto others =
            entitiesMatching(world, session.catalog(), "not (" + text + ")");
        if (!others)
            return; // of a bare word, say, there is no negation
        std::size_t living = 0;
        world.forEach([&](const Entity& entity) { living += entity.dying() ? 0U : 1U; });
        SBX_FUZZ_MUST(session.selected().size() + others->size() == living);
    }

    void mustBeSound() {
        const World& world = session.world();
        // What moves may leave the range in which it can be set, but stays a number.
        const auto mustBeInRange = [](const FieldTable& fields, const void* object, bool isSet) {
            for (const FieldInfo& field : fields) {
                const Value value = field.read(object);
                SBX_FUZZ_MUST(!isSet || field.check(value).ok());
                for (std::size_t i = 0; i < elementCount(field.type); ++i)
                    SBX_FUZZ_MUST(std::isfinite(elementOf(value, i).value_or(0.0)));
                if (const auto* const number = std::get_if<double>(&value))
                    SBX_FUZZ_MUST(std::isfinite(*number));
            }
        };
        world.forEach([&](const Entity& entity) {
            const Pose& pose = entity.pose();
            SBX_FUZZ_MUST(isFinite(pose.position) && isFinite(pose.rotation) && isFinite(pose.scale));
            SBX_FUZZ_MUST(!entity.name().empty() && world.find(entity.name()).id() == entity.id());
            entity.eachComponent([&](const Entity::ComponentRef& ref) {
                mustBeInRange(*ref.type->settings, ref.type->settingsOf(ref.component), true);
                if (ref.type->stateOf != nullptr)
                    mustBeInRange(*ref.type->state, ref.type->stateOf(ref.component), false);
            });
        });
        for (const DelayedMessage& message : world.queue().list())
            SBX_FUZZ_MUST(message.due > world.tickCount());
        for (const std::string& json : {session.simulation().dump(), networkStats(session), networkHistory(session)})
            SBX_FUZZ_MUST(Json(json).isOne());
        session.recorder().seal();
        m_segments.clear();
        m_reader->poll(m_segments);
        int lines = MaxTraced;
        for (const auto& segment : m_segments)
            for (std::size_t i = 0; i < segment->size() && lines > 0; ++i, --lines)
                SBX_FUZZ_MUST(Json(traceLine((*segment)[i], session.recorder(), false)).isOne());
        SBX_FUZZ_MUST(session.watches().list().size() <= Watches::Most);
        if (session.cvars().revision() == m_revision)
            return;
        for (const CVarInfo& cvar : session.cvars().list(true))
            SBX_FUZZ_MUST(cvar.field.check(cvar.value).ok());
    }

    void run(std::string_view line, std::size_t cursor) {
        const Completion completion = session.console().complete(line, cursor);
        SBX_FUZZ_MUST(completion.replaceFrom <= cursor);
        SBX_FUZZ_MUST(completion.candidates.size() <= Console::MaxCandidates);
        const ConsoleReply reply = session.execute(line);
        SBX_FUZZ_MUST(reply.ok
                      || std::any_of(reply.lines.begin(), reply.lines.end(), [](const std::string& each) {
                             return each.find("error: ") != std::string::npos;
                         }));
        if (session.running())
            session.tick();
        else
            session.runPosted();
        session.publish();
    }

private:
    std::shared_ptr<const Content> m_project;
    std::shared_ptr<RecordReader> m_reader;
    std::vector<std::shared_ptr<const RecordSegment>> m_segments;
    int m_commandsLeft = 0;
    int m_inputs = 0;
    std::uint64_t m_revision = 0; // of the CVars when the input began

public:
    Log log{{.capacity = 64}};
    Session session{log, addConsoleCommands};
};

} // namespace

// Two habits of libFuzzer's cost several times what an input does: what a kept session allocates in an input and keeps is taken for
// a leak until the end of the run (there leaks are looked for all the same), and rare features are weighed, of which a whole engine
// has tens of thousands.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
    static char NoLeaksBetween[] = "-detect_leaks=0";
    static char NoWeighing[] = "-entropic=0";
    static std::vector<char*> All(*arguments, *arguments + *count);
    All.insert(All.begin() + 1, {NoLeaksBetween, NoWeighing});
    *count = static_cast<int>(All.size());
    All.push_back(nullptr);
    *arguments = All.data();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = fuzz::textOf(data, size);
    static std::unique_ptr<Game> Kept;
    if (Kept == nullptr || Kept->isOld())
        Kept = std::make_unique<Game>();
    Game& game = *Kept;
    game.begin();
    for (std::size_t count = 0; count < MaxLines && !text.empty(); ++count) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        const std::size_t middle = line.empty() ? 0 : static_cast<unsigned char>(line[line.size() / 2]);
        game.run(line, middle % 4 == 0 ? middle % (line.size() + 1) : line.size());
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    game.mustBeSound();
    return 0;
}
