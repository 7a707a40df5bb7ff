#include "engine/audio/sound_file.h"

#include "engine/audio/detail/interpolation_tables.h"
#include "engine/audio/detail/kernel_table.h"

#include <sndfile.h>

#include <algorithm>
#include <cmath>

namespace sbx::audio {

namespace {

constexpr sf_count_t MaximumFrames = 400000000; // over two hours at 48 kHz

struct Closer {
    void operator()(SNDFILE* file) const { sf_close(file); }
};
using File = std::unique_ptr<SNDFILE, Closer>;

Result<File> openSound(const std::filesystem::path& path, SF_INFO& info) {
    info = {};
    File file(sf_open(path.c_str(), SFM_READ, &info));
    if (!file) {
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
    return file;
}

} // namespace

Result<SoundFileInfo> inspectSound(const std::filesystem::path& path) {
    SF_INFO info;
    const Result<File> file = openSound(path, info);
    if (!file) {
        return file.error();
    }
    return SoundFileInfo{static_cast<double>(info.frames) / info.samplerate,
                         static_cast<double>(info.samplerate), info.channels};
}

Result<std::shared_ptr<const ResidentSound>> loadSound(const std::filesystem::path& path, double sampleRate) {
    SF_INFO info;
    const Result<File> file = openSound(path, info);
    if (!file) {
        return file.error();
    }
    // The header may promise more than the file holds: frames are counted as they come.
    constexpr sf_count_t Piece = 4096;
    const auto channels = static_cast<std::size_t>(info.channels);
    std::vector<float> piece(static_cast<std::size_t>(Piece) * channels);
    std::vector<float> mono;
    while (const sf_count_t got = sf_readf_float(file->get(), piece.data(), Piece)) {
        if (got < 0 || static_cast<sf_count_t>(mono.size()) + got > MaximumFrames) {
            return Error{"the sound cannot be read to its end", path.string(), {}};
        }
        for (std::size_t n = 0; n < static_cast<std::size_t>(got); ++n) {
            float sum = 0.0F;
            for (std::size_t c = 0; c < channels; ++c) {
                sum += piece[n * channels + c];
            }
            mono.push_back(std::isfinite(sum) ? sum / static_cast<float>(channels) : 0.0F);
        }
    }
    return std::make_shared<const ResidentSound>(
        resampled(mono, static_cast<double>(info.samplerate), sampleRate));
}

struct WavWriter::Impl {
    std::filesystem::path path;
    File file;
};

WavWriter::WavWriter(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
WavWriter::~WavWriter() = default;

Result<std::unique_ptr<WavWriter>> WavWriter::create(const std::filesystem::path& path, double sampleRate) {
    SF_INFO info{};
    info.channels = 2;
    info.samplerate = static_cast<int>(std::lround(sampleRate));
    info.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
    File file(sf_open(path.c_str(), SFM_WRITE, &info));
    if (!file) {
        return Error{std::string("cannot write: ") + sf_strerror(nullptr), path.string(), {}};
    }
    // The chunk of peaks holds the time of writing: without it the same sound is the same bytes.
    sf_command(file.get(), SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);
    return std::unique_ptr<WavWriter>(new WavWriter(std::make_unique<Impl>(Impl{path, std::move(file)})));
}

Result<void> WavWriter::write(std::span<const float> interleaved) {
    const auto frames = static_cast<sf_count_t>(interleaved.size() / 2);
    if (!m_impl->file || sf_writef_float(m_impl->file.get(), interleaved.data(), frames) != frames) {
        return Error{std::string("cannot write: ") + sf_strerror(m_impl->file.get()), m_impl->path.string(), {}};
    }
    return {};
}

Result<void> WavWriter::close() {
    if (m_impl->file && sf_close(m_impl->file.release()) != 0) {
        return Error{"cannot write to its end", m_impl->path.string(), {}};
    }
    return {};
}

Result<void> writeWav(const std::filesystem::path& path, std::span<const float> interleaved, double sampleRate) {
    const auto writer = WavWriter::create(path, sampleRate);
    if (!writer) {
        return writer.error();
    }
    if (const Result<void> written = (*writer)->write(interleaved); !written) {
        return written;
    }
    return (*writer)->close();
}

std::vector<float> resampled(std::span<const float> signal, double fromRate, double toRate) {
    if (fromRate == toRate || signal.empty()) {
        return {signal.begin(), signal.end()};
    }
    const InterpolationTables tables;
    const double rate = fromRate / toRate;
    const InterpolationTable& table = tables.table(Quality::Best, rate);
    std::vector<float> result(static_cast<std::size_t>(std::ceil(static_cast<double>(signal.size()) / rate)));
    const auto size = static_cast<std::ptrdiff_t>(signal.size());
    for (std::size_t n = 0; n < result.size(); ++n) {
        const double place = static_cast<double>(n) * rate;
        const double whole = std::floor(place);
        const double phase = (place - whole) * SincPhases;
        const int row = std::min(static_cast<int>(phase), SincPhases - 1);
        const float blend = static_cast<float>(phase - row);
        const float* c = table.rows.data() + row * table.taps;
        const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(whole) - (table.taps / 2 - 1);
        float sum = 0.0F;
        for (int t = 0; t < table.taps; ++t) {
            const std::ptrdiff_t at = first + t;
            if (at >= 0 && at < size) {
                sum += signal[static_cast<std::size_t>(at)] * (c[t] + (c[t + table.taps] - c[t]) * blend);
            }
        }
        result[n] = sum;
    }
    return result;
}

} // namespace sbx::audio
