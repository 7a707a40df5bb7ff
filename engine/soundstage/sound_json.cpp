#include "engine/soundstage/sound_json.h"

#include "engine/core/json_writer.h"

#include <initializer_list>
#include <numbers>

namespace sbx {

namespace {

const char* nameOf(audio::SilentReason reason) {
    static constexpr const char* Names[] = {"",          "notPlaying", "voiceLimit", "distance", "cone",
                                            "occlusion", "muted",      "bus",        "signal"};
    return Names[static_cast<std::size_t>(reason)];
}

// With the digits of single precision: more would be noise.
void writeNumber(JsonWriter& json, std::string_view key, double value) {
    json.member(key, static_cast<float>(value));
}

void writeList(JsonWriter& json, std::string_view key, std::initializer_list<float> elements) {
    json.key(key).beginArray();
    for (const float element : elements)
        json.value(element);
    json.endArray();
}

void writeVoice(JsonWriter& json, const SoundReport::Voice& voice) {
    const audio::SourceState& s = voice.state;
    const auto degrees = [](float radians) {
        return static_cast<double>(radians) * 180.0 / std::numbers::pi;
    };
    json.beginObject().member("entity", voice.name).member("sound", voice.sound).member("file", voice.file);
    json.member("play", voice.play).member("end", voice.end);
    json.member("playing", s.playing).member("virtual", s.isVirtual).member("silent", nameOf(s.reason));
    writeNumber(json, "position", s.position);
    json.member("distance", s.distance);
    writeNumber(json, "azimuth", degrees(s.azimuth));
    writeNumber(json, "elevation", degrees(s.elevation));
    writeNumber(json, "delayMs", 1e3 * static_cast<double>(s.delay));
    writeNumber(json, "itdUs", 1e6 * static_cast<double>(s.itd));
    json.member("doppler", s.dopplerRatio)
        .member("distanceGain", s.distanceGain)
        .member("coneGain", s.coneGain);
    json.member("occlusionGain", s.occlusionGain).member("gain", s.gain).member("peak", s.peak);
    json.member("reflected", s.reflected).endObject();
}

} // namespace

const char* nameOf(audio::OutputState state) {
    static constexpr const char* Names[] = {"closed", "running", "lost", "measuring"};
    return Names[static_cast<std::size_t>(state)];
}

std::string voicesJson(const SoundReport& report, double sampleRate) {
    const audio::Snapshot& t = report.totals;
    const Vec3& at = report.listener.position;
    JsonWriter json;
    json.beginObject();
    writeNumber(json, "seconds", static_cast<double>(t.frame) / sampleRate);
    json.member("listener", report.listenerName);
    writeList(json, "listenerPosition", {at.x, at.y, at.z});
    writeList(json, "peak", {t.peak[0], t.peak[1]});
    writeList(json, "rms", {t.rms[0], t.rms[1]});
    json.member("limiter", t.limiterGain).member("limiterOn", t.limiterOn);
    json.member("real", t.realVoices).member("virtual", t.virtualVoices).key("voices").beginArray();
    for (const SoundReport::Voice& voice : report.voices)
        writeVoice(json, voice);
    return std::move(json.endArray().endObject()).take();
}

std::string devicesJson(const SoundHost::Devices& devices) {
    JsonWriter json;
    json.beginObject().key("devices").beginArray();
    for (const audio::OutputDevice& device : devices.all)
        json.beginObject()
            .member("id", device.id)
            .member("name", device.name)
            .member("default", device.isDefault)
            .endObject();
    json.endArray().member("state", devices.open ? nameOf(devices.now.state) : "closed");
    if (devices.open) {
        json.member("device", devices.now.device);
        writeNumber(json, "rate", devices.now.sampleRate);
        writeNumber(json, "askedMs", devices.now.askedMs);
        writeNumber(json, "latencyMs", devices.now.latencyMs);
        json.member("underruns", devices.now.underruns).member("message", devices.now.message);
    }
    return std::move(json.endObject()).take();
}

} // namespace sbx
