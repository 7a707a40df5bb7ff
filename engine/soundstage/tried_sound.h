#pragma once
// A sound that is tried out: what it plays, how long it is, where it stands. Beside the world, and nothing of it enters the simulation.
//
// Thread: the session's, which is the renderer's control thread. Holds no voice by itself: the holder of `id` from the renderer
// removes it.

#include "engine/audio/renderer.h"
#include "engine/components/sounds.h"

#include <memory>
#include <string>

namespace sbx {

struct TriedSound {
    audio::SourceId id;
    audio::Signal signal;
    std::shared_ptr<const audio::SoundData> sound;
    bool loop = false;
    bool ends = false;   // its signal has no end of its own, but a length
    double length = 0.0; // s at pitch 1; 0: endless
    double from = 0.0;
    audio::Frame began = 0;

    // What a Sound plays, at its pitch. Error: its file cannot be read.
    [[nodiscard]] static Result<TriedSound> of(const Sound::Settings& settings, audio::SoundLibrary& library, double rate);
    // From there on, at the signal's pitch.
    void begin(audio::Renderer& renderer, double fromSeconds, bool again);
    // The same sound goes on at another pitch.
    void setPitch(audio::Renderer& renderer, double pitch);
    // Seconds into it at pitch 1.
    [[nodiscard]] double place(const audio::Renderer& renderer) const;
    // It ended more than `onItsWay` seconds ago.
    [[nodiscard]] bool over(const audio::Renderer& renderer, double onItsWay) const;
};

// The index-th Sound of an entity; null: it has fewer.
[[nodiscard]] const Sound* soundOf(const Entity& entity, int index);
// "Sound", "Sound#2": what the index-th is called among the entity's components.
[[nodiscard]] std::string soundName(int index);

} // namespace sbx
