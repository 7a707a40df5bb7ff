#include "engine/core/console_builtins.h"
#include "engine/core/console_message.h"
#include "engine/core/match.h"

#include <algorithm>
#include <filesystem>

namespace sbx {

namespace {

using Ranked = std::vector<std::pair<int, CompletionCandidate>>;

void offer(Ranked& out, std::string_view typed, const std::string& name, CompletionCandidate candidate) {
    const MatchRank rank = matchRank(typed, name);
    if (rank != MatchRank::None)
        out.emplace_back(completionOrder(rank), std::move(candidate));
}

// Also by a word of its explanation.
void offerExplained(Ranked& out, std::string_view typed, CompletionCandidate candidate) {
    const MatchRank rank = matchRank(typed, candidate.text);
    if (rank >= MatchRank::Fuzzy && beginsAWord(typed, candidate.doc) != std::string_view::npos)
        out.emplace_back(completionOrder(MatchRank::None), std::move(candidate));
    else if (rank != MatchRank::None)
        out.emplace_back(completionOrder(rank), std::move(candidate));
}

// Numbers by their value: crate_2 before crate_10.
bool comesBefore(std::string_view a, std::string_view b) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return a[i] < b[j];
            ++i;
            ++j;
            continue;
        }
        const auto number = [&](std::string_view text, std::size_t& at) {
            const std::size_t begin = std::min(text.find_first_not_of('0', at), text.size());
            for (at = begin; at < text.size() && isDigit(text[at]); ++at) {}
            return text.substr(begin, at - begin); // without leading zeros
        };
        const std::string_view left = number(a, i);
        const std::string_view right = number(b, j);
        if (left != right)
            return left.size() != right.size() ? left.size() < right.size() : left < right;
    }
    if ((i < a.size()) != (j < b.size()))
        return i == a.size();
    return a < b; // alike but for zeros
}

// Of whole characters; case matters.
std::string sharedPrefix(std::string_view a, std::string_view b) {
    std::size_t length = 0;
    while (length < a.size() && length < b.size() && a[length] == b[length])
        ++length;
    while (length > 0 && length < a.size() && (static_cast<unsigned char>(a[length]) & 0xC0U) == 0x80U)
        --length;
    return std::string(a.substr(0, length));
}

// What Tab may put in place of `typed`: what all that begin so share, or the one that clearly fits best.
std::string commonPrefix(const Ranked& ranked, std::string_view typed) {
    std::string shared;
    bool any = false;
    for (const auto& [rank, candidate] : ranked)
        if (rank <= completionOrder(MatchRank::Prefix)) {
            shared = any ? sharedPrefix(shared, candidate.text) : candidate.text;
            any = true;
        }
    const auto alone = [&] {
        return ranked.size() == 1 || (ranked.size() > 1 && ranked[0].first < ranked[1].first);
    };
    if (!any)
        return ranked.empty() || !alone() ? std::string(typed) : ranked.front().second.text;
    // Names that differ in case may share less than was typed.
    return shared.size() < typed.size() && ranked.size() > 1 ? std::string(typed) : shared;
}

// Commands whose arguments are a line.
bool holdsALine(std::string_view command) {
    return command == "on" || command == "alias" || command == "bind";
}

std::string shown(const CVarInfo& cvar) {
    if (has(cvar.flags, CVarFlags::Protected))
        return cvar.shown();
    const auto text = [&](const Value& value) {
        const std::string bare = cvar.field.format(value);
        return cvar.field.unit.empty() ? bare : bare + " " + cvar.field.unit;
    };
    return cvar.isDefault() ? text(cvar.value)
                            : text(cvar.value) + ", default " + text(cvar.field.defaultValue);
}

} // namespace

void Console::completeNames(std::string_view typed, bool cvarsOnly, bool withCommands, Ranked& out) const {
    for (const CVarInfo& info : m_cvars.list())
        offerExplained(out, typed, {info.field.name, shown(info), info.field.doc, CompletionKind::CVar});
    if (cvarsOnly)
        return;
    if (withCommands)
        for (const auto& command : m_commands.list()) {
            const std::string usage = command->usage();
            offerExplained(
                out, typed,
                {command->name,
                 usage.size() > command->name.size() ? usage.substr(command->name.size() + 1) : std::string(),
                 command->doc, CompletionKind::Command});
        }
    for (const auto& [name, text] : aliases())
        offer(out, typed, name, {name, masked(text), "An alias.", CompletionKind::Alias});
}

void Console::completeValue(const CVarInfo& cvar, std::string_view typed, Ranked& out) const {
    const FieldInfo& field = cvar.field;
    if (has(cvar.flags, CVarFlags::Protected))
        return;
    const auto note = [&](const Value& value) {
        return std::string(value == cvar.value ? "now" : "")
               + (value == cvar.value && value == field.defaultValue ? ", " : "")
               + (value == field.defaultValue ? "default" : "");
    };
    if (field.type == FieldType::Bool) {
        for (const bool value : {true, false})
            offer(out, typed, field.format(value),
                  {field.format(value), note(value), field.doc, CompletionKind::Choice});
    } else if (field.type == FieldType::Enum) {
        for (const std::string& choice : field.choices)
            offer(out, typed, choice,
                  {consoleWord(choice), note(Value(choice)), field.doc, CompletionKind::Choice});
    } else {
        const bool isText = field.type == FieldType::String;
        for (const Value* value : {&cvar.value, &field.defaultValue}) {
            if (value == &field.defaultValue && cvar.isDefault())
                continue;
            const std::string text = field.format(*value);
            offer(out, typed, text,
                  {isText ? consoleWord(text) : text, note(*value), field.doc, CompletionKind::Choice});
        }
    }
    if (field.role != TextRole::Plain)
        for (const std::string& name : providedNames(field.role))
            offer(out, typed, name, {consoleWord(name), {}, {}, CompletionKind::Choice});
}

void Console::completeArgument(const CommandParameter& parameter, std::string_view typed, Ranked& out) const {
    const auto provided = [&](TextRole role, CompletionKind kind) {
        for (const std::string& name : providedNames(role))
            offer(out, typed, name, {consoleWord(name), {}, {}, kind});
    };
    switch (parameter.type) {
    case ArgumentType::Boolean:
        for (const char* value : {"true", "false"})
            offer(out, typed, value, {value, {}, parameter.doc, CompletionKind::Choice});
        break;
    case ArgumentType::Entity:
        provided(TextRole::EntityName, CompletionKind::Entity);
        if (m_selection && typed.starts_with(SelectionWord.front()))
            offer(out, typed, std::string(SelectionWord),
                  {std::string(SelectionWord), {}, "Each entity that is selected.", CompletionKind::Choice});
        if (typed.starts_with(MessageWord.front()) && m_commands.find(MessageCommand))
            for (const char* end : {".receiver", ".sender"})
                offer(out, typed, std::string(MessageWord) + end,
                      {std::string(MessageWord) + end,
                       {},
                       "Of the message that is selected in the trace.",
                       CompletionKind::Choice});
        break;
    case ArgumentType::EntityType:
        provided(TextRole::EntityType, CompletionKind::EntityType);
        break;
    case ArgumentType::MessageType:
        provided(TextRole::MessageType, CompletionKind::MessageType);
        break;
    case ArgumentType::Asset:
        provided(TextRole::AssetPath, CompletionKind::Asset);
        break;
    case ArgumentType::File:
        completeFile(typed, out);
        break;
    case ArgumentType::Name:
        completeNames(typed, false, true, out);
        break;
    case ArgumentType::CVar:
        completeNames(typed, true, false, out);
        break;
    default:
        break;
    }
    for (const std::string& choice : parameter.choices)
        offer(out, typed, choice, {consoleWord(choice), {}, parameter.doc, CompletionKind::Choice});
}

bool Console::completeByCommand(const Command& command, const ConsoleStage& stage, std::string_view head,
                                bool fresh, Completion& completion, Ranked& out) const {
    if (!command.completer)
        return false;
    CommandTyping typing;
    for (const ConsoleWord& word : stage.words)
        typing.words.push_back(word.text);
    if (!fresh) {
        typing.typed = std::move(typing.words.back());
        typing.words.pop_back();
    }
    typing.rest = head.substr(std::min(stage.restBegin, head.size()));
    const std::size_t wordAt = fresh ? typing.rest.size() : stage.words.back().begin - stage.restBegin;
    typing.replaceFrom = wordAt;
    std::vector<CompletionCandidate> candidates;
    if (!command.completer(typing, candidates))
        return false;
    const std::size_t from = std::min(typing.replaceFrom, typing.rest.size());
    const std::string typed = from == wordAt ? typing.typed : std::string(typing.rest.substr(from));
    completion.replaceFrom = head.size() - typing.rest.size() + from;
    for (CompletionCandidate& candidate : candidates) {
        const std::string text = unquotedWhole(candidate.text);
        offer(out, typed, text, std::move(candidate));
    }
    return true;
}

void Console::completeFile(std::string_view typed, Ranked& out) const {
    namespace fs = std::filesystem;
    constexpr std::size_t MaxFiles = 5000; // a huge folder must not stop the one who types
    const std::size_t slash = typed.rfind('/');
    const std::string folderTyped(slash == std::string_view::npos ? std::string_view()
                                                                  : typed.substr(0, slash + 1));
    const std::string_view nameTyped = slash == std::string_view::npos ? typed : typed.substr(slash + 1);
    fs::path folder(folderTyped);
    if (folder.is_relative())
        folder = fs::path(baseFolder().empty() ? "." : baseFolder()) / folder;
    std::error_code failure;
    std::size_t seen = 0;
    for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, failure), end;
         !failure && it != end && seen < MaxFiles; it.increment(failure), ++seen) {
        const std::string name = it->path().filename().string();
        if (name.starts_with('.') && !nameTyped.starts_with('.'))
            continue;
        std::error_code ignored;
        const bool isFolder = it->is_directory(ignored);
        if (!isFolder && !it->is_regular_file(ignored))
            continue;
        offer(out, nameTyped, name,
              {consoleWord(folderTyped + name + (isFolder ? "/" : "")),
               isFolder ? "folder" : "",
               {},
               CompletionKind::File});
    }
}

bool Console::Builtins::completeList(const Console& console, CommandTyping& typing, Offers& out) {
    constexpr std::pair<const char*, CompletionKind> Kinds[] = {{"cvars", CompletionKind::CVar},
                                                                {"commands", CompletionKind::Command},
                                                                {"aliases", CompletionKind::Alias}};
    if (typing.words.empty()) {
        for (const char* kind : {"cvars", "commands", "aliases", "bindings"})
            out.push_back({kind, {}, {}, CompletionKind::Choice});
        const std::lock_guard lock(console.m_mutex);
        for (const auto& [kind, listing] : console.m_listings)
            out.push_back({kind, {}, {}, CompletionKind::Choice});
        return true;
    }
    CommandCompleter completer;
    {
        const std::lock_guard lock(console.m_mutex);
        if (const auto it = console.m_listings.find(typing.words[0]); it != console.m_listings.end())
            completer = it->second.second;
    }
    if (completer)
        return completer(typing, out);
    for (const auto& [name, kind] : Kinds)
        if (typing.words[0] == name)
            offerNames(console, kind, out);
    if (typing.words[0] == "cvars")
        for (const CVarFlags flag : AllCVarFlags)
            out.push_back({cvarFlagNames(flag), {}, "CVars with this flag.", CompletionKind::Choice});
    return typing.words[0] == "bindings" ? offerKeys(console, out) : !out.empty();
}

bool Console::Builtins::completeToggle(const Console& console, CommandTyping& typing, Offers& out) {
    if (typing.words.empty())
        return false;
    Ranked values;
    if (const auto cvar = console.m_cvars.describe(typing.words[0]))
        console.completeValue(*cvar, {}, values);
    for (auto& [rank, value] : values)
        out.push_back(std::move(value));
    return true;
}

bool Console::Builtins::completeKeptLine(const Console& console, CommandTyping& typing, Offers& out) {
    const std::string_view rest = typing.rest;
    std::size_t begin = std::min(rest.find_first_of(" \t"), rest.size());
    begin = std::min(rest.find_first_not_of(" \t", begin), rest.size());
    const bool quoted = begin < rest.size() && rest[begin] == '"';
    begin += quoted ? 1 : 0;
    const std::string_view line = rest.substr(begin);
    // Quotes within quotes are not looked into, nor are lines within lines, which could go on for ever: completeLine() sees to it for
    // those that an alias begins.
    if ((quoted && line.find_first_of("\\\"") != std::string_view::npos)
        || holdsALine(parseConsoleLine(line).last.name))
        return true;
    Completion found = console.complete(line, line.size());
    typing.replaceFrom = begin + found.replaceFrom;
    out = std::move(found.candidates);
    if (quoted)
        std::erase_if(out, [](const CompletionCandidate& candidate) {
            return candidate.text.find_first_of("\\\"") != std::string::npos;
        });
    return true;
}

void Console::Builtins::offerNames(const Console& console, CompletionKind kind, Offers& out) {
    Ranked names;
    console.completeNames({}, kind == CompletionKind::CVar, true, names);
    for (auto& [rank, name] : names)
        if (name.kind == kind)
            out.push_back(std::move(name));
}

bool Console::Builtins::offerKeys(const Console& console, Offers& out) {
    for (const KeyBinding& binding : console.bindings())
        out.push_back({binding.keys, {}, console.masked(binding.line), CompletionKind::Choice});
    return true;
}

Completion Console::complete(std::string_view text, std::size_t cursor) const {
    constexpr int MaxAliases = 4; // of aliases
    return completeLine(text.substr(0, std::min({cursor, text.size(), LongestLine})), MaxAliases);
}

Completion Console::completeLine(std::string_view head, int aliases) const {
    Completion completion;
    completion.replaceFrom = head.size();
    const ConsoleLine line = parseConsoleLine(head);
    if (line.inComment)
        return completion;
    ConsoleStage stage = line.last;
    Ranked ranked;
    const bool spaceBefore = !head.empty() && (head.back() == ' ' || head.back() == '\t') && !line.quoteOpen;
    const bool isAddress = stage.nameBegin < head.size() && head[stage.nameBegin] == '@';
    if (stage.form == ConsoleStage::Form::Words && stage.nameEnd == head.size() && !isAddress) {
        completion.replaceFrom = stage.nameBegin;
        completeNames(stage.name, false, true, ranked);
    } else if (const auto cvar = m_cvars.describe(stage.name)) {
        stage = asAssignment(std::move(stage));
        if (stage.form != ConsoleStage::Form::Bar && (stage.rest.empty() || !spaceBefore)) {
            completion.replaceFrom = stage.rest.empty() ? head.size() : stage.restBegin;
            completeValue(*cvar,
                          line.quoteOpen && !stage.words.empty() ? stage.words.front().text : stage.rest,
                          ranked);
        }
    } else if (const auto command = m_commands.find(stage.name)) {
        const bool fresh = stage.words.empty() || spaceBefore;
        const std::size_t position = fresh ? stage.words.size() : stage.words.size() - 1;
        if (!fresh)
            completion.replaceFrom = stage.words.back().begin;
        if (const CommandParameter* parameter = command->parameterAt(position);
            parameter != nullptr && stage.form != ConsoleStage::Form::Assignment
            && !completeByCommand(*command, stage, head, fresh, completion, ranked))
            completeArgument(*parameter,
                             fresh ? std::string_view() : std::string_view(stage.words.back().text), ranked);
    } else if (const auto alias = aliases > 0 ? aliasText(stage.name) : std::nullopt) {
        // What it stands for, with what is typed behind it.
        const std::string meaning = *alias + " ";
        const std::size_t from = stage.rest.empty() ? head.size() : stage.restBegin;
        const std::string whole = meaning + std::string(head.substr(from));
        if (holdsALine(parseConsoleLine(whole).last.name))
            return completion;
        Completion meant = completeLine(whole, aliases - 1);
        if (meant.replaceFrom < meaning.size())
            return completion;
        meant.replaceFrom = meant.replaceFrom - meaning.size() + from;
        return meant;
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : comesBefore(a.second.text, b.second.text);
    });

    completion.commonPrefix = commonPrefix(ranked, head.substr(completion.replaceFrom));
    for (auto& [rank, candidate] : ranked) {
        if (completion.candidates.size() == MaxCandidates)
            break;
        completion.candidates.push_back(std::move(candidate));
    }
    return completion;
}

} // namespace sbx
