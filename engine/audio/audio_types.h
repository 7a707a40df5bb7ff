#pragma once
// What goes into the renderer and comes out of it. All are plain values: they travel between threads as
// copies.
//
// Time is counted in frames (samples) of the renderer from its creation, `at`; 0 means as soon as possible.
// Positions are metres, velocities m/s, right-handed, Y up, -Z forward. Gains are linear amplitude factors.

#include "engine/core/math.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sbx::audio {

using Frame = std::int64_t;

// How a moving delay is read: 32-tap sinc, 16-tap sinc, Lagrange of third order, linear (to hear why not).
enum class Quality : std::uint8_t { Best, Balanced, Fast, Linear };

// Hrtf: the loaded set. Sphere: a rigid sphere's response with Woodworth's delay. Plain: two ears plainSpan
// apart, each with its own distance delay and nothing else (the method of "Realtime binaural audio", Crunch
// engine blog, January 2013: delay of where the source is now, not of where it was when it sounded). Pan:
// constant-power stereo. Mono: both ears alike.
enum class Mode : std::uint8_t { Hrtf, Sphere, Plain, Pan, Mono };

// d: distance, r: reference distance, m: maximum distance, k: rolloff. As in the OpenAL 1.1 specification,
// 2005.
enum class DistanceModel : std::uint8_t {
    Inverse,        // r / (r + k (d - r)), d at least r; with k = 1: r / d
    InverseClamped, // the same, d at most m
    Linear,         // 1 - k (d - r) / (m - r), d within [r, m]
    Exponential,    // (d / r) ^ -k, d at least r
    None            // 1
};

struct SourceId {
    std::uint32_t slot = 0;
    std::uint32_t generation = 0; // 0: no source
    friend bool operator==(const SourceId&, const SourceId&) = default;
    explicit operator bool() const { return generation != 0; }
};

struct SourceSettings {
    float gain = 1.0F;
    float priority = 0.0F; // higher is heard first when voices are short, before audibility counts
    DistanceModel distanceModel = DistanceModel::Inverse;
    float referenceDistance = 1.0F; // m, > 0: no louder than here
    float maximumDistance = 340.0F; // m: Linear reaches silence here
    float rolloff = 1.0F;           // at 1, Inverse and Exponential are the same curve
    float coneInner = 360.0F; // degrees, full angle: within it, gain 1
    float coneOuter = 360.0F; // degrees: beyond it, coneOuterGain; between, smooth
    float coneOuterGain = 0.0F;
    float directivity = 0.0F; // 0: all round, 0.5: cardioid, 1: figure of eight: (1 - a + a cos)^power
    float directivityPower = 1.0F;
    float occlusion = 0.0F;        // 0: open, 1: fully behind something
    float transmissionGain = 0.3F; // what the obstacle lets through at occlusion 1
    float transmissionHz = 800.0F; // low-pass of what comes through, at occlusion 1
    bool airAbsorption = true;
    bool nearField = true;
    bool doppler = true; // false: heard at once, without propagation delay
    bool spatial = true; // false: into both ears at equal gain, at once
    bool mute = false;
    bool solo = false; // while any source is solo, only those sound
    std::uint64_t user = 0; // whose it is, and which of its sounds: comes back in the voice list
    std::uint32_t part = 0;
    friend bool operator==(const SourceSettings&, const SourceSettings&) = default;
};

// Where something is at a frame and how it moves; between points the path is the cubic that meets both.
struct ControlPoint {
    Frame at = 0;
    glm::dvec3 position{0.0};
    glm::dvec3 velocity{0.0};
    Quat orientation{1.0F, 0.0F, 0.0F, 0.0F}; // source: its -Z is the axis of cone and directivity
    bool teleport = false;                    // do not glide from the point before
};

enum class SignalKind : std::uint8_t { Silence, Tone, Noise, Sound };

class SoundData; // sound_data.h

struct Signal {
    SignalKind kind = SignalKind::Silence;
    float frequency = 440.0F;         // Hz: Tone
    const SoundData* sound = nullptr; // Sound; kept alive by the renderer's control side
    std::uint64_t seed = 1;           // Noise
    double pitch = 1.0;               // 1/64 to 4
    double offset = 0.0;              // seconds into the sound where it begins
    bool loop = false;
};

// Why a source is inaudible, in the order of the checks.
enum class SilentReason : std::uint8_t {
    Heard,
    NotPlaying, // never started, stopped or finished
    VoiceLimit, // virtual: others are more audible
    Distance,   // gain of distance below audibility, or sound still on its way; where no gain is alone, the lowest is reported
    Cone,       // outside cone or directivity
    Occlusion,  // what lies between lets nothing through
    Muted,      // mute, another's solo, or its own gain
    Bus,        // the master gain is 0
    Signal      // the sound itself is silent here
};

// One row of the voice list.
struct SourceState {
    SourceId id;
    std::uint64_t user = 0; // of its settings
    std::uint32_t part = 0;
    bool playing = false;
    bool isVirtual = false;
    bool mute = false;
    bool solo = false;
    float priority = 0.0F;
    SilentReason reason = SilentReason::NotPlaying;
    float distance = 0.0F;     // m, at emission
    float azimuth = 0.0F;      // radians, 0 ahead, positive to the right
    float elevation = 0.0F;    // radians, positive up
    float delay = 0.0F;        // s, to the centre of the head
    float itd = 0.0F;          // s, positive: the left ear hears later
    float dopplerRatio = 1.0F; // heard frequency over played frequency
    float ownGain = 1.0F;      // of its settings; the chain is own, distance, cone, occlusion, master
    float distanceGain = 1.0F;
    float coneGain = 1.0F;
    float occlusionGain = 1.0F;
    float gain = 0.0F;     // of the chain without the master; 0 if mute, or another is solo
    float peak = 0.0F;     // of the last block: behind all gains but the master, before the direction filter
    bool reflected = false; // in the last block, a room's walls gave it back
    bool walled = false;    // it is in a room, whose walls can give back what its cone turns away
    double position = 0.0; // seconds into the sound, as heard
};

// The renderer's own figures, published every few blocks.
struct Snapshot {
    Frame frame = 0;
    std::array<float, 2> peak{}; // of the blocks since the snapshot before
    std::array<float, 2> rms{};
    float masterGain = 1.0F;
    float limiterGain = 1.0F;          // lowest since the snapshot before
    bool limiterOn = true;
    float load = 0.0F;                 // time spent over time rendered, since the snapshot before; 1: no more than real time
    float peakLoad = 0.0F;             // of the most expensive block among them
    std::uint64_t missedBlocks = 0;    // of the block ring: the reader did not take them in time
    std::uint64_t badSamples = 0;      // not finite, replaced by silence
    std::uint64_t droppedCommands = 0; // ring full
    std::uint64_t filteredBlocks = 0;  // of all voices, so far: blocks with anything in them
    std::uint32_t realVoices = 0;
    std::uint32_t virtualVoices = 0;
    std::vector<SourceState> sources; // sized once; the first `sourceCount` are valid
    std::uint32_t sourceCount = 0;
};

// A block as it left the renderer, for meters, displays and recordings.
struct OutputBlock {
    static constexpr std::size_t Frames = 128;
    Frame frame = 0; // of the first sample
    std::array<float, Frames * 2> samples{}; // interleaved, behind the limiter
    std::array<float, 2> peak{};
    std::array<float, 2> rms{};
    float load = 0.0F; // time spent over time rendered
    // Of the source that is watched, if it has a voice: as it was heard at the block's end.
    SourceId watched;
    float distance = 0.0F;     // m
    float delay = 0.0F;        // s, to the centre of the head
    float itd = 0.0F;          // s, positive: the left ear hears later
    float dopplerRatio = 1.0F; // heard frequency over played frequency
    float gain = 0.0F;
};

// What is done last: for headphones worn the other way round, and ears that hear unequally.
struct EarMix {
    std::array<float, 2> gain{1.0F, 1.0F}; // left, right
    bool swap = false;                     // before the gains
    friend bool operator==(const EarMix&, const EarMix&) = default;
};

struct Air {
    double temperature = 20.0; // degrees Celsius
    double humidity = 50.0;    // per cent
    double pressure = 101.325; // kPa
    double speedOfSound = 0.0; // m/s, 200 to 500; 0: as in the renderer's settings
    friend bool operator==(const Air&, const Air&) = default;
};

// A box of walls around the listener: it gets reflections and reverberation of sources within. Outside of the box there are none.
struct Room {
    bool present = false;
    glm::dvec3 centre{0.0};
    Quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
    glm::dvec3 size{8.0, 3.0, 6.0};          // m, along its axes, 1 to 60
    std::array<double, 3> rt60{0.6, 0.5, 0.4}; // s until 60 dB down: below 500 Hz, to 4 kHz, above; 0.1 to 10
    int order = 1;                           // of the reflections that are heard one by one: 0 to 2
    float early = 1.0F;                      // gain of reflections; 1: as the walls' absorption gives
    float late = 1.0F;                       // gain of reverberation
    friend bool operator==(const Room&, const Room&) = default;
};

// Metres per second in dry air at `temperature` degrees Celsius: 331.3 m/s times the root of the absolute temperature over
// that at 0 degrees. Source: ISO 9613-1, "Attenuation of sound during propagation outdoors, part 1", 1993, for the dependence.
[[nodiscard]] double speedOfSound(double temperature);

} // namespace sbx::audio
