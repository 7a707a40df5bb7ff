// Taking back what was set by typing.

#include "engine/core/console.h"

namespace sbx {

namespace {
constexpr auto Typed = static_cast<std::size_t>(CVarSource::Console);
}

void CommandContext::changed(const CVarInfo& before) {
    if (m_source != CVarSource::Console || !m_origin.place.empty() || has(before.flags, CVarFlags::Protected))
        return;
    const std::optional<CVarInfo> after = m_console.cvars().describe(before.field.name);
    if (!after || after->layers[Typed] == before.layers[Typed])
        return;
    const auto side = [](const CVarInfo& info) {
        const bool holds = info.layers[Typed].has_value(); // no source is above it
        return CVarStep::Side{info.layers[Typed], holds ? info.origin : CVarOrigin()};
    };
    m_steps.push_back({before.field.name, side(before), side(*after)});
}

void Console::undo(const std::vector<CVarStep>& steps) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
        restore(step->name, step->before, "undone");
}

void Console::redo(const std::vector<CVarStep>& steps) {
    for (const CVarStep& step : steps)
        restore(step.name, step.after, "redone");
}

void Console::restore(const std::string& name, const CVarStep::Side& side, const char* how) {
    const Result<CVarOutcome> outcome =
        side.value ? m_cvars.setValue(name, *side.value, CVarSource::Console, side.origin)
                   : m_cvars.reset(name);
    if (!outcome)
        m_log.error(m_channel, outcome.error().message);
    else if (const std::optional<CVarInfo> now = m_cvars.describe(name))
        m_log.info(m_channel, name + " = " + now->shown(now->pending.value_or(now->value)) + " (" + how
                                  + (now->pending ? ", from the next start)" : ")"));
}

} // namespace sbx
