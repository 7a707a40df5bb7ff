#pragma once
// What a program with an audio device, or one that writes audio files, offers its session.
//
// Thread: called on the session's. Outlives the session, or is taken out before (SessionSound::setHost).

#include "engine/audio/audio_output.h"

#include <filesystem>

namespace sbx {

class SoundHost {
public:
    SoundHost() = default;
    SoundHost(const SoundHost&) = delete;
    SoundHost& operator=(const SoundHost&) = delete;
    virtual ~SoundHost() = default;

    // Something may sound from now on: the session is given a stage, at once or soon.
    virtual void wake() = 0;
    struct Devices {
        std::vector<audio::OutputDevice> all;
        audio::OutputStatus now;
        bool open = false; // `now` says how it is
    };
    [[nodiscard]] virtual Devices devices() const = 0;
    // Writes what is heard from now on; says in the log when it is done.
    virtual Result<void> record(const std::filesystem::path& file, double seconds) = 0;
};

} // namespace sbx
