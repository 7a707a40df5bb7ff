#include "engine/core/console.h"

#include "engine/core/console_builtins.h"
#include "engine/core/match.h"

#include <algorithm>

namespace sbx {

namespace {

constexpr const char* Channel = "console";
constexpr std::size_t LongestTypo = 100;

// For echoes and messages: enough of a text to know it again.
std::string clipped(std::string_view text, std::size_t longest = 300) {
    if (text.size() <= longest)
        return std::string(text);
    while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xC0U) == 0x80U)
        --longest;
    return std::string(text.substr(0, longest)) + "…";
}

// An error's own place, before what is wrong: the word "error" is put in front by whoever prints it.
std::string withPlace(const Error& error) {
    return error.file.empty() ? error.message : error.file + ": " + error.message;
}

std::string withUnit(const FieldInfo& field, const Value& value) {
    const std::string text =
        field.type == FieldType::String ? sbx::quoted(std::get<std::string>(value)) : field.format(value);
    return field.unit.empty() ? text : text + " " + field.unit;
}

} // namespace

Console::Console(Log& log) : m_log(log), m_commands(m_cvars) { Builtins::add(*this); }

Console::~Console() = default;

void Console::setNameProvider(NameProvider provider) {
    const std::lock_guard lock(m_mutex);
    m_provider = std::move(provider);
}

void Console::setListing(const std::string& kind, Listing listing) {
    const std::lock_guard lock(m_mutex);
    m_listings[kind] = std::move(listing);
}

void Console::setBaseFolder(std::string folder) {
    const std::lock_guard lock(m_mutex);
    m_baseFolder = std::move(folder);
}

std::string Console::baseFolder() const {
    const std::lock_guard lock(m_mutex);
    return m_baseFolder;
}

std::optional<std::string> Console::aliasText(std::string_view name) const {
    const std::lock_guard lock(m_mutex);
    const auto it = m_aliases.find(name);
    return it == m_aliases.end() ? std::nullopt : std::optional(it->second);
}

std::map<std::string, std::string, std::less<>> Console::aliases() const {
    const std::lock_guard lock(m_mutex);
    return m_aliases;
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

std::vector<std::string> Console::explain(std::string_view name) const {
    const std::optional<CVarInfo> info = m_cvars.describe(name);
    if (!info)
        return {};
    const FieldInfo& field = info->field;
    const bool readOnly = has(info->flags, CVarFlags::ReadOnly);
    std::vector<std::string> lines;
    lines.push_back(field.name + " = " + withUnit(field, info->value) + "  (default "
                    + withUnit(field, field.defaultValue)
                    + (readOnly ? ", set by the program)"
                                : std::string(", set by ") + cvarSourceName(info->lastSetBy) + ")"));
    lines.push_back("  " + field.doc);
    const std::string flags = cvarFlagNames(info->flags);
    lines.push_back("  " + field.expectation() + (flags.empty() ? "" : "; " + flags));
    std::string waiting;
    for (std::size_t i = CVarSourceCount; i-- > 1;)
        if (info->layers[i] && static_cast<CVarSource>(i) != info->lastSetBy)
            waiting += (waiting.empty() ? "" : ", ") + std::string(cvarSourceName(static_cast<CVarSource>(i)))
                       + " " + withUnit(field, *info->layers[i]);
    if (!waiting.empty())
        lines.push_back("  also set, not in force: " + waiting);
    if (info->pending)
        lines.push_back("  latched: " + withUnit(field, *info->pending) + " from the next start");
    return lines;
}

void Console::printLine(ConsoleReply& reply, std::string line) {
    m_log.info(Channel, line);
    reply.lines.push_back(std::move(line));
}

void Console::printError(ConsoleReply& reply, const std::string& place, const std::string& message) {
    const std::string text = clipped(message, 1000);
    m_log.error(Channel, place.empty() ? text : place + ": " + text);
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
    ConsoleLine parsed = parseConsoleLine(line);
    if (parsed.quoteOpen)
        return fault("the quotes are not closed; expected a \" before the end of the line");
    for (ConsoleStatement& statement : parsed.statements) {
        Entry entry = like;
        entry.statement = std::move(statement);
        out.push_back(std::move(entry));
    }
}

ConsoleReply Console::execute(std::string_view line, CVarSource source) {
    m_log.info(Channel, "> " + clipped(line));
    ConsoleScript script;
    script.source = source;
    std::vector<Entry> entries;
    enqueueLine(line, {}, entries);
    script.entries.assign(std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end()));
    return run(std::move(script));
}

ConsoleReply Console::resume(ConsoleScript script) { return run(std::move(script)); }

ConsoleReply Console::execFile(const std::string& path, CVarSource source) {
    return execute("exec " + consoleWord(path), source);
}

ConsoleReply Console::run(ConsoleScript script) {
    ConsoleReply reply;
    std::size_t count = 0;
    while (!script.entries.empty()) {
        const Entry entry = std::move(script.entries.front());
        script.entries.pop_front();
        if (++count > MostStatements) {
            printError(reply, entry.place,
                       "more than " + std::to_string(MostStatements)
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

void Console::runEntry(const Entry& entry, ConsoleScript& script, ConsoleReply& reply,
                       std::optional<std::uint64_t>& wait) {
    if (!entry.fault.empty())
        return printError(reply, entry.place, entry.fault);
    const bool inPipe = entry.statement.stages.size() > 1;
    std::vector<std::string> passed;
    for (const ConsoleStage& stage : entry.statement.stages) {
        CommandContext context(*this, script.source, std::move(passed));
        context.m_scriptFolder = entry.folder;
        const Result<void> result = runStage(stage, context, inPipe);
        const bool failed = !result.ok();
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
        for (const CommandContext::Next& line : context.m_next)
            enqueueLine(line.text,
                        {{},
                         {},
                         line.place.empty() ? entry.place : line.place,
                         line.folder.empty() ? entry.folder : line.folder,
                         entry.depth + 1},
                        next);
        script.entries.insert(script.entries.begin(), std::make_move_iterator(next.begin()),
                              std::make_move_iterator(next.end()));
    }
}

Result<void> Console::runStage(const ConsoleStage& stage, CommandContext& context, bool inPipe) {
    if (stage.name.empty())
        return Error{"there is nothing beside the |; expected a CVar or command", {}, {}};
    if (const auto command = m_commands.find(stage.name))
        return runCommand(*command, stage, context);
    if (const auto alias = aliasText(stage.name)) {
        context.runNext(stage.rest.empty() ? *alias : *alias + " " + stage.rest);
        return {};
    }
    if (m_cvars.contains(stage.name))
        return runCVar(asAssignment(stage), context, inPipe);
    std::string message = "there is no CVar or command " + sbx::quoted(clipped(stage.name, LongestTypo));
    const std::vector<std::string> near = nearest(stage.name);
    if (near.empty())
        return Error{message + "; try find TEXT or list", {}, {}};
    for (std::size_t i = 0; i < near.size(); ++i)
        message += (i == 0 ? "; did you mean " : (i + 1 < near.size() ? ", " : " or ")) + near[i];
    return Error{message + "?", {}, {}};
}

Result<void> Console::runCommand(const Command& command, const ConsoleStage& stage, CommandContext& context) {
    if (stage.form == ConsoleStage::Form::Assignment)
        return Error{command.name + " is a command, not a CVar; expected " + command.usage(), {}, {}};
    CommandArguments arguments;
    for (std::size_t i = 0; i < stage.words.size(); ++i) {
        const CommandParameter* parameter = command.parameterAt(i);
        if (parameter != nullptr && parameter->type == ArgumentType::Rest) {
            arguments.push_back(stage.rest.substr(stage.words[i].begin - stage.restBegin));
            break;
        }
        arguments.push_back(stage.words[i].text);
    }
    if (auto checked = command.check(arguments); !checked)
        return checked;
    return command.function(context, arguments);
}

Result<void> Console::runCVar(const ConsoleStage& stage, CommandContext& context, bool inPipe) {
    if (stage.form == ConsoleStage::Form::Bar)
        return Error{stage.name + " is a CVar, not a command; expected " + stage.name + " VALUE", {}, {}};
    if (stage.form == ConsoleStage::Form::Words && stage.rest.empty()) {
        for (std::string& line : explain(stage.name))
            context.print(std::move(line));
        return {};
    }
    if (inPipe && !context.input().empty())
        return Error{stage.name + " is a CVar and takes no input from a pipe", {}, {}};
    const std::optional<CVarInfo> before = m_cvars.describe(stage.name);
    if (!before)
        return {};
    const FieldInfo& field = before->field;
    if (stage.rest.empty())
        return Error{field.name + ": there is no value after =; expected " + field.expectation(), {}, {}};
    if (stage.form == ConsoleStage::Form::Assignment && stage.rest.front() == '=')
        return Error{field.name + ": == compares; expected one = to set", {}, {}};
    const bool isText = field.type == FieldType::String || field.type == FieldType::Enum;
    const std::string text = unquotedWhole(stage.rest);
    const Result<CVarOutcome> outcome = isText ? m_cvars.setValue(field.name, Value(text), context.source())
                                               : m_cvars.set(field.name, text, context.source());
    if (!outcome)
        return outcome.error();
    const std::optional<CVarInfo> after = m_cvars.describe(field.name);
    if (!after)
        return {};
    const std::string now = field.name + " = " + withUnit(field, after->value);
    switch (*outcome) {
    case CVarOutcome::InForce:
        context.print(after->value == before->value ? now + " (as before)"
                                                    : now + " (was " + withUnit(field, before->value) + ")");
        break;
    case CVarOutcome::Latched:
        context.print(field.name + " is latched: " + withUnit(field, after->pending.value_or(after->value))
                      + " from the next start; now " + withUnit(field, after->value));
        break;
    case CVarOutcome::Overridden:
        context.print(now + " as the " + cvarSourceName(after->lastSetBy) + " set it; "
                      + withUnit(field, after->layers[static_cast<std::size_t>(context.source())].value_or(
                                            after->value))
                      + " is kept as the " + cvarSourceName(context.source()) + " value (reset " + field.name
                      + " lets it through)");
        break;
    }
    return {};
}

} // namespace sbx
