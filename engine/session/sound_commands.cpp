// The console's commands for sound: what is played and why, from where, on which device, into which file.

#include "engine/core/printable.h"
#include "engine/core/value.h"
#include "engine/core/whole_file.h"
#include "engine/session/session.h"
#include "engine/session/session_lookup.h"
#include "engine/session/sound_host.h"
#include "engine/session/sound_stage.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx {

namespace {

std::string jsonNumber(double value) { return formatFloat(static_cast<float>(value)); }

std::string listOf(const Vec3& v) { return "[" + formatFloat(v.x) + "," + formatFloat(v.y) + "," + formatFloat(v.z) + "]"; }

const char* nameOf(audio::SilentReason reason) {
    static constexpr const char* Names[] = {"", "notPlaying", "voiceLimit", "distance", "cone",
                                            "occlusion", "muted", "bus", "signal"};
    return Names[static_cast<std::size_t>(reason)];
}

const char* nameOf(audio::OutputState state) {
    static constexpr const char* Names[] = {"closed", "running", "lost", "measuring"};
    return Names[static_cast<std::size_t>(state)];
}

std::string voiceJson(const SoundReport::Voice& voice) {
    const audio::SourceState& s = voice.state;
    const auto degrees = [](float radians) { return jsonNumber(static_cast<double>(radians) * 180.0 / std::numbers::pi); };
    return "{\"entity\":" + inQuotes(voice.name) + ",\"sound\":" + inQuotes(voice.sound) + ",\"file\":" + inQuotes(voice.file)
           + ",\"play\":" + std::to_string(voice.play) + ",\"end\":" + std::to_string(voice.end)
           + ",\"playing\":" + (s.playing ? "true" : "false") + ",\"virtual\":" + (s.isVirtual ? "true" : "false")
           + ",\"silent\":" + inQuotes(nameOf(s.reason)) + ",\"position\":" + jsonNumber(s.position)
           + ",\"distance\":" + jsonNumber(static_cast<double>(s.distance)) + ",\"azimuth\":" + degrees(s.azimuth)
           + ",\"elevation\":" + degrees(s.elevation) + ",\"delayMs\":" + jsonNumber(1e3 * static_cast<double>(s.delay))
           + ",\"itdUs\":" + jsonNumber(1e6 * static_cast<double>(s.itd)) + ",\"doppler\":" + formatFloat(s.dopplerRatio)
           + ",\"distanceGain\":" + formatFloat(s.distanceGain) + ",\"coneGain\":" + formatFloat(s.coneGain)
           + ",\"occlusionGain\":" + formatFloat(s.occlusionGain) + ",\"gain\":" + formatFloat(s.gain)
           + ",\"peak\":" + formatFloat(s.peak) + ",\"reflected\":" + (s.reflected ? "true" : "false") + "}";
}

std::string voicesJson(const SoundReport& report, double sampleRate) {
    const audio::Snapshot& t = report.totals;
    std::string out = "{\"seconds\":" + jsonNumber(static_cast<double>(t.frame) / sampleRate)
                      + ",\"listener\":" + inQuotes(report.listenerName) + ",\"listenerPosition\":" + listOf(report.listener.position)
                      + ",\"peak\":[" + formatFloat(t.peak[0]) + "," + formatFloat(t.peak[1]) + "],\"rms\":[" + formatFloat(t.rms[0])
                      + "," + formatFloat(t.rms[1]) + "],\"limiter\":" + formatFloat(t.limiterGain) + ",\"limiterOn\":" + (t.limiterOn ? "true" : "false")
                      + ",\"real\":" + std::to_string(t.realVoices) + ",\"virtual\":" + std::to_string(t.virtualVoices) + ",\"voices\":[";
    for (std::size_t i = 0; i < report.voices.size(); ++i)
        out += (i == 0 ? "" : ",") + voiceJson(report.voices[i]);
    return out + "]}";
}

std::string devicesJson(const SoundHost::Devices& devices) {
    std::string out = "{\"devices\":[";
    for (std::size_t i = 0; i < devices.all.size(); ++i)
        out += std::string(i == 0 ? "" : ",") + "{\"id\":" + inQuotes(devices.all[i].id) + ",\"name\":" + inQuotes(devices.all[i].name)
               + ",\"default\":" + (devices.all[i].isDefault ? "true" : "false") + "}";
    out += "],\"state\":" + inQuotes(devices.open ? nameOf(devices.now.state) : "closed");
    if (devices.open)
        out += ",\"device\":" + inQuotes(devices.now.device) + ",\"rate\":" + jsonNumber(devices.now.sampleRate)
               + ",\"askedMs\":" + jsonNumber(devices.now.askedMs) + ",\"latencyMs\":" + jsonNumber(devices.now.latencyMs) + ",\"underruns\":" + std::to_string(devices.now.underruns)
               + ",\"message\":" + inQuotes(devices.now.message);
    return out + "}";
}

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

void registerSoundCommands(Session& session) {
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
