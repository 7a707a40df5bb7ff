#include "engine/audio/sound_file.h"

#include "engine/audio/detail/interpolation_tables.h"
#include "engine/audio/detail/sound_handle.h"
#include "engine/audio/detail/sound_limits.h"
#include "engine/audio/detail/sound_reader.h"
#include "engine/core/value.h"

#include <cmath>

namespace sbx::audio {

namespace {

// Frames at another rate, as resampled() gives them.
double framesAt(double frames, double fromRate, double toRate) { return std::ceil(frames * toRate / fromRate); }

} // namespace

Result<SoundFileInfo> inspectSound(const std::filesystem::path& file) { return inspectSound(AssetRef::ofFile(file)); }

Result<std::shared_ptr<const ResidentSound>> loadSound(const std::filesystem::path& file, double sampleRate) {
    return loadSound(AssetRef::ofFile(file), sampleRate);
}

Result<SoundFileInfo> inspectSound(const AssetRef& sound) {
    const Result<SoundReader> file = SoundReader::open(sound);
    if (!file) {
        return file.error();
    }
    return SoundFileInfo{static_cast<double>(file->frames()) / file->sampleRate(), file->sampleRate(), file->channels()};
}

Result<std::shared_ptr<const ResidentSound>> loadSound(const AssetRef& sound, double sampleRate) {
    Result<SoundReader> file = SoundReader::open(sound);
    if (!file) {
        return file.error();
    }
    constexpr auto Most = static_cast<double>(MaximumResidentFrames);
    const auto tooLong = [&](double frames) {
        return frames > Most || framesAt(frames, file->sampleRate(), sampleRate) > Most;
    };
    const Error length{"sound " + inQuotes(sound.name) + " would take more than 1 GiB of memory; expected a shorter one",
                       sound.path().string(),
                       {}};
    if (tooLong(static_cast<double>(file->frames()))) {
        return length;
    }
    // The header may promise more than the file holds: frames are counted as they come.
    constexpr std::size_t Piece = 65536;
    std::vector<float> mono;
    while (true) {
        const std::size_t size = mono.size();
        mono.resize(size + Piece);
        const std::size_t got = file->read(std::span<float>(mono).subspan(size));
        mono.resize(size + got);
        if (file->fault()) {
            return *file->fault();
        }
        if (tooLong(static_cast<double>(mono.size()))) {
            return length;
        }
        if (got < Piece) {
            break;
        }
    }
    return std::make_shared<const ResidentSound>(resampled(mono, file->sampleRate(), sampleRate),
                                                 file->mended());
}

struct WavWriter::Impl {
    std::filesystem::path path;
    SoundFileHandle file;
};

WavWriter::WavWriter(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
WavWriter::~WavWriter() = default;

Result<std::unique_ptr<WavWriter>> WavWriter::create(const std::filesystem::path& path, double sampleRate) {
    SF_INFO info{};
    info.channels = 2;
    info.samplerate = static_cast<int>(std::lround(sampleRate));
    info.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
    SoundFileHandle file(sf_open(path.c_str(), SFM_WRITE, &info));
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
    resamplePiece(table, rate, 0, result, 0, signal);
    return result;
}

} // namespace sbx::audio
