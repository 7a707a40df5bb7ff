#pragma once
// The console: lines of text in, CVars set and commands run, lines of text out. Grammar: console_syntax.h.
//
// Data flow: a line becomes statements on a queue; commands may put more statements at its front (exec, aliases) or request that
// the rest wait some ticks. Input lines, output and errors also go to the log, channel "console".
// Thread: execute(), resume() and execFile() run on one thread at a time (the simulation's, in the editor); complete() and the
// registries may be used from any other meanwhile. Providers are called on the thread that calls complete().
// Ownership: owns both registries; the log outlives it.

#include "engine/core/command.h"
#include "engine/core/console_syntax.h"
#include "engine/core/cvar.h"
#include "engine/core/log.h"

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sbx {

// Statements that still have to run.
struct ConsoleScript {
    struct Entry {
        ConsoleStatement statement;
        std::string fault;  // why the line cannot run; empty: it can
        std::string place;  // "FILE:LINE", or empty
        std::string folder; // of that file
        int depth = 0;      // of exec and aliases
        WriteReach reach = WriteReach::Anywhere;
        bool fileOfUser = false; // see CommandContext::isFileOfUser
    };

    std::uint64_t ticks = 0; // to wait before resume()
    CVarSource source = CVarSource::Console;
    std::deque<Entry> entries;
};

struct ConsoleReply {
    bool ok = true; // no statement failed
    // Output in order; a fault is "error: …" or "FILE:LINE: error: …".
    std::vector<std::string> lines;
    // What typed statements set and reset, in order; secrets left out.
    std::vector<CVarStep> steps;
    // `wait N` was met: pass this to resume() N ticks later.
    std::optional<ConsoleScript> deferred;
};

struct Completion {
    std::size_t replaceFrom = 0; // bytes; the part up to the cursor is replaced
    std::string commonPrefix;    // longest text the candidates that begin as typed share: what Tab puts there
    std::vector<CompletionCandidate> candidates; // best first
};

// A key that runs a line.
struct KeyBinding {
    std::string keys; // as keyName() spells it
    std::string line;
    WriteReach reach = WriteReach::Anywhere; // where the line may write: that of the line that bound the key
    friend bool operator==(const KeyBinding&, const KeyBinding&) = default;
};

class Console {
public:
    // Names that exist at this moment: entities, types, assets. Must be safe to call from any thread.
    using NameProvider = std::function<std::vector<std::string>(TextRole)>;
    using Listing = std::function<Result<void>(CommandContext&, std::string_view filter)>;

    static constexpr std::size_t LongestLine = 64 * 1024; // bytes
    static constexpr std::size_t LargestFile = 4 * 1024 * 1024;
    static constexpr int DeepestNesting = 16; // of exec and aliases, between one `wait` and the next
    static constexpr std::size_t MaxStatements =
        100'000; // of one execute() or resume(), and of those that wait for their turn
    static constexpr std::size_t MaxCandidates = 500;

    explicit Console(Log& log);
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    [[nodiscard]] CVarRegistry& cvars() { return m_cvars; }
    [[nodiscard]] const CVarRegistry& cvars() const { return m_cvars; }
    // The registry that the line under way sets and shows CVars of: its own, or that of a ConsoleRedirection. Executing thread.
    [[nodiscard]] CVarRegistry& lineCVars() { return *m_lineCVars; }
    [[nodiscard]] const CVarRegistry& lineCVars() const { return *m_lineCVars; }
    [[nodiscard]] CommandRegistry& commands() { return m_commands; }
    [[nodiscard]] Log& log() const { return m_log; }

    // `reach`: of a line that was bound to a key, or comes from another world, that of its origin.
    ConsoleReply execute(std::string_view line, CVarSource source = CVarSource::Console,
                         WriteReach reach = WriteReach::Anywhere);
    // Goes on where a `wait` stopped.
    ConsoleReply resume(ConsoleScript script);
    // Runs every line of a file that the user named; `ok` is false if the file cannot be read or a statement fails. A fault does not
    // stop the rest. Its lines write anywhere; those of the project's own files that it runs in turn do not.
    ConsoleReply execFile(const std::string& path, CVarSource source = CVarSource::Console);
    // Takes the steps of a reply back, the last one first, or makes them again; the log shows the resulting values. What else changes by it
    // (cheats that a script had set, when their switch is turned off) is noted among the steps, so that the reverse brings it back.
    void undo(std::vector<CVarStep>& steps);
    void redo(std::vector<CVarStep>& steps);

    // For the text before `cursor` (bytes) of a line being typed.
    [[nodiscard]] Completion complete(std::string_view text, std::size_t cursor) const;

    // Channel of its lines in the log, "console" by default. Set before threads start.
    void setChannel(std::string channel) { m_channel = std::move(channel); }
    void setNameProvider(NameProvider provider);
    // The names that `$sel` in a statement stands for: it runs for each. Called on the thread that executes; set before threads start.
    void setSelection(std::function<std::vector<std::string>()> selection) {
        m_selection = std::move(selection);
    }
    // What `list KIND [filter]` prints, beside cvars, commands and aliases. Replaces one of the same name.
    void setListing(const std::string& kind, Listing listing, CommandCompleter filterCompleter = {});
    // The project's: relative paths outside a file start there, and the files in it are the project's own. Empty: there is no project,
    // and relative paths start at the process's own folder.
    void setBaseFolder(std::string folder);
    [[nodiscard]] std::string baseFolder() const;

    // The simulation's tick, for "last set by … at tick N". Called on the thread that executes.
    void setTickProvider(std::function<std::uint64_t()> provider);

    // --- Names and keys for lines: data of the console's, so that a program without a keyboard keeps them too.
    // Kept: the user's own, typed or loaded, not those of a script. keptOnly: those alone, also where a script's is in force instead.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> aliasList(bool keptOnly = false) const;
    Result<void> setAlias(const std::string& name, std::string line, bool kept,
                          WriteReach reach = WriteReach::Anywhere);
    // By key name.
    [[nodiscard]] std::vector<KeyBinding> bindings(bool keptOnly = false) const;
    // Refuses what is no key, and keys that are taken. An empty line unbinds. Where `kept` is false the user's own binding is covered
    // until the program ends, and still kept.
    Result<void> bind(std::string_view keys, std::string line, bool kept,
                      WriteReach reach = WriteReach::Anywhere);
    // Grows with every change of a binding: pollers compare it.
    [[nodiscard]] std::uint64_t bindingRevision() const {
        return m_bindingRevision.load(std::memory_order_acquire);
    }
    // Keys (as keyName() spells them) that mean something else already, with what: bind refuses those.
    void setTakenKeys(std::map<std::string, std::string, std::less<>> taken);

    // The line as it may be shown and kept: values of protected CVars as ***, also where a line is kept for later or an alias stands
    // for the CVar. What stands beyond LongestLine is not looked at: it does not run.
    [[nodiscard]] std::string masked(std::string_view line) const;

    // What `help NAME` prints on names that are neither CVars, commands nor aliases; no lines: unknown there too.
    using Topics = std::function<std::vector<std::string>(std::string_view name)>;
    void setTopics(Topics topics);

    // At most three names of CVars, commands and aliases.
    [[nodiscard]] std::vector<std::string> nearest(std::string_view name) const;
    // The lines that `name` alone prints; empty if it is no CVar.
    [[nodiscard]] std::vector<std::string> explain(std::string_view cvar) const;

private:
    struct Builtins;
    friend struct Builtins;
    friend class ConsoleRedirection;
    using Entry = ConsoleScript::Entry;

    static void enqueueLine(std::string_view line, const Entry& like, std::vector<Entry>& out);
    ConsoleReply run(ConsoleScript script);
    void runEntry(const Entry& entry, ConsoleScript& script, ConsoleReply& reply,
                  std::optional<std::uint64_t>& wait);
    Result<void> runStage(const ConsoleStage& stage, CommandContext& context, bool inPipe);
    Result<void> runCVar(const ConsoleStage& stage, CommandContext& context, bool inPipe);
    Result<void> runCommand(const Command& command, const ConsoleStage& stage, CommandContext& context);
    bool runForSelection(const Entry& entry, ConsoleScript& script, ConsoleReply& reply);
    // Puts entries before those of the script.
    void putFirst(std::vector<Entry> entries, const Entry& from, ConsoleScript& script, ConsoleReply& reply);
    void restore(std::vector<CVarStep>& steps, bool undo);
    void printLine(ConsoleReply& reply, std::string line);
    void printError(ConsoleReply& reply, const std::string& place, const std::string& message);

    void completeNames(std::string_view typed, bool cvarsOnly, bool withCommands,
                       std::vector<std::pair<int, CompletionCandidate>>& out) const;
    void completeValue(const CVarInfo& cvar, std::string_view typed,
                       std::vector<std::pair<int, CompletionCandidate>>& out) const;
    void completeArgument(const CommandParameter& parameter, std::string_view typed,
                          std::vector<std::pair<int, CompletionCandidate>>& out) const;
    void completeFile(std::string_view typed, std::vector<std::pair<int, CompletionCandidate>>& out) const;

    bool completeByCommand(const Command& command, const ConsoleStage& stage, std::string_view head,
                           bool fresh, Completion& completion,
                           std::vector<std::pair<int, CompletionCandidate>>& out) const;
    // `aliases`: how many may still be looked through.
    [[nodiscard]] Completion completeLine(std::string_view head, int aliases) const;

    struct Masking;
    [[nodiscard]] std::string masked(std::string_view line, Masking& masking, int depth) const;
    [[nodiscard]] std::optional<std::string> aliasText(std::string_view name) const;
    [[nodiscard]] std::map<std::string, std::string, std::less<>> aliases() const;
    [[nodiscard]] std::vector<std::string> providedNames(TextRole role) const;
    ConsoleReply runLine(std::string_view line, CVarSource source, const Entry& like);
    [[nodiscard]] std::vector<std::string> explainTopic(std::string_view name) const;
    [[nodiscard]] static std::vector<std::string> explain(const CVarRegistry& cvars, std::string_view cvar);

    Log& m_log;
    std::string m_channel = "console";
    CVarRegistry m_cvars;
    CVarRegistry* m_lineCVars = &m_cvars; // executing thread only
    CommandRegistry m_commands;

    mutable std::mutex m_mutex; // of the members below
    struct Kept {
        std::string line; // in force; empty: a script took it away
        bool kept = false;
        WriteReach reach = WriteReach::Anywhere;
        std::string covered; // the user's own line while a script's is in force; empty: none
    };
    using KeptLines = std::map<std::string, Kept, std::less<>>;
    // With m_mutex held.
    static void put(KeptLines& lines, const std::string& name, Kept entry, bool byUser);
    static bool takeOut(KeptLines& lines, std::string_view name, bool byUser);
    static std::vector<KeyBinding> listed(const KeptLines& lines, bool keptOnly);
    [[nodiscard]] std::optional<Kept> findAlias(std::string_view name) const;
    KeptLines m_aliases;
    std::map<std::string, std::pair<Listing, CommandCompleter>, std::less<>> m_listings;
    NameProvider m_provider;
    Topics m_topics;
    std::string m_baseFolder;
    KeptLines m_bindings;
    std::map<std::string, std::string, std::less<>> m_takenKeys;
    std::atomic<std::uint64_t> m_bindingRevision{0};
    std::function<std::uint64_t()> m_tick;                 // executing thread only
    std::function<std::vector<std::string>()> m_selection; // there too
};

// While it exists, the lines that a console runs set and show the CVars of another registry, and log to another channel: those of
// another world. Commands, aliases and bindings stay those of the console. Executing thread; redirections nest.
class ConsoleRedirection {
public:
    ConsoleRedirection(Console& console, CVarRegistry& cvars, std::string channel)
        : m_console(console), m_cvars(std::exchange(console.m_lineCVars, &cvars)),
          m_channel(std::exchange(console.m_channel, std::move(channel))) {}
    ~ConsoleRedirection() {
        m_console.m_lineCVars = m_cvars;
        m_console.m_channel = std::move(m_channel);
    }
    ConsoleRedirection(const ConsoleRedirection&) = delete;
    ConsoleRedirection& operator=(const ConsoleRedirection&) = delete;

private:
    Console& m_console;
    CVarRegistry* m_cvars;
    std::string m_channel;
};

} // namespace sbx
