// Lines of the console, over a registry that can harm nothing: parsing, running and completing any bytes ends, says what is
// wrong, and keeps every CVar in its range.
#include "engine/core/console.h"
#include "engine/core/typed_command.h"
#include "tests/fuzz/fuzz.h"

using namespace sbx;

namespace {

enum class Quality { Low, Medium, High };

struct Game {
    Log log{{.capacity = 64}};
    Console console{log};
    CVar<bool> paused = console.cvars().add<bool>("sim.paused", false, "Stands still.");
    CVar<int> seed = console.cvars().add<int>("sim.seed", 1, "Seed.", {.minimum = 0, .maximum = 1000});
    CVar<float> gravity = console.cvars().add<float>("sim.gravity", 9.81F, "Pull.",
                                                     {.unit = "m/s²", .minimum = 0, .maximum = 100});
    CVar<Quality> quality = console.cvars().add<Quality>("render.quality", Quality::High, "Detail.",
                                                         {.choices = {"low", "medium", "high"}});
    CVar<std::string> name = console.cvars().add<std::string>("player.name", "ann", "Shown to others.",
                                                              {.flags = CVarFlags::Archive});
    CVar<Vec3> wind = console.cvars().add<Vec3>("sim.wind", Vec3(0.0F), "Moves leaves.",
                                                {.unit = "m/s", .minimum = -50, .maximum = 50});
    CVar<int> rate = console.cvars().add<int>("sim.rate", 60, "Ticks.",
                                              {.minimum = 1, .maximum = 1000, .flags = CVarFlags::Latched});

    CVar<std::string> password = console.cvars().add<std::string>("net.password", "", "Secret.",
                                                                  {.flags = CVarFlags::Protected});

    Game() {
        // What reads files has no place where any bytes are run.
        console.commands().remove("exec");
        console.commands().remove("condump");
        console.setBaseFolder("/nonexistent");
        console.setNameProvider([](TextRole) { return std::vector<std::string>{"crate_1", "a b", "\"", "door"}; });
        console.setSelection([] { return std::vector<std::string>{"a;sim.nothing|1", "//", "$sel", "b"}; });
        addCommand(console.commands(), "wait", "Waits.", {{.name = "ticks", .doc = "How many.", .minimum = 1}},
                   [](CommandContext& context, std::optional<int> ticks) {
                       SBX_FUZZ_MUST(ticks.value_or(1) >= 1);
                       context.deferTicks(static_cast<std::uint64_t>(ticks.value_or(1)));
                   });
        console.commands().add("destroy", "Nothing happens.",
                               {{.name = "entity", .doc = "Which.", .type = ArgumentType::Entity, .variadic = true}},
                               [](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                                   context.print(std::to_string(arguments.size()));
                                   return {};
                               });
    }

    void check() const {
        SBX_FUZZ_MUST(seed.get() >= 0 && seed.get() <= 1000);
        SBX_FUZZ_MUST(gravity.get() >= 0.0F && gravity.get() <= 100.0F);
        SBX_FUZZ_MUST(static_cast<int>(quality.get()) >= 0 && static_cast<int>(quality.get()) <= 2);
        SBX_FUZZ_MUST(wind.get().x >= -50.0F && wind.get().z <= 50.0F);
        SBX_FUZZ_MUST(rate.get() == 60); // latched
        for (const KeyBinding& binding : console.bindings())
            SBX_FUZZ_MUST(!binding.line.empty() && !binding.keys.empty());
    }
};

// Statements read back as they were understood.
void checkRoundTrip(std::string_view text) {
    const ConsoleLine line = parseConsoleLine(text);
    for (const ConsoleStatement& statement : line.statements)
        for (const ConsoleStage& stage : statement.stages) {
            SBX_FUZZ_MUST(stage.nameBegin <= stage.nameEnd && stage.nameEnd <= text.size());
            SBX_FUZZ_MUST(stage.restBegin + stage.rest.size() <= text.size());
            for (const ConsoleWord& word : stage.words) {
                SBX_FUZZ_MUST(word.begin < word.end && word.end <= text.size());
                if (line.quoteOpen)
                    continue;
                const ConsoleLine again = parseConsoleLine("echo " + consoleWord(word.text));
                SBX_FUZZ_MUST(again.statements.size() == 1 && again.statements[0].stages.size() == 1);
                SBX_FUZZ_MUST(again.statements[0].stages[0].words.size() == 1);
                SBX_FUZZ_MUST(again.statements[0].stages[0].words[0].text == word.text);
            }
        }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    checkRoundTrip(text);

    Game game;
    SBX_FUZZ_MUST(game.console.masked(game.console.masked(text)) == game.console.masked(text));
    const std::size_t cursor = size == 0 ? 0 : data[size / 2] % (size + 1);
    for (const std::size_t at : {cursor, size}) {
        const Completion completion = game.console.complete(text, at);
        SBX_FUZZ_MUST(completion.replaceFrom <= at);
        SBX_FUZZ_MUST(completion.candidates.size() <= Console::MaxCandidates);
    }

    ConsoleReply reply = game.console.execute(text);
    game.check();
    for (int i = 0; reply.deferred && i < 3; ++i) {
        reply = game.console.resume(std::move(*reply.deferred));
        game.check();
    }
    return 0;
}
