#include "engine/soundstage/tried_sound.h"

#include <algorithm>
#include <cmath>

namespace sbx {

std::string soundName(int index) { return index == 0 ? "Sound" : "Sound#" + std::to_string(index + 1); }

const Sound* soundOf(const Entity& entity, int index) {
    return static_cast<const Sound*>(entity.component(soundName(index)).component);
}

Result<TriedSound> TriedSound::of(const Sound::Settings& settings, audio::SoundLibrary& library, double rate) {
    SoundEmitter emitter;
    settings.describe(emitter);
    TriedSound out;
    out.signal.kind = emitter.kind;
    out.signal.frequency = emitter.frequency;
    out.signal.pitch = static_cast<double>(std::clamp(settings.pitch, 1.0F / 64.0F, 4.0F));
    if (emitter.kind == audio::SignalKind::Sound) {
        if (emitter.file.empty())
            return Error{"no file is named", {}, {}};
        const auto data = library.data(emitter.file, rate, true);
        if (!data)
            return data.error();
        out.sound = *data;
        out.length = static_cast<double>(out.sound->length()) / rate;
    }
    if (settings.source != Sound::Source::File) {
        out.length = static_cast<double>(settings.length);
        out.ends = out.length > 0.0;
    }
    return out;
}

void TriedSound::begin(audio::Renderer& renderer, double fromSeconds, bool again) {
    loop = again;
    from = fromSeconds;
    began = renderer.now();
    // What is no file goes on for ever by itself; how long it is, its setting says.
    const bool file = signal.kind == audio::SignalKind::Sound && !ends && length > 0.0;
    signal.loop = loop || !file;
    signal.offset = from;
    renderer.play(id, signal, sound);
    if (ends && !loop) {
        const double seconds = std::max(length - from, 0.0) / signal.pitch;
        renderer.stop(id, began + static_cast<audio::Frame>(seconds * renderer.settings().sampleRate), 0);
    }
}

void TriedSound::setPitch(audio::Renderer& renderer, double pitch) {
    const double at = place(renderer);
    signal.pitch = pitch;
    if (ends && !loop) {
        begin(renderer, at, loop); // it ends at another time
        return;
    }
    from = at;
    began = renderer.now();
    renderer.setPitch(id, pitch);
}

double TriedSound::place(const audio::Renderer& renderer) const {
    const double at = from + static_cast<double>(renderer.now() - began) / renderer.settings().sampleRate * signal.pitch;
    if (length <= 0.0)
        return at;
    return loop ? std::fmod(at, length) : std::min(at, length);
}

bool TriedSound::over(const audio::Renderer& renderer, double onItsWay) const {
    const double passed = static_cast<double>(renderer.now() - began) / renderer.settings().sampleRate;
    return length > 0.0 && !loop && passed > (length - from) / signal.pitch + onItsWay;
}

} // namespace sbx
