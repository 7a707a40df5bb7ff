#pragma once
// Messages to and from sounds.

#include "engine/core/fields.h"
#include "engine/core/fixed_text.h"
#include "engine/message/message_type.h"

namespace sbx {

struct PlaySound {
    static constexpr const char* Name = "PlaySound";
    static constexpr const char* Doc = "Starts the sounds of an entity, or the one of that name.";
    FixedText<32> sound;
    float gain = 1.0F;
    float pitch = 1.0F;
    static void describe(FieldList<PlaySound>& f) {
        f.add("sound", &PlaySound::sound, "Name of the sound (Sound.name); empty: all of the entity.");
        f.add("gain", &PlaySound::gain, "Times the sound's own.").range(0, 100);
        f.add("pitch", &PlaySound::pitch, "Times the sound's own.").range(0.015625, 4);
    }
};
struct StopSound {
    static constexpr const char* Name = "StopSound";
    static constexpr const char* Doc = "Ends the sounds of an entity, or the one of that name.";
    FixedText<32> sound;
    static void describe(FieldList<StopSound>& f) {
        f.add("sound", &StopSound::sound, "Name of the sound (Sound.name); empty: all of the entity.");
    }
};
struct SoundFinished {
    static constexpr const char* Name = "SoundFinished";
    static constexpr bool Notice = true;
    static constexpr const char* Doc =
        "A sound has played to its end, by its length and pitch; loops and stopped sounds do not say so.";
    FixedText<32> sound;
    int play = 0;
    static void describe(FieldList<SoundFinished>& f) {
        f.add("sound", &SoundFinished::sound, "Name of the sound.");
        f.add("play", &SoundFinished::play, "Which play of the world, counted from 1.").range(0, 2147483647);
    }
};

} // namespace sbx
