#include "app/sound/sound_take.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

namespace sbx::app {

Result<std::unique_ptr<SoundTake>> SoundTake::begin(const std::filesystem::path& file, double seconds, double sampleRate,
                                                    const audio::OutputRing& ring, Log& log) {
    auto writer = audio::WavWriter::create(file, sampleRate);
    if (!writer)
        return writer.error();
    const auto frames = static_cast<audio::Frame>(std::llround(seconds * sampleRate));
    return std::unique_ptr<SoundTake>(new SoundTake(std::move(*writer), file.string(), frames, sampleRate, ring, log));
}

SoundTake::SoundTake(std::unique_ptr<audio::WavWriter> writer, std::string name, audio::Frame frames, double sampleRate,
                     const audio::OutputRing& ring, Log& log)
    : m_writer(std::move(writer)), m_name(std::move(name)), m_from(ring.written()), m_frames(frames), m_sampleRate(sampleRate), m_ring(ring), m_log(log) {
    m_thread = std::thread([this] { run(); });
}

SoundTake::~SoundTake() {
    m_quit = true;
    m_thread.join();
}

void SoundTake::mark(audio::Frame at, std::string text) {
    const std::lock_guard lock(m_mutex);
    m_marks.push_back({at - m_from, std::move(text)});
}

void SoundTake::run() {
    constexpr audio::Frame Piece = 1024;
    std::vector<float> block(Piece * 2);
    audio::Frame at = m_from;
    const audio::Frame end = at + m_frames;
    audio::Frame lost = 0;
    Result<void> result;
    while (result && at < end && !m_quit) {
        const audio::Frame there = std::min(m_ring.written(), end);
        if (there == at) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            continue;
        }
        const audio::Frame count = std::min(Piece, there - at);
        const std::span<float> part(block.data(), static_cast<std::size_t>(count) * 2);
        if (!m_ring.read(at, part)) { // this thread was kept waiting for seconds
            std::fill(part.begin(), part.end(), 0.0F);
            lost += count;
        }
        result = m_writer->write(part);
        at += count;
    }
    if (result)
        result = m_writer->close();
    if (result) {
        std::vector<audio::SoundMark> marks;
        {
            const std::lock_guard lock(m_mutex);
            marks = std::exchange(m_marks, {});
        }
        result = audio::addMarks(m_name, std::move(marks), at - m_from);
    }
    if (!result)
        m_log.error("audio", result.error().toString());
    else
        m_log.info("audio", "recorded " + m_name);
    if (lost > 0)
        m_log.warning("audio", m_name + " misses " + std::to_string(std::lround(1e3 * static_cast<double>(lost) / m_sampleRate))
                                   + " ms: the machine was too busy to write it");
    m_finished.store(true, std::memory_order_release);
}

} // namespace sbx::app
