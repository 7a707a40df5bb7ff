// The console's side of targets: `on` runs a line in another world of the session, `list targets` shows which there are.

#include "engine/commands/console_commands.h"
#include "engine/core/match.h"
#include "engine/core/nearest.h"
#include "engine/session/console_targets.h"
#include "engine/session/session.h"

#include <algorithm>

namespace sbx {

namespace {

Result<void> runOn(const ConsoleTargets& targets, CommandContext& context, const CommandArguments& arguments) {
    const std::string& name = arguments[0];
    const std::vector<ConsoleTarget> list = targets.list();
    bool found = false;
    for (const ConsoleTarget& target : list) {
        if (target.name != name && name != ConsoleTargets::All)
            continue;
        found = true;
        if (target.run)
            target.run(arguments[1], context.reach());
        else
            context.runNext(arguments[1], context.origin().place, context.scriptFolder());
    }
    if (found)
        return {};
    std::vector<std::string> names = targets.names();
    names.emplace_back(ConsoleTargets::All);
    std::string known;
    for (const std::string& each : names)
        known += (known.empty() ? "" : ", ") + each;
    const std::string near = nearestName(name, names);
    return Error{inQuotes(name) + " is no target"
                     + (near.empty() ? "; expected one of " + known : "; did you mean " + near + "?"),
                 {},
                 {}};
}

bool completeOn(Session& session, CommandTyping& typing, std::vector<CompletionCandidate>& out) {
    if (typing.words.empty()) {
        const std::vector<ConsoleTarget> list = session.targets().list();
        for (const ConsoleTarget& target : list)
            out.push_back({target.name, {}, target.doc, CompletionKind::Choice});
        if (list.size() > 1)
            out.push_back({std::string(ConsoleTargets::All), {}, "Every one of them.", CompletionKind::Choice});
        return true;
    }
    const std::size_t from = std::min(typing.rest.find_first_of(" \t"), typing.rest.size());
    const std::string_view line = typing.rest.substr(from);
    // One address is enough; a chain of them would be completed one inside the other.
    if (const std::size_t begin = line.find_first_not_of(" \t"); begin != std::string_view::npos
                                                                 && (line[begin] == '@' || line.substr(begin).starts_with("on ")))
        return true;
    Completion found = session.console().complete(line, line.size());
    typing.replaceFrom = from + found.replaceFrom;
    out = std::move(found.candidates);
    return true;
}

} // namespace

void addTargetCommands(Session& session) {
    Console& console = session.console();
    console.commands().add(
        "on", "Runs a line in the world of your choice; @TARGET LINE is short for it.",
        {{.name = "target", .doc = "The name of a world, or all."},
         {.name = "line", .doc = "What to run there, to the end of the statement.", .type = ArgumentType::Rest}},
        [&session](CommandContext& context, const CommandArguments& arguments) {
            return runOn(session.targets(), context, arguments);
        },
        [&session](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            return completeOn(session, typing, out);
        });
    console.setListing("targets", [&session](CommandContext& context, std::string_view filter) -> Result<void> {
        bool any = false;
        for (const ConsoleTarget& target : session.targets().list())
            if (filter.empty() || containsText(target.name, filter)) {
                context.print(target.name + "  " + target.doc);
                any = true;
            }
        if (!any)
            context.print("none");
        return {};
    });
}

} // namespace sbx
