#include "app/sound/live_sound.h"

#include <QMetaObject>

#include "app/common/hrtf_file.h"

#include <algorithm>
#include <cmath>

namespace sbx::app {

namespace {
constexpr double RendererRate = 48000.0;
constexpr float FadeFrames = 480.0F; // when the session is paused or goes on
} // namespace

LiveSound::LiveSound(Session& session, Log& log, QObject* parent)
    : QObject(parent), m_session(session), m_log(log), m_output([this](const audio::OutputStatus& status) { tell(status); }) {
    // Reading a set takes about a second: nobody waits for it.
    m_loader = std::thread([this] {
        audio::RendererSettings settings;
        settings.sampleRate = RendererRate;
        auto renderer = audio::Renderer::create(settings, defaultHrtf(RendererRate, m_log));
        if (!renderer) {
            m_log.error("audio", renderer.error().toString());
            return;
        }
        m_renderer = std::move(*renderer);
        m_stage = std::make_unique<SoundStage>(*m_renderer, SoundStage::Clock::Device);
        QMetaObject::invokeMethod(this, [this] { prepared(); }, Qt::QueuedConnection);
    });
}

LiveSound::~LiveSound() {
    m_loader.join();
    m_connections.clear();
    m_output.close();
    m_session.setSoundStage(nullptr);
}

void LiveSound::prepared() {
    m_session.post([this](Session& session) {
        session.setSoundStage(m_stage.get());
        const auto reopen = [this] { QMetaObject::invokeMethod(this, [this] { openOutput(); }, Qt::QueuedConnection); };
        m_connections.push_back(session.soundDevice().onChange([reopen](const std::string&) { reopen(); }));
        m_connections.push_back(session.soundRate().onChange([reopen](int) { reopen(); }));
        m_connections.push_back(session.soundLatency().onChange([reopen](float) { reopen(); }));
        reopen();
    });
}

void LiveSound::openOutput() {
    std::string list;
    for (const audio::OutputDevice& device : m_output.devices())
        list += (list.empty() ? "" : ", ") + device.id + (device.isDefault ? " (the system's)" : "");
    if (!list.empty())
        m_log.info("audio", "devices for audio.device: " + list);
    audio::OutputRequest request;
    request.device = m_session.soundDevice().get();
    request.sampleRate = static_cast<double>(m_session.soundRate().get());
    request.latencyMs = static_cast<double>(m_session.soundLatency().get());
    static_cast<void>(m_output.open(request, RendererRate, [this](std::span<float> out) { fill(out); }));
}

void LiveSound::fill(std::span<float> out) noexcept {
    const float wanted = m_stage->held() ? 0.0F : 1.0F;
    if (wanted == 0.0F && m_gain == 0.0F) {
        std::fill(out.begin(), out.end(), 0.0F);
        return;
    }
    m_renderer->render(out);
    if (m_gain == wanted)
        return;
    for (std::size_t n = 0; n + 1 < out.size(); n += 2) {
        m_gain = std::clamp(wanted, m_gain - 1.0F / FadeFrames, m_gain + 1.0F / FadeFrames);
        out[n] *= m_gain;
        out[n + 1] *= m_gain;
    }
}

void LiveSound::tell(const audio::OutputStatus& status) {
    if (status.state == audio::OutputState::Running) {
        const std::string numbers = std::to_string(std::lround(status.sampleRate)) + " Hz, "
                                    + std::to_string(std::lround(status.latencyMs)) + " ms";
        m_log.info("audio", "playing on " + status.device + ", " + numbers);
    }
    if (!status.message.empty())
        m_log.warning("audio", status.message);
}

} // namespace sbx::app
