#include "engine/core/console_builtins.h"

#include "engine/core/ascii_case.h"
#include "engine/core/columns.h"
#include "engine/core/key_name.h"
#include "engine/core/match.h"

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {

using Row = std::vector<std::string>;

void printTable(CommandContext& context, const std::vector<Row>& rows) {
    for (std::string& line : inColumns(rows))
        context.print(std::move(line));
}

std::string valueText(const CVarInfo& cvar, const Value& value) { return cvar.shown(value); }

Row rowOf(const CVarInfo& cvar) { return {cvar.field.name, valueText(cvar, cvar.value), cvar.field.doc}; }

std::string parametersOf(const Command& command) {
    const std::string usage = command.usage();
    return usage.size() > command.name.size() ? usage.substr(command.name.size() + 1) : std::string();
}

Row rowOf(const Command& command) { return {command.name, parametersOf(command), command.doc}; }

// What someone typed, for messages.
std::string named(std::string_view typed) { return inQuotes(typed.substr(0, 100)); }

Result<void> setAndTell(CommandContext& context, const CVarInfo& before, const Value& value) {
    const Result<CVarOutcome> outcome = changeCVar(context, before, [&] {
        return context.console().lineCVars().setValue(before.field.name, value, context.source(),
                                                  context.origin());
    });
    if (!outcome)
        return outcome.error();
    printOutcome(context, before, *outcome);
    return {};
}

// None: it names no flag.
CVarFlags flagNamed(std::string_view text) {
    for (const CVarFlags flag : AllCVarFlags)
        if (lowered(text) == cvarFlagNames(flag))
            return flag;
    return CVarFlags::None;
}

bool mentions(std::string_view text, std::string_view what) {
    return matchRank(what, text) <= MatchRank::Substring;
}

} // namespace

void Console::Builtins::add(Console& console) {
    CommandRegistry& commands = console.m_commands;
    using Type = ArgumentType;
    commands.add("help", "Explains the console, or one CVar, command or alias.",
                 {{"name", "What to explain.", Type::Name, {}, true}}, help);
    commands.add("find", "Lists CVars and commands whose name or doc contains a text.",
                 {{"text", "Case does not matter.", Type::Rest}}, find);
    commands.add("list", "Lists what there is, or what contains a text.",
                 {{"kind",
                   "Left out: CVars and commands.",
                   Type::Word,
                   {"cvars", "commands", "aliases", "bindings", "entities"},
                   true},
                  {"filter",
                   "A part of the name; of CVars also a flag, such as archive; of entities, a filter.",
                   Type::Rest,
                   {},
                   true}},
                 list, [&console](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
                     return completeList(console, typing, out);
                 });
    commands.add("differences", "Lists the CVars that are not at their default.",
                 {{"filter", "A part of the name.", Type::Word, {}, true}}, differences,
                 [&console](CommandTyping&, std::vector<CompletionCandidate>& out) {
                     offerNames(console, CompletionKind::CVar, out);
                     return true;
                 });
    commands.add("reset", "Takes back what the console set; with all behind it, what every source set.",
                 {{"name", "Which CVar; all: each that is no secret.", Type::CVar, {"all"}},
                  {"how", "Down to the default.", Type::Choice, {"all"}, true}},
                 reset);
    commands.add(
        "toggle",
        "Flips a switch, takes the next choice, or the next of the values given: toggle sim.timeScale 1 2 4",
        {{"name", "Which CVar.", Type::CVar},
         {"value", "Two or more to go round.", Type::Word, {}, true, true}},
        toggle, [&console](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            return completeToggle(console, typing, out);
        });
    commands.add("inc", "Adds to a number.",
                 {{"name", "Which CVar.", Type::CVar},
                  {"step", "1 if left out; may be negative.", Type::Number, {}, true}},
                 increase);
    commands.add("echo", "Prints its input and its arguments.",
                 {{"text", "Any words.", Type::Word, {}, true, true}},
                 [](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     for (const std::string& line : context.input())
                         context.print(line);
                     std::string text;
                     for (const std::string& argument : arguments)
                         text += (text.empty() ? "" : " ") + argument;
                     if (!text.empty() || context.input().empty())
                         context.print(std::move(text));
                     return {};
                 });
    commands.add("grep", "Passes on the lines of its input that contain a text: list cvars | grep net",
                 {{"text", "Case does not matter.", Type::Rest}},
                 [](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     const std::string text = unquotedWhole(arguments.front());
                     for (const std::string& line : context.input())
                         if (mentions(line, text))
                             context.print(line);
                     return {};
                 });
    commands.add("alias", "Gives a line a short name, or shows the lines named so.",
                 {{"name", "The short name.", Type::Word, {}, true},
                  {"line", "In quotes if it holds ; or |.", Type::Rest, {}, true}},
                 alias, [&console](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
                     if (!typing.words.empty())
                         return completeKeptLine(console, typing, out);
                     offerNames(console, CompletionKind::Alias, out);
                     return true;
                 });
    commands.add("unalias", "Forgets an alias.", {{"name", "Which."}}, unalias,
                 [&console](CommandTyping&, std::vector<CompletionCandidate>& out) {
                     offerNames(console, CompletionKind::Alias, out);
                     return true;
                 });
    commands.add("bind", "Lets a key run a line, or shows the keys that do: bind F6 toggle debug.shapes",
                 {{"key", "Such as F6 or Ctrl+Shift+G.", Type::Word, {}, true},
                  {"line", "In quotes if it holds ; or |.", Type::Rest, {}, true}},
                 bind, [&console](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
                     return typing.words.empty() ? offerKeys(console, out)
                                                 : completeKeptLine(console, typing, out);
                 });
    commands.add(
        "unbind", "Frees a key.", {{"key", "Such as F6.", Type::Word}},
        [](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
            return context.console().bind(arguments.front(), {}, context.origin().place.empty());
        },
        [&console](CommandTyping&, std::vector<CompletionCandidate>& out) {
            return offerKeys(console, out);
        });
    commands.add("condump", "Writes the log to a file.",
                 {{"file", "Relative to the project's folder.", Type::File}}, dumpLog);
    commands.add("exec", "Runs the lines of a file.",
                 {{"file", "Relative to the file that names it.", Type::File}}, exec);
}

Result<CVarInfo> Console::Builtins::cvar(Console& console, const std::string& name) {
    if (auto info = console.m_lineCVars->describe(name))
        return *info;
    // The registry's own error carries the nearest names.
    return console.m_lineCVars->reset(name).error();
}

Result<void> Console::Builtins::help(CommandContext& context, const CommandArguments& arguments) {
    Console& console = context.console();
    if (arguments.empty()) {
        context.print("NAME prints a CVar, NAME VALUE or NAME=VALUE sets it; COMMAND ARGUMENTS or "
                      "COMMAND|ARGUMENTS runs one.");
        context.print("; joins statements, \" | \" passes output on, // starts a comment. Tab completes, Up "
                      "and Down walk the history.");
        context.print("help NAME explains one, find TEXT searches names and docs, list cvars shows all "
                      "CVars. Commands:");
        std::vector<Row> rows;
        for (const auto& command : console.m_commands.list())
            rows.push_back(rowOf(*command));
        printTable(context, rows);
        return {};
    }
    const std::string& name = arguments.front();
    if (const auto command = console.m_commands.find(name)) {
        context.print(command->usage());
        context.print("  " + command->doc);
        for (const CommandParameter& parameter : command->parameters)
            context.print("  " + parameter.name + ": " + parameter.expectation()
                          + (parameter.optional ? ", optional. " : ". ") + parameter.doc);
        return {};
    }
    if (const auto text = console.aliasText(name)) {
        context.print(name + " is an alias for: " + console.masked(*text));
        return {};
    }
    std::vector<std::string> lines = Console::explain(*console.m_lineCVars, name);
    if (lines.empty())
        lines = console.explainTopic(name);
    if (lines.empty()) {
        std::string names;
        for (const std::string& near : console.nearest(name))
            names += (names.empty() ? "; did you mean " : ", ") + near;
        return Error{
            "there is no CVar or command " + named(name) + names + (names.empty() ? "" : "?"), {}, {}};
    }
    for (std::string& line : lines)
        context.print(std::move(line));
    return {};
}

Result<void> Console::Builtins::find(CommandContext& context, const CommandArguments& arguments) {
    Console& console = context.console();
    const std::string text = unquotedWhole(arguments.front());
    std::vector<Row> rows;
    for (const CVarInfo& info : console.m_lineCVars->list())
        if (mentions(info.field.name, text) || mentions(info.field.doc, text))
            rows.push_back(rowOf(info));
    for (const auto& command : console.m_commands.list())
        if (mentions(command->name, text) || mentions(command->doc, text))
            rows.push_back(rowOf(*command));
    if (rows.empty())
        context.print("nothing is named or described with " + named(text));
    printTable(context, rows);
    return {};
}

Result<void> Console::Builtins::list(CommandContext& context, const CommandArguments& arguments) {
    Console& console = context.console();
    const std::string kind = arguments.empty() ? std::string() : arguments[0];
    const std::string filter = arguments.size() > 1 ? unquotedWhole(arguments[1]) : std::string();
    Listing listing;
    std::string kinds = "cvars, commands, aliases, bindings, entities";
    {
        const std::lock_guard lock(console.m_mutex);
        for (const auto& [name, functions] : console.m_listings) {
            if (name == kind)
                listing = functions.first;
            if (name != "entities")
                kinds += ", " + name;
        }
    }
    if (listing)
        return listing(context, filter);
    std::vector<Row> rows;
    const CVarFlags flag = flagNamed(filter);
    if (kind.empty() || kind == "cvars")
        for (const CVarInfo& info : console.m_lineCVars->list(flag == CVarFlags::Hidden))
            if (mentions(info.field.name, filter) || has(info.flags, flag))
                rows.push_back(rowOf(info));
    if (kind.empty() || kind == "commands")
        for (const auto& command : console.m_commands.list())
            if (mentions(command->name, filter))
                rows.push_back(rowOf(*command));
    if (kind == "aliases")
        for (const auto& [name, text] : console.aliases())
            if (mentions(name, filter))
                rows.push_back({name, console.masked(text), {}});
    if (kind == "bindings")
        for (const KeyBinding& binding : console.bindings())
            if (const std::string line = console.masked(binding.line);
                mentions(binding.keys, filter) || mentions(line, filter))
                rows.push_back({binding.keys, line, {}});
    if (kind == "entities")
        for (const std::string& name : console.providedNames(TextRole::EntityName))
            if (mentions(name, filter))
                rows.push_back({name, {}, {}});
    if (!kind.empty() && kind != "cvars" && kind != "commands" && kind != "aliases" && kind != "bindings"
        && kind != "entities")
        return Error{"list: " + named(kind) + " cannot be listed; expected one of " + kinds, {}, {}};
    if (rows.empty())
        context.print("none");
    printTable(context, rows);
    return {};
}

Result<void> Console::Builtins::differences(CommandContext& context, const CommandArguments& arguments) {
    std::vector<Row> rows;
    for (const CVarInfo& info : context.console().m_lineCVars->list())
        if ((!info.isDefault() || info.pending) && !has(info.flags, CVarFlags::ReadOnly)
            && (arguments.empty() || mentions(info.field.name, arguments.front())))
            rows.push_back({info.field.name, valueText(info, info.value),
                            (info.pending ? valueText(info, *info.pending) + " " + LatchedUntil + ", " : "")
                                + "default " + valueText(info, info.field.defaultValue) + ", set by "
                                + info.setBy()});
    if (rows.empty())
        context.print("every CVar is at its default");
    printTable(context, rows);
    return {};
}

Result<void> Console::Builtins::reset(CommandContext& context, const CommandArguments& arguments) {
    CVarRegistry& cvars = context.console().lineCVars();
    const CVarSource from = arguments.size() > 1 ? CVarSource::Project : CVarSource::Console;
    const bool everyOne = arguments.front() == "all";
    // True: it set something, and no longer does.
    const auto takeBack = [&](const CVarInfo& before) -> Result<bool> {
        const auto first = before.layers.begin() + static_cast<std::ptrdiff_t>(from);
        const bool isSet =
            std::any_of(first, before.layers.end(), [](const auto& layer) { return layer.has_value(); });
        const auto reset = [&] { return cvars.reset(before.field.name, from); };
        const Result<CVarOutcome> outcome = isSet ? changeCVar(context, before, reset) : reset();
        if (!outcome)
            return outcome.error();
        return isSet;
    };
    const auto tell = [&](const std::string& name) {
        const std::optional<CVarInfo> info = cvars.describe(name);
        context.print(name + " = " + valueText(*info, info->value)
                      + (info->pending
                             ? ", " + valueText(*info, *info->pending) + " " + LatchedUntil
                             : std::string(" (")
                                   + (info->isFollowed ? "the server" : cvarSourceName(info->lastSetBy))
                                   + ")"));
    };
    if (!everyOne) {
        const Result<CVarInfo> before = cvar(context.console(), arguments.front());
        if (!before)
            return before.error();
        const Result<bool> done = takeBack(*before);
        if (!done)
            return done.error();
        tell(before->field.name);
        return {};
    }
    bool any = false;
    // Cheats first: the switch that allows them may be among the CVars, and takes them back unseen.
    std::vector<std::string> names = cvars.names(true);
    std::stable_partition(names.begin(), names.end(), [&](const std::string& name) {
        return has(cvars.describe(name)->flags, CVarFlags::Cheat);
    });
    for (const std::string& name : names) {
        const std::optional<CVarInfo> before = cvars.describe(name);
        if (has(before->flags, CVarFlags::ReadOnly) || has(before->flags, CVarFlags::Protected))
            continue;
        if (const Result<bool> done = takeBack(*before); done && *done) {
            tell(name);
            any = true;
        }
    }
    if (!any)
        context.print(arguments.size() > 1 ? "every CVar is at its default" : "the console has set no CVar");
    return {};
}

Result<void> Console::Builtins::toggle(CommandContext& context, const CommandArguments& arguments) {
    const Result<CVarInfo> info = cvar(context.console(), arguments.front());
    if (!info)
        return info.error();
    const Value current = info->pending.value_or(info->value);
    Value next;
    if (arguments.size() == 2)
        return Error{"toggle: one value is nothing to go round; expected two or more, or none", {}, {}};
    if (arguments.size() > 2) {
        std::vector<Value> round;
        for (std::size_t i = 1; i < arguments.size(); ++i) {
            const Result<Value> value = info->parse(arguments[i]);
            if (!value)
                return value.error();
            round.push_back(*value);
        }
        const auto at = std::find(round.begin(), round.end(), current);
        next = at == round.end() || at + 1 == round.end() ? round.front() : *(at + 1);
    } else if (info->field.type == FieldType::Bool) {
        next = !std::get<bool>(current);
    } else if (info->field.type == FieldType::Enum) {
        const auto& choices = info->field.choices;
        const auto it = std::find(choices.begin(), choices.end(), std::get<std::string>(current));
        next = it == choices.end() || it + 1 == choices.end() ? choices.front() : *(it + 1);
    } else {
        return Error{
            info->field.name
                + " cannot be toggled; expected a CVar that is a switch or a choice, or values to go round",
            {},
            {}};
    }
    return setAndTell(context, *info, next);
}

Result<void> Console::Builtins::increase(CommandContext& context, const CommandArguments& arguments) {
    const Result<CVarInfo> info = cvar(context.console(), arguments.front());
    if (!info)
        return info.error();
    const std::string step = arguments.size() > 1 ? arguments[1] : "1";
    const Value current = info->pending.value_or(info->value);
    if (info->field.type == FieldType::Float)
        return setAndTell(context, *info, std::get<double>(current) + numberArgument(step));
    if (info->field.type != FieldType::Int)
        return Error{info->field.name + " cannot be increased; expected a CVar that is a number", {}, {}};
    // Whole numbers are added as such: a double holds them exactly up to 2^53 only.
    if (const double number = numberArgument(step); std::floor(number) != number)
        return Error{info->field.name + " is increased by whole numbers only", {}, {}};
    FieldInfo whole;
    whole.type = FieldType::Int;
    const Result<Value> parsed = whole.parse(step);
    const auto now = std::get<std::int64_t>(current);
    const std::int64_t added = parsed ? std::get<std::int64_t>(*parsed) : 0;
    using Limits = std::numeric_limits<std::int64_t>;
    if (!parsed || (added > 0 ? now > Limits::max() - added : now < Limits::min() - added))
        return Error{
            info->field.name + ": the sum is out of range; expected " + info->field.expectation(), {}, {}};
    return setAndTell(context, *info, now + added);
}

Result<void> Console::Builtins::alias(CommandContext& context, const CommandArguments& arguments) {
    Console& console = context.console();
    if (arguments.empty()) {
        std::vector<Row> rows;
        for (const auto& [name, text] : console.aliases())
            rows.push_back({name, console.masked(text), {}});
        if (rows.empty())
            context.print("there are no aliases");
        printTable(context, rows);
        return {};
    }
    const std::string& name = arguments.front();
    if (arguments.size() == 1) {
        const auto text = console.aliasText(name);
        if (!text)
            return Error{
                "there is no alias " + named(name) + "; expected alias NAME LINE to make it", {}, {}};
        context.print(name + " is an alias for: " + console.masked(*text));
        return {};
    }
    return console.setAlias(name, unquotedWhole(arguments[1]), context.origin().place.empty(), context.reach());
}

Result<void> Console::Builtins::bind(CommandContext& context, const CommandArguments& arguments) {
    Console& console = context.console();
    if (arguments.empty()) {
        std::vector<Row> rows;
        for (const KeyBinding& binding : console.bindings())
            rows.push_back({binding.keys, console.masked(binding.line), {}});
        if (rows.empty())
            context.print("no key is bound");
        printTable(context, rows);
        return {};
    }
    if (arguments.size() == 1) {
        const Result<std::string> keys = keyName(arguments.front());
        if (!keys)
            return keys.error();
        for (const KeyBinding& binding : console.bindings())
            if (binding.keys == *keys) {
                context.print(*keys + " runs: " + console.masked(binding.line));
                return {};
            }
        return Error{*keys + " is bound to no line; expected bind KEY LINE to bind it", {}, {}};
    }
    const std::string line = unquotedWhole(arguments[1]);
    if (line.empty())
        return Error{"there is no line to bind; unbind frees a key", {}, {}};
    return console.bind(arguments.front(), line, context.origin().place.empty(), context.reach());
}

Result<void> Console::Builtins::unalias(CommandContext& context, const CommandArguments& arguments) {
    Console& console = context.console();
    forgetSecrets(console);
    const std::lock_guard lock(console.m_mutex);
    if (!takeOut(console.m_aliases, arguments.front(), context.origin().place.empty()))
        return Error{"there is no alias " + named(arguments.front()), {}, {}};
    return {};
}

} // namespace sbx
