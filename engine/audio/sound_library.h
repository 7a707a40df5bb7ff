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
    // `stream`: a file longer than StreamedFrom is read as it is needed (streamed_sound.h), for renderers that run in real time.
    [[nodiscard]] Result<std::shared_ptr<const SoundData>> data(const std::string& name, double sampleRate, bool stream = false);

    // The files that were requested, as they were then; an identity of zeros: it could not be opened.
    [[nodiscard]] std::map<std::string, FileIdentity> files() const { return m_seen; }
    // A changed file, read again on any thread: at each rate and in each way in which the library has it.
    struct Reread {
        std::string name;
        FileIdentity identity;
        SoundFileInfo info;
        std::vector<std::tuple<double, bool, std::shared_ptr<const SoundData>>> data; // rate, streamed
    };
    // The rates, and whether it is streamed, for reread().
    [[nodiscard]] std::vector<std::pair<double, bool>> forms(const std::string& name) const;
    // Any thread.
    [[nodiscard]] static Result<Reread> reread(const AssetRef& sound, const FileIdentity& identity,
                                               const std::vector<std::pair<double, bool>>& forms);
    // What begins to sound from now on is the new one; what sounds keeps what it has, as the library's users hold it. Error: beyond the
    // library's limits; the old sound stays.
    [[nodiscard]] Result<void> replace(Reread file);
    // The file has changed and cannot be read: the old sound stays.
    void keepOld(const std::string& name, const FileIdentity& identity) { m_seen[name] = identity; }
    // Counts the replacements.
    [[nodiscard]] std::uint64_t replacements() const { return m_replacements; }

    // Sounds that failed while they were played and have not been reported yet: by name, and why.
    [[nodiscard]] std::vector<std::pair<std::string, Error>> newFaults();

    static constexpr double StreamedFrom = 20.0; // s
    static constexpr std::string_view SignalPrefix = "signal:";
    static constexpr std::uint64_t MaximumBytes = 2ULL << 30U;
    static constexpr std::size_t MaximumStreams = 64;

private:
    void see(const std::string& name);
    [[nodiscard]] Result<std::shared_ptr<const SoundData>> read(const std::string& name, double sampleRate, bool streamed);

    std::filesystem::path m_root;
    std::function<void(const std::string&)> m_remark;
    std::map<std::string, Result<SoundFileInfo>> m_infos;
    std::map<std::tuple<std::string, double, bool>, Result<std::shared_ptr<const SoundData>>> m_data;
    std::uint64_t m_bytes = 0;  // of sounds held in memory
    std::map<std::string, FileIdentity> m_seen; // as they were before they were read
    std::uint64_t m_replacements = 0;
    struct Stream {
        std::string name;
        std::shared_ptr<const StreamedSound> sound;
        bool reported = false; // that it failed
    };
    std::vector<Stream> m_streams;
    std::map<std::pair<TestSignal, double>, std::shared_ptr<const SoundData>> m_signals;
};

} // namespace sbx::audio
