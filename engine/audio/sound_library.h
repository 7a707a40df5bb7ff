#pragma once
// The sound files of a project by name: lengths at once, samples when they are rendered. Each file is read once for each rate. Files
// lie in the project's folder (engine/core/asset_file.h); those held in memory take at most MaximumBytes together, and at most
// MaximumStreams are read while they are played.
//
// Thread: the session's. Ownership: the library keeps what it has read; renderers share it.

#include "engine/audio/sound_file.h"
#include "engine/audio/test_signals.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sbx::audio {

class StreamedSound;

class SoundLibrary {
public:
    // Called with what is wrong with a file that can be played all the same, once for each reading of it.
    void setRemark(std::function<void(const std::string&)> remark) { m_remark = std::move(remark); }
    // Names are relative to `folder`. Forgets what was read.
    void setRoot(std::filesystem::path folder);
    [[nodiscard]] Result<SoundFileInfo> info(const std::string& name);
    // A name that begins with SignalPrefix is a test signal ("signal:pink noise"), to be looped.
    // `stream`: a file longer than StreamedFrom is read as it is needed (streamed_sound.h), for who renders by the clock.
    [[nodiscard]] Result<std::shared_ptr<const SoundData>> data(const std::string& name, double sampleRate, bool stream = false);

    // Sounds that failed while they were played and have not been reported yet: by name, and why.
    [[nodiscard]] std::vector<std::pair<std::string, Error>> newFaults();

    static constexpr double StreamedFrom = 20.0; // s
    static constexpr std::string_view SignalPrefix = "signal:";
    static constexpr std::uint64_t MaximumBytes = 2ULL << 30U;
    static constexpr std::size_t MaximumStreams = 64;

private:
    [[nodiscard]] Result<std::shared_ptr<const SoundData>> read(const std::string& name, double sampleRate, bool streamed);

    std::filesystem::path m_root;
    std::function<void(const std::string&)> m_remark;
    std::map<std::string, Result<SoundFileInfo>> m_infos;
    std::map<std::tuple<std::string, double, bool>, Result<std::shared_ptr<const SoundData>>> m_data;
    std::uint64_t m_bytes = 0;  // of sounds held in memory
    struct Stream {
        std::string name;
        std::shared_ptr<const StreamedSound> sound;
        bool reported = false; // that it failed
    };
    std::vector<Stream> m_streams;
    std::map<std::pair<TestSignal, double>, std::shared_ptr<const SoundData>> m_signals;
};

} // namespace sbx::audio
