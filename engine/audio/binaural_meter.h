#pragma once
// What can be read off a stretch of stereo as it left the renderer, or off any recording: levels, and the differences between the two ears.
// measureBinaural() knows nothing of how it was made. All of it allocates: for displays, not for the audio thread.

#include "engine/audio/hrtf_set.h"

#include <array>
#include <cstddef>
#include <span>

namespace sbx::audio {

struct BinauralReading {
    static constexpr std::size_t Bands = 5;
    static constexpr std::array<double, Bands + 1> Edges = {100.0, 500.0, 1500.0, 4000.0, 8000.0, 16000.0}; // Hz

    std::array<float, 2> peak{}; // left, right
    std::array<float, 2> rms{};
    float itd = 0.0F;          // s, positive: the left ear hears later, as of a sound at the right. Of the waves from 100 to 1500 Hz;
                               // a tone's turns are resolved by the louder ear
    float itdCertainty = 0.0F; // how alike the ears are at that delay: 1 the same but for level, 0 silence or nothing alike
    std::array<float, Bands> ild{};                    // dB, positive: the right ear hears louder
    std::array<std::array<float, 2>, Bands> bandLevel{}; // dB re full scale, of left and right; -200 at most: silence
};

// `interleaved`: two floats a frame, at least 64 frames; 4096 resolve delays to some microseconds.
[[nodiscard]] BinauralReading measureBinaural(std::span<const float> interleaved, double sampleRate);

// What measureBinaural() reads as itd of an impulse from direction `to` (a unit vector of the head) through these responses: their own
// delay, and that of their filters from 100 to 1500 Hz. Of other spectra it reads some microseconds more or less.
[[nodiscard]] float measuredItd(const HrtfSet& set, const Vec3& to);

} // namespace sbx::audio
