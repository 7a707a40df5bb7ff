// What the console can do to a session's clock, and `expect`. Entities: world_commands.cpp.

#include "engine/commands/completion.h"
#include "engine/commands/console_commands.h"
#include "engine/core/expression.h"
#include "engine/core/typed_command.h"
#include "engine/session/session.h"

namespace sbx {

namespace {

// False, with a note for the reader, for a line of a client's world: the clock is the session's.
bool mayMoveClock(Session& session, CommandContext& context) {
    if (session.lines().client() == 0)
        return true;
    context.note("a client's world follows the clock of its server; expected the command in the server's world");
    return false;
}

} // namespace

void addClockCommands(Session& session) {
    CommandRegistry& commands = session.console().commands();
    using Context = CommandContext;
    const auto onClock = [&session](void (Session::*move)()) {
        return [&session, move](Context& context) {
            if (mayMoveClock(session, context))
                (session.*move)();
        };
    };
    addCommand(commands, "sim.play", "Starts the simulation, or goes on after a pause.", {}, onClock(&Session::play));
    addCommand(commands, "sim.pause", "Pauses the simulation.", {}, onClock(&Session::pause));
    addCommand(commands, "sim.stop", "Stops and restores the scene as edited.", {}, onClock(&Session::stop));
    addCommand(commands, "sim.step", "Advances by ticks and pauses.",
               {{.name = "ticks", .doc = "How many; 1 by default.", .minimum = 1, .maximum = 100'000}},
               [&session](Context& context, std::optional<int> ticks) {
                   if (!mayMoveClock(session, context))
                       return;
                   // A tick inside a tick's own console lines would be a tick too many.
                   session.post([count = ticks.value_or(1)](Session& posted) {
                       for (int i = 0; i < count; ++i) {
                           posted.step();
                           posted.publish();
                       }
                   });
               });
    addCommand(commands, "wait", "Lets ticks pass before the rest of a script or line.",
               {{.name = "ticks", .doc = "How many; 1 by default.", .minimum = 1, .maximum = 10'000'000}},
               [](CommandContext& context, std::optional<int> ticks) {
                   context.deferTicks(static_cast<std::uint64_t>(ticks.value_or(1)));
               });
    addCommand(commands, "sim.digest", "Prints the digest of the world's state.", {},
               [&session](CommandContext& context) { context.print(session.target().digestLine()); });
    commands.add("expect", "Prints PASS or FAIL for a condition: expect crate_3.Health.current == 35",
                 {{.name = "condition",
                   .doc = "In the filter language; count(FILTER) counts entities.",
                   .type = ArgumentType::Rest}},
                 [&session](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     const Result<Expression> expression = Expression::compile(arguments.at(0));
                     std::string seen;
                     Result<bool> holds = expression ? Result<bool>(false) : Result<bool>(expression.error());
                     if (expression)
                         holds = expression->evaluate(session.expressionContext(session.target()), &seen);
                     if (holds && *holds) {
                         context.print("PASS " + arguments[0]);
                         return {};
                     }
                     session.lines().countFailedExpectation();
                     const std::string why = holds ? seen : holds.error().message;
                     return Error{"FAIL " + arguments[0] + (why.empty() ? "" : ": " + why),
                                  {},
                                  holds ? SourceRegion{} : holds.error().region};
                 },
                 [&session](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
                     completeCondition(session, typing, out);
                     return true;
                 });
}

} // namespace sbx
