// The console's commands for sound: what is played and why, from where, on which device, into which file.

#include "engine/commands/command_values.h"
#include "engine/commands/console_commands.h"
#include "engine/core/printable.h"
#include "engine/core/whole_file.h"
#include "engine/session/session.h"
#include "engine/session/unknown_names.h"
#include "engine/soundstage/sound_host.h"
#include "engine/soundstage/sound_json.h"
#include "engine/soundstage/sound_stage.h"

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {

// A row for each device: its name, and the id that audio.device takes. Then how the one in use is.
void printDevices(const SoundHost::Devices& devices, CommandContext& context) {
    if (devices.all.empty())
        context.print("no device is there");
    const auto nameOfDevice = [](const audio::OutputDevice& device) {
        return printableLine(device.name) + (device.isDefault ? " (the system's choice)" : "");
    };
    std::size_t widest = 0;
    for (const audio::OutputDevice& device : devices.all)
        widest = std::max(widest, nameOfDevice(device).size());
    for (const audio::OutputDevice& device : devices.all) {
        const std::string name = nameOfDevice(device);
        context.print(name + std::string(widest - name.size() + 2, ' ') + printableLine(device.id));
    }
    const audio::OutputStatus& now = devices.now;
    if (!devices.open) {
        context.print("none is open: nothing is played");
        return;
    }
    const auto figure = [](double value) { return std::to_string(std::lround(value)); };
    std::string line = std::string(nameOf(now.state)) + ": " + (now.device.empty() ? "no device" : printableLine(now.device));
    if (now.state == audio::OutputState::Running)
        line += ", " + figure(now.sampleRate) + " Hz, buffer of " + figure(now.latencyMs) + " ms (" + figure(now.askedMs) + " asked for), "
                + std::to_string(now.underruns) + (now.underruns == 1 ? " under-run" : " under-runs");
    context.print(line + (now.message.empty() ? "" : ": " + printableLine(now.message)));
}

} // namespace

void addSoundCommands(Session& session) {
    CommandRegistry& commands = session.console().commands();
    SessionSound& sound = session.sound();
    const Error noSound{"nothing here can be heard: the program has no sound", {}, {}};
    commands.add("audio.voices", "What may be heard, and why it is or is not, as JSON.",
                 {{.name = "file", .doc = "Written there instead.", .optional = true}},
                 [&session, &sound](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     if (sound.stage() == nullptr)
                         return Error{"nothing renders sound; play first", {}, {}};
                     const std::string text = voicesJson(sound.report(session.simulationOf(sound.hearing())), sound.stage()->renderer().settings().sampleRate);
                     if (!arguments.empty())
                         return writeTextFile(text, arguments[0], context);
                     context.print(text);
                     return {};
                 });
    commands.add("audio.listen", "Listens where an entity is; alone: as the world says.",
                 {{.name = "entity", .doc = "Who.", .type = ArgumentType::Entity, .optional = true}},
                 [&session, &sound](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     if (sound.stage() == nullptr)
                         return Error{"nothing renders sound; play first", {}, {}};
                     const World& heard = session.simulationOf(sound.hearing()).world();
                     if (!arguments.empty() && !heard.find(arguments[0]))
                         return unknownEntity(heard, arguments[0]);
                     sound.stage()->listen(arguments.empty() ? Listening() : Listening{Listening::From::Entity, arguments[0], {}});
                     if (arguments.empty())
                         context.print("listening as the world says");
                     return {};
                 });
    commands.add("audio.devices", "Devices with the ids that audio.device takes, and how the one in use is.",
                 {{.name = "form", .doc = "text if left out.", .choices = {"text", "json"}, .optional = true}},
                 [&sound, noSound](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     if (sound.host() == nullptr)
                         return noSound;
                     if (!arguments.empty() && arguments[0] == "json")
                         context.print(devicesJson(sound.host()->devices()));
                     else
                         printDevices(sound.host()->devices(), context);
                     return {};
                 });
    commands.add("audio.record", "Writes what is heard from now on to a WAV file: audio.record out.wav 5",
                 {{.name = "file", .doc = "A WAV file."},
                  {.name = "seconds", .doc = "How long.", .type = ArgumentType::Number, .minimum = 0.01, .maximum = 3600.0}},
                 [&sound, noSound](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     if (sound.host() == nullptr)
                         return noSound;
                     const Result<std::filesystem::path> path = context.fileToWrite(arguments[0]);
                     if (!path)
                         return path.error();
                     if (const Result<void> begun = sound.host()->record(*path, numberArgument(arguments[1])); !begun)
                         return begun;
                     context.print(path->string());
                     return {};
                 });
}

} // namespace sbx
