#include "engine/audio/sound_file.h"

#include "engine/audio/detail/interpolation_tables.h"
#include "engine/audio/detail/sound_handle.h"
#include "engine/audio/detail/sound_limits.h"
#include "engine/audio/detail/sound_reader.h"
#include "engine/core/detail/descriptor.h"
#include "engine/core/value.h"
#include "engine/core/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <utility>

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

// libsndfile makes the header, and its bytes come here: each write is checked, and the reason of the first that fails is kept.
struct WavWriter::Impl {
    std::filesystem::path path;
    detail::Descriptor output;
    int code = 0; // errno of what failed first
    SoundFileHandle file = nullptr;
    sf_count_t header = 0; // bytes before the first frame
    sf_count_t updateEvery = 0;
    sf_count_t sinceUpdate = 0; // frames since the header counted them

    Impl(std::filesystem::path target, int descriptor) : path(std::move(target)), output(descriptor) {}

    static sf_count_t length(void* self) {
        struct stat status {};
        return ::fstat(static_cast<Impl*>(self)->output.get(), &status) == 0 ? status.st_size : 0;
    }
    static sf_count_t seek(sf_count_t offset, int whence, void* self) {
        return ::lseek(static_cast<Impl*>(self)->output.get(), offset, whence);
    }
    static sf_count_t tell(void* self) { return ::lseek(static_cast<Impl*>(self)->output.get(), 0, SEEK_CUR); }
    static sf_count_t read(void*, sf_count_t, void*) { return 0; }
    static sf_count_t write(const void* bytes, sf_count_t count, void* self) {
        Impl& impl = *static_cast<Impl*>(self);
        sf_count_t done = 0;
        while (done < count && impl.code == 0) {
            const ssize_t put = ::write(impl.output.get(), static_cast<const char*>(bytes) + done, static_cast<std::size_t>(count - done));
            if (put >= 0)
                done += put;
            else if (errno != EINTR)
                impl.code = errno;
        }
        return done;
    }

    // What is on the disk is then a WAV file of the frames that were written as a whole.
    [[nodiscard]] Error failed() {
        const int why = std::exchange(code, 0); // the header has room: it is written over
        const sf_count_t frames = std::max<sf_count_t>(0, length(this) - header) / FrameBytes;
        if (::ftruncate(output.get(), header + frames * FrameBytes) == 0)
            sf_command(file.get(), SFC_UPDATE_HEADER_NOW, nullptr, 0);
        file.reset();
        return fileError(path, "write", why);
    }

    static constexpr sf_count_t FrameBytes = 2 * sizeof(float);
};

WavWriter::WavWriter(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
WavWriter::~WavWriter() = default;

Result<std::unique_ptr<WavWriter>> WavWriter::create(const std::filesystem::path& path, double sampleRate) {
    SF_INFO info{};
    info.channels = 2;
    info.samplerate = static_cast<int>(std::lround(sampleRate));
    info.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
    auto impl = std::make_unique<Impl>(path, ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (impl->output.get() < 0) {
        return fileError(path, "write", errno);
    }
    SF_VIRTUAL_IO calls{&Impl::length, &Impl::seek, &Impl::read, &Impl::write, &Impl::tell};
    impl->file.reset(sf_open_virtual(&calls, SFM_WRITE, &info, impl.get()));
    if (!impl->file && impl->code != 0) {
        return fileError(path, "write", impl->code);
    }
    if (!impl->file) {
        return Error{std::string("cannot write: ") + sf_strerror(nullptr), path.string(), {}};
    }
    // The chunk of peaks holds the time of writing: without it the same sound is the same bytes.
    sf_command(impl->file.get(), SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);
    sf_command(impl->file.get(), SFC_UPDATE_HEADER_NOW, nullptr, 0);
    impl->header = Impl::length(impl.get());
    impl->updateEvery = info.samplerate;
    if (impl->code != 0) {
        return impl->failed();
    }
    return std::unique_ptr<WavWriter>(new WavWriter(std::move(impl)));
}

Result<void> WavWriter::write(std::span<const float> interleaved) {
    if (!m_impl->file) {
        return Error{"cannot write: the file was closed", m_impl->path.string(), {}};
    }
    const auto frames = static_cast<sf_count_t>(interleaved.size() / 2);
    sf_writef_float(m_impl->file.get(), interleaved.data(), frames);
    // Of a program that is killed, all but the last second is there.
    m_impl->sinceUpdate += frames;
    if (m_impl->sinceUpdate >= m_impl->updateEvery && m_impl->code == 0) {
        m_impl->sinceUpdate = 0;
        sf_command(m_impl->file.get(), SFC_UPDATE_HEADER_NOW, nullptr, 0);
    }
    if (m_impl->code != 0) {
        return m_impl->failed();
    }
    return {};
}

Result<void> WavWriter::close() {
    if (!m_impl->file) {
        return {};
    }
    sf_close(m_impl->file.release());
    if (m_impl->code != 0) {
        return fileError(m_impl->path, "write to its end", m_impl->code);
    }
    if (!m_impl->output.close()) {
        return fileError(m_impl->path, "write to its end", errno);
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
