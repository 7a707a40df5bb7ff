#pragma once
// What a sound file of a project may hold. Checked before memory is taken, in the import process and again in the program.

#include <cstdint>

namespace sbx::audio {

inline constexpr std::uint64_t MaximumSoundFileSize = 0xFFFFFFFFULL; // bytes: a WAV file ends there
inline constexpr std::int64_t MaximumSoundFrames = 400'000'000;      // over two hours at 48 kHz
inline constexpr std::int64_t MaximumResidentFrames = 268'435'456; // of a sound that is held in memory: 1 GiB
inline constexpr std::uint32_t MaximumSoundChannels = 64;
inline constexpr std::uint32_t MinimumSoundRate = 1'000;          // Hz
inline constexpr std::uint32_t MaximumSoundRate = 768'000;        // Hz
inline constexpr std::uint64_t MaximumSoundRequest = 1ULL << 18U; // frames of one answer

} // namespace sbx::audio
