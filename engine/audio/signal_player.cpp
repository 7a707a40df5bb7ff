#include "engine/audio/detail/signal_player.h"

#include "engine/audio/sound_data.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::audio {

namespace {

constexpr std::uint64_t One = 1ULL << 32U;

// Source: G. L. Steele, D. Lea and C. H. Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
std::uint64_t mixed(std::uint64_t x) noexcept {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

} // namespace

std::uint64_t SignalPlayer::stepFor(double pitch) const noexcept {
    const double bounded = std::isfinite(pitch) ? std::clamp(pitch, 1.0 / 64.0, 4.0) : 1.0;
    if (m_signal.kind == SignalKind::Tone) {
        const double turns =
            std::clamp(static_cast<double>(m_signal.frequency) * bounded / m_sampleRate, 0.0, 0.5);
        return static_cast<std::uint64_t>(turns * 18446744073709551616.0);
    }
    return static_cast<std::uint64_t>(std::llround(bounded * static_cast<double>(One)));
}

void SignalPlayer::start(const Signal& signal, Frame at) noexcept {
    m_signal = signal;
    m_start = at;
    m_stop = Never;
    m_now = {at, 0, stepFor(signal.pitch)};
    if (signal.kind == SignalKind::Sound && std::isfinite(signal.offset) && signal.offset > 0.0) {
        m_now.phase = static_cast<std::uint64_t>(std::min(signal.offset * m_sampleRate, 4e9)) << 32U;
    }
    m_before = m_now;
}

void SignalPlayer::setPitch(double pitch, Frame at) noexcept {
    const Frame from = std::max(at, m_now.at);
    m_before = m_now;
    m_now = {from, m_before.phase + m_before.step * static_cast<std::uint64_t>(from - m_before.at),
             stepFor(pitch)};
    m_signal.pitch = pitch;
}

Frame SignalPlayer::end() const noexcept {
    Frame natural = Never;
    if (m_signal.kind == SignalKind::Silence) {
        natural = m_start;
    } else if (m_signal.kind == SignalKind::Sound && !m_signal.loop) {
        const auto length =
            static_cast<std::uint64_t>(m_signal.sound != nullptr ? m_signal.sound->length() : 0) << 32U;
        natural = m_now.phase >= length
                      ? m_now.at
                      : m_now.at + static_cast<Frame>((length - m_now.phase) / m_now.step) + 1;
    }
    return std::min(natural, m_stop == Never ? Never : m_stop + FadeFrames);
}

double SignalPlayer::position(Frame n) const noexcept {
    const Segment& segment = n >= m_now.at ? m_now : m_before;
    if (n < m_start) {
        return 0.0;
    }
    if (m_signal.kind != SignalKind::Sound) {
        return static_cast<double>(n - m_start) / m_sampleRate;
    }
    double frames =
        static_cast<double>(segment.phase + segment.step * static_cast<std::uint64_t>(n - segment.at))
        / static_cast<double>(One);
    const double length = m_signal.sound != nullptr ? static_cast<double>(m_signal.sound->length()) : 0.0;
    if (length > 0.0) {
        frames = m_signal.loop ? std::fmod(frames, length) : std::min(frames, length);
    }
    return frames / m_sampleRate;
}

void SignalPlayer::generate(Frame n, int count, float* out) const noexcept {
    if (m_signal.kind == SignalKind::Silence || n + count <= m_start
        || (m_stop != Never && n >= m_stop + FadeFrames)) {
        std::fill_n(out, count, 0.0F);
        return;
    }
    int done = 0;
    if (n < m_start) {
        done = static_cast<int>(m_start - n);
        std::fill_n(out, done, 0.0F);
    }
    if (n + done < m_now.at) {
        const int piece = static_cast<int>(std::min<Frame>(count - done, m_now.at - n - done));
        generateSegment(m_before, n + done, piece, out + done);
        done += piece;
    }
    if (done < count) {
        generateSegment(m_now, n + done, count - done, out + done);
    }
    if (m_stop != Never && n + count > m_stop) {
        for (int i = static_cast<int>(std::max<Frame>(0, m_stop - n)); i < count; ++i) {
            const Frame after = n + i - m_stop;
            out[i] *=
                after < FadeFrames
                    ? 0.5F
                          + 0.5F
                                * std::cos(std::numbers::pi_v<float> * static_cast<float>(after) / FadeFrames)
                    : 0.0F;
        }
    }
}

void SignalPlayer::generateSegment(const Segment& segment, Frame n, int count, float* out) const noexcept {
    const std::uint64_t phase = segment.phase + segment.step * static_cast<std::uint64_t>(n - segment.at);
    switch (m_signal.kind) {
    case SignalKind::Tone: {
        constexpr double ToRadians = 2.0 * std::numbers::pi / 18446744073709551616.0;
        const double angle = static_cast<double>(static_cast<std::int64_t>(phase)) * ToRadians;
        const double turn = static_cast<double>(segment.step) * ToRadians;
        double s = std::sin(angle);
        double c = std::cos(angle);
        const double ts = std::sin(turn);
        const double tc = std::cos(turn);
        for (int i = 0; i < count; ++i) {
            out[i] = static_cast<float>(s);
            const double next = s * tc + c * ts;
            c = c * tc - s * ts;
            s = next;
        }
        break;
    }
    case SignalKind::Noise:
        for (int i = 0; i < count; ++i) {
            const std::uint64_t bits =
                mixed(m_signal.seed * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(n + i - m_start));
            out[i] = static_cast<float>(static_cast<std::int32_t>(bits >> 32U)) * (1.0F / 2147483648.0F);
        }
        break;
    case SignalKind::Sound:
        generateSound(phase, segment.step, count, out);
        break;
    case SignalKind::Silence:
        std::fill_n(out, count, 0.0F);
        break;
    }
}

void SignalPlayer::generateSound(std::uint64_t phase, std::uint64_t step, int count,
                                 float* out) const noexcept {
    const SoundData* sound = m_signal.sound;
    if (sound == nullptr) {
        std::fill_n(out, count, 0.0F);
        return;
    }
    if (step == One && (phase & (One - 1)) == 0) {
        sound->read(static_cast<Frame>(phase >> 32U), count, m_signal.loop, out);
        return;
    }
    const double rate = static_cast<double>(step) / static_cast<double>(One);
    const InterpolationTable& table = m_tables->table(Quality::Best, rate);
    alignas(32) std::array<float, 1024 + 32> scratch{};
    alignas(32) std::array<float, BlockFrames> block{};
    while (count > 0) {
        const Frame first = static_cast<Frame>(phase >> 32U);
        const double fraction = static_cast<double>(phase & (One - 1)) / static_cast<double>(One);
        const int span = static_cast<int>(rate * BlockFrames) + 34;
        sound->read(first - 15, std::min(span, 1024), m_signal.loop, scratch.data());
        const ReadJob job{scratch.data(),
                          1023,
                          15,
                          {static_cast<float>(fraction), static_cast<float>(rate - 1.0), 0.0F, 0.0F},
                          table.rows.data(),
                          table.taps,
                          1.0F,
                          1.0F,
                          block.data(),
                          0};
        m_kernels->read(job);
        const int piece = std::min(count, BlockFrames);
        std::copy_n(block.data(), piece, out);
        out += piece;
        count -= piece;
        phase += step * static_cast<std::uint64_t>(piece);
    }
}

} // namespace sbx::audio
