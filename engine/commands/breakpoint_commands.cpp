// The console's side of message breakpoints.

#include "engine/commands/completion.h"
#include "engine/core/component_name.h"
#include "engine/commands/console_commands.h"
#include "engine/session/breakpoints.h"
#include "engine/session/session.h"
#include "engine/session/unknown_names.h"

#include <algorithm>
#include <charconv>

namespace sbx {

namespace {

std::string line(const Breakpoint& breakpoint) {
    std::string text = std::to_string(breakpoint.number) + "  " + breakpoint.filter.text() + "  "
                       + std::to_string(breakpoint.hits) + (breakpoint.hits == 1 ? " hit" : " hits");
    if (breakpoint.before)
        text += "  before " + (breakpoint.before->empty() ? "the first handler" : *breakpoint.before);
    for (const StopOrder& order : breakpoint.orders)
        text += order.what == StopOrder::Drop ? "; drop" : "; set " + order.field + " " + order.value;
    return text;
}

Result<void> breakBefore(Session& session, CommandContext& context, const CommandArguments& arguments) {
    const std::string component = arguments[0] == "*" ? std::string() : arguments[0];
    if (!component.empty()) {
        const std::vector<std::string> known = session.catalog().schema.names();
        if (std::find(known.begin(), known.end(), parseComponentName(component).type) == known.end())
            return unknownName("component", component, known);
    }
    const Result<int> number = session.breakpoints().add(arguments[1], session.tickRate(), component);
    if (!number)
        return number.error();
    context.print("breakpoint " + std::to_string(*number) + ": " + line(*session.breakpoints().find(*number)));
    return {};
}

// `break.do 1 set amount 0`, `break.do 1 drop`, `break.do 1 ask`
Result<void> breakDo(Session& session, CommandContext& context, const CommandArguments& arguments) {
    int number = 0;
    const char* const end = arguments[0].data() + arguments[0].size();
    Breakpoint* const breakpoint = std::from_chars(arguments[0].data(), end, number).ptr == end ? session.breakpoints().find(number) : nullptr;
    if (breakpoint == nullptr || !breakpoint->before)
        return Error{"there is no breakpoint " + arguments[0] + " before a handler; list breakpoints shows them, break.at sets one", {}, {}};
    const std::string& what = arguments[1];
    if (what == "ask" && arguments.size() == 2) {
        breakpoint->orders.clear();
    } else if (what == "drop" && arguments.size() == 2) {
        breakpoint->orders.push_back({StopOrder::Drop, {}, {}});
    } else if (what == "set" && arguments.size() == 4) {
        breakpoint->orders.push_back({StopOrder::Set, arguments[2], arguments[3]});
    } else {
        return Error{"expected set FIELD VALUE, drop or ask, not " + inQuotes(what), {}, {}};
    }
    context.print(line(*breakpoint));
    return {};
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
                   std::vector<CompletionCandidate>& out, std::size_t from = 0) {
    const RecordFilterSchema schema(names, [](std::uint8_t) { return std::string_view(); }, session.snapshot()->tickRate);
    const auto frame = session.snapshot();
    const FilterCompletion found = completeFilter(
        typing.rest.substr(from), typing.rest.size() - from, schema.schema(),
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
    offerFilter(found, from, typing, out);
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
    console.commands().add(
        "break.at",
        "Sets a breakpoint between handlers: the tick stops before Health handles what matches: break.at Health type == Damage",
        {{.name = "component", .doc = "Whose handler; *: the first one, whoever has it."},
         {.name = "filter", .doc = "In the filter language, as in the trace.", .type = ArgumentType::Rest}},
        [&session](CommandContext& context, const CommandArguments& arguments) { return breakBefore(session, context, arguments); },
        [&session, &names = session.recorder().names()](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            if (!typing.words.empty())
                return completeBreak(session, names, typing, out,
                                     std::min(typing.rest.find(typing.words[0]) + typing.words[0].size(), typing.rest.size()));
            out.push_back({"*", {}, "The first handler, whoever has it.", CompletionKind::Choice});
            for (const std::string& name : session.catalog().schema.names())
                out.push_back({name, {}, "Before its handler.", CompletionKind::Choice});
            return true;
        });
    console.commands().add(
        "break.do",
        "What a breakpoint between handlers does by itself, one after the other, instead of asking: break.do 1 set amount 0; break.do 1 drop",
        {{.name = "number", .doc = "As list breakpoints shows it."},
         {.name = "what", .doc = "set a field of the message, drop it for the handlers that follow, or ask again.", .choices = {"set", "drop", "ask"}},
         {.name = "field", .doc = "Of set: the message's field, then its value.", .optional = true, .variadic = true}},
        [&session](CommandContext& context, const CommandArguments& arguments) { return breakDo(session, context, arguments); });
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
