#include "app/sound/output_worker.h"

#include <QAudioDevice>
#include <QAudioSink>
#include <QCoreApplication>
#include <QEvent>
#include <QMediaDevices>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sbx::app {

namespace {

constexpr int TickMs = 5;
constexpr int PieceFrames = 256;
// A device that has taken nothing by then has too small a buffer; some wake slowly.
constexpr qint64 UnheardMs = 2500;
constexpr qint64 StuckMs = 1500; // one that took something before is gone
constexpr qint64 WindowMs = 250; // the device's time is held against the clock's from one to the next
constexpr double GapMs = 8.0;    // the device fell behind by more: it ran dry
constexpr double MinFrames = 1024.0 / 48000.0; // s; with less, sound servers never begin
constexpr qint64 RetryMs = 500;
constexpr int MaxBufferMs = 500;
const char* const NoDevice = "no sound device: measuring only, nothing is heard";
const char* const NoServer =
    "no sound server answers: measuring only, nothing is heard until one does";
const char* const NotTheWanted = "the chosen device is not there; the system's is used";
const char* const TakesNothing =
    "the sound device takes nothing yet, nothing is heard; trying longer buffers";

} // namespace

OutputWorker::OutputWorker(std::function<void(const audio::OutputStatus&)> changed, const char* whyNot,
                           std::function<bool()> mayAsk)
    : m_changed(std::move(changed)), m_whyNot(whyNot), m_mayAsk(std::move(mayAsk)) {}

void OutputWorker::setSilenced(bool silenced) {
    const std::lock_guard lock(m_calls);
    m_silenced = silenced;
}

audio::OutputStatus OutputWorker::status() const {
    const std::lock_guard lock(m_mutex);
    return m_status;
}

void OutputWorker::post(std::function<void()> work) {
    {
        const std::lock_guard lock(m_posting);
        m_posted.push_back(std::move(work));
    }
    QCoreApplication::postEvent(this, new QEvent(QEvent::User)); // Qt's queue takes it
}

void OutputWorker::customEvent(QEvent*) {
    std::vector<std::function<void()>> posted;
    {
        const std::lock_guard lock(m_posting);
        posted.swap(m_posted);
    }
    for (const std::function<void()>& work : posted)
        work();
    m_turns.fetch_add(1, std::memory_order_relaxed); // it has moved, though nothing is open
}

void OutputWorker::open(const audio::OutputRequest& request, double rendererRate,
                        audio::AudioOutput::Fill fill) {
    m_request = request;
    m_rendererRate = rendererRate;
    m_fill = std::move(fill);
    if (m_timer == nullptr) {
        m_timer = new QTimer(this);
        m_timer->setTimerType(Qt::PreciseTimer);
        connect(m_timer, &QTimer::timeout, this, &OutputWorker::turn);
    }
    m_bufferFrames = 0;
    m_takesNothing = false;
    if (!m_clock.isValid())
        m_clock.start();
    connectDevice();
    m_timer->start(TickMs);
}

void OutputWorker::close() {
    delete m_timer;
    m_timer = nullptr;
    delete m_devices;
    m_devices = nullptr;
    dropSink();
    m_fill = {};
    report(audio::OutputState::Closed, {});
}

void OutputWorker::setWhyNot(const char* whyNot) {
    m_whyNot = whyNot;
    if (m_timer != nullptr)
        report(audio::OutputState::Measuring, whyNot);
}

void OutputWorker::fill(std::span<float> out) {
    const std::lock_guard lock(m_calls);
    if (m_silenced)
        std::fill(out.begin(), out.end(), 0.0F);
    else
        m_fill(out);
}

void OutputWorker::tell(const audio::OutputStatus& now) {
    const std::lock_guard lock(m_calls);
    if (m_changed && !m_silenced)
        m_changed(now);
}

QAudioDevice OutputWorker::wantedDevice(bool& isTheWanted) {
    isTheWanted = true;
    if (m_whyNot != nullptr || !m_mayAsk())
        return {};
    if (m_devices == nullptr) {
        m_devices = new QMediaDevices(this);
        connect(m_devices, &QMediaDevices::audioOutputsChanged, this, &OutputWorker::devicesChanged);
    }
    if (m_request.device.empty())
        return QMediaDevices::defaultAudioOutput();
    for (const QAudioDevice& device : QMediaDevices::audioOutputs())
        if (device.id().toStdString() == m_request.device)
            return device;
    isTheWanted = false;
    return QMediaDevices::defaultAudioOutput();
}

void OutputWorker::connectDevice() {
    dropSink();
    bool isTheWanted = true;
    const QAudioDevice device = wantedDevice(isTheWanted);
    m_lastTry = elapsedMs();
    if (device.isNull()) {
        m_deviceId.clear();
        reportNothingThere();
        return;
    }
    QAudioFormat format;
    format.setChannelCount(2);
    format.setSampleFormat(QAudioFormat::Float);
    const double own = static_cast<double>(device.preferredFormat().sampleRate());
    const double rate = m_request.sampleRate > 0.0 ? m_request.sampleRate : own;
    format.setSampleRate(static_cast<int>(std::lround(std::clamp(rate, 44100.0, 192000.0))));
    if (!device.isFormatSupported(format))
        format.setSampleRate(static_cast<int>(std::lround(own)));
    if (!device.isFormatSupported(format))
        format.setSampleFormat(QAudioFormat::Int16);
    m_format = format;
    const double deviceRate = static_cast<double>(format.sampleRate());
    m_converter = deviceRate != m_rendererRate
                      ? std::make_unique<audio::RateConverter>(m_rendererRate, deviceRate)
                      : nullptr;
    m_sink = new QAudioSink(device, format);
    if (m_bufferFrames == 0)
        m_bufferFrames = static_cast<int>(std::max(MinFrames, m_request.latencyMs * 1e-3) * deviceRate);
    m_sink->setBufferSize(m_bufferFrames * format.bytesPerFrame());
    m_io = m_sink->start();
    m_deviceId = device.id();
    m_startedAt = m_tookAt = m_windowAt = elapsedMs();
    m_underrun = m_settled = false;
    m_written = m_taken = 0;
    m_least = m_leastBefore = 1e9;
    m_flagged = false;
    if (m_io == nullptr || m_sink->error() != QAudio::NoError) {
        dropSink();
        report(audio::OutputState::Lost, "the device " + device.description().toStdString()
                                             + " cannot be opened: measuring only, trying again");
        return;
    }
    {
        const std::lock_guard lock(m_mutex);
        m_status.device = device.description().toStdString();
        m_status.underruns = 0;
        m_status.sampleRate = deviceRate;
        m_status.askedMs = m_request.latencyMs;
        m_status.latencyMs =
            1000.0 * static_cast<double>(m_sink->bufferSize()) / format.bytesPerFrame() / deviceRate;
        m_reportedDevice.clear(); // the same device may have another buffer now
    }
    m_isTheWanted = isTheWanted;
    reportRunning();
}

void OutputWorker::reportRunning() {
    report(audio::OutputState::Running, m_takesNothing ? TakesNothing : m_isTheWanted ? "" : NotTheWanted);
}

void OutputWorker::reportNothingThere() {
    report(audio::OutputState::Measuring, m_whyNot != nullptr ? m_whyNot : m_mayAsk() ? NoDevice : NoServer);
}

void OutputWorker::dropSink() {
    if (m_sink != nullptr) {
        m_sink->disconnect(this);
        m_sink->stop();
        // Qt's destructor handles whatever events there are: not from here, nor as this one's child.
        m_sink->deleteLater();
    }
    m_sink = nullptr;
    m_io = nullptr;
    // From here on by the clock.
    m_measuredFrom = elapsedMs();
    m_measured = 0.0;
}

void OutputWorker::devicesChanged() {
    bool ignored = false;
    const QAudioDevice device = wantedDevice(ignored);
    if (device.id() != m_deviceId || m_sink == nullptr)
        connectDevice();
}

void OutputWorker::turn() {
    m_turns.fetch_add(1, std::memory_order_relaxed);
    if (m_sink != nullptr && m_sink->state() == QAudio::StoppedState) {
        dropSink();
        report(audio::OutputState::Lost, "the sound device is gone: measuring only, trying again");
    }
    if (m_sink == nullptr) {
        measure();
        if (elapsedMs() - m_lastTry > RetryMs) {
            bool ignored = false;
            if (!wantedDevice(ignored).isNull()) {
                connectDevice();
            } else {
                m_lastTry = elapsedMs();
                reportNothingThere();
            }
        }
        return;
    }
    holdAgainstTheClock();
    write();
    const qint64 time = elapsedMs();
    if (time - m_lookedAt > RetryMs) { // Qt does not say when a device goes
        m_lookedAt = time;
        devicesChanged();
        if (m_sink == nullptr)
            return;
    }
    if (m_taken == 0 && time - m_startedAt > UnheardMs
        && m_bufferFrames < MaxBufferMs * m_format.sampleRate() / 1000) {
        m_bufferFrames *= 2;
        m_takesNothing = true;
        connectDevice();
    } else if (m_taken > 0 && time - m_tookAt > StuckMs) {
        dropSink();
        report(audio::OutputState::Lost, "the sound device has stopped: measuring only, trying again");
    }
}

void OutputWorker::holdAgainstTheClock() {
    const int frameBytes = m_format.bytesPerFrame();
    const qint64 queued = (m_sink->bufferSize() - m_sink->bytesFree()) / frameBytes;
    const qint64 taken = m_written - std::max<qint64>(queued, 0);
    const qint64 time = elapsedMs();
    if (taken > m_taken) {
        m_taken = taken;
        m_tookAt = time;
        if (std::exchange(m_takesNothing, false))
            reportRunning();
    }
    const bool starved = m_sink->state() == QAudio::IdleState && m_sink->error() == QAudio::UnderrunError;
    if (starved && !m_underrun)
        countUnderrun();
    m_flagged = m_flagged || starved;
    m_underrun = starved;
    // How far the device is behind; the least of a window, because it takes what it wants in pieces.
    const double behind =
        static_cast<double>(time - m_startedAt) - 1e3 * static_cast<double>(m_taken) / m_format.sampleRate();
    m_least = std::min(m_least, behind);
    if (time - m_windowAt < WindowMs)
        return;
    if (m_settled && !m_flagged && m_least > m_leastBefore + GapMs)
        countUnderrun();
    m_settled = m_taken > 0 && time - m_startedAt > UnheardMs; // at first it may wake as slowly as it likes
    m_leastBefore = m_least;
    m_least = 1e9;
    m_windowAt = time;
    m_flagged = false;
}

void OutputWorker::countUnderrun() {
    audio::OutputStatus now;
    {
        const std::lock_guard lock(m_mutex);
        ++m_status.underruns;
        now = m_status;
    }
    tell(now);
}

void OutputWorker::write() {
    const int frameBytes = m_format.bytesPerFrame();
    while (true) {
        const int frames = std::min(PieceFrames, static_cast<int>(m_sink->bytesFree()) / frameBytes);
        if (frames < 64)
            break;
        m_floats.resize(static_cast<std::size_t>(frames) * 2);
        if (m_converter) {
            m_converter->pull(m_floats, [this](std::span<float> out) { fill(out); });
            // Between two samples of full scale there may be more.
            for (float& value : m_floats)
                value = std::clamp(value, -1.0F, 1.0F);
        } else {
            fill(m_floats);
        }
        // Meanwhile the server may have gone. Qt 6.4 does not let go of its lock when it is written to then.
        if (static_cast<int>(m_sink->bytesFree()) / frameBytes < frames)
            break;
        const char* bytes = reinterpret_cast<const char*>(m_floats.data());
        if (m_format.sampleFormat() == QAudioFormat::Int16) {
            m_shorts.resize(m_floats.size());
            std::transform(m_floats.begin(), m_floats.end(), m_shorts.begin(), [](float value) {
                return static_cast<qint16>(std::lround(std::clamp(value, -1.0F, 1.0F) * 32767.0F));
            });
            bytes = reinterpret_cast<const char*>(m_shorts.data());
        }
        const qint64 wrote = m_io->write(bytes, static_cast<qint64>(frames) * frameBytes);
        if (wrote <= 0)
            break;
        m_written += wrote / frameBytes;
    }
}

void OutputWorker::measure() {
    const double owed = static_cast<double>(elapsedMs() - m_measuredFrom) * 1e-3 * m_rendererRate;
    m_floats.resize(PieceFrames * 2);
    // A machine that slept does not catch up.
    m_measured = std::max(m_measured, owed - 0.25 * m_rendererRate);
    for (; m_measured + PieceFrames <= owed; m_measured += PieceFrames)
        fill(m_floats);
}

void OutputWorker::report(audio::OutputState state, const std::string& message) {
    audio::OutputStatus now;
    {
        const std::lock_guard lock(m_mutex);
        if (m_status.state == state && m_status.message == message && m_reportedDevice == m_status.device)
            return;
        m_status.state = state;
        m_status.message = message;
        if (state != audio::OutputState::Running)
            m_status.device.clear();
        m_reportedDevice = m_status.device;
        now = m_status;
    }
    tell(now);
}

} // namespace sbx::app

#include "moc_output_worker.cpp"
