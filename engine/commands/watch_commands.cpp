// The console's side of watches.

#include "engine/commands/command_values.h"
#include "engine/commands/completion.h"
#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "engine/session/watches.h"

#include <algorithm>
#include <charconv>

namespace sbx {

namespace {

void printAll(const Watches& watches, CommandContext& context, std::string_view filter) {
    bool any = false;
    for (const WatchReading& watch : watches.list())
        if (filter.empty() || containsText(watch.text, filter)) {
            context.print(std::to_string(watch.number) + "  " + watch.text
                          + (watch.shown.empty() ? "" : (watch.failed ? "  (" + watch.shown + ")" : " = " + watch.shown)));
            any = true;
        }
    if (!any)
        context.print("none");
}

Result<void> remove(Watches& watches, std::string_view what) {
    if (what == "all") {
        watches.clear();
        return {};
    }
    const std::vector<WatchReading> list = watches.list();
    if (what == "last" && !list.empty()) {
        watches.remove(list.back().number);
        return {};
    }
    int number = 0;
    const char* const end = what.data() + what.size();
    const bool isNumber = std::from_chars(what.data(), end, number).ptr == end;
    if (watches.removeText(what) || (isNumber && watches.remove(number)))
        return {};
    return Error{"nothing is watched as " + std::string(what) + "; list watches shows them", {}, {}};
}

} // namespace

void addWatchCommands(Session& session) {
    Console& console = session.console();
    console.commands().add(
        "watch", "Keeps an eye on a value, with its last minute: watch crate_3.Health.current",
        {{.name = "expression",
          .doc = "A CVar, an entity's field, count(FILTER) or a condition; none: lists the watches.",
          .type = ArgumentType::Rest,
          .optional = true}},
        [&session](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
            if (arguments.empty() || arguments[0].find_first_not_of(" \t") == std::string::npos) {
                printAll(session.watches(), context, {});
                return {};
            }
            const Result<int> number = session.watches().add(arguments[0]);
            if (!number)
                return number.error();
            context.print("watch " + std::to_string(*number) + ": " + arguments[0]);
            // Once, here: samples do not look for what may have been meant.
            const Result<Expression> expression = Expression::compile(arguments[0]);
            if (const Result<Value> now = expression->value(session.expressionContext(session.simulation())); !now)
                context.note(now.error().message);
            return {};
        },
        [&session](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            completeCondition(session, typing, out);
            return true;
        });
    console.commands().add(
        "unwatch", "Takes a watch away: unwatch 2; unwatch sim.gravity; unwatch all",
        {{.name = "watch", .doc = "Its number or text; all; or the last one.", .type = ArgumentType::Rest}},
        [&session](CommandContext&, const CommandArguments& arguments) { return remove(session.watches(), arguments.at(0)); },
        [&session](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            // The whole rest: a watch's text may have blanks.
            typing.replaceFrom = std::min(typing.rest.find_first_not_of(" \t"), typing.rest.size());
            for (const WatchReading& watch : session.watches().list())
                out.push_back({watch.text, std::to_string(watch.number), watch.shown, CompletionKind::Choice});
            out.push_back({"all", {}, "Every watch.", CompletionKind::Choice});
            out.push_back({"last", {}, "The one added last.", CompletionKind::Choice});
            return true;
        });
    console.commands().add("watch.export", "Writes the watches' last minute as CSV, a line a tick.",
                 {{.name = "file", .doc = "Relative to the project's folder.", .type = ArgumentType::File}},
                 [&session](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     if (session.watches().empty())
                         return Error{"nothing is watched; watch EXPRESSION does", {}, {}};
                     return writeTextFile(session.watches().csv(), arguments[0], context);
                 });
    console.setListing("watches", [&session](CommandContext& context, std::string_view filter) -> Result<void> {
        printAll(session.watches(), context, filter);
        return {};
    });
}

} // namespace sbx
