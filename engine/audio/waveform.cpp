#include "engine/audio/waveform.h"

#include "engine/audio/detail/sound_reader.h"
#include "engine/core/import_process.h"

#include <algorithm>

namespace sbx::audio {

Result<Waveform> readWaveform(const AssetRef& sound, int columns, const ImportOptions& options) {
    Result<SoundReader> reader = SoundReader::open(sound, options);
    if (!reader) {
        return reader.error();
    }
    Waveform out;
    out.info = {static_cast<double>(reader->frames()) / reader->sampleRate(), reader->sampleRate(), reader->channels()};
    const std::int64_t frames = reader->frames();
    const std::int64_t count = std::clamp(columns, 1, 4096);
    std::vector<float> piece;
    for (std::int64_t column = 0; column < count; ++column) {
        // Not multiplied out: a header may promise any length.
        const std::int64_t begin = frames / count * column + frames % count * column / count;
        const std::int64_t end = frames / count * (column + 1) + frames % count * (column + 1) / count;
        piece.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(end - begin, 1, Waveform::FramesLookedAt)));
        const std::size_t got = reader->seek(begin) ? reader->read(piece) : 0;
        if (reader->fault()) {
            return *reader->fault();
        }
        if (got == 0) { // the file holds less than its header announces
            out.columns.emplace_back(0.0F, 0.0F);
            continue;
        }
        const auto [low, high] = std::minmax_element(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got));
        out.columns.emplace_back(std::clamp(*low, -1.0F, 1.0F), std::clamp(*high, -1.0F, 1.0F));
    }
    return out;
}

} // namespace sbx::audio
