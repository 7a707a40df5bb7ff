#pragma once
// Writes what is heard to a file, while it is played: reads the ring on a thread of its own until it has its length.
// Made and ended on one thread; the ring and the log outlive it. Ended early, the file holds what was heard until then.

#include "engine/audio/output_ring.h"
#include "engine/audio/sound_file.h"
#include "engine/audio/sound_marks.h"
#include "engine/core/log.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace sbx::app {

class SoundTake {
public:
    [[nodiscard]] static Result<std::unique_ptr<SoundTake>> begin(const std::filesystem::path& file, double seconds,
                                                                  double sampleRate, const audio::OutputRing& ring, Log& log);
    ~SoundTake();
    SoundTake(const SoundTake&) = delete;
    SoundTake& operator=(const SoundTake&) = delete;
    // Names a place, by frames of the ring; written when it is finished. From any thread.
    void mark(audio::Frame at, std::string text);
    [[nodiscard]] bool finished() const { return m_finished.load(std::memory_order_acquire); }

private:
    SoundTake(std::unique_ptr<audio::WavWriter> writer, std::string name, audio::Frame frames, double sampleRate,
              const audio::OutputRing& ring, Log& log);
    void run();

    std::unique_ptr<audio::WavWriter> m_writer;
    std::string m_name;
    audio::Frame m_from; // of the ring
    audio::Frame m_frames;
    double m_sampleRate;
    const audio::OutputRing& m_ring;
    Log& m_log;
    std::mutex m_mutex;
    std::vector<audio::SoundMark> m_marks; // by frames of the file
    std::atomic<bool> m_quit{false};
    std::atomic<bool> m_finished{false};
    std::thread m_thread;
};

} // namespace sbx::app
