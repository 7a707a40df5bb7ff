#pragma once
// Writes what the listener of a session hears to a WAV file, tick by tick, without clock or device. Frame n of the file reaches the
// ears n frames after tick 0, and a tick is exactly sampleRate / tickRate frames long. The same session gives the same bytes,
// whatever `hostBlock` is.
//
// Thread: the session's. The session outlives it or is given another stage.

#include "engine/audio/sound_file.h"
#include "engine/session/sound_stage.h"

namespace sbx {

class Session;

class SoundRecorder {
public:
    static constexpr double SampleRate = 48000.0;
    [[nodiscard]] static Result<std::unique_ptr<SoundRecorder>> create(const std::filesystem::path& file,
                                                                       std::shared_ptr<const audio::HrtfSet> set,
                                                                       std::size_t hostBlock = 512);
    // After each tick: renders and writes what is settled.
    [[nodiscard]] Result<void> ticked();
    // The rest, up to the last tick.
    [[nodiscard]] Result<void> close();
    [[nodiscard]] SoundStage& stage() { return m_stage; }

private:
    SoundRecorder(std::unique_ptr<audio::Renderer> renderer, std::unique_ptr<audio::WavWriter> writer, std::size_t hostBlock);
    [[nodiscard]] Result<void> renderTo(audio::Frame frame, bool whole);

    std::unique_ptr<audio::Renderer> m_renderer;
    std::unique_ptr<audio::WavWriter> m_writer;
    SoundStage m_stage;
    std::vector<float> m_block;
    audio::Frame m_rendered = 0;
};

} // namespace sbx
