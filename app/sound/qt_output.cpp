#include "app/sound/qt_output.h"

#include <QAudioDevice>
#include <QAudioSink>
#include <QElapsedTimer>
#include <QMediaDevices>
#include <QSemaphore>

#include "engine/audio/rate_converter.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>

namespace sbx::app {

namespace {

constexpr int TickMs = 5;
constexpr int PieceFrames = 256;
constexpr qint64 UnheardMs = 2500; // a device that has taken nothing by then has too small a buffer; some wake slowly
constexpr qint64 StuckMs = 1500;   // one that took something before is gone
constexpr qint64 WindowMs = 250;   // the device's time is held against the clock's from one to the next
constexpr double GapMs = 8.0;      // the device fell behind by more: it ran dry
constexpr double LeastFrames = 1024.0 / 48000.0; // s; with less, sound servers never begin
constexpr qint64 RetryMs = 500;
constexpr int DumbMs = 10'000; // the sound thread has not moved on for so long: it never will
constexpr int WatchMs = 1000;
constexpr int MostBufferMs = 500;
const char* const NoDevice = "no sound device: measuring only, nothing is heard";
const char* const Dumb =
    "the sound system no longer answers: measuring only, nothing is heard until the program is started again";

// Qt's way to the sound server is one per process and belongs to the thread that first asks for devices. When the server goes, Qt 6.4
// takes that way down there, while whoever plays on another thread still uses it. So all outputs share one thread, and Qt's way is its
// own. It runs while there is an output. Main thread.
class SoundThread {
public:
    // Never destroyed: it may hang in Qt for good.
    static SoundThread& instance() {
        static auto* const one = new SoundThread;
        return *one;
    }
    void join() {
        m_made = true;
        if (m_users++ > 0 || m_hangs)
            return;
        m_thread.setObjectName(QStringLiteral("sound"));
        m_thread.start(QThread::TimeCriticalPriority);
    }
    void leave() {
        if (--m_users > 0 || m_hangs)
            return;
        m_thread.quit();
        m_hangs = !m_thread.wait(DumbMs);
    }
    void giveUp() { m_hangs = true; }
    // Any thread.
    [[nodiscard]] bool hangs() const { return m_hangs; }
    [[nodiscard]] bool wasMade() const { return m_made; }
    [[nodiscard]] QThread& thread() { return m_thread; }

private:
    SoundThread() = default;
    QThread m_thread;
    int m_users = 0;
    std::atomic<bool> m_hangs = false;
    bool m_made = false;
};

} // namespace

// Lives on the output's thread; what is for other threads says so.
class OutputWorker : public QObject {
    Q_OBJECT

public:
    // Without devices it measures only, and says that the sound system is dumb.
    OutputWorker(std::function<void(const audio::OutputStatus&)> changed, bool devices)
        : m_changed(std::move(changed)), m_mayPlay(devices) {}

    // --- Any thread
    // How often it has been round; it stands still when the thread does.
    [[nodiscard]] std::uint64_t turns() const { return m_turns.load(std::memory_order_relaxed); }
    // Nobody is called from now on, whatever the thread does.
    void silence() {
        const std::lock_guard lock(m_calls);
        m_silenced = true;
    }
    [[nodiscard]] audio::OutputStatus status() const {
        const std::lock_guard lock(m_mutex);
        return m_status;
    }

    // --- Its own thread
    void open(const audio::OutputRequest& request, double rendererRate, audio::AudioOutput::Fill fill) {
        m_request = request;
        m_rendererRate = rendererRate;
        m_fill = std::move(fill);
        if (m_timer == nullptr) {
            m_timer = new QTimer(this);
            m_timer->setTimerType(Qt::PreciseTimer);
            connect(m_timer, &QTimer::timeout, this, &OutputWorker::turn);
            if (m_mayPlay) {
                m_devices = new QMediaDevices(this);
                connect(m_devices, &QMediaDevices::audioOutputsChanged, this, &OutputWorker::devicesChanged);
            }
        }
        m_bufferFrames = 0;
        if (!m_clock.isValid())
            m_clock.start();
        connectDevice();
        m_timer->start(TickMs);
    }

    void close() {
        delete m_timer;
        m_timer = nullptr;
        delete m_devices;
        m_devices = nullptr;
        dropSink();
        m_fill = {};
        report(audio::OutputState::Closed, {});
    }

private:
    // By whoever calls out.
    void fill(std::span<float> out) {
        const std::lock_guard lock(m_calls);
        if (m_silenced)
            std::fill(out.begin(), out.end(), 0.0F);
        else
            m_fill(out);
    }
    void tell(const audio::OutputStatus& now) {
        const std::lock_guard lock(m_calls);
        if (m_changed && !m_silenced)
            m_changed(now);
    }

    [[nodiscard]] QAudioDevice wantedDevice(bool& isTheWanted) const {
        isTheWanted = true;
        if (!m_mayPlay)
            return {};
        if (m_request.device.empty())
            return QMediaDevices::defaultAudioOutput();
        for (const QAudioDevice& device : QMediaDevices::audioOutputs())
            if (device.id().toStdString() == m_request.device)
                return device;
        isTheWanted = false;
        return QMediaDevices::defaultAudioOutput();
    }

    void connectDevice() {
        dropSink();
        bool isTheWanted = true;
        const QAudioDevice device = wantedDevice(isTheWanted);
        m_lastTry = m_clock.elapsed();
        if (device.isNull()) {
            m_deviceId.clear();
            report(audio::OutputState::Measuring, m_mayPlay ? NoDevice : Dumb);
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
        m_converter = deviceRate != m_rendererRate ? std::make_unique<audio::RateConverter>(m_rendererRate, deviceRate) : nullptr;
        m_sink = new QAudioSink(device, format);
        if (m_bufferFrames == 0)
            m_bufferFrames = static_cast<int>(std::max(LeastFrames, m_request.latencyMs * 1e-3) * deviceRate);
        m_sink->setBufferSize(m_bufferFrames * format.bytesPerFrame());
        m_io = m_sink->start();
        m_deviceId = device.id();
        m_startedAt = m_tookAt = m_windowAt = m_clock.elapsed();
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
            m_status.latencyMs =
                1000.0 * static_cast<double>(m_sink->bufferSize()) / format.bytesPerFrame() / deviceRate;
        }
        report(audio::OutputState::Running,
               isTheWanted ? std::string() : "the chosen device is not there; the system's is used");
    }

    void dropSink() {
        if (m_sink != nullptr) {
            m_sink->disconnect(this);
            m_sink->stop();
            m_sink->deleteLater(); // Qt's destructor handles whatever events there are: not from here, nor as this one's child
        }
        m_sink = nullptr;
        m_io = nullptr;
        // From here on by the clock.
        m_measuredFrom = m_clock.elapsed();
        m_measured = 0.0;
    }

    void devicesChanged() {
        bool ignored = false;
        const QAudioDevice device = wantedDevice(ignored);
        if (device.id() != m_deviceId || m_sink == nullptr)
            connectDevice();
    }

    void turn() {
        m_turns.fetch_add(1, std::memory_order_relaxed);
        if (m_sink != nullptr && m_sink->state() == QAudio::StoppedState) {
            dropSink();
            report(audio::OutputState::Lost, "the sound device is gone: measuring only, trying again");
        }
        if (m_sink == nullptr) {
            measure();
            if (m_clock.elapsed() - m_lastTry > RetryMs) {
                bool ignored = false;
                if (!wantedDevice(ignored).isNull())
                    connectDevice();
                else
                    m_lastTry = m_clock.elapsed();
            }
            return;
        }
        holdAgainstTheClock();
        write();
        const qint64 now = m_clock.elapsed();
        if (now - m_lookedAt > RetryMs) { // Qt does not say when a device goes
            m_lookedAt = now;
            devicesChanged();
            if (m_sink == nullptr)
                return;
        }
        if (m_taken == 0 && now - m_startedAt > UnheardMs && m_bufferFrames < MostBufferMs * m_format.sampleRate() / 1000) {
            m_bufferFrames *= 2;
            connectDevice();
        } else if (m_taken > 0 && now - m_tookAt > StuckMs) {
            dropSink();
            report(audio::OutputState::Lost, "the sound device has stopped: measuring only, trying again");
        }
    }

    // Under-runs are what the device says of itself, and what its time says: it stands still while the clock goes on.
    void holdAgainstTheClock() {
        const int frameBytes = m_format.bytesPerFrame();
        const qint64 queued = (m_sink->bufferSize() - m_sink->bytesFree()) / frameBytes;
        const qint64 taken = m_written - std::max<qint64>(queued, 0);
        const qint64 now = m_clock.elapsed();
        if (taken > m_taken) {
            m_taken = taken;
            m_tookAt = now;
        }
        const bool starved = m_sink->state() == QAudio::IdleState && m_sink->error() == QAudio::UnderrunError;
        if (starved && !m_underrun)
            countUnderrun();
        m_flagged = m_flagged || starved;
        m_underrun = starved;
        // How far the device is behind; the least of a window, because it takes what it wants in pieces.
        const double behind = static_cast<double>(now - m_startedAt) - 1e3 * static_cast<double>(m_taken) / m_format.sampleRate();
        m_least = std::min(m_least, behind);
        if (now - m_windowAt < WindowMs)
            return;
        if (m_settled && !m_flagged && m_least > m_leastBefore + GapMs)
            countUnderrun();
        m_settled = m_taken > 0 && now - m_startedAt > UnheardMs; // at first it may wake as slowly as it likes
        m_leastBefore = m_least;
        m_least = 1e9;
        m_windowAt = now;
        m_flagged = false;
    }

    void countUnderrun() {
        audio::OutputStatus now;
        {
            const std::lock_guard lock(m_mutex);
            ++m_status.underruns;
            now = m_status;
        }
        tell(now);
    }

    void write() {
        const int frameBytes = m_format.bytesPerFrame();
        while (true) {
            const int frames = std::min(PieceFrames, static_cast<int>(m_sink->bytesFree()) / frameBytes);
            if (frames < 64)
                break;
            m_floats.resize(static_cast<std::size_t>(frames) * 2);
            if (m_converter)
                m_converter->pull(m_floats, [this](std::span<float> out) { fill(out); });
            else
                fill(m_floats);
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

    void measure() {
        const double owed = static_cast<double>(m_clock.elapsed() - m_measuredFrom) * 1e-3 * m_rendererRate;
        m_floats.resize(PieceFrames * 2);
        // A machine that slept does not catch up.
        m_measured = std::max(m_measured, owed - 0.25 * m_rendererRate);
        for (; m_measured + PieceFrames <= owed; m_measured += PieceFrames)
            fill(m_floats);
    }

    void report(audio::OutputState state, const std::string& message) {
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

    std::function<void(const audio::OutputStatus&)> m_changed;
    bool m_mayPlay;
    std::atomic<std::uint64_t> m_turns{0};
    std::mutex m_calls; // held while somebody is called
    bool m_silenced = false;
    audio::OutputRequest m_request;
    double m_rendererRate = 48000.0;
    audio::AudioOutput::Fill m_fill;
    QTimer* m_timer = nullptr;
    QMediaDevices* m_devices = nullptr;
    QAudioSink* m_sink = nullptr;
    QIODevice* m_io = nullptr;
    QAudioFormat m_format;
    QByteArray m_deviceId;
    std::unique_ptr<audio::RateConverter> m_converter;
    std::vector<float> m_floats;
    std::vector<qint16> m_shorts;
    QElapsedTimer m_clock;
    qint64 m_lastTry = 0;
    qint64 m_lookedAt = 0;
    qint64 m_startedAt = 0;
    qint64 m_tookAt = 0;
    qint64 m_windowAt = 0;
    qint64 m_written = 0; // frames, since the device was opened
    qint64 m_taken = 0;   // of them by the device
    double m_least = 1e9;
    double m_leastBefore = 1e9;
    bool m_settled = false;
    bool m_flagged = false; // the device said so itself in this window
    qint64 m_measuredFrom = 0;
    double m_measured = 0.0; // frames rendered by the clock since then
    int m_bufferFrames = 0;
    bool m_underrun = false;
    mutable std::mutex m_mutex; // of the status
    audio::OutputStatus m_status;
    std::string m_reportedDevice;
};

QtOutput::QtOutput(std::function<void(const audio::OutputStatus&)> changed) : m_changed(std::move(changed)) {
    SoundThread& sound = SoundThread::instance();
    sound.join();
    if (sound.hangs()) {
        goOnWithoutDevices();
        return;
    }
    m_worker = new OutputWorker(m_changed, true);
    m_worker.load()->moveToThread(&sound.thread());
    if (!call([] {
            static_cast<void>(QMediaDevices::audioOutputs());
        })) // from now on Qt's way to the server is that thread's
        goOnWithoutDevices();
    m_watch.setInterval(WatchMs);
    QObject::connect(&m_watch, &QTimer::timeout, &m_watch, [this] { watch(); });
}

QtOutput::~QtOutput() {
    close();
    if (m_ownThread) {
        m_ownThread->quit();
        m_ownThread->wait();
        delete m_worker.load();
    } else {
        m_worker.load()->deleteLater();
    }
    SoundThread::instance().leave();
}

// What is posted is done in order; false: not within a time in which anything is.
bool QtOutput::call(const std::function<void()>& what) {
    const auto done = std::make_shared<QSemaphore>();
    QMetaObject::invokeMethod(
        m_worker.load(),
        [what, done] {
            what();
            done->release();
        },
        Qt::QueuedConnection);
    return done->tryAcquire(1, DumbMs);
}

void QtOutput::watch() {
    const std::uint64_t turns = m_worker.load()->turns();
    m_still = turns == m_turns ? m_still + 1
                               : 0; // counted: a program that was stopped for a while has seen it once
    m_turns = turns;
    if (m_still >= DumbMs / WatchMs)
        goOnWithoutDevices();
}

// The sound thread hangs in Qt, with the worker: both are left as they are, and the sound goes on by the clock.
void QtOutput::goOnWithoutDevices() {
    SoundThread::instance().giveUp();
    m_watch.stop();
    if (OutputWorker* hanging = m_worker)
        hanging->silence();
    static_cast<void>(m_ownThread.release()); // if that one hangs too
    m_ownThread = std::make_unique<QThread>();
    m_ownThread->setObjectName(QStringLiteral("sound"));
    m_worker = new OutputWorker(m_changed, false);
    m_worker.load()->moveToThread(m_ownThread.get());
    m_ownThread->start(QThread::TimeCriticalPriority);
    if (m_fill)
        static_cast<void>(open(m_request, m_rendererRate, m_fill));
}

std::vector<audio::OutputDevice> QtOutput::devices() const {
    std::vector<audio::OutputDevice> out;
    if (SoundThread::instance().hangs()) // who asks now would hang there too
        return out;
    for (const QAudioDevice& device : QMediaDevices::audioOutputs())
        out.push_back({device.id().toStdString(), device.description().toStdString(), device.isDefault()});
    return out;
}

Result<void> QtOutput::open(const audio::OutputRequest& request, double rendererRate, Fill fill) {
    if (!fill)
        return Error{"nothing to play", {}, {}};
    m_request = request;
    m_rendererRate = rendererRate;
    m_fill = std::move(fill);
    QMetaObject::invokeMethod(
        m_worker.load(),
        [worker = m_worker.load(), request, rendererRate, fill = m_fill] {
            worker->open(request, rendererRate, fill);
        },
        Qt::QueuedConnection);
    if (!m_ownThread) {
        m_still = 0;
        m_watch.start();
    }
    return {};
}

void QtOutput::close() {
    m_watch.stop();
    m_fill = {};
    if (!call([worker = m_worker.load()] { worker->close(); }))
        goOnWithoutDevices();
}

audio::OutputStatus QtOutput::status() const { return m_worker.load()->status(); }

void leaveProgram(int status) {
    if (!SoundThread::instance().wasMade())
        std::exit(status);
    std::cout.flush();
    std::fflush(nullptr);
    std::_Exit(status);
}

} // namespace sbx::app

#include "qt_output.moc"
