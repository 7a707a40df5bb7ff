#include "engine/audio/streamed_sound.h"

#include "engine/audio/detail/interpolation_tables.h"
#include "engine/audio/detail/sound_reader.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

namespace sbx::audio {

namespace {

constexpr std::chrono::milliseconds LookEvery{10};
constexpr std::int64_t Nothing = -1;
constexpr std::int64_t Kept = 2;   // pieces from the beginning
constexpr std::int64_t Ahead = 2;  // pieces after the one that is read

} // namespace

struct StreamedSound::Impl {
    // Audio threads register that they are inside before they look up the piece; the reader takes the piece away before it looks
    // whether a thread is inside.
    struct Slot {
        std::atomic<std::int64_t> piece{Nothing};
        std::atomic<int> inside{0};
        std::atomic<std::uint64_t> used{0}; // when, by `clock`
        std::vector<float> frames;
    };

    Impl(SoundReader file, double sampleRate)
        : reader(std::move(file)),
          rate(reader.sampleRate() / sampleRate),
          length(static_cast<std::int64_t>(std::ceil(static_cast<double>(reader.frames()) / rate))),
          table(tables.table(Quality::Best, rate)) {
        for (Slot& slot : slots) {
            slot.frames.resize(static_cast<std::size_t>(PieceFrames));
        }
        for (std::atomic<std::int64_t>& entry : asked) {
            entry.store(Nothing, std::memory_order_relaxed);
        }
    }

    void ask(std::int64_t piece, bool loop) noexcept {
        const std::uint64_t now = clock.fetch_add(1, std::memory_order_relaxed);
        asked[now % asked.size()].store(piece * 2 + (loop ? 1 : 0), std::memory_order_relaxed);
    }

    [[nodiscard]] bool copy(std::int64_t piece, std::int64_t at, std::int64_t count, float* out) noexcept {
        for (Slot& slot : slots) {
            if (slot.piece.load(std::memory_order_relaxed) != piece) {
                continue;
            }
            slot.inside.fetch_add(1);
            const bool there = slot.piece.load() == piece;
            if (there) {
                std::memcpy(out, slot.frames.data() + at, static_cast<std::size_t>(count) * sizeof(float));
                slot.used.store(clock.load(std::memory_order_relaxed), std::memory_order_relaxed);
            }
            slot.inside.fetch_sub(1);
            if (there) {
                return true;
            }
        }
        return false;
    }

    // ---- the sound's own thread ----

    void load(std::int64_t piece, const std::vector<std::int64_t>& wanted) {
        Slot* oldest = nullptr;
        for (Slot& slot : slots) {
            const std::int64_t there = slot.piece.load();
            if (there == piece) {
                return;
            }
            if (there != Nothing && (there < Kept || std::find(wanted.begin(), wanted.end(), there) != wanted.end())) {
                continue;
            }
            const auto age = [](const Slot& s) { return s.piece.load() == Nothing ? 0 : s.used.load() + 1; };
            if (oldest == nullptr || age(slot) < age(*oldest)) {
                oldest = &slot;
            }
        }
        if (oldest == nullptr) {
            return; // more are played at once than there are places
        }
        oldest->piece.store(Nothing);
        while (oldest->inside.load() != 0) {
            std::this_thread::yield();
        }
        const std::int64_t first = piece * PieceFrames;
        const std::int64_t from =
            std::max<std::int64_t>(0, static_cast<std::int64_t>(static_cast<double>(first) * rate) - table.taps);
        const auto count =
            static_cast<std::size_t>(std::ceil(static_cast<double>(PieceFrames) * rate)) + 2U * static_cast<std::size_t>(table.taps);
        held.assign(count, 0.0F);
        if (reader.seek(from)) {
            static_cast<void>(reader.read(held));
            failed.store(reader.fault().has_value(), std::memory_order_release); // stays so, and the error stays as it is
        }
        if (rate == 1.0) {
            std::copy_n(held.begin() + static_cast<std::ptrdiff_t>(first - from), PieceFrames, oldest->frames.begin());
        } else {
            resamplePiece(table, rate, first, oldest->frames, from, held);
        }
        oldest->used.store(clock.load());
        oldest->piece.store(piece);
    }

    void serve() {
        const std::int64_t pieces = (length + PieceFrames - 1) / PieceFrames;
        std::vector<std::int64_t> needed; // requested now
        std::vector<std::int64_t> wanted; // and what comes after, by urgency
        for (std::atomic<std::int64_t>& entry : asked) {
            const std::int64_t said = entry.exchange(Nothing, std::memory_order_relaxed);
            if (said != Nothing && std::find(needed.begin(), needed.end(), said) == needed.end()) {
                needed.push_back(said);
            }
        }
        for (std::int64_t step = 0; step <= Ahead; ++step) {
            for (const std::int64_t said : needed) {
                std::int64_t piece = said / 2 + step;
                if (piece >= pieces && (said & 1) != 0 && pieces > 0) {
                    piece %= pieces;
                }
                if (piece < pieces) {
                    wanted.push_back(piece);
                }
            }
        }
        for (const std::int64_t piece : wanted) {
            load(piece, wanted);
        }
    }

    SoundReader reader;
    InterpolationTables tables;
    double rate; // frames of the file for each frame out
    std::int64_t length;
    const InterpolationTable& table;
    std::array<Slot, Slots> slots;
    std::array<std::atomic<std::int64_t>, 64> asked; // twice the piece, plus one if it is looped
    std::atomic<std::uint64_t> clock{0};
    std::atomic<std::uint64_t> missed{0};
    std::atomic<bool> failed{false};
    std::vector<float> held;
    std::mutex mutex;
    std::condition_variable_any turn;
    std::jthread thread; // last: ends first
};

StreamedSound::StreamedSound(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
StreamedSound::~StreamedSound() = default;

Result<std::shared_ptr<const StreamedSound>> StreamedSound::open(const std::filesystem::path& file, double sampleRate) {
    return open(AssetRef::ofFile(file), sampleRate);
}

Result<std::shared_ptr<const StreamedSound>> StreamedSound::open(const AssetRef& sound, double sampleRate) {
    Result<SoundReader> reader = SoundReader::open(sound);
    if (!reader) {
        return reader.error();
    }
    auto impl = std::make_unique<Impl>(std::move(*reader), sampleRate);
    for (std::int64_t piece = 0; piece < Kept; ++piece) {
        impl->load(piece, {});
    }
    impl->thread = std::jthread([state = impl.get()](const std::stop_token& stop) {
        std::unique_lock lock(state->mutex);
        while (!stop.stop_requested()) {
            state->serve();
            state->turn.wait_for(lock, stop, LookEvery, [] { return false; });
        }
    });
    return std::shared_ptr<const StreamedSound>(new StreamedSound(std::move(impl)));
}

std::int64_t StreamedSound::length() const noexcept { return m_impl->length; }

std::uint64_t StreamedSound::missed() const noexcept { return m_impl->missed.load(std::memory_order_relaxed); }

const Error* StreamedSound::fault() const noexcept {
    return m_impl->failed.load(std::memory_order_acquire) ? &*m_impl->reader.fault() : nullptr;
}

void StreamedSound::read(std::int64_t from, int count, bool loop, float* out) const noexcept {
    Impl& state = *m_impl;
    while (count > 0) {
        std::int64_t piece = count; // frames in one go
        if (from < 0) {
            piece = std::min<std::int64_t>(count, -from);
            std::fill_n(out, piece, 0.0F);
        } else if (state.length == 0 || (!loop && from >= state.length)) {
            std::fill_n(out, piece, 0.0F);
        } else {
            const std::int64_t at = from % state.length;
            const std::int64_t inside = at % PieceFrames;
            piece = std::min({piece, PieceFrames - inside, state.length - at});
            state.ask(at / PieceFrames, loop);
            if (!state.copy(at / PieceFrames, inside, piece, out)) {
                std::fill_n(out, piece, 0.0F);
                state.missed.fetch_add(static_cast<std::uint64_t>(piece), std::memory_order_relaxed);
            }
        }
        from += piece;
        out += piece;
        count -= static_cast<int>(piece);
    }
}

} // namespace sbx::audio
