// Taking back what was set by typing.

#include "engine/core/console_builtins.h"

#include <algorithm>
#include <iterator>

namespace sbx {

Result<CVarOutcome> changeCVar(CommandContext& context, const CVarInfo& before,
                               const std::function<Result<CVarOutcome>()>& set) {
    if (context.source() != CVarSource::Console || !context.origin().place.empty())
        return set();
    const std::vector<CVarInfo> all = context.console().lineCVars().list(true);
    Result<CVarOutcome> outcome = set();
    if (!outcome)
        return outcome;
    // The named one last: taken back first, it lets the others be set again.
    for (const CVarInfo& other : all)
        if (other.field.name != before.field.name)
            context.changed(other, CVarStep::Cause::Making);
    context.changed(before);
    return outcome;
}

namespace {

// What two states of one CVar differ in; nothing: they are the same.
std::optional<CVarStep> stepBetween(const CVarInfo& before, const CVarInfo& after, CVarStep::Cause cause) {
    CVarStep step{before.field.name, {}, {}, cause};
    const auto layer = [](const CVarInfo& info, std::size_t i) {
        return CVarLayer{static_cast<CVarSource>(i), info.layers[i],
                         info.layers[i] ? info.origins[i] : CVarOrigin()};
    };
    for (std::size_t i = 1; i < CVarSourceCount; ++i) // above the default
        if (after.layers[i] != before.layers[i]) {
            step.before.push_back(layer(before, i));
            step.after.push_back(layer(after, i));
        }
    return step.before.empty() ? std::nullopt : std::optional(std::move(step));
}

} // namespace

void CommandContext::changed(const CVarInfo& before, CVarStep::Cause cause) {
    if (m_source != CVarSource::Console || !m_origin.place.empty() || has(before.flags, CVarFlags::Protected))
        return;
    if (const std::optional<CVarInfo> after = m_console.lineCVars().describe(before.field.name))
        if (auto step = stepBetween(before, *after, cause))
            m_steps.push_back(std::move(*step));
}

void Console::undo(std::vector<CVarStep>& steps) { restore(steps, true); }

void Console::redo(std::vector<CVarStep>& steps) { restore(steps, false); }

void Console::restore(std::vector<CVarStep>& steps, bool undo) {
    using Cause = CVarStep::Cause;
    const Cause brought = undo ? Cause::TakingBack : Cause::Making;
    const char* const how = undo ? "undone" : "redone";
    std::vector<CVarStep> restored;
    if (undo)
        std::reverse(steps.begin(), steps.end());
    for (CVarStep& step : steps) {
        if (step.cause == brought)
            continue; // comes about by itself
        const std::vector<CVarInfo> all = m_cvars.list(true);
        if (const auto outcome = m_cvars.setLayers(step.name, undo ? step.before : step.after); !outcome)
            m_log.error(m_channel, outcome.error().message);
        else if (const std::optional<CVarInfo> now = m_cvars.describe(step.name))
            m_log.info(m_channel, step.name + " = " + now->shown(now->pending.value_or(now->value)) + " ("
                                      + how + (now->pending ? std::string(", ") + LatchedUntil : "") + ")");
        // In the order in which the reverse makes them: what this brought about is brought back after it.
        std::vector<CVarStep> others;
        for (const CVarInfo& info : all) {
            if (info.field.name == step.name || has(info.flags, CVarFlags::Protected))
                continue;
            const std::optional<CVarInfo> now = m_cvars.describe(info.field.name);
            if (!now)
                continue;
            if (auto other = undo ? stepBetween(*now, info, brought) : stepBetween(info, *now, brought))
                others.push_back(std::move(*other));
        }
        std::move(others.begin(), others.end(), std::back_inserter(restored));
        restored.push_back(std::move(step));
    }
    if (undo)
        std::reverse(restored.begin(), restored.end());
    steps = std::move(restored);
}

} // namespace sbx
