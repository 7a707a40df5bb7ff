#pragma once
// The binaural renderer: commands in from one control thread, blocks of stereo out on one audio thread,
// snapshots back. The two threads share rings and atomics only; render() neither allocates, locks nor logs,
// whatever is requested.
//
// Data flow of a block of 128 frames: commands due -> which sources are heard (voice budget) -> each voice
// reads its signal as emitted, filters it and adds it to two spectra (detail/voice.h) -> back to time -> master
// gain -> limiter, which may be switched off; full scale is never passed. What is emitted at an ear at frame n
// comes out latencyFrames() later.
//
// A command applies in the first block that ends after its `apply` (0: the next one). Commands are taken in
// order: one that waits holds back those behind it. The output does not depend on how many frames render() is
// requested at a time.
//
// Ownership: the control side holds sounds and HRTF sets until the audio side has reported that it no longer reads
// them; collect() lets go of them, on the control thread.

#include "engine/audio/audio_types.h"
#include "engine/audio/hrtf_set.h"
#include "engine/audio/sound_data.h"

#include <memory>
#include <span>

namespace sbx::audio {

struct RendererSettings {
    double sampleRate = 48000.0; // Hz, MinimumRate to MaximumRate
    std::uint32_t maximumSources = 1024;
    std::uint32_t voiceBudget = 128;      // sources heard at a time; the rest are virtual
    double speedOfSound = 340.29;         // m/s, until Air is set; always in Mode::Plain
    double plainSpan = 0.15;              // m between the ears of Mode::Plain
    std::uint32_t commandCapacity = 8192; // power of two
    double roomReach = 80.0;              // m that a reflection's way may be longer than the straight one
    bool allowWide = true;                // false: SSE2 even where AVX2 is there
};

class Renderer {
public:
    // `set` must be of the settings' rate.
    [[nodiscard]] static Result<std::unique_ptr<Renderer>> create(const RendererSettings& settings,
                                                                  std::shared_ptr<const HrtfSet> set);
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;
    ~Renderer();

    // ---- control thread; false (or no id): refused, the ring is full or the id is stale ----
    [[nodiscard]] SourceId add(const SourceSettings& settings, const ControlPoint& point, Frame apply = 0);
    bool remove(SourceId id, Frame apply = 0); // fades out, then frees the slot
    bool set(SourceId id, const SourceSettings& settings, Frame apply = 0);
    bool move(SourceId id, const ControlPoint& point, Frame apply = 0);
    // Starts from the beginning at frame `at` (0: with the next block); what it played before ends there. `apply` may come before
    // `at`, so that commands behind it need not wait; AtItsFrame: the same frame.
    static constexpr Frame AtItsFrame = -1;
    bool play(SourceId id, const Signal& signal, std::shared_ptr<const SoundData> sound = {}, Frame at = 0,
              Frame apply = AtItsFrame);
    bool stop(SourceId id, Frame at = 0, Frame apply = AtItsFrame);
    bool setPitch(SourceId id, double pitch, Frame at = 0);
    bool moveListener(const ControlPoint& point, Frame apply = 0);
    bool setHrtf(std::shared_ptr<const HrtfSet> set,
                 Frame apply = 0); // fades over 50 ms; must be of the renderer's rate
    [[nodiscard]] std::shared_ptr<const HrtfSet> hrtf() const; // the one requested last
    // Sounds on their way glide to the new speed of sound, 20 m/s in a second.
    bool setAir(const Air& air, Frame apply = 0);
    // m/s, as requested last, in the mode requested last.
    [[nodiscard]] double speedOfSound() const;
    // False as well if the room is out of its ranges. Its reflections reach as far as the settings' roomReach.
    bool setRoom(const Room& room, Frame apply = 0);
    bool setMode(Mode mode, Frame apply = 0);
    bool setQuality(Quality quality, Frame apply = 0);
    bool setMasterGain(float gain, Frame apply = 0); // linear
    bool setLimiter(bool on, Frame apply = 0);       // off: for measuring; what passes full scale is clipped
    bool setEars(const EarMix& ears, Frame apply = 0); // false as well if a gain is not from 0 to 10
    // Lets go of what the audio side has given back. Call now and then; move(), play() and add() do.
    void collect();

    // ---- one thread that looks on; the control thread or another ----
    // The newest snapshot; valid until the next call.
    [[nodiscard]] const Snapshot& snapshot();
    // While it is on, every block is kept until it is taken, over a second of them; then they are missed and counted.
    void setTap(bool on) noexcept;
    [[nodiscard]] bool takeBlock(OutputBlock& block) noexcept; // false: no more for now
    // The source whose numbers go with the blocks.
    void watch(SourceId id) noexcept;

    // ---- any thread ----
    // Frames rendered so far: what `at` counts.
    [[nodiscard]] Frame now() const noexcept;

    // ---- audio thread ----
    void render(std::span<float> interleaved) noexcept; // two floats a frame

    [[nodiscard]] const RendererSettings& settings() const;
    [[nodiscard]] const char* instructions() const; // "AVX2" or "SSE2"
    // Frames from emission at an ear to the output.
    [[nodiscard]] static int latencyFrames();

private:
    Renderer();
    struct Control;
    struct Audio;
    std::unique_ptr<Audio> m_audio;
    std::unique_ptr<Control> m_control;
};

} // namespace sbx::audio
