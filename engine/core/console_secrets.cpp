// Lines as they may be shown: without the values of protected CVars.

#include "engine/core/console_builtins.h"

namespace sbx {

namespace {
constexpr int DeepestMask = 4;      // lines within lines
constexpr int MaxLookedInto = 200;  // aliases of one line: who types waits for this
} // namespace

struct Console::Masking {
    int aliases = MaxLookedInto;                           // that may still be looked into
    std::map<std::string, std::string, std::less<>> given; // by the line itself, before they are used
};

std::string Console::masked(std::string_view line) const {
    Masking masking;
    return masked(line, masking, DeepestMask);
}

// `depth`: how many lines within lines are looked into; what lies deeper is hidden whole.
std::string Console::masked(std::string_view text, Masking& masking, int depth) const {
    if (depth == 0)
        return "***";
    struct Replacement {
        std::size_t begin;
        std::size_t length;
        std::string text;
    };
    std::vector<Replacement> replacements;
    const auto isSecret = [this](const std::string& name) {
        const std::optional<CVarInfo> cvar = m_cvars.describe(name);
        return cvar && has(cvar->flags, CVarFlags::Protected);
    };
    const auto meaningOf = [&](const std::string& name) -> std::optional<std::string> {
        const auto given = masking.given.find(name);
        return given == masking.given.end() ? aliasText(name) : given->second;
    };
    // What stands behind an alias goes behind its line: a secret, if that masks it or more than the line alone.
    const auto isSecretBehind = [&](const std::string& alias, const std::string& rest) {
        if (masking.aliases-- <= 0)
            return true;
        return masked(alias + " " + rest, masking, depth - 1)
               != masked(alias, masking, depth - 1) + " " + rest;
    };
    // A line that runs later gives aliases their meaning later.
    const auto maskedWithin = [&](std::string_view line) {
        auto given = masking.given;
        std::string hidden = masked(line, masking, depth - 1);
        masking.given = std::move(given);
        return hidden;
    };
    for (const ConsoleStatement& statement : parseConsoleLine(text.substr(0, LongestLine)).statements)
        for (const ConsoleStage& stage : statement.stages) {
            if (isSecret(stage.name) && !stage.rest.empty()) {
                replacements.push_back({stage.restBegin, stage.rest.size(), "***"});
                continue;
            }
            const bool isCommand = m_commands.find(stage.name) != nullptr;
            if (const auto alias = isCommand || stage.rest.empty() ? std::nullopt : meaningOf(stage.name)) {
                if (stage.rest != "***" && isSecretBehind(*alias, stage.rest))
                    replacements.push_back({stage.restBegin, stage.rest.size(), "***"});
                continue;
            }
            if (stage.words.size() < 2)
                continue;
            const std::size_t begin = stage.words[1].begin;
            const std::size_t length = stage.restBegin + stage.rest.size() - begin;
            const std::string_view behind = text.substr(begin, length);
            if (stage.name == "on") {
                replacements.push_back({begin, length, maskedWithin(behind)});
            } else if (stage.name == "alias" || stage.name == "bind") {
                const std::string line = unquotedWhole(behind);
                if (std::string hidden = maskedWithin(line); hidden != line)
                    replacements.push_back(
                        {begin, length, line.size() < length ? inQuotes(hidden) : std::move(hidden)});
                if (stage.name == "alias")
                    masking.given.insert_or_assign(stage.words[0].text, line);
            } else if (stage.name == "toggle" && isSecret(stage.words[0].text)) {
                replacements.push_back({begin, length, "***"});
            }
        }
    std::string out(text);
    for (auto it = replacements.rbegin(); it != replacements.rend(); ++it)
        out.replace(it->begin, it->length, it->text);
    return out;
}

void Console::Builtins::forgetSecrets(Console& console) {
    const auto tellsOne = [&console](const std::string& line) { return console.masked(line) != line; };
    std::vector<std::string> names;
    for (const auto& [name, line] : console.aliasList(true))
        if (tellsOne(line))
            names.push_back(name);
    std::vector<std::string> keys;
    for (const KeyBinding& binding : console.bindings(true))
        if (tellsOne(binding.line))
            keys.push_back(binding.keys);
    const std::lock_guard lock(console.m_mutex);
    const auto forget = [](KeptLines& lines, const std::string& name) {
        if (const auto entry = lines.find(name); entry != lines.end()) {
            entry->second.kept = false;
            entry->second.covered.clear();
        }
    };
    for (const std::string& name : names)
        forget(console.m_aliases, name);
    for (const std::string& key : keys)
        forget(console.m_bindings, key);
}

} // namespace sbx
