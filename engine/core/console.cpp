#include "engine/core/console.h"

#include "engine/core/console_builtins.h"
#include "engine/core/console_message.h"
#include "engine/core/filter_program.h"
#include "engine/core/key_name.h"
#include "engine/core/match.h"
#include "engine/core/utf8.h"

#include <algorithm>
#include <iterator>

namespace sbx {

namespace {

constexpr std::size_t LongestTypo = 100;
constexpr std::size_t LongestExcerpt = 24;

// For echoes and messages: enough of a text to know it again.
std::string clipped(std::string_view text, std::size_t longest = 300) {
    if (text.size() <= longest)
        return std::string(text);
    while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xC0U) == 0x80U)
        --longest;
    return std::string(text.substr(0, longest)) + "…";
}

// An error's own place, before what is wrong: the caller that prints it puts the word "error" in front.
std::string withPlace(const Error& error) {
    return error.file.empty() ? error.message : error.file + ": " + error.message;
}

// An entity's name as one word of any command, condition or filter: names come from files, and what stands in them is no
// console line.
std::string nameWord(const std::string& name) {
    std::string word = consoleWord(name);
    const bool isNumber =
        !name.empty() && std::string_view("+-0123456789").find(name.front()) != std::string_view::npos;
    if (word.front() == '"' || (detail::isPlainWord(name) && !isNumber))
        return word;
    for (std::size_t at = word.find('\\'); at != std::string::npos; at = word.find('\\', at + 2))
        word.insert(at, 1, '\\');
    return '"' + word + '"';
}

// A value of a message as one word. What can be a number is one, but for the name of an entity.
std::string messageValue(const std::string& word, const std::string& value) {
    const bool isName = word == "sender" || word == "receiver";
    return isName ? nameWord(value) : consoleWord(value);
}

std::string withoutFolders(const std::string& place) { return place.substr(place.rfind('/') + 1); }

} // namespace

Console::Console(Log& log) : m_log(log), m_commands(m_cvars) {
    Builtins::add(*this);
    m_cvars.setNotifier([this](const CVarInfo& cvar) {
        m_log.warning("cvar", cvar.field.name + " = " + cvar.shown() + ", set by " + cvar.setBy());
    });
    // Of a command and an alias of one name (plugins come late) the command runs: what the alias made secret looks harmless then.
    m_commands.setBeforeAdd([this](const std::string& name) {
        if (aliasText(name))
            Builtins::forgetSecrets(*this);
    });
}

Console::~Console() = default;

void Console::setTopics(Topics topics) {
    const std::scoped_lock lock(m_mutex);
    m_topics = std::move(topics);
}

std::vector<std::string> Console::explainTopic(std::string_view name) const {
    Topics topics;
    {
        const std::scoped_lock lock(m_mutex);
        topics = m_topics;
    }
    return topics ? topics(name) : std::vector<std::string>();
}

void Console::setNameProvider(NameProvider provider) {
    const std::lock_guard lock(m_mutex);
    m_provider = std::move(provider);
}

void Console::setListing(const std::string& kind, Listing listing, CommandCompleter filterCompleter) {
    const std::lock_guard lock(m_mutex);
    m_listings[kind] = {std::move(listing), std::move(filterCompleter)};
}

void Console::setBaseFolder(std::string folder) {
    const std::lock_guard lock(m_mutex);
    m_baseFolder = std::move(folder);
}

std::string Console::baseFolder() const {
    const std::lock_guard lock(m_mutex);
    return m_baseFolder;
}

std::optional<Console::Kept> Console::findAlias(std::string_view name) const {
    const std::lock_guard lock(m_mutex);
    const auto it = m_aliases.find(name);
    return it == m_aliases.end() || it->second.line.empty() ? std::nullopt : std::optional(it->second);
}

void Console::put(KeptLines& lines, const std::string& name, Kept entry, bool byUser) {
    Kept& old = lines[name];
    if (!byUser)
        entry.covered = old.kept ? std::move(old.line) : std::move(old.covered);
    old = std::move(entry);
}

// False: there was none in force.
bool Console::takeOut(KeptLines& lines, std::string_view name, bool byUser) {
    const auto it = lines.find(name);
    if (it == lines.end())
        return false;
    Kept& entry = it->second;
    if (entry.line.empty() && (!byUser || entry.covered.empty()))
        return false;
    if (!byUser && entry.kept)
        entry.covered = std::move(entry.line);
    if (byUser || entry.covered.empty())
        lines.erase(it);
    else
        entry = {{}, false, WriteReach::Anywhere, std::move(entry.covered)};
    return true;
}

std::vector<KeyBinding> Console::listed(const KeptLines& lines, bool keptOnly) {
    std::vector<KeyBinding> out;
    for (const auto& [name, entry] : lines) {
        if (!entry.line.empty() && (entry.kept || !keptOnly))
            out.push_back({name, entry.line, entry.reach});
        else if (keptOnly && !entry.covered.empty())
            out.push_back({name, entry.covered, WriteReach::Anywhere});
    }
    return out;
}

std::optional<std::string> Console::aliasText(std::string_view name) const {
    const std::optional<Kept> alias = findAlias(name);
    return alias ? std::optional(alias->line) : std::nullopt;
}

std::map<std::string, std::string, std::less<>> Console::aliases() const {
    std::map<std::string, std::string, std::less<>> out;
    for (auto& [name, line] : aliasList())
        out.emplace(std::move(name), std::move(line));
    return out;
}

void Console::setTickProvider(std::function<std::uint64_t()> provider) { m_tick = std::move(provider); }

std::vector<std::pair<std::string, std::string>> Console::aliasList(bool keptOnly) const {
    const std::lock_guard lock(m_mutex);
    std::vector<std::pair<std::string, std::string>> out;
    for (KeyBinding& alias : listed(m_aliases, keptOnly))
        out.emplace_back(std::move(alias.keys), std::move(alias.line));
    return out;
}

Result<void> Console::setAlias(const std::string& name, std::string line, bool kept, WriteReach reach) {
    if (!CommandRegistry::isValidName(name))
        return Error{inQuotes(clipped(name, LongestTypo))
                         + " cannot be a name; expected letters and digits, the first a small letter",
                     {},
                     {}};
    if (m_commands.find(name) || m_cvars.contains(name))
        return Error{name + " is a CVar or command already; expected a new name", {}, {}};
    const bool tellsNoSecret = masked(line) == line;
    if (aliasText(name))
        Builtins::forgetSecrets(*this);
    const std::lock_guard lock(m_mutex);
    put(m_aliases, name, {std::move(line), kept && tellsNoSecret, reach, {}}, kept);
    return {};
}

std::vector<KeyBinding> Console::bindings(bool keptOnly) const {
    const std::lock_guard lock(m_mutex);
    return listed(m_bindings, keptOnly);
}

Result<void> Console::bind(std::string_view typed, std::string line, bool kept, WriteReach reach) {
    const Result<std::string> keys = keyName(typed);
    if (!keys)
        return keys.error();
    const bool tellsNoSecret = masked(line) == line;
    const std::lock_guard lock(m_mutex);
    if (line.empty()) {
        if (!takeOut(m_bindings, *keys, kept))
            return Error{*keys + " is bound to no line", {}, {}};
    } else {
        if (const auto taken = m_takenKeys.find(*keys); taken != m_takenKeys.end())
            return Error{*keys + " is taken by " + taken->second + "; expected another key", {}, {}};
        put(m_bindings, *keys, {std::move(line), kept && tellsNoSecret, reach, {}}, kept);
    }
    m_bindingRevision.fetch_add(1, std::memory_order_release);
    return {};
}

void Console::setTakenKeys(std::map<std::string, std::string, std::less<>> taken) {
    const std::lock_guard lock(m_mutex);
    m_takenKeys = std::move(taken);
}

std::vector<std::string> Console::providedNames(TextRole role) const {
    NameProvider provider;
    {
        const std::lock_guard lock(m_mutex);
        provider = m_provider;
    }
    return provider ? provider(role) : std::vector<std::string>();
}

std::vector<std::string> Console::nearest(std::string_view name) const {
    std::vector<std::string> all = m_cvars.names();
    for (const auto& command : m_commands.list())
        all.push_back(command->name);
    for (const auto& [alias, text] : aliases())
        all.push_back(alias);
    return closestNames(name, all, 3);
}

std::vector<std::string> Console::explain(std::string_view name) const { return explain(m_cvars, name); }

std::vector<std::string> Console::explain(const CVarRegistry& cvars, std::string_view name) {
    const std::optional<CVarInfo> info = cvars.describe(name);
    if (!info)
        return {};
    const FieldInfo& field = info->field;
    std::vector<std::string> lines;
    lines.push_back(field.name + " = " + info->shown() + "  (default " + info->shown(field.defaultValue)
                    + ", set by " + info->setBy() + ")");
    lines.push_back("  " + field.doc);
    const std::string flags = cvarFlagNames(info->flags);
    lines.push_back("  " + field.expectation() + (flags.empty() ? "" : "; " + flags));
    std::string waiting;
    for (std::size_t i = CVarSourceCount; i-- > 1;)
        if (info->layers[i] && static_cast<CVarSource>(i) != info->lastSetBy)
            waiting += (waiting.empty() ? "" : ", ") + std::string(cvarSourceName(static_cast<CVarSource>(i)))
                       + " " + info->shown(*info->layers[i]);
    if (!waiting.empty())
        lines.push_back("  also set, not in force: " + waiting);
    if (info->pending)
        lines.push_back("  latched: " + info->shown(*info->pending) + " " + LatchedUntil);
    return lines;
}

void Console::printLine(ConsoleReply& reply, std::string line) {
    m_log.info(m_channel, line);
    reply.lines.push_back(std::move(line));
}

void Console::printError(ConsoleReply& reply, const std::string& place, const std::string& message) {
    const std::string text = clipped(message, 1000);
    m_log.error(m_channel, place.empty() ? text : place + ": " + text);
    reply.lines.push_back((place.empty() ? "error: " : place + ": error: ") + text);
    reply.ok = false;
}

void Console::enqueueLine(std::string_view line, const Entry& like, std::vector<Entry>& out) {
    const auto fault = [&](std::string what) {
        Entry entry = like;
        entry.fault = std::move(what);
        out.push_back(std::move(entry));
    };
    if (line.size() > LongestLine)
        return fault("the line is " + std::to_string(line.size()) + " bytes long; expected at most "
                     + std::to_string(LongestLine));
    if (out.size() > MaxStatements) // it will not be run: putFirst() reports the error
        return;
    ConsoleLine parsed = parseConsoleLine(line);
    if (parsed.quoteOpen)
        return fault("the quotes are not closed; expected a \" before the end of the line");
    for (ConsoleStatement& statement : parsed.statements) {
        // What is set would stand in dumps, traces and packets, none of which could then be read.
        if (const std::size_t bad = firstBadByte(statement.text); bad != std::string_view::npos) {
            fault("byte " + std::to_string(bad + 1) + " of the statement is no text; expected UTF-8 without zero bytes");
            continue;
        }
        Entry entry = like;
        entry.statement = std::move(statement);
        out.push_back(std::move(entry));
    }
}

ConsoleReply Console::execute(std::string_view line, CVarSource source, WriteReach reach) {
    Entry like;
    like.reach = reach;
    return runLine(line, source, like);
}

ConsoleReply Console::runLine(std::string_view line, CVarSource source, const Entry& like) {
    m_log.info(m_channel, "> " + clipped(masked(line)));
    ConsoleScript script;
    script.source = source;
    std::vector<Entry> entries;
    enqueueLine(line, like, entries);
    script.entries.assign(std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end()));
    return run(std::move(script));
}

ConsoleReply Console::resume(ConsoleScript script) {
    // Time has passed: a line that waits and then runs itself is a loop, no nest. What is nested deeper stands before what is less
    // so: behind the first entry of depth 0 there is none of another.
    for (auto entry = script.entries.begin(); entry != script.entries.end() && entry->depth != 0; ++entry)
        entry->depth = 0;
    return run(std::move(script));
}

ConsoleReply Console::execFile(const std::string& path, CVarSource source) {
    Entry like;
    like.fileOfUser = true;
    return runLine("exec " + consoleWord(path), source, like);
}

ConsoleReply Console::run(ConsoleScript script) {
    ConsoleReply reply;
    std::size_t count = 0;
    while (!script.entries.empty()) {
        const Entry entry = std::move(script.entries.front());
        script.entries.pop_front();
        if (++count > MaxStatements) {
            printError(reply, entry.place,
                       "more than " + std::to_string(MaxStatements)
                           + " statements at once; the rest is dropped");
            return reply;
        }
        std::optional<std::uint64_t> wait;
        runEntry(entry, script, reply, wait);
        if (wait) {
            script.ticks = *wait;
            reply.deferred = std::move(script);
            return reply;
        }
    }
    return reply;
}

// True if the statement speaks of the selection: then it stands at the front of the script again, once for each name, or with what is
// asked of the selected message.
bool Console::runForSelection(const Entry& entry, ConsoleScript& script, ConsoleReply& reply) {
    if (entry.statement.stages.empty())
        return false;
    // What is kept for later is about the selection of later.
    const std::string& name = entry.statement.stages.front().name;
    if (name == "alias" || name == "bind")
        return false;
    const std::vector<MessagePlace> asked = messagePlaces(entry.statement.text);
    if (const auto command = asked.empty() ? nullptr : m_commands.find(MessageCommand)) {
        std::string text = entry.statement.text;
        for (auto place = asked.rbegin(); place != asked.rend(); ++place) {
            CommandContext context(*this, script.source, {}, entry.reach);
            CommandArguments arguments;
            if (!place->word.empty())
                arguments.push_back(place->word);
            Result<void> done = command->check(arguments);
            if (done)
                done = command->function(context, arguments);
            if (!done) {
                printError(reply, entry.place, withPlace(done.error()));
                return true;
            }
            const std::string value = context.m_output.empty() ? std::string() : context.m_output.front();
            text.replace(place->begin, place->end - place->begin, messageValue(place->word, value));
        }
        Entry like = entry;
        like.statement = {};
        std::vector<Entry> once;
        enqueueLine(text, like, once);
        putFirst(std::move(once), entry, script, reply);
        return true;
    }
    const std::vector<std::size_t> places = selectionPlaces(entry.statement.text);
    if (places.empty() || !m_selection)
        return false;
    const std::vector<std::string> selected = m_selection();
    if (selected.empty())
        printError(reply, entry.place,
                   "nothing is selected; expected an entity for " + std::string(SelectionWord));
    std::vector<Entry> each;
    for (const std::string& entity : selected) {
        std::string text = entry.statement.text;
        for (auto place = places.rbegin(); place != places.rend(); ++place)
            text.replace(*place, SelectionWord.size(), nameWord(entity));
        Entry like = entry;
        like.statement = {};
        enqueueLine(text, like, each);
    }
    putFirst(std::move(each), entry, script, reply);
    return true;
}

void Console::putFirst(std::vector<Entry> entries, const Entry& from, ConsoleScript& script,
                       ConsoleReply& reply) {
    script.entries.insert(script.entries.begin(), std::make_move_iterator(entries.begin()),
                          std::make_move_iterator(entries.end()));
    if (script.entries.size() <= MaxStatements)
        return;
    script.entries.erase(script.entries.begin() + static_cast<std::ptrdiff_t>(MaxStatements),
                         script.entries.end());
    printError(reply, from.place,
               "more than " + std::to_string(MaxStatements)
                   + " statements wait for their turn; the rest is dropped");
}

void Console::runEntry(const Entry& entry, ConsoleScript& script, ConsoleReply& reply,
                       std::optional<std::uint64_t>& wait) {
    if (!entry.fault.empty())
        return printError(reply, entry.place, entry.fault);
    if (runForSelection(entry, script, reply))
        return;
    const bool inPipe = entry.statement.stages.size() > 1;
    std::vector<std::string> passed;
    for (const ConsoleStage& stage : entry.statement.stages) {
        CommandContext context(*this, script.source, std::move(passed), entry.reach);
        context.m_fileOfUser = entry.fileOfUser;
        context.m_hasInput = &stage != &entry.statement.stages.front();
        context.m_scriptFolder = entry.folder;
        context.m_origin.place = withoutFolders(entry.place);
        if (m_tick)
            context.m_origin.tick = m_tick();
        const Result<void> result = runStage(stage, context, inPipe);
        const bool failed = !result.ok();
        std::move(context.m_steps.begin(), context.m_steps.end(), std::back_inserter(reply.steps));
        for (std::string& line : context.m_notes)
            printLine(reply, std::move(line));
        if (failed || &stage == &entry.statement.stages.back())
            for (std::string& line : context.m_output)
                printLine(reply, std::move(line));
        if (failed)
            return printError(reply, entry.place, withPlace(result.error()));
        if (inPipe && (context.m_deferTicks || !context.m_next.empty()))
            return printError(reply, entry.place,
                              stage.name + " cannot stand in a pipe; expected a statement of its own");
        passed = std::move(context.m_output);
        wait = context.m_deferTicks;
        if (context.m_next.empty())
            continue;
        if (entry.depth + 1 > DeepestNesting) {
            printError(reply, entry.place,
                       stage.name + " is nested more than " + std::to_string(DeepestNesting)
                           + " deep (does it run itself?); the rest is dropped");
            script.entries.clear();
            return;
        }
        std::vector<Entry> next;
        for (const CommandContext::Next& line : context.m_next) {
            Entry like;
            like.place = line.place.empty() ? entry.place : line.place;
            like.folder = line.folder.empty() ? entry.folder : line.folder;
            like.depth = entry.depth + 1;
            // What a line of a project runs is of the project, even if the user made it: an alias, a file elsewhere.
            like.reach = std::max(entry.reach, line.reach);
            enqueueLine(line.text, like, next);
        }
        putFirst(std::move(next), entry, script, reply);
    }
}

Result<void> Console::runStage(const ConsoleStage& stage, CommandContext& context, bool inPipe) {
    if (stage.name.empty())
        return Error{"there is nothing beside the |; expected a CVar or command", {}, {}};
    if (const auto command = m_commands.find(stage.name))
        return runCommand(*command, stage, context);
    if (const std::optional<Kept> alias = findAlias(stage.name)) {
        context.runNext(stage.rest.empty() ? alias->line : alias->line + " " + stage.rest, {}, {}, alias->reach);
        return {};
    }
    if (m_lineCVars->contains(stage.name))
        return runCVar(asAssignment(stage), context, inPipe);
    std::string message = "there is no CVar or command " + inQuotes(clipped(stage.name, LongestTypo));
    const std::vector<std::string> near = nearest(stage.name);
    if (near.empty())
        return Error{message + "; try find TEXT or list", {}, {}};
    for (std::size_t i = 0; i < near.size(); ++i)
        message += (i == 0 ? "; did you mean " : (i + 1 < near.size() ? ", " : " or ")) + near[i];
    return Error{message + "?", {}, {}};
}

namespace {

// Where in a filter or condition the fault stands: its column, and what is written there.
Error pointedAt(Error error, const std::string& text) {
    const auto from = static_cast<std::size_t>(std::max(error.region.column - 1, 0));
    if (error.region.line != 1 || !error.file.empty() || from > text.size())
        return error;
    error.message += from == text.size() ? " (at the end)"
                                         : " (column " + std::to_string(from + 1) + ": "
                                               + clipped(text.substr(from), LongestExcerpt) + ")";
    return error;
}

// Runs a command with a stage's words as arguments, `filling` among them at that position.
Result<void> call(const Command& command, const ConsoleStage& stage, CommandContext& context,
                  std::size_t position, const std::string& filling) {
    CommandArguments arguments;
    for (std::size_t i = 0; i <= stage.words.size(); ++i) {
        if (arguments.size() == position)
            arguments.push_back(filling);
        if (i == stage.words.size())
            break;
        const CommandParameter* parameter = command.parameterAt(arguments.size());
        if (parameter != nullptr && parameter->type == ArgumentType::Rest) {
            arguments.push_back(stage.rest.substr(stage.words[i].begin - stage.restBegin));
            break;
        }
        arguments.push_back(stage.words[i].text);
    }
    if (auto checked = command.check(arguments); !checked)
        return checked;
    Result<void> done = command.function(context, arguments);
    const CommandParameter* last = arguments.empty() ? nullptr : command.parameterAt(arguments.size() - 1);
    if (!done && last != nullptr && last->type == ArgumentType::Rest)
        return pointedAt(done.error(), unquotedWhole(arguments.back()));
    return done;
}

} // namespace

Result<void> Console::runCommand(const Command& command, const ConsoleStage& stage, CommandContext& context) {
    if (stage.form == ConsoleStage::Form::Assignment)
        return Error{command.name + " is a command, not a CVar; expected " + command.usage(), {}, {}};
    // What comes through a pipe fills the parameter that is an entity, a line each; one that takes many reads the input itself.
    const auto entity = std::find_if(command.parameters.begin(), command.parameters.end(),
                                     [](const CommandParameter& parameter) {
                                         return parameter.type == ArgumentType::Entity && !parameter.variadic;
                                     });
    if (!context.hasInput() || entity == command.parameters.end())
        return call(command, stage, context, std::string::npos, {});
    const auto position = static_cast<std::size_t>(entity - command.parameters.begin());
    for (const std::string& line : context.input())
        if (auto done = call(command, stage, context, position, line.substr(0, line.find(' '))); !done)
            return done;
    return {};
}

Result<void> Console::runCVar(const ConsoleStage& stage, CommandContext& context, bool inPipe) {
    if (stage.form == ConsoleStage::Form::Bar)
        return Error{stage.name + " is a CVar, not a command; expected " + stage.name + " VALUE", {}, {}};
    if (stage.form == ConsoleStage::Form::Words && stage.rest.empty()) {
        for (std::string& line : explain(*m_lineCVars, stage.name))
            context.print(std::move(line));
        return {};
    }
    if (inPipe && !context.input().empty())
        return Error{stage.name + " is a CVar and takes no input from a pipe", {}, {}};
    const std::optional<CVarInfo> before = m_lineCVars->describe(stage.name);
    if (!before)
        return {};
    const FieldInfo& field = before->field;
    if (stage.rest.empty())
        return Error{field.name + ": there is no value after =; expected " + field.expectation(), {}, {}};
    if (stage.form == ConsoleStage::Form::Assignment && stage.rest.front() == '=')
        return Error{field.name + ": == compares; expected one = to set", {}, {}};
    const bool isText = field.type == FieldType::String;
    const std::string text = unquotedWhole(stage.rest);
    const Result<CVarOutcome> outcome = changeCVar(context, *before, [&] {
        return isText ? m_lineCVars->setValue(field.name, Value(text), context.source(), context.origin())
                      : m_lineCVars->set(field.name, text, context.source(), context.origin());
    });
    if (!outcome)
        return outcome.error();
    printOutcome(context, *before, *outcome);
    return {};
}

void printOutcome(CommandContext& context, const CVarInfo& before, CVarOutcome outcome) {
    const std::optional<CVarInfo> after = context.console().lineCVars().describe(before.field.name);
    if (!after)
        return;
    const std::string& name = before.field.name;
    const std::string now = name + " = " + after->shown();
    switch (outcome) {
    case CVarOutcome::InForce:
        context.print(now
                      + (after->value == before.value ? " (as before)" : " (was " + before.shown() + ")"));
        break;
    case CVarOutcome::Latched:
        context.print(name + " is latched: " + after->shown(after->pending.value_or(after->value)) + " "
                      + LatchedUntil + "; now " + after->shown());
        break;
    case CVarOutcome::Overridden:
        context.print(
            now + " as the " + cvarSourceName(after->lastSetBy) + " set it; "
            + after->shown(after->layers[static_cast<std::size_t>(context.source())].value_or(after->value))
            + " is kept as the " + cvarSourceName(context.source()) + " value (reset " + name
            + " lets it through)");
        break;
    }
}

} // namespace sbx
