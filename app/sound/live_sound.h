#pragma once
// A session heard through a device. When something is to be heard for the first time (play, a sound tried out), it loads the responses
// in the background, makes the renderer, gives the session its stage, and opens the output. While the session is paused, sound stands
// still with it; in Edit it goes on, so that sounds can be tried out.
//
// Data flow: session -> stage -> renderer -> fill() on the output's thread -> device, and heard() for meters and recordings.
//
// Thread: made on the main thread before the session's thread begins, ended there after it has stopped; members say who may call them.
// Ownership: owns renderer, stage, output. Session and log outlive it.

#include <QObject>

#include "app/sound/qt_output.h"
#include "app/sound/sound_take.h"
#include "engine/audio/output_ring.h"
#include "engine/core/log.h"
#include "engine/session/session.h"
#include "engine/soundstage/sound_host.h"
#include "engine/soundstage/sound_stage.h"

#include <thread>

namespace sbx::app {

class LiveSound : public QObject, public SoundHost {
    Q_OBJECT

public:
    static constexpr double SampleRate = 48000.0; // of the renderer

    LiveSound(Session& session, Log& log, QObject* parent = nullptr);
    ~LiveSound() override;

    // --- Main thread
    void start(); // what wake() leads to; more than once is once
    [[nodiscard]] bool started() const { return m_started; }

    // --- Any thread
    [[nodiscard]] audio::OutputStatus status() const { return m_output.status(); }
    // What the device was given, and is given by the clock without one. At SampleRate.
    [[nodiscard]] const audio::OutputRing& heard() const { return m_heard; }

    // --- The session's thread
    void wake() override;
    [[nodiscard]] Devices devices() const override;
    Result<void> record(const std::filesystem::path& file, double seconds) override;

signals:
    void statusChanged(); // main thread; under-runs too
    void ready();         // main thread: the session is about to have its stage
    void modeChanged(audio::Mode mode); // main thread: how it renders from now on, the first time too

private:
    void prepared();
    void openOutput();
    void fill(std::span<float> interleaved) noexcept;
    void tell(const audio::OutputStatus& status);

    Session& m_session;
    Log& m_log;
    bool m_started = false;
    std::unique_ptr<audio::Renderer> m_renderer;
    std::unique_ptr<SoundStage> m_stage;
    audio::OutputRing m_heard{1U << 18U}; // five seconds
    float m_gain = 0.0F;                 // the output's thread
    std::atomic<bool> m_opened{false};
    // Output's thread: what was reported last.
    std::string m_loggedDevice;
    std::uint64_t m_loggedUnderruns = 0;
    std::vector<CVarConnection> m_connections;
    std::vector<std::unique_ptr<SoundTake>> m_takes;
    std::atomic<audio::Frame> m_ahead{0}; // of the ring's frames before the renderer's: pauses
    std::thread m_loader;
    QtOutput m_output; // first to go
};

} // namespace sbx::app
