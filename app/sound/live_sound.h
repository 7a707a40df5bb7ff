#pragma once
// A session heard through a device: loads the responses in the background, makes the renderer, gives the session its stage, and opens
// the output. While the session is paused, sound stands still with it.
//
// Thread: made and ended on the main thread, ended after the session's thread has stopped. Ownership: owns renderer, stage, output.
// Session and log outlive it.

#include <QObject>

#include "app/sound/qt_output.h"
#include "engine/core/log.h"
#include "engine/session/session.h"
#include "engine/session/sound_stage.h"

#include <thread>

namespace sbx::app {

class LiveSound : public QObject {
    Q_OBJECT

public:
    LiveSound(Session& session, Log& log, QObject* parent = nullptr);
    ~LiveSound() override;

    [[nodiscard]] audio::OutputStatus status() const { return m_output.status(); }
    [[nodiscard]] audio::AudioOutput& output() { return m_output; }

private:
    void prepared();
    void openOutput();
    void fill(std::span<float> interleaved) noexcept;
    void tell(const audio::OutputStatus& status);

    Session& m_session;
    Log& m_log;
    std::unique_ptr<audio::Renderer> m_renderer;
    std::unique_ptr<SoundStage> m_stage;
    float m_gain = 0.0F; // the output's thread
    std::vector<CVarConnection> m_connections;
    std::thread m_loader;
    QtOutput m_output; // first to go
};

} // namespace sbx::app
