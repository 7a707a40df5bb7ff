#pragma once
// What lies behind Renderer: the commands between its two threads, and each thread's own state.

#include "engine/audio/detail/limiter.h"
#include "engine/audio/detail/spsc_ring.h"
#include "engine/audio/detail/triple_buffer.h"
#include "engine/audio/detail/voice.h"
#include "engine/audio/renderer.h"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>

namespace sbx::audio {

constexpr std::uint64_t PublishBlocks = 4;
constexpr std::uint64_t RankBlocks = 4;
constexpr float Inaudible = 1e-5F; // -100 dB

enum class CommandKind : std::uint8_t {
    Add,
    Remove,
    Settings,
    Move,
    Play,
    Stop,
    Pitch,
    MoveListener,
    SetHrtf,
    SetAir,
    SetRoom,
    SetMode,
    SetQuality,
    SetMaster,
    SetLimiter,
    SetEars
};

// A plain copy; which members count depends on the kind.
struct Command {
    CommandKind kind = CommandKind::Add;
    Mode mode = Mode::Hrtf;
    Quality quality = Quality::Best;
    SourceId id;
    Frame apply = 0;
    Frame at = 0; // when a signal begins, ends or changes
    std::uint64_t serial = 0; // of the thing handed over: sound, set, air table
    double number = 0.0;      // pitch, master gain, speed of sound, 1 or 0 for on or off
    SourceSettings settings;
    ControlPoint point;
    Signal signal;
    const HrtfSet* set = nullptr;
    const NearFieldTable* nearField = nullptr;
    const AirTable* air = nullptr;
    const RoomDesign* room = nullptr;
    EarMix ears;
};

// From the audio side: no longer in use.
struct Retired {
    std::uint64_t serial = 0; // 0: none
    std::uint32_t slot = 0;
    std::uint32_t generation = 0; // 0: no slot
};

struct Handed { // kept alive for the audio side
    std::shared_ptr<const SoundData> sound;
    std::shared_ptr<const HrtfSet> set;
    std::shared_ptr<const NearFieldTable> nearField;
    std::shared_ptr<const AirTable> air;
    std::shared_ptr<const RoomDesign> room;
};

struct Renderer::Audio {
    Audio(const RendererSettings& settings, const HrtfSet& set, const NearFieldTable& nearField,
          const AirTable& air);

    void render(std::span<float> interleaved) noexcept;

    // Shared between the threads.
    SpscRing<Command> commands;
    SpscRing<Retired> retired;
    TripleBuffer<Snapshot> snapshots;
    std::atomic<Frame> rendered{0};
    std::atomic<std::uint64_t> dropped{0}; // commands refused
    SpscRing<OutputBlock> tap;
    std::atomic<bool> tapped{false};
    std::atomic<std::uint64_t> watched{0}; // slot and generation

    // Constant.
    RendererSettings settings;
    const KernelTable& kernels;
    InterpolationTables tables;
    std::shared_ptr<const HrtfSet> sphere;

private:
    void renderBlock() noexcept;
    void applyCommands() noexcept;
    void apply(const Command& command) noexcept;
    void applyToSource(Source& source, const Command& command) noexcept;
    void retire(std::uint64_t serial) noexcept;
    void release(Source& source, std::uint32_t slot) noexcept;
    void leaveVoice(Source& source) noexcept;
    void chooseVoices() noexcept;
    void estimate(Source& source) noexcept;
    void finish(Source& source) const noexcept;
    void mixDown() noexcept;
    void addRoom() noexcept;
    // Whether a listener at `ear` gets reflections from the walls.
    [[nodiscard]] bool isInRoom(const glm::dvec3& ear) const noexcept;
    // m/s, of the block that is rendered.
    [[nodiscard]] double speed() const noexcept {
        return m_mode == Mode::Plain ? settings.speedOfSound : m_speed;
    }
    void measure(std::chrono::steady_clock::time_point before) noexcept;
    void publish() noexcept;
    [[nodiscard]] BlockContext context() noexcept;

    std::vector<Source> m_sources;
    std::vector<Voice> m_voices;
    std::vector<std::uint32_t> m_playing; // slots, for ranking
    std::vector<std::uint32_t> m_freeVoices;
    Trajectory m_listener;
    const HrtfSet* m_set;
    const HrtfSet* m_setBefore = nullptr;
    std::uint64_t m_setSerial = 0;
    std::uint64_t m_setBeforeSerial = 0;
    int m_setBlocks = 0; // left of the fade between the two
    const NearFieldTable* m_nearField;
    const NearFieldTable* m_sphereNearField = nullptr; // from the first time on that Mode::Sphere is requested
    const AirTable* m_air;
    std::uint64_t m_airSerial = 0;
    const RoomDesign* m_room = nullptr;
    const RoomDesign* m_roomNext = nullptr; // comes when the one before has faded
    std::uint64_t m_roomSerial = 0;
    std::uint64_t m_roomNextSerial = 0;
    float m_roomShare = 0.0F; // eased: whether the listener is in it
    RoomSound m_roomSound;
    AlignedFloats m_reflections; // and what goes into the reverberation: 5 blocks
    double m_speed;              // m/s, on its way to the target
    double m_speedTarget;
    bool m_limiterOn = true;
    Mode m_mode = Mode::Hrtf;
    Quality m_quality = Quality::Best;
    float m_master = 1.0F;
    float m_masterTarget = 1.0F;
    EarMix m_ears;
    std::array<float, 4> m_mix{1.0F, 0.0F, 0.0F, 1.0F}; // eased: left from left, left from right, right from left, ...
    Frame m_begin = 0; // of the block being rendered
    std::uint64_t m_block = 0;
    bool m_anySolo = false;
    bool m_rank = true; // choose voices before the next block
    AlignedFloats m_steady;
    AlignedFloats m_fading;
    AlignedFloats m_scratch;
    std::array<float, BlockFrames * 2> m_out{};
    std::size_t m_outAt = BlockFrames; // frames of m_out already given
    Limiter m_limiter;
    bool m_anyVoice = false;
    std::array<float, 2> m_peak{};
    std::array<double, 2> m_square{};
    std::size_t m_measured = 0;
    double m_spent = 0.0; // s, since the snapshot before
    float m_peakLoad = 0.0F;
    std::uint64_t m_missed = 0;
    std::uint64_t m_filtered = 0;
    OutputBlock m_tapBlock;
};

struct Renderer::Control {
    std::map<std::uint64_t, Handed> handed; // by serial
    std::unique_ptr<const NearFieldTable> sphereNearField; // made when it is first wanted, and kept
    std::uint64_t nextSerial = 1;
    double speed = 0.0; // of sound, m/s
    Mode mode = Mode::Hrtf;
    std::vector<std::uint32_t> generations; // by slot; even: free
    std::vector<std::uint32_t> freeSlots;
};

// Flushes denormal numbers to zero while it lives, on this thread.
class FlushDenormals {
public:
    FlushDenormals() noexcept;
    ~FlushDenormals();
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    unsigned m_before;
};

} // namespace sbx::audio
