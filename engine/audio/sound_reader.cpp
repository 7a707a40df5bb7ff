#include "engine/audio/detail/sound_reader.h"

#include "engine/audio/detail/interpolation_tables.h"
#include "engine/audio/detail/kernel_table.h"
#include "engine/audio/detail/sound_limits.h"
#include "engine/core/import_process.h"
#include "engine/core/value.h"

#include <algorithm>
#include <cmath>

namespace sbx::audio {

struct SoundReader::Impl {
    ImportProcess process;
    SoundHead head;
    std::int64_t at = 0; // the frame that is read next
    std::optional<Error> fault;
    Error place; // of the file, for errors
    std::size_t mended = 0;

    [[nodiscard]] Error error(const std::string& what) const { return {place.message + what, place.file, {}}; }
};

SoundReader::SoundReader(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
SoundReader::SoundReader(SoundReader&& other) noexcept = default;
SoundReader& SoundReader::operator=(SoundReader&& other) noexcept = default;
SoundReader::~SoundReader() = default;

Result<SoundReader> SoundReader::open(const AssetRef& sound) { return open(sound, {}); }

Result<SoundReader> SoundReader::open(const AssetRef& sound, const ImportOptions& options) {
    const Error place{"sound " + inQuotes(sound.name) + ' ', sound.path().string(), {}};
    const auto fail = [&](const std::string& what) { return Error{place.message + what, place.file, {}}; };
    const Result<AssetFile> file = openAsset(sound, MaximumSoundFileSize);
    if (!file) {
        return fail(file.error().message);
    }
    Result<ImportProcess> process = ImportProcess::start(*file, {"sound"}, options);
    if (!process) {
        return fail(process.error().message);
    }
    const Result<FrameHead> frame = process->next();
    if (!frame) {
        return fail(frame.error().message);
    }
    SoundHead head;
    if (frame->kind != FrameKind::Sound || frame->length != sizeof head) {
        return fail(ImportProcess::malformed().message);
    }
    if (const Result<void> got = process->receive(std::as_writable_bytes(std::span(&head, 1))); !got) {
        return fail(got.error().message);
    }
    if (head.channels < 1 || head.channels > MaximumSoundChannels || head.sampleRate < MinimumSoundRate
        || head.sampleRate > MaximumSoundRate || head.frames < 0 || head.frames > MaximumSoundFrames) {
        return fail(ImportProcess::malformed().message);
    }
    return SoundReader(std::make_unique<Impl>(Impl{std::move(*process), head, 0, std::nullopt, place, 0}));
}

std::int64_t SoundReader::frames() const { return m_impl->head.frames; }
double SoundReader::sampleRate() const { return static_cast<double>(m_impl->head.sampleRate); }
int SoundReader::channels() const { return static_cast<int>(m_impl->head.channels); }
std::size_t SoundReader::mended() const { return m_impl->mended; }
const std::optional<Error>& SoundReader::fault() const { return m_impl->fault; }

bool SoundReader::seek(std::int64_t frame) {
    if (frame < 0 || frame > m_impl->head.frames) {
        return false;
    }
    m_impl->at = frame;
    return true;
}

std::size_t SoundReader::read(std::span<float> mono) {
    Impl& state = *m_impl;
    std::size_t done = 0;
    while (done < mono.size() && !state.fault) {
        const SoundRequest request{state.at, std::min<std::uint64_t>(mono.size() - done, MaximumSoundRequest)};
        Result<void> sent = state.process.send(FrameKind::Read, std::as_bytes(std::span(&request, 1)));
        const Result<FrameHead> frame = sent ? state.process.next() : Result<FrameHead>(sent.error());
        if (!frame) {
            state.fault = state.error(frame.error().message);
            break;
        }
        const std::size_t count = static_cast<std::size_t>(frame->length) / sizeof(float);
        if (frame->kind != FrameKind::Frames || frame->length > request.count * sizeof(float) || frame->length % sizeof(float) != 0) {
            state.fault = state.error(ImportProcess::malformed().message);
            break;
        }
        const std::span<float> piece = mono.subspan(done, count);
        if (const Result<void> got = state.process.receive(std::as_writable_bytes(piece)); !got) {
            state.fault = state.error(got.error().message);
            break;
        }
        for (float& value : piece) {
            if (!(std::abs(value) <= Loudest)) {
                value = std::isfinite(value) ? std::copysign(Loudest, value) : 0.0F;
                ++state.mended;
            }
        }
        done += count;
        state.at += static_cast<std::int64_t>(count);
        if (count < request.count) {
            break;
        }
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
