#pragma once
// Console commands: a name, a doc, described parameters (for checks and completion) and a function.
//
// Thread: the registry may be used from any thread; a command's function runs on the thread that executes the line (the
// simulation's, in the editor), with no lock held.

#include "engine/core/cvar.h"
#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

enum class ArgumentType {
    Word,
    Boolean,
    Integer,
    Number,
    Choice, // one of `choices`
    Entity, // the name of an entity
    EntityType,
    MessageType,
    Asset, // a path inside the project
    File,  // a path
    Name,  // of a CVar, command or alias
    CVar,
    Rest // the rest of the statement as written, quotes kept; always the last parameter
};

struct CommandParameter {
    std::string name;
    std::string doc;
    ArgumentType type = ArgumentType::Word;
    std::vector<std::string> choices = {}; // Choice: these alone; Word: offered, not demanded
    bool optional = false;                 // so are all after it
    bool variadic = false;                 // the last one, any number of times
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();

    // "a whole number in [1, 600]", "one of cvars, commands".
    [[nodiscard]] std::string expectation() const;
    // The argument as it is understood, or what is wrong with it.
    [[nodiscard]] Result<Value> read(const std::string& argument) const;
};

// What a checked argument of an Integer, Number or Boolean parameter means: "1e3" is 1000. The one way to read it: what the check takes and
// another reader refuses, or takes for another number, would be found by the person who types it.
[[nodiscard]] std::int64_t wholeArgument(const std::string& argument);
[[nodiscard]] double numberArgument(const std::string& argument);
[[nodiscard]] bool switchArgument(const std::string& argument);

enum class CompletionKind { CVar, Command, Alias, Choice, Field, Entity, EntityType, MessageType, Asset, File };

struct CompletionCandidate {
    std::string text;  // what replaces the typed part, quoted where it must be
    std::string value; // a CVar's value, a command's parameters
    std::string doc;
    CompletionKind kind = CompletionKind::Choice;
};

// A command's arguments as far as they are typed.
struct CommandTyping {
    std::vector<std::string> words; // before the one being typed
    std::string typed;              // that one, quotes resolved; empty: not begun
    std::string_view rest;          // all after the name, up to the cursor
    std::size_t replaceFrom = 0;    // bytes into `rest`: where `typed` begins; a completer may move it
};
// Offers candidates for `typed` in any order; those that do not fit what stands from replaceFrom on are left out by the caller.
// Called on the thread that completes. False: the parameter's own completion holds.
using CommandCompleter = std::function<bool(CommandTyping&, std::vector<CompletionCandidate>&)>;

class Console;

// Where the commands of a line may write files.
enum class WriteReach {
    Anywhere,      // lines that the user typed, named on the command line or wrote into an autoexec.cfg
    ProjectOutput, // lines that come with a project: below the project's out/ folder, and not through symbolic links
};

// What a running command sees of the statement it stands in.
class CommandContext {
public:
    CommandContext(Console& console, CVarSource source, std::vector<std::string> input,
                   WriteReach reach = WriteReach::Anywhere)
        : m_console(console), m_source(source), m_reach(reach), m_input(std::move(input)) {}

    void print(std::string line) { m_output.push_back(std::move(line)); }
    // For the person who reads; not passed on to the command right of a pipe.
    void note(std::string line) { m_notes.push_back(std::move(line)); }
    // The output of the command left of the pipe; empty without one.
    [[nodiscard]] const std::vector<std::string>& input() const { return m_input; }
    // It stands right of a pipe, even if nothing came through.
    [[nodiscard]] bool hasInput() const { return m_hasInput; }
    [[nodiscard]] CVarSource source() const { return m_source; }
    // Where the statement stands and when it runs.
    [[nodiscard]] const CVarOrigin& origin() const { return m_origin; }
    [[nodiscard]] Console& console() { return m_console; }
    [[nodiscard]] WriteReach reach() const { return m_reach; }
    // The path that the command may write to: every command that writes a file must get its path here. Relative paths start at the project's folder.
    // Of a line that comes with a project the path lies below its out/ folder, which is made with the folders on the way; the error
    // names the reason if it does not, or if a symbolic link, a device or a file with two names is in the way.
    [[nodiscard]] Result<std::filesystem::path> fileToWrite(const std::string& file) const;

    // The statements after this one run that many ticks later (`wait N`): execute() hands them back in its reply.
    void deferTicks(std::uint64_t ticks) { m_deferTicks = ticks; }
    // A line to run right after this statement, before those that follow it. `place` is "FILE:LINE" for errors, `folder` that
    // of the file it came from; both may be empty. It reaches no further than this statement does.
    void runNext(std::string text, std::string place = {}, std::string folder = {},
                 WriteReach reach = WriteReach::Anywhere) {
        m_next.push_back({std::move(text), std::move(place), std::move(folder), reach});
    }
    // The statement set or reset a CVar that was `before`: the reply records it for undo if the line was typed. Secrets are left out.
    void changed(const CVarInfo& before, CVarStep::Cause cause = CVarStep::Cause::Itself);
    // Folder of the file that holds this statement; empty: none.
    [[nodiscard]] const std::string& scriptFolder() const { return m_scriptFolder; }
    // The user named the file that this statement runs, on the command line for instance: its lines are as if typed.
    [[nodiscard]] bool isFileOfUser() const { return m_fileOfUser; }

private:
    friend class Console;
    struct Next {
        std::string text;
        std::string place;
        std::string folder;
        WriteReach reach;
    };

    Console& m_console;
    CVarSource m_source;
    WriteReach m_reach;
    bool m_fileOfUser = false;
    CVarOrigin m_origin;
    std::string m_scriptFolder;
    std::vector<std::string> m_input;
    std::vector<std::string> m_output;
    std::vector<std::string> m_notes;
    bool m_hasInput = false;
    std::vector<Next> m_next;
    std::vector<CVarStep> m_steps;
    std::optional<std::uint64_t> m_deferTicks;
};

using CommandArguments = std::vector<std::string>;
using CommandFunction = std::function<Result<void>(CommandContext&, const CommandArguments&)>;

struct Command {
    std::string name; // "help", "world.dump"
    std::string doc;
    std::vector<CommandParameter> parameters;
    CommandFunction function; // arguments are checked against the parameters first; numbers in them: wholeArgument() …
    CommandCompleter completer = {}; // none: by the parameters' types

    // "select NAME [more …]"
    [[nodiscard]] std::string usage() const;
    // The parameter an argument at that position belongs to, or null.
    [[nodiscard]] const CommandParameter* parameterAt(std::size_t position) const;
    // Count and type of every argument. Numbers, switches and choices are then written plainly: 1e3 as 1000, ON as true, Fly as fly.
    [[nodiscard]] Result<void> check(CommandArguments& arguments) const;
};

class CommandRegistry {
public:
    // Keeps names apart from the CVars'; `cvars` outlives this.
    explicit CommandRegistry(CVarRegistry& cvars) : m_cvars(cvars) {}
    CommandRegistry(const CommandRegistry&) = delete;
    CommandRegistry& operator=(const CommandRegistry&) = delete;

    // A name taken by a CVar or a command, or an ill-formed declaration, is a programmer error.
    void add(Command command);
    void add(std::string name, std::string doc, std::vector<CommandParameter> parameters,
             CommandFunction function, CommandCompleter completer = {}) {
        add(Command{std::move(name), std::move(doc), std::move(parameters), std::move(function),
                    std::move(completer)});
    }
    // Called before each command that is added, with no lock held. Set before threads start.
    void setBeforeAdd(std::function<void(const std::string& name)> beforeAdd) {
        m_beforeAdd = std::move(beforeAdd);
    }
    // Takes a command out: for owners that die before the console. A running call finishes.
    void remove(std::string_view name);
    // Null if there is none. Stays valid after remove().
    [[nodiscard]] std::shared_ptr<const Command> find(std::string_view name) const;
    // By name.
    [[nodiscard]] std::vector<std::shared_ptr<const Command>> list() const;

    // "help", "world.dump": words of letters and digits joined by dots, the first letter small.
    [[nodiscard]] static bool isValidName(std::string_view name);

private:
    CVarRegistry& m_cvars;
    std::function<void(const std::string&)> m_beforeAdd;
    mutable std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<const Command>, std::less<>> m_commands;
};

} // namespace sbx
