#pragma once
// What a run writes of its sound, without a device: the file of --audio from the first tick on, and those of audio.record, in the time
// of the simulation. Thread: that of the session, which outlives it.

#include "engine/core/log.h"
#include "engine/soundstage/sound_host.h"
#include "engine/soundstage/sound_recorder.h"

#include <string>

namespace sbx {
class Session;
}

namespace sbx::player {

class FileSound final : public SoundHost {
public:
    FileSound(Session& session, Log& log);
    ~FileSound() override;

    // Writes the whole run.
    [[nodiscard]] Result<void> open(const std::string& file);
    // After each tick.
    void ticked();
    // The rest up to the last tick; what failed first, then or before.
    [[nodiscard]] Result<void> close();

    void wake() override {} // sound is computed for the recording only
    [[nodiscard]] Devices devices() const override { return {}; }
    Result<void> record(const std::filesystem::path& file, double seconds) override;

private:
    [[nodiscard]] Result<void> prepare(const std::string& file);

    Session& m_session;
    Log& m_log;
    bool m_wholeRun = false;
    Result<void> m_written;
    std::shared_ptr<const audio::HrtfSet> m_set;
    std::unique_ptr<SoundRecorder> m_recorder;
};

} // namespace sbx::player
