#pragma once
// Writes what the listener of a session hears to WAV files, tick by tick, without clock or device. Frame n of a file reaches the
// ears n frames after the tick at which it began, and a tick is exactly sampleRate / tickRate frames long. The same session gives
// the same bytes, whatever `hostBlock` is. Each sound that begins is a cue point: SoundOnset::text().
//
// Thread: the session's. The session outlives it or is given another stage.

#include "engine/audio/sound_file.h"
#include "engine/audio/sound_marks.h"
#include "engine/soundstage/sound_stage.h"

#include <functional>
#include <limits>

namespace sbx {

class Session;

class SoundRecorder {
public:
    static constexpr double SampleRate = 48000.0;
    [[nodiscard]] static Result<std::unique_ptr<SoundRecorder>> create(const std::filesystem::path& file,
                                                                       std::shared_ptr<const audio::HrtfSet> set,
                                                                       std::size_t hostBlock = 512);
    // With no file yet.
    [[nodiscard]] static Result<std::unique_ptr<SoundRecorder>> create(std::shared_ptr<const audio::HrtfSet> set,
                                                                       std::size_t hostBlock = 512);
    // Another file, from the newest tick on. `done` is called with the result when that much is written; close() ends all early.
    using Done = std::function<void(const Result<void>&)>;
    [[nodiscard]] Result<void> record(const std::filesystem::path& file, double seconds, Done done);
    [[nodiscard]] bool recording() const { return !m_takes.empty(); }
    // After each tick: renders and writes what is settled.
    [[nodiscard]] Result<void> ticked();
    // The rest, up to the last tick.
    [[nodiscard]] Result<void> close();
    [[nodiscard]] SoundStage& stage() { return m_stage; }

private:
    struct Take {
        std::unique_ptr<audio::WavWriter> writer;
        audio::Frame from = 0; // of the stage
        audio::Frame end = 0;
        Done done;
        std::filesystem::path file;
        audio::Frame written = 0;
        std::vector<audio::SoundMark> marks{};
        // Nothing is written afterwards.
        [[nodiscard]] Result<void> close();
    };
    SoundRecorder(std::unique_ptr<audio::Renderer> renderer, std::size_t hostBlock);
    // `out`: heard from `frame` on.
    [[nodiscard]] Result<void> write(std::span<const float> out, audio::Frame frame);
    [[nodiscard]] Result<void> renderTo(audio::Frame frame, bool whole);

    void mark(const SoundOnset& onset);

    std::unique_ptr<audio::Renderer> m_renderer;
    SoundStage m_stage;
    std::vector<Take> m_takes;
    std::vector<float> m_block;
    audio::Frame m_rendered = 0;
};

} // namespace sbx
