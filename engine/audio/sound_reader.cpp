#include "engine/audio/detail/sound_reader.h"

#include "engine/audio/detail/interpolation_tables.h"
#include "engine/audio/detail/kernel_table.h"
#include "engine/audio/detail/sound_handle.h"

#include <algorithm>
#include <cmath>

namespace sbx::audio {

struct SoundReader::Impl {
    SoundFileHandle file;
    SF_INFO info{};
    std::vector<float> piece;
};

SoundReader::SoundReader(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
SoundReader::SoundReader(SoundReader&& other) noexcept = default;
SoundReader& SoundReader::operator=(SoundReader&& other) noexcept = default;
SoundReader::~SoundReader() = default;

Result<SoundReader> SoundReader::open(const std::filesystem::path& path) {
    auto impl = std::make_unique<Impl>();
    SF_INFO& info = impl->info;
    impl->file.reset(sf_open(path.c_str(), SFM_READ, &info));
    if (!impl->file) {
        return Error{std::string(sf_strerror(nullptr)) + "; expected a sound file (WAV, FLAC or OGG)",
                     path.string(),
                     {}};
    }
    if (info.channels < 1 || info.channels > 64 || info.samplerate < 1000 || info.samplerate > 768000) {
        return Error{std::to_string(info.channels) + " channels at " + std::to_string(info.samplerate)
                         + " Hz; expected 1 to 64 channels at 1000 to 768000 Hz",
                     path.string(),
                     {}};
    }
    if (info.frames < 0 || info.frames > MaximumFrames) {
        return Error{std::to_string(info.frames) + " frames; expected at most "
                         + std::to_string(MaximumFrames),
                     path.string(),
                     {}};
    }
    return SoundReader(std::move(impl));
}

std::int64_t SoundReader::frames() const { return m_impl->info.frames; }
double SoundReader::sampleRate() const { return static_cast<double>(m_impl->info.samplerate); }
int SoundReader::channels() const { return m_impl->info.channels; }
bool SoundReader::seek(std::int64_t frame) { return sf_seek(m_impl->file.get(), frame, SEEK_SET) == frame; }

std::size_t SoundReader::read(std::span<float> mono) {
    constexpr std::size_t Piece = 4096;
    const auto channels = static_cast<std::size_t>(m_impl->info.channels);
    m_impl->piece.resize(Piece * channels);
    std::size_t done = 0;
    while (done < mono.size()) {
        const sf_count_t got = sf_readf_float(m_impl->file.get(), m_impl->piece.data(),
                                              static_cast<sf_count_t>(std::min(Piece, mono.size() - done)));
        if (got <= 0) {
            break;
        }
        for (std::size_t n = 0; n < static_cast<std::size_t>(got); ++n) {
            float sum = 0.0F;
            for (std::size_t c = 0; c < channels; ++c) {
                sum += m_impl->piece[n * channels + c];
            }
            mono[done + n] = std::isfinite(sum) ? sum / static_cast<float>(channels) : 0.0F;
        }
        done += static_cast<std::size_t>(got);
    }
    return done;
}

void resamplePiece(const InterpolationTable& table, double rate, std::int64_t first, std::span<float> out,
                   std::int64_t heldFirst, std::span<const float> held) {
    const auto size = static_cast<std::int64_t>(held.size());
    for (std::size_t n = 0; n < out.size(); ++n) {
        const double place = static_cast<double>(first + static_cast<std::int64_t>(n)) * rate;
        const double whole = std::floor(place);
        const double phase = (place - whole) * SincPhases;
        const int row = std::min(static_cast<int>(phase), SincPhases - 1);
        const float blend = static_cast<float>(phase - row);
        const float* c = table.rows.data() + row * table.taps;
        const std::int64_t from = static_cast<std::int64_t>(whole) - (table.taps / 2 - 1) - heldFirst;
        float sum = 0.0F;
        for (int t = 0; t < table.taps; ++t) {
            const std::int64_t at = from + t;
            if (at >= 0 && at < size) {
                sum += held[static_cast<std::size_t>(at)] * (c[t] + (c[t + table.taps] - c[t]) * blend);
            }
        }
        out[n] = sum;
    }
}

} // namespace sbx::audio
