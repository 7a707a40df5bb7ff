#include "app/import/sound_decoder.h"

#include "engine/audio/detail/sound_handle.h"
#include "engine/audio/detail/sound_limits.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::importing {

namespace {

constexpr const char* Expected =
    "; expected a WAV (PCM, floats, A-law, u-law), FLAC or Ogg (Vorbis, Opus) file";

bool isPromised(int format) {
    const int kind = format & SF_FORMAT_SUBMASK;
    switch (format & SF_FORMAT_TYPEMASK) {
    case SF_FORMAT_WAV:
    case SF_FORMAT_WAVEX:
        return kind == SF_FORMAT_PCM_U8 || kind == SF_FORMAT_PCM_16 || kind == SF_FORMAT_PCM_24
               || kind == SF_FORMAT_PCM_32 || kind == SF_FORMAT_FLOAT || kind == SF_FORMAT_DOUBLE
               || kind == SF_FORMAT_ALAW || kind == SF_FORMAT_ULAW;
    case SF_FORMAT_FLAC:
        return true;
    case SF_FORMAT_OGG:
        return kind == SF_FORMAT_VORBIS || kind == SF_FORMAT_OPUS;
    default:
        return false;
    }
}

} // namespace

struct SoundDecoder::Impl {
    audio::SoundFileHandle file;
    SF_INFO info{};
    std::int64_t at = 0; // the frame that is read next
    std::vector<float> piece;
};

SoundDecoder::SoundDecoder(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
SoundDecoder::SoundDecoder(SoundDecoder&& other) noexcept = default;
SoundDecoder& SoundDecoder::operator=(SoundDecoder&& other) noexcept = default;
SoundDecoder::~SoundDecoder() = default;

Result<SoundDecoder> SoundDecoder::open(int descriptor) {
    std::array<char, 12> bytes{};
    const ssize_t length = ::pread(descriptor, bytes.data(), bytes.size(), 0);
    const std::string_view first(bytes.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    const bool wav = first.starts_with("RIFF") && first.ends_with("WAVE");
    if (!wav && !first.starts_with("fLaC") && !first.starts_with("OggS"))
        return makeError(std::string("is no sound file of a known format") + Expected);
    auto impl = std::make_unique<Impl>();
    SF_INFO& info = impl->info;
    impl->file.reset(sf_open_fd(descriptor, SFM_READ, &info, SF_FALSE));
    if (!impl->file)
        return makeError(std::string("cannot be decoded: ") + sf_strerror(nullptr) + Expected);
    if (!isPromised(info.format))
        return makeError(std::string("is coded in another way") + Expected);
    const auto number = [](auto value) { return std::to_string(value); };
    if (info.channels < 1 || info.channels > static_cast<int>(audio::MaximumSoundChannels)
        || info.samplerate < static_cast<int>(audio::MinimumSoundRate)
        || info.samplerate > static_cast<int>(audio::MaximumSoundRate))
        return makeError("has " + number(info.channels) + " channels at " + number(info.samplerate)
                         + " Hz; expected 1 to " + number(audio::MaximumSoundChannels) + " channels at "
                         + number(audio::MinimumSoundRate) + " to " + number(audio::MaximumSoundRate)
                         + " Hz");
    if (info.frames < 0 || info.frames > audio::MaximumSoundFrames)
        return makeError("has " + number(info.frames) + " frames; expected at most "
                         + number(audio::MaximumSoundFrames));
    return SoundDecoder(std::move(impl));
}

SoundHead SoundDecoder::head() const {
    return {m_impl->info.frames, static_cast<std::uint32_t>(m_impl->info.samplerate),
            static_cast<std::uint32_t>(m_impl->info.channels)};
}

std::size_t SoundDecoder::read(std::int64_t from, std::span<float> mono) {
    constexpr std::size_t Piece = 4096;
    if (from != m_impl->at && sf_seek(m_impl->file.get(), from, SEEK_SET) != from) {
        m_impl->at = -1; // where it stands is not known
        return 0;
    }
    const auto channels = static_cast<std::size_t>(m_impl->info.channels);
    m_impl->piece.resize(Piece * channels);
    std::size_t done = 0;
    while (done < mono.size()) {
        const sf_count_t got = sf_readf_float(m_impl->file.get(), m_impl->piece.data(),
                                              static_cast<sf_count_t>(std::min(Piece, mono.size() - done)));
        if (got <= 0)
            break;
        for (std::size_t n = 0; n < static_cast<std::size_t>(got); ++n) {
            float sum = 0.0F;
            for (std::size_t c = 0; c < channels; ++c)
                sum += m_impl->piece[n * channels + c];
            mono[done + n] = sum / static_cast<float>(channels); // the program looks whether it is a number
        }
        done += static_cast<std::size_t>(got);
    }
    m_impl->at = from + static_cast<std::int64_t>(done);
    return done;
}

} // namespace sbx::importing
