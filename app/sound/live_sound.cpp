#include "app/sound/live_sound.h"

#include <QMetaObject>

#include "app/common/hrtf_file.h"

#include <algorithm>
#include <cmath>

namespace sbx::app {

namespace {
constexpr float FadeFrames = 480.0F; // when the session is paused or goes on
} // namespace

LiveSound::LiveSound(Session& session, Log& log, QObject* parent)
    : QObject(parent), m_session(session), m_log(log), m_output([this](const audio::OutputStatus& status) { tell(status); }) {
    m_session.sound().setHost(this);
}

LiveSound::~LiveSound() {
    if (m_loader.joinable())
        m_loader.join();
    m_connections.clear();
    m_output.close();
    m_takes.clear();
    m_session.sound().setHost(nullptr);
    m_session.sound().setStage(nullptr);
}

void LiveSound::start() {
    if (m_started)
        return;
    m_started = true;
    // Reading a set takes about a second: it runs in the background.
    m_loader = std::thread([this] {
        audio::RendererSettings settings;
        settings.sampleRate = SampleRate;
        auto renderer = audio::Renderer::create(settings, defaultHrtf(SampleRate, m_log));
        if (!renderer) {
            m_log.error("audio", renderer.error().toString());
            return;
        }
        m_renderer = std::move(*renderer);
        m_stage = std::make_unique<SoundStage>(*m_renderer, SoundStage::Clock::Device);
        QMetaObject::invokeMethod(this, [this] { prepared(); }, Qt::QueuedConnection);
    });
}

void LiveSound::wake() {
    QMetaObject::invokeMethod(this, [this] { start(); }, Qt::QueuedConnection);
}

void LiveSound::prepared() {
    m_session.post([this](Session& session) {
        session.sound().setStage(m_stage.get());
        m_stage->listenToOnsets(this, [this](const SoundOnset& onset) {
            const audio::Frame at = onset.at + audio::Renderer::latencyFrames() + m_ahead.load(std::memory_order_relaxed);
            for (const std::unique_ptr<SoundTake>& take : m_takes)
                if (!take->finished())
                    take->mark(at, onset.text());
        });
        const auto reopen = [this] { QMetaObject::invokeMethod(this, [this] { openOutput(); }, Qt::QueuedConnection); };
        m_connections.push_back(session.sound().device().onChange([reopen](const std::string&) { reopen(); }));
        m_connections.push_back(session.sound().rate().onChange([reopen](int) { reopen(); }));
        m_connections.push_back(session.sound().latency().onChange([reopen](float) { reopen(); }));
        reopen();
        const auto tellMode = [this](audio::Mode mode) {
            QMetaObject::invokeMethod(this, [this, mode] { emit modeChanged(mode); }, Qt::QueuedConnection);
        };
        m_connections.push_back(session.sound().mode().onChange(tellMode));
        tellMode(session.sound().mode().get());
    });
    emit ready();
}

SoundHost::Devices LiveSound::devices() const { return {m_output.devices(), m_output.status(), m_opened.load()}; }

Result<void> LiveSound::record(const std::filesystem::path& file, double seconds) {
    std::erase_if(m_takes, [](const std::unique_ptr<SoundTake>& take) { return take->finished(); });
    if (!m_opened)
        return Error{"nothing is heard yet; play first", {}, {}};
    auto take = SoundTake::begin(file, seconds, SampleRate, m_heard, m_log);
    if (!take)
        return take.error();
    m_takes.push_back(std::move(*take));
    return {};
}

void LiveSound::openOutput() {
    std::string list;
    for (const audio::OutputDevice& device : m_output.devices())
        list += (list.empty() ? "" : ", ") + device.id + (device.isDefault ? " (the system's)" : "");
    if (!list.empty())
        m_log.info("audio", "devices for audio.device: " + list);
    audio::OutputRequest request;
    request.device = m_session.sound().device().get();
    request.sampleRate = static_cast<double>(m_session.sound().rate().get());
    request.latencyMs = static_cast<double>(m_session.sound().latency().get());
    static_cast<void>(m_output.open(request, SampleRate, [this](std::span<float> out) { fill(out); }));
    m_opened = true;
}

void LiveSound::fill(std::span<float> out) noexcept {
    const float wanted = m_stage->held() ? 0.0F : 1.0F;
    if (wanted == 0.0F && m_gain == 0.0F) {
        std::fill(out.begin(), out.end(), 0.0F);
    } else {
        m_ahead.store(m_heard.written() - m_renderer->now(), std::memory_order_relaxed);
        m_renderer->render(out);
        for (std::size_t n = 0; m_gain != wanted && n + 1 < out.size(); n += 2) {
            m_gain = std::clamp(wanted, m_gain - 1.0F / FadeFrames, m_gain + 1.0F / FadeFrames);
            out[n] *= m_gain;
            out[n + 1] *= m_gain;
        }
    }
    m_heard.write(out);
}

void LiveSound::tell(const audio::OutputStatus& status) {
    if (status.state == audio::OutputState::Running && status.device != m_loggedDevice) {
        const std::string numbers = std::to_string(std::lround(status.sampleRate)) + " Hz, a buffer of "
                                    + std::to_string(std::lround(status.latencyMs)) + " ms ("
                                    + std::to_string(std::lround(status.askedMs)) + " ms asked for)";
        m_log.info("audio", "playing on " + status.device + ", " + numbers);
    }
    const bool running = status.state == audio::OutputState::Running;
    if (running && status.underruns > m_loggedUnderruns) {
        if ((status.underruns & (status.underruns - 1)) == 0) // the first, second, fourth, eighth...
            m_log.warning("audio", "the device ran dry, " + std::to_string(status.underruns) + " in all; audio.latency makes its buffer longer");
    } else if (!status.message.empty()) {
        m_log.warning("audio", status.message);
    }
    m_loggedDevice = status.device;
    if (running) // the clock's worker has none
        m_loggedUnderruns = status.underruns;
    m_session.sound().deviceLatency().publish(running ? static_cast<float>(status.latencyMs) : 0.0F);
    QMetaObject::invokeMethod(this, &LiveSound::statusChanged, Qt::QueuedConnection);
}

} // namespace sbx::app

#include "moc_live_sound.cpp"
