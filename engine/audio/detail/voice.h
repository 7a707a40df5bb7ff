#pragma once
// The costly part of a source that is heard: two moving delay reads and two filters. Audio thread; storage is
// taken once.
//
//   signal -> ring of the emission time heard -> read at the delays of left and right (cubic over the block,
//   windowed sinc) -> one transform for both ears -> filter of this block and fade to the next one
//   -> sums of all voices
//
// The filter is the product of HRTF, near field and air; it follows its target with a time constant of 20 ms,
// and each block fades from the old filter to the new one, both in sums shared by all voices, transformed
// back once.
// Overlap-save: T. G. Stockham, "High-speed convolution and correlation", 1966.

#include "engine/audio/audio_types.h"
#include "engine/audio/detail/propagation.h"
#include "engine/audio/detail/room.h"
#include "engine/audio/detail/signal_player.h"
#include "engine/audio/detail/trajectory.h"
#include "engine/audio/hrtf_set.h"

namespace sbx::audio {

// What all voices of a block share.
struct BlockContext {
    const KernelTable* kernels = nullptr;
    const InterpolationTables* tables = nullptr;
    const HrtfSet* set = nullptr;       // never null
    const HrtfSet* setBefore = nullptr; // while fading, else null
    float setFade = 1.0F;               // share of `set`
    std::uint64_t setSerial = 0;
    const AirTable* air = nullptr;
    std::uint64_t airSerial = 0;
    const NearFieldTable* nearField = nullptr;
    Mode mode = Mode::Hrtf;
    Quality quality = Quality::Best;
    double sampleRate = 48000.0;
    double speed = 340.29;
    double plainSpan = 0.15;
    Frame begin = 0;
    Motion earBegin; // listener at begin, at the end, and a block later
    Motion earEnd;
    Motion earNext;
    Quat turnBegin{1, 0, 0, 0}; // world to head
    Quat turnEnd{1, 0, 0, 0};
    Quat turnNext{1, 0, 0, 0};
    bool anySolo = false;
    std::uint64_t* filtered = nullptr; // counts the blocks that voices filter
    float* steady = nullptr; // 512: sums of left and right
    float* fading = nullptr;
    const RoomDesign* room = nullptr; // none: no walls
    std::uint64_t roomSerial = 0;
    float* reflections = nullptr; // 4 blocks: left and right of the first order, of the second
    float* send = nullptr;        // a block into the reverberation
};

struct Source;

class Voice {
public:
    // ringFrames: what it may hear at a time, in a room; a power of two, at least NearFrames. Without a room it uses no more than
    // these: they stay in the cache.
    static constexpr unsigned NearFrames = 1024;
    static constexpr unsigned NearMask = NearFrames - 1;
    explicit Voice(std::size_t ringFrames);

    // Takes up a source, in phase: from silence over some blocks when it is already sounding (fadeIn), else
    // with its onset whole.
    void begin(bool fadeIn);
    // Renders one block. `open`: false lets it fade out. Returns false once nothing is left to hear.
    bool process(Source& source, const BlockContext& block, bool open) noexcept;

    std::uint32_t slot = 0;
    bool used = false;

    // Emission frame of the centre of the head at the end of the last block.
    [[nodiscard]] double heardFrame() const { return m_heard; }
    // The block as it enters the filters of an ear; valid after process().
    [[nodiscard]] const float* dry(int ear) const {
        return m_input.data() + ear * TransformSize + BlockFrames;
    }

private:
    struct Delays {
        std::array<double, 2> delay{}; // frames: left, right
        std::array<double, 2> slope{};
        double itd = 0.0; // frames
        Path path;
        glm::vec3 head{0.0F, 0.0F, -1.0F}; // direction, m, in the head's frame
    };
    // What the filter depends on beside the place: with another, it has another target.
    struct FilterKey {
        std::uint64_t set = 0;
        std::uint64_t air = 0;
        bool airAbsorption = false;
        bool nearField = false;
        bool spatial = false;
        friend bool operator==(const FilterKey&, const FilterKey&) = default;
    };
    struct Head { // one place in the emission that is being read
        AlignedFloats ring;
        unsigned mask = NearMask; // of the part in use
        Frame written = 0; // emission frame up to which the ring is filled; a multiple of BlockFrames
        Frame silentFrom = 0;   // from here on the ring holds nothing but zeros
        bool primed = false;
        Delays at;
    };

    [[nodiscard]] Delays delaysAt(const Source& source, const BlockContext& block, Frame frame,
                                  const Motion& ear, const Quat& turn, const Motion& earLater,
                                  const Quat& turnLater, const Delays* before, double guess) const noexcept;
    void readHead(Head& head, const Source& source, const BlockContext& block, const Delays& end,
                  float gainFrom, float gainTo, bool add) noexcept;
    void fill(Head& head, const SignalPlayer& player, const BlockContext& block, double lowest, double highest) noexcept;
    void lowPass(const BlockContext& block, float target) noexcept;
    // Adds what comes by way of the walls. `end`: of the straight way; the gains by hand over the block.
    void reflect(const Head& head, const Source& source, const BlockContext& block, const Delays& end, float controlFrom,
                 float controlTo) noexcept;
    // The same of the side a jump left behind, which dies away in this block.
    void leaveReflections(const Head& head, const BlockContext& block, float controlFrom) noexcept;
    // After reflect(): whether what comes by way of the walls is more than silence.
    [[nodiscard]] bool isGivenBack(const Head& head, const Source& source,
                                   const BlockContext& block) const noexcept;
    [[nodiscard]] ReadJob jobFor(const Head& head, const BlockContext& block, Quality quality, double d0, double d1, double s0,
                                 double s1) const noexcept;
    void targetFilter(const Source& source, const BlockContext& block, const Delays& at, float* out) noexcept;

    std::array<Head, 2> m_heads;
    std::size_t m_current = 0;
    unsigned m_farMask;
    int m_fade = 0;         // blocks left of a jump's cross-fade
    AlignedFloats m_input;  // per ear: the block before and this one
    AlignedFloats m_filter; // in force at the start of the block
    bool m_fresh = true;
    bool m_fadeIn = false;
    bool m_settled = false;
    bool m_inputWasSilent = true;
    std::array<int, 3> m_face{}; // where the last directions lay: both ears, the set before
    glm::vec3 m_lastDirection{0.0F};
    FilterKey m_lastKey;
    Mode m_lastMode = Mode::Hrtf;
    std::uint32_t m_jumps = 0; // of source and listener, seen so far
    float m_control = 0.0F;    // gain by hand: settings, mute, gate; slewed
    float m_motion = 0.0F;     // gain by place: distance, cone
    float m_jumpGain = 0.0F;   // of the side left behind by a jump
    float m_pass = 1.0F;       // low-pass coefficient, 1: open
    std::array<float, 2> m_passState{};
    bool m_reflected = false;       // in the block before
    bool m_jumpedReflected = false; // in the block before a jump
    double m_heard = 0.0;
    Images m_images;
};

// One source as the audio thread knows it.
struct Source {
    Source(const KernelTable& kernels, const InterpolationTables& tables, double sampleRate)
        : trajectory(sampleRate), player(kernels, tables, sampleRate) {}

    std::uint32_t generation = 0; // 0: free
    SourceSettings settings;
    Trajectory trajectory;
    SignalPlayer player;
    bool playing = false;
    bool granted = false; // may have a voice
    bool leaving = false; // removed, as soon as it is silent
    int voice = -1;
    std::uint32_t otherJumps = 0; // of the listener, and of settings that move the delay
    std::uint64_t soundSerial = 0;
    bool walled = false; // walls give it back to the listener, wherever its cone points
    float audibility =
        0.0F; // gain without a voice; what is walled is as loud as it would be turned to the listener
    SourceState state;
};

// Manual gain from `settings`.
[[nodiscard]] float controlGain(const SourceSettings& settings, bool anySolo) noexcept;

} // namespace sbx::audio
