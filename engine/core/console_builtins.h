#pragma once
// The console's own commands, and what they and setting by name share; private to engine/core.

#include "engine/core/console.h"

namespace sbx {

inline constexpr CVarFlags AllCVarFlags[] = {CVarFlags::Archive,   CVarFlags::Cheat,   CVarFlags::ReadOnly,
                                             CVarFlags::Hidden,    CVarFlags::Latched, CVarFlags::Replicated,
                                             CVarFlags::Protected, CVarFlags::Notify};

struct Console::Builtins {
    static void add(Console& console);
    // Removes from the kept ones all aliases and bindings that contain a secret: for before an alias changes or a command takes its name, after
    // which the same line may look harmless.
    static void forgetSecrets(Console& console);

private:
    static Result<void> help(CommandContext& context, const CommandArguments& arguments);
    static Result<void> find(CommandContext& context, const CommandArguments& arguments);
    static Result<void> list(CommandContext& context, const CommandArguments& arguments);
    static Result<void> differences(CommandContext& context, const CommandArguments& arguments);
    static Result<void> reset(CommandContext& context, const CommandArguments& arguments);
    static Result<void> toggle(CommandContext& context, const CommandArguments& arguments);
    static Result<void> increase(CommandContext& context, const CommandArguments& arguments);
    static Result<void> alias(CommandContext& context, const CommandArguments& arguments);
    static Result<void> unalias(CommandContext& context, const CommandArguments& arguments);
    static Result<void> bind(CommandContext& context, const CommandArguments& arguments);
    static Result<void> dumpLog(CommandContext& context, const CommandArguments& arguments);
    static Result<void> exec(CommandContext& context, const CommandArguments& arguments);
    static Result<CVarInfo> cvar(Console& console, const std::string& name);

    // Completers (console_completion.cpp).
    using Offers = std::vector<CompletionCandidate>;
    static bool completeList(const Console& console, CommandTyping& typing, Offers& out);
    static bool completeToggle(const Console& console, CommandTyping& typing, Offers& out);
    // The line that stands behind a first word, in quotes or bare.
    static bool completeKeptLine(const Console& console, CommandTyping& typing, Offers& out);
    // All CVars, commands or aliases.
    static void offerNames(const Console& console, CompletionKind kind, Offers& out);
    // Those that are bound.
    static bool offerKeys(const Console& console, Offers& out);
};

// Sets or resets the CVar that is `before` now. If the line was typed, the reply records for undo what it changed: of other CVars too
// (cheats, where their switch is turned off). Secrets are left out.
Result<CVarOutcome> changeCVar(CommandContext& context, const CVarInfo& before,
                               const std::function<Result<CVarOutcome>()>& set);

// Prints the value of a CVar that was set.
void printOutcome(CommandContext& context, const CVarInfo& before, CVarOutcome outcome);

} // namespace sbx
