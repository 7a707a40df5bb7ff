#include "engine/audio/sound_data.h"

#include <algorithm>

namespace sbx::audio {

void ResidentSound::read(std::int64_t from, int count, bool loop, float* out) const noexcept {
    const std::int64_t size = length();
    if (size == 0) {
        std::fill_n(out, count, 0.0F);
        return;
    }
    while (count > 0) {
        std::int64_t at = from;
        if (at < 0) { // also with loop: a sound has no past before its start
            const int lead = static_cast<int>(std::min<std::int64_t>(count, -at));
            std::fill_n(out, lead, 0.0F);
            from += lead;
            out += lead;
            count -= lead;
            continue;
        }
        if (loop) {
            at %= size;
        } else if (at >= size) {
            std::fill_n(out, count, 0.0F);
            return;
        }
        const int piece = static_cast<int>(std::min<std::int64_t>(count, size - at));
        std::copy_n(m_frames.data() + at, piece, out);
        from += piece;
        out += piece;
        count -= piece;
    }
}

} // namespace sbx::audio
