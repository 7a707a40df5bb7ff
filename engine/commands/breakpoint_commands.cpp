// The console's side of message breakpoints.

#include "engine/commands/completion.h"
#include "engine/commands/console_commands.h"
#include "engine/session/breakpoints.h"
#include "engine/session/session.h"

#include <charconv>

namespace sbx {

namespace {

std::string line(const Breakpoint& breakpoint) {
    return std::to_string(breakpoint.number) + "  " + breakpoint.filter.text() + "  "
           + std::to_string(breakpoint.hits) + (breakpoint.hits == 1 ? " hit" : " hits");
}

void printAll(const Breakpoints& breakpoints, CommandContext& context, std::string_view filter) {
    bool any = false;
    for (const Breakpoint& breakpoint : breakpoints.list())
        if (filter.empty() || containsText(breakpoint.filter.text(), filter)) {
            context.print(line(breakpoint));
            any = true;
        }
    if (!any)
        context.print("none");
}

// Any thread: a schema of its own, and names from the snapshot.
bool completeBreak(const Session& session, const NameTable& names, CommandTyping& typing,
                   std::vector<CompletionCandidate>& out) {
    const RecordFilterSchema schema(names, [](std::uint8_t) { return std::string_view(); }, session.snapshot()->tickRate);
    const auto frame = session.snapshot();
    const FilterCompletion found = completeFilter(
        typing.rest, typing.rest.size(), schema.schema(),
        [&](const FilterField& field, std::string_view) {
            std::vector<std::string> values;
            if (field.name == "type")
                for (const MessageType* type : messageTypes())
                    values.push_back(type->name);
            else if ((field.name == "sender" || field.name == "receiver" || field.name == "entity") && frame->entities)
                for (const EntityRow& row : frame->entities->rows)
                    values.push_back(row.name);
            else if (field.name == "consumedBy" || field.name == "handlers.component" || field.name == "notReached")
                values = session.catalog().schema.names();
            return values;
        },
        [&schema](const FilterField& field, const std::vector<FilterDemand>& demands) {
            return schema.canHave(field, demands);
        });
    offerFilter(found, 0, typing, out);
    return true;
}

Result<void> remove(Breakpoints& breakpoints, const CommandArguments& arguments) {
    for (const std::string& argument : arguments) {
        if (argument == "all") {
            breakpoints.clear();
            continue;
        }
        if (argument == "last" && !breakpoints.list().empty()) {
            breakpoints.remove(breakpoints.list().back().number);
            continue;
        }
        int number = 0;
        const char* const end = argument.data() + argument.size();
        if (std::from_chars(argument.data(), end, number).ptr != end || !breakpoints.remove(number))
            return Error{"there is no breakpoint " + argument + "; list breakpoints shows them", {}, {}};
    }
    return {};
}

} // namespace

void addBreakpointCommands(Session& session) {
    Console& console = session.console();
    console.commands().add(
        "break", "Sets a breakpoint: play pauses after a tick with a message that matches: break type == Damage and to == crate_1",
        {{.name = "filter",
          .doc = "In the filter language, as in the trace; none: lists the breakpoints.",
          .type = ArgumentType::Rest,
          .optional = true}},
        [&session](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
            Breakpoints& breakpoints = session.breakpoints();
            const bool blank = arguments.empty() || arguments[0].find_first_not_of(" \t") == std::string::npos;
            if (blank) {
                printAll(breakpoints, context, {});
                return {};
            }
            const Result<int> number = breakpoints.add(arguments[0], session.tickRate());
            if (!number)
                return number.error();
            context.print("breakpoint " + std::to_string(*number) + ": " + arguments[0]);
            if (!session.recorder().enabled())
                context.print("nothing is recorded now, so nothing can match; trace.enabled true records");
            return {};
        },
        [&session, &names = session.recorder().names()](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            return completeBreak(session, names, typing, out);
        });
    console.commands().add("unbreak", "Takes breakpoints away: unbreak 2; unbreak all",
                           {{.name = "number", .doc = "As list breakpoints shows it; or all, or the last one set.", .choices = {"all", "last"}, .variadic = true}},
                           [&session](CommandContext&, const CommandArguments& arguments) {
                               return remove(session.breakpoints(), arguments);
                           });
    console.setListing("breakpoints", [&session](CommandContext& context, std::string_view filter) -> Result<void> {
        printAll(session.breakpoints(), context, filter);
        return {};
    });
}

} // namespace sbx
