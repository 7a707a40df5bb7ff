// Taking back what was set by typing.

#include "engine/core/console_builtins.h"

namespace sbx {

Result<CVarOutcome> changeCVar(CommandContext& context, const CVarInfo& before,
                               const std::function<Result<CVarOutcome>()>& set) {
    if (context.source() != CVarSource::Console || !context.origin().place.empty())
        return set();
    const std::vector<CVarInfo> all = context.console().cvars().list(true);
    Result<CVarOutcome> outcome = set();
    if (!outcome)
        return outcome;
    // The named one last: taken back first, it lets the others be set again.
    for (const CVarInfo& other : all)
        if (other.field.name != before.field.name)
            context.changed(other);
    context.changed(before);
    return outcome;
}

void CommandContext::changed(const CVarInfo& before) {
    if (m_source != CVarSource::Console || !m_origin.place.empty() || has(before.flags, CVarFlags::Protected))
        return;
    const std::optional<CVarInfo> after = m_console.cvars().describe(before.field.name);
    if (!after)
        return;
    CVarStep step{before.field.name, {}, {}};
    const auto layer = [](const CVarInfo& info, std::size_t i) {
        return CVarLayer{static_cast<CVarSource>(i), info.layers[i],
                         info.layers[i] ? info.origins[i] : CVarOrigin()};
    };
    for (std::size_t i = 1; i < CVarSourceCount; ++i) // above the default
        if (after->layers[i] != before.layers[i]) {
            step.before.push_back(layer(before, i));
            step.after.push_back(layer(*after, i));
        }
    if (!step.before.empty())
        m_steps.push_back(std::move(step));
}

void Console::undo(const std::vector<CVarStep>& steps) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
        restore(step->name, step->before, "undone");
}

void Console::redo(const std::vector<CVarStep>& steps) {
    for (const CVarStep& step : steps)
        restore(step.name, step.after, "redone");
}

void Console::restore(const std::string& name, const std::vector<CVarLayer>& layers, const char* how) {
    if (const Result<CVarOutcome> outcome = m_cvars.setLayers(name, layers); !outcome)
        m_log.error(m_channel, outcome.error().message);
    else if (const std::optional<CVarInfo> now = m_cvars.describe(name))
        m_log.info(m_channel, name + " = " + now->shown(now->pending.value_or(now->value)) + " (" + how
                                  + (now->pending ? ", from the next start)" : ")"));
}

} // namespace sbx
