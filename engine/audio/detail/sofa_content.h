#pragma once
// What libmysofa has read, checked field by field. Control side.

#include "engine/audio/hrtf_set.h"

struct MYSOFA_HRTF;

namespace sbx::audio {

// An error names the field at fault, what is there, and what is expected.
[[nodiscard]] Result<HrtfResponses> responsesOf(const MYSOFA_HRTF& content, const std::filesystem::path& file);

} // namespace sbx::audio
